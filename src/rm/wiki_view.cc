#include "rm/wiki_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/duration.h"

namespace maui {
namespace {

// Things that are noted are remembered so that each is said once; more than that nobody reads.
constexpr std::size_t kMostNotes = 1000;

// Attributes that tell how a job stands, not what it asks for.
constexpr std::array<std::string_view, 14> kStanding{
    "UPDATETIME", "STATE",   "STARTTIME", "COMPLETETIME", "TASKLIST", "PRIORITY",  "EXITCODE",
    "REJMESSAGE", "REJCODE", "REJCOUNT",  "SUSPENDTIME",  "EVENT",    "QUEUETIME", "NODES"};

bool tells_standing(std::string_view name) {
  return std::find(kStanding.begin(), kStanding.end(), name) != kStanding.end();
}

bool all_in(const WikiRecord& a, const WikiRecord& b, bool (*passed_over)(std::string_view)) {
  return std::all_of(a.attributes.begin(), a.attributes.end(), [&](const auto& one) {
    if (passed_over(one.first)) return true;
    const auto* other = b.find(one.first);
    return other != nullptr && *other == one.second;
  });
}

bool same(const WikiRecord& a, const WikiRecord& b, bool (*passed_over)(std::string_view)) {
  return all_in(a, b, passed_over) && all_in(b, a, passed_over);
}

// An answer takes a moment, in which a job may begin: its start is told right at the next poll.
constexpr Seconds kAnswer{2};

bool began_since(const WikiJob& job, const Job& here, Time now) {
  const Time started = job.report.job.started;
  return here.state == JobState::starting && job.active() && started < kForever && started > now &&
         started - now <= kAnswer;
}

bool tells_update(std::string_view name) { return name == "UPDATETIME"; }
bool is_no_limit(std::string_view name) { return name != "WCLIMIT"; }

JobState state_of(WikiState state) {
  switch (state) {
    case WikiState::starting:
      return JobState::starting;
    case WikiState::running:
      return JobState::running;
    case WikiState::suspended:
      return JobState::suspended;
    case WikiState::completed:
      return JobState::completed;
    case WikiState::removed:
      return JobState::removed;
    case WikiState::unknown:
      return JobState::not_queued;
    case WikiState::idle:
    case WikiState::hold:
      break;
  }
  return JobState::idle;
}

}  // namespace

bool WikiView::note(std::string text) {
  if (said_.size() >= kMostNotes || !said_.insert(text).second) return false;
  notes_.push_back(std::move(text));
  return true;
}

void WikiView::note(WikiNotes& notes) {
  for (const auto& name : notes.unknown)
    note(fmt::format("attribute {} is not known and has no effect", name));
  for (auto& problem : notes.problems) note(std::move(problem));
  notes = {};
}

std::vector<std::string> WikiView::take_notes() { return std::exchange(notes_, {}); }

Seconds WikiView::limit_of(const std::string& job) const {
  const auto known = jobs_.find(job);
  const auto* text = known == jobs_.end() ? nullptr : known->second.record.find("WCLIMIT");
  const auto limit = parse_duration(text == nullptr ? "UNLIMITED" : wiki_text(*text));
  return limit ? *limit : kUnlimited;
}

/// Null: nobody has it, or this one has; who had one that is forgotten does not matter.
const Node* WikiView::of_another(const Cluster& cluster, const std::string& node) const {
  const NodeId id = cluster.find_node(node);
  if (!id.valid() || cluster.node(id).purged || cluster.node(id).resource_manager == name_)
    return nullptr;
  return &cluster.node(id);
}

void WikiView::take_nodes(const WikiRecords& answer, bool all, const Cluster& cluster,
                          Update& update) {
  for (const auto& problem : answer.problems) note("nodes: " + problem);
  std::set<std::string_view> told;
  const auto take = [&](const WikiRecord& record) {
    auto& known = nodes_[record.id];
    if (const Node* other = of_another(cluster, record.id)) {
      note(fmt::format("node '{}' belongs to resource manager '{}' already: ignored", record.id,
                       other->resource_manager));
      known = {};  // another's to lose
      return;
    }
    WikiRecord next = known;
    next.id = record.id;
    if (all)
      next.attributes = record.attributes;
    else
      next.merge(record);
    if (!known.id.empty() && same(known, next, tells_update)) return;
    WikiNotes notes;
    auto node = read_wiki_node(next, notes);
    note(notes);
    if (!node) {
      note(node.error().what + "; what was known of it before stays");
      return;
    }
    known = std::move(next);
    partitions_ = partitions_ || !node->partition.empty();
    node->node.resource_manager = name_;
    std::erase(update.lost_nodes, record.id);
    update.nodes.push_back(*std::move(node));
  };
  for (const auto& record : answer.records) {
    told.insert(record.id);
    take(record);
  }
  if (!all || !answer.problems.empty()) return;  // a part of it may not have come
  std::erase_if(nodes_, [&](const auto& one) {
    if (told.contains(one.first)) return false;
    if (!one.second.id.empty() && of_another(cluster, one.first) == nullptr)
      update.lost_nodes.push_back(one.first);
    return true;
  });
}

void WikiView::clamp_times(WikiJob& job, Time now) {
  Job& times = job.report.job;
  for (Time* time : {&times.submitted, &times.started, &times.ended}) {
    if (*time <= now || *time == kForever) continue;
    note(fmt::format("the clock of resource manager '{}' is ahead: its times are taken as now",
                     name_));
    *time = now;
  }
  if (times.started == kForever) return;
  const Seconds most = std::min(times.ended, now) - times.started;
  if (times.suspended_time <= most) return;
  note(fmt::format("job '{}' is said to have been suspended for longer than since its start",
                   job.report.name));
  times.suspended_time = std::max(most, Seconds(0));
}

JobReport WikiView::report_of(WikiJob job) const {
  JobReport report = std::move(job.report);
  Job& own = report.job;
  own.resource_manager = name_;
  own.state = job.state ? state_of(*job.state) : JobState::idle;
  put(own.holds, Hold::user, job.state == WikiState::hold);
  if (!partitions_) report.partition.clear();
  report.task_list = std::move(job.task_list);
  own.ended = kForever;
  return report;
}

void WikiView::take_jobs(const WikiRecords& answer, bool all, const Cluster& cluster, Time now,
                         Update& update) {
  for (const auto& problem : answer.problems) note("jobs: " + problem);
  for (auto& [id, known] : jobs_) known.seen = false;
  for (const auto& record : answer.records) take_job(record, all, cluster, now, update);
  if (all && answer.problems.empty()) miss_jobs(cluster, update);
}

void WikiView::take_job(const WikiRecord& record, bool all, const Cluster& cluster, Time now,
                        Update& update) {
  KnownJob& known = jobs_[record.id];
  known.seen = true;
  const JobId id = cluster.find_job(record.id);
  const Job* here = id.valid() ? &cluster.job(id) : nullptr;
  if (here && here->resource_manager != name_) {
    note(fmt::format("job '{}' is one of resource manager '{}' already: ignored", record.id,
                     here->resource_manager));
    return;
  }
  WikiRecord next = known.record;
  next.id = record.id;
  if (all)
    next.attributes = record.attributes;
  else
    next.merge(record);
  const bool first = known.record.id.empty();
  const bool news = first || !same(known.record, next, tells_update);
  // Without news only a job that stands otherwise here has something to be told of.
  if (!news && (known.ended || known.spoiled)) return;
  if (!news && here && !known.lost && state_of(known.state) == here->state) return;

  WikiNotes notes;
  auto job = read_wiki_job(next, notes);
  note(notes);
  if (all && here && job && began_since(*job, *here, now)) return;
  const WikiRecord before = std::exchange(known.record, std::move(next));
  known.spoiled = !job;
  if (!job) {
    note(job.error().what);
    if (!here) update.arrived.push_back(unreadable(record.id, job.error().what));
    return;
  }
  clamp_times(*job, now);
  const WikiState stood = std::exchange(known.state, job->state.value_or(WikiState::unknown));
  if (job->ended()) {
    if (here && !known.ended) {
      if (here->state == JobState::starting) update.statuses.push_back(run_of(*job));
      update.ended.push_back(end_of(*job, here->started, now));
    }
    if (!here && first) {
      auto end = end_of(*job, job->report.job.started, now);
      update.past.push_back({whole_report(*std::move(job)), std::move(end)});
    }
    known.ended = true;
  } else if (here) {
    known.ended = false;
    const bool held_news = !first && (known.state == WikiState::hold) != (stood == WikiState::hold);
    tell_status(known, first || known.state != stood, held_news, *job, *here, update);
    const bool waits = here->waiting() && !job->active();
    if (!first && !same(before, known.record, waits ? tells_standing : is_no_limit))
      update.changed.push_back(report_of(*std::move(job)));
  } else if (job->active() || now >= known.gone_until) {
    known.ended = known.lost = false;
    update.arrived.push_back(whole_report(*std::move(job)));
  }
}

JobReport WikiView::unreadable(const std::string& id, const std::string& problem) const {
  WikiJob job;
  job.report.name = id;
  JobReport report = report_of(std::move(job));
  report.request.requirements.front().tasks = 1;
  report.problem = problem;
  return report;
}

// Not before the job was started, nor in the future.
JobEnd WikiView::end_of(const WikiJob& job, Time started, Time now) const {
  const Time when = job.report.job.ended == kForever ? now : job.report.job.ended;
  const Time least = started == kForever ? Time(0) : std::min(started, now);
  return {job.report.name, state_of(*job.state), std::clamp(when, least, now), job.exit_code};
}

JobStatus WikiView::run_of(const WikiJob& job) {
  JobStatus status{job.report.name, JobState::running};
  status.started = job.report.job.started;
  return status;
}

void WikiView::tell_status(KnownJob& known, bool news, bool held_news, const WikiJob& job,
                           const Job& here, Update& update) const {
  JobStatus status{job.report.name};
  if (held_news) status.held = known.state == WikiState::hold;
  if (known.state != WikiState::unknown &&
      (news || known.lost || state_of(known.state) != here.state)) {
    status.state = state_of(known.state);
    status.task_list = job.task_list;
    status.started = job.report.job.started;
  }
  known.lost = false;
  if (status.state || status.held) update.statuses.push_back(std::move(status));
}

JobReport WikiView::whole_report(WikiJob job) {
  const auto missing = missing_in(job);
  JobReport report = report_of(std::move(job));
  if (!missing.empty()) {
    note(fmt::format("job '{}' cannot be scheduled: {} missing", report.name, missing));
    report.problem = fmt::format("the resource manager does not tell {}", missing);
    auto& tasks = report.request.requirements.front().tasks;
    tasks = std::max(1, tasks);
  }
  return report;
}

void WikiView::miss_jobs(const Cluster& cluster, Update& update) {
  for (auto at = jobs_.begin(); at != jobs_.end();) {
    auto& [name, known] = *at;
    const JobId id = known.seen ? JobId() : cluster.find_job(name);
    const bool ours = id.valid() && cluster.job(id).resource_manager == name_;
    if (ours && !known.lost) {
      known.lost = true;
      update.lost.push_back(name);
    }
    at = known.seen || ours ? std::next(at) : jobs_.erase(at);
  }
}

}  // namespace maui
