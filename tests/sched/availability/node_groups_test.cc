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

/// A timeline of kind 0 with one use that goes on until then.
NodeTimeline used_until(int end) {
  Use use;
  use.end = Time(end);
  NodeTimeline timeline;
  timeline.add(use);
  return timeline;
}

TEST_F(NodeGroupsTest, ManyRunsGetTheirTimelinesAtOnce) {
  hold(nodes(4, 6), 100, 300);
  groups.set(std::vector<NodeGroups::Assigned>{{{0, 2}, used_until(200)},
                                               {{3, 4}, used_until(300)},
                                               {{5, 6}, used_until(200)},
                                               {{8, 9}, used_until(200)}});
  NodeRuns until_200 = nodes(0, 2), until_300 = nodes(3, 5), free = nodes(2, 3);
  until_200.add(nodes(5, 6)), until_200.add(nodes(8, 9));
  free.add(nodes(6, 8)), free.add(nodes(9, 10));
  EXPECT_EQ(groups.filled(), 3U);
  for (const auto& expected : {until_200, until_300, free})
    for (const auto run : expected.runs())
      for (auto node = run.first; node < run.end; ++node)
        EXPECT_EQ(groups.group(groups.group_of(node)).nodes, expected) << node;
}

TEST_F(NodeGroupsTest, ReadersOfTheLogSeeManyRunsMove) {
  hold(nodes(0, 2), 100, 300);
  const auto read = groups.log_end();
  groups.set(std::vector<NodeGroups::Assigned>{
      {{0, 2}, used_until(200)}, {{3, 4}, used_until(300)}, {{6, 7}, used_until(300)}});
  std::vector<int> grown(groups.end(), 0);
  for (const auto& change : groups.log(read)) grown[change.group] += change.nodes;
  EXPECT_EQ(grown[groups.group_of(0)], 2);
  EXPECT_EQ(grown[groups.group_of(3)], 0) << "two left it, two came";
  EXPECT_EQ(grown[groups.group_of(9)], -2);
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

TEST_F(NodeGroupsTest, WhatATrialTakesAndGivesBackIsNoChangeInAll) {
  const auto read = groups.log_end();
  const auto begun = groups.begin_trial();
  hold(nodes(2, 6), 120, 180);
  hold(nodes(3, 4), 120, 180);
  EXPECT_FALSE(groups.log(read).empty());  // read, so that it is not taken back
  groups.undo_trial(begun);
  ASSERT_FALSE(groups.log(read).empty());
  EXPECT_TRUE(groups.net(groups.log(read)).empty());
}

TEST_F(NodeGroupsTest, ManyChangesOfAGroupAreOneInAll) {
  const auto read = groups.log_end();
  hold(nodes(0, 2), 100, 200);
  hold(nodes(4, 7), 100, 200);
  const auto net = groups.net(groups.log(read));
  ASSERT_EQ(net.size(), 2U);
  EXPECT_EQ(net[0].group, groups.group_of(9));
  EXPECT_EQ(net[0].nodes, -5);
  EXPECT_EQ(net[1].group, groups.group_of(0));
  EXPECT_EQ(net[1].nodes, 5);
}

}  // namespace
}  // namespace maui::availability
