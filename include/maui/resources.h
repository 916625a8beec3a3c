// Resources: what a node has and a task consumes (guide 3.2.1.5, 10.1).
//
// A vector of amounts: processors, memory, swap and disk (in MB), and any
// number of further consumables, which are class initiators (guide 3.2.1.8)
// and generic resources.  The cluster's table of consumables numbers further
// consumables in order of first mention; they are stored sparse and sorted.
#pragma once
#include <algorithm>
#include <array>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "maui/units.h"

namespace maui {

using ConsumableId = Id<struct ConsumableTag>;

inline constexpr ConsumableId kProcs{0U};
inline constexpr ConsumableId kMemory{1U};
inline constexpr ConsumableId kSwap{2U};
inline constexpr ConsumableId kDisk{3U};
inline constexpr std::size_t kElementary = 4;

class Resources {
 public:
  using Quantity = std::int32_t;
  static constexpr Quantity kMost = std::numeric_limits<Quantity>::max();  // 2 million TB
  using Extra = std::pair<ConsumableId, Quantity>;
  using Extras = boost::container::small_vector<Extra, 2>;  // few nodes and tasks have more

  /// Returns amount + more * times, at most kMost, of either sign.
  static Quantity sum(Quantity amount, Quantity more, Quantity times = 1) {
    return static_cast<Quantity>(
        std::clamp<std::int64_t>(std::int64_t{amount} + std::int64_t{more} * times, -kMost, kMost));
  }

  Resources() = default;
  Resources(const Resources&) = default;
  Resources& operator=(const Resources&) = default;
  // boost::container::small_vector does not promise it, but moving a few pairs cannot fail; with
  // the promise, vectors that grow move their elements.
  Resources(Resources&&) noexcept = default;
  Resources& operator=(Resources&&) noexcept = default;
  explicit Resources(Quantity procs, Quantity memory = 0, Quantity swap = 0, Quantity disk = 0)
      : elementary_{procs, memory, swap, disk} {}

  Quantity procs() const { return elementary_[0]; }
  Quantity memory() const { return elementary_[1]; }
  Quantity swap() const { return elementary_[2]; }
  Quantity disk() const { return elementary_[3]; }

  Quantity get(ConsumableId what) const {
    if (what.index() < kElementary) return elementary_[what.index()];
    const auto at = find(what);
    return at != extra_.end() && at->first == what ? at->second : 0;
  }
  void set(ConsumableId what, Quantity amount);

  /// The consumables beyond the elementary four with nonzero amounts.
  const Extras& extra() const { return extra_; }

  bool zero() const {  // called for every node in each iteration
    return (elementary_[0] | elementary_[1] | elementary_[2] | elementary_[3]) == 0 &&
           extra_.empty();
  }

  /// Adds (times > 0) or subtracts (times < 0) `times` copies of `what`.  Sums beyond kMost, of
  /// either sign, become kMost: so a node that is given too much has no room, however much it is.
  void add(const Resources& what, Quantity times = 1) {
    for (std::size_t i = 0; i < kElementary; ++i)
      elementary_[i] = sum(elementary_[i], what.elementary_[i], times);
    if (!what.extra_.empty()) add_extra(what, times);
  }

  /// Returns how many copies of `task` fit into these resources at once.  Negative amounts hold no
  /// copy; for a task that asks for nothing, returns kMost (no limit).
  Quantity tasks_of(const Resources& task) const {
    // Called very often for every node; most tasks ask for one processor and nothing else.
    Quantity fit = kMost;
    for (std::size_t i = 0; i < kElementary; ++i)
      fit = std::min(fit, copies(elementary_[i], task.elementary_[i]));
    return task.extra_.empty() ? fit : std::min(fit, copies_of_extra(task));
  }

  friend bool operator==(const Resources&, const Resources&) = default;

 private:
  static Quantity copies(Quantity have, Quantity need) {
    if (need <= 0) return kMost;
    const Quantity some = std::max(have, 0);
    return need == 1 ? some : some / need;
  }
  Quantity copies_of_extra(const Resources& task) const;
  void add_extra(const Resources& what, Quantity times);
  Extras::const_iterator find(ConsumableId what) const {
    return std::lower_bound(extra_.begin(), extra_.end(), what,
                            [](const Extra& e, ConsumableId id) { return e.first < id; });
  }

  std::array<Quantity, kElementary> elementary_{};
  Extras extra_;  // sorted by consumable, no zero amounts
};

}  // namespace maui
