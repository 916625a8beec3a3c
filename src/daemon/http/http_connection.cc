#include "daemon/http/http_connection.h"

#include <fmt/format.h>

#include <boost/asio/buffer.hpp>
#include <ctime>
#include <new>
#include <utility>

namespace maui {

using boost::system::error_code;

namespace {

// How long a closing connection waits for its peer, and how many bytes it discards meanwhile.
constexpr std::chrono::milliseconds kLinger{2000};
constexpr std::size_t kMostDiscarded = std::size_t{1} << 16;

// The kernel's send buffer for a client that does not read its stream: a few minutes of news.
constexpr int kStreamBuffer = 1 << 13;

std::size_t size_of(const HttpRequest& request) {
  std::size_t size = request.host.size() + request.user.value_or("").size();
  for (const auto& word : request.path) size += word.size();
  for (const auto& [name, value] : request.query) size += name.size() + value.size();
  return size;
}

}  // namespace

HttpConnection::HttpConnection(Host& host, Turns& turns, Socket socket, Peer peer,
                               std::uint64_t number)
    : StreamClient(turns, std::move(socket), std::move(peer), number), host_(host) {}

std::size_t HttpConnection::held() const {
  return reader_.held() + outgoing_.size() + news_.size() + (request_ ? size_of(*request_) : 0);
}

void HttpConnection::expect_within(std::chrono::milliseconds limit) {
  deadline_.expires_after(limit);
  deadline_.async_wait([self = self(), limit](error_code error) {
    const bool extended = self->deadline_.expiry() > std::chrono::steady_clock::now();
    if (error || self->is_closed() || extended) return;
    if (!self->lingering_ && waits_for_us(self->socket_.native_handle(), self->writing_))
      return self->expect_within(limit);
    // A client that keeps its connection open for further requests is not to blame.
    const bool to_blame = self->writing_ || self->reader_.held() > 0;
    self->host_.log(to_blame ? 2 : 6, self->peer(),
                    fmt::format("client {} was too slow; closed", self->peer().address));
    self->close();
  });
}

/// Sets a time limit that data arriving drop by drop does not extend.
void HttpConnection::await_request() {
  expect_within(host_.timeout());
  next_request();
}

void HttpConnection::next_request() {
  auto found = reader_.next();
  recount();
  if (is_closed()) return;
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
    if (!is_closed()) await_turn();
    return;
  }
  if (closing_) return close();
  read();
}

void HttpConnection::read() {
  socket_.async_read_some(boost::asio::buffer(buffer_),
                          [self = self()](error_code error, std::size_t size) {
                            if (self->is_closed()) return;
                            if (error) return self->close();
                            if (!self->may_take_memory()) return self->close();
                            self->within_memory([&] {
                              self->reader_.feed({self->buffer_.data(), size});
                              self->next_request();
                            });
                          });
}

void HttpConnection::work() {
  try {
    if (is_closed()) return;
    if (has_gone(socket_.native_handle())) return close();
    if (!work_) work_ = host_.begin(peer(), *std::exchange(request_, std::nullopt));
    auto [response, first] = work_();
    if (is_closed()) return;
    if (!response) return await_turn(first);
    work_ = nullptr;
    answer(*std::move(response));
  } catch (const std::bad_alloc&) {
    close();
  }
}

void HttpConnection::answer(HttpResponse response) {
  hold(response_text(response, head_, !closing_, std::time(nullptr)));
  if (is_closed()) return;
  if (response.stream_of && head_)
    closing_ = true;
  else if (response.stream_of)
    begin_stream(*std::move(response.stream_of));
  if (!host_.keep(self())) release();
}

void HttpConnection::release() {
  if (is_closed()) return;
  expect_within(host_.timeout());
  send();
}

void HttpConnection::has_sent() {
  if (is_stream())
    closing_ ? close() : go_on_with_stream();
  else
    closing_ ? linger() : await_request();
}

/// Begins a stream: accepts no more requests, but reads to notice the end of the connection.
void HttpConnection::begin_stream(std::string whose) {
  stream_of_ = std::move(whose);
  closing_ = false;  // though the client sends no further request
  error_code ignored;
  socket_.set_option(boost::asio::socket_base::send_buffer_size(kStreamBuffer), ignored);
  discard();
}

void HttpConnection::go_on_with_stream() {
  deadline_.cancel();
  if (!news_.empty()) send_news(std::exchange(news_, {}));
}

void HttpConnection::send_news(const std::string& news) {
  if (is_closed() || closing_) return;
  if (!writing_) return show_life(news);
  news_ = news;
  recount();
}

void HttpConnection::show_life(const std::string& sign) {
  if (is_closed() || closing_ || writing_) return;
  hold(sign);
  if (is_closed()) return;
  expect_within(host_.timeout());
  send();
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
                          [self = self()](error_code error, std::size_t size) {
                            self->discarded_ += size;
                            if (error || self->discarded_ > kMostDiscarded) return self->close();
                            self->discard();
                          });
}

}  // namespace maui
