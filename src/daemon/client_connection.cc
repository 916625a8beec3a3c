#include "daemon/client_connection.h"

#include <fmt/format.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <new>

#include "base/told_text.h"
#include "daemon/peer.h"

namespace maui {

using boost::system::error_code;

ClientConnection::ClientConnection(Host& host, Socket socket, Peer peer, std::uint64_t number)
    : Client(std::move(peer), number),
      host_(host),
      socket_(std::move(socket)),
      deadline_(socket_.get_executor()) {}

void ClientConnection::start() { next_request(); }

void ClientConnection::expect_within_limit(const char* what) {
  deadline_.expires_after(host_.timeout());
  deadline_.async_wait([self = shared_from_this(), what](error_code error) {
    const bool extended = self->deadline_.expiry() > std::chrono::steady_clock::now();
    if (error || self->closed_ || extended) return;
    if (waits_for_us(self->socket_.native_handle(), self->writing_))
      return self->expect_within_limit(what);
    // One that asked something and keeps its connection for more is not to blame.
    const bool to_blame = self->decoder_.inside_frame() || self->writing_;
    self->host_.log(to_blame ? 2 : 5, self->peer(),
                    fmt::format("{}client {} {} in time; closed",
                                to_blame ? "WARNING: " : "INFO: ", self->peer().address, what));
    self->close();
  });
}

void ClientConnection::read() {
  socket_.async_read_some(boost::asio::buffer(buffer_),
                          [self = shared_from_this()](error_code error, std::size_t size) {
                            if (self->closed_) return;
                            if (error) return self->close();
                            self->decoder_.feed({self->buffer_.data(), size});
                            self->recount();
                            if (self->closed_) return;
                            auto message = self->decoder_.next();
                            if (!message) return self->refuse(message.error().what);
                            if (!*message) return self->read();
                            self->wait_for_turn(std::move(**message));
                          });
}

void ClientConnection::next_request() {
  auto message = decoder_.next();  // it may have come together with the last one
  if (!message) return refuse(message.error().what);
  if (*message) return wait_for_turn(std::move(**message));
  expect_within_limit("sent no request");
  read();
}

void ClientConnection::wait_for_turn(std::string text) {
  deadline_.cancel();
  request_ = std::move(text);
  recount();
  if (!closed_) host_.is_ready(shared_from_this());
}

void ClientConnection::work() {
  try {
    go_on();
  } catch (const std::bad_alloc&) {  // its request, or its reply, is too large now
    work_ = nullptr;
    std::string().swap(outgoing_);
    refuse("there is not enough memory for it");
  }
}

void ClientConnection::go_on() {
  if (!work_ && has_gone(socket_.native_handle())) return close();
  if (!work_)
    if (auto begun = take_up(); !begun) return refuse(begun.error().what);
  auto [data, changed, first] = host_.work_on(work_);
  if (closed_) return;
  if (!data) return host_.is_ready(shared_from_this(), first);
  work_ = nullptr;
  answer(*data);
  if (changed && !closed_) change_ = *std::move(data);
}

Status ClientConnection::take_up() {
  const auto text = std::exchange(request_, {});
  const auto message = parse_message(text);
  if (!message) return message.error();
  const auto user = host_.authenticate(peer(), *message);
  if (!user) return user.error();
  reply_to_ = message->checksum;
  work_ = host_.begin({*user, peer().host, peer().address}, message->data);
  return Done{};
}

void ClientConnection::answer(const std::string& data) {
  auto frame = encode_frame(host_.sign_reply(peer(), reply_to_, data));
  if (!frame) return refuse("its reply is too long: " + frame.error().what);
  write(std::move(*frame));
}

void ClientConnection::write(std::string frame) {
  outgoing_ = std::move(frame);
  writing_ = true;
  recount();
  if (closed_) return;
  kept_ = host_.keep(shared_from_this());
  if (!kept_) send();
}

void ClientConnection::release(const Revision& of_changes) {
  if (!std::exchange(kept_, false) || closed_) return;
  const auto change = std::exchange(change_, {});
  if (!change.empty() && of_changes) return answer(of_changes(change));
  send();
}

void ClientConnection::send() {
  expect_within_limit("did not take its reply");
  host_.is_sending(shared_from_this());
  boost::asio::async_write(socket_, boost::asio::buffer(outgoing_),
                           [self = shared_from_this()](error_code error, std::size_t) {
                             if (self->closed_) return;
                             self->writing_ = false;
                             self->host_.has_sent(*self);
                             std::string().swap(self->outgoing_);
                             self->recount();
                             if (error || self->closing_) return self->close();
                             self->next_request();
                           });
}

void ClientConnection::recount() {
  const auto held = this->held();
  const auto before = std::exchange(counted_, held);
  host_.recount(*this, before, held);
}

void ClientConnection::refuse(const std::string& reason) {
  host_.complain(peer(),
                 fmt::format("ALERT: client {} refused: {}", peer().address, shortened(reason)));
  close();
}

void ClientConnection::close_when_idle() {
  closing_ = true;
  if (!writing_) close();
}

void ClientConnection::close() {
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
