// Finds what would lift the reason for which a job waits, and when that is to be expected.
#pragma once
#include <optional>
#include <string>

#include "maui/cluster.h"
#include "maui/settings.h"
#include "sched/query/explain.h"

namespace maui {

struct Relief {
  std::string what;      // "the end of job 'a'"; empty: nothing is in its way
  Time when = kForever;  // by limits and dates as they stand; kForever: nobody can know, or never
};

/// True if a job waits for room, on nodes or in a limit: its earliest start says when the reason is
/// over.
bool awaits_room(Reason reason);

/// `earliest`: the job's earliest start, as earliest_start() has it, where it awaits room.
Relief relief_of(const Cluster& cluster, Time now, const Job& job, const Explanation& why,
                 const std::optional<Forecast>& earliest);

}  // namespace maui
