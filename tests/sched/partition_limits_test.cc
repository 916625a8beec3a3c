// PARCFG: limits of the jobs in one partition (guide 7.2).
#include <gtest/gtest.h>

#include "sched/configured.h"
#include "sched/cycle.h"
#include "sched/limits/limit_forecast.h"
#include "sched/limits/throttling.h"
#include "sched/placement/feasible_requests.h"
#include "sched/selection.h"
#include "support/carry_out.h"
#include "support/scenario.h"

namespace maui {
namespace {

using test::decisions;
using test::hours;
using test::job_named;
using test::kNow;
using test::procs;
using test::Scenario;
using test::started;

Settings limited(LimitKind kind, Limit limit) {
  Settings settings;
  settings.partitions["math"].active[index_of(kind)] = limit;
  return settings;
}

/// One node elsewhere, four in partition math; three jobs that may use math alone.
Scenario three_for_math() {
  Scenario scenario;
  scenario.nodes(1, procs(1)).nodes(4, procs(1)).partition("math");
  for (const auto* name : {"a", "b", "c"}) scenario.job(name).partition("math");
  return scenario;
}

TEST(PartitionLimits, HoldForItsJobsTogether) {
  const Cluster cluster = three_for_math().build();
  EXPECT_EQ(started(cluster, plan(cluster, {}, kNow)), "a b c");
  EXPECT_EQ(started(cluster, plan(cluster, limited(LimitKind::job, {2, 2}), kNow)), "a b");
  EXPECT_EQ(started(cluster, plan(cluster, limited(LimitKind::proc, {1, 1}), kNow)), "a");
  Settings elsewhere;
  elsewhere.partitions["DEFAULT"].active[index_of(LimitKind::job)] = Limit{1, 1};
  EXPECT_EQ(started(cluster, plan(cluster, elsewhere, kNow)), "a b c");
}

TEST(PartitionLimits, CountWhateverRunsThere) {
  auto scenario = three_for_math();
  const Cluster cluster = scenario.job("r").running_on({{"n2", 1}}).build();
  const auto settings = limited(LimitKind::job, {2, 2});
  EXPECT_EQ(started(cluster, plan(cluster, settings, kNow)), "a");
  Throttling throttling(cluster, limited(LimitKind::job, {1, 1}), kNow);
  const auto violation =
      throttling.violated(cluster.job(job_named(cluster, "a")), Strictness::hard);
  ASSERT_TRUE(violation);
  EXPECT_EQ(describe(cluster, *violation),
            "violates active HARD MAXJOB limit of 1 for partition math  (R: 1, U: 1)");
}

TEST(PartitionLimits, AJobThatMayGoElsewhereDoes) {
  Scenario scenario;
  scenario.nodes(2, procs(1)).partition("math").nodes(1, procs(1)).partition("art");
  for (const auto* name : {"a", "b", "c"}) scenario.job(name);
  const Cluster cluster = scenario.build();
  EXPECT_EQ(decisions(cluster, plan(cluster, limited(LimitKind::job, {1, 1}), kNow)),
            "start a on n2:1\nstart b on n3:1\nreserve c in 3600 s on n2:1\n");
}

/// Each of two partitions may run one job, and does.
Scenario both_full() {
  Scenario scenario;
  scenario.nodes(1, procs(4)).partition("math").nodes(1, procs(4)).partition("phys");
  scenario.job("r1").limit(hours(2)).running_on({{"n1", 1}});
  scenario.job("r2").limit(hours(3)).running_on({{"n2", 1}});
  return scenario;
}
Settings one_job_each() { return configured("PARCFG[math] MAXJOB=1\nPARCFG[phys] MAXJOB=1\n"); }

TEST(PartitionLimits, AJobThatMayUseSeveralIsHeldBackWhereAllAreFull) {
  const Cluster cluster = both_full().job("small").job("large").tasks(4).build();
  const auto settings = one_job_each();
  const Plan made = plan(cluster, settings, kNow);
  EXPECT_EQ(decisions(cluster, made), "");
  EXPECT_TRUE(made.order.empty());
  FeasibleRequests feasible;
  std::vector<Throttling::Blocked> blocked;
  considered(cluster, settings, kNow, Strictness::hard, feasible, &blocked);
  ASSERT_EQ(blocked.size(), 2U);
  EXPECT_EQ(describe(cluster, blocked[0].why),
            "violates active HARD MAXJOB limit of 1 for partition math  (R: 1, U: 1)");
}

TEST(PartitionLimits, ItStartsWhenTheFirstOfThemHasRoom) {
  const Cluster cluster = both_full().job("small").job("other").partition("phys").build();
  const auto settings = one_job_each();
  const auto starts = [&](const char* name) {
    const Job& job = cluster.job(job_named(cluster, name));
    Timeline timeline(cluster, settings, kNow, true);
    Throttling throttling(cluster, settings, kNow);
    LimitForecast limits(cluster, throttling, kNow);
    const auto slot = first_start(cluster, timeline, limits, job, cluster.request(job.request));
    return slot ? slot->start - kNow : Seconds(-1);
  };
  EXPECT_EQ(starts("small"), hours(2));
  EXPECT_EQ(starts("other"), hours(3));
}

TEST(PartitionLimits, APartitionThatCanNeverServeItIsNoWayOut) {
  Scenario scenario;
  scenario.nodes(1, procs(4)).partition("math").nodes(1, procs(2)).partition("art");
  scenario.job("r1").running_on({{"n1", 1}}).job("large").tasks(3).job("small");
  const Cluster cluster = scenario.build();
  EXPECT_EQ(decisions(cluster, plan(cluster, limited(LimitKind::job, {1, 1}), kNow)),
            "start small on n2:1\n");
}

// One node of the two that are not limited comes free in an hour: there it has its place.
TEST(PartitionLimits, AJobIsReservedWhereNoLimitHoldsItBack) {
  Scenario scenario;
  scenario.nodes(1, procs(4)).partition("math").nodes(1, procs(4)).partition("art");
  scenario.job("r1").limit(hours(9)).running_on({{"n1", 1}});
  scenario.job("r2").tasks(4).limit(hours(1)).running_on({{"n2", 4}});
  scenario.job("top").tasks(3);
  const Cluster cluster = scenario.build();
  EXPECT_EQ(decisions(cluster, plan(cluster, limited(LimitKind::job, {1, 1}), kNow)),
            "reserve top in 3600 s on n2:3\n");
}

TEST(PartitionLimits, MayBeThoseOfOneUserThere) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).nodes(4, procs(1)).partition("math");
  for (const auto* name : {"a", "b"}) scenario.job(name).partition("math").by("amy");
  scenario.job("c").partition("math").by("bob").job("d").partition("DEFAULT").by("amy");
  const Cluster cluster = scenario.build();
  Settings settings;
  settings.partitions["math"].cross = {
      {LimitKind::job, false, CredentialKind::user, "", Limit{1, 1}}};
  EXPECT_EQ(started(cluster, plan(cluster, settings, kNow)), "a c d");
}

TEST(PartitionLimits, MayBeOfIdleJobs) {
  const Cluster cluster = three_for_math().build();
  Settings settings;
  settings.partitions["math"].idle[index_of(LimitKind::job)] = Limit{1, 1};
  EXPECT_EQ(started(cluster, plan(cluster, settings, kNow)), "a");
}

}  // namespace
}  // namespace maui
