// A placement reads like a list of nodes, however few parts it is kept in.
#include "maui/placement.h"

#include <gtest/gtest.h>

#include <random>

#include "model/placement.h"

namespace maui {
namespace {

using Shares = std::vector<NodeTasks>;

NodeTasks share(std::uint32_t node, int tasks = 1, std::uint32_t requirement = 0) {
  return {NodeId(node), tasks, requirement};
}
Shares shares_of(const Placement& placement) { return {placement.begin(), placement.end()}; }

TEST(PlacementParts, NeighboursWithEquallyManyTasksShareAPart) {
  Placement up;
  for (std::uint32_t node = 5; node < 5000; ++node) up.push_back(share(node));
  EXPECT_EQ(up.parts().size(), 1U);
  EXPECT_EQ(up.size(), 4995U);
  Placement down;
  for (std::uint32_t node = 5000; node-- > 5;) down.push_back(share(node));
  EXPECT_EQ(down.parts().size(), 1U);
  EXPECT_EQ(down.front(), share(4999));
  EXPECT_NE(up, down);
  sort_by_node(down);
  EXPECT_EQ(up, down);
}

TEST(PlacementParts, OtherTasksAndRequirementsAreOthers) {
  const Placement some{share(1), share(2), share(3, 2), share(3, 1, 1), share(4, 1, 1)};
  EXPECT_EQ(some.parts().size(), 3U);
  EXPECT_EQ(node_count(some), 4U);
  EXPECT_EQ(nodes_of(some).size(), 4U);
}

TEST(PlacementParts, ReadLikeTheListTheyWereMadeOf) {
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    Shares list;
    Placement one_by_one, part_by_part;
    std::uint32_t node = 40 + static_cast<std::uint32_t>(random() % 10);
    for (int i = 0; i < 12; ++i) {
      const auto step = static_cast<int>(random() % 5) - 2;
      node = static_cast<std::uint32_t>(static_cast<int>(node) + step);
      const auto drawn =
          share(node, 1 + static_cast<int>(random() % 4 / 3), static_cast<std::uint32_t>(i) / 6);
      const bool again = std::any_of(list.begin(), list.end(), [&](const NodeTasks& other) {
        return other.node == drawn.node && other.requirement == drawn.requirement;
      });
      if (!again) list.push_back(drawn);
    }
    const auto middle = list.begin() + static_cast<std::ptrdiff_t>(random() % list.size());
    for (const auto& drawn : list) one_by_one.push_back(drawn);
    part_by_part.add(Placement(list.begin(), middle));
    part_by_part.add(Placement(middle, list.end()));
    ASSERT_EQ(shares_of(one_by_one), list);
    ASSERT_EQ(shares_of(part_by_part), list);
    ASSERT_EQ(one_by_one, part_by_part);
    ASSERT_EQ(one_by_one.size(), list.size());
    ASSERT_EQ(node_count(one_by_one), nodes_of(one_by_one).size());
    std::stable_sort(list.begin(), list.end(),
                     [](const NodeTasks& a, const NodeTasks& b) { return a.node < b.node; });
    sort_by_node(one_by_one);
    ASSERT_EQ(shares_of(one_by_one), list);
  }
}

}  // namespace
}  // namespace maui
