#include "proto/reply_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>

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
inline constexpr bool kIsPlain =
    std::is_same_v<T, std::string> || std::is_same_v<T, std::int64_t> ||
    std::is_same_v<T, double> || std::is_same_v<T, bool>;

/// Calls visit(member) for the plain member of that name; false if there is none.
template <class Row, class Visit>
bool with_member(const Row& row, std::string_view name, Visit visit) {
  bool found = false;
  visit_fields(row, [&](std::string_view member_name, const auto& member) {
    if constexpr (kIsPlain<std::remove_cvref_t<decltype(member)>>) {
      if (member_name != name) return;
      found = true;
      visit(member);
    }
  });
  return found;
}

template <class Row>
bool has_member(std::string_view name) {
  const Row sample{};
  return with_member(sample, name, [](const auto&) {});
}

bool equals(const std::string& member, std::string_view text) { return member == text; }
bool equals(bool member, std::string_view text) { return text == (member ? "true" : "false"); }
template <class Number>
requires(std::is_same_v<Number, std::int64_t> ||
         std::is_same_v<Number, double>) bool equals(Number member, std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value == member;
}

bool contains(std::string_view text, std::string_view part) {
  return std::search(text.begin(), text.end(), part.begin(), part.end(), [](char a, char b) {
           const auto low = [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; };
           return low(a) == low(b);
         }) != text.end();
}

template <class Row>
bool fits(const Row& row, const RowChoice& choice) {
  for (const auto& [name, value] : choice.equal) {
    bool equal = false;
    with_member(row, name, [&](const auto& member) { equal = equals(member, value); });
    if (!equal) return false;
  }
  if (choice.containing.empty()) return true;
  bool found = false;
  visit_fields(row, [&](std::string_view, const auto& member) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(member)>, std::string>)
      found = found || contains(member, choice.containing);
  });
  return found;
}

/// What is no number would be in no order at all; JSON has it as 0, too.
double in_order(double value) { return std::isfinite(value) ? value : 0; }
template <class Member>
const Member& in_order(const Member& value) {
  return value;
}

/// Puts the first `most` of these places of rows into the order of the member.
template <class Row>
void order(const std::vector<Row>& rows, std::vector<std::size_t>& places, const RowChoice& choice,
           std::size_t most) {
  const auto middle = places.begin() + static_cast<std::ptrdiff_t>(most);
  const Row sample{};
  visit_fields(sample, [&](std::string_view name, const auto& of_type) {
    using Member = std::remove_cvref_t<decltype(of_type)>;
    if constexpr (kIsPlain<Member>) {
      if (name != choice.sort) return;
      std::vector<const Member*> keys(rows.size());
      for (const std::size_t place : places)
        visit_fields(rows[place], [&](std::string_view other, const auto& member) {
          if constexpr (std::is_same_v<std::remove_cvref_t<decltype(member)>, Member>)
            if (other == choice.sort) keys[place] = &member;
        });
      std::partial_sort(places.begin(), middle, places.end(), [&](std::size_t a, std::size_t b) {
        const auto& one = in_order(*keys[a]);
        const auto& other = in_order(*keys[b]);
        if (one == other) return a < b;
        return choice.descending ? other < one : one < other;
      });
    }
  });
}

template <class Row>
std::size_t choose(std::vector<Row>& rows, const RowChoice& choice) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (fits(rows[i], choice)) places.push_back(i);
  const std::size_t total = places.size();
  const std::size_t first = std::min(choice.offset, total);
  const std::size_t last = first + std::min(choice.most, total - first);
  if (!choice.sort.empty()) order(rows, places, choice, last);
  std::vector<Row> chosen;
  chosen.reserve(last - first);
  for (std::size_t i = first; i < last; ++i) chosen.push_back(std::move(rows[places[i]]));
  rows = std::move(chosen);
  return total;
}

/// Names a member that the choice asks for and the rows lack.
template <class Row>
std::optional<std::string> lacking(const RowChoice& choice) {
  for (const auto& [name, value] : choice.equal)
    if (!has_member<Row>(name)) return name;
  if (!choice.sort.empty() && !has_member<Row>(choice.sort)) return choice.sort;
  return std::nullopt;
}

}  // namespace

Result<std::vector<RowTotal>> choose_rows(Reply& reply, const RowChoice& choice) {
  std::vector<RowTotal> totals;
  std::optional<std::string> lacks;
  bool any_list = false;
  const auto look_at = [&](std::string_view name, auto& member) {
    using Member = std::remove_cvref_t<decltype(member)>;
    if constexpr (kIsList<Member>) {
      using Row = typename Member::value_type;
      any_list = true;
      const bool meant = choice.list.empty() || choice.list == name;
      const auto missing = meant ? lacking<Row>(choice) : std::nullopt;
      if (missing) lacks = missing;
      if (!meant || missing) return member.clear();
      totals.push_back({std::string(name), choose(member, choice)});
    }
  };
  std::visit([&](auto& body) { visit_fields(body, look_at); }, reply);
  if (!totals.empty() || !any_list) return totals;
  if (lacks) return Error{fmt::format("no row of this reply has '{}'", *lacks)};
  return Error{fmt::format("this reply has no list '{}'", choice.list)};
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
  return fmt::format("{},\"totals\":{}}}", encoded, json.take());
}

}  // namespace maui
