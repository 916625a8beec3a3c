// diagnose -f, showstats -f: the use in each window, compared with the targets.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "cmd/diagnose.h"
#include "config/names.h"
#include "model/credentials.h"
#include "sched/priority/fairshare.h"

namespace maui {
namespace {

struct Section {
  CredentialKind kind;
  std::string_view title, other;
};
constexpr Section kSections[] = {{CredentialKind::user, "USER", ""},
                                 {CredentialKind::group, "GROUP", ""},
                                 {CredentialKind::account, "ACCT", "ACCOUNT"},
                                 {CredentialKind::qos, "QOS", ""},
                                 {CredentialKind::job_class, "CLASS", ""}};

constexpr double kNear = 5;  // per cent within which a target counts as met

std::string_view sign_of(TargetType type) {
  switch (type) {
    case TargetType::target:
      return "";
    case TargetType::floor:
      return "+";
    case TargetType::ceiling:
      return "-";
    case TargetType::cap:
      break;
  }
  return "^";
}

bool off(const FairshareTarget& target, double percent, FairshareSettings settings) {
  settings.relative = false;
  return blocks(target, percent, settings) ||
         std::abs(deviation(target, percent, settings)) > kNear;
}

class Tables {
 public:
  explicit Tables(const Context& context)
      : cluster_(context.cluster()),
        settings_(context.settings()),
        verbose_(context.has("v")),
        windows_(windows_that_count(context.engine.fairshare(), settings_.fairshare,
                                    context.engine.fairshare().complete_until)),
        use_(effective_use(context.engine.fairshare(), settings_.fairshare,
                           context.engine.fairshare().complete_until)),
        targets_(cluster_, settings_, &CredentialSettings::fairshare_target,
                 settings_.system.fairshare_target) {}

  const std::vector<FairshareWindow>& windows() const { return windows_; }

  FairshareTable table(const Section& kind) const {
    FairshareTable table{std::string(kind.title), {}};
    const auto& known = names_of(cluster_, kind.kind);
    std::vector<std::string> names;
    for (const auto& name : known)
      if (!name.empty()) names.push_back(name);  // the name is still in use
    for (const auto& [name, entry] : table_of(settings_, kind.kind))
      if (entry.fairshare_target && find(cluster_, kind.kind, name) == kNoCredential)
        names.push_back(name);
    for (const auto& name : names) {
      auto made = row(kind.kind, name);
      if (verbose_ || made.target >= 0 || used(made)) table.rows.push_back(std::move(made));
    }
    return table;
  }

 private:
  static bool used(const FairshareRow& row) {
    return std::any_of(row.windows.begin(), row.windows.end(), [](double use) { return use > 0; });
  }

  std::optional<FairshareTarget> target_of(CredentialKind kind, const std::string& name,
                                           std::uint32_t number) const {
    if (number != kNoCredential) return targets_.of(kind, number);
    return table_of(settings_, kind).find(name)->second.fairshare_target;
  }

  FairshareRow row(CredentialKind kind, const std::string& name) const {
    const auto number = find(cluster_, kind, name);
    FairshareRow row;
    row.name = name;
    row.percent = use_.of(kind, number);
    for (const auto& window : windows_) {
      const auto& all = window.used[kind];
      const double amount = number < all.size() ? all[number] : 0;
      row.windows.push_back(amount > 0 && window.total > 0 ? 100 * amount / window.total : -1);
    }
    if (const auto target = target_of(kind, name, number)) {
      row.target = target->percent;
      row.target_type = sign_of(target->type);
      // DEFAULT stands for other credentials and has no use of its own.
      row.off_target = name != "DEFAULT" && off(*target, row.percent, settings_.fairshare);
    }
    return row;
  }

  const Cluster& cluster_;
  const Settings& settings_;
  bool verbose_;
  std::vector<FairshareWindow> windows_;
  FairshareUse use_;  // computed without FSPOLICY, too
  CredentialAttribute<FairshareTarget> targets_;
};

std::string policy_of(const FairshareSettings& settings) {
  return fmt::format("{}{}",
                     name_of(std::span<const EnumName<FairshareMetric>>(config::kFairshareMetrics),
                             settings.metric),
                     settings.relative ? "%" : "");
}

}  // namespace

Answer diagnose_fairshare(const Context& context) {
  const std::string only = context.value("f");
  const auto asked = [&](const Section& kind) {
    return only.empty() || same_word(only, kind.title) || same_word(only, kind.other);
  };
  if (std::none_of(std::begin(kSections), std::end(kSections), asked))
    return Error{fmt::format(
        "{}: unknown kind of credential '{}': expected user, group, account, qos or class",
        context.request.command, only)};
  const auto& settings = context.settings().fairshare;
  const Tables tables(context);
  FairshareReply reply;
  reply.policy = policy_of(settings);
  reply.depth = settings.depth;
  reply.interval = settings.interval == kUnlimited ? -1 : settings.interval.raw();
  reply.decay = settings.decay;
  for (std::size_t age = 0; age < tables.windows().size(); ++age) {
    reply.weights.push_back(window_weight(settings, age));
    reply.totals.push_back(tables.windows()[age].total / 3600);
  }
  for (const auto& kind : kSections) {
    if (!asked(kind)) continue;
    auto table = tables.table(kind);
    if (!table.rows.empty()) reply.tables.push_back(std::move(table));
  }
  return Reply(std::move(reply));
}

}  // namespace maui
