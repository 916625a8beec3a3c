// A summary of how much of a trace was used.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace maui {

/// The jobs skipped for one reason.
struct SkippedJobs {
  static constexpr std::size_t kNamed = 5;
  std::int64_t jobs = 0;
  std::vector<std::string> first;  // names of the first few
  friend bool operator==(const SkippedJobs&, const SkippedJobs&) = default;

  void add(std::string_view job) {
    ++jobs;
    if (first.size() < kNamed) first.emplace_back(job);
  }
  /// Returns "a, b and 3 more".
  std::string names() const;
};

/// Counts the parts of the input that were used, and lists the problems of the others.
struct TraceSummary {
  std::vector<std::string> problems;  // "FILE:LINE: field N (NAME): ..."; the first few per file
  std::int64_t bad_lines = 0;         // number of all bad lines
  bool damaged = false;               // a file could not be read to its end
  std::int64_t jobs = 0, skipped_jobs = 0, nodes = 0;
  std::map<std::string, SkippedJobs> skipped_because;  // by reason, such as "never ran"
  /// By job, the class that the log names but no node offers; collected if ReplayFiles asks for it.
  std::unordered_map<std::string, std::string> unoffered_classes;

  void skip(const std::string& reason, std::string_view job) {
    ++skipped_jobs;
    skipped_because[reason].add(job);
  }
};

}  // namespace maui
