#include "engine/accounts/lately_ended.h"

#include <algorithm>
#include <utility>

namespace maui {

void LatelyEnded::add(Checkpoint::Ended ended) {
  const auto known = by_name_.find({ended.name, ended.submitted, ended.manager});
  if (known != by_name_.end()) drop(Number{known->second});
  ++last_;
  by_name_.emplace(std::tuple{ended.name, ended.submitted, ended.manager}, last_);
  by_manager_[ended.manager].insert(last_);
  all_.emplace_hint(all_.end(), last_, std::move(ended));
}

void LatelyEnded::drop(Number number) {
  const auto at = all_.find(number);
  const Checkpoint::Ended& ended = at->second;
  by_name_.erase({ended.name, ended.submitted, ended.manager});
  const auto manager = by_manager_.find(ended.manager);
  manager->second.erase(number);
  if (manager->second.empty()) by_manager_.erase(manager);
  all_.erase(at);
}

// By its resource manager's clock, a job may have ended kClocks later than it was accounted here.
// A silent resource manager reports the end again when it is back.
void LatelyEnded::forget(const ManagerContact& managers, Time now) {
  constexpr Seconds kLong = kClocks + kClocks;
  std::vector<Number> gone;
  for (const auto& [manager, numbers] : by_manager_) {
    const Time heard = managers.heard(manager).value_or(now);  // never later than now
    for (const Number number : numbers) {
      ++examined_;
      if (heard - all_.at(number).accounted <= kLong) break;
      gone.push_back(number);
    }
  }
  for (const Number number : gone) drop(number);
}

void LatelyEnded::shift(Seconds by) {
  for (auto& [number, ended] : all_) {
    ended.accounted = ended.accounted + by;
    maui::shift(ended, by);
  }
}

const Checkpoint::Ended* LatelyEnded::find(const std::string& name, const std::string& manager,
                                           Time submitted) const {
  const Checkpoint::Ended* last = nullptr;
  Number number = 0;
  bool exact = false;
  for (auto at = by_name_.lower_bound({name, submitted - kClocks, {}}); at != by_name_.end();
       ++at) {
    const auto& [its_name, its_time, its_manager] = at->first;
    if (its_name != name || !about(its_time, submitted)) break;
    ++examined_;
    if (its_manager != manager && !its_manager.empty()) continue;
    const bool same_time = its_time == submitted;
    if (same_time == exact ? at->second < number : exact) continue;
    exact = same_time;
    number = at->second;
    last = &all_.at(number);
  }
  return last;
}

const Checkpoint::Ended* LatelyEnded::find_renamed(const std::string& name, const std::string& user,
                                                   Time submitted,
                                                   const std::set<std::string>& configured) const {
  for (auto at = by_name_.lower_bound({name, submitted, {}}); at != by_name_.end(); ++at) {
    const auto& [its_name, its_time, its_manager] = at->first;
    if (its_name != name || its_time != submitted) break;
    ++examined_;
    const Checkpoint::Ended& ended = all_.at(at->second);
    if (!configured.contains(its_manager) && ended.user == user) return &ended;
  }
  return nullptr;
}

std::vector<Checkpoint::Ended> LatelyEnded::all() const {
  std::vector<Checkpoint::Ended> out;
  out.reserve(all_.size());
  for (const auto& [number, ended] : all_) out.push_back(ended);
  return out;
}

}  // namespace maui
