#include "engine/actions/triggers.h"

#include <algorithm>

#include "engine/accounts/reservation_use.h"
#include "sched/reservations/standing.h"
#include "sched/rules/job_flags.h"

namespace maui {
namespace {

const std::vector<Trigger>& triggers_of(const Settings& settings, const Reservation& reservation) {
  static const std::vector<Trigger> kNone;
  if (reservation.kind != ReservationKind::standing) return kNone;
  for (const auto& entry : settings.standing_reservations)
    if (standing_name(entry) == reservation.standing) return entry.second.triggers;
  return kNone;
}

bool any_triggers(const Settings& settings) {
  const auto& all = settings.standing_reservations;
  return std::any_of(all.begin(), all.end(),
                     [](const auto& entry) { return !entry.second.triggers.empty(); });
}

/// Returns the share of the reservation's processors that jobs inside it use.
double load_of(const Cluster& cluster, const Settings& settings, const Reservation& r) {
  const KeptProcs procs = kept_procs(cluster, JobFlags(cluster, settings), r);
  return procs.kept == 0 ? 0 : static_cast<double>(procs.inside) / static_cast<double>(procs.kept);
}

}  // namespace

void Triggers::made(const Settings& settings, const Reservation& reservation, Time now) {
  if (!triggers_of(settings, reservation).empty()) lives_[reservation.serial].made = now;
}

void Triggers::ended(const Settings& settings, const Reservation& reservation, Time now) {
  const auto left = [&](const Trigger& trigger) {
    if (trigger.event == TriggerEvent::end) return std::min(now, reservation.end) + trigger.offset;
    const Time when = moment(trigger, reservation);
    const bool past = when <= asked_;
    return past || trigger.action == TriggerAction::cancel ? kForever : when;
  };
  if (reservation.start <= now)  // else it never started
    for (const Trigger& trigger : triggers_of(settings, reservation))
      if (const Time when = left(trigger); when < kForever)
        later_.push_back({when, {trigger, reservation}});
  lives_.erase(reservation.serial);
}

Triggers::Life Triggers::life_of(const Reservation& reservation) const {
  const auto known = lives_.find(reservation.serial);
  return known == lives_.end() ? Life() : known->second;
}

void Triggers::restore(const Reservation& reservation, const Life& life) {
  if (life.made < Time(0) && life.done.empty()) return;
  auto& here = lives_[reservation.serial];
  here.made = life.made;
  for (const Trigger& trigger : life.done)
    if (std::find(here.done.begin(), here.done.end(), trigger) == here.done.end())
      here.done.push_back(trigger);
}

Time Triggers::began(const Reservation& reservation) const {
  return std::max(life_of(reservation).made, reservation.start);
}

Time Triggers::moment(const Trigger& trigger, const Reservation& reservation) const {
  if (trigger.event == TriggerEvent::create) {
    const Time made = life_of(reservation).made;
    return made < Time(0) ? kForever : made + trigger.offset;
  }
  if (trigger.event == TriggerEvent::start) return began(reservation) + trigger.offset;
  return kForever;
}

bool Triggers::starved(const Cluster& cluster, const Settings& settings, const Trigger& trigger,
                       const Reservation& reservation, Time now) {
  if (trigger.event != TriggerEvent::min_load || began(reservation) + trigger.offset > now)
    return false;
  const auto life = lives_.find(reservation.serial);
  if (life != lives_.end()) {
    const auto& done = life->second.done;
    if (std::find(done.begin(), done.end(), trigger) != done.end()) return false;
  }
  if (load_of(cluster, settings, reservation) >= trigger.threshold) return false;
  lives_[reservation.serial].done.push_back(trigger);
  return true;
}

std::vector<Triggers::Due> Triggers::due(const Cluster& cluster, const Settings& settings,
                                         Time now) {
  std::vector<Due> all;
  const Time before = std::exchange(asked_, std::max(asked_, now));  // clocks may be set back
  std::erase_if(later_, [&](Later& later) {
    if (later.when > now) return false;
    all.push_back(std::move(later.due));
    return true;
  });
  if (!any_triggers(settings)) return all;
  for (const ReservationId id : cluster.reservations()) {
    const Reservation& r = cluster.reservation(id);
    for (const Trigger& trigger : triggers_of(settings, r)) {
      const Time when = moment(trigger, r);
      if ((when > before && when <= now) || starved(cluster, settings, trigger, r, now))
        all.push_back({trigger, r});
    }
  }
  return all;
}

Time Triggers::next(const Cluster& cluster, const Settings& settings, Time now) const {
  Time next = kForever;
  const auto add = [&](Time when) {
    if (when > now) next = std::min(next, when);
  };
  for (const Later& later : later_) add(later.when);
  if (!any_triggers(settings)) return next;
  for (const ReservationId id : cluster.reservations()) {
    const Reservation& r = cluster.reservation(id);
    for (const Trigger& trigger : triggers_of(settings, r))
      add(trigger.event == TriggerEvent::min_load ? r.start + trigger.offset : moment(trigger, r));
  }
  return next;
}

}  // namespace maui
