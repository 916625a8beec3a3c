// A file a fairshare window in STATDIR (guide 6.3.2).
#include "daemon/files/fairshare_files.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "daemon/temporary_directory.h"

namespace maui {
namespace {

constexpr auto kUser = CredentialKind::user;
constexpr Seconds kHour{3600};

class FairshareFilesTest : public testing::Test {
 protected:
  FairshareFilesTest() {
    settings.metric = FairshareMetric::dedicated_proc_seconds;
    settings.interval = kHour;
    settings.depth = 3;
    names.users.intern("amy");
  }
  void write(Time start, double amount, Time until) {
    FairshareWindow window;
    window.start = start;
    window.length = kHour;
    window.total = amount;
    window.used[kUser] = {amount};
    ASSERT_TRUE(files.write(names, window, until, Durability::power_loss));
  }
  FairshareHistory read(Time now, bool only_past = false) {
    return files.read(settings, now, only_past, names, problems);
  }

  TemporaryDirectory home;
  FairshareFiles files{home / "stats"};
  FairshareSettings settings;
  Cluster names;
  std::vector<std::string> problems;
};

TEST_F(FairshareFilesTest, TheFileIsCalledByTheBeginningOfItsWindow) {
  write(Time(7200), 5, Time(7300));
  EXPECT_TRUE(std::filesystem::exists(home / "stats/FS.7200"));
}

TEST_F(FairshareFilesTest, WindowsThatCountAreReadNewestFirst) {
  for (int hour = 0; hour < 6; ++hour) write(Time(hour * 3600), hour, Time(hour * 3600 + 60));
  const auto known = read(Time(4 * 3600 + 100));
  ASSERT_EQ(known.windows.size(), 4U);
  EXPECT_EQ(known.windows[0].total, 5) << "from before the clock was set back";
  EXPECT_EQ(known.windows[1].total, 4);
  EXPECT_EQ(known.windows[3].total, 2);
  EXPECT_EQ(known.complete_until, Time(4 * 3600 + 60));
}

TEST_F(FairshareFilesTest, TheLastOnesAreReadThoughTheyDoNotCountByAClockThatMayBeWrong) {
  for (int hour = 0; hour < 6; ++hour) write(Time(hour * 3600), hour, Time(hour * 3600 + 60));
  const auto old = read(Time(100 * 3600 + 100));
  ASSERT_EQ(old.windows.size(), 3U);
  EXPECT_EQ(old.windows[2].total, 3);
  EXPECT_EQ(old.complete_until, Time(0)) << "all runs are charged";
  EXPECT_TRUE(read(Time(100 * 3600 + 100), true).windows.empty());
  write(Time(100 * 3600), 7, Time(100 * 3600 + 60));
  const auto known = read(Time(100 * 3600 + 100));
  ASSERT_EQ(known.windows.size(), 3U);
  EXPECT_EQ(known.windows[0].total, 7);
  EXPECT_EQ(known.windows[2].total, 4);
  EXPECT_EQ(known.complete_until, Time(100 * 3600 + 60));
}

// Anything may have written them, and all that are read are kept.
TEST_F(FairshareFilesTest, OfAnyNumberOfWindowsOfTheFutureFewAreRead) {
  write(Time(0), 1, Time(60));
  for (int hour = 1; hour <= 500; ++hour)
    std::ofstream(fmt::format("{}.{}", home / "stats/FS", hour * 3600)) << "TOTAL " << hour;
  std::ofstream(home / "stats/FS.9223372036854775807") << "TOTAL 1";
  std::ofstream(home / "stats/FS.-9223372036854775808") << "TOTAL 1";
  const auto known = read(Time(100));
  EXPECT_EQ(known.complete_until, Time(60));
  std::vector<double> totals;
  for (const auto& window : known.windows) totals.push_back(window.total);
  EXPECT_THAT(totals, testing::ElementsAre(500, 499, 498, 3, 2, 1, 1))
      << "the last ones count if the clock is behind";
  EXPECT_THAT(problems, testing::ElementsAre(testing::HasSubstr(
                            "494 files of fairshare windows of the future are ignored")));
}

TEST_F(FairshareFilesTest, ASimulationReadsOnlyWhatWasOverBeforeItBegins) {
  for (int hour = 0; hour < 6; ++hour) write(Time(hour * 3600), hour, Time(hour * 3600 + 60));
  const auto known = read(Time(4 * 3600 + 100), true);
  ASSERT_EQ(known.windows.size(), 2U);
  EXPECT_EQ(known.windows[0].total, 3);
}

TEST_F(FairshareFilesTest, WithoutFilesNothingIsKnown) {
  const auto known = read(Time(7200));
  EXPECT_TRUE(known.windows.empty());
  EXPECT_EQ(known.complete_until, Time(0));
}

TEST_F(FairshareFilesTest, AFileIsReplacedWhole) {
  write(Time(7200), 5, Time(7300));
  write(Time(7200), 6, Time(7400));
  EXPECT_EQ(read(Time(7500)).windows.at(0).total, 6);
  EXPECT_FALSE(std::filesystem::exists(home / "stats/FS.7200.new"));
}

TEST_F(FairshareFilesTest, AHalfWrittenFileIsReadAsFarAsItGoesAndReported) {
  write(Time(7200), 5, Time(7300));
  std::ofstream(home / "stats/FS.3600") << "User amy 7\nUser bo";
  const auto known = read(Time(7500));
  ASSERT_EQ(known.windows.size(), 2U);
  EXPECT_EQ(known.windows[1].used[kUser][0], 7);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_NE(problems[0].find("FS.3600: line 2"), std::string::npos);
}

TEST_F(FairshareFilesTest, ADirectoryThatCannotBeWrittenIsAnError) {
  std::ofstream(home / "stats") << "";
  FairshareWindow window;
  const auto status = files.write(names, window, Time(0), Durability::crash);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().what.find("fairshare: cannot open"), std::string::npos);
}

// A pipe would keep the scheduler waiting for ever, and a device has no end.
TEST_F(FairshareFilesTest, OnlyRegularFilesAreRead) {
  std::filesystem::create_directory(home / "stats");
  ASSERT_EQ(::mkfifo((home / "stats/FS.3600").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", home / "stats/FS.0");
  EXPECT_EQ(read(Time(7300)).windows.size(), 2U);
  EXPECT_THAT(problems, testing::SizeIs(2));
}

}  // namespace
}  // namespace maui
