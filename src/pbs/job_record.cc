#include "pbs/job_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <unordered_set>

#include "base/text.h"
#include "pbs/amounts.h"

namespace maui::pbs {
namespace {

// Substates (the same in TORQUE and OpenPBS).
constexpr std::string_view kWaitsForOthers = "22";
constexpr std::string_view kAskedToStart = "19";  // TORQUE has not started it yet
constexpr std::array<std::string_view, 3> kStarting{kAskedToStart, "40", "41"};
// A requeued job is R or E until its nodes have cleaned up; after that it is Q.
constexpr std::array<std::string_view, 4> kRequeued{"60", "61", "62", "63"};
// Requirements of a job: each costs the scheduler time whenever something changes.
constexpr std::size_t kMostRequirements = 500;
// Exit statuses above this value are 256 plus the number of a signal.
constexpr int kSignalled = 256;

Time time_of(const Object& job, std::string_view name, Time otherwise) {
  const auto seconds = parse_integer<std::int64_t>(job.get(name));
  return seconds && *seconds > 0 ? Time(*seconds) : otherwise;
}

std::string_view resource(const Object& job, std::string_view name) {
  return job.get("Resource_List", name);
}

// Reports the holders of a job, with a text for each kind of hold; PBS shows a wait for other jobs
// as a system hold.
void report_holds(const Object& job, WikiJob& reported) {
  const auto holds = job.get("Hold_Types");
  const auto by = [&](char kind) { return holds.find(kind) != std::string_view::npos; };
  std::string who;
  const auto add = [&](bool there, std::string_view name) {
    if (there) who += fmt::format("{}{}", who.empty() ? "" : " and ", name);
  };
  const bool waits = job.get("substate") == kWaitsForOthers;
  add(by('u'), "its user");
  add(by('o'), "an operator");
  add(by('s') && !waits, "the system");
  add(by('p'), "a bad password");
  if (!who.empty()) {
    const bool of_administrators = by('o') || (by('s') && !waits);
    reported.state = !of_administrators ? WikiState::hold
                     : by('u')          ? WikiState::both_holds
                                        : WikiState::system_hold;
    reported.message = fmt::format("it is held by {} in PBS", who);
  } else if (waits) {
    reported.report.waits_for = fmt::format("it depends on other jobs: {}", job.get("depend"));
  } else if (by('l')) {
    reported.report.waits_for = "its array has reached its limit of running tasks";
  } else {
    reported.state = WikiState::hold;
    reported.message = "it is held in PBS";
  }
}

// TORQUE and OpenPBS spell the attribute differently.
std::optional<int> exit_status(const Object& job) {
  return parse_integer<int>(job.get(job.has("Exit_status") ? "Exit_status" : "exit_status"));
}

int exit_code_of(int status) { return status > kSignalled ? 128 + status - kSignalled : status; }

bool is_requeued(const Object& job) {
  return std::find(kRequeued.begin(), kRequeued.end(), job.get("substate")) != kRequeued.end();
}

// Returns false if jobs in this state are not reported.
bool report_state(const Object& job, WikiJob& reported) {
  const auto state = job.get("job_state");
  const bool ran = !job.get("exec_host").empty();
  switch (state.empty() ? '?' : state.front()) {
    case 'Q':
      if (job.get("substate") == kAskedToStart) {
        reported.state = WikiState::starting;
        return true;
      }
      [[fallthrough]];
    case 'W':
      reported.state = WikiState::idle;
      return true;
    case 'H':
      reported.state = WikiState::idle;
      report_holds(job, reported);
      return true;
    case 'T':
      reported.state = WikiState::idle;
      reported.report.waits_for = "it is in transit between queues";
      return true;
    case 'R':
    case 'E': {
      if (is_requeued(job)) {
        reported.state = WikiState::idle;
        reported.report.waits_for = "it is being requeued";
        return true;
      }
      const bool starts = state == "R" && std::find(kStarting.begin(), kStarting.end(),
                                                    job.get("substate")) != kStarting.end();
      reported.state = starts ? WikiState::starting : WikiState::running;
      return true;
    }
    case 'S':
    case 'U':
      reported.state = WikiState::suspended;
      return true;
    case 'C':
    case 'F':
    case 'X': {
      // OpenPBS may report no more of a task than that it has ended.
      if (state == "X" && !ran) return false;
      const int status = exit_status(job).value_or(0);
      const bool over = ran && status >= 0 && status < kSignalled;
      reported.state = over ? WikiState::completed : WikiState::removed;
      reported.exit_code = exit_code_of(status);
      return true;
    }
    default:
      return false;  // moved to another server, an array that has begun, or unknown
  }
}

void report_times(const Object& job, const Surroundings& all, WikiJob& reported) {
  Job& times = reported.report.job;
  times.submitted = time_of(job, "qtime", time_of(job, "ctime", all.now));
  if (reported.state == WikiState::idle || reported.held()) {
    const Time date = time_of(job, "Execution_Time", Time(0));
    if (date > all.now) times.earliest_start = date;
    return;
  }
  const auto used = duration(job.get("resources_used", "walltime")).value_or(Seconds(0));
  if (!job.get("exec_host").empty())
    times.started = time_of(job, "start_time", time_of(job, "stime", all.now - used));
  if (reported.ended()) times.ended = time_of(job, "comp_time", time_of(job, "mtime", all.now));
}

// Reports the use, measured when the job had run for its walltime in use.
void report_use(const Object& job, WikiJob& reported) {
  const auto used = [&](std::string_view name) { return job.get("resources_used", name); };
  const auto cpu = duration(used("cput")), ran = duration(used("walltime"));
  if (!cpu || !ran || reported.report.job.started == kForever) return;
  JobUse use;
  use.cpu_seconds = static_cast<double>(cpu->raw());
  use.memory = megabytes(used("mem")).value_or(0);
  use.swap = megabytes(used("vmem")).value_or(0);
  reported.use = use;
  reported.used_until = reported.report.job.started + *ran;
}

int shared_by(std::int64_t amount, int tasks) {
  return static_cast<int>((amount + tasks - 1) / std::max(1, tasks));
}

/// Returns memory and disk of a task: as requested per task, or an equal part of the job's amounts.
Resources task_resources(const Object& job, const Portion& portion, int tasks) {
  const auto size = [&](std::string_view name) {
    return megabytes(resource(job, name)).value_or(0);
  };
  // The task has a process on each of its processors.
  const auto of_processes = [&](std::string_view name) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    return static_cast<int>(std::min(kMost, std::int64_t{size(name)} * std::max(1, portion.procs)));
  };
  const bool counted = job.has("schedselect");  // the amounts of chunks are complete
  const int memory = counted ? portion.chunk.memory
                             : std::max(of_processes("pmem"), shared_by(size("mem"), tasks));
  const int swap = counted ? portion.chunk.swap
                           : std::max(of_processes("pvmem"), shared_by(size("vmem"), tasks));
  // To OpenPBS, file= is the limit of a file's size.
  return Resources(portion.procs, memory, swap, counted ? 0 : size("file"));
}

void add_features(std::string_view list, std::vector<std::string>& features) {
  std::string text(list);
  std::replace(text.begin(), text.end(), ',', ':');
  for (const auto word : split(text, ':'))
    if (!trimmed(word).empty()) features.emplace_back(trimmed(word));
}

// A name in nodes= is a node, or else a property; host= may match any of several vnodes.
void resolve_names(const Surroundings& all, Wish& wish) {
  for (Portion& portion : wish.portions) {
    Chunk& chunk = portion.chunk;
    if (chunk.host.empty()) continue;
    if (auto one_of_its = feature_of("host", chunk.host);
        chunk.any_vnode && all.features.contains(one_of_its)) {
      chunk.features.push_back(std::move(one_of_its));
      chunk.host.clear();
    } else if (!all.nodes.contains(chunk.host)) {
      chunk.features.push_back(std::exchange(chunk.host, {}));
    }
  }
}

/// Combines hosts with equally many tasks into one requirement with a host list.
void join_hosts(Wish& wish, JobReport& report) {
  auto& all = wish.portions;
  const Portion first = all.front();
  const bool alike = std::all_of(all.begin(), all.end(), [&](const Portion& portion) {
    return !portion.chunk.host.empty() && portion.procs == first.procs &&
           portion.tasks == first.tasks && portion.chunk.features == first.chunk.features &&
           portion.chunk.generic == first.chunk.generic &&
           portion.chunk.memory == first.chunk.memory;
  });
  if (!alike) return;
  std::unordered_set<std::string_view> named;  // each host once
  for (const Portion& portion : all)
    if (named.insert(portion.chunk.host).second) report.host_list.push_back(portion.chunk.host);
  Portion whole = first;
  whole.chunk.host.clear();
  for (std::size_t i = 1; i < all.size(); ++i) whole.tasks += all[i].tasks;
  whole.most_nodes = static_cast<int>(report.host_list.size());
  whole.least_nodes = 0;
  all = {whole};
}

/// Combines equal portions that follow each other into one requirement: "1:ppn=2+1:ppn=2".
void join_equal(Wish& wish) {
  std::vector<Portion> joined;
  const auto& all = wish.portions;
  for (std::size_t i = 0; i < all.size();) {
    const Portion& first = all[i];
    int count = 1;
    for (++i; i < all.size() && all[i] == first && first.chunk.host.empty(); ++i) ++count;
    Portion& whole = joined.emplace_back(first);
    if (count == 1) continue;
    whole.tasks *= count;
    whole.most_nodes *= count;
    if (wish.apart) whole.least_nodes = count * std::max(1, first.least_nodes);
  }
  wish.portions = std::move(joined);
}

/// All nodes of the job must have the same value of the resource: they form a node set.
void report_group(const std::string& resource, const Surroundings& all, JobReport& report) {
  std::string values;
  const auto beginning = feature_of(resource, "");
  for (auto at = all.features.lower_bound(beginning);
       at != all.features.end() && at->starts_with(beginning); ++at)
    values += fmt::format("{}{}", values.empty() ? "" : ",", *at);
  if (values.empty())
    report.problem =
        fmt::format("no node has a value of {}, which place=group= requests", resource);
  else
    report.job.node_set = "ONEOF:FEATURE:" + values;
  report.job.node_set_binds = !values.empty();
}

void report_request(const Object& job, const Queue* queue, const Surroundings& all, Wish wish,
                    WikiJob& reported) {
  auto& report = reported.report;
  resolve_names(all, wish);
  join_hosts(wish, report);
  join_equal(wish);
  if (wish.portions.size() > kMostRequirements) {
    report.problem = fmt::format("it requests more than {} different chunks", kMostRequirements);
    return;
  }
  int tasks = 0;
  for (const Portion& portion : wish.portions) tasks += portion.tasks;
  auto& requirements = report.request.requirements;
  requirements.clear();
  report.features.clear();
  report.generic.clear();
  report.requirement_hosts.clear();
  std::vector<std::string> common;
  add_features(resource(job, "feature"), common);
  if (queue != nullptr) common.insert(common.end(), queue->features.begin(), queue->features.end());
  for (const Portion& portion : wish.portions) {
    Requirement& need = requirements.emplace_back();
    need.tasks = portion.tasks;
    need.tasks_per_node = portion.tasks_per_node;
    need.least_nodes = portion.least_nodes;
    need.nodes = portion.most_nodes;
    need.per_task = task_resources(job, portion, tasks);
    need.operating_system = resource(job, "opsys");
    need.architecture =
        portion.chunk.architecture.empty() ? resource(job, "arch") : portion.chunk.architecture;
    auto& features = report.features.emplace_back(portion.chunk.features);
    features.insert(features.end(), common.begin(), common.end());
    report.generic.push_back(portion.chunk.generic);
    report.requirement_hosts.push_back(portion.chunk.host);
  }
  report.request.apart = wish.apart && requirements.size() > 1;
  put(report.job.flags, JobFlag::dedicated,
      wish.place.exclusive || is_true(job.get("node_exclusive")));
  if (const auto host = resource(job, "host"); !host.empty())
    report.host_list = {std::string(host)};
  if (!wish.place.group.empty()) report_group(wish.place.group, all, report);
}

// Returns extensions for the scheduler: from -W x=, and from words of -l that PBS ignores.
std::string extensions_of(const Object& job) {
  struct Word {
    std::string_view resource, extension;
  };
  constexpr std::array<Word, 7> kWords{{{"qos", "QOS"},
                                        {"nodeset", "NODESET"},
                                        {"partition", "PARTITION"},
                                        {"tpn", "TPN"},
                                        {"trl", "TRL"},
                                        {"gres", "GRES"},
                                        {"sid", "SID"}}};
  std::string text(job.get("x"));
  const auto add = [&](std::string_view name, std::string_view value) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : ";", name, value);
  };
  for (const auto& [name, extension] : kWords)
    if (const auto value = resource(job, name); !value.empty()) add(extension, value);
  if (const auto value = resource(job, "advres"); !value.empty())
    add("FLAGS", fmt::format("ADVRES:{}", value));
  const auto access = lower(resource(job, "naccesspolicy"));
  if (access == "singlejob" || access == "singletask") add("ACCESSMODE", "DEDICATED");
  if (access == "shared") add("ACCESSMODE", "SHARED");
  return text;
}

void report_credentials(const Object& job, WikiJob& reported) {
  auto& report = reported.report;
  const auto owner = job.get("Job_Owner");
  report.user = job.has("euser") ? job.get("euser") : owner.substr(0, owner.find('@'));
  report.group = job.has("egroup")
                     ? job.get("egroup")
                     : job.get("group_list").substr(0, job.get("group_list").find_first_of("@,"));
  report.account = job.get("Account_Name");
  report.job_class = job.get("queue");
  report.job.title = job.get("Job_Name");
  report.job.comment = extensions_of(job);
  put(report.job.flags, JobFlag::restartable, is_true(job.get("Rerunable")));
}

}  // namespace

std::optional<WikiJob> reported_job(const Object& job, const Result<Wish>& wish,
                                    const Surroundings& all) {
  if (job.name.find("[]") != std::string::npos || job.get("queue_type") == "R") return std::nullopt;
  const auto at = all.queues.find(job.get("queue"));
  const Queue* queue = at == all.queues.end() ? nullptr : &at->second;
  if (queue != nullptr && !queue->executes) return std::nullopt;
  WikiJob reported;
  reported.report.name = job.name;
  if (!report_state(job, reported)) return std::nullopt;
  report_credentials(job, reported);
  report_times(job, all, reported);
  report_use(job, reported);
  reported.report.request.limit = duration(resource(job, "walltime")).value_or(Seconds(0));
  if (!wish)
    reported.report.problem = wish.error().what;
  else
    report_request(job, queue, all, *wish, reported);
  if (reported.state == WikiState::idle && queue != nullptr && !queue->started)
    reported.report.waits_for = fmt::format("its queue {} is stopped", job.get("queue"));
  if (reported.active() || reported.state == WikiState::suspended || reported.ended())
    reported.task_list = tasks_of(job, wish ? *wish : Wish());
  return reported;
}

bool runs(const Object& job) { return job.get("job_state") == "R" && !is_requeued(job); }

bool depends_on_time(const Object& job, const WikiJob& reported) {
  const auto has_time = [&](std::string_view name) {
    return time_of(job, name, Time(0)) > Time(0);
  };
  if (reported.ended() || !(has_time("qtime") || has_time("ctime"))) return true;
  if (reported.state == WikiState::idle || reported.held()) return has_time("Execution_Time");
  return !(has_time("start_time") || has_time("stime"));
}

std::optional<JobEnding> ending_of(const Object& job) {
  const auto status = exit_status(job);
  if (job.get("job_state") != "E" || !status) return std::nullopt;
  return JobEnding{exit_code_of(*status), time_of(job, "mtime", kForever)};
}

}  // namespace maui::pbs
