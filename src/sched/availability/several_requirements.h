// Several requirements of one job, which compete for nodes.
//
// They are placed one after the other, each as the allocation policy chooses, in each order in
// turn. Where that fails, their tasks are dealt to the nodes in every way, with a bounded effort:
// for each question, and for all of a user's jobs in a cycle (search_effort.h).
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>

#include "sched/availability/cluster_model.h"
#include "sched/availability/search_effort.h"
#include "sched/placement/variants.h"

namespace maui {

class SeveralRequirements {
 public:
  // In seats that are looked at, a node each; to place a requirement costs as much as several.
  static constexpr int kMostEffort = 500'000, kPlacing = 20;

  /// `variant`: how the request is to be served; nullptr: there is one way only.  `share`: of the
  /// cycle's effort, from which what is spent is taken; once it is over nothing is found.
  SeveralRequirements(ClusterModel& model, const Job& job, const Request& request,
                      const Variant* variant, SearchShare& share)
      : model_(model),
        job_(job),
        request_(request),
        variant_(variant),
        share_(share),
        begun_with_(static_cast<int>(std::clamp<std::int64_t>(share.left, 0, kMostEffort))) {}
  SeveralRequirements(const SeveralRequirements&) = delete;
  SeveralRequirements& operator=(const SeveralRequirements&) = delete;
  ~SeveralRequirements() { share_.left -= begun_with_ - effort_; }

  /// The earliest moment in [from, bound] from which all could run in that partition.
  std::optional<Slot> earliest(PartitionId partition, Time from, Time bound);
  /// Nodes for all of them from `start` on, free for `at_least`.
  std::optional<Placement> place(PartitionId partition, Time start, Seconds at_least);

 private:
  class Dealing;

  /// Takes what a question about one requirement costs: groups that are looked at, and so many
  /// nodes.
  void charge(std::size_t nodes);
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
  SearchShare& share_;
  int begun_with_;
  int effort_ = begun_with_;
};

}  // namespace maui
