#include "sched/queue_forecast.h"

#include <gtest/gtest.h>

#include "support/scenario.h"

namespace maui {
namespace {

using namespace test;

constexpr std::size_t kAll = 1000;

Time start_of(const Cluster& cluster, const QueueForecast& forecast, const char* job) {
  for (const auto& one : forecast.starts)
    if (one.job == job_named(cluster, job)) return one.start;
  ADD_FAILURE() << job << " is not in the forecast";
  return kForever;
}

Scenario busy() {
  Scenario scenario;
  scenario.nodes(2, procs(1));
  scenario.job("runs").limit(hours(2)).running_on({{"n1", 1}});
  scenario.job("wide").tasks(2).limit(hours(1));
  scenario.job("narrow").limit(hours(2));
  scenario.job("long").limit(hours(4));
  return scenario;
}

TEST(QueueForecast, EachJobTakesTheEarliestPlaceThatThoseBeforeItLeave) {
  const Cluster cluster = busy().build();
  const auto forecast = forecast_queue(cluster, Settings(), kNow, kAll);
  EXPECT_TRUE(forecast.complete);
  EXPECT_EQ(start_of(cluster, forecast, "wide"), kNow + hours(2));
  EXPECT_EQ(start_of(cluster, forecast, "narrow"), kNow);
  EXPECT_EQ(start_of(cluster, forecast, "long"), kNow + hours(3));
}

TEST(QueueForecast, WhatNeverFitsNeverStarts) {
  const Cluster cluster = busy().job("huge").tasks(3).build();
  EXPECT_EQ(start_of(cluster, forecast_queue(cluster, Settings(), kNow, kAll), "huge"), kForever);
}

TEST(QueueForecast, LooksAtSoManyJobsOnly) {
  const Cluster cluster = busy().build();
  const auto forecast = forecast_queue(cluster, Settings(), kNow, 2);
  EXPECT_EQ(forecast.starts.size(), 2U);
  EXPECT_FALSE(forecast.complete);
}

TEST(QueueForecast, AReservationShiftsTheJobsThatItIsInTheWayOf) {
  const Cluster before = busy().build();
  const Cluster after =
      busy().reservation("r").on({"n2"}).from(kNow + hours(1)).until(hours(3)).build();
  const auto moved = shifts(forecast_queue(before, Settings(), kNow, kAll),
                            forecast_queue(after, Settings(), kNow, kAll));
  ASSERT_EQ(moved.size(), 3U);
  EXPECT_EQ(before.job(moved[0].job).name, "narrow");
  EXPECT_EQ(moved[0].before, kNow);
  EXPECT_EQ(moved[0].after, kNow + hours(4));
  EXPECT_EQ(before.job(moved[1].job).name, "wide");
  EXPECT_EQ(moved[1].after, kNow + hours(3));
  EXPECT_EQ(before.job(moved[2].job).name, "long");
}

TEST(QueueForecast, WhatStaysIsNoShift) {
  const Cluster cluster = busy().build();
  const auto forecast = forecast_queue(cluster, Settings(), kNow, kAll);
  EXPECT_TRUE(shifts(forecast, forecast).empty());
}

}  // namespace
}  // namespace maui
