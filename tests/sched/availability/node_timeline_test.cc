#include "sched/availability/node_timeline.h"

#include <gtest/gtest.h>

namespace maui::availability {
namespace {

Use use(int start, int end, std::uint32_t amount = 0) {
  Use made;
  made.start = Time(start);
  made.end = Time(end);
  made.amount = amount;
  return made;
}

TEST(NodeTimeline, IsEqualWhateverTheOrderInWhichItCameAbout) {
  NodeTimeline a, b;
  a.add(use(5, 9));
  a.add(use(5, 7, 1));
  a.add(Block{2, Time(3), Time(4), 0});
  a.add(Block{1, Time(3), Time(4), 0});
  b.add(Block{1, Time(3), Time(4), 0});
  b.add(use(5, 7, 1));
  b.add(Block{2, Time(3), Time(4), 0});
  b.add(use(1, 2));
  b.add(use(5, 9));
  EXPECT_TRUE(b.remove(use(1, 2)));
  EXPECT_FALSE(b.remove(use(1, 2)));
  EXPECT_EQ(a, b);
  EXPECT_EQ(a.hash(), b.hash());
}

TEST(NodeTimeline, ForgetsWhenWhatIsPastBegan) {
  NodeTimeline a, b;
  a.add(use(3, 20));
  b.add(use(5, 20));
  a.advance(Time(5));
  b.advance(Time(5));
  EXPECT_EQ(a, b);
  EXPECT_EQ(a.uses().front().start, kAlways);
  EXPECT_EQ(a.first_moment(), Time(20));
}

TEST(NodeTimeline, KeepsAUserWhoseTimeIsUpButNoReservation) {
  NodeTimeline timeline;
  timeline.add(use(3, 20));
  timeline.add(Block{1, Time(3), Time(20), 0});
  timeline.advance(Time(20));
  ASSERT_EQ(timeline.uses().size(), 1U);
  EXPECT_EQ(timeline.uses().front().end, kOverdue);
  EXPECT_TRUE(timeline.blocks().empty());
  EXPECT_EQ(timeline.first_moment(), kForever);
  EXPECT_EQ(resolved(kOverdue, Time(30)), Time(31));
}

}  // namespace
}  // namespace maui::availability
