// The service that a job's credentials are promised (QTTARGET, XFTARGET; guide 5.1.2.3), and
// whether a run has given it.
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

  /// Without targets, always.
  bool met_by(const JobRun& run) const;
};

/// The tightest targets of the credentials that `name` returns, empty for none; where none of a
/// kind has one, those of DEFAULT and of the system count.
ServiceTargets service_targets(const Settings& settings,
                               const std::function<std::string_view(CredentialKind)>& name);

}  // namespace maui
