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

constexpr std::int64_t kMostCounted = std::numeric_limits<int>::max();

/// Reads "2048", "2K" (as Slurm shortens it) or "30G".
std::optional<std::int64_t> count_of(std::string_view text) {
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
  constexpr double kCountable = 1e18;
  return static_cast<std::int64_t>(std::min(kCountable, static_cast<double>(*number) * factor));
}

int limited(std::int64_t count) { return static_cast<int>(std::min(kMostCounted, count)); }

/// True for trackable resources (TRES) of Slurm that are not generic resources of nodes, such as
/// cpu=8 and license/x=1.
bool is_other_tres(std::string_view item) {
  constexpr std::array<std::string_view, 11> kOthers{
      "billing", "bb", "cpu", "energy", "fs", "ic", "license", "mem", "node", "pages", "vmem"};
  const auto name = item.substr(0, item.find_first_of(":/"));
  return std::find(kOthers.begin(), kOthers.end(), name) != kOthers.end();
}

/// Calls visit(names, count) for each resource; `names`: its kind and perhaps its type.
template <class Visit>
void each_resource(std::string_view text, const Visit& visit) {
  const std::string bare = without_brackets(text);
  for (std::string_view item : split(bare, ',')) {
    item = trimmed(item);
    if (item.starts_with("gres:") || item.starts_with("gres/"))
      item.remove_prefix(5);
    else if (is_other_tres(item))
      continue;
    if (item.empty() || item == "(null)") continue;
    auto parts = split(item, ':');
    std::int64_t count = 1;
    if (const auto number = count_of(parts.back()); number && parts.size() > 1) {
      count = *number;
      parts.pop_back();
    }
    // Jobs do not use up such a resource.
    if (std::erase(parts, "no_consume") > 0) count = kMostCounted;
    visit(parts, count);
  }
}

}  // namespace

Counted generic_resources(std::string_view text) {
  Counted all;
  each_resource(text, [&](const auto& names, std::int64_t count) {
    add(all, std::string(names.front()), limited(count));
    if (names.size() > 1)
      add(all, std::string(names[0]) + "_" + std::string(names[1]), limited(count));
  });
  return all;
}

std::vector<std::string> too_many_to_count(std::string_view text) {
  std::vector<std::string> kinds;
  each_resource(text, [&](const auto& names, std::int64_t count) {
    if (count > kMostCounted) kinds.emplace_back(names.front());
  });
  return kinds;
}

Counted licenses(std::string_view text) {
  Counted all;
  for (const auto item : split(text, ',')) {
    const auto colon = item.rfind(':');
    const auto count =
        colon == std::string_view::npos ? std::nullopt : count_of(trimmed(item.substr(colon + 1)));
    if (!trimmed(item).empty())
      add(all, std::string(trimmed(item.substr(0, colon))), limited(count.value_or(1)));
  }
  return all;
}

}  // namespace maui::slurm
