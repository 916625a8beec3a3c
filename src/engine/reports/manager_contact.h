// Records how far the resource managers' answers can be relied on: the managers that do not answer,
// those that listed their jobs incompletely, the time until which each has been heard from, and
// those whose last answer includes the effects of all requests.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "maui/units.h"

namespace maui {

/// Shifts the times of last answers by `by`, a negative step of the clock, and notes in `before`
/// what they were.
inline void set_back(std::map<std::string, Time>& heard, std::map<std::string, Time>& before,
                     Seconds by) {
  for (auto& [manager, when] : heard) {
    Time& latest = before.try_emplace(manager, when).first->second;
    latest = std::max(latest, when);
    when = when + by;
  }
}

class ManagerContact {
 public:
  /// Notes a request to a resource manager.
  void note_request() { ++requests_; }
  void poll_begins() { requests_at_poll_ = requests_; }
  /// The answers of `certain` are not to be doubted, unless a request was made since the poll
  /// began: the answers may not include its effect.
  void poll_answered(std::vector<std::string> certain) {
    certain_ = std::move(certain);
    if (requests_ != requests_at_poll_) certain_.clear();
  }
  bool certain(const std::string& manager) const { return contains(certain_, manager); }

  void set_silent(std::vector<std::string> managers) { silent_ = std::move(managers); }
  const std::vector<std::string>& silent() const { return silent_; }
  bool silent(const std::string& manager) const { return contains(silent_, manager); }

  void set_incomplete(std::vector<std::string> managers) { incomplete_ = std::move(managers); }
  /// Returns true if its last answer lists all of its jobs.
  bool lists_all_jobs(const std::string& manager) const {
    return !silent(manager) && !contains(incomplete_, manager);
  }

  /// Notes that the resource manager has answered what it was asked at `asked`, unless it is
  /// silent.
  void note_heard(const std::string& manager, Time asked) {
    if (!silent(manager)) {
      heard_[manager] = answered_[manager] = asked;
      failing_.erase(manager);
    }
    std::erase_if(heard_before_, [asked](const auto& known) { return known.second <= asked; });
    if (lists_all_jobs(manager)) listed_.insert(manager);
  }
  /// Notes that the resource manager has failed to answer.
  void note_failure(const std::string& manager) { failing_.insert(manager); }
  /// Returns until when a job was in the state that the resource manager no longer reports of it:
  /// nothing is known of the time in which it did not answer.
  Time last_known(const std::string& manager, Time now) const {
    return failing_.contains(manager) ? std::min(answered(manager).value_or(now), now) : now;
  }
  /// True if it has listed all of its jobs since the scheduler started.
  bool has_listed(const std::string& manager) const { return listed_.contains(manager); }
  /// True if the last answers of all resource managers list all of their jobs.
  bool all_list_all_jobs() const { return silent_.empty() && incomplete_.empty(); }
  /// Returns until when it has been heard from; nullopt if never.
  std::optional<Time> heard(const std::string& manager) const {
    const auto at = heard_.find(manager);
    return at == heard_.end() ? std::nullopt : std::optional(at->second);
  }
  /// The same by the clock as it stood before it was set back, while that is later than now:
  /// answers may still have such times.
  std::optional<Time> heard_before(const std::string& manager) const {
    const auto at = heard_before_.find(manager);
    return at == heard_before_.end() ? std::nullopt : std::optional(at->second);
  }
  /// Returns the same as heard() by the clock as it now stands, whichever way it was set since.
  std::optional<Time> answered(const std::string& manager) const {
    const auto at = answered_.find(manager);
    return at == answered_.end() ? std::nullopt : std::optional(at->second);
  }
  const std::map<std::string, Time>& all_heard() const { return heard_; }
  const std::map<std::string, Time>& all_heard_before() const { return heard_before_; }
  void restore_heard(std::map<std::string, Time> heard, std::map<std::string, Time> before) {
    heard_ = answered_ = std::move(heard);
    heard_before_ = std::move(before);
  }
  /// Shifts the times of last answers by a step of the clock.  After a step forward, heard() stays:
  /// by the clock, what ends now may have ended before.
  void clock_stepped(Seconds by) {
    for (auto& [manager, when] : answered_) when = when + by;
    if (by < Seconds(0)) set_back(heard_, heard_before_, by);
  }

 private:
  static bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  std::uint64_t requests_ = 0, requests_at_poll_ = 0;
  std::vector<std::string> silent_, incomplete_, certain_;
  std::map<std::string, Time> heard_, heard_before_, answered_;
  std::set<std::string> listed_;
  std::set<std::string> failing_;  // have not answered since
};

}  // namespace maui
