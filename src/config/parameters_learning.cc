// Run times learned from ended jobs (docs/learning.md).
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
       "How run times of earlier jobs are used: not at all (NONE); learned and shown (SHOW); also "
       "used to choose which jobs are backfilled first (BACKFILL); also used in the expansion "
       "factor (PRIORITY).",
       into(
           kUses, [](Settings & s) -> auto& { return s.learning.use; })},
      {"RESERVATIONSLACK", "", none, duration(), "1:00:00", at_runtime, Landed::yes,
       "With RUNTIMELEARNING BACKFILL or PRIORITY, how far backfill may delay the start of a job "
       "with a reservation beyond the earliest start it was ever promised, by wallclock limits.",
       into([](Settings & s) -> auto& { return s.learning.reservation_slack; })},
      {"RESERVATIONHYSTERESIS", "", none, number(1), "10", at_runtime, Landed::yes,
       "With RUNTIMELEARNING PRIORITY, the expansion factor of the job that holds the priority "
       "reservation is multiplied by this number, so that the reservation does not change hands "
       "too often.",
       into([](Settings & s) -> auto& { return s.learning.reservation_hysteresis; })},
      {"FAIRSTARTLIMIT", "", none, duration(), "12:00:00", at_runtime, Landed::yes,
       "With RUNTIMELEARNING PRIORITY, a job that has waited this long, plus the time that "
       "FAIRSTARTFACTOR adds, goes before all others.",
       into([](Settings & s) -> auto& { return s.learning.fair_start_limit; })},
      {"FAIRSTARTFACTOR", "", none, number(), "1", at_runtime, Landed::yes,
       "Added to FAIRSTARTLIMIT for each job: this factor times the time that the whole machine "
       "was expected to need, when the job came, for all jobs ahead of it and for the job itself.",
       into([](Settings & s) -> auto& { return s.learning.fair_start_factor; })},
      {"HISTORYAGE", "", none, duration(), "365:00:00:00", at_runtime, Landed::yes,
       "The run times of a kind of job are deleted when none has been added for this long. The "
       "history goes back equally far.",
       into([](Settings & s) -> auto& { return s.learning.history_age; })},
  };
}

}  // namespace maui::config
