#include <algorithm>

#include "engine/engine_fixture.h"
#include "sched/priority/priority.h"

namespace maui::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(EngineTest, TheCorePlansWithTheReportOfThePoll) {
  core = [](const Cluster& cluster, Time) {
    EXPECT_EQ(cluster.nodes().size(), 2U);
    EXPECT_EQ(cluster.waiting().size(), 1U);
    return Plan{};
  };
  begin({job_report("a", 2)});
  EXPECT_EQ(plans, 1);
  EXPECT_EQ(done, 1);
  EXPECT_EQ(engine().iteration(), 0);
}

TEST_F(EngineTest, AnEmptyQueueNeedsNoPlan) {
  begin({});
  EXPECT_EQ(plans, 0);
  EXPECT_EQ(engine().iteration(), 0);
}

TEST_F(EngineTest, AStartGoesToTheResourceManagerAndTakesTheNodes) {
  core_starts("a", "n2", 2);
  begin({job_report("a", 2)});
  EXPECT_THAT(rm().asked, ElementsAre("start a on n2:2"));
  EXPECT_EQ(job("a").state, JobState::running);
  EXPECT_EQ(cluster().state(node("n2")), NodeState::busy);
}

TEST_F(EngineTest, ARefusedStartLeavesTheJobIdleAndSaysWhy) {
  core_starts("a", "n1", 1);
  rm().refuses_starts = "no such queue";
  begin({job_report("a", 1)});
  EXPECT_EQ(job("a").state, JobState::idle);
  EXPECT_EQ(job("a").holds, static_cast<int>(Hold::defer));
  EXPECT_THAT(job("a").hold_reason->text, HasSubstr("no such queue"));
  EXPECT_EQ(cluster().occupancy(node("n1")).free, procs(2));
  EXPECT_THAT(listener.lines, ElementsAre("0 ERROR: cannot start job 'a': no such queue"));
  EXPECT_EQ(done, 1);
}

TEST_F(EngineTest, AnIterationIsDoneWhenTheLastAnswerHasCome) {
  core_starts("a", "n1", 1);
  rm().answers_later = true;
  begin({job_report("a", 1)});
  EXPECT_TRUE(engine().iterating());
  EXPECT_EQ(plans, 0) << "the poll has not been answered";
  rm().answer_all();
  EXPECT_EQ(plans, 1);
  EXPECT_TRUE(engine().iterating()) << "the start has not been answered";
  EXPECT_EQ(job("a").state, JobState::running) << "its nodes are taken meanwhile";
  rm().answer_all();
  EXPECT_FALSE(engine().iterating());
  EXPECT_EQ(done, 1);
}

TEST_F(EngineTest, ALateRefusalPutsTheJobBack) {
  core_starts("a", "n1", 1);
  rm().answers_later = true;
  rm().refuses_starts = "prolog failed";
  begin({job_report("a", 1)});
  rm().answer_all();
  rm().answer_all();
  EXPECT_EQ(job("a").state, JobState::idle);
  EXPECT_EQ(done, 1);
}

TEST_F(EngineTest, NothingIsDecidedWhenTheResourceManagerCannotBeAsked) {
  begin({job_report("a", 1)});
  rm().down = "connection refused";
  iterate(minutes(1));
  EXPECT_EQ(plans, 1) << "that of the first iteration";
  EXPECT_EQ(engine().iteration(), 1);
  EXPECT_THAT(listener.lines, ElementsAre(HasSubstr("connection refused")));
}

TEST_F(EngineTest, AJobThatEndedIsShownToTheObserverCountedAndForgotten) {
  core_starts("a", "n1", 2);
  begin({job_report("a", 2)});
  rm().next.ended = {{"a", JobState::completed, kNow + minutes(30)}};
  iterate(minutes(30));
  ASSERT_EQ(listener.ended.size(), 1U);
  EXPECT_EQ(listener.ended[0].ended, kNow + minutes(30));
  EXPECT_EQ(listener.ended[0].placement.size(), 1U);
  EXPECT_FALSE(cluster().find_job("a").valid());
  EXPECT_EQ(engine().statistics().all.jobs, 1);
  EXPECT_EQ(engine().statistics().all.dedicated_proc_seconds, 2 * 1800);
}

/// Remembers what it is asked about jobs that arrive, and has nothing to say of them.
class AskedOfArrivals final : public LocalPolicies {
 public:
  bool wants(LocalHook hook) const override { return hook == LocalHook::attributes; }
  void ask(LocalQuestion question, Answered answered) override {
    questions.push_back(std::move(question));
    answered(std::vector<LocalAnswer>{});
  }
  std::vector<LocalQuestion> questions;
};

TEST_F(EngineTest, AQuestionAboutArrivalsIncludesTheNodesAndArrivalTimes) {
  AskedOfArrivals asked;
  engine().consult_with(asked);
  auto without_time = job_report("a", 1);
  without_time.job.submitted = Time(0);
  begin({without_time});
  ASSERT_EQ(asked.questions.size(), 1U);
  EXPECT_EQ(asked.questions[0].procs, 4) << "of the same answer";
  EXPECT_EQ(asked.questions[0].free_procs, 4);
  ASSERT_EQ(asked.questions[0].jobs.size(), 1U);
  EXPECT_EQ(asked.questions[0].jobs[0].submitted, kNow);
  EXPECT_EQ(asked.questions[0].jobs[0].queued, kNow);
}

// Ten jobs of 61 seconds at polls of 60 had used twice of what they had.
TEST_F(EngineTest, UseIsCountedByTheSecondWhateverThePollsAre) {
  core_starts("a", "n1", 2);
  begin({job_report("a", 2)});
  iterate(minutes(1));
  EXPECT_EQ(engine().statistics().all.dedicated_proc_seconds, 2 * 60);
  rm().next.ended = {{"a", JobState::completed, kNow + Seconds(61)}};
  iterate(minutes(2));
  EXPECT_EQ(engine().statistics().all.dedicated_proc_seconds, 2 * 61);
  EXPECT_EQ(cluster().node_use(node("n1"), clock.time).active, Seconds(61));
}

TEST_F(EngineTest, PrioritiesAtTheirBoundAreSaidOnceWithTheWeightThatDrivesThem) {
  settings.priority.queue_time.weight = 8640000000;
  settings.priority.proc.weight = 10;
  core = [this](const Cluster& known, Time now) {
    Plan plan;
    prioritise(known, engine().settings(), now, plan.order);
    return plan;
  };
  begin({job_report("a", 2)});
  const auto said = [&](const char* what) {
    return std::count_if(listener.lines.begin(), listener.lines.end(),
                         [&](const auto& line) { return line.find(what) != line.npos; });
  };
  for (int i = 1; i < 4; ++i) iterate(minutes(i));
  EXPECT_EQ(said("because of QUEUETIMEWEIGHT 8640000000"), 1);
  Settings other = settings;
  other.priority.queue_time.weight = 0;
  other.priority.proc.weight = -10;
  engine().set_settings(other);
  for (int i = 4; i < 7; ++i) iterate(minutes(i));
  EXPECT_EQ(said("that of job 'a' because of PROCWEIGHT -10"), 1);
}

TEST_F(EngineTest, ASecondJobOfOneNameIsIgnoredAndReported) {
  JobReport other = job_report("a", 2);
  other.job.resource_manager = "other";
  begin({job_report("a", 1), other});
  EXPECT_EQ(cluster().jobs().size(), 1U);
  EXPECT_EQ(cluster().request_of(id("a")).total_tasks(), 1);
  EXPECT_THAT(listener.lines, ElementsAre(HasSubstr("'other' reports a second job named 'a'")));
}

TEST_F(EngineTest, AnOverrunningJobKeepsItsNodesWhileJobMaxOverrunAllows) {
  settings.job_max_overrun = minutes(10);
  core_starts("a", "n1", 1);
  begin({job_report("a", 1, minutes(5))});
  iterate(minutes(6));
  EXPECT_EQ(job("a").ends, kNow + minutes(7)) << "until the next poll";
  iterate(minutes(15));
  EXPECT_THAT(rm().asked, ElementsAre("start a on n1:1"));
  iterate(minutes(16));
  EXPECT_THAT(rm().asked, ElementsAre("start a on n1:1", "cancel a"));
}

TEST_F(EngineTest, AJobThatEndsAtItsLimitIsNotCancelled) {
  core_starts("a", "n1", 1);
  begin({job_report("a", 1, minutes(5))});
  iterate(minutes(5));
  EXPECT_THAT(rm().asked, ElementsAre("start a on n1:1"));
}

TEST_F(EngineTest, PriorityReservationsAreMadeMovedAndDroppedAsPlanned) {
  Time start = kNow + hours(2);
  core = [&](const Cluster& known, Time) {
    Plan plan;
    plan.decisions.push_back(
        ReserveJob{known.find_job("a"), start, {{known.find_node("n1"), 2, 0}}});
    return plan;
  };
  begin({job_report("a", 2, hours(3))});
  const ReservationId made = cluster().find_reservation("a");
  ASSERT_TRUE(made.valid());
  EXPECT_EQ(cluster().reservation(made).end, start + hours(3));
  start = kNow + hours(1);
  iterate(minutes(1));
  EXPECT_EQ(cluster().find_reservation("a"), made);
  EXPECT_EQ(cluster().reservation(made).start, kNow + hours(1));
  EXPECT_EQ(cluster().occupancy(node("n1")).reservations.size(), 1U);
  core = [&](const Cluster&, Time) {
    Plan plan;
    plan.decisions.push_back(DropReservation{made});
    return plan;
  };
  iterate(minutes(2));
  EXPECT_TRUE(cluster().reservations().empty());
}

TEST_F(EngineTest, BackfillBypassesTheWaitingJobsAheadOfIt) {
  core = [](const Cluster& known, Time) {
    Plan plan;
    for (const Waiting& line : known.waiting()) plan.order.push_back({line.job, line.request, 7});
    if (plan.order.size() < 5) return plan;
    plan.reasons.assign(5, Reason::idle_procs);
    for (const std::uint32_t i : {2U, 4U}) {
      plan.reasons[i] = Reason::none;
      plan.backfilled.push_back(i);
      plan.decisions.push_back(StartJob{plan.order[i].job, {{known.find_node("n1"), 1, 0}}, true});
    }
    return plan;
  };
  begin({job_report("a", 4), job_report("b", 4), job_report("c", 1), job_report("d", 4),
         job_report("e", 1)});
  EXPECT_EQ(cluster().bypasses(id("a")), 2);
  EXPECT_EQ(cluster().bypasses(id("b")), 2);
  EXPECT_EQ(cluster().bypasses(id("c")), 0);
  EXPECT_EQ(cluster().bypasses(id("d")), 1);
  EXPECT_EQ(cluster().bypasses(id("e")), 0);
  EXPECT_EQ(job("a").priority, 7);
  EXPECT_TRUE(has(job("c").flags, JobFlag::backfill));
}

TEST_F(EngineTest, ABypassCountIsCompleteWhenItsJobStartsThoughNobodyLooked) {
  bool first = true;
  core = [&](const Cluster& known, Time) {
    Plan plan;
    for (const Waiting& line : known.waiting()) plan.order.push_back({line.job, line.request, 1});
    plan.reasons.assign(plan.order.size(), Reason::idle_procs);
    const std::uint32_t starts = first ? 1 : 0;
    plan.reasons[starts] = Reason::none;
    plan.decisions.push_back(
        StartJob{plan.order[starts].job, {{known.find_node("n1"), 1, 0}}, first});
    if (first) plan.backfilled = {1};
    first = false;
    return plan;
  };
  begin({job_report("a", 1), job_report("b", 1)});
  iterate(minutes(1));
  rm().next.ended = {{"a", JobState::completed, kNow + minutes(2)}};
  iterate(minutes(2));
  ASSERT_EQ(listener.ended.size(), 1U);
  EXPECT_EQ(engine().statistics().all.max_bypass, 1);
}

TEST_F(EngineTest, AHoldByTheCoreIsPlacedWithItsReason) {
  core = [](const Cluster& known, Time) {
    Plan plan;
    plan.decisions.push_back(HoldJob{known.find_job("a"), Hold::batch, "too large"});
    return plan;
  };
  begin({job_report("a", 99)});
  EXPECT_TRUE(has(job("a").holds, Hold::batch));
  EXPECT_EQ(job("a").hold_reason->text, "too large");
  EXPECT_TRUE(cluster().waiting()[0].held);
}

TEST_F(EngineTest, AnAlternativeShapeIsTakenWithItsTasksAndLimit) {
  core = [](const Cluster& known, Time) {
    Plan plan;
    plan.decisions.push_back(
        StartJob{known.find_job("a"), {{known.find_node("n1"), 1, 0}}, false, 1});
    return plan;
  };
  JobReport report = job_report("a", 4, hours(1));
  report.job.alternatives = {{4, hours(1)}, {1, hours(4)}};
  begin({report});
  EXPECT_EQ(job("a").ends, kNow + hours(4));
  EXPECT_EQ(cluster().request_of(id("a")).total_procs(), 1);
  EXPECT_EQ(cluster().check(), std::nullopt);
}

// The nodes have four processors.
TEST_F(EngineTest, AJobWaitsInTheFirstOfItsShapesThatCanEverRun) {
  core = [](const Cluster& known, Time) {
    Plan plan;
    const JobId a = known.find_job("a");
    if (!known.job(a).reservation.valid())
      plan.decisions.push_back(ReserveJob{a, kNow + hours(1), {{known.find_node("n1"), 2, 0}}});
    return plan;
  };
  const auto shape = [&] {
    const Request& request = cluster().request_of(id("a"));
    return std::pair(request.total_procs(), request.limit);
  };
  JobReport report = job_report("a", 6, hours(1));
  report.job.alternatives = {{6, hours(1)}, {2, hours(3)}};
  begin({report});
  EXPECT_EQ(shape(), std::pair(2, hours(3)));
  const ReservationId kept = job("a").reservation;
  ASSERT_TRUE(kept.valid());
  EXPECT_EQ(cluster().reservation(kept).end, kNow + hours(4));
  report.job.comment = "another";
  rm().next.changed = {report};
  iterate(Seconds(10));
  EXPECT_EQ(shape(), std::pair(2, hours(3)));
  EXPECT_EQ(job("a").reservation, kept) << "the report tells nothing new of its shapes";
  rm().next.nodes = {node_report("n3", procs(2))};
  iterate(Seconds(20));
  EXPECT_EQ(shape(), std::pair(6, hours(1)));
  Settings limited = settings;
  limited.throttling.max_job_procs = 4;
  engine().set_settings(limited);
  iterate(Seconds(30));
  EXPECT_EQ(shape(), std::pair(2, hours(3)));
  report.job.alternatives = {{3, hours(2)}, {2, hours(3)}};
  report.request.requirements.front().tasks = 3;
  report.request.limit = hours(2);
  rm().next.changed = {report};
  iterate(Seconds(40));
  EXPECT_EQ(shape(), std::pair(3, hours(2)));
  EXPECT_EQ(cluster().check(), std::nullopt);
}

TEST_F(EngineTest, ALimitThatACommandSetsHoldsInEachShape) {
  JobReport report = job_report("a", 6, hours(1));
  report.job.alternatives = {{6, hours(1)}, {2, hours(1)}};
  begin({report});
  ASSERT_TRUE(engine().set_limit(id("a"), hours(2)));
  iterate(Seconds(10));
  EXPECT_EQ(cluster().request_of(id("a")).total_procs(), 2);
  EXPECT_EQ(cluster().request_of(id("a")).limit, hours(2));
  EXPECT_THAT(job("a").alternatives, ElementsAre(std::pair(6, hours(2)), std::pair(2, hours(2))));
}

TEST_F(EngineTest, AJobThatWillNotQueueGoesAwayUnlessItStartsAtOnce) {
  core_starts("lucky", "n1", 1);
  JobReport lucky = job_report("lucky", 1), unlucky = job_report("unlucky", 1);
  lucky.job.flags = unlucky.job.flags = static_cast<std::uint16_t>(JobFlag::no_queue);
  begin({lucky, unlucky});
  EXPECT_TRUE(cluster().find_job("lucky").valid());
  EXPECT_FALSE(cluster().find_job("unlucky").valid());
  ASSERT_EQ(listener.ended.size(), 1U);
  EXPECT_EQ(listener.ended[0].state, JobState::removed);
  EXPECT_EQ(engine().statistics().all.jobs, 0) << "it never ran";
}

TEST_F(EngineTest, AJobThatWillNotQueueStaysIfItMayRunAlready) {
  JobReport running = job_report("running", 1);
  running.job.flags = static_cast<std::uint16_t>(JobFlag::no_queue);
  running.job.state = JobState::not_queued;
  begin({running});
  EXPECT_THAT(rm().asked, testing::IsEmpty());
  EXPECT_TRUE(cluster().find_job("running").valid());
}

TEST_F(EngineTest, AJobThatWillNotQueueMayBeCancelledWhileAnotherIsStarted) {
  core_starts("a", "n1", 1);
  JobReport unwilling = job_report("unwilling", 1);
  unwilling.job.flags = static_cast<std::uint16_t>(JobFlag::no_queue);
  rm().answers_later = true;
  begin({job_report("a", 1), unwilling, job_report("b", 1)});
  rm().answer_all();  // the poll
  const auto started = rm().take_answers();
  rm().answers_later = false;
  EXPECT_TRUE(engine().cancel_job(id("unwilling")));
  for (const auto& answer : started) answer();
  EXPECT_EQ(done, 1);
  EXPECT_THAT(rm().asked, ElementsAre("start a on n1:1", "cancel unwilling"));
  EXPECT_EQ(listener.ended.size(), 1U);
  EXPECT_TRUE(job("b").waiting());
  EXPECT_EQ(cluster().check(), std::nullopt);
}

TEST_F(EngineTest, WhileTheResourceManagerIsDownARefusedStartIsNoEvent) {
  core_starts("a", "n1", 1);
  rm().refuses_starts = "no licence";
  rm().obstacle = Obstacle::passes;
  begin({job_report("a", 1)});
  core = nullptr;
  ASSERT_LT(engine().next_event(), kForever);
  rm().down = "connection refused";
  iterate(hours(1));
  EXPECT_EQ(engine().next_event(), kForever);
  rm().down.reset();
  iterate(hours(2));
  EXPECT_TRUE(job("a").waits_for->empty()) << "it is tried again";
}

TEST_F(EngineTest, SchedulingStopsOnceTheIterationAskedForIsDone) {
  begin({});
  engine().stop_rule().at_iteration = 2;
  iterate(minutes(1));
  EXPECT_FALSE(engine().stop_rule().stopped);
  iterate(minutes(2));
  EXPECT_TRUE(engine().stop_rule().stopped);
  EXPECT_FALSE(engine().stop_rule().at_iteration.has_value());
}

TEST_F(EngineTest, AStartDateIsAnEvent) {
  JobReport later = job_report("later", 1), sooner = job_report("sooner", 1);
  later.job.earliest_start = kNow + hours(2);
  sooner.job.earliest_start = kNow + hours(1);
  begin({later, sooner});
  EXPECT_EQ(engine().next_event(), kNow + hours(1));
  clock.time = kNow + hours(1);
  EXPECT_EQ(engine().next_event(), kNow + hours(2));
  rm().event = kNow + minutes(90);
  EXPECT_EQ(engine().next_event(), kNow + minutes(90));
}

TEST_F(EngineTest, ItIsFinishedWhenTheTraceIsAtItsEndAndOnlyHeldJobsRemain) {
  JobReport held = job_report("held", 1);
  put(held.job.holds, Hold::user);
  core_starts("a", "n1", 1);
  begin({job_report("a", 1), held});
  EXPECT_FALSE(engine().finished());
  rm().next.exhausted = true;
  iterate(minutes(1));
  EXPECT_FALSE(engine().finished()) << "a is active";
  rm().next.exhausted = true;
  rm().next.ended = {{"a", JobState::completed, kNow + minutes(2)}};
  iterate(minutes(2));
  EXPECT_TRUE(engine().finished());
}

TEST_F(EngineTest, LinesThatNobodyWantsAreNotWritten) {
  listener.verbosity = -1;
  core_starts("a", "n1", 1);
  rm().refuses_starts = "no";
  begin({job_report("a", 1), job_report("a", 1)});
  EXPECT_TRUE(listener.lines.empty());
}

// JOBPRIOACCRUALPOLICY: what has accrued stays, what passes meanwhile does not count.
TEST_F(EngineTest, TheQueueTimeOfAStalledJobStandsStillAndGoesOnAfterwards) {
  core = [](const Cluster& known, Time now) {
    Plan plan;
    if (now < kNow + minutes(30)) plan.stalled = {known.find_job("b")};
    return plan;
  };
  begin({job_report("a", 1), job_report("b", 1)});
  iterate(minutes(10));
  EXPECT_EQ(job("b").queued, kNow + minutes(10));
  iterate(minutes(30));
  EXPECT_EQ(job("b").queued, kNow + minutes(30));
  EXPECT_EQ(job("b").eligible_since, kNow + minutes(30));
  iterate(minutes(40));
  EXPECT_EQ(job("b").queued, kNow + minutes(30));
  EXPECT_EQ(job("a").queued, kNow);
  EXPECT_EQ(job("b").submitted, kNow);
  EXPECT_EQ(cluster().check().value_or(""), "");
}

}  // namespace
}  // namespace maui::test
