// Jobs as sstat prints them.
#include "slurm/usage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cluster_builders.h"

namespace maui::slurm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(UsageTest, StepsOfAJobAddUp) {
  const auto usage = read_usage(
      "7.extern|cpu=00:00:00,energy=0,fs/disk=2012,mem=1M,pages=0,vmem=4M\n"
      "7.batch|cpu=00:01:30,energy=0,fs/disk=2012,mem=1548K,pages=0,vmem=217.5M\n"
      "7.0|cpu=1-00:00:01,mem=2G,vmem=3G\n"
      "12.batch|cpu=00:05.500,mem=1048576\n");
  ASSERT_EQ(usage.size(), 2U);
  EXPECT_DOUBLE_EQ(usage.at(7).cpu_seconds.value(), 86400 + 1 + 90);
  EXPECT_EQ(usage.at(7).memory, 1 + 2 + 2048);
  EXPECT_EQ(usage.at(7).swap, 4 + 218 + 3072);
  EXPECT_DOUBLE_EQ(usage.at(12).cpu_seconds.value(), 5.5);
  EXPECT_EQ(usage.at(12).memory, 1);
}

TEST(UsageTest, SkipsMalformedUsage) {
  for (const char* odd : {"", "\n\n", "sstat: error: no steps", "x|cpu=1", "7.batch|", "7.batch"})
    EXPECT_TRUE(read_usage(odd).empty()) << odd;
  const auto usage = read_usage("7.0|cpu=often,mem=much,=,fs\n");
  ASSERT_EQ(usage.size(), 1U);
  EXPECT_EQ(usage.at(7), JobUse{});
}

TEST(UsageTest, RunningJobsAreAskedFor) {
  Cluster cluster;
  cluster.jobs = {waiting(1), running(2, "n1"), running(3, "n1")};
  EXPECT_THAT(running_jobs(cluster), ElementsAre(2, 3));
  EXPECT_THAT(usage_arguments({2, 3}).back(), "--jobs=2,3");
}

}  // namespace
}  // namespace maui::slurm
