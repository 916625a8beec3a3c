#include "maui/cluster.h"

#include <gtest/gtest.h>

#include "support/scenario.h"

namespace maui {
namespace {

using namespace maui::test;

std::string open(const Cluster& cluster) {
  std::string names;
  for (const NodeId id : cluster.open_nodes()) names += cluster.node(id).name + " ";
  return names;
}

// Each job is allocated by itself, in one of the allocator's sizes: the next one is 768 bytes.
TEST(ClusterTest, AJobIsSmallSinceAHundredThousandOfThemWait) { EXPECT_LE(sizeof(Job), 640U); }

TEST(ClusterTest, ANodeIsBusyOnceItsProcessorsAreHeldAndIdleWhenNobodyIsThere) {
  Cluster cluster =
      Scenario().nodes(3, procs(2)).job("a").running_on({{"n1", 2}, {"n2", 1}}).build();
  EXPECT_EQ(cluster.state(node_named(cluster, "n1")), NodeState::busy);
  EXPECT_EQ(cluster.state(node_named(cluster, "n2")), NodeState::running);
  EXPECT_EQ(cluster.state(node_named(cluster, "n3")), NodeState::idle);
  EXPECT_EQ(open(cluster), "n2 n3 ");
}

TEST(ClusterTest, ADedicatedJobHoldsTheWholeNodeAndUsesOnlyWhatItsTasksDo) {
  Cluster cluster =
      Scenario().nodes(2, procs(4)).job("a").dedicated().running_on({{"n1", 1}}).build();
  const NodeId n1 = node_named(cluster, "n1");
  EXPECT_EQ(cluster.occupancy(n1).free.procs(), 3);
  EXPECT_EQ(cluster.state(n1), NodeState::busy);
  EXPECT_EQ(open(cluster), "n2 ");
}

TEST(ClusterTest, TheNodesOwnAccessRuleStandsAboveTheJobs) {
  Cluster cluster = Scenario()
                        .nodes(1, procs(4))
                        .change_nodes([](Node& n) { n.policy.access = NodeAccess::dedicated; })
                        .job("a")
                        .running_on({{"n1", 1}})
                        .build();
  EXPECT_EQ(open(cluster), "");
}

TEST(ClusterTest, SeveralRequirementsOnOneNodeAreOneOccupant) {
  Cluster cluster = Scenario()
                        .nodes(1, procs(4, 1000))
                        .job("a")
                        .tasks(2)
                        .requirement()
                        .tasks(1)
                        .each(procs(1, 300))
                        .build();
  const NodeId n1 = node_named(cluster, "n1");
  const JobId a = job_named(cluster, "a");
  cluster.start_job(a, {{n1, 2, 0}, {n1, 1, 1}}, kNow);
  ASSERT_EQ(cluster.occupancy(n1).occupants.size(), 1U);
  EXPECT_EQ(cluster.occupancy(n1).occupants[0].tasks, 3);
  EXPECT_EQ(cluster.occupancy(n1).free, Resources(1, 700));
  cluster.end_job(a, JobState::completed, kNow);
  EXPECT_EQ(cluster.occupancy(n1).free, Resources(4, 1000));
  EXPECT_EQ(cluster.check(), std::nullopt);
}

TEST(ClusterTest, AJobIsFoundByItsNumberWhereOneServerAloneHasIt) {
  Cluster cluster =
      Scenario().nodes(1, procs(1)).job("1.a").job("2.a").job("2.b").job("x.a").job("3").build();
  const auto found = [&](std::string_view number) {
    const JobId id = cluster.find_numbered_job(number);
    return id.valid() ? cluster.job(id).name : "-";
  };
  EXPECT_EQ(found("1"), "1.a");
  EXPECT_EQ(found("2"), "-");
  EXPECT_EQ(found("3"), "-");
  EXPECT_EQ(found("1.a"), "-");
  cluster.end_job(job_named(cluster, "2.b"), JobState::removed, kNow);
  cluster.forget_job(job_named(cluster, "2.b"));
  EXPECT_EQ(found("2"), "2.a");
}

TEST(ClusterTest, TheQueueIsOrderedByQueueTimeAndThenByArrival) {
  Cluster cluster = Scenario()
                        .job("late")
                        .queued(Seconds(1))
                        .job("first")
                        .queued(Seconds(9))
                        .job("second")
                        .queued(Seconds(9))
                        .build();
  std::string order;
  for (const Waiting& line : cluster.waiting()) order += cluster.job(line.job).name + " ";
  EXPECT_EQ(order, "first second late ");
}

TEST(ClusterTest, JobsOfOneShapeShareTheirRequest) {
  Cluster cluster = Scenario().job("a").tasks(2).job("b").tasks(2).job("c").tasks(3).build();
  const auto request = [&](const char* name) {
    return cluster.job(job_named(cluster, name)).request;
  };
  EXPECT_EQ(request("a"), request("b"));
  EXPECT_NE(request("a"), request("c"));
  cluster.forget_job(job_named(cluster, "a"));
  EXPECT_EQ(cluster.request(request("b")).total_tasks(), 2);
  cluster.forget_job(job_named(cluster, "b"));
  EXPECT_EQ(cluster.check(), std::nullopt);
}

TEST(ClusterTest, NodesThatNoRequestDistinguishesAreOfOneKind) {
  Cluster cluster = Scenario().nodes(2, procs(2)).nodes(1, procs(2)).features({"fast"}).build();
  const auto kind = [&](const char* name) {
    return cluster.occupancy(node_named(cluster, name)).kind;
  };
  EXPECT_EQ(kind("n1"), kind("n2"));
  EXPECT_NE(kind("n1"), kind("n3"));
  EXPECT_EQ(cluster.kinds(), 2U);
}

TEST(ClusterTest, ReleasesCountWhatCanLetSomethingStartEarlier) {
  Cluster cluster = Scenario()
                        .nodes(2, procs(1))
                        .job("a")
                        .limit(hours(1))
                        .running_on({{"n1", 1}})
                        .job("b")
                        .limit(hours(1))
                        .running_on({{"n2", 1}})
                        .job("c")
                        .build();
  const std::uint64_t before = cluster.releases();
  cluster.end_job(job_named(cluster, "a"), JobState::completed, kNow + hours(1));
  EXPECT_EQ(cluster.releases(), before) << "it ended when it was planned to";
  cluster.end_job(job_named(cluster, "b"), JobState::completed, kNow + minutes(30));
  EXPECT_EQ(cluster.releases(), before + 1);
  cluster.set_node_state(node_named(cluster, "n1"), NodeState::down, kNow);
  EXPECT_EQ(cluster.releases(), before + 1);
  cluster.set_node_state(node_named(cluster, "n1"), NodeState::idle, kNow);
  EXPECT_EQ(cluster.releases(), before + 2);
}

TEST(ClusterTest, StartingInItsReservedPlaceReleasesNothing) {
  const auto scenario = [] {
    return Scenario().nodes(2, procs(1)).job("a").reserved_on({{"n1", 1}}, kNow).build();
  };
  Cluster as_reserved = scenario();
  const std::uint64_t before = as_reserved.releases();
  as_reserved.start_job(job_named(as_reserved, "a"), {{node_named(as_reserved, "n1"), 1, 0}}, kNow);
  EXPECT_EQ(as_reserved.releases(), before);
  EXPECT_TRUE(as_reserved.reservations().empty());
  Cluster moved = scenario();
  moved.move_reservation(moved.reservations().front(), kNow, {{node_named(moved, "n2"), 1, 0}});
  EXPECT_EQ(moved.releases(), before) << "the plan that moves it knows";
  Cluster elsewhere = scenario();
  elsewhere.start_job(job_named(elsewhere, "a"), {{node_named(elsewhere, "n2"), 1, 0}}, kNow);
  EXPECT_EQ(elsewhere.releases(), before + 1);
}

TEST(ClusterTest, AJobsReservationIsFoundByTheJobsName) {
  Cluster cluster = Scenario()
                        .nodes(1, procs(2))
                        .job("a")
                        .tasks(2)
                        .reserved_on({{"n1", 2}}, kNow + hours(1))
                        .build();
  const ReservationId id = cluster.find_reservation("a");
  ASSERT_TRUE(id.valid());
  const Reservation& kept = cluster.reservation(id);
  EXPECT_EQ(cluster.reserved_on(kept, kept.nodes.front()), Resources(2));
  cluster.forget_job(job_named(cluster, "a"));
  EXPECT_FALSE(cluster.find_reservation("a").valid());
}

TEST(ClusterTest, AReservationOfAllProcessorsTakesEverythingOfANode) {
  Cluster cluster = Scenario().nodes(1, procs(2, 512)).reservation("r").on({"n1"}).build();
  const Reservation& kept = cluster.reservation(cluster.find_reservation("r"));
  EXPECT_EQ(cluster.reserved_on(kept, kept.nodes.front()), Resources(2, 512));
}

TEST(ClusterTest, AShownStateBeginsWithTheChangeThatMakesIt) {
  Cluster cluster = Scenario().nodes(2, procs(2)).job("a").job("b").job("c").build();
  const NodeId n1 = node_named(cluster, "n1");
  const auto begun = [&](NodeState state, Seconds since) {
    return cluster.state(n1) == state && cluster.state_since(n1) == kNow + since;
  };
  EXPECT_TRUE(begun(NodeState::idle, Seconds(0)));
  cluster.start_job(job_named(cluster, "a"), {{n1, 1, 0}}, kNow + minutes(1));
  EXPECT_TRUE(begun(NodeState::running, minutes(1)));
  cluster.start_job(job_named(cluster, "b"), {{n1, 1, 0}}, kNow + minutes(2));
  EXPECT_TRUE(begun(NodeState::busy, minutes(2)));
  cluster.set_node_state(n1, NodeState::busy, kNow + minutes(3));
  EXPECT_TRUE(begun(NodeState::busy, minutes(2))) << "whatever its resource manager says of it";
  cluster.set_node_state(n1, NodeState::drained, kNow + minutes(4));
  cluster.end_job(job_named(cluster, "a"), JobState::completed, kNow + minutes(5));
  EXPECT_TRUE(begun(NodeState::draining, minutes(4)));
  cluster.end_job(job_named(cluster, "b"), JobState::completed, kNow + minutes(6));
  EXPECT_TRUE(begun(NodeState::drained, minutes(6)));
  cluster.set_node_state(n1, NodeState::idle, kNow + minutes(7));
  cluster.withhold(n1, {}, true, kNow + minutes(8));
  EXPECT_TRUE(begun(NodeState::busy, minutes(8))) << "closed: its load is too high";
  EXPECT_EQ(cluster.state_since(node_named(cluster, "n2")), kNow);
  EXPECT_EQ(cluster.check(), std::nullopt);
}

// After a restart, jobs are told of in any order.
TEST(ClusterTest, AJobThatBeganEarlierDoesNotMakeAStateOlder) {
  Cluster cluster = Scenario().nodes(1, procs(2)).job("a").job("b").build();
  const NodeId n1 = node_named(cluster, "n1");
  cluster.start_job(job_named(cluster, "a"), {{n1, 1, 0}}, kNow - minutes(5));
  EXPECT_EQ(cluster.state_since(n1), kNow - minutes(5));
  cluster.start_job(job_named(cluster, "b"), {{n1, 1, 0}}, kNow - minutes(9));
  EXPECT_EQ(cluster.state_since(n1), kNow - minutes(5)) << "busy since both have run";
}

TEST(ClusterTest, AHoldOnASuspendedJobReleasesWhatIsKeptForIt) {
  Cluster cluster = Scenario().nodes(1, procs(2)).job("a").running_on({{"n1", 1}}).build();
  const JobId a = job_named(cluster, "a");
  cluster.suspend_job(a, kNow);
  EXPECT_TRUE(cluster.job(a).may_resume());
  const auto before = cluster.releases();
  cluster.set_own_holds(a, 1);
  EXPECT_FALSE(cluster.job(a).may_resume());
  EXPECT_EQ(cluster.releases(), before + 1);
}

TEST(ClusterTest, NodeUseCountsTimeAvailableAndTimeOccupied) {
  Cluster cluster = Scenario().nodes(1, procs(2)).job("a").running_on({{"n1", 1}}).build();
  const NodeId n1 = node_named(cluster, "n1");
  cluster.end_job(job_named(cluster, "a"), JobState::completed, kNow + minutes(2));
  cluster.set_node_state(n1, NodeState::down, kNow + minutes(5));
  const NodeUse use = cluster.node_use(n1, kNow + minutes(10));
  EXPECT_EQ(use.total, minutes(10));
  EXPECT_EQ(use.up, minutes(5));
  EXPECT_EQ(use.active, minutes(2));
}

// After a restart a job is told of that began long before.
TEST(ClusterTest, NodeUseBeginsWhenTheNodeIsKnown) {
  Cluster cluster = Scenario().nodes(2, procs(2)).job("a").build();
  const NodeId n1 = node_named(cluster, "n1"), n2 = node_named(cluster, "n2");
  cluster.reset_node_use(kNow);
  cluster.set_node_state(n2, NodeState::drained, kNow + minutes(1));
  cluster.start_job(job_named(cluster, "a"), {{n1, 1, 0}, {n2, 1, 0}}, kNow - minutes(5));
  for (const NodeId node : {n1, n2}) {
    const NodeUse use = cluster.node_use(node, kNow + minutes(7));
    EXPECT_EQ(use.total, minutes(7));
    EXPECT_EQ(use.active, minutes(7));
  }
  cluster.end_job(job_named(cluster, "a"), JobState::completed, kNow + minutes(10));
  EXPECT_EQ(cluster.node_use(n1, kNow + minutes(20)).active, minutes(10));
}

TEST(ClusterTest, AJobThatEndedBeforeItsNodeWasKnownIsNoUseOfIt) {
  Cluster cluster = Scenario().nodes(1, procs(2)).job("a").build();
  const NodeId n1 = node_named(cluster, "n1");
  cluster.reset_node_use(kNow);
  cluster.start_job(job_named(cluster, "a"), {{n1, 1, 0}}, kNow - minutes(5));
  cluster.end_job(job_named(cluster, "a"), JobState::completed, kNow - minutes(2));
  EXPECT_EQ(cluster.node_use(n1, kNow + minutes(20)).active, Seconds(0));
}

TEST(ClusterTest, CountsWhatIsHeldAndWhatIsAskedFor) {
  Cluster cluster = Scenario()
                        .nodes(3, procs(2))
                        .nodes(1, procs(8))
                        .state(NodeState::down)
                        .job("a")
                        .running_on({{"n1", 2}, {"n2", 1}})
                        .job("b")
                        .tasks(4)
                        .limit(minutes(10))
                        .build();
  const ClusterCounts& counts = cluster.counts();
  EXPECT_EQ(counts.configured_procs, 14);
  EXPECT_EQ(counts.available_procs, 6);
  EXPECT_EQ(counts.held_procs, 3);
  EXPECT_EQ(counts.available_nodes, 3);
  EXPECT_EQ(counts.occupied_nodes, 2);
  EXPECT_EQ(counts.waiting_proc_seconds, 4 * 600);
}

// Users may ask for anything.
TEST(ClusterTest, TheWorkOfTheQueueCanBeCountedWhateverIsAskedFor) {
  Scenario scenario;
  scenario.nodes(1, procs(2));
  for (const std::string name : {"a", "b", "c", "d", "e", "f"})
    scenario.job(name).tasks(1'000'000).each(procs(2147)).limit(Seconds(1LL << 40));
  EXPECT_GT(scenario.build().counts().waiting_proc_seconds, 0);
}

TEST(ClusterTest, ReportsConfiguredResourcesByPartition) {
  Cluster cluster = Scenario().nodes(2, procs(2)).nodes(1, procs(4)).partition("b").build();
  EXPECT_EQ(cluster.configured().procs(), 8);
  EXPECT_EQ(cluster.configured(cluster.partitions.find("b")).procs(), 4);
}

// Reports of others may say that jobs run where they cannot.
TEST(ClusterTest, ANodeWhoseJobsTakeMoreThanCanBeCountedHasNoRoom) {
  Cluster cluster = Scenario()
                        .nodes(1, procs(8, 1000))
                        .job("a")
                        .each(procs(1, 2'147'483'647))
                        .running_on({{"n1", 2}})
                        .job("b")
                        .each(procs(1, 1'500'000'000))
                        .running_on({{"n1", 3}})
                        .build();
  const NodeId n1 = node_named(cluster, "n1");
  EXPECT_LT(cluster.occupancy(n1).free.memory(), 0);
  EXPECT_EQ(cluster.check(), std::nullopt);
  cluster.end_job(job_named(cluster, "a"), JobState::completed, kNow);
  EXPECT_LT(cluster.occupancy(n1).free.memory(), 0);
  cluster.withhold(n1, procs(0, 100), false, kNow);
  EXPECT_EQ(cluster.check(), std::nullopt);
  cluster.end_job(job_named(cluster, "b"), JobState::completed, kNow);
  EXPECT_EQ(cluster.occupancy(n1).free, procs(8, 900));
  EXPECT_EQ(cluster.check(), std::nullopt);
}

TEST(ClusterTest, AddsUpTheMemoryOfALargeMachine) {
  Cluster cluster = Scenario().nodes(1200, Resources(128, 2'000'000, 4'000'000)).build();
  EXPECT_EQ(cluster.configured().memory(), 2'400'000'000);
  EXPECT_EQ(cluster.configured().swap(), 4'800'000'000);
  EXPECT_EQ(cluster.configured().procs(), 153'600);
}

}  // namespace
}  // namespace maui
