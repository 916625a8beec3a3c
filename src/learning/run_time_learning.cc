#include "learning/run_time_learning.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>
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

/// How many seconds on a node of speed 1 a second on the nodes of a job is worth.
double pace_of(const Cluster& cluster, const Job& job) {
  const Request& request = cluster.request(job.request);
  if (!request.by_speed || request.limit >= kUnlimited) return 1;
  const Seconds limit = cluster.limit_on(request, job.placement);
  if (limit <= Seconds(0) || limit == request.limit) return 1;
  return static_cast<double>(request.limit.raw()) / static_cast<double>(limit.raw());
}

/// In whole seconds that are over.
Seconds times(Seconds time, double factor) {
  return factor == 1 ? time
                     : Seconds(static_cast<std::int64_t>(static_cast<double>(time.raw()) * factor));
}

/// As long as it would have run on nodes of speed 1.
Seconds run_of(const Cluster& cluster, const Job& job) {
  const Seconds run = job.ended - job.started - job.suspended_time;
  const double pace = pace_of(cluster, job);
  return pace == 1 ? run : Seconds(std::llround(static_cast<double>(run.raw()) * pace));
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

// As people ask for it: whole quarters of an hour, whole minutes where it is less than that.
Seconds as_limit(Seconds least) {
  constexpr std::int64_t kMinute = 60, kQuarter = 900;
  const std::int64_t step = least.raw() < kQuarter ? kMinute : kQuarter;
  return Seconds((least.raw() + step - 1) / step * step);
}

double apart(Seconds a, Seconds b) { return std::abs(static_cast<double>((a - b).raw())); }
double apart(Time a, Time b) { return std::abs(static_cast<double>((a - b).raw())); }

bool waits_fairly(const RunTimes& times, JobId job) { return times.of(job).fair_wait < kUnlimited; }

}  // namespace

RunTimeLearning::Known& RunTimeLearning::known(JobId job) {
  if (job.index() >= jobs_.size()) jobs_.resize(job.index() + 1);
  return jobs_[job.index()];
}

RunTimeLearning::Share& RunTimeLearning::share(JobId job) {
  if (job.index() >= shares_.size()) shares_.resize(job.index() + 1);
  return shares_[job.index()];
}

void RunTimeLearning::mark(std::size_t user) {
  users_[user].left = users_[user].jobs.size();
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
  Known& it = known(id);
  it = {};
  if (id.index() < shares_.size()) shares_[id.index()] = {};
  forget_rest(id);
  it.user = user;
  it.place = static_cast<std::uint32_t>(jobs.size());
  it.known = true;
  jobs.push_back(id);
  if (users_[user].marked) ++users_[user].left;
  fresh_.push_back(id);
}

void RunTimeLearning::changed(JobId id) {
  if (!known(id).known) return;
  Known& it = known(id);
  it.run = nullptr;
  forget_rest(id);
  it.told.reset();
  it.shorter.reset();
  it.enough = Seconds(0);
  fresh_.push_back(id);
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
  forget_rest(id);
}

void RunTimeLearning::limit_changed(const Cluster& cluster, const Settings& settings, JobId id) {
  Known& it = known(id);
  if (!it.run) return;
  it.run = expect(cluster, settings, cluster.job(id));
  forget_rest(id);
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
  if (it.told) {
    totals.starts = 1;
    totals.start_error = apart(job.started, it.told->expected);
    totals.limit_start_error = apart(job.started, it.told->by_limits);
  }
  return totals;
}

RunTimeLearning::Lesson RunTimeLearning::ended(Cluster& cluster, const Settings& settings, JobId id,
                                               bool natural) {
  Lesson lesson;
  cluster.run_times.forget(id);
  Known& it = known(id);
  if (!it.known) return lesson;
  const Job& job = cluster.job(id);
  if (natural && job.started < kForever && settings.learning.use != LearningUse::none &&
      learns(cluster, settings, job.credentials)) {
    Seconds run = run_of(cluster, job);
    JobTraits traits = traits_of(cluster, job);
    lesson.totals = judged(job, it, std::min(run, traits.limit), traits.limit);
    if (it.shorter && it.shorter->start < job.started && run <= it.shorter->limit)
      lesson.shorter = it.shorter;
    if (it.run) calibration_.learn(*it.run, it.said, std::min(run, it.run->limit()));
    if (const Seconds kept = job.kept_run; kept > Seconds(0)) {  // until it was checkpointed
      lesson.totals.run_seconds += static_cast<double>(kept.raw());
      lesson.totals.limit_seconds += static_cast<double>(kept.raw());
      traits.limit = traits.limit + kept;
      run = run + kept;
    }
    history_.learn(traits, run, job.ended);
    ++users_[it.user].ends;
    mark(it.user);
  }
  User& owner = users_[it.user];
  known(owner.jobs.back()).place = it.place;
  owner.jobs[it.place] = owner.jobs.back();
  owner.jobs.pop_back();
  if (owner.marked) owner.left = owner.jobs.size();  // the one that has moved may be due yet
  it = {};
  return lesson;
}

// Jobs that ask for the same under the same name, and come from the same people, share what is
// expected.
class RunTimeLearning::Looks {
 public:
  Looks(RunTimeLearning& learning, Cluster& cluster, const Settings& settings)
      : learning_(learning), cluster_(cluster), settings_(settings) {}

  void look(JobId id) {
    Known& it = learning_.known(id);
    const Job& job = cluster_.job(id);
    if (!it.known || !job.waiting()) return;
    if (!like_last(job)) find(job);
    it.run = last_->run;
    it.as_of = learning_.users_[it.user].ends;
    cluster_.run_times.at(id).expected = it.run->expected();
    cluster_.run_times.set_worth(id, last_->worth);
    if (settings_.learning.orders_queue()) learning_.note_share(cluster_, id);
  }
  /// Returns how many were worked out.
  std::size_t worked_out() const { return worked_out_; }

 private:
  struct Found {
    JobId first;
    std::shared_ptr<const RunDistribution> run;
    double worth = 0;
  };

  bool like(const Job& a, const Job& b) const {
    return a.request == b.request && a.credentials == b.credentials && name_of(a) == name_of(b);
  }
  bool like_last(const Job& job) const { return last_ && like(cluster_.job(last_->first), job); }

  void find(const Job& job) {
    const auto [first, last] = found_.equal_range(job.request);
    const auto at = std::find_if(
        first, last, [&](const auto& one) { return like(cluster_.job(one.second.first), job); });
    last_ = at == last ? &found_.emplace(job.request, work_out(job))->second : &at->second;
  }

  Found work_out(const Job& job) {
    ++worked_out_;
    Found made{job.id, learning_.expect(cluster_, settings_, job), 0};
    const double equivalents =
        processor_equivalents(cluster_.configured(), cluster_.request(job.request));
    const ExpectedRun& expected = made.run->expected();
    made.worth = expected.urgency / (std::sqrt(std::max(1.0, equivalents)) * expected.mean);
    return made;
  }

  RunTimeLearning& learning_;
  Cluster& cluster_;
  const Settings& settings_;
  std::unordered_multimap<RequestId, Found> found_;
  const Found* last_ = nullptr;
  std::size_t worked_out_ = 0;
};

// One iteration does no more than its part where somebody has very many jobs; the rest of them is
// looked at in those that follow.
void RunTimeLearning::look_at_marked(Cluster& cluster, const Settings& settings, bool all) {
  constexpr std::size_t kMostWorkedOut = 100, kMostLookedAt = 20'000;
  std::size_t worked_out = 0, looked_at = 0;
  while (!marked_.empty()) {
    User& owner = users_[marked_.front()];
    Looks looks(*this, cluster, settings);
    for (; owner.left > 0 && !owner.jobs.empty(); --owner.left) {
      if (!all && (looked_at >= kMostLookedAt || worked_out + looks.worked_out() >= kMostWorkedOut))
        return;
      if (owner.next >= owner.jobs.size()) owner.next = 0;
      const JobId id = owner.jobs[owner.next++];
      const Known& it = known(id);
      ++looked_at;
      if (!it.run || it.as_of != owner.ends) looks.look(id);
    }
    worked_out += looks.worked_out();
    owner.marked = false;
    marked_.pop_front();
  }
}

// Jobs that have come are looked at first: their fair waits are reckoned with what was expected of
// the others until now.
void RunTimeLearning::refresh(Cluster& cluster, const Settings& settings, Time now) {
  const Seconds age = settings.learning.history_age;
  if (now - forgotten_ >= std::max(Seconds(kDaySeconds), Seconds(age.raw() / 16))) {
    history_.forget_before(now - age);
    forgotten_ = now;
  }
  if (!settings.learning.decides() && std::exchange(told_, false)) {
    cluster.run_times = {};
    shares_.clear();
  }
  cluster.run_times.shorter.reset();
  if (settings.learning.use != LearningUse::none) look_for_shorter_limit(cluster, settings, now);
  if (!settings.learning.decides()) {
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
  if (everything) look_at_marked(cluster, settings, true);
  if (!fresh_.empty() || everything) {
    Looks looks(*this, cluster, settings);
    for (const JobId id : fresh_)
      if (!known(id).run) looks.look(id);
    fresh_.clear();
    if (settings.learning.orders_queue()) set_fair_waits(cluster, settings, now);
  }
  if (settings.learning.orders_queue() || something_may_start(cluster))
    look_at_marked(cluster, settings, false);
}

RunTimeLearning::Rest& RunTimeLearning::rest(JobId job) {
  if (job.index() >= rests_.size()) rests_.resize(job.index() + 1);
  return rests_[job.index()];
}

void RunTimeLearning::forget_rest(JobId job) {
  if (job.index() < rests_.size()) rests_[job.index()] = {};
}

void RunTimeLearning::look_at_rest(const Cluster& cluster, const Settings& settings,
                                   const Active& line, Time now, Rest& made) {
  const Job& job = cluster.job(line.job);
  made.since = job.started + job.suspended_time;
  made.equivalents = processor_equivalents(configured_, cluster.request(job.request));
  made.pace = pace_of(cluster, job);
  const Seconds elapsed = times(now - made.since, made.pace);
  const auto& run = known(line.job).run;
  made.longer = (run ? run : expect(cluster, settings, job))->longer_than(elapsed);
  made.from = now;
  made.until = made.longer.mean > 0 ? made.since + Seconds(static_cast<std::int64_t>(
                                                       std::ceil(made.longer.least / made.pace)))
                                    : kForever;
  // While nothing is known of it, others that end may tell something.
  made.ends = run ? line.ends : Time{};
}

std::int64_t RunTimeLearning::running_area(const Cluster& cluster, const Settings& settings,
                                           Time now) {
  std::int64_t sum = 0;
  for (const Active& line : cluster.active()) {
    Rest& one = rest(line.job);
    if (one.ends != line.ends || now < one.from || now >= one.until)
      look_at_rest(cluster, settings, line, now, one);
    const double rest_at_1 = one.longer.mean_rest(times(now - one.since, one.pace));
    sum += area(one.equivalents, rest_at_1 / one.pace);
  }
  return sum;
}

void RunTimeLearning::note_share(const Cluster& cluster, JobId id) {
  share(id).area = area(processor_equivalents(configured_, cluster.request_of(id)),
                        cluster.run_times.of(id).expected.mean);
}

// A job that has come may wait for what runs, for those that wait already, and for itself.
void RunTimeLearning::set_fair_waits(Cluster& cluster, const Settings& settings, Time now) {
  RunTimes& times = cluster.run_times;
  const auto waiting = cluster.waiting();
  if (const Resources configured = cluster.configured(); configured != configured_) {
    configured_ = configured;
    for (const Waiting& line : waiting) note_share(cluster, line.job);
    rests_.clear();
  }
  std::int64_t backlog = 0;
  std::vector<JobId> without;
  for (const Waiting& line : waiting) {
    Share& one = share(line.job);
    one.counts = one.counts || waits_fairly(times, line.job);
    if (!one.counts) without.push_back(line.job);
    if (one.counts && !line.held) backlog += one.area;
  }
  if (without.empty()) return;
  backlog += running_area(cluster, settings, now);
  const double least = static_cast<double>(settings.learning.fair_start_limit.raw());
  const double procs = std::max(1.0, static_cast<double>(configured_.procs()));
  for (const JobId id : without) {
    backlog += shares_[id.index()].area;
    const double wait =
        least + settings.learning.fair_start_factor * static_cast<double>(backlog) / procs;
    constexpr double kMost = 1e15;
    times.at(id).fair_wait = Seconds(static_cast<std::int64_t>(std::min(wait, kMost)));
    shares_[id.index()].counts = true;
  }
}

// For people: one job at most, and each now and then.
void RunTimeLearning::look_for_shorter_limit(Cluster& cluster, const Settings& settings, Time now) {
  constexpr std::size_t kAtOnce = 200;
  constexpr Seconds kNowAndThen{600};
  const auto waiting = cluster.waiting();
  const std::int64_t open = cluster.counts().open_procs;
  if (open <= 0) return;
  const Seconds window = first_reserved_ < kForever ? first_reserved_ - now : Seconds(0);
  for (std::size_t left = std::min(kAtOnce, waiting.size()); left > 0; --left) {
    if (next_shorter_ >= waiting.size()) next_shorter_ = 0;
    const Waiting& line = waiting[next_shorter_++];
    if (line.held || line.special || line.reserved || now - line.queued < kNowAndThen) continue;
    const Request& request = cluster.request(line.request);
    if (request.total_procs() > open || request.limit <= window) continue;
    Known& it = known(line.job);
    if (!it.known || it.shorter || now - it.looked < kNowAndThen) continue;
    it.looked = now;
    if (it.enough == Seconds(0)) it.enough = limit_enough_for(cluster, settings, line.job);
    if (it.enough >= kUnlimited || (window > Seconds(0) && it.enough > window)) continue;
    cluster.run_times.shorter = {line.job, it.enough};
    return;
  }
}

// Unlimited where that is not known, or is not half of what it asks for.
Seconds RunTimeLearning::limit_enough_for(const Cluster& cluster, const Settings& settings,
                                          JobId id) {
  constexpr int kSimilar = 4;
  const auto& stands = known(id).run;
  const auto run = stands ? stands : expect(cluster, settings, cluster.job(id));
  if (run->similar() < kSimilar) return kUnlimited;
  const Seconds enough = as_limit(calibration_.at_start(*run).high);
  return 2 * enough.raw() > run->limit().raw() ? kUnlimited : enough;
}

void RunTimeLearning::note_shorter(const Cluster& cluster, const Plan& plan, Time now) {
  first_reserved_ = plan.first_reserved;
  const auto& asked = cluster.run_times.shorter;
  if (asked && plan.shorter_starts) known(asked->job).shorter = {asked->limit, now};
}

void RunTimeLearning::told_start(JobId id, Time expected, Time by_limits) {
  Known& it = known(id);
  if (it.known && !it.told) it.told = {expected, by_limits};
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
  const double pace = pace_of(cluster, job);
  const Seconds ran = now - job.started - job.suspended_time, elapsed = times(ran, pace);
  const auto median = run->quantile_after(elapsed, kMedian);
  told.expected = median ? Seconds(static_cast<std::int64_t>(std::ceil(*median)))
                         : elapsed + std::max(elapsed, kLeast);
  told.expected = std::max(elapsed, std::min(told.expected, run->limit()));
  told.likely = calibration_.after(*run, elapsed);
  told.likely = {std::min(told.likely.low, told.expected),
                 std::max(told.likely.high, told.expected)};
  const auto here = [&](Seconds at_1) {
    return pace == 1 ? at_1
                     : std::max(ran, Seconds(static_cast<std::int64_t>(
                                         std::llround(static_cast<double>(at_1.raw()) / pace))));
  };
  told.expected = here(told.expected);
  told.likely = {here(told.likely.low), here(told.likely.high)};
  return told;
}

}  // namespace maui
