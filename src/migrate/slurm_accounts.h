// The content of Slurm's database: the associations and QOS that sacctmgr prints, without their
// interpretation.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "maui/result.h"
#include "migrate/migration.h"
#include "migrate/slurm_conf.h"

namespace maui::migrate {

/// The line of a setting; 0: no particular line.
struct Origin {
  int line = 0;
  std::string file;
};

/// An account, or a user in an account.
struct SlurmAssociation {
  std::string account, user;      // empty user: the account itself
  std::string parent, partition;  // the account above; the only partition it applies to
  SlurmRecord said;               // its values, under the names that `sacctmgr dump` writes
  std::string file;

  Origin origin() const { return {said.line, file}; }
  bool is_root() const { return account == "root" && user == "root"; }
};

struct SlurmQos {
  SlurmRecord said;
  std::string file;

  Origin origin() const { return {said.line, file}; }
};

/// True if the value is set: neither empty nor -1.
inline bool is_said(std::string_view value) { return !value.empty() && value != "-1"; }

struct SlurmAccounts {
  std::vector<SlurmAssociation> associations;
  std::vector<SlurmQos> qos;
  std::vector<Loss> unread;
  bool tree = true;  // the accounts' parents are known

  bool has_associations() const { return !associations.empty(); }
  bool has_qos() const { return !qos.empty(); }
};

/// Adds the output of `sacctmgr dump`, `sacctmgr -P show assoc` or `sacctmgr -P show qos` for the
/// given cluster; an empty name stands for any cluster.
Status read_slurm_accounts(const NamedText& file, std::string_view cluster, SlurmAccounts& into);

}  // namespace maui::migrate
