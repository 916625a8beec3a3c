// RESERVATIONDEPTH and RESERVATIONQOSLIST (guide 8.2): how many more jobs of each stack the walk in
// priority order may reserve, and where in the queue each stack ends.  A partition with a backfill
// policy of its own has its own stacks.
#pragma once
#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstddef>

#include "maui/cluster.h"
#include "maui/settings.h"
#include "sched/rules/partition_policies.h"

namespace maui {

class ReservationStacks {
 public:
  ReservationStacks(const Cluster& cluster, const Settings& settings)
      : cluster_(cluster), settings_(settings) {
    add_lane({}, settings.backfill);
    for (const auto& [name, own] : settings.partition_policies)
      if (const auto id = cluster.partitions.find(name); id.valid() && own.backfill)
        add_lane(id, *own.backfill);
  }

  /// Takes one reservation from the job's stack; false if none is left.
  bool take(const Job& job) {
    Stack& stack = stack_of(job);
    if (stack.left <= 0) return false;
    --stack.left;
    return true;
  }
  void give_back(const Job& job) { ++stack_of(job).left; }
  bool used_up(const Job& job) { return stack_of(job).left <= 0; }
  /// Notes that the stack is used up with this job, which has its last reservation or can neither
  /// start nor be reserved: later jobs of the stack are out of turn.
  void end(const Job& job, std::size_t rank) {
    stack_of(job).end = rank;
    any_ended_ = true;
  }
  bool any_ended() const { return any_ended_; }
  bool ended(const Job& job, std::size_t rank) { return rank >= stack_of(job).end; }
  /// Takes back that the stack was used up with this job.
  void reopen(const Job& job, std::size_t rank) {
    if (stack_of(job).end == rank) stack_of(job).end = kNoEnd;
  }
  /// True if the stack was used up by an earlier job.
  bool passed(const Job& job, std::size_t rank) { return rank > stack_of(job).end; }
  /// True if the remaining resources are saved for the job at which the walk stopped: without
  /// backfill, no other job gets them.
  bool saving(const Job& job) {
    if (!any_ended_) return false;
    const Lane& lane = lane_of(job);
    return !lane.backfills && lane.over();
  }
  /// True if no job may pass this one and none is reserved: the queue waits for the job.
  bool strict(const Job& job) { return !lane_of(job).backfills; }
  /// True if no further job can be reserved, nor started in its turn.
  bool over() const {
    return std::all_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return lane.over(); });
  }

 private:
  static constexpr std::size_t kNoEnd = ~std::size_t{0};

  struct Stack {
    int left;
    const ReservationStack* of;  // none: jobs of no other stack
    std::size_t end = kNoEnd;    // rank of the job that used it up
  };
  struct Lane {
    PartitionId partition;  // invalid: all without their own policy
    bool backfills;         // else its jobs run strictly in order
    boost::container::small_vector<Stack, 2> stacks;

    bool over() const {
      return std::all_of(stacks.begin(), stacks.end(), [this](const Stack& stack) {
        return backfills ? stack.left <= 0 : stack.end != kNoEnd;
      });
    }
  };

  void add_lane(PartitionId partition, BackfillPolicy policy) {
    Lane lane{partition, policy != BackfillPolicy::none, {}};
    if (makes_reservations(settings_, policy))
      for (const auto& stack : settings_.reservation_stacks)
        lane.stacks.push_back({stack.depth, &stack});
    lane.stacks.push_back({0, nullptr});
    lanes_.push_back(std::move(lane));
  }
  Lane& lane_of(const Job& job) {
    if (lanes_.size() == 1) return lanes_.front();
    const auto own = backfills_by(cluster_, settings_, cluster_.request(job.request));
    return *std::find_if(lanes_.begin(), lanes_.end(),
                         [own](const Lane& lane) { return lane.partition == own; });
  }
  Stack& stack_of(const Job& job) {
    auto& stacks = lane_of(job).stacks;
    return *std::find_if(stacks.begin(), stacks.end(), [&](const Stack& stack) {
      return stack.of == nullptr || stack.of->serves(cluster_.qos[job.credentials.qos]);
    });
  }

  const Cluster& cluster_;
  const Settings& settings_;
  boost::container::small_vector<Lane, 1> lanes_;  // the general lane comes first
  bool any_ended_ = false;
};

}  // namespace maui
