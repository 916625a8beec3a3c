// TRIGGER: an event of a standing reservation causes an action (seed 7.1.5.2).
//
// A trigger is due in the first iteration at or after its time.  A reservation starts at its start
// time or, if that is past, when it is made; it ends when it is removed after its start: by its end
// time, a command or another trigger.  A trigger goes off once for each time of its event; minload
// goes off once, the first time the load is too low.  Triggers that are configured after their time
// do not go off.
#pragma once
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "maui/cluster.h"
#include "maui/settings.h"

namespace maui {

class Triggers {
 public:
  struct Due {
    Trigger trigger;
    Reservation reservation;  // as it is now, or as it was when it ended
  };

  /// A trigger that has gone off, and its time; kForever: minload, which has no time of its own.
  struct GoneOff {
    Trigger trigger;
    Time when = kForever;
    friend bool operator==(const GoneOff&, const GoneOff&) = default;
  };
  /// The state of a reservation's triggers, which a checkpoint keeps.
  struct Life {
    Time made{-1};  // negative: unknown, since made before there were triggers
    std::vector<GoneOff> done;
  };

  void made(const Settings& settings, const Reservation& reservation, Time now);
  /// Must be called before the reservation is removed.
  void ended(const Settings& settings, const Reservation& reservation, Time now);
  /// Marks new triggers whose time is past as gone off; `old`: the settings before the change.
  void settings_changed(const Cluster& cluster, const Settings& settings,
                        const StandingReservations& old, Time now);
  /// Returns the triggers that have come due since the last call.
  std::vector<Due> due(const Cluster& cluster, const Settings& settings, Time now);
  /// Returns the next time at which a trigger is due, if known.
  Time next(const Cluster& cluster, const Settings& settings, Time now) const;

  /// A future trigger of a reservation that has ended.
  struct Later {
    Time when{0};
    Due due;
  };

  /// Notes a trigger whose program waits to be started, and returns its number.  Until the program
  /// has begun, a checkpoint has the trigger among those that have not gone off.
  std::uint64_t awaits(Due due);
  void begun(std::uint64_t number) { waiting_.erase(number); }

  /// Returns the time of the last call of due(): triggers due by then have gone off, unless they
  /// are among later().
  Time asked() const { return asked_; }
  /// Returns the triggers that are still to go off although their reservations may have ended.
  std::vector<Later> later() const;
  const Life& life_of(const Reservation& reservation) const;
  /// Continues from the saved state after a restart.
  void resume(Time asked, std::vector<Later> later) {
    asked_ = asked;
    later_ = std::move(later);
  }
  void restore(const Settings& settings, const Reservation& reservation, const Life& life);
  /// For a reservation that ended while the scheduler was down.
  void restore_end(const Settings& settings, const Reservation& reservation, Life life, Time now);

 private:
  void note_later(const Settings& settings, const Reservation& reservation, const Life& life,
                  Time now);

  std::unordered_map<std::uint64_t, Life> lives_;  // by serial number of the reservation
  std::vector<Later> later_;
  std::map<std::uint64_t, Due> waiting_;  // by number: their programs have not begun
  std::uint64_t numbers_ = 0;
  Time asked_{-1};
};

}  // namespace maui
