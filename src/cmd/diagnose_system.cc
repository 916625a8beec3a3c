// diagnose -m, -R and -S: frames, the resource manager, and the service to clients.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cmd/diagnose.h"
#include "cmd/facts/node_facts.h"

namespace maui {
namespace {

/// Describes a frame with its nodes in order of slots; warns of nodes that share a slot.
FrameDiagnosis frame_of(const Cluster& cluster, int number, std::vector<NodeId>& nodes,
                        std::vector<std::string>& warnings) {
  std::stable_sort(nodes.begin(), nodes.end(),
                   [&](NodeId a, NodeId b) { return cluster.node(a).slot < cluster.node(b).slot; });
  FrameDiagnosis frame;
  frame.frame = number;
  const Node* before = nullptr;
  for (const NodeId id : nodes) {
    const Node& node = cluster.node(id);
    frame.memory += node.configured.memory();
    frame.disk += node.configured.disk();
    frame.nodes.push_back(node.name);
    const std::string& partition = cluster.partitions[node.partition];
    if (std::find(frame.partitions.begin(), frame.partitions.end(), partition) ==
        frame.partitions.end())
      frame.partitions.push_back(partition);
    if (before != nullptr && node.slot >= 0 && before->slot >= 0 &&
        node.slot < before->slot + before->slots_used)
      warnings.push_back(fmt::format("nodes '{}' and '{}' both occupy slot {} of frame {}",
                                     before->name, node.name, node.slot, number));
    before = &node;
  }
  return frame;
}

/// The frame of nodes without a known frame, as in release 3.3.
constexpr int kFirstFrame = 1;

}  // namespace

Answer diagnose_frames(const Context& context) {
  const Cluster& cluster = context.cluster();
  FramesDiagnosisReply reply;
  reply.verbose = context.has("v");
  std::map<int, std::vector<NodeId>> frames;
  for (const Node& node : listed_nodes(cluster)) {
    frames[node.frame >= 0 ? node.frame : kFirstFrame].push_back(node.id);
    reply.nodes_without_frame += node.frame < 0 ? 1 : 0;
  }
  for (auto& [number, nodes] : frames)
    reply.frames.push_back(frame_of(cluster, number, nodes, reply.warnings));
  reply.now = context.now().raw();
  for (const RmRecord& record : context.engine.rm_records())
    reply.updated = std::max(reply.updated, record.answered.raw());
  return Reply(std::move(reply));
}

Answer diagnose_resource_manager(const Context& context) {
  ResourceManagerReply reply;
  reply.now = context.now().raw();
  reply.verbose = context.has("v");
  reply.nodes = static_cast<std::int64_t>(listed_nodes(context.cluster()).size());
  reply.jobs = static_cast<std::int64_t>(context.cluster().jobs().size());
  for (const RmRecord& record : context.engine.rm_records()) {
    const auto polls = static_cast<double>(std::max<std::int64_t>(record.polls, 1));
    reply.managers.push_back({record.name, record.type,
                              record.polls == 0 ? "Unknown"
                              : record.up       ? "Active"
                                                : "Down",
                              record.polls, record.failed_polls, record.starts,
                              record.failed_starts, record.answered.raw(), record.latency / polls,
                              record.max_latency, record.failure, record.failed.raw(),
                              record.retry.raw(), record.event_port, record.warnings,
                              record.no_events});
  }
  return Reply(std::move(reply));
}

Answer diagnose_service(const Context& context) { return Reply(context.server.service()); }

}  // namespace maui
