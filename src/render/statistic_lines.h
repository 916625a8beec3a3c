// The lines of showstats: a label and two numbers.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "render/cells.h"

namespace maui {

/// Says which time statistics cover: since they began, in the word of the command, or of a period
/// that was asked for (until >= 0).
void statistics_line(Lines& out, std::string_view began, std::int64_t since, std::int64_t until);
void period_line(Lines& out, std::int64_t since, std::int64_t until);

/// As statistics show hours and factors.
std::string two_digits(double value);

void pair_line(Lines& out, std::string_view label, std::string_view left, std::string_view right);
/// Both, and what part of the other the first is, in per cent.
void count_share(Lines& out, std::string_view label, std::int64_t part, std::int64_t whole);
void hour_share(Lines& out, std::string_view label, double part, double whole);
/// Below 0: nothing to tell from.
void percent_line(Lines& out, std::string_view label, double value, std::string_view more = {});

}  // namespace maui
