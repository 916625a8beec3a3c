#include "cmd/facts/reply_values.h"

#include <algorithm>
#include <span>

#include "base/access_names.h"
#include "base/enum_names.h"
#include "base/job_flag_names.h"
#include "maui/initiators.h"

namespace maui {
namespace {

constexpr EnumName<NodeReason> kNodeReasons[] = {
    {NodeReason::none, ""},
    {NodeReason::job_class, "Class"},
    {NodeReason::cpu, "CPU"},
    {NodeReason::disk, "Disk"},
    {NodeReason::features, "Features"},
    {NodeReason::memory, "Memory"},
    {NodeReason::network, "Network"},
    {NodeReason::state, "State"},
    {NodeReason::swap, "Swap"},
    {NodeReason::architecture, "Arch"},
    {NodeReason::opsys, "Opsys"},
    {NodeReason::partition, "Partition"},
    {NodeReason::host_list, "HostList"},
    {NodeReason::access, "Access"},
    {NodeReason::resources, "Resources"},
    {NodeReason::reserve_time, "ReserveTime"},
};
constexpr EnumName<Comparison> kComparisons[] = {
    {Comparison::any, "NC"},   {Comparison::less, "<"},      {Comparison::at_most, "<="},
    {Comparison::equal, "=="}, {Comparison::at_least, ">="}, {Comparison::more, ">"},
};

template <class E, std::size_t N>
std::string_view spelled(const EnumName<E> (&table)[N], E value) {
  return name_of(std::span<const EnumName<E>>(table), value);
}

}  // namespace

std::int64_t raw(Seconds duration) { return duration >= kUnlimited ? -1 : duration.raw(); }

std::int64_t raw(Time when) { return when >= kForever ? -1 : when.raw(); }

std::string_view access_name(NodeAccess access) { return spelled(kNodeAccessNames, access); }

std::string_view reason_words(NodeReason reason) { return spelled(kNodeReasons, reason); }

std::vector<std::string> flag_names(std::uint16_t flags) {
  std::vector<std::string> names;
  for (const auto& row : kJobFlagNames)
    if (has(flags, row.value)) names.emplace_back(row.name);
  for (const auto& row : kGrantedFlagNames)
    if (has(flags, row.value) && name_of<JobFlag>(kJobFlagNames, row.value) != row.name)
      names.emplace_back(row.name);
  return names;
}

AmountBound bound_of(const Bound& bound) {
  return {std::string(spelled(kComparisons, bound.compare)), bound.amount};
}

AmountBound floor_of(const Bound& bound) {
  return bound.compare == Comparison::any ? bound_of({Comparison::at_least, 0}) : bound_of(bound);
}

std::vector<ResourceAmount> amounts_of(const Cluster& cluster, const Resources& resources) {
  std::vector<ResourceAmount> amounts;
  const auto add = [&](const std::string& name, Resources::Quantity amount) {
    if (amount != 0) amounts.push_back({name, amount});
  };
  add("PROCS", resources.procs());
  add("MEM", resources.memory());
  add("SWAP", resources.swap());
  add("DISK", resources.disk());
  for (const auto& [id, amount] : resources.extra())
    if (const auto& name = cluster.consumables[id]; !name.starts_with(kInitiatorPrefix))
      add(name, amount);
  return amounts;
}

std::vector<ClassAmount> classes_of(const Cluster& cluster, const Resources& free,
                                    const Resources& configured) {
  std::vector<ClassAmount> classes;
  for (const auto& [id, amount] : configured.extra())
    if (const auto& name = cluster.consumables[id]; name.starts_with(kInitiatorPrefix))
      classes.push_back({name.substr(kInitiatorPrefix.size()), free.get(id), amount});
  const auto place = [&](const ClassAmount& job_class) {
    return cluster.classes.find(job_class.name);
  };
  std::stable_sort(classes.begin(), classes.end(),
                   [&](const ClassAmount& a, const ClassAmount& b) { return place(a) < place(b); });
  return classes;
}

std::vector<std::string> feature_names(const Cluster& cluster,
                                       const std::vector<FeatureId>& features) {
  std::vector<std::string> names;
  for (const FeatureId id : features) names.push_back(cluster.features[id]);
  return names;
}

std::string or_none(const std::string& text) { return text.empty() ? "[NONE]" : text; }

}  // namespace maui
