// How a connection to a PBS server comes to be trusted.
//
// The server trusts a connection when another, which only root can have made, vouches for it by its
// port.  Root does that itself, from a reserved port; trqauthd does it for others.  Where the
// server takes the word of munge, a credential says on the connection itself who asks.
#pragma once
#include <boost/asio/io_context.hpp>
#include <string>

#include "pbs/connection.h"

namespace maui::pbs {

/// The variant of PBS that the site says a server is.
enum class Subtype : std::uint8_t {
  unknown,  // that is found out
  torque,
  openpbs,
};

enum class Auth : std::uint8_t {
  automatic,  // reserved ports for root, else trqauthd
  reserved_port,
  trqauthd,
  munge,
  none,  // the server trusts whoever connects
};

struct ServerOptions {
  std::string hosts =
      "127.0.0.1";  // one, or several with commas between them: the first that answers
  int port = 15001;
  Subtype subtype = Subtype::unknown;
  Connection::Within timeout{15000};  // of a request, and of the way to be trusted
  /// A server that does not know packets may say nothing to one, and is not waited for longer.
  Connection::Within trial{5000};
  Auth auth = Auth::automatic;
  std::string user = "root";                    // who asks
  std::string trqauthd = "/tmp/trqauthd-unix";  // its socket
  std::string munge = {};  // the program that makes credentials; empty: it is not installed
};

/// Has `connection`, which is open to `host`, trusted.  The error says what was refused, and what
/// to try.
Task<Status> log_in(boost::asio::io_context& io, const ServerOptions& options, std::string host,
                    Connection& connection);

}  // namespace maui::pbs
