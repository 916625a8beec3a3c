// Host lists in range form: "n[001-128]" stands for n001 to n128.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "maui/result.h"

namespace maui {

/// Expands an item, which may contain one or several bracketed ranges ("r[1-2]n[01-16,20]").  An
/// item without brackets is returned as it is.  Rejects items of more than a million names.
Result<std::vector<std::string>> expand_hosts(std::string_view item);

/// Expands all items of a list, as separated by split_hosts().  Rejects a list of more than `most`
/// names before expanding it.
Result<std::vector<std::string>> expand_host_list(std::string_view list, std::uint64_t most);

/// Returns the first name that an item stands for, without expanding the others.
Result<std::string> first_host(std::string_view item);

/// Returns how many names expand_hosts() would return, without expanding; a billion at most.  A
/// malformed item counts up to its first error.
std::uint64_t count_hosts(std::string_view item);

/// Removes and returns the first item of a list whose items `separator` separates; separators
/// within brackets do not count.
std::string_view take_item(std::string_view& list, char separator);

/// Returns the items of a list separated by commas, colons and blanks, except within brackets.
std::vector<std::string> split_hosts(std::string_view list);

/// True if the second name equals the first, except that the number at its end is one higher, with
/// the same number of digits.
bool counts_up(std::string_view first, std::string_view second);
/// Returns "n[1-3]" for names that count up from the first to the last; for equal names, the name
/// itself.
std::string host_series(std::string_view first, std::string_view last);

/// Returns a shorter equivalent list, in order: names that count up are joined into a range.
std::vector<std::string> compress_hosts(std::span<const std::string> names);

}  // namespace maui
