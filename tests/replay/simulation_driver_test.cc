#include "replay/simulation_driver.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "daemon/temporary_directory.h"
#include "sim/open_simulator.h"
#include "support/set_holds.h"
#include "support/silent_observer.h"

namespace maui {
namespace {

using State = SimulationDriver::State;
using std::chrono::seconds;

class Silent : public test::SilentObserver {
 public:
  void job_ended(const Cluster& cluster, JobId job, int) override {
    ++ended;
    removed += cluster.job(job).state == JobState::removed ? 1 : 0;
  }
  int ended = 0, removed = 0;
};

/// Two processors; a job of 100 s at 0, one of 50 s at 30, one of 10 s at 1000.
class SimulationDriverTest : public testing::Test {
 protected:
  void SetUp() override {
    settings_.server.mode = ServerMode::simulation;
    settings_.poll_interval = Seconds(60);
    settings_.simulation.resource_trace = "[NONE]";
    settings_.simulation.workload_trace = "log.swf";
    settings_.simulation.submission = SubmissionPolicy::normal;
    log_ = "; MaxNodes: 2\n; MaxProcs: 2\n" + job(1, 0, 100, 1) + job(2, 30, 50, 1) +
           job(3, 1000, 10, 1);
  }

  static std::string job(int number, int submit, int run, int procs) {
    const auto text = [](int value) { return std::to_string(value) + " "; };
    return text(number) + text(submit) + "-1 " + text(run) + text(procs) + "-1 -1 " + text(procs) +
           text(run) + "-1 1 1 1 -1 -1 -1 -1 -1\n";
  }

  void open() {
    std::ofstream(home_ / "log.swf") << log_;
    TraceSummary summary;
    auto simulator = open_simulator(settings_, home_.path(), summary);
    ASSERT_TRUE(simulator) << simulator.error().what;
    start_ = (*simulator)->start_time();
    clock_.emplace(start_);
    engine_.emplace(settings_, std::move(*simulator), *clock_, observer_);
    driver_.emplace(*engine_, *clock_);
  }

  /// The times of the iterations, from the start, until the state is another than ready.
  std::vector<std::int64_t> run(State until) {
    std::vector<std::int64_t> times;
    State state = driver_->state(wall_);
    for (; state == State::ready && times.size() < 1000; state = driver_->state(wall_)) {
      driver_->step();
      times.push_back((clock_->now() - start_).raw());
    }
    EXPECT_EQ(state, until);
    return times;
  }

  TemporaryDirectory home_;
  std::string log_;
  Settings settings_;
  Silent observer_;
  Time start_{0};
  SimulationDriver::WallTime wall_{};
  std::optional<VirtualClock> clock_;
  std::optional<Engine> engine_;
  std::optional<SimulationDriver> driver_;
};

TEST_F(SimulationDriverTest, EventModeIteratesWhenSomethingHappensAndAtNoOtherTime) {
  settings_.simulation.step = StepPolicy::event;
  open();
  EXPECT_EQ(run(State::ended), (std::vector<std::int64_t>{0, 30, 80, 100, 1000, 1010}));
  EXPECT_EQ(observer_.ended, 3);
}

TEST_F(SimulationDriverTest, IntervalModeAdvancesByThePollInterval) {
  open();
  const auto times = run(State::ended);
  ASSERT_EQ(times.size(), 19u) << "the last job ends at 1010, which 1080 sees";
  for (std::size_t i = 0; i < times.size(); ++i)
    EXPECT_EQ(times[i], 60 * static_cast<std::int64_t>(i));
}

TEST_F(SimulationDriverTest, StopsOnceTheStopIterationIsDoneAndGoesOnWhenResumed) {
  settings_.simulation.stop_iteration = 3;
  open();
  run(State::waiting);
  EXPECT_EQ(engine_->iteration(), 3);
  engine_->stop_rule().stopped = false;
  engine_->stop_rule().at_iteration = 5;
  engine_->stop_rule().ignore_clients = true;
  run(State::waiting);
  EXPECT_EQ(engine_->iteration(), 5);
  EXPECT_FALSE(engine_->stop_rule().ignore_clients) << "only until the iteration is reached";
  engine_->stop_rule().stopped = false;
  run(State::ended);
}

TEST_F(SimulationDriverTest, AnIterationThatHasPassedStopsItAtOnce) {
  open();
  driver_->state(wall_);
  driver_->step();
  engine_->stop_rule().at_iteration = 0;
  EXPECT_EQ(driver_->state(wall_), State::waiting);
}

TEST_F(SimulationDriverTest, EndsOnTheExitIteration) {
  settings_.simulation.exit_iteration = 4;
  open();
  run(State::ended);
  EXPECT_EQ(engine_->iteration(), 4);
}

TEST_F(SimulationDriverTest, WithoutAutomaticShutdownItGoesOnToTheExitIterationAfterAllJobs) {
  settings_.simulation.auto_shutdown = false;
  for (const auto step : {StepPolicy::interval, StepPolicy::event}) {
    SCOPED_TRACE(static_cast<int>(step));
    observer_ = Silent();
    settings_.simulation.step = step;
    settings_.simulation.exit_iteration = 40;
    open();
    const auto times = run(State::ended);
    EXPECT_EQ(observer_.ended, 3);
    ASSERT_EQ(times.size(), 41U);
    for (std::size_t i = 20; i < times.size(); ++i)
      EXPECT_EQ(times[i] - times[i - 1], 60) << "iteration " << i;
  }
}

TEST_F(SimulationDriverTest, AnAutomaticShutdownComesBeforeTheExitIteration) {
  settings_.simulation.exit_iteration = 40;
  open();
  EXPECT_EQ(run(State::ended).size(), 19U);
}

TEST_F(SimulationDriverTest, AJobThatCanNeverRunDoesNotKeepItFromEnding) {
  log_ += job(4, 1001, 10, 99);
  open();
  EXPECT_LT(run(State::ended).size(), 30u);
  EXPECT_EQ(observer_.ended, 3);
}

TEST_F(SimulationDriverTest, JobsThatCanNeverRunTakeNoPlaceInAQueueOfConstantDepth) {
  for (const auto step : {StepPolicy::interval, StepPolicy::event}) {
    SCOPED_TRACE(static_cast<int>(step));
    log_ = "; MaxNodes: 2\n; MaxProcs: 2\n";
    for (int i = 1; i <= 6; ++i) log_ += job(i, i, 10, i <= 3 ? 99 : 1);
    observer_ = Silent();
    settings_.simulation.step = step;
    settings_.simulation.submission = SubmissionPolicy::constant_job_depth;
    settings_.simulation.initial_queue_depth = 2;
    open();
    run(State::ended);
    EXPECT_EQ(observer_.ended, 3);
  }
}

// The first jobs fill the queue: the machine is free, but they exceed the limit of their user.
TEST_F(SimulationDriverTest, AQueueFullOfJobsThatCanNeverStartEndsIt) {
  settings_.simulation.initial_queue_depth = 3;
  settings_.users["u1"].limits.active[index_of(LimitKind::proc)] = Limit{1, 1};
  for (const auto policy :
       {SubmissionPolicy::constant_job_depth, SubmissionPolicy::constant_ps_depth})
    for (const auto step : {StepPolicy::interval, StepPolicy::event}) {
      SCOPED_TRACE(
          fmt::format("policy {}, step {}", static_cast<int>(policy), static_cast<int>(step)));
      log_ = "; MaxNodes: 2\n; MaxProcs: 2\n";
      for (int i = 1; i <= 9; ++i) log_ += job(i, i, 10, i % 3 == 0 ? 1 : 2);
      observer_ = Silent();
      settings_.simulation.step = step;
      settings_.simulation.submission = policy;
      open();
      EXPECT_LT(run(State::ended).size(), 20U);
      EXPECT_LT(engine_->cluster().waiting().size(), 5U);
    }
}

// The hold that a client sets on a job in the queue makes room for another.
TEST_F(SimulationDriverTest, AFullQueueThatWaitsForAClientGoesOnOnceAJobIsHeld) {
  settings_.simulation.initial_queue_depth = 2;
  settings_.simulation.submission = SubmissionPolicy::constant_job_depth;
  settings_.simulation.auto_shutdown = false;
  settings_.users["u1"].limits.active[index_of(LimitKind::proc)] = Limit{1, 1};
  log_ = "; MaxNodes: 2\n; MaxProcs: 2\n" + job(1, 0, 10, 2) + job(2, 0, 10, 2) + job(3, 0, 10, 1);
  open();
  run(State::waiting);
  EXPECT_EQ(observer_.ended, 0);
  ASSERT_TRUE(test::set_holds(*engine_, engine_->cluster().find_job("1"), 1));
  driver_->touch();
  run(State::waiting);
  EXPECT_EQ(observer_.ended, 1);
}

TEST_F(SimulationDriverTest, WorkWithoutALimitFillsAQueueOfConstantWork) {
  log_ = "; MaxNodes: 8\n; MaxProcs: 8\n";
  for (int i = 1; i <= 100; ++i)
    log_ += std::to_string(i) + " 1 -1 10 8 -1 -1 8 -1 -1 1 1 1 -1 -1 -1 -1 -1\n";
  settings_.default_wall_time = kUnlimited;
  settings_.simulation.submission = SubmissionPolicy::constant_ps_depth;
  settings_.simulation.initial_queue_depth = 1000;
  open();
  driver_->state(wall_);
  driver_->step();
  EXPECT_LT(engine_->cluster().jobs().size(), 20U);
}

// Somebody means to look at it there.
TEST_F(SimulationDriverTest, AStopIsReachedThoughOnlyHeldJobsAreLeft) {
  settings_.simulation.stop_iteration = 40;
  log_ += job(4, 0, 10, 2);  // waits for both processors
  open();
  driver_->state(wall_);
  driver_->step();
  ASSERT_TRUE(test::set_holds(*engine_, engine_->cluster().find_job("4"), 1));
  run(State::waiting);
  EXPECT_EQ(engine_->iteration(), 40);
  engine_->stop_rule().stopped = false;
  run(State::ended);
}

// SIMMRRANDOMDELAY keeps jobs starting for up to so long; JOBMAXSTARTTIME bears less.
TEST_F(SimulationDriverTest, AJobThatIsStartingForTooLongIsCancelled) {
  settings_.simulation.random_delay = 600;
  settings_.job_max_overrun = Seconds(3600);
  open();
  run(State::ended);
  EXPECT_EQ(observer_.removed, 0);
  settings_.jobs.max_start_time = Seconds(60);
  open();
  run(State::ended);
  EXPECT_GT(observer_.removed, 0);
  EXPECT_EQ(observer_.ended, 6) << "three in each run";
}

TEST_F(SimulationDriverTest, WithoutAutomaticShutdownItWaitsForClientsAndStepsOnlyWhenAsked) {
  settings_.simulation.auto_shutdown = false;
  open();
  const auto done = run(State::waiting).size();
  engine_->stop_rule().at_iteration = engine_->iteration() + 2;
  EXPECT_EQ(run(State::waiting).size(), 2u) << "of " << done << " before";
  engine_->stop_rule().stopped = false;
  driver_->touch();
  EXPECT_EQ(run(State::waiting).size(), 1u) << "a client has changed something";
}

TEST_F(SimulationDriverTest, TheTimeRatioSaysWhenTheNextIterationIsDue) {
  settings_.simulation.time_ratio = 10;
  open();
  ASSERT_EQ(driver_->state(wall_), State::ready) << "the first is due at once";
  driver_->step();
  ASSERT_EQ(driver_->state(wall_), State::later);
  EXPECT_EQ(driver_->due() - wall_, seconds(6)) << "60 s ten times faster";
  wall_ += seconds(6);
  ASSERT_EQ(driver_->state(wall_), State::ready);
  driver_->step();
  EXPECT_EQ(driver_->state(wall_), State::later);
  EXPECT_EQ(driver_->due() - wall_, seconds(6));
}

}  // namespace
}  // namespace maui
