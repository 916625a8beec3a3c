// The requests since the last checkpoint: on the disk, and void beside any other checkpoint.
#include "daemon/files/request_journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "daemon/temporary_directory.h"

namespace maui {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class RequestJournalTest : public testing::Test {
 protected:
  /// A scheduler: it reads the checkpoint and the starts since then.
  struct Scheduler {
    explicit Scheduler(const std::string& path, std::int64_t generation = 0)
        : file(path, generation) {
      const auto log = [this](const std::string& line) { logged.push_back(line); };
      file.read([](const std::string&) -> Status { return Done{}; }, log);
      found = starts.read(file, log);
    }
    Status add(const std::vector<std::string>& jobs) { return starts.add(file, jobs); }
    CheckpointFile file;
    RequestJournal starts;
    std::vector<std::string> found, logged;
  };

  std::string text() const {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  TemporaryDirectory home;
  const std::string checkpoint = home / "maui.ck", path = home / "maui.ck.starts";
};

TEST_F(RequestJournalTest, TheNextSchedulerFindsTheStartsSinceTheCheckpoint) {
  Scheduler first(checkpoint);
  ASSERT_TRUE(first.file.write("one"));
  ASSERT_TRUE(first.add({"{\"a\"}", "{\"b\"}"}));
  ASSERT_TRUE(first.add({"{\"c\"}"}));
  const Scheduler second(checkpoint);
  EXPECT_THAT(second.found, ElementsAre("{\"a\"}", "{\"b\"}", "{\"c\"}"));
  EXPECT_THAT(second.logged, IsEmpty());
}

TEST_F(RequestJournalTest, AFileThatWasRemovedIsWrittenWhole) {
  Scheduler first(checkpoint);
  ASSERT_TRUE(first.file.write("one"));
  ASSERT_TRUE(first.add({"a"}));
  std::filesystem::remove(path);
  ASSERT_TRUE(first.add({"b"}));
  EXPECT_THAT(Scheduler(checkpoint).found, ElementsAre("a", "b"));
}

TEST_F(RequestJournalTest, ALaterCheckpointMakesThemVoid) {
  Scheduler first(checkpoint);
  ASSERT_TRUE(first.file.write("one"));
  ASSERT_TRUE(first.add({"a"}));
  ASSERT_TRUE(first.file.write("two"));
  EXPECT_THAT(Scheduler(checkpoint).found, IsEmpty());
  ASSERT_TRUE(first.add({"b"}));
  EXPECT_THAT(Scheduler(checkpoint).found, ElementsAre("b"));
}

TEST_F(RequestJournalTest, TheyStayThroughRestartsUntilThereIsACheckpoint) {
  Scheduler first(checkpoint);
  ASSERT_TRUE(first.file.write("one"));
  ASSERT_TRUE(first.add({"a"}));
  Scheduler second(checkpoint);
  ASSERT_TRUE(second.add({"b"}));
  Scheduler third(checkpoint);
  EXPECT_THAT(third.found, ElementsAre("a", "b"));
  ASSERT_TRUE(third.file.write("two"));
  ASSERT_TRUE(third.add({"c"}));
  EXPECT_THAT(Scheduler(checkpoint).found, ElementsAre("c"));
}

TEST_F(RequestJournalTest, IfTheNewestCheckpointIsDamagedTheyFollowTheOneBefore) {
  Scheduler first(checkpoint);
  ASSERT_TRUE(first.file.write("one"));
  ASSERT_TRUE(first.file.write("two"));
  ASSERT_TRUE(first.add({"a"}));
  std::ofstream(checkpoint) << "damaged\n";
  EXPECT_THAT(Scheduler(checkpoint).found, ElementsAre("a"));
}

TEST_F(RequestJournalTest, ANewGenerationGoesOnFromTheStartsOfTheOneBefore) {
  Scheduler first(checkpoint, 1);
  ASSERT_TRUE(first.file.write("one"));
  ASSERT_TRUE(first.add({"a"}));
  Scheduler second(checkpoint, 2);
  EXPECT_THAT(second.found, ElementsAre("a"));
  ASSERT_TRUE(second.add({"b"}));
  EXPECT_TRUE(std::filesystem::exists(checkpoint + ".g2.starts"));
  EXPECT_THAT(Scheduler(checkpoint, 3).found, ElementsAre("a", "b"));
}

TEST_F(RequestJournalTest, AStartThatWasBeingWrittenHasNotBeenRequested) {
  Scheduler first(checkpoint);
  ASSERT_TRUE(first.file.write("one"));
  ASSERT_TRUE(first.add({"a", "b"}));
  std::filesystem::resize_file(path, text().size() - 1);
  const Scheduler second(checkpoint);
  EXPECT_THAT(second.found, ElementsAre("a"));
  EXPECT_THAT(second.logged, IsEmpty());
}

TEST_F(RequestJournalTest, ADamagedLineIsLoggedAndTheOthersCount) {
  Scheduler first(checkpoint);
  ASSERT_TRUE(first.file.write("one"));
  ASSERT_TRUE(first.add({"first", "second"}));
  std::string all = text();
  all.replace(all.find("first\n"), 5, "third");
  std::ofstream(path) << all;
  const Scheduler second(checkpoint);
  EXPECT_THAT(second.found, ElementsAre("second"));
  EXPECT_THAT(second.logged, ElementsAre(HasSubstr("is damaged")));
}

TEST_F(RequestJournalTest, AFileWhoseFirstLineIsDamagedIsLogged) {
  Scheduler first(checkpoint);
  ASSERT_TRUE(first.file.write("one"));
  ASSERT_TRUE(first.add({"a"}));
  for (const std::string& damaged : {"X" + text().substr(1), std::string()}) {
    std::ofstream(path) << damaged;
    const Scheduler second(checkpoint);
    EXPECT_THAT(second.found, IsEmpty());
    EXPECT_THAT(second.logged, ElementsAre(HasSubstr("its first line is damaged")));
  }
}

TEST_F(RequestJournalTest, WhatCouldNotBeWrittenIsWrittenWithTheNext) {
  Scheduler first(checkpoint);
  ASSERT_TRUE(first.file.write("one"));
  std::filesystem::create_directory(path + ".new");
  EXPECT_FALSE(first.add({"a"}));
  std::filesystem::remove(path + ".new");
  EXPECT_TRUE(first.add({"b"}));
  EXPECT_THAT(Scheduler(checkpoint).found, ElementsAre("a", "b"));
}

TEST_F(RequestJournalTest, NoLinkIsFollowedAndOnlyTheOwnerReadsIt) {
  std::ofstream(home / "other") << "of somebody\n";
  std::filesystem::create_symlink(home / "other", path);
  Scheduler first(checkpoint);
  EXPECT_THAT(first.logged, ElementsAre(HasSubstr("is not used")));
  ASSERT_TRUE(first.file.write("one"));
  ASSERT_TRUE(first.add({"a"}));
  EXPECT_EQ(std::filesystem::file_size(home / "other"), 12U);
  struct stat is {};
  ASSERT_EQ(::lstat(path.c_str(), &is), 0);
  EXPECT_EQ(is.st_mode, S_IFREG | 0600U);
}

}  // namespace
}  // namespace maui
