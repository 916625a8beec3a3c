#include "learning/run_time_learning.h"

#include <gtest/gtest.h>

namespace maui {
namespace {

TEST(RunTimeLearningTest, OldRunsAreForgottenOnceADay) {
  constexpr Seconds kDay(kDaySeconds);
  Cluster cluster;
  Settings settings;
  settings.learning.use = LearningUse::none;
  settings.learning.history_age = kDay * 160;
  RunTimeLearning learning;
  const Time ended = Time(0) + kDay * 1000;
  learning.learn({"amy", "", 1, Seconds(3600)}, Seconds(100), ended);
  const Time start = ended + settings.learning.history_age;
  learning.refresh(cluster, settings, start);
  EXPECT_GT(learning.history().rings(), 0U);
  learning.refresh(cluster, settings, start + kDay);
  EXPECT_EQ(learning.history().rings(), 0U);
}

}  // namespace
}  // namespace maui
