#include "sched/priority.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sched/credential_attribute.h"
#include "sched/credential_entries.h"
#include "sched/eligibility.h"
#include "sched/fairshare.h"
#include "sched/priority_weights.h"

namespace maui {
namespace {

using P = PrioritySettings;
using S = Subcomponent;
using C = Component;
using K = CredentialKind;

double capped(double value, double cap) { return cap > 0 ? std::min(cap, value) : value; }

// How near a target is: at first almost nothing, then growing with the square of the nearness until
// the target is reached (paper, table 2), and from there on steadily (guide 5.1.2.5).
double nearness(double target, double current) {
  constexpr double kNearest = 0.0001;
  const double left = std::max(kNearest, target - current);
  return 1 / (left * left) + std::max(0.0, current - target);
}

// What is configured in all, for processor equivalents.
struct Totals {
  explicit Totals(const Cluster& cluster) : whole(cluster.configured()) {}
  Resources whole;
};

double sum_of(const Request& request, Resources::Quantity (Resources::*amount)() const) {
  double sum = 0;
  for (const auto& requirement : request.requirements)
    sum += static_cast<double>((requirement.per_task.*amount)()) * requirement.tasks;
  return sum;
}

double equivalents(const Totals& totals, const Request& request) {
  const double procs = totals.whole.procs();
  double share = 0;
  for (const auto amount :
       {&Resources::procs, &Resources::memory, &Resources::disk, &Resources::swap}) {
    const double there = (totals.whole.*amount)();
    if (there > 0) share = std::max(share, sum_of(request, amount) / there);
  }
  return share * procs;
}

// Everything about a cycle that the priority of a job depends on besides the job.
class Judge {
 public:
  Judge(const Cluster& cluster, const Settings& settings, Time now)
      : cluster_(cluster),
        now_(now),
        general_(settings, settings.priority),
        totals_(cluster),
        system_(settings.system),
        qos_(settings.qos, cluster.qos),
        qos_weights_(qos_adds_weight(settings, S::queue_time) ||
                     qos_adds_weight(settings, S::xfactor)) {
    partitions_.resize(cluster.partitions.size());
    for (const auto& [name, changes] : settings.partition_weights)
      if (const auto id = cluster.partitions.find(name); id.valid())
        partitions_[id.index()].emplace(settings, weights_in_partition(settings, changes));
    if (anywhere(C::cred))
      priorities_ = {cluster, settings, &CredentialSettings::priority, settings.system.priority};
    if (anywhere(C::fairshare)) fairshare_ = {cluster, settings};
    if (!anywhere(C::target)) return;
    queue_time_targets_ = {cluster, settings, &CredentialSettings::queue_time_target};
    xfactor_targets_ = {cluster, settings, &CredentialSettings::xfactor_target};
  }

  double queue_minutes(const Job& job) const { return waited(job) / 60.0; }

  double xfactor(const Job& job) const {
    const auto limit = cluster_.request(job.request).limit;
    const auto least = std::max(limit, general_.all.xfactor_min_limit);
    return 1.0 + waited(job) / static_cast<double>(std::max<std::int64_t>(1, least.raw()));
  }

  PriorityBreakdown breakdown(const Job& job) const {
    const PriorityWeights& weights = weights_for(job);
    PriorityBreakdown result;
    std::array<double, kComponents> sums{};
    for (const auto* info : weights.counted) {
      const auto& weighting = weights.all.*info->weighting;
      const double weight = weighting.weight + added_weight(info->subcomponent, job);
      if (weight == 0) continue;
      const double weighted = weight * capped(value(info->subcomponent, job), weighting.cap);
      result.weighted[static_cast<std::size_t>(info->subcomponent)] = weighted;
      sums[static_cast<std::size_t>(info->component)] += weighted;
    }
    for (std::size_t i = 0; i < kComponents; ++i) {
      const auto& weighting = weights.all.*components()[i].weighting;
      result.contribution[i] = weighting.weight * capped(sums[i], weighting.cap);
      result.sum += result.contribution[i];
    }
    adjust(result, job.system_priority);
    return result;
  }

 private:
  bool anywhere(Component component) const {
    return general_.counts(component) ||
           std::any_of(partitions_.begin(), partitions_.end(),
                       [&](const auto& one) { return one && one->counts(component); });
  }

  const PriorityWeights& weights_for(const Job& job) const {
    const auto& allowed = cluster_.request(job.request).partitions;
    if (allowed.size() != 1 || allowed.front().index() >= partitions_.size()) return general_;
    const auto& own = partitions_[allowed.front().index()];
    return own ? *own : general_;
  }

  // Rounded down, bounded, and moved by what an administrator said (guide 5.1.1, 5.1.5).
  void adjust(PriorityBreakdown& result, const SystemPriority& by_hand) const {
    result.system_priority = by_hand.value != 0;
    if (by_hand.absolute && by_hand.value != 0) {
      result.priority = kMaxPriority + by_hand.value;
      return;
    }
    const double sum = result.sum + static_cast<double>(by_hand.value);
    result.rejected = general_.all.reject_negative && sum < 0;
    const double lowest = general_.all.allow_negative ? -static_cast<double>(kMaxPriority) : 0.0;
    result.priority = static_cast<std::int64_t>(
        std::floor(std::clamp(sum, lowest, static_cast<double>(kMaxPriority))));
  }

  static bool runs(const Job& job) { return job.active() || job.suspended(); }

  // Seconds of effective queue time.
  double waited(const Job& job) const {
    return static_cast<double>(((runs(job) ? job.started : now_) - job.queued).raw());
  }

  double added_weight(Subcomponent what, const Job& job) const {
    if (!qos_weights_) return 0;
    const auto* entry = qos_[job.credentials.qos];
    if (!entry) return 0;
    if (what == S::queue_time) return entry->queue_time_weight;
    return what == S::xfactor ? entry->xfactor_weight : 0;
  }

  double priority_of(K kind, const Job& job) const {
    return static_cast<double>(priorities_.of(kind, job.credentials).value_or(0));
  }

  template <class T>
  static std::optional<T> target_of(const CredentialAttribute<T>& targets,
                                    const std::optional<T>& of_system, const Job& job) {
    return tightest<T>([&](CredentialKind kind) { return targets.of(kind, job.credentials); },
                       of_system);
  }

  double target_value(Subcomponent what, const Job& job) const {
    if (what == S::target_xfactor) {
      const auto target = target_of(xfactor_targets_, system_.xfactor_target, job);
      return target ? nearness(*target, xfactor(job)) : 0;
    }
    const auto target = target_of(queue_time_targets_, system_.queue_time_target, job);
    return target ? nearness(static_cast<double>(target->raw()) / 60.0, queue_minutes(job)) : 0;
  }

  double usage_value(Subcomponent what, const Job& job) const {
    if (!runs(job)) return 0;
    const auto& request = cluster_.request(job.request);
    const auto ran = static_cast<double>(std::max<std::int64_t>((now_ - job.started).raw(), 0));
    const auto left = static_cast<double>(std::max<std::int64_t>((job.ends - now_).raw(), 0));
    if (what == S::usage_consumed) return request.total_procs() * ran;
    if (what == S::usage_remaining) return request.total_procs() * left;
    return 100 * ran / static_cast<double>(std::max<std::int64_t>(request.limit.raw(), 1));
  }

  double value(Subcomponent what, const Job& job) const {
    const auto& request = cluster_.request(job.request);
    const auto seconds = static_cast<double>(request.limit.raw());
    switch (what) {
      case S::user:
        return priority_of(K::user, job);
      case S::group:
        return priority_of(K::group, job);
      case S::account:
        return priority_of(K::account, job);
      case S::qos:
        return priority_of(K::qos, job);
      case S::job_class:
        return priority_of(K::job_class, job);
      case S::fs_user:
        return fairshare_.deviation(K::user, job.credentials);
      case S::fs_group:
        return fairshare_.deviation(K::group, job.credentials);
      case S::fs_account:
        return fairshare_.deviation(K::account, job.credentials);
      case S::fs_qos:
        return fairshare_.deviation(K::qos, job.credentials);
      case S::fs_class:
        return fairshare_.deviation(K::job_class, job.credentials);
      case S::queue_time:
        return queue_minutes(job);
      case S::xfactor:
        return xfactor(job);
      case S::bypass:
        return job.bypass;
      case S::target_queue_time:
      case S::target_xfactor:
        return target_value(what, job);
      case S::node: {
        double nodes = 0;  // only where a node count is asked for (guide F, NODEWEIGHT)
        for (const auto& requirement : request.requirements) nodes += requirement.nodes;
        return nodes;
      }
      case S::proc:
        return request.total_procs();
      case S::memory:
        return sum_of(request, &Resources::memory);
      case S::swap:
        return sum_of(request, &Resources::swap);
      case S::disk:
        return sum_of(request, &Resources::disk);
      case S::ps:
        return request.total_procs() * seconds;
      case S::pe:
        return equivalents(totals_, request);
      case S::wall_time:
        return seconds;
      case S::usage_consumed:
      case S::usage_remaining:
      case S::usage_percent:
        return usage_value(what, job);
    }
    return 0;
  }

  const Cluster& cluster_;
  Time now_;
  PriorityWeights general_;
  std::vector<std::optional<PriorityWeights>> partitions_;  // by partition, where it has its own
  Totals totals_;
  const CredentialSettings& system_;
  CredentialAttribute<std::int64_t> priorities_;
  FairshareStanding fairshare_;
  CredentialAttribute<Seconds> queue_time_targets_;
  CredentialAttribute<double> xfactor_targets_;
  CredentialEntries<QosId> qos_;
  bool qos_weights_ = false;
};

// Does priority do nothing but count minutes queued?  Then the queue is in order as it stands.
bool first_come_first_served(const Settings& settings) {
  const PriorityWeights weights(settings, settings.priority);
  for (const auto* info : weights.counted)
    if (info->subcomponent != S::queue_time) return false;
  const auto& p = settings.priority;
  return settings.partition_weights.empty() && !qos_adds_weight(settings, S::queue_time) &&
         p.service.weight >= 0 && p.queue_time.weight >= 0;
}

}  // namespace

PriorityBreakdown priority_of(const Cluster& cluster, const Settings& settings, Time now,
                              JobId job) {
  return Judge(cluster, settings, now).breakdown(cluster.job(job));
}

std::vector<PriorityBreakdown> breakdowns_of(const Cluster& cluster, const Settings& settings,
                                             Time now, std::span<const JobId> jobs) {
  std::vector<PriorityBreakdown> all;
  if (jobs.empty()) return all;
  const Judge judge(cluster, settings, now);
  all.reserve(jobs.size());
  for (const auto job : jobs) all.push_back(judge.breakdown(cluster.job(job)));
  return all;
}

std::vector<std::int64_t> priorities_of(const Cluster& cluster, const Settings& settings, Time now,
                                        std::span<const JobId> jobs) {
  std::vector<std::int64_t> priorities;
  for (const auto& one : breakdowns_of(cluster, settings, now, jobs))
    priorities.push_back(one.priority);
  return priorities;
}

double expansion_factor(const Cluster& cluster, const Settings& settings, Time now, JobId job) {
  const auto& waiting = cluster.job(job);
  const auto until = waiting.active() ? waiting.started : now;
  const auto limit =
      std::max(cluster.request(waiting.request).limit, settings.priority.xfactor_min_limit);
  return 1.0 + static_cast<double>((until - waiting.queued).raw()) /
                   static_cast<double>(std::max<std::int64_t>(1, limit.raw()));
}

double processor_equivalents(const Cluster& cluster, const Request& request) {
  return equivalents(Totals(cluster), request);
}

Reason why_not_considered(const Cluster& cluster, const Settings& settings, Time now, JobId job) {
  const auto reason = Eligibility(cluster, settings, now).of(cluster.job(job));
  if (reason != Reason::none || !settings.priority.reject_negative) return reason;
  return priority_of(cluster, settings, now, job).rejected ? Reason::negative_priority
                                                           : Reason::none;
}

void prioritise(const Cluster& cluster, const Settings& settings, Time now,
                std::vector<Plan::Ranked>& order) {
  order.clear();
  order.reserve(cluster.waiting().size());
  const bool by_arrival = first_come_first_served(settings);
  const auto& p = settings.priority;
  const double minute = p.service.weight * p.queue_time.weight / 60.0;
  const bool capped_at_all = p.service.cap > 0 || p.queue_time.cap > 0;
  const Eligibility eligibility(cluster, settings, now);
  std::optional<Judge> judge;
  bool sorted = true;
  for (const auto& line : cluster.waiting()) {
    if (line.held) continue;
    if (by_arrival && !capped_at_all && !line.special && eligibility.plain()) {
      const double value = minute * static_cast<double>((now - line.queued).raw());
      const auto bounded = std::clamp(value, 0.0, static_cast<double>(kMaxPriority));
      order.push_back({line.job, line.request, static_cast<std::int64_t>(bounded)});
      continue;
    }
    const auto& job = cluster.job(line.job);
    if (eligibility.of(job) != Reason::none) continue;
    if (!judge) judge.emplace(cluster, settings, now);
    const auto rank = judge->breakdown(job);
    if (rank.rejected) continue;
    order.push_back({line.job, line.request, rank.priority});
    sorted = false;
  }
  // The queue stands in the order of the tie-breakers: queue time, then arrival.
  if (!sorted)
    std::stable_sort(order.begin(), order.end(), [](const Plan::Ranked& a, const Plan::Ranked& b) {
      return a.priority > b.priority;
    });
}

}  // namespace maui
