// The reports of a resource manager in the cluster's own terms: names become
// ids, classes become initiators, and the policies that say how every node and
// every request is to be read are folded in.
#pragma once
#include "maui/cluster.h"
#include "maui/resource_manager.h"
#include "maui/settings.h"

namespace maui {

/// The node with what NODECFG says of it put over what was reported; NODECFG[DEFAULT] is about all.
/// A node without class information offers those that NODECFG gives it, or else the classes of
/// DEFAULTCLASSLIST, one initiator a processor (guide 3.2.1.8).
Node node_of(const NodeReport& report, const Settings& settings, Cluster& names);

struct Submission {
  Job job;
  Request request;
  bool mask_of_classes = false;  // PARTITIONMASK names classes that nodes serve, no partitions
};

/// `classes_in_use`: some node configures a class.  Then a task consumes one initiator of its job's
/// class; otherwise classes say nothing about nodes.
Submission job_of(JobReport report, const Settings& settings, Cluster& names, Time now,
                  bool classes_in_use);

/// The reason of a hold where what the resource manager reports of a job will not do.
HoldReason report_problem(std::string_view what);

/// The reason of a hold of a job that may run already, as far as its resource manager's words go:
/// whatever else is reported of it, it must not be started.
HoldReason state_problem(std::string_view what);

}  // namespace maui
