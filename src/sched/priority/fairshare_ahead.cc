#include "sched/priority/fairshare_ahead.h"

#include <algorithm>
#include <set>
#include <utility>

#include "sched/priority/fairshare.h"

namespace maui {
namespace {

double amount_of(const std::vector<double>& amounts, std::uint32_t number) {
  return number < amounts.size() ? amounts[number] : 0;
}

void add_weighted(std::vector<double>& sums, const std::vector<double>& more, double weight) {
  if (sums.size() < more.size()) sums.resize(more.size());
  for (std::size_t i = 0; i < more.size(); ++i) sums[i] += weight * more[i];
}

}  // namespace

FairshareAhead::FairshareAhead(const FairshareHistory& history, const FairshareWindow& second,
                               const FairshareSettings& settings, Time now)
    : now_(now), total_rate_(second.total), rates_(second.used) {
  const auto windows = windows_that_count(history, settings, now);
  for (std::size_t age = 0; age < windows.size(); ++age) {
    const double weight = window_weight(settings, age);
    total_ += weight * windows[age].total;
    for (const auto kind : kCredentialKinds)
      add_weighted(used_[kind], windows[age].used[kind], weight);
  }
  for (const auto kind : kCredentialKinds)
    for (std::uint32_t i = 0; i < std::max(used_[kind].size(), rates_[kind].size()); ++i)
      moves_ = moves_ || total_ <= 0 ||
               amount_of(used_[kind], i) * total_rate_ != amount_of(rates_[kind], i) * total_;
  moves_ = moves_ && total_rate_ > 0;
}

double FairshareAhead::use(CredentialKind kind, std::uint32_t number, Time when) const {
  const auto passed = static_cast<double>((when - now_).raw());
  const double total = total_ + total_rate_ * passed;
  if (total <= 0) return 0;
  const double used = amount_of(used_[kind], number) + amount_of(rates_[kind], number) * passed;
  return std::clamp(100 * used / total, 0.0, 100.0);
}

Time next_cap(const Cluster& cluster, const Settings& settings, const FairshareAhead& ahead,
              Time now, Time before) {
  if (!ahead.moves()) return kForever;
  const FairshareStanding standing(cluster, settings);
  ByKind<std::set<std::uint32_t>> looked_at;
  Time next = before;
  for (const Waiting& line : cluster.waiting()) {
    if (line.held) continue;
    const Credentials& who = cluster.job(line.job).credentials;
    for (const auto kind : kCredentialKinds) {
      const auto number = number_of(who, kind);
      if (number == kNoCredential || !looked_at[kind].insert(number).second) continue;
      const auto blocked = [&](Time when) {
        return standing.blocks(kind, who, ahead.use(kind, number, when));
      };
      // The state changes at most once, since use only rises or only falls.
      Time same = now, other = next - Seconds(1);
      const bool first = blocked(now);
      if (other <= now || blocked(other) == first) continue;
      while (other - same > Seconds(1)) {
        const Time middle = same + Seconds((other - same).raw() / 2);
        (blocked(middle) == first ? same : other) = middle;
      }
      next = other;
    }
  }
  return next < before ? next : kForever;
}

}  // namespace maui
