#include "pbs/login.h"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <memory>
#include <optional>

#include "base/text.h"
#include "pbs/request.h"
#include "programs/inquiry.h"

namespace maui::pbs {
namespace {

using boost::asio::local::stream_protocol;

Task<Status> vouch(boost::asio::io_context& io, const ServerOptions& options, std::string host,
                   Connection& connection) {
  Connection second(io);
  second.speak(connection.dialect());
  const Status open =
      co_await second.open(host, options.port, Connection::From::reserved, options.timeout);
  if (!open) co_return Error{fmt::format("cannot authenticate itself: {}", open.error().what)};
  const Requests requests(options.user);
  const int port = connection.local_port();
  std::string request =
      framed(connection.dialect()) ? requests.vouch_framed(port) : requests.vouch_bare(port);
  const Result<Reply> reply = co_await second.ask(std::move(request), options.timeout);
  if (!reply) co_return Error{fmt::format("cannot authenticate itself: {}", reply.error().what)};
  if (reply->code != 0)
    co_return Error{
        fmt::format("the server does not let this host vouch for {} (error {} {}): is this host "
                    "among its acl_hosts, and does its name resolve both ways?",
                    options.user, reply->code, reply->text)};
  std::string bye = requests.disconnect();
  if (!framed(connection.dialect())) {
    [[maybe_unused]] const Status said = co_await second.send(std::move(bye), options.timeout);
  }
  co_return Done{};
}

Error no_trqauthd(std::string_view doing, const ServerOptions& options,
                  boost::system::error_code error) {
  return Error{
      fmt::format("cannot {} trqauthd at {}: {}; start trqauthd, run maui as root, or set AUTHTYPE",
                  doing, options.trqauthd, error.message())};
}

// Sends "1|LENGTH|SERVER|PORT|1|LENGTH|USER|PROCESS|PORT|"; the answer is "0|0||" or an error.
Task<Status> ask_trqauthd(boost::asio::io_context& io, const ServerOptions& options,
                          std::string host, Connection& connection) {
  using boost::asio::redirect_error;
  using boost::asio::use_awaitable;
  boost::system::error_code error;
  const auto socket = std::make_shared<stream_protocol::socket>(io);
  boost::asio::steady_timer deadline(io, options.timeout);
  // The handler may run after this coroutine has ended.
  deadline.async_wait([socket](boost::system::error_code over) {
    boost::system::error_code ignored;
    if (!over) socket->close(ignored);
  });
  const stream_protocol::endpoint place(options.trqauthd);
  co_await socket->async_connect(place, redirect_error(use_awaitable, error));
  if (error) co_return no_trqauthd("reach", options, error);
  const std::string question =
      fmt::format("1|{}|{}|{}|1|{}|{}|{}|{}|", host.size(), host, options.port, options.user.size(),
                  options.user, ::getpid(), connection.local_port());
  const auto bytes = boost::asio::buffer(question);
  co_await boost::asio::async_write(*socket, bytes, redirect_error(use_awaitable, error));
  if (error) co_return no_trqauthd("ask", options, error);
  std::string answer;
  auto into = boost::asio::dynamic_buffer(answer, 4096);
  co_await boost::asio::async_read_until(*socket, into, "||", redirect_error(use_awaitable, error));
  deadline.cancel();
  if (error && answer.empty()) co_return no_trqauthd("read from", options, error);
  if (!answer.starts_with("0|"))
    co_return Error{fmt::format("trqauthd did not vouch for {}: {}", options.user, answer)};
  co_return Done{};
}

struct Made {
  explicit Made(boost::asio::io_context& io)
      : ready(io, boost::asio::steady_timer::time_point::max()) {}
  boost::asio::steady_timer ready;
  std::optional<Result<std::string>> credential;
};

/// Lets the helper make a credential, because munged may be slow.
std::shared_ptr<Made> begin_credential(boost::asio::io_context& io, const ServerOptions& options,
                                       const std::string& content) {
  auto made = std::make_shared<Made>(io);
  InquiryLimits limits;
  limits.time = options.timeout;
  limits.answer = 8192;
  inquire(io, ProgramCall{options.munge, {"--make", content}, Whose::ours}, "", limits,
          [made](Result<std::string> output) {
            made->credential = std::move(output);
            made->ready.cancel();
          });
  return made;
}

Task<Status> vouch_by_munge(boost::asio::io_context& io, const ServerOptions& options,
                            Connection& connection) {
  using boost::asio::redirect_error;
  using boost::asio::use_awaitable;
  if (options.munge.empty())
    co_return Error{"AUTHTYPE=MUNGE, and the helper maui-munge is not installed"};
  const auto made = begin_credential(io, options, options.user + ":");
  boost::system::error_code ignored;
  if (!made->credential) co_await made->ready.async_wait(redirect_error(use_awaitable, ignored));
  const Result<std::string>& output = *made->credential;
  if (!output) co_return Error{fmt::format("munge created no credential: {}", output.error().what)};
  const std::string credential(trimmed(*output));
  const Requests requests(options.user);
  const bool packets = framed(connection.dialect());
  std::string request =
      packets ? requests.munge_framed() : requests.munge_bare(connection.local_port(), credential);
  const Result<Reply> reply = co_await connection.ask(std::move(request), options.timeout);
  if (!reply) co_return reply.error();
  if (reply->code != 0)
    co_return Error{
        fmt::format("the server does not accept munge's credential for {} (error {} {}): does it "
                    "use munge with the same key, and does it know the user?",
                    options.user, reply->code, reply->text)};
  if (!packets) co_return Done{};
  std::string handed = credential_packet(credential);
  co_return co_await connection.hand_over(std::move(handed), options.timeout);
}

}  // namespace

Task<Status> log_in(boost::asio::io_context& io, const ServerOptions& options, std::string host,
                    Connection& connection) {
  const bool root = ::geteuid() == 0;
  Auth auth = options.auth;
  if (auth == Auth::automatic)
    auth = root || framed(connection.dialect()) ? Auth::reserved_port : Auth::trqauthd;
  if (auth == Auth::none) co_return Done{};
  if (auth == Auth::munge) co_return co_await vouch_by_munge(io, options, connection);
  if (auth == Auth::trqauthd) {
    if (framed(connection.dialect()))
      co_return Error{
          "AUTHTYPE=TRQAUTHD, but the server is not TORQUE: expected SECUREPORT, as root"};
    co_return co_await ask_trqauthd(io, options, host, connection);
  }
  if (!root)
    co_return Error{
        "the server trusts only reserved ports, which require root: run maui as root, or, with "
        "TORQUE, start trqauthd and set AUTHTYPE=TRQAUTHD"};
  co_return co_await vouch(io, options, host, connection);
}

}  // namespace maui::pbs
