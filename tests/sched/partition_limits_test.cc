// PARCFG: limits of the jobs in one partition (guide 7.2).
#include <gtest/gtest.h>

#include "sched/cycle.h"
#include "sched/limits/throttling.h"
#include "support/carry_out.h"
#include "support/scenario.h"

namespace maui {
namespace {

using test::decisions;
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
            "start a on n2:1\nstart b on n3:1\n");
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
