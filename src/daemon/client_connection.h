// One client: requests in, replies out, one at a time, until it closes or is too slow.
#pragma once
#include <array>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "daemon/client_server.h"
#include "proto/frame.h"
#include "proto/message.h"

namespace maui {

class ClientConnection : public std::enable_shared_from_this<ClientConnection> {
 public:
  using Socket = boost::asio::generic::stream_protocol::socket;

  /// `number`: by it the server knows which came first.
  ClientConnection(ClientServer& server, Socket socket, Peer peer, std::uint64_t number);

  void start();
  /// Takes the request up that has come, or goes on with its work; some milliseconds of it.
  void work();
  /// Sends the reply that was kept; one to a change as it is revised.
  void release(const ClientServer::Revision& of_changes);
  /// Its request has changed something, and the reply is kept.
  bool has_changed() const { return kept_ && !change_.empty(); }
  /// Ends it at once, or as soon as the reply under way is out.
  void close();
  void close_when_idle();
  const Peer& peer() const { return peer_; }
  /// Bytes of memory that its request and its reply take.
  std::size_t held() const {
    return decoder_.held() + request_.size() + outgoing_.size() + change_.size();
  }
  std::uint64_t number() const { return number_; }

 private:
  void read();
  void next_request();
  void wait_for_turn(std::string text);
  void go_on();
  Status take_up();
  void answer(const std::string& data);
  void write(std::string frame);
  void send();
  void expect_within_limit(const char* what);
  bool waits_for_us();
  bool has_gone();
  /// Tells the server that it holds more or less now; that may close it.
  void recount();
  void refuse(const std::string& reason);
  /// The user who asks, or why the message is not believed.
  Result<std::string> authenticate(const Message& message);

  ClientServer& server_;
  Socket socket_;
  boost::asio::steady_timer deadline_;
  Peer peer_;
  std::uint64_t number_;
  std::size_t counted_ = 0;  // of held(), what the server has counted
  FrameDecoder decoder_;
  std::array<char, 8192> buffer_{};
  std::string request_;      // that waits for its turn
  ClientServer::Work work_;  // none: not begun
  std::string reply_to_;     // the checksum of the request that is worked on
  std::string outgoing_;
  std::string change_;  // the data of its reply, if it has changed something
  bool writing_ = false, closing_ = false, closed_ = false;
  bool kept_ = false;  // the reply waits for the server's word; writing_ is true
};

}  // namespace maui
