// Log, lock file, statistics files, the secret's file.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "daemon/files/end_mark.h"
#include "daemon/files/history_keeper.h"
#include "daemon/files/lock_file.h"
#include "daemon/files/secret_file.h"
#include "daemon/files/statistics_file.h"
#include "daemon/full_disk.h"
#include "daemon/logging/log.h"
#include "daemon/strangers_lock.h"
#include "daemon/temporary_directory.h"

namespace maui {
namespace {

using testing::HasSubstr;

std::string contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class LogTest : public testing::Test {
 protected:
  LogTest() {
    ::setenv("TZ", "UTC", 1);
    ::tzset();
  }
  std::string written() {
    log_.flush();
    return contents(home_ / "log/maui.log");
  }
  TemporaryDirectory home_;
  Log log_{[] { return Time(1000000000); }};
};

TEST_F(LogTest, LinesCarryTheSchedulersTime) {
  ASSERT_TRUE(log_.open({}, home_.path()));
  log_.write(0, "fCORE", "INFO:     hello");
  EXPECT_EQ(written(), "09/09 01:46:40 INFO:     hello\n");
}

TEST_F(LogTest, WritesUpToItsLevelWhichSignalsMoveBetweenZeroAndNine) {
  LogSettings settings;
  settings.level = 3;
  ASSERT_TRUE(log_.open(settings, home_.path()));
  log_.write(3, "fSCHED", "three");
  log_.write(4, "fSCHED", "four");
  log_.change_level(+1);
  log_.write(4, "fSCHED", "four again");
  EXPECT_THAT(written(), HasSubstr("three"));
  EXPECT_THAT(written(), testing::Not(HasSubstr("four\n")));
  EXPECT_THAT(written(), HasSubstr("four again"));
  log_.change_level(+20);
  EXPECT_EQ(log_.level(), 9);
  log_.change_level(-20);
  EXPECT_EQ(log_.level(), 0);
}

TEST_F(LogTest, FacilitiesChooseTheLinesButNotAtLevelZero) {
  LogSettings settings;
  settings.level = 5;
  settings.facilities = {"fSIM", "fUI"};
  log_.configure(settings);
  EXPECT_TRUE(log_.wants(5, "fUI"));
  EXPECT_TRUE(log_.wants(5, "FSIM"));
  EXPECT_FALSE(log_.wants(5, "fSCHED"));
  EXPECT_TRUE(log_.wants(0, "fSCHED"));
}

TEST_F(LogTest, RollsAtItsSizeAndKeepsItsDepth) {
  LogSettings settings;
  settings.max_size = 200;
  settings.roll_depth = 2;
  ASSERT_TRUE(log_.open(settings, home_.path()));
  for (int i = 0; i < 100; ++i) log_.write(0, "fCORE", "a line of some length");
  log_.flush();
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(home_ / "log")) {
    ++files;
    EXPECT_LE(entry.file_size(), 200u) << entry.path();
  }
  EXPECT_EQ(files, 3u);
  for (const char* name : {"log/maui.log", "log/maui.log.1", "log/maui.log.2"})
    EXPECT_TRUE(std::filesystem::exists(home_ / name)) << name;
}

TEST_F(LogTest, ALineAfterOneThatAFullDiskCutBeginsAnew) {
  ASSERT_TRUE(log_.open({}, home_.path()));
  log_.write(0, "fCORE", "whole");
  log_.flush();
  {
    const FullDisk full(std::filesystem::file_size(log_.path()) + 30);
    log_.write(0, "fCORE", "cut off");
    log_.flush();
    log_.write(0, "fCORE", "lost");
    log_.flush();
  }
  log_.write(0, "fCORE", "again whole");
  log_.write(0, "fCORE", "and so on");
  EXPECT_EQ(written(),
            "09/09 01:46:40 INFO:     whole\n09/09 01:46:40 INFO:     cut o\n"
            "09/09 01:46:40 WARNING:  2 lines are missing here, which could not be written: "
            "File too large\n"
            "09/09 01:46:40 INFO:     again whole\n09/09 01:46:40 INFO:     and so on\n");
}

TEST_F(LogTest, EveryLineThatAFullDiskDoesNotTakeIsCountedOnce) {
  ASSERT_TRUE(log_.open({}, home_.path()));
  log_.write(0, "fCORE", "before");
  for (int time = 0; time < 2; ++time) {
    const FullDisk full(std::filesystem::file_size(log_.path()));
    log_.write(0, "fCORE", "lost");
  }
  log_.write(0, "fCORE", "after");
  {
    const FullDisk full(std::filesystem::file_size(log_.path()));
    log_.write(0, "fCORE", "lost");
  }
  log_.write(0, "fCORE", "at last");
  EXPECT_EQ(written(),
            "09/09 01:46:40 INFO:     before\n"
            "09/09 01:46:40 WARNING:  2 lines are missing here, which could not be written: "
            "File too large\n"
            "09/09 01:46:40 INFO:     after\n"
            "09/09 01:46:40 WARNING:  1 line is missing here, which could not be written: "
            "File too large\n"
            "09/09 01:46:40 INFO:     at last\n");
}

TEST_F(LogTest, AFileThatEndsWithinALineGoesOnInANewOne) {
  std::filesystem::create_directories(home_ / "log");
  std::ofstream(home_ / "log/maui.log") << "cut o";
  ASSERT_TRUE(log_.open({}, home_.path()));
  log_.write(0, "fCORE", "whole");
  EXPECT_EQ(written(), "cut o\n09/09 01:46:40 INFO:     whole\n");
}

TEST_F(LogTest, BeginsAgainInItsOwnFileIfItCannotBeRolled) {
  LogSettings settings;
  settings.max_size = 200;
  ASSERT_TRUE(log_.open(settings, home_.path()));
  const auto many = [this] {
    for (int i = 0; i < 100; ++i) log_.write(0, "fCORE", "a line of some length");
    log_.flush();
  };
  for (const char* name : {"log/maui.log.1/in the way", "log/maui.log.2/in the way"})
    std::filesystem::create_directories(home_ / name);
  many();
  EXPECT_LE(std::filesystem::file_size(log_.path()), 200u);
  EXPECT_THAT(written(), testing::EndsWith("a line of some length\n"));
  settings.roll_depth = 0;
  log_.configure(settings);
  many();
  EXPECT_LE(std::filesystem::file_size(log_.path()), 200u);
  EXPECT_THAT(written(), testing::EndsWith("a line of some length\n"));
}

TEST_F(LogTest, GoesOnInAFileOfItsNameWhenItWasMovedAway) {
  ASSERT_TRUE(log_.open({}, home_.path()));
  log_.write(0, "fCORE", "first");
  const std::filesystem::path file = log_.path();
  std::filesystem::rename(file, file.string() + ".old");
  EXPECT_TRUE(log_.reopen());  // SIGHUP
  log_.write(0, "fCORE", "second");
  EXPECT_THAT(contents(file), HasSubstr("second"));
  EXPECT_THAT(contents(file.string() + ".old"), testing::Not(HasSubstr("second")));
  EXPECT_TRUE(log_.reopen());
  log_.write(0, "fCORE", "third");
  EXPECT_THAT(contents(file), HasSubstr("second")) << "one in its place is gone on with";
}

TEST_F(LogTest, IsMadeAgainWhenItIsGone) {
  ASSERT_TRUE(log_.open({}, home_.path()));
  std::filesystem::remove(log_.path());
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!std::filesystem::exists(log_.path()) && std::chrono::steady_clock::now() < end)
    log_.write(0, "fCORE", "is there anybody");
  EXPECT_THAT(contents(log_.path()), HasSubstr("is there anybody"));
}

TEST_F(LogTest, SaysSoWhenItsDirectoryIsGoneAndGoesOnWhenItIsThereAgain) {
  ASSERT_TRUE(log_.open({}, home_.path()));
  log_.write(0, "fCORE", "first");
  std::filesystem::remove_all(home_ / "log");
  testing::internal::CaptureStderr();
  const auto opened = log_.reopen();  // a reload
  log_.write(0, "fCORE", "second");
  const auto said = testing::internal::GetCapturedStderr();
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().what, testing::MatchesRegex("the log '.*/log/maui.log' cannot be "
                                                         "opened again, so it goes to standard "
                                                         "error: No such file or directory"));
  EXPECT_THAT(said, testing::MatchesRegex(".*ALERT: *the log .*\n.*INFO: *second\n"));
  std::filesystem::create_directory(home_ / "log");
  EXPECT_TRUE(log_.reopen());
  log_.write(0, "fCORE", "third");
  EXPECT_THAT(written(), testing::MatchesRegex(".*could be opened again\n.*third\n"));
}

TEST_F(LogTest, GoesOnInTheOldFileToo) {
  ASSERT_TRUE(log_.open({}, home_.path()));
  std::filesystem::rename(home_ / "log", home_ / "away");
  testing::internal::CaptureStderr();
  EXPECT_FALSE(log_.reopen());
  log_.write(0, "fCORE", "second");
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("second"));
  EXPECT_THAT(contents(home_ / "away/maui.log"), HasSubstr("second"));
}

TEST_F(LogTest, FollowsNoLink) {
  LogSettings settings;
  settings.directory = ".";
  std::ofstream(home_ / "victim") << "precious\n";
  std::filesystem::create_symlink("victim", home_ / settings.file);
  const auto opened = log_.open(settings, home_.path());
  EXPECT_FALSE(opened);
  EXPECT_EQ(contents(home_ / "victim"), "precious\n");
}

TEST_F(LogTest, APipeInItsPlaceKeepsNobodyWaiting) {
  LogSettings settings;
  settings.directory = ".";
  const auto pipe = home_ / settings.file;
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(log_.open(settings, home_.path()));
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  EXPECT_FALSE(log_.open(settings, home_.path()));
  ::close(reader);
}

TEST_F(LogTest, NoLineIsLongerThanALineMayBe) {
  ASSERT_TRUE(log_.open({}, home_.path()));
  log_.write(0, "fCORE", std::string(1'000'000, 'x'));
  EXPECT_LE(contents(log_.path()).size(), 4096U);
  EXPECT_THAT(contents(log_.path()), testing::EndsWith("xxx...\n"));
}

TEST_F(LogTest, NoNameInALineMovesTheCursorOfWhoReadsIt) {
  ASSERT_TRUE(log_.open({}, home_.path()));
  log_.write(0, "fCORE", "job 'a\x1b[2J\xC2\x9B\xE2\x80\xAE' ended\nforged");
  EXPECT_THAT(contents(log_.path()), HasSubstr("job 'a [2J?\?' ended forged\n"));
}

TEST_F(LogTest, SizeAndDepthMayChangeWhileItIsOpen) {
  LogSettings settings;
  ASSERT_TRUE(log_.open(settings, home_.path()));
  log_.write(0, "fCORE", "before");
  settings.max_size = 200;
  settings.roll_depth = 1;
  log_.configure(settings);
  for (int i = 0; i < 100; ++i) log_.write(0, "fCORE", "a line of some length");
  log_.flush();
  EXPECT_LE(std::filesystem::file_size(home_ / "log/maui.log"), 200u);
  EXPECT_TRUE(std::filesystem::exists(home_ / "log/maui.log.1"));
  EXPECT_FALSE(std::filesystem::exists(home_ / "log/maui.log.2"));
}

TEST_F(LogTest, SaysWhyItGoesToStandardErrorInstead) {
  LogSettings settings;
  settings.directory = "/dev/null/nowhere";
  const auto opened = log_.open(settings, home_.path());
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().what, HasSubstr("cannot open the log '/dev/null/nowhere/maui.log'"));
}

TEST(LockFileTest, ASecondInstanceIsRefusedWithThePid) {
  TemporaryDirectory home;
  {
    const auto first = LockFile::take(home / "maui.pid");
    ASSERT_TRUE(first);
    EXPECT_EQ(contents(home / "maui.pid"), std::to_string(::getpid()) + "\n");
    const auto second = LockFile::take(home / "maui.pid");
    ASSERT_FALSE(second);
    EXPECT_THAT(second.error().what, HasSubstr("already running"));
    EXPECT_THAT(second.error().what, HasSubstr("pid " + std::to_string(::getpid()) + ","));
  }
  EXPECT_FALSE(std::filesystem::exists(home / "maui.pid")) << "removed in the end";
  EXPECT_TRUE(LockFile::take(home / "maui.pid")) << "free again";
}

TEST(EndMarkTest, AStartWaitsWhileASchedulerOfTheSameHomeIsEnding) {
  constexpr std::chrono::hours kMost{1};
  TemporaryDirectory home, other;
  int waits = 0;
  const auto wait = [&](const TemporaryDirectory& directory, std::chrono::milliseconds most) {
    await_end(directory.path(), most, [&] { ++waits; });
  };
  auto mark = std::make_unique<EndMark>(home.path());
  wait(home, kMost);
  EXPECT_EQ(waits, 0) << "one that runs has no mark";
  mark->show();
  mark->show();
  wait(other, kMost);
  EXPECT_EQ(waits, 0) << "the mark names its home directory";
  wait(home, std::chrono::milliseconds(0));
  EXPECT_EQ(waits, 1) << "not for longer than it may";
  await_end(home.path(), kMost, [&] { mark.reset(); });
  wait(home, kMost);
  EXPECT_EQ(waits, 1) << "gone";
}

TEST(LockFileTest, NoSecondInstanceComesUpWhateverFilesAreDeleted) {
  TemporaryDirectory home;
  const auto first = LockFile::take(home / "maui.pid");
  ASSERT_TRUE(first);
  std::filesystem::remove(home / "maui.pid");
  const auto second = LockFile::take(home / "maui.pid");
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().what,
              HasSubstr(fmt::format("already running here (pid {}, command '", ::getpid())));
}

TEST(LockFileTest, HoldersOfLeasesAreManyAndKeepOutWhoKnowsOfNone) {
  const TemporaryDirectory home;
  constexpr auto kLeases = LockFile::With::holders_of_leases;
  {
    const auto first = LockFile::take(home / "maui.pid", kLeases);
    ASSERT_TRUE(first);
    EXPECT_TRUE(LockFile::take(home / "maui.pid", kLeases));
    EXPECT_FALSE(LockFile::take(home / "maui.pid"));
  }
  const auto alone = LockFile::take(home / "maui.pid");
  ASSERT_TRUE(alone);
  EXPECT_FALSE(LockFile::take(home / "maui.pid", kLeases));
}

void expect_no_obstacle(StrangersLock::Way way) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  TemporaryDirectory home;
  const StrangersLock other(home.path(), way);
  const auto lock = LockFile::take(home / "maui.pid");
  ASSERT_TRUE(lock) << lock.error().what;
  EXPECT_FALSE(lock->stranger().empty());
}

TEST(LockFileTest, ALockOfSomebodyWhoCanOnlyReadTheDirectoryDoesNotCount) {
  expect_no_obstacle(StrangersLock::Way::itself);
}

TEST(LockFileTest, NorDoesOneThatAChildKeepsWhenItsParentIsGone) {
  expect_no_obstacle(StrangersLock::Way::child);
}

TEST(LockFileTest, NorDoesOneThatAProgramOfRootsWasStartedWith) {
  expect_no_obstacle(StrangersLock::Way::set_user_id);
  expect_no_obstacle(StrangersLock::Way::standard_input);
}

TEST(LockFileTest, TheStrangerIsNamed) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  TemporaryDirectory home;
  const StrangersLock other(home.path());
  const auto lock = LockFile::take(home / "maui.pid");
  ASSERT_TRUE(lock);
  EXPECT_THAT(lock->stranger(), HasSubstr(fmt::format("process {} ('", other.process())));
}

TEST(LockFileTest, BesideAStrangersLockThereIsNoSecondInstanceEither) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  TemporaryDirectory home;
  StrangersLock other(home.path());
  auto first = LockFile::take(home / "maui.pid");
  ASSERT_TRUE(first);
  std::filesystem::remove(home / "maui.pid");
  const auto second = LockFile::take(home / "maui.pid");
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().what, HasSubstr(fmt::format("(pid {}, command '", ::getpid())));
  EXPECT_FALSE(std::filesystem::exists(home / "maui.pid")) << "it touches nothing";
  other.leave();
  EXPECT_FALSE(LockFile::take(home / "maui.pid")) << "although the directory's lock is free";
  const auto news = first->look_after();
  ASSERT_EQ(news.size(), 2U);
  EXPECT_THAT(news[0], HasSubstr("is locked"));
  EXPECT_THAT(news[1], HasSubstr("maui.pid' was missing, and has been made again"));
  EXPECT_EQ(first->stranger(), "");
  EXPECT_EQ(contents(home / "maui.pid"), std::to_string(::getpid()) + "\n");
  EXPECT_TRUE(first->look_after().empty());
  std::filesystem::remove(home / "maui.pid");
  EXPECT_FALSE(LockFile::take(home / "maui.pid")) << "now it has the directory's lock";
}

TEST(LockFileTest, ManyHoldersOfLeasesMayBeThereBesideAStrangersLock) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  TemporaryDirectory home;
  const StrangersLock other(home.path());
  constexpr auto kLeases = LockFile::With::holders_of_leases;
  const auto first = LockFile::take(home / "maui.pid", kLeases);
  ASSERT_TRUE(first);
  EXPECT_TRUE(LockFile::take(home / "maui.pid", kLeases));
  std::filesystem::remove(home / "maui.pid");
  EXPECT_FALSE(LockFile::take(home / "maui.pid"));
}

TEST(LockFileTest, ACheckpointIsOfOneHomeDirectoryWhateverFilesAreDeleted) {
  TemporaryDirectory one, other, elsewhere;
  const std::string checkpoint = elsewhere / "maui.ck";
  auto first = LockFile::take(one / "maui.pid", LockFile::With::holders_of_leases);
  auto second = LockFile::take(other / "maui.pid", LockFile::With::holders_of_leases);
  ASSERT_TRUE(first && second);
  ASSERT_TRUE(first->cover_checkpoint(checkpoint));
  EXPECT_TRUE(first->cover_checkpoint(checkpoint)) << "it has it already";
  std::filesystem::create_directory_symlink(elsewhere.path(), other / "link");
  for (const auto& path : {checkpoint, other / "link/maui.ck"}) {
    const auto refused = second->cover_checkpoint(path);
    ASSERT_FALSE(refused) << path;
    EXPECT_THAT(refused.error().what,
                testing::AllOf(HasSubstr(path), HasSubstr(fmt::format("(pid {}, ", ::getpid()))));
  }
  std::filesystem::remove_all(elsewhere.path());
  EXPECT_FALSE(second->cover_checkpoint(checkpoint));
  std::filesystem::create_directory(elsewhere.path());
  EXPECT_FALSE(second->cover_checkpoint(checkpoint));
  EXPECT_TRUE(second->cover_checkpoint(elsewhere / "other.ck")) << "the directory may be shared";
  auto next = LockFile::take(one / "maui.pid", LockFile::With::holders_of_leases);
  ASSERT_TRUE(next);
  EXPECT_TRUE(next->cover_checkpoint(checkpoint)) << "the lease decides in one home directory";
}

TEST(LockFileTest, ACheckpointIsFreeOnceAnotherIsUsed) {
  TemporaryDirectory one, other;
  auto first = LockFile::take(one / "maui.pid"), second = LockFile::take(other / "maui.pid");
  ASSERT_TRUE(first && second);
  ASSERT_TRUE(first->cover_checkpoint(one / "a.ck"));
  ASSERT_TRUE(second->cover_checkpoint(other / "b.ck"));
  EXPECT_FALSE(second->cover_checkpoint(one / "a.ck"));
  EXPECT_FALSE(first->cover_checkpoint(other / "b.ck")) << "the other keeps what it had";
  ASSERT_TRUE(first->cover_checkpoint(one / "c.ck"));
  EXPECT_TRUE(second->cover_checkpoint(one / "a.ck"));
}

TEST(LockFileTest, ProgramsDoNotInheritIt) {
  TemporaryDirectory home;
  const auto lock = LockFile::take(home / "maui.pid");
  ASSERT_TRUE(lock);
  for (const int file : lock->descriptors()) EXPECT_EQ(::fcntl(file, F_GETFD), FD_CLOEXEC) << file;
}

TEST(LockFileTest, AProcessThatBeginsAnewFindsWhatItHeld) {
  TemporaryDirectory home;
  const pid_t child = ::fork();
  if (child == 0) {
    const auto before = LockFile::take(home / "maui.pid");
    if (!before) ::_exit(2);
    for (const int file : before->descriptors()) ::fcntl(file, F_SETFD, 0);  // as before exec()
    const auto after = LockFile::take(home / "maui.pid");
    ::_exit(after && after->descriptors() == before->descriptors() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(LockFileTest, AHolderThatProcHidesIsNamed) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  constexpr int kUnable = 77;
  TemporaryDirectory home;
  std::filesystem::permissions(home.path(), std::filesystem::perms(0755));
  ASSERT_EQ(::chown(home.path().c_str(), 65533, 65533), 0);
  const StrangersLock other(home.path());
  const auto expected = fmt::format("process {} of another user has locked", other.process());
  const pid_t scheduler = ::fork();
  if (scheduler == 0) {
    if (::unshare(CLONE_NEWNS) != 0 ||
        ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("proc", "/proc", "proc", 0, "hidepid=2") != 0 || ::setgroups(0, nullptr) != 0 ||
        ::setgid(65533) != 0 || ::setuid(65533) != 0)
      ::_exit(kUnable);
    const auto lock = LockFile::take(home / "maui.pid");
    ::_exit(!lock && lock.error().what.find(expected) == 0 ? 0 : 1);
  }
  int status = 0;
  ::waitpid(scheduler, &status, 0);
  if (WEXITSTATUS(status) == kUnable) GTEST_SKIP() << "needs a mount of its own";
  EXPECT_EQ(status, 0);
}

// Anybody who opens it for reading can hold the lock.
TEST(LockFileTest, NobodyElseCanOpenTheFileEvenIfItWasReadable) {
  const TemporaryDirectory home;
  const auto path = home / "maui.pid";
  std::ofstream(path) << "1\n";
  ASSERT_EQ(::chmod(path.c_str(), 0644), 0);
  const auto lock = LockFile::take(path);
  ASSERT_TRUE(lock) << lock.error().what;
  struct stat about {};
  ASSERT_EQ(::stat(path.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600U);
}

TEST(LockFileTest, AFileThatWasPutInItsPlaceIsLeftAlone) {
  TemporaryDirectory home;
  {
    const auto first = LockFile::take(home / "maui.pid");
    ASSERT_TRUE(first);
    std::filesystem::remove(home / "maui.pid");
    std::ofstream(home / "maui.pid") << "77\n";
  }
  EXPECT_EQ(contents(home / "maui.pid"), "77\n");
}

TEST(LockFileTest, AnotherDirectoryInThePlaceOfTheHomeIsNoticed) {
  TemporaryDirectory parent;
  const std::filesystem::path home = parent / "home";
  std::filesystem::create_directory(home);
  const auto lock = LockFile::take(home / "maui.pid");
  ASSERT_TRUE(lock);
  EXPECT_FALSE(lock->home_replaced());
  std::filesystem::rename(home, parent / "old");
  EXPECT_FALSE(lock->home_replaced()) << "there is none in its place";
  std::filesystem::create_directory(home);
  EXPECT_TRUE(lock->home_replaced());
}

TEST(LockFileTest, AKilledSchedulersLockIsFree) {
  TemporaryDirectory home;
  const pid_t child = ::fork();
  if (child == 0) {
    const auto lock = LockFile::take(home / "maui.pid");
    ::_exit(lock ? 0 : 1);  // without giving it back
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(LockFile::take(home / "maui.pid"));
}

TEST(StatisticsFileTest, ASimulationAppendsRunAfterRunUnderOneHeader) {
  TemporaryDirectory home;
  for (const char* record : {"first", "second"}) {
    StatisticsFile file(home / "stats", ServerMode::simulation, "VERSION 230");
    ASSERT_TRUE(file.add(record, Time(5)));
    ASSERT_TRUE(file.flush());
  }
  EXPECT_EQ(contents(home / "stats/stats.sim"), "VERSION 230\nfirst\nsecond\n");
}

TEST(StatisticsFileTest, LiveOperationHasAFileADay) {
  ::setenv("TZ", "UTC", 1);
  ::tzset();
  TemporaryDirectory home;
  StatisticsFile file(home.path(), ServerMode::normal, "");
  const Time noon(1000036800);  // 2001-09-09 12:00:00
  ASSERT_TRUE(file.add("today", noon));
  ASSERT_TRUE(file.add("late", noon + Seconds(11 * 3600 + 3599)));
  ASSERT_TRUE(file.add("tomorrow", noon + Seconds(12 * 3600)));
  ASSERT_TRUE(file.flush());
  EXPECT_EQ(contents(home / "stats.2001_09_09"), "today\nlate\n");
  EXPECT_EQ(contents(home / "stats.2001_09_10"), "tomorrow\n");
}

TEST(StatisticsFileTest, AFileIsThereFromTheStartOn) {
  TemporaryDirectory home;
  StatisticsFile file(home.path(), ServerMode::normal, "VERSION 230");
  ASSERT_TRUE(file.prepare(Time(1000036800)));
  ASSERT_TRUE(file.flush());
  EXPECT_EQ(contents(home / "stats.2001_09_09"), "VERSION 230\n");
}

TEST(StatisticsFileTest, AFileThatWasMovedAwayIsBegunAnew) {
  TemporaryDirectory home;
  StatisticsFile file(home.path(), ServerMode::simulation, "VERSION 230");
  ASSERT_TRUE(file.add("first", Time(5)));
  ASSERT_TRUE(file.flush());
  std::filesystem::rename(home / "stats.sim", home / "moved");
  ASSERT_TRUE(file.add("second", Time(6)));
  ASSERT_TRUE(file.flush());
  EXPECT_EQ(contents(home / "moved"), "VERSION 230\nfirst\n");
  EXPECT_EQ(contents(home / "stats.sim"), "VERSION 230\nsecond\n");
}

TEST(StatisticsFileTest, SaysWhichFileCannotBeWritten) {
  StatisticsFile file("/dev/null/stats", ServerMode::simulation, "");
  const auto status = file.add("x", Time(0));
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().what, HasSubstr("'/dev/null/stats/stats.sim'"));
}

TEST(StatisticsFileTest, ARecordThatWasCutOffIsNotGluedToTheNext) {
  TemporaryDirectory home;
  std::ofstream(home / "stats.sim") << "VERSION 230\nfirst\nseco";
  StatisticsFile file(home.path(), ServerMode::simulation, "VERSION 230");
  ASSERT_TRUE(file.add("second", Time(5)));
  ASSERT_TRUE(file.flush());
  EXPECT_EQ(contents(home / "stats.sim"), "VERSION 230\nfirst\nsecond\n");
}

TEST(StatisticsFileTest, AFailedRecordIsWrittenWithTheNext) {
  TemporaryDirectory home;
  std::filesystem::create_directories(home / "stats/stats.sim");  // where the file is to be
  StatisticsFile file(home / "stats", ServerMode::simulation, "");
  EXPECT_FALSE(file.add("first", Time(5)));
  EXPECT_FALSE(file.flush());
  std::filesystem::remove(home / "stats/stats.sim");
  ASSERT_TRUE(file.add("second", Time(6)));
  ASSERT_TRUE(file.flush());
  EXPECT_EQ(contents(home / "stats/stats.sim"), "first\nsecond\n");
}

TEST(StatisticsFileTest, RecordsThatAreNotWrittenYetMoveToTheNewDirectory) {
  TemporaryDirectory home;
  std::filesystem::create_directories(home / "old/stats.sim");  // where the file is to be
  StatisticsFile file(home / "old", ServerMode::simulation, "");
  EXPECT_FALSE(file.add("first", Time(5)));
  EXPECT_TRUE(file.move_to(home / "new"));
  ASSERT_TRUE(file.prepare(Time(6)));
  ASSERT_TRUE(file.add("second", Time(6)));
  ASSERT_TRUE(file.flush());
  EXPECT_EQ(file.unwritten(), 0U);
  EXPECT_EQ(contents(home / "new/stats.sim"), "first\nsecond\n");
}

TEST(HistoryKeeperTest, LinesThatAreNotWrittenYetMoveToTheNewDirectory) {
  TemporaryDirectory home;
  std::ofstream(home / "old") << "a file in place of the directory";
  HistoryKeeper keeper(home / "old", ServerMode::simulation, [](const std::string&) {});
  keeper.begin();
  Cluster cluster;
  Job job;
  job.name = "over";
  job.submitted = job.queued = Time(1000);
  const JobId id = cluster.add_job(std::move(job), Request());
  cluster.end_job(id, JobState::removed, Time(2000));
  keeper.job_ended(cluster, id, 7);
  keeper.write();
  keeper.move_to(home / "new");
  keeper.write();
  EXPECT_THAT(contents(home / "new/history.sim"), HasSubstr("JOB over 1000 2000 7"));
}

// Its writer was killed before it wrote the record of the job.
TEST(HistoryKeeperTest, AnEndThatIsInTheFilesIsNotWrittenAgain) {
  TemporaryDirectory home;
  Cluster cluster;
  const auto end_job = [&](HistoryKeeper& keeper, const char* name, Time ended) {
    Job job;
    job.name = name;
    job.submitted = job.queued = Time(1000);
    const JobId id = cluster.add_job(std::move(job), Request());
    cluster.end_job(id, JobState::removed, ended);
    keeper.job_ended(cluster, id, 7);
    cluster.forget_job(id);
  };
  for (int scheduler = 0; scheduler < 2; ++scheduler) {
    HistoryKeeper keeper(home.path(), ServerMode::normal, [](const std::string&) {});
    keeper.begin();
    end_job(keeper, "over", Time(2000));
    if (scheduler == 1) end_job(keeper, "over", Time(2100));
    keeper.write();
  }
  std::string lines;
  for (const auto& file : std::filesystem::directory_iterator(home.path()))
    if (file.path().filename().string().starts_with("history.1970")) lines += contents(file.path());
  EXPECT_EQ(lines, "JOB over 1000 2000 7 -\nJOB over 1000 2100 7 -\n");
}

TEST(SecretFileTest, MakesASecretThatOnlyItsOwnerReadsAndReplacesNone) {
  TemporaryDirectory home;
  const auto path = home / "maui-private.cfg";
  ASSERT_TRUE(generate_secret(path));
  struct stat about {};
  ASSERT_EQ(::stat(path.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600u);
  const auto text = contents(path);
  const auto at = text.find("SECRET ");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(text.find_first_not_of("0123456789abcdef", at + 7) - (at + 7), 64u);
  const auto again = generate_secret(path);
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().what, HasSubstr("has a SECRET already"));
  EXPECT_EQ(contents(path), text);
}

TEST(SecretFileTest, WaitsForNoPipeInPlaceOfTheFile) {
  TemporaryDirectory home;
  const auto path = home / "maui-private.cfg";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const auto made = generate_secret(path);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().what, fmt::format("'{}' is not a regular file", path));
}

TEST(SecretFileTest, PutsNoSecretWhereOthersCanReadIt) {
  TemporaryDirectory home;
  const auto path = home / "maui-private.cfg";
  std::ofstream(path) << "CLIENTKEY[a] 5\n";
  ::chmod(path.c_str(), 0644);
  const auto made = generate_secret(path);
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().what, HasSubstr("expected mode 0600 or 0640"));
  EXPECT_EQ(contents(path), "CLIENTKEY[a] 5\n");
}

}  // namespace
}  // namespace maui
