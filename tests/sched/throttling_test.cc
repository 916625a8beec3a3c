// Throttling policies (guide 6.2): the guide's own examples, and the rules behind them.
#include "sched/limits/throttling.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/placement.h"
#include "sched/changes_ahead.h"
#include "sched/configured.h"
#include "sched/cycle.h"
#include "sched/limits/limit_forecast.h"
#include "sched/query/explain.h"
#include "support/carry_out.h"
#include "support/made_up_workload.h"
#include "support/random_cluster.h"

namespace maui {
namespace {

using test::carry_out;
using test::decisions;
using test::Dice;
using test::hours;
using test::job_named;
using test::kNow;
using test::minutes;
using test::procs;
using test::Scenario;
using test::started;

std::string starts(const Cluster& cluster, std::string_view text) {
  return started(cluster, plan(cluster, configured(text), kNow));
}

/// Why the job may not start at this level; empty: it may.
std::string why(const Cluster& cluster, std::string_view text, const std::string& job,
                Strictness level = Strictness::hard) {
  const Settings settings = configured(text);
  const auto found =
      Throttling(cluster, settings, kNow).violated(cluster.job(job_named(cluster, job)), level);
  return found ? describe(cluster, *found) : "";
}

/// Adds equal jobs of one processor of the same owner: "a1", "a2", ...
void crowd(Scenario& scenario, const std::string& name, int count, const std::string& user,
           const std::string& group = {}) {
  for (int i = 1; i <= count; ++i) scenario.job(name + std::to_string(i)).by(user, group);
}

// --- 6.2.1.1 -----------------------------------------------------------------

TEST(BasicLimits, JohnMayRunEightJobsAndEveryOtherUserFour) {
  constexpr auto kExample = "USERCFG[DEFAULT] MAXJOB=4\nUSERCFG[john] MAXJOB=8\n";
  Scenario scenario;
  scenario.nodes(30, procs(1));
  crowd(scenario, "j", 10, "john");
  crowd(scenario, "a", 6, "amy");
  crowd(scenario, "b", 2, "bob");
  EXPECT_EQ(starts(scenario.build(), kExample), "j1 j2 j3 j4 j5 j6 j7 j8 a1 a2 a3 a4 b1 b2");
}

// docs/manual/limits.md says so.
TEST(BasicLimits, ZeroIsNoLimitAndOneProcessorSecondStopsAUser) {
  Scenario scenario;
  scenario.nodes(30, procs(1));
  crowd(scenario, "a", 3, "amy");
  crowd(scenario, "b", 3, "bob");
  const Cluster cluster = scenario.build();
  EXPECT_EQ(starts(cluster, "USERCFG[DEFAULT] MAXJOB=1\nUSERCFG[amy] MAXJOB=0\n"), "a1 a2 a3 b1");
  EXPECT_EQ(starts(cluster, "USERCFG[amy] MAXPS=1\n"), "b1 b2 b3");
}

constexpr auto kSteve = R"(
USERCFG[steve]     MAXJOB=2   MAXNODE=30
GROUPCFG[staff]    MAXJOB=5
CLASSCFG[DEFAULT]  MAXNODE=16
CLASSCFG[batch]    MAXNODE=32
)";

/// Nodes of one processor, so that a job of n tasks is on n nodes.
Scenario nodes_for_steve() {
  Scenario scenario;
  scenario.nodes(100, procs(1)).classes({{"batch", 1}, {"interactive", 1}});
  return scenario;
}

TEST(BasicLimits, SteveInInteractiveIsHeldToWhatFourteenNodesLeaveOfTheClass) {
  auto scenario = nodes_for_steve();
  scenario.job("others").by("amy").in_class("interactive").tasks(14);
  Cluster cluster = scenario.job("three")
                        .by("steve", "staff")
                        .in_class("interactive")
                        .tasks(3)
                        .job("two")
                        .by("steve", "staff")
                        .in_class("interactive")
                        .tasks(2)
                        .build();
  EXPECT_EQ(starts(cluster, kSteve), "others two");
  const Settings settings = configured(kSteve);
  Cluster after = cluster;
  carry_out(after, plan(after, settings, kNow), kNow);
  EXPECT_EQ(why(after, kSteve, "three"),
            "violates active HARD MAXNODE limit of 16 for class interactive  (R: 3, U: 16)");
}

TEST(BasicLimits, SteveRunsTwoJobsOnThirtyNodesTogether) {
  auto scenario = nodes_for_steve();
  scenario.job("a").by("steve", "staff").in_class("batch").tasks(20);
  scenario.job("b").by("steve", "staff").in_class("batch").tasks(11);  // 31 nodes
  scenario.job("c").by("steve", "staff").in_class("batch").tasks(10);
  scenario.job("d").by("steve", "staff").in_class("batch");  // the third job
  EXPECT_EQ(starts(scenario.build(), kSteve), "a c");
}

TEST(BasicLimits, TheGroupAndTheClassCountTheJobsOfAllTheirUsers) {
  auto scenario = nodes_for_steve();
  for (const auto* user : {"u1", "u2", "u3", "u4", "u5", "u6"})
    scenario.job(user).by(user, "staff").in_class("batch");
  scenario.job("wide").by("amy", "guests").in_class("batch").tasks(28);  // 33 of 32 nodes
  scenario.job("fits").by("bob", "guests").in_class("batch").tasks(27);
  EXPECT_EQ(starts(scenario.build(), kSteve), "u1 u2 u3 u4 u5 fits");
}

TEST(BasicLimits, OutstandingProcessorSecondsAreThoseOfTheGuidesExample) {
  // 4 * 1 * 3600 + 2 * 6 * 3600 = 16 * 3600
  const Cluster cluster = Scenario()
                              .nodes(10, procs(1))
                              .job("four")
                              .by("amy")
                              .tasks(4)
                              .limit(hours(1))
                              .running_on({{"n1", 1}, {"n2", 1}, {"n3", 1}, {"n4", 1}})
                              .job("two")
                              .by("amy")
                              .tasks(2)
                              .limit(hours(6))
                              .running_on({{"n5", 1}, {"n6", 1}})
                              .job("next")
                              .by("amy")
                              .limit(hours(1))
                              .build();
  EXPECT_EQ(why(cluster, "USERCFG[amy] MAXPS=61200\n", "next"), "");  // 17 * 3600
  EXPECT_EQ(why(cluster, "USERCFG[amy] MAXPS=61199\n", "next"),
            "violates active HARD MAXPS limit of 61199 for user amy  (R: 3600, U: 57600)");
  EXPECT_EQ(why(cluster, "USERCFG[amy] MAXWC=8:00:00\n", "next"), "");
  EXPECT_EQ(why(cluster, "USERCFG[amy] MAXWC=7:59:59\n", "next"),
            "violates active HARD MAXWC limit of 28799 for user amy  (R: 3600, U: 25200)");
}

TEST(BasicLimits, OutstandingWorkFallsAsJobsRun) {
  const Cluster cluster = Scenario()
                              .nodes(2, procs(1))
                              .job("runs")
                              .by("amy")
                              .limit(hours(2))
                              .running_on({{"n1", 1}}, minutes(90))  // half an hour is left
                              .job("next")
                              .by("amy")
                              .limit(hours(1))
                              .build();
  EXPECT_EQ(why(cluster, "USERCFG[amy] MAXPS=5400\nUSERCFG[amy] MAXWC=1:30:00\n", "next"), "");
  EXPECT_NE(why(cluster, "USERCFG[amy] MAXPS=5399\n", "next"), "");
  EXPECT_NE(why(cluster, "USERCFG[amy] MAXWC=1:29:59\n", "next"), "");
}

/// A job of amy's has run for a minute longer than its limit, and is expected to end at the next
/// iteration; another waits.
Cluster with_an_overrun() {
  Cluster cluster = Scenario()
                        .nodes(2, procs(1))
                        .job("runs")
                        .by("amy")
                        .limit(hours(1))
                        .running_on({{"n1", 1}}, minutes(61))
                        .job("next")
                        .by("amy")
                        .limit(hours(1))
                        .build();
  cluster.extend_job(job_named(cluster, "runs"), kNow + Seconds(30));
  return cluster;
}

TEST(BasicLimits, AJobPastItsLimitHasNoOutstandingWork) {
  const Cluster cluster = with_an_overrun();
  EXPECT_EQ(why(cluster, "USERCFG[amy] MAXPS=3600\nUSERCFG[amy] MAXWC=1:00:00\n", "next"), "");
  EXPECT_NE(why(cluster, "USERCFG[amy] MAXPS=3599\n", "next"), "");
  EXPECT_NE(why(cluster, "USERCFG[amy] MAXJOB=1\n", "next"), "");
  const Settings settings = configured("USERCFG[amy] MAXJOB=1 MAXPS=3600 MAXWC=1:00:00\n");
  Throttling throttling(cluster, settings, kNow);
  LimitForecast forecast(cluster, throttling, kNow);
  const Job& next = cluster.job(job_named(cluster, "next"));
  EXPECT_EQ(forecast.first_allowed(next, cluster.request(next.request), kNow), kNow + Seconds(30))
      << "it counts as a job while it runs";
}

TEST(BasicLimits, AnOverrunThatGoesOnChangesNothing) {
  const Cluster cluster = with_an_overrun();
  const auto change = [&](const char* limit) {
    const Settings settings =
        configured(std::string("JOBMAXOVERRUN INFINITY\nUSERCFG[amy] ") + limit);
    return next_change(cluster, settings, plan(cluster, settings, kNow), kNow);
  };
  EXPECT_EQ(change("MAXJOB=1\n"), kForever);
  EXPECT_EQ(change("MAXPROC=1 MAXPS=3600\n"), kForever);
  EXPECT_EQ(change("MAXPS=3599\n"), kForever);
}

TEST(BasicLimits, TheTimeAtWhichTheRestOfALimitAdmitsAJobIsForeseen) {
  Cluster cluster = Scenario()
                        .nodes(2, procs(1))
                        .job("runs")
                        .by("amy")
                        .limit(hours(2))
                        .running_on({{"n1", 1}}, minutes(30))
                        .job("next")
                        .by("amy")
                        .limit(hours(1))
                        .build();
  const Settings settings = configured("JOBMAXOVERRUN INFINITY\nUSERCFG[amy] MAXPS=5400\n");
  const auto change = [&] {
    return next_change(cluster, settings, plan(cluster, settings, kNow), kNow);
  };
  EXPECT_EQ(change(), kNow + hours(1));  // half an hour is left then
  cluster.extend_job(job_named(cluster, "runs"), kNow + hours(5));
  EXPECT_EQ(change(), kNow + hours(1)) << "the limit has not changed";
}

TEST(BasicLimits, MemoryAndProcessorEquivalentsAreThoseOfAllTasks) {
  // Half of the memory, a tenth of the processors: as good as half of the cluster.
  const Cluster cluster =
      Scenario().nodes(10, procs(1, 100)).job("a").by("amy").tasks(5).each(procs(0, 100)).build();
  EXPECT_EQ(why(cluster, "USERCFG[amy] MAXMEM=500\n", "a"), "");
  EXPECT_NE(why(cluster, "USERCFG[amy] MAXMEM=499\n", "a"), "");
  EXPECT_EQ(why(cluster, "USERCFG[amy] MAXPE=5\n", "a"), "");
  EXPECT_EQ(why(cluster, "USERCFG[amy] MAXPE=4\n", "a"),
            "violates active HARD MAXPE limit of 4 for user amy  (R: 5, U: 0)");
}

// A well-known fault of old releases: MAXJOB=6 let three jobs run.
TEST(BasicLimits, EveryJobCountsOnce) {
  Scenario scenario;
  scenario.nodes(20, procs(1));
  crowd(scenario, "a", 10, "amy", "phys");
  EXPECT_EQ(starts(scenario.build(), "USERCFG[DEFAULT] MAXJOB=6\nGROUPCFG[phys] MAXJOB=6\n"),
            "a1 a2 a3 a4 a5 a6");
}

TEST(BasicLimits, ZeroOfItsOwnLiftsTheLimitOfDefault) {
  Scenario scenario;
  scenario.nodes(20, procs(1));
  crowd(scenario, "a", 3, "amy");
  crowd(scenario, "b", 3, "bob");
  EXPECT_EQ(starts(scenario.build(), "USERCFG[DEFAULT] MAXJOB=1\nUSERCFG[amy] MAXJOB=0\n"),
            "a1 a2 a3 b1");
}

TEST(BasicLimits, AnEntryThatSaysNothingOfALimitHasThatOfDefault) {
  Scenario scenario;
  scenario.nodes(20, procs(1));
  crowd(scenario, "a", 3, "amy");
  EXPECT_EQ(starts(scenario.build(), "USERCFG[DEFAULT] MAXJOB=2\nUSERCFG[amy] PRIORITY=5\n"),
            "a1 a2");
}

TEST(BasicLimits, TheSystemsLimitsHoldForAllJobsTogether) {
  Scenario scenario;
  scenario.nodes(20, procs(1));
  crowd(scenario, "a", 2, "amy");
  crowd(scenario, "b", 2, "bob");
  const Cluster cluster = scenario.build();
  EXPECT_EQ(starts(cluster, "SYSCFG MAXPROC=3\n"), "a1 a2 b1");
  EXPECT_EQ(starts(cluster, "SYSCFG MAXPROC[USER]=1\n"), "a1 b1");
}

TEST(BasicLimits, TheMessageNamesLimitValueUsageAndRequest) {
  const Cluster cluster = Scenario()
                              .nodes(36, procs(1))
                              .job("runs")
                              .by("amy", "phys")
                              .tasks(20)
                              .each(procs(1))
                              .job("j0019")
                              .by("dora", "phys")
                              .tasks(16)
                              .build();
  Cluster after = cluster;
  carry_out(after, plan(after, configured("GROUPCFG[phys] MAXPROC=24\n"), kNow), kNow);
  EXPECT_EQ(why(after, "GROUPCFG[phys] MAXPROC=24\n", "j0019"),
            "violates active HARD MAXPROC limit of 24 for group phys  (R: 16, U: 20)");
}

/// Four nodes of one processor, which the default policy takes first, and one of eight.
Cluster small_nodes_first(int tasks, bool big_node_busy = false) {
  Scenario scenario;
  scenario.nodes(4, procs(1)).node("big", procs(8));
  scenario.job("b").by("bob").limit(hours(1)).each(procs(8));
  if (big_node_busy)
    scenario.running_on({{"big", 1}});
  else
    scenario.held();
  scenario.job("a").by("amy").tasks(tasks);
  return scenario.build();
}

std::string decided(const Cluster& cluster, const std::string& text) {
  return decisions(
      cluster,
      plan(cluster,
           configured("BACKFILLPOLICY FIRSTFIT\nNODEALLOCATIONPOLICY FIRSTAVAILABLE\n" + text),
           kNow));
}

TEST(NodeLimits, AJobGoesToFewerNodesThanThePolicyChoosesWhereItsLimitLeavesFewer) {
  EXPECT_EQ(decided(small_nodes_first(4), ""), "start a on n1:1 n2:1 n3:1 n4:1\n");
  EXPECT_EQ(decided(small_nodes_first(4), "USERCFG[amy] MAXNODE=1\n"), "start a on big:4\n");
  EXPECT_EQ(decided(small_nodes_first(9), "USERCFG[amy] MAXNODE=1\n"), "") << "no node has nine";
}

TEST(NodeLimits, AJobIsReservedOnSoManyNodesAsItsLimitLeaves) {
  EXPECT_EQ(decided(small_nodes_first(4, true), "USERCFG[amy] MAXNODE=1\n"),
            "reserve a in 3600 s on big:4\n");
}

// --- 6.2.1.2 -----------------------------------------------------------------

TEST(NodeLimits, ASoftOneThatFewerNodesWouldMeetDoesNotKeepAJobFromFreeNodes) {
  const Cluster cluster = Scenario()
                              .nodes(2, procs(4))
                              .job("a")
                              .by("amy")
                              .tasks(2)
                              .access(NodeAccess::single_task)
                              .build();
  EXPECT_EQ(starts(cluster, "USERCFG[amy] MAXNODE=1,3\n"), "a");
  EXPECT_EQ(starts(cluster, "USERCFG[amy] MAXNODE=1\n"), "");
  EXPECT_EQ(decided(small_nodes_first(4, true), "USERCFG[amy] MAXNODE=1,4\n"),
            "start a on n1:1 n2:1 n3:1 n4:1\n");
  EXPECT_EQ(decided(small_nodes_first(4, true), "USERCFG[amy] MAXNODE=1,3\n"),
            "reserve a in 3600 s on big:4\n");
}

TEST(PairLimits, ClassBatchRunsThreeJobsAndAnyUserHasEightNodesOfIt) {
  constexpr auto kExample = "CLASSCFG[batch] MAXJOB=3 MAXNODE[USER]=8\n";
  auto scenario = nodes_for_steve();
  scenario.job("a").by("amy").in_class("batch").tasks(6);
  scenario.job("b").by("amy").in_class("batch").tasks(3);  // nine nodes of amy's
  scenario.job("c").by("bob").in_class("batch").tasks(8);
  scenario.job("d").by("amy").in_class("batch").tasks(2);
  scenario.job("e").by("dora").in_class("batch");  // the fourth job
  scenario.job("f").by("amy").in_class("interactive").tasks(20);
  const Cluster cluster = scenario.build();
  EXPECT_EQ(starts(cluster, kExample), "a c d f");
  EXPECT_EQ(starts(cluster, "CLASSCFG[batch] MAXJOB=3 MAXNODEPERUSER=8\n"), "a c d f");
}

TEST(PairLimits, SteveAndBobHaveThreeAndFourProcessorsOfClassFast) {
  constexpr auto kExample = "CLASSCFG[fast] MAXPROC[USER:steve]=3 MAXPROC[USER:bob]=4\n";
  Scenario scenario;
  scenario.nodes(30, procs(1)).classes({{"fast", 1}});
  scenario.job("s1").by("steve").in_class("fast").tasks(4);
  scenario.job("s2").by("steve").in_class("fast").tasks(3);
  scenario.job("b1").by("bob").in_class("fast").tasks(4);
  scenario.job("b2").by("bob").in_class("fast");
  scenario.job("amy").by("amy").in_class("fast").tasks(5);
  const Cluster cluster = scenario.build();
  EXPECT_EQ(starts(cluster, kExample), "s2 b1 amy");
  EXPECT_EQ(why(cluster, kExample, "s1"),
            "violates active HARD MAXPROC limit of 3 for user steve in class fast  (R: 4, U: 0)");
}

// "sets limits on the class fast controlling the maximum number of jobs any group can have active
// and the number of processors in use for user steve"
TEST(PairLimits, ClassFastLimitsEachGroupAndSteve) {
  constexpr auto kExample = "CLASSCFG[fast] MAXJOB[GROUP]=2 MAXPROC[USER:steve]=4\n";
  Scenario scenario;
  scenario.nodes(30, procs(1)).classes({{"fast", 1}});
  for (const auto* name : {"p1", "p2", "p3"}) scenario.job(name).by("amy", "phys").in_class("fast");
  scenario.job("c1").by("steve", "chem").in_class("fast").tasks(5);
  scenario.job("c2").by("steve", "chem").in_class("fast").tasks(4);
  scenario.job("c3").by("bob", "chem").in_class("fast").tasks(9);
  scenario.job("c4").by("bob", "chem").in_class("fast");
  EXPECT_EQ(starts(scenario.build(), kExample), "p1 p2 c2 c3");
}

TEST(PairLimits, AnEntryThatNamesTheCredentialGoesBeforeAnEntryThatNamesNone) {
  Scenario scenario;
  scenario.nodes(9, procs(1)).classes({{"fast", 1}});
  for (const auto* name : {"a", "b", "c"}) scenario.job(name).by("amy").in_class("fast");
  for (const auto* name : {"d", "e"}) scenario.job(name).by("bob").in_class("fast");
  EXPECT_EQ(starts(scenario.build(), "CLASSCFG[DEFAULT] MAXJOB[USER:amy]=2 MAXJOB[USER]=1\n"),
            "a b d");
}

TEST(PairLimits, LimitsOfReleaseThreePointZeroHoldForEveryCredentialOfAKind) {
  Scenario scenario;
  scenario.nodes(20, procs(1));
  crowd(scenario, "a", 3, "amy", "phys");
  crowd(scenario, "b", 3, "bob", "phys");
  crowd(scenario, "c", 3, "carl", "chem");
  const Cluster cluster = scenario.build();
  EXPECT_EQ(starts(cluster, "MAXJOBPERUSER 2\n"), "a1 a2 b1 b2 c1 c2");
  EXPECT_EQ(starts(cluster, "MAXJOBPERUSER 2\nUSERCFG[amy] MAXJOB=1\nMAXPROCPERGROUP 2\n"),
            "a1 b1 c1 c2");
}

// --- 6.2.2 -------------------------------------------------------------------

constexpr auto kOverride = R"(
USERCFG[steve]     MAXJOB=2  MAXNODE=30
GROUPCFG[staff]    MAXJOB=5
CLASSCFG[DEFAULT]  MAXNODE=16
CLASSCFG[batch]    MAXNODE=32
QOSCFG[hiprio]     MAXJOB=3  OMAXNODE=64
)";

Scenario hiprio_job(int tasks) {
  auto scenario = nodes_for_steve();
  scenario.job("job").by("steve", "staff").in_class("batch").qos("hiprio").tasks(tasks);
  return scenario;
}

TEST(Override, AHiprioJobMayUseSixtyFourNodesOfSteveAndOfBatch) {
  EXPECT_EQ(starts(hiprio_job(64).build(), kOverride), "job");
  EXPECT_EQ(why(hiprio_job(65).build(), kOverride, "job"),
            "violates active HARD MAXNODE limit of 64 for user steve  (R: 65, U: 0)");
}

TEST(Override, UseOfTheClassByOthersCountsToo) {
  auto scenario = nodes_for_steve();
  scenario.job("amys").by("amy").in_class("batch").tasks(30);
  scenario.job("job").by("steve", "staff").in_class("batch").qos("hiprio").tasks(35);
  scenario.job("less").by("steve", "staff").in_class("batch").qos("hiprio").tasks(34);
  EXPECT_EQ(starts(scenario.build(), kOverride), "amys less");
}

TEST(Override, TheLimitsOfJobsStandAsTheyAre) {
  auto scenario = nodes_for_steve();
  for (const auto* name : {"s1", "s2", "s3"})
    scenario.job(name).by("steve", "staff").in_class("batch").qos("hiprio");
  for (const auto* name : {"a1", "a2"}) scenario.job(name).by("amy", "guests").qos("hiprio");
  for (const auto* name : {"g1", "g2", "g3", "g4"}) scenario.job(name).by(name, "staff");
  // Two of steve's, three of QOS hiprio, five of group staff.
  EXPECT_EQ(starts(scenario.build(), kOverride), "s1 s2 a1 g1 g2 g3");
}

TEST(Override, AQosThatOnlyHasLimitsAddsThemToThoseOfOthers) {
  Scenario scenario;
  scenario.nodes(60, procs(1));
  for (int i = 0; i < 50; ++i) scenario.job("j" + std::to_string(i)).by("amy").qos("staff");
  const Cluster cluster = scenario.build();
  EXPECT_EQ(plan(cluster, configured("QOSCFG[staff] MAXJOB=48\n"), kNow).starts, 48U);
  EXPECT_EQ(
      plan(cluster, configured("QOSCFG[staff] MAXJOB=48\nUSERCFG[amy] MAXJOB=7\n"), kNow).starts,
      7U);
  EXPECT_EQ(
      plan(cluster, configured("QOSCFG[staff] OMAXJOB=48\nUSERCFG[amy] MAXJOB=7\n"), kNow).starts,
      48U);
}

TEST(Override, APairIsOverriddenLikeASingleCredential) {
  Scenario scenario;
  scenario.nodes(9, procs(1));
  for (int i = 0; i < 9; ++i)
    scenario.job("j" + std::to_string(i)).by("amy").qos("hi").account("chem");
  const Cluster cluster = scenario.build();
  const auto started_with = [&](const std::string& text) {
    return plan(cluster, configured(text + "\nQOSCFG[hi] OMAXJOB=4\n"), kNow).starts;
  };
  EXPECT_EQ(started_with("ACCOUNTCFG[chem] MAXJOB[USER]=2"), 4U);
  EXPECT_EQ(started_with("ACCOUNTCFG[chem] MAXJOB[USER]=3 MAXJOB[USER:amy]=0"), 9U)
      << "it adds no limit";
  EXPECT_EQ(started_with("SYSCFG MAXJOB[USER]=2"), 2U) << "not those of the system";
}

// --- 7.3.2.3 -----------------------------------------------------------------

struct IgnoreCase {
  const char *flag, *limit;
};

TEST(Exemptions, EveryFlagLiftsTheLimitThatItNamesAndNoOther) {
  constexpr IgnoreCase kCases[] = {
      {"IGNJOBPERUSER", "USERCFG[amy] MAXJOB=1"},
      {"IGNPROCPERUSER", "USERCFG[amy] MAXPROC=1"},
      {"IGNPSPERUSER", "USERCFG[amy] MAXPS=3600"},
      {"IGNJOBQUEUEDPERUSER", "USERCFG[amy] MAXIJOB=1"},
      {"IGNJOBPERGROUP", "GROUPCFG[phys] MAXJOB=1"},
      {"IGNPROCPERGROUP", "GROUPCFG[phys] MAXPROC=1"},
      {"IGNPSPERGROUP", "GROUPCFG[phys] MAXPS=3600"},
      {"IGNJOBQUEUEDPERGROUP", "GROUPCFG[phys] MAXIJOB=1"},
      {"IGNJOBPERACCOUNT", "ACCOUNTCFG[p1] MAXJOB=1"},
      {"IGNPROCPERACCOUNT", "ACCOUNTCFG[p1] MAXPROC=1"},
      {"IGNPSPERACCOUNT", "ACCOUNTCFG[p1] MAXPS=3600"},
      {"IGNJOBQUEUEDPERACCOUNT", "ACCOUNTCFG[p1] MAXIJOB=1"},
      {"IGNSYSTEM", "SYSCFG MAXJOB=1"},
  };
  Scenario scenario;
  scenario.nodes(4, procs(1));
  for (const auto* name : {"a", "b"}) scenario.job(name).by("amy", "phys").account("p1").qos("q");
  const Cluster cluster = scenario.build();
  for (const auto& of_limit : kCases)
    for (const auto& of_flag : kCases) {
      const auto text = std::string(of_limit.limit) + "\nQOSCFG[q] FLAGS=" + of_flag.flag + "\n";
      const bool lifted = &of_limit == &of_flag;
      EXPECT_EQ(starts(cluster, text), lifted ? "a b" : "a") << text;
    }
  for (const auto& of_limit : kCases) {
    const bool lifted = std::string_view(of_limit.flag) != "IGNSYSTEM";
    EXPECT_EQ(starts(cluster, std::string(of_limit.limit) + "\nQOSCFG[q] FLAGS=IGNALL\n"),
              lifted ? "a b" : "a")
        << "IGNALL lifts the limits of user, group and account: " << of_limit.limit;
  }
}

TEST(Exemptions, TheFlagsOfEveryCredentialCount) {
  Scenario scenario;
  scenario.nodes(4, procs(1)).classes({{"batch", 9}});
  for (const auto* name : {"a", "b"})
    scenario.job(name).by("amy", "phys").account("p1").qos("q").in_class("batch");
  const Cluster cluster = scenario.build();
  const std::string limit = "USERCFG[amy] MAXJOB=1\n";
  for (const auto* entry : {"USERCFG[amy]", "USERCFG[DEFAULT]", "GROUPCFG[phys]",
                            "ACCOUNTCFG[DEFAULT]", "CLASSCFG[batch]", "QOSCFG[q]", "SYSCFG"})
    EXPECT_EQ(starts(cluster, limit + entry + " FLAGS=IGNUSER\n"), "a b") << entry;
  EXPECT_EQ(starts(cluster, limit + "GROUPCFG[bio] FLAGS=IGNUSER\n"), "a");
}

TEST(Exemptions, APairIsLiftedWithTheLimitsOfEitherCredential) {
  Scenario scenario;
  scenario.nodes(4, procs(1));
  for (const auto* name : {"a", "b"}) scenario.job(name).by("amy", "phys").account("p1").qos("q");
  const Cluster cluster = scenario.build();
  const std::string pair = "USERCFG[amy] MAXJOB[ACCOUNT:p1]=1\nQOSCFG[q] FLAGS=";
  EXPECT_EQ(starts(cluster, pair + "IGNJOBPERUSER\n"), "a b");
  EXPECT_EQ(starts(cluster, pair + "IGNJOBPERACCOUNT\n"), "a b");
  EXPECT_EQ(starts(cluster, pair + "IGNJOBPERGROUP\n"), "a");
}

TEST(Exemptions, IgnAllLeavesTheLimitsOfClassAndQos) {
  Scenario scenario;
  scenario.nodes(4, procs(1)).classes({{"batch", 9}});
  for (const auto* name : {"a", "b"}) scenario.job(name).by("amy").qos("q").in_class("batch");
  const Cluster cluster = scenario.build();
  for (const auto* limit : {"CLASSCFG[batch] MAXJOB=1", "QOSCFG[q] MAXJOB=1"})
    EXPECT_EQ(starts(cluster, std::string(limit) + "\nQOSCFG[q] FLAGS=IGNALL\n"), "a") << limit;
  for (const auto* flag : {"IGNALL", "IGNUSER", "IGNJOBPERUSER"})
    EXPECT_EQ(
        starts(cluster, std::string("CLASSCFG[batch] MAXJOB[USER]=1\nQOSCFG[q] FLAGS=") + flag),
        "a b")
        << flag << ": a limit of a pair is one of both";
}

TEST(Exemptions, WithoutACredentialTheLimitsOfAllCredentialsAreLifted) {
  Scenario scenario;
  scenario.nodes(4, procs(1)).classes({{"batch", 9}});
  for (const auto* name : {"a", "b"})
    scenario.job(name).by("amy", "phys").account("p1").qos("q").in_class("batch");
  const Cluster cluster = scenario.build();
  for (const auto* whose :
       {"USERCFG[amy]", "GROUPCFG[phys]", "ACCOUNTCFG[p1]", "CLASSCFG[batch]"}) {
    const auto limited = [&](const char* limit) {
      return std::string(whose) + limit + "\nQOSCFG[q] FLAGS=IGNMAXJOB\n";
    };
    EXPECT_EQ(starts(cluster, limited(" MAXJOB=1")), "a b") << whose;
    EXPECT_EQ(starts(cluster, limited(" MAXPROC=1")), "a") << whose;
    EXPECT_EQ(starts(cluster, limited(" MAXIJOB=1")), "a") << whose;
  }
}

TEST(SingleJob, AJobThatExceedsASystemLimitIsHeld) {
  struct Case {
    const char *limit, *flag, *why;
  };
  constexpr Case kCases[] = {
      {"SYSTEMMAXPROCJOB 3", "IGNSYSMAXPROC", "violates SYSTEMMAXPROCJOB limit of 3  (R: 4)"},
      {"SYSTEMMAXPROCSECONDPERJOB 14399", "IGNSYSMAXPS",
       "violates SYSTEMMAXPROCSECONDPERJOB limit of 14399  (R: 14400)"},
      {"SYSTEMMAXJOBWALLTIME 59:59", "IGNSYSMAXTIME",
       "violates SYSTEMMAXJOBWALLTIME limit of 3599  (R: 3600)"}};
  const Cluster cluster = Scenario()
                              .nodes(9, procs(1))
                              .job("big")
                              .by("amy")
                              .qos("q")
                              .tasks(4)
                              .job("small")
                              .tasks(1)
                              .limit(minutes(1))
                              .build();
  for (const auto& test_case : kCases) {
    const auto made = plan(cluster, configured(std::string(test_case.limit) + "\n"), kNow);
    EXPECT_EQ(started(cluster, made), "small");
    const auto* hold = std::get_if<HoldJob>(&made.decisions.front());
    ASSERT_TRUE(hold);
    EXPECT_NE(hold->reason.text.find(test_case.why), std::string::npos) << hold->reason.text;
    EXPECT_EQ(starts(cluster,
                     std::string(test_case.limit) + "\nQOSCFG[q] FLAGS=" + test_case.flag + "\n"),
              "big small");
  }
  EXPECT_EQ(starts(cluster,
                   "SYSTEMMAXPROCJOB 4\nSYSTEMMAXPROCSECONDPERJOB 14400\n"
                   "SYSTEMMAXJOBWALLTIME 1:00:00\n"),
            "big small");
}

TEST(SingleJob, AJobWithSeveralShapesStartsInOneThatExceedsNoSystemLimit) {
  const Cluster cluster = Scenario()
                              .nodes(9, procs(1))
                              .job("shapes")
                              .tasks(4)
                              .limit(minutes(10))
                              .change_job([](Job& job) {
                                job.alternatives = {{4, minutes(10)}, {1, minutes(30)}};
                              })
                              .build();
  const auto procs_of = [&](const std::string& text) {
    const auto made = plan(cluster, configured(text), kNow);
    const auto* start =
        made.decisions.empty() ? nullptr : std::get_if<StartJob>(&made.decisions.front());
    return start ? static_cast<int>(task_count(start->placement)) : 0;
  };
  EXPECT_EQ(procs_of(""), 4);
  EXPECT_EQ(procs_of("SYSTEMMAXPROCJOB 3\n"), 1);
  EXPECT_EQ(procs_of("SYSTEMMAXJOBWALLTIME 20:00\n"), 4);
  EXPECT_EQ(procs_of("SYSTEMMAXPROCSECONDPERJOB 2000\n"), 1);
  EXPECT_EQ(procs_of("SYSTEMMAXPROCJOB 3\nSYSTEMMAXJOBWALLTIME 20:00\n"), 0);
}

TEST(SingleJob, AShapeThatItForbidsLetsNoJobPassTheLimitsOfActiveJobs) {
  const Cluster cluster = Scenario()
                              .nodes(1, procs(4))
                              .job("runs")
                              .by("amy")
                              .limit(minutes(5))
                              .running_on({{"n1", 1}})
                              .job("full")
                              .tasks(2)
                              .limit(minutes(2))
                              .running_on({{"n1", 2}})
                              .job("shapes")
                              .by("amy")
                              .tasks(4)
                              .limit(minutes(2))
                              .change_job([](Job& job) {
                                job.alternatives = {{4, minutes(2)}, {2, minutes(40)}};
                              })
                              .job("long")
                              .by("bob")
                              .limit(minutes(20))
                              .build();
  const std::string limits = "USERCFG[amy] MAXPROC=4\nSYSTEMMAXJOBWALLTIME 30:00\n";
  EXPECT_THAT(why(cluster, limits, "shapes"), testing::HasSubstr("MAXPROC limit of 4"));
  EXPECT_EQ(decisions(cluster, plan(cluster, configured(limits), kNow)), "start long on n1:1\n")
      << "a job that limits block is not reserved";
  EXPECT_EQ(why(cluster, "USERCFG[amy] MAXPROC=4\n", "shapes"), "") << "it could start on two";
}

// --- 6.2.3 -------------------------------------------------------------------

/// The jobs that may be considered, highest priority first.
std::string eligible(const Cluster& cluster, std::string_view text) {
  std::string names;
  for (const auto& ranked : plan(cluster, configured(text), kNow).order)
    names += (names.empty() ? "" : " ") + cluster.job(ranked.job).name;
  return names;
}

TEST(IdleLimits, AUserHasSoManyEligibleJobsTheFirstByPriority) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).job("runs").by("amy").running_on({{"n1", 1}});
  crowd(scenario, "a", 4, "amy");
  crowd(scenario, "b", 1, "bob");
  const Cluster cluster = scenario.build();
  EXPECT_EQ(eligible(cluster, "USERCFG[DEFAULT] MAXIJOB=2\n"), "a1 a2 b1");
  EXPECT_EQ(eligible(cluster, "USERCFG[DEFAULT] MAXJOBQUEUED=2\n"), "a1 a2 b1");
  EXPECT_EQ(eligible(cluster, "MAXJOBQUEUEDPERUSER 2\n"), "a1 a2 b1");
  EXPECT_EQ(eligible(cluster, "USERCFG[DEFAULT] MAXIJOB=1,2\n"), "a1 a2 b1")
      << "a soft limit of idle jobs is ignored";
}

TEST(IdleLimits, TheTotalRequestOfEligibleJobsCountsToo) {
  // "only jobs requesting up to a total of 64 processors, or 3200 processor-seconds"
  Scenario scenario;
  scenario.nodes(64, procs(1)).job("runs").tasks(64);
  scenario.job("a").by("amy").tasks(40).limit(Seconds(60));
  scenario.job("b").by("amy").tasks(30).limit(Seconds(10));
  scenario.job("c").by("amy").tasks(24).limit(Seconds(20));
  const Cluster cluster = scenario.build();
  EXPECT_EQ(eligible(cluster, "USERCFG[DEFAULT] MAXIPROC=64\n"), "runs a c")
      << "b does not fit beside a, c does";
  EXPECT_EQ(eligible(cluster, "USERCFG[amy] MAXIPS=3200\n"), "runs a b c");
  EXPECT_EQ(eligible(cluster, "USERCFG[amy] MAXIPS=2879\n"), "runs a b");
}

TEST(IdleLimits, OverridesReplaceThem) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).job("runs").running_on({{"n1", 1}});
  for (const auto* name : {"a", "b", "c"}) scenario.job(name).by("amy").qos("hi");
  const Cluster cluster = scenario.build();
  EXPECT_EQ(eligible(cluster, "USERCFG[amy] MAXIJOB=1\nQOSCFG[hi] OMAXIJOB=2\n"), "a b");
}

// --- 6.2.4 -------------------------------------------------------------------

TEST(SoftLimits, ArePassedOnlyWhenResourcesAreLeftOver) {
  constexpr auto kExample = "USERCFG[DEFAULT] MAXJOB=2,8\n";
  Scenario scenario;
  scenario.nodes(20, procs(1));
  crowd(scenario, "a", 10, "amy");
  crowd(scenario, "b", 1, "bob");
  EXPECT_EQ(starts(scenario.build(), kExample), "a1 a2 b1 a3 a4 a5 a6 a7 a8");
  Scenario tight;
  tight.nodes(4, procs(1));
  crowd(tight, "a", 5, "amy");
  crowd(tight, "b", 3, "bob");
  EXPECT_EQ(starts(tight.build(), kExample), "a1 a2 b1 b2");
}

TEST(SoftLimits, BackfillWithinThemComesBeforeAnybodyPassesThem) {
  Scenario scenario;
  scenario.nodes(4, procs(1)).job("runs").running_on({{"n1", 1}});
  scenario.job("a1").by("amy").limit(minutes(10));
  scenario.job("a2").by("amy").limit(minutes(10));
  scenario.job("wide").by("bob").tasks(4);
  scenario.job("c").by("carl").limit(minutes(10));
  scenario.job("d").by("dora").limit(minutes(10));
  EXPECT_EQ(starts(scenario.build(), "USERCFG[DEFAULT] MAXJOB=1,2\n"), "a1 c d");
}

TEST(SoftLimits, WithoutBackfillNobodyPassesThemPastAJobThatWaitsForMore) {
  Scenario scenario;
  scenario.nodes(4, procs(1)).job("runs").running_on({{"n1", 1}});
  scenario.job("a1").by("amy").job("a2").by("amy").job("wide").by("bob").tasks(4);
  const Cluster cluster = scenario.build();
  EXPECT_EQ(starts(cluster, "BACKFILLPOLICY NONE\nUSERCFG[DEFAULT] MAXJOB=1,2\n"), "a1");
}

TEST(SoftLimits, TheGuidesExampleHoldsEachOfItsFourCredentials) {
  constexpr auto kExample = R"(
USERCFG[steve]    MAXJOB=2,4 MAXNODE=15,30
GROUPCFG[staff]   MAXJOB=2,5
CLASSCFG[batch]   MAXNODE=12,32
QOSCFG[hiprio]    MAXJOB=3,5 MAXNODE=32,64
)";
  const auto job_of = [](int tasks) {
    auto scenario = nodes_for_steve();
    scenario.job("job").by("steve", "staff").in_class("batch").qos("hiprio").tasks(tasks);
    return scenario.build();
  };
  EXPECT_EQ(why(job_of(12), kExample, "job", Strictness::soft), "");
  EXPECT_EQ(why(job_of(13), kExample, "job", Strictness::soft),
            "violates active SOFT MAXNODE limit of 12 for class batch  (R: 13, U: 0)");
  EXPECT_EQ(why(job_of(16), kExample, "job", Strictness::soft),
            "violates active SOFT MAXNODE limit of 15 for user steve  (R: 16, U: 0)");
  EXPECT_EQ(why(job_of(30), kExample, "job"), "");
  EXPECT_NE(why(job_of(31), kExample, "job"), "");
  // Steve has six jobs of five nodes: two are within his soft limits, four within his hard ones.
  auto scenario = nodes_for_steve();
  for (const auto* name : {"a", "b", "c", "d", "e", "f"})
    scenario.job(name).by("steve", "staff").in_class("interactive").tasks(5);
  scenario.job("bob").by("bob", "guests").tasks(80);
  EXPECT_EQ(starts(scenario.build(), kExample), "a b bob c d");
}

TEST(SoftLimits, ASoftLimitThatIsNoStricterIsTheHardLimit) {
  Scenario scenario;
  scenario.nodes(9, procs(1));
  crowd(scenario, "a", 6, "amy");
  const Cluster cluster = scenario.build();
  EXPECT_EQ(starts(cluster, "USERCFG[amy] MAXJOB=5,3\n"), "a1 a2 a3");
  EXPECT_EQ(starts(cluster, "USERCFG[amy] MAXJOB=3\n"), "a1 a2 a3");
}

// --- reservations, explanations, queue time ------------------------------------

TEST(LimitsAndReservations, AJobThatALimitHoldsBackKeepsNothingFromOthers) {
  Scenario scenario;
  scenario.nodes(2, procs(1)).job("runs").by("amy").running_on({{"n1", 1}});
  scenario.job("a").by("amy").tasks(2);
  scenario.job("b").by("bob").limit(hours(20));
  const Cluster cluster = scenario.build();
  EXPECT_EQ(starts(cluster, "BACKFILLPOLICY NONE\nUSERCFG[amy] MAXJOB=1\n"), "b");
  EXPECT_EQ(plan(cluster, configured("USERCFG[amy] MAXJOB=1\n"), kNow).reserves, 0U);
}

TEST(LimitsAndReservations, AReservationWhoseTimeComesWhileALimitHoldsMovesToWhenItDoesNot) {
  Scenario scenario;
  scenario.nodes(2, procs(1)).job("runs").by("amy").running_on({{"n1", 1}});
  scenario.job("a").by("amy").reserved_on({{"n2", 1}}, kNow);
  scenario.job("b").by("bob");
  const Cluster cluster = scenario.build();
  const auto made =
      plan(cluster, configured("RESERVATIONPOLICY HIGHEST\nUSERCFG[amy] MAXJOB=1\n"), kNow);
  EXPECT_EQ(decisions(cluster, made), "start b on n2:1\nreserve a in 3600 s on n1:1\n");
}

constexpr auto kFive = "USERCFG[a] MAXPROC=5\n";

/// Z runs on three of five nodes until 2000; T of a wants all five, b of a one until 1000.
Scenario before_t() {
  Scenario scenario;
  scenario.nodes(5, procs(1));
  scenario.job("Z").by("z").tasks(3).limit(Seconds(2000));
  scenario.running_on({{"n1", 1}, {"n2", 1}, {"n3", 1}});
  scenario.job("T").by("a").tasks(5).limit(Seconds(1000));
  return scenario;
}

TEST(LimitsAndReservations, AReservedJobIsJudgedAtItsReservedStart) {
  Cluster cluster = before_t().job("b").by("a").limit(Seconds(1000)).build();
  const auto settings = configured(kFive);
  auto made = plan(cluster, settings, kNow);
  EXPECT_EQ(decisions(cluster, made),
            "backfill b on n5:1\n"
            "reserve T in 2000 s on n3:1 n2:1 n1:1 n5:1 n4:1\n");
  carry_out(cluster, made, kNow);
  Job c;
  c.name = "c";
  c.credentials.user = cluster.users.intern("c");
  c.queued = kNow + Seconds(10);
  Request request;
  request.limit = Seconds(10000);
  cluster.add_job(c, request);
  for (const int later : {10, 1000}) {
    if (later == 1000) cluster.end_job(job_named(cluster, "b"), JobState::completed, kNow);
    made = plan(cluster, settings, kNow + Seconds(later));
    EXPECT_EQ(started(cluster, made), "") << "c would still run when T is to start";
    carry_out(cluster, made, kNow + Seconds(later));
    const auto& kept = cluster.reservation(cluster.job(job_named(cluster, "T")).reservation);
    EXPECT_EQ(kept.start, kNow + Seconds(2000)) << later;
  }
  cluster.end_job(job_named(cluster, "Z"), JobState::completed, kNow + Seconds(2000));
  EXPECT_EQ(started(cluster, plan(cluster, settings, kNow + Seconds(2000))), "T");
}

TEST(LimitsAndReservations, AJobThatMakesAReservedJobExceedALimitAtItsStartIsNotBackfilled) {
  for (const auto* policy : {"FIRSTFIT", "BESTFIT", "GREEDY"}) {
    Scenario scenario = before_t();
    scenario.nodes(1, procs(1));  // so that nodes are not the reason
    scenario.job("d").by("a").limit(Seconds(10000));
    scenario.job("e").by("e").limit(Seconds(10000));
    scenario.job("b").by("a").limit(Seconds(2000));
    const Cluster cluster = scenario.build();
    const auto settings = configured(fmt::format("{}BACKFILLPOLICY {}\n", kFive, policy));
    const auto made = plan(cluster, settings, kNow);
    EXPECT_EQ(started(cluster, made), "b e") << policy;
    const auto why = explain(cluster, settings, kNow, job_named(cluster, "d"));
    EXPECT_EQ(why.reason, Reason::next_iteration) << "nothing is reserved yet";
    Cluster later = cluster;
    carry_out(later, made, kNow);
    later.end_job(job_named(later, "e"), JobState::completed, kNow);
    const auto then = explain(later, settings, kNow, job_named(later, "d"));
    EXPECT_EQ(then.reason, Reason::policy);
    EXPECT_EQ(then.blocker, "job 'T' would exceed a limit at its reserved start");
  }
}

// Everything but 8 processors is taken for an hour.  `b1` and `b2` would fill them, but the limit
// allows only one of them.
TEST(Greedy, ASetThatLimitsForbidAsAWholeIsNotChosen) {
  Scenario scenario;
  scenario.nodes(1, procs(10)).job("runs").tasks(2).running_on({{"n1", 2}});
  scenario.job("top").tasks(10);
  scenario.job("b1").by("bob").tasks(4).job("b2").by("bob").tasks(4).job("a1").by("amy").tasks(7);
  const Cluster cluster = scenario.build();
  EXPECT_EQ(starts(cluster, "BACKFILLPOLICY GREEDY\n"), "b1 b2");
  EXPECT_EQ(starts(cluster, "BACKFILLPOLICY GREEDY\nUSERCFG[bob] MAXJOB=1\n"), "a1");
}

TEST(Greedy, TheBestSetWithinLimitsIsStarted) {
  for (unsigned seed = 1; seed <= test::rounds(150); ++seed) {
    Dice dice(seed);
    const int free = dice.between(4, 12), most_jobs = dice.between(1, 3),
              most_procs = dice.between(3, 9);
    Scenario scenario;
    scenario.nodes(1, procs(free + 2)).job("runs").tasks(2).running_on({{"n1", 2}});
    scenario.job("top").tasks(free + 2);
    std::vector<std::pair<int, bool>> jobs;  // processors, and whether they are for amy
    for (int i = dice.between(3, 9); i > 0; --i) {
      const auto& [size, amys] = jobs.emplace_back(dice.between(1, free), dice.in_a_hundred(50));
      scenario.job("j" + std::to_string(i)).by(amys ? "amy" : "bob").tasks(size);
    }
    int best = 0;
    for (unsigned set = 0; set < 1U << jobs.size(); ++set) {
      int count[2] = {0, 0}, used[2] = {0, 0};
      for (std::size_t i = 0; i < jobs.size(); ++i) {
        const auto& [size, amys] = jobs[i];
        if ((set >> i & 1U) == 0) continue;
        ++count[amys];
        used[amys] += size;
      }
      const bool allowed =
          std::max(count[0], count[1]) <= most_jobs && std::max(used[0], used[1]) <= most_procs;
      if (allowed && used[0] + used[1] <= free) best = std::max(best, used[0] + used[1]);
    }
    const Cluster cluster = scenario.build();
    const auto settings =
        configured(fmt::format("BACKFILLPOLICY GREEDY\nUSERCFG[DEFAULT] MAXJOB={} MAXPROC={}\n"
                               "USERCFG[user] MAXJOB=0 MAXPROC=0\n",
                               most_jobs, most_procs));
    int used = 0;
    for (const auto& decision : plan(cluster, settings, kNow).decisions)
      if (const auto* start = std::get_if<StartJob>(&decision))
        used += cluster.request_of(start->job).total_procs();
    EXPECT_EQ(used, best) << "seed " << seed;
  }
}

TEST(LimitsAndReservations, TwoReservationsOfAnOwnerStayWithinHisLimitTogether) {
  Scenario scenario;
  scenario.nodes(4, procs(1)).job("Z").by("z").tasks(4).limit(Seconds(2000));
  scenario.running_on({{"n1", 1}, {"n2", 1}, {"n3", 1}, {"n4", 1}});
  scenario.job("first").by("a").tasks(2).limit(Seconds(500));
  scenario.job("second").by("a").tasks(2).limit(Seconds(500));
  const Cluster cluster = scenario.build();
  EXPECT_EQ(decisions(cluster, plan(cluster,
                                    configured("USERCFG[a] MAXPROC=2\n"
                                               "RESERVATIONDEPTH[0] 2\n"),
                                    kNow)),
            "reserve first in 2000 s on n4:1 n3:1\nreserve second in 2500 s on n4:1 n3:1\n");
}

TEST(LimitsAndReservations, AReservationSlidesForwardOnlyAsFarAsLimitsLetIt) {
  Scenario scenario;
  scenario.nodes(2, procs(1)).job("runs").by("a").limit(Seconds(500)).running_on({{"n1", 1}});
  scenario.job("T").by("a").limit(Seconds(100)).reserved_on({{"n2", 1}}, kNow + Seconds(2000));
  const Cluster cluster = scenario.build();
  EXPECT_EQ(decisions(cluster, plan(cluster,
                                    configured("USERCFG[a] MAXJOB=1\n"
                                               "RESERVATIONPOLICY HIGHEST\n"),
                                    kNow)),
            "reserve T in 500 s on n1:1\n");
}

std::string stalled(const Cluster& cluster, std::string_view text) {
  std::string names;
  for (const auto job : plan(cluster, configured(text), kNow).stalled)
    names += (names.empty() ? "" : " ") + cluster.job(job).name;
  return names;
}

TEST(QueueTime, AccruesAsThePolicySays) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).job("runs").by("amy").running_on({{"n1", 1}});
  crowd(scenario, "a", 2, "amy");
  crowd(scenario, "b", 2, "bob");
  scenario.job("held").by("carl").held();
  const Cluster cluster = scenario.build();
  const std::string limits = "USERCFG[amy] MAXJOB=1\nUSERCFG[bob] MAXIJOB=1\n";
  EXPECT_EQ(stalled(cluster, limits), "b2 held");
  EXPECT_EQ(stalled(cluster, limits + "JOBPRIOACCRUALPOLICY QUEUEPOLICY\n"), "b2 held");
  EXPECT_EQ(stalled(cluster, limits + "JOBPRIOACCRUALPOLICY FULLPOLICY\n"), "a1 a2 b2 held");
  EXPECT_EQ(stalled(cluster, limits + "USESYSTEMQUEUETIME ON\n"), "a1 a2 b2 held");
  EXPECT_EQ(stalled(cluster, limits + "JOBPRIOACCRUALPOLICY ALWAYS\n"), "");
  EXPECT_EQ(stalled(cluster, limits + "JOBPRIOACCRUALPOLICY ALWAYS\nUSESYSTEMQUEUETIME ON\n"), "");
}

TEST(QueueTime, StandsStillForJobsThatAStartOfTheSameCycleBringsToTheirLimit) {
  Scenario scenario;
  scenario.nodes(2, procs(1));
  crowd(scenario, "a", 2, "amy");
  crowd(scenario, "b", 2, "bob");
  const Cluster cluster = scenario.build();
  const std::string limits = "USERCFG[amy] MAXJOB=1\n";
  EXPECT_EQ(starts(cluster, limits), "a1 b1");
  EXPECT_EQ(stalled(cluster, limits), "");
  EXPECT_EQ(stalled(cluster, limits + "JOBPRIOACCRUALPOLICY FULLPOLICY\n"), "a2");
}

TEST(QueueTime, StandsStillForAReservedJobUntilALimitLetsItStart) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).job("runs").by("amy").running_on({{"n1", 1}});
  scenario.job("next").by("amy").reserved_on({{"n1", 1}}, kNow + hours(1));
  const Cluster cluster = scenario.build();
  const std::string limits = "USERCFG[amy] MAXJOB=1\nRESERVATIONPOLICY HIGHEST\n";
  EXPECT_EQ(stalled(cluster, limits), "");
  EXPECT_EQ(stalled(cluster, limits + "JOBPRIOACCRUALPOLICY FULLPOLICY\n"), "next");
}

TEST(QueueTime, AccruesForAJobThatIsRejectedUntilTimeHasRaisedItsPriority) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).job("low").by("bob");
  const Cluster cluster = scenario.build();
  const std::string rejected =
      "USERWEIGHT 1\nUSERCFG[bob] PRIORITY=-100000\nREJECTNEGPRIOJOBS TRUE\n";
  EXPECT_EQ(starts(cluster, rejected), "");
  EXPECT_EQ(stalled(cluster, rejected), "");
}

/// Builds the cluster; its waiting jobs have been eligible since then.
Cluster eligible_since(Scenario& scenario, Time when) {
  Cluster made = scenario.build();
  for (const auto& line : made.waiting()) made.set_eligible_since(line.job, when);
  return made;
}

TEST(Chunks, SmallJobsWaitForALargeJobAsLongAsTheDurationSays) {
  const auto cluster = [](Seconds waited) {
    Scenario scenario;
    scenario.nodes(4, procs(1)).job("runs").running_on({{"n1", 1}}).limit(hours(1));
    scenario.job("top").tasks(4).job("large").tasks(4).queued(waited);
    scenario.job("small").limit(minutes(5)).job("medium").tasks(2).limit(minutes(5));
    return eligible_since(scenario, kNow - waited);
  };
  EXPECT_EQ(starts(cluster(minutes(9)), "BFCHUNKSIZE 2\nBFCHUNKDURATION 10:00\n"), "medium");
  EXPECT_EQ(starts(cluster(minutes(10)), "BFCHUNKSIZE 2\nBFCHUNKDURATION 10:00\n"), "small medium");
  EXPECT_EQ(starts(cluster(minutes(9)), "BFCHUNKSIZE 2\n"), "small medium");
}

TEST(Chunks, SmallJobsDoNotWaitForALargeJobThatAStartOfTheSameCycleBringsToItsLimit) {
  Scenario scenario;
  scenario.nodes(4, procs(1)).job("runs").running_on({{"n1", 1}}).limit(hours(1));
  scenario.job("first").by("amy").tasks(2).limit(minutes(5)).job("large").by("amy").tasks(4);
  scenario.job("small").by("bob").limit(minutes(5));
  const Cluster cluster = eligible_since(scenario, kNow);
  const std::string chunks = "BFCHUNKSIZE 4\nBFCHUNKDURATION 10:00\n";
  EXPECT_EQ(starts(cluster, chunks), "first");
  EXPECT_EQ(starts(cluster, chunks + "USERCFG[amy] MAXJOB=1\n"), "first small");
}

TEST(Chunks, JobsWithinSoftLimitsDoNotWaitForALargeJobBeyondIts) {
  Scenario scenario;
  scenario.nodes(8, procs(1)).job("runs").running_on({{"n1", 1}, {"n2", 1}, {"n3", 1}, {"n4", 1}});
  scenario.limit(minutes(5)).job("large").by("amy").tasks(6);
  scenario.reserved_on({{"n1", 1}, {"n2", 1}, {"n3", 1}, {"n4", 1}, {"n5", 1}, {"n6", 1}},
                       kNow + minutes(5));
  scenario.job("small").by("cyd").limit(Seconds(20));
  const Cluster cluster = eligible_since(scenario, kNow);
  const std::string chunks = "BFCHUNKSIZE 6\nBFCHUNKDURATION 3:20\n";
  EXPECT_EQ(starts(cluster, chunks), "");
  EXPECT_EQ(starts(cluster, chunks + "USERCFG[amy] MAXPROC=5,8\n"), "small");
}

// --- runs that no resource manager has reported since the restart -----------

/// Takes the job from the cluster; its run is unconfirmed.
void take_away(Cluster& cluster, const std::string& name) {
  const JobId id = job_named(cluster, name);
  const Job job = cluster.job(id);
  UnconfirmedRun run{job.credentials, cluster.request(job.request),
                     partition_of(cluster, job.placement),
                     static_cast<int>(node_count(job.placement)), job.ends};
  cluster.end_job(id, JobState::completed, kNow);
  cluster.forget_job(id);
  auto runs = cluster.unconfirmed_runs();
  runs.emplace(name, std::move(run));
  cluster.set_unconfirmed_runs(std::move(runs));
}

constexpr auto kOfEveryKind = R"(
USERCFG[amy]    MAXJOB=1,9 MAXPROC=4,90 MAXNODE=2,90 MAXPS=14400,99999 MAXMEM=4000,99999
GROUPCFG[phys]  MAXWC=4000,99999 MAXPE=4,90
ACCOUNTCFG[a]   MAXJOB=1,9
CLASSCFG[batch] MAXPROC=4,90 MAXJOB[USER]=1,9
QOSCFG[hi]      MAXNODE=2,90
PARCFG[math]    MAXJOB=1,9
SYSCFG          MAXPS=14400,99999
)";

TEST(UnconfirmedRuns, CountForEveryLimitAsTheJobsThatTheyWere) {
  const auto cast = [](Scenario& scenario, const std::string& name) -> Scenario& {
    return scenario.job(name)
        .by("amy", "phys")
        .account("a")
        .in_class("batch")
        .qos("hi")
        .each(procs(1, 1000))
        .tasks(4);
  };
  Scenario scenario;
  scenario.nodes(4, procs(2, 4000))
      .classes({{"batch", 2}})
      .partition("math")
      .nodes(2, procs(2, 4000));
  cast(scenario, "x").running_on({{"n1", 2}, {"n2", 2}}, Seconds(600));
  cast(scenario, "y").partition("math");
  const Cluster known = scenario.build();
  Cluster unknown = known;
  take_away(unknown, "x");
  const Settings settings = configured(kOfEveryKind);
  Throttling of_known(known, settings, kNow), of_unknown(unknown, settings, kNow);
  const JobId y = job_named(known, "y");
  const auto& subjects = of_known.scope_of(known.job(y)).subjects;
  EXPECT_EQ(subjects, of_unknown.scope_of(unknown.job(y)).subjects);
  EXPECT_EQ(subjects.size(), 8U) << "five credentials, a pair, the partition, and all";
  for (const Strictness level : {Strictness::soft, Strictness::hard}) {
    LimitForecast known_later(known, of_known, kNow), later(unknown, of_unknown, kNow);
    const auto start =
        later.first_allowed(unknown.job(y), unknown.request_of(y), kNow, nullptr, level);
    EXPECT_EQ(start,
              known_later.first_allowed(known.job(y), known.request_of(y), kNow, nullptr, level));
    EXPECT_EQ(start > kNow, level == Strictness::soft);
  }
  const auto there = of_known.violated(known.job(y), Strictness::soft),
             here = of_unknown.violated(unknown.job(y), Strictness::soft);
  ASSERT_TRUE(there && here);
  EXPECT_EQ(here->used, there->used);
  for (std::size_t i = 0; i < of_known.active().size(); ++i)
    EXPECT_EQ(of_known.active()[i].amounts, of_unknown.active()[i].amounts);
}

TEST(UnconfirmedRuns, HoldJobsBackUntilTheyAreForgotten) {
  constexpr auto kOne = "USERCFG[DEFAULT] MAXJOB=1\n";
  Scenario scenario;
  scenario.nodes(4, procs(2)).job("x").by("amy").running_on({{"n1", 1}}).job("y").by("amy");
  Cluster cluster = scenario.build();
  take_away(cluster, "x");
  EXPECT_EQ(starts(cluster, kOne), "");
  EXPECT_EQ(why(cluster, kOne, "y"),
            "violates active HARD MAXJOB limit of 1 for user amy  (R: 1, U: 1, of which 1 by runs "
            "that no resource manager has reported since the restart)");
  const auto releases = cluster.releases();
  cluster.forget_unconfirmed_run("z");
  EXPECT_EQ(cluster.releases(), releases);
  cluster.forget_unconfirmed_run("x");
  EXPECT_GT(cluster.releases(), releases);
  EXPECT_EQ(starts(cluster, kOne), "y");
}

TEST(UnconfirmedRuns, AreNoIdleJobs) {
  Scenario scenario;
  scenario.nodes(4, procs(2)).job("x").by("amy").running_on({{"n1", 1}}).job("y").by("amy");
  Cluster cluster = scenario.build();
  take_away(cluster, "x");
  EXPECT_EQ(starts(cluster, "USERCFG[DEFAULT] MAXIJOB=1\n"), "y");
}

TEST(UnconfirmedRuns, PastTheirEndsCountWithoutTimeToCome) {
  Scenario scenario;
  scenario.nodes(4, procs(2)).job("x").by("amy").running_on({{"n1", 1}}).job("y").by("amy");
  Cluster cluster = scenario.build();
  take_away(cluster, "x");
  auto runs = cluster.unconfirmed_runs();
  runs.at("x").ends = kNow - Seconds(1);
  cluster.set_unconfirmed_runs(runs);
  EXPECT_EQ(starts(cluster, "USERCFG[DEFAULT] MAXPS=3600\n"), "y");
  EXPECT_EQ(starts(cluster, "USERCFG[DEFAULT] MAXJOB=1\n"), "");
}

// --- USEMACHINESPEED -------------------------------------------------------------

/// "f" needs 50 seconds at speed 1: 25 on "fast" and 100 on "slow".
Scenario two_speeds() {
  Scenario scenario;
  scenario.node("slow", procs(1)).change_nodes([](Node& node) { node.speed = 0.5; });
  scenario.node("fast", procs(1)).change_nodes([](Node& node) { node.speed = 2; });
  return scenario;
}
Scenario& with_f(Scenario& scenario) {
  scenario.job("f").by("bob").limit(Seconds(50));
  return scenario.change_request([](Request& request) { request.by_speed = true; });
}

TEST(Speeds, ALimitIsJudgedByTheTimeOnTheNodesThatTheJobGets) {
  for (const std::string allocation : {"LASTAVAILABLE", "FIRSTAVAILABLE", "FASTEST"})
    for (const std::string limit : {"MAXPS", "MAXWC"}) {
      SCOPED_TRACE(allocation + " " + limit);
      const auto made = [&](int most) {
        Scenario scenario = two_speeds();
        const Cluster cluster = with_f(scenario).build();
        const auto text =
            fmt::format("NODEALLOCATIONPOLICY {}\nUSERCFG[bob] {}={}\n", allocation, limit, most);
        return decisions(cluster, plan(cluster, configured(text), kNow));
      };
      EXPECT_EQ(made(24), "");
      for (const int most : {25, 49, 50, 75, 99}) EXPECT_EQ(made(most), "start f on fast:1\n");
      EXPECT_NE(made(100), "");
    }
}

TEST(Speeds, AJobWaitsForANodeOnWhichItIsWithinItsLimit) {
  Scenario scenario = two_speeds();
  scenario.job("r").by("amy").limit(Seconds(40)).running_on({{"fast", 1}});
  const Cluster cluster = with_f(scenario).build();
  const auto made = [&](const std::string& text) {
    return decisions(cluster, plan(cluster, configured(text), kNow));
  };
  for (const std::string limit : {"MAXPS=75", "MAXWC=75", "MAXPS=25"})
    EXPECT_EQ(made("USERCFG[bob] " + limit + "\n"), "reserve f in 40 s on fast:1\n") << limit;
  EXPECT_EQ(made("USERCFG[bob] MAXPS=100\n"), "start f on slow:1\n");
}

// The other node is idle, but too slow.
TEST(Speeds, APreemptorTakesTheNodeOnWhichItIsWithinItsLimit) {
  Scenario scenario = two_speeds();
  scenario.job("r").by("amy").qos("low").limit(Seconds(40)).running_on({{"fast", 1}});
  const Cluster cluster = with_f(scenario).qos("high").build();
  const auto made = [&](const std::string& limit) {
    return decisions(cluster, plan(cluster,
                                   configured("QOSCFG[high] QFLAGS=PREEMPTOR\n"
                                              "QOSCFG[low] QFLAGS=PREEMPTEE\n"
                                              "USERCFG[bob] " +
                                              limit + "\n"),
                                   kNow));
  };
  for (const std::string limit : {"MAXPS=75", "MAXWC=75", "MAXPS=25"})
    EXPECT_EQ(made(limit), "requeue r for f\nstart f on fast:1\n") << limit;
  EXPECT_EQ(made("MAXPS=100"), "start f on slow:1\n");
}

}  // namespace
}  // namespace maui
