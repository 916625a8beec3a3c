#include "sched/backfill_value.h"

#include "sched/priority/priority.h"

namespace maui {

double backfill_value(const CycleState& state, std::size_t rank) {
  const Request& request = state.request(rank);
  const double procs = request.total_procs();
  const auto seconds = static_cast<double>(request.limit.raw());
  switch (state.settings().backfill_metric) {
    case BackfillMetric::procs:
      return procs;
    case BackfillMetric::proc_seconds:
      return procs * seconds;
    case BackfillMetric::seconds:
      return seconds;
    case BackfillMetric::pe:
      return processor_equivalents(state.cluster(), request);
    case BackfillMetric::pe_seconds:
      return processor_equivalents(state.cluster(), request) * seconds;
  }
  return 0;
}

}  // namespace maui
