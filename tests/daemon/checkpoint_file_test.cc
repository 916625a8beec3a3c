// The checkpoint on disk: whole, checked, and the one before it beside it.
#include "daemon/files/checkpoint_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "daemon/temporary_directory.h"

namespace maui {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CheckpointFileTest : public testing::Test {
 protected:
  /// The text that is used; empty: none can be.
  std::string read(const std::string& not_understood = "-") {
    std::string used;
    const auto reader = [&](const std::string& text) -> Status {
      if (text == not_understood) return Error{"it is gibberish"};
      used = text;
      return Done{};
    };
    found = file.read(reader, [this](const std::string& line) { logged.push_back(line); });
    return used;
  }
  void damage(const std::string& path) {
    std::fstream bytes(path, std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(-1, std::ios::end);
    bytes.put('!');
  }
  TemporaryDirectory home;
  CheckpointFile file{home / "maui.ck"};
  std::vector<std::string> logged;
  CheckpointFile::Found found = CheckpointFile::Found::none;
};

TEST_F(CheckpointFileTest, ReadsTheLastCheckpointWritten) {
  ASSERT_TRUE(file.write("one\n"));
  ASSERT_TRUE(file.write("two\n"));
  EXPECT_EQ(read(), "two\n");
  EXPECT_THAT(logged, testing::IsEmpty());
}

TEST_F(CheckpointFileTest, ADamagedCheckpointIsSetAsideAndThePreviousUsed) {
  ASSERT_TRUE(file.write("one\n"));
  ASSERT_TRUE(file.write("two\n"));
  damage(home / "maui.ck");
  EXPECT_EQ(read(), "one\n");
  EXPECT_EQ(found, CheckpointFile::Found::previous);
  EXPECT_THAT(logged, ElementsAre(HasSubstr("it is damaged"), HasSubstr("was renamed to")));
  EXPECT_TRUE(std::filesystem::exists(home / "maui.ck.unread.1"));
  EXPECT_FALSE(std::filesystem::exists(home / "maui.ck"));
}

TEST_F(CheckpointFileTest, AnOlderOneIsToldApart) {
  ASSERT_TRUE(file.write("one\n"));
  ASSERT_TRUE(file.write("two\n"));
  EXPECT_EQ(read(), "two\n");
  EXPECT_EQ(found, CheckpointFile::Found::used);
  std::filesystem::remove(home / "maui.ck");
  EXPECT_EQ(read(), "one\n");
  EXPECT_EQ(found, CheckpointFile::Found::previous);
}

TEST_F(CheckpointFileTest, AnUnparsableCheckpointIsSetAside) {
  ASSERT_TRUE(file.write("one\n"));
  ASSERT_TRUE(file.write("two\n"));
  EXPECT_EQ(read("two\n"), "one\n");
  EXPECT_THAT(logged, ElementsAre(HasSubstr("it is gibberish"), HasSubstr("was renamed to")));
}

// It has nothing of this scheduler's: the scheduler is new, and starts jobs.
TEST_F(CheckpointFileTest, ACheckpointOfRelease33IsSetAside) {
  const std::string path = home / "maui.ck";
  for (const auto* first :
       {"Sched                    [NONE] 1796055288 <sched/>\nSys  MAUI 1796055288 <sys/>\n",
        "SCHED SCHED 1130000000 <sched></sched>\n", "SYS  MAUI 1130000000 <sys/>"}) {
    std::ofstream(home / "maui.ck") << first;
    const auto note = set_aside_checkpoint_of_3_3(path);
    ASSERT_TRUE(note) << first;
    EXPECT_THAT(*note, HasSubstr("was renamed to '" + path + ".3.3"));
    EXPECT_FALSE(set_aside_checkpoint_of_3_3(path));
    EXPECT_EQ(read(), "");
    EXPECT_EQ(found, CheckpointFile::Found::none);
    EXPECT_FALSE(file.remains());
  }
  for (const auto* aside : {"maui.ck.3.3", "maui.ck.3.3.1", "maui.ck.3.3.2"})
    EXPECT_TRUE(std::filesystem::exists(home / aside)) << aside;
  EXPECT_THAT(logged, testing::IsEmpty());
}

// A site has tried this scheduler, gone back to release 3.3, and tries again.
TEST_F(CheckpointFileTest, FilesOlderThanACheckpointOfRelease33AreSetAsideWithIt) {
  ASSERT_TRUE(file.write("{}\n"));
  ASSERT_TRUE(file.write("{}\n"));
  ASSERT_TRUE(std::filesystem::exists(home / "maui.ck.old"));
  std::ofstream(home / "maui.ck") << "Sched MAUI 1796055288 <sched/>\n";
  const auto note = set_aside_checkpoint_of_3_3(home / "maui.ck");
  ASSERT_TRUE(note);
  EXPECT_THAT(*note, HasSubstr("so was what this scheduler had left before it"));
  EXPECT_EQ(read(), "");
  EXPECT_EQ(found, CheckpointFile::Found::none);
  EXPECT_TRUE(std::filesystem::exists(home / "maui.ck.3.3.before.old"));
}

TEST_F(CheckpointFileTest, ADamagedCheckpointIsNotTakenForOneOfRelease33) {
  const std::string path = home / "maui.ck";
  EXPECT_FALSE(set_aside_checkpoint_of_3_3(path)) << "no file";
  ASSERT_TRUE(file.write("{\"jobs\":[],\n\"ended\":[]}\n"));
  EXPECT_FALSE(set_aside_checkpoint_of_3_3(path));
  std::string text;
  std::getline(std::ifstream(home / "maui.ck"), text, '\0');
  for (std::size_t at = 0; at < text.size(); ++at)
    for (const auto& damaged :
         {text.substr(at), text.substr(0, at), std::string(at, '\0') + text.substr(at)}) {
      std::ofstream(home / "maui.ck") << damaged;
      EXPECT_FALSE(set_aside_checkpoint_of_3_3(path)) << damaged;
    }
  for (const auto* other : {"Sched\n", "Sched [NONE] 17\n", "Sched [NONE] then <sched/>\n", "\n"}) {
    std::ofstream(home / "maui.ck") << other;
    EXPECT_FALSE(set_aside_checkpoint_of_3_3(path)) << other;
    EXPECT_EQ(read(), "");
    EXPECT_EQ(found, CheckpointFile::Found::unusable) << other;
  }
}

TEST_F(CheckpointFileTest, ATruncatedCheckpointIsDamaged) {
  ASSERT_TRUE(file.write("a long text\n"));
  std::filesystem::resize_file(home / "maui.ck", 100);
  EXPECT_EQ(read(), "");
  EXPECT_EQ(logged.size(), 1U);
}

TEST_F(CheckpointFileTest, AnEmptyFileIsNoCheckpoint) {
  ASSERT_TRUE(file.write("one\n"));
  ASSERT_TRUE(file.write("two\n"));
  std::ofstream(home / "maui.ck").flush();
  EXPECT_EQ(read(), "one\n");
  EXPECT_THAT(logged, ElementsAre(HasSubstr("not a checkpoint"), HasSubstr("was renamed to")));
}

// A pipe would keep the scheduler waiting for ever.
TEST_F(CheckpointFileTest, OnlyRegularFilesAreRead) {
  ASSERT_EQ(::mkfifo((home / "maui.ck").c_str(), 0600), 0);
  std::filesystem::create_directory(home / "maui.ck.old");
  EXPECT_EQ(read(), "");
  EXPECT_EQ(found, CheckpointFile::Found::unusable);
  EXPECT_THAT(logged, testing::Each(HasSubstr("not a regular file")));
  EXPECT_EQ(logged.size(), 2U);
}

// On a disk that is not there today, say: else the scheduler would take itself for the first.
TEST_F(CheckpointFileTest, ALinkThatLeadsNowhereIsNotNothing) {
  std::filesystem::create_symlink("/nowhere/maui.ck", home / "maui.ck");
  EXPECT_EQ(read(), "");
  EXPECT_EQ(found, CheckpointFile::Found::unusable);
}

// Else the next start would find none, and take itself for the first.
TEST_F(CheckpointFileTest, UnusableCheckpointsStayUntilTheyAreSetAside) {
  ASSERT_TRUE(file.write("one\n"));
  ASSERT_TRUE(file.write("two\n"));
  damage(home / "maui.ck");
  damage(home / "maui.ck.old");
  for (int start = 0; start < 2; ++start) {
    EXPECT_EQ(read(), "");
    EXPECT_EQ(found, CheckpointFile::Found::unusable);
  }
  file.set_aside([](const std::string&) {});
  EXPECT_EQ(read(), "");
  EXPECT_EQ(found, CheckpointFile::Found::none);
  EXPECT_TRUE(std::filesystem::exists(home / "maui.ck.unread.1"));
  EXPECT_TRUE(std::filesystem::exists(home / "maui.ck.old.unread.1"));
}

TEST_F(CheckpointFileTest, ACheckpointWithoutReadPermissionIsReportedAndSetAside) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  ASSERT_TRUE(file.write("one\n"));
  ASSERT_TRUE(file.write("two\n"));
  std::filesystem::permissions(home / "maui.ck", std::filesystem::perms::none);
  EXPECT_EQ(read(), "one\n");
  EXPECT_THAT(logged, ElementsAre(HasSubstr("it cannot be read: Permission denied"),
                                  HasSubstr("was renamed to")));
}

// The power may fail while the next one is written.
TEST_F(CheckpointFileTest, TheOldCheckpointStaysUntilAnotherReplacesIt) {
  ASSERT_TRUE(file.write("one\n"));
  ASSERT_TRUE(file.write("two\n"));
  std::filesystem::remove(home / "maui.ck");
  ASSERT_TRUE(file.write("three\n"));
  std::filesystem::remove(home / "maui.ck");
  EXPECT_EQ(read(), "one\n");
}

TEST_F(CheckpointFileTest, AFileThatIsFarTooLargeIsNotRead) {
  ASSERT_TRUE(file.write("one\n"));
  ASSERT_TRUE(file.write("two\n"));
  std::filesystem::resize_file(home / "maui.ck", std::uintmax_t{1} << 40);  // a hole, not data
  EXPECT_EQ(read(), "one\n");
  EXPECT_THAT(logged[0], HasSubstr("it has 1099511627776 bytes: expected at most 1073741824"));
}

TEST_F(CheckpointFileTest, AMissingCheckpointIsNotReported) {
  EXPECT_EQ(read(), "");
  EXPECT_EQ(found, CheckpointFile::Found::none);
  EXPECT_THAT(logged, testing::IsEmpty());
}

TEST_F(CheckpointFileTest, OnlyItsOwnerMayReadIt) {
  ASSERT_TRUE(file.write("one\n"));
  using std::filesystem::perms;
  EXPECT_EQ(std::filesystem::status(home / "maui.ck").permissions() & perms::all,
            perms::owner_read | perms::owner_write);
}

TEST_F(CheckpointFileTest, RoomIsTakenBeforeTheTextIsMade) {
  ASSERT_TRUE(file.write("one\n"));
  ASSERT_TRUE(file.make_room(100'000));
  EXPECT_GE(std::filesystem::file_size(home / "maui.ck.new"), 100'000U);
  ASSERT_TRUE(file.write("two\n"));
  EXPECT_FALSE(std::filesystem::exists(home / "maui.ck.new"));
  EXPECT_LT(std::filesystem::file_size(home / "maui.ck"), 1000U);
  EXPECT_EQ(read(), "two\n");
}

TEST_F(CheckpointFileTest, MakesItsDirectory) {
  CheckpointFile deeper(home / "new/directory/maui.ck");
  ASSERT_TRUE(deeper.make_room(100'000));
  std::filesystem::remove_all(home / "new");
  ASSERT_TRUE(deeper.write("one\n"));
  EXPECT_GT(std::filesystem::file_size(home / "new/directory/maui.ck"), 4U);
  std::ofstream(home / "file") << "no directory";
  EXPECT_FALSE(CheckpointFile(home / "file/maui.ck").make_room(100'000));
}

TEST_F(CheckpointFileTest, RoomIsTakenForAsMuchAsTheTextThatWasRead) {
  ASSERT_TRUE(file.write(std::string(200'000, 'x')));
  CheckpointFile next(home / "maui.ck");
  const auto understood = [](const std::string&) { return Status(Done{}); };
  ASSERT_EQ(next.read(understood, [](const std::string&) {}), CheckpointFile::Found::used);
  ASSERT_TRUE(next.make_room(1000));
  EXPECT_GE(std::filesystem::file_size(home / "maui.ck.new"), 201'000U);
}

TEST_F(CheckpointFileTest, ThatItsPlaceIsTakenIsKnownBeforehand) {
  ASSERT_TRUE(file.write("one\n"));
  std::filesystem::remove(home / "maui.ck");
  std::filesystem::create_directory(home / "maui.ck");
  const auto room = file.make_room(1000);
  ASSERT_FALSE(room);
  EXPECT_NE(room.error().what.find("not a regular file"), std::string::npos) << room.error().what;
  std::filesystem::remove(home / "maui.ck");
  EXPECT_TRUE(file.make_room(1000));
}

TEST_F(CheckpointFileTest, ALackOfSpaceIsKnownBeforehand) {
  ASSERT_TRUE(file.write("one\n"));
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit full{50'000, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &full);
  const auto none = file.make_room(100'000);
  ::setrlimit(RLIMIT_FSIZE, &before);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().what, HasSubstr("cannot allocate space for"));
  EXPECT_FALSE(std::filesystem::exists(home / "maui.ck.new"));
  EXPECT_EQ(read(), "one\n");
}

TEST_F(CheckpointFileTest, AFailedWriteLeavesTheOldCheckpoint) {
  ASSERT_TRUE(file.write("one\n"));
  std::filesystem::create_directory(home / "maui.ck.new");
  const auto failed = file.write("two\n");
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().what, HasSubstr("maui.ck.new"));
  EXPECT_EQ(read(), "one\n");
}

TEST_F(CheckpointFileTest, AnOlderGenerationNeverReplacesANewer) {
  ASSERT_TRUE(file.write("without a lease\n"));
  CheckpointFile third(home / "maui.ck", 3), fourth(home / "maui.ck", 4);
  ASSERT_TRUE(third.write("of the third\n"));
  EXPECT_EQ(read(), "of the third\n");
  ASSERT_TRUE(fourth.write("of the fourth\n"));
  ASSERT_TRUE(third.write("of the third, too late\n"));
  EXPECT_EQ(read(), "of the fourth\n");
  EXPECT_EQ(CheckpointFile::newest_generation(home / "maui.ck"), 4);
}

TEST_F(CheckpointFileTest, TheGenerationBeforeIsKeptInCaseThatTheNewestIsDamaged) {
  for (const int generation : {1, 2, 3})
    ASSERT_TRUE(
        CheckpointFile(home / "maui.ck", generation).write(fmt::format("of {}\n", generation)));
  EXPECT_FALSE(std::filesystem::exists(home / "maui.ck.g1"));
  damage(home / "maui.ck.g3");
  EXPECT_EQ(read(), "of 2\n");
  EXPECT_EQ(found, CheckpointFile::Found::previous);
}

TEST_F(CheckpointFileTest, WithoutALeaseTheNewestGenerationIsReadAndLaterRemoved) {
  ASSERT_TRUE(file.write("old\n"));
  ASSERT_TRUE(CheckpointFile(home / "maui.ck", 7).write("of 7\n"));
  CheckpointFile next(home / "maui.ck");
  EXPECT_EQ(read(), "of 7\n");
  ASSERT_TRUE(next.write("new\n"));
  EXPECT_EQ(read(), "new\n");
  EXPECT_EQ(CheckpointFile::newest_generation(home / "maui.ck"), 0);
}

}  // namespace
}  // namespace maui
