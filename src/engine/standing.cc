// Standing reservations in the course of an iteration (seed 7.1.5.2): refreshed before jobs are
// planned, and ended by the first job where they are for a single use.
#include <fmt/format.h>

#include <algorithm>

#include "engine/state.h"
#include "model/credentials.h"
#include "sched/job_flags.h"

namespace maui {
namespace {

constexpr Seconds kLongestPeriod{8 * 86400};

}  // namespace

void Engine::State::standing_changed(const StandingReservations& old) {
  standing.forget();
  for (const auto& entry : settings.standing_reservations) {
    for (const AccessWord& word : entry.second.access)
      if (const auto kind = credential_kind(word.kind); kind && word.name != "ALL")
        intern(cluster, *kind, word.name);
    const auto before = old.find(entry.first);
    if (before == old.end() || before->second != entry.second)
      cluster.forget_waivers_of(standing_name(entry));
  }
}

void Engine::State::refresh_standing() {
  const auto carry_out_all = [this](const std::vector<Decision>& decisions) {
    reservations_planned_on = cluster.reservations_made();
    for (const Decision& decision : decisions)
      std::visit([this](const auto& one) { carry_out(one); }, decision);
  };
  carry_out_all(standing.obsolete(cluster, settings));
  const auto& order = standing.order(settings);
  if (order.empty()) return;
  if (!cluster.waivers().empty()) cluster.forget_waivers_before(now() - kLongestPeriod);
  for (const std::string& index : order)
    carry_out_all(standing.refresh(cluster, settings, index, now()));
}

void Engine::State::carry_out(const MakeReservation& make) {
  const Reservation& r = make.wanted;
  log(3, "fSCHED",
      [&] { return fmt::format("reservation '{}' made on {} nodes", r.name, r.nodes.size()); });
  next_expiry = std::min(next_expiry, r.end);
  cluster.add_reservation(r);
}

void Engine::State::carry_out(const ChangeReservation& change) {
  const Reservation& r = change.wanted;
  log(3, "fSCHED", [&] {
    return fmt::format("reservation '{}' changed: it has {} nodes", r.name, r.nodes.size());
  });
  next_expiry = std::min(next_expiry, r.end);
  cluster.change_reservation(change.reservation, r);
}

void Engine::State::mind_single_use(const Job& job, Time ended) {
  std::vector<ReservationId> used;
  for (const NodeTasks& share : job.placement)
    for (const ReservationId id : cluster.occupancy(share.node).reservations)
      if (const Reservation& r = cluster.reservation(id);
          has(r.flags, ReservationFlag::single_use) && r.start < ended && job.started < r.end &&
          std::find(used.begin(), used.end(), id) == used.end())
        used.push_back(id);
  if (used.empty()) return;
  const JobFlags flags(cluster, settings);
  for (const ReservationId id : used) {
    const Reservation& r = cluster.reservation(id);
    if (!admission(r, applicant_of(cluster, flags, job)).admitted) continue;
    log(3, "fSCHED", [&] {
      return fmt::format("reservation '{}' ends with job '{}': it was for a single use", r.name,
                         job.name);
    });
    if (r.kind == ReservationKind::standing) cluster.waive({r.standing, r.period});
    cluster.release_reservation(id);
  }
}

Time Engine::State::next_standing_event() const {
  if (settings.standing_reservations.empty()) return kForever;
  return next_standing_roll(settings, now());
}

}  // namespace maui
