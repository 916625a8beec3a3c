// The groups that have room now for a class of question, ordered by the time when the room ends.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "sched/availability/node_groups.h"

namespace maui::availability {

/// A group that has room now and keeps some of it until `until`.  A group whose room decreases
/// several times has several entries: the one that counts lasts until a job's end or longer and
/// begins before it.
struct OpenRoom {
  Time until = kForever;  // when the room decreases
  Time since = kAlways;   // when it last decreased; kAlways: the group's first entry
  GroupId group = 0;
  std::uint64_t generation = 0;  // of the group
  friend bool operator<(const OpenRoom& a, const OpenRoom& b) { return a.until < b.until; }
};

class OpenGroups {
 public:
  void add(const OpenRoom& room) { fresh_.push_back(room); }
  /// Notes that an entry may have become invalid.
  void lose() { ++lost_; }
  /// Drops entries that are gone(), if enough may be.
  template <class Gone>
  void look_through(const Gone& gone) {
    constexpr std::size_t kFew = 64;
    if (lost_ < kFew) return;
    merge();
    std::erase_if(rooms_, gone);
    lost_ = 0;
  }

  /// All entries, ordered by `until`.
  const std::vector<OpenRoom>& all() {
    merge();
    return rooms_;
  }

 private:
  void merge() {
    if (fresh_.empty()) return;
    std::sort(fresh_.begin(), fresh_.end());
    const auto known = static_cast<std::ptrdiff_t>(rooms_.size());
    rooms_.insert(rooms_.end(), fresh_.begin(), fresh_.end());
    fresh_.clear();
    std::inplace_merge(rooms_.begin(), rooms_.begin() + known, rooms_.end());
  }

  std::vector<OpenRoom> rooms_, fresh_;
  std::size_t lost_ = 0;  // since the last look_through()
};

}  // namespace maui::availability
