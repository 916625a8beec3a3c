#include "cmd/setres_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>
#include <vector>

#include "base/access_word.h"
#include "base/text.h"
#include "model/credentials.h"

namespace maui {
namespace {

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
std::vector<AccessWord> words_of(const Context& context, const ListFlag& list) {
  std::vector<AccessWord> all;
  if (charges(context, list.flag)) return all;
  std::string text = context.value(list.flag);
  std::replace(text.begin(), text.end(), ',', ':');
  for (const auto part : split(text, ':'))
    if (!part.empty()) {
      all.push_back(parse_access_word(part));
      all.back().kind = list.kind;
    }
  return all;
}

/// Refuses a list without names: it would admit nobody, which cannot be intended.
Status names_somebody(const Context& context, const char* flag,
                      const std::vector<AccessWord>& words) {
  if (context.has(flag) && words.empty() && !charges(context, flag))
    return Error{fmt::format("-{}: the list is empty: expected NAME[:NAME]...", flag)};
  for (const AccessWord& word : words)
    if (word.name.empty())
      return Error{fmt::format("-{}: '{}' has no name: expected NAME, !NAME, NAME- or NAME=", flag,
                               context.value(flag))};
  return Done{};
}

/// `number_of`: returns the number of a credential, by its kind and name.
template <class NumberOf>
AccessList access_for(const std::vector<AccessWord>& words, NumberOf number_of) {
  const auto key = [](const AccessCriterion& of) {
    return std::tuple(of.kind, of.value, of.affinity, of.negated, of.required);
  };
  std::set<decltype(key({}))> known;  // three flags list classes
  AccessList access;
  for (const AccessWord& word : words) {
    const std::int64_t value = word.name == "ALL"
                                   ? AccessCriterion::kAnybody
                                   : number_of(*credential_kind(word.kind), word.name);
    const AccessCriterion criterion{word.kind,     value,        Comparison::at_most,
                                    word.affinity, word.negated, word.required};
    if (known.insert(key(criterion)).second) access.criteria.push_back(criterion);
  }
  return access;
}

bool known_class(const Context& context, const std::string& name) {
  return context.cluster().classes.find(name).valid() || context.settings().classes.contains(name);
}

/// Checks that -c, -q and -l list classes, since -q is a QOS in release 3.3 and -c the charge in
/// the guide.
Status classes_are_meant(const Context& context, const std::vector<AccessWord>& words) {
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
  for (const AccessWord& word : words) {
    const auto& name = word.name;
    if (word.kind != AccessKind::job_class || name == "ALL" || known_class(context, name)) continue;
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

/// Refuses a QOS that neither the configuration nor any job names: no job could have it.
Status qos_are_known(const Context& context, const std::vector<AccessWord>& words) {
  const Settings& settings = context.settings();
  for (const AccessWord& word : words)
    if (word.kind == AccessKind::qos && word.name != "ALL" && word.name != "DEFAULT" &&
        !settings.qos.contains(word.name) && !context.cluster().qos.find(word.name).valid())
      return Error{fmt::format("unknown QOS '{}': no QOSCFG line declares it", word.name)};
  return Done{};
}

}  // namespace

Result<ListsAsked> ListsAsked::read(const Context& context) {
  ListsAsked lists;
  Status named = Done{};
  for (const ListFlag& list : kLists) {
    auto words = words_of(context, list);
    if (named) named = names_somebody(context, list.flag, words);
    lists.words_.insert(lists.words_.end(), std::make_move_iterator(words.begin()),
                        std::make_move_iterator(words.end()));
  }
  if (lists.words_.size() > kMostListed)
    return Error{
        fmt::format("more than {} names in the access lists of one reservation", kMostListed)};
  if (!named) return named.error();
  if (auto meant = classes_are_meant(context, lists.words_); !meant) return meant.error();
  if (auto known = qos_are_known(context, lists.words_); !known) return known.error();
  return lists;
}

AccessList ListsAsked::access(ClusterNames& names) const {
  return access_for(words_, [&](CredentialKind kind, const std::string& name) {
    return intern(names, kind, name);
  });
}

AccessList ListsAsked::access(const Cluster& names) const {
  return access_for(words_, [&](CredentialKind kind, const std::string& name) {
    return find(names, kind, name);
  });
}

std::string ListsAsked::first_name() const {
  return words_.empty() ? "SYSTEM" : words_.front().name;
}

ListSize ListsAsked::size() const {
  ListSize size;
  for (const AccessWord& word : words_) {
    ++size.names;
    size.bytes += word.name.size();
  }
  return size;
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
