// How long jobs are expected to run, by what has been learned from those that ended, as far as
// decisions go by it (docs/learning.md).
#pragma once
#include <optional>
#include <vector>

#include "maui/units.h"

namespace maui {

/// Seconds, of a job as it waits, or as it waited last.
struct ExpectedRun {
  double mean = 0;
  double geometric_mean = 0;
  double urgency = 0;  // the mean of one part in so many seconds: great where a short run is likely
};

struct RunTimes {
  struct OfJob {
    ExpectedRun expected;
    Seconds fair_wait = kUnlimited;  // having waited longer, it goes before all others
    /// The earliest start, by wallclock limits alone, that any plan has reserved for it.
    Time promised = kForever;
    bool promised_last = false;  // it is of the jobs that the last promises were made to
  };
  std::vector<OfJob> jobs;     // by job; those that are not here have nothing
  std::vector<double> worths;  // likewise; apart, since backfill looks at nothing else of most
  std::vector<JobId> promised_last;  // some of them may have started since

  /// Would that job have started with that limit, had the plan come out as it has?  For people:
  /// nothing is decided by it.
  struct Shorter {
    JobId job;
    Seconds limit{0};
  };
  std::optional<Shorter> shorter;

  const OfJob& of(JobId job) const {
    static const OfJob kNothing;
    return job.index() < jobs.size() ? jobs[job.index()] : kNothing;
  }
  OfJob& at(JobId job) {
    if (job.index() >= jobs.size()) jobs.resize(job.index() + 1);
    return jobs[job.index()];
  }
  /// The worth of backfilling the job before others: its urgency by its mean run time and the root
  /// of its processors.
  double worth(JobId job) const { return job.index() < worths.size() ? worths[job.index()] : 0; }
  void set_worth(JobId job, double worth) {
    if (job.index() >= worths.size()) worths.resize(job.index() + 1);
    worths[job.index()] = worth;
  }
  /// The id will stand for another job.
  void forget(JobId job) {
    if (job.index() < jobs.size()) jobs[job.index()] = {};
    if (job.index() < worths.size()) worths[job.index()] = 0;
  }
};

}  // namespace maui
