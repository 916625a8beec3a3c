// A socket that a dead server has left behind: nobody listens at it.
#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <string>

namespace maui {

inline void leave_dead_socket(boost::asio::io_context& io, const std::string& path) {
  boost::asio::local::stream_protocol::acceptor left(io);
  left.open();
  left.bind(boost::asio::local::stream_protocol::endpoint(path));
}

}  // namespace maui
