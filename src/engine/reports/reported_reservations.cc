// Reservations that a resource manager keeps itself: no job is started there that does not ask for
// them.
#include <fmt/format.h>

#include <algorithm>

#include "engine/state.h"
#include "model/placement.h"

namespace maui {
namespace {

bool is_the_same(const Reservation& a, const Reservation& b) {
  return a.name == b.name && a.start == b.start && a.end == b.end && a.per_task == b.per_task &&
         a.nodes == b.nodes;
}

}  // namespace

/// Nothing if it is over, or none of its nodes is known.
std::optional<Reservation> Engine::State::reservation_of(const ReservationReport& report) const {
  Reservation made;
  made.name = report.name;
  made.start = report.start;
  made.end = report.end;
  put(made.flags, ReservationFlag::by_name);
  put(made.flags, ReservationFlag::force);
  made.access.criteria.push_back({});
  const bool whole = std::all_of(report.nodes.begin(), report.nodes.end(),
                                 [](const auto& node) { return node.second < 0; });
  made.per_task = Resources(whole ? -1 : 1);
  for (const auto& [name, procs] : report.nodes) {
    const NodeId node = cluster.find_node(name);
    if (!node.valid()) continue;
    const int all = cluster.node(node).configured.procs();
    const int tasks = whole ? 1 : procs < 0 ? all : std::min(procs, all);
    if (tasks > 0) made.nodes.push_back({node, tasks, 0});
  }
  sort_by_node(made.nodes);
  if (made.nodes.empty() || made.end <= now() || made.end <= made.start) return std::nullopt;
  return made;
}

void Engine::State::apply(const ReservationReports& reported) {
  std::vector<Reservation> wanted;
  for (const ReservationReport& report : reported.all)
    if (auto made = reservation_of(report)) wanted.push_back(*std::move(made));
  const std::vector<ReservationId> known(cluster.reservations().begin(),
                                         cluster.reservations().end());
  for (const ReservationId id : known) {
    const Reservation& reservation = cluster.reservation(id);
    if (reservation.resource_manager != reported.manager) continue;
    const auto same = std::find_if(wanted.begin(), wanted.end(), [&](const Reservation& w) {
      return is_the_same(w, reservation);
    });
    if (same == wanted.end())
      reservations.end(id);
    else
      wanted.erase(same);
  }
  for (Reservation& reservation : wanted) {
    if (cluster.find_reservation(reservation.name).valid() ||
        cluster.find_job(reservation.name).valid()) {
      log(1, "fRM", [&] {
        return fmt::format(
            "WARNING: reservation '{}' of resource manager '{}' has a name that is "
            "taken: it is not heeded",
            reservation.name, reported.manager);
      });
      continue;
    }
    reservation.resource_manager = reported.manager;
    const ReservationId made = reservations.adopt(std::move(reservation));
    log(3, "fRM", [&] {
      return fmt::format("reservation '{}' of resource manager '{}' is on {} nodes",
                         cluster.reservation(made).name, reported.manager,
                         cluster.reservation(made).nodes.size());
    });
    journal.placement("reservation", cluster.reservation(made).name,
                      cluster.reservation(made).nodes);
  }
}

}  // namespace maui
