// A machine as the jobs of a log show it: each host that any of them ran on, with the most that
// was in use there at one time, the classes that ran there, and all that they asked a node to be.
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

/// Resources that a job had on one of its hosts.
struct HostUse {
  std::int64_t procs = 0, memory = 0, gpus = 0;  // memory, and what follows: MB
  std::int64_t swap = 0, disk = 0;
};

/// Traits that a job asked of its hosts; empty: any will do.
struct HostTraits {
  std::vector<std::string> features;
  std::string network, architecture, operating_system;
};

class UsedMachine {
 public:
  void add(const std::vector<std::string>& hosts, const HostUse& each, const std::string& job_class,
           Time start, Time end, const HostTraits& asked = {});
  bool empty() const { return hosts_.empty(); }
  /// In the order of their names.
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
    std::string architecture, operating_system;  // of the first job that asked for one
  };
  std::map<std::string, Host> hosts_;
};

/// Resources that nodes and jobs call by this name.
inline constexpr const char* kGpu = "gpu";

}  // namespace maui
