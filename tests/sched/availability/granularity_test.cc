#include "sched/availability/granularity.h"

#include <gtest/gtest.h>

namespace maui {
namespace {

AskedAmounts asking_for(std::initializer_list<Resources> amounts) {
  AskedAmounts asked;
  for (const auto& amount : amounts) {
    Request request;
    request.requirements[0].per_task = amount;
    asked.add(request);
  }
  return asked;
}

TEST(GranularityTest, AmountsThatNobodyAsksForAreEqual) {
  const Granularity none(asking_for({Resources(1)}), false);
  EXPECT_EQ(none.rounded(Resources(4, 16001, 3, 5)), Resources(4));
  EXPECT_EQ(none.configured(Resources(4, 16001, 3, 5)), Resources(4));
  EXPECT_FALSE(none.covers(Resources(1, 1)));
  EXPECT_TRUE(none.divides(Resources(1, 1)));
}

TEST(GranularityTest, AmountsAreRoundedDownToWhatRequestsCanTellApart) {
  const Granularity by_half(asking_for({Resources(1, 512), Resources(1, 1024)}), false);
  EXPECT_EQ(by_half.rounded(Resources(4, 1535)), Resources(4, 1024));
  EXPECT_EQ(by_half.rounded(Resources(4, 1536)), Resources(4, 1536));
  EXPECT_EQ(by_half.rounded(Resources(4, -1)), Resources(4, -512));
  EXPECT_TRUE(by_half.covers(Resources(1, 1536)));
  EXPECT_FALSE(by_half.covers(Resources(1, 256)));
  EXPECT_FALSE(by_half.divides(Resources(1, 700)));
}

TEST(GranularityTest, AReservationOfAWholeNodeIsRoundedAsTheNodeIs) {
  const Resources node(4, 1535, 700);
  const Granularity by_half(asking_for({Resources(1, 512)}), false);
  EXPECT_EQ(by_half.reserved(node, node), Resources(4, 1024));
  EXPECT_EQ(by_half.reserved(Resources(1, 100), node), Resources(1, 100));
  EXPECT_EQ(by_half.reserved(Resources(0, 0, 700), node), Resources(0, 0, 700));
}

TEST(GranularityTest, WhatNodesHaveInAllStaysWhereItIsCompared) {
  const Granularity by_size(asking_for({Resources(1)}), true);
  EXPECT_EQ(by_size.configured(Resources(4, 16001, 3, 5)), Resources(4, 16001, 3, 5));
  EXPECT_EQ(by_size.rounded(Resources(4, 16001, 3, 5)), Resources(4));
}

TEST(GranularityTest, AFinerOneServesACoarserOne) {
  const Granularity none(asking_for({Resources(1)}), false);
  const Granularity whole(asking_for({Resources(1, 1024)}), false);
  const Granularity half(asking_for({Resources(1, 512)}), false);
  const Granularity third(asking_for({Resources(1, 300)}), false);
  EXPECT_TRUE(Granularity().serves(third));
  EXPECT_TRUE(half.serves(whole));
  EXPECT_TRUE(half.serves(none));
  EXPECT_FALSE(whole.serves(half));
  EXPECT_FALSE(none.serves(whole));
  EXPECT_FALSE(half.serves(third));
  EXPECT_FALSE(half.serves(Granularity(asking_for({Resources(1, 512)}), true)));
  EXPECT_TRUE(Granularity().exact());
  EXPECT_FALSE(half.exact());
}

}  // namespace
}  // namespace maui
