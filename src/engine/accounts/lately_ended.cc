#include "engine/accounts/lately_ended.h"

#include <algorithm>

namespace maui {

// By its resource manager's clock a job may have ended kClocks later than it was accounted here.
// One that is silent tells of it again when it is back.
void LatelyEnded::forget(const ManagerContact& managers, Time now) {
  constexpr Seconds kLong = kClocks + kClocks;
  // They stand in the order in which they were accounted, and nobody was heard after now.
  const auto old = std::find_if(all_.begin(), all_.end(), [&](const Checkpoint::Ended& one) {
    return now - one.accounted <= kLong;
  });
  all_.erase(std::remove_if(all_.begin(), old,
                            [&](const Checkpoint::Ended& one) {
                              const auto heard = managers.heard(one.manager).value_or(now);
                              return heard - one.accounted > kLong;
                            }),
             old);
}

bool LatelyEnded::holds(const std::string& name, Time submitted) const {
  return std::any_of(all_.begin(), all_.end(), [&](const Checkpoint::Ended& one) {
    return one.name == name && about(one.submitted, submitted);
  });
}

}  // namespace maui
