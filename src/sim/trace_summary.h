// How much of a trace was used.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace maui {

/// The jobs that take no part for one reason.
struct SkippedJobs {
  static constexpr std::size_t kNamed = 5;
  std::int64_t jobs = 0;
  std::vector<std::string> first;  // names of some of them
  friend bool operator==(const SkippedJobs&, const SkippedJobs&) = default;

  void add(std::string_view job) {
    ++jobs;
    if (first.size() < kNamed) first.emplace_back(job);
  }
  /// "a, b and 3 more"
  std::string names() const;
};

/// Counts the parts of the input that were used, and names what is wrong with the others.
struct TraceSummary {
  std::vector<std::string> problems;  // "FILE:LINE: field N (NAME): ..."; the first of each file
  std::int64_t bad_lines = 0;         // all of them, counted
  bool damaged = false;               // a file could not be read to its end
  std::int64_t jobs = 0, skipped_jobs = 0, nodes = 0;
  std::map<std::string, SkippedJobs> skipped_because;  // "never ran": of them, which
  /// By job, the class that the log names and no node offers; where ReplayFiles asks for it.
  std::unordered_map<std::string, std::string> unoffered_classes;

  void skip(const std::string& reason, std::string_view job) {
    ++skipped_jobs;
    skipped_because[reason].add(job);
  }
};

}  // namespace maui
