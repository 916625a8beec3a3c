#include "engine/accounts/lately_ended.h"

#include <algorithm>

namespace maui {

// By its resource manager's clock, a job may have ended kClocks later than it was accounted here.
// A silent resource manager reports the end again when it is back.
void LatelyEnded::forget(const ManagerContact& managers, Time now) {
  constexpr Seconds kLong = kClocks + kClocks;
  // Jobs are in order of accounting, and `heard` times are never later than now.
  const auto old = std::find_if(all_.begin(), all_.end(), [&](const Checkpoint::Ended& ended) {
    return now - ended.accounted <= kLong;
  });
  all_.erase(std::remove_if(all_.begin(), old,
                            [&](const Checkpoint::Ended& ended) {
                              const auto heard = managers.heard(ended.manager).value_or(now);
                              return heard - ended.accounted > kLong;
                            }),
             old);
}

const Checkpoint::Ended* LatelyEnded::find(const std::string& name, Time submitted) const {
  const auto at = std::find_if(all_.rbegin(), all_.rend(), [&](const Checkpoint::Ended& ended) {
    return ended.name == name && about(ended.submitted, submitted);
  });
  return at == all_.rend() ? nullptr : &*at;
}

}  // namespace maui
