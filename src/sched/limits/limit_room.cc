// The room that the limits of active jobs leave to the jobs of a scope: most jobs are well within
// it, so single rules need no check.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "sched/limits/throttling.h"

namespace maui {
namespace {

/// Returns what is left below a limit, less the possible rounding error.
double left_below(double limit, double used) {
  return limit - used - kLimitDoubt * std::max(limit, std::abs(used));
}

bool all_within(const LimitAmounts& amounts, const LimitAmounts& left) {
  bool within = true;
  for (std::size_t i = 0; i < kLimitKinds; ++i) within = within && amounts[i] <= left[i];
  return within;
}

}  // namespace

LimitAmounts Throttling::room_of(std::size_t scope, Strictness level) const {
  LimitAmounts room;
  room.fill(std::numeric_limits<double>::infinity());
  for (const auto& rule : rules_.scope(scope).active)
    if (const double limit = limit_at(rule, level); limit > 0) {
      auto& left = room[index_of(rule.kind)];
      left = std::min(left, left_below(limit, used_of(rule, false)));
    }
  return room;
}

Throttling::Standing Throttling::standing_of(std::size_t scope, Strictness level,
                                             LimitAmounts& room) {
  const auto& rules = rules_.scope(scope).active;
  if (rules.empty()) return Standing::none_passes;
  room = room_of(scope, level);
  LimitAmounts least{};
  least[index_of(LimitKind::job)] = 1;
  if (!all_within(least, room) && rule_passed(rules, least, false, level))
    return Standing::all_pass;
  return all_within(most_asked(), room) ? Standing::none_passes : Standing::differs;
}

const LimitAmounts& Throttling::most_asked() {
  if (most_asked_) return *most_asked_;
  most_asked_.emplace();
  for (std::size_t i = 0; i < cluster_.request_slots(); ++i) {
    if (!cluster_.request_used(RequestId(i))) continue;
    const LimitAmounts& amounts = asked_by(RequestId(i)).least;
    for (std::size_t kind = 0; kind < kLimitKinds; ++kind)
      (*most_asked_)[kind] = std::max((*most_asked_)[kind], amounts[kind]);
  }
  return *most_asked_;
}

bool Throttling::subjects_have_room(Strictness level) {
  const auto& limits = rules_.lowest_limits();
  for (std::size_t subject = 0; subject < limits.size(); ++subject)
    for (std::size_t kind = 0; kind < kLimitKinds; ++kind) {
      const double limit = limit_at(limits[subject][kind], level);
      const double used = subject < use_.size() ? use_[subject].active[kind] : 0;
      if (limit > 0 && most_asked()[kind] > left_below(limit, used)) return false;
    }
  return true;
}

bool Throttling::look_for_room(Strictness level) {
  auto& all = level_of(level).all;
  if (!all.known) all = {true, subjects_have_room(level), rules_.scopes()};
  for (LimitAmounts room; all.scopes < rules_.scopes(); ++all.scopes)
    all.room = all.room && standing_of(all.scopes, level, room) == Standing::none_passes;
  return all.room;
}

bool Throttling::passes(std::size_t scope, const LimitAmounts& amounts, Strictness level) {
  auto& [standings, rooms, all] = level_of(level);
  if (scope >= standings.size()) standings.resize(rules_.scopes());
  if (scope >= rooms.size()) rooms.resize(rules_.scopes());
  Standing& standing = standings[scope];
  if (standing == Standing::unknown) standing = standing_of(scope, level, rooms[scope]);
  if (standing != Standing::differs) return standing == Standing::all_pass;
  return !all_within(amounts, rooms[scope]) &&
         rule_passed(rules_.scope(scope).active, amounts, false, level) != nullptr;
}

LeftByLimits left_by(const std::vector<LimitRule>& rules, Strictness level, const Request& shape,
                     const std::function<double(const LimitRule&)>& used) {
  double nodes = std::numeric_limits<int>::max();
  double time = static_cast<double>(kUnlimited.raw());
  for (const LimitRule& rule : rules) {
    const double limit = limit_at(rule, level);
    if (limit <= 0) continue;
    if (rule.kind == LimitKind::node) nodes = std::min(nodes, limit - used(rule));
    if (rule.kind != LimitKind::wc && rule.kind != LimitKind::ps) continue;
    const double room = limit - used(rule) + kLimitRounding;
    time =
        std::min(time, rule.kind == LimitKind::wc ? room : room / std::max(1, shape.total_procs()));
  }
  return {static_cast<int>(std::floor(nodes)),
          Seconds(static_cast<std::int64_t>(std::floor(time)))};
}

LeftByLimits Throttling::left_to(const Job& job, const Request& shape, const Placement& placement,
                                 Strictness level) {
  return left_by(scope_of(job, &placement).active, level, shape,
                 [this](const LimitRule& rule) { return used_of(rule, false); });
}

}  // namespace maui
