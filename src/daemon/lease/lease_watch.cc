#include "daemon/lease/lease_watch.h"

#include <algorithm>

namespace maui {

LeaseWatch::Verdict LeaseWatch::look(const std::optional<LeaseSeen>& seen,
                                     std::chrono::nanoseconds now) {
  if (!looked_ || seen != last_) {
    alive_ = looked_ && seen && !(seen->record && seen->record->released);
    looked_ = true;
    last_ = seen;
    since_ = now;
  }
  length_ = time_;
  if (seen && seen->record) length_ = std::max<std::chrono::nanoseconds>(time_, seen->record->time);
  if (seen && seen->record && seen->record->released) return Verdict::over;
  if (now - since_ >= length_) return Verdict::over;
  return alive_ ? Verdict::alive : Verdict::unknown;
}

std::chrono::nanoseconds LeaseWatch::left(std::chrono::nanoseconds now) const {
  return std::max(since_ + length_ - now, std::chrono::nanoseconds(0));
}

}  // namespace maui
