#include "sched/priority/fairshare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace maui {
namespace {

FairshareWindow& window_at(FairshareHistory& history, Seconds interval, Time start) {
  auto& windows = history.windows;
  const auto at = std::find_if(windows.begin(), windows.end(),
                               [start](const auto& window) { return window.start <= start; });
  if (at != windows.end() && at->start == start) {
    at->length = interval;
    return *at;
  }
  FairshareWindow made;
  made.start = start;
  made.length = interval;
  return *windows.insert(at, std::move(made));
}

void add(FairshareWindow& window, const Credentials& who, double amount) {
  window.total += amount;
  for (const auto kind : kCredentialKinds) {
    const auto number = number_of(who, kind);
    if (number == kNoCredential) continue;
    auto& used = window.used[kind];
    if (number >= used.size()) used.resize(number + std::size_t{1});
    used[number] += amount;
  }
}

/// Returns how many windows ago this one began; empty if it does not count.
std::optional<std::size_t> age_of(const FairshareWindow& window, const FairshareSettings& settings,
                                  Time now) {
  const auto start = window_start(settings.interval, window.start);
  const auto ago = (window_start(settings.interval, now) - start).raw() / settings.interval.raw();
  if (ago < 0 || ago >= settings.depth) return std::nullopt;
  return static_cast<std::size_t>(ago);
}

void add(std::vector<double>& sums, const std::vector<double>& more, double weight) {
  if (sums.size() < more.size()) sums.resize(more.size());
  for (std::size_t i = 0; i < more.size(); ++i) sums[i] += weight * more[i];
}

std::string_view word_of(CredentialKind kind) {
  return kind == CredentialKind::qos ? "QOS" : kind_name(kind);
}

}  // namespace

Time window_start(Seconds interval, Time when) {
  const auto over = when.raw() % interval.raw();
  return Time(when.raw() - (over < 0 ? over + interval.raw() : over));
}

Seconds length_of_windows(Seconds interval, std::int64_t count) {
  return count > 0 && interval.raw() > kUnlimited.raw() / count ? kUnlimited : interval * count;
}

Time window_end(const FairshareSettings& settings, Time now) {
  if (settings.metric == FairshareMetric::none) return kForever;
  return window_start(settings.interval, now) + settings.interval;
}

void record_use(FairshareHistory& history, Seconds interval, const Credentials& who, double rate,
                Time from, Time until) {
  const double sign = until < from ? -1 : 1;
  const Time end = std::max(from, until);
  for (Time at = std::min(from, until); at < end;) {
    const Time start = window_start(interval, at);
    const Time next = std::min(end, start + interval);
    add(window_at(history, interval, start), who,
        sign * rate * static_cast<double>((next - at).raw()));
    at = next;
  }
}

void forget_old_windows(FairshareHistory& history, const FairshareSettings& settings, Time now) {
  const Time current = window_start(settings.interval, now);
  int newer = 0;  // windows that are not of the future
  std::erase_if(history.windows, [&](const FairshareWindow& window) {
    const bool past = window.start < current && !age_of(window, settings, now);
    if (past && newer >= settings.depth) return true;
    if (window.start <= now) ++newer;
    return false;
  });
}

std::vector<FairshareWindow> windows_that_count(const FairshareHistory& history,
                                                const FairshareSettings& settings, Time now) {
  std::vector<FairshareWindow> counted;
  for (const auto& window : history.windows) {
    const auto age = age_of(window, settings, now);
    if (!age) continue;
    while (counted.size() <= *age) {
      auto& made = counted.emplace_back();
      made.length = settings.interval;
      made.start =
          window_start(settings.interval, now) -
          length_of_windows(settings.interval, static_cast<std::int64_t>(counted.size() - 1));
    }
    auto& sums = counted[*age];
    sums.total += window.total;
    for (const auto kind : kCredentialKinds) add(sums.used[kind], window.used[kind], 1);
  }
  return counted;
}

double window_weight(const FairshareSettings& settings, std::size_t age) {
  return std::pow(settings.decay, static_cast<double>(age));
}

WeightedUse weighted_use(const FairshareHistory& history, const FairshareSettings& settings,
                         Time now) {
  WeightedUse sums;
  for (const auto& window : history.windows) {
    const auto age = age_of(window, settings, now);
    if (!age) continue;
    const double weight = window_weight(settings, *age);
    sums.total += weight * window.total;
    for (const auto kind : kCredentialKinds) add(sums.used[kind], window.used[kind], weight);
  }
  return sums;
}

FairshareUse effective_use(const FairshareHistory& history, const FairshareSettings& settings,
                           Time now) {
  auto [total, used] = weighted_use(history, settings, now);
  FairshareUse use;
  for (const auto kind : kCredentialKinds) {
    use.percent[kind] = std::move(used[kind]);
    for (double& amount : use.percent[kind]) amount = percent_of(amount, total);
  }
  return use;
}

double deviation(const FairshareTarget& target, double percent, const FairshareSettings& settings) {
  const double below = target.percent - percent;
  constexpr double kAll = 100;  // there is no share of a target of 0
  const double difference =
      settings.relative ? below / (target.percent > 0 ? target.percent : kAll) : below;
  switch (target.type) {
    case TargetType::target:
      return difference;
    case TargetType::floor:
      return std::max(0.0, difference);
    case TargetType::ceiling:
      return std::min(0.0, difference);
    case TargetType::cap:
      break;
  }
  return settings.enforcement == FairshareEnforcement::priority ? std::min(0.0, difference) : 0.0;
}

bool blocks(const FairshareTarget& target, double percent, const FairshareSettings& settings) {
  if (percent <= target.percent) return false;
  switch (settings.enforcement) {
    case FairshareEnforcement::by_type:
      return target.type == TargetType::cap;
    case FairshareEnforcement::priority:
      return false;
    case FairshareEnforcement::hard:
      break;
  }
  return target.type != TargetType::floor;
}

FairshareStanding::FairshareStanding(const Cluster& cluster, const Settings& settings) {
  if (settings.fairshare.metric == FairshareMetric::none) return;
  settings_ = &settings.fairshare;
  targets_ = {cluster, settings, &CredentialSettings::fairshare_target,
              settings.system.fairshare_target};
  if (!targets_.any()) return;
  for (const auto kind : kCredentialKinds) {
    const auto& targets = targets_.of(kind);
    deviations_[kind].resize(targets.size());
    blocked_[kind].resize(targets.size());
    for (std::uint32_t number = 0; number < targets.size(); ++number) {
      const auto& target = targets[number];
      if (!target) continue;
      const double percent = cluster.fairshare_use.of(kind, number);
      deviations_[kind][number] = maui::deviation(*target, percent, settings.fairshare);
      if (!maui::blocks(*target, percent, settings.fairshare)) continue;
      blocked_[kind][number] = any_blocked_ = true;
    }
  }
}

double FairshareStanding::deviation(CredentialKind kind, const Credentials& who,
                                    double percent) const {
  const auto& target = targets_.of(kind, who);
  return settings_ && target ? maui::deviation(*target, percent, *settings_) : 0.0;
}

bool FairshareStanding::blocks(CredentialKind kind, const Credentials& who, double percent) const {
  const auto& target = targets_.of(kind, who);
  return settings_ && target && maui::blocks(*target, percent, *settings_);
}

std::optional<CredentialKind> FairshareStanding::blocked_by(const Credentials& who) const {
  if (!any_blocked_) return std::nullopt;
  for (const auto kind : kCredentialKinds)
    if (const auto number = number_of(who, kind);
        number < blocked_[kind].size() && blocked_[kind][number])
      return kind;
  return std::nullopt;
}

namespace {

/// A fairshare cap, or target, that is exceeded, as messages show it.
struct Excess {
  std::string who;        // "user amy"
  std::string_view what;  // "cap"
  double used = 0, most = 0;
};

Excess excess_of(const Cluster& cluster, CredentialKind kind, std::uint32_t number,
                 const FairshareTarget& target) {
  return {fmt::format("{} {}", word_of(kind), credential_name(cluster, kind, number)),
          target.type == TargetType::cap ? "cap" : "target", cluster.fairshare_use.of(kind, number),
          target.percent};
}

}  // namespace

std::string FairshareStanding::why_blocked(const Cluster& cluster, const Credentials& who) const {
  const auto kind = blocked_by(who);
  if (!kind) return {};
  const auto number = number_of(who, *kind);
  const Excess excess = excess_of(cluster, *kind, number, *targets_.of(*kind, number));
  return fmt::format(
      "{} has used {:.2f}% of the delivered resources, and its fairshare {} is {:.2f}%", excess.who,
      excess.used, excess.what, excess.most);
}

std::string FairshareStanding::what_unblocks(const Cluster& cluster, const Credentials& who) const {
  const auto kind = blocked_by(who);
  if (!kind) return {};
  const auto number = number_of(who, *kind);
  const Excess excess = excess_of(cluster, *kind, number, *targets_.of(*kind, number));
  return fmt::format("the fairshare use of {}, now {:.2f}%, is no longer above its {} of {:.2f}%",
                     excess.who, excess.used, excess.what, excess.most);
}

}  // namespace maui
