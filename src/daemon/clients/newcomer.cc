#include "daemon/clients/newcomer.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/ip/tcp.hpp>

namespace maui {

Newcomer::~Newcomer() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Newcomer::Socket Newcomer::take() {
  sockaddr_storage own{};
  socklen_t size = sizeof own;
  Socket socket(io_);
  if (::getsockname(descriptor_, reinterpret_cast<sockaddr*>(&own), &size) != 0) return socket;
  const int protocol = peer_.local_socket ? 0 : IPPROTO_TCP;
  boost::system::error_code error;
  socket.assign({own.ss_family, protocol}, descriptor_, error);
  if (error) return socket;
  descriptor_ = -1;
  if (peer_.local_socket) return socket;
  socket.set_option(Socket::linger(false, 0), error);
  socket.set_option(boost::asio::ip::tcp::no_delay(true), error);
  return socket;
}

}  // namespace maui
