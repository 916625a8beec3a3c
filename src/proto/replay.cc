#include "proto/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace maui {

Status ReplayGuard::admit(std::string_view checksum, std::int64_t timestamp, std::int64_t now) {
  while (!seen_.empty() && seen_.begin()->first < now - window_.raw()) forget_oldest();
  // Both are seconds since 1970 as far as honest messages go; a hostile one must not overflow.
  const bool early = timestamp < now && now - timestamp > window_.raw();
  const bool late = timestamp > now && timestamp - now > window_.raw();
  if (early || late)
    return Error{fmt::format("its time is {} seconds {} the server's; CLIENTMAXSKEW allows {}",
                             early ? now - timestamp : timestamp - now,
                             early ? "behind" : "ahead of", window_.raw())};
  if (timestamp < floor_)
    return Error{fmt::format("its time is {} seconds before what the server can remember",
                             floor_ - timestamp)};
  const std::size_t hash = std::hash<std::string_view>{}(checksum);
  auto& known = seen_[timestamp];
  const auto at = std::lower_bound(known.begin(), known.end(), hash);
  if (at != known.end() && *at == hash)
    return Error{"it is the repetition of a message that came before"};
  known.insert(at, hash);
  ++count_;
  while (count_ > most_) forget_oldest();
  return Done{};
}

void ReplayGuard::forget_oldest() {
  const auto oldest = seen_.begin();
  floor_ = std::max(floor_, oldest->first + 1);
  count_ -= oldest->second.size();
  seen_.erase(oldest);
}

}  // namespace maui
