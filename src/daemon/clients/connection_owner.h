// Which user of this machine is at the other end of a TCP connection.
#pragma once
#include <sys/types.h>

#include <boost/asio/ip/tcp.hpp>
#include <optional>

namespace maui {

/// Returns the user whose program connected from `remote` to `local`, as the kernel reports it
/// (sock_diag(7)); nullopt if that is no socket of this machine or network namespace, or if the
/// program has closed it.
std::optional<uid_t> connection_owner(const boost::asio::ip::tcp::endpoint& remote,
                                      const boost::asio::ip::tcp::endpoint& local);

}  // namespace maui
