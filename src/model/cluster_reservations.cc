#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

#include "maui/cluster.h"
#include "model/alter.h"
#include "model/node_runs.h"
#include "model/placement.h"

namespace maui {
namespace {

NodeRuns runs_of(const Placement& placement) {
  std::vector<NodeRun> runs;
  runs.reserve(placement.parts().size());
  for (const Placement::Part& part : placement.parts()) runs.push_back(part.nodes);
  std::sort(runs.begin(), runs.end(),
            [](const NodeRun& a, const NodeRun& b) { return a.first < b.first; });
  NodeRuns nodes;
  for (const NodeRun& run : runs) nodes.add(run);  // in ascending order, which is quickest
  return nodes;
}

NodeRuns without(NodeRuns nodes, const NodeRuns& others) {
  nodes.remove(others);
  return nodes;
}

}  // namespace

ReservationId Cluster::find_reservation(std::string_view name) const {
  const auto at = reservation_names_.find(std::string(name));
  if (at != reservation_names_.end()) return at->second;
  const JobId owner = find_job(name);
  return owner.valid() ? job(owner).reservation : ReservationId();
}

ReservationId Cluster::add_reservation(Reservation reservation) {
  ReservationId id(reservations_.size());
  if (free_reservations_.empty()) {
    reservations_.emplace_back();
  } else {
    id = free_reservations_.back();
    free_reservations_.pop_back();
  }
  reservation.id = id;
  reservation.serial = next_serial_++;
  if (reservation.kind == ReservationKind::job) {
    Job& job = jobs_[reservation.job.index()];
    assert(job.waiting() && !job.reservation.valid());
    job.reservation = id;
    waiting_[line_of(job)].reserved = true;
    reservation.name = job.name;
  } else {
    assert(!reservation_names_.contains(reservation.name));
    reservation_names_.emplace(reservation.name, id);
    sort_by_node(reservation.nodes);
  }
  reservation_order_.push_back(id);
  const Reservation& stored = reservations_[id.index()] = std::move(reservation);
  post_reservation(stored);
  return id;
}

void Cluster::move_reservation(ReservationId id, Time start, Placement nodes) {
  Reservation& kept = reservations_[id.index()];
  assert(kept.kind == ReservationKind::job);
  const bool elsewhere = kept.nodes != nodes;
  if (!elsewhere && kept.start == start) return;
  const auto after = runs_of(nodes);
  if (elsewhere) {  // most nodes stay
    const auto before = runs_of(kept.nodes);
    take_down(kept, without(before, after).runs());
    put_up(kept, without(after, before).runs());
    kept.nodes = std::move(nodes);
  }
  for (const NodeRun run : after.runs()) make_room(run);
  kept.start = start;
  kept.end = start + limit_on(request_of(kept.job), kept.nodes);
}

void Cluster::change_reservation(ReservationId id, Reservation wanted) {
  Reservation& kept = reservations_[id.index()];
  assert(kept.kind != ReservationKind::job && wanted.kind != ReservationKind::job);
  wanted.id = id;
  wanted.serial = kept.serial;
  if (wanted.name != kept.name) {
    assert(!reservation_names_.contains(wanted.name));
    reservation_names_.erase(kept.name);
    reservation_names_.emplace(wanted.name, id);
  }
  sort_by_node(wanted.nodes);
  unpost_reservation(kept);
  kept = std::move(wanted);
  post_reservation(kept);
  ++releases_;
}

void Cluster::release_reservation(ReservationId id) {
  Reservation& gone = reservations_[id.index()];
  unpost_reservation(gone);
  if (gone.kind == ReservationKind::job) {
    Job& job = jobs_[gone.job.index()];
    job.reservation = ReservationId();
    if (job.waiting()) waiting_[line_of(job)].reserved = false;
  } else {
    reservation_names_.erase(gone.name);
  }
  const auto at = std::lower_bound(reservation_order_.begin(), reservation_order_.end(),
                                   gone.serial, [this](ReservationId other, std::uint64_t serial) {
                                     return reservation(other).serial < serial;
                                   });
  reservation_order_.erase(at);
  gone = Reservation();
  free_reservations_.push_back(id);
  ++releases_;
}

namespace {

// Whatever an administrator requests, a reservation takes no more of a node than it has.
Resources beyond(const Resources& amount, const Node& node) {
  const auto& most = node.configured;
  return Resources(
      std::max(0, amount.procs() - most.procs()), std::max(0, amount.memory() - most.memory()),
      std::max(0, amount.swap() - most.swap()), std::max(0, amount.disk() - most.disk()));
}

}  // namespace

Resources Cluster::reserved_on(const Reservation& reservation, const NodeTasks& share) const {
  if (reservation.kind != ReservationKind::job && reservation.per_task.procs() < 0)
    return node(share.node).configured;
  const Resources& per_task =
      reservation.kind == ReservationKind::job
          ? request_of(reservation.job).requirements[share.requirement].per_task
          : reservation.per_task;
  Resources amount;
  amount.add(per_task, share.tasks);
  if (reservation.kind != ReservationKind::job) amount.add(beyond(amount, node(share.node)), -1);
  return amount;
}

void Cluster::post_reservation(const Reservation& reservation) {
  note_posted(reservation);
  put_up(reservation, runs_of(reservation.nodes).runs());
}

void Cluster::put_up(const Reservation& reservation, std::span<const NodeRun> nodes) {
  for (const NodeRun run : nodes)
    alter(run, [&](NodeRun, Occupancy& occupancy) {
      auto& here = occupancy.reservations;
      // By serial number, hence in order of creation; new reservations belong at the end.
      const auto at = std::find_if(here.rbegin(), here.rend(), [&](ReservationId other) {
                        return this->reservation(other).serial < reservation.serial;
                      }).base();
      here.insert(at, reservation.id);
    });
}

/// Notes that the nodes of the reservation, present or former, have changed.
void Cluster::note_posted(const Reservation& reservation) {
  if (reservation.kind == ReservationKind::job) return;
  ++reservation_changes_;
  for (const Placement::Part& part : reservation.nodes.parts()) changed_nodes_.note(part.nodes);
}

void Cluster::unpost_reservation(const Reservation& reservation) {
  note_posted(reservation);
  take_down(reservation, runs_of(reservation.nodes).runs());
}

void Cluster::take_down(const Reservation& reservation, std::span<const NodeRun> nodes) {
  for (const NodeRun run : nodes) {
    alter(run, [&](NodeRun, Occupancy& here) { std::erase(here.reservations, reservation.id); });
    make_room(run);
  }
}

}  // namespace maui
