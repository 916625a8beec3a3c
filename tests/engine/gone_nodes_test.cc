#include "engine/reports/gone_nodes.h"

#include <gtest/gtest.h>

#include "engine/actions/start_dates.h"
#include "engine/reports/partition_masks.h"

namespace maui {
namespace {

TEST(GoneNodes, ArePurgedOnlyWhileLost) {
  GoneNodes gone;
  EXPECT_TRUE(gone.lose(NodeId(3U)));
  EXPECT_FALSE(gone.lose(NodeId(3U)));
  gone.purge(NodeId(3U));
  EXPECT_TRUE(gone.lost().empty());
  EXPECT_TRUE(gone.lose(NodeId(4U)));
  gone.find(NodeId(4U));
  EXPECT_TRUE(gone.lost().empty());
}

TEST(GoneNodes, AreLookedAtAgainWhenThereAreMoreOrAfterAWhile) {
  GoneNodes gone;
  EXPECT_FALSE(gone.worth_a_look(Time(5000)));
  gone.purge(NodeId(1U));
  gone.purge(NodeId(2U));
  EXPECT_TRUE(gone.worth_a_look(Time(5000)));
  gone.give_up(Time(5000), [](NodeId id) { return id == NodeId(1U); });
  EXPECT_FALSE(gone.worth_a_look(Time(5599)));
  EXPECT_TRUE(gone.worth_a_look(Time(5600)));
  gone.purge(NodeId(3U));
  EXPECT_TRUE(gone.worth_a_look(Time(5001)));
  gone.give_up(Time(5001), [](NodeId) { return true; });
  EXPECT_FALSE(gone.worth_a_look(Time(9000)));
}

TEST(StartDates, AreForgottenWhenTheyHaveCome) {
  StartDates dates;
  for (const Time when : {Time(30), Time(10), Time(20), Time(10)}) dates.add(when);
  EXPECT_EQ(dates.next(Time(5)), Time(10));
  EXPECT_EQ(dates.next(Time(10)), Time(20));
  EXPECT_EQ(dates.next(Time(29)), Time(30));
  EXPECT_EQ(dates.next(Time(30)), kForever);
}

TEST(PartitionMasks, ThatDifferAreToldOfOnce) {
  PartitionMasks masks;
  EXPECT_EQ(masks.note(""), std::nullopt);
  EXPECT_EQ(masks.note("fast"), std::nullopt);
  EXPECT_EQ(masks.note("fast"), std::nullopt);
  EXPECT_EQ(masks.note("slow"), (std::pair<std::string, std::string>("fast", "slow")));
  EXPECT_EQ(masks.note("other"), std::nullopt);
}

}  // namespace
}  // namespace maui
