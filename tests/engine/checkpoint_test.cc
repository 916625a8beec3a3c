// The next scheduler goes on with what one leaves.
#include "engine/checkpoint/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include "base/json.h"
#include "engine/engine_fixture.h"
#include "sched/cycle.h"
#include "sched/limits/throttling.h"
#include "support/open_cluster.h"

namespace maui::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto kUserHold = static_cast<std::uint8_t>(Hold::user);
constexpr auto kSystemHold = static_cast<std::uint8_t>(Hold::system);

/// Two engines, one after the other, each with a resource manager that reports the same.
class CheckpointTest : public EngineTest {
 protected:
  static Reservation maintenance(const Cluster& cluster, const std::string& name) {
    Reservation r;
    r.name = name;
    r.start = kNow + Seconds(3600);
    r.end = kNow + Seconds(7200);
    r.nodes = {{cluster.find_node("n1"), 1, 0}, {cluster.find_node("n2"), 1, 0}};
    return r;
  }
  /// The scheduler ends; the next one begins `later`, and reads what the first has written.
  void restart(Seconds later = Seconds(60), Seconds clock_set = Seconds(0)) {
    next.time = kNow + later;
    begin_from(checkpoint_text(cluster(), engine().checkpoint()), engine().fairshare(), clock_set);
  }
  /// The next scheduler reads a checkpoint, and files of fairshare where there are any.
  /// `later`: lines of jobs that were saved since then; `recorded`: runs recorded since then;
  /// `counted`: before.
  void begin_from(const std::string& checkpoint, const FairshareHistory& files = {},
                  Seconds clock_set = Seconds(0), const std::vector<std::string>& later = {},
                  std::vector<RunOnFile> recorded = {}, std::vector<RunOnFile> counted = {}) {
    auto manager = std::make_unique<ScriptedRm>();
    next_rm = manager.get();
    next_rm->kept_records = next_records;
    second = std::make_unique<Engine>(settings, std::move(manager), next, listener,
                                      [](const Cluster&, const Settings&, Time) { return Plan{}; });
    second->begin_fairshare(files);
    auto read = read_checkpoint_text(checkpoint, settings.display.plot, second->names());
    ASSERT_TRUE(read) << read.error().what;
    for (const std::string& line : later) {
      auto job = read_job_line(line, second->names());
      ASSERT_TRUE(job) << job.error().what;
      add_later(*read, {*std::move(job)});
    }
    for (RunOnFile& run : recorded) read->recorded.push_back(std::move(run));
    read->counted = std::move(counted);
    second->restore(std::move(*read), clock_set);
  }
  /// Starts the job "a" on n1, with fairshare by dedicated processors.
  void start_charged() {
    settings.fairshare.metric = FairshareMetric::dedicated_proc_seconds;
    core_starts("a", "n1", 2);
    begin({job_report("a", 2)});
  }
  /// Starts "a" on n1 after thirty seconds, unconfirmed; returns the checkpoint of before.
  std::string start_since_checkpoint() {
    settings.jobs.sync_time = minutes(10);
    listener.keeps = rm().reports_starts = true;
    begin({job_report("a", 2)});
    const std::string before = checkpoint_text(cluster(), engine().checkpoint());
    core_starts("a", "n1", 2);
    iterate(Seconds(30));
    return before;
  }
  static JobReport running_on(const std::string& node, const std::string& name = "a",
                              Time started = kNow) {
    JobReport report = job_report(name, 2);
    report.job.state = JobState::running;
    report.job.started = started;
    report.task_list = {node, node};
    return report;
  }
  void second_polls(std::vector<NodeReport> nodes, std::vector<JobReport> jobs) {
    next_rm->next.nodes = std::move(nodes);
    next_rm->next.arrived = std::move(jobs);
    second->iterate([] {});
  }
  void begin_with_a_reserved(ReservationPolicy policy) {
    settings.reservation_policy = policy;
    core = [](const Cluster& known, Time) {
      Plan plan;
      plan.decisions = {
          ReserveJob{known.find_job("a"), kNow + hours(1), {{known.find_node("n2"), 2, 0}}}};
      return plan;
    };
    begin({job_report("a", 2)});
    ASSERT_TRUE(job("a").reservation.valid());
  }
  static std::vector<NodeReport> both_nodes() {
    return {node_report("n1", procs(2)), node_report("n2", procs(2))};
  }
  JobId job_named_or_none(const std::string& name) { return second->cluster().find_job(name); }
  const Job& again(const std::string& name) {
    return second->cluster().job(job_named(second->cluster(), name));
  }

  HandClock next;
  ScriptedRm* next_rm = nullptr;
  std::vector<RmRecord> next_records;  // of the resource managers of the next scheduler
  std::unique_ptr<Engine> second;
};

TEST_F(CheckpointTest, ItsTextHasAllJobsAndWaitsThatAreAdded) {
  begin({});
  for (const std::size_t jobs : {0, 1, 2})
    for (const std::size_t waits : {0, 1, 2}) {
      CheckpointText text(cluster());
      CheckpointedJob job;
      for (std::size_t i = 0; i < jobs; ++i) {
        job.name = fmt::format("job \"{}\"", i);
        job.holds = kUserHold;
        text.add(job);
      }
      for (std::size_t i = 0; i < waits; ++i)
        text.add_wait("\xff", Time(static_cast<std::int64_t>(i)), "a:1-2");
      const auto read = read_checkpoint_text(text.finish(engine().checkpoint()),
                                             settings.display.plot, engine().names());
      ASSERT_TRUE(read) << read.error().what;
      ASSERT_EQ(read->jobs.size(), jobs);
      ASSERT_EQ(read->waited.size(), waits);
      if (jobs > 0) {
        EXPECT_EQ(read->jobs.back().name, job.name);
        EXPECT_EQ(read->jobs.back().holds, kUserHold);
      }
      if (waits == 2) {
        EXPECT_EQ(read->waited.back(), (Checkpoint::Waited{"\xff", Time(1), "a:1-2"}));
      }
    }
}

TEST_F(CheckpointTest, HoldsPrioritiesAndQosOfJobsAreKept) {
  settings.qos["high"] = {};
  begin({job_report("a", 1), job_report("b", 1)});
  ASSERT_TRUE(set_holds(engine(), id("a"), kSystemHold));
  ASSERT_TRUE(engine().set_system_priority(id("a"), {true, 7}));
  ASSERT_TRUE(engine().set_qos(id("b"), engine().names().qos.intern("high")));
  restart();
  second_polls(both_nodes(), {job_report("a", 1), job_report("b", 1)});
  EXPECT_EQ(again("a").holds, kSystemHold);
  EXPECT_EQ(again("a").system_priority, (SystemPriority{true, 7}));
  EXPECT_EQ(second->cluster().qos[again("b").credentials.qos], "high");
  EXPECT_TRUE(again("b").qos_set);
  EXPECT_EQ(again("b").holds, 0);
}

TEST_F(CheckpointTest, TheQueueTimeOfAHeldJobStandsStillWhileNoSchedulerRuns) {
  settings.throttling.accrual = QueueTimeAccrual::queue_policy;
  begin({job_report("a", 1), job_report("b", 1)});
  ASSERT_TRUE(set_holds(engine(), id("a"), kSystemHold));
  restart(Seconds(86400));
  second_polls(both_nodes(), {job_report("a", 1), job_report("b", 1)});
  EXPECT_EQ(again("a").queued, kNow + Seconds(86400));
  EXPECT_EQ(again("a").eligible_since, kNow + Seconds(86400));
  EXPECT_EQ(again("b").queued, kNow) << "it could have started";
}

TEST_F(CheckpointTest, EndedJobsAreStillReported) {
  begin({job_report("a", 1)});
  rm().next.ended = {{"a", JobState::completed, kNow, 2}};
  engine().iterate([] {});
  ASSERT_EQ(engine().ended_jobs().size(), 1U);
  restart();
  ASSERT_EQ(second->ended_jobs().size(), 1U);
  const EndedJob& ended = second->ended_jobs().front();
  EXPECT_EQ(ended.name, "a");
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_EQ(ended.ended, kNow);
  EXPECT_EQ(ended.started, kForever);
}

TEST_F(CheckpointTest, EndedJobsKeepTheReasonWhyTheyWereCancelled) {
  core_starts("a", "n1", 2);
  begin({job_report("a", 2)});
  iterate(minutes(61));
  rm().next.ended = {{"a", JobState::removed, kNow + minutes(61)}};
  iterate(minutes(61));
  restart();
  ASSERT_EQ(second->ended_jobs().size(), 1U);
  EXPECT_EQ(second->ended_jobs().front().cancelled, "it was 00:01:00 past its wallclock limit");
}

TEST_F(CheckpointTest, AJobMayDependOnOneThatEndedBefore) {
  core_starts("a", "n1", 2);
  begin({job_report("a", 2)});
  rm().next.ended = {{"a", JobState::completed, kNow + Seconds(30)}};
  iterate(Seconds(30));
  restart();
  JobReport next_one = job_report("next", 1), other = job_report("other", 1);
  next_one.job.dependencies = {{DependencyKind::after_ok, "a"}};
  other.job.dependencies = {{DependencyKind::after_not_ok, "a"}};
  second_polls(both_nodes(), {next_one, other});
  EXPECT_TRUE(again("next").dependencies_met());
  EXPECT_TRUE(has(again("other").holds, Hold::batch));
}

TEST_F(CheckpointTest, ADependencyIsJudgedOnceAllJobsHaveArrived) {
  core_starts("a", "n1", 2);
  begin({job_report("a", 2)});
  rm().next.ended = {{"a", JobState::completed, kNow + Seconds(30)}};
  iterate(Seconds(30));
  restart();
  JobReport next_one = job_report("next", 1), again_a = job_report("a", 1);
  next_one.job.dependencies = {{DependencyKind::after_ok, "a"}};
  again_a.job.submitted = kNow + Seconds(40);
  next_rm->next.incomplete = {"scripted"};
  second_polls(both_nodes(), {next_one});
  EXPECT_FALSE(again("next").dependencies_met()) << "another job of that name may come";
  second_polls({}, {again_a});
  EXPECT_EQ(again("next").dependencies.front().state, DependencyState::open);
  next_rm->next.ended = {{"a", JobState::completed, next.time}};
  second->iterate([] {});
  EXPECT_TRUE(again("next").dependencies_met());
}

TEST_F(CheckpointTest, AManagerThatNeverListsAllJobsLetsNoneWaitForEver) {
  settings.jobs.sync_time = minutes(10);
  begin({});
  restart();
  JobReport next_one = job_report("next", 1);
  next_one.job.dependencies = {{DependencyKind::after_ok, "gone", DependencyState::open, true}};
  next_rm->next.incomplete = {"scripted"};
  second_polls(both_nodes(), {next_one});
  EXPECT_FALSE(again("next").dependencies_met());
  next.time = next.time + minutes(10);
  next_rm->next.incomplete = {"scripted"};
  second->iterate([] {});
  EXPECT_TRUE(again("next").dependencies_met());
}

TEST_F(CheckpointTest, AJobWhoseRunIsKeptHasOnlyTheRestToDo) {
  core_starts("a", "n1", 2);
  begin({job_report("a", 2)});
  core = nullptr;
  clock.time = kNow + minutes(10);
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::checkpoint));
  rm().next.changed = {job_report("a", 2)};
  iterate(minutes(11));
  EXPECT_EQ(cluster().request_of(id("a")).limit, minutes(50)) << "the whole job was reported";
  ASSERT_TRUE(engine().set_limit(id("a"), minutes(20)));
  EXPECT_EQ(rm().limit_set, minutes(30)) << "of the whole job";
  rm().next.changed = {job_report("a", 2, minutes(30))};
  iterate(minutes(11));
  EXPECT_EQ(cluster().request_of(id("a")).limit, minutes(20));
  restart(minutes(12));
  second_polls(both_nodes(), {job_report("a", 2, minutes(30))});
  EXPECT_EQ(second->cluster().request_of(again("a").id).limit, minutes(20));
}

TEST_F(CheckpointTest, NamesOfAnyKindAreRead) {
  const std::string odd = "a\"\\\t\xc3\xa9 b";
  begin({job_report(odd, 1)});
  ASSERT_TRUE(set_holds(engine(), id(odd), kSystemHold));
  restart();
  second_polls(both_nodes(), {job_report(odd, 1)});
  EXPECT_EQ(again(odd).holds, kSystemHold);
}

TEST_F(CheckpointTest, AHoldOfTheResourceManagerIsNotRestored) {
  JobReport held = job_report("a", 1);
  held.job.holds = kUserHold;
  begin({held});
  restart();
  second_polls(both_nodes(), {job_report("a", 1)});
  EXPECT_EQ(again("a").holds, 0);
}

TEST_F(CheckpointTest, AJobThatCameAtAnotherTimeIsAnother) {
  begin({job_report("a", 1)});
  ASSERT_TRUE(set_holds(engine(), id("a"), kSystemHold));
  restart();
  JobReport other = job_report("a", 1);
  other.job.submitted = kNow + hours(1);
  second_polls(both_nodes(), {other});
  EXPECT_EQ(again("a").holds, 0);
}

TEST_F(CheckpointTest, ADeferredJobIsReleasedWhenItWasToBe) {
  settings.jobs.defer_time = Seconds(600);
  settings.jobs.defer_start_count = 1;
  rm().refuses_starts = "no";
  core_starts("a", "n1", 1);
  begin({job_report("a", 1)});
  ASSERT_EQ(job("a").holds, kDefer);
  restart(Seconds(60));
  second_polls(both_nodes(), {job_report("a", 1)});
  EXPECT_EQ(again("a").holds, kDefer);
  EXPECT_EQ(again("a").failures.deferrals, 1);
  EXPECT_THAT(again("a").hold_reason->text, HasSubstr("no"));
  next.time = kNow + Seconds(600);
  second->iterate([] {});
  EXPECT_EQ(again("a").holds, 0);
}

// The scheduler dies, and it is not known whether that arrived.
TEST_F(CheckpointTest, AnUnconfirmedStartIsSettledInTimeHoweverOftenASchedulerBegins) {
  settings.jobs.sync_time = Seconds(600);
  settings.fairshare.metric = FairshareMetric::dedicated_proc_seconds;
  rm().reports_starts = true;
  core_starts("a", "n1", 2);
  begin({job_report("a", 2)});
  ASSERT_EQ(job("a").state, JobState::starting);
  restart(Seconds(200));
  for (const int at : {200, 400, 599, 600}) {
    SCOPED_TRACE(at);
    next.time = kNow + Seconds(at);
    next_rm->reports_starts = true;
    second_polls(both_nodes(), {job_report("a", 2)});
    EXPECT_EQ(again("a").state, at < 600 ? JobState::starting : JobState::idle);
    EXPECT_EQ(second->statistics().all.dedicated_proc_seconds, 0);
    for (const auto& window : second->fairshare().windows) EXPECT_EQ(window.total, 0);
    if (at == 600) break;
    begin_from(checkpoint_text(second->cluster(), second->checkpoint()));
  }
  EXPECT_THAT(listener.ended, testing::IsEmpty());
}

TEST_F(CheckpointTest, AStartThatIsCancelledBeforeItIsConfirmedHasNotRun) {
  rm().reports_starts = true;
  core_starts("a", "n1", 2);
  begin({job_report("a", 2)});
  rm().next.ended = {{"a", JobState::removed, kNow + Seconds(60)}};
  iterate(Seconds(60));
  ASSERT_EQ(listener.ended.size(), 1U);
  EXPECT_EQ(listener.ended.front().started, kForever);
  EXPECT_EQ(engine().statistics().all.dedicated_proc_seconds, 0);
}

TEST_F(CheckpointTest, AllStartsOfAPlanAreKeptAtOnceBeforeAnyIsRequested) {
  listener.keeps = rm().reports_starts = true;
  core = [](const Cluster& known, Time) {
    Plan plan;
    for (const auto& [name, on] : {std::pair("a", "n1"), std::pair("b", "n2")})
      if (const JobId job = known.find_job(name); known.job(job).waiting())
        plan.decisions.push_back(StartJob{.job = job, .placement = {{known.find_node(on), 2, 0}}});
    return plan;
  };
  std::size_t asked_before = 1;
  listener.on_keep = [&] { asked_before = rm().asked.size(); };
  begin({job_report("a", 2), job_report("b", 2)});
  EXPECT_EQ(asked_before, 0U);
  ASSERT_EQ(listener.kept.size(), 1U);
  EXPECT_THAT(listener.kept.front(),
              ElementsAre(HasSubstr("\"name\":\"a\""), HasSubstr("\"name\":\"b\"")));
  EXPECT_THAT(rm().asked, ElementsAre("start a on n1:2", "start b on n2:2"));
  iterate(Seconds(60));
  EXPECT_EQ(listener.kept.size(), 1U) << "nothing is started";
}

TEST_F(CheckpointTest, AllRequeuesOfAPlanAreKeptAtOnceBeforeAnyIsRequestedAndThenItGoesOn) {
  begin({running_on("n1"), running_on("n2", "b"), job_report("c", 4)});
  listener.keeps = true;
  core = [](const Cluster& known, Time) {
    Plan plan;
    const JobId c = known.find_job("c");
    if (!known.job(c).waiting()) return plan;
    for (const char* name : {"a", "b"})
      plan.decisions.push_back(PreemptJob{known.find_job(name), Preemption::requeue, c});
    plan.decisions.push_back(StartJob{
        .job = c, .placement = {{known.find_node("n1"), 2, 0}, {known.find_node("n2"), 2, 0}}});
    return plan;
  };
  std::vector<std::size_t> asked_before;
  listener.on_keep = [&] { asked_before.push_back(rm().asked.size()); };
  iterate(Seconds(60));
  EXPECT_THAT(rm().asked, ElementsAre("requeue a", "requeue b", "start c on n1:2 n2:2"));
  EXPECT_THAT(asked_before, ElementsAre(0U, 2U));
  ASSERT_EQ(listener.kept.size(), 2U);
  EXPECT_THAT(listener.kept.front(),
              ElementsAre(HasSubstr("\"requeue_asked\""), HasSubstr("\"requeue_asked\"")));
}

TEST_F(CheckpointTest, AStartByACommandIsKeptBeforeItIsRequested) {
  begin({job_report("a", 2)});
  listener.keeps = true;
  std::size_t asked_before = 1;
  listener.on_keep = [&] { asked_before = rm().asked.size(); };
  ASSERT_TRUE(engine().run_job(id("a"), {}));
  EXPECT_EQ(asked_before, 0U);
  ASSERT_EQ(listener.kept.size(), 1U);
  EXPECT_THAT(listener.kept.front(), ElementsAre(HasSubstr("\"name\":\"a\"")));
}

TEST_F(CheckpointTest, AStartSinceTheCheckpointIsUnconfirmedAndNotMadeAgain) {
  const std::string before = start_since_checkpoint();
  ASSERT_EQ(listener.kept.size(), 1U);
  next.time = kNow + Seconds(60);
  begin_from(before, {}, Seconds(0), listener.kept.front());
  next_rm->reports_starts = true;
  second_polls(both_nodes(), {job_report("a", 2)});
  EXPECT_EQ(again("a").state, JobState::starting);
  EXPECT_EQ(again("a").started, kNow + Seconds(30));
  EXPECT_EQ(second->cluster().node(again("a").placement.front().node).name, "n1");
  next.time = kNow + Seconds(31) + minutes(10);
  next_rm->next.statuses = {{"a", JobState::idle}};
  second->iterate([] {});
  EXPECT_EQ(again("a").state, JobState::idle) << "JOBSYNCTIME after the request";
}

TEST_F(CheckpointTest, AStartSinceTheCheckpointIsNoLongerAgoIfTheClockWasSetForward) {
  constexpr Seconds kStep{4000};
  const std::string before = start_since_checkpoint();
  ASSERT_EQ(listener.kept.size(), 1U);
  const auto ran = [&](Time started) {
    next.time = kNow + Seconds(60) + kStep;
    begin_from(before, {}, kStep, listener.kept.front());
    next_rm->reports_starts = true;
    second_polls(both_nodes(),
                 {started < kForever ? running_on("n1", "a", started) : job_report("a", 2)});
    return next.time - again("a").started - again("a").suspended_time;
  };
  EXPECT_EQ(ran(kNow + Seconds(31)), Seconds(29)) << "it began before the step";
  EXPECT_EQ(ran(kNow + Seconds(40) + kStep), Seconds(20)) << "it began after the step";
  ran(kForever);
  EXPECT_EQ(again("a").state, JobState::starting) << "JOBSYNCTIME is not over";
  next.time = next.time + Seconds(10);
  next_rm->next.statuses = {
      {.name = "a", .state = JobState::running, .started = kNow + Seconds(65) + kStep}};
  second->iterate([] {});
  EXPECT_EQ(next.time - again("a").started - again("a").suspended_time, Seconds(5));
}

TEST_F(CheckpointTest, ACancellationThatWasNotAnsweredIsAskedForAgain) {
  begin({job_report("a", 2), job_report("b", 2)});
  rm().answers_later = true;
  ASSERT_TRUE(engine().cancel_job(id("a")));
  EXPECT_GT(listener.outdated, 0);
  restart();
  second_polls(both_nodes(), {job_report("a", 2), job_report("b", 2)});
  EXPECT_THAT(next_rm->asked, ElementsAre("cancel a"));
  EXPECT_FALSE(job_named_or_none("a").valid());
  ASSERT_EQ(listener.ended.size(), 1U);
  EXPECT_EQ(listener.ended.front().name, "a");
}

TEST_F(CheckpointTest, ACancellationIsKeptUntilItsJobIsReportedAndTheAnswerComes) {
  begin({job_report("a", 2)});
  rm().answers_later = true;
  ASSERT_TRUE(engine().cancel_job(id("a")));
  restart();
  second_polls(both_nodes(), {});
  EXPECT_THAT(next_rm->asked, IsEmpty());
  begin_from(checkpoint_text(second->cluster(), second->checkpoint()));
  second_polls(both_nodes(), {});
  next_rm->next.arrived = {job_report("a", 2)};
  second->iterate([] {});
  EXPECT_THAT(next_rm->asked, ElementsAre("cancel a"));

  begin_from(checkpoint_text(cluster(), engine().checkpoint()));
  next_rm->next.arrived = {job_report("a", 2)};
  next_rm->answers_later = true;
  second->iterate([] {});
  next_rm->answer_all();  // the poll
  ASSERT_THAT(next_rm->asked, ElementsAre("cancel a"));
  begin_from(checkpoint_text(second->cluster(), second->checkpoint()));
  second_polls(both_nodes(), {job_report("a", 2)});
  EXPECT_THAT(next_rm->asked, ElementsAre("cancel a"));
  EXPECT_FALSE(job_named_or_none("a").valid());
}

TEST_F(CheckpointTest, ACancellationWaitsUntilTheRunIsReportedAgain) {
  settings.jobs.purge_time = Seconds(300);
  core_starts("a", "n1", 2);
  begin({job_report("a", 2)});
  rm().next.statuses = {{.name = "a", .state = JobState::running}};
  iterate();
  rm().answers_later = true;
  ASSERT_TRUE(engine().cancel_job(id("a")));
  restart();
  second_polls(both_nodes(), {});
  ASSERT_TRUE(again("a").active());
  EXPECT_THAT(next_rm->asked, IsEmpty()) << "the resource manager does not know the job now";
  next_rm->next.statuses = {{.name = "a", .state = JobState::running}};
  second->iterate([] {});
  EXPECT_THAT(next_rm->asked, ElementsAre("cancel a"));
}

TEST_F(CheckpointTest, ACancellationBecauseOfALimitIsAskedForAgain) {
  settings.jobs.limits = {{ViolationPolicy::always, ViolationAction::cancel,
                           static_cast<std::uint8_t>(LimitedResource::memory)}};
  core_starts("a", "n1", 2);
  JobReport asks = job_report("a", 2);
  asks.request.requirements.front().per_task = procs(1, 100);
  const std::vector<NodeReport> nodes = {node_report("n1", procs(2, 1000))};
  rm().next.nodes = nodes;
  rm().next.arrived = {asks};
  iterate();
  rm().next.statuses = {{"a", std::nullopt, JobUse{2, 201, 0, 0}}};
  rm().answers_later = true;
  iterate(Seconds(30));
  rm().answer_all();  // the poll
  ASSERT_THAT(rm().asked, testing::Contains("cancel a"));
  restart();
  asks.job.state = JobState::running;
  second_polls(nodes, {asks});
  EXPECT_THAT(next_rm->asked, ElementsAre("cancel a")) << "its use is not reported again";
}

// It asks for a QOS that it may not use; setqos has given it another one, and then it was deferred.
TEST_F(CheckpointTest, SetqosCuresARefusedQosAlsoAfterARestart) {
  settings.jobs.defer_start_count = 1;
  settings.qos["low"] = settings.qos["high"] = {};
  settings.users["amy"].qos_list = {"low"};
  JobReport report = job_report("a", 1);
  report.user = "amy";
  report.qos = "high";
  begin({report});
  ASSERT_EQ(job("a").hold_reason->cause, HoldCause::refused);
  ASSERT_TRUE(engine().set_qos(id("a"), engine().names().qos.intern("low")));
  ASSERT_EQ(job("a").holds, 0);
  rm().refuses_starts = "no";
  core_starts("a", "n1", 1);
  iterate(minutes(1));
  ASSERT_EQ(job("a").holds, kDefer);
  restart(minutes(2));
  second_polls(both_nodes(), {report});
  EXPECT_EQ(again("a").holds, kDefer);
  EXPECT_EQ(again("a").own_holds, kDefer);
  EXPECT_EQ(*again("a").hold_reason, *job("a").hold_reason);
  EXPECT_EQ(second->cluster().qos[again("a").credentials.qos], "low");
}

TEST_F(CheckpointTest, ARefusalThatIsNewAfterARestartIsWhyADeferredJobIsHeld) {
  settings.jobs.defer_start_count = 1;
  settings.qos["low"] = settings.qos["high"] = {};
  settings.users["amy"].qos_list = {"low", "high"};
  JobReport report = job_report("a", 1);
  report.user = "amy";
  report.qos = "high";
  begin({report});
  rm().refuses_starts = "no";
  core_starts("a", "n1", 1);
  iterate(minutes(1));
  ASSERT_EQ(job("a").holds, kDefer);
  settings.users["amy"].qos_list = {"low"};
  listener.verbosity = 2;
  restart(minutes(2));
  second_polls(both_nodes(), {report});
  EXPECT_EQ(again("a").hold_reason->cause, HoldCause::refused);
  EXPECT_THAT(listener.lines, testing::Contains(HasSubstr("job 'a' held: no QOS access")));
}

// Each report shows anew what is wrong with the request.
TEST_F(CheckpointTest, AHoldForWhatAJobAsksForStaysReleasedUntilItAsksForSomethingElse) {
  settings.qos["low"] = settings.qos["high"] = {};
  settings.users["amy"].qos_list = {"low"};
  JobReport refused = job_report("refused", 1), lost = job_report("lost", 1),
            unread = job_report("unread", 1);
  refused.user = "amy";
  refused.qos = "high";
  lost.host_list = {"nowhere"};
  lost.host_list_use = HostListUse::all_of;
  unread.problem = "no limit";
  begin({refused, lost, unread});
  for (const char* name : {"refused", "lost", "unread"}) {
    ASSERT_TRUE(has(job(name).holds, Hold::batch)) << name;
    const auto note = engine().change_holds(id(name), 0, static_cast<std::uint8_t>(Hold::batch));
    ASSERT_TRUE(note);
    EXPECT_THAT(*note, HasSubstr("may start now on other terms than it asked for: ")) << name;
  }
  restart();
  second_polls(both_nodes(), {refused, lost, unread});
  for (const char* name : {"refused", "lost", "unread"}) {
    EXPECT_EQ(again(name).holds, 0) << name;
    EXPECT_TRUE(again(name).hold_reason.empty()) << name;
  }
  next_rm->next.changed = {refused};
  second_polls({}, {});
  EXPECT_EQ(again("refused").hold_reason->cause, HoldCause::refused);
}

TEST_F(CheckpointTest, ARefusedCancellationIsNotAskedForAgain) {
  begin({job_report("a", 2)});
  rm().answers_later = true;
  rm().refuses_cancels = "permission denied";
  ASSERT_TRUE(engine().cancel_job(id("a")));
  const int outdated = listener.outdated;
  rm().answer_all();
  EXPECT_GT(listener.outdated, outdated);
  restart();
  second_polls(both_nodes(), {job_report("a", 2)});
  EXPECT_THAT(next_rm->asked, IsEmpty());
}

TEST_F(CheckpointTest, TheLastStateOfAJobThatWasSavedLaterCounts) {
  begin({job_report("a", 2), job_report("b", 2)});
  ASSERT_TRUE(set_holds(engine(), id("a"), kSystemHold));
  Checkpoint made = engine().checkpoint();
  CheckpointedJob once = made.jobs.front(), twice = once, other = once;
  once.start_count = 1;
  twice.start_count = 2;
  other.name = "b";
  add_later(made, {once, twice, other});
  ASSERT_EQ(made.jobs.size(), 2U);
  EXPECT_EQ(made.jobs.front().start_count, 2);
  EXPECT_EQ(made.jobs.back().name, "b");
}

// Files of fairshare are written at every iteration, checkpoints now and then.
TEST_F(CheckpointTest, FairshareGoesOnFromTheCheckpointAndNotFromFilesThatAreAhead) {
  start_charged();
  core = nullptr;
  iterate(Seconds(60));
  const std::string text = checkpoint_text(cluster(), engine().checkpoint());
  iterate(Seconds(90));
  const FairshareHistory ahead = engine().fairshare();
  next.time = kNow + Seconds(120);
  begin_from(text, ahead);
  JobReport runs = job_report("a", 2);
  runs.job.state = JobState::running;
  runs.job.started = kNow;
  runs.task_list = {"n1", "n1"};
  second_polls(both_nodes(), {runs});
  ASSERT_EQ(second->fairshare().windows.size(), 1U);
  EXPECT_EQ(second->fairshare().windows.front().total, 2 * 120);
}

TEST_F(CheckpointTest, TheCheckpointHoldsChargesMadeSinceTheFilesWereWritten) {
  start_charged();
  core = nullptr;
  iterate(Seconds(60));
  const FairshareHistory files = engine().fairshare();
  clock.time = kNow + Seconds(80);
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::requeue));
  begin_from(checkpoint_text(cluster(), engine().checkpoint()), files);
  EXPECT_EQ(second->fairshare().windows.at(0).total, 2 * 80);
}

TEST_F(CheckpointTest, OlderWindowsOfFairshareThatOnlyTheFilesHaveCount) {
  start_charged();
  iterate(Seconds(60));
  FairshareHistory files = engine().fairshare();
  ASSERT_EQ(files.windows.size(), 1U);
  FairshareWindow older = files.windows.front();
  older.start = older.start - settings.fairshare.interval;
  older.total = 7;
  files.windows.push_back(older);
  next.time = kNow + Seconds(120);
  begin_from(checkpoint_text(cluster(), engine().checkpoint()), files);
  ASSERT_EQ(second->fairshare().windows.size(), 2U);
  EXPECT_EQ(second->fairshare().windows.back().start, older.start);
  EXPECT_EQ(second->fairshare().windows.back().total, 7);
}

TEST_F(CheckpointTest, UseAfterARestartIsAddedToTheWindowOfBefore) {
  start_charged();
  iterate(Seconds(60));
  FairshareHistory files = engine().fairshare();
  FairshareWindow older = files.windows.front();
  older.start = older.start - settings.fairshare.interval;
  files.windows.push_back(older);
  const Time current = files.windows.front().start;
  next.time = kNow + Seconds(120);
  begin_from(checkpoint_text(cluster(), engine().checkpoint()), files);
  JobReport runs = job_report("a", 2);
  runs.job.state = JobState::running;
  runs.job.started = kNow;
  runs.task_list = {"n1", "n1"};
  second_polls(both_nodes(), {runs});
  const auto& windows = second->fairshare().windows;
  ASSERT_EQ(windows.size(), 2U);
  EXPECT_EQ(windows.front().start, current);
  EXPECT_EQ(windows.front().total, 2 * 120);
  EXPECT_EQ(windows.back().total, older.total);
}

TEST_F(CheckpointTest, AFairshareFileThatWasRemovedOrChangedByHandCounts) {
  start_charged();
  iterate(Seconds(60));
  FairshareHistory changed = engine().fairshare();
  ASSERT_EQ(changed.windows.size(), 1U);
  for (const double amount : {7.0, -1.0}) {
    if (amount < 0)
      changed.windows.clear();
    else
      changed.windows.front().total = amount;
    Checkpoint last = engine().checkpoint();
    last.in_good_order = true;
    begin_from(checkpoint_text(cluster(), last), changed);
    EXPECT_EQ(second->fairshare().windows.size(), amount < 0 ? 0U : 1U);
    if (amount > 0) {
      EXPECT_EQ(second->fairshare().windows.front().total, amount);
    }
  }
}

TEST_F(CheckpointTest, AFairshareFileThatCouldNotBeWrittenIsWrittenByTheNextScheduler) {
  start_charged();
  iterate(Seconds(60));
  FairshareHistory files = engine().fairshare();
  ASSERT_EQ(files.windows.size(), 1U);
  for (const bool written_before : {false, true}) {
    if (written_before)
      files.windows.front().total = 7;
    else
      files.windows.clear();
    Checkpoint last = engine().checkpoint();
    last.in_good_order = true;
    last.unwritten = {engine().fairshare().windows.front().start};
    begin_from(checkpoint_text(cluster(), last), files);
    EXPECT_EQ(second->fairshare().windows, engine().fairshare().windows);
    const int reported = listener.windows_reported;
    second->iterate([] {});
    EXPECT_EQ(listener.windows_reported, reported + 1);
    files = engine().fairshare();
  }
}

// A scheduler ended in good order; the next one wrote its fairshare, and was killed before it wrote
// a checkpoint.
TEST_F(CheckpointTest, FairshareThatALaterSchedulerWroteCountsOnce) {
  start_charged();
  iterate(Seconds(60));
  Checkpoint last = engine().checkpoint();
  last.in_good_order = true;
  const auto text = checkpoint_text(cluster(), last);
  iterate(Seconds(80));
  const FairshareHistory files = engine().fairshare();
  ASSERT_GT(files.windows.at(0).total, last.fairshare->windows.at(0).total);
  begin_from(text, files);
  EXPECT_EQ(second->fairshare().windows.at(0).total, last.fairshare->windows.at(0).total)
      << "what ran since is charged once more";
}

// The files of a killed scheduler have the use since the checkpoint, in a window that was empty.
TEST_F(CheckpointTest, UseAfterTheClockWasSetBackIntoAnEarlierWindowOfFairshareCountsOnce) {
  const Seconds hour(3600);
  settings.fairshare.interval = hour;
  start_charged();
  core = nullptr;
  iterate(Seconds(60));
  clock.time = clock.time - hour;
  engine().clock_stepped(Seconds(0) - hour);
  const auto text = checkpoint_text(cluster(), engine().checkpoint());
  iterate(Seconds(80) - hour);
  const FairshareHistory files = engine().fairshare();
  ASSERT_EQ(files.windows.size(), 2U);
  next.time = kNow + Seconds(100) - hour;
  begin_from(text, files);
  JobReport runs = job_report("a", 2);
  runs.job.state = JobState::running;
  runs.job.started = kNow;
  runs.task_list = {"n1", "n1"};
  second_polls(both_nodes(), {runs});
  ASSERT_EQ(second->fairshare().windows.size(), 2U);
  EXPECT_EQ(second->fairshare().windows[0].total, 2 * 60);
  EXPECT_EQ(second->fairshare().windows[1].total, 2 * 40);
}

// The files of the killed scheduler have the use since the checkpoint, in an earlier window by now.
TEST_F(CheckpointTest, UseBeforeTheClockWasSetForwardByAWindowCountsOnce) {
  const Seconds hour(3600);
  settings.fairshare.interval = hour;
  start_charged();
  core = nullptr;
  const auto text = checkpoint_text(cluster(), engine().checkpoint());
  iterate(Seconds(60));
  const FairshareHistory files = engine().fairshare();
  next.time = kNow + Seconds(70) + hour;
  begin_from(text, files, hour);
  second_polls(both_nodes(), {running_on("n1")});
  double charged = 0;
  for (const FairshareWindow& window : second->fairshare().windows) charged += window.total;
  EXPECT_EQ(charged, 2 * 70);
}

// A run was charged until its requeue was believed, in a window that began after the checkpoint.
TEST_F(CheckpointTest, AWindowOfFairshareThatBeganSinceTheCheckpointIsWrittenAgain) {
  settings.fairshare.interval = Seconds(100);
  start_charged();
  core = nullptr;
  iterate(Seconds(60));
  const auto text = checkpoint_text(cluster(), engine().checkpoint());
  iterate(Seconds(150));
  const FairshareHistory files = engine().fairshare();
  ASSERT_EQ(files.windows.size(), 2U);
  next.time = kNow + Seconds(160);
  settings.jobs.sync_time = Seconds(10);
  begin_from(text, files);
  second_polls(both_nodes(), {job_report("a", 2)});
  const FairshareWindow& written = listener.window_reported_last;
  EXPECT_EQ(written.start, files.windows.front().start);
  EXPECT_EQ(written.total, 0);
}

TEST_F(CheckpointTest, ReservationsStandAgainWhenTheirNodesAreKnown) {
  begin({});
  auto r = maintenance(cluster(), "maint.0");
  r.access.add(AccessKind::user, engine().names().users.intern("amy"));
  r.flags = static_cast<std::uint16_t>(ReservationFlag::by_name);
  r.per_task = Resources(1, 512);
  ASSERT_TRUE(engine().add_reservation(r));
  restart();
  EXPECT_FALSE(second->cluster().find_reservation("maint.0").valid());
  second_polls({node_report("n1", procs(2))}, {});
  const auto part = second->cluster().find_reservation("maint.0");
  ASSERT_TRUE(part.valid());
  EXPECT_EQ(second->cluster().reservation(part).nodes.size(), 1U);
  EXPECT_EQ(second->checkpoint().reservations.at(0).shares.size(), 2U);
  second_polls({node_report("n2", procs(2))}, {});
  const auto known = second->cluster().find_reservation("maint.0");
  ASSERT_TRUE(known.valid());
  const auto& whole = second->cluster().reservation(known);
  EXPECT_EQ(whole.nodes.size(), 2U);
  EXPECT_EQ(whole.start, r.start);
  EXPECT_EQ(whole.end, r.end);
  EXPECT_EQ(whole.flags, r.flags);
  EXPECT_EQ(whole.per_task, r.per_task);
  ASSERT_EQ(whole.access.criteria.size(), 1U);
  EXPECT_EQ(UserId(static_cast<std::uint32_t>(whole.access.criteria[0].value)),
            second->cluster().users.find("amy"));
}

TEST_F(CheckpointTest, OfALongAccessListOnlyNamesAndWhatIsUnusualIsWritten) {
  begin({});
  auto r = maintenance(cluster(), "maint.0");
  r.owner = "GROUP:staff";
  r.made_by = "amy";
  auto& users = engine().names().users;
  for (int i = 1000; i < 2000; ++i)
    r.access.add(AccessKind::user, users.intern("u" + std::to_string(i)));
  auto& criteria = r.access.criteria;
  criteria[0].affinity = Affinity::negative;
  criteria[1].negated = true;
  criteria[2].required = true;
  criteria.push_back({AccessKind::procs, 4, Comparison::more});
  const auto length = [&] { return checkpoint_text(cluster(), engine().checkpoint()).size(); };
  const auto without = length();
  ASSERT_TRUE(engine().add_reservation(r));
  EXPECT_LT(length() - without, 40'000U);
  restart();
  second_polls(both_nodes(), {});
  const auto& again = second->cluster().reservation(second->cluster().find_reservation("maint.0"));
  EXPECT_EQ(again.owner, "GROUP:staff");
  EXPECT_EQ(again.made_by, "amy");
  ASSERT_EQ(again.access.criteria.size(), criteria.size());
  for (std::size_t i = 0; i < criteria.size(); ++i) {
    auto other = again.access.criteria[i];
    if (other.kind == AccessKind::user) {
      EXPECT_EQ(second->cluster().users[UserId(static_cast<std::uint32_t>(other.value))],
                users[UserId(static_cast<std::uint32_t>(criteria[i].value))]);
      other.value = criteria[i].value;
    }
    EXPECT_EQ(other, criteria[i]) << i;
  }
}

// kNow is 13:46:40; the reservation begins at once.
TEST_F(CheckpointTest, APriorityReservationThatIsKeptStandsAgain) {
  begin_with_a_reserved(ReservationPolicy::highest);
  restart();
  second_polls(both_nodes(), {job_report("a", 2)});
  ASSERT_TRUE(again("a").reservation.valid());
  const Reservation& kept = second->cluster().reservation(again("a").reservation);
  EXPECT_EQ(kept.start, kNow + hours(1));
  EXPECT_EQ(show(second->cluster(), kept.nodes), "n2:2");
}

TEST_F(CheckpointTest, APriorityReservationIsMadeAnewWhereItsNodesOrItsJobAreNotTheSame) {
  begin_with_a_reserved(ReservationPolicy::highest);
  restart();
  second_polls({node_report("n1", procs(2))}, {job_report("a", 2)});
  EXPECT_FALSE(again("a").reservation.valid());
  restart();
  second_polls(both_nodes(), {job_report("a", 1)});
  EXPECT_FALSE(again("a").reservation.valid());
}

TEST_F(CheckpointTest, AKeptPriorityReservationStandsAgainInTheShapeForWhichItWasMade) {
  settings.reservation_policy = ReservationPolicy::highest;
  core = [](const Cluster& known, Time) {
    Plan plan;
    plan.decisions = {
        ReserveJob{known.find_job("a"), kNow + hours(1), {{known.find_node("n2"), 2, 0}}}};
    return plan;
  };
  JobReport report = job_report("a", 6);
  report.job.alternatives = {{6, hours(1)}, {2, hours(3)}};
  begin({report});
  restart();
  second_polls(both_nodes(), {report});
  ASSERT_TRUE(again("a").reservation.valid());
  const Reservation& kept = second->cluster().reservation(again("a").reservation);
  EXPECT_EQ(show(second->cluster(), kept.nodes), "n2:2");
  EXPECT_EQ(kept.end, kNow + hours(4));
}

TEST_F(CheckpointTest, ThePromiseOfAJobAndThatItHeldItLastAreKept) {
  begin({job_report("a", 2)});
  RunTimes& times = open_cluster(engine()).run_times;
  times.at(id("a")).promised = kNow + Seconds(100);
  times.at(id("a")).promised_last = true;
  times.promised_last.push_back(id("a"));
  ASSERT_TRUE(job("a").waiting());
  restart();
  second_polls(both_nodes(), {job_report("a", 2)});
  const RunTimes& restored = second->cluster().run_times;
  EXPECT_EQ(restored.of(again("a").id).promised, kNow + Seconds(100));
  EXPECT_TRUE(restored.of(again("a").id).promised_last);
  EXPECT_THAT(restored.promised_last, ElementsAre(again("a").id));
}

TEST_F(CheckpointTest, APriorityReservationThatIsMadeInEachIterationIsNotKept) {
  begin_with_a_reserved(ReservationPolicy::current_highest);
  restart();
  second_polls(both_nodes(), {job_report("a", 2)});
  EXPECT_FALSE(again("a").reservation.valid());
}

TEST_F(CheckpointTest, TriggersThatHaveGoneOffDoNotDoSoAgain) {
  auto& fast = settings.standing_reservations["fast"];
  fast.hosts = "n1";
  fast.end = Seconds(20 * 3600);
  fast.depth = 1;
  const auto run = [](std::string what) {
    return Trigger{TriggerEvent::create, Seconds(0), 0, TriggerAction::execute, std::move(what)};
  };
  fast.triggers = {run("create"), run("start"), run("load"), run("later")};
  fast.triggers[1].event = TriggerEvent::start;
  fast.triggers[2].event = TriggerEvent::min_load;
  fast.triggers[2].threshold = 0.5;
  fast.triggers[3].offset = Seconds(60);
  begin({});
  ASSERT_THAT(listener.triggered_lines,
              ElementsAre("fast.0.0 create", "fast.0.0 start", "fast.0.0 load"));
  listener.triggered_lines.clear();
  restart(Seconds(30));
  second_polls(both_nodes(), {});
  EXPECT_THAT(listener.triggered_lines, testing::IsEmpty());
  next.time = kNow + Seconds(90);
  second->iterate([] {});
  EXPECT_THAT(listener.triggered_lines, ElementsAre("fast.0.0 later"));
}

/// A scheduler that ends, or is killed, starts nothing of what waits for a free place.
TEST_F(CheckpointTest, ATriggerWhoseProgramHasNotBegunGoesOffInTheNextScheduler) {
  auto& fast = settings.standing_reservations["fast"];
  fast.hosts = "n1";
  fast.end = hours(20);
  fast.depth = 1;
  for (const char* what : {"first", "second"})
    fast.triggers.push_back({TriggerEvent::start, Seconds(0), 0, TriggerAction::execute, what});
  listener.programs_wait = true;
  begin({});
  ASSERT_THAT(listener.triggered_lines, ElementsAre("fast.0.0 first", "fast.0.0 second"));
  listener.waiting[0]();
  iterate(Seconds(10));
  EXPECT_EQ(listener.triggered_lines.size(), 2U) << "it waits, and does not go off twice";
  listener.triggered_lines.clear();
  restart(Seconds(30));
  second_polls(both_nodes(), {});
  EXPECT_THAT(listener.triggered_lines, ElementsAre("fast.0.0 second"));
  second->iterate([] {});
  EXPECT_EQ(listener.triggered_lines.size(), 1U);
}

Trigger at_the_end(Seconds offset) {
  return {TriggerEvent::end, offset, 0, TriggerAction::execute, "over"};
}

TEST_F(CheckpointTest, ATriggerAfterTheEndIsStillToCome) {
  auto& fast = settings.standing_reservations["fast"];
  fast.hosts = "n1";
  fast.end = hours(14);  // in 800 seconds
  fast.depth = 1;
  fast.triggers = {at_the_end(hours(1))};
  begin({});
  iterate(Seconds(800));
  restart(Seconds(860));
  second_polls(both_nodes(), {});
  EXPECT_THAT(listener.triggered_lines, testing::IsEmpty());
  EXPECT_EQ(second->next_event(), kNow + Seconds(800) + hours(1));
  next.time = kNow + Seconds(800) + hours(1);
  second->iterate([] {});
  EXPECT_THAT(listener.triggered_lines, ElementsAre("fast.0.0 over"));
}

TEST_F(CheckpointTest, AnEndThatNoSchedulerSawIsSeenByTheNext) {
  auto& fast = settings.standing_reservations["fast"];
  fast.hosts = "n1";
  fast.end = hours(14);
  fast.depth = 1;
  fast.triggers = {at_the_end(Seconds(0)),
                   {TriggerEvent::start, Seconds(0), 0, TriggerAction::execute, "begun"}};
  begin({});
  ASSERT_THAT(listener.triggered_lines, ElementsAre("fast.0.0 begun"));
  listener.triggered_lines.clear();
  restart(Seconds(3600));
  second_polls(both_nodes(), {});
  EXPECT_THAT(listener.triggered_lines, ElementsAre("fast.0.0 over"));
  second->iterate([] {});
  EXPECT_EQ(listener.triggered_lines.size(), 1U);
}

/// A standing reservation of n1 for 18:00 to 20:00, today (in four hours) and tomorrow.
class StandingCheckpointTest : public CheckpointTest {
 protected:
  StandingCheckpointTest() {
    fast().hosts = "n1";
    fast().start = hours(18);
    fast().end = hours(20);
  }
  StandingReservationSettings& fast() { return settings.standing_reservations["fast"]; }
  /// "NAME START", in hours from now on.
  std::vector<std::string> second_has() {
    std::vector<std::string> lines;
    for (const auto id : second->cluster().reservations()) {
      const Reservation& r = second->cluster().reservation(id);
      lines.push_back(r.name + " " + std::to_string((r.start - kMidnight).raw() / 3600));
    }
    return lines;
  }
  static constexpr Time kMidnight{12 * 86400};
};

// Its nodes are known only after a reservation of other nodes has been made for the day.
TEST_F(StandingCheckpointTest, TriggersOfOneThatIsMadeOnOtherNodesDoNotGoOffAgain) {
  fast().hosts.clear();
  fast().tasks = 1;
  fast().depth = 1;
  fast().triggers = {{TriggerEvent::create, Seconds(0), 0, TriggerAction::execute, "made"}};
  begin({});
  ASSERT_THAT(listener.triggered_lines, ElementsAre("fast.0.0 made"));
  const std::string first =
      show(cluster(), cluster().reservation(cluster().find_reservation("fast.0.0")).nodes);
  restart();
  second_polls({node_report(first.starts_with("n1") ? "n2" : "n1", procs(2))}, {});
  EXPECT_EQ(second_has().size(), 1U);
  second_polls(both_nodes(), {});
  EXPECT_EQ(second_has().size(), 1U);
  EXPECT_EQ(listener.triggered_lines.size(), 1U);
}

// Its nodes are known only after the planner has made reservations of other nodes for these days.
TEST_F(StandingCheckpointTest, OfEachDayThereIsOneThoughItsNameHasChangedAtMidnight) {
  fast().hosts = "n[1-2]";
  begin({});
  restart(kMidnight - kNow + Seconds(60));
  second_polls({node_report("n2", procs(2))}, {});
  second->iterate([] {});
  second_polls({node_report("n1", procs(2))}, {});
  second->iterate([] {});
  EXPECT_THAT(second_has(), testing::UnorderedElementsAre("fast.0.0 18", "fast.1.0 42"));
}

TEST_F(StandingCheckpointTest, OneThatIsNotConfiguredAnyMoreGoesWheneverItIsRestored) {
  fast().hosts = "n2";
  begin({});
  settings.standing_reservations.clear();
  restart();
  second_polls({node_report("n1", procs(2))}, {});
  second_polls({node_report("n2", procs(2))}, {});
  second->iterate([] {});
  EXPECT_THAT(second_has(), testing::IsEmpty());
}

TEST_F(StandingCheckpointTest, OneThatHasBeenReleasedStaysAwayUntilItIsConfiguredAnew) {
  fast().period = StandingPeriod::infinity;
  begin({});
  ASSERT_TRUE(engine().release_reservation(cluster().find_reservation("fast.0.0")));
  const auto text = checkpoint_text(cluster(), engine().checkpoint());
  next.time = kNow + Seconds(60);
  begin_from(text);
  second_polls(both_nodes(), {});
  EXPECT_THAT(second_has(), testing::IsEmpty());
  fast().hosts = "n2";
  begin_from(text);
  second_polls(both_nodes(), {});
  EXPECT_EQ(second_has().size(), 1U);
}

TEST_F(StandingCheckpointTest, OneThatSlidAndEndedWhileNoSchedulerRanIsNotMadeAgain) {
  fast().hosts.clear();
  fast().tasks = 1;
  fast().depth = 1;
  put(fast().flags, ReservationFlag::slide_forward);
  begin({});
  ASSERT_EQ(cluster().reservation(cluster().find_reservation("fast.0.0")).start, kNow);
  restart(hours(3));
  second_polls(both_nodes(), {});
  EXPECT_THAT(second_has(), testing::IsEmpty()) << "its turn of today is over";
}

// As many tasks as the largest node has room for, of a megabyte of disk each.
TEST_F(CheckpointTest, AReservationOfVeryManyTasksIsReadAgain) {
  begin({});
  Reservation many = maintenance(cluster(), "many");
  many.nodes = {{cluster().find_node("n1"), 15'000'000, 0}};
  ASSERT_TRUE(engine().add_reservation(many));
  restart();
  second_polls(both_nodes(), {});
  EXPECT_TRUE(second->cluster().find_reservation("many").valid());
}

TEST_F(CheckpointTest, AReservationThatHasMovedDoesNotWaitForItsOldNodes) {
  begin({});
  auto r = maintenance(cluster(), "maint.0");
  r.tasks_wanted = 2;
  put(r.flags, ReservationFlag::slide_forward);
  put(r.flags, ReservationFlag::space_flex);
  ASSERT_TRUE(engine().add_reservation(r));
  restart();
  second_polls({node_report("n1", procs(2)), node_report("n3", procs(2))}, {});
  const auto moved = [this]() -> const Reservation& {
    return second->cluster().reservation(second->cluster().find_reservation("maint.0"));
  };
  const Time start = moved().start;
  EXPECT_LT(start, r.start) << "n1 and n3 are free";
  next.time = next.time + Seconds(60);
  second_polls({node_report("n3", procs(4))}, {});
  EXPECT_EQ(moved().start, start);
  second_polls({node_report("n2", procs(2))}, {});
  EXPECT_EQ(show(second->cluster(), moved().nodes), "n1:1 n3:1");
}

TEST_F(CheckpointTest, AReservationThatIsReleasedStaysAwayThoughNodesOfItAreToCome) {
  begin({});
  ASSERT_TRUE(engine().add_reservation(maintenance(cluster(), "maint.0")));
  restart();
  second_polls({node_report("n1", procs(2))}, {});
  ASSERT_TRUE(second->release_reservation(second->cluster().find_reservation("maint.0")));
  second_polls({node_report("n2", procs(2))}, {});
  EXPECT_FALSE(second->cluster().find_reservation("maint.0").valid());
}

TEST_F(CheckpointTest, AReservationThatEndedMeanwhileIsGone) {
  begin({});
  ASSERT_TRUE(engine().add_reservation(maintenance(cluster(), "maint.0")));
  restart(Seconds(7200));
  second_polls(both_nodes(), {});
  EXPECT_FALSE(second->cluster().find_reservation("maint.0").valid());
}

// "a" uses two of the four processors.
TEST_F(CheckpointTest, TheUseOfAReservationGoesOn) {
  core_starts("a", "n1", 2);
  begin({job_report("a", 2)});
  auto r = maintenance(cluster(), "maint.0");
  r.start = kNow;
  ASSERT_TRUE(engine().add_reservation(r));
  iterate(Seconds(100));
  const auto use_in = [](const Engine& of) {
    return of.use_of(of.cluster().reservation(of.cluster().find_reservation("maint.0")));
  };
  EXPECT_EQ(use_in(engine()), (ReservationUses::Use{200, 400}));
  restart(Seconds(160));
  const auto before = second->checkpoint().reservations.at(0).use;
  EXPECT_EQ(before, (ReservationUses::Use{200, 400})) << "though its nodes are not known yet";
  second_polls(both_nodes(), {running_on("n1")});
  EXPECT_EQ(use_in(*second), (ReservationUses::Use{320, 640})) << "with the time in between";
  next.time = next.time + Seconds(50);
  second_polls({}, {});
  EXPECT_EQ(use_in(*second), (ReservationUses::Use{420, 840}));
}

TEST_F(CheckpointTest, UnreportedJobsAndReservationsAreInTheNextCheckpoint) {
  begin({job_report("a", 1)});
  ASSERT_TRUE(set_holds(engine(), id("a"), kSystemHold));
  ASSERT_TRUE(engine().add_reservation(maintenance(cluster(), "maint.0")));
  restart();
  const auto third = second->checkpoint();
  ASSERT_EQ(third.jobs.size(), 1U);
  EXPECT_EQ(third.jobs[0].holds, kSystemHold);
  ASSERT_EQ(third.reservations.size(), 1U);
  EXPECT_EQ(third.reservations[0].shares.size(), 2U);
}

TEST_F(CheckpointTest, MemoriesOlderThanTheExpirationTimeAreForgotten) {
  settings.server.checkpoint_expiration = Seconds(3600);
  begin({job_report("a", 1)});
  ASSERT_TRUE(set_holds(engine(), id("a"), kSystemHold));
  restart(Seconds(3601));
  second_polls(both_nodes(), {job_report("a", 1)});
  EXPECT_EQ(again("a").holds, 0);
}

TEST_F(CheckpointTest, OfManyUnreportedJobsTheOnesSeenLastAreKept) {
  begin({});
  Checkpoint many = engine().checkpoint();
  for (int i = 0; i < 10'002; ++i) {
    CheckpointedJob saved;
    saved.name = "j" + std::to_string(i);
    saved.submitted = kNow;
    saved.seen = kNow + Seconds(i);
    saved.holds = kSystemHold;
    many.jobs.push_back(std::move(saved));
  }
  next.time = kNow + hours(4);
  begin_from(checkpoint_text(cluster(), many));
  next_rm->next.incomplete = {"scripted"};
  second_polls(both_nodes(), {});
  EXPECT_EQ(second->checkpoint().jobs.size(), 10'002U) << "they may be reported yet";
  JobReport newest = job_report("j10001", 1);
  second_polls({}, {newest});
  const auto kept = second->checkpoint().jobs;
  EXPECT_EQ(kept.size(), 10'001U) << "with the one that is reported";
  EXPECT_EQ(again("j10001").holds, kSystemHold);
  EXPECT_TRUE(std::none_of(kept.begin(), kept.end(),
                           [](const CheckpointedJob& saved) { return saved.name == "j0"; }));
}

TEST_F(CheckpointTest, StatisticsGoOnAndCountTheTimeInBetween) {
  core_starts("a", "n1", 2);
  begin({job_report("a", 2)});
  iterate(Seconds(100));
  const double before = engine().statistics().all.dedicated_proc_seconds;
  EXPECT_EQ(before, 200);
  restart(Seconds(160));
  JobReport running = job_report("a", 2);
  running.job.state = JobState::running;
  second_polls(both_nodes(), {running});
  EXPECT_EQ(second->statistics().since, kNow);
  EXPECT_EQ(second->statistics().all.dedicated_proc_seconds, 2 * 160);
  EXPECT_EQ(second->statistics().available_proc_seconds, 4 * 160);
}

TEST_F(CheckpointTest, ARunOfUnequalTasksKeepsTheirSizes) {
  settings.jobs.purge_time = minutes(5);
  JobReport report = job_report("a", 1);
  report.request.requirements.front().per_task = procs(2);
  report.request.requirements.emplace_back().per_task = procs(1);
  report.request.requirements.back().tasks = 1;
  report.job.state = JobState::running;
  report.job.started = kNow;
  report.task_list = {"n2", "n1"};
  begin({report});
  ASSERT_EQ(show(cluster(), job("a").placement), "n2:1 n1:1");
  restart();
  second_polls(both_nodes(), {});
  ASSERT_TRUE(second->cluster().find_job("a").valid());
  EXPECT_EQ(second->cluster().request(again("a").request).total_procs(), 3);
  EXPECT_EQ(show(second->cluster(), again("a").placement), "n2:1 n1:1");
}

TEST_F(CheckpointTest, AJobThatOnlyWaitedNeedsNoMemory) {
  settings.poll_interval = Seconds(60);
  JobReport report = job_report("a", 1);
  report.job.submitted = kNow - Seconds(30);
  begin({report, job_report("b", 1)});
  ASSERT_TRUE(set_holds(engine(), id("b"), kSystemHold));
  EXPECT_EQ(engine().checkpoint().jobs.size(), 1U);
  restart();
  second_polls(both_nodes(), {report, job_report("b", 1)});
  EXPECT_EQ(again("a").eligible_since, report.job.submitted);
}

TEST_F(CheckpointTest, AJobThatKeepsItsTurnAfterARefusedStartKeepsIt) {
  begin({job_report("a", 1)});
  open_cluster(engine()).set_failures(id("a"), {1, 0, kForever, kNow + Seconds(300)});
  restart();
  second_polls(both_nodes(), {job_report("a", 1)});
  EXPECT_EQ(again("a").failures.retry_until, kNow + Seconds(300));
}

TEST_F(CheckpointTest, AJobThatSparesOthersAfterARefusedStartKeepsDoingSo) {
  begin({job_report("a", 1)});
  JobFailures failures;
  failures.preempts_from = kNow + Seconds(300);
  open_cluster(engine()).set_failures(id("a"), failures);
  restart();
  second_polls(both_nodes(), {job_report("a", 1)});
  EXPECT_EQ(again("a").failures.preempts_from, kNow + Seconds(300));
}

TEST_F(CheckpointTest, TheAccountOfAJobThatWasPutOnTheFallbackAccountStays) {
  settings.allocations.fallback_account = "spare";
  begin({job_report("a", 1)});
  open_cluster(engine()).set_account(id("a"), engine().names().accounts.intern("spare"));
  restart();
  second_polls(both_nodes(), {job_report("a", 1)});
  EXPECT_EQ(second->cluster().accounts[again("a").credentials.account], "spare");
}

TEST_F(CheckpointTest, HoldsForReportedProblemsAreFoundAnew) {
  JobReport report = job_report("a", 1);
  report.problem = "the resource manager does not report UNAME";
  begin({report});
  ASSERT_NE(job("a").holds, 0);
  restart();
  second_polls(both_nodes(), {job_report("a", 1)});
  EXPECT_EQ(again("a").holds, 0);
}

/// "a" runs on n1 from kNow on, with both processors.
/// A start is requested at kNow + 30 seconds, and the clock is set back before a report shows it.
class StartBeforeAStepBackTest : public CheckpointTest,
                                 public testing::WithParamInterface<std::int64_t> {
 protected:
  const Seconds by{GetParam()};
  void start() {
    before = start_since_checkpoint();
    core = nullptr;
  }
  /// The next scheduler hears nothing, and the clock is set back again, after fifty seconds.
  void step_again() {
    next_rm->down = "it is silent";
    second->iterate([] {});
    next.time = kNow + Seconds(50) + by + by;
    second->clock_stepped(by);
    second->iterate([] {});
    next_rm->down.reset();
    next.time = kNow + Seconds(60) + by + by;
  }
  /// Returns how long the run has lasted that is reported to have begun then.
  Seconds ran(Time started) {
    next_rm->reports_starts = true;
    second_polls(both_nodes(), {running_on("n1", "a", started)});
    EXPECT_EQ(again("a").ends - next.now(), hours(1) - again("a").run_so_far(next.now()));
    return again("a").run_so_far(next.now());
  }
  void step_and_restart() {
    start();
    clock.time = kNow + Seconds(40) + by;
    engine().clock_stepped(by);
    restart(Seconds(60) + by);
  }
  std::string before;  // the checkpoint before the start
};

TEST_P(StartBeforeAStepBackTest, ItsRunCountsAfterARestart) {
  step_and_restart();
  EXPECT_EQ(ran(kNow + Seconds(31)), Seconds(29));
}

TEST_P(StartBeforeAStepBackTest, ItMayHaveTakenEffectAfterTheStep) {
  step_and_restart();
  EXPECT_EQ(ran(kNow + Seconds(45) + by), Seconds(15));
}

TEST_P(StartBeforeAStepBackTest, TheJobStartsUntilAReportShowsItsRun) {
  step_and_restart();
  next_rm->reports_starts = true;
  second_polls(both_nodes(), {job_report("a", 2)});
  ASSERT_EQ(again("a").state, JobState::starting);
  next.time = next.time + Seconds(10);
  next_rm->next.statuses = {
      {.name = "a", .state = JobState::running, .started = kNow + Seconds(31)}};
  second->iterate([] {});
  EXPECT_EQ(again("a").run_so_far(next.now()), Seconds(39));
  EXPECT_EQ(again("a").ends - next.now(), hours(1) - Seconds(39));
}

TEST_P(StartBeforeAStepBackTest, ItsRunCountsAfterASecondStep) {
  step_and_restart();
  step_again();
  EXPECT_EQ(ran(kNow + Seconds(31)), Seconds(29));
}

TEST_P(StartBeforeAStepBackTest, ItsRunCountsAfterAStepWithoutASchedulerAndASecondOne) {
  start();
  next.time = kNow + Seconds(45) + by;
  begin_from(before, {}, by, listener.kept.front());
  step_again();
  EXPECT_EQ(ran(kNow + Seconds(31)), Seconds(29));
}

TEST_P(StartBeforeAStepBackTest, ItDidNotTakeEffectBeforeItWasRequested) {
  step_and_restart();
  step_again();
  EXPECT_EQ(ran(kNow + Seconds(45) + by), Seconds(30)) << "as long as since the request";
}

INSTANTIATE_TEST_SUITE_P(MinuteAndHour, StartBeforeAStepBackTest, testing::Values(-60, -4000));

class RunningCheckpointTest : public CheckpointTest {
 protected:
  RunningCheckpointTest() {
    settings.jobs.purge_time = minutes(5);
    settings.jobs.sync_time = minutes(10);
    settings.fairshare.metric = FairshareMetric::dedicated_proc_seconds;
  }
  void run() {
    core_starts("a", "n1", 2);
    begin({job_report("a", 2)});
    core = nullptr;
    iterate(Seconds(100));
  }
  /// The same, and the clock is set when "a" has run for 100 seconds; it runs for ten more.
  void run_while_the_clock_is_set(Seconds by) {
    run();
    clock.time = clock.time + by;
    engine().clock_stepped(by);
    iterate(Seconds(110) + by);
  }
  static JobReport running() { return running_on("n1"); }
  void second_polls_past(PastJob past, Seconds at) {
    next.time = kNow + at;
    next_rm->next.past = {std::move(past)};
    second_polls(both_nodes(), {});
  }
  static RunOnFile on_file(Time started, Time ended, bool completed = true) {
    RunOnFile run;
    run.name = "a";
    run.submitted = kNow;
    run.started = run.began = run.reported_start = started;
    run.ended = ended;
    run.completed = completed;
    return run;
  }
  static PastJob ended(Seconds at) { return {running(), {"a", JobState::completed, kNow + at, 0}}; }
};

TEST_F(RunningCheckpointTest, AClockThatIsAheadIsKnownAfterARestart) {
  JobReport report = running_on("n1", "a", kNow + Seconds(30));
  begin({report});
  ASSERT_EQ(job("a").clock_ahead, Seconds(30));
  restart(Seconds(400));
  second_polls(both_nodes(), {report});
  EXPECT_EQ(again("a").clock_ahead, Seconds(30));
  EXPECT_EQ(again("a").clock_step(), Seconds(0));
  EXPECT_EQ(again("a").run_so_far(next.now()), Seconds(400));
}

// Both starts are in the future by our clock.
TEST_F(RunningCheckpointTest, ALaterRunIsKnownAlsoIfTheManagersClockIsAhead) {
  begin({running_on("n1", "a", kNow + Seconds(600))});
  iterate(Seconds(100));
  restart(Seconds(400));
  second_polls(both_nodes(), {running_on("n1", "a", kNow + Seconds(900))});
  EXPECT_EQ(again("a").run_so_far(next.now()), Seconds(0));
  EXPECT_EQ(second->statistics().all.dedicated_proc_seconds, 2 * 100);
}

/// "a" runs on n1 while NODEACCESSPOLICY, NODECFG ACCESS and the flags of its QOS change.
class KeptAccessTest : public RunningCheckpointTest {
 protected:
  static JobReport of_qos(JobReport report) {
    report.qos = "alone";
    return report;
  }
  void run_it() {
    core_starts("a", "n1", 1);
    begin({of_qos(job_report("a", 1))});
    core = nullptr;
  }
  void change(NodeAccess policy, bool dedicated, std::optional<NodeAccess> rule = {}) {
    settings.node_access = policy;
    settings.qos["alone"].flags = {};
    if (dedicated) settings.qos["alone"].flags = {"DEDICATED"};
    settings.nodes["n1"].access = rule;
  }
  void reload() { engine().set_settings(settings); }
  void restart_and_report() {
    restart();
    JobReport report = of_qos(running_on("n1"));
    report.request.requirements.front().tasks = 1;
    report.task_list = {"n1"};
    second_polls(both_nodes(), {report});
    ASSERT_EQ(second->cluster().check(), std::nullopt);
  }
  static NodeAccess on_n1(const Cluster& cluster) {
    return cluster.occupancy(cluster.find_node("n1")).occupants.front().access;
  }
};

TEST_F(KeptAccessTest, ARunSharesItsNodesAsWhenItBeganAfterAReloadAndARestart) {
  change(NodeAccess::shared, false);
  run_it();
  change(NodeAccess::dedicated, true);
  reload();
  EXPECT_EQ(on_n1(cluster()), NodeAccess::shared);
  restart_and_report();
  EXPECT_EQ(on_n1(second->cluster()), NodeAccess::shared);
}

TEST_F(KeptAccessTest, SoDoesARunThatHasItsNodesToItself) {
  change(NodeAccess::shared, true);
  run_it();
  change(NodeAccess::shared, false, NodeAccess::shared);
  reload();
  EXPECT_EQ(on_n1(cluster()), NodeAccess::dedicated);
  restart_and_report();
  EXPECT_EQ(on_n1(second->cluster()), NodeAccess::dedicated);
}

TEST_F(KeptAccessTest, WhatANodeDemandsAppliesToItsJobsAtOnce) {
  change(NodeAccess::shared, false);
  run_it();
  change(NodeAccess::shared, false, NodeAccess::dedicated);
  reload();
  EXPECT_EQ(on_n1(cluster()), NodeAccess::dedicated);
  EXPECT_EQ(cluster().state(cluster().find_node("n1")), NodeState::busy);
  restart_and_report();
  EXPECT_EQ(on_n1(second->cluster()), NodeAccess::dedicated);
}

TEST_F(KeptAccessTest, ARunThatIsRequeuedIsEntitledAnew) {
  change(NodeAccess::shared, false);
  run_it();
  change(NodeAccess::single_task, false);
  reload();
  restart_and_report();
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::requeue));
  EXPECT_EQ(cluster().request_of(id("a")).access.usual, NodeAccess::single_task);
  ASSERT_TRUE(second->preempt_job(again("a").id, Preemption::requeue));
  EXPECT_EQ(second->cluster().request_of(again("a").id).access.usual, NodeAccess::single_task);
}

TEST_F(KeptAccessTest, AnotherRunAndACheckpointOfBeforeCountByTheSettingsInForce) {
  change(NodeAccess::shared, false);
  run_it();
  change(NodeAccess::dedicated, false);
  reload();
  const std::string text = checkpoint_text(cluster(), engine().checkpoint());
  const std::string field = R"("access":"SHARED",)";
  const auto at = text.find(field);
  ASSERT_NE(at, text.npos);
  next.time = kNow + Seconds(60);
  begin_from(std::string(text).erase(at, field.size()));
  JobReport report = of_qos(running_on("n1"));
  second_polls(both_nodes(), {report});
  EXPECT_EQ(on_n1(second->cluster()), NodeAccess::dedicated);
  begin_from(text);
  report.job.started = kNow + Seconds(30);
  next_rm->next.nodes = both_nodes();
  second_polls(both_nodes(), {report});
  EXPECT_EQ(on_n1(second->cluster()), NodeAccess::dedicated);
  EXPECT_FALSE(
      read_checkpoint_text(std::string(text).replace(at, field.size(), R"("access":"NONE",)"),
                           settings.display.plot, engine().names()));
}

/// A restart changes nothing that a reload has not changed.
class AnyKeptAccessTest : public KeptAccessTest, public testing::WithParamInterface<unsigned> {};

TEST_P(AnyKeptAccessTest, AfterARestartEachRunSharesItsNodesAsBefore) {
  std::minstd_rand chance(GetParam() + 1);
  const auto below = [&](unsigned bound) { return static_cast<unsigned>(chance() >> 8) % bound; };
  const auto some = [&] { return static_cast<NodeAccess>(below(4)); };
  const auto change_some = [&] {
    const auto rule = below(2) == 0 ? std::optional<NodeAccess>() : some();
    change(some(), below(2) == 0, rule);
  };
  change_some();
  run_it();
  for (int i = 0; i < 3; ++i) {
    change_some();
    reload();
    ASSERT_EQ(cluster().check(), std::nullopt);
  }
  if (below(3) == 0) {
    ASSERT_TRUE(engine().set_qos(id("a"), engine().names().qos.intern("alone")));
  }
  restart_and_report();
  EXPECT_EQ(second->cluster().request_of(again("a").id).access,
            cluster().request_of(id("a")).access);
  EXPECT_EQ(on_n1(second->cluster()), on_n1(cluster()));
}

INSTANTIATE_TEST_SUITE_P(Histories, AnyKeptAccessTest, testing::Range(0U, 60U));

/// The known run was of "amy"; by now, the job is reported as one of "eve".
class ChangedOwnerTest : public RunningCheckpointTest {
 protected:
  static JobReport with_owner(JobReport report, const std::string& user) {
    report.user = user;
    report.group = "of_" + user;
    report.account = "account_of_" + user;
    report.job_class = "class_of_" + user;
    return report;
  }
  void run_of_amy() {
    core_starts("a", "n1", 2);
    begin({with_owner(job_report("a", 2), "amy")});
    core = nullptr;
    iterate(Seconds(100));
    restart(Seconds(200));
  }
  std::string owner() {
    const Credentials& who = again("a").credentials;
    const Cluster& known = second->cluster();
    return known.users[who.user] + " " + known.groups[who.group] + " " +
           known.accounts[who.account] + " " + known.classes[who.job_class];
  }
  static constexpr auto kAmy = "amy of_amy account_of_amy class_of_amy";
  static constexpr auto kEve = "eve of_eve account_of_eve class_of_eve";
};

TEST_F(ChangedOwnerTest, ARunKeepsItsCredentialsUntilTheJobWaitsAgain) {
  run_of_amy();
  second_polls(both_nodes(), {with_owner(running(), "eve")});
  EXPECT_EQ(owner(), kAmy);
  second->iterate([] {});
  EXPECT_EQ(owner(), kAmy);
  ASSERT_TRUE(second->preempt_job(job_named_or_none("a"), Preemption::requeue));
  second->iterate([] {});
  EXPECT_EQ(again("a").state, JobState::idle);
  EXPECT_EQ(owner(), kEve);
}

TEST_F(ChangedOwnerTest, AlsoAfterAnotherRestart) {
  run_of_amy();
  second_polls(both_nodes(), {with_owner(running(), "eve")});
  begin_from(checkpoint_text(second->cluster(), second->checkpoint()));
  second_polls(both_nodes(), {with_owner(running(), "eve")});
  EXPECT_EQ(owner(), kAmy);
}

TEST_F(ChangedOwnerTest, ARunThatEndsMeanwhileIsAccountedUnderItsCredentials) {
  run_of_amy();
  PastJob past = ended(Seconds(150));
  past.report = with_owner(std::move(past.report), "eve");
  second_polls_past(past, Seconds(250));
  ASSERT_EQ(listener.ended.size(), 1U);
  EXPECT_EQ(second->cluster().users[listener.ended[0].credentials.user], "amy");
  EXPECT_EQ(second->cluster().accounts[listener.ended[0].credentials.account], "account_of_amy");
}

TEST_F(ChangedOwnerTest, TheNextRunHasTheNewOnes) {
  run_of_amy();
  JobReport later = with_owner(running(), "eve");
  later.job.started = kNow + Seconds(150);
  second_polls(both_nodes(), {later});
  EXPECT_EQ(again("a").started, kNow + Seconds(150));
  EXPECT_EQ(owner(), kEve);
  EXPECT_EQ(second->fairshare().windows.front().used[CredentialKind::user]
                                                    [second->cluster().users.find("amy").raw()],
            200);
}

TEST_F(ChangedOwnerTest, AJobThatWaitsHasThemAtOnce) {
  run_of_amy();
  settings.jobs.sync_time = Seconds(0);
  second->set_settings(settings);
  second_polls(both_nodes(), {with_owner(job_report("a", 2), "eve")});
  EXPECT_EQ(again("a").state, JobState::idle);
  EXPECT_EQ(owner(), kEve);
}

TEST_F(RunningCheckpointTest, WhatARunHasUsedIsKnownAfterARestart) {
  core_starts("a", "n1", 2);
  begin({job_report("a", 2)});
  core = nullptr;
  rm().next.statuses = {{.name = "a", .use = JobUse{.memory = 100, .cpu_seconds = 50}}};
  iterate(Seconds(100));
  restart(Seconds(400));
  second_polls(both_nodes(), {running()});
  EXPECT_EQ(again("a").use->cpu_seconds, 50);
  EXPECT_EQ(again("a").use->memory, 100);
  EXPECT_EQ(again("a").average_procs(), 0.5);
  // The report of the job goes before that.
  restart(Seconds(400));
  JobReport report = running();
  report.job.use = JobUse{.cpu_seconds = 80};
  report.job.used_run = Seconds(160);
  second_polls(both_nodes(), {report});
  EXPECT_EQ(again("a").use->cpu_seconds, 80);
}

// BACKFILLPOLICY PREEMPT lets others preempt such jobs, and statistics count them.
TEST_F(RunningCheckpointTest, ThatARunWasBackfilledIsKnownAfterARestart) {
  core_starts("a", "n1", 2, true);
  begin({job_report("a", 2)});
  core = nullptr;
  ASSERT_TRUE(has(job("a").flags, JobFlag::backfill));
  restart(Seconds(400));
  second_polls(both_nodes(), {running()});
  EXPECT_TRUE(has(again("a").flags, JobFlag::backfill));
  // The resource manager does not show the start yet.
  restart(Seconds(60));
  second_polls(both_nodes(), {job_report("a", 2)});
  ASSERT_TRUE(again("a").active());
  EXPECT_TRUE(has(again("a").flags, JobFlag::backfill));
  // Another run.
  restart(Seconds(400));
  second_polls(both_nodes(), {running_on("n1", "a", kNow + Seconds(300))});
  EXPECT_FALSE(has(again("a").flags, JobFlag::backfill));
}

TEST_F(RunningCheckpointTest, TheCpuTimeThatFairshareCountsGoesOn) {
  settings.fairshare.metric = FairshareMetric::utilised_proc_seconds;
  core_starts("a", "n1", 2);
  begin({job_report("a", 2)});
  core = nullptr;
  rm().next.statuses = {{.name = "a", .use = JobUse{.cpu_seconds = 50}}};
  iterate(Seconds(100));
  EXPECT_DOUBLE_EQ(engine().fairshare().windows.front().total, 50);
  restart(Seconds(200));
  JobReport report = running();
  report.job.use = JobUse{.cpu_seconds = 180};
  report.job.used_run = Seconds(200);
  second_polls(both_nodes(), {report});
  EXPECT_DOUBLE_EQ(second->fairshare().windows.front().total, 180);
}

TEST_F(RunningCheckpointTest, AChargeOfImpossibleCpuTimeIsNoCheckpoint) {
  settings.fairshare.metric = FairshareMetric::utilised_proc_seconds;
  run();
  Checkpoint made = engine().checkpoint();
  ASSERT_EQ(made.jobs.size(), 1U);
  made.jobs[0].charged_cpu = -1;
  const auto text = checkpoint_text(cluster(), made);
  EXPECT_FALSE(read_checkpoint_text(text, settings.display.plot, engine().names()));
}

TEST_F(RunningCheckpointTest, TheUseOfARunWhoseEndNobodySawIsAccounted) {
  run();
  restart(Seconds(400));
  PastJob past = ended(Seconds(250));
  past.report.job.use = JobUse{.cpu_seconds = 125};
  past.report.job.used_run = Seconds(250);
  second_polls_past(past, Seconds(400));
  EXPECT_DOUBLE_EQ(second->statistics().all.utilised_proc_seconds, 125);
  EXPECT_DOUBLE_EQ(second->statistics().all.dedicated_proc_seconds, 500);
}

TEST_F(RunningCheckpointTest, ARunGoesOnWhereAndSinceWhenItWas) {
  run();
  restart(Seconds(400));
  JobReport report = running();
  report.job.started = kForever;  // it does not tell
  second_polls(both_nodes(), {report});
  EXPECT_EQ(again("a").started, kNow);
  EXPECT_EQ(again("a").start_count, 1);
  EXPECT_EQ(show(second->cluster(), again("a").placement), "n1:2");
}

TEST_F(RunningCheckpointTest, ARunKeepsThePriorityThatItStartedWith) {
  settings.priority.user.weight = 1;
  settings.users["amy"].priority = 70;
  run();
  ASSERT_EQ(job("a").priority, 70);
  restart(Seconds(400));
  second_polls(both_nodes(), {running()});
  EXPECT_EQ(again("a").priority, 70);
}

TEST_F(RunningCheckpointTest, ARunGoesOnThoughItsStateIsReportedAsUnknown) {
  run();
  restart(Seconds(400));
  JobReport report = job_report("a", 2);
  report.job.state = JobState::not_queued;
  second_polls(both_nodes(), {report});
  EXPECT_EQ(again("a").state, JobState::running);
  EXPECT_EQ(again("a").started, kNow);
}

TEST_F(RunningCheckpointTest, ARunKeepsItsTasksIfItsReportCannotBeReadWhole) {
  run();
  const Seconds limit = cluster().request_of(id("a")).limit;
  restart(Seconds(400));
  JobReport report = running();
  report.request.requirements.front().tasks = 1;
  report.request.limit = Seconds(0);
  report.problem = "the resource manager does not report TASKS";
  second_polls(both_nodes(), {report});
  EXPECT_EQ(second->cluster().request_of(again("a").id).total_tasks(), 2);
  EXPECT_EQ(second->cluster().request_of(again("a").id).limit, limit);
  next.time = kNow + Seconds(500);
  next_rm->next.ended = {{"a", JobState::completed, kNow + Seconds(500)}};
  second->iterate([] {});
  EXPECT_EQ(second->statistics().all.run_seconds, 500);
  EXPECT_EQ(second->fairshare().windows.front().total, 2 * 500);
}

TEST_F(RunningCheckpointTest, ARunThatWasStillStartingBeganWhenTheResourceManagerSays) {
  rm().reports_starts = true;
  run();
  restart(Seconds(400));
  JobReport report = running();
  report.job.started = kNow + Seconds(3);
  second_polls(both_nodes(), {report});
  EXPECT_EQ(again("a").started, kNow + Seconds(3));
}

TEST_F(RunningCheckpointTest, TheTimeThatARunWasSuspendedIsKept) {
  run();
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::suspend));
  iterate(Seconds(150));
  ASSERT_TRUE(engine().resume_job(id("a")));
  restart(Seconds(400));
  second_polls(both_nodes(), {running()});
  EXPECT_EQ(again("a").suspended_time, Seconds(50));
  EXPECT_EQ(again("a").ends, kNow + hours(1) + Seconds(50));
}

TEST_F(RunningCheckpointTest, AJobThatIsStillSuspendedIsSoSinceThen) {
  run();
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::suspend));
  restart(Seconds(400));
  JobReport report = running();
  report.job.state = JobState::suspended;
  second_polls(both_nodes(), {report});
  EXPECT_EQ(again("a").suspended_since, kNow + Seconds(100));
  EXPECT_EQ(again("a").time_left, hours(1) - Seconds(100));
  EXPECT_EQ(again("a").suspension_reason->cause, SuspensionCause::by_hand)
      << "it was suspended by hand";
}

TEST_F(RunningCheckpointTest, ASuspensionWhoseEndNobodySawLastedUntilAReportShowsOtherwise) {
  run();
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::suspend));
  iterate(Seconds(160));
  restart(Seconds(400));
  second_polls(both_nodes(), {running()});
  EXPECT_EQ(again("a").suspensions(), Seconds(300));
  EXPECT_EQ(again("a").ends, kNow + Seconds(300) + hours(1)) << "its limit is not that time";
  restart(Seconds(400));
  second_polls_past(ended(Seconds(380)), Seconds(400));
  EXPECT_EQ(second->statistics().all.run_seconds, 100);
  EXPECT_EQ(second->fairshare().windows.front().total, 2 * 100);
}

TEST_F(RunningCheckpointTest, AStateThatIsDoubtedHasBeenReportedSinceThen) {
  run();
  const int outdated = listener.outdated;
  rm().next.statuses = {{"a", JobState::suspended}};
  iterate(Seconds(150));
  ASSERT_EQ(job("a").state, JobState::running);
  EXPECT_GT(listener.outdated, outdated);
  restart(Seconds(400));
  JobReport report = running();
  report.job.state = JobState::suspended;
  second_polls(both_nodes(), {report});
  EXPECT_EQ(again("a").suspended_since, kNow + Seconds(150));
  EXPECT_EQ(again("a").run_so_far(next.now()), Seconds(150));
}

TEST_F(RunningCheckpointTest, AResumptionThatIsDoubtedHasBeenReportedSinceThen) {
  run();
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::suspend));
  rm().next.statuses = {{"a", JobState::running}};
  iterate(Seconds(150));
  ASSERT_EQ(job("a").state, JobState::suspended);
  restart(Seconds(400));
  second_polls(both_nodes(), {running()});
  EXPECT_EQ(again("a").suspensions(), Seconds(50));
}

TEST_F(RunningCheckpointTest, ASuspensionWhoseEndNobodySawWasAsLongAsItsResourceManagerTells) {
  run();
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::suspend));
  iterate(Seconds(160));
  restart(Seconds(400));
  PastJob past = ended(Seconds(380));
  past.report.job.suspended_time = Seconds(70);
  second_polls_past(past, Seconds(400));
  EXPECT_EQ(second->statistics().all.run_seconds, 380 - 70);
}

TEST_F(RunningCheckpointTest, ARequeueWithoutAnAnswerEndedTheRunIfTheJobIsReportedAsWaiting) {
  run();
  rm().answers_later = true;
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::requeue));
  restart(Seconds(400));
  JobReport report = running();
  report.job.state = JobState::idle;
  report.job.started = kForever;
  report.task_list.clear();
  second_polls(both_nodes(), {report});
  EXPECT_EQ(again("a").state, JobState::idle) << "that is no surprise";
  EXPECT_EQ(second->fairshare().windows.front().total, 200);
}

/// Commands about the job "a", which runs, are not answered before the scheduler is killed.
class UnansweredCommandTest : public RunningCheckpointTest {
 protected:
  void command(const std::function<Status(JobId)>& give) {
    rm().answers_later = true;
    const int outdated = listener.outdated;
    ASSERT_TRUE(give(id("a")));
    EXPECT_GT(listener.outdated, outdated);
    restart(Seconds(400));
  }
  void preempt(Preemption how) {
    run();
    command([&](JobId a) { return engine().preempt_job(a, how); });
  }
  void resume() {
    run();
    ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::suspend));
    iterate(Seconds(150));
    command([&](JobId a) { return engine().resume_job(a); });
  }
  void change_limit(Seconds limit) {
    command([&](JobId a) { return engine().set_limit(a, limit); });
  }
  static JobReport in_state(JobState state) {
    JobReport report = running();
    report.job.state = state;
    return report;
  }
  void reported(JobReport a) { second_polls(both_nodes(), {std::move(a)}); }
  void restart_again() { begin_from(checkpoint_text(second->cluster(), second->checkpoint())); }
};

// While it is suspended, its limit is no reason to ask.
TEST_F(UnansweredCommandTest, ACancellationIsAskedForOnceHoweverManyCommandsThereAre) {
  run();
  rm().answers_later = true;
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(engine().cancel_job(id("a")));
  EXPECT_EQ(std::count(rm().asked.begin(), rm().asked.end(), "cancel a"), 1);
}

TEST_F(UnansweredCommandTest, ARequeueIsAskedForOnceHoweverManyCommandsThereAre) {
  run();
  rm().answers_later = true;
  std::vector<Status> answers;
  for (int i = 0; i < 3; ++i) {
    const auto result = engine().preempt_job(id("a"), Preemption::requeue);
    ASSERT_TRUE(result.awaited);
    result.awaited->then = [&](const Status& status) { answers.push_back(status); };
  }
  EXPECT_EQ(std::count(rm().asked.begin(), rm().asked.end(), "requeue a"), 1);
  rm().answer_all();
  ASSERT_EQ(answers.size(), 3U);
  for (const Status& answer : answers) EXPECT_TRUE(answer);
  EXPECT_EQ(job("a").state, JobState::idle);
}

TEST_F(UnansweredCommandTest, ARefusedRequeueIsAFailureThoughTheRunHasEndedMeanwhile) {
  run();
  rm().answers_later = true;
  rm().refuses_preemption = "the job is about to end";
  std::optional<Status> answer;
  const auto result = engine().preempt_job(id("a"), Preemption::requeue);
  ASSERT_TRUE(result.awaited);
  result.awaited->then = [&](const Status& status) { answer = status; };
  const auto answers = rm().take_answers();
  rm().answers_later = false;
  rm().next.ended = {{"a", JobState::completed, clock.time}};
  iterate(Seconds(10));
  for (const auto& one : answers) one();
  ASSERT_TRUE(answer);
  ASSERT_FALSE(*answer);
  EXPECT_THAT(answer->error().what, HasSubstr("the job is about to end"));
}

TEST_F(UnansweredCommandTest, ACancellationForTheWallclockLimitIsAskedForAgainAsThat) {
  run();
  rm().answers_later = true;
  iterate(hours(1) + Seconds(100));
  rm().answer_all();  // the poll
  ASSERT_THAT(rm().asked, testing::Contains("cancel a"));
  ASSERT_EQ(rm().cancelled_for, CancelCause::past_limit);
  restart(hours(1) + Seconds(200));
  reported(in_state(JobState::suspended));
  EXPECT_THAT(next_rm->asked, ElementsAre("cancel a"));
  EXPECT_EQ(next_rm->cancelled_for, CancelCause::past_limit);
}

TEST_F(UnansweredCommandTest, ACancellationForTheWallclockLimitIsAskedForOnce) {
  run();
  rm().answers_later = true;
  iterate(hours(1) + Seconds(100));
  rm().answer_all();  // the poll
  restart(hours(1) + Seconds(200));
  reported(running());
  EXPECT_THAT(next_rm->asked, ElementsAre("cancel a"));
  next.time = next.time + settings.poll_interval;
  second->iterate([] {});
  EXPECT_THAT(next_rm->asked, ElementsAre("cancel a", "cancel a")) << "as long as it runs";
}

TEST_F(UnansweredCommandTest, ARunPastItsLimitThatIsToBeRequeuedIsNotCancelledAsWell) {
  preempt(Preemption::requeue);
  next.time = kNow + hours(1) + Seconds(200);
  next_rm->answers_later = true;
  reported(running());
  next_rm->answer_all();  // the poll
  EXPECT_THAT(next_rm->asked, ElementsAre("requeue a"));
}

TEST_F(UnansweredCommandTest, ASuspensionIsAskedForAgain) {
  preempt(Preemption::suspend);
  reported(running());
  EXPECT_THAT(next_rm->asked, ElementsAre("suspend a"));
  EXPECT_EQ(again("a").state, JobState::suspended);
  EXPECT_EQ(again("a").suspension_reason->cause, SuspensionCause::by_hand);
  restart_again();
  reported(running());
  EXPECT_THAT(next_rm->asked, IsEmpty()) << "it was answered";
}

TEST_F(UnansweredCommandTest, ASuspensionThatTookEffectWasByHand) {
  preempt(Preemption::suspend);
  reported(in_state(JobState::suspended));
  EXPECT_THAT(next_rm->asked, IsEmpty());
  EXPECT_EQ(again("a").suspension_reason->cause, SuspensionCause::by_hand);
  EXPECT_EQ(second->statistics().preemptions, 0);
}

TEST_F(UnansweredCommandTest, ASuspensionIsAskedForOnceItIsKnownThatTheJobRunsOn) {
  preempt(Preemption::suspend);
  reported(job_report("a", 2));
  EXPECT_THAT(next_rm->asked, IsEmpty()) << "it is reported as waiting, which may be a mistake";
  next_rm->next.statuses = {
      {.name = "a", .state = JobState::running, .task_list = {"n1", "n1"}, .started = kNow}};
  second->iterate([] {});
  EXPECT_THAT(next_rm->asked, ElementsAre("suspend a"));
}

TEST_F(UnansweredCommandTest, ASuspensionOfARunThatIsOverIsNotAskedForAgain) {
  preempt(Preemption::suspend);
  JobReport report = running();
  report.job.started = kNow + Seconds(300);
  reported(report);
  EXPECT_THAT(next_rm->asked, IsEmpty());
  EXPECT_EQ(again("a").state, JobState::running);
}

TEST_F(UnansweredCommandTest, ARequeueIsAskedForAgainWhileThatRunGoesOn) {
  for (const Preemption how : {Preemption::requeue, Preemption::checkpoint}) {
    preempt(how);
    reported(running());
    EXPECT_THAT(next_rm->asked,
                ElementsAre(how == Preemption::requeue ? "requeue a" : "checkpoint a"));
    EXPECT_EQ(again("a").state, JobState::idle);
    rm().answer_all();
    rm().answers_later = false;
    rm().next.ended = {{"a", JobState::completed, clock.time}};
    iterate(Seconds(500));
  }
}

TEST_F(UnansweredCommandTest, ARequeueThatTookEffectIsNotAskedForAgain) {
  preempt(Preemption::requeue);
  reported(job_report("a", 2));
  EXPECT_EQ(again("a").state, JobState::idle);
  EXPECT_THAT(next_rm->asked, IsEmpty());
}

TEST_F(UnansweredCommandTest, ARequeueEndsNoLaterRun) {
  // Also if that began in the second in which the resource manager last answered.
  for (const Seconds started : {Seconds(300), Seconds(100)}) {
    preempt(Preemption::requeue);
    JobReport report = running();
    report.job.started = kNow + started;
    reported(report);
    EXPECT_THAT(next_rm->asked, IsEmpty());
    EXPECT_EQ(again("a").state, JobState::running);
    rm().answer_all();
    rm().answers_later = false;
    rm().next.ended = {{"a", JobState::completed, clock.time}};
    iterate(Seconds(500));
  }
}

TEST_F(UnansweredCommandTest, ARequeueEndsNoRunOfWhichTheStartIsNotKnown) {
  preempt(Preemption::requeue);
  JobReport report = running();
  report.job.started = kForever;
  reported(report);
  EXPECT_THAT(next_rm->asked, IsEmpty());
  EXPECT_THAT(listener.lines, testing::Contains(HasSubstr("may have begun anew")));
}

TEST_F(UnansweredCommandTest, ARequeueEndsNoRunOfAJobThatIsNotReportedAtFirst) {
  settings.jobs.purge_time = hours(1);
  preempt(Preemption::requeue);
  second_polls(both_nodes(), {});
  next_rm->next.statuses = {
      {.name = "a", .state = JobState::running, .task_list = {"n1", "n1"}, .started = kNow}};
  second->iterate([] {});
  EXPECT_THAT(next_rm->asked, IsEmpty());
  EXPECT_EQ(again("a").state, JobState::running);
}

TEST_F(UnansweredCommandTest, AResumptionIsAskedForAgain) {
  resume();
  reported(in_state(JobState::suspended));
  EXPECT_THAT(next_rm->asked, ElementsAre("resume a"));
  EXPECT_EQ(again("a").state, JobState::running);
  EXPECT_EQ(again("a").run_so_far(next.now()), Seconds(100)) << "until then it had no effect";
}

TEST_F(UnansweredCommandTest, ASuspensionThatTookEffectDidSoWhenItWasAskedFor) {
  preempt(Preemption::suspend);
  reported(in_state(JobState::suspended));
  EXPECT_EQ(again("a").suspended_since, kNow + Seconds(100));
}

/// No answer to a request after 100 seconds will ever come; polls fail until long after that.
class LostAnswerTest : public UnansweredCommandTest {
 protected:
  void lose(Preemption how) {
    settings.jobs.sync_time = Seconds(10);
    run();
    lose([&] { EXPECT_FALSE(engine().preempt_job(id("a"), how)); });
  }
  void lose_by_plan(Preemption how) {
    settings.jobs.sync_time = Seconds(10);
    run();
    rm().next.arrived = {job_report("b", 4)};  // nothing is planned unless something waits
    lose([&] { iterate_once(PreemptJob{id("a"), how, {}}); });
  }
  /// The job is suspended after 50 seconds; no answer to its resumption after 100 will come.
  void lose_resumption() {
    settings.jobs.sync_time = Seconds(10);
    core_starts("a", "n1", 2);
    begin({job_report("a", 2), job_report("b", 4)});
    core = nullptr;
    iterate(Seconds(50));
    ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::suspend));
    iterate(Seconds(100));
    lose([&] { EXPECT_FALSE(engine().resume_job(id("a"))); });
  }
  /// An iteration at this time makes that decision.
  void iterate_once(const Decision& decision) {
    core = [&](const Cluster&, Time) {
      Plan plan;
      plan.decisions.push_back(decision);
      return plan;
    };
    iterate(clock.time - kNow);
    core = nullptr;
  }
  void lose(const std::function<void()>& ask) {
    rm().refuses_preemption = rm().refuses_resumption = "connection reset";
    rm().unanswered = true;
    const int outdated = listener.outdated;
    ask();
    EXPECT_GT(listener.outdated, outdated);
    rm().refuses_preemption.reset();
    rm().refuses_resumption.reset();
    rm().down = "connection reset";
    iterate(Seconds(300));
    rm().down.reset();
  }
  void ends(Time when, std::optional<Seconds> suspended = std::nullopt) {
    if (suspended) rm().next.statuses = {{.name = "a", .suspended_time = suspended}};
    rm().next.ended = {{"a", JobState::completed, when}};
    iterate(Seconds(400));
    ASSERT_EQ(listener.ended.size(), 1U);
  }
  void reported(JobState state) {
    rm().next.statuses = {{"a", state}};
    iterate(Seconds(400));
  }
};

TEST_F(LostAnswerTest, ASuspensionTookEffectWhenItWasAskedFor) {
  lose(Preemption::suspend);
  reported(JobState::suspended);
  EXPECT_EQ(job("a").state, JobState::suspended);
  EXPECT_EQ(job("a").suspended_since, kNow + Seconds(100));
  EXPECT_EQ(job("a").suspension_reason->cause, SuspensionCause::by_hand);
  EXPECT_EQ(engine().statistics().all.dedicated_proc_seconds, 2 * 100);
}

TEST_F(LostAnswerTest, ARequeueTookEffectWhenItWasAskedFor) {
  lose(Preemption::requeue);
  reported(JobState::idle);
  EXPECT_EQ(job("a").state, JobState::idle);
  EXPECT_EQ(engine().statistics().all.dedicated_proc_seconds, 2 * 100);
  EXPECT_EQ(engine().fairshare().windows.front().total, 2 * 100);
}

TEST_F(LostAnswerTest, OneThatThePlanDecidedTookEffectThenToo) {
  lose_by_plan(Preemption::suspend);
  reported(JobState::suspended);
  EXPECT_EQ(job("a").suspended_since, kNow + Seconds(100));
  EXPECT_TRUE(job("a").may_resume()) << "nobody wanted it to stay suspended";
  EXPECT_EQ(engine().statistics().all.dedicated_proc_seconds, 2 * 100);
}

TEST_F(LostAnswerTest, OfSeveralTheFirstTookEffect) {
  lose_by_plan(Preemption::suspend);
  lose([&] {
    rm().next.silent = {{"scripted", "no answer"}};
    iterate_once(PreemptJob{id("a"), Preemption::suspend, {}});
  });
  EXPECT_EQ(engine().checkpoint().jobs.front().requests.size(), 1U);
  reported(JobState::suspended);
  EXPECT_EQ(job("a").suspended_since, kNow + Seconds(100));
}

TEST_F(LostAnswerTest, ARequeueThatThePlanDecidedTookEffectThenToo) {
  lose_by_plan(Preemption::requeue);
  reported(JobState::idle);
  EXPECT_EQ(job("a").state, JobState::idle);
  EXPECT_EQ(engine().statistics().all.dedicated_proc_seconds, 2 * 100);
}

TEST_F(LostAnswerTest, WhatThePlanDecidedTookEffectThenThoughTheSchedulerRestarts) {
  lose_by_plan(Preemption::suspend);
  restart(Seconds(400));
  UnansweredCommandTest::reported(in_state(JobState::suspended));
  EXPECT_THAT(next_rm->asked, IsEmpty());
  EXPECT_EQ(again("a").suspended_since, kNow + Seconds(100));
  EXPECT_TRUE(again("a").may_resume());
}

TEST_F(LostAnswerTest, SoItDidIfTheSchedulerDiedBeforeAnAnswerCouldCome) {
  run();
  rm().answers_later = true;
  rm().next.arrived = {job_report("b", 4)};
  core = [](const Cluster& known, Time) {
    Plan plan;
    plan.decisions = {PreemptJob{known.find_job("a"), Preemption::suspend, {}}};
    return plan;
  };
  const int outdated = listener.outdated;
  iterate(Seconds(100));
  rm().answer_all();  // the poll
  ASSERT_THAT(rm().asked, testing::Contains("suspend a"));
  EXPECT_GT(listener.outdated, outdated);
  restart(Seconds(400));
  UnansweredCommandTest::reported(in_state(JobState::suspended));
  EXPECT_EQ(again("a").suspended_since, kNow + Seconds(100));
  EXPECT_TRUE(again("a").may_resume());
}

TEST_F(LostAnswerTest, ASuspensionCountsIfTheNextReportIsTheEnd) {
  lose(Preemption::suspend);
  ends(kNow + Seconds(350));
  EXPECT_EQ(listener.ended.front().suspended_time, Seconds(250));
  EXPECT_EQ(engine().statistics().all.dedicated_proc_seconds, 2 * 100);
}

TEST_F(LostAnswerTest, ItCountsForAsLongAsTheResourceManagerTells) {
  lose(Preemption::suspend);
  ends(kNow + Seconds(350), Seconds(30));
  EXPECT_EQ(listener.ended.front().suspended_time, Seconds(30));
}

TEST_F(LostAnswerTest, ItDoesNotCountIfTheJobWasSeenToRun) {
  lose(Preemption::suspend);
  iterate(Seconds(320));  // nothing is new of the job: it runs
  ends(kNow + Seconds(350));
  EXPECT_EQ(listener.ended.front().suspended_time, Seconds(0));
}

TEST_F(LostAnswerTest, ASuspensionCountsIfTheFirstReportAfterARestartIsTheEnd) {
  lose(Preemption::suspend);
  restart(Seconds(400));
  second_polls_past(ended(Seconds(350)), Seconds(400));
  ASSERT_EQ(listener.ended.size(), 1U);
  EXPECT_EQ(listener.ended.front().suspended_time, Seconds(250));
  EXPECT_EQ(second->statistics().all.dedicated_proc_seconds, 2 * 100);
}

TEST_F(LostAnswerTest, AJobThatIsNotReportedAnyMoreWasLastKnownToRunBeforeItsSuspension) {
  settings.jobs.purge_time = Seconds(0);
  lose(Preemption::suspend);
  rm().next.lost = {"a"};
  iterate(Seconds(400));
  ASSERT_EQ(listener.ended.size(), 1U);
  EXPECT_EQ(listener.ended.front().ended, kNow + Seconds(100));
}

TEST_F(LostAnswerTest, AResumptionThatHadNoEffectLeftTheJobSuspended) {
  lose_resumption();
  reported(JobState::suspended);
  EXPECT_EQ(job("a").state, JobState::suspended);
  EXPECT_EQ(job("a").run_so_far(clock.time), Seconds(50));
  EXPECT_EQ(engine().statistics().all.dedicated_proc_seconds, 2 * 50);
}

TEST_F(LostAnswerTest, AResumptionThatHadNoEffectLeftItSoBeforeARestart) {
  lose_resumption();
  restart(Seconds(400));
  UnansweredCommandTest::reported(in_state(JobState::suspended));
  EXPECT_THAT(next_rm->asked, IsEmpty());
  EXPECT_EQ(again("a").run_so_far(next.time), Seconds(50));
}

TEST_F(LostAnswerTest, AResumptionTookEffectIfTheNextReportIsTheEnd) {
  lose_resumption();
  ends(kNow + Seconds(350));
  EXPECT_EQ(listener.ended.front().suspended_time, Seconds(50));
}

TEST_F(LostAnswerTest, ALaterSuspensionIsNotThatOne) {
  lose(Preemption::suspend);
  iterate(Seconds(400));  // nothing is new of the job: it runs
  rm().next.statuses = {{"a", JobState::suspended}};
  iterate(Seconds(500));
  rm().next.statuses = {{"a", JobState::suspended}};
  iterate(Seconds(510));
  EXPECT_EQ(job("a").suspended_since, kNow + Seconds(500));
}

TEST_F(LostAnswerTest, ASuspensionIsByHandAfterARestart) {
  lose(Preemption::suspend);
  restart(Seconds(400));
  UnansweredCommandTest::reported(in_state(JobState::suspended));
  EXPECT_EQ(again("a").suspended_since, kNow + Seconds(100));
  EXPECT_EQ(again("a").suspension_reason->cause, SuspensionCause::by_hand);
}

TEST_F(LostAnswerTest, NothingIsAskedForAgain) {
  for (const Preemption how : {Preemption::suspend, Preemption::requeue}) {
    if (!cluster().find_job("a").valid()) {
      lose(how);
    } else {
      rm().refuses_preemption = "connection reset";
      EXPECT_FALSE(engine().preempt_job(id("a"), how));
    }
    restart(Seconds(400));
    UnansweredCommandTest::reported(running());
    EXPECT_THAT(next_rm->asked, IsEmpty());
    EXPECT_EQ(again("a").state, JobState::running);
  }
}

TEST_F(LostAnswerTest, ARequeueEndedTheRunWhenItWasAskedForBeforeARestart) {
  lose(Preemption::requeue);
  restart(Seconds(400));
  second_polls(both_nodes(), {job_report("a", 2)});
  EXPECT_EQ(again("a").state, JobState::idle);
  EXPECT_EQ(second->statistics().all.dedicated_proc_seconds, 2 * 100);
}

TEST_F(UnansweredCommandTest, TheOldLimitDoesNotEndTheJobMeanwhile) {
  run();
  change_limit(hours(2));
  next.time = kNow + hours(1) + Seconds(30);
  reported(running());
  EXPECT_EQ(next_rm->limit_set, hours(2));
  EXPECT_THAT(next_rm->asked, IsEmpty());
}

TEST_F(UnansweredCommandTest, AResumptionOfAJobThatIsNotReportedAtFirstIsAskedForOnceItIs) {
  settings.jobs.purge_time = hours(1);
  resume();
  second_polls(both_nodes(), {});
  EXPECT_THAT(next_rm->asked, IsEmpty());
  next_rm->next.statuses = {
      {.name = "a", .state = JobState::suspended, .task_list = {"n1", "n1"}, .started = kNow}};
  second->iterate([] {});
  EXPECT_THAT(next_rm->asked, ElementsAre("resume a"));
  EXPECT_EQ(again("a").state, JobState::running);
  EXPECT_EQ(again("a").run_so_far(next.now()), Seconds(100));
}

TEST_F(UnansweredCommandTest, AResumptionThatTookEffectIsNotAskedForAgain) {
  resume();
  reported(running());
  EXPECT_THAT(next_rm->asked, IsEmpty());
  EXPECT_EQ(again("a").state, JobState::running);
}

TEST_F(UnansweredCommandTest, AJobThatCannotResumeMeanwhileDoesSoByItself) {
  resume();
  second_polls(both_nodes(), {running_on("n1", "b"), in_state(JobState::suspended)});
  EXPECT_THAT(next_rm->asked, IsEmpty());
  EXPECT_TRUE(again("a").may_resume());
}

TEST_F(UnansweredCommandTest, ALimitOfAJobThatIsNotReportedAtFirstIsAskedForOnceItIs) {
  settings.jobs.purge_time = hours(1);
  run();
  change_limit(hours(2));
  second_polls(both_nodes(), {});
  EXPECT_EQ(next_rm->limit_set, Seconds(0));
  next_rm->next.changed = {running()};
  next_rm->next.statuses = {{.name = "a", .state = JobState::running, .task_list = {"n1", "n1"}}};
  second->iterate([] {});
  EXPECT_EQ(next_rm->limit_set, hours(2));
}

TEST_F(UnansweredCommandTest, ALimitIsAskedForAgain) {
  run();
  change_limit(hours(2));
  reported(running());
  EXPECT_EQ(next_rm->limit_set, hours(2));
  EXPECT_EQ(second->cluster().request_of(again("a").id).limit, hours(2));
}

TEST_F(UnansweredCommandTest, ALimitOfAJobThatWaitsIsAskedForAgain) {
  begin({job_report("a", 2)});
  change_limit(hours(2));
  reported(job_report("a", 2));
  EXPECT_EQ(next_rm->limit_set, hours(2));
  EXPECT_EQ(second->cluster().request_of(again("a").id).limit, hours(2));
}

TEST_F(UnansweredCommandTest, ALimitThatWasSetIsNotAskedForAgain) {
  run();
  change_limit(hours(2) - Seconds(59));  // the resource manager has it in minutes
  JobReport report = running();
  report.request.limit = hours(2);
  reported(report);
  EXPECT_EQ(next_rm->limit_set, Seconds(0));
}

TEST_F(UnansweredCommandTest, TheLastOfSeveralLimitsCounts) {
  run();
  rm().answers_later = true;
  ASSERT_TRUE(engine().set_limit(id("a"), hours(3)));
  change_limit(hours(2));
  reported(running());
  EXPECT_EQ(next_rm->limit_set, hours(2));
}

TEST_F(UnansweredCommandTest, SeveralCommandsAreAskedForAgainInTheirOrder) {
  run();
  rm().answers_later = true;
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::suspend));
  ASSERT_TRUE(engine().set_limit(id("a"), hours(2)));
  command([&](JobId a) { return engine().preempt_job(a, Preemption::requeue); });
  reported(running());
  EXPECT_THAT(next_rm->asked, ElementsAre("suspend a", "requeue a"));
  EXPECT_EQ(next_rm->limit_set, hours(2));
  EXPECT_EQ(again("a").state, JobState::idle);
}

TEST_F(UnansweredCommandTest, ItIsKeptUntilItsJobIsReportedAndTheAnswerComes) {
  settings.jobs.purge_time = hours(1);
  preempt(Preemption::suspend);
  second_polls(both_nodes(), {});
  EXPECT_THAT(next_rm->asked, IsEmpty());
  restart_again();
  next_rm->next.nodes = both_nodes();
  next_rm->next.arrived = {running()};
  next_rm->answers_later = true;
  second->iterate([] {});
  next_rm->answer_all();  // the poll
  ASSERT_THAT(next_rm->asked, ElementsAre("suspend a"));
  restart_again();
  reported(running());
  EXPECT_THAT(next_rm->asked, ElementsAre("suspend a"));
  EXPECT_EQ(again("a").suspension_reason->cause, SuspensionCause::by_hand);
}

TEST_F(UnansweredCommandTest, WhatWasRefusedIsNotAskedForAgain) {
  run();
  rm().answers_later = true;
  rm().refuses_preemption = rm().refuses_limits = "permission denied";
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::suspend));
  ASSERT_TRUE(engine().set_limit(id("a"), hours(2)));
  const int outdated = listener.outdated;
  rm().answer_all();
  EXPECT_GT(listener.outdated, outdated);
  EXPECT_EQ(cluster().request_of(id("a")).limit, hours(1));
  restart(Seconds(400));
  reported(running());
  EXPECT_THAT(next_rm->asked, IsEmpty());
  EXPECT_EQ(next_rm->limit_set, Seconds(0));
}

TEST_F(UnansweredCommandTest, WhatTheSchedulerDecidedItselfIsNotAskedForAgain) {
  core_starts("a", "n1", 2);
  begin({job_report("a", 2), job_report("b", 4)});
  core = [](const Cluster& known, Time) {
    Plan plan;
    plan.decisions.push_back(PreemptJob{known.find_job("a"), Preemption::requeue, JobId()});
    return plan;
  };
  rm().answers_later = true;
  iterate(Seconds(100));
  rm().answer_all();  // the poll
  ASSERT_THAT(rm().asked, testing::Contains("requeue a"));
  restart(Seconds(400));
  reported(running());
  EXPECT_THAT(next_rm->asked, IsEmpty());
  EXPECT_EQ(again("a").state, JobState::running);
}

TEST_F(RunningCheckpointTest, ARequeueSinceTheCheckpointEndedTheRunAndItsUseCountsOnce) {
  run();
  const std::string before = checkpoint_text(cluster(), engine().checkpoint());
  listener.keeps = rm().answers_later = true;
  iterate(Seconds(160));
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::requeue));
  ASSERT_EQ(listener.kept.size(), 1U);
  next.time = kNow + Seconds(400);
  begin_from(before, engine().fairshare(), Seconds(0), listener.kept.front());
  second_polls(both_nodes(), {job_report("a", 2)});
  EXPECT_EQ(again("a").state, JobState::idle);
  EXPECT_EQ(second->fairshare().windows.front().total, 2 * 160);
}

TEST_F(RunningCheckpointTest, ARunThatBeganMeanwhileIsAnotherAndTheKnownOneIsAccounted) {
  run();
  restart(Seconds(400));
  JobReport report = running();
  report.job.started = kNow + Seconds(300);
  second_polls(both_nodes(), {report});
  EXPECT_EQ(again("a").started, kNow + Seconds(300));
  EXPECT_EQ(second->fairshare().windows.front().total, 2 * (100 + 100));
  EXPECT_EQ(second->statistics().all.dedicated_proc_seconds, 2 * (100 + 100));
}

// The clock was set forward while the last scheduler ran, and its resource manager has another.
TEST_F(RunningCheckpointTest, ARunIsNeverShorterThanNothing) {
  run();
  restart(Seconds(500), Seconds(100));
  second_polls(both_nodes(), {running()});
  const std::string text = checkpoint_text(second->cluster(), second->checkpoint());
  const FairshareHistory files = second->fairshare();
  begin_from(text, files);
  second_polls_past(ended(Seconds(80)), Seconds(510));
  ASSERT_EQ(listener.ended.size(), 1U);
  EXPECT_EQ(second->statistics().all.run_seconds, 80);
}

TEST_F(RunningCheckpointTest, ARequeueThatIsRefusedOutdatesTheCheckpoint) {
  run();
  rm().answers_later = true;
  rm().refuses_preemption = "no";
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::requeue));
  const int outdated = listener.outdated;
  rm().answer_all();
  EXPECT_GT(listener.outdated, outdated);
}

// They look like an array whose task "b" runs under its own name.
TEST_F(RunningCheckpointTest, OfTwoStartsOnANodeTheOneThatShowsIsNoProofAgainstTheOther) {
  settings.jobs.sync_time = minutes(10);
  listener.keeps = rm().reports_starts = true;
  core = [](const Cluster& known, Time) {
    Plan plan;
    for (const char* name : {"a", "b"})
      if (const JobId job = known.find_job(name); known.job(job).waiting())
        plan.decisions.push_back(
            StartJob{.job = job, .placement = {{known.find_node("n1"), 1, 0}}});
    return plan;
  };
  begin({job_report("a", 1), job_report("b", 1)});
  ASSERT_EQ(job("b").state, JobState::starting);
  restart(Seconds(2));
  JobReport runs = running_on("n1", "b");
  runs.task_list = {"n1"};
  runs.request.requirements.front().tasks = 1;
  second_polls(both_nodes(), {job_report("a", 1), runs});
  EXPECT_EQ(again("b").state, JobState::running);
  EXPECT_EQ(again("a").state, JobState::starting);
}

TEST_F(RunningCheckpointTest, AStepOfTheClockBeforeTheRestartIsNoSuspension) {
  run_while_the_clock_is_set(hours(1));
  restart(hours(1) + Seconds(120));
  JobReport report = running();
  report.job.suspended_time = Seconds(40);
  second_polls(both_nodes(), {report});
  EXPECT_EQ(again("a").run_so_far(next.now()), Seconds(80));
  EXPECT_EQ(again("a").suspensions(), Seconds(40));
}

TEST_F(RunningCheckpointTest, ASuspensionThatLastsCountsOnceAlsoIfItIsReported) {
  run();
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::suspend));
  for (const Seconds reported : {Seconds(0), Seconds(300), Seconds(310)}) {
    SCOPED_TRACE(reported.raw());
    const Seconds suspended = std::max(reported, Seconds(300)) + Seconds(100);
    restart(Seconds(400));
    JobReport report = running();
    report.job.state = JobState::suspended;
    report.job.suspended_time = reported;
    second_polls(both_nodes(), {report});
    EXPECT_EQ(again("a").suspended_since, kNow + Seconds(100));
    next.time = kNow + Seconds(500);
    second->iterate([] {});
    ASSERT_TRUE(second->resume_job(job_named_or_none("a")));
    EXPECT_EQ(again("a").suspended_time, suspended);
    EXPECT_EQ(again("a").ends, kNow + hours(1) + suspended);
  }
}

TEST_F(RunningCheckpointTest, AJobThatGaveWayGoesOnByItselfAfterwards) {
  run();
  for (const bool answered : {false, true}) {
    SCOPED_TRACE(answered);
    rm().unanswered = !answered;
    rm().refuses_preemption.reset();
    if (!answered) rm().refuses_preemption = "connection reset";
    core = [](const Cluster& known, Time) {
      Plan plan;
      const JobId a = known.find_job("a");
      if (known.job(a).active())
        plan.decisions = {PreemptJob{a, Preemption::suspend, known.find_job("b")}};
      return plan;
    };
    rm().next.arrived = {job_report("b", 1)};  // without one that waits nothing is planned
    iterate(Seconds(150));
    core = nullptr;
    ASSERT_EQ(job("a").suspended(), answered);
    restart(Seconds(400));
    JobReport report = running();
    report.job.state = JobState::suspended;
    second_polls(both_nodes(), {report});
    EXPECT_EQ(again("a").state, JobState::suspended);
    EXPECT_EQ(again("a").suspension_reason, (SuspensionReason{.preemptor = "b"}));
  }
}

/// "a" uses more processors than it asked for.  The scheduler dies, and the job is reported as
/// suspended.
class ViolatorCheckpointTest : public RunningCheckpointTest {
 protected:
  ViolatorCheckpointTest() {
    settings.jobs.limits = {{ViolationPolicy::always, ViolationAction::suspend,
                             static_cast<std::uint8_t>(LimitedResource::procs)}};
  }
  void suspend() {
    run();
    rm().next.statuses = {{"a", std::nullopt, JobUse{9, 0, 0, 0}}};
    iterate(Seconds(150));
  }
  void restart_while_suspended() {
    next.time = kNow + Seconds(400);
    begin_from(text());
    second_polls(both_nodes(), {suspended()});
  }
  static JobReport suspended() {
    JobReport report = running();
    report.job.state = JobState::suspended;
    return report;
  }
  std::string text() { return checkpoint_text(cluster(), engine().checkpoint()); }
  static constexpr std::string_view kField = "\"for_violation\":true,";
};

TEST_F(ViolatorCheckpointTest, AJobSuspendedForAViolationComesAfterOthersAfterARestart) {
  suspend();
  ASSERT_EQ(job("a").suspension_reason->cause, SuspensionCause::violation);
  restart_while_suspended();
  EXPECT_TRUE(again("a").may_resume());
  EXPECT_EQ(again("a").suspension_reason->cause, SuspensionCause::violation);
}

TEST_F(ViolatorCheckpointTest, SoItIsIfItsSuspensionWasNotAnswered) {
  rm().refuses_preemption = "connection reset";
  rm().unanswered = true;
  suspend();
  ASSERT_TRUE(job("a").active());
  restart_while_suspended();
  EXPECT_TRUE(again("a").may_resume());
  EXPECT_EQ(again("a").suspension_reason->cause, SuspensionCause::violation);
}

TEST_F(ViolatorCheckpointTest, SoItIsIfItsResumptionWasNotAnswered) {
  suspend();
  rm().refuses_resumption = "connection reset";
  rm().unanswered = true;
  core = [](const Cluster& known, Time) {
    Plan plan;
    if (const JobId a = known.find_job("a"); known.job(a).suspended())
      plan.decisions = {ResumeJob{a}};
    return plan;
  };
  iterate(Seconds(200));
  ASSERT_TRUE(job("a").active());
  restart_while_suspended();
  EXPECT_TRUE(again("a").may_resume());
  EXPECT_EQ(again("a").suspension_reason->cause, SuspensionCause::violation);
}

// Checkpoints of earlier versions do not tell.
TEST_F(ViolatorCheckpointTest, AnUnknownCauseCountsAsPreemption) {
  suspend();
  std::string before = text();
  const auto at = before.find(kField);
  ASSERT_NE(at, before.npos) << before;
  before.erase(at, kField.size());
  next.time = kNow + Seconds(400);
  begin_from(before);
  second_polls(both_nodes(), {suspended()});
  EXPECT_TRUE(again("a").keeps_nodes());
}

TEST_F(RunningCheckpointTest, WhatNoReportRepeatsOutdatesTheCheckpoint) {
  run();
  EXPECT_EQ(listener.outdated, 0) << "a start is reported";
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::suspend));
  EXPECT_EQ(std::exchange(listener.outdated, 0), 1) << "since when it is suspended";
  ASSERT_TRUE(engine().resume_job(id("a")));
  EXPECT_EQ(std::exchange(listener.outdated, 0), 1) << "how long it was suspended";
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::requeue));
  EXPECT_EQ(std::exchange(listener.outdated, 0), 1) << "a request itself is kept otherwise";
  iterate(Seconds(200));
  EXPECT_EQ(listener.outdated, 0) << "nothing has happened";
}

TEST_F(RunningCheckpointTest, AJobThatEndedWhileNoSchedulerLookedIsAccountedOnce) {
  run();
  restart(Seconds(400));
  second_polls_past(ended(Seconds(250)), Seconds(400));
  EXPECT_FALSE(job_named_or_none("a").valid());
  ASSERT_EQ(listener.ended.size(), 1u);
  EXPECT_EQ(listener.ended[0].ended, kNow + Seconds(250));
  EXPECT_EQ(second->statistics().all.jobs, 1);
  EXPECT_EQ(second->statistics().all.dedicated_proc_seconds, 2 * 250);
}

TEST_F(RunningCheckpointTest, ItIsAccountedThoughItsNodeIsNotReported) {
  run();
  restart(Seconds(400));
  next.time = kNow + Seconds(400);
  next_rm->next.past = {ended(Seconds(250))};
  second_polls({node_report("n2", procs(2))}, {});
  ASSERT_EQ(listener.ended.size(), 1u);
  EXPECT_EQ(second->statistics().all.jobs, 1);
  EXPECT_EQ(second->cluster().counts().available_procs, 2);
  second->set_settings(settings);
  second_polls({node_report("n1", procs(2))}, {});
  EXPECT_EQ(second->cluster().counts().available_procs, 4);
  EXPECT_FALSE(second->cluster().check());
}

TEST_F(RunningCheckpointTest, ARunThatWasGivenUpBeforeTheRestartIsAccountedOnce) {
  run();
  rm().next.statuses = {{"a", JobState::idle}};
  rm().next.certain = {"scripted"};
  iterate(Seconds(200));
  ASSERT_EQ(job("a").state, JobState::idle);
  restart(Seconds(400));
  second_polls(both_nodes(), {running()});
  EXPECT_EQ(again("a").started, kNow + Seconds(200));
  EXPECT_EQ(second->statistics().all.dedicated_proc_seconds, 2 * 400);
}

TEST_F(RunningCheckpointTest, ARunThatWasRecordedSinceTheCheckpointIsAccountedBeforeTheNext) {
  run();
  const std::string before = checkpoint_text(cluster(), engine().checkpoint());
  next.time = kNow + Seconds(400);
  begin_from(before, engine().fairshare(), Seconds(0), {}, {on_file(kNow, kNow + Seconds(250))});
  second_polls(both_nodes(), {running()});
  ASSERT_EQ(listener.ended.size(), 1U);
  EXPECT_EQ(listener.ended[0].started, kNow);
  EXPECT_EQ(listener.ended[0].ended, kNow + Seconds(250));
  EXPECT_EQ(again("a").started, kNow + Seconds(250));
  next.time = kNow + Seconds(500);
  next_rm->next.ended = {{"a", JobState::completed, kNow + Seconds(500)}};
  second->iterate([] {});
  ASSERT_EQ(listener.ended.size(), 2U);
  EXPECT_EQ(listener.ended[1].started, kNow + Seconds(250));
  EXPECT_EQ(second->statistics().all.run_seconds, 500);
  EXPECT_EQ(second->fairshare().windows.front().total, 2 * 500);
}

TEST_F(RunningCheckpointTest, SoIsARecordedRunThatTheCheckpointDoesNotKnow) {
  begin({});
  iterate(Seconds(100));
  const std::string before = checkpoint_text(cluster(), engine().checkpoint());
  next.time = kNow + Seconds(400);
  begin_from(before, {}, Seconds(0), {},
             {on_file(kNow + Seconds(120), kNow + Seconds(250), false),
              on_file(kNow + Seconds(250), kNow + Seconds(300), false)});
  second_polls(both_nodes(), {running()});
  ASSERT_EQ(listener.ended.size(), 2U);
  EXPECT_EQ(listener.ended[0].started, kNow + Seconds(120));
  EXPECT_EQ(listener.ended[1].started, kNow + Seconds(250));
  EXPECT_EQ(again("a").started, kNow + Seconds(300));
}

TEST_F(RunningCheckpointTest, ARecordedRunThatTheCheckpointCountsIsAccountedNoMore) {
  run();
  rm().next.ended = {{"a", JobState::completed, kNow + Seconds(90)}};
  iterate(Seconds(100));
  const std::string after = checkpoint_text(cluster(), engine().checkpoint());
  next.time = kNow + Seconds(400);
  begin_from(after, {}, Seconds(0), {}, {}, {on_file(kNow, kNow + Seconds(90))});
  second_polls(both_nodes(), {running()});
  EXPECT_EQ(listener.ended.size(), 1U);
  EXPECT_EQ(again("a").started, kNow + Seconds(90));
}

TEST_F(RunningCheckpointTest, AnAccountedJobOfUnknownStateHasNotComeBack) {
  run();
  rm().next.ended = {{"a", JobState::completed, kNow + Seconds(90)}};
  iterate(Seconds(100));
  const std::string after = checkpoint_text(cluster(), engine().checkpoint());
  next.time = kNow + Seconds(400);
  begin_from(after);
  JobReport report = job_report("a", 2);
  report.job.state = JobState::not_queued;
  second_polls(both_nodes(), {report});
  EXPECT_FALSE(second->cluster().find_job("a").valid());
  next_rm->next.arrived = {running()};
  second->iterate([] {});
  EXPECT_EQ(again("a").started, kNow + Seconds(90));
}

TEST_F(RunningCheckpointTest, ARecordedRunCountsHoweverLongAgoItEnded) {
  run();
  iterate(hours(2));
  const std::string before = checkpoint_text(cluster(), engine().checkpoint());
  next.time = kNow + hours(2) + Seconds(100);
  begin_from(before, engine().fairshare(), Seconds(0), {}, {on_file(kNow, kNow + minutes(60))});
  PastJob past = ended(minutes(60) + Seconds(30));
  second_polls_past(past, hours(2) + Seconds(100));
  ASSERT_EQ(listener.ended.size(), 1U);
  EXPECT_EQ(listener.ended[0].ended, kNow + minutes(60));
  EXPECT_EQ(second->statistics().all.run_seconds, 3600);
}

TEST_F(RunningCheckpointTest, ARecordedRunIsNotForgottenWhileItsJobIsNotReported) {
  run();
  const std::string before = checkpoint_text(cluster(), engine().checkpoint());
  next.time = kNow + Seconds(400);
  begin_from(before, engine().fairshare(), Seconds(0), {}, {on_file(kNow, kNow + Seconds(250))});
  next_rm->next.incomplete = {"scripted"};
  second_polls(both_nodes(), {});
  const std::string between = checkpoint_text(second->cluster(), second->checkpoint());
  next.time = kNow + Seconds(500);
  begin_from(between, engine().fairshare());
  second_polls_past(ended(Seconds(270)), Seconds(500));
  ASSERT_EQ(listener.ended.size(), 1U);
  EXPECT_EQ(listener.ended[0].ended, kNow + Seconds(250));
}

TEST_F(RunningCheckpointTest, WhatARunWasSuspendedForCountsAsItIsRecorded) {
  run();
  const std::string before = checkpoint_text(cluster(), engine().checkpoint());
  next.time = kNow + Seconds(400);
  RunOnFile recorded = on_file(kNow, kNow + Seconds(250));
  recorded.suspended = Seconds(50);
  begin_from(before, engine().fairshare(), Seconds(0), {}, {recorded});
  second_polls_past(ended(Seconds(250)), Seconds(400));
  ASSERT_EQ(listener.ended.size(), 1U);
  EXPECT_EQ(second->statistics().all.run_seconds, 200);
  EXPECT_EQ(second->fairshare().windows.front().total, 2 * 200);
}

TEST_F(RunningCheckpointTest, ARecordedRunCountsAsItIsRecordedHoweverItIsDatedByNow) {
  for (const int by : {-20, -3, 0, 3, 60}) {
    SCOPED_TRACE(by);
    listener.ended.clear();
    next = {};
    run();
    const std::string before = checkpoint_text(cluster(), engine().checkpoint());
    next.time = kNow + Seconds(400);
    begin_from(before, engine().fairshare(), Seconds(0), {}, {on_file(kNow, kNow + Seconds(250))});
    PastJob past = ended(Seconds(250 + by));
    past.report.job.started = kNow + Seconds(by);
    second_polls_past(past, Seconds(400));
    ASSERT_EQ(listener.ended.size(), 1U);
    EXPECT_EQ(listener.ended[0].started, kNow);
    EXPECT_EQ(listener.ended[0].ended, kNow + Seconds(250));
    EXPECT_EQ(second->statistics().all.run_seconds, 250);
    EXPECT_EQ(second->fairshare().windows.front().total, 2 * 250);
  }
}

TEST_F(RunningCheckpointTest, ALaterRunIsAccountedBesideTheRecordedOne) {
  run();
  const std::string before = checkpoint_text(cluster(), engine().checkpoint());
  next.time = kNow + Seconds(1000);
  begin_from(before, engine().fairshare(), Seconds(0), {},
             {on_file(kNow, kNow + Seconds(120), false)});
  PastJob past = ended(Seconds(960));
  past.report.job.started = kNow + Seconds(920);
  second_polls_past(past, Seconds(1000));
  ASSERT_EQ(listener.ended.size(), 2U);
  EXPECT_EQ(listener.ended[0].ended, kNow + Seconds(120));
  EXPECT_EQ(listener.ended[1].started, kNow + Seconds(920));
  EXPECT_EQ(second->statistics().all.run_seconds, 120 + 40);
}

TEST_F(RunningCheckpointTest, AlsoIfItBeganSoonAfterTheRecordedOne) {
  run();
  const std::string before = checkpoint_text(cluster(), engine().checkpoint());
  next.time = kNow + Seconds(400);
  begin_from(before, engine().fairshare(), Seconds(0), {},
             {on_file(kNow, kNow + Seconds(120), false)});
  PastJob past = ended(Seconds(240));
  past.report.job.started = kNow + Seconds(125);
  second_polls_past(past, Seconds(400));
  ASSERT_EQ(listener.ended.size(), 2U);
  EXPECT_EQ(second->statistics().all.run_seconds, 120 + 115);
}

// The run is shorter than the difference of the clocks.
TEST_F(RunningCheckpointTest, ARecordedRunIsKnownByItsStartAlsoIfTheManagersClockIsAhead) {
  begin({});
  iterate(Seconds(100));
  const std::string before = checkpoint_text(cluster(), engine().checkpoint());
  next.time = kNow + Seconds(400);
  RunOnFile recorded = on_file(kNow, kNow + Seconds(120));
  recorded.reported_start = kNow + Seconds(200);
  begin_from(before, engine().fairshare(), Seconds(0), {}, {recorded});
  PastJob past = ended(Seconds(320));
  past.report.job.started = kNow + Seconds(200);
  second_polls_past(past, Seconds(400));
  ASSERT_EQ(listener.ended.size(), 1U);
  EXPECT_EQ(second->statistics().all.run_seconds, 120);
  EXPECT_EQ(second->fairshare().windows.front().total, 2 * 120);
}

TEST_F(RunningCheckpointTest, AStartInTheFutureIsKeptAsItIsReported) {
  begin({});
  JobReport report = running();
  report.job.started = kNow + Seconds(200);
  rm().next.arrived = {report};
  iterate(Seconds(100));
  EXPECT_EQ(job("a").started, kNow + Seconds(200));
  EXPECT_EQ(job("a").run_so_far(clock.time), Seconds(0));
  iterate(Seconds(150));
  restart(Seconds(400));
  second_polls(both_nodes(), {report});
  EXPECT_EQ(again("a").run_so_far(next.now()), Seconds(300));
  EXPECT_EQ(second->statistics().all.dedicated_proc_seconds, 2 * 300);
}

TEST_F(RunningCheckpointTest, ARecordedRunThatIsNotReportedEndedWhenTheRecordSays) {
  run();
  const std::string before = checkpoint_text(cluster(), engine().checkpoint());
  next.time = kNow + Seconds(400);
  begin_from(before, {}, Seconds(0), {}, {on_file(kNow, kNow + Seconds(250), false)});
  second_polls(both_nodes(), {});
  ASSERT_EQ(listener.ended.size(), 1U);
  EXPECT_EQ(listener.ended[0].ended, kNow + Seconds(250));
  EXPECT_EQ(second->statistics().all.run_seconds, 250);
}

TEST_F(RunningCheckpointTest, AJobThatBeganAndEndedMeanwhileIsAccountedOnce) {
  begin({job_report("a", 2)});
  restart(Seconds(400));
  PastJob past = ended(Seconds(250));
  past.report.job.started = kNow + Seconds(50);
  second_polls_past(past, Seconds(400));
  ASSERT_EQ(listener.ended.size(), 1u);
  EXPECT_EQ(listener.ended[0].started, kNow + Seconds(50));
  EXPECT_EQ(second->statistics().all.run_seconds, 200);
}

TEST_F(RunningCheckpointTest, AJobThatWasAccountedBeforeTheCheckpointIsAccountedNoMore) {
  run();
  rm().next.ended = {{"a", JobState::completed, kNow + Seconds(90)}};
  iterate(Seconds(100));
  restart(Seconds(400));
  second_polls_past(ended(Seconds(90)), Seconds(400));
  EXPECT_EQ(listener.ended.size(), 1u);
  EXPECT_EQ(second->statistics().all.jobs, 1);
}

TEST_F(RunningCheckpointTest, AJobThatEndedLongBeforeTheCheckpointIsAccountedNoMore) {
  begin({});
  iterate(minutes(20));
  restart(minutes(30));
  second_polls_past(ended(minutes(9)), minutes(30));
  EXPECT_TRUE(listener.ended.empty());
  EXPECT_EQ(second->statistics().all.jobs, 0);
}

TEST_F(RunningCheckpointTest, AJobThatWasRemovedAfterItCameBackDidNotRunToItsEnd) {
  run();
  restart(Seconds(400));
  PastJob past{job_report("a", 2), {"a", JobState::removed, kNow + Seconds(250), 0}};
  second_polls_past(past, Seconds(400));
  ASSERT_EQ(listener.ended.size(), 1u);
  EXPECT_EQ(listener.ended[0].started, kForever);
  EXPECT_EQ(second->statistics().all.jobs, 0);
}

TEST_F(RunningCheckpointTest, WithoutACheckpointWhatIsPastIsOfNoConcern) {
  rm().next.past = {ended(Seconds(-10))};
  begin({});
  EXPECT_TRUE(listener.ended.empty());
}

TEST_F(RunningCheckpointTest, AJobThatCameAndEndedBetweenTwoPollsIsAccountedOnce) {
  begin({});
  rm().next.past = {ended(Seconds(50))};
  iterate(Seconds(100));
  ASSERT_EQ(listener.ended.size(), 1u);
  EXPECT_EQ(engine().statistics().all.jobs, 1);
  EXPECT_EQ(engine().statistics().all.dedicated_proc_seconds, 2 * 50);
  for (const Seconds later : {Seconds(200), minutes(15), minutes(40)}) {
    rm().next.past = {ended(Seconds(50))};
    iterate(later);
    EXPECT_EQ(listener.ended.size(), 1u) << later.raw();
  }
}

TEST_F(CheckpointTest, AClockStepIsKnownWithinOneBootOfTheMachine) {
  static constexpr std::chrono::milliseconds kAhead{1'000'000'700};
  const auto clock_set = [](const std::string& boot, Seconds passed, Seconds by_the_clock) {
    return clock_set_between({"one", kAhead},
                             {boot, kAhead + std::chrono::seconds((by_the_clock - passed).raw())});
  };
  EXPECT_EQ(clock_set("one", Seconds(100), Seconds(102)), Seconds(0)) << "seconds are rounded";
  EXPECT_EQ(clock_set("one", Seconds(100), Seconds(86500)), Seconds(86400));
  EXPECT_EQ(clock_set("one", Seconds(100), Seconds(-3500)), Seconds(-3600));
  EXPECT_EQ(clock_set("one", Seconds(100000), Seconds(100003)), Seconds(3)) << "however long ago";
  EXPECT_EQ(clock_set("another", Seconds(-400), Seconds(86500)), Seconds(0));
  EXPECT_EQ(clock_set("", Seconds(100), Seconds(86500)), Seconds(0));
}

class ClockSetBackBeforeARestartTest : public RunningCheckpointTest,
                                       public testing::WithParamInterface<std::int64_t> {};

class ClockSetMeanwhileTest : public RunningCheckpointTest,
                              public testing::WithParamInterface<std::int64_t> {};

TEST_P(ClockSetMeanwhileTest, EndsNoJob) {
  const Seconds by(GetParam());
  run();
  restart(Seconds(400) + by, by);
  second_polls(both_nodes(), {running()});
  const Job& job = again("a");
  EXPECT_EQ(job.state, JobState::running);
  EXPECT_EQ(next.now() - job.started - job.suspended_time, Seconds(400));
  EXPECT_EQ(second->statistics().all.dedicated_proc_seconds, 2 * 400);
  EXPECT_THAT(listener.lines, testing::Contains(HasSubstr("the machine's clock was set ")));
}

// The step may also come after the restart, while the resource manager is still silent.
TEST_P(ClockSetMeanwhileTest, EndsNoJobOfWhichTheManagerHasNotAnsweredYet) {
  const Seconds by(GetParam());
  run();
  restart(Seconds(200));
  next_rm->down = "it is silent";
  second->iterate([] {});
  next.time = kNow + Seconds(300) + by;
  second->clock_stepped(by);
  second->iterate([] {});
  next_rm->down.reset();
  next.time = kNow + Seconds(400) + by;
  second_polls(both_nodes(), {running()});
  const Job& job = again("a");
  EXPECT_EQ(job.state, JobState::running);
  EXPECT_EQ(job.run_so_far(next.now()), Seconds(400));
  EXPECT_EQ(second->statistics().all.dedicated_proc_seconds, 2 * 400);
  second->iterate([] {});
  double charged = 0;
  for (const FairshareWindow& window : second->fairshare().windows) charged += window.total;
  EXPECT_EQ(charged, 2 * 400);
  EXPECT_THAT(next_rm->asked, IsEmpty());
}

TEST_P(ClockSetMeanwhileTest, ASuspensionIsNoLonger) {
  const Seconds by(GetParam());
  run();
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::suspend));
  restart(Seconds(400) + by, by);
  JobReport report = running();
  report.job.state = JobState::suspended;
  second_polls(both_nodes(), {report});
  EXPECT_EQ(again("a").run_so_far(next.now()), Seconds(100));
  ASSERT_TRUE(second->resume_job(job_named_or_none("a")));
  EXPECT_EQ(again("a").suspensions(), Seconds(300));
  EXPECT_EQ(again("a").run_so_far(next.now()), Seconds(100));
}

TEST_P(ClockSetMeanwhileTest, AnUnreportedJobRanUntilItWasLastKnown) {
  const Seconds by(GetParam());
  run();
  restart(Seconds(400) + by, by);
  second_polls(both_nodes(), {});
  next.time = next.time + minutes(5);
  second->iterate([] {});
  ASSERT_EQ(listener.ended.size(), 1u);
  EXPECT_EQ(second->statistics().all.run_seconds, 100);
  double charged = 0;
  for (const FairshareWindow& window : second->fairshare().windows) charged += window.total;
  EXPECT_EQ(charged, 2 * 100);
}

TEST_P(ClockSetMeanwhileTest, AnEndBeforeThatIsByTheClockAsItStood) {
  const Seconds by(GetParam());
  run();
  restart(Seconds(400) + by, by);
  second_polls_past(ended(Seconds(250)), Seconds(400) + by);
  ASSERT_EQ(listener.ended.size(), 1u);
  EXPECT_EQ(second->statistics().all.run_seconds, 250);
}

// The resource manager's date may be in the future now.
TEST_P(ClockSetMeanwhileTest, AnEndBeforeThatAsItIsReportedIsByTheClockAsItStood) {
  const Seconds by(GetParam());
  run();
  restart(Seconds(400) + by, by);
  PastJob past = ended(Seconds(250));
  past.end.dated_start = past.report.job.started;
  past.end.dated = past.end.when;
  past.end.when = std::min(past.end.when, next.time);
  second_polls_past(past, Seconds(400) + by);
  ASSERT_EQ(listener.ended.size(), 1U);
  EXPECT_EQ(second->statistics().all.run_seconds, 250);
}

TEST_P(ClockSetMeanwhileTest, ARequeueBeforeThatEndedTheRunByTheClockAsItStood) {
  const Seconds by(GetParam());
  run();
  rm().answers_later = true;
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::requeue));
  restart(Seconds(400) + by, by);
  second_polls(both_nodes(), {job_report("a", 2)});
  EXPECT_EQ(again("a").state, JobState::idle);
  EXPECT_EQ(second->statistics().all.dedicated_proc_seconds, 2 * 100);
}

TEST_P(ClockSetMeanwhileTest, AnEndAfterThatIsByTheClockAsItStands) {
  const Seconds by(GetParam());
  run();
  restart(Seconds(400) + by, by);
  second_polls_past(ended(Seconds(250) + by), Seconds(400) + by);
  ASSERT_EQ(listener.ended.size(), 1u);
  EXPECT_EQ(second->statistics().all.run_seconds, 250);
}

// Whatever clock its resource manager dates it by.
TEST_P(ClockSetMeanwhileTest, ARecordedRunCountsAsItIsRecorded) {
  for (const bool known : {true, false}) {
    SCOPED_TRACE(known);
    const Seconds by(GetParam());
    listener.ended.clear();
    next = {};
    if (known)
      run();
    else if (!cluster().find_job("a").valid())
      begin({});
    const std::string before = checkpoint_text(cluster(), engine().checkpoint());
    next.time = kNow + Seconds(400) + by;
    begin_from(before, engine().fairshare(), by, {},
               {on_file(kNow + Seconds(10), kNow + Seconds(250))});
    PastJob past = ended(Seconds(253));
    past.end.dated = past.end.when;
    past.end.when = std::min(past.end.when, next.time);
    second_polls_past(past, Seconds(400) + by);
    ASSERT_EQ(listener.ended.size(), 1U);
    EXPECT_EQ(listener.ended[0].ended, kNow + Seconds(250) + by);
    EXPECT_EQ(second->statistics().all.run_seconds, 240);
    double charged = 0;
    for (const FairshareWindow& window : second->fairshare().windows) charged += window.total;
    EXPECT_EQ(charged, 2 * 240);
  }
}

TEST_P(ClockSetMeanwhileTest, ARunThatGoesOnAfterItsRecordIsCountedOnce) {
  const Seconds by(GetParam());
  run();
  const std::string before = checkpoint_text(cluster(), engine().checkpoint());
  next.time = kNow + Seconds(400) + by;
  begin_from(before, engine().fairshare(), by, {}, {on_file(kNow, kNow + Seconds(250))});
  second_polls(both_nodes(), {running()});
  EXPECT_EQ(second->statistics().all.run_seconds, 250);
  EXPECT_EQ(again("a").run_so_far(next.now()), Seconds(150));
}

TEST_P(ClockSetMeanwhileTest, AJobThatWasAccountedLongBeforeIsAccountedNoMore) {
  const Seconds by(GetParam());
  begin({});
  iterate(hours(1));
  for (const Seconds ago : {minutes(5), minutes(30)}) {
    const Seconds at = hours(1) - ago;
    const std::string before = checkpoint_text(cluster(), engine().checkpoint());
    next.time = kNow + hours(1) + Seconds(60) + by;
    begin_from(before, {}, by, {}, {}, {on_file(kNow, kNow + at)});
    PastJob past = ended(at);
    past.end.dated = past.end.when;
    past.end.when = std::min(past.end.when, next.time);
    second_polls_past(past, hours(1) + Seconds(60) + by);
    EXPECT_EQ(second->statistics().all.jobs, 0);
  }
}
INSTANTIATE_TEST_SUITE_P(ForwardAndBack, ClockSetMeanwhileTest, testing::Values(86400, -3600));

TEST_F(RunningCheckpointTest, ARunThatTheCheckpointDoesNotKnowBeganByTheClockAsItStood) {
  const Seconds by(-3600);
  begin({});
  iterate(Seconds(100));
  restart(Seconds(400) + by, by);
  JobReport report = running();
  report.job.started = kNow + Seconds(150);
  second_polls(both_nodes(), {report});
  EXPECT_EQ(again("a").run_so_far(next.now()), Seconds(250));
  EXPECT_EQ(again("a").ends - next.now(), hours(1) - Seconds(250));
}

TEST_F(RunningCheckpointTest, AlsoIfTheClockWasSetBeforeTheRestart) {
  const Seconds by(-3600);
  begin({});
  iterate(Seconds(100));
  clock.time = kNow + Seconds(200) + by;
  engine().clock_stepped(by);
  restart(Seconds(400) + by);
  JobReport report = running();
  report.job.started = kNow + Seconds(150);
  second_polls(both_nodes(), {report});
  EXPECT_EQ(again("a").run_so_far(next.now()), Seconds(250));
}

/// The resource manager is silent, and the clock is set back by a minute 20 seconds later, and by
/// ten minutes after another 20 seconds.
class TwoStepsBackTest : public RunningCheckpointTest {
 protected:
  static constexpr Seconds kFirst{-60}, kBoth{-660};
  void first_step() {
    run();
    rm().down = "it is silent";
    iterate(Seconds(110));
    clock.time = kNow + Seconds(120) + kFirst;
    engine().clock_stepped(kFirst);
    iterate(Seconds(130) + kFirst);
  }
  void second_step_here() {
    clock.time = kNow + Seconds(140) + kBoth;
    engine().clock_stepped(kBoth - kFirst);
    iterate(Seconds(145) + kBoth);
    restart(Seconds(150) + kBoth);
  }
  void second_step_there() {
    restart(Seconds(135) + kFirst);
    next_rm->down = "it is silent";
    second->iterate([] {});
    next.time = kNow + Seconds(140) + kBoth;
    second->clock_stepped(kBoth - kFirst);
    second->iterate([] {});
    next_rm->down.reset();
  }
  /// The end is reported as dated then.
  void end(Time dated) {
    PastJob past{running(), {"a", JobState::completed, dated, 0}};
    next.time = kNow + Seconds(160) + kBoth;
    past.end.dated = dated;
    past.end.when = std::min(dated, next.time);
    second_polls_past(past, Seconds(160) + kBoth);
  }
  void expect_run_of(std::int64_t seconds) {
    EXPECT_EQ(second->statistics().all.run_seconds, seconds);
    EXPECT_EQ(second->statistics().all.dedicated_proc_seconds, 2 * static_cast<double>(seconds));
    double charged = 0;
    for (const FairshareWindow& window : second->fairshare().windows) charged += window.total;
    EXPECT_EQ(charged, 2 * static_cast<double>(seconds));
  }
};

TEST_F(TwoStepsBackTest, AnEndBeforeBothIsByTheClockAsItStood) {
  first_step();
  second_step_there();
  end(kNow + Seconds(115));
  expect_run_of(115);
}

TEST_F(TwoStepsBackTest, AnEndBetweenThemIsByTheClockAsItStoodThen) {
  first_step();
  second_step_there();
  end(kNow + Seconds(125) + kFirst);
  expect_run_of(125);
}

TEST_F(TwoStepsBackTest, SoItIsIfBothWereBeforeTheRestart) {
  first_step();
  second_step_here();
  end(kNow + Seconds(125) + kFirst);
  expect_run_of(125);
}

TEST_F(TwoStepsBackTest, AnUnreportedJobRanUntilItsManagerWasLastHeard) {
  first_step();
  second_step_there();
  const FairshareHistory files = second->fairshare();
  begin_from(checkpoint_text(second->cluster(), second->checkpoint()), files);
  next.time = kNow + Seconds(160) + kBoth;
  second_polls(both_nodes(), {});
  next.time = next.time + settings.jobs.purge_time;
  second->iterate([] {});
  expect_run_of(100);
}

// A resource manager's clock may be ahead, also long after the clock was set.
TEST_F(RunningCheckpointTest, AStartInTheFutureCountsAsNowIfTheClockWasNotSet) {
  begin({});
  iterate(Seconds(100));
  restart(Seconds(400));
  JobReport report = running();
  report.job.started = kNow + Seconds(500);
  second_polls(both_nodes(), {report});
  EXPECT_EQ(again("a").run_so_far(next.now()), Seconds(0));
}

TEST_P(ClockSetBackBeforeARestartTest, TheRunGoesOn) {
  const Seconds back(GetParam());
  run_while_the_clock_is_set(Seconds(0) - back);
  restart(Seconds(120) - back);
  second_polls(both_nodes(), {running()});
  EXPECT_EQ(again("a").run_so_far(next.now()), Seconds(120));
  EXPECT_EQ(again("a").ends - next.now(), hours(1) - Seconds(120));
  EXPECT_EQ(again("a").start_count, 1);
  EXPECT_EQ(second->statistics().all.dedicated_proc_seconds, 2 * 120);
  double charged = 0;
  for (const FairshareWindow& window : second->fairshare().windows) charged += window.total;
  EXPECT_EQ(charged, 2 * 120);
}

TEST_P(ClockSetBackBeforeARestartTest, AlsoOnceTheTimeOfItsStartHasComeAgain) {
  const Seconds back(GetParam());
  run_while_the_clock_is_set(Seconds(0) - back);
  restart(Seconds(400));
  second_polls(both_nodes(), {running()});
  EXPECT_EQ(again("a").run_so_far(next.now()), Seconds(400) + back);
}

TEST_P(ClockSetBackBeforeARestartTest, ItsSuspensionsCount) {
  const Seconds back(GetParam());
  run_while_the_clock_is_set(Seconds(0) - back);
  restart(Seconds(120) - back);
  JobReport report = running();
  report.job.suspended_time = Seconds(40);
  second_polls(both_nodes(), {report});
  EXPECT_EQ(again("a").run_so_far(next.now()), Seconds(80));
}
INSTANTIATE_TEST_SUITE_P(MinuteHourDay, ClockSetBackBeforeARestartTest,
                         testing::Values(60, 3600, 86400));

// It has no record, since it ended before the first scheduler looked.
TEST_F(RunningCheckpointTest, AJobThatWasOfNoConcernIsOfNoneAfterTheClockWasSetBack) {
  for (const bool while_it_ran : {true, false}) {
    SCOPED_TRACE(while_it_ran);
    begin({});
    iterate(hours(5));
    if (while_it_ran) {
      clock.time = clock.time - hours(2);
      engine().clock_stepped(Seconds(0) - hours(2));
      iterate(hours(3) + Seconds(60));
    }
    restart(hours(3) + Seconds(120), while_it_ran ? Seconds(0) : Seconds(0) - hours(2));
    PastJob past = ended(hours(4));
    past.end.dated = past.end.when;
    past.end.when = next.time;
    second_polls_past(past, hours(3) + Seconds(120));
    EXPECT_EQ(second->statistics().all.jobs, 0);
  }
}

// While the scheduler ran, the clock was set back by an hour.
TEST_F(RunningCheckpointTest, AJobThatWasAccountedBeforeTheClockWasSetBackIsAccountedNoMore) {
  for (const Seconds ago : {minutes(5), minutes(30)}) {
    for (const Seconds restarted : {Seconds(60), minutes(25), minutes(50)}) {
      SCOPED_TRACE(fmt::format("{} {}", ago.raw(), restarted.raw()));
      const Time stepped = kNow + hours(2), end = stepped - ago;
      begin({});
      clock.time = stepped - hours(1);
      engine().clock_stepped(Seconds(0) - hours(1));
      iterate(clock.time + restarted - kNow);
      const std::string after = checkpoint_text(cluster(), engine().checkpoint());
      next.time = clock.time + Seconds(20);
      begin_from(after, {}, Seconds(0), {}, {}, {on_file(kNow, end)});
      PastJob past = ended(end - kNow);
      past.end.dated = end;
      past.end.when = std::min(end, next.time);
      second_polls_past(past, next.time - kNow);
      EXPECT_EQ(second->statistics().all.jobs, 0);
    }
  }
}

TEST_F(RunningCheckpointTest, ARunThatWasRecordedAfterTheClockWasSetBackIsAccountedAsItWas) {
  run();
  clock.time = clock.time - Seconds(60);
  engine().clock_stepped(Seconds(-60));
  const std::string before = checkpoint_text(cluster(), engine().checkpoint());
  next.time = kNow + Seconds(400);
  begin_from(before, {}, Seconds(0), {}, {on_file(kNow - Seconds(60), kNow + Seconds(190))});
  second_polls(both_nodes(), {});
  ASSERT_EQ(listener.ended.size(), 1U);
  EXPECT_EQ(listener.ended[0].started, kNow) << "as it is reported";
  EXPECT_EQ(second->statistics().all.run_seconds, 250);
}

TEST_F(RunningCheckpointTest, AnUnreportedJobEndedWhenItWasLastKnownToRun) {
  run();
  restart(Seconds(400));
  second_polls(both_nodes(), {});
  EXPECT_EQ(again("a").state, JobState::running) << "it may be told of yet";
  next.time = kNow + Seconds(400) + minutes(5);
  second->iterate([] {});
  ASSERT_EQ(listener.ended.size(), 1u);
  EXPECT_EQ(listener.ended[0].state, JobState::removed);
  EXPECT_EQ(listener.ended[0].ended, kNow + Seconds(100));
  EXPECT_EQ(second->fairshare().windows.front().total, 200);
}

// Its resource manager was restarted, and lists nothing at first.
TEST_F(RunningCheckpointTest, TheRestOfARunThatWasGivenUpIsAccountedWhenItsEndIsReported) {
  for (const bool again : {false, true}) {
    SCOPED_TRACE(again);
    listener.ended.clear();
    if (!again) {
      settings.jobs.purge_time = Seconds(0);
      run();
    }
    restart(Seconds(400));
    second_polls(both_nodes(), {});
    ASSERT_EQ(listener.ended.size(), 1U);
    EXPECT_EQ(listener.ended[0].ended, kNow + Seconds(100));
    if (again) {  // another scheduler hears of it
      const std::string after = checkpoint_text(second->cluster(), second->checkpoint());
      const FairshareHistory files = second->fairshare();
      begin_from(after, files, Seconds(0), {}, {}, {on_file(kNow, kNow + Seconds(100), false)});
    }
    second_polls_past(ended(Seconds(390)), Seconds(410));
    ASSERT_EQ(listener.ended.size(), 2U);
    EXPECT_EQ(listener.ended[1].started, kNow + Seconds(100));
    EXPECT_EQ(listener.ended[1].ended, kNow + Seconds(390));
    EXPECT_EQ(second->statistics().all.dedicated_proc_seconds, 2 * 390);
    EXPECT_EQ(second->fairshare().windows.front().total, 2 * 390);
    second_polls_past(ended(Seconds(390)), Seconds(420));
    EXPECT_EQ(listener.ended.size(), 2U);
  }
}

TEST_F(RunningCheckpointTest, AWaitingJobThatWasGivenUpIsRemovedOnce) {
  settings.jobs.purge_time = Seconds(0);
  begin({job_report("a", 2)});
  rm().next.lost = {"a"};
  iterate(Seconds(10));
  ASSERT_EQ(listener.ended.size(), 1U);
  rm().next.past = {{job_report("a", 2), {"a", JobState::removed, kNow + Seconds(9), 0}}};
  iterate(Seconds(20));
  EXPECT_EQ(listener.ended.size(), 1U);
}

TEST_F(RunningCheckpointTest, WhileItsResourceManagerIsSilentNobodyKnowsThatItRuns) {
  run();
  rm().down = "no answer";
  iterate(Seconds(300));
  EXPECT_EQ(engine().checkpoint().jobs.at(0).seen, kNow + Seconds(100));
}

TEST_F(RunningCheckpointTest, AJobOfAResourceManagerThatIsSilentIsNotLost) {
  run();
  restart(Seconds(400));
  next_rm->next.silent = {{"scripted", "no answer"}};
  second_polls(both_nodes(), {});
  EXPECT_FALSE(job_named_or_none("a").valid());
  EXPECT_TRUE(second->checkpoint().jobs.at(0).run);
}

/// The job "a" runs, and its resource manager does not answer the next scheduler at first.
class UnconfirmedRunTest : public RunningCheckpointTest {
 protected:
  UnconfirmedRunTest() {
    settings.users["amy"].limits.active[index_of(LimitKind::job)] = Limit{1, 1};
  }
  const UnconfirmedRuns& unconfirmed() { return second->cluster().unconfirmed_runs(); }
  /// Restarts after the job has run; the records have that of a run as well.
  void restart_with_record(const RunOnFile& record) {
    run();
    const std::string before = checkpoint_text(cluster(), engine().checkpoint());
    next.time = kNow + Seconds(400);
    begin_from(before, {}, Seconds(0), {}, {record});
  }
  /// Another resource manager reports its nodes and jobs.
  void only_another_answers(std::vector<JobReport> jobs = {}) {
    next_rm->next.silent = {{"scripted", "no answer"}};
    for (JobReport& job : jobs) job.job.resource_manager = "other";
    second_polls(both_nodes(), std::move(jobs));
  }
  /// Returns how many jobs the limits count for amy.
  double counted() {
    const UserId amy = second->cluster().users.find("amy");
    LimitSubject subject;
    subject.of = CredentialKind::user;
    subject.number = amy.raw();
    return Throttling(second->cluster(), settings, next.time)
        .used_by(subject)[index_of(LimitKind::job)];
  }
};

TEST_F(UnconfirmedRunTest, CountsForLimitsUntilItIsReported) {
  run();
  restart(Seconds(400));
  only_another_answers({job_report("b", 1)});
  ASSERT_EQ(unconfirmed().size(), 1U);
  const UnconfirmedRun& run = unconfirmed().at("a");
  EXPECT_EQ(second->cluster().groups[run.credentials.group], "staff");
  EXPECT_EQ(run.request.total_procs(), 2);
  EXPECT_EQ(run.nodes, 1);
  EXPECT_EQ(run.partition, PartitionId(0U));
  EXPECT_EQ(run.ends, kNow + hours(1));
  EXPECT_EQ(counted(), 1);
  EXPECT_EQ(plan(second->cluster(), settings, next.time).starts, 0U);
  second_polls({}, {running()});
  EXPECT_THAT(unconfirmed(), IsEmpty());
  EXPECT_EQ(counted(), 1);
  next_rm->next.ended = {{"a", JobState::completed, next.time}};
  second->iterate([] {});
  EXPECT_EQ(counted(), 0);
  EXPECT_EQ(plan(second->cluster(), settings, next.time).starts, 1U);
}

TEST_F(UnconfirmedRunTest, CountsNoMoreOnceItsEndIsReported) {
  run();
  restart(Seconds(400));
  only_another_answers();
  ASSERT_EQ(counted(), 1);
  second_polls_past(ended(Seconds(250)), Seconds(400));
  EXPECT_EQ(counted(), 0);
}

TEST_F(UnconfirmedRunTest, CountsAsLostOnceItsResourceManagerOmitsIt) {
  run();
  restart(Seconds(400));
  only_another_answers();
  second_polls({}, {});
  EXPECT_THAT(unconfirmed(), IsEmpty());
  EXPECT_EQ(again("a").state, JobState::running);
  EXPECT_EQ(counted(), 1);
}

TEST_F(UnconfirmedRunTest, CountsThoughOnlyItsStartWasAskedFor) {
  const std::string before = start_since_checkpoint();
  next.time = kNow + Seconds(60);
  begin_from(before, {}, Seconds(0), listener.kept.front());
  only_another_answers();
  EXPECT_EQ(counted(), 1);
}

TEST_F(UnconfirmedRunTest, IsOverIfItHasARecord) {
  restart_with_record(on_file(kNow, kNow + Seconds(200)));
  only_another_answers();
  EXPECT_EQ(counted(), 0);
}

TEST_F(UnconfirmedRunTest, CountsIfTheRecordIsOfAnEarlierOne) {
  restart_with_record(on_file(kNow - Seconds(99), kNow));
  only_another_answers();
  EXPECT_EQ(counted(), 1);
}

TEST_F(UnconfirmedRunTest, DoesNotCountWhileItIsSuspended) {
  run();
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::suspend));
  restart(Seconds(400));
  only_another_answers();
  EXPECT_EQ(counted(), 0);
}

TEST_F(UnconfirmedRunTest, CountsInThePartitionOfItsNodes) {
  NodeReport math = node_report("n1", procs(2));
  math.partition = "math";
  core_starts("a", "n1", 2);
  rm().next.nodes = {math, node_report("n2", procs(2))};
  rm().next.arrived = {job_report("a", 2)};
  iterate();
  restart(Seconds(400));
  only_another_answers();
  EXPECT_EQ(second->cluster().partitions[unconfirmed().at("a").partition], "math");
}

TEST_F(UnconfirmedRunTest, KeepsItsCredentialsThoughManyOthersComeAndGo) {
  settings.fairshare.metric = FairshareMetric::none;
  run();
  restart(Seconds(400));
  for (int round = 0; round < 4; ++round) {
    std::vector<JobReport> many;
    for (int i = 0; i < 400; ++i) {
      many.push_back(job_report(fmt::format("{}.{}", round, i), 1));
      many.back().user = many.back().group = "u" + many.back().name;
    }
    only_another_answers(many);
    for (const JobReport& job : many)
      next_rm->next.ended.push_back({job.name, JobState::removed, next.time});
    only_another_answers();
  }
  const Cluster& cluster = second->cluster();
  EXPECT_FALSE(cluster.groups.find("u0.7").valid());
  EXPECT_EQ(cluster.groups[unconfirmed().at("a").credentials.group], "staff");
}

TEST_F(UnconfirmedRunTest, EndsAsMuchLaterAsTheClockIsSetForward) {
  for (const Seconds before : {Seconds(0), Seconds(1000)}) {
    if (before == Seconds(0)) run();
    restart(Seconds(400) + before, before);
    only_another_answers();
    next.time = next.time + Seconds(500);
    second->clock_stepped(Seconds(500));
    only_another_answers();
    EXPECT_EQ(unconfirmed().at("a").ends, kNow + hours(1) + before + Seconds(500));
  }
}

/// The job "a" is of the resource manager "one"; the next scheduler has the managers "one" and
/// "two".
class OwnersTest : public RunningCheckpointTest {
 protected:
  OwnersTest() { next_records = {{.name = "one"}, {.name = "two"}}; }
  static JobReport of(const std::string& manager, JobReport report) {
    report.job.resource_manager = manager;
    return report;
  }
  void hold_and_restart() {
    begin({of("one", job_report("a", 2))});
    ASSERT_TRUE(set_holds(engine(), id("a"), kSystemHold));
    restart();
  }
  void run_and_restart() {
    core_starts("a", "n1", 2);
    begin({of("one", job_report("a", 2))});
    core = nullptr;
    iterate(Seconds(100));
    restart(Seconds(200));
  }
  void only_two_answers(bool late = false) {
    next_rm->next.silent = {{"one", "no answer", late}};
    second_polls(both_nodes(), {});
  }
  const std::string* awaited_from() { return second->cluster().awaited_jobs.manager_of("a"); }
};

TEST_F(OwnersTest, TheCheckpointHasTheManagerOfEachJob) {
  begin({of("one", job_report("a", 2))});
  ASSERT_TRUE(set_holds(engine(), id("a"), kSystemHold));
  Checkpoint made = engine().checkpoint();
  EXPECT_EQ(made.jobs.at(0).manager, "one");
  const std::string line = job_line(cluster(), made.jobs.at(0));
  EXPECT_THAT(line, HasSubstr(R"("manager":"one")"));
  EXPECT_EQ(read_job_line(line, engine().names())->manager, "one");
  core_starts("a", "n1", 2);
  ASSERT_TRUE(set_holds(engine(), id("a"), 0));
  iterate();
  made = engine().checkpoint();
  ASSERT_TRUE(made.jobs.at(0).run);
  EXPECT_EQ(read_job_line(job_line(cluster(), made.jobs.at(0)), engine().names())->manager, "one");
}

TEST_F(OwnersTest, AJobIsAwaitedUntilItsManagerReportsIt) {
  hold_and_restart();
  ASSERT_TRUE(awaited_from());
  EXPECT_EQ(*awaited_from(), "one");
  only_two_answers();
  EXPECT_TRUE(awaited_from());
  only_two_answers(/*late=*/true);
  EXPECT_TRUE(awaited_from());
  next_rm->next.incomplete = {"one"};
  second_polls({}, {of("one", job_report("a", 2))});
  EXPECT_FALSE(awaited_from());
  EXPECT_EQ(again("a").holds, kSystemHold);
}

TEST_F(OwnersTest, AJobIsAwaitedUntilTheFirstCompleteListOfItsManager) {
  hold_and_restart();
  next_rm->next.incomplete = {"one"};
  second_polls(both_nodes(), {});
  EXPECT_TRUE(awaited_from());
  second_polls({}, {});
  EXPECT_FALSE(awaited_from());
  second_polls({}, {of("two", job_report("a", 2))});
  EXPECT_EQ(again("a").holds, 0) << "that is another job";
  EXPECT_EQ(second->checkpoint().jobs.size(), 0U);
}

TEST_F(OwnersTest, ARunIsAwaitedUntilItIsReportedOrCountsAsLost) {
  run_and_restart();
  only_two_answers();
  EXPECT_TRUE(awaited_from());
  second_polls({}, {});
  EXPECT_FALSE(awaited_from());
  EXPECT_EQ(again("a").resource_manager, "one");
  EXPECT_EQ(again("a").state, JobState::running);
}

TEST_F(OwnersTest, ARunThatEndedMeanwhileIsNoLongerAwaited) {
  run_and_restart();
  next_rm->next.incomplete = {"one"};
  next_rm->next.past = {{of("one", running()), {"a", JobState::completed, kNow + Seconds(150), 0}}};
  second_polls(both_nodes(), {});
  EXPECT_FALSE(awaited_from());
  ASSERT_EQ(listener.ended.size(), 1U);
  EXPECT_EQ(listener.ended.at(0).ended, kNow + Seconds(150));
}

TEST_F(OwnersTest, AJobOfAnEarlierVersionIsOfWhoeverReportsIt) {
  begin({of("one", job_report("a", 2))});
  ASSERT_TRUE(set_holds(engine(), id("a"), kSystemHold));
  auto text = nlohmann::json::parse(checkpoint_text(cluster(), engine().checkpoint()));
  EXPECT_EQ(text.at("jobs").at(0).erase("manager"), 1U);
  begin_from(text.dump());
  EXPECT_FALSE(awaited_from());
  second_polls(both_nodes(), {of("two", job_report("a", 2))});
  EXPECT_EQ(again("a").holds, kSystemHold);
}

TEST_F(OwnersTest, SoIsAJobWhoseManagerIsNotConfiguredAnyMore) {
  next_records = {{.name = "two"}, {.name = "three"}};
  hold_and_restart();
  EXPECT_FALSE(awaited_from());
  second_polls(both_nodes(), {of("three", job_report("a", 2))});
  EXPECT_EQ(again("a").holds, kSystemHold);
}

TEST_F(OwnersTest, ARunWhoseManagerIsNotConfiguredAnyMoreIsGivenUpIfNobodyReportsIt) {
  next_records = {{.name = "two"}, {.name = "three"}};
  run_and_restart();
  EXPECT_FALSE(awaited_from());
  second_polls(both_nodes(), {});
  EXPECT_EQ(again("a").state, JobState::running);
  next.time = next.time + settings.jobs.purge_time + Seconds(1);
  second_polls({}, {});
  EXPECT_FALSE(job_named_or_none("a").valid());
}

TEST_F(OwnersTest, ARecordedRunIsOfItsManager) {
  begin({});
  RunOnFile run = on_file(kNow, kNow + Seconds(50));
  run.manager = "one";
  next.time = kNow + Seconds(60);
  begin_from(checkpoint_text(cluster(), engine().checkpoint()), {}, Seconds(0), {}, {run});
  next_rm->next.silent = {{"one", "no answer"}};
  second_polls(both_nodes(), {of("two", job_report("a", 2))});
  EXPECT_EQ(again("a").accounted_until, Time(0));
  EXPECT_THAT(listener.ended, IsEmpty());
  const auto read = read_checkpoint_text(checkpoint_text(second->cluster(), second->checkpoint()),
                                         settings.display.plot, second->names());
  ASSERT_EQ(read->recorded.size(), 1U);
  EXPECT_EQ(read->recorded.front().manager, "one");
}

/// A run of a job of `manager`'s that is named "a", with its own record.
RunOnFile whole_record(const std::string& manager, JobReport report, Time ended) {
  report.job.resource_manager = manager;
  RunOnFile run;
  run.name = report.name;
  run.manager = manager;
  run.submitted = report.job.submitted;
  run.started = run.began = run.reported_start = report.job.started;
  run.ended = ended;
  run.completed = true;
  CheckpointedJob job;
  job.name = report.name;
  job.manager = manager;
  job.submitted = report.job.submitted;
  job.seen = ended;
  job.run = std::make_shared<const JobReport>(std::move(report));
  run.job = std::make_shared<const CheckpointedJob>(std::move(job));
  return run;
}

TEST_F(OwnersTest, ARunIsAccountedByItsOwnRecordBeforeAnotherJobTakesItsName) {
  begin({});
  const RunOnFile run = whole_record("one", running_on("n1"), kNow + Seconds(50));
  next.time = kNow + Seconds(60);
  begin_from(checkpoint_text(cluster(), engine().checkpoint()), {}, Seconds(0), {}, {run});
  next_rm->next.silent = {{"one", "no answer"}};
  second_polls(both_nodes(), {});
  EXPECT_THAT(listener.ended, IsEmpty()) << "its nodes are not known yet";
  const std::string text = checkpoint_text(second->cluster(), second->checkpoint());
  begin_from(text);
  next_rm->next.silent = {{"one", "no answer"}};
  second_polls(both_nodes(), {of("two", job_report("a", 2))});
  ASSERT_EQ(listener.ended.size(), 1U);
  EXPECT_EQ(listener.with_record, 1);
  EXPECT_EQ(listener.ended.at(0).resource_manager, "one");
  EXPECT_EQ(listener.ended.at(0).ended, kNow + Seconds(50));
  EXPECT_EQ(again("a").resource_manager, "two");
  EXPECT_EQ(again("a").accounted_until, Time(0));
  EXPECT_EQ(second->statistics().all.jobs, 1);
}

TEST_F(OwnersTest, AnAccountedJobIsOfItsManager) {
  core_starts("a", "n1", 2);
  begin({of("one", job_report("a", 2))});
  rm().next.ended = {{"a", JobState::completed, kNow + Seconds(50)}};
  iterate(Seconds(50));
  restart(Seconds(60));
  second_polls(both_nodes(), {of("two", running_on("n1", "a", kNow + Seconds(10)))});
  EXPECT_EQ(again("a").started, kNow + Seconds(10));
}

TEST_F(RunningCheckpointTest, AJobThatAnIncompleteListOmitsKeepsItsNodes) {
  run();
  const auto nodes = cluster().job(job_named(cluster(), "a")).placement;
  restart(Seconds(400));
  next_rm->next.incomplete = {"scripted"};
  second_polls(both_nodes(), {});
  EXPECT_EQ(again("a").state, JobState::running);
  EXPECT_EQ(again("a").started, kNow);
  EXPECT_EQ(again("a").placement, nodes);
  for (int hour = 1; hour <= 3; ++hour) {
    next.time = kNow + minutes(60 * hour);
    next_rm->next.incomplete = {"scripted"};
    second_polls({}, {});
  }
  EXPECT_EQ(again("a").state, JobState::running);
  EXPECT_THAT(listener.ended, testing::IsEmpty());
}

TEST_F(RunningCheckpointTest, AJobThatAnIncompleteListOmittedIsLostOnceCompleteListsOmitIt) {
  run();
  restart(Seconds(400));
  for (const Seconds since : {Seconds(400), minutes(60)}) {
    next.time = kNow + since;
    next_rm->next.incomplete = {"scripted"};
    second_polls(both_nodes(), {});
  }
  second_polls({}, {});
  EXPECT_EQ(again("a").state, JobState::running) << "JOBPURGETIME begins now";
  next.time = kNow + minutes(65);
  second->iterate([] {});
  ASSERT_EQ(listener.ended.size(), 1u);
  EXPECT_EQ(listener.ended[0].ended, kNow + Seconds(100));
}

TEST_F(RunningCheckpointTest, AJobThatTheFirstCompleteListOmitsIsLost) {
  run();
  restart(Seconds(400));
  next_rm->next.incomplete = {"scripted"};
  second_polls(both_nodes(), {});
  second_polls({}, {});
  EXPECT_EQ(again("a").state, JobState::running) << "it may be reported yet";
  next.time = kNow + Seconds(400) + minutes(5);
  second->iterate([] {});
  ASSERT_EQ(listener.ended.size(), 1u);
  EXPECT_EQ(listener.ended[0].ended, kNow + Seconds(100));
}

TEST_F(RunningCheckpointTest, ARunWhoseLimitIsUnreadableKeepsItsLimit) {
  run();
  settings.default_wall_time = minutes(1);
  restart(Seconds(400));
  JobReport report = running();
  report.problem = "invalid WCLIMIT 'long': expected a duration";
  report.request.limit = Seconds(0);
  second_polls(both_nodes(), {report});
  EXPECT_EQ(again("a").state, JobState::running);
  EXPECT_EQ(second->cluster().request_of(again("a").id).limit, hours(1));
}

TEST_F(RunningCheckpointTest, AStartThatDoesNotShowYetIsNotMadeAgain) {
  run();
  restart(Seconds(120));
  second_polls(both_nodes(), {job_report("a", 2)});
  EXPECT_EQ(again("a").state, JobState::running);
  for (const Seconds at : {Seconds(180), minutes(13)}) {
    next.time = kNow + at;
    next_rm->next.statuses = {{"a", JobState::idle}};
    second->iterate([] {});
  }
  EXPECT_EQ(again("a").state, JobState::idle) << "it has been told for JOBSYNCTIME";
}

TEST_F(RunningCheckpointTest, AJobThatWentBackIntoTheQueueLongAgoWaits) {
  run();
  restart(minutes(30));
  second_polls(both_nodes(), {job_report("a", 2)});
  EXPECT_EQ(again("a").state, JobState::idle);
  EXPECT_EQ(again("a").start_count, 1);
}

// A text of version 2 as its scheduler wrote it.
TEST_F(CheckpointTest, ACheckpointOfVersion2IsTakenOver) {
  std::ifstream file(MAUI_TEST_DATA "/checkpoint_v2.json");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  settings.display.plot.proc_scale = settings.display.plot.time_scale = 1;
  Cluster names;
  const auto read = read_checkpoint_text(text, settings.display.plot, names);
  ASSERT_TRUE(read) << read.error().what;
  EXPECT_EQ(read->jobs.at(1).holds, kSystemHold);
  EXPECT_EQ(read->jobs.at(2).failures.deferrals, 2);
  EXPECT_EQ(read->reservations.at(1).life.done.size(), 1U);
  EXPECT_TRUE(read->ended.at(0).manager.empty());
  EXPECT_EQ(read->charges.at(0).began, read->charges.at(0).start);
  EXPECT_TRUE(read->idle.empty() && read->triggers_later.empty());

  auto again = nlohmann::json::parse(checkpoint_text(names, *read));
  for (const char* since_version_3 : {"idle", "triggers_later"}) again.erase(since_version_3);
  for (const char* part : {"ended", "charges"})
    for (auto& entry : again[part])
      for (const char* later : {"manager", "began"}) entry.erase(later);
  for (auto& waived : again["waivers"]) waived.erase("terms");
  const nlohmann::json usual{{"compare", static_cast<int>(Comparison::at_most)},
                             {"affinity", static_cast<int>(Affinity::positive)},
                             {"negated", false},
                             {"required", false}};
  for (auto& saved : again["reservations"])
    for (auto& criterion : saved["access"]) {
      auto whole = usual;
      whole.update(criterion);
      criterion = whole;
    }
  for (auto& job : again["jobs"])
    if (job.contains("hold_reason")) job["hold_reason"] = job["hold_reason"]["text"];
  again["version"] = 2;
  auto before = nlohmann::json::parse(text);
  before["statistics"].erase("dedicated_proc_seconds");  // now the sum of what its jobs used
  EXPECT_EQ(again, before) << "nothing of it is lost";
}

TEST_F(CheckpointTest, TheCauseOfAHoldIsKeptAndUntilVersion4ReadFromItsWords) {
  std::ifstream file(MAUI_TEST_DATA "/checkpoint_v2.json");
  auto earlier = nlohmann::json::parse(file);
  earlier["jobs"][0]["hold_reason"] = "NoResources: no node is in partition 'math'";
  Cluster names;
  const auto read = read_checkpoint_text(earlier.dump(), settings.display.plot, names);
  ASSERT_TRUE(read) << read.error().what;
  EXPECT_EQ(read->jobs.at(0).hold_reason.cause, HoldCause::no_resources);
  EXPECT_EQ(read->jobs.at(2).hold_reason.cause, HoldCause::other) << "RMReject: no room";

  auto kept = *read;
  kept.jobs.at(0).hold_reason = {"NoResources: and yet another cause", HoldCause::lost_dependency};
  const auto again =
      read_checkpoint_text(checkpoint_text(names, kept), settings.display.plot, names);
  ASSERT_TRUE(again) << again.error().what;
  EXPECT_EQ(again->jobs.at(0).hold_reason, kept.jobs.at(0).hold_reason);
}

TEST_F(CheckpointTest, ATextThatIsNoCheckpointIsRefused) {
  for (const char* text : {"", "{}", "[1, 2]", R"({"version": 99})",
                           R"({"version": 1, "when": "x"})", R"({"version": 2, "when": "x"})"}) {
    Cluster names;
    const auto read = read_checkpoint_text(text, settings.display.plot, names);
    ASSERT_FALSE(read) << text;
    EXPECT_FALSE(read.error().what.empty());
  }
}

// Puts another value in the place of the first one of this name in a checkpoint's text.
std::string with_value(const std::string& text, const std::string& name, const std::string& value) {
  const auto at = text.find('"' + name + "\":") + name.size() + 3;
  return text.substr(0, at) + value + text.substr(text.find_first_of(",}", at));
}

TEST_F(CheckpointTest, AMomentThatIsNoWholeNumberOrOutOfBoundsIsRefused) {
  begin({});
  const auto text = checkpoint_text(cluster(), engine().checkpoint());
  const std::pair<const char*, const char*> wrong[] = {
      {"1.2e47", "a whole number"},
      {"0.5", "a whole number"},
      {"true", "a whole number"},
      {"-9223372036854775808", "a time from "},
      {"9223372036854775807", "a time from "},
      {"18446744073709551615", "a whole number from "},
  };
  for (const auto& [value, expected] : wrong) {
    Cluster names;
    const auto read =
        read_checkpoint_text(with_value(text, "when", value), settings.display.plot, names);
    ASSERT_FALSE(read) << value;
    EXPECT_NE(read.error().what.find(expected), std::string::npos) << read.error().what;
  }
}

TEST_F(CheckpointTest, ADurationWithoutEndIsRead) {
  begin({job_report("a", 1)});
  Checkpoint kept = engine().checkpoint();
  CheckpointedJob job;
  job.name = "a";
  job.failures.deferred_until = kNow + kUnlimited;  // DEFERTIME INFINITY
  kept.jobs.push_back(job);
  Cluster names;
  const auto read =
      read_checkpoint_text(checkpoint_text(cluster(), kept), settings.display.plot, names);
  ASSERT_TRUE(read) << read.error().what;
  EXPECT_EQ(read->jobs.back().failures.deferred_until, kNow + kUnlimited);
}

TEST_F(RunningCheckpointTest, ACountThatNoSchedulerWroteIsRefused) {
  run();
  const auto text = checkpoint_text(cluster(), engine().checkpoint());
  const auto read = [&](const std::string& other) {
    Cluster names;
    return read_checkpoint_text(other, settings.display.plot, names);
  };
  ASSERT_TRUE(read(with_value(text, "charged", "99")));
  for (const auto& [name, value] :
       std::vector<std::pair<const char*, const char*>>{{"charged", "1e35"},   // no whole number
                                                        {"n1", "2147483648"},  // more than an int
                                                        {"state", "259"},  // would be 3 in a byte
                                                        {"state", "7"},    // after the last state
                                                        {"PROCS", "-2"},   // a negative amount
                                                        {"n1", "-1"},      // tasks on a node
                                                        {"n1", "10000001"}}) {
    ASSERT_NE(text.find('"' + std::string(name) + "\":"), text.npos) << name << " in " << text;
    const auto other = read(with_value(text, name, value));
    ASSERT_FALSE(other) << name << ' ' << value;
    EXPECT_NE(other.error().what.find("expected"), std::string::npos) << other.error().what;
  }
}

}  // namespace
}  // namespace maui::test
