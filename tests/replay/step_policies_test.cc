// SIMSTEPPOLICY EVENT starts every job when INTERVAL with steps of one second does.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "replay/simulated.h"
#include "sched/configured.h"
#include "support/made_up_workload.h"
#include "support/random_cluster.h"

namespace maui {
namespace {

using test::Dice;
using test::Runs;
using test::simulated;
using test::TracedJob;

std::string line(int number, int submit, int run, int procs, int limit, int user) {
  return fmt::format("{0} {1} -1 {2} {3} -1 -1 {3} {4} -1 1 {5} 1 -1 -1 -1 -1 -1\n", number, submit,
                     run, procs, limit, user);
}

/// When each job started, and ended, by the log under these settings; of those that have ended by
/// `until`, counted from the log's beginning.
Runs starts(const std::string& log, Settings settings, StepPolicy step,
            Seconds until = kUnlimited) {
  const TemporaryDirectory home;
  std::ofstream(home / "log.swf") << log;
  settings.simulation.resource_trace = "[NONE]";
  settings.simulation.workload_trace = "log.swf";
  return test::simulated(home, std::move(settings), step, until);
}

std::string some_log(Dice& dice) {
  std::string log = "; MaxNodes: 4\n; MaxProcs: 4\n";
  int submitted = 0;
  for (int number = 1; number <= 14; ++number) {
    submitted += dice.between(0, 60);
    const int limit = dice.between(1, 300);
    log += line(number, submitted, dice.between(1, limit), dice.between(1, 4), limit,
                dice.between(1, 3));
  }
  return log;
}

/// Jobs that share nodes, so that a reservation can choose among nodes that are partly free.
std::string some_log_of_shared_nodes(Dice& dice) {
  std::string log = "; MaxNodes: 3\n; MaxProcs: 12\n";
  int submitted = 0;
  for (int number = 1; number <= 20; ++number) {
    submitted += dice.one_of(std::vector<int>{0, 0, 5, 10, 20});
    const int limit = dice.one_of(std::vector<int>{20, 50, 90, 150});
    log += line(number, submitted, dice.between(5, limit),
                dice.one_of(std::vector<int>{1, 1, 2, 4, 6, 8}), limit, dice.between(1, 3));
  }
  return log;
}

std::string some_policies(Dice& dice) {
  std::string text = dice.one_of(std::vector<std::string>{
      "BACKFILLPOLICY FIRSTFIT\n", "BACKFILLPOLICY BESTFIT\n", "BACKFILLPOLICY NONE\n",
      "BACKFILLPOLICY FIRSTFIT\nRESERVATIONPOLICY NEVER\n",
      "BACKFILLPOLICY FIRSTFIT\nRESERVATIONDEPTH[0] 3\n",
      "BACKFILLPOLICY FIRSTFIT\nRESERVATIONPOLICY HIGHEST\n"});
  const auto perhaps = [&](const std::string& more) {
    if (dice.in_a_hundred(35)) text += more;
  };
  perhaps(fmt::format("USERCFG[DEFAULT] MAXPS={}\n", dice.between(100, 900)));
  perhaps(fmt::format("USERCFG[DEFAULT] MAXWC={}\n", dice.between(300, 600)));
  perhaps(fmt::format("USERCFG[DEFAULT] MAXPROC={0},{1}\n", dice.between(1, 3), 4));
  perhaps(fmt::format("BFCHUNKSIZE 3\nBFCHUNKDURATION {}\n", dice.between(1, 200)));
  perhaps(fmt::format("SRCFG[s] TASKCOUNT=2 PERIOD=DAY STARTTIME=0:0{}:00 ENDTIME=0:15:00\n",
                      dice.between(1, 9)));
  return text;
}

// Priorities that grow at different rates, so that jobs that wait change their order.
std::string some_weights(Dice& dice) {
  std::string text;
  const auto perhaps = [&](int in_a_hundred, const std::string& more) {
    if (dice.in_a_hundred(in_a_hundred)) text += more;
  };
  perhaps(50, fmt::format("QUEUETIMEWEIGHT {}\n", dice.between(0, 90)));
  perhaps(60, fmt::format("XFACTORWEIGHT {}\n", dice.between(1, 40)));
  perhaps(30, fmt::format("USERWEIGHT 1\nUSERCFG[u1] PRIORITY={}\n", dice.between(1, 60)));
  perhaps(40, fmt::format("USERCFG[u2] QDEF=urgent\nQOSCFG[urgent] QTWEIGHT={} XFWEIGHT={}\n",
                          dice.between(0, 60), dice.between(0, 30)));
  perhaps(20, fmt::format("QUEUETIMECAP {}\n", dice.between(1, 4)));
  perhaps(20, fmt::format("SERVICECAP {}\n", dice.between(10, 100)));
  perhaps(30, fmt::format("PROCWEIGHT {}\n", dice.between(-10, 10)));
  perhaps(15, "SERVICEWEIGHT -1\nPROCWEIGHT 40\n");
  perhaps(10, "ENABLENEGJOBPRIORITY TRUE\n");
  perhaps(15, "REJECTNEGPRIOJOBS TRUE\n");
  perhaps(15, fmt::format("TARGETWEIGHT 1\nTARGETQUEUETIMEWEIGHT 1\nUSERCFG[u3] QTTARGET={}\n",
                          dice.between(60, 400)));
  perhaps(15, "USERCFG[DEFAULT] MAXIJOB=1\n");
  perhaps(15, "USERCFG[DEFAULT] MAXIJOB=1\nJOBPRIOACCRUALPOLICY FULLPOLICY\n");
  perhaps(15, "USERCFG[DEFAULT] MAXJOB=1\nJOBPRIOACCRUALPOLICY FULLPOLICY\n");
  perhaps(15, fmt::format("BACKFILLDEPTH {}\n", dice.between(1, 3)));
  perhaps(20,
          "USERCFG[u1] QDEF=high\nUSERCFG[u3] QDEF=low\n"
          "QOSCFG[high] FLAGS=PREEMPTOR\nQOSCFG[low] FLAGS=PREEMPTEE\n");
  return text;
}

// Returns settings under which running jobs move the fairshare of those who wait, second by second.
std::string some_fairshare(Dice& dice) {
  std::string text = fmt::format(
      "FSPOLICY {}\nFSINTERVAL {}\nFSDEPTH {}\nFSDECAY {}\n",
      dice.one_of(std::vector<std::string>{"DEDICATEDPS", "DEDICATEDPES", "DEDICATEDPS%"}),
      dice.one_of(std::vector<int>{100, 400, 3600}), dice.between(1, 4),
      dice.one_of(std::vector<std::string>{"1.0", "0.5"}));
  const auto perhaps = [&](int in_a_hundred, const std::string& more) {
    if (dice.in_a_hundred(in_a_hundred)) text += more;
  };
  perhaps(70, fmt::format("FSUSERWEIGHT {}\n", dice.between(-20, 60)));
  perhaps(30, fmt::format("FSWEIGHT {}\n", dice.between(-2, 3)));
  perhaps(20, fmt::format("FSUSERCAP {}\n", dice.between(1, 30)));
  perhaps(20, fmt::format("FSCAP {}\n", dice.between(1, 200)));
  for (int user = 1; user <= 3; ++user)
    perhaps(60, fmt::format("USERCFG[u{}] FSTARGET={}{}\n", user, dice.between(5, 60),
                            dice.one_of(std::vector<std::string>{"", "+", "-", "^", "^"})));
  perhaps(30, fmt::format("QUEUETIMEWEIGHT {}\n", dice.between(0, 30)));
  perhaps(20, "ENABLENEGJOBPRIORITY TRUE\n");
  perhaps(20, "REJECTNEGPRIOJOBS TRUE\n");
  return text;
}

void expect_events_to_do(const std::string& log, const std::string& policies, unsigned seed) {
  const Settings settings = configured(policies);
  EXPECT_EQ(starts(log, settings, StepPolicy::event, Seconds(6000)),
            starts(log, settings, StepPolicy::interval, Seconds(6000)))
      << "seed " << seed << "\n"
      << policies << log;
}

void expect_events_to_do(const std::vector<TracedJob>& jobs, int nodes, const std::string& policies,
                         unsigned seed) {
  const Settings settings = configured("NODEACCESSPOLICY DEDICATED\n" + policies);
  EXPECT_EQ(simulated(jobs, nodes, settings, StepPolicy::event),
            simulated(jobs, nodes, settings, StepPolicy::interval, Seconds(6000)))
      << "seed " << seed << "\n"
      << policies;
}

/// The runs with either policy, which are the same.
Runs starts_with_both(const std::string& log, const Settings& settings,
                      Seconds until = kUnlimited) {
  const Runs made = starts(log, settings, StepPolicy::event);
  EXPECT_EQ(made, starts(log, settings, StepPolicy::interval, until));
  return made;
}

TEST(StepPolicies, EventsStartEveryJobWhenStepsOfASecondDoThoughPrioritiesCross) {
  for (unsigned seed = 1; seed <= test::rounds(20); ++seed) {
    Dice dice(seed);
    const std::string log = some_log(dice);
    expect_events_to_do(log, some_policies(dice) + some_weights(dice), seed);
    if (testing::Test::HasFailure()) return;
  }
}

// The first job of the queue needs all processors; the second one needs two, which are free.  Its
// expansion factor grows by 1 a second, that of the first by 1 in 100 seconds.
TEST(StepPolicies, AJobThatOvertakesTheFirstJobStartsAtThatMoment) {
  const std::string log = "; MaxNodes: 4\n; MaxProcs: 4\n" + line(1, 0, 1000, 2, 1000, 1) +
                          line(2, 1, 1000, 4, 1000, 2) + line(3, 21, 10, 2, 10, 3);
  const Settings settings =
      configured("BACKFILLPOLICY NONE\nQUEUETIMEWEIGHT 0\nXFACTORWEIGHT 1000\n");
  const Runs made = starts_with_both(log, settings);
  Settings in_order = settings;
  in_order.priority.xfactor.weight = 0;
  in_order.priority.queue_time.weight = 1;
  EXPECT_NE(made.at("3"), starts(log, in_order, StepPolicy::event).at("3"));
}

// A job that a limit holds back is passed over: the walk ends at the one behind it.
TEST(StepPolicies, AJobThatOvertakesTheFirstJobWithinLimitsStartsAtThatMoment) {
  const std::string log = "; MaxNodes: 4\n; MaxProcs: 4\n" + line(1, 0, 1000, 3, 1000, 1) +
                          line(2, 1, 10, 1, 10, 1) + line(3, 2, 10, 2, 10000, 2) +
                          line(4, 3, 10, 1, 100, 3);
  const Settings settings = configured(
      "BACKFILLPOLICY NONE\nQUEUETIMEWEIGHT 0\nXFACTORWEIGHT 10\nPROCWEIGHT 50\nUSERWEIGHT 1\n"
      "USERCFG[u1] PRIORITY=100000 MAXPROC=3\nUSERCFG[u9] MAXJOB=1,2\n");
  const Runs made = starts_with_both(log, settings);
  EXPECT_NE(made.at("4"), made.at("3"));
}

TEST(StepPolicies, EventsStartEveryJobWhenStepsOfASecondDo) {
  for (unsigned seed = 1; seed <= test::rounds(30); ++seed) {
    Dice dice(seed);
    const std::string log = some_log(dice);
    expect_events_to_do(log, some_policies(dice), seed);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(StepPolicies, EventsStartEveryJobWhenStepsOfASecondDoThoughFairshareMoves) {
  for (unsigned seed = 1; seed <= test::rounds(16); ++seed) {
    Dice dice(seed);
    const std::string log = some_log(dice);
    std::string policies = some_policies(dice) + some_fairshare(dice);
    if (dice.in_a_hundred(30)) policies += some_weights(dice);
    expect_events_to_do(log, policies, seed);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(StepPolicies, EventsStartEveryJobWhenStepsOfASecondDoOnSharedNodes) {
  const std::string preemption =
      "PREEMPTIONPOLICY SUSPEND\nUSERCFG[u1] QDEF=high\nUSERCFG[u3] QDEF=low\n"
      "QOSCFG[high] FLAGS=PREEMPTOR\nQOSCFG[low] FLAGS=PREEMPTEE\n";
  for (unsigned seed = 1; seed <= test::rounds(30); ++seed) {
    Dice dice(seed);
    const std::string log = some_log_of_shared_nodes(dice);
    expect_events_to_do(
        log,
        fmt::format("NODEACCESSPOLICY SHARED\nQUEUETIMEWEIGHT 0\nRESERVATIONDEPTH {}\n{}",
                    dice.between(2, 6), dice.in_a_hundred(30) ? preemption : ""),
        seed);
    if (testing::Test::HasFailure()) return;
  }
}

// u1 has run alone for 100 seconds, and then u2 does: u1's part falls to its cap of 40% when u2 has
// run for 150 seconds.
TEST(StepPolicies, ACapThatRunningJobsLiftWithinTheWindowIsWaitedFor) {
  const std::string log = "; MaxNodes: 2\n; MaxProcs: 2\n" + line(1, 0, 100, 1, 100, 1) +
                          line(2, 100, 1000, 1, 1000, 2) + line(3, 101, 10, 1, 10, 1);
  const Settings settings = configured(
      "FSPOLICY DEDICATEDPS\nFSINTERVAL 1:00:00:00\nFSDEPTH 1\nUSERCFG[u1] FSTARGET=40^\n");
  const Runs made = starts_with_both(log, settings);
  ASSERT_TRUE(made.contains("3"));
  EXPECT_EQ(made.at("3"), "250 to 260");
}

// 1000 points below zero grow by one a minute: it may start after 60000 seconds.
TEST(StepPolicies, AJobThatIsRejectedForItsPriorityIsWaitedForUntilThatHasGrown) {
  const std::string log = "; MaxNodes: 2\n; MaxProcs: 2\n" + line(1, 0, 10, 1, 10, 1);
  const Settings settings = configured(
      "JOBPRIOACCRUALPOLICY ALWAYS\nREJECTNEGPRIOJOBS TRUE\nENABLENEGJOBPRIORITY TRUE\n"
      "USERWEIGHT 1\nUSERCFG[u1] PRIORITY=-1000\n");
  const auto made = starts(log, settings, StepPolicy::event);
  ASSERT_TRUE(made.contains("1"));
  EXPECT_EQ(made.at("1"), "60000 to 60010");
  const Settings months = configured(
      "JOBPRIOACCRUALPOLICY ALWAYS\nREJECTNEGPRIOJOBS TRUE\nUSERWEIGHT 1\n"
      "USERCFG[u1] PRIORITY=-100000\n");
  EXPECT_EQ(starts(log, months, StepPolicy::event).at("1"), "6000000 to 6000010");
}

// The start of job 1 brings user 1 to his limit: the queue time of job 3 stands still from then on.
TEST(StepPolicies, AStartThatStopsAQueueTimeDoesSoAtOnce) {
  const std::string log = "; MaxNodes: 2\n; MaxProcs: 2\n" + line(1, 0, 600, 1, 600, 1) +
                          line(2, 0, 660, 1, 660, 2) + line(3, 0, 10, 2, 10, 1) +
                          line(4, 300, 10, 2, 10, 2);
  expect_events_to_do(log, "USERCFG[u1] MAXJOB=1\nJOBPRIOACCRUALPOLICY FULLPOLICY\n", 0);
}

// Jobs 5 and 9 have the same priority.  The limit of user 1 lets the queue time of job 5 stand
// still, so that job 9 comes before it a second after its arrival.
TEST(StepPolicies, AJobWhoseQueueTimeStandsStillFallsBehindInTheQueueInTime) {
  const std::string log = "; MaxNodes: 2\n; MaxProcs: 2\n" + line(4, 142, 98, 2, 146, 1) +
                          line(5, 143, 131, 2, 167, 1) + line(7, 195, 42, 1, 53, 1) +
                          line(8, 229, 32, 1, 163, 3) + line(9, 276, 144, 1, 241, 2);
  expect_events_to_do(log, "USERCFG[u1] MAXPROC=2\nJOBPRIOACCRUALPOLICY FULLPOLICY\n", 0);
}

// The start of job 10 brings u2 to the limit, so that job 4 is served behind job 3, which keeps its
// reserved place.
TEST(StepPolicies, AStartThatChangesWhoIsWithinSoftLimitsIsFollowedByANewOrder) {
  const std::string log = "; MaxNodes: 4\n; MaxProcs: 4\n" + line(1, 22, 122, 2, 186, 1) +
                          line(3, 64, 90, 4, 166, 1) + line(4, 89, 138, 3, 300, 2) +
                          line(6, 112, 110, 1, 130, 3) + line(10, 246, 8, 3, 48, 2);
  expect_events_to_do(log,
                      "USERCFG[DEFAULT] MAXPROC=3,4\n"
                      "SRCFG[s] TASKCOUNT=2 PERIOD=DAY STARTTIME=0:06:00 ENDTIME=0:15:00\n",
                      0);
}

// Nothing can start when job 3 overtakes job 2, but its reservation outlasts the limit that blocks
// it later.
TEST(StepPolicies, AnOrderThatOnlyReservesIsWaitedForWhereLimitsCount) {
  const std::string log = "; MaxNodes: 4\n; MaxProcs: 4\n" + line(1, 51, 183, 4, 237, 2) +
                          line(2, 86, 79, 3, 160, 2) + line(3, 115, 46, 4, 48, 2) +
                          line(4, 118, 6, 3, 103, 3) + line(6, 178, 13, 2, 33, 1);
  expect_events_to_do(log,
                      "USERCFG[DEFAULT] MAXPROC=1,4\nQUEUETIMEWEIGHT 24\nUSERCFG[u2] QDEF=urgent\n"
                      "QOSCFG[urgent] QTWEIGHT=41 XFWEIGHT=27\nJOBPRIOACCRUALPOLICY FULLPOLICY\n",
                      0);
}

// Priorities of waiting jobs grow alike, but job 2 keeps the priority with which it started.
TEST(StepPolicies, APreemptorWhosePriorityReachesThatOfARunningJobIsWaitedFor) {
  const std::string log = "; MaxNodes: 2\n; MaxProcs: 2\n" + line(1, 26, 60, 1, 167, 2) +
                          line(2, 26, 102, 2, 208, 3) + line(4, 76, 47, 2, 73, 1);
  const Settings settings = configured(
      "USERCFG[u1] QDEF=high\nUSERCFG[u3] QDEF=low\n"
      "QOSCFG[high] FLAGS=PREEMPTOR\nQOSCFG[low] FLAGS=PREEMPTEE\n");
  const Runs made = starts_with_both(log, settings);
  EXPECT_EQ(made.at("4"), "136 to 183");
}

// Job 4 cannot have idle processors, since job 3 is reserved at 3000.  Job 1 leaves for it, and
// does not start on these processors either: it has not waited while it ran.
TEST(StepPolicies, AVictimDoesNotPrecedeTheJobThatKeptThePreemptorFromIdleProcessors) {
  const std::string log = "; MaxNodes: 10\n; MaxProcs: 10\n" + line(1, 0, 5000, 3, 5000, 3) +
                          line(2, 0, 3000, 4, 3000, 2) + line(3, 600, 1000, 7, 1000, 2) +
                          line(4, 1200, 8000, 1, 8000, 1);
  const std::string flags =
      "USERCFG[u1] QDEF=high\nUSERCFG[u3] QDEF=low\n"
      "QOSCFG[high] FLAGS=PREEMPTOR\nQOSCFG[low] FLAGS=PREEMPTEE\n";
  for (const char* policy : {"PREEMPTIONPOLICY REQUEUE\n", "PREEMPTIONPOLICY CHECKPOINT\n"}) {
    SCOPED_TRACE(policy);
    const Runs made = starts_with_both(log, configured(flags + policy));
    EXPECT_EQ(made.at("4"), "1200 to 9200");
    EXPECT_EQ(made.at("3"), "3000 to 4000");
  }
}

// Job 8 does not end the walk, since it is never reserved: job 10 does, until job 11 overtakes it.
TEST(StepPolicies, AJobThatOvertakesTheOneThatEndedTheWalkStartsAtThatMoment) {
  const std::string log = "; MaxNodes: 2\n; MaxProcs: 2\n" + line(7, 290, 150, 1, 193, 1) +
                          line(8, 298, 69, 2, 100, 2) + line(10, 359, 257, 2, 300, 1) +
                          line(11, 385, 5, 1, 123, 2);
  const Settings settings = configured(
      "BACKFILLPOLICY NONE\nQUEUETIMEWEIGHT 56\nUSERCFG[u2] QDEF=urgent\n"
      "QOSCFG[urgent] QTWEIGHT=38 XFWEIGHT=14 FLAGS=NORESERVATION\n");
  const Runs made = starts_with_both(log, settings);
  EXPECT_EQ(made.at("11"), "400 to 405");
}

TEST(StepPolicies, JobsBehindABackfilledOneMoveUpToTheBackfillDepthAtOnce) {
  const std::string log = "; MaxNodes: 4\n; MaxProcs: 4\n" + line(1, 0, 100, 1, 100, 1) +
                          line(2, 1, 10, 4, 10, 1) + line(3, 2, 50, 1, 50, 1) +
                          line(4, 2, 50, 1, 50, 1);
  const Settings settings = configured("RESERVATIONPOLICY NEVER\nBACKFILLDEPTH 2\n");
  const Runs made = starts_with_both(log, settings);
  EXPECT_EQ(made.at("4"), "3 to 53");
}

// Only the first in turn of u1's jobs counts as queued; that one is too large for the machine, and
// is overtaken after a while.
TEST(StepPolicies, AJobThatMustOvertakeAnotherIsWaitedFor) {
  const std::string log =
      "; MaxNodes: 2\n; MaxProcs: 2\n" + line(1, 0, 10, 2, 10000, 1) + line(2, 0, 10, 1, 10, 1);
  const Settings settings = configured(
      "SRCFG[s] TASKCOUNT=1 PERIOD=INFINITY\nRESERVATIONPOLICY NEVER\n"
      "JOBPRIOACCRUALPOLICY ALWAYS\nUSERCFG[DEFAULT] MAXIJOB=1\nQUEUETIMEWEIGHT 0\nXFACTORWEIGHT "
      "10\nPROCWEIGHT 50\n");
  const Runs made = starts_with_both(log, settings, Seconds(6000));
  EXPECT_TRUE(made.contains("2"));
}

TEST(StepPolicies, AJobBeyondALimitThatTimeLiftsIsWaitedFor) {
  const std::string log =
      "; MaxNodes: 2\n; MaxProcs: 2\n" + line(1, 0, 100, 1, 100, 1) + line(2, 0, 100, 1, 100, 1);
  const Settings settings = configured("USERCFG[DEFAULT] MAXPS=150\n");
  const auto made = starts(log, settings, StepPolicy::event);
  EXPECT_EQ(made.size(), 2U);
  EXPECT_EQ(made, starts(log, settings, StepPolicy::interval));
}

// It lasts for 1000 seconds, and the job may use it for no more than 300, whatever its length.
TEST(StepPolicies, AReservationThatAdmitsAJobTowardsItsEndIsWaitedFor) {
  const std::string log = "; MaxNodes: 1\n; MaxProcs: 1\n" + line(1, 0, 900, 1, 900, 1);
  const Settings settings = configured(
      "RESERVATIONPOLICY NEVER\n"
      "SRCFG[s] TASKCOUNT=1 STARTTIME=0:00:00 ENDTIME=0:16:40 USERLIST=u1 TIMELIMIT=0:05:00*\n");
  const auto made = starts(log, settings, StepPolicy::event);
  ASSERT_TRUE(made.contains("1"));
  EXPECT_EQ(made.at("1"), "700 to 1600");
  EXPECT_EQ(made, starts(log, settings, StepPolicy::interval, Seconds(6000)));
}

// It lasts longer than what recurs leaves: it would wait for ever.
TEST(StepPolicies, AStandingReservationThatRecursKeepsNoSimulationFromEnding) {
  const std::string log = "; MaxNodes: 2\n; MaxProcs: 2\n" + line(1, 0, 10, 2, 2 * 86400, 1);
  const Settings settings = configured(
      "RESERVATIONPOLICY NEVER\n"
      "SRCFG[s] TASKCOUNT=1 PERIOD=DAY STARTTIME=9:00:00 ENDTIME=10:00:00 DEPTH=3\n");
  EXPECT_EQ(starts(log, settings, StepPolicy::event), (Runs{}));
}

// A target that counts from a queue time which stands still never comes: it would be waited for for
// ever.
TEST(StepPolicies, AJobWhoseQueueTimeStandsStillKeepsNoSimulationFromEnding) {
  const std::string log = "; MaxNodes: 4\n; MaxProcs: 4\n" + line(1, 0, 10, 3, 10, 1) +
                          line(2, 20, 10, 1, 10, 1) + line(3, 30, 10, 1, 10, 2);
  for (const char* clock :
       {"BFCHUNKSIZE 1\nBFCHUNKDURATION 0:03:00\nUSERCFG[u1] MAXPROC=2\n",
        "NODESETPOLICY ONEOF\nNODESETATTRIBUTE FEATURE\nNODESETDELAY 0:04:00\n"
        "USERCFG[u1] MAXPROC=2\n",
        "QOSCFG[q] XFTARGET=2 QTTARGET=0:05:00\nSYSCFG QLIST=q QDEF=q\nTARGETXFACTORWEIGHT 1\n"
        "TARGETQUEUETIMEWEIGHT 1\nUSERCFG[u1] MAXPROC=2\n"}) {
    SCOPED_TRACE(clock);
    const Settings settings = configured(std::string("JOBPRIOACCRUALPOLICY FULLPOLICY\n") + clock);
    const auto made = starts(log, settings, StepPolicy::event);
    EXPECT_FALSE(made.contains("error")) << made.at("error");
    EXPECT_FALSE(made.contains("1"));
    EXPECT_TRUE(made.contains("2") && made.contains("3"));
  }
}

// --- records of workload traces -------------------------------------------------

/// Expects these runs with either policy.
void expect_runs(const std::vector<TracedJob>& jobs, int nodes, const Settings& settings,
                 const Runs& expected) {
  EXPECT_EQ(simulated(jobs, nodes, settings, StepPolicy::event), expected);
  EXPECT_EQ(simulated(jobs, nodes, settings, StepPolicy::interval, Seconds(5000)), expected);
}

TEST(StepPolicies, ADependencyIsJudgedWhenTheJobArrives) {
  expect_runs({{.name = "a", .run = 90},
               {.name = "b", .submitted = 12, .comment = "DEPEND:afterok:a"},
               {.name = "c", .submitted = 13, .comment = "DEPEND:afterany:b"}},
              1, configured(""), {{"a", "0 to 90"}, {"b", "90 to 190"}, {"c", "190 to 290"}});
}

TEST(StepPolicies, AStartThatMeetsADependencyIsFollowedByThatOfTheOtherJob) {
  expect_runs({{.name = "first", .tasks = "2", .limit = "50", .run = 50},
               {.name = "second", .limit = "1000", .run = 1000, .submitted = 1},
               {.name = "third", .submitted = 2, .comment = "DEPEND:after:second"}},
              1, configured(""),
              {{"first", "0 to 50"}, {"second", "50 to 1050"}, {"third", "51 to 151"}});
}

// The second shape of `b`, one processor for 286 s, is within the limit once 214 processor-seconds
// of `a` are left.
TEST(StepPolicies, TheLimitsOfEachShapeAreWaitedFor) {
  expect_runs({{.name = "a", .limit = "316", .run = 316},
               {.name = "b", .tasks = "3,1", .limit = "143,286", .submitted = 51}},
              1, configured("USERCFG[DEFAULT] MAXPS=500\n"),
              {{"a", "0 to 316"}, {"b", "102 to 202"}});
}

// Small jobs arrive one after the other.  The first shape of `big` can never run, and its second
// one starts when the jobs that arrived before it have ended.
TEST(StepPolicies, AJobWhoseFirstShapeCanNeverRunHasItsTurnInTheNext) {
  const auto with_big = [](const std::string& tasks, const std::string& limit) {
    std::vector<TracedJob> jobs;
    for (int i = 10; i < 30; ++i)
      jobs.push_back({.name = fmt::format("f{}", i),
                      .tasks = "4",
                      .limit = "50",
                      .run = 50,
                      .submitted = (i - 10) * 25,
                      .user = "bob"});
    jobs.push_back({.name = "big", .tasks = tasks, .limit = limit, .run = 90, .submitted = 60});
    return jobs;
  };
  for (const char* policy :
       {"", "BACKFILLPOLICY NONE\n", "BACKFILLPOLICY BESTFIT\nRESERVATIONPOLICY HIGHEST\n"})
    for (const StepPolicy step : {StepPolicy::event, StepPolicy::interval}) {
      SCOPED_TRACE(policy);
      const auto big = [&](const std::string& more, const std::string& tasks) {
        return simulated(with_big(tasks, "100,200"), 5, configured(policy + more), step,
                         Seconds(3000))["big"];
      };
      EXPECT_EQ(big("", "12,8"), "100 to 190") << "larger than the machine";
      EXPECT_EQ(big("USERCFG[amy] MAXPROC=8\n", "10,8"), "100 to 190");
      EXPECT_EQ(big("SYSTEMMAXPROCJOB 8\n", "10,8"), "100 to 190");
      EXPECT_EQ(big("USERCFG[amy] MAXIPROC=8\n", "10,8"), "100 to 190");
    }
}

TEST(StepPolicies, EventsStartEveryJobWhenStepsOfASecondDoThoughJobsHaveSeveralShapes) {
  for (unsigned seed = 1; seed <= test::rounds(20); ++seed) {
    Dice dice(seed);
    std::vector<TracedJob> jobs;
    for (int i = 0, submitted = 0; i < 12; ++i) {
      submitted += dice.between(0, 40);
      TracedJob job{.name = fmt::format("j{}", i),
                    .tasks = "",
                    .limit = "",
                    .run = dice.between(10, 60),
                    .submitted = submitted,
                    .user = fmt::format("u{}", dice.between(1, 2))};
      for (int shape = dice.between(1, 3); shape > 0; --shape) {
        const char* comma = job.tasks.empty() ? "" : ",";
        job.tasks += fmt::format("{}{}", comma, dice.between(1, 6));
        job.limit += fmt::format("{}{}", comma, job.run + dice.between(0, 60));
      }
      jobs.push_back(job);
    }
    std::string policies = dice.one_of(std::vector<std::string>{
        "", "BACKFILLPOLICY NONE\n", "BACKFILLPOLICY BESTFIT\nRESERVATIONPOLICY HIGHEST\n"});
    const auto perhaps = [&](const std::string& more) {
      if (dice.in_a_hundred(40)) policies += more;
    };
    perhaps(fmt::format("USERCFG[DEFAULT] MAXPROC={}\n", dice.between(2, 5)));
    perhaps(fmt::format("USERCFG[u1] MAXWC={}\n", dice.between(60, 150)));
    perhaps(fmt::format("SYSTEMMAXPROCSECONDPERJOB {}\n", dice.between(100, 300)));
    perhaps(fmt::format("USERCFG[u2] MAXIPROC={}\n", dice.between(2, 8)));
    expect_events_to_do(jobs, 2, policies, seed);
    if (testing::Test::HasFailure()) return;
  }
}

// `v` has 90 s left.  It resumes when `w`, of the same user, has so little left that both are
// within the limit.
TEST(StepPolicies, ALimitThatKeepsAJobSuspendedIsWaitedFor) {
  const std::vector<TracedJob> jobs{
      {.name = "v", .tasks = "2", .user = "bob", .qos = "scavenge"},
      {.name = "o", .tasks = "2", .limit = "11", .run = 11, .hosts = "n2"},
      {.name = "p", .tasks = "2", .limit = "80", .run = 80, .submitted = 10, .qos = "hero"},
      {.name = "w", .tasks = "2", .submitted = 11, .user = "bob"}};
  const char* const preempts =
      "PREEMPTIONPOLICY SUSPEND\nQOSCFG[hero] QFLAGS=PREEMPTOR PRIORITY=100\n"
      "QOSCFG[scavenge] QFLAGS=PREEMPTEE\nQOSWEIGHT 1\nNODEALLOCATIONPOLICY FIRSTAVAILABLE\n";
  for (const char* limit : {"USERCFG[bob] MAXPS=200\n", "USERCFG[bob] MAXWC=100\n"}) {
    SCOPED_TRACE(limit);
    expect_runs(jobs, 2, configured(preempts + std::string(limit)),
                {{"o", "0 to 11"}, {"p", "10 to 90"}, {"w", "11 to 111"}, {"v", "0 to 191"}});
  }
}

TEST(StepPolicies, EventsStartEveryJobWhenStepsOfASecondDoThoughJobsOverrun) {
  for (unsigned seed = 1; seed <= test::rounds(20); ++seed) {
    Dice dice(seed);
    std::vector<TracedJob> jobs;
    for (int i = 0, submitted = 0; i < 12; ++i) {
      const int limit = dice.between(10, 120);
      submitted += dice.between(0, 40);
      jobs.push_back({.name = fmt::format("j{}", i),
                      .tasks = fmt::format("{}", dice.between(1, 3)),
                      .limit = fmt::format("{}", limit),
                      .run = limit * dice.between(30, 250) / 100,
                      .submitted = submitted,
                      .user = fmt::format("u{}", dice.between(1, 2))});
    }
    std::string policies =
        dice.one_of(std::vector<std::string>{"JOBMAXOVERRUN INFINITY\n", "JOBMAXOVERRUN 40\n",
                                             "BACKFILLPOLICY NONE\nJOBMAXOVERRUN 60\n"});
    const auto perhaps = [&](const std::string& more) {
      if (dice.in_a_hundred(50)) policies += more;
    };
    perhaps(fmt::format("USERCFG[DEFAULT] MAXPS={}\n", dice.between(100, 400)));
    perhaps(fmt::format("USERCFG[DEFAULT] MAXWC={}\n", dice.between(120, 250)));
    perhaps(fmt::format("USERCFG[u1] MAXJOB={}\n", dice.between(1, 2)));
    expect_events_to_do(jobs, 4, policies, seed);
    if (testing::Test::HasFailure()) return;
  }
}

// When job 2 has started, limits forbid 3 for a while.  It keeps its reservation, which begins
// then: RESERVEALWAYS makes it under RESERVATIONPOLICY NEVER, too, and 5 may not take its place.
TEST(StepPolicies, AJobThatAlwaysReservesStaysReservedBeyondItsLimits) {
  const std::string log = "; MaxNodes: 8\n; MaxProcs: 8\n" + line(1, 58, 167, 7, 229, 1) +
                          line(2, 111, 46, 5, 63, 2) + line(3, 162, 31, 2, 158, 2) +
                          line(5, 203, 222, 3, 229, 3);
  const Settings settings = configured(
      "RESERVATIONPOLICY NEVER\nUSERCFG[u2] MAXPS=374 QDEF=urgent\n"
      "QOSCFG[urgent] QTWEIGHT=9 XFWEIGHT=2 FLAGS=RESERVEALWAYS\n");
  const Runs runs{
      {"1", "58 to 225"}, {"2", "225 to 271"}, {"3", "271 to 302"}, {"5", "271 to 493"}};
  EXPECT_EQ(starts(log, settings, StepPolicy::interval), runs);
  EXPECT_EQ(starts(log, settings, StepPolicy::event), runs);
}

// Job 2 would start at 300, but job 4 takes its place: job 3 does not wait for its end.
TEST(StepPolicies, AJobBehindAStartThatWasTakenBackStartsInTheSamePlan) {
  const std::string log = "; MaxNodes: 8\n; MaxProcs: 8\n" + line(1, 0, 300, 8, 300, 3) +
                          line(2, 1, 3600, 8, 3600, 1) + line(3, 20, 100, 1, 200, 3) +
                          line(4, 25, 5000, 1, 5000, 2);
  const Settings settings = configured(
      "QOSCFG[hi] QFLAGS=PREEMPTOR\nQOSCFG[lo] QFLAGS=PREEMPTEE\n"
      "USERCFG[u1] QDEF=lo\nUSERCFG[u2] QDEF=hi\n");
  const auto by_second = starts(log, settings, StepPolicy::interval);
  EXPECT_EQ(by_second.at("3"), "300 to 400");
  EXPECT_EQ(starts(log, settings, StepPolicy::event), by_second);
}

// The recorded run of `a` is longer than its limit, so that no repetition helps.
TEST(StepPolicies, AJobThatIsRequeuedForItsLimitNeitherComesFirstNorRepeatsForEver) {
  const auto made = simulated(
      {{.name = "a", .tasks = "2", .run = 150}, {.name = "b", .tasks = "2", .submitted = 1}}, 1,
      configured("WCVIOLATIONACTION PREEMPT\n"), StepPolicy::event);
  EXPECT_EQ(made, (Runs{{"b", "101 to 201"}})) << "'a' is held after DEFERCOUNT repetitions";
}

}  // namespace
}  // namespace maui
