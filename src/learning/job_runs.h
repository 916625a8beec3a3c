// The traits that identify a job to the scheduler's learning, and its run time, which is converted
// to nodes of speed 1.
#pragma once
#include <string>

#include "learning/run_time_history.h"
#include "maui/cluster.h"

namespace maui {

/// Returns the name that tells jobs of a user apart: the title or the executable.
const std::string& learned_name(const Job& job);
JobTraits traits_of(const Cluster& cluster, const Job& job);
/// Returns how many seconds at speed 1 correspond to one second on the job's nodes.
double pace_of(const Cluster& cluster, const Job& job);
/// Converts a time on the nodes to whole seconds at speed 1, rounded down.
Seconds at_pace(Seconds time, double pace);
/// Returns the run time of a job that has ended, at speed 1.
Seconds run_at_speed_1(const Cluster& cluster, const Job& job);

}  // namespace maui
