#include "engine/actions/site_policies.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/text.h"
#include "engine/actions/site_attributes.h"
#include "engine/checkpoint/pending_restore.h"
#include "engine/knowledge.h"
#include "engine/tools.h"
#include "model/credentials.h"
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
  keep_attributes(update);
  if (!gives_attributes()) {
    to_ask_again_.clear();
    return next();
  }
  auto& more = update.more;
  for (; more.count > 0; --more.count) update.arrived.push_back(more.next());
  forget_outdated(update);
  const auto counts = cluster_.counts();
  LocalQuestion question{
      LocalHook::attributes, tools_.now(), counts.open_procs, counts.available_procs, {}};
  for (const auto* listed : {&update.arrived, &update.changed, &to_ask_again_})
    for (const JobReport& report : *listed)
      if (report.job.waiting()) question.jobs.push_back(local_job(report, tools_.now()));
  if (question.jobs.empty()) return next();
  programs_->ask(std::move(question), [this, &update, next = std::move(next)](
                                          const std::optional<std::vector<LocalAnswer>>& answers) {
    if (answers)
      take_attributes(update, *answers);
    else
      go_on_without_attributes(update);
    next();
  });
}

/// True also if the program is missing: the words of its last answer count.
bool SitePolicies::gives_attributes() const {
  return programs_ != nullptr &&
         (!settings_.local.attribute_program.empty() || programs_->wants(LocalHook::attributes));
}

/// Forgets which jobs to ask about again that do not wait any more, or are reported anew.
void SitePolicies::forget_outdated(const Update& update) {
  if (to_ask_again_.empty()) return;
  std::unordered_set<std::string_view> reported;
  for (const auto* listed : {&update.arrived, &update.changed})
    for (const JobReport& report : *listed) reported.insert(report.name);
  std::erase_if(to_ask_again_, [&](const JobReport& report) {
    const JobId id = cluster_.find_job(report.name);
    return reported.contains(report.name) || !id.valid() || !cluster_.job(id).waiting();
  });
}

/// A run keeps what it has begun with, also if its request is reported to have changed.
void SitePolicies::keep_attributes(Update& update) const {
  SiteWords& words = tools_.known.site_words;
  words.arriving.clear();
  if (words.known.empty()) return;
  for (JobReport& report : update.changed)
    if (!report.job.waiting()) give_site_words(tools_, words_so_far(report), report, words.known);
}

/// Gives the waiting jobs of an update the words that `words_for` returns for each.
template <class WordsFor>
void SitePolicies::give_words(Update& update, WordsFor words_for) const {
  SiteWords& words = tools_.known.site_words;
  for (JobReport& report : update.arrived)
    if (report.job.waiting()) give_site_words(tools_, words_for(report), report, words.arriving);
  for (JobReport& report : update.changed)
    if (report.job.waiting()) give_site_words(tools_, words_for(report), report, words.known);
}

/// Returns the words that have counted so far, also before a restart.
std::string SitePolicies::words_so_far(const JobReport& report) const {
  const EngineKnowledge& known = tools_.known;
  if (known.pending_restore.jobs.contains(report.name)) {
    const auto* saved = saved_state(known.pending_restore, report, tools_.manager_of(report.job));
    return saved == nullptr ? "" : saved->site_words;
  }
  return cluster_.find_job(report.name).valid() ? known.site_words.of(report.name) : "";
}

void SitePolicies::take_attributes(Update& update, const std::vector<LocalAnswer>& answers) {
  std::unordered_map<std::string, std::string> said;
  for (const LocalAnswer& answer : answers)
    said[answer.job] += (said[answer.job].empty() ? "" : ";") + answer.words;
  const auto words_for = [&](const JobReport& report) {
    const auto at = said.find(report.name);
    return at == said.end() ? std::string() : at->second;
  };
  give_words(update, words_for);
  if (std::exchange(in_vain_, false))
    tools_.log(1, "fSCHED", [] { return "JOBATTRIBUTEPROGRAM has answered again"; });
  // A job about which the program has nothing new to say need not change.
  for (JobReport& report : std::exchange(to_ask_again_, {})) {
    const std::string words = words_for(report);
    if (words == words_so_far(report) || !cluster_.find_job(report.name).valid()) continue;
    give_site_words(tools_, words, report, tools_.known.site_words.known);
    update.changed.push_back(std::move(report));
  }
}

void SitePolicies::go_on_without_attributes(Update& update) {
  for (const auto* listed : {&update.arrived, &update.changed})
    for (const JobReport& report : *listed)
      if (report.job.waiting()) to_ask_again_.push_back(report);
  give_words(update, [this](const JobReport& report) { return words_so_far(report); });
  if (std::exchange(in_vain_, true)) return;
  tools_.log(1, "fSCHED", [&] {
    return fmt::format(
        "JOBATTRIBUTEPROGRAM has not answered: it is asked about {} again in the next iteration; "
        "until it answers, its last words about each job count",
        counted(to_ask_again_.size(), "job"));
  });
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
