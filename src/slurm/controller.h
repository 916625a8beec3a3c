// What is asked of slurmctld.
//
// Every call blocks until slurmctld has answered, or for 20 seconds where it does not: callers have
// a thread for it.  src/libslurm is the implementation.
#pragma once
#include <optional>
#include <string>

#include "maui/result.h"
#include "slurm/cluster.h"

namespace maui::slurm {

/// A change of one job; what is not set stays.
struct Change {
  std::string job;  // "17", or "20_3" for a task of an array
  enum class Gate : std::uint8_t { as_it_is, close, open } gate = Gate::as_it_is;
  std::optional<std::string> required_nodes{}, admin_comment{}, account{}, partition{};
  std::optional<int> min_nodes{}, max_nodes{}, min_cpus{};  // CPUs: on each node
  std::optional<std::uint32_t> limit{};                     // minutes
  bool begin_now = false;
  bool allow_requeue = false;
  friend bool operator==(const Change&, const Change&) = default;
};

class Controller {
 public:
  virtual ~Controller() = default;
  /// Everything, or nothing if no job, node or partition changed since the last answer.
  virtual Result<std::optional<Cluster>> load() = 0;
  virtual Status update(const Change& change) = 0;
  virtual Status signal(const std::string& job, int number) = 0;
  /// Into the queue again, behind the closed gate.
  virtual Status requeue(const std::string& job) = 0;
  virtual Status suspend(const std::string& job) = 0;
  virtual Status resume(const std::string& job) = 0;
};

}  // namespace maui::slurm
