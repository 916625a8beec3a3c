#include "migrate/slurm_shares.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"

namespace maui::migrate {
namespace {

using Account = AccountTree::Account;

constexpr std::string_view kSharesOfParent = "2147483647";  // a dump's fairshare=parent

std::string target(double part) {
  const double per_cent = std::clamp(part * 100, 0.01, 100.0);
  return fmt::format("FSTARGET={:g}", std::round(per_cent * 100) / 100);
}

class Shares {
 public:
  explicit Shares(ObjectLines& lines) : lines_(lines) {}

  void write(const Account& root) {
    std::vector<std::pair<const Account*, double>> left{{&root, 1.0}};
    for (std::size_t next = 0; next < left.size(); ++next) {
      const auto [top, whole] = left[next];
      const Level level = level_of(*top);
      for (std::size_t i = 0; i < level.accounts.size(); ++i) share_of_users(level, i, whole);
      for (const auto& [account, share] : level.below)
        left.emplace_back(account, level.all > 0 ? whole * share / level.all : 0);
    }
    for (const auto& [account, part] : accounts_)
      lines_.say("ACCOUNTCFG", account->name, target(part), account->origin());
    for (const auto& [user, part] : users_) lines_.say("USERCFG", user, target(part), {});
  }

 private:
  struct Share {
    bool parents = false;
    double value = 1;
  };
  /// An account, and the accounts that use its share; all directly below them divide its part.
  struct Level {
    std::vector<const Account*> accounts;
    std::vector<double> of_users;  // for each of these accounts
    std::vector<std::pair<const Account*, double>> below;
    double all = 0;
  };

  Share share_of(const SlurmAssociation* association) {
    const auto text = association == nullptr ? std::string() : association->said.value("fairshare");
    if (same_word(text, "parent") || text == kSharesOfParent) return {true, 0};
    if (text.empty()) return {};
    const auto value = parse_number(text);
    if (value && *value >= 0 && *value <= 1e9) return {false, *value};
    lines_.lose("fairshare=" + text, "expected a number from 0, or parent", association->origin());
    return {false, 0};
  }

  Level level_of(const Account& top) {
    Level level;
    level.accounts.push_back(&top);
    for (std::size_t i = 0; i < level.accounts.size(); ++i)
      for (const Account* account : level.accounts[i]->below) {
        if (!account->reached || account->is_root()) continue;
        const auto share = share_of(account->own);
        if (share.parents) {
          level.accounts.push_back(account);
        } else {
          level.all += share.value;
          level.below.emplace_back(account, share.value);
        }
      }
    for (const Account* account : level.accounts) {
      double& own = level.of_users.emplace_back(0.0);
      for (const auto* user : account->users)
        if (!user->is_root()) own += share_of(user).value;
    }
    for (const auto part : level.of_users) level.all += part;
    return level;
  }

  /// Divides an account's part among its own users; the jobs of accounts below belong to those
  /// accounts.
  void share_of_users(const Level& level, std::size_t number, double whole) {
    const Account& account = *level.accounts[number];
    const double own = level.of_users[number];
    if (account.is_root()) return;
    const bool empty = account.users.empty() && account.below.empty();
    const bool alone = level.accounts.size() == 1 && level.all == 0;
    if (alone && (!account.users.empty() || empty)) {
      accounts_.emplace_back(&account, whole);
    } else if (own > 0) {
      accounts_.emplace_back(&account, whole * own / level.all);
    } else if (!account.users.empty() || empty) {
      lines_.lose(fmt::format("fairshare of account '{}'", account.name),
                  "it shares with accounts beside or below it, and has no share of its own",
                  account.origin());
    }
    for (const auto* user : account.users) {
      const auto share = share_of(user);
      if (share.parents)
        lines_.lose(
            fmt::format("fairshare=parent of user '{}' in account '{}'", user->user, account.name),
            "the account's share is the FSTARGET of its ACCOUNTCFG: the user has none",
            user->origin());
      else if (level.all > 0)
        users_[user->user] += whole * share.value / level.all;
    }
  }

  ObjectLines& lines_;
  std::map<std::string, double> users_;
  std::vector<std::pair<const Account*, double>> accounts_;
};

}  // namespace

void write_slurm_shares(const AccountTree& tree, ObjectLines& lines) {
  Shares(lines).write(tree.root());
}

}  // namespace maui::migrate
