// Slurm's database as values: the associations and QOS that sacctmgr prints, without what they
// mean.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "maui/result.h"
#include "migrate/migration.h"
#include "migrate/slurm_conf.h"

namespace maui::migrate {

/// Where something is said; line 0: nowhere in particular.
struct Origin {
  int line = 0;
  std::string file;
};

/// An account, or a user in one.
struct SlurmAssociation {
  std::string account, user;      // without a user: the account itself
  std::string parent, partition;  // the account above; the only partition that it is for
  SlurmRecord said;               // what it says, by the names that `sacctmgr dump` writes
  std::string file;

  Origin origin() const { return {said.line, file}; }
  bool is_root() const { return account == "root" && user == "root"; }
};

struct SlurmQos {
  SlurmRecord said;
  std::string file;

  Origin origin() const { return {said.line, file}; }
};

/// True unless the value stands for none.
inline bool is_said(std::string_view value) { return !value.empty() && value != "-1"; }

struct SlurmAccounts {
  std::vector<SlurmAssociation> associations;
  std::vector<SlurmQos> qos;
  std::vector<Loss> unread;
  bool tree = true;  // it is known which account is below which

  bool has_associations() const { return !associations.empty(); }
  bool has_qos() const { return !qos.empty(); }
};

/// Adds what `sacctmgr dump`, `sacctmgr -P show assoc` or `sacctmgr -P show qos` printed of this
/// cluster; an empty name stands for any.
Status read_slurm_accounts(const NamedText& file, std::string_view cluster, SlurmAccounts& into);

}  // namespace maui::migrate
