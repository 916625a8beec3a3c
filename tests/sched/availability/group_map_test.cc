// The group of each node, against a list of all nodes.
#include "sched/availability/group_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/random_runs.h"

namespace maui::availability {
namespace {

TEST(GroupMapProperty, KnowsTheGroupOfEachNode) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    maui::test::RandomRuns chance(seed);
    const std::uint32_t nodes = 1 + chance.below(seed % 10 == 0 ? 5000 : 200);
    GroupMap map;
    map.begin(nodes, 0);
    std::vector<std::uint32_t> expected(nodes, 0);
    for (int step = 0; step < 60; ++step) {
      const auto run = chance.run(nodes);
      const auto group = chance.below(4);
      map.assign(run, group);
      std::fill(expected.begin() + run.first, expected.begin() + run.end, group);
      for (std::uint32_t node = 0; node < nodes; node += 1 + chance.below(nodes / 100 + 1)) {
        const auto segment = map.segment_of(node);
        ASSERT_EQ(segment.group, expected[node]);
        ASSERT_TRUE(segment.nodes.first <= node && node < segment.nodes.end);
        ASSERT_TRUE(std::all_of(expected.begin() + segment.nodes.first,
                                expected.begin() + segment.nodes.end,
                                [&](std::uint32_t value) { return value == segment.group; }));
      }
    }
  }
}

}  // namespace
}  // namespace maui::availability
