#include "daemon/logging/line_budget.h"

#include <utility>

namespace maui {
namespace {

constexpr std::size_t kMostParties = 4096;

}  // namespace

std::optional<std::int64_t> LineBudget::take(const std::string& party, Moment now) {
  auto at = parties_.find(party);
  if (at == parties_.end()) {
    forget_quiet(now);
    const TokenBucket lines(allowance_.each, allowance_.each_again);
    at = parties_.emplace(party, Party{lines, 0}).first;
  }
  auto& [lines, withheld] = at->second;
  if (!lines.any(now) || !all_.any(now)) {
    ++withheld;
    return std::nullopt;
  }
  lines.take(now);
  all_.take(now);
  return std::exchange(withheld, 0);
}

/// Drops parties whose budget is full again, together with their counts of suppressed lines.
void LineBudget::forget_quiet(Moment now) {
  if (parties_.size() < kMostParties) return;
  std::erase_if(parties_, [now](const auto& entry) { return entry.second.lines.full(now); });
  if (parties_.size() >= kMostParties)
    parties_.clear();  // the common budget of all parties still limits lines
}

}  // namespace maui
