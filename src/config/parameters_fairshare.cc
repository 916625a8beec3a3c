// Parameters for measuring and enforcing past use (guide 6.3).
#include <fmt/format.h>

#include "config/apply.h"
#include "config/names.h"
#include "config/parameters.h"

namespace maui::config {
namespace {

constexpr EnumName<FairshareEnforcement> kEnforcements[] = {
    {FairshareEnforcement::by_type, "BYTYPE"},
    {FairshareEnforcement::priority, "PRIORITY"},
    {FairshareEnforcement::hard, "HARD"},
};

// A % at the end makes deviations relative to the target.
Result<std::string> policy_word(std::string_view word) {
  const bool relative = word.ends_with('%');
  const auto metric = value_of(std::span<const EnumName<FairshareMetric>>(kFairshareMetrics),
                               relative ? word.substr(0, word.size() - 1) : word);
  if (!metric || (relative && *metric == FairshareMetric::none))
    return Error{fmt::format("unknown value '{}'", word)};
  return fmt::format(
      "{}{}", name_of(std::span<const EnumName<FairshareMetric>>(kFairshareMetrics), *metric),
      relative ? "%" : "");
}

void apply_policy(Settings& settings, const std::string&, const Words& value) {
  settings.fairshare.metric = FairshareMetric::none;
  settings.fairshare.relative = false;
  if (value.empty()) return;
  std::string_view word = value.front();
  settings.fairshare.relative = word.ends_with('%');
  if (settings.fairshare.relative) word.remove_suffix(1);
  settings.fairshare.metric =
      value_of(std::span<const EnumName<FairshareMetric>>(kFairshareMetrics), word)
          .value_or(FairshareMetric::none);
}

ValueType window_length() {
  auto type = duration();
  type.canonical = [inner = std::move(type.canonical)](const Words& value) -> Result<Words> {
    auto found = inner(value);
    if (!found) return found;
    if (const auto length = parse_duration(found->front()); length && length->raw() <= 0)
      return Error{"a window needs a length"};
    return found;
  };
  return type;
}

}  // namespace

std::vector<Parameter> fairshare_parameters() {
  using enum Index;
  using enum Change;
  return {
      {"USEMACHINESPEEDFORFS", "", none, boolean(), "FALSE", at_runtime, Landed::yes,
       "Whether fairshare multiplies use by the speed of the nodes.",
       into([](Settings & s) -> auto& { return s.fairshare.machine_speed; })},
      {"FAIRNESSPROGRAM", "", none, text("a program"), "[NONE]", at_runtime, Landed::yes,
       "Program that decides in each iteration which waiting jobs may not start now, and why; in "
       "tools/ unless absolute.",
       into([](Settings & s) -> auto& { return s.local.fairness_program; })},
      {"FSPOLICY", "", none,
       or_none(custom("DEDICATEDPS, DEDICATEDPES, UTILIZEDPS, one of these with a %, or NONE",
                      policy_word)),
       "[NONE]", at_runtime, Landed::yes,
       "What counts as use for fairshare; with a %, the difference from the target counts as a "
       "fraction of the target: use of 15 against a target of 20 is 0.25.",
       apply_policy},
      {"FSINTERVAL", "", none, window_length(), "24:00:00", at_runtime, Landed::yes,
       "Length of one fairshare window.",
       into([](Settings & s) -> auto& { return s.fairshare.interval; })},
      {"FSDEPTH", "", none, integer(1, 10000), "7", at_runtime, Landed::yes,
       "How many fairshare windows count.",
       into([](Settings & s) -> auto& { return s.fairshare.depth; })},
      {"FSDECAY", "", none, number(0, 1), "1.0", at_runtime, Landed::yes,
       "Weight of each window relative to the next newer window.",
       into([](Settings & s) -> auto& { return s.fairshare.decay; })},
      {"FSCONFIGFILE", "", none, text("a file name"), "fs.cfg", with_file, Landed::yes,
       "File with attributes of credentials in the form of release 3.0.6 (USER:amy FSTARGET=25), "
       "in the directory of maui.cfg; the default file may be missing.",
       into([](Settings & s) -> auto& { return s.fairshare.config_file; })},
      {"FSENFORCEMENT", "", none, or_none(choice(kEnforcements)), "[NONE]", at_runtime, Landed::yes,
       "Which fairshare targets block jobs: caps (BYTYPE, or [NONE]), none (PRIORITY), or all but "
       "floors (HARD).",
       [](Settings& settings, const std::string&, const Words& value) {
         settings.fairshare.enforcement =
             value.empty()
                 ? FairshareEnforcement::by_type
                 : value_of(std::span<const EnumName<FairshareEnforcement>>(kEnforcements),
                            value.front())
                       .value_or(FairshareEnforcement::by_type);
       }},
  };
}

}  // namespace maui::config
