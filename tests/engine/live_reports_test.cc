// Reports of a live resource manager beside those of nodes, jobs and their states: what stands in
// the way of starts, reservations of its own, where tasks are, and tasks that leave their array.
#include <fmt/format.h>

#include <utility>

#include "engine/engine_fixture.h"

namespace maui::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class LiveReportsTest : public EngineTest {
 protected:
  /// Runs an iteration to its end and returns how often others had their turn, at most 2,000 times.
  int turns(Seconds at) {
    listener.pauses = true;
    const int before = done;
    int count = 0;
    for (iterate(at); done == before && count < 2000; ++count) {
      EXPECT_EQ(cluster().check(), std::nullopt);
      std::exchange(listener.go_on_with, nullptr)();
    }
    return count;
  }
  void refuse(const std::string& why, Obstacle what) {
    core_starts("a", "n1", 1);
    rm().refuses_starts = why;
    rm().obstacle = what;
    begin({job_report("a", 1)});
  }
  /// From now on the job is to start on n1 whenever it waits and nothing is in its way.
  void keeps_starting(const std::string& name) {
    core = [name](const Cluster& all, Time) {
      Plan plan;
      const JobId id = all.find_job(name);
      if (all.job(id).waiting() && all.job(id).waits_for.empty())
        plan.decisions.push_back(StartJob{id, {{all.find_node("n1"), 1, 0}}});
      return plan;
    };
  }
  /// How often a start was asked for in vain.
  std::int64_t asked() { return engine().rm_records().front().failed_starts; }
  void keep(ReservationReport reservation) {
    rm().next.reservations = {{"scripted", {std::move(reservation)}}};
  }
  std::vector<std::string> kept() {
    std::vector<std::string> names;
    for (const ReservationId id : cluster().reservations())
      if (!cluster().reservation(id).resource_manager.empty())
        names.push_back(cluster().reservation(id).name + " " +
                        show(cluster(), cluster().reservation(id).nodes));
    return names;
  }
  static JobReport running(const std::string& name, std::vector<std::string> on) {
    JobReport report = job_report(name, static_cast<int>(on.size()));
    report.job.state = JobState::running;
    report.job.started = kNow;
    report.task_list = std::move(on);
    return report;
  }
};

TEST_F(LiveReportsTest, APassingObstacleIsWaitedForUntilTheNextAnswer) {
  refuse("no licence is free", Obstacle::passes);
  EXPECT_EQ(job("a").state, JobState::idle);
  EXPECT_EQ(job("a").holds, 0);
  EXPECT_EQ(job("a").failures, JobFailures{});
  EXPECT_EQ(job("a").waits_for, "no licence is free");
  EXPECT_THAT(listener.lines, ElementsAre("1 job 'a' cannot start yet: no licence is free"));
  EXPECT_EQ(asked(), 1);
  rm().refuses_starts.reset();
  iterate(Seconds(10));
  EXPECT_EQ(job("a").state, JobState::running);
}

TEST_F(LiveReportsTest, AStartThatIsRefusedInARowIsAskedForMoreSeldom) {
  refuse("the node is not available", Obstacle::passes);
  keeps_starting("a");
  const auto refusals_after = [&](int seconds) {
    iterate(Seconds(seconds));
    return asked();
  };
  EXPECT_EQ(refusals_after(1), 2) << "with the next answer";
  EXPECT_EQ(refusals_after(5), 2);
  EXPECT_EQ(job("a").waits_for, "the node is not available");
  EXPECT_EQ(refusals_after(6), 3) << "after five seconds";
  EXPECT_EQ(refusals_after(15), 3);
  EXPECT_EQ(refusals_after(16), 4);
  rm().refuses_starts.reset();
  iterate(Seconds(35));
  EXPECT_EQ(job("a").state, JobState::idle);
  iterate(Seconds(36));
  EXPECT_EQ(job("a").state, JobState::running);
}

// A server whose reports do not tell why it refuses.
TEST_F(LiveReportsTest, AReportWithoutAnObstacleEndsNoPause) {
  refuse("Slurm does not start it: Dependency", Obstacle::passes);
  keeps_starting("a");
  JobStatus free{"a"};
  free.waits_for = "";
  for (int i = 1; i <= 40; ++i) {
    rm().next.statuses = {free};
    iterate(Seconds(i));
  }
  EXPECT_EQ(asked(), 5) << "at 0 s, 1 s, 6 s, 16 s and 36 s";
  JobStatus waits{"a"};
  waits.waits_for = "a licence";
  rm().next.statuses = {waits};
  iterate(Seconds(41));
  EXPECT_EQ(job("a").waits_for, "a licence");
  rm().next.statuses = {free};
  iterate(Seconds(42));
  EXPECT_EQ(asked(), 6) << "what was told of has passed";
}

// Slurm's WIKI does not tell of what partition nodes are, nor whose they are alone.
TEST_F(LiveReportsTest, AJobThatIsRefusedOnANodeIsTriedOnOthers) {
  rm().refuses_starts = "BadConstraints";
  rm().obstacle = Obstacle::there;
  core = [](const Cluster& all, Time) {  // each on the first node that its request allows
    Plan plan;
    for (const JobId id : all.jobs()) {
      const Job& job = all.job(id);
      if (!job.waiting() || !job.waits_for.empty()) continue;
      for (const char* name : {"n1", "n2"})
        if (const NodeId node = all.find_node(name); all.request_of(id).may_use(node)) {
          plan.decisions.push_back(StartJob{id, {{node, 1, 0}}});
          break;
        }
    }
    return plan;
  };
  begin({job_report("a", 1)});
  ASSERT_EQ(asked(), 1);
  const auto excluded = [this] {
    std::string names;
    for (const NodeId node : cluster().request_of(job("a").id).excluded)
      names += cluster().node(node).name + " ";
    return names;
  };
  EXPECT_EQ(excluded(), "n1 ");
  rm().next.arrived = {job_report("b", 1)};
  rm().refused_job = "a";
  iterate(Seconds(1));
  EXPECT_EQ(job("b").state, JobState::running) << "another's refusal is not its own";
  EXPECT_EQ(asked(), 2);
  EXPECT_EQ(job("a").holds, 0);
  EXPECT_EQ(job("a").failures, JobFailures{});
  EXPECT_EQ(excluded(), "") << "it was refused on both";
  rm().refuses_starts.reset();
  iterate(Seconds(6));
  EXPECT_EQ(job("a").state, JobState::running);
  EXPECT_EQ(cluster().check(), std::nullopt);
}

TEST_F(LiveReportsTest, ANodeWhereAJobWasRefusedIsTriedAgainWhenAnotherHasLeftItOrLater) {
  begin({running("b", {"n1"})});
  core_starts("a", "n1", 1);
  rm().refuses_starts = "Resources";
  rm().obstacle = Obstacle::there;
  rm().next.arrived = {job_report("a", 1)};
  iterate(Seconds(1));
  core = [](const Cluster&, Time) { return Plan(); };
  const auto avoided = [this] { return cluster().request_of(job("a").id).excluded.size(); };
  EXPECT_EQ(avoided(), 1U);
  rm().next.ended = {{"b", JobState::completed, kNow + Seconds(2), 0}};
  iterate(Seconds(2));
  EXPECT_EQ(avoided(), 0U);
  core_starts("a", "n1", 1);
  iterate(Seconds(10));
  core = [](const Cluster&, Time) { return Plan(); };
  iterate(Seconds(300));
  EXPECT_EQ(avoided(), 1U);
  iterate(Seconds(311));
  EXPECT_EQ(avoided(), 0U) << "five minutes later";
}

// sbatch --exclusive, of which the WIKI of Slurm does not tell.
TEST_F(LiveReportsTest, AJobThatNoNodeTakesIsAskedForMoreSeldomUntilANodeIsLeftEmpty) {
  core = [](const Cluster& all, Time) {  // on the first node that its request allows
    Plan plan;
    const JobId a = all.find_job("a");
    if (!a.valid() || !all.job(a).waiting() || !all.job(a).waits_for.empty()) return plan;
    for (const char* name : {"n1", "n2", "n3", "n4"})
      if (const NodeId node = all.find_node(name); all.request_of(a).may_use(node)) {
        plan.decisions.push_back(StartJob{a, {{node, 1, 0}}});
        break;
      }
    return plan;
  };
  for (const char* name : {"n1", "n2", "n3", "n4"}) {
    rm().next.nodes.push_back(node_report(name, procs(2)));
    rm().next.arrived.push_back(running(fmt::format("on-{}", name), {name}));
  }
  rm().next.arrived.push_back(running("second-on-n2", {"n2"}));
  iterate();
  rm().refuses_starts = "Could not start job a: Resources";
  rm().obstacle = Obstacle::there;
  rm().next.arrived = {job_report("a", 1)};
  int second = 1;
  for (; second < 600; ++second) iterate(Seconds(second));
  const auto so_far = asked();
  EXPECT_LE(so_far, 15) << "each five seconds it were 120";
  rm().next.ended = {{"on-n2", JobState::completed, kNow + Seconds(second), 0}};
  iterate(Seconds(second));
  iterate(Seconds(++second));
  EXPECT_EQ(asked(), so_far) << "there is another on n2";
  rm().refuses_starts.reset();
  rm().next.ended = {{"on-n3", JobState::completed, kNow + Seconds(second), 0}};
  iterate(Seconds(++second));
  iterate(Seconds(++second));
  EXPECT_EQ(job("a").state, JobState::running) << "n3 is empty";
  EXPECT_EQ(cluster().check(), std::nullopt);
}

TEST_F(LiveReportsTest, ExclusionsOfAJobGoBeforeThoseOfARefusal) {
  refuse("Resources", Obstacle::there);
  core = [](const Cluster&, Time) { return Plan(); };
  JobReport report = job_report("a", 1);
  report.excluded_hosts = {"n1"};
  rm().next.changed = {report};
  iterate(Seconds(1));
  iterate(Seconds(400));
  EXPECT_THAT(cluster().request_of(job("a").id).excluded, ElementsAre(node("n1")));
}

// A server may know of a most of nodes that it does not tell (sbatch -N1 -n2).
TEST_F(LiveReportsTest, AJobThatIsRefusedOnSeveralNodesIsTriedOnTheFewest) {
  core = [](const Cluster& all, Time) {
    Plan plan;
    plan.decisions.push_back(
        StartJob{all.find_job("a"), {{all.find_node("n1"), 1, 0}, {all.find_node("n2"), 1, 0}}});
    return plan;
  };
  rm().refuses_starts = "Could not start job 4(n[1-2]): None";
  rm().obstacle = Obstacle::there;
  begin({job_report("a", 2)});
  EXPECT_EQ(cluster().request_of(job("a").id).requirements.front().nodes, 1);
  EXPECT_TRUE(cluster().request_of(job("a").id).excluded.empty());
  core = [](const Cluster&, Time) { return Plan(); };
  iterate(Seconds(299));
  EXPECT_EQ(cluster().request_of(job("a").id).requirements.front().nodes, 1);
  iterate(Seconds(300));
  EXPECT_EQ(cluster().request_of(job("a").id).requirements.front().nodes, 0)
      << "it may have been something else";
}

TEST_F(LiveReportsTest, APermanentObstacleHoldsTheJob) {
  refuse("it asks for more than its partition allows", Obstacle::stays);
  EXPECT_TRUE(has(job("a").holds, Hold::batch));
  EXPECT_THAT(job("a").hold_reason->text, HasSubstr("more than its partition allows"));
}

// A request that a server cannot serve as it stands (BadConstraints) is that job's own trouble.
TEST_F(LiveReportsTest, AJobThatNeedsRefusedNodesIsKeptFromThemInTurn) {
  std::string tried;
  core = [&](const Cluster& all, Time) {  // three nodes, the last that its request allows
    Plan plan;
    const JobId a = all.find_job("a");
    if (!all.job(a).waiting() || !all.job(a).waits_for.empty()) return plan;
    std::vector<NodeId> open;
    for (const char* name : {"n1", "n2", "n3", "n4"})
      if (const NodeId node = all.find_node(name); all.request_of(a).may_use(node))
        open.push_back(node);
    Placement on;
    for (std::size_t i = open.size() - 3; i < open.size(); ++i) on.push_back({open[i], 1, 0});
    tried += show(all, on) + "; ";
    plan.decisions.push_back(StartJob{a, on});
    return plan;
  };
  rm().refuses_starts = "Could not start job 4(n[2-4]): None";
  rm().obstacle = Obstacle::there;
  JobReport report = job_report("a", 3);
  report.request.requirements.front().least_nodes = 3;
  for (const char* name : {"n1", "n2", "n3", "n4"})
    rm().next.nodes.push_back(node_report(name, procs(2)));
  rm().next.arrived = {std::move(report)};
  iterate();
  iterate(Seconds(6));
  iterate(Seconds(12));
  rm().refuses_starts.reset();
  iterate(Seconds(18));
  EXPECT_EQ(tried, "n2:1 n3:1 n4:1; n1:1 n3:1 n4:1; n1:1 n2:1 n4:1; n1:1 n2:1 n3:1; ");
  EXPECT_EQ(job("a").state, JobState::running);
  EXPECT_EQ(cluster().check(), std::nullopt);
}

TEST_F(LiveReportsTest, AStartThatIsRefusedDefersNoOtherJob) {
  rm().refuses_starts = "BadConstraints (SC=-932)";
  rm().refused_job = "a";
  core = [](const Cluster& all, Time) {
    Plan plan;
    for (const char* name : {"a", "b"})
      if (const JobId job = all.find_job(name); all.job(job).waiting() && all.job(job).holds == 0)
        plan.decisions.push_back(StartJob{job, {{all.find_node("n1"), 1, 0}}});
    return plan;
  };
  begin({job_report("a", 1), job_report("b", 1), job_report("c", 1)});
  EXPECT_EQ(job("a").holds, kDefer);
  EXPECT_THAT(job("a").hold_reason->text, HasSubstr("BadConstraints"));
  EXPECT_EQ(job("b").state, JobState::running);
  EXPECT_EQ(job("c").holds, 0);
  EXPECT_EQ(job("c").failures, JobFailures{});
  EXPECT_TRUE(cluster().node(node("n1")).available());
  EXPECT_EQ(cluster().occupancy(node("n1")).free, procs(1)) << "of its two one is b's";
  iterate(Seconds(10));
  EXPECT_EQ(job("b").state, JobState::running);
  EXPECT_EQ(job("c").holds, 0);
  EXPECT_EQ(cluster().check(), std::nullopt);
}

TEST_F(LiveReportsTest, AStartThatIsTakenBackForBadConstraintsDefersNoOtherJob) {
  rm().reports_starts = true;
  core_starts("a", "n1", 1);
  begin({job_report("a", 1), job_report("b", 1)});
  rm().next.failed_starts = {{"a", "BadConstraints", Obstacle::unknown}};
  core_starts("b", "n1", 1);
  iterate(Seconds(10));
  EXPECT_EQ(job("a").holds, kDefer);
  EXPECT_EQ(job("b").state, JobState::starting);
  EXPECT_EQ(job("b").failures, JobFailures{});
}

TEST_F(LiveReportsTest, AStartThatFailsOnItsNodesCountsAsRefused) {
  core_starts("a", "n1", 1);
  rm().reports_starts = true;
  begin({job_report("a", 1)});
  rm().next.statuses = {{"a", JobState::running}};
  iterate(Seconds(1));
  EXPECT_EQ(job("a").state, JobState::running);
  core = {};
  rm().next.failed_starts = {{"a", "the prolog failed", Obstacle::unknown}};
  rm().next.statuses = {{"a", JobState::idle}};
  iterate(Seconds(2));
  EXPECT_EQ(job("a").state, JobState::idle) << "before JOBSYNCTIME is over";
  EXPECT_EQ(job("a").holds, kDefer);
  EXPECT_THAT(job("a").hold_reason->text, HasSubstr("the prolog failed"));
  EXPECT_EQ(asked(), 1);
  EXPECT_EQ(cluster().check(), std::nullopt);
}

TEST_F(LiveReportsTest, AWithdrawnStartCountsAsRefused) {
  rm().reports_starts = true;
  core_starts("a", "n1", 1);
  begin({job_report("a", 1)});
  ASSERT_EQ(job("a").state, JobState::starting);
  rm().next.failed_starts = {{"a", "Prolog", Obstacle::unknown}};
  core = {};
  iterate(Seconds(30));
  EXPECT_EQ(job("a").holds, kDefer);
  EXPECT_THAT(job("a").hold_reason->text, HasSubstr("Prolog"));
  EXPECT_THAT(listener.lines, ElementsAre(HasSubstr("cannot start job 'a': Prolog")));
  EXPECT_EQ(cluster().check(), std::nullopt);
}

TEST_F(LiveReportsTest, AFailedStartOfAJobThatDoesNotStartIsOldNews) {
  begin({job_report("a", 1)});
  rm().next.failed_starts = {{"a", "Prolog", Obstacle::unknown}, {"b", "", Obstacle::unknown}};
  iterate(Seconds(30));
  EXPECT_EQ(job("a").holds, 0);
}

TEST_F(LiveReportsTest, TheReasonWhyAJobWaitsComesAndGoes) {
  JobReport report = job_report("a", 1);
  report.waits_for = "partition 'off' is down";
  begin({report});
  EXPECT_EQ(job("a").waits_for, "partition 'off' is down");
  EXPECT_EQ(job("a").holds, 0);
  JobStatus status{"a"};
  status.waits_for = "";
  rm().next.statuses = {status};
  iterate(Seconds(10));
  EXPECT_EQ(job("a").waits_for, "");
}

TEST_F(LiveReportsTest, AJobReportedImpossibleLaterIsHeldThen) {
  begin({job_report("a", 1)});
  JobReport changed = job_report("a", 1);
  changed.problem = "no node is as its constraint asks";
  rm().next.changed = {changed};
  iterate(Seconds(10));
  EXPECT_TRUE(has(job("a").holds, Hold::batch));
  EXPECT_EQ(job("a").hold_reason->text, "RMFailure: no node is as its constraint asks");
  rm().next.changed = {job_report("a", 1)};
  iterate(Seconds(20));
  EXPECT_EQ(job("a").holds, 0);
}

TEST_F(LiveReportsTest, ReservationsOfAResourceManagerAreReservedHereAndItsOwn) {
  begin({});
  keep({"maint", kNow, kNow + hours(1), {{"n1", -1}, {"unknown", -1}}});
  iterate(Seconds(10));
  EXPECT_THAT(kept(), ElementsAre("maint n1:1"));
  EXPECT_THAT(engine().checkpoint().reservations, IsEmpty()) << "it is told of again";
  const auto refused = engine().release_reservation(cluster().find_reservation("maint"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what, "resource manager 'scripted' manages that reservation itself");
  keep({"maint", kNow, kNow + hours(2), {{"n2", 1}}});
  iterate(Seconds(20));
  EXPECT_THAT(kept(), ElementsAre("maint n2:1")) << "it was changed there";
  iterate(Seconds(30));
  EXPECT_THAT(kept(), ElementsAre("maint n2:1")) << "nothing new was told";
  rm().next.reservations = {{"scripted", {}}};
  iterate(Seconds(40));
  EXPECT_THAT(kept(), IsEmpty());
}

TEST_F(LiveReportsTest, AReservationThatIsOverEndsThoughNobodySaysSo) {
  begin({});
  keep({"maint", kNow, kNow + hours(1), {{"n1", -1}}});
  iterate(Seconds(10));
  iterate(hours(2));
  EXPECT_THAT(kept(), IsEmpty());
}

TEST_F(LiveReportsTest, TasksAreWhereTheResourceManagerSaysThatTheyAre) {
  core_starts("a", "n1", 2);
  rm().reports_starts = true;
  begin({job_report("a", 2)});
  EXPECT_EQ(show(cluster(), job("a").placement), "n1:2");
  JobStatus status{"a", JobState::running};
  status.task_list = {"n1", "n2"};
  rm().next.statuses = {status};
  iterate(Seconds(10));
  EXPECT_EQ(show(cluster(), job("a").placement), "n1:1 n2:1");
  EXPECT_EQ(cluster().occupancy(node("n2")).free, procs(1));
  EXPECT_EQ(cluster().check(), std::nullopt);
}

TEST_F(LiveReportsTest, OneTaskOfAnArrayThatStartsUnderANameOfItsOwnLeavesTheOthersWaiting) {
  core_starts("7", "n1", 1);
  rm().reports_starts = true;
  begin({job_report("7", 1)});
  core = {};
  rm().next.statuses = {{"7", JobState::idle}};
  rm().next.arrived = {running("8", {"n1"})};
  iterate(Seconds(10));
  EXPECT_EQ(job("8").state, JobState::running);
  EXPECT_EQ(job("7").state, JobState::idle) << "before JOBSYNCTIME is over";
  EXPECT_EQ(job("7").holds, 0);
  EXPECT_EQ(job("7").failures, JobFailures{});
  EXPECT_EQ(cluster().check(), std::nullopt);
}

// Slurm's WIKI starts as many tasks of an array as there is room for, and says of the others that
// they cannot start.
TEST_F(LiveReportsTest, AnArrayOfWhichATaskHasStartedIsNotRefused) {
  core = [](const Cluster& all, Time) {
    Plan plan;
    const JobId array = all.find_job("7");
    const NodeId n1 = all.find_node("n1");
    if (all.job(array).waits_for.empty() && all.occupancy(n1).free.procs() > 0)
      plan.decisions.push_back(StartJob{array, {{n1, 1, 0}}});
    return plan;
  };
  rm().refuses_starts = "Could not start job 7: Resources";
  rm().obstacle = Obstacle::passes;
  begin({job_report("7", 1)});
  EXPECT_EQ(asked(), 1);
  EXPECT_EQ(engine().next_event(), kNow + Seconds(1)) << "long before the next poll";
  for (int i = 1; i <= 4; ++i) {
    JobReport task = running(fmt::format("{}", 7 + i), {"n1"});
    rm().next.past = {{task, {task.name, JobState::completed, kNow + Seconds(i), 0}}};
    iterate(Seconds(i));
    EXPECT_EQ(asked(), 1 + i) << "each answer tells of a task that has run";
  }
  rm().next.arrived = {running("20", {"n1"})};
  iterate(Seconds(5));
  EXPECT_EQ(asked(), 6) << "another runs, and there is room";
  EXPECT_EQ(job("7").failures, JobFailures{});
  iterate(Seconds(6));
  EXPECT_EQ(asked(), 7) << "with the next answer";
  JobReport other = running("30", {"n2"});
  rm().next.arrived = {other};
  iterate(Seconds(7));
  EXPECT_EQ(asked(), 7) << "what starts elsewhere is no task of it";
  EXPECT_EQ(cluster().check(), std::nullopt);
}

TEST_F(LiveReportsTest, AnArrayThatRunsAsManyTasksAsItMayIsTriedWhenOneOfThemEnds) {
  keeps_starting("7");
  rm().refuses_starts = "Could not start job 7(n1): JobArrayTaskLimit";
  rm().obstacle = Obstacle::array;
  begin({job_report("7", 1)});
  EXPECT_EQ(asked(), 1);
  EXPECT_EQ(engine().next_event(), kNow + Seconds(5)) << "there is nothing to look for before";
  rm().next.arrived = {running("8", {"n1"})};
  for (int i = 1; i <= 300; ++i) iterate(Seconds(i));
  EXPECT_EQ(asked(), 6) << "after 5 s, 10 s, 20 s and so on, since it may be no task";
  rm().next.ended = {{"8", JobState::completed, kNow + Seconds(301), 0}};
  rm().next.arrived = {running("9", {"n1"})};
  iterate(Seconds(301));
  EXPECT_EQ(asked(), 7) << "with the answer that tells of a task's end";
  for (int i = 302; i <= 305; ++i) iterate(Seconds(i));
  EXPECT_EQ(asked(), 7);
  iterate(Seconds(306));
  EXPECT_EQ(asked(), 8) << "the rhythm begins anew";
  rm().next.ended = {{"9", JobState::completed, kNow + Seconds(307), 0}};
  rm().next.past = {{running("10", {"n1"}), {"10", JobState::completed, kNow + Seconds(307), 0}}};
  iterate(Seconds(307));
  EXPECT_EQ(asked(), 9) << "once for both";
  EXPECT_EQ(job("7").failures, JobFailures{});
  EXPECT_EQ(cluster().check(), std::nullopt);
}

// After a restart of the scheduler, say, it is not known which jobs are tasks of which array.
TEST_F(LiveReportsTest, AnArrayThatRunsAsManyTasksAsItMayIsTriedSoonAfterItsUsersJobs) {
  core_starts("7", "n1", 1);
  rm().refuses_starts = "Could not start job 7(n1): JobArrayTaskLimit";
  rm().obstacle = Obstacle::array;
  JobReport other = running("b", {"n2"});
  other.user = "bob";
  begin({running("a", {"n2"}), other, job_report("7", 1)});
  keeps_starting("7");
  for (int i = 1; i <= 80; ++i) iterate(Seconds(i));
  EXPECT_EQ(asked(), 5);
  rm().next.ended = {{"b", JobState::completed, kNow + Seconds(81), 0}};
  iterate(Seconds(81));
  iterate(Seconds(82));
  EXPECT_EQ(asked(), 5) << "another user's";
  rm().next.ended = {{"a", JobState::completed, kNow + Seconds(83), 0}};
  iterate(Seconds(83));
  iterate(Seconds(84));
  EXPECT_EQ(asked(), 6);
}

TEST_F(LiveReportsTest, AJobThatDependsOnOthersIsTriedSoonAfterItsUsersJobs) {
  begin({running("a", {"n2"}), job_report("7", 1)});
  rm().refuses_starts = "Could not start job 7(n1): Dependency (SC=-912)";
  rm().obstacle = Obstacle::others;
  core_starts("7", "n1", 1);
  keeps_starting("7");
  for (int i = 1; i <= 81; ++i) iterate(Seconds(i));
  EXPECT_EQ(asked(), 5);
  rm().next.ended = {{"a", JobState::completed, kNow + Seconds(82), 0}};
  iterate(Seconds(82));
  iterate(Seconds(83));
  EXPECT_EQ(asked(), 6);
}

TEST_F(LiveReportsTest, AJobThatComesBackForCertainWaitsAtOnce) {
  settings.jobs.sync_time = hours(1);
  begin({running("a", {"n1"})});
  rm().next.statuses = {{"a", JobState::idle}};
  iterate(Seconds(10));
  EXPECT_EQ(job("a").state, JobState::running) << "what was asked for may not show yet";
  rm().next.statuses = {{"a", JobState::idle}};
  rm().next.certain = {"scripted"};
  iterate(Seconds(20));
  EXPECT_EQ(job("a").state, JobState::idle);
  EXPECT_EQ(cluster().occupancy(node("n1")).free, procs(2));
  EXPECT_EQ(cluster().check(), std::nullopt);
}

TEST_F(LiveReportsTest, ChangesOfARequeuedJobAreTakenWhenItIsBack) {
  settings.jobs.sync_time = hours(1);
  begin({running("a", {"n1"})});
  JobReport report = running("a", {"n1"});
  report.job.earliest_start = kNow + Seconds(500);
  rm().next.statuses = {{"a", JobState::idle}};
  rm().next.changed = {report};
  iterate(Seconds(10));
  EXPECT_EQ(job("a").state, JobState::running);
  rm().next.statuses = {{"a", JobState::idle}};
  rm().next.certain = {"scripted"};
  iterate(Seconds(20));
  EXPECT_EQ(job("a").state, JobState::idle) << "it does not start again at once";
  EXPECT_EQ(job("a").earliest_start, report.job.earliest_start);
}

TEST_F(LiveReportsTest, AnOlderChangeDoesNotReplaceANewerOne) {
  settings.jobs.sync_time = hours(1);
  begin({running("a", {"n1"})});
  JobReport report = running("a", {"n1"});
  report.job.earliest_start = kNow + Seconds(500);
  rm().next.statuses = {{"a", JobState::idle}};
  rm().next.changed = {report};
  iterate(Seconds(10));
  ASSERT_EQ(job("a").state, JobState::running);
  EXPECT_TRUE(engine().preempt_job(id("a"), Preemption::requeue));
  report.job.earliest_start = kNow + Seconds(900);
  rm().next.changed = {report};
  iterate(Seconds(20));
  EXPECT_EQ(job("a").earliest_start, kNow + Seconds(900));
}

TEST_F(LiveReportsTest, TheTasksOfSeveralRequirementsAreReportedInOrder) {
  JobReport report = running("a", {"n2", "n1"});
  auto& parts = report.request.requirements;
  parts = {parts.front(), parts.front()};
  parts[0].tasks = parts[1].tasks = 1;
  parts[0].per_task = procs(2);
  report.features.resize(2);
  report.generic.resize(2);
  begin({report});
  EXPECT_EQ(cluster().occupancy(node("n1")).free, procs(1));
  EXPECT_EQ(cluster().occupancy(node("n2")).free, procs(0));
  rm().next.statuses = {{.name = "a", .state = JobState::running, .task_list = {"n1", "n2"}}};
  iterate(Seconds(10));
  EXPECT_EQ(cluster().occupancy(node("n1")).free, procs(0)) << "the server has spread it otherwise";
  EXPECT_EQ(cluster().occupancy(node("n2")).free, procs(1));
  EXPECT_EQ(cluster().check(), std::nullopt);
}

TEST_F(LiveReportsTest, AJobThatIsGoneForCertainEndsAtOnce) {
  settings.jobs.purge_time = hours(1);
  begin({running("a", {"n1"}), running("b", {"n2"})});
  rm().next.lost = {"a", "b"};
  iterate(Seconds(10));
  EXPECT_EQ(job("a").state, JobState::running);
  rm().next.statuses = {{"b", JobState::running}};
  rm().next.certain = {"scripted"};
  iterate(Seconds(20));
  EXPECT_FALSE(cluster().find_job("a").valid());
  EXPECT_EQ(job("b").state, JobState::running);
  ASSERT_EQ(listener.ended.size(), 1U);
  EXPECT_EQ(listener.ended[0].state, JobState::removed);
}

TEST_F(LiveReportsTest, ARunThatReportsOmitForAMomentIsAccountedOnce) {
  JobReport report = running("a", {"n1"});
  begin({report});
  const Time started = job("a").started;
  iterate(Seconds(100));
  Seconds accounted{0};
  for (const Seconds at : {Seconds(200), Seconds(400)}) {
    rm().next.lost = {"a"};
    iterate(at);
    ASSERT_FALSE(cluster().find_job("a").valid());
    rm().next.arrived = {report};
    iterate(at + Seconds(100));
    EXPECT_EQ(job("a").started, listener.ended.back().ended);
  }
  rm().next.ended = {{"a", JobState::completed, kNow + Seconds(600), 0}};
  iterate(Seconds(600));
  ASSERT_EQ(listener.ended.size(), 3U);
  for (const Job& run : listener.ended) accounted = accounted + (run.ended - run.started);
  EXPECT_EQ(accounted, kNow + Seconds(600) - started);
  EXPECT_EQ(engine().statistics().all.dedicated_proc_seconds, static_cast<double>(accounted.raw()));
}

TEST_F(LiveReportsTest, ARunThatWasGivenUpAndGoesOnIsAccountedOnce) {
  settings.fairshare.metric = FairshareMetric::dedicated_proc_seconds;
  const JobReport report = running("a", {"n1"});
  begin({report});
  iterate(Seconds(100));
  rm().next.statuses = {{"a", JobState::idle}};
  rm().next.certain = {"scripted"};
  iterate(Seconds(200));
  ASSERT_EQ(job("a").state, JobState::idle);
  rm().next.statuses = {{.name = "a",
                         .state = JobState::running,
                         .task_list = report.task_list,
                         .started = report.job.started}};
  iterate(Seconds(300));
  EXPECT_EQ(job("a").state, JobState::running);
  EXPECT_EQ(job("a").started, kNow + Seconds(200)) << "the run until then is accounted";
  EXPECT_EQ(engine().statistics().all.dedicated_proc_seconds, 300);
  rm().next.ended = {{"a", JobState::completed, kNow + Seconds(400), 0}};
  iterate(Seconds(400));
  EXPECT_EQ(engine().statistics().all.dedicated_proc_seconds, 400);
  EXPECT_EQ(engine().fairshare().windows.front().total, 400);
}

TEST_F(LiveReportsTest, AJobThatIsBelievedToWaitRanUntilThatWasFirstReported) {
  settings.jobs.sync_time = minutes(10);
  settings.fairshare.metric = FairshareMetric::dedicated_proc_seconds;
  begin({running("a", {"n1"})});
  for (const int at : {100, 400, 800}) {
    rm().next.statuses = {{"a", JobState::idle}};
    iterate(Seconds(at));
  }
  EXPECT_EQ(job("a").state, JobState::idle);
  EXPECT_EQ(engine().fairshare().windows.front().total, 100);
  EXPECT_EQ(engine().statistics().all.dedicated_proc_seconds, 100);
}

/// The job "a" runs, and its resource manager does not answer for a while.
class SilentForAWhileTest : public LiveReportsTest {
 protected:
  SilentForAWhileTest() {
    settings.jobs.sync_time = settings.jobs.purge_time = minutes(10);
    settings.fairshare.metric = FairshareMetric::dedicated_proc_seconds;
  }
  /// It was heard last at 100 s, and answers again at 900 s.
  void be_silent() {
    begin({running("a", {"n1"})});
    iterate(Seconds(100));
    rm().down = "no answer";
    for (const int at : {200, 500, 800}) iterate(Seconds(at));
    rm().down.reset();
  }
  void expect_charged(Seconds run) {
    const auto seconds = static_cast<double>(run.raw());
    EXPECT_EQ(engine().fairshare().windows.front().total, seconds);
    EXPECT_EQ(engine().statistics().all.dedicated_proc_seconds, seconds);
  }
};

TEST_F(SilentForAWhileTest, ARunThatItGaveBackEndedWhenItWasHeardLast) {
  be_silent();
  for (const int at : {900, 1200}) {
    rm().next.statuses = {{"a", JobState::idle}};
    iterate(Seconds(at));
    EXPECT_EQ(job("a").state, JobState::running) << "not believed yet";
    EXPECT_EQ(engine().checkpoint().jobs.at(0).seen, kNow + Seconds(100)) << "as after a restart";
  }
  rm().next.statuses = {{"a", JobState::idle}};
  iterate(Seconds(1500));
  EXPECT_EQ(job("a").state, JobState::idle);
  expect_charged(Seconds(100));
}

TEST_F(SilentForAWhileTest, SoItDidIfTheJobRunsAgainBeforeThatIsBelieved) {
  be_silent();
  rm().next.statuses = {{"a", JobState::idle}};
  iterate(Seconds(900));
  JobStatus again{"a", JobState::running};
  again.started = kNow + Seconds(1000);
  again.task_list = {"n1"};
  rm().next.statuses = {again};
  iterate(Seconds(1000));
  EXPECT_EQ(job("a").started, kNow + Seconds(1000));
  expect_charged(Seconds(100));
}

TEST_F(SilentForAWhileTest, ARunThatItNoLongerReportsEndedWhenItWasHeardLast) {
  be_silent();
  rm().next.lost = {"a"};
  iterate(Seconds(900));
  iterate(Seconds(1500));
  ASSERT_EQ(listener.ended.size(), 1U);
  EXPECT_EQ(listener.ended.at(0).ended, kNow + Seconds(100));
  expect_charged(Seconds(100));
}

TEST_F(SilentForAWhileTest, WhatHappensAfterItAnswersAgainIsDatedByItsReports) {
  be_silent();
  iterate(Seconds(900));
  for (const int at : {1000, 1600}) {
    rm().next.statuses = {{"a", JobState::idle}};
    iterate(Seconds(at));
  }
  expect_charged(Seconds(1000));
}

class DoubtedSuspensionTest : public LiveReportsTest, public testing::WithParamInterface<bool> {
 protected:
  /// Its resource manager may tell for how long the job has been suspended.
  void reported(JobState state, int suspended, int at) {
    rm().next.statuses = {{.name = "a", .state = state}};
    if (GetParam()) rm().next.statuses[0].suspended_time = Seconds(suspended);
    iterate(Seconds(at));
  }
};

TEST_P(DoubtedSuspensionTest, IsAsLongAsItWasReportedOnceItIsBelieved) {
  settings.jobs.sync_time = minutes(10);
  settings.fairshare.metric = FairshareMetric::dedicated_proc_seconds;
  begin({running("a", {"n1"})});
  for (const int at : {100, 400, 800, 801}) reported(JobState::suspended, at - 100, at);
  EXPECT_EQ(job("a").state, JobState::suspended);
  EXPECT_EQ(job("a").suspended_since, kNow + Seconds(100));
  EXPECT_EQ(job("a").suspensions(), Seconds(0));
  EXPECT_EQ(engine().fairshare().windows.front().total, 100);
  for (const int at : {900, 1500, 1600}) reported(JobState::running, 800, at);
  EXPECT_EQ(job("a").state, JobState::running);
  EXPECT_EQ(job("a").suspensions(), Seconds(800));
  EXPECT_EQ(job("a").ends, kNow + hours(1) + Seconds(800));
  EXPECT_EQ(engine().fairshare().windows.front().total, 100 + 700);
}

// It may also not show yet that the job was resumed.
TEST_P(DoubtedSuspensionTest, LastedAsLongAsItWasReportedIfTheJobRunsAgainBeforeThat) {
  settings.jobs.sync_time = minutes(10);
  begin({running("a", {"n1"})});
  for (const int at : {100, 200, 250}) reported(JobState::suspended, at - 100, at);
  reported(JobState::running, 150, 300);
  EXPECT_EQ(job("a").state, JobState::running);
  EXPECT_EQ(job("a").suspensions(), Seconds(150));
  reported(JobState::suspended, 150, 400);
  reported(JobState::running, 150, 500);
  EXPECT_EQ(job("a").suspensions(), Seconds(150)) << "it was reported once";
}

INSTANTIATE_TEST_SUITE_P(Told, DoubtedSuspensionTest, testing::Bool());

TEST_F(LiveReportsTest, AJobThatItsResourceManagerHasResumedRunsWhateverElseIsOnItsNodes) {
  settings.jobs.sync_time = minutes(10);
  begin({running("a", {"n1"})});
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::suspend));
  rm().next.arrived = {running("b", {"n1"})};
  iterate(Seconds(50));
  for (const int at : {100, 800}) {
    rm().next.statuses = {{"a", JobState::running}};
    iterate(Seconds(at));
  }
  EXPECT_EQ(job("a").state, JobState::running);
  EXPECT_EQ(job("a").holds, 0);
  EXPECT_EQ(job("a").suspensions(), Seconds(100));
}

TEST_F(LiveReportsTest, NoLimitIsEnforcedOnAJobThatIsNotReported) {
  settings.jobs.purge_time = hours(2);
  begin({running("a", {"n1"})});
  rm().next.lost = {"a"};
  iterate(Seconds(100));
  iterate(hours(1) + Seconds(100));
  EXPECT_THAT(rm().asked, IsEmpty());
  rm().next.statuses = {{"a", JobState::running}};
  iterate(hours(1) + Seconds(200));
  EXPECT_THAT(rm().asked, ElementsAre("cancel a"));
}

TEST_F(LiveReportsTest, AJobThatEndsBeforeItsStateIsBelievedRanAsItWasReported) {
  settings.jobs.sync_time = minutes(10);
  settings.fairshare.metric = FairshareMetric::dedicated_proc_seconds;
  begin({running("a", {"n1"}), running("b", {"n2"})});
  ASSERT_TRUE(engine().preempt_job(id("b"), Preemption::suspend));
  rm().next.statuses = {{"a", JobState::suspended}};
  iterate(Seconds(100));
  rm().next.statuses = {{"b", JobState::running}};
  iterate(Seconds(300));
  rm().next.ended = {{"a", JobState::completed, kNow + Seconds(400), 0},
                     {"b", JobState::completed, kNow + Seconds(400), 0}};
  iterate(Seconds(400));
  ASSERT_EQ(listener.ended.size(), 2U);
  EXPECT_EQ(listener.ended[0].suspended_time, Seconds(300));
  EXPECT_EQ(listener.ended[1].suspended_time, Seconds(300)) << "from 0 to 300";
  EXPECT_EQ(engine().fairshare().windows.front().total, 100 + 100);
}

TEST_F(LiveReportsTest, ARunThatItsResourceManagerBeginsAfterARequeueIsAnother) {
  settings.jobs.sync_time = hours(1);
  settings.fairshare.metric = FairshareMetric::dedicated_proc_seconds;
  begin({running("a", {"n1"})});
  iterate(Seconds(50));
  rm().next.statuses = {{"a", JobState::idle}};
  iterate(Seconds(100));
  EXPECT_EQ(job("a").state, JobState::running) << "it may not show yet";
  rm().next.statuses = {{.name = "a",
                         .state = JobState::running,
                         .task_list = {"n2"},
                         .started = kNow + Seconds(130)}};
  iterate(Seconds(150));
  EXPECT_EQ(job("a").started, kNow + Seconds(130));
  EXPECT_EQ(show(cluster(), job("a").placement), "n2:1");
  EXPECT_EQ(engine().fairshare().windows.front().total, 100 + 20);
  rm().next.ended = {{"a", JobState::completed, kNow + Seconds(200), 0}};
  iterate(Seconds(200));
  EXPECT_EQ(engine().fairshare().windows.front().total, 100 + 70);
  EXPECT_EQ(engine().statistics().all.dedicated_proc_seconds, 170);
  EXPECT_EQ(cluster().check(), std::nullopt);
}

TEST_F(LiveReportsTest, ARequeuedJobThatRunsAgainBeginsWhenItsResourceManagerSays) {
  JobReport report = running("a", {"n1"});
  begin({report});
  rm().next.lost = {"a"};
  iterate(Seconds(200));
  report.job.started = kNow + Seconds(250);
  rm().next.arrived = {report};
  iterate(Seconds(300));
  EXPECT_EQ(job("a").started, kNow + Seconds(250));
}

// Its start was reported so late that it was not in the future.
TEST_F(LiveReportsTest, ARunByAClockThatIsAheadIsAsLongAsItIsReported) {
  settings.fairshare.metric = FairshareMetric::dedicated_proc_seconds;
  rm().reports_starts = true;
  core_starts("a", "n1", 1);
  begin({job_report("a", 1)});
  core = nullptr;
  rm().next.statuses = {{.name = "a",
                         .state = JobState::running,
                         .task_list = {"n1"},
                         .started = kNow + Seconds(20)}};
  iterate(Seconds(30));
  rm().next.ended = {
      {"a", JobState::completed, kNow + Seconds(100), 0, kNow + Seconds(20), kNow + Seconds(115)}};
  iterate(Seconds(100));
  EXPECT_EQ(engine().statistics().all.run_seconds, 95);
  EXPECT_EQ(engine().fairshare().windows.front().total, 95);
  EXPECT_EQ(listener.ended.at(0).ended, kNow + Seconds(100));
}

TEST_F(LiveReportsTest, AnEndInTheFarFutureIsNoClockThatIsAhead) {
  begin({running("a", {"n1"})});
  rm().next.ended = {
      {"a", JobState::completed, kNow + Seconds(100), 0, kNow, kNow + Seconds(100) + hours(1)}};
  iterate(Seconds(100));
  EXPECT_EQ(engine().statistics().all.run_seconds, 100);
}

/// Before nodes and limits are judged, and before jobs are planned.
constexpr int kEachTime = 2;

TEST_F(LiveReportsTest, OthersHaveTheirTurnWhileManyNodesAreTakenInAndForgotten) {
  constexpr int kNodes = 1600;
  begin({});
  for (int i = 0; i < kNodes; ++i)
    rm().next.nodes.push_back(node_report(fmt::format("many{}", i), procs(2)));
  EXPECT_EQ(turns(Seconds(10)), kEachTime + 3);
  EXPECT_EQ(cluster().nodes().size(), 2U + kNodes);
  for (int i = 0; i < kNodes; ++i) rm().next.lost_nodes.push_back(fmt::format("many{}", i));
  EXPECT_EQ(turns(Seconds(20)), kEachTime + 6) << "as they are lost, and as they are forgotten";
  EXPECT_EQ(cluster().configured().procs(), 4);
  EXPECT_EQ(turns(Seconds(30)), kEachTime);
}

TEST_F(LiveReportsTest, OthersHaveTheirTurnWhileManyJobsAreTakenIn) {
  constexpr int kJobs = 500;
  begin({});
  const auto reported = [](int number, std::size_t hosts) {
    JobReport report = job_report(fmt::format("many{}", number), 1);
    report.excluded_hosts.assign(hosts, "n1");
    return report;
  };
  for (int i = 0; i < kJobs; ++i) rm().next.arrived.push_back(reported(i, 0));
  EXPECT_EQ(turns(Seconds(10)), kEachTime + 2);
  EXPECT_EQ(cluster().jobs().size(), std::size_t{kJobs});
  for (int i = 0; i < kJobs; ++i) rm().next.changed.push_back(reported(i, 80));
  EXPECT_EQ(turns(Seconds(20)), kEachTime + 12) << "twenty names count as much as a job";
}

TEST_F(LiveReportsTest, AnAnswerIsNotCertainOnceSomethingWasAskedForWhileItWasTakenIn) {
  settings.jobs.purge_time = hours(1);
  begin({running("a", {"n1"})});
  for (const bool asked : {true, false}) {
    listener.pauses = true;
    for (int i = 0; i < 600; ++i)
      rm().next.nodes.push_back(node_report(fmt::format("many{}", i), procs(2)));
    rm().next.lost = {"a"};
    rm().next.certain = {"scripted"};
    iterate(Seconds(10));
    if (asked) {
      EXPECT_TRUE(engine().set_node_state(node("n2"), NodeState::drained));
    }
    listener.pauses = false;
    listener.go_on_with();
    EXPECT_EQ(cluster().find_job("a").valid(), asked);
  }
}

TEST_F(LiveReportsTest, OneResourceManagersCertaintyIsNotAnothers) {
  settings.jobs.sync_time = hours(1);
  begin({running("a", {"n1"})});
  rm().next.statuses = {{"a", JobState::idle}};
  rm().next.certain = {"other"};
  iterate(Seconds(10));
  EXPECT_EQ(job("a").state, JobState::running);
}

TEST_F(LiveReportsTest, UsersSeeThePlannedStartsAndHoldReasonsOfTheirJobs) {
  rm().shows = true;
  begin({running("a", {"n1", "n2"}), job_report("b", 2), job_report("c", 2), job_report("d", 1)});
  EXPECT_THAT(rm().noted, IsEmpty());
  core = [this](const Cluster& all, Time) {
    Plan plan;
    plan.decisions = {ReserveJob{all.find_job("b"), kNow + hours(1), {{node("n1"), 2, 0}}},
                      HoldJob{all.find_job("c"), Hold::batch, "no account"}};
    return plan;
  };
  iterate(Seconds(10));
  ASSERT_EQ(rm().noted.size(), 2U);
  EXPECT_EQ(rm().noted[0], (JobNotice{"b", "scripted", kNow + hours(1), ""}));
  EXPECT_EQ(rm().noted[1], (JobNotice{"c", "scripted", kForever, "no account"}));
}

// The plan assumes that the node is back after DOWNNODEDELAYTIME, which nobody knows.
TEST_F(LiveReportsTest, UsersSeeNoPlannedStartOnNodesThatAreDown) {
  rm().shows = true;
  begin({job_report("b", 1), job_report("c", 1)});
  rm().next.nodes = {node_report("n1", procs(2))};
  rm().next.nodes[0].node.reported = NodeState::down;
  core = [this](const Cluster& all, Time) {
    Plan plan;
    plan.decisions = {ReserveJob{all.find_job("b"), kNow + hours(24), {{node("n1"), 1, 0}}},
                      ReserveJob{all.find_job("c"), kNow + hours(24), {{node("n2"), 1, 0}}}};
    return plan;
  };
  iterate(Seconds(10));
  ASSERT_TRUE(job("b").reservation.valid());
  EXPECT_THAT(rm().noted, ElementsAre(JobNotice{"c", "scripted", kNow + hours(24), ""}));
}

TEST_F(LiveReportsTest, AJobOfAnotherUserIsNoTaskOfTheArray) {
  core_starts("7", "n1", 1);
  rm().reports_starts = true;
  begin({job_report("7", 1)});
  core = {};
  JobReport other = running("8", {"n1"});
  other.user = "bob";
  rm().next.statuses = {{"7", JobState::idle}};
  rm().next.arrived = {other};
  iterate(Seconds(10));
  EXPECT_EQ(job("7").state, JobState::starting);
}

TEST_F(LiveReportsTest, AnEndedJobIsAccountedByItsRecordEvenWithoutNodes) {
  begin({});
  JobReport report = job_report("a", 2);
  report.job.started = kNow + Seconds(10);
  rm().next.past = {{report, {"a", JobState::completed, kNow + Seconds(40), 0}}};
  iterate(Seconds(60));
  ASSERT_EQ(listener.ended.size(), 1u);
  EXPECT_EQ(listener.ended[0].started, kNow + Seconds(10));
  EXPECT_EQ(listener.ended[0].ended, kNow + Seconds(40));
  EXPECT_EQ(cluster().check(), std::nullopt);
}

TEST_F(LiveReportsTest, PartitionMasksThatDifferAndMeanNothingAreWarnedOfOnce) {
  const auto in = [](const std::string& name, const std::string& mask) {
    JobReport report = job_report(name, 1);
    report.partition_mask = mask;
    return report;
  };
  begin({in("a", "batch"), in("b", "batch")});
  EXPECT_THAT(listener.lines, IsEmpty());
  rm().next.arrived = {in("c", "test"), in("d", "debug")};
  iterate(Seconds(10));
  EXPECT_THAT(listener.lines, ElementsAre(HasSubstr("jobs request different partitions")));
}

JobReport unreadable(JobReport report) {
  report.problem = "invalid WCLIMIT 'long': expected a duration";
  report.request.limit = Seconds(0);
  return report;
}

TEST_F(LiveReportsTest, AnUnreadableLimitLeavesTheLimitOfARunningJob) {
  settings.default_wall_time = minutes(5);
  begin({running("a", {"n1"})});
  const Seconds limit = cluster().request_of(id("a")).limit;
  rm().next.changed = {unreadable(running("a", {"n1"}))};
  iterate(Seconds(10));
  EXPECT_EQ(cluster().request_of(id("a")).limit, limit);
  JobReport readable = running("a", {"n1"});
  readable.problem = "invalid DPROCS 'x': expected a whole number, 0 or more";
  readable.request.limit = hours(2);
  rm().next.changed = {readable};
  iterate(Seconds(20));
  EXPECT_EQ(cluster().request_of(id("a")).limit, hours(2)) << "the problem is another";
}

TEST_F(LiveReportsTest, ARunningJobThatArrivesWithAnUnreadableLimitIsNotCancelled) {
  settings.default_wall_time = minutes(5);
  begin({unreadable(running("a", {"n1"})), unreadable(job_report("b", 1))});
  EXPECT_EQ(cluster().request_of(id("a")).limit, kUnlimited);
  EXPECT_EQ(cluster().request_of(id("b")).limit, minutes(5)) << "it waits";
  iterate(hours(1));
  EXPECT_THAT(rm().asked, IsEmpty());
  rm().next.changed = {running("a", {"n1"})};
  iterate(hours(1));
  EXPECT_EQ(cluster().request_of(id("a")).limit, hours(1));
  EXPECT_EQ(cluster().check(), std::nullopt);
}

}  // namespace
}  // namespace maui::test
