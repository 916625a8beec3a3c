#include "proto/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/sorted.h"
#include "base/text.h"

namespace maui {
namespace {

constexpr Seconds kDay{24 * 3600};

Freshness refused(std::string why, bool stored = false) {
  return {Freshness::Verdict::refused, std::move(why), stored};
}

}  // namespace

Freshness ReplayGuard::admit(std::string_view checksum, std::int64_t timestamp, std::int64_t now) {
  const std::int64_t kept = std::max(window_, kDay).raw();
  while (!seen_.empty() && seen_.begin()->first < now - kept) forget_oldest();
  // Honest messages have seconds since 1970; a hostile timestamp must not cause an overflow.
  const bool early = timestamp < now && now - timestamp > window_.raw();
  const bool late = timestamp > now && timestamp - now > window_.raw();
  if (early || late)
    return refused(
        fmt::format("its time is {} {} the server's; CLIENTMAXSKEW allows {}",
                    counted(early ? now - timestamp : timestamp - now, "second"),
                    early ? "behind" : "ahead of", window_.raw()),
        timestamp >= floor_ && timestamp < kForever.raw() && add(timestamp, digest(checksum)));
  if (timestamp < floor_)
    return {Freshness::Verdict::unknown,
            fmt::format("it was signed {} before the time from which messages count",
                        counted(floor_ - timestamp, "second"))};
  if (!add(timestamp, digest(checksum))) return refused("it repeats an earlier message");
  return {.stored = true};
}

void ReplayGuard::begin_at(std::int64_t floor) { floor_ = std::max(floor_, floor); }

void ReplayGuard::restore(const std::map<std::int64_t, Digests>& messages) {
  for (const auto& [timestamp, digests] : messages) {
    if (timestamp < floor_) continue;
    Digests& known = seen_[timestamp];
    count_ -= known.size();
    add_all_sorted(known, digests);
    count_ += known.size();
  }
  while (count_ > most_) forget_oldest();
}

std::int64_t ReplayGuard::end() const {
  return seen_.empty() ? floor_ : std::max(floor_, seen_.rbegin()->first + 1);
}

bool ReplayGuard::add(std::int64_t timestamp, std::uint64_t digest) {
  if (!add_sorted(seen_[timestamp], digest)) return false;
  ++count_;
  while (count_ > most_) forget_oldest();
  return true;
}

// FNV-1a: the same in every process.  An attacker cannot choose checksums that are authentic.
std::uint64_t ReplayGuard::digest(std::string_view checksum) {
  std::uint64_t value = 14695981039346656037U;
  for (const char c : checksum) value = (value ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return value;
}

void ReplayGuard::forget_oldest() {
  const auto oldest = seen_.begin();
  begin_at(oldest->first + 1);
  count_ -= oldest->second.size();
  seen_.erase(oldest);
}

}  // namespace maui
