#include "slurm/start.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cluster_builders.h"

namespace maui::slurm {
namespace {

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
  return repairs({{job}, {}, {}, {}}, kNow, kPatience);
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
  const auto change = start_change(with_tasks(3), Names{"n1", "n1", "n2"}, kNow);
  ASSERT_TRUE(change);
  EXPECT_EQ(change->job, "7");
  EXPECT_EQ(change->gate, Gate::open);
  EXPECT_EQ(change->required_nodes, "n1,n2");
  EXPECT_EQ(change->min_nodes, 2);
  EXPECT_EQ(change->max_nodes, 2);
  EXPECT_EQ(change->min_cpus, std::nullopt);
  EXPECT_FALSE(change->begin_now);
  EXPECT_EQ(change->admin_comment, "maui start=1000000 nodes=1-0 set=2 cpus=1");
}

TEST(StartTest, AnEvenSpreadIsForcedByTheCpusOfEachNode) {
  Job job = with_tasks(4);
  job.cpus_per_task = 2;
  job.cpus = 8;
  EXPECT_EQ(start_change(job, Names{"n1", "n2", "n1", "n2"}, kNow)->min_cpus, 4);
}

TEST(StartTest, AJobThatCameBackDoesNotWaitSlurmsDelay) {
  Job job = with_tasks(1);
  job.restarts = 1;
  EXPECT_TRUE(start_change(job, Names{"n1"}, kNow)->begin_now);
}

TEST(StartTest, ASecondStartKeepsWhatTheOwnerAskedFor) {
  Job job = started(Seconds(0));
  job.priority = 0;
  job.admin_comment = "maui nodes=1-0 set=2 cpus=1 on=n2";
  job.required_nodes = "n2";
  job.min_cpus = 1;
  const auto change = start_change(job, Names{"n2"}, kNow);
  ASSERT_TRUE(change);
  EXPECT_EQ(change->admin_comment, "maui start=1000000 nodes=1-0 set=1 cpus=1 on=n2");
}

TEST(StartTest, WhatIsNotToBeStartedIsRefusedWithTheReason) {
  EXPECT_THAT(start_change(with_tasks(2), Names{"n1"}, kNow).error().what, HasSubstr("2 tasks"));
  EXPECT_THAT(start_change(running(7, "n1"), Names{"n1"}, kNow).error().what,
              HasSubstr("not pending"));
  Job job = with_tasks(1);
  job.holds = kUserHold;
  EXPECT_THAT(start_change(job, Names{"n1"}, kNow).error().what, HasSubstr("held"));
  EXPECT_THAT(start_change(started(Seconds(1)), Names{"n1"}, kNow).error().what,
              HasSubstr("already"));
}

TEST(RepairTest, AJobThatWaitsNeedsNothing) { EXPECT_THAT(repairs_of(waiting(7)), IsEmpty()); }

TEST(RepairTest, AStartIsTakenBackWhenPatienceIsOver) {
  EXPECT_THAT(repairs_of(started(Seconds(30))), IsEmpty());
  const auto changes = repairs_of(started(Seconds(31)));
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].gate, Gate::close);
  EXPECT_EQ(changes[0].required_nodes, "n2");
  EXPECT_EQ(changes[0].min_cpus, 1);
  EXPECT_EQ(changes[0].admin_comment, "maui nodes=1-0 set=2 cpus=1 on=n2");
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

TEST(RepairTest, WhoRunsOrRanIsLeftAlone) {
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

}  // namespace
}  // namespace maui::slurm
