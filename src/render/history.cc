// showhist: ended jobs, past reservations, and the past load of the machine.
#include <algorithm>

#include "base/text.h"
#include "render/as_text.h"
#include "render/cells.h"

namespace maui {
namespace {

template <class Row>
std::size_t widest(const std::vector<Row>& rows, std::string Row::*member, std::size_t least) {
  for (const Row& row : rows) least = std::max(least, characters(row.*member));
  return least;
}

/// Returns the text padded with blanks by characters, not bytes.
std::string cell(std::string_view text, std::size_t width) {
  std::string filled(or_dash(text));
  filled.append(width - std::min(width, characters(filled)), ' ');
  return filled;
}

void time_line(Lines& out, std::int64_t since, std::int64_t until) {
  if (since > 0)
    out.line("from {} to {}", moment(since), moment(until));
  else
    out.line("up to {}", moment(until));  // since the beginning
  out.blank();
}

}  // namespace

std::string as_text(const HistoryReply& reply) {
  Lines out;
  const auto name = widest(reply.jobs, &CompletedRow::name, 10);
  const auto user = widest(reply.jobs, &CompletedRow::user, 8);
  const auto account = widest(reply.jobs, &CompletedRow::account, 8);
  const auto job_class = widest(reply.jobs, &CompletedRow::job_class, 6);
  time_line(out, reply.since, reply.until);
  out.line("{} {} {} {} {:>6}  {:<9} {:>5} {:<19} {:<19} {:<19} {:>11}", cell("JobName", name),
           cell("User", user), cell("Account", account), cell("Class", job_class), "Procs", "State",
           "CCode", "Submitted", "Started", "Ended", "WallTime");
  for (const auto& job : reply.jobs)
    out.line("{} {} {} {} {:>6}{} {:<9} {:>5} {:<19} {:<19} {:<19} {:>11}", cell(job.name, name),
             cell(job.user, user), cell(job.account, account), cell(job.job_class, job_class),
             job.procs, job.backfilled ? '+' : ' ', job.state, completion_code(job),
             moment(job.submitted), moment(job.started), moment(job.ended), length(job.run_time));
  out.blank();
  out.line("{} Jobs", reply.jobs.size());
  if (reply.left_out > 0)
    out.line("{} {} omitted: specify a shorter period", counted(reply.left_out, "earlier job"),
             by_number(reply.left_out, "is", "are"));
  return out.take();
}

std::string as_text(const ReservationHistoryReply& reply) {
  Lines out;
  const auto name = widest(reply.reservations, &PastReservationRow::name, 18);
  time_line(out, reply.since, reply.until);
  out.line("{} {:<14} {:<19} {:<19} {:>12} {:>6} {:>6}", cell("ReservationID", name), "Type",
           "Start", "End", "Duration", "Nodes", "Procs");
  for (const auto& reservation : reply.reservations)
    out.line("{} {:<14} {:<19} {:<19} {:>12} {:>6} {:>6}", cell(reservation.name, name),
             reservation.type, moment(reservation.start), moment(reservation.end),
             length(reservation.end - reservation.start), reservation.nodes, reservation.procs);
  out.blank();
  out.line("{} Reservations", reply.reservations.size());
  return out.take();
}

std::string as_text(const UtilisationHistoryReply& reply) {
  Lines out;
  time_line(out, reply.since, reply.until);
  out.line("{:<19} {:>10} {:>10} {:>7} {:>10} {:>10}", "Start", "BusyProcs", "UpProcs", "Busy%",
           "ActiveJobs", "IdleJobs");
  for (const auto& step : reply.steps)
    out.line("{:<19} {:>10.1f} {:>10.1f} {:>7.2f} {:>10.1f} {:>10.1f}", moment(step.start),
             step.busy_procs, step.up_procs, percent(step.busy_procs, step.up_procs),
             step.active_jobs, step.waiting_jobs);
  return out.take();
}

}  // namespace maui
