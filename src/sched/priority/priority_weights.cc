#include "sched/priority/priority_weights.h"

#include <algorithm>

namespace maui {
namespace {

using P = PrioritySettings;
using S = Subcomponent;
using C = Component;
using K = CredentialKind;

constexpr std::array<SubcomponentInfo, kSubcomponents> kSubcomponentTable{{
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

constexpr std::array<ComponentInfo, kComponents> kComponentTable{{
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

}  // namespace

const std::array<SubcomponentInfo, kSubcomponents>& subcomponents() { return kSubcomponentTable; }
const std::array<ComponentInfo, kComponents>& components() { return kComponentTable; }

bool qos_adds_weight(const Settings& settings, const SubcomponentInfo& info) {
  return info.qos_weight != nullptr &&
         std::any_of(settings.qos.begin(), settings.qos.end(),
                     [&](const auto& entry) { return entry.second.*info.qos_weight != 0; });
}

PrioritySettings weights_in_partition(const Settings& settings,
                                      const std::vector<PartitionWeight>& own) {
  PrioritySettings weights = settings.priority;
  for (const auto& change : own) (weights.*change.of).*change.part = change.value;
  return weights;
}

PriorityWeights::PriorityWeights(const Settings& settings, PrioritySettings of)
    : all(std::move(of)) {
  for (const auto& info : kSubcomponentTable)
    if (maui::counts(settings, all, info)) counted.push_back(&info);
}

bool PriorityWeights::counts(Component component) const {
  return std::any_of(counted.begin(), counted.end(),
                     [component](const auto* info) { return info->component == component; });
}

bool counts(const Settings& settings, const SubcomponentInfo& subcomponent) {
  if (counts(settings, settings.priority, subcomponent)) return true;
  return std::any_of(settings.partition_weights.begin(), settings.partition_weights.end(),
                     [&](const auto& partition) {
                       return counts(settings, weights_in_partition(settings, partition.second),
                                     subcomponent);
                     });
}

}  // namespace maui
