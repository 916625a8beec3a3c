// Load that is not the scheduler's (guide 12.3, appendix F, case study A.3).
#include "engine/reports/node_loads.h"

#include "engine_fixture.h"

namespace maui::test {
namespace {

Node node_with(double load, double max_load = 0) {
  Node node;
  node.configured = Resources(4, 1024, 1024, 1024);
  node.load = load;
  node.policy.max_load = max_load;
  return node;
}

TEST(NodeLoads, AdjuststateClosesANodeOverItsMaxloadOrAtNodemaxload) {
  NodeParameters policy;
  EXPECT_FALSE(too_busy(node_with(9), policy));
  EXPECT_FALSE(too_busy(node_with(2.5, 2.5), policy));
  EXPECT_TRUE(too_busy(node_with(2.6, 2.5), policy));
  policy.max_load = 0.75;
  EXPECT_TRUE(too_busy(node_with(0.75), policy));
  EXPECT_FALSE(too_busy(node_with(0.74), policy));
  policy.load_policy = NodeLoadPolicy::adjust_procs;
  EXPECT_FALSE(too_busy(node_with(9, 2.5), policy));
}

int kept(double load, int held, double factor, double max_load = 0) {
  NodeParameters policy;
  policy.load_policy = NodeLoadPolicy::adjust_procs;
  policy.untracked_load_factor = factor;
  return withheld_on(node_with(load, max_load), Resources(held), policy).procs();
}

// MIN(ConfiguredProcs - DedicatedProcs, MaxLoad - CurrentLoad) are available.
TEST(NodeLoads, AdjustprocsTakesFromTheProcessors) {
  EXPECT_EQ(kept(0, 0, 1), 0);
  EXPECT_EQ(kept(2, 2, 1), 0);     // the jobs' own
  EXPECT_EQ(kept(2, 0, 1), 2);     // nobody's
  EXPECT_EQ(kept(1.5, 0, 1), 2);   // a processor in part is none
  EXPECT_EQ(kept(1, 0, 1, 2), 3);  // MAXLOAD 2: one is left
  EXPECT_EQ(kept(9, 1, 1), 3);
}

TEST(NodeLoads, LoadThatNoJobExplainsGetsRoomToGrow) {
  EXPECT_EQ(kept(1, 0, 1), 1);
  EXPECT_EQ(kept(1, 0, 1.2), 2);
  EXPECT_EQ(kept(2, 1, 2), 2);
  EXPECT_EQ(kept(1, 1, 2), 0);
}

TEST(NodeLoads, CombinedResourcesAreTakenByTheMoreOfPromisedAndUsed) {
  Node node = node_with(0);
  node.utilised = Resources(2, 700, 100);
  NodeParameters policy;
  EXPECT_EQ(withheld_on(node, Resources(1, 512, 512), policy), Resources(1, 188));
  policy.availability[0] = Availability::dedicated;
  EXPECT_EQ(withheld_on(node, Resources(1, 512, 512), policy), Resources(0, 188));
  policy.availability.fill(Availability::dedicated);
  EXPECT_TRUE(withheld_on(node, Resources(1, 512, 512), policy).zero());
}

TEST_F(EngineTest, ANodeWithTooMuchLoadIsBusyUntilItFalls) {
  settings.node.max_load = 1;
  begin({});
  NodeReport loaded = node_report("n1", procs(2));
  loaded.node.load = 1.5;
  rm().next.nodes = {loaded};
  iterate(Seconds(60));
  EXPECT_EQ(cluster().state(node_named(cluster(), "n1")), NodeState::busy);
  EXPECT_EQ(cluster().open_nodes().size(), 1U);
  EXPECT_EQ(cluster().check(), std::nullopt);
  loaded.node.load = 0.5;
  rm().next.nodes = {loaded};
  iterate(Seconds(120));
  EXPECT_EQ(cluster().state(node_named(cluster(), "n1")), NodeState::idle);
  EXPECT_EQ(cluster().open_nodes().size(), 2U);
  EXPECT_EQ(cluster().check(), std::nullopt);
}

// --- RESOURCEAVAILABILITYPOLICY UTILIZED ------------------------------------------

NodeParameters utilised(std::size_t what) {
  NodeParameters policy;
  policy.availability[what] = Availability::utilised;
  return policy;
}

TEST(NodeLoads, UtilizedResourcesAreTakenByWhatIsUsedInProportion) {
  Node node = node_with(0);
  node.utilised = Resources(1, 301);
  const std::vector<Resources> asked{Resources(1, 400), Resources(1, 200)};
  const auto held = held_on(node, asked, utilised(1));
  EXPECT_EQ(held[0], Resources(1, 200));
  EXPECT_EQ(held[1], Resources(1, 101)) << "nothing of 301 is lost";
  EXPECT_EQ(held_on(node, asked, NodeParameters()), asked);
}

TEST(NodeLoads, UtilizedBeyondWhatWasPromisedIsNobodys) {
  Node node = node_with(0);
  node.utilised = Resources(0, 700);
  EXPECT_EQ(held_on(node, {Resources(1, 400)}, utilised(1)).front(), Resources(1, 400));
  EXPECT_EQ(withheld_on(node, Resources(1, 400), utilised(1)), Resources(0, 300));
}

TEST(NodeLoads, PromisesCountIfNothingIsMeasured) {
  EXPECT_EQ(held_on(node_with(0), {Resources(1, 400)}, utilised(1)).front(), Resources(1, 400));
}

TEST(NodeLoads, PromisesCountForEachResourceThatIsNotMeasured) {
  Node node = node_with(0);
  node.utilised = Resources(0, 100);
  NodeParameters policy = utilised(0);
  policy.availability[1] = Availability::utilised;
  EXPECT_EQ(held_on(node, {Resources(2, 400)}, policy).front(), Resources(2, 100));
}

TEST_F(EngineTest, MemoryThatNobodyUsesIsGivenAgainUnderUtilizedMem) {
  settings.node = utilised(1);
  core_starts("a", "n1", 1);
  JobReport report = job_report("a", 1);
  report.request.requirements.front().per_task = procs(1, 800);
  rm().next.nodes = {node_report("n1", procs(2, 1000))};
  rm().next.arrived = {report};
  iterate();
  EXPECT_EQ(cluster().occupancy(node("n1")).free, Resources(1, 200)) << "until it is measured";
  NodeReport measured = node_report("n1", procs(2, 1000));
  measured.node.utilised = Resources(1, 300);
  rm().next.nodes = {measured};
  iterate(Seconds(60));
  EXPECT_EQ(cluster().occupancy(node("n1")).free, Resources(1, 700));
  settings.node = {};
  engine().set_settings(settings);
  iterate(Seconds(120));
  EXPECT_EQ(cluster().occupancy(node("n1")).free, Resources(1, 200)) << "the policy is another";
  rm().next.ended = {{"a", JobState::completed, kNow + Seconds(180)}};
  iterate(Seconds(180));
  EXPECT_EQ(cluster().occupancy(node("n1")).free, Resources(1, 700)) << "it is nobody's now";
  EXPECT_EQ(cluster().check(), std::nullopt);
}

}  // namespace
}  // namespace maui::test
