#include "base/sorted.h"

#include <gtest/gtest.h>

namespace maui {
namespace {

TEST(Sorted, AValueIsAddedOnceWhereItBelongs) {
  std::vector<int> values;
  for (const int value : {5, 1, 3, 9}) EXPECT_TRUE(add_sorted(values, value));
  EXPECT_FALSE(add_sorted(values, 3));
  EXPECT_FALSE(add_sorted(values, 9));
  EXPECT_EQ(values, (std::vector<int>{1, 3, 5, 9}));
}

}  // namespace
}  // namespace maui
