// Wishes of jobs and what they get: QOS, partitions, holds (guide 7.2, 7.3, 11.1).
#include "engine/reports/entitle.h"

#include "engine/engine_fixture.h"
#include "sched/cycle.h"
#include "sched/query/explain.h"

namespace maui::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using List = std::vector<std::string>;

struct EntitleTest : EngineTest {
  EntitleTest() {
    core = [this](const Cluster& known, Time now) { return plan(known, settings, now); };
  }
  JobReport asking(const std::string& name, const std::string& qos,
                   const std::string& partition = {}) {
    JobReport report = job_report(name, 1);
    report.qos = qos;
    report.partition = partition;
    return report;
  }
  /// n1 is in partition general, n2 in test.
  void begin_in_partitions(std::vector<JobReport> jobs) {
    NodeReport general = node_report("n1", procs(2)), test = node_report("n2", procs(2));
    general.partition = "general";
    test.partition = "test";
    rm().next.nodes = {general, test};
    rm().next.arrived = std::move(jobs);
    iterate();
  }
  void change(const Settings& to) {
    settings = to;
    engine().set_settings(to);
  }
  std::string qos(const std::string& name) { return cluster().qos[job(name).credentials.qos]; }
};

TEST_F(EntitleTest, APartitionThatNoNodeIsInKeepsTheJobWaitingWithThatReason) {
  begin({asking("a", "", "math")});
  EXPECT_TRUE(rm().asked.empty());
  EXPECT_TRUE(has(job("a").holds, Hold::defer));
  EXPECT_EQ(job("a").hold_reason->text, "NoResources: no node is in partition 'math'");
}

TEST_F(EntitleTest, AJobThatAsksForAllPartitionsMayUseAnyOfThem) {
  begin_in_partitions({asking("a", "", "ALL"), asking("b", "", "[ALL]"), asking("c", "", "all")});
  for (const char* name : {"a", "b", "c"}) EXPECT_TRUE(job(name).partitions_asked.empty()) << name;
  EXPECT_TRUE(job("a").active());
  EXPECT_TRUE(job("b").active());
}

TEST_F(EntitleTest, AReportedPartitionBindsIfNodesAreInPartitions) {
  const auto in_queue = [&](const std::string& name) {
    JobReport report = job_report(name, 1);
    report.partition_mask = "test";
    return report;
  };
  begin({in_queue("a")});
  EXPECT_TRUE(job("a").active()) << "there are no partitions, and so it cannot mean one";
  Settings divided = settings;
  divided.nodes["n1"].partition = "general";
  change(divided);
  rm().next.arrived = {in_queue("b"), asking("c", "", "general")};
  iterate(minutes(1));
  EXPECT_EQ(job("b").hold_reason->text, "NoResources: no node is in partition 'test'");
  EXPECT_EQ(show(cluster(), job("c").placement), "n1:1");
  divided.nodes["n2"].partition = "test";
  change(divided);
  iterate(minutes(2));
  EXPECT_EQ(show(cluster(), job("b").placement), "n2:1") << "now there is one";
}

TEST_F(EntitleTest, PartitionsOfAQueueThatShareNodesAreClassesWhereNodecfgSaysSo) {
  settings.nodes["n1"].classes = {"batch"};
  settings.nodes["n2"].classes = {"batch", "debug"};
  settings.nodes["n3"].classes = {"debug"};
  const auto in = [](const std::string& name, int tasks, const std::string& mask) {
    JobReport report = job_report(name, tasks);
    report.partition_mask = mask;
    return report;
  };
  rm().next.nodes = {node_report("n1", procs(1)), node_report("n2", procs(1)),
                     node_report("n3", procs(1))};
  rm().next.arrived = {in("a", 2, "debug"), in("b", 1, "batch"), in("c", 2, "batch"),
                       in("d", 4, "elsewhere")};
  iterate();
  EXPECT_EQ(show(cluster(), job("a").placement), "n3:1 n2:1");
  EXPECT_EQ(cluster().classes[job("a").credentials.job_class], "debug");
  EXPECT_EQ(show(cluster(), job("b").placement), "n1:1");
  EXPECT_FALSE(job("c").active());
  EXPECT_FALSE(job("d").credentials.job_class.valid()) << "no node serves such a class";
  EXPECT_THAT(listener.lines,
              testing::Not(testing::Contains(HasSubstr("jobs request different partitions"))));
  rm().next.ended = {{"a", JobState::completed, kNow + Seconds(10), 0},
                     {"b", JobState::completed, kNow + Seconds(10), 0}};
  rm().next.arrived = {in("e", 3, "debug:batch"), in("f", 1, "debug:batch")};
  iterate(Seconds(10));
  EXPECT_EQ(show(cluster(), job("c").placement), "n2:1 n1:1");
  EXPECT_EQ(show(cluster(), job("f").placement), "n3:1") << "of any of its classes";
  EXPECT_FALSE(job("e").active()) << "no class has three";
}

TEST_F(EntitleTest, AJobWithoutAccessToItsQosIsHeldWithTheDefault) {
  settings.system.default_qos = "normal";
  begin({asking("a", "high")});
  EXPECT_EQ(qos("a"), "normal");
  EXPECT_TRUE(has(job("a").holds, Hold::batch));
  EXPECT_EQ(job("a").hold_reason->text,
            "no QOS access: QOS 'high' is in no QLIST or QDEF of the job's credentials");
  EXPECT_TRUE(rm().asked.empty());
}

TEST_F(EntitleTest, AReloadGrantsWhatWasRefusedAndReleasesTheHold) {
  settings.system.default_qos = "normal";
  begin({asking("a", "high"), asking("b", "")});
  Settings more = settings;
  more.users["amy"].qos_list = List{"high"};
  more.system.default_qos = "low";
  rm().refuses_starts = "not now";
  change(more);
  EXPECT_EQ(qos("a"), "high");
  EXPECT_EQ(job("a").holds, 0);
  EXPECT_EQ(qos("b"), "normal") << "it runs under that QOS already";
  Settings less = settings;
  less.users.clear();
  change(less);
  EXPECT_TRUE(has(job("a").holds, Hold::batch));
  EXPECT_EQ(qos("a"), "low");
}

TEST_F(EntitleTest, AHoldOfAnotherReasonStays) {
  settings.system.default_qos = "normal";
  begin({asking("a", "high")});
  EXPECT_TRUE(
      set_holds(engine(), id("a"),
                static_cast<std::uint8_t>(Hold::batch) | static_cast<std::uint8_t>(Hold::user)));
  Settings more = settings;
  more.users["amy"].qos_list = List{"high"};
  change(more);
  EXPECT_EQ(job("a").holds, static_cast<int>(Hold::user));
}

TEST_F(EntitleTest, AJobRunsInThePartitionThatItAsksForOrIsHeld) {
  settings.users["DEFAULT"].partition_list = List{"general"};
  settings.users["steve"].partition_list = List{"general", "test"};
  settings.users["steve"].default_partition = "test";
  JobReport both = asking("both", "");
  both.user = "steve";
  JobReport general = asking("general", "", "general");
  general.user = "steve";
  begin_in_partitions({asking("amys", "", "test"), both, general, asking("other", "")});
  EXPECT_THAT(rm().asked,
              ElementsAre("start both on n2:1", "start general on n1:1", "start other on n1:1"));
  EXPECT_EQ(job("amys").hold_reason->text,
            "no partition access: partition test is in no PLIST of the job's credentials");
  EXPECT_TRUE(set_holds(engine(), id("amys"), 0));
  iterate(Seconds(60));
  EXPECT_FALSE(job("amys").active()) << "released or not, it may not use that partition";
}

TEST_F(EntitleTest, RequestedPartitionsAreLimitedToPermittedPartitions) {
  settings.users["amy"].partition_list = List{"general"};
  begin_in_partitions({asking("a", "", "general:test")});
  EXPECT_EQ(cluster().request_of(id("a")).partitions.size(), 1U);
  EXPECT_THAT(rm().asked, ElementsAre("start a on n1:1"));
}

TEST_F(EntitleTest, AnEmptyListForAllGrantsNothingByItself) {
  settings.system.partition_list = List{};
  settings.users["bob"].partition_list = List{"test"};
  JobReport bobs = asking("bobs", "");
  bobs.user = "bob";
  begin_in_partitions({asking("amys", ""), bobs});
  EXPECT_THAT(rm().asked, ElementsAre("start bobs on n2:1"));
  EXPECT_EQ(job("amys").hold_reason->text,
            "no partition access: no PLIST grants the job a partition");
}

TEST_F(EntitleTest, ADedicatedQosHasItsNodesToItself) {
  settings.qos["alone"].flags = {"DEDICATED"};
  begin({asking("a", "alone"), asking("b", "alone"), asking("c", "")});
  EXPECT_THAT(rm().asked, ElementsAre("start a on n2:1", "start b on n1:1"));
  EXPECT_EQ(cluster().request_of(id("a")).access.usual, NodeAccess::dedicated);
  EXPECT_EQ(cluster().request_of(id("c")).access.usual, NodeAccess::shared);
}

TEST_F(EntitleTest, ADedicatedQosHasItsNodesToItselfWhereTheNodesAreSharedByTheirOwnRule) {
  settings.qos["alone"].flags = {"DEDICATED"};
  settings.nodes["DEFAULT"].access = NodeAccess::shared;
  begin({asking("a", "alone"), asking("b", "alone"), asking("c", "")});
  EXPECT_THAT(rm().asked, ElementsAre("start a on n2:1", "start b on n1:1"));
}

TEST_F(EntitleTest, TheStricterOfTheJobsAccessAndItsDedicatedQosHolds) {
  settings.qos["alone"].flags = {"DEDICATED"};
  settings.node_access = NodeAccess::shared;
  core = {};
  const auto access = [&](const char* name, const char* qos, std::optional<NodeAccess> asked) {
    JobReport report = asking(name, qos);
    report.job.access_asked = asked;
    rm().next.arrived = {report};
    iterate();
    return cluster().request_of(id(name)).access;
  };
  using enum NodeAccess;
  begin({});
  EXPECT_EQ(access("a", "", {}), (JobAccess{shared, shared}));
  EXPECT_EQ(access("b", "", dedicated), (JobAccess{dedicated, dedicated}));
  EXPECT_EQ(access("c", "alone", {}), (JobAccess{dedicated, dedicated}));
  EXPECT_EQ(access("d", "alone", shared), (JobAccess{dedicated, dedicated}));
  EXPECT_EQ(access("e", "alone", single_user), (JobAccess{dedicated, dedicated}));
  EXPECT_EQ(access("f", "alone", single_task), (JobAccess{single_task, single_task}));
  settings.node_access = single_task;
  change(settings);
  EXPECT_EQ(access("g", "", {}), (JobAccess{single_task, shared}));
  EXPECT_EQ(access("h", "", shared), (JobAccess{shared, shared}));
  EXPECT_EQ(access("i", "alone", {}), (JobAccess{single_task, dedicated}));
}

TEST_F(EntitleTest, AQosWithSpanMayUsePartitionsTogether) {
  settings.qos["wide"].flags = {"SPAN"};
  JobReport wide = asking("wide", "wide");
  wide.request.requirements.front().tasks = 3;
  begin_in_partitions({wide});
  EXPECT_THAT(rm().asked, ElementsAre("start wide on n2:2 n1:1"));
}

TEST_F(EntitleTest, SpanningStaysWithinThePartitionsThatMayBeUsed) {
  settings.qos["wide"].flags = {"SPAN"};
  settings.users["amy"].partition_list = List{"general"};
  JobReport wide = asking("wide", "wide");
  wide.request.requirements.front().tasks = 3;
  begin_in_partitions({wide});
  EXPECT_TRUE(rm().asked.empty());
}

TEST_F(EntitleTest, TheQosOfSetqosStaysAfterAReload) {
  settings.system.default_qos = "normal";
  core = {};
  begin({asking("a", "")});
  EXPECT_TRUE(engine().set_qos(id("a"), engine().names().qos.intern("high")));
  Settings other = settings;
  other.system.default_qos = "low";
  other.qos["high"].flags = {"DEDICATED"};
  change(other);
  EXPECT_EQ(qos("a"), "high");
  EXPECT_EQ(cluster().request_of(id("a")).access.usual, NodeAccess::dedicated);
}

TEST_F(EntitleTest, ARunThatGetsADedicatedQosSharesItsNodesNoMoreAtOnce) {
  settings.qos["alone"].flags = {"DEDICATED"};
  begin({asking("a", "")});
  ASSERT_TRUE(job("a").active());
  const NodeId at = job("a").placement.front().node;
  ASSERT_FALSE(cluster().occupancy(at).exclusive());
  const Time started = job("a").started, ends = job("a").ends;
  const auto give = [&](const char* name) {
    ASSERT_TRUE(engine().set_qos(id("a"), engine().names().qos.intern(name)));
    EXPECT_EQ(cluster().check(), std::nullopt);
  };
  give("alone");
  EXPECT_TRUE(cluster().occupancy(at).exclusive());
  EXPECT_EQ(cluster().state(at), NodeState::busy);
  EXPECT_EQ(cluster().request_of(id("a")).access.usual, NodeAccess::dedicated)
      << "as after a restart";
  EXPECT_EQ(job("a").started, started);
  EXPECT_EQ(job("a").ends, ends);
  rm().next.arrived = {asking("b", ""), asking("c", ""), asking("d", "")};
  iterate(minutes(1));
  EXPECT_TRUE(job("c").active());
  EXPECT_TRUE(job("d").waiting()) << "beside it there is no room";
  give("normal");
  EXPECT_FALSE(cluster().occupancy(at).exclusive());
  iterate(minutes(2));
  EXPECT_EQ(job("d").placement.front().node, at);
}

TEST_F(EntitleTest, SetqosReleasesTheHoldForWantOfAccess) {
  settings.system.default_qos = "normal";
  core = {};
  begin({asking("a", "high")});
  EXPECT_TRUE(engine().set_qos(id("a"), engine().names().qos.intern("high")));
  EXPECT_EQ(job("a").holds, 0);
  EXPECT_EQ(qos("a"), "high");
}

// --- ENABLEMULTINODEJOBS, ENABLEMULTIREQJOBS, QOSFEATURES ---------------------------

JobReport of_two_kinds(const std::string& name) {
  JobReport report = job_report(name, 1);
  report.request.requirements.push_back(report.request.requirements.front());
  return report;
}

TEST_F(EntitleTest, AJobOfSeveralRequirementsIsHeldUnlessTheyAreEnabled) {
  begin({of_two_kinds("a")});
  EXPECT_TRUE(has(job("a").holds, Hold::batch));
  EXPECT_EQ(job("a").hold_reason->text,
            "policy violation: the job asks for several kinds of nodes, and ENABLEMULTIREQJOBS is "
            "FALSE");
  Settings more = settings;
  more.jobs.multi_requirement = true;
  change(more);
  EXPECT_EQ(job("a").holds, 0);
  iterate(Seconds(1));
  EXPECT_TRUE(job("a").active());
}

TEST_F(EntitleTest, WithoutMultinodeJobsAJobThatAsksForSeveralNodesIsHeld) {
  settings.jobs.multi_node = false;
  JobReport two = job_report("a", 2);
  two.request.requirements.front().nodes = 2;
  begin({two});
  EXPECT_THAT(job("a").hold_reason->text, HasSubstr("ENABLEMULTINODEJOBS is FALSE"));
}

TEST_F(EntitleTest, WithoutMultinodeJobsAllTasksAreOnOneNode) {
  settings.jobs.multi_node = false;
  core = nullptr;
  begin({job_report("one", 1), job_report("two", 2), job_report("three", 3)});
  const auto places = [&](const char* name) {
    const auto start = earliest_start(cluster(), settings, kNow, cluster().request_of(id(name)),
                                      job(name).credentials);
    return start ? static_cast<int>(start->placement.size()) : 0;
  };
  EXPECT_EQ(places("one"), 1);
  EXPECT_EQ(places("two"), 1);
  EXPECT_EQ(places("three"), 0) << "no node has three processors";
  settings.jobs.multi_node = true;
}

TEST_F(EntitleTest, JobsOfAQosRunOnNodesWithItsFeaturesOnly) {
  settings.qos["big"].features = {"large"};
  NodeReport large = node_report("n2", procs(2));
  large.features = {"large"};
  rm().next.nodes = {node_report("n1", procs(2)), large};
  rm().next.arrived = {asking("a", "big"), asking("b", "")};
  iterate();
  EXPECT_EQ(job("a").placement.front().node, node("n2"));
  EXPECT_TRUE(cluster().request_of(id("b")).qos_features.empty());
}

TEST_F(EntitleTest, AnotherQosAsksForOtherFeatures) {
  core = nullptr;
  settings.qos["big"].features = {"large"};
  begin({asking("a", "big")});
  EXPECT_EQ(cluster().request_of(id("a")).qos_features.size(), 1U);
  ASSERT_TRUE(engine().set_qos(id("a"), engine().names().qos.intern("small")));
  EXPECT_TRUE(cluster().request_of(id("a")).qos_features.empty());
}

}  // namespace
}  // namespace maui::test
