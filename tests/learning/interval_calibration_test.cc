#include "learning/interval_calibration.h"

#include <gtest/gtest.h>

#include <random>

namespace maui {
namespace {

RunDistribution known_by(int similar) { return {{{100, 0.5}, {200, 0.5}}, Seconds(1000), similar}; }

TEST(IntervalCalibrationTest, AtFirstTheIntervalIsThatOfEarlierRuns) {
  const RunInterval said = IntervalCalibration().at_start(known_by(2));
  EXPECT_EQ(said.low, Seconds(100));
  EXPECT_EQ(said.high, Seconds(200));
}

TEST(IntervalCalibrationTest, TheIntervalNeverEndsAfterTheLimit) {
  IntervalCalibration calibration;
  for (int i = 0; i < 500; ++i)
    calibration.learn(known_by(2), calibration.at_start(known_by(2)), Seconds(1000000));
  EXPECT_EQ(calibration.at_start(known_by(2)).high, Seconds(1000));
}

TEST(IntervalCalibrationTest, AnEndBeyondABoundMovesThatBoundAwayAndTheOtherNearer) {
  IntervalCalibration calibration;
  calibration.learn(known_by(2), {Seconds(100), Seconds(200)}, Seconds(300));
  EXPECT_GT(calibration.factors()[1].high, 1);
  EXPECT_LT(calibration.factors()[1].low, 1);
}

TEST(IntervalCalibrationTest, JobsAreCalibratedByHowMuchIsKnownOfThem) {
  IntervalCalibration calibration;
  calibration.learn(known_by(0), {Seconds(100), Seconds(200)}, Seconds(150));
  calibration.learn(known_by(3), {Seconds(100), Seconds(200)}, Seconds(150));
  calibration.learn(known_by(4), {Seconds(100), Seconds(200)}, Seconds(300));
  EXPECT_EQ(calibration.coverage()[0], (IntervalCalibration::Coverage{1, 1}));
  EXPECT_EQ(calibration.coverage()[1], (IntervalCalibration::Coverage{1, 1}));
  EXPECT_EQ(calibration.coverage()[2], (IntervalCalibration::Coverage{1, 0}));
}

// Run times spread far wider than the runs that are known.
TEST(IntervalCalibrationTest, InTheLongRunNineOfTenEndsLieWithin) {
  IntervalCalibration calibration;
  const RunDistribution run({{900, 0.5}, {1000, 0.5}}, Seconds(1000000), 4);
  std::mt19937 random(7);
  std::lognormal_distribution<double> spread(7, 1.5);
  int within = 0;
  constexpr int kJobs = 20000, kFirst = 2000;
  for (int i = 0; i < kJobs; ++i) {
    const RunInterval said = calibration.at_start(run);
    const Seconds ran(static_cast<std::int64_t>(spread(random)) + 1);
    if (i >= kFirst && ran >= said.low && ran <= said.high) ++within;
    calibration.learn(run, said, ran);
  }
  EXPECT_NEAR(static_cast<double>(within) / (kJobs - kFirst), 0.9, 0.01);
}

TEST(IntervalCalibrationTest, CoverageIsThatOfJobsOfLate) {
  IntervalCalibration calibration;
  const RunDistribution run({{900, 0.5}, {1000, 0.5}}, Seconds(2000), 4);
  const RunInterval said{Seconds(900), Seconds(1000)};
  for (int i = 0; i < 100'000; ++i) calibration.learn(run, said, Seconds(950));
  for (int i = 0; i < 1000; ++i) calibration.learn(run, said, Seconds(1500));
  const auto& seen = calibration.coverage()[2];
  EXPECT_LE(seen.jobs, 2 * IntervalCalibration::kJobsCounted);
  EXPECT_LT(seen.within, 0.7 * static_cast<double>(seen.jobs));
}

TEST(IntervalCalibrationTest, WhileAJobRunsTheIntervalIsThatOfTheRunsThatWereLonger) {
  const IntervalCalibration calibration;
  const auto run = known_by(2);
  EXPECT_EQ(calibration.after(run, Seconds(150)).low, Seconds(200));
  EXPECT_EQ(calibration.after(run, Seconds(150)).high, Seconds(200));
  EXPECT_EQ(calibration.after(run, Seconds(250)).low, Seconds(250));
  EXPECT_EQ(calibration.after(run, Seconds(250)).high, Seconds(1000));
}

}  // namespace
}  // namespace maui
