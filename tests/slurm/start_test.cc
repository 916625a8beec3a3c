#include "slurm/start.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cluster_builders.h"
#include "rm/wiki_message.h"
#include "slurm/holds.h"
#include "slurm/job_record.h"
#include "slurm/notices.h"
#include "slurm/start_note.h"

namespace maui::slurm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Gate = Change::Gate;
using Names = std::vector<std::string>;

constexpr Seconds kPatience{30};

Job with_tasks(int tasks) {
  Job job = waiting(7);
  job.tasks = job.cpus = tasks;
  return job;
}

std::vector<Change> repairs_of(const Job& job) {
  return repairs({{job}, {}, {}, {}, {}, {}}, kNow, kPatience);
}

Cluster nodes() {
  Cluster cluster;
  cluster.nodes = {node("n1"), node("n2"), node("n3")};
  return cluster;
}

Result<Change> start(const Job& job, const Names& names) {
  const Cluster cluster = nodes();
  return start_change(job, names, Surroundings(cluster, kNow));
}

Job started(Seconds ago) {
  Job job = waiting(7);
  job.priority = 1000;
  job.required_nodes = "n1,n2";
  job.min_cpus = 4;
  job.min_nodes = job.max_nodes = 2;
  job.admin_comment =
      "maui start=" + std::to_string((kNow - ago).raw()) + " nodes=1-0 set=2 cpus=1 on=n2";
  return job;
}

TEST(StartTest, OneChangeNamesTheNodesAndOpensTheGate) {
  const auto change = start(with_tasks(3), Names{"n1", "n1", "n2"});
  ASSERT_TRUE(change);
  EXPECT_EQ(change->job, "7");
  EXPECT_EQ(change->gate, Gate::open);
  EXPECT_EQ(change->required_nodes, "n1,n2");
  EXPECT_EQ(change->min_nodes, 2);
  EXPECT_EQ(change->max_nodes, 2);
  EXPECT_EQ(change->min_cpus, std::nullopt);
  EXPECT_FALSE(change->begin_now);
  EXPECT_EQ(change->admin_comment,
            words_of_start(kNow) + " | maui start=1000000 nodes=1-0 set=2 cpus=1 share=2,1");
}

TEST(StartTest, AnEvenSpreadIsForcedByTheCpusOfEachNode) {
  Job job = with_tasks(4);
  job.cpus_per_task = 2;
  job.cpus = 8;
  EXPECT_EQ(start(job, Names{"n1", "n2", "n1", "n2"})->min_cpus, 4);
}

TEST(StartTest, EachNodeHasTheEqualShareIfOneNodeTakesTheRemainder) {
  Cluster cluster = nodes();
  for (Node& node : cluster.nodes) node.gres = "gpu:2";
  Job job = with_tasks(7);
  job.min_nodes = job.max_nodes = 3;
  job.tres_per_node = "gres:gpu:1";
  const auto change = start_change(job, Names{"n2", "n1", "n3"}, Surroundings(cluster, kNow));
  ASSERT_TRUE(change);
  EXPECT_EQ(change->min_cpus, 2);
  EXPECT_EQ(change->cpus, 7) << "two on each were six";
  EXPECT_EQ(change->min_nodes, 3);
}

// With a number of nodes, Slurm serves such jobs only where all nodes have equally many GPUs of
// theirs.
TEST(StartTest, TasksCountedByTheGpuHaveNoFixedNumberOfNodesWhereTheyLieUnevenly) {
  Job job = with_tasks(3);
  job.tasks_per_gpu = 1;
  job.tres_per_job = "gres:gpu:3";
  const auto uneven = start(job, Names{"n1", "n1", "n2"});
  ASSERT_TRUE(uneven);
  EXPECT_EQ(uneven->required_nodes, std::nullopt);
  EXPECT_EQ(uneven->excluded_nodes, "n3");
  EXPECT_EQ(uneven->min_nodes, std::nullopt);
  EXPECT_EQ(uneven->max_nodes, std::nullopt);
  EXPECT_EQ(uneven->cpus, 3) << "also where it comes back, and Slurm says that it needs one";
  const auto even = start(job, Names{"n1", "n3", "n2"});
  ASSERT_TRUE(even);
  EXPECT_EQ(even->required_nodes, "n1,n3,n2");
  EXPECT_EQ(even->min_nodes, 3);
}

TEST(StartTest, AJobThatCameBackDoesNotWaitSlurmsDelay) {
  Job job = with_tasks(1);
  job.restarts = 1;
  EXPECT_TRUE(start(job, Names{"n1"})->begin_now);
}

TEST(StartTest, ASecondStartKeepsWhatTheOwnerAskedFor) {
  Job job = started(Seconds(0));
  job.priority = 0;
  job.admin_comment = "maui nodes=1-0 set=2 cpus=1 on=n2";
  job.required_nodes = "n2";
  job.min_cpus = 1;
  const auto change = start(job, Names{"n2"});
  ASSERT_TRUE(change);
  EXPECT_EQ(change->admin_comment,
            words_of_start(kNow) + " | maui start=1000000 nodes=1-0 set=1 cpus=1 on=n2 share=1");
}

TEST(StartTest, RefusesAnInvalidStartWithTheReason) {
  EXPECT_THAT(start(with_tasks(2), Names{"n1"}).error().what, HasSubstr("2 tasks"));
  EXPECT_THAT(start(running(7, "n1"), Names{"n1"}).error().what, HasSubstr("not pending"));
  Job job = with_tasks(1);
  job.holds = kUserHold;
  EXPECT_THAT(start(job, Names{"n1"}).error().what, HasSubstr("held"));
  EXPECT_THAT(start(started(Seconds(1)), Names{"n1"}).error().what, HasSubstr("already"));
}

TEST(StartTest, CountedFeaturesLeaveNoOtherNodes) {
  Job job = with_tasks(2);
  job.features = "[ib*1&opa*1]";
  job.excluded_nodes = "n9";
  const auto change = start(job, Names{"n1", "n3"});
  ASSERT_TRUE(change);
  EXPECT_EQ(change->required_nodes, std::nullopt);
  EXPECT_EQ(change->excluded_nodes, "n2");
  EXPECT_EQ(read_note(*change->admin_comment)->excluded_nodes, "n9");
}

TEST(RepairTest, AJobThatWaitsNeedsNothing) { EXPECT_THAT(repairs_of(waiting(7)), IsEmpty()); }

TEST(RepairTest, AStartIsTakenBackWhenPatienceIsOver) {
  EXPECT_THAT(repairs_of(started(Seconds(30))), IsEmpty());
  Job job = started(Seconds(31));
  job.reason = "Resources";
  job.min_cpus = 1;
  const auto changes = repairs_of(job);
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].gate, Gate::close);
  EXPECT_EQ(changes[0].required_nodes, "n2");
  EXPECT_EQ(changes[0].min_cpus, std::nullopt) << "nobody changed it, and to write it lifts limits";
  EXPECT_EQ(changes[0].admin_comment,
            words_of_wait(job) +
                " | maui nodes=1-0 set=2 cpus=1 on=n2 refused=1 code=-913 why=Resources");
  job.min_cpus = 4;
  EXPECT_EQ(repairs_of(job)[0].min_cpus, 1);
}

TEST(RepairTest, SlurmsReasonDecidesWhatBecomesOfAStart) {
  const auto code = [](const char* reason) {
    Job job = started(Seconds(2));
    job.reason = reason;
    const auto changes = repairs_of(job);
    return changes.empty() ? 0 : read_note(*changes.front().admin_comment)->refusal_code;
  };
  for (const char* reason : {"None", "Priority", "Resources", "JobHeldUser"})
    EXPECT_EQ(code(reason), 0) << reason;
  for (const char* reason : {"Licenses", "PartitionDown", "ReqNodeNotAvail", "Reservation",
                             "QOSMaxJobsPerUserLimit", "AssocGrpCpuLimit", "MaxCpuPerAccount"})
    EXPECT_EQ(obstacle_of(code(reason)), Obstacle::passes) << reason;
  for (const char* reason : {"PartitionTimeLimit", "QOSMaxWallDurationPerJobLimit",
                             "AssocMaxCpuPerJobLimit", "QOSMinCpuNotSatisfied"})
    EXPECT_EQ(obstacle_of(code(reason)), Obstacle::stays) << reason;
  for (const char* reason : {"Resources", "Priority"}) {
    Job job = started(Seconds(31));
    job.reason = reason;
    const auto late = repairs_of(job);
    ASSERT_FALSE(late.empty()) << reason;
    EXPECT_EQ(obstacle_of(read_note(*late.front().admin_comment)->refusal_code), Obstacle::there)
        << reason;
  }
  EXPECT_NE(code("BadConstraints"), 0);
  EXPECT_EQ(obstacle_of(code("BadConstraints")), Obstacle::unknown);
}

// Slurm reports of "closed,batch" that one is inactive, and starts the job in the other.
TEST(RepairTest, AReasonOfOneOfSeveralPartitionsEndsNoStartBeforePatienceDoes) {
  for (const char* reason : {"PartitionInactive", "MaxMemPerLimit"}) {
    Job job = started(Seconds(2));
    job.partition = "closed,batch";
    job.reason = reason;
    EXPECT_THAT(repairs_of(job), IsEmpty()) << reason;
    job.partition = "closed";
    EXPECT_THAT(repairs_of(job), SizeIs(1)) << reason;
  }
  Job job = started(Seconds(31));
  job.partition = "closed,batch";
  job.reason = "MaxMemPerLimit";
  const auto changes = repairs_of(job);
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(obstacle_of(read_note(*changes[0].admin_comment)->refusal_code), Obstacle::unknown)
      << "the other partition takes it another time";
}

// "sched: schedule: JobId=7 non-runnable: Requested node configuration is not available"
TEST(RepairTest, AStartThatSlurmGivesUpItselfIsAFailureThoughTheGateIsClosed) {
  Job job = started(Seconds(1));
  job.priority = 0;
  job.reason = "BadConstraints";
  const auto changes = repairs_of(job);
  ASSERT_THAT(changes, SizeIs(1));
  const auto note = read_note(*changes[0].admin_comment);
  EXPECT_EQ(note->refusals, 1);
  EXPECT_EQ(note->refusal, "BadConstraints");
  EXPECT_EQ(changes[0].holds, std::nullopt) << "nobody holds it";
  job.reason = "JobHeldUser";
  EXPECT_EQ(read_note(*repairs_of(job)[0].admin_comment)->refusals, 0) << "its user does";
}

TEST(RepairTest, AJobThatLacksRoomSaysThatItAsksForFewSwitches) {
  Job job = started(Seconds(31));
  job.reason = "Resources";
  job.switches = 1;
  const auto changes = repairs_of(job);
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(read_note(*changes[0].admin_comment)->refusal, "Resources_(it_requests_--switches=1)");
}

TEST(RepairTest, FailuresAreCountedOn) {
  Job job = started(Seconds(31));
  job.admin_comment += " refused=3 code=-913 why=Licenses";
  EXPECT_EQ(read_note(*repairs_of(job)[0].admin_comment)->refusals, 4);
}

TEST(RepairTest, AJobThatCameBackGetsItsOwnWishesBack) {
  Job job = started(Seconds(5));
  job.priority = 0;
  EXPECT_THAT(repairs_of(job), SizeIs(1));
  job.completing = true;
  EXPECT_THAT(repairs_of(job), IsEmpty());
}

TEST(RepairTest, AJobThatSlurmItselfWouldStartAgainIsHeldAtOnce) {
  Job job = started(Seconds(5));
  job.eligible = kNow + Seconds(121);
  job.completing = true;
  EXPECT_THAT(repairs_of(job), IsEmpty());
  job.completing = false;
  const auto changes = repairs_of(job);
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].gate, Gate::close);
  EXPECT_EQ(changes[0].required_nodes, "n2");
}

Job held_before_maui(const char* reason) {
  Job job = waiting(7);
  job.admin_comment.clear();
  job.passed_gate = false;
  job.reason = reason;
  return job;
}

TEST(HoldTest, AHoldThatIsOlderThanTheGateIsKept) {
  EXPECT_EQ(holds_of(held_before_maui("JobHeldUser")), kUserHold);
  EXPECT_EQ(holds_of(held_before_maui("JobHeldAdmin")), kAdminHold);
  EXPECT_EQ(holds_of(held_before_maui("BeginTime")), kAdminHold) << "Slurm tells one reason of two";
  const Job job = held_before_maui("JobHeldUser");
  const auto changes = repairs_of(job);
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].gate, Gate::as_it_is);
  EXPECT_EQ(changes[0].holds, kUserHold);
  EXPECT_EQ(changes[0].admin_comment, std::nullopt) << "Slurm writes it though it refuses the hold";
  EXPECT_FALSE(start(job, {"n1"}));
  EXPECT_THAT(waiting_records({{job}, {}, {}, {}, {}, {}}, HeldBy::gate), IsEmpty());
}

Job requeued_held() {
  Job job = started(Seconds(5));
  job.priority = 0;
  job.passed_gate = false;
  job.requeued_held = true;
  job.reason = "JobHeldUser";
  return job;
}

// "Requested partition configuration not available now": and nothing but the comment is written.
TEST(HoldTest, AHoldIsKeptWhenAPartitionIsThereThatTakesIt) {
  Job before = held_before_maui("JobHeldUser"), after = requeued_held();
  Notices notices;
  notices.take({}, true);
  for (Job* job : {&before, &after}) {
    Cluster cluster{{*job}, {}, {}, {}, {}, {}};
    cluster.partitions.resize(2);
    cluster.partitions[0].name = "batch";
    cluster.partitions[1].name = "other";
    cluster.partitions[0].up = false;
    EXPECT_THAT(repairs(cluster, kNow, Seconds(30)), IsEmpty());
    EXPECT_THAT(notices.changes(cluster, kNow), IsEmpty());
    EXPECT_EQ(reported_jobs(cluster, kNow).at(0).state, WikiState::hold);
    cluster.jobs[0].partition = "batch,other";
    EXPECT_THAT(repairs(cluster, kNow, Seconds(30)), SizeIs(1));
  }
}

TEST(HoldTest, AJobThatPassedTheGateOrHasOurNoticeWaitsOnlyForUs) {
  Job job = held_before_maui("JobHeldUser");
  job.passed_gate = true;
  EXPECT_EQ(holds_of(job), 0u);
  job.passed_gate = false;
  job.admin_comment = words_of_wait(job);
  EXPECT_EQ(holds_of(job), 0u);
  EXPECT_THAT(repairs_of(job), IsEmpty());
}

// The prolog of its node has failed, say: Slurm has begun it there, and takes it back to hold it.
TEST(RepairTest, AJobThatSlurmCouldNotBeginOnItsNodesIsAFailedStart) {
  for (const std::uint32_t priority : {0U, 1000U}) {
    Job job = started(Seconds(1));
    job.priority = priority;
    job.restarts = 1;
    job.eligible = kNow + Seconds(120);
    job.reason = "JobHeldAdmin";
    job.launch_failure = "launch failed requeued held";
    const auto changes = repairs_of(job);
    ASSERT_THAT(changes, SizeIs(1)) << priority;
    EXPECT_EQ(changes[0].gate, Gate::close);
    EXPECT_EQ(changes[0].holds, std::nullopt) << "nobody holds it";
    const auto note = read_note(*changes[0].admin_comment);
    ASSERT_TRUE(note) << *changes[0].admin_comment;
    EXPECT_EQ(note->refusals, 1);
    EXPECT_EQ(obstacle_of(note->refusal_code), Obstacle::unknown) << "it counts";
    EXPECT_EQ(note->refusal, "launch_failed_requeued_held");
    job.priority = 0;
    job.admin_comment = *changes[0].admin_comment;
    EXPECT_THAT(repairs_of(job), IsEmpty()) << "it counts once";
  }
}

TEST(HoldTest, AJobThatIsRequeuedToBeHeldIsHeldByItsUser) {
  const Job job = requeued_held();
  EXPECT_EQ(holds_of(job), kUserHold);
  const auto changes = repairs_of(job);
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].gate, Gate::close);
  EXPECT_EQ(changes[0].holds, kUserHold);
}

TEST(HoldTest, TheGateOverridesTheHoldOfARequeuedJob) {
  Job job = requeued_held();
  job.passed_gate = true;
  EXPECT_EQ(holds_of(job), 0u) << "it was released before anybody looked";
  EXPECT_EQ(repairs_of(job).at(0).holds, std::nullopt);
  job.holds = kAdminHold;
  EXPECT_EQ(holds_of(job), kAdminHold);
}

TEST(HoldTest, AStartTakesTheMarksOfTheGateAway) {
  EXPECT_EQ(start(waiting(7), {"n1"})->holds, 0u);
}

TEST(HoldTest, AJobThatIsRequeuedOrdinarilyWaitsForMaui) {
  Job job = requeued_held();
  job.requeued_held = false;
  EXPECT_EQ(holds_of(job), 0u);
  EXPECT_EQ(repairs_of(job).at(0).holds, std::nullopt);
}

TEST(RepairTest, RunningAndEndedJobsAreLeftAlone) {
  Job job = running(7, "n1");
  job.priority = 1000;
  EXPECT_THAT(repairs_of(job), IsEmpty());
  job.state = JobState::complete;
  EXPECT_THAT(repairs_of(job), IsEmpty());
}

TEST(RepairTest, AJobThatSlurmMayStartItselfIsHeld) {
  Job job = waiting(7);
  job.priority = 1000;
  const auto changes = repairs_of(job);
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].gate, Gate::close);
  EXPECT_TRUE(changes[0].admin_comment) << "the gate lets pass only what names it";
}

TEST(WaitingRecordsTest, TheGateAloneHoldsWhomNobodyElseDoes) {
  Cluster cluster;
  cluster.jobs = {waiting(7), waiting(8), waiting(9), waiting(10), waiting(11)};
  cluster.jobs[1].holds = kUserHold;
  cluster.jobs[2].state = JobState::running;
  cluster.jobs[3].priority = 1;
  cluster.jobs[4].het_job = 11;
  EXPECT_THAT(waiting_records(cluster, HeldBy::gate), ElementsAre("7"));
  EXPECT_THAT(waiting_records(cluster, HeldBy::administrator), IsEmpty());
}

// Slurm would take the array's own name for all of its tasks, those that are held, too.
TEST(WaitingRecordsTest, TasksOfAnArrayAreNamedApartFromThoseThatAreHeld) {
  Cluster cluster;
  cluster.jobs = {waiting(9), waiting(10)};
  for (Job& job : cluster.jobs) job.array_job = 9;
  cluster.jobs[0].array_tasks = "0-1,3%2";
  cluster.jobs[1].array_task = 2;
  cluster.jobs[1].holds = kUserHold | kAdminHold;
  EXPECT_THAT(waiting_records(cluster, HeldBy::gate), ElementsAre("9_[0-1,3]"));
  EXPECT_THAT(waiting_records(cluster, HeldBy::administrator), ElementsAre("9_2"));
}

TEST(StartTest, VeryManyTasksOnManyNodesAreCountedByNode) {
  constexpr int kNodes = 10'000, kTasks = 10 * kNodes;
  Cluster cluster;
  for (int i = 0; i < kNodes; ++i) cluster.nodes.push_back(node("n" + std::to_string(i), 16));
  Names task_list;
  for (int i = 0; i < kTasks; ++i) task_list.push_back("n" + std::to_string(i % kNodes));
  const Surroundings all(cluster, kNow);
  const auto change = start_change(with_tasks(kTasks), task_list, all);
  ASSERT_TRUE(change) << change.error().what;
  EXPECT_EQ(change->min_nodes, kNodes);
  EXPECT_EQ(read_note(*change->admin_comment)->shares, std::vector<int>(kNodes, 10));
}

// The array's own name stands for all of its tasks, those that run, too.
TEST(RepairTest, ARecordOfSeveralTasksIsNamedByThem) {
  Job job = waiting(9);
  job.array_job = 9;
  job.array_tasks = "0-1,3%2";
  job.priority = 1000;
  const auto changes = repairs_of(job);
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].job, "9_[0-1,3]");
}

}  // namespace
}  // namespace maui::slurm
