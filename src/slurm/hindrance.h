// Why Slurm would not start a job now, as far as that can be known before it is asked.
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

/// The facts that hold for all jobs at one moment.
struct Surroundings {
  /// Requires that `cluster` outlives it.
  Surroundings(const Cluster& cluster, Time now);
  /// The job has been started since; what it takes is taken.
  void started(const Job& job);
  /// Returns what the job's constraint asks for; many jobs have the same one.
  const Result<FeatureWish>& wish_of(const Job& job) const;
  /// The nodes that are less than the job asks for on each of its nodes.
  const std::vector<std::string>& nodes_too_small(const Job& job) const;
  /// The reservation that the job is to use: of several that it names the first with room and time
  /// for it now, or else the first that is not over; null if all are.
  const Reservation* reservation_of(const Job& job) const;
  /// Minutes: the job's limit, or else that of its partition; none: it has no limit.
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

/// The hindrance that keeps Slurm from starting the job, but for holds; none: nothing is known.
/// Requires a job as_asked().
Hindrance hindrance_of(const Job& job, const Surroundings& all);

/// The job's partitions that would take it; if there is none, `why` says why one does not, if
/// possible for a reason that passes.
std::vector<std::string> usable_partitions(const Job& job, const Surroundings& all,
                                           Hindrance* why = nullptr);

}  // namespace maui::slurm
