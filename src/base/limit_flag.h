// Flags of a QOS that lift limits: IGN[MAX]<what>[QUEUED][PER<whose>] (guide 7.3.2.3).
//
// The guide writes IGNJOBPERUSER, files of release 3.3 IGNMAXJOB; each is a case of one form.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "maui/credential_kind.h"
#include "maui/settings/throttling.h"

namespace maui {

struct LimitFlag {
  std::string name;  // the guide's spelling where it has one
  LimitKind kind = LimitKind::job;
  bool idle = false;                    // QUEUED
  std::optional<CredentialKind> whose;  // none: of every credential
};

/// Every flag of this form.
const std::vector<LimitFlag>& limit_flags();

/// The flag of this spelling, in any case; nullptr if it is none.
const LimitFlag* find_limit_flag(std::string_view word);

}  // namespace maui
