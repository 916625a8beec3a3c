// Splits the work on a long answer into slices, so that other handlers run between them.
#pragma once
#include <functional>
#include <utility>

namespace maui {

/// Calls its argument after other pending handlers have run; empty: there are no other handlers.
using Later = std::function<void(std::function<void()>)>;

/// Calls `step` until it returns true, lets other handlers run between the calls, and then calls
/// `then`.
inline void in_slices(const Later& later, std::function<bool()> step, std::function<void()> then) {
  while (!step())
    if (later)
      return later([later, step = std::move(step), then = std::move(then)]() mutable {
        in_slices(later, std::move(step), std::move(then));
      });
  then();
}

}  // namespace maui
