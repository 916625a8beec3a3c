#include <algorithm>
#include <cassert>
#include <utility>

#include "base/host_range.h"
#include "base/resource_names.h"
#include "maui/cluster.h"
#include "maui/initiators.h"
#include "model/alter.h"

namespace maui {
namespace {

constexpr std::uint32_t kNoKind = ~std::uint32_t{0};  // of a new node

}  // namespace

NodeState shown_state(NodeState reported, const Occupancy& here) {
  switch (reported) {
    case NodeState::unknown:
    case NodeState::down:
      return reported;
    case NodeState::drained:
    case NodeState::draining:
      return here.occupants.empty() ? NodeState::drained : NodeState::draining;
    case NodeState::idle:
    case NodeState::running:
    case NodeState::busy:
      break;
  }
  if (here.closed) return NodeState::busy;
  if (here.occupants.empty()) return NodeState::idle;
  return here.free.procs() <= 0 || here.exclusive() ? NodeState::busy : NodeState::running;
}

NodeId Cluster::add_node(Node node) {
  assert(!find_node(node.name).valid());
  const NodeId id = place_for_node();
  node.id = id;
  if (!node.partition.valid()) node.partition = partitions.intern("DEFAULT");
  node_names_.emplace(node.name, id);
  use_since_[id.index()] = node.state_since;
  all_counted_from_ = std::max(all_counted_from_, node.state_since - node.use.total);
  ++node_changes_;
  nodes_[id.index()] = std::move(node);
  const Node& made = nodes_[id.index()];
  changed_nodes_.note(id);
  count_node(made, 1);
  begin_series(id);
  const std::uint32_t before = occupancy(id).kind;
  const std::uint32_t kind = before == kNoKind ? classify(id, {}) : classify(id, before);
  alter({id.raw(), id.raw() + 1}, [&](NodeRun, Occupancy& here) {
    // A reservation may already have been placed on this slot.
    here.free = made.configured;
    here.available = made.available();
    here.kind = kind;
  });
  const ShownState shown{shown_state(made.reported, occupancy(id)), made.state_since};
  shown_.change({id.raw(), id.raw() + 1}, [&](NodeRun, ShownState& here) { here = shown; });
  make_room(id);
  ++releases_;
  return id;
}

/// Updates the series of the node, whose name has been set.
void Cluster::begin_series(NodeId id) {
  const bool goes_on =
      id.index() > 0 && counts_up(nodes_[id.index() - 1].name, nodes_[id.index()].name);
  const std::uint32_t series = goes_on ? series_[id.raw() - 1] : ++last_series_;
  series_.change({id.raw(), id.raw() + 1},
                 [series](NodeRun, std::uint32_t& here) { here = series; });
}

NodeId Cluster::place_for_node() {
  if (!free_nodes_.empty()) {
    const NodeId id = free_nodes_.back();
    free_nodes_.pop_back();
    count_node(nodes_[id.index()], -1);
    busy_.add({id.raw(), id.raw() + 1}, -busy_.at(id.raw()));  // of the slot's former node
    return id;
  }
  const NodeId id(nodes_.size());
  nodes_.emplace_back();
  use_since_.emplace_back();
  busy_.push_back();
  series_.push_back(++last_series_);
  shown_.push_back({});
  Occupancy nothing;
  nothing.kind = kNoKind;
  occupancy_.push_back(std::move(nothing));
  return id;
}

void Cluster::give_up_node(NodeId id) {
  assert(nodes_[id.index()].purged && occupancy(id).occupants.empty() &&
         occupancy(id).reservations.empty());
  withhold(id, {}, false, nodes_[id.index()].state_since);
  node_names_.erase(nodes_[id.index()].name);
  std::string().swap(nodes_[id.index()].name);
  free_nodes_.push_back(id);
}

void Cluster::update_node(NodeId id, Node node, Time now) {
  Node& old = nodes_[id.index()];
  ++node_changes_;
  changed_nodes_.note(id);
  count_node(old, -1);
  node.id = id;
  node.name = std::move(old.name);
  node.use = old.use;
  if (!node.partition.valid()) node.partition = old.partition;
  old = std::move(node);
  count_node(old, 1);
  const std::uint32_t kind = classify(id, occupancy(id).kind);
  alter({id.raw(), id.raw() + 1}, [&](NodeRun, Occupancy& here) {
    here.kind = kind;
    here.available = old.available();
    for (Occupant& occupant : here.occupants)
      occupant.access = access_on(old.policy.access, request_of(occupant.job).access);
    count_free(here, old.configured);
  });
  note_states({id.raw(), id.raw() + 1}, now);
  make_room(id);
  ++releases_;
}

void Cluster::set_node_state(NodeId id, NodeState reported, Time now) {
  Node& node = nodes_[id.index()];
  if (node.reported == reported) return;
  const bool was_available = node.available();
  changed_nodes_.note(id);
  settle_use(id, now);
  count_node(node, -1);
  node.reported = reported;
  node.state_since = now;
  count_node(node, 1);
  alter({id.raw(), id.raw() + 1},
        [&](NodeRun, Occupancy& here) { here.available = node.available(); });
  note_states({id.raw(), id.raw() + 1}, now);
  if (!node.available() || was_available) return;
  make_room(id);
  ++releases_;
}

void Cluster::withhold(NodeId id, Resources amount, bool closed, Time now) {
  if (occupancy(id).withheld == amount && occupancy(id).closed == closed) return;
  changed_nodes_.note(id);
  alter({id.raw(), id.raw() + 1}, [&](NodeRun, Occupancy& here) {
    here.withheld = std::move(amount);
    here.closed = closed;
    count_free(here, nodes_[id.index()].configured);
  });
  note_states({id.raw(), id.raw() + 1}, now);
  make_room(id);
  ++releases_;
}

void Cluster::revise_held(NodeId id, JobId job, Resources amount, Time now) {
  const auto& all = occupancy(id).occupants;
  const auto known = std::find_if(all.begin(), all.end(),
                                  [&](const Occupant& occupant) { return occupant.job == job; });
  if (known == all.end() || known->amount == amount) return;
  changed_nodes_.note(id);
  alter({id.raw(), id.raw() + 1}, [&](NodeRun, Occupancy& here) {
    for (Occupant& occupant : here.occupants)
      if (occupant.job == job) occupant.amount = amount;
    count_free(here, nodes_[id.index()].configured);
  });
  note_states({id.raw(), id.raw() + 1}, now);
  held_revised_ = true;
  make_room(id);
  ++releases_;
}

Seconds Cluster::limit_on(const Request& asked, const Placement& nodes) const {
  return asked.limit_at(speed_on(asked, nodes));
}

double Cluster::speed_on(const Request& asked, const Placement& nodes) const {
  if (!asked.by_speed || nodes.empty()) return 1;
  double slowest = node(nodes.front().node).speed;
  for (const NodeTasks& share : nodes) slowest = std::min(slowest, node(share.node).speed);
  return slowest > 0 ? slowest : 1;
}

NodeUse Cluster::node_use(NodeId id, Time now) const {
  const Node& node = nodes_[id.index()];
  const Seconds since = now - use_since_[id.index()];
  NodeUse use = node.use;
  use.total += since;
  if (node.up()) use.up += since;
  use.active += Seconds(busy_.at(id.raw()));
  if (!occupancy(id).occupants.empty()) use.active += now - Time(0);
  return use;
}

void Cluster::settle_node_use(Time now) {
  for (Node& node : nodes_) node.use = node_use(node.id, now);
  begin_use(now);
}

void Cluster::reset_node_use(Time now) {
  for (Node& node : nodes_) node.use = {};
  all_counted_from_ = std::max(all_counted_from_, now);
  begin_use(now);
}

/// Starts to count node use at `now`; Node::use is complete until then.
void Cluster::begin_use(Time now) {
  use_since_.assign(nodes_.size(), now);
  busy_ = RangeSums();
  for (std::size_t i = 0; i < nodes_.size(); ++i) busy_.push_back();
  occupancy_.each({0, occupancy_.size()}, [&](NodeRun run, const Occupancy& here) {
    if (!here.occupants.empty()) busy_.add(run, -now.raw());
  });
}

/// Updates Node::use of the node, except for its use by jobs.
void Cluster::settle_use(NodeId id, Time now) {
  Node& node = nodes_[id.index()];
  const Seconds interval = now - std::exchange(use_since_[id.index()], now);
  node.use.total += interval;
  if (node.up()) node.use.up += interval;
}

NodeId Cluster::find_node(std::string_view name) const {
  const auto at = node_names_.find(std::string(name));
  return at == node_names_.end() ? NodeId() : at->second;
}

/// Notes which of these nodes show another state from now on.
void Cluster::note_states(NodeRun nodes, Time now) {
  occupancy_.each(nodes, [&](NodeRun run, const Occupancy& here) { note_states(run, here, now); });
}

void Cluster::note_states(NodeRun equal, const Occupancy& here, Time now) {
  if (here.available) return note_state(equal, shown_state(NodeState::idle, here), now);
  for (std::uint32_t i = equal.first; i < equal.end; ++i)
    note_state({i, i + 1}, shown_state(nodes_[i].reported, here), now);
}

void Cluster::note_state(NodeRun nodes, NodeState state, Time now) {
  bool same = true;
  shown_.each(nodes, [&](NodeRun, const ShownState& here) { same = same && here.state == state; });
  if (same) return;
  shown_.change(nodes, [&](NodeRun, ShownState& here) {
    if (here.state == state) return;
    // Jobs become known in any order: one that began earlier has not ended what others began.
    const bool used = here.state == NodeState::running || here.state == NodeState::busy;
    here = {state, used ? std::max(here.since, now) : now};
  });
}

std::span<const NodeId> Cluster::open_nodes() const {
  if (open_nodes_stale_) {
    open_nodes_.clear();
    occupancy_.each({0, occupancy_.size()}, [this](NodeRun run, const Occupancy& here) {
      if (!here.open()) return;
      for (std::uint32_t node = run.first; node < run.end; ++node) open_nodes_.emplace_back(node);
    });
    open_nodes_stale_ = false;
  }
  return open_nodes_;
}

ResourceTotals Cluster::configured(PartitionId partition, bool available_only) const {
  if (partition.valid() && partition.index() >= partition_totals_.size()) return {};
  const Totals& totals = partition.valid() ? partition_totals_[partition.index()] : totals_;
  return available_only ? totals.available : totals.all;
}

void Cluster::count(const Occupancy& here, int nodes) {
  if (here.open()) counts_.open_procs += std::int64_t{nodes} * here.free.procs();
  if (!here.occupants.empty()) counts_.occupied_nodes += nodes;
  for (const Occupant& occupant : here.occupants) {
    const std::int64_t procs = std::int64_t{nodes} * occupant.amount.procs();
    counts_.held_procs += procs;
    if (!here.available) counts_.held_unavailable_procs += procs;
  }
}

void Cluster::count_node(const Node& node, int times) {
  if (node.partition.index() >= partition_totals_.size())
    partition_totals_.resize(node.partition.index() + 1);
  Totals& mine = partition_totals_[node.partition.index()];
  for (Totals* totals : {&totals_, &mine}) {
    totals->all.add(node.configured, times);
    if (node.available()) totals->available.add(node.configured, times);
  }
  if (node.policy.access == NodeAccess::single_user || node.policy.max_jobs_per_user > 0)
    single_user_nodes_ += times;
  if (!node.purged) {
    count_in_partition(node.partition, times);
    const auto state = static_cast<std::size_t>(node.reported);
    counts_.nodes_reported[state] += times;
    counts_.procs_reported[state] += times * node.configured.procs();
  }
  counts_.configured_procs += times * node.configured.procs();
  if (!node.available()) return;
  counts_.available_procs += times * node.configured.procs();
  counts_.available_nodes += times;
}

void Cluster::count_in_partition(PartitionId id, int nodes) {
  int& known = partition_totals_[id.index()].nodes;
  const bool had_nodes = known > 0;
  known += nodes;
  if (had_nodes == (known > 0)) return;
  auto& list = partitions_with_nodes_;
  const auto at = std::lower_bound(list.begin(), list.end(), id);
  if (had_nodes)
    list.erase(at);
  else
    list.insert(at, id);
}

/// Returns the kind of a node that is new or whose former kind may have changed.
std::uint32_t Cluster::classify(NodeId id, std::optional<std::uint32_t> before) {
  const std::uint32_t kind = kinds_.of(NodeTraits(nodes_[id.index()]));
  if (before == kind) return kind;
  kinds_.join(kind, id);
  if (!before || !kinds_.leave(*before, id)) return kind;
  // If nodes are visited in order, the next node of the kind is close by.
  NodeId next = next_of_kind(*before, {id.raw() + 1, occupancy_.size()});
  if (!next.valid()) next = next_of_kind(*before, {0, id.raw()});
  kinds_.set_sample(*before, next);
  return kind;
}

/// Returns the first of these nodes that is of that kind, or an invalid id.
NodeId Cluster::next_of_kind(std::uint32_t kind, NodeRun nodes) const {
  while (nodes.first < nodes.end) {
    if (occupancy(NodeId(nodes.first)).kind == kind) return NodeId(nodes.first);
    nodes.first = occupancy_.run_of(nodes.first).end;
  }
  return {};
}

}  // namespace maui
