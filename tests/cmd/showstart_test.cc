// showstart of what is no job yet: when, why not at once, and what would start earlier.
#include <fmt/format.h>

#include "cmd/command_fixture.h"
#include "support/open_cluster.h"

namespace maui::test {
namespace {

/// Two nodes of two processors; "short" has one of n1 for an hour, "long" all of n2 for a day.
class ShowstartTest : public CommandTest {
 protected:
  ShowstartTest() {
    auto manager = std::make_unique<ScriptedRm>();
    manager->next.nodes = {node_report("n1", procs(2, 1024)), node_report("n2", procs(2, 1024))};
    manager->next.nodes[0].features = {"fast"};
    manager->next.arrived = {job_report("short", 1, hours(1)), job_report("long", 2, hours(24))};
    manager->next.arrived[0].host_list = {"n1"};
    manager->next.arrived[0].host_list_use = HostListUse::all_of;
    manager->next.arrived[1].host_list = {"n2"};
    manager->next.arrived[1].host_list_use = HostListUse::all_of;
    run(std::move(manager));
    EXPECT_TRUE(job("short").active() && job("long").active());
  }
  StartReply script(const std::string& text) {
    const Reply reply = ask_script(text);
    const auto* found = std::get_if<StartReply>(&reply);
    if (found == nullptr) ADD_FAILURE() << std::get<Refusal>(reply).reason;
    return found == nullptr ? StartReply{} : *found;
  }
  Reply ask_script(const std::string& text) {
    CommandRequest request;
    request.command = "showstart";
    request.user = "amy";
    request.group = "staff";
    request.flags.emplace("script", text);
    return execute(engine(), server, request);
  }
  std::int64_t in(Seconds time) const { return (clock.time + time).raw(); }
};

TEST_F(ShowstartTest, AJobSuspendedByHandHasNoTime) {
  ask("mjobctl -s short");
  EXPECT_EQ(why_not("showstart short"),
            "job 'short' is suspended until it is resumed by hand (mjobctl -r)");
  ask("sethold short");
  EXPECT_EQ(why_not("showstart short"), "job 'short' is suspended and has a hold in place");
}

// The job was preempted half an hour ago, and "long" has come to its node.
TEST_F(ShowstartTest, APreemptedJobResumesWhenItsNodesAreFree) {
  clock.time = clock.time + minutes(30);
  Cluster& cluster = open_cluster(engine());
  const JobId preempted = job("short").id, other = job("long").id;
  cluster.suspend_job(preempted, clock.time);
  cluster.move_job(other, {{cluster.find_node("n1"), 2, 0}}, clock.time);
  engine().iterate([] {});
  const auto reply = get<StartReply>("showstart short");
  EXPECT_TRUE(reply.resumes);
  EXPECT_EQ(reply.start, job("long").ends.raw());
  EXPECT_EQ(reply.completion, reply.start + 30 * 60) << "the rest of its limit";
}

TEST_F(ShowstartTest, CheckjobSaysForWhomAJobIsSuspendedAndWhenItResumes) {
  Cluster& cluster = open_cluster(engine());
  const JobId preempted = job("short").id;
  const auto reason = [this] { return get<JobReply>("checkjob short").verdicts.at(0).reason; };
  cluster.suspend_job(preempted, clock.time, {.preemptor = "long"});
  cluster.move_job(job("long").id, {{cluster.find_node("n1"), 2, 0}}, clock.time);
  EXPECT_EQ(reason(),
            "state is not idle: it is suspended for job 'long', and is expected to resume in "
            "1:00:00:00");
  cluster.end_job(job("long").id, JobState::completed, clock.time);
  EXPECT_EQ(reason(),
            "state is not idle: it is suspended for job 'long', and is expected to resume in "
            "00:00:10");
  cluster.keep_suspended(preempted);
  EXPECT_EQ(reason(),
            "state is not idle: it is suspended until it is resumed by hand (mjobctl -r)");
}

TEST_F(ShowstartTest, CheckjobSaysThatAJobIsSuspendedForExceedingItsLimits) {
  Cluster& cluster = open_cluster(engine());
  const JobId violator = job("short").id;
  const auto reason = [this] { return get<JobReply>("checkjob short").verdicts.at(0).reason; };
  cluster.suspend_job(violator, clock.time, {SuspensionCause::violation});
  EXPECT_EQ(reason(),
            "state is not idle: it is suspended for exceeding its limits, and resumes after the "
            "jobs that wait, in 00:00:10 at the earliest");
  cluster.set_node_state(cluster.find_node("n1"), NodeState::down, clock.time);
  EXPECT_EQ(reason(),
            "state is not idle: it is suspended for exceeding its limits, and no time is known at "
            "which its nodes are free");
}

TEST_F(ShowstartTest, ItSaysAsCheckjobWhatKeepsASuspendedJobFromResuming) {
  open_cluster(engine()).suspend_job(job("short").id, clock.time, {.preemptor = "long"});
  clock.time = clock.time + minutes(1);
  Settings limited = engine().settings();
  limited.system.limits.active[index_of(LimitKind::job)] = Limit{1, 1};
  engine().set_settings(limited);
  const std::string words = why_not("showstart short").substr(std::string("job 'short' ").size());
  EXPECT_TRUE(words.starts_with("is suspended for job 'long', and cannot resume: it violates "))
      << words;
  EXPECT_EQ(get<JobReply>("checkjob short").verdicts.at(0).reason,
            "state is not idle: it " + words);
}

TEST_F(ShowstartTest, NothingLimitsAnImmediateStart) {
  const auto reply = get<StartReply>("showstart 1@4:00:00");
  EXPECT_EQ(reply.start, in(Seconds(0)));
  EXPECT_EQ(reply.limited_by, "");
  EXPECT_TRUE(reply.alternatives.empty());
}

TEST_F(ShowstartTest, ItSaysWhatIsInTheWayUntilWhenAndWhatWouldBeCheaper) {
  const auto reply = get<StartReply>("showstart 4@4:00:00");
  EXPECT_EQ(reply.start, in(hours(24)));
  EXPECT_EQ(reply.limited_by, "insufficient idle procs: 1 of 4");
  EXPECT_EQ(reply.lifted_by, "job 'long' ends");
  EXPECT_EQ(reply.alternatives,
            (std::vector<StartAlternative>{{2, 4 * 3600, in(hours(1))}, {1, 4 * 3600, in({})}}));
  EXPECT_FALSE(engine().cluster().find_job("(to be submitted)").valid());
}

TEST_F(ShowstartTest, AShorterLimitFitsBeforeAReservation) {
  ask("setres -s +6:00:00 -d 10:00:00 n1");
  const auto reply = get<StartReply>("showstart 1@12:00:00");
  EXPECT_EQ(reply.start, in(hours(16)));
  EXPECT_EQ(reply.limited_by, "idle procs are reserved for others before it could end");
  EXPECT_EQ(reply.lifted_by, "reservation 'SYSTEM.0' ends");
  ASSERT_EQ(reply.alternatives.size(), 1U) << "nobody can ask for less than a processor";
  EXPECT_EQ(reply.alternatives[0], (StartAlternative{1, 6 * 3600, in({})}));
}

TEST_F(ShowstartTest, EveryAlternativeIsWhatItsOwnQuestionSays) {
  ask("setres -s +2:00:00 -d 30:00:00 n1");
  for (const char* asked : {"2@24:00:00", "3@3:00:00", "4@8:00:00", "2@2:30:00"}) {
    const auto reply = get<StartReply>(std::string("showstart ") + asked);
    for (const auto& alternative : reply.alternatives) {
      EXPECT_LT(alternative.start, reply.start);
      const auto again =
          get<StartReply>(fmt::format("showstart {}@{}", alternative.procs, alternative.limit));
      EXPECT_EQ(again.start, alternative.start) << asked;
    }
    EXPECT_LE(reply.alternatives.size(), 3U);
  }
}

TEST_F(ShowstartTest, AScriptIsAskedAboutAsItWouldBeSubmitted) {
  const auto fast = script("#SBATCH -n 2 -t 2:00:00 -C fast --licenses=x");
  EXPECT_EQ(fast.start, in(hours(1)));
  EXPECT_EQ(fast.procs, 2);
  EXPECT_EQ(fast.limit, 7200);
  EXPECT_EQ(fast.unknown, std::vector<std::string>{"--licenses=x"});
  EXPECT_EQ(script("#PBS -l nodes=2:ppn=2,walltime=1:00").start, in(hours(24)));
}

TEST_F(ShowstartTest, LimitsOfWhoAsksCount) {
  settings.users["amy"].limits.active[static_cast<std::size_t>(LimitKind::job)] = Limit{2, 2};
  engine().set_settings(settings);
  const auto reply = get<StartReply>("showstart 1@1:00:00", "amy");
  EXPECT_EQ(reply.start, in(hours(1))) << "amy has two jobs";
  EXPECT_NE(reply.limited_by, "");
  EXPECT_EQ(reply.lifted_by, "jobs that count for the limit end");
}

TEST_F(ShowstartTest, SaysWhichReservationAJobWaitsFor) {
  auto manager = std::make_unique<ScriptedRm>();
  manager->next.nodes = {node_report("n1", procs(2))};
  manager->next.arrived = {job_report("guest", 1, hours(1))};
  manager->next.arrived[0].job.required_reservation = "jupiter";
  put(manager->next.arrived[0].job.flags, JobFlag::adv_res);
  run(std::move(manager));
  EXPECT_EQ(why_not("showstart guest"),
            "job 'guest' cannot start: it may run only inside reservations, and there is no "
            "reservation 'jupiter'");
}

TEST_F(ShowstartTest, BadQuestionsHaveClearAnswers) {
  EXPECT_EQ(why_not("showstart"), "showstart: expected JOB|PROCS@DURATION|--script FILE");
  EXPECT_EQ(why_not("showstart 0@1"),
            "invalid PROCS '0': expected a number of processors from 1 to 2147483647 before '@'");
  EXPECT_EQ(why_not("showstart 9@1:00:00"),
            "a job that requires 9 procs for 1:00:00 can never start here: the job asks for 9 "
            "procs, of which the cluster has 4");
  const Reply too_much = ask_script("#SBATCH -n 1 --mem=1500 -t 1:00:00");
  EXPECT_EQ(std::get<Refusal>(too_much).reason,
            "a job that requires 1 proc for 1:00:00 can never start here: no node has 1500 MB "
            "of memory (at most 1024)");
  const Reply endless = ask_script("#PBS -l walltime=999999999999");
  EXPECT_EQ(std::get<Refusal>(endless).reason,
            fmt::format("--script: '11574074:01:46:39' is out of range: expected 0 to {} "
                        "seconds, which end with the year 9999",
                        253402300799 - clock.time.raw()));
  const Reply reply = ask_script("#SBATCH -n none");
  EXPECT_EQ(
      std::get<Refusal>(reply).reason,
      "--script: line 1: -n: invalid value 'none': expected a whole number from 1 to 100000000");
}

// --- nodes that are down -----------------------------------------------------------------

/// Both nodes are down; "a" waits for one of them.
class DownNodes : public CommandTest {
 protected:
  DownNodes() {
    auto manager = std::make_unique<ScriptedRm>();
    manager->next.nodes = {node_report("n1", procs(2)), node_report("n2", procs(2))};
    for (auto& node : manager->next.nodes) node.node.reported = NodeState::down;
    manager->next.arrived = {job_report("a", 2, hours(1))};
    run(std::move(manager));
  }
  static constexpr char kDown[] =
      "too few nodes are up: 2 of 2 nodes are down, assumed back in 1:00:00:00 "
      "(DOWNNODEDELAYTIME)";
};

TEST_F(DownNodes, AreTheReasonWhyAJobWaits) {
  const auto reply = get<JobReply>("checkjob -v a");
  EXPECT_EQ(reply.verdicts.at(0).reason, kDown);
  EXPECT_EQ(reply.lifted_by, "enough nodes are up again");
  EXPECT_EQ(reply.lifted_at, -1) << "nobody knows when";
}

TEST_F(DownNodes, LimitWhatShowstartForesees) {
  for (const char* what : {"a", "2@1:00:00"}) {
    const auto reply = get<StartReply>(std::string("showstart ") + what);
    EXPECT_EQ(reply.start, (clock.time + hours(24)).raw()) << "this is what the plan assumes";
    EXPECT_EQ(reply.limited_by, kDown);
    EXPECT_EQ(reply.lifted_by, "enough nodes are up again");
  }
}

TEST_F(DownNodes, AreTheReasonIfTheirReturnIsNotAssumed) {
  settings.node.down_node_delay = kUnlimited;
  engine().set_settings(settings);
  EXPECT_EQ(why_not("showstart 2@1:00:00"),
            "a job that requires 2 procs for 1:00:00 cannot start here as things are: 2 of 2 nodes "
            "are down");
}

// --- SERVERMODE TEST -----------------------------------------------------------------------

/// Nothing starts on the four processors; "b" has the reservation for the end of "a".
class OnlyLooking : public CommandTest {
 protected:
  OnlyLooking() {
    settings.server.mode = ServerMode::test;
    auto manager = std::make_unique<ScriptedRm>();
    manager->next.nodes = {node_report("n1", procs(2)), node_report("n2", procs(2))};
    manager->next.arrived = {job_report("a", 3, hours(1)), job_report("b", 3, hours(1)),
                             job_report("c", 2, hours(9)), job_report("d", 1, hours(1))};
    manager->refuses_starts = "nothing is started";
    manager->obstacle = Obstacle::passes;
    run(std::move(manager));
    clock.time = clock.time + Seconds(10);
  }
  JobVerdict verdict(const std::string& job) {
    return get<JobReply>("checkjob " + job).verdicts.at(0);
  }
  static constexpr char kOnlyLooks[] =
      "it would be started now, but the scheduler only looks, as in SERVERMODE TEST";
};

TEST_F(OnlyLooking, JobsThatThePlanStartsWouldBeStarted) {
  EXPECT_EQ(verdict("a").reason, kOnlyLooks);
  EXPECT_EQ(verdict("d").reason, kOnlyLooks) << "backfilled";
}

TEST_F(OnlyLooking, OtherJobsWaitAsInThePlan) {
  EXPECT_EQ(verdict("b").reason, "its reservation begins later");
  EXPECT_EQ(verdict("c").reason, "idle procs are reserved for others before it could end");
}

TEST_F(OnlyLooking, WhatIsInAJobItselfStaysItsReason) {
  ask("sethold a");
  EXPECT_EQ(verdict("a").reason, "job has hold in place");
}

// --- what would lift the reason of a job that waits ------------------------------------

class LiftedTest : public CommandTest {};

TEST_F(LiftedTest, TheEndOfTheJobThatIsInTheWay) {
  const auto reply = get<JobReply>("checkjob b");
  EXPECT_EQ(reply.lifted_by, "job 'a' ends");
  EXPECT_EQ(reply.lifted_at, (clock.time + hours(1)).raw());
}

TEST_F(LiftedTest, NamesWhoMayReleaseTheHold) {
  ask("sethold -u b");
  EXPECT_EQ(get<JobReply>("checkjob b").lifted_by,
            "its owner or an administrator releases the hold");
  ask("sethold -s b");
  const auto reply = get<JobReply>("checkjob b");
  EXPECT_EQ(reply.lifted_by, "an administrator releases the hold");
  EXPECT_EQ(reply.lifted_at, -1);
}

TEST_F(LiftedTest, NothingLiftsWhatRuns) { EXPECT_EQ(get<JobReply>("checkjob a").lifted_by, ""); }

TEST_F(LiftedTest, AJobOnWhichItDepends) {
  auto manager = std::make_unique<ScriptedRm>();
  manager->next.nodes = {node_report("n1", procs(2))};
  manager->next.arrived = {report("a", 1, "amy"), report("b", 1, "bob")};
  manager->next.arrived[1].job.dependencies = {{DependencyKind::after_any, "a"}};
  run(std::move(manager));
  EXPECT_EQ(get<JobReply>("checkjob b").lifted_by, "afterany:a is met");
  const auto start = get<StartReply>("showstart b");
  EXPECT_EQ(start.start, clock.time.raw()) << "one processor is free";
  EXPECT_EQ(start.not_counted, "dependency is not met");
  EXPECT_EQ(start.lifted_by, "afterany:a is met");
}

TEST_F(LiftedTest, ShowstartSaysWhichHoldItLeavesOut) {
  ask("sethold -u b");
  const auto start = get<StartReply>("showstart b");
  EXPECT_EQ(start.not_counted, "job has hold in place");
  EXPECT_EQ(start.lifted_by, "its owner or an administrator releases the hold");
  EXPECT_EQ(get<StartReply>("showstart a").not_counted, "") << "it runs";
}

TEST_F(LiftedTest, ShowstartSaysWhichLimitOfIdleJobsItLeavesOut) {
  settings.users["bob"].limits.idle[static_cast<std::size_t>(LimitKind::proc)] = Limit{1, 1};
  engine().set_settings(settings);
  EXPECT_EQ(get<StartReply>("showstart b").not_counted,
            "it violates idle HARD MAXIPROC limit of 1 for user bob  (R: 2, U: 0)");
}

/// Two nodes of manager "one", and three of "two", one of them busy for an hour.
struct ShowstartOfManagersTest : ShowstartTest {
  ShowstartOfManagersTest() {
    auto manager = std::make_unique<ScriptedRm>();
    for (const auto* name : {"n1", "n2", "n3", "n4", "n5"}) {
      NodeReport node = node_report(name, procs(2));
      node.node.resource_manager = name < std::string("n3") ? "one" : "two";
      node.features = {"rm:" + node.node.resource_manager};
      manager->next.nodes.push_back(std::move(node));
    }
    manager->next.arrived = {job_report("busy", 2, hours(1))};
    manager->next.arrived[0].host_list = {"n3"};
    manager->next.arrived[0].host_list_use = HostListUse::all_of;
    begin_anew();
    run(std::move(manager));
    EXPECT_TRUE(job("busy").active());
  }
};

TEST_F(ShowstartOfManagersTest, ARequestStartsOnTheNodesOfOneManager) {
  EXPECT_EQ(get<StartReply>("showstart 4@1:00:00").start, in(Seconds(0)));
  const auto larger = get<StartReply>("showstart 6@1:00:00");
  EXPECT_EQ(larger.start, in(hours(1))) << "four processors of each manager are free";
  EXPECT_EQ(larger.alternatives.at(0).procs, 4);
  EXPECT_EQ(larger.alternatives.at(0).start, in(Seconds(0)));
  EXPECT_EQ(script("#SBATCH -n 6\n#SBATCH -t 60\n").start, in(hours(1)));
  EXPECT_EQ(why_not("showstart 7@1:00:00"),
            "a job that requires 7 procs for 1:00:00 can never start here: the job asks for 7 "
            "procs, of which there are 6 on nodes with resource manager 'two'");
}

TEST_F(ShowstartOfManagersTest, AScriptMayNameTheManager) {
  EXPECT_EQ(script("#SBATCH -n 4 -C rm:one\n#SBATCH -t 60\n").start, in(Seconds(0)));
  const Reply never = ask_script("#SBATCH -n 6 -C rm:one\n#SBATCH -t 60\n");
  EXPECT_TRUE(std::holds_alternative<Refusal>(never));
}

TEST_F(ShowstartOfManagersTest, ShowbfAddsUpTheNodesOfOneManager) {
  const auto widest = [this](const std::string& flags) {
    const auto reply = get<WindowsReply>("showbf" + flags);
    return reply.windows.empty() ? 0 : reply.windows.front().procs;
  };
  EXPECT_EQ(widest(""), 4);
  EXPECT_EQ(get<WindowsReply>("showbf").windows.size(), 1U) << "both have the same";
  EXPECT_EQ(widest(" -n 3"), 0);
  EXPECT_EQ(widest(" -r 5"), 0);
  ask("setres -d 2:00:00 n1");
  EXPECT_EQ(widest(""), 4);
  EXPECT_EQ(widest(" -f rm:one"), 2);
  EXPECT_EQ(widest(" -f rm:one:rm:two"), 0);
}

TEST_F(ShowstartOfManagersTest, AManagerCountsForTheWindowsInWhichItHasMost) {
  ask("setres -s +30:00 -d 2:00:00 n4");
  ask("setres -d 2:00:00 n1");
  std::vector<std::tuple<int, std::int64_t>> found;
  for (const auto& window : get<WindowsReply>("showbf").windows)
    found.emplace_back(window.procs, window.duration);
  EXPECT_EQ(found, (std::vector<std::tuple<int, std::int64_t>>{{4, 1800}, {2, -1}}));
}

TEST_F(ShowstartOfManagersTest, AFeatureMayHaveAColonInItsName) {
  EXPECT_EQ(why_not("setres -f rm:two -d 1:00:00 n[4-5]"), "(done)");
  EXPECT_EQ(why_not("setres -f rm:one -d 1:00:00 n[4-5]"),
            "no node of 'n[4-5]' has the requested features and partition");
  EXPECT_EQ(why_not("showbf -f rm"), "-f: no node has the feature 'rm'");
  EXPECT_EQ(why_not("showbf -f rm:one:nosuch"), "-f: no node has the feature 'nosuch'");
  EXPECT_EQ(why_not("setres -f nosuch:rm:one n1"), "-f: no node has the feature 'nosuch'");
}

}  // namespace
}  // namespace maui::test
