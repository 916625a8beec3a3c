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
    admitted.access = NodeAccess::shared;
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

TEST_F(ClassIndexTest, NodesOfAGroupWhoseNumberHadBeenThatOfAReservedOneCountOnce) {
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

}  // namespace
}  // namespace maui::availability
