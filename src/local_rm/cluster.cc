#include "local_rm/cluster.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace maui {
namespace {

// Starts a process in its own group, which ends with wiki_rm.  Output is discarded by default.
Result<pid_t> run(const std::string& command, const std::string& job,
                  const std::vector<std::string>& tasks) {
  std::string hosts;
  for (const auto& task : tasks) hosts += (hosts.empty() ? "" : ":") + task;
  const pid_t child = ::fork();
  if (child < 0) return Error{fmt::format("cannot run it: {}", std::strerror(errno))};
  if (child > 0) {
    ::setpgid(child, child);
    return child;
  }
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, stream);
  for (int open = STDERR_FILENO + 1; open < 1024; ++open) ::close(open);
  ::setenv("JOBID", job.c_str(), 1);
  ::setenv("TASKLIST", hosts.c_str(), 1);
  ::execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
  ::_exit(127);
}

Error refusal(const std::string& job, std::string_view why) {
  return Error{fmt::format("job {} {}", job, why)};
}

}  // namespace

LocalCluster::LocalCluster(const EmulatedNodes& nodes, Seconds keep, std::function<void()> changed)
    : node_updates_(static_cast<std::size_t>(nodes.count), Time(1)),
      keep_(keep),
      changed_(std::move(changed)) {
  for (int i = 1; i <= nodes.count; ++i) {
    NodeReport& report = nodes_.emplace_back();
    report.node.name = fmt::format("{}{}", nodes.prefix, i);
    report.node.reported = NodeState::idle;
    report.node.configured = Resources(nodes.procs, nodes.memory);
    report.node.operating_system = "linux";
  }
}

LocalCluster::~LocalCluster() {
  for (const auto& [name, job] : jobs_)
    if (job.process > 0) ::kill(-job.process, SIGKILL);
}

std::vector<std::string> LocalCluster::node_records(Time since) const {
  std::vector<std::string> records;
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (node_updates_[i] >= since)
      records.push_back(write_wiki(write_wiki_node(nodes_[i], node_updates_[i])));
  return records;
}

std::vector<std::string> LocalCluster::job_records(Time since) const {
  std::vector<std::string> records;
  for (const auto& [name, job] : jobs_)
    if (job.updated >= since)
      records.push_back(write_wiki(write_wiki_job(job.report, job.updated)));
  return records;
}

Result<std::string> LocalCluster::submit(WikiJob job, std::string command, Time now) {
  if (command.empty()) return Error{"no command, expected a line for sh"};
  const std::string name = fmt::format("local.{}", ++last_);
  job.report.name = name;
  job.report.job.submitted = now;
  job.state = job.state == WikiState::hold ? WikiState::hold : WikiState::idle;
  if (const auto missing = missing_in(job); !missing.empty())
    return Error{fmt::format("{} missing", missing)};
  LocalJob& kept = jobs_[name];
  kept.report = std::move(job);
  kept.command = std::move(command);
  kept.updated = now;
  changed_();
  return name;
}

Result<LocalCluster::LocalJob*> LocalCluster::find(const std::string& job, bool running) {
  const auto at = jobs_.find(job);
  if (at == jobs_.end()) return Error{"No such job"};
  if (running != (at->second.process > 0))
    return refusal(job, running ? "does not run" : "is not pending, can't start");
  return &at->second;
}

// Allocates the tasks' processors on each node, or none of them.
Status LocalCluster::occupy(LocalJob& job, const std::vector<std::string>& tasks) {
  const Requirement& need = job.report.report.request.requirements.front();
  if (static_cast<int>(tasks.size()) != need.tasks)
    return Error{fmt::format("Invalid TASKLIST: {} tasks, expected {}", tasks.size(), need.tasks)};
  auto trial = nodes_;
  for (const auto& name : tasks) {
    const auto node = std::find_if(trial.begin(), trial.end(), [&](const NodeReport& candidate) {
      return candidate.node.name == name;
    });
    if (node == trial.end()) return Error{"Invalid TASKLIST"};
    const Resources& configured = node->node.configured;
    Resources& used = node->node.utilised;
    used.add(Resources(need.per_task.procs(), need.per_task.memory()));
    if (used.procs() > configured.procs() || used.memory() > configured.memory())
      return Error{fmt::format("no room on {}", name)};
    node->node.reported = used.procs() == configured.procs() ? NodeState::busy : NodeState::running;
  }
  nodes_ = std::move(trial);
  job.report.task_list = tasks;
  return Done{};
}

void LocalCluster::vacate(LocalJob& job) {
  const Resources& each = job.report.report.request.requirements.front().per_task;
  for (const auto& name : job.report.task_list)
    for (NodeReport& report : nodes_) {
      Node& node = report.node;
      if (node.name != name) continue;
      node.utilised.add(Resources(each.procs(), each.memory()), -1);
      node.reported = node.utilised.procs() == 0 ? NodeState::idle : NodeState::running;
    }
}

Status LocalCluster::start(const std::string& name, const std::vector<std::string>& tasks,
                           Time now) {
  const auto found = find(name, false);
  if (!found) return found.error();
  LocalJob& job = **found;
  if (job.report.state != WikiState::idle) return refusal(name, "is not pending, can't start");
  if (auto status = occupy(job, tasks); !status) return status;
  const auto process = run(job.command, name, tasks);
  if (!process) {
    vacate(job);
    job.report.task_list.clear();
    return process.error();
  }
  job.process = *process;
  job.report.state = WikiState::running;
  job.report.report.job.started = job.updated = now;
  job.report.report.job.suspended_time = Seconds(0);
  std::fill(node_updates_.begin(), node_updates_.end(), now);
  return Done{};
}

void LocalCluster::end(LocalJob& job, int status, Time now) {
  if (job.report.state != WikiState::suspended) vacate(job);
  std::fill(node_updates_.begin(), node_updates_.end(), now);
  job.process = 0;
  job.updated = now;
  Job& times = job.report.report.job;
  if (std::exchange(job.requeued, false)) {
    job.removed = false;
    job.report.state = WikiState::idle;
    job.report.task_list.clear();
    times.started = kForever;
  } else {
    job.report.state = job.removed ? WikiState::removed : WikiState::completed;
    job.report.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    times.ended = now;
  }
  changed_();
}

void LocalCluster::reap(Time now) {
  int status = 0;
  for (pid_t gone = ::waitpid(-1, &status, WNOHANG); gone > 0;
       gone = ::waitpid(-1, &status, WNOHANG))
    for (auto& [name, job] : jobs_)
      if (job.process == gone) end(job, status, now);
}

void LocalCluster::tick(Time now) {
  for (auto& [name, job] : jobs_) {
    const Job& times = job.report.report.job;
    const Seconds limit = job.report.report.request.limit;
    if (job.process > 0 && job.report.state == WikiState::running && limit > Seconds(0) &&
        now - times.started > limit + times.suspended_time) {
      job.removed = true;
      job.report.message = "it reached its limit";
      ::kill(-job.process, SIGKILL);
    }
  }
  std::erase_if(jobs_, [&](const auto& job) {
    return job.second.report.ended() && now - job.second.updated > keep_;
  });
}

Status LocalCluster::cancel(const std::string& name, Time now) {
  const auto at = jobs_.find(name);
  if (at == jobs_.end() || at->second.report.ended()) return Error{"No such job"};
  LocalJob& job = at->second;
  job.removed = true;
  job.requeued = false;
  if (job.process > 0) {
    ::kill(-job.process, SIGKILL);
    return Done{};
  }
  job.report.state = WikiState::removed;
  job.report.report.job.ended = job.updated = now;
  changed_();
  return Done{};
}

Status LocalCluster::signal(const std::string& name, int number) {
  const auto job = find(name, true);
  if (!job) return job.error();
  if (::kill(-(*job)->process, number) != 0) return refusal(name, std::strerror(errno));
  return Done{};
}

Status LocalCluster::suspend(const std::string& name, Time now) {
  const auto found = find(name, true);
  if (!found) return found.error();
  LocalJob& job = **found;
  if (job.report.state != WikiState::running) return refusal(name, "is suspended already");
  ::kill(-job.process, SIGSTOP);
  job.report.report.job.suspended_since = now;
  job.report.state = WikiState::suspended;
  job.updated = now;
  vacate(job);  // a suspended job keeps its place in memory, not its processors
  return Done{};
}

Status LocalCluster::resume(const std::string& name, Time now) {
  const auto found = find(name, true);
  if (!found) return found.error();
  LocalJob& job = **found;
  if (job.report.state != WikiState::suspended) return refusal(name, "is not suspended");
  if (auto status = occupy(job, std::vector(job.report.task_list)); !status) return status;
  ::kill(-job.process, SIGCONT);
  Job& times = job.report.report.job;
  times.suspended_time += now - times.suspended_since;
  job.report.state = WikiState::running;
  job.updated = now;
  return Done{};
}

Status LocalCluster::requeue(const std::string& name, Time) {
  const auto job = find(name, true);
  if (!job) return job.error();
  (*job)->requeued = true;
  ::kill(-(*job)->process, SIGKILL);
  return Done{};
}

Status LocalCluster::hold(const std::string& name, bool on, Time now) {
  const auto job = find(name, false);
  if (!job) return job.error();
  if ((*job)->report.ended()) return Error{"No such job"};
  (*job)->report.state = on ? WikiState::hold : WikiState::idle;
  (*job)->updated = now;
  changed_();
  return Done{};
}

Status LocalCluster::set_limit(const std::string& name, Seconds limit, Time now) {
  const auto at = jobs_.find(name);
  if (at == jobs_.end() || at->second.report.ended()) return Error{"No such job"};
  at->second.report.report.request.limit = limit;
  at->second.updated = now;
  return Done{};
}

}  // namespace maui
