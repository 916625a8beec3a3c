// Why a standing reservation reserves nothing, or less than it should: for diagnose -r.
#include <fmt/format.h>

#include <algorithm>

#include "base/date.h"
#include "base/text.h"
#include "sched/reservations/calendar.h"
#include "sched/reservations/standing.h"

namespace maui {
namespace {

bool has_nodes(const StandingSite& site) { return !site.locked.empty() || !site.floating.empty(); }

bool holds_some(const Cluster& cluster, const StandingReservationSettings& standing) {
  return has_nodes(standing_site(cluster, standing));
}

/// Names the first condition without which some node would do; none does even on an empty cluster.
std::string no_fitting_node(const Cluster& cluster, const StandingReservationSettings& standing) {
  auto without = standing;
  without.partition.clear();
  if (holds_some(cluster, without))
    return fmt::format("no suitable node is in partition {}", standing.partition);
  without = standing;
  without.features.clear();
  if (holds_some(cluster, without))
    return fmt::format("no suitable node has the features {}", join(standing.features, ","));
  without = standing;
  without.hosts.clear();
  without.tasks = std::max(without.tasks, 1);
  if (holds_some(cluster, without))
    return fmt::format("no suitable node is in HOSTLIST {}", standing.hosts);
  without = standing;
  without.per_task = Resources(-1);
  without.tasks_per_node = 0;
  if (holds_some(cluster, without)) return "no node has room for a task of its RESOURCES and TPN";
  return "no node matches its HOSTLIST, NODEFEATURES, PARTITION and RESOURCES";
}

bool in_the_way(const Reservation& r, const Occurrence& when) {
  return r.kind != ReservationKind::job && r.start < when.end && when.start < r.end;
}

/// Says why nodes that would do are not available: how many there are for each reason.
std::string nodes_are_taken(const Cluster& cluster, const StandingSite& site,
                            const Occurrence& when, std::string_view which) {
  int down = 0, reserved = 0, busy = 0, all = 0;
  for (const auto* hosts : {&site.locked, &site.floating})
    for (const auto& host : *hosts) {
      const Occupancy& here = cluster.occupancy(host.node);
      ++all;
      if (!cluster.node(host.node).available())
        ++down;
      else if (std::any_of(
                   here.reservations.begin(), here.reservations.end(),
                   [&](ReservationId id) { return in_the_way(cluster.reservation(id), when); }))
        ++reserved;
      else
        ++busy;
    }
  const auto are = [](int nodes) {
    return fmt::format("{} {}", nodes, by_number(nodes, "is", "are"));
  };
  return fmt::format(
      "of the {}, {} down or drained, {} reserved for others at its time, and {} used by or "
      "reserved "
      "for jobs that it does not admit",
      counted(all, which), are(down), are(reserved), are(busy));
}

std::vector<Occurrence> coming(const StandingReservationSettings& standing, const TimeZone& zone,
                               Time now) {
  auto all = occurrences(standing, zone, now);
  std::erase_if(all, [now](const Occurrence& when) { return when.end <= now; });
  return all;
}

std::string beyond_depth(StandingReservationSettings standing, const TimeZone& zone, Time now) {
  const int depth = standing.depth;
  standing.depth = depth + 8;  // covers every day of the week
  const auto later = coming(standing, zone, now);
  if (depth <= 0 || later.empty()) return "its DAYS, times and DEPTH yield no future period";
  return fmt::format("its next period by its DAYS and times, {}, is beyond its DEPTH of {}",
                     format_date(later.front().start), depth);
}

}  // namespace

std::string why_absent(const Cluster& cluster, const TimeZone& zone,
                       const StandingReservations::value_type& entry, Time now) {
  const StandingReservationSettings& standing = entry.second;
  const std::string& name = standing_name(entry);
  if (standing.hosts.empty() && standing.tasks == 0) return "it has neither HOSTLIST nor TASKCOUNT";
  const auto all = coming(standing, zone, now);
  if (all.empty()) return beyond_depth(standing, zone, now);
  const auto when = std::find_if(all.begin(), all.end(), [&](const Occurrence& occurrence) {
    return !waived(cluster, name, occurrence.period);
  });
  if (when == all.end())
    return standing.period == StandingPeriod::infinity
               ? "it was released, and does not come back until its SRCFG line changes"
               : "it was released for every period that DEPTH reaches";
  const StandingSite site = standing_site(cluster, standing);
  if (!has_nodes(site)) return no_fitting_node(cluster, standing);
  const std::string wanted = fmt::format("{}.{}.0", name, when->index);
  if (cluster.find_reservation(wanted).valid() || cluster.find_job(wanted).valid())
    return fmt::format("its name '{}' is already in use", wanted);
  return nodes_are_taken(cluster, site, *when, "suitable node");
}

std::string why_partial(const Cluster& cluster, const StandingReservations::value_type& entry,
                        const Reservation& r) {
  StandingSite site = standing_site(cluster, entry.second);
  int room = 0;
  for (auto* hosts : {&site.locked, &site.floating}) {
    for (const auto& host : *hosts) room += host.capacity;
    std::erase_if(*hosts, [&](const auto& host) {
      return std::any_of(r.nodes.begin(), r.nodes.end(),
                         [&](const NodeTasks& part) { return part.node == host.node; });
    });
  }
  if (room < r.tasks_wanted)
    return fmt::format("even empty, the suitable nodes have room for only {}", room);
  Occurrence when;
  when.start = r.start;
  when.end = r.end;
  const auto why = has_nodes(site) ? nodes_are_taken(cluster, site, when, "suitable other node")
                                   : "the rest of its nodes is not free at its time";
  const bool recurs = entry.second.period != StandingPeriod::infinity;
  return why + (recurs ? "; a larger DEPTH claims nodes earlier" : "");
}

}  // namespace maui
