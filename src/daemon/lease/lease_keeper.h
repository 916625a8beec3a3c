// Holds a lease that was taken: a thread renews it, so that neither a long iteration nor a slow
// disk for the log loses the lease, and moves the fence (base/fence.h) along with it.
//
// A renewal is valid for four fifths of LEASETIME from the time before it: after that nothing
// passes the fence, a fifth of LEASETIME before others could consider the holder dead.  If another
// scheduler has taken the lease, the process ends at once and writes nothing.
#pragma once
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "daemon/lease/lease_store.h"

namespace maui {

/// The exit status of a scheduler whose lease was taken by another; it may then stand by.
inline constexpr int kLeaseLost = 75;

class LeaseKeeper {
 public:
  /// `begun`: boot_time() before the lease was taken.  If there can be no thread, releases the
  /// lease and throws std::system_error.
  LeaseKeeper(std::unique_ptr<LeaseStore> store, LeaseRecord mine, std::chrono::nanoseconds begun);
  /// Releases the lease, so that a standby takes over at once.  The fence stays closed.
  ~LeaseKeeper();
  LeaseKeeper(const LeaseKeeper&) = delete;
  LeaseKeeper& operator=(const LeaseKeeper&) = delete;

  std::int64_t generation() const { return mine_.generation; }

 private:
  void run();
  void renew();
  void release();
  [[noreturn]] void end();

  std::unique_ptr<LeaseStore> store_;
  LeaseRecord mine_;
  std::chrono::nanoseconds time_;
  bool failing_ = false;
  bool ending_ = false;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;  // last: starts after the other members
};

/// Returns a record with the host, process and boot of this scheduler.
LeaseRecord lease_of_this_process(std::int64_t generation, std::chrono::milliseconds time);
/// Reports `text` where there is no log, or the log may not be written: on standard error and in
/// the system log.  May be called by any thread.
void announce(bool grave, const std::string& text);

}  // namespace maui
