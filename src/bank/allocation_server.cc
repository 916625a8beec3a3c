#include "bank/allocation_server.h"

#include <fmt/format.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>

#include "bank/allocation_lines.h"

namespace maui {

namespace asio = boost::asio;
using boost::system::error_code;
using Tcp = asio::ip::tcp;

namespace {

constexpr std::size_t kLongestAnswer = 4096;

}  // namespace

struct AllocationServer::Call {
  Call(asio::io_context& io, std::string text, Answer answer)
      : resolver(io), socket(io), deadline(io), line(std::move(text)), done(std::move(answer)) {}
  Tcp::resolver resolver;
  Tcp::socket socket;
  asio::steady_timer deadline;
  std::string line, reply;
  Answer done;
  bool over = false;
};

AllocationServer::AllocationServer(asio::io_context& io, AllocationServerOptions options)
    : io_(io), options_(std::move(options)) {}

AllocationServer::~AllocationServer() {
  for (const auto& call : calls_) {
    call->over = true;
    error_code ignored;
    call->resolver.cancel();
    call->deadline.cancel();
    call->socket.close(ignored);
  }
}

std::string AllocationServer::place() const {
  return fmt::format("{}:{}", options_.host, options_.port);
}

void AllocationServer::ask(const AllocationRequest& request, Answer done) {
  waiting_.emplace_back(allocation_line(request), std::move(done));
  next();
}

void AllocationServer::next() {
  while (!waiting_.empty() && calls_.size() < options_.at_once) {
    auto [line, done] = std::move(waiting_.front());
    waiting_.pop_front();
    calls_.push_back(std::make_shared<Call>(io_, line + '\n', std::move(done)));
    connect(calls_.back());
  }
}

void AllocationServer::connect(const std::shared_ptr<Call>& call) {
  call->deadline.expires_after(options_.timeout);
  call->deadline.async_wait([this, call](error_code error) {
    if (error || call->over) return;
    finish(call, {AllocationVerdict::failed, fmt::format("no answer from {} in time", place())},
           false);
  });
  const auto failed = [this, call](error_code error) {
    finish(call,
           {AllocationVerdict::failed,
            fmt::format("cannot connect to {}: {}", place(), error.message())},
           false);
  };
  call->resolver.async_resolve(
      options_.host, std::to_string(options_.port),
      [this, call, failed](error_code error, const Tcp::resolver::results_type& found) {
        if (call->over) return;
        if (error) return failed(error);
        asio::async_connect(call->socket, found,
                            [this, call, failed](error_code refused, const Tcp::endpoint&) {
                              if (call->over) return;
                              if (refused) return failed(refused);
                              converse(call);
                            });
      });
}

void AllocationServer::converse(const std::shared_ptr<Call>& call) {
  const auto lost = [this, call](error_code error) {
    finish(
        call,
        {AllocationVerdict::failed, fmt::format("no answer from {}: {}", place(), error.message())},
        false);
  };
  asio::async_write(
      call->socket, asio::buffer(call->line), [this, call, lost](error_code error, std::size_t) {
        if (call->over) return;
        if (error) return lost(error);
        asio::async_read_until(
            call->socket, asio::dynamic_buffer(call->reply, kLongestAnswer), '\n',
            [this, call, lost](error_code unread, std::size_t length) {
              if (call->over) return;
              if (unread) return lost(unread);
              finish(call, parse_allocation_answer(std::string_view(call->reply).substr(0, length)),
                     true);
            });
      });
}

// Answering may ask again.
void AllocationServer::finish(const std::shared_ptr<Call>& call, const AllocationAnswer& answer,
                              bool reached) {
  call->over = true;
  call->deadline.cancel();
  error_code ignored;
  call->resolver.cancel();
  call->socket.close(ignored);
  calls_.remove(call);
  if (!reached) fail_waiting(answer);
  call->done(answer);
  next();
}

void AllocationServer::fail_waiting(const AllocationAnswer& answer) {
  for (const auto& [line, done] : std::exchange(waiting_, {})) done(answer);
}

}  // namespace maui
