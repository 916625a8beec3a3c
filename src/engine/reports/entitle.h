// The entitlement of a job by the policies in force: its QOS, its partitions, its access to nodes.
//
// The entitlement depends only on what the job requests and on the settings.  It is computed anew
// when either changes: at submission, by setqos, after a change of configuration.
#pragma once
#include <string>
#include <string_view>

#include "maui/cluster.h"
#include "maui/settings.h"

namespace maui {

struct Entitled {
  QosId qos;
  Request request;
  /// The reason of a batch hold on a job that requests something it may not have (guide 11.1, No
  /// QOS Access); empty if it may have everything.
  std::string refused;
};

/// Requires what the job requested (qos_requested, partitions_asked, access_asked, flags) and its
/// credentials.  Of `request`, it changes only partitions, access, node set, span, QOS features,
/// USEMACHINESPEED and JOBNODEMATCHPOLICY.
Entitled entitle(const Job& job, Request request, const Settings& settings, Cluster& names);

/// Returns the reason of a hold for what was refused; empty if nothing was.
HoldReason refusal(std::string refused);

}  // namespace maui
