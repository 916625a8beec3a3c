// Reservations in the course of an iteration: made, changed and ended, those of jobs as the plan
// says, standing ones (seed 7.1.5.2) before jobs are planned; some are ended by the first job,
// where they are for a single use.
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

  /// The settings are others.  Names that access lists use are known even before a job has them.
  void settings_changed(const StandingReservations& old);
  /// Standing reservations are made, changed and ended, administrative ones change as their flags
  /// let them, triggers go off; jobs are planned afterwards.
  void refresh();
  /// Those end whose time is over.
  void expire();
  /// Returns when a standing reservation begins or a trigger goes off, as far as that is known.
  Time next_event() const;

  void carry_out(const ReserveJob& reserve);
  void carry_out(const DropReservation& drop);
  void carry_out(const MakeReservation& make);
  void carry_out(const ChangeReservation& change);

  /// Returns a name for one that has none: that of the first that it is for, else SYSTEM, and a
  /// number (guide G, showres).
  std::string next_name(const Reservation& reservation);
  /// Adds one that an administrator asks for.
  ReservationId add(Reservation reservation);
  /// Adds one that a resource manager keeps itself.
  ReservationId adopt(Reservation reservation);
  /// A checkpoint has it: adds it, or puts it in the place of the part that is known already.
  void restore(Reservation reservation, const Triggers::Life& life);
  /// A checkpoint has it, and its time is over.
  void restore_end(const Reservation& reservation);
  /// It ends, by whatever cause: whoever wants to know is notified.
  void end(ReservationId reservation);
  /// The same before its time: it is not made again for its period.
  void cancel(ReservationId reservation);
  /// A job that ran has ended: SINGLEUSE reservations that it used end, too.
  void release_single_use(const Job& job, Time ended);

 private:
  void refresh_standing();
  void carry_out_all(const std::vector<Decision>& decisions);
  void adjust();
  void pull_triggers();
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
  std::vector<std::pair<std::string, int>>& numbers_;  // the next one of each name
  std::uint64_t planned_on_ = 0;  // Cluster::reservations_made() when the plan was made
};

}  // namespace maui
