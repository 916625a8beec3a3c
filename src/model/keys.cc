#include "model/keys.h"

#include <functional>
#include <string_view>

#include "maui/hash.h"
#include "maui/node_traits.h"

namespace maui {
namespace {

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

std::size_t NodeTraitsHash::operator()(const NodeTraits& traits) const {
  Hash hash;
  hash.mix(traits.configured).mix(traits.partition.raw());
  for (const FeatureId feature : traits.features) hash.mix(feature.raw());
  for (const std::string& network : traits.networks) hash.mix(std::string_view(network));
  for (const std::string* text : {&traits.architecture, &traits.operating_system, &traits.type})
    hash.mix(std::string_view(*text));
  hash.mix(traits.speed).mix(traits.proc_speed);
  hash.mix(traits.access ? static_cast<int>(*traits.access) : -1);
  hash.mix(traits.max_jobs).mix(traits.max_jobs_per_user).mix(traits.max_load);
  return hash.value();
}

std::size_t hash_of(const Request& request) {
  Hash hash;
  for (const Requirement& requirement : request.requirements) mix_in(hash, requirement);
  hash.mix(request.limit.raw()).mix(static_cast<int>(request.access.usual));
  hash.mix(static_cast<int>(request.access.demanded));
  hash.mix(static_cast<int>(request.host_list_use)).mix(request.node_set.has_value());
  for (const auto* nodes : {&request.host_list, &request.excluded})
    for (const NodeId node : *nodes) hash.mix(node.raw());
  for (const PartitionId partition : request.partitions) hash.mix(partition.raw());
  for (const FeatureId feature : request.qos_features) hash.mix(feature.raw());
  hash.mix(request.first_partition.raw()).mix(request.span).mix(request.apart);
  return hash.value();
}

}  // namespace maui
