#include "maui/node_kinds.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace maui {

std::uint32_t NodeKinds::of(NodeTraits traits) {
  const auto [at, added] = numbers_.try_emplace(std::move(traits));
  if (!added) return at->second;
  if (free_.empty()) {
    at->second = size();
    samples_.emplace_back();
    nodes_.push_back(0);
  } else {
    at->second = free_.back();
    free_.pop_back();
  }
  return at->second;
}

void NodeKinds::join(std::uint32_t kind, NodeId node) {
  if (nodes_[kind]++ == 0) samples_[kind] = node;
}

bool NodeKinds::leave(std::uint32_t kind, NodeId node) {
  return --nodes_[kind] > 0 && samples_[kind] == node;
}

void NodeKinds::give_up_unused() {
  for (auto at = numbers_.begin(); at != numbers_.end();) {
    const bool used = nodes_[at->second] > 0;
    if (!used) free_.push_back(at->second);
    at = used ? std::next(at) : numbers_.erase(at);
  }
  std::sort(free_.begin(), free_.end(), std::greater<>());  // the lowest is reused first
}

}  // namespace maui
