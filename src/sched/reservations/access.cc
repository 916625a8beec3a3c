#include "sched/reservations/access.h"

#include <algorithm>

#include "base/text.h"
#include "sched/rules/job_flags.h"

namespace maui {
namespace {

const CredentialSettings* entry_of(const CredentialTable& table, const std::string& name) {
  auto row = table.find(name);
  if (row == table.end()) row = table.find("DEFAULT");
  return row == table.end() ? nullptr : &row->second;
}

bool given(std::string_view name) { return !name.empty() && name != "[NONE]"; }

bool says_qos(const CredentialSettings& entry) {
  return given(entry.default_qos) || entry.qos_list.has_value();
}

bool lists(const std::optional<std::vector<std::string>>& list, std::string_view name) {
  return list && std::any_of(list->begin(), list->end(), [&](const std::string& listed) {
           return listed == name || names_all(listed);
         });
}

void add(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

}  // namespace

bool controls_qos(const Settings& settings) {
  if (says_qos(settings.system)) return true;
  for (const CredentialTable* table :
       {&settings.users, &settings.groups, &settings.accounts, &settings.classes})
    for (const auto& [name, entry] : *table)
      if (says_qos(entry)) return true;
  return false;
}

QosMembers qos_members(const Settings& settings, std::string_view qos) {
  const auto names_it = [&](const CredentialSettings& entry) {
    return entry.default_qos == qos || lists(entry.qos_list, qos);
  };
  const auto same_access = [](const CredentialSettings& a, const CredentialSettings& b) {
    return a.default_qos == b.default_qos && a.qos_list == b.qos_list;
  };
  QosMembers members;
  members.system = names_it(settings.system);
  const std::pair<const CredentialTable*, std::vector<std::string>*> kinds[] = {
      {&settings.users, &members.users},
      {&settings.groups, &members.groups},
      {&settings.accounts, &members.accounts},
      {&settings.classes, &members.classes}};
  for (const auto& [table, names] : kinds) {
    const auto common = table->find("DEFAULT");
    for (const auto& [name, entry] : *table) {
      const bool as_all =
          common != table->end() && name != "DEFAULT" && same_access(entry, common->second);
      if (names_it(entry) && !as_all) names->push_back(name);
    }
  }
  return members;
}

std::vector<const CredentialSettings*> AccessRules::entries(const Credentials& who,
                                                            bool with_qos) const {
  std::vector<const CredentialSettings*> found;
  const auto note = [&](const CredentialTable& table, const auto& names, auto id) {
    if (table.empty() || !id.valid()) return;
    if (const auto* entry = entry_of(table, names[id])) found.push_back(entry);
  };
  note(settings_.users, names_.users, who.user);
  note(settings_.groups, names_.groups, who.group);
  note(settings_.accounts, names_.accounts, who.account);
  note(settings_.classes, names_.classes, who.job_class);
  if (with_qos) note(settings_.qos, names_.qos, who.qos);
  found.push_back(&settings_.system);
  return found;
}

bool AccessRules::may_use_qos(const Credentials& who, std::string_view qos) const {
  if (qos == "DEFAULT" || !controls_qos(settings_)) return true;
  const auto all = entries(who, false);
  return std::any_of(all.begin(), all.end(), [&](const CredentialSettings* entry) {
    return entry->default_qos == qos || lists(entry->qos_list, qos);
  });
}

std::string AccessRules::default_qos(const Credentials& who) const {
  for (const auto* entry : entries(who, false))
    if (given(entry->default_qos)) return entry->default_qos;
  return "DEFAULT";
}

std::uint16_t AccessRules::granted_flags(const Credentials& who) const {
  std::uint16_t flags = 0;
  for (const auto* entry : entries(who, true))
    flags = static_cast<std::uint16_t>(flags | job_flag_bits(entry->flags));
  return flags;
}

AccessRules::Partitions AccessRules::partitions(const Credentials& who) const {
  Partitions found;
  std::string only;        // the partition of the first list with a single entry
  bool lists_all = false;  // PLIST=ALL
  for (const auto* entry : entries(who, true)) {
    if (given(entry->default_partition)) {
      add(found.names, entry->default_partition);
      if (found.first.empty()) found.first = entry->default_partition;
    }
    if (!entry->partition_list) continue;
    found.all = false;
    for (const std::string& name : *entry->partition_list) {
      lists_all = lists_all || names_all(name);
      if (!names_all(name)) add(found.names, name);
    }
    if (only.empty() && entry->partition_list->size() == 1 &&
        !names_all(entry->partition_list->front()))
      only = entry->partition_list->front();
  }
  if (found.first.empty()) found.first = only;
  found.all = found.all || lists_all;
  if (found.all) found.names.clear();
  return found;
}

}  // namespace maui
