#include "engine/reports/gone_nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

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
  gone.give_up(Time(5000), 9, [](NodeId id) { return id == NodeId(1U); });
  EXPECT_FALSE(gone.worth_a_look(Time(5599)));
  EXPECT_TRUE(gone.worth_a_look(Time(5600)));
  gone.purge(NodeId(3U));
  EXPECT_TRUE(gone.worth_a_look(Time(5001)));
  gone.give_up(Time(5001), 9, [](NodeId) { return true; });
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

TEST(PartitionMasks, DifferencesAreReportedOnce) {
  PartitionMasks masks;
  EXPECT_EQ(masks.note(""), std::nullopt);
  EXPECT_EQ(masks.note("fast"), std::nullopt);
  EXPECT_EQ(masks.note("fast"), std::nullopt);
  EXPECT_EQ(masks.note("slow"), (std::pair<std::string, std::string>("fast", "slow")));
  EXPECT_EQ(masks.note("other"), std::nullopt);
}

TEST(GoneNodes, AreLookedAtSomeAtATime) {
  GoneNodes gone;
  for (std::uint32_t i = 0; i < 5; ++i) gone.purge(NodeId(i));
  std::vector<NodeId> looked_at;
  const auto even = [&](NodeId id) {
    looked_at.push_back(id);
    return id.raw() % 2 == 0;
  };
  EXPECT_FALSE(gone.give_up(Time(5000), 2, even));
  EXPECT_TRUE(gone.worth_a_look(Time(5000))) << "that was not all";
  EXPECT_FALSE(gone.give_up(Time(5000), 2, even));
  EXPECT_TRUE(gone.give_up(Time(5000), 2, even));
  std::sort(looked_at.begin(), looked_at.end());
  EXPECT_THAT(looked_at,
              testing::ElementsAre(NodeId(0U), NodeId(1U), NodeId(2U), NodeId(3U), NodeId(4U)))
      << "each once";
  EXPECT_FALSE(gone.worth_a_look(Time(5000))) << "two are left over";
}

}  // namespace
}  // namespace maui
