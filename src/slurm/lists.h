// Lists of numbers as Slurm's library has them.
#pragma once
#include <cstdint>
#include <map>
#include <string_view>

namespace maui::slurm {

/// How many numbers are in "0-3,6".
int count_in_ranges(std::string_view ranges);

/// "1=4,2=1000": amounts, by the numbers of resources.  What is no amount is left out.
std::map<int, std::int64_t> amounts_by_number(std::string_view list);

}  // namespace maui::slurm
