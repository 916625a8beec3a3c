// The watch over the home directory while the scheduler runs: what others find it by, the lock, the
// sockets and the log, stays in its place there.
#pragma once
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "daemon/alarm.h"
#include "daemon/files/lock_file.h"
#include "daemon/logging/lines.h"
#include "daemon/logging/log.h"

namespace maui {

class HomeWatch {
 public:
  /// All must outlive the watch.
  struct Surroundings {
    boost::asio::io_context& io;
    std::string home;
    bool shared = false;      // other users may be able to change its files
    bool simulation = false;  // may run anywhere, and ends by itself
    LockFile& lock;
    Log& log;
    Lines& lines;
    /// Makes the sockets again whose files were lost.
    std::function<void()> look_after_sockets;
    /// Gives up this process for one that runs in the directory that has replaced the home.
    std::function<void()> begin_anew;
  };

  explicit HomeWatch(Surroundings surroundings)
      : around_(std::move(surroundings)), next_look_(around_.io) {}

  /// Lets others no longer open the directory, and so lock it.
  void close_to_others();
  /// Makes lost files again, at most once in some seconds; resumes the loop when it is to be called
  /// again, also while nothing else happens.
  void look(std::chrono::steady_clock::time_point now);

 private:
  void log(std::string_view text) { around_.lines.write(0, "fCORE", text); }

  Surroundings around_;
  Alarm next_look_;
  std::chrono::steady_clock::time_point due_;
};

}  // namespace maui
