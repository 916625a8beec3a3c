// Runs of jobs that an earlier scheduler knew, and that no resource manager has reported since: it
// does not answer.  The jobs are not in the cluster, but may run.
#pragma once
#include <functional>
#include <map>
#include <string>

#include "maui/job.h"
#include "maui/request.h"
#include "maui/units.h"

namespace maui {

struct UnconfirmedRun {
  Credentials credentials;
  Request request;        // its tasks and its limit; nothing that only places a job
  PartitionId partition;  // that of its nodes; invalid: they are in several
  int nodes = 0;
  Time ends = kForever;  // by its limit
  friend bool operator==(const UnconfirmedRun&, const UnconfirmedRun&) = default;
};

/// By name of the job.  In order, so that sums over them are the same in a copy.
using UnconfirmedRuns = std::map<std::string, UnconfirmedRun, std::less<>>;

}  // namespace maui
