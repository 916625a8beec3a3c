// The part of a reply that says what a command would have changed (--dry-run).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace maui {

/// A start that lies behind those of the jobs that were looked at.
inline constexpr std::int64_t kShiftBeyond = -2;

/// A waiting job that would start at another time.
struct JobShift {
  std::string job;
  std::int64_t before = 0, after = 0;  // -1: never; -2: behind the jobs that were looked at
  std::string user = {}, account = {};
  friend bool operator==(const JobShift&, const JobShift&) = default;
};

/// The jobs of one user, or account, that would start at another time.
struct ShiftSummary {
  std::string name;
  std::int64_t jobs = 0, earlier = 0, later = 0;  // later: or never
  std::int64_t measured = 0;                      // both starts of so many of them are known
  std::int64_t shift = 0;                         // seconds, all of these together
  friend bool operator==(const ShiftSummary&, const ShiftSummary&) = default;
};

/// The effect of a command on the queue: expected starts of its first jobs.
struct DryRun {
  std::int64_t now = 0;
  std::int64_t jobs = 0;         // so many were looked at, in order of priority
  bool complete = false;         // these are all
  std::vector<JobShift> shifts;  // those that lose most first
  std::vector<ShiftSummary> users = {}, accounts = {};
  friend bool operator==(const DryRun&, const DryRun&) = default;
};

}  // namespace maui
