#include "learning/like_jobs.h"

#include <gtest/gtest.h>

#include "support/scenario.h"

namespace maui {
namespace {

using test::job_named;
using test::minutes;
using test::procs;
using test::Scenario;

SharedRun expected_run(double seconds) {
  return std::make_shared<const RunDistribution>(
      std::vector<RunDistribution::Value>{{seconds, 1.0}}, Seconds(3600), 1);
}

TEST(LikeJobsTest, JobsThatAskForTheSameShareWhatIsExpected) {
  const Cluster cluster = Scenario()
                              .nodes(1, procs(4))
                              .job("a")
                              .job("other")
                              .limit(minutes(5))
                              .job("a2")
                              .job("hers")
                              .by("amy")
                              .job("named")
                              .change_job([](Job& job) { job.title = "waves"; })
                              .build();
  LikeJobs like(cluster, [](const Job&) { return expected_run(100); });
  const auto run = [&](const char* name) {
    return like.of(cluster.job(job_named(cluster, name))).run;
  };
  const SharedRun first = run("a");
  EXPECT_NE(run("other"), first);
  EXPECT_EQ(run("a2"), first);
  EXPECT_EQ(like.worked_out(), 2U);
  EXPECT_NE(run("hers"), first);
  EXPECT_NE(run("named"), first);
  EXPECT_EQ(like.worked_out(), 4U);
}

TEST(LikeJobsTest, AShortRunOnFewProcessorsIsWorthMost) {
  const Cluster cluster =
      Scenario().nodes(1, procs(4)).job("a").job("wide").tasks(4).job("long").by("amy").build();
  LikeJobs like(cluster, [&](const Job& job) {
    return expected_run(job.id == job_named(cluster, "long") ? 400 : 100);
  });
  const auto worth = [&](const char* name) {
    return like.of(cluster.job(job_named(cluster, name))).worth;
  };
  EXPECT_DOUBLE_EQ(worth("a"), 1.0 / 100 / 100);
  EXPECT_DOUBLE_EQ(worth("wide"), worth("a") / 2);
  EXPECT_DOUBLE_EQ(worth("long"), worth("a") / 16);
}

}  // namespace
}  // namespace maui
