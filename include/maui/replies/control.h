// Replies of schedctl.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "maui/replies/dry_run.h"
#include "maui/replies/node.h"

namespace maui {

/// schedctl -k
struct ShutdownReply {
  std::int64_t when = 0;
  bool lease = false;  // a scheduler that stands by may take over
  friend bool operator==(const ShutdownReply&, const ShutdownReply&) = default;
};

/// schedctl -R
struct ReloadReply {
  std::int64_t when = 0;
  std::vector<std::string> awaiting_restart;  // parameters whose new value needs a restart
  std::optional<DryRun> dry_run = {};         // with --dry-run: nothing was changed
  friend bool operator==(const ReloadReply&, const ReloadReply&) = default;
};

/// schedctl -s, -S
struct StopReply {
  std::int64_t iteration = 0;   // scheduling stops after this iteration
  std::int64_t seconds = 0;     // until then, scheduler clock; 0: at once; -1: by events
  bool ignore_clients = false;  // until the stop
  friend bool operator==(const StopReply&, const StopReply&) = default;
};

/// schedctl -r
struct ResumeReply {
  std::int64_t seconds = 0;  // until scheduling resumes; 0: at once
  friend bool operator==(const ResumeReply&, const ResumeReply&) = default;
};

/// The data of one line of a resource trace (guide 16.2).
struct TraceNode {
  std::string event;  // AVAILABLE, DEFINED or DRAINED
  std::string name, resource_manager, opsys, arch;
  std::int64_t when = 0;
  std::int64_t swap = 0, memory = 0, disk = 0, procs = 0;
  std::int64_t frame = -1, slot = -1, slots = 1;
  double speed = 1;
  std::vector<std::string> features, networks;
  std::vector<ClassAmount> classes;
  std::vector<ResourceAmount> generic;
  friend bool operator==(const TraceNode&, const TraceNode&) = default;
};

/// schedctl -n
struct NodeTraceReply {
  std::vector<TraceNode> nodes;
  friend bool operator==(const NodeTraceReply&, const NodeTraceReply&) = default;
};

}  // namespace maui
