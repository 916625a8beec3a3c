#include <gmock/gmock.h>

#include <map>
#include <vector>

#include "render/golden.h"

namespace maui {
namespace {

using testing::HasSubstr;

/// Where the eight jobs of the scenario that have ended stand: row, column, how many.
struct Place {
  std::size_t row, column;
  std::int64_t jobs;
};
constexpr Place kPlaces[] = {{0, 3, 2}, {0, 4, 1}, {0, 5, 1}, {1, 5, 1},
                             {1, 6, 1}, {3, 3, 1}, {3, 5, 1}};

/// The values of these places, of rows 1, 2 and 8, and of columns 0:16:00 to 2:08:00.
GridReply grid_of(const std::string& statistic, const std::vector<double>& values,
                  const std::vector<double>& rows, const std::vector<double>& columns) {
  GridReply grid;
  grid.statistic = statistic;
  grid.since = 1000000000;
  grid.samples = 8;
  for (int i = 0; i < 12; ++i) grid.limits.push_back(120 << i);
  for (int i = 0; i < 10; ++i)
    grid.rows.push_back({1 << i, std::vector<GridCell>(grid.limits.size()), {}});
  grid.totals.resize(grid.limits.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    grid.rows[kPlaces[i].row].cells[kPlaces[i].column] = {values[i], kPlaces[i].jobs};
  grid.rows[0].total = {rows[0], 4};
  grid.rows[1].total = {rows[1], 2};
  grid.rows[3].total = {rows[2], 2};
  constexpr std::int64_t kJobs[] = {3, 1, 3, 1};
  for (std::size_t i = 0; i < 4; ++i) grid.totals[3 + i] = {columns[i], kJobs[i]};
  return grid;
}

using GridText = GoldenTest;

TEST_F(GridText, Averages) {
  GridReply grid = grid_of("AVGXFACTOR", {1.05, 0.30, 0.12, 0.20, 0.11, 1.10, 0.12},
                           {0.63, 0.15, 0.61}, {1.07, 0.30, 0.14, 0.11});
  grid.overall = 0.5052;
  grid.proc_weighted = 0.5361;
  grid.proc_second_weighted = 0.6131;
  expect(grid, "showgrid_AVGXFACTOR");
  grid = grid_of("AVGQTIME", {0.05, 0.00, 0.02, 0.10, 0.02, 0.02, 0.02}, {0.03, 0.06, 0.02},
                 {0.04, 0.00, 0.04, 0.02});
  grid.overall = 0.0333;
  expect(grid, "showgrid_AVGQTIME");
  grid = grid_of("AVGBYPASS", {0, 0, 0, 1, 0, 0, 0}, {0, 0.5, 0}, {0, 0, 0.333, 0});
  grid.overall = 0.125;
  expect(grid, "showgrid_AVGBYPASS");
}

TEST_F(GridText, APeriodHasItsEnd) {
  GridReply grid;
  grid.statistic = "JOBCOUNT";
  grid.since = 1000000000;
  grid.until = 1000086400;
  CredentialStatisticsReply users;
  users.since = grid.since;
  users.until = grid.until;
  for (const Reply& reply : {Reply(grid), Reply(users)})
    EXPECT_THAT(render(reply, Format::text),
                HasSubstr("jobs from Sun Sep  9 01:46:40 2001 to Mon Sep 10 01:46:40 2001\n"));
}

TEST_F(GridText, Maxima) {
  GridReply grid = grid_of("MAXXFACTOR", {1.10, 0.30, 0.12, 0.20, 0.11, 1.10, 0.12},
                           {1.10, 0.20, 1.10}, {1.10, 0.30, 0.20, 0.11});
  grid.overall = 1.1;
  expect(grid, "showgrid_MAXXFACTOR");
  grid = grid_of("MAXBYPASS", {0, 0, 0, 1, 0, 0, 0}, {0, 1, 0}, {0, 0, 1, 0});
  grid.overall = 1;
  expect(grid, "showgrid_MAXBYPASS");
}

TEST_F(GridText, CountsAndShares) {
  GridReply grid = grid_of("JOBCOUNT", {2, 1, 1, 1, 1, 1, 1}, {4, 2, 2}, {3, 1, 3, 1});
  expect(grid, "showgrid_JOBCOUNT");
  grid = grid_of("PHREQUEST", {1.96, 1.96, 5.88, 11.76, 23.53, 7.84, 47.06}, {9.80, 35.29, 54.90},
                 {9.80, 1.96, 64.71, 23.53});
  grid.whole = 17;
  expect(grid, "showgrid_PHREQUEST");
  grid = grid_of("PHRUN", {7.85, 3.14, 3.14, 6.28, 12.57, 41.88, 25.13}, {14.14, 18.85, 67.02},
                 {49.74, 3.14, 34.55, 12.57});
  grid.whole = 3.18;
  expect(grid, "showgrid_PHRUN");
}

TEST_F(GridText, QuotientsSayOfWhat) {
  GridReply grid =
      grid_of("WCACCURACY", {75, 30, 10, 10, 10, 100, 10}, {27, 10, 22.86}, {95, 30, 10, 10});
  grid.overall = 18.725;
  expect(grid, "showgrid_WCACCURACY");
  grid = grid_of("BFCOUNT", {0, 100, 0, 0, 0, 0, 0}, {25, 0, 0}, {0, 100, 0, 0});
  grid.overall = 12.5;
  grid.part = 1;
  grid.whole = 8;
  expect(grid, "showgrid_BFCOUNT");
  grid = grid_of("BFPHRUN", {0, 100, 0, 0, 0, 0, 0}, {22.22, 0, 0}, {0, 100, 0, 0});
  grid.overall = 3.1414;
  grid.part = 360;
  grid.whole = 11460;
  expect(grid, "showgrid_BFPHRUN");
  grid = grid_of("JOBEFFICIENCY", {100, 100, 100, 100, 100, 100, 100}, {100, 100, 100},
                 {100, 100, 100, 100});
  grid.overall = 100;
  grid.part = grid.whole = 18.57;
  expect(grid, "showgrid_JOBEFFICIENCY");
  grid =
      grid_of("QOSDELIVERED", {50, 100, 0, 100, 0, 0, 100}, {50, 50, 50}, {33.33, 100, 66.67, 0});
  grid.overall = 50;
  grid.part = 4;
  grid.whole = 8;
  expect(grid, "showgrid_QOSDELIVERED");
}

}  // namespace
}  // namespace maui
