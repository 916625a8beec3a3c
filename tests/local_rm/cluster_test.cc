#include "local_rm/cluster.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "local_rm/server.h"

namespace maui {
namespace {

constexpr Time kNow{1'000'000};

class LocalClusterTest : public testing::Test {
 protected:
  static WikiJob job_of(int tasks, int procs = 1) {
    WikiJob job;
    job.report.user = "ann";
    job.report.request.limit = Seconds(60);
    job.report.request.requirements.front().tasks = tasks;
    job.report.request.requirements.front().per_task = Resources(procs);
    return job;
  }
  std::string submit(const std::string& command, int tasks = 1, int procs = 1) {
    const auto name = cluster.submit(job_of(tasks, procs), command, kNow);
    EXPECT_TRUE(name);
    return name ? *name : "";
  }
  /// The one record of jobs that begins with that name.
  std::string record(const std::string& name) const {
    for (const auto& one : cluster.job_records(Time(0)))
      if (one.starts_with(name + ":")) return one;
    return {};
  }
  bool says(const std::string& name, const std::string& what) const {
    return record(name).find(what) != std::string::npos;
  }
  /// Waits for the process of the job, the only one.
  void end(Time now = kNow) {
    siginfo_t about{};
    ASSERT_EQ(::waitid(P_ALL, 0, &about, WEXITED | WNOWAIT), 0);
    cluster.reap(now);
  }

  int changes = 0;
  LocalCluster cluster{EmulatedNodes{2, 2, 100, "n"}, Seconds(300), [this] { ++changes; }};
};

TEST_F(LocalClusterTest, JobsAreReportedInTheOrderInWhichTheyCame) {
  std::vector<std::string> names, reported;
  for (int i = 0; i < 12; ++i) names.push_back(submit("true"));
  for (const auto& record : cluster.job_records(Time(0)))
    reported.push_back(record.substr(0, record.find(':')));
  EXPECT_EQ(reported, names);
}

TEST_F(LocalClusterTest, AJobWaitsUntilItIsStartedAndEndsWithItsExitCode) {
  const auto name = submit("exit 3");
  EXPECT_TRUE(says(name, "STATE=Idle"));
  ASSERT_TRUE(cluster.start(name, {"n1"}, kNow));
  EXPECT_TRUE(says(name, "STATE=Running"));
  EXPECT_TRUE(says(name, "TASKLIST=n1"));
  end(kNow + Seconds(5));
  EXPECT_TRUE(says(name, "STATE=Completed"));
  EXPECT_TRUE(says(name, "EXITCODE=3"));
  EXPECT_TRUE(says(name, "COMPLETETIME=1000005"));
  EXPECT_EQ(changes, 2) << "it came, and it ended";
}

TEST_F(LocalClusterTest, AStartThatDoesNotFitTakesNothing) {
  const auto name = submit("true", 3);
  EXPECT_FALSE(cluster.start(name, {"n1", "n1"}, kNow)) << "a task short";
  EXPECT_FALSE(cluster.start(name, {"n1", "n1", "n1"}, kNow)) << "two processors";
  EXPECT_FALSE(cluster.start(name, {"n1", "n1", "n9"}, kNow)) << "no such node";
  EXPECT_FALSE(cluster.start("nosuch", {"n1"}, kNow));
  EXPECT_EQ(cluster.node_records(Time(0)).front().find("APROC=2") != std::string::npos, true);
  ASSERT_TRUE(cluster.start(name, {"n1", "n1", "n2"}, kNow));
  EXPECT_NE(cluster.node_records(Time(0)).front().find("STATE=Busy"), std::string::npos);
  EXPECT_FALSE(cluster.start(name, {"n1", "n1", "n2"}, kNow)) << "twice";
  end();
  EXPECT_NE(cluster.node_records(Time(0)).front().find("STATE=Idle"), std::string::npos);
}

TEST_F(LocalClusterTest, AJobPastItsLimitIsEnded) {
  const auto name = submit("sleep 100");
  ASSERT_TRUE(cluster.start(name, {"n1"}, kNow));
  cluster.tick(kNow + Seconds(61));
  end(kNow + Seconds(61));
  EXPECT_TRUE(says(name, "STATE=Removed"));
}

TEST_F(LocalClusterTest, ASuspendedJobGivesUpItsProcessorsAndResumes) {
  const auto name = submit("sleep 100", 2);
  ASSERT_TRUE(cluster.start(name, {"n1", "n1"}, kNow));
  ASSERT_TRUE(cluster.suspend(name, kNow));
  EXPECT_FALSE(cluster.suspend(name, kNow));
  EXPECT_NE(cluster.node_records(Time(0)).front().find("APROC=2"), std::string::npos);
  ASSERT_TRUE(cluster.resume(name, kNow + Seconds(10)));
  EXPECT_TRUE(says(name, "SUSPENDTIME=10"));
  ASSERT_TRUE(cluster.cancel(name, kNow));
  end();
  EXPECT_TRUE(says(name, "STATE=Removed"));
}

TEST_F(LocalClusterTest, ARequeuedJobWaitsAgain) {
  const auto name = submit("sleep 100");
  ASSERT_TRUE(cluster.start(name, {"n1"}, kNow));
  ASSERT_TRUE(cluster.requeue(name, kNow));
  end();
  EXPECT_TRUE(says(name, "STATE=Idle"));
  EXPECT_FALSE(says(name, "TASKLIST"));
}

TEST_F(LocalClusterTest, ACancelAfterARequeueCounts) {
  const auto name = submit("sleep 100");
  ASSERT_TRUE(cluster.start(name, {"n1"}, kNow));
  ASSERT_TRUE(cluster.requeue(name, kNow));
  ASSERT_TRUE(cluster.cancel(name, kNow));
  end();
  EXPECT_TRUE(says(name, "STATE=Removed"));
}

TEST_F(LocalClusterTest, AHeldJobIsNotStarted) {
  const auto name = submit("true");
  ASSERT_TRUE(cluster.hold(name, true, kNow));
  EXPECT_FALSE(cluster.start(name, {"n1"}, kNow));
  ASSERT_TRUE(cluster.hold(name, false, kNow));
  EXPECT_TRUE(cluster.start(name, {"n1"}, kNow));
  end();
}

TEST_F(LocalClusterTest, PurgesJobsThatEndedLongAgo) {
  const auto name = submit("true");
  ASSERT_TRUE(cluster.cancel(name, kNow));
  cluster.tick(kNow + Seconds(300));
  EXPECT_NE(record(name), "");
  cluster.tick(kNow + Seconds(301));
  EXPECT_EQ(record(name), "");
}

TEST_F(LocalClusterTest, ReportsOnlyChangesSinceAGivenTime) {
  submit("true");
  EXPECT_EQ(cluster.job_records(kNow).size(), 1u);
  EXPECT_TRUE(cluster.job_records(kNow + Seconds(1)).empty());
  EXPECT_TRUE(cluster.node_records(kNow).empty());
}

TEST(OneWordTest, AnyTextIsOneWordAndReadsBack) {
  for (const std::string& text :
       std::vector<std::string>{"echo \"a b\" | wc -l >x=y", "100% \t\n", "", "plain"}) {
    const auto word = one_word(text);
    EXPECT_EQ(word.find_first_of(" \t\n\"="), std::string::npos) << word;
    EXPECT_EQ(plain_words(word), text);
  }
}

}  // namespace
}  // namespace maui
