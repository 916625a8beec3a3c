// Which resource managers there are, and how they are reached (guide 13.2).
#pragma once
#include <map>
#include <string>

#include "maui/units.h"

namespace maui {

/// Those that can be driven are WIKI, SLURM and PBS.
struct ResourceManagerSettings {
  std::string type = "LL";        // RMTYPE, with a subtype as in LL:RMS
  std::string name;               // RMNAME; empty: its index
  std::string host;               // RMSERVER; empty: this one
  int port = 0;                   // RMPORT
  int event_port = 0;             // EPORT: where it tells of events; 0: it does not
  std::string auth = "CHECKSUM";  // RMAUTHTYPE
  Seconds timeout{15};            // RMTIMEOUT
  Seconds poll_interval{0};       // POLLINTERVAL; 0: RMPOLLINTERVAL
  bool changes = false;           // UPDATES=CHANGES: it can tell what changed since a time
  bool introduce = false;         // INITIALIZE: it wants to be told where to send events
  friend bool operator==(const ResourceManagerSettings&, const ResourceManagerSettings&) = default;
};

/// By index; what has the index 0 is called base in RMCFG.
using ResourceManagerTable = std::map<std::string, ResourceManagerSettings, std::less<>>;

}  // namespace maui
