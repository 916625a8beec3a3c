// Several requirements of one job, which compete for nodes.
//
// The search places one requirement after the other by the allocation policy, in each order in
// turn.  If that fails, it tries every distribution of their tasks to nodes, with bounded effort:
// for each question, and for all jobs of a user in a cycle (search_effort.h).
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
  // Counted in seats (nodes) examined; placing a requirement costs as much as several seats.
  static constexpr int kMostEffort = 500'000, kPlacing = 20;

  /// `variant`: how to serve the request; nullptr: there is only one way.  `share`: the user's part
  /// of the cycle's effort, which is charged; once it is over, nothing is found.
  SeveralRequirements(ClusterModel& model, const Job& job, const Request& request,
                      const Variant* variant, SearchShare& share)
      : model_(model),
        job_(job),
        request_(request),
        variant_(variant),
        share_(share),
        groups_(model.most_groups()),
        begun_with_(static_cast<int>(std::clamp<std::int64_t>(share.left, 0, kMostEffort))) {}
  SeveralRequirements(const SeveralRequirements&) = delete;
  SeveralRequirements& operator=(const SeveralRequirements&) = delete;
  ~SeveralRequirements() { share_.left -= begun_with_ - effort_; }

  /// Returns the earliest slot in [from, bound] for all requirements in that partition.
  std::optional<Slot> earliest(PartitionId partition, Time from, Time bound);
  /// Returns nodes for all requirements from `start` on, free for `at_least`.
  std::optional<Placement> place(PartitionId partition, Time start, Seconds at_least);

 private:
  class Dealing;

  /// Charges the cost of a question about one requirement: the groups that it may have to examine
  /// and that many nodes.
  void charge(std::size_t nodes);
  RequirementQuestion question(std::uint32_t requirement, PartitionId partition,
                               Seconds at_least) const;
  /// Returns the first later time at which the answer for any requirement may change.
  Time next_change(PartitionId partition, Time after);
  std::vector<Offer> offers(const RequirementQuestion& question, Time start);
  std::optional<Placement> place_in_some_order(PartitionId partition, Time start, Seconds at_least,
                                               bool by_affinity);

  ClusterModel& model_;
  const Job& job_;
  const Request& request_;
  const Variant* variant_;
  SearchShare& share_;
  std::size_t groups_;
  int begun_with_;
  int effort_ = begun_with_;
};

}  // namespace maui
