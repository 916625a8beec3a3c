// The priority pass, priority reservations and backfill (paper 4.2; guide 8.2).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "sched/changes_ahead.h"
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
using test::started;

Settings with(BackfillPolicy policy, BackfillMetric metric = BackfillMetric::procs) {
  Settings settings;
  settings.backfill = policy;
  settings.backfill_metric = metric;
  return settings;
}

/// Eight nodes of one processor: four run a job for an hour yet, then the first job of the queue
/// takes all of them.  So there is one backfill window: four processors for an hour.
Scenario four_free_for_an_hour() {
  Scenario scenario;
  scenario.nodes(8, procs(1, 100))
      .job("running")
      .running_on({{"n1", 1}, {"n2", 1}, {"n3", 1}, {"n4", 1}});
  scenario.job("top").tasks(8);
  return scenario;
}

/// The scene of guide 8.2.2: as before, but the first job leaves one node alone.
Scenario two_windows() {
  Scenario scenario;
  scenario.nodes(8, procs(1)).job("a").running_on({{"n1", 1}, {"n2", 1}});
  scenario.job("b").running_on({{"n3", 1}, {"n4", 1}}).job("c").tasks(7);
  return scenario;
}

std::string starts(Scenario scenario, const Settings& settings) {
  const Cluster cluster = scenario.build();
  return started(cluster, plan(cluster, settings, kNow));
}

// For `small` there are processors until and after the start of `top`, but in one arrangement of
// the reservations only.  It ends before the second window does, but not with it.
TEST(Starts, ReservationsAreRearrangedForAJobInEachOrderOfWindows) {
  Scenario scenario;
  scenario.nodes(3, procs(4)).job("running").tasks(8).running_on({{"n1", 2}, {"n2", 4}, {"n3", 2}});
  scenario.job("top").tasks(8).limit(minutes(50));
  scenario.job("second").tasks(6).limit(minutes(50));
  scenario.job("third").tasks(6).limit(minutes(150));
  scenario.job("small").tasks(4).limit(minutes(90));
  const Cluster cluster = scenario.build();
  for (const auto order : {WindowOrder::widest, WindowOrder::longest, WindowOrder::priority}) {
    Settings settings = with(BackfillPolicy::first_fit);
    settings.window_order = order;
    for (auto& stack : settings.reservation_stacks) stack.depth = 3;
    EXPECT_EQ(started(cluster, plan(cluster, settings, kNow)), "small") << static_cast<int>(order);
  }
}

TEST(Starts, ACycleThatKeepsTooMuchLeavesTheRestToTheNext) {
  Scenario scenario;
  scenario.nodes(1, procs(16));
  for (int i = 0; i < 10; ++i) scenario.job(fmt::format("j{}", i)).limit(minutes(10 + i));
  Cluster cluster = scenario.build();
  const Settings settings;
  CyclePlanner planner;
  planner.keep_at_most(10);
  // Jobs on the node with each start: 1, 2, 3, 4 and 5; then 6 and 7, and so on.
  for (const std::string expected : {"j0 j1 j2 j3 j4", "j5 j6", "j7 j8", "j9"}) {
    const Plan next = planner.plan(cluster, settings, kNow);
    EXPECT_EQ(started(cluster, next), expected);
    EXPECT_EQ(next.goes_on, expected != "j9");
    if (next.goes_on) {
      EXPECT_EQ(next.reasons.back(), Reason::next_iteration);
      EXPECT_EQ(next_change(cluster, settings, next, kNow), kNow + Seconds(1));
    }
    carry_out(cluster, next, kNow);
  }
}

TEST(Reasons, BlockingReservationsAreDistinguishedFromTooFewFreeProcessors) {
  auto scenario = four_free_for_an_hour();
  scenario.node("big", procs(1, 200)).job("there").running_on({{"big", 1}});
  scenario.job("long").tasks(4).limit(hours(3));  // RESERVATIONSLACK is an hour
  scenario.job("wide").tasks(5).limit(minutes(5));
  scenario.job("much memory").each(procs(1, 150)).limit(minutes(5));
  const Cluster cluster = scenario.build();
  for (const auto use : {LearningUse::none, LearningUse::backfill}) {
    Settings settings;
    settings.learning.use = use;
    const auto made = plan(cluster, settings, kNow);
    ASSERT_EQ(made.reasons.size(), 4U);
    EXPECT_EQ(made.reasons[0], Reason::reserved_later);
    EXPECT_EQ(made.reasons[1], Reason::reservations_block);
    EXPECT_EQ(made.reasons[2], Reason::idle_procs);
    EXPECT_EQ(made.reasons[3], Reason::requirements);
  }
}

TEST(PriorityPass, StartsJobsInOrderUntilAJobBlocks) {
  const Cluster cluster = Scenario()
                              .nodes(4, procs(1))
                              .job("a")
                              .tasks(1)
                              .job("b")
                              .tasks(2)
                              .job("c")
                              .tasks(2)
                              .job("d")
                              .tasks(1)
                              .build();
  const Plan made = plan(cluster, with(BackfillPolicy::none), kNow);
  EXPECT_EQ(started(cluster, made), "a b");
  EXPECT_EQ(made.reasons[2], Reason::idle_procs) << "it waits for nobody";
  EXPECT_EQ(made.reasons[3], Reason::not_reached);
}

TEST(PriorityPass, AJobThatTheClusterCanNeverServeIsHeldAndStopsNobody) {
  const Cluster cluster = Scenario().nodes(2, procs(1)).job("huge").tasks(3).job("b").build();
  const Plan made = plan(cluster, with(BackfillPolicy::none), kNow);
  EXPECT_EQ(made.order.size(), 1U) << "it is not considered";
  EXPECT_EQ(started(cluster, made), "b");
  ASSERT_TRUE(std::holds_alternative<HoldJob>(made.decisions.front()));
  EXPECT_EQ(std::get<HoldJob>(made.decisions.front()).hold, Hold::defer);
}

TEST(Reservations, DepthIsTheNumberOfBlockedJobsWithAReservation) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).job("r").running_on({{"n1", 1}});
  scenario.job("a").job("b").job("c");
  const Cluster cluster = scenario.build();
  Settings settings;
  EXPECT_EQ(decisions(cluster, plan(cluster, settings, kNow)), "reserve a in 3600 s on n1:1\n");
  settings.reservation_stacks = {{2, {}}};
  EXPECT_EQ(decisions(cluster, plan(cluster, settings, kNow)),
            "reserve a in 3600 s on n1:1\nreserve b in 7200 s on n1:1\n");
  settings.reservation_policy = ReservationPolicy::never;
  EXPECT_EQ(decisions(cluster, plan(cluster, settings, kNow)), "");
}

TEST(Reservations, EachListOfQosHasADepthOfItsOwn) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).job("r").running_on({{"n1", 1}});
  scenario.job("a").qos("low").job("b").qos("high").job("c").qos("low").job("d").qos("high");
  const Cluster cluster = scenario.build();
  Settings settings;
  settings.reservation_stacks = {{2, {"high"}}, {1, {"low"}}};
  // That the second job of QOS low has no place takes none from the second one of high.
  EXPECT_EQ(decisions(cluster, plan(cluster, settings, kNow)),
            "reserve a in 3600 s on n1:1\nreserve b in 7200 s on n1:1\n"
            "reserve d in 10800 s on n1:1\n");
}

/// The first job of the queue needs a node that is others' for ever; `wide` waits for the rest.
Cluster one_without_a_place() {
  Scenario scenario;
  scenario.nodes(3, procs(1));
  scenario.reservation("others").on({"n3"}).until(kForever).for_users({"bob"});
  scenario.job("r").running_on({{"n1", 1}});
  scenario.job("without").hosts({"n3"}).job("wide").tasks(2);
  scenario.job("long").limit(hours(2));
  return scenario.build();
}

TEST(Reservations, AJobWithoutAPlaceAsThingsStandTakesNobodysReservation) {
  const Cluster cluster = one_without_a_place();
  EXPECT_EQ(decisions(cluster, plan(cluster, {}, kNow)), "reserve wide in 3600 s on n1:1 n2:1\n")
      << "long would have been backfilled, and wide had waited for it";
}

TEST(PriorityPass, NobodyWaitsForAJobWithoutAPlaceAsThingsStand) {
  Scenario scenario;
  scenario.nodes(2, procs(1));
  scenario.reservation("others").on({"n2"}).until(kForever).for_users({"bob"});
  scenario.job("without").hosts({"n2"}).job("a").job("b").job("c");
  const Cluster cluster = scenario.build();
  EXPECT_EQ(started(cluster, plan(cluster, with(BackfillPolicy::none), kNow)), "a");
}

/// One node, taken for an hour; `a` has a reservation, then `vip` comes, which is more important.
Cluster overtaken() {
  Scenario scenario;
  scenario.nodes(1, procs(1)).job("r").running_on({{"n1", 1}});
  scenario.job("a").reserved_on({{"n1", 1}}, kNow + hours(1));
  scenario.job("vip").change_job([](Job& job) { job.system_priority = {true, 1}; });
  return scenario.build();
}

TEST(Reservations, CurrentHighestGivesThePlaceToWhoIsHighestNow) {
  const Cluster cluster = overtaken();
  EXPECT_EQ(decisions(cluster, plan(cluster, {}, kNow)), "drop a\nreserve vip in 3600 s on n1:1\n");
}

TEST(Reservations, HighestKeepsWhatWasPromised) {
  const Cluster cluster = overtaken();
  Settings settings;
  settings.reservation_policy = ReservationPolicy::highest;
  settings.reservation_stacks = {{2, {}}};
  EXPECT_EQ(decisions(cluster, plan(cluster, settings, kNow)), "reserve vip in 7200 s on n1:1\n");
}

TEST(Reservations, HighestSlidesForwardWhenAJobEndsEarly) {
  Cluster cluster = overtaken();
  Settings settings;
  settings.reservation_policy = ReservationPolicy::highest;
  carry_out(cluster, plan(cluster, settings, kNow), kNow);
  const Time later = kNow + minutes(10);
  cluster.end_job(job_named(cluster, "r"), JobState::completed, later);
  // `vip` is asked first, and cannot end before the place of `a`.  When that has slid away, `vip`
  // follows.
  const Plan made = plan(cluster, settings, later);
  EXPECT_EQ(decisions(cluster, made, later), "start a on n1:1\nreserve vip in 3600 s on n1:1\n");
  carry_out(cluster, made, later);
  EXPECT_EQ(decisions(cluster, plan(cluster, settings, later), later), "");
}

TEST(Reservations, CurrentHighestKeepsItsNodesUntilSomethingIsReleased) {
  Scenario scenario;
  scenario.nodes(5, procs(1)).job("r").running_on({{"n1", 1}, {"n2", 1}, {"n3", 1}});
  scenario.job("ends").limit(hours(9)).running_on({{"n5", 1}});
  scenario.job("a").tasks(3).reserved_on({{"n1", 1}, {"n2", 1}, {"n4", 1}}, kNow + hours(1));
  Cluster cluster = scenario.build();
  cluster.note_reservations_planned(true);
  EXPECT_EQ(decisions(cluster, plan(cluster, {}, kNow)), "");
  const Time later = kNow + minutes(10);
  cluster.end_job(job_named(cluster, "ends"), JobState::completed, later);
  // n4 and n5 are left to whoever can use them before.
  EXPECT_EQ(decisions(cluster, plan(cluster, {}, later), later),
            "reserve a in 3000 s on n3:1 n2:1 n1:1\n");
}

// EASY starts b: at the start of the reservation there is one node more than it needs.
TEST(Reservations, CurrentHighestChoosesNodesAnewWhenAJobEndsAsPlanned) {
  Scenario scenario;
  scenario.nodes(4, procs(1)).job("r").limit(hours(2)).running_on({{"n1", 1}, {"n4", 1}});
  scenario.job("ends").limit(hours(1)).running_on({{"n2", 1}});
  scenario.job("late").limit(minutes(90)).running_on({{"n3", 1}});
  scenario.job("a").tasks(3).reserved_on({{"n1", 1}, {"n2", 1}, {"n4", 1}}, kNow + hours(2));
  scenario.job("b").limit(hours(9));
  Cluster cluster = scenario.build();
  cluster.note_reservations_planned(true);
  const Time later = kNow + hours(1);
  cluster.end_job(job_named(cluster, "ends"), JobState::completed, later);
  EXPECT_EQ(decisions(cluster, plan(cluster, {}, later), later),
            "backfill b on n2:1\nreserve a in 3600 s on n4:1 n1:1 n3:1\n");
}

TEST(Reservations, CurrentHighestGivesUpNodesThatItCanNotHave) {
  Scenario scenario;
  scenario.nodes(4, procs(1)).job("r").running_on({{"n1", 1}, {"n2", 1}});
  scenario.job("first").limit(hours(9)).change_job([](Job& job) {
    job.system_priority = {true, 1};
  });
  scenario.hosts({"n3"});
  scenario.job("a").tasks(3).reserved_on({{"n1", 1}, {"n2", 1}, {"n3", 1}}, kNow + hours(1));
  Cluster cluster = scenario.build();
  cluster.note_reservations_planned(true);
  EXPECT_EQ(decisions(cluster, plan(cluster, {}, kNow)),
            "start first on n3:1\nreserve a in 3600 s on n2:1 n1:1 n4:1\n");
}

// Guide 8.2.1: two processors; A runs for three more hours, B needs both for one hour, C one for
// two.
TEST(Backfill, ShortJobsGoAheadAndTheReservationSlidesForward) {
  Scenario scenario;
  scenario.nodes(1, procs(2)).job("A").limit(hours(4)).running_on({{"n1", 1}}, hours(1));
  scenario.job("B").tasks(2).limit(hours(1)).job("C").tasks(1).limit(hours(2));
  Cluster cluster = scenario.build();
  const Plan first = plan(cluster, {}, kNow);
  EXPECT_EQ(decisions(cluster, first), "backfill C on n1:1\nreserve B in 10800 s on n1:2\n");
  carry_out(cluster, first, kNow);
  const Time later = kNow + hours(1);
  cluster.end_job(job_named(cluster, "A"), JobState::completed, later);
  const Plan second = plan(cluster, {}, later);
  EXPECT_EQ(decisions(cluster, second, later), "reserve B in 3600 s on n1:2\n");
  carry_out(cluster, second, later);
  const Time last = later + hours(1);
  cluster.end_job(job_named(cluster, "C"), JobState::completed, last);
  EXPECT_EQ(decisions(cluster, plan(cluster, {}, last), last), "start B on n1:2\n");
}

TEST(Backfill, AJobThatWouldDelayTheReservationWaits) {
  EXPECT_EQ(starts(four_free_for_an_hour().job("x").limit(hours(1) + Seconds(1)), {}), "");
  EXPECT_EQ(starts(four_free_for_an_hour().job("x").limit(hours(1)), {}), "x");
}

TEST(Backfill, NoneStartsNothingBehindABlockedJobAndReservesNothing) {
  const Cluster cluster = four_free_for_an_hour().job("x").build();
  EXPECT_EQ(decisions(cluster, plan(cluster, with(BackfillPolicy::none), kNow)), "");
}

Scenario candidates() {
  Scenario scenario = four_free_for_an_hour();
  scenario.job("x").tasks(3).limit(minutes(10)).each(procs(1, 10));   // 30 processor minutes
  scenario.job("y").tasks(2).limit(minutes(50)).each(procs(1, 10));   // 100
  scenario.job("z").tasks(1).limit(minutes(60)).each(procs(1, 100));  // 60
  return scenario;
}

TEST(Backfill, FirstFitTakesCandidatesByPriority) {
  EXPECT_EQ(starts(candidates(), with(BackfillPolicy::first_fit)), "x z");
}

TEST(Backfill, BestFitTakesWhatFillsMostByTheMetric) {
  const auto best = [](BackfillMetric metric) {
    return starts(candidates(), with(BackfillPolicy::best_fit, metric));
  };
  EXPECT_EQ(best(BackfillMetric::procs), "x z");
  EXPECT_EQ(best(BackfillMetric::proc_seconds), "y z");
  EXPECT_EQ(best(BackfillMetric::seconds), "z y");
  // Processor equivalents: x 3, y 2, z 1 of eight; memory does not change that here.
  EXPECT_EQ(best(BackfillMetric::pe), "x z");
  EXPECT_EQ(best(BackfillMetric::pe_seconds), "y z");
}

TEST(Backfill, ProcessorEquivalentsCountTheScarcestResource) {
  Scenario scenario = four_free_for_an_hour();
  scenario.job("wide").tasks(2).each(procs(1, 1));
  scenario.job("fat").tasks(3).each(procs(1, 100)).limit(minutes(10));
  Settings settings = with(BackfillPolicy::best_fit, BackfillMetric::pe);
  EXPECT_EQ(starts(scenario, settings), "fat");
}

TEST(Backfill, GreedyFindsTheCombinationThatBestFitMisses) {
  const auto three_two_two = [] {
    Scenario scenario = four_free_for_an_hour();
    scenario.job("x").tasks(3).job("y").tasks(2).job("z").tasks(2);
    return scenario;
  };
  EXPECT_EQ(starts(three_two_two(), with(BackfillPolicy::best_fit)), "x");
  EXPECT_EQ(starts(three_two_two(), with(BackfillPolicy::greedy)), "y z");
}

/// Seventeen of twenty processors are free for an hour; forty jobs each ask for 12, 9 and 8 of
/// them.
Scenario seventeen_free(Seconds apart) {
  Scenario scenario;
  scenario.nodes(20, procs(1)).job("running").running_on({{"n1", 1}, {"n2", 1}, {"n3", 1}});
  scenario.job("top").tasks(20);
  Seconds limit = minutes(5);
  for (int i = 0; i < 40; ++i)
    for (const int size : {12, 9, 8}) {
      scenario.job("j" + std::to_string(size) + "." + std::to_string(i)).tasks(size).limit(limit);
      limit = limit + apart;
    }
  return scenario;
}

TEST(Backfill, GreedyKnowsHowManyProcessorsAreLeft) {
  EXPECT_EQ(starts(seventeen_free(Seconds(0)), with(BackfillPolicy::best_fit)), "j12.0");
  EXPECT_EQ(starts(seventeen_free(Seconds(0)), with(BackfillPolicy::greedy)), "j9.0 j8.0");
  EXPECT_EQ(starts(seventeen_free(Seconds(1)), with(BackfillPolicy::greedy)), "j9.0 j8.0")
      << "no two jobs are alike";
}

TEST(Backfill, GreedyFillsAsMuchAsTheBestSetOfAll) {
  std::mt19937 random(20261122);
  for (int world = 0; world < 200; ++world) {
    const int free = std::uniform_int_distribution(3, 30)(random);
    Scenario scenario;
    scenario.nodes(free + 1, procs(1)).job("running").running_on({{"n1", 1}});
    scenario.job("top").tasks(free + 1);
    std::vector<char> reachable(static_cast<std::size_t>(free) + 1, 0);
    reachable[0] = 1;
    for (int i = 0; i < 12; ++i) {
      const auto size = std::uniform_int_distribution(1, 12)(random);
      scenario.job("j" + std::to_string(i)).tasks(size).limit(minutes(10 + i));
      for (int sum = free; sum >= size; --sum)
        if (reachable[static_cast<std::size_t>(sum - size)])
          reachable[static_cast<std::size_t>(sum)] = 1;
    }
    int best = free;
    while (!reachable[static_cast<std::size_t>(best)]) --best;
    const Cluster cluster = scenario.build();
    const Plan made = plan(cluster, with(BackfillPolicy::greedy), kNow);
    int used = 0;
    for (const auto& decision : made.decisions)
      if (const auto* start = std::get_if<StartJob>(&decision))
        used += cluster.request_of(start->job).total_procs();
    EXPECT_EQ(used, best) << "world " << world;
  }
}

TEST(Backfill, ShortestFirstGoesByTheWallclockLimit) {
  Scenario scenario = four_free_for_an_hour();
  scenario.job("x").tasks(3).limit(minutes(50)).job("y").tasks(2).limit(minutes(10));
  scenario.job("z").tasks(2).limit(minutes(20));
  EXPECT_EQ(starts(scenario, with(BackfillPolicy::shortest_first)), "y z");
}

TEST(Backfill, DepthLimitsHowManyCandidatesAreLookedAt) {
  Scenario scenario = four_free_for_an_hour();
  scenario.job("x").tasks(5).job("y").job("z");
  const Cluster cluster = scenario.build();
  Settings settings;
  settings.backfill_depth = 2;
  const Plan made = plan(cluster, settings, kNow);
  EXPECT_EQ(started(cluster, made), "y");
  EXPECT_EQ(made.reasons[3], Reason::backfill_depth);
}

TEST(Backfill, WindowsAreVisitedInTheirOrder) {
  Scenario scenario = two_windows();
  scenario.job("long").tasks(1).limit(hours(2)).job("wide").tasks(4).limit(hours(1));
  const Cluster long_first = scenario.build();
  const Cluster wide_first = two_windows()
                                 .job("wide")
                                 .tasks(4)
                                 .limit(hours(1))
                                 .job("long")
                                 .tasks(1)
                                 .limit(hours(2))
                                 .build();
  const auto in_order = [](const Cluster& cluster, WindowOrder order) {
    Settings settings;
    settings.window_order = order;
    return started(cluster, plan(cluster, settings, kNow));
  };
  EXPECT_EQ(in_order(long_first, WindowOrder::widest), "wide");
  EXPECT_EQ(in_order(long_first, WindowOrder::longest), "long");
  EXPECT_EQ(in_order(long_first, WindowOrder::priority), "long");
  EXPECT_EQ(in_order(wide_first, WindowOrder::widest), "wide");
  EXPECT_EQ(in_order(wide_first, WindowOrder::longest), "long");
  EXPECT_EQ(in_order(wide_first, WindowOrder::priority), "wide");
}

TEST(Backfill, SaysWhomItPassed) {
  const Cluster cluster = four_free_for_an_hour().job("x").tasks(5).job("y").build();
  const Plan made = plan(cluster, {}, kNow);
  ASSERT_EQ(made.backfilled.size(), 1U);
  EXPECT_EQ(made.backfilled.front(), 2U);
}

// Two jobs of one shape: the reservation admits the second only.
TEST(Backfill, AJobUsesTheReservationThatAdmitsItThoughItsLikeMayNot) {
  Scenario scenario;
  scenario.nodes(2, procs(1)).job("running").running_on({{"n1", 1}});
  scenario.job("bobs").by("bob").limit(minutes(10)).job("amys").by("amy").limit(minutes(10));
  scenario.reservation("r").on({"n2"}).until(hours(9)).for_users({"amy"});
  for (const auto order : {WindowOrder::widest, WindowOrder::longest, WindowOrder::priority}) {
    Settings settings;
    settings.window_order = order;
    EXPECT_EQ(starts(scenario, settings), "amys") << static_cast<int>(order);
  }
}

// Among shapes that fit now, the one that ends first counts.
TEST(Alternatives, TheShapeThatEndsFirstIsTaken) {
  Scenario scenario;
  scenario.nodes(4, procs(1)).job("running").running_on({{"n1", 1}});
  scenario.job("a").tasks(4).change_job([](Job& job) {
    job.alternatives = {{4, minutes(10)}, {3, minutes(15)}, {2, minutes(20)}};
  });
  Cluster cluster = scenario.build();
  const Plan made = plan(cluster, {}, kNow);
  ASSERT_EQ(made.starts, 1U);
  EXPECT_EQ(std::get<StartJob>(made.decisions.front()).alternative, 1U);
  carry_out(cluster, made, kNow);
  EXPECT_EQ(cluster.job(job_named(cluster, "a")).ends, kNow + minutes(15));
}

// A job that asks for the same, and has no other shape, does not fit.
TEST(Alternatives, AnotherShapeIsTriedThoughItsLikeDoNotFit) {
  for (const auto learned : {LearningUse::none, LearningUse::backfill}) {
    Scenario scenario = four_free_for_an_hour();
    scenario.job("rigid").tasks(6).limit(minutes(10));
    scenario.job("moldable").tasks(6).limit(minutes(10)).change_job([](Job& job) {
      job.alternatives = {{6, minutes(10)}, {3, minutes(20)}};
    });
    Settings settings = with(BackfillPolicy::first_fit);
    settings.learning.use = learned;
    EXPECT_EQ(starts(scenario, settings), "moldable") << static_cast<int>(learned);
  }
}

}  // namespace
}  // namespace maui
