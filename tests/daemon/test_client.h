// A client for tests of the server: plain sockets, driven by the thread of the server's loop.
#pragma once
#include <array>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "proto/frame.h"

namespace maui {

/// Runs the loop until `done` returns true, or for at most some seconds.
inline bool run_until(boost::asio::io_context& io, const std::function<bool()>& done) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!done() && std::chrono::steady_clock::now() < end) {
    io.restart();
    io.run_one_until(end);
  }
  return done();
}

template <class Protocol>
class TestClient {
 public:
  TestClient(boost::asio::io_context& io, const typename Protocol::endpoint& server)
      : io_(io), socket_(io) {
    socket_.connect(server);
    read();
  }
  /// Connects from a given local address, as if from another host.
  TestClient(boost::asio::io_context& io, const typename Protocol::endpoint& server,
             const typename Protocol::endpoint& from)
      : io_(io), socket_(io, from) {
    socket_.connect(server);
    read();
  }

  void send(std::string bytes) {
    auto kept = std::make_shared<std::string>(std::move(bytes));
    boost::asio::async_write(socket_, boost::asio::buffer(*kept),
                             [kept](boost::system::error_code, std::size_t) {});
  }
  void send_message(std::string_view message) { send(*encode_frame(std::string(message))); }

  /// Returns the next message; nullopt if the server closed the connection instead.
  std::optional<std::string> answer() {
    std::optional<std::string> message;
    run_until(io_, [&] {
      if (message) return true;
      if (auto next = decoder_.next(); next && *next) message = std::move(**next);
      return message.has_value() || closed_;
    });
    return message;
  }
  /// True if any data has arrived.
  bool has_answer() const { return decoder_.inside_frame(); }
  bool closed_by_server() {
    return run_until(io_, [&] { return closed_; });
  }
  bool closed() const { return closed_; }
  void close() { socket_.close(); }

 private:
  void read() {
    socket_.async_read_some(boost::asio::buffer(buffer_),
                            [this](boost::system::error_code error, std::size_t size) {
                              if (error == boost::asio::error::operation_aborted) return;
                              decoder_.feed({buffer_.data(), size});
                              if (error)
                                closed_ = true;
                              else
                                read();
                            });
  }

  boost::asio::io_context& io_;
  typename Protocol::socket socket_;
  FrameDecoder decoder_{kMaxMessage};
  std::array<char, 4096> buffer_{};
  bool closed_ = false;
};

using NetworkClient = TestClient<boost::asio::ip::tcp>;
using LocalClient = TestClient<boost::asio::local::stream_protocol>;

}  // namespace maui
