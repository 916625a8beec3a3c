// Sums of resources over many nodes.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "maui/resources.h"

namespace maui {

/// Amounts as in Resources, but large enough for whole machines: 1,100 nodes of 2 TB have more
/// megabytes than a Resources::Quantity can hold.
class ResourceTotals {
 public:
  using Extra = std::pair<ConsumableId, std::int64_t>;

  std::int64_t procs() const { return elementary_[0]; }
  std::int64_t memory() const { return elementary_[1]; }
  std::int64_t swap() const { return elementary_[2]; }
  std::int64_t disk() const { return elementary_[3]; }
  std::int64_t get(ConsumableId what) const {
    if (what.index() < kElementary) return elementary_[what.index()];
    const auto at = find(what);
    return at != extra_.end() && at->first == what ? at->second : 0;
  }
  /// The consumables beyond the elementary four with nonzero amounts.
  const std::vector<Extra>& extra() const { return extra_; }
  bool zero() const { return elementary_ == decltype(elementary_){} && extra_.empty(); }

  /// Adds (times > 0) or subtracts (times < 0) `times` copies of `what`.
  void add(const Resources& what, std::int64_t times = 1) {
    for (std::size_t i = 0; i < kElementary; ++i)
      elementary_[i] += what.get(ConsumableId(i)) * times;
    for (const auto& [id, quantity] : what.extra()) {
      auto at = find(id);
      if (at == extra_.end() || at->first != id) at = extra_.insert(at, {id, 0});
      const auto sum = at->second + quantity * times;
      if (sum == 0)
        extra_.erase(at);
      else
        extra_[static_cast<std::size_t>(at - extra_.cbegin())].second = sum;
    }
  }

  friend bool operator==(const ResourceTotals&, const ResourceTotals&) = default;

 private:
  std::vector<Extra>::const_iterator find(ConsumableId what) const {
    return std::lower_bound(extra_.begin(), extra_.end(), what,
                            [](const Extra& e, ConsumableId id) { return e.first < id; });
  }

  std::array<std::int64_t, kElementary> elementary_{};
  std::vector<Extra> extra_;  // sorted by consumable, no zero amounts
};

}  // namespace maui
