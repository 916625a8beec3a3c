// Asks a program one question, without waiting: the scheduler goes on serving its clients.
#pragma once
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <string>

#include "maui/result.h"

namespace maui {

struct InquiryLimits {
  std::chrono::milliseconds time{2000};
  std::size_t answer = std::size_t{16} << 20;  // bytes
};

/// Runs the program at `path`, without a shell, and writes `question` to its standard input.  Calls
/// `done` from the loop, once: with what it wrote to its standard output, or with why there is no
/// answer: it cannot be run, fails, is late or writes too much.  Then it is killed, and what it
/// started with it.
void inquire(boost::asio::io_context& io, const std::string& path, std::string question,
             InquiryLimits limits, std::function<void(Result<std::string>)> done);

}  // namespace maui
