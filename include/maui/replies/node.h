// Replies of checknode, showstate and showbf.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "maui/replies/dry_run.h"
#include "maui/replies/job.h"

namespace maui {

struct ClassAmount {
  std::string name;
  std::int64_t free = 0, configured = 0;  // initiators
  friend bool operator==(const ClassAmount&, const ClassAmount&) = default;
};

/// The share of a node that a non-job reservation withholds from `since` on from the jobs that it
/// does not admit.
struct BlockedAmount {
  std::int64_t since = 0, procs = 0, of = 0;
  friend bool operator==(const BlockedAmount&, const BlockedAmount&) = default;
};

struct NodeReservation {
  std::string name, type;  // Job, User, Group, Account or System
  std::int64_t tasks = 0, start = 0;
  std::int64_t end = 0;                // -1: none
  std::vector<BlockedAmount> blocked;  // non-job reservations: changes as jobs in it start and end
  std::int64_t procs = 0;              // its full claim on the node
  friend bool operator==(const NodeReservation&, const NodeReservation&) = default;
};

/// checknode
struct NodeReply {
  std::int64_t now = 0;
  bool verbose = false;
  bool pairs = false;  // -A: attribute-value pairs
  std::string name, state;
  std::int64_t state_since = -1;  // -1: always
  std::vector<ResourceAmount> configured, utilised, dedicated;
  std::string opsys, arch, partition;
  double speed = 0, load = 0;
  std::int64_t frame = -1, slot = -1;  // -1: not known
  std::string node_type;
  std::int64_t proc_speed = 0;        // MHz; 0: not known
  std::vector<std::string> policies;  // of NODECFG, as NAME=VALUE
  std::vector<std::string> features, networks;
  std::vector<ClassAmount> classes;
  std::int64_t total_time = 0, up_time = 0, active_time = 0;  // seconds
  std::vector<NodeReservation> reservations;
  std::vector<std::string> jobs;
  std::vector<std::string> alerts;
  std::vector<std::string> told;  // with -v: unused attributes, as NAME=VALUE
  friend bool operator==(const NodeReply&, const NodeReply&) = default;
};

struct StateJob {
  std::string name, state, user, group;
  std::int64_t procs = 0, remaining = 0, started = 0;
  std::int64_t limit = 0, submitted = 0;  // limit -1: none
  std::string qos = {};
  std::vector<std::string> nodes = {};
  friend bool operator==(const StateJob&, const StateJob&) = default;
};

struct StateNode {
  std::string name, state;
  std::int64_t frame = -1, slot = -1, slots = 1;  // -1: not known
  std::int64_t job = -1;                          // index of the first job on it; -1: none
  friend bool operator==(const StateNode&, const StateNode&) = default;
};

/// showstate
struct StateReply {
  std::int64_t now = 0;
  std::vector<StateJob> jobs;
  std::vector<StateNode> nodes;
  std::int64_t active_nodes = 0;
  std::vector<std::string> alerts;
  friend bool operator==(const StateReply&, const StateReply&) = default;
};

struct WindowRow {
  std::string partition;
  std::int64_t procs = 0, nodes = 0;
  std::int64_t duration = -1;  // seconds; -1: no time limit
  friend bool operator==(const WindowRow&, const WindowRow&) = default;
};

struct WindowNodeRow {
  std::string node, state;
  std::string reason;      // as in guide G, checkjob; empty: the node is part of a window
  std::string blocked_by;  // the reservation that ends its window; empty: none
  std::int64_t procs = 0;  // free now
  std::int64_t duration = -1;
  std::int64_t memory = 0, disk = 0, swap = 0;  // MB, free now
  friend bool operator==(const WindowNodeRow&, const WindowNodeRow&) = default;
};

/// showbf
struct WindowsReply {
  std::int64_t now = 0;
  std::string user, group, partition;  // partition ALL: each separately
  bool verbose = false;
  std::vector<WindowRow> windows;
  std::vector<WindowNodeRow> nodes;  // with -v or -S
  bool by_node = false;              // -S: only the nodes that have room
  bool several_partitions = false;   // that have nodes
  friend bool operator==(const WindowsReply&, const WindowsReply&) = default;
};

/// mnodectl.  The command changed at least one node.
struct NodesModifiedReply {
  std::string attribute, value;  // STATE, Drained
  std::vector<Outcome> nodes;
  std::optional<DryRun> dry_run = {};  // with --dry-run: nothing was changed
  friend bool operator==(const NodesModifiedReply&, const NodesModifiedReply&) = default;
};

}  // namespace maui
