#include "sched/reservations/calendar.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

#include "base/local_zone.h"
#include "support/scenario.h"

namespace maui {
namespace {

using test::hours;
using test::minutes;

constexpr const char* kZones[] = {"EST5EDT,M3.2.0,M11.1.0", "CET-1CEST,M3.5.0,M10.5.0/3",
                                  "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0",
                                  "<-03>3<-02>,M10.3.0/0,M2.3.0/0"};
constexpr std::int64_t kStep = 900;
constexpr std::int64_t kBegin = 1009843200;  // 1 January 2002, UTC

class CalendarTest : public testing::Test {
 protected:
  void TearDown() override { set_zone("UTC"); }
  static TimeZone set_zone(const char* name) {
    ::setenv("TZ", name, 1);
    ::tzset();
    return local_zone();
  }
  static std::tm clock(std::int64_t when) {
    const auto t = static_cast<std::time_t>(when);
    std::tm fields{};
    localtime_r(&t, &fields);
    return fields;
  }
};

// Slow and obvious: reads the clock every quarter of an hour.  A period's reservation begins when
// its clock first shows STARTTIME or more, and ends after it has last shown less than ENDTIME.
struct Span {
  std::int64_t key = -1, start = -1, end = -1;
};
std::vector<Span> by_the_clock(std::int64_t from, std::int64_t until, bool week, unsigned days,
                               std::int64_t start, std::int64_t end) {
  std::vector<Span> spans;
  std::int64_t key = 0;
  int last_wday = -1;
  for (auto t = from; t < until; t += kStep) {
    const auto time = static_cast<std::time_t>(t);
    std::tm fields{};
    localtime_r(&time, &fields);
    if (fields.tm_wday != last_wday && (!week || fields.tm_wday == 0)) ++key;
    last_wday = fields.tm_wday;
    if (!week && (days >> fields.tm_wday & 1U) == 0) continue;
    const std::int64_t shown = fields.tm_hour * 3600 + fields.tm_min * 60 + fields.tm_sec +
                               (week ? fields.tm_wday * 86400 : 0);
    if (spans.empty() || spans.back().key != key) spans.push_back({key});
    Span& span = spans.back();
    if (span.start < 0 && shown >= start) span.start = t;
    if (shown < end) span.end = t + kStep;
  }
  std::erase_if(spans, [](const Span& s) { return s.start < 0 || s.end <= s.start; });
  return spans;
}

void compare(const TimeZone& zone, const StandingReservationSettings& standing, bool week,
             const std::string& what) {
  const auto start = standing.start.value_or(Seconds(0)).raw();
  const auto end = standing.end.value_or(Seconds(week ? 7 * 86400 : 86400)).raw();
  const auto spans =
      by_the_clock(kBegin, kBegin + 2 * 366 * 86400, week, standing.days, start, end);
  ASSERT_GT(spans.size(), 90U);
  // The first and last ones may be cut off.
  for (std::size_t i = 2; i + 2 < spans.size(); ++i) {
    const auto& span = spans[i];
    for (const auto now : {span.start, (span.start + span.end) / 2, span.end - 1}) {
      const auto found = occurrences(standing, zone, Time(now));
      ASSERT_FALSE(found.empty()) << what;
      ASSERT_EQ(found.front().start.raw(), span.start) << what << " at " << now;
      ASSERT_EQ(found.front().end.raw(), span.end) << what << " at " << now;
      ASSERT_EQ(found.front().index, 0) << what;
    }
    const auto after = occurrences(standing, zone, Time(span.end));
    ASSERT_TRUE(after.empty() || after.front().start.raw() == spans[i + 1].start) << what;
  }
}

TEST_F(CalendarTest, IsWhatTheClockShowsOverTwoYearsInFourZones) {
  constexpr std::pair<std::int64_t, std::int64_t> kFrames[] = {
      {0, 24 * 60},          {9 * 60, 17 * 60}, {60 + 30, 2 * 60 + 30},
      {2 * 60 + 15, 3 * 60}, {0, 60},           {23 * 60, 24 * 60}};
  for (const char* name : kZones) {
    const TimeZone zone = set_zone(name);
    for (const auto& [from, to] : kFrames)
      for (const unsigned days : {0x7fU, 0x3eU, 0x41U}) {
        StandingReservationSettings standing;
        standing.days = static_cast<std::uint8_t>(days);
        standing.start = minutes(from);
        standing.end = minutes(to);
        standing.depth = 1;
        compare(zone, standing, false, std::string(name) + " from minute " + std::to_string(from));
      }
    StandingReservationSettings weekly;
    weekly.period = StandingPeriod::week;
    weekly.depth = 1;
    compare(zone, weekly, true, name);
    weekly.start = Seconds(86400 + 8 * 3600);
    weekly.end = Seconds(5 * 86400 + 17 * 3600);
    compare(zone, weekly, true, name);
  }
}

TEST_F(CalendarTest, AZoneAgreesWithTheProcess) {
  for (const char* name : kZones) {
    const TimeZone zone = set_zone(name);
    for (std::int64_t t = kBegin; t < kBegin + 2 * 366 * 86400; t += 1800)
      ASSERT_EQ(zone.offset_at(Time(t)).raw(), clock(t).tm_gmtoff) << name << " at " << t;
  }
}

TEST_F(CalendarTest, DepthCountsTodayAndTheDaysAfterIt) {
  StandingReservationSettings standing;
  standing.depth = 7;
  standing.days = 0x3e;  // Monday to Friday
  const TimeZone utc;
  const Time thursday(1000000000 + 4 * 86400);
  std::vector<int> indexes;
  for (const auto& occurrence : occurrences(standing, utc, thursday))
    indexes.push_back(occurrence.index);
  EXPECT_EQ(indexes, (std::vector<int>{0, 1, 4, 5, 6}));
}

TEST_F(CalendarTest, AnOccurrenceThatIsOverTodayComesAgainTomorrow) {
  StandingReservationSettings standing;
  standing.start = hours(9);
  standing.end = hours(17);
  const TimeZone utc;
  const Time evening(20 * 3600);
  const auto found = occurrences(standing, utc, evening);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front(),
            (Occurrence{1, Time(86400), Time(86400 + 9 * 3600), Time(86400 + 17 * 3600)}));
}

TEST_F(CalendarTest, AnEndBeforeTheStartIsThatOfTheNextDay) {
  StandingReservationSettings standing;
  standing.start = hours(20);
  standing.end = hours(6);
  standing.depth = 1;
  const TimeZone utc;
  const auto found = occurrences(standing, utc, Time(86400 + 2 * 3600));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].start, Time(20 * 3600));
  EXPECT_EQ(found[0].end, Time(30 * 3600));
  EXPECT_EQ(found[1].start, Time(86400 + 20 * 3600));
}

TEST_F(CalendarTest, InfinityHasOneOccurrenceFromNowOn) {
  StandingReservationSettings standing;
  standing.period = StandingPeriod::infinity;
  standing.start = hours(9);
  standing.depth = 0;
  EXPECT_EQ(occurrences(standing, TimeZone(), Time(500)),
            (std::vector<Occurrence>{{0, kForever, Time(500), kForever}}));
}

TEST_F(CalendarTest, PeriodsRollAtTheZonesMidnight) {
  const TimeZone berlin = set_zone("CET-1CEST,M3.5.0,M10.5.0/3");
  EXPECT_EQ(next_midnight(berlin, Time(1000000000)), Time(1000000000 + 72800 - 0));
}

}  // namespace
}  // namespace maui
