// The components of a priority and their subcomponents (guide 5.1.2), as a table.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "maui/credential_kind.h"
#include "maui/settings.h"

namespace maui {

inline constexpr std::int64_t kMaxPriority = 1000000000;  // guide 5.1.1: MAX_PRIO_VAL

/// Subcomponents in the order in which diagnose -p shows them.
enum class Subcomponent : std::uint8_t {
  // CRED
  user,
  group,
  account,
  qos,
  job_class,
  // FS
  fs_user,
  fs_group,
  fs_account,
  fs_qos,
  fs_class,
  // SERV
  queue_time,
  xfactor,
  bypass,
  // TARGET
  target_queue_time,
  target_xfactor,
  // RES
  node,
  proc,
  memory,
  swap,
  disk,
  ps,
  pe,
  wall_time,
  // USAGE, of active jobs
  usage_consumed,
  usage_remaining,
  usage_percent,
  // LOCAL, where there is a PRIORITYPROGRAM
  local_priority,
};
enum class Component : std::uint8_t { cred, fairshare, service, target, resource, usage, local };

constexpr std::size_t index_of(Subcomponent subcomponent) {
  return static_cast<std::size_t>(subcomponent);
}
constexpr std::size_t index_of(Component component) { return static_cast<std::size_t>(component); }
inline constexpr std::size_t kSubcomponents = index_of(Subcomponent::local_priority) + 1;
inline constexpr std::size_t kComponents = index_of(Component::local) + 1;

struct SubcomponentInfo {
  Subcomponent subcomponent;
  Component component;
  std::string_view label;  // as in diagnose -p: "User", "QTime", "XFctr"
  Weighting PrioritySettings::*weighting;
  std::string_view parameter;                        // that sets the weight
  std::optional<CredentialKind> credential = {};     // whose priority or fairshare it is (CRED, FS)
  double CredentialSettings::*qos_weight = nullptr;  // what a QOS adds to the weight (SERV)
};
struct ComponentInfo {
  Component component;
  std::string_view label;  // "Cred", "Serv", "Res"
  Weighting PrioritySettings::*weighting;
};

namespace priority_table {

using P = PrioritySettings;
using S = Subcomponent;
using C = Component;
using K = CredentialKind;

inline constexpr std::array<SubcomponentInfo, kSubcomponents> kSubcomponentTable{{
    {S::user, C::cred, "User", &P::user, "USERWEIGHT", K::user},
    {S::group, C::cred, "Group", &P::group, "GROUPWEIGHT", K::group},
    {S::account, C::cred, "Accnt", &P::account, "ACCOUNTWEIGHT", K::account},
    {S::qos, C::cred, "QOS", &P::qos, "QOSWEIGHT", K::qos},
    {S::job_class, C::cred, "Class", &P::job_class, "CLASSWEIGHT", K::job_class},
    {S::fs_user, C::fairshare, "User", &P::fs_user, "FSUSERWEIGHT", K::user},
    {S::fs_group, C::fairshare, "Group", &P::fs_group, "FSGROUPWEIGHT", K::group},
    {S::fs_account, C::fairshare, "Accnt", &P::fs_account, "FSACCOUNTWEIGHT", K::account},
    {S::fs_qos, C::fairshare, "QOS", &P::fs_qos, "FSQOSWEIGHT", K::qos},
    {S::fs_class, C::fairshare, "Class", &P::fs_class, "FSCLASSWEIGHT", K::job_class},
    {S::queue_time,
     C::service,
     "QTime",
     &P::queue_time,
     "QUEUETIMEWEIGHT",
     {},
     &CredentialSettings::queue_time_weight},
    {S::xfactor,
     C::service,
     "XFctr",
     &P::xfactor,
     "XFWEIGHT",
     {},
     &CredentialSettings::xfactor_weight},
    {S::bypass, C::service, "Bypas", &P::bypass, "BYPASSWEIGHT"},
    {S::target_queue_time, C::target, "QTime", &P::target_queue_time, "TARGETQUEUETIMEWEIGHT"},
    {S::target_xfactor, C::target, "XFctr", &P::target_xfactor, "TARGETXFACTORWEIGHT"},
    {S::node, C::resource, "Node", &P::node, "NODEWEIGHT"},
    {S::proc, C::resource, "Proc", &P::proc, "PROCWEIGHT"},
    {S::memory, C::resource, "Mem", &P::memory, "MEMWEIGHT"},
    {S::swap, C::resource, "Swap", &P::swap, "SWAPWEIGHT"},
    {S::disk, C::resource, "Disk", &P::disk, "DISKWEIGHT"},
    {S::ps, C::resource, "PS", &P::ps, "PSWEIGHT"},
    {S::pe, C::resource, "PE", &P::pe, "PEWEIGHT"},
    {S::wall_time, C::resource, "WTime", &P::wall_time, "WALLTIMEWEIGHT"},
    {S::usage_consumed, C::usage, "Consm", &P::usage_consumed, "USAGECONSUMEDWEIGHT"},
    {S::usage_remaining, C::usage, "Remng", &P::usage_remaining, "USAGEREMAININGWEIGHT"},
    {S::usage_percent, C::usage, "Perct", &P::usage_percent, "USAGEPERCENTWEIGHT"},
    {S::local_priority, C::local, "Prio", &P::local_priority, "LOCALPRIORITYWEIGHT"},
}};

inline constexpr std::array<ComponentInfo, kComponents> kComponentTable{{
    {C::cred, "Cred", &P::cred},
    {C::fairshare, "FS", &P::fairshare},
    {C::service, "Serv", &P::service},
    {C::target, "Targ", &P::target},
    {C::resource, "Res", &P::resource},
    {C::usage, "Usage", &P::usage},
    {C::local, "Local", &P::local},
}};

/// True if the table has a row for each value of the enumeration, in its order.
template <class Table, class Member>
constexpr bool in_order(const Table& table, Member member) {
  for (std::size_t i = 0; i < table.size(); ++i)
    if (index_of(table[i].*member) != i) return false;
  return true;
}
static_assert(in_order(kSubcomponentTable, &SubcomponentInfo::subcomponent));
static_assert(in_order(kComponentTable, &ComponentInfo::component));

}  // namespace priority_table

constexpr const std::array<SubcomponentInfo, kSubcomponents>& subcomponents() {
  return priority_table::kSubcomponentTable;
}
constexpr const std::array<ComponentInfo, kComponents>& components() {
  return priority_table::kComponentTable;
}

/// Returns the weight and the cap of a component.
inline const Weighting& weighting_of(const PrioritySettings& settings, Component component) {
  return settings.*components()[index_of(component)].weighting;
}

struct PriorityBreakdown {
  std::int64_t priority = 0;  // bounded, system priority applied
  double bounded = 0;         // the bounded sum before rounding down
  bool system_priority = false;
  std::array<double, kSubcomponents> weighted{};   // weight * min(cap, value)
  std::array<double, kComponents> contribution{};  // weight * min(cap, sum of weighted)
  double sum = 0;                                  // of the contributions, unbounded
  bool rejected = false;                           // below zero, with REJECTNEGPRIOJOBS
  std::uint64_t passed = 0;  // one bit for each bend that lies behind (see below)
};

// The bends in the course of a priority.  Between two times at which the same bends lie behind, all
// parts change by an equal amount each second, except fairshare and targets that are still ahead.
inline constexpr std::uint64_t kWaitBegan = 1;       // the job has begun to wait
inline constexpr std::uint64_t kNothingRemains = 2;  // the job has run to its limit
inline constexpr std::uint64_t kTargetsReached = 4;  // both targets, as far as the job has any
constexpr std::uint64_t cap_reached(Subcomponent of) { return std::uint64_t{8} << index_of(of); }
constexpr std::uint64_t cap_reached(Component of) {
  return cap_reached(Subcomponent::local_priority) << (1 + index_of(of));
}
static_assert(3 + kSubcomponents + kComponents <= 64);

}  // namespace maui
