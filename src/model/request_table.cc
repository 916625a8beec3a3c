#include "maui/request_table.h"

#include <algorithm>
#include <utility>

#include "model/keys.h"

namespace maui {
namespace {

/// True if some nodes may be a user's own because of such a job.
bool for_one_user(JobAccess access) {
  return access.usual == NodeAccess::single_user || access.demanded == NodeAccess::single_user;
}

}  // namespace

RequestId RequestTable::add_user(Request request) {
  const std::size_t hash = hash_of(request);
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto at = first; at != last; ++at) {
    Entry& known = entries_[at->second.index()];
    if (*known.request != request) continue;
    ++known.users;
    return at->second;
  }
  RequestId id(entries_.size());
  if (free_.empty()) {
    entries_.emplace_back();
  } else {
    id = free_.back();
    free_.pop_back();
  }
  if (for_one_user(request.access)) ++for_one_user_;
  asked_.add(request);
  entries_[id.index()] = {std::move(request), hash, 1, ++newest_};
  by_hash_.emplace(hash, id);
  return id;
}

void RequestTable::drop_user(RequestId id) {
  Entry& known = entries_[id.index()];
  if (--known.users > 0) return;
  const auto [first, last] = by_hash_.equal_range(known.hash);
  by_hash_.erase(std::find_if(first, last, [id](const auto& row) { return row.second == id; }));
  if (for_one_user(known.request->access)) --for_one_user_;
  asked_.remove(*known.request);
  known.request.reset();
  free_.push_back(id);
}

}  // namespace maui
