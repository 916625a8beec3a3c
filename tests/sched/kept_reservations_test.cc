// Priority reservations that are kept (RESERVATIONPOLICY HIGHEST), when things do not go as
// planned.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "model/placement.h"
#include "sched/configured.h"
#include "sched/cycle.h"
#include "support/carry_out.h"
#include "support/made_up_workload.h"
#include "support/random_cluster.h"
#include "support/scenario.h"

namespace maui {
namespace {

using test::carry_out;
using test::decisions;
using test::describe;
using test::Dice;
using test::hours;
using test::job_named;
using test::kNow;
using test::minutes;
using test::node_named;
using test::procs;
using test::rounds;
using test::Scenario;

Settings highest() { return configured("RESERVATIONPOLICY HIGHEST\nRESERVATIONDEPTH 3\n"); }

// --- jobs that run on when they should have ended --------------------------------------

/// Two of four processors are held by `x`, whose limit is over now.
Scenario running_on_past_its_limit() {
  Scenario scenario;
  scenario.nodes(1, procs(4)).job("x").tasks(2).limit(minutes(10));
  scenario.running_on({{"n1", 2}}, minutes(10));
  return scenario;
}

TEST(KeptReservations, AJobThatRunsOnCostsNobodyHisTurn) {
  Cluster cluster = running_on_past_its_limit()
                        .job("y")
                        .tasks(2)
                        .limit(minutes(20))
                        .running_on({{"n1", 2}}, minutes(10))
                        .job("first")
                        .tasks(2)
                        .limit(minutes(10))
                        .reserved_on({{"n1", 2}}, kNow)
                        .job("second")
                        .tasks(4)
                        .reserved_on({{"n1", 4}}, kNow + minutes(10))
                        .build();
  cluster.extend_job(job_named(cluster, "x"), kNow + minutes(1));
  EXPECT_EQ(decisions(cluster, plan(cluster, highest(), kNow)),
            "reserve first in 60 s on n1:2\nreserve second in 660 s on n1:4\n");
  const Settings learned = configured("RUNTIMELEARNING BACKFILL\nRESERVATIONDEPTH 3\n");
  EXPECT_EQ(decisions(cluster, plan(cluster, learned, kNow)),
            "reserve first in 60 s on n1:2\nreserve second in 660 s on n1:4\n");
}

TEST(KeptReservations, NorWhereTheTwoAreAlike) {
  Cluster cluster = Scenario()
                        .nodes(1, procs(4))
                        .job("x")
                        .tasks(4)
                        .limit(minutes(10))
                        .running_on({{"n1", 4}}, minutes(10))
                        .job("first")
                        .tasks(4)
                        .limit(minutes(10))
                        .reserved_on({{"n1", 4}}, kNow)
                        .job("second")
                        .tasks(4)
                        .limit(minutes(10))
                        .reserved_on({{"n1", 4}}, kNow + minutes(10))
                        .build();
  cluster.extend_job(job_named(cluster, "x"), kNow + minutes(1));
  const Plan made = plan(cluster, highest(), kNow);
  EXPECT_EQ(decisions(cluster, made),
            "reserve first in 60 s on n1:4\nreserve second in 660 s on n1:4\n");
  carry_out(cluster, made, kNow);
  const Time later = kNow + minutes(1);
  cluster.end_job(job_named(cluster, "x"), JobState::completed, later);
  EXPECT_EQ(decisions(cluster, plan(cluster, highest(), later), later), "start first on n1:4\n");
}

TEST(KeptReservations, AReservationThatNeedsNothingOfAnOverrunningJobStays) {
  Cluster cluster = running_on_past_its_limit()
                        .job("y")
                        .tasks(2)
                        .limit(minutes(10) + Seconds(30))
                        .running_on({{"n1", 2}}, minutes(10))
                        .job("first")
                        .tasks(2)
                        .reserved_on({{"n1", 2}}, kNow + Seconds(30))
                        .build();
  cluster.extend_job(job_named(cluster, "x"), kNow + minutes(1));
  EXPECT_EQ(decisions(cluster, plan(cluster, highest(), kNow)), "");
}

TEST(KeptReservations, AJobThatIsGivenMoreTimeMovesThoseThatStandBehindIt) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).job("x").running_on({{"n1", 1}});
  scenario.job("first").reserved_on({{"n1", 1}}, kNow + hours(1));
  scenario.job("second").reserved_on({{"n1", 1}}, kNow + hours(2));
  Cluster cluster = scenario.build();
  cluster.set_limit(job_named(cluster, "x"), hours(3));
  EXPECT_EQ(decisions(cluster, plan(cluster, highest(), kNow)),
            "reserve first in 10800 s on n1:1\nreserve second in 14400 s on n1:1\n");
}

TEST(KeptReservations, AJobThatIsGivenLessTimeLetsThoseBehindItSlide) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).job("x").running_on({{"n1", 1}});
  scenario.job("first").reserved_on({{"n1", 1}}, kNow + hours(1));
  Cluster cluster = scenario.build();
  cluster.note_reservations_planned(true);
  EXPECT_EQ(decisions(cluster, plan(cluster, highest(), kNow)), "");
  cluster.extend_job(job_named(cluster, "x"), kNow + minutes(10));
  EXPECT_EQ(decisions(cluster, plan(cluster, highest(), kNow)), "reserve first in 600 s on n1:1\n");
}

/// Six of eight processors are free now, which were held until `low` was to start; the place of
/// `low` keeps `high` from moving.
Scenario low_in_the_way_of_high() {
  Scenario scenario;
  scenario.nodes(1, procs(8));
  scenario.job("high").tasks(7).limit(Seconds(200)).reserved_on({{"n1", 7}}, kNow + Seconds(230));
  scenario.job("low").tasks(6).limit(Seconds(60)).reserved_on({{"n1", 6}}, kNow + Seconds(170));
  scenario.job("new").tasks(5).limit(Seconds(100));
  return scenario;
}

TEST(KeptReservations, AHigherReservationFollowsIntoTheRoomThatALowerOneLeaves) {
  const Cluster cluster = low_in_the_way_of_high().build();
  EXPECT_EQ(decisions(cluster, plan(cluster, highest(), kNow)),
            "start low on n1:6\nreserve high in 60 s on n1:7\nreserve new in 260 s on n1:5\n");
}

TEST(KeptReservations, AHigherReservationFollowsALowerOneUnderLimits) {
  const Cluster cluster = low_in_the_way_of_high().build();
  const Settings limited =
      configured("RESERVATIONPOLICY HIGHEST\nRESERVATIONDEPTH 3\nUSERCFG[DEFAULT] MAXPROC=30\n");
  EXPECT_EQ(decisions(cluster, plan(cluster, limited, kNow)),
            "start low on n1:6\nreserve high in 60 s on n1:7\nreserve new in 260 s on n1:5\n");
}

TEST(KeptReservations, AJobThatStartsOnOtherNodesThanWereReservedLetsThoseBehindItSlide) {
  Scenario scenario;
  scenario.nodes(3, procs(1)).job("x").running_on({{"n3", 1}}).limit(hours(1));
  scenario.job("due").reserved_on({{"n2", 1}}, kNow);
  scenario.job("next").hosts({"n2"}).reserved_on({{"n2", 1}}, kNow + hours(1));
  Cluster cluster = scenario.build();
  cluster.note_reservations_planned(true);
  Settings settings = highest();
  settings.node_allocation = NodeAllocation::first_available;
  EXPECT_EQ(decisions(cluster, plan(cluster, settings, kNow)),
            "start due on n1:1\nstart next on n2:1\n");
}

// RESERVATIONRETRYTIME: its turn is that of its reservation, once it has one again.
TEST(KeptReservations, AJobThatKeepsItsTurnAndIsReservedStartsOnce) {
  Scenario scenario;
  scenario.nodes(3, procs(1)).job("x").running_on({{"n1", 1}});
  scenario.job("a").change_job([](Job& job) { job.failures.retry_until = kNow + minutes(5); });
  scenario.reserved_on({{"n1", 1}}, kNow + hours(1));
  scenario.job("b").reserved_on({{"n1", 1}}, kNow + hours(2));
  const Cluster cluster = scenario.build();
  Settings settings = highest();
  settings.reservation_stacks.front().retry = minutes(5);
  const Plan made = plan(cluster, settings, kNow);
  EXPECT_EQ(made.starts, 2U);
  EXPECT_EQ(decisions(cluster, made), "start a on n3:1\nstart b on n2:1\n");
}

// --- nodes that are gone -----------------------------------------------------------------

/// The nodes come free after 15 and after 25 minutes.
Cluster three_reserved() {
  Scenario scenario;
  scenario.nodes(2, procs(2));
  scenario.job("x").tasks(2).limit(minutes(15)).running_on({{"n1", 2}});
  scenario.job("y").tasks(2).limit(minutes(25)).running_on({{"n2", 2}});
  scenario.job("r1").tasks(2).limit(minutes(10)).reserved_on({{"n1", 2}}, kNow + minutes(15));
  scenario.job("r2").tasks(4).reserved_on({{"n1", 2}, {"n2", 2}}, kNow + minutes(25));
  scenario.job("r3").tasks(2).reserved_on({{"n1", 2}}, kNow + minutes(85));
  Cluster cluster = scenario.build();
  cluster.note_reservations_planned(true);
  return cluster;
}

TEST(KeptReservations, AreMadeAnewWhereAReservationTakesTheirNodes) {
  Cluster cluster = three_reserved();
  EXPECT_EQ(decisions(cluster, plan(cluster, highest(), kNow)), "");
  Reservation taken;
  taken.name = "adm.0";
  taken.start = kNow;
  taken.end = kNow + hours(1);
  taken.nodes.push_back({node_named(cluster, "n1"), 1, 0});
  cluster.add_reservation(taken);
  EXPECT_EQ(decisions(cluster, plan(cluster, highest(), kNow)),
            "reserve r1 in 1500 s on n2:2\nreserve r2 in 3600 s on n1:2 n2:2\n"
            "reserve r3 in 7200 s on n2:2\n");
}

TEST(KeptReservations, AreMadeAnewWhereANodeGoesDown) {
  Cluster cluster = three_reserved();
  cluster.set_node_state(node_named(cluster, "n1"), NodeState::down, kNow);
  EXPECT_EQ(decisions(cluster, plan(cluster, highest(), kNow)),
            "reserve r1 in 1500 s on n2:2\nreserve r2 in 86400 s on n1:2 n2:2\n"
            "reserve r3 in 2100 s on n2:2\n");
}

TEST(KeptReservations, ADueJobWithItsNodesStartsBeforeOthersLookForNodes) {
  Scenario scenario;
  scenario.nodes(2, procs(1)).state(NodeState::idle);
  scenario.job("x").limit(minutes(30)).running_on({{"n1", 1}});
  scenario.job("lost").reserved_on({{"n1", 1}}, kNow + minutes(30));
  scenario.job("due").reserved_on({{"n2", 1}}, kNow);
  Cluster cluster = scenario.build();
  cluster.set_node_state(node_named(cluster, "n1"), NodeState::down, kNow);
  EXPECT_EQ(decisions(cluster, plan(cluster, highest(), kNow)),
            "start due on n2:1\nreserve lost in 3600 s on n2:1\n");
}

// --- jobs that are not considered ------------------------------------------------------------

TEST(KeptReservations, AJobHeldAtItsReservedStartLeavesItsNodesAtOnce) {
  Scenario scenario;
  scenario.nodes(2, procs(4));
  scenario.job("r1").tasks(8).limit(minutes(10)).held();
  scenario.reserved_on({{"n1", 4}, {"n2", 4}}, kNow);
  scenario.job("r2").tasks(8).limit(minutes(10));
  scenario.reserved_on({{"n1", 4}, {"n2", 4}}, kNow + minutes(10));
  Cluster cluster = scenario.build();
  cluster.note_reservations_planned(true);
  const Plan made = plan(cluster, highest(), kNow);
  EXPECT_EQ(decisions(cluster, made), "drop r1\nstart r2 on n2:4 n1:4\n");
}

// --- jobs beyond their soft limits (guide 6.2.4) -----------------------------------------

/// `a` of user u runs for another minute; `c`, also of u, is beyond his soft limit while `a` runs.
/// It is reserved for the time when another job was to end, which is over by now.
Scenario beyond_the_soft_limit() {
  Scenario scenario;
  scenario.nodes(1, procs(16)).job("a").by("u").tasks(3).limit(minutes(2));
  scenario.running_on({{"n1", 3}}, minutes(1));
  scenario.job("c").by("u").tasks(9).limit(minutes(5));
  scenario.reserved_on({{"n1", 9}}, kNow + minutes(2));
  return scenario;
}

const char* const kSoft = "USERCFG[u] MAXJOB=1,5\n";

TEST(KeptReservations, AJobBeyondItsSoftLimitStartsAsSoonAsItsHardLimitAllows) {
  const Cluster cluster = beyond_the_soft_limit().build();
  EXPECT_EQ(decisions(cluster, plan(cluster, configured(kSoft), kNow)), "start c on n1:9\n");
}

TEST(KeptReservations, AJobWithinItsSoftLimitComesFirstAndSparesTheReservedTime) {
  Scenario scenario = beyond_the_soft_limit();
  scenario.job("d").by("v").tasks(13).limit(minutes(2));
  scenario.job("e").by("v").tasks(13).limit(minutes(3));
  const Cluster cluster = scenario.build();
  EXPECT_EQ(decisions(cluster, plan(cluster, configured(kSoft), kNow)), "backfill d on n1:13\n");
}

TEST(KeptReservations, OfTwoBeyondTheSoftLimitTheFirstKeepsItsTime) {
  const Cluster cluster = Scenario()
                              .nodes(1, procs(16))
                              .job("a")
                              .by("u")
                              .tasks(2)
                              .limit(Seconds(120))
                              .running_on({{"n1", 2}}, Seconds(20))
                              .job("f")
                              .by("v")
                              .tasks(7)
                              .limit(Seconds(100))
                              .running_on({{"n1", 7}}, Seconds(20))
                              .job("g")
                              .by("v")
                              .tasks(4)
                              .limit(Seconds(150))
                              .running_on({{"n1", 4}}, Seconds(20))
                              .job("b")
                              .by("u")
                              .tasks(4)
                              .limit(Seconds(50))
                              .reserved_on({{"n1", 4}}, kNow + Seconds(80))
                              .job("c")
                              .by("u")
                              .tasks(8)
                              .limit(Seconds(20))
                              .reserved_on({{"n1", 8}}, kNow + Seconds(100))
                              .build();
  Cluster later = cluster;
  const Settings settings = configured(std::string(kSoft) + "RESERVATIONDEPTH 2\n");
  for (int step = 0; step < 3; ++step) {
    const Time now = kNow + Seconds(step);
    carry_out(later, plan(later, settings, now), now);
    EXPECT_EQ(later.reservation(later.job(job_named(later, "b")).reservation).start,
              kNow + Seconds(80));
    EXPECT_EQ(later.reservation(later.job(job_named(later, "c")).reservation).start,
              kNow + Seconds(100));
  }
}

// --- jobs with several shapes --------------------------------------------------------------

/// Of eight processors, `x` has so many.
Scenario eight_of_which(int running, Seconds rest) {
  Scenario scenario;
  scenario.nodes(1, procs(8)).job("x").tasks(running).limit(rest);
  scenario.running_on({{"n1", running}});
  return scenario;
}

TEST(KeptReservations, AReservedJobStartsInAnotherShapeBeforeItsReservation) {
  Scenario scenario = eight_of_which(4, minutes(2));
  scenario.job("y").tasks(4).limit(hours(1)).running_on({{"n1", 4}});
  scenario.job("shapes").tasks(8).limit(minutes(2)).change_job([](Job& job) {
    job.alternatives = {{8, minutes(2)}, {4, minutes(3)}};
  });
  scenario.reserved_on({{"n1", 8}}, kNow + hours(1));
  Cluster cluster = scenario.build();
  const Plan made = plan(cluster, highest(), kNow);
  EXPECT_EQ(decisions(cluster, made), "");
  cluster.note_reservations_planned(made.reservations_earliest);
  for (const Time later : {kNow + minutes(1), kNow + minutes(2)}) {
    Cluster ended = cluster;
    ended.end_job(job_named(ended, "x"), JobState::completed, later);
    for (const auto* limits : {"", "USERCFG[DEFAULT] MAXPROC=9\n"}) {
      const Settings settings =
          configured(std::string("RESERVATIONPOLICY HIGHEST\nRESERVATIONDEPTH 3\n") + limits);
      EXPECT_EQ(decisions(ended, plan(ended, settings, later), later), "start shapes on n1:4\n");
    }
  }
}

TEST(KeptReservations, ADueJobStartsInTheShapeThatEndsFirst) {
  Cluster cluster = eight_of_which(8, minutes(2))
                        .job("shapes")
                        .tasks(1)
                        .limit(hours(1))
                        .change_job([](Job& job) {
                          job.alternatives = {{1, hours(1)}, {8, minutes(3)}};
                        })
                        .reserved_on({{"n1", 1}}, kNow + minutes(2))
                        .build();
  const Time later = kNow + minutes(2);
  cluster.end_job(job_named(cluster, "x"), JobState::completed, later);
  EXPECT_EQ(decisions(cluster, plan(cluster, highest(), later), later), "start shapes on n1:8\n");
}

// With one reservation at a time, and without limits, a job that keeps waiting has no shape for
// which processors are free.
TEST(KeptReservationsProperty, NoShapeOfAReservedJobFitsWhileItWaits) {
  const Settings settings = configured("RESERVATIONPOLICY HIGHEST\n");
  for (unsigned seed = 1; seed <= rounds(30); ++seed) {
    Dice dice(seed);
    Cluster cluster = Scenario().nodes(1, procs(8)).build();
    for (int second = 0; second < 300; ++second) {
      const Time now = kNow + Seconds(second);
      std::vector<JobId> ended;
      for (const Active& line : cluster.active())
        if (cluster.job(line.job).ends <= now || dice.in_a_hundred(1)) ended.push_back(line.job);
      for (const JobId id : ended) cluster.end_job(id, JobState::completed, now);
      if (second < 200 && dice.in_a_hundred(10)) {
        Job job;
        job.name = fmt::format("job{}", second);
        job.submitted = job.queued = now;
        for (int shapes = dice.between(1, 3); shapes > 0; --shapes)
          job.alternatives.emplace_back(dice.between(1, 8), Seconds(dice.between(10, 90)));
        Request request;
        request.requirements.front().tasks = job.alternatives.front().first;
        request.limit = job.alternatives.front().second;
        request.access = {NodeAccess::shared};
        if (job.alternatives.size() == 1) job.alternatives.clear();
        cluster.add_job(std::move(job), std::move(request));
      }
      const Plan made = plan(cluster, settings, now);
      carry_out(cluster, made, now);
      cluster.note_reservations_planned(made.reservations_earliest);
      int free = 8;
      for (const Active& line : cluster.active())
        free -= static_cast<int>(task_count(cluster.job(line.job).placement));
      for (const Waiting& line : cluster.waiting()) {
        const Job& job = cluster.job(line.job);
        if (!job.reservation.valid()) continue;
        for (const auto& shape : job.alternatives)
          ASSERT_GT(shape.first, free)
              << job.name << " waits, seed " << seed << ", " << second << "\n"
              << describe(cluster, made, now);
      }
    }
  }
}

}  // namespace
}  // namespace maui
