// Slurm has a tree of accounts, shares relative to their siblings', and limits of a user in an
// account; in maui.cfg, accounts have no parents, and targets are per cent of the machine.  So
// shares are multiplied down the tree, and a user's limit in an account becomes MAXJOB[USER:amy] of
// that account.
#include "migrate/slurm_associations.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "migrate/account_tree.h"
#include "migrate/object_lines.h"
#include "migrate/slurm_limits.h"
#include "migrate/slurm_shares.h"

namespace maui::migrate {
namespace {

constexpr double kHighest = 1000;  // the highest priority after scaling

double number(std::string_view text) {
  const auto value = parse_number(text);
  return value && *value > 0 && *value <= 4294967295.0 ? *value : 0;
}

/// Returns the highest priority, relative to which Slurm weighs the priorities of a kind.
template <class Records>
double highest_priority(const Records& records) {
  double most = 0;
  for (const auto& record : records) most = std::max(most, number(record.said.value("priority")));
  return most;
}
std::int64_t scaled(double priority, double highest) {
  return highest == 0 ? 0 : std::llround(kHighest * priority / highest);
}

class AccountsWriter {
 public:
  AccountsWriter(Writer& writer, const SlurmAccounts& accounts, const SlurmUses& uses)
      : writer_(writer), accounts_(accounts), uses_(uses) {}

  void write() {
    for (const auto& loss : accounts_.unread)
      writer_.lose(loss.line, loss.what, loss.why, loss.file);
    if (!accounts_.tree)
      writer_.lose(0, "the tree of accounts",
                   "the file does not contain the tree of accounts, so all are placed directly "
                   "below root: `sacctmgr -P show assoc tree` prints it");
    const AccountTree tree(accounts_, lines_);
    if (uses_.shares) write_slurm_shares(tree, lines_);
    if (uses_.association_priorities) priorities(tree);
    qos();
    if (uses_.preemption) preemption();
    if (uses_.limits)
      write_slurm_limits(accounts_, tree, lines_);
    else if (accounts_.has_associations() || accounts_.has_qos())
      writer_.lose(
          0, "limits of associations and QOS",
          "AccountingStorageEnforce does not name them: Slurm does not enforce them either");
    print();
    lines_.print_losses(writer_);
  }

 private:
  void print() {
    if (lines_.empty()) return;
    writer_.blank();
    writer_.comment(
        "Accounts, users and QOS, from Slurm's database. FSTARGET: shares, multiplied down the "
        "tree of accounts, in per cent of the machine. Slurm itself enforces its limits, too.");
    if (uses_.limits && accounts_.has_qos() && accounts_.has_associations())
      writer_.comment(
          "In Slurm a limit of a QOS replaces the same limit of an association; here both apply.");
    lines_.print_lines(writer_);
  }

  /// Slurm uses a user's priority in the account, or else the account's priority; maui adds the
  /// priorities of account and user.  So a user gets the difference.
  void priorities(const AccountTree& tree) {
    const double most = highest_priority(accounts_.associations);
    if (most == 0) return;
    std::map<std::string, std::pair<std::int64_t, const SlurmAssociation*>> users;
    for (const auto* account : tree.accounts()) {
      const auto own = scaled(number(tree.inherited(*account, "priority")), most);
      if (own != 0 && !account->is_root())
        lines_.say("ACCOUNTCFG", account->name, fmt::format("PRIORITY={}", own), account->origin());
      for (const auto* user : account->users) {
        if (!is_said(user->said.value("priority"))) continue;
        const auto more =
            scaled(number(user->said.value("priority")), most) - (account->is_root() ? 0 : own);
        const auto [known, fresh] = users.try_emplace(user->user, more, user);
        if (fresh || known->second.first == more) continue;
        lines_.lose(fmt::format("priority of user '{}' in account '{}'", user->user, account->name),
                    "it differs between accounts, but a user has only one; the first is used",
                    user->origin());
      }
    }
    for (const auto& [user, priority] : users)
      if (priority.first != 0)
        lines_.say("USERCFG", user, fmt::format("PRIORITY={}", priority.first),
                   priority.second->origin());
  }

  void qos() {
    const double most = uses_.qos_priorities ? highest_priority(accounts_.qos) : 0;
    for (const auto& qos : accounts_.qos) {
      if (const auto own = scaled(number(qos.said.value("priority")), most); own != 0)
        lines_.say_qos(qos, fmt::format("PRIORITY={}", own));
      if (const auto factor = parse_number(qos.said.value("usagefactor")); factor && *factor != 1)
        lines_.lose(
            fmt::format("UsageFactor={} of QOS '{}'", qos.said.value("usagefactor"), qos.said.name),
            "use counts unscaled", qos.origin());
    }
  }

  void preemption() {
    std::set<std::string> victims, preemptors;
    for (const auto& qos : accounts_.qos) {
      const auto list = qos.said.value("preempt");
      for (const auto name : split(list, ','))
        if (!name.empty()) {
          victims.emplace(name);
          preemptors.insert(qos.said.name);
        }
    }
    for (const auto& qos : accounts_.qos) {
      const auto list = qos.said.value("preempt");
      const bool preempts = preemptors.contains(qos.said.name);
      if (preempts && victims.contains(qos.said.name)) {
        lines_.lose(
            fmt::format("preempt={} of QOS '{}'", list, qos.said.name),
            "others preempt it: there are only preemptors and preemptees, nothing in between",
            qos.origin());
      } else if (preempts) {
        lines_.say_qos(qos, "QFLAGS=PREEMPTOR");
        const auto named = split(list, ',');
        for (const auto& victim : victims)
          if (std::find(named.begin(), named.end(), victim) == named.end() &&
              !preemptors.contains(victim))
            lines_.lose(fmt::format("preempt={} of QOS '{}'", list, qos.said.name),
                        "here it may also preempt all jobs that the others may preempt",
                        qos.origin());
      } else if (victims.contains(qos.said.name)) {
        lines_.say_qos(qos, "QFLAGS=PREEMPTEE");
      }
    }
  }

  Writer& writer_;
  const SlurmAccounts& accounts_;
  const SlurmUses& uses_;
  ObjectLines lines_;
};

}  // namespace

void write_slurm_accounts(Writer& writer, const SlurmAccounts& accounts, const SlurmUses& uses) {
  AccountsWriter(writer, accounts, uses).write();
}

}  // namespace maui::migrate
