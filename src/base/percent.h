// Names in files of words and lines: bytes that would end a word or a line are written as %XX.
#pragma once
#include <string>
#include <string_view>

namespace maui {

/// Blanks, control characters, '%' and the characters of `also` as %XX; all else, letters that are
/// not ASCII included, stays as it is.
std::string percent_escaped(std::string_view text, std::string_view also = {});
/// The same, with every byte that is not ASCII as %XX too.
std::string percent_escaped_ascii(std::string_view text, std::string_view also = {});
/// A '%' that no such pair of digits follows stands for itself.
std::string percent_unescaped(std::string_view text);

}  // namespace maui
