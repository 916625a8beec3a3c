#include "base/percent.h"

#include <gtest/gtest.h>

#include <string>

namespace maui {
namespace {

TEST(Percent, EscapesSeparatorsOfWordsAndLines) {
  EXPECT_EQ(percent_escaped("a b\n%\x7f"), "a%20b%0A%25%7F");
  EXPECT_EQ(percent_escaped("a:b,c", ",:"), "a%3Ab%2Cc");
  EXPECT_EQ(percent_escaped("plain-1.name"), "plain-1.name");
}

TEST(Percent, LettersThatAreNotAsciiStayUnlessAsciiIsAskedFor) {
  EXPECT_EQ(percent_escaped("caf\xc3\xa9 1"), "caf\xc3\xa9%201");
  EXPECT_EQ(percent_escaped_ascii("caf\xc3\xa9 1:", ":"), "caf%C3%A9%201%3A");
}

// A user who prints such a file on a terminal is not to be led astray.
TEST(Percent, EscapesTerminalControls) {
  EXPECT_EQ(percent_escaped("a\xc2\x9b"
                            "31m\xe2\x80\xae\xff"),
            "a%C2%9B31m%E2%80%AE%FF");
}

TEST(Percent, EveryByteIsReadBack) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_EQ(percent_unescaped(percent_escaped(all)), all);
  EXPECT_EQ(percent_unescaped(percent_escaped_ascii(all)), all);
}

TEST(Percent, APercentSignBeforeNoDigitsStandsForItself) {
  EXPECT_EQ(percent_unescaped("100%"), "100%");
  EXPECT_EQ(percent_unescaped("%2"), "%2");
  EXPECT_EQ(percent_unescaped("%zz%41"), "%zzA");
}

}  // namespace
}  // namespace maui
