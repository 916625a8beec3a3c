#include "engine/reports/reported_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>

#include "engine/knowledge.h"
#include "engine/reports/report.h"
#include "engine/tools.h"

namespace maui {
namespace {

// Reports of nodes applied before other work has its turn; they take some milliseconds.
constexpr std::size_t kNodesAtOnce = 500;

}  // namespace

ReportedNodes::ReportedNodes(const EngineTools& tools)
    : tools_(tools),
      cluster_(tools.known.cluster),
      settings_(tools.known.settings),
      managers_(tools.known.managers),
      clock_steps_(tools.known.clock_steps),
      reports_(tools.known.reports),
      gone_nodes_(tools.known.gone_nodes),
      touched_nodes_(tools.known.touched_nodes),
      node_sync_(tools.known.node_sync),
      node_loads_(tools.known.node_loads),
      nodes_lost_(tools.known.nodes_lost) {}

void ReportedNodes::judge() {
  const Touched touched = touched_nodes_.take(cluster_);
  std::vector<NodeId> closed_anew;
  if (tools_.rm.reports_job_starts())
    closed_anew = node_sync_.look(cluster_, settings_.node, up_only_of(tools_.rm.records()),
                                  tools_.now(), touched);
  tools_.journal.step("checking loads of nodes");
  node_loads_.apply(cluster_, settings_.node, managers_.silent(), node_sync_, touched, closed_anew,
                    tools_.now());
}

void ReportedNodes::apply(Update& update, std::function<void()> next) {
  auto step = [this, &update, done = std::size_t{0}]() mutable {
    const std::size_t known = update.nodes.size(), all = known + update.lost_nodes.size();
    for (const auto end = std::min(all, done + kNodesAtOnce); done < end; ++done)
      done < known ? apply_node(update.nodes[done]) : note_lost(update.lost_nodes[done - known]);
    return done == all;
  };
  tools_.in_slices(std::move(step), std::move(next));
}

void ReportedNodes::apply_node(NodeReport& report) {
  Node node = node_of(report, settings_, cluster_);
  const NodeId known = cluster_.find_node(node.name);
  if (!known.valid()) {
    if (node.state_since.raw() <= 0) node.state_since = tools_.now();
    const NodeId made = cluster_.add_node(std::move(node));
    tools_.log(6, "fSTRUCT", [&] {
      return fmt::format("new node '{}', {} in all", cluster_.node(made).name,
                         cluster_.nodes().size());
    });
    tools_.journal.node(made);
    reports_.keep(made, std::move(report));
    return;
  }
  tools_.log(6, "fRM", [&] { return fmt::format("node '{}' has changed", node.name); });
  gone_nodes_.find(known);
  const NodeState before = cluster_.node(known).reported;
  cluster_.set_node_state(known, node.reported, tools_.now());
  node.state_since = cluster_.node(known).state_since;
  cluster_.update_node(known, std::move(node), tools_.now());
  note_state(known, before);
  tools_.journal.node(known);
  reports_.keep(known, std::move(report));
}

/// No job starts there until the node is reported up again.
void ReportedNodes::note_state(NodeId id, NodeState before) {
  if (tools_.journal.node_state(id, before)) nodes_lost_.push_back(id);
}

void ReportedNodes::note_lost(const std::string& name) {
  const NodeId id = cluster_.find_node(name);
  if (!id.valid() || cluster_.node(id).purged || !gone_nodes_.lose(id)) return;
  tools_.log_report(cluster_.node(id).resource_manager, 1, "fRM",
                    [&] { return fmt::format("WARNING: node '{}' is no longer reported", name); });
  const NodeState before = cluster_.node(id).reported;
  cluster_.set_node_state(id, NodeState::unknown, tools_.now());
  note_state(id, before);
}

void ReportedNodes::resolve_lost(std::function<void()> next) {
  if (gone_nodes_.lost().empty()) return next();
  const auto gone = [this](NodeId id) {
    return tools_.now() - clock_steps_.counted_from(cluster_.node(id).state_since, tools_.now()) >=
               settings_.node.purge_time &&
           cluster_.occupancy(id).occupants.empty();
  };
  const auto all = std::make_shared<std::vector<NodeId>>();
  std::copy_if(gone_nodes_.lost().begin(), gone_nodes_.lost().end(), std::back_inserter(*all),
               gone);
  auto step = [this, gone, all, done = std::size_t{0}]() mutable {
    for (const auto end = std::min(all->size(), done + kNodesAtOnce); done < end; ++done)
      if (gone((*all)[done])) purge((*all)[done]);
    return done == all->size();
  };
  tools_.in_slices(std::move(step), std::move(next));
}

void ReportedNodes::purge(NodeId id) {
  const Node& node = cluster_.node(id);
  tools_.log_report(node.resource_manager, 1, "fRM",
                    [&] { return fmt::format("node '{}' is purged", node.name); });
  Node nothing;
  nothing.state_since = node.state_since;
  nothing.configured = Resources(0);
  nothing.purged = true;
  cluster_.update_node(id, std::move(nothing), tools_.now());
  gone_nodes_.purge(id);
}

/// The node is excluded from counts and displays until it is reported.
void ReportedNodes::know_of(const std::string& node_name) {
  if (cluster_.find_node(node_name).valid()) return;
  tools_.log_report({}, 1, "fRM", [&] {
    return fmt::format("WARNING: node '{}' has jobs, but is not reported", node_name);
  });
  Node node;
  node.name = node_name;
  node.state_since = tools_.now();
  node.configured = Resources(0);
  node.purged = true;
  NodeReport report;
  report.node = node;
  const NodeId made = cluster_.add_node(std::move(node));
  gone_nodes_.purge(made);
  reports_.keep(made, std::move(report));
}

void ReportedNodes::set_state(NodeId id, NodeState state) {
  const NodeState before = cluster_.node(id).reported;
  cluster_.set_node_state(id, state, tools_.now());
  note_state(id, before);
  reports_.set_state(id, state);
}

void ReportedNodes::settings_changed(const Settings& old) {
  if (old.nodes == settings_.nodes && old.node == settings_.node &&
      old.default_classes == settings_.default_classes)
    return;
  for (const NodeReport& report : reports_.all()) {
    if (report.node.name.empty()) continue;  // the node was given up
    const Node& known = cluster_.node(cluster_.find_node(report.node.name));
    if (known.purged) continue;
    Node node = node_of(report, settings_, cluster_);
    node.reported = known.reported;
    node.state_since = known.state_since;
    cluster_.update_node(known.id, std::move(node), tools_.now());
  }
}

void ReportedNodes::log_lost() { tools_.journal.lost_nodes(std::exchange(nodes_lost_, {})); }

}  // namespace maui
