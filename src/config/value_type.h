// Kinds of values that parameters and attributes take.
//
// A ValueType knows what it expects, in words, and turns what a user wrote into
// one canonical form, so that equal settings compare equal and showconfig shows
// them alike.  The canonical form is itself legal and canonical.
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

/// The values of one parameter, as words; none stands for [NONE].
using Words = std::vector<std::string>;

struct ValueType {
  std::string expected;                                  // completes "expected ..."
  std::function<Result<Words>(const Words&)> canonical;  // the error says what was wrong
};

inline constexpr std::int64_t kBillion = 1000000000;  // beyond it, "up" has an end
inline constexpr double kMost = 1e15;

ValueType boolean();
ValueType integer(std::int64_t low = -kBillion, std::int64_t high = kBillion);
ValueType number(double low = 0, double high = kMost);
/// [[[DD:]HH:]MM:]SS; with `none_allowed` also -1, which stands for no limit.
ValueType duration(bool none_allowed = false);
/// Bytes, with K, M, G or T for powers of 1024.
ValueType size();
/// Any text; several words are joined by a blank.
ValueType text(std::string expected = "a text");
/// Words between blanks; commas and colons too when `separators` has them.
ValueType list(std::string expected, std::string_view separators = " ");
/// A limit, or a soft and a hard one (guide 6.2.4).
ValueType limits();
ValueType time_limits();
/// An epoch time; [NONE] is allowed.
ValueType epoch();

/// One of the words of `words` (between blanks).  "A|B": B is another spelling of A.
ValueType choice(std::string_view words);
/// Any number of them, between blanks, colons, commas or bars, and shown with `separator`.
ValueType choices(std::string_view words, char separator = ' ');
/// The same type, with [NONE] refused.
ValueType some(ValueType type);
/// The same type, with [NONE] or NONE allowed.
ValueType or_none(ValueType type);
/// A single word that `check` turns into its canonical form.
ValueType custom(std::string expected, std::function<Result<std::string>(std::string_view)> check);

/// The words of a table of names as choice() takes them: the first name of a value is the canonical
/// one.
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
/// Requires that the names of one value follow each other in the table.
template <class E, std::size_t N>
ValueType choice(const EnumName<E> (&table)[N]) {
  return choice(words_of(std::span<const EnumName<E>>(table)));
}

/// How canonical words are shown: joined by blanks, quoted where the parser needs it; "[NONE]".
std::string shown(const Words& value);
/// One word as the parser reads it back.
std::string config_word(std::string_view word);
bool is_none(std::string_view word);

}  // namespace maui::config
