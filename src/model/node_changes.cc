#include "maui/node_changes.h"

#include <algorithm>

namespace maui {

void NodeChanges::note(NodeRun nodes) {
  if (nodes.first == nodes.end) return;
  if (!rows_.empty() && rows_.back().nodes.end == nodes.first)
    rows_.back().nodes.end = nodes.end;
  else
    rows_.push_back({nodes, revision_});
  revision_ += nodes.end - nodes.first;
  if (rows_.size() >= 2 * kKept)
    rows_.erase(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(kKept));
}

std::optional<std::vector<NodeRun>> NodeChanges::since(Revision revision) const {
  std::vector<NodeRun> changed;
  if (revision >= revision_) return changed;
  if (revision < rows_.front().before) return {};
  auto row =
      std::prev(std::partition_point(rows_.begin(), rows_.end(), [revision](const Row& candidate) {
        return candidate.before <= revision;
      }));
  const auto read = static_cast<std::uint32_t>(revision - row->before);
  // The last row that is not newer may have been read in full.
  if (const NodeRun left{row->nodes.first + read, row->nodes.end}; left.first < left.end)
    changed.push_back(left);
  for (++row; row != rows_.end(); ++row) changed.push_back(row->nodes);
  std::sort(changed.begin(), changed.end(),
            [](const NodeRun& a, const NodeRun& b) { return a.first < b.first; });
  std::size_t last = 0;
  for (const NodeRun& run : changed) {
    if (run.first <= changed[last].end)
      changed[last].end = std::max(changed[last].end, run.end);
    else
      changed[++last] = run;
  }
  changed.resize(last + 1);
  return changed;
}

}  // namespace maui
