#include "chaos/fake_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rm/wiki_record.h"

namespace maui::test {
namespace {

WikiReply done() { return {kWikiDone, "done", false}; }
WikiReply refused(std::string why) { return {kWikiRefused, std::move(why), false}; }

}  // namespace

double BatchJob::cpu_seconds(Time now) const {
  const Time until = std::min({now, ended, suspended_since});
  return std::floor(busy.value_or(0) * tasks *
                    static_cast<double>((until - started - suspended).raw()));
}

FakeBatch::FakeBatch(std::string prefix, int count, Time now)
    : prefix_(std::move(prefix)), now_(now) {
  for (int i = 1; i <= count; ++i) nodes.emplace_back().name = fmt::format("{}n{:02}", prefix_, i);
}

BatchJob& FakeBatch::submit(int tasks, Seconds limit, Seconds length) {
  BatchJob job;
  job.name = fmt::format("{}.{}", prefix_, ++last_);
  job.tasks = tasks;
  job.limit = limit;
  job.length = length;
  job.submitted = now_;
  job.dated_submitted = now_ + clock_ahead;
  return jobs.emplace(job.name, job).first->second;
}

void FakeBatch::advance(Time now) {
  now_ = now;
  for (auto& [name, job] : jobs) {
    if (job.state != WikiState::running) continue;
    const Time due = job.started + job.suspended + std::min(job.length, job.limit);
    if (due <= now)
      end(job, job.length <= job.limit ? WikiState::completed : WikiState::removed, due);
  }
}

void FakeBatch::end(BatchJob& job, WikiState how, Time when) {
  if (job.state == WikiState::suspended)
    job.suspended = job.suspended + (when - job.suspended_since);
  job.state = how;
  job.ended = when;
  job.dated_ended = when + clock_ahead;
}

void FakeBatch::give_back(BatchJob& job) {
  const Time until = std::min(now_, job.suspended_since);
  job.returned_proc_seconds +=
      job.tasks * static_cast<double>((until - job.started - job.suspended).raw());
  job.state = WikiState::idle;
  job.started = job.dated_started = job.suspended_since = kForever;
  job.suspended = Seconds(0);
  job.nodes.clear();
  ++job.returns;
}

void FakeBatch::fail_node(BatchNode& node) {
  node.down = true;
  for (auto& [name, job] : jobs)
    if (job.has_nodes() && std::count(job.nodes.begin(), job.nodes.end(), node.name) > 0)
      give_back(job);
}

int FakeBatch::free_procs(const BatchNode& node) const {
  int free = node.procs;
  for (const auto& [name, job] : jobs)
    if (job.has_nodes() && job.state != WikiState::suspended)
      free -= static_cast<int>(std::count(job.nodes.begin(), job.nodes.end(), node.name));
  return free;
}

bool FakeBatch::reported(const BatchJob& job) const {
  return job.ended_already() ? job.ended > forgotten_ : job.hidden_until <= now_;
}

std::string FakeBatch::node_list() const {
  std::vector<std::string> records;
  for (const BatchNode& node : nodes) {
    if (node.hidden_until > now_) continue;
    NodeReport report;
    report.node.name = node.name;
    report.node.configured = Resources(node.procs);
    const int free = free_procs(node);
    report.node.utilised = Resources(node.procs - free);
    report.node.reported = node.down           ? NodeState::down
                           : free == 0         ? NodeState::busy
                           : free < node.procs ? NodeState::running
                                               : NodeState::idle;
    records.push_back(write_wiki(write_wiki_node(report)));
  }
  return write_wiki_records(records);
}

std::string FakeBatch::job_list() const {
  std::vector<std::string> records;
  for (const auto& [name, job] : jobs) {
    if (lists_no_jobs || !reported(job)) continue;
    WikiJob report;
    report.report.name = name;
    report.report.user = job.user;
    report.report.request.limit = job.limit;
    report.report.request.requirements.front().tasks = job.tasks;
    report.report.job.submitted = job.dated_submitted;
    report.report.job.started = job.dated_started;
    report.report.job.ended = job.dated_ended;
    report.report.job.suspended_time = job.suspended;
    report.task_list = job.nodes;
    report.state = job.state;
    if (job.busy && !job.waits()) report.use = JobUse{.cpu_seconds = job.cpu_seconds(now_)};
    records.push_back(write_wiki(write_wiki_job(report)));
  }
  return write_wiki_records(records);
}

WikiReply FakeBatch::answer(const WikiRequest& request) {
  if (request.command == "GETNODES") return {kWikiDone, node_list(), true};
  if (request.command == "GETJOBS") return {kWikiDone, job_list(), true};
  const auto job = jobs.find(request.argument);
  if (job == jobs.end()) return refused("no such job");
  return command(request, job->second);
}

WikiReply FakeBatch::command(const WikiRequest& request, BatchJob& job) {
  if (request.command == "STARTJOB") return start(job, wiki_list(request.option("TASKLIST")));
  if (job.ended_already()) return refused("it has ended");
  if (request.command == "CANCELJOB") {
    end(job, WikiState::removed, now_);
    return done();
  }
  if (request.command == "SUSPENDJOB" && job.state == WikiState::running) {
    job.state = WikiState::suspended;
    job.suspended_since = now_;
    return done();
  }
  if (request.command == "RESUMEJOB" && job.state == WikiState::suspended) {
    for (const BatchNode& node : nodes)
      if (std::count(job.nodes.begin(), job.nodes.end(), node.name) > free_procs(node)) {
        wrongs.push_back(fmt::format("{} is resumed on {}, which is taken", job.name, node.name));
        return refused("no room");
      }
    job.state = WikiState::running;
    job.suspended = job.suspended + (now_ - std::exchange(job.suspended_since, kForever));
    return done();
  }
  if (request.command == "REQUEUEJOB" && job.has_nodes()) {
    if (job.run_to_requeue != 0 && job.run_to_requeue != job.starts)
      wrongs.push_back(fmt::format("a later run of {} is requeued", job.name));
    give_back(job);
    return done();
  }
  return refused("not in this state");
}

WikiReply FakeBatch::start(BatchJob& job, const std::vector<std::string>& tasks) {
  if (job.kept_back) wrongs.push_back(fmt::format("{} is started in spite of a hold", job.name));
  if (!job.waits()) {
    if (job.hidden_until == Time(0)) wrongs.push_back(fmt::format("{} is started twice", job.name));
    return refused("it does not wait");
  }
  for (BatchNode& node : nodes) {
    const auto here = static_cast<int>(std::count(tasks.begin(), tasks.end(), node.name));
    if (here == 0) continue;
    if (node.down) return refused("the node is down");
    if (free_procs(node) < here) {
      wrongs.push_back(fmt::format("{} is started on {}, which is taken", job.name, node.name));
      return refused("no room");
    }
  }
  job.state = WikiState::running;
  job.started = now_;
  job.dated_started = now_ + clock_ahead;
  job.nodes = tasks;
  ++job.starts;
  return done();
}

}  // namespace maui::test
