#include "sched/priority.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sched/credential_entries.h"
#include "sched/eligibility.h"

namespace maui {
namespace {

using P = PrioritySettings;
using S = Subcomponent;
using C = Component;

constexpr std::array<SubcomponentInfo, kSubcomponents> kSubcomponentTable{{
    {S::user, C::cred, "User", &P::user},
    {S::group, C::cred, "Group", &P::group},
    {S::account, C::cred, "Accnt", &P::account},
    {S::qos, C::cred, "QOS", &P::qos},
    {S::job_class, C::cred, "Class", &P::job_class},
    {S::queue_time, C::service, "QTime", &P::queue_time},
    {S::xfactor, C::service, "XFctr", &P::xfactor},
    {S::bypass, C::service, "Bypas", &P::bypass},
    {S::node, C::resource, "Node", &P::node},
    {S::proc, C::resource, "Proc", &P::proc},
    {S::memory, C::resource, "Mem", &P::memory},
    {S::swap, C::resource, "Swap", &P::swap},
    {S::disk, C::resource, "Disk", &P::disk},
    {S::ps, C::resource, "PS", &P::ps},
    {S::pe, C::resource, "PE", &P::pe},
    {S::wall_time, C::resource, "WTime", &P::wall_time},
}};

constexpr std::array<ComponentInfo, kComponents> kComponentTable{{
    {C::cred, "Cred", &P::cred},
    {C::service, "Serv", &P::service},
    {C::resource, "Res", &P::resource},
}};

double capped(double value, double cap) { return cap > 0 ? std::min(cap, value) : value; }

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
        weights_(settings.priority),
        now_(now),
        totals_(cluster),
        users_(settings.users, cluster.users),
        groups_(settings.groups, cluster.groups),
        accounts_(settings.accounts, cluster.accounts),
        qos_(settings.qos, cluster.qos),
        classes_(settings.classes, cluster.classes) {
    for (const auto& entry : settings.qos)
      qos_weights_ =
          qos_weights_ || entry.second.queue_time_weight != 0 || entry.second.xfactor_weight != 0;
  }

  /// Until when the job waits, or did: one that has started keeps what it had then.
  Time until(const Job& job) const { return job.active() || job.suspended() ? job.started : now_; }
  double queue_minutes(const Job& job) const {
    return static_cast<double>((until(job) - job.queued).raw()) / 60.0;
  }

  double xfactor(const Job& job) const {
    const auto limit = cluster_.request(job.request).limit;
    const auto least = std::max(limit, weights_.xfactor_min_limit);
    return 1.0 + static_cast<double>((until(job) - job.queued).raw()) /
                     static_cast<double>(std::max<std::int64_t>(1, least.raw()));
  }

  PriorityBreakdown breakdown(const Job& job) const {
    PriorityBreakdown result;
    std::array<double, kComponents> sums{};
    for (std::size_t i = 0; i < kSubcomponents; ++i) {
      const auto& info = kSubcomponentTable[i];
      const auto component = static_cast<std::size_t>(info.component);
      if ((weights_.*kComponentTable[component].weighting).weight == 0) continue;
      const double weight =
          (weights_.*info.weighting).weight + added_weight(info.subcomponent, job);
      if (weight == 0) continue;
      result.weighted[i] =
          weight * capped(value(info.subcomponent, job), (weights_.*info.weighting).cap);
      sums[component] += result.weighted[i];
    }
    for (std::size_t i = 0; i < kComponents; ++i) {
      const auto& weighting = weights_.*kComponentTable[i].weighting;
      result.contribution[i] = weighting.weight * capped(sums[i], weighting.cap);
      result.sum += result.contribution[i];
    }
    result.priority = adjusted(result.sum, job.system_priority);
    result.system_priority = job.system_priority.value != 0;
    return result;
  }

  // Rounded down, bounded, and moved by what an administrator said (guide 5.1.1, 5.1.5).
  std::int64_t adjusted(double sum, const SystemPriority& by_hand) const {
    if (by_hand.absolute && by_hand.value != 0) return kMaxPriority + by_hand.value;
    sum += static_cast<double>(by_hand.value);
    const double lowest = weights_.allow_negative ? -static_cast<double>(kMaxPriority) : 0.0;
    sum = std::clamp(sum, lowest, static_cast<double>(kMaxPriority));
    return static_cast<std::int64_t>(std::floor(sum));
  }

 private:
  double added_weight(Subcomponent what, const Job& job) const {
    if (!qos_weights_) return 0;
    const auto* entry = qos_[job.credentials.qos];
    if (!entry) return 0;
    if (what == S::queue_time) return entry->queue_time_weight;
    return what == S::xfactor ? entry->xfactor_weight : 0;
  }

  double value(Subcomponent what, const Job& job) const {
    const auto& request = cluster_.request(job.request);
    const auto seconds = static_cast<double>(request.limit.raw());
    switch (what) {
      case S::user:
        return users_.priority(job.credentials.user);
      case S::group:
        return groups_.priority(job.credentials.group);
      case S::account:
        return accounts_.priority(job.credentials.account);
      case S::qos:
        return qos_.priority(job.credentials.qos);
      case S::job_class:
        return classes_.priority(job.credentials.job_class);
      case S::queue_time:
        return queue_minutes(job);
      case S::xfactor:
        return xfactor(job);
      case S::bypass:
        return job.bypass;
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
    }
    return 0;
  }

  const Cluster& cluster_;
  const PrioritySettings& weights_;
  Time now_;
  Totals totals_;
  CredentialEntries<UserId> users_;
  CredentialEntries<GroupId> groups_;
  CredentialEntries<AccountId> accounts_;
  CredentialEntries<QosId> qos_;
  CredentialEntries<ClassId> classes_;
  bool qos_weights_ = false;
};

// Does priority do nothing but count minutes queued?  Then the queue is in order as it stands.
bool first_come_first_served(const Settings& settings) {
  const auto& p = settings.priority;
  for (const auto& info : kSubcomponentTable) {
    if (info.subcomponent == S::queue_time) continue;
    const auto component = kComponentTable[static_cast<std::size_t>(info.component)].weighting;
    if ((p.*info.weighting).weight != 0 && (p.*component).weight != 0) return false;
  }
  for (const auto& entry : settings.qos)
    if (entry.second.queue_time_weight != 0 || entry.second.xfactor_weight != 0) return false;
  return p.service.weight >= 0 && p.queue_time.weight >= 0;
}

}  // namespace

const std::array<SubcomponentInfo, kSubcomponents>& subcomponents() { return kSubcomponentTable; }
const std::array<ComponentInfo, kComponents>& components() { return kComponentTable; }

PriorityBreakdown priority_of(const Cluster& cluster, const Settings& settings, Time now,
                              JobId job) {
  return Judge(cluster, settings, now).breakdown(cluster.job(job));
}

std::vector<std::int64_t> priorities_of(const Cluster& cluster, const Settings& settings, Time now,
                                        std::span<const JobId> jobs) {
  std::vector<std::int64_t> priorities;
  if (jobs.empty()) return priorities;
  Judge judge(cluster, settings, now);
  for (const auto job : jobs) priorities.push_back(judge.breakdown(cluster.job(job)).priority);
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
    order.push_back({line.job, line.request, judge->breakdown(job).priority});
    sorted = false;
  }
  // The queue stands in the order of the tie-breakers: queue time, then arrival.
  if (!sorted)
    std::stable_sort(order.begin(), order.end(), [](const Plan::Ranked& a, const Plan::Ranked& b) {
      return a.priority > b.priority;
    });
}

}  // namespace maui
