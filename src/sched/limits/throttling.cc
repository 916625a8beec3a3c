#include "sched/limits/throttling.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "model/placement.h"
#include "model/processor_equivalents.h"
#include "sched/placement/feasibility.h"
#include "sched/placement/variants.h"
#include "sched/rules/partition_policies.h"

namespace maui {

Throttling::Throttling(const Cluster& cluster, const Settings& settings, Time now)
    : cluster_(cluster),
      settings_(settings),
      now_(now),
      own_rules_(std::in_place, cluster, settings),
      rules_(*own_rules_) {
  begin();
}

Throttling::Throttling(const Cluster& cluster, const Settings& settings, Time now,
                       LimitRules& rules)
    : cluster_(cluster), settings_(settings), now_(now), rules_(rules) {
  begin();
}

void Throttling::begin() {
  const auto& own = settings_.throttling;
  single_job_ = own.max_job_procs >= 0 || own.max_job_proc_seconds >= 0 ||
                own.max_job_wall_time >= Seconds(0);
  if (!rules_.any()) return;
  if (rules_.matter().equivalents) configured_ = cluster_.configured();
  for (std::uint32_t kind = 0; kind < cluster_.kinds(); ++kind)
    if (cluster_.nodes_of_kind(kind) > 0)
      widest_node_ = std::max(
          widest_node_,
          static_cast<int>(cluster_.node(cluster_.sample_of_kind(kind)).configured.procs()));
  active_.reserve(cluster_.active().size() + cluster_.unconfirmed_runs().size());
  // For most limits the Job itself need not be read.
  const bool by_line = !rules_.matter().time && !rules_.matter().nodes;
  for (const auto& line : cluster_.active()) {
    const auto& job = cluster_.job(line.job);
    const auto scope =
        rules_.partitions_matter() ? rules_.number_of(job) : rules_.number_of(line.credentials);
    const auto amounts = by_line ? used_until(line.request, line.ends) : used_by(job);
    active_.push_back({&job, scope, amounts, line.ends});
    count(rules_.scope(active_.back().scope), active_.back().amounts, &Use::active, 1);
  }
  count_unconfirmed();
}

void Throttling::count_unconfirmed() {
  for (const auto& [name, run] : cluster_.unconfirmed_runs()) {
    const auto scope = rules_.number_in(run.credentials, run.partition);
    const auto amounts = used_by(run);
    active_.push_back({nullptr, scope, amounts, run.ends});
    count(rules_.scope(scope), amounts, &Use::active, 1);
    if (unconfirmed_.size() < use_.size()) unconfirmed_.resize(use_.size());
    for (const auto subject : subjects_of(scope))
      for (std::size_t i = 0; i < kLimitKinds; ++i) unconfirmed_[subject][i] += amounts[i];
  }
}

int Throttling::fewest_nodes(const Request& request) const {
  int fewest = 0;
  for (const auto& requirement : request.requirements) {
    const int per_node =
        requirement.tasks_per_node > 0
            ? requirement.tasks_per_node
            : std::max(1,
                       widest_node_ / std::max(1, static_cast<int>(requirement.per_task.procs())));
    const int by_tasks =
        std::max(requirement.least_nodes, (requirement.tasks + per_node - 1) / per_node);
    fewest = std::max(fewest,
                      requirement.exact_nodes ? std::max(requirement.nodes, by_tasks) : by_tasks);
  }
  return fewest;
}

LimitAmounts Throttling::asked(const Request& request, Seconds time) const {
  const double procs = request.total_procs();
  const auto seconds = static_cast<double>(time.raw());
  double memory = 0;
  for (const auto& requirement : request.requirements)
    memory += static_cast<double>(requirement.per_task.memory()) * requirement.tasks;
  LimitAmounts amounts{};
  amounts[index_of(LimitKind::job)] = 1;
  amounts[index_of(LimitKind::proc)] = procs;
  amounts[index_of(LimitKind::ps)] = procs * seconds;
  amounts[index_of(LimitKind::wc)] = seconds;
  amounts[index_of(LimitKind::mem)] = memory;
  amounts[index_of(LimitKind::node)] = fewest_nodes(request);
  if (rules_.matter().equivalents)
    amounts[index_of(LimitKind::pe)] = processor_equivalents(configured_, request);
  return amounts;
}

LimitAmounts Throttling::taken(const Request& request, const Placement& placement,
                               Seconds time) const {
  auto amounts = asked(request, time);
  if (rules_.matter().nodes)
    amounts[index_of(LimitKind::node)] = static_cast<double>(node_count(placement));
  return amounts;
}

LimitAmounts Throttling::asks(const Request& shape, const Placement* placement) const {
  return placement ? taken(shape, *placement, cluster_.limit_on(shape, *placement))
                   : asked(shape, shortest_stay(cluster_, shape));
}

LimitAmounts Throttling::used_until(RequestId request, Time end) {
  LimitAmounts amounts = asked_by(request).asked;
  const auto left = static_cast<double>(std::max(Seconds(0), end - now_).raw());
  amounts[index_of(LimitKind::ps)] = amounts[index_of(LimitKind::proc)] * left;
  amounts[index_of(LimitKind::wc)] = left;
  return amounts;
}

LimitAmounts Throttling::used_by(const Job& job) {
  // A job past its limit is expected to end only at the next iteration.
  auto amounts = used_until(job.request, std::min(job.ends, cluster_.limit_end(job)));
  if (rules_.matter().nodes)
    amounts[index_of(LimitKind::node)] = static_cast<double>(node_count(job.placement));
  return amounts;
}

LimitAmounts Throttling::used_by(const UnconfirmedRun& run) const {
  LimitAmounts amounts = asked(run.request, std::max(Seconds(0), run.ends - now_));
  amounts[index_of(LimitKind::node)] = run.nodes;
  return amounts;
}

void Throttling::count(const LimitRules::Scope& scope, const LimitAmounts& amounts,
                       LimitAmounts Use::*which, double sign) {
  if (use_.size() < rules_.subjects().size()) use_.resize(rules_.subjects().size());
  for (const auto subject : scope.subjects)
    for (std::size_t i = 0; i < kLimitKinds; ++i) (use_[subject].*which)[i] += sign * amounts[i];
  if (which != &Use::active) return;
  for (Level* level : {&soft_, &hard_}) {
    level->standings.clear();
    level->all = {};
  }
}

void Throttling::add(const Job& job, const Request& shape, const Placement& placement) {
  if (rules_.any()) count(scope_of(job, &placement), asks(shape, &placement), &Use::active, 1);
}

void Throttling::take_back(const Job& job, const Request& shape, const Placement& placement) {
  if (rules_.any()) count(scope_of(job, &placement), asks(shape, &placement), &Use::active, -1);
}

void Throttling::remove(const Job& job) {
  if (rules_.any()) count(scope_of(job), used_by(job), &Use::active, -1);
}

void Throttling::put_back(const Job& job) {
  if (rules_.any()) count(scope_of(job), used_by(job), &Use::active, 1);
}

double Throttling::used_of(const LimitRule& rule, bool idle) const {
  if (rule.subject >= use_.size()) return 0;
  return (idle ? use_[rule.subject].idle : use_[rule.subject].active)[index_of(rule.kind)];
}

const LimitRule* Throttling::rule_passed(const std::vector<LimitRule>& rules,
                                         const LimitAmounts& amounts, bool idle,
                                         Strictness level) const {
  for (const auto& rule : rules) {
    const double limit = limit_at(rule, level);
    if (limit > 0 && used_of(rule, idle) + amounts[index_of(rule.kind)] > limit + kLimitRounding)
      return &rule;
  }
  return nullptr;
}

std::vector<char> Throttling::crowded_scopes(const std::vector<Plan::Ranked>& order) {
  const auto& kinds = rules_.matter().idle_kinds;
  std::vector<LimitAmounts> of_scope;
  for (const auto& ranked : order) {
    const auto number = scope_number(ranked);
    if (number >= of_scope.size()) of_scope.resize(rules_.scopes());
    const LimitAmounts& amounts = asked_by(ranked.request).asked;
    for (const auto kind : kinds) of_scope[number][index_of(kind)] += amounts[index_of(kind)];
  }
  std::vector<LimitAmounts> of_subject(rules_.subjects().size());
  for (std::size_t number = 0; number < of_scope.size(); ++number)
    for (const auto subject : rules_.scope(number).subjects)
      for (const auto kind : kinds)
        of_subject[subject][index_of(kind)] += of_scope[number][index_of(kind)];
  std::vector<char> crowded(of_scope.size());
  bool any = false;
  for (std::size_t number = 0; number < of_scope.size(); ++number)
    for (const auto& rule : rules_.scope(number).idle)
      if (const double limit = limit_at(rule, Strictness::hard);
          limit > 0 && of_subject[rule.subject][index_of(rule.kind)] > limit * (1 - kLimitDoubt))
        crowded[number] = any = true;
  return any ? crowded : std::vector<char>();
}

Violation Throttling::violation_of(const LimitRule& rule, const LimitAmounts& amounts, bool idle,
                                   Strictness level) const {
  return {rules_.subjects()[rule.subject],
          rule.kind,
          idle,
          false,
          level,
          limit_at(rule, level),
          amounts[index_of(rule.kind)],
          used_of(rule, idle),
          idle || rule.subject >= unconfirmed_.size()
              ? 0
              : unconfirmed_[rule.subject][index_of(rule.kind)]};
}

const Throttling::Asked& Throttling::find_asked(RequestId id) {
  if (id.index() >= asked_by_.size()) asked_by_.resize(cluster_.request_slots());
  const Request& request = cluster_.request(id);
  return asked_by_[id.index()].emplace(
      Asked{asked(request, request.limit), asks(request, nullptr)});
}

std::vector<PartitionId> Throttling::choice_of(const Job& job, const Request& shape) {
  if (!rules_.partitions_matter() || job.active() || job.suspended() || shape.span) return {};
  if (shape.partitions.size() == 1) return shape.partitions;
  const bool own = job.request.valid() && &shape == &cluster_.request(job.request);
  if (!own) return serving_partitions(shape);
  if (job.request.index() >= choices_.size()) choices_.resize(cluster_.request_slots());
  auto& known = choices_[job.request.index()];
  if (!known) known = serving_partitions(shape);
  return *known;
}

std::vector<PartitionId> Throttling::serving_partitions(const Request& shape) const {
  std::vector<PartitionId> choice;
  Request there = shape;
  for (const auto partition : usable_partitions(cluster_, shape)) {
    there.partitions = {partition};
    if (ever_feasible(cluster_, there)) choice.push_back(partition);
  }
  return choice;
}

std::vector<const LimitRules::Scope*> Throttling::scopes_of(const Job& job, const Request& shape) {
  std::vector<const LimitRules::Scope*> scopes;
  for (const auto partition : choice_of(job, shape))
    scopes.push_back(&rules_.scope(rules_.number_in(job.credentials, partition)));
  if (scopes.empty()) scopes.push_back(&scope_of(job));
  return scopes;
}

bool Throttling::would_exceed(const Plan::Ranked& ranked, Strictness level) {
  if (ranked.special || has_choice(ranked.request))
    return violated(cluster_.job(ranked.job), level).has_value();
  return passes(scope_number(ranked), asked_by(ranked.request).least, level);
}

std::optional<Violation> Throttling::violated(const Job& job, const Request& shape,
                                              Strictness level, const Placement* placement) {
  if (!rules_.any() || level == Strictness::off) return std::nullopt;
  if (placement || !rules_.partitions_matter()) {
    const auto& scope = scope_of(job, placement);
    if (scope.active.empty()) return std::nullopt;
    return violated_in(scope, asks(shape, placement), level);
  }
  const auto amounts = asks(shape, nullptr);
  std::optional<Violation> first;
  for (const auto* scope : scopes_of(job, shape)) {
    auto here = violated_in(*scope, amounts, level);
    if (!here) return std::nullopt;
    if (!first) first = std::move(here);
  }
  return first;
}

std::optional<Violation> Throttling::violated_in(const LimitRules::Scope& scope,
                                                 const LimitAmounts& amounts,
                                                 Strictness level) const {
  const auto* rule = rule_passed(scope.active, amounts, false, level);
  return rule ? std::optional(violation_of(*rule, amounts, false, level)) : std::nullopt;
}

std::optional<Violation> Throttling::violated(const Job& job, Strictness level) {
  const auto& request = cluster_.request(job.request);
  auto first = violated(job, request, level);
  if (!first) return std::nullopt;
  for (const auto& shape : job.alternatives) {
    const auto shaped = in_shape(request, shape);
    if (!asks_too_much(job, shaped) && !violated(job, shaped, level)) return std::nullopt;
  }
  return first;
}

std::optional<Violation> Throttling::asks_too_much(const Job& job, const Request& shape) {
  if (!single_job_) return std::nullopt;
  const auto& exempt = scope_of(job).exempt;
  const auto& most = settings_.throttling;
  const double procs = shape.total_procs();
  const auto seconds = static_cast<double>(shape.limit.raw());
  const auto beyond = [](LimitKind kind, bool exempted, auto limit,
                         double asked) -> std::optional<Violation> {
    const auto number = static_cast<double>(limit);
    if (exempted || number < 0 || asked <= number) return std::nullopt;
    Violation violation;
    violation.single_job = true;
    violation.kind = kind;
    violation.limit = number;
    violation.asked = asked;
    return violation;
  };
  if (auto found = beyond(LimitKind::proc, exempt.job_procs, most.max_job_procs, procs))
    return found;
  if (auto found = beyond(LimitKind::ps, exempt.job_ps, most.max_job_proc_seconds, procs * seconds))
    return found;
  return beyond(LimitKind::wc, exempt.job_time, most.max_job_wall_time.raw(), seconds);
}

std::optional<Violation> Throttling::asks_too_much(const Job& job) {
  if (!single_job_) return std::nullopt;
  const auto& request = cluster_.request(job.request);
  auto first = asks_too_much(job, request);
  if (!first) return std::nullopt;
  for (const auto& shape : job.alternatives)
    if (!asks_too_much(job, in_shape(request, shape))) return std::nullopt;
  return first;
}

bool Throttling::exceeds_alone(const Job& job, const Request& shape) {
  if (asks_too_much(job, shape)) return true;
  if (!rules_.any()) return false;
  const auto allow = [](const std::vector<LimitRule>& rules, const LimitAmounts& amounts) {
    return std::all_of(rules.begin(), rules.end(), [&](const LimitRule& rule) {
      const double limit = limit_at(rule, Strictness::hard);
      return limit <= 0 || amounts[index_of(rule.kind)] <= limit + kLimitRounding;
    });
  };
  if (!allow(scope_of(job).idle, asked(shape, shape.limit))) return true;
  const auto least = asks(shape, nullptr);
  const auto scopes = scopes_of(job, shape);
  return std::none_of(scopes.begin(), scopes.end(),
                      [&](const auto* scope) { return allow(scope->active, least); });
}

bool Throttling::stays_reserved(const Plan::Ranked& ranked) {
  if (!ranked.reserved) return false;
  const Job& job = cluster_.job(ranked.job);
  if (!job.reservation.valid()) return false;
  if (makes_reservations(settings_,
                         backfill_policy(cluster_, settings_, cluster_.request(ranked.request))))
    return true;
  if (!flags_) flags_.emplace(cluster_, settings_);
  return flags_->has(job, JobFlag::reserve_always);
}

bool Throttling::is_kept_back(const Plan::Ranked& ranked, Strictness level,
                              const std::vector<char>& crowded, std::optional<Violation>* why) {
  // For most jobs the Job itself need not be read.
  const auto job = [&]() -> const Job& { return cluster_.job(ranked.job); };
  if (single_job_)
    if (auto too_much = asks_too_much(job())) {
      if (why) *why = std::move(too_much);
      return true;
    }
  if (!rules_.any()) return false;
  const bool reserved = stays_reserved(ranked);
  const auto number = scope_number(ranked);
  const auto& [asked, least] = asked_by(ranked.request);
  const auto say = [&, &queued = asked, &run = least](const std::vector<LimitRule>& rules,
                                                      bool idle, Strictness at) {
    const LimitAmounts& amounts = idle ? queued : run;
    const auto* rule = rule_passed(rules, amounts, idle, at);
    if (rule && why) *why = violation_of(*rule, amounts, idle, at);
    return rule != nullptr;
  };
  if (!crowded.empty()) {
    const auto& scope = rules_.scope(number);
    if (crowded[number] != 0 && (!reserved || !keeps_reservations(settings_)) &&
        say(scope.idle, true, Strictness::hard))
      return true;
    count(scope, asked, &Use::idle, 1);
  }
  if (reserved) return false;
  if (!ranked.special && !has_choice(ranked.request)) {
    const bool passed = passes(number, least, level);
    return passed && why ? say(rules_.scope(number).active, false, level) : passed;
  }
  auto passed = violated(job(), level);
  const bool any = passed.has_value();
  if (why) *why = std::move(passed);
  return any;
}

void Throttling::select(std::vector<Plan::Ranked>& order, Strictness level,
                        std::vector<Blocked>* blocked) {
  if (!any() || level == Strictness::off) return;
  for (auto& use : use_) use.idle = {};
  const auto crowded = idle_matters() ? crowded_scopes(order) : std::vector<char>();
  const bool plain = rules_.any() && crowded.empty() && !single_job_;
  std::size_t left = 0;
  std::optional<Violation> why;
  for (const auto& ranked : order) {
    const bool kept = (plain && surely_within(ranked, level)) ||
                      !is_kept_back(ranked, level, crowded, blocked ? &why : nullptr);
    if (!kept) {
      if (blocked) blocked->push_back({ranked.job, *why});
      continue;
    }
    if (&order[left] != &ranked) order[left] = ranked;
    ++left;
  }
  order.resize(left);
}

LimitAmounts Throttling::used_by(const LimitSubject& subject) const {
  for (std::size_t i = 0; i < use_.size(); ++i)
    if (rules_.subjects()[i] == subject) return use_[i].active;
  return {};
}

}  // namespace maui
