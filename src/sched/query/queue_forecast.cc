#include "sched/query/queue_forecast.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "sched/limits/limit_forecast.h"
#include "sched/placement/completion_date.h"
#include "sched/priority/priority.h"
#include "sched/query/room_by_limit.h"
#include "sched/rules/partition_policies.h"
#include "sched/suspended.h"

namespace maui {

namespace {

// The most uses and blocks that a forecast may store in node timelines: each wide job adds a
// timeline for each of its nodes, with everything on it.
constexpr std::size_t kMostStored = 1'000'000;

}  // namespace

void QueueForecast::shorten(std::size_t most) {
  for (; starts.size() > most; starts.pop_back()) beyond.push_back(starts.back().job);
}

struct QueueForecaster::State {
  State(const Cluster& known, const Settings& used, Time now, std::vector<Plan::Ranked> ranked,
        std::vector<Seconds> expected)
      : cluster(known),
        settings(used),
        order(std::move(ranked)),
        runs(std::move(expected)),
        timeline(cluster, settings, now, false),
        throttling(cluster, settings, now),
        limits(cluster, throttling, now) {
    keep_for_suspended(timeline, cluster, settings, Job());
    most_stored = stored() + kMostStored;
  }
  bool step() {
    if (!prepared) return prepare();
    const std::size_t at = result.starts.size();
    if (at == order.size()) return false;
    if (stored() > most_stored) return give_up(at);
    const auto& ranked = order[at];
    const auto& job = cluster.job(ranked.job);
    const auto& request = cluster.request(ranked.request);
    Time* const turn = turn_of(request);
    const Time from = turn != nullptr ? *turn : timeline.now();
    // Others may pass a job that limits or its start date hold back.
    const bool in_turn = turn != nullptr && job.earliest_start <= from &&
                         limits.first_allowed(job, request, from) == from;
    const auto slot = runs.empty() ? first_start(cluster, timeline, limits, job, request, from)
                                   : first_expected(job, request, runs[at], from);
    result.starts.push_back({ranked.job, slot ? slot->start : kForever});
    if (by_limit) by_limit->foresee(job, result.starts.back().start);
    if (!slot) return true;
    if (in_turn) *turn = slot->start;
    hold(job, request, at, *slot);
    return true;
  }
  /// Does a part of what must precede the first job.
  bool prepare() {
    if (runs.empty() || cluster.reservations().empty())
      prepared = true;
    else if (!by_limit)
      by_limit.emplace(cluster, settings, timeline.now());
    else
      prepared = !by_limit->clear_some();
    return true;
  }
  /// Returns the first slot for a job that keeps its nodes for `run`.
  std::optional<Slot> first_expected(const Job& job, const Request& request, Seconds run,
                                     Time from) {
    StartSearch search;
    search.from = std::max({timeline.now(), job.earliest_start, from});
    search.next = [&](const Request& shape, Time first) {
      const Time last = latest_start(cluster, job, shape);
      const Request brief = lasting(shape, run);
      return by_limit ? by_limit->first_slot(timeline, job, shape, brief, first, last)
                      : slot_between(timeline, job, brief, first, last);
    };
    return first_start(cluster, limits, job, request, search);
  }
  static Request lasting(const Request& request, Seconds run) {
    Request brief = request;
    brief.limit = std::min(run, request.limit);
    return brief;
  }
  /// Lets the job have its slot, from which the next jobs stay away.
  void hold(const Job& job, const Request& request, std::size_t at, const Slot& slot) {
    if (runs.empty()) {
      timeline.hold(job, request, slot.placement, slot.start);
      limits.add(job, request, slot.placement, slot.start);
    } else {
      const Request& brief = briefs.emplace_back(lasting(request, runs[at]));
      timeline.hold(job, brief, slot.placement, slot.start);
      // Limits count what its request asks for, as long as it runs.
      if (throttling.any())
        limits.add(job, throttling.scope_of(job, &slot.placement),
                   throttling.asks(request, &slot.placement), slot.start,
                   slot.start + cluster.limit_on(brief, slot.placement));
    }
    timeline.model();  // puts it into the model now: the job may be gone by the next step
  }
  /// Without backfill, returns the time when the jobs before it in its line have started; nullptr
  /// if the job may be backfilled.
  Time* turn_of(const Request& request) {
    if (backfill_policy(cluster, settings, request) != BackfillPolicy::none) return nullptr;
    const auto line = backfills_by(cluster, settings, request);
    auto found = std::find_if(turns.begin(), turns.end(),
                              [line](const auto& turn) { return turn.first == line; });
    if (found == turns.end()) found = turns.insert(found, {line, timeline.now()});
    return &found->second;
  }
  std::size_t stored() { return timeline.model().model().groups().stored(); }
  bool give_up(std::size_t at) {
    for (std::size_t i = at; i < order.size(); ++i) result.beyond.push_back(order[i].job);
    order.resize(at);
    return false;
  }

  const Cluster& cluster;
  const Settings& settings;
  std::vector<Plan::Ranked> order;
  std::vector<Seconds> runs;   // empty: jobs run for their limits
  std::deque<Request> briefs;  // requests for these runs, to which the timeline refers
  Timeline timeline;
  std::optional<RoomByLimit> by_limit;  // for runs below the limits, if there are reservations
  Throttling throttling;
  LimitForecast limits;
  std::vector<std::pair<PartitionId, Time>> turns;
  std::size_t most_stored = 0;
  bool prepared = false;
  QueueForecast result;
};

QueueForecaster::QueueForecaster(const Cluster& cluster, const Settings& settings, Time now,
                                 std::size_t most) {
  std::vector<Plan::Ranked> order;
  prioritise(cluster, settings, now, order);
  std::vector<JobId> beyond;
  for (std::size_t i = most; i < order.size(); ++i) beyond.push_back(order[i].job);
  order.resize(std::min(order.size(), most));
  state_ =
      std::make_unique<State>(cluster, settings, now, std::move(order), std::vector<Seconds>());
  state_->result.beyond = std::move(beyond);
}

QueueForecaster::QueueForecaster(const Cluster& cluster, const Settings& settings, Time now,
                                 std::vector<Plan::Ranked> order, std::vector<Seconds> runs)
    : state_(std::make_unique<State>(cluster, settings, now, std::move(order), std::move(runs))) {}

QueueForecaster::~QueueForecaster() = default;
QueueForecaster::QueueForecaster(QueueForecaster&&) noexcept = default;
QueueForecaster& QueueForecaster::operator=(QueueForecaster&&) noexcept = default;
bool QueueForecaster::step() { return state_->step(); }
const QueueForecast& QueueForecaster::forecast() const { return state_->result; }

namespace {

QueueForecast whole(QueueForecaster forecaster) {
  while (forecaster.step()) {
  }
  return forecaster.forecast();
}

}  // namespace

QueueForecast forecast_queue(const Cluster& cluster, const Settings& settings, Time now,
                             std::size_t most) {
  return whole({cluster, settings, now, most});
}

StartForecaster::StartForecaster(const Cluster& cluster, const Settings& settings, Time now,
                                 JobId id, const std::function<Seconds(JobId)>& expected)
    : settings_(settings), now_(now) {
  constexpr std::ptrdiff_t kMost = 400;
  constexpr Seconds kShortest{1};
  prioritise(cluster, settings, now, order_);
  const auto at = std::find_if(order_.begin(), order_.end(),
                               [id](const Plan::Ranked& ranked) { return ranked.job == id; });
  if (at == order_.end() || at - order_.begin() >= kMost) return;
  order_.erase(at + 1, order_.end());
  for (const Active& line : cluster.active()) {
    const Job& job = cluster.job(line.job);
    const Time end = job.counted_start() + expected(line.job);
    ends_.emplace_back(line.job,
                       std::clamp(end, now + kShortest, std::max(job.ends, now + kShortest)));
  }
  for (const Plan::Ranked& ranked : order_)
    runs_.push_back(std::clamp(expected(ranked.job), kShortest,
                               std::max(cluster.request(ranked.request).limit, kShortest)));
  copy_.emplace(cluster);
}

bool StartForecaster::step() {
  if (!copy_) return false;
  if (!forecaster_) {
    if (expecting_ && expect_ends()) return true;
    forecaster_.emplace(*copy_, settings_, now_, order_,
                        expecting_ ? runs_ : std::vector<Seconds>());
    return true;
  }
  if (forecaster_->step()) return true;
  const QueueForecast& forecast = forecaster_->forecast();
  const bool far_down = !forecast.complete();
  const Time last = far_down ? kForever : forecast.starts.back().start;
  forecaster_.reset();
  if (!far_down) (expecting_ ? expected_ : by_limits_) = last;
  if (far_down || expecting_) {
    copy_.reset();
    return false;
  }
  expecting_ = true;
  return true;
}

/// Gives some active jobs their expected ends; returns false if all have them.
bool StartForecaster::expect_ends() {
  constexpr std::size_t kAtOnce = 1000;
  const std::size_t end = std::min(ends_.size(), extended_ + kAtOnce);
  if (extended_ == end) return false;
  for (; extended_ < end; ++extended_)
    copy_->extend_job(ends_[extended_].first, ends_[extended_].second);
  return true;
}

std::vector<StartShift> shifts(const QueueForecast& before, const QueueForecast& after) {
  std::vector<StartShift> moved;
  for (const auto& planned : before.starts) {
    const auto now = std::find_if(after.starts.begin(), after.starts.end(),
                                  [&](const auto& other) { return other.job == planned.job; });
    if (now != after.starts.end() && now->start != planned.start)
      moved.push_back({planned.job, planned.start, now->start});
  }
  std::stable_sort(moved.begin(), moved.end(), [](const StartShift& a, const StartShift& b) {
    return a.after - a.before > b.after - b.before;
  });
  return moved;
}

std::vector<StartShift> delayed_by(const Cluster& cluster, const Settings& settings, Time now,
                                   JobId job, const Placement& nodes) {
  std::vector<Plan::Ranked> order;
  prioritise(cluster, settings, now, order);
  std::erase_if(order, [&](const Plan::Ranked& ranked) {
    return ranked.job == job || !cluster.job(ranked.job).reservation.valid();
  });
  if (order.empty()) return {};
  Cluster changed = cluster;
  changed.start_job(job, nodes, now);
  auto moved =
      shifts(whole({cluster, settings, now, order}), whole({changed, settings, now, order}));
  for (auto& shift : moved)
    shift.before = cluster.reservation(cluster.job(shift.job).reservation).start;
  std::erase_if(moved, [](const StartShift& shift) { return shift.after <= shift.before; });
  return moved;
}

}  // namespace maui
