// Types of the values that parameters and attributes take.
//
// A ValueType describes what it expects, in words, and converts user input to
// one canonical form, so that equal settings compare equal and showconfig shows
// them alike.  The canonical form is itself valid and canonical.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_names.h"
#include "maui/result.h"

namespace maui::config {

/// The value of one parameter as words; no words stand for [NONE].
using Words = std::vector<std::string>;

struct ValueType {
  std::string expected;                                  // completes "expected ..."
  std::function<Result<Words>(const Words&)> canonical;  // the error says what is wrong
};

inline constexpr std::int64_t kBillion = 1000000000;  // the default bound of integers
inline constexpr double kMost = 1e15;

ValueType boolean();
ValueType integer(std::int64_t low = -kBillion, std::int64_t high = kBillion);
ValueType number(double low = 0, double high = kMost);
/// [[[DD:]HH:]MM:]SS or INFINITY; with `none_allowed` also -1, which stands for no limit.
ValueType duration(bool none_allowed = false);
/// A number of bytes, with K, M, G or T for powers of 1024.
ValueType size();
/// Any text; several words are joined by blanks.
ValueType text(std::string expected = "a text");
/// Words separated by blanks, or by commas and colons if `separators` contains them.
ValueType list(std::string expected, std::string_view separators = " ");
/// One limit, or a soft and a hard limit (guide 6.2.4).
ValueType limits();
ValueType time_limits();
/// An epoch time, or [NONE].
ValueType epoch();

/// One of `words` (separated by blanks).  In "A|B", B is another spelling of A.
ValueType choice(std::string_view words);
/// Any number of `words`, separated by blanks, colons, commas or bars; shown with `separator`.
ValueType choices(std::string_view words, char separator = ' ');
/// The same type without [NONE].
ValueType some(ValueType type);
/// The same type with [NONE] and NONE.
ValueType or_none(ValueType type);
/// A single word that `check` turns into its canonical form.
ValueType custom(std::string expected, std::function<Result<std::string>(std::string_view)> check);

/// Returns the names of a table in the form that choice() takes: the first name of a value is the
/// canonical name.
template <class E>
std::string words_of(std::span<const EnumName<E>> table) {
  std::string out;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const bool first = name_of(table, table[i].value) == table[i].name;
    if (i > 0) out += first ? ' ' : '|';
    out += table[i].name;
  }
  return out;
}
/// Requires that the names of one value are adjacent in the table.
template <class E, std::size_t N>
ValueType choice(const EnumName<E> (&table)[N]) {
  return choice(words_of(std::span<const EnumName<E>>(table)));
}

/// Returns canonical words as showconfig shows them: joined by blanks, quoted if needed; "[NONE]".
std::string shown(const Words& value);
/// Returns a word quoted such that the parser reads it back.
std::string config_word(std::string_view word);
bool is_none(std::string_view word);

}  // namespace maui::config
