// The lines of showstats: a label and two numbers.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "render/cells.h"

namespace maui {

/// Adds a line with the time that statistics cover: since they began (`began` is the command's
/// word), or a requested period (until >= 0).
void statistics_line(Lines& out, std::string_view began, std::int64_t since, std::int64_t until);
void period_line(Lines& out, std::int64_t since, std::int64_t until);

/// Formats hours and factors as in statistics.
std::string two_digits(double value);

void pair_line(Lines& out, std::string_view label, std::string_view left, std::string_view right);
/// Adds a line with both numbers, and `part` as a percentage of `whole`.
void count_share(Lines& out, std::string_view label, std::int64_t part, std::int64_t whole);
void hour_share(Lines& out, std::string_view label, double part, double whole);
/// Below 0: the value is unknown.
void percent_line(Lines& out, std::string_view label, double value, std::string_view more = {});

}  // namespace maui
