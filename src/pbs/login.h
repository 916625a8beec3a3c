// Makes the server trust a connection.
//
// A PBS server trusts a connection if a second connection, which only root can have made, vouches
// for its port.  As root, maui does that itself from a reserved port; trqauthd does it for other
// users.  With munge, a credential sent on the connection itself identifies the user.
#pragma once
#include <boost/asio/io_context.hpp>
#include <string>

#include "pbs/connection.h"

namespace maui::pbs {

/// The variant of PBS that the administrator configured.
enum class Subtype : std::uint8_t {
  unknown,  // to be detected
  torque,
  openpbs,
};

enum class Auth : std::uint8_t {
  automatic,  // a reserved port for root and for OpenPBS, else trqauthd
  reserved_port,
  trqauthd,
  munge,
  none,  // the server trusts every client
};

struct ServerOptions {
  std::string hosts =
      "127.0.0.1";  // one, or several separated by commas: the first host that answers is used
  int port = 15001;
  Subtype subtype = Subtype::unknown;
  Connection::Within timeout{15000};  // of a request, and of the whole login
  /// How long to wait for the answer to a trial packet: a server without packets may not answer it.
  Connection::Within trial{5000};
  Auth auth = Auth::automatic;
  std::string user = "root";                    // the name that maui uses
  std::string trqauthd = "/tmp/trqauthd-unix";  // the socket of trqauthd
  std::string munge = {};  // the program that makes credentials; empty: not installed
};

/// Makes the server trust `connection`, which is open to `host`.  Errors say what was refused, and
/// what to try.
Task<Status> log_in(boost::asio::io_context& io, const ServerOptions& options, std::string host,
                    Connection& connection);

}  // namespace maui::pbs
