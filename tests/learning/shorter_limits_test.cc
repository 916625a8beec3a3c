#include "learning/shorter_limits.h"

#include <gtest/gtest.h>

#include "support/scenario.h"

namespace maui {
namespace {

using test::hours;
using test::job_named;
using test::kNow;
using test::minutes;
using test::procs;
using test::Scenario;

RunDistribution seen(int times, double seconds, Seconds limit) {
  return RunDistribution({{seconds, 1.0}}, limit, times);
}

TEST(ShorterLimitsTest, IsWhatPeopleWouldAskFor) {
  const IntervalCalibration calibration;
  EXPECT_EQ(ShorterLimits::enough_for(seen(8, 1000, hours(10)), calibration), minutes(30));
  EXPECT_EQ(ShorterLimits::enough_for(seen(8, 130, hours(10)), calibration), minutes(3));
}

TEST(ShorterLimitsTest, IsNoneWhereLittleIsKnownOrLittleIsWon) {
  const IntervalCalibration calibration;
  EXPECT_EQ(ShorterLimits::enough_for(seen(3, 1000, hours(10)), calibration), kUnlimited);
  EXPECT_EQ(ShorterLimits::enough_for(seen(8, 1000, minutes(59)), calibration), kUnlimited);
  EXPECT_EQ(ShorterLimits::enough_for(seen(8, 1000, hours(1)), calibration), minutes(30));
}

class AskingTest : public testing::Test {
 protected:
  JobId job(const char* name) const { return job_named(cluster_, name); }
  /// The job that the next plan is asked about.
  std::optional<JobId> asked(Time now) {
    cluster_.run_times.shorter.reset();
    limits_.ask(cluster_, now, [&](JobId) {
      ++worked_out_;
      return enough_;
    });
    if (!cluster_.run_times.shorter) return std::nullopt;
    EXPECT_EQ(cluster_.run_times.shorter->limit, enough_);
    return cluster_.run_times.shorter->job;
  }

  Cluster cluster_ = Scenario()
                         .nodes(1, procs(2))
                         .job("wide")
                         .tasks(3)
                         .queued(hours(1))
                         .job("held")
                         .held()
                         .queued(hours(1))
                         .job("a")
                         .queued(hours(1))
                         .job("b")
                         .queued(hours(1))
                         .job("new")
                         .queued(Seconds(5))
                         .build();
  ShorterLimits limits_;
  Seconds enough_ = minutes(15);
  int worked_out_ = 0;
};

TEST_F(AskingTest, AsksAboutOneJobAfterTheOtherNowAndThen) {
  EXPECT_EQ(asked(kNow), job("a"));
  EXPECT_EQ(asked(kNow), job("b"));
  EXPECT_EQ(asked(kNow), std::nullopt);
  EXPECT_EQ(asked(kNow + minutes(10)), job("new"));
  EXPECT_EQ(asked(kNow + minutes(10)), job("a"));
  EXPECT_EQ(worked_out_, 3);
}

TEST_F(AskingTest, AsksNothingWhereNoLimitIsEnough) {
  enough_ = kUnlimited;
  EXPECT_EQ(asked(kNow), std::nullopt);
}

TEST_F(AskingTest, TheLimitMustEndBeforeWhatIsReserved) {
  Plan plan;
  plan.first_reserved = kNow + minutes(14);
  limits_.note(cluster_, plan, kNow);
  EXPECT_EQ(asked(kNow), std::nullopt);
  plan.first_reserved = kNow + minutes(10) + minutes(15);
  limits_.note(cluster_, plan, kNow);
  EXPECT_TRUE(asked(kNow + minutes(10)));
}

TEST_F(AskingTest, RecordsThatTheJobWouldHaveStarted) {
  Plan plan;
  EXPECT_EQ(asked(kNow), job("a"));
  limits_.note(cluster_, plan, kNow);
  EXPECT_FALSE(limits_.of(job("a")));
  EXPECT_EQ(asked(kNow), job("b"));
  plan.shorter_starts = true;
  limits_.note(cluster_, plan, kNow);
  ASSERT_TRUE(limits_.of(job("b")));
  EXPECT_EQ(limits_.of(job("b"))->limit, minutes(15));
  EXPECT_EQ(limits_.of(job("b"))->start, kNow);
  limits_.changed(job("b"));
  EXPECT_FALSE(limits_.of(job("b")));
}

}  // namespace
}  // namespace maui
