// The attribute tables of nodes and jobs, as a template.
#pragma once
#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/outside_text.h"
#include "base/text.h"
#include "rm/wiki_attributes.h"

namespace maui::wiki {

// The value that many attributes expect.
inline constexpr std::string_view kAmount = "a whole number, 0 or more";
inline constexpr std::string_view kGenericResources =
    "generic resources such as TAPE:2,MATLAB:6, none of them more than 2147483647 times";

/// How much depends on an attribute.
enum class Weight : std::uint8_t {
  light,    // an invalid value is ignored
  decides,  // affects where or when a job may run: an invalid value spoils the record
  asks,     // a wish; without a reader, it has no effect
};

/// Reads an amount, which is never negative; values beyond the range of Quantity become its most.
inline bool read_amount(std::string_view value, Resources::Quantity& into) {
  const auto amount = parse_integer<std::int64_t>(wiki_text(value));
  if (!amount || *amount < 0) return false;
  into = static_cast<Resources::Quantity>(std::min<std::int64_t>(*amount, Resources::kMost));
  return true;
}
/// Returns what to say of an amount that may be beyond that range; an empty text: nothing.  The
/// adapters of Slurm and PBS report such an amount as the most.
inline std::string doubt_of_amount(std::string_view value) {
  if (value.size() < 10) return {};
  const auto amount = parse_integer<std::int64_t>(wiki_text(value)).value_or(0);
  if (amount < Resources::kMost) return {};
  return amount == Resources::kMost
             ? fmt::format("counts as {}, which is the most: it may be more", Resources::kMost)
             : fmt::format("'{}' is taken as {}: expected at most that", shortened(value),
                           Resources::kMost);
}

/// One attribute of a T.  A reader returns false if the value is invalid; a row without a reader is
/// known but ignored.  A writer returns the value as written in a record, or an empty text.
template <class T>
struct Row {
  std::string_view name;
  std::string_view expected = {};
  bool (*read)(std::string_view value, T& into) = nullptr;
  std::string (*write)(const T& from) = nullptr;
  Weight weight = Weight::light;
};

/// Returns "TASKS" for "TASKS.1", the same attribute of a further requirement.
inline std::string_view without_number(std::string_view name) {
  const auto dot = name.rfind('.');
  return dot != name.npos && parse_integer<int>(name.substr(dot + 1)) ? name.substr(0, dot) : name;
}

/// Looks rows up by name.
template <class T>
class Table {
 public:
  explicit Table(std::vector<Row<T>> rows) : rows_(std::move(rows)) {
    for (std::size_t i = 0; i < rows_.size(); ++i) places_.emplace(rows_[i].name, i);
  }

  /// Reads all valid attributes.  Fails if an attribute with Weight::decides is invalid.
  Status read(std::string_view kind, const WikiRecord& record, T& into, WikiNotes& notes) const {
    std::vector<const std::string*> values(rows_.size());
    std::string problem;
    for (const auto& [name, value] : record.attributes) {
      if (const auto at = places_.find(name); at != places_.end())
        values[at->second] = &value;
      else
        notes.unknown.insert(fmt::format("attribute {}", name));
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto& row = rows_[i];
      if (values[i] == nullptr || row.read == nullptr) continue;
      if (row.read(*values[i], into)) {
        if (row.expected != kAmount) continue;
        if (const auto doubt = doubt_of_amount(*values[i]); !doubt.empty())
          notes.problems.push_back(fmt::format("{} '{}': {} {}", kind, record.id, row.name, doubt));
        continue;
      }
      auto wrong = fmt::format("invalid {} '{}': expected {}", row.name, shortened(*values[i]),
                               row.expected);
      notes.problems.push_back(fmt::format("{} '{}': {}", kind, record.id, wrong));
      if (row.weight == Weight::decides && problem.empty()) problem = std::move(wrong);
    }
    if (!problem.empty()) return Error{std::move(problem)};
    return Done{};
  }

  /// Returns the attributes of a record that the scheduler does not read.
  std::vector<UnusedAttribute> unused_attributes(const WikiRecord& record) const {
    std::vector<UnusedAttribute> all;
    for (const auto& [name, value] : record.attributes) {
      const auto at = places_.find(without_number(name));
      const bool known = at != places_.end();
      if (known && rows_[at->second].read != nullptr) continue;
      all.push_back({name, wiki_text(value), !known || rows_[at->second].weight == Weight::asks});
    }
    return all;
  }

  void write(const T& from, WikiRecord& record) const {
    for (const auto& row : rows_)
      if (row.write != nullptr)
        if (auto value = row.write(from); !value.empty())
          record.attributes.emplace_back(row.name, std::move(value));
  }

  std::vector<std::string_view> names() const {
    std::vector<std::string_view> all;
    for (const bool used : {true, false})
      for (const auto& row : rows_)
        if ((row.read != nullptr) == used) all.push_back(row.name);
    return all;
  }

 private:
  std::vector<Row<T>> rows_;
  std::unordered_map<std::string_view, std::size_t> places_;
};

/// `into`: a string, or a type for rarely set strings.
template <class Text>
bool read_text(std::string_view value, Text& into) {
  std::string text = wiki_text(value);
  if (same_word(text, "[NONE]") || same_word(text, "[any]")) text.clear();
  into = std::move(text);
  return true;
}

/// Reads seconds since the epoch; 0 or less means unknown.
inline bool read_time(std::string_view value, Time& into, Time unknown = Time(0)) {
  const auto seconds = parse_integer<std::int64_t>(wiki_text(value));
  if (!seconds || *seconds > kForever.raw()) return false;
  into = *seconds > 0 ? Time(*seconds) : unknown;
  return true;
}

using Counted = std::vector<std::pair<std::string, int>>;

/// "[batch:5][special:3]", "MATLAB:6,TAPE:2", "batch": names with counts, 1 by default.
bool read_counted(std::string_view value, Counted& into);
/// "[batch:5][special:3]"
std::string bracketed(const Counted& items);
/// "MATLAB:6,TAPE:2"
std::string counted_text(const Counted& items);

inline std::string number_text(std::int64_t number) {
  return number == 0 ? std::string() : std::to_string(number);
}
inline std::string time_text(Time time) {
  return time > Time(0) && time < kForever ? std::to_string(time.raw()) : std::string();
}

}  // namespace maui::wiki
