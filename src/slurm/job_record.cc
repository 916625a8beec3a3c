#include "slurm/job_record.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/text.h"
#include "slurm/arrays.h"
#include "slurm/gres.h"
#include "slurm/holds.h"
#include "slurm/lists.h"
#include "slurm/shape.h"
#include "slurm/start_note.h"

namespace maui::slurm {
namespace {

// Slurm delays a requeued job by two minutes; a start by maui overrides that.
constexpr Seconds kRequeueDelay{130};
// For this time after a requeue, nodes may mistake the job for its ended run and kill it; nodes
// that were down hear of that end only when they come back.
constexpr Seconds kRestAfterRequeue{3};
// The QOS that slurmdbd creates and assigns by default.
constexpr std::string_view kNoQos = "normal";

std::string hold_message(std::uint32_t holds) {
  return (holds & kAdminHold) != 0 ? "it is held by an administrator in Slurm"
                                   : "it is held by its user in Slurm";
}

/// Reports a pending job; `late`: its array's limit is used up by tasks that may start before it.
void report_waiting(const Job& job, bool late, const Surroundings& all, WikiJob& reported) {
  reported.state = WikiState::idle;
  const auto note = read_note(job.admin_comment);
  const bool ours = note && note->started;
  if (ours && given_up_by_slurm(job)) {
    // The job counts as starting until the start is reverted, after its nodes are cleared.
    reported.state = WikiState::starting;
    return;
  }
  if (job.priority != 0 && !job.completing && job.het_job == 0) {
    reported.state = ours ? WikiState::starting : WikiState::hold;
    if (!ours) reported.message = "Slurm may start it itself";
    return;
  }
  if (const auto holds = holds_of(job); holds != 0) {
    reported.state = (holds & kAdminHold) != 0 ? WikiState::system_hold : WikiState::hold;
    reported.message = hold_message(holds);
    return;
  }
  Hindrance what = hindrance_of(job, all);
  if (!what && late)
    what.why = "its array has reached its limit of " + counted(job.array_limit, "running task");
  (what.passes ? reported.report.waits_for : reported.report.problem) = what.why;
}

WikiState state_of(JobState state) {
  using enum JobState;
  switch (state) {
    case pending:
      return WikiState::idle;
    case running:
      return WikiState::running;
    case suspended:
      return WikiState::suspended;
    case complete:
    case failed:
    case out_of_memory:
      return WikiState::completed;
    case cancelled:
    case timeout:
    case node_fail:
    case preempted:
    case boot_fail:
    case deadline:
      break;
  }
  return WikiState::removed;
}

int exit_code(const Job& job) {
  if (WIFSIGNALED(job.exit_status)) return 128 + WTERMSIG(job.exit_status);
  const int code = WEXITSTATUS(job.exit_status);
  return code == 0 && job.state != JobState::complete ? 1 : code;
}

void report_times(const Job& job, const Surroundings& all, WikiJob& reported) {
  auto& times = reported.report.job;
  times.submitted = job.submitted;
  const bool delayed_by_requeue = job.restarts > 0 && job.eligible <= all.now + kRequeueDelay;
  if (job.pending() && job.eligible > all.now && !delayed_by_requeue)
    times.earliest_start = job.eligible;
  // A requeue resets the submit time.
  const Time rested = std::max(job.submitted, all.cluster.node_returned) + kRestAfterRequeue;
  if (job.pending() && job.restarts > 0 && rested > all.now)
    times.earliest_start = std::max(times.earliest_start, rested);
  if (!job.nodes.empty() && !job.pending()) times.started = job.started;
  if (job.over()) times.ended = job.ended;
  if (job.active() && job.suspension_changed > Time(0)) {
    const Time until = job.state == JobState::suspended ? all.now : job.suspension_changed;
    times.suspended_time = std::max(Seconds(0), until - job.started - job.run_before_suspension);
  }
}

/// Returns the index of the node where the job has the most CPUs.
std::size_t fullest(const Job& job) {
  const auto& cpus = job.cpus_on_nodes;
  return static_cast<std::size_t>(std::max_element(cpus.begin(), cpus.end()) - cpus.begin());
}

// Derives tasks from the CPUs on each node if the numbers match; else spreads the tasks evenly.
std::vector<std::string> task_list(const Job& job, const Shape& shape,
                                   const std::vector<std::string>& nodes) {
  std::vector<std::string> list;
  if (nodes.empty()) return list;
  std::vector<int> tasks;
  int sum = 0;
  for (const int cpus : job.cpus_on_nodes) sum += tasks.emplace_back(cpus / shape.procs);
  if (shape.on_first > 0 || sum != shape.tasks || tasks.size() != nodes.size()) {
    const auto count = static_cast<int>(nodes.size());
    const int all = std::max(count, shape.tasks);
    tasks.assign(nodes.size(), all / count);
    for (int i = 0; i < all % count; ++i) ++tasks[static_cast<std::size_t>(i)];
  }
  for (std::size_t i = 0; i < nodes.size(); ++i)
    list.insert(list.end(), static_cast<std::size_t>(tasks[i]), nodes[i]);
  if (const auto first = fullest(job); shape.on_first > 0 && first < list.size())
    std::rotate(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(first),
                list.begin() + static_cast<std::ptrdiff_t>(first) + 1);
  return list;
}

// A job with all the memory of its nodes has the nodes alone.
bool alone_on_its_nodes(const Job& job, const Cluster& cluster) {
  return job.exclusive || (cluster.allots_memory && job.memory == 0);
}

/// Returns the generic resources of `joined` of Slurm's tasks, which form one task in maui.
Counted generic_of(const Job& job, const Shape& shape, int joined) {
  Counted each = generic_resources(job.tres_per_task);
  for (auto& [name, count] : each) count = ceiling(std::int64_t{count} * joined, 1);
  for (const auto& [name, count] : generic_on_each_node(job))
    each.emplace_back(name, ceiling(count, shape.sharing));
  for (const auto& [name, count] : generic_resources(job.tres_per_job))
    each.emplace_back(name, shape.on_first == 0        ? ceiling(count, shape.tasks)
                            : joined == shape.on_first ? part_of_first(count, shape.tasks)
                                                       : count / shape.tasks);
  return each;
}

Resources resources_of(const Job& job, const Shape& shape, int procs) {
  return Resources(procs, job.memory_per_cpu ? ceiling(job.memory * procs, 1)
                                             : ceiling(job.memory, shape.sharing));
}

// Makes a requirement of its own for the node with the remainder.
void report_first_node(const Job& job, const Shape& shape, WikiJob& reported) {
  auto& request = reported.report.request;
  Requirement first = request.requirements.front();
  first.tasks = 1;
  first.per_task = resources_of(job, shape, product(shape.procs / shape.joined, shape.on_first));
  --request.requirements.front().tasks;
  request.requirements.insert(request.requirements.begin(), first);
  request.apart = true;
  reported.report.generic.insert(reported.report.generic.begin(),
                                 generic_of(job, shape, shape.on_first));
  reported.report.features.resize(2);
}

void report_resources(const Job& job, const Shape& shape, const Cluster& cluster,
                      WikiJob& reported) {
  Requirement& need = reported.report.request.requirements.front();
  need.tasks = shape.tasks;
  need.tasks_per_node = shape.tasks_per_node;
  need.least_nodes = shape.least_nodes;
  need.nodes = shape.most_nodes;
  need.packed = shape.tasks > 1 && shape.tasks_per_node == 0;
  need.per_task = resources_of(job, shape, shape.procs);
  if (job.disk > 0) need.disk = {Comparison::at_least, ceiling(job.disk, 1)};
  reported.report.generic.front() = generic_of(job, shape, shape.joined);
  put(reported.report.job.flags, JobFlag::dedicated, alone_on_its_nodes(job, cluster));
  if (job.with_own_user) reported.report.job.access_asked = NodeAccess::single_user;
  put(reported.report.job.flags, JobFlag::restartable, job.requeue);
  if (shape.on_first > 0) report_first_node(job, shape, reported);
}

// Makes a requirement for each set of counted features, with its number of nodes and an even share
// of the tasks.  Requires that the cluster has that many nodes.
void count_features(const Job& job, const FeatureWish& wish, WikiJob& reported) {
  auto& report = reported.report;
  const Requirement whole = report.request.requirements.front();
  auto counted = wish.counted;
  const auto nodes = static_cast<int>(wish.counted_nodes());
  const int others = std::max(job.min_nodes, nodes) - nodes;
  if (others > 0) counted.emplace_back(std::vector<std::string>(), others);
  const int each = ceiling(whole.tasks, nodes + others);
  report.request.requirements.clear();
  report.features.clear();
  for (const auto& [names, count] : counted) {
    Requirement& part = report.request.requirements.emplace_back(whole);
    part.tasks = product(count, each);
    part.tasks_per_node = each;
    part.least_nodes = part.nodes = 0;
    part.packed = false;
    auto& features = report.features.emplace_back(wish.all);
    features.insert(features.end(), names.begin(), names.end());
  }
  report.generic.resize(counted.size(), report.generic.front());
  report.request.apart = counted.size() > 1;
}

// Returns true if the job requests more of each node than the CPUs of its tasks.
bool asks_of_each_node(const Job& job) {
  const int by_tasks = product(job.cpus_per_task, std::max(1, job.tasks_per_node));
  return job.min_cpus > by_tasks || job.min_sockets > 0 || job.min_cores > 0 ||
         job.min_threads > 0 || job.tasks_per_socket > 0;
}

/// The nodes that a job may use, apart from its features.
struct HostLists {
  std::vector<std::string> listed, excluded;
  std::string mark;  // of `listed`, as in WikiJob
};

void exclude_all_but(const std::vector<std::string>& admitted, const Cluster& cluster,
                     std::vector<std::string>& excluded) {
  std::unordered_set<std::string> names;
  for (const std::string& hosts : admitted)
    for (std::string& name : host_names(hosts)) names.insert(std::move(name));
  for (const Node& node : cluster.nodes)
    if (!names.contains(node.name)) excluded.push_back(node.name);
}

// Returns the nodes by the job's required nodes, features and exclusions.
HostLists hosts_of(const Job& job, const Surroundings& all) {
  HostLists hosts;
  const auto& wish = all.wish_of(job);
  if (!wish) return hosts;
  hosts.excluded = host_names(job.excluded_nodes);
  if (asks_of_each_node(job)) {
    const auto& small = all.nodes_too_small(job);
    hosts.excluded.insert(hosts.excluded.end(), small.begin(), small.end());
  }
  const bool more = wish->counted.size() > 1 && job.min_nodes > wish->counted_nodes();
  if (auto required = host_names(job.required_nodes); !required.empty()) {
    hosts.listed = std::move(required);
    hosts.mark = "*";
    // The other nodes, if it gets any, must be among those that its features admit.
    if (wish->has_alternatives) exclude_all_but(wish->alternatives, all.cluster, hosts.excluded);
  } else if (more || wish->has_alternatives) {
    hosts.listed = more ? wish->with_counted : wish->alternatives;
    hosts.mark = "^";
  }
  std::unordered_set<std::string> seen;  // several restrictions may exclude a node
  std::erase_if(hosts.excluded, [&](const auto& name) { return !seen.insert(name).second; });
  return hosts;
}

// Reports which nodes the job may use.
void report_hosts(const Job& job, const Surroundings& all, HostLists hosts, WikiJob& reported) {
  const auto& wish = all.wish_of(job);
  if (!wish) return;
  reported.report.features.assign(reported.report.request.requirements.size(), wish->all);
  if (!wish->same.empty()) {
    reported.report.any_class = false;  // a job has one node set: it is for one of its partitions
    reported.report.job.node_set = "ONEOF:FEATURE:" + join(wish->same, ",");
    reported.report.job.node_set_binds = true;
  }
  reported.report.host_list = std::move(hosts.listed);
  reported.report.excluded_hosts = std::move(hosts.excluded);
  reported.host_mark = std::move(hosts.mark);
  const bool enough = wish->counted_nodes() <= all.largest.nodes;
  if (!wish->counted.empty() && enough) count_features(job, *wish, reported);
}

// Reports the job's partitions: of several, only those that would accept it, or else the first.
void report_partitions(const Job& job, const Surroundings& all, WikiJob& reported) {
  auto& report = reported.report;
  report.job_class = job.partition.substr(0, job.partition.find(','));
  if (!job.pending()) return;
  const auto usable = usable_partitions(job, all);
  if (usable.empty()) return;
  report.job_class = usable.front();
  if (usable.size() == 1) return;
  report.any_class = true;
  report.job.node_set = "ONEOF:CLASS:" + join(usable, ",");
  report.job.node_set_binds = true;
}

// Reports the number of starts that Slurm did not carry out as requested, and the last reason.
void report_rejections(const Job& job, WikiJob& reported) {
  const auto note = read_note(job.admin_comment);
  if (!note || note->refusals == 0) return;
  reported.rejections = note->refusals;
  reported.reject_code = note->refusal_code;
  if (reported.message.empty()) reported.message = "Slurm does not start it: " + note->refusal;
}

// Returns the tasks of a start under way: its nodes are required, or all other nodes are excluded.
std::vector<std::string> starting_tasks(const Job& raw, const Shape& shape,
                                        const Surroundings& all) {
  const auto note = read_note(raw.admin_comment);
  const auto required = host_names(raw.required_nodes), excluded = host_names(raw.excluded_nodes);
  const auto& listed = required.empty() ? excluded : required;
  const std::unordered_set<std::string_view> names(listed.begin(), listed.end());
  std::vector<std::string> nodes;
  if (required.size() == 1) return task_list(raw, shape, required);
  for (const Node& node : all.cluster.nodes)
    if (names.contains(node.name) != required.empty()) nodes.push_back(node.name);
  if (!note || note->shares.size() != nodes.size()) return task_list(raw, shape, nodes);
  std::vector<std::string> list;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    list.insert(list.end(), static_cast<std::size_t>(note->shares[i]), nodes[i]);
  return list;
}

// `hosts`: those of as_asked(raw), unless the tasks of a record share them.
WikiJob report_of(const Job& raw, bool late, const Surroundings& all, HostLists hosts) {
  const Job job = as_asked(raw);
  const Shape shape = shape_of(job, all.largest);
  WikiJob reported;
  auto& report = reported.report;
  report.name = job_name(job);
  report.user = job.user;
  report.group = job.group;
  report.account = job.account;
  if (job.qos != kNoQos) report.qos = job.qos;
  report_partitions(job, all, reported);
  if (const auto* used = job.pending() ? all.reservation_of(job) : nullptr;
      used != nullptr && !(used->any_nodes && used->nodes.empty()))
    report.job.required_reservation = used->name;
  put(report.job.flags, JobFlag::adv_res, !report.job.required_reservation.empty());
  report.request.limit = Seconds(std::int64_t{all.limit_of(job).value_or(0)} * 60);
  report.job.title = job.name;
  report.job.executable = job.command;
  report.job.comment = job.comment;
  reported.state = state_of(job.state);
  if (job.pending()) report_waiting(job, late, all, reported);
  report_rejections(job, reported);
  report_times(job, all, reported);
  report_resources(job, shape, all.cluster, reported);
  if (job.pending()) report_hosts(job, all, std::move(hosts), reported);
  if (reported.state == WikiState::starting)
    reported.task_list = starting_tasks(raw, shape, all);
  else if (!job.pending())
    reported.task_list = task_list(job, shape, host_names(job.nodes));
  if (job.over()) reported.exit_code = exit_code(job);
  return reported;
}

std::shared_ptr<const WrittenHosts> written(HostLists hosts) {
  WikiJob job;
  job.report.host_list = std::move(hosts.listed);
  job.report.excluded_hosts = std::move(hosts.excluded);
  job.host_mark = std::move(hosts.mark);
  return std::make_shared<const WrittenHosts>(written_hosts(job));
}

}  // namespace

void report_jobs(const Cluster& cluster, Time now, const std::function<void(WikiJob)>& take) {
  const Surroundings all(cluster, now);
  for (const Job& record : cluster.jobs) {
    int free = std::numeric_limits<int>::max();
    if (record.array_limit > 0)
      free = static_cast<int>(record.array_limit) - all.jobs.active_tasks(record.array_job);
    HostLists hosts = record.pending() ? hosts_of(as_asked(record), all) : HostLists();
    const auto jobs = separated(record);
    const auto shared = jobs.size() > 1 ? written(std::exchange(hosts, {})) : nullptr;
    for (const Job& job : jobs) {
      WikiJob reported = report_of(job, free-- <= 0, all, hosts);
      reported.shared_hosts = shared;
      take(std::move(reported));
    }
  }
}

std::vector<WikiJob> reported_jobs(const Cluster& cluster, Time now) {
  std::vector<WikiJob> reported;
  report_jobs(cluster, now, [&](WikiJob job) { reported.push_back(std::move(job)); });
  return reported;
}

WikiJob reported_job(const Job& job, const Surroundings& all) {
  return report_of(job, false, all, job.pending() ? hosts_of(as_asked(job), all) : HostLists());
}

}  // namespace maui::slurm
