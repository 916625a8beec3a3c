#include "slurm/node_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cluster_builders.h"

namespace maui::slurm {
namespace {

using testing::ElementsAre;
using testing::Pair;
using Told = maui::NodeState;

NodeReport told(const Node& node) {
  Cluster cluster;
  cluster.nodes = {node};
  cluster.partitions = {{"batch", "n[1-4]", true, {}, {}}, {"shut", "n1", false, {}, {}}};
  return told_nodes(cluster).front();
}

Told state(NodeState slurm, bool closed = false, bool silent = false, bool completing = false) {
  Node one = node("n1");
  one.state = slurm;
  one.closed = closed;
  one.silent = silent;
  one.completing = completing;
  return told(one).node.reported;
}

TEST(NodeRecordTest, StatesTellWhatANodeTakes) {
  EXPECT_EQ(state(NodeState::idle), Told::idle);
  EXPECT_EQ(state(NodeState::mixed), Told::running);
  EXPECT_EQ(state(NodeState::allocated), Told::busy);
  EXPECT_EQ(state(NodeState::down), Told::down);
  EXPECT_EQ(state(NodeState::unknown), Told::down);
}

TEST(NodeRecordTest, AClosedOrSilentNodeTakesNothingAndLetsJobsGoOn) {
  EXPECT_EQ(state(NodeState::idle, true), Told::drained);
  EXPECT_EQ(state(NodeState::mixed, true), Told::draining);
  EXPECT_EQ(state(NodeState::idle, true, false, true), Told::draining);
  EXPECT_EQ(state(NodeState::allocated, false, true), Told::draining);
  EXPECT_EQ(state(NodeState::idle, false, true), Told::drained);
}

TEST(NodeRecordTest, ANodeThatIsSwitchedOffIsDown) {
  Node one = node("n1");
  one.powered = false;
  EXPECT_EQ(told(one).node.reported, Told::down);
}

TEST(NodeRecordTest, PartitionsThatAreUpAreClassesWithOneInitiatorForEachProcessor) {
  EXPECT_THAT(told(node("n1", 8)).classes, ElementsAre(Pair("batch", 8)));
}

TEST(NodeRecordTest, ResourcesFeaturesAndGenericResourcesAreTold) {
  Node one = node("n2", 8);
  one.disk = 1000;
  one.load = 2.5;
  one.features = "ib,fast";
  one.gres = "gpu:a100:2(S:0)";
  one.system = "Linux 6.1.0 #1 SMP";
  const auto report = told(one);
  EXPECT_EQ(report.node.configured, Resources(8, 16000, 0, 1000));
  EXPECT_EQ(report.node.load, 2.5);
  EXPECT_EQ(report.node.operating_system, "Linux");
  EXPECT_THAT(report.features, ElementsAre("ib", "fast"));
  EXPECT_THAT(report.generic, ElementsAre(Pair("gpu", 2), Pair("gpu_a100", 2)));
}

}  // namespace
}  // namespace maui::slurm
