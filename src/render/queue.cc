// showq: three sections with a line per job, or one section in detail.
#include <algorithm>

#include "render/as_text.h"
#include "render/cells.h"

namespace maui {
namespace {

/// The format of headings and jobs: name, user, state, processors, time, date.
constexpr std::string_view kColumns = "{:<{}} {:>{}} {:>10} {:>5} {:>11} {:>20}";

void use_lines(Lines& out, std::size_t jobs, const QueueUse& use) {
  const auto share = [](std::int64_t part, std::int64_t whole) {
    return percent(static_cast<double>(part), static_cast<double>(whole));
  };
  out.line("{:>6} Active Jobs  {:>6} of {:>4} Processors Active ({:.2f}%)", jobs, use.procs_active,
           use.procs_up, share(use.procs_active, use.procs_up));
  out.line("{:>26} of {:>4} Nodes Active      ({:.2f}%)", use.nodes_active, use.nodes_up,
           share(use.nodes_active, use.nodes_up));
}

/// Returns a column's width: the usual one, or more if a cell is longer.
template <class Row>
std::size_t width(const std::vector<Row>& rows, std::string Row::*cell, std::size_t usual) {
  for (const Row& row : rows) usual = std::max(usual, characters(row.*cell));
  return usual;
}

/// Returns the processors, or the nodes if chosen (DISPLAYFLAGS NODECENTRIC).
template <class Row>
std::int64_t size_of(const Row& job, const DisplayChoice& display) {
  return display.nodes ? job.nodes : job.procs;
}

template <class Row>
const std::string& group_of(const Row& job, const DisplayChoice& display) {
  return display.accounts ? job.account : job.group;
}

void waiting_section(Lines& out, std::string_view title, const std::vector<WaitingRow>& jobs,
                     const DisplayChoice& display) {
  const auto name = width(jobs, &WaitingRow::name, 18), user = width(jobs, &WaitingRow::user, 8);
  out.line("{}", title);
  out.line(kColumns, "JOBNAME", name, "USERNAME", user, "STATE", display.nodes ? "NODE" : "PROC",
           "WCLIMIT", "QUEUETIME");
  out.blank();
  for (const auto& job : jobs)
    out.line(kColumns, job.name, name, job.user, user, job.state, size_of(job, display),
             length(job.limit), date(job.queued));
  out.blank();
}

std::string expected_end(const std::optional<ExpectedEnd>& when) {
  if (!when) return fmt::format("{:>20} {:>20} {:>20} {:>4}", "-", "-", "-", 0);
  return fmt::format("{:>20} {:>20} {:>20} {:>4}", date(when->end), date(when->earliest),
                     date(when->latest), when->similar);
}

std::string_view short_qos(std::string_view qos) { return qos == "DEFAULT" ? "-" : head(qos, 2); }

}  // namespace

std::string as_text(const QueueReply& reply) {
  Lines out;
  const auto name = width(reply.active, &ActiveRow::name, 18);
  const auto user = width(reply.active, &ActiveRow::user, 8);
  out.line("ACTIVE JOBS--------------------");
  out.line(kColumns, "JOBNAME", name, "USERNAME", user, "STATE",
           reply.display.nodes ? "NODE" : "PROC", "REMAINING", "STARTTIME");
  out.blank();
  for (const auto& job : reply.active)
    out.line(kColumns, job.name, name, job.user, user, job.state, size_of(job, reply.display),
             length(job.remaining), date(job.started));
  out.blank();
  use_lines(out, reply.active.size(), reply.use);
  out.blank();
  waiting_section(out, "IDLE JOBS----------------------", reply.idle, reply.display);
  out.line("{} Idle Jobs", reply.idle.size());
  out.blank();
  waiting_section(out, "BLOCKED JOBS----------------", reply.blocked, reply.display);
  out.line("Total Jobs: {}   Active Jobs: {}   Idle Jobs: {}   Blocked Jobs: {}",
           reply.active.size() + reply.idle.size() + reply.blocked.size(), reply.active.size(),
           reply.idle.size(), reply.blocked.size());
  return out.take();
}

std::string as_text(const ActiveQueueReply& reply) {
  Lines out;
  const auto name = width(reply.jobs, &ActiveDetail::name, 18);
  const auto user = width(reply.jobs, &ActiveDetail::user, 9);
  out.line(
      "{:>{}}  S{} Par  Effic  XFactor  Q {:>{}} {:>8}    MHost {:>5}   Remaining            "
      "StartTime{}",
      "JobName", name, reply.verbose ? "   prio" : "", "User", user,
      reply.display.accounts ? "Account" : "Group", reply.display.nodes ? "Nodes" : "Procs",
      reply.ends ? fmt::format(" {:>20} {:>20} {:>20} {:>4}", "ExpectedEnd", "EarliestEnd",
                               "LatestEnd", "Like")
                 : "");
  out.blank();
  for (const auto& job : reply.jobs) {
    const char mark = job.preemptible ? '-' : job.backfilled ? '+' : ' ';
    out.line("{:>{}}{} {}{} {:>3} {:>6.2f} {:>8.1f} {:>2} {:>{}} {:>8} {:>8} {:>5} {:>11} {:>20}{}",
             job.name, name, mark, letter(job.state),
             reply.verbose ? fmt::format(" {:>6}", job.priority) : "", head(job.partition, 3),
             job.efficiency, job.xfactor, head(job.qos, 2), job.user, user,
             group_of(job, reply.display), job.main_host, size_of(job, reply.display),
             length(job.remaining), date(job.started),
             reply.ends ? " " + expected_end(job.expected_end) : "");
  }
  out.blank();
  out.line("{:>3} Jobs  {:>6} of {:>5} Processors Active ({:.2f}%)", reply.jobs.size(),
           reply.use.procs_active, reply.use.procs_up,
           percent(static_cast<double>(reply.use.procs_active),
                   static_cast<double>(reply.use.procs_up)));
  return out.take();
}

std::string as_text(const IdleQueueReply& reply) {
  Lines out;
  const auto name = width(reply.jobs, &IdleDetail::name, 18);
  const auto user = width(reply.jobs, &IdleDetail::user, 9);
  out.line(
      "{:>{}}    Priority  XFactor  Q {:>{}} {:>8} {:>6}     WCLimit     Class      "
      "SystemQueueTime",
      "JobName", name, "User", user, reply.display.accounts ? "Account" : "Group",
      reply.display.nodes ? "Nodes" : "Procs");
  out.blank();
  for (const auto& job : reply.jobs)
    out.line("{:>{}}{} {:>10} {:>8.1f} {:>2} {:>{}} {:>8} {:>6} {:>11} {:>9} {:>20}", job.name,
             name, job.reserved ? '*' : ' ', job.priority, job.xfactor, short_qos(job.qos),
             job.user, user, group_of(job, reply.display), size_of(job, reply.display),
             length(job.limit), job.job_class, date(job.queued));
  out.blank();
  const double hours =
      reply.procs_up == 0 ? 0 : reply.backlog_proc_hours / static_cast<double>(reply.procs_up);
  out.line("Jobs: {}  Total Backlog:  {:.2f} ProcHours  ({:.2f} Hours)", reply.jobs.size(),
           reply.backlog_proc_hours, hours);
  return out.take();
}

std::string as_text(const BlockedQueueReply& reply) {
  Lines out;
  const auto name = width(reply.jobs, &BlockedRow::name, 18);
  const auto user = width(reply.jobs, &BlockedRow::user, 9);
  out.line("{:>{}} {:>{}} {:>20}", "JobName", name, "User", user, "Reason");
  out.blank();
  for (const auto& job : reply.jobs)
    out.line("{:>{}} {:>{}} {}", job.name, name, job.user, user, job.reason);
  return out.take();
}

std::string as_text(const CompletedQueueReply& reply) {
  Lines out;
  const auto name = width(reply.jobs, &CompletedRow::name, 18);
  const auto user = width(reply.jobs, &CompletedRow::user, 9);
  out.line(
      "{:>{}}  S  CCode Par  Effic  XFactor  Q {:>{}} {:>8}    MHost {:>5}    WallTime            "
      "StartTime",
      "JobName", name, "User", user, reply.display.accounts ? "Account" : "Group",
      reply.display.nodes ? "Nodes" : "Procs");
  out.blank();
  for (const auto& job : reply.jobs) {
    const bool removed = job.state == "Removed";  // R would mean Running
    out.line(
        "{:>{}}{} {} {:>6} {:>3} {:>6.2f} {:>8.1f} {:>2} {:>{}} {:>8} {:>8} {:>5} {:>11} {:>20}",
        job.name, name, job.backfilled ? '+' : ' ', removed ? "X" : letter(job.state),
        completion_code(job), or_dash(head(job.partition, 3)), job.efficiency, job.xfactor,
        head(job.qos, 2), job.user, user, group_of(job, reply.display), or_dash(job.main_host),
        size_of(job, reply.display), length(job.run_time),
        job.started < 0 ? "-" : date(job.started));
  }
  out.blank();
  out.line("{:>3} Jobs", reply.jobs.size());
  return out.take();
}

}  // namespace maui
