// Service targets of a job's credentials (QTTARGET, XFTARGET; guide 5.1.2.3), and whether a run met
// them.
#pragma once
#include <functional>
#include <optional>
#include <string_view>

#include "engine/accounts/job_totals.h"
#include "maui/credential_kind.h"
#include "maui/settings.h"

namespace maui {

struct ServiceTargets {
  std::optional<Seconds> queue_time;
  std::optional<double> xfactor;

  /// True if the run met the targets; always true without targets.
  bool met_by(const JobRun& run) const;
};

/// Returns the tightest targets of the credentials that `name` returns (empty: none); if no
/// credential has a target of a kind, the target of DEFAULT and of the system counts.
ServiceTargets service_targets(const Settings& settings,
                               const std::function<std::string_view(CredentialKind)>& name);

}  // namespace maui
