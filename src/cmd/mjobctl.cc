// mjobctl: the operations on jobs under one name.
//
// Operations that another command has are passed to that command, with its rights and messages.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/date.h"
#include "base/duration.h"
#include "base/state_names.h"
#include "base/text.h"
#include "cmd/access.h"
#include "cmd/for_jobs.h"

namespace maui {
namespace {

/// Executes the request as a request of another command.
Answer as_command(const Context& context, std::string_view name,
                  Answer (*run)(const Context& context)) {
  CommandRequest request = context.request;
  request.command = name;
  request.flags.clear();
  const Context same = context.with(request);
  const CommandSpec& spec = *find_command(name);
  if (auto allowed = check_access(same, spec); !allowed) return allowed.error();
  if (auto right = check_request(spec, request); !right) return right.error();
  Answer answer = run(same);
  if (answer)
    if (auto* jobs = std::get_if<JobsReply>(&*answer)) jobs->command = context.request.command;
  return answer;
}

template <class Act>
Answer change(const Context& context, JobAction action, std::string_view what, const Act& act) {
  if (!is_admin(context, 2))
    return Error{fmt::format("user {} is not authorized to {} jobs", context.request.user, what)};
  return for_jobs(context, {action, {}, {}}, context.request.operands, act);
}

Answer preempt_jobs(const Context& context, JobAction action, std::string_view what,
                    Preemption how) {
  return change(context, action, what,
                [&](const Job& job) { return context.engine.preempt_job(job.id, how); });
}

// --- -m ATTR=VALUE ----------------------------------------------------------------

Result<std::uint8_t> hold_bits(std::string_view word) {
  std::uint8_t bits = 0;
  for (const auto part : split(word, ',')) {
    const auto row = std::find_if(kHoldNames.begin(), kHoldNames.end(),
                                  [&](const HoldName& hold) { return same_word(hold.name, part); });
    if (row != kHoldNames.end())
      put(bits, row->hold);
    else if (same_word(part, "all"))
      bits = kAllHolds;
    else if (!same_word(part, "none"))
      return Error{fmt::format(
          "mjobctl: unknown hold '{}': expected user, system, batch, defer, all or none", part)};
  }
  return bits;
}

enum class Change : char { set = '=', add = '+', remove = '-' };

struct Setting {
  std::string_view attribute, value;
  Change change = Change::set;
};

Result<Setting> parse_setting(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    return Error{fmt::format("mjobctl: invalid -m '{}': expected ATTR=VALUE", text)};
  Setting made{text.substr(0, equals), text.substr(equals + 1)};
  if (made.attribute.ends_with('+')) made.change = Change::add;
  if (made.attribute.ends_with('-')) made.change = Change::remove;
  if (made.change != Change::set) made.attribute.remove_suffix(1);
  return made;
}

Answer modify_hold(const Context& context, const Setting& setting) {
  const auto bits = hold_bits(setting.value);
  if (!bits) return bits.error();
  const auto modify = [&](const Job& job) -> Result<std::string> {
    const bool removes = setting.change == Change::remove;
    const std::uint8_t held = removes ? 0 : *bits;
    std::uint8_t released = removes ? *bits : 0;
    // hold=system leaves a user hold of the resource manager alone; hold=none is to release it.
    if (setting.change == Change::set)
      released = static_cast<std::uint8_t>((*bits == 0 ? kAllHolds : job.own_holds) & ~*bits);
    const auto touched = static_cast<std::uint8_t>(held | released);
    if (auto may = may_change_holds(context, job, touched, "change holds of"); !may)
      return may.error();
    return context.engine.change_holds(job.id, held, released);
  };
  return for_jobs(context, {JobAction::modified, {}, {}}, context.request.operands, modify);
}

/// `quoted`: the number as the user wrote it, which may include its sign.
Answer give_priority(const Context& context, const Setting& setting, std::string_view quoted) {
  const bool relative = setting.change != Change::set;
  const auto value = parse_integer<std::int64_t>(setting.value);
  const auto highest = relative ? kHighestPriority : kHighestSystemPriority;
  const bool is_signed = setting.value.starts_with('+');  // after another sign
  if (!value || is_signed || *value < 0 || *value > highest)
    return Error{
        fmt::format("mjobctl: invalid priority '{}': expected a whole number from {} to {}", quoted,
                    quoted == setting.value ? 0 : -highest, highest)};
  const auto wanted = setting.change == Change::remove ? -*value : *value;
  return change(context, JobAction::modified, "modify", [&](const Job& job) {
    return context.engine.set_system_priority(job.id, {!relative && wanted != 0, wanted});
  });
}

Answer modify_priority(const Context& context, const Setting& setting) {
  // "priority=+7" would be meant to change the priority by an amount.
  const std::string_view text = setting.value;
  if (setting.change == Change::set && (text.starts_with('+') || text.starts_with('-')))
    return Error{fmt::format(
        "mjobctl: invalid priority={0}: priority= sets the system priority, from 0 to {1}; -p {0} "
        "or -m priority{2}={3} changes the priority by an amount",
        text, kHighestSystemPriority, text.substr(0, 1), text.substr(1))};
  return give_priority(context, setting, setting.value);
}

/// -p 10, -p +10 or -p -10.
Answer set_priority(const Context& context) {
  const std::string text = context.value("p");
  const bool is_signed = text.starts_with('+') || text.starts_with('-');
  const std::string_view value = std::string_view(text).substr(is_signed ? 1 : 0);
  return give_priority(
      context, {"priority", value, is_signed ? static_cast<Change>(text.front()) : Change::set},
      text);
}

Answer modify_limit(const Context& context, const Setting& setting) {
  // "wclimit=+600", too, would be meant to add to the limit.
  if (setting.change != Change::set || setting.value.starts_with('+'))
    return Error{fmt::format(
        "mjobctl: invalid {}: a limit is not changed by an amount: expected the whole new limit as "
        "wclimit=[[[DD:]HH:]MM:]SS",
        context.value("m"))};
  const auto limit = parse_duration_ahead(setting.value, context.now());
  if (!limit && is_duration(setting.value)) return Error{"mjobctl: wclimit: " + limit.error().what};
  if (!limit || *limit <= Seconds(0))
    return Error{fmt::format("mjobctl: invalid wclimit '{}': expected a time as [[[DD:]HH:]MM:]SS",
                             setting.value)};
  if (*limit >= kUnlimited && context.settings().server.mode != ServerMode::simulation)
    return Error{
        "mjobctl: wclimit: a resource manager cannot be given INFINITY: expected a time as "
        "[[[DD:]HH:]MM:]SS"};
  return change(context, JobAction::modified, "modify",
                [&](const Job& job) { return context.engine.set_limit(job.id, *limit); });
}

Answer modify_qos(const Context& context, const Setting& setting) {
  if (setting.change != Change::set || setting.value.empty())
    return Error{fmt::format("mjobctl: invalid qos '{}': expected qos=NAME", setting.value)};
  return give_qos(context, std::string(setting.value), context.request.operands);
}

struct Attribute {
  std::string_view name;
  Answer (*modify)(const Context& context, const Setting& setting);
};

constexpr Attribute kAttributes[] = {{"hold", modify_hold},
                                     {"priority", modify_priority},
                                     {"qos", modify_qos},
                                     {"wclimit", modify_limit}};

Answer modify(const Context& context) {
  const std::string text = context.value("m");
  const auto setting = parse_setting(text);
  if (!setting) return setting.error();
  for (const auto& row : kAttributes)
    if (same_word(setting->attribute, row.name)) return row.modify(context, *setting);
  return Error{
      fmt::format("mjobctl: unknown attribute '{}': expected hold, priority, qos or wclimit",
                  setting->attribute)};
}

Answer resume_jobs(const Context& context) {
  return change(context, JobAction::resumed, "resume",
                [&](const Job& job) { return context.engine.resume_job(job.id); });
}

struct Operation {
  std::string_view flag;
  Answer (*run)(const Context& context);
};

constexpr Operation kOperations[] = {
    {"c", [](const Context& c) { return as_command(c, "canceljob", canceljob); }},
    {"h", [](const Context& c) { return as_command(c, "sethold", sethold); }},
    {"u", [](const Context& c) { return as_command(c, "releasehold", releasehold); }},
    {"q", [](const Context& c) { return as_command(c, "checkjob", checkjob); }},
    {"x", [](const Context& c) { return as_command(c, "runjob", runjob); }},
    {"C",
     [](const Context& c) {
       return preempt_jobs(c, JobAction::checkpointed, "checkpoint", Preemption::checkpoint);
     }},
    {"R",
     [](const Context& c) {
       return preempt_jobs(c, JobAction::requeued, "requeue", Preemption::requeue);
     }},
    {"s",
     [](const Context& c) {
       return preempt_jobs(c, JobAction::suspended, "suspend", Preemption::suspend);
     }},
    {"r", resume_jobs},
    {"m", modify},
    {"p", set_priority},
};

}  // namespace

Answer mjobctl(const Context& context) {
  const Operation* chosen = nullptr;
  for (const Operation& operation : kOperations) {
    if (!context.has(operation.flag)) continue;
    if (chosen != nullptr)
      return Error{fmt::format("mjobctl: -{} and -{}: one operation at a time", chosen->flag,
                               operation.flag)};
    chosen = &operation;
  }
  return chosen->run(context);  // the command's row requires one of them
}

}  // namespace maui
