// A scheduler that is ending says so: for some seconds it may still wait for answers and programs,
// and holds its lock and its lease.  A start then waits instead of being refused, so that
// `schedctl -k; maui` starts the next scheduler.
//
// The mark is a file in memory with the identity of the home directory as its name, like that of
// the lock (lock_holders.h).  It shows only on the same host.
#pragma once
#include <chrono>
#include <functional>
#include <string>
#include <utility>

namespace maui {

class EndMark {
 public:
  explicit EndMark(std::string home) : home_(std::move(home)) {}
  ~EndMark();
  EndMark(const EndMark&) = delete;
  EndMark& operator=(const EndMark&) = delete;

  /// Shows the mark until destruction, which must come after the lock and the lease are given up.
  /// Without a mark, if it cannot be made, other starts are refused as before.
  void show();

 private:
  std::string home_;
  int mark_ = -1;
};

/// Waits, `most` at most, while a scheduler of this home directory on this host shows its mark.
/// Calls `waiting` once before a wait.  Returns at once if none does.
void await_end(const std::string& home, std::chrono::milliseconds most,
               const std::function<void()>& waiting);

}  // namespace maui
