// Nodes as the resource managers report them: new ones, changed ones, and those that are reported
// no longer (NODEPURGETIME).
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>

#include "engine/reports/report.h"
#include "engine/state.h"

namespace maui {
namespace {

// Reports of nodes that are applied before others have their turn; they take some milliseconds.
constexpr std::size_t kNodesAtOnce = 500;

}  // namespace

void Engine::State::judge_nodes() {
  const Touched touched = touched_nodes.take(cluster);
  std::vector<NodeId> closed_anew;
  if (rm->reports_job_starts())
    closed_anew = node_sync.look(cluster, settings.node, up_only_of(rm->records()), now(), touched);
  journal.step("loads of nodes are judged");
  node_loads.apply(cluster, settings.node, managers.silent(), node_sync, touched, closed_anew);
}

void Engine::State::apply_nodes(std::shared_ptr<Update> update, std::function<void()> next) {
  const auto step = [this, update, done = std::size_t{0}]() mutable {
    const std::size_t known = update->nodes.size(), all = known + update->lost_nodes.size();
    for (const auto end = std::min(all, done + kNodesAtOnce); done < end; ++done)
      done < known ? apply_node(update->nodes[done])
                   : note_lost_node(update->lost_nodes[done - known]);
    return done == all;
  };
  in_slices(step, std::move(next));
}

void Engine::State::apply_node(NodeReport& report) {
  Node node = node_of(report, settings, cluster);
  const NodeId known = cluster.find_node(node.name);
  if (!known.valid()) {
    if (node.state_since.raw() <= 0) node.state_since = now();
    const NodeId made = cluster.add_node(std::move(node));
    log(6, "fSTRUCT", [&] {
      return fmt::format("node '{}' is known now, which makes {}", cluster.node(made).name,
                         cluster.nodes().size());
    });
    journal.node(made);
    reports.keep(made, std::move(report));
    return;
  }
  log(6, "fRM", [&] { return fmt::format("node '{}' has changed", node.name); });
  gone_nodes.find(known);
  const NodeState before = cluster.node(known).reported;
  cluster.set_node_state(known, node.reported, now());
  node.state_since = cluster.node(known).state_since;
  cluster.update_node(known, std::move(node));
  note_node_state(known, before);
  journal.node(known);
  reports.keep(known, std::move(report));
}

/// Nothing starts there until it is reported again.
void Engine::State::note_node_state(NodeId id, NodeState before) {
  if (journal.node_state(id, before)) nodes_lost.push_back(id);
}

void Engine::State::note_lost_node(const std::string& name) {
  const NodeId id = cluster.find_node(name);
  if (!id.valid() || cluster.node(id).purged || !gone_nodes.lose(id)) return;
  log(1, "fRM", [&] { return fmt::format("WARNING: node '{}' is reported no longer", name); });
  const NodeState before = cluster.node(id).reported;
  cluster.set_node_state(id, NodeState::unknown, now());
  note_node_state(id, before);
}

void Engine::State::resolve_lost_nodes(std::function<void()> next) {
  const auto gone = [this](NodeId id) {
    return now() - clock_steps.counted_from(cluster.node(id).state_since, now()) >=
               settings.node.purge_time &&
           cluster.occupancy(id).occupants.empty();
  };
  const auto all = std::make_shared<std::vector<NodeId>>();
  std::copy_if(gone_nodes.lost().begin(), gone_nodes.lost().end(), std::back_inserter(*all), gone);
  const auto step = [this, gone, all, done = std::size_t{0}]() mutable {
    for (const auto end = std::min(all->size(), done + kNodesAtOnce); done < end; ++done)
      if (gone((*all)[done])) purge_node((*all)[done]);
    return done == all->size();
  };
  in_slices(step, std::move(next));
}

void Engine::State::purge_node(NodeId id) {
  const Node& node = cluster.node(id);
  log(1, "fRM", [&] { return fmt::format("node '{}' is forgotten", node.name); });
  Node nothing;
  nothing.state_since = node.state_since;
  nothing.configured = Resources(0);
  nothing.purged = true;
  cluster.update_node(id, std::move(nothing));
  gone_nodes.purge(id);
}

}  // namespace maui
