// A scheduler on the model of availability alone, held against counting.
#include <gtest/gtest.h>

#include "support/easy_schedule.h"

namespace maui::test {
namespace {

void expect_starts(const std::vector<EasyJob>& jobs, const std::vector<EasyJob>& expected) {
  ASSERT_EQ(jobs.size(), expected.size());
  for (std::size_t i = 0; i < jobs.size(); ++i)
    ASSERT_EQ(jobs[i].start.raw(), expected[i].start.raw()) << "job " << i;
}

TEST(EasyOnTheModel, StartsEachJobWhenCountingProcessorsDoes) {
  auto expected = some_jobs(3000, 1), jobs = expected;
  easy_by_count(expected, 100);
  easy_by_model(jobs, 100);
  expect_starts(jobs, expected);
}

TEST(EasyOnTheModel, StartsNoJobElsewhenOnAMachineManyTimesAsLarge) {
  auto expected = some_jobs(1500, 2);
  auto jobs = times(expected, 50);
  easy_by_count(expected, 100);
  const auto effort = easy_by_model(jobs, 5000);
  expect_starts(jobs, expected);
  EXPECT_LT(effort.most_groups, 100U) << "groups do not grow with the machine";
}

}  // namespace
}  // namespace maui::test
