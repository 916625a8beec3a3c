// The result of a command that may have to ask a resource manager, which answers at once or later.
#pragma once
#include <functional>
#include <memory>
#include <utility>

#include "maui/result.h"

namespace maui {

/// The answer of a resource manager that has not come yet.
struct AwaitedAnswer {
  /// Set by whoever waits for it; called once.  An error says what could not be done, and why.
  std::function<void(const Status&)> then;
};

/// While an answer is awaited, the status is a success: what the command wants is taken as done,
/// and undone if the answer is a refusal.
struct CommandResult : Status {
  CommandResult(Done) : Status(Done{}) {}
  CommandResult(Error error) : Status(std::move(error)) {}
  CommandResult(Status status, std::shared_ptr<AwaitedAnswer> later = nullptr)
      : Status(std::move(status)), awaited(std::move(later)) {}
  std::shared_ptr<AwaitedAnswer> awaited;  // null: nothing is awaited
};

}  // namespace maui
