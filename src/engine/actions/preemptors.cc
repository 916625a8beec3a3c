#include "engine/actions/preemptors.h"

#include <algorithm>

namespace maui {
namespace {

constexpr Seconds kLeaving{60};  // the longest time that victims may take
constexpr Seconds kPause{5};     // between two requests to start the job

}  // namespace

void Preemptors::add(const Job& job, std::int64_t iteration, Time now) {
  Preemptor& preemptor = all_[key_of(job)];
  preemptor.iteration = iteration;
  if (preemptor.again == Time(0)) preemptor.since = now;
}

void Preemptors::drop_running(const Cluster& cluster) {
  std::erase_if(all_, [&](const auto& entry) {
    const auto [job, arrival] = entry.first;
    if (!cluster.still(job, arrival)) return true;
    const JobState state = cluster.job(job).state;
    return state == JobState::running || state == JobState::suspended;
  });
}

bool Preemptors::may_meet_victims(const Job& job, Obstacle obstacle, std::int64_t iteration,
                                  Time now) const {
  const auto known = all_.find(key_of(job));
  if (known == all_.end() || now - known->second.since >= kLeaving) return false;
  if (obstacle == Obstacle::unknown) return known->second.iteration == iteration;
  return obstacle == Obstacle::passes || obstacle == Obstacle::there;
}

void Preemptors::put_off(const Job& job, Time now) {
  if (const auto known = all_.find(key_of(job)); known != all_.end())
    known->second.again = now + kPause;
}

bool Preemptors::rests(const Job& job, Time now) const {
  const auto known = all_.find(key_of(job));
  return known != all_.end() && known->second.again > now;
}

bool Preemptors::forget(const Job& job) { return all_.erase(key_of(job)) > 0; }

Time Preemptors::next(const Cluster& cluster, Time now) const {
  Time next = kForever;
  for (const auto& [key, preemptor] : all_)
    if (preemptor.again > now && cluster.still(key.first, key.second) &&
        cluster.job(key.first).waiting())
      next = std::min(next, preemptor.again);
  return next;
}

void Preemptors::shift(Seconds by) {
  for (auto& [key, preemptor] : all_) {
    preemptor.since = preemptor.since + by;
    if (preemptor.again > Time(0)) preemptor.again = preemptor.again + by;
  }
}

}  // namespace maui
