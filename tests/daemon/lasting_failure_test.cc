#include "daemon/logging/lasting_failure.h"

#include <gtest/gtest.h>

namespace maui::test {
namespace {

TEST(LastingFailureTest, IsSaidWhenItBeginsWhenItsReasonChangesAndWhenItIsOver) {
  LastingFailure failure("it is written again");
  EXPECT_EQ(failure.note(Done{}), std::nullopt);
  EXPECT_EQ(failure.note(Error{"no space"}), "ALERT: no space");
  EXPECT_EQ(failure.note(Error{"no space"}), std::nullopt);
  EXPECT_EQ(failure.note(Error{"read-only"}), "ALERT: read-only");
  EXPECT_EQ(failure.note(Done{}), "it is written again");
  EXPECT_EQ(failure.note(Done{}), std::nullopt);
}

}  // namespace
}  // namespace maui::test
