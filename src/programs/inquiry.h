// Asks a program one question: it is run without a shell, for a limited time.
#pragma once
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "maui/result.h"
#include "programs/spawn.h"

namespace maui {

struct InquiryLimits {
  std::chrono::milliseconds time{2000};
  std::size_t answer = std::size_t{16} << 20;  // bytes
};

struct ProgramCall {
  std::string path;
  std::vector<std::string> arguments{};
  Whose whose = Whose::site;
  std::vector<std::string> variables{};  // of its environment, beside those that are its own
  /// Processes that it leaves behind when it ends by itself go on; else they are killed, too.
  bool leaves_some_behind = false;
};

/// How a program ended.
struct ProgramOutcome {
  bool begun = false;     // it ran, be it for a moment
  std::string failure;    // why it did not end by itself; empty: it did, with that status
  int status = 0;         // its exit status; 128 and the number of a signal that ended it
  std::string output;     // of its standard output
  std::string complaint;  // the first line of its standard error
};

/// Runs the program and writes `question` to its standard input, without waiting: the scheduler
/// goes on serving its clients.  Calls `done` from the loop, once.  What is late or writes too much
/// is killed, and what it started with it.
void run_program(boost::asio::io_context& io, ProgramCall call, std::string question,
                 InquiryLimits limits, std::function<void(ProgramOutcome)> done);

/// The same for those who cannot go on without it: nothing else is done meanwhile.
ProgramOutcome run_and_wait(ProgramCall call, std::string question, InquiryLimits limits);

/// The same as run_program() for those who need the output alone: a program that fails, or ends
/// with another status than 0, has none.
void inquire(boost::asio::io_context& io, ProgramCall call, std::string question,
             InquiryLimits limits, std::function<void(Result<std::string>)> done);

/// The same for those who cannot go on without it.
Result<std::string> inquire_and_wait(ProgramCall call, std::string question, InquiryLimits limits);

}  // namespace maui
