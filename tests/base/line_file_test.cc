// Files of lines that only grow.
#include "base/line_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "daemon/temporary_directory.h"

namespace maui {
namespace {

class LineFileTest : public testing::Test {
 protected:
  void there(const std::string& text) { std::ofstream(path, std::ios::binary) << text; }
  std::string text() const {
    std::ostringstream all;
    all << std::ifstream(path, std::ios::binary).rdbuf();
    return all.str();
  }
  TemporaryDirectory home;
  const std::string path = home / "folder/lines";
  LineFile file;
};

TEST_F(LineFileTest, TheFileAndItsFolderAreMade) {
  ASSERT_TRUE(file.open(path));
  EXPECT_TRUE(file.empty());
  ASSERT_TRUE(file.append("one\n"));
  ASSERT_TRUE(file.sync());
  EXPECT_EQ(text(), "one\n");
}

TEST_F(LineFileTest, LinesFollowThoseThatAreThere) {
  std::filesystem::create_directory(home / "folder");
  there("one\n");
  ASSERT_TRUE(file.open(path));
  ASSERT_TRUE(file.append("two\nthree\n"));
  EXPECT_EQ(text(), "one\ntwo\nthree\n");
}

TEST_F(LineFileTest, AnUnfinishedLineIsCutOffHoweverLongItIs) {
  std::filesystem::create_directory(home / "folder");
  for (const std::size_t length : {1U, 4095U, 4096U, 10000U})
    for (const std::string& before : {std::string(), std::string("one\n")}) {
      there(before + std::string(length, 'x'));
      ASSERT_TRUE(file.open(path));
      EXPECT_EQ(text(), before) << length;
    }
}

TEST_F(LineFileTest, AfterALineThatWasCutInTheOpenFileTheNextIsOnALineOfItsOwn) {
  for (const std::uintmax_t left : {0U, 3U, 4U, 5U, 7U, 8U}) {
    std::filesystem::remove(path);
    ASSERT_TRUE(file.open(path));
    ASSERT_TRUE(file.append("one\ntwo\n"));
    std::filesystem::resize_file(path, left);
    ASSERT_TRUE(file.append("three\n"));
    const std::string whole = std::string("one\ntwo\n").substr(0, left / 4 * 4);
    EXPECT_EQ(text(), whole + "three\n") << left;
  }
}

TEST_F(LineFileTest, OnlyARegularFileIsWritten) {
  std::filesystem::create_directory(home / "folder");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const auto opened = file.open(path);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().what, "'" + path + "' is not a regular file");
  EXPECT_FALSE(file.is_open());
}

TEST_F(LineFileTest, TheTailHasWholeLines) {
  ASSERT_TRUE(file.open(path));
  ASSERT_TRUE(file.append("one\ntwo\nthree\n"));
  EXPECT_EQ(file.tail(8), "three\n");
  EXPECT_EQ(file.tail(100), "one\ntwo\nthree\n");
}

/// As on a full disk: no file of this process may be larger.
class Full {
 public:
  explicit Full(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~Full() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, SIG_DFL);
  }

 private:
  rlimit before_{};
};

TEST_F(LineFileTest, AFullDiskLeavesNoPartOfWhatIsAdded) {
  ASSERT_TRUE(file.open(path));
  ASSERT_TRUE(file.append("one\n"));
  {
    const Full disk(10);
    const auto failed = file.append("two\nthree\n");
    ASSERT_FALSE(failed);
    EXPECT_NE(failed.error().what.find("cannot write to '" + path), std::string::npos);
  }
  EXPECT_EQ(text(), "one\n");
  EXPECT_FALSE(file.is_open());
  ASSERT_TRUE(file.open(path));
  ASSERT_TRUE(file.append("two\nthree\n"));
  EXPECT_EQ(text(), "one\ntwo\nthree\n");
}

TEST_F(LineFileTest, SaysWhichFileCannotBeOpened) {
  const auto failed = file.open("/dev/null/lines");
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().what.find("cannot open '/dev/null/lines'"), std::string::npos);
}

}  // namespace
}  // namespace maui
