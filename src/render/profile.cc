// profiler and showstats -t: the jobs that ran in a period, and how well they were served.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "render/as_text.h"
#include "render/cells.h"
#include "render/statistic_lines.h"

namespace maui {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kSpreads{{
    {"queue_hours", "QTime (Hours)"},
    {"xfactor", "XFactor"},
    {"slowdown", "Slowdown"},
    {"bypass", "Bypass"},
}};

void spread_lines(Lines& out, const std::vector<SpreadRow>& spreads) {
  if (spreads.empty()) return;
  const bool ranks = spreads.front().median >= 0;
  out.blank();
  if (ranks)
    out.line("{:<18}{:>12}{:>12}{:>12}{:>12}{:>12}", "", "Mean", "Median", "95%", "99%", "Worst");
  else
    out.line("{:<18}{:>12}{:>12}", "", "Mean", "Worst");
  for (const auto& [name, title] : kSpreads)
    for (const SpreadRow& row : spreads) {
      if (row.name != name) continue;
      out.part("{:<18}{:>12.2f}", title, row.mean);
      if (ranks) out.part("{:>12.2f}{:>12.2f}{:>12.2f}", row.median, row.p95, row.p99);
      out.line("{:>12.2f}", row.worst);
    }
}

/// Adds the columns of showstats -u, except those about active jobs.
void credential_table(Lines& out, const CredentialStatisticsReply& table) {
  std::size_t width = 12;
  for (const auto& row : table.rows) width = std::max(width, characters(row.name));
  out.blank();
  out.line("{:<{}}{:>8} {:>6} {:>11} {:>6} {:>11} {:>6} {:>7} {:>8} {:>7} {:>6} {:>6}", table.kind,
           width, "Jobs", "%", "PHReq", "%", "PHDed", "%", "AvgXF", "MaxXF", "AvgQH", "Effic",
           "WCAcc");
  for (const auto& row : table.rows)
    out.line(
        "{}{:>{}} {:>6.2f} {:>11.1f} {:>6.2f} {:>11.1f} {:>6.2f} {:>7.2f} {:>8.2f} {:>7.2f} "
        "{:>6.2f} {:>6.2f}",
        row.name, row.jobs, width + 8 - characters(row.name),
        percent(static_cast<double>(row.jobs), static_cast<double>(table.completed_jobs)),
        row.requested_proc_hours, percent(row.requested_proc_hours, table.requested_proc_hours),
        row.dedicated_proc_hours, percent(row.dedicated_proc_hours, table.dedicated_proc_hours),
        row.average_xfactor, row.max_xfactor, row.average_queue_hours,
        std::max(row.efficiency, 0.0), std::max(row.accuracy, 0.0));
}

}  // namespace

std::string as_text(const ProfileReply& reply) {
  Lines out;
  out.blank();
  period_line(out, reply.since, reply.until);
  out.blank();
  count_share(out, "Successful/Completed Jobs:", reply.successful_jobs, reply.completed_jobs);
  count_share(out, "Backfilled/Completed Jobs:", reply.backfilled_jobs, reply.completed_jobs);
  if (reply.never_ran_jobs > 0)
    out.line("{:<30}{:>12}", "Removed While Waiting:", reply.never_ran_jobs);
  out.blank();
  hour_share(out, "Dedicated/Requested ProcHours:", reply.dedicated_proc_hours,
             reply.requested_proc_hours);
  if (reply.total_proc_hours >= 0)
    hour_share(out, "Dedicated/Total ProcHours:", reply.dedicated_proc_hours,
               reply.total_proc_hours);
  percent_line(out, "Avg WallClock Accuracy:", reply.wallclock_accuracy);
  percent_line(out, "Avg Job Proc Efficiency:", reply.job_efficiency);
  spread_lines(out, reply.spreads);
  for (const auto& table : reply.credentials) credential_table(out, table);
  std::string text = out.take();
  for (const auto& grid : reply.grids) text += as_text(grid);
  if (!reply.jobs.empty())
    text += "\n" + as_text(HistoryReply{0, reply.since, reply.until, reply.jobs});
  return text + "\n";
}

}  // namespace maui
