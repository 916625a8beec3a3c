// The entitlement of a job by the policies in force: its QOS, its partitions, its terms on nodes.
//
// Everything here follows from what the job asks for and from the settings, so it is done anew when
// either changes: at submission, by setqos, after a change of configuration.
#pragma once
#include <string>
#include <string_view>

#include "maui/cluster.h"
#include "maui/settings.h"

namespace maui {

struct Entitled {
  QosId qos;
  Request request;
  /// The reason of a batch hold on a job that asks for something it may not have (guide 11.1, No
  /// QOS Access); empty: it may have everything.
  std::string refused;
};

/// Requires the job's own wishes (qos_requested, partitions_asked, access_asked, flags) and its
/// credentials; of `request`, everything but partitions, access, node set, USEMACHINESPEED and
/// JOBNODEMATCHPOLICY stays.
Entitled entitle(const Job& job, Request request, const Settings& settings, Cluster& names);

/// The reason of a hold for what is refused; empty if nothing is.
HoldReason refusal(std::string refused);

}  // namespace maui
