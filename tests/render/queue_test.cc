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
