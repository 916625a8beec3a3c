// Access to reserved nodes: for whom, when, and where jobs are drawn to
// (seed 7.1.5.2.3, 7.1.5.2.4).
#include <gtest/gtest.h>

#include <map>

#include "maui/node_set.h"
#include "sched/availability/timeline.h"
#include "sched/cycle.h"
#include "sched/query/explain.h"
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

// Two of three processors are amy's, and two are amy's and bob's: where amy has two, one is bob's,
// whichever reservation comes first.
TEST(StackedReservationsTest, AJobInSeveralLeavesThoseToOthersThatAdmitThem) {
  const auto bob_starts = [](const std::string& amys, const std::string& both) {
    Cluster cluster = Scenario()
                          .nodes(1, procs(3))
                          .job("running")
                          .tasks(2)
                          .by("amy")
                          .running_on({{"n1", 2}})
                          .job("bobs")
                          .by("bob")
                          .build();
    std::map<std::string, AccessList> access;
    access[amys] = of_users(cluster, {{"amy", Affinity::positive}});
    access[both] = of_users(cluster, {{"amy", Affinity::positive}, {"bob", Affinity::positive}});
    for (const auto& [name, list] : access) {
      Reservation r;
      r.name = name;
      r.start = kNow;
      r.end = kForever;
      r.access = list;
      r.per_task = Resources(1);
      r.nodes.push_back({node_named(cluster, "n1"), 2, 0});
      cluster.add_reservation(std::move(r));
    }
    return started(cluster, plan(cluster, shared(), kNow));
  };
  EXPECT_EQ(bob_starts("first", "second"), "bobs");
  EXPECT_EQ(bob_starts("second", "first"), "bobs");
}

// Under rules that let nobody else join, or no further job, a part of a node that is reserved would
// be of no use beside a job without access to it.
std::string who_starts_beside_part(NodeAccess access, int max_jobs, const char* user) {
  Cluster cluster =
      Scenario().nodes(1, procs(4)).job("j").by(user).access(access).limit(hours(1)).build();
  Node node = cluster.node(NodeId(0U));
  node.policy.max_jobs = max_jobs;
  cluster.update_node(NodeId(0U), std::move(node), kNow);
  Reservation r;
  r.name = "part";
  r.kind = ReservationKind::standing;
  r.start = kNow;
  r.end = kForever;
  r.access = of_users(cluster, {{"amy", Affinity::positive}});
  r.per_task = Resources(1);
  r.nodes.push_back({NodeId(0U), 2, 0});
  cluster.add_reservation(std::move(r));
  Settings settings = shared();
  settings.node_access = access;
  return started(cluster, plan(cluster, settings, kNow));
}

TEST(PartOfANodeTest, IsLeftOfUseToThoseForWhomItIsReserved) {
  EXPECT_EQ(who_starts_beside_part(NodeAccess::shared, 0, "bob"), "j");
  for (const auto access :
       {NodeAccess::single_user, NodeAccess::dedicated, NodeAccess::single_task}) {
    EXPECT_EQ(who_starts_beside_part(access, 0, "bob"), "");
    EXPECT_EQ(who_starts_beside_part(access, 0, "amy"), "j");
  }
  EXPECT_EQ(who_starts_beside_part(NodeAccess::shared, 1, "bob"), "") << "MAXJOB";
  EXPECT_EQ(who_starts_beside_part(NodeAccess::shared, 2, "bob"), "j");
  EXPECT_EQ(who_starts_beside_part(NodeAccess::shared, 1, "amy"), "j");
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

// Eight nodes; n6 to n8 are a's, and n1 and n2 are a's as a last resort.
std::string among_eight(NodeAllocation policy, int tasks) {
  Cluster cluster = Scenario().nodes(8, procs(1)).job("j").tasks(tasks).by("amy").build();
  for (std::uint32_t i = 0; i < 8; ++i) {
    Node node = cluster.node(NodeId(i));
    node.speed = i % 2 == 0 ? 1 : 2;
    cluster.update_node(NodeId(i), std::move(node), kNow);
  }
  const auto access = [&](Affinity affinity) { return of_users(cluster, {{"amy", affinity}}); };
  reserve(cluster, "own", {"n6", "n7", "n8"}, kNow, kForever, access(Affinity::positive));
  reserve(cluster, "last", {"n1", "n2"}, kNow, kForever, access(Affinity::negative));
  Settings settings = shared();
  settings.node_allocation = policy;
  return decisions(cluster, plan(cluster, settings, kNow));
}

TEST(AffinityTest, ComesBeforeBalance) {
  const auto policy = NodeAllocation::max_balance;
  EXPECT_EQ(among_eight(policy, 1), "start j on n6:1\n") << "the fastest of those that draw";
  EXPECT_EQ(among_eight(policy, 2), "start j on n6:1 n8:1\n") << "of one speed";
  EXPECT_EQ(among_eight(policy, 4), "start j on n6:1 n7:1 n8:1 n4:1\n");
  EXPECT_EQ(among_eight(policy, 6), "start j on n6:1 n7:1 n8:1 n3:1 n4:1 n5:1\n");
  EXPECT_EQ(among_eight(policy, 7), "start j on n6:1 n7:1 n8:1 n3:1 n4:1 n5:1 n2:1\n");
}

TEST(AffinityTest, ComesBeforeUnbrokenRows) {
  const auto policy = NodeAllocation::contiguous;
  EXPECT_EQ(among_eight(policy, 2), "start j on n6:1 n7:1\n");
  EXPECT_EQ(among_eight(policy, 4), "start j on n6:1 n7:1 n8:1 n5:1\n") << "next to what it has";
  EXPECT_EQ(among_eight(policy, 6), "start j on n6:1 n7:1 n8:1 n5:1 n4:1 n3:1\n");
  EXPECT_EQ(among_eight(policy, 7), "start j on n6:1 n7:1 n8:1 n3:1 n4:1 n5:1 n2:1\n");
}

// Each user has a reservation of n2 that begins in an hour.
std::string node_before_it_begins(Affinity affinity, Seconds limit, NodeAllocation policy,
                                  Time start = kNow) {
  Cluster cluster = Scenario().nodes(3, procs(1)).job("j").by("amy").limit(limit).build();
  reserve(cluster, "r", {"n2"}, kNow + hours(1), kForever, of_users(cluster, {{"amy", affinity}}));
  // The others have one, too, which makes no difference.
  reserve(cluster, "s", {"n1", "n3"}, kNow + hours(1), kForever,
          of_users(cluster, {{"amy", Affinity::neutral}}));
  Settings settings = shared();
  settings.node_allocation = policy;
  Timeline timeline(cluster, settings, kNow, false);
  const Job& job = cluster.job(job_named(cluster, "j"));
  const auto& request = cluster.request(job.request);
  const auto slot =
      start == kNow ? timeline.fits_now(job, request) : timeline.earliest(job, request, start);
  return slot ? show(cluster, slot->placement) : "nowhere";
}

TEST(AffinityTest, IsThatOfReservationsThatBeginDuringTheRun) {
  for (const auto policy : {NodeAllocation::first_available, NodeAllocation::max_balance,
                            NodeAllocation::contiguous, NodeAllocation::fastest})
    for (const Time start : {kNow, kNow + minutes(1)}) {
      const auto node = [&](Affinity affinity, Seconds limit) {
        return node_before_it_begins(affinity, limit, policy, start);
      };
      EXPECT_EQ(node(Affinity::positive, hours(2)), "n2:1");
      EXPECT_EQ(node(Affinity::positive, minutes(59)), "n1:1") << "it does not reach into it";
      EXPECT_EQ(node(Affinity::neutral, hours(2)), "n1:1");
    }
  const auto last = NodeAllocation::last_available;
  EXPECT_EQ(node_before_it_begins(Affinity::negative, hours(2), last), "n3:1");
}

TEST(AffinityTest, ALastResortThatBeginsDuringTheRunOutweighsPositiveAffinity) {
  Cluster cluster = Scenario().nodes(2, procs(1)).job("j").by("amy").limit(hours(2)).build();
  const auto access = [&](Affinity affinity) { return of_users(cluster, {{"amy", affinity}}); };
  reserve(cluster, "now", {"n1"}, kNow, kNow + hours(1), access(Affinity::positive));
  reserve(cluster, "then", {"n1"}, kNow + hours(1), kForever, access(Affinity::negative));
  EXPECT_EQ(decisions(cluster, plan(cluster, shared(), kNow)), "start j on n2:1\n");
}

// n1 has feature a, n2 b, n3 c.
std::string among_sets(const char* set, const char* reserved, Affinity affinity, Time start) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).features({"a"}).nodes(1, procs(1)).features({"b"});
  Cluster cluster = scenario.nodes(1, procs(1)).features({"c"}).job("j").by("amy").build();
  reserve(cluster, "r", {reserved}, kNow, kForever, of_users(cluster, {{"amy", affinity}}));
  Job job = cluster.job(job_named(cluster, "j"));
  Request request = cluster.request(job.request);
  request.node_set = *parse_node_set(set);
  const Settings settings = shared();
  Timeline timeline(cluster, settings, kNow, false);
  const auto slot =
      start == kNow ? timeline.fits_now(job, request) : timeline.earliest(job, request, start);
  return slot ? show(cluster, slot->placement) : "nowhere";
}

TEST(AffinityTest, ChoosesAmongNodeSets) {
  for (const Time start : {kNow, kNow + hours(1)}) {
    EXPECT_EQ(among_sets("ONEOF:FEATURE:a,b,c", "n2", Affinity::positive, start), "n2:1");
    EXPECT_EQ(among_sets("ONEOF:FEATURE:a,b,c", "n1", Affinity::negative, start), "n2:1");
    EXPECT_EQ(among_sets("ONEOF:FEATURE:a,b,c", "n2", Affinity::neutral, start), "n1:1");
    EXPECT_EQ(among_sets("FIRSTOF:FEATURE:a,b,c", "n2", Affinity::positive, start), "n1:1")
        << "the list is the user's own order";
  }
}

std::string among_partitions(const char* reserved, Affinity affinity, Time start,
                             int requirements = 1) {
  Scenario scenario;
  scenario.nodes(1, procs(2)).partition("a").nodes(1, procs(2)).partition("b");
  Cluster cluster =
      scenario.nodes(1, procs(2)).partition("c").job("j").by("amy").limit(hours(1)).build();
  reserve(cluster, "r", {reserved}, kNow + minutes(30), kForever,
          of_users(cluster, {{"amy", affinity}}));
  Job job = cluster.job(job_named(cluster, "j"));
  Request request = cluster.request(job.request);
  while (static_cast<int>(request.requirements.size()) < requirements)
    request.requirements.push_back(request.requirements.front());
  const Settings settings = shared();
  Timeline timeline(cluster, settings, kNow, false);
  const auto slot =
      start == kNow ? timeline.fits_now(job, request) : timeline.earliest(job, request, start);
  return slot ? std::string(cluster.partitions[slot->partition]) : "nowhere";
}

TEST(AffinityTest, ChoosesAmongPartitions) {
  for (const int requirements : {1, 2})
    for (const Time start : {kNow, kNow + minutes(10)}) {
      EXPECT_EQ(among_partitions("n2", Affinity::positive, start, requirements), "b");
      EXPECT_EQ(among_partitions("n1", Affinity::negative, start, requirements), "b");
      EXPECT_EQ(among_partitions("n2", Affinity::neutral, start, requirements), "a");
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
