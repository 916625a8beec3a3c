// The names in the criteria of an access list.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "maui/cluster.h"

namespace maui {

/// Returns the name of the criterion's credential, "ALL" for any; empty for other kinds.
std::string credential_name(const Cluster& cluster, const AccessCriterion& criterion);
/// Returns the criterion's value for display: a name, a number or a duration.
std::string value_text(const Cluster& cluster, const AccessCriterion& criterion);
/// Returns USER, GROUP, ACCT, CLASS, QOS, JATTR, PROC, TASK or DURATION (diagnose -r).
std::string_view kind_word(AccessKind kind);
std::optional<AccessKind> kind_of_word(std::string_view word);

}  // namespace maui
