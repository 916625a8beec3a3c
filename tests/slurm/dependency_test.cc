#include "slurm/dependency.h"

#include <gtest/gtest.h>

#include "cluster_builders.h"

namespace maui::slurm {
namespace {

using enum Fulfilment;

/// Job 1 succeeded, 2 failed, 3 runs since half a minute, 4 waits; 20 is an array: its task 1
/// succeeded, 2 failed, 3 and 4 wait in one record.
std::vector<Job> others() {
  std::vector<Job> jobs = {ended(1), ended(2, JobState::failed, 3), running(3, "n1"), waiting(4)};
  for (const std::uint32_t task : {1u, 2u}) {
    jobs.push_back(
        ended(20 + task, task == 1 ? JobState::complete : JobState::failed, task == 1 ? 0 : 1));
    jobs.back().array_job = 20;
    jobs.back().array_task = task;
  }
  jobs.push_back(waiting(20));
  jobs.back().array_job = 20;
  jobs.back().array_tasks = "3-4";
  return jobs;
}

Fulfilment of(const std::string& dependency, std::optional<std::uint32_t> task = std::nullopt) {
  Job job = waiting(99);
  job.dependency = dependency;
  job.array_task = task;
  const auto jobs = others();
  return fulfilment(job, JobIndex(jobs), kNow);
}

TEST(DependencyTest, AJobWithoutADependencyDoesNotWait) { EXPECT_EQ(of(""), met); }

TEST(DependencyTest, AfterIsMetByAStart) {
  EXPECT_EQ(of("after:3(unfulfilled)"), met);
  EXPECT_EQ(of("after:1(unfulfilled)"), met);
  EXPECT_EQ(of("after:4(unfulfilled)"), open);
}

TEST(DependencyTest, AfterMayWaitMinutesFromTheStart) {
  EXPECT_EQ(of("after:3+1(unfulfilled)"), open);
  EXPECT_EQ(of("after:1+1(unfulfilled)"), open) << "it has ended, and the minute is not over";
  EXPECT_EQ(of("after:1+0(unfulfilled)"), met);
}

TEST(DependencyTest, AfterAnyIsMetByAnyEnd) {
  EXPECT_EQ(of("afterany:1"), met);
  EXPECT_EQ(of("afterany:2"), met);
  EXPECT_EQ(of("afterany:3"), open);
}

TEST(DependencyTest, AfterOkNeedsSuccess) {
  EXPECT_EQ(of("afterok:1(unfulfilled)"), met);
  EXPECT_EQ(of("afterok:2(unfulfilled)"), never);
  EXPECT_EQ(of("afterok:3(unfulfilled)"), open);
  EXPECT_EQ(of("afterok:1(failed)"), never);
}

TEST(DependencyTest, AfterNotOkNeedsAFailure) {
  EXPECT_EQ(of("afternotok:2"), met);
  EXPECT_EQ(of("afternotok:1"), never);
  EXPECT_EQ(of("afternotok:4"), open);
}

TEST(DependencyTest, AJobThatIsNotYetClearedAwayHasNotEnded) {
  Job job = waiting(99);
  job.dependency = "afterok:1";
  std::vector<Job> jobs = {ended(1)};
  jobs[0].completing = true;
  EXPECT_EQ(fulfilment(job, JobIndex(jobs), kNow), open);
}

TEST(DependencyTest, TasksOfAnArrayAreFoundInTheirOwnAndInSharedRecords) {
  EXPECT_EQ(of("afterok:20_1"), met);
  EXPECT_EQ(of("afterok:20_2"), never);
  EXPECT_EQ(of("afterok:20_3"), open);
  EXPECT_EQ(of("afterany:20_*"), open);
}

TEST(DependencyTest, AftercorrWaitsForTheTaskOfTheSameNumber) {
  EXPECT_EQ(of("aftercorr:20_*(unfulfilled)", 1), met);
  EXPECT_EQ(of("aftercorr:20_*(unfulfilled)", 3), open);
}

TEST(DependencyTest, AWholeArrayStandsAsAllOfItsTasksDo) {
  std::vector<Job> jobs = {running(21, "n1"), ended(22), waiting(20)};
  for (std::uint32_t i = 0; i < 3; ++i) jobs[i].array_job = 20;
  jobs[0].array_task = 1;
  jobs[1].array_task = 2;
  const auto stands = [&](const char* dependency) {
    Job job = waiting(99);
    job.dependency = dependency;
    return fulfilment(job, JobIndex(jobs), kNow);
  };
  EXPECT_EQ(stands("after:20"), open) << "some wait";
  EXPECT_EQ(stands("after:20_7"), open) << "it waits with them";
  jobs.pop_back();
  EXPECT_EQ(stands("after:20"), met);
  EXPECT_EQ(stands("after:20_*"), met);
  EXPECT_EQ(stands("after:20+1"), open) << "the last began half a minute ago";
  EXPECT_EQ(stands("after:20_7"), open) << "Slurm has forgotten it";
  EXPECT_EQ(stands("afterok:20"), open);
  EXPECT_EQ(stands("afternotok:20"), open);
  jobs[0].state = JobState::failed;
  EXPECT_EQ(stands("afterok:20"), never);
  EXPECT_EQ(stands("afternotok:20"), met);
  EXPECT_EQ(stands("after:20+1"), open) << "that it has ended makes no difference";
  jobs[0].started = jobs[1].started = kNow - Seconds(60);
  EXPECT_EQ(stands("after:20+1"), met);
  jobs[0].state = JobState::complete;
  EXPECT_EQ(stands("afterok:20"), met);
  EXPECT_EQ(stands("afternotok:20"), never);
}

TEST(DependencyTest, CommasWantAll) {
  EXPECT_EQ(of("afterok:1,afterany:2"), met);
  EXPECT_EQ(of("afterok:1,afterany:3"), open);
  EXPECT_EQ(of("afterany:3,afterok:2"), never);
  EXPECT_EQ(of("afterany:1:3"), open);
}

TEST(DependencyTest, QuestionMarksJoinAlternatives) {
  EXPECT_EQ(of("afterok:2?afterok:1"), met);
  EXPECT_EQ(of("afterok:2?afterok:3"), open);
  EXPECT_EQ(of("afterok:2?afternotok:1"), never);
}

TEST(DependencyTest, SingletonWaitsForItsNamesakes) {
  std::vector<Job> jobs = {running(3, "n1"), ended(4)};
  jobs[0].name = "weekly";
  jobs[1].name = "daily";
  Job job = waiting(99);
  job.dependency = "singleton(unfulfilled)";
  job.name = "weekly";
  EXPECT_EQ(fulfilment(job, JobIndex(jobs), kNow), open);
  job.name = "daily";
  EXPECT_EQ(fulfilment(job, JobIndex(jobs), kNow), met);
  job.name = "weekly";
  job.user = "bob";
  EXPECT_EQ(fulfilment(job, JobIndex(jobs), kNow), met);
}

TEST(DependencyTest, SingletonAlsoWaitsForAYoungerNamesakeThatIsActive) {
  std::vector<Job> jobs = {waiting(5), running(9, "n1")};
  for (Job& job : jobs) job.name = "weekly";
  jobs[0].dependency = "singleton(unfulfilled)";
  EXPECT_EQ(fulfilment(jobs[0], JobIndex(jobs), kNow), open);
  jobs[1].state = JobState::complete;
  EXPECT_EQ(fulfilment(jobs[0], JobIndex(jobs), kNow), met);
  jobs[1].completing = true;
  EXPECT_EQ(fulfilment(jobs[0], JobIndex(jobs), kNow), open) << "it is not cleared away yet";
  jobs[1] = waiting(9);
  jobs[1].name = "weekly";
  EXPECT_EQ(fulfilment(jobs[0], JobIndex(jobs), kNow), met);
  jobs[1].priority = 1000;
  EXPECT_EQ(fulfilment(jobs[0], JobIndex(jobs), kNow), open) << "it is about to start";
}

TEST(DependencyTest, UnknownDependenciesAreLeftToSlurm) {
  EXPECT_EQ(of("afterok:77"), open);
  EXPECT_EQ(of("afterburstbuffer:1"), open);
  EXPECT_EQ(of("expand"), open);
}

}  // namespace
}  // namespace maui::slurm
