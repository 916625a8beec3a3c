#include "rm/waiting_cancellations.h"

#include <utility>

namespace maui {

void WaitingCancellations::add(UserId user, Cancellation cancellation) {
  auto& waiting = of_user_[user];
  if (waiting.empty()) turns_.push_back(user);
  waiting.push_back(std::move(cancellation));
}

Cancellation WaitingCancellations::take() {
  const UserId user = turns_.front();
  turns_.pop_front();
  const auto at = of_user_.find(user);
  Cancellation next = std::move(at->second.front());
  at->second.pop_front();
  if (at->second.empty())
    of_user_.erase(at);
  else
    turns_.push_back(user);
  return next;
}

std::vector<Cancellation> WaitingCancellations::take_all() {
  std::vector<Cancellation> all;
  while (!empty()) all.push_back(take());
  return all;
}

}  // namespace maui
