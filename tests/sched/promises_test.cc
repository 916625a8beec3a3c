// RUNTIMELEARNING BACKFILL and PRIORITY: whom backfill takes first, what it may make a reserved job
// wait, and what comes before all other jobs.
#include "sched/promises.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "sched/cycle.h"
#include "sched/query/explain.h"
#include "sched/rules/job_flags.h"
#include "sched/rules/partition_policies.h"
#include "sched/suspended.h"
#include "support/carry_out.h"
#include "support/random_cluster.h"

namespace maui {
namespace {

using test::carry_out;
using test::hours;
using test::job_named;
using test::kNow;
using test::minutes;
using test::procs;
using test::Scenario;
using test::started;

Settings learning(LearningUse use = LearningUse::backfill) {
  Settings settings;
  settings.learning.use = use;
  return settings;
}

/// Four processors, of which two are free; the others run for an hour yet; the first job needs
/// four.
Scenario two_free_for_an_hour() {
  Scenario scenario;
  scenario.nodes(4, procs(1)).job("running").tasks(2).running_on({{"n1", 1}, {"n2", 1}});
  scenario.job("top").tasks(4);
  return scenario;
}

/// The same with two jobs behind it, of which the second has that limit.
Cluster long_and_short(Seconds limit_of_short) {
  return two_free_for_an_hour()
      .job("long")
      .tasks(2)
      .limit(minutes(30))
      .job("short")
      .tasks(2)
      .limit(limit_of_short)
      .build();
}

void expect_run(Cluster& cluster, const std::string& job, double seconds) {
  const JobId id = job_named(cluster, job);
  cluster.run_times.at(id).expected = {seconds, seconds, 1 / seconds};
  cluster.run_times.set_worth(id, 1 / seconds / seconds);
}

Plan plan_and_carry_out(Cluster& cluster, const Settings& settings, Time now) {
  Plan made = plan(cluster, settings, now);
  note_promises(cluster, made);
  carry_out(cluster, made, now);
  return made;
}

Time reserved_start(const Cluster& cluster, const std::string& job) {
  return cluster.reservation(cluster.job(job_named(cluster, job)).reservation).start;
}

TEST(LearnedBackfill, TheJobThatIsWorthMostGoesFirst) {
  Cluster cluster = long_and_short(minutes(30));
  expect_run(cluster, "long", 1500);
  expect_run(cluster, "short", 20);
  EXPECT_EQ(started(cluster, plan(cluster, learning(), kNow)), "short");
  EXPECT_EQ(started(cluster, plan(cluster, Settings(), kNow)), "long");
}

TEST(LearnedBackfill, AfterAnEqualRequestAJobTakesItsTurnBehindMoreValuableJobs) {
  Cluster cluster = two_free_for_an_hour()
                        .job("least")
                        .limit(minutes(30))
                        .job("best")
                        .limit(minutes(30))
                        .job("other")
                        .limit(minutes(20))
                        .job("equal")
                        .limit(minutes(20))
                        .build();
  expect_run(cluster, "least", 1000);
  expect_run(cluster, "best", 10);
  expect_run(cluster, "other", 500);
  expect_run(cluster, "equal", 500);
  EXPECT_EQ(started(cluster, plan(cluster, learning(), kNow)), "best other");
}

TEST(LearnedBackfill, ShownForecastsDecideNothing) {
  Cluster cluster = long_and_short(minutes(90));
  expect_run(cluster, "short", 20);
  cluster.run_times.at(job_named(cluster, "short")).fair_wait = Seconds(0);
  const auto with = [&](LearningUse use) {
    return test::describe(cluster, plan(cluster, learning(use), kNow), kNow);
  };
  EXPECT_EQ(with(LearningUse::show), with(LearningUse::none));
}

TEST(Promises, AJobMayRunIntoTheSlackOfAReservation) {
  Cluster cluster = two_free_for_an_hour().job("late").tasks(2).limit(minutes(110)).build();
  Settings settings = learning();
  EXPECT_EQ(started(cluster, plan(cluster, settings, kNow)), "late");
  settings.learning.reservation_slack = minutes(40);
  EXPECT_EQ(started(cluster, plan(cluster, settings, kNow)), "");
  settings.learning.reservation_slack = Seconds(0);
  EXPECT_EQ(started(cluster, plan(cluster, settings, kNow)), "");
  settings.learning.reservation_slack = kUnlimited;
  EXPECT_EQ(started(cluster, plan(cluster, settings, kNow)), "late");
}

// By its end date, the reserved job must start within 75 minutes: so that much is its slack.
TEST(Promises, SlackEndsWhereTheReservedJobWouldMissItsEndDate) {
  const auto starts = [](Seconds limit_of_late) {
    Scenario scenario;
    scenario.nodes(4, procs(1)).job("running").tasks(2).running_on({{"n1", 1}, {"n2", 1}});
    scenario.job("top").tasks(4).end_date(kNow + minutes(135));
    Cluster cluster = scenario.job("late").tasks(2).limit(limit_of_late).build();
    return started(cluster, plan(cluster, learning(), kNow));
  };
  EXPECT_EQ(starts(minutes(110)), "");
  EXPECT_EQ(starts(minutes(70)), "late");
}

// A promise that the pass within soft limits has granted is not granted again within hard limits.
TEST(Promises, SoftLimitsGiveNoSecondSlack) {
  Scenario scenario;
  scenario.nodes(4, procs(1)).job("running").tasks(2).running_on({{"n1", 1}, {"n2", 1}});
  scenario.job("top").by("amy").tasks(4);
  scenario.job("first").by("bob").limit(minutes(110));
  scenario.job("second").by("bob").limit(minutes(170));
  Cluster cluster = scenario.build();
  Settings settings = learning();
  settings.users["bob"].limits.active[static_cast<std::size_t>(LimitKind::job)] = Limit{1, 2};
  const Plan made = plan_and_carry_out(cluster, settings, kNow);
  EXPECT_EQ(started(cluster, made), "first");
  EXPECT_EQ(reserved_start(cluster, "top"), kNow + minutes(110));
  EXPECT_EQ(cluster.run_times.of(job_named(cluster, "top")).promised, kNow + hours(1));
}

TEST(Promises, TheReservationStandsWhereWhatWasBackfilledLeavesIt) {
  Cluster cluster = two_free_for_an_hour().job("late").tasks(2).limit(minutes(110)).build();
  plan_and_carry_out(cluster, learning(), kNow);
  EXPECT_EQ(reserved_start(cluster, "top"), kNow + minutes(110));
  EXPECT_EQ(cluster.run_times.of(job_named(cluster, "top")).promised, kNow + hours(1));
}

TEST(Promises, TheReservationIsNotMovedIfNothingIsBackfilled) {
  Cluster cluster = two_free_for_an_hour().build();
  plan_and_carry_out(cluster, learning(), kNow);
  EXPECT_EQ(reserved_start(cluster, "top"), kNow + hours(1));
}

TEST(Promises, SlackCountsFromTheEarliestStartThatWasEverPromised) {
  Cluster cluster = two_free_for_an_hour().job("late").tasks(2).limit(minutes(110)).build();
  const JobId top = job_named(cluster, "top");
  cluster.run_times.at(top).promised = kNow + minutes(40);
  EXPECT_EQ(started(cluster, plan(cluster, learning(), kNow)), "");
  cluster.run_times.at(top).promised = kNow + minutes(50);
  EXPECT_EQ(started(cluster, plan(cluster, learning(), kNow)), "late");
}

TEST(Promises, NothingIsPromisedIfNothingIsFree) {
  const Cluster cluster = Scenario()
                              .nodes(2, procs(1))
                              .job("running")
                              .tasks(2)
                              .running_on({{"n1", 1}, {"n2", 1}})
                              .job("top")
                              .tasks(2)
                              .build();
  EXPECT_FALSE(plan(cluster, learning(), kNow).promises);
}

Settings by_xfactor() {
  Settings settings = learning(LearningUse::priority);
  settings.priority.queue_time.weight = 0;
  settings.priority.xfactor.weight = 1;
  return settings;
}

/// Names in the order of the queue.
std::string order(const Cluster& cluster, const Settings& settings) {
  std::string names;
  for (const auto& ranked : plan(cluster, settings, kNow).order)
    names += (names.empty() ? "" : " ") + cluster.job(ranked.job).name;
  return names;
}

TEST(LearnedPriority, TheExpansionFactorCountsByTheRunThatIsExpected) {
  Cluster cluster = Scenario()
                        .nodes(1, procs(1))
                        .job("first")
                        .limit(hours(1))
                        .queued(minutes(10))
                        .job("second")
                        .limit(hours(2))
                        .queued(minutes(9))
                        .build();
  expect_run(cluster, "first", 3600);
  expect_run(cluster, "second", 60);
  EXPECT_EQ(order(cluster, by_xfactor()), "second first");
  EXPECT_EQ(order(cluster, learning(LearningUse::backfill)), "first second");
}

TEST(LearnedPriority, TheOrderGoesByPrioritiesBeforeTheyAreRounded) {
  Cluster cluster = Scenario()
                        .nodes(1, procs(1))
                        .job("first")
                        .queued(Seconds(600))
                        .job("second")
                        .queued(Seconds(500))
                        .build();
  expect_run(cluster, "first", 4000);   // an expansion factor of 1.15
  expect_run(cluster, "second", 1000);  // and one of 1.5
  EXPECT_EQ(order(cluster, by_xfactor()), "second first");
}

TEST(LearnedPriority, TheJobThatHoldsThePromiseKeepsItAgainstLittleMore) {
  Cluster cluster = Scenario()
                        .nodes(1, procs(1))
                        .job("holds")
                        .queued(Seconds(1000))
                        .job("other")
                        .queued(Seconds(1000))
                        .build();
  expect_run(cluster, "holds", 1000);  // 2
  expect_run(cluster, "other", 100);   // 11
  cluster.run_times.at(job_named(cluster, "holds")).promised_last = true;
  EXPECT_EQ(order(cluster, by_xfactor()), "holds other");
  Settings settings = by_xfactor();
  settings.learning.reservation_hysteresis = 5;
  EXPECT_EQ(order(cluster, settings), "other holds");
}

TEST(LearnedPriority, JobsThatWaitedTooLongGoFirstInOrderOfArrival) {
  Cluster cluster = Scenario()
                        .nodes(1, procs(1))
                        .job("urgent")
                        .queued(Seconds(900))
                        .job("old")
                        .queued(Seconds(1000))
                        .job("older")
                        .queued(Seconds(2000))
                        .job("placed")
                        .queued(Seconds(1))
                        .change_job([](Job& job) {
                          job.system_priority = {true, 1};
                        })
                        .build();
  for (const char* job : {"old", "older", "placed"}) expect_run(cluster, job, 100000);
  expect_run(cluster, "urgent", 10);
  for (const char* job : {"old", "older"})
    cluster.run_times.at(job_named(cluster, job)).fair_wait = Seconds(999);
  EXPECT_EQ(order(cluster, by_xfactor()), "placed older old urgent");
  cluster.run_times.at(job_named(cluster, "old")).fair_wait = Seconds(1000);
  EXPECT_EQ(order(cluster, by_xfactor()), "placed older urgent old");
}

// There are too many to be sorted by comparing them; beside one that is far above the others these
// are nearly equal.
TEST(LearnedPriority, AThousandJobsStandInOrderOfTheirFactorsAndEqualJobsAsTheyCame) {
  std::mt19937 random(3);
  for (const auto& [weight, outlier] :
       {std::pair(1.0, false), std::pair(-1.0, false), std::pair(1.0, true)}) {
    Cluster cluster = Scenario().nodes(1, procs(1)).build();
    std::vector<std::pair<double, std::string>> expected;
    for (int i = 0; i < 1000; ++i) {
      Job job;
      job.name = "j" + std::to_string(i);
      job.queued = job.submitted = kNow - Seconds(2000 - i);
      const JobId id = cluster.add_job(job, Request());
      const double least = outlier && i > 0 ? 1e8 : 60;
      const double run = least + static_cast<double>(random() % 50 * 100);
      cluster.run_times.at(id).expected = {run, run, 1 / run};
      expected.emplace_back(-weight * (2000 - i + run) / run, job.name);
    }
    std::stable_sort(expected.begin(), expected.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    Settings settings = by_xfactor();
    settings.priority.xfactor.weight = weight;
    settings.priority.allow_negative = true;
    const Plan made = plan(cluster, settings, kNow);
    ASSERT_EQ(made.order.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_EQ(cluster.job(made.order[i].job).name, expected[i].second) << i << ", " << weight;
  }
}

// --- any world ----------------------------------------------------------------

class World {
 public:
  World(unsigned seed, const test::Mixture& mixture,
        std::optional<Preemption> preemption = std::nullopt)
      : random(seed, mixture), preempts_(preemption) {
    random.furnish();
    if (preemption) settings.jobs.preemption = *preemption;
    settings.learning.use = LearningUse::backfill;
    settings.learning.reservation_slack = Seconds(random.below(12));
    settings.node.down_node_delay = kUnlimited;
    settings.node_allocation = random.some_allocation();
    settings.backfill = random.one_of({BackfillPolicy::first_fit, BackfillPolicy::greedy});
    settings.reservation_policy =
        random.one_of({ReservationPolicy::current_highest, ReservationPolicy::highest});
    settings.reservation_stacks = {{1 + random.below(3), {}}};
    if (random.one_in(4))
      settings.reservation_stacks = {{1 + random.below(2), {"high"}}, {1, {"low"}}};
    for (int i = 0; i < 8; ++i) submit();
  }

  void submit() {
    const JobId id = random.submit(now);
    if (preempts_)
      let_preempt(id);
    else if (random.one_in(4))
      random.cluster.set_system_priority(id, {false, random.below(3)});
    auto& told = random.cluster.run_times.at(id);
    told = {};
    random.cluster.run_times.set_worth(id, random.below(100));
    told.expected = {1.0 + random.below(9), 1.0 + random.below(9), 0.1};
  }

  /// To the next end by limit, or of a reservation, or less far; some jobs end before their limits.
  void go_on() {
    Cluster& cluster = random.cluster;
    Time next = now + Seconds(1 + random.below(5));
    if (!cluster.active().empty()) next = std::min(next, cluster.active().front().ends);
    next = std::min(next, next_reservation_boundary(cluster, now));
    for (const JobId id : cluster.suspended()) {
      const Time rested = cluster.job(id).suspended_since + kLeastSuspension;
      if (rested > now) next = std::min(next, rested);
    }
    now = std::max(now + Seconds(1), next);
    const std::vector<Active> active(cluster.active().begin(), cluster.active().end());
    for (const Active& running : active)
      if (running.ends <= now || random.one_in(6)) {
        cluster.end_job(running.job, JobState::completed, now);
        cluster.run_times.forget(running.job);
        cluster.forget_job(running.job);
      }
    if (random.one_in(3)) submit();
  }

  Plan plan_and_carry_out(CyclePlanner& planner) {
    Cluster& cluster = random.cluster;
    Plan made = planner.plan(cluster, settings, now);
    cluster.note_reservations_planned(made.reservations_earliest);
    note_promises(cluster, made);
    carry_out(cluster, made, now);
    for (const Decision& decision : made.decisions)
      if (const auto* victim = std::get_if<PreemptJob>(&decision)) {
        ++preempted;
        cluster.run_times.at(victim->job).promised = kForever;  // as the engine does
      }
    return made;
  }

  /// Returns the jobs that would start or resume if no job could preempt others.
  std::set<JobId> go_on_without_preemptors() const {
    Cluster cluster = random.cluster;
    for (const JobId id : cluster.jobs())
      put(const_cast<Job&>(cluster.job(id)).flags, JobFlag::preemptor, false);
    std::set<JobId> jobs;
    const Plan made = plan(cluster, settings, now);
    for (const Decision& decision : made.decisions) {
      if (const auto* start = std::get_if<StartJob>(&decision)) jobs.insert(start->job);
      if (const auto* resumption = std::get_if<ResumeJob>(&decision)) jobs.insert(resumption->job);
    }
    return jobs;
  }

  test::RandomCluster random;
  Settings settings;
  Time now = kNow;
  int preempted = 0;

 private:
  void let_preempt(JobId id) {
    Job& job = const_cast<Job&>(random.cluster.job(id));  // flags come with a job and never change
    const bool preemptor = random.one_in(3);
    put(job.flags, JobFlag::preemptor, preemptor);
    put(job.flags, JobFlag::preemptee, !preemptor);
    put(job.flags, JobFlag::no_queue, false);
    Request longer = random.cluster.request_of(id);
    longer.limit += Seconds(random.below(20));
    random.cluster.set_request(id, std::move(longer));
    random.cluster.set_system_priority(id, {false, (preemptor ? 1000 : 0) + random.below(1000)});
  }

  std::optional<Preemption> preempts_;
};

test::Mixture mixture_of(unsigned seed) {
  test::Mixture mixture;
  mixture.several_requirements = seed % 5 == 0;
  mixture.access_rules = seed % 2 == 0;
  mixture.host_lists = seed % 3 == 0;
  mixture.node_sets = seed % 7 == 0;
  return mixture;
}

/// Empty, or which job was backfilled before one that was worth more.  Preemptors start before
/// backfill, so that they do not preempt what it starts.
std::string out_of_order(const Cluster& cluster, const Settings& settings, const Plan& made) {
  const JobFlags flags(cluster, settings);
  const auto before = [&](JobId a, JobId b) {
    const double worth_a = cluster.run_times.worth(a), worth_b = cluster.run_times.worth(b);
    if (worth_a != worth_b) return worth_a > worth_b;
    const Job &job_a = cluster.job(a), &job_b = cluster.job(b);
    return std::tie(job_a.queued, job_a.arrival) < std::tie(job_b.queued, job_b.arrival);
  };
  JobId last;
  for (const Decision& decision : made.decisions) {
    const auto* start = std::get_if<StartJob>(&decision);
    if (!start || !start->backfilled) continue;
    if (flags.has(cluster.job(start->job), JobFlag::preemptor)) continue;
    if (last.valid() && before(start->job, last)) return cluster.job(start->job).name;
    last = start->job;
  }
  return "";
}

/// The jobs that hold a reservation, and the earliest start that was promised to each since then.
class Holders {
 public:
  /// Empty, or which of them was let down.
  std::string follow(const Cluster& cluster, const Plan& made, Time now, const Settings& settings) {
    const Seconds slack = settings.learning.reservation_slack;
    if (!keeps_reservations(settings)) let_go_of_overtaken(made);
    std::string broken;
    const auto check = [&](JobId job, Time start) {
      const auto held = best_.find(job);
      if (held == best_.end()) return;
      ++kept;
      late += start > held->second ? 1 : 0;
      if (start > held->second + slack)
        broken = cluster.job(job).name + " starts " + std::to_string((start - held->second).raw()) +
                 " s after its best promise, slack is " + std::to_string(slack.raw()) + "\n" +
                 test::describe(cluster, made, now);
    };
    for (const Decision& decision : made.decisions) {
      if (const auto* start = std::get_if<StartJob>(&decision)) check(start->job, now);
      if (const auto* reserve = std::get_if<ReserveJob>(&decision))
        check(reserve->job, reserve->start);
    }
    std::map<JobId, Time> holders;
    if (made.promises)
      for (const auto& promise : *made.promises) {
        const auto held = best_.find(promise.job);
        holders[promise.job] =
            held == best_.end() ? promise.start : std::min(held->second, promise.start);
      }
    else
      for (const auto& [job, best] : best_)
        if (cluster.job(job).reservation.valid()) holders[job] = best;
    best_ = std::move(holders);
    return broken;
  }

  /// Forgets what was promised to a job that waits so that it does not start to be preempted.
  void let_go(JobId job) { best_.erase(job); }
  void let_go_of_all() { best_.clear(); }

  int kept = 0, late = 0;

 private:
  // The only reservation goes to the job on top (CURRENTHIGHEST), and jobs start in order of
  // priority: whom a job of higher priority overtakes has lost it.
  void let_go_of_overtaken(const Plan& made) {
    bool overtaken = false;
    const auto taken = [&](JobId job) {
      return std::any_of(made.decisions.begin(), made.decisions.end(),
                         [job](const Decision& decision) {
                           const auto* start = std::get_if<StartJob>(&decision);
                           const auto* reserve = std::get_if<ReserveJob>(&decision);
                           return (start && start->job == job && !start->backfilled) ||
                                  (reserve && reserve->job == job);
                         });
    };
    for (const Plan::Ranked& ranked : made.order) {
      if (overtaken) best_.erase(ranked.job);
      overtaken = overtaken || (!best_.contains(ranked.job) && taken(ranked.job));
    }
  }

  std::map<JobId, Time> best_;
};

bool preempts(const Plan& plan) {
  return std::any_of(plan.decisions.begin(), plan.decisions.end(), [](const Decision& decision) {
    return std::holds_alternative<PreemptJob>(decision);
  });
}

void expect_promises_to_be_kept(LearningUse use,
                                std::optional<Preemption> preemption = std::nullopt) {
  int kept = 0, late = 0, preempted = 0;
  std::vector<unsigned> seeds(test::rounds(250));
  std::iota(seeds.begin(), seeds.end(), 1U);
  seeds.insert(seeds.end(), {1099, 15065, 113379});  // worlds in which promises were broken
  for (const unsigned seed : seeds) {
    World world(seed, mixture_of(seed), preemption);
    world.settings.learning.use = use;
    if (use == LearningUse::priority) world.settings.priority.xfactor.weight = 1;
    CyclePlanner planner;
    Holders holders;
    for (int step = 0; step < 25; ++step) {
      const auto without = preemption ? world.go_on_without_preemptors() : std::set<JobId>();
      const Plan made = world.plan_and_carry_out(planner);
      bool any_suspended = preemption == Preemption::suspend && preempts(made);
      for (const JobId job : without) {
        const Job& put_off = world.random.cluster.job(job);
        if (!put_off.active()) holders.let_go(job);
        any_suspended = any_suspended || put_off.state == JobState::suspended;
      }
      ASSERT_EQ(out_of_order(world.random.cluster, world.settings, made), "") << "seed " << seed;
      ASSERT_EQ(world.random.cluster.check().value_or(""), "") << "seed " << seed;
      ASSERT_EQ(holders.follow(world.random.cluster, made, world.now, world.settings), "")
          << "seed " << seed << ", step " << step << ", policy "
          << static_cast<int>(world.settings.reservation_policy) << ", "
          << world.settings.reservation_stacks.size() << " stacks, the first of "
          << world.settings.reservation_stacks.front().depth;
      // The next plan keeps nodes for suspended jobs before it reserves any for waiting ones.
      if (any_suspended) holders.let_go_of_all();
      world.go_on();
    }
    kept += holders.kept;
    late += holders.late;
    preempted += world.preempted;
  }
  EXPECT_GT(kept, 250);
  EXPECT_GT(late, preemption ? 4 : 10);  // slack is made use of
  EXPECT_GT(preempted, preemption ? 20 : -1);
}

TEST(PromisesProperty, NoReservedJobStartsLaterThanItsBestPromiseAndTheSlack) {
  expect_promises_to_be_kept(LearningUse::backfill);
}

TEST(PromisesProperty, NorWhereTheOrderOfTheQueueIsLearned) {
  expect_promises_to_be_kept(LearningUse::priority);
}

TEST(PromisesProperty, NorWhereJobsAreRequeuedForOthers) {
  expect_promises_to_be_kept(LearningUse::backfill, Preemption::requeue);
}

TEST(PromisesProperty, NorWhereJobsAreSuspendedForOthers) {
  expect_promises_to_be_kept(LearningUse::priority, Preemption::suspend);
}

TEST(PromisesProperty, ShownForecastsDecideNothing) {
  int asked = 0, fitted = 0;
  for (unsigned seed = 1; seed <= test::rounds(300); ++seed) {
    World shown(seed, mixture_of(seed)), silent(seed, mixture_of(seed));
    shown.settings.learning.use = LearningUse::show;
    silent.settings.learning.use = LearningUse::none;
    CyclePlanner first, second;
    for (int step = 0; step < 25; ++step) {
      Cluster& cluster = shown.random.cluster;
      const auto waiting = cluster.waiting();
      cluster.run_times.shorter.reset();
      if (!waiting.empty()) {
        const Waiting& line = waiting[static_cast<std::size_t>(step) % waiting.size()];
        cluster.run_times.shorter = RunTimes::Shorter{line.job, Seconds(1)};
        ++asked;
      }
      const Plan made = shown.plan_and_carry_out(first);
      const Plan other = silent.plan_and_carry_out(second);
      fitted += made.shorter_starts ? 1 : 0;
      ASSERT_EQ(test::describe(cluster, made, shown.now),
                test::describe(silent.random.cluster, other, silent.now))
          << "seed " << seed << ", step " << step;
      shown.go_on();
      silent.go_on();
    }
  }
  EXPECT_GT(asked, 1000);
  EXPECT_GT(fitted, 5);
}

}  // namespace
}  // namespace maui
