#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <set>

#include "base/outside_text.h"
#include "compare/charts.h"
#include "compare/outcomes.h"
#include "compare/pictures.h"
#include "compare/report_files.h"
#include "compare/report_html.h"
#include "compare/report_text.h"

namespace maui::compare {
namespace {

using test::job;
using test::outcome_of;
using testing::HasSubstr;
using testing::Not;

Comparison swapped_runs() {
  ::setenv("TZ", "UTC", 1);
  ::tzset();
  const std::int64_t begin = 1'000'000'000;
  auto first = outcome_of({job("a", begin, 0, 3600, 5), job("b", begin, 3600, 3600, 10)});
  auto second = outcome_of({job("a", begin, 3600, 3600, 5), job("b", begin, 0, 3600, 10)});
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
jobs that never started                 0            1   from 0
wait, mean                       00:30:00     00:30:00
wait, median                     00:00:00     00:00:00
wait, 95 %                        1:00:00      1:00:00
wait, worst                       1:00:00      1:00:00
slowdown, mean                       1.50         1.50
slowdown, 95 %                       2.00         2.00
XFactor, mean                        1.50         1.50
utilisation                        75.0 %       75.0 %
waiting jobs, mean                   0.50         0.50
backfilled jobs                     0.0 %       50.0 %   from 0
backfilled proc hours               0.0 %       66.7 %   from 0
fairness among users (Jain)          1.00         1.00
first submission to last end      2:00:00      2:00:00
)");
}

TEST(PicturesTest, ARunWithoutJobsLeavesThePeriodOfTheOthers) {
  auto comparison = swapped_runs();
  comparison.runs[1].outcome.jobs.clear();
  for (const auto& picture : pictures_of(comparison))
    EXPECT_THAT(picture.drawing, Not(HasSubstr("Jan  1"))) << picture.name;
  EXPECT_THAT(pictures_of(comparison).front().drawing, HasSubstr("Sep  9"));
  comparison.runs[0].outcome.jobs.clear();
  EXPECT_EQ(pictures_of(comparison).size(), 4U);
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

TEST(ReportTextTest, ReportsNoBoundsIfNothingIsRedrawn) {
  constexpr std::int64_t kWeek = 7 * kDaySeconds;
  const auto by = [](std::uint32_t user, JobOutcome outcome) {
    outcome.who[CredentialKind::user] = user;
    return outcome;
  };
  const auto ann = by(0, job("a", 100, 0, 1)), bob = by(1, job("b", 100 + kWeek, 0, 1));
  EXPECT_EQ(redrawn_part(outcome_of({ann, bob})), 0);
  EXPECT_EQ(redrawn_part(outcome_of({ann, bob, by(0, job("c", 99 + kWeek, 0, 1))})), 0);
  EXPECT_DOUBLE_EQ(redrawn_part(outcome_of({ann, bob, by(1, job("c", 100, 0, 1))})), 2.0 / 3);

  auto comparison = swapped_runs();
  EXPECT_EQ(resamples_text(comparison), "");
  comparison.redrawn = 0;
  EXPECT_THAT(resamples_text(comparison), HasSubstr("is unknown: no user has jobs in two weeks"));
  EXPECT_THAT(comparison_html(comparison, {}), HasSubstr("no user has jobs in two weeks"));
  comparison.redrawn = 0.2;
  comparison.resamples.assign(20, Resample(2, std::vector<double>(measures().size())));
  EXPECT_THAT(resamples_text(comparison), HasSubstr("Only 20 % of the jobs are of users"));
  comparison.redrawn = 0.7;
  EXPECT_EQ(resamples_text(comparison).find("Only"), std::string::npos);
}

TEST(ReportTextTest, CountsOneAndMany) {
  auto single = outcome_of({job("a", 0, 0, 1)});
  single.nodes = single.procs = 1;
  const auto head = [](Outcome outcome) {
    std::vector<Outcome> outcomes;
    outcomes.push_back(std::move(outcome));
    return comparison_text(compare_outcomes("log", std::move(outcomes), {}), 80);
  };
  EXPECT_THAT(head(single), HasSubstr("\n1 job from "));
  EXPECT_THAT(head(single), HasSubstr(", 1 node, 1 processor\n"));
  EXPECT_THAT(head(outcome_of({job("a", 0, 0, 1), job("b", 0, 0, 1)})),
              HasSubstr("\n2 jobs from "));
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

TEST(ChartsTest, LongNamesInALegendStandInLinesOfTheirOwn) {
  const auto legend = [](const std::vector<std::string>& names) {
    Chart chart{"waits", "jobs", {"", ""}, {}};
    for (const auto& name : names) chart.series.push_back({name, {1, 2}});
    const auto text = line_chart(chart, false);
    std::set<std::string> lines;
    for (const auto& name : names) {
      const auto at = text.find(">" + name + "</text>");
      EXPECT_NE(at, text.npos) << name << " is not there in full";
      const auto from = text.rfind("y=\"", at);
      lines.insert(text.substr(from, at - from));
    }
    return lines.size();
  };
  EXPECT_EQ(legend({"defaults", "BACKFILLPOLICY=NONE"}), 1U);
  EXPECT_EQ(legend({"defaults", "BACKFILLPOLICY=BESTFIT RESERVATIONDEPTH=1",
                    "BACKFILLPOLICY=BESTFIT RESERVATIONDEPTH=8"}),
            3U);
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
    for (auto& job : run.outcome.jobs) job.name += evil;
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

TEST(ReportFilesTest, ANameInATableOfValuesMovesNoCursorAndBeginsNoLine) {
  auto comparison = swapped_runs();
  const auto lines = [](const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
  };
  const auto jobs = lines(jobs_csv(comparison)), values = lines(measures_csv(comparison));
  const std::string evil = "\x1b]0;t\x07\nx\xC2\x9B\xE2\x80\xAE\xFF";
  for (auto& run : comparison.runs) {
    run.outcome.variant += evil;
    run.outcome.names[CredentialKind::user][0] += evil;
    for (auto& job : run.outcome.jobs) job.name += evil;
    for (auto& grouping : run.groups)
      for (auto& group : grouping) group.name += evil;
  }
  for (const auto& text : {jobs_csv(comparison), measures_csv(comparison)})
    EXPECT_EQ(printable_lines(text), text);
  EXPECT_EQ(lines(jobs_csv(comparison)), jobs);
  EXPECT_EQ(lines(measures_csv(comparison)), values);
}

}  // namespace
}  // namespace maui::compare
