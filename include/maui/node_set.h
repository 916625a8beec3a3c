// Node sets: groups of nodes with a common attribute, to which a job can be
// confined (guide 8.3).
//
// A set holds the nodes with one value of the attribute: a feature, a network,
// a class, an amount of memory, or processor speeds within a tolerance.  The
// scheduler forms the sets for each job, from the nodes that can serve the job.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "maui/result.h"
#include "maui/units.h"

namespace maui {

enum class NodeSetPolicy : std::uint8_t {
  one_of,    // all nodes from one set, which NodeSetPriority selects
  first_of,  // all nodes from the first set of the list that suffices
  any_of,    // nodes from any of the sets, mixed
};
enum class NodeSetAttribute : std::uint8_t { feature, network, proc_speed, job_class, memory };
enum class NodeSetPriority : std::uint8_t { min_loss, best_fit, worst_fit, best_resource };

struct NodeSet {
  NodeSetPolicy policy = NodeSetPolicy::one_of;
  NodeSetAttribute attribute = NodeSetAttribute::feature;
  std::vector<std::string> list;  // values in order of preference; empty: all values
  NodeSetPriority priority = NodeSetPriority::min_loss;
  double tolerance = 0;  // (fastest - slowest) / slowest, of processor speeds
  Seconds delay{0};      // how long a job waits for a set while other nodes could serve it
  friend bool operator==(const NodeSet&, const NodeSet&) = default;
};

/// Parses a job's own node set, SETTYPE:SETATTR[:SETLIST] (guide 13.3, NODESET), over `base`.
Result<NodeSet> parse_node_set(std::string_view text, NodeSet base = {});
/// Returns the node set in that form: "ONEOF:PROCSPEED:350,400".
std::string node_set_text(const NodeSet& set);

}  // namespace maui
