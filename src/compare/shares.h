// Shares of the machine that users and others got, beside those that a configuration promises
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

/// In the order of the targets.
std::vector<Share> shares_of(const Outcome& outcome);

}  // namespace maui::compare
