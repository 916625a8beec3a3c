// The shape that a job asks for: the grammars of -l nodes= and of -l select= and place=.
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

/// Equal parts of a job, each of which is on one node.
struct Chunk {
  int count = 1;
  int procs = 1;             // of each
  int memory = 0;            // MB of each; 0: not said
  std::string architecture;  // empty: any
  std::string host;          // the node, or, with nodes=, a property; empty: any
  bool any_vnode = false;    // of that host, where several are on it
  std::vector<std::string> features;
  std::vector<std::pair<std::string, int>> generic;  // gpus and their like, of each
  std::string amounts;                               // what OpenPBS is to count: "ncpus=2:mem=1gb"
  friend bool operator==(const Chunk&, const Chunk&) = default;
};

/// Fails on what cannot be understood.
Result<std::vector<Chunk>> parse_nodes(std::string_view text);
Result<std::vector<Chunk>> parse_select(std::string_view text);

/// How the chunks lie.
struct Place {
  bool scattered = false;  // each on a node of its own
  bool packed = false;     // all on one node
  bool exclusive = false;
  std::string group;  // a resource of which all nodes have the same value; empty: none
  friend bool operator==(const Place&, const Place&) = default;
};
Place parse_place(std::string_view text);

/// The feature of nodes that have this value, a word, of a resource: "switch=s1".
std::string feature_of(std::string_view resource, std::string_view value);

}  // namespace maui::pbs
