// A client of any protocol, as seen by the server, which shares its time and memory among clients.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>

#include "daemon/clients/peer.h"

namespace maui {

class Client {
 public:
  /// `number`: the order in which clients connected.
  Client(Peer peer, std::uint64_t number) : peer_(std::move(peer)), number_(number) {}
  virtual ~Client() = default;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  const Peer& peer() const { return peer_; }
  std::uint64_t number() const { return number_; }
  /// Returns the bytes of memory used by the client's request and reply.
  virtual std::size_t held() const = 0;
  /// Begins the next request, or continues work on the current one, for some milliseconds.
  virtual void work() = 0;
  /// Waits no longer for what others answer: the reply tells what is known.
  virtual void wait_no_longer() {}
  /// Closes the client at once, or after the reply under way has been sent.
  virtual void close() = 0;
  virtual void close_when_idle() = 0;

 private:
  Peer peer_;
  std::uint64_t number_;
};

}  // namespace maui
