#include "engine/reports/manager_contact.h"

#include <gtest/gtest.h>

#include "engine/accounts/lately_ended.h"

namespace maui {
namespace {

TEST(ManagerContact, AnAnswerIsCertainUnlessSomethingWasAskedForMeanwhile) {
  ManagerContact managers;
  managers.note_request();
  managers.poll_begins();
  managers.poll_answered({"a"});
  EXPECT_TRUE(managers.certain("a"));
  EXPECT_FALSE(managers.certain("b"));
  managers.poll_begins();
  managers.note_request();
  managers.poll_answered({"a"});
  EXPECT_FALSE(managers.certain("a"));
}

TEST(ManagerContact, ASilentResourceManagerIsNotHeard) {
  ManagerContact managers;
  managers.note_heard("a", Time(10));
  managers.set_silent({"a"});
  managers.note_heard("a", Time(20));
  EXPECT_TRUE(managers.silent("a"));
  EXPECT_EQ(managers.heard("a"), Time(10));
  EXPECT_EQ(managers.heard("b"), std::nullopt);
  managers.set_silent({});
  managers.note_heard("a", Time(30));
  EXPECT_EQ(managers.heard("a"), Time(30));
}

TEST(ManagerContact, AfterTheClockWasSetBackTheLastAnswerIsKnownByBothClocks) {
  ManagerContact managers;
  managers.note_heard("a", Time(30));
  EXPECT_EQ(managers.heard_before("a"), std::nullopt);
  managers.set_back(Seconds(-5));
  EXPECT_EQ(managers.heard("a"), Time(25));
  EXPECT_EQ(managers.heard_before("a"), Time(30));
  managers.set_back(Seconds(-10));
  managers.note_heard("a", Time(20));
  EXPECT_EQ(managers.heard_before("a"), Time(30)) << "answers may still have later times";
  managers.note_heard("a", Time(30));
  EXPECT_EQ(managers.heard_before("a"), std::nullopt);
}

TEST(LatelyEnded, AreForgottenWhenTheirManagerHasBeenHeardForTwiceTheDifferenceOfClocks) {
  LatelyEnded ended;
  ManagerContact managers;
  const Time at{100000};
  ended.add({at, "job", at - Seconds(50), "a"});
  EXPECT_TRUE(ended.find("job", at - Seconds(50) + kClocks));
  EXPECT_FALSE(ended.find("job", at - Seconds(49) + kClocks));
  EXPECT_FALSE(ended.find("other", at));
  managers.note_heard("a", at + kClocks + kClocks);
  ended.forget(managers, at + kClocks + kClocks + kClocks);
  EXPECT_TRUE(ended.find("job", at)) << "it is silent since";
  managers.note_heard("a", at + kClocks + kClocks + Seconds(1));
  ended.forget(managers, at + kClocks + kClocks + Seconds(1));
  EXPECT_FALSE(ended.find("job", at));
}

}  // namespace
}  // namespace maui
