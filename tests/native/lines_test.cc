// Reports of the site's own programs, a line an object.
#include "native/lines.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rm/wiki_attributes.h"

namespace maui::native {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Pairs = std::vector<std::pair<std::string, std::string>>;

/// The one record of a text without problems.
WikiRecord only(std::string_view text) {
  auto found = read_lines(text);
  EXPECT_THAT(found.problems, IsEmpty());
  EXPECT_EQ(found.records.size(), 1u) << text;
  return found.records.empty() ? WikiRecord() : *found.records.front();
}

TEST(NativeLinesTest, SemicolonsOrBlanksSeparateAttributes) {
  const Pairs expected{{"STATE", "Idle"}, {"CPROC", "4"}, {"FEATURE", "ib:gpu"}};
  for (const char* text :
       {"n1 STATE=Idle;CPROC=4;FEATURE=ib:gpu", "n1 STATE=Idle;CPROC=4;FEATURE=ib:gpu;\n",
        "n1 STATE=Idle CPROC=4 FEATURE=ib:gpu", "n1\tSTATE=Idle\tCPROC=4;  FEATURE=ib:gpu \r\n",
        "  n1   STATE=Idle; CPROC=4;;FEATURE=ib:gpu", "n1:STATE=Idle;CPROC=4;FEATURE=ib:gpu;",
        "n1 state=Idle;cproc=4;feature=ib:gpu"}) {
    const auto record = only(text);
    EXPECT_EQ(record.id, "n1") << text;
    EXPECT_EQ(record.attributes, expected) << text;
  }
}

TEST(NativeLinesTest, AValueMayHoldBlanksAndInQuotesAnything) {
  EXPECT_EQ(wiki_text(*only("j NAME=my long job;TASKS=1").find("NAME")), "my long job");
  EXPECT_EQ(wiki_text(*only("j NAME=\"a;b #1 TASKS=9\" TASKS=1").find("NAME")), "a;b #1 TASKS=9");
  EXPECT_EQ(wiki_text(*only("j NAME='a;b' TASKS=1").find("NAME")), "a;b");
  EXPECT_EQ(wiki_text(*only("j NAME=a\\;b;TASKS=1").find("NAME")), "a;b");
  EXPECT_EQ(wiki_text(*only("j NAME=x=1;TASKS=1").find("NAME")), "x=1");
  EXPECT_EQ(wiki_text(*only("j NAME=\"never closed;TASKS=1").find("NAME")), "\"never closed");
  EXPECT_THAT(wiki_list(*only("n FEATURE=\"ib:gpu\"").find("FEATURE")), ElementsAre("ib", "gpu"));
}

TEST(NativeLinesTest, EmptyLinesAndRemarksArePassedOver) {
  const auto found = read_lines("# nodes of the annex\n\n   \nn1 STATE=Idle\n#n2 STATE=Idle\n");
  EXPECT_EQ(found.records.size(), 1u);
  EXPECT_THAT(found.problems, IsEmpty());
  EXPECT_TRUE(read_lines("").records.empty());
}

TEST(NativeLinesTest, SkipsOnlyTheInvalidAttributes) {
  const auto found = read_lines("j1 STATE=Idle;rubbish;TASKS=2\nj2 =x TASKS=1\n");
  ASSERT_EQ(found.records.size(), 2u);
  EXPECT_EQ(*found.records[0]->find("TASKS"), "2");
  EXPECT_EQ(*found.records[1]->find("TASKS"), "1");
  EXPECT_THAT(found.problems, ElementsAre(HasSubstr("j1: invalid attribute 'rubbish'"),
                                          HasSubstr("j2: invalid attribute '=x'")));
}

// Nothing that it would have reported counts as gone then.
TEST(NativeLinesTest, AnInvalidLineIsAProblem) {
  const auto found = read_lines("ERROR: the server does not answer\nn1\nn2 STATE=Idle\n");
  EXPECT_EQ(found.records.size(), 1u);
  const auto nameless = read_lines(":STATE=Idle\n");
  EXPECT_TRUE(nameless.records.empty());
  EXPECT_THAT(nameless.problems, ElementsAre(HasSubstr("expected NAME ATTRIBUTE=VALUE")));
  EXPECT_THAT(found.problems,
              ElementsAre(HasSubstr("invalid line 'ERROR: the server does not answer'"),
                          HasSubstr("invalid line 'n1'")));
}

TEST(NativeLinesTest, LinesOfOneNameAreOneRecord) {
  const auto found = read_lines("n1 STATE=Idle;CPROC=4\nn2 STATE=Idle\nn1 CRES=TAPE:2;CPROC=8\n");
  ASSERT_EQ(found.records.size(), 2u);
  EXPECT_EQ(found.records[0]->attributes,
            (Pairs{{"STATE", "Idle"}, {"CPROC", "8"}, {"CRES", "TAPE:2"}}));
}

TEST(NativeLinesTest, ALastLineWithoutEndIsNotReadWhereAFileMayBeBeingWritten) {
  const auto found = read_lines("n1 STATE=Idle\nn2 STATE=Dra", true);
  ASSERT_EQ(found.records.size(), 1u);
  EXPECT_THAT(found.problems, ElementsAre(HasSubstr("is incomplete")));
  EXPECT_THAT(read_lines("n1 STATE=Idle\n", true).problems, IsEmpty());
  EXPECT_THAT(read_lines("", true).problems, IsEmpty());
  EXPECT_EQ(read_lines("n1 STATE=Idle").records.size(), 1u) << "of a program that has ended";
}

TEST(NativeLinesTest, KeepsALimitedNumberOfAttributesAndProblems) {
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += fmt::format("n1 A{}=1\nrubbish\n", i);
  const auto found = read_lines(text + "n2 STATE=Idle\n");
  ASSERT_EQ(found.records.size(), 2U);
  EXPECT_EQ(found.records[0]->attributes.size(), 250U);
  EXPECT_EQ(*found.records[1]->find("STATE"), "Idle");
  EXPECT_EQ(found.problems.size(), 100U);
}

}  // namespace
}  // namespace maui::native
