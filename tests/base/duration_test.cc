#include "base/duration.h"

#include <gtest/gtest.h>

#include <string>

namespace maui {
namespace {

std::int64_t seconds(std::string_view text) {
  const auto duration = parse_duration(text);
  EXPECT_TRUE(duration) << text;
  return duration ? duration->raw() : -999;
}

TEST(DurationTest, FieldsCountFromTheSeconds) {
  EXPECT_EQ(seconds("90"), 90);
  EXPECT_EQ(seconds("2:30"), 150);
  EXPECT_EQ(seconds("1:00:00"), 3600);
  EXPECT_EQ(seconds("10:00:00:00"), 864000);
}

TEST(DurationTest, AFieldMayPassItsUsualRange) {
  EXPECT_EQ(seconds("168:00:00"), 604800);
  EXPECT_EQ(seconds("0:90"), 90);
}

TEST(DurationTest, WithoutEndHasThreeWords) {
  for (const auto word : {"INFINITY", "infinite", "Unlimited"})
    EXPECT_EQ(seconds(word), kUnlimited.raw());
}

TEST(DurationTest, AMinusIsTakenOnlyForPlainSeconds) {
  EXPECT_EQ(seconds("-1"), -1);
  EXPECT_FALSE(parse_duration("-1:00"));
}

TEST(DurationTest, AnErrorNamesTheInvalidDuration) {
  for (const auto text :
       {"", ":", "1:", "1::2", "1:2:3:4:5", "1h", "1.5", " 1", "99999999999999999999"})
    EXPECT_FALSE(parse_duration(text)) << text;
  EXPECT_EQ(parse_duration("soon").error().what,
            "invalid duration 'soon': expected [[[DD:]HH:]MM:]SS or INFINITY");
}

TEST(DurationTest, AnErrorNamesTheRangeOfADurationThatIsTooLong) {
  EXPECT_EQ(seconds("1152921504606846975"), kUnlimited.raw() - 1);
  EXPECT_EQ(seconds("4294967296:00"), 60 * (std::int64_t{1} << 32));
  for (const char* text :
       {"1152921504606846976", "9223372036854775808", "-9223372036854775808",
        "106751991167300:00:00:00", "13343998895913:00:00:00", "99999999999999999999:00"}) {
    EXPECT_TRUE(is_duration(text)) << text;
    const auto duration = parse_duration(text);
    ASSERT_FALSE(duration) << text;
    EXPECT_EQ(duration.error().what,
              std::string("duration '") + text +
                  "' is out of range: expected 0 to 1152921504606846975 seconds, or INFINITY");
  }
  for (const char* text : {"-1:00", "soon", "1:", "1:2:3:4:5", ""})
    EXPECT_FALSE(is_duration(text)) << text;
  EXPECT_FALSE(parse_duration("+-5:00"));
}

TEST(DurationTest, IsWrittenAsTheCommandsPrintIt) {
  EXPECT_EQ(format_duration(Seconds(0)), "00:00:00");
  EXPECT_EQ(format_duration(Seconds(2460)), "00:41:00");
  EXPECT_EQ(format_duration(Seconds(6060)), "1:41:00");
  EXPECT_EQ(format_duration(Seconds(143600)), "1:15:53:20");
  EXPECT_EQ(format_duration(Seconds(-90)), "-00:01:30");
  EXPECT_EQ(format_duration(kUnlimited), "INFINITY");
  EXPECT_EQ(format_duration(Seconds(100), Seconds(100)), "INFINITY");
}

TEST(DurationTest, FormattedDurationsParseBack) {
  for (std::int64_t s = 0; s < 40000000; s = s * 3 + 7)
    EXPECT_EQ(seconds(format_duration(Seconds(s))), s);
}

}  // namespace
}  // namespace maui
