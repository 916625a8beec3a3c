#include "daemon/live.h"

#include <algorithm>

namespace maui {
namespace {

std::chrono::seconds wall_seconds(Seconds length) {
  return std::chrono::seconds(std::clamp<std::int64_t>(length.raw(), 0, 366 * 24 * 3600));
}

}  // namespace

Driver::State LiveDriver::state(WallTime wall) {
  wall_ = wall;
  if (engine_.iteration() < 0 && begun_ == WallTime{}) return State::ready;
  apply_stop_rule(engine_);
  if (engine_.stop_rule().stopped) return State::waiting;
  const Settings& settings = engine_.settings();
  due_ = begun_ + wall_seconds(std::max(settings.poll_interval, Seconds(1)));
  const WallTime::duration pause = std::min<WallTime::duration>(took_, std::chrono::seconds(1));
  const auto soonest = begun_ + std::max<WallTime::duration>(
                                    wall_seconds(settings.job_aggregation_time), took_ + pause);
  if (touched_) due_ = std::min(due_, soonest);
  // What lies before the last iteration has been dealt with.
  if (const Time event = engine_.next_event(); event > clock_.now() && event < kForever)
    due_ = std::min(due_, std::max(soonest, begun_ + wall_seconds(event - clock_.now())));
  return due_ > wall ? State::later : State::ready;
}

void LiveDriver::step() {
  begun_ = wall_;
  touched_ = false;
  clock_.tick();
  engine_.iterate([this, from = read_wall_()] { took_ = read_wall_() - from; });
}

}  // namespace maui
