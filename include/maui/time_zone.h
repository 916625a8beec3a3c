// A time zone as a value: how far local clocks are ahead of UTC, and since when.
//
// base/local_zone.h makes one of the process's zone; a default-made one is UTC.  Days are counted
// from 1 January 1970, which is day 0; days of the week from Sunday, which is 0.
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
  /// Before the first change `before` holds.  Requires that the changes are in order.
  TimeZone(Seconds before, std::vector<Change> changes)
      : before_(before), changes_(std::move(changes)) {}

  Seconds offset_at(Time when) const;
  std::int64_t day_of(Time when) const;
  static int weekday(std::int64_t day) { return static_cast<int>(((day % 7) + 11) % 7); }

  /// The moment at which clocks on that day have been told `clock` since midnight; 24 hours are the
  /// next midnight.  Where clocks are put forward over it, the moment at which they are.
  Time first(std::int64_t day, Seconds clock) const;
  /// The end of what lasts until then: where clocks are put back and show it twice, the second
  /// time, unless they are put back to that very time.
  Time last(std::int64_t day, Seconds clock) const;

  friend bool operator==(const TimeZone&, const TimeZone&) = default;

 private:
  Seconds before_{0};
  std::vector<Change> changes_;
};

}  // namespace maui
