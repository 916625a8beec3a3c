// The bounds of what users keep in reservations, all of which are in every checkpoint.
//
// With RESCTLPOLICY ANY, any user of the machine may make reservations.  Those of one user take a
// few megabytes of a checkpoint at most.
#pragma once
#include <cstddef>

#include "cmd/context.h"
#include "cmd/setres_lists.h"
#include "maui/reservation.h"

namespace maui {

/// Bounds for all reservations of a user who is no administrator of level 1 or 2.
inline constexpr std::size_t kMostReservations = 1000;
inline constexpr std::size_t kMostListedByUser = 20'000;
inline constexpr std::size_t kMostReservedText = 256 << 10;  // bytes of names and expressions
/// The number of nodes: that of the cluster so many times, or of as many nodes as a thousand.
inline constexpr std::size_t kMostTimesAllNodes = 10;

/// Returns an error that names the bound if the user may not have the reservation in addition to
/// those that he or she has made.  `lists`: the size of its access list, which `wanted` need not
/// have.
Status check_bounds(const Context& context, const Reservation& wanted, const ListSize& lists);

/// Returns the user as maker of a reservation; empty if the reservation's owner says it.
std::string maker_of(const Context& context, const Reservation& wanted);

}  // namespace maui
