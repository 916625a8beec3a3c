#include "sched/rules/job_flags.h"

#include "base/job_flag_names.h"
#include "sched/rules/credential_entries.h"

namespace maui {
namespace {

constexpr std::string_view kReservedPrefix = "USERESERVED:";

std::string_view reserved_name(const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (word.starts_with(kReservedPrefix))
      return std::string_view(word).substr(kReservedPrefix.size());
  return {};
}

constexpr std::uint16_t kOwnFlags = [] {
  std::uint16_t bits = 0;
  for (const auto& row : kJobFlagNames) put(bits, row.value);
  return bits;
}();

template <class IdType>
std::uint16_t bits_of(const std::vector<std::uint16_t>& bits, IdType id) {
  return id.valid() && id.index() < bits.size() ? bits[id.index()] : std::uint16_t{0};
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
void JobFlags::read(const CredentialTable& table, const Names<IdType>& names,
                    std::vector<std::uint16_t>& bits) {
  bool any = false;
  for (const auto& [name, entry] : table) any = any || !entry.flags.empty();
  if (!any) return;
  const CredentialEntries<IdType> entries(table, names);
  bits.resize(names.size());
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const auto* entry = entries[IdType(i)];
    if (entry != nullptr) bits[i] = job_flag_bits(entry->flags);
    given_ = static_cast<std::uint16_t>(given_ | bits[i]);
  }
}

JobFlags::JobFlags(const Cluster& cluster, const Settings& settings)
    : system_(job_flag_bits(settings.system.flags)), given_(system_) {
  read(settings.users, cluster.users, users_);
  read(settings.groups, cluster.groups, groups_);
  read(settings.accounts, cluster.accounts, accounts_);
  read(settings.classes, cluster.classes, classes_);
  read(settings.qos, cluster.qos, qos_);
  if (!maui::has(given_, JobFlag::use_reserved)) return;
  const CredentialEntries<QosId> entries(settings.qos, cluster.qos);
  for (std::size_t i = 0; i < cluster.qos.size(); ++i) {
    const auto* entry = entries[QosId(i)];
    reserved_.emplace_back(entry == nullptr ? std::string_view() : reserved_name(entry->flags));
  }
}

std::uint16_t JobFlags::of(std::uint16_t own, const Credentials& who) const {
  own = own_flags(own);
  if (given_ == 0) return own;
  return static_cast<std::uint16_t>(own | system_ | bits_of(users_, who.user) |
                                    bits_of(groups_, who.group) | bits_of(accounts_, who.account) |
                                    bits_of(classes_, who.job_class) | bits_of(qos_, who.qos));
}

std::uint16_t JobFlags::of(const Cluster& cluster, const Active& row) const {
  return given_ == 0 ? own_flags(row.flags) : of(cluster.job(row.job));
}

bool JobFlags::possible(JobFlag flag) const {
  return maui::has(given_, flag) || maui::has(kOwnFlags, flag);
}

bool JobFlags::confined(const Job& job) const {
  const auto flags = of(job);
  return maui::has(flags, JobFlag::use_reserved) || maui::has(flags, JobFlag::adv_res);
}

std::string_view JobFlags::required_reservation(const Job& job) const {
  if (!job.required_reservation.empty()) return job.required_reservation;
  const QosId qos = job.credentials.qos;
  if (!qos.valid() || qos.index() >= reserved_.size()) return {};
  return reserved_[qos.index()];
}

}  // namespace maui
