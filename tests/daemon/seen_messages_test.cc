// A message that has counted once counts no second time, whatever became of the server.
#include "daemon/clients/seen_messages.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

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
  EXPECT_EQ(back.set_back(6401), "");
  EXPECT_TRUE(back.admit("by the clock as it is", 6401, 6402)) << "the other start is to come";
  EXPECT_FALSE(back.admit("signed while the port was a stranger's", 10001, 10011));
  EXPECT_EQ(back.admit("another", 10000, 10100).error().what,
            "it was signed 2 seconds before an earlier server began to listen");
  EXPECT_TRUE(back.admit("new", 10100, 10100));
  SeenMessages last(kWindow, 7000);
  ASSERT_TRUE(last.open(file)) << "the clock was set back once more";
  EXPECT_FALSE(last.admit("signed while the port was a stranger's", 10001, 10011));
}

TEST_F(SeenMessagesTest, IfTheClockWasSetBackTheRefusalNamesTheRemedy) {
  { ASSERT_TRUE(SeenMessages(kWindow, 1000).open(file)); }
  SeenMessages ahead(kWindow, 4700);
  ASSERT_TRUE(ahead.open(file));
  EXPECT_EQ(ahead.set_back(4700), "");
  EXPECT_EQ(ahead.admit("a", 4690, 4710).error().what,
            "it was signed 10 seconds before the server began to listen");
  const std::string why =
      "; since the clock has been set back, all are refused for 3600 s: start the scheduler again";
  EXPECT_EQ(ahead.set_back(1100), why);
  EXPECT_EQ(ahead.admit("b", 1090, 1100).error().what,
            "it was signed 3610 seconds before the server began to listen" + why);
  EXPECT_EQ(ahead.admit("c", 0, 1100).error().what,
            "its time is 1100 seconds behind the server's; CLIENTMAXSKEW allows 300");
  SeenMessages again(kWindow, 1100);
  ASSERT_TRUE(again.open(file));
  EXPECT_EQ(again.set_back(1100), "");
  EXPECT_TRUE(again.admit("d", 1100, 1100));
}

TEST_F(SeenMessagesTest, IfTheRecordBeganWhileTheClockWasAheadItIsRemovedByHand) {
  { ASSERT_TRUE(SeenMessages(kWindow, 4700).open(file)); }
  const std::string why =
      "; since the clock has been set back, all are refused for 3600 s: end the scheduler, remove "
      "maui.seen, change SECRET, and start again";
  {
    SeenMessages again(kWindow, 1100);
    ASSERT_TRUE(again.open(file));
    EXPECT_EQ(again.set_back(1100), why);
    EXPECT_EQ(again.admit("a", 1100, 1100).error().what,
              "its time is 3600 seconds earlier than the server's record of messages" + why);
  }
  std::filesystem::remove(file);
  SeenMessages anew(kWindow, 1100);
  ASSERT_TRUE(anew.open(file));
  EXPECT_TRUE(anew.admit("a", 1100, 1100));
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
