// A message that has counted once counts no second time, whatever became of the server.
#include "daemon/clients/seen_messages.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "daemon/full_disk.h"
#include "daemon/temporary_directory.h"

namespace maui {
namespace {

constexpr Seconds kWindow{300};

struct SeenMessagesTest : testing::Test {
  TemporaryDirectory home;
  std::string file = home / "maui.seen";
};

TEST_F(SeenMessagesTest, AfterARestartNoMessageCountsAgain) {
  {
    SeenMessages first(kWindow, 1000);
    ASSERT_TRUE(first.open(file));
    ASSERT_TRUE(first.admit("same second", 1100, 1100));
    ASSERT_TRUE(first.admit("a clock ahead", 1350, 1100));
  }
  SeenMessages second(kWindow, 1100);
  ASSERT_TRUE(second.open(file));
  EXPECT_FALSE(second.admit("same second", 1100, 1100));
  EXPECT_FALSE(second.admit("a clock ahead", 1350, 1300));
  EXPECT_TRUE(second.admit("new", 1100, 1100));
}

TEST_F(SeenMessagesTest, NorDoesOneThatAStrangerKeptWhileNoSchedulerRan) {
  { ASSERT_TRUE(SeenMessages(kWindow, 1000).open(file)); }
  SeenMessages second(kWindow, 1100);
  ASSERT_TRUE(second.open(file));
  EXPECT_FALSE(second.admit("signed while the port was a stranger's", 1099, 1101));
  EXPECT_TRUE(second.admit("signed since", 1100, 1101));
}

TEST_F(SeenMessagesTest, NorIfTheClockWasSetBackBetween) {
  {
    SeenMessages first(kWindow, 10000);
    ASSERT_TRUE(first.open(file));
    ASSERT_TRUE(first.admit("a", 10100, 10100));
  }
  SeenMessages second(kWindow, 9900);
  ASSERT_TRUE(second.open(file));
  EXPECT_FALSE(second.admit("a", 10100, 9950));
}

TEST_F(SeenMessagesTest, NorDoWhatASchedulerBetweenRefusedIfTheClockWasSetBackForAStart) {
  { ASSERT_TRUE(SeenMessages(kWindow, 5000).open(file)); }
  {
    SeenMessages second(kWindow, 10000);
    ASSERT_TRUE(second.open(file));
    second.begin_at(10002);
    EXPECT_FALSE(second.admit("signed while the port was a stranger's", 10001, 10010));
  }
  SeenMessages back(kWindow, 6400);
  ASSERT_TRUE(back.open(file));
  back.begin_at(6401);
  EXPECT_EQ(back.admit("by the clock as it is", 6401, 6402).verdict, Freshness::Verdict::unknown);
  EXPECT_FALSE(back.admit("signed while the port was a stranger's", 10001, 10001));
  EXPECT_FALSE(back.admit("signed while the port was a stranger's", 10001, 10011));
  EXPECT_TRUE(back.admit("new", 10100, 10100));
  SeenMessages last(kWindow, 7000);
  ASSERT_TRUE(last.open(file)) << "the clock was set back once more";
  EXPECT_FALSE(last.admit("signed while the port was a stranger's", 10001, 10011));
}

TEST_F(SeenMessagesTest, IfTheClockWasSetBackNobodyKnowsWhetherAMessageIsNew) {
  { ASSERT_TRUE(SeenMessages(kWindow, 1000).open(file)); }
  SeenMessages ahead(kWindow, 4700);
  ASSERT_TRUE(ahead.open(file));
  const auto before = ahead.admit("a", 4690, 4710);
  EXPECT_EQ(before.verdict, Freshness::Verdict::unknown);
  EXPECT_EQ(before.why, "it was signed 10 seconds before the time from which messages count");
  const auto back = ahead.admit("b", 1090, 1100);
  EXPECT_EQ(back.verdict, Freshness::Verdict::unknown);
  EXPECT_EQ(back.why, "it was signed 3610 seconds before the time from which messages count");
  const auto old = ahead.admit("c", 0, 1100);
  EXPECT_EQ(old.verdict, Freshness::Verdict::refused);
  EXPECT_EQ(old.why, "its time is 1100 seconds behind the server's; CLIENTMAXSKEW allows 300");
  SeenMessages again(kWindow, 1100);
  ASSERT_TRUE(again.open(file));
  EXPECT_EQ(again.admit("d", 1100, 1100).verdict, Freshness::Verdict::unknown)
      << "the clock was ahead at an earlier start";
  EXPECT_TRUE(again.admit("d", 4700, 4700));
  EXPECT_EQ(again.admit("d", 4700, 4700).verdict, Freshness::Verdict::refused);
}

TEST_F(SeenMessagesTest, NorDoesHeKnowIfTheRecordBeganWhileTheClockWasAhead) {
  { ASSERT_TRUE(SeenMessages(kWindow, 4700).open(file)); }
  {
    SeenMessages again(kWindow, 1100);
    ASSERT_TRUE(again.open(file));
    const auto message = again.admit("a", 1100, 1100);
    EXPECT_EQ(message.verdict, Freshness::Verdict::unknown);
    EXPECT_EQ(message.why, "it was signed 3600 seconds before the time from which messages count");
  }
  std::filesystem::remove(file);
  SeenMessages anew(kWindow, 1100);
  ASSERT_TRUE(anew.open(file));
  EXPECT_TRUE(anew.admit("a", 1100, 1100));
}

TEST_F(SeenMessagesTest, WhatIsRefusedForItsTimeDoesNotCountWhenThatHasCome) {
  {
    SeenMessages first(kWindow, 1000);
    ASSERT_TRUE(first.open(file));
    EXPECT_EQ(first.admit("an hour ahead", 4700, 1100).verdict, Freshness::Verdict::refused);
    EXPECT_EQ(first.admit("another", 4701, 1100).verdict, Freshness::Verdict::refused);
    EXPECT_EQ(first.admit("an hour ahead", 4700, 4700).why, "it repeats an earlier message");
    EXPECT_EQ(first.admit("behind", 4000, 4700).verdict, Freshness::Verdict::refused);
    EXPECT_EQ(first.admit("behind", 4000, 4100).why, "it repeats an earlier message")
        << "the clock was set back";
  }
  SeenMessages second(kWindow, 1200);
  ASSERT_TRUE(second.open(file));
  EXPECT_EQ(second.admit("another", 4701, 4701).why, "it repeats an earlier message");
  EXPECT_TRUE(second.admit("new", 4701, 4701));
}

TEST_F(SeenMessagesTest, IfTheListIsLostWhatMayHaveCountedBeforeIsDoubted) {
  for (const std::string damage :
       {"", "maui messages", "maui messages seen since 1000\r\n", "maui messages seen since 10",
        "maui messages seen since 1000\nrubbish in between\n"}) {
    std::ofstream(file, std::ios::trunc) << damage;
    SeenMessages messages(kWindow, 1200);
    const auto continued = messages.open(file, 1501);
    ASSERT_TRUE(continued);
    EXPECT_FALSE(*continued) << damage;
    EXPECT_EQ(messages.admit("a clock ahead", 1500, 1300).verdict, Freshness::Verdict::unknown);
    EXPECT_TRUE(messages.admit("new", 1501, 1501));
  }
  std::filesystem::remove(file);
  SeenMessages messages(kWindow, 1200);
  EXPECT_FALSE(messages.open(file, 1501).value());
  EXPECT_EQ(messages.admit("a clock ahead", 1500, 1300).verdict, Freshness::Verdict::unknown);
  SeenMessages again(kWindow, 1250);
  EXPECT_TRUE(again.open(file, 2001).value());
  EXPECT_FALSE(again.admit("a clock ahead", 1500, 1300));
  EXPECT_TRUE(again.admit("new", 1501, 1501));
}

// The checkpoint keeps it, in case the list is lost.
TEST_F(SeenMessagesTest, TheirEndIsAfterAllThatCountedOrMayHaveBeenKept) {
  SeenMessages messages(kWindow, 1000);
  ASSERT_TRUE(messages.open(file));
  EXPECT_EQ(messages.end(), 1000);
  ASSERT_TRUE(messages.admit("a clock ahead", 1350, 1100));
  EXPECT_EQ(messages.end(), 1351);
  EXPECT_FALSE(messages.admit("a clock far ahead", 90000, 1100));
  EXPECT_EQ(messages.end(), 90001) << "its time may come";
  for (const auto never : {kForever.raw(), std::numeric_limits<std::int64_t>::max()})
    EXPECT_FALSE(messages.admit("never", never, 1100));
  EXPECT_EQ(messages.end(), 90001);
  SeenMessages next(kWindow, 1200);
  ASSERT_TRUE(next.open(file));
  EXPECT_EQ(next.end(), 90001);
}

TEST_F(SeenMessagesTest, WhatCannotBeRecordedIsDoubted) {
  SeenMessages messages(kWindow, 1000);
  ASSERT_TRUE(messages.open(file));
  const FullDisk full(std::filesystem::file_size(file));
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);
  EXPECT_EQ(messages.admit("a", 1100, 1100).verdict, Freshness::Verdict::unknown)
      << "it can be neither written nor removed";
}

TEST_F(SeenMessagesTest, WithoutAFileNothingCountsThatWasSignedBeforeTheStart) {
  SeenMessages first(kWindow, 1000);
  ASSERT_TRUE(first.open(file));
  EXPECT_FALSE(first.admit("a", 999, 1001));
  EXPECT_TRUE(first.admit("b", 1000, 1001));
}

TEST_F(SeenMessagesTest, AFileThatIsNotUnderstoodIsNone) {
  std::ofstream(file) << "rubbish\n1 2\n";
  SeenMessages first(kWindow, 1000);
  ASSERT_TRUE(first.open(file));
  EXPECT_FALSE(first.admit("a", 999, 1001));
}

TEST_F(SeenMessagesTest, AFailedWriteIsRepeatedLater) {
  {
    SeenMessages first(kWindow, 1000);
    ASSERT_TRUE(first.open(file));
    {
      const FullDisk full(std::filesystem::file_size(file));
      EXPECT_TRUE(first.admit("a", 1100, 1100));
      EXPECT_FALSE(first.admit("a", 1100, 1100));
    }
    EXPECT_TRUE(first.admit("b", 1200, 1200));
    EXPECT_TRUE(first.admit("a clock ahead", 1350, 1200));
  }
  SeenMessages second(kWindow, 1100);
  ASSERT_TRUE(second.open(file));
  EXPECT_FALSE(second.admit("a", 1100, 1200));
  EXPECT_FALSE(second.admit("b", 1200, 1200));
  EXPECT_FALSE(second.admit("a clock ahead", 1350, 1200));
}

TEST_F(SeenMessagesTest, WhatCouldNotBeWrittenCountsNoMoreAfterARestart) {
  {
    SeenMessages first(kWindow, 1000);
    ASSERT_TRUE(first.open(file));
    const FullDisk full(std::filesystem::file_size(file));
    EXPECT_TRUE(first.admit("a", 1100, 1100));
    EXPECT_TRUE(first.admit("b", 1200, 1200)) << "it is written anew in vain";
    EXPECT_FALSE(first.admit("a clock ahead", 1350, 1200));
    EXPECT_FALSE(std::filesystem::exists(file));
  }
  SeenMessages second(kWindow, 1201);
  ASSERT_TRUE(second.open(file));
  EXPECT_FALSE(second.admit("a", 1100, 1201));
  EXPECT_FALSE(second.admit("b", 1200, 1201));
}

TEST_F(SeenMessagesTest, TheFileDoesNotGrowForEver) {
  SeenMessages first(kWindow, 0);
  ASSERT_TRUE(first.open(file));
  constexpr int kMinute = 60, kMessages = 40'000;
  for (int i = 0; i < kMessages; ++i)
    ASSERT_TRUE(first.admit(std::to_string(i), i * kMinute, i * kMinute));
  EXPECT_LT(std::filesystem::file_size(file), 20'000U * 30);
}

}  // namespace
}  // namespace maui
