#include "base/host_range.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace maui {
namespace {

using testing::ElementsAre;
using Names = std::vector<std::string>;

Names expanded(std::string_view item) {
  const auto names = expand_hosts(item);
  return names ? *names : Names{"refused"};
}

TEST(HostRangeTest, ANameStandsForItself) { EXPECT_THAT(expanded("node1"), ElementsAre("node1")); }

TEST(HostRangeTest, BracketsHoldRangesOfTheWidthTheyAreWrittenWith) {
  EXPECT_THAT(expanded("n[008-011]"), ElementsAre("n008", "n009", "n010", "n011"));
  EXPECT_THAT(expanded("n[8-11]"), ElementsAre("n8", "n9", "n10", "n11"));
  EXPECT_THAT(expanded("n[1,03]x"), ElementsAre("n1x", "n03x"));
}

TEST(HostRangeTest, SeveralBracketsGiveEveryCombination) {
  EXPECT_THAT(expanded("r[1-2]n[1-2,5]"),
              ElementsAre("r1n1", "r1n2", "r1n5", "r2n1", "r2n2", "r2n5"));
}

TEST(HostRangeTest, RefusesInvalidRanges) {
  for (const auto item :
       {"n[", "n]", "n[]", "n[2-1]", "n[a-b]", "n[1-]", "n[1-2", "n[1,,2]", "n[+1-2]", "n[1-2-3]"})
    EXPECT_THAT(expanded(item), ElementsAre("refused")) << item;
}

TEST(HostRangeTest, MoreThanAMillionNamesAreRefused) {
  EXPECT_EQ(expanded("n[0-999999]").size(), 1000000U);
  for (const auto item :
       {"n[0-1000000]", "n[0-4294967295]", "n[0-999999,0-999999,0-999999]", "a[0-9999]b[0-999]"})
    EXPECT_THAT(expanded(item), ElementsAre("refused")) << item;
}

TEST(HostRangeTest, NamesThatCountUpBecomeARange) {
  EXPECT_THAT(compress_hosts(Names{"n008", "n009", "n010", "m1", "n12"}),
              ElementsAre("n[008-010]", "m1", "n12"));
}

TEST(HostRangeTest, NamesOfOtherWidthOrOrderDoNot) {
  EXPECT_THAT(compress_hosts(Names{"n9", "n10", "n10", "n8"}),
              ElementsAre("n9", "n10", "n10", "n8"));
}

TEST(HostRangeTest, CompressedHostsExpandToTheSameNames) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    Names names;
    int number = 0;
    while (names.size() < 30) {
      number += random() % 4 == 0 ? static_cast<int>(random() % 50) : 1;
      auto digits = std::to_string(number);
      if (digits.size() < 3) digits.insert(0, 3 - digits.size(), '0');
      names.push_back((random() % 8 == 0 ? "m" : "n") + digits);
    }
    Names again;
    for (const auto& item : compress_hosts(names))
      for (auto& name : expanded(item)) again.push_back(std::move(name));
    ASSERT_EQ(again, names);
  }
}

TEST(HostRange, NamesAreCountedWithoutBeingMade) {
  EXPECT_EQ(count_hosts("n1"), 1U);
  EXPECT_EQ(count_hosts("r[1-20]n[1-50]"), 1000U);
  EXPECT_EQ(count_hosts("a[0-4294967295]b[0-4294967295]c[0-4294967295]"), 1000000000U)
      << "so many are enough to say no";
  EXPECT_EQ(count_hosts("n[1-1000000,x]"), 1000001U) << "what is wrong may be long, too";
  EXPECT_EQ(count_hosts("a[1-1000]:[1-1000]"), 1000000U) << "as it is expanded";
}

TEST(HostRange, AListStandsForSoManyNamesAtMost) {
  const auto names = expand_host_list("n[1-2],m:r[1-2]n[1-2]", 7);
  ASSERT_TRUE(names);
  EXPECT_EQ(*names, (Names{"n1", "n2", "m", "r1n1", "r1n2", "r2n1", "r2n2"}));
  const auto more = expand_host_list("n[1-2],m:r[1-2]n[1-2]", 6);
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().what, "it names 7 hosts: expected at most 6");
  std::string many;  // gigabytes of names, which are not made
  for (int i = 0; i < 5000; ++i) many += fmt::format("a{}x[0-999999],", i);
  EXPECT_FALSE(expand_host_list(many, 1'000'000));
  EXPECT_FALSE(expand_host_list("n[1-", 10)) << "each is a right one";
}

TEST(HostRange, TheFirstNameIsFoundWithoutTheOthers) {
  for (const std::string item : {"n1", "n[003-120,7]", "r[2,5]n[01-16]x", "r[7]-s,t[1-2]"})
    EXPECT_EQ(*first_host(item), expanded(item).front()) << item;
  EXPECT_EQ(*first_host("n[0001-4000000000]"), "n0001") << "of more than are ever made";
  EXPECT_FALSE(first_host("n[x-2]"));
  EXPECT_FALSE(first_host("n[1-2"));
}

TEST(HostRange, ManyLongNamesAreNotMade) {
  const std::string longest(250, 'n');
  EXPECT_EQ(expanded(longest + "[1-3]").size(), 3U);
  for (const std::string& item : {longest + "nnnnnn[1-3]", "n[1-3]" + longest + "nnnnnn"})
    EXPECT_FALSE(expand_hosts(item)) << item;
  EXPECT_TRUE(expand_hosts(std::string(1000, 'n'))) << "a name that stands for itself";
}

TEST(HostRange, ItemsStandBetweenSeparatorsThatAreNotInBrackets) {
  std::string_view list = "a[1,2],b:c";
  EXPECT_EQ(take_item(list, ','), "a[1,2]");
  EXPECT_EQ(take_item(list, ','), "b:c");
  EXPECT_TRUE(list.empty());
}

}  // namespace
}  // namespace maui
