#include "daemon/logging/line_budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace maui {
namespace {

using std::chrono::seconds;
using testing::IsEmpty;
using testing::SizeIs;

class LineBudgetTest : public testing::Test {
 protected:
  int written_of(const std::string& party, int lines) {
    int written = 0;
    for (int i = 0; i < lines; ++i) written += budget_.take(party, now_) ? 1 : 0;
    return written;
  }
  LineBudget budget_{{10, 25, seconds(60), seconds(10)}};
  LineBudget::Moment now_{seconds(1000)};
};

TEST_F(LineBudgetTest, APartyHasABurstOfLinesAndThenAFixedRate) {
  EXPECT_EQ(written_of("amy", 100), 10);
  now_ += seconds(59);
  EXPECT_EQ(written_of("amy", 100), 0);
  now_ += seconds(1);
  EXPECT_EQ(written_of("amy", 100), 1);
}

TEST_F(LineBudgetTest, SuppressedLinesAreCounted) {
  EXPECT_EQ(budget_.take("amy", now_), 0);
  written_of("amy", 109);
  now_ += seconds(60);
  EXPECT_EQ(budget_.take("amy", now_), 100);
}

TEST_F(LineBudgetTest, AllPartiesTogetherHaveABoundToo) {
  int written = 0;
  for (int i = 0; i < 10000; ++i) written += written_of("host " + std::to_string(i), 10);
  EXPECT_EQ(written, 25);
  now_ += seconds(100);
  EXPECT_EQ(written_of("another", 100), 10);
}

TEST_F(LineBudgetTest, AMisbehavingPartyDoesNotSilenceOthers) {
  written_of("amy", 1000);
  EXPECT_EQ(written_of("bob", 5), 5);
}

TEST_F(LineBudgetTest, AnAmountMayBeOwed) {
  EXPECT_TRUE(budget_.take("amy", now_, 12));
  now_ += seconds(2 * 60);
  EXPECT_FALSE(budget_.take("amy", now_));
  now_ += seconds(60);
  EXPECT_TRUE(budget_.take("amy", now_));
}

TEST_F(LineBudgetTest, WhatALineAboutSuppressedLinesTakesIsTakenFromTheParty) {
  written_of("amy", 9);
  budget_.charge("amy", now_);
  EXPECT_EQ(written_of("amy", 1), 0);
}

TEST_F(LineBudgetTest, NumbersOfSuppressedLinesAreToldOnceTheirPartyIsQuiet) {
  written_of("amy", 12);
  EXPECT_THAT(budget_.take_untold(now_ + seconds(59)), IsEmpty());
  const auto told = budget_.take_untold(now_ + seconds(60));
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_EQ(told[0].party, "amy");
  EXPECT_EQ(told[0].lines, 2);
  EXPECT_THAT(budget_.take_untold(now_ + seconds(600)), IsEmpty());
}

TEST_F(LineBudgetTest, PartiesAreForgottenButNotWhatTheyWereDenied) {
  constexpr int kParties = 50'000;
  int written = 0;
  for (int i = 0; i < kParties; ++i) written += written_of("user " + std::to_string(i), 2);
  now_ += seconds(100'000);
  std::int64_t told = 0, lines = 0;
  for (auto all = budget_.take_untold(now_); !all.empty(); all = budget_.take_untold(now_)) {
    told += std::ssize(all);
    for (const auto& withheld : all) lines += withheld.lines;
    now_ += seconds(100'000);
  }
  EXPECT_EQ(written + lines, 2 * kParties);
  EXPECT_LE(told, 4097);
}

TEST_F(LineBudgetTest, AChangeKeepsTheNumbers) {
  written_of("amy", 12);
  budget_.change({5, 5, seconds(60), seconds(60)});
  EXPECT_EQ(budget_.take("amy", now_), 2);
  EXPECT_EQ(written_of("amy", 10), 4);
}

}  // namespace
}  // namespace maui
