// Names and types that several tables share.
#pragma once
#include <array>
#include <string_view>

#include "base/access_names.h"
#include "base/enum_names.h"
#include "config/value_type.h"
#include "maui/job.h"
#include "maui/settings.h"

namespace maui::config {

/// FSPOLICY (guide 6.3.2; the paper reverses the order of the words).
inline constexpr EnumName<FairshareMetric> kFairshareMetrics[] = {
    {FairshareMetric::dedicated_proc_seconds, "DEDICATEDPS"},
    {FairshareMetric::dedicated_proc_seconds, "PSDEDICATED"},
    {FairshareMetric::dedicated_pe_seconds, "DEDICATEDPES"},
    {FairshareMetric::dedicated_pe_seconds, "PEDEDICATED"},
    {FairshareMetric::utilised_proc_seconds, "UTILIZEDPS"},
    {FairshareMetric::none, "NONE"},
};

/// The terms of a node's priority function (NODECFG PRIORITYF).
inline constexpr EnumName<NodeTerm> kNodeTerms[] = {
    {NodeTerm::priority, "PRIORITY"},       {NodeTerm::speed, "SPEED"},
    {NodeTerm::proc_speed, "PROCSPEED"},    {NodeTerm::load, "LOAD"},
    {NodeTerm::configured_procs, "CPROCS"}, {NodeTerm::configured_memory, "CMEM"},
    {NodeTerm::configured_swap, "CSWAP"},   {NodeTerm::configured_disk, "CDISK"},
    {NodeTerm::available_procs, "APROCS"},  {NodeTerm::available_memory, "AMEM"},
    {NodeTerm::available_swap, "ASWAP"},    {NodeTerm::available_disk, "ADISK"},
    {NodeTerm::jobs, "JOBCOUNT"},           {NodeTerm::index, "NODEINDEX"}};

inline constexpr EnumName<JobFlag> kJobFlags[] = {
    {JobFlag::adv_res, "ADVRES"},          {JobFlag::host_list, "HOSTLIST"},
    {JobFlag::restartable, "RESTARTABLE"}, {JobFlag::preemptee, "PREEMPTEE"},
    {JobFlag::dedicated, "DEDICATED"},     {JobFlag::preemptor, "PREEMPTOR"}};

/// The amounts that throttling policies limit (guide 6.2.1.1): MAXJOB, MAXPROC and so on.
struct LimitName {
  LimitKind kind;
  std::string_view name, what;
  bool time = false;
};
inline constexpr std::array<LimitName, kLimitKinds> kLimits{
    {{LimitKind::job, "JOB", "jobs"},
     {LimitKind::proc, "PROC", "processors"},
     {LimitKind::ps, "PS", "outstanding processor-seconds"},
     {LimitKind::pe, "PE", "processor equivalents"},
     {LimitKind::wc, "WC", "outstanding wallclock time", true},
     {LimitKind::node, "NODE", "nodes"},
     {LimitKind::mem, "MEM", "megabytes of memory"}}};

/// BANKTYPE.  QBank, RES and Gold no longer exist: their names stand for a server of the site.
inline constexpr EnumName<AllocationManagerType> kAllocationManagers[] = {
    {AllocationManagerType::file, "FILE"},
    {AllocationManagerType::qbank, "QBANK"},
    {AllocationManagerType::resd, "RESD"},
    {AllocationManagerType::gold, "GOLD"},
    {AllocationManagerType::none, "NONE"}};

/// BANKCHARGEPOLICY (guide 6.4; case study A.3 spells one value differently).
inline constexpr EnumName<ChargePolicy> kChargePolicies[] = {
    {ChargePolicy::all_wall_clock, "DEBITALLWC"},
    {ChargePolicy::successful_wall_clock, "DEBITSUCCESSFULWC"},
    {ChargePolicy::successful_cpu, "DEBITSUCCESSFULCPU"},
    {ChargePolicy::successful_cpu, "DEBITSUCCESSFULLCPU"},
    {ChargePolicy::successful_pe, "DEBITSUCCESSFULPE"}};

inline constexpr EnumName<CredentialKind> kCredentialNames[] = {
    {CredentialKind::user, "USER"},
    {CredentialKind::group, "GROUP"},
    {CredentialKind::account, "ACCOUNT"},
    {CredentialKind::qos, "QOS"},
    {CredentialKind::job_class, "CLASS"}};

}  // namespace maui::config
