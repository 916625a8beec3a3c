// slurm.conf: what it says of order, shares, backfill and preemption, in the words of maui.cfg.
//
// Slurm's factors lie between 0 and 1 and are weighted; here a weight counts for each minute,
// processor or point.  So weights are converted by what makes a factor 1, and all of them are
// multiplied by one scale, since weights are whole numbers.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <tuple>

#include "base/duration.h"
#include "base/host_range.h"
#include "base/text.h"
#include "migrate/slurm_accounts.h"
#include "migrate/slurm_associations.h"
#include "migrate/slurm_conf.h"
#include "migrate/writer.h"

namespace maui::migrate {
namespace {

constexpr std::array kSlurm = {
    Translation{"PriorityType", "QUEUETIMEWEIGHT", "priority/basic is the order of arrival"},
    Translation{"PriorityWeightAge", "QUEUETIMEWEIGHT", "for each minute, up to QUEUETIMECAP"},
    Translation{"PriorityMaxAge", "QUEUETIMECAP", "in minutes"},
    Translation{"PriorityWeightFairshare", "FSUSERWEIGHT, FSACCOUNTWEIGHT",
                "for each per cent below or above FSTARGET"},
    Translation{"PriorityDecayHalfLife", "FSINTERVAL, FSDEPTH, FSDECAY",
                "windows of a seventh of it, each counting less: half after seven"},
    Translation{"PriorityUsageResetPeriod", "", "use fades away by FSDECAY and FSDEPTH"},
    Translation{"PriorityCalcPeriod", "", "fairshare is known at each iteration"},
    Translation{"PriorityWeightJobSize", "PROCWEIGHT", "for each processor asked for"},
    Translation{"PriorityFavorSmall", "PROCWEIGHT",
                "a weight below zero, with ENABLENEGJOBPRIORITY"},
    Translation{"PriorityWeightPartition", "CLASSWEIGHT", "with CLASSCFG[...] PRIORITY="},
    Translation{"PriorityWeightQOS", "QOSWEIGHT",
                "with QOSCFG[...] PRIORITY=, of `sacctmgr -P show qos`"},
    Translation{"PriorityWeightAssoc", "ACCOUNTWEIGHT, USERWEIGHT",
                "with ACCOUNTCFG[...] and USERCFG[...] PRIORITY=, of `sacctmgr dump`"},
    Translation{"PriorityWeightTRES", "PROCWEIGHT, MEMWEIGHT", "for each processor and MB"},
    Translation{"PrioritySiteFactorPlugin", "PRIORITYPROGRAM", "a program of your own"},
    Translation{"PriorityFlags", "JOBPRIOACCRUALPOLICY",
                "ACCRUE_ALWAYS; the others have nothing like them"},
    Translation{"SchedulerType", "BACKFILLPOLICY",
                "sched/builtin is NONE, sched/backfill FIRSTFIT"},
    Translation{"bf_max_job_test", "BACKFILLDEPTH", "how many waiting jobs are looked at"},
    Translation{"bf_max_job_user",
                "USERCFG[DEFAULT] MAXIJOB=", "how many idle jobs of a user count"},
    Translation{"bf_max_job_part",
                "CLASSCFG[DEFAULT] MAXIJOB=", "how many idle jobs of a class count"},
    Translation{"bf_max_job_assoc",
                "ACCOUNTCFG[DEFAULT] MAXIJOB=", "how many idle jobs of an account count"},
    Translation{"bf_job_part_count_reserve", "RESERVATIONDEPTH",
                "how many waiting jobs have a reservation"},
    Translation{"bf_interval", "", "backfill is part of each iteration"},
    Translation{"bf_window", "", "all of the future is looked at"},
    Translation{"bf_resolution", "", "time is not cut into slots"},
    Translation{"bf_continue", "", "an iteration is never cut short"},
    Translation{"bf_yield_interval", "", "an iteration is never cut short"},
    Translation{"bf_min_age_reserve", "",
                "the jobs of highest priority have reservations, however long they wait"},
    Translation{"bf_min_prio_reserve", "", "RESERVATIONDEPTH says how many jobs have reservations"},
    Translation{"bf_busy_nodes", "NODEALLOCATIONPOLICY", "MINRESOURCE leaves large nodes free"},
    Translation{"preempt_youngest_first", "BFPRIORITYPOLICY", "whose victims lose least"},
    Translation{"PreemptType", "QFLAGS PREEMPTOR, PREEMPTEE",
                "of QOS, or of the classes with the highest and the lowest PriorityTier"},
    Translation{"PreemptMode", "PREEMPTIONPOLICY", "REQUEUE, or SUSPEND"},
    Translation{"PreemptExemptTime", "", "a victim has no time of grace"},
    Translation{"PriorityJobFactor", "CLASSCFG[...] PRIORITY=", "of a partition"},
    Translation{"PriorityTier", "CLASSCFG[...] PRIORITY=",
                "to be set by hand, with CLASSWEIGHT: no weight of Slurm's says by how much"},
    Translation{"OverSubscribe", "NODEACCESSPOLICY", "EXCLUSIVE is kept to as it is"},
    Translation{"ExclusiveUser", "NODECFG[...] ACCESS=SINGLEUSER", "of the partition's nodes"},
    Translation{"SelectType", "NODEACCESSPOLICY",
                "select/linear is SINGLEJOB, cons_res and cons_tres SHARED"},
    Translation{"Weight",
                "NODEALLOCATIONPOLICY, NODECFG[...] PRIORITY=", "of nodes: the lowest first"},
    Translation{"SlurmctldHost", "SERVERHOST", "maui runs beside slurmctld"},
    Translation{"TopologyPlugin", "NODESETPOLICY", "sets of nodes by their features"},
};

/// Options of SchedulerParameters that slurm.conf.maui sets itself.
constexpr std::string_view kOfGate =
    "batch_sched_delay bf_interval default_queue_depth partition_job_depth";

/// Options of SchedulerParameters that are Slurm's own: how it serves its clients.
constexpr std::string_view kOwn =
    "build_queue_timeout defer defer_batch max_rpc_cnt "
    "sched_interval sched_max_job_start sched_min_interval max_script_size "
    "max_submit_line_size bf_max_time bf_max_job_start bf_max_job_array_resv bf_yield_rpc_cnt "
    "bf_yield_sleep bf_node_space_size bf_running_job_reserve bf_one_resv_per_job "
    "delay_boot disable_user_top enable_user_top extra_row_for_jobs ignore_numa inventory_interval "
    "kill_invalid_depend no_env_cache nohold_on_prolog_fail pack_serial_at_end "
    "reduce_completing_frag "
    "requeue_setup_env_fail salloc_wait_nodes sbatch_wait_nodes spec_cores_first step_retry_count "
    "step_retry_time whole_pack whole_hetjob time_min_as_soft_limit unlimited_gres_per_task "
    "Ignore_prefer_validation "
    "allow_zero_lic bb_array_stage_cnt enable_job_state_cache enable_stepmgr";

constexpr int kMinutesOfDay = 1440;
constexpr std::size_t kMostNodes = 4096;

const Translation* find_slurm(std::string_view name) {
  const auto at = std::find_if(kSlurm.begin(), kSlurm.end(),
                               [&](const Translation& row) { return same_word(row.name, name); });
  return at == kSlurm.end() ? nullptr : &*at;
}

/// A weight as it would be if weights could be fractions.
struct Weighed {
  std::string_view name;
  double value = 0;
};

class SlurmFile {
 public:
  SlurmFile(const SlurmConf& conf, const SlurmAccounts& database)
      : writer_(Source::slurm), conf_(conf), database_(database) {}

  Migration write(std::string_view name) {
    writer_.comment(
        fmt::format("Written by maui --migrate from {}, a file of Slurm{}.", name, cluster()));
    writer_.comment(
        "Slurm keeps its partitions, limits, licences and accounting: what it would not start is "
        "not "
        "started. This says who goes first, and where.");
    server();
    priority();
    classes();
    fairshare();
    accounts();
    backfill();
    preemption();
    nodes();
    elsewhere();
    return writer_.take();
  }

 private:
  std::string cluster() const {
    const auto name = conf_.value("ClusterName");
    return name.empty() ? "" : fmt::format(" (cluster {})", name);
  }

  void head(std::string_view title) {
    writer_.blank();
    writer_.comment(title);
  }

  void lose(std::string_view key, const std::string& value, std::string why) {
    writer_.lose(conf_.line_of(key), fmt::format("{}={}", key, value), std::move(why));
  }

  std::int64_t number_of(std::string_view key) {
    const auto text = conf_.value(key);
    if (text.empty()) return 0;
    const auto number = parse_integer<std::int64_t>(text);
    if (!number || *number < 0 || *number > 4294967295) {
      lose(key, text, "expected a whole number from 0 to 4294967295");
      return 0;
    }
    return *number;
  }

  // --- the server --------------------------------------------------------------------------------

  void server() {
    auto host = conf_.value("SlurmctldHost", conf_.value("ControlMachine", "localhost"));
    host = host.substr(0, host.find_first_of("(,"));
    head(
        "Where it runs: beside slurmctld. TEST says in the log what it would start; NORMAL starts "
        "it.");
    writer_.set("SERVERHOST", host.empty() ? "localhost" : host);
    for (const auto& backup : conf_.backups)
      writer_.lose(backup.line, "SlurmctldHost=" + backup.text,
                   "SERVERHOST may name several hosts where they share a home directory, and maui "
                   "--standby runs on each (manual, two-heads.md)");
    writer_.set("SERVERMODE", "TEST");
    writer_.set("ADMIN1", "root");
    writer_.set("RMCFG[slurm]", "TYPE=SLURM TIMEOUT=15");
    writer_.set("RMPOLLINTERVAL", "0:00:30");
    writer_.set("LOGLEVEL", "3");
    writer_.comment("Slurm itself ends who exceeds a limit.");
    writer_.set("JOBMAXOVERRUN", "0:05:00");
  }

  // --- priority ----------------------------------------------------------------------------------

  struct Machine {
    double procs = 0, memory = 0;
  };

  Machine machine() const {
    Machine all;
    for (const auto& node : conf_.nodes) {
      const auto count = static_cast<double>(count_hosts(node.name));
      const auto one = [&](std::string_view key, std::int64_t otherwise) {
        return parse_integer<std::int64_t>(node.value(key)).value_or(otherwise);
      };
      const auto sockets = one("Sockets", one("Boards", 1) * one("SocketsPerBoard", 1));
      const auto procs = one("CPUs", sockets * one("CoresPerSocket", 1) * one("ThreadsPerCore", 1));
      all.procs += count * static_cast<double>(procs);
      all.memory += count * static_cast<double>(one("RealMemory", 1));
    }
    return all;
  }

  double most_job_factor() const {
    double most = 0;
    for (const auto& partition : conf_.partitions)
      most = std::max(most, parse_number(partition.value("PriorityJobFactor", "0")).value_or(0));
    return most;
  }

  void priority() {
    head("Who goes first.");
    if (!same_word(conf_.value("PriorityType", "priority/basic"), "priority/multifactor")) {
      writer_.comment("PriorityType=priority/basic: in the order of arrival.");
      writer_.set("QUEUETIMEWEIGHT", 1);
      return;
    }
    const Machine all = machine();
    const auto max_age = parse_slurm_time(conf_.value("PriorityMaxAge", "7-0"));
    if (!max_age) lose("PriorityMaxAge", conf_.value("PriorityMaxAge"), max_age.error().what);
    age_minutes_ = std::max<std::int64_t>(1, (max_age ? max_age->raw() : 7 * 86400) / 60);
    std::vector<Weighed> weights;
    const auto add = [&](std::string_view name, double value) {
      if (value != 0) weights.push_back({name, value});
    };
    const auto age = static_cast<double>(number_of("PriorityWeightAge"));
    add("QUEUETIMEWEIGHT", age / static_cast<double>(age_minutes_));
    const auto fair = static_cast<double>(number_of("PriorityWeightFairshare"));
    add("FSUSERWEIGHT", fair / 100);
    add("FSACCOUNTWEIGHT", fair / 100);
    sizes(all, add);
    const auto factor = most_job_factor();
    const auto partition = static_cast<double>(number_of("PriorityWeightPartition"));
    if (factor > 0) add("CLASSWEIGHT", partition / factor);
    const auto qos = static_cast<double>(number_of("PriorityWeightQOS"));
    add("QOSWEIGHT", qos / 1000);
    const auto assoc = static_cast<double>(number_of("PriorityWeightAssoc"));
    add("ACCOUNTWEIGHT", assoc / 1000);
    add("USERWEIGHT", assoc / 1000);
    write_weights(weights);
    if (age > 0) {
      writer_.comment("PriorityMaxAge: a longer wait counts no more; in minutes.");
      writer_.set("QUEUETIMECAP", age_minutes_);
    } else {
      writer_.set("QUEUETIMEWEIGHT", 0);
    }
    if (qos > 0 && !database_.has_qos())
      writer_.lose(
          conf_.line_of("PriorityWeightQOS"), "priorities of QOS",
          "they are in Slurm's database: give what `sacctmgr -P show qos` prints with --sacctmgr");
    if (assoc > 0 && !database_.has_associations())
      writer_.lose(
          conf_.line_of("PriorityWeightAssoc"), "priorities of associations",
          "they are in Slurm's database: give what `sacctmgr dump` writes with --sacctmgr");
    flags();
  }

  template <class Add>
  void sizes(const Machine& all, const Add& add) {
    auto per_proc = 0.0;
    const auto size = static_cast<double>(number_of("PriorityWeightJobSize"));
    const bool small = same_word(conf_.value("PriorityFavorSmall", "NO"), "YES");
    if (size > 0 && all.procs > 0) per_proc += (small ? -size : size) / all.procs;
    const auto tres = conf_.value("PriorityWeightTRES");
    for (const auto item : split(tres, ',')) {
      if (item.empty()) continue;
      const auto equals = item.find('=');
      const auto name = lower(item.substr(0, equals));
      const auto weight =
          equals == item.npos ? std::nullopt : parse_number(item.substr(equals + 1));
      if (name == "cpu" && weight && all.procs > 0)
        per_proc += *weight / all.procs;
      else if (name == "mem" && weight && all.memory > 0)
        add("MEMWEIGHT", *weight / all.memory);
      else
        lose("PriorityWeightTRES", std::string(item), "only processors and memory have weights");
    }
    add("PROCWEIGHT", per_proc);
    if (size > 0 && all.procs == 0)
      lose("PriorityWeightJobSize", conf_.value("PriorityWeightJobSize"),
           "how many processors there are is not in this file: no NodeName names them");
    if (per_proc < 0) {
      writer_.comment("PriorityFavorSmall=YES: every processor asked for takes something away.");
      writer_.set("ENABLENEGJOBPRIORITY", "TRUE");
    }
  }

  /// Whole numbers, no more than a twentieth beside what they stand for, as far as a million goes.
  void write_weights(const std::vector<Weighed>& weights) {
    double least = 0, most = 0;
    for (const auto& one : weights) {
      const auto size = std::abs(one.value);
      least = least == 0 ? size : std::min(least, size);
      most = std::max(most, size);
    }
    double scale = 1;
    while (least * scale < 10 && most * scale < 1e5) scale *= 10;
    while (most * scale > 1e6) scale /= 10;
    if (!weights.empty() && scale != 1)
      writer_.comment(
          fmt::format("Slurm's weights, times {} so that they are whole numbers.", scale));
    for (const auto& one : weights) {
      const auto weight = std::llround(one.value * scale);
      if (weight == 0)
        writer_.lose(0, std::string(one.name), "beside the other weights it would count nothing");
      else
        writer_.set(one.name, weight);
    }
  }

  void flags() {
    const auto all = conf_.value("PriorityFlags");
    for (const auto flag : split(all, ',')) {
      if (flag.empty() || same_word(flag, "NONE")) continue;
      if (same_word(flag, "ACCRUE_ALWAYS")) {
        writer_.comment("PriorityFlags=ACCRUE_ALWAYS: jobs gain by waiting, whatever keeps them.");
        writer_.set("JOBPRIOACCRUALPOLICY", "ALWAYS");
      } else if (same_word(flag, "NO_NORMAL_ALL")) {
        continue;  // weights count for the values themselves here
      } else {
        lose("PriorityFlags", std::string(flag), "nothing here has such a rule");
      }
    }
    if (const auto plugin = conf_.value("PrioritySiteFactorPlugin"); !plugin.empty())
      lose("PrioritySiteFactorPlugin", plugin, "PRIORITYPROGRAM asks a program of your own");
  }

  // --- partitions --------------------------------------------------------------------------------

  void classes() {
    const bool weighed = number_of("PriorityWeightPartition") > 0 && most_job_factor() > 0;
    std::set<std::int64_t> tiers;
    for (const auto& partition : conf_.partitions) tiers.insert(tier(partition));
    const bool tiered = tiers.size() > 1;
    bool begun = false;
    for (const auto& partition : conf_.partitions) {
      // Slurm's own default is 1, which matters beside others alone.
      const auto factor =
          weighed ? parse_integer<std::int64_t>(
                        partition.value("PriorityJobFactor", most_job_factor() > 1 ? "1" : "0"))
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
                     "say NODECFG[NODE] ACCESS=SINGLEUSER of its nodes");
      if (const auto share = partition.value("OverSubscribe", partition.value("Shared"));
          upper(share).starts_with("FORCE") || upper(share).starts_with("YES"))
        writer_.lose(
            partition.line, fmt::format("PartitionName={} OverSubscribe={}", partition.name, share),
            "processors are never given twice; the gate refuses jobs for OverSubscribe=FORCE:n");
    }
    if (tiered)
      writer_.lose(0, fmt::format("PriorityTier of {}", partitions_of_tier(*tiers.rbegin())),
                   "its jobs go before all others in Slurm; here they do where CLASSCFG[NAME] "
                   "PRIORITY= and CLASSWEIGHT say so");
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
    head("Fairshare: processor time that was given, of which the older counts less.");
    writer_.set("FSPOLICY", "DEDICATEDPS");
    if (!half) lose("PriorityDecayHalfLife", text, half.error().what);
    if (half && half->raw() == 0) {
      const auto reset = conf_.value("PriorityUsageResetPeriod", "NONE");
      writer_.comment(
          fmt::format("PriorityDecayHalfLife=0: nothing fades. PriorityUsageResetPeriod={}; here "
                      "the last four weeks count.",
                      reset));
      writer_.set("FSINTERVAL", "24:00:00");
      writer_.set("FSDEPTH", 28);
      writer_.set("FSDECAY", "1.0");
      if (!same_word(reset, "NONE"))
        lose("PriorityUsageResetPeriod", reset,
             "use is never forgotten at once: FSDEPTH windows count");
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
        "What each is meant to have, in per cent of the machine: shares are in Slurm's database, "
        "which --sacctmgr has.");
    writer_.line("#ACCOUNTCFG[NAME]     FSTARGET=25");
    writer_.lose(conf_.line_of("PriorityWeightFairshare"), "shares of accounts and users",
                 "they are in Slurm's database: give what `sacctmgr dump` writes with --sacctmgr");
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
    head("Backfill: what starts early may delay no reservation.");
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
      } else if (is_one_of(name, kOwn)) {
        own.emplace_back(trimmed(item));
      } else if (const auto* row = find_slurm(name); row != nullptr || !is_one_of(name, kOfGate)) {
        writer_.lose(conf_.line_of("SchedulerParameters"), std::string(item),
                     row != nullptr ? std::string(row->why) : "nothing here has such a setting");
      }
    }
    if (!own.empty())
      writer_.lose(conf_.line_of("SchedulerParameters"), join(own, ","),
                   "Slurm's own: add it to the line SchedulerParameters of slurm.conf.maui, which "
                   "stands in place of this one");
    writer_.comment(
        depth ? "bf_job_part_count_reserve"
              : "Slurm reserves for every job that it looks at; here for the first ones.");
    writer_.set("RESERVATIONDEPTH", depth.value_or(5));
  }

  void limit(std::string_view item, std::string_view of, std::int64_t most) {
    writer_.comment(fmt::format("{}: idle jobs beyond so many are not looked at.", item));
    writer_.set(of, fmt::format("MAXIJOB={}", most));
  }

  static bool is_one_of(std::string_view name, std::string_view all) {
    const auto known = words(all);
    return std::any_of(known.begin(), known.end(),
                       [&](std::string_view one) { return same_word(one, name); });
  }

  // --- preemption --------------------------------------------------------------------------------

  void preemption() {
    const auto type = conf_.value("PreemptType", "preempt/none");
    if (same_word(type, "preempt/none")) return;
    head(fmt::format("PreemptType={}", type));
    auto mode = upper(conf_.value("PreemptMode", "OFF"));
    if (const auto gang = mode.find("GANG"); gang != mode.npos) {
      lose("PreemptMode", mode, "jobs do not take turns on processors: GANG is left out");
      mode = mode.find("SUSPEND") != mode.npos ? "SUSPEND" : "REQUEUE";
    }
    if (mode == "CANCEL")
      lose("PreemptMode", mode,
           "a job that is preempted is requeued or suspended, never cancelled");
    writer_.set("PREEMPTIONPOLICY", mode == "SUSPEND" ? "SUSPEND" : "REQUEUE");
    writer_.comment("slurm.conf must have PreemptMode=OFF then: maui chooses the victims.");
    if (const auto grace = conf_.value("PreemptExemptTime"); !grace.empty())
      lose("PreemptExemptTime", grace, "a victim has no time of grace");
    if (type.find("qos") != std::string::npos) {
      if (database_.has_qos()) return;
      writer_.line("#QOSCFG[NAME]         QFLAGS=PREEMPTOR");
      writer_.line("#QOSCFG[NAME]         QFLAGS=PREEMPTEE");
      lose("PreemptType", type,
           "which QOS may preempt which is in Slurm's database: give what `sacctmgr -P show qos` "
           "prints with --sacctmgr");
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
                     "there are preemptors and preemptees, and nothing between them");
    }
    if (low == high)
      lose("PreemptType", type, "all partitions have one PriorityTier: none preempts another");
  }

  // --- nodes -------------------------------------------------------------------------------------

  void nodes() {
    head("Nodes.");
    const bool whole = same_word(conf_.value("SelectType"), "select/linear");
    writer_.comment(whole ? "SelectType=select/linear: whole nodes."
                          : "Jobs share nodes, but not processors.");
    writer_.set("NODEACCESSPOLICY", whole ? "SINGLEJOB" : "SHARED");
    std::set<std::string> weights;
    for (const auto& node : conf_.nodes) weights.insert(node.value("Weight", "1"));
    if (weights.size() > 1) {
      writer_.comment("Weight of nodes: the lowest first, so the highest PRIORITY.");
      writer_.set("NODEALLOCATIONPOLICY", "PRIORITY");
      for (const auto& node : conf_.nodes) weigh(node);
    }
    if (const auto plugin = conf_.value("TopologyPlugin");
        !plugin.empty() && plugin.find("none") == std::string::npos &&
        plugin.find("default") == std::string::npos)
      lose("TopologyPlugin", plugin,
           "switches are not seen: features of nodes (NODESETPOLICY, NODESETATTRIBUTE FEATURE) "
           "make sets");
  }

  void weigh(const SlurmRecord& node) {
    const auto weight = parse_integer<std::int64_t>(node.value("Weight", "1"));
    const auto text = fmt::format("NodeName={} Weight={}", node.name, node.value("Weight"));
    if (!weight || *weight < 0 || *weight > 1000000000) {
      writer_.lose(node.line, text, "expected a whole number of at most a billion");
      return;
    }
    if (named_ + count_hosts(node.name) > kMostNodes) {
      writer_.lose(node.line, text,
                   "these are too many nodes to name: say NODECFG[NAME] PRIORITY=");
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
      for (const auto& one : *names)
        writer_.set(fmt::format("NODECFG[{}]", one), fmt::format("PRIORITY={}", -*weight));
    }
  }

  // --- what is elsewhere -------------------------------------------------------------------------

  void elsewhere() {
    for (const auto& file : conf_.includes)
      writer_.lose(file.line, "include " + file.text,
                   "the file was not read: put its lines in place of this one");
    for (const auto& line : conf_.unread)
      writer_.lose(line.line, line.text, "no line of slurm.conf: expected NAME=VALUE");
    if (const auto enforce = conf_.value("AccountingStorageEnforce");
        lower(enforce).find("limits") != std::string::npos)
      writer_.comment(
          "Limits of associations and QOS (AccountingStorageEnforce) are Slurm's, and kept to.");
  }

  Writer writer_;
  const SlurmConf& conf_;
  const SlurmAccounts& database_;
  std::int64_t age_minutes_ = 7 * kMinutesOfDay;
  std::uint64_t named_ = 0;
};

}  // namespace

std::span<const Translation> slurm_translations() { return kSlurm; }

Result<Migration> from_slurm(std::string_view text, std::string_view name,
                             std::span<const NamedText> sacctmgr) {
  const SlurmConf conf = read_slurm_conf(text);
  SlurmAccounts database;
  for (const auto& file : sacctmgr)
    if (const auto read = read_slurm_accounts(file, conf.value("ClusterName"), database); !read)
      return read.error();
  auto made = SlurmFile(conf, database).write(name);
  std::stable_sort(made.losses.begin(), made.losses.end(), [](const Loss& a, const Loss& b) {
    return std::tie(a.file, a.line) < std::tie(b.file, b.line);
  });
  return made;
}

}  // namespace maui::migrate
