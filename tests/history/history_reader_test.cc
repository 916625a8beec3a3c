#include "history/history_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "history/schema.h"
#include "sim/trace_text.h"

namespace maui::history {
namespace {

using testing::HasSubstr;

struct HistoryReaderTest : testing::Test {
  void make() const { ASSERT_TRUE(open_for_writing(folder.path())); }

  test::Folder folder;
  HistoryReader reader{folder.path()};
};

TEST_F(HistoryReaderTest, QuestionsUnderWayShareOneDatabase) {
  make();
  const auto opened = reader.open();
  ASSERT_TRUE(opened) << opened.error().what;
  EXPECT_EQ(*reader.open(), *opened);
  ASSERT_TRUE(remove_database(folder.path()));
  make();
  const auto other = reader.open();
  ASSERT_TRUE(other) << other.error().what;
  EXPECT_NE(*other, *opened) << "another stands in its place";
}

TEST_F(HistoryReaderTest, ReportsDamageOnce) {
  std::ofstream(database_path(folder.path())) << std::string(5000, 'x');
  EXPECT_FALSE(reader.open());
  EXPECT_THAT(reader.take_damage(), HasSubstr("history.db"));
  EXPECT_EQ(reader.take_damage(), "");
}

TEST_F(HistoryReaderTest, ADatabaseThatIsMissingOrOfAnotherVersionIsNotDamaged) {
  EXPECT_FALSE(reader.open());
  EXPECT_EQ(reader.take_damage(), "");
  make();
  ASSERT_TRUE(open_for_writing(folder.path())->run("PRAGMA user_version = 1"));
  EXPECT_FALSE(reader.open());
  EXPECT_EQ(reader.take_damage(), "");
}

TEST_F(HistoryReaderTest, AQuestionThatFailsOtherwiseFindsNoDamage) {
  make();
  const auto database = reader.open();
  ASSERT_TRUE(database);
  const auto failed = (*database)->prepare("SELECT nothing FROM nowhere");
  ASSERT_FALSE(failed);
  EXPECT_EQ(reader.noted(**database, failed.error()).what, failed.error().what);
  EXPECT_EQ(reader.take_damage(), "");
}

}  // namespace
}  // namespace maui::history
