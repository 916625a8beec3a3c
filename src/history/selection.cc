#include "history/selection.h"

#include <algorithm>

#include "base/host_range.h"
#include "base/percent.h"
#include "base/text.h"
#include "sim/trace_fields.h"

namespace maui {
namespace {

bool ran_on(const RecordedJob& job, const std::unordered_set<std::string>& nodes) {
  for (std::string_view list = job.hosts; !list.empty();) {
    const auto item = take_item(list, ':');
    if (item == kNoValue) continue;
    const auto names = expand_hosts(item);
    if (!names) continue;
    for (const auto& name : *names)
      if (nodes.contains(percent_unescaped(name))) return true;
  }
  return false;
}

}  // namespace

bool JobSelection::admits(const RecordedJob& job) const {
  if (job.ended < ended_from || job.ended > ended_by) return false;
  if (started_from > Time(0) && (!job.ran() || job.started < started_from)) return false;
  if (!never_ran && !job.ran()) return false;
  if (!names.empty() && !names.contains(job.name)) return false;
  for (const auto kind : kCredentialKinds)
    if (!who[kind].empty() && !who[kind].contains(job.who[kind])) return false;
  return nodes.empty() || ran_on(job, nodes);
}

Status add_names(std::string_view list, std::set<std::string, std::less<>>& names) {
  bool any = false;
  for (const auto name : split(list, ',')) {
    if (name.empty()) continue;
    names.emplace(name);
    any = true;
  }
  return any ? Status(Done{}) : Error{"expected names separated by commas"};
}

Status add_nodes(std::string_view list, std::unordered_set<std::string>& nodes,
                 std::uint64_t most) {
  auto names = expand_host_list(list, most);
  if (!names) return names.error();
  for (auto& name : *names) nodes.insert(std::move(name));
  return nodes.empty() ? Status(Error{"expected the name of a node"}) : Done{};
}

}  // namespace maui
