// Dependencies between jobs, as Slurm writes them.
//
// Slurm itself looks at the dependencies of a held job once a minute only.
#pragma once
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
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
  /// True if no job is left that came before `job` from the same user under the same name.
  bool is_first(const Job& job) const;
  /// The tasks of an array that are under way.
  int active_tasks(std::uint32_t array) const;

 private:
  std::map<std::uint32_t, const Job*> by_id_;
  std::multimap<std::uint32_t, const Job*> by_array_;
  std::map<std::uint32_t, int> active_tasks_;  // by array
  std::map<std::pair<std::string_view, std::string_view>, std::uint32_t> first_left_;
};

/// "afterok:1(unfulfilled),afterany:20_*?singleton": how all that stands.
Fulfilment fulfilment(const Job& job, const JobIndex& jobs, Time now);

}  // namespace maui::slurm
