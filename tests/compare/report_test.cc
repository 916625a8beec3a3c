#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

#include "compare/charts.h"
#include "compare/outcomes.h"
#include "compare/report_files.h"
#include "compare/report_html.h"
#include "compare/report_text.h"

namespace maui::compare {
namespace {

using test::job;
using testing::HasSubstr;
using testing::Not;

Comparison swapped_runs() {
  ::setenv("TZ", "UTC", 1);
  ::tzset();
  const std::int64_t begin = 1'000'000'000;
  auto first = test::outcome_of({job("a", begin, 0, 3600, 5), job("b", begin, 3600, 3600, 10)});
  auto second = test::outcome_of({job("a", begin, 3600, 3600, 5), job("b", begin, 0, 3600, 10)});
  second.variant = "NEW=1";
  second.jobs[1].backfilled = true;
  second.left = {{"c", "rejected by policy"}};
  return compare_outcomes("log", {first, second}, {});
}

TEST(ReportTextTest, MeasuresStandSideBySide) {
  EXPECT_EQ(comparison_text(swapped_runs(), 80),
            R"(log
2 jobs from Sun Sep  9 01:46:40 2001 on, 10 nodes, 10 processors

                                     base                 NEW=1
jobs that ran                           2            2
wait, mean                       00:30:00     00:30:00
wait, median                     00:00:00     00:00:00
wait, 95 %                        1:00:00      1:00:00
wait, worst                       1:00:00      1:00:00
slowdown, mean                       1.50         1.50
slowdown, 95 %                       2.00         2.00
XFactor, mean                        1.50         1.50
utilisation                        75.0 %       75.0 %
waiting jobs, mean                   0.50         0.50
backfilled jobs                     0.0 %       50.0 %      new
backfilled proc hours               0.0 %       66.7 %      new
fairness among users (Jain)          1.00         1.00
first submission to last end      2:00:00      2:00:00
jobs that never started                 0            1      new
)");
}

TEST(ReportTextTest, FurtherRunsStandInFurtherTables) {
  auto comparison = swapped_runs();
  comparison.runs.push_back(comparison.runs[1]);
  comparison.runs.push_back(comparison.runs[1]);
  const auto text = comparison_text(comparison, 80);
  std::size_t heads = 0;
  for (auto at = text.find(" base "); at != text.npos; at = text.find(" base ", at + 1)) ++heads;
  EXPECT_EQ(heads, 3U);
}

TEST(ReportTextTest, ChangesThatIncludeNothingMayBeChance) {
  auto comparison = swapped_runs();
  const auto at = static_cast<std::size_t>(find_measure("wait.mean") - measures().data());
  for (int i = 0; i < 40; ++i) {
    Resample one(2, std::vector<double>(measures().size()));
    one[1][at] = i - 1;
    comparison.resamples.push_back(one);
  }
  const auto interval = change_interval(comparison, 1, *find_measure("wait.mean"));
  EXPECT_EQ(interval.low, 1);    // two of forty are below
  EXPECT_EQ(interval.high, 36);  // and above
  EXPECT_TRUE(interval.clear());
  comparison.resamples.push_back(comparison.resamples[0]);
  comparison.resamples.push_back(comparison.resamples[0]);
  EXPECT_FALSE(change_interval(comparison, 1, *find_measure("wait.mean")).clear());
  EXPECT_THAT(resamples_text(comparison), HasSubstr("may be chance"));
}

TEST(ChartsTest, AScaleHasRoundNumbersAndRoomForAll) {
  for (const double most : {0.003, 0.7, 1.0, 9.0, 10.0, 11.0, 99.9, 100.0, 12345.0}) {
    const auto scale = scale_for(most);
    EXPECT_EQ(scale.front(), 0);
    EXPECT_GE(scale.back(), most * (1 - 1e-9));
    EXPECT_GE(scale.size(), 2U);
    EXPECT_LE(scale.size(), 7U) << most;
  }
  EXPECT_EQ(scale_for(100), (std::vector<double>{0, 20, 40, 60, 80, 100}));
  EXPECT_EQ(scale_for(0).size(), 2U);
}

TEST(ReportHtmlTest, NamesOfOthersAreNoMarkup) {
  auto comparison = swapped_runs();
  const std::string evil = "<script>alert('x')</script>&\"\x1b[2J";
  comparison.workload = evil;
  for (auto& run : comparison.runs) {
    run.outcome.variant = evil;
    run.outcome.names[CredentialKind::user][0] = evil;
    run.outcome.problems = {evil};
    run.outcome.left = {{evil, evil}};
    for (auto& one : run.outcome.jobs) one.name += evil;
    for (std::size_t i = 0; i < groupings().size(); ++i)
      if (groupings()[i].kind)
        for (auto& group : run.groups[i]) group.name += evil;
  }
  const auto page = comparison_html(comparison, {{evil, evil, Unit::ratio, {}}});
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("\x1b")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;"));
}

TEST(ReportFilesTest, ANameIsNoFormulaAndNoFurtherField) {
  auto comparison = swapped_runs();
  comparison.runs[0].outcome.variant = "=1+1,\"x\"";
  EXPECT_THAT(jobs_csv(comparison), HasSubstr("\n\"'=1+1,\"\"x\"\"\",a,ann,"));
}

}  // namespace
}  // namespace maui::compare
