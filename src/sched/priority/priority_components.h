// The components of a priority and their subcomponents (guide 5.1.2), as a table.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

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
  std::string_view parameter;  // that sets the weight
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
  double bounded = 0;         // the bounded sum before rounding down
  bool system_priority = false;
  std::array<double, kSubcomponents>
      weighted{};  // weight * min(cap, value), before component weight
  std::array<double, kComponents> contribution{};  // component weight * min(cap, sum)
  double sum = 0;                                  // of the contributions, unbounded
  bool rejected = false;                           // below zero, with REJECTNEGPRIOJOBS
};

/// True if a subcomponent counts for any job: it has a weight in general, in some partition or
/// through some QOS.
bool counts(const Settings& settings, const SubcomponentInfo& subcomponent);

}  // namespace maui
