#include "sched/availability/node_groups.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace maui::availability {
namespace {

constexpr GroupId kNone = ~GroupId{0};
// The number of groups without nodes that are kept, since they often get nodes again.
constexpr std::size_t kSpare = 256;
// Readers that are further behind in the log must start anew.
constexpr std::size_t kLongLog = 1 << 16;

std::size_t size_of(const NodeTimeline& timeline) {
  return timeline.uses().size() + timeline.blocks().size();
}

}  // namespace

void NodeGroups::begin(std::span<const std::uint32_t> kinds, Time now) {
  assert(trials_ == 0);
  now_ = now;
  groups_.clear();
  unused_.clear();
  hashes_.clear();
  index_.assign(64, kNone);
  reserved_.clear();
  filled_.clear();
  interned_ = filled_count_ = stored_ = 0;
  moments_.clear();
  log_begin_ = log_end() + 1;  // invalidates the position of every reader
  log_read_ = log_begin_;
  log_.clear();
  const auto nodes = static_cast<std::uint32_t>(kinds.size());
  map_.begin(nodes, 0);
  for (std::uint32_t first = 0; first < nodes;) {
    auto end = first + 1;
    while (end < nodes && kinds[end] == kinds[first]) ++end;
    NodeTimeline timeline;
    timeline.kind = kinds[first];
    const auto group = intern(timeline);
    add_nodes(group, NodeRuns(NodeRun{first, end}));
    map_.assign({first, end}, group);
    first = end;
  }
}

// --- interning --------------------------------------------------------------

// Requires that the index has a free place.
void NodeGroups::add_to_index(GroupId group) {
  auto at = hashes_[group] & (index_.size() - 1);
  while (index_[at] != kNone) at = (at + 1) & (index_.size() - 1);
  index_[at] = group;
}

void NodeGroups::grow_index() {
  std::vector<GroupId> old(2 * index_.size(), kNone);
  old.swap(index_);
  for (const auto group : old)
    if (group != kNone) add_to_index(group);
}

// Returns the number of a group without timeline and nodes.
GroupId NodeGroups::unused_group() {
  if (unused_.empty()) {
    groups_.emplace_back();
    hashes_.emplace_back();
    filled_.push_back(false);
    return end() - 1;
  }
  const auto group = unused_.back();
  unused_.pop_back();
  return group;
}

GroupId NodeGroups::intern(const NodeTimeline& timeline) {
  const auto hash = timeline.hash();
  auto at = hash & (index_.size() - 1);
  for (; index_[at] != kNone; at = (at + 1) & (index_.size() - 1)) {
    const auto known = index_[at];
    if (hashes_[known] == hash && groups_[known].timeline == timeline) return known;
  }
  const auto made = unused_group();
  index_[at] = made;
  hashes_[made] = hash;
  auto& group = groups_[made];
  group.timeline = timeline;
  group.generation = ++generations_;
  stored_ += size_of(timeline);
  group.moment = timeline.first_moment();
  if (group.moment < kForever) {
    moments_.push_back({group.moment, made, group.generation});
    std::push_heap(moments_.begin(), moments_.end());
  }
  note_reservations(made);
  if (2 * ++interned_ > index_.size()) grow_index();
  return made;
}

void NodeGroups::note_reservations(GroupId group) {
  for (const auto& block : groups_[group].timeline.blocks()) {
    if (block.reservation >= reserved_.size()) reserved_.resize(block.reservation + 1);
    auto& groups = reserved_[block.reservation].groups;
    if (groups.empty() || groups.back() != group) groups.push_back(group);
  }
}

// Drops timelines that no node has.
void NodeGroups::sweep() {
  if (trials_ > 0 || interned_ <= 2 * filled() + kSpare) return;
  // Readers that have not read all of the log would confuse timelines.
  clear_log();
  std::fill(index_.begin(), index_.end(), kNone);
  for (auto& reserved : reserved_) reserved.groups.clear();
  interned_ = stored_ = 0;
  unused_.clear();
  for (GroupId id = 0; id < end(); ++id) {
    if (groups_[id].nodes.empty()) {
      groups_[id].generation = 0;
      unused_.push_back(id);
      continue;
    }
    add_to_index(id);
    note_reservations(id);
    ++interned_;
    stored_ += size_of(groups_[id].timeline);
  }
  std::erase_if(moments_, [&](const Moment& moment) {
    return groups_[moment.group].generation != moment.generation;
  });
  std::make_heap(moments_.begin(), moments_.end());
}

// --- the log ----------------------------------------------------------------

void NodeGroups::note(GroupId group, int nodes) {
  for (const auto& block : groups_[group].timeline.blocks()) {
    auto& logged = reserved_[block.reservation].logged;
    if (logged.empty() || logged.back() != log_end()) logged.push_back(log_end());
  }
  log_.push_back({group, nodes});
}

void NodeGroups::take_back_note() {
  const auto group = log_.back().group;
  log_.pop_back();
  for (const auto& block : groups_[group].timeline.blocks()) {
    auto& logged = reserved_[block.reservation].logged;
    if (!logged.empty() && logged.back() == log_end()) logged.pop_back();
  }
}

void NodeGroups::clear_log() {
  log_begin_ = log_end();
  log_.clear();
  for (auto& reserved : reserved_) reserved.logged.clear();
}

std::span<const NodeGroups::Change> NodeGroups::log(std::uint64_t from) {
  assert(from >= log_begin_ && from <= log_end());
  log_read_ = log_end();
  return std::span(log_).subspan(from - log_begin_);
}

std::span<const NodeGroups::Change> NodeGroups::net(std::span<const Change> changes) {
  net_by_group_.resize(std::max(net_by_group_.size(), groups_.size()));
  net_.clear();
  for (const auto& change : changes) net_by_group_[change.group] += change.nodes;
  for (const auto& change : changes)
    if (const int nodes = std::exchange(net_by_group_[change.group], 0); nodes != 0)
      net_.push_back({change.group, nodes});
  return net_;
}

std::span<const std::uint64_t> NodeGroups::logged(std::uint32_t reservation,
                                                  std::uint64_t from) const {
  if (reservation >= reserved_.size()) return {};
  const std::span<const std::uint64_t> all = reserved_[reservation].logged;
  const auto first = std::lower_bound(all.begin(), all.end(), from) - all.begin();
  return all.subspan(static_cast<std::size_t>(first));
}

// --- moves ------------------------------------------------------------------

void NodeGroups::add_nodes(GroupId group, const NodeRuns& nodes) {
  auto& here = groups_[group].nodes;
  if (here.empty()) {
    filled_.set(group);
    ++filled_count_;
  }
  here.add(nodes);
}

void NodeGroups::remove_nodes(GroupId group, const NodeRuns& nodes) {
  auto& here = groups_[group].nodes;
  here.remove(nodes);
  if (!here.empty()) return;
  filled_.reset(group);
  --filled_count_;
}

void NodeGroups::move(GroupId from, GroupId to, const NodeRuns& nodes) {
  remove_nodes(from, nodes);
  add_nodes(to, nodes);
  for (const auto run : nodes.runs()) map_.assign(run, to);
}

// Sorts the nodes into parts_ by the groups that they are in.
void NodeGroups::collect(const NodeRuns& nodes) {
  segments_.clear();
  for (const auto run : nodes.runs())
    map_.each_segment(run, [this](const GroupMap::Segment& segment) {
      segments_.push_back(segment);
      return true;
    });
  std::sort(segments_.begin(), segments_.end(), [](const auto& a, const auto& b) {
    return std::pair(a.group, a.nodes.first) < std::pair(b.group, b.nodes.first);
  });
  parts_.clear();
  for (const auto& segment : segments_) {
    if (parts_.empty() || parts_.back().first != segment.group)
      parts_.emplace_back(segment.group, NodeRuns(segment.nodes));
    else
      parts_.back().second.add(segment.nodes);
  }
}

int NodeGroups::edit(const NodeRuns& nodes, const Edit& edit) {
  collect(nodes);
  int changed = 0;
  for (auto& [from, part] : parts_) {
    edited_ = groups_[from].timeline;
    if (!edit(edited_)) continue;
    const auto to = intern(edited_);
    changed += part.size();
    if (to == from) continue;
    move(from, to, part);
    const auto logged = log_end();
    note(from, -part.size());
    note(to, part.size());
    if (trials_ > 0) journal_.push_back({from, to, std::move(part), logged});
  }
  sweep();
  return changed;
}

void NodeGroups::set(std::span<const Assigned> all) {
  assert(trials_ == 0);
  std::vector<Step> steps;
  for (const auto& [nodes, timeline] : all) {
    const auto to = intern(timeline);
    map_.each_segment(nodes, [&](const GroupMap::Segment& segment) {
      if (segment.group != to) steps.push_back({segment.group, to, segment.nodes});
      return true;
    });
  }
  std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) {
    return std::pair(a.from, a.nodes.first) < std::pair(b.from, b.nodes.first);
  });
  leave(steps);
  std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) {
    return std::pair(a.to, a.nodes.first) < std::pair(b.to, b.nodes.first);
  });
  arrive(steps);
  sweep();
}

// Requires that the steps are sorted by the groups that the nodes leave.
void NodeGroups::leave(std::span<const Step> steps) {
  for (auto at = steps.begin(); at != steps.end();) {
    const auto from = at->from;
    NodeRuns gone;
    for (; at != steps.end() && at->from == from; ++at) gone.add(at->nodes);
    remove_nodes(from, gone);
    note(from, -gone.size());
  }
}

// Requires that the steps are sorted by the groups that the nodes join.
void NodeGroups::arrive(std::span<const Step> steps) {
  for (auto at = steps.begin(); at != steps.end();) {
    const auto to = at->to;
    NodeRuns come;
    for (; at != steps.end() && at->to == to; ++at) {
      come.add(at->nodes);
      map_.assign(at->nodes, to);
    }
    add_nodes(to, come);
    note(to, come.size());
  }
}

void NodeGroups::advance(Time now) {
  assert(trials_ == 0 && now >= now_);
  now_ = now;
  while (!moments_.empty() && moments_.front().when <= now) {
    const auto moment = moments_.front();
    std::pop_heap(moments_.begin(), moments_.end());
    moments_.pop_back();
    const auto& group = groups_[moment.group];
    if (group.generation != moment.generation || group.nodes.empty()) continue;
    edited_ = group.timeline;
    edited_.advance(now);
    const auto nodes = group.nodes;
    const auto to = intern(edited_);
    move(moment.group, to, nodes);
    note(moment.group, -nodes.size());
    note(to, nodes.size());
  }
  if (log_.size() > kLongLog) clear_log();
  sweep();
}

// --- trials -----------------------------------------------------------------

std::size_t NodeGroups::begin_trial() {
  ++trials_;
  return journal_.size();
}

void NodeGroups::undo_trial(std::size_t begun) {
  assert(trials_ > 0);
  while (journal_.size() > begun) {
    const auto& last = journal_.back();
    move(last.to, last.from, last.nodes);
    // Removes log entries that nobody has read.
    if (log_end() == last.logged + 2 && last.logged >= log_read_) {
      take_back_note();
      take_back_note();
    } else {
      note(last.to, -last.nodes.size());
      note(last.from, last.nodes.size());
    }
    journal_.pop_back();
  }
  --trials_;
}

}  // namespace maui::availability
