// The jobs and users whose wait differs most between two runs of one workload.
#pragma once
#include <string>
#include <vector>

#include "compare/outcome.h"

namespace maui::compare {

struct JobChange {
  const JobOutcome* before = nullptr;
  const JobOutcome* after = nullptr;
  Seconds more() const { return after->wait() - before->wait(); }
};

struct UserChange {
  std::string user;
  std::int64_t jobs = 0;
  double before = 0, after = 0;  // mean wait, seconds
};

struct Changes {
  std::int64_t sooner = 0, later = 0, same = 0;  // jobs
  std::vector<JobChange> winners, losers;        // the greatest change first
  std::vector<UserChange> user_winners, user_losers;
};

/// Compares two runs; each list has at most `most` entries.  Jobs that ran in only one of the runs
/// are ignored.  The result refers to the outcomes.
Changes changes_between(const Outcome& before, const Outcome& after, std::size_t most);

/// Returns the jobs with the longest waits, longest first.
std::vector<const JobOutcome*> longest_waits(const Outcome& outcome, std::size_t most);

}  // namespace maui::compare
