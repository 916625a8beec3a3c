#include "maui/node_set.h"

#include <fmt/format.h>

#include <utility>

#include "base/node_set_names.h"
#include "base/text.h"

namespace maui {
namespace {

// The most sets that a job may list: each is tried whenever the job is considered.
constexpr std::size_t kMostSets = 256;

template <class E, std::size_t N>
Result<E> named(const EnumName<E> (&table)[N], std::string_view word, std::string_view what) {
  if (const auto value = value_of(std::span<const EnumName<E>>(table), word)) return *value;
  std::string known;
  for (const auto& row : table) known += (known.empty() ? "" : ", ") + std::string(row.name);
  return Error{fmt::format("invalid node set {} '{}': expected one of {}", what, word, known)};
}

}  // namespace

Result<NodeSet> parse_node_set(std::string_view text, NodeSet base) {
  const auto parts = split(text, ':');
  if (parts.size() < 2)
    return Error{
        fmt::format("invalid node set '{}': expected SETTYPE:SETATTR[:SETLIST], such as "
                    "ONEOF:PROCSPEED:350,400",
                    text)};
  const auto policy = named(kNodeSetPolicies, parts[0], "type");
  if (!policy) return policy.error();
  const auto attribute = named(kNodeSetAttributes, parts[1], "attribute");
  if (!attribute) return attribute.error();
  base.policy = *policy;
  // The site's list holds values of the site's attribute.
  if (base.attribute != *attribute) base.list.clear();
  base.attribute = *attribute;
  if (parts.size() == 2) return base;
  base.list.clear();
  // Guide 13.3 writes 350,400,450, guide 16.3.1 350:450:500.
  for (std::size_t i = 2; i < parts.size(); ++i)
    for (const auto word : split(parts[i], ','))
      if (!word.empty()) base.list.emplace_back(word);
  if (base.list.size() > kMostSets)
    return Error{fmt::format("invalid node set: {} sets are listed, expected at most {}",
                             base.list.size(), kMostSets)};
  return base;
}

std::string node_set_text(const NodeSet& set) {
  return fmt::format("{}:{}{}{}", name_of<NodeSetPolicy>(kNodeSetPolicies, set.policy),
                     name_of<NodeSetAttribute>(kNodeSetAttributes, set.attribute),
                     set.list.empty() ? "" : ":", join(set.list, ","));
}

}  // namespace maui
