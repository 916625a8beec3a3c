#include "programs/inquiry.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "base/text.h"
#include "programs/adopt.h"
#include "programs/read_rest.h"
#include "programs/reap.h"

namespace maui {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

// The most bytes of standard error that are kept.
constexpr std::size_t kMostComplaint = 500;

std::string first_line(std::string_view text) {
  for (const auto line : split(text, '\n'))
    if (!trimmed(line).empty()) return std::string(trimmed(line));
  return {};
}

// Its pending handlers keep it alive.
class Inquiry : public std::enable_shared_from_this<Inquiry> {
 public:
  using Done = std::function<void(ProgramOutcome)>;

  Inquiry(asio::io_context& io, std::string question, InquiryLimits limits, Done done)
      : io_(io),
        socket_(io),
        errors_(io),
        end_(io),
        timer_(io),
        question_(std::move(question)),
        limits_(limits),
        done_(std::move(done)) {}
  ~Inquiry() {
    if (child_ <= 0) return;
    kill_group(child_);
    ::waitpid(child_, nullptr, 0);
  }
  Inquiry(const Inquiry&) = delete;
  Inquiry& operator=(const Inquiry&) = delete;

  void begin(const ProgramCall& call) {
    leaves_some_behind_ = call.leaves_some_behind;
    if (auto started = start(call); !started) return finish(started.error().what);
    outcome_.begun = true;
    const auto self = shared_from_this();
    timer_.expires_after(limits_.time);
    timer_.async_wait([self](error_code error) {
      if (!error)
        self->finish(fmt::format("it took longer than {} ms", self->limits_.time.count()));
    });
    asio::async_write(socket_, asio::buffer(question_), [self](error_code, std::size_t) {
      // A program that does not read its whole input may still answer.
      error_code ignored;
      if (self->socket_.is_open())
        self->socket_.shutdown(asio::local::stream_protocol::socket::shutdown_send, ignored);
    });
    read();
    read_errors();
    end_.async_wait(asio::posix::descriptor_base::wait_read, [self](error_code error) {
      if (!error && self->done_) self->ended();
    });
  }

 private:
  Status start(const ProgramCall& call) {
    std::array<int, 2> ends{}, errors{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
      return Error{fmt::format("cannot create a socket: {}", std::strerror(errno))};
    auto can_wait = adopt(socket_, ends[0], asio::local::stream_protocol());
    if (can_wait && ::pipe2(errors.data(), O_CLOEXEC) != 0)
      can_wait = Error{fmt::format("cannot create a pipe: {}", std::strerror(errno))};
    else if (can_wait)
      if (can_wait = adopt(errors_, errors[0]); !can_wait) ::close(errors[1]);
    if (!can_wait) {
      ::close(ends[1]);
      return can_wait;
    }
    const auto id =
        spawn(call.path, call.arguments, {.input = ends[1], .output = ends[1], .error = errors[1]},
              call.whose, call.variables);
    ::close(ends[1]);
    ::close(errors[1]);
    if (!id) return Error{fmt::format("cannot run it: {}", id.error().what)};
    child_ = *id;
    const auto watched = watch_end(child_);
    if (!watched) return Error{fmt::format("cannot watch it: {}", watched.error().what)};
    return adopt(end_, *watched);
  }

  void read() {
    socket_.async_read_some(asio::buffer(buffer_),
                            [self = shared_from_this()](error_code error, std::size_t count) {
                              if (!self->done_ || !self->take(count)) return;
                              if (self->draining_) return self->drain();
                              if (!error) return self->read();
                              self->silent_ = true;
                              self->look();
                            });
  }

  /// Returns false if the output is too long.
  bool take(std::size_t count) {
    outcome_.output.append(buffer_.data(), count);
    if (outcome_.output.size() <= limits_.answer) return true;
    finish("its answer is too long");
    return false;
  }

  void read_errors() {
    errors_.async_read_some(asio::buffer(error_buffer_),
                            [self = shared_from_this()](error_code error, std::size_t count) {
                              self->keep_errors(count);
                              if (self->done_ && !error) self->read_errors();
                            });
  }

  /// Returns false if no more is kept.
  bool keep_errors(std::size_t count) {
    const auto room = kMostComplaint - std::min(kMostComplaint, complaints_.size());
    complaints_.append(error_buffer_.data(), std::min(count, room));
    return count < room;
  }

  void ended() {
    if (!leaves_some_behind_) kill_group(child_);  // processes that could keep the socket open
    int status = 0;
    ::waitpid(std::exchange(child_, -1), &status, 0);
    has_ended_ = true;
    outcome_.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    killed_ = !WIFEXITED(status);
    if (!leaves_some_behind_ || silent_) return look();
    draining_ = true;  // once the outstanding read is over: it may have got something
    error_code ignored;
    socket_.cancel(ignored);
  }

  /// Reads the output so far, without waiting for processes left behind.
  void drain() {
    read_rest(socket_, buffer_, [this](std::size_t count) { return take(count); });
    silent_ = true;
    look();
  }

  void look() {
    if (!silent_ || !has_ended_) return;
    finish(killed_ ? fmt::format("it was killed by signal {}", outcome_.status - 128)
                   : std::string());
  }

  void finish(std::string failure) {
    const auto done = std::exchange(done_, nullptr);
    if (!done) return;
    end_child();
    if (errors_.is_open())
      read_rest(errors_, error_buffer_, [this](std::size_t count) { return keep_errors(count); });
    error_code ignored;
    timer_.cancel();
    socket_.close(ignored);
    errors_.close(ignored);
    end_.close(ignored);
    outcome_.failure = std::move(failure);
    outcome_.complaint = first_line(complaints_);
    done(std::move(outcome_));
  }

  void end_child() {
    if (child_ <= 0) return;
    kill_group(child_);
    reap_later(io_, std::exchange(child_, -1));
  }

  asio::io_context& io_;
  asio::local::stream_protocol::socket socket_;  // the program's standard input and output
  asio::posix::stream_descriptor errors_;        // the program's standard error
  asio::posix::stream_descriptor end_;           // becomes readable when the program ends
  asio::steady_timer timer_;
  std::string question_, complaints_;
  ProgramOutcome outcome_;
  InquiryLimits limits_;
  Done done_;
  std::array<char, 65536> buffer_{};
  std::array<char, 1024> error_buffer_{};
  pid_t child_ = -1;
  bool leaves_some_behind_ = false;
  bool draining_ = false;  // the program has ended
  bool silent_ = false;    // the program will write no more
  bool has_ended_ = false, killed_ = false;
};

Result<std::string> output_of(ProgramOutcome outcome) {
  auto why = std::move(outcome.failure);
  if (why.empty() && outcome.status != 0)
    why = fmt::format("it exited with status {}", outcome.status);
  if (why.empty()) return std::move(outcome.output);
  return Error{std::move(why)};
}

}  // namespace

void run_program(asio::io_context& io, ProgramCall call, std::string question, InquiryLimits limits,
                 std::function<void(ProgramOutcome)> done) {
  const auto made = std::make_shared<Inquiry>(io, std::move(question), limits, std::move(done));
  asio::post(io, [made, call = std::move(call)] { made->begin(call); });
}

ProgramOutcome run_and_wait(ProgramCall call, std::string question, InquiryLimits limits) {
  asio::io_context io(1);
  ProgramOutcome outcome;
  run_program(io, std::move(call), std::move(question), limits,
              [&outcome](ProgramOutcome made) { outcome = std::move(made); });
  io.run();
  return outcome;
}

void inquire(asio::io_context& io, ProgramCall call, std::string question, InquiryLimits limits,
             std::function<void(Result<std::string>)> done) {
  run_program(
      io, std::move(call), std::move(question), limits,
      [done = std::move(done)](ProgramOutcome outcome) { done(output_of(std::move(outcome))); });
}

Result<std::string> inquire_and_wait(ProgramCall call, std::string question, InquiryLimits limits) {
  return output_of(run_and_wait(std::move(call), std::move(question), limits));
}

}  // namespace maui
