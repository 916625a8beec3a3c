#include "base/outside_text.h"

#include <gtest/gtest.h>

namespace maui {
namespace {

const std::string kHostile =
    "a\x1b[2J\x07\nb\x7f \xC2\x9B"
    "31m\xE2\x80\xAE"
    "evil\xFF\xC3\xA9";

TEST(OutsideText, NothingThatATerminalFollowsIsLeft) {
  EXPECT_EQ(printable(kHostile), "a?[2J??b? ?31m?evil?\xC3\xA9");
  EXPECT_EQ(printable("plain \xE6\x97\xA5 text"), "plain \xE6\x97\xA5 text");
}

TEST(OutsideText, LinesOfOurOwnStayLines) {
  EXPECT_EQ(printable_lines("one\n\ttwo\r\x1b\n"), "one\n\ttwo??\n");
}

TEST(OutsideText, EveryByteAndEveryPairOfBytesIsMadePrintable) {
  for (int first = 0; first < 256; ++first)
    for (int second = 0; second < 256; ++second) {
      const std::string made =
          printable(std::string{static_cast<char>(first), static_cast<char>(second)});
      for (const char c : made) EXPECT_GE(static_cast<unsigned char>(c), 0x20U);
      EXPECT_EQ(printable(made), made);
    }
}

TEST(OutsideText, LongTextIsCutBetweenCharacters) {
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shortened("abcd", 3), "abc...");
  EXPECT_EQ(shortened("ab\xC3\xA9", 3), "ab...");
  EXPECT_EQ(shortened("\x80\x80\x80", 2), "...");
}

}  // namespace
}  // namespace maui
