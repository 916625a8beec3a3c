// The resource managers and how to reach them (guide 13.2).
#pragma once
#include <map>
#include <string>

#include "maui/units.h"

namespace maui {

/// A request that a program of the site serves (TYPE=NATIVE): the attribute of RMCFG that names the
/// program, and the WIKI request that the program serves.
struct NativeRequest {
  const char* attribute;
  const char* request;
  const char* help;
};
inline constexpr NativeRequest kNativeRequests[] = {
    {"CLUSTERQUERYURL", "GETNODES", "Program or file that reports its nodes (NATIVE)."},
    {"WORKLOADQUERYURL", "GETJOBS", "Program or file that reports its jobs (NATIVE)."},
    {"JOBSTARTURL", "STARTJOB", "Program that starts a job (NATIVE)."},
    {"JOBCANCELURL", "CANCELJOB", "Program that cancels a job (NATIVE)."},
    {"JOBMODIFYURL", "MODIFYJOB", "Program that changes the wallclock limit of a job (NATIVE)."},
    {"JOBREQUEUEURL", "REQUEUEJOB", "Program that requeues a job (NATIVE)."},
    {"JOBSUSPENDURL", "SUSPENDJOB", "Program that suspends a job (NATIVE)."},
    {"JOBRESUMEURL", "RESUMEJOB", "Program that resumes a suspended job (NATIVE)."},
    {"NODEMODIFYURL", "MODIFYNODE",
     "Program that takes a node out of service, or returns it (NATIVE)."},
};

/// One resource manager.  The supported types are WIKI, SLURM, PBS and NATIVE.
struct ResourceManagerSettings {
  std::string type = "LL";        // RMTYPE, with a subtype as in LL:RMS
  std::string name;               // RMNAME; empty: its index
  std::string subtype;            // SUBTYPE of PBS: TORQUE or OPENPBS; empty: detected
  std::string host;               // RMSERVER; empty: this host
  int port = 0;                   // RMPORT
  int event_port = 0;             // EPORT: port for its events; 0: none
  std::string auth = "CHECKSUM";  // RMAUTHTYPE
  Seconds timeout{15};            // RMTIMEOUT
  Seconds poll_interval{0};       // POLLINTERVAL; 0: RMPOLLINTERVAL
  bool changes = false;           // UPDATES=CHANGES: it can report changes since a given time
  bool introduce = false;         // INITIALIZE: it must be told where to send events
  bool comments = false;          // FLAGS=COMMENT: it shows users why their jobs wait
  std::map<std::string, std::string> urls = {};  // NATIVE programs, by the request that they serve
  friend bool operator==(const ResourceManagerSettings&, const ResourceManagerSettings&) = default;
};

/// By index; RMCFG calls index 0 base.
using ResourceManagerTable = std::map<std::string, ResourceManagerSettings, std::less<>>;

}  // namespace maui
