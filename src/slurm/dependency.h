// Dependencies between jobs, in Slurm's notation.
//
// Slurm itself evaluates the dependencies of a held job only once a minute.
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

/// The progress of several jobs together.
struct Progress {
  int jobs = 0, begun = 0, gone = 0, succeeded = 0;
  Time last_start{0};  // of the jobs that have begun
};

/// Indexes jobs by number and by array.
class JobIndex {
 public:
  /// Requires that `jobs` outlives the index.
  explicit JobIndex(const std::vector<Job>& jobs);

  /// Returns the progress of the jobs named by "17", "20_3" or "20_*", for any number of array
  /// tasks; nullopt if there are none.
  std::optional<Progress> progress(std::string_view name) const;
  /// Returns true if `job` is the oldest remaining job of its user with its name, and no other of
  /// these jobs is active.
  bool is_next_singleton(const Job& job) const;
  /// Returns the number of active tasks of an array.
  int active_tasks(std::uint32_t array) const;

 private:
  struct Array {
    Progress all;
    std::unordered_map<std::uint32_t, const Job*> tasks;
    const Job* waiting = nullptr;  // the shared record of waiting tasks
    int active = 0;
  };
  std::unordered_map<std::uint32_t, const Job*> by_id_;
  std::unordered_map<std::uint32_t, Array> arrays_;
  /// The remaining jobs of one user with one name.
  struct Namesakes {
    std::uint32_t first = 0, active = 0;  // ids; 0: none
  };
  std::map<std::pair<std::string_view, std::string_view>, Namesakes> namesakes_;
};

/// Evaluates a dependency such as "afterok:1(unfulfilled),afterany:20_*?singleton".
Fulfilment fulfilment(const Job& job, const JobIndex& jobs, Time now);

}  // namespace maui::slurm
