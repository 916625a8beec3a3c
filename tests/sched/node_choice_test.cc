// Which nodes a job gets (NODEALLOCATIONPOLICY, NODEACCESSPOLICY, JOBNODEMATCHPOLICY).
#include "sched/node_choice.h"

#include <gtest/gtest.h>

#include "sched/cycle.h"
#include "support/carry_out.h"

namespace maui {
namespace {

using test::decisions;
using test::hours;
using test::kNow;
using test::minutes;
using test::procs;
using test::Scenario;
using test::started;

std::string planned(Scenario scenario, NodeAllocation policy = NodeAllocation::first_available) {
  const Cluster cluster = scenario.build();
  Settings settings;
  settings.node_allocation = policy;
  settings.reservation_policy = ReservationPolicy::never;
  return decisions(cluster, plan(cluster, settings, kNow));
}

/// Six idle nodes of two processors with different memory; jobs of 3, 1, 2 and 1 tasks.
Scenario six_nodes() {
  Scenario scenario;
  for (const int memory : {4096, 256, 1024, 512, 2048, 128}) scenario.nodes(1, procs(2, memory));
  scenario.job("w1").tasks(3).job("w2").tasks(1).job("w3").tasks(2).job("w4").tasks(1);
  return scenario;
}

TEST(NodeAllocation, FirstAvailableGoesByTheOrderOfNodes) {
  EXPECT_EQ(planned(six_nodes(), NodeAllocation::first_available),
            "start w1 on n1:2 n2:1\nstart w2 on n2:1\nstart w3 on n3:2\nstart w4 on n4:1\n");
}

TEST(NodeAllocation, LastAvailableGoesFromTheEnd) {
  EXPECT_EQ(planned(six_nodes(), NodeAllocation::last_available),
            "start w1 on n6:2 n5:1\nstart w2 on n5:1\nstart w3 on n4:2\nstart w4 on n3:1\n");
}

TEST(NodeAllocation, MinResourceTakesTheLeastNodesThatServe) {
  EXPECT_EQ(planned(six_nodes(), NodeAllocation::min_resource),
            "start w1 on n6:2 n2:1\nstart w2 on n2:1\nstart w3 on n4:2\nstart w4 on n3:1\n");
}

TEST(NodeAllocation, LastAvailableTakesTheNodesThatAreNeededSoonest) {
  Scenario scenario;
  scenario.nodes(3, procs(1)).job("a");
  scenario.reservation("r").on({"n1"}).from(kNow + hours(2)).until(kNow + hours(3));
  EXPECT_EQ(planned(scenario, NodeAllocation::last_available), "start a on n1:1\n");
}

TEST(NodeAllocation, LastAvailableReservesWhatComesFreeLast) {
  Scenario scenario;
  scenario.nodes(4, procs(1)).job("r").running_on({{"n1", 1}}).job("top").tasks(4);
  scenario.job("s").limit(minutes(10)).running_on({{"n2", 1}}).job("next").tasks(2);
  const Cluster cluster = scenario.build();
  EXPECT_EQ(decisions(cluster, plan(cluster, {}, kNow)),
            "backfill next on n4:1 n3:1\nreserve top in 3600 s on n1:1 n2:1 n4:1 n3:1\n");
}

/// One node of four processors that runs one task of amy's; her and bob's next jobs.
std::string beside(NodeAccess running, NodeAccess waiting) {
  Scenario scenario;
  scenario.nodes(1, procs(4)).job("r").by("amy").access(running).running_on({{"n1", 1}});
  scenario.job("a").by("amy").tasks(1).access(waiting);
  scenario.job("b").by("bob").tasks(1).access(waiting);
  Cluster cluster = scenario.build();
  Settings settings;
  settings.backfill = BackfillPolicy::first_fit;
  settings.reservation_policy = ReservationPolicy::never;
  return started(cluster, plan(cluster, settings, kNow));
}

TEST(NodeAccessPolicy, TellsWhoMayBeOnANodeTogether) {
  EXPECT_EQ(beside(NodeAccess::shared, NodeAccess::shared), "a b");
  EXPECT_EQ(beside(NodeAccess::shared, NodeAccess::dedicated), "");
  EXPECT_EQ(beside(NodeAccess::shared, NodeAccess::single_user), "a");
  EXPECT_EQ(beside(NodeAccess::shared, NodeAccess::single_task), "");
  EXPECT_EQ(beside(NodeAccess::dedicated, NodeAccess::shared), "");
  EXPECT_EQ(beside(NodeAccess::single_user, NodeAccess::shared), "a");
  EXPECT_EQ(beside(NodeAccess::single_task, NodeAccess::shared), "");
}

TEST(NodeAccessPolicy, DedicatedNodesHoldManyTasksOfOneJob) {
  EXPECT_EQ(planned(Scenario().nodes(2, procs(4)).job("a").tasks(5).dedicated().job("b")),
            "start a on n1:4 n2:1\n");
}

TEST(NodeAccessPolicy, SingletaskNodesHoldOneTask) {
  EXPECT_EQ(
      planned(Scenario().nodes(3, procs(4)).job("a").tasks(2).access(NodeAccess::single_task)),
      "start a on n1:1 n2:1\n");
}

TEST(NodeAccessPolicy, ANodesOwnRuleGoesBeforeTheJobs) {
  Scenario scenario;
  scenario.nodes(1, procs(4)).change_nodes([](Node& node) {
    node.policy.access = NodeAccess::single_task;
  });
  scenario.nodes(1, procs(4));
  EXPECT_EQ(planned(scenario.job("a").tasks(3)), "start a on n1:1 n2:2\n");
}

TEST(JobNodeMatch, ExactNodesAreDealtEvenly) {
  Cluster cluster = Scenario().nodes(3, procs(4)).job("a").tasks(5).build();
  const JobId job = test::job_named(cluster, "a");
  Request request = cluster.request_of(job);
  request.requirements.front().nodes = 2;
  request.requirements.front().exact_nodes = true;
  cluster.set_request(job, request);
  Settings settings;
  settings.node_allocation = NodeAllocation::first_available;
  EXPECT_EQ(decisions(cluster, plan(cluster, settings, kNow)), "start a on n1:3 n2:2\n");
}

TEST(JobNodeMatch, TasksPerNodeLeavesProcessorsAlone) {
  EXPECT_EQ(planned(Scenario().nodes(4, procs(4)).job("a").tasks(5).per_node(2)),
            "start a on n1:2 n2:2 n3:1\n");
}

TEST(HostLists, EveryListedHostTakesATaskAndOthersMayFollow) {
  EXPECT_EQ(planned(Scenario().nodes(4, procs(2)).job("a").tasks(4).hosts({"n3", "n4"})),
            "start a on n3:2 n4:2\n");
  EXPECT_EQ(planned(Scenario().nodes(4, procs(2)).job("a").tasks(5).hosts({"n3", "n4"})),
            "start a on n3:2 n4:2 n1:1\n");
}

TEST(HostLists, OrTheNeededHostsAreSelectedFromTheList) {
  EXPECT_EQ(planned(Scenario()
                        .nodes(4, procs(1))
                        .job("a")
                        .tasks(2)
                        .hosts({"n2", "n3", "n4"}, HostListUse::some_of)),
            "start a on n2:1 n3:1\n");
}

TEST(HostLists, ANodeCountIsKeptByTakingTheRoomiest) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).nodes(1, procs(1)).nodes(1, procs(4)).job("a").tasks(4).hosts({"n1"});
  Cluster cluster = scenario.build();
  const JobId job = test::job_named(cluster, "a");
  Request request = cluster.request_of(job);
  request.requirements.front().nodes = 2;
  cluster.set_request(job, request);
  Settings settings;
  settings.node_allocation = NodeAllocation::first_available;
  EXPECT_EQ(decisions(cluster, plan(cluster, settings, kNow)), "start a on n1:1 n3:3\n");
}

TEST(SeveralRequirements, ArePlacedTogether) {
  Scenario scenario;
  scenario.nodes(2, procs(2)).nodes(1, procs(2, 1024)).job("a").tasks(3);
  scenario.requirement().tasks(1).each(procs(1, 1024));
  EXPECT_EQ(planned(scenario), "start a on n1:2 n2:1 n3:1\n");
}

TEST(SeveralRequirements, TheFirstLeavesRoomForTheSecond) {
  Scenario scenario;
  scenario.nodes(1, procs(1, 1024)).nodes(1, procs(1)).job("a").tasks(1);
  scenario.requirement().tasks(1).each(procs(1, 1024));
  EXPECT_EQ(planned(scenario), "start a on n1:1 n2:1\n");
}

TEST(SeveralRequirements, WaitForTheLastOfThem) {
  Scenario scenario;
  scenario.nodes(1, procs(1, 1024)).nodes(2, procs(1)).job("r").running_on({{"n1", 1}});
  scenario.job("a").tasks(2).requirement().tasks(1).each(procs(1, 1024));
  const Cluster cluster = scenario.build();
  EXPECT_EQ(decisions(cluster, plan(cluster, {}, kNow)), "reserve a in 3600 s on n3:1 n2:1 n1:1\n");
}

}  // namespace
}  // namespace maui
