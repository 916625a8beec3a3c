// Shares of the machine delivered to credentials, beside the shares that a configuration promises
// (FSTARGET).
#pragma once
#include <string>
#include <vector>

#include "compare/outcome.h"

namespace maui::compare {

struct Share {
  CredentialKind kind = CredentialKind::user;
  std::string name;
  double target = 0, delivered = 0;  // per cent of all processor seconds that jobs used
};

/// Returns the shares in the order of the targets.
std::vector<Share> shares_of(const Outcome& outcome);

}  // namespace maui::compare
