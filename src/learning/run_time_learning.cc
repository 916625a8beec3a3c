#include "learning/run_time_learning.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "model/credentials.h"
#include "model/processor_equivalents.h"

namespace maui {
namespace {

const std::string& name_of(const Job& job) {
  return job.title.empty() ? job.executable : job.title;
}

JobTraits traits_of(const Cluster& cluster, const Job& job) {
  const Request& request = cluster.request(job.request);
  return {cluster.users[job.credentials.user], name_of(job), request.total_procs(), request.limit};
}

/// As long as it would have run on nodes of speed 1.
Seconds run_of(const Cluster& cluster, const Job& job) {
  const Seconds run = job.ended - job.started - job.suspended_time;
  const Request& request = cluster.request(job.request);
  if (!request.by_speed || request.limit >= kUnlimited) return run;
  const Seconds limit = cluster.limit_on(request, job.placement);
  if (limit <= Seconds(0) || limit == request.limit) return run;
  return Seconds(
      std::llround(static_cast<double>(run.raw()) * static_cast<double>(request.limit.raw()) /
                   static_cast<double>(limit.raw())));
}

// Whole processor-seconds, so that sums are the same in whatever order.
std::int64_t area(double equivalents, double seconds) {
  return std::llround(equivalents * seconds);
}

// Backfill looks at what is expected only where something fits.
bool something_may_start(const Cluster& cluster) {
  const std::int64_t open = cluster.counts().open_procs;
  const auto waiting = cluster.waiting();
  return std::any_of(waiting.begin(), waiting.end(), [&](const Waiting& line) {
    return cluster.request(line.request).total_procs() <= open ||
           (line.special && !cluster.job(line.job).alternatives.empty());
  });
}

bool waits_fairly(const RunTimes& times, JobId job) { return times.of(job).fair_wait < kUnlimited; }

void tell(Cluster& cluster, JobId id, const ExpectedRun& expected) {
  const double equivalents = processor_equivalents(cluster.configured(), cluster.request_of(id));
  RunTimes::OfJob& told = cluster.run_times.at(id);
  told.expected = expected;
  told.worth = expected.urgency / (std::sqrt(std::max(1.0, equivalents)) * expected.mean);
}

}  // namespace

RunTimeLearning::Known& RunTimeLearning::known(JobId job) {
  if (job.index() >= jobs_.size()) jobs_.resize(job.index() + 1);
  return jobs_[job.index()];
}

void RunTimeLearning::mark(std::size_t user) {
  if (!std::exchange(users_[user].marked, true)) marked_.push_back(user);
}

void RunTimeLearning::forget_marks() {
  for (const std::size_t user : marked_) users_[user].marked = false;
  marked_.clear();
}

void RunTimeLearning::arrived(const Cluster& cluster, JobId id) {
  const UserId owner = cluster.job(id).credentials.user;
  const std::size_t user = owner.valid() ? owner.index() + 1 : 0;
  if (user >= users_.size()) users_.resize(user + 1);
  auto& jobs = users_[user].jobs;
  known(id) = {nullptr, {}, 0, user, static_cast<std::uint32_t>(jobs.size()), true};
  jobs.push_back(id);
  fresh_.push_back(id);
}

void RunTimeLearning::changed(JobId id) {
  if (!known(id).known) return;
  known(id).run = nullptr;
  fresh_.push_back(id);
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

std::shared_ptr<const RunDistribution> RunTimeLearning::expect(const Cluster& cluster,
                                                               const Settings& settings,
                                                               const Job& job) const {
  const JobTraits traits = traits_of(cluster, job);
  const bool learned = learns(cluster, settings, job.credentials);
  return std::make_shared<const RunDistribution>(learned ? history_.expect(traits)
                                                         : RunTimeHistory::by_limit(traits.limit));
}

void RunTimeLearning::started(Cluster& cluster, const Settings& settings, JobId id) {
  if (settings.learning.use == LearningUse::none) return;
  if (cluster.run_times.of(id).promised_last) cluster.run_times.at(id).promised_last = false;
  Known& it = known(id);
  const Job& job = cluster.job(id);
  if (!it.known) return;
  if (!it.run || !settings.learning.decides() ||
      it.run->limit() != cluster.request(job.request).limit)
    it.run = expect(cluster, settings, job);
  it.said = calibration_.at_start(*it.run);
}

void RunTimeLearning::ended(Cluster& cluster, const Settings& settings, JobId id, bool natural) {
  cluster.run_times.forget(id);
  Known& it = known(id);
  if (!it.known) return;
  const Job& job = cluster.job(id);
  if (natural && job.started < kForever && settings.learning.use != LearningUse::none &&
      learns(cluster, settings, job.credentials)) {
    const Seconds run = run_of(cluster, job);
    if (it.run) calibration_.learn(*it.run, it.said, std::min(run, it.run->limit()));
    history_.learn(traits_of(cluster, job), run, job.ended);
    ++users_[it.user].ends;
    mark(it.user);
  }
  auto& jobs = users_[it.user].jobs;
  known(jobs.back()).place = it.place;
  jobs[it.place] = jobs.back();
  jobs.pop_back();
  it = {};
}

void RunTimeLearning::look_at(Cluster& cluster, const Settings& settings, JobId id) {
  Known& it = known(id);
  if (!it.known || !cluster.job(id).waiting()) return;
  it.run = expect(cluster, settings, cluster.job(id));
  it.as_of = users_[it.user].ends;
  tell(cluster, id, it.run->expected());
}

// Jobs that ask for the same under the same name share what is expected.
void RunTimeLearning::look_again(Cluster& cluster, const Settings& settings, std::size_t user) {
  const User& owner = users_[user];
  std::map<std::pair<RequestId, std::string_view>, JobId> first;
  for (const JobId id : owner.jobs) {
    const Job& job = cluster.job(id);
    Known& it = known(id);
    if (!job.waiting() || (it.run && it.as_of == owner.ends)) continue;
    const auto [like, fresh] = first.try_emplace({job.request, name_of(job)}, id);
    if (fresh || cluster.job(like->second).credentials != job.credentials) {
      look_at(cluster, settings, id);
      continue;
    }
    it.run = known(like->second).run;
    it.as_of = owner.ends;
    tell(cluster, id, it.run->expected());
  }
}

void RunTimeLearning::look_at_marked(Cluster& cluster, const Settings& settings) {
  for (const std::size_t user : marked_) look_again(cluster, settings, user);
  forget_marks();
}

// Jobs that have come are looked at first: their fair waits are reckoned with what was expected of
// the others until now.
void RunTimeLearning::refresh(Cluster& cluster, const Settings& settings, Time now) {
  const Seconds age = settings.learning.history_age;
  if (now - forgotten_ >= std::max(Seconds(kDaySeconds), Seconds(age.raw() / 16))) {
    history_.forget_before(now - age);
    forgotten_ = now;
  }
  if (!settings.learning.decides()) {
    if (std::exchange(told_, false)) cluster.run_times = {};
    all_ = true;
    forget_marks();
    fresh_.clear();
    return;
  }
  told_ = true;
  const bool everything = std::exchange(all_, false);
  if (everything)
    for (std::size_t user = 0; user < users_.size(); ++user) {
      for (const JobId id : users_[user].jobs)
        if (cluster.job(id).waiting()) known(id).run = nullptr;
      mark(user);
    }
  if (everything) look_at_marked(cluster, settings);
  if (!fresh_.empty() || everything) {
    for (const JobId id : fresh_)
      if (!known(id).run) look_at(cluster, settings, id);
    fresh_.clear();
    if (settings.learning.orders_queue()) set_fair_waits(cluster, settings, now);
  }
  if (settings.learning.orders_queue() || something_may_start(cluster))
    look_at_marked(cluster, settings);
}

std::int64_t RunTimeLearning::running_area(const Cluster& cluster, const Settings& settings,
                                           Time now) const {
  const Resources configured = cluster.configured();
  std::int64_t sum = 0;
  for (const Active& line : cluster.active()) {
    const Job& job = cluster.job(line.job);
    const Seconds elapsed = now - job.started - job.suspended_time;
    const auto& run = jobs_[line.job.index()].run;
    const double rest =
        run ? run->mean_rest(elapsed) : expect(cluster, settings, job)->mean_rest(elapsed);
    sum += area(processor_equivalents(configured, cluster.request(job.request)), rest);
  }
  return sum;
}

// A job that has come may wait for what runs, for those that wait already, and for itself.
void RunTimeLearning::set_fair_waits(Cluster& cluster, const Settings& settings, Time now) const {
  RunTimes& times = cluster.run_times;
  std::vector<JobId> without;
  for (const Waiting& line : cluster.waiting())
    if (!waits_fairly(times, line.job)) without.push_back(line.job);
  if (without.empty()) return;
  const Resources configured = cluster.configured();
  const auto area_of = [&](JobId id) {
    return area(processor_equivalents(configured, cluster.request_of(id)),
                times.of(id).expected.mean);
  };
  std::int64_t backlog = running_area(cluster, settings, now);
  for (const Waiting& line : cluster.waiting())
    if (waits_fairly(times, line.job) && !line.held) backlog += area_of(line.job);
  const double least = static_cast<double>(settings.learning.fair_start_limit.raw());
  const double procs = std::max(1.0, static_cast<double>(configured.procs()));
  for (const JobId id : without) {
    backlog += area_of(id);
    const double wait =
        least + settings.learning.fair_start_factor * static_cast<double>(backlog) / procs;
    constexpr double kMost = 1e15;
    times.at(id).fair_wait = Seconds(static_cast<std::int64_t>(std::min(wait, kMost)));
  }
}

void RunTimeLearning::note_promises(Cluster& cluster, const Plan& plan) {
  if (!plan.promises) return;
  RunTimes& times = cluster.run_times;
  for (const JobId id : times.promised_last) times.at(id).promised_last = false;
  times.promised_last.clear();
  for (const Plan::Promise& one : *plan.promises) {
    RunTimes::OfJob& told = times.at(one.job);
    told.promised = std::min(told.promised, one.start);
    told.promised_last = true;
    times.promised_last.push_back(one.job);
  }
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
  for (const RunTimeHistory::Kept& one : memory.rings) history_.restore(one);
  for (std::size_t i = 0; i < IntervalCalibration::kClasses; ++i)
    calibration_.restore(i, memory.factors[i], memory.coverage[i]);
}

RunForecast RunTimeLearning::forecast(const Cluster& cluster, const Settings& settings, JobId id,
                                      Time now) const {
  const Job& job = cluster.job(id);
  const bool runs = job.active();
  const bool stands =
      id.index() < jobs_.size() && jobs_[id.index()].run && (runs || settings.learning.decides());
  const auto run = stands ? jobs_[id.index()].run : expect(cluster, settings, job);
  RunForecast told;
  told.similar = run->similar();
  if (!runs) {
    told.expected = Seconds(
        std::llround(std::min(run->expected().mean, static_cast<double>(run->limit().raw()))));
    told.likely = calibration_.at_start(*run);
    return told;
  }
  constexpr Seconds kLeast{60};
  constexpr double kMedian = 0.5;
  const Seconds elapsed = now - job.started - job.suspended_time;
  const auto median = run->quantile_after(elapsed, kMedian);
  told.expected = median ? Seconds(static_cast<std::int64_t>(std::ceil(*median)))
                         : elapsed + std::max(elapsed, kLeast);
  told.expected = std::max(elapsed, std::min(told.expected, run->limit()));
  told.likely = calibration_.after(*run, elapsed);
  told.likely = {std::min(told.likely.low, told.expected),
                 std::max(told.likely.high, told.expected)};
  return told;
}

}  // namespace maui
