// The iteration: backfill, priority reservations, preemption (guide 7.1.4, 8).
#include "config/apply.h"
#include "config/parameters.h"

namespace maui::config {
namespace {

constexpr EnumName<BackfillPolicy> kBackfill[] = {
    {BackfillPolicy::first_fit, "FIRSTFIT"}, {BackfillPolicy::best_fit, "BESTFIT"},
    {BackfillPolicy::greedy, "GREEDY"},      {BackfillPolicy::shortest_first, "SHORTESTFIRST"},
    {BackfillPolicy::preempt, "PREEMPT"},    {BackfillPolicy::local, "LOCAL"},
    {BackfillPolicy::none, "NONE"}};
constexpr EnumName<BackfillVictim> kVictims[] = {{BackfillVictim::random, "RANDOM"},
                                                 {BackfillVictim::duration, "DURATION"},
                                                 {BackfillVictim::hw_duration, "HWDURATION"}};
constexpr EnumName<Preemption> kPreemptions[] = {{Preemption::requeue, "REQUEUE"},
                                                 {Preemption::suspend, "SUSPEND"},
                                                 {Preemption::checkpoint, "CHECKPOINT"}};
constexpr EnumName<BackfillMetric> kMetrics[] = {{BackfillMetric::procs, "PROCS"},
                                                 {BackfillMetric::procs, "NODES"},
                                                 {BackfillMetric::proc_seconds, "PROCSECONDS"},
                                                 {BackfillMetric::seconds, "SECONDS"},
                                                 {BackfillMetric::pe, "PE"},
                                                 {BackfillMetric::pe_seconds, "PESECONDS"}};
constexpr EnumName<WindowOrder> kOrders[] = {{WindowOrder::widest, "WIDEST"},
                                             {WindowOrder::longest, "LONGEST"},
                                             {WindowOrder::priority, "PRIORITY"}};
constexpr EnumName<ReservationPolicy> kReservations[] = {
    {ReservationPolicy::current_highest, "CURRENTHIGHEST"},
    {ReservationPolicy::highest, "HIGHEST"},
    {ReservationPolicy::never, "NEVER"}};
constexpr EnumName<ReservationControl> kControl[] = {{ReservationControl::admin_only, "ADMINONLY"},
                                                     {ReservationControl::any, "ANY"}};

// Returns the stack with this index; preceding stacks that are not set hold no reservations.
ReservationStack& stack(Settings& settings, const std::string& index) {
  auto& stacks = settings.reservation_stacks;
  const auto at = parse_integer<std::size_t>(index).value_or(0);
  while (stacks.size() <= at) stacks.push_back({0, {}});
  return stacks[at];
}

// Rows are applied in the order of the table, QOS lists before depths: a stack with a list holds
// one reservation unless its depth is set.
void set_qos_list(Settings& settings, const std::string& index, const Words& value) {
  auto& entry = stack(settings, index);
  entry.depth = 1;
  entry.qos = value.size() == 1 && same_word(value.front(), "[ALL]") ? Words{} : value;
}

void set_depth(Settings& settings, const std::string& index, const Words& value) {
  assign(stack(settings, index).depth, value);
}

void set_retry_time(Settings& settings, const std::string& index, const Words& value) {
  assign(stack(settings, index).retry, value);
}

std::vector<Parameter> backfill_parameters() {
  using enum Index;
  using enum Change;
  return {
      {"BACKFILLPOLICY", "", optional_name, choice(kBackfill), "FIRSTFIT", at_runtime, Landed::yes,
       "How backfill chooses the jobs that it starts out of order, where that delays no "
       "reservation; with an index, among the jobs that may use only that partition.",
       into_partition(kBackfill, &Settings::backfill, &PartitionPolicies::backfill)},
      {"BACKFILLPROGRAM", "", none, text("a program"), "[NONE]", at_runtime, Landed::yes,
       "Program that decides in each iteration which jobs may be backfilled, and in which order, "
       "with BACKFILLPOLICY LOCAL; in tools/ unless absolute.",
       into([](Settings & s) -> auto& { return s.local.backfill_program; })},
      {"BACKFILLMETRIC", "SCHEDULINGCRITERIA", none, choice(kMetrics), "PROCS", at_runtime,
       Landed::yes, "Measure by which BESTFIT and GREEDY compare jobs.",
       into(
           kMetrics, [](Settings & s) -> auto& { return s.backfill_metric; })},
      {"BACKFILLDEPTH", "", none, integer(0), "0", at_runtime, Landed::yes,
       "How many waiting jobs backfill considers; 0: all.",
       into([](Settings & s) -> auto& { return s.backfill_depth; })},
      {"BFWINDOWORDER", "", none, choice(kOrders), "WIDEST", at_runtime, Landed::yes,
       "Which backfill window is filled first; PRIORITY tries each job in all windows.",
       into(
           kOrders, [](Settings & s) -> auto& { return s.window_order; })},
      {"BFPRIORITYPOLICY", "", none, or_none(choice(kVictims)), "[NONE]", at_runtime, Landed::yes,
       "Which backfilled job is preempted first.",
       [](Settings& s, const std::string&, const Words& value) {
         s.jobs.backfill_victim = BackfillVictim::least_harm;
         if (!value.empty())
           into(
               kVictims, [](Settings & t) -> auto& { return t.jobs.backfill_victim; })(s, "",
                                                                                       value);
       }},
      {"BFCHUNKSIZE", "", none, integer(0), "0", at_runtime, Landed::yes,
       "Idle nodes are held back for jobs of at least this many processors; 0: never.",
       into([](Settings & s) -> auto& { return s.throttling.chunk_size; })},
      {"BFCHUNKDURATION", "", none, duration(), "0", at_runtime, Landed::yes,
       "How long BFCHUNKSIZE holds idle nodes back.",
       into([](Settings & s) -> auto& { return s.throttling.chunk_duration; })},
  };
}

}  // namespace

std::vector<Parameter> scheduling_parameters() {
  using enum Index;
  using enum Change;
  std::vector<Parameter> rows{
      {"RMPOLLINTERVAL", "", none, duration(), "00:01:00", at_runtime, Landed::yes,
       "Time between two iterations, and between two queries to the resource managers.",
       into([](Settings & s) -> auto& { return s.poll_interval; })},
      {"JOBAGGREGATIONTIME", "", none, duration(), "0", at_runtime, Landed::yes,
       "Shortest time between two iterations that events start.",
       into([](Settings & s) -> auto& { return s.job_aggregation_time; })},
      {"RESERVATIONPOLICY", "", none, choice(kReservations), "CURRENTHIGHEST", at_runtime,
       Landed::yes,
       "Which jobs get priority reservations: those at the top of the queue now (CURRENTHIGHEST), "
       "those that ever were (HIGHEST), or none (NEVER).",
       into(
           kReservations, [](Settings & s) -> auto& { return s.reservation_policy; })},
      {"RESERVATIONQOSLIST", "", numeric, some(list("names of QOS, or [ALL]", " ,:")), "[ALL]",
       at_runtime, Landed::yes, "The QOS whose jobs share this stack of priority reservations.",
       set_qos_list},
      {"RESERVATIONDEPTH", "", numeric, integer(0), "1", at_runtime, Landed::yes,
       "How many priority reservations the jobs of this stack may hold together.", set_depth},
      {"RESERVATIONRETRYTIME", "RESERVATIONRETYTIME", numeric, duration(), "0", at_runtime,
       Landed::yes,
       "How long a job with a reservation of this stack keeps its turn while the resource manager "
       "fails to start it.",
       set_retry_time},
      {"RESDEPTH", "", none, integer(1), "24", at_runtime, Landed::yes,
       "How many reservations a node is expected to have; diagnose -r reports nodes with more. "
       "This is not a limit.",
       into([](Settings & s) -> auto& { return s.reservations_per_node; })},
      {"RESCTLPOLICY", "", none, choice(kControl), "ADMINONLY", at_runtime, Landed::yes,
       "Who may create administrative reservations.",
       into(
           kControl, [](Settings & s) -> auto& { return s.reservation_control; })},
      {"PREEMPTIONPOLICY", "PREEMPTPOLICY", none, choice(kPreemptions), "REQUEUE", at_runtime,
       Landed::yes, "What happens to a preempted job.",
       into(
           kPreemptions, [](Settings & s) -> auto& { return s.jobs.preemption; })},
  };
  for (auto& row : backfill_parameters()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace maui::config
