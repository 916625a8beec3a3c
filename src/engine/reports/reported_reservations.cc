#include "engine/reports/reported_reservations.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text.h"
#include "engine/actions/reservations.h"
#include "engine/knowledge.h"
#include "engine/tools.h"
#include "model/placement.h"

namespace maui {
namespace {

bool is_the_same(const Reservation& a, const Reservation& b) {
  return a.name == b.name && a.start == b.start && a.end == b.end && a.per_task == b.per_task &&
         a.nodes == b.nodes;
}

}  // namespace

ReportedReservations::ReportedReservations(const EngineTools& tools, Reservations& made)
    : tools_(tools), reservations_(made), cluster_(tools.known.cluster) {}

/// Returns nullopt if the reservation has ended or none of its nodes is known.
std::optional<Reservation> ReportedReservations::reservation_of(
    const ReservationReport& report) const {
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
    const NodeId node = cluster_.find_node(name);
    if (!node.valid()) continue;
    const int all = cluster_.node(node).configured.procs();
    const int tasks = whole ? 1 : procs < 0 ? all : std::min(procs, all);
    if (tasks > 0) made.nodes.push_back({node, tasks, 0});
  }
  sort_by_node(made.nodes);
  if (made.nodes.empty() || made.end <= tools_.now() || made.end <= made.start) return std::nullopt;
  return made;
}

void ReportedReservations::apply(const ReservationReports& reported) {
  std::vector<Reservation> wanted;
  for (const ReservationReport& report : reported.all)
    if (auto made = reservation_of(report)) wanted.push_back(*std::move(made));
  const std::vector<ReservationId> known(cluster_.reservations().begin(),
                                         cluster_.reservations().end());
  for (const ReservationId id : known) {
    const Reservation& reservation = cluster_.reservation(id);
    if (reservation.resource_manager != reported.manager) continue;
    const auto same = std::find_if(wanted.begin(), wanted.end(), [&](const Reservation& w) {
      return is_the_same(w, reservation);
    });
    if (same == wanted.end())
      reservations_.end(id);
    else
      wanted.erase(same);
  }
  for (Reservation& reservation : wanted) adopt(std::move(reservation), reported.manager);
}

void ReportedReservations::adopt(Reservation reservation, const std::string& manager) {
  if (cluster_.find_reservation(reservation.name).valid() ||
      cluster_.find_job(reservation.name).valid()) {
    tools_.log_report(manager, 1, "fRM", [&] {
      return fmt::format(
          "WARNING: reservation '{}' of resource manager '{}': its name is already "
          "in use; ignored",
          reservation.name, manager);
    });
    return;
  }
  reservation.resource_manager = manager;
  const Reservation& made = cluster_.reservation(reservations_.adopt(std::move(reservation)));
  tools_.log_report(manager, 3, "fRM", [&] {
    return fmt::format("reservation '{}' of resource manager '{}' is on {}", made.name, manager,
                       counted(made.nodes.size(), "node"));
  });
  tools_.journal.placement("reservation", made.name, made.nodes);
}

}  // namespace maui
