#include "base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/enum_names.h"

namespace maui {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(NamesAllTest, AllIsWrittenInTwoWays) {
  EXPECT_TRUE(names_all("ALL"));
  EXPECT_TRUE(names_all("[ALL]"));
  EXPECT_TRUE(names_all("[all]"));
  EXPECT_FALSE(names_all("all")) << "a user may have this name";
}

TEST(TextTest, TrimmingTakesBlanksFromBothEnds) {
  EXPECT_EQ(trimmed(" \ta b\r\n"), "a b");
  EXPECT_EQ(trimmed(" \t "), "");
}

TEST(TextTest, SplittingKeepsEmptyParts) {
  EXPECT_THAT(split("a::b", ':'), ElementsAre("a", "", "b"));
  EXPECT_THAT(split("", ':'), ElementsAre(""));
  EXPECT_THAT(split(":", ':'), ElementsAre("", ""));
}

TEST(TextTest, WordsStandBetweenRunsOfBlanks) {
  EXPECT_THAT(words("  a \t b\r"), ElementsAre("a", "b"));
  EXPECT_THAT(words(" \t"), IsEmpty());
}

TEST(TextTest, WordsAreTheSameButForCase) {
  EXPECT_TRUE(same_word("FirstFit", "FIRSTFIT"));
  EXPECT_FALSE(same_word("FIRST", "FIRSTFIT"));
  EXPECT_EQ(upper("aB1"), "AB1");
  EXPECT_EQ(lower("aB1"), "ab1");
}

TEST(TextTest, WordsGoWithTheNumberOfThings) {
  EXPECT_EQ(counted(0, "job"), "0 jobs");
  EXPECT_EQ(counted(1U, "job"), "1 job");
  EXPECT_EQ(by_number(1U, "is", "are"), "is");
  EXPECT_EQ(by_number(0, "is", "are"), "are");
  EXPECT_EQ(by_number(-1, "is", "are"), "are");
}

TEST(TextTest, JoiningPutsTheSeparatorBetween) {
  EXPECT_EQ(join(std::vector<std::string>{"a", "b"}, ", "), "a, b");
  EXPECT_EQ(join({}, ","), "");
}

TEST(TextTest, LinesMayBeToldOnOneLine) {
  EXPECT_EQ(on_one_line("a is held\nb is held\n"), "a is held; b is held");
  EXPECT_EQ(on_one_line("a"), "a");
  EXPECT_EQ(on_one_line(""), "");
}

TEST(TextTest, AnIntegerIsTheWholeTextOrNothing) {
  EXPECT_EQ(parse_integer<int>("+12"), 12);
  EXPECT_EQ(parse_integer<int>("-12"), -12);
  EXPECT_EQ(parse_integer<int>("12x"), std::nullopt);
  EXPECT_EQ(parse_integer<int>(""), std::nullopt);
  EXPECT_EQ(parse_integer<int>(" 1"), std::nullopt);
  EXPECT_EQ(parse_integer<std::uint8_t>("256"), std::nullopt);
  EXPECT_EQ(parse_integer<std::uint8_t>("-1"), std::nullopt);
  EXPECT_EQ(parse_integer<int>("ff", 16), 255);
}

TEST(TextTest, ANumberIsFinite) {
  EXPECT_EQ(parse_number("2.5e3"), 2500.0);
  EXPECT_EQ(parse_number("inf"), std::nullopt);
  EXPECT_EQ(parse_number("nan"), std::nullopt);
  EXPECT_EQ(parse_number("1e999"), std::nullopt);
  EXPECT_EQ(parse_number("1,5"), std::nullopt);
}

TEST(TextTest, WholeNumbersOfAnyLengthAreNumbers) {
  EXPECT_EQ(parse_number("0"), 0.0);
  EXPECT_EQ(parse_number("+007"), 7.0);
  EXPECT_EQ(parse_number("-123456789"), -123456789.0);
  EXPECT_EQ(parse_number("12345678901234567890"), 12345678901234567890.0);
  EXPECT_TRUE(std::signbit(parse_number("-0").value()));
  for (const auto wrong : {"", "-", "+", "+-1", "--1", "12a", "1 2"})
    EXPECT_EQ(parse_number(wrong), std::nullopt) << wrong;
}

TEST(TextTest, TheNearestWordIsAMisspellingOrNone) {
  const std::vector<std::string_view> known{"FIRSTFIT", "BESTFIT", "GREEDY"};
  EXPECT_EQ(nearest("firstfitt", known), "FIRSTFIT");
  EXPECT_EQ(nearest("BESTFTI", known), "BESTFIT");
  EXPECT_EQ(nearest("quite-else", known), "");
  const std::vector<std::string_view> limits{"MAXJOBPERACCOUNT", "MAXJOBPERUSER",
                                             "MAXJOBPERUSERPOLICY"};
  EXPECT_EQ(nearest("MAXJOBPERUSERCOUNT", limits), "MAXJOBPERUSER") << "it only goes on";
  EXPECT_EQ(nearest("MaxJobPerUserPolcy", limits), "MAXJOBPERUSERPOLICY");
  EXPECT_EQ(nearest(std::string(1'000'000, 'F'), known), "") << "much longer than any";
}

enum class Colour { red, blue };
constexpr EnumName<Colour> kColours[] = {
    {Colour::red, "RED"}, {Colour::red, "CRIMSON"}, {Colour::blue, "BLUE"}};
constexpr std::span<const EnumName<Colour>> kTable(kColours);

TEST(EnumNamesTest, TheFirstNameOfAValueIsShownAndAnyIsRead) {
  EXPECT_EQ(name_of(kTable, Colour::red), "RED");
  EXPECT_EQ(value_of(kTable, "crimson"), Colour::red);
  EXPECT_EQ(value_of(kTable, "green"), std::nullopt);
}

TEST(NamesAllTest, AllMayBeMeantInAnyCase) {
  for (const char* all : {"ALL", "all", "[ALL]", "[all]"})
    EXPECT_TRUE(names_all_in_any_case(all)) << all;
  for (const char* other : {"", "ALLn", "[ALL", "n[1-2]"})
    EXPECT_FALSE(names_all_in_any_case(other)) << other;
}

}  // namespace
}  // namespace maui
