// Commands that act on jobs: canceljob, runjob, sethold, releasehold, setqos, setspri.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/host_range.h"
#include "base/state_names.h"
#include "base/text.h"
#include "cmd/access.h"
#include "cmd/facts/node_facts.h"
#include "cmd/for_jobs.h"
#include "cmd/operands.h"
#include "sched/reservations/access.h"

namespace maui {
namespace {

/// Returns the types of hold that the flags name.  Without a flag: all types, or the only type that
/// the user may set.
Result<std::uint8_t> holds_asked(const Context& context) {
  constexpr std::pair<std::string_view, std::uint8_t> kFlags[] = {
      {"a", kAllHolds},
      {"b", static_cast<std::uint8_t>(Hold::batch)},
      {"s", static_cast<std::uint8_t>(Hold::system)},
      {"u", static_cast<std::uint8_t>(Hold::user)},
  };
  constexpr auto kUser = static_cast<std::uint8_t>(Hold::user);
  std::uint8_t holds = 0;
  for (const auto& [flag, bits] : kFlags)
    if (context.has(flag)) holds |= bits;
  if (holds == 0) return is_admin(context, 2) ? kAllHolds : kUser;
  if (auto may = may_change_holds(context, holds); !may) return may.error();
  return holds;
}

/// Refuses the release of holds if all that the job has are of types that the user may not release.
Status may_release(const Context& context, const Job& job, std::uint8_t asked) {
  if (job.holds == 0 || (job.holds & asked) != 0 || is_admin(context, 2)) return Done{};
  const auto names = hold_names(job.holds);
  return Error{fmt::format("user {} is not authorized to release the {} hold{} of job '{}'",
                           context.request.user, join(names, " and "), names.size() > 1 ? "s" : "",
                           job.name)};
}

Answer change_holds(const Context& context, JobAction action) {
  const auto asked = holds_asked(context);
  if (!asked) return asked.error();
  const bool set = action == JobAction::holds_set;
  return for_jobs(
      context, {action, hold_names(*asked), {}}, context.request.operands,
      [&](const Job& job) -> Result<std::string> {
        if (auto may = may_act_on(context, job, set ? "hold" : "release holds of"); !may)
          return may.error();
        if (!set)
          if (auto may = may_release(context, job, *asked); !may) return may.error();
        constexpr std::uint8_t kNone = 0;
        return context.engine.change_holds(job.id, set ? *asked : kNone, set ? kNone : *asked);
      });
}

Result<Engine::RunOptions> run_options(const Context& context) {
  Engine::RunOptions options;
  options.force = context.has("f") || context.has("x");
  options.ignore_reservations = context.has("x");
  const auto partition = partition_named(context, context.value("p"));
  if (!partition) return partition.error();
  options.partition = *partition;
  if (!context.has("n")) return options;
  const auto names = expand_host_list(context.value("n"), most_hosts(context.cluster()));
  if (!names) return Error{"-n: " + names.error().what};
  if (names->empty()) return Error{"-n: expected node names"};
  for (const auto& name : *names) {
    const auto node = node_named(context, name);
    if (!node) return node.error();
    options.nodes.push_back(*node);
  }
  return options;
}

/// Refuses flags about a start together with -c or -s, which start nothing.
Status starts_or_not(const Context& context) {
  if (context.has("s") && context.has("c")) return Error{"runjob: either -c or -s, not both"};
  for (const auto other : {"c", "s"})
    for (const auto flag : {"f", "n", "p", "x"})
      if (context.has(other) && context.has(flag))
        return Error{
            fmt::format("runjob: -{} does not start the job: -{} does not apply", other, flag)};
  return Done{};
}

CommandResult run(const Context& context, const Job& job, const Engine::RunOptions& options) {
  if (!job.waiting())
    return Error{fmt::format("job '{}' is in state '{}'  (state must be idle)", job.name,
                             state_name(job.state))};
  return context.engine.run_job(job.id, options);
}

}  // namespace

Answer canceljob(const Context& context) {
  return for_jobs(context, {JobAction::cancelled, {}, {}}, context.request.operands,
                  [&](const Job& job) -> CommandResult {
                    if (auto may = may_act_on(context, job, "cancel"); !may) return may;
                    return context.engine.cancel_job(job.id);
                  });
}

Answer runjob(const Context& context) {
  if (auto single = starts_or_not(context); !single) return single.error();
  const auto options = run_options(context);
  if (!options) return options.error();
  const auto& names = context.request.operands;
  if (context.has("s"))
    return for_jobs(context, {JobAction::preempted, {}, {}}, names,
                    [&](const Job& job) -> CommandResult {
                      if (!job.active())
                        return Error{fmt::format("cannot preempt non-active job '{}' (state {})",
                                                 job.name, state_name(job.state))};
                      return context.engine.preempt_job(job.id, Preemption::suspend);
                    });
  if (context.has("c"))
    return for_jobs(context, {JobAction::cleared, {}, {}}, names, [&](const Job& job) {
      constexpr auto kCleared = static_cast<std::uint8_t>(static_cast<std::uint8_t>(Hold::batch) |
                                                          static_cast<std::uint8_t>(Hold::defer));
      return context.engine.change_holds(job.id, 0, kCleared);
    });
  return for_jobs(context, {JobAction::started, {}, {}}, names,
                  [&](const Job& job) { return run(context, job, *options); });
}

Answer sethold(const Context& context) { return change_holds(context, JobAction::holds_set); }

Answer releasehold(const Context& context) {
  return change_holds(context, JobAction::holds_released);
}

Answer give_qos(const Context& context, const std::string& name,
                const std::vector<std::string>& jobs) {
  const QosId known = context.cluster().qos.find(name);
  if (!known.valid() && !context.settings().qos.contains(name))
    return Error{fmt::format("invalid QOS specified: '{}' is not known", name)};
  return for_jobs(
      context, {JobAction::qos_set, {}, {}}, jobs, [&](const Job& job) -> CommandResult {
        if (auto may = may_act_on(context, job, "set the QOS of"); !may) return may;
        const AccessRules rules(context.cluster(), context.settings());
        if (!is_admin(context, 2) && !rules.may_use_qos(job.credentials, name))
          return Error{fmt::format("user {} is not authorized to set QOS '{}' of job '{}'",
                                   context.request.user, name, job.name)};
        return context.engine.set_qos(job.id, context.engine.names().qos.intern(name));
      });
}

Answer setqos(const Context& context) {
  return give_qos(context, context.request.operands[0], {context.request.operands[1]});
}

Answer setspri(const Context& context) {
  const auto& operands = context.request.operands;
  const auto value = parse_integer<std::int64_t>(operands[0]);
  const bool absolute = !context.has("r");
  if (!value)
    return Error{fmt::format(
        "setspri: invalid PRIORITY '{}': expected a whole number from {} to {}", operands[0],
        absolute ? 0 : -kHighestPriority, absolute ? kHighestSystemPriority : kHighestPriority)};
  if (absolute && (*value < 0 || *value > kHighestSystemPriority))
    return Error{fmt::format("system priority must be in the range 0 - {}, not {}",
                             kHighestSystemPriority, *value)};
  if (*value < -kHighestPriority || *value > kHighestPriority)
    return Error{fmt::format("relative system priority must be in the range -{} - {}, not {}",
                             kHighestPriority, kHighestPriority, *value)};
  return for_jobs(context, {JobAction::priority_set, {}, {}}, {operands[1]}, [&](const Job& job) {
    return context.engine.set_system_priority(job.id, {absolute && *value != 0, *value});
  });
}

}  // namespace maui
