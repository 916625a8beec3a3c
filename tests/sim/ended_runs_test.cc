#include "sim/ended_runs.h"

#include <gtest/gtest.h>

#include "sim/trace_text.h"

namespace maui {
namespace {

using test::job_line;
using test::with;

TEST(EndedRunsTest, RecordsAreReadInTheOrderOfTheirEnds) {
  const test::Folder folder;
  TraceSummary summary;
  const auto path = folder.write(
      "stats", {with(with(job_line("late"), 12, "9100"), 11, "9000"), job_line("early")});
  const auto runs = read_ended_runs(path, summary);
  ASSERT_TRUE(runs) << runs.error().what;
  ASSERT_EQ(runs->size(), 2U);
  const EndedRun& first = runs->front();
  EXPECT_EQ(first.user, "amy");
  EXPECT_EQ(first.name, "a.out");
  EXPECT_EQ(first.procs, 2);
  EXPECT_EQ(first.limit, Seconds(600));
  EXPECT_EQ(first.run, Seconds(300));
  EXPECT_EQ(first.ended, Time(1400));
  EXPECT_EQ(runs->back().run, Seconds(100));
}

TEST(EndedRunsTest, SkipsAJobThatNeverRan) {
  const test::Folder folder;
  TraceSummary summary;
  const auto path = folder.write(
      "stats", {with(with(with(job_line("a"), 7, "NotRun"), 11, "0"), 12, "0"), job_line("b")});
  const auto runs = read_ended_runs(path, summary);
  ASSERT_TRUE(runs) << runs.error().what;
  EXPECT_EQ(runs->size(), 1U);
}

TEST(EndedRunsTest, BadLinesAreReportedAndPassedOver) {
  const test::Folder folder;
  TraceSummary summary;
  const auto runs = read_ended_runs(folder.write("stats", {"nonsense", job_line("b")}), summary);
  ASSERT_TRUE(runs);
  EXPECT_EQ(runs->size(), 1U);
  EXPECT_EQ(summary.bad_lines, 1);
}

TEST(EndedRunsTest, ALogGivesUserExecutableAndSize) {
  const test::Folder folder;
  TraceSummary summary;
  const auto path = folder.write(
      "log.swf", {"; MaxProcs: 8", "1 50 0 300 4 -1 -1 4 600 -1 1 12 3 5 -1 -1 -1 -1"});
  const auto runs = read_ended_runs(path, summary);
  ASSERT_TRUE(runs) << runs.error().what;
  ASSERT_EQ(runs->size(), 1U);
  EXPECT_EQ(runs->front().user, "u12");
  EXPECT_EQ(runs->front().name, "app5");
  EXPECT_EQ(runs->front().procs, 4);
  EXPECT_EQ(runs->front().run, Seconds(300));
}

TEST(EndedRunsTest, JobsOfALogEndedInTheOrderOfTheirEndsTheirWaitsIncluded) {
  const test::Folder folder;
  TraceSummary summary;
  const auto path = folder.write("log", {"; UnixStartTime: 1000", "; MaxProcs: 8",
                                         "1 50 500 300 4 -1 -1 4 600 -1 1 12 3 5 -1 -1 -1 -1",
                                         "2 60 0 100 4 -1 -1 4 600 -1 1 12 3 5 -1 -1 -1 -1"});
  const auto runs = read_ended_runs(path, summary);
  ASSERT_TRUE(runs) << runs.error().what;
  ASSERT_EQ(runs->size(), 2U);
  EXPECT_EQ(runs->front().ended, Time(1160));
  EXPECT_EQ(runs->back().ended, Time(1850));
}

TEST(EndedRunsTest, AFileOfNoFormatThatIsKnownIsAnError) {
  const test::Folder folder;
  TraceSummary summary;
  const auto passwords = read_ended_runs(folder.write("passwd", {"root:x:0:0"}), summary);
  ASSERT_FALSE(passwords);
  EXPECT_NE(passwords.error().what.find("passwd: unknown format"), std::string::npos);
}

TEST(EndedRunsTest, TheJobNameOverridesTheProgramName) {
  const test::Folder folder;
  TraceSummary summary;
  const auto path = folder.write("stats", {with(job_line(), 44, "NAME=my%20solver")});
  const auto runs = read_ended_runs(path, summary);
  ASSERT_TRUE(runs) << runs.error().what;
  ASSERT_EQ(runs->size(), 1U);
  EXPECT_EQ(runs->front().name, "my solver");
}

TEST(EndedRunsTest, ReadsSlurmAccountingWithoutInterruptedRuns) {
  const test::Folder folder;
  TraceSummary summary;
  const auto path = folder.write(
      "jobs", {"JobIDRaw|User|JobName|Submit|Start|End|State|TimelimitRaw|AllocCPUS",
               "1|ann|late|1000|1100|5000|COMPLETED|120|64", "2|ann|x|1000|1100|1400|TIMEOUT|5|2",
               "3|ann|x|1000|1100|1400|NODE_FAIL|5|2", "4|ann|x|1000|1100|1400|PREEMPTED|5|2",
               "5|ann|x|1000|1100|1400|COMPLETED|UNLIMITED|2"});
  const auto runs = read_ended_runs(path, summary);
  ASSERT_TRUE(runs) << runs.error().what;
  ASSERT_EQ(runs->size(), 2U);
  const EndedRun& first = runs->front();
  EXPECT_EQ(first.user, "ann");
  EXPECT_EQ(first.name, "x");
  EXPECT_EQ(first.procs, 2);
  EXPECT_EQ(first.limit, Seconds(300));
  EXPECT_EQ(first.run, Seconds(300));
  EXPECT_EQ(first.ended, Time(1400));
  EXPECT_EQ(runs->back().procs, 64);
}

TEST(EndedRunsTest, ReadsPbsAccounting) {
  const test::Folder folder;
  TraceSummary summary;
  const auto path = folder.write(
      "20240501",
      {"05/01/2024 13:00:00;E;17.head;user=ann group=staff jobname=x queue=batch ctime=1000 "
       "qtime=1001 etime=1001 start=1060 exec_host=n1/0+n1/1+n2/0+n2/1 "
       "Resource_List.nodes=2:ppn=2 Resource_List.walltime=02:00:00 end=4660 Exit_status=0"});
  const auto runs = read_ended_runs(path, summary);
  ASSERT_TRUE(runs) << runs.error().what;
  ASSERT_EQ(runs->size(), 1U);
  EXPECT_EQ(runs->front().name, "x");
  EXPECT_EQ(runs->front().procs, 4);
  EXPECT_EQ(runs->front().limit, Seconds(7200));
  EXPECT_EQ(runs->front().run, Seconds(3600));
}

TEST(EndedRunsTest, AFileThatIsNotThereIsAnError) {
  TraceSummary summary;
  EXPECT_FALSE(read_ended_runs("/nonexistent/stats", summary));
}

}  // namespace
}  // namespace maui
