// The values of maui.cfg, typed, as the rest of the program reads them.
//
// A Settings is made whole from a checked configuration (src/config) and never
// patched: a reload or changeparam makes a new one.  A default-made Settings
// has the defaults of guide appendix F.  The parameter that fills a member is
// named in capitals beside it.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "maui/job.h"
#include "maui/request.h"
#include "maui/units.h"

namespace maui {

enum class ServerMode : std::uint8_t { normal, test, simulation };
enum class BackfillPolicy : std::uint8_t { none, first_fit, best_fit, greedy, shortest_first };
enum class BackfillMetric : std::uint8_t { procs, proc_seconds, seconds, pe, pe_seconds };
enum class WindowOrder : std::uint8_t { widest, longest, priority };
enum class ReservationPolicy : std::uint8_t { current_highest, highest, never };
enum class NodeAllocation : std::uint8_t {
  first_available,
  last_available,
  min_resource,
  cpu_load,
  machine_prio,
  local,
  contiguous,
  max_balance,
  fastest,
};
enum class StepPolicy : std::uint8_t { interval, event };
enum class SubmissionPolicy : std::uint8_t { normal, constant_job_depth, constant_ps_depth };
enum class NodeConfiguration : std::uint8_t { normal, uniform };
enum class ReservationControl : std::uint8_t { admin_only, any };

/// A weight and a cap on the value that it multiplies (guide 5.1.3); cap 0: none.
struct Weighting {
  double weight = 0;
  double cap = 0;
  friend bool operator==(const Weighting&, const Weighting&) = default;
};

/// Components and subcomponents of priority (guide 5.1.2).
struct PrioritySettings {
  Weighting cred{1}, fairshare{1}, resource{1}, service{1}, target{1}, usage{1};  // *WEIGHT, *CAP
  Weighting user, group, account, qos, job_class;                                 // CRED
  Weighting node, proc, memory, swap, disk, ps, pe, wall_time;                    // RES
  Weighting queue_time{1}, xfactor, bypass;                                       // SERV
  Seconds xfactor_min_limit{-1};  // XFMINWCLIMIT; negative: none
  bool allow_negative = false;    // ENABLENEGJOBPRIORITY
  friend bool operator==(const PrioritySettings&, const PrioritySettings&) = default;
};

/// What a *CFG parameter says of one credential (guide 5.1.2.1; more with the policies).
struct CredentialSettings {
  std::int64_t priority = 0;       // PRIORITY
  double queue_time_weight = 0;    // QTWEIGHT (QOS)
  double xfactor_weight = 0;       // XFWEIGHT (QOS)
  std::string default_qos;         // QDEF
  std::vector<std::string> flags;  // FLAGS, QFLAGS
  friend bool operator==(const CredentialSettings&, const CredentialSettings&) = default;
};

/// By name; "DEFAULT" stands for every name that has no entry of its own.
using CredentialTable = std::map<std::string, CredentialSettings, std::less<>>;

/// RESERVATIONDEPTH[i] and RESERVATIONQOSLIST[i]: how many priority reservations the jobs of these
/// QOS may hold together.  An empty list means [ALL].
struct ReservationStack {
  int depth = 1;
  std::vector<std::string> qos;
  friend bool operator==(const ReservationStack&, const ReservationStack&) = default;
};

struct NodeSettings {  // NODECFG
  std::optional<NodeAccess> access;
  std::optional<int> max_jobs, max_jobs_per_user;
  std::optional<double> max_load, speed;
  std::optional<int> frame, slot, proc_speed;
  std::string partition, type;
  std::vector<std::string> features;
  friend bool operator==(const NodeSettings&, const NodeSettings&) = default;
};

struct SimulationSettings {
  std::string resource_trace =
      "traces/resource.trace";  // SIMRESOURCETRACEFILE; [NONE]: from the SWF header
  std::string workload_trace = "traces/workload.trace";                // SIMWORKLOADTRACEFILE
  SubmissionPolicy submission = SubmissionPolicy::constant_job_depth;  // SIMJOBSSUBMISSIONPOLICY
  int initial_queue_depth = 16;                                        // SIMINITIALQUEUEDEPTH
  int cpu_scaling_percent = 100;                                       // SIMCPUSCALINGPERCENT
  std::uint16_t default_job_flags = 0;  // SIMDEFAULTJOBFLAGS, bits of JobFlag
  std::uint16_t ignore_job_flags = 0;   // SIMIGNOREJOBFLAGS
  bool ignore_host_list = false, ignore_class = false, ignore_qos = false, ignore_mode = false,
       ignore_features = false;                                      // SIMFLAGS
  int node_count = 0;                                                // SIMNODECOUNT; 0: all
  NodeConfiguration node_configuration = NodeConfiguration::normal;  // SIMNODECONFIGURATION
  int random_delay = 0;                                              // SIMMRRANDOMDELAY, seconds
  std::int64_t stop_iteration = 0;                                   // SIMSTOPITERATION; 0: none
  std::int64_t exit_iteration = 0;                                   // SIMEXITITERATION; 0: none
  int time_ratio = 0;                      // SIMTIMERATIO; 0: as fast as can be
  bool auto_shutdown = true;               // SIMAUTOSHUTDOWN
  StepPolicy step = StepPolicy::interval;  // SIMSTEPPOLICY
  Time start_time{-1};                     // SIMSTARTTIME; negative: the first submission
  friend bool operator==(const SimulationSettings&, const SimulationSettings&) = default;
};

struct ServerSettings {
  std::string home;                      // MAUIHOMEDIR; empty: the directory of maui.cfg
  std::string host;                      // SERVERHOST
  std::string name;                      // SERVERNAME; empty: the host
  int port = 40559;                      // SERVERPORT
  ServerMode mode = ServerMode::normal;  // SERVERMODE
  std::array<std::vector<std::string>, 3> admins{{{"root"}, {}, {}}};  // ADMIN1..3; "ALL": anybody
  std::vector<std::string> admin_hosts;                                // ADMINHOST; empty: any
  Seconds client_timeout{30};                                          // CLIENTTIMEOUT
  Seconds client_max_skew{300};                                        // CLIENTMAXSKEW
  std::string stat_dir = "stats";                                      // STATDIR
  friend bool operator==(const ServerSettings&, const ServerSettings&) = default;
};

struct LogSettings {
  std::string directory = "log";                // LOGDIR
  std::string file = "maui.log";                // LOGFILE
  std::int64_t max_size = 10000000;             // LOGFILEMAXSIZE, bytes
  int roll_depth = 2;                           // LOGFILEROLLDEPTH
  int level = 0;                                // LOGLEVEL
  std::vector<std::string> facilities{"fALL"};  // LOGFACILITY
  friend bool operator==(const LogSettings&, const LogSettings&) = default;
};

struct Settings {
  ServerSettings server;
  LogSettings log;
  SimulationSettings simulation;
  PrioritySettings priority;

  Seconds poll_interval{60};                               // RMPOLLINTERVAL
  BackfillPolicy backfill = BackfillPolicy::first_fit;     // BACKFILLPOLICY
  BackfillMetric backfill_metric = BackfillMetric::procs;  // BACKFILLMETRIC
  int backfill_depth = 0;                                  // BACKFILLDEPTH; 0: no limit
  WindowOrder window_order = WindowOrder::widest;          // BFWINDOWORDER
  ReservationPolicy reservation_policy = ReservationPolicy::current_highest;  // RESERVATIONPOLICY
  std::vector<ReservationStack> reservation_stacks{
      1};  // RESERVATIONDEPTH[i], RESERVATIONQOSLIST[i]
  ReservationControl reservation_control = ReservationControl::admin_only;  // RESCTLPOLICY
  NodeAllocation node_allocation = NodeAllocation::last_available;          // NODEALLOCATIONPOLICY
  NodeAccess node_access = NodeAccess::dedicated;                           // NODEACCESSPOLICY
  bool exact_node = false, exact_proc = false;                              // JOBNODEMATCHPOLICY
  Seconds default_wall_time{864000};         // SYSTEMDEFAULTJOBWALLTIME
  Seconds job_max_overrun{0};                // JOBMAXOVERRUN
  std::vector<std::string> default_classes;  // DEFAULTCLASSLIST

  CredentialTable users, groups, accounts, classes,
      qos;  // USERCFG, GROUPCFG, ACCOUNTCFG, CLASSCFG, QOSCFG
  std::map<std::string, std::string, std::less<>>
      qos_names;                                           // QOSNAME[i]: the QOS that QOS*[i] mean
  std::map<std::string, NodeSettings, std::less<>> nodes;  // NODECFG

  friend bool operator==(const Settings&, const Settings&) = default;
};

}  // namespace maui
