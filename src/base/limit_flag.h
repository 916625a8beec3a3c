// QOS flags that lift limits: IGN[MAX]<what>[QUEUED][PER<whose>] (guide 7.3.2.3).
//
// The guide writes IGNJOBPERUSER, files of release 3.3 IGNMAXJOB; both have this form.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "maui/credential_kind.h"
#include "maui/settings/throttling.h"

namespace maui {

struct LimitFlag {
  std::string name;  // the guide's spelling, if it has one
  LimitKind kind = LimitKind::job;
  bool idle = false;                    // QUEUED
  std::optional<CredentialKind> whose;  // nullopt: of every credential
};

/// Returns all flags of this form.
const std::vector<LimitFlag>& limit_flags();

/// Returns the flag of that spelling, in any case, or nullptr.
const LimitFlag* find_limit_flag(std::string_view word);

}  // namespace maui
