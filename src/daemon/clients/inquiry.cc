#include "daemon/clients/inquiry.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>

namespace maui {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

// Kept alive by what it waits for.
class Inquiry : public std::enable_shared_from_this<Inquiry> {
 public:
  using Done = std::function<void(Result<std::string>)>;

  Inquiry(asio::io_context& io, std::string question, InquiryLimits limits, Done done)
      : socket_(io),
        end_(io),
        timer_(io),
        question_(std::move(question)),
        limits_(limits),
        done_(std::move(done)) {}
  ~Inquiry() { end_child(); }
  Inquiry(const Inquiry&) = delete;
  Inquiry& operator=(const Inquiry&) = delete;

  void begin(const ProgramCall& call) {
    if (auto started = start(call); !started) return finish(started.error());
    const auto self = shared_from_this();
    timer_.expires_after(limits_.time);
    timer_.async_wait([self](error_code error) {
      if (!error)
        self->finish(Error{fmt::format("it took longer than {} ms", self->limits_.time.count())});
    });
    asio::async_write(socket_, asio::buffer(question_), [self](error_code, std::size_t) {
      // One that does not care to read all of it may still answer.
      error_code ignored;
      if (self->socket_.is_open())
        self->socket_.shutdown(asio::local::stream_protocol::socket::shutdown_send, ignored);
    });
    read();
    end_.async_wait(asio::posix::descriptor_base::wait_read, [self](error_code error) {
      if (!error && self->done_) self->ended();
    });
  }

 private:
  Status start(const ProgramCall& call) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
      return Error{fmt::format("cannot make a socket: {}", std::strerror(errno))};
    socket_.assign(asio::local::stream_protocol(), ends[0]);
    const auto id =
        spawn(call.path, call.arguments, {.input = ends[1], .output = ends[1]}, call.whose);
    ::close(ends[1]);
    if (!id) return Error{fmt::format("cannot run it: {}", id.error().what)};
    child_ = *id;
    const auto watched = watch_end(child_);
    if (!watched) return Error{fmt::format("cannot watch it: {}", watched.error().what)};
    end_.assign(*watched);
    return maui::Done{};
  }

  void read() {
    socket_.async_read_some(asio::buffer(buffer_),
                            [self = shared_from_this()](error_code error, std::size_t count) {
                              if (!self->done_) return;
                              self->answer_.append(self->buffer_.data(), count);
                              if (self->answer_.size() > self->limits_.answer)
                                return self->finish(Error{"its answer is too long"});
                              if (!error) return self->read();
                              self->silent_ = true;
                              self->look();
                            });
  }

  void ended() {
    kill_group(child_);  // what it left behind, which might keep the socket open
    int status = 0;
    ::waitpid(std::exchange(child_, -1), &status, 0);
    status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    look();
  }

  void look() {
    if (!silent_ || !status_) return;
    if (*status_ == 0) return finish(std::move(answer_));
    finish(Error{fmt::format("it ended with status {}", *status_)});
  }

  void finish(Result<std::string> result) {
    const auto done = std::exchange(done_, nullptr);
    if (!done) return;
    end_child();
    error_code ignored;
    timer_.cancel();
    socket_.close(ignored);
    end_.close(ignored);
    done(std::move(result));
  }

  void end_child() {
    if (child_ <= 0) return;
    kill_group(child_);
    ::waitpid(std::exchange(child_, -1), nullptr, 0);
  }

  asio::local::stream_protocol::socket socket_;  // its standard input and output
  asio::posix::stream_descriptor end_;           // becomes readable at its end
  asio::steady_timer timer_;
  std::string question_, answer_;
  InquiryLimits limits_;
  Done done_;
  std::array<char, 65536> buffer_{};
  pid_t child_ = -1;
  bool silent_ = false;        // it will write nothing more
  std::optional<int> status_;  // once it has ended
};

}  // namespace

void inquire(asio::io_context& io, ProgramCall call, std::string question, InquiryLimits limits,
             std::function<void(Result<std::string>)> done) {
  const auto made = std::make_shared<Inquiry>(io, std::move(question), limits, std::move(done));
  asio::post(io, [made, call = std::move(call)] { made->begin(call); });
}

Result<std::string> inquire_and_wait(ProgramCall call, std::string question, InquiryLimits limits) {
  asio::io_context io(1);
  Result<std::string> answer = std::string();
  inquire(io, std::move(call), std::move(question), limits,
          [&answer](Result<std::string> said) { answer = std::move(said); });
  io.run();
  return answer;
}

}  // namespace maui
