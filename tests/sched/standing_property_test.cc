// Whatever is configured: standing reservations that float never hold more than is there, keep what
// they have, and grow as long as there is room.
#include <gtest/gtest.h>

#include "model/placement.h"
#include "sched/cycle.h"
#include "sched/reservations/reservation_fit.h"
#include "sched/reservations/standing.h"
#include "support/carry_out.h"
#include "support/random_cluster.h"

namespace maui::test {
namespace {

StandingReservationSettings some_standing(RandomCluster& random) {
  StandingReservationSettings standing;
  standing.tasks = 1 + random.below(5);
  if (random.one_in(2)) standing.per_task = Resources(1 + random.below(2));
  standing.period = random.one_in(2) ? StandingPeriod::infinity : StandingPeriod::day;
  standing.depth = 1 + random.below(3);
  standing.priority = random.below(3);
  standing.tasks_per_node = random.below(2);
  if (random.one_in(3)) put(standing.flags, ReservationFlag::space_flex);
  if (random.one_in(2)) {
    AccessWord word;
    word.name = random.cluster.users.all()[static_cast<std::size_t>(
        random.below(static_cast<int>(random.cluster.users.size())))];
    standing.access = {word};
  }
  return standing;
}

void carry_out_all(Cluster& cluster, std::vector<Decision> decisions, Time now) {
  Plan plan;
  plan.decisions = std::move(decisions);
  carry_out(cluster, plan, now);
}

void refresh(Cluster& cluster, const Settings& settings, Time now) {
  StandingPlanner planner;
  carry_out_all(cluster, planner.obsolete(cluster, settings), now);
  for (const auto& index : planner.order(settings))
    carry_out_all(cluster, planner.refresh(cluster, settings, index, now), now);
}

/// Finds a node on which reservations and jobs without access to any of them hold too much, at that
/// second.
std::optional<std::string> too_much(const Cluster& cluster, Time when) {
  for (const Node& node : cluster.nodes()) {
    Resources free = node.configured;
    std::vector<const Reservation*> here;
    for (const auto id : cluster.occupancy(node.id).reservations) {
      const Reservation& r = cluster.reservation(id);
      if (!r.active_at(when) || r.kind == ReservationKind::job) continue;
      here.push_back(&r);
      for (const NodeTasks& share : r.nodes)
        if (share.node == node.id) free.add(cluster.reserved_on(r, share), -1);
    }
    for (const Occupant& occupant : cluster.occupancy(node.id).occupants) {
      if (occupant.ends <= when) continue;
      const bool inside = std::any_of(here.begin(), here.end(), [&](const Reservation* r) {
        return r->access.admits(cluster.job(occupant.job).credentials);
      });
      if (!inside && !here.empty()) free.add(occupant.amount, -1);
    }
    if (free.procs() < 0) return node.name + " at " + std::to_string((when - kNow).raw());
  }
  return std::nullopt;
}

TEST(StandingPropertyTest, NoReservationHoldsMoreThanIsThere) {
  for (unsigned seed = 0; seed < rounds(150); ++seed) {
    Mixture mixture;
    mixture.reservations = false;
    mixture.access_rules = false;
    RandomCluster random(seed, mixture);
    random.furnish();
    Settings settings = random.some_settings();
    for (int i = 1 + random.below(4); i > 0; --i)
      settings.standing_reservations["s" + std::to_string(i)] = some_standing(random);
    Cluster& cluster = random.cluster;
    Time now = kNow;
    for (int step = 0; step < 4; ++step) {
      std::vector<std::pair<std::string, int>> before;
      for (const auto id : cluster.reservations())
        if (const Reservation& r = cluster.reservation(id); r.kind == ReservationKind::standing) {
          int tasks = 0;
          for (const NodeTasks& share : r.nodes) tasks += share.tasks;
          before.emplace_back(r.name, tasks);
        }
      refresh(cluster, settings, now);
      ASSERT_EQ(cluster.check(), std::nullopt) << "seed " << seed;
      for (int second = 0; second < 40; ++second)
        ASSERT_EQ(too_much(cluster, now + Seconds(second)), std::nullopt) << "seed " << seed;
      for (const auto& [name, tasks] : before) {
        const auto& r = cluster.reservation(cluster.find_reservation(name));
        int now_there = 0;
        for (const NodeTasks& share : r.nodes) now_there += share.tasks;
        ASSERT_GE(now_there, tasks) << name << " shrank, seed " << seed;
        ASSERT_LE(now_there, r.tasks_wanted);
      }
      // One of the jobs ends.
      if (!cluster.active().empty()) {
        const JobId done = cluster.active().front().job;
        cluster.end_job(done, JobState::completed, now);
        cluster.forget_job(done);
      }
      now = now + Seconds(1);
    }
  }
}

/// Which reservations the decisions are about, and their nodes.
std::string told(const Cluster& cluster, const std::vector<Decision>& decisions) {
  std::string all;
  const auto add = [&](const Reservation& r) {
    all += r.name + ":";
    for (const NodeTasks& share : r.nodes)
      all += " " + cluster.node(share.node).name + "*" + std::to_string(share.tasks);
    all += "\n";
  };
  for (const Decision& decision : decisions) {
    if (const auto* make = std::get_if<MakeReservation>(&decision)) add(make->wanted);
    if (const auto* change = std::get_if<ChangeReservation>(&decision)) add(change->wanted);
  }
  return all;
}

TEST(StandingPropertyTest, AKeptPlannerDecidesAsAFreshPlanner) {
  std::size_t grown = 0;
  for (unsigned seed = 0; seed < rounds(150); ++seed) {
    Mixture mixture;
    mixture.reservations = false;
    RandomCluster random(seed, mixture);
    random.furnish();
    random.run_jobs(6);
    Settings settings = random.some_settings();
    for (int i = 1 + random.below(4); i > 0; --i)
      settings.standing_reservations["s" + std::to_string(i)] = some_standing(random);
    Cluster& cluster = random.cluster;
    StandingPlanner planner;
    Time now = kNow;
    for (int step = 0; step < 8; ++step) {
      if (random.one_in(3)) now = now - Seconds(random.below(3)) * 43200;  // the clock is set back
      now = now + Seconds(1);
      carry_out_all(cluster, planner.obsolete(cluster, settings), now);
      for (const auto& index : planner.order(settings)) {
        auto decisions = planner.refresh(cluster, settings, index, now);
        ASSERT_EQ(told(cluster, decisions),
                  told(cluster, StandingPlanner().refresh(cluster, settings, index, now)))
            << index << ", step " << step << ", seed " << seed;
        if (step > 0) grown += decisions.size();
        carry_out_all(cluster, std::move(decisions), now);
      }
      if (cluster.active().empty()) continue;
      const JobId done = cluster.active().front().job;
      cluster.end_job(done, JobState::completed, now);
      cluster.forget_job(done);
    }
  }
  EXPECT_GT(grown, 50U) << "the cases are too simple";
}

TEST(StandingPropertyTest, ASecondRefreshIsNotNeeded) {
  for (unsigned seed = 0; seed < rounds(100); ++seed) {
    RandomCluster random(seed, Mixture{});
    random.furnish();
    Settings settings = random.some_settings();
    for (int i = 0; i < 3; ++i)
      settings.standing_reservations["s" + std::to_string(i)] = some_standing(random);
    refresh(random.cluster, settings, kNow);
    StandingPlanner again;
    EXPECT_TRUE(again.obsolete(random.cluster, settings).empty());
    for (const auto& index : again.order(settings))
      EXPECT_TRUE(again.refresh(random.cluster, settings, index, kNow).empty())
          << index << ", seed " << seed;
  }
}

// SLIDEFORWARD and TIMEFLEX look for the first second at which all tasks have room.
TEST(StandingPropertyTest, AReservationMovesToTheFirstSecondAtWhichItIsWhole) {
  constexpr int kSeconds = 80;
  int moved = 0;
  for (unsigned seed = 0; seed < rounds(150); ++seed) {
    Mixture mixture;
    mixture.access_rules = false;
    RandomCluster random(seed, mixture);
    random.furnish();
    random.run_jobs(6);
    const Settings settings = random.some_settings();
    Reservation asked;
    asked.name = "asked";
    asked.tasks_wanted = 1 + random.below(6);
    asked.per_task = Resources(1 + random.below(2));
    asked.start = kNow;
    asked.end = kNow + Seconds(1 + random.below(20));
    const auto whole_at = [&](int second) {
      Reservation there = asked;
      there.start = kNow + Seconds(second);
      there.end = asked.end + Seconds(second);
      const auto found = fitted(random.cluster, settings, there, nullptr, kNow);
      return task_count(found.nodes) == asked.tasks_wanted;
    };
    int first = 0;
    while (first < kSeconds && !whole_at(first)) ++first;
    put(asked.flags, ReservationFlag::time_flex);
    const auto found = fitted(random.cluster, settings, asked, nullptr, kNow);
    const bool whole = task_count(found.nodes) == asked.tasks_wanted;
    if (first == kSeconds) {
      ASSERT_FALSE(whole && found.start < kNow + Seconds(kSeconds)) << "seed " << seed;
      continue;
    }
    ASSERT_TRUE(whole) << "seed " << seed;
    ASSERT_EQ(found.start, kNow + Seconds(first)) << "seed " << seed;
    if (first > 0) ++moved;
  }
  EXPECT_GT(moved, 10);
}

TEST(StandingPropertyTest, AReservationMovesHoweverManyJobsEndBefore) {
  constexpr int kNodes = 100;
  Scenario scenario;
  scenario.nodes(kNodes, procs(1));
  for (int i = 1; i <= kNodes; ++i) {
    const auto node = "n" + std::to_string(i);
    scenario.job("j" + std::to_string(i)).limit(minutes(i)).running_on({{node.c_str(), 1}});
  }
  const Cluster cluster = scenario.build();
  Reservation asked;
  asked.tasks_wanted = kNodes;
  asked.per_task = procs(1);
  asked.start = kNow;
  asked.end = kNow + hours(1);
  put(asked.flags, ReservationFlag::time_flex);
  EXPECT_EQ(fitted(cluster, {}, asked, nullptr, kNow).start, kNow + minutes(kNodes));
}

}  // namespace
}  // namespace maui::test
