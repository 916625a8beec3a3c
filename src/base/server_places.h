// The addresses of the scheduler (SERVERHOST): one host, or several separated by commas, of which
// one schedules and the others stand by.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "maui/result.h"

namespace maui {

struct ServerPlace {
  std::string host;
  int port = 0;  // 0: SERVERPORT
  friend bool operator==(const ServerPlace&, const ServerPlace&) = default;
};

/// Parses HOST[:PORT][,HOST[:PORT]...]; an IPv6 address with a port is written in brackets.  `port`
/// applies to places without one.
Result<std::vector<ServerPlace>> parse_server_places(std::string_view text, int port = 0);
/// Returns the text of the places, in the form that parse_server_places() reads.
std::string server_places_text(const std::vector<ServerPlace>& places);

/// Returns this machine's own host name.
std::string own_host_name();
/// True if `host` is this machine's own name; either may lack the domain.
bool is_own_name(std::string_view host);
/// True if `host` is a name or an address of the loopback interface.
bool is_loopback(std::string_view host);
/// True if `host` is empty, this machine's name, or the loopback interface.
bool is_this_machine(std::string_view host);
/// Returns the place that is this machine, or the first one if none is known to be.  `port` applies
/// to places without one.
ServerPlace own_place(std::string_view text, int port);

}  // namespace maui
