// Outcomes for tests of measures, made by hand or at random.
#pragma once
#include <random>
#include <string>

#include "compare/outcome.h"

namespace maui::compare::test {

/// Returns a job that was submitted at `submitted`, waited, and ran.
inline JobOutcome job(const std::string& name, std::int64_t submitted, std::int64_t wait,
                      std::int64_t run, std::int64_t procs = 1, std::int64_t limit = 3600) {
  JobOutcome outcome;
  outcome.name = name;
  outcome.submitted = Time(submitted);
  outcome.started = Time(submitted + wait);
  outcome.ended = Time(submitted + wait + run);
  outcome.run = Seconds(run);
  outcome.procs = procs;
  outcome.limit = Seconds(limit);
  return outcome;
}

/// Returns a run on 10 processors by users ann (0) and bob (1), without other credentials.
inline Outcome outcome_of(std::vector<JobOutcome> jobs) {
  Outcome outcome;
  outcome.variant = "base";
  outcome.procs = 10;
  outcome.nodes = 10;
  for (const auto kind : kCredentialKinds) outcome.names[kind] = {""};
  outcome.names[CredentialKind::user] = {"ann", "bob"};
  outcome.jobs = std::move(jobs);
  return outcome;
}

inline Outcome random_outcome(std::mt19937& random, int count, int latest = 5000) {
  const auto upto = [&](int most) { return static_cast<std::int64_t>(random() % (most + 1U)); };
  std::vector<JobOutcome> jobs;
  for (int i = 0; i < count; ++i) {
    jobs.push_back(job("j" + std::to_string(i), upto(latest), upto(1) * upto(latest), upto(2000),
                       1 + upto(5), 1 + upto(100000)));
    jobs.back().who[CredentialKind::user] = static_cast<std::uint32_t>(upto(1));
    jobs.back().backfilled = upto(1) == 1;
  }
  return outcome_of(std::move(jobs));
}

}  // namespace maui::compare::test
