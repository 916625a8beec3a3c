#include "cmd/facts/reservation_conflicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "base/date.h"
#include "base/host_range.h"
#include "base/text.h"
#include "sched/reservations/standing_nodes.h"

namespace maui {
namespace {

std::string until(Time end) {
  return end >= kForever ? "forever" : "until " + format_date(end, true);
}

/// Collects conflicting jobs and reservations, each with the nodes where it conflicts.
class Claims {
 public:
  explicit Claims(const Context& context, const Reservation& wanted)
      : cluster_(context.cluster()),
        flags_(context.cluster(), context.settings()),
        wanted_(wanted),
        from_(std::max(wanted.start, context.now())) {}

  /// `share`: of the wanted reservation.
  void meet(const NodeTasks& share) {
    const Node& node = cluster_.node(share.node);
    const Occupancy& here = cluster_.occupancy(node.id);
    const auto jobs = jobs_beside(here);
    if (!jobs.empty() && !has_room(share, here, jobs))
      for (const Occupant& occupant : jobs)
        add(fmt::format("job '{}' {}", cluster_.job(occupant.job).name, until(occupant.ends)),
            node);
    for (const ReservationId id : here.reservations) {
      const Reservation& r = cluster_.reservation(id);
      if (r.end <= from_ || r.start >= wanted_.end || r.id == wanted_.id) continue;
      if (r.kind == ReservationKind::job && admitted(cluster_.job(r.job))) continue;
      if (besides(share, r)) continue;
      add(fmt::format("reservation '{}' {}", r.name, until(r.end)), node);
    }
  }
  std::vector<std::string> listed(std::size_t most) const {
    std::vector<std::string> lines;
    for (const auto& [who, nodes] : met_) {
      if (lines.size() == most) {
        lines.push_back(fmt::format("and {} more", met_.size() - most));
        break;
      }
      lines.push_back(fmt::format("{} on {}", who, join(compress_hosts(nodes), ",")));
    }
    return lines;
  }

 private:
  bool admitted(const Job& job) const {
    return admission(wanted_, applicant_of(cluster_, flags_, job)).admitted;
  }
  /// Returns the jobs that run on the node in the time of the reservation and do not use it.
  std::vector<Occupant> jobs_beside(const Occupancy& here) const {
    std::vector<Occupant> jobs;
    std::copy_if(here.occupants.begin(), here.occupants.end(), std::back_inserter(jobs),
                 [&](const Occupant& occupant) {
                   return occupant.ends > from_ && !admitted(cluster_.job(occupant.job));
                 });
    return jobs;
  }
  /// True if the reservation fits on the node beside these jobs.
  bool has_room(const NodeTasks& wanted, const Occupancy& here,
                const std::vector<Occupant>& jobs) const {
    if (here.exclusive()) return false;
    Resources free = left_beside(wanted);
    for (const Occupant& job : jobs) free.add(job.amount, -1);
    return none_lacking(free);
  }
  /// Returns what the reservation leaves of its node.
  Resources left_beside(const NodeTasks& wanted) const {
    Resources free = cluster_.node(wanted.node).configured;
    free.add(cluster_.reserved_on(wanted_, wanted), -1);
    return free;
  }
  static bool none_lacking(const Resources& free) {
    return free.procs() >= 0 && free.memory() >= 0 && free.swap() >= 0 && free.disk() >= 0;
  }
  /// True if both reservations fit on the node.
  bool besides(const NodeTasks& wanted, const Reservation& other) const {
    Resources free = left_beside(wanted);
    for (const auto& part : other.nodes.parts())
      if (part.nodes.contains(wanted.node))
        free.add(cluster_.reserved_on(other, {wanted.node, part.tasks, part.requirement}), -1);
    return none_lacking(free);
  }
  void add(std::string who, const Node& node) {
    const auto [row, added] = index_.emplace(std::move(who), met_.size());
    if (added) met_.emplace_back(row->first, std::vector<std::string>());
    met_[row->second].second.push_back(node.name);
  }

  const Cluster& cluster_;
  JobFlags flags_;
  const Reservation& wanted_;
  Time from_;
  std::vector<std::pair<std::string, std::vector<std::string>>> met_;
  std::unordered_map<std::string, std::size_t> index_;
};

bool may_be_on(const Reservation& wanted, const Node& node) {
  return (!wanted.partition.valid() || node.partition == wanted.partition) &&
         std::includes(node.features.begin(), node.features.end(), wanted.features.begin(),
                       wanted.features.end());
}

}  // namespace

std::vector<std::string> conflicts_of(const Context& context, const Reservation& wanted) {
  constexpr std::size_t kMost = 20;
  Claims claims(context, wanted);
  for (const NodeTasks& share : wanted.nodes) claims.meet(share);
  return claims.listed(kMost);
}

std::vector<std::string> in_the_way(const Context& context, const Reservation& wanted) {
  constexpr std::size_t kFew = 5;
  Reservation everywhere = wanted;
  for (const Node& node : context.cluster().nodes())
    if (node.available() && may_be_on(wanted, node)) everywhere.nodes.push_back({node.id, 1, 0});
  everywhere.per_task = Resources(-1);
  Claims claims(context, everywhere);
  for (const NodeTasks& share : everywhere.nodes) claims.meet(share);
  return claims.listed(kFew);
}

std::string too_many_for_cluster(const Context& context, const Reservation& wanted) {
  const bool whole_nodes = wanted.per_task.procs() < 0;
  std::int64_t room = 0;
  int most = 0;  // processors of a node
  for (const Node& node : context.cluster().nodes()) {
    if (!node.available() || !may_be_on(wanted, node)) continue;
    room += whole_nodes ? 1 : node.configured.tasks_of(wanted.per_task);
    most = std::max(most, node.configured.procs());
  }
  if (room >= wanted.tasks_wanted) return {};
  if (wanted.per_task.procs() > most)
    return fmt::format("a task asks for {}, and no node has more than {}",
                       counted(wanted.per_task.procs(), "processor"), most);
  return fmt::format("there is room for {} in all, with every node idle", room);
}

}  // namespace maui
