// When a suspended job can go on, and what is in its way: checkjob and showstart say the same.
#pragma once
#include <string>

#include "maui/cluster.h"
#include "maui/settings.h"

namespace maui {

struct Suspension {
  Time resumes = kForever;  // the earliest time; kForever: unknown, or not by itself
  std::string words;        // "is suspended for job 'b', and is expected to resume in 0:10:00"
};

Suspension suspension_of(const Cluster& cluster, const Settings& settings, Time now,
                         const Job& job);

}  // namespace maui
