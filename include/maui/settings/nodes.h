// Settings of nodes: of single nodes by NODECFG (guide 12.2, 12.3), and of all nodes by the
// parameters of guide 5.2, 8.3 and appendix F.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "maui/node_priority.h"
#include "maui/node_set.h"
#include "maui/request.h"

namespace maui {

struct NodeSettings {
  std::optional<NodeAccess> access;
  std::optional<int> max_jobs, max_jobs_per_user;
  std::optional<double> max_load, speed;
  std::optional<int> frame, slot, proc_speed, priority;
  std::optional<PriorityFunction> priority_function;  // PRIORITYF
  std::string partition, type;
  std::vector<std::string> features;
  std::vector<std::string> classes;  // used if the resource manager reports none
  std::vector<std::string> generic;  // GRES: NAME:COUNT
  friend bool operator==(const NodeSettings&, const NodeSettings&) = default;
};

enum class NodeLoadPolicy : std::uint8_t { adjust_state, adjust_procs };

/// The amount of a resource that counts as taken: dedicated to jobs, utilised, or the larger.
enum class Availability : std::uint8_t { combined, dedicated, utilised };

struct NodeParameters {
  NodeLoadPolicy load_policy = NodeLoadPolicy::adjust_state;  // NODELOADPOLICY
  double max_load = 0;                                        // NODEMAXLOAD; 0: none
  double untracked_load_factor = 1.2;                         // NODEUNTRACKEDLOADFACTOR
  std::array<Availability, 4> availability{};                 // RESOURCEAVAILABILITYPOLICY
  Seconds down_state_delay{0};                                // NODEDOWNSTATEDELAYTIME
  Seconds down_node_delay{86400};                             // DOWNNODEDELAYTIME
  Seconds sync_time{600};                                     // NODESYNCTIME
  Seconds purge_time{0};                                      // NODEPURGETIME
  bool machine_speed = false;                                 // USEMACHINESPEED
  bool local_tasks = false;                                   // TASKDISTRIBUTIONPOLICY LOCAL
  std::string allocation_program;                             // NODEALLOCATIONPROGRAM
  std::string type_header, partition_header, speed_header;    // FEATURE...HEADER
  std::optional<NodeSetPolicy> set_policy;                    // NODESETPOLICY
  std::optional<NodeSetAttribute> set_attribute;              // NODESETATTRIBUTE
  NodeSet set;                                                // the other NODESET parameters

  /// Returns how long a node that is down is assumed to stay down.
  Seconds stays_down() const {
    return down_state_delay > Seconds(0) ? down_state_delay : down_node_delay;
  }
  friend bool operator==(const NodeParameters&, const NodeParameters&) = default;
};

}  // namespace maui
