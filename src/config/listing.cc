// Lists the parameters as showconfig of release 3.3 did, with its names, order, headings and blank
// lines.  A line below is a name as printed, a heading or empty; "objects" and "managers" stand for
// objects, "others" for all remaining parameters.
#include <fmt/format.h>

#include <map>
#include <set>

#include "base/text.h"
#include "config/rows.h"

namespace maui::config {
namespace {

constexpr std::string_view kListing = R"(# global policies

REJECTNEGPRIOJOBS[0]
ENABLENEGJOBPRIORITY[0]
ENABLEMULTINODEJOBS[0]
ENABLEMULTIREQJOBS[0]
BFPRIORITYPOLICY[0]
JOBPRIOACCRUALPOLICY
NODELOADPOLICY
USEMACHINESPEEDFORFS
USEMACHINESPEED
USESYSTEMQUEUETIME
USELOCALMACHINEPRIORITY
NODEUNTRACKEDLOADFACTOR
JOBNODEMATCHPOLICY[0]

JOBMAXSTARTTIME[0]

METAMAXTASKS[0]
NODESETPOLICY[0]
NODESETATTRIBUTE[0]
NODESETLIST[0]
NODESETDELAY[0]
NODESETPRIORITYTYPE[0]
NODESETTOLERANCE[0]

BACKFILLPOLICY[0]
BACKFILLDEPTH[0]
BACKFILLPROCFACTOR[0]
BACKFILLMAXSCHEDULES[0]
BACKFILLMETRIC[0]

BFCHUNKDURATION[0]
BFCHUNKSIZE[0]
PREEMPTPOLICY[0]
MINADMINSTIME[0]
RESOURCELIMITPOLICY[0]
NODEAVAILABILITYPOLICY[0]
NODEALLOCATIONPOLICY[0]
TASKDISTRIBUTIONPOLICY[0]
RESERVATIONPOLICY[0]
RESERVATIONDEPTH[0]
RESERVATIONRETRYTIME[0]
RESERVATIONTHRESHOLDTYPE[0]
RESERVATIONTHRESHOLDVALUE[0]

FSPOLICY
FSINTERVAL
FSDEPTH
FSDECAY



# Priority Weights

SERVICEWEIGHT[0]
TARGETWEIGHT[0]
CREDWEIGHT[0]
ATTRWEIGHT[0]
FSWEIGHT[0]
RESWEIGHT[0]
USAGEWEIGHT[0]
QUEUETIMEWEIGHT[0]
XFACTORWEIGHT[0]
SPVIOLATIONWEIGHT[0]
BYPASSWEIGHT[0]
TARGETQUEUETIMEWEIGHT[0]
TARGETXFACTORWEIGHT[0]
USERWEIGHT[0]
GROUPWEIGHT[0]
ACCOUNTWEIGHT[0]
QOSWEIGHT[0]
CLASSWEIGHT[0]
FSUSERWEIGHT[0]
FSGROUPWEIGHT[0]
FSACCOUNTWEIGHT[0]
FSQOSWEIGHT[0]
FSCLASSWEIGHT[0]
ATTRATTRWEIGHT[0]
ATTRSTATEWEIGHT[0]
NODEWEIGHT[0]
PROCWEIGHT[0]
MEMWEIGHT[0]
SWAPWEIGHT[0]
DISKWEIGHT[0]
PSWEIGHT[0]
PEWEIGHT[0]
WALLTIMEWEIGHT[0]
UPROCWEIGHT[0]
UJOBWEIGHT[0]
CONSUMEDWEIGHT[0]
USAGEEXECUTIONTIMEWEIGHT[0]
REMAININGWEIGHT[0]
PERCENTWEIGHT[0]
XFMINWCLIMIT[0]


objects
# SERVER MODULES:  MX
SERVERMODE
SERVERNAME
SERVERHOST
SERVERPORT
LOGFILE
LOGFILEMAXSIZE
LOGFILEROLLDEPTH
LOGLEVEL
LOGFACILITY
SERVERHOMEDIR
TOOLSDIR
LOGDIR
STATDIR
LOCKFILE
SERVERCONFIGFILE
CHECKPOINTFILE
CHECKPOINTINTERVAL
CHECKPOINTEXPIRATIONTIME
TRAPJOB
TRAPNODE
TRAPFUNCTION
RESDEPTH

RMPOLLINTERVAL
NODEACCESSPOLICY
ALLOCLOCALITYPOLICY
SIMTIMEPOLICY
ADMIN1
ADMIN2
ADMIN3
ADMINHOSTS
NODEPOLLFREQUENCY
DISPLAYFLAGS
DEFAULTDOMAIN
DEFAULTCLASSLIST
FEATURENODETYPEHEADER
FEATUREPROCSPEEDHEADER
FEATUREPARTITIONHEADER
DEFERTIME
DEFERCOUNT
DEFERSTARTCOUNT
JOBPURGETIME
NODEPURGETIME
APIFAILURETHRESHHOLD
NODESYNCTIME
JOBSYNCTIME
JOBMAXOVERRUN
NODEMAXLOAD

PLOTMINTIME
PLOTMAXTIME
PLOTTIMESCALE
PLOTMINPROC
PLOTMAXPROC
PLOTPROCSCALE
SCHEDCFG[0]
# RM MODULES: WIKI SLURM PBS NATIVE
managers
SIMWORKLOADTRACEFILE
SIMRESOURCETRACEFILE
SIMAUTOSHUTDOWN
SIMSTARTTIME
SIMSCALEJOBRUNTIME
SIMFLAGS
SIMJOBSUBMISSIONPOLICY
SIMINITIALQUEUEDEPTH
SIMWCACCURACY
SIMWCACCURACYCHANGE
SIMNODECOUNT
SIMNODECONFIGURATION
SIMWCSCALINGPERCENT
SIMCOMRATE
SIMCOMTYPE
COMINTRAFRAMECOST
COMINTERFRAMECOST
SIMSTOPITERATION
SIMEXITITERATION
others



)";

class Lister {
 public:
  Lister(const Values& values, bool all) : rest_(rows_of(values, all)) {
    for (auto& row : rows_of(values, true)) all_.emplace(row.name, std::move(row));
  }

  Listing list() {
    const auto lines = split(kListing.substr(0, kListing.size() - 1), '\n');
    for (const auto line : lines) note(line);  // finds the names that add_rest() must skip
    for (const auto line : lines) take(line);
    return std::move(made_);
  }

 private:
  static const Parameter* parameter_of(std::string_view line) {
    return find_parameter(line.substr(0, line.find('[')));
  }
  static bool is_plain(std::string_view line) {
    return !line.empty() && line.front() != '#' && upper(line) == line;
  }

  void note(std::string_view line) {
    if (!is_plain(line)) return;
    const Parameter& parameter = *parameter_of(line);
    placed_.insert(full_name(parameter, default_index(parameter)));
  }

  void take(std::string_view line) {
    if (line.empty() || line.front() == '#')
      made_.headings.emplace_back(made_.rows.size(), line);
    else if (!is_plain(line))
      add_rest(line);
    else
      add(line);
  }

  void add(std::string_view line) {
    const Parameter& parameter = *parameter_of(line);
    Row row = all_.at(full_name(parameter, default_index(parameter)));
    row.name = line;
    made_.rows.push_back(std::move(row));
  }

  /// Adds the rows that the list does not name.
  void add_rest(std::string_view which) {
    for (const Row& row : rest_) {
      if (placed_.contains(row.name)) continue;
      const Parameter& parameter = *parameter_of(row.name);
      const std::string_view place = parameter.attributes == nullptr    ? "others"
                                     : parameter.name.starts_with("RM") ? "managers"
                                                                        : "objects";
      if (place == which) made_.rows.push_back(row);
    }
  }

  std::vector<Row> rest_;
  std::map<std::string, Row, std::less<>> all_;
  std::set<std::string> placed_;
  Listing made_;
};

}  // namespace

Listing listing_of(const Values& values, bool all) { return Lister(values, all).list(); }

}  // namespace maui::config
