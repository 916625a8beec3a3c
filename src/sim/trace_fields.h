// The fields of one trace record, separated by white space, with [NONE] for no value.
//
// A reader asks for each field by its number, which counts from 1 as in the guide's tables.  The
// first invalid field is kept in problem(); every accessor returns a value even then, so that a
// reader can check for errors once at the end.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/size.h"
#include "maui/result.h"
#include "maui/units.h"
#include "sim/trace_file.h"

namespace maui {

class TraceFields {
 public:
  TraceFields(std::vector<std::string_view> words, std::span<const std::string_view> names)
      : words_(std::move(words)), names_(names) {}

  /// Returns the text as written; empty for [NONE].
  std::string_view text(std::size_t field) const;
  /// Returns the value of a field, with %XX decoded: a byte that a field cannot hold.
  std::string value(std::size_t field) const;
  /// Like value(), but [DEFAULT] and the 0 of old traces are also empty.
  std::string name(std::size_t field) const;
  /// Returns a name; it is an error if the field is empty.
  std::string required(std::size_t field);
  /// Returns `otherwise` for [NONE].
  std::int64_t integer(std::size_t field, std::int64_t otherwise, std::int64_t least,
                       std::int64_t most, std::string_view expected);
  double number(std::size_t field, double otherwise, double least, std::string_view expected);
  /// Returns a size in MB: a number, to which K, M, G or T may be added; `otherwise` for [NONE] and
  /// -1.  A fraction of a megabyte is dropped, or rounded up if `round_up`.
  std::int32_t size(std::size_t field, std::int32_t otherwise, bool round_up);
  /// Returns a time in seconds since the epoch; 0 or less means no time.
  Time time(std::size_t field);
  /// Returns the items of "[a][b]".
  std::vector<std::string_view> bracketed(std::size_t field, std::string_view expected);

  void fail(std::size_t field, std::string_view expected);
  /// Returns "invalid field N (NAME) 'VALUE': expected ..." for the first invalid field.
  const std::optional<std::string>& problem() const { return problem_; }

 private:
  std::vector<std::string_view> words_;
  std::span<const std::string_view> names_;
  std::optional<std::string> problem_;
};

inline constexpr std::string_view kNoValue = "[NONE]";

/// Returns the items of "[a][b]"; nullopt if the text is not such a list.
std::optional<std::vector<std::string_view>> parse_bracketed(std::string_view text);
/// Splits "NAME:COUNT"; the count is 1 if omitted.  Returns nullopt if the count is not positive.
std::optional<std::pair<std::string, int>> parse_counted(std::string_view item);
/// Passes each record of a resource or workload trace to `take`, which returns what is wrong with
/// the record, if anything.  Reports bad records, bad VERSION lines and a damaged end of the file
/// to `problems`.  Returns an error if the file cannot be opened.
Status for_each_record(const std::string& path, TraceProblems& problems,
                       const std::function<std::optional<std::string>(std::string_view)>& take);

}  // namespace maui
