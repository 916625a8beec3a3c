// The priority of a node for NODEALLOCATIONPOLICY MACHINEPRIO (guide 5.2.2.4):
// an expression over the node's configured and available resources and its use.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "maui/result.h"

namespace maui {

/// The terms of an expression; docs/node-allocation.md explains each.
enum class NodeTerm : std::uint8_t {
  priority,
  speed,
  proc_speed,
  load,
  configured_procs,
  configured_memory,
  configured_swap,
  configured_disk,
  available_procs,
  available_memory,
  available_swap,
  available_disk,
  jobs,
  index,
};

/// A valid expression in postfix order: a step pushes a value or combines the last two.
struct PriorityFunction {
  enum class Operation : std::uint8_t { number, term, feature, add, subtract, multiply, divide };
  struct Step {
    Operation operation = Operation::number;
    double number = 0;
    NodeTerm term = NodeTerm::priority;
    std::string feature;  // FEATURE[x]: 1 on nodes with feature x, else 0
    friend bool operator==(const Step&, const Step&) = default;
  };
  std::vector<Step> steps;
  friend bool operator==(const PriorityFunction&, const PriorityFunction&) = default;
};

/// Parses a NODECFG PRIORITYF such as PRIORITY + 10 * SPEED - LOAD.  The error names the position.
Result<PriorityFunction> parse_priority_function(std::string_view text);

}  // namespace maui
