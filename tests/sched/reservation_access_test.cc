// Who may use reserved nodes, when, and where jobs are drawn to (seed 7.1.5.2.3, 7.1.5.2.4).
#include <gtest/gtest.h>

#include "sched/cycle.h"
#include "sched/explain.h"
#include "sched/timeline.h"
#include "support/carry_out.h"
#include "support/scenario.h"

namespace maui::test {
namespace {

constexpr Seconds kLimit = hours(1);

Settings shared() {
  Settings settings;
  settings.node_access = NodeAccess::shared;
  settings.node_allocation = NodeAllocation::first_available;
  return settings;
}

AccessCriterion time_limit(bool required) {
  return {AccessKind::time, kLimit.raw(), Comparison::at_most, Affinity::positive, false, required};
}

/// A reservation of whole nodes for whoever the list names.
void reserve(Cluster& cluster, const std::string& name, std::initializer_list<const char*> nodes,
             Time start, Time end, AccessList access) {
  Reservation r;
  r.name = name;
  r.kind = ReservationKind::standing;
  r.standing = name;
  r.start = start;
  r.end = end;
  r.access = std::move(access);
  for (const char* node : nodes) r.nodes.push_back({node_named(cluster, node), 1, 0});
  cluster.add_reservation(std::move(r));
}

AccessList of_users(Cluster& cluster, std::initializer_list<std::pair<const char*, Affinity>> who) {
  AccessList list;
  for (const auto& [name, affinity] : who) {
    list.add(AccessKind::user, cluster.users.intern(name));
    list.criteria.back().affinity = affinity;
  }
  return list;
}

// The weekly reservation runs from Monday 8:00 to Friday 17:00.
constexpr Time kMonday5{kNow + hours(0)};
constexpr Time kMonday8 = kNow + hours(3);
constexpr Time kTuesday9 = kMonday8 + hours(25);
constexpr Time kFriday16 = kMonday8 + hours(4 * 24 + 8);
constexpr Time kFriday17 = kMonday8 + hours(4 * 24 + 9);

bool may_start(Time when, Seconds limit) {
  Cluster cluster = Scenario().nodes(1, procs(2)).job("j").limit(limit).by("amy").build();
  AccessList list = of_users(cluster, {{"amy", Affinity::positive}});
  list.criteria.push_back(time_limit(true));
  reserve(cluster, "special", {"n1"}, kMonday8, kFriday17, list);
  const Settings settings = shared();
  Timeline timeline(cluster, settings, kNow, false);
  const Job& job = cluster.job(job_named(cluster, "j"));
  return timeline.earliest(job, cluster.request(job.request), when, when).has_value();
}

TEST(TimeLimitTest, CountsOnlyTheOverlap) {
  EXPECT_TRUE(may_start(kMonday5, hours(4)));
  EXPECT_TRUE(may_start(kFriday16, hours(12)));
  EXPECT_FALSE(may_start(kTuesday9, hours(2)));
}

TEST(TimeLimitTest, AShortJobMayRunAtAnyTime) {
  for (const Time when : {kMonday5, kMonday8, kTuesday9, kFriday16})
    EXPECT_TRUE(may_start(when, hours(1)));
  EXPECT_FALSE(may_start(kTuesday9, hours(1) + Seconds(1)));
}

TEST(TimeLimitTest, ASecondTooMuchIsTooMuch) {
  EXPECT_FALSE(may_start(kMonday5, hours(4) + Seconds(1)));
  EXPECT_FALSE(may_start(kFriday16 - Seconds(1), hours(12)));
}

TEST(TimeLimitTest, HoldsForJobsThatStartNow) {
  const auto starts_at = [](Time now, Seconds limit) {
    Cluster cluster = Scenario().nodes(1, procs(2)).job("j").limit(limit).by("amy").build();
    AccessList list;
    list.criteria.push_back(time_limit(false));
    reserve(cluster, "special", {"n1"}, kMonday8, kFriday17, list);
    return started(cluster, plan(cluster, shared(), now)) == "j";
  };
  EXPECT_TRUE(starts_at(kMonday5, hours(4)));
  EXPECT_FALSE(starts_at(kMonday5, hours(5)));
  EXPECT_FALSE(starts_at(kTuesday9, hours(2)));
  EXPECT_TRUE(starts_at(kTuesday9, hours(1)));
  EXPECT_TRUE(starts_at(kFriday16, hours(12)));
}

// Example 3: interactive and debug both hold n1.
TEST(StackedReservationsTest, AskForAccessToEachOfThem) {
  const auto starts = [](const char* user, const char* job_class) {
    Cluster cluster = Scenario()
                          .nodes(1, procs(4))
                          .classes({{"interactive", 4}, {"batch", 4}})
                          .job("j")
                          .by(user)
                          .in_class(job_class)
                          .build();
    AccessList interactive;
    interactive.add(AccessKind::job_class, cluster.classes.intern("interactive"));
    reserve(cluster, "interactive", {"n1"}, kNow, kNow + hours(5), interactive);
    reserve(cluster, "debug", {"n1"}, kNow, kForever,
            of_users(cluster, {{"helpdesk", Affinity::positive}}));
    return !started(cluster, plan(cluster, shared(), kNow)).empty();
  };
  EXPECT_TRUE(starts("helpdesk", "interactive"));
  EXPECT_FALSE(starts("helpdesk", "batch"));
  EXPECT_FALSE(starts("amy", "interactive"));
}

// Limited shared access: n2 is jupiter's, and saturn's as a last resort.
std::string node_for(const char* user, Time start) {
  Cluster cluster = Scenario().nodes(3, procs(1)).job("j").by(user).build();
  reserve(cluster, "jupiter", {"n2"}, kNow, kForever,
          of_users(cluster, {{"jupiter", Affinity::positive},
                             {"saturn", Affinity::negative},
                             {"venus", Affinity::neutral}}));
  const Settings settings = shared();
  Timeline timeline(cluster, settings, kNow, false);
  const Job& job = cluster.job(job_named(cluster, "j"));
  const auto slot = start == kNow ? timeline.fits_now(job, cluster.request(job.request))
                                  : timeline.earliest(job, cluster.request(job.request), start);
  return slot ? show(cluster, slot->placement) : "nowhere";
}

TEST(AffinityTest, PositiveGoesFirst) {
  EXPECT_EQ(node_for("jupiter", kNow), "n2:1");
  EXPECT_EQ(node_for("jupiter", kNow + hours(1)), "n2:1");
}

TEST(AffinityTest, NeutralMakesNoDifference) { EXPECT_EQ(node_for("venus", kNow), "n1:1"); }

TEST(AffinityTest, NegativeIsTheLastResort) {
  const auto nodes = [](int tasks) {
    Cluster cluster = Scenario().nodes(3, procs(1)).job("j").tasks(tasks).by("saturn").build();
    reserve(cluster, "jupiter", {"n1"}, kNow, kForever,
            of_users(cluster, {{"saturn", Affinity::negative}}));
    return decisions(cluster, plan(cluster, shared(), kNow));
  };
  EXPECT_EQ(nodes(1), "start j on n2:1\n");
  EXPECT_EQ(nodes(3), "start j on n2:1 n3:1 n1:1\n");
}

TEST(AffinityTest, HoldsUnderEveryPolicy) {
  for (const auto policy : {NodeAllocation::first_available, NodeAllocation::last_available,
                            NodeAllocation::min_resource, NodeAllocation::fastest,
                            NodeAllocation::cpu_load, NodeAllocation::machine_prio}) {
    Cluster cluster = Scenario().nodes(3, procs(1)).job("j").by("amy").build();
    reserve(cluster, "r", {"n2"}, kNow, kForever, of_users(cluster, {{"amy", Affinity::positive}}));
    Settings settings = shared();
    settings.node_allocation = policy;
    EXPECT_EQ(decisions(cluster, plan(cluster, settings, kNow)), "start j on n2:1\n");
  }
}

TEST(ConfinedJobTest, UsesNothingButItsReservations) {
  const auto nodes = [](const char* name) {
    Cluster cluster = Scenario().nodes(4, procs(1)).job("j").by("amy").build();
    reserve(cluster, "a", {"n2"}, kNow, kForever, of_users(cluster, {{"amy", Affinity::negative}}));
    reserve(cluster, "b", {"n3"}, kNow, kForever, of_users(cluster, {{"amy", Affinity::positive}}));
    reserve(cluster, "c", {"n4"}, kNow, kForever, of_users(cluster, {{"bob", Affinity::positive}}));
    Job job = cluster.job(job_named(cluster, "j"));
    put(job.flags, JobFlag::adv_res);
    job.required_reservation = name;
    const Settings settings = shared();
    Timeline timeline(cluster, settings, kNow, false);
    const auto slot = timeline.fits_now(job, cluster.request(job.request));
    const auto later = timeline.earliest(job, cluster.request(job.request), kNow + hours(1));
    EXPECT_EQ(slot.has_value(), later.has_value());
    return slot ? show(cluster, slot->placement) : std::string("nowhere");
  };
  EXPECT_EQ(nodes(""), "n3:1");
  EXPECT_EQ(nodes("a"), "n2:1");
  EXPECT_EQ(nodes("c"), "nowhere");
  EXPECT_EQ(nodes("unknown"), "nowhere");
}

}  // namespace
}  // namespace maui::test
