#include "sched/waiting_shapes.h"

#include "sched/placement/completion_date.h"
#include "sched/placement/feasibility.h"

namespace maui {

WaitingShapes::WaitingShapes(const Cluster& cluster, const Settings& settings, Time now,
                             FeasibleRequests& feasible)
    : cluster_(cluster), settings_(settings), now_(now), feasible_(feasible) {}

std::optional<Request> WaitingShapes::other_than_now(const Job& job) {
  if (job.alternatives.empty() || job.kept_run > Seconds(0)) return std::nullopt;
  const Request& present = cluster_.request(job.request);
  const auto in_it = [&](const auto& shape) {
    return present.requirements.front().tasks == shape.first && present.limit == shape.second;
  };
  for (const auto& shape : job.alternatives) {
    const bool now_in_it = in_it(shape);
    std::optional<Request> shaped;
    if (!now_in_it) shaped = in_shape(present, shape);
    const auto possible = ever_possible(job, now_in_it ? present : *shaped);
    if (!possible) return std::nullopt;
    if (*possible) return shaped;
  }
  const auto& first = job.alternatives.front();
  return in_it(first) ? std::nullopt : std::optional(in_shape(present, first));
}

/// Returns nullopt if that has not been judged yet.
std::optional<bool> WaitingShapes::ever_possible(const Job& job, const Request& shaped) {
  if (now_ > latest_start(cluster_, job, shaped)) return false;
  if (throttling().exceeds_alone(job, shaped)) return false;
  return feasible_.serves(cluster_, job.request, shaped.requirements.front().tasks);
}

Throttling& WaitingShapes::throttling() {
  if (!throttling_) throttling_.emplace(cluster_, settings_, now_);
  return *throttling_;
}

}  // namespace maui
