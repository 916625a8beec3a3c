#include "learning/job_runs.h"

#include <gtest/gtest.h>

#include "support/scenario.h"

namespace maui {
namespace {

using test::hours;
using test::kNow;
using test::minutes;
using test::procs;
using test::Scenario;

TEST(JobRunsTest, AJobIsKnownByItsUserNameProcessorsAndLimit) {
  const Cluster cluster = Scenario()
                              .nodes(1, procs(4))
                              .job("a")
                              .by("amy")
                              .tasks(3)
                              .limit(hours(2))
                              .change_job([](Job& job) { job.executable = "solve"; })
                              .job("b")
                              .change_job([](Job& job) {
                                job.executable = "solve";
                                job.title = "waves";
                              })
                              .build();
  const JobTraits traits = traits_of(cluster, cluster.job(test::job_named(cluster, "a")));
  EXPECT_EQ(traits.user, "amy");
  EXPECT_EQ(traits.name, "solve");
  EXPECT_EQ(traits.procs, 3);
  EXPECT_EQ(traits.limit, hours(2));
  EXPECT_EQ(learned_name(cluster.job(test::job_named(cluster, "b"))), "waves");
}

TEST(JobRunsTest, SuspendedTimeIsNoRun) {
  const Cluster cluster = Scenario().nodes(1, procs(4)).job("a").build();
  Job job = cluster.job(test::job_named(cluster, "a"));
  job.started = kNow;
  job.ended = kNow + minutes(50);
  job.suspended_time = minutes(20);
  EXPECT_EQ(pace_of(cluster, job), 1);
  EXPECT_EQ(run_at_speed_1(cluster, job), minutes(30));
}

TEST(JobRunsTest, ARunOnFasterNodesCountsAsALongerRunOnUsualNodes) {
  const Cluster cluster = Scenario()
                              .nodes(1, procs(4))
                              .change_nodes([](Node& node) { node.speed = 2; })
                              .job("a")
                              .change_request([](Request& request) { request.by_speed = true; })
                              .running_on({{"n1", 1}})
                              .build();
  Job job = cluster.job(test::job_named(cluster, "a"));
  job.ended = job.started + minutes(10);
  EXPECT_EQ(pace_of(cluster, job), 2);
  EXPECT_EQ(run_at_speed_1(cluster, job), minutes(20));
}

TEST(JobRunsTest, WholeSecondsAreOver) {
  EXPECT_EQ(at_pace(Seconds(3), 1), Seconds(3));
  EXPECT_EQ(at_pace(Seconds(3), 1.5), Seconds(4));
}

}  // namespace
}  // namespace maui
