// An HTTP client for tests of the server: plain sockets, driven by the thread of the server's loop.
#pragma once
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/write.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "daemon/test_client.h"

namespace maui {

/// Says what it is told to, and keeps what it hears.
template <class Protocol>
class HttpClient {
 public:
  HttpClient(boost::asio::io_context& io, const typename Protocol::endpoint& server)
      : io_(io), socket_(io) {
    socket_.connect(server);
  }
  void send(std::string bytes) {
    auto kept = std::make_shared<std::string>(std::move(bytes));
    boost::asio::async_write(socket_, boost::asio::buffer(*kept),
                             [kept](boost::system::error_code, std::size_t) {});
  }
  /// From here on it takes what comes.
  void listen() {
    socket_.async_read_some(boost::asio::buffer(buffer_),
                            [this](boost::system::error_code error, std::size_t size) {
                              if (error == boost::asio::error::operation_aborted) return;
                              heard_.append(buffer_.data(), size);
                              if (error)
                                closed_ = true;
                              else
                                listen();
                            });
  }
  const std::string& heard() const { return heard_; }
  bool hears(std::string_view text) {
    return run_until(io_, [&] { return heard_.find(text) != heard_.npos || closed_; }) &&
           heard_.find(text) != heard_.npos;
  }
  bool closed_by_server() {
    return run_until(io_, [&] { return closed_; });
  }
  bool closed() const { return closed_; }
  void leave() { socket_.close(); }

 private:
  boost::asio::io_context& io_;
  typename Protocol::socket socket_;
  std::array<char, 4096> buffer_{};
  std::string heard_;
  bool closed_ = false;
};

using WebClient = HttpClient<boost::asio::ip::tcp>;
using SocketClient = HttpClient<boost::asio::local::stream_protocol>;

inline std::string get(std::string_view target, std::string_view fields = "") {
  std::string text = "GET ";
  text += target;
  text += " HTTP/1.1\r\nHost: localhost\r\n";
  text += fields;
  text += "\r\n";
  return text;
}

}  // namespace maui
