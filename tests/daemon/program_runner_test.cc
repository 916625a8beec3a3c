// Programs of the site: run without a shell, within bounds, while the loop goes on.
#include "daemon/programs/program_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "daemon/programs/program_settings.h"
#include "daemon/programs/site_programs.h"
#include "daemon/temporary_directory.h"
#include "support/scenario.h"

namespace maui::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

class ProgramTest : public testing::Test {
 protected:
  /// An executable script of this name.
  std::string script(const std::string& name, const std::string& text) {
    const auto path = std::filesystem::path(folder_ / name);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << "#!/bin/sh\n" << text << "\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path.string();
  }
  ProgramRunner& runner() {
    if (!runner_)
      runner_ = std::make_unique<ProgramRunner>(
          io, limits, [this](const ProgramEnd& end) { ends.push_back(end); });
    return *runner_;
  }
  std::string home() { return folder_.path(); }

  boost::asio::io_context io;
  ProgramLimits limits;
  std::vector<ProgramEnd> ends;

 private:
  TemporaryDirectory folder_;
  std::unique_ptr<ProgramRunner> runner_;
};

TEST_F(ProgramTest, ArgumentsArriveAsTheyAreAndOutputIsKept) {
  const auto path = script("echo", "for a in \"$@\"; do echo \"[$a]\"; done");
  ASSERT_TRUE(runner().run(path, {"a b", "$HOME;`id`", ""}));
  io.run();
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_EQ(ends[0].output, "[a b]\n[$HOME;`id`]\n[]\n");
  EXPECT_EQ(ends[0].failure, "");
  EXPECT_FALSE(runner().busy());
}

TEST_F(ProgramTest, AProgramHasNoDescriptorOfOurs) {
  ASSERT_EQ(::dup2(STDERR_FILENO, 77), 77);  // without CLOEXEC, as some libraries open theirs
  ASSERT_TRUE(
      runner().run(script("look", "[ -e /proc/self/fd/77 ] && echo open || echo none"), {}));
  io.run();
  ::close(77);
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_EQ(ends[0].output, "none\n");
}

TEST_F(ProgramTest, AProgramSeesLittleOfOurEnvironment) {
  ::setenv("LD_LIBRARY_PATH", "/somewhere", 1);
  ::setenv("LC_TIME", "C", 1);
  ASSERT_TRUE(runner().run("/usr/bin/env", {}));
  io.run();
  ::unsetenv("LD_LIBRARY_PATH");
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_THAT(ends[0].output, HasSubstr("PATH="));
  EXPECT_THAT(ends[0].output, HasSubstr("LC_TIME=C\n"));
  EXPECT_THAT(ends[0].output, testing::Not(HasSubstr("LD_LIBRARY_PATH")));
}

TEST_F(ProgramTest, AFailureIsReported) {
  ASSERT_TRUE(runner().run(script("fail", "exit 3"), {}));
  ASSERT_TRUE(runner().run(home() + "/missing", {}));
  io.run();
  ASSERT_EQ(ends.size(), 2U);
  EXPECT_THAT(ends[0].failure + ends[1].failure, HasSubstr("exit status 3"));
  EXPECT_THAT(ends[0].failure + ends[1].failure, HasSubstr("No such file"));
}

TEST_F(ProgramTest, AProgramThatTakesTooLongIsKilledWithItsChildren) {
  limits.time = std::chrono::milliseconds(50);
  ASSERT_TRUE(runner().run(script("hang", "sleep 1000 & sleep 1000"), {}));
  io.run();
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_EQ(ends[0].failure, "killed after 50 ms");
}

TEST_F(ProgramTest, AProgramThatLeavesAChildBehindHasEnded) {
  ASSERT_TRUE(runner().run(script("parent", "sleep 1000 & echo done"), {}));
  io.run();
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_EQ(ends[0].output, "done\n");
}

TEST_F(ProgramTest, OutputIsCutShort) {
  limits.output = 10;
  ASSERT_TRUE(runner().run(script("chat", "seq 100000"), {}));
  io.run();
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_EQ(ends[0].output, "1\n2\n3\n4\n5\n");
  EXPECT_EQ(ends[0].failure, "");
}

// The loop is busy until the program has ended, and finds its end together with its output.
TEST_F(ProgramTest, NothingIsLostOfOutputThatIsReadAfterTheEnd) {
  limits.output = 20'000;
  const auto marker = std::filesystem::path(home()) / "ended";
  ASSERT_TRUE(runner().run(
      script("long", "head -c 10000 /dev/zero | tr '\\0' x; : >" + marker.string()), {}));
  while (!std::filesystem::exists(marker))
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  io.run();
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_EQ(ends[0].output.size(), 10'000U);
}

TEST_F(ProgramTest, FewRunAtOnceAndNotTooManyWait) {
  limits.at_once = 2;
  limits.waiting = 3;
  const auto path = script("true", "exit 0");
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(runner().run(path, {}));
  EXPECT_EQ(runner().running(), 1U) << "the other place is for triggers";
  EXPECT_THAT(runner().run(path, {}).error().what, HasSubstr("3 others are waiting"));
  EXPECT_THAT(runner().left_out(), IsEmpty()) << "there may be more of them";
  io.run();
  EXPECT_EQ(ends.size(), 4U);
  EXPECT_THAT(runner().left_out(), ElementsAre(Pair("", 1)));
}

TEST_F(ProgramTest, ATriggersProgramBeginsThoughOthersHang) {
  const auto hang = script("hang", "sleep 1000"), quick = script("quick", "exit 0");
  limits.time = std::chrono::milliseconds(1500);
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(runner().run(hang, {}));
  int begun = 0;
  for (int i = 0; i < 2; ++i)
    ASSERT_TRUE(runner().run({quick, {}, "TRIGGER", {}, [&] { ++begun; }, /*urgent=*/true}));
  EXPECT_EQ(begun, 1);
  while (begun < 2) io.run_one();
  EXPECT_EQ(runner().waiting(), 17U);
  runner().start_no_more();
  runner().end();
  io.run();
}

TEST_F(ProgramTest, AtTheEndWhatRunsIsKilledAndWhatWaitsIsNamed) {
  const auto hang = script("hang", "sleep 1000");
  for (const char* party : {"", "amy", "bob", "amy", "bob"})
    ASSERT_TRUE(runner().run({hang, {}, "JOBHOLD", party}));
  EXPECT_EQ(runner().running(), 3U);
  EXPECT_THAT(runner().names(), ElementsAre(hang));
  runner().start_no_more();
  EXPECT_THAT(runner().run(hang, {}).error().what, HasSubstr("the scheduler ends"));
  EXPECT_EQ(runner().end().size(), 2U);
  io.run();
  ASSERT_EQ(ends.size(), 3U);
  for (const ProgramEnd& end : ends)
    EXPECT_THAT(end.failure, HasSubstr("ms, since the scheduler ends"));
}

TEST_F(ProgramTest, AProgramIsLookedForBelowTools) {
  const auto path = script("tools/notify", "exit 0");
  EXPECT_EQ(*find_program("notify", home()), path);
  EXPECT_EQ(*find_program("tools/notify", home()), path);
  EXPECT_EQ(*find_program(path, "/nowhere"), path);
  EXPECT_THAT(find_program("other", home()).error().what,
              HasSubstr("tools/other' is missing or not executable"));
}

TEST(FeedbackArguments, AreTheSixteenOfTheGuide) {
  Cluster cluster = Scenario()
                        .nodes(2, procs(2, 1000))
                        .job("j1")
                        .tasks(4)
                        .each(procs(1, 128))
                        .by("john", "staff")
                        .queued(minutes(30))
                        .running_on({{"n1", 2}, {"n2", 2}}, minutes(10))
                        .build();
  const JobId id = job_named(cluster, "j1");
  cluster.set_use(id, {2, 600, 0, 0}, false, kNow);
  cluster.set_use(id, {1, 400, 0, 0}, false, kNow);
  cluster.end_job(id, JobState::completed, kNow);
  const auto words = feedback_arguments(cluster, cluster.job(id));
  ASSERT_EQ(words.size(), 16U);
  const auto at = [](Seconds ago) { return std::to_string((kNow - ago).raw()); };
  EXPECT_THAT(words, ElementsAre("j1", "john", "john", "Completed", "[NONE]", words[5],
                                 at(minutes(10)), at(Seconds(0)), "0.50", "3600", "4", "128",
                                 "0.25", "0.50", "100.00", "150.00"));
}

TEST(NotificationArguments, BeginWithTheEventsName) {
  EXPECT_THAT(notification_arguments({EventType::job_hold, {"job 'a' held: because"}}),
              ElementsAre("JOBHOLD:", "job 'a' held: because"));
}

TEST(NotificationArguments, NoNameAddsALineToWhatAProgramPrints) {
  EXPECT_THAT(notification_arguments({EventType::job_hold, {"job 'a\nb\x1b[2J' held"}}),
              ElementsAre("JOBHOLD:", "job 'a?b?[2J' held"));
}

class TriggerProgramTest : public ProgramTest {
 protected:
  TriggerProgramTest() {
    reservation_.name = "fast.0.0";
    reservation_.start = Time(100);
    reservation_.end = Time(200);
    path_ = std::getenv("PATH");
  }
  void TearDown() override { ::setenv("PATH", path_.c_str(), 1); }
  void pull(TriggerAction action, const std::string& data, bool may_submit = true) {
    SitePrograms programs(io, limits, [this](int level, std::string_view text) {
      logged_ += std::to_string(level) + " " + std::string(text) + "\n";
    });
    begun_ = 0;
    programs.trigger({TriggerEvent::start, Seconds(0), 0, action, data}, reservation_, home(),
                     may_submit, [this] { ++begun_; });
    EXPECT_EQ(begun_, 1);
    io.restart();
    io.run();
  }

  Reservation reservation_;
  std::string logged_, path_;
  int begun_ = 0;
};

TEST_F(TriggerProgramTest, ExecReceivesTheReservationAndTheEvent) {
  pull(TriggerAction::execute, script("notify", "echo \"$@\""));
  EXPECT_THAT(logged_, HasSubstr("printed: fast.0.0 start 100 200"));
}

TEST_F(TriggerProgramTest, SubmitGivesTheScriptToTheFirstProgramThatSubmits) {
  script("bin/sbatch", "echo \"sbatch $@\"");
  script("nightly.sh", "true");
  ::setenv("PATH", (home() + "/bin").c_str(), 1);  // a real qsub elsewhere would come first
  pull(TriggerAction::submit, "nightly.sh");
  EXPECT_THAT(logged_, HasSubstr("sbatch " + home() + "/nightly.sh"));
}

TEST_F(TriggerProgramTest, AFailedActionIsReported) {
  pull(TriggerAction::execute, home() + "/missing");
  EXPECT_THAT(logged_, HasSubstr("0 WARNING: trigger of reservation 'fast.0.0' has no effect"));
  logged_.clear();
  pull(TriggerAction::submit, "nightly.sh", false);
  EXPECT_THAT(logged_, HasSubstr("a simulation accepts only the jobs"));
  logged_.clear();
  pull(TriggerAction::submit, "nightly.sh");
  EXPECT_THAT(logged_, HasSubstr("tools/nightly.sh' is missing or not readable"));
  logged_.clear();
  script("nightly.sh", "true");
  ::setenv("PATH", home().c_str(), 1);
  pull(TriggerAction::submit, "nightly.sh");
  EXPECT_THAT(logged_, HasSubstr("no qsub, sbatch or llsubmit"));
}

class SiteProgramsTest : public ProgramTest {
 protected:
  SitePrograms& programs() {
    if (!programs_) {
      programs_ =
          std::make_unique<SitePrograms>(io, limits, [this](int level, std::string_view text) {
            logged_ += std::to_string(level) + " " + std::string(text) + "\n";
          });
      JobSettings settings;
      settings.notification_program = script("tools/notify", "exec sleep 1000");
      programs_->configure(settings, home());
    }
    return *programs_;
  }
  std::string logged_;

 private:
  std::unique_ptr<SitePrograms> programs_;
};

TEST_F(SiteProgramsTest, AtTheEndTheLogSaysWhatIsNotRun) {
  for (int i = 0; i < 5; ++i)
    programs().event({EventType::job_hold, {"job " + std::to_string(i)}, "amy"});
  programs().event({EventType::node_down, {"node 1"}});
  const Trigger trigger{TriggerEvent::start, Seconds(0), 0, TriggerAction::execute,
                        script("tools/trig", "exec sleep 1000")};
  Reservation reservation;
  int begun = 0;
  for (const char* name : {"a.0.0", "b.0.0"}) {
    reservation.name = name;
    programs().trigger(trigger, reservation, home(), true, [&] { ++begun; });
  }
  EXPECT_EQ(begun, 1);
  EXPECT_THAT(programs().underway(),
              HasSubstr("4 programs of the site that run, and 4 that wait: " + home()));
  programs().start_no_more();
  programs().end(/*kept=*/true);
  EXPECT_EQ(begun, 1) << "the next scheduler runs it";
  EXPECT_THAT(logged_, HasSubstr("0 WARNING: 4 programs of the site did not end in time and are "
                                 "killed: " +
                                 home()));
  EXPECT_THAT(logged_, HasSubstr("trig b.0.0 start 0 0 has not begun: the next scheduler runs it"));
  EXPECT_THAT(logged_, HasSubstr("0 WARNING: 1 trigger of reservations"));
  EXPECT_THAT(logged_, HasSubstr("0 WARNING: 3 programs that waited are not run, since the "
                                 "scheduler ends: JOBHOLD 2, NODEDOWN 1"));
  io.run();
  EXPECT_FALSE(programs().busy());
}

TEST_F(SiteProgramsTest, AnEventThatIsRepeatedWhileItWaitsIsOne) {
  for (int i = 0; i < 100; ++i)
    programs().event({EventType::job_hold, {"job " + std::to_string(i % 4)}, "amy"});
  EXPECT_THAT(programs().underway(), HasSubstr("3 programs of the site that run, and 4 that wait"));
  programs().start_no_more();
  programs().end(true);
  io.run();
}

}  // namespace
}  // namespace maui::test
