#include "config/attributes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"

namespace maui::config {
namespace {

constexpr std::array<std::string_view, 5> kCredentials{"USER", "GROUP", "ACCOUNT", "QOS", "CLASS"};

// The part before the '=': a name, and the credential that a limit may have.
struct Written {
  std::string_view name;
  std::string credential;  // "USER" or "USER:amy"; empty: none
};

const Attribute* find_attribute(const std::vector<Attribute>& attributes, std::string_view name) {
  for (const auto& row : attributes) {
    if (same_word(row.name, name)) return &row;
    for (const auto alias : words(row.aliases))
      if (same_word(alias, name)) return &row;
  }
  return nullptr;
}

Result<std::string> credential_of(std::string_view written) {
  const auto colon = written.find(':');
  const auto kind = written.substr(0, colon);
  for (const auto known : kCredentials) {
    if (!same_word(kind, known)) continue;
    if (colon == std::string_view::npos || colon + 1 == written.size()) return std::string(known);
    return fmt::format("{}:{}", known, written.substr(colon + 1));
  }
  return Error{fmt::format("[{}]: expected USER, GROUP, ACCOUNT, QOS or CLASS, alone or with :NAME",
                           written)};
}

// MAXJOB[USER:amy] has the credential in brackets, MAXJOBPERUSER has it in the name.
Result<Written> take_apart(const std::vector<Attribute>& attributes, std::string_view name) {
  if (const auto bracket = name.find('['); bracket != std::string_view::npos) {
    if (name.back() != ']') return Error{fmt::format("{}: expected a ']' at the end", name)};
    auto credential = credential_of(name.substr(bracket + 1, name.size() - bracket - 2));
    if (!credential) return credential.error();
    return Written{name.substr(0, bracket), std::move(credential).value()};
  }
  const auto* whole = find_attribute(attributes, name);
  for (const auto kind : kCredentials) {
    const auto suffix = fmt::format("PER{}", kind);
    if (whole || name.size() <= suffix.size()) continue;
    const auto base = name.substr(0, name.size() - suffix.size());
    const auto* limit = find_attribute(attributes, base);
    if (limit && limit->takes_credential && same_word(name.substr(base.size()), suffix))
      return Written{base, std::string(kind)};
  }
  return Written{name, {}};
}

std::string meant(const std::vector<Attribute>& attributes, std::string_view name) {
  std::vector<std::string_view> known;
  for (const auto& row : attributes) known.push_back(row.name);
  return nearest(name, known);
}

Error unknown(const std::vector<Attribute>& attributes, std::string_view name) {
  if (const auto near = meant(attributes, name); !near.empty())
    return Error{fmt::format("unknown attribute '{}' (did you mean '{}'?)", name, near)};
  const bool only_limits = std::all_of(attributes.begin(), attributes.end(),
                                       [](const auto& row) { return row.takes_credential; });
  std::string all;
  bool limits = false;
  for (const auto& row : attributes) {
    if (only_limits || !row.takes_credential) all += (all.empty() ? "" : ", ") + row.name;
    limits = limits || row.takes_credential;
  }
  if (limits && !only_limits) all += ", or a limit such as MAXJOB or MAXPROC[USER]";
  return Error{fmt::format("unknown attribute '{}': expected one of {}", name, all)};
}

}  // namespace

std::string Pair::text() const { return fmt::format("{}={}", name, join(value, ",")); }

Result<Pair> parse_pair(const std::vector<Attribute>& attributes, std::string_view word) {
  const auto equals = word.find('=');
  if (equals == std::string_view::npos || equals == 0)
    return Error{fmt::format("'{}': expected ATTRIBUTE=VALUE without blanks around the '='", word)};
  const auto written = take_apart(attributes, word.substr(0, equals));
  if (!written) return written.error();
  const auto* attribute = find_attribute(attributes, written->name);
  if (!attribute) return unknown(attributes, written->name);
  if (!written->credential.empty() && !attribute->takes_credential)
    return Error{fmt::format("{} takes no [{}]", attribute->name, written->credential)};
  const auto value = word.substr(equals + 1);
  auto canonical = attribute->type.canonical(value.empty() ? Words{} : Words{std::string(value)});
  if (!canonical)
    return Error{fmt::format("{}: {}: expected {}", attribute->name, canonical.error().what,
                             attribute->type.expected)};
  Pair pair{attribute, attribute->name, written->credential, std::move(canonical).value()};
  if (!written->credential.empty()) pair.name += fmt::format("[{}]", written->credential);
  return pair;
}

namespace {

/// True if the word continues a list, like "low", "low=" or "low=*", and is no ATTRIBUTE=VALUE.
bool goes_on(const std::vector<Attribute>& attributes, std::string_view word) {
  const auto equals = word.find('=');
  const auto name = word.substr(0, equals);
  if (find_attribute(attributes, name) != nullptr) return false;
  if (equals == std::string_view::npos) return true;
  const auto marks = word.substr(equals + 1);
  return (marks.empty() || marks == "*") && meant(attributes, name).empty();
}

/// Joins lists that contain blanks, "QOSLIST=high low", as in the guide's examples (7.1.5.2.3).
Words with_lists_whole(const std::vector<Attribute>& attributes, const Words& words) {
  Words out;
  for (const auto& word : words) {
    if (!out.empty() && goes_on(attributes, word) &&
        parse_pair(attributes, out.back() + "," + word))
      out.back() += "," + word;
    else
      out.push_back(word);
  }
  return out;
}

}  // namespace

Result<Words> parse_object(const std::vector<Attribute>& attributes, const Words& words) {
  Words out;
  if (words.size() == 1 && is_none(words.front())) return out;
  for (const auto& word : with_lists_whole(attributes, words)) {
    const auto pair = parse_pair(attributes, word);
    if (!pair) return pair.error();
    const auto head = pair->name + "=";
    const auto same = std::find_if(out.begin(), out.end(),
                                   [&](const auto& other) { return other.starts_with(head); });
    if (same == out.end())
      out.push_back(pair->text());
    else
      *same = pair->text();
  }
  return out;
}

}  // namespace maui::config
