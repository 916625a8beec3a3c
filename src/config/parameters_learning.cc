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
       "How run times of earlier jobs are used: not at all (NONE); they are learned and shown "
       "(SHOW); they also decide which jobs are backfilled first (BACKFILL); they also go into "
       "the expansion factor (PRIORITY).",
       into(
           kUses, [](Settings & s) -> auto& { return s.learning.use; })},
      {"RESERVATIONSLACK", "", none, duration(), "1:00:00", at_runtime, Landed::yes,
       "With RUNTIMELEARNING BACKFILL or PRIORITY, how much later than the earliest start that it "
       "was ever promised backfill may make a job with a reservation start, by wallclock limits.",
       into([](Settings & s) -> auto& { return s.learning.reservation_slack; })},
      {"RESERVATIONHYSTERESIS", "", none, number(1), "10", at_runtime, Landed::yes,
       "With RUNTIMELEARNING PRIORITY, the expansion factor of the job that holds the priority "
       "reservation is multiplied by this, so that the reservation does not change hands all the "
       "time.",
       into([](Settings & s) -> auto& { return s.learning.reservation_hysteresis; })},
      {"FAIRSTARTLIMIT", "", none, duration(), "12:00:00", at_runtime, Landed::yes,
       "With RUNTIMELEARNING PRIORITY, a job that has waited for this time, plus what "
       "FAIRSTARTFACTOR adds, goes before all others.",
       into([](Settings & s) -> auto& { return s.learning.fair_start_limit; })},
      {"FAIRSTARTFACTOR", "", none, number(), "1", at_runtime, Landed::yes,
       "Added to FAIRSTARTLIMIT for each job: this factor times the time that the whole machine "
       "was expected to need, when the job came, for all jobs ahead of it and for the job itself.",
       into([](Settings & s) -> auto& { return s.learning.fair_start_factor; })},
      {"HISTORYAGE", "", none, duration(), "365:00:00:00", at_runtime, Landed::yes,
       "Run times of a kind of job are forgotten once none has been added for this time. The "
       "history goes back as far.",
       into([](Settings & s) -> auto& { return s.learning.history_age; })},
  };
}

}  // namespace maui::config
