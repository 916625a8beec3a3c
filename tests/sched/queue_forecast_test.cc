#include "sched/query/queue_forecast.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "sched/configured.h"
#include "support/scenario.h"

namespace maui {
namespace {

using namespace test;

constexpr std::size_t kAll = 1000;

Time start_of(const Cluster& cluster, const QueueForecast& forecast, const char* job) {
  for (const auto& planned : forecast.starts)
    if (planned.job == job_named(cluster, job)) return planned.start;
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
  EXPECT_TRUE(forecast.complete());
  EXPECT_EQ(start_of(cluster, forecast, "wide"), kNow + hours(2));
  EXPECT_EQ(start_of(cluster, forecast, "narrow"), kNow);
  EXPECT_EQ(start_of(cluster, forecast, "long"), kNow + hours(3));
}

TEST(QueueForecast, WithoutBackfillNoJobStartsBeforeAJobAheadOfIt) {
  const Cluster cluster = busy().build();
  Settings settings;
  settings.backfill = BackfillPolicy::none;
  const auto forecast = forecast_queue(cluster, settings, kNow, kAll);
  EXPECT_EQ(start_of(cluster, forecast, "wide"), kNow + hours(2));
  EXPECT_EQ(start_of(cluster, forecast, "narrow"), kNow + hours(3));
  EXPECT_EQ(start_of(cluster, forecast, "long"), kNow + hours(3));
}

TEST(QueueForecast, WithoutBackfillJobsPassAJobThatALimitHoldsBack) {
  Scenario scenario;
  scenario.nodes(2, procs(1));
  scenario.job("runs").by("amy").limit(hours(2)).running_on({{"n1", 1}});
  scenario.job("held back").by("amy").limit(hours(1));
  scenario.job("goes past").by("bob").limit(hours(1));
  const Cluster cluster = scenario.build();
  const Settings settings = configured("BACKFILLPOLICY NONE\nUSERCFG[amy] MAXJOB=1\n");
  const auto forecast = forecast_queue(cluster, settings, kNow, kAll);
  EXPECT_EQ(start_of(cluster, forecast, "held back"), kNow + hours(2));
  EXPECT_EQ(start_of(cluster, forecast, "goes past"), kNow);
}

TEST(QueueForecast, AJobThatNeverFitsNeverStarts) {
  const Cluster cluster = busy().job("huge").tasks(3).build();
  EXPECT_EQ(start_of(cluster, forecast_queue(cluster, Settings(), kNow, kAll), "huge"), kForever);
}

TEST(QueueForecast, LooksAtSoManyJobsOnly) {
  const Cluster cluster = busy().build();
  const auto forecast = forecast_queue(cluster, Settings(), kNow, 2);
  EXPECT_EQ(forecast.starts.size(), 2U);
  EXPECT_FALSE(forecast.complete());
}

TEST(QueueForecast, WideJobsTakeNoMoreMemoryThanTheyMay) {
  Scenario scenario;
  for (int i = 1; i <= 50; ++i)  // no two alike
    scenario.node(fmt::format("n{}", i), Resources(1, 1000 + i));
  constexpr int kJobs = 250;
  for (int i = 0; i < kJobs; ++i) scenario.job(fmt::format("j{}", i)).tasks(50).limit(hours(1));
  const Cluster cluster = scenario.build();
  const auto forecast = forecast_queue(cluster, Settings(), kNow, kAll);
  EXPECT_GE(forecast.starts.size(), 190U);
  EXPECT_LE(forecast.starts.size(), 210U);
  EXPECT_EQ(forecast.starts.size() + forecast.beyond.size(), std::size_t{kJobs});

  StartForecaster last(cluster, Settings(), kNow, job_named(cluster, "j249"),
                       [](JobId) { return hours(1); });
  while (last.step()) {
  }
  EXPECT_EQ(last.by_limits(), kForever);
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

TEST(QueueForecast, AJobThatALimitKeepsStartsWhenThatLetsIt) {
  Scenario scenario;
  scenario.nodes(4, procs(1));
  scenario.job("runs").by("amy").limit(hours(2)).running_on({{"n1", 1}});
  scenario.job("first").by("amy").limit(hours(3));
  scenario.job("second").by("amy").limit(hours(1));
  scenario.job("other").by("bob").limit(hours(1));
  scenario.job("large").by("amy").tasks(3).limit(hours(1));
  const Cluster cluster = scenario.build();
  const auto forecast =
      forecast_queue(cluster, configured("USERCFG[amy] MAXJOB=1 MAXPROC=2\n"), kNow, kAll);
  EXPECT_EQ(start_of(cluster, forecast, "first"), kNow + hours(2));
  EXPECT_EQ(start_of(cluster, forecast, "second"), kNow + hours(5));
  EXPECT_EQ(start_of(cluster, forecast, "other"), kNow);
  EXPECT_EQ(start_of(cluster, forecast, "large"), kForever);
}

TEST(QueueForecast, AJobThatIsTooLargeForAnyoneNeverStarts) {
  const Cluster cluster = busy().build();
  const auto forecast = forecast_queue(cluster, configured("SYSTEMMAXPROCPERJOB 1\n"), kNow, kAll);
  EXPECT_EQ(start_of(cluster, forecast, "wide"), kForever);
  EXPECT_EQ(start_of(cluster, forecast, "narrow"), kNow);
}

// An oracle that goes from second to second, on a single node.
TEST(QueueForecastProperty, EachJobTakesTheFirstSecondThatNodesAndLimitsLeave) {
  struct Run {
    int procs, start, end;
  };
  enum { job_count, processors, processor_seconds, wall_time };
  constexpr const char* kLimits[] = {"MAXJOB", "MAXPROC", "MAXPS", "MAXWC"};
  constexpr int kProcs = 6, kHorizon = 300;
  int kept = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    std::mt19937 random(seed);
    const auto pick = [&](unsigned n) { return static_cast<int>(random() % n); };
    const int kind = pick(4), limit = 2 + pick(kind < processor_seconds ? 4 : 30);
    std::vector<Run> amys, bobs;
    Scenario scenario;
    scenario.node("n1", procs(kProcs));
    for (int i = 0; i < 2; ++i) {
      const Run run{1, 0, 2 + pick(15)};
      scenario.job("r" + std::to_string(i)).by("amy").limit(Seconds(run.end));
      scenario.running_on({{"n1", 1}});
      amys.push_back(run);
    }
    const auto fits = [&](const Run& run) {
      for (int t = run.start; t < run.end; ++t) {
        int used = run.procs;
        for (const auto* all : {&amys, &bobs})
          for (const Run& other : *all) used += other.start <= t && t < other.end ? other.procs : 0;
        if (used > kProcs) return false;
      }
      return true;
    };
    const auto use = [&](const Run& run, int at) {
      if (at < run.start || at >= run.end) return 0;
      const int left = run.end - at;
      return std::array{1, run.procs, run.procs * left, left}[static_cast<std::size_t>(kind)];
    };
    const auto allowed = [&](const Run& run) {
      int used = use(run, run.start);
      for (const Run& other : amys) used += use(other, run.start);
      return used <= limit;
    };
    std::vector<std::pair<std::string, int>> expected;
    for (int i = 0; i < 6; ++i) {
      const bool amy = pick(3) > 0;
      const int size = 1 + pick(4), length = 1 + pick(12);
      const auto name = "j" + std::to_string(i);
      scenario.job(name).by(amy ? "amy" : "bob").tasks(size).limit(Seconds(length));
      int start = 0;
      Run run{size, 0, length};
      const auto good = [&] { return fits(run) && (!amy || allowed(run)); };
      for (; start < kHorizon && !good(); run.start = ++start, run.end = start + length) {
      }
      expected.emplace_back(name, start);
      if (start < kHorizon) (amy ? amys : bobs).push_back(run);
      run = {size, 0, length};
      kept += start > 0 && fits(run) ? 1 : 0;
    }
    const auto text =
        std::string("USERCFG[amy] ") + kLimits[kind] + "=" + std::to_string(limit) + "\n";
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + text);
    const Cluster cluster = scenario.build();
    const auto forecast = forecast_queue(cluster, configured(text), kNow, kAll);
    for (const auto& [name, start] : expected)
      EXPECT_EQ(start_of(cluster, forecast, name.c_str()),
                start < kHorizon ? kNow + Seconds(start) : kForever)
          << name;
  }
  EXPECT_GT(kept, 100) << "limits keep jobs that nodes would take";
}

// --- expected starts ------------------------------------------------------------

using Runs = std::map<std::string, Seconds>;

/// Returns when the job is expected to start if the named jobs run that long, the others for their
/// limits.
Time expected_start(const Cluster& cluster, const Settings& settings, const char* job,
                    const Runs& runs) {
  StartForecaster forecaster(cluster, settings, kNow, job_named(cluster, job), [&](JobId id) {
    const auto run = runs.find(cluster.job(id).name);
    return run == runs.end() ? cluster.request_of(id).limit : run->second;
  });
  while (forecaster.step()) {
  }
  return forecaster.expected();
}

TEST(ExpectedStart, TheEndsOfManyJobsAreExpectedInSlices) {
  const auto steps = [](int running) {
    Scenario scenario;
    scenario.nodes(1, procs(running)).job("a").tasks(running).limit(hours(1));
    for (int i = 0; i < running; ++i)
      scenario.job(fmt::format("r{}", i)).limit(hours(2)).running_on({{"n1", 1}});
    const Cluster cluster = scenario.build();
    StartForecaster forecaster(cluster, Settings(), kNow, job_named(cluster, "a"),
                               [](JobId) { return hours(1); });
    int taken = 1;
    while (forecaster.step()) ++taken;
    EXPECT_EQ(forecaster.by_limits(), kNow + hours(2));
    EXPECT_EQ(forecaster.expected(), kNow + hours(1));
    return taken;
  };
  EXPECT_EQ(steps(3001), steps(1) + 3);
}

TEST(ExpectedStart, TheLimitNotTheExpectedRunMustFitBeforeAReservation) {
  Scenario scenario;
  scenario.nodes(2, procs(2)).job("a").limit(minutes(30)).job("b").limit(minutes(10));
  scenario.reservation("r").on({"n1", "n2"}).from(kNow + minutes(10)).until(hours(2));
  const Cluster cluster = scenario.build();
  const Runs runs{{"a", Seconds(3)}, {"b", Seconds(3)}};
  EXPECT_EQ(expected_start(cluster, {}, "a", runs), kNow + hours(2));
  EXPECT_EQ(expected_start(cluster, {}, "b", runs), kNow);
}

TEST(ExpectedStart, AJobGoesWhereReservationsLeaveItItsLimit) {
  for (const char* reserved : {"n1", "n2"}) {
    Scenario scenario;
    scenario.nodes(2, procs(1)).job("a").limit(hours(1)).job("b").limit(hours(1));
    scenario.reservation("r").on({reserved}).from(kNow + minutes(10)).until(hours(2));
    const Cluster cluster = scenario.build();
    const Runs runs{{"a", Seconds(30)}, {"b", Seconds(3)}};
    EXPECT_EQ(expected_start(cluster, {}, "a", runs), kNow) << reserved;
    EXPECT_EQ(expected_start(cluster, {}, "b", runs), kNow + Seconds(30)) << reserved;
  }
}

TEST(ExpectedStart, AJobStartsEarlyWhereTheJobBeforeItEndsEarly) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).job("r").limit(hours(4)).running_on({{"n1", 1}});
  scenario.job("a").limit(hours(1));
  scenario.reservation("r").on({"n1"}).from(kNow + hours(2)).until(hours(9));
  const Cluster cluster = scenario.build();
  const auto start = [&](Seconds run) {
    return expected_start(cluster, {}, "a", {{"r", run}, {"a", minutes(1)}});
  };
  EXPECT_EQ(start(minutes(60)), kNow + minutes(60));
  EXPECT_EQ(start(minutes(61)), kNow + hours(9));
}

// "wide" has the only reservation, for when "runs" reaches its limit.
TEST(ExpectedStart, AJobPassesAReservedOneOnlyIfItsLimitIsOverBeforeThen) {
  Scenario scenario;
  scenario.nodes(2, procs(1));
  scenario.job("runs").limit(hours(2)).running_on({{"n1", 1}});
  scenario.job("wide").tasks(2).limit(hours(1)).reserved_on({{"n1", 1}, {"n2", 1}},
                                                            kNow + hours(2));
  scenario.job("fits").limit(hours(2)).job("long").limit(hours(3));
  const Cluster cluster = scenario.build();
  const Runs runs{{"runs", minutes(10)}, {"fits", minutes(2)}, {"long", minutes(2)}};
  EXPECT_EQ(expected_start(cluster, {}, "wide", runs), kNow + minutes(10));
  EXPECT_EQ(expected_start(cluster, {}, "fits", runs), kNow);
  EXPECT_EQ(expected_start(cluster, {}, "long", runs), kNow + minutes(70));
}

TEST(ExpectedStart, LimitsOfUsersCountTheWallclockLimit) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).job("a").by("amy").limit(hours(3));
  const Cluster cluster = scenario.build();
  const auto start = [&](const char* text) {
    return expected_start(cluster, configured(text), "a", {{"a", minutes(1)}});
  };
  EXPECT_EQ(start("USERCFG[amy] MAXPS=10800\n"), kNow);
  EXPECT_EQ(start("USERCFG[amy] MAXPS=7200\n"), kForever);
}

TEST(ExpectedStart, AJobThatMustEndByADateStartsALimitBeforeIt) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).job("r").limit(hours(2)).running_on({{"n1", 1}});
  scenario.job("a").limit(hours(3)).end_date(kNow + hours(4));
  const Cluster cluster = scenario.build();
  const auto start = [&](Seconds run) {
    return expected_start(cluster, {}, "a", {{"r", run}, {"a", minutes(1)}});
  };
  EXPECT_EQ(start(minutes(30)), kNow + minutes(30));
  EXPECT_EQ(start(minutes(90)), kForever);
}

// An oracle that goes from second to second, on a single node.
TEST(ExpectedStartProperty, EachJobTakesTheFirstSecondThatLeavesItsRunNodesAndItsLimitTime) {
  struct Frame {
    int procs, start, end;
  };
  constexpr int kProcs = 4, kHorizon = 200;
  int kept = 0;
  for (unsigned seed = 1; seed <= 100; ++seed) {
    std::mt19937 random(seed);
    const auto pick = [&](unsigned n) { return static_cast<int>(random() % n); };
    std::vector<Frame> reserved, jobs;
    Runs runs;
    Scenario scenario;
    scenario.node("n1", procs(kProcs));
    const auto meet = [](const Frame& a, int start, int end) {
      return a.start < end && start < a.end;
    };
    std::vector<std::pair<std::string, int>> expected;
    for (int i = 0, from = 0; i < 2; ++i) {
      from += 1 + pick(15);
      reserved.push_back({0, from, from + 1 + pick(8)});
      from = reserved.back().end;
    }
    for (int i = 0; i < 5; ++i) {
      const int size = 1 + pick(3), limit = 1 + pick(15),
                run = 1 + pick(static_cast<unsigned>(limit));
      const auto name = "j" + std::to_string(i);
      scenario.job(name).tasks(size).limit(Seconds(limit));
      runs[name] = Seconds(run);
      int start = 0;
      const auto good = [&](int length) {
        for (const Frame& one : reserved)
          if (meet(one, start, start + length)) return false;
        for (int t = start; t < start + run; ++t) {
          int used = size;
          for (const Frame& other : jobs) used += meet(other, t, t + 1) ? other.procs : 0;
          if (used > kProcs) return false;
        }
        return true;
      };
      while (start < kHorizon && !good(limit)) kept += good(run) ? 1 : 0, ++start;
      expected.emplace_back(name, start);
      jobs.push_back({size, start, start + run});
    }
    for (const Frame& one : reserved)
      scenario.reservation("r" + std::to_string(one.start))
          .on({"n1"})
          .from(kNow + Seconds(one.start))
          .until(kNow + Seconds(one.end));
    const Cluster cluster = scenario.build();
    for (const auto& [name, start] : expected)
      EXPECT_EQ(expected_start(cluster, {}, name.c_str(), runs), kNow + Seconds(start))
          << name << ", seed " << seed;
  }
  EXPECT_GT(kept, 100) << "limits keep jobs whose runs would fit";
}

TEST(QueueForecast, AnUnchangedStartIsNoShift) {
  const Cluster cluster = busy().build();
  const auto forecast = forecast_queue(cluster, Settings(), kNow, kAll);
  EXPECT_TRUE(shifts(forecast, forecast).empty());
}

}  // namespace
}  // namespace maui
