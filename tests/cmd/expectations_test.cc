// Learned run times as commands tell them: never in place of what limits promise.
#include "cmd/command_fixture.h"

namespace maui::test {
namespace {

class Expectations : public CommandTest {
 protected:
  /// Amy's jobs of four processors have run for ten minutes of an hour.  Then her job "a" starts,
  /// and "b" of bob waits for it.
  void begin() {
    auto manager = std::make_unique<ScriptedRm>();
    ScriptedRm& rm = *manager;
    rm.next.nodes = {node_report("n1", procs(2)), node_report("n2", procs(2))};
    run(std::move(manager));
    for (int i = 0; i < 8; ++i) engine().learn({"amy", {}, 4, hours(1)}, minutes(10), kNow);
    rm.next.arrived = {report("a", 4, "amy"), report("b", 2, "bob")};
    engine().iterate([] {});
    manager_ = &rm;
  }
  void end(const std::string& name, Seconds after) {
    clock.time = kNow + after;
    manager_->next.ended = {{name, JobState::completed, clock.time, 0}};
    engine().iterate([] {});
  }

 private:
  ScriptedRm* manager_ = nullptr;
};

constexpr std::int64_t kThen = kNow.raw();

TEST_F(Expectations, CheckjobShowsWhenARunningJobIsExpectedToEnd) {
  begin();
  const auto expected = get<JobReply>("checkjob a").expected_end;
  ASSERT_TRUE(expected);
  EXPECT_EQ(expected->end, kThen + 600);
  EXPECT_EQ(expected->similar, 8);
  EXPECT_LE(expected->earliest, expected->end);
  EXPECT_GE(expected->latest, expected->end);
  EXPECT_LE(expected->latest, kThen + 3600);
  EXPECT_EQ(get<ActiveQueueReply>("showq -r").jobs.at(0).expected_end, expected);
}

TEST_F(Expectations, AnEndThatIsExpectedIsNeverPast) {
  begin();
  clock.time = kNow + minutes(30);
  EXPECT_GE(get<JobReply>("checkjob a").expected_end->end, kThen + 1800);
}

TEST_F(Expectations, ShowstartShowsTheExpectedAndThePromisedStart) {
  begin();
  const auto start = get<StartReply>("showstart b");
  EXPECT_EQ(start.start, kThen + 3600);
  EXPECT_EQ(start.expected_start, kThen + 600);
  EXPECT_EQ(start.promised_start, kThen + 3600);
  EXPECT_EQ(get<JobReply>("checkjob b").promised_start, kThen + 3600);
  EXPECT_EQ(get<JobReply>("checkjob b").expected_start, -1);
  EXPECT_EQ(get<JobReply>("checkjob -v b").expected_start, kThen + 600);
  EXPECT_EQ(get<JobReply>("checkjob -v b").promised_start, kThen + 3600);
}

// Nothing is free: no plan has used the slack yet, but one to come may.
TEST_F(Expectations, ThePromisedStartIncludesSlackFromTheBeginning) {
  settings.learning.use = LearningUse::backfill;
  begin();
  EXPECT_EQ(get<StartReply>("showstart b").promised_start, kThen + 3600 + 3600);
  settings.learning.reservation_slack = Seconds(60);
  engine().set_settings(settings);
  EXPECT_EQ(get<JobReply>("checkjob b").promised_start, kThen + 3600 + 60);
  settings.learning.reservation_slack = kUnlimited;
  engine().set_settings(settings);
  EXPECT_EQ(get<StartReply>("showstart b").promised_start, -1);
}

TEST_F(Expectations, ShowstatsShowsHowGoodLimitsAndExpectationsWere) {
  begin();
  EXPECT_TRUE(get<LearningReply>("showstats -l").by_user.empty());
  get<StartReply>("showstart b");  // in ten minutes; by limits in an hour
  end("a", minutes(12));
  end("b", minutes(72));
  const auto reply = get<LearningReply>("showstats -l");
  EXPECT_TRUE(reply.learning);
  EXPECT_EQ(reply.users, 2);
  ASSERT_EQ(reply.by_user.size(), 2U);
  const LearningRow& amy = reply.by_user[0];
  EXPECT_EQ(amy.name, "amy");
  EXPECT_EQ(amy.jobs, 1);
  EXPECT_DOUBLE_EQ(amy.limit_used, 20);
  EXPECT_EQ(amy.ends, 1);
  EXPECT_EQ(amy.within, 0);  // said were ten minutes, with little doubt
  EXPECT_DOUBLE_EQ(amy.end_error, 2 / 60.0);
  EXPECT_DOUBLE_EQ(amy.limit_end_error, 48 / 60.0);
  EXPECT_EQ(amy.starts, 0);
  const LearningRow& bob = reply.by_user[1];
  EXPECT_DOUBLE_EQ(bob.limit_used, 100);
  EXPECT_EQ(bob.ends, 0);  // no job like his was known
  EXPECT_EQ(bob.within, -1);
  EXPECT_EQ(bob.starts, 1);
  EXPECT_DOUBLE_EQ(bob.start_error, 2 / 60.0);
  EXPECT_DOUBLE_EQ(bob.limit_start_error, 48 / 60.0);
  ASSERT_TRUE(reply.all);
  EXPECT_EQ(reply.all->jobs, 2);
  EXPECT_EQ(reply.intervals.at(2).jobs, 1);
  EXPECT_EQ(why_not("showstats -l -u"), "showstats: -l cannot be combined with other flags");
}

// "d" has the lowest priority: by limits it waits for "a", "b" and "c", each for an hour.
TEST_F(Expectations, SavingsOfLearningAreMeasuredAgainstTheWholeQueueByLimits) {
  auto manager = std::make_unique<ScriptedRm>();
  ScriptedRm& rm = *manager;
  rm.next.nodes = {node_report("n1", procs(2)), node_report("n2", procs(2))};
  run(std::move(manager));
  for (int i = 0; i < 8; ++i) engine().learn({"amy", {}, 4, hours(1)}, minutes(10), kNow);
  for (const char* name : {"a", "b", "c", "d"}) rm.next.arrived.push_back(report(name, 4, "amy"));
  engine().iterate([] {});
  const auto start = get<StartReply>("showstart d");
  EXPECT_EQ(start.start, kThen + 3600);  // were it the first
  EXPECT_NEAR(static_cast<double>(start.expected_start), kThen + 1800, 60);
  EXPECT_EQ(start.start_by_limits, kThen + 3 * 3600);
}

TEST_F(Expectations, UsersSeeTheirOwnLimitsOnly) {
  begin();
  end("a", minutes(12));
  end("b", minutes(72));
  const auto reply = get<LearningReply>("showstats -l", "bob");
  ASSERT_EQ(reply.by_user.size(), 1U);
  EXPECT_EQ(reply.by_user[0].name, "bob");
  EXPECT_TRUE(reply.by_class.empty());
  EXPECT_TRUE(reply.intervals.empty());
  EXPECT_FALSE(reply.all);
}

TEST_F(Expectations, TheFirstReportedStartCounts) {
  begin();
  get<StartReply>("showstart b");
  clock.time = kNow + minutes(11);
  get<StartReply>("showstart b");
  end("a", minutes(12));
  end("b", minutes(20));
  EXPECT_DOUBLE_EQ(get<LearningReply>("showstats -l").by_user.at(1).start_error, 2 / 60.0);
}

TEST_F(Expectations, StatisticsOfLimitsBeginAnewWithTheOthers) {
  begin();
  end("a", minutes(12));
  ask("resetstats");
  EXPECT_TRUE(get<LearningReply>("showstats -l").by_user.empty());
  EXPECT_EQ(get<LearningReply>("showstats -l").users, 1);  // what is learned stays
}

TEST_F(Expectations, DiagnoseWarnsWhereIntervalsAreOff) {
  begin();
  Checkpoint known;
  known.when = kNow;
  known.statistics = engine().statistics();
  known.learned = engine().learning().memory();
  const auto warnings = [&](std::int64_t jobs, std::int64_t within) {
    known.learned->coverage[1] = {jobs, within};
    engine().restore(known);
    return get<JobsDiagnosisReply>("diagnose -j").general_warnings;
  };
  EXPECT_TRUE(warnings(99, 0).empty());
  EXPECT_TRUE(warnings(200, 170).empty());
  EXPECT_EQ(
      warnings(200, 160),
      (std::vector<std::string>{
          "intervals of expected ends are too narrow: of 200 jobs with 1-3 earlier similar jobs, "
          "80% ended in the interval, not 90%"}));
  known.learned->coverage[0] = {200, 0};  // these are told no end
  EXPECT_TRUE(warnings(200, 170).empty());
}

TEST_F(Expectations, ShowqShowsExpectedEndsOfActiveJobsOnRequest) {
  begin();
  EXPECT_FALSE(get<ActiveQueueReply>("showq -r").ends);
  EXPECT_TRUE(get<ActiveQueueReply>("showq -r -e").ends);
  EXPECT_EQ(why_not("showq -e"), "showq: -e requires -r");
}

TEST_F(Expectations, NothingIsExpectedWithoutASimilarJob) {
  EXPECT_FALSE(get<JobReply>("checkjob a").expected_end);
}

TEST_F(Expectations, NothingIsShownWithoutLearning) {
  settings.learning.use = LearningUse::none;
  begin();
  EXPECT_FALSE(get<JobReply>("checkjob a").expected_end);
  EXPECT_EQ(get<StartReply>("showstart b").expected_start, -1);
  EXPECT_EQ(get<StartReply>("showstart b").promised_start, -1);
}

}  // namespace
}  // namespace maui::test
