#include "sim/resource_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/trace_text.h"

namespace maui {
namespace {

using test::Folder;
using test::node_line;
using test::with;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

// The sample line of guide 16.2.
constexpr const char* kGuideNode =
    "COMPUTENODE AVAILABLE 0 cluster008 PBS1 423132 256 7140 2 -1 -1 1 LINUX62 AthlonK7 "
    "[s950][compute] [batch:2] [ethernet][atm] 1.67 [NONE] [NONE] [NONE]";

TEST(ResourceTraceTest, ReadsTheGuidesSample) {
  const auto report = parse_resource_record(kGuideNode);
  ASSERT_TRUE(report) << report.error().what;
  const Node& node = report->node;
  EXPECT_EQ(node.name, "cluster008");
  EXPECT_EQ(node.reported, NodeState::idle);
  EXPECT_EQ(node.resource_manager, "PBS1");
  EXPECT_EQ(node.configured, Resources(2, 256, 423132, 7140));
  EXPECT_EQ(node.frame, -1);
  EXPECT_EQ(node.operating_system, "LINUX62");
  EXPECT_EQ(node.architecture, "AthlonK7");
  EXPECT_THAT(report->features, ElementsAre("s950", "compute"));
  EXPECT_THAT(report->classes, ElementsAre(Pair("batch", 2)));
  EXPECT_THAT(node.networks, ElementsAre("ethernet", "atm"));
  EXPECT_DOUBLE_EQ(node.speed, 1.67);
}

TEST(ResourceTraceTest, EventTypeIsTheStateToBeginIn) {
  const std::pair<const char*, NodeState> rows[] = {{"AVAILABLE", NodeState::idle},
                                                    {"DEFINED", NodeState::down},
                                                    {"DRAINED", NodeState::drained},
                                                    {"[NONE]", NodeState::unknown}};
  for (const auto& [word, state] : rows) {
    const auto report = parse_resource_record(with(node_line(), 2, word));
    ASSERT_TRUE(report) << word;
    EXPECT_EQ(report->node.reported, state) << word;
  }
}

TEST(ResourceTraceTest, SizesAreMegabytesOrCarryAUnit) {
  const std::pair<const char*, int> rows[] = {{"512", 512},    {"512M", 512}, {"2G", 2048},
                                              {"1T", 1048576}, {"2047K", 1},  {"2048k", 2}};
  for (const auto& [word, megabytes] : rows) {
    const auto report = parse_resource_record(with(node_line(), 7, word));
    ASSERT_TRUE(report) << word;
    EXPECT_EQ(report->node.configured.memory(), megabytes) << word;
  }
}

TEST(ResourceTraceTest, NoValueMeansTheGuidesDefault) {
  std::string line = node_line();
  for (const int field : {5, 6, 7, 8, 9, 12, 13, 14, 15, 16, 17, 18})
    line = with(line, field, "[NONE]");
  const auto report = parse_resource_record(line);
  ASSERT_TRUE(report) << report.error().what;
  EXPECT_EQ(report->node.configured, Resources(1, 1, 1, 1));
  EXPECT_THAT(report->classes, ElementsAre(Pair("batch", 1)));
  EXPECT_TRUE(report->features.empty());
  EXPECT_DOUBLE_EQ(report->node.speed, 1.0);
}

TEST(ResourceTraceTest, AListInTheFieldOfTheSpeedIsOfGenericResources) {
  const auto report = parse_resource_record(with(node_line(), 18, "[tape:2][license:1]"));
  ASSERT_TRUE(report);
  EXPECT_THAT(report->generic, ElementsAre(Pair("tape", 2), Pair("license", 1)));
  EXPECT_DOUBLE_EQ(report->node.speed, 1.0);
}

TEST(ResourceTraceTest, EveryWrongFieldIsNamedWithWhatWasExpected) {
  struct Row {
    int field;
    const char *value, *message;
  };
  const Row rows[] = {
      {1, "NODE", "invalid field 1 (Resource Type) 'NODE': expected COMPUTENODE"},
      {2, "UP", "invalid field 2 (Event Type) 'UP': expected AVAILABLE, DEFINED or DRAINED"},
      {3, "noon",
       "invalid field 3 (Event Time) 'noon': expected a time in seconds since the epoch"},
      {4, "[NONE]", "invalid field 4 (Resource ID) '[NONE]': expected a name"},
      {6, "1X", "invalid field 6 (Configured Swap) '1X': expected a size in MB"},
      {7, "-5", "invalid field 7 (Configured Memory) '-5': expected a size in MB"},
      {8, "9999999T", "invalid field 8 (Configured Disk) '9999999T': expected a size in MB"},
      {9, "-2", "invalid field 9 (Configured Processors) '-2': expected a number of processors"},
      {10, "x", "invalid field 10 (Resource Frame Location) 'x': expected a whole number, or -1"},
      {15, "fast", "invalid field 15 (Configured Node Features) 'fast': expected a list such as"},
      {16, "[batch:0]", "invalid field 16 (Configured Run Classes) '[batch:0]': expected a list"},
      {17, "[a][b", "invalid field 17 (Configured Network Adapters) '[a][b': expected a list"},
      {18, "0", "invalid field 18 (Relative Resource Speed) '0': expected a speed greater than 0"},
      {18, "nan",
       "invalid field 18 (Relative Resource Speed) 'nan': expected a speed greater than 0"},
  };
  for (const auto& row : rows) {
    const auto report = parse_resource_record(with(node_line(), row.field, row.value));
    ASSERT_FALSE(report) << row.message;
    EXPECT_THAT(report.error().what, HasSubstr(row.message));
  }
}

TEST(ResourceTraceTest, AWrongNumberOfFieldsIsSaid) {
  EXPECT_EQ(parse_resource_record("COMPUTENODE AVAILABLE 0 n1").error().what,
            "4 fields, expected 21");
}

TEST(ResourceTraceTest, BadLinesAreReportedWithTheirPlaceAndTheRestIsUsed) {
  const Folder folder;
  const auto path = folder.write(
      "nodes", {"VERSION 230", "# a comment", "", node_line("n1"), with(node_line("n2"), 9, "two"),
                node_line("n1"), "VERSION x", node_line("n3")});
  TraceSummary summary;
  const auto nodes = read_resource_trace(path, summary);
  ASSERT_TRUE(nodes);
  ASSERT_EQ(nodes->size(), 2U);
  EXPECT_EQ((*nodes)[1].node.name, "n3");
  EXPECT_EQ(summary.bad_lines, 3);
  EXPECT_THAT(
      summary.problems,
      ElementsAre(
          HasSubstr(path + ":5: invalid field 9 (Configured Processors) 'two'"),
          HasSubstr(path + ":6: field 4 (Resource ID): 'n1' occurs twice"),
          HasSubstr(path +
                    ":7: invalid line 'VERSION x': expected VERSION and the format's number")));
}

TEST(ResourceTraceTest, OnlyTheFirstProblemsOfAFileAreKeptAndAllAreCounted) {
  const Folder folder;
  const auto path = folder.write("nodes", [] {
    std::vector<std::string> lines(50, "rubbish");
    lines.push_back(node_line());
    return lines;
  }());
  TraceSummary summary;
  ASSERT_TRUE(read_resource_trace(path, summary));
  EXPECT_EQ(summary.bad_lines, 50);
  EXPECT_EQ(summary.problems.size(), 20U);
}

TEST(ResourceTraceTest, FailsWhenNothingRemains) {
  const Folder folder;
  const auto path = folder.write("nodes", {"rubbish"});
  TraceSummary summary;
  const auto nodes = read_resource_trace(path, summary);
  ASSERT_FALSE(nodes);
  EXPECT_EQ(nodes.error().what, path + ": no usable node record; the first problem: " + path +
                                    ":1: 1 field, expected 21");
  EXPECT_THAT(read_resource_trace(folder.path() + "/none", summary).error().what,
              HasSubstr("/none: cannot be read: No such file"));
}

Node known(const NodeReport& report, Cluster& cluster) {
  Node node = report.node;
  for (const auto& name : report.features) node.features.push_back(cluster.features.intern(name));
  for (const auto& [name, count] : report.classes)
    node.configured.set(cluster.initiator(cluster.classes.intern(name)), count);
  for (const auto& [name, count] : report.generic)
    node.configured.set(cluster.consumables.intern(name), count);
  return node;
}

TEST(ResourceTraceTest, ARecordWrittenReadsBackAsTheSameNode) {
  const std::string lines[] = {
      kGuideNode,
      node_line(),
      with(node_line(), 2, "DRAINED"),
      with(node_line(), 18, "[tape:2]"),
      with(with(node_line(), 18, "2.5"), 19, "[tape:2]"),
      with(with(node_line(), 16, "[]"), 10, "8"),
  };
  for (const auto& line : lines) {
    const auto first = parse_resource_record(line);
    ASSERT_TRUE(first) << line;
    Cluster cluster;
    const auto written = write_resource_record(cluster, known(*first, cluster));
    const auto second = parse_resource_record(written);
    ASSERT_TRUE(second) << written << "\n" << second.error().what;
    EXPECT_EQ(second->node.name, first->node.name);
    EXPECT_EQ(second->node.reported, first->node.reported);
    EXPECT_EQ(second->node.configured, first->node.configured);
    EXPECT_EQ(second->node.frame, first->node.frame);
    EXPECT_EQ(second->node.speed, first->node.speed);
    EXPECT_EQ(second->node.networks, first->node.networks);
    EXPECT_EQ(second->features, first->features);
    EXPECT_EQ(second->classes, first->classes);
    EXPECT_EQ(second->generic, first->generic);
  }
}

}  // namespace
}  // namespace maui
