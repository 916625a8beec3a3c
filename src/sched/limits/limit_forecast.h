// From when on jobs may start by the limits of active jobs (guide 6.2), should what runs and what
// is foreseen to start use what it asks for until its limit, and nothing else start.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sched/availability/timeline.h"
#include "sched/limits/throttling.h"

namespace maui {

class LimitForecast {
 public:
  /// Counts what the jobs use that were active when `throttling` was made.  It says what jobs ask
  /// for, too, and outlives this.
  LimitForecast(const Cluster& cluster, Throttling& throttling, Time now);

  /// When, not before `from`, limits let the job start in this shape; without a placement, on as
  /// few nodes as could be.  kForever: it asks for more than they allow.
  Time first_allowed(const Job& job, const Request& shape, Time from,
                     const Placement* placement = nullptr, Strictness level = Strictness::hard);
  /// The partitions that are to be tried one by one; see Throttling::choice_of().
  std::vector<PartitionId> choice_of(const Job& job, const Request& shape) {
    return throttling_.choice_of(job, shape);
  }
  /// It is foreseen to start then.
  void add(const Job& job, const Request& shape, const Placement& placement, Time start);
  /// It is foreseen to run from then until then, counted by these; `amounts` as Throttling::asks()
  /// says.
  void add(const Job& job, const LimitRules::Scope& scope, const LimitAmounts& amounts, Time start,
           Time end) {
    if (throttling_.any()) count(job, scope.owners, amounts, start, end);
  }
  /// Whatever was counted of the job is not to be.
  void remove(const Job& job);
  /// The use of the jobs of an owner (LimitRules) at that time.
  double used(std::size_t owner, LimitKind kind, Time when);

 private:
  // Use of each kind: `fixed` less `rate` for every second since now_.
  struct Use {
    LimitAmounts fixed{}, rate{};
    void add(const Use& other, double times);
  };
  struct Counted {
    Use use;
    const Job* job = nullptr;  // none: it was removed
    Time start{0}, end{0};
    const std::vector<std::size_t>* owners = nullptr;  // those that count it
  };
  struct Change {
    Time when{0};
    std::uint32_t use = 0;  // index into uses_
    bool begins = true;     // or ends
  };
  /// The use of one owner; most are never asked about.
  struct Line {
    std::vector<std::uint32_t> uses;  // indexes into uses_
    bool drawn = false;               // what follows is known
    Use now;
    std::vector<Change> changes;  // in order of time
  };

  void count(const Job& job, const std::vector<std::size_t>& owners, const LimitAmounts& amounts,
             Time start, Time end);
  const Line& line_of(std::size_t owner);
  void draw(Line& line) const;
  Time first_allowed_by(const LimitRules::Scope& scope, const LimitAmounts& asked, Time from,
                        Strictness level);
  Time room_from(const LimitRule& rule, double limit, double asked, Time from);

  const Cluster& cluster_;
  Time now_;
  Throttling& throttling_;
  std::vector<Counted> uses_;
  std::vector<Line> lines_;  // by owner
};

/// A search for a start that limits allow.
struct StartSearch {
  Time from{0};
  Strictness level = Strictness::hard;
  /// The first slot in that shape not before that time, whatever limits say.
  std::function<std::optional<Slot>(const Request& shape, Time from)> next;
  /// Until when something else forbids a start in the slot; not after its start where nothing does.
  std::function<Time(const Slot&)> barred = [](const Slot& slot) { return slot.start; };
};
std::optional<Slot> first_start(const Cluster& cluster, LimitForecast& limits, const Job& job,
                                const Request& shape, const StartSearch& search);

/// The first slot on the timeline in which limits let the job start, where a cycle would put it.
std::optional<Slot> first_start(const Cluster& cluster, Timeline& timeline, LimitForecast& limits,
                                const Job& job, const Request& shape, Time not_before = Time(0));

}  // namespace maui
