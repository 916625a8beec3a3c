// Work on a long answer in slices, between which others have their turn.
#pragma once
#include <functional>
#include <utility>

namespace maui {

/// Calls what it is given once others have had their turn; empty: there are none.
using Later = std::function<void(std::function<void()>)>;

/// Calls `step` again and again, others having their turn in between, until it returns true; then
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
