#include "transcript.h"

#include <gtest/gtest.h>

namespace maui::shapes {
namespace {

Answer answer(const std::string& lines) {
  const auto parsed = parse_transcript("$ showq\n" + lines, "file");
  EXPECT_TRUE(parsed) << parsed.error().what;
  return parsed ? parsed->front() : Answer{};
}

TEST(Transcript, EveryLineOnceAndInOrder) {
  const auto expected = answer(" |ACTIVE JOBS\n |\n |9 Jobs\n");
  EXPECT_EQ(compare(expected, {"ACTIVE JOBS", "", "12 Jobs"}), "");
  EXPECT_NE(compare(expected, {"ACTIVE JOBS", "12 Jobs"}), "");
  EXPECT_NE(compare(expected, {"ACTIVE JOBS", "", "12 Jobs", ""}), "");
  EXPECT_NE(compare(expected, {"ACTIVE JOBS", ""}), "");
}

TEST(Transcript, RowsOfAllKindsInAnyOrder) {
  const auto expected = answer(" |head\n*|j9999 Job 9\n*|maint.9 User -\n?|j9999 Job -\n |tail\n");
  EXPECT_EQ(compare(expected, {"head", "maint.0 User -", "j0001 Job 1", "maint.1 User -", "tail"}),
            "");
  EXPECT_EQ(compare(expected, {"head", "j0001 Job -", "j0001 Job 1", "maint.1 User -", "tail"}),
            "");
  EXPECT_NE(compare(expected, {"head", "j0001 Job 1", "tail"}), "") << "a kind of row is missing";
  EXPECT_NE(compare(expected, {"head", "j0001 Job 1", "maint.0 User -", "other", "tail"}), "");
}

TEST(Transcript, RowsComeInTheOrderThatIsGiven) {
  const auto expected = answer("= j1 j2 maint.0\n |head\n*|j9 Job\n*|maint.9 User\n");
  EXPECT_EQ(compare(expected, {"head", "j1 Job", "maint.0 User"}), "");
  EXPECT_EQ(compare(expected, {"head", "j1 Job", "j7 Job", "j2 Job", "j1 Job", "maint.0 User"}),
            "");
  EXPECT_EQ(compare(expected, {"head", "j2 Job", "j1 Job", "maint.0 User"}),
            "rows out of order: expected j1 j2 maint.0\n  got j2 j1 maint.0");
}

TEST(Transcript, PatternsStandForTextsThatDiffer) {
  const auto expected = answer(" ~ERROR:  .+\n");
  EXPECT_EQ(compare(expected, {"ERROR:  no such thing"}), "");
  EXPECT_NE(compare(expected, {"no such thing"}), "");
}

TEST(Transcript, ADeviationHasAReason) {
  const auto expected = answer(" |head\n# better so\n- |theirs\n+ |ours\n");
  EXPECT_EQ(compare(expected, {"head", "ours"}), "");
  EXPECT_NE(compare(expected, {"head", "theirs"}), "");
  EXPECT_FALSE(parse_transcript("$ showq\n |head\n- |theirs\n", "file"));
  EXPECT_FALSE(parse_transcript("$ showq\n# old\n- |theirs\n |head\n+ |ours\n", "file"));
}

TEST(Transcript, AnInvalidLineIsAnError) {
  EXPECT_FALSE(parse_transcript("$ showq\nhead\n", "file"));
  EXPECT_FALSE(parse_transcript(" |head\n", "file")) << "before the first command";
}

}  // namespace
}  // namespace maui::shapes
