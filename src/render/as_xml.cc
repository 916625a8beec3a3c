#include "render/as_xml.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <map>
#include <set>
#include <sstream>

#include "base/text.h"
#include "render/cells.h"

namespace maui {
namespace {

using XmlTree = boost::property_tree::ptree;

/// An element under construction.
class XmlElement {
 public:
  explicit XmlElement(XmlTree& node) : node_(node) {}
  XmlElement child(const char* name) { return XmlElement(node_.add_child(name, {})); }
  /// Adds an attribute, unless its value is empty.
  XmlElement& with(const char* name, const std::string& value) {
    if (!value.empty()) node_.put(std::string("<xmlattr>.") + name, value);
    return *this;
  }
  XmlElement& with(const char* name, std::int64_t value) {
    return with(name, fmt::to_string(value));
  }
  XmlElement& with(const char* name, double value) {
    return with(name, fmt::format("{:.2f}", value));
  }
  /// Adds a wallclock limit; without a limit (-1), adds nothing.
  XmlElement& with_limit(std::int64_t limit) {
    return limit < 0 ? *this : with("ReqAWDuration", limit);
  }

 private:
  XmlTree& node_;
};

template <class Job>
XmlElement job_element(XmlElement parent, const Job& job) {
  // The only known name of a job is that of the resource manager.
  XmlElement element = parent.child("job");
  element.with("Account", job.account).with("Class", job.job_class).with("DRMJID", job.name);
  element.with("Group", job.group).with("JobID", job.name).with("JobName", job.name);
  element.with("QOS", job.qos).with("State", job.state).with("User", job.user);
  return element.with_limit(job.limit);
}

XmlElement completed_element(XmlElement parent, const CompletedRow& job) {
  XmlElement element = job_element(parent, job);
  element.with("AWDuration", job.run_time)
      .with("CompletionCode", completion_code(job))
      .with("CompletionTime", job.ended)
      .with("MasterHost", job.main_host)
      .with("ReqProcs", job.procs)
      .with("StartTime", std::max<std::int64_t>(job.started, 0))
      .with("SubmissionTime", job.submitted);
  return element;
}

void fill(XmlElement data, const QueueReply& reply) {
  const QueueUse& use = reply.use;
  data.child("cluster")
      .with("LocalActiveNodes", use.nodes_active)
      .with("LocalAllocProcs", use.procs_active)
      .with("LocalIdleNodes", use.nodes_up - use.nodes_active)
      .with("LocalIdleProcs", use.procs_up - use.procs_active)
      .with("LocalUpNodes", use.nodes_up)
      .with("LocalUpProcs", use.procs_up)
      .with("time", reply.now);
  const auto queue = [&](const char* option, std::size_t count) {
    XmlElement element = data.child("queue");
    return element.with("count", static_cast<std::int64_t>(count)).with("option", option);
  };
  XmlElement active = queue("active", reply.active.size());
  for (const ActiveRow& job : reply.active)
    job_element(active, job)
        .with("AWDuration", job.run_time)
        .with("MasterHost", job.main_host)
        .with("ReqNodes", job.nodes)
        .with("ReqProcs", job.procs)
        .with("StartPriority", job.priority)
        .with("StartTime", job.started)
        .with("SubmissionTime", job.submitted);
  const auto waiting = [&](const char* option, const std::vector<WaitingRow>& jobs) {
    XmlElement element = queue(option, jobs.size());
    for (const WaitingRow& job : jobs)
      job_element(element, job)
          .with("ReqProcs", job.procs)
          .with("StartPriority", job.priority)
          .with("StartTime", std::int64_t{0})
          .with("SubmissionTime", job.queued);
  };
  waiting("eligible", reply.idle);
  waiting("blocked", reply.blocked);
}

void fill(XmlElement data, const BlockedQueueReply& reply) {
  data.child("cluster").with("time", reply.now);
  XmlElement element = data.child("queue");
  element.with("count", static_cast<std::int64_t>(reply.jobs.size())).with("option", "blocked");
  for (const BlockedRow& job : reply.jobs)
    job_element(element, job)
        .with("BlockReason", job.reason)
        .with("ReqProcs", job.procs)
        .with("StartPriority", job.priority)
        .with("StartTime", std::int64_t{0})
        .with("SubmissionTime", job.queued);
}

void fill(XmlElement data, const CompletedQueueReply& reply) {
  data.child("cluster").with("time", reply.now);
  XmlElement element = data.child("queue");
  element.with("count", static_cast<std::int64_t>(reply.jobs.size())).with("option", "completed");
  for (const CompletedRow& job : reply.jobs) completed_element(element, job);
}

void fill(XmlElement data, const EndedJobReply& reply) {
  XmlElement element = completed_element(data, reply.job);
  if (!reply.cancelled.empty()) element.with("CancelReason", reply.cancelled);
  if (reply.limit_used >= 0) element.with("LimitUsed", reply.limit_used);
  if (reply.job.shorter_limit < 0) return;
  element.with("ShorterLimit", reply.job.shorter_limit)
      .with("ShorterLimitStartTime", reply.job.shorter_start);
}

std::string allocation_of(const JobRequirement& req) {
  std::vector<std::string> nodes;
  for (const NodeShare& share : req.allocated)
    nodes.push_back(fmt::format("{}:{}", share.node, share.tasks));
  return join(nodes, ",");
}

std::int64_t procs_of(const JobRequirement& req) {
  for (const ResourceAmount& resource : req.per_task)
    if (resource.name == "PROCS") return resource.amount * req.tasks;
  return 0;
}

void fill(XmlElement data, const JobReply& job) {
  XmlElement element = job_element(data, job);
  std::int64_t procs = 0;
  for (const JobRequirement& req : job.requirements) procs += procs_of(req);
  element.with("AWDuration", job.run_time)
      .with("Bypass", job.bypass)
      .with("EEDuration", job.eligible_time)
      .with("Flags", join(job.flags, ","))
      .with("Hold", join(job.holds, ","))
      .with("ReqProcs", procs)
      .with("StartCount", job.start_count)
      .with("StartPriority", job.priority)
      .with("StartTime", std::max<std::int64_t>(job.started, 0))
      .with("SubmissionTime", job.submitted);
  if (!job.requirements.empty() && !job.requirements.front().allocated.empty())
    element.with("MasterHost", job.requirements.front().allocated.front().node);
  if (job.expected_end)
    element.with("ExpectedEndTime", job.expected_end->end)
        .with("ExpectedEndEarliest", job.expected_end->earliest)
        .with("ExpectedEndLatest", job.expected_end->latest)
        .with("SimilarJobs", job.expected_end->similar);
  if (job.expected_start >= 0) element.with("ExpectedStartTime", job.expected_start);
  if (job.promised_start >= 0) element.with("PromisedStartTime", job.promised_start);
  if (!job.verdicts.empty()) element.with("BlockReason", job.verdicts.front().reason);
  for (const JobRequirement& req : job.requirements)
    element.child("req")
        .with("AllocNodeList", allocation_of(req))
        .with("ReqNodeFeature", join(req.features, ","))
        .with("ReqPartition", req.partition)
        .with("TCReqMin", req.tasks);
}

void fill(XmlElement data, const JobsDiagnosisReply& reply) {
  for (const JobDiagnosis& job : reply.jobs)
    job_element(data, job).with("PAL", job.partition).with("ReqProcs", job.procs);
}

void fill(XmlElement data, const NodesDiagnosisReply& reply) {
  for (const NodeDiagnosis& node : reply.nodes)
    data.child("node")
        .with("ARCH", node.arch)
        .with("FEATURES", join(node.features, ","))
        .with("JOBLIST", join(node.jobs, ","))
        .with("LOAD", node.load)
        .with("NODEID", node.name)
        .with("NODESTATE", node.state)
        .with("OS", node.opsys)
        .with("PARTITION", node.partition)
        .with("RADISK", node.disk.free)
        .with("RAMEM", node.memory.free)
        .with("RAPROC", node.procs.free)
        .with("RASWAP", node.swap.free)
        .with("RCDISK", node.disk.configured)
        .with("RCMEM", node.memory.configured)
        .with("RCPROC", node.procs.configured)
        .with("RCSWAP", node.swap.configured)
        .with("SPEED", node.speed);
}

/// Returns frame and slot; a node without them counts as in the first, as in release 3.3.
std::pair<std::int64_t, std::int64_t> place_of(const StateNode& node) {
  return {node.frame < 0 ? 1 : node.frame, node.slot < 0 ? 1 : node.slot};
}

void fill(XmlElement data, const StateReply& reply) {
  std::map<std::string, std::string> places;
  std::set<std::int64_t> frames;
  std::int64_t last_slot = 1;
  for (const StateNode& node : reply.nodes) {
    const auto [frame, slot] = place_of(node);
    places[node.name] = fmt::format("{}:{};", frame, slot);
    frames.insert(frame);
    last_slot = std::max(last_slot, slot);
  }
  data.child("cluster").with("PresentTime", reply.now).with("MaxSlot", last_slot);
  for (const std::int64_t frame : frames)
    data.child("frame").with("Index", frame).with("Name", fmt::format("{:02}", frame));
  for (const StateNode& node : reply.nodes) {
    const auto [frame, slot] = place_of(node);
    data.child("node")
        .with("NODEID", node.name)
        .with("NODESTATE", node.state)
        .with("FRAME", frame)
        .with("SLOT", slot)
        .with("SIZE", node.slots);
  }
  for (const StateJob& job : reply.jobs) {
    std::string nodes;
    for (const std::string& node : job.nodes) nodes += places[node];
    data.child("job")
        .with("AllocNodeList", nodes)
        .with("Group", job.group)
        .with("JobName", job.name)
        .with("QOSReq", job.qos)
        .with_limit(job.limit)
        .with("ReqProcs", job.procs)
        .with("StartTime", job.started)
        .with("State", job.state)
        .with("SubmissionTime", job.submitted)
        .with("User", job.user);
  }
}

}  // namespace

std::string as_xml(const Reply& reply) {
  XmlTree root;
  const bool known = std::visit(
      [&](const auto& body) {
        if constexpr (requires(XmlElement data) { fill(data, body); }) {
          fill(XmlElement(root.add_child("Data", {})), body);
          return true;
        }
        return false;
      },
      static_cast<const AnyReply&>(reply));
  if (!known) return {};
  std::ostringstream text;
  boost::property_tree::write_xml(text, root);
  const std::string all = text.str();
  return all.substr(all.find('\n') + 1) + "\n";  // no declaration, as tools expect
}

bool has_xml(const CommandRequest& request) {
  const std::string_view command = request.command;
  if (command == "showq") return !request.has("i") && !request.has("r");
  if (command == "diagnose" || command == "mdiag") return request.has("n") || request.has("j");
  return command == "checkjob" || command == "showstate";
}

}  // namespace maui
