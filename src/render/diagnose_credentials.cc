// diagnose -u, -g, -a, -c, -Q: one line per credential.
#include "render/as_text.h"
#include "render/cells.h"

namespace maui {
namespace {

std::string list(const std::vector<std::string>& names) {
  return names.empty() ? "[NONE]" : fmt::format("{}", fmt::join(names, ":"));
}
std::string or_none(const std::string& text) { return text.empty() ? "[NONE]" : text; }

/// "MAXJOB=2:2 MAXPROC=8:16" with `both`; else one number if soft and hard limit are equal.
std::string limits_text(const std::vector<LimitDiagnosis>& limits, bool verbose,
                        bool both = false) {
  std::string out;
  for (const auto& limit : limits) {
    out += fmt::format("{}{}=", out.empty() ? "" : " ", limit.name);
    if (both || limit.soft != limit.hard) out += fmt::format("{}{}", limit.soft, both ? ':' : ',');
    out += fmt::format("{}", limit.hard);
    if (verbose && limit.used >= 0) out += fmt::format(" (U: {:.0f})", limit.used);
  }
  return or_none(out);
}

std::vector<std::string> all_flags(const CredentialDiagnosis& row) {
  auto flags = row.job_flags;
  flags.insert(flags.end(), row.flags.begin(), row.flags.end());
  return flags;
}

void owners(Lines& out, const CredentialsReply& reply) {
  out.line("Displaying {} information...", reply.kind);
  out.line(
      "Name         Priority        Flags         QDef      QOSList*        PartitionList "
      "Target  Limits");
  out.blank();
  for (const auto& row : reply.rows)
    out.line("{:<12} {:>8} {:>12} {:>12} {:>12} {:>21} {:>6.2f}  {}", row.name, row.priority,
             list(all_flags(row)), or_none(row.default_qos), list(row.qos_list),
             list(row.partitions), row.target, limits_text(row.limits, reply.verbose));
}

void classes(Lines& out, const CredentialsReply& reply) {
  out.line("Class/Queue Status");
  out.blank();
  out.line(
      "Name           Priority Flags        QDef              QOSList* PartitionList        "
      "Target Limits");
  out.blank();
  for (const auto& row : reply.rows)
    out.line("{:<13} {:>9} {:<12} {:<12} {:>12}  {:<19} {:>6.2f}  {}", row.name, row.priority,
             list(all_flags(row)), or_none(row.default_qos), list(row.qos_list),
             list(row.partitions), row.target, limits_text(row.limits, reply.verbose, true));
}

void who_may(Lines& out, std::string_view title, const std::vector<std::string>& names) {
  if (!names.empty()) out.line("  {:<10} {}", title, fmt::join(names, " "));
}

void qos(Lines& out, const CredentialsReply& reply) {
  out.line("QOS Status");
  out.blank();
  out.line("System QOS Settings:  QList: {} (Def: {})  Flags: {}",
           reply.qos_list.empty() ? "DEFAULT" : list(reply.qos_list), reply.default_qos,
           reply.flags.empty() ? "0" : list(reply.flags));
  out.blank();
  out.line(
      "Name                * Priority QTWeight QTTarget XFWeight XFTarget     QFlags   "
      "JobFlags Limits");
  out.blank();
  for (const auto& row : reply.rows) {
    out.line("{:<19} {:>10}{:>9.0f}{:>9}{:>9.0f}{:>9.2f} {:>10} {:>10} {}", row.name, row.priority,
             row.queue_time_weight, row.queue_time_target, row.xfactor_weight, row.xfactor_target,
             list(row.flags), list(row.job_flags), limits_text(row.limits, reply.verbose));
    who_may(out, "Users:", row.users);
    who_may(out, "Groups:", row.groups);
    who_may(out, "Accounts:", row.accounts);
    who_may(out, "Classes:", row.classes);
  }
}

}  // namespace

std::string as_text(const CredentialsReply& reply) {
  Lines out;
  if (reply.kind == "qos")
    qos(out, reply);
  else if (reply.kind == "class")
    classes(out, reply);
  else
    owners(out, reply);
  out.blank();
  return out.take();
}

}  // namespace maui
