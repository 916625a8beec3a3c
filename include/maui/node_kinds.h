// The kinds of a cluster's nodes: nodes with equal traits are of one kind.
#pragma once
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "maui/node_traits.h"
#include "maui/units.h"

namespace maui {

class NodeKinds {
 public:
  /// Returns the kind of nodes with these traits; if they are new, a kind without nodes.
  std::uint32_t of(NodeTraits traits);
  /// Counts a node of the kind; the first one is its sample.
  void join(std::uint32_t kind, NodeId node);
  /// Counts a node less.  Returns true if it was the sample of a kind that still has nodes: the
  /// caller must set another one.
  bool leave(std::uint32_t kind, NodeId node);
  void set_sample(std::uint32_t kind, NodeId node) { samples_[kind] = node; }
  /// Frees the kinds without nodes for reuse.
  void give_up_unused();

  /// An upper bound: every kind is less than size().
  std::uint32_t size() const { return static_cast<std::uint32_t>(samples_.size()); }
  /// The number of kinds whose traits are known, with nodes or without.
  std::size_t known() const { return numbers_.size(); }
  /// A node of the kind; if it has lost its last node, that one, whatever its kind is now.
  NodeId sample(std::uint32_t kind) const { return samples_[kind]; }
  int nodes(std::uint32_t kind) const { return nodes_[kind]; }

 private:
  std::unordered_map<NodeTraits, std::uint32_t, NodeTraitsHash> numbers_;
  std::vector<NodeId> samples_;
  std::vector<int> nodes_;  // number of nodes
  std::vector<std::uint32_t> free_;
};

}  // namespace maui
