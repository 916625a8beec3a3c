// Jobs that run though nobody here started them, and what else a live resource manager tells.
#include "engine/engine_fixture.h"

namespace maui::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

class RunningJobs : public EngineTest {
 protected:
  static JobReport running(const std::string& name, std::vector<std::string> on) {
    JobReport report = job_report(name, static_cast<int>(on.size()));
    report.job.state = JobState::running;
    report.job.started = kNow - minutes(10);
    report.task_list = std::move(on);
    return report;
  }
};

TEST_F(RunningJobs, AJobThatRunsAlreadyKeepsItsNodesToItsLimit) {
  begin({running("a", {"n1", "n1", "n2"})});
  EXPECT_EQ(job("a").state, JobState::running);
  EXPECT_EQ(job("a").started, kNow - minutes(10));
  EXPECT_EQ(job("a").ends, kNow - minutes(10) + hours(1));
  EXPECT_EQ(show(cluster(), job("a").placement), "n1:2 n2:1");
  EXPECT_TRUE(rm().asked.empty()) << "it is not started again";
}

TEST_F(RunningJobs, AJobReportedSuspendedIsSuspended) {
  JobReport report = running("a", {"n1"});
  report.job.state = JobState::suspended;
  begin({report});
  EXPECT_EQ(job("a").state, JobState::suspended);
  EXPECT_NE(job("a").suspension_reason->cause, SuspensionCause::by_hand)
      << "nobody knows that it was suspended by hand";
}

TEST_F(RunningJobs, TheLogSaysWhetherAReportedJobRunsOrIsSuspended) {
  listener.verbosity = 2;
  JobReport suspended = running("b", {"n2"});
  suspended.job.state = JobState::suspended;
  begin({running("a", {"n1", "n2"}), suspended});
  EXPECT_THAT(listener.lines, Contains("2 job 'a' is already running, on 2 nodes"));
  EXPECT_THAT(listener.lines, Contains("2 job 'b' is suspended, on 1 node"));
}

TEST_F(RunningJobs, ARunningJobWithoutReportedNodesIsHeld) {
  begin({running("a", {})});
  EXPECT_TRUE(has(job("a").holds, Hold::batch));
  EXPECT_EQ(job("a").hold_reason->text,
            "RMFailure: it may run already: its nodes are not reported");
}

TEST_F(RunningJobs, AJobOnAnUnreportedNodeRunsThere) {
  begin({running("a", {"elsewhere"})});
  EXPECT_EQ(job("a").state, JobState::running);
  EXPECT_EQ(show(cluster(), job("a").placement), "elsewhere:1");
  EXPECT_EQ(cluster().check(), std::nullopt);
  rm().next.ended = {{"a", JobState::completed, kNow + minutes(2)}};
  iterate(minutes(3));
  ASSERT_EQ(listener.ended.size(), 1u);
  EXPECT_EQ(listener.ended[0].started, kNow - minutes(10));
}

TEST_F(RunningJobs, TheUnreportedNodeIsFilledInByItsReport) {
  begin({running("a", {"elsewhere"})});
  rm().next.nodes = {node_report("elsewhere", procs(4))};
  iterate(minutes(1));
  const NodeId node = cluster().find_node("elsewhere");
  EXPECT_FALSE(cluster().node(node).purged);
  EXPECT_EQ(cluster().occupancy(node).free.procs(), 3);
  EXPECT_EQ(cluster().check(), std::nullopt);
}

TEST_F(RunningJobs, AJobThatMayRunAlreadyIsNotStartedWhateverElseIsReported) {
  begin({running("a", {})});
  rm().next.changed = {job_report("a", 1, hours(3))};
  iterate(minutes(1));
  EXPECT_TRUE(has(job("a").holds, Hold::batch));
  EXPECT_EQ(cluster().request_of(id("a")).limit, hours(3));
}

TEST_F(RunningJobs, AJobThatMayRunAlreadyIsHeldAgainAfterARelease) {
  begin({running("a", {})});
  ASSERT_TRUE(set_holds(engine(), id("a"), 0));
  rm().next.statuses = {{"a", JobState::running, std::nullopt, std::nullopt, {}}};
  iterate(minutes(1));
  EXPECT_TRUE(has(job("a").holds, Hold::batch));
}

TEST_F(RunningJobs, AJobThatMayRunAlreadyIsReleasedWhenItIsReportedIdle) {
  begin({running("a", {})});
  rm().next.statuses = {{"a", JobState::idle}};
  iterate(minutes(1));
  EXPECT_EQ(job("a").holds, 0);
}

TEST_F(RunningJobs, AJobThatMayRunAlreadyIsReleasedWhenItsNodesAreReported) {
  begin({running("a", {})});
  rm().next.statuses = {
      {"a", JobState::running, std::nullopt, std::nullopt, {"n2"}, kNow + minutes(1)}};
  iterate(minutes(2));
  EXPECT_EQ(job("a").state, JobState::running);
  EXPECT_EQ(job("a").holds, 0);
}

TEST_F(RunningJobs, AJobOfUnknownStateIsNotStartedUntilItsStateIsReported) {
  JobReport report = job_report("a", 1);
  report.job.state = JobState::not_queued;
  begin({report});
  EXPECT_TRUE(has(job("a").holds, Hold::batch));
  EXPECT_EQ(job("a").hold_reason->text, "RMFailure: it may run already: its state is unknown");
  rm().next.statuses = {{"a", JobState::idle}};
  iterate(minutes(1));
  EXPECT_EQ(job("a").holds, 0);
}

TEST_F(RunningJobs, ItWasNotSuspendedForLongerThanItHasRun) {
  for (const JobState state : {JobState::running, JobState::suspended}) {
    JobReport report = running(state == JobState::running ? "a" : "b", {"n1"});
    report.job.state = state;
    report.job.suspended_time = hours(2);
    begin({report});
    EXPECT_EQ(job(report.name).run_so_far(clock.time), minutes(10));
  }
  EXPECT_THAT(listener.lines, Contains(testing::HasSubstr("longer than its run has lasted")));
}

TEST_F(RunningJobs, TimeThatItWasSuspendedIsNotTakenOffItsLimit) {
  JobReport report = running("a", {"n1"});
  report.job.suspended_time = minutes(4);
  begin({report});
  EXPECT_EQ(job("a").suspended_time, minutes(4));
  EXPECT_EQ(job("a").ends, kNow - minutes(10) + hours(1) + minutes(4));
}

TEST_F(RunningJobs, AJobThatIsLostEndedWhenItWasReportedNoLonger) {
  settings.jobs.purge_time = minutes(5);
  begin({running("a", {"n1"})});
  rm().next.lost = {"a"};
  iterate(minutes(1));
  iterate(minutes(6));
  ASSERT_EQ(listener.ended.size(), 1u);
  EXPECT_EQ(listener.ended[0].state, JobState::removed);
  EXPECT_EQ(listener.ended[0].ended, kNow + minutes(1));
}

TEST_F(RunningJobs, AWaitingJobThatOthersStartedRunsAtOnce) {
  begin({job_report("a", 1)});
  rm().next.statuses = {
      {"a", JobState::running, std::nullopt, std::nullopt, {"n2"}, kNow + minutes(1)}};
  iterate(minutes(2));
  EXPECT_EQ(job("a").state, JobState::running);
  EXPECT_EQ(job("a").started, kNow + minutes(1));
}

TEST_F(RunningJobs, AJobThatCannotBeScheduledIsHeldWithTheReason) {
  JobReport report = job_report("a", 1);
  report.problem = "the resource manager does not report UNAME";
  begin({report});
  EXPECT_TRUE(has(job("a").holds, Hold::batch));
  EXPECT_EQ(job("a").hold_reason->text, "RMFailure: the resource manager does not report UNAME");
  rm().next.changed = {job_report("a", 1)};
  iterate(minutes(1));
  EXPECT_FALSE(has(job("a").holds, Hold::batch)) << "it tells now";
}

TEST_F(RunningJobs, AHoldOfTheResourceManagerComesAndGoesWithIt) {
  begin({job_report("a", 1)});
  rm().next.statuses = {{"a", std::nullopt, std::nullopt, true}};
  iterate(minutes(1));
  EXPECT_TRUE(has(job("a").holds, Hold::user));
  rm().next.statuses = {{"a", std::nullopt, std::nullopt, false}};
  iterate(minutes(2));
  EXPECT_EQ(job("a").holds, 0);
}

TEST_F(RunningJobs, OtherDemandsOfAWaitingJobAreTakenOver) {
  begin({job_report("a", 1)});
  rm().next.changed = {job_report("a", 2, hours(3))};
  iterate(minutes(1));
  EXPECT_EQ(cluster().request_of(id("a")).total_tasks(), 2);
  EXPECT_EQ(cluster().request_of(id("a")).limit, hours(3));
}

TEST_F(RunningJobs, AllReportedChangesOfAWaitingJobAreTakenOver) {
  begin({job_report("a", 1)});
  JobReport told = job_report("a", 1);
  told.account = "chem";
  told.job_class = "long";
  told.qos = "gold";
  told.partition = "fast";
  told.job.earliest_start = kNow + hours(1);
  told.job.comment = "hurry";
  told.job.dependencies = {{DependencyKind::after_any, "b"}};
  rm().next.changed = {told};
  iterate(minutes(1));
  const auto& who = job("a").credentials;
  EXPECT_EQ(cluster().accounts[who.account], "chem");
  EXPECT_EQ(cluster().classes[who.job_class], "long");
  EXPECT_EQ(cluster().qos[who.qos], "gold");
  ASSERT_EQ(job("a").partitions_asked.size(), 1U);
  EXPECT_EQ(cluster().partitions[job("a").partitions_asked[0]], "fast");
  EXPECT_EQ(job("a").comment, "hurry");
  EXPECT_EQ(engine().next_event(), kNow + hours(1));
  EXPECT_FALSE(job("a").dependencies_met());
}

TEST_F(RunningJobs, AChangedJobKeepsWhatOnlyTheSchedulerKnows) {
  begin({job_report("a", 8), job_report("b", 1)});
  ASSERT_TRUE(engine().set_qos(id("a"), engine().names().qos.intern("silver")));
  ASSERT_TRUE(engine().set_system_priority(id("a"), {true, 5}));
  JobReport told = job_report("a", 7);
  told.qos = "gold";
  rm().next.changed = {told};
  iterate(minutes(1));
  EXPECT_EQ(cluster().qos[job("a").credentials.qos], "silver") << "as setqos said";
  EXPECT_EQ(job("a").system_priority.value, 5);
  EXPECT_EQ(job("a").submitted, kNow);
}

TEST_F(RunningJobs, AnotherDependencyLiftsTheHoldOfAnImpossibleDependency) {
  JobReport report = job_report("a", 1);
  report.job.dependencies = {{DependencyKind::after_ok, "b"}};
  begin({report, job_report("b", 1)});
  rm().next.ended = {{"b", JobState::completed, kNow + minutes(1), 1}};
  iterate(minutes(1));
  ASSERT_TRUE(has(job("a").holds, Hold::batch));
  report.job.dependencies = {{DependencyKind::after_any, "b"}};
  rm().next.changed = {report};
  iterate(minutes(2));
  EXPECT_EQ(job("a").holds, 0);
  EXPECT_TRUE(job("a").dependencies_met());
}

TEST_F(RunningJobs, AnotherLimitMovesTheEndOfARunningJob) {
  begin({running("a", {"n1"})});
  rm().next.changed = {job_report("a", 1, hours(2))};
  iterate(minutes(1));
  EXPECT_EQ(job("a").ends, kNow - minutes(10) + hours(2));
  EXPECT_EQ(cluster().request_of(job("a").id).limit, hours(2)) << "which showq and checkjob show";
  EXPECT_EQ(job("a").state, JobState::running);
}

TEST_F(RunningJobs, AShorterLimitCountsFromItsStart) {
  settings.job_max_overrun = minutes(5);
  begin({running("a", {"n1"})});
  rm().next.changed = {job_report("a", 1, minutes(8))};
  iterate(minutes(1));
  EXPECT_THAT(rm().asked, IsEmpty()) << "three minutes over, five are allowed";
  iterate(minutes(4));
  EXPECT_THAT(rm().asked, ElementsAre("cancel a"));
}

TEST_F(RunningJobs, ALimitThatIsExtendedAfterItWasPassedCounts) {
  settings.job_max_overrun = minutes(5);
  begin({running("a", {"n1"})});
  iterate(minutes(52));  // 62 minutes of 60
  rm().next.changed = {job_report("a", 1, hours(2))};
  iterate(minutes(53));
  iterate(minutes(100));
  EXPECT_THAT(rm().asked, IsEmpty());
  iterate(minutes(116));
  EXPECT_THAT(rm().asked, ElementsAre("cancel a"));
}

TEST_F(RunningJobs, AnotherLimitOfASuspendedJobIsWhatItHasLeftLater) {
  JobReport report = running("a", {"n1"});
  report.job.state = JobState::suspended;
  begin({report});
  ASSERT_EQ(job("a").state, JobState::suspended);
  const Seconds left = job("a").time_left;
  rm().next.changed = {job_report("a", 1, hours(2))};
  iterate(minutes(3));
  EXPECT_EQ(job("a").time_left, left + hours(1));
}

TEST_F(RunningJobs, NodesOfASilentResourceManagerTakeNoNewJobs) {
  auto node = node_report("n1", procs(2));
  node.node.resource_manager = "mute";
  rm().next.nodes = {node, node_report("n2", procs(2))};
  rm().next.silent = {{"mute", "no answer"}};
  listener.events_wanted = true;
  iterate();
  EXPECT_EQ(cluster().open_nodes().size(), 1u);
  ASSERT_EQ(listener.events.size(), 1u);
  EXPECT_EQ(listener.events[0].type, EventType::rm_failure);
  rm().next.silent = {{"mute", "no answer"}};
  iterate(minutes(1));
  EXPECT_EQ(listener.events.size(), 1u) << "told once";
  iterate(minutes(2));
  EXPECT_EQ(cluster().open_nodes().size(), 2u) << "it answers again";
}

// Iterations do not wait for it: in most of them its answer is missing.
TEST_F(RunningJobs, NodesOfASlowResourceManagerTakeNewJobsOnlyWhenItHasAnswered) {
  auto node = node_report("n1", procs(2));
  node.node.resource_manager = "slow";
  rm().next.nodes = {node, node_report("n2", procs(2))};
  listener.events_wanted = true;
  for (int i = 0; i < 10; ++i) {
    if (i % 3 != 0) rm().next.silent = {{"slow", "it is slow to answer", true}};
    iterate(minutes(i));
    EXPECT_EQ(cluster().open_nodes().size(), i % 3 == 0 ? 2u : 1u) << i;
  }
  EXPECT_THAT(listener.events, IsEmpty());
  const auto told = [this] {
    return std::count_if(listener.lines.begin(), listener.lines.end(), [](const auto& line) {
      return line.find("'slow' is slow to answer") != std::string::npos;
    });
  };
  EXPECT_EQ(told(), 1);
  rm().next.silent = {{"slow", "it is slow to answer", true}};
  iterate(hours(2));
  EXPECT_EQ(told(), 2) << "once an hour";
  rm().next.silent = {{"slow", "no answer within 15 seconds"}};
  iterate(hours(2) + minutes(1));
  EXPECT_EQ(listener.events.size(), 1u) << "it does not answer at all";
}

TEST_F(RunningJobs, AFailedPollIsReportedOnceUntilAPollSucceeds) {
  listener.events_wanted = true;
  begin({});
  for (int i = 1; i <= 3; ++i) {
    rm().down = "connection refused";
    iterate(minutes(i));
  }
  EXPECT_EQ(listener.events.size(), 1u);
  rm().down.reset();
  iterate(minutes(4));
  rm().down = "connection refused";
  iterate(minutes(5));
  EXPECT_EQ(listener.events.size(), 2u);
}

TEST_F(RunningJobs, InTestModeNothingIsStarted) {
  settings.server.mode = ServerMode::test;
  core_starts("a", "n1", 1);
  begin({job_report("a", 1)});
  EXPECT_TRUE(rm().asked.empty());
  EXPECT_EQ(job("a").state, JobState::idle);
  const auto times_said = [&] {
    return std::count(listener.lines.begin(), listener.lines.end(),
                      "0 TEST: job 'a' would be started");
  };
  EXPECT_EQ(times_said(), 1);
  iterate(minutes(1));
  EXPECT_EQ(times_said(), 1) << "nothing has changed";
  core = {};
  iterate(minutes(2));
  core_starts("a", "n1", 1);
  iterate(minutes(3));
  EXPECT_EQ(times_said(), 2) << "meanwhile it would not have been";
}

}  // namespace
}  // namespace maui::test
