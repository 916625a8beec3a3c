#include "history/grid_reply.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "base/text.h"

namespace maui {
namespace {

/// A value as the quotient of two sums; a maximum stands by itself.
struct Quotient {
  double part = 0, whole = 1;
  double value() const { return whole > 0 ? part / whole : 0; }
};

struct GridStatistic {
  std::string_view name;
  std::string_view other_name;  // the guide's, if release 3.3 says processors for nodes
  double scale;                 // factor of the value: 100 for per cent
  /// Returns the value for the jobs of a cell, or for all; `all` are those of the whole grid.
  Quotient (*of)(const JobTotals& jobs, const JobTotals& all);
};

double count(std::int64_t value) { return static_cast<double>(value); }

constexpr GridStatistic kStatistics[] = {
    {"AVGXFACTOR", "", 1,
     [](const JobTotals& t, const JobTotals&) {
       return Quotient{t.xfactor, count(t.jobs)};
     }},
    {"MAXXFACTOR", "", 1,
     [](const JobTotals& t, const JobTotals&) { return Quotient{t.max_xfactor}; }},
    {"AVGQTIME", "", 1,
     [](const JobTotals& t, const JobTotals&) {
       return Quotient{t.queue_hours, count(t.jobs)};
     }},
    {"AVGBYPASS", "", 1,
     [](const JobTotals& t, const JobTotals&) {
       return Quotient{t.bypass, count(t.jobs)};
     }},
    {"MAXBYPASS", "", 1,
     [](const JobTotals& t, const JobTotals&) { return Quotient{count(t.max_bypass)}; }},
    {"JOBCOUNT", "", 1,
     [](const JobTotals& t, const JobTotals&) { return Quotient{count(t.jobs)}; }},
    {"PHREQUEST", "NHREQUEST", 100,
     [](const JobTotals& t, const JobTotals& all) {
       return Quotient{t.requested_proc_seconds / kHourSeconds,
                       all.requested_proc_seconds / kHourSeconds};
     }},
    {"PHRUN", "NHRUN", 100,
     [](const JobTotals& t, const JobTotals& all) {
       return Quotient{t.completed_proc_seconds / kHourSeconds,
                       all.completed_proc_seconds / kHourSeconds};
     }},
    {"WCACCURACY", "", 100,
     [](const JobTotals& t, const JobTotals&) {
       return Quotient{t.run_proc_seconds / kHourSeconds, t.requested_proc_seconds / kHourSeconds};
     }},
    {"BFCOUNT", "", 100,
     [](const JobTotals& t, const JobTotals&) {
       return Quotient{count(t.backfilled), count(t.jobs)};
     }},
    {"BFPHRUN", "BFNHRUN", 100,
     [](const JobTotals& t, const JobTotals&) {
       return Quotient{t.backfilled_proc_seconds, t.completed_proc_seconds};
     }},
    {"JOBEFFICIENCY", "", 100,
     [](const JobTotals& t, const JobTotals&) {
       return Quotient{t.utilised_proc_seconds / kHourSeconds,
                       t.dedicated_proc_seconds / kHourSeconds};
     }},
    {"QOSDELIVERED", "", 100,
     [](const JobTotals& t, const JobTotals&) {
       return Quotient{count(t.on_target), count(t.jobs)};
     }},
};

Result<const GridStatistic*> statistic_named(std::string_view command, std::string_view name) {
  std::string known;
  for (const GridStatistic& statistic : kStatistics) {
    const bool other = !statistic.other_name.empty() && same_word(name, statistic.other_name);
    if (other || same_word(name, statistic.name)) return &statistic;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", statistic.name);
  }
  return Error{fmt::format("{}: unknown statistic '{}': expected one of {}", command, name, known)};
}

/// Sums over a grid's rows, over its columns and over all of it.
struct Sums {
  explicit Sums(const Grid& grid) : rows(grid.procs().size()), columns(grid.limits().size()) {
    for (std::size_t row = 0; row < rows.size(); ++row)
      for (std::size_t column = 0; column < columns.size(); ++column) {
        rows[row] += grid.cell(row, column);
        columns[column] += grid.cell(row, column);
        all += grid.cell(row, column);
      }
  }
  std::vector<JobTotals> rows, columns;
  JobTotals all;
};

}  // namespace

Result<GridReply> grid_reply(std::string_view command, std::string_view name, const Grid& grid,
                             const Period& period) {
  const auto found = statistic_named(command, name);
  if (!found) return found.error();
  const GridStatistic& statistic = **found;
  const Sums sums(grid);
  const auto cell_of = [&](const JobTotals& jobs) {
    return GridCell{jobs.jobs > 0 ? statistic.scale * statistic.of(jobs, sums.all).value() : 0,
                    jobs.jobs};
  };
  GridReply reply;
  reply.statistic = statistic.name;
  reply.since = period.start.raw();
  if (period.end < kForever) reply.until = period.end.raw();
  reply.limits = grid.limits();
  for (std::size_t row = 0; row < sums.rows.size(); ++row) {
    GridRow& line =
        reply.rows.emplace_back(GridRow{grid.procs()[row], {}, cell_of(sums.rows[row])});
    for (std::size_t column = 0; column < sums.columns.size(); ++column)
      line.cells.push_back(cell_of(grid.cell(row, column)));
  }
  for (const JobTotals& column : sums.columns) reply.totals.push_back(cell_of(column));
  const Quotient overall = statistic.of(sums.all, sums.all);
  reply.overall = cell_of(sums.all).value;
  reply.part = overall.part;
  reply.whole = overall.whole;
  reply.proc_weighted = Quotient{sums.all.xfactor_procs, sums.all.procs}.value();
  reply.proc_second_weighted =
      Quotient{sums.all.xfactor_proc_seconds, sums.all.completed_proc_seconds}.value();
  reply.samples = sums.all.jobs;
  reply.outside = grid.outside();
  return reply;
}

}  // namespace maui
