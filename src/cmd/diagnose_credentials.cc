// diagnose -u, -g, -a, -c, -Q: the settings of credentials that the settings or a job names.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "cmd/diagnose.h"
#include "config/values.h"
#include "model/credentials.h"
#include "sched/limits/throttling.h"
#include "sched/reservations/access.h"
#include "sched/rules/job_flags.h"

namespace maui {
namespace {

struct ListedKind {
  CredentialKind kind;
  std::string_view flag;
  std::string_view all = {};  // the row for SYSCFG, which applies to all
};
constexpr ListedKind kListedKinds[] = {
    {CredentialKind::user, "u"},           {CredentialKind::group, "g"},
    {CredentialKind::account, "a", "ALL"}, {CredentialKind::job_class, "c"},
    {CredentialKind::qos, "Q", "[ALL]"},
};

std::string cross_name(const CrossLimit& cross) {
  std::string whose{kind_name(cross.of)};
  for (char& letter : whose) letter = static_cast<char>(letter - 'a' + 'A');
  return fmt::format("MAX{}{}[{}{}{}]", cross.idle ? "I" : "", limit_name(cross.kind), whose,
                     cross.name.empty() ? "" : ":", cross.name);
}

std::vector<LimitDiagnosis> limits_of(const CredentialLimits& limits, const LimitAmounts& used) {
  struct Rows {
    const char* head;
    const LimitSet& set;
    bool counted;
  };
  std::vector<LimitDiagnosis> shown;
  for (const Rows& rows :
       {Rows{"MAX", limits.active, true}, Rows{"MAXI", limits.idle, false},
        Rows{"OMAX", limits.override_active, false}, Rows{"OMAXI", limits.override_idle, false}})
    for (std::size_t i = 0; i < kLimitKinds; ++i)
      if (const auto& limit = rows.set[i])
        shown.push_back({rows.head + std::string(limit_name(static_cast<LimitKind>(i))),
                         limit->soft, limit->hard, rows.counted ? used[i] : -1});
  for (const CrossLimit& cross : limits.cross)
    shown.push_back({cross_name(cross), cross.limit.soft, cross.limit.hard, -1});
  return shown;
}

/// Returns the limits with those of DEFAULT where the entry itself sets none.
CredentialLimits limits_in_force(const CredentialTable& table, CredentialLimits limits) {
  const auto common = table.find("DEFAULT");
  if (common == table.end()) return limits;
  for (const auto set : {&CredentialLimits::active, &CredentialLimits::idle})
    for (std::size_t i = 0; i < kLimitKinds; ++i)
      if (!(limits.*set)[i]) (limits.*set)[i] = (common->second.limits.*set)[i];
  return limits;
}

/// Returns the entry of a credential that has none of its own: what DEFAULT gives to all.
CredentialSettings entry_from_default(const CredentialTable& table, CredentialKind kind) {
  const auto common = table.find("DEFAULT");
  if (common == table.end()) return {};
  auto entry = config::inherited(common->second);
  if (kind == CredentialKind::qos) entry.flags.clear();  // those of the QOS DEFAULT are its own
  return entry;
}

CredentialDiagnosis row_of(const std::string& name, const CredentialSettings& entry) {
  CredentialDiagnosis row;
  row.name = name;
  row.priority = entry.priority.value_or(0);
  for (const auto& flag : entry.flags)
    (job_flag_bits({flag}) != 0 ? row.job_flags : row.flags).push_back(flag);
  row.default_qos = entry.default_qos;
  row.qos_list = entry.qos_list.value_or(std::vector<std::string>());
  row.partitions = entry.partition_list.value_or(std::vector<std::string>());
  row.target = entry.fairshare_target ? entry.fairshare_target->percent : 0;
  row.queue_time_weight = entry.queue_time_weight;
  row.xfactor_weight = entry.xfactor_weight;
  row.xfactor_target = entry.xfactor_target.value_or(0);
  row.queue_time_target = entry.queue_time_target.value_or(Seconds(0)).raw();
  return row;
}

/// Returns all names, in the order in which they became known, with DEFAULT and the row for all.
std::vector<std::string> listed_names(const Cluster& cluster, const CredentialTable& table,
                                      const ListedKind& kind) {
  const bool first = kind.kind == CredentialKind::qos;
  std::vector<std::string> names;
  std::set<std::string> known;
  const auto add = [&](const std::string& name) {
    if (!name.empty() && known.insert(name).second) names.push_back(name);
  };
  if (first) add("DEFAULT");
  add(std::string(kind.all));
  for (const auto& name : names_of(cluster, kind.kind)) add(name);
  for (const auto& entry : table)
    if (entry.first != "DEFAULT") add(entry.first);
  if (kind.kind != CredentialKind::job_class || table.contains("DEFAULT")) add("DEFAULT");
  return names;
}

Answer diagnose_kind(const Context& context, const ListedKind& kind) {
  const Cluster& cluster = context.cluster();
  const Settings& settings = context.settings();
  const auto& table = table_of(settings, kind.kind);
  const auto names = listed_names(cluster, table, kind);
  const std::string only = context.value(kind.flag);
  if (!only.empty() && std::find(names.begin(), names.end(), only) == names.end())
    return Error{fmt::format("unknown {} '{}'", kind_name(kind.kind), only)};
  const Throttling throttling(cluster, settings, context.now());
  const auto& known = names_of(cluster, kind.kind);
  CredentialsReply reply{
      std::string(kind_name(kind.kind)),
      context.has("v"),
      settings.system.default_qos.empty() ? "DEFAULT" : settings.system.default_qos,
      {}};
  reply.qos_list = settings.system.qos_list.value_or(std::vector<std::string>());
  reply.flags = settings.system.flags;
  const CredentialSettings from_default = entry_from_default(table, kind.kind);
  for (const auto& name : names) {
    if (!only.empty() && name != only) continue;
    const auto own = table.find(name);
    const CredentialSettings& entry = name == kind.all     ? settings.system
                                      : own == table.end() ? from_default
                                                           : own->second;
    auto row = row_of(name, entry);
    const auto at = std::find(known.begin(), known.end(), name);
    const auto number = static_cast<std::uint32_t>(at - known.begin());
    row.limits = limits_of(
        reply.verbose ? limits_in_force(table, entry.limits) : entry.limits,
        at == known.end() ? LimitAmounts{}
                          : throttling.used_by({kind.kind, number, std::nullopt, kNoCredential}));
    if (kind.kind == CredentialKind::qos) {
      auto members = qos_members(settings, name);
      row.users = std::move(members.users);
      row.groups = std::move(members.groups);
      row.accounts = std::move(members.accounts);
      row.classes = std::move(members.classes);
    }
    reply.rows.push_back(std::move(row));
  }
  return Reply(std::move(reply));
}

}  // namespace

Answer diagnose_users(const Context& context) { return diagnose_kind(context, kListedKinds[0]); }
Answer diagnose_groups(const Context& context) { return diagnose_kind(context, kListedKinds[1]); }
Answer diagnose_accounts(const Context& context) { return diagnose_kind(context, kListedKinds[2]); }
Answer diagnose_classes(const Context& context) { return diagnose_kind(context, kListedKinds[3]); }
Answer diagnose_qos(const Context& context) { return diagnose_kind(context, kListedKinds[4]); }

}  // namespace maui
