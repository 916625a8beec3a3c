// Limits on jobs, and jobs whose state is not the one that was expected (appendix F).
#include <algorithm>

#include "engine/actions/resource_rules.h"
#include "engine/engine_fixture.h"
#include "sched/cycle.h"

namespace maui::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class JobLimitsTest : public EngineTest {
 protected:
  /// "a" of two tasks, each of 100 MB, runs on n1.
  void run() {
    core_starts("a", "n1", 2);
    JobReport report = job_report("a", 2);
    report.request.requirements.front().per_task = procs(1, 100);
    rm().next.nodes = {node_report("n1", procs(2, 1000)), node_report("n2", procs(2, 1000))};
    rm().next.arrived = {report};
    iterate();
    core = nullptr;
    rm().asked.clear();
  }
  void report_use(const JobUse& use, Seconds at) {
    rm().next.statuses = {{"a", std::nullopt, use}};
    iterate(at);
  }
  void report_state(JobState state, Seconds at) {
    rm().next.statuses = {{"a", state, std::nullopt}};
    iterate(at);
  }
};

// --- wallclock ------------------------------------------------------------------

TEST_F(JobLimitsTest, AJobIsCancelledPastItsLimitAndTheOverrunAllowed) {
  settings.job_max_overrun = minutes(10);
  listener.events_wanted = true;
  run();
  iterate(minutes(60));
  EXPECT_EQ(listener.events.at(0).type, EventType::job_wc_violation);
  iterate(minutes(70));
  EXPECT_THAT(rm().asked, IsEmpty());
  iterate(minutes(71));
  EXPECT_THAT(rm().asked, ElementsAre("cancel a"));
  EXPECT_EQ(listener.events.size(), 1U) << "told once";
}

TEST_F(JobLimitsTest, ACancelledJobKeepsTheReasonWhenItHasEnded) {
  run();
  iterate(minutes(61));
  iterate(minutes(62));  // asked again
  rm().next.ended = {{"a", JobState::removed, kNow + minutes(62)}};
  iterate(minutes(62));
  EXPECT_EQ(engine().ended_jobs().back().cancelled, "it was 00:01:00 past its wallclock limit");
}

TEST_F(JobLimitsTest, ARefusedCancellationIsNoReason) {
  run();
  rm().refuses_cancels = "not yours";
  iterate(minutes(61));
  rm().next.ended = {{"a", JobState::removed, kNow + minutes(61)}};
  iterate(minutes(61));
  EXPECT_EQ(engine().ended_jobs().back().cancelled, "");
}

TEST_F(JobLimitsTest, NorIsOneThatCameTooLate) {
  run();
  iterate(minutes(61));
  rm().next.ended = {{"a", JobState::completed, kNow + minutes(61)}};
  iterate(minutes(62));
  EXPECT_EQ(engine().ended_jobs().back().cancelled, "");
}

TEST_F(JobLimitsTest, ARunningJobMayBeGivenAnotherLimit) {
  run();
  ASSERT_TRUE(engine().set_limit(id("a"), minutes(90)));
  EXPECT_EQ(job("a").ends, kNow + minutes(90));
  rm().asked.clear();
  iterate(minutes(61));
  EXPECT_THAT(rm().asked, IsEmpty());
  iterate(minutes(91));
  EXPECT_THAT(rm().asked, ElementsAre("cancel a"));
}

TEST_F(JobLimitsTest, AJobReportedIdleIsNotCancelledForItsPastRun) {
  settings.jobs.sync_time = minutes(100);
  run();
  report_state(JobState::idle, minutes(50));
  iterate(minutes(90));
  EXPECT_EQ(job("a").state, JobState::running) << "its report is doubted still";
  EXPECT_THAT(rm().asked, IsEmpty());
}

TEST_F(JobLimitsTest, WcViolationActionPreemptRequeues) {
  settings.jobs.overrun_action = OverrunAction::preempt;
  run();
  iterate(minutes(61));
  EXPECT_THAT(rm().asked, ElementsAre("requeue a"));
  EXPECT_EQ(job("a").state, JobState::idle);
}

TEST_F(JobLimitsTest, AJobThatIsRequeuedForItsLimitIsDeferred) {
  settings.jobs.overrun_action = OverrunAction::preempt;
  run();
  iterate(minutes(61));
  EXPECT_TRUE(has(job("a").holds, Hold::defer));
  EXPECT_THAT(job("a").hold_reason->text, HasSubstr("wallclock limit"));
}

// "a" starts again at once each time, and passes its limit again.
TEST_F(JobLimitsTest, WithoutDeferralsAJobIsHeldAfterDeferCountRunsPastItsLimit) {
  settings.jobs.overrun_action = OverrunAction::preempt;
  settings.jobs.defer_time = Seconds(0);
  settings.jobs.defer_count = 2;
  run();
  for (int runs = 1; runs <= 3; ++runs) {
    iterate(minutes(61 * runs));
    EXPECT_TRUE(job("a").waiting());
    EXPECT_EQ(has(job("a").holds, Hold::batch), runs == 3) << runs;
    EXPECT_FALSE(has(job("a").holds, Hold::defer));
    core_starts("a", "n1", 2);
    if (runs < 3) iterate(minutes(61 * runs));
    core = nullptr;
  }
  EXPECT_THAT(job("a").hold_reason->text, HasSubstr("wallclock limit"));
}

TEST_F(JobLimitsTest, AJobWhoseCheckpointKeepsItsWorkIsNotDeferredForItsLimit) {
  settings.jobs.overrun_action = OverrunAction::preempt;
  settings.jobs.preemption = Preemption::checkpoint;
  run();
  iterate(minutes(61));
  EXPECT_TRUE(job("a").waiting());
  EXPECT_EQ(job("a").holds, 0);
}

TEST_F(JobLimitsTest, AJobThatIsSuspendedForItsLimitIsNotDeferred) {
  settings.jobs.overrun_action = OverrunAction::preempt;
  settings.jobs.preemption = Preemption::suspend;
  run();
  iterate(minutes(61));
  EXPECT_TRUE(job("a").suspended());
  EXPECT_EQ(job("a").holds, 0);
}

TEST_F(JobLimitsTest, SuspensionDoesNotCountAgainstTheLimit) {
  run();
  clock.time = kNow + minutes(30);
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::suspend));
  clock.time = kNow + minutes(90);
  ASSERT_TRUE(engine().resume_job(id("a")));
  rm().asked.clear();
  iterate(minutes(119));
  EXPECT_THAT(rm().asked, IsEmpty());
  iterate(minutes(121));
  EXPECT_THAT(rm().asked, ElementsAre("cancel a"));
}

// --- JOBMAXSTARTTIME ------------------------------------------------------------

TEST_F(JobLimitsTest, AJobMayNotStayStartingForLong) {
  settings.jobs.max_start_time = minutes(5);
  rm().reports_starts = true;
  run();
  EXPECT_EQ(job("a").state, JobState::starting);
  iterate(minutes(5));
  EXPECT_THAT(rm().asked, IsEmpty());
  iterate(minutes(6));
  EXPECT_THAT(rm().asked, ElementsAre("cancel a"));
}

TEST_F(JobLimitsTest, AJobThatRunsHasStarted) {
  settings.jobs.max_start_time = minutes(5);
  rm().reports_starts = true;
  run();
  report_state(JobState::running, minutes(4));
  EXPECT_EQ(job("a").state, JobState::running);
  iterate(minutes(9));
  EXPECT_THAT(rm().asked, IsEmpty());
}

TEST_F(JobLimitsTest, TheLimitCountsFromWhenAStartingJobRuns) {
  rm().reports_starts = true;
  run();
  iterate(minutes(90));
  EXPECT_THAT(rm().asked, IsEmpty()) << "it is still starting";
  rm().next.statuses = {{"a", JobState::running}};
  rm().next.statuses.front().started = kNow + minutes(80);
  iterate(minutes(100));
  EXPECT_EQ(job("a").started, kNow + minutes(80));
  EXPECT_EQ(job("a").ends, kNow + minutes(140));
  iterate(minutes(140));
  EXPECT_THAT(rm().asked, IsEmpty());
  iterate(minutes(141));
  EXPECT_THAT(rm().asked, ElementsAre("cancel a"));
}

TEST_F(JobLimitsTest, AReportedStartBeforeTheActualStartIsIgnored) {
  rm().reports_starts = true;
  run();
  rm().next.statuses = {{"a", JobState::running}};
  rm().next.statuses.front().started = kNow - minutes(5);  // another clock
  iterate(minutes(1));
  EXPECT_EQ(job("a").ends, kNow + hours(1));
}

// --- RESOURCELIMITPOLICY --------------------------------------------------------

constexpr auto kMemory = static_cast<std::uint8_t>(LimitedResource::memory);

TEST_F(JobLimitsTest, AlwaysActsAtOnce) {
  settings.jobs.limits = {{ViolationPolicy::always, ViolationAction::cancel, kMemory}};
  run();
  report_use({2, 200, 0, 0}, minutes(1));
  EXPECT_THAT(rm().asked, IsEmpty()) << "just what it asked for";
  report_use({2, 201, 0, 0}, minutes(2));
  EXPECT_THAT(rm().asked, ElementsAre("cancel a"));
  iterate(minutes(3));
  EXPECT_THAT(rm().asked, ElementsAre("cancel a")) << "once a report";
  rm().next.ended = {{"a", JobState::removed, kNow + minutes(3)}};
  iterate(minutes(3));
  EXPECT_EQ(engine().ended_jobs().back().cancelled,
            "it used 201 MB of memory, and had requested 200 MB");
}

// A resource manager may tell CPU time alone, as Slurm does.
TEST_F(JobLimitsTest, ProcessorsInUseAreDerivedFromCpuTime) {
  settings.jobs.limits = {{ViolationPolicy::always, ViolationAction::cancel,
                           static_cast<std::uint8_t>(LimitedResource::procs)}};
  run();
  const int procs = cluster().request_of(id("a")).total_procs();
  report_use({0, 0, 0, 0, 60.0 * procs}, minutes(1));
  EXPECT_DOUBLE_EQ(job("a").use->procs, procs);
  EXPECT_THAT(rm().asked, IsEmpty());
  report_use({0, 0, 0, 0, 60.0 * (procs + procs + 1)}, minutes(2));
  EXPECT_DOUBLE_EQ(job("a").use->procs, procs + 1) << "in the last minute";
  EXPECT_DOUBLE_EQ(job("a").average_procs().value(), procs + 0.5) << "on average";
  EXPECT_THAT(rm().asked, ElementsAre("cancel a"));
}

// Times of measurements are whole seconds: 31 seconds of CPU time in 30 are no more than one CPU's.
TEST_F(JobLimitsTest, RoundedTimesDoNotMakeAJobUseMoreThanItAskedFor) {
  settings.jobs.limits = {{ViolationPolicy::always, ViolationAction::cancel,
                           static_cast<std::uint8_t>(LimitedResource::procs)}};
  run();
  const int procs = cluster().request_of(id("a")).total_procs();
  report_use({0, 0, 0, 0, 60.0 * procs}, minutes(1));
  report_use({0, 0, 0, 0, 91.0 * procs}, Seconds(90));
  EXPECT_THAT(rm().asked, IsEmpty());
}

// Polls may be more frequent than what they show is measured.
TEST_F(JobLimitsTest, CpuTimeThatStoodStillIsSpreadOverTheTimeSinceItGrew) {
  settings.jobs.limits = {{ViolationPolicy::always, ViolationAction::cancel,
                           static_cast<std::uint8_t>(LimitedResource::procs)}};
  run();
  const int procs = cluster().request_of(id("a")).total_procs();
  report_use({0, 0, 0, 0, 60.0 * procs}, minutes(1));
  report_use({0, 0, 0, 0, 60.0 * procs}, minutes(2));
  EXPECT_DOUBLE_EQ(job("a").use->procs, 0) << "as far as is known";
  EXPECT_DOUBLE_EQ(job("a").average_procs().value(), procs / 2.0);
  report_use({0, 0, 0, 0, 180.0 * procs}, minutes(3));
  EXPECT_DOUBLE_EQ(job("a").use->procs, procs);
  EXPECT_THAT(rm().asked, IsEmpty());
}

TEST_F(JobLimitsTest, EfficiencyGoesByTheCpuTimeOfTheWholeRun) {
  run();
  const double procs = cluster().request_of(id("a")).total_procs();
  report_use({0, 0, 0, 0, 300 * procs}, minutes(10));
  JobStatus last{.name = "a", .use = JobUse{0, 0, 0, 0, 450 * procs}};
  last.used_until = kNow + minutes(15);
  rm().next.statuses = {last};
  rm().next.ended = {{"a", JobState::completed, kNow + minutes(15)}};
  iterate(minutes(16));
  const auto& all = engine().statistics().all;
  EXPECT_DOUBLE_EQ(all.utilised_proc_seconds, 450 * procs);
  EXPECT_DOUBLE_EQ(all.dedicated_proc_seconds, 900 * procs);
}

TEST_F(JobLimitsTest, AResourceManagerThatReportsNoUseIsNamedOnceIfALimitNeedsIt) {
  settings.jobs.limits = {{ViolationPolicy::always, ViolationAction::cancel, kMemory}};
  run();
  rm().next.ended = {{"a", JobState::completed, kNow + minutes(10)}};
  iterate(minutes(11));
  const auto said = [&] {
    return std::count_if(listener.lines.begin(), listener.lines.end(), [](const auto& line) {
      return line.find("has not reported what job 'a' used: RESOURCELIMITPOLICY cannot act") !=
             line.npos;
    });
  };
  EXPECT_EQ(said(), 1);
  rm().next.arrived = {job_report("a", 1)};
  core_starts("a", "n1", 1);
  iterate(minutes(12));
  rm().next.ended = {{"a", JobState::completed, kNow + minutes(30)}};
  iterate(minutes(31));
  EXPECT_EQ(said(), 1);
}

TEST_F(JobLimitsTest, ResourcesThatThePolicyDoesNotNameAreNotLimited) {
  settings.jobs.limits = {{ViolationPolicy::always, ViolationAction::cancel, kMemory}};
  run();
  report_use({9, 100, 999, 999}, minutes(1));
  EXPECT_THAT(rm().asked, IsEmpty());
}

TEST_F(JobLimitsTest, ExtendedViolationActsOnWhatLastsLongerThanJobSyncTime) {
  settings.jobs.limits = {{ViolationPolicy::extended, ViolationAction::requeue, kMemory}};
  run();
  report_use({2, 300, 0, 0}, minutes(1));
  iterate(minutes(11));
  EXPECT_THAT(rm().asked, IsEmpty());
  iterate(minutes(12));
  EXPECT_THAT(rm().asked, ElementsAre("requeue a"));
  EXPECT_EQ(job("a").state, JobState::idle);
}

TEST_F(JobLimitsTest, AJobThatIsRequeuedForItsUseIsDeferred) {
  settings.jobs.limits = {{ViolationPolicy::always, ViolationAction::requeue, kMemory}};
  run();
  report_use({2, 300, 0, 0}, minutes(1));
  EXPECT_THAT(rm().asked, ElementsAre("requeue a"));
  EXPECT_TRUE(has(job("a").holds, Hold::defer));
  EXPECT_THAT(job("a").hold_reason->text, HasSubstr("used more than it asked for"));
}

TEST_F(JobLimitsTest, AViolationThatEndsInTimeIsForgiven) {
  settings.jobs.limits = {{ViolationPolicy::extended, ViolationAction::requeue, kMemory}};
  run();
  report_use({2, 300, 0, 0}, minutes(1));
  report_use({2, 150, 0, 0}, minutes(5));
  iterate(minutes(30));
  EXPECT_THAT(rm().asked, IsEmpty());
  EXPECT_EQ(job("a").past_use->peak.memory, 300);
}

TEST_F(JobLimitsTest, BlockedWorkloadOnlyActsWhileSomebodyWaits) {
  settings.jobs.limits = {{ViolationPolicy::blocked_workload, ViolationAction::suspend, kMemory}};
  run();
  report_use({2, 300, 0, 0}, minutes(1));
  iterate(minutes(2));
  EXPECT_THAT(rm().asked, IsEmpty());
  core = [](const Cluster& known, Time) {
    Plan plan;
    const JobId b = known.find_job("b");
    plan.order = {{b, known.job(b).request, 0}};
    plan.reasons = {Reason::idle_procs};
    return plan;
  };
  rm().next.arrived = {job_report("b", 4)};
  iterate(minutes(3));
  iterate(minutes(4));
  EXPECT_THAT(rm().asked, ElementsAre("suspend a"));
  EXPECT_EQ(job("a").state, JobState::suspended);
}

// "b" needs all nodes for a minute.
TEST_F(JobLimitsTest, AJobForWhichAnotherIsSuspendedStartsAtOnce) {
  settings.jobs.limits = {{ViolationPolicy::blocked_workload, ViolationAction::suspend, kMemory}};
  run();
  core = [this](const Cluster& known, Time now) { return plan(known, engine().settings(), now); };
  rm().next.arrived = {job_report("b", 4, minutes(1))};
  iterate(minutes(1));
  report_use({2, 300, 0, 0}, minutes(2));
  EXPECT_THAT(rm().asked, ElementsAre("suspend a", "start b on n2:2 n1:2"));
  EXPECT_EQ(job("a").suspension_reason->cause, SuspensionCause::violation);
  iterate(minutes(2) + Seconds(30));
  EXPECT_EQ(job("a").state, JobState::suspended);
  rm().next.ended = {{"b", JobState::completed, kNow + minutes(3)}};
  iterate(minutes(3));
  EXPECT_THAT(rm().asked, ElementsAre("suspend a", "start b on n2:2 n1:2", "resume a"));
  EXPECT_NE(job("a").suspension_reason->cause, SuspensionCause::violation);
}

TEST_F(JobLimitsTest, AJobSuspendedForItsLimitResumesAfterTheJobsThatWait) {
  settings.jobs.overrun_action = OverrunAction::preempt;
  settings.jobs.preemption = Preemption::suspend;
  run();
  core = [this](const Cluster& known, Time now) { return plan(known, engine().settings(), now); };
  rm().next.arrived = {job_report("b", 4)};
  iterate(minutes(61));
  EXPECT_THAT(rm().asked, ElementsAre("suspend a", "start b on n2:2 n1:2"));
  iterate(minutes(90));
  EXPECT_EQ(job("a").state, JobState::suspended);
  rm().next.ended = {{"b", JobState::completed, kNow + minutes(100)}};
  iterate(minutes(100));
  EXPECT_THAT(rm().asked, ElementsAre("suspend a", "start b on n2:2 n1:2", "resume a"));
}

/// "a" uses more memory than it asked for, and is suspended for that.
class ViolatorTest : public JobLimitsTest {
 protected:
  ViolatorTest() {
    settings.jobs.limits = {{ViolationPolicy::always, ViolationAction::suspend, kMemory}};
    settings.jobs.sync_time = minutes(10);
  }
  void use_too_much() {
    run();
    report_use({2, 300, 0, 0}, minutes(1));
  }
  bool known_as_violator() {
    return job("a").state == JobState::suspended &&
           job("a").suspension_reason->cause == SuspensionCause::violation;
  }
};

TEST_F(ViolatorTest, AJobWhoseResumptionIsRefusedStaysOne) {
  use_too_much();
  core = [this](const Cluster& known, Time now) { return plan(known, engine().settings(), now); };
  rm().refuses_resumption = "daemon is gone";
  iterate(minutes(2));
  EXPECT_THAT(rm().asked, ElementsAre("suspend a", "resume a"));
  EXPECT_TRUE(known_as_violator());
}

TEST_F(ViolatorTest, AJobWhoseSuspensionWasNotAnsweredIsOneOnceItIsReported) {
  rm().refuses_preemption = "connection reset";
  rm().unanswered = true;
  use_too_much();
  ASSERT_TRUE(job("a").active());
  for (const int minute : {2, 8, 13}) report_state(JobState::suspended, minutes(minute));
  EXPECT_TRUE(known_as_violator());
}

TEST(ResourceRules, EnforceResourceLimitsAloneCancelsForAnyResource) {
  JobSettings settings;
  EXPECT_THAT(resource_rules(settings), IsEmpty());
  settings.enforce_limits = true;
  ASSERT_EQ(resource_rules(settings).size(), 1U);
  EXPECT_EQ(resource_rules(settings)[0],
            (ResourceLimits{ViolationPolicy::always, ViolationAction::cancel, 15}));
}

TEST(ResourceRules, ThePolicyOfAResourceGoesBeforeThatOfTheOthers) {
  JobSettings settings;
  settings.limits = {{ViolationPolicy::extended, ViolationAction::suspend, kMemory}};
  settings.use_policy = ViolationPolicy::always;
  settings.use_action = ViolationAction::requeue;
  const auto rules = resource_rules(settings);
  ASSERT_EQ(rules.size(), 2U);
  EXPECT_EQ(rules[1].resources & kMemory, 0);
  Job job;
  Request request;
  request.requirements.front().per_task = procs(1, 100);
  job.use = JobUse{1, 150, 0, 0};
  EXPECT_EQ(broken_rule(rules, *job.use, request), &rules[0]);
  job.use = JobUse{2, 50, 0, 0};
  EXPECT_EQ(broken_rule(rules, *job.use, request), &rules[1]);
  job.use = JobUse{1, 50, 500, 500};
  EXPECT_EQ(broken_rule(rules, *job.use, request), nullptr) << "it asked for no swap and no disk";
}

// --- JOBSYNCTIME, JOBPURGETIME --------------------------------------------------

TEST_F(JobLimitsTest, AnUnexpectedStateIsBelievedAfterJobSyncTime) {
  listener.events_wanted = true;
  run();
  report_state(JobState::idle, minutes(1));
  EXPECT_EQ(job("a").state, JobState::running);
  EXPECT_EQ(listener.events.back().type, EventType::job_corruption);
  iterate(minutes(10));
  EXPECT_EQ(job("a").state, JobState::running);
  iterate(minutes(11));
  EXPECT_EQ(job("a").state, JobState::idle);
}

TEST_F(JobLimitsTest, AStateThatBecomesWhatWasExpectedIsForgotten) {
  run();
  report_state(JobState::idle, minutes(1));
  report_state(JobState::running, minutes(5));
  iterate(minutes(20));
  EXPECT_EQ(job("a").state, JobState::running);
}

TEST_F(JobLimitsTest, AJobThatRunsNobodyKnowsWhereIsHeld) {
  begin({job_report("a", 1)});
  report_state(JobState::running, minutes(1));
  iterate(minutes(11));
  EXPECT_TRUE(has(job("a").holds, Hold::batch));
}

TEST_F(JobLimitsTest, ALostJobIsKeptForJobPurgeTime) {
  settings.jobs.purge_time = minutes(5);
  run();
  rm().next.lost = {"a"};
  iterate(minutes(1));
  EXPECT_EQ(job("a").state, JobState::running);
  iterate(minutes(6));
  EXPECT_FALSE(cluster().find_job("a").valid());
  ASSERT_EQ(listener.ended.size(), 1U);
  EXPECT_EQ(listener.ended[0].state, JobState::removed);
}

TEST_F(JobLimitsTest, AJobThatIsReportedAgainWasNotLost) {
  settings.jobs.purge_time = minutes(5);
  run();
  rm().next.lost = {"a"};
  iterate(minutes(1));
  report_state(JobState::running, minutes(2));
  iterate(minutes(9));
  EXPECT_TRUE(cluster().find_job("a").valid());
}

}  // namespace
}  // namespace maui::test
