// Percent encoding of names in files of words and lines: %XX stands for bytes that end a word.
#pragma once
#include <string>
#include <string_view>

namespace maui {

/// Writes blanks, control characters, '%' and the characters of `also` as %XX; leaves all others,
/// including letters that are not ASCII, as they are.
std::string percent_escaped(std::string_view text, std::string_view also = {});
/// True if percent_escaped() would change nothing.
bool needs_no_escapes(std::string_view text, std::string_view also = {});
/// Appends what percent_escaped() returns.
void append_percent_escaped(std::string& out, std::string_view text, std::string_view also = {});
/// Like percent_escaped(), but also writes every byte that is not ASCII as %XX.
std::string percent_escaped_ascii(std::string_view text, std::string_view also = {});
/// Reverses both; a '%' without two hexadecimal digits after it stands for itself.
std::string percent_unescaped(std::string_view text);

}  // namespace maui
