// Lists of hosts and numbers, in Slurm's notation.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace maui::slurm {

/// Returns every name in "n[1-3],login".  Malformed parts are omitted.
std::vector<std::string> host_names(std::string_view list);

/// Returns how many numbers "0-3,6" contains.
int count_in_ranges(std::string_view ranges);

/// Returns the amounts in "1=4,2=1000" by the number of the resource.  Omits malformed parts.
std::map<int, std::int64_t> amounts_by_number(std::string_view list);

}  // namespace maui::slurm
