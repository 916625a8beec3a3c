// Computes a reply from jobs, nodes and reservations, one slice at a time.
#pragma once
#include <cstdint>
#include <vector>

#include "cmd/context.h"
#include "cmd/follow_up.h"

namespace maui {

/// If the cluster changes during a walk, the walk begins again; the third walk is completed in one
/// step, so that the state of a cluster that changes constantly can be shown, too.
class ClusterWalk : public FollowUp {
 public:
  explicit ClusterWalk(const Context& context) : context_(context) {}

  bool step() final {
    constexpr int kMostBegun = 3;
    if (moment_ != moment()) {
      moment_ = moment();
      begin();
      if (++begun_ < kMostBegun) return true;
    }
    bool more = go_on();
    while (more && begun_ >= kMostBegun) more = go_on();
    return more;
  }

 protected:
  const Context& context() const { return context_; }
  /// Discards the results so far.
  virtual void begin() = 0;
  /// Executes a slice of the work; returns false if no work is left.
  virtual bool go_on() = 0;

 private:
  /// Changes when a job arrives, leaves or starts, or a node or a reservation changes.
  std::vector<std::uint64_t> moment() const {
    const Cluster& cluster = context_.engine.counted();
    const auto waiting = cluster.waiting();
    return {static_cast<std::uint64_t>(context_.engine.iteration()),
            cluster.placed_jobs().revision(),
            cluster.releases(),
            cluster.node_changes(),
            cluster.reservation_changes(),
            waiting.size(),
            waiting.empty() ? 0 : waiting.back().arrival};
  }

  Context context_;
  std::vector<std::uint64_t> moment_;  // the state that results refer to; empty: none
  int begun_ = 0;
};

}  // namespace maui
