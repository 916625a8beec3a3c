#include "history/past_time.h"

#include <gtest/gtest.h>

namespace maui {
namespace {

const TimeZone kZone{};  // UTC
constexpr Time kNow{1714565000};

Time time_of(std::string_view text) {
  const auto time = parse_past_time(text, kNow, kZone);
  EXPECT_TRUE(time) << text;
  return time ? *time : Time(0);
}

TEST(PastTimeTest, DatesAreThoseOfLogsOrOfSetres) {
  EXPECT_EQ(time_of("2024-05-01"), Time(1714521600));
  EXPECT_EQ(time_of("2024-05-01T12:00:00"), Time(1714564800));
  EXPECT_EQ(time_of("12:00:00_05/01/24"), Time(1714564800));
  EXPECT_EQ(time_of("1714564800"), Time(1714564800));
  EXPECT_EQ(time_of("NOW"), kNow);
}

TEST(PastTimeTest, AMinusMeansSoLongAgo) {
  EXPECT_EQ(time_of("-1:00:00"), kNow - Seconds(3600));
  EXPECT_EQ(time_of("-7:00:00:00"), kNow - Seconds(7 * 86400));
}

TEST(PastTimeTest, AnythingElseIsRefusedWithWhatIsExpected) {
  for (const auto* text : {"", "-", "yesterday", "2024-13-01", "2024-05-01T25:00:00"}) {
    const auto time = parse_past_time(text, kNow, kZone);
    ASSERT_FALSE(time) << text;
    EXPECT_NE(time.error().what.find("expected 2024-05-01"), std::string::npos);
  }
}

TEST(PastTimeTest, APeriodEndsNowOrBehindTheComma) {
  const auto open = parse_period("2024-05-01", kNow, kZone);
  ASSERT_TRUE(open);
  EXPECT_EQ(open->end, kNow);
  const auto day = parse_period("2024-04-01,2024-04-02", kNow, kZone);
  ASSERT_TRUE(day);
  EXPECT_EQ(day->end - day->start, Seconds(86400));
  EXPECT_FALSE(parse_period("2024-04-02,2024-04-01", kNow, kZone));
  EXPECT_FALSE(parse_period("2024-04-02,", kNow, kZone));
}

}  // namespace
}  // namespace maui
