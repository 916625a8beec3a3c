#include "learning/due_jobs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace maui {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr JobId kA{0U}, kB{1U}, kC{2U}, kD{3U};
constexpr UserId kAmy{0U}, kBob{1U};

std::vector<JobId> all(DueJobs& due) {
  std::vector<JobId> found;
  while (const auto job = due.next()) found.push_back(*job);
  return found;
}

TEST(DueJobsTest, AJobThatComesOrChangesIsFreshOnce) {
  DueJobs due;
  due.arrived(kA, kAmy);
  EXPECT_TRUE(due.any_fresh());
  EXPECT_THAT(due.take_fresh(), ElementsAre(kA));
  EXPECT_FALSE(due.any_fresh());
  due.changed(kA);
  EXPECT_THAT(due.take_fresh(), ElementsAre(kA));
  EXPECT_THAT(all(due), IsEmpty());
}

TEST(DueJobsTest, AnEndMakesTheJobsOfItsUserDue) {
  DueJobs due;
  due.arrived(kA, kAmy);
  due.arrived(kB, kBob);
  due.arrived(kC, kAmy);
  due.arrived(kD, {});
  due.learned_from(kA);
  due.gone(kA);
  EXPECT_FALSE(due.knows(kA));
  EXPECT_TRUE(due.outdated(kC));
  EXPECT_FALSE(due.outdated(kB));
  EXPECT_THAT(all(due), ElementsAre(kC));
  due.looked_at(kC);
  EXPECT_FALSE(due.outdated(kC));
}

TEST(DueJobsTest, AUserWhoseJobsEndAllTheTimeKeepsNobodyWaiting) {
  DueJobs due;
  for (const JobId job : {kA, kB, kC}) due.arrived(job, kAmy);
  due.arrived(kD, kBob);
  due.learned_from(kA);
  due.learned_from(kD);
  bool bobs = false;
  for (int i = 0; i < 2; ++i) {
    bobs = bobs || due.next() == kD;
    due.learned_from(kA);
  }
  EXPECT_TRUE(bobs);
}

TEST(DueJobsTest, RemainingJobsComeNextTime) {
  DueJobs due;
  for (const JobId job : {kA, kB, kC}) due.arrived(job, kAmy);
  due.arrived(kD, kBob);
  due.make_all_due();
  EXPECT_EQ(due.next(), kA);
  due.learned_from(kD);  // has its place already
  due.learned_from(kB);  // all of them, from where it stopped
  EXPECT_THAT(all(due), ElementsAre(kD, kB, kC, kA)) << "users in turn";
}

TEST(DueJobsTest, AJobThatMovesIsNotLeftOut) {
  DueJobs due;
  for (const JobId job : {kA, kB, kC}) due.arrived(job, kAmy);
  due.make_all_due();
  EXPECT_EQ(due.next(), kA);
  due.gone(kA);  // C stands in its place
  EXPECT_THAT(all(due), ElementsAre(kB, kC));
}

TEST(DueJobsTest, AUserWithoutJobsHoldsUpNobody) {
  DueJobs due;
  due.arrived(kA, kAmy);
  due.arrived(kB, kBob);
  due.learned_from(kA);
  due.gone(kA);
  due.learned_from(kB);
  EXPECT_THAT(all(due), ElementsAre(kB));
}

TEST(DueJobsTest, NothingIsDueOnceThatIsForgotten) {
  DueJobs due;
  due.arrived(kA, kAmy);
  due.make_all_due();
  due.forget_all_due();
  EXPECT_FALSE(due.any_fresh());
  EXPECT_THAT(all(due), IsEmpty());
  due.make_all_due();
  EXPECT_THAT(all(due), ElementsAre(kA));
}

}  // namespace
}  // namespace maui
