// Dependencies between jobs, as Slurm writes them.
//
// Slurm itself looks at the dependencies of a held job once a minute only.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "slurm/cluster.h"

namespace maui::slurm {

enum class Fulfilment : std::uint8_t { open, met, never };

/// How far jobs are together.
struct Progress {
  int jobs = 0, begun = 0, gone = 0, succeeded = 0;
  Time last_start{0};  // of those that are under way
};

/// Jobs by their number and by their array.
class JobIndex {
 public:
  /// Requires that `jobs` outlives it.
  explicit JobIndex(const std::vector<Job>& jobs);

  /// How far those are that "17", "20_3" or "20_*" names, however many tasks an array has; nothing
  /// if there are none.
  std::optional<Progress> progress(std::string_view name) const;
  /// True if no job is left that came before `job` from the same user under the same name.
  bool is_first(const Job& job) const;
  /// The tasks of an array that are under way.
  int active_tasks(std::uint32_t array) const;

 private:
  struct Array {
    Progress all;
    std::unordered_map<std::uint32_t, const Job*> tasks;
    const Job* waiting = nullptr;  // the record of those that have none of their own
    int active = 0;
  };
  std::unordered_map<std::uint32_t, const Job*> by_id_;
  std::unordered_map<std::uint32_t, Array> arrays_;
  std::map<std::pair<std::string_view, std::string_view>, std::uint32_t> first_left_;
};

/// "afterok:1(unfulfilled),afterany:20_*?singleton": how all that stands.
Fulfilment fulfilment(const Job& job, const JobIndex& jobs, Time now);

}  // namespace maui::slurm
