#include "daemon/worlds/live_driver.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <random>

#include "support/scripted_rm.h"
#include "support/silent_observer.h"

namespace maui {
namespace {

using State = Driver::State;
using std::chrono::seconds;
using test::kNow;

class LiveDriverTest : public testing::Test {
 protected:
  void SetUp() override {
    settings_.poll_interval = Seconds(60);
    auto manager = std::make_unique<test::ScriptedRm>();
    rm_ = manager.get();
    engine_.emplace(settings_, std::move(manager), clock_, observer_,
                    [](const Cluster&, const Settings&, Time) { return Plan{}; });
    driver_.emplace(
        *engine_, clock_, [this] { return wall_; }, [this] { return work_; });
  }
  void pass(int some) {
    machine_ = machine_ + Seconds(some);
    wall_ += seconds(some);
    passed_ += seconds(some);
  }
  void configure(Seconds aggregation) {
    settings_.job_aggregation_time = aggregation;
    engine_->set_settings(settings_);
  }
  void step() {
    ASSERT_EQ(driver_->state(wall_), State::ready);
    driver_->step();
  }
  /// Seconds until the next iteration; 0 if it is due.
  std::int64_t next() {
    if (driver_->state(wall_) == State::ready) return 0;
    return std::chrono::duration_cast<seconds>(driver_->due() - wall_).count();
  }

  Time machine_ = kNow;
  std::chrono::nanoseconds passed_{0}, work_{0};
  LiveClock clock_{[this] { return std::chrono::seconds(machine_.raw()); },
                   [this] { return passed_; }};
  Driver::WallTime wall_{seconds(5000)};
  Settings settings_;
  test::SilentObserver observer_;
  test::ScriptedRm* rm_ = nullptr;
  std::optional<Engine> engine_;
  std::optional<LiveDriver> driver_;
};

TEST_F(LiveDriverTest, TheFirstIterationIsAtOnceAndTheNextAfterThePollInterval) {
  step();
  EXPECT_EQ(next(), 60);
  pass(59);
  EXPECT_EQ(next(), 1);
  pass(1);
  step();
  EXPECT_EQ(engine_->now(), kNow + Seconds(60));
}

// An end that it reports is not in the future if the second has changed since the iteration began.
TEST_F(LiveDriverTest, AReadingOfTheClockIsTheTimeOfTheMachineUnlessThatWasSet) {
  const Time before = engine_->now();
  machine_ = machine_ + Seconds(1);
  passed_ += std::chrono::milliseconds(600);
  EXPECT_EQ(clock_.reading(), before + Seconds(1));
  machine_ = machine_ + Seconds(3);
  passed_ += std::chrono::milliseconds(2900);
  EXPECT_EQ(clock_.reading(), before + Seconds(4));
  EXPECT_EQ(engine_->now(), before);
}

// An answer of a resource manager may come within an iteration, after the machine's clock was set.
TEST_F(LiveDriverTest, AReadingOfTheClockIsNoTick) {
  const Time before = engine_->now();
  machine_ = machine_ + Seconds(86400);
  passed_ += seconds(3);
  EXPECT_EQ(clock_.reading(), before + Seconds(3));
  EXPECT_TRUE(clock_.was_set());
  EXPECT_EQ(engine_->now(), before);
  EXPECT_EQ(clock_.take_step(), Seconds(0)) << "the next tick tells";
  clock_.tick();
  EXPECT_FALSE(clock_.was_set());
  EXPECT_NE(clock_.take_step(), Seconds(0));
}

TEST_F(LiveDriverTest, TheTimeOfAnIterationIsThatOfTheAnswers) {
  rm_->answers_later = true;
  rm_->next.answered = kNow + Seconds(4);
  step();
  pass(5);
  EXPECT_EQ(engine_->now(), kNow);
  rm_->answer_all();
  EXPECT_EQ(engine_->now(), kNow + Seconds(4));
  EXPECT_EQ(next(), 55) << "since it began";
}

// A resource manager cannot move the scheduler's clock.
TEST_F(LiveDriverTest, AnAnswerComesNoLaterThanItIs) {
  pass(5);
  clock_.catch_up(kNow + Seconds(86400));
  EXPECT_EQ(clock_.now(), kNow + Seconds(5));
  clock_.catch_up(kNow);
  EXPECT_EQ(clock_.now(), kNow + Seconds(5));
}

TEST_F(LiveDriverTest, TheTickAfterTheAnswersTellsWhetherTheClockWasSet) {
  for (const int by : {-3600, 86400}) {
    const Time before = clock_.now();
    pass(5);
    machine_ = machine_ + Seconds(by);
    clock_.catch_up(before + Seconds(4));
    EXPECT_EQ(clock_.now(), before + Seconds(4));
    EXPECT_EQ(clock_.reading(), before + Seconds(5));
    EXPECT_TRUE(clock_.was_set());
    clock_.tick();
    EXPECT_EQ(clock_.take_step(), Seconds(by));
    EXPECT_EQ(clock_.now(), machine_);
  }
}

TEST_F(LiveDriverTest, AnEventStartsAnIterationAtOnce) {
  step();
  pass(5);
  driver_->touch();
  EXPECT_EQ(next(), 0);
  step();
  EXPECT_EQ(next(), 60);
}

TEST_F(LiveDriverTest, EventsStartIterationsNotMoreOftenThanTheAggregationTime) {
  configure(Seconds(10));
  step();
  pass(2);
  driver_->touch();
  EXPECT_EQ(next(), 8);
  pass(8);
  step();
}

TEST_F(LiveDriverTest, ConstantEventsLeaveAsMuchTimeAsIterationsTake) {
  rm_->answers_later = true;
  step();
  wall_ += std::chrono::milliseconds(300);
  work_ += std::chrono::milliseconds(300);
  rm_->answer_all();
  driver_->touch();
  EXPECT_EQ(driver_->state(wall_), State::later);
  EXPECT_EQ(driver_->due() - wall_, std::chrono::milliseconds(300));
  pass(60);
  step();
  wall_ += seconds(30);
  work_ += seconds(30);
  rm_->answer_all();
  driver_->touch();
  EXPECT_EQ(next(), 1) << "a second at most";
}

TEST_F(LiveDriverTest, TimeSpentWaitingForAnswersNeedsNoRest) {
  rm_->answers_later = true;
  step();
  wall_ += std::chrono::milliseconds(300);
  work_ += std::chrono::milliseconds(20);
  rm_->answer_all();
  driver_->touch();
  EXPECT_EQ(driver_->state(wall_), State::later);
  EXPECT_EQ(driver_->due() - wall_, std::chrono::milliseconds(20));
}

TEST_F(LiveDriverTest, ABoundaryThatIsKnownIsMet) {
  step();
  rm_->event = kNow + Seconds(25);
  EXPECT_EQ(next(), 25);
  rm_->event = kNow;
  EXPECT_EQ(next(), 60) << "that one has been dealt with";
}

TEST_F(LiveDriverTest, AClientThatMovesTheClockChangesNothingOfWhenABoundaryIsMet) {
  step();
  rm_->event = kNow + Seconds(25);
  EXPECT_EQ(next(), 25);
  pass(10);
  clock_.tick();
  EXPECT_EQ(next(), 15);
  pass(15);
  clock_.tick();
  rm_->event = kForever;  // it is asked for what comes after now
  step();
}

TEST_F(LiveDriverTest, PausedItWaitsForAClient) {
  step();
  engine_->stop_rule().stopped = true;
  driver_->touch();
  EXPECT_EQ(driver_->state(wall_), State::waiting);
  engine_->stop_rule().stopped = false;
  EXPECT_EQ(driver_->state(wall_), State::ready);
}

TEST_F(LiveDriverTest, TimeStandsStillWithinAnIterationAndWaitsForAClockThatIsAdjusted) {
  pass(3);
  EXPECT_EQ(clock_.now(), kNow);
  clock_.tick();
  EXPECT_EQ(clock_.now(), kNow + Seconds(3));
  machine_ = machine_ - Seconds(1);
  clock_.tick();
  EXPECT_EQ(clock_.now(), kNow + Seconds(3));
  EXPECT_EQ(clock_.take_step(), Seconds(0));
}

TEST_F(LiveDriverTest, TimeThatPassesIsNoStepHoweverItIsRounded) {
  std::mt19937 random(7);
  const Time begin = machine_;
  std::chrono::milliseconds sum{700};
  for (int i = 0; i < 5000; ++i) {
    const std::chrono::milliseconds rest(random() % 3000);
    sum += rest;
    passed_ += rest;
    machine_ = begin + Seconds(std::chrono::floor<seconds>(sum).count());
    clock_.tick();
    ASSERT_EQ(clock_.take_step(), Seconds(0));
  }
}

TEST_F(LiveDriverTest, SmallAdjustmentsAreAStepWhenTheyHaveAddedUp) {
  Seconds adjusted{0}, told{0};
  for (int i = 0; i < 5000; ++i) {
    pass(60);
    const Seconds by(i % 20 != 0 ? 0 : i < 2000 ? 1 : -1);
    adjusted += by;
    machine_ = machine_ + by;
    clock_.tick();
    told += clock_.take_step();
    ASSERT_LE(std::abs((adjusted - told).raw()), kClockAdjusted.raw());
  }
  EXPECT_GT(clock_.steps(), 50);
  EXPECT_EQ(clock_.now(), machine_);
}

TEST_F(LiveDriverTest, AClockThatIsSetIsFollowedAndReported) {
  constexpr std::int64_t kTwoCenturies = 73'050L * 86400;  // Linux ends in 2262
  for (const std::int64_t by : {-3600L, 86400L, -40L, 5L, kTwoCenturies, -kTwoCenturies}) {
    pass(30);
    machine_ = machine_ + Seconds(by);
    clock_.tick();
    EXPECT_EQ(clock_.now(), machine_);
    EXPECT_EQ(clock_.take_step(), Seconds(by));
    EXPECT_EQ(clock_.take_step(), Seconds(0));
  }
  EXPECT_EQ(clock_.steps(), 6);
}

TEST_F(LiveDriverTest, PollsGoOnWhenTheClockIsSetBackOrForward) {
  step();
  for (const int by : {-3600, 86400}) {
    machine_ = machine_ + Seconds(by);
    pass(60);
    step();
    EXPECT_EQ(engine_->now(), machine_);
    EXPECT_EQ(next(), 60);
  }
}

TEST_F(LiveDriverTest, ABoundaryIsMetByTheClockThatWasSet) {
  step();
  rm_->event = kNow - Seconds(3600) + Seconds(25);
  machine_ = machine_ - Seconds(3600);
  driver_->tick();
  EXPECT_EQ(next(), 0) << "what the step brings about is seen at once";
  step();
  EXPECT_EQ(next(), 25);
}

}  // namespace
}  // namespace maui
