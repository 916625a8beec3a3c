// Those who wait for the answer to one request, which several commands may have asked for.
#pragma once
#include <map>
#include <utility>
#include <vector>

#include "maui/resource_manager.h"

namespace maui {

/// `Key`: tells requests apart.
template <class Key>
class SharedAnswers {
 public:
  bool any(const Key& key) const { return waiting_.contains(key); }
  /// Lets `reply` wait for the answer; returns true if nobody else does.
  bool wait(const Key& key, ResourceManager::Answer reply) {
    auto& waiting = waiting_[key];
    waiting.push_back(std::move(reply));
    return waiting.size() == 1;
  }
  /// Calls everybody who waits.
  void give(const Key& key, const Status& status) {
    const auto waiting = waiting_.extract(key);
    if (!waiting) return;
    for (const ResourceManager::Answer& reply : waiting.mapped()) reply(status);
  }

 private:
  std::map<Key, std::vector<ResourceManager::Answer>> waiting_;
};

}  // namespace maui
