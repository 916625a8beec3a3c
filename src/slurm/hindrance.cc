#include "slurm/hindrance.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "model/job_extensions.h"
#include "slurm/gres.h"

namespace maui::slurm {
namespace {

bool among(const std::string& list, const std::string& name) {
  if (name.empty()) return false;
  const auto names = split(list, ',');
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view item) { return same_word(trimmed(item), name); });
}

// Returns true if a partition admits a name: the allowed list has it, or else no list denies it.
bool lets_in(const std::string& allowed, const std::string& denied, const std::string& name) {
  return allowed.empty() ? !among(denied, name) : among(allowed, name);
}

Hindrance keeps_out(const Partition& partition, const Job& job, const Surroundings& all) {
  const auto name = fmt::format("partition '{}'", partition.name);
  const auto qos =
      std::find_if(all.cluster.accounting.qos.begin(), all.cluster.accounting.qos.end(),
                   [&](const Qos& candidate) { return candidate.name == job.qos; });
  const bool known = qos != all.cluster.accounting.qos.end();
  const auto minutes = job.unlimited ? std::nullopt : job.limit;
  const bool too_long =
      partition.most && (job.unlimited || (minutes && *minutes > *partition.most));
  if (too_long && !(known && qos->passes_time_limit))
    return {fmt::format("{} allows jobs of at most {}", name, counted(*partition.most, "minute")),
            false};
  if (partition.most_nodes && job.min_nodes > *partition.most_nodes &&
      !(known && qos->passes_node_limit))
    return {
        fmt::format("{} allows jobs of at most {}", name, counted(*partition.most_nodes, "node")),
        false};
  if (!lets_in(partition.accounts, partition.denied_accounts, job.account))
    return {fmt::format("{} does not allow account '{}'", name, job.account), false};
  if (!lets_in(partition.all_qos, partition.denied_qos, job.qos))
    return {fmt::format("{} does not allow QOS '{}'", name, job.qos), false};
  if (!partition.up) return {fmt::format("{} is down", name)};
  return {};
}

/// Returns the number of licences that Slurm keeps for other reservations that are in force while
/// the job would run.
std::int64_t kept_licenses(std::string_view name, const Job& job, const Surroundings& all) {
  const auto limit = all.limit_of(job);
  const Time end = limit ? all.now + Seconds(std::int64_t{*limit} * 60) : kForever;
  std::int64_t kept = 0;
  for (const Reservation& reservation : all.cluster.reservations) {
    if (reservation.licenses.empty() || reservation.start >= end || reservation.end <= all.now)
      continue;
    if (among(job.reservation, reservation.name)) continue;
    for (const auto& [license, count] : licenses(reservation.licenses))
      if (license == name) kept += count;
  }
  return kept;
}

Hindrance by_license(const Job& job, const Surroundings& all) {
  for (const auto& [name, count] : licenses(job.licenses)) {
    const auto at = all.free_licenses.find(name);
    auto free = at == all.free_licenses.end() ? 0 : at->second;
    if (free >= count) free -= kept_licenses(name, job, all);
    if (free >= count) continue;
    free = std::max(std::int64_t{0}, free);
    const auto& known = all.cluster.licenses;
    const auto total = std::find_if(known.begin(), known.end(),
                                    [&name = name](const License& l) { return l.name == name; });
    return {fmt::format("it waits for {} '{}', of which {} {} free", counted(count, "licence"),
                        name, free, by_number(free, "is", "are")),
            total == known.end() || total->total >= count};
  }
  return {};
}

Hindrance by_dependency(const Job& job, const Surroundings& all) {
  switch (fulfilment(job, all.jobs, all.now)) {
    case Fulfilment::open:
      return {fmt::format("it waits for {}", job.dependency)};
    case Fulfilment::never:
      return {fmt::format("its dependency {} can never be met", job.dependency), false};
    case Fulfilment::met:
      break;
  }
  return {};
}

Hindrance by_size(const Job& job, const Surroundings&) {
  const int tasks = std::max(job.tasks, job.min_nodes);
  if (tasks <= kMostJobTasks) return {};
  return {fmt::format("it requests {} tasks, and a job has at most {}", tasks, kMostJobTasks),
          false};
}

Hindrance by_features(const Job& job, const Surroundings& all) {
  const auto& wish = all.wish_of(job);
  if (!wish) return {wish.error().what, false};
  if (wish->counted_nodes() > all.largest.nodes)
    return {fmt::format("its constraint '{}' requests {}, but there {} only {}", job.features,
                        counted(wish->counted_nodes(), "node"),
                        by_number(all.largest.nodes, "is", "are"), all.largest.nodes),
            false};
  if (wish->has_alternatives && wish->alternatives.empty())
    return {fmt::format("no node meets its constraint '{}'", job.features), false};
  return {};
}

Hindrance by_reservation(const Job& job, const Surroundings& all) {
  if (job.reservation.empty()) return {};
  const auto* used = all.reservation_of(job);
  if (used == nullptr)
    return {fmt::format("Slurm's reservation '{}' is over", job.reservation), false};
  // If the reservation has nodes, the plan observes its times.
  if (!used->nodes.empty() || used->start <= all.now) return {};
  return {fmt::format("Slurm's reservation '{}' has not begun", used->name)};
}

Hindrance by_array(const Job& job, const Surroundings& all) {
  const auto limit = static_cast<int>(job.array_limit);
  if (limit == 0) return {};
  const auto since = all.started_tasks.find(job.array_job);
  const int more = since == all.started_tasks.end() ? 0 : since->second;
  if (all.jobs.active_tasks(job.array_job) + more < limit) return {};
  return {"its array has reached its limit of " + counted(limit, "running task")};
}

}  // namespace

Surroundings::Surroundings(const Cluster& cluster_, Time now_)
    : cluster(cluster_), jobs(cluster_.jobs), limits(cluster_), now(now_), largest(cluster_) {
  for (const License& license : cluster.licenses) free_licenses[license.name] = license.available;
  for (const Job& job : cluster.jobs) {
    if (job.pending() && job.priority != 0)  // these jobs are about to take them
      for (const auto& [name, count] : licenses(job.licenses)) free_licenses[name] -= count;
    if (job.active() && !job.reservation.empty()) used_cpus_[job.reservation] += job.cpus;
  }
}

const Reservation* Surroundings::reservation_of(const Job& job) const {
  const Reservation* later = nullptr;
  if (job.reservation.empty()) return later;
  const Seconds length{std::int64_t{limit_of(job).value_or(0)} * 60};
  for (const auto name : split(job.reservation, ',')) {
    const auto reservation =
        std::find_if(cluster.reservations.begin(), cluster.reservations.end(),
                     [&](const Reservation& r) { return r.name == trimmed(name); });
    if (reservation == cluster.reservations.end() || reservation->end <= now) continue;
    const auto used = used_cpus_.find(reservation->name);
    const std::int64_t left = reservation->cores - (used == used_cpus_.end() ? 0 : used->second);
    const bool room = reservation->nodes.empty() || reservation->cores == 0 || left >= job.cpus;
    if (room && reservation->start <= now && now + length <= reservation->end) return &*reservation;
    if (later == nullptr) later = &*reservation;
  }
  return later;
}

std::optional<std::uint32_t> Surroundings::limit_of(const Job& job) const {
  if (job.limit || job.unlimited) return job.limit;
  std::optional<std::uint32_t> greatest;
  const auto names = split(job.partition, ',');
  for (const Partition& partition : cluster.partitions) {
    if (std::find(names.begin(), names.end(), partition.name) == names.end()) continue;
    const auto limit = partition.default_limit ? partition.default_limit : partition.most;
    if (!limit) return std::nullopt;
    greatest = std::max(greatest, limit);
  }
  return greatest;
}

void Surroundings::started(const Job& job) {
  for (const auto& [name, count] : licenses(job.licenses)) free_licenses[name] -= count;
  if (job.array_job != 0) ++started_tasks[job.array_job];
  limits.add(job);
}

const Result<FeatureWish>& Surroundings::wish_of(const Job& job) const {
  const auto known = wishes_.find(job.features);
  if (known != wishes_.end()) return known->second;
  return wishes_.emplace(job.features, read_features(job.features, cluster.nodes)).first->second;
}

const std::vector<std::string>& Surroundings::nodes_too_small(const Job& job) const {
  const bool by_socket = job.tasks_per_socket > 0;
  const Demand demand{job.min_cpus,
                      job.min_sockets,
                      job.min_cores,
                      job.min_threads,
                      job.tasks_per_socket,
                      by_socket ? job.tasks : 0,
                      by_socket ? job.min_nodes : 0,
                      by_socket ? job.tasks_per_node : 0};
  const auto [at, is_new] = too_small_.try_emplace(demand);
  if (is_new)
    for (const Node& node : cluster.nodes)
      if (!can_serve(node, job, largest)) at->second.push_back(node.name);
  return at->second;
}

std::vector<std::string> usable_partitions(const Job& job, const Surroundings& all,
                                           Hindrance* why) {
  std::vector<std::string> usable;
  for (const auto name : split(job.partition, ',')) {
    const auto& known = all.cluster.partitions;
    const auto at = std::find_if(known.begin(), known.end(), [&](const Partition& partition) {
      return partition.name == name;
    });
    if (at == known.end()) continue;
    auto out = keeps_out(*at, job, all);
    if (!out)
      usable.emplace_back(name);
    else if (why != nullptr && (!*why || (out.passes && !why->passes)))
      *why = std::move(out);
  }
  return usable;
}

Hindrance hindrance_of(const Job& job, const Surroundings& all) {
  if (job.completing) return {"its previous run is still completing"};
  if (job.het_job != 0) return {"Slurm itself starts heterogeneous jobs"};
  for (const auto rule : {by_size, by_features, by_reservation, by_dependency, by_array})
    if (auto why = rule(job, all)) return why;
  Hindrance out;
  const auto usable = usable_partitions(job, all, &out);
  if (usable.empty() && out) return out;
  if (auto why = all.limits.exceeded_by(job, usable)) return why;
  return by_license(job, all);
}

}  // namespace maui::slurm
