// Parameters that release 3.3 listed but no guide describes.  They have no effect here: files that
// set them can be read, and a warning gives the reason.
#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "config/parameters.h"
#include "config/release_3_3.h"

namespace maui::config {
namespace {

struct Relic {
  std::string_view name;
  std::string_view fallback;  // value shown by 3.3
  ValueType (*type)();
  std::string_view reason;  // completes "... has no effect: "
};

ValueType any_text() { return text(); }
ValueType any_integer() { return integer(); }
ValueType any_duration() { return duration(); }

constexpr Relic kRelics[] = {
    {"USELOCALMACHINEPRIORITY", "FALSE", boolean,
     "NODEALLOCATIONPOLICY PRIORITY ranks nodes by PRIORITYF, and LOCAL runs a program"},
    {"METAMAXTASKS", "0", any_integer, "jobs of other schedulers' grids are not accepted"},
    {"BACKFILLPROCFACTOR", "0", any_integer, "BACKFILLPOLICY and BFCHUNKSIZE control backfill"},
    {"BACKFILLMAXSCHEDULES", "10000", any_integer,
     "no backfill policy tries several schedules; BACKFILLDEPTH limits the jobs that backfill "
     "considers"},
    {"MINADMINSTIME", "00:00:00", any_duration, "no guide describes it"},
    {"RESERVATIONTHRESHOLDTYPE", "NONE", any_text,
     "RESERVATIONDEPTH and RESERVATIONPOLICY determine which jobs get reservations"},
    {"RESERVATIONTHRESHOLDVALUE", "0", any_integer,
     "RESERVATIONDEPTH and RESERVATIONPOLICY determine which jobs get reservations"},
    {"SPVIOLATIONWEIGHT", "0", any_integer,
     "jobs over a soft limit come after all others, whatever their priority"},
    {"ATTRATTRWEIGHT", "0", any_integer, "attributes of jobs do not count in their priority"},
    {"ATTRSTATEWEIGHT", "0", any_integer, "states of jobs do not count in their priority"},
    {"UPROCWEIGHT", "0", any_integer,
     "the processors of a user's active jobs count through fairshare and limits"},
    {"UJOBWEIGHT", "0", any_integer, "a user's active jobs count through fairshare and limits"},
    {"USAGEEXECUTIONTIMEWEIGHT", "0", any_integer,
     "USAGECONSUMEDWEIGHT and USAGEPERCENTWEIGHT count how long an active job has run"},
    {"SERVERCONFIGFILE", "maui.cfg", any_text,
     "the scheduler reads the file given with -C, or maui.cfg in MAUIHOMEDIR"},
    {"TOOLSDIR", "tools", any_text, "programs are in tools/ of the home directory unless absolute"},
    {"LOCKFILE", "maui.pid", any_text, "the lock is maui.pid in the home directory"},
    {"MAILPROGRAM", "[NONE]", any_text, "NOTIFICATIONPROGRAM sends notifications"},
    {"ALLOCLOCALITYPOLICY", "[NONE]", any_text,
     "NODEALLOCATIONPOLICY and NODESETPOLICY determine which nodes a job gets"},
    {"DEFAULTDOMAIN", "[NONE]", any_text, "host names are used as they are reported"},
    {"APIFAILURETHRESHHOLD", "6", any_integer,
     "a resource manager that fails is queried again in each iteration"},
    {"SCHEDCFG", "[NONE]", any_text,
     "SERVERHOST, SERVERPORT, SERVERNAME and SERVERMODE replace it"},
    {"SIMTIMEPOLICY", "[NONE]", any_text, "SIMSTEPPOLICY and SIMTIMERATIO control how time passes"},
    {"SIMSCALEJOBRUNTIME", "FALSE", boolean, "SIMCPUSCALINGPERCENT scales run times and limits"},
    {"SIMWCACCURACY", "0.00", any_text, "run times and limits are those of the trace"},
    {"SIMWCACCURACYCHANGE", "0.00", any_text, "run times and limits are those of the trace"},
    {"SIMWCSCALINGPERCENT", "100", any_integer, "SIMCPUSCALINGPERCENT scales run times and limits"},
    {"SIMCOMRATE", "0.10", any_text, "communication between tasks is not simulated"},
    {"SIMCOMTYPE", "ROUNDROBIN", any_text, "communication between tasks is not simulated"},
    {"COMINTRAFRAMECOST", "0.30", any_text, "communication between tasks is not simulated"},
    {"COMINTERFRAMECOST", "0.30", any_text, "communication between tasks is not simulated"},
};

}  // namespace

bool only_of_3_3(std::string_view parameter) {
  constexpr std::string_view kMoabs[] = {"MAILPROGRAM", "SCHEDCFG", "TOOLSDIR"};
  const auto is_it = [&](std::string_view name) { return same_word(name, parameter); };
  return std::any_of(std::begin(kRelics), std::end(kRelics),
                     [&](const Relic& relic) { return is_it(relic.name); }) &&
         std::none_of(std::begin(kMoabs), std::end(kMoabs), is_it);
}

std::vector<Parameter> relic_parameters() {
  std::vector<Parameter> rows;
  for (const Relic& relic : kRelics) {
    Parameter row{std::string(relic.name),
                  "",
                  relic.name == "SCHEDCFG" ? Index::either : Index::none,
                  relic.type(),
                  std::string(relic.fallback),
                  Change::at_runtime,
                  Landed::without_effect,
                  "Release 3.3 only: " + std::string(relic.reason) + "."};
    row.reason = relic.reason;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace maui::config
