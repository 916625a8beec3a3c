// The tree of Slurm's accounts.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "migrate/object_lines.h"
#include "migrate/slurm_accounts.h"

namespace maui::migrate {

class AccountTree {
 public:
  struct Account {
    std::string name;
    const SlurmAssociation* own = nullptr;
    std::string parent;
    std::vector<Account*> below;
    std::vector<const SlurmAssociation*> users;
    bool reached = false;  // from root, by put_in_order()

    bool is_root() const { return name == "root"; }
    Origin origin() const { return own == nullptr ? Origin() : own->origin(); }
  };

  /// `accounts` must outlive the tree.  Accounts that have no place in it are reported as losses.
  AccountTree(const SlurmAccounts& accounts, ObjectLines& lines);
  AccountTree(const AccountTree&) = delete;
  AccountTree& operator=(const AccountTree&) = delete;

  const Account& root() const { return *order_.front(); }
  /// In order from root down.
  const std::vector<const Account*>& accounts() const { return order_; }
  /// Returns the account's value of `key`, or the value of its nearest ancestor that has one.
  std::string inherited(const Account& account, std::string_view key) const;

 private:
  void plant(const SlurmAccounts& accounts);
  void join(ObjectLines& lines);
  void put_in_order(ObjectLines& lines);

  std::map<std::string, Account> accounts_;
  std::vector<const Account*> order_;
};

}  // namespace maui::migrate
