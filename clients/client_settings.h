// Finds where the server is and how long to wait for it: command line before environment before
// maui.cfg before what is built in.
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
  std::string config_file;  // that was read, or would have been
  /// The places at which it may be, at least one, each with its port: one schedules, others stand
  /// by.
  std::vector<ServerPlace> places;
  /// Why this host was taken for the server's; empty: somebody has named a place.
  std::string guessed;
  std::chrono::milliseconds timeout{30000};
  std::string key_file;
  bool key_file_named = false;  // on the command line: then nothing else will do
  config::ClientWays ways;      // that the server believes of this host
  std::string munge_socket;     // empty: at its usual place
  std::string server_user;      // whom the scheduler runs as
  /// The server of this home directory and this machine is meant, so that its socket is to be
  /// tried.
  bool try_socket = false;

  std::string socket_path() const { return home + "/maui.sock"; }
  std::string server() const;  // all places, for people
};

Result<ClientSettings> client_settings(const GeneralOptions& options);

}  // namespace maui
