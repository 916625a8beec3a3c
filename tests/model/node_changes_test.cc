// News of nodes that changed, as readers get it.
#include "maui/node_changes.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace maui {
namespace {

using Runs = std::vector<NodeRun>;

TEST(NodeChanges, ReportsChangesAfterARevision) {
  NodeChanges changes;
  EXPECT_EQ(changes.since(0), Runs());
  changes.note(NodeId(7U));
  const auto read = changes.revision();
  changes.note(NodeId(8U));
  changes.note(NodeId(3U));
  changes.note(NodeId(8U));
  EXPECT_EQ(changes.since(0), (Runs{{3, 4}, {7, 9}}));
  EXPECT_EQ(changes.since(read), (Runs{{3, 4}, {8, 9}}));
  EXPECT_EQ(changes.since(changes.revision()), Runs());
}

TEST(NodeChanges, ManyNodesInOrderAreOneRowWhereverAReaderStopped) {
  NodeChanges changes;
  changes.note({0, 50'000});
  const auto read = changes.revision();
  for (std::uint32_t node = 50'000; node < 100'000; ++node) changes.note(NodeId(node));
  EXPECT_EQ(changes.since(0), (Runs{{0, 100'000}}));
  EXPECT_EQ(changes.since(read), (Runs{{50'000, 100'000}}));
}

TEST(NodeChanges, DetectsAReaderTooFarBehind) {
  NodeChanges changes;
  changes.note(NodeId(1U));
  const auto early = changes.revision();
  for (std::size_t i = 0; i < 3 * NodeChanges::kKept; ++i)
    changes.note(NodeId(static_cast<std::uint32_t>(i % 2 * 2)));
  EXPECT_EQ(changes.since(early), std::nullopt);
  EXPECT_EQ(changes.since(changes.revision() - NodeChanges::kKept), (Runs{{0, 1}, {2, 3}}));
}

TEST(NodeChanges, EqualASetOfAllChangesInRandomHistories) {
  std::mt19937 random(11);
  for (int round = 0; round < 50; ++round) {
    NodeChanges changes;
    std::vector<std::uint32_t> history;  // by revision - 1
    for (int step = 0; step < 300; ++step) {
      const auto first = static_cast<std::uint32_t>(random() % 20);
      const auto end = first + static_cast<std::uint32_t>(random() % 4);
      changes.note({first, end});
      for (auto node = first; node < end; ++node) history.push_back(node);
      ASSERT_EQ(changes.revision(), history.size());
      const auto since = random() % (history.size() + 1);
      std::set<std::uint32_t> told,
          wanted(history.begin() + static_cast<std::ptrdiff_t>(since), history.end());
      const auto runs = changes.since(since);
      ASSERT_TRUE(runs);
      for (const NodeRun& run : *runs)
        for (auto node = run.first; node < run.end; ++node)
          ASSERT_TRUE(told.insert(node).second) << "node " << node << " twice";
      ASSERT_EQ(told, wanted);
    }
  }
}

}  // namespace
}  // namespace maui
