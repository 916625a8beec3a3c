// Nodes of which several tell, and who is believed (guide 12.0; docs/decisions/node-attributes.md).
#include "engine/engine_fixture.h"

namespace maui::test {
namespace {

class NodeAttributesTest : public EngineTest {
 protected:
  const Node& reported(NodeReport report) {
    report.node.name = "n1";
    report.node.reported = NodeState::idle;
    report.node.configured = procs(2);
    rm().next.nodes = {std::move(report)};
    iterate(Seconds(++polls_));
    return cluster().node(node("n1"));
  }
  std::string partition(const Node& of) { return cluster().partitions[of.partition]; }

  /// All that a resource manager and its features can tell.
  static NodeReport all() {
    NodeReport report;
    report.partition = "told";
    report.node.type = "told";
    report.node.speed = 1.5;
    report.node.proc_speed = 500;
    report.node.frame = 3;
    report.node.slot = 4;
    report.features = {"xptfeature", "xntfeature", "xps900", "fast"};
    return report;
  }

 private:
  int polls_ = 0;
};

TEST_F(NodeAttributesTest, ReportedAttributesGoBeforeFeatures) {
  settings.node.partition_header = "xpt";
  settings.node.type_header = "xnt";
  settings.node.speed_header = "xps";
  const Node& plain = reported(all());
  EXPECT_EQ(partition(plain), "told");
  EXPECT_EQ(plain.type, "told");
  EXPECT_EQ(plain.proc_speed, 500);
  auto silent = all();
  silent.partition.clear();
  silent.node.type.clear();
  silent.node.proc_speed = 0;
  const Node& featured = reported(silent);
  EXPECT_EQ(partition(featured), "feature");
  EXPECT_EQ(featured.type, "feature");
  EXPECT_EQ(featured.proc_speed, 900);
}

TEST_F(NodeAttributesTest, NodecfgGoesBeforeBothAttributeByAttribute) {
  settings.node.partition_header = "xpt";
  settings.nodes["DEFAULT"].partition = "anywhere";
  settings.nodes["DEFAULT"].frame = 9;
  settings.nodes["n1"].partition = "small";
  settings.nodes["n1"].proc_speed = 600;
  settings.nodes["n1"].speed = 2;
  settings.nodes["n1"].type = "BIGMEM";
  settings.nodes["n1"].features = {"green"};
  const Node& node = reported(all());
  EXPECT_EQ(partition(node), "small");
  EXPECT_EQ(node.proc_speed, 600);
  EXPECT_EQ(node.speed, 2);
  EXPECT_EQ(node.type, "BIGMEM");
  EXPECT_EQ(node.frame, 9) << "of DEFAULT, since the node's own line says nothing";
  EXPECT_EQ(node.slot, 4) << "nothing is said of it but by the resource manager";
  EXPECT_EQ(node.features.size(), 5U) << "features are added";
}

}  // namespace
}  // namespace maui::test
