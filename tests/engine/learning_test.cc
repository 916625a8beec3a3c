// The engine learns how long jobs run, and tells planning what to expect of those that wait.
#include "engine/engine_fixture.h"

namespace maui::test {
namespace {

/// Jobs of one processor and an hour; each runs on n1 as soon as it has come.
class LearningTest : public EngineTest {
 protected:
  LearningTest() {
    settings.learning.use = LearningUse::backfill;
    settings.jobs.sync_time = Seconds(0);
  }

  /// One more job of amy's comes, runs for so long, and ends.
  void run_one(Seconds run, JobState state = JobState::completed) {
    const std::string name = "past" + std::to_string(++past_);
    core_starts(name, "n1", 1);
    rm().next.arrived = {job_report(name, 1)};
    iterate(at_);
    rm().next.ended = {{name, state, kNow + at_ + run}};
    iterate(at_ = at_ + run);
    core = nullptr;
  }
  /// The job comes and waits.
  double expected(const JobReport& report) {
    rm().next.arrived = {report};
    iterate(at_);
    return cluster().run_times.of(id(report.name)).expected.mean;
  }
  RunForecast forecast(const std::string& name) {
    return engine().learning().forecast(cluster(), settings, id(name), clock.time);
  }

  Seconds at_{0};

 private:
  int past_ = 0;
};

constexpr double kHour = 3600;

TEST_F(LearningTest, AJobIsExpectedToRunAsThoseOfItsUserDid) {
  begin({});
  EXPECT_EQ(expected(job_report("a", 1)), kHour);
  for (int i = 0; i < 8; ++i) run_one(Seconds(100));
  EXPECT_LT(expected(job_report("b", 1)), 200);
}

TEST_F(LearningTest, AWaitingJobIsLookedAtAgainWhenAnotherOfItsUserEnds) {
  begin({});
  EXPECT_EQ(expected(job_report("a", 1)), kHour);
  run_one(Seconds(100));
  iterate(at_);
  EXPECT_LT(cluster().run_times.of(id("a")).expected.mean, kHour);
}

TEST_F(LearningTest, NothingIsLearnedFromAJobCancelledInTheQueue) {
  begin({job_report("waits", 1)});
  ASSERT_TRUE(engine().cancel_job(id("waits")));
  EXPECT_EQ(engine().learning().history().rings(), 0U);
}

TEST_F(LearningTest, NothingIsLearnedFromAJobThatEndedWithItsNode) {
  begin({});
  core_starts("a", "n1", 1);
  rm().next.arrived = {job_report("a", 1)};
  iterate();
  NodeReport gone = node_report("n1", procs(2));
  gone.node.reported = NodeState::down;
  rm().next.nodes = {gone};
  rm().next.ended = {{"a", JobState::removed, kNow + Seconds(10)}};
  iterate(Seconds(10));
  EXPECT_EQ(engine().learning().history().rings(), 0U);
}

TEST_F(LearningTest, NothingIsLearnedFromARequeuedJobUntilItEnds) {
  begin({});
  core_starts("a", "n1", 1);
  rm().next.arrived = {job_report("a", 1)};
  iterate();
  core = nullptr;
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::requeue));
  EXPECT_EQ(engine().learning().history().rings(), 0U);
}

TEST_F(LearningTest, ARequeuedJobLosesItsEarlierPromise) {
  core_starts("a", "n1", 1);
  begin({job_report("a", 1)});
  core = nullptr;
  const auto promised = [this] { return cluster().run_times.of(id("a")).promised; };
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::requeue));
  core = [](const Cluster& known, Time) {
    Plan plan;
    plan.promises = {{known.find_job("a"), kNow + Seconds(500)}};
    return plan;
  };
  iterate();
  EXPECT_EQ(promised(), kNow + Seconds(500));
  core_starts("a", "n1", 1);
  iterate(Seconds(500));
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::requeue));
  EXPECT_EQ(promised(), kForever);
}

TEST_F(LearningTest, TheWholeRunOfACheckpointedJobIsLearned) {
  core_starts("a", "n1", 1);
  begin({job_report("a", 1)});
  clock.time = kNow + minutes(10);
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::checkpoint));
  EXPECT_EQ(engine().learning().history().rings(), 0U);
  iterate(minutes(10));
  rm().next.ended = {{"a", JobState::completed, kNow + minutes(15)}};
  iterate(minutes(15));
  const RunDistribution run = engine().learning().history().expect({"amy", {}, 1, hours(1)});
  EXPECT_EQ(run.similar(), 1);
  EXPECT_EQ(run.quantile(0.5), 15 * 60);
  EXPECT_EQ(engine().statistics().forecasts.all.run_seconds, 15 * 60);
  EXPECT_EQ(engine().statistics().forecasts.all.limit_seconds, 3600);
}

// A run of 600 seconds at speed 1.
TEST_F(LearningTest, OnFastNodesAJobIsExpectedToEndSooner) {
  settings.node.machine_speed = true;
  begin({});
  NodeReport fast = node_report("n1", procs(2));
  fast.node.speed = 2;
  rm().next.nodes = {fast};
  for (int i = 0; i < 8; ++i) engine().learn({"amy", {}, 1, hours(1)}, minutes(10), kNow);
  core_starts("a", "n1", 1);
  rm().next.arrived = {job_report("a", 1)};
  iterate();
  EXPECT_EQ(forecast("a").expected, minutes(5));
  EXPECT_EQ(forecast("a").likely.low, minutes(5));
  EXPECT_EQ(forecast("a").likely.high, minutes(5));
  clock.time = kNow + minutes(5);
  EXPECT_GT(forecast("a").expected, minutes(5));
  EXPECT_EQ(forecast("a").likely.high, minutes(30)) << "its limit there";
  rm().next.ended = {{"a", JobState::completed, kNow + minutes(6)}};
  iterate(minutes(6));
  EXPECT_EQ(engine().statistics().forecasts.all.run_seconds, 12 * 60);
}

TEST_F(LearningTest, AUserWithoutLearningGoesByLimits) {
  settings.users["amy"].learn = false;
  begin({});
  run_one(Seconds(100));
  EXPECT_EQ(engine().learning().history().rings(), 0U);
  EXPECT_EQ(expected(job_report("a", 1)), kHour);
}

TEST_F(LearningTest, NobodyIsLearnedFromWhereNothingIsToBeLearned) {
  settings.learning.use = LearningUse::none;
  begin({});
  run_one(Seconds(100));
  EXPECT_EQ(engine().learning().history().rings(), 0U);
}

TEST_F(LearningTest, ShowLearnsButDoesNotAffectPlanning) {
  settings.learning.use = LearningUse::show;
  begin({});
  run_one(Seconds(100));
  EXPECT_EQ(expected(job_report("a", 1)), 0);
  EXPECT_LT(forecast("a").expected, Seconds(3600));
  Settings others = settings;
  others.learning.use = LearningUse::backfill;
  engine().set_settings(others);
  iterate(at_);
  EXPECT_GT(cluster().run_times.of(id("a")).expected.mean, 0);
  EXPECT_LT(cluster().run_times.of(id("a")).expected.mean, kHour);
  engine().set_settings(settings);
  iterate(at_);
  EXPECT_EQ(cluster().run_times.of(id("a")).expected.mean, 0);
}

TEST_F(LearningTest, AnotherLimitIsAnotherExpectation) {
  begin({});
  EXPECT_EQ(expected(job_report("a", 1)), kHour);
  ASSERT_TRUE(engine().set_limit(id("a"), Seconds(600)));
  iterate(at_);
  EXPECT_EQ(cluster().run_times.of(id("a")).expected.mean, 600);
}

TEST_F(LearningTest, TheEndThatIsExpectedOfARunningJobIsLaterTheLongerItRuns) {
  begin({});
  for (int i = 0; i < 8; ++i) run_one(Seconds(i < 4 ? 100 : 1000));
  core_starts("a", "n1", 1);
  rm().next.arrived = {job_report("a", 1)};
  iterate(at_);
  const RunForecast first = forecast("a");
  EXPECT_EQ(first.similar, 8);
  EXPECT_LE(first.likely.low, first.expected);
  EXPECT_GE(first.likely.high, first.expected);
  clock.time = clock.time + Seconds(500);
  EXPECT_GE(forecast("a").expected, Seconds(1000));
  EXPECT_GE(forecast("a").likely.low, Seconds(500));
  clock.time = clock.time + Seconds(3000);
  EXPECT_LE(forecast("a").likely.high, Seconds(3600));
}

TEST_F(LearningTest, AFairWaitIsTheLimitAndWhatTheMachineHasToDo) {
  settings.learning.use = LearningUse::priority;
  settings.learning.fair_start_limit = Seconds(1000);
  begin({job_report("a", 1), job_report("b", 2)});  // on four processors
  EXPECT_EQ(cluster().run_times.of(id("a")).fair_wait, Seconds(1000 + 3600 / 4));
  EXPECT_EQ(cluster().run_times.of(id("b")).fair_wait, Seconds(1000 + 3 * 3600 / 4));
  settings.learning.fair_start_factor = 0;
  engine().set_settings(settings);
  rm().next.arrived = {job_report("c", 4)};
  iterate(Seconds(1));
  EXPECT_EQ(cluster().run_times.of(id("c")).fair_wait, Seconds(1000));
}

TEST_F(LearningTest, LearnedRunTimesAndPromisesOutliveTheScheduler) {
  begin({});
  for (int i = 0; i < 5; ++i) run_one(Seconds(100 * (i + 1)));
  rm().next.arrived = {job_report("a", 4)};
  core = [](const Cluster& known, Time) {
    Plan plan;
    plan.promises = {{known.find_job("a"), kNow + Seconds(5000)}};
    return plan;
  };
  iterate(at_);
  const auto kept = engine().learning().memory();
  const std::string text = checkpoint_text(cluster(), engine().checkpoint());
  Engine next(settings, std::make_unique<ScriptedRm>(), clock, listener,
              [](const Cluster&, const Settings&, Time) { return Plan{}; });
  auto read = read_checkpoint_text(text, settings.display.plot, next.names());
  ASSERT_TRUE(read) << read.error().what;
  ASSERT_TRUE(read->learned);
  EXPECT_EQ(read->learned->rings, kept.rings);
  EXPECT_EQ(read->learned->factors, kept.factors);
  EXPECT_EQ(read->learned->coverage, kept.coverage);
  ASSERT_EQ(read->jobs.size(), 1U);
  EXPECT_EQ(read->jobs[0].promised, kNow + Seconds(5000));
  next.restore(*std::move(read));
  EXPECT_EQ(next.learning().memory().rings, kept.rings);
}

TEST_F(LearningTest, ErrorsOfLimitsOutliveTheScheduler) {
  begin({});
  for (int i = 0; i < 5; ++i) run_one(Seconds(100));
  const ForecastTotals all = engine().statistics().forecasts.all;
  EXPECT_EQ(all.jobs, 5);
  EXPECT_EQ(all.run_seconds, 500);
  EXPECT_EQ(all.foreseen, 4);  // of the first nothing could be known
  EXPECT_GT(all.limit_error, all.error);
  const std::string text = checkpoint_text(cluster(), engine().checkpoint());
  Cluster names;
  const auto read = read_checkpoint_text(text, settings.display.plot, names);
  ASSERT_TRUE(read) << read.error().what;
  EXPECT_EQ(read->statistics.forecasts.all, all);
  ASSERT_EQ(read->statistics.forecasts.users.size(), 1U);
  EXPECT_EQ(read->statistics.forecasts.users.at(names.users.find("amy")), all);
}

// More of them than are looked at in one iteration.
TEST_F(LearningTest, AUsersVeryManyJobsAreExaminedOverSeveralIterations) {
  settings.learning.use = LearningUse::priority;
  begin({});
  constexpr int kJobs = 600;
  for (int i = 0; i < kJobs; ++i) {
    JobReport report = job_report("j" + std::to_string(i), 1);
    report.request.limit = Seconds(10000 + i);
    rm().next.arrived.push_back(report);
  }
  iterate(at_);
  run_one(Seconds(100));
  const auto looked_at = [&] {
    int count = 0;
    for (const Waiting& line : cluster().waiting())
      count += cluster().run_times.of(line.job).expected.mean <
                       static_cast<double>(cluster().request(line.request).limit.raw())
                   ? 1
                   : 0;
    return count;
  };
  EXPECT_LT(looked_at(), kJobs);
  for (int i = 0; i < 6; ++i) iterate(at_);
  EXPECT_EQ(looked_at(), kJobs);
}

}  // namespace
}  // namespace maui::test
