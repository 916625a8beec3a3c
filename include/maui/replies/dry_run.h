// The part of a reply with the changes that a command would have made (--dry-run).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace maui {

/// A start later than those of all jobs that the dry run examined.
inline constexpr std::int64_t kShiftBeyond = -2;

/// A waiting job that would start at another time.
struct JobShift {
  std::string job;
  std::int64_t before = 0, after = 0;  // -1: never; -2: kShiftBeyond
  std::string user = {}, account = {};
  friend bool operator==(const JobShift&, const JobShift&) = default;
};

/// The jobs of one user, or account, that would start at another time.
struct ShiftSummary {
  std::string name;
  std::int64_t jobs = 0, earlier = 0, later = 0;  // later: or never
  std::int64_t measured = 0;                      // number of jobs with both starts known
  std::int64_t shift = 0;                         // seconds, total of the measured jobs
  friend bool operator==(const ShiftSummary&, const ShiftSummary&) = default;
};

/// The effect of a command on the queue: expected starts of its first jobs.
struct DryRun {
  std::int64_t now = 0;
  std::int64_t jobs = 0;         // number of jobs examined, in order of priority
  bool complete = false;         // all waiting jobs were examined
  std::vector<JobShift> shifts;  // greatest loss first
  std::vector<ShiftSummary> users = {}, accounts = {};
  friend bool operator==(const DryRun&, const DryRun&) = default;
};

}  // namespace maui
