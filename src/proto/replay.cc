#include "proto/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/sorted.h"
#include "base/text.h"

namespace maui {
namespace {

constexpr Seconds kDay{24 * 3600};

}  // namespace

Status ReplayGuard::admit(std::string_view checksum, std::int64_t timestamp, std::int64_t now) {
  const std::int64_t kept = std::max(window_, kDay).raw();
  while (!seen_.empty() && seen_.begin()->first < now - kept) forget_oldest();
  // Honest messages have seconds since 1970; a hostile timestamp must not cause an overflow.
  const bool early = timestamp < now && now - timestamp > window_.raw();
  const bool late = timestamp > now && timestamp - now > window_.raw();
  if (early || late)
    return Error{fmt::format("its time is {} {} the server's; CLIENTMAXSKEW allows {}",
                             counted(early ? now - timestamp : timestamp - now, "second"),
                             early ? "behind" : "ahead of", window_.raw())};
  if (timestamp < begin_)
    return Error{fmt::format("it was signed {} before the server began to listen",
                             counted(begin_ - timestamp, "second"))};
  const auto later = begins_.upper_bound(now);
  if (later != begins_.begin() && timestamp < *std::prev(later))
    return Error{fmt::format("it was signed {} before an earlier server began to listen",
                             counted(*std::prev(later) - timestamp, "second"))};
  if (timestamp < floor_)
    return Error{fmt::format("its time is {} earlier than the server's record of messages",
                             counted(floor_ - timestamp, "second"))};
  if (!add(timestamp, digest(checksum))) return Error{"it repeats an earlier message"};
  return Done{};
}

void ReplayGuard::begin_at(std::int64_t begin) {
  begin_ = begin;
  restore_begin(begin);
}

void ReplayGuard::restore_begin(std::int64_t begin) {
  begins_.insert(begin);
  if (begins_.size() > kMostBegins) begins_.erase(begins_.begin());
}

void ReplayGuard::restore(std::int64_t timestamp, std::uint64_t digest) {
  if (timestamp >= floor_) add(timestamp, digest);
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
  floor_ = std::max(floor_, oldest->first + 1);
  count_ -= oldest->second.size();
  seen_.erase(oldest);
}

}  // namespace maui
