#include "slurm/node_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cluster_builders.h"

namespace maui::slurm {
namespace {

using testing::ElementsAre;
using testing::Pair;
using Reported = maui::NodeState;

NodeReport report_of(const Node& node) {
  Cluster cluster;
  cluster.nodes = {node};
  cluster.partitions = {partition("batch", "n[1-4]"), partition("shut", "n1")};
  cluster.partitions[1].up = false;
  return node_reports(cluster, Time(0)).front();
}

Reported state(NodeState slurm, bool closed = false, bool silent = false, bool completing = false) {
  Node host = node("n1");
  host.state = slurm;
  host.closed = closed;
  host.silent = silent;
  host.completing = completing;
  return report_of(host).node.reported;
}

TEST(NodeRecordTest, MapsSlurmStatesToNodeStates) {
  EXPECT_EQ(state(NodeState::idle), Reported::idle);
  EXPECT_EQ(state(NodeState::mixed), Reported::running);
  EXPECT_EQ(state(NodeState::allocated), Reported::busy);
  EXPECT_EQ(state(NodeState::down), Reported::down);
  EXPECT_EQ(state(NodeState::unknown), Reported::down);
}

TEST(NodeRecordTest, ANodeThatIsSlowToClearTakesNothingUntilItIsThrough) {
  Cluster cluster;
  cluster.nodes = {node("n1"), node("n2")};
  for (Node& node : cluster.nodes) {
    node.state = NodeState::mixed;
    node.completing = true;
  }
  Job ended;
  ended.completing = true;
  ended.state = JobState::complete;
  ended.nodes = "n1";
  ended.ended = Time(100);
  cluster.jobs = {ended};
  const auto states = [&](Time now) {
    const auto reports = node_reports(cluster, now);
    return std::pair(reports[0].node.reported, reports[1].node.reported);
  };
  EXPECT_EQ(states(Time(105)), std::pair(Reported::running, Reported::running))
      << "most take a moment";
  EXPECT_EQ(states(Time(106)), std::pair(Reported::busy, Reported::running));
  cluster.nodes[0].completing = false;
  EXPECT_EQ(states(Time(106)), std::pair(Reported::running, Reported::running));
}

TEST(NodeRecordTest, AClosedOrSilentNodeTakesNothingAndLetsJobsGoOn) {
  EXPECT_EQ(state(NodeState::idle, true), Reported::drained);
  EXPECT_EQ(state(NodeState::mixed, true), Reported::draining);
  EXPECT_EQ(state(NodeState::idle, true, false, true), Reported::draining);
  EXPECT_EQ(state(NodeState::allocated, false, true), Reported::draining);
  EXPECT_EQ(state(NodeState::idle, false, true), Reported::drained);
}

TEST(NodeRecordTest, ANodeThatIsSwitchedOffIsDown) {
  Node host = node("n1");
  host.powered = false;
  EXPECT_EQ(report_of(host).node.reported, Reported::down);
}

TEST(NodeRecordTest, PartitionsThatAreUpAreClassesWithOneInitiatorForEachProcessor) {
  EXPECT_THAT(report_of(node("n1", 8)).classes, ElementsAre(Pair("batch", 8)));
}

TEST(NodeRecordTest, ReportsResourcesFeaturesAndGenericResources) {
  Node host = node("n2", 8);
  host.disk = 1000;
  host.load = 2.5;
  host.features = "ib,fast";
  host.gres = "gpu:a100:2(S:0)";
  host.system = "Linux 6.1.0 #1 SMP";
  const auto report = report_of(host);
  EXPECT_EQ(report.node.configured, Resources(8, 16000, 0, 1000));
  EXPECT_EQ(report.node.load, 2.5);
  EXPECT_EQ(report.node.operating_system, "Linux");
  EXPECT_THAT(report.features, ElementsAre("ib", "fast"));
  EXPECT_THAT(report.generic, ElementsAre(Pair("gpu", 2), Pair("gpu_a100", 2)));
}

std::vector<std::pair<std::string, int>> reserved(int cores,
                                                  std::vector<std::pair<std::string, int>> cpus) {
  Cluster cluster;
  cluster.nodes = {node("n1", 16), node("n2", 16)};
  for (Node& node : cluster.nodes) node.cores = 8;
  cluster.reservations = {{"kept", "n[1-2]", kNow, kNow + Seconds(60), std::move(cpus), cores}};
  return reservation_reports(cluster).front().nodes;
}

TEST(ReservationRecordTest, HasWholeNodesOrTheCoresThatSlurmReports) {
  EXPECT_THAT(reserved(16, {}), ElementsAre(Pair("n1", -1), Pair("n2", -1)));
  EXPECT_THAT(reserved(0, {}), ElementsAre(Pair("n1", -1), Pair("n2", -1)));
  EXPECT_THAT(reserved(5, {{"n1", 4}, {"n2", 6}}), ElementsAre(Pair("n1", 4), Pair("n2", 6)));
}

TEST(ReservationRecordTest, SpreadsCoresEvenlyIfSlurmDoesNotPlaceThem) {
  EXPECT_THAT(reserved(5, {}), ElementsAre(Pair("n1", 6), Pair("n2", 6))) << "two CPUs a core";
}

TEST(ReservationRecordTest, HasItsShareOnTheLastOfThousandsOfNodes) {
  Cluster cluster;
  for (int i = 1; i <= 40'000; ++i) cluster.nodes.push_back(node("n" + std::to_string(i), 16));
  for (Node& node : cluster.nodes) node.cores = 8;
  cluster.reservations = {{"kept", "n[1-40000]", kNow, kNow + Seconds(60), {}, 40'000}};
  EXPECT_EQ(reservation_reports(cluster).front().nodes.at(39'999),
            std::pair(std::string("n40000"), 2));
}

}  // namespace
}  // namespace maui::slurm
