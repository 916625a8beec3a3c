// Nodes that are not as they should be, and nodes that nobody reports (appendix F: NODESYNCTIME,
// NODEPURGETIME).
#include "engine/engine_fixture.h"

namespace maui::test {
namespace {

class NodeSyncTest : public EngineTest {
 protected:
  NodeSyncTest() { settings.node.sync_time = minutes(10); }
  void report(NodeState state, Seconds at) {
    rm().tells_starts = true;
    NodeReport report = node_report("n1", procs(2));
    report.node.reported = state;
    rm().next.nodes = {report};
    iterate(at);
  }
  /// "a" of one processor runs on n1, which is reported so.
  void run_on(NodeState state) {
    rm().tells_starts = true;
    core_starts("a", "n1", 1);
    begin({job_report("a", 1)});
    core = nullptr;
    rm().next.statuses = {{"a", JobState::running, std::nullopt}};
    report(state, minutes(1));
  }
  bool closed() { return cluster().occupancy(node("n1")).closed; }
};

TEST_F(NodeSyncTest, ANodeThatShouldBeIdleTakesNoJobsUntilItsOtherStateIsBelieved) {
  report(NodeState::running, Seconds(0));
  EXPECT_TRUE(closed());
  iterate(minutes(9));
  EXPECT_TRUE(closed());
  iterate(minutes(10));
  EXPECT_FALSE(closed()) << "somebody else's jobs run there";
}

TEST_F(NodeSyncTest, ItTakesJobsAgainAsSoonAsTheStatesAgree) {
  report(NodeState::running, Seconds(0));
  report(NodeState::idle, minutes(1));
  EXPECT_FALSE(closed());
}

TEST_F(NodeSyncTest, ANodeThatIsReportedBusyStaysClosedForAsLong) {
  report(NodeState::busy, Seconds(0));
  iterate(hours(1));
  EXPECT_TRUE(closed());
}

TEST_F(NodeSyncTest, AnIdleNodeThatShouldRunAJobIsDoubted) {
  run_on(NodeState::idle);
  EXPECT_TRUE(closed());
  iterate(minutes(11));
  EXPECT_FALSE(closed());
}

TEST_F(NodeSyncTest, ANodeThatRunsWhatItShouldIsNotDoubted) {
  run_on(NodeState::running);
  EXPECT_FALSE(closed());
}

TEST_F(NodeSyncTest, AJobThatOnlyStartsNeedNotShowYet) {
  rm().tells_starts = true;
  core_starts("a", "n1", 1);
  begin({job_report("a", 1)});
  core = nullptr;
  iterate(minutes(1));
  EXPECT_FALSE(closed());
}

TEST_F(NodeSyncTest, AResourceManagerThatDoesNotTellIsNotDoubted) {
  NodeReport report = node_report("n1", procs(2));
  report.node.reported = NodeState::busy;
  rm().next.nodes = {report};
  iterate();
  EXPECT_FALSE(closed());
}

// --- NODEPURGETIME -----------------------------------------------------------------

class NodePurgeTest : public EngineTest {
 protected:
  void lose(const std::string& name, Seconds at) {
    rm().next.lost_nodes = {name};
    iterate(at);
  }
  const Node& known(const std::string& name) { return cluster().node(node(name)); }
};

TEST_F(NodePurgeTest, ANodeThatIsReportedNoLongerTakesNoJobsAndIsRememberedForNodepurgetime) {
  settings.node.purge_time = minutes(5);
  begin({});
  lose("n1", minutes(1));
  EXPECT_FALSE(known("n1").available());
  EXPECT_EQ(known("n1").configured.procs(), 2);
  lose("n1", minutes(5));
  EXPECT_FALSE(known("n1").purged) << "it counts from the first time";
  iterate(minutes(6));
  EXPECT_TRUE(known("n1").purged);
  EXPECT_EQ(cluster().configured().procs(), 2) << "those of n2";
}

TEST_F(NodePurgeTest, ANodeThatComesBackIsAsItWas) {
  settings.node.purge_time = minutes(5);
  begin({});
  lose("n1", minutes(1));
  iterate(minutes(6));
  rm().next.nodes = {node_report("n1", procs(2))};
  iterate(minutes(7));
  EXPECT_FALSE(known("n1").purged);
  EXPECT_TRUE(known("n1").available());
  EXPECT_EQ(cluster().configured().procs(), 4);
}

TEST_F(NodePurgeTest, ANodeIsNotForgottenWhileAJobIsOnIt) {
  settings.node.purge_time = minutes(5);
  core_starts("a", "n1", 1);
  begin({job_report("a", 1)});
  lose("n1", minutes(1));
  iterate(hours(1));
  EXPECT_FALSE(known("n1").purged);
  rm().next.ended = {{"a", JobState::completed, kNow + hours(2)}};
  iterate(hours(2));
  EXPECT_TRUE(known("n1").purged);
}

TEST_F(NodePurgeTest, WithoutNodepurgetimeItIsForgottenAtOnce) {
  begin({});
  lose("n1", minutes(1));
  EXPECT_TRUE(known("n1").purged) << "the default is that of PURGETIME: 0";
}

TEST_F(NodePurgeTest, OneThatIsToBeRememberedForGoodIs) {
  settings.node.purge_time = kUnlimited;
  begin({});
  lose("n1", minutes(1));
  iterate(hours(1000));
  EXPECT_FALSE(known("n1").purged);
}

}  // namespace
}  // namespace maui::test
