// Requests to slurmctld.
//
// Every call blocks until slurmctld answers, or for 20 seconds at most, so callers need a thread of
// their own.  src/libslurm has the implementation.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "maui/result.h"
#include "slurm/cluster.h"
#include "slurm/usage.h"

namespace maui::slurm {

/// A change of one job; fields that are not set stay unchanged.
struct Change {
  std::string job;  // "17", or "20_3" for a task of an array
  enum class Gate : std::uint8_t { as_it_is, close, open } gate = Gate::as_it_is;
  std::optional<std::string> required_nodes{}, excluded_nodes{}, admin_comment{}, account{};
  std::optional<std::string> partition{};
  std::optional<int> min_nodes{}, max_nodes{}, min_cpus{};  // on each node
  std::optional<int> cpus{};                                // in all
  std::optional<std::uint32_t> limit{};                     // minutes
  std::optional<std::uint32_t> holds{};                     // bits of HoldBit
  bool begin_now = false;
  bool allow_requeue = false;
  friend bool operator==(const Change&, const Change&) = default;
};

/// A change of one node (mnodectl).
struct NodeChange {
  std::string node;
  bool out = false;    // out of service: drained
  std::string reason;  // shown by sinfo -R
  friend bool operator==(const NodeChange&, const NodeChange&) = default;
};

/// Measures what jobs use.  The call blocks until the nodes of the jobs have answered, so it has a
/// thread of its own, too.
class Meter {
 public:
  virtual ~Meter() = default;
  virtual Result<Usage> measure(const std::vector<std::uint32_t>& jobs) = 0;
};

class Controller {
 public:
  virtual ~Controller() = default;
  /// Returns the whole state; nullopt if no job, node or partition has changed since the last call.
  virtual Result<std::optional<Cluster>> load() = 0;
  virtual Status update(const Change& change) = 0;
  virtual Status update(const NodeChange& change) = 0;
  virtual Status signal(const std::string& job, int number) = 0;
  /// Requeues a job; Slurm then delays it for two minutes unless it is held in that time.
  virtual Status requeue(const std::string& job) = 0;
  virtual Status suspend(const std::string& job) = 0;
  virtual Status resume(const std::string& job) = 0;
  /// Returns why Slurm does not gather the use of jobs; empty if it does.
  virtual Result<std::string> no_usage() = 0;
};

}  // namespace maui::slurm
