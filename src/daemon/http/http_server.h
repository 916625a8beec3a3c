// The server at HTTPPORT and HTTPSOCKET.  http/admission.h authenticates its clients, who share the
// server's time, connections and memory with clients of commands (daemon/clients/turns.h), but as
// separate parties.
#pragma once
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/clients/client_connection.h"
#include "daemon/clients/listener.h"
#include "daemon/clients/turns.h"
#include "daemon/http/http_connection.h"
#include "http/admission.h"
#include "maui/settings/http.h"

namespace maui {

struct HttpServerOptions {
  HttpAdmission admission;
  std::chrono::milliseconds timeout{30000};  // CLIENTTIMEOUT: for a request, and for an answer
  std::size_t max_connections = 500;
  const KnownHosts* hosts = nullptr;  // of administrators, from the start
};

class HttpServer final : private HttpConnection::Host {
 public:
  using Slice = HttpConnection::Slice;
  using Work = HttpConnection::Work;
  using Handler = std::function<Work(const Caller& caller, const HttpRequest& request)>;
  using LogLine = std::function<void(int level, const std::string& party, std::string_view text)>;

  /// `turns` must outlive the server.
  HttpServer(boost::asio::io_context& io, Turns& turns, HttpServerOptions options, Handler handler,
             LogLine log);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// Listens at the port and the socket of the settings; a relative socket path is in `directory`,
  /// the home directory.
  Status listen_at(const HttpSettings& settings, const std::string& directory);
  /// Either of the two; does nothing if the settings have none.
  Status listen_at_socket(const HttpSettings& settings, const std::string& directory);
  Status listen_at_port(const HttpSettings& settings);
  /// True if the port could not be opened because a program of this machine uses it.
  bool port_is_taken() const { return listener_.port_is_taken(); }
  /// Keeps all answers, also those to requests under way, until send_answers(): the changes that
  /// they show are not on disk yet.
  void keep_answers() { keeping_ = true; }
  void send_answers();
  /// Sends data to all streams, as HttpConnection does.
  void send_to_streams(const std::string& news);
  void show_life_in_streams(const std::string& sign);
  std::size_t streams() const;
  std::size_t streams_of(const std::string& whose) const;
  int port() const { return listener_.port(); }
  void look_after_socket() { listener_.look_after_socket(); }
  void configure(HttpServerOptions options) { options_ = std::move(options); }
  /// Stops listening; requests under way continue.
  void finish() { listener_.close(); }

  std::size_t connections() const { return connections_.size(); }
  /// Returns the bytes of requests and answers under way.
  std::size_t held() const;
  /// Counts since the start: accepted requests, refused requests.
  std::int64_t requests() const { return requests_; }
  std::int64_t refused() const { return refused_ + turns_.refused_over_http(); }

 private:
  void welcome(Newcomer newcomer);
  std::vector<std::shared_ptr<HttpConnection>> all_streams() const;

  // HttpConnection::Host
  std::chrono::milliseconds timeout() const override { return options_.timeout; }
  Work begin(const Peer& peer, const HttpRequest& request) override;
  bool keep(const std::shared_ptr<HttpConnection>& connection) override;
  void closed(const HttpConnection& connection) override;
  void log(int level, const Peer& peer, std::string_view text) override {
    log_(level, peer.party, text);
  }

  Turns& turns_;
  HttpServerOptions options_;
  Handler handler_;
  LogLine log_;
  Listener listener_;
  std::map<std::uint64_t, std::shared_ptr<HttpConnection>> connections_;
  std::int64_t requests_ = 0, refused_ = 0;
  bool keeping_ = false;
  std::vector<std::shared_ptr<HttpConnection>> kept_;  // with kept answers, in order
};

}  // namespace maui
