// Which user of this machine is at the other end of a TCP connection.
#pragma once
#include <sys/types.h>

#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <optional>

namespace maui {

/// Asks the kernel (sock_diag(7)).  Keeps its socket to the kernel open, since opening one for each
/// question takes longer than the answer.
class ConnectionOwners {
 public:
  ConnectionOwners() = default;
  ~ConnectionOwners();
  ConnectionOwners(const ConnectionOwners&) = delete;
  ConnectionOwners& operator=(const ConnectionOwners&) = delete;

  /// Returns the user whose program connected from `remote` to `local`; nullopt if that is no
  /// socket of this machine or network namespace, or if the program has closed it.
  std::optional<uid_t> of(const boost::asio::ip::tcp::endpoint& remote,
                          const boost::asio::ip::tcp::endpoint& local);

 private:
  int kernel_ = -1;           // the socket; -1: none is open
  std::uint32_t number_ = 0;  // of the last question
};

}  // namespace maui
