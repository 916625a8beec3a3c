#include "maui/asked_amounts.h"

#include <gtest/gtest.h>

namespace maui {
namespace {

Request request_of(const Resources& per_task) {
  Request request;
  request.requirements[0].per_task = per_task;
  return request;
}

TEST(AskedAmountsTest, TheGrainIsTheGreatestCommonDivisorOfAllAmountsPerTask) {
  AskedAmounts asked;
  EXPECT_EQ(asked.grain(kMemory), 0);
  asked.add(request_of(Resources(1, 4096)));
  EXPECT_EQ(asked.grain(kMemory), 4096);
  asked.add(request_of(Resources(8, 1536, 100)));
  EXPECT_EQ(asked.grain(kMemory), 512);
  EXPECT_EQ(asked.grain(kSwap), 100);
  EXPECT_EQ(asked.grain(kDisk), 0);
}

TEST(AskedAmountsTest, ARequestThatIsRemovedCountsNoMore) {
  AskedAmounts asked;
  asked.add(request_of(Resources(1, 1000)));
  asked.add(request_of(Resources(1, 1001)));
  asked.add(request_of(Resources(2, 1001)));
  asked.remove(request_of(Resources(1, 1001)));
  EXPECT_EQ(asked.grain(kMemory), 1);
  asked.remove(request_of(Resources(2, 1001)));
  EXPECT_EQ(asked.grain(kMemory), 1000);
  asked.remove(request_of(Resources(1, 1000)));
  EXPECT_EQ(asked.grain(kMemory), 0);
}

TEST(AskedAmountsTest, EachRequirementCounts) {
  AskedAmounts asked;
  auto request = request_of(Resources(1, 600));
  request.requirements.push_back(request.requirements.front());
  request.requirements.back().per_task = Resources(1, 400);
  asked.add(request);
  EXPECT_EQ(asked.grain(kMemory), 200);
  asked.remove(request);
  EXPECT_EQ(asked.grain(kMemory), 0);
}

TEST(AskedAmountsTest, BoundsAndSetsOfEqualMemoryCompareNodes) {
  AskedAmounts asked;
  auto bounded = request_of(Resources(1));
  bounded.requirements[0].disk = {Comparison::at_least, 500};
  auto sorted = request_of(Resources(1));
  sorted.node_set.emplace().attribute = NodeSetAttribute::memory;
  asked.add(bounded);
  EXPECT_TRUE(asked.compared(kDisk));
  EXPECT_FALSE(asked.compared(kMemory));
  asked.add(sorted);
  EXPECT_TRUE(asked.compared(kMemory));
  asked.remove(bounded);
  asked.remove(sorted);
  EXPECT_FALSE(asked.compared(kDisk));
  EXPECT_FALSE(asked.compared(kMemory));
}

}  // namespace
}  // namespace maui
