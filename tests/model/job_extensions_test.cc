// Resource manager extensions: the table of guide 13.3, row by row.
#include "model/job_extensions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace maui {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

JobReport job_with(const std::string& comment, int tasks = 1) {
  JobReport job;
  job.name = "j";
  job.request.requirements.front().tasks = tasks;
  job.request.limit = Seconds(600);
  const auto wrong = apply_extensions(comment, job);
  EXPECT_FALSE(wrong) << comment << ": " << wrong.value_or(ExtensionFaults()).what;
  return job;
}

ExtensionFaults faults_of(const std::string& comment, std::size_t most_hosts = kMostHosts) {
  JobReport job;
  return apply_extensions(comment, job, most_hosts).value_or(ExtensionFaults());
}

std::string complaint(const std::string& comment) { return faults_of(comment).what; }

TEST(JobExtensions, AccessModeIsDedicatedOrShared) {
  EXPECT_EQ(job_with("ACCESSMODE:DEDICATED").job.access_asked, NodeAccess::dedicated);
  EXPECT_EQ(job_with("ACCESSMODE:SHARED").job.access_asked, NodeAccess::shared);
  EXPECT_EQ(job_with("ACCESSMODE:SINGLEUSER").job.access_asked, NodeAccess::single_user);
  EXPECT_FALSE(has(job_with("ACCESSMODE:SINGLETASK").job.flags, JobFlag::dedicated));
  EXPECT_THAT(complaint("ACCESSMODE:MINE"),
              HasSubstr("expected DEDICATED, SHARED, SINGLEUSER or SINGLETASK"));
}

TEST(JobExtensions, AccessModeDoesNotTakeTheFlagDedicatedFromAJob) {
  JobReport job;
  put(job.job.flags, JobFlag::dedicated);
  EXPECT_FALSE(apply_extensions("ACCESSMODE:SHARED", job));
  EXPECT_TRUE(has(job.job.flags, JobFlag::dedicated));
}

TEST(JobExtensions, DmemIsDedicatedMemoryPerTask) {
  EXPECT_EQ(job_with("DMEM:512").request.requirements.front().per_task.memory(), 512);
  EXPECT_EQ(job_with("").request.requirements.front().per_task.memory(), 0);
  EXPECT_THAT(complaint("DMEM:much"), HasSubstr("DMEM:much, expected a size in MB"));
}

TEST(JobExtensions, FlagsAreThoseOfTheTable) {
  const std::pair<const char*, JobFlag> rows[] = {{"ADVRES", JobFlag::adv_res},
                                                  {"RESTARTABLE", JobFlag::restartable},
                                                  {"PREEMPTEE", JobFlag::preemptee},
                                                  {"PREEMPTOR", JobFlag::preemptor},
                                                  {"NOQUEUE", JobFlag::no_queue}};
  for (const auto& [name, flag] : rows)
    EXPECT_EQ(job_with(std::string("FLAGS:") + name).job.flags, static_cast<int>(flag)) << name;
  const auto both = job_with("FLAGS:ADVRES:john.1,PREEMPTEE").job;
  EXPECT_TRUE(has(both.flags, JobFlag::adv_res) && has(both.flags, JobFlag::preemptee));
  EXPECT_EQ(both.required_reservation, "john.1");
  EXPECT_THAT(complaint("FLAGS:FAST"), HasSubstr("FLAGS:FAST, expected ADVRES[:NAME]"));
}

TEST(JobExtensions, AHostListIsASupersetOrASubsetByTheNumberOfTasks) {
  EXPECT_EQ(job_with("HOSTLIST:nodeA,nodeB,nodeE", 3).host_list_use, HostListUse::all_of);
  EXPECT_EQ(job_with("HOSTLIST:nodeA,nodeB,nodeE", 2).host_list_use, HostListUse::some_of);
  EXPECT_EQ(job_with("HOSTLIST:nodeA,nodeB^", 3).host_list_use, HostListUse::some_of);
  EXPECT_EQ(job_with("HOSTLIST:nodeA,nodeB*", 1).host_list_use, HostListUse::all_of);
  EXPECT_THAT(job_with("HOSTLIST:nodeA,nodeB*").host_list, ElementsAre("nodeA", "nodeB"));
  EXPECT_THAT(job_with("HOSTLIST:nodeA,nodeB,nodeE").host_list,
              ElementsAre("nodeA", "nodeB", "nodeE"));
}

TEST(JobExtensions, ANodeSetIsTypeAttributeAndList) {
  EXPECT_EQ(job_with("NODESET:ONEOF:PROCSPEED:350,400,450").job.node_set,
            "ONEOF:PROCSPEED:350,400,450");
  EXPECT_EQ(job_with("NODESET=ONEOF:NETWORK").job.node_set, "ONEOF:NETWORK");
  for (const char* text : {"NODESET:ONEOF", "NODESET:SOME:NETWORK", "NODESET:ONEOF:COLOUR"})
    EXPECT_THAT(complaint(text), HasSubstr("expected SETTYPE:ATTRIBUTE[:LIST]")) << text;
}

TEST(JobExtensions, SeveralPartitionsMayBeNamed) {
  EXPECT_EQ(job_with("PARTITION:math:geology").partition, "math:geology");
  EXPECT_THAT(complaint("PARTITION:math::geology"), HasSubstr("expected names of partitions"));
}

TEST(JobExtensions, QosIsTheRequestedQos) { EXPECT_EQ(job_with("QOS:highprio").qos, "highprio"); }

TEST(JobExtensions, QueueJobFalseIsNowOrNever) {
  EXPECT_TRUE(has(job_with("QUEUEJOB:FALSE").job.flags, JobFlag::no_queue));
  EXPECT_FALSE(has(job_with("QUEUEJOB:TRUE").job.flags, JobFlag::no_queue));
  EXPECT_FALSE(has(job_with("").job.flags, JobFlag::no_queue));
  EXPECT_THAT(complaint("QUEUEJOB:MAYBE"), HasSubstr("expected FALSE or TRUE"));
}

TEST(JobExtensions, SgeSidAndJgroupAreKept) {
  EXPECT_EQ(job_with("SGE:8:pinky").job.display, "8:pinky");
  EXPECT_EQ(job_with("SID:silverA").job.system_id, "silverA");
  EXPECT_EQ(job_with("JGROUP:bluegroup").job.group_id, "bluegroup");
  EXPECT_THAT(complaint("SGE:pinky"), HasSubstr("expected WINDOWCOUNT:DISPLAYNAME"));
}

TEST(JobExtensions, TpnIsTasksPerNode) {
  EXPECT_EQ(job_with("TPN:4").request.requirements.front().tasks_per_node, 4);
  EXPECT_THAT(complaint("TPN:x"), HasSubstr("expected a number of tasks on each node"));
}

TEST(JobExtensions, TrlListsTaskCounts) {
  const auto job = job_with("TRL:2,4,8,16");
  EXPECT_THAT(job.job.alternatives, ElementsAre(Pair(2, Seconds(600)), Pair(4, Seconds(600)),
                                                Pair(8, Seconds(600)), Pair(16, Seconds(600))));
  EXPECT_EQ(job.request.requirements.front().tasks, 2);
}

TEST(JobExtensions, GresAreGenericResourcesOfATask) {
  EXPECT_THAT(job_with("GRES:tape").generic, ElementsAre(ElementsAre(Pair("tape", 1))));
  EXPECT_THAT(job_with("GRES:tape:2,matlab+3").generic,
              ElementsAre(ElementsAre(Pair("tape", 2), Pair("matlab", 3))));
  for (const char* text : {"GRES:tape:0", "GRES:MEM:5", "GRES::2", "GRES:tape:x"})
    EXPECT_THAT(complaint(text), HasSubstr("expected NAME[:COUNT] of generic resources")) << text;
}

TEST(JobExtensions, DependNamesOtherJobs) {
  EXPECT_THAT(job_with("DEPEND:afterok:a:b,afterany:c").job.dependencies,
              ElementsAre(Dependency{DependencyKind::after_ok, "a"},
                          Dependency{DependencyKind::after_ok, "b"},
                          Dependency{DependencyKind::after_any, "c"}));
  EXPECT_EQ(job_with("DEPEND:afterok:a:b:a,afterok:b,after:a").job.dependencies.size(), 3U)
      << "each is kept once";
  EXPECT_EQ(job_with("DEPEND:after:a").job.dependencies.front().kind, DependencyKind::after);
  EXPECT_EQ(job_with("DEPEND:afternotok:a").job.dependencies.front().kind,
            DependencyKind::after_not_ok);
  for (const char* text : {"DEPEND:a", "DEPEND:afterok", "DEPEND:afterok:", "DEPEND:soon:a"})
    EXPECT_THAT(complaint(text), HasSubstr("expected KIND:JOB")) << text;
}

TEST(JobExtensions, TheGuidesFirstExample) {
  const auto job = job_with("HOSTLIST:node1,node2;QOS:special;SID:silverA", 2);
  EXPECT_THAT(job.host_list, ElementsAre("node1", "node2"));
  EXPECT_EQ(job.qos, "special");
  EXPECT_EQ(job.job.system_id, "silverA");
}

TEST(JobExtensions, TheGuidesSecondAndThirdExample) {
  const auto second = job_with("X=\"NODESET=ONEOF:NETWORK;DMEM:64\"");
  EXPECT_EQ(second.job.node_set, "ONEOF:NETWORK");
  EXPECT_EQ(second.request.requirements.front().per_task.memory(), 64);
  EXPECT_EQ(job_with("x=FLAGS:ADVRES:john.1").job.required_reservation, "john.1");
  EXPECT_EQ(job_with("x=PARTITION:test").partition, "test");
}

TEST(JobExtensions, UnknownTextIsAMereCommentUnlessMarkedAsAnExtension) {
  EXPECT_EQ(complaint("run 7; note: the old way; qos"), "");
  EXPECT_EQ(complaint("x=QOSS:high"), "unknown extension 'QOSS' (did you mean 'QOS'?)");
  EXPECT_THAT(complaint("x=colour:red"),
              HasSubstr("unknown extension 'colour': expected one of ACCESSMODE, DEPEND"));
  EXPECT_THAT(complaint("x=QOS"), HasSubstr("QOS:, expected the name of a QOS"));
}

TEST(JobExtensions, NamesAndFixedWordsAreCaseBlind) {
  EXPECT_EQ(job_with("qos:High").qos, "High");
  EXPECT_TRUE(has(job_with("Flags:preemptee").job.flags, JobFlag::preemptee));
}

TEST(JobExtensions, ListsOfMoreHostsThanThereAreAreRefusedBeforeTheyAreMade) {
  EXPECT_THAT(faults_of("HOSTLIST:n[1-1000000]", 100).what,
              HasSubstr("expected at most 100 hosts"));
  for (const std::string list : {"a[1-1000]:[1-1000]", "a[1-60],b[1-60]", "n[1-60] [1-60]"})
    EXPECT_THAT(faults_of("HOSTLIST:" + list, 100).what, HasSubstr("expected at most 100 hosts"))
        << "a separator of another list is part of a name";
  JobReport job;
  EXPECT_FALSE(apply_extensions("HOSTLIST:n[1-100]", job, 100));
  EXPECT_EQ(job.host_list.size(), 100U);
}

TEST(JobExtensions, ACommentThatIsLongBeyondReasonIsNotRead) {
  EXPECT_EQ(complaint("QOS:x;" + std::string(20000, ';')),
            "of 20006 characters, expected at most 16384");
}

TEST(JobExtensions, OneThatIsWrongHasNoEffectAndTheOthersCount) {
  JobReport job;
  job.qos = "own";
  job.partition = "math";
  const auto wrong = apply_extensions(
      "PARTITION:a::b;QOS:;TPN:x;FLAGS:FAST,PREEMPTEE;QUEUEJOB:FALSE;QUEUEJOB:MAYBE;SID:s", job);
  EXPECT_EQ(job.partition, "math");
  EXPECT_EQ(job.qos, "own");
  EXPECT_TRUE(has(job.job.flags, JobFlag::preemptee) && has(job.job.flags, JobFlag::no_queue));
  EXPECT_EQ(job.job.system_id, "s");
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->what,
            "TPN:x, expected a number of tasks on each node; FLAGS:FAST,PREEMPTEE, expected "
            "ADVRES[:NAME], RESTARTABLE, PREEMPTEE, PREEMPTOR or NOQUEUE; PARTITION:a::b, expected "
            "names of partitions, separated by colons; QOS:, expected the name of a QOS; and 1 "
            "more");
}

TEST(JobExtensions, WhetherOneThatIsWrongWouldDecideWhereOrWhenTheJobRunsIsTold) {
  for (const char* text : {"HOSTLIST:n[1-", "NODESET:ONEOF", "PARTITION:a::b",
                           "FLAGS:FAST,ADVRES:", "GRES:tape:0", "DMEM:much", "TPN:x", "TRL:0",
                           "ACCESSMODE:MINE", "DEPEND:a", "QOS:;TPN:x", "x=HOSTLST:n1;QOS:high"})
    EXPECT_TRUE(faults_of(text).decides) << text;
  EXPECT_TRUE(faults_of("HOSTLIST:n[1-200]", 100).decides);
  EXPECT_TRUE(faults_of(std::string(20000, 'c')).decides) << "nobody knows what it asks for";
  for (const char* text :
       {"QOS:", "FLAGS:FAST", "QUEUEJOB:MAYBE", "SGE:pinky", "SID:", "JGROUP:", "x=colour:red"}) {
    EXPECT_NE(complaint(text), "") << text;
    EXPECT_FALSE(faults_of(text).decides) << text;
  }
}

TEST(JobExtensions, ATaskMayTakeSoManyKindsOfGenericResources) {
  std::string kinds = "GRES:g";
  for (int i = 1; i < 64; ++i) kinds += ",g";
  EXPECT_EQ(complaint(kinds), "");
  EXPECT_THAT(complaint(kinds + ",g"), HasSubstr("at most 64"));
  EXPECT_THAT(complaint(kinds + ";GRES:h"), HasSubstr("at most 64"));
}

TEST(JobExtensions, NumbersOfTasksHaveARange) {
  EXPECT_THAT(complaint("TRL:1000001"), HasSubstr("TRL:1000001, expected"));
  EXPECT_THAT(complaint("TPN:1000001"), HasSubstr("TPN:1000001, expected"));
  std::string shapes = "TRL:1";
  for (int i = 0; i < 64; ++i) shapes += ",2";
  EXPECT_THAT(complaint(shapes), HasSubstr("expected numbers of tasks"));
}

}  // namespace
}  // namespace maui
