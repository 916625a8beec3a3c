#include "engine/actions/preemptors.h"

#include <algorithm>
#include <utility>

namespace maui {
namespace {

constexpr Seconds kLeaving{60};  // the longest time that victims may take
constexpr Seconds kPause{5};     // between two requests to start the job

}  // namespace

const Preemptors::Preemptor* Preemptors::find(const Job& job) const {
  const auto at = std::find_if(all_.begin(), all_.end(), [&](const Preemptor& known) {
    return known.job == job.id && known.arrival == job.arrival;
  });
  return at == all_.end() ? nullptr : &*at;
}

Preemptors::Preemptor* Preemptors::find(const Job& job) {
  return const_cast<Preemptor*>(std::as_const(*this).find(job));
}

void Preemptors::add(const Job& job, std::int64_t iteration, Time now) {
  Preemptor* known = find(job);
  if (known == nullptr) known = &all_.emplace_back(Preemptor{job.id, job.arrival, 0, now, Time(0)});
  known->iteration = iteration;
  if (known->again == Time(0)) known->since = now;
}

void Preemptors::drop_running(const Cluster& cluster) {
  std::erase_if(all_, [&](const Preemptor& known) {
    if (!cluster.still(known.job, known.arrival)) return true;
    const JobState state = cluster.job(known.job).state;
    return state == JobState::running || state == JobState::suspended;
  });
}

bool Preemptors::may_meet_victims(const Job& job, Obstacle obstacle, std::int64_t iteration,
                                  Time now) const {
  const Preemptor* known = find(job);
  if (known == nullptr || now - known->since >= kLeaving) return false;
  if (obstacle == Obstacle::unknown) return known->iteration == iteration;
  return obstacle == Obstacle::passes || obstacle == Obstacle::there;
}

void Preemptors::put_off(const Job& job, Time now) {
  if (Preemptor* known = find(job)) known->again = now + kPause;
}

bool Preemptors::rests(const Job& job, Time now) const {
  const Preemptor* known = find(job);
  return known != nullptr && known->again > now;
}

bool Preemptors::forget(const Job& job) {
  return std::erase_if(all_, [&](const Preemptor& known) {
           return known.job == job.id && known.arrival == job.arrival;
         }) > 0;
}

Time Preemptors::next(const Cluster& cluster, Time now) const {
  Time next = kForever;
  for (const Preemptor& known : all_)
    if (known.again > now && cluster.still(known.job, known.arrival) &&
        cluster.job(known.job).waiting())
      next = std::min(next, known.again);
  return next;
}

void Preemptors::shift(Seconds by) {
  for (Preemptor& known : all_) {
    known.since = known.since + by;
    if (known.again > Time(0)) known.again = known.again + by;
  }
}

}  // namespace maui
