#include "sched/availability/open_view.h"

#include <gtest/gtest.h>

#include <limits>

namespace maui {
namespace {

constexpr long long kUnknown = std::numeric_limits<long long>::max();

TEST(RoomBoundsTest, WhatFittedForAWhileIsTheMostThatFitsForLonger) {
  RoomBounds bounds;
  EXPECT_EQ(bounds.most(Seconds(10)), kUnknown);
  bounds.note(Seconds(10), 7);
  EXPECT_EQ(bounds.most(Seconds(9)), kUnknown);
  EXPECT_EQ(bounds.most(Seconds(10)), 7);
  EXPECT_EQ(bounds.most(Seconds(11)), 7);
}

TEST(RoomBoundsTest, TheLeastThatIsKnownCounts) {
  RoomBounds bounds;
  bounds.note(Seconds(10), 7);
  bounds.note(Seconds(20), 5);
  bounds.note(Seconds(30), 6);  // says nothing that is not known
  EXPECT_EQ(bounds.most(Seconds(15)), 7);
  EXPECT_EQ(bounds.most(Seconds(30)), 5);
  bounds.note(Seconds(5), 5);
  EXPECT_EQ(bounds.most(Seconds(5)), 5);
  EXPECT_EQ(bounds.most(Seconds(15)), 5);
  bounds.note(Seconds(5), 3);
  EXPECT_EQ(bounds.most(Seconds(25)), 3);
  bounds.clear();
  EXPECT_EQ(bounds.most(Seconds(25)), kUnknown);
}

class OpenViewTest : public testing::Test {
 protected:
  OpenViewTest() { base.begin(0, 4, true); }
  static Profile free(int procs, Time full = kForever) {
    Profile profile;
    profile.reset(Time(0), Resources(procs), kElementary);
    if (full < kForever) profile.append(full, {}, Resources(0));
    return profile;
  }
  void place(OpenView& view, unsigned node, const Profile& worst) {
    view.place(NodeId(node), 0, PartitionId(0U), Attraction{}, worst);
  }
  OpenView base;
};

TEST_F(OpenViewTest, NodesWithTheSameAheadOfThemAreOneGroup) {
  place(base, 0, free(4));
  place(base, 1, free(4, Time(60)));
  place(base, 2, free(4));
  ASSERT_EQ(base.groups().size(), 2U);
  EXPECT_EQ(base.group_of(NodeId(0U)), base.group_of(NodeId(2U)));
  EXPECT_EQ(base.group_of(NodeId(0U))->size, 2);
  EXPECT_EQ(base.group_of(NodeId(1U))->full, Time(60));
  EXPECT_EQ(base.group_of(NodeId(0U))->beginning, base.group_of(NodeId(1U))->beginning);
  EXPECT_EQ(base.free_procs(), 12);
}

TEST_F(OpenViewTest, AGroupWithoutNodesIsNotWalked) {
  place(base, 0, free(4));
  place(base, 1, free(2));
  base.leave(NodeId(0U));
  ASSERT_EQ(base.groups().size(), 1U);
  EXPECT_EQ(base.group_of(NodeId(0U)), nullptr);
  EXPECT_EQ(base.free_procs(), 2);
  place(base, 0, free(4));
  EXPECT_EQ(base.groups().size(), 2U);
  place(base, 1, free(4));
  ASSERT_EQ(base.groups().size(), 1U);
  EXPECT_EQ(base.groups()[0].size, 2);
}

TEST_F(OpenViewTest, AViewOverTheBaseOwnsOnlyWhatItClaims) {
  OpenView view;
  view.begin(1, 4, false);
  view.claim(NodeId(2U));
  view.claim(NodeId(2U));
  EXPECT_EQ(view.claimed().size(), 1U);
  EXPECT_TRUE(view.owns(NodeId(2U)));
  EXPECT_FALSE(view.owns(NodeId(1U)));
  EXPECT_EQ(view.group_of(NodeId(1U)), nullptr);
  place(view, 2, free(4));
  EXPECT_TRUE(view.holds(view.group_of(NodeId(2U))->group, NodeId(2U)));
}

}  // namespace
}  // namespace maui
