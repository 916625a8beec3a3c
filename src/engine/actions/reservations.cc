#include "engine/actions/reservations.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "base/date.h"
#include "base/text.h"
#include "base/trigger_names.h"
#include "engine/knowledge.h"
#include "engine/tools.h"
#include "model/access_names.h"
#include "model/credentials.h"
#include "model/placement.h"
#include "sched/reservations/calendar.h"
#include "sched/reservations/reservation_fit.h"
#include "sched/rules/job_flags.h"

namespace maui {

Reservations::Reservations(const EngineTools& tools)
    : tools_(tools),
      cluster_(tools.known.cluster),
      settings_(tools.known.settings),
      standing_(tools.known.standing),
      triggers_(tools.known.triggers),
      pending_restore_(tools.known.pending_restore),
      next_expiry_(tools.known.next_expiry),
      numbers_(tools.known.reservation_numbers) {}

void Reservations::settings_changed(const StandingReservations& old) {
  standing_.forget();
  for (const auto& entry : settings_.standing_reservations) {
    for (const AccessWord& word : entry.second.access)
      if (const auto kind = credential_kind(word.kind); kind && word.name != "ALL")
        intern(cluster_, *kind, word.name);
    const auto before = old.find(entry.first);
    if (before == old.end() || before->second != entry.second)
      cluster_.waivers.forget_of(standing_name(entry));
  }
  triggers_.settings_changed(cluster_, settings_, old, tools_.now());
}

void Reservations::refresh() {
  refresh_standing();
  adjust();
  pull_triggers();
  planned_on_ = cluster_.reservations_made();
}

void Reservations::refresh_standing() {
  carry_out_all(standing_.obsolete(cluster_, settings_));
  const auto& order = standing_.order(settings_);
  if (!cluster_.waivers.all().empty())
    cluster_.waivers.forget_before(tools_.now() - kLongestOccurrence);
  for (const std::string& index : order) {
    const auto refresh = [&] {
      auto decisions = standing_.refresh(cluster_, settings_, index, tools_.now());
      carry_out_all(decisions);
      return std::any_of(decisions.begin(), decisions.end(), [](const Decision& decision) {
        return std::holds_alternative<DropReservation>(decision);
      });
    };
    if (refresh()) refresh();  // the others may have the nodes of those that were dropped
  }
}

/// Carries out decisions that make, change or drop standing reservations.
void Reservations::carry_out_all(const std::vector<Decision>& decisions) {
  planned_on_ = cluster_.reservations_made();
  for (const Decision& decision : decisions)
    std::visit(
        [this](const auto& action) {
          if constexpr (requires { carry_out(action); }) carry_out(action);
        },
        decision);
}

/// Changes administrative reservations, one after the other, as their flags allow.
void Reservations::adjust() {
  for (const ReservationId id : cluster_.reservations())  // changes keep their order
    if (const auto change = adjusted(cluster_, settings_, id, tools_.now())) carry_out(*change);
}

void Reservations::pull_triggers() {
  for (const auto& [trigger, reservation] : triggers_.due(cluster_, settings_, tools_.now())) {
    tools_.log(2, "fSCHED", [&, &trigger = trigger, &reservation = reservation] {
      return fmt::format("trigger of reservation '{}': {} {}", reservation.name,
                         name_of<TriggerAction>(kTriggerActions, trigger.action), trigger.data);
    });
    if (trigger.action != TriggerAction::cancel)
      tools_.observer.triggered(
          trigger, reservation,
          [this, number = triggers_.awaits({trigger, reservation})] { triggers_.begun(number); });
    else if (const Reservation& known = cluster_.reservation(reservation.id);
             known.id.valid() && known.serial == reservation.serial)
      cancel(reservation.id);
  }
}

void Reservations::expire() {
  if (tools_.now() < next_expiry_) return;
  next_expiry_ = kForever;
  const std::vector<ReservationId> all(cluster_.reservations().begin(),
                                       cluster_.reservations().end());
  for (const ReservationId id : all) {
    const Reservation& reservation = cluster_.reservation(id);
    if (reservation.kind == ReservationKind::job) continue;
    if (reservation.end > tools_.now()) {
      next_expiry_ = std::min(next_expiry_, reservation.end);
      continue;
    }
    end(id);
  }
}

Time Reservations::next_event() const {
  const Time trigger = triggers_.next(cluster_, settings_, tools_.now());
  if (settings_.standing_reservations.empty()) return trigger;
  return std::min(next_standing_roll(settings_, tools_.now()), trigger);
}

void Reservations::carry_out(const ReserveJob& reserve) {
  const Job& job = cluster_.job(reserve.job);
  if (job.reservation.valid()) {
    cluster_.move_reservation(job.reservation, reserve.start, reserve.placement);
    tools_.log(5, "fSCHED", [&] {
      return fmt::format("reservation '{}' is moved: it begins {}",
                         cluster_.reservation(job.reservation).name,
                         format_date(reserve.start, true));
    });
    tools_.journal.placement("reservation", cluster_.reservation(job.reservation).name,
                             reserve.placement);
    return;
  }
  Reservation kept;
  kept.kind = ReservationKind::job;
  kept.job = reserve.job;
  kept.start = reserve.start;
  kept.end = reserve.start + cluster_.limit_on(cluster_.request(job.request), reserve.placement);
  kept.nodes = reserve.placement;
  const ReservationId made = cluster_.add_reservation(std::move(kept));
  note_made(cluster_.reservation(made));
}

void Reservations::carry_out(const DropReservation& drop) {
  // The reservation may have ended with its job's start; its id may then have been reused.
  const Reservation& kept = cluster_.reservation(drop.reservation);
  if (!kept.id.valid() || kept.serial >= planned_on_) return;
  end(drop.reservation);
}

void Reservations::carry_out(const MakeReservation& make) {
  const Reservation& r = make.wanted;
  note_end(r);
  const Reservation& made = cluster_.reservation(cluster_.add_reservation(r));
  // A previous scheduler may have made it, on nodes that are not known yet.
  const auto& pending = pending_restore_.reservations;
  const auto saved = std::find_if(pending.begin(), pending.end(), [&](const auto& other) {
    return is_same_reservation(other.terms, made);
  });
  if (saved == pending.end())
    triggers_.made(settings_, made, tools_.now());
  else
    triggers_.restore(settings_, made, saved->life);
  note_made(made);
}

void Reservations::carry_out(const ChangeReservation& change) {
  const Reservation& r = change.wanted;
  tools_.journal.log_of_reservation(r, 3, [&] {
    return fmt::format("reservation '{}' changed: it has {}", r.name,
                       counted(r.nodes.size(), "node"));
  });
  note_end(r);
  tools_.journal.placement("reservation", r.name, r.nodes);
  cluster_.change_reservation(change.reservation, r);
}

std::string Reservations::next_name(const Reservation& reservation) {
  std::string base = "SYSTEM";
  for (const AccessCriterion& criterion : reservation.access.criteria) {
    const std::string name = credential_name(cluster_, criterion);
    if (name.empty()) continue;
    base = name;
    break;
  }
  auto row = std::find_if(numbers_.begin(), numbers_.end(),
                          [&](const auto& entry) { return entry.first == base; });
  if (row == numbers_.end()) row = numbers_.insert(row, {base, 0});
  std::string name;
  do name = fmt::format("{}.{}", base, row->second++);
  while (cluster_.find_reservation(name).valid() || cluster_.find_job(name).valid());
  return name;
}

ReservationId Reservations::add(Reservation reservation) {
  note_end(reservation);
  const ReservationId made = cluster_.add_reservation(std::move(reservation));
  note_made(cluster_.reservation(made));
  return made;
}

ReservationId Reservations::adopt(Reservation reservation) {
  note_end(reservation);
  return cluster_.add_reservation(std::move(reservation));
}

ReservationId Reservations::restore(Reservation reservation, const Triggers::Life& life) {
  note_end(reservation);
  auto known = present(reservation);
  if (known.valid()) {
    reservation.name = cluster_.reservation(known).name;
    cluster_.change_reservation(known, std::move(reservation));
  } else {
    // NAME.1.0 has been NAME.0.0 since midnight, and may be another reservation's name by now.
    for (int i = 1; cluster_.find_reservation(reservation.name).valid(); ++i)
      reservation.name =
          fmt::format("{}.{}", reservation.name.substr(0, reservation.name.rfind('.')), i);
    known = cluster_.add_reservation(std::move(reservation));
  }
  triggers_.restore(settings_, cluster_.reservation(known), life);
  standing_.forget();
  return known;
}

void Reservations::extend(ReservationId id, Placement nodes) {
  Reservation wanted = cluster_.reservation(id);
  wanted.nodes = std::move(nodes);
  cluster_.change_reservation(id, std::move(wanted));
}

ReservationId Reservations::present(const Reservation& restored) const {
  for (const ReservationId id : cluster_.reservations())
    if (is_same_reservation(cluster_.reservation(id), restored)) return id;
  return {};
}

void Reservations::restore_end(const Reservation& reservation, const Triggers::Life& life) {
  waive_if_slid(reservation);
  triggers_.restore_end(settings_, reservation, life, tools_.now());
}

void Reservations::end(ReservationId id) {
  const Reservation& gone = cluster_.reservation(id);
  waive_if_slid(gone);
  tools_.journal.log_of_reservation(
      gone, 3, [&] { return fmt::format("reservation '{}' has ended", gone.name); });
  notify(EventType::reservation_destroyed, gone);
  triggers_.ended(settings_, gone, tools_.now());
  std::erase_if(
      pending_restore_.reservations,  // its nodes that are not known yet
      [&](const CheckpointedReservation& saved) { return is_same_reservation(saved.terms, gone); });
  cluster_.release_reservation(id);
}

void Reservations::cancel(ReservationId id) {
  const Reservation& gone = cluster_.reservation(id);
  if (gone.kind == ReservationKind::standing) waive(gone);
  end(id);
}

/// A reservation that slid forward is done for its period, even if its original time is ahead.
void Reservations::waive_if_slid(const Reservation& gone) {
  if (gone.kind == ReservationKind::standing && gone.end <= tools_.now() &&
      has(gone.flags, ReservationFlag::slide_forward))
    waive(gone);
}

/// Keeps the reservation from being made again for its period.
void Reservations::waive(const Reservation& gone) {
  cluster_.waivers.add({gone.standing, gone.period});
}

void Reservations::release_single_use(const Job& job, Time ended) {
  std::vector<ReservationId> used;
  const auto note = [&](NodeRun, const Occupancy& here) {
    for (const ReservationId id : here.reservations)
      if (const Reservation& r = cluster_.reservation(id);
          has(r.flags, ReservationFlag::single_use) && r.start < ended && job.started < r.end &&
          std::find(used.begin(), used.end(), id) == used.end())
        used.push_back(id);
  };
  for (const Placement::Part& part : job.placement.parts())
    cluster_.occupancies().each(part.nodes, note);
  if (used.empty()) return;
  const JobFlags flags(cluster_, settings_);
  for (const ReservationId id : used) {
    const Reservation& r = cluster_.reservation(id);
    if (!admission(r, applicant_of(cluster_, flags, job)).admitted) continue;
    tools_.log_of_job(job.id, 3, "fSCHED", [&] {
      return fmt::format("reservation '{}' ends with job '{}': it was for a single use", r.name,
                         job.name);
    });
    cancel(id);
    tools_.observer.checkpoint_outdated();
  }
}

void Reservations::note_end(const Reservation& reservation) {
  next_expiry_ = std::min(next_expiry_, reservation.end);
}

void Reservations::note_made(const Reservation& made) const {
  tools_.journal.log_of_reservation(made, 3, [&] {
    return fmt::format("reservation '{}' made on {}: it begins {}", made.name,
                       counted(node_count(made.nodes), "node"), format_date(made.start, true));
  });
  tools_.journal.placement("reservation", made.name, made.nodes);
  notify(EventType::reservation_created, made);
}

/// RESERVATIONCREATED <name> <type> <owner> <now> <start> <end> <nodes>; RESERVATIONDESTROYED
/// likewise, without the owner (guide 14.4).  An end of 0 stands for a reservation without end.
void Reservations::notify(EventType type, const Reservation& reservation) const {
  const bool of_job = reservation.kind == ReservationKind::job;
  tools_.journal.notify_of(tools_.journal.party_of(reservation), type, [&] {
    std::vector<std::string> words{reservation.name, std::string(type_of(reservation))};
    if (type == EventType::reservation_created)
      words.push_back(of_job ? cluster_.job(reservation.job).name : reservation.name);
    for (const Time when : {tools_.now(), reservation.start, reservation.end})
      words.push_back(std::to_string(when < kForever ? when.raw() : 0));
    words.push_back(std::to_string(node_count(reservation.nodes)));
    return words;
  });
}

}  // namespace maui
