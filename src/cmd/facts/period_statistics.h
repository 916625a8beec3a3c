// showstats -t and showgrid -t: the statistics of a period, from the history.
#pragma once
#include <optional>
#include <string>

#include "cmd/context.h"
#include "maui/credential_kind.h"

namespace maui {

/// Shows total statistics, or statistics by credential; with a name, of that credential only.
Answer statistics_of_period(const Context& context, std::optional<CredentialKind> kind,
                            const std::string& name);
Answer grid_of_period(const Context& context);

}  // namespace maui
