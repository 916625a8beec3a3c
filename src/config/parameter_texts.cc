#include "config/parameter_texts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace maui::config {
namespace {

struct ParameterText {
  std::string_view example;  // starts with the parameter's name
  std::string_view unit;
};

constexpr ParameterText kParameterTexts[] = {
    {"MAUIHOMEDIR /var/spool/maui", ""},
    {"SERVERHOST head.example.org", ""},
    {"SERVERNAME north", ""},
    {"SERVERPORT 42559", ""},
    {"SERVERMODE TEST", ""},
    {"ADMIN1 root maui", ""},
    {"ADMIN2 amy bob", ""},
    {"ADMIN3 helpdesk", ""},
    {"ADMINHOST head login1", ""},
    {"CLIENTTIMEOUT 00:01:00", ""},
    {"CLIENTMAXSKEW 00:01:00", ""},
    {"LEASETIME 00:00:20", ""},
    {"STATDIR /var/spool/maui/statistics", ""},
    {"LOGDIR /var/log/maui", ""},
    {"LOGFILE scheduler.log", ""},
    {"LOGFILEMAXSIZE 100M", "bytes"},
    {"LOGFILEROLLDEPTH 5", "files"},
    {"LOGLEVEL 3", ""},
    {"LOGFACILITY fSCHED:fRM", ""},
    {"PLOTMINPROC 4", "processors"},
    {"PLOTMAXPROC 4096", "processors"},
    {"PLOTPROCSCALE 11", "rows"},
    {"PLOTMINTIME 1:00:00", ""},
    {"PLOTMAXTIME 64:00:00", ""},
    {"PLOTTIMESCALE 7", "columns"},
    {"CHECKPOINTFILE state.ck", ""},
    {"CHECKPOINTINTERVAL 00:01:00", ""},
    {"CHECKPOINTEXPIRATIONTIME 7:00:00:00", ""},
    {"CHECKPOINTFAILURE CONTINUE", ""},
    {"CLOCKSTEP 00:01:00", ""},
    {"CRASHMODE RESTART", ""},
    {"DISPLAYFLAGS NODECENTRIC", ""},
    {"FEEDBACKPROGRAM feedback", ""},
    {"NOTIFICATIONPROGRAM notify", ""},
    {"TRAPFUNCTION fSCHED", ""},
    {"TRAPJOB 4711", ""},
    {"TRAPNODE node003", ""},
    {"TRAPRES maintenance.0", ""},
    {"HTTPPORT 40560", ""},
    {"HTTPADDRESS ALL", ""},
    {"HTTPSOCKET http.sock", ""},
    {"HTTPHOST cluster.example.org", ""},
    {"HTTPPROXY www-data", ""},
    {"RMPOLLINTERVAL 00:00:30", ""},
    {"JOBAGGREGATIONTIME 0:00:02", ""},
    {"RESERVATIONPOLICY HIGHEST", ""},
    {"RESERVATIONQOSLIST[1] high urgent", ""},
    {"RESERVATIONDEPTH[1] 4", "reservations"},
    {"RESERVATIONRETRYTIME 00:05:00", ""},
    {"RESDEPTH 64", "reservations"},
    {"RESCTLPOLICY ANY", ""},
    {"PREEMPTIONPOLICY SUSPEND", ""},
    {"BACKFILLPOLICY BESTFIT", ""},
    {"BACKFILLPROGRAM backfill", ""},
    {"BACKFILLMETRIC PROCSECONDS", ""},
    {"BACKFILLDEPTH 100", "jobs"},
    {"BFWINDOWORDER LONGEST", ""},
    {"BFPRIORITYPOLICY DURATION", ""},
    {"BFCHUNKSIZE 64", "processors"},
    {"BFCHUNKDURATION 00:10:00", ""},
    {"RUNTIMELEARNING BACKFILL", ""},
    {"RESERVATIONSLACK 2:00:00", ""},
    {"RESERVATIONHYSTERESIS 5", ""},
    {"FAIRSTARTLIMIT 24:00:00", ""},
    {"FAIRSTARTFACTOR 2", ""},
    {"HISTORYAGE 730:00:00:00", ""},
    {"XFMINWCLIMIT 00:10:00", ""},
    {"PRIORITYPROGRAM priority", ""},
    {"ENABLENEGJOBPRIORITY TRUE", ""},
    {"REJECTNEGPRIOJOBS TRUE", ""},
    {"JOBPRIOACCRUALPOLICY ALWAYS", ""},
    {"USESYSTEMQUEUETIME ON", ""},
    {"NODEACCESSPOLICY SHARED", ""},
    {"NODEALLOCATIONPOLICY MINRESOURCE", ""},
    {"NODELOADPOLICY ADJUSTPROCS", ""},
    {"NODEMAXLOAD 1.5", "processes that compute or wait for a processor"},
    {"NODEUNTRACKEDLOADFACTOR 1.0", ""},
    {"NODEPOLLFREQUENCY 5", "iterations"},
    {"NODEDOWNSTATEDELAYTIME 00:10:00", ""},
    {"DOWNNODEDELAYTIME 4:00:00", ""},
    {"NODESYNCTIME 00:05:00", ""},
    {"NODEPURGETIME 24:00:00", ""},
    {"RESOURCEAVAILABILITYPOLICY DEDICATED:PROC COMBINED:MEM", ""},
    {"DEFAULTCLASSLIST batch long", ""},
    {"TASKDISTRIBUTIONPOLICY LOCAL", ""},
    {"NODEALLOCATIONPROGRAM allocate", ""},
    {"NODESETPOLICY ONEOF", ""},
    {"NODESETATTRIBUTE FEATURE", ""},
    {"NODESETLIST ib opa", ""},
    {"NODESETDELAY 00:30:00", ""},
    {"NODESETPRIORITYTYPE BESTFIT", ""},
    {"NODESETTOLERANCE 0.1", ""},
    {"FEATURENODETYPEHEADER xnt", ""},
    {"FEATUREPARTITIONHEADER xpt", ""},
    {"FEATUREPROCSPEEDHEADER xps", ""},
    {"NODECFG[node003] SPEED=1.2 PARTITION=fast MAXJOB=4", ""},
    {"JOBATTRIBUTEPROGRAM attributes", ""},
    {"JOBNODEMATCHPOLICY EXACTNODE", ""},
    {"SYSTEMDEFAULTJOBWALLTIME 1:00:00", ""},
    {"JOBMAXOVERRUN 00:10:00", ""},
    {"JOBMAXSTARTTIME 00:10:00", ""},
    {"JOBSYNCTIME 00:02:00", ""},
    {"PURGETIME 1:00:00", ""},
    {"JOBPURGETIME 1:00:00", ""},
    {"DEFERTIME 00:30:00", ""},
    {"DEFERCOUNT 5", "deferrals"},
    {"DEFERSTARTCOUNT 3", "starts"},
    {"ENFORCERESOURCELIMITS ON", ""},
    {"RESOURCELIMITPOLICY ALWAYS:CANCEL:MEM", ""},
    {"RESOURCEUTILIZATIONPOLICY EXTENDEDVIOLATION", ""},
    {"RESOURCEUTILIZATIONACTION REQUEUE", ""},
    {"WCVIOLATIONACTION PREEMPT", ""},
    {"SYSTEMMAXPROCJOB 512", "processors"},
    {"SYSTEMMAXPROCSECONDPERJOB 86400000", "processor-seconds"},
    {"SYSTEMMAXJOBWALLTIME 7:00:00:00", ""},
    {"USEMACHINESPEED ON", ""},
    {"ENABLEMULTINODEJOBS FALSE", ""},
    {"ENABLEMULTIREQJOBS TRUE", ""},
    {"QOSNAME[1] high", ""},
    {"QOSPRIORITY[1] 1000", "points of priority"},
    {"QOSQTWEIGHT[1] 10", ""},
    {"QOSXFWEIGHT[1] 100", ""},
    {"QOSFLAGS[1] PREEMPTOR", ""},
    {"QOSQTTARGET[1] 2:00:00", ""},
    {"QOSXFTARGET[1] 3.0", ""},
    {"QOSFEATURES[1] ib", ""},
    {"USERCFG[amy] PRIORITY=100 MAXJOB=10,20 FSTARGET=5", ""},
    {"GROUPCFG[chem] MAXPROC=256 QLIST=high,low QDEF=low", ""},
    {"ACCOUNTCFG[storm] PRIORITY=5000 FSTARGET=25", ""},
    {"CLASSCFG[long] PRIORITY=-10 MAXJOB[USER]=4", ""},
    {"QOSCFG[high] PRIORITY=1000 QFLAGS=PREEMPTOR QTTARGET=2:00:00", ""},
    {"SYSCFG QDEF=low PLIST=ALL", ""},
    {"PARCFG[fast] MAXPROC=512", ""},
    {"USEMACHINESPEEDFORFS TRUE", ""},
    {"FAIRNESSPROGRAM fairness", ""},
    {"FSPOLICY DEDICATEDPS", ""},
    {"FSINTERVAL 12:00:00", ""},
    {"FSDEPTH 14", "windows"},
    {"FSDECAY 0.9", ""},
    {"FSCONFIGFILE shares.cfg", ""},
    {"FSENFORCEMENT HARD", ""},
    {"SRNAME[0] short", ""},
    {"SRACCESS[0] SHARED", ""},
    {"SRACCOUNTLIST[0] phys chem-", ""},
    {"SRCHARGEACCOUNT[0] phys", ""},
    {"SRCLASSLIST[0] fast", ""},
    {"SRDAYS[0] Mon Tue Wed Thu Fri", ""},
    {"SRDEPTH[0] 7", "periods"},
    {"SRSTARTTIME[0] 8:00:00", ""},
    {"SRENDTIME[0] 17:00:00", ""},
    {"SRWSTARTTIME[0] 1:08:00:00", ""},
    {"SRWENDTIME[0] 5:17:00:00", ""},
    {"SRFLAGS[0] BYNAME", ""},
    {"SRGROUPLIST[0] staff", ""},
    {"SRHOSTLIST[0] node0[1-8]", ""},
    {"SRFEATURES[0] ib", ""},
    {"SRPARTITION[0] fast", ""},
    {"SRPERIOD[0] WEEK", ""},
    {"SRQOSLIST[0] high", ""},
    {"SRRESOURCES[0] PROCS=1;MEM=512", ""},
    {"SRTASKCOUNT[0] 8", "tasks"},
    {"SRMAXTIME[0] 1:00:00", ""},
    {"SRTIMELOGIC[0] AND", ""},
    {"SRTPN[0] 2", "tasks of a node"},
    {"SRUSERLIST[0] amy bob", ""},
    {"SRCFG[fast] TASKCOUNT=8 STARTTIME=8:00:00 ENDTIME=17:00:00 CLASSLIST=fast", ""},
    {"RMTYPE[0] SLURM", ""},
    {"RMNAME[0] slurm", ""},
    {"RMSERVER[0] head", ""},
    {"RMPORT[0] 42731", ""},
    {"RMAUTHTYPE[0] NONE", ""},
    {"RMTIMEOUT[0] 9", ""},
    {"RMCFG[base] TYPE=SLURM TIMEOUT=15", ""},
    {"BANKTYPE FILE", ""},
    {"BANKSERVER bank.example.org", ""},
    {"BANKPORT 7112", ""},
    {"BANKTIMEOUT 5", ""},
    {"BANKCHARGEPOLICY DEBITALLWC", ""},
    {"BANKDEFERJOBONFAILURE ON", ""},
    {"BANKFALLBACKACCOUNT free", ""},
    {"AMCFG[bank] TYPE=GOLD", ""},
    {"SIMRESOURCETRACEFILE traces/Resource.Trace1", ""},
    {"SIMWORKLOADTRACEFILE log.swf.gz", ""},
    {"SIMJOBSSUBMISSIONPOLICY NORMAL", ""},
    {"SIMINITIALQUEUEDEPTH 100", "jobs, or processor-seconds with CONSTANTPSDEPTH"},
    {"SIMCPUSCALINGPERCENT 80", "per cent"},
    {"SIMDEFAULTJOBFLAGS RESTARTABLE", ""},
    {"SIMIGNOREJOBFLAGS HOSTLIST", ""},
    {"SIMFLAGS IGNCLASS IGNQOS", ""},
    {"SIMNODECOUNT 100", "nodes"},
    {"SIMNODECONFIGURATION UNIFORM", ""},
    {"SIMSTARTTIME 1000000000", ""},
    {"SIMSTEPPOLICY EVENT", ""},
    {"SIMMRRANDOMDELAY 5", "seconds"},
    {"SIMSTOPITERATION 1", ""},
    {"SIMEXITITERATION 1000", ""},
    {"SIMTIMERATIO 60", ""},
    {"SIMAUTOSHUTDOWN FALSE", ""},
    {"CLIENTKEY[base] 0x3325584", ""},
    {"CLIENTCFG[RM:base] KEY=0x3325584", ""},
    {"SECRET 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", ""},
};

const ParameterText* find_text(const Parameter& parameter) {
  const auto at = std::find_if(
      std::begin(kParameterTexts), std::end(kParameterTexts), [&](const ParameterText& text) {
        return text.example.substr(0, text.example.find_first_of(" [")) == parameter.name;
      });
  return at == std::end(kParameterTexts) ? nullptr : at;
}

/// The unit of the amount that a limit counts: MAXPROCQUEUEDPERUSER, MAXMEMPERCLASS.
struct LimitUnit {
  std::string_view beginning, unit;
};
constexpr LimitUnit kLimitUnits[] = {{"MAXJOB", "jobs"},
                                     {"MAXPROC", "processors"},
                                     {"MAXPS", "processor-seconds"},
                                     {"MAXPE", "processor equivalents"},
                                     {"MAXWC", "seconds"},
                                     {"MAXNODE", "nodes"},
                                     {"MAXMEM", "MB"}};

const LimitUnit* find_limit_unit(std::string_view limit) {
  const auto at =
      std::find_if(std::begin(kLimitUnits), std::end(kLimitUnits),
                   [&](const LimitUnit& unit) { return limit.starts_with(unit.beginning); });
  return at == std::end(kLimitUnits) ? nullptr : at;
}
const LimitUnit* find_limit_unit(const Parameter& parameter) {
  if (parameter.name.find("PER") == parameter.name.npos) return nullptr;
  return find_limit_unit(std::string_view(parameter.name));
}

/// True if the value of the parameter or attribute is a time.
template <class Row>
bool counts_seconds(const Row& row) {
  return row.type.expected.find("MM:]SS") != std::string::npos;
}

/// A value of an attribute, found by the attribute's name or, after "=", by its expected values.
struct AttributeText {
  std::string_view key, value;
};
constexpr AttributeText kAttributeTexts[] = {
    {"ACCESS", "SHARED"},
    {"ACCOUNTLIST", "chem,phys-"},
    {"AUTHTYPE", "MUNGE"},
    {"CHARGEACCOUNT", "chem"},
    {"CHARGEPOLICY", "DEBITALLWC"},
    {"CLASSES", "batch,long"},
    {"CLASSLIST", "batch"},
    {"CLUSTERQUERYURL", "exec:///usr/local/lib/maui/nodes"},
    {"DAYS", "Mon,Tue"},
    {"DEPTH", "7"},
    {"ENDTIME", "17:00:00"},
    {"FALLBACKACCOUNT", "free"},
    {"FEATURES", "bigmem"},
    {"FRAME", "2"},
    {"FSTARGET", "25"},
    {"GRES", "gpu:4"},
    {"GROUPLIST", "staff"},
    {"HOST", "head"},
    {"HOSTLIST", "node[01-04]"},
    {"JOBATTRLIST", "PREEMPTEE"},
    {"KEY", "0x3325584"},
    {"MAXLOAD", "1.5"},
    {"MUNGESOCKET", "/run/munge/munge.socket.2"},
    {"NODEFEATURES", "bigmem"},
    {"NODETYPE", "fast"},
    {"OWNER", "ACCOUNT:chem"},
    {"PARTITION", "fast"},
    {"PDEF", "fast"},
    {"PERIOD", "WEEK"},
    {"PLIST", "fast,slow"},
    {"PORT", "42731"},
    {"EPORT", "15017"},
    {"PRIORITYF", "PRIORITY+10*SPEED-LOAD"},
    {"PROCLIMIT", "<=16"},
    {"PROCSPEED", "2400"},
    {"QDEF", "high"},
    {"QLIST", "high,low"},
    {"QOSLIST", "high"},
    {"RESOURCES", "PROCS=1;MEM=512"},
    {"SLOT", "3"},
    {"SPEED", "1.2"},
    {"STARTTIME", "8:00:00"},
    {"TASKLIMIT", "<=4"},
    {"TIMELIMIT", "2:00:00"},
    {"TIMELOGIC", "OR"},
    {"TRIGGER", "start;exec@/usr/local/bin/say-so"},
    {"UPDATES", "CHANGES"},
    {"USERLIST", "amy,bob"},
    {"WENDTIME", "4:00:00:00"},
    {"WORKLOADQUERYURL", "exec:///usr/local/lib/maui/jobs"},
    {"WSTARTTIME", "1:00:00:00"},
    {"XFTARGET", "5"},
    {"QTTARGET", "4:00:00"},
    {"PRIORITY", "100"},
    {"=a whole number", "10"},
    {"=[SOFT,]HARD, whole numbers from 0 up", "8,16"},
    {"=[SOFT,]HARD, each [[[DD:]HH:]MM:]SS", "24:00:00,48:00:00"},
    {"=[[[DD:]HH:]MM:]SS or INFINITY", "0:00:15"},
    {"=a whole number from 0 up", "4"},
    {"=TRUE or FALSE (also ON, OFF, YES, NO, 1, 0)", "TRUE"},
    {"=exec://PROGRAM", "exec:///usr/local/lib/maui/start"},
};
/// Attributes of the same name in different objects.
constexpr AttributeText kObjectsAttributeTexts[] = {
    {"AMCFG PORT", "7112"},
    {"AMCFG TYPE", "GOLD"},
    {"CLIENTCFG AUTHTYPE", "CHECKSUM,MUNGE"},
    {"RMCFG FLAGS", "COMMENT"},
    {"RMCFG SUBTYPE", "TORQUE"},
    {"RMCFG TYPE", "PBS"},
    {"SRCFG FLAGS", "OWNERPREEMPT"},
    {"SRCFG ACCESS", "DEDICATED"},
};

std::string_view example_value(const Parameter& object, const Attribute& attribute) {
  const auto qualified = object.name + " " + attribute.name;
  for (const auto& text : kObjectsAttributeTexts)
    if (text.key == qualified) return text.value;
  if (attribute.name.ends_with("FLAGS")) return "PREEMPTEE";
  for (const auto& text : kAttributeTexts)
    if (text.key == attribute.name ||
        (text.key.starts_with('=') && text.key.substr(1) == attribute.type.expected))
      return text.value;
  return {};
}

}  // namespace

std::string unit_of(const Attribute& attribute) {
  std::string_view name = attribute.name;
  if (name.starts_with('O') && name.substr(1).starts_with("MAX")) name.remove_prefix(1);
  if (counts_seconds(attribute)) return "seconds";
  if (name == "MAXLOAD") return "processes that compute or wait for a processor";
  if (name.starts_with("MAXJOBPERUSER")) return "jobs";
  std::string limit(name);
  if (limit.starts_with("MAXI")) limit.erase(3, 1);
  if (const auto* known = find_limit_unit(std::string_view(limit))) return std::string(known->unit);
  if (name == "PROCSPEED") return "MHz";
  if (name == "FSTARGET") return "per cent";
  if (name == "TASKCOUNT" || name == "TPN" || name == "TASKLIMIT") return "tasks";
  if (name == "PROCLIMIT") return "processors";
  return {};
}

std::string example_of(const Parameter& object, const Attribute& attribute) {
  if (!attribute.landed) return {};
  const auto value = example_value(object, attribute);
  const auto of_object = example_of(object);
  if (value.empty() || of_object.empty()) return {};
  // CLIENTCFG has keys of resource managers; all its other attributes are of hosts.
  const auto named = object.name == "CLIENTCFG" && attribute.name != "KEY"
                         ? std::string("CLIENTCFG[login1]")
                         : of_object.substr(0, of_object.find(' '));
  return fmt::format("{} {}={}", named, attribute.name, value);
}

std::string default_of(const Parameter& object, const Attribute& attribute) {
  constexpr std::pair<std::string_view, std::string_view> kOlderNames[] = {
      {"SRCFG", "SR"}, {"RMCFG", "RM"}, {"AMCFG", "BANK"}};
  for (const auto& [name, prefix] : kOlderNames) {
    if (object.name != name) continue;
    const auto* older = find_parameter(std::string(prefix) + attribute.name);
    if (older != nullptr && older->attributes == nullptr) return older->fallback;
  }
  return {};
}

std::string unit_of(const Parameter& parameter) {
  if (const LimitUnit* limit = find_limit_unit(parameter)) return std::string(limit->unit);
  if (const ParameterText* text = find_text(parameter); text != nullptr && !text->unit.empty())
    return std::string(text->unit);
  return counts_seconds(parameter) && parameter.attributes == nullptr ? "seconds" : "";
}

std::string example_of(const Parameter& parameter) {
  if (parameter.landed != Landed::yes) return {};
  if (const ParameterText* text = find_text(parameter)) return std::string(text->example);
  if (parameter.name.ends_with("WEIGHT")) return parameter.name + " 10";
  if (parameter.name.ends_with("CAP")) return parameter.name + " 1000";
  if (find_limit_unit(parameter) != nullptr)
    return parameter.name + (counts_seconds(parameter) ? " 24:00:00,48:00:00" : " 8,16");
  return {};
}

std::string effect_of(const Parameter& parameter) {
  if (parameter.landed != Landed::yes) return "It has no effect.";
  if (const auto reason = restart_reason(parameter.change); !reason.empty())
    return fmt::format("Takes effect at the next start, since {}.", reason);
  if (parameter.change == Change::with_file)
    return "Takes effect when maui.cfg is read again (schedctl -R, SIGHUP).";
  return "Takes effect at once, with changeparam or when maui.cfg is read again.";
}

}  // namespace maui::config
