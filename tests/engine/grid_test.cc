#include "engine/accounts/grid.h"

#include <gtest/gtest.h>

namespace maui {
namespace {

using Edges = std::vector<std::int64_t>;
constexpr std::int64_t kHour = 3600;

TEST(PlotEdges, ByDefaultTheyAreThoseOfRelease33) {
  const PlotSettings plot;
  EXPECT_EQ(plot_edges(plot.min_procs, plot.max_procs, plot.proc_scale),
            (Edges{1, 2, 4, 8, 16, 32, 64, 128, 256, 512}));
  const auto times = plot_edges(plot.min_time.raw(), plot.max_time.raw(), plot.time_scale);
  ASSERT_EQ(times.size(), 12U);
  EXPECT_EQ(times.front(), 120);
  EXPECT_EQ(times[1], 240);
  EXPECT_EQ(times.back(), 68 * kHour + 16 * 60);
}

// Appendix F, PLOTTIMESCALE: "columns for 2, 4, 8, 16, and 32 hours".
TEST(PlotEdges, FiveColumnsFromTwoToThirtyTwoHoursDouble) {
  EXPECT_EQ(plot_edges(2 * kHour, 32 * kHour, 5),
            (Edges{2 * kHour, 4 * kHour, 8 * kHour, 16 * kHour, 32 * kHour}));
}

// Appendix F, PLOTMINTIME and PLOTMINPROC: "between 1 and 64 hours", "between 1 and 1024".
TEST(PlotEdges, BothEndsOfTheRangeAreShown) {
  const auto times = plot_edges(kHour, 64 * kHour, 11);
  EXPECT_EQ(times.front(), kHour);
  EXPECT_EQ(times.back(), 64 * kHour);
  EXPECT_EQ(times.size(), 11U);
  const auto procs = plot_edges(1, 1024, 10);
  EXPECT_EQ(procs.front(), 1);
  EXPECT_EQ(procs.back(), 1024);
}

TEST(PlotEdges, StepsHaveAConstantRatioEvenIfItIsNotWhole) {
  EXPECT_EQ(plot_edges(1, 9, 3), (Edges{1, 3, 9}));
  EXPECT_EQ(plot_edges(100, 1000, 3), (Edges{100, 316, 1000}));
}

TEST(PlotEdges, ANarrowRangeHasNoEqualEdges) {
  EXPECT_EQ(plot_edges(1, 4, 9), (Edges{1, 2, 3, 4}));
  EXPECT_EQ(plot_edges(5, 5, 9), Edges{5});
  EXPECT_EQ(plot_edges(8, 2, 9), Edges{8});  // an empty range is its beginning
  EXPECT_EQ(plot_edges(1, 4, 1), Edges{4});
}

JobTotals one_job() {
  JobTotals job;
  job.jobs = 1;
  return job;
}

TEST(GridTest, AJobCountsInTheFirstCellWhoseEdgesItDoesNotExceed) {
  Grid grid{PlotSettings{}};
  grid.add(4, Seconds(240), one_job());
  grid.add(5, Seconds(241), one_job());
  grid.add(8, Seconds(480), one_job());
  EXPECT_EQ(grid.cell(2, 1).jobs, 1);
  EXPECT_EQ(grid.cell(3, 2).jobs, 2);
  EXPECT_EQ(grid.outside(), 0);
}

TEST(GridTest, JobsOutsideTheRangesAreCountedApart) {
  PlotSettings plot;
  plot.min_procs = 2;
  Grid grid{plot};
  grid.add(1, Seconds(240), one_job());
  grid.add(513, Seconds(240), one_job());
  grid.add(4, Seconds(119), one_job());
  grid.add(4, Seconds(69 * kHour), one_job());
  EXPECT_EQ(grid.outside(), 4);
  grid.add(512, Seconds(120), one_job());
  EXPECT_EQ(grid.outside(), 4);
}

TEST(JobTotalsTest, MaximaDoNotAddUp) {
  JobTotals a = one_job(), b = one_job();
  a.max_xfactor = 2;
  b.max_xfactor = 3;
  a.xfactor = 2;
  b.xfactor = 3;
  a += b;
  EXPECT_EQ(a.jobs, 2);
  EXPECT_EQ(a.max_xfactor, 3);
  EXPECT_EQ(a.xfactor, 5);
}

}  // namespace
}  // namespace maui
