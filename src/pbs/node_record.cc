#include "pbs/node_record.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "pbs/amounts.h"
#include "pbs/shape.h"

namespace maui::pbs {
namespace {

bool any_of(const std::vector<std::string_view>& words, std::initializer_list<const char*> wanted) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return std::find(wanted.begin(), wanted.end(), trimmed(word)) != wanted.end();
  });
}

/// Whether a node has running jobs, and whether it has suspended jobs.
struct Use {
  bool runs = false, rests = false;
};

NodeState state_of(std::string_view text, Use use) {
  const auto words = split(text, ',');
  if (any_of(words, {"down", "state-unknown", "unknown", "stale", "Stale"})) return NodeState::down;
  if (any_of(words, {"offline", "reserve", "maintenance", "provisioning", "wait-provisioning",
                     "sleep", "resv-exclusive"}))
    return use.runs || use.rests ? NodeState::draining : NodeState::drained;
  const bool full = any_of(words, {"job-exclusive", "job-busy", "busy"});
  if (full && !use.rests) return NodeState::busy;
  if (full || any_of(words, {"free", "job-sharing", "time-shared"}))
    return use.runs ? NodeState::running : NodeState::idle;
  return NodeState::down;
}

// Parses the values that a node's mom reports: "opsys=linux,loadave=2.71,message=...".
std::map<std::string_view, std::string_view> status_of(std::string_view text) {
  std::map<std::string_view, std::string_view> values;
  for (const auto item : split(text, ',')) {
    const auto mark = item.find('=');
    if (mark != std::string_view::npos)
      values.emplace(trimmed(item.substr(0, mark)), item.substr(mark + 1));
  }
  return values;
}

int number(std::string_view text) { return std::max(0, parse_integer<int>(text).value_or(0)); }

// "size=avail:total"
void read_disk(std::string_view text, Node& node) {
  const auto mark = text.find(':');
  const auto free = megabytes(text.substr(0, mark));
  const auto all = mark == std::string_view::npos ? std::nullopt : megabytes(text.substr(mark + 1));
  if (!free || !all) return;
  node.configured.set(kDisk, *all);
  node.utilised.set(kDisk, std::max(0, *all - *free));
}

// Reads the measurements by the mom of a TORQUE node.
void read_status(std::string_view text, NodeReport& report) {
  const auto status = status_of(text);
  const auto get = [&](std::string_view name) {
    const auto at = status.find(name);
    return at == status.end() ? std::string_view() : at->second;
  };
  Node& node = report.node;
  if (node.configured.procs() == 0) node.configured.set(kProcs, number(get("ncpus")));
  if (const auto size = megabytes(get("physmem"))) node.configured.set(kMemory, *size);
  if (const auto size = megabytes(get("totmem"))) {
    node.configured.set(kSwap, *size);
    if (const auto left = megabytes(get("availmem")))
      node.utilised.set(kSwap, std::max(0, *size - *left));
  }
  read_disk(get("size"), node);
  node.load = std::max(0.0, parse_number(get("loadave")).value_or(0));
  node.operating_system = get("opsys");
  node.architecture = get("arch");
  if (get("message").starts_with("ERROR")) node.reported = NodeState::down;
}

// Amounts and sizes (in MB) become configured resources, and true values become features.
void read_available(const Object& object, NodeReport& report) {
  Node& node = report.node;
  for (const Attribute& attribute : object.attributes) {
    if (attribute.name != "resources_available") continue;
    const auto size = megabytes(attribute.value);
    if (attribute.resource == "ncpus") {
      node.configured.set(kProcs, number(attribute.value));
    } else if (attribute.resource == "mem") {
      node.configured.set(kMemory, size.value_or(0));
      if (!object.has("resources_available", "vmem")) node.configured.set(kSwap, size.value_or(0));
    } else if (attribute.resource == "vmem") {
      node.configured.set(kSwap, size.value_or(0));
    } else if (attribute.resource == "arch") {
      node.architecture = node.operating_system = attribute.value;
    } else if (attribute.resource == "host" || attribute.resource == "vnode") {
      continue;
    } else if (same_word(attribute.value, "true")) {
      report.features.push_back(attribute.resource);
    } else if (const auto amount = parse_integer<int>(attribute.value); amount || size) {
      if (const int most = amount ? *amount : *size; most > 0)
        report.generic.emplace_back(attribute.resource, most);
    } else if (!same_word(attribute.value, "false")) {
      // Each of several values, "a,b".
      for (const auto word : split(attribute.value, ','))
        if (!trimmed(word).empty())
          report.features.push_back(feature_of(attribute.resource, trimmed(word)));
    }
  }
}

// The queues that may use a node become its classes: the queue it is bound to, or else all queues.
void add_classes(const Object& object, const Queues& queues, NodeReport& report) {
  const auto bound = object.get("queue");
  const int initiators = std::max(1, report.node.configured.procs());
  for (const auto& [name, queue] : queues) {
    if (!queue.executes || !queue.started) continue;
    if (!bound.empty() && bound != name) continue;
    if (!queue.hosts.empty() &&
        std::find(queue.hosts.begin(), queue.hosts.end(), report.node.name) == queue.hosts.end())
      continue;
    report.classes.emplace_back(name, initiators);
  }
}

// On a full node, the slots of suspended jobs do not count as used.
Use use_of(const Object& object, const JobNames& suspended) {
  Use use;
  for (const auto& [job, slots] : slots_in_use(object.get("jobs")))
    (suspended.contains(job) ? use.rests : use.runs) = true;
  return use;
}

NodeReport report_of(const Object& object, const Queues& queues, const JobNames& suspended) {
  NodeReport report;
  report.node.name = object.name;
  report.node.reported = state_of(object.get("state"), use_of(object, suspended));
  report.node.configured.set(kProcs, number(object.get("np")));
  for (const auto property : split(object.get("properties"), ','))
    if (!trimmed(property).empty()) report.features.emplace_back(trimmed(property));
  if (const int gpus = number(object.get("gpus")); gpus > 0)
    report.generic.emplace_back("gpus", gpus);
  if (const int mics = number(object.get("mics")); mics > 0)
    report.generic.emplace_back("mics", mics);
  read_available(object, report);
  if (object.has("status")) read_status(object.get("status"), report);
  add_classes(object, queues, report);
  return report;
}

}  // namespace

std::vector<std::pair<std::string_view, int>> slots_in_use(std::string_view jobs) {
  std::vector<std::pair<std::string_view, int>> shares;
  int slots = 0;  // of the job after the slash: "0,2-3/1.srv"
  for (const auto item : split(jobs, ',')) {
    const auto entry = trimmed(item);
    if (entry.empty()) continue;
    const auto slash = entry.find('/');
    const auto first = entry.substr(0, slash);
    if (first.find_first_not_of("0123456789-") != std::string_view::npos) {  // "7.srv/0"
      shares.emplace_back(first, 1);
      continue;
    }
    const auto mark = first.find('-');
    const int low = number(first.substr(0, mark));
    const int high = mark == std::string_view::npos ? low : number(first.substr(mark + 1));
    slots += std::clamp(high - low, 0, 1'000'000) + 1;
    if (slash == std::string_view::npos) continue;
    shares.emplace_back(entry.substr(slash + 1), std::exchange(slots, 0));
  }
  return shares;
}

std::vector<NodeReport> node_reports(std::span<const Object> nodes, const Queues& queues,
                                     const JobNames& suspended) {
  std::vector<NodeReport> reports;
  reports.reserve(nodes.size());
  std::unordered_map<std::string_view, int> vnodes;  // number of vnodes on each host
  for (const Object& node : nodes) {
    reports.push_back(report_of(node, queues, suspended));
    ++vnodes[node.get("resources_available", "host")];
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto host = nodes[i].get("resources_available", "host");
    if (!host.empty() && vnodes[host] > 1) reports[i].features.push_back(feature_of("host", host));
  }
  return reports;
}

}  // namespace maui::pbs
