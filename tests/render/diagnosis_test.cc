#include "render/golden.h"
#include "render/scenario.h"

namespace maui {
namespace {

using namespace scenario;
using DiagnosisText = GoldenTest;

TEST_F(DiagnosisText, Jobs) {
  expect(JobsDiagnosisReply{false, true, kJobDiagnoses, 13, {}}, "diagnose_j");
  expect(JobsDiagnosisReply{false, false, {kJobDiagnoses[4]}, 0, {}}, "diagnose_j_id");
}

TEST_F(DiagnosisText, TheActiveQueuePointsIntoTheTable) {
  const auto& name = kJobDiagnoses[2].name;
  const std::string text =
      render(JobsDiagnosisReply{true, true, kJobDiagnoses, 1, {}, {name}}, Format::text);
  EXPECT_NE(text.find("\nMAQ table (1 job slots)\nMAQ[00] --> Job[003] '" + name + "'\n"),
            std::string::npos)
      << text;
}

TEST_F(DiagnosisText, SharesOfAPriorityAddUpBySize) {
  PriorityReply reply;
  reply.components = {{"Cred", 1, {{"QOS", 1}}}, {"Serv", 1, {{"QTime", 1}}}};
  reply.jobs = {{"j1", 0, false, {-75, 25}, {-75, 25}}};
  const std::string text = render(reply, Format::text);
  EXPECT_NE(text.find(" -75.0(-75.0)  25.0( 25.0)"), std::string::npos) << text;
}

TEST_F(DiagnosisText, Nodes) {
  expect(NodesDiagnosisReply{false, kNodeDiagnoses, 18, 0, 2, {}}, "diagnose_n");
  expect(NodesDiagnosisReply{true, kNodeDiagnoses, 18, 0, 2, {}}, "diagnose_n_v");
}

TEST_F(DiagnosisText, WarningsStandAtTheStartOfALine) {
  const NodesDiagnosisReply reply{false, {}, 0, 0, 0, {"node n1 is overcommitted"}};
  EXPECT_NE(render(reply, Format::text).find("\nWARNING:  node n1 is overcommitted\n"),
            std::string::npos);
}

PriorityJob ranked(std::string name, std::int64_t priority, std::vector<double> w) {
  const std::vector<double> contributions{w[0] + w[1], w[2], w[3] + w[4] + w[5], w[6]};
  return {std::move(name), priority, false, contributions, std::move(w)};
}

PriorityReply priorities() {
  PriorityReply reply;
  reply.partition = "ALL";
  reply.components = {{"Cred", 1, {{"User", 1}, {"QOS", 1}}},
                      {"FS", 1, {{"User", 10}}},
                      {"Serv", 1, {{"QTime", 1}, {"XFctr", 10}, {"Bypass", 5}}},
                      {"Res", 1, {{"Proc", 2}}}};
  reply.jobs = {ranked("j0002", 146, {100, 0, 0, 20, 11.7, 10, 4}),
                ranked("j0005", 112, {0, 0, 43.2, 20, 11.7, 5, 32}),
                ranked("j0018", 82, {0, 0, 43.2, 19, 10.8, 5, 4}),
                ranked("j0020", 72, {0, 0, 0, 19, 29, 0, 24}),
                ranked("j0037", 62, {0, 0, 43.2, 6, 10.5, 0, 2}),
                ranked("j0023", 37, {0, 0, 0, 19, 10.4, 0, 8}),
                ranked("j0022", 34, {100, -100, 0, 19, 13.1667, 0, 2})};
  return reply;
}

TEST_F(DiagnosisText, Priorities) { expect(priorities(), "diagnose_p"); }

TEST_F(DiagnosisText, ASystemPriorityIsMarked) {
  PriorityReply reply = priorities();
  reply.jobs[0].system_priority = true;
  EXPECT_NE(render(reply, Format::text).find("\nj0002                       146*   68.6("),
            std::string::npos);
}

TEST_F(DiagnosisText, ARowWithoutItsNumbersIsLeftOut) {
  PriorityReply reply = priorities();
  reply.jobs[0].weighted.pop_back();
  EXPECT_EQ(render(reply, Format::text).find("j0002"), std::string::npos);
}

TEST_F(DiagnosisText, BlockedJobs) {
  std::vector<BlockedDetail> jobs = kBlockedDetail;
  for (auto& job : jobs) job.reason.replace(job.reason.find("HARD"), 4, "SOFT");
  expect(BlockedJobsReply{"SOFT", "ALL", jobs}, "diagnose_q");
}

ReservationDiagnosis row(std::string name, std::string type, std::string partition,
                         std::int64_t start, std::int64_t end, std::int64_t nodes,
                         std::int64_t tasks, std::int64_t procs) {
  ReservationDiagnosis made;
  made.name = std::move(name);
  made.type = std::move(type);
  made.partition = std::move(partition);
  made.start = start;
  made.end = end;
  made.nodes = nodes;
  made.tasks = tasks;
  made.procs = procs;
  return made;
}

TEST_F(DiagnosisText, Reservations) {
  ReservationsDiagnosisReply reply;
  reply.now = kNow;
  reply.active_reserved_procs = 63;
  ReservationDiagnosis running =
      row("j0016", "Job", "DEFAULT", kNow - 1140, kNow + 2460, 6, 12, 12);
  running.credentials = {{"USER", "carl"},  {"GROUP", "phys"}, {"ACCT", "proj1"},
                         {"CLASS", "long"}, {"QOS", "high"},   {"DURATION", "1:00:00"},
                         {"PROC", "12"}};
  ReservationDiagnosis waiting =
      row("j0030", "Job", "DEFAULT", kNow + 13260, kNow + 16860, 2, 2, 2);
  waiting.flags = {"PREEMPTEE"};
  waiting.credentials = {{"USER", "dora"},   {"GROUP", "phys"}, {"ACCT", "proj3"},
                         {"CLASS", "batch"}, {"QOS", "high"},   {"DURATION", "1:00:00"},
                         {"PROC", "2"}};
  waiting.job_waits = true;
  waiting.job_priority = 1180;
  ReservationDiagnosis user = row("amyres.0", "User", "DEFAULT", kNow, -1, 1, 1, 4);
  user.access = {
      {"USER", "amy", "==", "+"}, {"USER", "bob", "==", "+"}, {"GROUP", "chem", "==", "+"}};
  user.per_task = {{"PROCS", -1}};
  user.charge_account = "proj1";
  user.host_expression = "node001";
  user.owner = "root";
  reply.reservations = {running, waiting, user};
  expect(reply, "diagnose_r");
}

TEST_F(DiagnosisText, Partitions) {
  expect(PartitionsReply{{{"DEFAULT",
                           {{"NODE", 20, 18, 18, 18},
                            {"PROC", 68, 64, 63, 63},
                            {"MEM", 20736, 20224, 512, 512},
                            {"SWAP", 20480, 18432, 0, 0},
                            {"DISK", 81920, 73728, 0, 0}},
                           {{"long", 44, 64}, {"inter", 4, 4}, {"batch", 21, 64}}}}},
         "diagnose_t");
}

TEST_F(DiagnosisText, FramesAndTheirNodes) {
  FramesDiagnosisReply reply;
  reply.verbose = true;
  reply.frames = {{1, 1536, 60000, {"DEFAULT"}, {"n1", "n2", "n3"}},
                  {12, 512, 20000, {"DEFAULT", "east"}, {"n4"}}};
  reply.nodes_without_frame = 2;
  reply.warnings = {"nodes 'n1' and 'n2' both occupy slot 1 of frame 1"};
  expect(reply, "diagnose_m");
}

TEST_F(DiagnosisText, TheResourceManagerAndHowItAnswers) {
  ResourceManagerReply reply;
  reply.now = 1000001200;
  reply.verbose = true;
  reply.nodes = 20;
  reply.jobs = 34;
  reply.managers = {
      {"base", "WIKI", "Down", 21, 1, 8, 1, 1000001140, 0.5, 3, "connection refused", 1000001200},
      {"old", "", "Active", 21, 0, 0, 0, 1000001200, 0.1, 1, "", -1}};
  expect(reply, "diagnose_R");
}

TEST_F(DiagnosisText, AResourceManagersWarningsComeLast) {
  ResourceManagerReply reply;
  ManagerDiagnosis slurm;
  slurm.name = "slurm";
  slurm.type = "SLURM";
  slurm.state = "Active";
  slurm.event_port = 40123;
  slurm.warnings = {"Slurm starts jobs by itself"};
  reply.managers = {slurm};
  const auto text = render(Reply(reply), Format::text);
  EXPECT_NE(text.find("WARNING:  resource manager 'slurm': Slurm starts jobs by itself\n"),
            std::string::npos);
  EXPECT_NE(text.find("(file of events, watched by the helper)"), std::string::npos);
  EXPECT_EQ(text.find("40123"), std::string::npos) << "only the helper uses this port";
}

TEST_F(DiagnosisText, APortForEventsAtWhichNobodyListensIsNotInUse) {
  ResourceManagerReply reply;
  ManagerDiagnosis base;
  base.name = "base";
  base.type = "WIKI";
  base.event_port = 15017;
  reply.managers = {base};
  const auto shows = [&](const char* text) {
    return render(Reply(reply), Format::text).find(text) != std::string::npos;
  };
  EXPECT_TRUE(shows("  Event Management:  (port 15017)\n"));
  reply.managers[0].no_events = "cannot listen at port 15017; user 'amy' has it";
  EXPECT_TRUE(shows(
      "  Event Management:  (polled only: cannot listen at port 15017; user 'amy' has it)\n"));
}

TEST_F(DiagnosisText, Fairshare) {
  expect(FairshareReply{"DEDICATEDPS",
                        4,
                        3600,
                        0.8,
                        {1.0, 0.8},
                        {6.08, 12.48},
                        {{"USER",
                          {{"nosuch", 20.00, "", true, 0.00, {-1, -1}},
                           {"eve", 20.00, "", true, 5.64, {6.58, 5.07}},
                           {"carl", 20.00, "", false, 22.82, {19.73, 24.70}},
                           {"amy", 30.00, "+", false, 40.53, {47.67, 36.18}},
                           {"bob", 10.00, "-", false, 5.31, {-1, 8.54}},
                           {"dora", 20.00, "", true, 10.02, {9.59, 10.28}},
                           {"root", 20.00, "", true, 0.00, {-1, -1}},
                           {"DEFAULT", 20.00, "", true, 0.00, {-1, -1}},
                           {"fred", 20.00, "", false, 15.68, {16.44, 15.22}}}},
                         {"GROUP",
                          {{"phys", -1, "", false, 32.84, {29.32, 34.98}},
                           {"chem", -1, "", false, 45.84, {47.67, 44.73}},
                           {"astro", -1, "", false, 21.32, {23.01, 20.29}}}},
                         {"ACCT",
                          {{"proj1", -1, "", false, 63.35, {67.40, 60.88}},
                           {"proj2", -1, "", false, 20.99, {16.44, 23.77}},
                           {"proj3", -1, "", false, 15.66, {16.16, 15.35}}}},
                         {"QOS",
                          {{"high", -1, "", false, 34.91, {26.03, 40.32}},
                           {"low", -1, "", false, 3.24, {3.29, 3.20}}}},
                         {"CLASS",
                          {{"long", -1, "", false, 32.77, {29.59, 34.71}},
                           {"batch", -1, "", false, 67.23, {70.41, 65.29}}}}}},
         "diagnose_f");
}

}  // namespace
}  // namespace maui
