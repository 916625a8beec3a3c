#include "daemon/worlds/live_clock.h"

#include <gtest/gtest.h>

#include <chrono>

#include "support/scripted_rm.h"

namespace maui {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::kNow;

class LiveClockTest : public testing::Test {
 protected:
  void pass(std::chrono::nanoseconds time) {
    passed_ += time;
    machine_ += time;
  }
  LiveClock clock() {
    return LiveClock(
        [this] {
          const auto read = machine_;
          if (pauses_-- > 0) pass(seconds(5));  // after the reading
          return read;
        },
        [this] { return passed_; });
  }
  Time now() const { return Time(whole_seconds(machine_).raw()); }
  static Seconds step(LiveClock& clock) {
    clock.tick();
    return clock.take_step();
  }

  std::chrono::nanoseconds machine_ = seconds(kNow.raw()) + milliseconds(300),
                           passed_ = seconds(100) + milliseconds(900);
  int pauses_ = 0;  // between a reading of the machine's clock and the next one of the other
};

TEST_F(LiveClockTest, APauseOfTheProcessBetweenTwoReadingsIsNoStep) {
  for (const int at_start : {0, 1}) {
    pauses_ = at_start;
    LiveClock read = clock();
    EXPECT_EQ(read.now(), now());
    pauses_ = 1;
    EXPECT_EQ(step(read), Seconds(0));
    EXPECT_EQ(read.now(), now());
    pauses_ = 1;
    const Time told = read.reading();
    EXPECT_EQ(told, now());
  }
}

TEST_F(LiveClockTest, AStepIsMeasuredToTheSecondWhateverTheFractions) {
  for (const int by : {3, -3, 3600, -3600})
    for (const int part : {0, 250, 500, 750, 999}) {
      pass(milliseconds(part));
      LiveClock read = clock();
      pass(milliseconds(7450));
      machine_ += seconds(by);
      EXPECT_EQ(step(read), Seconds(by)) << part;
      EXPECT_EQ(step(read), Seconds(0)) << "it counts once";
    }
}

TEST_F(LiveClockTest, TwoSecondsAreNoStepWhateverTheFractions) {
  for (const int by : {2, -2})
    for (const int part : {0, 250, 500, 750, 999}) {
      pass(milliseconds(part));
      LiveClock read = clock();
      pass(milliseconds(7450));
      machine_ += seconds(by);
      EXPECT_EQ(step(read), Seconds(0)) << by << ' ' << part;
    }
}

TEST_F(LiveClockTest, FractionsOfSecondsDoNotAddUpOverManySteps) {
  LiveClock read = clock();
  Seconds told{0};
  for (int i = 0; i < 100; ++i) {
    pass(milliseconds(1900));
    machine_ += milliseconds(5300);
    told = told + step(read);
  }
  EXPECT_EQ(told, Seconds(530));
}

// A scheduler that is restarted between adjustments measures from where its predecessor did.
TEST_F(LiveClockTest, AdjustmentsBeforeARestartAddUpWithThoseAfterIt) {
  LiveClock first = clock();
  machine_ += seconds(2);
  EXPECT_EQ(step(first), Seconds(0));
  LiveClock second = clock();
  second.measure_from(first.ahead());
  EXPECT_EQ(step(second), Seconds(0));
  machine_ += seconds(1);
  EXPECT_EQ(step(second), Seconds(3));
  EXPECT_EQ(step(second), Seconds(0)) << "they count once";
}

}  // namespace
}  // namespace maui
