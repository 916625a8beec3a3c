#include "learning/run_time_learning.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "learning/job_runs.h"
#include "model/credentials.h"

namespace maui {
namespace {

double apart(Seconds a, Seconds b) { return std::abs(static_cast<double>((a - b).raw())); }
double apart(Time a, Time b) { return std::abs(static_cast<double>((a - b).raw())); }

}  // namespace

RunTimeLearning::Known& RunTimeLearning::known(JobId job) {
  if (job.index() >= jobs_.size()) jobs_.resize(job.index() + 1);
  return jobs_[job.index()];
}

void RunTimeLearning::arrived(const Cluster& cluster, JobId id) {
  known(id) = {};
  fair_waits_.arrived(id);
  shorter_limits_.arrived(id);
  due_.arrived(id, cluster.job(id).credentials.user);
}

void RunTimeLearning::changed(JobId id) {
  if (!due_.knows(id)) return;
  known(id).run = nullptr;
  known(id).stated_start.reset();
  fair_waits_.changed(id);
  shorter_limits_.changed(id);
  due_.changed(id);
}

void RunTimeLearning::returned(Cluster& cluster, JobId id) {
  changed(id);
  if (cluster.run_times.of(id).promised < kForever) cluster.run_times.at(id).promised = kForever;
}

void RunTimeLearning::settings_changed() { all_ = true; }

bool RunTimeLearning::learns(const Cluster& cluster, const Settings& settings,
                             const Credentials& who) {
  const auto refuses = [&](CredentialKind kind) {
    const CredentialTable& table = table_of(settings, kind);
    const std::uint32_t number = number_of(who, kind);
    if (table.empty() || number == kNoCredential) return false;
    const auto says = [&](std::string_view name) -> std::optional<bool> {
      const auto at = table.find(name);
      return at == table.end() ? std::nullopt : at->second.learn;
    };
    const auto own = says(credential_name(cluster, kind, number));
    return !(own ? own : says("DEFAULT")).value_or(true);
  };
  return std::none_of(kCredentialKinds.begin(), kCredentialKinds.end(), refuses);
}

SharedRun RunTimeLearning::expect(const Cluster& cluster, const Settings& settings,
                                  const Job& job) const {
  const JobTraits traits = traits_of(cluster, job);
  const bool learned = learns(cluster, settings, job.credentials);
  return std::make_shared<const RunDistribution>(learned ? history_.expect(traits)
                                                         : RunTimeHistory::by_limit(traits.limit));
}

FairWaits::Expected RunTimeLearning::expected_of(const Cluster& cluster, const Settings& settings,
                                                 const Job& job) const {
  const std::size_t at = job.id.index();
  if (at < jobs_.size() && jobs_[at].run) return {jobs_[at].run, true};
  return {expect(cluster, settings, job), false};
}

void RunTimeLearning::started(Cluster& cluster, const Settings& settings, JobId id) {
  if (settings.learning.use == LearningUse::none) return;
  if (cluster.run_times.of(id).promised_last) cluster.run_times.at(id).promised_last = false;
  if (!due_.knows(id)) return;
  Known& it = known(id);
  const Job& job = cluster.job(id);
  if (!it.run || !settings.learning.decides() ||
      it.run->limit() != cluster.request(job.request).limit)
    it.run = expect(cluster, settings, job);
  it.said = calibration_.at_start(*it.run);
  fair_waits_.changed(id);
}

void RunTimeLearning::limit_changed(const Cluster& cluster, const Settings& settings, JobId id) {
  Known& it = known(id);
  if (!it.run) return;
  it.run = expect(cluster, settings, cluster.job(id));
  fair_waits_.changed(id);
}

ForecastTotals RunTimeLearning::judged(const Job& job, const Known& it, Seconds run,
                                       Seconds limit) const {
  ForecastTotals totals;
  totals.jobs = 1;
  totals.run_seconds = static_cast<double>(run.raw());
  totals.limit_seconds = static_cast<double>(limit.raw());
  if (it.run && it.run->similar() > 0) {
    constexpr double kMedian = 0.5;
    totals.foreseen = 1;
    totals.within = run >= it.said.low && run <= it.said.high ? 1 : 0;
    totals.error = std::abs(static_cast<double>(run.raw()) - it.run->quantile(kMedian));
    totals.limit_error = apart(run, limit);
  }
  if (it.stated_start) {
    totals.starts = 1;
    totals.start_error = apart(job.started, it.stated_start->expected);
    totals.limit_start_error = apart(job.started, it.stated_start->by_limits);
  }
  return totals;
}

RunTimeLearning::Lesson RunTimeLearning::ended(Cluster& cluster, const Settings& settings, JobId id,
                                               bool natural) {
  Lesson lesson;
  cluster.run_times.forget(id);
  if (!due_.knows(id)) return lesson;
  Known& it = known(id);
  const Job& job = cluster.job(id);
  if (natural && job.started < kForever && settings.learning.use != LearningUse::none &&
      learns(cluster, settings, job.credentials)) {
    Seconds run = run_at_speed_1(cluster, job);
    JobTraits traits = traits_of(cluster, job);
    lesson.totals = judged(job, it, std::min(run, traits.limit), traits.limit);
    if (const auto shorter = shorter_limits_.of(id);
        shorter && shorter->start < job.started && run <= shorter->limit)
      lesson.shorter = shorter;
    if (it.run) calibration_.learn(*it.run, it.said, std::min(run, it.run->limit()));
    if (const Seconds kept = job.kept_run; kept > Seconds(0)) {  // before it was checkpointed
      lesson.totals.run_seconds += static_cast<double>(kept.raw());
      lesson.totals.limit_seconds += static_cast<double>(kept.raw());
      traits.limit = traits.limit + kept;
      run = run + kept;
    }
    history_.learn(traits, run, job.ended);
    due_.learned_from(id);
  }
  due_.gone(id);
  it = {};
  return lesson;
}

void RunTimeLearning::look(Cluster& cluster, const Settings& settings, LikeJobs& like, JobId id) {
  if (!due_.knows(id) || !cluster.job(id).waiting()) return;
  const LikeJobs::Expected& expected = like.of(cluster.job(id));
  known(id).run = expected.run;
  due_.looked_at(id);
  cluster.run_times.at(id).expected = expected.run->expected();
  cluster.run_times.set_worth(id, expected.worth);
  if (settings.learning.orders_queue()) fair_waits_.note(cluster, id);
}

// Limits the work of one iteration where a user has very many jobs; later iterations update the
// remaining jobs.
void RunTimeLearning::look_at_due(Cluster& cluster, const Settings& settings, bool all) {
  constexpr std::size_t kMostWorkedOut = 100, kMostLookedAt = 20'000;
  LikeJobs like(cluster, [&](const Job& job) { return expect(cluster, settings, job); });
  for (std::size_t looked_at = 0;
       all || (looked_at < kMostLookedAt && like.worked_out() < kMostWorkedOut); ++looked_at) {
    const auto id = due_.next();
    if (!id) return;
    if (!known(*id).run || due_.outdated(*id)) look(cluster, settings, like, *id);
  }
}

void RunTimeLearning::look_at_all(Cluster& cluster, const Settings& settings) {
  for (const Waiting& line : cluster.waiting()) known(line.job).run = nullptr;
  due_.make_all_due();
  look_at_due(cluster, settings, true);
}

void RunTimeLearning::look_at_fresh(Cluster& cluster, const Settings& settings) {
  LikeJobs like(cluster, [&](const Job& job) { return expect(cluster, settings, job); });
  for (const JobId id : due_.take_fresh())
    if (!known(id).run) look(cluster, settings, like, id);
}

void RunTimeLearning::forget_old(const Settings& settings, Time now) {
  if (now - forgotten_ < Seconds(kDaySeconds)) return;
  history_.forget_before(now - settings.learning.history_age);
  forgotten_ = now;
}

void RunTimeLearning::stop_deciding(Cluster& cluster) {
  if (std::exchange(run_times_set_, false)) {
    cluster.run_times = {};
    fair_waits_ = {};
  }
  all_ = true;
  due_.forget_all_due();
}

// Updates new jobs first: their fair waits are based on the expectations that the other jobs have
// had until now.
void RunTimeLearning::refresh(Cluster& cluster, const Settings& settings, Time now) {
  forget_old(settings, now);
  if (!settings.learning.decides()) stop_deciding(cluster);
  cluster.run_times.shorter.reset();
  if (settings.learning.use != LearningUse::none)
    shorter_limits_.ask(cluster, now, [&](JobId id) {
      return ShorterLimits::enough_for(*expected_of(cluster, settings, cluster.job(id)).run,
                                       calibration_);
    });
  if (!settings.learning.decides()) return;
  run_times_set_ = true;
  const bool everything = std::exchange(all_, false);
  if (everything) look_at_all(cluster, settings);
  if (everything || due_.any_fresh()) {
    look_at_fresh(cluster, settings);
    if (settings.learning.orders_queue())
      fair_waits_.set(cluster, settings.learning, now,
                      [&](const Job& job) { return expected_of(cluster, settings, job); });
  }
  // Backfill uses the expected runs only where some job may fit.
  if (settings.learning.orders_queue() || cluster.some_job_may_fit())
    look_at_due(cluster, settings, false);
}

void RunTimeLearning::note_shorter(const Cluster& cluster, const Plan& plan, Time now) {
  shorter_limits_.note(cluster, plan, now);
}

void RunTimeLearning::note_shown_start(JobId id, Time expected, Time by_limits) {
  Known& it = known(id);
  if (due_.knows(id) && !it.stated_start) it.stated_start = {expected, by_limits};
}

RunTimeLearning::Memory RunTimeLearning::memory() const {
  return {history_.kept(), calibration_.factors(), calibration_.coverage()};
}

void RunTimeLearning::forget() {
  history_ = {};
  calibration_ = {};
  all_ = true;
}

void RunTimeLearning::restore(const Memory& memory) {
  for (const RunTimeHistory::Kept& ring : memory.rings) history_.restore(ring);
  for (std::size_t i = 0; i < IntervalCalibration::kClasses; ++i)
    calibration_.restore(i, memory.factors[i], memory.coverage[i]);
}

RunForecast RunTimeLearning::forecast(const Cluster& cluster, const Settings& settings, JobId id,
                                      Time now) const {
  const Job& job = cluster.job(id);
  const bool runs = job.active();
  const auto run = runs || settings.learning.decides() ? expected_of(cluster, settings, job).run
                                                       : expect(cluster, settings, job);
  RunForecast result;
  result.similar = run->similar();
  if (!runs) {
    result.expected = Seconds(
        std::llround(std::min(run->expected().mean, static_cast<double>(run->limit().raw()))));
    result.likely = calibration_.at_start(*run);
    return result;
  }
  constexpr Seconds kLeast{60};
  constexpr double kMedian = 0.5;
  const double pace = pace_of(cluster, job);
  const Seconds ran = job.run_so_far(now), elapsed = at_pace(ran, pace);
  const auto median = run->quantile_after(elapsed, kMedian);
  result.expected = median ? Seconds(static_cast<std::int64_t>(std::ceil(*median)))
                           : elapsed + std::max(elapsed, kLeast);
  result.expected = std::max(elapsed, std::min(result.expected, run->limit()));
  result.likely = calibration_.after(*run, elapsed);
  result.likely = {std::min(result.likely.low, result.expected),
                   std::max(result.likely.high, result.expected)};
  const auto here = [&](Seconds at_1) {
    return pace == 1 ? at_1
                     : std::max(ran, Seconds(static_cast<std::int64_t>(
                                         std::llround(static_cast<double>(at_1.raw()) / pace))));
  };
  result.expected = here(result.expected);
  result.likely = {here(result.likely.low), here(result.likely.high)};
  return result;
}

}  // namespace maui
