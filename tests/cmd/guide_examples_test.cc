// Examples of guide 7.2, 10, 11, 12 and 13.3, from the lines of maui.cfg to what commands show.
#include <gmock/gmock.h>

#include "cmd/command_fixture.h"
#include "config/configs.h"

namespace maui::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

class GuideExamples : public CommandTest {
 protected:
  void configure(std::string_view text) {
    const auto admins = settings.server.admins;
    settings = parsed(text).settings();
    settings.node_access = NodeAccess::shared;
    settings.server.admins = admins;
  }
  void begin(std::vector<NodeReport> nodes, std::vector<JobReport> jobs) {
    auto manager = std::make_unique<ScriptedRm>();
    rm = manager.get();
    manager->next.nodes = std::move(nodes);
    manager->next.arrived = std::move(jobs);
    run(std::move(manager));
  }
  void iterate(Seconds at) {
    clock.time = kNow + at;
    engine().iterate([] {});
  }
  std::string where(const std::string& name) {
    return show(engine().cluster(), job(name).placement);
  }
  std::string queue_state(const std::string& name) {
    const auto queue = get<QueueReply>("showq");
    for (const auto& row : queue.active)
      if (row.name == name) return row.state;
    for (const auto* rows : {&queue.idle, &queue.blocked})
      for (const auto& row : *rows)
        if (row.name == name) return row.state;
    return "gone";
  }
  std::string why_held(const std::string& name) {
    return get<JobReply>("checkjob " + name).hold_reason;
  }

  ScriptedRm* rm = nullptr;
};

// --- 7.2, 12: what NODECFG says of nodes ------------------------------------------------

TEST_F(GuideExamples, NodesAreDividedBetweenAstronomyAndMath) {
  configure(
      "NODECFG[node001] PARTITION=astronomy\nNODECFG[node002] PARTITION=astronomy\n"
      "NODECFG[node049] PARTITION=math\n");
  JobReport spans = report("spans", 5, "amy"), math = report("math", 2, "amy");
  math.partition = "math";
  begin({node_report("node001", procs(2)), node_report("node002", procs(2)),
         node_report("node049", procs(2)), node_report("node099", procs(2))},
        {spans, math, report("four", 4, "amy")});
  EXPECT_EQ(get<NodeReply>("checknode node002").partition, "astronomy");
  EXPECT_EQ(get<NodeReply>("checknode node099").partition, "DEFAULT");
  EXPECT_EQ(where("math"), "node049:2");
  EXPECT_EQ(where("four"), "node002:2 node001:2");
  EXPECT_FALSE(job("spans").active()) << "no partition has five processors";
}

TEST_F(GuideExamples, ANodesPlaceTypeAndSpeedsComeFromItsLine) {
  configure(
      "NODECFG[node031] MAXJOB=2 PROCSPEED=600 PARTITION=small\n"
      "NODECFG[node024] FRAME=1 SLOT=1 NODETYPE=BIGMEM\n"
      "NODECFG[node025] FRAME=1 SLOT=2 SPEED=1.5\n"
      "NODECFG[node026] FRAME=2 SLOT=1 PARTITION=special\n");
  begin({node_report("node024", procs(1)), node_report("node025", procs(1)),
         node_report("node026", procs(1)), node_report("node031", procs(4))},
        {});
  const auto small = get<NodeReply>("checknode node031");
  EXPECT_EQ(small.proc_speed, 600);
  EXPECT_EQ(small.partition, "small");
  EXPECT_THAT(small.policies, Contains("MAXJOB=2"));
  const auto big = get<NodeReply>("checknode node024");
  EXPECT_EQ(big.node_type, "BIGMEM");
  EXPECT_EQ(big.frame, 1);
  EXPECT_EQ(big.slot, 1);
  EXPECT_EQ(get<NodeReply>("checknode node025").speed, 1.5);
  const auto special = get<NodeReply>("checknode node026");
  EXPECT_EQ(special.frame, 2);
  EXPECT_EQ(special.partition, "special");
}

TEST_F(GuideExamples, AnOpaqueFeatureGivesTheSpeedOfItsNode) {
  configure("FEATUREPROCSPEEDHEADER xps\n");
  NodeReport fast = node_report("n1", procs(1));
  fast.features = {"xps950"};
  begin({fast}, {});
  EXPECT_EQ(get<NodeReply>("checknode n1").proc_speed, 950);
}

TEST_F(GuideExamples, NodesBoundTheirJobsTheirUsersJobsAndTheirLoad) {
  configure(
      "NODECFG[node024] MAXJOB=4 MAXJOBPERUSER=2\nNODECFG[node025] MAXJOB=2\n"
      "NODECFG[node026] MAXJOBPERUSER=1\nNODECFG[DEFAULT] MAXLOAD=2.5\n"
      "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n");
  NodeReport loaded = node_report("node027", procs(8));
  loaded.node.load = 2.6;
  std::vector<JobReport> jobs;
  for (const auto* user : {"amy", "bob", "eve"})
    for (int i = 1; i <= 4; ++i) jobs.push_back(report(user + std::to_string(i), 1, user));
  begin({node_report("node024", procs(8)), node_report("node025", procs(8)),
         node_report("node026", procs(8)), loaded},
        jobs);
  const auto on = [&](const char* node) {
    return get<NodeReply>(std::string("checknode ") + node);
  };
  EXPECT_THAT(on("node024").jobs, ElementsAre("amy1", "amy2", "bob1", "bob2"));
  EXPECT_THAT(on("node025").jobs, ElementsAre("amy3", "amy4"));
  EXPECT_THAT(on("node026").jobs, ElementsAre("bob3", "eve1"));
  EXPECT_THAT(on("node027").jobs, ElementsAre());
  EXPECT_EQ(on("node027").state, "Busy") << "its load is above MAXLOAD";
}

// 12.3: "Node policies are used strictly as constraints."
TEST_F(GuideExamples, MaxjobOfThreeBringsNoJobsOntoANodeThatHasNoRoomOrIsDedicated) {
  configure("NODECFG[DEFAULT] MAXJOB=3\n");
  const std::vector<JobReport> jobs{report("a", 1, "amy"), report("b", 1, "amy")};
  begin({node_report("n1", procs(1))}, jobs);
  EXPECT_THAT(get<NodeReply>("checknode n1").jobs, ElementsAre("a"));
  settings.node_access = NodeAccess::dedicated;
  begin({node_report("n1", procs(4))}, jobs);
  EXPECT_THAT(get<NodeReply>("checknode n1").jobs, ElementsAre("a"));
}

// --- 10.1 ---------------------------------------------------------------------------------

// Twenty tasks of 2 processors and 256 MB: four on a node of 16 processors and 1 GB.
TEST_F(GuideExamples, TasksTakeAsMuchOfANodeAsItsMemoryHolds) {
  configure("");
  JobReport twenty = report("twenty", 20, "amy");
  twenty.request.requirements.front().per_task = procs(2, 256);
  std::vector<NodeReport> nodes;
  for (int i = 1; i <= 6; ++i)
    nodes.push_back(node_report("n" + std::to_string(i), procs(16, 1024)));
  begin(nodes, {twenty});
  ASSERT_EQ(job("twenty").placement.size(), 5U);
  for (const auto& share : job("twenty").placement) EXPECT_EQ(share.tasks, 4);
}

// --- 11.1: a job that fails is deferred, and held in the end --------------------------------

constexpr auto kDeferral = R"(
DEFERTIME        10:00
DEFERCOUNT       1
DEFERSTARTCOUNT  2
)";

TEST_F(GuideExamples, AJobThatCannotBeStartedIsDeferredAndThenHeldUntilSomebodyReleasesIt) {
  configure(kDeferral);
  auto manager = std::make_unique<ScriptedRm>();
  rm = manager.get();
  rm->next.nodes = {node_report("n1", procs(2))};
  rm->next.arrived = {report("a", 1, "amy")};
  rm->refuses_starts = "no such queue";
  run(std::move(manager));
  EXPECT_EQ(queue_state("a"), "Idle") << "DEFERSTARTCOUNT allows one failure more";
  EXPECT_THAT(get<JobsDiagnosisReply>("diagnose -j").warnings,
              ElementsAre(HasSubstr("job 'a' could not be started 1 time: ")));
  iterate(minutes(1));
  EXPECT_EQ(queue_state("a"), "Deferred");
  const auto warnings = [&] { return get<JobsDiagnosisReply>("diagnose -j").warnings; };
  EXPECT_THAT(warnings(), ElementsAre(HasSubstr("job 'a' was deferred: ")));
  EXPECT_THAT(why_held("a"), HasSubstr("RMReject"));
  EXPECT_THAT(get<BlockedQueueReply>("showq -b").jobs[0].reason, HasSubstr("no such queue"));
  EXPECT_EQ(engine().next_event(), kNow + minutes(11)) << "DEFERTIME after the second failure";
  rm->asked.clear();
  iterate(minutes(10));
  EXPECT_THAT(rm->asked, ElementsAre());
  iterate(minutes(11));
  EXPECT_THAT(rm->asked, ElementsAre("start a on n1:1"));
  iterate(minutes(12));
  EXPECT_EQ(queue_state("a"), "BatchHold") << "it has been deferred DEFERCOUNT times";
  EXPECT_THAT(warnings(), ElementsAre(HasSubstr("job 'a' is held after deferrals: ")));
  rm->refuses_starts.reset();
  iterate(hours(100));
  EXPECT_EQ(queue_state("a"), "BatchHold");
  get<JobsReply>("releasehold -a a");
  iterate(hours(101));
  EXPECT_EQ(queue_state("a"), "Running");
}

TEST_F(GuideExamples, ReleaseholdEndsADeferralBeforeItsTime) {
  configure("DEFERTIME 1:00:00\n");
  auto manager = std::make_unique<ScriptedRm>();
  rm = manager.get();
  rm->next.nodes = {node_report("n1", procs(2))};
  rm->next.arrived = {report("a", 1, "amy")};
  rm->refuses_starts = "busy";
  run(std::move(manager));
  EXPECT_EQ(queue_state("a"), "Deferred");
  rm->refuses_starts.reset();
  get<JobsReply>("releasehold -a a");
  iterate(minutes(1));
  EXPECT_EQ(queue_state("a"), "Running");
}

TEST_F(GuideExamples, AHoldThatTheResourceManagerPlacedIsReleasedByItAlone) {
  configure("DEFERTIME 1:00:00\n");
  JobReport held = report("a", 1, "amy");
  put(held.job.holds, Hold::user);
  begin({node_report("n1", procs(2))}, {held});
  EXPECT_EQ(queue_state("a"), "UserHold");
  const std::string why =
      "job 'a' is held by resource manager 'scripted', which alone can release that hold";
  EXPECT_EQ(why_not("releasehold a"), why);
  EXPECT_EQ(why_not("mjobctl -m hold=none a"), why);
  EXPECT_EQ(why_not("runjob a"), why);
  EXPECT_EQ(why_not("runjob -x a"), why);
  ASSERT_EQ(why_not("sethold -s a"), "(done)");
  const auto partly = get<JobsReply>("releasehold -a a");
  ASSERT_EQ(partly.jobs.size(), 1U);
  EXPECT_TRUE(partly.jobs[0].done);
  EXPECT_EQ(partly.jobs[0].reason, why + "; its other holds are released");
  EXPECT_EQ(why_not("releasehold -a a"), why) << "they are";
  EXPECT_EQ(why_not("mjobctl -m hold=system a"), "(done)");
  EXPECT_EQ(why_not("releasehold -s a"), "(done)");
  iterate(minutes(1));
  EXPECT_EQ(queue_state("a"), "UserHold");
  EXPECT_THAT(rm->asked, ElementsAre()) << "it is not even tried";
  JobStatus released{"a"};
  released.holds = 0;
  rm->next.statuses = {released};
  iterate(minutes(2));
  EXPECT_EQ(queue_state("a"), "Running");
}

TEST_F(GuideExamples, TwoHoldsOfOneKindAreReleasedByThoseWhoPlacedThem) {
  JobReport held = report("a", 1, "amy");
  put(held.job.holds, Hold::system);
  begin({node_report("n1", procs(2))}, {held});
  ASSERT_EQ(why_not("sethold -s a"), "(done)");
  JobStatus released{"a"};
  released.holds = 0;
  rm->next.statuses = {released};
  iterate(minutes(1));
  EXPECT_EQ(queue_state("a"), "SystemHold") << "maui's own";
  released.holds = static_cast<std::uint8_t>(Hold::system);
  rm->next.statuses = {released};
  iterate(minutes(2));
  get<JobsReply>("releasehold -s a");
  iterate(minutes(3));
  EXPECT_EQ(queue_state("a"), "SystemHold") << "the resource manager's";
  released.holds = 0;
  rm->next.statuses = {released};
  iterate(minutes(4));
  EXPECT_EQ(queue_state("a"), "Running");
}

TEST_F(GuideExamples, AnInfeasibleJobIsDeferredWithAReason) {
  configure(kDeferral);
  begin({node_report("n1", procs(2))}, {report("a", 3, "amy")});
  EXPECT_EQ(queue_state("a"), "Deferred");
  EXPECT_THAT(why_held("a"), HasSubstr("NoResources"));
  iterate(minutes(10));
  EXPECT_EQ(queue_state("a"), "BatchHold");
}

TEST_F(GuideExamples, EveryCommandReportsAtOnceWhatTheClusterLacks) {
  for (const char* defer : {"DEFERTIME 5:00\n", "DEFERTIME 0\n"}) {
    configure(defer);
    JobReport lost = report("lost", 1, "amy");
    lost.request.requirements.front().network = "via";
    begin({node_report("n1", procs(2))},
          {report("runs", 2, "amy"), report("next", 1, "amy"), report("last", 1, "amy"), lost});
    const auto queue = get<QueueReply>("showq");
    ASSERT_EQ(queue.blocked.size(), 1U);
    EXPECT_EQ(queue.blocked.front().name, "lost");
    const auto known = get<JobReply>("checkjob lost");
    EXPECT_THAT(known.hold_reason + known.verdicts.front().reason,
                HasSubstr("no node has network 'via'"));
    EXPECT_EQ(why_not("showstart lost"),
              "job 'lost' can never start: it requires 1 proc for 1:00:00, and no node has network "
              "'via'");
    const auto blocked = get<BlockedJobsReply>("diagnose -q");
    ASSERT_EQ(blocked.jobs.size(), 1U);
    EXPECT_THAT(blocked.jobs.front().reason, HasSubstr("no node has network 'via'"));
    EXPECT_THAT(get<JobsDiagnosisReply>("diagnose -j").warnings,
                ElementsAre("job 'lost' can never run here: no node has network 'via'"));
  }
}

TEST_F(GuideExamples, ADeferralEndsWhenTheClusterHasWhatItLacked) {
  configure("DEFERTIME 1:00:00\n");
  begin({node_report("n1", procs(2))}, {report("a", 3, "amy")});
  EXPECT_EQ(queue_state("a"), "Deferred");
  rm->next.nodes = {node_report("n2", procs(2))};
  iterate(minutes(1));
  EXPECT_EQ(queue_state("a"), "Running");
}

TEST_F(GuideExamples, EveryCauseOfABatchHoldIsReported) {
  configure("SYSTEMMAXPROCJOB 4\nSYSCFG QLIST=normal\nDEFERTIME 0\n");
  JobReport qos = report("qos", 1, "amy");
  qos.qos = "special";
  begin({node_report("n1", procs(16))}, {report("large", 5, "amy"), qos});
  EXPECT_EQ(queue_state("large"), "BatchHold");
  EXPECT_THAT(why_held("large"), HasSubstr("SystemLimits"));
  EXPECT_EQ(queue_state("qos"), "BatchHold");
  EXPECT_THAT(why_held("qos"), HasSubstr("no QOS access"));
}

// Appendix F: JOBMAXSTARTTIME
TEST_F(GuideExamples, AJobThatIsStartingForTooLongIsCancelled) {
  configure("JOBMAXSTARTTIME 5:00\n");
  auto manager = std::make_unique<ScriptedRm>();
  rm = manager.get();
  rm->reports_starts = true;
  rm->next.nodes = {node_report("n1", procs(2))};
  rm->next.arrived = {report("a", 1, "amy"), report("b", 1, "amy")};
  run(std::move(manager));
  EXPECT_EQ(queue_state("a"), "Starting");
  rm->next.statuses = {{"b", JobState::running, std::nullopt}};
  rm->asked.clear();
  iterate(minutes(5));
  EXPECT_THAT(rm->asked, ElementsAre());
  iterate(minutes(6));
  EXPECT_THAT(rm->asked, ElementsAre("cancel a"));
  rm->next.ended = {{"a", JobState::removed, clock.time, 0}};
  iterate(minutes(7));
  EXPECT_EQ(queue_state("a"), "gone");
  EXPECT_EQ(queue_state("b"), "Running");
}

// --- 13.3 -------------------------------------------------------------------------------------

TEST_F(GuideExamples, JohnsJobRunsWithinTheReservationThatItAsksFor) {
  configure("");
  JobReport johns = report("johns", 4, "john");
  put(johns.job.flags, JobFlag::adv_res);
  johns.job.required_reservation = "john.0";
  std::vector<NodeReport> nodes;
  for (int i = 1; i <= 8; ++i) nodes.push_back(node_report("n" + std::to_string(i), procs(1)));
  begin(nodes, {johns});
  EXPECT_FALSE(job("johns").active()) << "there is no such reservation yet";
  ASSERT_EQ(why_not("setres -u john -d 7200 n[5-8]"), "(done)");
  iterate(minutes(1));
  ASSERT_TRUE(job("johns").active());
  for (const auto& share : job("johns").placement)
    EXPECT_GE(engine().cluster().node(share.node).name, "n5");
}

}  // namespace
}  // namespace maui::test
