// One client: requests in, replies out, one at a time, until it closes or is too slow.
#pragma once
#include <array>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "daemon/client.h"
#include "daemon/peer.h"
#include "maui/result.h"
#include "proto/frame.h"
#include "proto/message.h"

namespace maui {

struct Caller {
  std::string user;
  std::string host;     // empty: this machine
  std::string address;  // for the log
};

class ClientConnection final : public Client,
                               public std::enable_shared_from_this<ClientConnection> {
 public:
  using Socket = boost::asio::generic::stream_protocol::socket;
  /// Each call does some milliseconds of the work; the last gives the reply's data.
  using Work = std::function<std::optional<std::string>()>;
  /// What becomes of the data of a reply to a request that changes something.
  using Revision = std::function<std::string(std::string data)>;

  /// What a connection asks of the server that took it.
  class Host {
   public:
    /// How long a client has for a request, and for taking a reply.
    virtual std::chrono::milliseconds timeout() const = 0;
    /// The user who asks, or why the message is not believed.
    virtual Result<std::string> authenticate(const Peer& peer, const Message& message) = 0;
    virtual Work begin(const Caller& caller, std::string_view data) = 0;
    struct Slice {
      std::optional<std::string> data;  // of the reply; none: there is more to do
      bool changed = false;             // the request has changed something
      bool first = false;  // what there is to do comes before other requests of the party
    };
    virtual Slice work_on(const Work& work) = 0;
    virtual std::string sign_reply(const Peer& peer, const std::string& to,
                                   const std::string& data) const = 0;
    /// True if its reply, which is about to be sent, waits until it is released.
    virtual bool keep(const std::shared_ptr<ClientConnection>& connection) = 0;

    // What happens to the connection: it has a request, or work to be gone on with; its reply is
    // being sent, or was taken; it holds more or less memory, and may be closed for that; it is
    // closed.
    virtual void is_ready(const std::shared_ptr<ClientConnection>& connection,
                          bool first = false) = 0;
    virtual void is_sending(const std::shared_ptr<ClientConnection>& connection) = 0;
    virtual void has_sent(const ClientConnection& connection) = 0;
    virtual void recount(const ClientConnection& connection, std::size_t before,
                         std::size_t now) = 0;
    virtual void closed(const ClientConnection& connection) = 0;

    virtual void log(int level, const Peer& peer, std::string_view text) const = 0;
    /// Logs a client that does what it may not.
    virtual void complain(const Peer& peer, std::string_view text) = 0;

   protected:
    ~Host() = default;
  };

  ClientConnection(Host& host, Socket socket, Peer peer, std::uint64_t number);

  void start();
  void work() override;
  /// Sends the reply that was kept; one to a change as it is revised.
  void release(const Revision& of_changes);
  /// Its request has changed something, and the reply is kept.
  bool has_changed() const { return kept_ && !closed_ && !change_.empty(); }
  void close() override;
  void close_when_idle() override;
  std::size_t held() const override {
    return decoder_.held() + request_.size() + outgoing_.size() + change_.size();
  }

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
  /// Tells the server that it holds more or less now; that may close it.
  void recount();
  void refuse(const std::string& reason);

  Host& host_;
  Socket socket_;
  boost::asio::steady_timer deadline_;
  std::size_t counted_ = 0;  // of held(), what the server has counted
  FrameDecoder decoder_;
  std::array<char, 8192> buffer_{};
  std::string request_;   // that waits for its turn
  Work work_;             // none: not begun
  std::string reply_to_;  // the checksum of the request that is worked on
  std::string outgoing_;
  std::string change_;  // the data of its reply, if it has changed something
  bool writing_ = false, closing_ = false, closed_ = false;
  bool kept_ = false;  // the reply waits for the server's word; writing_ is true
};

}  // namespace maui
