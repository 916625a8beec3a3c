#include "proto/replay.h"

#include <fmt/format.h>

namespace maui {

Status ReplayGuard::admit(std::string_view checksum, std::int64_t timestamp, std::int64_t now) {
  forget_before(now - window_.raw());
  // Both are seconds since 1970 as far as honest messages go; a hostile one must not overflow.
  const bool early = timestamp < now && now - timestamp > window_.raw();
  const bool late = timestamp > now && timestamp - now > window_.raw();
  if (early || late)
    return Error{fmt::format("its time is {} seconds {} the server's; CLIENTMAXSKEW allows {}",
                             early ? now - timestamp : timestamp - now,
                             early ? "behind" : "ahead of", window_.raw())};
  if (timestamp < floor_)
    return Error{
        fmt::format("its time is {} seconds before the server's start", floor_ - timestamp)};
  if (!seen_.emplace(checksum).second)
    return Error{"it is the repetition of a message that came before"};
  by_time_.emplace(timestamp, checksum);
  return Done{};
}

void ReplayGuard::forget_before(std::int64_t oldest) {
  while (!by_time_.empty() && by_time_.begin()->first < oldest) {
    seen_.erase(by_time_.begin()->second);
    if (by_time_.begin()->first >= floor_) floor_ = by_time_.begin()->first + 1;
    by_time_.erase(by_time_.begin());
  }
}

}  // namespace maui
