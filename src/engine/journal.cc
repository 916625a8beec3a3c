#include "engine/journal.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

#include "base/date.h"
#include "base/state_names.h"
#include "base/text.h"
#include "engine/knowledge.h"
#include "model/placement.h"
#include "sched/priority/eligibility.h"
#include "sched/query/reason_words.h"
#include "sched/selection.h"

namespace maui {
namespace {

bool in_use(NodeState state) { return state != NodeState::down && state != NodeState::unknown; }

/// Returns the nodes of a placement with the tasks on each: "n1:2 n2:2".
std::string tasks_by_node(const Cluster& cluster, const Placement& placement) {
  std::string text;
  for (const NodeTasks& share : placement)
    text +=
        fmt::format("{}{}:{}", text.empty() ? "" : " ", cluster.node(share.node).name, share.tasks);
  return text;
}

/// Returns, by job, the limit that blocks it.
std::unordered_map<JobId, Violation> limits_passed(const Cluster& cluster, const Settings& settings,
                                                   Time now) {
  std::vector<Throttling::Blocked> limited;
  FeasibleRequests feasible;
  considered(cluster, settings, now, Strictness::soft, feasible, &limited);
  std::unordered_map<JobId, Violation> limits;
  for (const auto& blocked : limited) limits.emplace(blocked.job, blocked.why);
  return limits;
}

}  // namespace

const std::string& Journal::user_of(JobId job) const {
  return known_.cluster.users[known_.cluster.job(job).credentials.user];
}

std::string_view Journal::party_of(const Reservation& reservation) const {
  if (reservation.kind == ReservationKind::job) return user_of(reservation.job);
  const std::string_view maker = user_who_made(reservation);
  if (is_nameless(maker)) return "users without a name";
  return maker.empty() ? kReservations : maker;
}

void Journal::step(std::string_view what) const {
  log(9, "fCORE", [&] { return fmt::format("iteration {}: {}", known_.iteration + 1, what); });
}

void Journal::update(std::string_view manager, const Update& update) const {
  log(6, "fRM", [&] {
    return fmt::format("resource manager '{}' reports {}, {}, {}, {} and {}", manager,
                       counted(update.nodes.size(), "node"),
                       counted(update.arrived.size() + update.more.count, "new job"),
                       counted(update.statuses.size(), "job state"),
                       counted(update.changed.size(), "changed job"),
                       counted(update.ended.size() + update.past.size(), "ended job"));
  });
}

bool Journal::node_state(NodeId id, NodeState before) const {
  const Node& node = known_.cluster.node(id);
  const NodeState after = node.reported;
  if (before == after) return false;
  const auto text = [&] {
    return fmt::format("node '{}' {}: it is {} and was {}", node.name,
                       in_use(after) ? "is up again" : "went down", state_name(after),
                       state_name(before));
  };
  if (in_use(before) && !in_use(after)) {
    log_report(node.resource_manager, 1, "fRM", [&] { return "WARNING: " + text(); });
    notify(EventType::node_down, [&] { return std::vector{text()}; });
    return true;
  }
  if (in_use(after) && !in_use(before)) {
    log_report(node.resource_manager, 1, "fRM", text);
    notify(EventType::node_up, [&] { return std::vector{text()}; });
  } else {
    log_report(node.resource_manager, node.available() ? 6 : 2, "fRM", [&] {
      return fmt::format("node '{}' is {} and was {}", node.name, state_name(after),
                         state_name(before));
    });
  }
  return false;
}

void Journal::node(NodeId id) const {
  const Cluster& cluster = known_.cluster;
  log(8, "fSTRUCT", [&] {
    const Node& node = cluster.node(id);
    return fmt::format(
        "node '{}' in partition {}: {}, {}, {} MB of memory, {} MB of swap, {} MB of disk, "
        "load {:.2f}",
        node.name, cluster.partitions[node.partition], state_name(node.reported),
        counted(node.configured.procs(), "proc"), node.configured.memory(), node.configured.swap(),
        node.configured.disk(), node.load);
  });
}

void Journal::job(JobId id) const {
  const Cluster& cluster = known_.cluster;
  log(8, "fSTRUCT", [&] {
    const Job& job = cluster.job(id);
    const Request& request = cluster.request_of(id);
    const Credentials& who = job.credentials;
    return fmt::format(
        "job '{}' of resource manager '{}': user {}, group {}, account {}, class {}, QOS {}, "
        "{}, {}, submitted {}",
        job.name, job.resource_manager, cluster.users[who.user], cluster.groups[who.group],
        cluster.accounts[who.account], cluster.classes[who.job_class], cluster.qos[who.qos],
        counted(request.total_tasks(), "task"), counted(request.limit.raw(), "second"),
        format_date(job.submitted, true));
  });
}

void Journal::placement(std::string_view what, std::string_view name,
                        const Placement& nodes) const {
  log(8, "fSTRUCT", [&] {
    return fmt::format("{} '{}' is on {}", what, name, tasks_by_node(known_.cluster, nodes));
  });
}

void Journal::priorities() const {
  const Plan& plan = known_.plan;
  if (!observer_.wants(6)) return;
  for (std::size_t rank = 0; rank < plan.order.size(); ++rank)
    log(6, "fSCHED", [&] {
      const Plan::Ranked& ranked = plan.order[rank];
      return fmt::format("job '{}' has priority {}, which is rank {} of {}",
                         known_.cluster.job(ranked.job).name, ranked.priority, rank + 1,
                         plan.order.size());
    });
}

void Journal::rejections(Time now) const {
  const Cluster& cluster = known_.cluster;
  const Settings& settings = known_.settings;
  const Plan& plan = known_.plan;
  if (!observer_.wants(5) || cluster.waiting().empty()) return;
  std::unordered_map<JobId, Reason> reasons;
  for (std::size_t i = 0; i < plan.order.size() && i < plan.reasons.size(); ++i)
    reasons.emplace(plan.order[i].job, plan.reasons[i]);
  const auto limits = limits_passed(cluster, settings, now);
  const Eligibility eligibility(cluster, settings, now);
  for (const Waiting& line : cluster.waiting()) {
    const Job& job = cluster.job(line.job);
    const auto reason = reasons.find(line.job);
    if (reason != reasons.end() && reason->second == Reason::none) continue;  // the plan starts it
    const auto limit = limits.find(line.job);
    const bool by_limit = reason == reasons.end() || reason->second == Reason::policy;
    log(5, "fSCHED", [&] {
      const std::string why = by_limit && limit != limits.end() ? describe(cluster, limit->second)
                              : reason == reasons.end()
                                  ? blocked_reason(eligibility, cluster, settings, job)
                                  : detailed_reason(eligibility, cluster, job, reason->second);
      return fmt::format("job '{}' rejected ({})", job.name, why);
    });
  }
}

void Journal::outcome() const {
  const Cluster& cluster = known_.cluster;
  const Plan& plan = known_.plan;
  log_of(LineCause::report, kIterations, 4, "fSCHED", [&] {
    const auto queued = cluster.waiting().size() + plan.starts, active = cluster.active().size();
    return fmt::format(
        "iteration {} is done: {} started and {} reserved, {} of {} {} eligible, {} {} active",
        known_.iteration, counted(plan.starts, "job"), plan.reserves, plan.order.size(),
        counted(queued, "waiting job"), by_number(queued, "was", "were"), counted(active, "job"),
        by_number(active, "is", "are"));
  });
}

void Journal::lost_nodes(const std::vector<NodeId>& nodes) const {
  const Cluster& cluster = known_.cluster;
  if (nodes.empty()) return;
  const std::string& manager = cluster.node(nodes.front()).resource_manager;
  std::map<ReservationId, std::string> reservations;
  std::map<JobId, std::string> jobs;
  for (const NodeId node : nodes) {
    const Occupancy& here = cluster.occupancy(node);
    for (const ReservationId id : here.reservations)
      reservations[id] += " " + cluster.node(node).name;
    for (const Occupant& occupant : here.occupants)
      if (cluster.job(occupant.job).active()) jobs[occupant.job] += " " + cluster.node(node).name;
  }
  const auto alert = [&](EventType type, std::string_view party, std::string_view what,
                         const std::string& name, const std::string& theirs) {
    const auto text = [&] {
      return fmt::format("{} '{}' has nodes that went down:{}", what, name, theirs);
    };
    log_report(manager, 1, "fRM", [&] { return "ALERT: " + text(); });
    notify_of(party, type, [&] { return std::vector{text()}; });
  };
  for (const auto& [id, theirs] : reservations)
    alert(EventType::reservation_corruption, party_of(cluster.reservation(id)), "reservation",
          cluster.reservation(id).name, theirs);
  for (const auto& [id, theirs] : jobs)
    alert(EventType::job_corruption, user_of(id), "job", cluster.job(id).name, theirs);
}

}  // namespace maui
