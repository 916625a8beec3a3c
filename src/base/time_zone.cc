#include "maui/time_zone.h"

#include <algorithm>

namespace maui {
namespace {

std::int64_t floor_day(std::int64_t seconds) {
  return seconds / kDaySeconds - (seconds % kDaySeconds < 0 ? 1 : 0);
}

}  // namespace

Seconds TimeZone::offset_at(Time when) const {
  const auto after =
      std::upper_bound(changes_.begin(), changes_.end(), when,
                       [](Time at, const Change& change) { return at < change.from; });
  return after == changes_.begin() ? before_ : std::prev(after)->offset;
}

std::int64_t TimeZone::day_of(Time when) const {
  return floor_day(when.raw() + offset_at(when).raw());
}

// Within a day of the local time taken as UTC, each interval between two changes of the clock has
// the local time at most once: at that time minus the interval's offset.
Time TimeZone::first(std::int64_t day, Seconds clock) const {
  const Time as_utc(day * kDaySeconds + clock.raw());
  const auto begin =
      std::upper_bound(changes_.begin(), changes_.end(), as_utc - Seconds(2 * kDaySeconds),
                       [](Time at, const Change& change) { return at < change.from; });
  Seconds offset = begin == changes_.begin() ? before_ : std::prev(begin)->offset;
  for (auto next = begin;; ++next) {
    const Time shown = as_utc - offset;
    if (next == changes_.end() || shown < next->from) return shown;
    // This interval ends before the local time; if the next begins after it, the clocks skip it.
    if (as_utc - next->offset < next->from) return next->from;
    offset = next->offset;
  }
}

Time TimeZone::last(std::int64_t day, Seconds clock) const {
  const Time as_utc(day * kDaySeconds + clock.raw());
  Time found = first(day, clock);
  const auto begin =
      std::upper_bound(changes_.begin(), changes_.end(), found,
                       [](Time at, const Change& change) { return at < change.from; });
  for (auto next = begin; next != changes_.end(); ++next) {
    const Change& change = *next;
    if (change.from > as_utc + Seconds(2 * kDaySeconds)) break;
    if (const Time again = as_utc - change.offset; again > change.from) found = again;
  }
  return found;
}

}  // namespace maui
