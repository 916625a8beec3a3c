#include "history/wait_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scenario.h"

namespace maui {
namespace {

using testing::ElementsAre;
using Period = WaitHistory::Period;

/// A cluster of one node, and one job that waits since 100.
struct WaitHistoryTest : testing::Test {
  Cluster cluster;
  Settings settings;
  JobId job;

  WaitHistoryTest() { job = add("job.1"); }
  JobId add(const std::string& name, Time earliest_start = Time(0)) {
    Job made;
    made.name = name;
    made.submitted = made.queued = Time(100);
    made.earliest_start = earliest_start;
    made.state = JobState::idle;
    made.credentials.job_class = cluster.classes.intern("interactive");
    return cluster.add_job(std::move(made), Request{});
  }
  Plan planned(Reason reason) const {
    Plan plan;
    Plan::Ranked ranked{};
    ranked.job = job;
    plan.order = {ranked};
    plan.reasons = {reason};
    return plan;
  }
};

TEST_F(WaitHistoryTest, PeriodsFollowEachOtherFromTheSubmissionOn) {
  WaitHistory waits(16);
  waits.look(cluster, settings, planned(Reason::idle_procs), Time(110));
  waits.look(cluster, settings, planned(Reason::idle_procs), Time(120));
  waits.look(cluster, settings, planned(Reason::reserved_later), Time(130));
  EXPECT_THAT(waits.of(cluster.job(job), Time(150)),
              ElementsAre(Period{Reason::idle_procs, Time(100), Time(130)},
                          Period{Reason::reserved_later, Time(130), Time(150)}));
}

TEST_F(WaitHistoryTest, MergesTheShortestNeighboursOfTooManyPeriods) {
  WaitHistory waits(2);
  waits.look(cluster, settings, planned(Reason::idle_procs), Time(100));
  waits.look(cluster, settings, planned(Reason::policy), Time(200));
  waits.look(cluster, settings, planned(Reason::idle_procs), Time(203));
  waits.look(cluster, settings, planned(Reason::chunk), Time(210));
  EXPECT_THAT(waits.of(cluster.job(job), Time(400)),
              ElementsAre(Period{Reason::idle_procs, Time(100), Time(210)},
                          Period{Reason::chunk, Time(210), Time(400)}));
}

TEST_F(WaitHistoryTest, AJobThatIsNotPlannedWaitsForItsHoldAndThenForALimit) {
  WaitHistory waits(16);
  cluster.set_own_holds(job, static_cast<std::uint8_t>(Hold::user));
  waits.look(cluster, settings, {}, Time(110));
  waits.look(cluster, settings, {}, Time(120));
  cluster.lift_hold(job, Hold::user);
  waits.look(cluster, settings, {}, Time(130));
  EXPECT_THAT(waits.of(cluster.job(job), Time(150)),
              ElementsAre(Period{Reason::hold, Time(100), Time(130)},
                          Period{Reason::policy, Time(130), Time(150)}));
}

TEST_F(WaitHistoryTest, AJobThatIsNotPlannedWaitsForItsStartDateAndThenForALimit) {
  const JobId dated = add("job.2", Time(125));
  WaitHistory waits(16);
  for (const int now : {110, 120, 130, 140}) waits.look(cluster, settings, {}, Time(now));
  EXPECT_THAT(waits.of(cluster.job(dated), Time(150)),
              ElementsAre(Period{Reason::start_date, Time(100), Time(130)},
                          Period{Reason::policy, Time(130), Time(150)}));
}

TEST_F(WaitHistoryTest, AJobThatIsNotPlannedWaitsForFairshareWhileThatBlocksIt) {
  settings.fairshare.metric = FairshareMetric::dedicated_proc_seconds;
  settings.classes["interactive"].fairshare_target = {10, TargetType::cap};
  const auto look = [&](WaitHistory& waits, double percent, Time now) {
    cluster.fairshare_use.percent[CredentialKind::job_class] = {percent};
    waits.look(cluster, settings, {}, now);
  };
  WaitHistory waits(16);
  look(waits, 5, Time(110));
  look(waits, 20, Time(120));
  look(waits, 5, Time(130));
  EXPECT_THAT(waits.of(cluster.job(job), Time(150)),
              ElementsAre(Period{Reason::policy, Time(100), Time(120)},
                          Period{Reason::fairshare_cap, Time(120), Time(130)},
                          Period{Reason::policy, Time(130), Time(150)}));
}

TEST_F(WaitHistoryTest, AJobThatIsNotPlannedWaitsForItsPriorityOnceThatIsNegative) {
  settings.priority.reject_negative = true;
  settings.priority.queue_time.weight = -1;
  WaitHistory waits(16);
  waits.look(cluster, settings, {}, Time(100));
  waits.look(cluster, settings, {}, Time(160));
  EXPECT_THAT(waits.of(cluster.job(job), Time(200)),
              ElementsAre(Period{Reason::policy, Time(100), Time(160)},
                          Period{Reason::negative_priority, Time(160), Time(200)}));
}

TEST_F(WaitHistoryTest, AVictimThatIsBackInTheQueueWaitsForTheNextIterationNotForALimit) {
  WaitHistory waits(16);
  Plan preempts;
  preempts.decisions = {PreemptJob{job, Preemption::requeue, add("job.2")}};
  waits.look(cluster, settings, preempts, Time(110));
  waits.look(cluster, settings, planned(Reason::idle_procs), Time(120));
  EXPECT_THAT(waits.of(cluster.job(job), Time(150)),
              ElementsAre(Period{Reason::next_iteration, Time(100), Time(120)},
                          Period{Reason::idle_procs, Time(120), Time(150)}));
}

TEST_F(WaitHistoryTest, NothingIsKnownOfAJobThatWasTaken) {
  WaitHistory waits(16);
  waits.look(cluster, settings, planned(Reason::policy), Time(110));
  Job ended = cluster.job(job);
  ended.ended = Time(300);
  EXPECT_THAT(waits.take(ended), ElementsAre(Period{Reason::policy, Time(100), Time(300)}));
  EXPECT_THAT(waits.take(ended), testing::IsEmpty());
  EXPECT_THAT(waits.of(ended, Time(400)), testing::IsEmpty());
}

}  // namespace
}  // namespace maui
