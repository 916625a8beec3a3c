// A client at a socket, whatever protocol it speaks: its memory is counted, its answers are sent,
// and it is closed, as daemon/clients/turns.h shares the server among all.
#pragma once
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "daemon/clients/client.h"
#include "daemon/clients/turns.h"

namespace maui {

class StreamClient : public Client, public std::enable_shared_from_this<StreamClient> {
 public:
  using Socket = boost::asio::generic::stream_protocol::socket;

  void close() final;
  void close_when_idle() final;

 protected:
  StreamClient(Turns& turns, Socket socket, Peer peer, std::uint64_t number);

  /// Called once, when it is closed.
  virtual void has_closed() {}
  /// The peer has taken what was sent.
  virtual void has_sent() = 0;

  bool is_closed() const { return closed_; }
  /// It has a request, or work to be gone on with; `first`: before others of its party.
  void await_turn(bool first = false) { turns_.is_ready(shared_from_this(), first); }
  /// Reports to the server that it holds more or less now; that may close it.
  void recount();
  /// Holds what is to be sent, which may close it for its size.
  void hold(std::string text);
  /// Sends what it holds.
  void send();

  Socket socket_;
  boost::asio::steady_timer deadline_;
  std::string outgoing_;
  bool writing_ = false;  // an answer is held or being sent
  bool closing_ = false;  // after the answer under way

 private:
  Turns& turns_;
  std::size_t counted_ = 0;  // of held(), what the server has counted
  bool closed_ = false;
};

}  // namespace maui
