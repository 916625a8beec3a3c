#include "sched/priority/priority_judge.h"

#include <algorithm>
#include <cmath>

#include "model/processor_equivalents.h"

namespace maui {
namespace {

using S = Subcomponent;
using C = Component;

double sum_of(const Request& request, Resources::Quantity (Resources::*amount)() const) {
  double sum = 0;
  for (const auto& requirement : request.requirements)
    sum += static_cast<double>((requirement.per_task.*amount)()) * requirement.tasks;
  return sum;
}

/// True if the job has started: its time in the queue is over.
bool has_started(const Job& job) { return job.active() || job.suspended(); }

bool some_qos_weight(const Settings& settings) {
  return std::any_of(subcomponents().begin(), subcomponents().end(),
                     [&](const auto& info) { return qos_adds_weight(settings, info); });
}

template <class T>
std::optional<T> target_of(const CredentialAttribute<T>& targets, const std::optional<T>& of_system,
                           const Job& job) {
  return tightest<T>([&](CredentialKind kind) { return targets.of(kind, job.credentials); },
                     of_system);
}

}  // namespace

Job in_queue(Job job) {
  job.state = JobState::idle;
  job.started = kForever;
  return job;
}

PriorityJudge::PriorityJudge(const Cluster& cluster, const Settings& settings, Time now)
    : cluster_(cluster),
      now_(now),
      general_(settings, settings.priority),
      configured_(cluster.configured()),
      system_(settings.system),
      learning_(settings.learning),
      qos_(settings.qos, cluster.qos),
      qos_weights_(some_qos_weight(settings)) {
  if (!settings.partition_weights.empty()) partitions_.resize(cluster.partitions.size());
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

bool PriorityJudge::anywhere(Component component) const {
  return general_.counts(component) ||
         std::any_of(partitions_.begin(), partitions_.end(),
                     [&](const auto& weights) { return weights && weights->counts(component); });
}

const PriorityWeights& PriorityJudge::weights_for(const Job& job) const {
  const auto& allowed = cluster_.request(job.request).partitions;
  if (allowed.size() != 1 || allowed.front().index() >= partitions_.size()) return general_;
  const auto& own = partitions_[allowed.front().index()];
  return own ? *own : general_;
}

// Returns the weight of a subcomponent, with what the job's QOS adds to it.
double PriorityJudge::weight_of(const PriorityWeights& weights, const SubcomponentInfo& info,
                                const Job& job) const {
  const double weight = (weights.all.*info.weighting).weight;
  if (!qos_weights_ || info.qos_weight == nullptr) return weight;
  const auto* entry = qos_[job.credentials.qos];
  return entry == nullptr ? weight : weight + entry->*info.qos_weight;
}

double PriorityJudge::weighted(const PriorityWeights& weights, const SubcomponentInfo& info,
                               const Job& job, std::uint64_t* passed) const {
  const double weight = weight_of(weights, info, job);
  if (weight == 0) return 0;
  const bool moves = ahead_ && info.component == C::fairshare;
  const double amount = moves ? fairshare_ahead(*info.credential, job) : value(info, job);
  const double cap = (weights.all.*info.weighting).cap;
  if (passed != nullptr && cap > 0 && amount >= cap) *passed |= cap_reached(info.subcomponent);
  return weight * capped(amount, cap);
}

namespace {

double contribution(const PriorityWeights& weights, C component, double sum) {
  const Weighting& weighting = weighting_of(weights.all, component);
  return weighting.weight * capped(sum, weighting.cap);
}

}  // namespace

PriorityBreakdown PriorityJudge::breakdown(const Job& job) const {
  const PriorityWeights& weights = weights_for(job);
  PriorityBreakdown result;
  result.passed = bends_passed(weights, job);
  std::array<double, kComponents> sums{};
  for (const auto* info : weights.counted) {
    const double part = weighted(weights, *info, job, &result.passed);
    result.weighted[index_of(info->subcomponent)] = part;
    sums[index_of(info->component)] += part;
  }
  for (std::size_t i = 0; i < kComponents; ++i) {
    const auto component = static_cast<C>(i);
    const double cap = weighting_of(weights.all, component).cap;
    if (cap > 0 && sums[i] >= cap) result.passed |= cap_reached(component);
    result.contribution[i] = contribution(weights, component, sums[i]);
    result.sum += result.contribution[i];
  }
  adjust(result, job.system_priority);
  return result;
}

double PriorityJudge::contribution_of(Component component, const Job& job) const {
  const PriorityWeights& weights = weights_for(job);
  double sum = 0;
  for (const auto* info : weights.counted)
    if (info->component == component) sum += weighted(weights, *info, job);
  return contribution(weights, component, sum);
}

double PriorityJudge::contribution_of_sum(Component component, double sum, const Job& job) const {
  return contribution(weights_for(job), component, sum);
}

// The rows of credentials have no weights from a QOS.
double PriorityJudge::contribution_of(const Credentials& who) const {
  double credentials = 0, fairshare = 0;
  for (const auto* info : general_.counted) {
    if (!info->credential) continue;
    const Weighting& weighting = general_.all.*info->weighting;
    if (weighting.weight == 0) continue;
    (info->component == C::cred ? credentials : fairshare) +=
        weighting.weight * capped(credential_value(*info, who), weighting.cap);
  }
  return 0.0 + contribution(general_, C::cred, credentials) +
         contribution(general_, C::fairshare, fairshare);
}

// Rounds the sum down, bounds it and applies the system priority (guide 5.1.1, 5.1.5).
void PriorityJudge::adjust(PriorityBreakdown& result, const SystemPriority& by_hand) const {
  result.system_priority = by_hand.value != 0;
  if (by_hand.absolute && by_hand.value != 0) {
    result.priority = kMaxPriority + by_hand.value;
    result.bounded = static_cast<double>(result.priority);
    return;
  }
  const Bounded found = bounded(general_.all, result.sum + static_cast<double>(by_hand.value));
  result.rejected = found.rejected;
  result.bounded = found.exact;
  result.priority = found.priority;
}

bool PriorityJudge::credentials_matter() const {
  return qos_weights_ || anywhere(C::cred) || anywhere(C::fairshare) || anywhere(C::target);
}

bool PriorityJudge::requests_matter() const { return anywhere(C::resource); }

bool PriorityJudge::expansion_counts() const {
  return std::any_of(general_.counted.begin(), general_.counted.end(), [](const auto* info) {
    return info->subcomponent == S::xfactor || info->subcomponent == S::target_xfactor;
  });
}

WaitWeights PriorityJudge::wait_weights(const Job& job) const {
  WaitWeights weights;
  for (const auto* info : general_.counted) {
    const double weight = weight_of(general_, *info, job);
    if (info->subcomponent == S::queue_time) weights.queue_time = weight;
    if (info->subcomponent == S::xfactor) weights.xfactor = weight;
    if (info->subcomponent == S::bypass) weights.bypass = weight;
    if (info->subcomponent == S::target_queue_time)
      if (const auto target = target_of(queue_time_targets_, system_.queue_time_target, job))
        weights.target_queue_minutes = static_cast<double>(target->raw()) / 60.0;
    if (info->subcomponent == S::target_xfactor)
      weights.target_xfactor = target_of(xfactor_targets_, system_.xfactor_target, job);
  }
  return weights;
}

double PriorityJudge::xfactor_limit(RequestId request) const {
  const auto limit = cluster_.request(request).limit;
  const auto least = std::max(limit, general_.all.xfactor_min_limit);
  return static_cast<double>(std::max<std::int64_t>(1, least.raw()));
}

// Returns the effective queue time in seconds.
double PriorityJudge::waited(const Job& job) const {
  const Seconds time = (has_started(job) ? job.started : now_) - job.queued;
  return static_cast<double>(std::max(time, Seconds(0)).raw());
}

double PriorityJudge::xfactor(const Job& job) const {
  return 1.0 + waited(job) / xfactor_limit(job.request);
}

double PriorityJudge::service_xfactor(JobId job, double waited, double by_limit) const {
  if (!learning_.orders_queue()) return by_limit;
  constexpr Seconds kLeast{60};
  const auto& run_times = cluster_.run_times.of(job);
  const double run = run_times.expected.geometric_mean;
  if (run <= 0) return by_limit;
  const Seconds least = general_.all.xfactor_min_limit;
  const double shortest =
      static_cast<double>((least < Seconds(0) ? kLeast : std::max(least, Seconds(1))).raw());
  const double factor = (waited + run) / std::max(run, shortest);
  return run_times.promised_last ? factor * learning_.reservation_hysteresis : factor;
}

Time PriorityJudge::target_due(const Job& job) const {
  Time due = kForever;
  const auto at = [&](double waits) {
    const Time when = job.queued + Seconds(static_cast<std::int64_t>(std::ceil(waits)));
    if (when > now_) due = std::min(due, when);
  };
  if (const auto most = target_of(queue_time_targets_, system_.queue_time_target, job))
    if (*most < kUnlimited) at(static_cast<double>(most->raw()));
  if (const auto most = target_of(xfactor_targets_, system_.xfactor_target, job))
    if (*most > xfactor(job)) at((*most - 1) * xfactor_limit(job.request));
  return due;
}

double PriorityJudge::target_value(Subcomponent what, const Job& job) const {
  if (what == S::target_xfactor) {
    const auto target = target_of(xfactor_targets_, system_.xfactor_target, job);
    return target ? nearness(*target, xfactor(job)) : 0;
  }
  const auto target = target_of(queue_time_targets_, system_.queue_time_target, job);
  return target ? nearness(static_cast<double>(target->raw()) / 60.0, queue_minutes(job)) : 0;
}

double PriorityJudge::usage_value(Subcomponent what, const Job& job) const {
  if (!has_started(job)) return 0;
  const auto& request = cluster_.request(job.request);
  const Seconds rest = job.suspended() ? job.time_left : job.ends - now_;
  const auto ran = static_cast<double>(std::max<std::int64_t>(job.run_so_far(now_).raw(), 0));
  const auto left = static_cast<double>(std::max<std::int64_t>(rest.raw(), 0));
  if (what == S::usage_consumed) return request.total_procs() * ran;
  if (what == S::usage_remaining) return request.total_procs() * left;
  const Seconds limit = cluster_.limit_on(request, job.placement);
  return 100 * ran / static_cast<double>(std::max<std::int64_t>(limit.raw(), 1));
}

double PriorityJudge::fairshare_ahead(CredentialKind kind, const Job& job) const {
  const auto number = number_of(job.credentials, kind);
  if (number == kNoCredential) return 0;
  return fairshare_.deviation(kind, job.credentials, ahead_->use(kind, number, fairshare_time_));
}

double PriorityJudge::credential_value(const SubcomponentInfo& info, const Credentials& who) const {
  const auto number = number_of(who, *info.credential);
  return info.component == C::cred
             ? static_cast<double>(priorities_.of(*info.credential, number).value_or(0))
             : fairshare_.deviation(*info.credential, number);
}

double PriorityJudge::value(const SubcomponentInfo& info, const Job& job) const {
  const auto& request = cluster_.request(job.request);
  const auto seconds = static_cast<double>(request.limit.raw());
  switch (info.subcomponent) {
    case S::user:
    case S::group:
    case S::account:
    case S::qos:
    case S::job_class:
    case S::fs_user:
    case S::fs_group:
    case S::fs_account:
    case S::fs_qos:
    case S::fs_class:
      return credential_value(info, job.credentials);
    case S::queue_time:
      return queue_minutes(job);
    case S::xfactor:
      return service_xfactor(job.id, waited(job), xfactor(job));
    case S::bypass:
      return cluster_.bypasses(job.id);
    case S::target_queue_time:
    case S::target_xfactor:
      return target_value(info.subcomponent, job);
    case S::node:
      return request.nodes_named();  // 0 if no node count is requested (guide F, NODEWEIGHT)
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
      return processor_equivalents(configured_, request);
    case S::wall_time:
      return seconds;
    case S::usage_consumed:
    case S::usage_remaining:
    case S::usage_percent:
      return usage_value(info.subcomponent, job);
    case S::local_priority: {
      const auto said = cluster_.local_words.priority.find(job.id);
      return said == cluster_.local_words.priority.end() ? 0 : said->second;
    }
  }
  return 0;
}

// Returns the bends besides caps.
std::uint64_t PriorityJudge::bends_passed(const PriorityWeights& weights, const Job& job) const {
  std::uint64_t passed = 0;
  if (now_ >= job.queued) passed |= kWaitBegan;
  if (now_ >= job.ends) passed |= kNothingRemains;
  if (!weights.counts(C::target)) return passed | kTargetsReached;
  const auto factor = target_of(xfactor_targets_, system_.xfactor_target, job);
  const auto longest = target_of(queue_time_targets_, system_.queue_time_target, job);
  if ((!factor || xfactor(job) >= *factor) &&
      (!longest || waited(job) >= static_cast<double>(longest->raw())))
    passed |= kTargetsReached;
  return passed;
}

}  // namespace maui
