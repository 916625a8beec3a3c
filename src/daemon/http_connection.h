// One client over HTTP: a request in, its answer out, one at a time, until it closes or is too
// slow.  What it sends behind a request is not read before that is answered.
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

#include "daemon/client.h"
#include "http/request.h"
#include "http/response.h"

namespace maui {

class HttpConnection final : public Client, public std::enable_shared_from_this<HttpConnection> {
 public:
  using Socket = boost::asio::generic::stream_protocol::socket;
  /// Each call does some milliseconds of the work; the last gives the answer.
  using Work = std::function<std::optional<HttpResponse>()>;

  /// What a connection asks of the server that took it.
  class Host {
   public:
    /// How long a client has for a request, and for taking an answer.
    virtual std::chrono::milliseconds timeout() const = 0;
    virtual Work begin(const Peer& peer, const HttpRequest& request) = 0;

    // What happens to the connection, as for ClientConnection::Host.
    virtual void is_ready(const std::shared_ptr<HttpConnection>& connection) = 0;
    virtual void is_sending(const std::shared_ptr<HttpConnection>& connection) = 0;
    virtual void has_sent(const HttpConnection& connection) = 0;
    virtual void recount(const HttpConnection& connection, std::size_t before, std::size_t now) = 0;
    virtual void closed(const HttpConnection& connection) = 0;
    virtual void log(int level, const Peer& peer, std::string_view text) = 0;

   protected:
    ~Host() = default;
  };

  HttpConnection(Host& host, Socket socket, Peer peer, std::uint64_t number);

  void start() { await_request(); }
  void work() override;
  void close() override;
  void close_when_idle() override;
  std::size_t held() const override;

 private:
  void await_request();
  void next_request();
  void read();
  void answer(HttpResponse response);
  void send(std::string text);
  /// Closes once the peer has read what was sent: closing at once would take it away from him.
  void linger();
  void discard();
  void expect_within(std::chrono::milliseconds limit);
  void recount();

  Host& host_;
  Socket socket_;
  boost::asio::steady_timer deadline_;
  std::size_t counted_ = 0;  // of held(), what the server has counted
  RequestReader reader_;
  std::array<char, 4096> buffer_{};
  std::optional<HttpRequest> request_;  // that waits for its turn
  Work work_;                           // none: not begun
  std::string outgoing_;
  std::size_t discarded_ = 0;  // bytes, while it lingers
  bool head_ = false;          // of the request under way
  bool writing_ = false, lingering_ = false;
  bool closing_ = false;  // after the answer under way
  bool closed_ = false;
};

}  // namespace maui
