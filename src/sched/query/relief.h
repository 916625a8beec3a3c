// Finds the event that would lift the reason for which a job waits, and its expected time.
#pragma once
#include <optional>
#include <string>

#include "maui/cluster.h"
#include "maui/settings.h"
#include "sched/query/explain.h"

namespace maui {

struct Relief {
  std::string what;      // "the end of job 'a'"; empty: nothing blocks it
  Time when = kForever;  // by current limits and dates; kForever: unknown or never
};

/// True if a job waits for room, on nodes or in a limit: its earliest start says when the reason
/// ends.
bool awaits_room(Reason reason);

/// `earliest`: the result of earliest_start() if the job awaits room.
Relief relief_of(const Cluster& cluster, const Settings& settings, Time now, const Job& job,
                 const Explanation& why, const std::optional<Forecast>& earliest);

}  // namespace maui
