// Sets of nodes, against sets of single numbers.
#include "model/node_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "support/random_runs.h"

namespace maui {
namespace {

using Set = std::set<std::uint32_t>;

Set nodes_of(const NodeRuns& runs) {
  Set all;
  for (const auto run : runs.runs())
    for (auto node = run.first; node < run.end; ++node) all.insert(node);
  return all;
}

void expect_same(const NodeRuns& runs, const Set& nodes) {
  ASSERT_EQ(nodes_of(runs), nodes);
  ASSERT_EQ(runs.size(), static_cast<int>(nodes.size()));
  for (std::size_t i = 1; i < runs.runs().size(); ++i)
    ASSERT_LT(runs.runs()[i - 1].end, runs.runs()[i].first) << "runs adjoin";
}

TEST(NodeRuns, JoinsRunsThatAdjoin) {
  NodeRuns some(NodeRun{4, 6});
  some.add(NodeRun{8, 9});
  some.add(NodeRun{6, 8});
  EXPECT_EQ(some, NodeRuns(NodeRun{4, 9}));
}

TEST(NodeRunsProperty, IsTheSetOfItsNodes) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    test::RandomRuns chance(seed);
    const std::uint32_t nodes = 10 + chance.below(150);
    NodeRuns kept;
    Set expected;
    for (int step = 0; step < 40; ++step) {
      const auto other = chance.runs(nodes, chance.below(3) == 0 ? 14 : 2);
      const auto others = nodes_of(other);
      Set both;
      std::set_intersection(expected.begin(), expected.end(), others.begin(), others.end(),
                            std::inserter(both, both.end()));
      ASSERT_NO_FATAL_FAILURE(expect_same(kept.common(other), both));
      ASSERT_EQ(kept.common_size(other), static_cast<int>(both.size()));
      if (chance.below(2) == 0) {
        kept.add(other);
        expected.insert(others.begin(), others.end());
      } else {
        kept.remove(other);
        for (const auto node : both) expected.erase(node);
      }
      ASSERT_NO_FATAL_FAILURE(expect_same(kept, expected));
      for (std::uint32_t node = 0; node < nodes; ++node)
        ASSERT_EQ(kept.contains(node), expected.contains(node));
      const auto count =
          static_cast<int>(chance.below(static_cast<std::uint32_t>(kept.size() + 1)));
      ASSERT_NO_FATAL_FAILURE(expect_same(
          kept.lowest(count), Set(expected.begin(), std::next(expected.begin(), count))));
      ASSERT_NO_FATAL_FAILURE(
          expect_same(kept.highest(count), Set(std::prev(expected.end(), count), expected.end())));
    }
  }
}

}  // namespace
}  // namespace maui
