// A manager in front of small scripts that stand for a resource manager.
#include "native/link.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>

#include "daemon/temporary_directory.h"
#include "rm/wiki_resource_manager.h"
#include "support/asking_loop.h"

namespace maui::native {
namespace {

using testing::HasSubstr;

class NativeTest : public testing::Test, public test::AskingLoop {
 protected:
  /// A script that a request is answered by.
  void script(const std::string& request, const std::string& body,
              std::vector<std::string> arguments = {}) {
    const auto path = directory / request;
    std::ofstream(path) << "#!/bin/sh\n" << body << "\n";
    ::chmod(path.c_str(), 0700);
    link.sources[request] = {path, std::move(arguments)};
  }
  void file(const std::string& request, const std::string& text) {
    const auto path = directory / (request + ".txt");
    std::ofstream(path) << text;
    link.sources[request] = {path, {}, true};
  }
  std::string text_of(const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(directory / name).rdbuf();
    return text.str();
  }

  WikiResourceManager& manager() {
    if (!manager_) {
      WikiManagerOptions options;
      options.type = "NATIVE";
      options.checkpoints = options.node_states = true;
      options.generation = generation;
      options.log = [this](int, std::string_view line) { lines.emplace_back(line); };
      options.warn = [this](std::string_view line) { lines.emplace_back(line); };
      manager_ = std::make_unique<WikiResourceManager>(options, make_link(io, link));
    }
    return *manager_;
  }
  Result<Update> poll() {
    manager().hurry();
    return answer_to<Result<Update>>(
        [&](auto done) { manager().poll(cluster, kNow, std::move(done)); });
  }

  Job placed(const std::string& name, int tasks = 2) {
    const auto known = cluster.find_node("n1");
    Node node;
    node.name = "n1";
    node.configured = Resources(4);
    const NodeId id = known.valid() ? known : cluster.add_node(std::move(node));
    Job job;
    job.name = name;
    job.placement = {{id, tasks, 0}};
    return job;
  }
  StartAnswer start(const std::string& job) {
    return answer_to<StartAnswer>(
        [&](auto done) { manager().start(placed(job), cluster, kNow, std::move(done)); });
  }
  Status cancel(const std::string& job) {
    return status_of([&](auto done) {
      manager().cancel(placed(job), CancelCause::asked, kNow, std::move(done));
    });
  }
  /// True once a process with this number has ended, whether or not anybody has taken note of it.
  static bool gone(int process) {
    std::ifstream about(fmt::format("/proc/{}/stat", process));
    const std::string text{std::istreambuf_iterator<char>(about), {}};
    return text.empty() || text.find(") Z") != std::string::npos;
  }

  static constexpr Time kNow{1'000'000};
  TemporaryDirectory directory;
  LinkOptions link;
  std::int64_t generation = 0;
  Cluster cluster;
  std::vector<std::string> lines;

 private:
  std::unique_ptr<WikiResourceManager> manager_;
};

TEST_F(NativeTest, OthersHaveTheirTurnWhileALongReportIsRead) {
  std::string nodes;
  for (int i = 0; i < 1200; ++i) nodes += fmt::format("n{} STATE=Idle;CPROC=4\n", i);
  file("GETNODES", nodes);
  file("GETJOBS", "");
  int turns = 0;
  link.later = counted_in(turns);
  const auto update = poll();
  ASSERT_TRUE(update) << update.error().what;
  EXPECT_EQ(update->nodes.size(), 1200u);
  EXPECT_EQ(turns, 2);
}

TEST_F(NativeTest, ProgramsReportNodesAndJobs) {
  script("GETNODES", "echo 'n1 STATE=Idle;CPROC=4;FEATURE=ib'; echo 'n2 STATE=Down CPROC=2'");
  script("GETJOBS",
         "echo 'job.1 STATE=Idle;UNAME=ann;WCLIMIT=60;TASKS=3'; echo job.2 STATE=Hold UNAME=bob");
  const auto update = poll();
  ASSERT_TRUE(update) << update.error().what;
  ASSERT_EQ(update->nodes.size(), 2u);
  EXPECT_EQ(update->nodes[0].node.configured.procs(), 4);
  EXPECT_EQ(update->nodes[1].node.reported, NodeState::down);
  ASSERT_EQ(update->arrived.size(), 2u);
  EXPECT_EQ(update->arrived[0].user, "ann");
  EXPECT_EQ(update->arrived[0].request.requirements[0].tasks, 3);
  EXPECT_EQ(update->arrived[1].request.requirements[0].tasks, 1) << "where no size is told";
  EXPECT_TRUE(update->arrived[1].problem.empty());
  EXPECT_EQ(manager().records()[0].type, "NATIVE");
}

TEST_F(NativeTest, FilesReportNodesAndJobs) {
  file("GETNODES", "# one\nn1 STATE=Idle;CPROC=4\n");
  file("GETJOBS", "job.1 STATE=Idle;UNAME=ann;WCLIMIT=60;TASKS=1\n");
  auto update = poll();
  ASSERT_TRUE(update) << update.error().what;
  EXPECT_EQ(update->nodes.size(), 1u);
  EXPECT_EQ(update->arrived.size(), 1u);
  file("GETNODES", "n1 STATE=Idle;CPROC=8\n");
  update = poll();
  ASSERT_TRUE(update);
  ASSERT_EQ(update->nodes.size(), 1u);
  EXPECT_EQ(update->nodes[0].node.configured.procs(), 8);
}

TEST_F(NativeTest, AQueryWithoutAProgramReportsNothing) {
  script("GETNODES", "echo n1 STATE=Idle");
  const auto update = poll();
  ASSERT_TRUE(update) << update.error().what;
  EXPECT_EQ(update->nodes.size(), 1u);
  EXPECT_TRUE(update->arrived.empty());
}

TEST_F(NativeTest, AStartProgramGetsTheJobItsTasksAndItsUser) {
  script("GETJOBS", "echo 'job.1 STATE=Idle;UNAME=ann;WCLIMIT=60;TASKS=2'");
  script("STARTJOB", "echo \"$# $*\" >>" + (directory / "told"), {"--cell", "a b"});
  ASSERT_TRUE(poll());
  EXPECT_TRUE(start("job.1").status);
  EXPECT_EQ(text_of("told"), "5 --cell a b job.1 n1,n1 ann\n");
}

TEST_F(NativeTest, ProgramsSeeTheGenerationOfTheLease) {
  generation = 7;
  const auto note = fmt::format("echo \"$0 ${{MAUI_GENERATION-none}}\" >>{}", directory / "seen");
  for (const char* request : {"GETJOBS", "STARTJOB", "CANCELJOB"}) script(request, note);
  ASSERT_TRUE(poll());
  ASSERT_TRUE(start("j1").status);
  ASSERT_TRUE(cancel("j1"));
  EXPECT_EQ(text_of("seen"), fmt::format("{} 7\n{} 7\n{} 7\n", directory / "GETJOBS",
                                         directory / "STARTJOB", directory / "CANCELJOB"));
}

TEST_F(NativeTest, WithoutALeaseProgramsSeeNoGeneration) {
  script("CANCELJOB", fmt::format("env >{}", directory / "seen"));
  ASSERT_TRUE(cancel("j1"));
  EXPECT_THAT(text_of("seen"), testing::Not(HasSubstr("MAUI_GENERATION")));
}

TEST_F(NativeTest, ShellsHaveNoPartInIt) {
  script("GETJOBS", "echo 'x;touch\\ evil UNAME=$(touch,evil2) STATE=Idle'");
  script("STARTJOB", "printf '%s\\n' \"$@\" >" + (directory / "told"));
  ASSERT_TRUE(poll());
  EXPECT_TRUE(start("x;touch\\").status);
  EXPECT_EQ(text_of("told"), "x;touch\\\nn1,n1\n$(touch,evil2)\n");
  EXPECT_TRUE(text_of("evil2").empty());
}

TEST_F(NativeTest, CommandProgramsGetTheirJobAndWhatChanges) {
  for (const char* request :
       {"CANCELJOB", "REQUEUEJOB", "SUSPENDJOB", "RESUMEJOB", "MODIFYJOB", "MODIFYNODE"})
    script(request, fmt::format("echo {} \"$@\" >>{}", request, directory / "told"));
  const Job job = placed("job.1");
  const Node node = cluster.node(cluster.find_node("n1"));
  EXPECT_TRUE(status_of([&](auto done) { manager().suspend(job, kNow, done); }));
  EXPECT_TRUE(status_of([&](auto done) { manager().resume(job, kNow, done); }));
  EXPECT_TRUE(status_of([&](auto done) { manager().requeue(job, kNow, done); }));
  EXPECT_TRUE(status_of([&](auto done) { manager().set_limit(job, Seconds(5400), kNow, done); }));
  EXPECT_TRUE(cancel("job.1"));
  EXPECT_TRUE(status_of(
      [&](auto done) { manager().modify_node(node, NodeState::drained, "amy", kNow, done); }));
  EXPECT_TRUE(status_of(
      [&](auto done) { manager().modify_node(node, NodeState::idle, "amy", kNow, done); }));
  EXPECT_EQ(text_of("told"),
            "SUSPENDJOB job.1\nRESUMEJOB job.1\nREQUEUEJOB job.1\n"
            "MODIFYJOB job.1 --set WCLIMIT=5400\nCANCELJOB job.1\n"
            "MODIFYNODE n1 --set STATE=Drained\nMODIFYNODE n1 --set STATE=Idle\n");
}

TEST_F(NativeTest, RefusesACommandWithoutAProgram) {
  const auto answer = start("job.1");
  ASSERT_FALSE(answer.status);
  EXPECT_THAT(answer.status.error().what, HasSubstr("RMCFG has no JOBSTARTURL"));
  const auto status =
      status_of([&](auto done) { manager().checkpoint(placed("job.1"), kNow, std::move(done)); });
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().what, HasSubstr("CHECKPOINTJOB"));
}

// A user who asks for it is refused, and not told of a success that a later answer would belie.
TEST_F(NativeTest, RefusesACommandWithoutAProgramAtOnce) {
  const Job job = placed("job.1");
  const Node node = cluster.node(cluster.find_node("n1"));
  std::vector<std::string> answers;
  const auto keep = [&](const Status& status) {
    answers.push_back(status ? "done" : status.error().what);
  };
  manager().start(job, cluster, kNow, keep);
  manager().cancel(job, CancelCause::asked, kNow, keep);
  manager().requeue(job, kNow, keep);
  manager().suspend(job, kNow, keep);
  manager().resume(job, kNow, keep);
  manager().set_limit(job, Seconds(60), kNow, keep);
  manager().modify_node(node, NodeState::drained, "amy", kNow, keep);
  EXPECT_THAT(answers,
              testing::ElementsAre("RMCFG has no JOBSTARTURL", "RMCFG has no JOBCANCELURL",
                                   "RMCFG has no JOBREQUEUEURL", "RMCFG has no JOBSUSPENDURL",
                                   "RMCFG has no JOBRESUMEURL", "RMCFG has no JOBMODIFYURL",
                                   "RMCFG has no NODEMODIFYURL"));
  EXPECT_EQ(manager().records()[0].failed_starts, 1);
}

TEST_F(NativeTest, AnExitStatusIsTheAnswerAndALineItsReason) {
  script("STARTJOB", "echo; echo 'no licence left'; echo more; exit 3");
  auto answer = start("job.1");
  ASSERT_FALSE(answer.status);
  EXPECT_THAT(answer.status.error().what,
              HasSubstr("STARTJOB exited with status 3: no licence left"));
  EXPECT_THAT(answer.status.error().what, Not(HasSubstr("more")));
  EXPECT_EQ(answer.obstacle, Obstacle::unknown) << "it counts toward DEFERSTARTCOUNT";
  script("STARTJOB", "echo 'busy, try again' >&2; exit 75");
  answer = start("job.1");
  EXPECT_THAT(answer.status.error().what, HasSubstr("exited with status 75: busy, try again"));
  EXPECT_EQ(answer.obstacle, Obstacle::passes);
  script("STARTJOB", "exit 9");
  EXPECT_THAT(start("job.1").status.error().what, HasSubstr("exited with status 9"));
}

TEST_F(NativeTest, AProgramThatIsNotThereIsAStartThatFailed) {
  link.sources["STARTJOB"] = {directory / "nowhere"};
  const auto answer = start("job.1");
  ASSERT_FALSE(answer.status);
  EXPECT_EQ(answer.obstacle, Obstacle::passes);
  EXPECT_THAT(answer.status.error().what, HasSubstr("cannot run it: No such file"));
}

// It may have started the job before: the next poll shows it.
TEST_F(NativeTest, AStartThatHangsOrIsKilledIsNoFailedStart) {
  link.timeout = std::chrono::milliseconds(300);
  script("STARTJOB", "sleep 100");
  const auto hung = start("job.1");
  EXPECT_TRUE(hung.status);
  EXPECT_THAT(hung.doubt, HasSubstr("longer than 300 ms")) << "for whoever asked for the start";
  EXPECT_THAT(lines.back(), HasSubstr("cannot tell whether job 'job.1' was started"));
  EXPECT_THAT(lines.back(), HasSubstr("longer than 300 ms"));
  script("STARTJOB", "kill -9 $$");
  EXPECT_TRUE(start("job.1").status);
  EXPECT_THAT(lines.back(), HasSubstr("signal 9"));
}

TEST_F(NativeTest, AHangingProgramIsKilledWithItsChildren) {
  link.timeout = std::chrono::milliseconds(2000);
  script("GETNODES", "sleep 1000 & echo $! >" + (directory / "pid") + "; wait");
  const auto update = poll();
  ASSERT_FALSE(update);
  EXPECT_THAT(update.error().what, HasSubstr("it took longer than 2000 ms"));
  const int child = std::stoi(text_of("pid"));
  run_until([&] {
    return gone(child) || text_of("../../proc/" + std::to_string(child) + "/stat").find(") Z") !=
                              std::string::npos;
  });
}

// Adapters of old start jobs as processes of their own, and queries refresh a cache.
TEST_F(NativeTest, BackgroundProcessesOfAProgramGoOnAndAreNotWaitedFor) {
  script("STARTJOB", "sleep 1000 & echo $! >" + (directory / "pid") + "; echo started");
  EXPECT_TRUE(start("job.1").status);
  const int child = std::stoi(text_of("pid"));
  EXPECT_FALSE(gone(child)) << "though it has the standard output of the program that ended";
  ::kill(child, SIGKILL);
}

TEST_F(NativeTest, AHangingStartHoldsUpNobodyElse) {
  link.timeout = std::chrono::milliseconds(2000);
  script("GETNODES", "echo n1 STATE=Idle");
  script("STARTJOB", "sleep 1000");
  script("CANCELJOB", "exit 0");
  int answers = 0;
  for (int i = 0; i < 10; ++i)
    manager().start(placed(fmt::format("job.{}", i)), cluster, kNow,
                    [&](const StartAnswer&) { ++answers; });
  EXPECT_TRUE(poll());
  EXPECT_TRUE(cancel("other"));
  EXPECT_EQ(answers, 0) << "and neither waited for them";
  run_until([&] { return answers == 10; });
}

// None of those that waited was started.
TEST_F(NativeTest, StartsQueuedBehindAHangingStartAreNotMade) {
  link.timeout = std::chrono::milliseconds(2000);
  script("STARTJOB", "echo $1 >>" + (directory / "told") + "; sleep 1000");
  int unknown = 0, failed = 0;
  for (int i = 0; i < 10; ++i)
    manager().start(placed(fmt::format("job.{}", i)), cluster, kNow,
                    [&](const StartAnswer& answer) { ++(answer.status ? unknown : failed); });
  run_until([&] { return unknown + failed == 10; });
  EXPECT_EQ(unknown, 4);
  EXPECT_EQ(failed, 6);
  const auto lines_written = text_of("told");
  EXPECT_EQ(std::count(lines_written.begin(), lines_written.end(), '\n'), 4);
}

TEST_F(NativeTest, ManyStartsAreMadeAFewAtATime) {
  script("STARTJOB", "echo $1 >>" + (directory / "told"));
  int started = 0;
  for (int i = 0; i < 50; ++i)
    manager().start(placed(fmt::format("job.{}", i)), cluster, kNow,
                    [&](const StartAnswer& answer) { started += answer.status ? 1 : 0; });
  run_until([&] { return started == 50; });
  const auto lines_written = text_of("told");
  EXPECT_EQ(std::count(lines_written.begin(), lines_written.end(), '\n'), 50);
}

TEST_F(NativeTest, AQueryThatFailsChangesNothing) {
  script("GETNODES", "echo n1 STATE=Idle");
  script("GETJOBS", "echo 'job.1 STATE=Idle UNAME=ann TASKS=1'");
  ASSERT_TRUE(poll());
  // Half an answer, and then its end.
  script("GETNODES", "echo 'n1 STA'; echo 'cannot reach the master' >&2; exit 2");
  const auto update = poll();
  ASSERT_FALSE(update);
  EXPECT_THAT(update.error().what, HasSubstr("it exited with status 2 (cannot reach the master)"));
  EXPECT_FALSE(manager().records()[0].up);
  script("GETNODES", "echo n1 STATE=Idle");
  const auto next = poll();
  ASSERT_TRUE(next);
  EXPECT_TRUE(next->lost_nodes.empty());
  EXPECT_TRUE(next->lost.empty());
}

TEST_F(NativeTest, GarbageInAQueryCostsItselfAndLosesNothing) {
  script("GETNODES", "echo n1 STATE=Idle; echo n2 STATE=Idle");
  script("GETJOBS", "echo 'job.1 STATE=Idle UNAME=ann TASKS=1 WCLIMIT=60'");
  ASSERT_TRUE(poll());
  script("GETNODES", "echo 'WARNING: slow today'; echo 'n1 STATE=Idle CPULOAD=much'");
  script("GETJOBS", "head -c 5000 /dev/zero | tr '\\0' '\\377'; echo; printf 'job.1 \\001=;;'");
  const auto update = poll();
  ASSERT_TRUE(update) << update.error().what;
  EXPECT_TRUE(update->lost_nodes.empty()) << "n2 is not told of, but not all was understood";
  EXPECT_TRUE(update->lost.empty());
  EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
    return line.find("invalid line 'WARNING: slow today'") != std::string::npos;
  }));
}

TEST_F(NativeTest, ANodeThatIsNoLongerReportedIsLost) {
  script("GETNODES", "echo n1 STATE=Idle; echo n2 STATE=Idle");
  ASSERT_TRUE(poll());
  script("GETNODES", "echo n1 STATE=Idle");
  const auto update = poll();
  ASSERT_TRUE(update);
  EXPECT_EQ(update->lost_nodes, std::vector<std::string>{"n2"});
}

TEST_F(NativeTest, AnAnswerThatIsTooLongIsAFailure) {
  script("GETNODES", "yes 'n1 STATE=Idle'");
  const auto update = poll();
  ASSERT_FALSE(update);
  EXPECT_THAT(update.error().what, HasSubstr("its answer is too long"));
}

TEST_F(NativeTest, AFileThatIsBeingWrittenLosesNothing) {
  file("GETNODES", "n1 STATE=Idle\nn2 STATE=Idle\n");
  ASSERT_TRUE(poll());
  file("GETNODES", "n1 STATE=Idle\nn2 STA");
  const auto update = poll();
  ASSERT_TRUE(update);
  EXPECT_TRUE(update->lost_nodes.empty());
}

TEST_F(NativeTest, AFileThatIsMissingFailsThePoll) {
  link.sources["GETNODES"] = {directory / "missing", {}, true};
  const auto update = poll();
  ASSERT_FALSE(update);
  EXPECT_THAT(update.error().what, HasSubstr("No such file"));
}

TEST_F(NativeTest, APipeThatNobodyWritesToHoldsUpNobody) {
  link.timeout = std::chrono::milliseconds(300);
  const auto path = directory / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  link.sources["GETNODES"] = {path, {}, true};
  const auto update = poll();
  ASSERT_FALSE(update);
  EXPECT_THAT(update.error().what, HasSubstr("longer than 300 ms"));
}

// The scheduler may be gone, or reconfigured, while programs run.
TEST_F(NativeTest, AnswersThatComeAfterTheLinkIsGoneAreNobodys) {
  script("STARTJOB", "sleep 0.2");
  auto here = make_link(io, link);
  bool answered = false;
  here->ask({"STARTJOB", "a", {{"TASKLIST", "n1"}}}, [&](const WikiAnswer&) { answered = true; });
  here.reset();
  io.run();
  EXPECT_FALSE(answered);
}

}  // namespace
}  // namespace maui::native
