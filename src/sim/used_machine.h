// A machine derived from the jobs of a log: each host on which some job ran, with the most that was
// in use there at one time, the classes that ran there, and all traits that jobs asked of it.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "maui/resource_manager.h"
#include "maui/units.h"

namespace maui {

/// Resources that a job used on one of its hosts.
struct HostUse {
  std::int64_t procs = 0, memory = 0, gpus = 0;  // memory, swap and disk in MB
  std::int64_t swap = 0, disk = 0;
};

/// Traits that a job required of its hosts; empty: none required.
struct HostTraits {
  std::vector<std::string> features;
  std::string network, architecture, operating_system;
};

class UsedMachine {
 public:
  void add(const std::vector<std::string>& hosts, const HostUse& each, const std::string& job_class,
           Time start, Time end, const HostTraits& asked = {});
  bool empty() const { return hosts_.empty(); }
  /// Returns the nodes, sorted by name.
  std::vector<NodeReport> nodes() const;

 private:
  struct Change {
    Time when;
    bool begins;
    HostUse use;
  };
  struct Host {
    std::vector<Change> changes;
    std::set<std::string> classes, features, networks;
    std::string architecture, operating_system;  // as the first job required them
  };
  std::map<std::string, Host> hosts_;
};

/// The name of GPUs as a resource of nodes and jobs.
inline constexpr const char* kGpu = "gpu";

}  // namespace maui
