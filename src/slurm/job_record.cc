#include "slurm/job_record.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>

#include "base/host_range.h"
#include "base/text.h"
#include "slurm/arrays.h"
#include "slurm/dependency.h"
#include "slurm/features.h"
#include "slurm/gres.h"
#include "slurm/start_note.h"

namespace maui::slurm {
namespace {

constexpr Seconds kNoLimit{365 * 86400};
// Slurm lets a job that comes back wait for two minutes; a start by maui does not.
constexpr Seconds kRequeueDelay{130};
// What slurmdbd makes and gives to those who ask for none.
constexpr std::string_view kNoQos = "normal";

int ceiling(std::int64_t amount, int parts) {
  const auto each = (amount + parts - 1) / parts;
  return static_cast<int>(std::min<std::int64_t>(each, std::numeric_limits<int>::max()));
}

std::vector<std::string> names_in(const std::string& hosts) {
  std::vector<std::string> names;
  for (const auto& item : split_hosts(hosts))
    if (auto expanded = expand_hosts(item); expanded)
      names.insert(names.end(), expanded->begin(), expanded->end());
  return names;
}

/// What holds for all jobs of one answer.
struct Surroundings {
  Surroundings(const Cluster& cluster_, Time now_)
      : cluster(cluster_), jobs(cluster_.jobs), now(now_) {
    for (const Node& node : cluster.nodes) largest = std::max(largest, node.cpus);
    for (const License& license : cluster.licenses) free_licenses[license.name] = license.available;
    for (const Job& job : cluster.jobs)  // these have them soon
      if (job.pending() && job.priority != 0)
        for (const auto& [name, count] : licenses(job.licenses)) free_licenses[name] -= count;
  }

  const Cluster& cluster;
  JobIndex jobs;
  Time now;
  int largest = 1;
  std::map<std::string, int> free_licenses;
};

std::string license_obstacle(const Job& job, const Surroundings& all) {
  for (const auto& [name, count] : licenses(job.licenses)) {
    const auto at = all.free_licenses.find(name);
    const int free = at == all.free_licenses.end() ? 0 : std::max(0, at->second);
    if (free < count)
      return fmt::format("it waits for {} licences '{}', of which {} are free", count, name, free);
  }
  return {};
}

std::string plain_obstacle(const Job& job, const Cluster& cluster) {
  if (job.het_job != 0) return "it is part of a job of several components";
  if (!job.reservation.empty())
    return fmt::format("it asks for Slurm's own reservation '{}'", job.reservation);
  if (job.completing) return "its last run is not yet cleared away";
  const auto wish = read_features(job.features, cluster.nodes);
  return wish ? std::string() : wish.error().what;
}

std::string obstacle_among(const Job& job, const Surroundings& all) {
  if (auto plain = plain_obstacle(job, all.cluster); !plain.empty()) return plain;
  switch (fulfilment(job, all.jobs, all.now)) {
    case Fulfilment::open:
      return fmt::format("it waits for {}", job.dependency);
    case Fulfilment::never:
      return fmt::format("its dependency {} can never be met", job.dependency);
    case Fulfilment::met:
      break;
  }
  return license_obstacle(job, all);
}

std::string hold_message(std::uint32_t holds) {
  return (holds & kAdminHold) != 0 ? "it is held by an administrator in Slurm"
                                   : "it is held by its user in Slurm";
}

constexpr const char* kArrayIsFull = "as many tasks of its array run as may";

// `late`: so many other tasks of its array may start that this one may not.
void tell_state(const Job& job, bool late, const Surroundings& all, WikiJob& told) {
  using enum JobState;
  switch (job.state) {
    case pending:
      told.state = WikiState::idle;
      if (job.priority != 0 && !job.completing) {
        const auto note = read_note(job.admin_comment);
        const bool ours = note && note->started;
        told.state = ours ? WikiState::starting : WikiState::hold;
        if (!ours) told.message = "Slurm may start it itself";
      } else if (job.holds != 0) {
        told.message = hold_message(job.holds);
      } else {
        told.message = late ? kArrayIsFull : obstacle_among(job, all);
      }
      if (!told.message.empty()) told.state = WikiState::hold;
      return;
    case running:
      told.state = WikiState::running;
      return;
    case suspended:
      told.state = WikiState::suspended;
      return;
    case complete:
    case failed:
    case out_of_memory:
      told.state = WikiState::completed;
      return;
    case cancelled:
    case timeout:
    case node_fail:
    case preempted:
    case boot_fail:
    case deadline:
      told.state = WikiState::removed;
      return;
  }
}

int exit_code(const Job& job) {
  if (WIFSIGNALED(job.exit_status)) return 128 + WTERMSIG(job.exit_status);
  const int code = WEXITSTATUS(job.exit_status);
  return code == 0 && job.state != JobState::complete ? 1 : code;
}

Seconds limit_of(const Job& job, const Surroundings& all) {
  auto minutes = job.limit;
  if (!minutes && !job.unlimited)
    for (const Partition& partition : all.cluster.partitions)
      if (partition.name == job.partition)
        minutes = partition.default_limit ? partition.default_limit : partition.most;
  return minutes ? Seconds(std::int64_t{*minutes} * 60) : kNoLimit;
}

void tell_times(const Job& job, const Surroundings& all, WikiJob& told) {
  auto& times = told.report.job;
  times.submitted = job.submitted;
  const bool delayed_by_requeue = job.restarts > 0 && job.eligible <= all.now + kRequeueDelay;
  if (job.pending() && job.eligible > all.now && !delayed_by_requeue)
    times.earliest_start = job.eligible;
  if (!job.nodes.empty() && !job.pending()) times.started = job.started;
  if (job.over()) times.ended = job.ended;
  if (job.active() && job.suspension_changed > Time(0)) {
    const Time until = job.state == JobState::suspended ? all.now : job.suspension_changed;
    times.suspended_time = std::max(Seconds(0), until - job.started - job.run_before_suspension);
  }
}

// CPUs tell the tasks where they come out even; else they are spread as evenly as they go.
std::vector<std::string> task_list(const Job& job, const Shape& shape,
                                   const std::vector<std::string>& nodes) {
  std::vector<int> tasks;
  int sum = 0;
  for (const int cpus : job.cpus_on_nodes) sum += tasks.emplace_back(cpus / shape.procs);
  const auto count = static_cast<int>(nodes.size());
  if (sum != shape.tasks || tasks.size() != nodes.size()) {
    tasks.assign(nodes.size(), 0);
    for (int i = 0; i < std::max(count, shape.tasks); ++i)
      if (count > 0) ++tasks[static_cast<std::size_t>(i % count)];
  }
  std::vector<std::string> list;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    list.insert(list.end(), static_cast<std::size_t>(tasks[i]), nodes[i]);
  return list;
}

void tell_resources(const Job& job, const Shape& shape, WikiJob& told) {
  Requirement& need = told.report.request.requirements.front();
  need.tasks = shape.tasks;
  need.tasks_per_node = shape.tasks_per_node;
  told.most_nodes = shape.most_nodes;
  const int together = std::max(1, shape.tasks_per_node);
  const auto memory =
      job.memory_per_cpu ? ceiling(job.memory * shape.procs, 1) : ceiling(job.memory, together);
  need.per_task = Resources(shape.procs, memory);
  if (job.disk > 0) need.disk = {Comparison::at_least, ceiling(job.disk, 1)};
  Counted each = generic_resources(job.tres_per_task);
  for (const auto& [name, count] : generic_resources(job.tres_per_node))
    each.emplace_back(name, ceiling(count, together));
  for (const auto& [name, count] : generic_resources(job.tres_per_job))
    each.emplace_back(name, ceiling(count, shape.tasks));
  told.report.generic.front() = std::move(each);
  put(told.report.job.flags, JobFlag::dedicated, job.exclusive);
  put(told.report.job.flags, JobFlag::restartable, job.requeue);
}

// Which nodes will do: those that the job names, and, where features and exclusions leave some out,
// the others.
void tell_hosts(const Job& job, const Surroundings& all, WikiJob& told) {
  const auto wish = read_features(job.features, all.cluster.nodes);
  if (!wish) return;
  told.report.features = {wish->all};
  if (!wish->same.empty())
    told.report.job.comment +=
        fmt::format("{}NODESET:ONEOF:FEATURE:{}", told.report.job.comment.empty() ? "" : ";",
                    join(wish->same, ":"));
  if (const auto required = names_in(job.required_nodes); !required.empty()) {
    told.report.host_list = required;
    told.host_mark = "*";
    return;
  }
  const auto excluded = names_in(job.excluded_nodes);
  if (excluded.empty() && !wish->has_alternatives) return;
  const auto among = [](const auto& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const Node& node : all.cluster.nodes)
    if (!among(excluded, node.name) &&
        (!wish->has_alternatives || among(wish->alternatives, node.name)))
      told.report.host_list.push_back(node.name);
  told.host_mark = "^";
}

WikiJob tell(const Job& raw, bool late, const Surroundings& all) {
  const Job job = as_asked(raw);
  const Shape shape = shape_of(job, all.largest);
  WikiJob told;
  auto& report = told.report;
  report.name = job_name(job);
  report.user = job.user;
  report.group = job.group;
  report.account = job.account;
  if (job.qos != kNoQos) report.qos = job.qos;
  report.job_class = job.partition.substr(0, job.partition.find(','));
  report.request.limit = limit_of(job, all);
  report.job.executable = job.command;
  report.job.comment = job.comment;
  tell_state(job, late, all, told);
  tell_times(job, all, told);
  tell_resources(job, shape, told);
  if (job.pending()) tell_hosts(job, all, told);
  if (told.state == WikiState::starting)
    told.task_list = task_list(job, shape, names_in(raw.required_nodes));
  else if (!job.pending())
    told.task_list = task_list(job, shape, names_in(job.nodes));
  if (job.over()) told.exit_code = exit_code(job);
  return told;
}

}  // namespace

Shape shape_of(const Job& job, int largest) {
  Shape shape;
  shape.tasks = std::max(1, job.tasks);
  shape.procs = std::max(1, job.cpus_per_task);
  if (!job.exclusive) shape.procs = std::max(shape.procs, ceiling(job.cpus, shape.tasks));
  const auto spread_evenly = [&](int nodes) {
    if (nodes > 0 && shape.tasks % nodes == 0)
      shape.tasks_per_node = shape.tasks / nodes;
    else
      shape.most_nodes = nodes;
  };
  const bool tied = (job.memory > 0 && !job.memory_per_cpu) || !job.tres_per_node.empty();
  if (job.tasks_per_node > 0 && shape.tasks <= job.tasks_per_node)
    shape.tasks_per_node = shape.tasks;
  else if (job.tasks_per_node > 0)
    spread_evenly(ceiling(shape.tasks, job.tasks_per_node));
  else if (job.max_nodes > 0 && job.min_nodes == job.max_nodes)
    spread_evenly(job.max_nodes);
  else if (tied && shape.tasks * shape.procs <= largest)
    shape.tasks_per_node = shape.tasks;
  else
    shape.most_nodes = job.max_nodes;
  return shape;
}

std::vector<WikiJob> told_jobs(const Cluster& cluster, Time now) {
  const Surroundings all(cluster, now);
  std::vector<WikiJob> told;
  told.reserve(cluster.jobs.size());
  for (const Job& record : cluster.jobs) {
    int free = std::numeric_limits<int>::max();
    if (record.array_limit > 0)
      free = static_cast<int>(record.array_limit) - all.jobs.active_tasks(record.array_job);
    for (const Job& job : separated(record)) told.push_back(tell(job, free-- <= 0, all));
  }
  return told;
}

std::string obstacle(const Job& job, const Cluster& cluster, Time now) {
  if (job.dependency.empty() && job.licenses.empty() && job.array_limit == 0)
    return plain_obstacle(job, cluster);
  const Surroundings all(cluster, now);
  const auto limit = static_cast<int>(job.array_limit);
  if (limit > 0 && all.jobs.active_tasks(job.array_job) >= limit) return kArrayIsFull;
  return obstacle_among(job, all);
}

}  // namespace maui::slurm
