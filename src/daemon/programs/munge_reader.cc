#include "daemon/programs/munge_reader.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <boost/asio/post.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <cstring>
#include <utility>

#include "daemon/programs/helper_link.h"
#include "programs/adopt.h"
#include "programs/reap.h"
#include "programs/spawn.h"

namespace maui {

namespace asio = boost::asio;
using boost::system::error_code;

Result<std::string> munge_helper() {
  auto found = program_beside_this("maui-munge");
  if (found) return found;
  return Error{found.error().what + "; it is built if libmunge is installed (libmunge-dev)"};
}

Status check_munge(const config::ClientAuthentication& clients) {
  if (!clients.uses_munge()) return maui::Done{};
  if (auto helper = munge_helper(); !helper)
    return Error{"CLIENTCFG AUTHTYPE=MUNGE: the helper for munge is missing: " +
                 helper.error().what};
  return maui::Done{};
}

MungeReader::MungeReader(asio::io_context& io, MungeReaderOptions options, Log log)
    : io_(io), options_(std::move(options)), log_(std::move(log)), deadline_(io) {}

MungeReader::~MungeReader() {
  *alive_ = false;
  end_helper();
}

void MungeReader::configure(MungeReaderOptions options) {
  if (options == options_) return;
  options_ = std::move(options);
  not_before_ = {};
  if (!asked_.done) end_helper();  // else the current question keeps its helper
}

void MungeReader::read(const std::string& party, std::string credential, Done done) {
  auto& queue = queues_[party];
  if (queue.empty()) turns_.push_back(party);
  queue.push_back({std::move(credential), std::move(done), Clock::now() + options_.patience});
  ++waiting_;
  if (std::exchange(soon_, true)) return;
  asio::post(io_, [this, alive = alive_] {
    if (*alive) next();
  });
}

/// Takes the first credential of the party whose turn it is.
bool MungeReader::take_next(Question& into) {
  if (turns_.empty()) return false;
  const auto party = std::move(turns_.front());
  turns_.pop_front();
  const auto at = queues_.find(party);
  into = std::move(at->second.front());
  at->second.pop_front();
  --waiting_;
  if (at->second.empty())
    queues_.erase(at);
  else
    turns_.push_back(party);
  return true;
}

void MungeReader::next() {
  soon_ = false;
  while (!asked_.done && take_next(asked_)) {
    const auto now = Clock::now();
    if (asked_.until <= now)
      finish(Error{"munged did not answer in time"});
    else if (now < not_before_)
      finish(Error{"munged did not answer in time before; it is retried shortly"});
    else if (const auto status = ask(); !status)
      finish(status.error());
  }
}

Status MungeReader::ask() {
  if (!helper_)
    if (auto started = start(); !started) return started;
  deadline_.expires_at(asked_.until);
  deadline_.async_wait([this, alive = alive_, helper = helper_](error_code error) {
    if (!error && *alive && helper == helper_) give_up("munged did not answer in time");
  });
  helper_->question = asked_.credential + '\n';
  asio::async_write(helper_->socket, asio::buffer(helper_->question),
                    [helper = helper_](error_code, std::size_t) {});  // the read reports errors
  asio::async_read_until(
      helper_->socket, helper_->answer, '\n',
      [this, alive = alive_, helper = helper_](error_code error, std::size_t size) {
        if (!*alive || helper != helper_) return;
        if (error) return has_ended();
        const std::string line(
            asio::buffers_begin(helper->answer.data()),
            asio::buffers_begin(helper->answer.data()) + static_cast<std::ptrdiff_t>(size) - 1);
        helper->answer.consume(size);
        has_answered(line);
      });
  return maui::Done{};
}

Status MungeReader::start() {
  if (options_.program.empty())
    return Error{"the helper for munge, maui-munge, is not installed beside the scheduler"};
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return Error{fmt::format("cannot make a socket: {}", std::strerror(errno))};
  auto helper = std::make_shared<Helper>(io_);
  if (auto can_wait = adopt(helper->socket, ends[0], asio::local::stream_protocol()); !can_wait) {
    ::close(ends[1]);
    return can_wait;
  }
  std::vector<std::string> arguments;
  if (!options_.socket.empty()) arguments = {"--socket", options_.socket};
  const auto id =
      spawn(options_.program, arguments, {.input = ends[1], .output = ends[1]}, Whose::ours);
  ::close(ends[1]);
  if (!id)
    return Error{fmt::format("'{}' cannot be started: {}", options_.program, id.error().what)};
  helper->process = *id;
  helper_ = std::move(helper);
  return maui::Done{};
}

/// The helper was killed, perhaps hours ago: starts a new one, once.  A credential that munged
/// decoded for the old helper is refused as a replay, which is correct.
void MungeReader::has_ended() {
  constexpr std::string_view kWhy = "the helper for munge ended";
  if (std::exchange(asked_.again, true)) return give_up(std::string(kWhy));
  end_helper();
  log_(1, fmt::format("WARNING: {}: it is restarted", kWhy));
  if (const auto status = ask(); !status) give_up(status.error().what);
}

void MungeReader::has_answered(std::string_view line) {
  deadline_.cancel();
  finish(read_voucher_line(line));
  next();
}

void MungeReader::finish(Result<Voucher> read) {
  const auto done = std::exchange(asked_.done, nullptr);
  if (done) done(std::move(read));
}

/// Gives up for a while, so that nobody waits behind a munged that does not answer.
void MungeReader::give_up(const std::string& why) {
  end_helper();
  not_before_ = Clock::now() + options_.pause;
  log_(0, fmt::format("ALERT: {}: users authenticated by munge are refused", why));
  finish(Error{why});
  next();
}

void MungeReader::end_helper() {
  deadline_.cancel();
  const auto helper = std::exchange(helper_, nullptr);
  if (!helper) return;
  error_code ignored;
  helper->socket.close(ignored);
  kill_group(helper->process);
  reap_later(io_, helper->process);
}

}  // namespace maui
