// Several requirements of one job, which compete for nodes.
//
// They are placed one after the other, each as the allocation policy chooses, in each order in
// turn. Where that fails, their tasks are dealt to the nodes in every way, with a bounded effort:
// for each question, and for all of a cycle together, so that no number of such jobs holds it up.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>

#include "sched/availability/cluster_model.h"
#include "sched/placement/variants.h"

namespace maui {

class SeveralRequirements {
 public:
  // In seats that are looked at, a node each; to place a requirement costs as much as several.
  static constexpr int kMostEffort = 500'000, kMostOfACycle = 2'000'000, kPlacing = 20;

  /// `variant`: how the request is to be served; nullptr: there is one way only.  `left`: of the
  /// cycle's effort, from which what is spent is taken.
  SeveralRequirements(ClusterModel& model, const Job& job, const Request& request,
                      const Variant* variant, std::int64_t& left)
      : model_(model),
        job_(job),
        request_(request),
        variant_(variant),
        left_(left),
        begun_with_(static_cast<int>(std::clamp<std::int64_t>(left, 0, kMostEffort))) {}
  SeveralRequirements(const SeveralRequirements&) = delete;
  SeveralRequirements& operator=(const SeveralRequirements&) = delete;
  ~SeveralRequirements() { left_ -= begun_with_ - effort_; }

  /// The earliest moment in [from, bound] from which all could run in that partition.
  std::optional<Slot> earliest(PartitionId partition, Time from, Time bound);
  /// Nodes for all of them from `start` on, free for `at_least`.
  std::optional<Placement> place(PartitionId partition, Time start, Seconds at_least);

 private:
  class Dealing;

  RequirementQuestion question(std::uint32_t requirement, PartitionId partition,
                               Seconds at_least) const;
  /// When something changes after that for any of them.
  Time next_change(PartitionId partition, Time after);
  std::vector<Offer> offers(const RequirementQuestion& question, Time start);
  std::optional<Placement> place_in_some_order(PartitionId partition, Time start, Seconds at_least,
                                               bool by_affinity);

  ClusterModel& model_;
  const Job& job_;
  const Request& request_;
  const Variant* variant_;
  std::int64_t& left_;  // of the cycle's effort
  int begun_with_;
  int effort_ = begun_with_;
};

}  // namespace maui
