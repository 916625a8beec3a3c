// The use that fairshare remembers, kept up to date (guide 6.3.2).
//
// Each job is charged for exactly the time that it ran: until now while it runs,
// until it ended once that is known, and what was charged beyond that is taken
// back.  What ran while nobody kept the ledger is charged as soon as the resource
// manager reports it.
//
// FSPOLICY NONE: nothing is decided by it, so processor-seconds are charged when
// a job ends, and once an hour (guide 9.2.3).
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "maui/cluster.h"
#include "maui/settings.h"

namespace maui {

class FairshareLedger {
 public:
  /// A window that has changed; `over`: it is past.
  using Changed = std::function<void(const FairshareWindow& window, bool over)>;

  /// Begins with what is known from earlier; nothing is charged again that is in there.
  void begin(FairshareHistory known);
  /// Goes on from a checkpoint: what files hold of the time since then is charged once more, since
  /// jobs that ran in it are.  A window whose file is gone is so.  False: the files are too far
  /// ahead, and stand.  `in_good_order`: the files said the same; what differs was changed by hand.
  bool resume(FairshareHistory checkpoint, const FairshareSettings& settings, bool in_good_order);
  /// Notes how much of this job's run the known history includes.
  void restore(JobId job, Time started, Seconds run);
  /// How much of the job's run is charged.
  Seconds charged(const Job& job) const;
  const FairshareHistory& history() const { return history_; }

  /// Charges all active and suspended jobs until `now`, reports windows that have changed, oldest
  /// first, and forgets those that count no longer.
  void accrue(const Cluster& cluster, const FairshareSettings& settings, Time now,
              const Changed& changed);
  /// The use that active jobs add to the window of `now` in a second.
  static FairshareWindow second_of(const Cluster& cluster, const FairshareSettings& settings,
                                   Time now);
  /// Charges one job, which has started, until `until`, or takes back what it was charged beyond.
  void settle(const Cluster& cluster, const FairshareSettings& settings, JobId job, Time until);
  /// Its id will stand for another job.
  void forget(JobId job);

 private:
  struct Charged {
    Time started = kForever;  // of the run that was charged
    Seconds run{0};
    std::optional<double> cpu_seconds;  // FSPOLICY UTILIZEDPS, if known
  };
  Seconds known_run(const Job& job, Seconds run);
  double rate_since(const Cluster& cluster, const FairshareSettings& settings, const Job& job,
                    Seconds more);
  void report(const FairshareSettings& settings, Time now, const Changed& changed);

  FairshareHistory history_;
  Time known_until_{0};           // what ran before this is in what was known at the beginning
  std::vector<Charged> charged_;  // by job
  std::optional<Time> changed_;   // windows from this time on have not been reported
};

}  // namespace maui
