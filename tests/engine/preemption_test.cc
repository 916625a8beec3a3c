// Preemption between core and resource manager: who is asked what, and in which order.
#include "engine/engine_fixture.h"

namespace maui::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class PreemptionTest : public EngineTest {
 protected:
  /// Makes the planner requeue "a" for "b", which starts on n1.
  void core_preempts_a_for_b() {
    core = [](const Cluster& known, Time) {
      Plan plan;
      const JobId a = known.find_job("a"), b = known.find_job("b");
      plan.decisions = {PreemptJob{a, Preemption::requeue, b},
                        StartJob{b, {{known.find_node("n1"), 1, 0}}}};
      return plan;
    };
  }
  /// "a" runs on both nodes; the core preempts it for "b", once.
  void preempt_a_for_b(Preemption how) {
    core_starts("a", "n1", 2);
    begin({job_report("a", 2)});
    rm().next.arrived = {job_report("b", 1)};
    core = [this, how](const Cluster& known, Time) {
      Plan plan;
      const JobId a = known.find_job("a"), b = known.find_job("b");
      if (once_ || !b.valid()) return plan;
      once_ = true;
      plan.decisions = {PreemptJob{a, how, b}, StartJob{b, {{known.find_node("n1"), 1, 0}}}};
      return plan;
    };
    rm().asked.clear();
    iterate(minutes(10));
  }
  void run_a_and_believe_at_once() {
    core_starts("a", "n1", 2);
    settings.jobs.sync_time = Seconds(0);
    begin({job_report("a", 2)});
    core = nullptr;
  }
  /// Twice, since a report that disagrees with what is known is looked at again.
  void report_a_suspended() {
    for (int i = 1; i <= 2; ++i) {
      rm().next.statuses = {{"a", JobState::suspended}};
      iterate(minutes(i));
    }
  }

 private:
  bool once_ = false;
};

TEST_F(PreemptionTest, TheVictimIsRequeuedBeforeThePreemptorStarts) {
  preempt_a_for_b(Preemption::requeue);
  EXPECT_THAT(rm().asked, ElementsAre("requeue a", "start b on n1:1"));
  EXPECT_EQ(job("a").state, JobState::idle);
  EXPECT_EQ(job("a").submitted, kNow);
  EXPECT_EQ(job("b").state, JobState::running);
  EXPECT_EQ(engine().statistics().preemptions, 1);
  EXPECT_EQ(engine().statistics().preempted_proc_seconds, 2 * 600);
  EXPECT_EQ(cluster().check(), std::nullopt);
}

TEST_F(PreemptionTest, AVictimHasNotWaitedWhileItRan) {
  preempt_a_for_b(Preemption::requeue);
  EXPECT_EQ(job("a").queued, kNow + minutes(10));
}

TEST_F(PreemptionTest, ACheckpointedJobHasNotWaitedWhileItRanEither) {
  preempt_a_for_b(Preemption::checkpoint);
  EXPECT_EQ(job("a").queued, kNow + minutes(10));
}

TEST_F(PreemptionTest, QueueTimeSinceSubmissionIncludesTheRunOfAVictim) {
  settings.throttling.accrual = QueueTimeAccrual::always;
  preempt_a_for_b(Preemption::requeue);
  EXPECT_EQ(job("a").queued, kNow);
}

TEST_F(PreemptionTest, AJobThatAPersonRequeuesKeepsItsPlaceInTheQueue) {
  core_starts("a", "n1", 2);
  begin({job_report("a", 2)});
  clock.time = kNow + minutes(10);
  core = nullptr;
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::requeue));
  EXPECT_EQ(job("a").queued, kNow);
}

TEST_F(PreemptionTest, TheLogSaysForWhomAJobWasPreempted) {
  listener.verbosity = 2;
  preempt_a_for_b(Preemption::requeue);
  EXPECT_THAT(listener.lines,
              Contains("2 job 'a' requeued after 600 seconds: preempted by job 'b'"));
}

TEST_F(PreemptionTest, ASuspendedJobKnowsForWhom) {
  listener.verbosity = 2;
  preempt_a_for_b(Preemption::suspend);
  EXPECT_THAT(listener.lines,
              Contains("2 job 'a' suspended after 600 seconds: preempted by job 'b'"));
  EXPECT_EQ(job("a").suspension_reason->preemptor, "b");
}

TEST_F(PreemptionTest, AJobThatAPersonSuspendsIsSuspendedForNobody) {
  listener.verbosity = 2;
  core_starts("a", "n1", 2);
  begin({job_report("a", 2)});
  clock.time = kNow + minutes(10);
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::suspend));
  EXPECT_THAT(listener.lines, Contains("2 job 'a' suspended after 600 seconds"));
  EXPECT_TRUE(job("a").suspension_reason->preemptor.empty());
}

TEST_F(PreemptionTest, ASuspendedJobKeepsItsPlaceAndTheRestOfItsLimit) {
  preempt_a_for_b(Preemption::suspend);
  EXPECT_THAT(rm().asked, ElementsAre("suspend a", "start b on n1:1"));
  EXPECT_EQ(job("a").state, JobState::suspended);
  EXPECT_NE(job("a").suspension_reason->cause, SuspensionCause::by_hand);
  EXPECT_EQ(job("a").time_left, minutes(50));
  EXPECT_EQ(show(cluster(), job("a").placement), "n1:2");
  EXPECT_EQ(engine().statistics().preempted_proc_seconds, 0) << "nothing is lost";
  EXPECT_FALSE(engine().finished());
}

TEST_F(PreemptionTest, ACheckpointedJobHasLessToDo) {
  preempt_a_for_b(Preemption::checkpoint);
  EXPECT_THAT(rm().asked, ElementsAre("checkpoint a", "start b on n1:1"));
  EXPECT_EQ(job("a").state, JobState::idle);
  EXPECT_EQ(cluster().request_of(id("a")).limit, minutes(50));
  EXPECT_EQ(job("a").kept_run, minutes(10));
}

TEST_F(PreemptionTest, AJobThatCannotBeCheckpointedIsRequeued) {
  rm().refuses_checkpoints = "no checkpoint of this job";
  preempt_a_for_b(Preemption::checkpoint);
  EXPECT_THAT(rm().asked, ElementsAre("checkpoint a", "requeue a", "start b on n1:1"));
  EXPECT_EQ(cluster().request_of(id("a")).limit, hours(1));
}

TEST_F(PreemptionTest, ACommandToCheckpointAJobDoesNotThrowItsWorkAway) {
  core_starts("a", "n1", 2);
  begin({job_report("a", 2)});
  rm().refuses_checkpoints = "no checkpoint of this job";
  const auto status = engine().preempt_job(id("a"), Preemption::checkpoint);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().what, HasSubstr("no checkpoint of this job"));
  EXPECT_TRUE(job("a").active());
}

TEST_F(PreemptionTest, NobodyStartsOnTheNodesOfAVictimThatStays) {
  rm().refuses_preemption = "not now";
  preempt_a_for_b(Preemption::suspend);
  EXPECT_THAT(rm().asked, ElementsAre("suspend a"));
  EXPECT_EQ(job("a").state, JobState::running);
  EXPECT_EQ(job("b").state, JobState::idle);
  EXPECT_THAT(listener.lines, ElementsAre(HasSubstr("cannot preempt job 'a': not now")));
  EXPECT_EQ(done, 2);
}

/// The start of "b" is refused, for which the core takes the nodes of "a" once and wants to start
/// "b" again and again.
class RefusedPreemptorTest : public PreemptionTest {
 protected:
  void refuse(Obstacle obstacle) {
    rm().obstacle = obstacle;
    rm().refuses_starts = "no room on n1";
    rm().refused_job = "b";
    preempt_a_for_b(Preemption::requeue);
    rm().asked.clear();
    core_starts("b", "n1", 1);
  }
  void iterate_at(Seconds after_preemption) { iterate(minutes(10) + after_preemption); }
};

TEST_F(RefusedPreemptorTest, ARefusalBeforeTheVictimCanBeGoneDoesNotCount) {
  refuse(Obstacle::unknown);
  ASSERT_EQ(job("a").state, JobState::idle);
  EXPECT_EQ(job("b").state, JobState::idle);
  EXPECT_EQ(job("b").holds, 0) << "'a' was asked to leave a moment ago";
  EXPECT_EQ(job("b").failures.preempts_from, Time(0));
  EXPECT_EQ(engine().next_event(), clock.time + Seconds(5));
  iterate_at(Seconds(1));
  EXPECT_THAT(rm().asked, IsEmpty()) << "five seconds between the requests";
  iterate_at(Seconds(5));
  EXPECT_TRUE(has(job("b").holds, Hold::defer)) << "'a' has not been reported as running since";
  EXPECT_EQ(job("b").failures.preempts_from, clock.time + settings.jobs.defer_time);
}

TEST_F(RefusedPreemptorTest, ForAMinuteAnObstacleThatPassesMayBeTheVictim) {
  refuse(Obstacle::passes);
  for (const int at : {5, 10, 59}) {
    rm().asked.clear();
    iterate_at(Seconds(at));
    EXPECT_THAT(rm().asked, ElementsAre("start b on n1:1"));
    EXPECT_EQ(*job("b").waits_for, "") << "it keeps its turn on the nodes";
  }
  iterate_at(Seconds(64));
  EXPECT_EQ(*job("b").waits_for, "no room on n1");
  EXPECT_EQ(job("b").holds, 0);
  EXPECT_EQ(job("b").failures.preempts_from, clock.time + settings.jobs.defer_time);
}

TEST_F(RefusedPreemptorTest, ADependencyThatIsRefusedIsNotTheVictim) {
  refuse(Obstacle::others);
  EXPECT_EQ(*job("b").waits_for, "no room on n1");
  EXPECT_GT(job("b").failures.preempts_from, clock.time);
}

TEST_F(RefusedPreemptorTest, WithoutATimeOfDeferralItSparesOthersForFiveMinutes) {
  settings.jobs.defer_time = Seconds(0);
  refuse(Obstacle::others);
  EXPECT_EQ(job("b").failures.preempts_from, clock.time + minutes(5));
}

TEST_F(RefusedPreemptorTest, ALaterRefusalOfAJobThatHasRunIsItsOwn) {
  settings.jobs.defer_time = hours(1);
  preempt_a_for_b(Preemption::requeue);
  ASSERT_TRUE(job("b").active());
  iterate_at(Seconds(5));
  ASSERT_TRUE(engine().preempt_job(id("b"), Preemption::requeue));
  rm().refuses_starts = "no room on n1";
  core_starts("b", "n1", 1);
  iterate_at(Seconds(10));
  EXPECT_TRUE(has(job("b").holds, Hold::defer));
  EXPECT_EQ(job("b").failures.preempts_from, Time(0));
}

TEST_F(PreemptionTest, ThePreemptorWaitsForALateAnswer) {
  core_starts("a", "n1", 2);
  begin({job_report("a", 2)});
  rm().answers_later = true;
  rm().next.arrived = {job_report("b", 1)};
  core_preempts_a_for_b();
  rm().asked.clear();
  iterate(minutes(10));
  rm().answer_all();  // the poll
  EXPECT_THAT(rm().asked, ElementsAre("requeue a"));
  EXPECT_EQ(job("a").state, JobState::running) << "it has its nodes until the answer";
  rm().answer_all();
  EXPECT_THAT(rm().asked, ElementsAre("requeue a", "start b on n1:1"));
  EXPECT_EQ(done, 1);
  rm().answer_all();
  EXPECT_EQ(done, 2);
}

// A change by an administrator while a victim is leaving makes the rest of the plan outdated.
TEST_F(PreemptionTest, ThePreemptorDoesNotStartOnWhatChangedMeanwhile) {
  using Change = std::function<void()>;
  const std::vector<Change> changes = {
      [&] { EXPECT_TRUE(set_holds(engine(), id("b"), static_cast<std::uint8_t>(Hold::user))); },
      [&] { EXPECT_TRUE(engine().set_node_state(node("n1"), NodeState::draining)); },
      [&] {
        Reservation mine;
        mine.kind = ReservationKind::administrative;
        mine.start = clock.time;
        mine.end = clock.time + hours(1);
        mine.nodes = {{node("n1"), 2, 0}};
        mine.per_task = procs(1);
        EXPECT_TRUE(engine().add_reservation(mine));
      },
      [&] { EXPECT_TRUE(engine().set_limit(id("b"), hours(2))); }};
  core_starts("a", "n1", 2);
  begin({job_report("a", 2), job_report("b", 1)});
  Seconds at{0};
  for (const Change& change : changes) {
    if (job("a").waiting()) {
      core_starts("a", "n1", 2);
      iterate(at = at + minutes(1));
    }
    core_preempts_a_for_b();
    rm().answers_later = true;
    iterate(at = at + minutes(10));
    rm().answer_all();  // the poll
    const auto requeued = rm().take_answers();
    rm().answers_later = false;
    change();
    for (const auto& answer : requeued) answer();
    EXPECT_FALSE(engine().iterating());
    EXPECT_TRUE(job("a").waiting());
    EXPECT_TRUE(job("b").waiting()) << "change " << &change - changes.data();
  }
}

TEST_F(PreemptionTest, AJobThatWasAskedTwiceToStopIsSuspendedOnce) {
  core_starts("a", "n1", 2);
  begin({job_report("a", 2)});
  rm().answers_later = true;
  clock.time = kNow + minutes(10);
  EXPECT_TRUE(engine().preempt_job(id("a"), Preemption::suspend));
  EXPECT_TRUE(engine().preempt_job(id("a"), Preemption::suspend));
  rm().answer_all();
  EXPECT_TRUE(job("a").suspended());
  EXPECT_EQ(cluster().suspended().size(), 1U);
  EXPECT_EQ(job("a").time_left, minutes(50));
  EXPECT_EQ(cluster().check(), std::nullopt);
}

TEST_F(PreemptionTest, ALateAnswerDoesNotRequeueTheNextRun) {
  core_starts("a", "n1", 2);
  begin({job_report("a", 2)});
  rm().answers_later = true;
  EXPECT_TRUE(engine().preempt_job(id("a"), Preemption::requeue));
  EXPECT_TRUE(engine().preempt_job(id("a"), Preemption::checkpoint));
  const auto answers = rm().take_answers();
  ASSERT_EQ(answers.size(), 2U);
  rm().answers_later = false;
  answers[0]();
  ASSERT_TRUE(job("a").waiting());
  ASSERT_TRUE(engine().run_job(id("a"), {}));
  answers[1]();
  EXPECT_TRUE(job("a").active());
}

/// "a" is starting; that start is taken back, and another one is asked for and agreed to.
class LateAnswerTest : public PreemptionTest {
 protected:
  std::vector<std::function<void()>> answers_to_the_first_start(bool and_a_preemption) {
    rm().reports_starts = true;
    begin({job_report("a", 2)});
    rm().answers_later = true;
    rm().refuses_starts = "not now";
    rm().obstacle = Obstacle::passes;
    EXPECT_TRUE(engine().run_job(id("a"), {}));
    auto late = rm().take_answers();
    if (and_a_preemption) {
      EXPECT_TRUE(engine().preempt_job(id("a"), Preemption::requeue));
      late = rm().take_answers();
    }
    rm().answers_later = false;
    rm().refuses_starts.reset();
    rm().next.statuses = {{"a", JobState::idle}};
    rm().next.certain = {"scripted"};
    iterate(minutes(1));
    EXPECT_TRUE(engine().run_job(id("a"), {}));
    EXPECT_EQ(job("a").state, JobState::starting);
    EXPECT_EQ(job("a").started, kNow + minutes(1)) << "it is another start";
    return late;
  }
};

TEST_F(LateAnswerTest, ALateRefusalDoesNotUndoTheNextStart) {
  for (const auto& answer : answers_to_the_first_start(false)) answer();
  EXPECT_EQ(job("a").state, JobState::starting);
  EXPECT_EQ(cluster().check(), std::nullopt);
}

TEST_F(LateAnswerTest, ALateAnswerDoesNotRequeueAJobWhoseFirstStartWasUndone) {
  for (const auto& answer : answers_to_the_first_start(true)) answer();
  EXPECT_EQ(job("a").state, JobState::starting);
  EXPECT_EQ(engine().statistics().preemptions, 0);
}

TEST_F(PreemptionTest, AVictimIsPreemptedOnceThoughThePreemptorsStartIsRefusedAndRepeated) {
  core_starts("a", "n1", 2);
  begin({job_report("a", 2)});
  rm().next.arrived = {job_report("b", 1)};
  rm().refuses_starts = "not yet";
  rm().obstacle = Obstacle::passes;
  core = [](const Cluster& known, Time) {
    Plan plan;
    const JobId a = known.find_job("a"), b = known.find_job("b");
    if (!b.valid() || !known.job(b).waiting()) return plan;
    if (known.job(a).active()) plan.decisions.push_back(PreemptJob{a, Preemption::requeue, b});
    plan.decisions.push_back(StartJob{b, {{known.find_node("n1"), 1, 0}}});
    return plan;
  };
  iterate(minutes(10));
  ASSERT_TRUE(job("b").waiting());
  rm().refuses_starts.reset();
  iterate(minutes(11));
  EXPECT_TRUE(job("b").active());
  EXPECT_EQ(engine().statistics().preemptions, 1);
  EXPECT_EQ(engine().statistics().all.dedicated_proc_seconds, 2 * 600);
}

TEST_F(PreemptionTest, ASuspensionAtTheResourceManagerCountsAsByHand) {
  run_a_and_believe_at_once();
  report_a_suspended();
  EXPECT_EQ(job("a").state, JobState::suspended);
  EXPECT_EQ(job("a").suspension_reason->cause, SuspensionCause::by_hand);
}

// The answer to the request may have been lost, and not the request.
TEST_F(PreemptionTest, ASuspensionThatWasAskedForAndSeemedToFailIsTheSchedulersOwn) {
  run_a_and_believe_at_once();
  rm().refuses_preemption = "no answer";
  rm().next.arrived = {job_report("b", 4)};
  core = [](const Cluster& known, Time) {
    Plan plan;
    const JobId a = known.find_job("a");
    plan.decisions.push_back(PreemptJob{a, Preemption::suspend, known.find_job("b")});
    return plan;
  };
  iterate();
  ASSERT_THAT(rm().asked, Contains("suspend a"));
  core = nullptr;
  report_a_suspended();
  EXPECT_EQ(job("a").state, JobState::suspended);
  EXPECT_EQ(job("a").suspension_reason, (SuspensionReason{.preemptor = "b"}));
}

TEST_F(PreemptionTest, ASuspensionByHandThatSeemedToFailIsByHand) {
  run_a_and_believe_at_once();
  rm().refuses_preemption = "no answer";
  EXPECT_FALSE(engine().preempt_job(id("a"), Preemption::suspend));
  report_a_suspended();
  EXPECT_EQ(job("a").state, JobState::suspended);
  EXPECT_EQ(job("a").suspension_reason->cause, SuspensionCause::by_hand);
}

TEST_F(PreemptionTest, AJobThatCannotResumeStaysSuspended) {
  core_starts("a", "n1", 2);
  begin({job_report("a", 2)});
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::suspend));
  core = nullptr;
  rm().refuses_resumption = "daemon is gone";
  EXPECT_FALSE(engine().resume_job(id("a")));
  EXPECT_EQ(job("a").state, JobState::suspended);
  EXPECT_EQ(job("a").suspension_reason->cause, SuspensionCause::by_hand)
      << "until somebody resumes it";
  rm().refuses_resumption.reset();
  clock.time = kNow + minutes(5);
  ASSERT_TRUE(engine().resume_job(id("a")));
  EXPECT_EQ(job("a").state, JobState::running);
  EXPECT_EQ(job("a").suspended_time, minutes(5));
  EXPECT_EQ(job("a").ends, kNow + hours(1) + minutes(5));
  EXPECT_EQ(cluster().check(), std::nullopt);
}

TEST_F(PreemptionTest, AJobWhoseResumptionIsRefusedLateHasNotRunMeanwhile) {
  core_starts("a", "n1", 2);
  begin({job_report("a", 2)});
  core = nullptr;
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::suspend));
  rm().refuses_resumption = "daemon is gone";
  rm().answers_later = true;
  clock.time = kNow + minutes(5);
  ASSERT_TRUE(engine().resume_job(id("a")));
  clock.time = kNow + minutes(6);
  rm().answer_all();
  EXPECT_EQ(job("a").suspended_since, kNow + minutes(5));
  EXPECT_EQ(job("a").run_so_far(clock.time), Seconds(0));
}

/// "a" and "b" are suspended by hand on n1, which has room for one of them; the answer to the
/// resumption of "a" is lost.
class LostResumptionTest : public PreemptionTest {
 protected:
  void lose() {
    settings.jobs.sync_time = minutes(10);
    for (const std::string name : {"a", "b"}) {
      core_starts(name, "n1", 2);
      name == "a" ? begin({job_report("a", 2)}) : report({job_report("b", 2)});
      ASSERT_TRUE(engine().preempt_job(id(name), Preemption::suspend));
    }
    core = nullptr;
    rm().refuses_resumption = "connection reset";
    rm().unanswered = true;
    EXPECT_FALSE(engine().resume_job(id("a")));
    rm().refuses_resumption.reset();
    rm().asked.clear();
  }
  void report(std::vector<JobReport> arrived) {
    rm().next.arrived = std::move(arrived);
    iterate();
  }
  void report_a(JobState state, Seconds at) {
    rm().next.statuses = {{"a", state}};
    iterate(at);
  }
};

TEST_F(LostResumptionTest, KeepsTheNodesWhileTheJobMayRun) {
  lose();
  EXPECT_THAT(listener.lines, Contains(HasSubstr("the request to resume job 'a' was not answered, "
                                                 "and it is not known whether that was done")));
  for (const JobState state : {JobState::suspended, JobState::running}) {
    const auto other = engine().resume_job(id("b"));
    ASSERT_FALSE(other);
    EXPECT_THAT(other.error().what, HasSubstr("its nodes are in use"));
    report_a(state, minutes(1));
  }
  EXPECT_EQ(job("a").state, JobState::running);
  EXPECT_FALSE(engine().resume_job(id("b")));
  EXPECT_EQ(cluster().check(), std::nullopt);
}

TEST_F(LostResumptionTest, HadNoEffectIfTheJobIsReportedAsSuspendedForJobsyncTime) {
  lose();
  for (const int minute : {1, 6, 11, 12}) report_a(JobState::suspended, minutes(minute));
  EXPECT_EQ(job("a").state, JobState::suspended);
  EXPECT_EQ(job("a").suspended_since, kNow) << "it has never run since";
  EXPECT_EQ(job("a").suspension_reason->cause, SuspensionCause::by_hand)
      << "it had been suspended by hand";
  EXPECT_TRUE(engine().resume_job(id("b")));
}

TEST_F(LostResumptionTest, CanBeRepeated) {
  lose();
  report_a(JobState::suspended, minutes(1));
  rm().refuses_resumption = "it is not suspended";
  rm().unanswered = false;
  EXPECT_FALSE(engine().resume_job(id("a")));
  EXPECT_EQ(job("a").state, JobState::running) << "the report may be older than the resumption";
  rm().refuses_resumption.reset();
  EXPECT_TRUE(engine().resume_job(id("a")));
  EXPECT_THAT(rm().asked, ElementsAre("resume a", "resume a"));
  report_a(JobState::running, minutes(2));
  EXPECT_EQ(job("a").state, JobState::running);
  EXPECT_FALSE(engine().resume_job(id("a"))) << "it is not suspended";
}

TEST_F(LostResumptionTest, ByThePlanLeavesTheJobToThePlan) {
  core_starts("a", "n1", 2);
  settings.jobs.sync_time = minutes(10);
  begin({job_report("a", 2)});
  core = [](const Cluster& known, Time) {
    Plan plan;
    const JobId a = known.find_job("a");
    if (known.job(a).active()) plan.decisions.push_back(PreemptJob{a, Preemption::suspend, {}});
    if (known.job(a).suspended()) plan.decisions.push_back(ResumeJob{a});
    return plan;
  };
  rm().next.arrived = {job_report("b", 4)};  // nothing is planned unless something waits
  iterate();
  ASSERT_TRUE(job("a").suspended());
  rm().refuses_resumption = "connection reset";
  rm().unanswered = true;
  iterate(Seconds(30));
  ASSERT_TRUE(job("a").active());
  core = nullptr;
  report_a(JobState::suspended, minutes(1));
  const auto made = engine().checkpoint();
  ASSERT_EQ(made.jobs.size(), 1U);
  EXPECT_TRUE(made.jobs.front().run->job.suspended());
  EXPECT_NE(made.jobs.front().run->job.suspension_reason->cause, SuspensionCause::by_hand);
  report_a(JobState::suspended, minutes(12));
  EXPECT_EQ(job("a").state, JobState::suspended);
  EXPECT_TRUE(job("a").may_resume());
}

TEST_F(PreemptionTest, TimeInWhichAJobWasSuspendedIsNoRunTime) {
  core_starts("a", "n1", 2);
  begin({job_report("a", 2)});
  clock.time = kNow + minutes(10);
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::suspend));
  core = nullptr;
  clock.time = kNow + minutes(40);
  ASSERT_TRUE(engine().resume_job(id("a")));
  rm().next.ended = {{"a", JobState::completed, kNow + minutes(50)}};
  iterate(minutes(60));
  EXPECT_EQ(engine().statistics().all.run_seconds, 20 * 60);
}

TEST_F(PreemptionTest, ASuspendedJobMayEnd) {
  core_starts("a", "n1", 2);
  begin({job_report("a", 2)});
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::suspend));
  core = nullptr;
  rm().next.ended = {{"a", JobState::removed, kNow + minutes(1)}};
  iterate(minutes(1));
  EXPECT_FALSE(cluster().find_job("a").valid());
  EXPECT_TRUE(cluster().suspended().empty());
}

TEST_F(PreemptionTest, TheNextEventIsTheEndOfTheRest) {
  core_starts("a", "n1", 2);
  begin({job_report("a", 2)});
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::suspend));
  EXPECT_EQ(engine().next_event(), kNow + Seconds(10));
}

}  // namespace
}  // namespace maui::test
