#include "render/golden.h"
#include "render/scenario.h"

namespace maui {
namespace {

using scenario::kNow;
using NodeText = GoldenTest;

NodeReply node003() {
  NodeReply node;
  node.now = kNow;
  node.verbose = true;
  node.name = "node003";
  node.state = "Busy";
  node.state_since = kNow - 420;
  node.configured = {{"PROCS", 4}, {"MEM", 1024}, {"SWAP", 1024}, {"DISK", 4096}};
  node.utilised = node.dedicated = {{"PROCS", 4}};
  node.opsys = "linux";
  node.arch = "x86";
  node.partition = "DEFAULT";
  node.speed = 1;
  node.load = 4;
  node.frame = node.slot = 1;
  node.features = {"compute", "ib"};
  node.classes = {{"long", 4, 4}, {"batch", 0, 4}};
  node.total_time = node.up_time = 1260;
  node.active_time = 1080;
  node.reservations = {
      {"chemres.0.0", "User", 1, kNow - 1140, -1, {{kNow, 0, 4}, {kNow + 780, 4, 4}}},
      {"j0032", "Job", 4, kNow - 420, kNow + 780, {}}};
  node.jobs = {"j0032"};
  return node;
}

TEST_F(NodeText, ChecknodeShowsReservationsAndJobs) { expect(node003(), "checknode_v"); }

TEST_F(NodeText, AnEmptyNodeSaysSo) {
  NodeReply node;
  node.now = kNow;
  node.name = "node017";
  node.state = "Down";
  node.configured = {{"PROCS", 2}, {"MEM", 256}, {"SWAP", 1024}, {"DISK", 4096}};
  node.opsys = "linux";
  node.arch = "x86";
  node.speed = 1;
  node.features = {"old"};
  node.classes = {{"long", 2, 2}, {"batch", 2, 2}};
  node.total_time = 1260;
  expect(node, "checknode_down");
}

StateReply two_frames() {
  StateReply state;
  state.now = kNow;
  state.jobs = {{"fr1n01.7", "Running", "amy", "chem", 3, 600, kNow - 60},
                {"fr1n03.9", "Starting", "eve", "astro", 1, 3600, kNow}};
  state.active_nodes = 3;
  const auto add = [&](std::string name, std::string node_state, std::int64_t frame,
                       std::int64_t slot, std::int64_t slots, std::int64_t job) {
    state.nodes.push_back({std::move(name), std::move(node_state), frame, slot, slots, job});
  };
  add("fr1n01", "Busy", 1, 1, 1, 0);
  add("fr1n02", "Idle", 1, 2, 1, 1);
  add("fr1n03", "Idle", 1, 3, 1, -1);
  add("fr1n12", "Down", 1, 12, 1, 0);
  add("fr2n01", "Drained", 2, 1, 2, -1);
  add("fr2n03", "Down", 2, 3, 2, -1);
  add("fr2n05", "Busy", 2, 5, 2, -1);
  add("fr2n07", "Unknown", 2, 7, 2, -1);
  state.alerts = {"Node fr2n05 is Busy but Has No Job Scheduled"};
  return state;
}

TEST_F(NodeText, ShowstateDrawsFramesWhereEveryNodeHasASlot) {
  expect(two_frames(), "showstate_frames");
}

TEST_F(NodeText, ShowstateFallsBackToNamesWhereNodesShareASlotOrHaveNone) {
  StateReply state = two_frames();
  for (int i = 0; i < 10; ++i)
    state.nodes.push_back({"extra" + std::to_string(i), "Idle", -1, -1, 1, -1});
  expect(state, "showstate_names");
}

TEST_F(NodeText, ShowstateShowsNodesInSlotsBeyondARow) {
  StateReply state = two_frames();
  state.nodes.push_back({"far", "Idle", 2, 300, 1, -1});
  const auto text = render(state, Format::text);
  EXPECT_EQ(text.find("Frame"), std::string::npos);
  EXPECT_EQ(text.find("XXX"), std::string::npos);
  EXPECT_NE(text.find("fr1n01: [A][b][ ][*][!][#][@][?][ ]"), std::string::npos) << text;
}

TEST_F(NodeText, ShowstateListsTheNodesWithSeveralJobs) {
  StateReply state;
  state.jobs.resize(37);
  const auto job = [&](std::size_t index, const char* name, std::vector<std::string> nodes) {
    state.jobs[index].name = name;
    state.jobs[index].nodes = std::move(nodes);
  };
  job(0, "wide", {"a", "b", "c", "c"});
  job(1, "small", {"a", "c"});
  job(36, "last", {"b"});
  state.nodes = {{"a", "Running", -1, -1, 1, 0},
                 {"b", "Running", -1, -1, 1, 0},
                 {"c", "Running", -1, -1, 1, 0},
                 {"d", "Running", -1, -1, 1, 2}};
  const auto text = render(state, Format::text);
  EXPECT_NE(text.find("[A][A][A][C]\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n\nNodes with several jobs:\n"
                      "  (A) wide, (B) small: a,c\n"
                      "  (A) wide, (+) last: b\n"),
            std::string::npos)
      << text;
  state.jobs[1].nodes = state.jobs[36].nodes = {};
  EXPECT_EQ(render(state, Format::text).find("several"), std::string::npos);
}

TEST_F(NodeText, JobsBeyondTheLettersShareAMark) {
  StateReply state;
  state.jobs.resize(40);
  state.nodes = {{"a", "Busy", 1, 1, 1, 25},
                 {"b", "Busy", 1, 2, 1, 26},
                 {"c", "Busy", 1, 3, 1, 35},
                 {"d", "Busy", 1, 4, 1, 36}};
  EXPECT_NE(render(state, Format::text).find("Frame      01: [Z][0][9][+]\n"), std::string::npos);
}

std::vector<WindowNodeRow> window_nodes() {
  std::vector<WindowNodeRow> rows;
  for (const auto& node : scenario::kNodeDiagnoses)
    rows.push_back({node.name, node.state, node.state == "Running" ? "" : "State", "", 0, -1});
  rows[18] = {"node019", "Running", "", "j0034", 1, 2460};
  return rows;
}

TEST_F(NodeText, BackfillWindows) {
  const std::vector<WindowRow> rows{{"DEFAULT", 1, 1, 2460}};
  expect(WindowsReply{kNow, "root", "root", "ALL", false, rows, {}}, "showbf");
  expect(WindowsReply{kNow, "root", "root", "DEFAULT", false, rows, {}}, "showbf_p");
  expect(WindowsReply{kNow, "root", "root", "ALL", false, {}, {}}, "showbf_n2");
  expect(WindowsReply{kNow, "root", "root", "ALL", false, {{"DEFAULT", 1, 1, -1}}, {}},
         "showbf_d10d");
  expect(WindowsReply{kNow, "root", "root", "ALL", true, rows, window_nodes()}, "showbf_v");
}

TEST_F(NodeText, WindowsOfSeveralPartitionsStandUnderTheirNames) {
  const WindowsReply reply{
      kNow,  "john", "staff",
      "ALL", false,  {{"FAST", 9, 9, 17658}, {"SLOW", 34, 34, 37530}, {"SLOW", 26, 26, 25219}},
      {},    false,  true};
  EXPECT_EQ(render(reply, Format::text),
            "backfill window (user: 'john' group: 'staff' partition: ALL) Sun Sep  9 02:06:40\n\n\n"
            "partition FAST:\n  9 procs available for       4:54:18\n\n"
            "partition SLOW:\n 34 procs available for      10:25:30\n"
            " 26 procs available for       7:00:19\n\n\n\n");
  WindowsReply one = reply;
  one.windows.resize(1);
  EXPECT_THAT(render(one, Format::text),
              testing::EndsWith("partition FAST:\n  9 procs available for       4:54:18\n\n\n\n"))
      << "the others have none";
}

}  // namespace
}  // namespace maui
