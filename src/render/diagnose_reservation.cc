// diagnose -r.
#include "base/text.h"
#include "render/as_text.h"
#include "render/cells.h"

namespace maui {
namespace {

// "USER==amy+:==bob+ GROUP==chem+".
std::string entries(const std::vector<AccessEntry>& list) {
  std::string text, type;
  for (const auto& entry : list) {
    if (entry.type == type)
      text += ":";
    else
      text += (text.empty() ? "" : " ") + entry.type;
    text += entry.compare + entry.name + entry.marks;
    type = entry.type;
  }
  return text;
}

std::string attributes(const ReservationDiagnosis& r) {
  std::vector<std::string> all;
  if (r.type != "Job") all.push_back(fmt::format("HostList='{}'", r.host_expression));
  if (r.job_waits) all.push_back(fmt::format("Priority={}", r.job_priority));
  if (!r.owner.empty()) all.push_back(fmt::format("Owner={}", r.owner));
  return join(all, "  ");
}

void reservation_lines(Lines& out, const ReservationsDiagnosisReply& reply,
                       const ReservationDiagnosis& r) {
  constexpr std::size_t kNameAndType = 31;
  out.line("{} {:>3} {:>11} {:>11} {:>12} {:>4} {:>4} {:>4}",
           name_and_type(r.name, r.type, kNameAndType), head(r.partition, 3),
           ahead(r.start, reply.now), ahead(r.end, reply.now),
           length(r.end == -1 ? -1 : r.end - r.start), r.nodes, r.tasks, r.procs);
  if (!r.flags.empty() || reply.verbose)
    out.line("    Flags: {}", r.flags.empty() ? "[NONE]" : join(r.flags, " "));
  const std::string own =
      r.type == "Job" ? "JOB==" + r.name : "RES==" + r.name.substr(0, r.name.rfind('.'));
  out.line("    ACL: {}= {}", own, entries(r.access));
  out.line("    CL:  {} {}", own, entries(r.credentials));
  if (!r.charge_account.empty()) out.line("    Accounting Creds: Account:{}", r.charge_account);
  if (!r.per_task.empty()) out.line("    Task Resources: {}", amounts(r.per_task));
  if (const auto text = attributes(r); !text.empty()) out.line("    Attributes ({})", text);
  if (r.kept_proc_hours > 0)
    out.line("    Active PH: {:.2f}/{:.2f} ({:.2f}%)", r.active_proc_hours, r.kept_proc_hours,
             percent(r.active_proc_hours, r.kept_proc_hours));
  if (!r.standing_attributes.empty()) out.line("    SRAttributes ({})", r.standing_attributes);
  for (const auto& warning : r.warnings) out.line("WARNING:  {}", warning);
}

}  // namespace

std::string as_text(const ReservationsDiagnosisReply& reply) {
  Lines out;
  out.line("Diagnosing Reservations");
  out.line(
      "ResID                      Type Par   StartTime     EndTime     Duration Node Task Proc");
  out.line(
      "-----                      ---- ---   ---------     -------     -------- ---- ---- ----");
  for (const auto& r : reply.reservations) reservation_lines(out, reply, r);
  for (const auto& warning : reply.warnings) out.line("WARNING:  {}", warning);
  if (reply.all) {
    out.blank();
    out.line("Active Reserved Processors: {}", reply.active_reserved_procs);
  }
  out.blank();
  return out.take();
}

}  // namespace maui
