#include "maui/seldom.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace maui {
namespace {

struct Amounts {
  int used = 0, most = 7;
  friend bool operator==(const Amounts&, const Amounts&) = default;
};

TEST(SeldomTest, TakesTheRoomOfAPointer) { EXPECT_EQ(sizeof(Seldom<Amounts>), sizeof(void*)); }

TEST(SeldomTest, ReadsAsTheDefaultUntilItIsSet) {
  Seldom<Amounts> amounts;
  EXPECT_TRUE(amounts.empty());
  EXPECT_EQ(amounts->most, 7);
  amounts = Amounts{1, 2};
  EXPECT_FALSE(amounts.empty());
  EXPECT_EQ(amounts, (Amounts{1, 2}));
  amounts.clear();
  EXPECT_EQ(amounts, Amounts{});
}

TEST(SeldomTest, IsEmptyOnceItIsSetToTheDefault) {
  Seldom<std::string> text = std::string("x");
  text = std::string_view();
  EXPECT_TRUE(text.empty());
}

TEST(SeldomTest, ACopyHasAValueOfItsOwn) {
  Seldom<std::string> text = std::string("first");
  const Seldom<std::string> copy = text;
  text = "second";
  EXPECT_EQ(copy, "first");
  EXPECT_EQ(text, "second");
  text = copy;
  EXPECT_EQ(text, copy);
}

TEST(SeldomTest, MovesItsValue) {
  Seldom<std::string> text = std::string("first");
  const Seldom<std::string> moved = std::move(text);
  EXPECT_EQ(moved, "first");
}

TEST(SeldomTest, MayBeSetToWhatItHolds) {
  Seldom<std::string> text = std::string("itself");
  text = text.get();
  EXPECT_EQ(text, "itself");
}

}  // namespace
}  // namespace maui
