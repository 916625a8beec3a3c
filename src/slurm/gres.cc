#include "slurm/gres.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>

#include "base/text.h"

namespace maui::slurm {
namespace {

void add(Counted& all, const std::string& name, int count) {
  const auto at = std::find_if(all.begin(), all.end(),
                               [&](const auto& resource) { return resource.first == name; });
  if (at == all.end())
    all.emplace_back(name, count);
  else
    at->second = static_cast<int>(std::clamp<std::int64_t>(std::int64_t{at->second} + count,
                                                           std::numeric_limits<int>::min(),
                                                           std::numeric_limits<int>::max()));
}

// Returns the text without brackets and their content: sockets and device numbers.
std::string without_brackets(std::string_view text) {
  std::string bare;
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : 0;
    if (depth == 0) bare += c == '=' ? ':' : c;
    depth -= c == ')' ? 1 : 0;
  }
  return bare;
}

/// Reads "2048", "2K" (as Slurm shortens it) or "30G"; what is beyond the range of int counts as
/// its maximum.
std::optional<int> count_of(std::string_view text) {
  constexpr std::string_view kSuffixes = "KMGTP";
  double factor = 1;
  if (!text.empty())
    if (const auto suffix = kSuffixes.find(static_cast<char>(std::toupper(text.back())));
        suffix != kSuffixes.npos) {
      factor = std::pow(1024.0, static_cast<double>(suffix) + 1);
      text.remove_suffix(1);
    }
  const auto number = parse_integer<std::int64_t>(text);
  if (!number || *number < 0) return std::nullopt;
  constexpr double kMost = std::numeric_limits<int>::max();
  return static_cast<int>(std::min(kMost, static_cast<double>(*number) * factor));
}

/// True for trackable resources (TRES) of Slurm that are not generic resources of nodes, such as
/// cpu=8 and license/x=1.
bool is_other_tres(std::string_view item) {
  constexpr std::array<std::string_view, 11> kOthers{
      "billing", "bb", "cpu", "energy", "fs", "ic", "license", "mem", "node", "pages", "vmem"};
  const auto name = item.substr(0, item.find_first_of(":/"));
  return std::find(kOthers.begin(), kOthers.end(), name) != kOthers.end();
}

}  // namespace

Counted generic_resources(std::string_view text) {
  Counted all;
  const std::string bare = without_brackets(text);
  for (std::string_view item : split(bare, ',')) {
    item = trimmed(item);
    if (item.starts_with("gres:") || item.starts_with("gres/"))
      item.remove_prefix(5);
    else if (is_other_tres(item))
      continue;
    if (item.empty() || item == "(null)") continue;
    auto parts = split(item, ':');
    int count = 1;
    if (const auto number = count_of(parts.back()); number && parts.size() > 1) {
      count = *number;
      parts.pop_back();
    }
    // Jobs do not use up such a resource.
    const bool remains = std::find(parts.begin(), parts.end(), "no_consume") != parts.end();
    if (remains) {
      count = std::numeric_limits<int>::max();
      std::erase(parts, "no_consume");
    }
    add(all, std::string(parts.front()), count);
    if (parts.size() > 1) add(all, std::string(parts[0]) + "_" + std::string(parts[1]), count);
  }
  return all;
}

Counted licenses(std::string_view text) {
  Counted all;
  for (const auto item : split(text, ',')) {
    const auto colon = item.rfind(':');
    const auto count = colon == std::string_view::npos ? std::optional<int>(1)
                                                       : count_of(trimmed(item.substr(colon + 1)));
    if (!trimmed(item).empty())
      add(all, std::string(trimmed(item.substr(0, colon))), count.value_or(1));
  }
  return all;
}

}  // namespace maui::slurm
