#include "support/availability_edits.h"

#include <algorithm>

namespace maui::availability {
namespace {

template <class Entry>
int add(Availability& model, const NodeRuns& nodes, const Entry& entry) {
  return model.edit(nodes, [&](NodeTimeline& timeline) {
    timeline.add(entry);
    return true;
  });
}

template <class Entry>
int take(Availability& model, const NodeRuns& nodes, const Entry& entry) {
  return model.edit(nodes, [&](NodeTimeline& timeline) { return timeline.remove(entry); });
}

template <class Value>
void set(Availability& model, const NodeRuns& nodes, Value NodeTimeline::*member, Value value) {
  model.edit(nodes, [&](NodeTimeline& timeline) {
    return std::exchange(timeline.*member, value) != value;
  });
}

}  // namespace

void hold(Availability& model, const NodeRuns& nodes, Use use) {
  add(model, nodes, at_time(use, model.now()));
}
int release(Availability& model, const NodeRuns& nodes, Use use) {
  return take(model, nodes, at_time(use, model.now()));
}
void block(Availability& model, const NodeRuns& nodes, Block block) {
  if (block.end > model.now()) add(model, nodes, at_time(block, model.now()));
}
int unblock(Availability& model, const NodeRuns& nodes, Block block) {
  return take(model, nodes, at_time(block, model.now()));
}
void close(Availability& model, const NodeRuns& nodes, Seconds duration) {
  set(model, nodes, &NodeTimeline::closed, duration);
}
void set_kind(Availability& model, const NodeRuns& nodes, std::uint32_t kind) {
  set(model, nodes, &NodeTimeline::kind, kind);
}

std::vector<std::pair<int, NodeRuns>> nodes_by_tasks(const Placement& placement) {
  std::vector<std::pair<int, NodeRuns>> all;
  for (const auto& part : placement.parts()) {
    auto at = std::find_if(all.begin(), all.end(),
                           [&](const auto& known) { return known.first == part.tasks; });
    if (at == all.end()) at = all.insert(at, {part.tasks, {}});
    at->second.add(part.nodes);
  }
  return all;
}

}  // namespace maui::availability
