#include "sched/limits/violation.h"

#include <fmt/format.h>

#include <cmath>

#include "base/enum_names.h"
#include "model/credentials.h"

namespace maui {
namespace {

constexpr EnumName<LimitKind> kLimitNames[] = {
    {LimitKind::job, "JOB"}, {LimitKind::proc, "PROC"}, {LimitKind::ps, "PS"},
    {LimitKind::pe, "PE"},   {LimitKind::wc, "WC"},     {LimitKind::node, "NODE"},
    {LimitKind::mem, "MEM"},
};
constexpr EnumName<LimitKind> kSingleJobNames[] = {
    {LimitKind::proc, "SYSTEMMAXPROCJOB"},
    {LimitKind::ps, "SYSTEMMAXPROCSECONDPERJOB"},
    {LimitKind::wc, "SYSTEMMAXJOBWALLTIME"},
};

std::string number(double value) {
  return std::abs(value - std::round(value)) < kLimitRounding
             ? fmt::format("{:.0f}", std::round(value))
             : fmt::format("{:.2f}", value);
}

std::string subject_words(const Cluster& names, const LimitSubject& subject) {
  const auto credential_words = [&](CredentialKind kind, std::uint32_t which) {
    return fmt::format("{} {}", kind_name(kind), credential_name(names, kind, which));
  };
  const auto where = subject.partition.valid()
                         ? fmt::format("partition {}", names.partitions[subject.partition])
                         : std::string("the system");
  if (!subject.of) return where;
  const auto inner = credential_words(*subject.of, subject.number);
  if (subject.partition.valid()) return fmt::format("{} in {}", inner, where);
  if (!subject.within) return inner;
  return fmt::format("{} in {}", inner, credential_words(*subject.within, subject.within_number));
}

}  // namespace

std::string_view limit_name(LimitKind kind) {
  return name_of(std::span<const EnumName<LimitKind>>(kLimitNames), kind);
}

std::string describe(const Cluster& names, const Violation& v) {
  if (v.single_job)
    return fmt::format("violates {} limit of {}  (R: {})",
                       name_of(std::span<const EnumName<LimitKind>>(kSingleJobNames), v.kind),
                       number(v.limit), number(v.asked));
  const auto unconfirmed =
      v.unconfirmed > kLimitRounding
          ? fmt::format(
                ", of which {} by runs that no resource manager has reported since the restart",
                number(v.unconfirmed))
          : std::string();
  return fmt::format("violates {} {} MAX{}{} limit of {} for {}  (R: {}, U: {}{})",
                     v.idle ? "idle" : "active", v.level == Strictness::soft ? "SOFT" : "HARD",
                     v.idle ? "I" : "", limit_name(v.kind), number(v.limit),
                     subject_words(names, v.subject), number(v.asked), number(v.used), unconfirmed);
}

}  // namespace maui
