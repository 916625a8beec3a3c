// The requests of all jobs of a cluster.  Jobs with equal requests share one id.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "maui/asked_amounts.h"
#include "maui/request.h"
#include "maui/units.h"

namespace maui {

class RequestTable {
 public:
  /// Returns the id of the request, which has one more user.
  RequestId add_user(Request request);
  /// Takes a user from the request.  Without users, its id is free for another request.
  void drop_user(RequestId id);

  const Request& operator[](RequestId id) const { return *entries_[id.index()].request; }
  /// An upper bound: every id is less than size().
  std::size_t size() const { return entries_.size(); }
  std::uint32_t users(RequestId id) const { return entries_[id.index()].users; }
  /// A serial that distinguishes successive requests with the same id.
  std::uint64_t serial(RequestId id) const { return entries_[id.index()].serial; }
  /// The serial of the newest request; 0 before the first.
  std::uint64_t newest() const { return newest_; }
  /// The amounts that the requests ask for.
  const AskedAmounts& asked() const { return asked_; }
  /// True if, because of some request, some nodes may be a user's own.
  bool users_matter() const { return for_one_user_ > 0; }

 private:
  struct Entry {
    std::optional<Request> request;
    std::size_t hash = 0;
    std::uint32_t users = 0;
    std::uint64_t serial = 0;
  };

  std::vector<Entry> entries_;
  AskedAmounts asked_;
  std::vector<RequestId> free_;
  std::unordered_multimap<std::size_t, RequestId> by_hash_;
  std::uint64_t newest_ = 0;
  std::int64_t for_one_user_ = 0;
};

}  // namespace maui
