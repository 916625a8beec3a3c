// Runs programs of the site that are notified of events (guide 14.4, 17.1).
//
// They run without a shell, a few at a time, each for a limited time; the scheduler
// does not wait for them.  Their output is cut short and logged.
#pragma once
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "maui/result.h"

namespace maui {

struct ProgramLimits {
  std::size_t at_once = 4;
  std::size_t waiting = 1000;  // further programs are refused
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

  /// Queues `program`, an absolute path, to run with these arguments.
  Status run(std::string program, std::vector<std::string> arguments);
  /// True if programs are running or waiting.
  bool busy() const { return !running_.empty() || !queue_.empty(); }
  /// True if as many programs wait as a busy simulation may leave waiting.
  bool crowded() const { return queue_.size() >= limits_.waiting / 2; }

 private:
  struct Task {
    std::string program;
    std::vector<std::string> arguments;
  };
  struct Process;

  void next();
  void launch(Task task);
  void read(const std::shared_ptr<Process>& process);
  void keep(Process& process, std::size_t count);
  void await_end(const std::shared_ptr<Process>& process);
  void ended(const std::shared_ptr<Process>& process);
  void finish(const std::shared_ptr<Process>& process);

  boost::asio::io_context& io_;
  ProgramLimits limits_;
  Done done_;
  std::deque<Task> queue_;
  std::list<std::shared_ptr<Process>> running_;
};

}  // namespace maui
