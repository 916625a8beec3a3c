#include <fmt/format.h>

#include <tuple>

#include "cmd/command_fixture.h"
#include "support/open_cluster.h"

namespace maui::test {
namespace {

using JobCommands = CommandTest;

TEST_F(JobCommands, ShowqPutsEveryJobIntoOneSection) {
  const auto queue = get<QueueReply>("showq");
  ASSERT_EQ(queue.active.size(), 1U);
  const ActiveRow& a = queue.active[0];
  EXPECT_EQ(std::tie(a.name, a.user, a.state, a.qos), std::tuple("a", "amy", "Running", "DEFAULT"));
  EXPECT_EQ(std::tie(a.procs, a.remaining, a.started, a.nodes, a.limit),
            std::tuple(4, 3600, kNow.raw(), 2, 3600));
  ASSERT_EQ(queue.idle.size(), 2U);
  EXPECT_TRUE(queue.blocked.empty());
  EXPECT_EQ(queue.use, (QueueUse{4, 4, 2, 2}));
}

TEST_F(JobCommands, ShowqCountsWhatJobsHoldOfNodesThatTakeNoMore) {
  NodeReport draining = node_report("n1", procs(2, 512));
  draining.node.reported = NodeState::draining;
  auto manager = std::make_unique<ScriptedRm>();
  ScriptedRm& rm = *manager;
  rm.next.nodes = {node_report("n1", procs(2, 512)), node_report("n2", procs(2, 512))};
  rm.next.arrived = {report("a", 4, "amy")};
  run(std::move(manager));
  rm.next.nodes = {draining};
  engine().iterate([] {});
  EXPECT_EQ(get<QueueReply>("showq").use, (QueueUse{4, 4, 2, 2}))
      << "no more processors are active than there are";
}

TEST_F(JobCommands, ShowqSelectsByUserAndPartition) {
  EXPECT_EQ(get<QueueReply>("showq -u bob").idle.size(), 1U);
  EXPECT_TRUE(get<QueueReply>("showq -u bob").active.empty());
  EXPECT_EQ(get<QueueReply>("showq -p DEFAULT").active.size(), 1U);
  EXPECT_EQ(get<QueueReply>("showq -w user=bob").idle.size(), 1U);
  EXPECT_TRUE(get<QueueReply>("showq -w user=bob,class=long").idle.empty());
  EXPECT_EQ(
      why_not("showq -w colour=red"),
      "showq: invalid -w 'colour=red': expected user, group, acct, class or qos, = and a name");
  EXPECT_EQ(why_not("showq -p nosuch"), "invalid partition, nosuch, specified");
  EXPECT_EQ(why_not("showq -i -r"), "showq: only one of -b, -c, -i and -r at a time");
}

TEST_F(JobCommands, AJobPastItsLimitHasLessThanNoTimeLeftAndIsWarnedOf) {
  engine();
  clock.time = kNow + Seconds(3600 + 300);
  engine().iterate([] {});
  ASSERT_EQ(get<QueueReply>("showq").active.size(), 1U);
  EXPECT_EQ(get<QueueReply>("showq").active[0].remaining, -300);
  EXPECT_EQ(get<ActiveQueueReply>("showq -r").jobs[0].remaining, -300);
  EXPECT_EQ(get<StateReply>("showstate").jobs[0].remaining, -300);
  EXPECT_EQ(get<JobsDiagnosisReply>("diagnose -j a").warnings,
            std::vector<std::string>{"active job 'a' has passed its wallclock limit"});
}

TEST_F(JobCommands, ShowholdListsTheJobsWithHoldsThatTheUserMaySee) {
  EXPECT_TRUE(get<HoldsReply>("showhold").jobs.empty());
  EXPECT_TRUE(succeeded(ask("sethold -b -u b")));
  EXPECT_EQ(get<HoldsReply>("showhold").jobs,
            (std::vector<HeldJob>{{"b", "bob", {"Batch", "User"}}}));
  EXPECT_TRUE(get<HoldsReply>("showhold c").jobs.empty());
  EXPECT_TRUE(get<HoldsReply>("showhold", "amy").jobs.empty());
  EXPECT_EQ(get<HoldsReply>("showhold", "bob").jobs.size(), 1U);
}

TEST_F(JobCommands, AHeldJobIsBlockedAndSaysWhy) {
  EXPECT_TRUE(succeeded(ask("sethold -b b")));
  const auto queue = get<QueueReply>("showq");
  ASSERT_EQ(queue.blocked.size(), 1U);
  EXPECT_EQ(queue.blocked[0].state, "BatchHold");
  EXPECT_EQ(get<BlockedQueueReply>("showq -b").jobs[0].reason, "has hold in place: Batch");
  EXPECT_EQ(get<BlockedJobsReply>("diagnose -q").jobs.size(), 1U);
  EXPECT_TRUE(succeeded(ask("releasehold b")));
  EXPECT_TRUE(get<QueueReply>("showq").blocked.empty());
}

TEST_F(JobCommands, BlockedJobsHaveTheirPriorityToo) {
  settings.users["amy"].priority = 9;  // of the job that runs
  settings.users["bob"].priority = 7;
  settings.priority.cred.weight = settings.priority.user.weight = 1;
  settings.priority.queue_time.weight = 0;
  EXPECT_TRUE(succeeded(ask("sethold -b b")));
  ASSERT_EQ(get<QueueReply>("showq").blocked.size(), 1U);
  EXPECT_EQ(get<QueueReply>("showq").blocked[0].priority, 7);
  EXPECT_EQ(get<BlockedQueueReply>("showq -b").jobs[0].priority, 7);
  EXPECT_EQ(get<JobReply>("checkjob b").priority, 7);
}

TEST_F(JobCommands, TheRunTimeInShowqExcludesSuspensions) {
  engine();
  clock.time = clock.time + minutes(10);
  ASSERT_EQ(why_not("mjobctl -s a"), "(done)");
  clock.time = clock.time + minutes(20);
  ASSERT_EQ(why_not("mjobctl -r a"), "(done)");
  clock.time = clock.time + minutes(5);
  ASSERT_EQ(get<QueueReply>("showq").active.size(), 1U);
  EXPECT_EQ(get<QueueReply>("showq").active[0].run_time, 15 * 60);
}

TEST_F(JobCommands, AnOwnerIsToldThatAHoldIsNotHisToRelease) {
  EXPECT_TRUE(succeeded(ask("sethold -s -b b")));
  EXPECT_EQ(why_not("releasehold b", "bob"),
            "user bob is not authorized to release the Batch and System holds of job 'b'");
  EXPECT_EQ(why_not("mjobctl -u b", "bob"),
            "user bob is not authorized to release the Batch and System holds of job 'b'");
  EXPECT_TRUE(succeeded(ask("sethold -u b", "bob")));
  EXPECT_TRUE(succeeded(ask("releasehold b", "bob"))) << "the hold of his own";
  EXPECT_TRUE(succeeded(ask("releasehold -u b"))) << "there is none left, as is wanted";
  EXPECT_TRUE(succeeded(ask("releasehold b")));
  EXPECT_TRUE(succeeded(ask("releasehold b", "bob")));
}

TEST_F(JobCommands, HoldsAreSetAndReleasedByType) {
  EXPECT_EQ(get<JobsReply>("sethold b").holds.size(), 4U);
  EXPECT_EQ(job("b").holds, 15);
  ask("releasehold -s b");
  ask("releasehold -u b");
  EXPECT_EQ(job("b").holds,
            static_cast<std::uint8_t>(Hold::batch) | static_cast<std::uint8_t>(Hold::defer));
  ask("releasehold -a b");
  EXPECT_EQ(job("b").holds, 0);
}

TEST_F(JobCommands, SeveralJobsAreDoneAsFarAsTheyCanBe) {
  const auto reply = get<JobsReply>("canceljob b nosuch c");
  ASSERT_EQ(reply.jobs.size(), 3U);
  EXPECT_TRUE(reply.jobs[0].done && reply.jobs[2].done);
  EXPECT_EQ(reply.jobs[1], (Outcome{"nosuch", false, "cannot locate job 'nosuch'"}));
  EXPECT_TRUE(get<QueueReply>("showq").idle.empty());
  EXPECT_EQ(why_not("canceljob b c"), "cannot locate job 'b'\ncannot locate job 'c'");
}

TEST_F(JobCommands, AManagerThatIsKnownToBeDownIsAskedForNothing) {
  auto manager = std::make_unique<ScriptedRm>();
  ScriptedRm& scripted = *manager;
  scripted.next.nodes = {node_report("n1", procs(2)), node_report("n2", procs(2))};
  scripted.next.arrived = {report("a", 4, "amy"), report("b", 4, "bob"), report("c", 4, "bob")};
  run(std::move(manager));
  ASSERT_TRUE(succeeded(ask("mjobctl -s a")));
  engine().iterate([] {});
  ASSERT_TRUE(job("a").suspended());
  ASSERT_TRUE(job("b").active());
  const auto asked = scripted.asked;
  scripted.down = "Connection refused";
  engine().iterate([] {});
  const auto refusal = [&](std::string_view what) {
    return fmt::format("cannot {}: resource manager '{}' is down (Connection refused)", what,
                       scripted.name());
  };
  EXPECT_EQ(why_not("canceljob b"), refusal("cancel job 'b'"));
  EXPECT_EQ(why_not("mjobctl -c c"), refusal("cancel job 'c'"));
  EXPECT_EQ(why_not("mjobctl -s b"), refusal("suspend job 'b'"));
  EXPECT_EQ(why_not("runjob -s b"), refusal("suspend job 'b'"));
  EXPECT_EQ(why_not("mjobctl -R b"), refusal("requeue job 'b'"));
  EXPECT_EQ(why_not("mjobctl -C b"), refusal("checkpoint job 'b'"));
  EXPECT_EQ(why_not("mjobctl -m wclimit=3:00:00 b"), refusal("change job 'b'"));
  EXPECT_EQ(why_not("runjob c"), refusal("start job 'c'"));
  EXPECT_EQ(why_not("mnodectl -m state=drained n1"), refusal("change node 'n1'"));
  EXPECT_EQ(why_not("mjobctl -s c"), "job 'c' is not active") << "the job's own reason comes first";
  EXPECT_EQ(scripted.asked, asked);
  EXPECT_TRUE(succeeded(ask("sethold c"))) << "the scheduler's own state can be changed";
  scripted.down.reset();
  engine().iterate([] {});
  EXPECT_TRUE(succeeded(ask("mnodectl -m state=drained n1")));
  EXPECT_TRUE(succeeded(ask("mjobctl -m wclimit=3:00:00 b")));
  EXPECT_TRUE(succeeded(ask("mjobctl -R b")));
  EXPECT_TRUE(succeeded(ask("canceljob c")));
}

TEST_F(JobCommands, ExpressionsStandForTheJobsThatTheUserMayTouch) {
  EXPECT_EQ(get<JobsReply>("canceljob x:^[bc]$", "amy").jobs,
            (std::vector<Outcome>{{"c", true, ""}}));
  EXPECT_EQ(why_not("canceljob x:^zz"), "no job of yours matches 'x:^zz'");
  EXPECT_EQ(why_not("canceljob x:["), "x: invalid regular expression '['");
  EXPECT_EQ(why_not("canceljob x:"), "x: must be followed by an expression; x:. selects every job");
  EXPECT_EQ(get<QueueReply>("showq").idle.size(), 1U) << "an empty expression cancels nothing";
}

TEST_F(JobCommands, AJobThatAFastClockHasDatedAheadHasNotWaitedYet) {
  auto manager = std::make_unique<ScriptedRm>();
  manager->next.nodes = {node_report("n1", procs(2))};
  manager->next.arrived = {report("a", 2, "amy"), report("b", 2, "bob")};
  for (JobReport& job : manager->next.arrived)
    job.job.submitted = job.job.queued = kNow + minutes(5);
  settings.priority.queue_time.weight = settings.priority.xfactor.weight = 1;
  run(std::move(manager));
  EXPECT_EQ(get<JobReply>("checkjob b").queue_time, 0);
  EXPECT_EQ(get<JobsDiagnosisReply>("diagnose -j b").jobs[0].queue_time, 0);
  const auto priorities = get<PriorityReply>("diagnose -p b");
  for (const double part : priorities.jobs.at(0).weighted) EXPECT_GE(part, 0);
  EXPECT_EQ(get<IdleQueueReply>("showq -i").jobs[0].xfactor, 1);
}

TEST_F(JobCommands, ARunningJobKeepsTheExpansionFactorOfItsStart) {
  auto manager = std::make_unique<ScriptedRm>();
  manager->next.nodes = {node_report("n1", procs(2))};
  manager->next.arrived = {report("a", 2, "amy"), report("b", 2, "bob")};
  for (JobReport& job : manager->next.arrived) job.job.submitted = job.job.queued = kNow - hours(1);
  settings.priority.xfactor_min_limit = hours(2);
  run(std::move(manager));
  EXPECT_EQ(get<IdleQueueReply>("showq -i").jobs.at(0).xfactor, 1.5);
  EXPECT_EQ(get<ActiveQueueReply>("showq -r").jobs.at(0).xfactor, 1.5);
}

TEST_F(JobCommands, SystemPrioritiesHaveARange) {
  EXPECT_TRUE(succeeded(ask("setspri 50 c")));
  EXPECT_EQ(job("c").system_priority, (SystemPriority{true, 50}));
  EXPECT_EQ(get<QueueReply>("showq").idle[0].name, "c");
  EXPECT_TRUE(succeeded(ask("setspri -r 20 c")));
  EXPECT_EQ(job("c").system_priority, (SystemPriority{false, 20}));
  EXPECT_TRUE(succeeded(ask("setspri 0 c")));
  EXPECT_EQ(job("c").system_priority, SystemPriority{});
  EXPECT_EQ(why_not("setspri 1001 c"), "system priority must be in the range 0 - 1000, not 1001");
  for (const char* edge : {"-9223372036854775808", "9223372036854775807", "-1000000001"})
    EXPECT_EQ(why_not("setspri -r " + std::string(edge) + " c"),
              "relative system priority must be in the range -1000000000 - 1000000000, not " +
                  std::string(edge));
  EXPECT_EQ(
      why_not("setspri 9223372036854775808 c"),
      "setspri: invalid PRIORITY '9223372036854775808': expected a whole number from 0 to 1000");
  EXPECT_EQ(
      why_not("setspri -r foo c"),
      "setspri: invalid PRIORITY 'foo': expected a whole number from -1000000000 to 1000000000");
  EXPECT_EQ(why_not("setspri 5 nosuch"), "cannot locate job 'nosuch'");
}

TEST_F(JobCommands, RunjobSaysWhyAJobCannotStart) {
  EXPECT_EQ(why_not("runjob a"), "job 'a' is in state 'Running'  (state must be idle)");
  EXPECT_NE(why_not("runjob b").find("insufficient idle procs"), std::string::npos);
  EXPECT_EQ(why_not("runjob -n nosuch b"), "cannot locate node 'nosuch'");
  EXPECT_EQ(why_not("runjob -s b"), "cannot preempt non-active job 'b' (state Idle)");
}

TEST_F(JobCommands, RunjobTakesNoFlagsOfAStartWhereItStartsNothing) {
  EXPECT_EQ(why_not("runjob -s -n n1 a"), "runjob: -s does not start the job: -n does not apply");
  EXPECT_EQ(why_not("runjob -c -x b"), "runjob: -c does not start the job: -x does not apply");
  EXPECT_NE(why_not("runjob -s -f a"), "(done)");
  EXPECT_NE(why_not("runjob -c -p DEFAULT b"), "(done)");
  EXPECT_TRUE(job("a").active());
}

// A limit keeps the job from starting by itself; maint is tomorrow.
TEST_F(JobCommands, RunjobStartsAJobOutsideItsReservationOnlyIfThatIsToBeIgnored) {
  settings.users["amy"].limits.active[static_cast<std::size_t>(LimitKind::ps)] = Limit{1, 1};
  const auto begin = [&](bool asks) {
    auto manager = std::make_unique<ScriptedRm>();
    manager->next.nodes = {node_report("n1", procs(2)), node_report("n2", procs(2))};
    manager->reports_starts = true;
    JobReport report = this->report("j", 1, "amy");
    if (asks) {
      put(report.job.flags, JobFlag::adv_res);
      report.job.required_reservation = "maint";
    }
    manager->next.arrived = {report};
    run(std::move(manager));
    ASSERT_EQ(why_not("setres -u amy -n maint -s +24:00:00 -d 8:00:00 n1"), "(done)");
    ASSERT_TRUE(job("j").waiting());
  };
  begin(true);
  EXPECT_NE(why_not("runjob -f j"), "(done)") << "it must run within maint";
  EXPECT_EQ(why_not("runjob -f -x j"), "(done)");
  EXPECT_EQ(job("j").state, JobState::starting) << "until it is reported to run";
  settings.users["amy"].flags = {"USERESERVED"};
  begin(false);
  EXPECT_NE(why_not("runjob -f j"), "(done)") << "amy's jobs may use only what is reserved";
  EXPECT_EQ(why_not("runjob -f -x j"), "(done)");
}

TEST_F(JobCommands, DiagnosePFindsAJobByItsNumber) {
  auto manager = std::make_unique<ScriptedRm>();
  manager->next.nodes = {node_report("n1", procs(2))};
  manager->next.arrived = {report("a", 2, "amy"), report("4711.headnode", 2, "bob")};
  run(std::move(manager));
  ASSERT_EQ(get<PriorityReply>("diagnose -p 4711").jobs.size(), 1U);
}

TEST_F(JobCommands, OnlyTheReleaseOfABatchHoldForgetsFailures) {
  auto manager = std::make_unique<ScriptedRm>();
  manager->next.nodes = {node_report("n1", procs(2))};
  manager->next.arrived = {report("a", 2, "amy"), report("b", 2, "bob")};
  run(std::move(manager));
  engine().cluster();
  JobFailures failures;
  failures.deferrals = 23;
  open_cluster(engine()).set_failures(job("b").id, failures);
  ASSERT_EQ(why_not("sethold -u b", "bob"), "(done)");
  ASSERT_EQ(why_not("releasehold -u b", "bob"), "(done)");
  EXPECT_EQ(job("b").failures.deferrals, 23);
  ASSERT_EQ(why_not("sethold -b b"), "(done)");
  ASSERT_EQ(why_not("releasehold -b b"), "(done)");
  EXPECT_EQ(job("b").failures.deferrals, 0);
}

TEST_F(JobCommands, RunjobTakesAListOfNodesWithCommasInItsBrackets) {
  EXPECT_EQ(why_not("runjob -n n[1-2,7] b"), "cannot locate node 'n7'");
  EXPECT_NE(why_not("runjob -n n[1,2] b").find("insufficient idle procs"), std::string::npos);
  EXPECT_NE(why_not("runjob -n n[1-1000000] b").find("it names 1000000 hosts"), std::string::npos);
  EXPECT_EQ(why_not("runjob -n , b"), "-n: expected node names");
}

// a runs on two of three nodes.
TEST_F(JobCommands, RunjobCountsWhatIsIdleOnTheNodesNamed) {
  auto manager = std::make_unique<ScriptedRm>();
  manager->next.nodes = {node_report("n1", procs(2)), node_report("n2", procs(2)),
                         node_report("n3", procs(2))};
  manager->next.arrived = {report("a", 4, "amy"), report("b", 3, "bob")};
  run(std::move(manager));
  EXPECT_EQ(why_not("runjob b"),
            "job cannot run  (insufficient idle procs:  3 needed  2 available)");
  const auto on_named = [&](const std::string& nodes, int idle) {
    EXPECT_EQ(why_not("runjob -n " + nodes + " b"),
              fmt::format("job cannot run  (insufficient idle procs on the nodes named:  3 needed  "
                          "{} available)",
                          idle));
  };
  const auto busy = [&](const std::string& node) {
    const Cluster& cluster = engine().cluster();
    return !cluster.occupancy(node_named(cluster, node)).occupants.empty();
  };
  for (const auto* node : {"n1", "n2", "n3"}) on_named(node, busy(node) ? 0 : 2);
  on_named("n[1-3]", 2);
}

// a runs on one of two nodes for an hour; wide waits for both.
TEST_F(JobCommands, RunjobLeavesPriorityReservationsAloneUnlessItIsForced) {
  settings.users["amy"].flags = {"NOBF"};
  const auto begin = [&] {
    auto manager = std::make_unique<ScriptedRm>();
    manager->next.nodes = {node_report("n1", procs(2)), node_report("n2", procs(2))};
    manager->next.arrived = {report("a", 2, "amy"), report("wide", 4, "bob")};
    for (const auto& [name, limit] : {std::pair("long", hours(20)), {"fits", hours(1)}}) {
      manager->next.arrived.push_back(report(name, 2, "amy"));
      manager->next.arrived.back().request.limit = limit;
    }
    run(std::move(manager));
  };
  begin();
  EXPECT_EQ(why_not("runjob long"),
            "job cannot run  (job 'wide' would start in 20:00:00 instead of in 1:00:00; runjob -x "
            "starts it anyway)");
  EXPECT_FALSE(job("long").active());
  EXPECT_NE(why_not("runjob -f long"), "(done)") << "that is about policies";
  EXPECT_EQ(why_not("runjob fits"), "(done)") << "it ends when the reservation begins";
  EXPECT_TRUE(job("fits").active());
  begin();
  EXPECT_EQ(why_not("runjob -x long"), "(done)");
  EXPECT_TRUE(job("long").active());
}

TEST_F(JobCommands, CheckjobShowsAllOfARunningJob) {
  const auto reply = get<JobReply>("checkjob a");
  EXPECT_EQ(reply.state, "Running");
  EXPECT_EQ(reply.tasks, 4);
  ASSERT_EQ(reply.requirements.size(), 1U);
  EXPECT_EQ(reply.requirements[0].allocated.size(), 2U);
  EXPECT_EQ(reply.reservation, (JobReservation{"a", kNow.raw(), kNow.raw() + 3600}));
  EXPECT_TRUE(reply.verdicts.empty());
}

TEST_F(JobCommands, AJobOfAServerMayBeNamedByItsNumberAlone) {
  auto manager = std::make_unique<ScriptedRm>();
  manager->next.nodes = {node_report("n1", procs(8, 512))};
  for (const char* name : {"7.head", "71.head", "8.head", "8.other", "9[2].head"})
    manager->next.arrived.push_back(report(name, 1, "amy"));
  run(std::move(manager));
  EXPECT_EQ(get<JobReply>("checkjob 7").name, "7.head");
  EXPECT_EQ(get<JobReply>("checkjob 9[2]").name, "9[2].head");
  EXPECT_EQ(why_not("checkjob 8"), "cannot locate job '8'") << "which of two is not said";
  EXPECT_EQ(why_not("checkjob 1"), "cannot locate job '1'");
}

TEST_F(JobCommands, CheckjobShowsWhyAJobWaits) {
  const auto reply = get<JobReply>("checkjob c");
  ASSERT_EQ(reply.verdicts.size(), 1U);
  EXPECT_EQ(reply.verdicts[0].partition, "DEFAULT");
  EXPECT_EQ(reply.verdicts[0].reason, kInsufficientProcs);
  EXPECT_TRUE(reply.verdicts[0].nodes.empty());
  EXPECT_EQ(get<JobReply>("checkjob -v c").verdicts[0].nodes.size(), 2U);
  EXPECT_EQ(get<JobReply>("checkjob -n n1 c").verdicts[0].nodes.size(), 1U);
}

TEST_F(JobCommands, CheckjobKnowsReservations) {
  ask("setres -u amy -n mine n1");
  EXPECT_EQ(get<JobReply>("checkjob -r mine.0 c").access, (ReservationAccess{"mine.0", true}));
  EXPECT_EQ(get<JobReply>("checkjob -r mine.0 b").access, (ReservationAccess{"mine.0", false}));
  EXPECT_EQ(why_not("checkjob -r other b"), "cannot locate reservation 'other'");
  EXPECT_EQ(why_not("checkjob -l MEDIUM b"),
            "-l: invalid value 'MEDIUM': expected HARD, SOFT or OFF");
}

TEST_F(JobCommands, ShowstartSaysWhatTheClusterLacksIfItDoes) {
  EXPECT_EQ(
      why_not("showstart 9@1:00"),
      "a job that requires 9 procs for 00:01:00 can never start here: the job asks for 9 procs, "
      "of which the cluster has 4");
  ask("setres ALL");
  EXPECT_EQ(why_not("showstart c"),
            "job 'c' cannot start as things are: it requires 1 proc for 1:00:00, and reservation "
            "'SYSTEM.0', which has no end, does not admit it");
  EXPECT_EQ(why_not("showstart 1@1:00"),
            "a job that requires 1 proc for 00:01:00 cannot start here as things are: reservation "
            "'SYSTEM.0', which has no end, does not admit it");
  ask("releaseres SYSTEM.0");
  ask("setres -n first n1");
  ask("setres -n second n2");
  EXPECT_EQ(why_not("showstart 4@1:00"),
            "a job that requires 4 procs for 00:01:00 cannot start here as things are: "
            "reservations 'first.0' and 'second.0', which have no end, do not admit it");
}

TEST_F(JobCommands, ShowstartAnswersForJobsAndRequests) {
  EXPECT_EQ(get<StartReply>("showstart a", "bob").start, kNow.raw());
  const auto request = get<StartReply>("showstart 4@1:00:00", "bob");
  EXPECT_GE(request.start, kNow.raw() + 3600);
  EXPECT_EQ(request.completion, request.start + 3600);
  EXPECT_FALSE(succeeded(ask("showstart 5@60")));
  EXPECT_EQ(why_not("showstart x@60"),
            "invalid PROCS 'x': expected a number of processors from 1 to 2147483647 before '@'");
  EXPECT_EQ(why_not("showstart nosuch"), "cannot locate job 'nosuch'");
}

TEST_F(JobCommands, DiagnoseShowsJobsAndHowTheirPrioritiesCameAbout) {
  EXPECT_EQ(get<JobsDiagnosisReply>("diagnose -j").jobs.size(), 3U);
  EXPECT_EQ(get<JobsDiagnosisReply>("diagnose -j b").jobs.size(), 1U);
  const auto reply = get<PriorityReply>("diagnose -p");
  ASSERT_EQ(reply.components.size(), 1U);  // by default only the time queued has weight
  EXPECT_EQ(reply.components[0].subcomponents.size(), 1U);
  ASSERT_EQ(reply.jobs.size(), 2U);
  EXPECT_EQ(reply.jobs[0].contributions.size(), 1U);
  EXPECT_EQ(why_not("diagnose -j -n"), "diagnose: -j and -n cannot be combined");
  EXPECT_EQ(
      why_not("diagnose"),
      "diagnose: expected one of -a, -c, -f, -g, -j, -m, -n, -p, -q, -Q, -r, -R, -S, -u and -t");
  EXPECT_EQ(get<JobsDiagnosisReply>("mdiag -j").jobs.size(), 3U);
}

TEST_F(JobCommands, SetqosLetsAnAdministratorGiveAnyQosAndAnOwnerWhatHeMayUse) {
  settings.qos["high"].priority = 10;
  settings.qos["low"].priority = -10;
  settings.users["bob"].qos_list = std::vector<std::string>{"low"};
  const auto qos = [&] { return engine().cluster().qos[job("b").credentials.qos]; };
  EXPECT_EQ(get<JobsReply>("setqos low b", "bob").action, JobAction::qos_set);
  EXPECT_EQ(qos(), "low");
  EXPECT_EQ(why_not("setqos high b", "bob"),
            "user bob is not authorized to set QOS 'high' of job 'b'");
  EXPECT_EQ(why_not("setqos low b", "amy"), "user amy is not authorized to set the QOS of job 'b'");
  EXPECT_EQ(qos(), "low");
  EXPECT_TRUE(succeeded(ask("setqos high b", "op")));
  EXPECT_EQ(qos(), "high");
  EXPECT_EQ(why_not("setqos nosuch b"), "invalid QOS specified: 'nosuch' is not known");
  EXPECT_EQ(why_not("setqos low nosuch"), "cannot locate job 'nosuch'");
}

TEST_F(JobCommands, ANumberOfAnArrayIsAnsweredWithTheNameOfATask) {
  auto manager = std::make_unique<ScriptedRm>();
  manager->next.nodes = {node_report("n1", procs(2))};
  for (const auto* name : {"250_1", "25_2", "25_3", "26[4].head"})
    manager->next.arrived.push_back(report(name, 1, "amy"));
  run(std::move(manager));
  for (const std::string name : {"25", "25_[2-3]", "25_[2,3%1]"})
    EXPECT_EQ(why_not("checkjob " + name),
              "'" + name + "' is an array: name one of its tasks, such as '25_2'");
  for (const std::string name : {"26", "26[]"})
    EXPECT_EQ(why_not("canceljob " + name),
              "'" + name + "' is an array: name one of its tasks, such as '26[4].head'");
  for (const std::string name : {"2", "25_1", "25_", "27"})
    EXPECT_EQ(why_not("checkjob " + name), "cannot locate job '" + name + "'");
}

TEST_F(JobCommands, CheckjobShowsTheFlagsThatAreInForceAndTheQosAskedFor) {
  settings.qos["high"].flags = {"NOBF", "PREEMPTOR"};
  settings.users["bob"].default_qos = "high";
  EXPECT_EQ(get<JobReply>("checkjob b").flags, (std::vector<std::string>{"PREEMPTOR", "NOBF"}));
  EXPECT_EQ(get<JobReply>("checkjob b").qos_requested, "");
}

}  // namespace
}  // namespace maui::test
