#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "maui/cluster.h"
#include "sim/trace_text.h"
#include "sim/workload_trace.h"

namespace maui {
namespace {

using test::job_line;
using test::with;
using testing::HasSubstr;

// A cluster of so many nodes, and jobs from records that run on them.
struct WriterTest : testing::Test {
  explicit WriterTest(int nodes = 3) {
    for (int i = 1; i <= nodes; ++i) {
      Node node;
      node.name = "n" + std::string(i < 10 ? "00" : i < 100 ? "0" : "") + std::to_string(i);
      node.reported = NodeState::idle;
      node.configured = Resources(8, 8192, 8192, 8192);
      node.partition = cluster.partitions.intern("DEFAULT");
      node.configured.set(cluster.initiator(cluster.classes.intern("batch")), 8);
      cluster.add_node(node);
    }
  }

  JobId add(const std::string& line) {
    const auto record = parse_workload_record(line, NodeAccess::shared);
    EXPECT_TRUE(record) << (record ? "" : record.error().what);
    Job job = record->report.job;
    Request request = record->report.request;
    job.name = record->report.name;
    job.queued = job.submitted;
    job.credentials.user = cluster.users.intern(record->report.user);
    job.credentials.group = cluster.groups.intern(record->report.group);
    job.credentials.qos = cluster.qos.intern("DEFAULT");
    if (!record->report.account.empty())
      job.credentials.account = cluster.accounts.intern(record->report.account);
    Requirement& requirement = request.requirements.front();
    if (!record->report.job_class.empty()) {
      job.credentials.job_class = requirement.job_class =
          cluster.classes.intern(record->report.job_class);
      requirement.per_task.set(cluster.initiator(requirement.job_class), 1);
    }
    for (const auto& name : record->report.features.front())
      requirement.features.push_back(cluster.features.intern(name));
    request.host_list_use = record->report.host_list_use;
    for (const auto& host : record->report.host_list)
      request.host_list.push_back(cluster.find_node(host));
    return cluster.add_job(job, request);
  }

  /// The record of a job that ran on the first nodes, two tasks on each.
  std::string written(const std::string& line, std::size_t nodes = 1) {
    const JobId id = add(line);
    Placement placement;
    for (std::size_t i = 0; i < nodes; ++i) placement.push_back({NodeId(i), 2, 0});
    cluster.start_job(id, placement, Time(2000));
    cluster.end_job(id, JobState::completed, Time(2300));
    return write_workload_record(cluster, cluster.job(id));
  }
  static std::string field(const std::string& record, std::size_t number) {
    return std::string(words(record).at(number - 1));
  }

  Cluster cluster;
};

TEST_F(WriterTest, ProcessorTimeIsWrittenAsItWasMeasured) {
  const JobId id = add(with(job_line(), 30, "0"));
  cluster.start_job(id, Placement{NodeTasks{NodeId(0U), 2, 0}}, Time(2000));
  cluster.set_use(id, JobUse{.cpu_seconds = 90}, false, Time(2300));
  cluster.end_job(id, JobState::completed, Time(2300));
  EXPECT_EQ(field(write_workload_record(cluster, cluster.job(id)), 30), "90.00");
}

TEST_F(WriterTest, AJobThatCompletedUnseenIsNoRun) {
  const JobId id = add(job_line());
  cluster.end_job(id, JobState::completed, Time(2300));
  const std::string record = write_workload_record(cluster, cluster.job(id));
  EXPECT_EQ(field(record, 7), "NotRun");
  EXPECT_TRUE(parse_workload_record(record, NodeAccess::shared)) << record;
}

TEST_F(WriterTest, ARecordOfAJobWithoutALimitIsReadAsOne) {
  const JobId id = add(job_line());
  Request request = cluster.request_of(id);
  for (const Seconds limit : {kUnlimited, Seconds(std::int64_t{1} << 41)}) {
    request.limit = limit;
    cluster.set_request(id, Request(request));
    const auto read =
        parse_workload_record(write_workload_record(cluster, cluster.job(id)), NodeAccess::shared);
    ASSERT_TRUE(read) << read.error().what;
    EXPECT_EQ(read->report.request.limit, Seconds(0));
  }
  EXPECT_TRUE(parse_workload_record(with(job_line(), 6, std::to_string(kUnlimited.raw())),
                                    NodeAccess::shared));
}

// The times of a record include suspensions; statistics of past jobs do not.
TEST_F(WriterTest, SuspensionsAreWrittenAndDoNotCountAsRunTime) {
  for (const std::string name : {"untitled", "titled"}) {
    const char* title = name == "titled" ? "NAME=my%20solver" : "[NONE]";
    const JobId id = add(with(job_line(name), 44, title));
    cluster.start_job(id, Placement{NodeTasks{NodeId(0U), 2, 0}}, Time(2000));
    cluster.suspend_job(id, Time(2100));
    cluster.resume_job(id, Time(2200));
    cluster.end_job(id, JobState::completed, Time(2300));
    const std::string record = write_workload_record(cluster, cluster.job(id));
    EXPECT_THAT(field(record, 44), testing::StartsWith("SUSPENDTIME=100;"));
    const auto read = parse_workload_record(record, NodeAccess::shared);
    ASSERT_TRUE(read) << read.error().what;
    EXPECT_EQ(read->suspended, Seconds(100));
    EXPECT_EQ(read->report.job.recorded->run_time, Seconds(200));
    EXPECT_EQ(read->report.job.title, cluster.job(id).title);
  }
}

// The same holds if the clock of its resource manager is ahead.
TEST_F(WriterTest, SuspensionsAreWrittenThoughTheClockWasSetBack) {
  const JobId id = add(job_line("a"));
  cluster.start_job(id, Placement{NodeTasks{NodeId(0U), 2, 0}}, Time(2500));
  cluster.shift_run(id, Seconds(-900));
  cluster.suspend_job(id, Time(1700));
  cluster.resume_job(id, Time(1750));
  cluster.end_job(id, JobState::completed, Time(1900));
  const std::string record = write_workload_record(cluster, cluster.job(id));
  EXPECT_THAT(field(record, 44), testing::HasSubstr("SUSPENDTIME=50;"));
  const auto read = parse_workload_record(record, NodeAccess::shared);
  ASSERT_TRUE(read) << read.error().what;
  EXPECT_EQ(read->report.job.recorded->run_time, Seconds(250));
}

// The times that its resource manager reports are then later than its end.
TEST_F(WriterTest, ARunDuringWhichTheClockWasSetBackEndsAfterItsStart) {
  const JobId id = add(with(job_line("a"), 44, "NAME=solver"));
  cluster.start_job(id, Placement{NodeTasks{NodeId(0U), 2, 0}}, Time(2500));
  cluster.shift_run(id, Seconds(-900));
  cluster.end_job(id, JobState::completed, Time(1900));
  const std::string record = write_workload_record(cluster, cluster.job(id));
  EXPECT_EQ(field(record, 9), "100");
  EXPECT_EQ(field(record, 11), "1600");
  EXPECT_EQ(field(record, 12), "1900");
  EXPECT_EQ(field(record, 44), "SUBMITTED=1000;STARTED=2500;NAME=solver");
  const auto read = parse_workload_record(record, NodeAccess::shared);
  ASSERT_TRUE(read) << read.error().what;
  EXPECT_EQ(read->report.job.recorded->run_time, Seconds(300));
  EXPECT_EQ(read->report.job.title, "solver");
}

// So a scheduler that reads the record tells the step from a suspension.
TEST_F(WriterTest, TheRecordSaysByHowMuchTheClockWasSetForwardDuringTheRun) {
  const JobId id = add(with(job_line("a"), 44, "NAME=solver"));
  cluster.start_job(id, Placement{NodeTasks{NodeId(0U), 2, 0}}, Time(2500));
  cluster.shift_run(id, Seconds(900));
  cluster.set_suspended_time(id, Seconds(960));
  cluster.end_job(id, JobState::completed, Time(3900));
  const std::string record = write_workload_record(cluster, cluster.job(id), Time(2400));
  EXPECT_EQ(field(record, 44), "BEGAN=2400;CLOCKSET=900;SUSPENDTIME=960;NAME=solver");
  const auto read = parse_workload_record(record, NodeAccess::shared);
  ASSERT_TRUE(read) << read.error().what;
  EXPECT_EQ(read->suspended, Seconds(960));
  EXPECT_EQ(read->report.job.title, "solver");
}

TEST_F(WriterTest, ASuspensionLongerThanTheRunIsRefused) {
  for (const char* wrong : {"SUSPENDTIME=9999999;", "SUSPENDTIME=-1;", "SUSPENDTIME=x;"}) {
    const auto read = parse_workload_record(with(job_line(), 44, wrong), NodeAccess::shared);
    ASSERT_FALSE(read) << wrong;
    EXPECT_THAT(read.error().what, HasSubstr("SUSPENDTIME=SECONDS"));
  }
}

TEST_F(WriterTest, AWrittenJobReadsBackUnchanged) {
  const std::pair<int, const char*> changes[] = {{2, "1"},
                                                 {8, "[batch:1]"},
                                                 {13, "ethernet"},
                                                 {14, "R6000"},
                                                 {15, "AIX43"},
                                                 {16, "<="},
                                                 {17, "4096"},
                                                 {20, "[fast][wide]"},
                                                 {23, "2"},
                                                 {24, "high"},
                                                 {25, "[PREEMPTEE][RESTARTABLE]"},
                                                 {26, "physics"},
                                                 {28, "DMEM:64"},
                                                 {32, "2"},
                                                 {33, "64"},
                                                 {34, "10"},
                                                 {35, "20"},
                                                 {36, "1500"},
                                                 {37, "90000"},
                                                 {40, "n001:n002"},
                                                 {41, "john.1"},
                                                 {42, "ONEOF:NETWORK"},
                                                 {43, "HSM:IN=x"},
                                                 {44, "NAME=my%20solver"}};
  std::string line = job_line();
  for (const auto& [number, value] : changes) line = with(line, number, value);
  const std::string record = written(line);
  const auto before = parse_workload_record(line, NodeAccess::shared);
  const auto after = parse_workload_record(record, NodeAccess::shared);
  ASSERT_TRUE(before && after) << record;
  EXPECT_EQ(after->report.name, before->report.name);
  EXPECT_EQ(after->report.user, before->report.user);
  EXPECT_EQ(after->report.group, before->report.group);
  EXPECT_EQ(after->report.account, before->report.account);
  EXPECT_EQ(after->report.qos, before->report.qos);
  EXPECT_EQ(after->report.job_class, before->report.job_class);
  EXPECT_EQ(after->report.features, before->report.features);
  EXPECT_EQ(after->report.host_list, before->report.host_list);
  EXPECT_EQ(after->report.request, before->report.request);
  EXPECT_EQ(after->report.job.flags, before->report.job.flags);
  EXPECT_EQ(after->report.job.submitted, before->report.job.submitted);
  EXPECT_EQ(after->report.job.earliest_start, before->report.job.earliest_start);
  EXPECT_EQ(after->report.job.deadline, before->report.job.deadline);
  EXPECT_EQ(after->report.job.comment, before->report.job.comment);
  EXPECT_EQ(after->report.job.node_set, before->report.job.node_set);
  EXPECT_EQ(after->report.job.application_data, before->report.job.application_data);
  EXPECT_EQ(after->report.job.title, "my solver");
  EXPECT_EQ(before->report.job.title, "my solver");
  EXPECT_EQ(after->report.job.recorded->run_time, Seconds(300));
}

TEST_F(WriterTest, EveryFieldStandsInItsPlace) {
  const std::string record = written(job_line());
  EXPECT_EQ(words(record).size(), 44U) << record;
  EXPECT_EQ(field(record, 1), "job.1");
  EXPECT_EQ(field(record, 3), "2");
  EXPECT_EQ(field(record, 7), "Completed");
  EXPECT_EQ(field(record, 11), "2000");
  EXPECT_EQ(field(record, 12), "2300");
  EXPECT_EQ(field(record, 22), "2");
  EXPECT_EQ(field(record, 24), "[NONE]:DEFAULT");
  EXPECT_EQ(field(record, 30), "600.00") << "unknown in the trace: processors times run time";
  EXPECT_EQ(field(record, 31), "DEFAULT");
  EXPECT_EQ(field(record, 38), "n001");
  EXPECT_EQ(field(record, 44), "[NONE]");
}

TEST_F(WriterTest, UseIsThatOfTheRecordedRunInProportionToTheTime) {
  const std::string line = with(job_line(), 30, "90");  // in 300 s
  EXPECT_EQ(field(written(line), 30), "90.00");
  EXPECT_EQ(field(written(with(with(line, 1, "cut"), 12, "1700")), 30), "45.00")
      << "300 of 600 seconds";
}

TEST_F(WriterTest, AJobThatNeverRanReadsBackAsSuch) {
  const JobId id = add(job_line());
  const auto record = write_workload_record(cluster, cluster.job(id));
  const auto back = parse_workload_record(record, NodeAccess::shared);
  ASSERT_TRUE(back) << record;
  EXPECT_EQ(back->final_state, JobState::not_queued);
}

TEST_F(WriterTest, WhiteSpaceInTextDoesNotMakeFields) {
  const JobId id = add(job_line());
  Job job = cluster.job(id);
  job.comment = "two words\tand a tab";
  EXPECT_EQ(words(write_workload_record(cluster, job)).size(), 44U);
}

TEST_F(WriterTest, TheHeaderIsOfCommentsThatNameEveryField) {
  const std::string header = workload_trace_header();
  EXPECT_THAT(header, testing::StartsWith("VERSION 230\n# JobID NodesRequested "));
  EXPECT_EQ(words(split(header, '\n')[1]).size(), 45U);
}

struct ManyNodesTest : WriterTest {
  ManyNodesTest() : WriterTest(80) {}
};

TEST_F(ManyNodesTest, FewHostsAreWrittenOneByOne) {
  const std::string record = written(with(job_line(), 3, "126"), 63);
  EXPECT_THAT(field(record, 38), testing::StartsWith("n001:n002:n003:"));
}

TEST_F(ManyNodesTest, From64HostsOnRangesAreWritten) {
  EXPECT_EQ(field(written(with(job_line(), 3, "128"), 64), 38), "n[001-064]");
}

TEST_F(ManyNodesTest, ARequiredHostListIsWrittenAsRangesAndReadBack) {
  const auto record = written(with(with(job_line(), 3, "160"), 40, "n[001-080]"), 80);
  EXPECT_EQ(field(record, 40), "n[001-080]");
  const auto back = parse_workload_record(record, NodeAccess::shared);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->report.host_list.size(), 80U);
  EXPECT_EQ(back->report.host_list_use, HostListUse::all_of);
}

}  // namespace
}  // namespace maui
