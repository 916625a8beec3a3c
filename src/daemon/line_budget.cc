#include "daemon/line_budget.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace maui {
namespace {

constexpr std::size_t kMostParties = 4096;

}  // namespace

void LineBudget::fill(Purse& purse, int most, std::chrono::seconds again, Moment now) {
  const auto earned = (now - purse.counted) / again;
  if (earned <= 0) return;
  purse.left = static_cast<int>(std::min<std::int64_t>(most, purse.left + earned));
  purse.counted += earned * again;
}

std::optional<std::int64_t> LineBudget::take(const std::string& party, Moment now) {
  if (!all_) all_ = Purse{allowance_.all, now};
  fill(*all_, allowance_.all, allowance_.all_again, now);
  if (!parties_.contains(party)) forget_quiet(now);
  Purse& purse = parties_.try_emplace(party, Purse{allowance_.each, now}).first->second;
  fill(purse, allowance_.each, allowance_.each_again, now);
  if (purse.left == 0 || all_->left == 0) {
    ++purse.withheld;
    return std::nullopt;
  }
  --purse.left;
  --all_->left;
  return std::exchange(purse.withheld, 0);
}

/// Those that have all their lines again and owe no count are like new ones.
void LineBudget::forget_quiet(Moment now) {
  if (parties_.size() < kMostParties) return;
  for (auto at = parties_.begin(); at != parties_.end();) {
    fill(at->second, allowance_.each, allowance_.each_again, now);
    at = at->second.left == allowance_.each ? parties_.erase(at) : std::next(at);
  }
  if (parties_.size() >= kMostParties)
    parties_.clear();  // the lines of all are bounded all the same
}

}  // namespace maui
