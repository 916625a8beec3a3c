// showstats: a label and two numbers per line, or a line per credential.
#include "render/as_text.h"
#include "render/cells.h"
#include "render/statistic_lines.h"

namespace maui {
namespace {

void job_lines(Lines& out, const StatisticsReply& s) {
  count_share(out, "Eligible/Idle Jobs:", s.eligible_jobs, s.idle_jobs);
  out.line("{:<30}{:>10}", "Active Jobs:", s.active_jobs);
  count_share(out, "Successful/Completed Jobs:", s.successful_jobs, s.completed_jobs);
  if (s.verbose) out.line("{:<30}{:>10}", "Preempt Jobs:", s.preempted_jobs);
  pair_line(out, "Avg/Max QTime (Hours):", two_digits(s.average_queue_hours),
            two_digits(s.max_queue_hours));
  pair_line(out, "Avg/Max XFactor:", two_digits(s.average_xfactor), two_digits(s.max_xfactor));
  if (s.verbose)
    pair_line(out, "Avg/Max Bypass:", two_digits(s.average_bypass), two_digits(s.max_bypass));
}

std::string backlog(double value) { return value < 0 ? "<N/A>" : fmt::format("{:.2f}", value); }

std::string optional_cell(double value, bool known) {
  return known ? fmt::format("{:>6.2f}", value) : "------";
}

void credential_line(Lines& out, const CredentialStatisticsReply& all, const CredentialRow& row) {
  const bool completed = row.jobs > 0, ran = row.dedicated_proc_hours > 0;
  out.part("{:<9} {:>4} {:>5} {:>9.2f} ", row.name, row.active_jobs, row.active_procs,
           row.active_proc_hours);
  if (completed)
    out.part("{:>4} {:>6.2f} {:>6.1f} {:>6.2f} ", row.jobs,
             percent(static_cast<double>(row.jobs), static_cast<double>(all.completed_jobs)),
             row.requested_proc_hours, percent(row.requested_proc_hours, all.requested_proc_hours));
  else
    out.part("---- ------ ------ ------ ");
  if (ran)
    out.part("{:>6.1f} {:>6.2f} ", row.dedicated_proc_hours,
             percent(row.dedicated_proc_hours, all.dedicated_proc_hours));
  else
    out.part("------ ------ ");
  out.line("{} {} {} {} {} {}",
           row.fairshare_target >= 0 ? fmt::format("{:>5.2f}", row.fairshare_target) : "-----",
           optional_cell(row.average_xfactor, completed), optional_cell(row.max_xfactor, completed),
           optional_cell(row.average_queue_hours, completed),
           optional_cell(row.efficiency, row.efficiency >= 0),
           optional_cell(row.accuracy, completed && row.accuracy >= 0));
}

}  // namespace

std::string as_text(const StatisticsReply& s) {
  Lines out;
  out.blank();
  if (s.verbose) out.line("current scheduler time: {} ({})", date(s.now, true), s.now);
  out.line("maui active for {:>13}  stats initialized on {}", length(s.active_for), date(s.since));
  if (s.verbose)
    out.line("statistics for iteration {:>5}  scheduler started on {}", s.iteration,
             date(s.started));
  out.blank();
  job_lines(out, s);
  out.blank();
  hour_share(out, "Dedicated/Total ProcHours:", s.dedicated_proc_hours, s.total_proc_hours);
  if (s.verbose)
    hour_share(out, "Preempt/Dedicated ProcHours:", s.preempted_proc_hours, s.dedicated_proc_hours);
  out.blank();
  count_share(out, "Current Active/Total Procs:", s.active_procs, s.up_procs);
  if (s.verbose) count_share(out, "Current Active/Total Nodes:", s.active_nodes, s.up_nodes);
  out.blank();
  percent_line(out, "Avg WallClock Accuracy:", s.wallclock_accuracy);
  percent_line(out, "Avg Job Proc Efficiency:", s.job_efficiency);
  if (s.verbose)
    percent_line(out, "Min System Utilization:", s.min_utilisation,
                 fmt::format(" (on iteration {})", s.min_utilisation_iteration));
  pair_line(out, "Est/Avg Backlog (Hours):", backlog(s.estimated_backlog_hours),
            backlog(s.average_backlog_hours));
  if (s.unfinished) {
    out.blank();
    out.line("ended early: this is of an unfinished run");
  }
  return out.take();
}

std::string as_text(const CredentialStatisticsReply& reply) {
  Lines out;
  statistics_line(out, "initialized", reply.since, reply.until);
  out.blank();
  out.line(
      "         |------ Active ------|--------------------------------- Completed "
      "-----------------------------------|");
  out.line(
      "{:<9} Jobs Procs ProcHours Jobs    %    PHReq    %    PHDed    %   FSTgt  AvgXF  "
      "MaxXF  AvgQH  Effic  WCAcc",
      reply.kind);
  for (const auto& row : reply.rows) credential_line(out, reply, row);
  out.blank(2);
  return out.take();
}

std::string as_text(const StatisticsResetReply& reply) {
  return fmt::format("statistics reset on {}\n\n", date(reply.when));
}

}  // namespace maui
