// Why a job does not run, in the form that commands show.
#pragma once
#include "maui/cluster.h"
#include "maui/replies/job.h"
#include "maui/settings.h"
#include "sched/query/explain.h"

namespace maui {

JobVerdict verdict_of(const Cluster& cluster, const Settings& settings, Time now, const Job& job,
                      const Explanation& why);

}  // namespace maui
