#include "sched/reservations/calendar.h"

#include <algorithm>

#include "maui/reservation.h"

namespace maui {
namespace {

constexpr std::int64_t kDay = 86400;
constexpr std::int64_t kWeek = 7;

// The time frame within a period, in clock seconds since the period began.
struct Frame {
  std::int64_t start = 0, end = 0;
  bool into_next = false;  // the frame ends in the next period
};

Frame frame_of(const StandingReservationSettings& standing, std::int64_t days) {
  const bool week = days == kWeek;
  const auto chosen = [&](const auto& of_week, const auto& plain, std::int64_t fallback) {
    if (week && of_week) return of_week->raw();
    return plain ? plain->raw() : fallback;
  };
  Frame frame;
  frame.start = chosen(standing.week_start, standing.start, 0) % (days * kDay);
  frame.end = std::min(chosen(standing.week_end, standing.end, days * kDay), days * kDay);
  frame.into_next = frame.end <= frame.start;
  if (frame.into_next) frame.end += days * kDay;
  return frame;
}

}  // namespace

std::vector<Occurrence> occurrences(const StandingReservationSettings& standing,
                                    const TimeZone& zone, Time now) {
  if (standing.period == StandingPeriod::infinity) return {{0, kForever, now, kForever}};
  if (standing.depth <= 0) return {};
  const bool may_move = has(standing.flags, ReservationFlag::time_flex);
  const bool week = standing.period == StandingPeriod::week;
  const std::int64_t days = week ? kWeek : 1;
  const auto today = zone.day_of(now);
  const auto first = week ? today - TimeZone::weekday(today) : today;
  const Frame frame = frame_of(standing, days);
  const int before = frame.into_next ? 1 : 0;
  std::vector<Occurrence> found;
  for (int i = -before; i < standing.depth; ++i) {
    const auto day = first + i * days;
    if (!week && (standing.days >> TimeZone::weekday(day) & 1) == 0) continue;
    const auto last_day = day + frame.end / kDay;
    const Seconds clock(frame.end % kDay);
    // Midnight belongs to both periods: it ends one and begins the next.
    const Time end = clock == Seconds(0) ? zone.first(last_day, clock) : zone.last(last_day, clock);
    const Occurrence occurrence{i + before, zone.first(day, Seconds(0)),
                                zone.first(day + frame.start / kDay, Seconds(frame.start % kDay)),
                                end};
    const Time period_end = zone.first(day + days, Seconds(0));
    const bool over = now >= (may_move ? std::max(occurrence.end, period_end) : occurrence.end);
    if (occurrence.start < occurrence.end && !over) found.push_back(occurrence);
  }
  return found;
}

Time next_midnight(const TimeZone& zone, Time now) {
  return zone.first(zone.day_of(now) + 1, Seconds(0));
}

}  // namespace maui
