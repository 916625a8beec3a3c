#include "engine/accounts/lately_ended.h"

#include <algorithm>

namespace maui {

// By its resource manager's clock a job may have ended kClocks later than it was accounted here.
// One that is silent tells of it again when it is back.
void LatelyEnded::forget(const ManagerContact& managers, Time now) {
  std::erase_if(all_, [&](const Checkpoint::Ended& one) {
    return managers.heard(one.manager).value_or(now) - one.accounted > kClocks + kClocks;
  });
}

bool LatelyEnded::holds(const std::string& name, Time submitted) const {
  return std::any_of(all_.begin(), all_.end(), [&](const Checkpoint::Ended& one) {
    return one.name == name && about(one.submitted, submitted);
  });
}

}  // namespace maui
