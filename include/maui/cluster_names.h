// The names of a cluster, and the ids that stand for them: those of credentials, partitions,
// features and consumables.
//
// Code that only turns names into ids takes this table instead of the whole Cluster.
#pragma once
#include <cstdint>
#include <vector>

#include "maui/names.h"
#include "maui/resources.h"
#include "maui/units.h"

namespace maui {

class ClusterNames {
 public:
  ClusterNames();

  Names<UserId> users;
  Names<GroupId> groups;
  Names<AccountId> accounts;
  Names<ClassId> classes;
  Names<QosId> qos;
  Names<PartitionId> partitions;  // DEFAULT is always the first
  Names<FeatureId> features;
  Names<ConsumableId> consumables;  // the elementary four first; initiators are "class:NAME"

  ConsumableId initiator(ClassId job_class);  // the consumable that counts a class's initiators
  /// Returns the class's initiator consumable if it exists, else an invalid id.
  ConsumableId find_initiator(ClassId job_class) const;
  /// Frees the ids of a class and of its initiator consumable.  Requires that nothing refers to
  /// either of them.
  void give_up_class(ClassId id);
  /// Grows whenever ids of names or credentials have been freed for reuse: results that are cached
  /// by such an id are then invalid.
  std::uint64_t names_given_up() const { return names_given_up_; }
  void note_names_given_up() { ++names_given_up_; }

 private:
  std::vector<ConsumableId> initiators_;  // by class
  std::uint64_t names_given_up_ = 0;
};

}  // namespace maui
