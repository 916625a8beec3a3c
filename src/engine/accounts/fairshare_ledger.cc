#include "engine/accounts/fairshare_ledger.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "model/busy_procs.h"
#include "sched/priority/fairshare.h"
#include "sched/priority/priority.h"

namespace maui {
namespace {

constexpr Seconds kSeldom{3600};

/// Returns the mean speed of the job's nodes, weighted by tasks.
double mean_speed(const Cluster& cluster, const Job& job) {
  double speeds = 0, tasks = 0;
  for (const NodeTasks& share : job.placement) {
    speeds += cluster.node(share.node).speed * share.tasks;
    tasks += share.tasks;
  }
  return tasks > 0 ? speeds / tasks : 1;
}

// Returns the use that one second of the job counts.
double plain_rate_of(const Cluster& cluster, const Job& job, FairshareMetric metric) {
  switch (metric) {
    case FairshareMetric::dedicated_pe_seconds:
      return processor_equivalents(cluster, cluster.request(job.request));
    case FairshareMetric::utilised_proc_seconds:
      return utilised_procs(cluster, job);
    case FairshareMetric::none:
    case FairshareMetric::dedicated_proc_seconds:
      break;
  }
  return cluster.request(job.request).total_procs();
}

double rate_of(const Cluster& cluster, const Job& job, const FairshareSettings& settings) {
  const double rate = plain_rate_of(cluster, job, settings.metric);
  return settings.machine_speed ? rate * mean_speed(cluster, job) : rate;
}

// How long a killed scheduler may have charged after its last checkpoint; ends of jobs further back
// may no longer be reported.
constexpr Seconds kMostAhead{3600};

/// Compares up to the three decimals that files have.
bool about_equal(const FairshareWindow& a, const FairshareWindow& b) {
  const auto same = [](double x, double y) { return std::abs(x - y) < 0.001; };
  const auto all_same = [&](std::vector<double> x, std::vector<double> y) {
    const auto size = std::max(x.size(), y.size());
    x.resize(size);
    y.resize(size);
    return std::equal(x.begin(), x.end(), y.begin(), same);
  };
  bool equal = a.length == b.length && same(a.total, b.total);
  for (const auto kind : kCredentialKinds) equal = equal && all_same(a.used[kind], b.used[kind]);
  return equal;
}

/// Returns the window that begins then; null if there is none.
const FairshareWindow* find_window(const std::vector<FairshareWindow>& windows, Time start) {
  const auto at = std::find_if(windows.begin(), windows.end(),
                               [start](const auto& window) { return window.start == start; });
  return at == windows.end() ? nullptr : &*at;
}

/// Returns the start of the oldest window that counts.
Time oldest_window(const FairshareSettings& settings, Time now) {
  const std::int64_t age = std::max(settings.depth - 1, 0);
  return window_start(settings.interval, now) - length_of_windows(settings.interval, age);
}

bool has_ended(const Job& job) {
  return job.state == JobState::completed || job.state == JobState::removed;
}

}  // namespace

void FairshareLedger::begin(FairshareHistory known) {
  history_ = std::move(known);
  known_until_ = history_.complete_until;
  restored_ = {history_.complete_until, history_.steps.size()};
  charged_.clear();
  changed_.reset();
  changed_ahead_ = false;
}

bool FairshareLedger::resume(FairshareHistory checkpoint, const FairshareSettings& settings,
                             bool in_good_order, const std::vector<Time>& unwritten,
                             Seconds clock_set, Time now) {
  // The files are by the clock as it stood, or as it now stands if it was set before a kill.
  const Time then = checkpoint.complete_until - clock_set;
  const Seconds ahead = history_.complete_until - std::max(then, checkpoint.complete_until);
  if (ahead > kMostAhead) return false;  // too much would be lost that is not reported again
  // Otherwise a later scheduler wrote them and was killed before it wrote a checkpoint.
  const Time latest = then + std::max(now - checkpoint.complete_until, Seconds(0));
  const bool same_files = in_good_order && history_.complete_until <= then &&
                          std::none_of(history_.files_until.begin(), history_.files_until.end(),
                                       [&](Time until) { return until > then && until <= latest; });
  const auto& files = history_.windows;
  const auto is_unwritten = [&](const FairshareWindow& window) {
    return std::find(unwritten.begin(), unwritten.end(), window.start) != unwritten.end();
  };
  std::erase_if(checkpoint.windows, [&](const auto& window) {
    return !find_window(files, window.start) && !is_unwritten(window);
  });
  if (same_files)
    for (FairshareWindow& window : checkpoint.windows) {
      if (is_unwritten(window)) continue;
      if (const auto* file = find_window(files, window.start); !about_equal(*file, window))
        window = *file;
    }
  // The files may have windows that did not count when the checkpoint was written.  All use in
  // those that had not ended then is later, by the clock as it stood or, if it was set back, as it
  // now stands.
  const Time current = window_start(settings.interval, std::min(then, checkpoint.complete_until));
  Time oldest = checkpoint.complete_until;  // that is written again
  for (const FairshareWindow& window : files) {
    if (find_window(checkpoint.windows, window.start)) continue;
    if (window.start < current) {
      checkpoint.windows.push_back(window);
    } else if (!same_files) {
      checkpoint.windows.push_back({window.start, window.length, 0, {}});
      oldest = std::min(oldest, window.start);
    }
  }
  // A scheduler that was killed before it wrote these again has not made them agree.
  if (!same_files)
    for (const FairshareWindow& window : checkpoint.windows)
      if (const auto* file = find_window(files, window.start);
          file != nullptr && !about_equal(*file, window))
        oldest = std::min(oldest, window.start);
  std::sort(checkpoint.windows.begin(), checkpoint.windows.end(),
            [](const auto& a, const auto& b) { return a.start > b.start; });
  history_ = std::move(checkpoint);
  restored_ = {history_.complete_until - clock_set, history_.steps.size()};
  known_until_ = Time(0);  // each job is restored with its own charged part
  charged_.clear();
  changed_ahead_ = !same_files;
  if (!same_files)
    changed_ =
        window_start(settings.interval, std::min(oldest, history_.complete_until - clock_set));
  for (const Time start : unwritten) changed_ = std::min(changed_.value_or(start), start);
  if (clock_set != Seconds(0)) note_step(settings, restored_.at, history_.complete_until);
  return true;
}

void FairshareLedger::restore(JobId job, const Charged& charged) {
  if (job.index() >= charged_.size()) charged_.resize(job.index() + 1);
  charged_[job.index()] = charged;
  charged_[job.index()].until = restored_.at;
  charged_[job.index()].steps = restored_.steps;
}

FairshareLedger::Charged FairshareLedger::charged(const Job& job) const {
  const bool known =
      job.id.index() < charged_.size() && charged_[job.id.index()].started == job.started;
  return known ? charged_[job.id.index()] : Charged{.started = job.started};
}

// Returns how much of its run the job was charged; for a new run, what the initial history has.
Seconds FairshareLedger::known_run(const Job& job, Seconds run) {
  if (job.id.index() >= charged_.size()) charged_.resize(job.id.index() + 1);
  auto& charged = charged_[job.id.index()];
  if (charged.started != job.started)
    charged = {.started = job.started,
               .run = std::clamp(known_until_ - job.started, Seconds(0), run),
               .until = restored_.at,
               .steps = restored_.steps};
  return charged.run;
}

// True if more CPU time is reported than was charged; of a job that has ended, also if less is.
bool FairshareLedger::owes_cpu_time(const FairshareSettings& settings, const Job& job) const {
  const auto& known = charged_[job.id.index()].cpu_seconds;
  const auto& reported = job.use->cpu_seconds;
  return settings.metric == FairshareMetric::utilised_proc_seconds && !job.recorded && known &&
         reported && (*reported > *known || (*reported < *known && has_ended(job)));
}

// Returns what one second of `more`, the uncharged time, counts.  If CPU time is reported, all
// charges of the job add up to it, however rarely it is measured.
double FairshareLedger::rate_since(const Cluster& cluster, const FairshareSettings& settings,
                                   const Job& job, Seconds more) {
  auto& known = charged_[job.id.index()].cpu_seconds;
  const double rate = rate_of(cluster, job, settings);
  if (settings.metric != FairshareMetric::utilised_proc_seconds || job.recorded) {
    known.reset();
    return rate;
  }
  const auto seconds = static_cast<double>(more.raw());
  const double plain = utilised_procs(cluster, job);
  if (!known && charged_[job.id.index()].run == Seconds(0)) known = 0;
  const auto& reported = job.use->cpu_seconds;
  // An amount that was charged too much before it was reported counts for what follows, or is
  // refunded.
  const double least = has_ended(job) ? std::numeric_limits<double>::lowest() : 0.0;
  const double owed = reported && known ? std::max(*reported - *known, least) : plain * seconds;
  if (known) *known += owed;
  if (reported && !known) known = reported;
  return plain > 0 ? rate / plain * owed / seconds : 0;
}

void FairshareLedger::settle(const Cluster& cluster, const FairshareSettings& settings, JobId id,
                             Time until) {
  const Job& job = cluster.job(id);
  if (job.suspended()) until = std::min(until, job.suspended_since);
  const Seconds run = std::max(until - job.started - job.suspended_time, Seconds(0));
  Seconds more = run - known_run(job, run);
  if (more == Seconds(0)) {
    if (!owes_cpu_time(settings, job)) return;
    more = Seconds(1);  // the use that is reported late counts in the last second
  }
  const double rate = rate_since(cluster, settings, job, more);
  Charged& charged = charged_[id.index()];
  charged.run = run;
  Moment end{until, history_.steps.size()};
  if (more > Seconds(0)) {  // contiguous, but for a break at the last charge
    record_last(settings, job, rate, Entry::charge, more, end);
  } else {
    const Seconds time = Seconds(0) - more;
    end = record_last(settings, job, rate, Entry::refund, time, last_charge(job, time, until));
  }
  charged.until = end.at;
  charged.steps = end.steps;
}

/// Returns the end of what was charged last for the job, of which that much is refunded.
FairshareLedger::Moment FairshareLedger::last_charge(const Job& job, Seconds refunded,
                                                     Time until) const {
  const Charged& charged = charged_[job.id.index()];
  if (charged.steps < history_.steps.size()) return {charged.until, charged.steps};
  return {std::min(until + refunded, history_.complete_until), charged.steps};
}

/// Records use in the last `time` until `end`, and returns where that time began.  What was before
/// a step of the clock is in the windows of the clock as it stood then.
FairshareLedger::Moment FairshareLedger::record_last(const FairshareSettings& settings,
                                                     const Job& job, double rate, Entry entry,
                                                     Seconds time, Moment end) {
  const auto record_from = [&](Time from) {
    if (entry == Entry::charge)
      record(settings, job, rate, from, end.at);
    else
      record(settings, job, rate, end.at, from);
  };
  for (; end.steps > 0 && end.at - time < history_.steps[end.steps - 1].to; --end.steps) {
    const FairshareStep& step = history_.steps[end.steps - 1];
    if (end.at > step.to) {
      record_from(step.to);
      time = time - (end.at - step.to);
    }
    end.at = std::min(end.at - (step.to - step.from), step.from);
  }
  record_from(end.at - time);
  end.at = end.at - time;
  return end;
}

/// Records use in that time, backwards to refund it.  Windows that no longer count are not made,
/// however old the job's reported start; a refund changes those that counted when it was charged.
void FairshareLedger::record(const FairshareSettings& settings, const Job& job, double rate,
                             Time from, Time until) {
  const bool refunds = until < from;
  if (refunds && history_.windows.empty()) return;
  const Time oldest = refunds
                          ? std::max(oldest_window(settings, from), history_.windows.back().start)
                          : oldest_window(settings, std::max(until, history_.complete_until));
  from = std::max(from, oldest);
  until = std::max(until, oldest);
  if (from == until) return;
  const std::size_t windows = history_.windows.size();
  record_use(history_, settings.interval, job.credentials, rate, from, until);
  new_window_ = new_window_ || history_.windows.size() > windows;
  const Time first = std::min(from, until);
  changed_ = std::min(changed_.value_or(first), first);
  if (window_start(settings.interval, std::max(from, until)) > history_.complete_until)
    changed_ahead_ = true;
}

FairshareWindow FairshareLedger::second_of(const Cluster& cluster,
                                           const FairshareSettings& settings, Time now) {
  FairshareHistory second;
  for (const Active& line : cluster.active())
    if (const Job& job = cluster.job(line.job); job.state != JobState::starting)
      record_use(second, settings.interval, job.credentials, rate_of(cluster, job, settings), now,
                 now + Seconds(1));
  return second.windows.empty() ? FairshareWindow{} : std::move(second.windows.front());
}

/// Use that has not been charged yet counts in the window of the clock as it stood: that window
/// exists in the next checkpoint, so that its file is known to have later use.
void FairshareLedger::note_step(const FairshareSettings& settings, Time from, Time to) {
  history_.steps.push_back({from, to});
  const Time start = window_start(settings.interval, from);
  if (start < oldest_window(settings, to)) return;
  if (find_window(history_.windows, start) != nullptr) return;
  history_.windows.push_back({start, settings.interval, 0, {}});
  std::sort(history_.windows.begin(), history_.windows.end(),
            [](const auto& a, const auto& b) { return a.start > b.start; });
  changed_ = std::min(changed_.value_or(start), start);
  changed_ahead_ = true;
}

/// All files of windows since then are written again, so that none is complete until a time by the
/// clock as it stood.
void FairshareLedger::clock_stepped(const FairshareSettings& settings, Seconds by) {
  note_step(settings, history_.complete_until, history_.complete_until + by);
  history_.complete_until = history_.complete_until + by;
  const Time current = window_start(settings.interval, history_.complete_until);
  if (by >= Seconds(0)) return;
  changed_ = std::min(changed_.value_or(current), current);
  changed_ahead_ = true;
}

std::size_t FairshareLedger::unreported() const {
  if (!changed_) return 0;
  return static_cast<std::size_t>(std::count_if(
      history_.windows.begin(), history_.windows.end(),
      [&](const FairshareWindow& window) { return window.start + window.length > *changed_; }));
}

void FairshareLedger::forget(JobId job) {
  if (job.index() < charged_.size()) charged_[job.index()] = {};
}

void FairshareLedger::accrue(const Cluster& cluster, const FairshareSettings& settings, Time now,
                             const Changed& changed) {
  const bool seldom =
      settings.metric == FairshareMetric::none && !std::exchange(new_window_, false);
  if (seldom && now - history_.complete_until < kSeldom) return;
  for (const Active& line : cluster.active())
    if (cluster.job(line.job).state != JobState::starting) settle(cluster, settings, line.job, now);
  for (const JobId id : cluster.suspended()) settle(cluster, settings, id, now);
  history_.complete_until = now;
  report(settings, now, changed);
  forget_old_windows(history_, settings, now);
}

void FairshareLedger::report(const FairshareSettings& settings, Time now, const Changed& changed) {
  if (!changed_) return;
  const Time from = window_start(settings.interval, *changed_);
  const bool ahead_too = std::exchange(changed_ahead_, false);
  changed_.reset();
  for (auto window = history_.windows.rbegin(); window != history_.windows.rend(); ++window) {
    const bool ahead = window->start > now;
    if (window->start < from || (ahead && !ahead_too)) continue;
    const bool over = window->start + window->length <= now;
    changed(*window, over);
    if (!over && !ahead) changed_ = std::min(changed_.value_or(window->start), window->start);
  }
}

}  // namespace maui
