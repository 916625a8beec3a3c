// A check by network whether another scheduler runs; a standby itself does not listen.
#pragma once
#include <string>

namespace maui {

/// Returns the first place in SERVERHOST where a connection is accepted within two seconds, or an
/// empty string.  `port`: for places without a port.  Call before this scheduler listens itself.
std::string place_that_answers(const std::string& places, int port);

}  // namespace maui
