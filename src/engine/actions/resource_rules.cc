#include "engine/actions/resource_rules.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace maui {
namespace {

std::uint8_t all_resources() {
  std::uint8_t all = 0;
  for (const auto resource : {LimitedResource::procs, LimitedResource::memory,
                              LimitedResource::disk, LimitedResource::swap})
    put(all, resource);
  return all;
}

Resources asked_for(const Request& request) {
  Resources all;
  for (const Requirement& requirement : request.requirements)
    all.add(requirement.per_task, requirement.tasks);
  return all;
}

/// The resources of one kind in megabytes that a job uses and asked for.
struct Megabytes {
  LimitedResource resource;
  std::string_view name;
  std::int64_t used;
  Resources::Quantity asked;
};

std::array<Megabytes, 3> megabytes(const JobUse& use, const Resources& asked) {
  return {{{LimitedResource::memory, "memory", use.memory, asked.memory()},
           {LimitedResource::swap, "swap", use.swap, asked.swap()},
           {LimitedResource::disk, "disk", use.disk, asked.disk()}}};
}

bool above(std::int64_t used, Resources::Quantity asked) { return asked > 0 && used > asked; }

}  // namespace

std::vector<ResourceLimits> resource_rules(const JobSettings& settings) {
  std::vector<ResourceLimits> rules = settings.limits;
  ResourceLimits rest{settings.use_policy, settings.use_action, all_resources()};
  if (settings.enforce_limits && rest.policy == ViolationPolicy::never)
    rest.policy = ViolationPolicy::always;
  for (const ResourceLimits& rule : settings.limits)
    rest.resources = static_cast<std::uint8_t>(rest.resources & ~rule.resources);
  if (rest.policy != ViolationPolicy::never && rest.resources != 0) rules.push_back(rest);
  return rules;
}

const ResourceLimits* broken_rule(const std::vector<ResourceLimits>& rules, const JobUse& use,
                                  const Request& request) {
  const Resources asked = asked_for(request);
  for (const ResourceLimits& rule : rules) {
    if (has(rule.resources, LimitedResource::procs) && use.procs > asked.procs()) return &rule;
    for (const Megabytes& kind : megabytes(use, asked))
      if (has(rule.resources, kind.resource) && above(kind.used, kind.asked)) return &rule;
  }
  return nullptr;
}

std::string excess_words(const ResourceLimits& rule, const JobUse& use, const Request& request) {
  const Resources asked = asked_for(request);
  std::string excess;
  const auto add = [&](std::string words) {
    excess.append(excess.empty() ? "it used " : "; ").append(words);
  };
  if (has(rule.resources, LimitedResource::procs) && use.procs > asked.procs())
    add(fmt::format("{:.2f} processors, and had requested {}", use.procs, asked.procs()));
  for (const Megabytes& kind : megabytes(use, asked))
    if (has(rule.resources, kind.resource) && above(kind.used, kind.asked))
      add(fmt::format("{} MB of {}, and had requested {} MB", kind.used, kind.name, kind.asked));
  return excess;
}

std::string parameters_on_use(const Settings& settings) {
  std::string names;
  const auto add = [&](bool acts, std::string_view name) {
    if (acts) names.append(names.empty() ? "" : ", ").append(name);
  };
  add(!settings.jobs.limits.empty(), "RESOURCELIMITPOLICY");
  add(settings.jobs.use_policy != ViolationPolicy::never, "RESOURCEUTILIZATIONPOLICY");
  add(settings.jobs.enforce_limits, "ENFORCERESOURCELIMITS");
  add(settings.fairshare.metric == FairshareMetric::utilised_proc_seconds, "FSPOLICY UTILIZEDPS");
  add(settings.allocations.type != AllocationManagerType::none &&
          settings.allocations.policy == ChargePolicy::successful_cpu,
      "BANKCHARGEPOLICY DEBITSUCCESSFULCPU");
  return names;
}

bool waits_for_resources(Reason reason) {
  return reason == Reason::idle_procs || reason == Reason::requirements ||
         reason == Reason::reserved_later || reason == Reason::reservations_block ||
         reason == Reason::node_set || reason == Reason::chunk || reason == Reason::not_reached;
}

}  // namespace maui
