#include "model/told_suspension.h"

#include <gtest/gtest.h>

namespace maui {
namespace {

TEST(ToldSuspension, IsPartOfTheRun) {
  EXPECT_EQ(told_suspension(Seconds(0), Time(100), Time(100)), Seconds(0));
  EXPECT_EQ(told_suspension(Seconds(50), Time(100), Time(160)), Seconds(50));
  EXPECT_EQ(told_suspension(Seconds(60), Time(100), Time(160)), Seconds(60));
  EXPECT_EQ(told_suspension(Seconds(62), Time(100), Time(160)), Seconds(60)) << "rounded up";
  EXPECT_EQ(told_suspension(Seconds(63), Time(100), Time(160)), std::nullopt);
  EXPECT_EQ(told_suspension(Seconds(63), Time(200), Time(160)), std::nullopt);
  EXPECT_EQ(told_suspension(Seconds(63), kForever, Time(160)), std::nullopt);
  EXPECT_EQ(told_suspension(kUnlimited, Time(0), Time(160)), std::nullopt);
}

}  // namespace
}  // namespace maui
