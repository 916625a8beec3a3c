#include "learning/fair_waits.h"

#include <gtest/gtest.h>

#include "support/scenario.h"

namespace maui {
namespace {

using test::job_named;
using test::kNow;
using test::procs;
using test::Scenario;

SharedRun runs_for(double seconds) {
  return std::make_shared<const RunDistribution>(
      std::vector<RunDistribution::Value>{{seconds, 1.0}}, Seconds(3600), 1);
}

class FairWaitsTest : public testing::Test {
 protected:
  FairWaitsTest() {
    settings_.fair_start_limit = Seconds(100);
    settings_.fair_start_factor = 2;
  }
  JobId job(const char* name) const { return job_named(cluster_, name); }
  void expect_mean(const char* name, double seconds) {
    cluster_.run_times.at(job(name)).expected.mean = seconds;
    waits_.note(cluster_, job(name));
  }
  void set(Time now, FairWaits::Expected expected) {
    waits_.set(cluster_, settings_, now, [&](const Job&) {
      ++asked_;
      return expected;
    });
  }
  Seconds fair_wait(const char* name) const { return cluster_.run_times.of(job(name)).fair_wait; }

  // Four processors: what runs needs 1, the others 2 and 4.
  Cluster cluster_ = Scenario()
                         .nodes(4, procs(1))
                         .job("runs")
                         .running_on({{"n1", 1}})
                         .job("first")
                         .tasks(2)
                         .job("second")
                         .tasks(4)
                         .build();
  LearningSettings settings_;
  FairWaits waits_;
  int asked_ = 0;
};

TEST_F(FairWaitsTest, IsWhatRunsAndWhatWaitsBeforeItAndItself) {
  expect_mean("first", 50);
  expect_mean("second", 10);
  set(kNow, {runs_for(400)});
  EXPECT_EQ(fair_wait("first"), Seconds(100 + 2 * (400 + 100) / 4));
  EXPECT_EQ(fair_wait("second"), Seconds(100 + 2 * (400 + 100 + 40) / 4));
}

TEST_F(FairWaitsTest, StaysAsItIsOnceItIsSet) {
  expect_mean("first", 50);
  set(kNow, {runs_for(400)});
  const Seconds first = fair_wait("first");
  expect_mean("first", 500);
  set(kNow, {runs_for(400)});
  EXPECT_EQ(fair_wait("first"), first);
}

TEST_F(FairWaitsTest, AJobThatIsHeldKeepsNobodyWaiting) {
  expect_mean("first", 50);
  set(kNow, {runs_for(400)});
  cluster_.set_own_holds(job("first"), 1);
  cluster_.run_times.at(job("second")) = {};
  waits_.arrived(job("second"));
  expect_mean("second", 10);
  set(kNow, {runs_for(400)});
  EXPECT_EQ(fair_wait("second"), Seconds(100 + 2 * (400 + 40) / 4));
}

TEST_F(FairWaitsTest, RunningJobsAreRecheckedOnceThatCanMatter) {
  const auto comes = [&](Time now, bool stands) {
    cluster_.run_times.at(job("second")) = {};
    waits_.arrived(job("second"));
    expect_mean("second", 10);
    const int before = asked_;
    set(now, {runs_for(400), stands});
    return asked_ - before;
  };
  EXPECT_EQ(comes(kNow, true), 1);
  EXPECT_EQ(comes(kNow + Seconds(399), true), 0);
  EXPECT_EQ(comes(kNow + Seconds(400), true), 1);  // it has run for as long as was expected
  waits_.changed(job("runs"));
  EXPECT_EQ(comes(kNow + Seconds(400), false), 1);
  EXPECT_EQ(comes(kNow + Seconds(400), false), 1);
}

}  // namespace
}  // namespace maui
