#include "sched/query/room_by_limit.h"

#include <algorithm>
#include <utility>

#include "base/sorted.h"
#include "sched/placement/feasibility.h"
#include "sched/promises.h"
#include "sched/query/explain.h"

namespace maui {
namespace {

// Bounds of a search: a forecast that needs more is not worth its time.
constexpr int kMostTimes = 64, kMostChoices = 8;

}  // namespace

RoomByLimit::RoomByLimit(const Cluster& cluster, const Settings& settings, Time now)
    : cluster_(cluster), settings_(settings), now_(now), timeline_(cluster, settings, now, false) {}

bool RoomByLimit::clear_some() {
  constexpr std::size_t kAtOnce = 1000;
  const auto active = cluster_.active();
  const std::size_t end = std::min(active.size(), cleared_ + kAtOnce);
  if (cleared_ == end) return false;
  for (; cleared_ < end; ++cleared_) timeline_.vacate(active[cleared_].job);
  return true;
}

void RoomByLimit::foresee(const Job& job, Time start) {
  if (!job.reservation.valid() || start <= now_) return;
  const Time from = latest_promise(cluster_, settings_, job);
  if (from < kForever) reserved_.push_back({job.id, from, start});
}

void RoomByLimit::hold_reservations_at(Time when) {
  for (Reserved& reserved : reserved_) {
    if (reserved.held == (when < reserved.until)) continue;
    reserved.held = !reserved.held;
    const Job& job = cluster_.job(reserved.job);
    if (reserved.held)
      timeline_.hold(job, cluster_.request(job.request),
                     cluster_.reservation(job.reservation).nodes, reserved.from);
    else
      timeline_.release(reserved.job);
  }
}

bool RoomByLimit::leaves_time(const Job& job, const Request& request, const Placement& nodes,
                              Time start) {
  hold_reservations_at(start);
  return timeline_.model().has_room(job, request, nodes, start);
}

void RoomByLimit::exclude_short(const Job& job, const Request& request, Time start,
                                Request& brief) {
  hold_reservations_at(start);
  std::vector<char> enough(cluster_.nodes().size(), 0);
  auto& model = timeline_.model();
  for (const PartitionId partition : usable_partitions(cluster_, request))
    for (std::uint32_t i = 0; i < request.requirements.size(); ++i) {
      // With limits by speed, the choice of nodes decides: see leaves_time().
      const Seconds stay = request.by_speed ? Seconds(1) : request.limit;
      const RequirementQuestion question{job, request, i, partition, stay};
      ClusterModel::Asked asked;
      model.fill(asked, question);
      for (const Offer& offer : model.offers(asked, start)) enough[offer.node.raw()] = 1;
    }
  std::vector<NodeId> nodes;
  for (const Node& node : cluster_.nodes())
    if (enough[node.id.raw()] == 0) nodes.push_back(node.id);
  add_all_sorted(brief.excluded, nodes);
}

void RoomByLimit::exclude_nodes_of(const Slot& slot, const Job& job, const Request& request,
                                   Request& brief) {
  std::vector<NodeId> all, unsuitable;
  for (const NodeTasks& share : slot.placement) {
    all.push_back(share.node);
    if (!leaves_time(job, request, {share}, slot.start)) unsuitable.push_back(share.node);
  }
  add_all_sorted(brief.excluded, unsuitable.empty() ? all : unsuitable);
}

Time RoomByLimit::next_opening(Time after) const {
  Time next = next_reservation_boundary(cluster_, after);
  for (const Reserved& reserved : reserved_)
    if (reserved.until > after) next = std::min(next, reserved.until);
  return next;
}

std::optional<Slot> RoomByLimit::first_slot(Timeline& runs, const Job& job, const Request& request,
                                            const Request& brief, Time from, Time last) {
  for (int times = 0; times < kMostTimes && from <= last && from < kForever; ++times) {
    auto slot = slot_between(runs, job, brief, from, last);
    if (!slot || leaves_time(job, request, slot->placement, slot->start)) return slot;
    const Time start = slot->start;
    Request elsewhere = brief;
    exclude_short(job, request, start, elsewhere);
    for (int choices = 0;; ++choices) {
      slot = slot_between(runs, job, elsewhere, start, last);
      if (!slot || slot->start > start || choices == kMostChoices) break;
      if (leaves_time(job, request, slot->placement, start)) return slot;
      exclude_nodes_of(*slot, job, request, elsewhere);
    }
    // Until a reservation ends, a later start leaves no more time than this one.
    from = std::min(next_opening(start), slot && slot->start > start ? slot->start : kForever);
  }
  return std::nullopt;
}

}  // namespace maui
