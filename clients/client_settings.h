// Determines where the server is and how long to wait for it: from the command line, else the
// environment, else maui.cfg, else built-in defaults.
#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "base/server_places.h"
#include "config/client_authentication.h"
#include "maui/result.h"
#include "proto/arguments.h"

namespace maui {

struct ClientSettings {
  std::string home;         // MAUIHOMEDIR
  std::string config_file;  // that was read, or would be
  /// The possible places of the server, at least one, each with a port: one host schedules, others
  /// stand by.
  std::vector<ServerPlace> places;
  /// Why this host is assumed to be the server; empty: a setting names the server.
  std::string guessed;
  std::chrono::milliseconds timeout{30000};
  std::string key_file;
  bool key_file_named = false;  // on the command line: no other will do
  config::ClientWays ways;      // that the server accepts from this host
  std::string munge_socket;     // empty: the usual path
  std::string server_user;      // the user who runs the scheduler
  /// True if the server for this home directory is meant and may run on this machine, so that the
  /// client tries its socket.
  bool try_socket = false;
  bool named_here = false;  // a place is this machine by its name, or the loopback interface

  std::string socket_path() const { return home + "/maui.sock"; }
  /// True if the server of this home directory runs on this machine, now or at other times, and its
  /// place says so.  Then only its socket is asked: while the server is down, any user may listen
  /// at its port.
  bool served_here() const;
  std::string server() const;  // all places, for messages
};

Result<ClientSettings> client_settings(const GeneralOptions& options);

}  // namespace maui
