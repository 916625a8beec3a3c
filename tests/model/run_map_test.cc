// Values kept for runs of nodes equal those kept for each node.
#include "maui/run_map.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "maui/range_sums.h"

namespace maui {
namespace {

TEST(RunMap, EqualNeighboursAreOneRun) {
  RunMap<int> map;
  for (int i = 0; i < 6; ++i) map.push_back(i < 4 ? 1 : 2);
  EXPECT_EQ(map.run_of(0), (NodeRun{0, 4}));
  map.change({1, 3}, [](NodeRun, int& value) { value = 2; });
  EXPECT_EQ(map.run_of(0), (NodeRun{0, 1}));
  EXPECT_EQ(map.run_of(1), (NodeRun{1, 3}));
  map.change({3, 4}, [](NodeRun, int& value) { value = 2; });
  EXPECT_EQ(map.run_of(2), (NodeRun{1, 6}));
  map.change({0, 6}, [](NodeRun, int& value) { value = 3; });
  EXPECT_EQ(map.run_of(5), (NodeRun{0, 6}));
}

TEST(RunMap, EqualsAListThroughRandomChanges) {
  std::mt19937 random(7);
  for (int round = 0; round < 100; ++round) {
    RunMap<int> map;
    std::vector<int> list;
    for (int step = 0; step < 200; ++step) {
      if (list.size() < 3 || random() % 8 == 0) {
        list.push_back(static_cast<int>(random() % 3));
        map.push_back(list.back());
      }
      const auto first = static_cast<std::uint32_t>(random() % list.size());
      const auto end = first + 1 + static_cast<std::uint32_t>(random() % (list.size() - first));
      const int more = static_cast<int>(random() % 3);
      std::uint32_t at = first;
      map.change({first, end}, [&](NodeRun run, int& value) {
        ASSERT_EQ(run.first, at);
        at = run.end;
        value = (value + more) % 3;
      });
      ASSERT_EQ(at, end);
      for (auto node = first; node < end; ++node) list[node] = (list[node] + more) % 3;
      ASSERT_EQ(map.size(), list.size());
      for (std::uint32_t node = 0; node < list.size(); ++node) {
        ASSERT_EQ(map[node], list[node]);
        const NodeRun run = map.run_of(node);
        ASSERT_TRUE(run.first <= node && node < run.end);
        if (run.end < list.size()) {
          ASSERT_NE(list[run.end], list[node]);
        }
      }
    }
  }
}

TEST(RangeSums, EqualAListThroughRandomChanges) {
  std::mt19937 random(8);
  RangeSums sums;
  std::vector<std::int64_t> list;
  for (int step = 0; step < 2000; ++step) {
    if (list.size() < 2 || random() % 4 == 0) {
      list.push_back(0);
      sums.push_back();
    }
    const auto first = static_cast<std::uint32_t>(random() % list.size());
    const auto end = first + 1 + static_cast<std::uint32_t>(random() % (list.size() - first));
    const auto amount = static_cast<std::int64_t>(random() % 100) - 50;
    sums.add({first, end}, amount);
    for (auto node = first; node < end; ++node) list[node] += amount;
    for (std::uint32_t node = 0; node < list.size(); ++node) ASSERT_EQ(sums.at(node), list[node]);
  }
}

}  // namespace
}  // namespace maui
