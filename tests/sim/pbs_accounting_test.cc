#include "sim/pbs_accounting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/job_log_text.h"

namespace maui {
namespace {

using testing::HasSubstr;

// As TORQUE 6 and OpenPBS write them.
const std::string kTorque =
    "05/01/2024 12:00:00;Q;17.head;queue=batch\n"
    "05/01/2024 12:01:00;S;17.head;user=ann group=staff jobname=x queue=batch ctime=1000 "
    "qtime=1001 "
    "etime=1001 start=1060\n"
    "05/01/2024 13:00:00;E;17.head;user=ann group=staff account=physics jobname=a job queue=batch "
    "ctime=1000 qtime=1001 etime=1001 start=1060 owner=ann@head "
    "exec_host=n1/0+n1/1+n2/0+n2/1 Resource_List.mem=4gb Resource_List.nodes=2:ppn=2 "
    "Resource_List.walltime=02:00:00 session=7 total_execution_slots=4 unique_node_count=2 "
    "end=4660 Exit_status=0 resources_used.walltime=01:00:00\n";
const std::string kPro =
    "05/01/2024 13:00:00;E;18.head;user=bob group=staff account=\"chem\" "
    "project=_pbs_project_default jobname=y "
    "queue=workq ctime=1000 qtime=1000 etime=1000 start=1060 exec_host=n1/0*8+n2/0*8 "
    "exec_vnode=(n1:ncpus=8:mem=1gb)+(n2:ncpus=8:mem=1gb) Resource_List.mem=2gb "
    "Resource_List.ncpus=16 Resource_List.ngpus=2 Resource_List.walltime=00:10:00 session=9 "
    "end=1700 Exit_status=271 run_count=1\n";

class PbsAccountingTest : public testing::Test {
 protected:
  void read(const std::string& text) {
    ASSERT_TRUE(
        read_pbs_accounting(test::write_text(folder_, "20240501", text), runs_, log_, summary_));
  }
  TemporaryDirectory folder_;
  PbsRuns runs_;
  JobLog log_;
  TraceSummary summary_;
};

TEST_F(PbsAccountingTest, ATorqueEndRecordHasEverything) {
  read(kTorque);
  ASSERT_EQ(log_.jobs.size(), 1U);
  const LoggedJob& job = log_.jobs[0];
  EXPECT_EQ(job.name, "17.head");
  EXPECT_EQ(job.user, "ann");
  EXPECT_EQ(job.account, "physics");
  EXPECT_EQ(job.job_class, "batch");
  EXPECT_EQ(job.title, "a job");
  EXPECT_EQ(job.submitted, Time(1000));
  EXPECT_EQ(job.run(), Seconds(3600));
  EXPECT_EQ(job.limit, Seconds(7200));
  EXPECT_EQ(job.tasks, 2);
  EXPECT_EQ(job.procs, 2);
  EXPECT_EQ(job.memory, 2048);
  EXPECT_EQ(log_.machine.nodes().size(), 2U);
}

TEST_F(PbsAccountingTest, CpuTimeCountsAsUsed) {
  read(kTorque.substr(0, kTorque.size() - 1) + " resources_used.cput=03:00:00\n" + kPro);
  ASSERT_EQ(log_.jobs.size(), 2U);
  EXPECT_EQ(log_.jobs[0].cpu_time, Seconds(3 * 3600)) << "of four processors for an hour";
  EXPECT_FALSE(log_.jobs[1].cpu_time);
}

TEST_F(PbsAccountingTest, TorqueListsGpusAmongTheNodes) {
  auto text = kTorque;
  const std::string nodes = "nodes=2:ppn=2";
  text.replace(text.find(nodes), nodes.size(), "nodes=1:ppn=2:gpus=3+n2:gpus=1:ppn=2");
  read(text);
  ASSERT_EQ(log_.jobs.size(), 1U);
  EXPECT_EQ(log_.jobs[0].tasks * log_.jobs[0].gpus, 4);
}

TEST_F(PbsAccountingTest, APbsProEndRecordHasEverything) {
  read(kPro);
  ASSERT_EQ(log_.jobs.size(), 1U);
  EXPECT_EQ(log_.jobs[0].account, "chem");
  EXPECT_EQ(log_.jobs[0].tasks, 2);
  EXPECT_EQ(log_.jobs[0].procs, 8);
  EXPECT_EQ(log_.jobs[0].gpus, 1);
  EXPECT_EQ(log_.jobs[0].limit, Seconds(600));
  EXPECT_EQ(report_of(log_.jobs[0], {}).request.limit, Seconds(640));  // it ran over its limit
  EXPECT_EQ(summary_.bad_lines, 0);
}

TEST_F(PbsAccountingTest, SlotsMayBeRanges) {
  auto text = kTorque;
  const std::string hosts = "n1/0+n1/1+n2/0+n2/1";
  text.replace(text.find(hosts), hosts.size(), "n1/0-3,8+n2/0-4");
  read(text);
  EXPECT_EQ(log_.jobs[0].tasks, 2);
  EXPECT_EQ(log_.jobs[0].procs, 5);
}

TEST_F(PbsAccountingTest, CountsJobsThatNeverRanOrHaveNotEnded) {
  read("05/01/2024 12:00:00;S;1.head;user=ann\n05/01/2024 12:00:00;D;2.head;requestor=ann@head\n");
  runs_.count_unfinished(summary_);
  EXPECT_EQ(summary_.skipped_jobs, 2);
  EXPECT_EQ(summary_.skipped_because["never ran"].jobs, 1);
  EXPECT_EQ(summary_.skipped_because["had not ended"].jobs, 1);
  EXPECT_EQ(summary_.skipped_because["had not ended"].first.size(), 1U);
}

TEST_F(PbsAccountingTest, EachWrongLineIsNamedWithWhatWasExpected) {
  const auto with = [](const std::string& from, const std::string& to) {
    auto text = kPro;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  const std::pair<std::string, std::string> cases[] = {
      {"nonsense\n", "20240501:1: expected MM/DD/YYYY HH:MM:SS;TYPE;JOB"},
      {with("start=1060", "start=x"), "invalid start 'x': expected a time"},
      {with("end=1700", "end=17"), "invalid end '17': expected a time not before"},
      {with("ctime=1000", "ctime=x"), "invalid ctime 'x': expected a time"},
      {with("ctime=1000 qtime=1000", "qtime=x"), "invalid qtime 'x': expected a time"},
      {with("user=bob", "user="), "invalid user '': expected a user"},
      {with("n1/0*8+n2/0*8", "n1/x"), "invalid exec_host 'n1/x': expected hosts"},
      {with("n1/0*8+n2/0*8", "n[/0*8"), "invalid exec_host 'n[/0*8': expected hosts"},
      {with("n1/0*8+n2/0*8", "n[1-2]/0"), "invalid exec_host 'n[1-2]/0': expected hosts"},
      {with("walltime=00:10:00", "walltime=soon"), "invalid Resource_List.walltime 'soon'"},
      {with("mem=2gb", "mem=much"), "invalid Resource_List.mem 'much'"},
  };
  for (const auto& [text, problem] : cases) {
    summary_ = {};
    read(text);
    ASSERT_EQ(summary_.bad_lines, 1) << text;
    EXPECT_THAT(summary_.problems[0], HasSubstr(problem));
  }
}

TEST_F(PbsAccountingTest, NoTextCrashesTheReader) {
  std::mt19937 random(12);
  for (int round = 0; round < 2000; ++round) read(test::mutated(kTorque + kPro, random));
  for (const auto& job : log_.jobs) EXPECT_GT(job.run(), Seconds(0));
}

}  // namespace
}  // namespace maui
