#include "history/recorded_jobs_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "history/completed_row.h"
#include "history/selection.h"
#include "sim/trace_text.h"

namespace maui {
namespace {

using test::Folder;
using test::job_line;
using test::with;
using testing::ElementsAre;
using testing::HasSubstr;

struct Read {
  std::vector<RecordedJob> jobs;
  std::int64_t procs = 0;
  TraceSummary summary;
};

Read read(const Folder& folder, const std::string& name, const std::vector<std::string>& lines) {
  Read result;
  const auto told = read_recorded_jobs(
      std::vector{folder.write(name, lines)},
      [&](const RecordedJob& job) { result.jobs.push_back(job); }, result.summary);
  EXPECT_TRUE(told) << (told ? "" : told.error().what);
  result.procs = told ? *told : 0;
  return result;
}

/// A job of user amy, on n1 to n4, backfilled and passed by three.
std::string full_line() {
  auto line = with(with(job_line(), 24, "low:high"), 25, "[BACKFILL]");
  line = with(with(line, 26, "proj1"), 29, "3");
  return with(with(with(line, 30, "450.00"), 31, "fast"), 38, "n[1-3]:n4");
}

TEST(RecordedJobsFileTest, AStatisticsFileHasTheWholeJob) {
  const Folder folder;
  const auto found = read(folder, "stats.2026_11_01", {"VERSION 230", full_line()});
  ASSERT_EQ(found.jobs.size(), 1U);
  const RecordedJob& job = found.jobs.front();
  EXPECT_EQ(job.name, "job.1");
  EXPECT_EQ(job.who[CredentialKind::user], "amy");
  EXPECT_EQ(job.who[CredentialKind::group], "chem");
  EXPECT_EQ(job.who[CredentialKind::account], "proj1");
  EXPECT_EQ(job.who[CredentialKind::job_class], "batch");
  EXPECT_EQ(job.who[CredentialKind::qos], "high");  // the one that it had, not what it asked for
  EXPECT_EQ(job.procs, 2);
  EXPECT_EQ(job.limit, Seconds(600));
  EXPECT_EQ(job.wait(), Seconds(100));
  EXPECT_EQ(job.run(), Seconds(300));
  EXPECT_EQ(job.bypass, 3);
  EXPECT_TRUE(job.backfilled);
  const CompletedRow row = completed_row(job);
  EXPECT_EQ(row.main_host, "n1");
  EXPECT_EQ(row.nodes, 4);
  EXPECT_DOUBLE_EQ(row.efficiency, 75);
  EXPECT_DOUBLE_EQ(row.xfactor, 400.0 / 600);
}

TEST(RecordedJobsFileTest, AJobThatWasRemovedWhileItWaitedRanNowhere) {
  const Folder folder;
  const auto line = with(with(with(job_line(), 7, "Removed"), 10, "0"), 11, "0");
  const auto found = read(folder, "stats", {line});
  ASSERT_EQ(found.jobs.size(), 1U);
  EXPECT_FALSE(found.jobs.front().ran());
  EXPECT_EQ(found.jobs.front().wait(), Seconds(400));
  const CompletedRow row = completed_row(found.jobs.front());
  EXPECT_EQ(row.started, -1);
  EXPECT_EQ(row.state, "Removed");
}

TEST(RecordedJobsFileTest, AJobOfUnknownSubmissionHasNotWaited) {
  const Folder folder;
  const auto found =
      read(folder, "stats", {with(job_line("a"), 9, "0"), with(job_line("b"), 9, "-1")});
  ASSERT_EQ(found.jobs.size(), 2U);
  for (const RecordedJob& job : found.jobs) {
    EXPECT_EQ(job.wait(), Seconds(0));
    EXPECT_EQ(job.submitted, job.started);
  }
}

TEST(RecordedJobsFileTest, ALogShowsHowLongItsJobsWaited) {
  const Folder folder;
  const auto found = read(folder, "month.swf",
                          {"; UnixStartTime: 1000", "; MaxProcs: 64",
                           "7 50 20 100 4 -1 -1 4 200 -1 1 3 2 -1 5 -1 -1 -1",
                           "8 60 -1 100 4 50 -1 4 200 -1 5 3 2 -1 -1 -1 -1 -1"});
  EXPECT_EQ(found.procs, 64);
  ASSERT_EQ(found.jobs.size(), 2U);
  EXPECT_EQ(found.jobs[0].submitted, Time(1050));
  EXPECT_EQ(found.jobs[0].started, Time(1070));
  EXPECT_EQ(found.jobs[0].ended, Time(1170));
  EXPECT_EQ(found.jobs[0].who[CredentialKind::job_class], "q5");
  EXPECT_EQ(found.jobs[1].wait(), Seconds(0));  // not known
  EXPECT_EQ(found.jobs[1].state, JobState::removed);
  EXPECT_DOUBLE_EQ(found.jobs[1].proc_seconds, 200);
}

TEST(RecordedJobsFileTest, ALogShowsAllocatedProcessorsAndRunTimeNotTheRequest) {
  const Folder folder;
  const auto found = read(folder, "month.swf",
                          {"1 50 20 129 8 -1 -1 7 60 -1 1 3 2 -1 5 -1 -1 -1",
                           "2 60 20 129 -1 10 -1 7 60 -1 1 3 2 -1 5 -1 -1 -1"});
  ASSERT_EQ(found.jobs.size(), 2U);
  EXPECT_EQ(found.jobs[0].run(), Seconds(129));
  EXPECT_EQ(found.jobs[0].limit, Seconds(60));
  EXPECT_EQ(found.jobs[0].procs, 8);
  EXPECT_DOUBLE_EQ(found.jobs[0].proc_seconds, 129 * 8);
  EXPECT_EQ(found.jobs[1].procs, 7);
  EXPECT_DOUBLE_EQ(found.jobs[1].proc_seconds, 10 * 7);
}

TEST(RecordedJobsFileTest, AccountingShowsTheLimitThatAJobOverran) {
  const Folder folder;
  const auto found = read(folder, "sacct",
                          {"JobID|User|Submit|Start|End|State|TimelimitRaw|NCPUS|NodeList",
                           "7|ann|1000|1100|1230|TIMEOUT|2|1|n1"});
  ASSERT_EQ(found.jobs.size(), 1U);
  EXPECT_EQ(found.jobs[0].limit, Seconds(120));
  EXPECT_EQ(found.jobs[0].run(), Seconds(130));
}

TEST(RecordedJobsFileTest, AJobMayBeginInOneFileOfPbsAndEndInTheNext) {
  const Folder folder;
  const std::string what =
      "user=ann group=staff queue=batch ctime=1000 start=1060 "
      "exec_host=n1/0+n2/0 Resource_List.walltime=02:00:00";
  const std::vector files{
      folder.write("20240501", {"05/01/2024 23:00:00;S;7.head;" + what,
                                "05/01/2024 23:10:00;S;8.head;" + what}),
      folder.write("20240502", {"05/02/2024 01:00:00;E;7.head;" + what + " end=4660"})};
  TraceSummary summary;
  int jobs = 0;
  ASSERT_TRUE(read_recorded_jobs(
      files, [&](const RecordedJob&) { ++jobs; }, summary));
  EXPECT_EQ(jobs, 1);
  EXPECT_EQ(summary.skipped_because["had not ended"].jobs, 1);  // 8.head alone
}

TEST(RecordedJobsFileTest, AccountingShowsWhereAJobRan) {
  const Folder folder;
  const auto slurm = read(folder, "sacct",
                          {"JobID|User|Submit|Start|End|State|NCPUS|NodeList",
                           "7|ann|1000|1100|1230|COMPLETED|5|n[1-3,7],m1"});
  ASSERT_EQ(slurm.jobs.size(), 1U);
  EXPECT_EQ(main_host(slurm.jobs[0]), "n1");
  EXPECT_EQ(node_count(slurm.jobs[0]), 5);
  JobSelection selection;
  ASSERT_TRUE(add_nodes("n7", selection.nodes, 1));
  EXPECT_TRUE(selection.admits(slurm.jobs[0]));
  const auto pbs = read(folder, "pbs",
                        {"05/01/2024 12:00:00;E;7.head;user=ann group=staff queue=batch "
                         "ctime=1000 start=1060 end=4660 exec_host=n8/0+n8/1+n7/0"});
  ASSERT_EQ(pbs.jobs.size(), 1U);
  EXPECT_EQ(node_count(pbs.jobs[0]), 2);
  EXPECT_TRUE(selection.admits(pbs.jobs[0]));
}

TEST(RecordedJobsFileTest, BadLinesAreNamedAndTheOthersCount) {
  const Folder folder;
  const auto found =
      read(folder, "stats", {full_line(), "nonsense", with(full_line(), 12, "later")});
  EXPECT_EQ(found.jobs.size(), 1U);
  EXPECT_EQ(found.summary.bad_lines, 2);
  ASSERT_EQ(found.summary.problems.size(), 2U);
  EXPECT_THAT(found.summary.problems[0], HasSubstr("stats:2: 1 field,"));
  EXPECT_THAT(found.summary.problems[1], HasSubstr("stats:3: invalid field 12"));
}

TEST(RecordedJobsFileTest, AFileThatIsGivenTwiceCountsOnce) {
  const Folder folder;
  const auto path = folder.write("stats", {full_line()});
  const auto other = folder.write("other", {full_line()});
  std::filesystem::create_symlink(path, path + ".link");
  std::vector<RecordedJob> jobs;
  TraceSummary summary;
  ASSERT_TRUE(read_recorded_jobs(
      std::vector{path, path, other, path + ".link"},
      [&](const RecordedJob& job) { jobs.push_back(job); }, summary));
  EXPECT_EQ(jobs.size(), 2U) << "files with equal contents are not the same file";
  EXPECT_THAT(summary.problems,
              ElementsAre(HasSubstr("/stats' is given more than once: its jobs count once"),
                          HasSubstr(".link' is the same file as '" + path + "'")));
}

TEST(RecordedJobsFileTest, AFileThatIsNotThereIsAnError) {
  TraceSummary summary;
  const auto told = read_recorded_jobs(
      std::vector<std::string>{"/nowhere/stats"}, [](const RecordedJob&) {}, summary);
  ASSERT_FALSE(told);
  EXPECT_THAT(told.error().what, HasSubstr("/nowhere/stats"));
}

/// The job of full_line().
RecordedJob job() {
  const Folder folder;
  return read(folder, "stats", {full_line()}).jobs.front();
}

TEST(SelectionTest, AdmitsAllUnlessItSaysOtherwise) { EXPECT_TRUE(JobSelection{}.admits(job())); }

TEST(SelectionTest, AJobMatchesAnyNameOfEveryKind) {
  JobSelection selection;
  ASSERT_TRUE(add_names("bob,amy", selection.who[CredentialKind::user]));
  EXPECT_TRUE(selection.admits(job()));
  ASSERT_TRUE(add_names("proj2", selection.who[CredentialKind::account]));
  EXPECT_FALSE(selection.admits(job()));
}

TEST(SelectionTest, NodesAreThoseOfTheRangesInTheRecord) {
  JobSelection selection;
  ASSERT_TRUE(add_nodes("n[2-3]", selection.nodes, 2));
  EXPECT_TRUE(selection.admits(job()));
  JobSelection others;
  ASSERT_TRUE(add_nodes("n5,n33", others.nodes, 2));
  EXPECT_FALSE(others.admits(job()));
}

TEST(SelectionTest, TimesAreTheEarliestStartAndTheLatestEnd) {
  JobSelection selection;
  selection.started_from = Time(1100);
  selection.ended_by = Time(1400);
  EXPECT_TRUE(selection.admits(job()));
  selection.started_from = Time(1101);
  EXPECT_FALSE(selection.admits(job()));
  selection.started_from = Time(0);
  selection.ended_by = Time(1399);
  EXPECT_FALSE(selection.admits(job()));
}

TEST(SelectionTest, AListOfNothingIsRefused) {
  JobSelection selection;
  EXPECT_FALSE(add_names(",", selection.names));
  EXPECT_FALSE(add_nodes("n[2-", selection.nodes, 2));
}

}  // namespace
}  // namespace maui
