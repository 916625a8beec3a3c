// Nobody's jobs or reports roll the log away (docs/security.md, "What is logged").
#include "daemon/logging/bounded_lines.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "daemon/temporary_directory.h"

namespace maui {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::Contains;
using testing::Not;

class BoundedLinesTest : public testing::Test {
 protected:
  BoundedLinesTest() {
    settings.max_size = 100'000;
    settings.roll_depth = 2;
    settings.level = 4;
    configure();
    EXPECT_TRUE(log_.open(settings, home_.path()));
  }
  void configure() {
    log_.configure(settings);
    lines_.configure(settings);
  }
  void write(LineCause cause, const std::string& party, const std::string& text, int level = 3) {
    lines_.write(cause, party, level, "fSCHED", text, now_);
  }
  /// Writes lines of 100 bytes with the date, and returns how many are in the log.
  int written(LineCause cause, const std::string& party, int count) {
    const auto before = all().size();
    for (int i = 0; i < count; ++i) write(cause, party, std::string(74, 'x'));
    lines_.tell(now_ - seconds(1));
    return static_cast<int>(all().size() - before);
  }
  /// Returns the lines of all files, without date and severity.
  std::vector<std::string> all() {
    log_.flush();
    std::vector<std::string> lines;
    for (const auto& file : std::filesystem::directory_iterator(home_ / "log")) {
      std::ifstream in(file.path());
      for (std::string line; std::getline(in, line);) lines.push_back(line.substr(25));
    }
    return lines;
  }

  LogSettings settings;
  TemporaryDirectory home_;
  Log log_{[] { return Time(1000000000); }};
  BoundedLines lines_{log_};
  BoundedLines::Moment now_{hours(1000)};
};

TEST_F(BoundedLinesTest, WhateverIsReportedALineStaysForADay) {
  log_.write(0, "fCORE", "scheduler started");
  for (int minute = 0; minute < 24 * 60; ++minute, now_ += minutes(1)) {
    for (int i = 0; i < 20; ++i)
      for (const auto cause : {LineCause::job, LineCause::refusal, LineCause::report})
        write(cause, fmt::format("party {}", i % 7), std::string(i % 2 == 0 ? 60 : 5000, 'x'));
    lines_.tell(now_);
  }
  EXPECT_THAT(all(), Contains("scheduler started"));
}

TEST_F(BoundedLinesTest, ALargerLogHasRoomForMore) {
  const int few = written(LineCause::job, "amy", 10'000);
  EXPECT_EQ(few, 100);  // 5 % of the 200 kB that are kept
  settings.max_size = 1'000'000;
  configure();
  EXPECT_EQ(written(LineCause::job, "amy", 10'000), 10 * few);
}

TEST_F(BoundedLinesTest, BusyUsersLoseNoLineOfTheDefaultLog) {
  settings.max_size = LogSettings().max_size;
  configure();
  EXPECT_EQ(written(LineCause::job, "amy", 9000), 9000);
  now_ += hours(24);
  EXPECT_EQ(written(LineCause::job, "amy", 9000), 9000);
  EXPECT_EQ(written(LineCause::job, "bob", 9000), 9000);
}

TEST_F(BoundedLinesTest, JobsOfOneUserSilenceNobodyElse) {
  written(LineCause::job, "amy", 10'000);
  EXPECT_EQ(written(LineCause::job, "bob", 50), 50);
  EXPECT_EQ(written(LineCause::refusal, "amy", 20), 20);
  EXPECT_EQ(written(LineCause::report, "resource manager 'base'", 50), 50);
  EXPECT_EQ(written(LineCause::client, "user amy", 20), 20);
}

TEST_F(BoundedLinesTest, TheLogSaysHowManyLinesWereLeftOutAboutWhom) {
  written(LineCause::job, "amy", 110);
  now_ += minutes(1);
  lines_.tell(now_);
  EXPECT_THAT(all(), Contains("10 lines about jobs of user amy were not written"));
  now_ += hours(24);
  written(LineCause::refusal, "bob", 57);
  written(LineCause::refusal, "bob", 3);
  now_ += hours(24);
  written(LineCause::refusal, "bob", 1);
  EXPECT_THAT(all(), Contains("10 lines about refused requests about jobs of user bob were not "
                              "written"));
}

TEST_F(BoundedLinesTest, LevelsForFindingAFaultAreComplete) {
  settings.level = 5;
  configure();
  EXPECT_EQ(written(LineCause::job, "amy", 1000), 1000);
  EXPECT_EQ(written(LineCause::client, "user amy", 1000), 50);
}

TEST_F(BoundedLinesTest, LinesAboutWhatIsTrappedAreComplete) {
  settings.trap_jobs = {"amy.1"};
  configure();
  written(LineCause::job, "amy", 1000);
  write(LineCause::job, "amy", "job 'amy.1' is purged", 6);
  write(LineCause::job, "amy", "job 'amy.2' is purged", 6);
  write(LineCause::job, "amy", "job 'amy.2' completed", 3);
  EXPECT_THAT(all(), Contains("job 'amy.1' is purged"));
  EXPECT_THAT(all(), Not(Contains("job 'amy.2' is purged")));
  EXPECT_THAT(all(), Not(Contains("job 'amy.2' completed")));
}

TEST_F(BoundedLinesTest, ALongLineOfAClientCountsAsSeveral) {
  for (int i = 0; i < 50; ++i) write(LineCause::client, "user amy", std::string(1000, 'x'), 2);
  EXPECT_EQ(all().size(), 9);
}

}  // namespace
}  // namespace maui
