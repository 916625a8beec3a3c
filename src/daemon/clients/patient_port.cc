#include "daemon/clients/patient_port.h"

#include <fmt/format.h>

#include <utility>

#include "net/port_holder.h"
#include "net/try_port_later.h"

namespace maui {

Status PatientPort::open(Port port) {
  port_ = std::move(port);
  return attempt();
}

Status PatientPort::attempt() {
  const bool was_taken = port_.is_taken();
  auto status = port_.listen();
  if (status && was_taken && !port_.once_free.empty())
    log_(fmt::format("port {} is free: {}", port_.number, port_.once_free));
  if (status || !port_.is_taken()) return status;
  if (!was_taken)
    log_(fmt::format("ALERT: {}; {}: {} until it is free", status.error().what,
                     port_holder(port_.number), port_.while_taken));
  try_port_later(due_, [this] {
    if (const auto again = attempt(); !again) log_("ALERT: " + again.error().what);
  });
  return Done{};
}

}  // namespace maui
