// Attributes of USERCFG, GROUPCFG, ACCOUNTCFG, CLASSCFG, QOSCFG and SYSCFG (guide 6.2, 6.3, 7.3).
#include <fmt/format.h>

#include <array>

#include "base/text.h"
#include "config/apply.h"
#include "config/attributes.h"
#include "config/names.h"

namespace maui::config {
namespace {

using Table = CredentialTable Settings::*;

// Returns a setter for a member of the credential's entry in `table`; nullptr: SYSCFG's entry.
template <class Get>
std::function<void(Settings&, const std::string&, const Words&)> into_entry(Table table, Get get) {
  return [table, get](Settings& settings, const std::string& index, const Words& value) {
    assign(get(table == nullptr ? settings.system : (settings.*table)[index]), value);
  };
}

// Parses 25.0 or 25%, optionally followed by + for a floor, - for a ceiling or ^ for a cap.
Result<std::string> target_word(std::string_view word) {
  std::string_view digits = word, sign;
  if (!digits.empty() && std::string_view("+-^").find(digits.back()) != std::string_view::npos) {
    sign = digits.substr(digits.size() - 1);
    digits.remove_suffix(1);
  }
  if (!digits.empty() && digits.back() == '%') digits.remove_suffix(1);
  const auto value = parse_number(digits);
  if (!value || *value < 0 || *value > 100) return Error{fmt::format("invalid target '{}'", word)};
  return fmt::format("{}{}", *value, sign);
}

// The limits of an object: for active or idle jobs, its own limits or (QOS) overriding limits.
struct LimitRows {
  std::string_view prefix, kind, help;
  LimitSet CredentialLimits::*set;
  bool idle = false;
  bool cross = true;  // may name a second credential
};
constexpr LimitRows kActiveLimits{"", "", "Most {} at once, counted over its active jobs.",
                                  &CredentialLimits::active};
constexpr LimitRows kIdleLimits{
    "", "I", "Most {}, counted over its idle jobs; jobs beyond the limit are not considered.",
    &CredentialLimits::idle, true};
constexpr LimitRows kOverrides{
    "O",
    "",
    "Most {}, counted over active jobs; overrides the limits of other credentials.",
    &CredentialLimits::override_active,
    false,
    false};
constexpr LimitRows kIdleOverrides{
    "O",
    "I",
    "Most {}, counted over idle jobs; overrides the limits of other credentials.",
    &CredentialLimits::override_idle,
    true,
    false};

ValueType partition_list() {
  auto type = list("names of partitions", " ,:");
  type.canonical = [inner = type.canonical](const Words& value) -> Result<Words> {
    auto names = inner(value);
    if (!names) return names;
    for (auto& name : *names)
      if (names_all_in_any_case(name)) name = "ALL";
    return names;
  };
  return type;
}

// Returns the limits of an object in the settings.
using LimitsOf = std::function<CredentialLimits&(Settings&, const std::string& index)>;

// Returns the limits in a table of credentials; nullptr: the limits of SYSCFG.
LimitsOf limits_in(Table table) {
  return [table](Settings& settings, const std::string& index) -> CredentialLimits& {
    return (table == nullptr ? settings.system : (settings.*table)[index]).limits;
  };
}

CrossLimit& cross_limit(CredentialLimits& limits, LimitKind kind, bool idle,
                        std::string_view credential) {
  const auto colon = credential.find(':');
  CrossLimit wanted{kind, idle, {}, {}, {}};
  wanted.of = value_of(std::span<const EnumName<CredentialKind>>(kCredentialNames),
                       credential.substr(0, colon))
                  .value_or(CredentialKind::user);
  if (colon != std::string_view::npos) wanted.name = credential.substr(colon + 1);
  for (auto& known : limits.cross)
    if (known.kind == kind && known.idle == idle && known.of == wanted.of &&
        known.name == wanted.name)
      return known;
  return limits.cross.emplace_back(std::move(wanted));
}

// Returns aliases: MAXJOBQUEUED for MAXIJOB, and the plural forms that sites use.
std::string other_names(const LimitRows& which, const LimitName& limit) {
  const bool counted = limit.kind == LimitKind::job || limit.kind == LimitKind::proc ||
                       limit.kind == LimitKind::node;
  const auto plural =
      counted ? fmt::format("{}MAX{}{}S", which.prefix, which.kind, limit.name) : std::string();
  if (!which.idle) return plural;
  return fmt::format("{}MAX{}QUEUED {}", which.prefix, limit.name, plural);
}

void add_limits(std::vector<Attribute>& rows, const LimitsOf& limits_of, const LimitRows& which) {
  for (const auto& limit : kLimits) {
    const auto aliases = other_names(which, limit);
    const auto apply = [limits_of, set = which.set, kind = limit.kind](
                           Settings& s, const std::string& index, const Words& value) {
      assign((limits_of(s, index).*set)[static_cast<std::size_t>(kind)], value);
    };
    const auto within = [limits_of, idle = which.idle, kind = limit.kind](
                            Settings& s, const std::string& index, const std::string& credential,
                            const Words& value) {
      assign(cross_limit(limits_of(s, index), kind, idle, credential).limit, value);
    };
    rows.push_back({fmt::format("{}MAX{}{}", which.prefix, which.kind, limit.name), aliases,
                    limit.time ? time_limits() : limits(), true,
                    fmt::format(fmt::runtime(which.help), limit.what), apply, which.cross, within});
  }
}

void add_common(std::vector<Attribute>& rows, Table table) {
  rows.push_back({"PRIORITY", "", integer(), true,
                  "Priority of its jobs. It counts through USERWEIGHT, GROUPWEIGHT, ACCOUNTWEIGHT, "
                  "CLASSWEIGHT or QOSWEIGHT, which are 0 by default.",
                  into_entry(
                      table, [](CredentialSettings & c) -> auto& { return c.priority; })});
  rows.push_back({"FLAGS", "QFLAGS", qos_flags(), true, "Privileges and restrictions of its jobs.",
                  into_entry(
                      table, [](CredentialSettings & c) -> auto& { return c.flags; })});
  rows.push_back(
      {"FSTARGET", "",
       custom("a percentage from 0 to 100, and + for a floor, - for a ceiling, ^ for a cap",
              target_word),
       true, "Share of the delivered resources that it is meant to use.",
       into_entry(
           table, [](CredentialSettings & c) -> auto& { return c.fairshare_target; })});
  rows.push_back({"QTTARGET", "", duration(true), true,
                  "Target queue time, weighted by TARGETQUEUETIMEWEIGHT.",
                  into_entry(
                      table, [](CredentialSettings & c) -> auto& { return c.queue_time_target; })});
  rows.push_back({"XFTARGET", "", number(), true,
                  "Target expansion factor, weighted by TARGETXFACTORWEIGHT; 0: none.",
                  into_entry(
                      table, [](CredentialSettings & c) -> auto& { return c.xfactor_target; })});
  rows.push_back({"PLIST", "", partition_list(), true, "Partitions that its jobs may use.",
                  into_entry(
                      table, [](CredentialSettings & c) -> auto& { return c.partition_list; })});
  rows.push_back({"PDEF", "", text("a partition"), true,
                  "Partition that its jobs try before the others.",
                  into_entry(
                      table, [](CredentialSettings & c) -> auto& { return c.default_partition; })});
  add_limits(rows, limits_in(table), kActiveLimits);
  add_limits(rows, limits_in(table), kIdleLimits);
}

std::vector<Attribute> attributes_of_partitions() {
  const LimitsOf limits_of = [](Settings& settings, const std::string& index) -> CredentialLimits& {
    return settings.partitions[index];
  };
  std::vector<Attribute> rows;
  add_limits(rows, limits_of, kActiveLimits);
  add_limits(rows, limits_of, kIdleLimits);
  return rows;
}

void add_learning(std::vector<Attribute>& rows, Table table) {
  rows.push_back({"LEARN", "", boolean(), true,
                  "Whether run times of its jobs are learned; FALSE: its jobs are planned by their "
                  "wallclock limits.",
                  into_entry(
                      table, [](CredentialSettings & c) -> auto& { return c.learn; })});
}

std::vector<Attribute> owner_attributes(Table table) {
  std::vector<Attribute> rows;
  add_common(rows, table);
  if (table != nullptr) add_learning(rows, table);
  rows.push_back({"QDEF", "", text("a QOS"), true, "QOS of its jobs that request none.",
                  into_entry(
                      table, [](CredentialSettings & c) -> auto& { return c.default_qos; })});
  rows.push_back(
      {"QLIST", "", list("names of QOS", " ,:"), true,
       "QOS that its jobs may use; any QOS, if no QLIST or QDEF is set for any credential.",
       into_entry(
           table, [](CredentialSettings & c) -> auto& { return c.qos_list; })});
  return rows;
}

std::vector<Attribute> attributes_of_qos() {
  std::vector<Attribute> rows;
  add_common(rows, &Settings::qos);
  add_learning(rows, &Settings::qos);
  rows.push_back(
      {"QTWEIGHT", "", integer(), true, "Added to QUEUETIMEWEIGHT for its jobs.",
       into_entry(
           &Settings::qos, [](CredentialSettings & c) -> auto& { return c.queue_time_weight; })});
  rows.push_back(
      {"XFWEIGHT", "", integer(), true, "Added to XFWEIGHT for its jobs.",
       into_entry(
           &Settings::qos, [](CredentialSettings & c) -> auto& { return c.xfactor_weight; })});
  rows.push_back({"FEATURES", "", list("node features", " ,:"), true,
                  "Features that the nodes of its jobs must have.",
                  into_entry(
                      &Settings::qos, [](CredentialSettings & c) -> auto& { return c.features; })});
  add_limits(rows, limits_in(&Settings::qos), kOverrides);
  add_limits(rows, limits_in(&Settings::qos), kIdleOverrides);
  return rows;
}

}  // namespace

const std::vector<Attribute>& user_attributes() {
  static const auto kRows = owner_attributes(&Settings::users);
  return kRows;
}
const std::vector<Attribute>& group_attributes() {
  static const auto kRows = owner_attributes(&Settings::groups);
  return kRows;
}
const std::vector<Attribute>& account_attributes() {
  static const auto kRows = owner_attributes(&Settings::accounts);
  return kRows;
}
const std::vector<Attribute>& class_attributes() {
  static const auto kRows = owner_attributes(&Settings::classes);
  return kRows;
}
const std::vector<Attribute>& qos_attributes() {
  static const auto kRows = attributes_of_qos();
  return kRows;
}
const std::vector<Attribute>& partition_attributes() {
  static const auto kRows = attributes_of_partitions();
  return kRows;
}
const std::vector<Attribute>& system_attributes() {
  static const auto kRows = owner_attributes(nullptr);
  return kRows;
}

}  // namespace maui::config
