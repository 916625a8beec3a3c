// Dependencies between jobs, as Slurm writes them.
//
// Slurm itself looks at the dependencies of a held job once a minute only.
#pragma once
#include <map>
#include <string_view>
#include <vector>

#include "slurm/cluster.h"

namespace maui::slurm {

enum class Fulfilment : std::uint8_t { open, met, never };

/// Jobs by their number and by their array.
class JobIndex {
 public:
  /// Requires that `jobs` outlives it.
  explicit JobIndex(const std::vector<Job>& jobs);

  /// The records that "17", "20_3" or "20_*" names; may be none.
  std::vector<const Job*> find(std::string_view name) const;
  /// The jobs before `job` from the same user under the same name.
  std::vector<const Job*> namesakes_before(const Job& job) const;
  /// The tasks of an array that are under way.
  int active_tasks(std::uint32_t array) const;

 private:
  std::map<std::uint32_t, const Job*> by_id_;
  std::multimap<std::uint32_t, const Job*> by_array_;
  std::multimap<std::pair<std::string_view, std::string_view>, const Job*> by_name_;
};

/// "afterok:1(unfulfilled),afterany:20_*?singleton": how all that stands.
Fulfilment fulfilment(const Job& job, const JobIndex& jobs, Time now);

}  // namespace maui::slurm
