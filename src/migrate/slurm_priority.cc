#include "migrate/slurm_priority.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "migrate/slurm_section.h"

namespace maui::migrate {
namespace {

/// A weight before it is rounded to a whole number.
struct Weighed {
  std::string_view name;
  double value = 0;
};

class SlurmPriority : SlurmSection {
 public:
  SlurmPriority(Writer& writer, const SlurmConf& conf, const SlurmAccounts& database)
      : SlurmSection(writer, conf), database_(database) {}

  void write() {
    head("The order of jobs.");
    if (!same_word(conf_.value("PriorityType", "priority/basic"), "priority/multifactor")) {
      writer_.comment("PriorityType=priority/basic: in the order of arrival.");
      writer_.set("QUEUETIMEWEIGHT", 1);
      unused_weights();
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
    const auto factor = most_job_factor(conf_);
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
      writer_.lose(conf_.line_of("PriorityWeightQOS"), "priorities of QOS",
                   "they are in Slurm's database: pass the output of `sacctmgr -P show qos` with "
                   "--sacctmgr");
    if (assoc > 0 && !database_.has_associations())
      writer_.lose(
          conf_.line_of("PriorityWeightAssoc"), "priorities of associations",
          "they are in Slurm's database: pass the output of `sacctmgr dump` with --sacctmgr");
    flags();
  }

 private:
  struct Machine {
    double procs = 0, memory = 0;
  };

  Machine machine() const {
    Machine all;
    for (const auto& node : conf_.nodes) {
      const auto count = static_cast<double>(count_nodes(node));
      const auto count_of = [&](std::string_view key, std::int64_t otherwise) {
        return parse_integer<std::int64_t>(node.value(key)).value_or(otherwise);
      };
      const auto sockets =
          count_of("Sockets", count_of("Boards", 1) * count_of("SocketsPerBoard", 1));
      const auto procs =
          count_of("CPUs", sockets * count_of("CoresPerSocket", 1) * count_of("ThreadsPerCore", 1));
      all.procs += count * static_cast<double>(procs);
      all.memory += count * static_cast<double>(count_of("RealMemory", 1));
    }
    return all;
  }

  /// Reports weights without PriorityType: whether they apply depends on the release of Slurm.
  void unused_weights() {
    if (!conf_.value("PriorityType").empty()) return;
    for (const char* name : {"PriorityWeightAge", "PriorityWeightAssoc", "PriorityWeightFairshare",
                             "PriorityWeightJobSize", "PriorityWeightPartition",
                             "PriorityWeightQOS", "PriorityWeightTRES"})
      if (const auto value = conf_.value(name, "0"); value != "0")
        lose(name, value,
             "PriorityType is not set: if `scontrol show config` shows priority/multifactor, write "
             "that into the file and migrate it again");
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
           "this file does not give the number of processors: it has no NodeName");
    if (per_proc < 0) {
      writer_.comment("PriorityFavorSmall=YES: every requested processor lowers the priority.");
      writer_.set("ENABLENEGJOBPRIORITY", "TRUE");
    }
  }

  /// Rounds weights with an error of at most a twentieth, as far as weights up to a million allow.
  void write_weights(const std::vector<Weighed>& weights) {
    double least = 0, most = 0;
    for (const auto& weighed : weights) {
      const auto size = std::abs(weighed.value);
      least = least == 0 ? size : std::min(least, size);
      most = std::max(most, size);
    }
    double scale = 1;
    while (least * scale < 10 && most * scale < 1e5) scale *= 10;
    while (most * scale > 1e6) scale /= 10;
    if (!weights.empty() && scale != 1)
      writer_.comment(
          fmt::format("Slurm's weights, times {} so that they are whole numbers.", scale));
    for (const auto& weighed : weights) {
      const auto weight = std::llround(weighed.value * scale);
      if (weight == 0)
        writer_.lose(0, std::string(weighed.name),
                     "beside the other weights it would have no effect");
      else
        writer_.set(weighed.name, weight);
    }
  }

  void flags() {
    const auto all = conf_.value("PriorityFlags");
    for (const auto flag : split(all, ',')) {
      if (flag.empty() || same_word(flag, "NONE")) continue;
      if (same_word(flag, "ACCRUE_ALWAYS")) {
        writer_.comment(
            "PriorityFlags=ACCRUE_ALWAYS: jobs gain priority while they wait, for whatever "
            "reason.");
        writer_.set("JOBPRIOACCRUALPOLICY", "ALWAYS");
      } else if (same_word(flag, "NO_NORMAL_ALL")) {
        continue;  // weights here always apply to values as they are
      } else {
        lose("PriorityFlags", std::string(flag), "maui has no such rule");
      }
    }
    if (const auto plugin = conf_.value("PrioritySiteFactorPlugin"); !plugin.empty())
      lose("PrioritySiteFactorPlugin", plugin, "PRIORITYPROGRAM asks a program of your own");
  }

  static constexpr int kMinutesOfDay = 1440;

  const SlurmAccounts& database_;
  std::int64_t age_minutes_ = 7 * kMinutesOfDay;
};

}  // namespace

void write_slurm_priority(Writer& writer, const SlurmConf& conf, const SlurmAccounts& database) {
  SlurmPriority(writer, conf, database).write();
}

double most_job_factor(const SlurmConf& conf) {
  double most = 0;
  for (const auto& partition : conf.partitions)
    most = std::max(most, parse_number(partition.value("PriorityJobFactor", "0")).value_or(0));
  return most;
}

}  // namespace maui::migrate
