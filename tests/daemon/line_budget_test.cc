#include "daemon/logging/line_budget.h"

#include <gtest/gtest.h>

namespace maui {
namespace {

using std::chrono::seconds;

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

}  // namespace
}  // namespace maui
