// Which QOS and which partitions may a job use (guide 7.2.2, 7.3.1, 7.3.3)?
//
// Access is the logical or over the job's credentials: what the entry of its user, group, account,
// class (for partitions its QOS, too) or of the system lists, the job may use.  An entry's default
// is listed as well.  A credential without an entry of its own has that of DEFAULT.
//   * Partitions: where no list bears on a job it may use all of them.  The first default in the
//     order user, group, account, class, QOS, system comes first; where there is none, that of the
//     first list with a single partition.
//   * QOS: DEFAULT is everybody's.  Where no *CFG has a QDEF or a QLIST, access is not controlled.
// docs/decisions/access.md says why.
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
  /// The QOS of a job that asks for none.
  std::string default_qos(const Credentials& who) const;

  struct Partitions {
    bool all = true;
    std::vector<std::string> names;  // unless all; as they were listed, each once
    std::string first;               // the default; empty: none
  };
  /// With the QOS that the job has.
  Partitions partitions(const Credentials& who) const;
  /// Bits of JobFlag that the entries of `who` give; for a single job, where JobFlags is for many.
  std::uint16_t granted_flags(const Credentials& who) const;

 private:
  /// The entries that bear on `who`, in the order of precedence; the QOS only where wanted.
  std::vector<const CredentialSettings*> entries(const Credentials& who, bool with_qos) const;

  const Cluster& names_;
  const Settings& settings_;
};

/// Some *CFG has a QDEF or a QLIST.
bool controls_qos(const Settings& settings);

/// The credentials whose QDEF or QLIST names a QOS (diagnose -Q).
struct QosMembers {
  bool system = false;
  std::vector<std::string> users, groups, accounts, classes;
};
QosMembers qos_members(const Settings& settings, std::string_view qos);

}  // namespace maui
