// The machine's clock is set: moments are those of the new time, intervals are as long as they
// were.
#include <cstdlib>

#include "engine/engine_fixture.h"
#include "model/job_dates.h"

namespace maui::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr Seconds kOneDay{24 * 3600}, kOneHour{3600};

class ClockStepTest : public EngineTest {
 protected:
  ClockStepTest() { settings.fairshare.metric = FairshareMetric::dedicated_proc_seconds; }
  /// "a" of two tasks runs on n1 from kNow on, for an hour at most.
  void run() {
    core_starts("a", "n1", 2);
    begin({job_report("a", 2, kOneHour)});
    core = nullptr;
    rm().asked.clear();
  }
  /// An iteration so long after kNow by a clock that nobody set.
  void after(Seconds passed) { iterate(passed + set_by_); }
  void set_clock(Seconds by) {
    set_by_ += by;
    clock.time = clock.time + by;
    engine().clock_stepped(by);
  }
  /// The clock is set while the resource manager is silent, which then has given the run back.
  void run_until_a_silence(Seconds step) {
    run();
    after(Seconds(100));
    rm().down = "no answer";
    after(Seconds(200));
    set_clock(step);
    after(Seconds(300));
    rm().down.reset();
    rm().next.statuses = {{"a", JobState::idle}};
    rm().next.certain = {"scripted"};
    after(Seconds(400));
  }
  double charged() {
    double sum = 0;
    for (const auto& window : engine().fairshare().windows) sum += window.total;
    return sum;
  }
  void ends(Seconds passed) {
    clock.time = kNow + set_by_ + passed;
    rm().next.ended = {{"a", JobState::completed, clock.time}};
    after(passed);
  }
  Seconds set_by_{0};
};

// The time since an older checkpoint would not show a step that is taken back.
TEST_F(ClockStepTest, AStepOutdatesTheCheckpoint) {
  run();
  const int before = listener.outdated;
  set_clock(kOneHour);
  EXPECT_EQ(listener.outdated, before + 1);
}

TEST_F(ClockStepTest, ARunThatWasGivenBackInASilenceIsAsLongAfterAStepForward) {
  run_until_a_silence(kOneHour);
  EXPECT_EQ(job("a").state, JobState::idle);
  EXPECT_EQ(charged(), 200);
}

TEST_F(ClockStepTest, ARunThatWasGivenBackInASilenceIsAsLongAfterAStepBack) {
  run_until_a_silence(Seconds(-50));
  EXPECT_EQ(job("a").state, JobState::idle);
  EXPECT_EQ(charged(), 200);
}

TEST_F(ClockStepTest, TheEndOfARunIsKeptByTheClockAsItStands) {
  run();
  set_clock(kOneHour);
  ends(minutes(10));
  set_clock(Seconds(0) - kOneHour);
  const auto made = engine().checkpoint();
  ASSERT_EQ(made.ended.size(), 1U);
  EXPECT_EQ(made.ended.front().ran_until, kNow + minutes(10));
}

TEST_F(ClockStepTest, AJobIsNotEndedForALimitThatItHasNotRun) {
  run();
  after(minutes(10));
  set_clock(kOneDay);
  for (int minute = 11; minute <= 60; ++minute) after(minutes(minute));
  EXPECT_THAT(rm().asked, IsEmpty());
  after(minutes(61));
  EXPECT_THAT(rm().asked, ElementsAre("cancel a"));
}

TEST_F(ClockStepTest, NorSparedForAClockThatWasSetBack) {
  run();
  after(minutes(10));
  set_clock(Seconds(0) - kOneHour);
  for (int minute = 11; minute <= 60; ++minute) after(minutes(minute));
  EXPECT_THAT(rm().asked, IsEmpty());
  after(minutes(61));
  EXPECT_THAT(rm().asked, ElementsAre("cancel a"));
}

class ClockStepByTest : public ClockStepTest, public testing::WithParamInterface<std::int64_t> {};

TEST_P(ClockStepByTest, RunTimesAreCountedByTheClockThatNobodySets) {
  run();
  after(minutes(10));
  set_clock(Seconds(GetParam()));
  after(minutes(15));
  EXPECT_EQ(charged(), 2 * 15 * 60);
  EXPECT_EQ(engine().statistics().all.dedicated_proc_seconds, 2 * 15 * 60);
  EXPECT_EQ(engine().statistics().available_proc_seconds, 4 * 15 * 60);
  ends(minutes(20));
  EXPECT_EQ(charged(), 2 * 20 * 60);
  EXPECT_EQ(engine().statistics().all.run_seconds, 20 * 60);
  EXPECT_EQ(engine().statistics().all.dedicated_proc_seconds, 2 * 20 * 60);
}
INSTANTIATE_TEST_SUITE_P(ForwardAndBack, ClockStepByTest, testing::Values(86400, -3600, 90, -600));

// Statistics began less than an hour before.
TEST_P(ClockStepByTest, ARunAfterTheStepCountsInStatistics) {
  begin({});
  after(minutes(10));
  set_clock(Seconds(GetParam()));
  core_starts("a", "n1", 2);
  rm().next.arrived = {job_report("a", 2, kOneHour)};
  after(minutes(11));
  core = nullptr;
  ends(minutes(21));
  EXPECT_EQ(engine().statistics().all.dedicated_proc_seconds, 2 * 10 * 60);
}

TEST_P(ClockStepByTest, OfARunDuringWhichStatisticsBeganAnewTheRestCounts) {
  run();
  clock.time = kNow + minutes(10);
  engine().reset_statistics();
  after(minutes(12));
  set_clock(Seconds(GetParam()));
  ends(minutes(20));
  EXPECT_EQ(engine().statistics().all.dedicated_proc_seconds, 2 * 10 * 60);
}

// Only then all windows are complete until a time by the clock as it stands.
TEST_F(ClockStepTest, AfterTheClockWasSetBackAllFilesOfFairshareAreWrittenAgain) {
  settings.fairshare.interval = kOneHour;
  run();
  after(minutes(10));
  set_clock(Seconds(0) - kOneHour);
  EXPECT_EQ(engine().checkpoint().fairshare->complete_until, clock.time);
  listener.windows_reported = 0;
  after(minutes(11));
  EXPECT_EQ(listener.windows_reported, 2);
}

// By the wrong clock, nothing that was used before counts.
TEST_F(ClockStepTest, FairshareCountsOnOnceAStepFarForwardIsTakenBack) {
  settings.fairshare.interval = kOneHour;
  settings.fairshare.depth = 2;
  run();
  after(minutes(10));
  const auto before = engine().fairshare().windows;
  set_clock(kOneDay);
  after(minutes(11));
  EXPECT_EQ(charged(), 2 * 11 * 60);
  set_clock(Seconds(0) - kOneDay);
  after(minutes(12));
  EXPECT_EQ(charged(), 2 * 12 * 60);
  const auto& windows = engine().fairshare().windows;
  const auto again = std::find_if(windows.begin(), windows.end(), [&](const auto& window) {
    return window.start == before.front().start;
  });
  ASSERT_NE(again, windows.end()) << "its file is overwritten";
  EXPECT_EQ(again->total, 2 * 11 * 60) << "a minute is in the window of the wrong clock";
}

TEST_F(ClockStepTest, WhatWasChargedTooMuchIsRefundedInAWindowThatNoLongerCounts) {
  settings.fairshare.interval = kOneHour;
  settings.fairshare.depth = 2;
  run();
  after(minutes(10));
  set_clock(kOneDay);
  rm().next.ended = {{"a", JobState::completed, kNow + minutes(4)}};
  after(minutes(11));
  EXPECT_EQ(charged(), 2 * 4 * 60);
}

// Nobody has told yet when it began.
TEST_P(ClockStepByTest, WhatWasChargedTooMuchIsRefundedWhereItWasCharged) {
  settings.fairshare.interval = minutes(1);
  settings.fairshare.depth = 100000;
  const std::vector<std::int64_t> seconds = {90, 150, 210};
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    SCOPED_TRACE(seconds[i]);
    const std::string name = "j" + std::to_string(i);
    core_starts(name, "n1", 2);
    if (i == 0) rm().next.nodes = {node_report("n1", procs(2))};
    rm().next.arrived = {job_report(name, 2, kOneHour)};
    const Time began = clock.time = kNow + set_by_ + minutes(10 * static_cast<int>(i) + 1);
    after(began - kNow - set_by_);
    core = nullptr;
    const Seconds before = began - kNow - set_by_;
    const double known = charged();
    after(before + minutes(1));
    set_clock(Seconds(GetParam()));
    after(before + minutes(2));
    set_clock(Seconds(GetParam()));
    after(before + minutes(4));
    JobEnd end{name, JobState::completed, clock.time};
    end.when = clock.time - minutes(4) + Seconds(seconds[i]);
    rm().next.ended = {end};
    after(before + minutes(4));
    EXPECT_EQ(charged() - known, 2 * static_cast<double>(seconds[i]));
    for (const FairshareWindow& window : engine().fairshare().windows) EXPECT_GE(window.total, 0);
  }
}

TEST_F(ClockStepTest, AJobThatStartsMeanwhileRunsForAsLongAsItMay) {
  for (const Seconds by : {kOneHour, Seconds(0) - kOneHour}) {
    rm().reports_starts = true;
    const std::string name = by > Seconds(0) ? "a" : "b";
    core_starts(name, by > Seconds(0) ? "n1" : "n2", 1);
    if (by > Seconds(0))
      begin({job_report(name, 1, minutes(30))});
    else {
      rm().next.arrived = {job_report(name, 1, minutes(30))};
      after(minutes(2));
    }
    core = nullptr;
    ASSERT_EQ(job(name).state, JobState::starting);
    const Time before = job(name).started;
    set_clock(by);
    clock.time = clock.time + Seconds(30);
    JobStatus status{name, JobState::running};
    status.started = std::min(before + Seconds(1), clock.time);
    rm().next.statuses = {status};
    after(clock.time - kNow - set_by_);
    EXPECT_EQ(job(name).state, JobState::running);
    EXPECT_GE(job(name).ends, before + by + minutes(30));
    EXPECT_LE(job(name).ends, before + by + minutes(31));
  }
}

TEST_F(ClockStepTest, AStartThatWasInVainIsNotChargedForTheStep) {
  settings.jobs.sync_time = minutes(10);
  rm().reports_starts = true;
  core_starts("a", "n1", 2);
  begin({job_report("a", 2, kOneHour)});
  core = nullptr;
  ASSERT_EQ(job("a").state, JobState::starting);
  set_clock(Seconds(0) - kOneHour);
  rm().next.statuses = {{"a", JobState::idle}};
  after(minutes(11));
  EXPECT_TRUE(job("a").waiting());
  EXPECT_EQ(charged(), 0);
}

TEST_F(ClockStepTest, AStartBeforeTheClockWasSetBackThatIsReportedAfterwardsIsByTheOldClock) {
  begin({});
  clock.time = kNow + minutes(10);
  set_clock(Seconds(0) - kOneHour);
  JobReport report = job_report("a", 2, kOneHour);
  report.job.state = JobState::running;
  report.job.started = kNow + minutes(5);
  report.task_list = {"n1", "n1"};
  rm().next.arrived = {report};
  after(minutes(11));
  EXPECT_EQ(job("a").run_so_far(clock.time), minutes(6));
  // Later answers are by the clock as it now stands.
  report.name = "b";
  report.job.started = clock.time + minutes(1);
  report.task_list = {"n2", "n2"};
  rm().next.arrived = {report};
  after(minutes(12));
  EXPECT_EQ(job("b").run_so_far(clock.time), Seconds(0));
}

// The start is dated before the first step, and the end between the two.
TEST_F(ClockStepTest, AnEndBetweenTwoStepsBackIsByTheClockAsItStoodThen) {
  run();
  after(minutes(10));
  clock.time = kNow + minutes(11);
  set_clock(minutes(-5));
  clock.time = clock.time + minutes(3);
  set_clock(Seconds(0) - kOneHour);
  const Time dated = kNow + minutes(12) - minutes(5);
  JobEnd end{"a", JobState::completed, clock.time};
  end.dated_start = kNow;
  end.dated = dated;
  rm().next.ended = {end};
  after(minutes(15));
  EXPECT_EQ(engine().statistics().all.run_seconds, 12 * 60);
  EXPECT_EQ(engine().statistics().all.dedicated_proc_seconds, 2 * 12 * 60);
}

TEST_P(ClockStepByTest, SoItIsBetweenAStepForwardAndOneBack) {
  const Seconds by(std::abs(GetParam()));
  run();
  after(minutes(1));
  set_clock(by);
  clock.time = clock.time + minutes(2);
  set_clock(Seconds(0) - by);
  JobEnd end{"a", JobState::completed, clock.time + Seconds(10)};
  end.dated_start = kNow;
  end.dated = kNow + minutes(2) + by;
  rm().next.ended = {end};
  after(minutes(3) + Seconds(10));
  EXPECT_EQ(engine().statistics().all.run_seconds, 2 * 60);
  EXPECT_EQ(charged(), 2 * 2 * 60);
}

TEST_F(ClockStepTest, AStartBeforeTwoStepsBackIsByTheClockAsItStoodThen) {
  rm().reports_starts = true;
  core_starts("a", "n1", 2);
  begin({job_report("a", 2, kOneHour)});
  core = nullptr;
  clock.time = kNow + minutes(1);
  set_clock(Seconds(0) - kOneHour);
  clock.time = clock.time + minutes(1);
  set_clock(Seconds(0) - kOneDay);
  JobStatus status{"a", JobState::running};
  status.started = kNow + Seconds(1);
  rm().next.statuses = {status};
  after(minutes(3));
  EXPECT_EQ(job("a").run_so_far(clock.time), minutes(3) - Seconds(1));
  EXPECT_EQ(job("a").ends, clock.time + kOneHour - minutes(3) + Seconds(1));
}

TEST_F(ClockStepTest, DatesThatAreShownAreByTheClockAsItStands) {
  run();
  after(minutes(10));
  set_clock(Seconds(0) - kOneHour);
  after(minutes(15));
  const JobDates active = dates_of(job("a"));
  EXPECT_EQ(active.started, clock.time - minutes(15));
  EXPECT_LE(active.submitted, active.started);
  EXPECT_EQ(job("a").ends - active.started, kOneHour);
  ends(minutes(20));
  ASSERT_EQ(engine().ended_jobs().size(), 1U);
  const EndedJob& ended = engine().ended_jobs().front();
  EXPECT_EQ(ended.ended - ended.started, minutes(20));
  EXPECT_LE(ended.submitted, ended.started);
}

TEST_F(ClockStepTest, AJobThatWaitedWhileTheClockWasSetBackWasNotSubmittedAfterItsStart) {
  begin({job_report("a", 2, kOneHour)});
  after(minutes(10));
  set_clock(Seconds(0) - kOneHour);
  core_starts("a", "n1", 2);
  after(minutes(12));
  ASSERT_TRUE(job("a").active());
  EXPECT_EQ(dates_of(job("a")).started - dates_of(job("a")).submitted, minutes(12));
}

TEST_F(ClockStepTest, ASuspendedJobHasRestedForAsLongAsItHas) {
  run();
  clock.time = kNow + minutes(10);
  EXPECT_TRUE(engine().preempt_job(id("a"), Preemption::suspend));
  for (const Seconds by : {Seconds(0) - kOneHour, kOneDay}) {
    const Seconds ran = job("a").run_so_far(clock.time),
                  rested = clock.time - job("a").suspended_since;
    set_clock(by);
    EXPECT_EQ(job("a").run_so_far(clock.time), ran);
    EXPECT_EQ(clock.time - job("a").suspended_since, rested);
  }
}

TEST_F(ClockStepTest, AnEndByAClockThatWasNotSetIsBelieved) {
  run();
  after(minutes(10));
  set_clock(kOneDay);
  rm().next.ended = {{"a", JobState::completed, kNow + minutes(11)}};
  after(minutes(12));
  EXPECT_EQ(engine().statistics().all.run_seconds, 11 * 60);
  EXPECT_EQ(engine().statistics().all.dedicated_proc_seconds, 2 * 11 * 60);
}

/// The clock is set back during a run, and forward again between its end and the answer with it.
class SetBackAndForwardTest : public ClockStepTest,
                              public testing::WithParamInterface<std::pair<int, int>> {};

TEST_P(SetBackAndForwardTest, ARunThatEndsInBetweenIsAsLongAsItWas) {
  run();
  after(minutes(10));
  set_clock(Seconds(GetParam().first));
  after(minutes(12));
  const Time ended = clock.time + minutes(1);
  clock.time = clock.time + minutes(2);
  set_clock(Seconds(GetParam().second));
  rm().next.ended = {{"a", JobState::completed, ended}};
  after(minutes(15));
  EXPECT_EQ(engine().statistics().all.run_seconds, 13 * 60);
  EXPECT_EQ(engine().statistics().all.dedicated_proc_seconds, 2 * 13 * 60);
  EXPECT_EQ(charged(), 2 * 13 * 60);
}

TEST_P(SetBackAndForwardTest, AnEndByAClockThatWasNotSetIsBelieved) {
  run();
  after(minutes(10));
  set_clock(Seconds(GetParam().first));
  after(minutes(12));
  clock.time = clock.time + minutes(2);
  set_clock(Seconds(GetParam().second));
  rm().next.ended = {{"a", JobState::completed, kNow + minutes(13)}};
  after(minutes(15));
  EXPECT_EQ(engine().statistics().all.run_seconds, 13 * 60);
}

INSTANTIATE_TEST_SUITE_P(Steps, SetBackAndForwardTest,
                         testing::Values(std::pair(-3700, 4000), std::pair(-600, 600),
                                         std::pair(-600, 90000)));

TEST_F(ClockStepTest, NorIsItsRunShorterIfItWasLongerThanTheStep) {
  run();
  after(minutes(10));
  set_clock(minutes(15));
  after(minutes(35));
  rm().next.ended = {{"a", JobState::completed, kNow + minutes(36)}};
  after(minutes(37));
  EXPECT_EQ(engine().statistics().all.run_seconds, 36 * 60);
  EXPECT_EQ(charged(), 2 * 36 * 60);
}

TEST_P(ClockStepByTest, SuspensionsCountBesideTheStep) {
  run();
  after(minutes(10));
  set_clock(Seconds(GetParam()));
  rm().next.statuses = {{.name = "a", .suspended_time = Seconds(40)}};
  after(minutes(20));
  EXPECT_EQ(job("a").run_so_far(clock.time), minutes(20) - Seconds(40));
  ends(minutes(30));
  EXPECT_EQ(charged(), 2 * (30 * 60 - 40));
}

TEST_P(ClockStepByTest, AnEndBeforeTheStepThatIsReportedAfterwardsIsByTheOldClock) {
  run();
  after(minutes(10));
  clock.time = kNow + minutes(12);
  set_clock(Seconds(GetParam()));
  rm().next.ended = {{"a", JobState::completed, kNow + minutes(11)}};
  after(minutes(13));
  EXPECT_EQ(engine().statistics().all.run_seconds, 11 * 60);
  EXPECT_EQ(charged(), 2 * 11 * 60);
  EXPECT_EQ(engine().statistics().all.dedicated_proc_seconds, 2 * 11 * 60);
}

TEST_P(ClockStepByTest, AnEndAfterTheStepIsByTheNewClock) {
  run();
  after(minutes(10));
  clock.time = kNow + minutes(11);
  set_clock(Seconds(GetParam()));
  rm().next.ended = {{"a", JobState::completed, clock.time + minutes(1)}};
  after(minutes(13));
  EXPECT_EQ(engine().statistics().all.run_seconds, 12 * 60);
  EXPECT_EQ(charged(), 2 * 12 * 60);
}

TEST_F(ClockStepTest, ARunThatReportsOmittedBeforeTheStepIsAccountedOnce) {
  run();
  after(minutes(10));
  rm().next.lost = {"a"};
  rm().next.certain = {"scripted"};
  after(minutes(11));
  ASSERT_FALSE(cluster().find_job("a").valid());
  clock.time = kNow + minutes(12);
  set_clock(kOneDay);
  JobReport report = job_report("a", 2, kOneHour);
  report.job.state = JobState::running;
  report.job.started = kNow;
  report.task_list = {"n1", "n1"};
  rm().next.arrived = {report};
  after(minutes(13));
  EXPECT_EQ(engine().statistics().all.dedicated_proc_seconds, 2 * 13 * 60);
}

TEST_P(ClockStepByTest, AnUnreportedJobRanUntilItWasLastKnown) {
  settings.jobs.purge_time = minutes(5);
  run();
  after(minutes(10));
  rm().next.lost = {"a"};
  after(minutes(11));
  set_clock(Seconds(GetParam()));
  for (int minute = 12; minute <= 20; ++minute) after(minutes(minute));
  ASSERT_EQ(listener.ended.size(), 1U);
  EXPECT_EQ(engine().statistics().all.run_seconds, 11 * 60);
  EXPECT_EQ(charged(), 2 * 11 * 60);
}

TEST_F(ClockStepTest, AfterAFarStepLimitsWaitForAnAnswerOfEveryResourceManager) {
  run();
  after(minutes(59));
  set_clock(minutes(6));
  rm().down = "away";
  after(minutes(70));
  rm().down.reset();
  after(minutes(71));
  EXPECT_THAT(rm().asked, IsEmpty()) << "this answer confirms the time";
  after(minutes(72));
  EXPECT_THAT(rm().asked, ElementsAre("cancel a"));
  EXPECT_THAT(listener.lines,
              Contains(HasSubstr("0 ALERT: the machine's clock was set forward by 360 "
                                 "seconds; time limits are not enforced")));
}

TEST_F(ClockStepTest, AfterASmallStepLimitsAreEnforced) {
  run();
  after(minutes(59));
  set_clock(minutes(4));
  after(minutes(61));
  EXPECT_THAT(rm().asked, ElementsAre("cancel a"));
  EXPECT_THAT(listener.lines,
              Contains(HasSubstr("0 WARNING: the machine's clock was set forward")));
  EXPECT_THAT(listener.lines, Not(Contains(HasSubstr("not enforced"))));
}

TEST_F(ClockStepTest, ReservationsKeepTheirTime) {
  begin({});
  Reservation reservation;
  reservation.name = "kept";
  reservation.start = kNow + kOneHour;
  reservation.end = kNow + kOneHour + kOneHour;
  reservation.nodes = {{node("n1"), 1, 0}};
  ASSERT_TRUE(engine().add_reservation(reservation));
  set_clock(Seconds(0) - kOneHour);
  after(minutes(1));
  const auto id = cluster().find_reservation("kept");
  ASSERT_TRUE(id.valid());
  EXPECT_EQ(cluster().reservation(id).start, kNow + kOneHour);
  set_clock(kOneDay);
  after(minutes(2));
  EXPECT_FALSE(cluster().find_reservation("kept").valid());
}

TEST_F(ClockStepTest, JobsHaveWaitedAsLongAsTheyHave) {
  begin({job_report("a", 1), job_report("b", 1)});
  for (const Seconds by : {kOneDay, Seconds(0) - kOneHour}) {
    const Time before = job("a").queued;
    set_clock(by);
    EXPECT_EQ(job("a").queued, before + by);
    EXPECT_EQ(job("b").eligible_since, before + by);
    EXPECT_EQ(cluster().waiting().front().job, id("a"));
    EXPECT_EQ(cluster().waiting().front().queued, job("a").queued);
  }
}

TEST_F(ClockStepTest, ADeferralLastsAsLongAsItWasTo) {
  settings.jobs.defer_time = minutes(10);
  settings.jobs.defer_start_count = 1;
  rm().refuses_starts = "no";
  core_starts("a", "n1", 1);
  begin({job_report("a", 1)});
  core = nullptr;
  ASSERT_EQ(job("a").holds, kDefer);
  set_clock(kOneDay);
  after(minutes(9));
  EXPECT_EQ(job("a").holds, kDefer);
  set_clock(Seconds(0) - kOneDay - kOneHour);
  after(minutes(10));
  EXPECT_EQ(job("a").holds, 0);
}

// Of several that are slow, there is always one whose answer is missing.
TEST_F(ClockStepTest, LimitsAreEnforcedOnceEachManagerHasAnsweredThoughNotAllAtOnce) {
  settings.server.clock_step = minutes(5);
  run();
  rm().kept_records.resize(2);
  rm().kept_records[0].name = "scripted";
  rm().kept_records[1].name = "other";
  set_clock(kOneDay);
  const auto late = [this](const std::string& name, Seconds at) {
    rm().next.silent = {{name, "it is slow to answer", true}};
    after(at);
  };
  late("other", minutes(61));
  late("other", minutes(62));
  late("scripted", minutes(63));
  EXPECT_THAT(rm().asked, IsEmpty());
  late("other", minutes(64));
  EXPECT_THAT(rm().asked, ElementsAre("cancel a"));
}

// The list that is delivered late was asked for before.
TEST_F(ClockStepTest, AManagerHasBeenHeardFromUntilItWasAskedNotUntilItsAnswerIsDelivered) {
  begin({});
  rm().kept_records.resize(1);
  rm().kept_records[0].name = "slow";
  rm().kept_records[0].asked = kNow + minutes(1);
  after(minutes(3));
  EXPECT_EQ(engine().checkpoint().heard.at("slow"), kNow + minutes(1));
}

/// A resource manager that computes its answers some seconds after the requests.
class SlowAnswerTest : public ClockStepTest {
 protected:
  SlowAnswerTest() { settings.jobs.sync_time = Seconds(0); }
  /// Asks so long after kNow, and has the answer after `latency`.
  void ask(Seconds at, Seconds latency) {
    rm().next.answered = kNow + at + latency;
    iterate(at);
  }
  /// "a" is asked for at kNow, and reported to run since kNow + 3.
  void start_late() {
    rm().reports_starts = true;
    run();
    rm().next.statuses = {{.name = "a", .state = JobState::running, .started = kNow + Seconds(3)}};
    ask(Seconds(1), Seconds(4));
  }
};

TEST_F(SlowAnswerTest, AStartMeanwhileIsNotInTheFuture) {
  start_late();
  EXPECT_EQ(job("a").started, kNow + Seconds(3));
  EXPECT_EQ(job("a").clock_step(), Seconds(0));
  rm().next.ended = {
      {"a", JobState::completed, kNow + Seconds(24), 0, kNow + Seconds(3), kNow + Seconds(24)}};
  ask(Seconds(20), Seconds(5));
  ASSERT_EQ(listener.ended.size(), 1U);
  EXPECT_EQ(listener.ended.front().ended, kNow + Seconds(24));
  EXPECT_EQ(engine().statistics().all.run_seconds, 21);
  EXPECT_EQ(charged(), 2 * 21);
}

TEST_F(SlowAnswerTest, NorIsThatOfARunWhichOthersStarted) {
  JobReport report = job_report("b", 1);
  report.job.state = JobState::running;
  report.job.started = kNow + Seconds(3);
  report.task_list = {"n1"};
  rm().next.answered = kNow + Seconds(5);
  begin({report});
  EXPECT_EQ(job("b").started, kNow + Seconds(3));
  EXPECT_EQ(job("b").clock_step(), Seconds(0));
}

TEST_F(SlowAnswerTest, ASuspensionCountsSinceItWasReported) {
  start_late();
  rm().next.statuses = {{.name = "a", .state = JobState::suspended}};
  ask(Seconds(10), Seconds(5));
  EXPECT_EQ(job("a").suspended_since, kNow + Seconds(15));
  rm().next.ended = {{"a", JobState::removed, kNow + Seconds(24)}};
  ask(Seconds(20), Seconds(5));
  EXPECT_EQ(engine().statistics().all.run_seconds, 12);
  EXPECT_THAT(listener.lines, Not(Contains(HasSubstr("cannot have run"))));
}

// What happens after the answer was computed is in no answer yet.
TEST_F(SlowAnswerTest, ItHasBeenHeardFromUntilItWasAsked) {
  start_late();
  EXPECT_EQ(engine().checkpoint().heard.at("scripted"), kNow + Seconds(1));
}

TEST_F(SlowAnswerTest, WhatIsWaitedForCountsInStatisticsOnce) {
  run();
  ask(minutes(10), Seconds(10));
  EXPECT_EQ(charged(), 2 * 610);
  EXPECT_EQ(engine().statistics().all.dedicated_proc_seconds, 2 * 610);
  EXPECT_EQ(engine().statistics().available_proc_seconds, 4 * 610);
  after(minutes(15));
  EXPECT_EQ(engine().statistics().available_proc_seconds, 4 * 15 * 60);
}

}  // namespace
}  // namespace maui::test
