#include "engine/actions/site_policies.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "engine/knowledge.h"
#include "engine/tools.h"
#include "model/credentials.h"
#include "model/job_extensions.h"
#include "sched/rules/partition_policies.h"

namespace maui {
namespace {

/// Fills in everything but the names.
LocalJob local_job(const Job& job, const Request& request) {
  LocalJob made;
  made.state = job.state;
  made.held = job.holds != 0;
  made.procs = request.total_procs();
  made.nodes = request.nodes_named();
  made.limit = request.limit;
  made.submitted = job.submitted;
  made.queued = job.queued;
  if (job.active() || job.suspended()) made.started = job.started;
  return made;
}

LocalJob local_job(const Cluster& cluster, const Job& job) {
  LocalJob made = local_job(job, cluster.request(job.request));
  made.name = job.name;
  fill_names(cluster, job.credentials, made);
  return made;
}

/// Converts an arriving job, which counts as queued since its submission.
LocalJob local_job(const JobReport& report, Time now) {
  LocalJob made = local_job(report.job, report.request);
  made.name = report.name;
  made.user = report.user;
  made.group = report.group;
  made.account = report.account;
  made.job_class = report.job_class;
  made.qos = report.qos;
  if (made.submitted <= Time(0)) made.submitted = now;  // submission time unknown
  made.queued = made.submitted;
  return made;
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

void take_words(Cluster& cluster, LocalHook hook, const std::vector<LocalAnswer>& answers) {
  LocalWords& words = cluster.local_words;
  if (hook == LocalHook::backfill) words.backfill.emplace();
  for (const LocalAnswer& answer : answers) {
    const JobId id = cluster.find_job(answer.job);
    if (!id.valid() || !cluster.job(id).waiting()) continue;  // the job is gone
    switch (hook) {
      case LocalHook::attributes:
        break;  // these concern unknown jobs
      case LocalHook::priority:
        words.priority[id] = parse_number(answer.words).value_or(0);
        break;
      case LocalHook::fairness:
        words.refused[id] = answer.words;
        break;
      case LocalHook::backfill:
        words.backfill->push_back(id);
        break;
    }
  }
}

}  // namespace

SitePolicies::SitePolicies(const EngineTools& tools)
    : tools_(tools), cluster_(tools.known.cluster), settings_(tools.known.settings) {}

/// Asks JOBATTRIBUTEPROGRAM about arriving and changed jobs; its answers count as if the user had
/// requested them.  The nodes of the update have been applied before.
void SitePolicies::ask_for_attributes(Update& update, std::function<void()> next) {
  if (programs_ == nullptr || !programs_->wants(LocalHook::attributes)) return next();
  auto& more = update.more;
  for (; more.count > 0; --more.count) update.arrived.push_back(more.next());
  const auto counts = cluster_.counts();
  LocalQuestion question{
      LocalHook::attributes, tools_.now(), counts.open_procs, counts.available_procs, {}};
  for (const auto* listed : {&update.arrived, &update.changed})
    for (const JobReport& report : *listed)
      if (report.job.waiting()) question.jobs.push_back(local_job(report, tools_.now()));
  if (question.jobs.empty()) return next();
  programs_->ask(std::move(question), [this, &update, next = std::move(next)](
                                          const std::optional<std::vector<LocalAnswer>>& answers) {
    if (answers) take_attributes(update, *answers);
    next();
  });
}

void SitePolicies::take_attributes(Update& update, const std::vector<LocalAnswer>& answers) const {
  std::unordered_map<std::string, std::string> said;
  for (const LocalAnswer& answer : answers)
    said[answer.job] += (said[answer.job].empty() ? "" : ";") + answer.words;
  for (auto* listed : {&update.arrived, &update.changed})
    for (JobReport& report : *listed)
      if (const auto at = said.find(report.name); at != said.end())
        add_attributes(report, at->second);
}

void SitePolicies::add_attributes(JobReport& report, const std::string& extensions) const {
  JobReport described = report;
  if (const auto wrong = apply_extensions("x=" + extensions, described))
    return tools_.journal.log_of(LineCause::job, report.user, 0, "fSCHED", [&] {
      return fmt::format("WARNING: JOBATTRIBUTEPROGRAM returned '{}' for job '{}': {}; ignored",
                         extensions, report.name, wrong->what);
    });
  report = std::move(described);
}

void SitePolicies::consult(std::function<void()> next) {
  if (!cluster_.local_words.empty()) cluster_.local_words = {};
  const bool waits = std::any_of(cluster_.waiting().begin(), cluster_.waiting().end(),
                                 [](const Waiting& line) { return !line.held; });
  if (!waits || !asks_about_queue()) return next();
  ask(LocalHook::priority, [this, next = std::move(next)] {
    ask(LocalHook::fairness, [this, next] {
      if (!backfills_locally(settings_)) return next();
      ask(LocalHook::backfill, next);
    });
  });
}

bool SitePolicies::asks_about_queue() const {
  return programs_ != nullptr &&
         (programs_->wants(LocalHook::priority) || programs_->wants(LocalHook::fairness) ||
          (backfills_locally(settings_) && programs_->wants(LocalHook::backfill)));
}

void SitePolicies::ask(LocalHook hook, std::function<void()> next) {
  if (!programs_->wants(hook)) return next();
  programs_->ask(
      question_about_all(cluster_, hook, tools_.now()),
      [this, hook, next = std::move(next)](std::optional<std::vector<LocalAnswer>> answers) {
        if (answers) take_words(cluster_, hook, *answers);
        next();
      });
}

}  // namespace maui
