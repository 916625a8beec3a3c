#include "cmd/awaited_answers.h"

#include <fmt/format.h>

#include <utility>

namespace maui {

void AwaitedAnswers::add(const std::string& name, const CommandResult& result) {
  if (!result.awaited) return;
  const auto awaited = all_.emplace(name, std::make_shared<Awaited>())->second;
  ++missing_;
  result.awaited->then = [self = weak_from_this(), awaited](const Status& status) {
    const auto answers = self.lock();
    if (!answers) return;
    awaited->answered = true;
    awaited->status = status;
    if (--answers->missing_ == 0 && !answers->given_up_) answers->over();
  };
}

void AwaitedAnswers::give_up() {
  if (!any()) return;
  given_up_ = true;
  over();
}

void AwaitedAnswers::over() {
  if (const auto then = std::exchange(then_, nullptr)) then();
}

void AwaitedAnswers::correct(std::vector<Outcome>& outcomes) const {
  for (Outcome& outcome : outcomes) {
    const auto [first, last] = all_.equal_range(outcome.name);
    for (auto at = first; at != last; ++at) {
      const Awaited& awaited = *at->second;
      if (!awaited.answered) {
        outcome.reason = fmt::format(
            "'{}': the resource manager has not answered yet; its answer goes to the log",
            outcome.name);
      } else if (!awaited.status) {
        outcome.done = false;
        outcome.reason = awaited.status.error().what;
      }
    }
  }
}

}  // namespace maui
