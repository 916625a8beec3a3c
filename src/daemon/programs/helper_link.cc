#include "daemon/programs/helper_link.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/text.h"
#include "programs/adopt.h"
#include "programs/reap.h"
#include "programs/spawn.h"

namespace maui {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Wall = std::chrono::steady_clock;

/// Logs the lines of a helper's standard error until it is closed.
class ErrorLines : public std::enable_shared_from_this<ErrorLines> {
 public:
  ErrorLines(asio::io_context& io, std::function<void(int, std::string_view)> log)
      : file_(io), log_(std::move(log)) {}
  Status open(int file) { return adopt(file_, file); }
  void read() {
    file_.async_read_some(asio::buffer(buffer_),
                          [self = shared_from_this()](error_code error, std::size_t count) {
                            if (error) return;
                            self->take({self->buffer_.data(), count});
                            self->read();
                          });
  }

 private:
  void take(std::string_view text) {
    for (const auto line : split(text, '\n'))
      if (!trimmed(line).empty()) log_(1, fmt::format("the helper printed: {}", trimmed(line)));
  }

  asio::posix::stream_descriptor file_;
  std::function<void(int, std::string_view)> log_;
  std::array<char, 2048> buffer_{};
};

class HelperLink final : public WikiLink {
 public:
  HelperLink(asio::io_context& io, HelperOptions options)
      : io_(io), options_(std::move(options)), pause_(options_.pause), pause_ends_(io) {}
  ~HelperLink() override {
    *alive_ = false;
    stream_.reset();
    if (process_ > 0) {
      kill_group(process_);
      ::waitpid(process_, nullptr, 0);
    }
  }

  void ask(const WikiRequest& request, std::function<void(WikiAnswer)> done) override {
    if (process_ <= 0)
      if (const auto status = start(); !status)
        return asio::post(io_, [done = std::move(done), error = status.error()] {
          done({error, false, std::nullopt});
        });
    stream_->ask(request, [this, alive = alive_, done = std::move(done)](WikiAnswer answer) {
      if (*alive && answer.reply) pause_ = options_.pause;
      done(std::move(answer));
    });
  }

 private:
  Status start();
  void broken(const std::string& why);

  asio::io_context& io_;
  HelperOptions options_;
  std::unique_ptr<WikiLink> stream_;
  pid_t process_ = -1;
  std::chrono::milliseconds pause_;
  Wall::time_point not_before_{};
  asio::steady_timer pause_ends_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

Status HelperLink::start() {
  const auto wait = not_before_ - Wall::now();
  if (wait > Wall::duration::zero())
    return Error{
        fmt::format("the helper failed; it is restarted in {}",
                    counted(std::chrono::ceil<std::chrono::seconds>(wait).count(), "second"))};
  std::array<int, 2> ends{}, errors{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return Error{std::strerror(errno)};
  if (::pipe2(errors.data(), O_CLOEXEC) != 0) {
    const Error error{std::strerror(errno)};
    ::close(ends[0]);
    ::close(ends[1]);
    return error;
  }
  const auto printed = std::make_shared<ErrorLines>(io_, options_.log);
  if (auto can_wait = printed->open(errors[0]); !can_wait) {
    for (const int other : {ends[0], ends[1], errors[1]}) ::close(other);
    return can_wait;
  }
  const auto id = spawn(options_.program, options_.arguments,
                        {.input = ends[1], .error = errors[1]}, Whose::ours);
  ::close(ends[1]);
  ::close(errors[1]);
  stream_ = make_wiki_stream(io_, ends[0], options_.timeout,
                             [this](const std::string& why) { broken(why); });
  printed->read();
  if (!id)
    return Error{fmt::format("'{}' cannot be started: {}", options_.program, id.error().what)};
  process_ = *id;
  options_.log(2, fmt::format("'{}' started (process {})", options_.program, process_));
  return Done{};
}

void HelperLink::broken(const std::string& why) {
  not_before_ = Wall::now() + pause_;
  options_.log(0, fmt::format("WARNING: the helper is killed: {}; it is restarted in {} ms at "
                              "the earliest",
                              why, pause_.count()));
  pause_ends_.expires_at(not_before_);
  pause_ends_.async_wait([this, alive = alive_](error_code error) {
    if (!error && *alive) options_.ready_again();
  });
  pause_ = std::min(2 * pause_, options_.longest_pause);
  const auto id = std::exchange(process_, -1);
  if (id <= 0) return;
  kill_group(id);
  reap_later(io_, id);
}

}  // namespace

std::unique_ptr<WikiLink> make_helper_link(asio::io_context& io, HelperOptions options) {
  return std::make_unique<HelperLink>(io, std::move(options));
}

Result<std::string> program_beside_this(const std::string& name) {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string path = self.parent_path() / name;
  if (error || ::access(path.c_str(), X_OK) != 0)
    return Error{fmt::format("'{}' is missing or not executable", path)};
  return path;
}

}  // namespace maui
