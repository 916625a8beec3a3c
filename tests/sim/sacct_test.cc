#include "sim/sacct.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/job_log_text.h"

namespace maui {
namespace {

using testing::HasSubstr;

const std::string kHead =
    "JobIDRaw|User|Group|Account|Partition|QOS|JobName|Submit|Start|End|State|TimelimitRaw|NNodes|"
    "AllocCPUS|ReqTRES|AllocTRES|NodeList\n";
const std::string kPlain =
    "17|ann|staff|physics|long|normal|a "
    "job|1000|1100|4700|COMPLETED|120|2|64|cpu=64,mem=100G,node=2"
    "|billing=64,cpu=64,mem=100G,node=2|n[1-2]\n";

class SacctTest : public testing::Test {
 protected:
  Status read(const std::string& text, const TimeZone& zone = {}) {
    return read_sacct(test::write_text(folder_, "sacct", text), zone, log_, summary_);
  }
  TemporaryDirectory folder_;
  JobLog log_;
  TraceSummary summary_;
};

TEST_F(SacctTest, AJobHasWhatItWasGiven) {
  ASSERT_TRUE(read(kHead + kPlain));
  ASSERT_EQ(log_.jobs.size(), 1U);
  const LoggedJob& job = log_.jobs[0];
  EXPECT_EQ(job.name, "17");
  EXPECT_EQ(job.user, "ann");
  EXPECT_EQ(job.group, "staff");
  EXPECT_EQ(job.account, "physics");
  EXPECT_EQ(job.job_class, "long");
  EXPECT_EQ(job.qos, "normal");
  EXPECT_EQ(job.title, "a job");
  EXPECT_EQ(job.submitted, Time(1000));
  EXPECT_EQ(job.run(), Seconds(3600));
  EXPECT_EQ(job.limit, Seconds(7200));
  EXPECT_EQ(job.tasks, 2);
  EXPECT_EQ(job.procs, 32);
  EXPECT_EQ(job.memory, 50 * 1024);
  EXPECT_EQ(summary_.bad_lines, 0);
}

TEST_F(SacctTest, CpuTimeCountsAsUsed) {
  ASSERT_TRUE(
      read("JobIDRaw|JobID|User|Submit|Start|End|State|AllocCPUS|TotalCPU\n"
           "1|1|ann|1000|1100|4700|COMPLETED|4|1-02:03:04\n"
           "1.batch|1.batch||1000|1100|4700|COMPLETED|4|1-02:03:04\n"
           "2|2|ann|1000|1100|4700|COMPLETED|4|00:00:00\n"
           "2.batch|2.batch||1000|1100|4700|COMPLETED|4|30:00.250\n"
           "2.0|2.0||1000|1100|4700|COMPLETED|4|01:00:00\n"
           "3|3|ann|1000|1100|4700|COMPLETED|4|00:00:00\n"
           "4|4|ann|1000|1100|4700|COMPLETED|4|\n"
           "26|25_1|ann|1000|1100|4700|COMPLETED|1|00:00:00\n"
           "26.0|25_1.0||1000|1100|4700|COMPLETED|1|00:10:00\n"));
  ASSERT_EQ(log_.jobs.size(), 5U);
  EXPECT_EQ(log_.jobs[0].cpu_time, Seconds(26 * 3600 + 184)) << "its steps are in it";
  EXPECT_EQ(log_.jobs[1].cpu_time, Seconds(5400)) << "of its steps";
  EXPECT_FALSE(log_.jobs[2].cpu_time) << "it was not measured";
  EXPECT_FALSE(log_.jobs[3].cpu_time);
  EXPECT_EQ(log_.jobs[4].cpu_time, Seconds(600));
}

TEST_F(SacctTest, ATaskOfAnArrayHasTheNameThatShowqShows) {
  ASSERT_TRUE(
      read("JobIDRaw|JobID|User|Submit|Start|End|State|AllocCPUS\n"
           "26|25_1|ann|1000|1100|4700|COMPLETED|1\n"
           "26.batch|25_1.batch||1000|1100|4700|COMPLETED|1\n"
           "31|30+1|ann|1000|1100|4700|COMPLETED|1\n"));
  ASSERT_EQ(log_.jobs.size(), 2U);
  EXPECT_EQ(log_.jobs[0].name, "25_1");
  EXPECT_EQ(log_.jobs[1].name, "31") << "a component of a heterogeneous job";
}

// Two windows of sacct, of which both have the run that began in the first and ended in the second.
TEST_F(SacctTest, RunsOfSeveralFilesHaveTheirOwnNamesAndCountOnce) {
  const std::string second =
      "17|ann|staff|physics|long|normal|a "
      "job|4700|4800|5000|COMPLETED|120|2|64|cpu=64,mem=100G,node=2"
      "|billing=64,cpu=64,mem=100G,node=2|n[1-2]\n";
  ASSERT_TRUE(read(kHead + kPlain));
  ASSERT_TRUE(read(kHead + kPlain + second));
  ASSERT_EQ(log_.jobs.size(), 2U);
  EXPECT_EQ(log_.jobs[0].name, "17");
  EXPECT_EQ(log_.jobs[1].name, "17+2");
  EXPECT_EQ(log_.machine.nodes().at(0).node.configured.procs(), 32) << "not twice as many";
}

TEST_F(SacctTest, AJobsNameMayHaveTheSeparatorInIt) {
  ASSERT_TRUE(read(kHead +
                   "17|ann|staff|physics|long|normal|a|b||c|1000|1100|4700|COMPLETED|120|1|2|||n1\n"
                   "18|ann|staff|physics|long|normal||1000|1100|4700|COMPLETED|120|1|3|||n1\n"));
  ASSERT_EQ(log_.jobs.size(), 2U);
  EXPECT_EQ(log_.jobs[0].title, "a|b||c");
  EXPECT_EQ(log_.jobs[0].submitted, Time(1000));
  EXPECT_EQ(log_.jobs[0].procs, 2);
  EXPECT_EQ(log_.jobs[1].title, "");
}

TEST_F(SacctTest, TypedGpusCountIfTheirSumIsMissing) {
  ASSERT_TRUE(read(kHead +
                   "17|ann||||||1000|1100|4700|COMPLETED|120|2|8|cpu=8|cpu=8,gres/gpu:a100=4,"
                   "gres/gpu:h100=2,node=2|n[1-2]\n"));
  ASSERT_EQ(log_.jobs.size(), 1U);
  EXPECT_EQ(log_.jobs[0].gpus, 3);
}

TEST_F(SacctTest, GpusAreCountedWhateverTheirType) {
  ASSERT_TRUE(read(kHead +
                   "17|ann||||||1000|1100|4700|COMPLETED|120|2|8|cpu=8|cpu=8,gres/gpu:a100=4,"
                   "gres/gpu=4,node=2|n[1-2]\n"));
  ASSERT_EQ(log_.jobs.size(), 1U);
  EXPECT_EQ(log_.jobs[0].gpus, 2);
  const auto nodes = log_.machine.nodes();
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[0].node.name, "n1");
  EXPECT_EQ(nodes[0].node.configured.procs(), 4);
  ASSERT_EQ(nodes[0].generic.size(), 1U);
  EXPECT_EQ(nodes[0].generic[0], std::pair(std::string("gpu"), 2));
}

TEST_F(SacctTest, ElementsOfArraysAndRunsOfRequeuedJobsAreJobs) {
  const auto row = [](const std::string& id, const std::string& times, const std::string& state) {
    return id + "|ann||||||1000|" + times + "|" + state + "|120|1|1|||n1\n";
  };
  ASSERT_TRUE(read(kHead + row("20_1", "1100|1200", "COMPLETED") +
                   row("20_2", "1100|1200", "FAILED") + row("21", "1100|1200", "REQUEUED") +
                   row("21", "1300|1400", "COMPLETED") + row("21.batch", "1300|1400", "COMPLETED") +
                   row("22", "1500|1600", "CANCELLED by 1000")));
  std::vector<std::string> names;
  for (const auto& job : log_.jobs) names.push_back(job.name);
  EXPECT_EQ(names, (std::vector<std::string>{"20_1", "20_2", "21", "21+2", "22"}));
  EXPECT_TRUE(log_.jobs[4].cancelled);
  EXPECT_EQ(summary_.skipped_jobs, 0);
}

TEST_F(SacctTest, CountsJobsThatNeverRanOrStillRunByReason) {
  const auto row = [](const std::string& times, const std::string& state) {
    return "1_2|ann||||||1000|" + times + "|" + state + "|120|1|1|||\n";
  };
  ASSERT_TRUE(read(kHead + row("Unknown|Unknown", "PENDING") + row("None|1200", "CANCELLED by 7") +
                   row("1100|Unknown", "RUNNING") + row("1100|1100", "FAILED")));
  EXPECT_TRUE(log_.jobs.empty());
  EXPECT_EQ(summary_.skipped_jobs, 4);
  EXPECT_EQ(summary_.skipped_because["never ran"].names(), "1_2, 1_2");
  EXPECT_EQ(summary_.skipped_because["had not ended"].jobs, 1);
  EXPECT_EQ(summary_.skipped_because["ran for less than a second"].jobs, 1);
}

TEST_F(SacctTest, ColumnsMayStandInAnyOrderAndTimesInAnyZone) {
  const TimeZone berlin(Seconds(7200), {});
  ASSERT_TRUE(
      read("End|Start|Submit|User|JobID|NCPUS|Timelimit\n"
           "2024-05-01T13:00:00|2024-05-01T12:00:00|1714557000|bob|5|3|1-00:00:00\n",
           berlin));
  ASSERT_EQ(log_.jobs.size(), 1U);
  EXPECT_EQ(log_.jobs[0].started, Time(1714557600));
  EXPECT_EQ(log_.jobs[0].submitted, Time(1714557000));
  EXPECT_EQ(log_.jobs[0].limit, Seconds(86400));
  EXPECT_EQ(log_.jobs[0].procs, 3);
  EXPECT_TRUE(log_.machine.empty());
}

TEST_F(SacctTest, ProcessorsThatDoNotDivideEvenlyAreTasksOfTheirOwn) {
  ASSERT_TRUE(read(kHead + "17|ann||||||1000|1100|4700|COMPLETED|120|2|5|mem=10G||n[1-2]\n"));
  EXPECT_EQ(log_.jobs[0].tasks, 5);
  EXPECT_EQ(log_.jobs[0].procs, 1);
  EXPECT_EQ(log_.jobs[0].memory, 2048);
}

TEST_F(SacctTest, AJobThatRanOverItsLimitIsReplayedWithThatMuch) {
  ASSERT_TRUE(read(kHead + "17|ann||||||1000|1100|4730|TIMEOUT|60|1|1|||n1\n"));
  EXPECT_EQ(log_.jobs[0].limit, Seconds(3600));
  EXPECT_EQ(report_of(log_.jobs[0], {}).request.limit, Seconds(3630));
}

TEST_F(SacctTest, EachWrongLineIsNamedWithWhatWasExpected) {
  const std::pair<std::string, std::string> cases[] = {
      {"17|ann\n", "sacct:2: 2 fields, expected 17"},
      {"17|ann||||||x|1100|4700|FAILED|120|1|1|||\n", "invalid Submit 'x': expected a time"},
      {"17|ann||||||1|1100|1099|FAILED|120|1|1|||\n",
       "invalid End '1099': expected a time not before"},
      {"17|||||||1|1100|4700|FAILED|120|1|1|||\n", "invalid User '': expected a user"},
      {"17|ann||||||1|1100|4700|FAILED|x|1|1|||\n", "invalid TimelimitRaw 'x': expected minutes"},
      {"17|ann||||||1|1100|4700|FAILED|120|1|0|||\n",
       "invalid AllocCPUS '0': expected a number of CPUs"},
      {"17|ann||||||1|1100|4700|FAILED|120|1|1|||n[1-\n",
       "invalid NodeList 'n[1-': expected hosts"},
      {"17|ann||||||1|1100|4700|FAILED|120|1|1|||n[1-999999999]\n", "expected fewer hosts"},
  };
  for (const auto& [line, problem] : cases) {
    summary_ = {};
    ASSERT_TRUE(read(kHead + line));
    ASSERT_EQ(summary_.bad_lines, 1) << line;
    EXPECT_THAT(summary_.problems[0], HasSubstr(problem));
  }
  const auto missing = read("JobID|Start|End|User\n");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().what, HasSubstr("missing column"));
}

TEST_F(SacctTest, NoTextCrashesTheReader) {
  std::mt19937 random(11);
  for (int round = 0; round < 2000; ++round)
    [[maybe_unused]] const auto status = read(test::mutated(kHead + kPlain, random));
  for (const auto& job : log_.jobs) ASSERT_GT(job.run(), Seconds(0));
}

TEST(SacctCommandTest, GivesAllThatIsNeeded) {
  const std::string command(sacct_command());
  const auto from = command.find("--format=") + 9;
  std::string head = command.substr(from);
  std::replace(head.begin(), head.end(), ',', '|');
  EXPECT_TRUE(is_sacct_header(head));
  const std::string number = "JobIDRaw|", name = "JobID|";
  ASSERT_TRUE(head.starts_with(number + name));
  const std::string cpu = "|TotalCPU";  // for profiler
  ASSERT_TRUE(head.ends_with(cpu));
  head.erase(head.size() - cpu.size());
  EXPECT_EQ(head.erase(number.size(), name.size()) + "\n", kHead);
}

}  // namespace
}  // namespace maui
