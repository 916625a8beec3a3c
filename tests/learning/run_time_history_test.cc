#include "learning/run_time_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace maui {
namespace {

using testing::DoubleEq;

constexpr Time kThen{1000};

JobTraits amy(int procs, std::int64_t limit, std::string_view name = {}) {
  return {"amy", name, procs, Seconds(limit)};
}
double mean(const RunTimeHistory& history, const JobTraits& job) {
  return history.expect(job).expected().mean;
}

TEST(RunTimeHistoryTest, AJobOfWhichNothingIsKnownIsExpectedToRunForItsLimit) {
  const auto run = RunTimeHistory().expect(amy(4, 3600));
  EXPECT_EQ(run.expected().mean, 3600);
  EXPECT_NEAR(run.expected().geometric_mean, 3600, 1e-6);
  EXPECT_THAT(run.expected().urgency, DoubleEq(1.0 / 3600));
  EXPECT_EQ(run.quantile(0.05), 3600);
  EXPECT_EQ(run.similar(), 0);
}

// One run in each of the six rings: each leaves half of what is left, until next to nothing is.
TEST(RunTimeHistoryTest, NarrowKindsCountBeforeWideKindsAndTheLimitForTheRest) {
  RunTimeHistory history;
  history.learn(amy(4, 1000), Seconds(100), kThen);
  const double by_rings = 1 - 1.0 / 64, rest = 1.0 / 64;
  EXPECT_THAT(mean(history, amy(4, 1000)), DoubleEq(by_rings * 100 + rest * 1000));
}

TEST(RunTimeHistoryTest, TheNewestRunsCountMost) {
  RunTimeHistory history;
  history.learn(amy(1, 1000), Seconds(100), kThen);
  history.learn(amy(1, 1000), Seconds(900), kThen);
  const double rising = mean(history, amy(1, 1000));
  RunTimeHistory other;
  other.learn(amy(1, 1000), Seconds(900), kThen);
  other.learn(amy(1, 1000), Seconds(100), kThen);
  EXPECT_GT(rising, 500);
  EXPECT_LT(mean(other, amy(1, 1000)), 500);
}

TEST(RunTimeHistoryTest, AKindKeepsItsLastEightRuns) {
  RunTimeHistory history;
  for (int i = 0; i < 9; ++i) history.learn(amy(1, 1000), Seconds(i == 0 ? 7 : 50), kThen);
  EXPECT_EQ(history.expect(amy(1, 1000)).quantile(0), 50);
  EXPECT_EQ(history.expect(amy(1, 1000)).similar(), 8);
}

TEST(RunTimeHistoryTest, ANameDistinguishesJobsWithEqualRequests) {
  RunTimeHistory history;
  for (int i = 0; i < 8; ++i) {
    history.learn(amy(1, 1000, "short"), Seconds(10), kThen);
    history.learn(amy(1, 1000, "long"), Seconds(900), kThen);
  }
  EXPECT_LT(history.expect(amy(1, 1000, "short")).quantile(0.5), 11);
  EXPECT_EQ(history.expect(amy(1, 1000, "long")).quantile(0.5), 900);
}

TEST(RunTimeHistoryTest, ARunThatIsLongerThanTheLimitCountsAsTheLimit) {
  RunTimeHistory history;
  history.learn(amy(1, 1000), Seconds(800), kThen);
  const auto run = history.expect(amy(1, 300));
  for (const auto& value : run.values()) EXPECT_LE(value.seconds, 300);
  history.learn(amy(1, 1000), Seconds(5000), kThen);  // it ended late
  EXPECT_EQ(history.expect(amy(1, 1000)).quantile(1), 1000);
}

TEST(RunTimeHistoryTest, RunsOfOthersCountByTheirPartOfTheLimit) {
  RunTimeHistory history;
  history.learn({"bob", {}, 1, Seconds(1000)}, Seconds(100), kThen);
  EXPECT_EQ(history.expect(amy(1, 2000)).quantile(0), 200);
  EXPECT_EQ(history.expect(amy(1, 2000)).similar(), 0);
}

TEST(RunTimeHistoryTest, ARunOfNoTimeCountsAsOneSecond) {
  RunTimeHistory history;
  history.learn(amy(1, 1000), Seconds(0), kThen);
  const auto run = history.expect(amy(1, 1000));
  EXPECT_EQ(run.quantile(0), 1);
  EXPECT_TRUE(std::isfinite(run.expected().geometric_mean));
}

TEST(RunTimeHistoryTest, AJobWithoutALimitHasAFiniteExpectation) {
  RunTimeHistory history;
  history.learn({"amy", {}, 1, kUnlimited}, Seconds(100), kThen);
  EXPECT_GT(mean(history, {"amy", {}, 1, kUnlimited}), 100);
  EXPECT_TRUE(std::isfinite(mean(history, {"bob", {}, 1, kUnlimited})));
}

TEST(RunTimeHistoryTest, ForgetsUsersWithoutRecentRuns) {
  RunTimeHistory history;
  history.learn(amy(1, 1000), Seconds(100), Time(1000));
  history.learn({"bob", {}, 64, Seconds(9000)}, Seconds(10), Time(5000));
  history.forget_before(Time(2000));
  EXPECT_EQ(history.users(), 1U);
  EXPECT_EQ(history.expect(amy(1, 1000)).similar(), 0);
  EXPECT_EQ(history.expect({"bob", {}, 64, Seconds(9000)}).similar(), 1);
  history.forget_before(Time(6000));
  EXPECT_EQ(history.rings(), 0U);
}

TEST(RunTimeHistoryTest, ForgetsWhatCameFromACheckpointToo) {
  RunTimeHistory before, after;
  before.learn(amy(1, 1000), Seconds(100), Time(1000));
  after.learn({"bob", {}, 64, Seconds(9000)}, Seconds(10), Time(5000));
  for (const auto& ring : before.kept())
    if (ring.of == RunTimeHistory::Of::user) after.restore(ring);
  EXPECT_EQ(after.users(), 2U);
  after.forget_before(Time(2000));
  EXPECT_EQ(after.users(), 1U);
  after.forget_before(Time(5000));
  EXPECT_EQ(after.users(), 1U);
}

TEST(RunTimeHistoryTest, AUserHasNoMoreThanSoManyKinds) {
  RunTimeHistory history;
  for (int i = 1; i <= 10000; ++i) history.learn(amy(1, i), Seconds(1), Time(i));
  EXPECT_LE(history.rings(), RunTimeHistory::kMostRings + 20);
  EXPECT_EQ(history.expect(amy(1, 10000)).similar(), 1);  // the newest are known still
  EXPECT_EQ(history.expect(amy(1, 1)).similar(), 0);
  RunTimeHistory at_once;
  for (int i = 1; i <= 10000; ++i) at_once.learn(amy(1, i), Seconds(1), kThen);
  EXPECT_LE(at_once.rings(), RunTimeHistory::kMostRings + 20);
}

TEST(RunTimeHistoryTest, AllUsersTogetherHaveNoMoreThanSoManyKinds) {
  RunTimeHistory history, at_once;
  std::vector<std::string> names;
  for (int i = 0; i < 300; ++i) names.push_back("user" + std::to_string(i));
  const auto job = [&](int i) {
    return JobTraits{names[static_cast<std::size_t>(i) % names.size()], {}, 1, Seconds(1 + i)};
  };
  constexpr int kJobs = 120'000;
  for (int i = 0; i < kJobs; ++i) {
    history.learn(job(i), Seconds(1), Time(i));
    at_once.learn(job(i), Seconds(1), kThen);
  }
  EXPECT_LE(history.rings(), RunTimeHistory::kMostRingsOfUsers + 200);
  EXPECT_GE(history.rings(), RunTimeHistory::kMostRingsOfUsers / 2);
  EXPECT_EQ(history.expect(job(kJobs - 1)).similar(), 1);  // the newest are known still
  EXPECT_EQ(history.expect(job(0)).similar(), 0);
  EXPECT_LE(at_once.rings(), RunTimeHistory::kMostRingsOfUsers + 200);
  EXPECT_EQ(at_once.users(), names.size());
}

TEST(RunTimeHistoryTest, ARestoredHistoryExpectsTheSame) {
  RunTimeHistory history;
  for (int i = 0; i < 100; ++i)
    history.learn(
        {i % 3 == 0 ? "amy" : "bob", i % 2 == 0 ? "a" : "", 1 << i % 4, Seconds(600 * (1 + i % 5))},
        Seconds(37 * i), Time(i));
  RunTimeHistory again;
  const auto kept = history.kept();
  for (const auto& ring : kept) again.restore(ring);
  EXPECT_EQ(again.kept(), kept);
  EXPECT_EQ(again.rings(), history.rings());
  for (int i = 0; i < 20; ++i) {
    const JobTraits job{"amy", i % 2 == 0 ? "a" : "", 1 << i % 4, Seconds(600 * (1 + i % 5))};
    EXPECT_EQ(mean(again, job), mean(history, job));
  }
}

TEST(RunDistributionTest, TheRestOfARunIsTakenFromLongerRuns) {
  const RunDistribution run({{10, 0.5}, {100, 0.25}, {300, 0.25}}, Seconds(600), 2);
  EXPECT_EQ(run.mean_rest(Seconds(0)), 105);
  EXPECT_EQ(run.mean_rest(Seconds(10)), 190);
  EXPECT_EQ(run.quantile_after(Seconds(10), 0.5), 100);
  EXPECT_EQ(run.quantile_after(Seconds(100), 0.5), 300);
}

TEST(RunDistributionTest, ARunLongerThanAnyIsExpectedToGoOnAsLongAgainWithinItsLimit) {
  const RunDistribution run({{10, 1}}, Seconds(600), 1);
  EXPECT_EQ(run.mean_rest(Seconds(20)), 60);
  EXPECT_EQ(run.mean_rest(Seconds(200)), 200);
  EXPECT_EQ(run.mean_rest(Seconds(500)), 100);
  EXPECT_EQ(run.mean_rest(Seconds(700)), 0);
  EXPECT_FALSE(run.quantile_after(Seconds(10), 0.5));
}

}  // namespace
}  // namespace maui
