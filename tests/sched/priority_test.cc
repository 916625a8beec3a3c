// Job priority (guide 5.1).
#include "sched/priority/priority.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "config/parameters.h"
#include "sched/priority/priority_judge.h"
#include "support/scenario.h"

namespace maui {
namespace {

using test::hours;
using test::job_named;
using test::kNow;
using test::minutes;
using test::procs;
using test::Scenario;

/// Eight processors, 400 MB of memory; a job of two tasks of 60 MB, an hour, queued half an hour.
Cluster one_job() {
  Cluster cluster = Scenario()
                        .nodes(4, Resources(2, 100, 200, 400))
                        .job("a")
                        .tasks(2)
                        .each(Resources(1, 60, 10, 20))
                        .limit(hours(1))
                        .queued(minutes(30))
                        .by("amy", "staff")
                        .account("chem")
                        .qos("high")
                        .in_class("batch")
                        .build();
  const JobId job = job_named(cluster, "a");
  cluster.add_bypass(job, 4);
  Request request = cluster.request_of(job);
  request.requirements.front().nodes = 2;
  cluster.set_request(job, request);
  const Credentials who = cluster.job(job).credentials;
  cluster.fairshare_use.percent[CredentialKind::user].resize(who.user.index() + 1, 15);
  cluster.fairshare_use.percent[CredentialKind::group].resize(who.group.index() + 1, 21);
  return cluster;
}

Settings nothing_weighs() {
  Settings settings;
  settings.priority.queue_time.weight = 0;
  settings.users["amy"].priority = 7;
  settings.groups["staff"].priority = 5;
  settings.accounts["chem"].priority = 3;
  settings.qos["high"].priority = 2;
  settings.classes["batch"].priority = 11;
  settings.fairshare.metric = FairshareMetric::dedicated_proc_seconds;
  settings.users["amy"].fairshare_target = {20};
  settings.groups["staff"].fairshare_target = {25, TargetType::floor};
  settings.accounts["chem"].fairshare_target = {2.5};
  settings.qos["high"].fairshare_target = {8};
  settings.classes["batch"].fairshare_target = {6};
  settings.users["amy"].queue_time_target = minutes(40);
  settings.classes["batch"].xfactor_target = 2.0;
  return settings;
}

PriorityBreakdown judged(const Cluster& cluster, const Settings& settings) {
  return priority_of(cluster, settings, kNow, job_named(cluster, "a"));
}

struct Value {
  Subcomponent what;
  double value;
};

constexpr Value kValues[] = {
    {Subcomponent::user, 7},
    {Subcomponent::group, 5},
    {Subcomponent::account, 3},
    {Subcomponent::qos, 2},
    {Subcomponent::job_class, 11},
    {Subcomponent::fs_user, 5},
    {Subcomponent::fs_group, 4},
    {Subcomponent::fs_account, 2.5},
    {Subcomponent::fs_qos, 8},
    {Subcomponent::fs_class, 6},
    {Subcomponent::target_queue_time, 1.0 / 100},  // ten minutes before the target
    {Subcomponent::target_xfactor, 4},             // 0.5 before the target
    {Subcomponent::queue_time, 30},
    {Subcomponent::xfactor, 1.5},
    {Subcomponent::bypass, 4},
    {Subcomponent::node, 2},
    {Subcomponent::proc, 2},
    {Subcomponent::memory, 120},
    {Subcomponent::swap, 20},
    {Subcomponent::disk, 40},
    {Subcomponent::ps, 7200},
    {Subcomponent::pe, 0.3 * 8},
    {Subcomponent::wall_time, 3600},
};

TEST(Priority, EverySubcomponentIsItsWeightTimesItsValue) {
  const Cluster cluster = one_job();
  ASSERT_EQ(std::size(kValues) + 4, kSubcomponents)
      << "those of USAGE are of active jobs, LOCAL is the site's own";
  for (const auto& [what, value] : kValues) {
    const auto& info = subcomponents()[index_of(what)];
    SCOPED_TRACE(std::string(info.label));
    Settings settings = nothing_weighs();
    (settings.priority.*info.weighting).weight = 10;
    const auto result = judged(cluster, settings);
    EXPECT_DOUBLE_EQ(result.weighted[index_of(what)], 10 * value);
    EXPECT_DOUBLE_EQ(result.contribution[index_of(info.component)], 10 * value);
    EXPECT_EQ(result.priority, static_cast<std::int64_t>(std::floor(result.sum)));
  }
}

/// 'a', of amy, came first.  Floating-point arithmetic makes 869.99... of her 100 times 8.7 points.
Cluster amy_before_bob() {
  return Scenario()
      .nodes(1, procs(1))
      .job("a")
      .by("amy", "staff")
      .queued(minutes(30))
      .job("b")
      .by("bob", "students")
      .queued(minutes(20))
      .build();
}
Settings with_870_points_each() {
  Settings settings;
  settings.priority.queue_time.weight = 0;
  settings.priority.user.weight = 8.7;
  settings.users["amy"].priority = 100;
  settings.priority.group.weight = 1;
  settings.groups["students"].priority = 870;
  return settings;
}

TEST(Priority, TheErrorOfArithmeticTakesNoPointAway) {
  const Cluster cluster = amy_before_bob();
  const Settings settings = with_870_points_each();
  EXPECT_EQ(judged(cluster, settings).priority, 870);
  std::vector<Plan::Ranked> order;
  prioritise(cluster, settings, kNow, order);
  ASSERT_EQ(order.size(), 2U);
  EXPECT_EQ(order[0].job, job_named(cluster, "a"));  // equal priorities: it came first
  EXPECT_EQ(order[0].priority, 870);
  EXPECT_EQ(order[1].priority, 870);
}

TEST(Priority, TheErrorOfArithmeticRejectsNoJob) {
  const Cluster cluster = amy_before_bob();
  Settings settings = with_870_points_each();
  settings.priority.proc.weight = -870;
  settings.priority.allow_negative = settings.priority.reject_negative = true;
  EXPECT_EQ(judged(cluster, settings).priority, 0);
  EXPECT_FALSE(judged(cluster, settings).rejected);
}

TEST(Priority, PartsOfAPointAreRoundedDown) {
  const Cluster cluster = amy_before_bob();
  Settings settings = with_870_points_each();
  settings.priority.user.weight = 8.69999;
  EXPECT_EQ(judged(cluster, settings).priority, 869);
  settings.users["amy"].priority = -100;
  settings.priority.allow_negative = true;
  EXPECT_EQ(judged(cluster, settings).priority, -870);
}

TEST(Priority, ACapLimitsTheValueBeforeTheWeightMultipliesIt) {
  const Cluster cluster = one_job();
  for (const auto& [what, value] : kValues) {
    const auto& info = subcomponents()[index_of(what)];
    SCOPED_TRACE(std::string(info.label));
    Settings settings = nothing_weighs();
    settings.priority.*info.weighting = {10, value / 2};
    EXPECT_DOUBLE_EQ(judged(cluster, settings).sum, 5 * value);
  }
}

TEST(Priority, AComponentHasAWeightAndACapOfItsOwn) {
  const Cluster cluster = one_job();
  Settings settings = nothing_weighs();
  settings.priority.user.weight = settings.priority.group.weight = 1;  // 7 + 5
  settings.priority.proc.weight = 1;                                   // 2
  settings.priority.cred = {100, 0};
  EXPECT_EQ(judged(cluster, settings).priority, 1202);
  settings.priority.cred.cap = 10;
  EXPECT_EQ(judged(cluster, settings).priority, 1002);
  settings.priority.cred.weight = 0;
  EXPECT_EQ(judged(cluster, settings).priority, 2);
}

TEST(Priority, StandsBetweenZeroAndABillion) {
  const Cluster cluster = one_job();
  Settings settings = nothing_weighs();
  settings.priority.proc.weight = 1e12;
  EXPECT_EQ(judged(cluster, settings).priority, kMaxPriority);
  settings.priority.proc.weight = -3;
  EXPECT_EQ(judged(cluster, settings).priority, 0);
  settings.priority.allow_negative = true;
  EXPECT_EQ(judged(cluster, settings).priority, -6);
}

// A site's idle QOS has weights that push all its jobs below a billion; fairshare still orders
// them.
TEST(Priority, HasNoLowerBoundWhereItMayBeNegative) {
  const Cluster cluster = one_job();
  Settings settings = nothing_weighs();
  settings.priority.allow_negative = true;
  settings.priority.proc.weight = -8640000000;
  EXPECT_EQ(judged(cluster, settings).priority, -17280000000);
  settings.priority.user.weight = 1;
  EXPECT_EQ(judged(cluster, settings).priority, -17280000000 + 7);
  settings.priority.proc.weight = -1e300;
  EXPECT_LT(judged(cluster, settings).priority, -17280000000) << "as far as numbers go";
}

TEST(Priority, ItsDriverIsKnown) {
  const Cluster cluster = one_job();
  Settings settings = nothing_weighs();
  settings.priority.user.weight = 1;
  settings.priority.group.weight = 100;
  settings.priority.proc.weight = -1000;
  EXPECT_EQ(driver_of(judged(cluster, settings), true)->parameter, "GROUPWEIGHT");
  EXPECT_EQ(driver_of(judged(cluster, settings), false)->parameter, "PROCWEIGHT");
  EXPECT_EQ(driver_of(judged(cluster, nothing_weighs()), true), nullptr);
  for (const auto& info : subcomponents())
    EXPECT_NE(config::find_parameter(info.parameter), nullptr) << info.parameter;
}

TEST(Priority, ItsDriverHasTheDirectionOfTheSum) {
  const Cluster cluster = one_job();
  Settings settings = nothing_weighs();
  settings.priority.user.weight = 10;      // adds 70
  settings.priority.group.weight = 12;     // adds 60
  settings.priority.account.weight = -30;  // subtracts 90
  EXPECT_EQ(driver_of(judged(cluster, settings), true)->parameter, "USERWEIGHT");
  settings.priority.cred.weight = -1;
  EXPECT_EQ(driver_of(judged(cluster, settings), false)->parameter, "USERWEIGHT");
}

TEST(Priority, ACredentialWithoutAnEntryHasThatOfDefault) {
  const Cluster cluster = one_job();
  Settings settings = nothing_weighs();
  settings.priority.user.weight = 1;
  settings.users.erase("amy");
  EXPECT_EQ(judged(cluster, settings).priority, 0);
  settings.users["DEFAULT"].priority = 9;
  EXPECT_EQ(judged(cluster, settings).priority, 9);
}

TEST(Priority, AQosAddsToTheWeightsOfServiceForItsJobs) {
  const Cluster cluster = one_job();
  Settings settings = nothing_weighs();
  settings.qos["high"].queue_time_weight = 2;
  settings.qos["high"].xfactor_weight = 4;
  EXPECT_EQ(judged(cluster, settings).priority, 2 * 30 + 6);
  settings.qos["low"] = std::exchange(settings.qos["high"], {});
  EXPECT_EQ(judged(cluster, settings).priority, 0);
}

TEST(Priority, ShortJobsExpandAsIfTheyTookTheLeastLimit) {
  const Cluster cluster = one_job();
  Settings settings = nothing_weighs();
  settings.priority.xfactor_min_limit = hours(3);
  const PriorityJudge judge(cluster, settings, kNow);
  EXPECT_DOUBLE_EQ(judge.xfactor(cluster.job(job_named(cluster, "a"))), 1 + 0.5 / 3);
}

TEST(Priority, ATargetIsForeseenForAJobThatHasJustArrived) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).job("a").limit(hours(1)).by("amy").queued(Seconds(0));
  const Cluster cluster = scenario.build();
  Settings settings;
  settings.priority.target_xfactor.weight = 1;
  settings.users["amy"].xfactor_target = 3;
  EXPECT_EQ(next_target(cluster, settings, kNow, StalledJobs(cluster, Plan{})), kNow + hours(2));
}

TEST(Priority, ARelativeSystemPriorityIsAdded) {
  Cluster cluster = one_job();
  cluster.set_system_priority(job_named(cluster, "a"), {false, 50});
  const auto result = judged(cluster, Settings());
  EXPECT_EQ(result.priority, 80);
  EXPECT_TRUE(result.system_priority);
}

TEST(Priority, AnAbsoluteSystemPriorityIsAboveEveryOther) {
  Cluster cluster = one_job();
  cluster.set_system_priority(job_named(cluster, "a"), {true, 5});
  EXPECT_EQ(judged(cluster, Settings()).priority, kMaxPriority + 5);
}

std::string order_of(const Cluster& cluster, const Settings& settings) {
  std::vector<Plan::Ranked> order;
  prioritise(cluster, settings, kNow, order);
  std::string names;
  for (const auto& ranked : order) names += cluster.job(ranked.job).name;
  return names;
}

/// A job and the targets of guide 5.1.2.2.
TEST(Priority, FairshareAddsUpTheDeviationsOfTheGuidesExample) {
  Cluster cluster = Scenario()
                        .nodes(1, procs(1))
                        .job("x")
                        .by("A", "B")
                        .account("C")
                        .qos("D")
                        .in_class("E")
                        .build();
  const auto used = [&](CredentialKind kind, double percent) {
    const auto number = number_of(cluster.job(job_named(cluster, "x")).credentials, kind);
    cluster.fairshare_use.percent[kind].resize(number + 1, percent);
  };
  used(CredentialKind::user, 45);
  used(CredentialKind::group, 65);
  used(CredentialKind::account, 35);
  used(CredentialKind::qos, 25);
  used(CredentialKind::job_class, 20);
  Settings settings;
  settings.fairshare.metric = FairshareMetric::dedicated_proc_seconds;
  settings.users["A"].fairshare_target = {50};
  settings.accounts["C"].fairshare_target = {25};
  settings.qos["D"].fairshare_target = {10, TargetType::floor};
  settings.priority.queue_time.weight = 0;
  settings.priority.allow_negative = true;
  settings.priority.fairshare.weight = 100;
  settings.priority.fs_user.weight = 10;
  settings.priority.fs_group.weight = 20;
  settings.priority.fs_account.weight = 30;
  settings.priority.fs_qos.weight = 40;
  const auto rank = priority_of(cluster, settings, kNow, job_named(cluster, "x"));
  EXPECT_EQ(rank.priority, 100 * (10 * 5 + 20 * 0 + 30 * (-10) + 40 * 0 + 0 * 0));
}

TEST(Priority, AnAttributeThatACredentialDoesNotHaveIsThatOfDefault) {
  const Cluster cluster = one_job();
  Settings settings = nothing_weighs();
  settings.priority.user.weight = 1;
  settings.users["DEFAULT"].priority = 9;
  settings.users["amy"].priority.reset();
  EXPECT_EQ(judged(cluster, settings).priority, 9);
  settings.users["amy"].priority = 0;
  EXPECT_EQ(judged(cluster, settings).priority, 0);
}

double target_part(const Settings& settings, Seconds queued) {
  const Cluster cluster = Scenario()
                              .nodes(1, procs(1))
                              .job("a")
                              .queued(queued)
                              .limit(hours(1))
                              .by("amy")
                              .qos("high")
                              .build();
  return judged(cluster, settings).contribution[index_of(Component::target)];
}

TEST(Priority, ATargetGrowsFromTheTimeWaitedAsThePaperSaysAndSteadilyOnceItIsMissed) {
  Settings settings;
  settings.priority.target_queue_time.weight = 1;
  settings.users["DEFAULT"].queue_time_target = hours(4);  // guide 5.1.3
  EXPECT_DOUBLE_EQ(target_part(settings, Seconds(0)), 1.0 / (240.0 * 240));
  EXPECT_DOUBLE_EQ(target_part(settings, hours(3)), 1.0 / (60.0 * 60));
  EXPECT_NEAR(target_part(settings, hours(4) - Seconds(60)), 1.0, 1e-9);
  EXPECT_NEAR(target_part(settings, hours(4)), 1e8, 1e-3);
  EXPECT_NEAR(target_part(settings, hours(5)), 1e8 + 60, 1e-3);
}

TEST(Priority, TheTightestTargetOfAJobCounts) {
  Settings settings;
  settings.priority.target_queue_time.weight = 1;
  settings.users["amy"].queue_time_target = hours(4);
  settings.qos["high"].queue_time_target = hours(2);
  EXPECT_DOUBLE_EQ(target_part(settings, hours(1)), 1.0 / (60.0 * 60));
  settings.qos["high"].queue_time_target = Seconds(-1);
  EXPECT_DOUBLE_EQ(target_part(settings, hours(1)), 1.0 / (180.0 * 180));
}

TEST(Priority, SyscfgTargetsApplyToJobsWithoutATarget) {
  Settings settings;
  settings.priority.target_queue_time.weight = 1;
  settings.system.queue_time_target = hours(2);
  EXPECT_DOUBLE_EQ(target_part(settings, hours(1)), 1.0 / (60.0 * 60));
  settings.users["amy"].queue_time_target = hours(4);
  EXPECT_DOUBLE_EQ(target_part(settings, hours(1)), 1.0 / (180.0 * 180)) << "hers, though longer";
  settings.priority.target_xfactor.weight = 1;
  settings.system.xfactor_target = 5.0;
  EXPECT_DOUBLE_EQ(target_part(settings, hours(2)), 1.0 / (120.0 * 120) + 1.0 / 4);
}

TEST(Priority, TheSyscfgPriorityAppliesToCredentialsWithoutAPriority) {
  const Cluster cluster = Scenario().nodes(1, procs(1)).job("a").by("amy").qos("high").build();
  Settings settings;
  settings.priority.queue_time.weight = 0;
  settings.priority.user.weight = settings.priority.qos.weight = 1;
  settings.system.priority = 5;
  EXPECT_EQ(judged(cluster, settings).priority, 10) << "the user's and the QOS'";
  settings.users["DEFAULT"].priority = 2;
  EXPECT_EQ(judged(cluster, settings).priority, 7);
}

TEST(Priority, AnExpansionFactorTargetIsApproachedInTheSameWay) {
  Settings settings;
  settings.priority.target_xfactor.weight = 1;
  settings.qos["high"].xfactor_target = 5.0;
  EXPECT_DOUBLE_EQ(target_part(settings, hours(2)), 1.0 / 4);
  EXPECT_NEAR(target_part(settings, hours(6)), 1e8 + 2, 1e-3);
  settings.qos["high"].xfactor_target = 0.0;
  EXPECT_EQ(target_part(settings, hours(2)), 0);
}

/// Expects that a job of two processors counts as having run for half an hour of its two.
void expect_half_an_hour_of_two(const Cluster& cluster) {
  const auto usage = [&](Weighting PrioritySettings::*which) {
    Settings settings;
    (settings.priority.*which).weight = 1;
    return judged(cluster, settings).contribution[index_of(Component::usage)];
  };
  EXPECT_DOUBLE_EQ(usage(&PrioritySettings::usage_consumed), 2 * 1800);
  EXPECT_DOUBLE_EQ(usage(&PrioritySettings::usage_remaining), 2 * 5400);
  EXPECT_DOUBLE_EQ(usage(&PrioritySettings::usage_percent), 25);
}

TEST(Priority, AnActiveJobCountsWhatItHasUsedAndHasLeft) {
  const Cluster cluster = Scenario()
                              .nodes(1, procs(4))
                              .job("a")
                              .tasks(2)
                              .limit(hours(2))
                              .running_on({{"n1", 2}}, minutes(30))
                              .build();
  expect_half_an_hour_of_two(cluster);
}

// Suspended after half an hour of two, for ten hours.
TEST(Priority, ASuspendedJobCountsWhatItHadUsedAndHasLeft) {
  Cluster cluster = Scenario()
                        .nodes(1, procs(4))
                        .job("a")
                        .tasks(2)
                        .limit(hours(2))
                        .running_on({{"n1", 2}}, minutes(630))
                        .build();
  cluster.suspend_job(test::job_named(cluster, "a"), kNow - hours(10));
  expect_half_an_hour_of_two(cluster);
}

TEST(Priority, APartitionMayHaveWeightsOfItsOwn) {
  const auto in = [](const char* partition) {
    Scenario scenario;
    scenario.nodes(1, procs(4)).partition("fat").nodes(1, procs(4)).job("a").tasks(2);
    if (*partition != '\0') scenario.partition(partition);
    return scenario.build();
  };
  Settings settings;
  settings.priority.queue_time.weight = 0;
  settings.priority.proc.weight = 3;
  settings.partition_weights["fat"].push_back(
      PartitionWeight{&PrioritySettings::proc, &Weighting::weight, 10});
  EXPECT_EQ(judged(in("fat"), settings).priority, 20);
  EXPECT_EQ(judged(in("DEFAULT"), settings).priority, 6);
  EXPECT_EQ(judged(in(""), settings).priority, 6);
}

TEST(PriorityOrder, AJobOfNegativePriorityIsRejectedIfTheSiteSaysSo) {
  const Cluster cluster = one_job();
  Settings settings = nothing_weighs();
  settings.priority.proc.weight = -1;
  settings.priority.reject_negative = true;
  EXPECT_EQ(order_of(cluster, settings), "");
  const auto id = job_named(cluster, "a");
  EXPECT_EQ(why_not_considered(cluster, settings, kNow, id), Reason::negative_priority);
  settings.priority.user.weight = 1;
  EXPECT_EQ(order_of(cluster, settings), "a");
  EXPECT_EQ(why_not_considered(cluster, settings, kNow, id), Reason::none);
}

TEST(PriorityOrder, TiesGoByQueueTimeThenByArrival) {
  const Cluster cluster = Scenario()
                              .nodes(1, procs(1))
                              .job("a")
                              .queued(Seconds(10))
                              .job("b")
                              .queued(Seconds(30))
                              .job("c")
                              .queued(Seconds(10))
                              .build();
  Settings settings;
  settings.priority.queue_time.weight = 0;
  settings.priority.user.weight = 1;
  EXPECT_EQ(order_of(cluster, settings), "bac");
}

TEST(PriorityOrder, HeldJobsAndThoseWithALaterStartDateAreNotConsidered) {
  const Cluster cluster = Scenario()
                              .nodes(1, procs(1))
                              .job("a")
                              .held()
                              .job("b")
                              .start_date(kNow + Seconds(1))
                              .job("c")
                              .start_date(kNow)
                              .job("d")
                              .build();
  EXPECT_EQ(order_of(cluster, Settings()), "cd");
}

TEST(PriorityOrder, SystemPriorityGoesFirst) {
  Cluster cluster = Scenario().nodes(1, procs(1)).job("a").job("b").job("c").build();
  cluster.set_system_priority(job_named(cluster, "b"), {false, 1000});
  cluster.set_system_priority(job_named(cluster, "c"), {true, 1});
  EXPECT_EQ(order_of(cluster, Settings()), "cba");
}

// A queue that only counts minutes is not sorted; a weight that adds nothing makes it be.
TEST(PriorityProperty, TheQueueInOrderIsThatWhichSortingGives) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    Scenario scenario;
    scenario.nodes(1, procs(1));
    for (int i = 0; i < 60; ++i) {
      scenario.job("j" + std::to_string(i)).queued(Seconds(random() % 5000));
      if (random() % 8 == 0) scenario.held();
      if (random() % 8 == 0) scenario.start_date(kNow + Seconds(random() % 3) - Seconds(1));
    }
    const Cluster cluster = scenario.build();
    Settings fast;
    fast.priority.queue_time.weight = 1 + static_cast<int>(random() % 3);
    Settings slow = fast;
    slow.priority.user.weight = 1;
    std::vector<Plan::Ranked> in_order, sorted;
    prioritise(cluster, fast, kNow, in_order);
    prioritise(cluster, slow, kNow, sorted);
    ASSERT_EQ(in_order.size(), sorted.size());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      EXPECT_EQ(in_order[i].job, sorted[i].job);
      EXPECT_EQ(in_order[i].priority, sorted[i].priority) << cluster.job(sorted[i].job).name;
    }
  }
}

}  // namespace
}  // namespace maui
