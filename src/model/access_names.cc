#include "model/access_names.h"

#include <fmt/format.h>

#include "base/duration.h"
#include "base/enum_names.h"
#include "base/job_flag_names.h"
#include "model/credentials.h"

namespace maui {
namespace {

constexpr EnumName<AccessKind> kKindWords[] = {
    {AccessKind::user, "USER"},     {AccessKind::group, "GROUP"},
    {AccessKind::account, "ACCT"},  {AccessKind::job_class, "CLASS"},
    {AccessKind::qos, "QOS"},       {AccessKind::job_attribute, "JATTR"},
    {AccessKind::procs, "PROC"},    {AccessKind::tasks, "TASK"},
    {AccessKind::time, "DURATION"},
};

}  // namespace

std::string_view kind_word(AccessKind kind) {
  return name_of(std::span<const EnumName<AccessKind>>(kKindWords), kind);
}

std::optional<AccessKind> kind_of_word(std::string_view word) {
  return value_of(std::span<const EnumName<AccessKind>>(kKindWords), word);
}

std::string credential_name(const Cluster& cluster, const AccessCriterion& criterion) {
  const auto kind = credential_kind(criterion.kind);
  if (!kind) return {};
  if (criterion.value == AccessCriterion::kAnybody) return "ALL";
  return credential_name(cluster, *kind, static_cast<std::uint32_t>(criterion.value));
}

std::string value_text(const Cluster& cluster, const AccessCriterion& criterion) {
  if (credential_kind(criterion.kind)) return credential_name(cluster, criterion);
  if (criterion.kind == AccessKind::time) return format_duration(Seconds(criterion.value));
  if (criterion.kind != AccessKind::job_attribute) return fmt::to_string(criterion.value);
  for (const auto& row : kJobFlagNames)
    if (static_cast<std::int64_t>(row.value) == criterion.value) return std::string(row.name);
  return "[NONE]";
}

}  // namespace maui
