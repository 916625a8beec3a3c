// The names behind the criteria of an access list.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "maui/cluster.h"

namespace maui {

/// The name of the credential that the criterion is about, "ALL" for any; empty for other kinds.
std::string credential_name(const Cluster& cluster, const AccessCriterion& criterion);
/// The criterion's value as people read it: a name, a number, a duration.
std::string value_text(const Cluster& cluster, const AccessCriterion& criterion);
/// USER, GROUP, ACCT, CLASS, QOS, JATTR, PROC, TASK, DURATION (diagnose -r).
std::string_view kind_word(AccessKind kind);
std::optional<AccessKind> kind_of_word(std::string_view word);

}  // namespace maui
