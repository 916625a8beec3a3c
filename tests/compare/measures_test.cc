#include "compare/measures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "compare/changes.h"
#include "compare/comparison.h"
#include "compare/groups.h"
#include "compare/outcomes.h"
#include "compare/shares.h"
#include "compare/timeline.h"

namespace maui::compare {
namespace {

using test::job;
using test::outcome_of;

double measure(const Outcome& outcome, std::string_view name) {
  return find_measure(name)->of(measures_of(outcome));
}

TEST(DistributionTest, APartIsTheValueThatSoManyDoNotExceed) {
  std::vector<double> values;
  for (int i = 100; i >= 1; --i) values.push_back(i);
  const auto of = distribution_of(values);
  EXPECT_DOUBLE_EQ(of.mean, 50.5);
  EXPECT_EQ(of.median, 50);
  EXPECT_EQ(of.p95, 95);
  EXPECT_EQ(of.p99, 99);
  EXPECT_EQ(of.worst, 100);
  EXPECT_EQ(distribution_of({7}).p95, 7);
  EXPECT_EQ(distribution_of({}).worst, 0);
}

TEST(DistributionTest, AgreesWithCountingForEachValue) {
  std::mt19937 random(17);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> values(1 + random() % 300);
    for (double& value : values) value = static_cast<double>(random() % 50);
    const auto of = distribution_of(values);
    const auto least = [&](int percent) {
      double best = 1e9;
      for (const double candidate : values) {
        const auto within = std::count_if(values.begin(), values.end(),
                                          [&](double value) { return value <= candidate; });
        if (within * 100 >= static_cast<std::ptrdiff_t>(values.size()) * percent)
          best = std::min(best, candidate);
      }
      return best;
    };
    ASSERT_EQ(of.median, least(50));
    ASSERT_EQ(of.p95, least(95));
    ASSERT_EQ(of.p99, least(99));
  }
}

TEST(MeasuresTest, WaitIsAllTimeInTheSystemWithoutTheRun) {
  auto requeued = job("a", 0, 100, 300);
  requeued.run = Seconds(200);  // suspended for 100
  EXPECT_EQ(requeued.wait(), Seconds(200));
}

TEST(MeasuresTest, SlowdownCountsTenSecondsAtLeast) {
  EXPECT_DOUBLE_EQ(bounded_slowdown(job("a", 0, 90, 10)), 10);
  EXPECT_DOUBLE_EQ(bounded_slowdown(job("a", 0, 99, 1)), 10);
  EXPECT_DOUBLE_EQ(bounded_slowdown(job("a", 0, 0, 1)), 1);
}

TEST(MeasuresTest, XFactorIsByTheLimit) {
  EXPECT_DOUBLE_EQ(xfactor(job("a", 0, 3600, 1800, 1, 3600)), 1.5);
}

TEST(MeasuresTest, UtilisationIsOfTheTimeFromTheFirstSubmissionToTheLastEnd) {
  const auto outcome = outcome_of({job("a", 0, 0, 100, 10), job("b", 50, 50, 100, 5)});
  EXPECT_DOUBLE_EQ(measure(outcome, "makespan"), 200);
  EXPECT_DOUBLE_EQ(measure(outcome, "utilisation"), 75);
  EXPECT_DOUBLE_EQ(measure(outcome, "queue.mean"), 0.25);
  EXPECT_DOUBLE_EQ(measure(outcome, "queue.worst"), 1);
}

TEST(MeasuresTest, AJobThatStartsAsAnotherComesDoesNotWaitBesideIt) {
  const auto outcome = outcome_of({job("a", 0, 10, 100), job("b", 10, 10, 100)});
  EXPECT_DOUBLE_EQ(measure(outcome, "queue.worst"), 1);
}

TEST(MeasuresTest, BackfilledSharesAreOfJobsAndOfProcessorHours) {
  auto jobs = std::vector{job("a", 0, 0, 100, 9), job("b", 0, 0, 100, 1)};
  jobs[1].backfilled = true;
  const auto outcome = outcome_of(jobs);
  EXPECT_DOUBLE_EQ(measure(outcome, "backfilled.jobs"), 50);
  EXPECT_DOUBLE_EQ(measure(outcome, "backfilled.prochours"), 10);
}

TEST(MeasuresTest, FairnessIsJainsIndexOfTheUsersMeanSlowdowns) {
  EXPECT_DOUBLE_EQ(jain_index(std::vector<double>{2, 2, 2}), 1);
  EXPECT_DOUBLE_EQ(jain_index(std::vector<double>{1, 0, 0, 0}), 0.25);
  auto jobs = std::vector{job("a", 0, 0, 100), job("b", 0, 200, 100)};  // 1 and 3
  jobs[1].who[CredentialKind::user] = 1;
  EXPECT_DOUBLE_EQ(measure(outcome_of(jobs), "fairness"), 16.0 / 20);
}

TEST(MeasuresTest, NothingOfNoJobs) {
  for (const Measure& measure : measures())
    EXPECT_EQ(measure.of(measures_of(outcome_of({}))), measure.name == "fairness" ? 1 : 0)
        << measure.name;
}

TEST(MeasuresTest, NamesAreDifferent) {
  std::set<std::string_view> names;
  for (const Measure& measure : measures())
    EXPECT_TRUE(names.insert(measure.name).second) << measure.name;
}

TEST(GroupsTest, ASizeGroupsJobsAboveThePreviousSize) {
  PlotSettings plot;
  plot.max_procs = 8;
  plot.proc_scale = 4;
  const SizeClasses classes(plot);
  EXPECT_EQ(classes.sizes(), (std::vector<std::string>{"1", "2", "4", "8", "more"}));
  const auto outcome = outcome_of(
      {job("a", 0, 0, 1, 3), job("b", 0, 0, 1, 4), job("c", 0, 0, 1, 9), job("d", 0, 0, 1, 1)});
  const auto groups = groups_of(outcome, *find_grouping("size"), classes);
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups[0].name, "1");
  EXPECT_EQ(groups[1].name, "4");
  EXPECT_EQ(groups[1].jobs.size(), 2U);
  EXPECT_EQ(groups[2].name, "more");
}

TEST(GroupsTest, CredentialsComeByTheirProcessorHours) {
  auto jobs = std::vector{job("a", 0, 0, 10), job("b", 0, 0, 100)};
  jobs[1].who[CredentialKind::user] = 1;
  const auto groups = groups_of(outcome_of(jobs), *find_grouping("user"), SizeClasses({}));
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].name, "bob");
  EXPECT_EQ(groups_of(outcome_of(jobs), *find_grouping("class"), SizeClasses({})).front().name,
            "-");
}

TEST(TimelineTest, AgreesWithACountOfEachSecond) {
  std::mt19937 random(5);
  for (int round = 0; round < 20; ++round) {
    const auto outcome = test::random_outcome(random, 30);
    const Time begin(0), end(12000);
    const auto line = timeline_of(outcome, begin, end, 50);
    const auto step = static_cast<std::size_t>(line.step.raw());
    std::vector<double> busy(line.busy.size()), waiting(line.busy.size());
    for (std::size_t second = 0; second < step * busy.size(); ++second) {
      const Time now(static_cast<std::int64_t>(second));
      for (const auto& job : outcome.jobs) {
        if (job.started <= now && now < job.ended)
          busy[second / step] += static_cast<double>(job.procs);
        if (job.submitted <= now && now < job.started) waiting[second / step] += 1;
      }
    }
    for (std::size_t i = 0; i < busy.size(); ++i) {
      ASSERT_NEAR(line.busy[i], busy[i] / static_cast<double>(step), 1e-6);
      ASSERT_NEAR(line.waiting[i], waiting[i] / static_cast<double>(step), 1e-6);
    }
  }
}

TEST(TimelineTest, EveryJobIsInOneStepOfWaits) {
  const auto steps = wait_steps(outcome_of(
      {job("a", 0, 0, 1), job("b", 0, 60, 1), job("c", 0, 61, 1), job("d", 0, 9999999, 1)}));
  EXPECT_EQ(steps[0].jobs, 1);
  EXPECT_EQ(steps[1].jobs, 1);
  EXPECT_EQ(steps[2].jobs, 1);
  EXPECT_EQ(steps.back().jobs, 1);
}

TEST(SharesTest, AShareIsOfAllThatWasDelivered) {
  auto jobs = std::vector{job("a", 0, 0, 100, 3), job("b", 0, 0, 100, 1)};
  jobs[1].who[CredentialKind::user] = 1;
  auto outcome = outcome_of(jobs);
  outcome.targets = {{CredentialKind::user, "ann", 50}, {CredentialKind::user, "eve", 20}};
  const auto shares = shares_of(outcome);
  ASSERT_EQ(shares.size(), 2U);
  EXPECT_DOUBLE_EQ(shares[0].delivered, 75);
  EXPECT_DOUBLE_EQ(shares[1].delivered, 0);
}

TEST(ChangesTest, ARunIsTheBasesWhereEveryJobRanWhenItDidThere) {
  const auto a = job("a", 0, 10, 20), b = job("b", 0, 10, 20), later = job("b", 0, 11, 20);
  auto other = test::outcome_of({b, a});
  other.variant = "other";
  auto moved = test::outcome_of({a, later});
  moved.variant = "moved";
  auto fewer = test::outcome_of({a});
  fewer.variant = "fewer";
  auto broken_off = other;
  broken_off.unfinished = true;
  EXPECT_EQ(same_as_base(compare_outcomes(
                "log", {test::outcome_of({a, b}), moved, other, fewer, broken_off}, {})),
            std::vector<std::string>{"other"});
}

TEST(ChangesTest, TheJobThatWaitsLessWins) {
  const auto before = outcome_of({job("a", 0, 100, 1), job("b", 0, 0, 1), job("c", 0, 5, 1)});
  const auto after = outcome_of({job("b", 0, 70, 1), job("a", 0, 10, 1), job("d", 0, 5, 1)});
  const auto changes = changes_between(before, after, 10);
  EXPECT_EQ(changes.sooner, 1);
  EXPECT_EQ(changes.later, 1);
  EXPECT_EQ(changes.same, 0);
  ASSERT_EQ(changes.winners.size(), 1U);
  EXPECT_EQ(changes.winners[0].after->name, "a");
  EXPECT_EQ(changes.winners[0].more(), Seconds(-90));
  EXPECT_EQ(changes.losers[0].after->name, "b");
  ASSERT_EQ(changes.user_winners.size(), 1U);
  EXPECT_DOUBLE_EQ(changes.user_winners[0].before, 50);
  EXPECT_DOUBLE_EQ(changes.user_winners[0].after, 40);
  EXPECT_EQ(longest_waits(before, 1).front()->name, "a");
}

}  // namespace
}  // namespace maui::compare
