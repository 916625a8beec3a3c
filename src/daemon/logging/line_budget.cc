#include "daemon/logging/line_budget.h"

#include <algorithm>
#include <utility>

namespace maui {
namespace {

constexpr std::size_t kMostParties = 4096;
constexpr std::chrono::minutes kQuiet{1};

}  // namespace

void LineBudget::change(const LineAllowance& allowance) {
  allowance_ = allowance;
  all_ = TokenBucket(allowance.all, allowance.all_again);
  for (auto& [name, party] : parties_) party.lines = {allowance.each, allowance.each_again};
}

std::optional<std::int64_t> LineBudget::take(const std::string& party, Moment now,
                                             std::int64_t amount) {
  auto at = parties_.find(party);
  if (at == parties_.end()) {
    if (parties_.size() >= kMostParties) forget(now);
    at = parties_.emplace(party, Party{{allowance_.each, allowance_.each_again}}).first;
  }
  Party& its = at->second;
  if (!its.lines.any(now) || !all_.any(now)) {
    its.last = now;
    ++its.withheld;
    ++untold_;
    return std::nullopt;
  }
  its.lines.take(now, amount);
  all_.take(now, amount);
  untold_ -= its.withheld;
  return std::exchange(its.withheld, 0);
}

void LineBudget::charge(const std::string& party, Moment now, std::int64_t amount) {
  if (const auto at = parties_.find(party); at != parties_.end())
    at->second.lines.take(now, amount);
  all_.take(now, amount);
}

std::vector<LineBudget::Withheld> LineBudget::take_untold(Moment now, std::int64_t amount) {
  std::vector<Withheld> told;
  const auto tell = [&](const std::string& name, Party& party) {
    if (party.withheld == 0 || now - party.last < kQuiet || !all_.any(now)) return;
    all_.take(now, amount);
    untold_ -= party.withheld;
    told.push_back({name, std::exchange(party.withheld, 0)});
  };
  if (untold_ == 0) return told;
  for (auto& [name, party] : parties_) tell(name, party);
  tell("others", others_);
  return told;
}

/// Drops parties whose budget is full again; if that is not enough, all, since the common budget
/// of all parties still limits lines.
void LineBudget::forget(Moment now) {
  const auto drop = [this](const auto& entry) {
    others_.withheld += entry.second.withheld;
    others_.last = std::max(others_.last, entry.second.last);
    return true;
  };
  std::erase_if(parties_,
                [&](const auto& entry) { return entry.second.lines.full(now) && drop(entry); });
  if (parties_.size() >= kMostParties) std::erase_if(parties_, drop);
}

}  // namespace maui
