#include "engine/reports/manager_contact.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

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

TEST(ManagerContact, NothingIsKnownOfTheTimeInWhichItDidNotAnswer) {
  ManagerContact managers;
  managers.note_failure("a");
  EXPECT_EQ(managers.last_known("a", Time(5)), Time(5)) << "it has never been heard";
  managers.note_heard("a", Time(10));
  EXPECT_EQ(managers.last_known("a", Time(15)), Time(15));
  managers.note_failure("a");
  managers.note_failure("a");
  managers.set_silent({"a"});
  managers.note_heard("a", Time(20));
  EXPECT_EQ(managers.last_known("a", Time(25)), Time(10));
  managers.clock_stepped(Seconds(100));
  EXPECT_EQ(managers.last_known("a", Time(125)), Time(110));
  managers.set_silent({});
  managers.note_heard("a", Time(130));
  EXPECT_EQ(managers.last_known("a", Time(135)), Time(135));
}

TEST(ManagerContact, AfterTheClockWasSetBackTheLastAnswerIsKnownByBothClocks) {
  ManagerContact managers;
  managers.note_heard("a", Time(30));
  EXPECT_EQ(managers.heard_before("a"), std::nullopt);
  managers.clock_stepped(Seconds(-5));
  EXPECT_EQ(managers.heard("a"), Time(25));
  EXPECT_EQ(managers.heard_before("a"), Time(30));
  managers.clock_stepped(Seconds(-10));
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
  EXPECT_TRUE(ended.find("job", "a", at - Seconds(50) + kClocks));
  EXPECT_FALSE(ended.find("job", "a", at - Seconds(49) + kClocks));
  EXPECT_FALSE(ended.find("other", "a", at));
  managers.note_heard("a", at + kClocks + kClocks);
  ended.forget(managers, at + kClocks + kClocks + kClocks);
  EXPECT_TRUE(ended.find("job", "a", at)) << "it is silent since";
  managers.note_heard("a", at + kClocks + kClocks + Seconds(1));
  ended.forget(managers, at + kClocks + kClocks + Seconds(1));
  EXPECT_FALSE(ended.find("job", "a", at));
}

TEST(LatelyEnded, ALookUpExaminesNoOtherJobAndForgettingOnlyWhatIsForgotten) {
  LatelyEnded ended;
  ManagerContact managers;
  const Time at{100000};
  constexpr int kMany = 1000;
  for (int i = 0; i < kMany; ++i) ended.add({at, "job." + std::to_string(i), at, "silent"});
  for (int i = 0; i < kMany; ++i) EXPECT_TRUE(ended.find("job." + std::to_string(i), "silent", at));
  EXPECT_EQ(ended.examined(), kMany);
  managers.note_heard("silent", at);
  const Time later = at + kClocks + kClocks + Seconds(1);
  managers.note_heard("a", later);
  ended.add({at, "old", at, "a"});
  ended.add({later, "new", later, "a"});
  const std::size_t before = ended.examined();
  ended.forget(managers, later);
  EXPECT_EQ(ended.examined() - before, 3) << "the oldest that stay, and the one that goes";
  EXPECT_FALSE(ended.find("old", "a", at));
  EXPECT_TRUE(ended.find("new", "a", later));
  EXPECT_EQ(ended.all().size(), kMany + 1);
}

TEST(LatelyEnded, OfOneJobOnlyTheLastEndIsKeptAndOfOneNameTheLastIsFound) {
  LatelyEnded ended;
  const Time at{100000};
  ended.add({at, "job", at, "a", at});
  ended.add({at, "job", at, "a", at + Seconds(5)});
  EXPECT_EQ(ended.all().size(), 1);
  EXPECT_EQ(ended.find("job", "a", at)->ran_until, at + Seconds(5));
  ended.add({at, "job", at - Seconds(1), "a", at + Seconds(9)});
  ended.note_given_up();
  EXPECT_TRUE(ended.find("job", "a", at + Seconds(1))->given_up);
  EXPECT_FALSE(ended.find("job", "a", at)->given_up) << "it was submitted then";
  EXPECT_EQ(ended.all().size(), 2);
}

TEST(LatelyEnded, JobsOfTheSameNameOfTwoManagersAreTwo) {
  LatelyEnded ended;
  const Time at{100000};
  ended.add({at, "job", at, "a", at});
  EXPECT_FALSE(ended.find("job", "b", at));
  ended.add({at, "job", at, "b", at + Seconds(5)});
  EXPECT_EQ(ended.find("job", "a", at)->ran_until, at);
  EXPECT_EQ(ended.find("job", "b", at)->ran_until, at + Seconds(5));
  ended.add({at, "earlier", at, ""});
  EXPECT_TRUE(ended.find("earlier", "a", at)) << "version 2 did not tell the manager";
  const std::set<std::string> configured{"b", "c"};
  EXPECT_FALSE(ended.find_renamed("job", "amy", at, configured));
  ended.add({.accounted = at, .name = "job", .submitted = at, .manager = "a", .user = "amy"});
  EXPECT_EQ(ended.find_renamed("job", "amy", at, configured)->manager, "a") << "renamed";
  EXPECT_FALSE(ended.find_renamed("job", "amy", at + Seconds(1), configured));
  EXPECT_FALSE(ended.find_renamed("job", "amy", at, {"a", "b"}));
}

}  // namespace
}  // namespace maui
