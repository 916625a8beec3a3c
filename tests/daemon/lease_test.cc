// The lease: one of several schedulers has it, and who loses it knows.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/boot_time.h"
#include "base/fence.h"
#include "daemon/lease/lease_file.h"
#include "daemon/lease/lease_watch.h"
#include "daemon/lease/standby.h"
#include "daemon/temporary_directory.h"

namespace maui {
namespace {

using LeaseMs = std::chrono::milliseconds;
using LeaseSeconds = std::chrono::seconds;

LeaseRecord lease_record(std::int64_t generation, std::int64_t renewals = 0) {
  auto made = lease_of_this_process(generation, LeaseSeconds(8));
  made.renewals = renewals;
  made.renewed_at = "2026-11-23T12:00:00Z";  // two of the same are equal, whenever they were made
  return made;
}

std::optional<LeaseSeen> lease_seen(const LeaseRecord& record) {
  return LeaseSeen{record.generation, lease_text(record), record};
}

class LeaseFileTest : public testing::Test {
 protected:
  LeaseFileTest() { EXPECT_EQ(create_lease(home.path()).value(), true); }
  std::optional<LeaseSeen> look() {
    const auto seen = LeaseFile(path).look();
    EXPECT_TRUE(seen);
    return seen ? *seen : std::nullopt;
  }
  bool take(LeaseFile& store, const LeaseRecord& mine) {
    const auto taken = store.take(look(), mine);
    EXPECT_TRUE(taken);
    return taken && *taken;
  }
  static std::string outcome(const Result<Renewal>& renewal) {
    if (!renewal) return renewal.error().what;
    const char* const names[] = {"done", "contested", "lost"};
    return names[static_cast<int>(*renewal)];
  }
  TemporaryDirectory home;
  std::string path = home / "maui.lease";
};

TEST_F(LeaseFileTest, ARecordIsReadAsItWasWritten) {
  const auto known = parse_lease(lease_text(lease_record(7, 123)));
  ASSERT_TRUE(known);
  EXPECT_EQ(*known, lease_record(7, 123));
  auto damaged = lease_text(lease_record(7, 123));
  damaged[11] = '8';
  EXPECT_FALSE(parse_lease(damaged));
}

TEST_F(LeaseFileTest, TheFirstSchedulerTakesTheLeaseAndIsSeen) {
  EXPECT_EQ(look(), std::nullopt);
  LeaseFile first(path);
  ASSERT_TRUE(take(first, lease_record(1)));
  ASSERT_TRUE(look());
  EXPECT_EQ(look()->record, lease_record(1));
  EXPECT_EQ(outcome(first.renew(lease_record(1, 1))), "done");
  EXPECT_EQ(look()->record, lease_record(1, 1));
}

// Anybody who opens it for reading can hold a lock there, and nobody could take it over.
TEST_F(LeaseFileTest, NobodyElseCanOpenTheFileEvenIfItWasReadable) {
  std::ofstream(path).close();
  ASSERT_EQ(::chmod(path.c_str(), 0644), 0);
  LeaseFile store(path);
  ASSERT_TRUE(take(store, lease_record(1)));
  struct stat about {};
  ASSERT_EQ(::stat(path.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600U);
}

TEST_F(LeaseFileTest, ALeaseThatChangedSinceItWasSeenIsNotTaken) {
  LeaseFile first(path), second(path);
  ASSERT_TRUE(take(first, lease_record(1)));
  const auto before = look();
  ASSERT_EQ(outcome(first.renew(lease_record(1, 1))), "done");
  const auto taken = second.take(before, lease_record(2));
  ASSERT_TRUE(taken);
  EXPECT_FALSE(*taken);
  EXPECT_EQ(outcome(first.renew(lease_record(1, 2))), "done")
      << "the attempt has left nothing behind";
}

TEST_F(LeaseFileTest, OnlyOneSchedulerTakesAGeneration) {
  LeaseFile first(path), second(path);
  ASSERT_TRUE(take(first, lease_record(3)));
  const auto taken = second.take(look(), lease_record(3));
  ASSERT_TRUE(taken);
  EXPECT_FALSE(*taken);
}

TEST_F(LeaseFileTest, RenewingALostLeaseFailsAndChangesNothing) {
  LeaseFile first(path), second(path);
  ASSERT_TRUE(take(first, lease_record(1)));
  ASSERT_TRUE(take(second, lease_record(2)));
  EXPECT_EQ(outcome(first.renew(lease_record(1, 99))), "lost");
  EXPECT_EQ(look()->record, lease_record(2));
  EXPECT_EQ(outcome(second.renew(lease_record(2, 1))), "done");
}

TEST_F(LeaseFileTest, ALeaseTakenByAnEndedSchedulerIsLost) {
  LeaseFile first(path);
  ASSERT_TRUE(take(first, lease_record(1)));
  {
    LeaseFile second(path);
    ASSERT_TRUE(take(second, lease_record(2)));
  }
  EXPECT_EQ(outcome(first.renew(lease_record(1, 1))), "lost");
}

TEST_F(LeaseFileTest, ARenewalWhileSomebodyIsAboutToTakeItCountsForNothing) {
  LeaseFile first(path);
  ASSERT_TRUE(take(first, lease_record(1)));
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(file, 0);
  struct flock lock {};  // of the second line, where nothing stands yet
  lock.l_type = F_WRLCK;
  lock.l_start = 512;
  lock.l_len = 512;
  ASSERT_EQ(::fcntl(file, F_OFD_SETLK, &lock), 0);
  EXPECT_EQ(outcome(first.renew(lease_record(1, 1))), "contested");
  ::close(file);
  EXPECT_EQ(outcome(first.renew(lease_record(1, 2))), "done");
}

TEST_F(LeaseFileTest, TheLeaseIsLostWithItsFile) {
  LeaseFile first(path);
  ASSERT_TRUE(take(first, lease_record(4)));
  std::filesystem::remove(path);
  EXPECT_EQ(outcome(first.renew(lease_record(4, 1))), "lost");
  ASSERT_TRUE(create_lease(home.path()));
  LeaseFile second(path);
  ASSERT_TRUE(take(second, lease_record(1)));
  EXPECT_EQ(outcome(first.renew(lease_record(4, 2))), "lost");
}

TEST_F(LeaseFileTest, ADamagedRecordKeepsItsGeneration) {
  {
    LeaseFile first(path);
    ASSERT_TRUE(take(first, lease_record(2)));
  }
  std::fstream(path, std::ios::in | std::ios::out).seekp(512 + 3).put('?');
  ASSERT_TRUE(look());
  EXPECT_EQ(look()->generation, 2);
  EXPECT_FALSE(look()->record);
}

TEST_F(LeaseFileTest, WhetherItCouldBeTakenIsKnownBefore) {
  LeaseFile store(path);
  ASSERT_TRUE(take(store, lease_record(1)));
  EXPECT_TRUE(store.writable());
  const LeaseFile elsewhere(home / "gone/maui.lease");
  EXPECT_FALSE(elsewhere.writable());
}

TEST_F(LeaseFileTest, ItIsMadeOnceAndKeepsWhatIsThere) {
  EXPECT_TRUE(LeaseFile(path).prepared());
  LeaseFile first(path);
  ASSERT_TRUE(take(first, lease_record(1)));
  EXPECT_EQ(create_lease(home.path()).value(), false);
  EXPECT_EQ(look()->record, lease_record(1));
  EXPECT_FALSE(create_lease(home / "gone"));
}

// As a directory is that the hosts share, while it is not mounted.
TEST_F(LeaseFileTest, ADirectoryThatNobodyHasMadeReadyIsNotSharedAndNothingIsMadeThere) {
  std::filesystem::remove(path);
  LeaseFile store(path);
  ASSERT_FALSE(store.prepared());
  EXPECT_THAT(store.prepared().error().what, testing::HasSubstr("mounted here"));
  EXPECT_FALSE(store.look());
  EXPECT_FALSE(store.take(std::nullopt, lease_record(1)));
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(LeaseFileTest, AHolderIsGoneWhenItsProcessAndItsLockAre) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    LeaseFile first(path);
    const auto taken = first.take(std::nullopt, lease_record(1));
    [[maybe_unused]] const auto written = ::write(ready[1], taken && *taken ? "y" : "n", 1);
    ::pause();
  }
  char word = 0;
  ASSERT_EQ(::read(ready[0], &word, 1), 1);
  ASSERT_EQ(word, 'y');
  LeaseFile store(path);
  const auto holder = look()->record;
  ASSERT_TRUE(holder);
  EXPECT_FALSE(store.holder_is_gone(*holder));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(store.holder_is_gone(*holder));
  auto elsewhere = *holder;
  elsewhere.boot = "another machine's";
  EXPECT_FALSE(store.holder_is_gone(elsewhere));
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST(LeaseWatchTest, ALeaseThatDoesNotChangeIsOverAfterItsTime) {
  using Verdict = LeaseWatch::Verdict;
  LeaseWatch watch(LeaseSeconds(8));
  EXPECT_EQ(watch.look(lease_seen(lease_record(1, 1)), LeaseSeconds(100)), Verdict::unknown);
  EXPECT_EQ(watch.look(lease_seen(lease_record(1, 1)), LeaseMs(107'999)), Verdict::unknown);
  EXPECT_EQ(watch.look(lease_seen(lease_record(1, 1)), LeaseSeconds(108)), Verdict::over);
}

TEST(LeaseWatchTest, EachSignOfLifeBeginsTheTimeAnew) {
  using Verdict = LeaseWatch::Verdict;
  LeaseWatch watch(LeaseSeconds(8));
  watch.look(lease_seen(lease_record(1, 1)), LeaseSeconds(100));
  EXPECT_EQ(watch.look(lease_seen(lease_record(1, 2)), LeaseSeconds(107)), Verdict::alive);
  EXPECT_EQ(watch.look(lease_seen(lease_record(1, 2)), LeaseSeconds(114)), Verdict::alive);
  EXPECT_EQ(watch.look(lease_seen(lease_record(1, 2)), LeaseSeconds(115)), Verdict::over);
}

TEST(LeaseWatchTest, AHolderThatHasMoreTimeGetsIt) {
  using Verdict = LeaseWatch::Verdict;
  LeaseWatch watch(LeaseSeconds(2));  // the record says 8
  watch.look(lease_seen(lease_record(1, 1)), LeaseSeconds(100));
  EXPECT_EQ(watch.look(lease_seen(lease_record(1, 1)), LeaseSeconds(107)), Verdict::unknown);
  EXPECT_EQ(watch.look(lease_seen(lease_record(1, 1)), LeaseSeconds(108)), Verdict::over);
}

TEST(LeaseWatchTest, AReleasedLeaseIsOverAtOnce) {
  auto released = lease_record(1, 1);
  released.released = true;
  LeaseWatch watch(LeaseSeconds(8));
  EXPECT_EQ(watch.look(lease_seen(released), LeaseSeconds(100)), LeaseWatch::Verdict::over);
}

// Its file may have been removed under the hands of one that has it.
TEST(LeaseWatchTest, AMissingLeaseIsWaitedForToo) {
  using Verdict = LeaseWatch::Verdict;
  LeaseWatch watch(LeaseSeconds(8));
  EXPECT_EQ(watch.look(std::nullopt, LeaseSeconds(100)), Verdict::unknown);
  EXPECT_EQ(watch.look(std::nullopt, LeaseSeconds(108)), Verdict::over);
}

class LeaseKeeperTest : public testing::Test {
 protected:
  LeaseKeeperTest() { EXPECT_TRUE(create_lease(home.path())); }
  ~LeaseKeeperTest() override { remove_fence(); }
  std::unique_ptr<LeaseKeeper> take(bool stand_by, Seconds time = Seconds(2)) {
    LeaseTerms terms;
    terms.stand_by = stand_by;
    terms.time = time;
    terms.at_least = [this] { return at_least; };
    terms.waiting = [this] { ++waited; };
    terms.elsewhere = [this] { return answers; };
    auto taken = take_lease(std::make_unique<LeaseFile>(path), terms);
    if (taken) return *std::move(taken);
    refused = taken.error().what;
    return nullptr;
  }
  TemporaryDirectory home;
  std::string path = home / "maui.lease";
  std::int64_t at_least = 0;
  std::atomic<int> waited = 0;
  std::string answers;  // a place at which a scheduler is
  std::string refused;
};

TEST_F(LeaseKeeperTest, ItIsRenewedAndReleasedAndTheNextHasTheNextGeneration) {
  {
    const auto first = take(false);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->generation(), 1);
    EXPECT_TRUE(fence_is_open());
    for (std::int64_t renewals = 0; renewals < 3; std::this_thread::sleep_for(LeaseMs(10))) {
      const auto seen = LeaseFile(path).look();
      if (seen && *seen && (*seen)->record) renewals = (*seen)->record->renewals;
    }
  }
  EXPECT_FALSE(fence_is_open());
  const auto second = take(false, Seconds(600));  // what was released is taken at once
  ASSERT_TRUE(second);
  EXPECT_EQ(second->generation(), 2);
  EXPECT_TRUE(fence_is_open());
}

TEST_F(LeaseKeeperTest, AGenerationIsAboveThoseOfCheckpoints) {
  at_least = 41;
  const auto first = take(false);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->generation(), 42);
}

TEST_F(LeaseKeeperTest, WithoutStandbyASchedulerIsRefusedWhileAnotherIsAlive) {
  const auto first = take(false);
  ASSERT_TRUE(first);
  EXPECT_FALSE(take(false));
  EXPECT_THAT(refused, testing::HasSubstr("a scheduler is already running here"));
  EXPECT_THAT(refused, testing::HasSubstr("generation 1"));
}

TEST_F(LeaseKeeperTest, NoLeaseIsTakenWhileASchedulerWithoutALeaseAnswers) {
  answers = "head:40559";
  EXPECT_FALSE(take(true, Seconds(1)));
  EXPECT_THAT(refused, testing::HasSubstr("a scheduler answers at head:40559"));
  EXPECT_EQ(std::filesystem::file_size(path), 0);
  answers.clear();
  EXPECT_TRUE(take(true, Seconds(1)));
}

TEST_F(LeaseKeeperTest, NobodySchedulesInAnUnpreparedDirectory) {
  std::filesystem::remove(path);
  for (const bool stand_by : {false, true}) {
    EXPECT_FALSE(take(stand_by));
    EXPECT_THAT(refused, testing::HasSubstr("missing lease"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(LeaseKeeperTest, AStandbyDoesNotTakeOverInAnUnmountedDirectory) {
  LeaseFile other(path);
  auto of_other = lease_record(1);
  of_other.time = LeaseSeconds(1);
  ASSERT_TRUE(other.take(std::nullopt, of_other));
  std::unique_ptr<LeaseKeeper> second;
  std::thread standby([&] { second = take(true, Seconds(1)); });
  for (; waited == 0; std::this_thread::sleep_for(LeaseMs(20))) {
    ++of_other.renewals;
    EXPECT_TRUE(other.renew(of_other));
  }
  const std::string away = home / "away";
  std::filesystem::rename(path, away);
  std::this_thread::sleep_for(LeaseSeconds(2));  // longer than the lease
  EXPECT_FALSE(std::filesystem::exists(path)) << "a second lease was made";
  std::filesystem::rename(away, path);
  standby.join();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->generation(), 2);
}

TEST_F(LeaseKeeperTest, ASchedulerThatAnswersMayHaveTakenTheLeaseMeanwhile) {
  LeaseFile other(path);
  auto of_other = lease_record(1);
  LeaseTerms terms;
  terms.stand_by = true;
  terms.time = Seconds(1);
  terms.at_least = [] { return 0; };
  terms.elsewhere = [&] {
    const auto taken = other.take(std::nullopt, of_other);
    EXPECT_TRUE(taken && *taken);
    return std::string("head:40559");
  };
  terms.waiting = [&] {
    of_other.released = true;
    EXPECT_TRUE(other.renew(of_other));
  };
  const auto mine = take_lease(std::make_unique<LeaseFile>(path), terms);
  ASSERT_TRUE(mine);
  EXPECT_EQ((*mine)->generation(), 2);
}

TEST_F(LeaseKeeperTest, ARestartedSchedulerLeavesItsReleasedLeaseToAStandby) {
  ASSERT_TRUE(take(false));  // and released
  const auto begun = boot_time();
  ASSERT_TRUE(take(true, Seconds(4)));
  EXPECT_GE(boot_time() - begun, LeaseSeconds(1));
}

/// A lease that was released, on a disk that can be read and not be written to.
class ReadOnlyLease final : public LeaseStore {
 public:
  Status prepared() const override { return Done{}; }
  Result<std::optional<LeaseSeen>> look() override {
    auto record = lease_record(1);
    record.released = true;
    record.host = "elsewhere";
    return lease_seen(record);
  }
  Result<bool> take(const std::optional<LeaseSeen>&, const LeaseRecord&) override {
    if (++tried_ == 4) ::pthread_kill(::pthread_self(), SIGTERM);
    return Error{"Read-only file system"};
  }
  Result<Renewal> renew(const LeaseRecord&) override { return Renewal::lost; }
  Status writable() const override { return Error{"Read-only file system"}; }
  bool holder_is_gone(const LeaseRecord&) override { return false; }

 private:
  int tried_ = 0;
};

TEST_F(LeaseKeeperTest, AFailureToTakeTheLeaseIsReportedOnce) {
  LeaseTerms terms;
  terms.stand_by = true;
  terms.time = Seconds(1);
  terms.at_least = [] { return 0; };
  testing::internal::CaptureStderr();
  const auto taken = take_lease(std::make_unique<ReadOnlyLease>(), terms);
  const auto said = testing::internal::GetCapturedStderr();
  ASSERT_TRUE(taken);
  EXPECT_FALSE(*taken);
  EXPECT_EQ(said, "ALERT:    Read-only file system\n");
}

TEST_F(LeaseKeeperTest, AStandbyTakesAReleasedLeaseAtOnce) {
  auto first = take(false);
  ASSERT_TRUE(first);
  // A quarter of 600 s would be longer than any test.
  std::thread release([&] {
    while (waited == 0) std::this_thread::sleep_for(LeaseMs(5));
    first.reset();
  });
  const auto second = take(true, Seconds(600));
  release.join();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->generation(), 2);
}

TEST_F(LeaseKeeperTest, AProcessWhoseLeaseAnotherHasEnds) {
  EXPECT_EXIT(
      {
        const auto first = take(false);
        LeaseFile second(path);
        for (bool taken = false; !taken;) {  // unless it is renewed between the look and this
          const auto seen = second.look();
          const auto done = second.take(*seen, lease_record(2));
          taken = done && *done;
        }
        std::this_thread::sleep_for(LeaseSeconds(60));
      },
      testing::ExitedWithCode(kLeaseLost),
      "generation 1 of the lease is over, .* has it .*generation 2.*writes nothing more");
}

}  // namespace
}  // namespace maui
