// diagnose -j, -q, -p.
#include <fmt/format.h>

#include <algorithm>

#include "base/state_names.h"
#include "base/text.h"
#include "cmd/diagnose.h"
#include "cmd/facts/job_facts.h"
#include "cmd/facts/learning_statistics.h"
#include "cmd/facts/queue_standing.h"
#include "cmd/facts/reply_values.h"
#include "cmd/operands.h"
#include "maui/initiators.h"
#include "sched/placement/feasibility.h"
#include "sched/placement/feasible_requests.h"
#include "sched/placement/lack.h"
#include "sched/priority/priority.h"
#include "sched/priority/priority_weights.h"

namespace maui {
namespace {

JobDiagnosis job_row(const Context& context, const Job& job) {
  const Cluster& cluster = context.cluster();
  const Request& request = cluster.request(job.request);
  const Requirement& first = request.requirements.front();
  const auto initiator =
      job.credentials.job_class.valid()
          ? cluster.consumables.find(initiator_name(cluster.classes[job.credentials.job_class]))
          : ConsumableId();
  JobDiagnosis row;
  row.name = job.name;
  row.state = state_name(job.state);
  row.partition = partition_of(cluster, job);
  row.qos = qos_of(cluster, job);
  row.user = cluster.users[job.credentials.user];
  row.group = cluster.groups[job.credentials.group];
  row.account = cluster.accounts[job.credentials.account];
  row.procs = row.min_procs = request.total_procs();
  for (const auto& [tasks, limit] : job.alternatives)
    row.min_procs =
        std::min<std::int64_t>(row.min_procs, std::int64_t{tasks} * first.per_task.procs());
  row.limit = raw(request.limit);
  row.queue_time = std::max<std::int64_t>((context.now() - job.queued).raw(), 0);
  row.reserved = job.active() || job.reservation.valid();
  row.network = or_none(first.network);
  row.opsys = or_none(first.operating_system);
  row.arch = or_none(first.architecture);
  row.memory = floor_of(first.memory);
  row.disk = floor_of(first.disk);
  row.node_procs = bound_of(first.procs);
  row.job_class = cluster.classes[job.credentials.job_class];
  row.initiators = initiator.valid() ? first.per_task.get(initiator) : 0;
  row.features = feature_names(cluster, first.features);
  return row;
}

std::string after_colon(const std::string& reason) { return reason.empty() ? "" : ": " + reason; }

/// Warns of a waiting job that can never run, or whose starts have failed.
void warn_of_waiting(const Context& context, const Job& job, std::vector<std::string>& warnings) {
  const Cluster& cluster = context.cluster();
  if (!context.engine.feasible_requests().serves(cluster, job))
    warnings.push_back(fmt::format("job '{}' can never run here: {}", job.name,
                                   lack_of(cluster, cluster.request(job.request))));
  else if (job.failures.starts > 0)
    warnings.push_back(fmt::format("job '{}' could not be started {}{}", job.name,
                                   counted(job.failures.starts, "time"),
                                   after_colon(job.hold_reason->text)));
  else if (job.failures.deferrals > 0)
    warnings.push_back(
        fmt::format("job '{}' {}{}", job.name,
                    has(job.holds, Hold::batch) ? "is held after deferrals" : "was deferred",
                    after_colon(job.hold_reason->text)));
}

void warn(const Context& context, const Job& job, std::vector<std::string>& warnings) {
  const Cluster& cluster = context.cluster();
  if (job.waiting()) warn_of_waiting(context, job, warnings);
  if (!job.active()) return;
  if (job.state != JobState::starting && cluster.limit_end(job) < context.now())
    warnings.push_back(fmt::format("active job '{}' has passed its wallclock limit", job.name));
  for (const NodeTasks& part : job.placement)
    if (const Node& node = cluster.node(part.node);
        !node.available() && node.reported == NodeState::down) {
      warnings.push_back(fmt::format("active job '{}' has node '{}' allocated, which is Down",
                                     job.name, node.name));
      break;
    }
}

/// Returns the job that an optional id names, or all jobs.
Result<std::vector<JobId>> jobs_asked(const Context& context, std::string_view flag) {
  const std::string name = context.value(flag);
  if (name.empty()) return context.cluster().jobs();
  const auto id = job_named(context, name);
  if (!id) return id.error();
  return std::vector<JobId>{*id};
}

/// Returns the components that have a weight for some job, with their general weights.
std::vector<PriorityComponent> weighty(const Settings& settings,
                                       std::vector<std::size_t>& shown_components,
                                       std::vector<std::size_t>& shown_subcomponents) {
  const PrioritySettings& weights = settings.priority;
  std::vector<PriorityComponent> shown;
  for (const ComponentInfo& component : components()) {
    PriorityComponent row{std::string(component.label), (weights.*component.weighting).weight, {}};
    std::vector<std::size_t> indexes;
    for (const SubcomponentInfo& sub : subcomponents()) {
      const double weight = (weights.*sub.weighting).weight;
      if (sub.component != component.component || !counts(settings, sub)) continue;
      row.subcomponents.push_back({std::string(sub.label), weight});
      indexes.push_back(index_of(sub.subcomponent));
    }
    if (row.subcomponents.empty()) continue;
    shown.push_back(std::move(row));
    shown_components.push_back(index_of(component.component));
    shown_subcomponents.insert(shown_subcomponents.end(), indexes.begin(), indexes.end());
  }
  return shown;
}

}  // namespace

Answer diagnose_jobs(const Context& context) {
  const auto ids = jobs_asked(context, "j");
  if (!ids) return ids.error();
  const Cluster& cluster = context.cluster();
  JobsDiagnosisReply reply;
  reply.verbose = context.has("v");
  reply.all = context.value("j").empty();
  reply.active_jobs = static_cast<std::int64_t>(cluster.active().size());
  if (reply.verbose && reply.all)
    for (const Active& line : cluster.active())
      reply.active_queue.push_back(cluster.job(line.job).name);
  for (const JobId id : *ids) {
    reply.jobs.push_back(job_row(context, cluster.job(id)));
    std::vector<std::string>& warnings = reply.jobs.back().warnings;
    warn(context, cluster.job(id), warnings);
    reply.warnings.insert(reply.warnings.end(), warnings.begin(), warnings.end());
  }
  if (reply.all) reply.general_warnings = interval_warnings(context);
  return Reply(std::move(reply));
}

Answer diagnose_queue(const Context& context) {
  const auto level = policy_level(context);
  if (!level) return level.error();
  const auto asked = jobs_asked(context, "q");
  if (!asked) return asked.error();
  const Cluster& cluster = context.cluster();
  BlockedJobsReply reply{*level, "ALL", {}};
  for (auto& [id, reason] : blocked_with_reasons(context, strictness_of(*level))) {
    const Job& job = cluster.job(id);
    if (!context.value("q").empty() && id != asked->front()) continue;
    reply.jobs.push_back({job.name, cluster.users[job.credentials.user], std::move(reason)});
  }
  return Reply(std::move(reply));
}

Answer diagnose_priority(const Context& context) {
  const auto partition = partition_named(context, context.value("t"));
  if (!partition) return partition.error();
  std::optional<JobId> only;
  if (const std::string name = context.value("p"); !name.empty()) {
    const auto id = job_named(context, name);
    if (!id) return id.error();
    only = *id;
  }
  const Cluster& cluster = context.cluster();
  std::vector<std::size_t> parts, subs;
  PriorityReply reply;
  reply.partition = partition->valid() ? cluster.partitions[*partition] : "ALL";
  reply.components = weighty(context.settings(), parts, subs);
  std::vector<JobId> ids;
  const auto add = [&](JobId id) {
    if (uses_partition(cluster, cluster.job(id), *partition)) ids.push_back(id);
  };
  if (only)  // whatever its state
    add(*only);
  else
    for (const auto& ranked : eligible_jobs(context)) add(ranked.job);
  const auto ranks = breakdowns_of(cluster, context.settings(), context.now(), ids);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    PriorityJob row{cluster.job(ids[i]).name, ranks[i].priority, ranks[i].system_priority, {}, {}};
    for (const auto part : parts) row.contributions.push_back(ranks[i].contribution[part]);
    for (const auto sub : subs) row.weighted.push_back(ranks[i].weighted[sub]);
    reply.jobs.push_back(std::move(row));
  }
  return Reply(std::move(reply));
}

}  // namespace maui
