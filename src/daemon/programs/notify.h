// Notifies the service manager how the scheduler stands (systemd, Type=notify).
#pragma once
#include <string_view>

namespace maui {

/// Sends "READY=1" or the like to the socket that NOTIFY_SOCKET names.  Does nothing where there is
/// none: whether anybody listens is not the scheduler's concern.
void notify_service_manager(std::string_view state);

}  // namespace maui
