// Users, groups, accounts, classes and QOS: *CFG objects, the older QOS* forms, and the limits of
// release 3.0 for all credentials of a kind (guide 6.2, 7.3).
#include <fmt/format.h>

#include <array>

#include "config/apply.h"
#include "config/names.h"
#include "config/parameters.h"

namespace maui::config {
namespace {

// With QOSNAME[3] hi, QOSPRIORITY[3] sets the priority of hi.  QOSNAME must precede the other QOS*
// parameters in the table; the names are kept until all of them are applied.  Number 0 is the
// default QOS unless it has a name of its own (guide A.3).
CredentialSettings& numbered_qos(Settings& settings, const std::string& index) {
  const auto named = settings.qos_names.find(index);
  if (named != settings.qos_names.end()) return settings.qos[named->second];
  return settings.qos[index == "0" ? "DEFAULT" : index];
}

std::vector<Parameter> numbered_qos_parameters() {
  using enum Index;
  using enum Change;
  return {
      {"QOSNAME", "", either, text("a name"), "[NONE]", at_runtime, Landed::yes,
       "Name of the QOS with this number, for the other QOS* parameters; see QOSCFG. Number 0 is "
       "DEFAULT unless it is named.",
       [](Settings& s, const std::string& index, const Words& value) {
         if (!value.empty()) s.qos_names[index] = value.front();
       }},
      {"QOSPRIORITY", "", either, integer(), "0", at_runtime, Landed::yes,
       "Priority of the QOS; the older form of QOSCFG[...] PRIORITY=.",
       [](Settings& s, const std::string& index, const Words& value) {
         assign(numbered_qos(s, index).priority, value);
       }},
      {"QOSQTWEIGHT", "", either, integer(), "0", at_runtime, Landed::yes,
       "Added to QUEUETIMEWEIGHT for jobs of the QOS; the older form of QOSCFG[...] QTWEIGHT=.",
       [](Settings& s, const std::string& index, const Words& value) {
         assign(numbered_qos(s, index).queue_time_weight, value);
       }},
      {"QOSXFWEIGHT", "", either, integer(), "0", at_runtime, Landed::yes,
       "Added to XFWEIGHT for jobs of the QOS; the older form of QOSCFG[...] XFWEIGHT=.",
       [](Settings& s, const std::string& index, const Words& value) {
         assign(numbered_qos(s, index).xfactor_weight, value);
       }},
      {"QOSFLAGS", "", either, qos_flags(), "[NONE]", at_runtime, Landed::yes,
       "Privileges of the QOS; the older form of QOSCFG[...] FLAGS=.",
       [](Settings& s, const std::string& index, const Words& value) {
         assign(numbered_qos(s, index).flags, value);
       }},
      {"QOSQTTARGET", "QOSTARGETQT", either, duration(true), "-1", at_runtime, Landed::yes,
       "Target queue time; the older form of QOSCFG[...] QTTARGET=.",
       [](Settings& s, const std::string& index, const Words& value) {
         assign(numbered_qos(s, index).queue_time_target, value);
       }},
      {"QOSXFTARGET", "QOSTARGETXF", either, number(), "0", at_runtime, Landed::yes,
       "Target expansion factor; the older form of QOSCFG[...] XFTARGET=.",
       [](Settings& s, const std::string& index, const Words& value) {
         assign(numbered_qos(s, index).xfactor_target, value);
       }},
      {"QOSFEATURES", "", either, list("node features", " ,:"), "[NONE]", at_runtime, Landed::yes,
       "Features that the nodes of its jobs must have; the older form of QOSCFG[...] FEATURES=.",
       [](Settings& s, const std::string& index, const Words& value) {
         assign(numbered_qos(s, index).features, value);
       }},
  };
}

Parameter object(std::string name, std::string aliases, std::string whose,
                 CredentialTable Settings::*table, const std::vector<Attribute>& attributes) {
  return {std::move(name),
          std::move(aliases),
          Index::credential,
          {},
          "[NONE]",
          Change::at_runtime,
          Landed::yes,
          fmt::format("Priority, limits, access and other attributes of {}.", whose),
          [table](Settings& settings, const std::string& index, const Words&) {
            (settings.*table)[index];
          },
          &attributes};
}

struct Owner {
  CredentialKind kind;
  std::string_view name, word;
};
constexpr std::array<Owner, kCredentialKinds.size()> kOwners{
    {{CredentialKind::user, "USER", "user"},
     {CredentialKind::group, "GROUP", "group"},
     {CredentialKind::account, "ACCOUNT", "account"},
     {CredentialKind::qos, "QOS", "QOS"},
     {CredentialKind::job_class, "CLASS", "class"}}};

std::string limit_help(const LimitName& limit, const Owner& owner, bool idle) {
  const auto jobs = fmt::format("{} jobs of {} {}", idle ? "idle" : "active",
                                owner.kind == CredentialKind::account ? "an" : "a", owner.word);
  const auto what =
      limit.kind == LimitKind::job ? jobs : fmt::format("{} of all {}", limit.what, jobs);
  return fmt::format("Most {}, unless its {}CFG sets another limit; 0: no limit.", what,
                     owner.name);
}

}  // namespace

std::vector<Parameter> credential_parameters() {
  auto rows = numbered_qos_parameters();
  rows.push_back(object("USERCFG", "", "one user", &Settings::users, user_attributes()));
  rows.push_back(object("GROUPCFG", "", "one group", &Settings::groups, group_attributes()));
  rows.push_back(
      object("ACCOUNTCFG", "ACCTCFG", "one account", &Settings::accounts, account_attributes()));
  rows.push_back(object("CLASSCFG", "", "one class", &Settings::classes, class_attributes()));
  rows.push_back(object("QOSCFG", "", "one QOS", &Settings::qos, qos_attributes()));
  rows.push_back({"SYSCFG",
                  "SYSTEMCFG",
                  Index::base,
                  {},
                  "[NONE]",
                  Change::at_runtime,
                  Landed::yes,
                  "Limits, access and defaults for all jobs.",
                  {},
                  &system_attributes()});
  rows.push_back({"PARCFG",
                  "PARTITIONCFG",
                  Index::name,
                  {},
                  "[NONE]",
                  Change::at_runtime,
                  Landed::yes,
                  "Limits of the jobs in one partition.",
                  [](Settings& settings, const std::string& index, const Words&) {
                    settings.partitions[index];
                  },
                  &partition_attributes()});
  return rows;
}

std::vector<Parameter> limit_parameters() {
  std::vector<Parameter> rows;
  for (const auto& owner : kOwners)
    for (const bool idle : {false, true})
      for (const auto& limit : kLimits)
        rows.push_back({fmt::format("MAX{}{}PER{}", limit.name, idle ? "QUEUED" : "", owner.name),
                        "", Index::none, limit.time ? time_limits() : limits(), "0",
                        Change::at_runtime, Landed::yes, limit_help(limit, owner, idle),
                        [kind = static_cast<std::size_t>(limit.kind), of = owner.kind, idle](
                            Settings& s, const std::string&, const Words& value) {
                          auto& each = idle ? s.throttling.each_idle : s.throttling.each_active;
                          assign(each[of][kind], value);
                        }});
  return rows;
}

}  // namespace maui::config
