// Which user of this machine has a TCP port.
#pragma once
#include <sys/types.h>

#include <istream>
#include <optional>
#include <string>

namespace maui {

/// Returns the user of a socket with that port in a table like /proc/net/tcp, preferably of one
/// that listens.
std::optional<uid_t> port_holder_in(std::istream& table, int port);

/// Returns "user 'amy' has it" for a port that is in use, else "in use by an unknown user".
std::string port_holder(int port);

}  // namespace maui
