#include "maui/cluster_names.h"

#include "base/resource_names.h"
#include "maui/initiators.h"

namespace maui {

ClusterNames::ClusterNames() {
  for (const auto name : kElementaryNames) consumables.intern(name);
  partitions.intern("DEFAULT");
}

ConsumableId ClusterNames::initiator(ClassId job_class) {
  if (job_class.index() >= initiators_.size()) initiators_.resize(job_class.index() + 1);
  ConsumableId& known = initiators_[job_class.index()];
  if (!known.valid()) known = consumables.intern(initiator_name(classes[job_class]));
  return known;
}

ConsumableId ClusterNames::find_initiator(ClassId job_class) const {
  return job_class.index() < initiators_.size() ? initiators_[job_class.index()] : ConsumableId();
}

void ClusterNames::give_up_class(ClassId id) {
  if (const ConsumableId counts = find_initiator(id); counts.valid()) consumables.give_up(counts);
  if (id.index() < initiators_.size()) initiators_[id.index()] = {};
  classes.give_up(id);
}

}  // namespace maui
