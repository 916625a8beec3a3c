#include "proto/reply_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <variant>

#include "base/text.h"
#include "proto/json_writer.h"
#include "proto/reply_fields.h"

namespace maui {
namespace {

template <class T>
inline constexpr bool kIsList = false;
template <class T>
inline constexpr bool kIsList<std::vector<T>> = std::is_aggregate_v<T>;

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

/// A plain member of a row, which outlives it; nothing where the row lacks it.
using Key = std::variant<std::monostate, std::int64_t, double, bool, std::string_view>;

/// What is no number would be in no order at all; JSON has it as 0, too.
Key key_of(double value) { return std::isfinite(value) ? value : 0.0; }
template <class Plain>
requires(std::is_same_v<Plain, std::int64_t> || std::is_same_v<Plain, bool> ||
         std::is_same_v<Plain, std::string>) Key key_of(const Plain& value) {
  return value;
}

/// The plain member of that name; nothing if rows of this kind have none.
template <class Row>
std::optional<Key> find_key(const Row& row, std::string_view name) {
  std::optional<Key> found;
  visit_fields(row, [&](std::string_view member_name, const auto& member) {
    using Member = std::remove_cvref_t<decltype(member)>;
    if (!name.starts_with(member_name)) return;
    const auto rest = name.substr(member_name.size());
    if constexpr (requires { key_of(member); }) {
      if (rest.empty()) found = key_of(member);
    } else if constexpr (kIsOptional<Member>) {
      if (!rest.starts_with('.')) return;
      static const typename Member::value_type kSample{};
      found = find_key(member ? *member : kSample, rest.substr(1));
      if (found && !member) found = Key();
    } else if constexpr (std::is_aggregate_v<Member> && !kIsList<Member>) {
      if (rest.starts_with('.')) found = find_key(member, rest.substr(1));
    }
  });
  return found;
}

template <class Row>
bool has_member(std::string_view name) {
  static const Row kSample{};
  return find_key(kSample, name).has_value();
}

template <class Number>
bool is_number(Number number, std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value == number;
}

struct Equals {
  std::string_view text;
  bool operator()(std::monostate) const { return false; }
  bool operator()(std::string_view member) const { return member == text; }
  bool operator()(bool member) const { return text == (member ? "true" : "false"); }
  bool operator()(std::int64_t member) const { return is_number(member, text); }
  bool operator()(double member) const { return is_number(member, text); }
};

/// In time that grows with the sum of both lengths, whatever they are; the short ones of most rows
/// are not copied for it.
bool contains(std::string_view text, const std::string& lower_part) {
  constexpr std::size_t kShort = 64;
  if (text.size() < lower_part.size()) return false;
  if (text.size() <= kShort) {
    const auto low = [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    };
    return std::search(text.begin(), text.end(), lower_part.begin(), lower_part.end(),
                       [&](char a, char b) { return low(a) == b; }) != text.end();
  }
  const std::string all = lower(text);
  return ::memmem(all.data(), all.size(), lower_part.data(), lower_part.size()) != nullptr;
}

template <class Row>
bool fits(const Row& row, const RowChoice& choice) {
  for (const auto& [name, value] : choice.equal) {
    const auto member = find_key(row, name);
    if (!member || !std::visit(Equals{value}, *member)) return false;
  }
  if (choice.containing.empty()) return true;
  bool found = false;
  visit_fields(row, [&](std::string_view, const auto& member) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(member)>, std::string>)
      found = found || contains(member, choice.containing);
  });
  return found;
}

/// Puts the first `most` of these places of rows into the order of the keys.
template <class Row>
void order(const std::vector<Row>& rows, std::vector<std::size_t>& places, const RowChoice& choice,
           std::size_t most) {
  std::vector<std::vector<Key>> keys;  // by key, of each row
  for (const SortKey& by : choice.sort) {
    auto& of_rows = keys.emplace_back(rows.size());
    for (const std::size_t place : places) of_rows[place] = *find_key(rows[place], by.member);
  }
  const auto before = [&](std::size_t a, std::size_t b) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const Key& one = keys[i][a];
      const Key& other = keys[i][b];
      if (one == other) continue;
      if (one.index() == 0 || other.index() == 0) return other.index() == 0;
      return choice.sort[i].descending ? other < one : one < other;
    }
    return a < b;
  };
  std::partial_sort(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(most),
                    places.end(), before);
}

/// Copies the rows; returns how many there are before offset and most.
template <class Row>
std::size_t choose(const std::vector<Row>& rows, const RowChoice& choice,
                   std::vector<Row>& chosen) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (fits(rows[i], choice)) places.push_back(i);
  const std::size_t total = places.size();
  const std::size_t first = std::min(choice.offset, total);
  const std::size_t last = first + std::min(choice.most, total - first);
  if (!choice.sort.empty()) order(rows, places, choice, last);
  chosen.reserve(last - first);
  for (std::size_t i = first; i < last; ++i) chosen.push_back(rows[places[i]]);
  return total;
}

/// Names a member that the choice asks for and the rows lack.
template <class Row>
std::optional<std::string> lacking(const RowChoice& choice) {
  for (const auto& [name, value] : choice.equal)
    if (!has_member<Row>(name)) return name;
  for (const SortKey& key : choice.sort)
    if (!has_member<Row>(key.member)) return key.member;
  return std::nullopt;
}

/// One reply as it is chosen from.
class Choosing {
 public:
  explicit Choosing(const RowChoice& choice) : choice_(choice) {}

  /// Members of `whole` and of a new body have the same order, and the same types.
  template <class Body>
  Body from(const Body& whole) {
    std::vector<const void*> members;
    visit_fields(whole, [&](std::string_view, const auto& member) { members.push_back(&member); });
    Body part;
    std::size_t next = 0;
    visit_fields(part, [&](std::string_view name, auto& member) {
      using Member = std::remove_cvref_t<decltype(member)>;
      take(name, *static_cast<const Member*>(members[next++]), member);
    });
    return part;
  }

  Result<std::vector<RowTotal>> totals() {
    if (!totals_.empty() || !any_list_) return std::move(totals_);
    if (lacks_) return Error{fmt::format("no row of this reply has '{}'", *lacks_)};
    return Error{fmt::format("this reply has no list '{}'", choice_.list)};
  }

 private:
  template <class Member>
  void take(std::string_view, const Member& from, Member& to) {
    to = from;
  }
  /// The lists of a dry run count as the reply's own.
  void take(std::string_view, const std::optional<DryRun>& from, std::optional<DryRun>& to) {
    if (from) to = this->from(*from);
  }
  template <class Row>
  requires std::is_aggregate_v<Row>
  void take(std::string_view name, const std::vector<Row>& from, std::vector<Row>& to) {
    any_list_ = true;
    if (!choice_.list.empty() && choice_.list != name) return;
    if (auto missing = lacking<Row>(choice_))
      lacks_ = std::move(missing);
    else
      totals_.push_back({std::string(name), choose(from, choice_, to)});
  }

  const RowChoice& choice_;
  std::vector<RowTotal> totals_;
  std::optional<std::string> lacks_;
  bool any_list_ = false;
};

}  // namespace

Result<std::vector<SortKey>> parse_sort_keys(std::string_view text) {
  std::vector<SortKey> keys;
  for (auto member : split(text, ',')) {
    const bool descending = member.starts_with('-');
    if (descending) member.remove_prefix(1);
    if (member.empty()) return Error{"expected names, as in -procs,name"};
    keys.push_back({std::string(member), descending});
  }
  return keys;
}

Result<ChosenRows> choose_rows(const Reply& whole, const RowChoice& asked) {
  if (asked.sort.size() > kMostRowMembers || asked.equal.size() > kMostRowMembers)
    return Error{fmt::format("rows are chosen and ordered by {} members at most", kMostRowMembers)};
  RowChoice choice = asked;
  choice.containing = lower(choice.containing);
  Choosing choosing(choice);
  Reply part = std::visit([&](const auto& body) { return Reply(choosing.from(body)); }, whole);
  auto totals = choosing.totals();
  if (!totals) return totals.error();
  return ChosenRows{std::move(part), *std::move(totals)};
}

std::string encode_with_totals(std::string encoded, const std::vector<RowTotal>& totals) {
  if (totals.empty()) return encoded;
  JsonWriter json;
  json.begin_object();
  for (const auto& [list, rows] : totals) {
    json.key(list);
    json.integer(static_cast<std::int64_t>(rows));
  }
  json.end_object();
  encoded.pop_back();  // the end of the object
  return fmt::format("{},\"row_totals\":{}}}", encoded, json.take());
}

}  // namespace maui
