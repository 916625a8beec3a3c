// Notifies the service manager of the scheduler's state (systemd, Type=notify).
#pragma once
#include <string_view>

namespace maui {

/// Sends `state`, such as "READY=1", to the socket in NOTIFY_SOCKET.  Does nothing without that
/// variable, and ignores errors: a missing listener does not concern the scheduler.
void notify_service_manager(std::string_view state);

}  // namespace maui
