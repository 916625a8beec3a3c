#include "daemon/http_connection.h"

#include <fmt/format.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <ctime>
#include <new>
#include <utility>

namespace maui {

using boost::system::error_code;

namespace {

// For the peer to read the last answer, and what is thrown away of his meanwhile.
constexpr std::chrono::milliseconds kLinger{2000};
constexpr std::size_t kMostDiscarded = std::size_t{1} << 16;

std::size_t size_of(const HttpRequest& request) {
  std::size_t size = request.host.size() + request.user.value_or("").size();
  for (const auto& word : request.path) size += word.size();
  for (const auto& [name, value] : request.query) size += name.size() + value.size();
  return size;
}

}  // namespace

HttpConnection::HttpConnection(Host& host, Socket socket, Peer peer, std::uint64_t number)
    : Client(std::move(peer), number),
      host_(host),
      socket_(std::move(socket)),
      deadline_(socket_.get_executor()) {}

std::size_t HttpConnection::held() const {
  return reader_.held() + outgoing_.size() + (request_ ? size_of(*request_) : 0);
}

void HttpConnection::expect_within(std::chrono::milliseconds limit) {
  deadline_.expires_after(limit);
  deadline_.async_wait([self = shared_from_this(), limit](error_code error) {
    const bool extended = self->deadline_.expiry() > std::chrono::steady_clock::now();
    if (error || self->closed_ || extended) return;
    if (!self->lingering_ && waits_for_us(self->socket_.native_handle(), self->writing_))
      return self->expect_within(limit);
    // One that keeps its connection for more requests is not to blame.
    const bool to_blame = self->writing_ || self->reader_.held() > 0;
    self->host_.log(to_blame ? 2 : 6, self->peer(),
                    fmt::format("client {} was not in time; closed", self->peer().address));
    self->close();
  });
}

/// Within a limit that bytes which come drop by drop do not extend.
void HttpConnection::await_request() {
  expect_within(host_.timeout());
  next_request();
}

void HttpConnection::next_request() {
  auto found = reader_.next();
  recount();
  if (closed_) return;
  if (const auto* fault = std::get_if<HttpFault>(&found)) {
    host_.log(2, peer(), fmt::format("client {} refused: {}", peer().address, fault->what));
    closing_ = true;
    return answer(error_response(fault->status, fault->what));
  }
  if (auto* request = std::get_if<HttpRequest>(&found)) {
    deadline_.cancel();
    head_ = request->head;
    closing_ = closing_ || !request->keep_alive;
    request_ = std::move(*request);
    recount();
    if (!closed_) host_.is_ready(shared_from_this());
    return;
  }
  if (closing_) return close();
  read();
}

void HttpConnection::read() {
  socket_.async_read_some(boost::asio::buffer(buffer_),
                          [self = shared_from_this()](error_code error, std::size_t size) {
                            if (self->closed_) return;
                            if (error) return self->close();
                            self->reader_.feed({self->buffer_.data(), size});
                            self->next_request();
                          });
}

void HttpConnection::work() {
  try {
    if (closed_) return;
    if (!work_) {
      if (has_gone(socket_.native_handle())) return close();
      work_ = host_.begin(peer(), *std::exchange(request_, std::nullopt));
    }
    auto response = work_();
    if (closed_) return;
    if (!response) return host_.is_ready(shared_from_this());
    work_ = nullptr;
    answer(*std::move(response));
  } catch (const std::bad_alloc&) {
    close();
  }
}

void HttpConnection::answer(HttpResponse response) {
  send(response_text(response, head_, !closing_, std::time(nullptr)));
}

void HttpConnection::send(std::string text) {
  outgoing_ = std::move(text);
  writing_ = true;
  recount();
  if (closed_) return;
  expect_within(host_.timeout());
  host_.is_sending(shared_from_this());
  boost::asio::async_write(socket_, boost::asio::buffer(outgoing_),
                           [self = shared_from_this()](error_code error, std::size_t) {
                             if (self->closed_) return;
                             self->writing_ = false;
                             self->host_.has_sent(*self);
                             std::string().swap(self->outgoing_);
                             self->recount();
                             if (error) return self->close();
                             self->closing_ ? self->linger() : self->await_request();
                           });
}

void HttpConnection::linger() {
  error_code ignored;
  socket_.shutdown(Socket::shutdown_send, ignored);
  lingering_ = true;
  expect_within(kLinger);
  discard();
}

void HttpConnection::discard() {
  socket_.async_read_some(boost::asio::buffer(buffer_),
                          [self = shared_from_this()](error_code error, std::size_t size) {
                            self->discarded_ += size;
                            if (error || self->discarded_ > kMostDiscarded) return self->close();
                            self->discard();
                          });
}

void HttpConnection::recount() {
  const auto held = this->held();
  host_.recount(*this, std::exchange(counted_, held), held);
}

void HttpConnection::close_when_idle() {
  closing_ = true;
  if (!writing_) close();
}

void HttpConnection::close() {
  if (closed_) return;
  closed_ = true;
  deadline_.cancel();
  error_code ignored;
  socket_.shutdown(Socket::shutdown_both, ignored);
  socket_.close(ignored);
  host_.recount(*this, std::exchange(counted_, 0), 0);
  host_.closed(*this);
}

}  // namespace maui
