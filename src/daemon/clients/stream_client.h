// A client connected to a socket, whatever its protocol: counts its memory, sends its answers and
// closes it, according to the sharing rules of daemon/clients/turns.h.
#pragma once
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
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

  /// Called once, when the client is closed.
  virtual void has_closed() {}
  /// Called when the peer has taken the answer.
  virtual void has_sent() = 0;

  bool is_closed() const { return closed_; }
  /// Queues the client for a turn; `first`: before others of its party.
  void await_turn(bool first = false) { turns_.is_ready(shared_from_this(), first); }
  /// Reports a change of held() to the server, which may close the client.
  void recount();
  /// Takes the data to send; the client may be closed if it is too large.
  void hold(std::string text);
  /// Sends the data taken by hold().
  void send();
  /// Takes a step, and closes the client if there is no memory for it.
  template <class Step>
  void within_memory(Step step) {
    try {
      step();
    } catch (const std::bad_alloc&) {
      close();
    }
  }
  /// False while memory is short, unless the client is an administrator's.
  bool may_take_memory() const { return turns_.may_take_memory(peer()); }

  Socket socket_;
  boost::asio::steady_timer deadline_;
  std::string outgoing_;
  bool writing_ = false;  // an answer is held or being sent
  bool closing_ = false;  // close after the answer under way

 private:
  Turns& turns_;
  std::size_t counted_ = 0;  // the part of held() counted by the server
  bool closed_ = false;
};

}  // namespace maui
