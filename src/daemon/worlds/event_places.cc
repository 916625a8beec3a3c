#include "daemon/worlds/event_places.h"

#include <fmt/format.h>

#include <utility>

#include "net/port_holder.h"
#include "net/try_port_later.h"

namespace maui {

std::unique_ptr<EventPort> EventPlaces::event_port(const std::string& manager,
                                                   EventPort::IsEvent is_event) {
  return std::make_unique<EventPort>(
      io_, [this, manager] { rung_(manager); }, is_event);
}

Status EventPlaces::listen(const std::string& manager, const std::string& host, int port,
                           EventPort::IsEvent is_event) {
  Place& place = places_[manager];
  if (place.open && place.host == host && place.port == port) return Done{};
  if (place.port == port) place.open.reset();  // frees the port
  auto made = event_port(manager, is_event);
  const auto status = made->listen(host, port);
  if (!status && !made->port_is_taken()) {
    place.why_not = status.error().what;
    return status;
  }
  if (!status) made.reset();
  place = {host, port, is_event, std::move(made), {}};
  if (place.open) return Done{};
  place.why_not = fmt::format("{}; {}", status.error().what, port_holder(port));
  log_(0, "fRM",
       fmt::format("WARNING: resource manager '{}': {}: it is only polled until that port is free",
                   manager, place.why_not));
  listen_later(manager);
  return Done{};
}

void EventPlaces::listen_later(const std::string& manager) {
  try_port_later(due_.of(manager), [this, manager] {
    const auto at = places_.find(manager);
    if (at == places_.end() || at->second.open) return;
    Place& place = at->second;
    auto made = event_port(manager, place.is_event);
    if (!made->listen(place.host, place.port)) return listen_later(manager);
    place.open = std::move(made);
    log_(0, "fRM",
         fmt::format("resource manager '{}': port {} is free: events are received again", manager,
                     place.port));
  });
}

Status EventPlaces::can_listen(const std::string& manager, const std::string& host,
                               int port) const {
  const auto at = places_.find(manager);
  if (port == 0 || (at != places_.end() && at->second.port == port)) return Done{};
  EventPort trial(io_, [] {});
  const auto status = trial.listen(host, port);
  return status || trial.port_is_taken() ? Status(Done{}) : status;
}

const EventPort* EventPlaces::of(const std::string& manager) const {
  const auto at = places_.find(manager);
  return at == places_.end() ? nullptr : at->second.open.get();
}

int EventPlaces::port_of(const std::string& manager) const {
  const EventPort* const port = of(manager);
  return port != nullptr ? port->port() : 0;
}

std::string EventPlaces::why_none(const std::string& manager) const {
  const auto at = places_.find(manager);
  return at == places_.end() || at->second.open ? std::string() : at->second.why_not;
}

}  // namespace maui
