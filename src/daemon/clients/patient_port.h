// A port of the scheduler's own, which is opened as soon as no other program has it: any user of
// this machine may take a port, and must not keep the scheduler from working.
#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <string>
#include <string_view>

#include "maui/result.h"

namespace maui {

class PatientPort {
 public:
  using Log = std::function<void(std::string_view line)>;
  struct Port {
    int number = 0;
    std::function<Status()> listen;
    /// True if the last listen() failed because another program has the port.
    std::function<bool()> is_taken;
    std::string while_taken;  // the effect, for the log: "other hosts are not served"
    std::string once_free;    // what changes then; empty: listen() logs that itself
  };

  PatientPort(boost::asio::io_context& io, Log log) : due_(io), log_(std::move(log)) {}

  /// Opens the port now, or later if another program has it.  Returns any other error.
  Status open(Port port);
  void cancel() { due_.cancel(); }

 private:
  Status attempt();

  boost::asio::steady_timer due_;
  Log log_;
  Port port_;
};

}  // namespace maui
