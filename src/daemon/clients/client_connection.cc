#include "daemon/clients/client_connection.h"

#include <fmt/format.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <new>

#include "base/outside_text.h"
#include "daemon/clients/peer.h"
#include "proto/checksum.h"

namespace maui {

using boost::system::error_code;

ClientConnection::ClientConnection(Host& host, Turns& turns, Socket socket, Peer peer,
                                   std::uint64_t number)
    : StreamClient(turns, std::move(socket), std::move(peer), number), host_(host) {}

void ClientConnection::start() {
  error_code error;
  socket_.non_blocking(true, error);
  if (error) return close();
  next_request();
}

void ClientConnection::expect_within_limit(const char* what) {
  deadline_.expires_after(host_.timeout());
  deadline_.async_wait([self = self(), what](error_code error) {
    const bool extended = self->deadline_.expiry() > std::chrono::steady_clock::now();
    if (error || self->is_closed() || extended) return;
    if (waits_for_us(self->socket_.native_handle(), self->writing_))
      return self->expect_within_limit(what);
    // A client that keeps its connection open for further requests is not to blame.
    const bool to_blame = self->decoder_.inside_frame() || self->writing_;
    self->host_.log(to_blame ? 2 : 5, self->peer(),
                    fmt::format("{}client {} {} in time; closed",
                                to_blame ? "WARNING: " : "INFO: ", self->peer().address, what));
    self->close();
  });
}

/// Most requests are read at once.  The rest of a longer one is read in turns, so that it costs its
/// party's time.
void ClientConnection::read() {
  socket_.async_wait(Socket::wait_read, [self = self()](error_code error) {
    if (self->is_closed()) return;
    if (error) return self->close();
    self->reads_ = self->decoder_.inside_frame();
    self->reads_ ? self->await_turn() : self->read_some();
  });
}

void ClientConnection::read_some() {
  within_memory([this] {
    constexpr std::size_t kOutOfTurn = 8192;
    std::array<char, 1u << 16> buffer;
    const auto most = decoder_.inside_frame() ? buffer.size() : kOutOfTurn;
    error_code error;
    const auto size = socket_.read_some(boost::asio::buffer(buffer, most), error);
    if (error == boost::asio::error::would_block) return read();
    if (error) return close();
    take({buffer.data(), size});
  });
}

void ClientConnection::take(std::string_view bytes) {
  // The beginning of a request is taken even so: most are whole then, and are told the reason.
  if (decoder_.inside_frame() && !may_take_memory()) return refuse("memory is short");
  decoder_.feed(bytes);
  recount();
  if (is_closed()) return;
  auto message = decoder_.next();
  if (!message) return refuse(message.error().what);
  if (*message) return wait_for_turn(std::move(**message));
  recount();  // there is room now for all that the frame announces
  if (!is_closed()) read();
}

void ClientConnection::next_request() {
  auto message = decoder_.next();  // may have arrived with the previous request
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
  if (std::exchange(reads_, false)) return read_some();
  try {
    go_on();
  } catch (const std::bad_alloc&) {  // the request or its reply is too large at present
    work_ = nullptr;
    std::string().swap(outgoing_);
    refuse("not enough memory for its request");
  }
}

void ClientConnection::go_on() {
  if ((!work_ || looks_) && has_gone(socket_.native_handle())) return close();
  if (!work_ && !believed_) {
    if (auto taken = take_up(); !taken) return refuse(taken.error().what);
    if (is_closed() || !believed_) return;  // authentication continues in the background
  }
  if (!work_ && !believed_->doubt.empty()) return ask_for_proof();
  if (!work_) begin();
  auto [data, changed, first, looks, awaited] = work_();
  if (is_closed()) return;
  looks_ = looks;
  if (!data) return awaited ? await(std::move(awaited)) : await_turn(first);
  work_ = nullptr;
  answer(*data);
  if (changed && kept_ && !is_closed()) change_ = *std::move(data);
}

void ClientConnection::await(std::shared_ptr<AwaitedAnswers> awaited) {
  awaited->when_over([weak = std::weak_ptr(self())] {
    const auto connection = weak.lock();
    if (!connection || connection->is_closed()) return;
    connection->deadline_.cancel();
    connection->await_turn();
  });
  awaited_ = awaited;
  deadline_.expires_after(host_.patience());
  deadline_.async_wait([awaited = std::move(awaited)](error_code error) {
    if (!error) awaited->give_up();
  });
}

void ClientConnection::wait_no_longer() {
  if (const auto awaited = awaited_.lock()) awaited->give_up();
}

Status ClientConnection::take_up() {
  auto message = parse_message(std::exchange(request_, {}));
  if (!message) return message.error();
  asked_ = *std::move(message);
  const auto challenge = std::exchange(challenge_, {});
  if (!asked_.challenge.empty() && asked_.challenge != challenge)
    return Error{"it answers a challenge that was not sent on its connection"};
  taking_up_ = true;
  host_.authenticate(peer(), asked_, [self = self()](Result<Believed> believed) {
    self->has_been_judged(std::move(believed));
  });
  taking_up_ = false;
  if (!is_closed() && !believed_) recount();
  return Done{};
}

void ClientConnection::has_been_judged(Result<Believed> believed) {
  if (is_closed()) return;
  if (!believed) return refuse(believed.error().what);
  believed_ = *std::move(believed);
  if (!taking_up_) await_turn();
}

void ClientConnection::begin() {
  const auto asked = std::exchange(asked_, {});
  const auto believed = *std::exchange(believed_, std::nullopt);
  reply_to_ = asked.checksum;
  reply_secret_ = believed.secret;
  work_ = host_.begin({believed.user, peer().host, peer().address, peer().party}, asked.data);
}

/// Whoever can answer a new challenge has signed the request now.  Everybody else may have kept an
/// old message.
void ClientConnection::ask_for_proof() {
  constexpr std::size_t kBytes = 16;
  const auto asked = std::exchange(asked_, {});
  const auto believed = *std::exchange(believed_, std::nullopt);
  host_.log(3, peer(),
            fmt::format("INFO: client {} is sent a challenge: {}", peer().address, believed.doubt));
  challenge_ = random_digits(kBytes);
  auto frame = encode_frame(host_.sign_challenge(believed.secret, asked.checksum, challenge_));
  if (!frame) return refuse(frame.error().what);
  hold(std::move(*frame));
  if (!is_closed()) send_within_limit();
}

void ClientConnection::answer(const std::string& data) {
  auto frame = encode_frame(host_.sign_reply(reply_secret_, reply_to_, data));
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
