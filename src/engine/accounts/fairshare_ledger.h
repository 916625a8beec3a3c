// The ledger of fairshare use (guide 6.3.2).
//
// Each job is charged for exactly the time that it ran: until now while it runs, and
// until its end once that is known; any charge beyond its end is refunded.  Jobs that ran
// while no scheduler kept the ledger are charged as soon as the resource manager reports
// them.
//
// FSPOLICY NONE: use decides nothing, so processor-seconds are charged when a job ends, and once an
// hour (guide 9.2.3).  A new window is reported at once, since one without a file is forgotten.
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "maui/cluster.h"
#include "maui/settings.h"

namespace maui {

class FairshareLedger {
 public:
  /// A callback for a window that has changed; `over`: the window has ended.
  using Changed = std::function<void(const FairshareWindow& window, bool over)>;

  /// Starts from known history, which is not charged again.
  void begin(FairshareHistory known);
  /// Continues from a checkpoint: drops later use in the files, since its jobs are charged again,
  /// and windows without a file; adds older windows that only the files have.  Returns false, and
  /// keeps the files, if they are too far ahead. `in_good_order`: files and checkpoint agreed, so
  /// that differences are manual changes, except for the windows that begin at the times
  /// `unwritten`: their files could not be written.  `clock_set`: by how much the clock was set
  /// since the checkpoint, whose times are by the clock as it stands.
  bool resume(FairshareHistory checkpoint, const FairshareSettings& settings, bool in_good_order,
              const std::vector<Time>& unwritten, Seconds clock_set, Time now);
  /// The use of a job that is charged.
  struct Charged {
    Time started = kForever;  // of the charged run
    Seconds run{0};
    std::optional<double> cpu_seconds{};  // FSPOLICY UTILIZEDPS, if known
    Time until{0};                        // of the last charge, by the clock as it stood then
    std::size_t steps = 0;                // of the clock before that charge
  };
  /// Notes how much of this job's run the known history includes.
  void restore(JobId job, const Charged& charged);
  /// Returns how much of the job's run is charged.
  Charged charged(const Job& job) const;
  const FairshareHistory& history() const { return history_; }
  /// Returns how many of the newest windows include all that have not been reported since they
  /// changed.
  std::size_t unreported() const;

  /// Charges all active and suspended jobs until `now`, reports changed windows, oldest first, and
  /// drops windows that no longer count.
  void accrue(const Cluster& cluster, const FairshareSettings& settings, Time now,
              const Changed& changed);
  /// Returns the use that active jobs add per second to the window of `now`.
  static FairshareWindow second_of(const Cluster& cluster, const FairshareSettings& settings,
                                   Time now);
  /// Charges a job, which has started, until `until`, or refunds what was charged beyond that.
  void settle(const Cluster& cluster, const FairshareSettings& settings, JobId job, Time until);
  /// Notes that the clock was set by `by`: the use until now is complete, as before.
  void clock_stepped(const FairshareSettings& settings, Seconds by);
  /// Forgets the job; its id will be reused.
  void forget(JobId job);

 private:
  Seconds known_run(const Job& job, Seconds run);
  bool owes_cpu_time(const FairshareSettings& settings, const Job& job) const;
  double rate_since(const Cluster& cluster, const FairshareSettings& settings, const Job& job,
                    Seconds more);
  /// The end of a charge, by the clock as it stood after that many steps.
  struct Moment {
    Time at{0};
    std::size_t steps = 0;
  };
  enum class Entry { charge, refund };
  void note_step(const FairshareSettings& settings, Time from, Time to);
  Moment last_charge(const Job& job, Seconds refunded, Time until) const;
  Moment record_last(const FairshareSettings& settings, const Job& job, double rate, Entry entry,
                     Seconds time, Moment end);
  void record(const FairshareSettings& settings, const Job& job, double rate, Time from,
              Time until);
  void report(const FairshareSettings& settings, Time now, const Changed& changed);

  FairshareHistory history_;
  Moment restored_;               // the end of what restored jobs were charged for
  Time known_until_{0};           // runs before this are part of the initial history
  std::vector<Charged> charged_;  // by job
  std::optional<Time> changed_;   // windows from this time on have not been reported
  bool changed_ahead_ = false;    // among them those of the future, where little is recorded
  bool new_window_ = false;       // some window has never been reported
};

}  // namespace maui
