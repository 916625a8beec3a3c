// Which runs the statistics files have already.
#include "daemon/files/recorded_jobs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "daemon/temporary_directory.h"
#include "engine/checkpoint/checkpoint.h"
#include "sim/workload_fields.h"

namespace maui {
namespace {

constexpr Time kWritten{1'000'036'800};  // when the checkpoint was: 2001-09-09 12:00
constexpr Seconds kDay{86400};

/// `started` 0: the job did not run.
std::string record(const std::string& name, Time submitted, Time ended, Time started = Time(0)) {
  std::string line;
  for (std::size_t i = 0; i < kWorkloadFields.size(); ++i) {
    const bool is_name = i == workload_field("JobID");
    const Time time = i == workload_field("Submission Time")   ? submitted
                      : i == workload_field("Start Time")      ? started
                      : i == workload_field("Completion Time") ? ended
                                                               : Time(0);
    line += (is_name ? name : std::to_string(time.raw())) + " ";
  }
  return line;
}

class RecordedJobsTest : public testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) {
    std::ofstream(home / file, std::ios::app) << text;
  }
  /// Files are named by the number of the day.
  RecordedJobs read(Time now = kWritten + Seconds(600)) {
    RecordedJobs jobs;
    jobs.read([this](Time when) { return home / file_of(when); }, kWritten, now);
    return jobs;
  }
  static std::string file_of(Time when) { return std::to_string(when.raw() / kDay.raw()); }

  TemporaryDirectory home;
  static Time at(int seconds) { return kWritten + Seconds(seconds); }
  const std::string a = record("a", kWritten - Seconds(900), kWritten + Seconds(60));
};

TEST_F(RecordedJobsTest, AJobThatIsThereIsTakenOnce) {
  write(file_of(kWritten), "VERSION 230\n" + a + "\n");
  auto jobs = read();
  EXPECT_FALSE(jobs.take(record("b", kWritten - Seconds(900), kWritten)));
  EXPECT_TRUE(jobs.take(a));
  EXPECT_FALSE(jobs.take(a)) << "it has run again";
}

TEST_F(RecordedJobsTest, TwoClocksMayDifferAboutASubmission) {
  write(file_of(kWritten), a + "\n");
  auto jobs = read();
  const auto submitted_later = [](Seconds later) {
    return record("a", kWritten - Seconds(900) + later, kWritten + Seconds(70));
  };
  EXPECT_FALSE(jobs.take(submitted_later(kClocks + Seconds(1)))) << "another job of that name";
  EXPECT_TRUE(jobs.take(submitted_later(kClocks)));
}

TEST_F(RecordedJobsTest, EachRunOfAJobHasItsOwnRecord) {
  write(file_of(kWritten), record("a", at(0), at(14), at(10)) + "\n");
  auto jobs = read();
  jobs.forget_counted({{at(14), "a", at(0), "", at(14)}});
  EXPECT_FALSE(jobs.take(record("a", at(0), at(40), at(14)))) << "it went on after it was given up";
  EXPECT_FALSE(jobs.take(record("a", at(60), at(90), at(70)))) << "a later job of that name";
}

TEST_F(RecordedJobsTest, ARunThatIsCountedIsKnownByTheTimeInItsRecordIfTheClockWasSetSince) {
  write(file_of(kWritten), record("a", at(0), at(7214), at(7210)) + "\n");
  auto jobs = read();
  jobs.forget_counted({{at(20), "a", at(0), "", at(14), at(7214)}});
  EXPECT_TRUE(jobs.runs().empty());
}

TEST_F(RecordedJobsTest, AJobIsKnownByItsReportedSubmissionIfTheRecordHasAnother) {
  auto shifted = record("a", at(-7000), at(60), at(40));
  shifted = shifted.substr(0, shifted.size() - 2) + fmt::format("SUBMITTED={};", at(0).raw());
  write(file_of(kWritten), shifted + "\n");
  auto jobs = read();
  ASSERT_EQ(jobs.runs().size(), 1U);
  EXPECT_EQ(jobs.runs().front().submitted, at(0));
  EXPECT_EQ(jobs.runs().front().started, at(40));
  EXPECT_TRUE(read().take(shifted));
  jobs.forget_counted({{at(60), "a", at(0), "", at(60)}});
  EXPECT_TRUE(jobs.runs().empty());
}

TEST_F(RecordedJobsTest, TheFileOfTheCheckpointsDayIsReadAlsoIfTheClockWasSetBackSince) {
  write(file_of(kWritten), a + "\n");
  EXPECT_EQ(read(kWritten - kDay).runs().size(), 1U);
}

TEST_F(RecordedJobsTest, OfARunThatEndedLongBeforeTheCheckpointTheTimesAreCertain) {
  write(file_of(kWritten), record("a", at(-7200), at(-6000), at(-7000)) + "\n");
  auto jobs = read();
  EXPECT_FALSE(jobs.take(record("a", at(-7200), at(40), at(-6000))));
  EXPECT_TRUE(jobs.take(record("a", at(-7200), at(40), at(-7000))));
}

TEST_F(RecordedJobsTest, OfARunThatTheCheckpointDoesNotCountClocksMayDiffer) {
  write(file_of(kWritten), record("a", at(0), at(14), at(10)) + "\n");
  auto jobs = read();
  jobs.forget_counted({{at(14), "a", at(0), "", at(9)}, {at(14), "b", at(0), "", at(14)}});
  EXPECT_FALSE(jobs.take(record("a", at(0), at(900), at(800))));
  EXPECT_TRUE(jobs.take(record("a", at(0), at(40), at(20))));
}

TEST_F(RecordedJobsTest, ARunWhoseEndIsDatedOtherwiseIsTheSame) {
  const auto recorded = record("a", at(0), at(100), at(10));
  for (const auto& again : {record("a", at(0), at(700), at(10)), record("a", at(0), at(90), at(10)),
                            record("a", at(0), at(100), at(20))}) {
    write("only", recorded + "\n");
    RecordedJobs jobs;
    jobs.read([this](Time) { return home / "only"; }, kWritten, at(600));
    EXPECT_TRUE(jobs.take(again)) << again;
  }
}

TEST_F(RecordedJobsTest, ARunIsKnownByItsJobIfTheClockWasSet) {
  const auto shifted = [](Seconds by) { return record("a", at(0), at(60) + by, at(10) + by); };
  write(file_of(kWritten), shifted(Seconds(0)) + "\n");
  EXPECT_FALSE(read().take(shifted(kDay))) << "it has run again";
  auto jobs = read();
  jobs.clock_was_set();
  EXPECT_TRUE(jobs.take(shifted(kDay)));
  EXPECT_FALSE(jobs.take(shifted(kDay)));
}

TEST_F(RecordedJobsTest, ARunAfterARecordWithoutARunIsAnother) {
  write(file_of(kWritten), record("a", at(0), at(100)) + "\n");
  auto jobs = read();
  EXPECT_FALSE(jobs.take(record("a", at(0), at(900), at(800))));
  EXPECT_TRUE(jobs.take(record("a", at(0), at(100), at(90)))) << "its start was not known";
}

TEST_F(RecordedJobsTest, ReturnsTheRunsThatWereRead) {
  write(file_of(kWritten), record("a", at(0), at(14), at(10)) + "\n");
  const auto runs = read().runs();
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs.front().name, "a");
  EXPECT_EQ(runs.front().submitted, at(0));
  EXPECT_EQ(runs.front().started, at(10));
  EXPECT_EQ(runs.front().ended, at(14));
}

TEST_F(RecordedJobsTest, ARecordWithoutItsEndIsNotThere) {
  write(file_of(kWritten), a);
  EXPECT_FALSE(read().take(a));
}

TEST_F(RecordedJobsTest, JobsThatEndedMoreThanADayBeforeAreNotLookedFor) {
  const auto old = record("a", kWritten - kDay, kWritten - kDay - Seconds(1));
  const auto late = record("b", kWritten - kDay, kWritten - kDay);
  write(file_of(kWritten), old + "\n" + late + "\n");
  auto jobs = read();
  EXPECT_FALSE(jobs.take(old));
  EXPECT_TRUE(jobs.take(late));
}

TEST_F(RecordedJobsTest, EveryDaySinceTheCheckpointIsRead) {
  for (int day = -1; day <= 3; ++day) {
    const Time when = kWritten + Seconds(day * kDay.raw());
    write(file_of(when), record("day" + std::to_string(day), kWritten, when) + "\n");
  }
  auto jobs = read(kWritten + Seconds(3 * kDay.raw()));
  for (int day = -1; day <= 3; ++day)
    EXPECT_TRUE(jobs.take(record("day" + std::to_string(day), kWritten, kWritten))) << day;
}

TEST_F(RecordedJobsTest, AnInvalidRecordNamesNoJob) {
  write(file_of(kWritten), "a 1 2\n\n# nothing\n");
  auto jobs = read();
  EXPECT_FALSE(jobs.take("a 1 2"));
  EXPECT_FALSE(jobs.take(a));
}

}  // namespace
}  // namespace maui
