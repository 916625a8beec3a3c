#include "daemon/control/scheduler_control.h"

#include <algorithm>
#include <chrono>

namespace maui {

std::shared_ptr<history::HistoryReader> SchedulerControl::history() const {
  const auto* history = around_.records.history();
  return history != nullptr ? history->reader() : nullptr;
}

std::vector<history::Wait> SchedulerControl::waits_of(const Job& job) const {
  const auto* history = around_.records.history();
  return history != nullptr ? history->waits_of(job, around_.engine.now())
                            : std::vector<history::Wait>();
}

void SchedulerControl::wake() {
  around_.driver.touch();
  resume_.cancel();
  Engine& engine = around_.engine;
  const auto& rule = engine.stop_rule();
  if (!rule.stopped || !rule.resume_at) return;
  // The simulation's clock stands still while stopped, so this waits in real time.
  const auto seconds = std::max((*rule.resume_at - engine.now()).raw(), std::int64_t{0});
  resume_.expires_after(std::chrono::seconds(std::min(seconds, std::int64_t{1} << 31)));
  resume_.async_wait([&engine](boost::system::error_code error) {
    if (error) return;
    engine.stop_rule().stopped = false;
    engine.stop_rule().resume_at.reset();
  });
}

}  // namespace maui
