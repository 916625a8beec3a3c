#include "daemon/http/http_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/outside_text.h"

namespace maui {

using boost::asio::ip::tcp;

HttpServer::HttpServer(boost::asio::io_context& io, Turns& turns, HttpServerOptions options,
                       Handler handler, LogLine log)
    : turns_(turns),
      options_(std::move(options)),
      handler_(std::move(handler)),
      log_(std::move(log)),
      listener_(
          io, options_.hosts, [this](Newcomer newcomer) { welcome(std::move(newcomer)); },
          [this](std::string_view text) { log_(0, "others", text); }) {}

HttpServer::~HttpServer() {
  listener_.close();
  while (!connections_.empty()) connections_.begin()->second->close();
}

Status HttpServer::listen_at(const HttpSettings& settings, const std::string& directory) {
  if (auto status = listen_at_socket(settings, directory); !status) return status;
  return listen_at_port(settings);
}

Status HttpServer::listen_at_socket(const HttpSettings& settings, const std::string& directory) {
  if (settings.socket.empty()) return Done{};
  return listener_.listen_at(
      {(std::filesystem::path(directory) / settings.socket).string(), settings.socket, directory});
}

Status HttpServer::listen_at_port(const HttpSettings& settings) {
  if (settings.port == 0) return Done{};
  if (settings.address == "ALL" || settings.address == "localhost")
    return listener_.listen_at(settings.address, settings.port);
  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address(settings.address, error);
  if (error) return Error{fmt::format("HTTPADDRESS: invalid address '{}'", settings.address)};
  return listener_.listen_at(tcp::endpoint(address, static_cast<unsigned short>(settings.port)));
}

/// HTTP clients form parties of their own, so that a flood of them does not block commands.
void HttpServer::welcome(Newcomer newcomer) {
  const auto begin = turns_.now();
  auto& peer = newcomer.peer();
  peer.http = true;
  peer.party = "HTTP, " + peer.party;
  if (!turns_.admits(peer, begin)) return;
  auto socket = newcomer.take();
  turns_.make_room(peer, options_.max_connections);
  const auto connection =
      std::make_shared<HttpConnection>(static_cast<HttpConnection::Host&>(*this), turns_,
                                       std::move(socket), std::move(peer), turns_.next_number());
  connections_.emplace(connection->number(), connection);
  turns_.add(connection, begin);
  connection->start();
  turns_.worked(*connection, begin);
}

HttpServer::Work HttpServer::begin(const Peer& peer, const HttpRequest& request) {
  ++requests_;
  // Any user of this host can connect from its addresses, so none of them counts as a proxy.
  const bool elsewhere = !peer.local_socket && !peer.host.empty();
  const HttpOrigin origin{peer.local_socket, peer.user,
                          elsewhere ? peer.address.substr(0, peer.address.rfind(':')) : ""};
  const auto user = admit(request, origin, options_.admission);
  if (const auto* fault = std::get_if<HttpFault>(&user)) {
    ++refused_;
    log(2, peer, fmt::format("client {} refused: {}", peer.address, shortened(fault->what)));
    return [response = error_response(fault->status, fault->what)] { return response; };
  }
  return handler_({std::get<std::string>(user), peer.host, peer.address, peer.party}, request);
}

bool HttpServer::keep(const std::shared_ptr<HttpConnection>& connection) {
  if (keeping_) kept_.push_back(connection);
  return keeping_;
}

void HttpServer::send_answers() {
  keeping_ = false;
  for (const auto& connection : std::exchange(kept_, {})) connection->release();
}

std::size_t HttpServer::held() const {
  std::size_t sum = 0;
  for (const auto& [number, connection] : connections_) sum += connection->held();
  return sum;
}

// Returns a copy, because sending to a stream may close it.
std::vector<std::shared_ptr<HttpConnection>> HttpServer::all_streams() const {
  std::vector<std::shared_ptr<HttpConnection>> found;
  for (const auto& [number, connection] : connections_)
    if (connection->is_stream()) found.push_back(connection);
  return found;
}

void HttpServer::send_to_streams(const std::string& news) {
  for (const auto& stream : all_streams()) stream->send_news(news);
}

void HttpServer::show_life_in_streams(const std::string& sign) {
  for (const auto& stream : all_streams()) stream->show_life(sign);
}

std::size_t HttpServer::streams() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      connections_, [](const auto& entry) { return entry.second->is_stream(); }));
}

std::size_t HttpServer::streams_of(const std::string& whose) const {
  return static_cast<std::size_t>(std::ranges::count_if(connections_, [&](const auto& entry) {
    return entry.second->is_stream() && entry.second->stream_of() == whose;
  }));
}

void HttpServer::closed(const HttpConnection& connection) {
  connections_.erase(connection.number());  // its handlers keep it alive for now
}

}  // namespace maui
