// Job priority (guide 5.1): a weighted sum of components, each a weighted sum
// of subcomponents, caps before weights, bounded to 0 .. one billion;
// ENABLENEGJOBPRIORITY takes away the lower bound.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "maui/cluster.h"
#include "maui/plan.h"
#include "maui/settings.h"

namespace maui {

inline constexpr std::int64_t kMaxPriority = 1000000000;  // guide 5.1.1: MAX_PRIO_VAL

/// Subcomponents in the order in which diagnose -p shows them.
enum class Subcomponent : std::uint8_t {
  user,
  group,
  account,
  qos,
  job_class,  // CRED
  fs_user,
  fs_group,
  fs_account,
  fs_qos,
  fs_class,  // FS
  queue_time,
  xfactor,
  bypass,  // SERV
  target_queue_time,
  target_xfactor,  // TARGET
  node,
  proc,
  memory,
  swap,
  disk,
  ps,
  pe,
  wall_time,  // RES
  usage_consumed,
  usage_remaining,
  usage_percent,   // USAGE, of active jobs
  local_priority,  // LOCAL, where there is a PRIORITYPROGRAM
};
inline constexpr std::size_t kSubcomponents = 27;
enum class Component : std::uint8_t { cred, fairshare, service, target, resource, usage, local };
inline constexpr std::size_t kComponents = 7;

struct SubcomponentInfo {
  Subcomponent subcomponent;
  Component component;
  std::string_view label;  // as in diagnose -p: "User", "QTime", "XFctr"
  Weighting PrioritySettings::*weighting;
  std::string_view parameter;  // that sets its weight
};
struct ComponentInfo {
  Component component;
  std::string_view label;  // "Cred", "Serv", "Res"
  Weighting PrioritySettings::*weighting;
};
const std::array<SubcomponentInfo, kSubcomponents>& subcomponents();
const std::array<ComponentInfo, kComponents>& components();

struct PriorityBreakdown {
  std::int64_t priority = 0;  // bounded, system priority applied
  double bounded = 0;         // the same before it was rounded down
  bool system_priority = false;
  std::array<double, kSubcomponents>
      weighted{};  // weight * min(cap, value), before component weight
  std::array<double, kComponents> contribution{};  // component weight * min(cap, sum)
  double sum = 0;                                  // of the contributions, not bounded
  bool rejected = false;                           // it is below zero, and REJECTNEGPRIOJOBS is set
};

/// The priority of a job; of an active one as when it started, with its use since (USAGE).
PriorityBreakdown priority_of(const Cluster& cluster, const Settings& settings, Time now,
                              JobId job);
/// The subcomponent that drives a sum up (or down) most; nullptr if none does.
const SubcomponentInfo* driver_of(const PriorityBreakdown& breakdown, bool up);
/// The priorities of these jobs, which may be active.
std::vector<PriorityBreakdown> breakdowns_of(const Cluster& cluster, const Settings& settings,
                                             Time now, std::span<const JobId> jobs);
std::vector<std::int64_t> priorities_of(const Cluster& cluster, const Settings& settings, Time now,
                                        std::span<const JobId> jobs);

/// Whether a subcomponent counts for any job: it has a weight, in general, in some partition or
/// through some QOS.
bool counts(const Settings& settings, const SubcomponentInfo& subcomponent);

/// When the next of the waiting jobs reaches its target of queue time or expansion factor, where
/// these count (guide 5.1.2.5); kForever: none will.
Time next_target(const Cluster& cluster, const Settings& settings, Time now);

/// Expansion factor: 1 + queue time / max(XFMINWCLIMIT, limit) (guide 5.1.2.4.2).
double expansion_factor(const Cluster& cluster, const Settings& settings, Time now, JobId job);
/// Processor equivalents of a request on this cluster (guide 3.2.1.7).
double processor_equivalents(const Cluster& cluster, const Request& request);

/// Reason::none if the job may be considered: it is eligible, and not rejected for its priority.
Reason why_not_considered(const Cluster& cluster, const Settings& settings, Time now, JobId job);

/// Fills `order` with the jobs that may be considered (sched/eligibility.h), highest priority
/// first; ties go by queue time, then by order of arrival.
void prioritise(const Cluster& cluster, const Settings& settings, Time now,
                std::vector<Plan::Ranked>& order);

}  // namespace maui
