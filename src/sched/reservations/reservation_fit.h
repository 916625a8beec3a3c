// The nodes and the time that a reservation with a choice takes now (seed 7.1.5.1.4).
//
// SPACEFLEX and BESTEFFORT bear on the nodes (standing_nodes.h).  Until it has begun, a reservation
// with SLIDEFORWARD begins earlier than at its time as soon as it can be whole earlier, one with
// TIMEFLEX later where it can be whole only then; it lasts as long.
#pragma once
#include <optional>

#include "maui/plan.h"
#include "sched/reservations/standing_nodes.h"

namespace maui {

class ReservationFit {
 public:
  /// Between these moments the reservation may begin, if its flags let it.
  struct Leeway {
    Time earliest{0}, latest{0};
  };

  ReservationFit(const Cluster& cluster, const Settings& settings,
                 const StandingReservationSettings& standing, const StandingSite& site, Time now)
      : context_(cluster, settings), standing_(standing), site_(site), now_(now) {}

  /// Only nodes that have come to have more room since that Cluster::room_count() need be looked
  /// at for more; 0: all.  Holds for reservations that stay where they are.
  void look_since(std::uint64_t room_count);
  /// `r` has everything but nodes, and its proper time; `kept` is what there is of it, if anything.
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

/// An administrative reservation that was asked for by a task count, with nodes as of now: when it
/// is made, and again later (`kept`), as far as its flags let it change.
Reservation fitted(const Cluster& cluster, const Settings& settings, const Reservation& asked,
                   const Reservation* kept, Time now);

/// Such a reservation becomes another: nodes went down or are back, or it can begin earlier.
std::optional<ChangeReservation> adjusted(const Cluster& cluster, const Settings& settings,
                                          ReservationId reservation, Time now);

}  // namespace maui
