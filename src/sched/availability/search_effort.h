// The effort that a cycle spends on finding nodes for jobs with several requirements
// or with many node sets.
//
// Effort is counted in groups and nodes examined, never in time or by what is cached, so
// that the same state gives the same plan.  Each user's jobs have a share: half of the
// unassigned effort when their first job is examined, and always enough for one search.
// A user with many such jobs thus does not delay other users, whose jobs still get their
// shares.
#pragma once
#include <cstdint>
#include <unordered_map>

#include "maui/units.h"

namespace maui {

/// The remaining effort for one user's jobs.  Once it is spent, jobs get only the simplest search;
/// after several times the share, jobs are passed over.
struct SearchShare {
  static constexpr std::int64_t kTimesInHaste = 2;

  std::int64_t left = 0;
  std::int64_t least = 0;  // `left` falls only slightly below this

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
