// Selects ended jobs: by time, by credentials and by the nodes they ran on, as profiler does (guide
// 9.2.2).
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
  Time started_from{0};                            // started at that time or later; 0: all
  Time ended_from{0}, ended_by = kForever;         // ended within these times, both included
  ByKind<std::set<std::string, std::less<>>> who;  // any of these per kind; empty: all
  std::set<std::string, std::less<>> names;        // of jobs; empty: all
  std::unordered_set<std::string> nodes;           // ran on any of these; empty: all
  bool never_ran = true;                           // include jobs that never ran

  bool admits(const RecordedJob& job) const;
};

/// Adds comma-separated names; hosts may be ranges such as n[01-16], of at most `most` names.
Status add_names(std::string_view list, std::set<std::string, std::less<>>& names);
Status add_nodes(std::string_view list, std::unordered_set<std::string>& nodes, std::uint64_t most);

}  // namespace maui
