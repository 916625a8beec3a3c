// The daemon's address, its administrators and its log (guide 2.3, 14; appendix E).
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "maui/units.h"

namespace maui {

enum class ServerMode : std::uint8_t { normal, test, simulation };
enum class CrashMode : std::uint8_t { end, restart, stop };
enum class CheckpointFailure : std::uint8_t { refuse, proceed };

struct ServerSettings {
  std::string home;                       // MAUIHOMEDIR; empty: the directory of maui.cfg
  std::string host;                       // SERVERHOST
  std::string name;                       // SERVERNAME; empty: the host
  int port = 40559;                       // SERVERPORT
  ServerMode mode = ServerMode::normal;   // SERVERMODE
  CrashMode crash_mode = CrashMode::end;  // CRASHMODE
  std::array<std::vector<std::string>, 3> admins{{{"root"}, {}, {}}};  // ADMIN1..3; "ALL": anybody
  std::vector<std::string> admin_hosts;                                // ADMINHOST; empty: any
  Seconds client_timeout{30};                                          // CLIENTTIMEOUT
  Seconds client_max_skew{300};                                        // CLIENTMAXSKEW
  Seconds lease_time{8};                                               // LEASETIME
  std::string stat_dir = "stats";                                      // STATDIR
  std::string checkpoint_file = "maui.ck";                             // CHECKPOINTFILE
  Seconds checkpoint_interval{300};                                    // CHECKPOINTINTERVAL
  Seconds checkpoint_expiration = kUnlimited;                          // CHECKPOINTEXPIRATIONTIME
  CheckpointFailure checkpoint_failure = CheckpointFailure::refuse;    // CHECKPOINTFAILURE
  Seconds clock_step{300};                                             // CLOCKSTEP
  friend bool operator==(const ServerSettings&, const ServerSettings&) = default;
};

struct LogSettings {
  std::string directory = "log";                // LOGDIR
  std::string file = "maui.log";                // LOGFILE
  std::int64_t max_size = 10000000;             // LOGFILEMAXSIZE, bytes
  int roll_depth = 2;                           // LOGFILEROLLDEPTH
  int level = 0;                                // LOGLEVEL
  std::vector<std::string> facilities{"fALL"};  // LOGFACILITY
  /// Facilities and objects whose lines are all logged, at any level (TRAP*).
  std::vector<std::string> trap_functions, trap_jobs, trap_nodes, trap_reservations;
  friend bool operator==(const LogSettings&, const LogSettings&) = default;
};

}  // namespace maui
