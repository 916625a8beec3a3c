// The facts that are learned of a job: the traits that it is known by, and how long it ran.  Speeds
// of nodes are taken out: all is as on nodes of speed 1.
#pragma once
#include <string>

#include "learning/run_time_history.h"
#include "maui/cluster.h"

namespace maui {

/// The name that tells jobs of a user apart.
const std::string& learned_name(const Job& job);
JobTraits traits_of(const Cluster& cluster, const Job& job);
/// How many seconds on a node of speed 1 a second on the nodes of a job is worth.
double pace_of(const Cluster& cluster, const Job& job);
/// That many seconds, in whole ones that are over.
Seconds at_pace(Seconds time, double pace);
/// How long a job ran that has ended.
Seconds run_at_speed_1(const Cluster& cluster, const Job& job);

}  // namespace maui
