// Runs programs of the site that are notified of events (guide 14.4, 17.1).
//
// They run without a shell, a few at a time, each for a limited time; the scheduler
// does not wait for them.  Their output is cut short and logged.  One of the places for running
// programs is reserved for those of triggers.
#pragma once
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "daemon/programs/program_queue.h"
#include "maui/result.h"

namespace maui {

struct ProgramLimits {
  std::size_t at_once = 4;
  std::size_t waiting = 1000;  // then the party with most of them gives way
  std::chrono::milliseconds time{30000};
  std::size_t output = 4096;  // bytes; the rest is discarded
};

/// How a program ended: its output, and its failure; empty: it succeeded.
struct ProgramEnd {
  std::string program, output, failure;
};

class ProgramRunner {
 public:
  using Done = std::function<void(const ProgramEnd&)>;

  ProgramRunner(boost::asio::io_context& io, ProgramLimits limits, Done done);
  ~ProgramRunner();
  ProgramRunner(const ProgramRunner&) = delete;
  ProgramRunner& operator=(const ProgramRunner&) = delete;

  /// Queues a program to run.  An error says that it will not run.
  Status run(SiteCall call);
  Status run(std::string program, std::vector<std::string> arguments) {
    return run(SiteCall{std::move(program), std::move(arguments), {}});
  }
  /// True if programs are running or waiting.
  bool busy() const { return !running_.empty() || !queue_.empty(); }
  std::size_t running() const { return running_.size(); }
  std::size_t waiting() const { return queue_.size(); }
  /// Returns the paths of the programs that run, each once.
  std::vector<std::string> names() const;
  /// Returns the numbers of programs that were left out because too many waited, by party; not
  /// before there is room again or they are many, unless `now`.
  ProgramCounts left_out(bool now = false);
  /// Starts no more programs: the scheduler ends.
  void start_no_more() { ending_ = true; }
  /// Kills those that run, and returns those that wait; call start_no_more() before.
  std::vector<SiteCall> end();
  /// True if as many programs wait as a busy simulation may leave waiting.
  bool crowded() const { return queue_.size() >= limits_.waiting / 2; }

 private:
  struct Process;

  void next();
  void launch(const SiteCall& call);
  void read(const std::shared_ptr<Process>& process);
  void keep(Process& process, std::size_t count);
  void await_end(const std::shared_ptr<Process>& process);
  void ended(const std::shared_ptr<Process>& process);
  void finish(const std::shared_ptr<Process>& process);

  boost::asio::io_context& io_;
  ProgramLimits limits_;
  Done done_;
  ProgramQueue queue_{limits_.waiting};
  std::list<std::shared_ptr<Process>> running_;
  bool ending_ = false;
};

}  // namespace maui
