// Weights and caps of job priority (guide 5.1): each component and each subcomponent has a weight
// and a cap.  Weights of components are 1 by default, weights of subcomponents are 0, except
// QUEUETIMEWEIGHT (guide 5.1.1).
#include <fmt/format.h>

#include "config/apply.h"
#include "config/parameters.h"

namespace maui::config {
namespace {

struct Factor {
  std::string_view weight, weight_aliases;
  std::string_view cap, cap_aliases;
  std::string_view fallback;
  std::string_view what;  // completes "Weight of ..."
  Weighting PrioritySettings::*member = nullptr;
  Landed landed = Landed::yes;
};

using P = PrioritySettings;
constexpr auto kLanded = Landed::yes;

constexpr EnumName<QueueTimeAccrual> kAccruals[] = {
    {QueueTimeAccrual::always, "ALWAYS"},
    {QueueTimeAccrual::full_policy, "FULLPOLICY"},
    {QueueTimeAccrual::queue_policy, "QUEUEPOLICY"},
};

constexpr Factor kFactors[] = {
    {"CREDWEIGHT", "DIRECTSPECWEIGHT", "CREDCAP", "", "1", "the credential component", &P::cred,
     kLanded},
    {"USERWEIGHT", "", "USERCAP", "", "0", "the user's priority", &P::user, kLanded},
    {"GROUPWEIGHT", "", "GROUPCAP", "", "0", "the group's priority", &P::group, kLanded},
    {"ACCOUNTWEIGHT", "", "ACCOUNTCAP", "", "0", "the account's priority", &P::account, kLanded},
    {"QOSWEIGHT", "", "QOSCAP", "", "0", "the priority of the QOS", &P::qos, kLanded},
    {"CLASSWEIGHT", "", "CLASSCAP", "", "0", "the priority of the class", &P::job_class, kLanded},

    {"SERVWEIGHT", "SERVICEWEIGHT", "SERVCAP", "SERVICECAP", "1", "the service component",
     &P::service, kLanded},
    {"QUEUETIMEWEIGHT", "QUEUEWEIGHT", "QUEUETIMECAP", "", "1", "the time queued, in minutes",
     &P::queue_time, kLanded},
    {"XFWEIGHT", "XFACTORWEIGHT XFACTOR", "XFCAP", "XFACTORCAP", "0", "the expansion factor",
     &P::xfactor, kLanded},
    {"BYPASSWEIGHT", "", "BYPASSCAP", "", "0", "the number of times that backfill bypassed the job",
     &P::bypass, kLanded},

    {"RESWEIGHT", "RESOURCEWEIGHT", "RESOURCECAP", "RESCAP", "1", "the resource component",
     &P::resource, kLanded},
    {"NODEWEIGHT", "", "NODECAP", "", "0", "the number of nodes asked for", &P::node, kLanded},
    {"PROCWEIGHT", "", "PROCCAP", "", "0", "the number of processors asked for", &P::proc, kLanded},
    {"MEMWEIGHT", "MEMORYWEIGHT", "MEMCAP", "", "0", "the memory asked for, in MB", &P::memory,
     kLanded},
    {"SWAPWEIGHT", "", "SWAPCAP", "", "0", "the virtual memory asked for, in MB", &P::swap,
     kLanded},
    {"DISKWEIGHT", "", "DISKCAP", "", "0", "the local disk asked for, in MB", &P::disk, kLanded},
    {"PSWEIGHT", "", "PSCAP", "", "0", "the processor-seconds asked for", &P::ps, kLanded},
    {"PEWEIGHT", "", "PECAP", "", "0", "the processor equivalents asked for", &P::pe, kLanded},
    {"WALLTIMEWEIGHT", "", "WALLTIMECAP", "", "0", "the wallclock limit, in seconds", &P::wall_time,
     kLanded},

    {"FSWEIGHT", "FAIRSHAREWEIGHT", "FSCAP", "", "1", "the fairshare component", &P::fairshare,
     kLanded},
    {"FSUSERWEIGHT", "USERFSWEIGHT", "FSUSERCAP", "", "0", "the user's past use against its target",
     &P::fs_user, kLanded},
    {"FSGROUPWEIGHT", "GROUPFSWEIGHT", "FSGROUPCAP", "", "0",
     "the group's past use against its target", &P::fs_group, kLanded},
    {"FSACCOUNTWEIGHT", "ACCOUNTFSWEIGHT", "FSACCOUNTCAP", "", "0",
     "the account's past use against its target", &P::fs_account, kLanded},
    {"FSQOSWEIGHT", "QOSFSWEIGHT", "FSQOSCAP", "", "0",
     "the past use of the QOS against its target", &P::fs_qos, kLanded},
    {"FSCLASSWEIGHT", "CLASSFSWEIGHT", "FSCLASSCAP", "", "0",
     "the past use of the class against its target", &P::fs_class, kLanded},

    {"TARGWEIGHT", "TARGETWEIGHT", "TARGCAP", "TARGETCAP", "1", "the target component", &P::target,
     kLanded},
    {"TARGETQUEUETIMEWEIGHT", "", "TARGETQUEUETIMECAP", "", "0",
     "nearness to the target queue time", &P::target_queue_time, kLanded},
    {"TARGETXFACTORWEIGHT", "", "TARGETXFACTORCAP", "", "0",
     "nearness to the target expansion factor", &P::target_xfactor, kLanded},

    {"USAGWEIGHT", "USAGEWEIGHT", "USAGECAP", "USAGCAP", "1",
     "the usage component, for active jobs", &P::usage, kLanded},
    {"USAGECONSUMEDWEIGHT", "CONSUMEDWEIGHT", "USAGECONSUMEDCAP", "", "0",
     "the processor-seconds that an active job has consumed", &P::usage_consumed, kLanded},
    {"USAGEREMAININGWEIGHT", "REMAININGWEIGHT", "USAGEREMAININGCAP", "", "0",
     "the processor-seconds that an active job has left", &P::usage_remaining, kLanded},
    {"USAGEPERCENTWEIGHT", "PERCENTWEIGHT", "USAGEPERCENTCAP", "", "0",
     "the percentage of its wallclock limit that an active job has run", &P::usage_percent,
     kLanded},

    {"ATTRWEIGHT", "", "ATTRCAP", "", "1", "the component of job attributes of release 3.3",
     nullptr, Landed::without_effect},

    {"LOCALWEIGHT", "", "LOCALCAP", "", "1", "the component of the site's program", &P::local,
     kLanded},
    {"LOCALPRIORITYWEIGHT", "", "LOCALPRIORITYCAP", "", "1",
     "the value that PRIORITYPROGRAM gives a job", &P::local_priority, kLanded},
};

// With an index, sets the weight of that partition (appendix F, RESWEIGHT[X]).
Apply into_weighting(Weighting PrioritySettings::*of, double Weighting::*part) {
  return [of, part](Settings& settings, const std::string& index, const Words& value) {
    double& member =
        index.empty()
            ? settings.priority.*of.*part
            : settings.partition_weights[index].emplace_back(PartitionWeight{of, part, 0}).value;
    assign(member, value);
  };
}

Parameter weight_of(const Factor& factor) {
  Parameter row{std::string(factor.weight),
                std::string(factor.weight_aliases),
                Index::optional_name,
                integer(),
                std::string(factor.fallback),
                Change::at_runtime,
                factor.landed,
                fmt::format("Weight of {}{} in a job's priority.", factor.what,
                            factor.what.find(',') == std::string_view::npos ? "" : ",")};
  if (factor.member) row.apply = into_weighting(factor.member, &Weighting::weight);
  return row;
}

Parameter cap_of(const Factor& factor) {
  Parameter row{std::string(factor.cap),
                std::string(factor.cap_aliases),
                Index::optional_name,
                number(),
                "0",
                Change::at_runtime,
                factor.landed,
                fmt::format("Upper bound of {}, before weighting; 0: no bound.", factor.what)};
  if (factor.member) row.apply = into_weighting(factor.member, &Weighting::cap);
  return row;
}

}  // namespace

std::vector<Parameter> priority_parameters() {
  using enum Index;
  using enum Change;
  std::vector<Parameter> rows;
  for (const auto& factor : kFactors) {
    rows.push_back(weight_of(factor));
    rows.push_back(cap_of(factor));
  }
  const std::vector<Parameter> others{
      {"XFMINWCLIMIT", "", none, duration(true), "-1", at_runtime, Landed::yes,
       "Shorter wallclock limits count as this limit in the expansion factor.",
       into([](Settings & s) -> auto& { return s.priority.xfactor_min_limit; })},
      {"PRIORITYPROGRAM", "", none, text("a program"), "[NONE]", at_runtime, Landed::yes,
       "Program that determines in each iteration what is added to the priorities of waiting jobs; "
       "in tools/ unless absolute.",
       into([](Settings & s) -> auto& { return s.local.priority_program; })},
      {"ENABLENEGJOBPRIORITY", "", none, boolean(), "FALSE", at_runtime, Landed::yes,
       "Whether priorities may be negative; otherwise negative priorities count as zero.",
       into([](Settings & s) -> auto& { return s.priority.allow_negative; })},
      {"REJECTNEGPRIOJOBS", "", none, boolean(), "FALSE", at_runtime, Landed::yes,
       "Whether jobs of negative priority are rejected.",
       into([](Settings & s) -> auto& { return s.priority.reject_negative; })},
      {"JOBPRIOACCRUALPOLICY", "", none, choice(kAccruals), "QUEUEPOLICY", at_runtime, Landed::yes,
       "When a waiting job gains priority by waiting.",
       into(
           kAccruals, [](Settings & s) -> auto& { return s.throttling.accrual; })},
      {"USESYSTEMQUEUETIME", "", none, boolean(), "OFF", at_runtime, Landed::yes,
       "Whether only the time in which a job was eligible counts as queue time; superseded by "
       "JOBPRIOACCRUALPOLICY.",
       into([](Settings & s) -> auto& { return s.throttling.use_system_queue_time; })},
  };
  rows.insert(rows.end(), others.begin(), others.end());
  return rows;
}

}  // namespace maui::config
