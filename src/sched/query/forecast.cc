// When and where something could start: showstart, setres TASKS.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "model/placement.h"
#include "sched/availability/timeline.h"
#include "sched/limits/limit_forecast.h"
#include "sched/query/explain.h"
#include "sched/suspended.h"

namespace maui {

namespace {

std::optional<Forecast> start_alone(const Cluster& cluster, const Settings& settings, Time now,
                                    const Job& job, const Request& request) {
  return StartFinder(cluster, settings, now, job).first(job, request);
}

Job job_of(const Credentials& who) {
  Job job;
  job.credentials = who;
  return job;
}

}  // namespace

// The job is placed as if it had the highest priority, so the priority reservations of other jobs
// do not count.
struct StartFinder::State {
  State(const Cluster& known, const Settings& settings, Time now, const Job& from)
      : cluster(known),
        timeline(cluster, settings, now, false),
        throttling(cluster, settings, now),
        limits(cluster, throttling, now) {
    keep_for_suspended(timeline, cluster, settings, from);
  }
  const Cluster& cluster;
  Timeline timeline;
  Throttling throttling;
  LimitForecast limits;
};

StartFinder::StartFinder(const Cluster& cluster, const Settings& settings, Time now,
                         const Job& from)
    : state_(std::make_unique<State>(cluster, settings, now, from)) {}
StartFinder::~StartFinder() = default;

std::optional<Forecast> StartFinder::first(const Job& job, const Request& request) {
  auto slot = first_start(state_->cluster, state_->timeline, state_->limits, job, request);
  if (!slot) return std::nullopt;
  return Forecast{slot->start, std::move(slot->placement), slot->partition};
}

std::optional<Forecast> earliest_start(const Cluster& cluster, const Settings& settings, Time now,
                                       JobId id) {
  const auto& job = cluster.job(id);
  if (job.active())
    return Forecast{job.started, job.placement, partition_of(cluster, job.placement)};
  if (job.reservation.valid()) {
    const auto& kept = cluster.reservation(job.reservation);
    return Forecast{kept.start, kept.nodes, partition_of(cluster, kept.nodes)};
  }
  return start_alone(cluster, settings, now, job, cluster.request(job.request));
}

std::optional<Forecast> earliest_start(const Cluster& cluster, const Settings& settings, Time now,
                                       const Request& request, const Credentials& who) {
  return start_alone(cluster, settings, now, job_of(who), request);
}

std::optional<Placement> place_now(const Cluster& cluster, const Settings& settings, Time now,
                                   const Job& job, const Request& request, bool keep_reserved) {
  Timeline timeline(cluster, settings, now, keep_reserved);
  auto slot = timeline.earliest(job, request, now, now);
  if (!slot) return std::nullopt;
  return std::move(slot->placement);
}

Time next_reservation_boundary(const Cluster& cluster, Time now,
                               std::optional<ReservationKind> kind) {
  Time next = kForever;
  for (const auto id : cluster.reservations()) {
    const auto& reservation = cluster.reservation(id);
    if (kind && reservation.kind != *kind) continue;
    const auto at = [&](Time when) {
      if (when > now) next = std::min(next, when);
    };
    at(reservation.start);
    // A priority reservation has no end of its own: when it begins, the job starts.
    if (reservation.kind == ReservationKind::job || reservation.end >= kForever) continue;
    at(reservation.end);
    for (const auto& criterion : reservation.access.criteria)
      if (criterion.kind == AccessKind::time) at(reservation.end - Seconds(criterion.value));
  }
  return next;
}

}  // namespace maui
