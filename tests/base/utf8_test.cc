#include "base/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace maui {
namespace {

void expect_character(std::string_view text, std::uint32_t code) {
  const auto read = first_character(std::string(text) + "\x80rest");
  EXPECT_TRUE(read.valid) << text;
  EXPECT_EQ(read.code, code) << text;
  EXPECT_EQ(read.bytes, text.size()) << text;
}

void expect_none(std::string_view text) {
  const auto read = first_character(text);
  EXPECT_FALSE(read.valid) << text;
  EXPECT_EQ(read.code, static_cast<unsigned char>(text.front())) << text;
  EXPECT_EQ(read.bytes, 1U) << text;
}

TEST(Utf8, TheLeastAndTheGreatestOfEachLengthAreCharacters) {
  expect_character(std::string_view("\0", 1), 0);
  expect_character("\x7F", 0x7F);
  expect_character("\xC2\x80", 0x80);
  expect_character("\xDF\xBF", 0x7FF);
  expect_character("\xE0\xA0\x80", 0x800);
  expect_character("\xED\x9F\xBF", 0xD7FF);
  expect_character("\xEE\x80\x80", 0xE000);
  expect_character("\xEF\xBF\xBF", 0xFFFF);
  expect_character("\xF0\x90\x80\x80", 0x10000);
  expect_character("\xF4\x8F\xBF\xBF", 0x10FFFF);
}

TEST(Utf8, OverlongFormsAreNoCharacters) {
  expect_none("\xC0\xAF");
  expect_none("\xC1\xBF");
  expect_none("\xE0\x9F\xBF");
  expect_none("\xF0\x8F\xBF\xBF");
}

TEST(Utf8, SurrogatesAndCodePointsBeyondTheLastAreNoCharacters) {
  expect_none("\xED\xA0\x80");
  expect_none("\xED\xBF\xBF");
  expect_none("\xF4\x90\x80\x80");
  expect_none("\xF5\x80\x80\x80");
  expect_none("\xFF");
}

TEST(Utf8, PartsOfCharactersAreNoCharacters) {
  expect_none("\x80");
  expect_none("\xBF rest");
  expect_none("\xC3");
  expect_none("\xC3(");
  expect_none("\xE6\x97");
  expect_none("\xF0\x90\x80(");
}

}  // namespace
}  // namespace maui
