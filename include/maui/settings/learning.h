// How the scheduler uses run times that it has learned from earlier runs (docs/learning.md).
#pragma once
#include <cstdint>

#include "maui/units.h"

namespace maui {

enum class LearningUse : std::uint8_t {
  none,      // nothing is learned
  show,      // commands show expected run times
  backfill,  // they also decide which jobs are backfilled first
  priority,  // they also decide how waiting counts in priority
};

struct LearningSettings {
  LearningUse use = LearningUse::show;     // RUNTIMELEARNING
  Seconds reservation_slack{3600};         // RESERVATIONSLACK
  double reservation_hysteresis = 10;      // RESERVATIONHYSTERESIS
  Seconds fair_start_limit{43200};         // FAIRSTARTLIMIT
  double fair_start_factor = 1;            // FAIRSTARTFACTOR
  Seconds history_age{365 * kDaySeconds};  // HISTORYAGE
  friend bool operator==(const LearningSettings&, const LearningSettings&) = default;

  /// True if learned run times affect decisions.
  bool decides() const { return use >= LearningUse::backfill; }
  bool orders_queue() const { return use == LearningUse::priority; }
};

}  // namespace maui
