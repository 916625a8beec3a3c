// Finds the QOS and the partitions that a job may use (guide 7.2.2, 7.3.1, 7.3.3).
//
// Access is the logical or over the job's credentials: the job may use what is listed for its user,
// group, account or class (for partitions also its QOS) or for the system.  An entry's default
// counts as listed.  An entry that lacks an attribute takes it from the entry DEFAULT.
//   * Partitions: a job that no list applies to may use all of them.  The first default in the
//     order user, group, account, class, QOS, system comes first; without a default, the partition
//     of the first list with a single entry.
//   * QOS: everybody may use DEFAULT.  Where no *CFG has a QDEF or a QLIST, access is unrestricted.
// docs/decisions/access.md gives the reasons.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "maui/cluster.h"
#include "maui/settings.h"

namespace maui {

class AccessRules {
 public:
  AccessRules(const Cluster& names, const Settings& settings)
      : names_(names), settings_(settings) {}

  bool may_use_qos(const Credentials& who, std::string_view qos) const;
  /// Returns the QOS of a job that requests none.
  std::string default_qos(const Credentials& who) const;

  struct Partitions {
    bool all = true;
    std::vector<std::string> names;  // unless `all`: in the order listed, without duplicates
    std::string first;               // the default; empty: none
  };
  /// Returns the partitions for these credentials, which include the job's QOS.
  Partitions partitions(const Credentials& who) const;
  /// Returns the JobFlag bits that the entries of `who` give.  For a single job; JobFlags serves
  /// many.
  std::uint16_t granted_flags(const Credentials& who) const;

 private:
  /// Returns the entries that apply to `who`, in order of precedence; the QOS only if `with_qos`.
  std::vector<const CredentialSettings*> entries(const Credentials& who, bool with_qos) const;

  const Cluster& names_;
  const Settings& settings_;
};

/// True if some *CFG has a QDEF or a QLIST.
bool controls_qos(const Settings& settings);

/// The credentials with a QDEF or QLIST that names a QOS (diagnose -Q); DEFAULT stands for those
/// with the same access.
struct QosMembers {
  bool system = false;
  std::vector<std::string> users, groups, accounts, classes;
};
QosMembers qos_members(const Settings& settings, std::string_view qos);

}  // namespace maui
