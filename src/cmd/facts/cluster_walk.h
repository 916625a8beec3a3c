// A walk through jobs, nodes and reservations for one reply, a slice at a time.
#pragma once
#include <cstdint>
#include <vector>

#include "cmd/context.h"
#include "cmd/follow_up.h"

namespace maui {

/// Where something changes meanwhile the walk is begun anew; the third time all is done at once, so
/// that what never rests is shown, too.
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
  /// Forgets what has been found out.
  virtual void begin() = 0;
  /// A slice of the work; false: nothing is left.
  virtual bool go_on() = 0;

 private:
  /// Another one where a job has come, gone or begun, or a node or a reservation is another.
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
  std::vector<std::uint64_t> moment_;  // of what has been found out; empty: nothing has
  int begun_ = 0;
};

}  // namespace maui
