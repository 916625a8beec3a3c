// Reservations in the course of an iteration: made, changed and ended; priority reservations as the
// plan says, standing ones (seed 7.1.5.2) before jobs are planned.  SINGLEUSE reservations end with
// the first job that uses them.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/actions/triggers.h"
#include "engine/events.h"
#include "maui/plan.h"
#include "maui/reservation.h"
#include "maui/settings/standing_reservations.h"
#include "maui/units.h"

namespace maui {

class Cluster;
struct EngineTools;
struct PendingRestore;
struct Settings;
class StandingPlanner;

class Reservations {
 public:
  explicit Reservations(const EngineTools& tools);

  /// Notes changed settings.  Names in access lists are interned even before a job has them.
  void settings_changed(const StandingReservations& old);
  /// Makes, changes and ends standing reservations, changes administrative ones as their flags
  /// allow, and fires triggers.  Call it before jobs are planned.
  void refresh();
  /// Ends reservations whose end time has come.
  void expire();
  /// Returns the next time at which a standing reservation begins or a trigger goes off, if known.
  Time next_event() const;

  void carry_out(const ReserveJob& reserve);
  void carry_out(const DropReservation& drop);
  void carry_out(const MakeReservation& make);
  void carry_out(const ChangeReservation& change);

  /// Returns a name for a reservation without one: the first name in its access list, or else
  /// SYSTEM, with a number appended (guide G, showres).
  std::string next_name(const Reservation& reservation);
  /// Adds a reservation that an administrator asks for.
  ReservationId add(Reservation reservation);
  /// Adds a reservation that a resource manager keeps itself.
  ReservationId adopt(Reservation reservation);
  /// Restores a reservation from a checkpoint: adds it, or replaces the part that is known already.
  ReservationId restore(Reservation reservation, const Triggers::Life& life);
  /// Gives a restored reservation other nodes.
  void extend(ReservationId id, Placement nodes);
  /// Restores the end of a reservation of a checkpoint that is past its end time.
  void restore_end(const Reservation& reservation, const Triggers::Life& life);
  /// Ends a reservation, whatever the cause, and notifies those who are configured to be notified.
  void end(ReservationId reservation);
  /// Ends a reservation before its end time; a standing one is not made again for that period.
  void cancel(ReservationId reservation);
  /// Ends the SINGLEUSE reservations that a job used, which ran and has ended at `ended`.
  void release_single_use(const Job& job, Time ended);

 private:
  void refresh_standing();
  void carry_out_all(const std::vector<Decision>& decisions);
  void adjust();
  void pull_triggers();
  ReservationId present(const Reservation& restored) const;
  void waive_if_slid(const Reservation& gone);
  void waive(const Reservation& gone);
  void note_end(const Reservation& reservation);
  void note_made(const Reservation& made) const;
  void notify(EventType type, const Reservation& reservation) const;

  const EngineTools& tools_;
  Cluster& cluster_;
  const Settings& settings_;
  StandingPlanner& standing_;
  Triggers& triggers_;
  PendingRestore& pending_restore_;
  Time& next_expiry_;
  std::vector<std::pair<std::string, int>>& numbers_;  // the next number of each name
  std::uint64_t planned_on_ = 0;  // Cluster::reservations_made() at the time of the plan
};

}  // namespace maui
