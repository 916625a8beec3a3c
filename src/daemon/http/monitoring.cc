#include "daemon/http/monitoring.h"

#include <unistd.h>

#include <fstream>

#include "daemon/memory_reserve.h"
#include "metrics/health.h"

namespace maui {
namespace {

std::int64_t resident_memory() {
  std::int64_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

}  // namespace

HttpResponse Monitoring::health() const {
  const Health health = health_of(sources_.engine, state());
  return {health.problems.empty() ? 200 : 503, "application/json", health_as_json(health)};
}

HttpResponse Monitoring::metrics(ServerCounts counts) const {
  counts.lines = sources_.lines;
  counts.started = static_cast<double>(sources_.started_at);
  counts.memory = resident_memory();
  return {200, "text/plain; version=0.0.4; charset=utf-8",
          metrics_text(sources_.engine, times_, state(), counts)};
}

ServerState Monitoring::state() const {
  ServerState state;
  if (const auto last = times_.last_end()) state.iteration_age = seconds_since(*last);
  state.up = seconds_since(sources_.started);
  state.checkpoint_failing = sources_.checkpoint_failing();
  state.memory_short = memory_is_short();
  return state;
}

}  // namespace maui
