// Deferral and batch holds (guide 11.1; DEFERTIME, DEFERCOUNT, DEFERSTARTCOUNT).
#include "engine/engine_fixture.h"

namespace maui::test {
namespace {

using testing::HasSubstr;

constexpr auto kBatch = static_cast<std::uint8_t>(Hold::batch);

/// "a" is started whenever it may be, and the resource manager refuses.
class HoldsTest : public EngineTest {
 protected:
  void refuse() {
    core = [](const Cluster& known, Time) {
      Plan plan;
      const JobId a = known.find_job("a");
      if (a.valid() && known.job(a).waiting() && known.job(a).holds == 0)
        plan.decisions.push_back(StartJob{a, {{known.find_node("n1"), 1, 0}}});
      return plan;
    };
    rm().refuses_starts = "no such queue";
    begin({job_report("a", 1)});
  }
};

TEST_F(HoldsTest, ARefusedJobIsDeferredForDeferTime) {
  refuse();
  EXPECT_EQ(job("a").holds, kDefer);
  EXPECT_THAT(job("a").hold_reason->text, HasSubstr("RMReject"));
  EXPECT_EQ(engine().next_event(), kNow + hours(1));
  rm().refuses_starts.reset();
  iterate(minutes(59));
  EXPECT_EQ(job("a").holds, kDefer);
  iterate(minutes(60));
  EXPECT_EQ(job("a").holds, 0);
  EXPECT_EQ(job("a").state, JobState::running);
}

TEST_F(HoldsTest, DeferStartCountFailuresGoBeforeADeferral) {
  settings.jobs.defer_start_count = 3;
  refuse();
  EXPECT_EQ(job("a").holds, 0);
  EXPECT_THAT(job("a").hold_reason->text, HasSubstr("no such queue"));
  iterate(minutes(1));
  EXPECT_EQ(job("a").holds, 0);
  iterate(minutes(2));
  EXPECT_EQ(job("a").holds, kDefer);
}

TEST_F(HoldsTest, AfterDeferCountDeferralsComesABatchHold) {
  settings.jobs.defer_count = 2;
  refuse();
  EXPECT_EQ(job("a").holds, kDefer);
  iterate(hours(1));
  EXPECT_EQ(job("a").holds, kDefer);
  iterate(hours(2));
  EXPECT_EQ(job("a").holds, kBatch);
  iterate(hours(9));
  EXPECT_EQ(job("a").holds, kBatch) << "until somebody looks at it";
}

TEST_F(HoldsTest, DeferTimeZeroDisablesDeferral) {
  settings.jobs.defer_time = Seconds(0);
  refuse();
  EXPECT_EQ(job("a").holds, 0);
  rm().refuses_starts.reset();
  iterate(minutes(1));
  EXPECT_EQ(job("a").state, JobState::running);
}

TEST_F(HoldsTest, ReleasingAJobResetsItsFailures) {
  settings.jobs.defer_count = 1;
  refuse();
  EXPECT_EQ(job("a").failures.deferrals, 1);
  ASSERT_TRUE(set_holds(engine(), id("a"), 0));
  EXPECT_EQ(job("a").failures, JobFailures{});
  iterate(minutes(1));
  EXPECT_EQ(job("a").holds, kDefer) << "not yet a batch hold";
}

TEST_F(HoldsTest, AUserHoldOutlivesADeferral) {
  refuse();
  ASSERT_TRUE(set_holds(engine(), id("a"), kDefer | static_cast<std::uint8_t>(Hold::user)));
  iterate(hours(1));
  EXPECT_EQ(job("a").holds, static_cast<std::uint8_t>(Hold::user));
}

TEST_F(HoldsTest, AJobThatThePlanDefersIsDeferred) {
  core = [](const Cluster& known, Time) {
    Plan plan;
    const JobId a = known.find_job("a");
    if (known.job(a).holds == 0) plan.decisions.push_back(HoldJob{a, Hold::defer, "NoResources"});
    return plan;
  };
  begin({job_report("a", 99)});
  EXPECT_EQ(job("a").holds, kDefer);
  EXPECT_EQ(job("a").hold_reason->text, "NoResources");
  EXPECT_TRUE(cluster().find_job("a").valid());
}

TEST_F(HoldsTest, AHoldOnArrivalIsReportedOnce) {
  listener.events_wanted = true;
  JobReport report = job_report("a", 1);
  report.problem = "partition 'short' allows jobs of at most 60 minutes";
  begin({report});
  EXPECT_EQ(job("a").holds, kBatch);
  ASSERT_EQ(listener.events.size(), 1U);
  EXPECT_EQ(listener.events[0].type, EventType::job_hold);
  EXPECT_THAT(listener.events[0].words.front(),
              HasSubstr("job 'a' held: RMFailure: partition 'short'"));
  EXPECT_EQ(listener.events[0].party, cluster().users[job("a").credentials.user]);
  iterate(minutes(1));
  EXPECT_EQ(listener.events.size(), 1U);
}

TEST_F(HoldsTest, HoldsFailuresAndReservationsAreEvents) {
  listener.events_wanted = true;
  refuse();
  ASSERT_EQ(listener.events.size(), 1U);
  EXPECT_EQ(listener.events[0].type, EventType::job_hold);
  EXPECT_THAT(listener.events[0].words.front(), HasSubstr("job 'a' deferred"));
  rm().down = "connection refused";
  iterate(minutes(1));
  EXPECT_EQ(listener.events.back().type, EventType::rm_failure);
  Reservation kept;
  kept.name = "maintenance";
  kept.start = kNow;
  kept.end = kNow + hours(1);
  kept.nodes = {{node("n1"), 1, 0}, {node("n2"), 1, 0}};
  const auto made = engine().add_reservation(kept);
  ASSERT_TRUE(made);
  EXPECT_EQ(listener.events.back().type, EventType::reservation_created);
  EXPECT_THAT(listener.events.back().words,
              testing::ElementsAre("maintenance", "System", "maintenance", "1000060", "1000000",
                                   "1003600", "2"));
  ASSERT_TRUE(engine().release_reservation(*made));
  EXPECT_EQ(listener.events.back().type, EventType::reservation_destroyed);
  EXPECT_EQ(listener.events.back().words.size(), 6U);
}

}  // namespace
}  // namespace maui::test
