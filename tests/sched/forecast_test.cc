// Forecasts foresee more than what nodes are promised: limits, suspended jobs, time limits of
// reservations (showstart, showbf, checkjob).
#include <gtest/gtest.h>

#include <random>

#include "sched/configured.h"
#include "sched/cycle.h"
#include "sched/query/explain.h"
#include "sched/query/queue_forecast.h"
#include "sched/suspended.h"
#include "support/carry_out.h"

namespace maui {
namespace {

using test::hours;
using test::job_named;
using test::kNow;
using test::minutes;
using test::procs;
using test::Scenario;
using test::started;

/// Seconds from now to the start of "a".
std::string start_of_a(const Cluster& cluster, std::string_view text = {}) {
  const auto found = earliest_start(cluster, configured(text), kNow, job_named(cluster, "a"));
  return found ? std::to_string((found->start - kNow).raw()) : "never";
}

// --- limits -----------------------------------------------------------------------

/// Two of amy's jobs run, for one hour and for two; there is room for more.
Scenario two_of_amys() {
  Scenario scenario;
  scenario.nodes(6, procs(1));
  scenario.job("r").by("amy").limit(hours(1)).running_on({{"n1", 1}});
  scenario.job("s").by("amy").limit(hours(2)).running_on({{"n2", 1}});
  return scenario.job("a").by("amy").limit(hours(1));
}

TEST(ForecastLimits, AJobBehindMaxjobStartsWhenAnotherJobOfItsUserEnds) {
  const Cluster cluster = two_of_amys().build();
  EXPECT_EQ(start_of_a(cluster), "0");
  EXPECT_EQ(start_of_a(cluster, "USERCFG[amy] MAXJOB=3\n"), "0");
  EXPECT_EQ(start_of_a(cluster, "USERCFG[amy] MAXJOB=2\n"), "3600");
  EXPECT_EQ(start_of_a(cluster, "USERCFG[amy] MAXJOB=1\n"), "7200");
}

TEST(ForecastLimits, AJobBehindMaxprocWaitsForAsManyProcessorsAsItNeeds) {
  const Cluster cluster = two_of_amys().tasks(2).build();
  EXPECT_EQ(start_of_a(cluster, "USERCFG[amy] MAXPROC=3\n"), "3600");
  EXPECT_EQ(start_of_a(cluster, "USERCFG[amy] MAXPROC=2\n"), "7200");
}

TEST(ForecastLimits, OutstandingProcessorSecondsFallSecondBySecond) {
  const Cluster cluster = two_of_amys().build();
  // 10800 outstanding now, and 3600 asked for; in the first hour 2 fewer each second, then 1.
  EXPECT_EQ(start_of_a(cluster, "USERCFG[amy] MAXPS=14400\n"), "0");
  EXPECT_EQ(start_of_a(cluster, "USERCFG[amy] MAXPS=14000\n"), "200");
  EXPECT_EQ(start_of_a(cluster, "USERCFG[amy] MAXPS=5000\n"), "5800");
}

// 100 processors for ever are more processor-seconds than any clock can count down.
TEST(ForecastLimits, ARequestWithoutALimitNeverFitsALimitOfProcessorSeconds) {
  for (const int tasks : {1, 8, 16, 100}) {
    Scenario scenario;
    scenario.nodes(101, procs(1));
    scenario.job("r").by("amy").limit(hours(1)).running_on({{"n1", 1}});
    const Cluster cluster = scenario.job("a").by("amy").limit(kUnlimited).tasks(tasks).build();
    EXPECT_EQ(start_of_a(cluster, "USERCFG[amy] MAXPS=720000\n"), "never") << tasks;
  }
}

TEST(ForecastLimits, ThenResourcesMustBeThereToo) {
  Scenario scenario = two_of_amys();
  scenario.tasks(5);
  EXPECT_EQ(start_of_a(Scenario(scenario).build(), "USERCFG[amy] MAXJOB=2\n"), "3600");
  scenario.job("t").by("bob").limit(hours(3)).running_on({{"n3", 1}});
  EXPECT_EQ(start_of_a(scenario.build(), "USERCFG[amy] MAXJOB=2\n"), "7200");
}

TEST(ForecastLimits, AJobThatExceedsALimitNeverStarts) {
  const Cluster cluster = two_of_amys().tasks(4).build();
  EXPECT_EQ(start_of_a(cluster, "USERCFG[amy] MAXPROC=3\n"), "never");
  EXPECT_EQ(start_of_a(cluster, "USERCFG[amy] MAXWC=59:59\n"), "never");
}

TEST(ForecastLimits, SoftLimitsAndThoseOfIdleJobsAreNoObstacle) {
  const Cluster cluster = two_of_amys().build();
  EXPECT_EQ(start_of_a(cluster, "USERCFG[amy] MAXJOB=1,3 MAXIJOB=1\n"), "0");
}

TEST(ForecastLimits, LimitsOfTheUserApplyToAHypotheticalRequest) {
  const Cluster cluster = two_of_amys().build();
  Request request;
  request.limit = hours(1);
  request.access.usual = NodeAccess::shared;
  const auto settings = configured("USERCFG[amy] MAXJOB=2\n");
  const auto found = earliest_start(cluster, settings, kNow, request,
                                    cluster.job(job_named(cluster, "a")).credentials);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->start, kNow + hours(1));
  EXPECT_EQ(earliest_start(cluster, settings, kNow, request, {})->start, kNow);
}

// An oracle that goes from second to second and asks whether a cycle would start the job then.
TEST(ForecastLimitsProperty, TheForecastIsTheFirstSecondAtWhichACycleStartsTheJob) {
  constexpr const char* kLimits[] = {"MAXJOB", "MAXPROC", "MAXPS", "MAXWC", "MAXNODE"};
  int waits = 0;
  for (unsigned seed = 1; seed <= 120; ++seed) {
    std::mt19937 random(seed);
    const auto pick = [&](unsigned n) { return static_cast<int>(random() % n); };
    Scenario scenario;
    if (seed % 2 == 0)
      scenario.nodes(6, procs(2));
    else
      scenario.nodes(5, procs(1)).nodes(2, procs(3));
    for (int i = 1; i <= 4; ++i)
      scenario.job("r" + std::to_string(i))
          .by("amy")
          .limit(Seconds(2 + pick(12)))
          .running_on({{("n" + std::to_string(i)).c_str(), 1}});
    scenario.job("a").by("amy").tasks(1 + pick(4)).limit(Seconds(1 + pick(8)));
    const Cluster cluster = scenario.build();
    const auto text = std::string("BACKFILLPOLICY FIRSTFIT\nUSERCFG[amy] ") + kLimits[pick(5)] +
                      "=" + std::to_string(1 + pick(20)) + "\n";
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + text);
    const auto settings = configured(text);
    const auto a = job_named(cluster, "a");
    std::string expected = "never";
    for (int second = 0; second < 40; ++second) {
      const Time when = kNow + Seconds(second);
      Cluster then = cluster;
      const auto active = cluster.active();
      for (const auto& line : active)
        if (line.ends <= when) then.end_job(line.job, JobState::completed, line.ends);
      if (started(then, plan(then, settings, when)) != "a") continue;
      expected = std::to_string(second);
      break;
    }
    const auto found = earliest_start(cluster, settings, kNow, a);
    EXPECT_EQ(found ? std::to_string((found->start - kNow).raw()) : "never", expected);
    waits += expected != "0" && expected != "never" ? 1 : 0;
  }
  EXPECT_GT(waits, 10);
}

// --- suspended jobs ------------------------------------------------------------------

/// "s" was suspended on n1 a minute ago, and has 31 minutes to go.
Cluster with_a_suspended_job(bool preemptor = false,
                             SuspensionCause cause = SuspensionCause::preemption) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).job("s").by("amy").limit(hours(1));
  scenario.running_on({{"n1", 1}}, minutes(30));
  if (preemptor) scenario.job("a").limit(minutes(20)).qos("high");
  if (!preemptor) scenario.job("a").limit(minutes(20));
  Cluster cluster = scenario.build();
  cluster.suspend_job(job_named(cluster, "s"), kNow - minutes(1), {cause});
  return cluster;
}

TEST(ForecastSuspended, ItsNodesAreKeptForASuspendedJob) {
  EXPECT_EQ(start_of_a(with_a_suspended_job()), "1860");
}

TEST(ForecastSuspended, AHeldJobKeepsNothing) {
  Cluster cluster = with_a_suspended_job();
  cluster.set_own_holds(job_named(cluster, "s"), 1);
  EXPECT_EQ(start_of_a(cluster), "0");
  const Plan planned = plan(cluster, configured(""), kNow);
  ASSERT_EQ(planned.decisions.size(), 1U) << "it does not resume";
  EXPECT_TRUE(std::holds_alternative<StartJob>(planned.decisions.front()));
}

TEST(ForecastSuspended, AViolatorKeepsNothingAndComesLast) {
  Cluster cluster = with_a_suspended_job(false, SuspensionCause::violation);
  const JobId s = job_named(cluster, "s"), a = job_named(cluster, "a");
  EXPECT_EQ(start_of_a(cluster), "0");
  EXPECT_FALSE(backfill_windows(cluster, configured(""), kNow, {}).empty());
  EXPECT_EQ(resumption_of(cluster, configured(""), kNow, s), kNow) << "no place is reserved";
  Reservation kept;
  kept.kind = ReservationKind::job;
  kept.job = a;
  kept.start = kNow + minutes(30);
  kept.end = kNow + minutes(50);
  kept.nodes = {{test::node_named(cluster, "n1"), 1, 0}};
  cluster.add_reservation(kept);
  EXPECT_EQ(resumption_of(cluster, configured(""), kNow, s), kNow + minutes(50));
}

// "a" was preempted on the node from which "s" was suspended for exceeding its limits.
TEST(ForecastSuspended, AViolatorComesAfterAPreemptedJob) {
  Cluster cluster = with_a_suspended_job(false, SuspensionCause::violation);
  const JobId s = job_named(cluster, "s"), a = job_named(cluster, "a");
  cluster.set_system_priority(s, {false, 1000});
  cluster.start_job(a, {{test::node_named(cluster, "n1"), 1, 0}}, kNow - minutes(1));
  cluster.suspend_job(a, kNow - Seconds(30));
  const Seconds left = cluster.job(a).time_left;
  EXPECT_EQ(resumption_of(cluster, configured(""), kNow, a), kNow);
  EXPECT_EQ(resumption_of(cluster, configured(""), kNow, s), kNow + left);
}

TEST(ForecastSuspended, ItResumesWhenItsNodesAreFree) {
  const Cluster cluster = with_a_suspended_job();
  EXPECT_EQ(resumption_of(cluster, configured(""), kNow, job_named(cluster, "s")), kNow);
  Cluster other = with_a_suspended_job();
  other.start_job(job_named(other, "a"), {{test::node_named(other, "n1"), 1, 0}}, kNow);
  EXPECT_EQ(resumption_of(other, configured(""), kNow, job_named(other, "s")), kNow + minutes(20));
  other.keep_suspended(job_named(other, "s"));
  EXPECT_EQ(resumption_of(other, configured(""), kNow, job_named(other, "s")), kForever);
}

// "s" has 31 minutes to go; the reservation admits runs that overlap with it for ten minutes.
TEST(ForecastSuspended, ItResumesInAReservationThatAdmitsItsRemainingTime) {
  Cluster cluster = with_a_suspended_job();
  Reservation made;
  made.name = "short";
  made.start = kNow - hours(1);
  made.end = kNow + hours(1);
  made.nodes = {{test::node_named(cluster, "n1"), 1, 0}};
  made.access.criteria = {{AccessKind::time, minutes(10).raw()}};
  const auto id = cluster.add_reservation(made);
  const auto s = job_named(cluster, "s");
  EXPECT_EQ(resumption_of(cluster, configured(""), kNow, s), kNow + minutes(50));
  const auto resumes = [&](Time when) {
    return test::decisions(cluster, plan(cluster, configured(""), when)).starts_with("resume s\n");
  };
  EXPECT_FALSE(resumes(kNow + minutes(50) - Seconds(1)));
  EXPECT_TRUE(resumes(kNow + minutes(50)));
  made = cluster.reservation(id);
  made.start = kNow + minutes(21);
  cluster.change_reservation(id, made);
  EXPECT_EQ(resumption_of(cluster, configured(""), kNow, s), kNow) << "its last ten minutes";
}

TEST(ForecastSuspended, APreemptorMayHaveThem) {
  EXPECT_EQ(start_of_a(with_a_suspended_job(true), "QOSCFG[high] FLAGS=PREEMPTOR\n"), "0");
}

TEST(ForecastSuspended, TheyAreNoBackfillWindow) {
  const Cluster cluster = with_a_suspended_job();
  EXPECT_TRUE(backfill_windows(cluster, configured(""), kNow, {}).empty());
}

TEST(ForecastSuspended, TheForecastOfTheQueueKeepsThem) {
  const Cluster cluster = with_a_suspended_job();
  const auto forecast = forecast_queue(cluster, configured(""), kNow, 10);
  ASSERT_EQ(forecast.starts.size(), 1U);
  EXPECT_EQ(forecast.starts[0].start, kNow + Seconds(1860));
}

TEST(ForecastSuspended, ForRunjobTheyAreFree) {
  const Cluster cluster = with_a_suspended_job();
  const auto& a = cluster.job(job_named(cluster, "a"));
  EXPECT_TRUE(place_now(cluster, configured(""), kNow, a, cluster.request_of(a.id), true));
}

// --- time limits of reservations -------------------------------------------------------

std::string windows_from(const Cluster& cluster, const WindowQuery& query = {}) {
  std::string text;
  for (const auto& window : backfill_windows(cluster, {}, kNow, query))
    text += std::to_string(window.procs) + " for " +
            (window.duration == kUnlimited ? "ever" : std::to_string(window.duration.raw())) + "; ";
  return text;
}

/// n1 is reserved for anybody who overlaps for ten minutes at most; n2 is nobody's.
Cluster with_short_access(Time from, Time until) {
  Scenario scenario;
  scenario.nodes(2, procs(1)).job("a").by("amy");
  Cluster cluster = scenario.build();
  Reservation made;
  made.name = "short";
  made.start = from;
  made.end = until;
  made.nodes = {{test::node_named(cluster, "n1"), 1, 0}};
  made.access.criteria.push_back({AccessKind::time, 600});
  cluster.add_reservation(std::move(made));
  return cluster;
}

TEST(WindowsOfLimitedTime, IncludeTheReservationIfTheyAreShortEnough) {
  EXPECT_EQ(windows_from(with_short_access(kNow, kNow + hours(2))), "2 for 600; 1 for ever; ");
  EXPECT_EQ(windows_from(with_short_access(kNow + hours(1), kForever)), "2 for 4200; 1 for ever; ");
}

TEST(WindowsOfLimitedTime, AReservationThatEndsWithinTheLimitIsNone) {
  EXPECT_EQ(windows_from(with_short_access(kNow, kNow + Seconds(300))), "2 for ever; ");
}

TEST(WindowsOfLimitedTime, AReservationWithoutEndIsNeverOver) {
  Cluster cluster = with_short_access(kNow, kForever);
  const auto a = job_named(cluster, "a");
  Request request = cluster.request_of(a);
  request.requirements.push_back(request.requirements.front());
  cluster.set_request(a, request);
  EXPECT_EQ(start_of_a(cluster), "never") << "an hour is more than the ten minutes allowed on n1";
}

TEST(WindowsOfLimitedTime, ADurationLeavesOutWhatIsShorter) {
  WindowQuery query;
  query.at_least = Seconds(600);
  EXPECT_EQ(windows_from(with_short_access(kNow, kNow + hours(2)), query),
            "2 for 600; 1 for ever; ");
  query.at_least = Seconds(601);
  EXPECT_EQ(windows_from(with_short_access(kNow, kNow + hours(2)), query), "1 for ever; ");
}

TEST(WindowsOfLimitedTime, NodeByNodeTheReservationEndsTheWindow) {
  const Cluster cluster = with_short_access(kNow, kNow + hours(2));
  const auto nodes = window_nodes(cluster, {}, kNow, {});
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[0].procs, 1);
  EXPECT_EQ(nodes[0].duration, Seconds(600));
  EXPECT_EQ(cluster.reservation(nodes[0].blocked_by).name, "short");
}

// --- what blocks a job ------------------------------------------------------------------

TEST(Blockers, ANodeSetIsNamedWhereTheJobWouldFitOutsideOfIt) {
  Scenario scenario;
  scenario.nodes(2, procs(1)).features({"switchA"}).nodes(1, procs(1)).features({"switchB"});
  scenario.job("r").running_on({{"n1", 1}}).job("a").tasks(2).queued(minutes(1));
  Cluster cluster = scenario.build();
  const auto a = job_named(cluster, "a");
  Request request = cluster.request_of(a);
  NodeSet set;
  set.list = {"switchA", "switchB"};
  set.delay = minutes(10);
  request.node_set = set;
  cluster.set_request(a, request);
  const auto why = explain(cluster, configured(""), kNow, a);
  EXPECT_EQ(why.reason, Reason::node_set);
  EXPECT_EQ(why.blocker, "ONEOF:FEATURE:switchA,switchB, elsewhere in 00:09:00 (NODESETDELAY)");
  request.node_set->delay = kUnlimited;
  cluster.set_request(a, request);
  EXPECT_EQ(explain(cluster, configured(""), kNow, a).blocker,
            "ONEOF:FEATURE:switchA,switchB, and nowhere else (NODESETDELAY)");
  request.node_set->delay = Seconds(0);
  cluster.set_request(a, request);
  EXPECT_EQ(explain(cluster, configured(""), kNow, a).reason, Reason::next_iteration);
}

TEST(Blockers, AJobThatMayUseReservationsAloneSaysWhatItFindsOfThem) {
  Scenario scenario;
  scenario.nodes(2, procs(2)).reservation("john").on({"n1"}).until(hours(5)).for_users({"john"});
  scenario.job("big").by("john").tasks(3).job("strange").by("amy");
  Cluster cluster = scenario.build();
  const auto why = [&](const char* name, const char* reservation) {
    const auto id = job_named(cluster, name);
    Job told = cluster.job(id);
    put(told.flags, JobFlag::adv_res);
    told.required_reservation = reservation;
    cluster.revise_job(id, told);
    const auto found = explain(cluster, configured(""), kNow, id);
    EXPECT_EQ(found.reason, Reason::confined);
    return found.blocker;
  };
  EXPECT_EQ(why("big", "john"), "'john' has no room for it now");
  EXPECT_EQ(why("big", "other"), "there is no reservation 'other'");
  EXPECT_EQ(why("strange", "john"), "'john' does not admit it");
  EXPECT_EQ(why("strange", ""), "none admits it");
}

TEST(Blockers, AJobLongerThanWhatIsLeftOfItsReservationSaysSo) {
  Scenario scenario;
  scenario.nodes(2, procs(2)).reservation("r").on({"n1"}).until(minutes(10)).for_users({"amy"});
  scenario.reservation("later")
      .on({"n2"})
      .from(kNow + minutes(5))
      .until(hours(5))
      .for_users({"amy"});
  scenario.job("long").by("amy").limit(minutes(11));
  Cluster cluster = scenario.build();
  const auto why = [&](const char* reservation) {
    const auto id = job_named(cluster, "long");
    Job told = cluster.job(id);
    put(told.flags, JobFlag::adv_res);
    told.required_reservation = reservation;
    cluster.revise_job(id, told);
    return explain(cluster, configured(""), kNow, id).blocker;
  };
  EXPECT_EQ(why("r"), "'r' ends in 00:10:00, before the job would");
  EXPECT_EQ(why("later"), "'later' begins in 00:05:00");
}

TEST(Blockers, TheLargeJobIsNamedThatChunksAreSavedFor) {
  Scenario scenario;
  scenario.nodes(4, procs(1)).job("runs").running_on({{"n1", 1}}).limit(hours(1));
  scenario.job("top").tasks(4).job("large").tasks(3).job("a").limit(minutes(5));
  Cluster cluster = scenario.build();
  for (const auto& line : cluster.waiting())
    cluster.set_eligible_since(line.job, kNow - minutes(9));
  const auto a = job_named(cluster, "a");
  const auto why = [&](const char* text) { return explain(cluster, configured(text), kNow, a); };
  constexpr auto kChunks = "BFCHUNKSIZE 2\nBFCHUNKDURATION 10:00\n";
  EXPECT_EQ(why(kChunks).reason, Reason::chunk);
  EXPECT_EQ(why(kChunks).blocker,
            "job top of 4 procs, for at most another 00:01:00 (BFCHUNKDURATION)");
  EXPECT_EQ(why("BFCHUNKSIZE 2\nBFCHUNKDURATION 9:00\n").reason, Reason::next_iteration);
  const auto made = plan(cluster, configured(kChunks), kNow);
  EXPECT_EQ(made.reasons.back(), Reason::chunk);
}

// A job that may use it for ten minutes at most may do so towards its end.
TEST(ReservationBoundaries, AReservationAdmitsByTimeBeforeItIsOver) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).reservation("r").on({"n1"}).until(hours(1));
  Cluster cluster = scenario.build();
  Reservation limited = cluster.reservation(cluster.reservations().front());
  EXPECT_EQ(next_reservation_boundary(cluster, kNow), kNow + hours(1));
  AccessCriterion time;
  time.kind = AccessKind::time;
  time.value = minutes(10).raw();
  limited.access.criteria.push_back(time);
  cluster.change_reservation(limited.id, limited);
  EXPECT_EQ(next_reservation_boundary(cluster, kNow), kNow + minutes(50));
  EXPECT_EQ(next_reservation_boundary(cluster, kNow + minutes(50)), kNow + hours(1));
}

}  // namespace
}  // namespace maui
