#include "sched/limits/reserved_limits.h"

#include <algorithm>

namespace maui {
namespace {

/// The use of a kind that a run with these amounts at `start` makes at `when`: for MAXPS and MAXWC,
/// the remainder.
double used_at(LimitKind kind, const LimitAmounts& amounts, Time start, Time when) {
  const auto past = static_cast<double>((when - start).raw());
  const double left = std::max(amounts[index_of(LimitKind::wc)] - past, 0.0);
  if (kind == LimitKind::wc) return left;
  return kind == LimitKind::ps ? amounts[index_of(LimitKind::proc)] * left
                               : amounts[index_of(kind)];
}

}  // namespace

ReservedLimits::Run ReservedLimits::run_of(const Job& job, const Request& shape,
                                           const Placement& placement, Time start) const {
  return {&job, throttling_.asks(shape, &placement), start,
          start + cluster_.limit_on(shape, placement), &throttling_.scope_of(job, &placement)};
}

LimitForecast& ReservedLimits::forecast() {
  if (forecast_) return *forecast_;
  forecast_.emplace(cluster_, throttling_, now_);
  for (const Job* job : left_) forecast_->remove(*job);
  for (const Run& run : runs_)
    forecast_->add(*run.job, *run.scope, run.amounts, run.start, run.end);
  return *forecast_;
}

void ReservedLimits::shift(const Run& run, double sign) {
  const auto& subjects = run.scope->subjects;
  for (Reserved& reserved : reserved_) {
    if (reserved.job == run.job || reserved.start < run.start || reserved.start >= run.end)
      continue;
    for (Room& room : reserved.rooms)
      if (std::find(subjects.begin(), subjects.end(), room.subject) != subjects.end())
        room.left -= sign * used_at(room.kind, run.amounts, run.start, reserved.start);
  }
}

void ReservedLimits::add(const Run& run) {
  shift(run, 1);
  runs_.push_back(run);
  if (forecast_) forecast_->add(*run.job, *run.scope, run.amounts, run.start, run.end);
}

void ReservedLimits::reserve(const Job& job, const Request& request, const Placement& placement,
                             Time start, Strictness level) {
  const Run run = run_of(job, request, placement, start);
  add(run);
  Reserved made{&job, start, {}};
  for (const LimitRule& rule : run.scope->active)
    if (const double limit = limit_at(rule, level); limit > 0)
      made.rooms.push_back(
          {rule.subject, rule.kind, limit - forecast().used(rule.subject, rule.kind, start)});
  if (!made.rooms.empty()) reserved_.push_back(std::move(made));
}

void ReservedLimits::release(const Job& job) {
  std::erase_if(reserved_, [&](const Reserved& reserved) { return reserved.job == &job; });
  const auto run = std::find_if(runs_.begin(), runs_.end(),
                                [&](const Run& candidate) { return candidate.job == &job; });
  if (run == runs_.end()) return;
  shift(*run, -1);
  runs_.erase(run);
  if (forecast_) forecast_->remove(job);
}

void ReservedLimits::start(const Job& job, const Request& shape, const Placement& placement) {
  release(job);
  add(run_of(job, shape, placement, now_));
}

ReservedLimits::Run ReservedLimits::run_of_active(const Job& job) const {
  return {&job, throttling_.used_by(job), now_, job.ends,
          &throttling_.scope_of(job, &job.placement)};
}

void ReservedLimits::leave(const Job& job) {
  shift(run_of_active(job), -1);
  left_.push_back(&job);
  if (forecast_) forecast_->remove(job);
}

void ReservedLimits::stay(const Job& job) {
  shift(run_of_active(job), 1);
  std::erase(left_, &job);
  forecast_.reset();
}

const ReservedLimits::Reserved* ReservedLimits::harmed_by(const Run& run) {
  if (reserved_.empty()) return nullptr;
  const auto& subjects = run.scope->subjects;
  for (const Reserved& reserved : reserved_) {
    if (reserved.job == run.job || reserved.start < run.start || reserved.start >= run.end)
      continue;
    for (const Room& room : reserved.rooms) {
      // The reserved job exceeds the limit already, so this run is not the cause.
      if (room.left < -kLimitRounding ||
          std::find(subjects.begin(), subjects.end(), room.subject) == subjects.end())
        continue;
      if (room.left - used_at(room.kind, run.amounts, run.start, reserved.start) < -kLimitRounding)
        return &reserved;
    }
  }
  return nullptr;
}

const Job* ReservedLimits::harmed_by(const Job& job, const Request& shape,
                                     const Placement& placement, Time start) {
  if (reserved_.empty()) return nullptr;
  const Reserved* harmed = harmed_by(run_of(job, shape, placement, start));
  return harmed ? harmed->job : nullptr;
}

std::optional<Slot> ReservedLimits::first_slot(const Job& job, const Request& shape,
                                               const StartSearch& search) {
  StartSearch careful = search;
  careful.barred = [&](const Slot& slot) {
    const Reserved* harmed = harmed_by(run_of(job, shape, slot.placement, slot.start));
    return harmed ? harmed->start + Seconds(1) : slot.start;
  };
  return first_start(cluster_, forecast(), job, shape, careful);
}

}  // namespace maui
