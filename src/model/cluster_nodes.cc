#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

#include "base/resource_names.h"
#include "maui/cluster.h"
#include "maui/initiators.h"
#include "model/keys.h"

namespace maui {
namespace {

constexpr std::uint32_t kNoKind = ~std::uint32_t{0};  // of a node that has just come

}  // namespace

Cluster::Cluster() {
  for (const auto name : kElementaryNames) consumables.intern(name);
  partitions.intern("DEFAULT");
}

ConsumableId Cluster::initiator(ClassId job_class) {
  if (job_class.index() >= initiators_.size()) initiators_.resize(job_class.index() + 1);
  ConsumableId& known = initiators_[job_class.index()];
  if (!known.valid()) known = consumables.intern(initiator_name(classes[job_class]));
  return known;
}

NodeId Cluster::add_node(Node node) {
  assert(!find_node(node.name).valid());
  const NodeId id = place_for_node();
  node.id = id;
  if (!node.partition.valid()) node.partition = partitions.intern("DEFAULT");
  node_names_.emplace(node.name, id);
  use_since_[id.index()] = node.state_since;
  occupancy_[id.index()].free = node.configured;
  ++node_changes_;
  nodes_[id.index()] = std::move(node);
  changed_nodes_.note(id);
  count_node(nodes_[id.index()], 1);
  classify(id);
  refresh_node(id);
  make_room(id);
  ++releases_;
  return id;
}

NodeId Cluster::place_for_node() {
  if (!free_nodes_.empty()) {
    const NodeId id = free_nodes_.back();
    free_nodes_.pop_back();
    count_node(nodes_[id.index()], -1);
    return id;
  }
  const NodeId id(nodes_.size());
  nodes_.emplace_back();
  use_since_.emplace_back();
  occupancy_.emplace_back().kind = kNoKind;
  open_procs_.push_back(0);
  roomier_since_.push_back(0);
  if (id.index() / 64 >= open_bits_.size()) open_bits_.push_back(0);
  return id;
}

void Cluster::give_up_node(NodeId id) {
  Occupancy& here = occupancy_[id.index()];
  assert(nodes_[id.index()].purged && here.occupants.empty() && here.reservations.empty());
  withhold(id, {}, false);
  node_names_.erase(nodes_[id.index()].name);
  std::string().swap(nodes_[id.index()].name);
  here.occupants.shrink_to_fit();
  here.reservations.shrink_to_fit();
  free_nodes_.push_back(id);
}

void Cluster::update_node(NodeId id, Node node) {
  Node& old = nodes_[id.index()];
  ++node_changes_;
  changed_nodes_.note(id);
  count_node(old, -1);
  node.id = id;
  node.name = std::move(old.name);
  node.use = old.use;
  if (!node.partition.valid()) node.partition = old.partition;
  Occupancy& here = occupancy_[id.index()];
  here.free = node.configured;
  here.free.add(here.withheld, -1);
  for (const Occupant& one : here.occupants) here.free.add(one.amount, -1);
  old = std::move(node);
  count_node(old, 1);
  classify(id);
  refresh_node(id);
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
  refresh_node(id);
  if (!node.available() || was_available) return;
  make_room(id);
  ++releases_;
}

void Cluster::withhold(NodeId id, Resources amount, bool closed) {
  Occupancy& here = occupancy_[id.index()];
  if (here.withheld == amount && here.closed == closed) return;
  changed_nodes_.note(id);
  here.free.add(here.withheld);
  here.free.add(amount, -1);
  here.withheld = std::move(amount);
  here.closed = closed;
  refresh_node(id);
  make_room(id);
  ++releases_;
}

void Cluster::revise_held(NodeId id, JobId job, Resources amount) {
  Occupancy& here = occupancy_[id.index()];
  const auto mine = std::find_if(here.occupants.begin(), here.occupants.end(),
                                 [&](const Occupant& one) { return one.job == job; });
  if (mine == here.occupants.end() || mine->amount == amount) return;
  changed_nodes_.note(id);
  here.free.add(mine->amount);
  here.free.add(amount, -1);
  counts_.held_procs += amount.procs() - mine->amount.procs();
  mine->amount = std::move(amount);
  held_revised_ = true;
  refresh_node(id);
  make_room(id);
  ++releases_;
}

Seconds Cluster::limit_on(const Request& asked, const Placement& nodes) const {
  if (!asked.by_speed || nodes.empty()) return asked.limit;
  double slowest = node(nodes.front().node).speed;
  for (const NodeTasks& share : nodes) slowest = std::min(slowest, node(share.node).speed);
  return asked.limit_at(slowest);
}

void Cluster::account_node_use(NodeId id, Seconds interval) {
  Node& node = nodes_[id.index()];
  node.use.total += interval;
  if (node.up()) node.use.up += interval;
  if (!occupancy_[id.index()].occupants.empty()) node.use.active += interval;
}

NodeUse Cluster::node_use(NodeId id, Time now) const {
  const Node& node = nodes_[id.index()];
  const Seconds since = now - use_since_[id.index()];
  NodeUse use = node.use;
  use.total += since;
  if (node.up()) use.up += since;
  if (!occupancy_[id.index()].occupants.empty()) use.active += since;
  return use;
}

void Cluster::settle_node_use(Time now) {
  for (const Node& node : nodes_) settle_use(node.id, now);
}

void Cluster::reset_node_use(Time now) {
  for (Node& node : nodes_) node.use = {};
  use_since_.assign(nodes_.size(), now);
}

void Cluster::settle_use(NodeId id, Time now) {
  account_node_use(id, now - use_since_[id.index()]);
  use_since_[id.index()] = now;
}

NodeId Cluster::find_node(std::string_view name) const {
  const auto at = node_names_.find(std::string(name));
  return at == node_names_.end() ? NodeId() : at->second;
}

NodeState Cluster::state(NodeId id) const {
  const Node& node = nodes_[id.index()];
  const Occupancy& here = occupancy_[id.index()];
  switch (node.reported) {
    case NodeState::unknown:
    case NodeState::down:
      return node.reported;
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

std::span<const NodeId> Cluster::open_nodes() const {
  if (open_nodes_stale_) {
    open_nodes_.clear();
    for (std::size_t word = 0; word < open_bits_.size(); ++word)
      for (std::uint64_t bits = open_bits_[word]; bits != 0; bits &= bits - 1)
        open_nodes_.emplace_back(word * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
    open_nodes_stale_ = false;
  }
  return open_nodes_;
}

Resources Cluster::configured(PartitionId partition, bool available_only) const {
  if (partition.valid() && partition.index() >= partition_totals_.size()) return {};
  const Totals& totals = partition.valid() ? partition_totals_[partition.index()] : totals_;
  return available_only ? totals.available : totals.all;
}

/// Whether the node is open may have changed.
void Cluster::refresh_node(NodeId id) {
  const Occupancy& here = occupancy_[id.index()];
  const bool open =
      nodes_[id.index()].available() && !here.closed && here.free.procs() > 0 && !here.exclusive();
  const std::uint64_t bit = std::uint64_t{1} << (id.index() % 64);
  Resources::Quantity& part = open_procs_[id.index()];
  const Resources::Quantity procs = open ? here.free.procs() : 0;
  counts_.open_procs += procs - part;
  part = procs;
  std::uint64_t& word = open_bits_[id.index() / 64];
  if (open == ((word & bit) != 0)) return;
  word ^= bit;
  open_nodes_stale_ = true;
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
    single_user_ += times;
  counts_.configured_procs += times * node.configured.procs();
  if (!node.available()) return;
  counts_.available_procs += times * node.configured.procs();
  counts_.available_nodes += times;
}

void Cluster::classify(NodeId id) {
  Occupancy& here = occupancy_[id.index()];
  const auto fresh = static_cast<std::uint32_t>(kind_sample_.size());
  const auto [at, added] = kind_names_.emplace(kind_key(nodes_[id.index()]), fresh);
  const std::uint32_t before = here.kind;
  if (before == at->second) return;
  here.kind = at->second;
  if (added) {
    kind_sample_.push_back(id);
    kind_nodes_.push_back(0);
  }
  ++kind_nodes_[here.kind];
  // The sample of a kind is of that kind while any node is.
  if (occupancy_[kind_sample_[here.kind].index()].kind != here.kind) kind_sample_[here.kind] = id;
  if (before == kNoKind) return;
  --kind_nodes_[before];
  if (kind_sample_[before] == id)
    for (const Node& other : nodes_)
      if (occupancy_[other.id.index()].kind == before) {
        kind_sample_[before] = other.id;
        break;
      }
}

}  // namespace maui
