#include "base/date.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <string>

#include "base/local_zone.h"

namespace maui {
namespace {

constexpr Time kNow{1000000000};  // Sun Sep  9 01:46:40 2001 in UTC

class DateTest : public testing::Test {
 protected:
  void SetUp() override { zone("UTC"); }
  void TearDown() override { zone("UTC"); }
  static void zone(const char* name) {
    ASSERT_EQ(::setenv("TZ", name, 1), 0);
    ::tzset();
  }
  static std::string at(std::string_view text) {
    const auto time = parse_time(text, kNow, local_zone());
    return time ? format_date(*time, true) : "no time";
  }
};

TEST_F(DateTest, IsWrittenAsTheCommandsPrintIt) {
  EXPECT_EQ(format_date(kNow), "Sun Sep  9 01:46:40");
  EXPECT_EQ(format_date(kNow, true), "Sun Sep  9 01:46:40 2001");
}

TEST_F(DateTest, FollowsTheZoneOfTheProcess) {
  zone("CET-1CEST,M3.5.0,M10.5.0/3");
  EXPECT_EQ(format_date(kNow), "Sun Sep  9 03:46:40");
  EXPECT_EQ(at("12:00"), "Sun Sep  9 12:00:00 2001");
  EXPECT_EQ(at("12:00_12/24"), "Mon Dec 24 12:00:00 2001");
}

TEST_F(DateTest, ATimeOfDayIsTodayUnlessADayIsGiven) {
  EXPECT_EQ(at("9"), "Sun Sep  9 09:00:00 2001");
  EXPECT_EQ(at("09:00:05"), "Sun Sep  9 09:00:05 2001");
  EXPECT_EQ(at("09:00:00_02/21/2017"), "Tue Feb 21 09:00:00 2017");
  EXPECT_EQ(at("09:00:00_02/21/17"), "Tue Feb 21 09:00:00 2017");
  EXPECT_EQ(at("14:00:00_10/17/96"), "Thu Oct 17 14:00:00 1996");
  EXPECT_EQ(at("0_1/1/68"), "Sun Jan  1 00:00:00 2068");
  EXPECT_EQ(at("0_12"), "Sat Dec  1 00:00:00 2001");
  EXPECT_EQ(at("_12/24"), "Mon Dec 24 00:00:00 2001");
}

TEST_F(DateTest, ARepeatedTimeIsTheFirstForAStartAndTheSecondForAnEnd) {
  zone("CET-1CEST,M3.5.0,M10.5.0/3");
  const auto start = parse_time("2:30_10/28", kNow, local_zone(), Moment::start);
  const auto end = parse_time("2:30_10/28", kNow, local_zone(), Moment::end);
  EXPECT_EQ(start.value(), Time(1004229000));
  EXPECT_EQ(end.value(), start.value() + Seconds(3600));
}

TEST_F(DateTest, ASkippedTimeIsTheMomentOfTheSkip) {
  zone("CET-1CEST,M3.5.0,M10.5.0/3");
  EXPECT_EQ(at("2:30_03/31/02"), "Sun Mar 31 03:00:00 2002");
}

TEST_F(DateTest, TheDayEndsAtTwentyFour) {
  EXPECT_EQ(at("24:00:00_09/30"), "Mon Oct  1 00:00:00 2001");
}

TEST_F(DateTest, APlusCountsFromNow) {
  EXPECT_EQ(at("+1:00:00"), "Sun Sep  9 02:46:40 2001");
  EXPECT_EQ(parse_time("+INFINITY", kNow, local_zone()).value(), kForever);
}

TEST_F(DateTest, NowAndNeverHaveNames) {
  EXPECT_EQ(parse_time("now", kNow, local_zone()).value(), kNow);
  EXPECT_EQ(parse_time("INFINITY", kNow, local_zone()).value(), kForever);
}

TEST_F(DateTest, TenDigitsAreAnEpochTime) {
  EXPECT_EQ(parse_time("1234567890", kNow, local_zone()).value(), Time(1234567890));
}

TEST_F(DateTest, DaysThatDoNotExistAreRefused) {
  for (const auto text :
       {"12_02/30", "24:00_02/30", "12_13/01", "12_04/31", "25:00", "12:60", "12_00/10"})
    EXPECT_EQ(at(text), "no time") << text;
  EXPECT_EQ(at("12_02/29/2004"), "Sun Feb 29 12:00:00 2004");
}

TEST_F(DateTest, AnErrorNamesTheRangeOfTimes) {
  for (const auto text : {"253402300800", "9223372036854775807", "99999999999999999999"})
    EXPECT_EQ(parse_time(text, kNow, local_zone()).error().what,
              std::string("time '") + text +
                  "' is out of range: expected 0 to 253402300799 seconds since the epoch");
  for (const auto text : {"+252402300800", "+1152921504606846975", "+9223372036854775807"})
    EXPECT_EQ(parse_time(text, kNow, local_zone()).error().what,
              std::string("'") + text +
                  "' is out of range: expected 0 to 252402300799 seconds, which end with the "
                  "year 9999");
  for (const auto text : {"253402300799", "+252402300799"})
    EXPECT_EQ(at(text), "Fri Dec 31 23:59:59 9999");
}

TEST_F(DateTest, AnErrorNamesTheInvalidTime) {
  for (const auto text : {"", "soon", "+", "+-5", "12:00:00:00", "_", "1_2_3", "12_1/1/1000"})
    EXPECT_EQ(at(text), "no time") << text;
  EXPECT_EQ(
      parse_time("soon", kNow, local_zone()).error().what,
      "invalid time 'soon': expected [HH[:MM[:SS]]][_MO[/DD[/YY]]], +[[[DD:]HH:]MM:]SS, NOW or "
      "INFINITY");
}

}  // namespace
}  // namespace maui
