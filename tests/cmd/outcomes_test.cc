#include "cmd/outcomes.h"

#include <gtest/gtest.h>

namespace maui {
namespace {

TEST(OutcomesTest, OneThatIsDoneIsEnough) {
  EXPECT_TRUE(something_done({{"a", false, "it is down"}, {"b", true, ""}}));
}

TEST(OutcomesTest, IfNothingIsDoneEachReasonIsGivenOnce) {
  const Status nothing = something_done(
      {{"a", false, "it is down"}, {"b", false, "it is unknown"}, {"c", false, "it is down"}});
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().what, "it is down\nit is unknown");
}

}  // namespace
}  // namespace maui
