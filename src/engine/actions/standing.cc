// Standing reservations in the course of an iteration (seed 7.1.5.2): refreshed before jobs are
// planned, and ended by the first job where they are for a single use.
#include <fmt/format.h>

#include <algorithm>

#include "base/trigger_names.h"
#include "engine/state.h"
#include "model/credentials.h"
#include "sched/reservations/reservation_fit.h"
#include "sched/rules/job_flags.h"

namespace maui {
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
      std::visit([this](const auto& action) { carry_out(action); }, decision);
  };
  carry_out_all(standing.obsolete(cluster, settings));
  const auto& order = standing.order(settings);
  if (!cluster.waivers().empty()) cluster.forget_waivers_before(now() - kLongestPeriod);
  for (const std::string& index : order)
    carry_out_all(standing.refresh(cluster, settings, index, now()));
}

/// Administrative reservations change as their flags let them, one after the other.
void Engine::State::adjust_reservations() {
  for (const ReservationId id : cluster.reservations())  // changes leave their order as it is
    if (const auto change = adjusted(cluster, settings, id, now())) carry_out(*change);
}

void Engine::State::carry_out(const MakeReservation& make) {
  const Reservation& r = make.wanted;
  next_expiry = std::min(next_expiry, r.end);
  const ReservationId made = cluster.add_reservation(r);
  triggers.made(settings, cluster.reservation(made), now());
  note_reservation(cluster.reservation(made));
}

void Engine::State::carry_out(const ChangeReservation& change) {
  const Reservation& r = change.wanted;
  log(3, "fSCHED", [&] {
    return fmt::format("reservation '{}' changed: it has {} nodes", r.name, r.nodes.size());
  });
  next_expiry = std::min(next_expiry, r.end);
  journal.placement("reservation", r.name, r.nodes);
  cluster.change_reservation(change.reservation, r);
}

void Engine::State::release_single_use(const Job& job, Time ended) {
  std::vector<ReservationId> used;
  const auto note = [&](NodeRun, const Occupancy& here) {
    for (const ReservationId id : here.reservations)
      if (const Reservation& r = cluster.reservation(id);
          has(r.flags, ReservationFlag::single_use) && r.start < ended && job.started < r.end &&
          std::find(used.begin(), used.end(), id) == used.end())
        used.push_back(id);
  };
  for (const Placement::Part& part : job.placement.parts())
    cluster.occupancies().each(part.nodes, note);
  if (used.empty()) return;
  const JobFlags flags(cluster, settings);
  for (const ReservationId id : used) {
    const Reservation& r = cluster.reservation(id);
    if (!admission(r, applicant_of(cluster, flags, job)).admitted) continue;
    log(3, "fSCHED", [&] {
      return fmt::format("reservation '{}' ends with job '{}': it was for a single use", r.name,
                         job.name);
    });
    cancel_reservation(id);
  }
}

void Engine::State::end_reservation(ReservationId id) {
  const Reservation& gone = cluster.reservation(id);
  // The turn of one that slid forward is over, though its proper time may be yet to come.
  if (gone.kind == ReservationKind::standing && gone.end <= now() &&
      has(gone.flags, ReservationFlag::slide_forward))
    waive(gone);
  log(3, "fSCHED", [&] { return fmt::format("reservation '{}' has ended", gone.name); });
  notify_of(EventType::reservation_destroyed, gone);
  triggers.ended(settings, gone, now());
  std::erase_if(
      pending_restore.reservations,  // nor does it get the nodes that are not known yet
      [&](const CheckpointedReservation& saved) { return saved.terms.name == gone.name; });
  cluster.release_reservation(id);
}

void Engine::State::cancel_reservation(ReservationId id) {
  const Reservation& gone = cluster.reservation(id);
  if (gone.kind == ReservationKind::standing) waive(gone);
  end_reservation(id);
}

/// It is not made again for its period.
void Engine::State::waive(const Reservation& gone) {
  const Cluster::Waiver waiver{gone.standing, gone.period};
  const auto& known = cluster.waivers();
  if (std::find(known.begin(), known.end(), waiver) == known.end()) cluster.waive(waiver);
}

void Engine::State::pull_triggers() {
  for (const auto& [trigger, reservation] : triggers.due(cluster, settings, now())) {
    log(2, "fSCHED", [&, &trigger = trigger, &reservation = reservation] {
      return fmt::format("trigger of reservation '{}': {} {}", reservation.name,
                         name_of<TriggerAction>(kTriggerActions, trigger.action), trigger.data);
    });
    if (trigger.action != TriggerAction::cancel)
      observer.triggered(trigger, reservation);
    else if (const Reservation& known = cluster.reservation(reservation.id);
             known.id.valid() && known.serial == reservation.serial)
      cancel_reservation(reservation.id);
  }
}

Time Engine::State::next_standing_event() const {
  const Time trigger = triggers.next(cluster, settings, now());
  if (settings.standing_reservations.empty()) return trigger;
  return std::min(next_standing_roll(settings, now()), trigger);
}

}  // namespace maui
