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
namespace rows {

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

/// Which rows of a list are selected, and how they compare.
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

  bool sorts() const { return !sort_.empty(); }
  /// Appends the row's keys, in order of precedence.
  void add_keys(const void* row, std::vector<Key>& keys) const {
    for (const MemberPath& member : sort_) keys.push_back(key_of(member, row));
  }
  /// Compares the rows with those numbers by the keys of all rows.
  bool before(std::size_t a, std::size_t b, const std::vector<Key>& keys) const {
    for (std::size_t i = 0; i < sort_.size(); ++i) {
      const Key& first = keys[a * sort_.size() + i];
      const Key& second = keys[b * sort_.size() + i];
      if (first == second) continue;
      if (first.index() == 0 || second.index() == 0) return second.index() == 0;
      return choice_->sort[i].descending ? second < first : first < second;
    }
    return a < b;
  }

  const RowChoice& choice() const { return *choice_; }
  const ReplyShape& list() const { return *list_; }

 private:
  ListChoice(const RowChoice& choice, const ReplyShape& list) : choice_(&choice), list_(&list) {}

  const RowChoice* choice_;
  const ReplyShape* list_;
  std::vector<std::pair<MemberPath, Equals>> equal_;
  std::vector<MemberPath> sort_;
};

/// Copies the selected rows of one list in steps: collects them in sorted runs, then merges the
/// runs as far as rows are wanted.
class ListSelection {
 public:
  ListSelection(ListChoice choice, std::string name, const void* from, void* to)
      : choice_(std::move(choice)), name_(std::move(name)), from_(from), to_(to) {}

  bool go_on(const std::function<bool()>& enough) {
    for (const auto rows = choice_.list().count(from_); seen_ < rows;) {
      collect(std::min(rows, seen_ + kRun));
      if (enough()) return false;
    }
    if (!merging_) begin_merge();
    while (taken_ < last_) {
      for (const auto stop = std::min(last_, taken_ + kRun); taken_ < stop; ++taken_) take_next();
      if (enough()) return false;
    }
    return true;
  }
  /// The number of matching rows before offset and most apply.
  RowTotal total() const { return {name_, places_.size()}; }

 private:
  static constexpr std::size_t kRun = 512;
  struct Run {
    std::size_t next, end;  // in order_
  };
  /// Orders a heap of runs so that the one with the first row is on top.
  struct Later {
    const ListSelection* of;
    bool operator()(const Run& a, const Run& b) const {
      return of->choice_.before(of->order_[b.next], of->order_[a.next], of->keys_);
    }
  };

  /// Examines the rows before `end`; those that match form a run.
  void collect(std::size_t end) {
    const std::size_t begin = places_.size();
    for (; seen_ < end; ++seen_) {
      const void* const row = choice_.list().at(from_, seen_);
      if (!choice_.fits(row)) continue;
      order_.push_back(places_.size());
      places_.push_back(seen_);
      choice_.add_keys(row, keys_);
    }
    if (!choice_.sorts() || begin == places_.size()) return;
    const auto first = order_.begin() + static_cast<std::ptrdiff_t>(begin);
    std::sort(first, order_.end(), [this](auto a, auto b) { return choice_.before(a, b, keys_); });
    runs_.push_back({begin, places_.size()});
  }
  void begin_merge() {
    merging_ = true;
    const RowChoice& wanted = choice_.choice();
    first_ = std::min(wanted.offset, places_.size());
    last_ = first_ + std::min(wanted.most, places_.size() - first_);
    if (!choice_.sorts()) taken_ = first_;
    std::make_heap(runs_.begin(), runs_.end(), Later{this});
  }
  void take_next() {
    const std::size_t match = choice_.sorts() ? first_of_runs() : taken_;
    if (taken_ < first_) return;
    const ReplyShape& list = choice_.list();
    copy_value(*list.element, list.at(from_, places_[match]), list.append(to_));
  }
  std::size_t first_of_runs() {
    std::pop_heap(runs_.begin(), runs_.end(), Later{this});
    Run& run = runs_.back();
    const std::size_t match = order_[run.next++];
    if (run.next == run.end)
      runs_.pop_back();
    else
      std::push_heap(runs_.begin(), runs_.end(), Later{this});
    return match;
  }
  ListChoice choice_;
  std::string name_;
  const void* from_;
  void* to_;
  std::size_t seen_ = 0;             // rows examined
  std::vector<std::size_t> places_;  // of the rows that match
  std::vector<Key> keys_;            // of the rows that match
  std::vector<std::size_t> order_;   // of the rows that match, sorted within each run
  std::vector<Run> runs_;
  bool merging_ = false;
  std::size_t first_ = 0, last_ = 0, taken_ = 0;  // of the rows that match, in order
};

}  // namespace rows

/// Selects rows from one reply.
class RowSelection::Work {
 public:
  Work(const Reply& whole, const RowChoice& asked)
      : choice_(asked), part_(empty_reply(whole.index())) {
    if (asked.sort.size() > kMostRowMembers || asked.equal.size() > kMostRowMembers) {
      wrong_ = Error{
          fmt::format("rows can be selected and sorted by at most {} members", kMostRowMembers)};
      return;
    }
    choice_.containing = lower(choice_.containing);
    take_members(shape_of(whole), body_of(whole), body_of(part_));
    if (lists_.empty() && any_list_ && !wrong_)
      wrong_ = Error{fmt::format("this reply has no list '{}'", choice_.list)};
    if (!lists_.empty()) wrong_.reset();
  }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  bool go_on(const std::function<bool()>& enough) {
    for (; !wrong_ && at_ < lists_.size(); ++at_)
      if (!lists_[at_].go_on(enough)) return false;
    return true;
  }
  Result<ChosenRows> take() {
    if (wrong_) return *wrong_;
    std::vector<RowTotal> totals;
    for (const rows::ListSelection& list : lists_) totals.push_back(list.total());
    return ChosenRows{std::move(part_), std::move(totals)};
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
    auto list = rows::ListChoice::make(choice_, *member.shape);
    if (list)
      lists_.emplace_back(*std::move(list), std::string(member.name), from, to);
    else
      wrong_ = Error{fmt::format("no row of this reply has '{}': expected one of {}",
                                 list.error().what, rows::plain_members(*member.shape->element))};
  }

  RowChoice choice_;
  Reply part_;
  std::vector<rows::ListSelection> lists_;
  std::size_t at_ = 0;
  std::optional<Error> wrong_;
  bool any_list_ = false;
};

RowSelection::RowSelection(const Reply& whole, const RowChoice& choice)
    : work_(std::make_unique<Work>(whole, choice)) {}
RowSelection::RowSelection(RowSelection&&) noexcept = default;
RowSelection& RowSelection::operator=(RowSelection&&) noexcept = default;
RowSelection::~RowSelection() = default;
bool RowSelection::go_on(const std::function<bool()>& enough) { return work_->go_on(enough); }
Result<ChosenRows> RowSelection::take() { return work_->take(); }

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

Result<ChosenRows> choose_rows(const Reply& whole, const RowChoice& choice) {
  RowSelection selection(whole, choice);
  selection.go_on([] { return false; });
  return selection.take();
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
