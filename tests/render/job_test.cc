#include <gmock/gmock.h>

#include "render/golden.h"
#include "render/scenario.h"

namespace maui {
namespace {

using scenario::kNow;
using JobText = GoldenTest;

JobRequirement requirement(std::int64_t tasks, std::int64_t memory) {
  JobRequirement req;
  req.tasks = tasks;
  req.partition = "ALL";
  req.network = req.opsys = req.arch = "[NONE]";
  req.memory = {">=", memory};
  req.disk = {">=", 0};
  req.swap = req.procs = {"NC", 0};
  req.per_task = {{"PROCS", 1}};
  return req;
}

JobReply j0005() {
  JobReply job;
  job.now = kNow;
  job.name = "j0005";
  job.state = "Idle";
  job.user = "fred";
  job.group = "astro";
  job.account = "proj2";
  job.job_class = "batch";
  job.qos = "DEFAULT";
  job.limit = 7200;
  job.recorded_run_time = 720;
  job.submitted = job.queued = 1000000000;
  job.queue_time = job.eligible_time = 1200;
  job.tasks = 16;
  job.requirements = {requirement(16, 1024)};
  job.executable = "a.out";
  job.bypass = 1;
  job.pe = 16;
  job.priority = 111;
  job.verdicts = {{"DEFAULT", kInsufficientProcs, 1, 0, 16, {}, {}}};
  return job;
}

JobReply j0016() {
  JobReply job = j0005();
  job.name = "j0016";
  job.state = "Running";
  job.user = "carl";
  job.group = "phys";
  job.account = "proj1";
  job.job_class = "long";
  job.qos = "high";
  job.run_time = 1140;
  job.limit = job.recorded_run_time = 3600;
  job.queue_time = job.eligible_time = 60;
  job.started = 1000000060;
  job.ends = 1000003660;
  job.tasks = 12;
  job.requirements = {requirement(12, 0)};
  job.requirements[0].partition = "DEFAULT";
  for (const auto* node : {"node016", "node015", "node014", "node013", "node012", "node011"})
    job.requirements[0].allocated.push_back({node, 2});
  job.bypass = 0;
  job.start_count = 1;
  job.reservation = {"j0016", 1000000060, 1000003660};
  job.pe = 12;
  job.priority = 1008;
  job.verdicts = {};
  return job;
}

JobReply j0030() {
  JobReply job = j0005();
  job.name = "j0030";
  job.user = "dora";
  job.group = "phys";
  job.account = "proj3";
  job.qos = "high";
  job.limit = 3600;
  job.recorded_run_time = 360;
  job.submitted = 1000000060;
  job.queue_time = job.eligible_time = 1140;
  job.tasks = 2;
  job.requirements = {requirement(2, 512)};
  job.requirements[0].partition = "DEFAULT";
  job.bypass = 2;
  job.flags = {"HOSTLIST"};
  job.host_list = {"node001", "node002"};
  job.reservation = {"j0030", 1000014460, 1000018060};
  job.pe = 2;
  job.priority = 1183;
  job.verdicts = {{"DEFAULT", kInsufficientProcs, 1, 0, 2, {}, {}}};
  return job;
}

JobReply j0022() {
  JobReply job = j0005();
  job.name = "j0022";
  job.user = "amy";
  job.group = "chem";
  job.account = "proj1";
  job.job_class = "inter";
  job.qos = "low";
  job.limit = 3600;
  job.recorded_run_time = 2880;
  job.submitted = 1000000060;
  job.queue_time = job.eligible_time = 1140;
  job.tasks = 1;
  job.requirements = {requirement(1, 0)};
  job.bypass = 0;
  job.flags = {"RESTARTABLE", "PREEMPTEE"};
  job.pe = 1;
  job.priority = 54;
  job.system_priority = 20;
  job.verdicts = {{"DEFAULT", kUnmetRequirements, 5, 0, 1, {{"Class", 18}, {"State", 2}}, {}}};
  return job;
}

TEST_F(JobText, AnIdleJobSaysWhyItDoesNotRun) { expect(j0005(), "checkjob_idle"); }
TEST_F(JobText, ARunningJobSaysWhere) { expect(j0016(), "checkjob_running"); }
TEST_F(JobText, AReservedJobSaysWhen) { expect(j0030(), "checkjob_hostlist"); }
TEST_F(JobText, RejectionsAreCountedByReason) { expect(j0022(), "checkjob_after"); }

TEST_F(JobText, AttributeValuePairsStandOnOneLine) {
  JobReply job = j0016();
  job.pairs = true;
  expect(job, "checkjob_A_running");
}

TEST_F(JobText, VerboseReportsNodeByNode) {
  JobReply job = j0005();
  job.verbose = true;
  job.node_access = "SHARED";
  job.requirements[0].per_task.push_back({"MEM", 256});
  job.holds = {"User", "Batch"};
  job.hold_reason = "cannot start";
  job.access = ReservationAccess{"maint.0", false};
  job.verdicts[0].nodes = {{"node001", "Memory", 0}, {"node002", "", 3}};
  const std::string text = render(job, Format::text);
  for (const auto* line :
       {"\nDedicated Resources Per Task: PROCS: 1  MEM: 256M\n", "\nNodeAccess: SHARED\n",
        "\nNodeCount: 0\n", "\nHolds:    User  Batch\nhold reason: cannot start\n",
        "\nNOTE:  job denied access to reservation 'maint.0'\n",
        "\nnode001              rejected : Memory\nnode002              available : 3 tasks\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

// Guide G: -v shows every node for idle jobs.
TEST_F(JobText, VerboseReportsNodeByNodeOfAJobThatALimitBlocks) {
  JobReply job = j0005();
  job.verdicts = {{"DEFAULT", "policy", 20, 3, 16, {{"Memory", 1}}, {}, "violates MAXJOB"}};
  const std::string blocked =
      "cannot select job j0005 for partition DEFAULT (job j0005 violates MAXJOB)\n";
  EXPECT_THAT(render(job, Format::text), testing::HasSubstr(blocked + "\n\n"))
      << "no more than that";
  job.verdicts[0].nodes = {{"node001", "Memory", 0}, {"node002", "", 3}};
  EXPECT_THAT(render(job, Format::text),
              testing::HasSubstr(blocked + "idle procs:  20  feasible procs:   3\n\n"
                                           "Rejection Reasons: [Memory       :    1]\n\n"
                                           "node001              rejected : Memory\n"
                                           "node002              available : 3 tasks\n"));
}

TEST_F(JobText, VerboseListsTheHostOfEachTaskUpToALimit) {
  JobReply job = j0016();
  job.verbose = true;
  const std::string text = render(job, Format::text);
  EXPECT_NE(
      text.find("\nTask Distribution: node016,node016,node015,node015,node014,node014,node013,"
                "node013,node012,node012,node011,...\n"),
      std::string::npos)
      << text;
}

TEST_F(JobText, AJobThatCanRunIsSaidToBe) {
  JobReply job = j0005();
  job.verdicts = {{"DEFAULT", "", 20, 18, 16, {}, {}}};
  EXPECT_NE(
      render(job, Format::text)
          .find("\njob can run in partition DEFAULT (18 procs available.  16 procs required)\n"),
      std::string::npos);
}

EndedJobReply ended_job() {
  EndedJobReply reply;
  CompletedRow& job = reply.job;
  job = {"7", "amy", "chem", "proj1", "batch", "high", "Completed", "DEFAULT", "node001"};
  job.exit_code = 3;
  job.efficiency = 93.17;
  job.xfactor = 1.25;
  job.procs = 4;
  job.nodes = 2;
  job.limit = 36000;
  job.run_time = 2700;
  job.submitted = 1000000000;
  job.started = 1000010800;
  job.ended = 1000013500;
  job.shorter_limit = 5400;
  job.shorter_start = 1000007200;
  reply.limit_used = 7.5;
  return reply;
}

TEST_F(JobText, AnEndedJobSaysHowItEndedAndWithWhichLimitItWouldHaveStartedEarlier) {
  const EndedJobReply reply = ended_job();
  EXPECT_EQ(render(reply, Format::text),
            "\n\nchecking job 7\n\n"
            "State: Completed  (CompletionCode: 3)\n"
            "Creds:  user:amy  group:chem  account:proj1  class:batch  qos:high\n"
            "WallTime: 00:45:00 of 10:00:00\n"
            "SubmitTime: Sun Sep  9 01:46:40\n"
            "  (Time Queued  Total: 3:00:00)\n\n"
            "StartTime: Sun Sep  9 04:46:40\n"
            "EndTime: Sun Sep  9 05:31:40\n"
            "Total Procs: 4\n"
            "Nodes: 2  MainHost: node001  Partition: DEFAULT\n"
            "Efficiency: 93.17%  XFactor: 1.2\n\n"
            "NOTE:  job used 8% of its limit; with a limit of 1:30:00 it would probably have "
            "started 1:00:00 earlier\n\n");
  EXPECT_EQ(render(reply, Format::xml),
            "<Data><job Account=\"proj1\" Class=\"batch\" DRMJID=\"7\" Group=\"chem\" JobID=\"7\" "
            "JobName=\"7\" QOS=\"high\" State=\"Completed\" User=\"amy\" ReqAWDuration=\"36000\" "
            "AWDuration=\"2700\" CompletionCode=\"3\" CompletionTime=\"1000013500\" "
            "MasterHost=\"node001\" ReqProcs=\"4\" StartTime=\"1000010800\" "
            "SubmissionTime=\"1000000000\" LimitUsed=\"7.50\" ShorterLimit=\"5400\" "
            "ShorterLimitStartTime=\"1000007200\"/></Data>\n");
}

TEST_F(JobText, AnEndedJobThatNearlyUsedItsLimitHasNoNote) {
  EndedJobReply reply = ended_job();
  reply.limit_used = 50;
  reply.job.shorter_limit = reply.job.shorter_start = -1;
  EXPECT_EQ(render(reply, Format::text).find("NOTE"), std::string::npos);
}

TEST_F(JobText, AnEndedJobSaysWhyTheSchedulerCancelledIt) {
  EndedJobReply reply = ended_job();
  reply.cancelled = "it was 00:01:00 past its wallclock limit";
  EXPECT_NE(render(reply, Format::text)
                .find("\nEndTime: Sun Sep  9 05:31:40\n"
                      "Cancelled by the scheduler: it was 00:01:00 past its wallclock limit\n"),
            std::string::npos);
  EXPECT_NE(
      render(reply, Format::xml).find("CancelReason=\"it was 00:01:00 past its wallclock limit\""),
      std::string::npos);
}

TEST_F(JobText, AnEndedJobThatNeverRanSaysWhenItWasRemoved) {
  EndedJobReply reply;
  reply.job = {"8", "bob", "chem", "[NONE]", "batch", "DEFAULT", "Removed"};
  reply.job.procs = 1;
  reply.job.limit = 60;
  reply.job.submitted = 1000000000;
  reply.job.ended = 1000003600;
  EXPECT_EQ(render(reply, Format::text),
            "\n\nchecking job 8\n\n"
            "State: Removed  (CompletionCode: CNCLD)\n"
            "Creds:  user:bob  group:chem  account:[NONE]  class:batch  qos:DEFAULT\n"
            "WallTime: 00:00:00 of 00:01:00\n"
            "SubmitTime: Sun Sep  9 01:46:40\n"
            "  (Time Queued  Total: 1:00:00)\n\n"
            "EndTime: Sun Sep  9 02:46:40\n"
            "Total Procs: 1\n\n");
  reply.pairs = true;
  EXPECT_EQ(render(reply, Format::text),
            "\n\nNAME=8;STATE=Removed;UNAME=bob;GNAME=chem;ACCOUNT=[NONE];RCLASS=batch;WCLIMIT=60;"
            "QUEUETIME=1000000000;STARTTIME=0;COMPLETIONTIME=1000003600;COMPLETIONCODE=CNCLD;\n\n");
}

TEST_F(JobText, EarliestStartLiesAheadOrBehind) {
  expect(StartReply{kNow, "j0005", 16, 7200, 1000003660, 1000010860, "DEFAULT"}, "showstart_idle");
  expect(StartReply{kNow, "j0016", 12, 3600, 1000000060, 1000003660, "DEFAULT"},
         "showstart_running");
  EXPECT_EQ(
      render(StartReply{kNow, "", 1, 60, kNow, kNow + 60, "DEFAULT"}, Format::text).substr(0, 47),
      "job 1@00:01:00 requires 1 proc for 00:01:00\nEar");
  StartReply waits{kNow, "j0016", 12, 3600, kNow, kNow + 3600, "DEFAULT"};
  waits.not_counted = "dependency is not met";
  waits.lifted_by = "afterok:a is met";
  EXPECT_THAT(render(waits, Format::text),
              testing::HasSubstr("Best Partition: DEFAULT\nNot counting: dependency is not met\n"
                                 "Until: afterok:a is met\n"));
  StartReply suspended{kNow, "j0016", 12, 3600, kNow + 600, kNow + 1200, "DEFAULT"};
  suspended.resumes = true;
  EXPECT_THAT(render(suspended, Format::text),
              testing::HasSubstr("\nEarliest resumption in    00:10:00 on "));
}

TEST_F(JobText, HoldsStandInColumns) {
  const HoldsReply reply{
      {{"j0002", "amy", {"User", "System", "Batch", "Defer"}}, {"j0018", "bob", {"Batch"}}}};
  EXPECT_EQ(render(reply, Format::text),
            "         JOBNAME      HOLDS\n\n"
            "           j0002          User System  Batch  Defer\n"
            "           j0018                       Batch\n");
}

TEST_F(JobText, ActionsOnJobs) {
  expect(
      JobsReply{JobAction::cancelled, {}, {{"j0018", true, ""}, {"j0022", true, ""}}, "canceljob"},
      "canceljob_multi");
  expect(JobsReply{JobAction::holds_set, {"Batch"}, {{"j0018", true, ""}}, "sethold"}, "sethold_b");
  expect(JobsReply{JobAction::priority_set, {}, {{"j0022", true, ""}}, "setspri"}, "setspri_rel");
  EXPECT_EQ(render(JobsReply{JobAction::started, {}, {{"j1", true, ""}}, "runjob"}, Format::text),
            "\n\njob 'j1' successfully started\n\n");
  EXPECT_EQ(render(JobsReply{JobAction::holds_released,
                             {"User"},
                             {{"j1", false, "cannot locate job 'j1'"}, {"j2", true, ""}},
                             "releasehold"},
                   Format::text),
            "\nERROR:  cannot locate job 'j1'\njob holds adjusted\n");
}

}  // namespace
}  // namespace maui
