// Slurm has a tree of accounts, shares that are relative to those beside them, and limits of a user
// in an account; here accounts stand beside each other, and targets are per cent of the machine. So
// shares are multiplied down the tree, and what a user may do in an account is MAXJOB[USER:amy] of
// that account.
#include "migrate/slurm_associations.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "base/text.h"
#include "migrate/slurm_names.h"

namespace maui::migrate {
namespace {

constexpr std::string_view kKept = "Slurm itself keeps to it";
constexpr std::string_view kSharesOfParent = "2147483647";  // as a dump writes fairshare=parent
constexpr double kHighest = 1000;                           // of a priority that is weighed
constexpr std::size_t kMostAlike = 10;                      // losses of one kind that are listed

/// A limit that counts jobs together: which of ours it is, and of whom.
struct LimitRow {
  std::string_view key;    // Slurm's
  std::string_view tres;   // of a list CPU=64,NODE=4; empty: a number
  std::string_view limit;  // ours
  std::string_view of;     // whose jobs are counted: a credential, or all
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
/// Those of all jobs of a QOS, which accounts and users have, too.
constexpr std::span<const LimitRow> kOfAccounts = std::span(kOfQos).first<5>();
static_assert(kOfAccounts.back().of.empty() && !kOfQos[kOfAccounts.size()].of.empty());

/// Values that are told elsewhere, or do not bear on who goes first.
constexpr std::string_view kNoLimits =
    "account user parentname partition cluster name fairshare priority description organization "
    "defaultaccount coordinator adminlevel defaultwckey wckeys defaultqos qos id lft rgt comment "
    "preempt maxjobs flags";

bool is_said(std::string_view value) { return !value.empty() && value != "-1"; }

/// 64, or 2G for memory, which is in MB.
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

class AccountsWriter {
 public:
  AccountsWriter(Writer& writer, const SlurmAccounts& accounts, const SlurmUses& uses)
      : writer_(writer), accounts_(accounts), uses_(uses) {}

  void write() {
    for (const auto& one : accounts_.unread) writer_.lose(one.line, one.what, one.why, one.file);
    grow_tree();
    if (uses_.shares) shares();
    if (uses_.association_priorities) priorities();
    qos();
    if (uses_.preemption) preemption();
    if (uses_.limits)
      limits();
    else if (accounts_.has_associations() || accounts_.has_qos())
      writer_.lose(
          0, "limits of associations and QOS",
          "AccountingStorageEnforce does not name them: Slurm does not keep to them either");
    print();
    for (const auto& [key, alike] : lost_) {
      const auto listed = std::min(alike.size(), kMostAlike);
      for (std::size_t i = 0; i < listed; ++i) {
        const auto more = alike.size() - listed;
        const bool rest = more > 0 && i + 1 == listed;
        writer_.lose(
            alike[i].line,
            rest ? fmt::format("{}, and {} more like these", alike[i].what, more) : alike[i].what,
            alike[i].why, alike[i].file);
      }
    }
  }

 private:
  struct Account {
    std::string name;
    const SlurmAssociation* own = nullptr;
    std::string parent;
    std::vector<Account*> below;
    std::vector<const SlurmAssociation*> users;
    bool reached = false;
  };

  // --- what is written, and what is not ----------------------------------------------------------

  /// A line of an object, in the order in which it was first spoken of.
  std::string* line_of(std::string_view kind, const std::string& name, int line,
                       const std::string& file) {
    const auto key = fmt::format("{}[{}]", kind, name);
    const auto known = at_.find(key);
    if (known != at_.end()) return &lines_[known->second].second;
    constexpr std::string_view kOthers = "_-.@+";
    const bool plain = std::all_of(name.begin(), name.end(), [&](unsigned char c) {
      return (c < 128 && std::isalnum(c) != 0) || c >= 128 ||
             kOthers.find(static_cast<char>(c)) != kOthers.npos;
    });
    if (!plain || name.empty() || same_word(name, "DEFAULT") || same_word(name, "ALL")) {
      lose(fmt::format("the name '{}'", name), "no object of maui.cfg can be called so", line,
           file);
      return nullptr;
    }
    at_[key] = lines_.size();
    return &lines_.emplace_back(key, std::string()).second;
  }

  void say(std::string_view kind, const std::string& name, const std::string& what, int line,
           const std::string& file) {
    if (auto* at = line_of(kind, name, line, file)) *at += " " + what;
  }

  /// One for each reason, of users and of accounts: a site has as many as it has, and one habit.
  void lose(const std::string& what, std::string_view why, int line, const std::string& file) {
    const auto of = what.find(" of ");
    const auto whose = std::string_view(what).substr(of == what.npos ? what.size() : of);
    const auto about = whose.starts_with(" of QOS")
                           ? what
                           : fmt::format("{}{}", what.substr(0, what.find_first_of("=' ")),
                                         whose.substr(0, whose.find('\'')));
    auto& alike = lost_[fmt::format("{}\n{}", about, why)];
    // A limit of several resources may be come across several times.
    const bool known = std::any_of(alike.begin(), alike.end(), [&](const Loss& one) {
      return one.what == what && one.line == line && one.file == file;
    });
    if (!known) alike.push_back({line, what, std::string(why), file});
  }

  void print() {
    if (lines_.empty()) return;
    writer_.blank();
    writer_.comment(
        "Accounts, users and QOS, from Slurm's database. FSTARGET: shares, multiplied down the "
        "tree of accounts, in per cent of the machine. Slurm itself keeps to its limits, too.");
    if (uses_.limits && accounts_.has_qos() && accounts_.has_associations())
      writer_.comment(
          "In Slurm a limit of a QOS stands in place of the same one of an association; here both "
          "count.");
    for (const auto& [name, text] : lines_) writer_.set(name, std::string(trimmed(text)));
  }

  // --- the tree ----------------------------------------------------------------------------------

  void grow_tree() {
    if (!accounts_.tree)
      writer_.lose(
          0, "the tree of accounts",
          "it is not told which account is below which, so all are taken to be right below "
          "root: `sacctmgr -P show assoc tree` tells it");
    tree_["root"].name = "root";
    for (const auto& one : accounts_.associations) {
      auto& account = tree_[one.account];
      account.name = one.account;
      if (!one.user.empty()) {
        account.users.push_back(&one);
      } else {
        account.own = &one;
        account.parent = one.account == "root" ? "" : one.parent;
      }
    }
    for (auto& [name, account] : tree_) {
      if (name == "root") continue;
      const auto above = tree_.find(account.parent.empty() ? "root" : account.parent);
      if (above == tree_.end())
        lose(fmt::format("account '{}' below '{}'", name, account.parent),
             "nothing is told of the account above, so it is taken to be right below root",
             account.own->said.line, account.own->file);
      (above == tree_.end() ? tree_["root"] : above->second).below.push_back(&account);
    }
    // From root down, each once: what is below itself is not there.
    order_.push_back(&tree_["root"]);
    order_.front()->reached = true;
    for (std::size_t i = 0; i < order_.size(); ++i)
      for (auto* below : order_[i]->below)
        if (!std::exchange(below->reached, true)) order_.push_back(below);
    for (const auto& [name, account] : tree_)
      if (!account.reached)
        lose(fmt::format("account '{}'", name), "it is below itself",
             account.own != nullptr ? account.own->said.line : 0,
             account.own != nullptr ? account.own->file : "");
  }

  /// Returns what an account says, or the nearest one above that does.
  std::string inherited(const Account& account, std::string_view key) const {
    for (const Account* at = &account;;) {
      if (at->own != nullptr)
        if (auto value = at->own->said.value(key); is_said(value)) return value;
      if (at->name == "root") return {};
      const auto above = tree_.find(at->parent);
      at = above == tree_.end() ? &tree_.at("root") : &above->second;
    }
  }

  // --- shares ------------------------------------------------------------------------------------

  struct Share {
    bool parents = false;
    double value = 1;
  };

  Share share_of(const SlurmAssociation* one) {
    const auto text = one == nullptr ? std::string() : one->said.value("fairshare");
    if (same_word(text, "parent") || text == kSharesOfParent) return {true, 0};
    if (text.empty()) return {};
    const auto value = parse_number(text);
    if (value && *value >= 0 && *value <= 1e9) return {false, *value};
    lose("fairshare=" + text, "expected a number from 0, or parent", one->said.line, one->file);
    return {false, 0};
  }

  static bool is_root(const SlurmAssociation& one) {
    return one.account == "root" && one.user == "root";
  }

  void shares() {
    std::map<std::string, double> users;
    std::vector<std::pair<const Account*, double>> targets, left{{order_.front(), 1.0}};
    for (std::size_t next = 0; next < left.size(); ++next) {
      // Those that have the share of the account above share its part with what is beside them.
      std::vector<const Account*> level{left[next].first};
      std::vector<std::pair<const Account*, double>> below;
      double all = 0;
      for (std::size_t i = 0; i < level.size(); ++i)
        for (const Account* one : level[i]->below) {
          if (!one->reached || one->name == "root") continue;
          const auto share = share_of(one->own);
          if (share.parents) {
            level.push_back(one);
          } else {
            all += share.value;
            below.emplace_back(one, share.value);
          }
        }
      std::vector<double> of_users(level.size(), 0.0);
      for (std::size_t i = 0; i < level.size(); ++i)
        for (const auto* user : level[i]->users)
          if (!is_root(*user)) of_users[i] += share_of(user).value;
      for (const auto part : of_users) all += part;
      const double whole = left[next].second;
      for (std::size_t i = 0; i < level.size(); ++i)
        share_of_users(*level[i], level.size() == 1 && all == 0, of_users[i], all, whole, users,
                       targets);
      for (const auto& [one, share] : below)
        left.emplace_back(one, all > 0 ? whole * share / all : 0);
    }
    for (const auto& [account, part] : targets)
      say("ACCOUNTCFG", account->name, target(part), line(account), file(account));
    for (const auto& [user, part] : users) say("USERCFG", user, target(part), 0, {});
  }

  /// Shares an account's part among the jobs of its own users: those of the accounts below are
  /// theirs.
  void share_of_users(const Account& account, bool alone, double own, double all, double whole,
                      std::map<std::string, double>& users,
                      std::vector<std::pair<const Account*, double>>& targets) {
    if (account.name == "root") return;
    const bool empty = account.users.empty() && account.below.empty();
    if (alone && (!account.users.empty() || empty)) {
      targets.emplace_back(&account, whole);
    } else if (own > 0) {
      targets.emplace_back(&account, whole * own / all);
    } else if (!account.users.empty() || empty) {
      lose(fmt::format("fairshare of account '{}'", account.name),
           "what it has is shared with others beside or below it, without a part of its own",
           line(&account), file(&account));
    }
    for (const auto* user : account.users) {
      const auto share = share_of(user);
      if (share.parents)
        lose(fmt::format("fairshare=parent of user '{}' in account '{}'", user->user, account.name),
             "what the account has is FSTARGET of its ACCOUNTCFG: the user has none",
             user->said.line, user->file);
      else if (all > 0)
        users[user->user] += whole * share.value / all;
    }
  }

  static int line(const Account* account) {
    return account->own == nullptr ? 0 : account->own->said.line;
  }
  static std::string file(const Account* account) {
    return account->own == nullptr ? std::string() : account->own->file;
  }

  static std::string target(double part) {
    const double per_cent = std::clamp(part * 100, 0.01, 100.0);
    return fmt::format("FSTARGET={:g}", std::round(per_cent * 100) / 100);
  }

  // --- priorities --------------------------------------------------------------------------------

  static double number(std::string_view text) {
    const auto value = parse_number(text);
    return value && *value > 0 && *value <= 4294967295.0 ? *value : 0;
  }

  /// Slurm weighs each priority by the highest of its kind.
  template <class Ones>
  static double highest_priority(const Ones& ones) {
    double most = 0;
    for (const auto& one : ones) most = std::max(most, number(one.said.value("priority")));
    return most;
  }
  static std::int64_t scaled(double priority, double highest) {
    return highest == 0 ? 0 : std::llround(kHighest * priority / highest);
  }

  /// Slurm takes that of the user in the account, which is the account's unless it has one; here
  /// the account's and the user's are added.
  void priorities() {
    const double most = highest_priority(accounts_.associations);
    if (most == 0) return;
    std::map<std::string, std::pair<std::int64_t, const SlurmAssociation*>> users;
    for (const Account* account : order_) {
      const auto own = scaled(number(inherited(*account, "priority")), most);
      if (own != 0 && account->name != "root")
        say("ACCOUNTCFG", account->name, fmt::format("PRIORITY={}", own), line(account),
            file(account));
      for (const auto* user : account->users) {
        if (!is_said(user->said.value("priority"))) continue;
        const auto more = scaled(number(user->said.value("priority")), most) -
                          (account->name == "root" ? 0 : own);
        const auto [known, fresh] = users.try_emplace(user->user, more, user);
        if (fresh || known->second.first == more) continue;
        lose(fmt::format("priority of user '{}' in account '{}'", user->user, account->name),
             "it differs between accounts, and a user has one; the first stands", user->said.line,
             user->file);
      }
    }
    for (const auto& [user, one] : users)
      if (one.first != 0)
        say("USERCFG", user, fmt::format("PRIORITY={}", one.first), one.second->said.line,
            one.second->file);
  }

  void qos() {
    const double most = uses_.qos_priorities ? highest_priority(accounts_.qos) : 0;
    for (const auto& one : accounts_.qos) {
      if (const auto own = scaled(number(one.said.value("priority")), most); own != 0)
        say_qos(one, fmt::format("PRIORITY={}", own));
      if (const auto factor = parse_number(one.said.value("usagefactor")); factor && *factor != 1)
        lose(
            fmt::format("UsageFactor={} of QOS '{}'", one.said.value("usagefactor"), one.said.name),
            "use counts as it was", one.said.line, one.file);
    }
  }

  /// Slurm gives QOS normal to all who name none, and maui takes it for none.
  void say_qos(const SlurmQos& one, const std::string& what) {
    say("QOSCFG", one.said.name, what, one.said.line, one.file);
    if (one.said.name == "normal" && at_.contains("QOSCFG[normal]") &&
        !std::exchange(normal_, true))
      lines_.emplace_back("SYSCFG", "QDEF=normal");
  }

  // --- preemption --------------------------------------------------------------------------------

  void preemption() {
    std::set<std::string> victims, preemptors;
    for (const auto& one : accounts_.qos) {
      const auto list = one.said.value("preempt");
      for (const auto name : split(list, ','))
        if (!name.empty()) {
          victims.emplace(name);
          preemptors.insert(one.said.name);
        }
    }
    for (const auto& one : accounts_.qos) {
      const auto list = one.said.value("preempt");
      const bool preempts = preemptors.contains(one.said.name);
      if (preempts && victims.contains(one.said.name)) {
        lose(fmt::format("preempt={} of QOS '{}'", list, one.said.name),
             "others preempt it: there are preemptors and preemptees, and nothing between them",
             one.said.line, one.file);
      } else if (preempts) {
        say_qos(one, "QFLAGS=PREEMPTOR");
        const auto named = split(list, ',');
        for (const auto& victim : victims)
          if (std::find(named.begin(), named.end(), victim) == named.end() &&
              !preemptors.contains(victim))
            lose(fmt::format("preempt={} of QOS '{}'", list, one.said.name),
                 "here it may preempt what the others may preempt, too", one.said.line, one.file);
      } else if (victims.contains(one.said.name)) {
        say_qos(one, "QFLAGS=PREEMPTEE");
      }
    }
  }

  // --- limits ------------------------------------------------------------------------------------

  void limits() {
    for (const Account* account : order_) {
      if (account->own != nullptr) limits_of_account(*account);
      for (const auto* user : account->users) limits_of_user(*account, *user);
    }
    for (const auto& one : accounts_.qos) {
      const auto whose = fmt::format("QOS '{}'", one.said.name);
      for (const auto& row : kOfQos)
        add(
            row, one.said, one.file, whose, [&](const std::string& limit) { say_qos(one, limit); },
            row.of);
      rest(one.said, one.file, whose, kOfQos);
    }
  }

  /// Its jobs, and how many each of its users may have.
  void limits_of_account(const Account& account) {
    const auto& own = *account.own;
    const auto whose = fmt::format("account '{}'", account.name);
    const auto put = [&](const std::string& limit) {
      say("ACCOUNTCFG", account.name, limit, own.said.line, own.file);
    };
    for (const auto& row : kOfAccounts) {
      if (account.below.empty() && account.name != "root")
        add(row, own.said, own.file, whose, put, "");
      else if (is_said(own.said.value(row.key)))
        lose(fmt::format("{}={} of {}", row.key, own.said.value(row.key), whose),
             fmt::format("it counts the jobs of the accounts below, too: {}", kKept), own.said.line,
             own.file);
    }
    if (!account.users.empty() && account.name != "root")
      if (const auto most = amount(inherited(account, "maxjobs"), false))
        put(fmt::format("MAXJOB[USER]={}", *most));
    rest(own.said, own.file, whose, kOfAccounts);
  }

  void limits_of_user(const Account& account, const SlurmAssociation& one) {
    if (is_root(one)) return;
    const auto whose = fmt::format("user '{}' in account '{}'", one.user, account.name);
    SlurmRecord own = one.said;  // what a table repeats of the account is the account's
    std::erase_if(own.values, [&](const auto& value) {
      return value.second == inherited(account, value.first);
    });
    if (!one.partition.empty()) {
      for (const auto& [key, value] : own.values)
        if (is_said(value) && (key == "maxjobs" || !listed(key, kNoLimits)))
          lose(fmt::format("{}={} of {}", key, value, whose),
               fmt::format("it is for one partition: {}", kKept), own.line, one.file);
      return;
    }
    const auto put = [&](const std::string& limit) {
      say("ACCOUNTCFG", account.name, limit, own.line, one.file);
    };
    const auto of = "USER:" + one.user;
    const auto jobs = [&](std::string_view key) { return amount(own.value(key), false); };
    const auto group = jobs("grpjobs"), each = jobs("maxjobs");
    if (group || each)
      put(fmt::format("MAXJOB[{}]={}", of,
                      std::min(group.value_or(INT64_MAX), each.value_or(INT64_MAX))));
    for (const auto& row : kOfAccounts)
      if (row.key != "grpjobs") add(row, own, one.file, whose, put, of);
    rest(own, one.file, whose, kOfAccounts);
  }

  template <class Put>
  void add(const LimitRow& row, const SlurmRecord& said, const std::string& file,
           const std::string& whose, const Put& put, std::string_view of) {
    const auto text = said.value(row.key);
    if (!is_said(text)) return;
    const auto value = row.tres.empty() ? text : tres(text, row.tres);
    if (value.empty()) return;
    const auto most = amount(value, row.tres == "mem");
    if (!most)
      return lose(fmt::format("{}={} of {}", row.key, text, whose), "expected whole numbers",
                  said.line, file);
    put(fmt::format("{}{}={}", row.limit, of.empty() ? "" : fmt::format("[{}]", of),
                    std::llround(static_cast<double>(*most) * row.times)));
  }

  /// The value of cpu in cpu=64,node=4.
  static std::string tres(std::string_view list, std::string_view name) {
    for (const auto item : split(list, ',')) {
      const auto equals = item.find('=');
      if (equals != item.npos && same_word(item.substr(0, equals), name))
        return std::string(item.substr(equals + 1));
    }
    return {};
  }

  /// Lists what no row has.
  template <class Rows>
  void rest(const SlurmRecord& said, const std::string& file, const std::string& whose,
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
        lose(fmt::format("{}={} of {}", key, lost, whose),
             fmt::format("there is no such limit: {}", kKept), said.line, file);
    }
  }

  /// True if a QOS that nobody has changed has it, or if it is told elsewhere.
  static bool is_usual(std::string_view key, std::string_view value) {
    if (key == "gracetime") return value == "00:00:00" || value == "0";
    if (key == "preemptmode") return same_word(value, "cluster");
    return key == "usagefactor";
  }

  Writer& writer_;
  const SlurmAccounts& accounts_;
  const SlurmUses& uses_;
  std::map<std::string, Account> tree_;
  std::vector<Account*> order_;
  std::vector<std::pair<std::string, std::string>> lines_;
  std::map<std::string, std::size_t> at_;
  std::map<std::string, std::vector<Loss>> lost_;  // those of one kind
  bool normal_ = false;
};

}  // namespace

void write_slurm_accounts(Writer& writer, const SlurmAccounts& accounts, const SlurmUses& uses) {
  AccountsWriter(writer, accounts, uses).write();
}

}  // namespace maui::migrate
