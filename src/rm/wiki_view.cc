#include "rm/wiki_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/outside_text.h"
#include "rm/wiki_differences.h"

namespace maui {

void WikiView::note(const std::string& text) {
  notes_.add(shortened(text), TokenBucket::Clock::now());
}

void WikiView::note(WikiNotes& notes) {
  for (const auto& name : notes.unknown) note(fmt::format("{} is unknown: ignored", name));
  for (const auto& problem : notes.problems) note(problem);
  notes = {};
}

std::vector<std::string> WikiView::take_notes() { return notes_.take(TokenBucket::Clock::now()); }

std::vector<UnusedAttribute> WikiView::unused_attributes_of_job(const std::string& name) const {
  const auto known = jobs_.find(name);
  if (known == jobs_.end() || !known->second.record) return {};
  return unused_job_attributes(*known->second.record, most_hosts_);
}

std::vector<UnusedAttribute> WikiView::unused_attributes_of_node(const std::string& name) const {
  const auto known = nodes_.find(name);
  if (known == nodes_.end() || !known->second.record) return {};
  return unused_node_attributes(*known->second.record);
}

/// Returns the node if it belongs to another resource manager; null otherwise, or if it was purged.
const Node* WikiView::of_another(const Cluster& cluster, const std::string& node) const {
  const NodeId id = cluster.find_node(node);
  if (!id.valid() || cluster.node(id).purged || cluster.node(id).resource_manager == name_)
    return nullptr;
  return &cluster.node(id);
}

bool WikiView::take_nodes(const WikiRecords& answer, bool all, const Cluster& cluster,
                          Update& update, std::size_t& taken) {
  if (taken == 0) {
    for (const auto& problem : answer.problems) note("nodes: " + problem);
    for (auto& [id, known] : nodes_) known.seen = false;
  }
  const auto end = std::min(answer.records.size(), taken + kAtOnce);
  for (; taken < end; ++taken) take_node(answer.records[taken], all, cluster, update);
  if (taken < answer.records.size()) return false;
  const auto is_reported = [this](const std::string& id) {
    const auto known = nodes_.find(id);
    return known != nodes_.end() && known->second.record;
  };
  std::erase_if(update.lost_nodes, is_reported);
  if (all && answer.problems.empty()) miss_nodes(cluster, update);
  return true;
}

void WikiView::take_node(const SharedWikiRecord& record, bool all, const Cluster& cluster,
                         Update& update) {
  KnownNode& node = nodes_[record->id];
  if (std::exchange(node.seen, true)) {
    note(fmt::format("node '{}' is listed more than once: its first record counts", record->id));
    return;
  }
  SharedWikiRecord& known = node.record;
  if (const Node* other = of_another(cluster, record->id)) {
    note(fmt::format("node '{}' already belongs to resource manager '{}': ignored", record->id,
                     other->resource_manager));
    known = nullptr;  // only the other manager can lose it
    return;
  }
  if (all && repeats(record, known)) return;
  auto next = next_record(known, record, all);
  if (known && same(*known, *next, Aspect::all)) return;
  WikiNotes notes;
  auto report = read_wiki_node(*next, notes);
  note(notes);
  if (!report) {
    note(fmt::format("node '{}': {}", record->id,
                     known ? "its previous report remains valid" : "ignored until it is mended"));
    return;
  }
  known = std::move(next);
  report->node.resource_manager = name_;
  update.nodes.push_back(*std::move(report));
}

/// Reports nodes that are missing from a complete answer as lost.
void WikiView::miss_nodes(const Cluster& cluster, Update& update) {
  std::erase_if(nodes_, [&](const auto& known) {
    if (known.second.seen) return false;
    if (known.second.record && of_another(cluster, known.first) == nullptr)
      update.lost_nodes.push_back(known.first);
    return true;
  });
}

void WikiView::take_reservations(const WikiRecords& answer, Update& update) {
  for (const auto& problem : answer.problems) note("reservations: " + problem);
  // If nodes are new, reservations are reported again, since they may hold these nodes.
  const bool repeated =
      std::equal(answer.records.begin(), answer.records.end(), reservations_.begin(),
                 reservations_.end(), [](const auto& a, const auto& b) { return *a == *b; });
  if (repeated && update.nodes.empty()) return;
  reservations_ = answer.records;
  WikiNotes notes;
  auto& reported = update.reservations.emplace_back();
  reported.manager = name_;
  for (const auto& record : answer.records)
    reported.all.push_back(read_wiki_reservation(*record, notes));
  note(notes);
}

}  // namespace maui
