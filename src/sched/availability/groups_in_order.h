// Groups in the order of a time at which their room changes, for one class of question: those with
// room now by the time when it ends, and those whose room only grows by the times when it grows.
#pragma once
#include <algorithm>
#include <cstdint>
#include <iterator>
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

/// The entries are in two sorted sequences, a long one and a short one for those that came last:
/// few new entries need not be merged with all others.
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
    if (lost_ < std::max(kFew, (rooms_.size() + recent_.size()) / kPart)) return;
    sort_fresh();
    merge(recent_, rooms_);
    std::erase_if(rooms_, gone);
    lost_ = 0;
  }

  /// Calls visit(room) in order for the entries from `first` on until it returns false.
  template <class Visit>
  void each_from(const Room& first, const Visit& visit) {
    sort_fresh();
    each_of(
        std::lower_bound(rooms_.begin(), rooms_.end(), first), rooms_.end(),
        std::lower_bound(recent_.begin(), recent_.end(), first), recent_.end(),
        [](const Room& a, const Room& b) { return a < b; }, visit);
  }
  /// Calls visit(room) in reverse order for the entries up to `last` until it returns false.
  template <class Visit>
  void each_back_from(const Room& last, const Visit& visit) {
    sort_fresh();
    const auto back = [](auto at) { return std::make_reverse_iterator(at); };
    each_of(
        back(std::upper_bound(rooms_.begin(), rooms_.end(), last)), rooms_.rend(),
        back(std::upper_bound(recent_.begin(), recent_.end(), last)), recent_.rend(),
        [](const Room& a, const Room& b) { return b < a; }, visit);
  }

 private:
  /// Calls visit(room) for the entries of two sequences, both in the order of `before`, until it
  /// returns false.
  template <class At, class Before, class Visit>
  static void each_of(At a, At a_end, At b, At b_end, const Before& before, const Visit& visit) {
    while (a != a_end || b != b_end) {
      const bool second = a == a_end || (b != b_end && before(*b, *a));
      if (!visit(second ? *b++ : *a++)) return;
    }
  }
  /// Adds the entries of `from`, which is empty then; both are sorted.
  static void merge(std::vector<Room>& from, std::vector<Room>& into) {
    const auto known = static_cast<std::ptrdiff_t>(into.size());
    into.insert(into.end(), from.begin(), from.end());
    from.clear();
    std::inplace_merge(into.begin(), into.begin() + known, into.end());
  }
  void sort_fresh() {
    if (fresh_.empty()) return;
    constexpr std::size_t kPart = 8;
    std::sort(fresh_.begin(), fresh_.end());
    merge(fresh_, recent_);
    if (recent_.size() > rooms_.size() / kPart) merge(recent_, rooms_);
  }

  std::vector<Room> rooms_, recent_;  // sorted
  std::vector<Room> fresh_;
  std::size_t lost_ = 0;  // since the last look_through()
};

}  // namespace maui::availability
