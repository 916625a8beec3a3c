// Run times that are learned from the jobs that have ended (docs/learning.md).
#include "config/apply.h"
#include "config/parameters.h"

namespace maui::config {
namespace {

constexpr EnumName<LearningUse> kUses[] = {{LearningUse::none, "NONE"},
                                           {LearningUse::show, "SHOW"},
                                           {LearningUse::backfill, "BACKFILL"},
                                           {LearningUse::priority, "PRIORITY"}};

}  // namespace

std::vector<Parameter> learning_parameters() {
  using enum Index;
  using enum Change;
  return {
      {"RUNTIMELEARNING", "", none, choice(kUses), "SHOW", at_runtime, Landed::yes,
       "What is made of the run times of earlier jobs: nothing; they are learned and shown; they "
       "decide which jobs are backfilled first; they decide on the expansion factor, too.",
       into(
           kUses, [](Settings & s) -> auto& { return s.learning.use; })},
      {"RESERVATIONSLACK", "", none, duration(), "1:00:00", at_runtime, Landed::yes,
       "How long after the earliest start ever promised to it backfill may make a reserved job "
       "wait, by wallclock limits, with RUNTIMELEARNING BACKFILL or PRIORITY.",
       into([](Settings & s) -> auto& { return s.learning.reservation_slack; })},
      {"RESERVATIONHYSTERESIS", "", none, number(1), "10", at_runtime, Landed::yes,
       "How many times over the expansion factor of the job that holds the priority reservation "
       "counts with RUNTIMELEARNING PRIORITY.",
       into([](Settings & s) -> auto& { return s.learning.reservation_hysteresis; })},
      {"FAIRSTARTLIMIT", "", none, duration(), "12:00:00", at_runtime, Landed::yes,
       "How long every job may have to wait with RUNTIMELEARNING PRIORITY, beside what "
       "FAIRSTARTFACTOR adds; from then on it goes before all others.",
       into([](Settings & s) -> auto& { return s.learning.fair_start_limit; })},
      {"FAIRSTARTFACTOR", "", none, number(), "1", at_runtime, Landed::yes,
       "How much of the time that all earlier jobs are expected to need a job may have to wait "
       "beside FAIRSTARTLIMIT.",
       into([](Settings & s) -> auto& { return s.learning.fair_start_factor; })},
      {"HISTORYAGE", "", none, duration(), "365:00:00:00", at_runtime, Landed::yes,
       "For how long run times are remembered to which none of their kind is added, and "
       "for how long the history answers.",
       into([](Settings & s) -> auto& { return s.learning.history_age; })},
  };
}

}  // namespace maui::config
