#include "model/keys.h"

#include <fmt/format.h>

#include <functional>
#include <iterator>
#include <string_view>

#include "maui/hash.h"

namespace maui {
namespace {

/// Names may contain any character, so each is written with its length.
void write(std::string& out, std::string_view name) {
  fmt::format_to(std::back_inserter(out), "{}:{};", name.size(), name);
}

class Hash {
 public:
  template <class T>
  Hash& mix(T value) {
    value_ = maui::mix(value_, std::hash<T>{}(value));
    return *this;
  }
  Hash& mix(const Resources& amount) {
    for (std::size_t i = 0; i < kElementary; ++i) mix(amount.get(ConsumableId(i)));
    for (const auto& [id, quantity] : amount.extra()) mix(id.raw()).mix(quantity);
    return *this;
  }
  Hash& mix(const Bound& bound) { return mix(static_cast<int>(bound.compare)).mix(bound.amount); }
  std::size_t value() const { return value_; }

 private:
  std::size_t value_ = 0;
};

void mix_in(Hash& hash, const Requirement& requirement) {
  hash.mix(requirement.per_task)
      .mix(requirement.tasks)
      .mix(requirement.least_nodes)
      .mix(requirement.nodes)
      .mix(requirement.tasks_per_node)
      .mix(requirement.packed)
      .mix(requirement.host.raw());
  hash.mix(requirement.job_class.raw())
      .mix(requirement.memory)
      .mix(requirement.disk)
      .mix(requirement.swap)
      .mix(requirement.procs);
  for (const FeatureId feature : requirement.features) hash.mix(feature.raw());
  for (const std::string* text :
       {&requirement.network, &requirement.architecture, &requirement.operating_system})
    hash.mix(std::string_view(*text));
}

}  // namespace

std::string kind_key(const Node& node) { return kind_key(node, node.configured); }

std::string kind_key(const Node& node, const Resources& configured) {
  std::string key;
  const auto out = std::back_inserter(key);
  for (std::size_t i = 0; i < kElementary; ++i)
    fmt::format_to(out, "{};", configured.get(ConsumableId(i)));
  for (const auto& [id, amount] : configured.extra())
    fmt::format_to(out, "c{}={};", id.raw(), amount);
  for (const FeatureId feature : node.features) fmt::format_to(out, "f{};", feature.raw());
  for (const std::string& network : node.networks) write(key, network);
  key += '|';
  for (const std::string* text : {&node.architecture, &node.operating_system, &node.type})
    write(key, *text);
  fmt::format_to(out, "p{};s{};m{};", node.partition.raw(), node.speed, node.proc_speed);
  const NodePolicy& policy = node.policy;
  fmt::format_to(out, "a{};j{};u{};l{};", policy.access ? static_cast<int>(*policy.access) : -1,
                 policy.max_jobs, policy.max_jobs_per_user, policy.max_load);
  return key;
}

std::size_t hash_of(const Request& request) {
  Hash hash;
  for (const Requirement& requirement : request.requirements) mix_in(hash, requirement);
  hash.mix(request.limit.raw()).mix(static_cast<int>(request.access));
  hash.mix(static_cast<int>(request.host_list_use)).mix(request.node_set.has_value());
  for (const auto* nodes : {&request.host_list, &request.excluded})
    for (const NodeId node : *nodes) hash.mix(node.raw());
  for (const PartitionId partition : request.partitions) hash.mix(partition.raw());
  for (const FeatureId feature : request.qos_features) hash.mix(feature.raw());
  hash.mix(request.first_partition.raw()).mix(request.span).mix(request.apart);
  return hash.value();
}

}  // namespace maui
