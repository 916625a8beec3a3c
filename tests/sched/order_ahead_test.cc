// When the order of waiting jobs changes by time alone.
#include "sched/priority/order_ahead.h"

#include <gtest/gtest.h>

#include "sched/cycle.h"
#include "sched/priority/priority.h"
#include "support/made_up_workload.h"
#include "support/random_cluster.h"
#include "support/scenario.h"

namespace maui {
namespace {

using test::Dice;
using test::kNow;
using test::procs;
using test::Scenario;

std::vector<JobId> order_at(const Cluster& cluster, const Settings& settings, Time when) {
  std::vector<Plan::Ranked> order;
  prioritise(cluster, settings, when, order);
  std::vector<JobId> jobs;
  for (const auto& ranked : order) jobs.push_back(ranked.job);
  return jobs;
}

/// Second by second.
Time first_other_order(const Cluster& cluster, const Settings& settings, Time before) {
  const auto now = order_at(cluster, settings, kNow);
  for (Time when = kNow + Seconds(1); when < before; when = when + Seconds(1))
    if (order_at(cluster, settings, when) != now) return when;
  return kForever;
}

Cluster some_queue(Dice& dice) {
  Scenario scenario;
  scenario.nodes(4, procs(1));
  const int jobs = dice.between(2, 7);
  for (int i = 0; i < jobs; ++i) {
    scenario.job("j" + std::to_string(i))
        .tasks(dice.between(1, 4))
        .by(dice.in_a_hundred(50) ? "amy" : "bob");
    scenario.limit(Seconds(dice.between(1, 2000))).queued(Seconds(dice.between(0, 3000)));
    if (dice.in_a_hundred(30)) scenario.qos("high");
  }
  return scenario.build();
}

Settings some_weights(Dice& dice) {
  Settings settings;
  settings.backfill_depth = 1;  // all of the order matters
  auto& p = settings.priority;
  p.queue_time.weight = dice.in_a_hundred(40) ? dice.between(-60, -1) : dice.between(0, 60);
  p.xfactor.weight = dice.in_a_hundred(60) ? dice.between(-40, 50) : 0;
  p.proc.weight = dice.between(-20, 20);
  p.user.weight = 1;
  settings.users["amy"].priority = dice.between(-50, 50);
  // Falling priorities meet the lower bound, rising ones leave it.
  if (dice.in_a_hundred(50)) settings.users["amy"].priority = dice.between(50, 700);
  if (dice.in_a_hundred(50)) settings.users["bob"].priority = dice.between(-300, 700);
  if (dice.in_a_hundred(30)) p.queue_time.cap = dice.between(1, 60);
  if (dice.in_a_hundred(30)) p.xfactor.cap = dice.between(1, 40) / 2.0;
  if (dice.in_a_hundred(30)) p.service.cap = dice.between(1, 2000);
  if (dice.in_a_hundred(20)) p.service.weight = -1;
  p.allow_negative = dice.in_a_hundred(50);
  p.reject_negative = dice.in_a_hundred(30);
  settings.qos["high"].queue_time_weight = dice.between(0, 30);
  if (dice.in_a_hundred(30)) {
    p.target_queue_time.weight = dice.in_a_hundred(80) ? 1 : -1;
    settings.users["bob"].queue_time_target = Seconds(dice.between(100, 4000));
  }
  if (dice.in_a_hundred(30)) {
    p.target_xfactor.weight = dice.between(1, 3);
    settings.users["amy"].xfactor_target = dice.between(3, 60) / 2.0;
  }
  return settings;
}

/// RUNTIMELEARNING PRIORITY: by priorities that are not rounded, and runs that are expected.
void learn_something(Dice& dice, Cluster& cluster, Settings& settings) {
  settings.learning.use = LearningUse::priority;
  for (const Waiting& line : cluster.waiting()) {
    auto& told = cluster.run_times.at(line.job);
    if (dice.in_a_hundred(80)) told.expected.geometric_mean = dice.between(1, 2000) / 3.0;
    told.promised_last = dice.in_a_hundred(20);
  }
}

TEST(OrderAhead, IsFoundAsBySeconds) {
  constexpr Seconds kAhead(700);
  for (unsigned seed = 1; seed <= test::rounds(600); ++seed) {
    Dice dice(seed);
    Cluster cluster = some_queue(dice);
    Settings settings = some_weights(dice);
    if (dice.in_a_hundred(50)) learn_something(dice, cluster, settings);
    const Time before = kNow + kAhead;
    EXPECT_EQ(next_order(cluster, settings, Plan{}, kNow, before),
              first_other_order(cluster, settings, before))
        << "seed " << seed;
    if (testing::Test::HasFailure()) return;
  }
}

/// Ten jobs, each queued ten minutes before the next one, the last just now.
Cluster queue_of_ten() {
  Scenario scenario;
  scenario.nodes(4, procs(1));
  for (int i = 0; i < 10; ++i)
    scenario.job("j" + std::to_string(i)).by("amy").queued(Seconds(600) * std::int64_t{9 - i});
  return scenario.build();
}

/// The last job goes first, and each other one falls behind.
Settings last_in_first_out() {
  Settings settings;
  settings.backfill_depth = 1;
  settings.priority.queue_time.weight = -1;
  settings.priority.user.weight = 1;
  return settings;
}

struct Found {
  Time next{0};
  std::int64_t evaluations = 0;
};
Found look_ahead(const Settings& settings, const FairshareAhead& ahead = {}) {
  Found found;
  found.next =
      next_order(queue_of_ten(), settings, Plan{}, kNow, kForever, ahead, &found.evaluations);
  return found;
}

TEST(OrderAhead, AnUnboundedPriorityIsStraightWhereItIs0) {
  Settings settings = last_in_first_out();
  settings.priority.allow_negative = true;
  const Found found = look_ahead(settings);
  EXPECT_EQ(found.next, kForever);
  EXPECT_EQ(found.evaluations, 20);  // the two ends of each line
}

TEST(OrderAhead, FewEvaluationsFindWhereAFallingPriorityMeetsItsBound) {
  constexpr std::int64_t kFew = 5000;  // eight days have 691,200 seconds
  Settings settings = last_in_first_out();
  EXPECT_EQ(look_ahead(settings).next, kForever);  // all are at the bound
  EXPECT_LT(look_ahead(settings).evaluations, kFew);

  // The two oldest jobs have 910 and 920 points.  A part of a point is rounded off, so these are
  // equal once less than one is left of the 920.
  settings.users["amy"].priority = 1000;
  const Found found = look_ahead(settings);
  EXPECT_EQ(found.next, kNow + Seconds(919 * 60 + 1));
  EXPECT_LT(found.evaluations, kFew);
}

TEST(OrderAhead, FewEvaluationsFindWhereAFallingPriorityMeetsItsCap) {
  Settings settings = last_in_first_out();
  settings.priority.allow_negative = true;
  settings.priority.queue_time.cap = 100;
  const Found found = look_ahead(settings);
  // The oldest job has waited 90 minutes, the next one 80: the first one stops at -100.
  EXPECT_EQ(found.next, kNow + Seconds(19 * 60 + 1));
  EXPECT_LT(found.evaluations, 5000);
}

TEST(OrderAhead, FewEvaluationsFindWherePrioritiesThatRiseAndFallChangePlaces) {
  Settings settings = last_in_first_out();
  settings.priority.allow_negative = true;
  settings.priority.queue_time.weight = 1;
  settings.priority.xfactor = {-60, 3};  // the limit is an hour: it takes away what waiting gives
  settings.users["amy"].priority = 1000;
  const Found found = look_ahead(settings);
  // All have 940 points until the oldest job has waited two hours, and then gains.
  EXPECT_EQ(found.next, kForever);
  EXPECT_LT(found.evaluations, 5000);

  // The oldest job has fallen behind all others, and gains from then on.
  settings.priority.xfactor.weight = -90;
  const Found overtaking = look_ahead(settings);
  EXPECT_EQ(overtaking.next, first_other_order(queue_of_ten(), settings, kNow + test::hours(3)));
  EXPECT_LT(overtaking.next, kForever);
  EXPECT_LT(overtaking.evaluations, 5000);
}

TEST(OrderAhead, FewEvaluationsAreNeededWhileFairshareAndACapBendPriorities) {
  Settings settings = last_in_first_out();
  settings.priority.queue_time.weight = 1;
  settings.priority.xfactor = {1, 300};
  settings.users["amy"].priority = 5000;
  settings.fairshare.metric = FairshareMetric::dedicated_proc_seconds;
  settings.fairshare.interval = test::hours(24 * 30);
  settings.priority.fs_user.weight = 10;
  settings.users["amy"].fairshare_target = {50};
  // Somebody else has used nothing until now, and makes amy's share fall.
  const Cluster cluster = queue_of_ten();
  FairshareHistory history;
  FairshareWindow second;
  Credentials who = cluster.job(cluster.waiting().front().job).credentials;
  record_use(history, settings.fairshare.interval, who, 1, kNow - test::hours(100), kNow);
  second.total = 1;
  // All jobs are amy's, so their order stays.
  const Found found =
      look_ahead(settings, FairshareAhead(history, second, settings.fairshare, kNow));
  EXPECT_EQ(found.next, kForever);
  EXPECT_LT(found.evaluations, 5000);
}

/// 'wide' does not fit now and goes first; 'narrow' gains faster.
Scenario overtaken_by_time() {
  Scenario scenario;
  scenario.nodes(4, procs(1)).job("r").tasks(2).running_on({{"n1", 1}, {"n2", 1}});
  scenario.job("wide").tasks(4).limit(Seconds(1000)).queued(Seconds(500));
  scenario.job("narrow").tasks(2).limit(Seconds(100000)).queued(Seconds(10));
  return scenario;
}

Settings by_xfactor() {
  Settings settings;
  settings.priority.queue_time.weight = 0;
  settings.priority.xfactor.weight = 1000;
  return settings;
}

TEST(OrderAhead, AFewEvaluationsOfEachJobFindTheFirstChangeOfMany) {
  constexpr int kJobs = 300;
  Scenario scenario;
  scenario.nodes(4, procs(1));
  Dice dice(1);
  for (int i = 0; i < kJobs; ++i)
    scenario.job("j" + std::to_string(i))
        .limit(Seconds(dice.between(600, 100000)))
        .queued(Seconds(dice.between(0, 100000)));
  const Cluster cluster = scenario.build();
  Settings settings = by_xfactor();
  settings.backfill_depth = 1;
  std::int64_t evaluations = 0;
  EXPECT_EQ(next_order(cluster, settings, Plan{}, kNow, kForever, {}, &evaluations),
            first_other_order(cluster, settings, kNow + test::hours(1)));
  EXPECT_LT(evaluations, 4 * kJobs);
}

TEST(OrderAhead, DoesNotMatterWhereNothingIsFree) {
  Scenario full;
  full.nodes(1, procs(1)).job("r").running_on({{"n1", 1}});
  full.job("a").limit(Seconds(1000)).queued(Seconds(500));
  full.job("b").limit(Seconds(10)).queued(Seconds(1));
  const Cluster cluster = full.build();
  const auto settings = by_xfactor();
  ASSERT_LT(first_other_order(cluster, settings, kNow + Seconds(100)), kForever);
  EXPECT_EQ(next_order(cluster, settings, plan(cluster, settings, kNow), kNow, kForever), kForever);
}

TEST(OrderAhead, ByTheTimeInTheQueueAloneIsThatOfTheQueueForEver) {
  const Cluster cluster = overtaken_by_time().build();
  EXPECT_EQ(next_order(cluster, Settings{}, plan(cluster, Settings{}, kNow), kNow, kForever),
            kForever);
}

}  // namespace
}  // namespace maui
