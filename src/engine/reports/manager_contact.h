// How far the resource managers' answers can be relied on: which of them do not answer, until when
// each has been heard, and whose last answer shows all that was asked of it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "maui/units.h"

namespace maui {

class ManagerContact {
 public:
  /// A resource manager is asked to do something.
  void note_request() { ++requests_; }
  void poll_begins() { requests_at_poll_ = requests_; }
  /// The answers of `certain` are not to be doubted, unless something was asked for meanwhile,
  /// which they may not show.
  void poll_answered(std::vector<std::string> certain) {
    certain_ = std::move(certain);
    if (requests_ != requests_at_poll_) certain_.clear();
  }
  bool certain(const std::string& manager) const { return contains(certain_, manager); }

  void set_silent(std::vector<std::string> managers) { silent_ = std::move(managers); }
  const std::vector<std::string>& silent() const { return silent_; }
  bool silent(const std::string& manager) const { return contains(silent_, manager); }

  /// It has answered by `now`, unless it is silent.
  void note_heard(const std::string& manager, Time now) {
    if (!silent(manager)) heard_[manager] = now;
  }
  /// Returns until when it has been heard; nothing if it never was.
  std::optional<Time> heard(const std::string& manager) const {
    const auto at = heard_.find(manager);
    return at == heard_.end() ? std::nullopt : std::optional(at->second);
  }
  const std::map<std::string, Time>& all_heard() const { return heard_; }
  void restore_heard(std::map<std::string, Time> heard) { heard_ = std::move(heard); }
  /// The clock was set.
  void shift(Seconds by) {
    for (auto& [manager, when] : heard_) when = when + by;
  }

 private:
  static bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  std::uint64_t requests_ = 0, requests_at_poll_ = 0;
  std::vector<std::string> silent_, certain_;
  std::map<std::string, Time> heard_;
};

}  // namespace maui
