// When and where something could start: showstart, setres TASKS.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "model/placement.h"
#include "model/sharing.h"
#include "sched/availability/timeline.h"
#include "sched/limits/limit_forecast.h"
#include "sched/query/explain.h"
#include "sched/suspended.h"

namespace maui {

namespace {

Job job_of(const Credentials& who) {
  Job job;
  job.credentials = who;
  return job;
}

}  // namespace

// The job is placed as if it had the highest priority, so the priority reservations of other jobs
// do not count.
struct StartFinder::State {
  State(Timeline& shared, const Cluster& known, const Settings& settings, Time now, const Job& from)
      : cluster(known),
        timeline(shared),
        throttling(cluster, settings, now),
        limits(cluster, throttling, now) {
    timeline.begin(cluster, settings, now, false);
    keep_for_suspended(timeline, cluster, settings, from);
  }
  std::unique_ptr<Timeline> own;
  const Cluster& cluster;
  Timeline& timeline;
  Throttling throttling;
  LimitForecast limits;
};

StartFinder::StartFinder(const Cluster& cluster, const Settings& settings, Time now,
                         const Job& from) {
  auto own = std::make_unique<Timeline>();
  state_ = std::make_unique<State>(*own, cluster, settings, now, from);
  state_->own = std::move(own);
}
StartFinder::StartFinder(Timeline& timeline, const Cluster& cluster, const Settings& settings,
                         Time now, const Job& from)
    : state_(std::make_unique<State>(timeline, cluster, settings, now, from)) {}
StartFinder::~StartFinder() = default;

std::optional<Forecast> StartFinder::first(const Job& job, const Request& request) {
  auto slot = first_start(state_->cluster, state_->timeline, state_->limits, job, request);
  if (!slot) return std::nullopt;
  return Forecast{slot->start, std::move(slot->placement), slot->partition};
}

std::optional<Forecast> earliest_start(const Cluster& cluster, const Settings& settings, Time now,
                                       JobId id) {
  return Questions(cluster, settings, now).earliest_start(id);
}

std::optional<Forecast> Questions::earliest_start(JobId id) {
  const auto& job = cluster_.job(id);
  if (job.active())
    return Forecast{job.started, job.placement, partition_of(cluster_, job.placement)};
  if (job.reservation.valid()) {
    const auto& kept = cluster_.reservation(job.reservation);
    return Forecast{kept.start, kept.nodes, partition_of(cluster_, kept.nodes)};
  }
  return start_finder(job)->first(job, cluster_.request(job.request));
}

std::unique_ptr<StartFinder> Questions::start_finder(const Job& from) {
  return std::make_unique<StartFinder>(*timeline_, cluster_, settings_, now_, from);
}

std::optional<Forecast> earliest_start(const Cluster& cluster, const Settings& settings, Time now,
                                       const Request& request, const Credentials& who) {
  const Job job = job_of(who);
  return StartFinder(cluster, settings, now, job).first(job, request);
}

std::optional<Placement> place_now(const Cluster& cluster, const Settings& settings, Time now,
                                   const Job& job, const Request& request, bool keep_reserved) {
  return Questions(cluster, settings, now).place_now(job, request, keep_reserved);
}

std::optional<Placement> Questions::place_now(const Job& job, const Request& request,
                                              bool keep_reserved) {
  timeline_->begin(cluster_, settings_, now_, keep_reserved);
  auto slot = timeline_->earliest(job, request, now_, now_);
  if (!slot) return std::nullopt;
  return std::move(slot->placement);
}

std::string endless_reservations(const Cluster& cluster, const Settings& settings, Time now,
                                 const Job& job) {
  std::vector<ReservationId> endless;
  for (const ReservationId id : cluster.reservations()) {
    const Reservation& reservation = cluster.reservation(id);
    if (reservation.kind != ReservationKind::job && reservation.end >= kForever)
      endless.push_back(id);
  }
  if (endless.empty()) return {};
  Cluster without(cluster);
  for (const ReservationId id : endless) without.release_reservation(id);
  const auto start = earliest_start(without, settings, now, job.id);
  if (!start) return {};
  std::vector<std::string> names;
  for (const ReservationId id : endless)
    if (const Reservation& reservation = cluster.reservation(id);
        share_a_node(reservation.nodes, start->placement))
      names.push_back(fmt::format("'{}'", reservation.name));
  if (names.empty()) return {};
  if (names.size() == 1)
    return fmt::format("reservation {}, which has no end, does not admit it", names.front());
  constexpr std::size_t kNamed = 3;
  const std::size_t more = names.size() - std::min(names.size(), kNamed);
  names.resize(names.size() - more);
  if (more > 0) names.push_back(counted(more, "other"));
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("reservations {} and {}, which have no end, do not admit it",
                     fmt::join(names, ", "), last);
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
