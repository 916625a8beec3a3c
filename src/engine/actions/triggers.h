// TRIGGER: what happens to a standing reservation makes something else happen (seed 7.1.5.2).
//
// A moment is due in the iteration after it has come.  A reservation starts when its time comes or,
// if that is past already, when it is made; it ends when it goes after it has begun, by its time, a
// command or another trigger.  minload goes off once, at the first iteration at which it holds.
#pragma once
#include <cstdint>
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
    Reservation reservation;  // as it is, or, after its end, as it was
  };

  /// The state of one reservation's triggers, which a checkpoint keeps.
  struct Life {
    Time made{-1};              // before there were triggers: unknown
    std::vector<Trigger> done;  // those of minload that have gone off
  };

  void made(const Settings& settings, const Reservation& reservation, Time now);
  /// To be called before it goes.
  void ended(const Settings& settings, const Reservation& reservation, Time now);
  /// Triggers that have come due since the last call.
  std::vector<Due> due(const Cluster& cluster, const Settings& settings, Time now);
  /// The next moment at which something is due, as far as that is known.
  Time next(const Cluster& cluster, const Settings& settings, Time now) const;

  /// A trigger still to come of a reservation that has ended.
  struct Later {
    Time when{0};
    Due due;
  };

  /// When due() was last asked: what was due by then has gone off.
  Time asked() const { return asked_; }
  const std::vector<Later>& later() const { return later_; }
  Life life_of(const Reservation& reservation) const;
  /// Goes on from there, as a scheduler that is started again.
  void resume(Time asked, std::vector<Later> later) {
    asked_ = asked;
    later_ = std::move(later);
  }
  void restore(const Reservation& reservation, const Life& life);

 private:
  /// kForever: not one that a time alone brings about.
  Time moment(const Trigger& trigger, const Reservation& reservation) const;
  bool starved(const Cluster& cluster, const Settings& settings, const Trigger& trigger,
               const Reservation& reservation, Time now);

  std::unordered_map<std::uint64_t, Life> lives_;  // by serial of the reservation
  std::vector<Later> later_;
  Time asked_{-1};
};

}  // namespace maui
