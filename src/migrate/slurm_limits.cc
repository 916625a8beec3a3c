#include "migrate/slurm_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/text.h"
#include "migrate/slurm_names.h"

namespace maui::migrate {
namespace {

using Account = AccountTree::Account;

constexpr std::string_view kKept = "Slurm itself enforces it";

/// A limit on jobs together, and its counterpart in maui.cfg.
struct LimitRow {
  std::string_view key;    // Slurm's name
  std::string_view tres;   // resource in a list CPU=64,NODE=4; empty: a number
  std::string_view limit;  // name in maui.cfg
  std::string_view of;     // credential whose jobs are counted; empty: all
  double times = 1;
};
constexpr LimitRow kOfQos[] = {
    {"grpjobs", "", "MAXJOB", ""},
    {"grptres", "cpu", "MAXPROC", ""},
    {"grptres", "node", "MAXNODE", ""},
    {"grptres", "mem", "MAXMEM", ""},
    {"grptresrunmins", "cpu", "MAXPS", "", 60},
    {"maxjobsperuser", "", "MAXJOB", "USER"},
    {"maxtresperuser", "cpu", "MAXPROC", "USER"},
    {"maxtresperuser", "node", "MAXNODE", "USER"},
    {"maxtresperuser", "mem", "MAXMEM", "USER"},
    {"maxtresrunminsperuser", "cpu", "MAXPS", "USER", 60},
    {"maxjobsperaccount", "", "MAXJOB", "ACCOUNT"},
    {"maxtresperaccount", "cpu", "MAXPROC", "ACCOUNT"},
    {"maxtresperaccount", "node", "MAXNODE", "ACCOUNT"},
    {"maxtresperaccount", "mem", "MAXMEM", "ACCOUNT"},
    {"maxtresrunminsperaccount", "cpu", "MAXPS", "ACCOUNT", 60},
};
/// The limits of all jobs of a QOS, which accounts and users also have.
constexpr std::span<const LimitRow> kOfAccounts = std::span(kOfQos).first<5>();
static_assert(kOfAccounts.back().of.empty() && !kOfQos[kOfAccounts.size()].of.empty());

/// Values that are migrated elsewhere, or do not affect scheduling.
constexpr std::string_view kNoLimits =
    "account user parentname partition cluster name fairshare priority description organization "
    "defaultaccount coordinator adminlevel defaultwckey wckeys defaultqos qos id lft rgt comment "
    "preempt maxjobs flags";

/// Parses 64, or 2G for memory, which is in MB.
std::optional<std::int64_t> amount(std::string_view text, bool memory) {
  double times = 1;
  if (memory && !text.empty()) {
    constexpr std::string_view kUnits = "KMGTP";
    const auto unit = kUnits.find(upper(text.substr(text.size() - 1)));
    if (unit != kUnits.npos) {
      times = std::pow(1024.0, static_cast<double>(unit) - 1);
      text.remove_suffix(1);
    }
  }
  const auto number = parse_number(text);
  if (!number || *number < 0 || *number * times > 1e15) return std::nullopt;
  return std::llround(*number * times);
}

/// Returns the value of `name` (such as cpu) in cpu=64,node=4.
std::string tres(std::string_view list, std::string_view name) {
  for (const auto item : split(list, ',')) {
    const auto equals = item.find('=');
    if (equals != item.npos && same_word(item.substr(0, equals), name))
      return std::string(item.substr(equals + 1));
  }
  return {};
}

/// True if the value is the default of a QOS, or is migrated elsewhere.
bool is_usual(std::string_view key, std::string_view value) {
  if (key == "gracetime") return value == "00:00:00" || value == "0";
  if (key == "preemptmode") return same_word(value, "cluster");
  return key == "usagefactor";
}

class Limits {
 public:
  Limits(const SlurmAccounts& accounts, const AccountTree& tree, ObjectLines& lines)
      : accounts_(accounts), tree_(tree), lines_(lines) {}

  void write() {
    for (const Account* account : tree_.accounts()) {
      if (account->own != nullptr) limits_of_account(*account);
      for (const auto* user : account->users) limits_of_user(*account, *user);
    }
    for (const auto& qos : accounts_.qos) {
      const auto whose = fmt::format("QOS '{}'", qos.said.name);
      for (const auto& row : kOfQos)
        add(
            row, qos.said, qos.origin(), whose,
            [&](const std::string& limit) { lines_.say_qos(qos, limit); }, row.of);
      rest(qos.said, qos.origin(), whose, kOfQos);
    }
  }

 private:
  /// Translates the limits of the account's jobs, and the number of jobs of each of its users.
  void limits_of_account(const Account& account) {
    const auto& own = *account.own;
    const auto whose = fmt::format("account '{}'", account.name);
    const auto put = [&](const std::string& limit) {
      lines_.say("ACCOUNTCFG", account.name, limit, own.origin());
    };
    for (const auto& row : kOfAccounts) {
      if (account.below.empty() && !account.is_root())
        add(row, own.said, own.origin(), whose, put, "");
      else if (is_said(own.said.value(row.key)))
        lines_.lose(fmt::format("{}={} of {}", row.key, own.said.value(row.key), whose),
                    fmt::format("it also counts the jobs of the accounts below: {}", kKept),
                    own.origin());
    }
    if (!account.users.empty() && !account.is_root())
      if (const auto most = jobs("maxjobs", tree_.inherited(account, "maxjobs"),
                                 "users of " + whose, own.origin()))
        put(fmt::format("MAXJOB[USER]={}", *most));
    rest(own.said, own.origin(), whose, kOfAccounts);
  }

  void limits_of_user(const Account& account, const SlurmAssociation& association) {
    if (association.is_root()) return;
    const auto whose = fmt::format("user '{}' in account '{}'", association.user, account.name);
    SlurmRecord own = association.said;  // tables repeat the account's values
    std::erase_if(own.values, [&](const auto& value) {
      return value.second == tree_.inherited(account, value.first);
    });
    if (!association.partition.empty()) {
      for (const auto& [key, value] : own.values)
        if (is_said(value) && (key == "maxjobs" || !listed(key, kNoLimits)))
          lines_.lose(fmt::format("{}={} of {}", key, value, whose),
                      fmt::format("it applies to one partition: {}", kKept), association.origin());
      return;
    }
    const auto put = [&](const std::string& limit) {
      lines_.say("ACCOUNTCFG", account.name, limit, association.origin());
    };
    const auto of = "USER:" + association.user;
    const auto said = [&](std::string_view key) {
      return jobs(key, own.value(key), whose, association.origin());
    };
    const auto group = said("grpjobs"), each = said("maxjobs");
    if (group || each)
      put(fmt::format("MAXJOB[{}]={}", of,
                      std::min(group.value_or(INT64_MAX), each.value_or(INT64_MAX))));
    for (const auto& row : kOfAccounts)
      if (row.key != "grpjobs") add(row, own, association.origin(), whose, put, of);
    rest(own, association.origin(), whose, kOfAccounts);
  }

  /// Returns a limit on jobs; nullopt if there is none, or none that can be written.
  std::optional<std::int64_t> jobs(std::string_view key, std::string_view text,
                                   const std::string& whose, const Origin& origin) {
    const auto most = amount(text, false);
    if (most != 0) return most;
    lose_none_may_run(key, text, whose, origin);
    return std::nullopt;
  }

  void lose_none_may_run(std::string_view key, std::string_view text, const std::string& whose,
                         const Origin& origin) {
    lines_.lose(fmt::format("{}={} of {}", key, text, whose),
                fmt::format("0 would be no limit in maui.cfg: {}", kKept), origin);
  }

  template <class Put>
  void add(const LimitRow& row, const SlurmRecord& said, const Origin& origin,
           const std::string& whose, const Put& put, std::string_view of) {
    const auto text = said.value(row.key);
    if (!is_said(text)) return;
    const auto value = row.tres.empty() ? text : tres(text, row.tres);
    if (value.empty()) return;
    const auto most = amount(value, row.tres == "mem");
    if (!most)
      return lines_.lose(fmt::format("{}={} of {}", row.key, text, whose), "expected whole numbers",
                         origin);
    if (*most == 0) return lose_none_may_run(row.key, text, whose, origin);
    put(fmt::format("{}{}={}", row.limit, of.empty() ? "" : fmt::format("[{}]", of),
                    std::llround(static_cast<double>(*most) * row.times)));
  }

  /// Reports values without a row as losses.
  template <class Rows>
  void rest(const SlurmRecord& said, const Origin& origin, const std::string& whose,
            const Rows& rows) {
    for (const auto& [key, value] : said.values) {
      if (!is_said(value) || listed(key, kNoLimits) || is_usual(key, value)) continue;
      const auto has = [&rows, &name = key](std::string_view tres) {
        return std::any_of(std::begin(rows), std::end(rows), [&](const LimitRow& row) {
          return row.key == name && (row.tres.empty() || same_word(row.tres, tres));
        });
      };
      if (has("")) continue;
      std::string lost;
      for (const auto item : split(value, ','))
        if (!has(item.substr(0, item.find('='))))
          lost += fmt::format("{}{}", lost.empty() ? "" : ",", item);
      if (!lost.empty())
        lines_.lose(fmt::format("{}={} of {}", key, lost, whose),
                    fmt::format("there is no such limit: {}", kKept), origin);
    }
  }

  const SlurmAccounts& accounts_;
  const AccountTree& tree_;
  ObjectLines& lines_;
};

}  // namespace

void write_slurm_limits(const SlurmAccounts& accounts, const AccountTree& tree,
                        ObjectLines& lines) {
  Limits(accounts, tree, lines).write();
}

}  // namespace maui::migrate
