// The shape of a job: the grammars of -l nodes= and of -l select= and place=.
//
//   nodes=2:ppn=4:odd+1:bigmem, nodes=n01:ppn=2+n03, nodes=1:ppn=1:gpus=1
//   select=2:ncpus=2:mem=1gb+1:ncpus=1:bigmem=True, place=scatter:excl
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "maui/result.h"

namespace maui::pbs {

/// Equal parts of a job, each of which must be on one node.
struct Chunk {
  int count = 1;
  int procs = 1;             // of each chunk
  int memory = 0, swap = 0;  // MB of each chunk; 0: not given
  std::string architecture;  // empty: any
  std::string host;          // a node, or, with nodes=, a property; empty: any
  bool any_vnode = false;    // any vnode of that host
  std::vector<std::string> features;
  // GPUs and the like, of each chunk; a size, such as scratch=1gb, in MB
  std::vector<std::pair<std::string, int>> generic;
  std::string amounts;  // resources for OpenPBS to count: "ncpus=2:mem=1gb"; may be empty
  friend bool operator==(const Chunk&, const Chunk&) = default;
};

/// Fail if the text is invalid.
Result<std::vector<Chunk>> parse_nodes(std::string_view text);
Result<std::vector<Chunk>> parse_select(std::string_view text);

/// The arrangement of the chunks.
struct Place {
  bool scattered = false;  // each chunk on a different node
  bool packed = false;     // all chunks on one node
  bool exclusive = false;
  std::string group;  // resource with one value on all nodes; empty: none
  friend bool operator==(const Place&, const Place&) = default;
};
Place parse_place(std::string_view text);

/// Returns the feature of nodes where a resource has this value, one word: "switch=s1".
std::string feature_of(std::string_view resource, std::string_view value);

}  // namespace maui::pbs
