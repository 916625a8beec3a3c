#include "engine/engine_fixture.h"

namespace maui::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(EngineTest, ACancelledJobThatWaitsEndsAtOnce) {
  begin({job_report("a", 1)});
  EXPECT_TRUE(engine().cancel_job(id("a")));
  EXPECT_THAT(rm().asked, ElementsAre("cancel a"));
  EXPECT_FALSE(cluster().find_job("a").valid());
  ASSERT_EQ(listener.ended.size(), 1U);
  rm().next.ended = {{"a", JobState::removed, kNow}};
  iterate(minutes(1));
  EXPECT_EQ(listener.ended.size(), 1U) << "what the resource manager adds is not counted again";
}

TEST_F(EngineTest, ACancelledJobThatWaitsEndsWhenTheResourceManagerSaysSo) {
  begin({job_report("a", 1)});
  rm().answers_later = true;
  EXPECT_TRUE(engine().cancel_job(id("a")));
  EXPECT_TRUE(listener.ended.empty());
  rm().answer_all();
  EXPECT_FALSE(cluster().find_job("a").valid());
  EXPECT_EQ(listener.ended.size(), 1U);
}

TEST_F(EngineTest, AStartByHandDoesNotGoAgainstWhatTheJobWaitsFor) {
  JobReport dated = job_report("dated", 1), waits = job_report("waits", 1);
  dated.job.earliest_start = kNow + hours(1);
  waits.waits_for = "its licence";
  begin({dated, waits});
  const auto expect_only_x = [&](const std::string& name, const std::string& why) {
    for (const bool force : {false, true}) {
      const Status status = engine().run_job(id(name), {.force = force});
      ASSERT_FALSE(status);
      EXPECT_THAT(status.error().what, HasSubstr(why));
      EXPECT_THAT(status.error().what, HasSubstr("runjob -x"));
    }
    EXPECT_TRUE(engine().run_job(id(name), {.force = true, .ignore_reservations = true}));
  };
  expect_only_x("dated", "has a start date that is not reached");
  expect_only_x("waits", "its licence");
}

TEST_F(EngineTest, AStartByHandFollowsTheHostListOfTheJob) {
  JobReport report = job_report("a", 1);
  report.host_list = {"n1"};
  report.host_list_use = HostListUse::some_of;
  begin({report});
  Engine::RunOptions options{.nodes = {cluster().find_node("n2")}, .force = true};
  const Status status = engine().run_job(id("a"), options);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().what, HasSubstr("asks for other nodes than n2"));
  options.ignore_reservations = true;
  EXPECT_TRUE(engine().run_job(id("a"), options));
}

// The request could end the new run.
TEST_F(EngineTest, AJobIsNotStartedWhileItsRequeueByACommandIsUnderWay) {
  settings.jobs.sync_time = Seconds(0);
  core_starts("a", "n1", 1);
  begin({job_report("a", 1)});
  rm().answers_later = true;
  EXPECT_TRUE(engine().preempt_job(id("a"), Preemption::requeue));
  const auto requeued = rm().take_answers();
  rm().answers_later = false;
  for (int i = 1; i <= 3; ++i) {
    rm().next.statuses = {{"a", JobState::idle}};
    iterate(Seconds(i));
  }
  EXPECT_EQ(job("a").state, JobState::idle);
  EXPECT_THAT(rm().asked, ElementsAre("start a on n1:1", "requeue a"));
  for (const auto& answer : requeued) answer();
  iterate(Seconds(4));
  EXPECT_THAT(rm().asked, ElementsAre("start a on n1:1", "requeue a", "start a on n1:1"));
}

TEST_F(EngineTest, AJobIsNotStartedWhileItsCancellationIsUnderWay) {
  begin({job_report("a", 1)});
  rm().answers_later = true;
  EXPECT_TRUE(engine().cancel_job(id("a")));
  const auto cancelled = rm().take_answers();
  rm().answers_later = false;
  core_starts("a", "n1", 1);
  iterate(minutes(1));
  EXPECT_EQ(job("a").state, JobState::idle);
  for (const auto& answer : cancelled) answer();
  EXPECT_FALSE(cluster().find_job("a").valid());
}

TEST_F(EngineTest, AJobThatTheResourceManagerDoesNotCancelAfterAllWaitsOn) {
  begin({job_report("a", 1)});
  rm().answers_later = true;
  rm().refuses_cancels = "no answer within 9 seconds";
  EXPECT_TRUE(engine().cancel_job(id("a")));
  rm().answer_all();
  rm().answers_later = false;
  core_starts("a", "n1", 1);
  iterate(minutes(1));
  EXPECT_EQ(job("a").state, JobState::running);
  EXPECT_TRUE(listener.ended.empty());
}

TEST_F(EngineTest, ACancelledJobThatRunsKeepsItsNodesUntilTheResourceManagerSaysItEnded) {
  core_starts("a", "n1", 1);
  begin({job_report("a", 1)});
  EXPECT_TRUE(engine().cancel_job(id("a")));
  EXPECT_EQ(job("a").state, JobState::running);
  rm().next.ended = {{"a", JobState::removed, kNow + minutes(1)}};
  iterate(minutes(1));
  EXPECT_EQ(engine().statistics().all.jobs, 1);
  EXPECT_EQ(engine().statistics().all.successful, 0);
}

TEST_F(EngineTest, ARefusedCancelIsTheCommandsResult) {
  begin({job_report("a", 1)});
  rm().refuses_cancels = "permission denied";
  const Status status = engine().cancel_job(id("a"));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().what, "permission denied");
  EXPECT_TRUE(cluster().find_job("a").valid());
}

TEST_F(EngineTest, ANodeThatItsResourceManagerDoesNotTakeOutOfServiceIsInServiceAgain) {
  begin({});
  rm().answers_later = true;
  rm().refuses_nodes = "no way";
  EXPECT_TRUE(engine().set_node_state(node("n1"), NodeState::drained));
  EXPECT_EQ(cluster().node(node("n1")).reported, NodeState::drained);
  rm().answer_all();
  EXPECT_EQ(cluster().node(node("n1")).reported, NodeState::idle);
  EXPECT_THAT(listener.lines, testing::Contains(HasSubstr("cannot change node 'n1': no way")));
}

TEST_F(EngineTest, ANodeReportThatComesMeanwhileStays) {
  begin({});
  rm().answers_later = true;
  rm().refuses_nodes = "no way";
  EXPECT_TRUE(engine().set_node_state(node("n1"), NodeState::drained));
  const auto refusal = rm().take_answers();
  rm().answers_later = false;
  rm().next.nodes = {node_report("n1", procs(2))};
  rm().next.nodes[0].node.reported = NodeState::down;
  iterate(minutes(1));
  for (const auto& answer : refusal) answer();
  EXPECT_EQ(cluster().node(node("n1")).reported, NodeState::down);
}

TEST_F(EngineTest, TheLastPlanNamesNoJobThatIsGone) {
  core = [](const Cluster& known, Time) {
    Plan plan;
    for (const Waiting& line : known.waiting()) plan.order.push_back({line.job, line.request, 1});
    plan.reasons.assign(plan.order.size(), Reason::idle_procs);
    return plan;
  };
  begin({job_report("a", 1), job_report("b", 1)});
  EXPECT_TRUE(engine().cancel_job(id("a")));
  ASSERT_EQ(engine().plan().order.size(), 1U);
  EXPECT_EQ(engine().plan().order[0].job, id("b"));
  EXPECT_EQ(engine().plan().reasons.size(), 1U);
}

TEST_F(EngineTest, ARequeuedJobWaitsAgainFromItsOldQueueTime) {
  core_starts("a", "n1", 2);
  begin({job_report("a", 2)});
  core = {};
  clock.time = kNow + minutes(10);
  EXPECT_TRUE(engine().preempt_job(id("a"), Preemption::requeue));
  EXPECT_THAT(rm().asked, ElementsAre("start a on n1:2", "requeue a"));
  EXPECT_EQ(job("a").state, JobState::idle);
  EXPECT_EQ(job("a").queued, kNow);
  EXPECT_EQ(engine().statistics().preemptions, 1);
  EXPECT_EQ(engine().statistics().preempted_proc_seconds, 2 * 600);
  const Status again = engine().preempt_job(id("a"), Preemption::requeue);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().what, "job 'a' is not active");
}

TEST_F(EngineTest, AHoldKeepsTheJobOutAndItsReleaseMakesItEligibleAnew) {
  begin({job_report("a", 1)});
  EXPECT_TRUE(set_holds(engine(), id("a"), static_cast<std::uint8_t>(Hold::system)));
  EXPECT_TRUE(cluster().waiting()[0].held);
  clock.time = kNow + hours(1);
  EXPECT_TRUE(set_holds(engine(), id("a"), 0));
  EXPECT_FALSE(cluster().waiting()[0].held);
  EXPECT_EQ(job("a").eligible_since, kNow + hours(1));
  EXPECT_EQ(job("a").queued, kNow);
}

TEST_F(EngineTest, AReservationWithoutANameIsCalledAfterTheFirstItIsForAndNumbered) {
  begin({});
  Reservation wanted;
  wanted.start = kNow;
  wanted.end = kNow + hours(1);
  wanted.nodes = {{node("n1"), 1, 0}};
  const auto name = [&](const Result<ReservationId>& made) {
    return made ? cluster().reservation(*made).name : made.error().what;
  };
  EXPECT_EQ(name(engine().add_reservation(wanted)), "SYSTEM.0");
  EXPECT_EQ(name(engine().add_reservation(wanted)), "SYSTEM.1");
  wanted.access.add(AccessKind::group, engine().names().groups.intern("staff"));
  EXPECT_EQ(name(engine().add_reservation(wanted)), "staff.0");
  wanted.name = "SYSTEM.1";
  EXPECT_THAT(name(engine().add_reservation(wanted)), HasSubstr("'SYSTEM.1' is taken"));
}

TEST_F(EngineTest, AReservationThatMakesNoSenseIsRefusedWithTheReason) {
  begin({});
  const auto refusal = [&](Time start, Time end, bool nodes) {
    Reservation wanted;
    wanted.start = start;
    wanted.end = end;
    if (nodes) wanted.nodes = {{node("n1"), 1, 0}};
    const auto made = engine().add_reservation(wanted);
    return made ? "" : made.error().what;
  };
  EXPECT_THAT(refusal(kNow + hours(1), kNow, true), HasSubstr("end before it begins"));
  EXPECT_THAT(refusal(kNow - hours(2), kNow - hours(1), true), HasSubstr("past"));
  EXPECT_THAT(refusal(kNow, kNow + hours(1), false), HasSubstr("no nodes"));
}

TEST_F(EngineTest, AnAdministratorsReservationGoesWhenItsTimeIsOver) {
  begin({});
  Reservation wanted;
  wanted.start = kNow;
  wanted.end = kNow + hours(1);
  wanted.nodes = {{node("n1"), 1, 0}};
  ASSERT_TRUE(engine().add_reservation(wanted));
  iterate(minutes(59));
  EXPECT_EQ(cluster().reservations().size(), 1U);
  iterate(minutes(60));
  EXPECT_TRUE(cluster().reservations().empty());
}

TEST_F(EngineTest, AReloadReadsTheNodesAnew) {
  settings.nodes["n1"].features = {"fast"};
  begin({});
  const FeatureId fast = cluster().features.find("fast");
  EXPECT_THAT(cluster().node(node("n1")).features, ElementsAre(fast));
  Settings changed = settings;
  changed.nodes.clear();
  changed.nodes["n2"].partition = "b";
  engine().set_settings(changed);
  EXPECT_TRUE(cluster().node(node("n1")).features.empty());
  EXPECT_EQ(cluster().partitions[cluster().node(node("n2")).partition], "b");
  EXPECT_EQ(cluster().check(), std::nullopt);
}

TEST_F(EngineTest, AChangeOfNodeAccessPolicyReachesTheJobsThatWait) {
  begin({job_report("a", 1)});
  Settings changed = settings;
  changed.node_access = NodeAccess::dedicated;
  engine().set_settings(changed);
  EXPECT_EQ(cluster().request_of(id("a")).access.usual, NodeAccess::dedicated);
}

TEST_F(EngineTest, AChangeOfJobNodeMatchPolicyReachesTheJobsThatWait) {
  JobReport spread = job_report("a", 2);
  spread.request.requirements.front().nodes = 2;
  begin({spread});
  const auto asked = [&] { return cluster().request_of(id("a")).requirements.front(); };
  Settings changed = settings;
  changed.exact_node = changed.exact_proc = true;
  engine().set_settings(changed);
  EXPECT_TRUE(asked().exact_nodes);
  EXPECT_EQ(asked().procs, (Bound{Comparison::equal, 1}));
  engine().set_settings(settings);
  EXPECT_FALSE(asked().exact_nodes);
  EXPECT_EQ(asked().procs, Bound{});
}

TEST_F(EngineTest, WhatCommandsAskedOfResourceManagersIsKnownUntilItIsAnswered) {
  begin({job_report("a", 1)});
  EXPECT_FALSE(engine().awaits_answers());
  rm().answers_later = true;
  ASSERT_TRUE(engine().cancel_job(id("a")));
  EXPECT_TRUE(engine().awaits_answers());
  rm().answer_all();
  EXPECT_FALSE(engine().awaits_answers());
}

TEST_F(EngineTest, AJobHasBeenSuspendedForAsLongAsItsResourceManagerSays) {
  core_starts("a", "n1", 1);
  begin({job_report("a", 1)});
  rm().next.statuses = {{.name = "a", .suspended_time = minutes(8)}};
  iterate(minutes(10));
  EXPECT_EQ(job("a").suspended_time, minutes(8));
  EXPECT_EQ(job("a").ends, kNow + hours(1) + minutes(8));
  rm().next.statuses = {{.name = "a", .suspended_time = minutes(5)}};
  iterate(minutes(11));
  EXPECT_EQ(job("a").suspended_time, minutes(8)) << "the greater one counts";
}

TEST_F(EngineTest, StatisticsBeginAnewWhenTheyAreReset) {
  core_starts("a", "n1", 1);
  begin({job_report("a", 1)});
  iterate(minutes(10));
  engine().reset_statistics();
  iterate(minutes(15));
  const Statistics& statistics = engine().statistics();
  EXPECT_EQ(statistics.since, kNow + minutes(10));
  EXPECT_EQ(statistics.all.dedicated_proc_seconds, 300) << "of the active job since then";
  EXPECT_EQ(cluster().node(node("n1")).use.total, minutes(5));
}

// Suspended from the 5th to the 15th minute; of that, five are before the reset.
TEST_F(EngineTest, SuspensionsBeforeStatisticsWereResetTakeNothingFromWhatFollows) {
  core_starts("a", "n1", 1);
  begin({job_report("a", 1)});
  const auto suspends = [&](JobState state, Seconds at) {
    rm().next.statuses = {{.name = "a", .state = state}};
    rm().next.certain = {"scripted"};
    iterate(at);
  };
  suspends(JobState::suspended, minutes(5));
  ASSERT_TRUE(job("a").suspended());
  iterate(minutes(10));
  engine().reset_statistics();
  suspends(JobState::running, minutes(15));
  ASSERT_TRUE(job("a").active());
  iterate(minutes(25));
  EXPECT_EQ(engine().statistics().all.dedicated_proc_seconds, 600);
}

}  // namespace
}  // namespace maui::test
