// The scheduler as signals control it: SIGHUP has the configuration read again, SIGUSR1 and SIGUSR2
// change the level of the log, SIGTERM and SIGINT end the scheduler, and so does the end of the
// terminal in which it runs.
#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <functional>
#include <string_view>
#include <utility>

#include "daemon/logging/lines.h"
#include "daemon/logging/log.h"

namespace maui {

class SignalControl {
 public:
  /// All must outlive it.
  struct Surroundings {
    boost::asio::io_context& io;
    Log& log;
    Lines& lines;
    std::function<bool()> has_terminal;
    std::function<void()> update_clock;  // before anything is done for a signal
    std::function<void()> reload;        // reads the configuration again, and logs its errors
  };

  explicit SignalControl(Surroundings surroundings)
      : around_(std::move(surroundings)),
        signals_(around_.io),
        had_terminal_(around_.has_terminal()) {}

  /// Handles signals from now on, also those that were kept waiting (awaited_signals.h).
  void begin();
  /// True once a signal has ended the scheduler.
  bool ending() const { return ending_; }

 private:
  void await();
  void handle(int number);
  void end(std::string_view why);

  Surroundings around_;
  boost::asio::signal_set signals_;
  const bool had_terminal_;
  bool ending_ = false;
};

}  // namespace maui
