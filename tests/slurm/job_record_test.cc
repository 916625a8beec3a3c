#include "slurm/job_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "cluster_builders.h"

namespace maui::slurm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

Cluster with(std::vector<Job> jobs) {
  Cluster cluster;
  cluster.jobs = std::move(jobs);
  cluster.nodes = {node("n1"), node("n2"), node("n3")};
  cluster.nodes[0].features = "ib";
  cluster.nodes[1].features = "opa";
  cluster.partitions.resize(2);
  cluster.partitions[0].name = "batch";
  cluster.partitions[1].name = "long";
  for (Partition& partition : cluster.partitions) partition.nodes = "n[1-3]";
  cluster.partitions[0].default_limit = 30;
  cluster.partitions[0].most = 60;
  return cluster;
}

WikiJob reported(const Job& job) { return reported_jobs(with({job}), kNow).front(); }
Requirement need(const Job& job) { return reported(job).report.request.requirements.front(); }

TEST(JobRecordTest, AHeldJobBehindTheGateIsIdle) {
  const auto job = reported(waiting(7));
  EXPECT_EQ(job.report.name, "7");
  EXPECT_EQ(job.state, WikiState::idle);
  EXPECT_EQ(job.report.user, "ann");
  EXPECT_EQ(job.report.job_class, "batch");
  EXPECT_EQ(job.report.request.limit, Seconds(600));
  EXPECT_EQ(missing_in(job), "");
}

TEST(JobRecordTest, ReportsHoldsAndWhoSetThem) {
  Job job = waiting(7);
  job.holds = kUserHold;
  EXPECT_EQ(reported(job).state, WikiState::hold);
  EXPECT_THAT(reported(job).message, HasSubstr("user"));
  job.holds = kUserHold | kAdminHold;
  EXPECT_EQ(reported(job).state, WikiState::system_hold);
  EXPECT_THAT(reported(job).message, HasSubstr("administrator"));
}

TEST(JobRecordTest, AJobThatSlurmWouldNotStartNowWaitsAndIsNotHeld) {
  Job job = waiting(7);
  job.dependency = "afterok:9";
  EXPECT_EQ(reported(job).state, WikiState::idle);
  EXPECT_THAT(reported(job).report.waits_for, HasSubstr("afterok:9"));
  job = waiting(7);
  job.het_job = 7;
  EXPECT_THAT(reported(job).report.waits_for, HasSubstr("heterogeneous jobs"));
  job = waiting(7);
  job.completing = true;
  EXPECT_THAT(reported(job).report.waits_for, HasSubstr("still completing"));
  EXPECT_EQ(reported(job).report.problem, "");
}

TEST(JobRecordTest, AJobThatSlurmWillNeverStartHasAProblem) {
  Job job = waiting(7);
  job.reservation = "maint";
  EXPECT_THAT(reported(job).report.problem, HasSubstr("'maint' is over"));
  EXPECT_EQ(reported(job).report.waits_for, "");
  job = waiting(7);
  job.features = "(ib";
  EXPECT_THAT(reported(job).report.problem, HasSubstr("(ib"));
  job.features = "ib&(opa|fast)";
  EXPECT_EQ(reported(job).report.problem, "") << "some node has each of the two terms";
  job.features = "fast|slow";
  EXPECT_THAT(reported(job).report.problem, HasSubstr("no node"));
  job = waiting(7);
  job.limit = 61;
  EXPECT_EQ(reported(job).report.problem, "partition 'batch' allows jobs of at most 60 minutes");
}

TEST(JobRecordTest, TheFirstReservationWithRoomNowCounts) {
  Job job = waiting(7);
  job.reservation = "gone,small,wide,next";
  job.cpus = 4;
  Cluster cluster = with({job, running(8, "n1")});
  cluster.reservations = {{"small", "n1", kNow, kNow + Seconds(3600), {}, 8},
                          {"wide", "n[2-3]", kNow, kNow + Seconds(3600), {}, 16},
                          {"next", "n1", kNow + Seconds(60), kNow + Seconds(3600), {}, 8}};
  const auto used = [&] {
    const auto report = reported_jobs(cluster, kNow).front().report;
    EXPECT_EQ(report.problem, "");
    return report.job.required_reservation;
  };
  EXPECT_EQ(used(), "small");
  cluster.jobs[1].reservation = "small";
  cluster.jobs[1].cpus = 5;
  EXPECT_EQ(used(), "wide");
  cluster.reservations[1].end = kNow + Seconds(300);
  EXPECT_EQ(used(), "small") << "none has both room and time";
}

TEST(JobRecordTest, AReservationOfLicencesAloneLeavesTheNodesOpen) {
  Job job = waiting(7);
  job.reservation = "lic";
  Cluster cluster = with({job});
  cluster.reservations = {{"lic", "", kNow, kNow + Seconds(3600), {}, 0, true}};
  const auto report = reported_jobs(cluster, kNow).front().report;
  EXPECT_EQ(report.job.required_reservation, "");
  EXPECT_FALSE(has(report.job.flags, JobFlag::adv_res));
  EXPECT_EQ(report.problem, "");
}

TEST(JobRecordTest, AJobWaitsForAReservationOfLicencesToBegin) {
  Job job = waiting(7);
  job.reservation = "lic";
  Cluster cluster = with({job});
  cluster.reservations = {{"lic", "", kNow + Seconds(60), kNow + Seconds(3600), {}, 0, true}};
  EXPECT_THAT(reported_jobs(cluster, kNow).front().report.waits_for, HasSubstr("has not begun"));
  EXPECT_EQ(reported_jobs(cluster, kNow + Seconds(60)).front().report.waits_for, "");
}

TEST(JobRecordTest, LicencesThatSlurmKeepsForAReservationAreOthers) {
  Job job = waiting(7);
  job.licenses = "matlab:2";
  Cluster cluster = with({job});
  cluster.licenses = {{"matlab", 4, 4}};
  cluster.reservations = {
      {"lic", "", kNow + Seconds(300), kNow + Seconds(3600), {}, 0, true, "ansys:9,matlab:3"}};
  const auto waits_for = [&] { return reported_jobs(cluster, kNow).front().report.waits_for; };
  EXPECT_EQ(waits_for(), "it waits for 2 licences 'matlab', of which 1 is free")
      << "it would still run then";
  cluster.jobs[0].limit = 5;
  EXPECT_EQ(waits_for(), "");
  cluster.jobs[0].limit.reset();
  EXPECT_NE(waits_for(), "") << "30 minutes is what its partition gives it";
  cluster.partitions[0].most.reset();
  cluster.jobs[0].unlimited = true;
  EXPECT_NE(waits_for(), "");
  cluster.reservations[0].start = kNow;
  cluster.jobs[0].reservation = "lic";
  EXPECT_EQ(waits_for(), "");
  cluster.reservations[0].end = kNow;
  cluster.jobs[0].reservation.clear();
  EXPECT_EQ(waits_for(), "");
}

TEST(JobRecordTest, NodesAreLeftOutThatAreLessThanAJobAsksOfEach) {
  Cluster cluster = with({waiting(7)});
  Job& job = cluster.jobs[0];
  cluster.nodes[1].cpus = 4;
  cluster.nodes[2].sockets = 2;
  for (Node& node : cluster.nodes) node.cores = node.cpus;
  const auto out = [&] { return reported_jobs(cluster, kNow).front().report.excluded_hosts; };
  EXPECT_THAT(out(), IsEmpty());
  job.min_cpus = 5;  // --mincpus=5
  EXPECT_THAT(out(), ElementsAre("n2"));
  EXPECT_EQ(
      reported_jobs(cluster, kNow).front().report.request.requirements.front().per_task.procs(), 5)
      << "Slurm gives it so many";
  job.cpus_per_task = 5;
  EXPECT_THAT(out(), IsEmpty()) << "its tasks tell";
  job = waiting(7);
  job.excluded_nodes = "n3";
  job.min_sockets = 2;  // --sockets-per-node=2
  EXPECT_THAT(out(), ElementsAre("n3", "n1", "n2"));
  job = waiting(7);
  job.min_cores = 5;  // --cores-per-socket=5
  EXPECT_THAT(out(), ElementsAre("n2", "n3"));
  job = waiting(7);
  job.min_threads = 2;
  EXPECT_THAT(out(), ElementsAre("n1", "n2", "n3"));
  job = waiting(7);
  job.tasks_per_socket = 3;
  job.tasks = job.cpus = 8;
  EXPECT_THAT(out(), ElementsAre("n1", "n2")) << "four tasks go on each of two nodes";
  job.tasks = job.cpus = 3;
  EXPECT_THAT(out(), IsEmpty());
}

TEST(JobRecordTest, OnlyPartitionsThatTakeTheJobCount) {
  Cluster cluster = with({waiting(7)});
  Job& job = cluster.jobs.front();
  job.partition = "batch,long";
  const auto report = [&] { return reported_jobs(cluster, kNow).front().report; };
  EXPECT_EQ(report().job_class, "batch");
  EXPECT_EQ(report().job.node_set, "ONEOF:CLASS:batch,long");
  EXPECT_TRUE(report().any_class);
  job.limit = 100;
  EXPECT_EQ(report().job_class, "long");
  EXPECT_FALSE(report().any_class);
  cluster.partitions[1].up = false;
  EXPECT_EQ(report().waits_for, "partition 'long' is down") << "that passes, a limit does not";
  cluster.partitions[1].up = true;
  cluster.partitions[1].accounts = "chem,phys";
  EXPECT_THAT(report().problem, HasSubstr("60 minutes"));
  job.account = "phys";
  EXPECT_EQ(report().problem, "");
  cluster.partitions[1].accounts.clear();
  cluster.partitions[1].denied_accounts = "phys";
  EXPECT_NE(report().problem, "");
}

TEST(JobRecordTest, TheQosOfAPartitionCountsIfNoOtherPartitionIsFree) {
  Cluster cluster = with({waiting(7), running(8, "n1")});
  cluster.jobs[0].partition = "batch,long";
  cluster.jobs[1].partition = "batch";
  cluster.accounting.qos.resize(2);
  cluster.accounting.qos[0].name = "few";
  cluster.accounting.qos[0].together.jobs = 1;
  cluster.accounting.qos[1].name = "free";
  cluster.partitions[0].qos = "few";
  cluster.partitions[1].qos = "free";
  const auto waits = [&] { return reported_jobs(cluster, kNow).front().report.waits_for; };
  EXPECT_EQ(waits(), "");
  cluster.partitions[1].qos = "few";
  EXPECT_THAT(waits(), HasSubstr("'few'"));
  cluster.partitions[1].qos = "free";
  cluster.jobs[0].partition = "batch";
  EXPECT_THAT(waits(), HasSubstr("'few'"));
  cluster.jobs[0].partition = "batch,long";
  cluster.partitions[1].up = false;
  EXPECT_THAT(waits(), HasSubstr("'few'")) << "the other partition is down";
}

TEST(JobRecordTest, LicencesOfJobsThatAreStartingAreTaken) {
  Job first = waiting(7), second = waiting(8);
  first.licenses = second.licenses = "matlab:2";
  Cluster cluster = with({first, second});
  cluster.licenses = {{"matlab", 3, 3}};
  EXPECT_EQ(reported_jobs(cluster, kNow)[1].report.waits_for, "");
  cluster.jobs[0].priority = 1000;
  EXPECT_THAT(reported_jobs(cluster, kNow)[1].report.waits_for, HasSubstr("of which 1 is free"));
  cluster.licenses[0].total = 1;
  EXPECT_NE(reported_jobs(cluster, kNow)[1].report.problem, "") << "more than there are";
}

TEST(JobRecordTest, AJobThatSlurmCouldNotBeginIsStartingUntilThatIsTakenBack) {
  Job job = waiting(7);
  job.admin_comment = "maui start=1000000 nodes=1-0 set=1 cpus=1 share=1";
  job.required_nodes = "n2";
  job.restarts = 1;
  job.completing = true;
  EXPECT_EQ(reported(job).state, WikiState::idle) << "it has run";
  job.launch_failure = "launch failed requeued held";
  EXPECT_EQ(reported(job).state, WikiState::starting) << "what takes it back counts the failure";
  EXPECT_THAT(reported(job).task_list, ElementsAre("n2"));
  job.completing = false;
  EXPECT_EQ(reported(job).state, WikiState::starting)
      << "as one that waits it would count as requeued";
  job.launch_failure.clear();
  job.reason = "BadConstraints";
  EXPECT_EQ(reported(job).state, WikiState::starting);
}

TEST(JobRecordTest, ReportsTheNumberOfFailedStarts) {
  Job job = waiting(7);
  job.admin_comment = "maui nodes=1-0 set=2 cpus=1 refused=2 code=-911 why=Licenses";
  EXPECT_EQ(reported(job).rejections, 2);
  EXPECT_EQ(reported(job).reject_code, -911);
  EXPECT_THAT(reported(job).message, HasSubstr("Licenses"));
}

TEST(JobRecordTest, AnArrayMayRunSoManyTasksAtOnce) {
  Job record = waiting(20);
  record.array_job = 20;
  record.array_tasks = "2-4";
  record.array_limit = 2;
  Job task = running(21, "n1");
  task.array_job = 20;
  task.array_task = 1;
  const auto jobs = reported_jobs(with({record, task}), kNow);
  ASSERT_EQ(jobs.size(), 4u);
  EXPECT_EQ(jobs[0].report.name, "20_2");
  EXPECT_EQ(jobs[0].state, WikiState::idle);
  EXPECT_EQ(jobs[0].report.waits_for, "");
  EXPECT_THAT(jobs[1].report.waits_for, HasSubstr("limit of 2 running tasks"));
  EXPECT_THAT(jobs[2].report.waits_for, HasSubstr("limit of 2 running tasks"));
  EXPECT_EQ(jobs[3].state, WikiState::running);
}

TEST(JobRecordTest, AStartingJobReportsItsNodes) {
  Job job = waiting(7);
  job.priority = 1000;
  job.tasks = 4;
  job.cpus = 4;
  job.required_nodes = "n[1-2]";
  job.admin_comment = "maui start=999990 nodes=1-0 set=2 cpus=1";
  EXPECT_EQ(reported(job).state, WikiState::starting);
  EXPECT_THAT(reported(job).task_list, testing::UnorderedElementsAre("n1", "n1", "n2", "n2"));
  job.admin_comment += " share=3,1";
  EXPECT_THAT(reported(job).task_list, ElementsAre("n1", "n1", "n1", "n2"));
  job.required_nodes.clear();
  job.excluded_nodes = "n2";
  EXPECT_THAT(reported(job).task_list, ElementsAre("n1", "n1", "n1", "n3"));
}

TEST(JobRecordTest, AJobThatCameBackIsNotStartingWhileItIsClearedAway) {
  Job job = waiting(7);
  job.priority = 1000;
  job.admin_comment = "maui start=999995 nodes=1-0 set=1 cpus=1";
  job.completing = true;
  EXPECT_EQ(reported(job).state, WikiState::idle);
  EXPECT_THAT(reported(job).report.waits_for, HasSubstr("still completing"));
}

TEST(JobRecordTest, AJobThatSlurmMayStartItselfIsNotForUs) {
  Job job = waiting(7);
  job.priority = 1000;
  EXPECT_EQ(reported(job).state, WikiState::hold);
}

TEST(JobRecordTest, TheTasksOfARunningJobAreWhereItsCpusAre) {
  Job job = running(7, "n[1-2]");
  job.tasks = 3;
  job.cpus = 6;
  job.cpus_per_task = 2;
  job.cpus_on_nodes = {4, 2};
  EXPECT_THAT(reported(job).task_list, ElementsAre("n1", "n1", "n2"));
  job.cpus_on_nodes.clear();
  EXPECT_EQ(reported(job).task_list.size(), 3u);
}

TEST(JobRecordTest, EveryEndIsCompletedOrRemovedWithItsCode) {
  using enum JobState;
  EXPECT_EQ(reported(ended(7)).state, WikiState::completed);
  EXPECT_EQ(reported(ended(7)).exit_code, 0);
  EXPECT_EQ(reported(ended(7, failed, 3)).state, WikiState::completed);
  EXPECT_EQ(reported(ended(7, failed, 3)).exit_code, 3);
  for (const auto state : {cancelled, timeout, node_fail, preempted, boot_fail, deadline})
    EXPECT_EQ(reported(ended(7, state)).state, WikiState::removed);
  Job killed = ended(7, cancelled);
  killed.exit_status = 15;
  EXPECT_EQ(reported(killed).exit_code, 143);
  EXPECT_EQ(reported(ended(7)).report.job.ended, kNow - Seconds(10));
}

TEST(JobRecordTest, AJobThatWasCancelledBeforeItRanHasNoStart) {
  Job job = ended(7, JobState::cancelled);
  job.nodes.clear();
  EXPECT_EQ(reported(job).report.job.started, kForever);
}

TEST(JobRecordTest, WithoutALimitThePartitionsCounts) {
  Job job = waiting(7);
  job.limit.reset();
  EXPECT_EQ(reported(job).report.request.limit, Seconds(1800));
  Cluster cluster = with({job});
  cluster.partitions[1].default_limit = 50;
  cluster.jobs[0].partition = "batch,long";
  EXPECT_EQ(reported_jobs(cluster, kNow).front().report.request.limit, Seconds(3000))
      << "it may run in either";
  job.unlimited = true;
  EXPECT_EQ(reported(job).report.request.limit, Seconds(0))
      << "SYSTEMDEFAULTJOBWALLTIME is its limit";
}

TEST(JobRecordTest, BeginTimesAreStartDatesButNotSlurmsOwnDelayOfARequeue) {
  Job job = waiting(7);
  job.eligible = kNow + Seconds(100);
  EXPECT_EQ(reported(job).report.job.earliest_start, kNow + Seconds(100));
  job.restarts = 1;
  EXPECT_EQ(reported(job).report.job.earliest_start, Time(0));
  job.eligible = kNow + Seconds(5000);
  EXPECT_EQ(reported(job).report.job.earliest_start, kNow + Seconds(5000));
}

TEST(JobRecordTest, SuspendedTimeIsWhatIsNotRunTime) {
  Job job = running(7, "n1");
  job.state = JobState::suspended;
  job.started = kNow - Seconds(100);
  job.suspension_changed = kNow - Seconds(40);
  job.run_before_suspension = Seconds(60);
  EXPECT_EQ(reported(job).report.job.suspended_time, Seconds(40));
  EXPECT_EQ(reported(job).state, WikiState::suspended);
}

TEST(JobRecordTest, AFixedNumberOfNodesSpreadsTasksEvenly) {
  Job job = waiting(7);
  job.tasks = job.cpus = 4;
  job.min_nodes = job.max_nodes = 2;
  EXPECT_EQ(need(job).tasks_per_node, 2);
  job.tasks = job.cpus = 5;
  EXPECT_EQ(need(job).tasks_per_node, 0);
  EXPECT_EQ(need(job).least_nodes, 2);
  EXPECT_EQ(need(job).nodes, 2);
  EXPECT_TRUE(need(job).packed);
}

TEST(JobRecordTest, ARangeOfNodesHasBothItsEnds) {
  Job job = waiting(7);
  job.tasks = job.cpus = 8;
  job.min_nodes = 2;
  job.max_nodes = 4;
  EXPECT_EQ(need(job).tasks_per_node, 0);
  EXPECT_EQ(need(job).least_nodes, 2);
  EXPECT_EQ(need(job).nodes, 4);
}

TEST(JobRecordTest, NodesOfSoManyTasksHaveTheCpusOfAllOfThem) {
  Job job = waiting(7);
  job.tasks = 3;
  job.cpus = 4;
  job.tasks_per_node = 2;
  EXPECT_EQ(need(job).tasks, 4);
  EXPECT_EQ(need(job).tasks_per_node, 2);
  EXPECT_EQ(need(job).per_task.procs(), 1);
}

TEST(JobRecordTest, TasksThatASocketMayNotHaveAreOnOtherNodes) {
  Job job = waiting(7);
  job.tasks = job.cpus = 4;
  job.tasks_per_socket = 2;
  EXPECT_EQ(need(job).tasks_per_node, 2);
  job.tasks = job.cpus = 5;
  EXPECT_EQ(need(job).tasks, 6);
  EXPECT_EQ(need(job).tasks_per_node, 2);
  job.min_nodes = job.max_nodes = 5;
  EXPECT_EQ(need(job).tasks_per_node, 1);
  job.min_nodes = job.max_nodes = 1;
  job.tasks_per_socket = 5;
  EXPECT_EQ(need(job).tasks_per_node, 5);
}

TEST(JobRecordTest, MemoryPerNodeIsSharedByTheTasksThere) {
  Job job = waiting(7);
  job.tasks = job.cpus = 4;
  job.memory = 1000;
  EXPECT_EQ(need(job).tasks_per_node, 4);
  EXPECT_EQ(need(job).per_task.memory(), 250);
  job.tasks = job.cpus = 12;  // more than a node holds
  EXPECT_EQ(need(job).tasks_per_node, 6);
  EXPECT_EQ(need(job).per_task.memory(), 167);
}

TEST(JobRecordTest, MemoryPerNodeCostsNoMoreNodesThanThereAreNorManyMoreThanWouldDo) {
  Job job = waiting(7);
  job.tasks = job.cpus = 20;  // evenly on four
  job.memory = 1000;
  EXPECT_EQ(need(job).tasks_per_node, 0);
  EXPECT_EQ(need(job).per_task.memory(), 1000);
  Cluster large = with({});
  large.nodes.resize(30, node("n"));
  job.tasks = job.cpus = 23;  // evenly on 23
  const auto asks = [&] {
    return reported_job(job, Surroundings(large, kNow)).report.request.requirements.front();
  };
  EXPECT_EQ(asks().tasks_per_node, 0);
  job.memory = 12000;  // eight times that is more than a node has
  EXPECT_EQ(asks().per_task.memory(), 1500);
}

TEST(JobRecordTest, ResourcesPerSocketCountForTheNode) {
  Job job = waiting(7);  // --gpus-per-socket=1 --sockets-per-node=2
  job.tres_per_socket = "gres:gpu:1";
  job.min_sockets = 2;
  EXPECT_THAT(reported(job).report.generic.front(), ElementsAre(Pair("gpu", 2)));
}

TEST(JobRecordTest, TasksThatCannotDivideANodesResourcesBecomeOneTask) {
  Cluster all = with({});
  for (Node& node : all.nodes) node.gres = "gpu:2";
  Job job = waiting(7);
  const auto report = [&] { return reported_job(job, Surroundings(all, kNow)).report; };
  const auto asks = [&] { return report().request.requirements.front(); };

  job.tasks = job.cpus = 4;
  job.tres_per_node = "gres:gpu:1";
  EXPECT_EQ(asks().tasks, 1);
  EXPECT_EQ(asks().per_task.procs(), 4);
  EXPECT_THAT(report().generic.front(), ElementsAre(Pair("gpu", 1)));

  job.tasks = job.cpus = 16;
  job.tasks_per_node = 8;
  job.min_nodes = 2;
  job.tres_per_task = "gres:tape:1";
  EXPECT_EQ(asks().tasks, 2);
  EXPECT_EQ(asks().tasks_per_node, 1);
  EXPECT_THAT(report().generic.front(), ElementsAre(Pair("tape", 8), Pair("gpu", 1)));

  job = waiting(7);
  job.tasks = job.cpus = 3;
  job.memory = 16000;  // all that a node has
  EXPECT_EQ(asks().per_task.memory(), 16000);
}

TEST(JobRecordTest, GpusOfTheWholeJobAreSpreadWithItsTasks) {
  Cluster all = with({});
  for (Node& node : all.nodes) node.gres = "gpu:2";
  Job job = waiting(7);
  const auto report = [&] { return reported_job(job, Surroundings(all, kNow)).report; };
  job.tasks = job.cpus = 3;
  job.tres_per_job = "gres:gpu:2";
  EXPECT_EQ(report().request.requirements.front().tasks, 1);
  EXPECT_THAT(report().generic.front(), ElementsAre(Pair("gpu", 2)));
  job.tasks = job.cpus = 6;
  job.tres_per_job = "gres:gpu:3";  // more than a node has
  EXPECT_EQ(report().request.requirements.front().tasks, 3);
  EXPECT_EQ(report().request.requirements.front().per_task.procs(), 2);
  EXPECT_THAT(report().generic.front(), ElementsAre(Pair("gpu", 1)));
}

// On unequal numbers of GPUs Slurm finds the constraints of such a job bad.
TEST(JobRecordTest, TasksCountedByTheGpuLieEvenlyOnSeveralNodes) {
  Cluster all = with({});
  all.nodes.resize(4, node("n"));
  for (Node& node : all.nodes) node.gres = "gpu:2";
  Job job = waiting(7);
  const auto share = [&] {
    return reported_job(job, Surroundings(all, kNow)).report.request.requirements[0].tasks_per_node;
  };
  job.tasks = job.cpus = 3;
  job.tasks_per_gpu = 1;
  job.tres_per_job = "gres:gpu:3";
  EXPECT_EQ(share(), 0) << "one node at least";
  job.min_nodes = 2;
  job.max_nodes = 3;
  EXPECT_EQ(share(), 1);
  job.max_nodes = 2;
  EXPECT_EQ(share(), 0) << "there are no equal parts";
}

TEST(GenericResources, CountsMayHaveSuffixes) {
  EXPECT_THAT(generic_resources("tmpdisk:2K"), ElementsAre(Pair("tmpdisk", 2048)));
  EXPECT_THAT(generic_resources("gres:tmpdisk:500"), ElementsAre(Pair("tmpdisk", 500)));
  EXPECT_THAT(generic_resources("gpu:a100:4"), ElementsAre(Pair("gpu", 4), Pair("gpu_a100", 4)));
  constexpr int kMost = std::numeric_limits<int>::max();
  EXPECT_THAT(generic_resources("space:30G"), ElementsAre(Pair("space", kMost)));
  EXPECT_THAT(generic_resources("net:no_consume:4"), ElementsAre(Pair("net", kMost)));
  EXPECT_THAT(too_many_to_count("gpu:2,space:30G,net:no_consume:4"), ElementsAre("space"));
}

// Slurm adds these CPUs and this memory only when it allocates nodes.
TEST(JobRecordTest, AJobHasTheCpusAndTheMemoryOfItsGpus) {
  Cluster all = with({waiting(7)});
  all.allots_memory = true;
  for (Node& node : all.nodes) node.gres = "gpu:8";
  const auto report = [&](const char* tres, const char* cpus, const char* memory) {
    Cluster some = all;
    Job& job = some.jobs.front();
    job.tres_per_job = tres;
    job.cpus_per_tres = cpus;
    job.memory_per_tres = memory;
    job.memory = 0;
    apply_shares_of_gpus(some);
    return reported_job(some.jobs.front(), Surroundings(some, kNow)).report;
  };
  const auto own = report("gres:gpu:2", "gres:gpu:2", "gres:gpu:100");
  EXPECT_EQ(own.request.requirements.front().per_task, Resources(4, 200));
  EXPECT_FALSE(has(own.job.flags, JobFlag::dedicated));
  EXPECT_TRUE(has(report("gres:gpu:2", "", "").job.flags, JobFlag::dedicated));
  all.partitions[0].defaults = "DefCpuPerGPU=1,DefMemPerGPU=50";
  EXPECT_EQ(report("gres:gpu:2", "", "").request.requirements.front().per_task, Resources(2, 100));
}

// As Slurm 22.05 does with DefMemPerCPU=100, whether or not there is a DefMemPerGPU.
TEST(JobRecordTest, MemoryPerGpuThatAJobAsksForCountsInsteadOfOtherMemory) {
  Cluster all = with({waiting(7)});
  all.allots_memory = true;
  for (Node& node : all.nodes) node.gres = "gpu:8";
  const auto memory = [&](const char* per_gpu, bool per_cpu) {
    Cluster some = all;
    Job& job = some.jobs.front();
    job.tres_per_job = "gres:gpu:2";
    job.memory_per_tres = per_gpu;
    job.memory = 100;
    job.memory_per_cpu = per_cpu;
    apply_shares_of_gpus(some);
    return need(some.jobs.front()).per_task.memory();
  };
  EXPECT_EQ(memory("gres:gpu:1000", true), 2000);
  EXPECT_EQ(memory("gres:gpu:10", true), 20);
  EXPECT_EQ(memory("gpu:50", true), 100) << "a default, which Slurm notes at the start";
  EXPECT_EQ(memory("gpu:50", false), 100) << "--mem";
}

TEST(JobRecordTest, OnlyNodesWithOneOfItsFeaturesAreAddedToThoseAJobRequires) {
  Job job = waiting(7);
  job.features = "ib|opa";
  job.required_nodes = "n1";
  const auto with_required = reported(job);
  EXPECT_THAT(with_required.report.host_list, ElementsAre("n1"));
  EXPECT_THAT(with_required.report.excluded_hosts, ElementsAre("n3"));
}

TEST(JobRecordTest, OneNodeTakesTheTasksThatAreLeftWhenAllNodesHaveEqualParts) {
  Cluster all = with({});
  all.nodes.resize(4, node("n"));
  for (Node& node : all.nodes) node.gres = "gpu:2";
  Job job = waiting(7);
  const auto report = [&] { return reported_job(job, Surroundings(all, kNow)).report; };
  job.tasks = job.cpus = 7;
  job.min_nodes = job.max_nodes = 3;
  job.tres_per_node = "gres:gpu:1";
  job.memory = 300;
  const auto spread = report();
  const auto& parts = spread.request.requirements;
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_TRUE(spread.request.apart);
  EXPECT_EQ(parts[0].tasks, 1);
  EXPECT_EQ(parts[0].per_task, Resources(3, 300));
  EXPECT_EQ(parts[1].tasks, 2);
  EXPECT_EQ(parts[1].per_task, Resources(2, 300));
  EXPECT_THAT(spread.generic,
              ElementsAre(ElementsAre(Pair("gpu", 1)), ElementsAre(Pair("gpu", 1))));

  job.tres_per_node.clear();
  job.tres_per_job = "gres:gpu:4";
  EXPECT_THAT(report().generic,
              ElementsAre(ElementsAre(Pair("gpu", 2)), ElementsAre(Pair("gpu", 1))));
}

TEST(JobRecordTest, TheFullestNodeOfARunningJobTookTheRemainder) {
  Cluster all = with({running(7, "n1,n2")});
  for (Node& node : all.nodes) node.gres = "gpu:2";
  Job& job = all.jobs.front();
  job.tasks = job.cpus = 5;
  job.min_nodes = job.max_nodes = 2;
  job.tres_per_node = "gres:gpu:1";
  job.cpus_on_nodes = {2, 3};
  EXPECT_THAT(reported_jobs(all, kNow).front().task_list, ElementsAre("n2", "n1"));
}

TEST(JobRecordTest, AJobThatCameBackRestsBeforeItStartsAgain) {
  Job job = waiting(7);
  job.restarts = 1;
  job.submitted = kNow - Seconds(1);
  EXPECT_EQ(reported(job).report.job.earliest_start, kNow + Seconds(2));
  job.submitted = kNow - Seconds(4);
  EXPECT_EQ(reported(job).report.job.earliest_start, Time(0));
  job.restarts = 0;
  job.submitted = kNow;
  EXPECT_EQ(reported(job).report.job.earliest_start, Time(0)) << "it has not run";
}

TEST(JobRecordTest, MemoryPerCpuIsMultipliedByTheCpusOfATask) {
  Job job = waiting(7);
  job.tasks = 2;
  job.cpus = 6;
  job.cpus_per_task = 3;
  job.memory = 100;
  job.memory_per_cpu = true;
  EXPECT_EQ(need(job).per_task.procs(), 3);
  EXPECT_EQ(need(job).per_task.memory(), 300);
}

TEST(JobRecordTest, GpusAreGenericResourcesOfEachTask) {
  Job job = waiting(7);
  job.tasks = job.cpus = 2;
  job.tres_per_node = "gres:gpu:4";
  EXPECT_THAT(reported(job).report.generic.front(), ElementsAre(Pair("gpu", 2)));
  job.tres_per_node.clear();
  job.tres_per_task = "gres:gpu:a100:1";
  EXPECT_THAT(reported(job).report.generic.front(),
              ElementsAre(Pair("gpu", 1), Pair("gpu_a100", 1)));
  job.tres_per_task.clear();
  job.tres_per_job = "gres:gpu:6";
  EXPECT_THAT(reported(job).report.generic.front(), ElementsAre(Pair("gpu", 3)));
}

TEST(JobRecordTest, ExclusiveJobsAreDedicatedAndTakeNoMoreProcessorsForIt) {
  Job job = waiting(7);
  job.exclusive = true;
  job.cpus = 8;
  EXPECT_TRUE(has(reported(job).report.job.flags, JobFlag::dedicated));
  EXPECT_EQ(need(job).per_task.procs(), 1);
}

TEST(JobRecordTest, ReportsAJobThatSharesNodesOnlyWithItsUser) {
  Job job = waiting(7);
  EXPECT_EQ(reported(job).report.job.access_asked, std::nullopt);
  job.with_own_user = true;
  EXPECT_EQ(reported(job).report.job.access_asked, NodeAccess::single_user);
  EXPECT_FALSE(has(reported(job).report.job.flags, JobFlag::dedicated));
}

TEST(JobRecordTest, AJobThatNamesNoMemoryHasAllOfItsNodesWhereMemoryIsAllotted) {
  Cluster all = with({});
  const auto dedicated = [&](const Job& job) {
    return has(reported_job(job, Surroundings(all, kNow)).report.job.flags, JobFlag::dedicated);
  };
  Job job = waiting(7);
  EXPECT_FALSE(dedicated(job));
  all.allots_memory = true;
  EXPECT_TRUE(dedicated(job));
  job.memory = 100;
  EXPECT_FALSE(dedicated(job));
}

TEST(JobRecordTest, RequiredNodesAreAllNeededAndExcludedNodesLeftOut) {
  Job job = waiting(7);
  job.required_nodes = "n[1-2]";
  EXPECT_THAT(reported(job).report.host_list, ElementsAre("n1", "n2"));
  EXPECT_EQ(reported(job).host_mark, "*");
  job.excluded_nodes = "n3";
  EXPECT_THAT(reported(job).report.excluded_hosts, ElementsAre("n3"));
  EXPECT_THAT(reported(job).report.host_list, ElementsAre("n1", "n2"));
}

TEST(JobRecordTest, ANodeThatSeveralRestrictionsExcludeIsNamedOnce) {
  Job job = waiting(7);
  job.min_cpus = 100;  // more than any node has
  job.excluded_nodes = "n[2-3]";
  EXPECT_THAT(reported(job).report.excluded_hosts, ElementsAre("n2", "n3", "n1"));
}

TEST(JobRecordTest, TheTasksOfARecordHaveItsHosts) {
  Job record = waiting(20);
  record.array_job = 20;
  record.array_tasks = "0-1";
  record.required_nodes = "n1";
  record.excluded_nodes = "n3";
  const auto jobs = reported_jobs(with({record}), kNow);
  ASSERT_EQ(jobs.size(), 2u);
  for (const WikiJob& job : jobs) {
    const WikiRecord written = write_wiki_job(job);
    EXPECT_EQ(*written.find("HOSTLIST"), "n1*");
    EXPECT_EQ(*written.find("EXCLUDE_HOSTLIST"), "n3");
    EXPECT_EQ(job.shared_hosts, jobs.front().shared_hosts) << "they are written once";
    EXPECT_NE(job.shared_hosts, nullptr);
  }
}

TEST(JobRecordTest, ConstraintsBecomeFeaturesHostsOrANodeSet) {
  Job job = waiting(7);
  job.features = "ib";
  EXPECT_THAT(reported(job).report.features.front(), ElementsAre("ib"));
  job.features = "ib|opa";
  EXPECT_THAT(reported(job).report.host_list, ElementsAre("n[1-2]"))
      << "any number of jobs may ask so";
  job.features = "[ib|opa]";
  EXPECT_THAT(reported(job).report.host_list, IsEmpty());
  EXPECT_EQ(reported(job).report.job.node_set, "ONEOF:FEATURE:ib,opa");
  EXPECT_TRUE(reported(job).report.job.node_set_binds);
}

TEST(JobRecordTest, CountedFeaturesAreRequirementsWithNodesOfTheirOwn) {
  Job job = waiting(7);
  job.tasks = job.cpus = 8;
  job.min_nodes = job.max_nodes = 4;
  job.features = "[ib*1&opa*2]";
  const auto report = reported(job).report;
  const auto& all = report.request.requirements;
  ASSERT_EQ(all.size(), 3u);
  EXPECT_TRUE(report.request.apart);
  EXPECT_EQ(all[0].tasks, 2);
  EXPECT_EQ(all[1].tasks, 4);
  EXPECT_EQ(all[2].tasks, 2);
  EXPECT_EQ(all[1].tasks_per_node, 2);
  EXPECT_THAT(report.features, ElementsAre(ElementsAre("ib"), ElementsAre("opa"), IsEmpty()));
}

TEST(JobRecordTest, NodesBeyondSeveralCountsHaveOneOfTheCountedFeatures) {
  Job job = waiting(7);
  job.tasks = job.cpus = job.min_nodes = 2;
  job.features = "[ib*1&opa*1]";
  EXPECT_THAT(reported(job).report.host_list, IsEmpty());
  job.tasks = job.cpus = job.min_nodes = 3;
  EXPECT_THAT(reported(job).report.host_list, ElementsAre("n[1-2]"));
  EXPECT_EQ(reported(job).host_mark, "^");
  job.features = "ib*1";
  EXPECT_THAT(reported(job).report.host_list, IsEmpty()) << "the others may be any";
}

/// The most that a user can ask for, as sbatch lets it through while the job is held.
Job boundless() {
  Job job = waiting(7);
  job.tasks = job.cpus = job.min_nodes = std::numeric_limits<int>::max();
  job.cpus_per_task = job.tasks_per_node = 65534;
  job.memory = std::numeric_limits<int>::max();
  job.tres_per_job = "gres:gpu:2147483647,gres:gpu:2147483647";
  return job;
}

TEST(JobRecordTest, AJobOfTooManyTasksIsReportedAtOnceWithAProblem) {
  for (const bool by_cpu : {false, true})
    for (const int nodes : {1, std::numeric_limits<int>::max()}) {
      Job job = boundless();
      job.memory_per_cpu = by_cpu;
      job.min_nodes = nodes;
      EXPECT_THAT(reported(job).report.problem, HasSubstr("it requests 2147483647 tasks"));
      WikiNotes notes;
      const auto read = read_wiki_job(write_wiki_job(reported(job)), notes);
      EXPECT_EQ(read.report.problem, reported(job).report.problem) << "no attribute is refused";
      job.state = JobState::cancelled;  // it has no nodes, and never had
      EXPECT_THAT(reported(job).task_list, IsEmpty());
    }
}

TEST(JobRecordTest, AConstraintOfMoreNodesThanThereAreHasAProblem) {
  Job job = boundless();
  job.tasks = job.min_nodes = 1;
  job.features = "[ib*2147483647&opa*2147483647]";
  EXPECT_THAT(reported(job).report.problem, HasSubstr("4294967294 nodes, but there are only 3"));
}

TEST(JobRecordTest, TheQosThatSlurmGivesToEverybodyIsNotAskedFor) {
  Job job = waiting(7);
  job.qos = "high";
  EXPECT_EQ(reported(job).report.qos, "high");
  job.qos = "normal";
  EXPECT_EQ(reported(job).report.qos, "");
}

TEST(JobRecordTest, TheCommentGoesAsItIs) {
  Job job = waiting(7);
  job.comment = "qos:high;trl:2,4";
  EXPECT_EQ(reported(job).report.job.comment, "qos:high;trl:2,4");
}

}  // namespace
}  // namespace maui::slurm
