#include "render/as_xml.h"
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
  BlockedQueueReply blocked{kNow, {}};
  for (const BlockedDetail& job : kBlockedDetail)
    blocked.jobs.push_back({job.name, job.user, job.reason});
  expect(blocked, "showq_b");
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

TEST_F(QueueText, XmlHasTheElementsAndAttributesThatPublicToolsRead) {
  QueueReply queue{100, {2, 4, 1, 2}, {}, {}, {}};
  ActiveRow runs{"7", "amy", "Running", 2, 50, 40, 1};
  runs.limit = 110;
  runs.main_host = "n1";
  runs.job_class = "a<b";
  runs.run_time = 45;
  queue.active = {runs};
  WaitingRow held{"8", "bob", "Deferred", 1, -1, 30};
  held.priority = 5;
  queue.blocked = {held};
  EXPECT_EQ(render(queue, Format::xml),
            "<Data><cluster LocalActiveNodes=\"1\" LocalAllocProcs=\"2\" LocalIdleNodes=\"1\" "
            "LocalIdleProcs=\"2\" LocalUpNodes=\"2\" LocalUpProcs=\"4\" time=\"100\"/>"
            "<queue count=\"1\" option=\"active\"><job Class=\"a&lt;b\" DRMJID=\"7\" JobID=\"7\" "
            "JobName=\"7\" State=\"Running\" User=\"amy\" ReqAWDuration=\"110\" AWDuration=\"45\" "
            "MasterHost=\"n1\" ReqNodes=\"1\" ReqProcs=\"2\" StartPriority=\"0\" StartTime=\"40\" "
            "SubmissionTime=\"0\"/></queue><queue count=\"0\" option=\"eligible\"/>"
            "<queue count=\"1\" option=\"blocked\"><job DRMJID=\"8\" JobID=\"8\" JobName=\"8\" "
            "State=\"Deferred\" User=\"bob\" ReqProcs=\"1\" StartPriority=\"5\" StartTime=\"0\" "
            "SubmissionTime=\"30\"/></queue></Data>\n");
}

TEST_F(QueueText, BlockedJobsHaveTheirReasonInXml) {
  BlockedRow held{"8", "bob", "has hold in place: User"};
  held.state = "UserHold";
  held.procs = 1;
  held.queued = 30;
  EXPECT_EQ(render(BlockedQueueReply{100, {held}}, Format::xml),
            "<Data><cluster time=\"100\"/><queue count=\"1\" option=\"blocked\">"
            "<job DRMJID=\"8\" JobID=\"8\" JobName=\"8\" State=\"UserHold\" User=\"bob\" "
            "BlockReason=\"has hold in place: User\" ReqProcs=\"1\" StartPriority=\"0\" "
            "StartTime=\"0\" SubmissionTime=\"30\"/></queue></Data>\n");
}

// The columns of showq -r, with how a job ended and how long it ran.
TEST_F(QueueText, CompletedJobsHaveTheColumnsOfActiveJobsAndHowTheyEnded) {
  CompletedRow ran{"7", "amy", "chem", "proj1", "batch", "high", "Completed", "DEFAULT", "node001"};
  ran.exit_code = 3;
  ran.efficiency = 93.17;
  ran.xfactor = 1.25;
  ran.procs = 4;
  ran.limit = 3600;
  ran.run_time = 2700;
  ran.submitted = 1000000000;
  ran.started = 1000001800;
  ran.ended = 1000004500;
  CompletedRow never{"8", "bob", "chem", "proj1", "batch", "DEFAULT", "Removed"};
  never.ended = 1000004600;
  never.procs = 1;
  const CompletedQueueReply reply{1000005000, {ran, never}};
  EXPECT_EQ(render(reply, Format::text),
            "           JobName  S  CCode Par  Effic  XFactor  Q      User    Group    MHost Procs"
            "    WallTime            StartTime\n\n"
            "                 7  C      3 DEF  93.17      1.2 hi       amy     chem  node001     4"
            "    00:45:00  Sun Sep  9 02:16:40\n"
            "                 8  X  CNCLD   -   0.00      0.0 DE       bob     chem        -     1"
            "    00:00:00                    -\n\n"
            "  2 Jobs\n");
  EXPECT_EQ(render(reply, Format::xml),
            "<Data><cluster time=\"1000005000\"/><queue count=\"2\" option=\"completed\">"
            "<job Account=\"proj1\" Class=\"batch\" DRMJID=\"7\" Group=\"chem\" JobID=\"7\" "
            "JobName=\"7\" QOS=\"high\" State=\"Completed\" User=\"amy\" ReqAWDuration=\"3600\" "
            "AWDuration=\"2700\" CompletionCode=\"3\" CompletionTime=\"1000004500\" "
            "MasterHost=\"node001\" ReqProcs=\"4\" StartTime=\"1000001800\" "
            "SubmissionTime=\"1000000000\"/>"
            "<job Account=\"proj1\" Class=\"batch\" DRMJID=\"8\" Group=\"chem\" JobID=\"8\" "
            "JobName=\"8\" QOS=\"DEFAULT\" State=\"Removed\" User=\"bob\" AWDuration=\"0\" "
            "CompletionCode=\"CNCLD\" CompletionTime=\"1000004600\" ReqProcs=\"1\" StartTime=\"0\" "
            "SubmissionTime=\"0\"/></queue></Data>\n");
}

TEST_F(QueueText, ActiveJobsAreExpectedToEndBehindTheOtherColumns) {
  ActiveDetail runs{"7", "amy", "chem", "Running", "DEFAULT", "high", "node001"};
  runs.procs = 4;
  runs.remaining = 3600;
  runs.started = 1000000000;
  ActiveDetail knows = runs;
  knows.expected_end = ExpectedEnd{1000001800, 1000001200, 1000003000, 8};
  const QueueUse use{8, 8, 2, 2};
  const std::string plain = render(ActiveQueueReply{1000000600, false, use, {runs}}, Format::text);
  ActiveQueueReply asked{1000000600, false, use, {knows, runs}};
  asked.ends = true;
  const std::string text = render(asked, Format::text);
  const std::string columns = plain.substr(0, plain.find('\n'));
  const std::size_t first = columns.size() + 2;
  const std::string row = plain.substr(first, plain.find('\n', first) - first);
  EXPECT_EQ(text.substr(0, text.find("  2 Jobs")),
            columns + "          ExpectedEnd          EarliestEnd            LatestEnd Like\n\n" +
                row + "  Sun Sep  9 02:16:40  Sun Sep  9 02:06:40  Sun Sep  9 02:36:40    8\n" +
                row + "                    -                    -                    -    0\n\n");
}

TEST_F(QueueText, NothingElseHasAFormInXml) {
  CommandRequest request;
  request.command = "showq";
  EXPECT_TRUE(has_xml(request));
  request.flags.emplace("i", "");
  EXPECT_FALSE(has_xml(request));
  request.command = "canceljob";
  EXPECT_FALSE(has_xml(request));
}

TEST_F(QueueText, JsonHasTheNamesOfTheStructs) {
  EXPECT_EQ(render(BlockedQueueReply{5, {{"j1", "amy", "has hold in place"}}}, Format::json), R"({
  "reply": "blocked_queue",
  "now": 5,
  "jobs": [
    {
      "name": "j1",
      "user": "amy",
      "reason": "has hold in place",
      "state": "",
      "group": "",
      "account": "",
      "job_class": "",
      "qos": "",
      "procs": 0,
      "limit": -1,
      "queued": 0,
      "priority": 0
    }
  ]
}
)");
}

}  // namespace
}  // namespace maui
