#include "cmd/facts/node_statistics.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/state_names.h"
#include "cmd/facts/node_facts.h"
#include "cmd/operands.h"

namespace maui {
namespace {

/// Adjacent rows that share their work evenly.
struct Pool {
  std::size_t rows = 0;
  double hours = 0, procs = 0;
  bool busier_than(const Pool& other) const { return hours * other.procs > other.hours * procs; }
};

Resources::Quantity memory_needed(const Requirement& requirement) {
  const bool at_least = requirement.memory.compare == Comparison::at_least ||
                        requirement.memory.compare == Comparison::equal ||
                        requirement.memory.compare == Comparison::more;
  return std::max(requirement.per_task.memory(), at_least ? requirement.memory.amount : 0);
}

void add_queue(const Cluster& cluster, std::vector<MemoryRow>& rows) {
  if (rows.empty()) return;
  for (const Waiting& line : cluster.waiting()) {
    const Request& request = cluster.request(line.request);
    if (request.limit >= kUnlimited) continue;
    for (const Requirement& requirement : request.requirements) {
      const auto at = std::lower_bound(
          rows.begin(), rows.end(), memory_needed(requirement),
          [](const MemoryRow& row, Resources::Quantity needed) { return row.memory < needed; });
      MemoryRow& row = at == rows.end() ? rows.back() : *at;
      const double procs = static_cast<double>(requirement.tasks) * requirement.per_task.procs();
      row.initial_hours += procs * static_cast<double>(request.limit.raw()) / 3600;
    }
  }
}

NodeStatisticsRow row_of(const Cluster& cluster, const Node& node) {
  NodeStatisticsRow row;
  row.name = node.name;
  row.state = state_name(cluster.state(node.id));
  row.memory = node.configured.memory();
  const auto total = static_cast<double>(node.use.total.raw());
  if (total > 0) {
    row.available = 100 * static_cast<double>(node.use.up.raw()) / total;
    row.busy = 100 * static_cast<double>(node.use.active.raw()) / total;
  }
  row.available_now = node.available();
  return row;
}

}  // namespace

void spread_work(std::vector<MemoryRow>& rows) {
  double hours = 0, procs = 0;
  std::vector<Pool> pools;
  for (const MemoryRow& row : rows) {
    hours += row.initial_hours;
    procs += static_cast<double>(row.procs);
    Pool pool{1, row.initial_hours, static_cast<double>(row.procs)};
    // Nodes busier than those with more memory pass some of their work to these.
    while (!pools.empty() && pools.back().busier_than(pool)) {
      pool.rows += pools.back().rows;
      pool.hours += pools.back().hours;
      pool.procs += pools.back().procs;
      pools.pop_back();
    }
    pools.push_back(pool);
  }
  auto row = rows.begin();
  for (const Pool& pool : pools)
    for (std::size_t i = 0; i < pool.rows; ++i, ++row) {
      const auto own = static_cast<double>(row->procs);
      row->spread_hours = pool.procs > 0 ? pool.hours * own / pool.procs : row->initial_hours;
      row->even_hours = procs > 0 ? hours * own / procs : 0;
    }
}

Answer node_statistics(const Context& context) {
  const Cluster& cluster = context.cluster();
  NodeStatisticsReply reply;
  reply.summary = context.has("S");
  const std::string name = context.value("n");
  if (!name.empty()) {
    const auto node = node_named(context, name);
    if (!node) return node.error();
    reply.nodes.push_back(row_of(cluster, cluster.node(*node)));
    return Reply(std::move(reply));
  }
  std::map<std::int64_t, std::int64_t> procs;  // by memory
  for (const Node& node : listed_nodes(cluster)) {
    reply.nodes.push_back(row_of(cluster, node));
    procs[node.configured.memory()] += node.configured.procs();
  }
  std::stable_sort(reply.nodes.begin(), reply.nodes.end(),
                   [](const auto& a, const auto& b) { return a.memory < b.memory; });
  for (const auto& [memory, count] : procs) reply.memory.push_back({memory, count, 0, 0, 0});
  add_queue(cluster, reply.memory);
  spread_work(reply.memory);
  return Reply(std::move(reply));
}

}  // namespace maui
