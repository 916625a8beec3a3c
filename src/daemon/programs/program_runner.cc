#include "daemon/programs/program_runner.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <cstring>

#include "base/sorted.h"
#include "programs/adopt.h"
#include "programs/read_rest.h"
#include "programs/spawn.h"

namespace maui {

namespace asio = boost::asio;
using boost::system::error_code;

struct ProgramRunner::Process {
  explicit Process(asio::io_context& io) : output(io), end(io), timer(io) {}
  pid_t id = -1;
  ProgramEnd result;
  std::array<char, 1024> buffer{};
  asio::posix::stream_descriptor output, end;  // standard output; end of the process
  asio::steady_timer timer;
  const std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
  bool over = false;    // it has ended
  bool silent = false;  // no read is outstanding
};

namespace {

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) return fmt::format("killed by signal {}", WTERMSIG(status));
  return WEXITSTATUS(status) == 0 ? std::string()
                                  : fmt::format("exit status {}", WEXITSTATUS(status));
}

}  // namespace

ProgramRunner::ProgramRunner(asio::io_context& io, ProgramLimits limits, Done done)
    : io_(io), limits_(limits), done_(std::move(done)) {}

ProgramRunner::~ProgramRunner() {
  for (const auto& process : running_) {
    if (process->over || process->id <= 0) continue;
    kill_group(process->id);
    ::waitpid(process->id, nullptr, 0);
  }
}

Status ProgramRunner::run(SiteCall call) {
  const std::string program = call.program;
  if (ending_ && !call.urgent)
    return Error{fmt::format("{} is not run: the scheduler ends", program)};
  if (queue_.add(std::move(call)) == ProgramQueue::Place::refused)
    return Error{fmt::format("{} is not run: {} others are waiting", program, queue_.size())};
  next();
  return maui::Done{};
}

void ProgramRunner::next() {
  while (!ending_ && running_.size() < limits_.at_once) {
    const bool last_place = limits_.at_once > 1 && running_.size() + 1 == limits_.at_once;
    const auto call = queue_.next(/*urgent_only=*/last_place);
    if (!call) return;
    launch(*call);
    if (call->begun) call->begun();
  }
}

std::vector<std::string> ProgramRunner::names() const {
  std::vector<std::string> names;
  for (const auto& process : running_) names.push_back(process->result.program);
  sort_unique(names);
  return names;
}

ProgramCounts ProgramRunner::left_out(bool now) {
  const bool later = crowded() && queue_.left_out() < limits_.waiting;
  return later && !now ? ProgramCounts() : queue_.take_left_out();
}

std::vector<SiteCall> ProgramRunner::end() {
  const auto now = std::chrono::steady_clock::now();
  for (const auto& process : running_) {
    if (process->over) continue;
    const auto ran = std::chrono::duration_cast<std::chrono::milliseconds>(now - process->began);
    process->result.failure =
        fmt::format("killed after {} ms, since the scheduler ends", ran.count());
    kill_group(process->id);
  }
  return queue_.take_all();
}

void ProgramRunner::launch(const SiteCall& call) {
  auto process = std::make_shared<Process>(io_);
  process->result.program = call.program;
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) {
    process->result.failure = std::strerror(errno);
    return done_(process->result);
  }
  if (const auto can_wait = adopt(process->output, pipe[0]); !can_wait) {
    ::close(pipe[1]);
    process->result.failure = can_wait.error().what;
    return done_(process->result);
  }
  const auto id =
      spawn(call.program, call.arguments, {.output = pipe[1], .error = pipe[1]}, Whose::site);
  ::close(pipe[1]);
  if (!id) {
    process->result.failure = id.error().what;
    return done_(process->result);
  }
  process->id = *id;
  const auto watched = watch_end(process->id);
  const Status can_wait = watched ? adopt(process->end, *watched) : watched.error();
  if (!can_wait) {
    process->result.failure = can_wait.error().what;
    kill_group(process->id);
    ::waitpid(process->id, nullptr, 0);
    return done_(process->result);
  }
  running_.push_back(process);
  read(process);
  await_end(process);
}

void ProgramRunner::read(const std::shared_ptr<Process>& process) {
  process->output.async_read_some(asio::buffer(process->buffer),
                                  [this, process](error_code error, std::size_t count) {
                                    keep(*process, count);
                                    process->silent = process->over || error;
                                    if (!process->silent) return read(process);
                                    if (process->over) finish(process);
                                  });
}

void ProgramRunner::keep(Process& process, std::size_t count) {
  auto& text = process.result.output;
  text.append(process.buffer.data(), std::min(count, limits_.output - text.size()));
}

void ProgramRunner::await_end(const std::shared_ptr<Process>& process) {
  process->timer.expires_after(limits_.time);
  process->timer.async_wait([this, process](error_code error) {
    if (error || process->over) return;
    process->result.failure = fmt::format("killed after {} ms", limits_.time.count());
    kill_group(process->id);
  });
  process->end.async_wait(asio::posix::descriptor_base::wait_read,
                          [this, process](error_code error) {
                            if (!error) ended(process);
                          });
}

void ProgramRunner::ended(const std::shared_ptr<Process>& process) {
  process->over = true;
  kill_group(process->id);  // processes that it left running
  int status = 0;
  ::waitpid(process->id, &status, 0);
  if (process->result.failure.empty()) process->result.failure = how_it_ended(status);
  if (process->silent) return finish(process);
  error_code ignored;
  process->output.cancel(ignored);  // an outstanding read may have got something
}

void ProgramRunner::finish(const std::shared_ptr<Process>& process) {
  // The last output may still be in the pipe.
  read_rest(process->output, process->buffer, [&](std::size_t count) {
    keep(*process, count);
    return process->result.output.size() < limits_.output;
  });
  error_code ignored;
  process->timer.cancel();
  process->output.close(ignored);
  process->end.close(ignored);
  running_.remove(process);
  done_(process->result);
  next();
}

}  // namespace maui
