#include "migrate/account_tree.h"

#include <fmt/format.h>

#include <utility>

namespace maui::migrate {

AccountTree::AccountTree(const SlurmAccounts& accounts, ObjectLines& lines) {
  plant(accounts);
  join(lines);
  put_in_order(lines);
}

void AccountTree::plant(const SlurmAccounts& accounts) {
  accounts_["root"].name = "root";
  for (const auto& association : accounts.associations) {
    auto& account = accounts_[association.account];
    account.name = association.account;
    if (!association.user.empty()) {
      account.users.push_back(&association);
    } else {
      account.own = &association;
      account.parent = account.is_root() ? "" : association.parent;
    }
  }
}

void AccountTree::join(ObjectLines& lines) {
  for (auto& [name, account] : accounts_) {
    if (account.is_root()) continue;
    const auto above = accounts_.find(account.parent.empty() ? "root" : account.parent);
    if (above == accounts_.end())
      lines.lose(fmt::format("account '{}' below '{}'", name, account.parent),
                 "the parent account is unknown, so the account is placed directly below root",
                 account.origin());
    (above == accounts_.end() ? accounts_["root"] : above->second).below.push_back(&account);
  }
}

// Visits each account once; accounts in a cycle are never reached.
void AccountTree::put_in_order(ObjectLines& lines) {
  auto& root = accounts_["root"];
  root.reached = true;
  order_.push_back(&root);
  for (std::size_t i = 0; i < order_.size(); ++i)
    for (auto* below : order_[i]->below)
      if (!std::exchange(below->reached, true)) order_.push_back(below);
  for (const auto& [name, account] : accounts_)
    if (!account.reached)
      lines.lose(fmt::format("account '{}'", name), "the account is below itself",
                 account.origin());
}

std::string AccountTree::inherited(const Account& account, std::string_view key) const {
  for (const Account* at = &account;;) {
    if (at->own != nullptr)
      if (auto value = at->own->said.value(key); is_said(value)) return value;
    if (at->is_root()) return {};
    const auto above = accounts_.find(at->parent);
    at = above == accounts_.end() ? &root() : &above->second;
  }
}

}  // namespace maui::migrate
