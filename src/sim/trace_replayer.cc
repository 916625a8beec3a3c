#include "sim/trace_replayer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "model/keys.h"
#include "sim/job_shaping.h"

namespace maui {
namespace {

constexpr std::uint64_t kSeed = 20000731;
constexpr std::size_t kListed =
    1000;  // jobs reported together; further jobs are reported one at a time

Seconds scaled(Seconds time, double factor) {
  if (factor == 1 || time <= Seconds(0)) return time;
  const auto seconds = std::llround(static_cast<double>(time.raw()) * factor);
  return Seconds(std::max<std::int64_t>(1, seconds));
}

/// Returns the speed of the slowest of these nodes; 1 if none of them is known.
double slowest_of(const Cluster& cluster, const std::vector<std::string>& hosts) {
  double slowest = 0;
  for (const std::string& host : hosts)
    if (const NodeId id = cluster.find_node(host); id.valid() && cluster.node(id).speed > 0)
      slowest = slowest > 0 ? std::min(slowest, cluster.node(id).speed) : cluster.node(id).speed;
  return slowest > 0 ? slowest : 1;
}

}  // namespace

TraceReplayer::TraceReplayer(const Settings& settings, std::vector<NodeReport> nodes,
                             std::unique_ptr<Workload> workload)
    : settings_(settings),
      nodes_(std::move(nodes)),
      workload_(std::move(workload)),
      random_(kSeed) {
  read_feedback();
  start_time_ = first_time();
}

void TraceReplayer::read_feedback() {
  for (std::size_t i = 0; i < workload_->size(); ++i) {
    const auto feedback = workload_->feedback(i);
    if (!feedback) continue;
    follows_.resize(workload_->size());
    follows_[i] = true;
    followers_[feedback->preceding].push_back(i);
  }
  skip_followers();
}

void TraceReplayer::skip_followers() {
  while (next_ < follows_.size() && follows_[next_]) ++next_;
}

/// Returns the first job after `index` that does not follow another job.
std::size_t TraceReplayer::after(std::size_t index) const {
  ++index;
  while (index < follows_.size() && follows_[index]) ++index;
  return index;
}

// Starts the think time of users who waited for the end of this job.
void TraceReplayer::follow(const std::string& ended, Time when) {
  const auto at = followers_.find(ended);
  if (at == followers_.end()) return;
  for (const std::size_t index : at->second)
    thinking_.push({when + workload_->feedback(index)->think, index});
  followers_.erase(at);
}

std::vector<std::string> TraceReplayer::never_submitted() const {
  std::vector<std::size_t> left;
  for (const auto& [preceding, jobs] : followers_)
    left.insert(left.end(), jobs.begin(), jobs.end());
  std::sort(left.begin(), left.end());
  std::vector<std::string> names;
  for (const std::size_t index : left) names.push_back(workload_->job(index).name);
  return names;
}

void TraceReplayer::submit_thought(Time now, Update& update) {
  for (; !thinking_.empty() && thinking_.top().when <= now; thinking_.pop()) {
    const auto& [when, index] = thinking_.top();
    JobReport job = workload_->job(index);
    submit_at(job, when);
    note_submitted(index, job);
    update.arrived.push_back(std::move(job));
  }
}

// With a constant depth, returns the submission time of the last of the initial jobs.
Time TraceReplayer::first_time() const {
  const SimulationSettings& simulation = settings_.simulation;
  if (simulation.start_time >= Time(0)) return simulation.start_time;
  Time latest = workload_->submitted(0);
  if (simulation.submission == SubmissionPolicy::normal) return latest;
  std::int64_t depth = 0;
  for (std::size_t i = 0; i < workload_->size() && depth < simulation.initial_queue_depth; ++i) {
    if (!follows_.empty() && follows_[i]) continue;
    JobReport job = workload_->job(i);
    shape_job(job, settings_);
    depth += depth_of(job);
    latest = workload_->submitted(i);
  }
  return latest;
}

void TraceReplayer::poll(const Cluster& cluster, Time now,
                         std::function<void(Result<Update>)> done) {
  Update update;
  update.nodes = std::move(nodes_);
  nodes_.clear();
  report_starts(now, update);
  report_ends(now, update);
  submit_thought(now, update);
  bool all = false;
  if (settings_.simulation.submission == SubmissionPolicy::normal) {
    all = submit_due(now, update);
  } else {
    keep_depth(cluster, now, update);
    all = none_left();
  }
  update.exhausted = all && thinking_.empty();
  polled_ = now;
  room_ = !update.arrived.empty();  // some may turn out to be held
  done(std::move(update));
}

void TraceReplayer::report_ends(Time now, Update& update) {
  for (auto end = ends_.begin(); end != ends_.end() && end->first.first <= now;
       end = ends_.erase(end)) {
    const auto at = jobs_.find(end->second);
    const Time when = end->first.first;
    follow(end->second, when);
    update.ended.push_back({std::move(end->second), at->second.final_state, when});
    jobs_.erase(at);
  }
}

// Reports starts that have taken effect, except of jobs that stopped in the meantime.
void TraceReplayer::report_starts(Time now, Update& update) {
  std::erase_if(begun_, [&](Begun& begun) {
    const auto at = jobs_.find(begun.status.name);
    const bool runs = at != jobs_.end() && at->second.run == begun.run;
    if (runs && begun.when > now) return false;
    if (runs) update.statuses.push_back(std::move(begun.status));
    return true;
  });
}

void TraceReplayer::note_submitted(std::size_t index, JobReport& job) {
  ++submitted_;
  shape_job(job, settings_);
  const Seconds run_time = job.job.recorded->run_time;
  auto& known = jobs_[job.name] = Submitted{workload_->final_state(index), run_time, run_time};
  if (settings_.node.machine_speed) known.hosts = workload_->hosts(index);
}

JobReport TraceReplayer::submit_next() {
  JobReport job = workload_->job(next_);
  note_submitted(next_, job);
  next_ = after(next_);
  return job;
}

/// Returns true if no job remains to be submitted later.
bool TraceReplayer::submit_due(Time now, Update& update) {
  const auto due = [&](std::size_t index) {
    return index < workload_->size() && workload_->submitted(index) <= now;
  };
  while (due(next_) && update.arrived.size() < kListed) update.arrived.push_back(submit_next());
  std::size_t rest = next_;
  for (; due(rest); rest = after(rest)) ++update.more.count;
  update.more.next = [this] { return submit_next(); };
  return rest == workload_->size();
}

std::int64_t TraceReplayer::depth_of(const JobReport& job) const {
  if (settings_.simulation.submission == SubmissionPolicy::constant_job_depth) return 1;
  return work_of(job.request);
}

std::int64_t TraceReplayer::queue_depth(const Cluster& cluster) const {
  const bool jobs = settings_.simulation.submission == SubmissionPolicy::constant_job_depth;
  std::int64_t depth = 0;
  for (const Waiting& waiting : cluster.waiting())
    if (!waiting.held) depth += jobs ? 1 : work_of(cluster.request(waiting.request));
  return depth;
}

bool TraceReplayer::queue_full(const Cluster& cluster) const {
  return settings_.simulation.submission != SubmissionPolicy::normal && !none_left() &&
         thinking_.empty() && queue_depth(cluster) >= settings_.simulation.initial_queue_depth;
}

void TraceReplayer::keep_depth(const Cluster& cluster, Time now, Update& update) {
  if (none_left()) return;
  std::int64_t depth = queue_depth(cluster);
  for (const JobReport& job : update.arrived) depth += depth_of(job);
  while (depth < settings_.simulation.initial_queue_depth && !none_left()) {
    JobReport job = submit_next();
    submit_at(job, now);
    update.arrived.push_back(std::move(job));
    depth += depth_of(update.arrived.back());
  }
}

// Sets a new end instead of the one that was expected before, if any.
void TraceReplayer::end_at(const std::string& name, Submitted& job, Time when) {
  end_run(job);
  job.run = ++runs_;
  job.ends = when;
  ends_.emplace(End(when, job.run), name);
}

void TraceReplayer::end_run(Submitted& job) {
  if (job.run != 0) ends_.erase({job.ends, job.run});
  job.run = 0;
}

void TraceReplayer::start(const Job& job, const Cluster& cluster, Time now, Started done) {
  const auto at = jobs_.find(job.name);
  if (at == jobs_.end() || at->second.run != 0 || at->second.suspended)
    return done(Error{fmt::format("job {} {}, expected a waiting job", job.name,
                                  at == jobs_.end() ? "is not known" : "runs already")});
  const auto range = static_cast<std::uint64_t>(std::max(0, settings_.simulation.random_delay)) + 1;
  const Seconds delay(range == 1 ? 0 : static_cast<std::int64_t>(random_() % range));
  Submitted& known = at->second;
  if (!known.hosts.empty())
    known.recorded_speed = slowest_of(cluster, std::exchange(known.hosts, {}));
  known.speed =
      job.request.valid() ? cluster.speed_on(cluster.request(job.request), job.placement) : 1;
  known.speed /= known.recorded_speed;
  end_at(job.name, known, now + delay + scaled(known.run_time, 1 / known.speed));
  JobStatus status{job.name, JobState::running};
  status.started = now + delay;
  if (job.recorded && job.recorded->proc_seconds > 0 && job.recorded->run_time > Seconds(0))
    status.use = JobUse{
        job.recorded->proc_seconds / static_cast<double>(job.recorded->run_time.raw()), 0, 0, 0};
  if (status.use || reports_job_starts())
    begun_.push_back({now + delay, known.run, std::move(status)});
  room_ = true;
  done(Done{});
}

// Removes a waiting job at once; the next poll reports the end of a running job.
void TraceReplayer::cancel(const Job& job, CancelCause /*why*/, Time now, Answer done) {
  const auto at = jobs_.find(job.name);
  if (at == jobs_.end())
    return done(
        Error{fmt::format("job {} is not known, expected a waiting or running job", job.name)});
  if (at->second.run == 0 && !at->second.suspended) {
    jobs_.erase(at);
    follow(job.name, now);
    room_ = true;
  } else {
    at->second.final_state = JobState::removed;
    end_at(job.name, at->second, now);
  }
  done(Done{});
}

// Returns the job if it is running; else calls `done` with an error.
TraceReplayer::Submitted* TraceReplayer::running(const Job& job, const Answer& done) {
  const auto at = jobs_.find(job.name);
  if (at != jobs_.end() && at->second.run != 0) return &at->second;
  done(Error{fmt::format("job {} does not run, expected a running job", job.name)});
  return nullptr;
}

// Stops a job; its next run has the rest of its run time.
void TraceReplayer::stop(Submitted& job, Time now) {
  end_run(job);
  const Seconds rest = scaled(job.ends - now, job.speed);
  job.run_time = std::clamp(rest, Seconds(1), std::max(job.run_time, Seconds(1)));
}

void TraceReplayer::requeue(const Job& job, Time, Answer done) {
  const auto at = jobs_.find(job.name);
  if (at == jobs_.end() || (at->second.run == 0 && !at->second.suspended))
    return done(Error{fmt::format("job {} does not run, expected a running job", job.name)});
  Submitted& known = at->second;
  end_run(known);
  known.suspended = false;
  // The run that a checkpoint has kept is counted on nodes of speed 1.
  const Seconds kept = scaled(job.kept_run, 1 / known.recorded_speed);
  known.run_time = std::max(known.whole - kept, Seconds(0));
  done(Done{});
}

void TraceReplayer::suspend(const Job& job, Time now, Answer done) {
  Submitted* const known = running(job, done);
  if (known == nullptr) return;
  stop(*known, now);
  known->suspended = true;
  done(Done{});
}

void TraceReplayer::resume(const Job& job, Time now, Answer done) {
  const auto at = jobs_.find(job.name);
  if (at == jobs_.end() || !at->second.suspended)
    return done(Error{fmt::format("job {} is not suspended", job.name)});
  at->second.suspended = false;
  end_at(job.name, at->second, now + scaled(at->second.run_time, 1 / at->second.speed));
  done(Done{});
}

void TraceReplayer::checkpoint(const Job& job, Time now, Answer done) {
  Submitted* const known = running(job, done);
  if (known == nullptr) return;
  stop(*known, now);
  done(Done{});
}

void TraceReplayer::modify_node(const Node&, NodeState, const std::string&, Time, Answer done) {
  done(Done{});
}

// Always later than the last poll, so that time advances: a second later, the engine sees what
// cancellations and starts have changed.
Time TraceReplayer::next_event() const {
  Time next = ends_.empty() ? kForever : ends_.begin()->first.first;
  if (!thinking_.empty()) next = std::min(next, thinking_.top().when);
  if (!none_left()) {
    if (settings_.simulation.submission == SubmissionPolicy::normal)
      next = std::min(next, workload_->submitted(next_));
    else if (room_)
      next = polled_;
  }
  return std::max(next, polled_ + Seconds(1));
}

}  // namespace maui
