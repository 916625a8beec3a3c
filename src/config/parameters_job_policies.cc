// Parameters for jobs that fail, run too long or use too much (guide 11.1, appendix F).
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "config/apply.h"
#include "config/parameters.h"

namespace maui::config {
namespace {

constexpr EnumName<ViolationPolicy> kPolicies[] = {
    {ViolationPolicy::always, "ALWAYS"},
    {ViolationPolicy::extended, "EXTENDEDVIOLATION"},
    {ViolationPolicy::blocked_workload, "BLOCKEDWORKLOADONLY"}};
constexpr EnumName<ViolationAction> kActions[] = {{ViolationAction::cancel, "CANCEL"},
                                                  {ViolationAction::requeue, "REQUEUE"},
                                                  {ViolationAction::suspend, "SUSPEND"}};
constexpr EnumName<LimitedResource> kResources[] = {{LimitedResource::procs, "PROC"},
                                                    {LimitedResource::procs, "PROCS"},
                                                    {LimitedResource::disk, "DISK"},
                                                    {LimitedResource::swap, "SWAP"},
                                                    {LimitedResource::memory, "MEM"}};
constexpr EnumName<OverrunAction> kOverruns[] = {{OverrunAction::cancel, "CANCEL"},
                                                 {OverrunAction::preempt, "PREEMPT"}};

// Parses the guide's POLICY:ACTION:RESOURCE[:RESOURCE]... or release 3.3's RESOURCE:POLICY:ACTION.
Result<std::string> limit_policy(std::string_view word) {
  auto parts = split(word, ':');
  if (parts.size() < 3)
    return Error{fmt::format("'{}' lacks a policy, an action or a resource", word)};
  if (value_of(std::span<const EnumName<LimitedResource>>(kResources), parts[0]))
    std::rotate(parts.begin(), parts.begin() + 1, parts.end());
  const ValueType types[] = {choice(kPolicies), choice(kActions), choice(kResources)};
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    auto canonical = types[std::min<std::size_t>(i, 2)].canonical({std::string(parts[i])});
    if (!canonical) return canonical.error();
    out += (i == 0 ? "" : ":") + canonical->front();
  }
  return out;
}

// Each policy must have resources of its own: two policies for one resource would conflict.
ValueType limit_policies() {
  return {
      "POLICY:ACTION:RESOURCE[:RESOURCE]..., such as ALWAYS:CANCEL:MEM, or "
      "RESOURCE:POLICY:ACTION, one or several with different resources",
      [](const Words& value) -> Result<Words> {
        Words out;
        std::set<std::string> named;
        for (const auto& word : value) {
          auto policy = limit_policy(word);
          if (!policy) return policy.error();
          const auto parts = split(*policy, ':');
          for (std::size_t i = 2; i < parts.size(); ++i)
            if (!named.emplace(parts[i]).second)
              return Error{fmt::format("{} is named twice", parts[i])};
          out.push_back(*std::move(policy));
        }
        return out;
      }};
}

template <class E, std::size_t N>
void read(const EnumName<E> (&table)[N], std::string_view word, E& member) {
  if (const auto value = value_of(std::span<const EnumName<E>>(table), word)) member = *value;
}

void set_limits(Settings& settings, const std::string&, const Words& value) {
  settings.jobs.limits.clear();
  for (const auto& word : value) {
    auto& limits = settings.jobs.limits.emplace_back();
    const auto parts = split(word, ':');
    read(kPolicies, parts.at(0), limits.policy);
    read(kActions, parts.at(1), limits.action);
    for (std::size_t i = 2; i < parts.size(); ++i)
      if (const auto resource =
              value_of(std::span<const EnumName<LimitedResource>>(kResources), parts[i]))
        put(limits.resources, *resource);
  }
}

void set_use_policy(Settings& settings, const std::string&, const Words& value) {
  settings.jobs.use_policy = ViolationPolicy::never;
  if (!value.empty()) read(kPolicies, value.front(), settings.jobs.use_policy);
}

void set_use_action(Settings& settings, const std::string&, const Words& value) {
  settings.jobs.use_action = ViolationAction::cancel;
  if (!value.empty()) read(kActions, value.front(), settings.jobs.use_action);
}

std::vector<Parameter> use_parameters() {
  using enum Index;
  using enum Change;
  return {
      {"ENFORCERESOURCELIMITS", "", none, boolean(), "OFF", at_runtime, Landed::yes,
       "Whether the scheduler acts on jobs that use more than they requested.",
       into([](Settings & s) -> auto& { return s.jobs.enforce_limits; })},
      {"RESOURCELIMITPOLICY", "", none, or_none(limit_policies()), "[NONE]", at_runtime,
       Landed::yes, "Action on jobs that use more than they requested.", set_limits},
      {"RESOURCEUTILIZATIONPOLICY", "", none, or_none(choice(kPolicies)), "[NONE]", at_runtime,
       Landed::yes, "When the scheduler acts on a job that uses too much; see RESOURCELIMITPOLICY.",
       set_use_policy},
      {"RESOURCEUTILIZATIONACTION", "", none, or_none(choice(kActions)), "[NONE]", at_runtime,
       Landed::yes, "Action on a job that uses too much; see RESOURCELIMITPOLICY.", set_use_action},
      {"WCVIOLATIONACTION", "", none, choice(kOverruns), "CANCEL", at_runtime, Landed::yes,
       "Action on a job that exceeds its wallclock limit by more than JOBMAXOVERRUN.",
       into(
           kOverruns, [](Settings & s) -> auto& { return s.jobs.overrun_action; })},
  };
}

}  // namespace

std::vector<Parameter> job_policy_parameters() {
  using enum Index;
  using enum Change;
  std::vector<Parameter> rows{
      {"JOBMAXSTARTTIME", "", none, duration(true), "-1", at_runtime, Landed::yes,
       "How long a job may stay in the starting state before it is cancelled; -1: no limit.",
       into([](Settings & s) -> auto& { return s.jobs.max_start_time; })},
      {"JOBSYNCTIME", "JOBSYNCDEADLINE", none, duration(), "00:10:00", at_runtime, Landed::yes,
       "How long a job's reported state may differ from its expected state before the reported "
       "state is accepted.",
       into([](Settings & s) -> auto& { return s.jobs.sync_time; })},
      {"PURGETIME", "", none, duration(), "0", at_runtime, Landed::yes,
       "How long jobs and nodes are kept after the last resource manager stopped reporting them.",
       [](Settings& s, const std::string&, const Words& value) {
         assign(s.jobs.purge_time, value);
         if (s.node.purge_time == Seconds(0)) s.node.purge_time = s.jobs.purge_time;
       }},
      {"JOBPURGETIME", "", none, duration(), "0", at_runtime, Landed::yes,
       "How long a job is kept after the last resource manager stopped reporting it; 0: PURGETIME "
       "applies.",
       [](Settings& s, const std::string&, const Words& value) {
         Seconds own{0};
         assign(own, value);
         if (own > Seconds(0)) s.jobs.purge_time = own;
       }},
      {"DEFERTIME", "DEFERSTARTTIME", none, duration(), "1:00:00", at_runtime, Landed::yes,
       "How long a deferred job is held; 0: jobs are not deferred.",
       into([](Settings & s) -> auto& { return s.jobs.defer_time; })},
      {"DEFERCOUNT", "", none, integer(0), "24", at_runtime, Landed::yes,
       "How often a job is deferred before it gets a batch hold.",
       into([](Settings & s) -> auto& { return s.jobs.defer_count; })},
      {"DEFERSTARTCOUNT", "", none, integer(0), "1", at_runtime, Landed::yes,
       "How often a job may fail to start before it is deferred.",
       into([](Settings & s) -> auto& { return s.jobs.defer_start_count; })},
  };
  for (auto& row : use_parameters()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace maui::config
