// Nodes that are not as they should be, and nodes that nobody reports (appendix F: NODESYNCTIME,
// NODEPURGETIME).
#include "engine/reports/node_sync.h"

#include <fmt/format.h>
#include <malloc.h>

#include "engine/engine_fixture.h"

#ifdef __SANITIZE_ADDRESS__
// The compiler's package has the function, but not the header that declares it.
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();
#endif

namespace maui::test {
namespace {

/// Returns what the program has of the allocator now.
std::size_t allocated_bytes() {
#ifdef __SANITIZE_ADDRESS__
  return __sanitizer_get_current_allocated_bytes();
#else
  return ::mallinfo2().uordblks;
#endif
}

class NodeSyncTest : public EngineTest {
 protected:
  NodeSyncTest() { settings.node.sync_time = minutes(10); }
  void report(NodeState state, Seconds at) {
    rm().reports_starts = true;
    NodeReport report = node_report("n1", procs(2));
    report.node.reported = state;
    report.node.resource_manager = "scripted";
    rm().next.nodes = {report};
    iterate(at);
  }
  /// The resource manager calls nodes idle or running without regard to their jobs.
  void report_up_only() {
    RmRecord record;
    record.name = "scripted";
    record.nodes_up_only = true;
    rm().kept_records = {record};
  }
  /// "a" of one processor runs on n1, which is reported so.
  void run_on(NodeState state) {
    rm().reports_starts = true;
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

TEST_F(NodeSyncTest, IdleAndRunningMeanUpWhereTheResourceManagerHasNoRegardToJobs) {
  report_up_only();
  run_on(NodeState::idle);
  EXPECT_FALSE(closed()) << "the other processor takes a job";
  iterate(minutes(2));
  EXPECT_FALSE(closed());
}

TEST_F(NodeSyncTest, RunningMeansUpEvenWhereNothingRuns) {
  report_up_only();
  report(NodeState::running, Seconds(0));
  EXPECT_FALSE(closed());
  report(NodeState::busy, minutes(1));
  EXPECT_TRUE(closed()) << "it takes no more";
}

TEST_F(NodeSyncTest, ATrialKnowsToo) {
  report_up_only();
  run_on(NodeState::idle);
  const auto trial = engine().trial();
  EXPECT_EQ(up_only_of(trial->rm_records()), std::vector<std::string>{"scripted"});
}

TEST_F(NodeSyncTest, AJobThatOnlyStartsNeedNotShowYet) {
  rm().reports_starts = true;
  core_starts("a", "n1", 1);
  begin({job_report("a", 1)});
  core = nullptr;
  iterate(minutes(1));
  EXPECT_FALSE(closed());
}

TEST_F(NodeSyncTest, AResourceManagerThatDoesNotReportUpOnlyIsNotDoubted) {
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
  bool is_known(const std::string& name) { return cluster().find_node(name).valid(); }
};

TEST_F(NodePurgeTest, AnUnreportedNodeTakesNoJobsAndIsKeptForNodepurgetime) {
  settings.node.purge_time = minutes(5);
  begin({});
  lose("n1", minutes(1));
  EXPECT_FALSE(known("n1").available());
  EXPECT_EQ(known("n1").configured.procs(), 2);
  lose("n1", minutes(5));
  EXPECT_FALSE(known("n1").purged) << "it counts from the first time";
  iterate(minutes(6));
  EXPECT_FALSE(is_known("n1"));
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

TEST_F(NodePurgeTest, ANodeThatSomethingRefersToKeepsItsName) {
  settings.node.purge_time = minutes(5);
  JobReport picky = job_report("a", 1);
  picky.host_list = {"n1"};
  begin({picky});
  lose("n1", minutes(1));
  iterate(minutes(6));
  EXPECT_TRUE(known("n1").purged);
  rm().next.ended = {{"a", JobState::removed, kNow + minutes(7)}};
  iterate(minutes(7));
  iterate(minutes(20));
  EXPECT_FALSE(is_known("n1"));
  EXPECT_EQ(cluster().check(), std::nullopt);
}

TEST_F(NodePurgeTest, NamesThatComeAndGoTakeNoMoreMemoryThanThoseThatAreThere) {
  settings.node.purge_time = minutes(5);
  JobReport waits = job_report("a", 1);
  waits.features = {{"wanted"}};
  begin({waits});
  constexpr int kNodes = 200;
  const auto round = [&](int number) {
    rm().next.nodes.clear();
    rm().next.lost_nodes.clear();
    for (int i = 0; i < kNodes; ++i) {
      rm().next.nodes.push_back(node_report(fmt::format("node-{}-{}", number, i), procs(2)));
      rm().next.nodes.back().features = {fmt::format("feature-{}-{}", number, i)};
      rm().next.lost_nodes.push_back(fmt::format("node-{}-{}", number - 1, i));
    }
    iterate(minutes(10 * number));
    listener.lines.clear();
    listener.facilities.clear();
    listener.caused.clear();
    listener.events.clear();
  };
  // The logs of what has changed in the cluster have their full length after some time.
  constexpr int kFull = 200;
  for (int number = 1; number <= kFull; ++number) round(number);
  const auto before = allocated_bytes();
  for (int number = kFull + 1; number <= kFull + 40; ++number) round(number);
  EXPECT_LT(allocated_bytes(), before + 300'000) << "at the beginning: " << before;
  EXPECT_LE(cluster().nodes().size(), 2U + 3 * kNodes);
  EXPECT_EQ(cluster().check(), std::nullopt);
  const Request& wants = cluster().request_of(id("a"));
  ASSERT_EQ(wants.requirements.front().features.size(), 1U);
  EXPECT_EQ(cluster().features[wants.requirements.front().features.front()], "wanted");
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
  EXPECT_FALSE(is_known("n1"));
}

TEST_F(NodePurgeTest, WithoutNodepurgetimeItIsForgottenAtOnce) {
  begin({});
  lose("n1", minutes(1));
  EXPECT_FALSE(is_known("n1")) << "the default is that of PURGETIME: 0";
}

TEST_F(NodePurgeTest, AnUnlimitedPurgeTimeKeepsANodeForever) {
  settings.node.purge_time = kUnlimited;
  begin({});
  lose("n1", minutes(1));
  iterate(hours(1000));
  EXPECT_FALSE(known("n1").purged);
}

}  // namespace
}  // namespace maui::test
