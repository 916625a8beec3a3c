#include "engine/reports/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/outside_text.h"
#include "base/sorted.h"
#include "base/text.h"
#include "engine/reports/entitle.h"
#include "maui/initiators.h"

namespace maui {
namespace {

bool given(std::string_view name) { return !name.empty() && name != "[NONE]"; }
bool any_partition(std::string_view name) { return !given(name) || names_all_in_any_case(name); }

template <class IdType>
IdType intern_given(Names<IdType>& table, const std::string& name) {
  return given(name) ? table.intern(name) : IdType();
}

void apply(const NodeSettings& settings, Node& node, ClusterNames& names) {
  if (settings.access) node.policy.access = settings.access;
  if (settings.max_jobs) node.policy.max_jobs = *settings.max_jobs;
  if (settings.max_jobs_per_user) node.policy.max_jobs_per_user = *settings.max_jobs_per_user;
  if (settings.max_load) node.policy.max_load = *settings.max_load;
  if (settings.priority) node.policy.priority = *settings.priority;
  if (settings.speed) node.speed = *settings.speed;
  if (settings.frame) node.frame = *settings.frame;
  if (settings.slot) node.slot = *settings.slot;
  if (settings.proc_speed) node.proc_speed = *settings.proc_speed;
  if (given(settings.partition)) node.partition = names.partitions.intern(settings.partition);
  if (given(settings.type)) node.type = settings.type;
  for (const std::string& word : settings.generic) {
    const auto colon = word.rfind(':');
    node.configured.set(names.consumables.intern(word.substr(0, colon)),
                        parse_integer<int>(word.substr(colon + 1)).value_or(0));
  }
  for (const std::string& feature : settings.features)
    add_sorted(node.features, names.features.intern(feature));
}

/// Returns the part of a feature after the header; empty if the feature has another beginning.
std::string_view behind(std::string_view feature, std::string_view header) {
  const bool digits = header.ends_with('$');
  if (digits) header.remove_suffix(1);
  if (header.empty() || !given(header) || !feature.starts_with(header)) return {};
  feature.remove_prefix(header.size());
  if (digits && !parse_integer<int>(feature)) return {};
  return feature;
}

/// Reads attributes from features, of the resource manager or of NODECFG (guide 12.0); attributes
/// that the resource manager reports directly take precedence.
void read_features(const std::vector<std::string>& features, const NodeReport& report,
                   const NodeParameters& settings, Node& node, ClusterNames& names) {
  bool typed = given(report.node.type), timed = report.node.proc_speed != 0;
  for (const std::string& feature : features) {
    const auto type = behind(feature, settings.type_header);
    if (!type.empty() && !std::exchange(typed, true)) node.type = type;
    const auto partition = behind(feature, settings.partition_header);
    if (!partition.empty() && any_partition(report.partition))
      node.partition = names.partitions.intern(partition);
    const auto speed = parse_integer<int>(behind(feature, settings.speed_header));
    if (speed && *speed >= 0 && !std::exchange(timed, true)) node.proc_speed = *speed;
  }
}

/// Returns the classes of a node whose resource manager reports none.
const std::vector<std::string>& classes_given(const std::string& node, const Settings& settings) {
  for (const std::string& who : {node, std::string("DEFAULT")})
    if (const auto row = settings.nodes.find(who);
        row != settings.nodes.end() && !row->second.classes.empty())
      return row->second.classes;
  return settings.default_classes;
}

/// True if nodes serve a class of that name and no node is in a partition of that name.
bool is_class_alone(std::string_view name, const Cluster& cluster) {
  const ClassId id = cluster.classes.find(name);
  if (!id.valid()) return false;
  const PartitionId partition = cluster.partitions.find(name);
  if (partition.valid() && !cluster.configured(partition).zero()) return false;
  const ConsumableId initiator = cluster.find_initiator(id);
  return initiator.valid() && cluster.configured().get(initiator) > 0;
}

/// Returns the classes of a job whose report has no class, but has partitions that all bear names
/// of classes that nodes serve; else an empty list.
std::vector<std::string> classes_of_mask(const JobReport& report, const Cluster& cluster) {
  std::vector<std::string> classes;
  if (given(report.job_class) || any_partition(report.partition_mask)) return classes;
  for (const auto name : split(report.partition_mask, ':')) {
    if (!is_class_alone(name, cluster)) return {};
    classes.emplace_back(name);
  }
  return classes;
}

/// Takes the partitions that the resource manager reports as the job's classes.
JobReport with_classes(JobReport report, const std::vector<std::string>& classes) {
  report.job_class = classes.front();
  report.partition_mask.clear();
  if (classes.size() == 1 || !report.job.node_set.empty()) return report;
  report.any_class = true;
  report.job.node_set = "ONEOF:CLASS:" + join(classes, ",");
  report.job.node_set_binds = true;
  return report;
}

Credentials credentials_of(const JobReport& report, ClusterNames& names) {
  Credentials who;
  who.user = intern_given(names.users, report.user);
  who.group = intern_given(names.groups, report.group);
  who.account = intern_given(names.accounts, report.account);
  who.job_class = intern_given(names.classes, report.job_class);
  return who;
}

void fill_requirements(const JobReport& report, ClusterNames& names, ClassId job_class,
                       Request& request) {
  for (std::size_t i = 0; i < request.requirements.size(); ++i) {
    Requirement& requirement = request.requirements[i];
    if (i < report.features.size())
      for (const std::string& feature : report.features[i])
        add_sorted(requirement.features, names.features.intern(feature));
    if (i < report.generic.size())
      for (const auto& [name, amount] : report.generic[i])
        if (job_class.valid() || !name.starts_with(kInitiatorPrefix))
          requirement.per_task.set(names.consumables.intern(name), amount);
    if (job_class.valid()) {
      requirement.job_class = job_class;
      const ConsumableId initiator = names.initiator(job_class);
      requirement.per_task.set(initiator, std::max(requirement.per_task.get(initiator), 1));
    }
  }
}

/// Sorted, without duplicates.
template <class Unknown>
std::vector<NodeId> nodes_named(const std::vector<std::string>& hosts, const Cluster& cluster,
                                Unknown unknown) {
  std::vector<NodeId> nodes;
  for (const std::string& host : hosts) {
    if (const NodeId node = cluster.find_node(host); node.valid())
      nodes.push_back(node);
    else
      unknown(host);
  }
  sort_unique(nodes);
  return nodes;
}

/// True if the nodes of the host list have the resources for all tasks.
bool hosts_have_room(const Request& request, const Cluster& cluster) {
  const Requirement& requirement = request.requirements.front();
  std::int64_t room = 0;
  for (const NodeId node : request.host_list)
    room += std::min<std::int64_t>(cluster.node(node).configured.tasks_of(requirement.per_task),
                                   requirement.tasks);
  return room >= requirement.tasks;
}

void hold(Job& job) {
  put(job.own_holds, Hold::batch);
  put(job.holds, Hold::batch);
}

/// An unknown host puts the job on hold until somebody acts (guide 11.1, No Resources).  If the
/// hold is released, the job waits for that host: no node has the feature.
void fill_hosts(const JobReport& report, Cluster& names, Submission& made) {
  bool all_known = true;
  const auto unknown = [&](const std::string& host) {
    if (!std::exchange(all_known, false)) return;
    hold(made.job);
    made.job.hold_reason = HoldReason{
        fmt::format("no resources: unknown host '{}'", shortened(host)), HoldCause::unknown_host};
    add_sorted(made.request.requirements.front().features,
               names.features.intern(fmt::format("host={}", shortened(host))));
  };
  made.request.host_list = nodes_named(report.host_list, names, unknown);
  auto& requirements = made.request.requirements;
  for (std::size_t i = 0; i < std::min(requirements.size(), report.requirement_hosts.size()); ++i) {
    const auto& host = report.requirement_hosts[i];
    if (host.empty()) continue;
    requirements[i].host = names.find_node(host);
    if (!requirements[i].host.valid()) unknown(host);
  }
  made.request.excluded = nodes_named(report.excluded_hosts, names, [](const std::string&) {});
  made.request.host_list_use = report.host_list.empty() ? HostListUse::none : report.host_list_use;
  if (report.only_hosts) {
    const bool enough = !all_known || hosts_have_room(made.request, names);
    requirements.front().nodes = enough ? static_cast<int>(report.host_list.size()) : 0;
  }
}

std::vector<PartitionId> partitions_named(std::string_view text, ClusterNames& names) {
  std::vector<PartitionId> ids;
  if (any_partition(text)) return ids;
  for (const std::string_view name : split(text, ':'))
    if (!any_partition(name)) add_sorted(ids, names.partitions.intern(name));
  return ids;
}

void fill_times(Job& job, Time now) {
  if (job.submitted.raw() <= 0) job.submitted = now;
  // By another clock, or before the clock was set back, a job may have been submitted later.
  if (job.queued.raw() <= 0) job.queued = std::min(job.submitted, now);
  if (job.eligible_since.raw() <= 0) job.eligible_since = now;
}

}  // namespace

Node node_of(const NodeReport& report, const Settings& settings, ClusterNames& names) {
  Node node = report.node;
  node.partition =
      names.partitions.intern(any_partition(report.partition) ? "DEFAULT" : report.partition);
  node.features.clear();
  for (const std::string& feature : report.features)
    add_sorted(node.features, names.features.intern(feature));
  for (const auto& [name, amount] : report.generic)
    node.configured.set(names.consumables.intern(name), amount);
  for (const auto& [name, count] : report.classes)
    node.configured.set(names.initiator(names.classes.intern(name)), count);
  if (report.classes.empty())
    for (const std::string& name : classes_given(node.name, settings))
      node.configured.set(names.initiator(names.classes.intern(name)), node.configured.procs());
  read_features(report.features, report, settings.node, node, names);
  for (const std::string& who : {std::string("DEFAULT"), node.name})
    if (const auto row = settings.nodes.find(who); row != settings.nodes.end()) {
      read_features(row->second.features, report, settings.node, node, names);
      apply(row->second, node, names);
    }
  return node;
}

void less_kept(Request& request, Seconds kept) {
  if (kept > Seconds(0) && request.limit < kUnlimited)
    request.limit = std::max(request.limit - kept, Seconds(1));
}

bool limit_is_unreadable(const JobReport& report) {
  return !report.problem.empty() && report.request.limit <= Seconds(0);
}

HoldReason report_problem(std::string_view what) {
  return {fmt::format("RMFailure: {}", what), HoldCause::unusable_report};
}

HoldReason state_problem(std::string_view what) {
  return {fmt::format("RMFailure: it may run already: {}", what), HoldCause::may_run};
}

Submission job_of(const JobReport& report, const Settings& settings, Cluster& names, Time now,
                  bool classes_in_use) {
  if (const auto classes = classes_of_mask(report, names); !classes.empty()) {
    Submission made = job_of(with_classes(report, classes), settings, names, now, classes_in_use);
    made.mask_of_classes = true;
    return made;
  }
  Submission made{report.job, report.request};
  Job& job = made.job;
  job.name = report.name;
  job.holds_reported = job.holds;
  job.credentials = credentials_of(report, names);
  job.qos_requested = given(report.qos) ? report.qos : "";
  fill_times(job, now);
  Request& request = made.request;
  if (request.limit.raw() <= 0) request.limit = settings.default_wall_time;
  for (auto& [tasks, limit] : job.alternatives)
    if (limit.raw() <= 0) limit = settings.default_wall_time;
  fill_requirements(report, names,
                    classes_in_use && !report.any_class ? job.credentials.job_class : ClassId(),
                    request);
  fill_hosts(report, names, made);
  Requirement& first = request.requirements.front();
  if (!settings.jobs.multi_node && first.nodes == 0) first.nodes = 1;
  if (settings.exact_node && first.nodes == 0) first.nodes = first.least_nodes;
  job.partitions_asked = partitions_named(report.partition, names);
  job.partitions_reported = partitions_named(report.partition_mask, names);
  Entitled entitled = entitle(job, std::move(request), settings, names);
  job.credentials.qos = entitled.qos;
  made.request = std::move(entitled.request);
  if (!entitled.refused.empty()) {
    hold(job);
    if (job.hold_reason->empty()) job.hold_reason = refusal(std::move(entitled.refused));
  }
  if (!report.problem.empty()) {
    hold(job);
    job.hold_reason = report_problem(report.problem);
  }
  job.waits_for = report.waits_for;
  job.state = JobState::idle;
  job.started = kForever;
  return made;
}

}  // namespace maui
