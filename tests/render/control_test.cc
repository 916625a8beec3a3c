#include <gmock/gmock.h>

#include "render/golden.h"
#include "render/scenario.h"

namespace maui {
namespace {

using testing::HasSubstr;
using ControlText = GoldenTest;

TEST_F(ControlText, ShowconfigCanBeSavedAsAConfiguration) {
  EXPECT_EQ(render(ConfigReply{"0.1.0",
                               42,
                               {{"RMPOLLINTERVAL", "00:01:00", true},
                                {"USERCFG[amy]", "PRIORITY=5 QDEF=high", false}},
                               {}},
                   Format::text),
            "# Maui version 0.1.0 (PID: 42)\n"
            "RMPOLLINTERVAL                    00:01:00\n"
            "USERCFG[amy]                      PRIORITY=5 QDEF=high\n");
}

TEST_F(ControlText, AnUnansweredRequestOfMnodectlSaysSo) {
  EXPECT_EQ(render(NodesModifiedReply{"STATE",
                                      "Drained",
                                      {{"n1", true, {}},
                                       {"n2", true, "'n2': not answered yet"},
                                       {"n3", false, "'n3' is unknown"}}},
                   Format::text),
            "node 'n1' STATE set to Drained\nnode 'n2' STATE set to Drained\n"
            "ERROR:    'n2': not answered yet\nERROR:    'n3' is unknown\n");
}

TEST_F(ControlText, ShowconfigHasTheHeadingsAndColumnsOf33) {
  EXPECT_EQ(render(ConfigReply{"0.1.0",
                               42,
                               {{"BACKFILLDEPTH[0]", "0", true}, {"DEFERTIME", "1:00:00", true}},
                               {{0, "# global policies"}, {0, ""}, {1, ""}, {2, ""}}},
                   Format::text),
            "# Maui version 0.1.0 (PID: 42)\n# global policies\n\n"
            "BACKFILLDEPTH[0]                  0\n\n"
            "DEFERTIME                       1:00:00\n\n");
}

TEST_F(ControlText, ChangesAndSteps) {
  expect(ParameterReply{"LOGLEVEL", {"4"}}, "changeparam");
  EXPECT_EQ(render(ParameterReply{"LOGLEVEL", {"5"}, "schedctl"}, Format::text),
            "parameters modified\n\n");
  EXPECT_EQ(render(ParameterReply{"X", {"5"}, "schedctl", {"X has no effect"}}, Format::text),
            "parameters modified\n\nWARNING: X has no effect\n");
  expect(StopReply{21, 60, false}, "schedctl_S");
  expect(StopReply{60, 0, false}, "schedctl_s_noarg");
  expect(ShutdownReply{0}, "schedctl_k");
  EXPECT_EQ(render(ShutdownReply{0, true}, Format::text),
            "scheduler will be shutdown immediately\n\n"
            "another scheduler may take over; to stop scheduling, end the one that stands by "
            "first\n");
  EXPECT_EQ(render(ResumeReply{0}, Format::text), "scheduling will resume immediately\n\n");
  EXPECT_EQ(render(ResumeReply{90}, Format::text), "scheduling will resume in 00:01:30\n\n");
  EXPECT_EQ(render(ReloadReply{0, {}}, Format::text), "configuration reloaded\n");
}

TEST_F(ControlText, ARefusalIsOneLine) {
  EXPECT_EQ(render(Refusal{"cannot locate job 'x'"}, Format::text),
            "ERROR:    cannot locate job 'x'\n");
}

TEST_F(ControlText, TheNodeTraceHas21FieldsALine) {
  NodeTraceReply reply;
  for (const auto& node : scenario::kNodeDiagnoses) {
    TraceNode t;
    t.event = "AVAILABLE";
    t.name = node.name;
    t.resource_manager = "[DEFAULT]";
    t.opsys = node.opsys;
    t.arch = node.arch;
    t.swap = 1024;
    t.memory = node.memory.configured;
    t.disk = 4096;
    t.procs = node.procs.configured;
    t.frame = t.slot = 1;
    t.slots = 0;
    t.features = node.features;
    for (const auto& c : node.classes) t.classes.push_back(c);
    reply.nodes.push_back(t);
  }
  expect(reply, "schedctl_n");
  reply.nodes = {reply.nodes[0]};
  reply.nodes[0].classes.clear();
  EXPECT_THAT(render(reply, Format::text), HasSubstr(" [] [NONE] 1.00 [NONE] ")) << "no [batch:1]";
  reply.nodes[0].generic = {{"tape", 2}};
  EXPECT_THAT(render(reply, Format::text), HasSubstr(" [NONE] [tape:2] [NONE] [NONE]"));
  reply.nodes[0].speed = 2;
  EXPECT_THAT(render(reply, Format::text), HasSubstr(" [NONE] 2.00 [tape:2] [NONE]"));
}

}  // namespace
}  // namespace maui
