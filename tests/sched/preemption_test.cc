// Preemption (guide 8.4): who gives up his nodes for whom, and how suspended jobs come back.
#include "sched/preemption.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "sched/cycle.h"
#include "support/carry_out.h"

namespace maui {
namespace {

using test::carry_out;
using test::decisions;
using test::hours;
using test::job_named;
using test::kNow;
using test::minutes;
using test::procs;
using test::Scenario;

/// The example of guide 8.4.
Settings high_med_low(Preemption policy = Preemption::requeue) {
  Settings settings;
  settings.qos["high"].flags = {"PREEMPTOR"};
  settings.qos["high"].priority = 1000;
  settings.qos["med"] = {};
  settings.qos["low"].flags = {"PREEMPTEE"};
  settings.priority.qos.weight = 1;
  settings.jobs.preemption = policy;
  return settings;
}

std::string planned(Scenario scenario, const Settings& settings) {
  const Cluster cluster = scenario.build();
  return decisions(cluster, plan(cluster, settings, kNow));
}

Scenario full_of(const std::string& qos) {
  Scenario scenario;
  scenario.nodes(2, procs(1)).job("a").qos(qos).running_on({{"n1", 1}});
  scenario.job("b").qos(qos).running_on({{"n2", 1}}, minutes(30));
  return scenario;
}

TEST(Preemption, AHighJobTakesTheNodeOfALowJob) {
  EXPECT_EQ(planned(full_of("low").job("p").qos("high"), high_med_low()),
            "requeue a for p\nstart p on n1:1\n");
}

TEST(Preemption, ThePolicySaysWhatIsDoneToTheVictim) {
  EXPECT_EQ(planned(full_of("low").job("p").qos("high"), high_med_low(Preemption::suspend)),
            "suspend a for p\nstart p on n1:1\n");
  EXPECT_EQ(planned(full_of("low").job("p").qos("high"), high_med_low(Preemption::checkpoint)),
            "checkpoint a for p\nstart p on n1:1\n");
}

TEST(Preemption, JobsInBetweenNeitherTakeNorGive) {
  EXPECT_EQ(planned(full_of("low").job("p").qos("med"), high_med_low()),
            "reserve p in 1800 s on n2:1\n");
  EXPECT_EQ(planned(full_of("med").job("p").qos("high"), high_med_low()),
            "reserve p in 1800 s on n2:1\n");
}

TEST(Preemption, NobodyIsPreemptedForAJobThatFitsAnyway) {
  EXPECT_EQ(planned(full_of("low").nodes(1, procs(1)).job("p").qos("high"), high_med_low()),
            "start p on n3:1\n");
}

TEST(Preemption, AJobThatWasRefusedAfterItHadPreemptedSparesOthersForAWhile) {
  const auto refused = [](Seconds wait) {
    Scenario scenario = full_of("low").job("p").qos("high");
    static Time from{0};
    from = kNow + wait;
    scenario.change_job([](Job& job) { job.failures.preempts_from = from; });
    return planned(scenario, high_med_low());
  };
  EXPECT_EQ(refused(minutes(1)), "reserve p in 1800 s on n2:1\n");
  EXPECT_EQ(refused(minutes(0)), "requeue a for p\nstart p on n1:1\n");
}

TEST(Preemption, NobodyIsPreemptedForAJobThatCouldNotStartEvenSo) {
  Scenario scenario = full_of("low");
  scenario.nodes(1, procs(1)).job("c").qos("med").running_on({{"n3", 1}});
  EXPECT_EQ(planned(scenario.job("p").tasks(3).qos("high"), high_med_low()),
            "reserve p in 3600 s on n3:1 n1:1 n2:1\n");
}

TEST(Preemption, AVictimOfHigherPriorityStays) {
  Settings settings = high_med_low();
  settings.qos["low"].priority = 2000;
  EXPECT_EQ(planned(full_of("low").job("p").qos("high"), settings),
            "reserve p in 1800 s on n2:1\n");
}

TEST(Preemption, AJobMayBePreemptorByItsOwnFlags) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).job("a").change_job([](Job& job) {
    put(job.flags, JobFlag::preemptee);
  });
  scenario.queued(Seconds(10)).running_on({{"n1", 1}}, Seconds(5));
  scenario.job("p").queued(Seconds(600)).change_job([](Job& job) {
    put(job.flags, JobFlag::preemptor);
  });
  EXPECT_EQ(planned(scenario, {}), "requeue a for p\nstart p on n1:1\n");
}

/// One node; QOS "both" may preempt and be preempted.
Settings both_ways() {
  Settings settings;
  settings.qos["both"].flags = {"PREEMPTOR", "PREEMPTEE"};
  return settings;
}
std::string against(Seconds victim_queued, Seconds preemptor_queued, const Settings& settings) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).job("v").qos("both").queued(victim_queued);
  scenario.running_on({{"n1", 1}}, minutes(5));
  return planned(scenario.job("p").qos("both").queued(preemptor_queued), settings);
}

TEST(Preemption, JobsThatCouldTakeEachOtherGoByTheirPlacesInTheQueue) {
  const std::string stays = "reserve p in 3300 s on n1:1\n";
  // The priority of v stands at that of its start: 5 minutes below what it would be now.
  EXPECT_EQ(against(minutes(20), minutes(18), both_ways()), stays);
  EXPECT_EQ(against(minutes(20), minutes(20), both_ways()), stays);
  EXPECT_EQ(against(minutes(20), minutes(22), both_ways()), "requeue v for p\nstart p on n1:1\n");
  Settings by_qos = both_ways();
  by_qos.qos["both"].flags = {"PREEMPTOR"};
  EXPECT_EQ(against(minutes(20), minutes(18), by_qos), stays);
  by_qos.qos["both"].flags = {"RESTARTPREEMPT", "RESTARTABLE"};
  EXPECT_EQ(against(minutes(20), minutes(18), by_qos), stays);
}

TEST(Preemption, APreemptorThatNobodyTakesGoesByTheVictimsPriorityAtItsStart) {
  Settings settings = both_ways();
  settings.qos["lasting"].flags = {"PREEMPTOR"};
  Scenario scenario;
  scenario.nodes(1, procs(1)).job("v").qos("both").queued(minutes(20));
  scenario.running_on({{"n1", 1}}, minutes(5));
  EXPECT_EQ(planned(scenario.job("p").qos("lasting").queued(minutes(18)), settings),
            "requeue v for p\nstart p on n1:1\n");
}

// RESTARTABLE jobs are taken by those under RESTARTPREEMPT only.
TEST(Preemption, ARestartableJobIsNobodysVictimWithoutRestartpreempt) {
  Settings settings = both_ways();
  settings.qos["lasting"].flags = {"PREEMPTOR"};
  const auto made = [&] {
    Scenario scenario;
    scenario.nodes(1, procs(1)).job("v").qos("both").queued(minutes(20));
    scenario.running_on({{"n1", 1}}, minutes(5));
    scenario.job("p").qos("lasting").queued(minutes(18)).change_job([](Job& job) {
      put(job.flags, JobFlag::restartable);
    });
    return planned(scenario, settings);
  };
  EXPECT_EQ(made(), "requeue v for p\nstart p on n1:1\n");
  settings.qos["both"].flags.emplace_back("RESTARTPREEMPT");
  EXPECT_EQ(made(), "reserve p in 3300 s on n1:1\n");
}

// After each swap the other one waits, and its priority grows.
TEST(Preemption, TwoJobsNeverTakeTurnsForever) {
  for (const BackfillPolicy policy : {BackfillPolicy::first_fit, BackfillPolicy::preempt}) {
    Settings settings = both_ways();
    settings.backfill = policy;
    if (policy == BackfillPolicy::preempt) settings.qos["both"].flags = {"PREEMPTEE"};
    Scenario scenario;
    scenario.nodes(1, procs(1)).job("a").qos("both").queued(minutes(3));
    Cluster cluster = scenario.job("b").qos("both").queued(minutes(2)).build();
    CyclePlanner planner;
    int preempted = 0;
    for (Time now = kNow; now < kNow + minutes(30); now = now + Seconds(20)) {
      const Plan made = planner.plan(cluster, settings, now);
      for (const Decision& decision : made.decisions)
        preempted += std::holds_alternative<PreemptJob>(decision) ? 1 : 0;
      carry_out(cluster, made, now);
    }
    EXPECT_EQ(preempted, 0);
    EXPECT_TRUE(cluster.job(job_named(cluster, "a")).active());
  }
}

/// The plan, and the one that follows it in the same second.
std::string planned_twice(Cluster cluster, const Settings& settings) {
  const Plan made = plan(cluster, settings, kNow);
  const std::string first = decisions(cluster, made);
  test::carry_out(cluster, made, kNow);
  return first + "then " + decisions(cluster, plan(cluster, settings, kNow));
}

TEST(LeastHarm, OneJobThatSufficesGoesBeforeTwo) {
  Scenario scenario;
  scenario.nodes(4, procs(1)).job("small1").qos("low").running_on({{"n1", 1}});
  scenario.job("small2").qos("low").running_on({{"n2", 1}});
  scenario.job("large").tasks(2).qos("low").running_on({{"n3", 1}, {"n4", 1}}, minutes(50));
  EXPECT_EQ(planned(scenario.job("p").tasks(2).qos("high"), high_med_low()),
            "requeue large for p\nstart p on n4:1 n3:1\n");
}

TEST(LeastHarm, TheSufficientJobThatLosesLeastWorkGoes) {
  Scenario scenario;
  scenario.nodes(3, procs(1)).job("old").qos("low").running_on({{"n1", 1}}, minutes(50));
  scenario.job("young").qos("low").running_on({{"n2", 1}}, minutes(5));
  scenario.job("middle").qos("low").running_on({{"n3", 1}}, minutes(20));
  EXPECT_EQ(planned(scenario.job("p").qos("high"), high_med_low()),
            "requeue young for p\nstart p on n2:1\n");
}

// `both` is above `low` if `low` has no priority of its own.  It has done less work.
TEST(LeastHarm, AVictimThatWouldTakeAnotherJobStays) {
  Settings settings = high_med_low();
  settings.qos["both"].flags = {"PREEMPTOR", "PREEMPTEE"};
  settings.qos["both"].priority = 500;
  const auto made = [&] {
    Scenario scenario;
    scenario.nodes(2, procs(1)).job("both").qos("both").running_on({{"n1", 1}}, minutes(5));
    scenario.job("low").qos("low").running_on({{"n2", 1}}, minutes(50));
    return planned_twice(scenario.job("p").qos("high").build(), settings);
  };
  EXPECT_EQ(made(), "requeue low for p\nstart p on n2:1\nthen reserve low in 3300 s on n1:1\n");
  settings.qos["low"].priority = 600;
  EXPECT_TRUE(made().starts_with("requeue both for p\nstart p on n1:1\nthen ")) << made();
  settings.qos["low"].priority = 0;
  settings.jobs.preemption = Preemption::suspend;
  EXPECT_TRUE(made().starts_with("suspend both for p\nstart p on n1:1\nthen ")) << made();
}

// Neither the largest jobs nor the shortest runs, one by one, lead to the best set.
TEST(LeastHarm, OfEquallySmallSetsTheOneThatLosesLeastWorkGoes) {
  Scenario scenario;
  scenario.nodes(3, procs(8));
  for (const char* node : {"n1", "n2", "n3"})
    scenario.job(std::string("stays-on-") + node).each(procs(2)).running_on({{node, 1}});
  const auto low = [&](const std::string& name, int size, const char* node, Seconds ago) {
    scenario.job(name).qos("low").each(procs(size)).limit(hours(4)).running_on({{node, 1}}, ago);
  };
  low("a", 3, "n1", hours(1));
  low("b", 3, "n1", hours(1));
  low("c", 2, "n2", minutes(10));
  low("d", 4, "n2", minutes(10));
  for (int i = 1; i <= 6; ++i) low("t" + std::to_string(i), 1, "n3", minutes(1));
  EXPECT_EQ(planned(scenario.job("p").each(procs(6)).qos("high"), high_med_low()),
            "requeue c for p\nrequeue d for p\nstart p on n2:1\n");
}

TEST(LeastHarm, APreemptorTakesTheShapeThatNeedsFewestVictims) {
  Scenario scenario;
  scenario.nodes(4, procs(1));
  for (const char* node : {"n1", "n2", "n3", "n4"})
    scenario.job(std::string("v") + node).qos("low").running_on({{node, 1}});
  scenario.job("p").qos("high").tasks(4).change_job([](Job& job) {
    job.alternatives = {{4, minutes(30)}, {1, hours(1)}};
  });
  const Cluster cluster = scenario.build();
  const Plan made = plan(cluster, high_med_low(), kNow);
  ASSERT_EQ(made.decisions.size(), 2U) << decisions(cluster, made);
  EXPECT_EQ(std::get<StartJob>(made.decisions.back()).alternative, 1U);
}

TEST(LeastHarm, FreeNodesAreUsedFirst) {
  Scenario scenario = full_of("low");
  scenario.nodes(2, procs(1));
  EXPECT_EQ(planned(scenario.job("p").tasks(3).qos("high"), high_med_low()),
            "requeue a for p\nstart p on n4:1 n3:1 n1:1\n");
}

TEST(LeastHarm, AVictimOnNodesThatTheJobCannotUseStays) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).job("elsewhere").qos("low").running_on({{"n1", 1}});
  scenario.nodes(1, procs(1))
      .features({"fast"})
      .job("here")
      .qos("low")
      .running_on({{"n2", 1}}, minutes(50));
  EXPECT_EQ(planned(scenario.job("p").features({"fast"}).qos("high"), high_med_low()),
            "requeue here for p\nstart p on n2:1\n");
}

TEST(Preemption, APreemptorThatIsReservedGivesItsReservationUpForAStart) {
  Scenario scenario = full_of("low");
  scenario.job("p").qos("high").reserved_on({{"n2", 1}}, kNow + minutes(30));
  Settings settings = high_med_low();
  settings.reservation_policy = ReservationPolicy::highest;
  EXPECT_EQ(planned(scenario, settings), "requeue a for p\nstart p on n1:1\n");
}

TEST(Preemption, AJobThatHasToLeaveIsNotPreemptedAgain) {
  const Settings settings = high_med_low();
  Scenario scenario;
  scenario.nodes(2, procs(8)).features({"fast"});
  scenario.job("v0").qos("low").tasks(8).running_on({{"n1", 8}}, minutes(5));
  scenario.job("v1").qos("low").tasks(8).running_on({{"n2", 8}}, minutes(50));
  scenario.nodes(1, procs(8));
  scenario.job("p0").by("amy").qos("high").features({"fast"}).tasks(4);
  scenario.job("p1").by("bob").qos("high").features({"fast"}).tasks(12);
  EXPECT_EQ(planned(scenario, settings),
            "requeue v0 for p0\nstart p0 on n1:4\nrequeue v1 for p1\nstart p1 on n2:8 n1:4\n");
}

// It may run in a reservation only, and there is none: that says nothing of its owner's other jobs.
TEST(Preemption, APreemptorThatIsConfinedDoesNotSpeakForOthers) {
  Scenario scenario = full_of("low");
  scenario.job("confined").qos("high").change_job([](Job& job) {
    put(job.flags, JobFlag::adv_res);
    job.required_reservation = "maint";
  });
  EXPECT_EQ(planned(scenario.job("p").qos("high"), high_med_low()),
            "requeue a for p\nstart p on n1:1\n");
}

// Two of four processors are idle; the first job waits for all, and V is above the preemptor.
Scenario strict_queue() {
  Scenario scenario;
  scenario.nodes(4, procs(1)).job("v").qos("low").running_on({{"n1", 1}});
  scenario.job("r").qos("med").running_on({{"n2", 1}});
  scenario.job("first").qos("med").tasks(4).queued(hours(2));
  return scenario;
}

TEST(Preemption, APreemptorThatMayTakeNobodyWaitsForItsTurn) {
  Settings settings = high_med_low();
  settings.qos["low"].priority = 5000;
  settings.qos["med"].priority = 2000;
  settings.backfill = BackfillPolicy::none;
  EXPECT_EQ(planned(strict_queue().job("p").qos("high"), settings), "");
  settings.backfill = BackfillPolicy::first_fit;
  settings.qos["high"].flags = {"PREEMPTOR", "NOBF"};
  EXPECT_EQ(
      planned(strict_queue().job("p").qos("high").limit(minutes(5)), settings).find("start p"),
      std::string::npos);
}

TEST(Preemption, OutOfItsTurnAPreemptorIsBackfilled) {
  Settings settings = high_med_low();
  settings.qos["low"].priority = 5000;
  settings.qos["med"].priority = 2000;
  settings.backfill = BackfillPolicy::first_fit;
  EXPECT_NE(planned(strict_queue().job("p").qos("high").limit(minutes(5)), settings)
                .find("backfill p on"),
            std::string::npos);
}

// Of two processors, the first job of the queue is reserved one in a minute.  BESTFIT would
// backfill `large` on the other, and `small` would preempt it in the next cycle.
TEST(Preemption, APreemptorStartsBeforeAJobThatIsBackfilledOnlyToBePreempted) {
  Settings settings = high_med_low();
  settings.backfill = BackfillPolicy::best_fit;
  settings.qos["top"].priority = 2000;
  for (const bool any_runs : {false, true}) {
    SCOPED_TRACE(any_runs);
    Scenario scenario;
    scenario.nodes(4, procs(1)).job("r").qos("med").running_on({{"n1", 1}});
    if (any_runs) scenario.job("v").qos("low").running_on({{"n2", 1}});
    scenario.job("wide").qos("top").tasks(4);
    scenario.job("small").qos("high").limit(minutes(30));
    scenario.job("large").qos("low").tasks(any_runs ? 2 : 3).limit(minutes(30));
    const std::string made = planned(scenario, settings);
    EXPECT_NE(made.find("backfill small"), std::string::npos) << made;
    EXPECT_EQ(made.find("backfill large"), std::string::npos) << made;
  }
}

// Of four idle processors, `x` needs three.  Once it runs, `p` may not take it, so it goes first.
TEST(Preemption, APreemptorIsNotBackfilledBeforeAJobAboveItThatItCouldNotTake) {
  for (const bool any_runs : {false, true}) {
    SCOPED_TRACE(any_runs);
    for (const auto policy : {BackfillPolicy::first_fit, BackfillPolicy::best_fit}) {
      Settings settings = high_med_low();
      settings.backfill = policy;
      settings.qos["top"].priority = 5000;
      settings.qos["long"].flags = {"PREEMPTEE"};
      settings.qos["long"].priority = 2000;
      Scenario scenario;
      scenario.nodes(6, procs(1)).job("r").qos("med").running_on({{"n1", 1}});
      scenario.job("v").qos(any_runs ? "low" : "med").running_on({{"n2", 1}});
      scenario.job("wide").qos("top").tasks(6);
      scenario.job("x").qos("long").tasks(3).limit(minutes(30));
      scenario.job("p").qos("high").tasks(2).limit(minutes(30));
      scenario.job("y").qos("low").limit(minutes(30));
      const std::string made = planned_twice(scenario.build(), settings);
      EXPECT_NE(made.find("backfill x"), std::string::npos) << made;
      EXPECT_EQ(made.find("x for"), std::string::npos) << made;
      // It takes `v`, or else waits, while `y` has the last processor.
      EXPECT_EQ(made.find("requeue v for p") != std::string::npos, any_runs) << made;
      EXPECT_EQ(made.find("backfill y") == std::string::npos, any_runs) << made;
    }
  }
}

// Two of six processors are idle.
TEST(Preemption, AJobOfLowerPriorityDoesNotStartToBePreempted) {
  for (const int depth : {1, 2}) {
    SCOPED_TRACE(depth);
    Settings settings = high_med_low();
    settings.reservation_stacks = {{depth, {}}};
    Scenario scenario;
    scenario.nodes(6, procs(1)).job("v").qos("low").tasks(4);
    scenario.running_on({{"n1", 1}, {"n2", 1}, {"n3", 1}, {"n4", 1}});
    scenario.job("p").qos("high").tasks(5).job("small").qos("low").tasks(2);
    const std::string made = planned_twice(scenario.build(), settings);
    EXPECT_TRUE(made.starts_with("requeue v for p\nstart p on ")) << made;
    EXPECT_EQ(made.find("start small"), std::string::npos) << made;
  }
}

TEST(Preemption, AReservedPreemptorGetsWhatTheVictimsOfAnotherLeave) {
  for (const int depth : {1, 2}) {
    SCOPED_TRACE(depth);
    Settings settings = high_med_low();
    settings.reservation_stacks = {{depth, {}}};
    Scenario scenario;
    scenario.nodes(8, procs(1)).job("v").qos("low").tasks(8);
    scenario.running_on(
        {{"n1", 1}, {"n2", 1}, {"n3", 1}, {"n4", 1}, {"n5", 1}, {"n6", 1}, {"n7", 1}, {"n8", 1}});
    scenario.job("p1").qos("high").tasks(4).job("p2").qos("high").tasks(3);
    const Cluster cluster = scenario.job("small").qos("low").tasks(4).build();
    EXPECT_EQ(test::started(cluster, plan(cluster, settings, kNow)), "p1 p2");
  }
}

// It has no reservation, since the only one is kept for `low`.
TEST(Preemption, AJobDoesNotStartOnItsKeptReservationToBePreempted) {
  Settings settings = high_med_low();
  settings.reservation_policy = ReservationPolicy::highest;
  Scenario scenario;
  scenario.nodes(2, procs(1)).job("p").qos("high").tasks(2);
  scenario.job("low").qos("low").reserved_on({{"n1", 1}}, kNow);
  const std::string made = planned_twice(scenario.build(), settings);
  EXPECT_NE(made.find("start p on"), std::string::npos) << made;
  EXPECT_EQ(made.find("start low"), std::string::npos) << made;
  EXPECT_TRUE(made.ends_with("then ")) << made;
}

// In the next plan it would move to the present, and preemptors could take it with what this plan
// has started.
TEST(Preemption, AKeptReservationBelowThePreemptorStartsOnWhatAVictimLeaves) {
  Settings settings = high_med_low();
  settings.reservation_policy = ReservationPolicy::highest;
  Scenario scenario;
  scenario.nodes(3, procs(1)).job("v").qos("low").tasks(3);
  scenario.running_on({{"n1", 1}, {"n2", 1}, {"n3", 1}}, minutes(30)).job("p").qos("high");
  scenario.job("kept").qos("med").tasks(2);
  scenario.reserved_on({{"n1", 1}, {"n2", 1}}, kNow + minutes(30));
  const Cluster cluster = scenario.build();
  EXPECT_EQ(test::started(cluster, plan(cluster, settings, kNow)), "p kept");
}

// Once `both` has taken `low`, others move forward into its nodes, and `high` takes its turn among
// them: in the next plan it would take `both`.
TEST(Preemption, KeptReservationsMoveForwardAroundAPreemptorThatTakesAStart) {
  Settings settings = high_med_low();
  settings.reservation_policy = ReservationPolicy::highest;
  settings.reservation_stacks = {{4, {}}};
  settings.priority.queue_time.weight = 0;
  settings.qos["both"].flags = {"PREEMPTOR", "PREEMPTEE"};
  settings.qos["both"].priority = 500;
  settings.qos["med"].priority = 900;
  Scenario scenario;
  const auto kept = [&](const char* name, const char* qos, int tasks, int limit, int start) {
    scenario.job(name).qos(qos).tasks(tasks).limit(minutes(limit));
    scenario.reserved_on({{"n1", tasks}}, kNow + minutes(start));
  };
  scenario.nodes(1, procs(5));
  kept("low", "low", 5, 61, 0);
  kept("low2", "low", 2, 119, 61);
  kept("med", "med", 2, 66, 61);
  kept("both", "both", 1, 129, 61);
  kept("med2", "med", 4, 37, 180);
  kept("both2", "both", 3, 24, 217);
  kept("high", "high", 2, 136, 217);
  const std::string made = planned_twice(scenario.build(), settings);
  EXPECT_EQ(made.find("requeue"), std::string::npos) << made;
}

// Its reservation and that of `top` are for the same time: the user may have two jobs then.
TEST(Preemption, AReservedPreemptorDoesNotCountTwiceForTheLimitsOfOtherReservedJobs) {
  Settings settings = high_med_low();
  settings.reservation_policy = ReservationPolicy::highest;
  settings.users["amy"].limits.active[static_cast<std::size_t>(LimitKind::job)] = Limit{2, 2};
  Scenario scenario;
  scenario.nodes(2, procs(1)).job("v").by("bob").qos("low").running_on({{"n1", 1}}, minutes(30));
  scenario.job("w").by("bob").qos("med").running_on({{"n2", 1}}, minutes(30));
  scenario.job("top").by("amy").qos("med").reserved_on({{"n2", 1}}, kNow + minutes(30));
  scenario.job("p").by("amy").qos("high").reserved_on({{"n1", 1}}, kNow + minutes(30));
  const Cluster cluster = scenario.build();
  EXPECT_EQ(test::started(cluster, plan(cluster, settings, kNow)), "p");
}

// `p` needs the node of `v`, too.
TEST(Preemption, ASuspendedJobDoesNotResumeToBePreempted) {
  Scenario scenario;
  scenario.nodes(3, procs(1)).job("s").qos("low").tasks(2);
  scenario.running_on({{"n1", 1}, {"n2", 1}}, minutes(30));
  scenario.job("v").qos("low").running_on({{"n3", 1}}, minutes(30));
  Cluster cluster = scenario.job("p").qos("high").tasks(3).build();
  cluster.suspend_job(job_named(cluster, "s"), kNow - minutes(1), {SuspensionCause::preemption});
  EXPECT_EQ(planned_twice(cluster, high_med_low(Preemption::suspend)),
            "suspend v for p\nstart p on n3:1 n2:1 n1:1\nthen ");
}

// `both` is above `p` in the queue, with the same priority; `p` cannot be preempted itself.
TEST(Preemption, APreemptorDoesNotStartToBePreempted) {
  Settings settings = high_med_low();
  settings.qos["both"] = settings.qos["high"];
  settings.qos["both"].flags.emplace_back("PREEMPTEE");
  Scenario scenario;
  scenario.nodes(3, procs(1)).job("v").qos("low").running_on({{"n1", 1}});
  scenario.job("w").qos("low").running_on({{"n2", 1}});
  scenario.job("both").qos("both").tasks(2).queued(hours(2));
  scenario.job("p").qos("high").tasks(3).queued(hours(1));
  settings.priority.queue_time.weight = 0;
  const std::string made = planned_twice(scenario.build(), settings);
  EXPECT_EQ(made.find("start both"), std::string::npos) << made;
  EXPECT_NE(made.find("start p on"), std::string::npos) << made;
}

// A minute later the priority of `p` would reach that with which `v` has started.
TEST(Preemption, AJobDoesNotStartIfAPreemptorReachesItsPriorityByTheNextIteration) {
  Settings settings = high_med_low();
  settings.qos["high"].priority = 0;
  const auto made = [&](Seconds preemptor_queued) {
    Scenario scenario;
    scenario.nodes(1, procs(1)).job("v").qos("low").queued(Seconds(300));
    return planned_twice(scenario.job("p").qos("high").queued(preemptor_queued).build(), settings);
  };
  EXPECT_TRUE(made(Seconds(241)).starts_with("start p on n1:1\n")) << made(Seconds(241));
  EXPECT_TRUE(made(Seconds(239)).starts_with("start v on n1:1\n")) << made(Seconds(239));
  settings.poll_interval = Seconds(30);
  EXPECT_TRUE(made(Seconds(241)).starts_with("start v on n1:1\n")) << made(Seconds(241));
  settings.server.mode = ServerMode::simulation;
  settings.simulation.step = StepPolicy::event;
  EXPECT_TRUE(made(Seconds(299)).starts_with("start p on n1:1\n")) << made(Seconds(299));
  EXPECT_TRUE(made(Seconds(298)).starts_with("start v on n1:1\n")) << made(Seconds(298));
}

/// Amy may run one job, and `amys` is above `bobs` in the queue.
Settings one_job_of_amy() {
  Settings settings = high_med_low();
  settings.qos["both"].flags = {"PREEMPTOR", "PREEMPTEE"};
  settings.qos["both"].priority = 500;
  settings.users["amy"].limits.active[static_cast<std::size_t>(LimitKind::job)] = Limit{1, 1};
  return settings;
}

// The limit lets `amys` start once `v` has left for `bobs`.
TEST(Preemption, AJobWhoseLimitAVictimLeavesHasItsTurnInTheSamePlan) {
  Scenario scenario;
  scenario.nodes(4, procs(1)).job("v").by("amy").qos("low").tasks(4);
  scenario.running_on({{"n1", 1}, {"n2", 1}, {"n3", 1}, {"n4", 1}});
  scenario.job("amys").by("amy").qos("high").tasks(2);
  scenario.job("bobs").by("bob").qos("both").tasks(4);
  const std::string made = planned_twice(scenario.build(), one_job_of_amy());
  EXPECT_TRUE(made.starts_with("requeue v for amys\nstart amys on ")) << made;
  EXPECT_EQ(made.find("start bobs"), std::string::npos) << made;
  EXPECT_TRUE(made.ends_with("then ")) << made;
}

// Two processors are idle, so `amys` does not need those of `v`.
TEST(Preemption, AVictimWhoseLimitAnotherPreemptorNeedsDoesNotStay) {
  Scenario scenario;
  scenario.nodes(6, procs(1)).job("v").by("amy").qos("low").tasks(2);
  scenario.running_on({{"n1", 1}, {"n2", 1}});
  scenario.job("r").by("cyd").qos("med").tasks(2).running_on({{"n3", 1}, {"n4", 1}});
  scenario.job("amys").by("amy").qos("high").tasks(2);
  scenario.job("bobs").by("bob").qos("both").tasks(4);
  const std::string made = planned_twice(scenario.build(), one_job_of_amy());
  EXPECT_TRUE(made.starts_with("requeue v for amys\nstart amys on ")) << made;
  EXPECT_EQ(made.find("start bobs"), std::string::npos) << made;
}

// Three processors are idle, and `head` has a fourth in half an hour.  That keeps them from `p`,
// for which `v` leaves three.  `small` would be backfilled on two of these, and taken by `head`;
// `head` would take them, and be taken by `v`, which is above it in the queue.
TEST(Preemption, WhatAVictimLeavesBeyondNeedGoesToNoJobThatWouldBePreempted) {
  Settings settings = high_med_low();
  settings.priority.qos.weight = settings.priority.queue_time.weight = 0;
  settings.qos["both"].flags = {"PREEMPTOR", "PREEMPTEE"};
  Scenario scenario;
  scenario.nodes(10, procs(1)).job("v").qos("both").tasks(3).limit(hours(4)).queued(hours(3));
  scenario.running_on({{"n1", 1}, {"n2", 1}, {"n3", 1}}, minutes(10));
  scenario.job("r").qos("med").tasks(3).limit(hours(4));
  scenario.running_on({{"n4", 1}, {"n5", 1}, {"n6", 1}}, minutes(10));
  scenario.job("s").qos("med").running_on({{"n7", 1}}, minutes(30));
  scenario.job("head").qos("both").tasks(4).queued(hours(2));
  scenario.job("p").qos("high").limit(hours(4)).queued(hours(1));
  scenario.job("small").qos("both").tasks(2).limit(minutes(10)).queued(minutes(30));
  const std::string made = planned_twice(scenario.build(), settings);
  EXPECT_NE(made.find("requeue v for p\nstart p on "), std::string::npos) << made;
  EXPECT_EQ(made.find("requeue", made.find("then ")), std::string::npos) << made;
}

// `first` is reserved at the end of `v`.  What that leaves beyond the need of `p` is not for
// `small`.
TEST(Preemption, AReservedJobStartsOnWhatAVictimLeavesBeyondNeed) {
  Settings settings = high_med_low();
  settings.qos["first"].priority = 2000;
  for (const int depth : {1, 4}) {
    settings.reservation_stacks.front().depth = depth;
    Scenario scenario;
    scenario.nodes(1, procs(4)).job("v").qos("low").tasks(4).limit(hours(2));
    scenario.running_on({{"n1", 4}}, minutes(10));
    scenario.job("first").qos("first").limit(hours(1));
    scenario.job("p").qos("high").limit(hours(4));
    scenario.job("small").qos("low").tasks(3).limit(minutes(10));
    EXPECT_EQ(planned(std::move(scenario), settings),
              "requeue v for p\nstart p on n1:1\nstart first on n1:1\n"
              "reserve small in 3600 s on n1:3\n")
        << depth;
  }
}

// `p` is the second idle job of amy.  It would preempt `v` as soon as the first one has started.
TEST(Preemption, AJobThatAStartLetsIntoTheQueueHasItsTurnInTheSamePlan) {
  Settings settings = high_med_low();
  settings.users["amy"].limits.idle[static_cast<std::size_t>(LimitKind::job)] = Limit{1, 1};
  Scenario scenario;
  scenario.nodes(4, procs(1)).job("first").by("amy").qos("high").queued(hours(1));
  scenario.job("p").by("amy").qos("high").tasks(3);
  scenario.job("v").by("bob").qos("low").tasks(3);
  const std::string made = planned_twice(scenario.build(), settings);
  EXPECT_NE(made.find("start p on"), std::string::npos) << made;
  EXPECT_EQ(made.find("start v on"), std::string::npos) << made;
  EXPECT_EQ(made.find("requeue"), std::string::npos) << made;
}

// `s` has its node again in an hour.
TEST(Preemption, APreemptorStartsBeforeASuspendedJobWhetherItNeedsAVictimOrNot) {
  for (const bool another : {false, true}) {
    SCOPED_TRACE(another);
    Scenario scenario;
    scenario.nodes(3, procs(1)).job("s").qos("low").tasks(2);
    scenario.running_on({{"n1", 1}, {"n2", 1}}, minutes(30));
    if (another) scenario.job("v").qos("low").running_on({{"n3", 1}});
    Cluster cluster = scenario.job("r").qos("med").build();
    cluster.suspend_job(job_named(cluster, "s"), kNow - minutes(1), {SuspensionCause::preemption});
    cluster.start_job(job_named(cluster, "r"), {{NodeId(0U), 1, 0}}, kNow);
    Job p;
    p.name = "p";
    p.queued = kNow;
    p.credentials.qos = cluster.qos.intern("high");
    Request request;
    request.limit = hours(3);
    request.host_list = {NodeId(1U)};
    request.host_list_use = HostListUse::all_of;
    cluster.add_job(p, request);
    const std::string made = decisions(cluster, plan(cluster, high_med_low(), kNow));
    EXPECT_EQ(made, "start p on n2:1\n");
  }
}

// Jobs within their soft limits have been served.
TEST(Preemption, AJobBeyondItsSoftLimitPreemptsNobodyHoweverManyProcessorsAreIdle) {
  Settings settings = high_med_low();
  settings.users["amy"].limits.active[index_of(LimitKind::proc)] = Limit{1, 4};
  for (const int idle : {0, 1}) {
    SCOPED_TRACE(idle);
    Scenario scenario;
    scenario.nodes(3 + idle, procs(1)).job("amys").by("amy").qos("med").running_on({{"n1", 1}});
    scenario.job("v").qos("low").tasks(2).running_on({{"n2", 1}, {"n3", 1}});
    EXPECT_EQ(planned(scenario.job("p").by("amy").qos("high").tasks(2), settings).find("requeue"),
              std::string::npos);
  }
}

// The preemptor leaves processors of another node idle.
TEST(Preemption, BackfillFollowsInTheSameIteration) {
  Settings settings = high_med_low();
  settings.backfill = BackfillPolicy::first_fit;
  Scenario scenario;
  scenario.nodes(2, procs(4)).job("v").qos("low").each(procs(4)).running_on({{"n1", 1}});
  scenario.job("r").qos("med").each(procs(1)).running_on({{"n2", 1}});
  scenario.job("p").qos("high").each(procs(4));
  scenario.job("big").qos("med").each(procs(4)).tasks(2);
  const std::string made = planned(scenario.job("b").qos("med").limit(minutes(5)), settings);
  EXPECT_NE(made.find("start p on n1:1"), std::string::npos) << made;
  EXPECT_NE(made.find("backfill b on n2:1"), std::string::npos) << made;
}

TEST(RestartPreempt, RequeuesRestartableJobsThatNeverConsented) {
  Settings settings = high_med_low(Preemption::suspend);
  settings.qos["high"].flags = {"RESTARTPREEMPT"};
  Scenario scenario = full_of("med");
  scenario.nodes(1, procs(1)).job("c").qos("med").change_job([](Job& job) {
    put(job.flags, JobFlag::restartable);
  });
  scenario.running_on({{"n3", 1}}, minutes(50));
  EXPECT_EQ(planned(scenario.job("p").qos("high"), settings), "requeue c for p\nstart p on n3:1\n");
}

// --- BACKFILLPOLICY PREEMPT -----------------------------------------------------

/// Has a waiting job run since `ago`, as one that backfill started.
void backfill(Cluster& cluster, const std::string& name, Placement on, Seconds ago) {
  cluster.start_job(job_named(cluster, name), std::move(on), kNow - ago, true);
}

std::string planned(const Cluster& cluster, const Settings& settings) {
  return decisions(cluster, plan(cluster, settings, kNow));
}

Settings preempting() {
  Settings settings;
  settings.backfill = BackfillPolicy::preempt;
  return settings;
}

TEST(BackfillPreempt, TheHeadOfTheQueueTakesWhatBackfillStarted) {
  Scenario scenario;
  scenario.nodes(3, procs(1)).job("first").running_on({{"n1", 1}}, minutes(10));
  scenario.job("filler1").job("filler2").job("top").queued(hours(1)).job("next");
  Cluster cluster = scenario.build();
  backfill(cluster, "filler1", {{NodeId(1U), 1, 0}}, Seconds(0));
  backfill(cluster, "filler2", {{NodeId(2U), 1, 0}}, Seconds(0));
  EXPECT_EQ(planned(cluster, preempting()), "requeue filler2 for top\nstart top on n3:1\n");
  EXPECT_EQ(planned(cluster, {}), "reserve top in 3000 s on n1:1\n");
}

TEST(BackfillPreempt, ABackfilledJobStaysForJobsThatAreBelowItInTheQueue) {
  Scenario scenario;
  scenario.nodes(2, procs(1)).job("first").running_on({{"n1", 1}}, minutes(10));
  scenario.job("filler").queued(minutes(20)).job("top").tasks(2).queued(hours(1));
  scenario.job("second").queued(minutes(18));
  Cluster cluster = scenario.build();
  backfill(cluster, "filler", {{NodeId(1U), 1, 0}}, minutes(5));
  Settings settings = preempting();
  for (auto& stack : settings.reservation_stacks) stack.depth = 2;
  EXPECT_EQ(planned(cluster, settings), "");
}

TEST(BackfillPreempt, NothingIsReservedAndWhateverFitsStarts) {
  Scenario scenario;
  scenario.nodes(2, procs(1)).job("first").running_on({{"n1", 1}});
  scenario.job("top").tasks(2).job("long").limit(hours(9));
  EXPECT_EQ(planned(scenario, preempting()), "backfill long on n2:1\n");
}

TEST(BackfillPreempt, AJobThatBypassesAWaitingJobIsBackfilledHoweverManyMayPreempt) {
  Scenario scenario;
  scenario.nodes(4, procs(1)).job("first").running_on({{"n1", 1}});
  scenario.job("filler").job("top").tasks(4).queued(hours(1)).job("second").job("third");
  Cluster cluster = scenario.build();
  backfill(cluster, "filler", {{NodeId(1U), 1, 0}}, Seconds(0));
  Settings settings = preempting();
  for (auto& stack : settings.reservation_stacks) stack.depth = 2;
  EXPECT_EQ(planned(cluster, settings), "backfill second on n4:1\nbackfill third on n3:1\n");
}

// `top` takes the nodes of `filler`, and leaves n3 idle.  Then `wide` is the head of the queue: if
// `small` were backfilled there, `wide` would preempt it in the next cycle.
TEST(BackfillPreempt, AHeadThatStartsLeavesItsPlaceToTheNextAtOnce) {
  Scenario scenario;
  scenario.nodes(5, procs(1)).job("first").running_on({{"n5", 1}}, minutes(10));
  scenario.job("filler").tasks(3).job("filler2").job("top").tasks(2).queued(hours(2));
  Cluster cluster = scenario.job("wide").tasks(2).queued(hours(1)).job("small").build();
  backfill(cluster, "filler", {{NodeId(0U), 1, 0}, {NodeId(1U), 1, 0}, {NodeId(2U), 1, 0}},
           Seconds(0));
  backfill(cluster, "filler2", {{NodeId(3U), 1, 0}}, Seconds(0));
  const Plan made = plan(cluster, preempting(), kNow);
  EXPECT_EQ(test::started(cluster, made), "top wide") << decisions(cluster, made);
  carry_out(cluster, made, kNow);
  EXPECT_EQ(decisions(cluster, plan(cluster, preempting(), kNow + Seconds(1))), "");
}

TEST(BackfillPreempt, ASuspendedJobDoesNotResumeToBeTakenByAHead) {
  Scenario scenario;
  scenario.nodes(2, procs(1)).job("filler").tasks(2);
  Cluster cluster = scenario.job("head").tasks(2).queued(hours(1)).build();
  backfill(cluster, "filler", {{NodeId(0U), 1, 0}, {NodeId(1U), 1, 0}}, minutes(5));
  cluster.suspend_job(job_named(cluster, "filler"), kNow - minutes(1),
                      {SuspensionCause::preemption});
  const Plan made = plan(cluster, preempting(), kNow);
  EXPECT_EQ(test::started(cluster, made), "head") << decisions(cluster, made);
}

TEST(BackfillPreempt, BfPriorityPolicySaysWhoGoesFirst) {
  Cluster cluster = Scenario()
                        .nodes(5, procs(1))
                        .job("wide")
                        .tasks(4)
                        .job("narrow")
                        .job("top")
                        .queued(hours(1))
                        .build();
  backfill(cluster, "wide",
           {{NodeId(0U), 1, 0}, {NodeId(1U), 1, 0}, {NodeId(2U), 1, 0}, {NodeId(3U), 1, 0}},
           minutes(5));
  backfill(cluster, "narrow", {{NodeId(4U), 1, 0}}, minutes(8));
  Settings settings = preempting();
  EXPECT_EQ(planned(cluster, settings), "requeue narrow for top\nstart top on n5:1\n");
  settings.jobs.backfill_victim = BackfillVictim::duration;
  EXPECT_EQ(planned(cluster, settings), "requeue wide for top\nstart top on n4:1\n");
  settings.jobs.backfill_victim = BackfillVictim::hw_duration;
  EXPECT_EQ(planned(cluster, settings), "requeue narrow for top\nstart top on n5:1\n");
  settings.jobs.backfill_victim = BackfillVictim::random;
  EXPECT_EQ(planned(cluster, settings), planned(cluster, settings));
}

// `w` could take `b`; but `v`, which leaves for `p`, would be above `w` in the queue and take it.
// `p` can only run where `v` does.
TEST(BackfillPreempt, AJobDoesNotStartToBeTakenByAVictimOfTheSamePlan) {
  Scenario scenario;
  scenario.nodes(6, procs(1)).job("o").running_on({{"n6", 1}}, minutes(10));
  scenario.job("v").qos("low").tasks(3).queued(minutes(20));
  scenario.running_on({{"n1", 1}, {"n2", 1}, {"n3", 1}}, minutes(1));
  scenario.job("b").tasks(2).queued(minutes(5)).job("p").qos("high").hosts({"n1"});
  Cluster cluster = scenario.job("w").qos("low").tasks(4).queued(minutes(10)).build();
  backfill(cluster, "b", {{NodeId(3U), 1, 0}, {NodeId(4U), 1, 0}}, minutes(3));
  Settings settings = high_med_low();
  settings.backfill = BackfillPolicy::preempt;
  const std::string made = planned_twice(cluster, settings);
  EXPECT_TRUE(made.starts_with("requeue v for p\nstart p on n1:1\nthen requeue b for v\n")) << made;
}

// Amy may run two jobs: once `small` has taken the place of `b`, `wide`, the head of the queue, is
// beyond that limit, and `next` is the head.
TEST(BackfillPreempt, AJobDoesNotStartToBeTakenByAHeadThatItsLimitMakes) {
  Settings settings = high_med_low();
  settings.backfill = BackfillPolicy::preempt;
  settings.reservation_stacks = {{1, {}}};
  settings.qos["both"].flags = {"PREEMPTOR", "PREEMPTEE"};
  settings.users["amy"].limits.active[static_cast<std::size_t>(LimitKind::job)] = Limit{2, 2};
  Scenario scenario;
  scenario.nodes(4, procs(1)).job("first").by("amy").tasks(2);
  scenario.running_on({{"n1", 1}, {"n2", 1}}, minutes(10));
  scenario.job("b").by("bob").qos("low").tasks(2).queued(minutes(5));
  scenario.running_on({{"n3", 1}, {"n4", 1}}, minutes(1));
  scenario.job("wide").by("amy").tasks(4).queued(hours(3));
  scenario.job("next").by("bob").tasks(2).queued(hours(2));
  scenario.job("small").by("amy").qos("both").queued(hours(1));
  const std::string made = planned_twice(scenario.build(), settings);
  EXPECT_TRUE(made.starts_with("requeue b for next\nstart next on ")) << made;
  EXPECT_EQ(made.find("requeue small"), std::string::npos) << made;
}

TEST(BackfillPreempt, BfPriorityPolicyCountsForNoOtherBackfillPolicy) {
  Scenario scenario;
  scenario.nodes(4, procs(1)).job("wide").qos("low").tasks(2);
  scenario.job("small1").qos("low").job("small2").qos("low");
  Cluster cluster = scenario.job("p").qos("high").tasks(2).build();
  backfill(cluster, "wide", {{NodeId(0U), 1, 0}, {NodeId(1U), 1, 0}}, minutes(8));
  backfill(cluster, "small1", {{NodeId(2U), 1, 0}}, minutes(5));
  backfill(cluster, "small2", {{NodeId(3U), 1, 0}}, minutes(5));
  Settings settings = high_med_low();
  settings.jobs.backfill_victim = BackfillVictim::duration;
  settings.backfill = BackfillPolicy::preempt;
  const std::string in_order = planned(cluster, settings);
  EXPECT_TRUE(in_order.starts_with("requeue small1 for p\nrequeue small2 for p\n")) << in_order;
  for (const auto policy : {BackfillPolicy::first_fit, BackfillPolicy::none}) {
    settings.backfill = policy;
    const std::string fewest = planned(cluster, settings);
    EXPECT_TRUE(fewest.starts_with("requeue wide for p\nstart p on ")) << fewest;
  }
}

// --- suspended jobs ---------------------------------------------------------------

/// "s" has been suspended for so long, with half an hour left, and "p" has its node.
Cluster with_a_suspended_job(Seconds ago, Seconds left_to_p,
                             SuspensionCause cause = SuspensionCause::preemption) {
  Cluster cluster = Scenario()
                        .nodes(2, procs(1))
                        .job("s")
                        .qos("low")
                        .running_on({{"n1", 1}}, minutes(30) + ago)
                        .job("other")
                        .running_on({{"n2", 1}})
                        .job("p")
                        .qos("high")
                        .limit(left_to_p)
                        .build();
  cluster.extend_job(job_named(cluster, "s"), kNow + minutes(30) - ago);
  cluster.suspend_job(job_named(cluster, "s"), kNow - ago, {cause});
  cluster.start_job(job_named(cluster, "p"), {{NodeId(0U), 1, 0}}, kNow);
  return cluster;
}

/// Adds a waiting job of that QOS.
void wait(Cluster& cluster, const std::string& name, const std::string& qos, int tasks,
          Seconds limit) {
  Job job;
  job.name = name;
  job.queued = kNow;
  job.credentials.qos = cluster.qos.intern(qos);
  Request request;
  request.requirements.front().tasks = tasks;
  request.limit = limit;
  cluster.add_job(job, request);
}

/// As above, but "s" was suspended since it had exceeded its limits, and its node is free.
Cluster with_a_violator(Seconds ago = minutes(1)) {
  Cluster cluster = with_a_suspended_job(ago, hours(1), SuspensionCause::violation);
  cluster.end_job(job_named(cluster, "p"), JobState::completed, kNow);
  return cluster;
}

TEST(Suspension, AJobResumesOnItsNodesAsSoonAsTheyAreFree) {
  Cluster cluster = with_a_suspended_job(minutes(1), hours(1));
  EXPECT_EQ(decisions(cluster, plan(cluster, {}, kNow)), "");
  cluster.end_job(job_named(cluster, "p"), JobState::completed, kNow);
  const Plan made = plan(cluster, {}, kNow);
  EXPECT_EQ(decisions(cluster, made), "resume s\n");
  carry_out(cluster, made, kNow);
  const Job& job = cluster.job(job_named(cluster, "s"));
  EXPECT_EQ(job.ends, kNow + minutes(30));
  EXPECT_EQ(job.suspended_time, minutes(1));
  EXPECT_EQ(cluster.check(), std::nullopt);
}

TEST(Suspension, AJobRestsForTenSecondsAtLeast) {
  Cluster cluster = with_a_suspended_job(Seconds(9), hours(1));
  cluster.end_job(job_named(cluster, "p"), JobState::completed, kNow);
  EXPECT_EQ(decisions(cluster, plan(cluster, {}, kNow)), "");
  EXPECT_EQ(decisions(cluster, plan(cluster, {}, kNow + Seconds(1))), "resume s\n");
}

TEST(Suspension, AJobSuspendedByHandIsNotResumedAndKeepsNoNodes) {
  Cluster cluster = with_a_suspended_job(minutes(1), hours(1));
  cluster.keep_suspended(job_named(cluster, "s"));
  cluster.end_job(job_named(cluster, "p"), JobState::completed, kNow);
  EXPECT_EQ(decisions(cluster, plan(cluster, {}, kNow)), "");
  Job next;
  next.name = "next";
  next.queued = kNow;
  cluster.add_job(next, Request());
  EXPECT_EQ(decisions(cluster, plan(cluster, {}, kNow)), "start next on n1:1\n");
}

TEST(Suspension, NobodyElseGetsTheNodesOnceTheyAreFree) {
  Cluster cluster = with_a_suspended_job(minutes(1), minutes(10));
  Job wide;
  wide.name = "w";
  wide.queued = kNow - hours(9);
  Request request;
  request.requirements.front().tasks = 2;
  request.limit = hours(1);
  cluster.add_job(wide, request);
  // The other node is free after an hour, n1 after ten minutes and the half hour that s has left.
  EXPECT_EQ(decisions(cluster, plan(cluster, {}, kNow)), "reserve w in 3600 s on n2:1 n1:1\n");
  cluster.end_job(job_named(cluster, "other"), JobState::completed, kNow);
  EXPECT_EQ(decisions(cluster, plan(cluster, {}, kNow)), "reserve w in 2400 s on n1:1 n2:1\n");
}

/// "v" has all four processors for another hour; "p" needs two of them for ten minutes.
Scenario a_victim_with_nodes_to_spare() {
  Scenario scenario;
  scenario.nodes(4, procs(1)).job("v").qos("low").tasks(4);
  scenario.running_on({{"n1", 1}, {"n2", 1}, {"n3", 1}, {"n4", 1}});
  scenario.job("p").qos("high").tasks(2).limit(minutes(10));
  return scenario;
}

TEST(Suspension, ThePlanThatSuspendsAJobKeepsItsNodesForIt) {
  const Settings settings = high_med_low(Preemption::suspend);
  const auto started_beside = [&](const std::string& qos, Seconds limit) {
    Scenario scenario = a_victim_with_nodes_to_spare();
    const Cluster cluster = scenario.job("w").qos(qos).limit(limit).build();
    return test::started(cluster, plan(cluster, settings, kNow));
  };
  EXPECT_EQ(started_beside("med", minutes(10)), "p w");
  EXPECT_EQ(started_beside("med", minutes(11)), "p");
  EXPECT_EQ(started_beside("high", minutes(11)), "p w");
}

// As long as `v` ran, `wide` would have been reserved for its end.
TEST(Suspension, TheNodesOfAVictimAreKeptBeforeReservationsAreMade) {
  Settings settings = high_med_low(Preemption::suspend);
  settings.qos["wide"].priority = 2000;
  Scenario scenario = a_victim_with_nodes_to_spare();
  scenario.job("wide").qos("wide").tasks(4).limit(minutes(10));
  Cluster cluster = scenario.job("w").limit(minutes(50)).build();
  const Plan made = plan(cluster, settings, kNow);
  EXPECT_EQ(
      decisions(cluster, made),
      "suspend v for p\nstart p on n4:1 n3:1\nreserve wide in 4200 s on n4:1 n3:1 n2:1 n1:1\n");
  carry_out(cluster, made, kNow);
  EXPECT_EQ(decisions(cluster, plan(cluster, settings, kNow + Seconds(1))), "");
}

TEST(Suspension, AWaitingPreemptorOfHigherPriorityComesFirst) {
  Cluster cluster = with_a_suspended_job(minutes(1), hours(1));
  cluster.end_job(job_named(cluster, "p"), JobState::completed, kNow);
  wait(cluster, "p2", "high", 1, hours(1));
  EXPECT_EQ(decisions(cluster, plan(cluster, high_med_low(), kNow)), "start p2 on n1:1\n");
}

// The nodes of `s` are free once `v` has left, but it does not resume before the next plan.
TEST(Suspension, APreemptorAlsoComesFirstWhereAVictimHasLeftTheNodes) {
  Scenario scenario;
  scenario.nodes(2, procs(1)).job("v").qos("low").tasks(2);
  scenario.job("s").qos("low").running_on({{"n2", 1}}, minutes(30));
  scenario.job("p1").qos("high").hosts({"n1"}).job("p2").qos("high");
  Cluster cluster = scenario.build();
  cluster.suspend_job(job_named(cluster, "s"), kNow - minutes(20));
  cluster.start_job(
      job_named(cluster, "v"),
      Placement{{test::node_named(cluster, "n1"), 1, 0}, {test::node_named(cluster, "n2"), 1, 0}},
      kNow - minutes(20));
  const auto made = plan(cluster, high_med_low(), kNow);
  EXPECT_EQ(test::started(cluster, made), "p1 p2");
}

TEST(Suspension, APreemptorOvertakesNoJobOfHigherPriority) {
  Settings settings = high_med_low();
  settings.qos["top"].priority = 2000;
  for (const bool p_has_ended : {false, true}) {
    SCOPED_TRACE(p_has_ended);
    Cluster cluster = with_a_suspended_job(minutes(1), hours(1));
    cluster.end_job(job_named(cluster, "other"), JobState::completed, kNow);
    if (p_has_ended) cluster.end_job(job_named(cluster, "p"), JobState::completed, kNow);
    wait(cluster, "wide", "top", 2, hours(1));
    wait(cluster, "p2", "high", 1, hours(10));
    const Plan made = plan(cluster, settings, kNow);
    EXPECT_EQ(made.starts, 0U) << decisions(cluster, made);
  }
}

// A job that was suspended for exceeding its limits keeps no nodes.
TEST(Suspension, AViolatorComesAfterTheJobsThatWait) {
  Cluster cluster = with_a_violator();
  EXPECT_EQ(decisions(cluster, plan(cluster, {}, kNow)), "resume s\n") << "nothing waits";
  wait(cluster, "next", "low", 1, hours(1));
  EXPECT_EQ(decisions(cluster, plan(cluster, {}, kNow)), "start next on n1:1\n");
}

TEST(Suspension, AViolatorComesAfterJobsThatAreBackfilled) {
  Cluster cluster = with_a_violator();
  wait(cluster, "wide", "low", 2, hours(1));
  wait(cluster, "next", "low", 1, hours(1));
  EXPECT_EQ(decisions(cluster, plan(cluster, {}, kNow)),
            "backfill next on n1:1\nreserve wide in 3600 s on n2:1 n1:1\n");
}

// The other node is free after an hour; the violator has half an hour left.
TEST(Suspension, AViolatorResumesWhereThatDelaysNoReservation) {
  Cluster cluster = with_a_violator();
  wait(cluster, "wide", "low", 2, hours(1));
  EXPECT_EQ(decisions(cluster, plan(cluster, {}, kNow)),
            "resume s\nreserve wide in 3600 s on n2:1 n1:1\n");
  cluster.extend_job(job_named(cluster, "other"), kNow + minutes(29));
  EXPECT_EQ(decisions(cluster, plan(cluster, {}, kNow)), "reserve wide in 1740 s on n2:1 n1:1\n");
}

TEST(Suspension, AViolatorResumesWithinHardLimits) {
  Cluster cluster = with_a_violator();
  Settings settings;
  for (const int most : {2, 1}) {
    settings.system.limits.active[index_of(LimitKind::job)] = Limit{1, most};
    EXPECT_EQ(decisions(cluster, plan(cluster, settings, kNow)), most == 2 ? "resume s\n" : "");
  }
}

// "wide" is to have n2 when "other" ends in fifty minutes, but MAXPROC counts the violator until
// then.
TEST(Suspension, AViolatorLeavesAReservedJobWhatLimitsAllow) {
  Cluster cluster = Scenario()
                        .nodes(2, procs(2))
                        .job("s")
                        .tasks(2)
                        .running_on({{"n1", 2}})
                        .job("other")
                        .running_on({{"n2", 1}}, minutes(10))
                        .build();
  cluster.suspend_job(job_named(cluster, "s"), kNow - minutes(1), {SuspensionCause::violation});
  Job wide;
  wide.name = "wide";
  wide.queued = kNow;
  Request request;
  request.requirements.front().tasks = 2;
  request.host_list = {NodeId(1U)};
  request.host_list_use = HostListUse::some_of;
  cluster.add_job(wide, request);
  Settings settings;
  for (const int most : {4, 3}) {
    settings.system.limits.active[index_of(LimitKind::proc)] = Limit{most, most};
    EXPECT_EQ(decisions(cluster, plan(cluster, settings, kNow)),
              (most == 4 ? std::string("resume s\n") : std::string()) +
                  "reserve wide in 3000 s on n2:2\n");
  }
}

TEST(Suspension, AViolatorPassesNoJobWithoutBackfill) {
  Settings settings;
  settings.backfill = BackfillPolicy::none;
  Cluster cluster = with_a_violator();
  wait(cluster, "wide", "low", 2, hours(1));
  EXPECT_EQ(decisions(cluster, plan(cluster, settings, kNow)), "");
}

TEST(Suspension, AViolatorRestsForTenSecondsAtLeast) {
  Cluster cluster = with_a_violator(Seconds(9));
  EXPECT_EQ(decisions(cluster, plan(cluster, {}, kNow)), "");
  EXPECT_EQ(decisions(cluster, plan(cluster, {}, kNow + Seconds(1))), "resume s\n");
}

TEST(Suspension, AViolatorWaitsForANodeThatIsDown) {
  Cluster cluster = with_a_violator();
  cluster.set_node_state(NodeId(0U), NodeState::down, kNow);
  EXPECT_EQ(decisions(cluster, plan(cluster, {}, kNow)), "");
}

// "t" had come to the node of "s".
TEST(Suspension, AViolatorComesAfterAJobThatWasPreempted) {
  for (const bool both : {false, true}) {
    SCOPED_TRACE(both);
    Cluster cluster = with_a_violator();
    wait(cluster, "t", "low", 1, hours(1));
    const JobId s = job_named(cluster, "s"), t = job_named(cluster, "t");
    cluster.start_job(t, {{NodeId(0U), 1, 0}}, kNow - minutes(1));
    cluster.suspend_job(t, kNow - Seconds(30),
                        {both ? SuspensionCause::violation : SuspensionCause::preemption});
    cluster.set_system_priority(s, {false, 1000});
    EXPECT_EQ(decisions(cluster, plan(cluster, {}, kNow)), both ? "resume s\n" : "resume t\n");
  }
}

TEST(Suspension, AJobIsAViolatorUntilItResumesOrIsRequeued) {
  Cluster cluster = with_a_violator();
  const JobId s = job_named(cluster, "s");
  cluster.resume_job(s, kNow);
  EXPECT_NE(cluster.job(s).suspension_reason->cause, SuspensionCause::violation);
  cluster.suspend_job(s, kNow);
  EXPECT_TRUE(cluster.job(s).keeps_nodes());
  cluster.resume_job(s, kNow);
  cluster.suspend_job(s, kNow, {SuspensionCause::violation});
  EXPECT_FALSE(cluster.job(s).keeps_nodes());
  cluster.requeue_job(s, kNow);
  EXPECT_NE(cluster.job(s).suspension_reason->cause, SuspensionCause::violation);
  EXPECT_EQ(cluster.check(), std::nullopt);
}

// Jobs that run stay, too.
TEST(Suspension, AJobResumesOnItsNodesThoughTheyHaveLostAFeature) {
  for (const auto cause : {SuspensionCause::preemption, SuspensionCause::violation}) {
    SCOPED_TRACE(static_cast<int>(cause));
    Cluster cluster = Scenario()
                          .nodes(1, procs(1))
                          .features({"fast"})
                          .job("s")
                          .features({"fast"})
                          .running_on({{"n1", 1}})
                          .build();
    cluster.suspend_job(job_named(cluster, "s"), kNow - minutes(1), {cause});
    Node without = cluster.node(NodeId(0U));
    without.features.clear();
    cluster.update_node(NodeId(0U), without, kNow);
    EXPECT_EQ(decisions(cluster, plan(cluster, {}, kNow)), "resume s\n");
  }
}

TEST(Suspension, AJobWaitsForANodeThatIsDown) {
  Cluster cluster = with_a_suspended_job(minutes(1), hours(1));
  cluster.end_job(job_named(cluster, "p"), JobState::completed, kNow);
  cluster.set_node_state(NodeId(0U), NodeState::down, kNow);
  EXPECT_EQ(decisions(cluster, plan(cluster, {}, kNow)), "");
}

}  // namespace
}  // namespace maui
