#include "maui/credentials_table.h"

#include <algorithm>
#include <functional>

namespace maui {

CredentialsId CredentialsTable::intern(const Credentials& who) {
  const CredentialsId next = free_.empty() ? CredentialsId(all_.size()) : free_.back();
  const auto [at, added] = ids_.try_emplace(who, next);
  if (!added) return at->second;
  if (free_.empty()) {
    all_.push_back(who);
  } else {
    free_.pop_back();
    all_[next.index()] = who;
  }
  return next;
}

void CredentialsTable::give_up(const std::vector<char>& used) {
  std::erase_if(ids_, [&](const auto& entry) {
    if (used[entry.second.index()] != 0) return false;
    all_[entry.second.index()] = {};
    free_.push_back(entry.second);
    return true;
  });
  // Makes the order in which ids are reused deterministic.
  std::sort(free_.begin(), free_.end(), std::greater<>());
}

}  // namespace maui
