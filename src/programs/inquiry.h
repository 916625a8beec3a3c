// Runs a program to answer one question, without a shell and for a limited time.
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
  std::vector<std::string> variables{};  // added to the environment
  /// True if processes that the program leaves behind may go on; otherwise they are killed, too.
  bool leaves_some_behind = false;
};

/// The outcome of a program.
struct ProgramOutcome {
  bool begun = false;     // true if the program was started
  std::string failure;    // why it did not exit by itself; empty: it exited with `status`
  int status = 0;         // its exit status, or 128 plus the number of the signal that ended it
  std::string output;     // its standard output
  std::string complaint;  // first line of its standard error
};

/// Runs the program and writes `question` to its standard input, without blocking the event loop.
/// Calls `done` from the loop, once.  A program that is late or writes too much is killed with all
/// processes of its group.
void run_program(boost::asio::io_context& io, ProgramCall call, std::string question,
                 InquiryLimits limits, std::function<void(ProgramOutcome)> done);

/// Like run_program(), but blocks until the program has ended.
ProgramOutcome run_and_wait(ProgramCall call, std::string question, InquiryLimits limits);

/// Like run_program() for callers that need only the output: fails if the program fails or exits
/// with a status other than 0.
void inquire(boost::asio::io_context& io, ProgramCall call, std::string question,
             InquiryLimits limits, std::function<void(Result<std::string>)> done);

/// Like inquire(), but blocks until the program has ended.
Result<std::string> inquire_and_wait(ProgramCall call, std::string question, InquiryLimits limits);

}  // namespace maui
