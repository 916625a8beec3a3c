// Which of the jobs that ended are asked for: guide 9.2.2 has profiler choose them by time, by
// credentials and by the nodes that they ran on.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "history/recorded_job.h"
#include "maui/result.h"

namespace maui {

struct JobSelection {
  Time started_from{0};                     // they started then or later; 0: all
  Time ended_from{0}, ended_by = kForever;  // they ended then or later, and then at the latest
  ByKind<std::set<std::string, std::less<>>> who;  // of each kind any of these; empty: all
  std::set<std::string, std::less<>> names;        // of jobs; empty: all
  std::unordered_set<std::string> nodes;           // on any of which they ran; empty: all
  bool never_ran = true;                           // such jobs, too

  bool admits(const RecordedJob& job) const;
};

/// Adds names between commas; hosts may be ranges such as n[01-16] that stand for `most` of them.
Status add_names(std::string_view list, std::set<std::string, std::less<>>& names);
Status add_nodes(std::string_view list, std::unordered_set<std::string>& nodes, std::uint64_t most);

}  // namespace maui
