// Translates reports of a resource manager into the cluster's own terms: names become ids,
// classes become initiators, and the policies on how to read nodes and requests are
// applied.
#pragma once
#include "maui/cluster.h"
#include "maui/resource_manager.h"
#include "maui/settings.h"

namespace maui {

/// Returns the reported node with NODECFG applied over the report; NODECFG[DEFAULT] applies to
/// every node.  A node without class information offers the classes that NODECFG gives it, or else
/// those of DEFAULTCLASSLIST, with one initiator per processor (guide 3.2.1.8).
Node node_of(const NodeReport& report, const Settings& settings, ClusterNames& names);

struct Submission {
  Job job;
  Request request;
  bool mask_of_classes = false;  // PARTITIONMASK names node classes, not partitions
};

/// `classes_in_use`: some node configures a class.  Then a task consumes one initiator of its job's
/// class; otherwise classes do not restrict nodes.
Submission job_of(const JobReport& report, const Settings& settings, Cluster& names, Time now,
                  bool classes_in_use);

/// Subtracts from the limit, which is reported for the whole job, the run time that its checkpoints
/// keep.
void less_kept(Request& request, Seconds kept);

/// Returns true if a problem in the report may hide the job's wallclock limit.
bool limit_is_unreadable(const JobReport& report);

/// Returns the reason of a hold for an unacceptable report of a job.
HoldReason report_problem(std::string_view what);

/// Returns the reason of a hold on a job that may already run according to its resource manager:
/// whatever else is reported of the job, the scheduler must not start it.
HoldReason state_problem(std::string_view what);

}  // namespace maui
