#include "render/golden.h"
#include "render/scenario.h"

namespace maui {
namespace {

using namespace scenario;
using QueueText = GoldenTest;

TEST_F(QueueText, ShowqHasThreeSections) {
  expect(QueueReply{kNow, kUse, kActive, kIdle, kBlocked}, "showq");
}

TEST_F(QueueText, EmptySectionsKeepTheirHeadings) {
  expect(QueueReply{kNow, kUse, {}, {}, {}}, "showq_u_bad");
}

TEST_F(QueueText, ActiveJobsInDetail) {
  expect(ActiveQueueReply{kNow, false, kUse, kActiveDetail}, "showq_r");
  expect(ActiveQueueReply{kNow, true, kUse, kActiveDetail}, "showq_r_v");
}

TEST_F(QueueText, IdleJobsInOrderOfPriorityWithTheirBacklog) {
  expect(IdleQueueReply{kNow, 83.333, 64, kIdleDetail}, "showq_i");
}

TEST_F(QueueText, BlockedJobsWithReasons) {
  expect(BlockedQueueReply{kNow, kBlockedDetail}, "showq_b");
}

TEST_F(QueueText, AMachineThatIsDownIsNotDividedBy) {
  const std::string text = render(QueueReply{kNow, {}, {}, {}, {}}, Format::text);
  EXPECT_NE(text.find("0 of    0 Processors Active (0.00%)"), std::string::npos) << text;
  EXPECT_NE(render(IdleQueueReply{kNow, 5, 0, {}}, Format::text).find("(0.00 Hours)"),
            std::string::npos);
}

TEST_F(QueueText, NodesStandInPlaceOfProcessorsAndAccountsOfGroups) {
  QueueReply queue{kNow, kUse, {kActive.front()}, {kIdle.front()}, {}, {true, false}};
  queue.active[0].nodes = 3;
  queue.idle[0].nodes = 1;
  std::string text = render(queue, Format::text);
  EXPECT_NE(text.find("USERNAME      STATE  NODE   REMAINING"), std::string::npos) << text;
  EXPECT_NE(text.find("amy    Running     3    00:13:00"), std::string::npos) << text;
  EXPECT_NE(text.find("dora       Idle     1     1:00:00"), std::string::npos) << text;
  IdleQueueReply idle{kNow, 2, 64, {kIdleDetail.front()}, {true, true}};
  idle.jobs[0].account = "proj1";
  idle.jobs[0].nodes = 7;
  text = render(idle, Format::text);
  EXPECT_NE(text.find("User  Account  Nodes     WCLimit"), std::string::npos) << text;
  EXPECT_NE(text.find("dora    proj1      7     1:00:00"), std::string::npos) << text;
}

TEST_F(QueueText, JsonHasTheNamesOfTheStructs) {
  EXPECT_EQ(render(BlockedQueueReply{5, {{"j1", "amy", "has hold in place"}}}, Format::json), R"({
  "reply": "blocked_queue",
  "now": 5,
  "jobs": [
    {
      "name": "j1",
      "user": "amy",
      "reason": "has hold in place"
    }
  ]
}
)");
}

}  // namespace
}  // namespace maui
