// Lists of hosts and of numbers as Slurm has them.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace maui::slurm {

/// "n[1-3],login": every name of it.  What is no list of hosts is left out.
std::vector<std::string> host_names(std::string_view list);

/// How many numbers are in "0-3,6".
int count_in_ranges(std::string_view ranges);

/// "1=4,2=1000": amounts, by the numbers of resources.  What is no amount is left out.
std::map<int, std::int64_t> amounts_by_number(std::string_view list);

}  // namespace maui::slurm
