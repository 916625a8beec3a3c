// Asks a program one question: it is run without a shell, for a limited time.
#pragma once
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "daemon/programs/spawn.h"
#include "maui/result.h"

namespace maui {

struct InquiryLimits {
  std::chrono::milliseconds time{2000};
  std::size_t answer = std::size_t{16} << 20;  // bytes
};

struct ProgramCall {
  std::string path;
  std::vector<std::string> arguments{};
  Whose whose = Whose::site;
};

/// Runs the program and writes `question` to its standard input, without waiting: the scheduler
/// goes on serving its clients.  Calls `done` from the loop, once: with what it wrote to its
/// standard output, or with why there is no answer: it cannot be run, fails, is late or writes too
/// much.  Then it is killed, and what it started with it.
void inquire(boost::asio::io_context& io, ProgramCall call, std::string question,
             InquiryLimits limits, std::function<void(Result<std::string>)> done);

/// The same for those who cannot go on without the answer: nothing else is done meanwhile.
Result<std::string> inquire_and_wait(ProgramCall call, std::string question, InquiryLimits limits);

}  // namespace maui
