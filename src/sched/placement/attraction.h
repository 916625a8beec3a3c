// How a node draws jobs by the reservations that admit them (affinity, seed 7.1.5.2.4): those that
// stand when a job would begin, and those that it would reach into.
#pragma once
#include <algorithm>

#include "maui/reservation.h"

namespace maui {

/// For jobs of one access set that begin at one moment.
struct Attraction {
  Time drawn = kForever;     // one that stays beyond this is drawn to the node
  Time repelled = kForever;  // one that stays beyond this leaves it as a last resort

  /// A reservation that admits them, and ends after their beginning, has this affinity.
  void add(Affinity affinity, Time start) {
    if (affinity == Affinity::positive) drawn = std::min(drawn, start);
    if (affinity == Affinity::negative) repelled = std::min(repelled, start);
  }
  /// For a job that ends then.
  Affinity until(Time end) const {
    if (repelled < end) return Affinity::negative;
    return drawn < end ? Affinity::positive : Affinity::neutral;
  }
  friend bool operator==(const Attraction&, const Attraction&) = default;
};

}  // namespace maui
