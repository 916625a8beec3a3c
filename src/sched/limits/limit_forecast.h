// When the limits of active jobs (guide 6.2) allow jobs to start, assuming that running and
// foreseen jobs use what they ask for until their wallclock limits and that nothing else starts.
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
  /// When active jobs leave: by their limits, or when that is reported, which cannot be foreseen.
  /// Either way the rest of their limits becomes less (MAXPS, MAXWC).
  enum class Ends : std::uint8_t { by_limits, unforeseen };
  /// Counts the use of the jobs and unconfirmed runs that were active when `throttling` was made.
  /// `throttling` also says what jobs ask for, and must outlive the object.
  LimitForecast(const Cluster& cluster, Throttling& throttling, Time now,
                Ends ends = Ends::by_limits);

  /// Returns the first time from `from` on at which limits let the job start in this shape; without
  /// a placement, on as few nodes as possible.  kForever: the job asks for too much.
  Time first_allowed(const Job& job, const Request& shape, Time from,
                     const Placement* placement = nullptr, Strictness level = Strictness::hard);
  /// Returns what the limits leave, at `when`, to a job in that shape that starts there.
  LeftByLimits left_to(const Job& job, const Request& shape, const Placement& placement, Time when,
                       Strictness level);
  /// The partitions to try one after the other; see Throttling::choice_of().
  std::vector<PartitionId> choice_of(const Job& job, const Request& shape) {
    return throttling_.choice_of(job, shape);
  }
  /// Adds a job that is foreseen to start at `start`.
  void add(const Job& job, const Request& shape, const Placement& placement, Time start);
  /// Adds a job that is foreseen to run in [start, end), with the subjects of `scope` and with
  /// `amounts` from Throttling::asks().
  void add(const Job& job, const LimitRules::Scope& scope, const LimitAmounts& amounts, Time start,
           Time end) {
    if (throttling_.any()) count(&job, scope.subjects, amounts, start, end);
  }
  /// Removes everything that was counted for the job.
  void remove(const Job& job);
  /// Returns the use of the jobs of a subject (LimitRules::subjects()) at that time.
  double used(std::size_t subject, LimitKind kind, Time when);

 private:
  // The use of each kind at a time: `fixed` less `rate` for every second since now_.
  struct Use {
    LimitAmounts fixed{}, rate{};
    void add(const Use& other, double times);
  };
  struct Counted {
    Use use;
    const Job* job = nullptr;  // nullptr: it was removed, or is an unconfirmed run
    Time start{0}, end{0};
    const std::vector<std::size_t>* subjects = nullptr;  // the subjects that count it
  };
  struct Change {
    Time when{0};
    std::uint32_t use = 0;  // index into uses_
    bool begins = true;     // false: the use ends
  };
  /// The use of one subject over time; for most subjects it is never needed.
  struct Line {
    std::vector<std::uint32_t> uses;  // indexes into uses_
    bool drawn = false;               // `now` and `changes` are filled in
    Use now;
    std::vector<Change> changes;  // sorted by time
  };

  void count(const Job* job, const std::vector<std::size_t>& subjects, const LimitAmounts& amounts,
             Time start, Time end);
  void count(const Counted& made);
  const Line& line_of(std::size_t subject);
  void draw(Line& line) const;
  Time first_allowed_by(const LimitRules::Scope& scope, const LimitAmounts& asked, Time from,
                        Strictness level);
  Time room_from(const LimitRule& rule, double limit, double asked, Time from);

  const Cluster& cluster_;
  Time now_;
  Throttling& throttling_;
  std::vector<Counted> uses_;
  std::vector<Line> lines_;  // by subject
};

/// A search for a start that the limits allow.
struct StartSearch {
  Time from{0};
  Strictness level = Strictness::hard;
  /// Returns the first slot in that shape that is not before `from`, regardless of limits.
  std::function<std::optional<Slot>(const Request& shape, Time from)> next;
  /// Returns until when something else forbids this start; the start itself if nothing does.
  std::function<Time(const Slot&)> barred = [](const Slot& slot) { return slot.start; };
};
std::optional<Slot> first_start(const Cluster& cluster, LimitForecast& limits, const Job& job,
                                const Request& shape, const StartSearch& search);

/// Returns the first slot in [from, last] in that shape, now with the nodes that a cycle would
/// choose.
std::optional<Slot> slot_between(Timeline& timeline, const Job& job, const Request& shape,
                                 Time from, Time last);

/// Returns the first slot on the timeline at which limits let the job start, as a cycle would.
std::optional<Slot> first_start(const Cluster& cluster, Timeline& timeline, LimitForecast& limits,
                                const Job& job, const Request& shape, Time not_before = Time(0));

}  // namespace maui
