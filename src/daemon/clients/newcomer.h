// A connection that has been accepted, of which nothing but its peer is known yet.
#pragma once
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <utility>

#include "daemon/clients/peer.h"

namespace maui {

/// Closes the connection unless it is taken: of very many, most are refused, and a socket of the
/// event loop costs more than all else.
class Newcomer {
 public:
  using Socket = boost::asio::generic::stream_protocol::socket;

  Newcomer(boost::asio::io_context& io, int descriptor) : io_(io), descriptor_(descriptor) {}
  Newcomer(Newcomer&& other) noexcept
      : io_(other.io_),
        descriptor_(std::exchange(other.descriptor_, -1)),
        peer_(std::move(other.peer_)) {}
  Newcomer& operator=(Newcomer&&) = delete;
  ~Newcomer();

  const Peer& peer() const { return peer_; }
  Peer& peer() { return peer_; }
  /// Returns the connection as a socket of the loop; one that is closed if the loop cannot have it.
  Socket take();

 private:
  boost::asio::io_context& io_;
  int descriptor_;
  Peer peer_;
};

}  // namespace maui
