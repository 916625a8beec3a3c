// Groups in the order of a time at which their room changes, for one class of question: those with
// room now by the time when it ends, and those whose room only grows by the times when it grows.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "sched/availability/node_groups.h"

namespace maui::availability {

/// A group that has room now and keeps some of it until `until`.  A group whose room decreases
/// several times has several entries: for a job, the one that counts begins before the job's end
/// and lasts until then or longer.
struct OpenRoom {
  Time until = kForever;  // when the room decreases
  Time since = kAlways;   // when it last decreased; kAlways: the group's first entry
  GroupId group = 0;
  std::uint64_t generation = 0;  // of the group
  friend bool operator<(const OpenRoom& a, const OpenRoom& b) { return a.until < b.until; }
};

/// A group whose room only grows, and a time at which it grows.  A group has an entry for each such
/// time: for a job, the last one before its start counts.
struct GrowingRoom {
  Time since = kAlways;  // kAlways: the group has room now
  GroupId group = 0;
  std::uint64_t generation = 0;  // of the group
  friend bool operator<(const GrowingRoom& a, const GrowingRoom& b) { return a.since < b.since; }
};

template <class Room>
class GroupsInOrder {
 public:
  void add(const Room& room) { fresh_.push_back(room); }
  /// Notes that a group's entries may have become invalid.
  void lose() { ++lost_; }
  /// Drops entries that are gone(), if enough may be: passing over one costs less than a walk
  /// over all of them.
  template <class Gone>
  void look_through(const Gone& gone) {
    constexpr std::size_t kFew = 64, kPart = 4;
    if (lost_ < std::max(kFew, rooms_.size() / kPart)) return;
    merge();
    std::erase_if(rooms_, gone);
    lost_ = 0;
  }

  /// All entries in order.
  const std::vector<Room>& all() {
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

  std::vector<Room> rooms_, fresh_;
  std::size_t lost_ = 0;  // since the last look_through()
};

}  // namespace maui::availability
