// The ports at which resource managers report events (EPORT).
//
// Events only save time, and any user of this machine may take a port: if another program has it,
// the scheduler polls, and tries again until the port is free.
#pragma once
#include <boost/asio/io_context.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "daemon/worlds/named_timers.h"
#include "daemon/worlds/world_log.h"
#include "maui/result.h"
#include "rm/event_port.h"

namespace maui {

class EventPlaces {
 public:
  /// `rung` is called for each event of a resource manager.
  EventPlaces(boost::asio::io_context& io, WorldLog log,
              std::function<void(const std::string& manager)> rung)
      : io_(io), log_(std::move(log)), rung_(std::move(rung)), due_(io) {}

  /// Listens for events of that resource manager; keeps a port that is already open.  Port 0: any
  /// free port.  Fails only if the port cannot be opened although no other program has it.
  Status listen(const std::string& manager, const std::string& host, int port,
                EventPort::IsEvent is_event = EventPort::has_digit);
  /// Succeeds if listen() would.  Port 0: none is needed.
  Status can_listen(const std::string& manager, const std::string& host, int port) const;
  /// Expects no more events of that resource manager.
  void close(const std::string& manager) { places_.erase(manager); }
  /// Returns the port at which its events are received; nullptr: none.
  const EventPort* of(const std::string& manager) const;
  /// Returns its number; 0: none.
  int port_of(const std::string& manager) const;
  /// Returns why its events are not received; empty if they are, or if none are expected.
  std::string why_none(const std::string& manager) const;

 private:
  struct Place {
    std::string host;
    int port = 0;
    EventPort::IsEvent is_event = EventPort::has_digit;
    std::unique_ptr<EventPort> open;  // nullptr: it could not be opened
    std::string why_not;              // then: the reason
  };
  std::unique_ptr<EventPort> event_port(const std::string& manager, EventPort::IsEvent is_event);
  void listen_later(const std::string& manager);

  boost::asio::io_context& io_;
  WorldLog log_;
  std::function<void(const std::string& manager)> rung_;
  std::map<std::string, Place> places_;
  NamedTimers due_;  // where another has the port
};

}  // namespace maui
