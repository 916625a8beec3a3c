// How much of a trace was used.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace maui {

/// Counts the parts of the input that were used, and names what is wrong with the others.
struct TraceSummary {
  std::vector<std::string> problems;  // "FILE:LINE: field N (NAME): ..."; the first of each file
  std::int64_t bad_lines = 0;         // all of them, counted
  bool damaged = false;               // a file could not be read to its end
  std::int64_t jobs = 0, skipped_jobs = 0, nodes = 0;
  std::map<std::string, std::int64_t> skipped_because;  // of them: reason and number
};

}  // namespace maui
