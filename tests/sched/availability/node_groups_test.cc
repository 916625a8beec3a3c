#include "sched/availability/node_groups.h"

#include <gtest/gtest.h>

#include <numeric>

namespace maui::availability {
namespace {

NodeRuns nodes(std::uint32_t first, std::uint32_t end) { return NodeRuns(NodeRun{first, end}); }

/// Ten nodes of one kind at time 100.
class NodeGroupsTest : public testing::Test {
 protected:
  NodeGroupsTest() { groups.begin(std::vector<std::uint32_t>(10, 0), Time(100)); }
  void hold(const NodeRuns& some, int start, int end) {
    Use use;
    use.start = start <= 100 ? kAlways : Time(start);
    use.end = Time(end);
    groups.edit(some, [&](NodeTimeline& timeline) {
      timeline.add(use);
      return true;
    });
  }

  NodeGroups groups;
};

TEST_F(NodeGroupsTest, NodesThatBecomeEqualAreOneGroup) {
  hold(nodes(0, 3), 100, 200);
  hold(nodes(5, 7), 100, 200);
  EXPECT_EQ(groups.filled(), 2U);
  EXPECT_EQ(groups.group_of(0), groups.group_of(6));
  EXPECT_EQ(groups.group(groups.group_of(0)).nodes.size(), 5);
}

TEST_F(NodeGroupsTest, TimeThatPassesChangesOnlyNodesWhoseMomentIsPast) {
  hold(nodes(0, 3), 100, 200);
  hold(nodes(3, 5), 150, 200);
  const auto read = groups.log_end();
  groups.advance(Time(149));
  EXPECT_EQ(groups.log_end(), read);
  groups.advance(Time(150));
  EXPECT_EQ(groups.group_of(0), groups.group_of(4)) << "both are used until 200";
}

TEST_F(NodeGroupsTest, NotesByHowManyNodesEachGroupGrew) {
  const auto read = groups.log_end();
  hold(nodes(0, 3), 100, 200);
  int sum = 0;
  for (const auto& change : groups.log(read)) sum += change.nodes;
  EXPECT_EQ(groups.log(read).size(), 2U);
  EXPECT_EQ(sum, 0);
}

TEST_F(NodeGroupsTest, ATrialThatNobodySawLeavesNoTrace) {
  hold(nodes(0, 3), 100, 200);
  const auto read = groups.log_end();
  const auto begun = groups.begin_trial();
  hold(nodes(2, 6), 120, 180);
  groups.undo_trial(begun);
  EXPECT_EQ(groups.log_end(), read);
  EXPECT_EQ(groups.filled(), 2U);
  EXPECT_EQ(groups.group(groups.group_of(2)).nodes, nodes(0, 3));
}

TEST_F(NodeGroupsTest, ReadersOfTheLogSeeATrialBeUndone) {
  const auto begun = groups.begin_trial();
  auto read = groups.log_end();
  hold(nodes(2, 6), 120, 180);
  hold(nodes(3, 4), 120, 180);
  std::vector<int> sizes(groups.end() + 4, 0);
  const auto catch_up = [&] {
    for (const auto& change : groups.log(read)) sizes[change.group] += change.nodes;
    read = groups.log_end();
  };
  catch_up();
  groups.undo_trial(begun);
  catch_up();
  EXPECT_EQ(sizes, std::vector<int>(sizes.size(), 0));
}

}  // namespace
}  // namespace maui::availability
