#include "engine/accounts/statistics.h"

#include <gtest/gtest.h>

#include "support/scenario.h"

namespace maui::test {
namespace {

/// Ends "a" and returns the statistics of it alone.
Statistics after_completion(Cluster& cluster, const Settings& settings = {}) {
  const JobId a = job_named(cluster, "a");
  cluster.end_job(a, JobState::completed, kNow);
  Statistics statistics;
  statistics.account_completion(cluster, settings, a);
  return statistics;
}

TEST(StatisticsTest, ACompletedJobCountsForEverybodyAndForItsCredentials) {
  Cluster cluster = Scenario()
                        .nodes(1, procs(4))
                        .job("a")
                        .by("amy", "staff")
                        .queued(hours(2))
                        .limit(hours(4))
                        .running_on({{"n1", 2}}, hours(1))
                        .build();
  const Statistics statistics = after_completion(cluster);
  for (const JobTotals& totals : {statistics.all, statistics.users.at(cluster.users.find("amy"))}) {
    EXPECT_EQ(totals.jobs, 1);
    EXPECT_EQ(totals.successful, 1);
    EXPECT_DOUBLE_EQ(totals.queue_hours, 1);
    EXPECT_DOUBLE_EQ(totals.xfactor, 0.5);  // (1 h + 1 h) / 4 h
    EXPECT_DOUBLE_EQ(totals.accuracy, 0.25);
    EXPECT_DOUBLE_EQ(totals.requested_proc_seconds, 8 * 3600);
    EXPECT_DOUBLE_EQ(totals.dedicated_proc_seconds, 2 * 3600);
    EXPECT_DOUBLE_EQ(totals.utilised_proc_seconds, 2 * 3600);
  }
  EXPECT_TRUE(statistics.accounts.empty());
}

TEST(StatisticsTest, TheRecordedUseOfATraceIsTheEfficiency) {
  Cluster cluster = Scenario()
                        .nodes(1, procs(2))
                        .job("a")
                        .change_job([](Job& job) {
                          job.recorded = {hours(1), 1800.0};
                        })
                        .running_on({{"n1", 2}}, hours(1))
                        .build();
  const Statistics statistics = after_completion(cluster);
  EXPECT_DOUBLE_EQ(statistics.all.utilised_proc_seconds, 1800);
  EXPECT_DOUBLE_EQ(statistics.all.dedicated_proc_seconds, 7200);
}

std::int64_t on_target(const Settings& settings) {
  Cluster cluster = Scenario()
                        .nodes(1, procs(4))
                        .job("a")
                        .by("amy")
                        .qos("high")
                        .queued(hours(2))
                        .limit(hours(1))
                        .running_on({{"n1", 2}}, hours(1))
                        .build();
  return after_completion(cluster, settings).all.on_target;
}

TEST(StatisticsTest, AJobThatWaitedLongerThanItsTargetIsNotServedAsPromised) {
  Settings settings;
  EXPECT_EQ(on_target(settings), 1);
  settings.qos["high"].queue_time_target = hours(1);  // it waited one hour and ran one
  EXPECT_EQ(on_target(settings), 1);
  settings.qos["high"].queue_time_target = minutes(59);
  EXPECT_EQ(on_target(settings), 0);
  settings.qos["high"].queue_time_target.reset();
  settings.qos["high"].xfactor_target = 2;
  EXPECT_EQ(on_target(settings), 1);
  settings.users["DEFAULT"].xfactor_target = 1.9;
  EXPECT_EQ(on_target(settings), 0);
}

TEST(StatisticsTest, IntervalsSumWhatIsAvailable) {
  Cluster cluster = Scenario()
                        .nodes(2, procs(4))
                        .nodes(1, procs(4))
                        .state(NodeState::down)
                        .job("a")
                        .running_on({{"n1", 3}})
                        .build();
  Statistics statistics;
  statistics.account_interval(cluster, minutes(1));
  EXPECT_DOUBLE_EQ(statistics.available_proc_seconds, 480);
}

// Utilisation would exceed 100 % otherwise.
TEST(StatisticsTest, ProcessorsThatJobsHoldOnNodesThatAreDownCount) {
  Cluster cluster = Scenario()
                        .nodes(1, procs(4))
                        .nodes(1, procs(4))
                        .state(NodeState::down)
                        .job("a")
                        .running_on({{"n2", 3}})
                        .build();
  Statistics statistics;
  statistics.account_interval(cluster, minutes(1));
  EXPECT_DOUBLE_EQ(statistics.available_proc_seconds, 60 * (4 + 3));
  statistics.account_iteration(cluster, 0);
  EXPECT_DOUBLE_EQ(statistics.min_utilisation, 3.0 / 7);
  EXPECT_EQ(cluster.check(), std::nullopt);
}

TEST(StatisticsTest, MinimumUtilisationIsWatchedOnlyOnceJobsHaveStarted) {
  Cluster cluster = Scenario().nodes(1, procs(4)).job("a").tasks(2).build();
  Statistics statistics;
  statistics.account_iteration(cluster, 0);
  EXPECT_DOUBLE_EQ(statistics.min_utilisation, 1);
  cluster.start_job(job_named(cluster, "a"), {{node_named(cluster, "n1"), 2, 0}}, kNow);
  statistics.account_iteration(cluster, 1);
  statistics.account_iteration(cluster, 2);
  EXPECT_DOUBLE_EQ(statistics.min_utilisation, 0.5);
  EXPECT_EQ(statistics.min_utilisation_iteration, 1);
}

TEST(StatisticsTest, TheBacklogIsTheWorkThatTheQueueAsksFor) {
  Cluster cluster = Scenario().nodes(1, procs(4)).job("a").tasks(3).limit(hours(2)).build();
  Statistics statistics;
  statistics.account_iteration(cluster, 0);
  statistics.account_iteration(cluster, 1);
  EXPECT_DOUBLE_EQ(statistics.backlog_proc_hours, 12);
  EXPECT_EQ(statistics.iterations, 2);
}

TEST(StatisticsTest, ToDateMeansWithTheUseOfActiveJobsSinceStatisticsBegan) {
  Cluster cluster =
      Scenario().nodes(1, procs(4)).job("a").by("amy").running_on({{"n1", 2}}, hours(3)).build();
  Statistics statistics;
  statistics.restart(cluster, Settings(), kNow - hours(1));
  const Statistics shown = statistics.to_date(cluster, kNow);
  EXPECT_DOUBLE_EQ(shown.users.at(cluster.users.find("amy")).dedicated_proc_seconds, 7200);
  EXPECT_EQ(shown.all.jobs, 0);
  EXPECT_TRUE(statistics.users.empty());
}

// Else the shares of all users would not add up to 100 %.
TEST(StatisticsTest, ARunThatIsLostCountsForItsOwnerAndForAll) {
  Cluster cluster =
      Scenario().nodes(1, procs(4)).job("a").by("amy").running_on({{"n1", 2}}, hours(3)).build();
  Statistics statistics;
  statistics.account_lost_run(cluster, job_named(cluster, "a"), kNow);
  cluster.requeue_job(job_named(cluster, "a"), kNow);
  const auto& amy = statistics.users.at(cluster.users.find("amy"));
  EXPECT_DOUBLE_EQ(amy.dedicated_proc_seconds, 6 * 3600);
  EXPECT_DOUBLE_EQ(statistics.all.dedicated_proc_seconds, 6 * 3600);
  EXPECT_EQ(amy.jobs, 0);
}

TEST(StatisticsTest, ASuspendedJobCountsUntilItWasSuspended) {
  Cluster cluster =
      Scenario().nodes(1, procs(4)).job("a").by("amy").running_on({{"n1", 2}}, hours(3)).build();
  cluster.suspend_job(job_named(cluster, "a"), kNow);
  const Statistics shown = Statistics().to_date(cluster, kNow + hours(5));
  EXPECT_DOUBLE_EQ(shown.users.at(cluster.users.find("amy")).dedicated_proc_seconds, 6 * 3600);
}

}  // namespace
}  // namespace maui::test
