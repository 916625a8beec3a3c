// The credentials of all jobs of a cluster that wait or run, or have done so.  Equal credentials
// share one id until it is given up.
#pragma once
#include <cstddef>
#include <deque>
#include <unordered_map>
#include <vector>

#include "maui/job.h"
#include "maui/units.h"

namespace maui {

class CredentialsTable {
 public:
  CredentialsId intern(const Credentials& who);
  const Credentials& operator[](CredentialsId id) const { return all_[id.index()]; }
  /// An upper bound: every id is less than size().
  std::size_t size() const { return all_.size(); }
  /// Frees each id with used[id] == 0.  Requires that nothing refers to it.
  void give_up(const std::vector<char>& used);

 private:
  std::deque<Credentials> all_;
  std::vector<CredentialsId> free_;
  std::unordered_map<Credentials, CredentialsId, Credentials::Hash> ids_;
};

}  // namespace maui
