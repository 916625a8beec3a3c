// The outcome of each job of a workload under one configuration: the basis of all measures.
//
// Outcomes are passed between processes and machines as text (outcome_text.h).
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "maui/credential_kind.h"
#include "maui/plan.h"
#include "maui/units.h"
#include "sim/trace_summary.h"

namespace maui::compare {

/// A reason for which a job waited, and for how long.
struct WaitReason {
  Reason reason = Reason::none;
  Seconds how_long{0};
  friend bool operator==(const WaitReason&, const WaitReason&) = default;
};

struct JobOutcome {
  std::string name;
  ByKind<std::uint32_t> who;  // indices into Outcome::names
  std::int64_t procs = 1;
  Seconds limit{1}, run{0};  // run: excludes the time suspended
  Time submitted{0}, started{0}, ended{0};
  bool backfilled = false;
  std::int32_t bypass = 0;
  std::vector<WaitReason> reasons;  // why it waited, the longest first

  /// Returns the time in the system during which the job did not run.
  Seconds wait() const { return ended - submitted - run; }
  double proc_seconds() const { return static_cast<double>(procs * run.raw()); }
};

/// A job that did not start before the end of the simulation.
struct LeftJob {
  std::string name, reason;
  friend bool operator==(const LeftJob&, const LeftJob&) = default;
};

/// The share of use that a configuration promises to a credential (FSTARGET).
struct ShareTarget {
  CredentialKind kind = CredentialKind::user;
  std::string name;
  double percent = 0;
};

struct Outcome {
  std::string variant;     // name of the configuration
  std::int64_t procs = 0;  // of the machine
  std::int64_t nodes = 0;
  ByKind<std::vector<std::string>> names;  // "" stands for jobs without this credential
  std::vector<JobOutcome> jobs;            // by end time
  std::vector<LeftJob> left;
  std::vector<ShareTarget> targets;
  std::int64_t skipped = 0, bad_lines = 0;             // of the input: ignored jobs, unusable lines
  std::map<std::string, SkippedJobs> skipped_because;  // by reason, such as "never ran"
  std::vector<std::string> problems;                   // the first problems in the input
  bool damaged = false;     // a file of the input could not be read to its end
  bool unfinished = false;  // the run was interrupted

  const std::string& name_of(const JobOutcome& job, CredentialKind kind) const {
    return names[kind][job.who[kind]];
  }
};

}  // namespace maui::compare
