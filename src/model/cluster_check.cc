// Checks the invariants of a cluster in a slow and obvious way.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "maui/cluster.h"
#include "model/keys.h"
#include "model/placement.h"

namespace maui {
namespace {

using Verdict = std::optional<std::string>;

Verdict check_occupants(const Cluster& cluster, const Node& node) {
  const Occupancy& here = cluster.occupancy(node.id);
  Resources free = node.configured;
  free.add(here.withheld, -1);
  for (const Occupant& occupant : here.occupants) {
    const Job& job = cluster.job(occupant.job);
    if (!job.active()) return fmt::format("{}: occupied by {}, not active", node.name, job.name);
    if (occupant.ends != job.ends) return fmt::format("{}: {} ends otherwise", node.name, job.name);
    if (occupant.access != access_on(node.policy.access, cluster.request(job.request).access))
      return fmt::format("{}: {} shares it otherwise", node.name, job.name);
    if (occupant.amount != amount_on(node.id, job.placement, cluster.request(job.request)) &&
        !cluster.held_revised())
      return fmt::format("{}: {} does not hold what its tasks use", node.name, job.name);
    free.add(occupant.amount, -1);
    if (std::count_if(here.occupants.begin(), here.occupants.end(),
                      [&](const Occupant& other) { return other.job == occupant.job; }) != 1)
      return fmt::format("{}: {} stands twice", node.name, job.name);
  }
  if (free != here.free) return fmt::format("{}: free is not configured less held", node.name);
  for (const ReservationId id : here.reservations) {
    const Placement& nodes = cluster.reservation(id).nodes;
    if (std::none_of(nodes.begin(), nodes.end(),
                     [&](const NodeTasks& share) { return share.node == node.id; }))
      return fmt::format("{}: reservation {} is not here", node.name, cluster.reservation(id).name);
  }
  return {};
}

}  // namespace

Verdict Cluster::check() const {
  if (auto wrong = check_nodes()) return wrong;
  if (auto wrong = check_jobs()) return wrong;
  return check_reservations();
}

Verdict Cluster::check_nodes() const {
  std::vector<NodeId> open;
  ClusterCounts counts;
  ResourceTotals all;
  std::set<PartitionId> with_nodes;
  std::vector<int> of_kind(kinds(), 0);
  for (const Node& node : nodes_) {
    const Occupancy& here = occupancy(node.id);
    if (!node.name.empty() && find_node(node.name) != node.id)
      return fmt::format("{}: not found by name", node.name);
    if (auto wrong = check_occupants(*this, node)) return wrong;
    if (here.available != node.available())
      return fmt::format("{}: what its state means is wrong", node.name);
    if (state(node.id) != shown_state(node.reported, here))
      return fmt::format("{}: it shows a state that it is not in", node.name);
    if (here.kind != occupancy(sample_of_kind(here.kind)).kind)
      return fmt::format("{}: the sample of its kind is of another kind", node.name);
    ++of_kind[here.kind];
    if (node.available() && !here.closed && here.free.procs() > 0 && !here.exclusive())
      open.push_back(node.id);
    counts.configured_procs += node.configured.procs();
    if (!node.purged) {
      with_nodes.insert(node.partition);
      ++counts.nodes_reported[static_cast<std::size_t>(node.reported)];
      counts.procs_reported[static_cast<std::size_t>(node.reported)] += node.configured.procs();
    }
    counts.available_procs += node.available() ? node.configured.procs() : 0;
    counts.available_nodes += node.available() ? 1 : 0;
    if (node.available() && !here.closed && !here.exclusive())
      counts.open_procs += std::max(0, here.free.procs());
    counts.occupied_nodes += here.occupants.empty() ? 0 : 1;
    for (const Occupant& occupant : here.occupants) {
      counts.held_procs += occupant.amount.procs();
      if (!node.available()) counts.held_unavailable_procs += occupant.amount.procs();
    }
    all.add(node.configured);
  }
  // Counts of jobs, not of nodes:
  counts.waiting_proc_seconds = counts_.waiting_proc_seconds;
  counts.special_waiting = counts_.special_waiting;
  counts.waiting_for_sets = counts_.waiting_for_sets;
  counts.waiting_particular = counts_.waiting_particular;
  counts.waiting_preemptors = counts_.waiting_preemptors;
  if (counts != counts_) return "the counts of nodes and processors are wrong";
  if (!std::equal(with_nodes.begin(), with_nodes.end(), partitions_with_nodes_.begin(),
                  partitions_with_nodes_.end()))
    return "partitions_with_nodes() does not list the partitions of the nodes";
  for (std::uint32_t kind = 0; kind < kinds(); ++kind)
    if (of_kind[kind] != nodes_of_kind(kind)) return "the nodes of each kind are miscounted";
  if (all != configured()) return "configured() is not the sum over the nodes";
  const auto shown = open_nodes();
  if (!std::equal(open.begin(), open.end(), shown.begin(), shown.end()))
    return "open_nodes() does not list the open nodes";
  return {};
}

Verdict Cluster::check_jobs() const {
  std::size_t idle = 0, busy = 0, stopped = 0;
  std::int64_t queued_work = 0, special = 0, sets = 0, particular = 0, preemptors = 0;
  std::vector<std::uint32_t> uses(requests_.size(), 0);
  for (const JobId id : jobs()) {
    const Job& checked = job(id);
    if (find_job(checked.name) != id) return fmt::format("{}: not found by name", checked.name);
    if (!request_used(checked.request)) return fmt::format("{}: no request", checked.name);
    ++uses[checked.request.index()];
    idle += checked.waiting() ? 1 : 0;
    busy += checked.active() ? 1 : 0;
    stopped += checked.suspended() ? 1 : 0;
    if (!checked.suspension_reason.empty() && (checked.active() || checked.waiting()))
      return fmt::format("{}: a reason for its suspension, but it is not suspended", checked.name);
    if (checked.waiting()) queued_work += backlog_of(request(checked.request));
    for (const NodeTasks& share : checked.placement) {
      const auto& here = occupancy(share.node).occupants;
      const bool there = std::any_of(here.begin(), here.end(),
                                     [&](const Occupant& other) { return other.job == id; });
      if (there != checked.active()) return fmt::format("{}: placed where it is not", checked.name);
    }
  }
  AskedAmounts asked;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    const RequestId id(i);
    if (uses[i] != requests_.users(id)) return "a request counts its users wrongly";
    if (request_used(id)) asked.add(request(id));
  }
  for (const auto what : {kMemory, kSwap, kDisk})
    if (asked.grain(what) != this->asked().grain(what) ||
        asked.compared(what) != this->asked().compared(what))
      return "asked() does not hold the amounts of the requests";
  if (idle != waiting().size()) return "waiting() does not hold the idle jobs";
  if (busy != active().size()) return "active() does not hold the active jobs";
  if (stopped != suspended().size()) return "suspended() does not hold the suspended jobs";
  for (const JobId id : suspended())
    if (!job(id).suspended()) return fmt::format("{}: not suspended", job(id).name);
  std::vector<QueueShare> shares(queue_shares_.size());
  for (const Waiting& line : waiting()) {
    if (line.credentials.index() >= shares.size()) return "a line of the queue is not counted";
    ++shares[line.credentials.index()].jobs;
    shares[line.credentials.index()].held += line.held ? 1 : 0;
    const Job& waiting_job = job(line.job);
    special += line.special ? 1 : 0;
    sets += request(line.request).node_set ? 1 : 0;
    particular += request(line.request).takes_any_procs() ? 0 : 1;
    preemptors += line.preemptor ? 1 : 0;
    if (!waiting_job.waiting() || line.queued != waiting_job.queued ||
        line.arrival != waiting_job.arrival || line.request != waiting_job.request ||
        line.held != (waiting_job.holds != 0) ||
        credentials(line.credentials) != waiting_job.credentials ||
        line.reserved != waiting_job.reservation.valid() ||
        line.preemptor != has(waiting_job.flags, JobFlag::preemptor))
      return fmt::format("{}: its line of the queue is wrong", waiting_job.name);
  }
  for (const Active& row : active())
    if (!job(row.job).active() || row.ends != job(row.job).ends ||
        row.arrival != job(row.job).arrival || row.flags != job(row.job).flags ||
        row.request != job(row.job).request ||
        credentials(row.credentials) != job(row.job).credentials)
      return fmt::format("{}: its line among the active is wrong", job(row.job).name);
  if (!std::is_sorted(waiting().begin(), waiting().end(), [](const Waiting& a, const Waiting& b) {
        return std::tie(a.queued, a.arrival) < std::tie(b.queued, b.arrival);
      }))
    return "waiting() is not in order";
  if (!std::is_sorted(active().begin(), active().end(), [](const Active& a, const Active& b) {
        return std::tie(a.ends, a.arrival) < std::tie(b.ends, b.arrival);
      }))
    return "active() is not in order";
  if (queued_work != counts_.waiting_proc_seconds)
    return "the work of the queue is counted wrongly";
  if (shares != queue_shares_) return "the lines of some credentials are counted wrongly";
  if (special != counts_.special_waiting || sets != counts_.waiting_for_sets ||
      particular != counts_.waiting_particular || preemptors != counts_.waiting_preemptors)
    return "the lines of the queue are counted wrongly";
  return {};
}

Verdict Cluster::check_reservations() const {
  std::size_t of_jobs = 0;
  std::uint64_t serial = 0;
  for (const ReservationId id : reservations()) {
    const Reservation& checked = reservation(id);
    if (checked.id != id || checked.serial < serial)
      return fmt::format("{}: out of order", checked.name);
    serial = checked.serial;
    if (find_reservation(checked.name) != id)
      return fmt::format("{}: not found by name", checked.name);
    for (const NodeTasks& share : checked.nodes) {
      const auto& here = occupancy(share.node).reservations;
      if (std::count(here.begin(), here.end(), id) != 1)
        return fmt::format("{}: not posted on {}", checked.name, node(share.node).name);
    }
    if (checked.kind != ReservationKind::job) continue;
    ++of_jobs;
    if (!job(checked.job).waiting() || job(checked.job).reservation != id)
      return fmt::format("{}: not the reservation of its job", checked.name);
  }
  for (const JobId id : jobs())
    if (job(id).reservation.valid() && of_jobs-- == 0)
      return "a job has a reservation that is gone";
  return {};
}

}  // namespace maui
