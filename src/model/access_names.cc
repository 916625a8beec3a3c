#include "model/access_names.h"

#include <fmt/format.h>

#include "base/duration.h"
#include "base/enum_names.h"
#include "base/job_flag_names.h"

namespace maui {
namespace {

constexpr EnumName<AccessKind> kKindWords[] = {
    {AccessKind::user, "USER"},     {AccessKind::group, "GROUP"},
    {AccessKind::account, "ACCT"},  {AccessKind::job_class, "CLASS"},
    {AccessKind::qos, "QOS"},       {AccessKind::job_attribute, "JATTR"},
    {AccessKind::procs, "PROC"},    {AccessKind::tasks, "TASK"},
    {AccessKind::time, "DURATION"},
};

template <class IdType>
std::string name_in(const Names<IdType>& names, std::int64_t value) {
  if (value == AccessCriterion::kAnybody) return "ALL";
  const IdType id(static_cast<std::uint32_t>(value));
  return id.index() < names.size() ? names[id] : std::string("[NONE]");
}

}  // namespace

std::string_view kind_word(AccessKind kind) {
  return name_of(std::span<const EnumName<AccessKind>>(kKindWords), kind);
}

std::string credential_name(const Cluster& cluster, const AccessCriterion& criterion) {
  switch (criterion.kind) {
    case AccessKind::user:
      return name_in(cluster.users, criterion.value);
    case AccessKind::group:
      return name_in(cluster.groups, criterion.value);
    case AccessKind::account:
      return name_in(cluster.accounts, criterion.value);
    case AccessKind::job_class:
      return name_in(cluster.classes, criterion.value);
    case AccessKind::qos:
      return name_in(cluster.qos, criterion.value);
    case AccessKind::job_attribute:
    case AccessKind::procs:
    case AccessKind::tasks:
    case AccessKind::time:
      break;
  }
  return {};
}

std::string value_text(const Cluster& cluster, const AccessCriterion& criterion) {
  if (criterion.kind < AccessKind::job_attribute) return credential_name(cluster, criterion);
  if (criterion.kind == AccessKind::time) return format_duration(Seconds(criterion.value));
  if (criterion.kind != AccessKind::job_attribute) return fmt::to_string(criterion.value);
  for (const auto& row : kJobFlagNames)
    if (static_cast<std::int64_t>(row.value) == criterion.value) return std::string(row.name);
  return "[NONE]";
}

}  // namespace maui
