// RUNTIMELEARNING BACKFILL and PRIORITY: whom backfill takes first, what it may make a reserved job
// wait, and what comes before all other jobs.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sched/cycle.h"
#include "sched/query/explain.h"
#include "support/carry_out.h"
#include "support/random_cluster.h"

namespace maui {
namespace {

using test::carry_out;
using test::hours;
using test::job_named;
using test::kNow;
using test::minutes;
using test::procs;
using test::Scenario;
using test::started;

Settings learning(LearningUse use = LearningUse::backfill) {
  Settings settings;
  settings.learning.use = use;
  return settings;
}

/// Four processors, of which two are free; the others run for an hour yet; the first job needs
/// four.
Scenario two_free_for_an_hour() {
  Scenario scenario;
  scenario.nodes(4, procs(1)).job("running").tasks(2).running_on({{"n1", 1}, {"n2", 1}});
  scenario.job("top").tasks(4);
  return scenario;
}

/// The same with two jobs behind it, of which the second has that limit.
Cluster long_and_short(Seconds limit_of_short) {
  return two_free_for_an_hour()
      .job("long")
      .tasks(2)
      .limit(minutes(30))
      .job("short")
      .tasks(2)
      .limit(limit_of_short)
      .build();
}

void expect_run(Cluster& cluster, const std::string& job, double seconds) {
  RunTimes::OfJob& told = cluster.run_times.at(job_named(cluster, job));
  told.expected = {seconds, seconds, 1 / seconds};
  told.worth = 1 / seconds / seconds;
}

/// As the engine does.
void note_promises(Cluster& cluster, const Plan& plan) {
  if (!plan.promises) return;
  for (const auto& one : *plan.promises) {
    Time& best = cluster.run_times.at(one.job).promised;
    best = std::min(best, one.start);
  }
}

Plan plan_and_carry_out(Cluster& cluster, const Settings& settings, Time now) {
  Plan made = plan(cluster, settings, now);
  note_promises(cluster, made);
  carry_out(cluster, made, now);
  return made;
}

Time reserved_start(const Cluster& cluster, const std::string& job) {
  return cluster.reservation(cluster.job(job_named(cluster, job)).reservation).start;
}

TEST(LearnedBackfill, TheJobThatIsWorthMostGoesFirst) {
  Cluster cluster = long_and_short(minutes(30));
  expect_run(cluster, "long", 1500);
  expect_run(cluster, "short", 20);
  EXPECT_EQ(started(cluster, plan(cluster, learning(), kNow)), "short");
  EXPECT_EQ(started(cluster, plan(cluster, Settings(), kNow)), "long");
}

TEST(LearnedBackfill, WhatIsOnlyShownDecidesNothing) {
  Cluster cluster = long_and_short(minutes(90));
  expect_run(cluster, "short", 20);
  cluster.run_times.at(job_named(cluster, "short")).fair_wait = Seconds(0);
  const auto with = [&](LearningUse use) {
    return test::tell(cluster, plan(cluster, learning(use), kNow), kNow);
  };
  EXPECT_EQ(with(LearningUse::show), with(LearningUse::none));
}

TEST(Promises, AJobMayRunIntoTheSlackOfAReservation) {
  Cluster cluster = two_free_for_an_hour().job("late").tasks(2).limit(minutes(110)).build();
  Settings settings = learning();
  EXPECT_EQ(started(cluster, plan(cluster, settings, kNow)), "late");
  settings.learning.reservation_slack = minutes(40);
  EXPECT_EQ(started(cluster, plan(cluster, settings, kNow)), "");
  settings.learning.reservation_slack = Seconds(0);
  EXPECT_EQ(started(cluster, plan(cluster, settings, kNow)), "");
}

TEST(Promises, TheReservationStandsWhereWhatWasBackfilledLeavesIt) {
  Cluster cluster = two_free_for_an_hour().job("late").tasks(2).limit(minutes(110)).build();
  plan_and_carry_out(cluster, learning(), kNow);
  EXPECT_EQ(reserved_start(cluster, "top"), kNow + minutes(110));
  EXPECT_EQ(cluster.run_times.of(job_named(cluster, "top")).promised, kNow + hours(1));
}

TEST(Promises, WhereNothingIsBackfilledTheReservationIsNotMoved) {
  Cluster cluster = two_free_for_an_hour().build();
  plan_and_carry_out(cluster, learning(), kNow);
  EXPECT_EQ(reserved_start(cluster, "top"), kNow + hours(1));
}

TEST(Promises, SlackCountsFromTheEarliestStartThatWasEverPromised) {
  Cluster cluster = two_free_for_an_hour().job("late").tasks(2).limit(minutes(110)).build();
  const JobId top = job_named(cluster, "top");
  cluster.run_times.at(top).promised = kNow + minutes(40);
  EXPECT_EQ(started(cluster, plan(cluster, learning(), kNow)), "");
  cluster.run_times.at(top).promised = kNow + minutes(50);
  EXPECT_EQ(started(cluster, plan(cluster, learning(), kNow)), "late");
}

TEST(Promises, WhereNothingIsFreeNothingIsPromised) {
  const Cluster cluster = Scenario()
                              .nodes(2, procs(1))
                              .job("running")
                              .tasks(2)
                              .running_on({{"n1", 1}, {"n2", 1}})
                              .job("top")
                              .tasks(2)
                              .build();
  EXPECT_FALSE(plan(cluster, learning(), kNow).promises);
}

Settings by_xfactor() {
  Settings settings = learning(LearningUse::priority);
  settings.priority.queue_time.weight = 0;
  settings.priority.xfactor.weight = 1;
  return settings;
}

/// Names in the order of the queue.
std::string order(const Cluster& cluster, const Settings& settings) {
  std::string names;
  for (const auto& one : plan(cluster, settings, kNow).order)
    names += (names.empty() ? "" : " ") + cluster.job(one.job).name;
  return names;
}

TEST(LearnedPriority, TheExpansionFactorCountsByTheRunThatIsExpected) {
  Cluster cluster = Scenario()
                        .nodes(1, procs(1))
                        .job("first")
                        .limit(hours(1))
                        .queued(minutes(10))
                        .job("second")
                        .limit(hours(2))
                        .queued(minutes(9))
                        .build();
  expect_run(cluster, "first", 3600);
  expect_run(cluster, "second", 60);
  EXPECT_EQ(order(cluster, by_xfactor()), "second first");
  EXPECT_EQ(order(cluster, learning(LearningUse::backfill)), "first second");
}

TEST(LearnedPriority, TheOrderGoesByPrioritiesBeforeTheyAreRounded) {
  Cluster cluster = Scenario()
                        .nodes(1, procs(1))
                        .job("first")
                        .queued(Seconds(600))
                        .job("second")
                        .queued(Seconds(500))
                        .build();
  expect_run(cluster, "first", 4000);   // an expansion factor of 1.15
  expect_run(cluster, "second", 1000);  // and one of 1.5
  EXPECT_EQ(order(cluster, by_xfactor()), "second first");
}

TEST(LearnedPriority, TheJobThatHoldsThePromiseKeepsItAgainstLittleMore) {
  Cluster cluster = Scenario()
                        .nodes(1, procs(1))
                        .job("holds")
                        .queued(Seconds(1000))
                        .job("other")
                        .queued(Seconds(1000))
                        .build();
  expect_run(cluster, "holds", 1000);  // 2
  expect_run(cluster, "other", 100);   // 11
  cluster.run_times.at(job_named(cluster, "holds")).promised_last = true;
  EXPECT_EQ(order(cluster, by_xfactor()), "holds other");
  Settings settings = by_xfactor();
  settings.learning.reservation_hysteresis = 5;
  EXPECT_EQ(order(cluster, settings), "other holds");
}

TEST(LearnedPriority, WhoHasWaitedTooLongGoesFirstAndTheFirstComeBeforeOthers) {
  Cluster cluster = Scenario()
                        .nodes(1, procs(1))
                        .job("urgent")
                        .queued(Seconds(900))
                        .job("old")
                        .queued(Seconds(1000))
                        .job("older")
                        .queued(Seconds(2000))
                        .job("placed")
                        .queued(Seconds(1))
                        .change_job([](Job& job) {
                          job.system_priority = {true, 1};
                        })
                        .build();
  for (const char* job : {"old", "older", "placed"}) expect_run(cluster, job, 100000);
  expect_run(cluster, "urgent", 10);
  for (const char* job : {"old", "older"})
    cluster.run_times.at(job_named(cluster, job)).fair_wait = Seconds(999);
  EXPECT_EQ(order(cluster, by_xfactor()), "placed older old urgent");
  cluster.run_times.at(job_named(cluster, "old")).fair_wait = Seconds(1000);
  EXPECT_EQ(order(cluster, by_xfactor()), "placed older urgent old");
}

// So many that they are not sorted by comparing them.
TEST(LearnedPriority, AThousandJobsStandInOrderOfTheirFactorsAndEqualOnesAsTheyCame) {
  std::mt19937 random(3);
  for (const double weight : {1.0, -1.0}) {
    Cluster cluster = Scenario().nodes(1, procs(1)).build();
    std::vector<std::pair<double, std::string>> expected;
    for (int i = 0; i < 1000; ++i) {
      Job job;
      job.name = "j" + std::to_string(i);
      job.queued = job.submitted = kNow - Seconds(2000 - i);
      const JobId id = cluster.add_job(job, Request());
      const double run = static_cast<double>(60 + random() % 50 * 100);
      cluster.run_times.at(id).expected = {run, run, 1 / run};
      expected.emplace_back(-weight * (2000 - i + run) / run, job.name);
    }
    std::stable_sort(expected.begin(), expected.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    Settings settings = by_xfactor();
    settings.priority.xfactor.weight = weight;
    settings.priority.allow_negative = true;
    const Plan made = plan(cluster, settings, kNow);
    ASSERT_EQ(made.order.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_EQ(cluster.job(made.order[i].job).name, expected[i].second) << i << ", " << weight;
  }
}

// --- any world ----------------------------------------------------------------

class World {
 public:
  World(unsigned seed, const test::Mixture& mixture) : random(seed, mixture) {
    random.furnish();
    settings.learning.use = LearningUse::backfill;
    settings.learning.reservation_slack = Seconds(random.below(12));
    settings.node.down_node_delay = kUnlimited;
    settings.node_allocation = random.some_allocation();
    settings.backfill = random.one_of({BackfillPolicy::first_fit, BackfillPolicy::greedy});
    if (random.one_in(2)) {
      settings.reservation_policy = ReservationPolicy::highest;
      settings.reservation_stacks = {{1 + random.below(3), {}}};
    }
    for (int i = 0; i < 8; ++i) submit();
  }

  void submit() {
    const JobId id = random.submit(now);
    auto& told = random.cluster.run_times.at(id);
    told = {};
    told.worth = random.below(100);
  }

  /// To the next end by limit, or of a reservation, or less far; some jobs end before their limits.
  void go_on() {
    Cluster& cluster = random.cluster;
    Time next = now + Seconds(1 + random.below(5));
    if (!cluster.active().empty()) next = std::min(next, cluster.active().front().ends);
    next = std::min(next, next_reservation_boundary(cluster, now));
    now = std::max(now + Seconds(1), next);
    const std::vector<Active> active(cluster.active().begin(), cluster.active().end());
    for (const Active& one : active)
      if (one.ends <= now || random.one_in(6)) {
        cluster.end_job(one.job, JobState::completed, now);
        cluster.run_times.forget(one.job);
        cluster.forget_job(one.job);
      }
    if (random.one_in(3)) submit();
  }

  test::RandomCluster random;
  Settings settings;
  Time now = kNow;
};

TEST(PromisesProperty, NoReservedJobStartsLaterThanItsBestPromiseAndTheSlack) {
  int kept = 0, late = 0;
  for (unsigned seed = 1; seed <= test::rounds(1500); ++seed) {
    test::Mixture mixture;
    mixture.several_requirements = seed % 5 == 0;
    mixture.access_rules = seed % 2 == 0;
    mixture.host_lists = seed % 3 == 0;
    World world(seed, mixture);
    Cluster& cluster = world.random.cluster;
    CyclePlanner planner;
    for (int step = 0; step < 25; ++step) {
      const Plan made = planner.plan(cluster, world.settings, world.now);
      cluster.set_settled_at(made.settled_at);
      note_promises(cluster, made);
      carry_out(cluster, made, world.now);
      ASSERT_EQ(cluster.check().value_or(""), "") << "seed " << seed;
      for (const Decision& decision : made.decisions) {
        JobId job;
        Time start{0};
        if (const auto* one = std::get_if<StartJob>(&decision)) {
          job = one->job;
          start = world.now;
        } else if (const auto* two = std::get_if<ReserveJob>(&decision)) {
          job = two->job;
          start = two->start;
        } else {
          continue;
        }
        const Time best = cluster.run_times.of(job).promised;
        if (best >= kForever) continue;
        ++kept;
        late += start > best ? 1 : 0;
        ASSERT_LE(start, best + world.settings.learning.reservation_slack)
            << cluster.job(job).name << ", seed " << seed << ", step " << step;
      }
      world.go_on();
    }
  }
  EXPECT_GT(kept, 1000);
  EXPECT_GT(late, 50);  // slack is made use of
}

}  // namespace
}  // namespace maui
