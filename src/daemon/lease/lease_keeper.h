// Keeps a lease that was taken: renews it in a thread of its own, so that neither a long iteration
// nor a slow disk of the log costs it, and moves the fence (base/fence.h) along with it.
//
// A renewal counts from the moment before it for four fifths of LEASETIME: then nothing passes the
// fence any more, a fifth before anybody else could believe its holder dead.  Where another has
// taken it, the process ends at once and writes nothing.
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

/// The exit status of a scheduler whose lease another has: it may stand by.
inline constexpr int kLeaseLost = 75;

class LeaseKeeper {
 public:
  /// `begun`: boot_time() before the lease was taken.
  LeaseKeeper(std::unique_ptr<LeaseStore> store, LeaseRecord mine, std::chrono::nanoseconds begun);
  /// Releases it: whoever stands by takes over at once.  The fence stays closed.
  ~LeaseKeeper();
  LeaseKeeper(const LeaseKeeper&) = delete;
  LeaseKeeper& operator=(const LeaseKeeper&) = delete;

  std::int64_t generation() const { return mine_.generation; }

 private:
  void run();
  void renew();
  [[noreturn]] void end();

  std::unique_ptr<LeaseStore> store_;
  LeaseRecord mine_;
  std::chrono::nanoseconds time_;
  bool failing_ = false;
  bool ending_ = false;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;  // last: it begins when all else is there
};

/// The host, process and machine of this scheduler.
LeaseRecord lease_of_this_process(std::int64_t generation, std::chrono::milliseconds time);
/// Says it where people look while there is no log yet, or none that may be written: on standard
/// error, and in the system's log.  May be called by any thread.
void announce(bool grave, const std::string& text);

}  // namespace maui
