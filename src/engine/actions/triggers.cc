#include "engine/actions/triggers.h"

#include <algorithm>
#include <utility>

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

using Life = Triggers::Life;

/// Returns when the reservation began, or was made if that is later.
Time began(const Life& life, const Reservation& reservation) {
  return std::max(life.made, reservation.start);
}

/// Returns when the trigger is due; kForever if its event does not follow from time alone.
Time moment(const Trigger& trigger, const Life& life, const Reservation& reservation) {
  if (trigger.event == TriggerEvent::create)
    return life.made < Time(0) ? kForever : life.made + trigger.offset;
  if (trigger.event == TriggerEvent::start) return began(life, reservation) + trigger.offset;
  return kForever;
}

/// True if the trigger has gone off for an event at that time or later.
bool has_gone_off(const Life& life, const Trigger& trigger, Time when) {
  return std::any_of(life.done.begin(), life.done.end(), [&](const Triggers::GoneOff& done) {
    return done.trigger == trigger && done.when >= when;
  });
}

void mark(Life& life, const Trigger& trigger, Time when) {
  std::erase_if(life.done, [&](const Triggers::GoneOff& done) { return done.trigger == trigger; });
  life.done.push_back({trigger, when});
}

/// Marks the triggers whose time was until `then` as gone off.
void mark_past(Life& life, const std::vector<Trigger>& triggers, const Reservation& reservation,
               Time then) {
  for (const Trigger& trigger : triggers)
    if (const Time when = moment(trigger, life, reservation);
        when <= then && !has_gone_off(life, trigger, when))
      mark(life, trigger, when);
}

/// True if the trigger is a minload whose time has come.
bool starved(const Cluster& cluster, const Settings& settings, const Trigger& trigger,
             const Life& life, const Reservation& reservation, Time now) {
  return trigger.event == TriggerEvent::min_load &&
         began(life, reservation) + trigger.offset <= now &&
         !has_gone_off(life, trigger, kForever) &&
         load_of(cluster, settings, reservation) < trigger.threshold;
}

}  // namespace

void Triggers::made(const Settings& settings, const Reservation& reservation, Time now) {
  if (!triggers_of(settings, reservation).empty()) lives_[reservation.serial].made = now;
}

void Triggers::note_later(const Settings& settings, const Reservation& reservation,
                          const Life& life, Time now) {
  const bool started = reservation.start <= now;
  const auto left = [&](const Trigger& trigger) {
    if (!started && trigger.event != TriggerEvent::create) return kForever;
    if (trigger.event == TriggerEvent::end) return std::min(now, reservation.end) + trigger.offset;
    const Time when = moment(trigger, life, reservation);
    const bool over = trigger.action == TriggerAction::cancel || has_gone_off(life, trigger, when);
    return over ? kForever : when;
  };
  for (const Trigger& trigger : triggers_of(settings, reservation))
    if (const Time when = left(trigger); when < kForever)
      later_.push_back({when, {trigger, reservation}});
}

void Triggers::ended(const Settings& settings, const Reservation& reservation, Time now) {
  note_later(settings, reservation, life_of(reservation), now);
  lives_.erase(reservation.serial);
}

void Triggers::settings_changed(const Cluster& cluster, const Settings& settings,
                                const StandingReservations& old, Time now) {
  for (const ReservationId id : cluster.reservations()) {
    const Reservation& r = cluster.reservation(id);
    std::vector<Trigger> added = triggers_of(settings, r);
    for (const auto& entry : old)
      if (r.kind == ReservationKind::standing && standing_name(entry) == r.standing)
        for (const Trigger& known : entry.second.triggers) std::erase(added, known);
    if (added.empty()) continue;
    Life life = life_of(r);
    mark_past(life, added, r, now);
    if (!life.done.empty()) lives_[r.serial] = std::move(life);
  }
}

const Triggers::Life& Triggers::life_of(const Reservation& reservation) const {
  static const Life kNew;
  const auto known = lives_.find(reservation.serial);
  return known == lives_.end() ? kNew : known->second;
}

void Triggers::restore(const Settings& settings, const Reservation& reservation, const Life& life) {
  Life saved = life;
  mark_past(saved, triggers_of(settings, reservation), reservation, asked_);
  if (saved.made < Time(0) && saved.done.empty()) return;
  auto& here = lives_[reservation.serial];
  here.made = saved.made;
  for (const GoneOff& done : saved.done)
    if (!has_gone_off(here, done.trigger, done.when)) mark(here, done.trigger, done.when);
}

void Triggers::restore_end(const Settings& settings, const Reservation& reservation, Life life,
                           Time now) {
  mark_past(life, triggers_of(settings, reservation), reservation, asked_);
  note_later(settings, reservation, life, now);
}

std::vector<Triggers::Due> Triggers::due(const Cluster& cluster, const Settings& settings,
                                         Time now) {
  std::vector<Due> all;
  asked_ = std::max(asked_, now);  // clocks may be set back
  std::erase_if(later_, [&](Later& later) {
    if (later.when > now) return false;
    all.push_back(std::move(later.due));
    return true;
  });
  if (!any_triggers(settings)) return all;
  for (const ReservationId id : cluster.reservations()) {
    const Reservation& r = cluster.reservation(id);
    for (const Trigger& trigger : triggers_of(settings, r)) {
      const Life& life = life_of(r);
      const Time when = moment(trigger, life, r);
      const bool timely = when <= now && !has_gone_off(life, trigger, when);
      if (!timely && !starved(cluster, settings, trigger, life, r, now)) continue;
      mark(lives_[r.serial], trigger, when);
      all.push_back({trigger, r});
    }
  }
  return all;
}

std::uint64_t Triggers::awaits(Due due) {
  waiting_.emplace(++numbers_, std::move(due));
  return numbers_;
}

/// Triggers whose programs wait are due at any time, so also after a clock was put back.
std::vector<Triggers::Later> Triggers::later() const {
  std::vector<Later> all;
  all.reserve(waiting_.size() + later_.size());
  for (const auto& [number, due] : waiting_) all.push_back({Time(0), due});
  all.insert(all.end(), later_.begin(), later_.end());
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
    const Life& life = life_of(r);
    for (const Trigger& trigger : triggers_of(settings, r))
      add(trigger.event == TriggerEvent::min_load ? began(life, r) + trigger.offset
                                                  : moment(trigger, life, r));
  }
  return next;
}

}  // namespace maui
