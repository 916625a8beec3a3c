#include "slurm/notices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cluster_builders.h"
#include "slurm/start_note.h"

namespace maui::slurm {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr Time kStart = kNow + Seconds(3600);

class NoticesTest : public testing::Test {
 protected:
  NoticesTest() {
    cluster.jobs = {waiting(7)};
    cluster.jobs[0].admin_comment = words_of_wait(cluster.jobs[0]);
  }
  static JobNotice planned(const std::string& job, Time start) { return {job, "", start, ""}; }
  /// Returns what is changed, and changes it.
  std::vector<Change> changes(Time now) {
    const auto made = notices.changes(cluster, now);
    for (const Change& change : made)
      if (change.job == "7") cluster.jobs[0].admin_comment = *change.admin_comment;
    return made;
  }

  Cluster cluster;
  Notices notices;
};

TEST_F(NoticesTest, NothingIsChangedBeforeTheSchedulerHasSpoken) {
  cluster.jobs[0].admin_comment = "maui: planned to start soon";
  EXPECT_THAT(changes(kNow), IsEmpty());
  notices.take({}, true);
  ASSERT_THAT(changes(kNow), SizeIs(1));
  EXPECT_EQ(cluster.jobs[0].admin_comment, words_of_wait(cluster.jobs[0]));
}

TEST_F(NoticesTest, APlannedStartIsShownAndGoesAgain) {
  notices.take({}, true);
  EXPECT_THAT(changes(kNow), IsEmpty()) << "the gate has said it";
  notices.take({planned("7", kStart)}, false);
  ASSERT_THAT(changes(kNow), SizeIs(1));
  EXPECT_THAT(cluster.jobs[0].admin_comment, testing::StartsWith("maui: planned to start "));
  EXPECT_THAT(cluster.jobs[0].admin_comment, HasSubstr("waits since "));
  EXPECT_THAT(changes(kNow + Seconds(1)), IsEmpty());
  notices.take({{"7", "", kForever, ""}}, false);
  EXPECT_THAT(changes(kNow + Seconds(61)), SizeIs(1));
  EXPECT_EQ(cluster.jobs[0].admin_comment, words_of_wait(cluster.jobs[0]));
}

TEST_F(NoticesTest, AChangeIsShownOnceAMinuteAndASmallOneNever) {
  notices.take({planned("7", kStart)}, true);
  EXPECT_THAT(changes(kNow), SizeIs(1));
  notices.take({planned("7", kStart + Seconds(1200))}, false);
  EXPECT_THAT(changes(kNow + Seconds(59)), IsEmpty());
  EXPECT_THAT(changes(kNow + Seconds(60)), SizeIs(1));
  notices.take({planned("7", kStart + Seconds(1100))}, false);
  EXPECT_THAT(changes(kNow + Seconds(200)), IsEmpty()) << "a tenth of the time until then";
}

TEST_F(NoticesTest, WhyMauiHoldsAJobIsShown) {
  notices.take({{"7", "", kForever, "no account"}}, true);
  ASSERT_THAT(changes(kNow), SizeIs(1));
  EXPECT_EQ(cluster.jobs[0].admin_comment, "maui: held: no account");
}

TEST_F(NoticesTest, TheNoteOfAnEarlierStartStays) {
  cluster.jobs[0].admin_comment = "maui nodes=2-4 set=2 cpus=1";
  notices.take({planned("7", kStart)}, true);
  ASSERT_THAT(changes(kNow), SizeIs(1));
  const auto note = read_note(cluster.jobs[0].admin_comment);
  ASSERT_TRUE(note);
  EXPECT_EQ(note->max_nodes, 4);
  EXPECT_THAT(note->words, HasSubstr("planned"));
}

TEST_F(NoticesTest, OnlyWaitingJobsAreChanged) {
  cluster.jobs.push_back(running(8, "n1"));
  cluster.jobs.push_back(waiting(9));
  cluster.jobs.back().priority = 1000;
  notices.take({planned("8", kStart), planned("9", kStart)}, true);
  EXPECT_THAT(changes(kNow), IsEmpty());
}

TEST_F(NoticesTest, TasksOfOneRecordShowTheFirstPlannedStart) {
  Job record = waiting(20);
  record.array_job = 20;
  record.array_tasks = "1-4%2";
  cluster.jobs.push_back(record);
  notices.take({planned("20_2", kStart + Seconds(600)), planned("20_3", kStart)}, true);
  const auto made = changes(kNow);
  ASSERT_THAT(made, SizeIs(1));
  EXPECT_EQ(made[0].job, "20_[1-4]");
  notices.take({planned("7", kStart)}, true);
  EXPECT_THAT(*changes(kNow + Seconds(1))[0].admin_comment,
              HasSubstr(made[0].admin_comment->substr(0, 40)))
      << "the same time";
}

TEST_F(NoticesTest, FewAreChangedAtOnce) {
  cluster.jobs.clear();
  std::vector<JobNotice> all;
  for (std::uint32_t id = 1; id <= 50; ++id) {
    cluster.jobs.push_back(waiting(id));
    all.push_back(planned(std::to_string(id), kStart));
  }
  notices.take(all, true);
  EXPECT_THAT(changes(kNow), SizeIs(20));
  EXPECT_THAT(changes(kNow), IsEmpty()) << "in the same second";
}

}  // namespace
}  // namespace maui::slurm
