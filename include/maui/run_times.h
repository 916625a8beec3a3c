// The expected run times of jobs, learned from the runs of ended jobs, for the decisions that use
// them (docs/learning.md).
#pragma once
#include <optional>
#include <vector>

#include "maui/units.h"

namespace maui {

/// Expected run time, in seconds, of a job that waits (or from when it last waited).
struct ExpectedRun {
  double mean = 0;
  double geometric_mean = 0;
  double urgency = 0;  // mean of 1 / run time: large if a short run is likely
};

struct RunTimes {
  struct OfJob {
    ExpectedRun expected;
    Seconds fair_wait = kUnlimited;  // after a longer wait the job goes first
    /// The earliest start, by wallclock limits alone, that any plan has reserved for the job.
    Time promised = kForever;
    bool promised_last = false;  // the last promises include this job
  };
  std::vector<OfJob> jobs;           // by job; others have default values
  std::vector<double> worths;        // by job; apart, since backfill mostly needs only this
  std::vector<JobId> promised_last;  // some may have started since

  /// A question to the plan: would the job have started with this limit, all else being equal?
  /// The answer is only shown to users and affects no decision.
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
  /// Returns the worth of backfilling the job before others: its urgency divided by its mean run
  /// time and by the square root of its processor equivalents.
  double worth(JobId job) const { return job.index() < worths.size() ? worths[job.index()] : 0; }
  void set_worth(JobId job, double worth) {
    if (job.index() >= worths.size()) worths.resize(job.index() + 1);
    worths[job.index()] = worth;
  }
  /// Drops all data about `job`, whose id will be reused.
  void forget(JobId job) {
    if (job.index() < jobs.size()) jobs[job.index()] = {};
    if (job.index() < worths.size()) worths[job.index()] = 0;
  }
};

}  // namespace maui
