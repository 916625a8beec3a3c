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
                      const std::string& job_class, Time start, Time end,
                      const std::vector<std::string>& features) {
  for (const auto& name : hosts) {
    Host& host = hosts_[name];
    host.changes.push_back({start, true, each});
    host.changes.push_back({end, false, each});
    if (!job_class.empty()) host.classes.insert(job_class);
    host.features.insert(features.begin(), features.end());
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
    };
    for (const auto& [when, begins, use] : changes) {
      const int sign = begins ? 1 : -1;
      now.procs += sign * use.procs;
      now.memory += sign * use.memory;
      now.gpus += sign * use.gpus;
      at_least(now);
      at_least(use);  // it had room for this one, too, if it ended when it began
    }
    NodeReport& report = nodes.emplace_back();
    report.node.name = name;
    report.node.reported = NodeState::idle;
    report.node.configured =
        Resources(std::max(1, quantity(most.procs)), std::max(1, quantity(most.memory)));
    if (most.gpus > 0) report.generic.emplace_back(kGpu, quantity(most.gpus));
    report.features.assign(host.features.begin(), host.features.end());
    for (const auto& job_class : host.classes)
      report.classes.emplace_back(job_class, report.node.configured.procs());
  }
  return nodes;
}

}  // namespace maui
