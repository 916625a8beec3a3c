#include "sim/used_machine.h"

#include <algorithm>
#include <limits>

namespace maui {
namespace {

Resources::Quantity quantity(std::int64_t amount) {
  return static_cast<Resources::Quantity>(
      std::clamp<std::int64_t>(amount, 0, std::numeric_limits<Resources::Quantity>::max()));
}

}  // namespace

void UsedMachine::add(const std::vector<std::string>& hosts, const HostUse& each,
                      const std::string& job_class, Time start, Time end, const HostTraits& asked) {
  for (const auto& name : hosts) {
    Host& host = hosts_[name];
    host.changes.push_back({start, true, each});
    host.changes.push_back({end, false, each});
    if (!job_class.empty()) host.classes.insert(job_class);
    host.features.insert(asked.features.begin(), asked.features.end());
    if (!asked.network.empty()) host.networks.insert(asked.network);
    if (host.architecture.empty()) host.architecture = asked.architecture;
    if (host.operating_system.empty()) host.operating_system = asked.operating_system;
  }
}

std::vector<NodeReport> UsedMachine::nodes() const {
  std::vector<NodeReport> nodes;
  for (const auto& [name, host] : hosts_) {
    auto changes = host.changes;
    std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
      return a.when != b.when ? a.when < b.when : a.begins < b.begins;  // ends come first
    });
    HostUse now, most;
    const auto at_least = [&most](const HostUse& use) {
      most.procs = std::max(most.procs, use.procs);
      most.memory = std::max(most.memory, use.memory);
      most.gpus = std::max(most.gpus, use.gpus);
      most.swap = std::max(most.swap, use.swap);
      most.disk = std::max(most.disk, use.disk);
    };
    for (const auto& [when, begins, use] : changes) {
      const int sign = begins ? 1 : -1;
      now.procs += sign * use.procs;
      now.memory += sign * use.memory;
      now.gpus += sign * use.gpus;
      now.swap += sign * use.swap;
      now.disk += sign * use.disk;
      at_least(now);
      at_least(use);  // also counts a job that ended when it began
    }
    NodeReport& report = nodes.emplace_back();
    report.node.name = name;
    report.node.reported = NodeState::idle;
    report.node.configured =
        Resources(std::max(1, quantity(most.procs)), std::max(1, quantity(most.memory)),
                  quantity(most.swap), quantity(most.disk));
    report.node.networks.assign(host.networks.begin(), host.networks.end());
    report.node.architecture = host.architecture;
    report.node.operating_system = host.operating_system;
    if (most.gpus > 0) report.generic.emplace_back(kGpu, quantity(most.gpus));
    report.features.assign(host.features.begin(), host.features.end());
    for (const auto& job_class : host.classes)
      report.classes.emplace_back(job_class, report.node.configured.procs());
  }
  return nodes;
}

}  // namespace maui
