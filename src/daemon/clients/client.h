// A client of any protocol, as the server sees it that shares its time and memory among them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>

#include "daemon/clients/peer.h"

namespace maui {

class Client {
 public:
  /// `number`: by it the server knows which came first.
  Client(Peer peer, std::uint64_t number) : peer_(std::move(peer)), number_(number) {}
  virtual ~Client() = default;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  const Peer& peer() const { return peer_; }
  std::uint64_t number() const { return number_; }
  /// Bytes of memory that its request and its reply take.
  virtual std::size_t held() const = 0;
  /// Takes the request up that has come, or goes on with its work; some milliseconds of it.
  virtual void work() = 0;
  /// Ends it at once, or as soon as the reply under way is out.
  virtual void close() = 0;
  virtual void close_when_idle() = 0;

 private:
  Peer peer_;
  std::uint64_t number_;
};

}  // namespace maui
