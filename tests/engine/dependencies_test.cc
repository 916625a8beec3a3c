// Jobs that wait for what other jobs do.
#include "engine/actions/dependencies.h"

#include "engine/engine_fixture.h"
#include "sched/cycle.h"

namespace maui::test {
namespace {

using testing::ElementsAre;

struct DependenciesTest : EngineTest {
  DependenciesTest() {
    core = [this](const Cluster& known, Time now) { return plan(known, settings, now); };
  }
  static JobReport after(DependencyKind kind, const std::string& on,
                         const std::string& name = "next") {
    JobReport report = job_report(name, 1);
    report.job.dependencies = {{kind, on}};
    return report;
  }
  void ends(const std::string& name, JobState state = JobState::completed, int exit_code = 0) {
    rm().next.ended = {{name, state, clock.time, exit_code}};
    iterate(seconds_ = seconds_ + Seconds(60));
  }
  DependencyState state(const std::string& name = "next") {
    return job(name).dependencies.front().state;
  }
  /// Iterates, and returns how often other work had its turn meanwhile.
  int pauses() {
    int count = 0;
    listener.pauses = true;
    iterate(seconds_ = seconds_ + Seconds(60));
    for (; listener.go_on_with; ++count) std::exchange(listener.go_on_with, nullptr)();
    listener.pauses = false;
    return count;
  }
  /// Begins with 200 jobs that wait for one that nobody knows; nothing starts.
  std::vector<JobReport> begin_with_many() {
    core = {};
    std::vector<JobReport> jobs;
    for (int i = 0; i < 200; ++i)
      jobs.push_back(after(DependencyKind::after_any, "nobody", std::to_string(i)));
    begin(jobs);
    return jobs;
  }
  Seconds seconds_{0};
};

TEST_F(DependenciesTest, AfterIsMetByTheStart) {
  begin({job_report("first", 1), after(DependencyKind::after, "first")});
  EXPECT_EQ(state(), DependencyState::met);
  EXPECT_FALSE(job("next").active()) << "when the cycle was planned the other had not started";
  iterate(Seconds(60));
  EXPECT_TRUE(job("next").active());
}

TEST_F(DependenciesTest, ATraceMayNameAnyResourceManager) {
  JobReport next = after(DependencyKind::after_any, "first");
  next.job.resource_manager = "base";
  begin({job_report("first", 1), next});
  ends("first");
  EXPECT_EQ(state(), DependencyState::met);
}

TEST_F(DependenciesTest, AfterIsNotMetByAStartThatWasRefused) {
  rm().refuses_starts = "no licence";
  rm().obstacle = Obstacle::passes;
  begin({job_report("first", 1)});
  ASSERT_TRUE(job("first").waiting());
  rm().next.arrived = {after(DependencyKind::after, "first")};
  iterate(Seconds(1));
  EXPECT_EQ(state(), DependencyState::open);
  rm().next.ended = {{"first", JobState::removed, clock.time}};
  iterate(Seconds(2));
  EXPECT_EQ(state(), DependencyState::never);
}

TEST_F(DependenciesTest, AfterOkWaitsForAnEndWithoutFailure) {
  begin({job_report("first", 1), after(DependencyKind::after_ok, "first")});
  EXPECT_EQ(state(), DependencyState::open);
  EXPECT_FALSE(job("next").active());
  ends("first");
  EXPECT_EQ(state(), DependencyState::met);
  EXPECT_TRUE(job("next").active());
}

TEST_F(DependenciesTest, AfterOkCanNeverBeMetOnceTheOtherHasFailed) {
  for (const bool removed : {false, true}) {
    const std::string first = removed ? "removed" : "failed", next = "after-" + first;
    rm().next.nodes = {node_report("n1", procs(2))};
    rm().next.arrived = {job_report(first, 1), after(DependencyKind::after_ok, first, next)};
    iterate(seconds_ = seconds_ + Seconds(60));
    ends(first, removed ? JobState::removed : JobState::completed, removed ? 0 : 1);
    EXPECT_EQ(state(next), DependencyState::never);
    EXPECT_TRUE(has(job(next).holds, Hold::batch));
    EXPECT_EQ(job(next).hold_reason->text, "dependency can never be met: afterok:" + first);
  }
}

TEST_F(DependenciesTest, AHeldJobIsHeldForItsLostDependencyToo) {
  JobReport held = after(DependencyKind::after_not_ok, "first");
  held.job.holds = static_cast<std::uint8_t>(Hold::user);
  listener.events_wanted = true;
  begin({job_report("first", 1), held});
  listener.outdated = 0;
  ends("first");
  EXPECT_EQ(state(), DependencyState::never);
  EXPECT_TRUE(has(job("next").own_holds, Hold::batch));
  EXPECT_GT(listener.outdated, 0);
  EXPECT_EQ(std::count_if(listener.events.begin(), listener.events.end(),
                          [](const Event& event) { return event.type == EventType::job_hold; }),
            1);
  rm().next.statuses = {{.name = "next", .holds = std::uint8_t{0}}};
  iterate(seconds_ = seconds_ + Seconds(60));
  EXPECT_EQ(job("next").hold_reason->text, "dependency can never be met: afternotok:first");
  EXPECT_TRUE(has(job("next").holds, Hold::batch));
}

// Whoever changes the dependency must not get rid of the administrator's hold.
TEST_F(DependenciesTest, ABatchHoldForAnotherReasonStaysAsItIs) {
  begin({job_report("first", 1), after(DependencyKind::after_not_ok, "first")});
  ASSERT_TRUE(set_holds(engine(), id("next"), static_cast<std::uint8_t>(Hold::batch)));
  ends("first");
  EXPECT_EQ(state(), DependencyState::never);
  EXPECT_TRUE(job("next").hold_reason->empty());
  rm().next.changed = {job_report("next", 1)};
  iterate(seconds_ = seconds_ + Seconds(60));
  EXPECT_TRUE(job("next").dependencies.empty());
  EXPECT_TRUE(has(job("next").holds, Hold::batch));
}

TEST_F(DependenciesTest, TheResourceManagerJudgesItsDependenciesOnceTheOtherJobIsGone) {
  const auto theirs = [](DependencyKind kind, const std::string& on, const std::string& name) {
    JobReport report = after(kind, on, name);
    report.job.dependencies.front().theirs = true;
    return report;
  };
  begin({job_report("first", 1), theirs(DependencyKind::after_ok, "first", "next"),
         theirs(DependencyKind::after, "first", "beside"),
         theirs(DependencyKind::after_ok, "before", "late")});
  EXPECT_EQ(state("late"), DependencyState::met) << "what it waits for was there before us";
  EXPECT_EQ(state("beside"), DependencyState::met);
  EXPECT_EQ(state(), DependencyState::open);
  ends("first", JobState::completed, 1);
  EXPECT_EQ(state(), DependencyState::met);
  EXPECT_EQ(job("next").holds, 0) << "it may have ended in a way that we do not know";
}

TEST_F(DependenciesTest, AJobMayArriveBeforeTheOneThatItDependsOn) {
  JobReport early = after(DependencyKind::after_ok, "late");
  early.job.dependencies.front().theirs = true;
  begin({early, job_report("late", 1), job_report("plain", 1)});
  EXPECT_EQ(state(), DependencyState::open);
  JobReport revised = after(DependencyKind::after_ok, "later", "plain");
  revised.job.dependencies.front().theirs = true;
  core = {};
  rm().next.changed = {revised};
  rm().next.arrived = {job_report("later", 1)};
  ASSERT_TRUE(engine().preempt_job(id("plain"), Preemption::requeue));
  iterate(seconds_ = Seconds(60));
  EXPECT_EQ(state("plain"), DependencyState::open);
}

TEST_F(DependenciesTest, AfterNotOkWaitsForAFailure) {
  begin({job_report("first", 1), job_report("good", 1),
         after(DependencyKind::after_not_ok, "first", "mend"),
         after(DependencyKind::after_not_ok, "good", "never")});
  ends("first", JobState::completed, 3);
  EXPECT_EQ(state("mend"), DependencyState::met);
  ends("good");
  EXPECT_EQ(state("never"), DependencyState::never);
}

TEST_F(DependenciesTest, AfterAnyWaitsForTheEndHoweverItIs) {
  begin({job_report("a", 1), job_report("b", 1), after(DependencyKind::after_any, "a", "x"),
         after(DependencyKind::after_any, "b", "y")});
  ends("a", JobState::removed);
  ends("b");
  EXPECT_EQ(state("x"), DependencyState::met);
  EXPECT_EQ(state("y"), DependencyState::met);
}

TEST_F(DependenciesTest, TheOtherMayComeLaterOrHaveEndedBefore) {
  begin({after(DependencyKind::after_ok, "late")});
  EXPECT_EQ(state(), DependencyState::open);
  rm().next.arrived = {job_report("late", 1)};
  iterate(seconds_ = Seconds(60));
  ends("late");
  EXPECT_EQ(state(), DependencyState::met);
  rm().next.arrived = {after(DependencyKind::after_ok, "late", "afterwards")};
  iterate(seconds_ = seconds_ + Seconds(60));
  EXPECT_EQ(state("afterwards"), DependencyState::met);
}

TEST_F(DependenciesTest, ACancelledJobThatNeverStartedMeetsNoStart) {
  core = {};
  begin({job_report("first", 1), after(DependencyKind::after, "first", "x"),
         after(DependencyKind::after_any, "first", "y")});
  EXPECT_TRUE(engine().cancel_job(id("first")));
  EXPECT_EQ(state("x"), DependencyState::never);
  EXPECT_EQ(state("y"), DependencyState::met);
}

TEST_F(DependenciesTest, AllOfThemMustBeMet) {
  JobReport last = after(DependencyKind::after_ok, "a", "last");
  last.job.dependencies.push_back({DependencyKind::after_any, "b"});
  begin({job_report("a", 1), job_report("b", 1), last});
  ends("a");
  EXPECT_FALSE(job("last").dependencies_met());
  ends("b");
  EXPECT_TRUE(job("last").active());
}

// A job of many dependencies must not be judged once for each of them.
TEST_F(DependenciesTest, AJobIsBroughtUpToDateOnceForAllThatHaveEnded) {
  constexpr int kOthers = 50;
  const auto changes = [this](bool waits) {
    JobReport last = after(DependencyKind::after_any, "nobody", "last");
    std::vector<JobReport> jobs;
    std::vector<JobEnd> ends;
    for (int i = 0; i < kOthers; ++i) {
      const std::string name = "other" + std::to_string(i);
      jobs.push_back(job_report(name, 1));
      ends.push_back({name, JobState::removed, clock.time});
      if (waits) last.job.dependencies.push_back({DependencyKind::after_any, name});
    }
    jobs.push_back(last);
    ends.push_back({"last", JobState::removed, clock.time});
    rm().next.arrived = jobs;
    iterate(seconds_ = seconds_ + Seconds(60));
    const auto before = cluster().releases();
    rm().next.ended = {ends.begin(), ends.end() - 1};
    iterate(seconds_ = seconds_ + Seconds(60));
    const auto after = cluster().releases();
    for (const Dependency& dependency : job("last").dependencies)
      EXPECT_EQ(dependency.state == DependencyState::met, dependency.job != "nobody");
    rm().next.ended = {ends.back()};
    iterate(seconds_ = seconds_ + Seconds(60));
    return after - before;
  };
  core = {};
  begin({});
  const auto alone = changes(false);
  EXPECT_EQ(changes(true), alone + 1);
}

TEST_F(DependenciesTest, ManyDependenciesAreJudgedInSlices) {
  const auto slices = [this](const std::string& prefix, int dependencies) {
    std::vector<JobReport> jobs;
    for (int i = 0; i < 40; ++i) {
      jobs.push_back(after(DependencyKind::after_any, "nobody", prefix + std::to_string(i)));
      for (int k = 1; k < dependencies; ++k)
        jobs.back().job.dependencies.push_back(
            {DependencyKind::after_any, prefix + std::to_string(k)});
    }
    rm().next.arrived = jobs;
    return pauses();
  };
  core = {};
  begin({});
  const int few = slices("few", 1);
  EXPECT_GE(slices("many", 800), few + 12);
}

TEST_F(DependenciesTest, ManyLostJobsAreEndedInSlices) {
  const std::vector<JobReport> jobs = begin_with_many();
  const int none = pauses();
  for (const JobReport& report : jobs) rm().next.lost.push_back(report.name);
  rm().next.certain = {"scripted"};
  EXPECT_GE(pauses(), none + 8);
  EXPECT_TRUE(cluster().jobs().empty());
}

TEST_F(DependenciesTest, ManyReportedEndsAreAppliedInSlices) {
  const std::vector<JobReport> jobs = begin_with_many();
  const int none = pauses();
  for (const JobReport& report : jobs)
    rm().next.ended.push_back({report.name, JobState::removed, clock.time});
  EXPECT_GE(pauses(), none + 8);
  EXPECT_TRUE(cluster().jobs().empty());
}

TEST_F(DependenciesTest, ARevisedJobKeepsWhatHasBeenMet) {
  core = {};
  JobReport last = after(DependencyKind::after_any, "a", "last");
  last.job.dependencies.push_back({DependencyKind::after_any, "b"});
  begin({job_report("a", 1), job_report("b", 1), last});
  last.job.dependencies.push_back({DependencyKind::after_any, "c"});
  rm().next.ended = {{"a", JobState::removed, clock.time}};
  rm().next.changed = {last};
  rm().next.arrived = {job_report("a", 1)};
  iterate(seconds_ = Seconds(60));
  EXPECT_EQ(state("last"), DependencyState::met) << "another job has the name now";
}

TEST_F(DependenciesTest, ASimulationRestsWhenAJobWaitsForANodeThatStaysDown) {
  rm().next.nodes = {node_report("n1", procs(2)), node_report("n2", procs(2))};
  rm().next.nodes.back().node.reported = NodeState::drained;
  rm().next.arrived = {job_report("wide", 4)};
  rm().next.exhausted = true;
  iterate();
  ASSERT_TRUE(job("wide").reservation.valid());
  EXPECT_FALSE(engine().at_rest()) << "the node may be back after DOWNNODEDELAYTIME";
  rm().next.exhausted = true;
  iterate(hours(25));
  ASSERT_TRUE(job("wide").reservation.valid());
  EXPECT_TRUE(engine().at_rest());
}

TEST_F(DependenciesTest, ASimulationEndsWhenOnlyUnmetDependenciesAreLeft) {
  rm().next.exhausted = true;
  begin({after(DependencyKind::after_ok, "nobody")});
  EXPECT_TRUE(engine().finished());
}

}  // namespace
}  // namespace maui::test
