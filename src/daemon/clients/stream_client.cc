#include "daemon/clients/stream_client.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <utility>

#include "base/fence.h"

namespace maui {

using boost::system::error_code;

StreamClient::StreamClient(Turns& turns, Socket socket, Peer peer, std::uint64_t number)
    : Client(std::move(peer), number),
      socket_(std::move(socket)),
      deadline_(socket_.get_executor()),
      turns_(turns) {}

void StreamClient::recount() {
  const auto now = held();
  const auto before = std::exchange(counted_, now);
  turns_.recount(*this, before, now);
}

void StreamClient::hold(std::string text) {
  outgoing_ = std::move(text);
  writing_ = true;
  recount();
}

void StreamClient::send() {
  turns_.is_sending(shared_from_this());
  pass_fence();
  boost::asio::async_write(socket_, boost::asio::buffer(outgoing_),
                           [self = shared_from_this()](error_code error, std::size_t) {
                             if (self->closed_) return;
                             self->writing_ = false;
                             self->turns_.has_sent(*self);
                             std::string().swap(self->outgoing_);
                             self->recount();
                             if (error) return self->close();
                             self->within_memory([&] { self->has_sent(); });
                           });
}

void StreamClient::close_when_idle() {
  closing_ = true;
  if (!writing_) close();
}

void StreamClient::close() {
  if (closed_) return;
  closed_ = true;
  deadline_.cancel();
  error_code ignored;
  socket_.close(ignored);
  turns_.recount(*this, std::exchange(counted_, 0), 0);
  turns_.remove(*this);
  has_closed();
}

}  // namespace maui
