#include "daemon/clients/client_connection.h"

#include <fmt/format.h>

#include <boost/asio/buffer.hpp>
#include <new>

#include "base/told_text.h"
#include "daemon/clients/peer.h"

namespace maui {

using boost::system::error_code;

ClientConnection::ClientConnection(Host& host, Turns& turns, Socket socket, Peer peer,
                                   std::uint64_t number)
    : StreamClient(turns, std::move(socket), std::move(peer), number), host_(host) {}

void ClientConnection::start() { next_request(); }

void ClientConnection::expect_within_limit(const char* what) {
  deadline_.expires_after(host_.timeout());
  deadline_.async_wait([self = self(), what](error_code error) {
    const bool extended = self->deadline_.expiry() > std::chrono::steady_clock::now();
    if (error || self->is_closed() || extended) return;
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
                          [self = self()](error_code error, std::size_t size) {
                            if (self->is_closed()) return;
                            if (error) return self->close();
                            self->decoder_.feed({self->buffer_.data(), size});
                            self->recount();
                            if (self->is_closed()) return;
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
  if (!is_closed()) await_turn();
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
  if (is_closed()) return;
  if (!data) return await_turn(first);
  work_ = nullptr;
  answer(*data);
  if (changed && !is_closed()) change_ = *std::move(data);
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
  hold(std::move(frame));
  if (is_closed()) return;
  kept_ = host_.keep(self());
  if (!kept_) send_within_limit();
}

void ClientConnection::release(const Revision& of_changes) {
  if (!std::exchange(kept_, false) || is_closed()) return;
  const auto change = std::exchange(change_, {});
  if (!change.empty() && of_changes) return answer(of_changes(change));
  send_within_limit();
}

void ClientConnection::send_within_limit() {
  expect_within_limit("did not take its reply");
  send();
}

void ClientConnection::has_sent() { closing_ ? close() : next_request(); }

void ClientConnection::refuse(const std::string& reason) {
  host_.complain(peer(),
                 fmt::format("ALERT: client {} refused: {}", peer().address, shortened(reason)));
  close();
}

}  // namespace maui
