// The fields of one trace record: white space between them, [NONE] for no value.
//
// A reader asks for each field by its number, which counts from 1 as in the
// guide's tables.  The first field that is wrong is remembered, and every
// question is answered, so that a reader need not look after each.
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

  /// As it is written; empty for [NONE].
  std::string_view text(std::size_t field) const;
  /// The value of a field: %XX stands for a byte that no field can hold.
  std::string value(std::size_t field) const;
  /// Like value(), and [DEFAULT] and the 0 of old traces stand for no name, too.
  std::string name(std::size_t field) const;
  /// A name that there must be.
  std::string required(std::size_t field);
  /// `otherwise` for [NONE].
  std::int64_t integer(std::size_t field, std::int64_t otherwise, std::int64_t least,
                       std::int64_t most, std::string_view expected);
  double number(std::size_t field, double otherwise, double least, std::string_view expected);
  /// Megabytes; a bare number is megabytes, K, M, G and T may follow.  `otherwise` for [NONE] and
  /// for -1.  Parts of a megabyte are dropped, or rounded up.
  std::int32_t size(std::size_t field, std::int32_t otherwise, bool round_up);
  /// Epoch seconds; 0 and less are no time.
  Time time(std::size_t field);
  /// The items of "[a][b]".
  std::vector<std::string_view> bracketed(std::size_t field, std::string_view expected);

  void fail(std::size_t field, std::string_view expected);
  /// "invalid field N (NAME) 'VALUE': expected ..." of the first field that was wrong.
  const std::optional<std::string>& problem() const { return problem_; }

 private:
  std::vector<std::string_view> words_;
  std::span<const std::string_view> names_;
  std::optional<std::string> problem_;
};

inline constexpr std::string_view kNoValue = "[NONE]";

/// The items of "[a][b]"; nothing if it is no such list.
std::optional<std::vector<std::string_view>> parse_bracketed(std::string_view text);
/// NAME and COUNT of "NAME:COUNT"; the count is 1 when left out.  Nothing if it is not positive.
std::optional<std::pair<std::string, int>> parse_counted(std::string_view item);
/// Hands each record of a resource or workload trace to `take`, which returns what is wrong with
/// it, or nothing.  Records, VERSION lines and the end of the file that are wrong are problems.  An
/// error if the file cannot be opened.
Status for_each_record(const std::string& path, TraceProblems& problems,
                       const std::function<std::optional<std::string>(std::string_view)>& take);

}  // namespace maui
