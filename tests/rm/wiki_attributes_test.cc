#include "rm/wiki_attributes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "rm/recordings.h"
#include "rm/wiki_message.h"

namespace maui {
namespace {

WikiRecord record_of(std::string_view text) {
  auto found = read_wiki_records("1#" + std::string(text));
  EXPECT_TRUE(found && found->records.size() == 1) << text;
  return found->records.front();
}

NodeReport node_of(std::string_view text) {
  WikiNotes notes;
  auto node = read_wiki_node(record_of(text), notes);
  EXPECT_TRUE(node) << node.error().what;
  EXPECT_TRUE(notes.unknown.empty());
  return node ? *std::move(node) : NodeReport{};
}

WikiJob job_of(std::string_view text) {
  WikiNotes notes;
  auto job = read_wiki_job(record_of(text), notes);
  EXPECT_TRUE(job) << job.error().what;
  EXPECT_TRUE(notes.unknown.empty());
  return job ? *std::move(job) : WikiJob{};
}

const Requirement& need_of(const WikiJob& job) { return job.report.request.requirements.front(); }

TEST(WikiNodeTest, HasWhatItsRecordTells) {
  const auto report = node_of(
      "nd1:STATE=Busy;OS=linux;ARCH=x86;CMEMORY=1024;AMEMORY=1000;CSWAP=2048;ASWAP=2048;CDISK=1000;"
      "ADISK=900;CPROC=2;APROC=0;CPULOAD=2.5;CCLASS=[batch:2][long:1];CRES=TAPE:2,MATLAB:6;"
      "FEATURE=fast:ib;PARTITION=p1;SPEED=1.5;RACK=3;SLOT=7;CNET=eth:ib;");
  const Node& node = report.node;
  EXPECT_EQ(node.name, "nd1");
  EXPECT_EQ(node.reported, NodeState::busy);
  EXPECT_EQ(node.configured, Resources(2, 1024, 2048, 1000));
  EXPECT_EQ(node.utilised, Resources(2, 24, 0, 100));
  EXPECT_EQ(node.load, 2.5);
  EXPECT_EQ(node.operating_system, "linux");
  EXPECT_EQ(node.architecture, "x86");
  EXPECT_EQ(node.speed, 1.5);
  EXPECT_EQ(node.frame, 3);
  EXPECT_EQ(node.slot, 7);
  EXPECT_EQ(node.networks, (std::vector<std::string>{"eth", "ib"}));
  EXPECT_EQ(report.partition, "p1");
  EXPECT_EQ(report.features, (std::vector<std::string>{"fast", "ib"}));
  EXPECT_EQ(report.classes, (std::vector<std::pair<std::string, int>>{{"batch", 2}, {"long", 1}}));
  EXPECT_EQ(report.generic, (std::vector<std::pair<std::string, int>>{{"TAPE", 2}, {"MATLAB", 6}}));
}

TEST(WikiNodeTest, AMissingStateIsDownAndAMissingCountOneProcessor) {
  const auto report = node_of("n:ARCH=x86;");
  EXPECT_EQ(report.node.reported, NodeState::down);
  EXPECT_EQ(report.node.configured.procs(), 1);
}

TEST(WikiNodeTest, EveryStateOfTheProtocolIsKnown) {
  using enum NodeState;
  const std::vector<std::pair<std::string, NodeState>> states{
      {"Idle", idle},     {"Running", running}, {"Busy", busy},         {"Drained", drained},
      {"Drain", drained}, {"Down", down},       {"Draining", draining}, {"Unknown", idle},
      {"None", idle},     {"IDLE", idle},       {"Reserved", drained}};
  for (const auto& [word, state] : states)
    EXPECT_EQ(node_of("n:STATE=" + word + ";").node.reported, state) << word;
}

TEST(WikiNodeTest, WhatItIsWrittenAsReadsBackTheSame) {
  const std::string text =
      "nd1:UPDATETIME=1795165250;STATE=Idle;OS=linux;ARCH=x86;CMEMORY=1024;AMEMORY=1000;CSWAP=2048;"
      "ASWAP=2048;CDISK=1000;ADISK=1000;CPROC=2;APROC=1;CPULOAD=0.50;CCLASS=[batch:2];"
      "CRES=TAPE:2,MATLAB:6;FEATURE=fast:ib;PARTITION=p1;SPEED=1.5;RACK=3;SLOT=7;";
  EXPECT_EQ(write_wiki(write_wiki_node(node_of(text), Time(1795165250))), text);
}

TEST(WikiNodeTest, AnErrorNamesTheRecordTheAttributeAndWhatWasExpected) {
  WikiNotes notes;
  EXPECT_EQ(read_wiki_node(record_of("nd1:STATE=Idle;CPROC=two;"), notes).error().what,
            "node 'nd1': CPROC=two, expected a whole number, 0 or more");
  EXPECT_EQ(read_wiki_node(record_of("nd1:STATE=Sleepy;"), notes).error().what,
            "node 'nd1': STATE=Sleepy, expected Idle, Running, Busy, Drained, Draining, Down or "
            "Unknown");
}

TEST(WikiJobTest, HasWhatItsRecordTells) {
  const auto job = job_of(
      "wj.1:STATE=Idle;WCLIMIT=120;TASKS=4;TASKPERNODE=2;DPROCS=2;DMEM=100;DSWAP=50;DDISK=10;"
      "DGRES=gpu:1;QUEUETIME=1000;STARTDATE=2000;ENDDATE=9000;UNAME=ann;GNAME=staff;RMEM=256;"
      "RMEMCMP=>;RFEATURES=fast:ib;ROPSYS=linux;RARCH=x86;RNETWORK=eth;ACCOUNT=proj;QOS=high;"
      "RCLASS=[batch:1];PARTITIONMASK=p1:p2;FLAGS=[PREEMPTEE];REQRSV=night;EXEC=/bin/x;");
  EXPECT_EQ(job.state, WikiState::idle);
  EXPECT_EQ(job.report.name, "wj.1");
  EXPECT_EQ(job.report.request.limit, Seconds(120));
  EXPECT_EQ(need_of(job).tasks, 4);
  EXPECT_EQ(need_of(job).tasks_per_node, 2);
  EXPECT_EQ(need_of(job).per_task, Resources(2, 100, 50, 10));
  EXPECT_EQ(need_of(job).memory, (Bound{Comparison::more, 256}));
  EXPECT_EQ(need_of(job).operating_system, "linux");
  EXPECT_EQ(need_of(job).architecture, "x86");
  EXPECT_EQ(need_of(job).network, "eth");
  EXPECT_EQ(job.report.features.at(0), (std::vector<std::string>{"fast", "ib"}));
  EXPECT_EQ(job.report.generic.at(0), (std::vector<std::pair<std::string, int>>{{"gpu", 1}}));
  EXPECT_EQ(job.report.user + job.report.group + job.report.account + job.report.job_class +
                job.report.qos + job.report.partition,
            "annstaffprojbatchhighp1:p2");
  EXPECT_EQ(job.report.job.submitted, Time(1000));
  EXPECT_EQ(job.report.job.earliest_start, Time(2000));
  EXPECT_EQ(job.report.job.deadline, Time(9000));
  EXPECT_TRUE(has(job.report.job.flags, JobFlag::preemptee));
  EXPECT_EQ(job.report.job.required_reservation, "night");
  EXPECT_EQ(job.report.job.executable, "/bin/x");
  EXPECT_EQ(missing_in(job), "");
}

TEST(WikiJobTest, EveryStateOfTheProtocolIsKnown) {
  using enum WikiState;
  const std::vector<std::pair<std::string, WikiState>> states{
      {"Idle", idle},       {"Hold", hold},           {"Starting", starting},
      {"Running", running}, {"Suspended", suspended}, {"Completed", completed},
      {"Removed", removed}, {"Vacated", removed},     {"Unknown", unknown}};
  for (const auto& [word, state] : states)
    EXPECT_EQ(job_of("j:STATE=" + word + ";").state, state) << word;
}

TEST(WikiJobTest, WhatSchedulingTakesIsMissedByName) {
  EXPECT_EQ(missing_in(job_of("j:ACCOUNT=a;")), "UNAME, STATE, WCLIMIT, TASKS");
  EXPECT_EQ(missing_in(job_of("j:UNAME=ann;STATE=Idle;TASKS=1;")), "WCLIMIT");
  EXPECT_EQ(missing_in(job_of("j:UNAME=ann;STATE=Idle;NODES=2;WCLIMIT=60;")), "");
}

TEST(WikiJobTest, NodesAloneAreTasksOnNodesOfTheirOwn) {
  const auto job = job_of("j:NODES=3;");
  EXPECT_EQ(need_of(job).tasks, 3);
  EXPECT_EQ(need_of(job).tasks_per_node, 1);
  EXPECT_EQ(need_of(job_of("j:NODES=3;TASKPERNODE=2;")).tasks, 6);
}

TEST(WikiJobTest, OneNodeBesideSeveralTasksSaysNothing) {
  EXPECT_EQ(need_of(job_of("j:TASKS=8;NODES=1;")).nodes, 0);
  EXPECT_EQ(need_of(job_of("j:TASKS=8;NODES=2;")).nodes, 2);
  EXPECT_EQ(need_of(job_of("j:TASKS=8;NODES=2;MAXNODES=4;")).nodes, 4);
  EXPECT_EQ(need_of(job_of("j:TASKS=8;NODES=1;MAXNODES=1;")).nodes, 1);
  EXPECT_EQ(need_of(job_of("j:TASKS=8;NODERANGE=2-5;")).nodes, 5);
}

TEST(WikiJobTest, MemoryOfAProcessorIsNoDemandOnANode) {
  const auto job = job_of("j:DMEM=100;RMEM=2147483748;RDISK=0;");
  EXPECT_EQ(need_of(job).memory, Bound{});
  EXPECT_EQ(need_of(job).disk, Bound{});
  EXPECT_EQ(need_of(job).per_task.memory(), 100);
  EXPECT_EQ(need_of(job_of("j:RMEM=256;")).memory, (Bound{Comparison::at_least, 256}));
}

TEST(WikiJobTest, AHostListBindsAsItsMarkSays) {
  const auto exact = job_of("j:TASKS=2;HOSTLIST=n1:n2;");
  EXPECT_EQ(exact.report.host_list_use, HostListUse::all_of);
  EXPECT_EQ(need_of(exact).nodes, 2);
  EXPECT_EQ(job_of("j:TASKS=2;HOSTLIST=n1,n2^;").report.host_list_use, HostListUse::some_of);
  const auto among = job_of("j:TASKS=4;HOSTLIST=n[1-2]*;");
  EXPECT_EQ(among.report.host_list_use, HostListUse::all_of);
  EXPECT_EQ(need_of(among).nodes, 0);
  EXPECT_EQ(among.report.host_list, (std::vector<std::string>{"n1", "n2"}));
  EXPECT_TRUE(has(among.report.job.flags, JobFlag::host_list));
}

TEST(WikiJobTest, ATaskListMayBeginWithAColon) {
  EXPECT_EQ(job_of("j:TASKLIST=:o1:o1:o2;").task_list,
            (std::vector<std::string>{"o1", "o1", "o2"}));
}

TEST(WikiJobTest, ACommentHoldsExtensionsInTheFormsOfServers) {
  const auto job = job_of(
      "j:TASKS=4;COMMENT=\"NACCESSPOLICY:shared?TPN:2?JOBFLAGS:RESTARTABLE?qos:high,class:"
      "batch\";");
  EXPECT_EQ(job.report.job.access_asked, NodeAccess::shared);
  EXPECT_EQ(need_of(job).tasks_per_node, 2);
  EXPECT_TRUE(has(job.report.job.flags, JobFlag::restartable));
  EXPECT_EQ(job.report.qos, "high");
  const auto waits = job_of("j:TASKS=1;COMMENT=\"DEPEND=afterok:2,afterany:3?QOS:low\";");
  EXPECT_EQ(waits.report.job.dependencies.size(), 2u);
  EXPECT_EQ(waits.report.qos, "low");
}

TEST(WikiJobTest, AWrongExtensionIsToldAndTheJobIsKept) {
  WikiNotes notes;
  EXPECT_TRUE(read_wiki_job(record_of("j:TASKS=1;COMMENT=TPN:many;"), notes));
  ASSERT_EQ(notes.problems.size(), 1u);
  EXPECT_EQ(notes.problems[0],
            "job 'j': COMMENT: TPN:many, expected a number of tasks on each node");
}

TEST(WikiJobTest, AnEndHasItsExitCodeAndTheServersWords) {
  const auto job = job_of(
      "9:STATE=Completed;EXITCODE=3;REJMESSAGE=\"NonZeroExitCode\";STARTTIME=100;COMPLETETIME="
      "200;");
  EXPECT_TRUE(job.ended());
  EXPECT_EQ(job.exit_code, 3);
  EXPECT_EQ(job.message, "NonZeroExitCode");
  EXPECT_EQ(job.report.job.started, Time(100));
  EXPECT_EQ(job.report.job.ended, Time(200));
  EXPECT_EQ(job_of("9:STATE=Idle;STARTTIME=0;").report.job.started, kForever);
}

TEST(WikiJobTest, UnknownAttributesAreCollectedByName) {
  WikiNotes notes;
  EXPECT_TRUE(read_wiki_job(record_of("j:TASKS=1;GEOMETRY={1,2};A7=x;"), notes));
  EXPECT_EQ(notes.unknown, (std::set<std::string>{"A7", "GEOMETRY"}));
}

TEST(WikiJobTest, AnErrorNamesTheRecordTheAttributeAndWhatWasExpected) {
  WikiNotes notes;
  EXPECT_EQ(read_wiki_job(record_of("wj.1:TASKS=-2;"), notes).error().what,
            "job 'wj.1': TASKS=-2, expected a whole number from 0 to 1000000");
  EXPECT_FALSE(read_wiki_job(record_of("wj.1:TASKS=1000001;"), notes)) << "more than is to be had";
}

TEST(WikiJobTest, WhatItIsWrittenAsReadsBackTheSame) {
  const std::string text =
      "wj.1:UPDATETIME=1795165256;STATE=Running;WCLIMIT=120;TASKS=2;TASKPERNODE=2;DPROCS=2;DMEM="
      "100;"
      "DGRES=gpu:1;QUEUETIME=1795165250;UNAME=root;GNAME=root;RMEM=256;RMEMCMP=>=;RFEATURES=slow;"
      "ACCOUNT=acct1;QOS=high;RCLASS=[batch:2];HOSTLIST=n1:n2*;PARTITIONMASK=p1:p2;"
      "FLAGS=PREEMPTEE;COMMENT=a\\;b;STARTTIME=1795165250;TASKLIST=nd4:nd4;";
  EXPECT_EQ(write_wiki(write_wiki_job(job_of(text), Time(1795165256))), text);
}

TEST(WikiAttributesTest, EveryRecordedRecordIsUnderstood) {
  WikiNotes notes;
  std::size_t nodes = 0, jobs = 0;
  for (const char* file : {"wiki_noauth.log", "slurm-wiki.txt", "slurm-wiki2.txt"})
    for (const auto& [request, reply] : recording(file)) {
      const auto told = read_wiki_reply(open_wiki(content_of(reply), std::nullopt)->body);
      ASSERT_TRUE(told);
      if (!told->data) continue;
      const bool of_nodes = request.find("GETNODES") != request.npos;
      const auto found = read_wiki_records(told->text);
      for (const auto& record : found->records) {
        const bool whole = record.find("CPROC") != nullptr;
        if (of_nodes) {
          const auto node = read_wiki_node(record, notes);
          ASSERT_TRUE(node) << node.error().what;
          EXPECT_TRUE(!whole || node->node.configured.procs() >= 2);
          ++nodes;
        } else {
          const auto job = read_wiki_job(record, notes);
          ASSERT_TRUE(job) << job.error().what;
          EXPECT_EQ(missing_in(*job).find("STATE"), std::string::npos);
          ++jobs;
        }
      }
    }
  EXPECT_TRUE(notes.unknown.empty()) << *notes.unknown.begin();
  EXPECT_TRUE(notes.problems.empty()) << notes.problems.front();
  EXPECT_GT(nodes, 50u);
  EXPECT_GT(jobs, 80u);
}

TEST(WikiAttributesTest, RecordsOfTheSmallServerAreWrittenAsTheyCame) {
  WikiNotes notes;
  for (const auto& [request, reply] : recording("wiki_noauth.log")) {
    const auto told = read_wiki_reply(open_wiki(content_of(reply), std::nullopt)->body);
    if (!told->data || request.find("GETJOBS") == request.npos) continue;
    const auto found = read_wiki_records(told->text);
    for (const auto& record : found->records) {
      const auto job = read_wiki_job(record, notes);
      auto again = write_wiki_job(*job, Time(std::stoll(*record.find("UPDATETIME"))));
      if (job->ended())
        std::erase_if(again.attributes, [](auto& a) { return a.first == "EXITCODE"; });
      auto theirs = record;
      std::sort(theirs.attributes.begin(), theirs.attributes.end());
      std::sort(again.attributes.begin(), again.attributes.end());
      EXPECT_EQ(again, theirs);
    }
  }
}

}  // namespace
}  // namespace maui
