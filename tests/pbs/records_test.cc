// Reports of servers about jobs, nodes and queues, as the scheduler takes them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "pbs/amounts.h"
#include "pbs/arrays.h"
#include "pbs/dumps.h"
#include "pbs/job_record.h"
#include "pbs/node_record.h"
#include "pbs/portions.h"

namespace maui::pbs {
namespace {

using test::named;
using test::object;
using test::read_dump;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

const Time kNow{1795166000};

class RecordsTest : public testing::Test {
 protected:
  /// As the scheduler gets it: written as a record, and read again.
  WikiJob reported(const Object& job) {
    const auto written = reported_job(job, wish_of(job), all_);
    EXPECT_TRUE(written) << job.name;
    WikiNotes notes;
    auto read = read_wiki_job(write_wiki_job(*written), notes);
    EXPECT_THAT(notes.unknown, IsEmpty()) << job.name;
    EXPECT_THAT(notes.problems, Each(HasSubstr("DMEM counts as 2147483647"))) << job.name;
    return read;
  }
  WikiJob queued(std::vector<std::pair<std::string_view, std::string_view>> attributes) {
    auto job = object("1.srv", {{"job_state", "Q"}, {"queue", "batch"}, {"euser", "amy"}});
    for (const auto& [name, value] : attributes)
      job.attributes.push_back(test::attribute(name, value));
    return reported(job);
  }
  static const Requirement& need(const WikiJob& job, std::size_t which = 0) {
    return job.report.request.requirements.at(which);
  }

  Surroundings all_{read_queues(read_dump("torque-status-Queue.txt")), {"n01", "n02", "n03"}, kNow};
  std::vector<Object> torque_ = read_dump("torque-jobs-rich.txt");
  std::vector<Object> openpbs_ = read_dump("openpbs-jobs-rich.txt");
};

TEST_F(RecordsTest, ARunningTorqueJobReportsItsWholeRequest) {
  const auto job = reported(named(torque_, "2.pbshead"));
  EXPECT_EQ(job.state, WikiState::running);
  EXPECT_EQ(job.report.user, "alice");
  EXPECT_EQ(job.report.group, "phys");
  EXPECT_EQ(job.report.account, "proj_a");
  EXPECT_EQ(job.report.job_class, "batch");
  EXPECT_EQ(job.report.qos, "hi");
  EXPECT_EQ(job.report.job.title, "rich_job");
  EXPECT_EQ(job.report.job.node_set, "ONEOF:FEATURE:odd");
  EXPECT_TRUE(has(job.report.job.flags, JobFlag::preemptee));
  EXPECT_FALSE(has(job.report.job.flags, JobFlag::restartable));
  EXPECT_EQ(job.report.request.limit, Seconds(600));
  EXPECT_EQ(job.report.job.submitted, Time(1795165920));
  EXPECT_EQ(job.report.job.started, Time(1795165921));
  EXPECT_EQ(need(job).tasks, 4);
  EXPECT_EQ(need(job).tasks_per_node, 2);
  EXPECT_EQ(need(job).per_task, Resources(1, 50, 100, 0));
  EXPECT_THAT(job.report.features, ElementsAre(ElementsAre("bigmem")));
  EXPECT_THAT(job.task_list, ElementsAre("n01", "n01", "n02", "n02"));
  ASSERT_TRUE(job.use);
  EXPECT_EQ(job.use->memory, 11);
  EXPECT_EQ(job.used_until, Time(1795165921 + 13));
}

TEST_F(RecordsTest, ARunningOpenPbsJobReportsItsChunks) {
  const auto job = reported(named(openpbs_, "7.pbshead"));
  EXPECT_EQ(job.state, WikiState::running);
  EXPECT_EQ(need(job).tasks, 2);
  EXPECT_EQ(need(job).tasks_per_node, 1);
  EXPECT_EQ(need(job).per_task, Resources(2, 100));
  EXPECT_THAT(job.task_list, ElementsAre("n01", "n02"));
  EXPECT_EQ(job.report.job.started, Time(1795165936));
}

TEST_F(RecordsTest, HoldsAreKeptApartFromWaits) {
  const auto user = reported(named(torque_, "3.pbshead"));
  EXPECT_EQ(user.state, WikiState::hold);
  EXPECT_THAT(user.message, HasSubstr("its user"));
  const auto depends = reported(named(torque_, "5.pbshead"));
  EXPECT_EQ(depends.state, WikiState::idle);
  EXPECT_THAT(depends.report.waits_for, HasSubstr("afterok:1.pbshead"));
  const auto array = reported(named(torque_, "7[3].pbshead"));
  EXPECT_EQ(array.state, WikiState::idle);
  EXPECT_THAT(array.report.waits_for, HasSubstr("array"));
  const auto all = reported(object("1.srv", {{"job_state", "H"}, {"Hold_Types", "sou"}}));
  EXPECT_EQ(all.state, WikiState::both_holds);
  EXPECT_THAT(all.message, HasSubstr("its user and an operator and the system"));
  for (const auto* holds : {"s", "o", "so"})
    EXPECT_EQ(reported(object("1.srv", {{"job_state", "H"}, {"Hold_Types", holds}})).state,
              WikiState::system_hold)
        << holds;
}

// The sizes of -L are in attributes of their own.
TEST_F(RecordsTest, AJobThatRequestsTasksWithDashLIsHeldWithTheReason) {
  EXPECT_THAT(queued({{"req_information.task_count.0", "2"}, {"req_information.lprocs.0", "4"}})
                  .report.problem,
              HasSubstr("qsub -L"));
  for (const auto* size : {"Resource_List.nodes", "Resource_List.procs", "Resource_List.ncpus"})
    EXPECT_EQ(queued({{"req_information.task_count.0", "1"}, {size, "1"}}).report.problem, "")
        << size;
}

TEST_F(RecordsTest, AHeldJobReportsItsStartDate) {
  const auto date = Time(kNow.raw() + 600);
  for (const auto* holds : {"u", "s", "us"}) {
    const auto job = reported(object("1.srv", {{"job_state", "H"},
                                               {"Hold_Types", holds},
                                               {"Execution_Time", std::to_string(date.raw())}}));
    EXPECT_EQ(job.report.job.earliest_start, date) << holds;
  }
}

TEST_F(RecordsTest, AJobWithAStartDateWaitsForIt) {
  const auto job = reported(named(torque_, "4.pbshead"));
  EXPECT_EQ(job.state, WikiState::idle);
  EXPECT_EQ(job.report.job.earliest_start, Time(1795169520));
}

TEST_F(RecordsTest, TasksOfArraysAreJobsAndTheArrayIsNone) {
  EXPECT_EQ(reported(named(torque_, "7[1].pbshead")).state, WikiState::idle);
  EXPECT_FALSE(reported_job(named(openpbs_, "12[].pbshead"),
                            wish_of(named(openpbs_, "12[].pbshead")), all_));
}

TEST_F(RecordsTest, ProcsAreTasksAnywhereAndNcpusAreOfOneTask) {
  const auto procs = reported(named(torque_, "8.pbshead"));
  EXPECT_EQ(need(procs).tasks, 5);
  EXPECT_EQ(need(procs).tasks_per_node, 0);
  const auto ncpus = reported(named(torque_, "9.pbshead"));
  EXPECT_EQ(need(ncpus).tasks, 1);
  EXPECT_EQ(need(ncpus).per_task.procs(), 3);
}

TEST_F(RecordsTest, WordsThatTorqueOnlyKeepsAreFollowed) {
  EXPECT_TRUE(has(reported(named(torque_, "12.pbshead")).report.job.flags, JobFlag::dedicated));
  const auto job = queued({{"Resource_List.nodes", "1:ppn=2"},
                           {"Resource_List.qos", "high"},
                           {"Resource_List.advres", "amy.1"},
                           {"Resource_List.feature", "fast:big"},
                           {"Resource_List.gres", "matlab:2"},
                           {"Resource_List.partition", "math"}});
  EXPECT_EQ(job.report.qos, "high");
  EXPECT_EQ(job.report.partition, "math");
  EXPECT_EQ(job.report.job.required_reservation, "amy.1");
  EXPECT_THAT(job.report.features, ElementsAre(ElementsAre("fast", "big")));
  EXPECT_THAT(job.report.generic.front(), ElementsAre(Pair("matlab", 2)));
}

TEST_F(RecordsTest, DifferentNodesAreRequirementsOfTheirOwn) {
  const auto job = queued({{"Resource_List.nodes", "2:ppn=4:odd+1:bigmem"}});
  ASSERT_EQ(job.report.request.requirements.size(), 2u);
  EXPECT_EQ(need(job, 0).tasks, 8);
  EXPECT_EQ(need(job, 0).tasks_per_node, 4);
  EXPECT_EQ(need(job, 1).tasks, 1);
  EXPECT_THAT(job.report.features, ElementsAre(ElementsAre("odd"), ElementsAre("bigmem")));
  const auto select = reported(named(openpbs_, "13.pbshead"));
  ASSERT_EQ(select.report.request.requirements.size(), 2u);
  EXPECT_EQ(need(select, 0).per_task, Resources(2, 1024));
  EXPECT_EQ(need(select, 1).per_task, Resources(1));
  EXPECT_TRUE(has(select.report.job.flags, JobFlag::dedicated));
}

TEST_F(RecordsTest, ChunksOfSeveralKindsShareNodesUnlessTheyAreScattered) {
  const auto asks = [this](const char* place) {
    return queued({{"schedselect", "1:ncpus=2+1:ncpus=1:mem=1gb"}, {"Resource_List.place", place}})
        .report.request;
  };
  EXPECT_FALSE(asks("free").apart);
  EXPECT_TRUE(asks("scatter").apart);
  EXPECT_TRUE(queued({{"Resource_List.nodes", "1:ppn=2+1:odd"}}).report.request.apart);
}

TEST_F(RecordsTest, PackedChunksOfSeveralKindsAreOneTask) {
  const auto asks = [this](const char* select) {
    return queued({{"schedselect", select}, {"Resource_List.place", "pack"}});
  };
  const auto job = asks("1:ncpus=4:mem=1gb:odd=True+2:ncpus=2:mem=2gb:gpus=1");
  ASSERT_EQ(job.report.request.requirements.size(), 1u);
  EXPECT_EQ(need(job).tasks, 1);
  EXPECT_EQ(need(job).per_task, Resources(8, 5120));
  EXPECT_THAT(job.report.features, ElementsAre(ElementsAre("odd")));
  EXPECT_THAT(job.report.generic, ElementsAre(ElementsAre(Pair("gpus", 2))));
  EXPECT_THAT(asks("1:ncpus=1:host=n01+1:ncpus=1:host=n02").report.problem,
              HasSubstr("place=pack requests one node"));
  EXPECT_THAT(asks("1000000:ncpus=1+1000000:ncpus=2").report.problem,
              HasSubstr("more than 1000000 tasks"));
}

// A node that reports sizes and a chunk that asks for them agree on megabytes.
TEST_F(RecordsTest, SizesInChunksAreAmountsThatNodesReport) {
  const auto job =
      queued({{"schedselect", "2:ncpus=1:vmem=8gb:scratch=100gb"}, {"Resource_List.file", "1gb"}});
  EXPECT_EQ(need(job).per_task, Resources(1, 0, 8192));
  EXPECT_THAT(job.report.features, IsEmpty());
  EXPECT_THAT(job.report.generic, ElementsAre(ElementsAre(Pair("scratch", 102400))));
  Object node = object("n", {{"state", "free"}});
  node.attributes.push_back({"resources_available", "vmem", "16gb"});
  node.attributes.push_back({"resources_available", "scratch", "419430400kb"});
  const auto report = node_reports(std::vector<Object>{node}, all_.queues).at(0);
  EXPECT_THAT(report.generic, ElementsAre(Pair("scratch", 409600)));
  EXPECT_EQ(report.node.configured.get(kSwap), 16384);
}

TEST_F(RecordsTest, MoreTasksThanAJobCanHaveAreAProblemOfTheJob) {
  for (const char* nodes : {"1000000:ppn=1000000", "1+1000:ppn=1000", "65536:ppn=65536"}) {
    const auto job = queued({{"Resource_List.nodes", nodes}});
    EXPECT_EQ(job.report.problem, "it requests more than 1000000 tasks") << nodes;
  }
  EXPECT_EQ(queued({{"Resource_List.nodes", "1000:ppn=1000"}}).report.problem, "");
}

TEST_F(RecordsTest, NamesOfNodesAreRequiredAndOtherNamesAreProperties) {
  const auto hosts = queued({{"Resource_List.nodes", "n01:ppn=2+n03:ppn=2"}});
  EXPECT_THAT(hosts.report.host_list, ElementsAre("n01", "n03"));
  EXPECT_EQ(need(hosts).tasks, 4);
  EXPECT_EQ(need(hosts).nodes, 2);
  EXPECT_EQ(need(queued({{"Resource_List.nodes", "n01+n01"}})).nodes, 1) << "and no other node";
  const auto property = queued({{"Resource_List.nodes", "fast:ppn=2"}});
  EXPECT_THAT(property.report.host_list, IsEmpty());
  EXPECT_THAT(property.report.features, ElementsAre(ElementsAre("fast")));
}

TEST_F(RecordsTest, HostsWithUnequalTasksHaveSeparateRequirements) {
  const auto hosts = queued({{"Resource_List.nodes", "n01:ppn=2+n03:ppn=1+2:ppn=1"}});
  EXPECT_THAT(hosts.report.host_list, IsEmpty());
  EXPECT_THAT(hosts.report.requirement_hosts, ElementsAre("n01", "n03", ""));
  ASSERT_EQ(hosts.report.request.requirements.size(), 3u);
  EXPECT_EQ(need(hosts, 0).tasks, 2);
  EXPECT_EQ(need(hosts, 1).tasks, 1);
}

TEST_F(RecordsTest, TheModeOfGpusIsNoFeature) {
  for (const char* mode : {"shared", "exclusive", "exclusive_process", "default", "reseterr"}) {
    const auto job = queued({{"Resource_List.nodes", fmt::format("1:ppn=8:gpus=1:{}", mode)}});
    EXPECT_THAT(job.report.features, Each(IsEmpty())) << mode;
  }
  const auto job = queued({{"Resource_List.nodes", "1:ppn=8:shared"}});
  EXPECT_THAT(job.report.features.front(), ElementsAre("shared"));
}

TEST_F(RecordsTest, AJobThatIsBeingRequeuedDoesNotRun) {
  for (const char* letter : {"R", "E"}) {
    const auto job = reported(object("1.srv", {{"job_state", letter}, {"substate", "60"}}));
    EXPECT_EQ(job.state, WikiState::idle);
    EXPECT_EQ(job.report.waits_for, "it is being requeued");
  }
}

TEST_F(RecordsTest, AGpuIsAskedForByAChunk) {
  const auto job = queued({{"Resource_List.nodes", "2:ppn=4:gpus=1"}});
  EXPECT_EQ(need(job).tasks, 2);
  EXPECT_EQ(need(job).per_task.procs(), 4);
  EXPECT_THAT(job.report.generic.front(), ElementsAre(Pair("gpus", 1)));
}

TEST_F(RecordsTest, MemoryOfAProcessCountsForEachProcessorOfATask) {
  const auto memory = [&](const char* nodes, const char* pmem) {
    return need(queued({{"Resource_List.nodes", nodes}, {"Resource_List.pmem", pmem}}))
        .per_task.get(kMemory);
  };
  EXPECT_EQ(memory("1:ppn=8:gpus=1", "4gb"), 32768);
  EXPECT_EQ(memory("1:ppn=8", "4gb"), 4096) << "a task of one processor";
  EXPECT_EQ(memory("1:ppn=8:gpus=1", "1000000gb"), std::numeric_limits<std::int32_t>::max());
  const auto job = queued({{"Resource_List.nodes", "2:ppn=4:gpus=1"},
                           {"Resource_List.pvmem", "2gb"},
                           {"Resource_List.vmem", "20gb"}});
  EXPECT_EQ(need(job).per_task, Resources(4, 0, 10240)) << "the greater value";
}

TEST_F(RecordsTest, EqualChunksAreOneRequirement) {
  const auto nodes = queued({{"Resource_List.nodes", "1:ppn=2+1:ppn=2+1:ppn=2+1:odd"}});
  ASSERT_EQ(nodes.report.request.requirements.size(), 2u);
  EXPECT_EQ(need(nodes).tasks, 6);
  EXPECT_EQ(need(nodes).tasks_per_node, 2);
  EXPECT_EQ(need(nodes).least_nodes, 3) << "each has a node of its own";
  EXPECT_EQ(need(nodes).nodes, 3);
  const auto gpus = queued({{"Resource_List.nodes", "1:ppn=2:gpus=1+1:ppn=2:gpus=1"}});
  ASSERT_EQ(gpus.report.request.requirements.size(), 1u);
  EXPECT_EQ(need(gpus).tasks, 2);
  EXPECT_EQ(need(gpus).least_nodes, 2);
  const auto asks = [&](const char* place) {
    return queued({{"schedselect", "1:ncpus=2+1:ncpus=2"}, {"Resource_List.place", place}});
  };
  const auto scattered = asks("scatter"), free = asks("free");
  ASSERT_EQ(scattered.report.request.requirements.size(), 1u);
  EXPECT_EQ(need(scattered).tasks, 2);
  EXPECT_EQ(need(scattered).least_nodes, 2);
  ASSERT_EQ(free.report.request.requirements.size(), 1u);
  EXPECT_EQ(need(free).tasks, 2);
  EXPECT_EQ(need(free).least_nodes, 0);
  const auto host = queued({{"Resource_List.nodes", "n01+n01+n02:ppn=2"}});
  EXPECT_THAT(host.report.requirement_hosts, ElementsAre("n01", "n01", "n02"));
}

TEST_F(RecordsTest, TooManyDifferentChunksAreAProblemOfTheJob) {
  const auto problem = [&](int count, const char* first, const char* second) {
    std::string nodes(first);
    for (int i = 1; i < count; ++i) nodes += fmt::format("+{}", i % 2 == 0 ? first : second);
    return queued({{"Resource_List.nodes", nodes}}).report.problem;
  };
  EXPECT_EQ(problem(500, "1:ppn=1", "1:ppn=2"), "");
  EXPECT_EQ(problem(501, "1:ppn=1", "1:ppn=2"), "it requests more than 500 different chunks");
  EXPECT_EQ(problem(2000, "1:ppn=2", "1:ppn=2"), "") << "they are equal";
  EXPECT_EQ(problem(2000, "n01:ppn=2", "n02:ppn=2"), "") << "they are a host list";
}

TEST_F(RecordsTest, AnInvalidRequestKeepsTheJobFromStarting) {
  EXPECT_THAT(queued({{"Resource_List.nodes", "2:ppn=many"}}).report.problem,
              HasSubstr("ppn=many"));
  EXPECT_THAT(queued({{"Resource_List.nodes", "0"}}).report.problem, HasSubstr("1 or more"));
}

// Pitfall 19: what a former run left is not this one's.
TEST_F(RecordsTest, AnExitStatusCountsOnlyOfAJobThatHasEnded) {
  const auto again = queued({{"exit_status", "271"}, {"session_id", "77"}});
  EXPECT_EQ(again.state, WikiState::idle);
  EXPECT_EQ(again.exit_code, 0);
  const auto ended = [&](std::string_view status) {
    return reported(object("1.srv", {{"job_state", "C"},
                                     {"queue", "batch"},
                                     {"exec_host", "n01/0"},
                                     {"start_time", "1795165000"},
                                     {"comp_time", "1795165500"},
                                     {"exit_status", status}}));
  };
  EXPECT_EQ(ended("3").state, WikiState::completed);
  EXPECT_EQ(ended("3").exit_code, 3);
  EXPECT_EQ(ended("3").report.job.ended, Time(1795165500));
  EXPECT_EQ(ended("271").state, WikiState::removed);
  EXPECT_EQ(ended("271").exit_code, 128 + 15);
  EXPECT_EQ(ended("-1").state, WikiState::removed);
}

// Pitfalls 3 and 13.
TEST_F(RecordsTest, AJobThatItsMomHasNotStartedIsStartingAndAHeldJobRuns) {
  const auto running = [&](std::string_view substate) {
    return reported(object("1.srv", {{"job_state", "R"},
                                     {"substate", substate},
                                     {"Hold_Types", "s"},
                                     {"exec_host", "n01/0"}}))
        .state;
  };
  EXPECT_EQ(running("41"), WikiState::starting);
  EXPECT_EQ(running("42"), WikiState::running);
  const auto asked = object("1.srv", {{"job_state", "Q"}, {"substate", "19"}});
  EXPECT_EQ(reported(asked).state, WikiState::starting) << "TORQUE has not begun with it";
}

// Pitfall 15.
TEST_F(RecordsTest, AJobOfAStoppedQueueWaitsForIt) {
  all_.queues["batch"].started = false;
  EXPECT_THAT(queued({}).report.waits_for, HasSubstr("stopped"));
}

TEST_F(RecordsTest, JobsInRoutingQueuesAreLeftAlone) {
  all_.queues["batch"].executes = false;
  EXPECT_FALSE(
      reported_job(named(torque_, "1.pbshead"), wish_of(named(torque_, "1.pbshead")), all_));
}

TEST_F(RecordsTest, TorqueNodesShowWhatTheirMomsReport) {
  const auto nodes = node_reports(read_dump("torque-nodes-busy.txt"), all_.queues);
  ASSERT_EQ(nodes.size(), 4u);
  const NodeReport& first = nodes.front();
  EXPECT_EQ(first.node.reported, NodeState::running);
  EXPECT_EQ(first.node.configured.procs(), 4);  // np rules over ncpus
  EXPECT_EQ(first.node.configured.get(kMemory), 24106);
  EXPECT_EQ(first.node.load, 2.71);
  EXPECT_THAT(first.features, ElementsAre("odd", "bigmem"));
  EXPECT_THAT(first.classes, ElementsAre(Pair("batch", 4)));
  EXPECT_EQ(nodes[2].node.reported, NodeState::idle);
}

TEST_F(RecordsTest, OpenPbsVnodesReportTheirResources) {
  const auto nodes = node_reports(read_dump("openpbs-nodes-busy.txt"),
                                  read_queues(read_dump("openpbs-status-Queue.txt")));
  ASSERT_GE(nodes.size(), 4u);
  EXPECT_EQ(nodes[0].node.reported, NodeState::running);
  EXPECT_EQ(nodes[0].node.configured.procs(), 4);
  EXPECT_EQ(nodes[0].node.configured.get(kMemory), 24106);
  EXPECT_THAT(nodes[0].features, ElementsAre("bigmem", "odd"));
  EXPECT_THAT(nodes[0].classes, ElementsAre(Pair("workq", 4)));
}

// Where each socket is a vnode, that of the host has nothing left.
TEST_F(RecordsTest, AVnodeWithoutProcessorsHasNone) {
  Object node = object("head", {{"state", "free"}});
  node.attributes.push_back({"resources_available", "ncpus", "0"});
  const auto nodes = node_reports(std::vector<Object>{node}, all_.queues);
  WikiNotes notes;
  const auto read = read_wiki_node(write_wiki_node(nodes.at(0)), notes);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->node.configured.procs(), 0);
}

TEST_F(RecordsTest, HostNamesAllVnodesOfThatHost) {
  const auto vnode = [](const char* name, const char* host) {
    Object made = object(name, {{"state", "free"}});
    made.attributes.push_back({"resources_available", "host", host});
    made.attributes.push_back({"resources_available", "ncpus", "4"});
    return made;
  };
  const auto nodes = node_reports(
      std::vector<Object>{vnode("n1", "n1"), vnode("n1[0]", "n1"), vnode("n2", "n2")}, all_.queues);
  EXPECT_THAT(nodes.at(0).features, ElementsAre("host=n1"));
  EXPECT_THAT(nodes.at(1).features, ElementsAre("host=n1"));
  EXPECT_THAT(nodes.at(2).features, IsEmpty());
  all_.nodes = {"n1", "n1[0]", "n2"};
  all_.features = {"host=n1"};
  const auto asks = [&](const char* select, const char* place = "free") {
    Object job = object("1.srv", {{"job_state", "Q"}, {"queue", "batch"}, {"euser", "amy"}});
    job.attributes.push_back({"Resource_List", "select", select});
    job.attributes.push_back({"Resource_List", "place", place});
    return reported(job).report;
  };
  EXPECT_THAT(asks("1:ncpus=1:host=n1").features, ElementsAre(ElementsAre("host=n1")));
  EXPECT_THAT(asks("1:ncpus=1:host=n1").host_list, IsEmpty());
  EXPECT_THAT(asks("1:ncpus=1:host=n2").host_list, ElementsAre("n2"));
  EXPECT_THAT(asks("1:ncpus=1:vnode=n1").host_list, ElementsAre("n1"));
  EXPECT_EQ(asks("2:ncpus=1", "group=host").job.node_set, "ONEOF:FEATURE:host=n1");
}

// Pitfall 17: OpenPBS reports what is in use in the form of what there is.
TEST_F(RecordsTest, AssignedResourcesAreNotConfiguredResources) {
  Object node = object("n", {{"state", "free"}});
  Object queue = object("q", {{"queue_type", "Execution"}, {"started", "True"}});
  for (Object* target : {&node, &queue})
    for (const char* name : {"ncpus", "mem", "gpus", "neednodes", "switch"})
      target->attributes.push_back({"resources_assigned", name, "3"});
  node.attributes.push_back({"resources_available", "ncpus", "4"});
  queue.attributes.push_back({"resources_default", "neednodes", "fast"});
  const auto queues = read_queues(std::vector<Object>{queue});
  EXPECT_TRUE(queues.at("q").executes && queues.at("q").started);
  EXPECT_EQ(queues.at("q").most_running, 0);
  EXPECT_THAT(queues.at("q").features, ElementsAre("fast"));
  const auto reports = node_reports(std::vector<Object>{node}, queues);
  EXPECT_EQ(reports[0].node.configured.procs(), 4);
  EXPECT_EQ(reports[0].node.configured.get(kMemory), 0);
  EXPECT_TRUE(reports[0].generic.empty());
  EXPECT_TRUE(reports[0].features.empty());
}

// TORQUE's guide joins the hosts of a queue by '+'; qmgr's '+=' makes commas.
TEST_F(RecordsTest, TheHostsOfAQueueAreJoinedByPlusOrByCommas) {
  const auto queue = [](const char* name, const char* hosts, const char* enabled) {
    return object(name, {{"queue_type", "Execution"},
                         {"started", "True"},
                         {"acl_host_enable", enabled},
                         {"acl_hosts", hosts}});
  };
  const auto queues = read_queues(std::vector<Object>{queue("plus", "n01+n02", "False"),
                                                      queue("commas", "n01, n02", "False"),
                                                      queue("submission", "n01", "True")});
  EXPECT_THAT(queues.at("plus").hosts, ElementsAre("n01", "n02"));
  EXPECT_THAT(queues.at("commas").hosts, ElementsAre("n01", "n02"));
  EXPECT_THAT(queues.at("submission").hosts, IsEmpty());
}

TEST_F(RecordsTest, TheWorstStateOfANodeCounts) {
  const auto state = [&](std::string_view words, std::string_view jobs = "") {
    const std::vector<Object> nodes{object("n", {{"state", words}, {"jobs", jobs}})};
    return node_reports(nodes, {}).front().node.reported;
  };
  EXPECT_EQ(state("down,offline,job-exclusive"), NodeState::down);
  EXPECT_EQ(state("state-unknown,down"), NodeState::down);
  EXPECT_EQ(state("offline"), NodeState::drained);
  EXPECT_EQ(state("offline", "0/1.srv"), NodeState::draining);
  EXPECT_EQ(state("job-exclusive", "0-3/1.srv"), NodeState::busy);
  EXPECT_EQ(state("job-busy"), NodeState::busy);
  EXPECT_EQ(state("free", "0/1.srv"), NodeState::running);
  EXPECT_EQ(state("something new"), NodeState::down);
}

// Otherwise it would never be resumed: it keeps its slots in PBS.
TEST_F(RecordsTest, SlotsOfSuspendedJobsAreFree) {
  const auto state = [&](std::string_view words, std::string_view jobs) {
    const std::vector<Object> nodes{object("n", {{"state", words}, {"jobs", jobs}})};
    return node_reports(nodes, {}, {"1.srv"}).front().node.reported;
  };
  EXPECT_EQ(state("free", "0/1.srv"), NodeState::idle);
  EXPECT_EQ(state("job-exclusive", "0-3/1.srv"), NodeState::idle);
  EXPECT_EQ(state("job-exclusive", "0-1/1.srv,2-3/2.srv"), NodeState::running);
  EXPECT_EQ(state("offline", "0/1.srv"), NodeState::draining);
}

TEST(SlotsTest, RangesOfSlotsAreCountedByJob) {
  EXPECT_THAT(slots_in_use("0-1/2.pbshead"), ElementsAre(Pair("2.pbshead", 2)));
  EXPECT_THAT(slots_in_use("2/6.srv,3/6.srv,0-1/13.srv"),
              ElementsAre(Pair("6.srv", 1), Pair("6.srv", 1), Pair("13.srv", 2)));
  EXPECT_THAT(slots_in_use("0,2-3/1.srv"), ElementsAre(Pair("1.srv", 3)));
  EXPECT_THAT(slots_in_use("0/1.srv, 1/1.srv"), ElementsAre(Pair("1.srv", 1), Pair("1.srv", 1)));
  EXPECT_THAT(slots_in_use("7.srv/0, 7.srv/1"), ElementsAre(Pair("7.srv", 1), Pair("7.srv", 1)));
  EXPECT_THAT(slots_in_use(""), IsEmpty());
}

TEST(SlotsTest, ReadsPlacementsOfTheServerAndOfAnAdministrator) {
  const auto on = [](std::string_view place) {
    return tasks_of(object("1.srv", {{"exec_vnode", place}}), Wish());
  };
  EXPECT_THAT(on("(n01:ncpus=2:mem=1gb)+(n02:ncpus=2)"), ElementsAre("n01", "n02"));
  EXPECT_THAT(on("(a:ncpus=1+b:ncpus=1)+(c:ncpus=2)"), ElementsAre("a", "c"));
  EXPECT_THAT(on("n03:ncpus=1"), ElementsAre("n03")) << "qrun -H";
  EXPECT_THAT(on("n03+n01:ncpus=2"), ElementsAre("n03", "n01"));
  EXPECT_THAT(on("("), IsEmpty());
}

TEST(AmountsTest, SizesOfAllUnitsAreMegabytes) {
  EXPECT_EQ(megabytes("200mb"), 200);
  EXPECT_EQ(megabytes("104857600b"), 100);
  EXPECT_EQ(megabytes("24684096kb"), 24106);
  EXPECT_EQ(megabytes("102400KB"), 100);
  EXPECT_EQ(megabytes("2gb"), 2048);
  EXPECT_EQ(megabytes("1mw"), 8);
  EXPECT_EQ(megabytes("1"), 1);
  EXPECT_EQ(megabytes("many"), std::nullopt);
  EXPECT_EQ(megabytes("5 apples"), std::nullopt);
}

std::string placed(std::vector<std::pair<std::string_view, std::string_view>> asked,
                   std::vector<std::string> tasks, Dialect dialect) {
  const auto wish = wish_of(object("1.srv", std::move(asked)));
  return wish ? destination(*wish, tasks, dialect) : wish.error().what;
}

TEST(DestinationTest, ANodeIsNamedOnceWithItsSlots) {
  EXPECT_EQ(
      placed({{"Resource_List.nodes", "2:ppn=2"}}, {"n01", "n01", "n02", "n02"}, Dialect::bare),
      "n01:ppn=2+n02:ppn=2");
  EXPECT_EQ(placed({{"Resource_List.nodes", "2"}}, {"n02", "n01"}, Dialect::bare), "n02+n01");
  EXPECT_EQ(placed({{"Resource_List.nodes", "1:ppn=1:gpus=1"}}, {"n03"}, Dialect::bare),
            "n03:ppn=1:gpus=1");
  EXPECT_EQ(placed({{"Resource_List.nodes", "n01:ppn=2+n03:ppn=1"}}, {"n01", "n01", "n03"},
                   Dialect::bare),
            "n01:ppn=2+n03");
  EXPECT_EQ(placed({{"Resource_List.ncpus", "3"}}, {"n03"}, Dialect::bare), "n03:ppn=3");
}

TEST(DestinationTest, OpenPbsGetsEachChunkWithAllItCounts) {
  EXPECT_EQ(placed({{"schedselect", "2:ncpus=2:mem=1gb+1:ncpus=1:bigmem=True"}},
                   {"n01", "n02", "n03"}, Dialect::parts),
            "(n01:ncpus=2:mem=1gb)+(n02:ncpus=2:mem=1gb)+(n03:ncpus=1)");
}

TEST(DestinationTest, OpenPbsGetsEachChunkOfAPackedTask) {
  const std::vector<std::pair<std::string_view, std::string_view>> asked{
      {"schedselect", "1:ncpus=4+2:ncpus=2"}, {"Resource_List.place", "pack"}};
  EXPECT_EQ(placed(asked, {"n01"}, Dialect::parts), "(n01:ncpus=4)+(n01:ncpus=2)+(n01:ncpus=2)");
  Object job = object("1.srv", asked);
  job.attributes.push_back({"exec_vnode", "", "(n01:ncpus=4)+(n01:ncpus=2)+(n01:ncpus=2)"});
  EXPECT_THAT(tasks_of(job, *wish_of(job)), ElementsAre("n01"));
}

// OpenPBS names the tasks that have not started; none of them is reported by itself.
TEST_F(RecordsTest, TasksOfAnArrayThatAreLeftWaitByThemselves) {
  const std::vector<Object> jobs{
      object("7[].srv", {{"job_state", "B"},
                         {"queue", "batch"},
                         {"euser", "amy"},
                         {"array", "True"},
                         {"Hold_Types", "n"},
                         {"max_run_subjobs", "2"},
                         {"array_indices_remaining", "2,4-8:2,11"}}),
      object("7[1].srv", {{"job_state", "R"}, {"array_id", "7[].srv"}, {"exec_host", "n01/0"}}),
      object("7[3].srv", {{"job_state", "X"}, {"array", "True"}})};
  const auto tasks = waiting_tasks(jobs);
  std::vector<std::string> names;
  for (const Object& task : tasks) names.push_back(task.name);
  EXPECT_THAT(names, ElementsAre("7[2].srv", "7[4].srv", "7[6].srv", "7[8].srv", "7[11].srv"));
  EXPECT_EQ(reported(tasks[0]).state, WikiState::idle);
  EXPECT_EQ(reported(tasks[0]).report.waits_for, "");
  EXPECT_THAT(reported(tasks[1]).report.waits_for, HasSubstr("its limit of running tasks"));
  EXPECT_FALSE(reported_job(jobs[2], wish_of(jobs[2]), all_))
      << "what the array says is not its own";
}

TEST_F(RecordsTest, ReportsPartOfAnOversizedArray) {
  const std::vector<Object> jobs{
      object("7[].srv",
             {{"job_state", "Q"}, {"array", "True"}, {"array_indices_remaining", "0-2147483647"}})};
  EXPECT_EQ(waiting_tasks(jobs).size(), 1000u);
}

}  // namespace
}  // namespace maui::pbs
