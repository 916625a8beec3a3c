#include "base/name_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace maui {
namespace {

using testing::HasSubstr;

std::string refusal(std::string_view expression) {
  const auto made = NamePattern::of(expression);
  return made ? "" : made.error().what;
}

TEST(NamePatternTest, IsFoundAnywhereInTheNameUnlessAnchored) {
  const auto made = NamePattern::of("^fr(1|2)n0[1-3]$");
  ASSERT_TRUE(made);
  EXPECT_TRUE(made->in("fr2n03"));
  EXPECT_FALSE(made->in("fr2n04"));
  EXPECT_FALSE(made->in("xfr2n03"));
  EXPECT_TRUE(NamePattern::of("n0+")->in("fr2n03"));
}

TEST(NamePatternTest, KnowsTheClassesOfPosix) {
  EXPECT_TRUE(NamePattern::of("^[[:alpha:]]+[^]a-]$")->in("node7"));
  EXPECT_FALSE(NamePattern::of("^[[:alpha:]]+[^]a-]$")->in("node-"));
  EXPECT_TRUE(NamePattern::of("a\\.b")->in("a.b"));
  EXPECT_FALSE(NamePattern::of("a\\.b")->in("axb"));
}

TEST(NamePatternTest, MatchesNamesOfAnyBytes) {
  EXPECT_TRUE(NamePattern::of("^a.b$")->in("a\nb"));
  EXPECT_FALSE(NamePattern::of("^b$")->in("a\nb")) << "a name is one line";
  EXPECT_TRUE(NamePattern::of("^n\xff*$")->in("n\xff\xff"));
}

TEST(NamePatternTest, SaysWhatIsWrong) {
  EXPECT_EQ(refusal("n[0"), "invalid regular expression 'n[0'");
  EXPECT_EQ(refusal("(n"), "invalid regular expression '(n'");
}

TEST(NamePatternTest, CostlyPatternsAreRefusedOrMatchedCheaply) {
  EXPECT_THAT(refusal(std::string(100000, '(')), HasSubstr("expected at most 200"));
  EXPECT_THAT(refusal("((a{99}){99}){99}"), HasSubstr("may not count repetitions"));
  const auto nested = NamePattern::of("(((((.*)*)*)*)*)*Z");  // 2^n steps with backtracking
  ASSERT_TRUE(nested);
  EXPECT_FALSE(nested->in(std::string(200, 'a')));
  std::string many;  // a set of states as large as the expression
  for (int i = 0; i < 38; ++i) many += "(.*)*";
  const auto longest = NamePattern::of(many + "Nq$");
  ASSERT_TRUE(longest);
  for (int job = 0; job < 20'000; ++job) EXPECT_FALSE(longest->in("job.12345"));
}

}  // namespace
}  // namespace maui
