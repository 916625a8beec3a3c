#include "cmd/outcomes.h"

#include <algorithm>
#include <string>

#include "base/text.h"

namespace maui {

Status something_done(const std::vector<Outcome>& outcomes) {
  if (std::any_of(outcomes.begin(), outcomes.end(),
                  [](const Outcome& outcome) { return outcome.done; }))
    return Done{};
  std::vector<std::string> reasons;
  for (const Outcome& outcome : outcomes) reasons.push_back(outcome.reason);
  return Error{join(reasons, "\n")};
}

}  // namespace maui
