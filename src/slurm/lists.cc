#include "slurm/lists.h"

#include "base/host_range.h"
#include "base/text.h"

namespace maui::slurm {

std::vector<std::string> host_names(std::string_view list) {
  std::vector<std::string> names;
  for (const auto& item : split_hosts(list))
    if (auto expanded = expand_hosts(item); expanded)
      names.insert(names.end(), expanded->begin(), expanded->end());
  return names;
}

int count_in_ranges(std::string_view ranges) {
  int count = 0;
  for (const auto range : split(ranges, ',')) {
    const auto dash = range.find('-');
    const auto first = parse_integer<int>(range.substr(0, dash));
    const auto last =
        dash == std::string_view::npos ? first : parse_integer<int>(range.substr(dash + 1));
    if (first && last && *first <= *last) count += *last - *first + 1;
  }
  return count;
}

std::map<int, std::int64_t> amounts_by_number(std::string_view list) {
  std::map<int, std::int64_t> amounts;
  for (const auto item : split(list, ',')) {
    const auto mark = item.find('=');
    if (mark == std::string_view::npos) continue;
    const auto number = parse_integer<int>(item.substr(0, mark));
    const auto amount = parse_integer<std::int64_t>(item.substr(mark + 1));
    if (number && amount && *amount >= 0) amounts[*number] = *amount;
  }
  return amounts;
}

}  // namespace maui::slurm
