// From when on jobs may start by the limits of active jobs (guide 6.2), should what runs and what
// is foreseen to start use what it asks for until its limit, and nothing else start.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "sched/throttling.h"
#include "sched/timeline.h"

namespace maui {

class LimitForecast {
 public:
  /// Counts what active jobs use.
  LimitForecast(const Cluster& cluster, const Settings& settings, Time now);

  /// When, not before `from`, hard limits let the job start in this shape; without a placement, on
  /// as few nodes as could be.  kForever: it asks for more than they allow.
  Time first_allowed(const Job& job, const Request& shape, Time from,
                     const Placement* placement = nullptr);
  /// It is foreseen to start then.
  void add(const Job& job, const Request& shape, const Slot& slot);

 private:
  // Of each kind, `fixed` less `rate` for every second since now_.
  struct Use {
    LimitAmounts fixed{}, rate{};
  };
  struct Change {
    Time when{0};
    std::uint32_t use = 0;  // index into uses_
    bool begins = true;     // or ends
  };
  struct Line {
    Use now;
    std::vector<Change> changes;  // in order of time
  };

  void count(const Job& job, const LimitAmounts& amounts, Time start, Time end);
  Time room_from(const LimitRule& rule, double asked, Time from) const;

  const Cluster& cluster_;
  Time now_;
  Throttling throttling_;
  std::vector<Use> uses_;
  std::vector<Line> lines_;  // by owner
};

/// The first slot on the timeline in which limits let the job start, where a cycle would put it.
std::optional<Slot> first_start(const Cluster& cluster, Timeline& timeline, LimitForecast& limits,
                                const Job& job, const Request& shape);

}  // namespace maui
