#include "cmd/outcomes.h"

#include <set>
#include <string>
#include <string_view>

#include "base/text.h"

namespace maui {

Status something_done(const std::vector<Outcome>& outcomes) {
  std::vector<std::string> reasons;
  std::set<std::string_view> said;
  for (const Outcome& outcome : outcomes) {
    if (outcome.done) return Done{};
    if (said.insert(outcome.reason).second) reasons.push_back(outcome.reason);
  }
  return Error{join(reasons, "\n")};
}

}  // namespace maui
