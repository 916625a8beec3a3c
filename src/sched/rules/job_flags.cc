#include "sched/rules/job_flags.h"

#include "base/job_flag_names.h"
#include "sched/rules/credential_entries.h"
#include "sched/rules/partition_policies.h"

namespace maui {
namespace {

constexpr std::string_view kReservedPrefix = "USERESERVED:";

std::string reserved_name(const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (word.starts_with(kReservedPrefix)) return word.substr(kReservedPrefix.size());
  return {};
}

constexpr std::uint16_t kOwnFlags = [] {
  std::uint16_t bits = 0;
  for (const auto& row : kJobFlagNames) put(bits, row.value);
  return bits;
}();

/// Returns the value for `id`, or an empty one if the list is too short for it.
template <class T, class IdType>
const T& value_at(const std::vector<T>& values, IdType id) {
  static const T kNone{};
  return id.valid() && id.index() < values.size() ? values[id.index()] : kNone;
}

}  // namespace

std::uint16_t own_flags(std::uint16_t flags) {
  return static_cast<std::uint16_t>(flags & kOwnFlags);
}

std::uint16_t job_flag_bits(const std::vector<std::string>& words) {
  std::uint16_t bits = 0;
  for (const std::string& word : words) {
    const auto flag = value_of<JobFlag>(kGrantedFlagNames, word);
    if (flag) put(bits, *flag);
    if (word.starts_with(kReservedPrefix)) put(bits, JobFlag::use_reserved);
  }
  return bits;
}

template <class IdType>
void JobFlags::read(const CredentialTable& table, const Names<IdType>& names, Given& given) {
  bool any = false;
  for (const auto& [name, entry] : table) any = any || !entry.flags.empty();
  if (!any) return;
  const CredentialEntries<IdType> entries(table, names);
  given.bits.resize(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto* entry = entries[IdType(i)];
    if (entry == nullptr) continue;
    given.bits[i] = job_flag_bits(entry->flags);
    given_ = static_cast<std::uint16_t>(given_ | given.bits[i]);
    auto name = reserved_name(entry->flags);
    if (name.empty()) continue;
    given.reserved.resize(names.size());
    given.reserved[i] = std::move(name);
  }
}

JobFlags::JobFlags(const Cluster& cluster, const Settings& settings)
    : system_(job_flag_bits(settings.system.flags)),
      given_(system_),
      system_reserved_(reserved_name(settings.system.flags)) {
  read(settings.users, cluster.users, users_);
  read(settings.groups, cluster.groups, groups_);
  read(settings.accounts, cluster.accounts, accounts_);
  read(settings.classes, cluster.classes, classes_);
  read(settings.qos, cluster.qos, qos_);
}

std::uint16_t JobFlags::of(std::uint16_t own, const Credentials& who) const {
  own = own_flags(own);
  if (given_ == 0) return own;
  return static_cast<std::uint16_t>(
      own | system_ | value_at(users_.bits, who.user) | value_at(groups_.bits, who.group) |
      value_at(accounts_.bits, who.account) | value_at(classes_.bits, who.job_class) |
      value_at(qos_.bits, who.qos));
}

std::uint16_t JobFlags::of(const Cluster& cluster, const Active& row) const {
  return given_ == 0 ? own_flags(row.flags) : of(cluster.job(row.job));
}

bool JobFlags::possible(JobFlag flag) const {
  return maui::has(given_, flag) || maui::has(kOwnFlags, flag);
}

bool some_may_preempt(const Cluster& cluster, const Settings& settings, const JobFlags& flags) {
  return cluster.counts().waiting_preemptors > 0 || flags.given(JobFlag::preemptor) ||
         flags.given(JobFlag::restart_preempt) || preempts_backfilled(settings);
}

bool JobFlags::confined(const Job& job) const {
  const auto flags = of(job);
  return maui::has(flags, JobFlag::use_reserved) || maui::has(flags, JobFlag::adv_res);
}

std::string_view JobFlags::required_reservation(const Job& job) const {
  if (!job.required_reservation.empty()) return job.required_reservation;
  const Credentials& who = job.credentials;
  for (const auto* name :
       {&value_at(qos_.reserved, who.qos), &value_at(classes_.reserved, who.job_class),
        &value_at(accounts_.reserved, who.account), &value_at(groups_.reserved, who.group),
        &value_at(users_.reserved, who.user)})
    if (!name->empty()) return *name;
  return system_reserved_;
}

}  // namespace maui
