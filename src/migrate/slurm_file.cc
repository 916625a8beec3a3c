// Translates slurm.conf to maui.cfg: priority, shares, backfill and preemption.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "base/duration.h"
#include "base/host_range.h"
#include "base/text.h"
#include "migrate/slurm_accounts.h"
#include "migrate/slurm_associations.h"
#include "migrate/slurm_conf.h"
#include "migrate/slurm_names.h"
#include "migrate/slurm_priority.h"
#include "migrate/slurm_section.h"
#include "migrate/writer.h"

namespace maui::migrate {
namespace {

constexpr std::size_t kMostNodes = 4096;

class SlurmFile : SlurmSection {
 public:
  SlurmFile(Writer& writer, const SlurmConf& conf, const SlurmAccounts& database)
      : SlurmSection(writer, conf), database_(database) {}

  void write(std::string_view name) {
    writer_.comment(
        fmt::format("Written by maui --migrate from {}, a file of Slurm{}.", name, cluster()));
    writer_.comment(
        "Slurm keeps its partitions, limits, licences and accounting, and starts no job against "
        "them. This file sets the order of jobs and their nodes.");
    server();
    write_slurm_priority(writer_, conf_, database_);
    classes();
    fairshare();
    accounts();
    backfill();
    preemption();
    nodes();
    elsewhere();
  }

 private:
  std::string cluster() const {
    const auto name = conf_.value("ClusterName");
    return name.empty() ? "" : fmt::format(" (cluster {})", name);
  }

  // --- the server --------------------------------------------------------------------------------

  void server() {
    auto host = conf_.value("SlurmctldHost", conf_.value("ControlMachine", "localhost"));
    host = host.substr(0, host.find_first_of("(,"));
    head(
        "The scheduler runs beside slurmctld. TEST only logs what it would start; NORMAL starts "
        "it.");
    writer_.set("SERVERHOST", host.empty() ? "localhost" : host);
    for (const auto& backup : conf_.backups)
      writer_.lose(backup.line, "SlurmctldHost=" + backup.text,
                   "SERVERHOST may name several hosts if they share a home directory, and maui "
                   "--standby runs on each (manual, two-heads.md)");
    writer_.set("SERVERMODE", "TEST");
    writer_.set("ADMIN1", "root");
    writer_.set("RMCFG[slurm]", "TYPE=SLURM TIMEOUT=15");
    writer_.set("RMPOLLINTERVAL", "0:00:30");
    writer_.set("LOGLEVEL", "3");
    writer_.comment("Slurm itself ends jobs that exceed their limit.");
    writer_.set("JOBMAXOVERRUN", overrun());
  }

  /// Returns the longest OverTimeLimit, plus five minutes for the signals that Slurm sends.
  std::string overrun() {
    Seconds most(0);
    const auto consider = [&](int line, const std::string& text) {
      if (text.empty()) return;
      const auto time = parse_slurm_time(text);
      if (time) most = std::max(most, *time);
      if (!time) writer_.lose(line, "OverTimeLimit=" + text, time.error().what);
    };
    consider(conf_.line_of("OverTimeLimit"), conf_.value("OverTimeLimit"));
    for (const auto& partition : conf_.partitions)
      consider(partition.line, partition.value("OverTimeLimit"));
    return most == kUnlimited ? "INFINITY" : format_duration(most + Seconds(300));
  }

  // --- partitions --------------------------------------------------------------------------------

  void classes() {
    const bool weighed = number_of("PriorityWeightPartition") > 0 && most_job_factor(conf_) > 0;
    std::set<std::int64_t> tiers;
    for (const auto& partition : conf_.partitions) tiers.insert(tier(partition));
    const bool tiered = tiers.size() > 1;
    bool begun = false;
    for (const auto& partition : conf_.partitions) {
      // Slurm's default is 1, which matters only beside other factors.
      const auto factor =
          weighed
              ? parse_integer<std::int64_t>(
                    partition.value("PriorityJobFactor", most_job_factor(conf_) > 1 ? "1" : "0"))
                    .value_or(0)
              : 0;
      if (factor != 0 && !begun) {
        head("Partitions are classes: PriorityJobFactor, weighed by CLASSWEIGHT.");
        begun = true;
      }
      if (factor != 0)
        writer_.set(fmt::format("CLASSCFG[{}]", partition.name),
                    fmt::format("PRIORITY={}", factor));
      if (same_word(partition.value("ExclusiveUser"), "YES"))
        writer_.lose(partition.line,
                     fmt::format("PartitionName={} ExclusiveUser=YES", partition.name),
                     "set NODECFG[NODE] ACCESS=SINGLEUSER for its nodes");
      if (const auto share = partition.value("OverSubscribe", partition.value("Shared"));
          upper(share).starts_with("FORCE") || upper(share).starts_with("YES"))
        writer_.lose(
            partition.line, fmt::format("PartitionName={} OverSubscribe={}", partition.name, share),
            "processors are never given twice; the gate refuses jobs for OverSubscribe=FORCE:n");
    }
    if (tiered)
      writer_.lose(0, fmt::format("PriorityTier of {}", partitions_of_tier(*tiers.rbegin())),
                   "in Slurm its jobs go before all others; here, set CLASSCFG[NAME] PRIORITY= and "
                   "CLASSWEIGHT");
  }

  std::string partitions_of_tier(std::int64_t at) const {
    std::vector<std::string> names;
    for (const auto& partition : conf_.partitions)
      if (tier(partition) == at) names.push_back(partition.name);
    return join(names, ", ");
  }

  static std::int64_t tier(const SlurmRecord& partition) {
    return parse_integer<std::int64_t>(
               partition.value("PriorityTier", partition.value("Priority", "1")))
        .value_or(1);
  }

  // --- fairshare ---------------------------------------------------------------------------------

  void fairshare() {
    if (number_of("PriorityWeightFairshare") == 0 ||
        !same_word(conf_.value("PriorityType"), "priority/multifactor"))
      return;
    const auto text = conf_.value("PriorityDecayHalfLife", "7-0");
    const auto half = parse_slurm_time(text);
    head("Fairshare: dedicated processor time, of which older use counts less.");
    writer_.set("FSPOLICY", "DEDICATEDPS");
    if (!half) lose("PriorityDecayHalfLife", text, half.error().what);
    if (half && half->raw() == 0) {
      const auto reset = conf_.value("PriorityUsageResetPeriod", "NONE");
      writer_.comment(
          fmt::format("PriorityDecayHalfLife=0: use does not decay. PriorityUsageResetPeriod={}; "
                      "here the last four weeks count.",
                      reset));
      writer_.set("FSINTERVAL", "24:00:00");
      writer_.set("FSDEPTH", 28);
      writer_.set("FSDECAY", "1.0");
      if (!same_word(reset, "NONE"))
        lose("PriorityUsageResetPeriod", reset, "use is never reset: FSDEPTH windows count");
    } else {
      constexpr int kWindows = 7;
      const auto seconds = half ? half->raw() : 7 * 86400;
      const auto interval = std::max<std::int64_t>(60, (seconds / kWindows + 30) / 60 * 60);
      const auto windows = static_cast<double>(seconds) / static_cast<double>(interval);
      writer_.comment(fmt::format(
          "PriorityDecayHalfLife={}: a window counts {:.4f} of the next, half after {:.0f}.", text,
          std::pow(0.5, 1 / windows), windows));
      writer_.set("FSINTERVAL", format_duration(Seconds(interval)));
      writer_.set("FSDEPTH", 4 * kWindows);
      writer_.set("FSDECAY", fmt::format("{:.4f}", std::pow(0.5, 1 / windows)));
    }
    if (database_.has_associations()) return;
    writer_.comment(
        "The share of each account, in per cent of the machine. Shares are in Slurm's database: "
        "use "
        "--sacctmgr.");
    writer_.line("#ACCOUNTCFG[NAME]     FSTARGET=25");
    writer_.lose(
        conf_.line_of("PriorityWeightFairshare"), "shares of accounts and users",
        "they are in Slurm's database: pass the output of `sacctmgr dump` with --sacctmgr");
  }

  // --- accounts, users and QOS -------------------------------------------------------------------

  void accounts() {
    const bool weighed = same_word(conf_.value("PriorityType"), "priority/multifactor");
    const auto enforced = lower(conf_.value("AccountingStorageEnforce"));
    const auto enforces = [&](std::string_view what) {
      return enforced.find(what) != std::string::npos;
    };
    write_slurm_accounts(
        writer_, database_,
        {.shares = weighed && number_of("PriorityWeightFairshare") > 0,
         .association_priorities = weighed && number_of("PriorityWeightAssoc") > 0,
         .qos_priorities = weighed && number_of("PriorityWeightQOS") > 0,
         .limits = enforces("limits") || enforces("safe") || enforces("all") || enforced == "1",
         .preemption = conf_.value("PreemptType").find("qos") != std::string::npos});
  }

  // --- backfill ----------------------------------------------------------------------------------

  void backfill() {
    head("Backfill: a job that starts early may not delay any reservation.");
    const bool none = same_word(conf_.value("SchedulerType", "sched/backfill"), "sched/builtin");
    writer_.set("BACKFILLPOLICY", none ? "NONE" : "FIRSTFIT");
    writer_.set("RESERVATIONPOLICY", "CURRENTHIGHEST");
    std::optional<std::int64_t> depth;
    std::vector<std::string> own;
    const auto text = conf_.value("SchedulerParameters", conf_.value("SchedulerParams"));
    for (const auto item : split(text, ',')) {
      const auto equals = item.find('=');
      const auto name = lower(trimmed(item.substr(0, equals)));
      const auto value =
          equals == item.npos ? std::nullopt : parse_integer<std::int64_t>(item.substr(equals + 1));
      if (name.empty()) continue;
      if (name == "bf_max_job_test" && value) {
        writer_.comment(std::string(item));
        writer_.set("BACKFILLDEPTH", *value);
      } else if (name == "bf_max_job_user" && value && *value > 0) {
        limit(item, "USERCFG[DEFAULT]", *value);
      } else if (name == "bf_max_job_part" && value && *value > 0) {
        limit(item, "CLASSCFG[DEFAULT]", *value);
      } else if (name == "bf_max_job_assoc" && value && *value > 0) {
        limit(item, "ACCOUNTCFG[DEFAULT]", *value);
      } else if (name == "bf_job_part_count_reserve" && value && *value > 0) {
        depth = value;
      } else if (slurms_own(name)) {
        own.emplace_back(trimmed(item));
      } else {
        const auto* row = find_slurm(name);
        writer_.lose(conf_.line_of("SchedulerParameters"), std::string(item),
                     row != nullptr ? std::string(row->why) : "maui has no such setting");
      }
    }
    if (!own.empty())
      writer_.lose(
          conf_.line_of("SchedulerParameters"), join(own, ","),
          "for Slurm itself: add it to the line SchedulerParameters of slurm.conf.maui, which "
          "replaces this one");
    writer_.comment(
        depth ? "bf_job_part_count_reserve"
              : "Slurm reserves nodes for every job that it examines, maui for the first jobs.");
    writer_.set("RESERVATIONDEPTH", depth.value_or(5));
  }

  void limit(std::string_view item, std::string_view of, std::int64_t most) {
    writer_.comment(fmt::format("{}: further idle jobs are not considered.", item));
    writer_.set(of, fmt::format("MAXIJOB={}", most));
  }

  // --- preemption --------------------------------------------------------------------------------

  void preemption() {
    const auto type = conf_.value("PreemptType", "preempt/none");
    if (same_word(type, "preempt/none")) return;
    head(fmt::format("PreemptType={}", type));
    auto mode = upper(conf_.value("PreemptMode", "OFF"));
    if (const auto gang = mode.find("GANG"); gang != mode.npos) {
      lose("PreemptMode", mode, "jobs do not take turns on processors, so GANG is left out");
      mode = mode.find("SUSPEND") != mode.npos ? "SUSPEND" : "REQUEUE";
    }
    if (mode == "CANCEL")
      lose("PreemptMode", mode,
           "a job that is preempted is requeued or suspended, never cancelled");
    writer_.set("PREEMPTIONPOLICY", mode == "SUSPEND" ? "SUSPEND" : "REQUEUE");
    writer_.comment("slurm.conf must then have PreemptMode=OFF: maui chooses the victims.");
    lose_as_listed("PreemptExemptTime");
    if (type.find("qos") != std::string::npos) {
      if (database_.has_qos()) return;
      writer_.line("#QOSCFG[NAME]         QFLAGS=PREEMPTOR");
      writer_.line("#QOSCFG[NAME]         QFLAGS=PREEMPTEE");
      lose("PreemptType", type,
           "which QOS may preempt which is in Slurm's database: pass the output of `sacctmgr -P "
           "show "
           "qos` with --sacctmgr");
      return;
    }
    std::int64_t low = INT64_MAX, high = INT64_MIN;
    for (const auto& partition : conf_.partitions) {
      low = std::min(low, tier(partition));
      high = std::max(high, tier(partition));
    }
    for (const auto& partition : conf_.partitions) {
      const auto at = tier(partition);
      const bool spared = same_word(partition.value("PreemptMode"), "OFF");
      const bool top = at == high && high != low, bottom = at == low && high != low && !spared;
      if (top || bottom)
        writer_.set(fmt::format("CLASSCFG[{}]", partition.name),
                    top ? "QFLAGS=PREEMPTOR" : "QFLAGS=PREEMPTEE");
      else if (high != low && !spared)
        writer_.lose(partition.line,
                     fmt::format("PartitionName={} PriorityTier={}", partition.name, at),
                     "there are preemptors and preemptees, but no tiers in between");
    }
    if (low == high)
      lose("PreemptType", type,
           "all partitions have the same PriorityTier, so none preempts another");
  }

  // --- nodes -------------------------------------------------------------------------------------

  void nodes() {
    head("Nodes.");
    const bool whole = same_word(conf_.value("SelectType"), "select/linear");
    writer_.comment(whole ? "SelectType=select/linear: whole nodes."
                          : "Jobs share nodes, but not processors.");
    writer_.set("NODEACCESSPOLICY", whole ? "SINGLEJOB" : "SHARED");
    std::map<std::string, std::uint64_t> weights;  // and the number of nodes with each
    for (const auto& node : conf_.nodes)
      if (const auto weight = node.value("Weight", "1"); is_weight(weight))
        weights[weight] += count_nodes(node);
      else
        weights.try_emplace(weight, 0);
    if (weights.size() > 1) {
      writer_.comment(
          "Nodes with the lowest Weight are used first: they have the highest PRIORITY.");
      writer_.set("NODEALLOCATIONPOLICY", "PRIORITY");
      const auto most =
          std::max_element(weights.begin(), weights.end(),
                           [](const auto& a, const auto& b) { return a.second < b.second; });
      if (most->second > 1)
        writer_.set("NODECFG[DEFAULT]", fmt::format("PRIORITY=-{}", most->first));
      for (const auto& node : conf_.nodes)
        if (most->second <= 1 || node.value("Weight", "1") != most->first) weigh(node);
    }
    if (const auto plugin = conf_.value("TopologyPlugin");
        !plugin.empty() && plugin.find("none") == std::string::npos &&
        plugin.find("default") == std::string::npos)
      lose("TopologyPlugin", plugin,
           "maui does not see switches: make node sets by features (NODESETPOLICY, "
           "NODESETATTRIBUTE FEATURE)");
  }

  static bool is_weight(std::string_view text) {
    const auto weight = parse_integer<std::int64_t>(text);
    return weight && *weight >= 0 && *weight <= 1000000000;
  }

  void weigh(const SlurmRecord& node) {
    const auto weight = parse_integer<std::int64_t>(node.value("Weight", "1"));
    const auto text = fmt::format("NodeName={} Weight={}", node.name, node.value("Weight"));
    if (!is_weight(node.value("Weight", "1"))) {
      writer_.lose(node.line, text, "expected a whole number of at most a billion");
      return;
    }
    if (named_ + count_nodes(node) > kMostNodes) {
      writer_.lose(node.line, text, "too many nodes to list: set NODECFG[NAME] PRIORITY= yourself");
      return;
    }
    const auto lists = split_hosts(node.name);
    for (const auto& item : lists) {
      const auto names = expand_hosts(item);
      if (!names) {
        writer_.lose(node.line, text, names.error().what);
        continue;
      }
      named_ += names->size();
      for (const auto& name : *names)
        writer_.set(fmt::format("NODECFG[{}]", name), fmt::format("PRIORITY={}", -*weight));
    }
  }

  // --- settings handled elsewhere ----------------------------------------------------------------

  void elsewhere() {
    for (const auto& file : conf_.includes)
      writer_.lose(file.line, "include " + file.text,
                   "the file was not read: put its lines in place of this one");
    for (const auto& line : conf_.unread)
      writer_.lose(line.line, line.text, "not a line of slurm.conf: expected NAME=VALUE");
    for (const auto* name : {"PriorityCalcPeriod", "FairShareDampeningFactor"})
      if (same_word(conf_.value("PriorityType"), "priority/multifactor")) lose_as_listed(name);
    if (upper(conf_.value("SelectTypeParameters")) != "CR_CORE_MEMORY")
      lose_as_listed("SelectTypeParameters");
    if (!same_word(conf_.value("JobSubmitPlugins"), "lua")) lose_as_listed("JobSubmitPlugins");
    if (const auto type = conf_.value("JobCompType");
        !same_word(type, "jobcomp/none") && !same_word(type, "jobcomp/lua"))
      lose_as_listed("JobCompType");
    lose_as_listed("SuspendProgram");
    if (const auto enforce = conf_.value("AccountingStorageEnforce");
        lower(enforce).find("limits") != std::string::npos)
      writer_.comment(
          "Slurm enforces the limits of associations and QOS (AccountingStorageEnforce), and maui "
          "plans within them.");
  }

  /// Reports a setting as lost, with the reason in its row of the table.
  void lose_as_listed(std::string_view key) {
    if (const auto text = conf_.value(key); !text.empty())
      lose(key, text, std::string(find_slurm(key)->why));
  }

  const SlurmAccounts& database_;
  std::uint64_t named_ = 0;
};

}  // namespace

Result<Migration> from_slurm(std::string_view text, std::string_view name,
                             std::span<const NamedText> sacctmgr) {
  const SlurmConf conf = read_slurm_conf(text);
  SlurmAccounts database;
  for (const auto& file : sacctmgr)
    if (const auto read = read_slurm_accounts(file, conf.value("ClusterName"), database); !read)
      return read.error();
  Writer writer(Source::slurm);
  SlurmFile(writer, conf, database).write(name);
  Migration made = writer.take();
  std::stable_sort(made.losses.begin(), made.losses.end(), [](const Loss& a, const Loss& b) {
    return std::tie(a.file, a.line) < std::tie(b.file, b.line);
  });
  return made;
}

}  // namespace maui::migrate
