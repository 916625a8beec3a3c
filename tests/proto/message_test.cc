#include "proto/message.h"

#include <gtest/gtest.h>

#include "proto/checksum.h"
#include "proto/replay.h"

namespace maui {
namespace {

const std::string kSecret(64, 'a');

TEST(ChecksumTest, IsHmacSha256) {  // RFC 4231, test case 2
  EXPECT_EQ(checksum("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

TEST(ChecksumTest, IsTheSameOnlyIfEveryDigitIs) {
  EXPECT_TRUE(same_checksum("abc", "abc"));
  EXPECT_FALSE(same_checksum("abc", "abd"));
  EXPECT_FALSE(same_checksum("abc", "abcd"));
  EXPECT_FALSE(same_checksum("", "a"));
}

TEST(RandomDigitsTest, DrawTwoDigitsAByteAndNotTheSameTwice) {
  const auto drawn = random_digits(32);
  EXPECT_EQ(drawn.size(), 64u);
  EXPECT_EQ(drawn.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_NE(drawn, random_digits(32));
}

TEST(MessageTest, ComesBackAsItWent) {
  const auto made = sign(kSecret, {1234, "amy"}, "{\"command\": \"showq\"} DT=x\n");
  EXPECT_EQ(made.text.substr(0, 3), "CK=");
  const auto message = parse_message(made.text);
  ASSERT_TRUE(message) << message.error().what;
  EXPECT_EQ(message->timestamp, 1234);
  EXPECT_EQ(message->user, "amy");
  EXPECT_EQ(message->in_reply_to, "");
  EXPECT_EQ(message->data, "{\"command\": \"showq\"} DT=x\n");
  EXPECT_TRUE(authentic(*message, kSecret));
}

TEST(MessageTest, AReplyNamesItsRequestUnderTheChecksum) {
  auto made = sign(kSecret, {.timestamp = 1, .user = "maui", .in_reply_to = "cafe"}, "x");
  const auto reply = parse_message(made.text);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->in_reply_to, "cafe");
  made.text.replace(made.text.find("RE=cafe"), 7, "RE=beef");
  const auto forged = parse_message(made.text);
  ASSERT_TRUE(forged);
  EXPECT_FALSE(authentic(*forged, kSecret));
}

TEST(MessageTest, AChallengeComesUnderTheChecksum) {
  auto made = sign(kSecret, {.timestamp = 1, .user = "amy", .challenge = "cafe"}, "CH=beef");
  const auto message = parse_message(made.text);
  ASSERT_TRUE(message);
  EXPECT_EQ(message->challenge, "cafe");
  EXPECT_EQ(message->data, "CH=beef");
  made.text.replace(made.text.find("CH=cafe"), 7, "CH=beef");
  const auto forged = parse_message(made.text);
  ASSERT_TRUE(forged);
  EXPECT_FALSE(authentic(*forged, kSecret));
}

TEST(MessageTest, AnyChangedByteBehindTheChecksumShows) {
  const auto made = sign(kSecret, {99, "amy"}, "showq");
  for (std::size_t i = made.text.find(' ') + 1; i < made.text.size(); ++i) {
    auto text = made.text;
    text[i] = static_cast<char>(text[i] ^ 1);
    const auto message = parse_message(text);
    EXPECT_FALSE(message && authentic(*message, kSecret)) << text;
  }
}

TEST(MessageTest, AnotherSecretIsRefused) {
  const auto message = parse_message(sign(kSecret, {1, "amy"}, "x").text);
  ASSERT_TRUE(message);
  EXPECT_FALSE(authentic(*message, std::string(64, 'b')));
}

TEST(MessageTest, NothingIsAuthenticWithoutASecret) {
  const auto made = sign("", {1, "amy"}, "x");
  EXPECT_EQ(made.checksum, kNoChecksum);
  const auto message = parse_message(made.text);
  ASSERT_TRUE(message);
  EXPECT_FALSE(authentic(*message, ""));
}

TEST(MessageTest, SaysWhichFieldIsMissing) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "a message begins with CK=<checksum>"},
      {"CK=1", "a message begins with CK=<checksum>"},
      {"CK=1 AUTH=a DT=", "CK= is followed by TS=<epoch seconds>"},
      {"CK=1 TS=x AUTH=a DT=", "TS= is not a time in epoch seconds"},
      {"CK=1 TS=-5 AUTH=a DT=", "TS= is not a time in epoch seconds"},
      {"CK=1 TS=99999999999999999999 AUTH=a DT=", "TS= is not a time in epoch seconds"},
      {"CK=1 TS=1 DT=", "TS= is followed by AUTH=<user>"},
      {"CK=1 TS=1 AUTH= DT=", "TS= is followed by AUTH=<user>"},
      {"CK=1 TS=1 AUTH=a ", "AUTH= is followed by DT=<data>"},
  };
  for (const auto& [text, reason] : cases) {
    const auto message = parse_message(text);
    ASSERT_FALSE(message) << text;
    EXPECT_EQ(message.error().what, reason) << text;
  }
}

TEST(ReplayGuardTest, AdmitsAMessageOnceWithinTheWindow) {
  ReplayGuard guard(Seconds(300), 0);
  EXPECT_TRUE(guard.admit("a", 1000, 1000));
  EXPECT_FALSE(guard.admit("a", 1000, 1299));
  EXPECT_TRUE(guard.admit("b", 1000, 1299));
}

TEST(ReplayGuardTest, RefusesWhatIsTooOldOrFromTheFuture) {
  ReplayGuard guard(Seconds(300), 0);
  EXPECT_TRUE(guard.admit("a", 700, 1000));
  EXPECT_TRUE(guard.admit("b", 1300, 1000));
  const auto old = guard.admit("c", 699, 1000);
  ASSERT_FALSE(old);
  EXPECT_EQ(old.verdict, Freshness::Verdict::refused);
  EXPECT_EQ(old.why, "its time is 301 seconds behind the server's; CLIENTMAXSKEW allows 300");
  EXPECT_FALSE(guard.admit("d", 1301, 1000));
  EXPECT_FALSE(guard.admit("e", std::int64_t{1} << 62, 1000));
}

TEST(ReplayGuardTest, ForgetsAfterADayAndLetsNothingForgottenIn) {
  ReplayGuard guard(Seconds(10), 0);
  constexpr int kHour = 3600;
  for (int t = 0; t < 1000; ++t) ASSERT_TRUE(guard.admit(std::to_string(t), t * kHour, t * kHour));
  EXPECT_LE(guard.size(), 25u);
  EXPECT_FALSE(guard.admit("5", 5 * kHour, 5 * kHour)) << "the clock was set back";
}

TEST(ReplayGuardTest, AClockThatIsSetBackAdmitsOnlyNewMessages) {
  ReplayGuard guard(Seconds(300), 0);
  for (const int t : {6000, 7000, 10000}) ASSERT_TRUE(guard.admit(std::to_string(t), t, t));
  EXPECT_FALSE(guard.admit("6000", 6000, 6400 - 200));
  EXPECT_FALSE(guard.admit("7000", 7000, 6800));
  EXPECT_TRUE(guard.admit("new", 6400, 6400));
}

TEST(ReplayGuardTest, AWiderWindowLetsNothingForgottenIn) {
  ReplayGuard guard(Seconds(10), 0);
  ASSERT_TRUE(guard.admit("a", 100, 100));
  ASSERT_TRUE(guard.admit("b", 200000, 200000));  // forgets "a"
  guard.set_window(Seconds(1000000));
  EXPECT_FALSE(guard.admit("a", 100, 200000));
}

TEST(ReplayGuardTest, ItForgetsTheOldestSecondBeforeItHoldsTooMuch) {
  ReplayGuard guard(Seconds(300), 0, 10);
  for (int i = 0; i < 6; ++i) ASSERT_TRUE(guard.admit("a" + std::to_string(i), 100, 100));
  for (int i = 0; i < 6; ++i) ASSERT_TRUE(guard.admit("b" + std::to_string(i), 101, 101));
  EXPECT_EQ(guard.size(), 6U);
  EXPECT_FALSE(guard.admit("a0", 100, 101)) << "forgotten, so it is not known to be new";
  EXPECT_FALSE(guard.admit("new", 100, 101));
  EXPECT_FALSE(guard.admit("b5", 101, 101));
  EXPECT_TRUE(guard.admit("new", 101, 101));
}

TEST(ReplayGuardTest, DoubtsWhatWasSignedBeforeTheServerListenedThoughItsListIsComplete) {
  ReplayGuard guard(Seconds(300), 1000);
  guard.begin_at(500);
  const auto early = guard.admit("a", 990, 1001);
  EXPECT_EQ(early.verdict, Freshness::Verdict::unknown);
  EXPECT_EQ(early.why, "it was signed 10 seconds before the time from which messages count");
  EXPECT_TRUE(guard.admit("b", 1000, 1001));
  guard.begin_at(1010);
  EXPECT_FALSE(guard.admit("c", 1009, 1011));
  EXPECT_TRUE(guard.admit("d", 1010, 1011));
}

TEST(ReplayGuardTest, DoubtsWhatWasMadeBeforeTheServerStarted) {
  ReplayGuard guard(Seconds(300), 1000);
  EXPECT_FALSE(guard.admit("a", 999, 1001));
  EXPECT_TRUE(guard.admit("b", 1000, 1001));
}

}  // namespace
}  // namespace maui
