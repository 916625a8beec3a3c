#include "sched/availability/open_view.h"

#include <algorithm>
#include <limits>

namespace maui {

// --- room bounds ----------------------------------------------------------------

void RoomBounds::note(Seconds duration, long long tasks) {
  if (most(duration) <= tasks) return;
  std::erase_if(known_,
                [&](const auto& one) { return one.first >= duration && one.second >= tasks; });
  const auto at = std::find_if(known_.begin(), known_.end(),
                               [&](const auto& one) { return one.first > duration; });
  known_.insert(at, {duration, tasks});
}

long long RoomBounds::most(Seconds duration) const {
  auto most = std::numeric_limits<long long>::max();
  for (const auto& [known, tasks] : known_) {
    if (known > duration) break;
    most = tasks;
  }
  return most;
}

// --- the view -------------------------------------------------------------------

void OpenView::begin(AccessSet set, std::size_t nodes, bool whole) {
  set_ = set;
  whole_ = whole;
  free_procs_ = 0;
  group_of_.assign(nodes, whole ? kNone : kOther);
  claimed_.clear();
  used_ = 0;
  index_.assign(std::max<std::size_t>(64, index_.size()), kNone);
  filled_.clear();
  beginnings_.clear();
  beginnings_by_hash_.clear();
  bounds_.clear();
}

void OpenView::claim(NodeId node) {
  auto& group = group_of_[node.index()];
  if (group != kOther) return;
  group = kNone;
  claimed_.push_back(node);
}

void OpenView::grow_index() {
  index_.assign(2 * index_.size(), kNone);
  for (std::uint32_t i = 0; i < used_; ++i) {
    auto at = groups_[i].hash & (index_.size() - 1);
    while (index_[at] != kNone) at = (at + 1) & (index_.size() - 1);
    index_[at] = i;
  }
}

std::uint32_t OpenView::find_beginning(std::uint32_t kind, PartitionId partition,
                                       const Profile& worst) {
  Beginning wanted;
  wanted.kind = kind;
  wanted.partition = partition;
  wanted.now = worst.first_level();
  const auto hash = wanted.now.hash() + kind;
  const auto [first, last] = beginnings_by_hash_.equal_range(hash);
  for (auto at = first; at != last; ++at) {
    const auto& known = beginnings_[at->second];
    if (known.kind == kind && known.partition == partition && known.now == wanted.now)
      return at->second;
  }
  const auto made = static_cast<std::uint32_t>(beginnings_.size());
  beginnings_.push_back(std::move(wanted));
  beginnings_by_hash_.emplace(hash, made);
  return made;
}

std::uint32_t OpenView::find(std::uint32_t kind, PartitionId partition,
                             const Attraction& attraction, const Profile& worst) {
  const auto drawing = static_cast<std::uint64_t>(attraction.drawn.raw()) << 20 ^
                       static_cast<std::uint64_t>(attraction.repelled.raw()) << 40;
  const auto hash = (worst.hash() + kind + drawing) * 0x9e3779b97f4a7c15ULL >> 16;
  auto at = hash & (index_.size() - 1);
  for (; index_[at] != kNone; at = (at + 1) & (index_.size() - 1)) {
    const auto& group = groups_[index_[at]];
    if (group.hash == hash && group.attraction == attraction &&
        beginnings_[group.beginning].kind == kind && group.worst == worst)
      return index_[at];
  }
  if (used_ == groups_.size()) groups_.emplace_back();
  const auto made = static_cast<std::uint32_t>(used_++);
  index_[at] = made;
  auto& group = groups_[made];
  group.attraction = attraction;
  group.beginning = find_beginning(kind, partition, worst);
  group.place = kNone;
  group.hash = hash;
  group.worst = worst;
  group.nodes.clear();
  if (2 * used_ > index_.size()) grow_index();
  return made;
}

void OpenView::fill(std::uint32_t number) {
  auto& group = groups_[number];
  group.place = static_cast<std::uint32_t>(filled_.size());
  Summary summary{number, group.beginning, 0, group.attraction, kForever, kForever};
  const auto& worst = group.worst;
  if (worst.size() > 1) summary.changes = worst.level(1).from;
  for (std::size_t i = 1; i < worst.size() && summary.full == kForever; ++i)
    if (worst.level(i).presence.exclusive > 0 || worst.free(i)[kProcs.index()] <= 0)
      summary.full = worst.level(i).from;
  filled_.push_back(summary);
}

void OpenView::empty(std::uint32_t number) {
  auto& group = groups_[number];
  filled_[group.place] = filled_.back();
  groups_[filled_[group.place].group].place = group.place;
  filled_.pop_back();
  group.place = kNone;
  group.nodes.clear();
}

void OpenView::leave(NodeId node) {
  auto& index = group_of_[node.index()];
  if (index >= kOther) return;
  const auto left = index;
  index = kNone;
  auto& group = groups_[left];
  free_procs_ -= group.worst.free(0)[kProcs.index()];
  auto& size = filled_[group.place].size;
  if (--size == 0) return empty(left);
  // Those that have moved on are swept out before they are the most.
  if (group.nodes.size() > 2 * static_cast<std::size_t>(size) + 16)
    std::erase_if(group.nodes, [&](NodeId one) { return !holds(left, one); });
}

void OpenView::place(NodeId node, std::uint32_t kind, PartitionId partition,
                     const Attraction& attraction, const Profile& worst) {
  leave(node);
  const auto index = find(kind, partition, attraction, worst);
  auto& group = groups_[index];
  if (group.place == kNone) fill(index);
  free_procs_ += worst.free(0)[kProcs.index()];
  if (group.nodes.empty() || group.nodes.back() < node) {
    group.nodes.push_back(node);
  } else {
    const auto at = std::lower_bound(group.nodes.begin(), group.nodes.end(), node);
    if (*at != node) group.nodes.insert(at, node);
  }
  ++filled_[group.place].size;
  group_of_[node.index()] = index;
}

}  // namespace maui
