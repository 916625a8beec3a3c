// Checks a client's request against the row of its command.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "base/state_names.h"
#include "base/text.h"
#include "maui/command.h"

namespace maui {
namespace {

std::string written(const Flag& flag) {
  return flag.letter != 0 ? fmt::format("-{}", flag.letter) : fmt::format("--{}", flag.name);
}

/// Some commands have several tasks, and a flag must select one of them.
Status check_choice(const CommandSpec& spec, const CommandRequest& request) {
  if (spec.one_of.empty()) return Done{};
  std::string list;
  for (const char& letter : spec.one_of) {
    if (request.has(std::string_view(&letter, 1))) return Done{};
    const bool last = &letter == &spec.one_of.back();
    list += fmt::format("{}-{}", list.empty() ? "" : last ? " and " : ", ", letter);
  }
  return Error{fmt::format("{}: expected one of {}", spec.name, list)};
}

/// True if a flag replaces the operands, as in "JOB|--script FILE".
bool stands_for_operands(const CommandSpec& spec, const CommandRequest& request) {
  const std::string_view choices = spec.operands;
  return std::any_of(request.flags.begin(), request.flags.end(), [&](const auto& given) {
    const Flag* flag = find_flag(spec, given.first);
    return flag != nullptr && choices.find("|" + written(*flag)) != choices.npos;
  });
}

bool is_hold_type(std::string_view word) {
  return same_word(word, "all") ||
         std::any_of(kHoldNames.begin(), kHoldNames.end(),
                     [word](const HoldName& row) { return same_word(word, row.name); });
}

/// Moab has mjobctl -h TYPE JOB and -u TYPE JOB.  The type would be taken for a job that does not
/// exist, and all holds of the other one would change.
Status check_holds(const CommandSpec& spec, const CommandRequest& request) {
  const bool adds = request.has("h");
  if (spec.name != "mjobctl" || !(adds || request.has("u")) || request.operands.size() < 2)
    return Done{};
  if (!is_hold_type(request.operands.front())) return Done{};
  return Error{fmt::format("mjobctl: -{} takes only jobs: -m hold{}={} JOB changes holds of a type",
                           adds ? 'h' : 'u', adds ? '+' : '-', lower(request.operands.front()))};
}

}  // namespace

Status check_request(const CommandSpec& spec, const CommandRequest& request) {
  for (auto at = request.flags.begin(); at != request.flags.end(); ++at) {
    const auto& [key, value] = *at;
    const Flag* flag = find_flag(spec, key);
    if (flag == nullptr) return Error{fmt::format("{} has no flag '{}'", spec.name, key)};
    if (flag->argument.empty() && !value.empty())
      return Error{
          fmt::format("{}: {} takes no value, but has '{}'", spec.name, written(*flag), value)};
    if (!flag->argument.empty() && !flag->optional_argument && value.empty())
      return Error{
          fmt::format("{}: {} must be followed by {}", spec.name, written(*flag), flag->argument)};
    if (!flag->repeatable && at != request.flags.begin() && std::prev(at)->first == key)
      return Error{fmt::format("{}: {} is given twice", spec.name, written(*flag))};
    if (!flag->needs.empty() && !request.has(flag->needs))
      return Error{fmt::format("{}: {} requires --{}", spec.name, written(*flag), flag->needs)};
  }
  if (auto chosen = check_choice(spec, request); !chosen) return chosen;
  if (auto right = check_holds(spec, request); !right) return right;
  const auto count = static_cast<int>(request.operands.size());
  if (count < spec.min_operands && !stands_for_operands(spec, request))
    return Error{fmt::format("{}: expected {}", spec.name, spec.operands)};
  if (spec.max_operands >= 0 && count > spec.max_operands)
    return Error{fmt::format("{}: unexpected '{}'", spec.name,
                             request.operands[static_cast<std::size_t>(spec.max_operands)])};
  return Done{};
}

}  // namespace maui
