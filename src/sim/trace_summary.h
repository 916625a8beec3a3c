// How much of a trace was used.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace maui {

/// Counts the parts of the input that were used, and names what is wrong with the others.
struct TraceSummary {
  std::vector<std::string> problems;  // "FILE:LINE: field N (NAME): ..."; the first of each file
  std::int64_t bad_lines = 0;         // all of them, counted
  bool damaged = false;               // a file could not be read to its end
  std::int64_t jobs = 0, skipped_jobs = 0, nodes = 0;
  std::map<std::string, std::int64_t> skipped_because;  // "never ran": of them, the number
  /// By job, the class that the log names and no node offers; where ReplayFiles asks for it.
  std::unordered_map<std::string, std::string> unoffered_classes;
};

}  // namespace maui
