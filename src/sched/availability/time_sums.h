// Amounts by time: how much is gained or lost at each time.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "maui/units.h"

namespace maui::availability {

class TimeSums {
 public:
  using Entry = std::pair<Time, long long>;

  void add(Time when, long long amount) {
    totals_.clear();
    const auto at = std::lower_bound(sums_.begin(), sums_.end(), when, earlier);
    if (at == sums_.end() || at->first != when) {
      fresh_.emplace_back(when, amount);
      return;
    }
    at->second += amount;
    if (at->second == 0) ++zeros_;
  }
  /// The sums in order of time; may leave out sums of zero.
  const std::vector<Entry>& sorted() {
    if (!fresh_.empty()) merge();
    if (2 * zeros_ > sums_.size() + 16) sweep();
    return sums_;
  }
  /// Returns the sum of all amounts before that time.
  long long before(Time end) {
    const auto& sums = sorted();
    if (sums.empty()) return 0;
    if (totals_.size() != sums.size()) {
      totals_.clear();
      long long total = 0;
      for (const auto& entry : sums) totals_.push_back(total += entry.second);
    }
    const auto count = std::lower_bound(sums.begin(), sums.end(), end, earlier) - sums.begin();
    return count == 0 ? 0 : totals_[static_cast<std::size_t>(count - 1)];
  }

 private:
  static bool earlier(const Entry& entry, Time when) { return entry.first < when; }

  void merge() {
    std::sort(fresh_.begin(), fresh_.end());
    const auto known = static_cast<std::ptrdiff_t>(sums_.size());
    for (const auto& [when, amount] : fresh_)
      if (static_cast<std::ptrdiff_t>(sums_.size()) > known && sums_.back().first == when)
        sums_.back().second += amount;
      else
        sums_.emplace_back(when, amount);
    fresh_.clear();
    std::inplace_merge(sums_.begin(), sums_.begin() + known, sums_.end());
  }
  void sweep() {
    totals_.clear();
    std::erase_if(sums_, [](const Entry& entry) { return entry.second == 0; });
    zeros_ = 0;
  }

  std::vector<Entry> sums_, fresh_;
  std::vector<long long> totals_;  // running totals of sums_; empty if unknown
  std::size_t zeros_ = 0;          // entries that may be zero
};

}  // namespace maui::availability
