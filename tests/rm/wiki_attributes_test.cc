#include "rm/wiki_attributes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

#include "base/text.h"
#include "rm/recordings.h"
#include "rm/wiki_message.h"

namespace maui {
namespace {

WikiRecord record_of(std::string_view text) {
  auto found = read_wiki_records("1#" + std::string(text));
  EXPECT_TRUE(found && found->records.size() == 1) << text;
  return *found->records.front();
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
  EXPECT_EQ(job.report.problem, "");
  EXPECT_TRUE(notes.unknown.empty());
  return job;
}

const Requirement& need_of(const WikiJob& job) { return job.report.request.requirements.front(); }

TEST(WikiNodeTest, HasTheAttributesOfItsRecord) {
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

TEST(WikiNodeTest, SurvivesARoundTrip) {
  const std::string text =
      "nd1:UPDATETIME=1795165250;STATE=Idle;OS=linux;ARCH=x86;CMEMORY=1024;AMEMORY=1000;CSWAP=2048;"
      "ASWAP=2048;CDISK=1000;ADISK=1000;CPROC=2;APROC=1;CPULOAD=0.50;CCLASS=[batch:2];"
      "CRES=TAPE:2,MATLAB:6;FEATURE=fast:ib;PARTITION=p1;SPEED=1.5;RACK=3;SLOT=7;";
  EXPECT_EQ(write_wiki(write_wiki_node(node_of(text), Time(1795165250))), text);
}

TEST(WikiNodeTest, AnErrorNamesTheRecordTheAttributeAndWhatWasExpected) {
  WikiNotes notes;
  EXPECT_FALSE(read_wiki_node(record_of("nd1:STATE=Idle;CPROC=two;"), notes));
  EXPECT_FALSE(read_wiki_node(record_of("nd1:STATE=Sleepy;"), notes));
  EXPECT_EQ(notes.problems,
            (std::vector<std::string>{
                "node 'nd1': invalid CPROC 'two': expected a whole number, 0 or more",
                "node 'nd1': invalid STATE 'Sleepy': expected Idle, Running, Busy, "
                "Drained, Draining, Down or Unknown"}));
}

TEST(WikiNodeTest, AnAmountThatIsTooLargeIsTakenAsTheMostAndSaid) {
  WikiNotes notes;
  const auto node =
      read_wiki_node(record_of("n:STATE=Idle;CPROC=4;CMEMORY=3000000000;CSWAP=2147483646;"), notes);
  ASSERT_TRUE(node);
  EXPECT_EQ(node->node.configured.memory(), 2'147'483'647);
  EXPECT_EQ(notes.problems,
            std::vector<std::string>{
                "node 'n': CMEMORY '3000000000' is taken as 2147483647: expected at most that"});
  EXPECT_EQ(node_of("n:STATE=Idle;CPROC=4;CMEMORY=2147483648;").node.configured.memory(),
            2'147'483'647);
}

// The adapters of Slurm and PBS report what is more as that.
TEST(WikiNodeTest, TheMostThatCanBeCountedMayStandForMore) {
  WikiNotes notes;
  const auto node =
      read_wiki_node(record_of("n:STATE=Idle;CPROC=4;CMEMORY=2147483647;CDISK=2147483646;"), notes);
  ASSERT_TRUE(node);
  EXPECT_EQ(notes.problems,
            std::vector<std::string>{
                "node 'n': CMEMORY counts as 2147483647, which is the most: it may be more"});
  EXPECT_EQ(read_wiki_job(record_of("j:TASKS=1;DMEM=2147483647;"), notes).report.problem, "");
  ASSERT_EQ(notes.problems.size(), 2u);
  EXPECT_EQ(notes.problems[1],
            "job 'j': DMEM counts as 2147483647, which is the most: it may be more");
}

TEST(WikiJobTest, WhatAJobUsesMayBeMoreThanANodeCanHave) {
  WikiNotes notes;
  const auto job = read_wiki_job(record_of("j:TASKS=1;WCLIMIT=60;UMEM=3000000000;"), notes);
  EXPECT_EQ(job.use->memory, 3'000'000'000);
  EXPECT_TRUE(notes.problems.empty());
}

TEST(WikiNodeTest, AnInvalidMinorAttributeIsSkipped) {
  WikiNotes notes;
  const auto node = read_wiki_node(record_of("nd1:STATE=Idle;CPROC=4;CPULOAD=high;"), notes);
  ASSERT_TRUE(node);
  EXPECT_EQ(node->node.configured.procs(), 4);
  EXPECT_EQ(notes.problems.size(), 1u);
}

TEST(WikiJobTest, HasTheAttributesOfItsRecord) {
  const auto job = job_of(
      "wj.1:STATE=Idle;WCLIMIT=120;TASKS=4;TASKPERNODE=2;DPROCS=2;DMEM=100;DSWAP=50;DDISK=10;"
      "DGRES=gpu:1;QUEUETIME=1000;STARTDATE=2000;ENDDATE=9000;UNAME=ann;GNAME=staff;RMEM=256;"
      "RMEMCMP=>;RFEATURES=fast:ib;ROPSYS=linux;RARCH=x86;RNETWORK=eth;ACCOUNT=proj;QOS=high;"
      "RCLASS=[batch:1];PARTITIONMASK=p1:p2;FLAGS=[PREEMPTEE];REQRSV=night;NAME=x;EXEC=/bin/x;");
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
                job.report.qos + job.report.partition_mask,
            "annstaffprojbatchhighp1:p2");
  EXPECT_EQ(job.report.job.submitted, Time(1000));
  EXPECT_EQ(job.report.job.earliest_start, Time(2000));
  EXPECT_EQ(job.report.job.deadline, Time(9000));
  EXPECT_TRUE(has(job.report.job.flags, JobFlag::preemptee));
  EXPECT_EQ(job.report.job.required_reservation, "night");
  EXPECT_EQ(job.report.job.executable, "/bin/x");
  EXPECT_EQ(job.report.job.title, "x");
  EXPECT_EQ(missing_in(job), "");
}

TEST(WikiJobTest, AJobSaysWhoMayBeOnItsNodes) {
  const auto job = job_of("j:TASKS=1;NODEACCESS=SINGLEUSER;");
  EXPECT_EQ(job.report.job.access_asked, NodeAccess::single_user);
  EXPECT_EQ(job_of(write_wiki(write_wiki_job(job))).report.job.access_asked,
            NodeAccess::single_user);
  EXPECT_EQ(job_of("j:TASKS=1;").report.job.access_asked, std::nullopt);
  WikiNotes notes;
  EXPECT_NE(read_wiki_job(record_of("j:TASKS=1;NODEACCESS=some;"), notes).report.problem, "");
}

TEST(WikiJobTest, EveryStateOfTheProtocolIsKnown) {
  using enum WikiState;
  const std::vector<std::pair<std::string, WikiState>> states{{"Idle", idle},
                                                              {"Hold", hold},
                                                              {"Starting", starting},
                                                              {"Running", running},
                                                              {"Suspended", suspended},
                                                              {"Completed", completed},
                                                              {"Removed", removed},
                                                              {"Vacated", removed},
                                                              {"Unknown", unknown},
                                                              {"SystemHold", system_hold},
                                                              {"UserSystemHold", both_holds}};
  for (const auto& [word, state] : states)
    EXPECT_EQ(job_of("j:STATE=" + word + ";").state, state) << word;
}

TEST(WikiJobTest, NamesTheMissingRequiredAttributes) {
  EXPECT_EQ(missing_in(job_of("j:ACCOUNT=a;")), "UNAME, STATE, TASKS");
  EXPECT_EQ(missing_in(job_of("j:UNAME=ann;STATE=Idle;TASKS=1;")), "") << "the site has a limit";
  EXPECT_EQ(missing_in(job_of("j:UNAME=ann;STATE=Idle;NODES=2;WCLIMIT=60;")), "");
}

// Slurm's dialects say a year; guide F: such jobs have SYSTEMDEFAULTJOBWALLTIME.
TEST(WikiJobTest, WithoutALimitItHasThatOfTheSite) {
  for (const char* said : {"", "WCLIMIT=0;", "WCLIMIT=31536000;", "WCLIMIT=INFINITY;"})
    EXPECT_EQ(job_of(std::string("j:") + said).report.request.limit, Seconds(0)) << said;
  for (const int limit : {31535999, 31536001, 9999 * 3600})
    EXPECT_EQ(job_of(fmt::format("j:WCLIMIT={};", limit)).report.request.limit, Seconds(limit));
}

TEST(WikiJobTest, NodesAloneAreTasksOnNodesOfTheirOwn) {
  const auto job = job_of("j:NODES=3;");
  EXPECT_EQ(need_of(job).tasks, 3);
  EXPECT_EQ(need_of(job).tasks_per_node, 1);
  EXPECT_EQ(need_of(job_of("j:NODES=3;TASKPERNODE=2;")).tasks, 6);
}

TEST(WikiJobTest, AHostListAloneIsATaskOnEachHost) {
  EXPECT_EQ(need_of(job_of("j:HOSTLIST=n1:n2;")).tasks, 2);
  EXPECT_EQ(need_of(job_of("j:HOSTLIST=n1:n2^;")).tasks, 1);
  EXPECT_EQ(need_of(job_of("j:HOSTLIST=n1:n2;TASKS=4;")).tasks, 4);
}

TEST(WikiJobTest, NodeCountsAreFromTo) {
  const auto counts = [](std::string_view text) {
    const Requirement need = need_of(job_of(text));
    return std::pair(need.least_nodes, need.nodes);
  };
  EXPECT_EQ(counts("j:TASKS=8;NODES=1;"), std::pair(0, 0)) << "every job has one at least";
  EXPECT_EQ(counts("j:TASKS=8;NODES=2;"), std::pair(2, 0));
  EXPECT_EQ(counts("j:TASKS=8;NODES=2;MAXNODES=4;"), std::pair(2, 4));
  EXPECT_EQ(counts("j:TASKS=8;NODES=1;MAXNODES=1;"), std::pair(0, 1));
  EXPECT_EQ(counts("j:TASKS=8;NODERANGE=2-5;"), std::pair(2, 5));
  EXPECT_EQ(counts("j:TASKS=8;NODERANGE=3;"), std::pair(3, 3));
  EXPECT_EQ(need_of(job_of("j:TASKS=2;NODES=3;")).tasks, 3) << "each node has a task";
}

TEST(WikiJobTest, FurtherRequirementsHaveNumbers) {
  const auto job =
      job_of("j:TASKS=2;NODES=2;RFEATURES=fast;TASKS.1=1;RFEATURES.1=ib:old;TASKS.2=3;DPROCS.2=4;");
  const auto& all = job.report.request.requirements;
  ASSERT_EQ(all.size(), 3u);
  EXPECT_TRUE(job.report.request.apart);
  EXPECT_EQ(all[0].least_nodes, 2);
  EXPECT_EQ(all[2].per_task.procs(), 4);
  EXPECT_EQ(job.report.features,
            (std::vector<std::vector<std::string>>{{"fast"}, {"ib", "old"}, {}}));
  const auto again = job_of(write_wiki(write_wiki_job(job)));
  EXPECT_EQ(again.report.request.requirements, all);
  EXPECT_EQ(again.report.features, job.report.features);
}

TEST(WikiJobTest, RequirementsShareNodesOnlyIfTheServerSaysSo) {
  const auto job = job_of("j:TASKS=2;APART=FALSE;TASKS.1=1;");
  EXPECT_FALSE(job.report.request.apart);
  EXPECT_FALSE(job_of(write_wiki(write_wiki_job(job))).report.request.apart);
  EXPECT_TRUE(job_of("j:TASKS=2;APART=TRUE;TASKS.1=1;").report.request.apart);
  EXPECT_FALSE(job_of("j:TASKS=2;APART=TRUE;").report.request.apart);
}

TEST(WikiJobTest, ARequirementMayNameItsOnlyHost) {
  const std::string text = "j:TASKS=2;REQHOST=n1;TASKS.1=1;REQHOST.1=n2;TASKS.2=1;";
  const auto job = job_of(text);
  EXPECT_EQ(job.report.requirement_hosts, (std::vector<std::string>{"n1", "n2", ""}));
  EXPECT_EQ(job.report.host_list_use, HostListUse::none);
  EXPECT_EQ(write_wiki(write_wiki_job(job)), text);
}

TEST(WikiJobTest, AnyOfSeveralClassesWillDo) {
  const std::string text = "j:TASKS=1;RCLASS=[off:1][batch:1];";
  const auto job = job_of(text);
  EXPECT_EQ(job.report.job_class, "off");
  EXPECT_TRUE(job.report.any_class);
  EXPECT_EQ(job.report.job.node_set, "ONEOF:CLASS:off,batch");
  EXPECT_TRUE(job.report.job.node_set_binds);
  EXPECT_EQ(write_wiki(write_wiki_job(job)), text);
}

TEST(WikiJobTest, AJobWhoseRecordWasCutDoesNotStart) {
  WikiRecord record = record_of("j:UNAME=amy;STATE=Idle;TASKS=1;");
  for (int i = 1; i <= 300; ++i) record.set("TASKS." + std::to_string(i), "1");
  WikiNotes notes;
  EXPECT_EQ(read_wiki_job(record, notes).report.problem,
            "its record has more than 250 attributes, which are not read");
  WikiRecord merged = record_of("j:STATE=Idle;");
  merged.merge(record);
  EXPECT_EQ(read_wiki_job(merged, notes).report.problem,
            "its record has more than 250 attributes, which are not read");
}

TEST(WikiJobTest, AJobOfSeveralClassesWithANodeSetOfItsOwnIsForTheFirst) {
  for (const std::string set : {"RCLASS=[off:1][batch:1];COMMENT=\"NODESET:ONEOF:FEATURE:ib\"",
                                "COMMENT=\"NODESET:ONEOF:FEATURE:ib\";RCLASS=[off:1][batch:1]",
                                "RCLASS=[off:1][batch:1];NODESET=\"ONEOF:FEATURE:ib\"",
                                "NODESET=\"ONEOF:FEATURE:ib\";RCLASS=[off:1][batch:1]"}) {
    const auto job = job_of("j:TASKS=1;" + set + ";");
    EXPECT_EQ(job.report.job_class, "off") << set;
    EXPECT_FALSE(job.report.any_class) << set;
    EXPECT_EQ(job.report.job.node_set, "ONEOF:FEATURE:ib") << set;
    EXPECT_EQ(job.report.job.node_set_binds, set.find("COMMENT") == std::string::npos) << set;
  }
}

TEST(WikiJobTest, ExcludedHostsAreExcludedBesideAHostList) {
  const auto job = job_of("j:TASKS=1;HOSTLIST=n1*;EXCLUDE_HOSTLIST=n[2-3],n9;");
  EXPECT_EQ(job.report.host_list, (std::vector<std::string>{"n1"}));
  EXPECT_EQ(job.report.excluded_hosts, (std::vector<std::string>{"n2", "n3", "n9"}));
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
  EXPECT_TRUE(exact.report.only_hosts);
  EXPECT_EQ(write_wiki(write_wiki_job(exact)), "j:TASKS=2;HOSTLIST=n[1-2];") << "nothing else";
  EXPECT_FALSE(job_of("j:TASKS=2;HOSTLIST=n1*;").report.only_hosts);
  // Slurm's lists name the least of nodes: -w n1 -n9, -N2 -w n1.
  for (const char* open :
       {"j:TASKS=9;NODES=1;MAXNODES=0;HOSTLIST=n1;", "j:TASKS=2;NODES=2;HOSTLIST=n1;"})
    EXPECT_FALSE(job_of(open).report.only_hosts) << open;
  EXPECT_FALSE(job_of("j:TASKS=9;NODES=1;MAXNODES=3;HOSTLIST=n1;").report.only_hosts);
  EXPECT_EQ(job_of("j:TASKS=2;HOSTLIST=n1,n2^;").report.host_list_use, HostListUse::some_of);
  const auto among = job_of("j:TASKS=4;HOSTLIST=n[1-2]*;");
  EXPECT_EQ(among.report.host_list_use, HostListUse::all_of);
  EXPECT_FALSE(among.report.only_hosts);
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

TEST(WikiJobTest, DependenciesInSlurmsWordsCountWhereTheyHoldInAnyCase) {
  WikiNotes notes;
  const auto waits = [&](const std::string& words) {
    const auto job = read_wiki_job(
        record_of("j:TASKS=1;COMMENT=\"DEPEND=" + words + "?JOBFLAGS:RESTARTABLE?QOS:low\";"),
        notes);
    EXPECT_EQ(job.report.qos, "low") << words;
    EXPECT_TRUE(has(job.report.job.flags, JobFlag::restartable)) << words;
    std::string all;
    for (const Dependency& dependency : job.report.job.dependencies) {
      all += (all.empty() ? "" : ",") + dependency_text(dependency);
      EXPECT_TRUE(dependency.theirs);
    }
    return all;
  };
  EXPECT_EQ(waits("afterok:2,afterany:3:4"), "afterok:2,afterany:3,afterany:4");
  EXPECT_EQ(waits("afterok:2?afterany:3"), "") << "any one of them will do";
  EXPECT_EQ(waits("afterok:24_*"), "afterok:24") << "a whole array";
  EXPECT_EQ(waits("afterok:24_1,afternotok:7"), "afternotok:7") << "one of its tasks";
  EXPECT_EQ(waits("singleton,after:20"), "after:20");
  EXPECT_EQ(waits("aftercorr:24_*"), "");
  EXPECT_EQ(waits("singleton"), "");
  EXPECT_TRUE(notes.problems.empty()) << notes.problems.front();
  const auto own = job_of("j:TASKS=1;COMMENT=\"JOBFLAGS:RESTARTABLE?DEPEND:afterok:2\";");
  ASSERT_EQ(own.report.job.dependencies.size(), 1u);
  EXPECT_FALSE(own.report.job.dependencies.front().theirs) << "a user's own";
}

std::string problem_with(const std::string& state, const std::string& comment) {
  WikiNotes notes;
  const auto record = record_of("j:TASKS=1;STATE=" + state + ";COMMENT=\"" + comment + "\";");
  const auto job = read_wiki_job(record, notes, 100);
  EXPECT_EQ(notes.problems,
            std::vector<std::string>{"job 'j': COMMENT: " + job.ignored_extensions});
  const auto shown = unused_job_attributes(record, 100);
  EXPECT_EQ(shown.size(), 1u);
  for (const auto& one : shown) {
    EXPECT_EQ(one.name + "=" + one.value, "COMMENT=" + job.ignored_extensions);
    EXPECT_TRUE(one.asks) << "checkjob shows it";
  }
  return job.report.problem;
}

TEST(WikiJobTest, AnInvalidExtensionIsTheProblemOfAWaitingJobIfItDecidesWhereTheJobRuns) {
  EXPECT_EQ(problem_with("Idle", "TPN:many"),
            "COMMENT: TPN:many, expected a number of tasks on each node");
  EXPECT_EQ(problem_with("Hold", "HOSTLIST:n[1-101]"),
            "COMMENT: HOSTLIST:n[1-101], expected at most 100 hosts");
  EXPECT_EQ(problem_with("Idle", "FLAGS:FAST"), "");
  for (const char* state : {"Starting", "Running", "Suspended", "Completed", "Removed"})
    EXPECT_EQ(problem_with(state, "TPN:many"), "") << state << ": its run counts all the same";
}

TEST(WikiJobTest, AnInvalidExtensionIsNotTheProblemIfAnAttributeIs) {
  WikiNotes notes;
  EXPECT_EQ(
      read_wiki_job(record_of("j:TASKS=-2;COMMENT=TPN:many;STATE=Idle;"), notes).report.problem,
      "invalid TASKS '-2': expected a whole number from 0 to 1000000");
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

TEST(WikiJobTest, UnknownAttributesAndFlagsAreCollectedByName) {
  WikiNotes notes;
  const auto job =
      read_wiki_job(record_of("j:TASKS=1;A7=x;FLAGS=INTERACTIVE,PREEMPTEE;UNAME=ann;"), notes);
  EXPECT_EQ(notes.unknown, (std::set<std::string>{"attribute A7", "FLAGS=INTERACTIVE"}));
  EXPECT_TRUE(has(job.report.job.flags, JobFlag::preemptee)) << "those that are known count";
  EXPECT_EQ(job.report.user, "ann");
  EXPECT_EQ(job.report.problem, "");
}

TEST(WikiJobTest, MarksUnusedAttributesThatAreDemands) {
  const auto record = record_of(
      "j:TASKS=1;TASKS.1=2;SUBMITHOST=head;IWD=\"/"
      "tmp\";PREF=fast;GEOMETRY={1,2};A7=x;FLAGS=INTERACTIVE;");
  std::vector<std::string> asks, shown;
  for (const auto& attribute : unused_job_attributes(record))
    (attribute.asks ? asks : shown).push_back(attribute.name + "=" + attribute.value);
  EXPECT_EQ(shown, (std::vector<std::string>{"SUBMITHOST=head", "IWD=/tmp"}));
  EXPECT_EQ(asks,
            (std::vector<std::string>{"PREF=fast", "GEOMETRY={1,2}", "A7=x", "FLAGS=INTERACTIVE"}));
}

TEST(WikiJobTest, AnInvalidDecisiveAttributeIsTheJobsProblemAndTheRestStands) {
  WikiNotes notes;
  const auto job =
      read_wiki_job(record_of("wj.1:TASKS=-2;UNAME=ann;QUEUETIME=soon;WCLIMIT=60;"), notes);
  EXPECT_EQ(job.report.problem, "invalid TASKS '-2': expected a whole number from 0 to 1000000");
  EXPECT_EQ(job.report.user, "ann");
  EXPECT_EQ(job.report.request.limit, Seconds(60));
  EXPECT_EQ(notes.problems,
            (std::vector<std::string>{
                "job 'wj.1': invalid QUEUETIME 'soon': expected seconds since the epoch",
                "job 'wj.1': invalid TASKS '-2': expected a whole number from 0 to 1000000"}));
  EXPECT_NE(read_wiki_job(record_of("wj.1:TASKS=1000001;"), notes).report.problem, "")
      << "more than is to be had";
}

TEST(WikiJobTest, MoreThanCanBeCountedIsAProblemAndNotAnOverflow) {
  WikiNotes notes;
  const auto problem = [&](const std::string& text) {
    return read_wiki_job(record_of(text), notes).report.problem;
  };
  EXPECT_EQ(problem("j:NODES=1000000;TASKPERNODE=1000000;"),
            "1000000 nodes of 1000000 tasks each, expected at most 1000000 tasks");
  EXPECT_EQ(problem("j:TASKS=1000000;DPROCS=5000;"),
            "too many processors: 1000000 tasks of 5000 processors each");
  EXPECT_EQ(problem("j:TASKS=1;TASKPERNODE=1000000;DPROCS=5000;"),
            "too many processors: 1000000 tasks of 5000 processors each");
}

// The job is held, and looked at all the same.
TEST(WikiJobTest, CapsNumbersThatWouldOverflow) {
  WikiNotes notes;
  const auto job = read_wiki_job(
      record_of("j:TASKS=1000000;TASKPERNODE=1000000;NODES=1000000;DPROCS=2147483647;"), notes);
  const Requirement& requirement = job.report.request.requirements.front();
  EXPECT_EQ(requirement.tasks, 1'000'000);
  EXPECT_EQ(requirement.tasks_per_node, 1'000'000);
  EXPECT_EQ(requirement.least_nodes, 1'000'000);
  EXPECT_EQ(requirement.per_task.procs(), 2147);
  EXPECT_FALSE(job.report.problem.empty());
}

TEST(WikiJobTest, ACountThatIsRefusedIsNotKeptEither) {
  for (const std::string name : {"TASKS", "NODES", "TASKPERNODE"}) {
    WikiNotes notes;
    const auto job = read_wiki_job(record_of("a:MAXNODES=2;" + name + "=2147483648;"), notes);
    EXPECT_NE(job.report.problem.find(name), std::string::npos);
    EXPECT_EQ(need_of(job).tasks, 0) << "planning makes tables of so many";
    EXPECT_EQ(need_of(job).least_nodes, 0);
    EXPECT_EQ(need_of(job).tasks_per_node, 0);
  }
}

TEST(WikiJobTest, HostListsOfMoreHostsThanThereAreAreRefused) {
  WikiNotes notes;
  const auto job = read_wiki_job(record_of("j:TASKS=1;HOSTLIST=n[1-1000];"), notes, 100);
  EXPECT_TRUE(job.report.host_list.empty());
  EXPECT_EQ(job.report.problem,
            "invalid HOSTLIST 'n[1-1000]': expected host names separated by colons, not too many");
  const auto other = read_wiki_job(record_of("j:TASKS=1;HOSTLIST=n[1-90],[1-90];"), notes, 100);
  EXPECT_TRUE(other.report.host_list.empty());
  EXPECT_FALSE(other.report.problem.empty());
}

TEST(WikiJobTest, TheReasonOfAnAdapterWaitsOrHolds) {
  const std::string text = "j:WAITREASON=no licence;HOLDREASON=too long\\: 3 h;TASKS=1;";
  const auto job = job_of("j:TASKS=1;WAITREASON=no licence;");
  EXPECT_EQ(job.report.waits_for, "no licence");
  WikiNotes notes;
  const auto held = read_wiki_job(record_of(text), notes);
  EXPECT_EQ(held.report.problem, "too long: 3 h");
  EXPECT_EQ(write_wiki(write_wiki_job(held)), text);
}

TEST(WikiJobTest, ListsOfHostsAreWrittenAsRanges) {
  WikiNotes notes;
  const auto job = read_wiki_job(
      record_of("j:TASKS=1;HOSTLIST=n[1-900],x;EXCLUDE_HOSTLIST=n7,n[08-11];"), notes);
  const auto written = write_wiki_job(job);
  EXPECT_EQ(*written.find("HOSTLIST"), "n[1-9]:n[10-99]:n[100-900]:x");
  EXPECT_EQ(*written.find("EXCLUDE_HOSTLIST"), "n7:n[08-11]");
  EXPECT_EQ(read_wiki_job(written, notes).report.host_list, job.report.host_list);
}

TEST(WikiJobTest, SurvivesARoundTrip) {
  const std::string text =
      "wj.1:UPDATETIME=1795165256;STATE=Running;QUEUETIME=1795165250;UNAME=root;GNAME=root;"
      "ACCOUNT=acct1;QOS=high;PARTITIONMASK=p1:p2;FLAGS=PREEMPTEE;COMMENT=a\\;b;WCLIMIT=120;TASKS="
      "2;"
      "TASKPERNODE=2;DPROCS=2;DMEM=100;DGRES=gpu:1;RMEM=256;RMEMCMP=>=;RFEATURES=slow;"
      "RCLASS=[batch:2];HOSTLIST=n[1-2]*;STARTTIME=1795165250;TASKLIST=nd4:nd4;";
  EXPECT_EQ(write_wiki(write_wiki_job(job_of(text), Time(1795165256))), text);
}

TEST(WikiAttributesTest, TheDocumentsNameEachThatIsKnown) {
  std::ifstream in(MAUI_SOURCE "/docs/resource-managers.md");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  for (char& c : text)
    if (c != '_' && (c < 'A' || c > 'Z')) c = ' ';
  const auto words = split(text, ' ');
  const std::set<std::string_view> document(words.begin(), words.end());
  auto names = wiki_node_attributes();
  for (const auto name : wiki_job_attributes()) names.push_back(name);
  EXPECT_GT(names.size(), 80u);
  for (const auto name : names) EXPECT_TRUE(document.contains(name)) << name;
}

TEST(WikiAttributesTest, EachOfTheProtocolIsKnown) {
  const auto all_known = [](std::string_view list, const std::vector<std::string_view>& known) {
    for (const auto name : split(list, ' '))
      EXPECT_NE(std::find(known.begin(), known.end(), name), known.end()) << name;
  };
  all_known(
      "UPDATETIME STATE OS OSLIST ARCH CPROC APROC CMEMORY AMEMORY CSWAP ASWAP CDISK ADISK CNET "
      "ANET CCLASS ACLASS CRES ARES CPULOAD FEATURE PARTITION SPEED RACK SLOT MAXTASK CURRENTTASK "
      "IDLETIME EVENT VARIABLE OTHER",
      wiki_node_attributes());
  all_known(
      "UPDATETIME STATE WCLIMIT TASKS NODES NODERANGE TASKLIST TASKPERNODE DPROCS DMEM DDISK DSWAP "
      "DGRES RMEM RDISK RSWAP RMEMCMP RDISKCMP RSWAPCMP RFEATURES RCLASS ROPSYS RARCH RNETWORK "
      "RSOFTWARE PREF GEOMETRY HOSTLIST EXCLUDE_HOSTLIST PARTITIONMASK UNAME GNAME ACCOUNT QOS "
      "PRIORITY QUEUETIME STARTDATE ENDDATE STARTTIME SUSPENDTIME COMPLETETIME EXITCODE NAME EXEC "
      "ARGS IWD ENV INPUT OUTPUT ERROR SUBMITSTRING FLAGS COMMENT REJCODE REJCOUNT REJMESSAGE "
      "REQRSV RESACCESS EVENT",
      wiki_job_attributes());
}

// A value of each attribute of the protocol, beside those of a job that waits, runs or has ended.
constexpr std::string_view kOfJobs =
    "UPDATETIME=1000 STATE=Hold WCLIMIT=120 TASKS=4 NODES=2 NODERANGE=2-4 TASKLIST=n1:n2 "
    "TASKPERNODE=1 DPROCS=3 DMEM=100 DDISK=7 DSWAP=9 DGRES=gpu:1 RMEM=256 RDISK=33 RSWAP=44 "
    "RMEMCMP=< RDISKCMP=< RSWAPCMP=< RFEATURES=fast RCLASS=[batch:1] ROPSYS=linux RARCH=x86 "
    "RNETWORK=ib RSOFTWARE=g98 PREF=fast GEOMETRY={0,1} HOSTLIST=n1:n2 EXCLUDE_HOSTLIST=n3 "
    "PARTITIONMASK=p1 UNAME=bob GNAME=staff ACCOUNT=chem QOS=high PRIORITY=7 QUEUETIME=900 "
    "STARTDATE=2000 ENDDATE=3000 STARTTIME=950 SUSPENDTIME=5 COMPLETETIME=990 EXITCODE=3 "
    "NAME=title "
    "EXEC=/bin/true ARGS=-x IWD=/tmp ENV=A=1 INPUT=in OUTPUT=out ERROR=err SUBMITSTRING=sub "
    "FLAGS=PREEMPTEE COMMENT=qos:low REJCODE=-913 REJCOUNT=2 REJMESSAGE=why REQRSV=res.0 "
    "RESACCESS=res.1 EVENT=e";
constexpr std::string_view kOfNodes =
    "UPDATETIME=1000 STATE=Busy OS=linux OSLIST=linux:aix ARCH=x86 CPROC=8 APROC=1 CMEMORY=999 "
    "AMEMORY=1 CSWAP=99 ASWAP=1 CDISK=98 ADISK=1 CNET=ib ANET=ib CCLASS=[batch:4] ACLASS=[batch:1] "
    "CRES=TAPE:2 ARES=TAPE:1 CPULOAD=1.5 FEATURE=fast PARTITION=p1 SPEED=2 RACK=3 SLOT=7 MAXTASK=5 "
    "CURRENTTASK=2 IDLETIME=60 EVENT=e VARIABLE=v OTHER=o";

bool is_beside(const std::vector<UnusedAttribute>& beside, std::string_view name) {
  return std::any_of(beside.begin(), beside.end(),
                     [&](const UnusedAttribute& attribute) { return attribute.name == name; });
}

TEST(WikiAttributesTest, EachOfTheProtocolHasAnEffectOnAJobOrIsShownAsNotFollowed) {
  for (const auto attribute : split(kOfJobs, ' ')) {
    const auto name = std::string(attribute.substr(0, attribute.find('=')));
    const auto raw = attribute.substr(attribute.find('=') + 1);
    const auto value = name == "COMMENT" ? wiki_escaped(raw) : std::string(raw);
    bool counts = false;
    for (const char* state : {"Idle", "Running", "Completed"}) {
      auto record =
          record_of("j:WCLIMIT=60;TASKS=2;UNAME=ann;RMEM=1;RDISK=1;RSWAP=1;QUEUETIME=800;STATE=" +
                    std::string(state) + ";");
      const auto before = write_wiki(write_wiki_job(job_of(write_wiki(record))));
      record.set(name, value);
      WikiNotes notes;
      const auto after = write_wiki(write_wiki_job(read_wiki_job(record, notes)));
      EXPECT_TRUE(notes.problems.empty()) << attribute << ": " << notes.problems.front();
      counts = counts || before != after || is_beside(unused_job_attributes(record), name);
    }
    EXPECT_TRUE(counts) << name << " has no effect, and checkjob does not show it";
  }
}

TEST(WikiAttributesTest, EachOfTheProtocolHasAnEffectOnANodeOrIsShown) {
  for (const auto attribute : split(kOfNodes, ' ')) {
    const auto name = std::string(attribute.substr(0, attribute.find('=')));
    auto record = record_of("n:STATE=Idle;CPROC=4;CMEMORY=100;CSWAP=50;CDISK=50;");
    const auto before = write_wiki(write_wiki_node(node_of(write_wiki(record))));
    record.set(name, std::string(attribute.substr(attribute.find('=') + 1)));
    WikiNotes notes;
    const auto report = read_wiki_node(record, notes);
    ASSERT_TRUE(report) << attribute;
    EXPECT_TRUE(before != write_wiki(write_wiki_node(*report)) ||
                is_beside(unused_node_attributes(record), name))
        << name << " has no effect, and checknode does not show it";
  }
}

TEST(WikiAttributesTest, EveryRecordedRecordIsUnderstood) {
  WikiNotes notes;
  std::size_t nodes = 0, jobs = 0;
  for (const char* file : {"wiki_noauth.log", "slurm-wiki.txt", "slurm-wiki2.txt"})
    for (const auto& [request, reply] : recording(file)) {
      const auto answer = read_wiki_reply(open_wiki(content_of(reply), std::nullopt)->body);
      ASSERT_TRUE(answer);
      if (!answer->data) continue;
      const bool of_nodes = request.find("GETNODES") != request.npos;
      const auto found = read_wiki_records(answer->text);
      for (const auto& shared : found->records) {
        const WikiRecord& record = *shared;
        const bool whole = record.find("CPROC") != nullptr;
        if (of_nodes) {
          const auto node = read_wiki_node(record, notes);
          ASSERT_TRUE(node) << node.error().what;
          EXPECT_TRUE(!whole || node->node.configured.procs() >= 2);
          ++nodes;
        } else {
          const auto job = read_wiki_job(record, notes);
          EXPECT_EQ(job.report.problem, "");
          EXPECT_EQ(missing_in(job).find("STATE"), std::string::npos);
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
    const auto answer = read_wiki_reply(open_wiki(content_of(reply), std::nullopt)->body);
    if (!answer->data || request.find("GETJOBS") == request.npos) continue;
    const auto found = read_wiki_records(answer->text);
    for (const auto& shared : found->records) {
      const WikiRecord& record = *shared;
      const auto job = read_wiki_job(record, notes);
      auto again = write_wiki_job(job, Time(std::stoll(*record.find("UPDATETIME"))));
      if (job.ended())
        std::erase_if(again.attributes, [](auto& a) { return a.first == "EXITCODE"; });
      auto theirs = record;
      std::sort(theirs.attributes.begin(), theirs.attributes.end());
      std::sort(again.attributes.begin(), again.attributes.end());
      EXPECT_EQ(again, theirs);
    }
  }
}

std::string problem_of(const std::string& record) {
  WikiNotes notes;
  return read_wiki_job(record_of(record), notes).report.problem;
}

TEST(WikiAttributesTest, EveryRequirementNeedsATask) {
  const std::string problem = "expected a number of tasks, TASKS.1, or of nodes, NODES.1";
  EXPECT_EQ(problem_of("j:TASKS=2;TASKS.1=0;"), problem);
  EXPECT_EQ(problem_of("j:TASKS=2;NODES.1=0;"), problem);
  EXPECT_EQ(problem_of("j:TASKS=2;NODES.1=1;"), "");
}

TEST(WikiAttributesTest, NoJobAsksForMoreMemoryThanCanBeCounted) {
  EXPECT_EQ(problem_of("j:TASKS=8;DMEM=2147483647;"),
            "too much memory: 8 tasks of 2147483647 MB each");
  EXPECT_EQ(problem_of("j:TASKS=8;DMEM=200000000;"), "");
}

}  // namespace
}  // namespace maui
