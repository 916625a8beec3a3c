#include "compare/expectation.h"

#include <gtest/gtest.h>

#include "compare/comparison.h"
#include "compare/outcomes.h"

namespace maui::compare {
namespace {

using test::job;

/// The first run waits 100 seconds on average (ann 50, bob 150), the second 110.
Comparison two_runs() {
  auto jobs = std::vector{job("a", 0, 50, 100), job("b", 0, 150, 100)};
  jobs[1].who[CredentialKind::user] = 1;
  auto later = jobs;
  later[1] = job("b", 0, 170, 100);
  later[1].who[CredentialKind::user] = 1;
  return compare_outcomes("w", {test::outcome_of(jobs), test::outcome_of(later)}, {});
}

bool met(const std::string& text) {
  const auto expectation = Expectation::parse(text);
  EXPECT_TRUE(expectation) << expectation.error().what;
  const auto judged = judge(two_runs(), {*expectation});
  EXPECT_EQ(judged.judgements.size(), 1U) << judged.impossible.at(0);
  return judged.judgements.at(0).verdict.met;
}

TEST(ExpectationTest, BaseIsTheSameMeasureOfTheFirstRun) {
  EXPECT_TRUE(met("wait.mean <= 1.1 * base"));
  EXPECT_FALSE(met("wait.mean <= 1.05 * base"));
  EXPECT_TRUE(met("wait.mean == base + 10"));
  EXPECT_TRUE(met("wait.mean > base.wait.mean"));
  EXPECT_TRUE(met("base < wait.mean"));
}

TEST(ExpectationTest, TimesAreWrittenAsEverywhere) {
  EXPECT_TRUE(met("wait.mean < 0:01:51"));
  EXPECT_FALSE(met("wait.mean < 0:01:50"));
}

TEST(ExpectationTest, MultiplicationGoesBeforeAddition) {
  EXPECT_TRUE(met("wait.mean == 10 + 2 * 50"));
  EXPECT_TRUE(met("wait.mean == (10 + 45) * 2"));
  EXPECT_TRUE(met("-wait.mean == 100 / 2 - 160"));
  EXPECT_TRUE(met("wait.mean - 5 - 5 == 100"));
}

TEST(ExpectationTest, BracketsNameAGroup) {
  EXPECT_TRUE(met("wait.mean[user=ann] == base"));
  EXPECT_TRUE(met("wait.mean[user=bob] == base + 20"));
  EXPECT_TRUE(met("wait.mean[size=1] == wait.mean"));
  const auto judged = judge(two_runs(), {*Expectation::parse("wait.mean[user=eve] < 1")});
  EXPECT_TRUE(judged.judgements.empty());
  ASSERT_EQ(judged.impossible.size(), 1U);
  EXPECT_NE(judged.impossible[0].find("no job of user 'eve' ran"), std::string::npos);
}

TEST(ExpectationTest, AnExpectationThatCannotBeJudgedKeepsNoOtherFromIt) {
  const auto judged = judge(two_runs(), {*Expectation::parse("wait.mean[user=eve] < 1"),
                                         *Expectation::parse("wait.mean < 1")});
  EXPECT_EQ(judged.impossible.size(), 1U);
  ASSERT_EQ(judged.judgements.size(), 1U);
  EXPECT_FALSE(judged.judgements[0].verdict.met);
}

TEST(ExpectationTest, ARunThatLeavesMoreJobsThanTheBaseFailsUnlessThatIsExpected) {
  auto comparison = two_runs();
  comparison.runs[1].outcome.left = {{"c", "rejected by policy"}};
  comparison.runs[1].measures = measures_of(comparison.runs[1].outcome);
  EXPECT_TRUE(judge(comparison, {}).judgements.empty());
  const auto judged = judge(comparison, {*Expectation::parse("wait.mean < 1000")}).judgements;
  ASSERT_EQ(judged.size(), 2U);
  EXPECT_TRUE(judged[0].verdict.met);
  EXPECT_FALSE(judged[1].verdict.met);
  EXPECT_EQ(judged[1].expectation, "neverstarted <= base");
  EXPECT_EQ(judge(comparison, {*Expectation::parse("neverstarted < 2")}).judgements.size(), 1U);
}

TEST(ExpectationTest, OneRunAloneIsJudgedItself) {
  auto comparison = two_runs();
  comparison.runs.pop_back();
  const auto judged = judge(comparison, {*Expectation::parse("wait.mean == 100")});
  EXPECT_TRUE(judged.judgements.at(0).verdict.met);
}

TEST(ExpectationTest, SaysWhatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "expected a number, a time, a measure"},
      {"wait.mean", "expected one of <= < >= > == != at its end"},
      {"wait.men < 5", "at 'wait.men < 5'"},
      {"wait.mean < 5 5", "expected the end at '5'"},
      {"1 < 2", "expected a measure such as wait.mean"},
      {"base < 2", "expected a measure besides base"},
      {"wait.mean[cat=5] < 2", "expected [KIND=NAME]"},
      {"wait.mean[user=5 < 2", "expected [KIND=NAME]"},
      {"utilisation[user=ann] < 2", "expected no group"},
      {"wait.mean < 1:xx", "expected a number or a time"},
      {"wait.mean < (5", "expected ')'"},
      {"wait.mean < 5.5.5", "expected a number or a time"},
  };
  for (const auto& [text, problem] : cases) {
    const auto made = Expectation::parse(text);
    ASSERT_FALSE(made) << text;
    EXPECT_NE(made.error().what.find(problem), std::string::npos) << made.error().what;
  }
  EXPECT_FALSE(Expectation::parse(std::string(100000, '(')));
  EXPECT_FALSE(Expectation::parse(std::string(100000, '-')));
  EXPECT_TRUE(judge(two_runs(), {*Expectation::parse("wait.mean < 5 / 0")}).judgements.empty());
}

TEST(ExpectationTest, NoTextCrashesTheParser) {
  std::mt19937 random(3);
  const std::string letters = "wait.mean[user=ann]<=>!*/+-() 0123456789:base.";
  for (int round = 0; round < 2000; ++round) {
    std::string text = "wait.mean[user=ann] <= 1.05 * (base + 0:30)";
    for (int i = 0; i < 4; ++i) text[random() % text.size()] = letters[random() % letters.size()];
    const auto made = Expectation::parse(text);
    if (made) [[maybe_unused]]
      const auto judged = judge(two_runs(), {*made});
  }
}

}  // namespace
}  // namespace maui::compare
