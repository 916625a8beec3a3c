// A time zone as a value: the offsets of local clocks from UTC, and their changes.
//
// base/local_zone.h makes one from the process's zone; the default is UTC.  Days count from 0 for
// 1 January 1970; days of the week count from 0 for Sunday.
#pragma once
#include <cstdint>
#include <vector>

#include "maui/units.h"

namespace maui {

class TimeZone {
 public:
  struct Change {
    Time from{0};
    Seconds offset{0};  // ahead of UTC from then on
    friend bool operator==(const Change&, const Change&) = default;
  };

  TimeZone() = default;
  /// `before`: the offset before the first change.  Requires that the changes are in order.
  TimeZone(Seconds before, std::vector<Change> changes)
      : before_(before), changes_(std::move(changes)) {}

  Seconds offset_at(Time when) const;
  std::int64_t day_of(Time when) const;
  static int weekday(std::int64_t day) { return static_cast<int>(((day % 7) + 11) % 7); }

  /// Returns the first time at which clocks on that day show `clock` (since midnight; 24 hours:
  /// the next midnight).  If clocks skip that reading, returns the time at which they do.
  Time first(std::int64_t day, Seconds clock) const;
  /// Returns the end of a period that lasts until `clock`: as first(), but the second time if
  /// clocks are set back and show `clock` twice, unless they are set back to exactly `clock`.
  Time last(std::int64_t day, Seconds clock) const;

  friend bool operator==(const TimeZone&, const TimeZone&) = default;

 private:
  Seconds before_{0};
  std::vector<Change> changes_;
};

}  // namespace maui
