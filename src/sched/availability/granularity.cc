#include "sched/availability/granularity.h"

#include <algorithm>

namespace maui {
namespace {

constexpr std::array kRounded{kMemory, kSwap, kDisk};

Resources::Quantity round_down(Resources::Quantity amount, Resources::Quantity grain) {
  if (grain == 0) return 0;
  const auto rest = amount % grain;
  return Resources::sum(amount, rest < 0 ? rest + grain : rest, -1);
}

bool is_multiple(Resources::Quantity amount, Resources::Quantity grain) {
  return grain == 0 ? amount == 0 : amount % grain == 0;
}

}  // namespace

Granularity::Granularity() {
  grains_.fill(1);
  compared_.fill(true);
}

Granularity::Granularity(const AskedAmounts& asked, bool by_size) : Granularity() {
  for (const auto what : kRounded) {
    grains_[what.index()] = asked.grain(what);
    compared_[what.index()] = by_size || asked.compared(what);
  }
}

bool Granularity::exact() const {
  return std::all_of(kRounded.begin(), kRounded.end(), [this](ConsumableId what) {
    return grains_[what.index()] == 1 && compared_[what.index()];
  });
}

bool Granularity::serves(const Granularity& coarser) const {
  return std::all_of(kRounded.begin(), kRounded.end(), [&](ConsumableId what) {
    const auto i = what.index();
    return is_multiple(coarser.grains_[i], grains_[i]) && (compared_[i] || !coarser.compared_[i]);
  });
}

bool Granularity::covers(const Resources& per_task) const {
  return std::all_of(kRounded.begin(), kRounded.end(), [&](ConsumableId what) {
    return is_multiple(per_task.get(what), grains_[what.index()]);
  });
}

bool Granularity::divides(const Resources& amount) const {
  return std::all_of(kRounded.begin(), kRounded.end(), [&](ConsumableId what) {
    const auto grain = grains_[what.index()];
    return grain == 0 || is_multiple(amount.get(what), grain);
  });
}

Resources Granularity::rounded(Resources amount) const {
  for (const auto what : kRounded)
    amount.set(what, round_down(amount.get(what), grains_[what.index()]));
  return amount;
}

Resources Granularity::reserved(Resources amount, const Resources& configured) const {
  if (amount.procs() <= 0) return amount;  // the other amounts make it a reservation
  for (const auto what : kRounded) {
    const auto grain = grains_[what.index()];
    if (grain == 0 || amount.get(what) == configured.get(what))
      amount.set(what, round_down(amount.get(what), grain));
  }
  return amount;
}

Resources Granularity::configured(Resources amount) const {
  for (const auto what : kRounded)
    if (!compared_[what.index()])
      amount.set(what, round_down(amount.get(what), grains_[what.index()]));
  return amount;
}

}  // namespace maui
