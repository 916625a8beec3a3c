// The places at which the scheduler may be found (SERVERHOST): one host, or several with commas
// between them, of which one schedules and the others stand by.
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

/// HOST[:PORT][,HOST[:PORT]...]; an IPv6 address that a port follows stands in brackets.  `port`:
/// where none is named.
Result<std::vector<ServerPlace>> parse_server_places(std::string_view text, int port = 0);
/// The text of them.
std::string server_places_text(const std::vector<ServerPlace>& places);

/// The name of this machine, as it calls itself.
std::string own_host_name();
/// True if that is its name, of which one may lack the domain.
bool is_own_name(std::string_view host);
/// True if it names the loopback, by name or address.
bool is_loopback(std::string_view host);
/// True if the host is this machine, by its name or as the loopback's.
bool is_this_machine(std::string_view host);
/// The one of those places that is this machine; the first where none is known to be.  `port`:
/// where none is named.
ServerPlace own_place(std::string_view text, int port);

}  // namespace maui
