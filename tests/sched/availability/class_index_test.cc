#include "sched/availability/class_index.h"

#include <gtest/gtest.h>

#include "maui/access_list.h"
#include "maui/request.h"
#include "sched/availability/availability.h"
#include "support/availability_edits.h"

namespace maui::availability {
namespace {

constexpr std::uint32_t kReservation = 0;

NodeRuns node(std::uint32_t number) { return NodeRuns(NodeRun{number, number + 1}); }

/// Three nodes of one processor, and a class that the reservation admits.
class ClassIndexTest : public testing::Test {
 protected:
  ClassIndexTest() {
    NodeKind kind;
    kind.whole = Resources(1);
    model.begin(std::vector<std::uint32_t>(3, model.tables().kind(kind)), now);
    QuestionClass admitted;
    admitted.access.usual = NodeAccess::shared;
    admitted.serves = {1};
    admitted.terms = {{kReservation, kUnlimited, Affinity::positive}};
    question.of = model.class_of(admitted);
    question.duration = question.stay = Seconds(10);
  }
  Block whole_node() {
    return {kReservation, kAlways, kForever, model.tables().amount(Resources(1))};
  }
  /// Its processor is taken in a thousand seconds and some.
  Use use_later(int more) {
    Use use;
    use.start = now + Seconds(1000);
    use.end = use.start + Seconds(more);
    use.amount = model.tables().amount(Resources(1));
    use.access = NodeAccess::shared;
    return use;
  }
  bool has_nodes_for(int tasks) {
    question.tasks = tasks;
    return model.choose(question, now, {}).has_value();
  }

  Time now{100};
  Availability model;
  Question question;
};

TEST_F(ClassIndexTest, NodesOfAGroupThatReusesTheNumberOfAReservedGroupCountOnce) {
  block(model, node(0), whole_node());
  const auto reserved = model.groups().group_of(0);
  EXPECT_TRUE(has_nodes_for(3));
  unblock(model, node(0), whole_node());
  EXPECT_EQ(model.room_now(question), 3);
  // Timelines that only a trial had are forgotten, and the reserved one with them.
  constexpr int kMany = 400;
  {
    const Availability::Trial trial(model);
    for (int i = 1; i < kMany; ++i) {
      hold(model, node(2), use_later(i));
      release(model, node(2), use_later(i));
    }
  }
  model.advance(now);
  const Availability::Trial trial(model);
  for (int i = 1; i < 2 * kMany && model.groups().group_of(1) != reserved; ++i) {
    if (i > 1) release(model, node(1), use_later(i - 1));
    hold(model, node(1), use_later(i));
  }
  ASSERT_EQ(model.groups().group_of(1), reserved);
  EXPECT_TRUE(has_nodes_for(3));
  EXPECT_FALSE(has_nodes_for(4));
}

TEST_F(ClassIndexTest, TheFirstNodeToBeTakenThatStaysLongEnoughIsChosen) {
  Preference by_time;
  by_time.by_time = true;
  hold(model, node(0), use_later(1));
  const auto chosen = [&] { return model.choose(question, now, by_time)->front().node.raw(); };
  EXPECT_EQ(chosen(), 0U) << "the others stay free for ever";
  question.duration = Seconds(1000);
  EXPECT_EQ(chosen(), 0U) << "it ends as the other begins";
  question.duration = Seconds(1001);
  EXPECT_EQ(chosen(), 2U);
  question.duration = kUnlimited;
  EXPECT_EQ(chosen(), 2U);
  release(model, node(0), use_later(1));
  hold(model, node(1), use_later(1));
  question.duration = Seconds(10);
  EXPECT_EQ(chosen(), 1U);
}

TEST_F(ClassIndexTest, AClassThatWasOnlyAskedAboutNowCanBeAskedAboutLater) {
  Use until_later = use_later(1);
  until_later.end = until_later.start;
  until_later.start = kAlways;
  hold(model, NodeRuns(NodeRun{0, 3}), until_later);
  EXPECT_EQ(model.room_now(question), 0);
  question.tasks = 3;
  EXPECT_EQ(model.earliest(question, now), until_later.end);
  EXPECT_TRUE(model.choose(question, until_later.end, {}).has_value());
  release(model, node(1), until_later);
  EXPECT_EQ(model.room_now(question), 1);
  question.tasks = 2;
  EXPECT_EQ(model.earliest(question, now), until_later.end);
}

TEST_F(ClassIndexTest, ReadsWhatHappensWhereItsReservationStands) {
  EXPECT_EQ(model.room_now(question), 3);
  block(model, node(0), whole_node());
  hold(model, node(1), use_later(1));
  EXPECT_EQ(model.room_now(question), 3);
  {
    const Availability::Trial trial(model);
    Use use = use_later(1);
    use.start = kAlways;
    hold(model, node(0), use);
    EXPECT_EQ(model.room_now(question), 2);
  }
  EXPECT_EQ(model.room_now(question), 3);
  unblock(model, node(0), whole_node());
  block(model, node(2), whole_node());
  EXPECT_EQ(model.room_now(question), 3);
}

}  // namespace
}  // namespace maui::availability
