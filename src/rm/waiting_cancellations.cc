#include "rm/waiting_cancellations.h"

#include <algorithm>
#include <utility>

namespace maui {

void WaitingCancellations::add(Cancellation cancellation) {
  const UserId user = cancellation.user;
  auto& waiting = of_user_[user];
  if (waiting.empty()) turns_.push_back(user);
  waiting.push_back(std::move(cancellation));
}

Cancellation WaitingCancellations::take_from(std::deque<UserId>::iterator turn) {
  const UserId user = *turn;
  turns_.erase(turn);
  const auto at = of_user_.find(user);
  Cancellation next = std::move(at->second.front());
  at->second.pop_front();
  if (at->second.empty())
    of_user_.erase(at);
  else
    turns_.push_back(user);
  return next;
}

std::optional<Cancellation> WaitingCancellations::take() {
  if (all_under_way_ >= kMost) return std::nullopt;
  const auto turn = std::find_if(turns_.begin(), turns_.end(), [this](UserId user) {
    const auto at = under_way_.find(user);
    return at == under_way_.end() || at->second < kMostOfUser;
  });
  if (turn == turns_.end()) return std::nullopt;
  ++under_way_[*turn];
  ++all_under_way_;
  return take_from(turn);
}

void WaitingCancellations::answered(UserId user) {
  --all_under_way_;
  if (const auto at = under_way_.find(user); --at->second == 0) under_way_.erase(at);
}

std::vector<Cancellation> WaitingCancellations::take_all() {
  std::vector<Cancellation> all;
  while (!turns_.empty()) all.push_back(take_from(turns_.begin()));
  return all;
}

}  // namespace maui
