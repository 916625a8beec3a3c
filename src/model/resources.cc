#include "maui/resources.h"

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

void Resources::add_extra(const Resources& what, Quantity times) {
  for (const auto& [id, amount] : what.extra_) set(id, sum(get(id), amount, times));
}

Resources::Quantity Resources::copies_of_extra(const Resources& task) const {
  Quantity fit = kMost;
  for (const auto& [id, amount] : task.extra_) fit = std::min(fit, copies(get(id), amount));
  return fit;
}

}  // namespace maui
