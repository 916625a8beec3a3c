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
}

}  // namespace
}  // namespace maui
