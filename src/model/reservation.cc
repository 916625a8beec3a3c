#include "maui/reservation.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"

namespace maui {
namespace {

constexpr std::size_t kAccessKinds = static_cast<std::size_t>(AccessKind::time) + 1;

/// True if the criterion names the job; false for time, which is not known here.
bool names(const AccessCriterion& criterion, const Applicant& applicant) {
  switch (criterion.kind) {
    case AccessKind::user:
    case AccessKind::group:
    case AccessKind::account:
    case AccessKind::job_class:
    case AccessKind::qos: {
      const auto mine = number_of(applicant.who, *credential_kind(criterion.kind));
      return mine != kNoCredential &&
             (criterion.value == AccessCriterion::kAnybody || mine == criterion.value);
    }
    case AccessKind::job_attribute:
      return (applicant.flags & criterion.value) != 0;
    case AccessKind::procs:
      return Bound{criterion.compare, static_cast<Resources::Quantity>(criterion.value)}.admits(
          applicant.procs);
    case AccessKind::tasks:
      return Bound{criterion.compare, static_cast<Resources::Quantity>(criterion.value)}.admits(
          applicant.tasks);
    case AccessKind::time:
      return false;
  }
  return false;
}

/// The combined result of all criteria of one kind.
struct AccessVerdict {
  bool asked = false, required = false, met = false, negated = false;
  Affinity affinity = Affinity::positive;  // the least of those met
};

bool has_any(const Applicant& applicant, AccessKind kind) {
  const auto credential = credential_kind(kind);
  return !credential || number_of(applicant.who, *credential) != kNoCredential;
}

/// Admission by the access list.
Admission invitation(const Reservation& reservation, const Applicant& applicant) {
  if (has(reservation.flags, ReservationFlag::by_name) &&
      (applicant.requested.empty() || !goes_by(reservation, applicant.requested)))
    return {};
  return reservation.access.admission(applicant);
}

/// PREEMPTEE: preemptors may use the reservation, too.
bool gives_way(const Reservation& reservation, const Applicant& applicant) {
  return has(reservation.flags, ReservationFlag::preemptee) &&
         has(applicant.flags, JobFlag::preemptor);
}

}  // namespace

std::string_view user_who_made(const Reservation& reservation) {
  if (reservation.kind != ReservationKind::administrative || !reservation.resource_manager.empty())
    return {};
  return reservation.made_by.empty() ? reservation.owner : reservation.made_by;
}

bool is_nameless(std::string_view user) { return is_digits(user); }

Admission AccessList::admission(const Applicant& applicant) const {
  std::array<AccessVerdict, kAccessKinds> verdicts;
  Seconds overlap(-1);
  for (const AccessCriterion& criterion : criteria) {
    AccessVerdict& verdict = verdicts[static_cast<std::size_t>(criterion.kind)];
    verdict.asked = true;
    verdict.required = verdict.required || criterion.required;
    if (criterion.kind == AccessKind::time) {
      overlap = std::max(overlap, Seconds(criterion.value));
      verdict.affinity = std::max(verdict.affinity, criterion.affinity);
      continue;
    }
    const bool named = names(criterion, applicant);
    if (criterion.negated) {
      if (named) return {};
      verdict.negated = true;
    } else if (named) {
      verdict.met = true;
      verdict.affinity = std::max(verdict.affinity, criterion.affinity);
    }
  }
  bool optional = false, optional_met = false;
  Admission answer{true};
  for (std::size_t kind = 0; kind + 1 < kAccessKinds; ++kind) {
    AccessVerdict& verdict = verdicts[kind];
    if (!verdict.asked) continue;
    if (verdict.negated) verdict.met = has_any(applicant, static_cast<AccessKind>(kind));
    if (verdict.met) answer.affinity = std::max(answer.affinity, verdict.affinity);
    if (verdict.required && !verdict.met) return {};
    if (verdict.required) continue;
    optional = true;
    optional_met = optional_met || verdict.met;
  }
  const AccessVerdict& time = verdicts[kAccessKinds - 1];
  const bool others = optional ? optional_met : !criteria.empty() && (!time.asked || time.required);
  if (time.required || (time.asked && !others)) {
    if (time.required && !others) return {};
    answer.overlap = overlap;
    answer.affinity = std::max(answer.affinity, time.affinity);
    return answer;
  }
  return others ? answer : Admission{};
}

std::string_view type_of(const Reservation& reservation) {
  constexpr std::pair<AccessKind, std::string_view> kTypes[] = {
      {AccessKind::user, "User"}, {AccessKind::group, "Group"}, {AccessKind::account, "Account"}};
  if (reservation.kind == ReservationKind::job) return "Job";
  for (const auto& [kind, type] : kTypes)
    for (const AccessCriterion& criterion : reservation.access.criteria)
      if (criterion.kind == kind) return type;
  return reservation.access.criteria.empty() ? "System" : "User";
}

bool goes_by(const Reservation& reservation, std::string_view name) {
  const std::string_view called = reservation.name;
  return called == name || (called.starts_with(name) && called[name.size()] == '.');
}

Admission admission(const Reservation& reservation, const Applicant& applicant) {
  if (reservation.kind == ReservationKind::job) return {};
  const Admission invited = invitation(reservation, applicant);
  const bool unlimited = invited.admitted && invited.overlap >= kUnlimited;
  if (unlimited || !gives_way(reservation, applicant)) return invited;
  return {true, kUnlimited, Affinity::negative};
}

}  // namespace maui
