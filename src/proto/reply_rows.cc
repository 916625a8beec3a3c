#include "proto/reply_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <variant>

#include "base/text.h"
#include "proto/json_writer.h"
#include "proto/reply_shape.h"

namespace maui {
namespace {

/// A plain member of a row, which must outlive the Key; monostate if the row lacks the member.
using Key = std::variant<std::monostate, std::int64_t, double, bool, std::string_view>;

Key key_of(const MemberPath& member, const void* row) {
  const void* const value = member.in(row);
  if (value == nullptr) return {};
  switch (member.shape().kind) {
    case ReplyShape::Kind::integer:
      return value_as<std::int64_t>(value);
    // NaN and infinities cannot be ordered; they count as 0, as in JSON.
    case ReplyShape::Kind::number:
      return std::isfinite(value_as<double>(value)) ? value_as<double>(value) : 0.0;
    case ReplyShape::Kind::boolean:
      return value_as<bool>(value);
    case ReplyShape::Kind::text:
      return value_as<std::string>(value);
    default:
      return {};
  }
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

/// Returns the members by which rows may be selected and sorted, "name, user".
std::string plain_members(const ReplyShape& row) {
  std::vector<std::string> names;
  for (const ReplyMember& member : row.members)
    if (find_plain_member(row, member.name)) names.emplace_back(member.name);
  return join(names, ", ");
}

/// Takes time linear in the sum of both lengths, whatever the texts; short texts, the most frequent
/// case, are not copied.
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

/// Selects rows of one list.
class ListChoice {
 public:
  /// Fails with the name of a member that the choice uses but the rows lack.
  static Result<ListChoice> make(const RowChoice& choice, const ReplyShape& list) {
    ListChoice made(choice, list);
    for (const auto& [name, value] : choice.equal) {
      const auto member = find_plain_member(*list.element, name);
      if (!member) return Error{name};
      made.equal_.push_back({*member, Equals{value}});
    }
    for (const SortKey& key : choice.sort) {
      const auto member = find_plain_member(*list.element, key.member);
      if (!member) return Error{key.member};
      made.sort_.push_back(*member);
    }
    return made;
  }

  /// Copies the selected rows; returns their number before offset and most apply.
  std::size_t choose(const void* rows, void* chosen) const {
    std::vector<std::size_t> places;
    for (std::size_t i = 0, count = list_->count(rows); i < count; ++i)
      if (fits(list_->at(rows, i))) places.push_back(i);
    const std::size_t total = places.size();
    const std::size_t first = std::min(choice_->offset, total);
    const std::size_t last = first + std::min(choice_->most, total - first);
    if (!sort_.empty()) order(rows, places, last);
    for (std::size_t i = first; i < last; ++i)
      copy_value(*list_->element, list_->at(rows, places[i]), list_->append(chosen));
    return total;
  }

 private:
  ListChoice(const RowChoice& choice, const ReplyShape& list) : choice_(&choice), list_(&list) {}

  bool fits(const void* row) const {
    for (const auto& [member, equals] : equal_)
      if (!std::visit(equals, key_of(member, row))) return false;
    const auto has_it = [&](const ReplyMember& member) {
      return member.shape->kind == ReplyShape::Kind::text &&
             contains(value_as<std::string>(member.in(row)), choice_->containing);
    };
    const auto& members = list_->element->members;
    return choice_->containing.empty() || std::any_of(members.begin(), members.end(), has_it);
  }

  /// Sorts `places` by the keys as far as the first `most`.
  void order(const void* rows, std::vector<std::size_t>& places, std::size_t most) const {
    std::vector<std::vector<Key>> keys;  // by key, for each row
    for (const MemberPath& member : sort_) {
      auto& of_rows = keys.emplace_back(list_->count(rows));
      for (const std::size_t place : places)
        of_rows[place] = key_of(member, list_->at(rows, place));
    }
    const auto before = [&](std::size_t a, std::size_t b) {
      for (std::size_t i = 0; i < keys.size(); ++i) {
        const Key& first = keys[i][a];
        const Key& second = keys[i][b];
        if (first == second) continue;
        if (first.index() == 0 || second.index() == 0) return second.index() == 0;
        return choice_->sort[i].descending ? second < first : first < second;
      }
      return a < b;
    };
    std::partial_sort(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(most),
                      places.end(), before);
  }

  const RowChoice* choice_;
  const ReplyShape* list_;
  std::vector<std::pair<MemberPath, Equals>> equal_;
  std::vector<MemberPath> sort_;
};

/// Selects rows from one reply.
class Choosing {
 public:
  explicit Choosing(const RowChoice& choice) : choice_(choice) {}

  Reply from(const Reply& whole) {
    Reply part = empty_reply(whole.index());
    take_members(shape_of(whole), body_of(whole), body_of(part));
    return part;
  }

  Result<std::vector<RowTotal>> totals() {
    if (!totals_.empty() || !any_list_) return std::move(totals_);
    if (lacks_) return Error{*lacks_};
    return Error{fmt::format("this reply has no list '{}'", choice_.list)};
  }

 private:
  void take_members(const ReplyShape& shape, const void* from, void* to) {
    for (const ReplyMember& member : shape.members) take(member, member.in(from), member.in(to));
  }

  void take(const ReplyMember& member, const void* from, void* to) {
    const ReplyShape& shape = *member.shape;
    if (shape.is_list_of(ReplyShape::Kind::record)) return take_rows(member, from, to);
    if (member.name != kDryRunMember) return copy_value(shape, from, to);
    // The lists of a dry run are treated like the reply's own lists.
    if (shape.count(from) > 0) take_members(*shape.element, shape.at(from, 0), shape.append(to));
  }

  void take_rows(const ReplyMember& member, const void* from, void* to) {
    any_list_ = true;
    if (!choice_.list.empty() && choice_.list != member.name) return;
    const auto list = ListChoice::make(choice_, *member.shape);
    if (list)
      totals_.push_back({std::string(member.name), list->choose(from, to)});
    else
      lacks_ = fmt::format("no row of this reply has '{}': expected one of {}", list.error().what,
                           plain_members(*member.shape->element));
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
    return Error{
        fmt::format("rows can be selected and sorted by at most {} members", kMostRowMembers)};
  RowChoice choice = asked;
  choice.containing = lower(choice.containing);
  Choosing choosing(choice);
  Reply part = choosing.from(whole);
  auto totals = choosing.totals();
  if (!totals) return totals.error();
  return ChosenRows{std::move(part), *std::move(totals)};
}

std::string encode_with_totals(std::string encoded, const std::vector<RowTotal>& totals,
                               std::size_t most) {
  if (totals.empty()) return encoded;
  JsonWriter json;
  json.begin_object();
  for (const auto& [list, rows] : totals) {
    json.key(list);
    json.integer(static_cast<std::int64_t>(rows));
  }
  json.end_object();
  encoded.pop_back();  // the closing brace
  return fmt::format("{},\"{}\":{},\"{}\":{}}}", encoded, kRowTotalsMember, json.take(),
                     kRowLimitMember, most);
}

}  // namespace maui
