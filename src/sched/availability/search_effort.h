// The effort that a cycle spends on the search for nodes for jobs with several requirements.
//
// It is counted in groups and nodes that are looked at, never in time or by what is remembered, so
// that the same state gives the same plan.  Each user's jobs have a share: half of what nobody has
// been given yet, when the first of them is looked at, and enough for one search in any case.
// However many such jobs somebody submits, they hold up nobody, and other users' jobs are looked at
// still.
#pragma once
#include <cstdint>
#include <unordered_map>

#include "maui/units.h"

namespace maui {

/// The effort that is left for one user's jobs.  Once it is spent they are searched for in the
/// simplest way only; once they have had several times as much they are not looked at.
struct SearchShare {
  static constexpr std::int64_t kTimesInHaste = 2;

  std::int64_t left = 0;
  std::int64_t least = 0;  // `left` falls no lower than about this

  static SearchShare of(std::int64_t size) { return {size, -kTimesInHaste * size}; }
  bool spent() const { return left <= 0; }
  bool over() const { return left <= least; }
};

class SearchEffort {
 public:
  static constexpr std::int64_t kMostOfACycle = 2'000'000;

  SearchShare& share_of(UserId user) {
    const auto [known, is_new] = shares_.try_emplace(user);
    if (is_new) known->second = SearchShare::of(free_ -= free_ / 2);
    return known->second;
  }

 private:
  std::int64_t free_ = kMostOfACycle;
  std::unordered_map<UserId, SearchShare> shares_;
};

}  // namespace maui
