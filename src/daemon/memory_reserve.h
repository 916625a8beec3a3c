// A reserve of memory for the time when memory runs out: the scheduler uses it to complete its work
// under way, and begins nothing new until it can allocate the reserve again.
#pragma once
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

namespace maui {

/// Allocates the reserve.  A failed allocation releases the reserve and is tried again.
void keep_memory_reserve(std::size_t bytes = std::size_t{32} << 20);
/// True if the reserve has been released; tries to allocate it again.
bool memory_is_short();

/// Keeps new work waiting while memory is short, and looks again after a second.
class MemoryGate {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit MemoryGate(std::function<bool()> is_short = memory_is_short)
      : is_short_(std::move(is_short)) {}

  /// Returns false if work must wait until looks_at().
  bool opens(Time now);
  Time looks_at() const { return next_look_; }
  /// Returns a line for the log if the gate has closed or opened since the last call.
  std::optional<std::string_view> news();

 private:
  std::function<bool()> is_short_;
  Time next_look_;
  bool closed_ = false, reported_closed_ = false;
};

}  // namespace maui
