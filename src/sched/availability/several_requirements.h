// Several requirements of one job, which compete for nodes.
//
// They are placed one after the other, each as the allocation policy chooses, in each order in
// turn. Where that fails, their tasks are dealt to the nodes in every way, with a bounded effort.
#pragma once
#include <optional>

#include "sched/availability/cluster_model.h"
#include "sched/placement/variants.h"

namespace maui {

class SeveralRequirements {
 public:
  /// `variant`: how the request is to be served; nullptr: there is one way only.
  SeveralRequirements(ClusterModel& model, const Job& job, const Request& request,
                      const Variant* variant)
      : model_(model), job_(job), request_(request), variant_(variant) {}

  /// The earliest moment in [from, bound] from which all could run in that partition.
  std::optional<Slot> earliest(PartitionId partition, Time from, Time bound);
  /// Nodes for all of them from `start` on, free for `at_least`.
  std::optional<Placement> place(PartitionId partition, Time start, Seconds at_least);

 private:
  class Dealing;

  // In seats that are looked at, for each question; to place a requirement costs as much as
  // several.
  static constexpr int kMostEffort = 100'000, kPlacing = 20;

  RequirementQuestion question(std::uint32_t requirement, PartitionId partition,
                               Seconds at_least) const;
  std::vector<Offer> offers(const RequirementQuestion& question, Time start);
  std::optional<Placement> place_in_some_order(PartitionId partition, Time start, Seconds at_least,
                                               bool by_affinity);

  ClusterModel& model_;
  const Job& job_;
  const Request& request_;
  const Variant* variant_;
  int effort_ = kMostEffort;
};

}  // namespace maui
