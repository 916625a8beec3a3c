// The groups that have room now for a class of question, in the order in which their room ends.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "sched/availability/node_groups.h"

namespace maui::availability {

/// A group that has room now, and some of it until that moment.  One whose room becomes less
/// several times has as many of these: of them that counts which lasts at least until a job's end,
/// and begins before it.
struct OpenRoom {
  Time until = kForever;  // then the room becomes less
  Time since = kAlways;   // then it last became less; kAlways: it is the group's first
  GroupId group = 0;
  std::uint64_t generation = 0;  // of the group
  friend bool operator<(const OpenRoom& a, const OpenRoom& b) { return a.until < b.until; }
};

class OpenGroups {
 public:
  void add(const OpenRoom& room) { fresh_.push_back(room); }
  /// One of them may be gone.
  void lose() { ++lost_; }
  /// Drops those that are gone(), when some may be.
  template <class Gone>
  void look_through(const Gone& gone) {
    constexpr std::size_t kFew = 64;
    if (lost_ < kFew) return;
    merge();
    std::erase_if(rooms_, gone);
    lost_ = 0;
  }

  /// By `until`.
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
  std::size_t lost_ = 0;  // since they were looked through
};

}  // namespace maui::availability
