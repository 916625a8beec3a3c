// Programs that wait: whose turn it is, and who gives way.
#include "daemon/programs/program_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace maui::test {
namespace {

using testing::ElementsAre;
using testing::Pair;

class ProgramQueueTest : public testing::Test {
 protected:
  ProgramQueue::Place add(const std::string& party, const std::string& what) {
    SiteCall call{"/notify", {what}, "JOBHOLD", party};
    call.once = true;
    return queue.add(std::move(call));
  }
  std::vector<std::string> take(int most, bool urgent_only = false) {
    std::vector<std::string> taken;
    for (int i = 0; i < most; ++i)
      if (const auto call = queue.next(urgent_only)) taken.push_back(call->arguments.front());
    return taken;
  }

  ProgramQueue queue{10};
};

TEST_F(ProgramQueueTest, TheSchedulerHasEveryOtherTurnAndUsersTakeTurns) {
  for (const char* what : {"a1", "a2", "a3", "a4"}) add("amy", what);
  for (const char* what : {"b1", "b2"}) add("bob", what);
  for (const char* what : {"s1", "s2", "s3"}) add("", what);
  EXPECT_THAT(take(9), ElementsAre("s1", "a1", "s2", "b1", "s3", "a2", "b2", "a3", "a4"));
  EXPECT_TRUE(queue.empty());
}

TEST_F(ProgramQueueTest, ANewEventOfTheSchedulerIsNextHoweverManyOthersWait) {
  for (int i = 0; i < 9; ++i) add("amy", std::to_string(i));
  EXPECT_EQ(take(2).size(), 2U);
  add("", "node down");
  EXPECT_THAT(take(1), ElementsAre("node down"));
}

TEST_F(ProgramQueueTest, TriggersComeFirst) {
  add("", "node down");
  queue.add({"/trigger", {"t"}, "TRIGGER", {}, nullptr, /*urgent=*/true});
  EXPECT_THAT(take(2, /*urgent_only=*/true), ElementsAre("t"));
  EXPECT_THAT(take(1), ElementsAre("node down"));
}

TEST_F(ProgramQueueTest, WhatStillWaitsIsNotRepeated) {
  using Place = ProgramQueue::Place;
  EXPECT_EQ(add("amy", "a"), Place::taken);
  EXPECT_EQ(add("amy", "a"), Place::merged);
  EXPECT_EQ(add("amy", "b"), Place::taken);
  EXPECT_THAT(take(1), ElementsAre("a"));
  EXPECT_EQ(add("amy", "a"), Place::taken) << "it has begun meanwhile";
  EXPECT_EQ(queue.size(), 2U);
}

TEST_F(ProgramQueueTest, ThePartyWithMostPlacesGivesWay) {
  using Place = ProgramQueue::Place;
  for (int i = 0; i < 10; ++i) EXPECT_EQ(add("amy", std::to_string(i)), Place::taken);
  EXPECT_EQ(add("amy", "10"), Place::refused);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(add("", "s" + std::to_string(i)), Place::taken);
  EXPECT_EQ(add("bob", "b"), Place::taken);
  EXPECT_EQ(queue.size(), 10U);
  for (int i = 4; i < 7; ++i) add("", "s" + std::to_string(i));
  EXPECT_EQ(add("amy", "11"), Place::refused);
  EXPECT_THAT(queue.take_left_out(), ElementsAre(Pair("", testing::Gt(0U)), Pair("amy", 7U)));
  EXPECT_EQ(queue.left_out(), 0U);
}

}  // namespace
}  // namespace maui::test
