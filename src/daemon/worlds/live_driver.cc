#include "daemon/worlds/live_driver.h"

#include <algorithm>
#include <ctime>

namespace maui {
namespace {

std::chrono::seconds wall_seconds(Seconds length) {
  return std::chrono::seconds(std::clamp<std::int64_t>(length.raw(), 0, 366 * 24 * 3600));
}

constexpr std::chrono::seconds kLongestRest{1};

}  // namespace

std::chrono::nanoseconds processor_time() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

void LiveDriver::tick() {
  clock_.tick();
  const Seconds by = clock_.take_step();
  if (by == Seconds(0)) return;
  engine_.clock_stepped(by);
  begun_at_ = begun_at_ + by;
  event_ = kForever;
  touched_ = true;
}

Driver::State LiveDriver::state(WallTime wall) {
  wall_ = wall;
  if (engine_.iteration() < 0 && begun_ == WallTime{}) return State::ready;
  apply_stop_rule(engine_);
  if (engine_.stop_rule().stopped) return State::waiting;
  const Settings& settings = engine_.settings();
  due_ = begun_ + wall_seconds(std::max(settings.poll_interval, Seconds(1)));
  const auto soonest = std::max(begun_ + wall_seconds(settings.job_aggregation_time), rested_);
  if (touched_) due_ = std::min(due_, soonest);
  // Events before the last iteration have been handled.
  if (event_ > clock_.now()) event_ = engine_.next_event();  // a client's tick may pass the event
  if (event_ > begun_at_ && event_ < kForever)
    due_ = std::min(due_, std::max(soonest, begun_ + wall_seconds(event_ - begun_at_)));
  return due_ > wall ? State::later : State::ready;
}

void LiveDriver::step() {
  begun_ = wall_;
  tick();
  touched_ = false;
  begun_at_ = clock_.now();
  event_ = kForever;
  engine_.iterate([this, before = read_work_()] {
    rested_ =
        read_wall_() + std::min<std::chrono::nanoseconds>(read_work_() - before, kLongestRest);
  });
}

}  // namespace maui
