// showres: what is reserved, by reservation or by node.
#include <algorithm>
#include <map>
#include <set>

#include "base/duration.h"
#include "base/state_names.h"
#include "cmd/access.h"
#include "cmd/facts/node_facts.h"
#include "cmd/facts/reply_values.h"
#include "cmd/facts/reservation_facts.h"
#include "model/placement.h"

namespace maui {
namespace {

/// A reservation as showres sees it: an active job's stands in the job itself.
struct Seen {
  ReservationRow row;
  Placement nodes;
};

Seen of_job(const Cluster& cluster, const Job& job) {
  return {{job.name, "Job", std::string(state_name(job.state)), raw(job.started), raw(job.ends),
           static_cast<std::int64_t>(node_count(job.placement)),
           cluster.request(job.request).total_procs()},
          job.placement};
}

/// Returns the type by the access list (guide G, showres): the first of these kinds that it names.
std::string_view type_of(const Reservation& r) {
  constexpr std::pair<AccessKind, std::string_view> kTypes[] = {
      {AccessKind::user, "User"}, {AccessKind::group, "Group"}, {AccessKind::account, "Account"}};
  if (r.kind == ReservationKind::job) return "Job";
  for (const auto& [kind, type] : kTypes)
    for (const AccessCriterion& one : r.access.criteria)
      if (one.kind == kind) return type;
  return r.access.criteria.empty() ? "System" : "User";
}

Seen of_reservation(const Cluster& cluster, const Reservation& r) {
  const bool job = r.kind == ReservationKind::job;
  return {{r.name, std::string(type_of(r)),
           job ? std::string(state_name(cluster.job(r.job).state)) : std::string(), raw(r.start),
           raw(r.end), static_cast<std::int64_t>(node_count(r.nodes)), procs_of(cluster, r)},
          r.nodes};
}

/// Ordinary users see reservations of jobs, and those that they own or may use.
bool may_see(const Context& context, const Reservation& r) {
  if (is_admin(context, 3) || r.kind == ReservationKind::job) return true;
  if (context.settings().reservation_control == ReservationControl::any) return true;
  const UserId user = context.cluster().users.find(context.request.user);
  return owns(context, r) || (user.valid() && r.access.admits({user, {}, {}, {}, {}}));
}

/// Those of jobs by name, then standing ones, then the others in order of creation.
std::vector<Seen> all_seen(const Context& context) {
  const Cluster& cluster = context.cluster();
  std::vector<Seen> jobs;
  std::vector<std::pair<std::size_t, Seen>> others;
  const ListedOrder order(context.settings());
  for (const Active& line : cluster.active())
    jobs.push_back(of_job(cluster, cluster.job(line.job)));
  for (const ReservationId id : cluster.reservations()) {
    const Reservation& r = cluster.reservation(id);
    if (r.kind == ReservationKind::job)
      jobs.push_back(of_reservation(cluster, r));
    else if (may_see(context, r))
      others.emplace_back(order.place(r), of_reservation(cluster, r));
  }
  std::sort(jobs.begin(), jobs.end(),
            [](const Seen& a, const Seen& b) { return a.row.name < b.row.name; });
  std::stable_sort(others.begin(), others.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [place, seen] : others) jobs.push_back(std::move(seen));
  return jobs;
}

bool overlap(const ReservationRow& a, const ReservationRow& b) {
  return (b.end == -1 || a.start < b.end) && (a.end == -1 || b.start < a.end);
}

/// The part of `seen` that a question about RES is about: itself, those that overlap it (-o), or
/// for -n -v everything on its nodes.
Result<std::vector<Seen>> asked(const Context& context, std::vector<Seen> seen) {
  if (context.request.operands.empty()) {
    if (context.has("o")) return Error{"showres: -o needs the name of a reservation"};
    return seen;
  }
  const std::string& name = context.request.operands.front();
  const auto at =
      std::find_if(seen.begin(), seen.end(), [&](const Seen& one) { return one.row.name == name; });
  if (at == seen.end()) return Error{"cannot locate reservation '" + name + "'"};
  const Seen chosen = *at;
  std::erase_if(seen, [&](const Seen& one) {
    if (one.row.name == name) return false;
    return !context.has("o") || !overlap(one.row, chosen.row);
  });
  return seen;
}

/// Requirements of one reservation on one node are one share.
void add_share(std::vector<ReservedShare>& shares, const Seen& one, const NodeTasks& part) {
  if (!shares.empty() && shares.back().reservation == one.row.name)
    shares.back().tasks += part.tasks;
  else
    shares.push_back(
        {one.row.name, one.row.type, one.row.job_state, part.tasks, one.row.start, one.row.end});
}

std::vector<ReservedNode> by_node(const Context& context, const std::vector<Seen>& seen,
                                  const std::vector<Seen>& shown_on) {
  std::map<NodeId, std::vector<ReservedShare>> nodes;
  for (const Seen& one : shown_on)
    for (const NodeTasks& part : one.nodes) nodes[part.node];
  for (const Seen& one : seen)
    for (const NodeTasks& part : one.nodes) {
      const auto node = nodes.find(part.node);
      if (node == nodes.end()) continue;
      add_share(node->second, one, part);
    }
  std::vector<ReservedNode> all;
  for (auto& [id, shares] : nodes)
    all.push_back({context.cluster().node(id).name, std::move(shares)});
  return all;
}

std::vector<ReservationSummary> summary_of(const std::vector<Seen>& seen, std::int64_t now) {
  std::vector<ReservationSummary> rows;
  for (const char* type : {"Job", "User", "Group", "Account", "System"}) {
    ReservationSummary row{type, 0, 0, 0, 0};
    std::set<NodeId> nodes;
    for (const Seen& one : seen) {
      if (one.row.type != type) continue;
      ++row.reservations;
      if (one.row.start > now) continue;
      ++row.active;
      row.procs += one.row.procs;
      for (const NodeTasks& part : one.nodes) nodes.insert(part.node);
    }
    row.nodes = static_cast<std::int64_t>(nodes.size());
    rows.push_back(std::move(row));
  }
  return rows;
}

/// --gantt: every node, or with RES those that it is on; whatever holds them until the end of the
/// chart.
Answer chart(const Context& context, const std::vector<Seen>& everything,
             const std::vector<Seen>& chosen) {
  const std::string asked = context.request.value("d", "24:00:00");
  const auto length = parse_duration(asked);
  if (!length || *length <= Seconds(0) || *length == kUnlimited)
    return Error{"showres: -d: expected how long the chart shall be, as [[[DD:]HH:]MM:]SS, not '" +
                 asked + "'"};
  const Cluster& cluster = context.cluster();
  ReservationChartReply reply{raw(context.now()), raw(context.now() + *length), {}, {}};
  std::set<NodeId> shown;
  for (const Seen& one : chosen)
    for (const NodeTasks& part : one.nodes) shown.insert(part.node);
  std::map<NodeId, std::size_t> places;
  for (const Node& node : listed_nodes(cluster)) {
    if (!context.request.operands.empty() && !shown.contains(node.id)) continue;
    places[node.id] = reply.nodes.size();
    reply.nodes.push_back({node.name, std::string(state_name(cluster.state(node.id))), {}});
  }
  for (const Seen& one : everything) {
    if (one.row.start >= reply.until) continue;
    bool stands = false;
    for (const NodeTasks& part : one.nodes) {
      const auto place = places.find(part.node);
      if (place == places.end()) continue;
      stands = true;
      add_share(reply.nodes[place->second].shares, one, part);
    }
    if (stands) reply.reservations.push_back(one.row);
  }
  return Reply(std::move(reply));
}

}  // namespace

Answer showres(const Context& context) {
  const std::vector<Seen> everything = all_seen(context);
  const auto chosen = asked(context, everything);
  if (!chosen) return chosen.error();
  if (context.has("gantt")) return chart(context, everything, *chosen);
  if (context.has("d")) return Error{"showres: -d is for --gantt"};
  const std::int64_t now = context.now().raw();
  if (context.has("n")) {
    if (context.has("s")) return Error{"showres: either -n or -s, not both"};
    ReservedNodesReply reply{now, context.has("v"), context.has("g"), {}, context.has("r")};
    reply.nodes = by_node(context, reply.verbose ? everything : *chosen, *chosen);
    return Reply(std::move(reply));
  }
  ReservationsReply reply{now, context.has("v"), {}, context.has("r")};
  for (const Seen& one : *chosen) reply.reservations.push_back(one.row);
  if (context.has("s")) reply.summary = summary_of(*chosen, now);
  return Reply(std::move(reply));
}

}  // namespace maui
