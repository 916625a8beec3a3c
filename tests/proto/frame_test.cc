#include "proto/frame.h"

#include <gtest/gtest.h>

#include <random>

namespace maui {
namespace {

std::string frame_of(std::string_view message) {
  auto frame = encode_frame(std::string(message));
  EXPECT_TRUE(frame);
  return *frame;
}

TEST(FrameTest, BeginsWithEightDigitsAndOneCharacter) {
  EXPECT_EQ(frame_of("hello"), "00000005 hello");
  EXPECT_EQ(frame_of(""), "00000000 ");
}

TEST(FrameTest, RefusesAMessageThatEightDigitsCannotAnnounce) {
  const auto frame = encode_frame(std::string(kMaxMessage + 1, 'x'));
  ASSERT_FALSE(frame);
  EXPECT_NE(frame.error().what.find("99999999"), std::string::npos);
}

TEST(FrameDecoderTest, GivesMessagesHoweverTheBytesAreCut) {
  const std::string bytes = frame_of("first") + frame_of("") + frame_of("second\n");
  for (std::size_t step = 1; step <= bytes.size(); ++step) {
    FrameDecoder decoder;
    std::vector<std::string> got;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
      decoder.feed(std::string_view(bytes).substr(at, step));
      for (;;) {
        auto next = decoder.next();
        ASSERT_TRUE(next);
        if (!*next) break;
        got.push_back(**next);
      }
    }
    EXPECT_EQ(got, (std::vector<std::string>{"first", "", "second\n"})) << "step " << step;
    EXPECT_FALSE(decoder.inside_frame());
  }
}

TEST(FrameDecoderTest, TakesAnyCharacterAfterTheSizeAsTheGuideDoes) {
  FrameDecoder decoder;
  decoder.feed("00000002\nhi");
  auto next = decoder.next();
  ASSERT_TRUE(next && *next);
  EXPECT_EQ(**next, "hi");
}

TEST(FrameDecoderTest, SaysWhatMemoryItKeepsForFurtherMessages) {
  FrameDecoder decoder;
  decoder.feed(frame_of(std::string(50'000, 'x')));
  ASSERT_TRUE(*decoder.next());
  EXPECT_GE(decoder.held(), 50'000U);
  decoder.feed(frame_of(std::string(500'000, 'x')));
  ASSERT_TRUE(*decoder.next());
  EXPECT_LT(decoder.held(), 100U) << "the memory of a large one is given back";
}

TEST(FrameDecoderTest, AllocatesOnceForAFrameWhoseSizeItKnows) {
  FrameDecoder decoder;
  decoder.feed("00900000 x");
  ASSERT_FALSE(*decoder.next());
  const auto held = decoder.held();
  EXPECT_GE(held, 900'009U);
  for (int i = 0; i < 8; ++i) {
    decoder.feed(std::string(100'000, 'x'));
    ASSERT_FALSE(*decoder.next());
    EXPECT_EQ(decoder.held(), held);
  }
}

TEST(FrameDecoderTest, RefusesAtTheFirstByteThatIsNoDigit) {
  FrameDecoder decoder;
  decoder.feed("0x");
  EXPECT_FALSE(decoder.next());
  decoder.feed("00000002 hi");
  EXPECT_FALSE(decoder.next()) << "it stays refused";
}

TEST(FrameDecoderTest, RefusesASizeAboveTheLimitBeforeTheMessageComes) {
  FrameDecoder decoder(100);
  decoder.feed("00000101");
  const auto next = decoder.next();
  ASSERT_FALSE(next);
  EXPECT_EQ(next.error().what, "a frame of 101 bytes is above the limit of 100");
}

TEST(FrameDecoderTest, SurvivesAnyBytesAndNeverGivesMoreThanItWasFed) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    FrameDecoder decoder(64);
    std::size_t fed = 0, given = 0;
    for (int piece = 0; piece < 20; ++piece) {
      std::string bytes(random() % 12, '0');
      for (char& c : bytes) c = static_cast<char>("000000001 x\xff"[random() % 12]);
      decoder.feed(bytes);
      fed += bytes.size();
      for (auto next = decoder.next(); next && *next; next = decoder.next())
        given += (*next)->size() + 9;
    }
    ASSERT_LE(given, fed);
  }
}

}  // namespace
}  // namespace maui
