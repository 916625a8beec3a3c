#include "compare/groups.h"

#include <algorithm>

#include "base/duration.h"
#include "engine/accounts/grid.h"

namespace maui::compare {
namespace {

constexpr Grouping kGroupings[] = {
    {"size", "processors", std::nullopt},
    {"limit", "wallclock limit", std::nullopt},
    {"user", "user", CredentialKind::user},
    {"group", "group", CredentialKind::group},
    {"account", "account", CredentialKind::account},
    {"class", "class", CredentialKind::job_class},
    {"qos", "QOS", CredentialKind::qos},
};

constexpr std::string_view kMore = "more";

std::size_t class_of(const std::vector<std::int64_t>& edges, std::int64_t value) {
  return static_cast<std::size_t>(std::lower_bound(edges.begin(), edges.end(), value) -
                                  edges.begin());
}

}  // namespace

std::span<const Grouping> groupings() { return kGroupings; }

const Grouping* find_grouping(std::string_view name) {
  for (const Grouping& grouping : kGroupings)
    if (grouping.name == name) return &grouping;
  return nullptr;
}

SizeClasses::SizeClasses(const PlotSettings& plot) {
  const Grid grid(plot);
  sizes_ = grid.procs();
  limits_ = grid.limits();
  for (const auto size : sizes_) size_names_.push_back(std::to_string(size));
  for (const auto limit : limits_) limit_names_.push_back(format_duration(Seconds(limit)));
  size_names_.emplace_back(kMore);
  limit_names_.emplace_back(kMore);
}

std::string SizeClasses::size_of(const JobOutcome& job) const {
  return size_names_[class_of(sizes_, job.procs)];
}

std::string SizeClasses::limit_of(const JobOutcome& job) const {
  return limit_names_[class_of(limits_, job.limit.raw())];
}

std::vector<Group> groups_of(const Outcome& outcome, const Grouping& grouping,
                             const SizeClasses& classes) {
  const bool by_size = grouping.name == "size";
  std::vector<Group> groups;
  if (grouping.kind) {
    for (const auto& name : outcome.names[*grouping.kind])
      groups.push_back({name.empty() ? "-" : name, {}});
    for (const JobOutcome& job : outcome.jobs) groups[job.who[*grouping.kind]].jobs.push_back(&job);
  } else {
    const auto& names = by_size ? classes.sizes() : classes.limits();
    std::map<std::string, std::size_t> index;
    for (const auto& name : names) {
      index.emplace(name, groups.size());
      groups.push_back({name, {}});
    }
    for (const JobOutcome& job : outcome.jobs)
      groups[index.at(by_size ? classes.size_of(job) : classes.limit_of(job))].jobs.push_back(&job);
  }
  std::erase_if(groups, [](const Group& group) { return group.jobs.empty(); });
  if (!grouping.kind) return groups;
  const auto use = [](const Group& group) {
    double sum = 0;
    for (const auto* job : group.jobs) sum += job->proc_seconds();
    return sum;
  };
  std::vector<std::pair<double, Group>> sorted;
  for (auto& group : groups) sorted.emplace_back(-use(group), std::move(group));
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second.name < b.second.name;
  });
  groups.clear();
  for (auto& [less, group] : sorted) groups.push_back(std::move(group));
  return groups;
}

}  // namespace maui::compare
