#include "sched/availability/group_map.h"

#include <bit>

namespace maui::availability {
namespace {

constexpr std::uint32_t kBits = 64;

std::uint64_t bit(std::uint32_t position) { return std::uint64_t{1} << (position % kBits); }

}  // namespace

void GroupMap::begin(std::uint32_t nodes, std::uint32_t group) {
  nodes_ = nodes;
  group_.assign(nodes, group);
  levels_.clear();
  for (auto words = nodes; levels_.empty() || words > 1;) {
    words = (words + kBits - 1) / kBits;
    levels_.emplace_back(words, 0);
  }
  if (nodes > 0) mark(0);
}

void GroupMap::mark(std::uint32_t node) {
  for (auto& level : levels_) {
    level[node / kBits] |= bit(node);
    node /= kBits;
  }
}

void GroupMap::unmark(std::uint32_t node) {
  for (auto& level : levels_) {
    level[node / kBits] &= ~bit(node);
    if (level[node / kBits] != 0) return;
    node /= kBits;
  }
}

bool GroupMap::marked(std::uint32_t node) const {
  return (levels_.front()[node / kBits] & bit(node)) != 0;
}

std::uint32_t GroupMap::beginning_before(std::uint32_t node) const {
  std::size_t level = 0;
  std::uint64_t word = 0;
  for (;; ++level) {
    // At the lowest level the node itself counts; further up, its word has been examined already.
    const auto below = level == 0 ? bit(node) | (bit(node) - 1) : bit(node) - 1;
    word = levels_[level][node / kBits] & below;
    node /= kBits;
    if (word != 0) break;
  }
  for (;; word = levels_[level][node]) {
    node = node * kBits + kBits - 1 - static_cast<std::uint32_t>(std::countl_zero(word));
    if (level-- == 0) return node;
  }
}

std::uint32_t GroupMap::beginning_after(std::uint32_t node) const {
  std::size_t level = 0;
  std::uint64_t word = 0;
  for (;; ++level) {
    if (level == levels_.size()) return nodes_;
    word = levels_[level][node / kBits] & ~(bit(node) | (bit(node) - 1));
    node /= kBits;
    if (word != 0) break;
  }
  for (;; word = levels_[level][node]) {
    node = node * kBits + static_cast<std::uint32_t>(std::countr_zero(word));
    if (level-- == 0) return node;
  }
}

GroupMap::Segment GroupMap::segment_of(std::uint32_t node) const {
  const auto first = beginning_before(node);
  return {{first, beginning_after(node)}, group_[first]};
}

void GroupMap::assign(NodeRun nodes, std::uint32_t group) {
  if (nodes.first >= nodes.end) return;
  if (nodes.end < nodes_ && !marked(nodes.end)) {
    group_[nodes.end] = group_of(nodes.end);
    mark(nodes.end);
  }
  for (auto inside = beginning_after(nodes.first); inside < nodes.end;
       inside = beginning_after(inside))
    unmark(inside);
  group_[nodes.first] = group;
  mark(nodes.first);
  // Joins adjoining segments of the same group.
  if (nodes.end < nodes_ && group_[nodes.end] == group) unmark(nodes.end);
  if (nodes.first > 0 && group_of(nodes.first - 1) == group) unmark(nodes.first);
}

}  // namespace maui::availability
