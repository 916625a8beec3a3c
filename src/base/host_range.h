// Host lists in range form: "n[001-128]" stands for n001 to n128.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "maui/result.h"

namespace maui {

/// Expands one item, which may hold one or several bracketed ranges ("r[1-2]n[01-16,20]").  An item
/// without brackets stands for itself.  Refuses what would give more than a million names.
Result<std::vector<std::string>> expand_hosts(std::string_view item);

/// Expands all items of a list, as split_hosts() parts it.  Refuses a list that stands for more
/// than `most` names before it makes any.
Result<std::vector<std::string>> expand_host_list(std::string_view list, std::uint64_t most);

/// The first of the names that an item stands for, without making the others.
Result<std::string> first_host(std::string_view item);

/// How many names expand_hosts() would make of an item, without making them; a billion at most.  An
/// item that is wrong counts as far as it can be read.
std::uint64_t count_hosts(std::string_view item);

/// Takes the first item off a list of items that stand between `separator`s; those within brackets
/// do not count.
std::string_view take_item(std::string_view& list, char separator);

/// The items of a list between commas, colons and blanks; those within brackets do not count.
std::vector<std::string> split_hosts(std::string_view list);

/// The second name is the first one but for the number at its end, which is one more, in as many
/// digits.
bool counts_up(std::string_view first, std::string_view second);
/// "n[1-3]" of such names that count up from the first to the last; the name itself where these are
/// one.
std::string host_series(std::string_view first, std::string_view last);

/// The shortest equal list in order: runs of names that count up become one item in range form.
std::vector<std::string> compress_hosts(std::span<const std::string> names);

}  // namespace maui
