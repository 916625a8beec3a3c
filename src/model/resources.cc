#include "maui/resources.h"

#include <limits>

namespace maui {

void Resources::set(ConsumableId what, Quantity amount) {
  if (what.index() < kElementary) {
    elementary_[what.index()] = amount;
    return;
  }
  const auto at = extra_.begin() + (find(what) - extra_.cbegin());
  const bool known = at != extra_.end() && at->first == what;
  if (amount == 0) {
    if (known) extra_.erase(at);
  } else if (known) {
    at->second = amount;
  } else {
    extra_.insert(at, {what, amount});
  }
}

void Resources::add(const Resources& what, Quantity times) {
  for (std::size_t i = 0; i < kElementary; ++i) elementary_[i] += what.elementary_[i] * times;
  for (const auto& [id, amount] : what.extra_) set(id, get(id) + amount * times);
}

Resources::Quantity Resources::tasks_of(const Resources& task) const {
  Quantity fit = std::numeric_limits<Quantity>::max();
  const auto bound = [&](Quantity have, Quantity need) {
    if (need > 0) fit = std::min(fit, std::max(have, 0) / need);
  };
  for (std::size_t i = 0; i < kElementary; ++i) bound(elementary_[i], task.elementary_[i]);
  for (const auto& [id, amount] : task.extra_) bound(get(id), amount);
  return fit;
}

}  // namespace maui
