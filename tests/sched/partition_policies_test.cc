// BACKFILLPOLICY[NAME] and NODEALLOCATIONPOLICY[NAME]: policies that a partition has of its own
// (guide 7.2).
#include <gtest/gtest.h>

#include "sched/cycle.h"
#include "support/carry_out.h"
#include "support/scenario.h"

namespace maui {
namespace {

using test::decisions;
using test::hours;
using test::job_named;
using test::kNow;
using test::minutes;
using test::procs;
using test::Scenario;
using test::started;

/// Two halves of two nodes each: on one node a job runs for an hour yet; the first job of the half
/// wants both; a short one would fit on the other.
Cluster two_halves() {
  Scenario scenario;
  scenario.nodes(2, procs(1)).nodes(2, procs(1)).partition("math");
  scenario.job("r").running_on({{"n1", 1}}).job("s").running_on({{"n3", 1}});
  scenario.job("top").tasks(2).partition("DEFAULT").job("short").limit(minutes(30));
  scenario.partition("DEFAULT").job("mathtop").tasks(2).partition("math");
  scenario.job("mathshort").limit(minutes(30)).partition("math");
  return scenario.build();
}

std::string made(const Cluster& cluster, const Settings& settings) {
  return decisions(cluster, plan(cluster, settings, kNow));
}

TEST(PartitionPolicies, BackfillIsWhatThePartitionSays) {
  const Cluster cluster = two_halves();
  Settings settings;
  EXPECT_EQ(started(cluster, plan(cluster, settings, kNow)), "short mathshort");
  settings.partition_policies["math"].backfill = BackfillPolicy::none;
  EXPECT_EQ(started(cluster, plan(cluster, settings, kNow)), "short");
  settings.backfill = BackfillPolicy::none;
  EXPECT_EQ(started(cluster, plan(cluster, settings, kNow)), "");
  settings.partition_policies["math"].backfill = BackfillPolicy::first_fit;
  EXPECT_EQ(started(cluster, plan(cluster, settings, kNow)), "mathshort");
  settings.partition_policies["unknown"].backfill = BackfillPolicy::none;
  EXPECT_EQ(started(cluster, plan(cluster, settings, kNow)), "mathshort");
}

TEST(PartitionPolicies, APartitionWithABackfillPolicyOfItsOwnHasReservationsOfItsOwn) {
  const Cluster cluster = two_halves();
  Settings settings;
  EXPECT_EQ(made(cluster, settings).find("reserve mathtop"), std::string::npos);
  settings.partition_policies["math"].backfill = BackfillPolicy::best_fit;
  const auto both = made(cluster, settings);
  EXPECT_NE(both.find("reserve top in 3600 s"), std::string::npos) << both;
  EXPECT_NE(both.find("reserve mathtop in 3600 s"), std::string::npos) << both;
  settings.backfill = BackfillPolicy::none;
  const auto own = made(cluster, settings);
  EXPECT_EQ(own.find("reserve top"), std::string::npos) << own;
  EXPECT_NE(own.find("reserve mathtop in 3600 s"), std::string::npos) << own;
}

// The walk in order of priority goes on there, wherever it ends elsewhere.
TEST(PartitionPolicies, WithoutBackfillJobsOfAPartitionStartInTheirTurn) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).nodes(3, procs(1)).partition("math");
  scenario.job("r").running_on({{"n1", 1}}).job("top").partition("DEFAULT").job("next");
  scenario.partition("DEFAULT").job("a").partition("math").job("b").tasks(3).partition("math");
  scenario.job("c").limit(minutes(1)).partition("math");
  const Cluster cluster = scenario.build();
  Settings settings;
  settings.partition_policies["math"].backfill = BackfillPolicy::none;
  const Plan plan_made = plan(cluster, settings, kNow);
  EXPECT_EQ(started(cluster, plan_made), "a");
}

TEST(PartitionPolicies, DoNotBindJobsThatMayUseOtherPartitions) {
  Scenario scenario;
  scenario.nodes(2, procs(1)).partition("math");
  scenario.job("r").running_on({{"n1", 1}}).job("top").tasks(2).job("anywhere");
  const Cluster cluster = scenario.limit(minutes(30)).build();
  Settings settings;
  settings.partition_policies["math"].backfill = BackfillPolicy::none;
  EXPECT_EQ(started(cluster, plan(cluster, settings, kNow)), "anywhere")
      << "it may use other partitions, too, if there were any";
}

TEST(PartitionPolicies, TheHeadOfAPartitionPreemptsWhatBackfillStartedThere) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).nodes(1, procs(1)).partition("math");
  scenario.job("r").partition("DEFAULT").job("s").partition("math");
  scenario.job("top").queued(hours(1)).partition("DEFAULT");
  scenario.job("mathtop").queued(hours(1)).partition("math");
  Cluster cluster = scenario.build();
  cluster.start_job(job_named(cluster, "r"), {{NodeId(0U), 1, 0}}, kNow, true);
  cluster.start_job(job_named(cluster, "s"), {{NodeId(1U), 1, 0}}, kNow, true);
  Settings settings;
  EXPECT_EQ(started(cluster, plan(cluster, settings, kNow)), "");
  settings.partition_policies["math"].backfill = BackfillPolicy::preempt;
  EXPECT_EQ(started(cluster, plan(cluster, settings, kNow)), "mathtop");
}

TEST(PartitionPolicies, NodesAreChosenAsTheirPartitionSays) {
  Scenario scenario;
  scenario.nodes(2, procs(1)).nodes(2, procs(1)).partition("math");
  scenario.job("a").partition("DEFAULT").job("b").partition("math");
  const Cluster cluster = scenario.build();
  Settings settings;
  EXPECT_EQ(made(cluster, settings), "start a on n2:1\nstart b on n4:1\n");
  settings.partition_policies["math"].node_allocation = NodeAllocation::first_available;
  EXPECT_EQ(made(cluster, settings), "start a on n2:1\nstart b on n3:1\n");
  settings.node_allocation = NodeAllocation::first_available;
  settings.partition_policies["math"].node_allocation = NodeAllocation::last_available;
  EXPECT_EQ(made(cluster, settings), "start a on n1:1\nstart b on n4:1\n");
  settings.partition_policies["math"].node_allocation = NodeAllocation::contiguous;
  EXPECT_EQ(made(cluster, settings), "start a on n1:1\nstart b on n3:1\n");
}

TEST(PartitionPolicies, ApplyToReservationsToo) {
  Scenario scenario;
  scenario.nodes(3, procs(1))
      .partition("math")
      .job("r")
      .running_on({{"n1", 1}, {"n2", 1}, {"n3", 1}});
  scenario.job("a").partition("math");
  const Cluster cluster = scenario.build();
  Settings settings;
  EXPECT_EQ(made(cluster, settings), "reserve a in 3600 s on n3:1\n");
  settings.partition_policies["math"].node_allocation = NodeAllocation::first_available;
  EXPECT_EQ(made(cluster, settings), "reserve a in 3600 s on n1:1\n");
}

}  // namespace
}  // namespace maui
