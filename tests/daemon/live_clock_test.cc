#include "daemon/worlds/live_clock.h"

#include <gtest/gtest.h>

#include <chrono>

#include "support/scripted_rm.h"

namespace maui {
namespace {

using std::chrono::seconds;
using test::kNow;

TEST(LiveClockTest, APauseOfTheProcessBetweenTwoReadingsIsNoStep) {
  Time machine = kNow;
  std::chrono::nanoseconds passed = seconds(100);
  int pauses = 0;
  const auto machine_clock = [&] {
    if (pauses-- <= 0) return machine;
    const Time read = machine;
    machine = machine + Seconds(5);  // after the reading
    passed += seconds(5);
    return read;
  };
  for (const int at_start : {0, 1}) {
    pauses = at_start;
    LiveClock clock(machine_clock, [&] { return passed; });
    EXPECT_EQ(clock.now(), machine);
    pauses = 1;
    clock.tick();
    EXPECT_EQ(clock.take_step(), Seconds(0));
    EXPECT_EQ(clock.now(), machine);
    pauses = 1;
    EXPECT_EQ(clock.reading(), machine);
  }
}

// A scheduler that is restarted between adjustments goes on from what its predecessor measured
// from.
TEST(LiveClockTest, AdjustmentsBeforeARestartAddUpWithThoseAfterIt) {
  Time machine = kNow;
  std::chrono::nanoseconds passed = seconds(100);
  const auto read_machine = [&] { return machine; };
  const auto read_passed = [&] { return passed; };
  LiveClock first(read_machine, read_passed);
  machine = machine + Seconds(2 + 10);
  passed += seconds(10);
  first.tick();
  EXPECT_EQ(first.take_step(), Seconds(0));
  LiveClock second(read_machine, read_passed);
  second.measure_since(first.since());
  second.tick();
  EXPECT_EQ(second.take_step(), Seconds(0));
  machine = machine + Seconds(1 + 10);
  passed += seconds(10);
  second.tick();
  EXPECT_EQ(second.take_step(), Seconds(3));
  EXPECT_EQ(second.since().machine, machine) << "they count once";
}

}  // namespace
}  // namespace maui
