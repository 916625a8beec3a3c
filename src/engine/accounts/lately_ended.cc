#include "engine/accounts/lately_ended.h"

#include <algorithm>
#include <utility>

namespace maui {

void LatelyEnded::add(Checkpoint::Ended ended) {
  ++names_[ended.name];
  all_.push_back(std::move(ended));
}

// By its resource manager's clock, a job may have ended kClocks later than it was accounted here.
// A silent resource manager reports the end again when it is back.
void LatelyEnded::forget(const ManagerContact& managers, Time now) {
  constexpr Seconds kLong = kClocks + kClocks;
  // `heard` times are never later than now.
  const auto old = std::find_if(all_.begin(), all_.end(), [&](const Checkpoint::Ended& ended) {
    return now - ended.accounted <= kLong;
  });
  const auto is_gone = [&](const Checkpoint::Ended& ended) {
    return managers.heard(ended.manager).value_or(now) - ended.accounted > kLong;
  };
  for (auto at = all_.begin(); at != old; ++at)
    if (is_gone(*at))
      if (const auto name = names_.find(at->name); --name->second == 0) names_.erase(name);
  all_.erase(std::remove_if(all_.begin(), old, is_gone), old);
}

void LatelyEnded::shift(Seconds by) {
  for (Checkpoint::Ended& ended : all_) {
    ended.accounted = ended.accounted + by;
    maui::shift(ended, by);
  }
}

const Checkpoint::Ended* LatelyEnded::find(const std::string& name, Time submitted) const {
  if (!names_.contains(name)) return nullptr;
  const auto at = std::find_if(all_.rbegin(), all_.rend(), [&](const Checkpoint::Ended& ended) {
    return ended.name == name && about(ended.submitted, submitted);
  });
  return at == all_.rend() ? nullptr : &*at;
}

}  // namespace maui
