// Predicts why Slurm would not start a job now.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "slurm/cluster.h"
#include "slurm/dependency.h"
#include "slurm/features.h"
#include "slurm/limits.h"
#include "slurm/shape.h"

namespace maui::slurm {

/// The facts at one time that apply to all jobs.
struct Surroundings {
  /// Requires that `cluster` outlives this object.
  Surroundings(const Cluster& cluster, Time now);
  /// The job has been started since: counts what it takes as used.
  void started(const Job& job);
  /// Returns the features that the job requests; cached, since many jobs request the same features.
  const Result<FeatureWish>& wish_of(const Job& job) const;
  /// Returns the nodes that have less than the job asks for on each of its nodes.
  const std::vector<std::string>& nodes_too_small(const Job& job) const;
  /// Returns the reservation for the job: among those that it names, the first with enough room and
  /// time now, or else the first that has not ended; null if all have ended.
  const Reservation* reservation_of(const Job& job) const;
  /// Returns the job's limit in minutes, or else the greatest default of its partitions; none:
  /// unlimited.
  std::optional<std::uint32_t> limit_of(const Job& job) const;

  const Cluster& cluster;
  JobIndex jobs;
  LimitUse limits;
  Time now;
  Largest largest;
  std::map<std::string, std::int64_t> free_licenses;
  std::map<std::uint32_t, int> started_tasks;  // by array, since then

 private:
  mutable std::map<std::string, Result<FeatureWish>> wishes_;
  using Demand = std::array<int, 8>;
  mutable std::map<Demand, std::vector<std::string>> too_small_;
  std::map<std::string, std::int64_t, std::less<>> used_cpus_;  // by reservation
};

/// Returns what keeps Slurm from starting the job, apart from holds; none: nothing is known.
/// Requires a job from as_asked().
Hindrance hindrance_of(const Job& job, const Surroundings& all);

/// Returns the job's partitions that would accept it.  If there are none, `why` gets the reason of
/// one of them, preferably a reason that passes.
std::vector<std::string> usable_partitions(const Job& job, const Surroundings& all,
                                           Hindrance* why = nullptr);

}  // namespace maui::slurm
