// The access control list of a reservation, which says who may use it (seed 7.1.5, guide 7.1.1.3).
//
// A list has criteria of several kinds; all criteria of one kind together are one access list of
// the guide, such as USERLIST.  A job is admitted if
//   * no NOT criterion (!) names one of its credentials,
//   * every kind that has a required criterion (*) is met, and
//   * one of the other kinds is met, where there are any.
// A kind is met by any of its criteria or, if it has NOT criteria, by a credential of that kind
// which no NOT criterion names.  A criterion of kind time limits the seconds for which job and
// reservation may overlap; it can be checked only once the job's start is known.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "maui/credential_kind.h"
#include "maui/job.h"
#include "maui/request.h"
#include "maui/units.h"

namespace maui {

enum class AccessKind : std::uint8_t {
  user,
  group,
  account,
  job_class,
  qos,
  job_attribute,
  procs,
  tasks,
  time,
};

/// The credential kind that a criterion of this kind names; nullopt if it names no credential.
constexpr std::optional<CredentialKind> credential_kind(AccessKind kind) {
  switch (kind) {
    case AccessKind::user:
      return CredentialKind::user;
    case AccessKind::group:
      return CredentialKind::group;
    case AccessKind::account:
      return CredentialKind::account;
    case AccessKind::job_class:
      return CredentialKind::job_class;
    case AccessKind::qos:
      return CredentialKind::qos;
    case AccessKind::job_attribute:
    case AccessKind::procs:
    case AccessKind::tasks:
    case AccessKind::time:
      break;
  }
  return std::nullopt;
}

/// Whether a job prefers or avoids the resources that it has access to (seed 7.1.5.2.4).
enum class Affinity : std::uint8_t {
  positive,  // preferred over other resources
  neutral,   // no preference
  negative,  // used only as a last resort
};

struct AccessCriterion {
  static constexpr std::int64_t kAnybody = -1;

  AccessKind kind = AccessKind::user;
  /// The credential's id or kAnybody, a bit of JobFlag, processors, tasks, or seconds of overlap.
  std::int64_t value = kAnybody;
  Comparison compare = Comparison::at_most;  // for procs and tasks only
  Affinity affinity = Affinity::positive;
  bool negated = false;
  bool required = false;
  friend bool operator==(const AccessCriterion&, const AccessCriterion&) = default;
};

/// The properties of a job that an access list can name.
struct Applicant {
  Credentials who;
  std::uint16_t flags = 0;  // bits of JobFlag
  int procs = 0, tasks = 0;
  std::string_view requested = {};  // name of the reservation that it asks for
};

/// The answer of an access list: the longest overlap that it allows, and the affinity.
struct Admission {
  bool admitted = false;
  Seconds overlap = kUnlimited;
  Affinity affinity = Affinity::positive;
  friend bool operator==(const Admission&, const Admission&) = default;
};

struct AccessList {
  std::vector<AccessCriterion> criteria;

  bool empty() const { return criteria.empty(); }
  Admission admission(const Applicant& applicant) const;
  bool admits(const Credentials& who) const { return admission({who}).admitted; }

  template <class IdType>
  void add(AccessKind kind, IdType id) {
    criteria.push_back({kind, static_cast<std::int64_t>(id.raw())});
  }
  friend bool operator==(const AccessList&, const AccessList&) = default;
};

}  // namespace maui
