#include "sched/priority/fairshare_ahead.h"

#include <algorithm>
#include <optional>
#include <set>

namespace maui {
namespace {

double amount_of(const std::vector<double>& amounts, std::uint32_t number) {
  return number < amounts.size() ? amounts[number] : 0;
}

// True if the share of some credential changes while use grows by `second`.
bool shares_change(const WeightedUse& use, const FairshareWindow& second) {
  if (second.total <= 0) return false;
  for (const auto kind : kCredentialKinds) {
    const auto &used = use.used[kind], &rates = second.used[kind];
    for (std::uint32_t i = 0; i < std::max(used.size(), rates.size()); ++i)
      if (use.total <= 0 || amount_of(used, i) * second.total != amount_of(rates, i) * use.total)
        return true;
  }
  return false;
}

// Returns the first time after `now` and up to `last` at which `holds` differs from its value at
// `now`; empty if it has the same value at `last`.  Requires that it changes at most once.
template <class Holds>
std::optional<Time> first_change(Time now, Time last, Holds holds) {
  const bool first = holds(now);
  if (last <= now || holds(last) == first) return std::nullopt;
  Time same = now, other = last;
  while (other - same > Seconds(1)) {
    const Time middle = same + Seconds((other - same).raw() / 2);
    (holds(middle) == first ? same : other) = middle;
  }
  return other;
}

}  // namespace

FairshareAhead::FairshareAhead(const FairshareHistory& history, const FairshareWindow& second,
                               const FairshareSettings& settings, Time now)
    : now_(now),
      use_(weighted_use(history, settings, now)),
      second_(second),
      changes_(shares_change(use_, second_)) {}

double FairshareAhead::use(CredentialKind kind, std::uint32_t number, Time when) const {
  const auto passed = static_cast<double>((when - now_).raw());
  const double used =
      amount_of(use_.used[kind], number) + amount_of(second_.used[kind], number) * passed;
  return percent_of(used, use_.total + second_.total * passed);
}

Time next_cap(const Cluster& cluster, const Settings& settings, const FairshareAhead& ahead,
              Time now, Time before) {
  if (!ahead.changes()) return kForever;
  const FairshareStanding standing(cluster, settings);
  ByKind<std::set<std::uint32_t>> examined;
  Time next = before;
  for (const Waiting& line : cluster.waiting()) {
    if (line.held) continue;
    const Credentials& who = cluster.job(line.job).credentials;
    for (const auto kind : kCredentialKinds) {
      const auto number = number_of(who, kind);
      if (number == kNoCredential || !examined[kind].insert(number).second) continue;
      const auto blocked = [&](Time when) {
        return standing.blocks(kind, who, ahead.use(kind, number, when));
      };
      // Use only rises or only falls.
      if (const auto change = first_change(now, next - Seconds(1), blocked)) next = *change;
    }
  }
  return next < before ? next : kForever;
}

}  // namespace maui
