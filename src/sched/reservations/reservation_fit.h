// The nodes and the time that a reservation with a choice gets now (seed 7.1.5.1.4).
//
// SPACEFLEX and BESTEFFORT concern the nodes (standing_nodes.h).  Before it begins, a reservation
// with SLIDEFORWARD moves to an earlier time at which it can be complete, and one with TIMEFLEX to
// a later time if it can be complete only then; its duration stays the same.
#pragma once
#include <optional>

#include "maui/plan.h"
#include "sched/reservations/standing_nodes.h"

namespace maui {

class ReservationFit {
 public:
  /// The range in which the reservation may begin if its flags let it move.
  struct Leeway {
    Time earliest{0}, latest{0};
  };

  ReservationFit(const Cluster& cluster, const Settings& settings,
                 const StandingReservationSettings& standing, const StandingSite& site, Time now)
      : context_(cluster, settings), standing_(standing), site_(site), now_(now) {}

  /// Limits the search for more room to nodes that have gained room since that
  /// Cluster::room_count(); 0: all nodes.  Has no effect for reservations that may move.
  void look_since(std::uint64_t room_count);
  /// Returns `r`, which has its regular time but no nodes, with nodes and perhaps another time;
  /// `kept`: the existing reservation, or nullptr.
  Reservation fitted(Reservation r, const Reservation* kept, const Leeway& leeway) const;

 private:
  Reservation at(const Reservation& r, Time start, const Reservation* kept) const;
  std::optional<Reservation> whole_between(const Reservation& r, Time from, Time to,
                                           const Reservation* kept) const;

  StandingContext context_;
  const StandingReservationSettings& standing_;
  const StandingSite& site_;
  Time now_;
  std::uint64_t look_since_ = 0;
};

/// Returns an administrative reservation that was requested by a task count with the nodes that it
/// can have now: when it is made, and later (`kept`) within the changes that its flags allow.
Reservation fitted(const Cluster& cluster, const Settings& settings, const Reservation& asked,
                   const Reservation* kept, Time now);

/// Returns the change that such a reservation needs, for example because nodes went down or came
/// back, or because it can start; nullopt: none.
std::optional<ChangeReservation> adjusted(const Cluster& cluster, const Settings& settings,
                                          ReservationId reservation, Time now);

}  // namespace maui
