#include "engine/reports/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/reports/in_use.h"
#include "support/scripted_rm.h"

namespace maui::test {
namespace {

using testing::HasSubstr;

class ReportTest : public testing::Test {
 protected:
  NodeId add(const NodeReport& report) { return names.add_node(node_of(report, settings, names)); }
  Submission read(const JobReport& report) {
    return job_of(report, settings, names, kNow, classes_in_use(names));
  }
  Requirement first(const JobReport& report) { return read(report).request.requirements.front(); }
  int initiators(NodeId node, const std::string& name) {
    return names.node(node).configured.get(names.initiator(names.classes.intern(name)));
  }

  Settings settings;
  Cluster names;
};

TEST_F(ReportTest, ATaskTakesOneInitiatorOfItsJobsClass) {
  NodeReport node = node_report("n1", procs(4));
  node.classes = {{"batch", 4}, {"long", 2}};
  const NodeId n1 = add(node);
  EXPECT_EQ(initiators(n1, "long"), 2);
  JobReport job = job_report("a", 3);
  job.job_class = "long";
  EXPECT_EQ(names.node(n1).configured.tasks_of(first(job).per_task), 2);
  EXPECT_EQ(first(job).job_class, names.classes.find("long"));
}

TEST_F(ReportTest, InitiatorsLimitWhatRunsInAClass) {  // the example of guide 3.2.1.8
  settings.node_access = NodeAccess::shared;
  NodeReport node = node_report("n1", procs(8));
  node.classes = {{"special", 4}, {"batch", 8}};
  const NodeId n1 = add(node);
  const auto start = [&](const std::string& name, const std::string& job_class) {
    JobReport report = job_report(name, 1);
    report.job_class = job_class;
    Submission made = read(report);
    const bool fits =
        names.occupancy(n1).free.tasks_of(made.request.requirements.front().per_task) > 0;
    const JobId id = names.add_job(std::move(made.job), std::move(made.request));
    if (fits) names.start_job(id, {{n1, 1, 0}}, kNow);
    return fits;
  };
  for (const char* name : {"s1", "s2", "s3", "s4"}) EXPECT_TRUE(start(name, "special"));
  EXPECT_FALSE(start("s5", "special")) << "no more than 4 special jobs simultaneously";
  for (const char* name : {"b1", "b2", "b3", "b4"}) EXPECT_TRUE(start(name, "batch"));
  EXPECT_FALSE(start("b5", "batch")) << "only 8 jobs of any type simultaneously";
}

TEST_F(ReportTest, GenericResourcesAreTakenByTasksAndOfferedByNodes) {
  settings.nodes["n2"].generic = {"tape:2"};
  NodeReport reported = node_report("n1", procs(8));
  reported.generic = {{"tape", 1}};
  const NodeId n1 = add(reported), n2 = add(node_report("n2", procs(8)));
  JobReport job = job_report("a", 1);
  job.generic = {{{"tape", 1}}};
  EXPECT_EQ(names.node(n1).configured.tasks_of(first(job).per_task), 1);
  EXPECT_EQ(names.node(n2).configured.tasks_of(first(job).per_task), 2);
}

TEST_F(ReportTest, AClassThatNoNodeOffersFitsNowhereOnceNodesOfferClasses) {
  NodeReport node = node_report("n1", procs(4));
  node.classes = {{"batch", 4}};
  const NodeId n1 = add(node);
  JobReport job = job_report("a", 1);
  job.job_class = "misspelt";
  EXPECT_EQ(names.node(n1).configured.tasks_of(first(job).per_task), 0);
}

TEST_F(ReportTest, ClassesSayNothingAboutNodesWhereNoNodeHasAny) {
  add(node_report("n1", procs(4)));
  JobReport job = job_report("a", 1);
  job.job_class = "7";
  EXPECT_FALSE(first(job).job_class.valid());
  EXPECT_EQ(first(job).per_task, procs(1));
  EXPECT_EQ(read(job).job.credentials.job_class, names.classes.find("7"));
}

TEST_F(ReportTest, DefaultClassesHaveOneInitiatorAProcessor) {
  settings.default_classes = {"serial", "parallel"};
  const NodeId n1 = add(node_report("n1", procs(4)));
  EXPECT_EQ(initiators(n1, "serial"), 4);
  EXPECT_EQ(initiators(n1, "parallel"), 4);
  NodeReport own = node_report("n2", procs(4));
  own.classes = {{"batch", 1}};
  const NodeId n2 = add(own);
  EXPECT_EQ(initiators(n2, "serial"), 0);
}

TEST_F(ReportTest, NodeSettingsStandAboveWhatIsReported) {
  settings.nodes["DEFAULT"].speed = 1.5;
  settings.nodes["n1"].access = NodeAccess::single_user;
  settings.nodes["n1"].features = {"gpu"};
  settings.nodes["n1"].partition = "left";
  settings.nodes["n1"].frame = 3;
  NodeReport report = node_report("n1", procs(4));
  report.features = {"fast"};
  report.partition = "right";
  const Node& node = names.node(add(report));
  EXPECT_EQ(node.speed, 1.5);
  EXPECT_EQ(node.policy.access, NodeAccess::single_user);
  EXPECT_EQ(node.features.size(), 2U);
  EXPECT_EQ(names.partitions[node.partition], "left");
  EXPECT_EQ(node.frame, 3);
}

TEST_F(ReportTest, AJobWithoutALimitGetsTheSystemsDefault) {
  settings.default_wall_time = hours(5);
  EXPECT_EQ(read(job_report("a", 1, Seconds(0))).request.limit, hours(5));
  EXPECT_EQ(read(job_report("b", 1, hours(1))).request.limit, hours(1));
}

TEST_F(ReportTest, AJobWithoutAQosGetsTheFirstDefaultOfItsCredentials) {
  const auto qos = [&](const JobReport& report) {
    return names.qos[read(report).job.credentials.qos];
  };
  JobReport job = job_report("a", 1);
  EXPECT_EQ(qos(job), "DEFAULT");
  settings.groups["staff"].default_qos = "normal";
  EXPECT_EQ(qos(job), "normal");
  settings.users["DEFAULT"].default_qos = "low";
  EXPECT_EQ(qos(job), "low");
  job.qos = "high";
  EXPECT_EQ(qos(job), "low") << "it may not use the one that it asks for";
  settings.users["DEFAULT"].qos_list = {"high"};
  EXPECT_EQ(qos(job), "high");
  EXPECT_EQ(read(job).job.qos_requested, "high");
}

TEST_F(ReportTest, NoneIsNoName) {
  JobReport job = job_report("a", 1);
  job.account = "[NONE]";
  job.partition = "[ALL]";
  EXPECT_FALSE(read(job).job.credentials.account.valid());
  EXPECT_TRUE(read(job).request.partitions.empty());
}

TEST_F(ReportTest, ExactNodeSpreadsTheTasksEvenlyOverTheNodesAskedFor) {
  JobReport job = job_report("a", 6);
  job.request.requirements.front().nodes = 3;
  EXPECT_FALSE(first(job).exact_nodes);
  settings.exact_node = true;
  EXPECT_TRUE(first(job).exact_nodes);
  EXPECT_EQ(first(job).tasks_per_node, 0);
}

TEST_F(ReportTest, ExactNodeSaysNothingWhereTheJobDoes) {
  settings.exact_node = true;
  JobReport job = job_report("a", 6);
  EXPECT_FALSE(first(job).exact_nodes) << "no node count is asked for";
  job.request.requirements.front().nodes = 3;
  job.request.requirements.front().tasks_per_node = 4;
  EXPECT_FALSE(first(job).exact_nodes) << "so many tasks a node are";
}

TEST_F(ReportTest, ATaskTakesAsManyInitiatorsAsItAsksFor) {
  add(node_report("n1", procs(4)));
  JobReport job = job_report("a", 1);
  job.job_class = "batch";
  const auto initiators = [&](bool in_use) {
    const Submission made = job_of(job, settings, names, kNow, in_use);
    const ConsumableId initiator = names.initiator(names.classes.intern("batch"));
    return made.request.requirements.front().per_task.get(initiator);
  };
  EXPECT_EQ(initiators(true), 1);
  job.generic = {{{"class:batch", 2}}};
  EXPECT_EQ(initiators(true), 2);
  EXPECT_EQ(initiators(false), 0) << "no node has any";
}

TEST_F(ReportTest, ExactProcWantsNodesWithTheProcessorsUsedOfEach) {
  settings.exact_proc = true;
  JobReport job = job_report("a", 8);
  job.request.requirements.front().per_task = procs(2);
  job.request.requirements.front().tasks_per_node = 2;
  EXPECT_EQ(first(job).procs, (Bound{Comparison::equal, 4}));
}

TEST_F(ReportTest, TheNodeAccessPolicyIsTheRequestsUnlessTheJobIsDedicated) {
  settings.node_access = NodeAccess::single_user;
  JobReport job = job_report("a", 1);
  EXPECT_EQ(read(job).request.access.usual, NodeAccess::single_user);
  put(job.job.flags, JobFlag::dedicated);
  EXPECT_EQ(read(job).request.access.usual, NodeAccess::dedicated);
}

TEST_F(ReportTest, AnAccessThatTheJobAsksForIsNotThePolicys) {
  JobReport job = job_report("a", 1);
  job.job.access_asked = NodeAccess::shared;
  settings.node_access = NodeAccess::dedicated;
  EXPECT_EQ(read(job).request.access.usual, NodeAccess::shared);
}

TEST_F(ReportTest, AnUnknownHostHoldsTheJobAndSaysWhich) {
  const NodeId n1 = add(node_report("n1", procs(1)));
  JobReport job = job_report("a", 1);
  job.host_list = {"n1", "n9"};
  job.host_list_use = HostListUse::some_of;
  const Submission made = read(job);
  EXPECT_EQ(made.request.host_list, std::vector{n1});
  EXPECT_TRUE(has(made.job.holds, Hold::batch));
  EXPECT_THAT(made.job.hold_reason->text, HasSubstr("'n9'"));
}

TEST_F(ReportTest, OnlyHostsThatHaveNoRoomForAJobAreTheLeastOfItsNodes) {
  add(node_report("n1", procs(8)));
  add(node_report("n2", procs(8)));
  JobReport job = job_report("a", 9);
  job.host_list = {"n1"};
  job.host_list_use = HostListUse::all_of;
  job.only_hosts = true;
  EXPECT_EQ(first(job).nodes, 0);
  job.request.requirements.front().tasks = 8;
  EXPECT_EQ(first(job).nodes, 1);
  job.host_list = {"n1", "n9"};
  EXPECT_EQ(first(job).nodes, 2) << "nobody knows what room there is";
}

TEST_F(ReportTest, FeaturesGiveAttributesBehindTheirHeaders) {
  settings.node.type_header = "xnt";
  settings.node.partition_header = "xpt";
  settings.node.speed_header = "xps";
  NodeReport report = node_report("n1", procs(4));
  report.features = {"xntFast", "xptGold", "xps950", "big"};
  const Node& node = names.node(add(report));
  EXPECT_EQ(node.type, "Fast");
  EXPECT_EQ(names.partitions[node.partition], "Gold");
  EXPECT_EQ(node.proc_speed, 950);
  EXPECT_EQ(node.features.size(), 4U);
}

TEST_F(ReportTest, ADollarAfterAHeaderWantsDigits) {
  settings.node.speed_header = "sp$";
  NodeReport report = node_report("n1", procs(4));
  report.features = {"sport", "sp450"};
  EXPECT_EQ(names.node(add(report)).proc_speed, 450);
}

TEST_F(ReportTest, NodecfgGoesBeforeFeaturesAndFeaturesGiveWayToWhatIsReported) {
  settings.node.partition_header = "xpt";
  settings.node.speed_header = "xps";
  settings.nodes["n1"].proc_speed = 600;
  NodeReport report = node_report("n1", procs(4));
  report.features = {"xptGold", "xps950"};
  report.partition = "silver";
  const Node& node = names.node(add(report));
  EXPECT_EQ(node.proc_speed, 600);
  EXPECT_EQ(names.partitions[node.partition], "silver");
}

TEST_F(ReportTest, FeaturesOfNodecfgAreReadAsThoseThatAreReported) {
  settings.node.partition_header = "xpt";
  settings.node.speed_header = "xps";
  settings.nodes["DEFAULT"].features = {"xptCopper", "xps100"};
  settings.nodes["n1"].features = {"xptGold", "xps950"};
  settings.nodes["n2"].partition = "Tin";
  NodeReport report = node_report("n1", procs(4));
  report.features = {"xptLead", "xps500"};
  const Node own = names.node(add(report));
  EXPECT_EQ(names.partitions[own.partition], "Gold");
  EXPECT_EQ(own.proc_speed, 950);
  const Node usual = names.node(add(node_report("n2", procs(4))));
  EXPECT_EQ(names.partitions[usual.partition], "Tin") << "it is given directly";
  EXPECT_EQ(usual.proc_speed, 100);
}

TEST_F(ReportTest, AJobsNodeSetGoesBeforeTheSites) {
  settings.node.set_policy = NodeSetPolicy::one_of;
  settings.node.set_attribute = NodeSetAttribute::feature;
  settings.node.set.list = {"switchA", "switchB"};
  settings.node.set.delay = Seconds(600);
  JobReport job = job_report("a", 1);
  EXPECT_EQ(read(job).request.node_set->list.size(), 2U);
  job.job.node_set = "ANYOF:PROCSPEED:450,500";
  const auto own = *read(job).request.node_set;
  EXPECT_EQ(own.policy, NodeSetPolicy::any_of);
  EXPECT_EQ(own.list.size(), 2U);
  EXPECT_EQ(own.list.front(), "450");
  EXPECT_EQ(own.delay, Seconds(600));
  job.job.node_set = "ONEOF:COLOUR";
  EXPECT_NE(read(job).job.holds, 0);
  EXPECT_THAT(read(job).job.hold_reason->text,
              HasSubstr("no node set: invalid node set attribute 'COLOUR'"));
}

}  // namespace
}  // namespace maui::test
