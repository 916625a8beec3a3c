#include "sim/log_times.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace maui {
namespace {

const TimeZone kBerlin(Seconds(3600), {{Time(1711846800), Seconds(7200)}});  // from 2024-03-31 on

TEST(LogTimesTest, ATimeMayHaveAZoneOfItsOwn) {
  const std::pair<const char*, std::int64_t> cases[] = {
      {"0", 0},
      {"1714557600", 1714557600},
      {"2024-05-01T12:00:00", 1714557600},  // by the clocks of the zone: 10:00 UTC
      {"2024-05-01 12:00:00", 1714557600},
      {"2024-01-01T01:00:00", 1704067200},
      {"2024-05-01T10:00:00Z", 1714557600},
      {"2024-05-01T12:00:00+02:00", 1714557600},
      {"2024-05-01T06:30:00-0330", 1714557600},
      {"2024-02-29T00:00:00Z", 1709164800},
  };
  for (const auto& [text, epoch] : cases) {
    const auto time = parse_log_time(text, kBerlin);
    ASSERT_TRUE(time) << text;
    EXPECT_EQ(time->raw(), epoch) << text;
  }
}

TEST(LogTimesTest, RefusesInvalidTimes) {
  for (const auto* text :
       {"", "Unknown", "None", "-1", "2024-05-01", "2024-02-30T00:00:00", "2024-13-01T00:00:00",
        "2024-05-01T24:00:00", "2024-05-01T12:00:00+2", "2024-05-01T12:00:00+25:00",
        "2024-05-01T12:00:00x", "2024/05/01T12:00:00", "99999999999999999999"})
    EXPECT_FALSE(parse_log_time(text, kBerlin)) << text;
}

TEST(LogTimesTest, SlurmWritesLimitsInSixWays) {
  const std::pair<const char*, std::int64_t> cases[] = {{"90", 5400},
                                                        {"90:30", 5430},
                                                        {"1:30:00", 5400},
                                                        {"2-12", 216000},
                                                        {"2-12:30", 217800},
                                                        {"2-12:30:15", 217815},
                                                        {"UNLIMITED", kUnlimited.raw()}};
  for (const auto& [text, seconds] : cases) {
    const auto limit = parse_slurm_limit(text);
    ASSERT_TRUE(limit) << text;
    EXPECT_EQ(limit->raw(), seconds) << text;
  }
  for (const auto* text : {"", "x", "1:2:3:4", "-5", "1-", "1-x", ":", "999999999-1"})
    EXPECT_FALSE(parse_slurm_limit(text)) << text;
}

}  // namespace
}  // namespace maui
