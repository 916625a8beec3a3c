// What the site's own programs are asked in an iteration, and what becomes of their answers.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "base/text.h"
#include "engine/state.h"
#include "model/job_extensions.h"

namespace maui {
namespace {

LocalJob local_job(const Cluster& cluster, const Job& job) {
  const auto& who = job.credentials;
  const auto& request = cluster.request(job.request);
  LocalJob made;
  made.name = job.name;
  if (who.user.valid()) made.user = cluster.users[who.user];
  if (who.group.valid()) made.group = cluster.groups[who.group];
  if (who.account.valid()) made.account = cluster.accounts[who.account];
  if (who.job_class.valid()) made.job_class = cluster.classes[who.job_class];
  if (who.qos.valid()) made.qos = cluster.qos[who.qos];
  made.state = job.state;
  made.held = job.holds != 0;
  made.procs = request.total_procs();
  for (const auto& one : request.requirements) made.nodes += std::max(one.nodes, one.least_nodes);
  made.limit = request.limit;
  made.submitted = job.submitted;
  made.queued = job.queued;
  if (job.active() || job.suspended()) made.started = job.started;
  return made;
}

LocalJob local_job(const JobReport& report) {
  LocalJob made;
  made.name = report.name;
  made.user = report.user;
  made.group = report.group;
  made.account = report.account;
  made.job_class = report.job_class;
  made.qos = report.qos;
  made.state = report.job.state;
  made.held = report.job.holds != 0;
  made.procs = report.request.total_procs();
  for (const auto& one : report.request.requirements)
    made.nodes += std::max(one.nodes, one.least_nodes);
  made.limit = report.request.limit;
  made.submitted = report.job.submitted;
  made.queued = report.job.submitted;
  return made;
}

bool backfills_locally(const Settings& settings) {
  return settings.backfill == BackfillPolicy::local ||
         std::any_of(
             settings.partition_policies.begin(), settings.partition_policies.end(),
             [](const auto& entry) { return entry.second.backfill == BackfillPolicy::local; });
}

LocalQuestion question_about_all(const Cluster& cluster, LocalHook hook, Time now) {
  const auto counts = cluster.counts();
  LocalQuestion question{hook, now, counts.open_procs, counts.available_procs, {}};
  const auto add = [&](JobId id) { question.jobs.push_back(local_job(cluster, cluster.job(id))); };
  for (const Waiting& line : cluster.waiting()) add(line.job);
  for (const Active& line : cluster.active()) add(line.job);
  for (const JobId id : cluster.suspended()) add(id);
  return question;
}

}  // namespace

/// What the site's program says of jobs that arrive, and of those whose requests change, is as if
/// their users had asked for it.
void Engine::State::describe_jobs(Update update) {
  for (; update.more.count > 0; --update.more.count) update.arrived.push_back(update.more.next());
  const auto counts = cluster.counts();
  LocalQuestion question{
      LocalHook::attributes, now(), counts.open_procs, counts.available_procs, {}};
  for (const auto* told : {&update.arrived, &update.changed})
    for (const JobReport& report : *told)
      if (report.job.waiting()) question.jobs.push_back(local_job(report));
  if (question.jobs.empty()) return take_in(std::move(update));
  const auto kept = std::make_shared<Update>(std::move(update));
  local->ask(std::move(question), [this, kept](std::optional<std::vector<LocalAnswer>> answers) {
    std::unordered_map<std::string, std::string> said;
    for (auto& one : answers.value_or(std::vector<LocalAnswer>{}))
      said[one.job] += (said[one.job].empty() ? "" : ";") + one.words;
    for (auto* told : {&kept->arrived, &kept->changed})
      for (JobReport& report : *told)
        if (const auto at = said.find(report.name); at != said.end()) describe(report, at->second);
    take_in(std::move(*kept));
  });
}

void Engine::State::describe(JobReport& report, const std::string& extensions) {
  JobReport described = report;
  if (const auto wrong = apply_extensions("x=" + extensions, described))
    return log(0, "fSCHED", [&] {
      return fmt::format("WARNING: JOBATTRIBUTEPROGRAM says '{}' of job '{}': {}; ignored",
                         extensions, report.name, *wrong);
    });
  report = std::move(described);
}

/// Then goes on with the iteration.
void Engine::State::consult(std::function<void()> next) {
  if (!cluster.local_words.empty()) cluster.local_words = {};
  const bool waits = std::any_of(cluster.waiting().begin(), cluster.waiting().end(),
                                 [](const Waiting& line) { return !line.held; });
  if (local == nullptr || !waits) return next();
  ask_locally(LocalHook::priority, [this, next = std::move(next)] {
    ask_locally(LocalHook::fairness, [this, next] {
      if (!backfills_locally(settings)) return next();
      ask_locally(LocalHook::backfill, next);
    });
  });
}

void Engine::State::ask_locally(LocalHook hook, std::function<void()> next) {
  if (!local->wants(hook)) return next();
  local->ask(question_about_all(cluster, hook, now()),
             [this, hook, next = std::move(next)](std::optional<std::vector<LocalAnswer>> answers) {
               if (answers) take_words(hook, *answers);
               next();
             });
}

void Engine::State::take_words(LocalHook hook, const std::vector<LocalAnswer>& answers) {
  LocalWords& words = cluster.local_words;
  if (hook == LocalHook::backfill) words.backfill.emplace();
  for (const LocalAnswer& one : answers) {
    const JobId id = cluster.find_job(one.job);
    if (!id.valid() || !cluster.job(id).waiting()) continue;  // meanwhile it is gone
    switch (hook) {
      case LocalHook::attributes:
        break;  // of jobs that are not known yet
      case LocalHook::priority:
        words.priority[id] = parse_number(one.words).value_or(0);
        break;
      case LocalHook::fairness:
        words.refused[id] = one.words;
        break;
      case LocalHook::backfill:
        words.backfill->push_back(id);
        break;
    }
  }
}

void Engine::consult_with(LocalPolicies& policies) { state_->local = &policies; }

}  // namespace maui
