// showres, setres, releaseres.
#include "base/duration.h"
#include "base/text.h"
#include "render/as_text.h"
#include "render/cells.h"

namespace maui {
namespace {

constexpr std::size_t kNameAndType = 24;  // the width of name and type together

// Formats a time; more than 1,000 hours are INFINITY here (guide G, showres).
std::string time_cell(std::int64_t when, std::int64_t from) {
  return format_duration(when == -1 ? kUnlimited : Seconds(when - from), Seconds(1000 * 3600));
}

}  // namespace

std::string as_text(const ReservationsReply& reply) {
  Lines out;
  out.line("Reservations");
  out.blank();
  out.line("ReservationID       Type S       Start         End    Duration    N/P    StartTime");
  out.blank();
  for (const auto& r : reply.reservations)
    out.line("{} {} {:>11} {:>11} {:>11} {:>4}/{:<4} {}",
             name_and_type(r.name, r.type, kNameAndType), letter(r.job_state),
             ahead(r.start, reply.now), time_cell(r.end, reply.now), time_cell(r.end, r.start),
             r.nodes, r.procs, date(r.start, reply.verbose));
  out.blank();
  out.line("{} located", counted(reply.reservations.size(), "reservation"));
  out.blank();
  if (reply.summary.empty()) return out.take();
  out.line("Type    Reservations  Active   Nodes   Procs");
  out.blank();
  for (const auto& row : reply.summary)
    out.line("{:<7} {:>12} {:>7} {:>7} {:>7}", row.type, row.reservations, row.active, row.nodes,
             row.procs);
  out.blank();
  return out.take();
}

std::string as_text(const ReservedNodesReply& reply) {
  Lines out;
  const int date_width = reply.verbose ? 25 : 20;
  out.line("reservations on {}", date(reply.now));
  out.blank();
  out.line("{:>20} {:>10} {:>18} {:>10} {:>4} {:>11} {:>11} {:>{}}", "NodeName", "Type",
           "ReservationID", "JobState", "Task", "Start", "Duration", "StartTime", date_width);
  out.blank();
  for (const auto& node : reply.nodes) {
    bool named = false;
    for (const auto& share : node.shares) {
      const bool blank = named && reply.verbose && !reply.every_line;
      named = true;
      std::string duration = time_cell(share.end, share.start);
      if (duration == "INFINITY") duration = "INFINITE";
      out.line("{:>20} {:>10} {:>18} {:>10} {:>4} {:>11} {:>11} {:>{}}", blank ? "" : node.node,
               share.type, share.reservation, share.job_state.empty() ? "N/A" : share.job_state,
               share.tasks, ahead(share.start, reply.now), duration,
               date(share.start, reply.verbose), date_width);
    }
  }
  out.line("{} reserved", counted(reply.nodes.size(), "node"));
  return out.take();
}

std::string as_text(const ReservationCreatedReply& reply) {
  Lines out;
  out.line("reservation created");
  out.blank(2);
  out.line("reservation '{}' created on {} ({})", reply.name, counted(reply.nodes.size(), "node"),
           counted(reply.tasks, "task"));
  for (const auto& share : reply.nodes) out.line("{}:{}", share.node, share.tasks);
  out.blank();
  out.line("begins {}, ends {}, duration {}", date(reply.start, true),
           reply.end < 0 ? "never" : date(reply.end, true),
           length(reply.end < 0 ? -1 : reply.end - reply.start));
  for (const auto* notes : {&reply.notes, &reply.conflicts})
    for (const auto& note : *notes) out.line("NOTE:     {}", note);
  out.blank(2);
  return out.take();
}

std::string as_text(const ReservationsReleasedReply& reply) {
  Lines out;
  out.blank(2);
  for (const auto& r : reply.reservations)
    if (r.done)
      out.line("released {} reservation '{}'", r.type, r.name);
    else
      out.line("ERROR:    {}", r.reason);
  out.blank(2);
  return out.take();
}

}  // namespace maui
