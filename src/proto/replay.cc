#include "proto/replay.h"

#include <fmt/format.h>

#include <algorithm>

namespace maui {
namespace {

// So much of a checksum tells messages of one second apart, and takes little memory.
constexpr std::size_t kBeginning = 15;

}  // namespace

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
  if (!seen_[timestamp].emplace(checksum.substr(0, kBeginning)).second)
    return Error{"it is the repetition of a message that came before"};
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
