// Which runs the statistics files have already.
#include "daemon/files/recorded_jobs.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

#include "daemon/files/statistics_file.h"
#include "daemon/temporary_directory.h"
#include "engine/checkpoint/checkpoint.h"
#include "sim/workload_fields.h"
#include "sim/workload_trace.h"

namespace maui {
namespace {

constexpr Time kWritten{1'000'036'800};  // when the checkpoint was: 2001-09-09 12:00

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

/// The whole record of a job of amy's that ran on three processors.
std::string trace_record(const std::string& name, Time submitted, Time started, Time ended,
                         const std::string& manager = {}) {
  Cluster cluster;
  Job job;
  job.name = name;
  job.resource_manager = manager;
  job.submitted = submitted;
  job.credentials.user = cluster.users.intern("amy");
  Request request;
  request.requirements.front().tasks = 3;
  request.requirements.front().per_task = Resources(1);
  Node node;
  node.name = "n1";
  node.configured = Resources(3);
  const NodeId on = cluster.add_node(std::move(node));
  const JobId id = cluster.add_job(std::move(job), request);
  cluster.start_job(id, {{on, 3, 0}}, started);
  cluster.end_job(id, JobState::completed, ended);
  return write_workload_record(cluster, cluster.job(id));
}

/// Marks the last field, which is unused otherwise.
std::string marked(std::string record, const std::string& mark) {
  record.resize(record.size() - 2);
  return record + mark;
}

class RecordedJobsTest : public testing::Test {
 protected:
  RecordedJobsTest() { checkpoint.when = kWritten; }
  void write(const std::string& file, const std::string& text) {
    std::ofstream(home / file, std::ios::app) << text;
  }
  /// The checkpoint counts what the files have by now.
  void count(const std::vector<std::string>& files) {
    checkpoint.records.emplace();
    for (const std::string& file : files) {
      std::error_code missing;
      const auto length = std::filesystem::file_size(home / file, missing);
      (*checkpoint.records)[file] = missing ? 0 : length;
    }
  }
  void read(const std::vector<std::string>& files = {"stats"}) {
    std::vector<std::string> paths;
    for (const std::string& file : files) paths.push_back(home / file);
    read_recorded(paths, kWritten - kLateRecords, checkpoint);
  }
  static std::vector<std::string> names(const std::vector<RunOnFile>& runs) {
    std::vector<std::string> all;
    for (const RunOnFile& run : runs) all.push_back(run.name);
    return all;
  }

  TemporaryDirectory home;
  Checkpoint checkpoint;
  static Time at(int seconds) { return kWritten + Seconds(seconds); }
  const std::string a = record("a", at(-900), at(60));
};

TEST_F(RecordedJobsTest, TheCheckpointCountsTheRecordsThatTheFilesHadThen) {
  write("stats", "VERSION 230\n" + record("counted", at(0), at(9), at(1)) + "\n");
  count({"stats"});
  write("stats", record("late", at(-9000), at(-8000), at(-8500)) + "\n");
  read();
  EXPECT_THAT(names(checkpoint.counted), testing::ElementsAre("counted"));
  EXPECT_THAT(names(checkpoint.recorded), testing::ElementsAre("late"))
      << "however long ago it ended";
}

TEST_F(RecordedJobsTest, ARunThatTheCheckpointDoesNotCountHasItsJob) {
  CheckpointedJob waiting;
  waiting.name = "b";
  waiting.manager = "one";
  waiting.submitted = at(-900);
  checkpoint.jobs = {waiting};
  count({});
  for (const char* manager : {"one", "two"})
    write("stats", trace_record("b", at(-900), at(-60), at(60), manager) + "\n");
  write("stats", record("never", at(-900), at(60)) + "\n");
  read();
  ASSERT_EQ(checkpoint.jobs.size(), 1U);
  EXPECT_FALSE(checkpoint.jobs.at(0).run);
  ASSERT_EQ(checkpoint.recorded.size(), 3U);
  for (const std::size_t i : {0, 1}) {
    const RunOnFile& run = checkpoint.recorded[i];
    ASSERT_TRUE(run.job);
    const CheckpointedJob& job = *run.job;
    EXPECT_EQ(job.manager, i == 0 ? "one" : "two");
    EXPECT_EQ(job.seen, at(60));
    EXPECT_EQ(job.run->user, "amy");
    EXPECT_EQ(job.run->job.started, at(-60));
    EXPECT_EQ(job.run->job.state, JobState::running);
    EXPECT_EQ(job.run->request.total_procs(), 3);
    EXPECT_EQ(job.run->task_list, (std::vector<std::string>{"n1", "n1", "n1"}));
    EXPECT_FALSE(job.run->job.recorded);
  }
  EXPECT_FALSE(checkpoint.recorded.back().job);
}

TEST_F(RecordedJobsTest, OfFilesThatItDoesNotNameTheCheckpointCountsTheOlder) {
  write("stats.1", record("older", at(0), at(9), at(1)) + "\n");
  count({"stats.2"});
  write("stats.3", record("newer", at(0), at(9), at(1)) + "\n");
  read({"stats.1", "stats.2", "stats.3"});
  EXPECT_THAT(names(checkpoint.counted), testing::ElementsAre("older"));
  EXPECT_THAT(names(checkpoint.recorded), testing::ElementsAre("newer"));
}

TEST_F(RecordedJobsTest, ACheckpointOfAnEarlierVersionCountsWhatEndedBeforeIt) {
  write("stats", record("before", at(-20), at(-1), at(-10)) + "\n" +
                     record("after", at(-20), at(1), at(-10)) + "\n");
  read();
  EXPECT_THAT(names(checkpoint.counted), testing::ElementsAre("before"));
  EXPECT_THAT(names(checkpoint.recorded), testing::ElementsAre("after"));
}

TEST_F(RecordedJobsTest, AJobIsKnownByItsReportedSubmissionIfTheRecordHasAnother) {
  const auto shifted =
      marked(record("a", at(-7000), at(60), at(40)),
             fmt::format("SUBMITTED={};STARTED={};SUSPENDTIME=7;", at(0).raw(), at(43).raw()));
  write("stats", shifted + "\n");
  read();
  ASSERT_EQ(checkpoint.recorded.size(), 1U);
  EXPECT_EQ(checkpoint.recorded.front().submitted, at(0));
  EXPECT_EQ(checkpoint.recorded.front().started, at(40));
  EXPECT_EQ(checkpoint.recorded.front().reported_start, at(43));
  EXPECT_EQ(checkpoint.recorded.front().suspended, Seconds(7));
}

// In the record of an earlier version, the run began when the record says.
TEST_F(RecordedJobsTest, ARunHasItsTimeByTheSteadyClock) {
  const auto began = [&](const char* marks) {
    checkpoint.recorded.clear();
    write("stats", marked(record("a", at(-7000), at(60), at(40)), marks) + "\n");
    read();
    return checkpoint.recorded.back().began;
  };
  EXPECT_EQ(began("BEGAN=1234;SUSPENDTIME=7;"), Time(1234));
  EXPECT_EQ(began("STARTED=55;BEGAN=1234;NAME=mine"), Time(1234));
  EXPECT_EQ(began("STARTED=55;SUSPENDTIME=7;"), at(40));
  EXPECT_EQ(began("NAME=mine"), at(40));
}

// Whatever the clock has been set by since the checkpoint: another scheduler may have written it.
TEST_F(RecordedJobsTest, ARecordTellsHowTheClockStoodWhenItWasWritten) {
  checkpoint.clock_sum = Seconds(3600);
  const auto recorded = [&](const char* marks) {
    checkpoint.recorded.clear();
    write("stats", marked(record("a", at(-7000), at(60), at(40)), marks) + "\n");
    read();
    return checkpoint.recorded.back();
  };
  const Time steady = at(40) - Seconds(900);
  EXPECT_EQ(recorded("NAME=mine").clock_sum, Seconds(0));
  const auto set_before = recorded(fmt::format("BEGAN={};SUSPENDTIME=7;", steady.raw()).c_str());
  EXPECT_EQ(set_before.clock_sum, Seconds(900));
  EXPECT_EQ(set_before.suspensions(), Seconds(7));
  const auto set_meanwhile =
      recorded(fmt::format("BEGAN={};CLOCKSET=5;SUSPENDTIME=7;", steady.raw()).c_str());
  EXPECT_EQ(set_meanwhile.clock_sum, Seconds(905));
  EXPECT_EQ(set_meanwhile.suspensions(), Seconds(2));
}

TEST_F(RecordedJobsTest, ARecordWithoutItsEndIsNotThere) {
  write("stats", a);
  read();
  EXPECT_THAT(checkpoint.recorded, testing::IsEmpty());
}

TEST_F(RecordedJobsTest, JobsThatEndedMoreThanADayBeforeAreNotLookedFor) {
  write("stats", record("old", at(-90000), kWritten - kLateRecords - Seconds(1), at(-89999)) +
                     "\n" + record("late", at(-90000), kWritten - kLateRecords, at(-89999)) + "\n");
  count({"stats"});
  read();
  EXPECT_THAT(names(checkpoint.counted), testing::ElementsAre("late"));
}

TEST_F(RecordedJobsTest, AnInvalidRecordNamesNoJob) {
  write("stats", "a 1 2\n\n# nothing\n");
  read();
  EXPECT_THAT(checkpoint.recorded, testing::IsEmpty());
}

TEST(StatisticsFileLengths, TheFilesSinceADayAreKnownByTheirNames) {
  TemporaryDirectory home;
  const auto days = [](int count) { return kWritten + Seconds(count * 86400); };
  for (const char* other : {"stats.sim", "stats.2001_09_10.gz"})
    std::ofstream(home / other) << "1\n";
  StatisticsFile file(home.path(), ServerMode::normal, "");
  for (const int day : {-3, 0, 2}) ASSERT_TRUE(file.add("12345", days(day)));
  ASSERT_TRUE(file.flush());
  const auto lengths = file.lengths_since(days(-1));
  ASSERT_EQ(lengths.size(), 3U);
  EXPECT_EQ(lengths.begin()->second, 0U) << "nothing ended on the first day";
  EXPECT_EQ(std::next(lengths.begin())->second, 6U);
  EXPECT_EQ(file.paths_since(days(-1)), (std::vector{file.path(days(0)), file.path(days(2))}));
  StatisticsFile next(home.path(), ServerMode::normal, "");
  EXPECT_EQ(next.lengths_since(days(-1)), lengths);
  ASSERT_TRUE(next.add("1", days(3)));
  ASSERT_TRUE(next.flush());
  EXPECT_EQ(next.paths_since(days(-1)).size(), 3U);
}

}  // namespace
}  // namespace maui
