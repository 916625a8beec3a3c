#include "pbs/known_jobs.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "pbs/amounts.h"
#include "pbs/arrays.h"

namespace maui::pbs {

void KnownJobs::begin(std::vector<Object> jobs, JobNames began, const Surroundings& all) {
  auto tasks = waiting_tasks(jobs);
  std::move(tasks.begin(), tasks.end(), std::back_inserter(jobs));
  look_at(all);
  ++answers_;
  answer_ = {std::move(jobs), std::move(began)};
  answer_.records.records.reserve(answer_.jobs.size());
}

bool KnownJobs::read(std::size_t most) {
  auto& [jobs, began, next, records, waiting, suspended, running] = answer_;
  for (const auto end = std::min(jobs.size(), next + most); next < end; ++next)
    take(std::exchange(jobs[next], {}));
  return next == jobs.size();
}

void KnownJobs::take(Object job) {
  auto* entry = read(job);
  if (entry == nullptr) return;
  auto& [name, known] = *entry;
  known.answer = answers_;
  if (!known.runs && !known.ended) {
    if (answer_.began.contains(name) && !known.may_have_run) ++known.rejections;
    answer_.waiting.push_back(&known);
    return;
  }
  answer_.records.records.push_back(known.record);
  if (known.state == WikiState::suspended) answer_.suspended.insert(name);
  if (known.runs) answer_.running.add(known.queue, known.user);
}

KnownJobs::Report KnownJobs::take_report() {
  Answer answer = std::exchange(answer_, {});
  suspended_ = std::move(answer.suspended);
  running_ = std::move(answer.running);
  if (!lost_)
    for (const auto& [start, when] : late_starts_) note_run(start, when);
  Report report{std::move(answer.records), {}};
  for (const Known* job : answer.waiting) report.records.records.push_back(waiting_record(*job));
  report.gone = take_gone();
  lost_ = false;
  return report;
}

KnownJobs::Jobs::value_type* KnownJobs::read(Object& job) {
  const auto before = jobs_.find(job.name);
  if (before != jobs_.end() && !job.bytes.empty() && before->second.bytes == job.bytes)
    return &*before;
  auto wish = pbs::wish_of(job);
  const auto reported = reported_job(job, wish, beside_);
  if (!reported) return nullptr;
  auto& made = before != jobs_.end() ? *before : *jobs_.try_emplace(job.name).first;
  Known& known = made.second;
  const int rejections = known.rejections;
  const bool may_have_run = known.may_have_run || (known.runs && lost_);
  known = {};
  known.record = shared(write_wiki_job(*reported));
  if (wish) known.wish = *std::move(wish);
  known.queue = reported->report.job_class;
  known.user = reported->report.user;
  known.state = reported->state.value_or(WikiState::unknown);
  known.runs = reported->active() || known.state == WikiState::suspended;
  known.ended = reported->ended();
  if (known.runs) known.ending = ending_of(job);
  if (!known.ended) known.rejections = rejections;
  const bool once = job.has("Rerunable") && !is_true(job.get("Rerunable"));
  known.may_have_run = may_have_run && once && !known.runs && !known.ended;
  if (!depends_on_time(job, *reported)) known.bytes = std::move(job.bytes);
  return &made;
}

// With other nodes or queues, the same bytes may have a different meaning.
void KnownJobs::look_at(const Surroundings& all) {
  beside_.now = all.now;
  if (all.queues == beside_.queues && all.nodes == beside_.nodes &&
      all.features == beside_.features)
    return;
  beside_ = all;
  for (auto& [name, job] : jobs_) job.bytes.clear();
}

// If the server accepted a start and still reports the job as waiting, the mom did not accept the
// job.
SharedWikiRecord KnownJobs::waiting_record(const Known& job) const {
  constexpr std::string_view kTryElsewhere = "-910";
  const bool has_reason = job.record->find("WAITREASON") != nullptr;
  const auto waits_for = has_reason || job.runs ? std::string() : kept_back(job);
  if (!job.may_have_run && job.rejections == 0 && waits_for.empty()) return job.record;
  auto record = *job.record;
  if (job.may_have_run)
    record.set("HOLDREASON", wiki_escaped("it is not rerunnable, and the server requeued it after "
                                          "a restart: it may have run, or may still be running"));
  if (job.rejections > 0) {
    record.set("REJCOUNT", std::to_string(job.rejections));
    record.set("REJCODE", kTryElsewhere);
    if (record.find("REJMESSAGE") == nullptr)
      record.set("REJMESSAGE", wiki_escaped("PBS did not start it: see the server's log"));
  }
  if (!waits_for.empty()) record.set("WAITREASON", wiki_escaped(waits_for));
  return shared(std::move(record));
}

std::string KnownJobs::kept_back(const Known& job) const {
  return running_.keeps_back(beside_.queues, job.queue, job.user);
}

// Returns jobs that the last answer did not contain.
std::vector<WikiJob> KnownJobs::take_gone() {
  std::vector<WikiJob> gone;
  for (auto at = jobs_.begin(); at != jobs_.end();) {
    const Known& job = at->second;
    if (job.answer == answers_) {
      ++at;
      continue;
    }
    if (job.runs) {
      WikiNotes notes;
      auto& last = gone.emplace_back(read_wiki_job(*job.record, notes));
      if (job.ending) {
        last.exit_code = job.ending->exit_code;
        last.report.job.ended = job.ending->when;
      }
    }
    at = jobs_.erase(at);
  }
  return gone;
}

void KnownJobs::may_run(const WikiRequest& start, Time now) {
  late_starts_.emplace_back(start, now);
  note_run(start, now);
}

void KnownJobs::note_run(const WikiRequest& start, Time when) {
  if (!waits(start.argument)) return;
  Known& known = jobs_.find(start.argument)->second;
  known.bytes.clear();
  known.runs = true;
  auto record = *known.record;
  record.set("STARTTIME", std::to_string(when.raw()));
  record.set("TASKLIST", start.option("TASKLIST"));
  known.record = shared(std::move(record));
  running_.add(known.queue, known.user);
  // The answer being read shows the job as waiting.
  if (known.answer == answers_) answer_.running.add(known.queue, known.user);
}

void KnownJobs::note_suspended(const std::string& job, bool suspended) {
  if (suspended)
    suspended_.insert(job);
  else
    suspended_.erase(job);
}

bool KnownJobs::waits(const std::string& job) const {
  const auto known = jobs_.find(job);
  return known != jobs_.end() && !known->second.runs && !known->second.ended;
}

const Wish* KnownJobs::wish_of(const std::string& job) const {
  const auto known = jobs_.find(job);
  return known != jobs_.end() && known->second.wish ? &*known->second.wish : nullptr;
}

JobNames KnownJobs::starting() const {
  JobNames names;
  for (const auto& [name, job] : jobs_)
    if (job.state == WikiState::starting) names.insert(name);
  return names;
}

std::string KnownJobs::kept_back_by_queue(const std::string& job) const {
  const auto known = jobs_.find(job);
  return waits(job) ? kept_back(known->second) : std::string();
}

}  // namespace maui::pbs
