#include "slurm/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/text.h"
#include "rm/slurm_reason.h"
#include "slurm/lists.h"
#include "slurm/shape.h"

namespace maui::slurm {
namespace {

// Ends the search if the parents of associations form a circle.
constexpr int kDeepest = 100;

std::string key_of(const Association& association) {
  return fmt::format("assoc:{}", association.id);
}
std::string key_of(const Qos& qos) { return "qos:" + qos.name; }
std::string user_key(const Qos& qos, const Job& job) {
  return fmt::format("user:{}:{}", qos.name, job.user);
}
std::string account_key(const Qos& qos, const Job& job) {
  return fmt::format("account:{}:{}", qos.name, job.account);
}

/// Returns the limits of an association, without those that a QOS overrides.
Quota without(Quota quota, const Quota& said) {
  if (said.jobs) quota.jobs.reset();
  if (said.cpus) quota.cpus.reset();
  if (said.nodes) quota.nodes.reset();
  if (said.memory) quota.memory.reset();
  return quota;
}

Hindrance too_long(const Job& job, const std::optional<std::uint32_t>& wall,
                   const std::string& whose) {
  if (!wall || (job.limit && *job.limit <= *wall) || (!job.limit && !job.unlimited)) return {};
  return {fmt::format("{} allows jobs of at most {}", whose, counted(*wall, "minute")), false};
}

}  // namespace

bool limit_refused(const Cluster& cluster) {
  return std::any_of(cluster.jobs.begin(), cluster.jobs.end(), [](const Job& job) {
    return job.pending() && job.het_job == 0 && job.priority != 0 && is_limit(job.reason);
  });
}

LimitUse::LimitUse(const Cluster& cluster) : cluster_(cluster) {
  const auto& accounting = cluster.accounting;
  if (accounting.associations.empty() && accounting.qos.empty()) return;
  for (const Node& node : cluster.nodes) {
    cpus_.emplace(node.name, node.cpus);
    least_cpus_ = cpus_.size() == 1 ? node.cpus : std::min(least_cpus_, node.cpus);
    most_cpus_ = std::max(most_cpus_, node.cpus);
  }
  for (const Job& job : cluster.jobs)
    if (job.active() || (job.pending() && job.priority != 0 && !job.completing)) add(job);
}

// For a job that was started, the nodes are known; for other jobs, the least possible use is
// counted.
LimitUse::Use LimitUse::use_of(const Job& job) const {
  Use use{1, std::max(job.cpus, product(job.tasks, std::max(1, job.cpus_per_task))),
          std::max(1, job.min_nodes), 0};
  const auto& hosts = job.nodes.empty() && job.priority != 0 ? job.required_nodes : job.nodes;
  const auto places = host_names(hosts);
  if (!places.empty()) use.nodes = static_cast<std::int64_t>(places.size());
  if (!job.cpus_on_nodes.empty())
    use.cpus = std::accumulate(job.cpus_on_nodes.begin(), job.cpus_on_nodes.end(), std::int64_t{0});
  else if (job.exclusive)
    take_whole_nodes(places, use);
  use.memory = job.memory * (job.memory_per_cpu ? use.cpus : use.nodes);
  return use;
}

// Counts all CPUs of these nodes, or of as many nodes as the job must have.
void LimitUse::take_whole_nodes(const std::vector<std::string>& places, Use& use) const {
  if (places.empty()) use.nodes = std::max(use.nodes, (use.cpus + most_cpus_ - 1) / most_cpus_);
  std::int64_t sum = places.empty() ? use.nodes * least_cpus_ : 0;
  for (const auto& name : places)
    if (const auto node = cpus_.find(name); node != cpus_.end()) sum += node->second;
  use.cpus = std::max(use.cpus, sum);
}

void LimitUse::add(const Job& job) {
  const Use use = use_of(job);
  const auto count = [&](const std::string& key) {
    Use& sum = use_[key];
    sum.jobs += use.jobs;
    sum.cpus += use.cpus;
    sum.nodes += use.nodes;
    sum.memory += use.memory;
  };
  for (const Qos* qos : qos_of(job, job.partition)) {
    count(key_of(*qos));
    count(user_key(*qos, job));
    count(account_key(*qos, job));
  }
  for (const Association* association : chain_of(job)) count(key_of(*association));
}

const Qos* LimitUse::find_qos(const std::string& name) const {
  const auto& all = cluster_.accounting.qos;
  const auto at =
      std::find_if(all.begin(), all.end(), [&](const Qos& q) { return q.name == name; });
  return name.empty() || at == all.end() ? nullptr : &*at;
}

// Returns the job's own QOS, and those of the partitions, each once.
std::vector<const Qos*> LimitUse::qos_of(const Job& job, std::string_view partitions) const {
  std::vector<const Qos*> all;
  if (const Qos* own = find_qos(job.qos)) all.push_back(own);
  const auto names = split(partitions, ',');
  for (const Partition& partition : cluster_.partitions) {
    if (std::find(names.begin(), names.end(), partition.name) == names.end()) continue;
    const Qos* qos = find_qos(partition.qos);
    if (qos != nullptr && std::find(all.begin(), all.end(), qos) == all.end()) all.push_back(qos);
  }
  return all;
}

// Returns the job's association and all associations above it.
std::vector<const Association*> LimitUse::chain_of(const Job& job) const {
  std::vector<const Association*> chain;
  const auto& all = cluster_.accounting.associations;
  for (auto id = job.association; id != 0 && chain.size() < kDeepest;) {
    const auto at = std::find_if(all.begin(), all.end(), [&](const Association& association) {
      return association.id == id;
    });
    if (at == all.end()) break;
    chain.push_back(&*at);
    id = at->parent;
  }
  return chain;
}

const LimitUse::Use& LimitUse::used(const std::string& key) const {
  static const Use kNothing;
  const auto at = use_.find(key);
  return at == use_.end() ? kNothing : at->second;
}

// `whose`: the start of the message, as in "QOS 'high' has".  A request above the whole quota never
// fits.  A quota of 0, however, is taken as temporary: somebody has closed access for a while.
Hindrance LimitUse::beyond(const Quota& quota, const Use& used, const Use& more,
                           const std::string& whose) {
  constexpr std::string_view kMegabytes = "MB";
  const auto over = [&](const std::optional<std::int64_t>& most, std::int64_t have,
                        std::int64_t add, std::string_view what) -> Hindrance {
    if (!most || have + add <= *most) return {};
    const auto limit =
        what == kMegabytes ? fmt::format("{} {}", *most, what) : counted(*most, what);
    if (add > *most && *most > 0)
      return {fmt::format("{} {} at once, and the job asks for {}", whose, limit, add), false};
    return {fmt::format("{} {} at once, and {} {} used", whose, limit, have,
                        by_number(have, "is", "are"))};
  };
  for (auto why : {over(quota.jobs, used.jobs, more.jobs, "job"),
                   over(quota.cpus, used.cpus, more.cpus, "CPU"),
                   over(quota.nodes, used.nodes, more.nodes, "node"),
                   over(quota.memory, used.memory, more.memory, kMegabytes)})
    if (why) return why;
  return {};
}

Hindrance LimitUse::exceeded_in(const Qos& qos, const Job& job, const Use& more) const {
  const auto name = fmt::format("Slurm's QOS '{}'", qos.name);
  if (auto why = beyond(qos.each, {}, more, name + " gives each job")) return why;
  if (auto why = too_long(job, qos.wall, name)) return why;
  if (auto why = beyond(qos.together, used(key_of(qos)), more, name + " has")) return why;
  if (auto why = beyond(qos.user, used(user_key(qos, job)), more, name + " gives each user"))
    return why;
  return beyond(qos.account, used(account_key(qos, job)), more, name + " gives each account");
}

Hindrance LimitUse::exceeded_in(const Association& association, bool own, const Job& job,
                                const Quota& by_qos) const {
  const Use more = use_of(job);
  constexpr const char* kName = "Slurm's association of the job";
  Quota each = without(association.each, by_qos);
  each.jobs.reset();
  if (auto why = beyond(each, {}, more, fmt::format("{} gives each job", kName))) return why;
  if (auto why = too_long(job, association.wall, kName)) return why;
  const Quota jobs{own && !by_qos.jobs ? association.jobs : std::nullopt, {}, {}, {}};
  for (const Quota& quota : {jobs, without(association.together, by_qos)})
    if (auto why = beyond(quota, used(key_of(association)), more, fmt::format("{} has", kName)))
      return why;
  return {};
}

Hindrance LimitUse::exceeded_by(const Job& job, const std::vector<std::string>& partitions) const {
  const auto& accounting = cluster_.accounting;
  if (accounting.associations.empty() && accounting.qos.empty()) return {};
  if (partitions.empty()) return exceeded_in(std::string_view(), job);
  Hindrance found;
  for (const auto& partition : partitions) {
    auto why = exceeded_in(partition, job);
    if (!why) return {};
    if (!found || (why.passes && !found.passes)) found = std::move(why);
  }
  return found;
}

Hindrance LimitUse::exceeded_in(std::string_view partition, const Job& job) const {
  Quota by_qos;
  const auto take = [](auto& into, const auto& from) {
    if (from) into = from;
  };
  for (const Qos* qos : qos_of(job, partition)) {
    if (auto why = exceeded_in(*qos, job, use_of(job))) return why;
    for (const Quota* quota : {&qos->together, &qos->user, &qos->account, &qos->each}) {
      take(by_qos.jobs, quota->jobs);
      take(by_qos.cpus, quota->cpus);
      take(by_qos.nodes, quota->nodes);
      take(by_qos.memory, quota->memory);
    }
  }
  bool own = true;
  for (const Association* association : chain_of(job))
    if (auto why = exceeded_in(*association, std::exchange(own, false), job, by_qos)) return why;
  return {};
}

}  // namespace maui::slurm
