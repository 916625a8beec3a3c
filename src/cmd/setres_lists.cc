#include "cmd/setres_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "base/access_word.h"
#include "base/text.h"
#include "model/credentials.h"

namespace maui {
namespace {

template <class IdType>
IdType id_of(Names<IdType>& names, std::string_view name) {
  return names.intern(name);
}
template <class IdType>
IdType id_of(const Names<IdType>& names, std::string_view name) {
  return names.find(name);
}

struct ListFlag {
  const char* flag;
  AccessKind kind;
};
/// In the order of the guide's flags.
constexpr ListFlag kLists[] = {{"u", AccessKind::user},      {"g", AccessKind::group},
                               {"a", AccessKind::account},   {"c", AccessKind::job_class},
                               {"q", AccessKind::job_class}, {"l", AccessKind::job_class},
                               {"Q", AccessKind::qos}};

/// -c ACCOUNT,GROUP,USER names the charged account (guide); classes are separated by colons.
bool charges(const Context& context, std::string_view flag) {
  return flag == "c" && context.value(flag).find(',') != std::string::npos;
}

/// Returns the entries of a list, separated by colons or commas, with the marks of SRCFG: !NAME,
/// NAME-, NAME=, NAME*.
std::vector<AccessWord> words_of(const Context& context, std::string_view flag) {
  std::vector<AccessWord> all;
  if (charges(context, flag)) return all;
  std::string list = context.value(flag);
  std::replace(list.begin(), list.end(), ',', ':');
  for (const auto part : split(list, ':'))
    if (!part.empty()) all.push_back(parse_access_word(part));
  return all;
}

template <class AllNames>
void admit(const Context& context, AccessList& access, const ListFlag& list, AllNames& names) {
  std::vector<AccessCriterion> criteria;
  for (const AccessWord& word : words_of(context, list.flag)) {
    const bool anybody = word.name == "ALL";
    const auto value = anybody ? AccessCriterion::kAnybody
                               : static_cast<std::int64_t>(id_of(names, word.name).raw());
    criteria.push_back(
        {list.kind, value, Comparison::at_most, word.affinity, word.negated, word.required});
  }
  const auto key = [](const AccessCriterion& of) {
    return std::tuple(of.kind, of.value, of.affinity, of.negated, of.required);
  };
  std::set<decltype(key({}))> known;  // three flags list classes
  for (const auto& criterion : access.criteria) known.insert(key(criterion));
  for (const auto& criterion : criteria)
    if (known.insert(key(criterion)).second) access.criteria.push_back(criterion);
}

template <class AllNames>
AccessList access_for(const Context& context, AllNames& names) {
  AccessList access;
  for (const ListFlag& list : kLists) {
    if (list.kind == AccessKind::user) admit(context, access, list, names.users);
    if (list.kind == AccessKind::group) admit(context, access, list, names.groups);
    if (list.kind == AccessKind::account) admit(context, access, list, names.accounts);
    if (list.kind == AccessKind::job_class) admit(context, access, list, names.classes);
    if (list.kind == AccessKind::qos) admit(context, access, list, names.qos);
  }
  return access;
}

/// Refuses lists without names: these would admit nobody, which cannot be intended.
Status lists_name_somebody(const Context& context) {
  for (const auto& list : kLists) {
    const auto all = words_of(context, list.flag);
    if (context.has(list.flag) && all.empty() && !charges(context, list.flag))
      return Error{fmt::format("-{}: the list is empty: expected NAME[:NAME]...", list.flag)};
    for (const AccessWord& word : all)
      if (word.name.empty())
        return Error{fmt::format("-{}: '{}' has no name: expected NAME, !NAME, NAME- or NAME=",
                                 list.flag, context.value(list.flag))};
  }
  return Done{};
}

bool known_class(const Context& context, const std::string& name) {
  return context.cluster().classes.find(name).valid() || context.settings().classes.contains(name);
}

/// Checks that -c, -q and -l list classes, since -q is a QOS in release 3.3 and -c the charge in
/// the guide.
Status classes_are_meant(const Context& context) {
  const Cluster& cluster = context.cluster();
  const Settings& settings = context.settings();
  if (charges(context, "c")) {
    std::string list = context.value("c");
    const std::string first = list.substr(0, list.find(','));
    std::replace(list.begin(), list.end(), ',', ':');
    if (known_class(context, first) && !cluster.accounts.find(first).valid())
      return Error{fmt::format(
          "-c: '{}' is a class, and a comma names the account to charge (did you mean -c {}?)",
          first, list)};
  }
  std::vector<AccessWord> words;
  for (const char* flag : {"c", "q", "l"})
    for (AccessWord& word : words_of(context, flag)) words.push_back(std::move(word));
  for (const AccessWord& word : words) {
    const auto& name = word.name;
    if (name == "ALL" || known_class(context, name)) continue;
    const char* meant = nullptr;
    if (cluster.qos.find(name).valid() || settings.qos.contains(name))
      meant = "-Q {0}";
    else if (cluster.accounts.find(name).valid() || settings.accounts.contains(name))
      meant = "-A {0}, the account to charge, or -a {0}, an account that may use it";
    else if (cluster.groups.find(name).valid() || settings.groups.contains(name))
      meant = "-g {0}";
    if (meant != nullptr)
      return Error{fmt::format("unknown class '{}' (did you mean {}?)", name,
                               fmt::format(fmt::runtime(meant), name))};
  }
  return Done{};
}

}  // namespace

AccessList access_asked(const Context& context, Cluster& names) {
  return access_for(context, names);
}
AccessList access_asked(const Context& context, const Cluster& names) {
  return access_for(context, names);
}

std::string first_name_listed(const Context& context) {
  for (const auto& list : kLists)
    if (const auto all = words_of(context, list.flag); !all.empty()) return all.front().name;
  return "SYSTEM";
}

ListSize list_size(const Context& context) {
  ListSize size;
  for (const auto& list : kLists)
    for (const AccessWord& word : words_of(context, list.flag)) {
      ++size.names;
      size.bytes += word.name.size();
    }
  return size;
}

Status check_lists(const Context& context) {
  if (list_size(context).names > kMostListed)
    return Error{
        fmt::format("more than {} names in the access lists of one reservation", kMostListed)};
  if (auto named = lists_name_somebody(context); !named) return named;
  return classes_are_meant(context);
}

Result<std::string> charge_asked(const Context& context) {
  const char* const flag = charges(context, "c") ? "c" : "A";
  if (*flag == 'c' && context.has("A"))
    return Error{"either -A or -c (the account to charge), not both"};
  auto text = context.value(flag);
  const auto parts = split(text, ',');
  const bool empty =
      std::any_of(parts.begin(), parts.end(), [](auto part) { return part.empty(); });
  if (context.has(flag) && (empty || parts.size() > 3))
    return Error{
        fmt::format("-{}: invalid value '{}': expected ACCOUNT[,GROUP[,USER]]", flag, text)};
  return text;
}

Result<std::string> owner_asked(const Context& context, std::uint16_t flags) {
  if (!context.has("o")) {
    if (has(flags, ReservationFlag::owner_preempt))
      return Error{
          "-x OWNERPREEMPT: missing owner, whose jobs may preempt: expected -o KIND:NAME, "
          "such as -o ACCOUNT:chem"};
    return context.request.user;
  }
  const auto text = context.value("o");
  const auto colon = text.find(':');
  const auto kind = kind_named(std::string_view(text).substr(0, colon));
  if (colon == std::string::npos || !kind || colon + 1 == text.size())
    return Error{
        fmt::format("-o: expected USER, GROUP, ACCOUNT, QOS or CLASS with a name, as in "
                    "ACCOUNT:chem, not '{}'",
                    text)};
  return upper(text.substr(0, colon)) + text.substr(colon);
}

}  // namespace maui
