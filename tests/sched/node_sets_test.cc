// Node sets: the examples of guide 8.3, and which of several sets is taken.
#include "sched/placement/node_sets.h"

#include <gtest/gtest.h>

#include "sched/availability/timeline.h"
#include "sched/cycle.h"
#include "sched/query/explain.h"
#include "support/carry_out.h"
#include "support/made_up_workload.h"
#include "support/random_cluster.h"

namespace maui {
namespace {

using test::carry_out;
using test::decisions;
using test::Dice;
using test::hours;
using test::kNow;
using test::minutes;
using test::procs;
using test::Scenario;

NodeSet set_of(std::string_view text, Seconds delay = Seconds(0)) {
  NodeSet base;
  base.delay = delay;
  const auto parsed = parse_node_set(text, base);
  EXPECT_TRUE(parsed) << text;
  return parsed ? *parsed : NodeSet{};
}

/// Every waiting job is kept to `set`.
std::string planned(Scenario scenario, const NodeSet& set,
                    NodeAllocation policy = NodeAllocation::first_available) {
  Cluster cluster = scenario.build();
  for (const auto id : cluster.jobs()) {
    if (!cluster.job(id).waiting()) continue;
    Request request = cluster.request_of(id);
    request.node_set = set;
    cluster.set_request(id, std::move(request));
  }
  Settings settings;
  settings.node_allocation = policy;
  return decisions(cluster, plan(cluster, settings, kNow));
}

Scenario& speeds(Scenario& scenario, std::initializer_list<int> mhz) {
  for (const int speed : mhz) {
    scenario.nodes(1, procs(1));
    switch (speed) {  // change_nodes() takes no captures
      case 450:
        scenario.change_nodes([](Node& node) { node.proc_speed = 450; });
        break;
      case 500:
        scenario.change_nodes([](Node& node) { node.proc_speed = 500; });
        break;
      case 650:
        scenario.change_nodes([](Node& node) { node.proc_speed = 650; });
        break;
      case 750:
        scenario.change_nodes([](Node& node) { node.proc_speed = 750; });
        break;
      default:
        scenario.change_nodes([](Node& node) { node.proc_speed = 900; });
    }
  }
  return scenario;
}

Scenario machine(std::initializer_list<int> mhz) {
  Scenario scenario;
  return speeds(scenario, mhz);
}

Scenario switches() {
  Scenario scenario;
  scenario.nodes(2, procs(1)).features({"switchA"});
  scenario.nodes(3, procs(1)).features({"switchB"});
  scenario.nodes(4, procs(1)).features({"big"});
  return scenario;
}

TEST(NodeSets, AJobStaysWithinOneSwitch) {
  const auto set = set_of("ONEOF:FEATURE:switchA,switchB,switchC,switchD");
  EXPECT_EQ(planned(switches().job("a").tasks(2), set), "start a on n1:1 n2:1\n");
  EXPECT_EQ(planned(switches().job("a").tasks(3), set), "start a on n3:1 n4:1 n5:1\n");
}

TEST(NodeSets, WithoutADelayAJobThatFitsIntoNoSetStartsOutside) {
  EXPECT_EQ(planned(switches().job("a").tasks(4), set_of("ONEOF:FEATURE:switchA,switchB")),
            "start a on n1:1 n2:1 n3:1 n4:1\n");
}

TEST(NodeSets, FeaturesThatAreNotListedMakeNoSets) {
  EXPECT_EQ(planned(switches().job("a").tasks(4), set_of("ONEOF:FEATURE", kUnlimited)),
            "start a on n6:1 n7:1 n8:1 n9:1\n");
}

TEST(NodeSets, WithADelayAJobWaitsForItsSet) {
  Scenario scenario = switches();
  scenario.job("r").limit(minutes(10)).running_on({{"n4", 1}});
  scenario.job("a").tasks(3).queued(minutes(1));
  EXPECT_EQ(planned(scenario, set_of("ONEOF:FEATURE:switchA,switchB", hours(1))),
            "reserve a in 600 s on n3:1 n4:1 n5:1\n");
  // Five minutes after it became eligible it may go elsewhere, which is sooner.
  EXPECT_EQ(planned(scenario, set_of("ONEOF:FEATURE:switchA,switchB", minutes(5))),
            "reserve a in 240 s on n1:1 n2:1 n3:1\n");
}

TEST(NodeSets, AJobThatFitsIntoNoSetForEverIsHeldWhereTheDelayHasNoEnd) {
  const auto told =
      planned(switches().job("a").tasks(4), set_of("ONEOF:FEATURE:switchA,switchB", kUnlimited));
  EXPECT_EQ(told.substr(0, 6), "hold a") << told;
}

TEST(NodeSets, AnyOfMixesTheListedSpeeds) {
  EXPECT_EQ(planned(machine({900, 450, 500, 650, 750}).job("a").tasks(3),
                    set_of("ANYOF:PROCSPEED:450,500,650", kUnlimited)),
            "start a on n2:1 n3:1 n4:1\n");
}

TEST(NodeSets, OneOfProcspeedTakesNodesOfOneSpeed) {
  EXPECT_EQ(planned(machine({900, 450, 500, 500, 750}).job("a").tasks(2),
                    set_of("ONEOF:PROCSPEED", kUnlimited)),
            "start a on n3:1 n4:1\n");
}

TEST(NodeSets, NetworksAreTriedInTheOrderOfTheList) {
  Scenario scenario;
  scenario.nodes(3, procs(1)).change_nodes([](Node& node) { node.networks = {"ethernet"}; });
  scenario.nodes(2, procs(1)).change_nodes([](Node& node) { node.networks = {"via", "ethernet"}; });
  const auto set = set_of("ONEOF:NETWORK:via,myrinet,ethernet", kUnlimited);
  EXPECT_EQ(planned(Scenario(scenario).job("a").tasks(2), set), "start a on n4:1 n5:1\n");
  EXPECT_EQ(planned(Scenario(scenario).job("a").tasks(3), set), "start a on n1:1 n2:1 n3:1\n");
}

TEST(NodeSets, NetworksWithoutAListAreTriedInTheOrderInWhichTheyBecameKnown) {
  Scenario scenario;
  scenario.nodes(2, procs(1)).change_nodes([](Node& node) { node.networks = {"via"}; });
  scenario.nodes(2, procs(1)).change_nodes([](Node& node) { node.networks = {"ethernet"}; });
  EXPECT_EQ(planned(scenario.job("a").tasks(2), set_of("ONEOF:NETWORK", kUnlimited)),
            "start a on n1:1 n2:1\n");
}

TEST(NodeSets, FirstOfTakesTheFirstSetThatServes) {
  EXPECT_EQ(planned(switches().job("a"), set_of("FIRSTOF:FEATURE:switchB,switchA")),
            "start a on n3:1\n");
}

TEST(NodeSets, AToleranceOfAHalfMixes500And750ButNot500And900) {
  auto set = set_of("ONEOF:PROCSPEED", kUnlimited);
  set.tolerance = 0.5;
  EXPECT_EQ(planned(machine({500, 750}).job("a").tasks(2), set), "start a on n1:1 n2:1\n");
  EXPECT_EQ(planned(machine({500, 900}).job("a").tasks(2), set).substr(0, 6), "hold a");
}

TEST(NodeSets, WordsThatNoNodeHasAndRepeatedWordsMakeNoSets) {
  Scenario scenario = machine({500, 750, 900});
  const Cluster cluster = scenario.build();
  const KindMask serves(cluster.kinds(), 1);
  const auto sets_of = [&](std::string text) {
    auto set = set_of(text, kUnlimited);
    set.tolerance = 0.5;
    return node_sets(cluster, set, serves).size();
  };
  std::string list = "FIRSTOF:PROCSPEED";
  for (int speed = 100; speed < 2000; speed += 10) list += ":" + std::to_string(speed);
  EXPECT_EQ(sets_of(list), 2U) << "500 and 750, 750 and 900";
  EXPECT_EQ(sets_of("ONEOF:PROCSPEED:500:750:500:750:750:1"), 3U) << "also each speed";
}

std::string taken_by(NodeSetPriority type) {
  auto set = set_of("ONEOF:FEATURE:switchA,switchB,big");
  set.priority = type;
  return planned(switches().job("a"), set);
}

TEST(NodeSets, BestFitTakesTheSmallestSetAndWorstFitTheLargest) {
  EXPECT_EQ(taken_by(NodeSetPriority::best_fit), "start a on n1:1\n");
  EXPECT_EQ(taken_by(NodeSetPriority::worst_fit), "start a on n6:1\n");
}

/// Nodes of one processor in up to three sets.  Some are busy for two hours, and, if `busy`, others
/// for ten minutes.
Scenario partly_busy(unsigned seed, bool busy) {
  Dice dice(seed);
  Scenario scenario;
  for (int n = 1; n <= 9; ++n) {
    scenario.nodes(1, procs(1));
    switch (dice.between(0, 5)) {  // features() takes literals
      case 0:
        scenario.features({"switchA"});
        break;
      case 1:
        scenario.features({"switchB"});
        break;
      case 2:
        scenario.features({"switchC"});
        break;
      case 3:
        scenario.features({"switchA", "switchB"});
        break;
      case 4:
        scenario.features({"switchB", "switchC"});
        break;
      default:
        break;
    }
  }
  for (int n = 1; n <= 9; ++n) {
    const std::string node = "n" + std::to_string(n);
    const bool lasts = dice.in_a_hundred(20), ends = dice.in_a_hundred(60);
    if (lasts)
      scenario.job("long" + node).limit(hours(2)).running_on({{node.c_str(), 1}});
    else if (ends && busy)
      scenario.job("short" + node).limit(minutes(10)).running_on({{node.c_str(), 1}});
  }
  return scenario.job("a").tasks(dice.between(1, 4));
}

// NODESETPRIORITYTYPE decides among several sets in both cases.  LASTAVAILABLE is left out: it
// chooses nodes by the times at which they become free.
TEST(NodeSets, AReservationIsInTheSetInWhichTheJobWouldStartThen) {
  int compared = 0;
  for (unsigned seed = 1; seed <= test::rounds(600); ++seed) {
    Dice dice(seed + 1000);
    auto set = set_of(
        dice.one_of(std::vector<std::string>{
            "ONEOF:FEATURE:switchA,switchB,switchC", "ONEOF:FEATURE:switchC,switchB",
            "FIRSTOF:FEATURE:switchB,switchA", "ANYOF:FEATURE:switchA,switchC", "ONEOF:FEATURE"}),
        dice.one_of(std::vector<Seconds>{Seconds(0), kUnlimited}));
    set.priority = dice.one_of(std::vector<NodeSetPriority>{
        NodeSetPriority::best_fit, NodeSetPriority::worst_fit, NodeSetPriority::min_loss});
    const auto policy = dice.one_of(
        std::vector<NodeAllocation>{NodeAllocation::first_available, NodeAllocation::min_resource,
                                    NodeAllocation::machine_prio, NodeAllocation::contiguous});
    const auto reserved = planned(partly_busy(seed, true), set, policy);
    const std::string begin = "reserve a in 600 s on ";
    if (!reserved.starts_with(begin)) continue;
    ++compared;
    EXPECT_EQ("start a on " + reserved.substr(begin.size()),
              planned(partly_busy(seed, false), set, policy))
        << "seed " << seed;
  }
  EXPECT_GT(compared, 0);
}

TEST(NodeSets, BestResourceTakesTheFastestNodes) {
  auto set = set_of("ONEOF:PROCSPEED:450,500,750,900");
  set.priority = NodeSetPriority::best_resource;
  EXPECT_EQ(planned(machine({450, 450, 750, 750, 900}).job("a").tasks(2), set),
            "start a on n3:1 n4:1\n");
}

// On 650 and 750 MHz a job of three tasks loses 2 x 100, on 450 and 650 only 200 of a single one.
TEST(NodeSets, MinLossWastesTheLeastSpeed) {
  auto set = set_of("ONEOF:PROCSPEED", kUnlimited);
  set.tolerance = 0.5;
  EXPECT_EQ(planned(machine({450, 450, 650, 900, 900}).job("a").tasks(2), set),
            "start a on n4:1 n5:1\n");
  EXPECT_EQ(planned(machine({450, 450, 650, 750, 750}).job("a").tasks(3), set),
            "start a on n3:1 n4:1 n5:1\n");
}

TEST(NodeSets, OtherJobsInTheSetAreSeen) {
  Scenario scenario = switches();
  scenario.job("r").limit(minutes(10)).running_on({{"n1", 1}});
  EXPECT_EQ(planned(scenario.job("a").tasks(2), set_of("ONEOF:FEATURE:switchA,switchB")),
            "start a on n3:1 n4:1\n");
}

TEST(NodeSets, AJobsWordsAreReadOrRefused) {
  EXPECT_EQ(set_of("oneof:procspeed:350,400,450").list.size(), 3U);
  EXPECT_EQ(set_of("ONEOF:PROCSPEED:350:450:500").list,
            (std::vector<std::string>{"350", "450", "500"}))
      << "guide 16.3.1, field 42";
  EXPECT_EQ(set_of("ANYOF:CLASS:batch").attribute, NodeSetAttribute::job_class);
  for (const auto* wrong : {"", "ONEOF", "SOMEOF:FEATURE", "ONEOF:COLOUR"})
    EXPECT_FALSE(parse_node_set(wrong)) << wrong;
  EXPECT_EQ(parse_node_set("ONEOF:COLOUR").error().what,
            "invalid node set attribute 'COLOUR': expected one of FEATURE, NETWORK, PROCSPEED, "
            "CLASS, MEMORY, MEM");
}

TEST(NodeSets, AForecastKnowsThem) {
  Scenario scenario = switches();
  scenario.job("r").limit(minutes(10)).running_on({{"n4", 1}});
  Cluster cluster = scenario.job("a").tasks(3).build();
  const JobId job = test::job_named(cluster, "a");
  Request request = cluster.request_of(job);
  request.node_set = set_of("ONEOF:FEATURE:switchA,switchB", hours(1));
  cluster.set_request(job, request);
  const auto forecast = earliest_start(cluster, {}, kNow, job);
  ASSERT_TRUE(forecast);
  EXPECT_EQ(forecast->start, kNow + minutes(10));
}

// All nodes are alike, and in no set: that their processors are interchangeable is not enough.
TEST(NodeSets, AReservationOutsideOfSetsDoesNotSlideForwardBeforeTheDelayIsOver) {
  Cluster cluster = Scenario()
                        .nodes(2, procs(1))
                        .job("ended")
                        .running_on({{"n2", 1}})
                        .job("runs")
                        .limit(minutes(10))
                        .running_on({{"n1", 1}})
                        .job("waits")
                        .tasks(2)
                        .build();
  const JobId waits = test::job_named(cluster, "waits");
  Request request = cluster.request_of(waits);
  request.node_set =
      set_of("ONEOF:FEATURE:fast", kNow + minutes(30) - cluster.job(waits).eligible_since);
  cluster.set_request(waits, std::move(request));
  Settings settings;
  settings.reservation_policy = ReservationPolicy::highest;
  carry_out(cluster, plan(cluster, settings, kNow), kNow);
  ASSERT_EQ(cluster.reservation(cluster.job(waits).reservation).start, kNow + hours(1));
  cluster.end_job(test::job_named(cluster, "ended"), JobState::completed, kNow);
  EXPECT_EQ(decisions(cluster, plan(cluster, settings, kNow)),
            "reserve waits in 1800 s on n1:1 n2:1\n");
}

// Each node is a set by itself, and amy's job needs two nodes.
TEST(NodeSets, ManySetsOfOneUsersJobsDrawOnTheEffortOfThatUserOnly) {
  Scenario scenario;
  scenario.nodes(400, procs(1)).change_nodes([](Node& node) {
    static int speed = 0;
    node.proc_speed = ++speed;
  });
  Cluster cluster = scenario.job("hard").by("amy").tasks(2).job("easy").by("bob").build();
  for (const char* name : {"hard", "easy"}) {
    const auto id = test::job_named(cluster, name);
    Request request = cluster.request_of(id);
    request.node_set = set_of("ONEOF:PROCSPEED", kUnlimited);
    cluster.set_request(id, std::move(request));
  }
  const Job& hard = cluster.job(test::job_named(cluster, "hard"));
  const Job& easy = cluster.job(test::job_named(cluster, "easy"));
  const Settings settings;
  Timeline timeline(cluster, settings, kNow, false);
  EXPECT_FALSE(timeline.fits_now(hard, cluster.request(hard.request)));
  EXPECT_FALSE(timeline.passes_over(hard, cluster.request(hard.request)));
  for (int i = 0; i < 10; ++i) timeline.fits_now(hard, cluster.request(hard.request));
  EXPECT_TRUE(timeline.passes_over(hard, cluster.request(hard.request)));
  EXPECT_FALSE(timeline.passes_over(easy, cluster.request(easy.request)));
  EXPECT_TRUE(timeline.fits_now(easy, cluster.request(easy.request)));
}

// The site's own sets are few, and the jobs of any number of users are examined.
TEST(NodeSets, FewSetsOfFewKindsOfNodesAreFree) {
  Scenario scenario = switches();
  Cluster cluster = scenario.job("a").by("amy").tasks(9).build();
  const JobId a = test::job_named(cluster, "a");
  Request request = cluster.request_of(a);
  request.node_set = set_of("ONEOF:FEATURE:switchA,switchB");
  cluster.set_request(a, std::move(request));
  const Job& job = cluster.job(a);
  const Settings settings;
  Timeline timeline(cluster, settings, kNow, false);
  const auto& wanted = cluster.request(job.request);
  for (int i = 0; i < 100; ++i) timeline.earliest(job, wanted, kNow, kForever);
  EXPECT_FALSE(timeline.cut_short(job, wanted));
}

TEST(NodeSets, AJobMayListSoManySets) {
  std::string text = "ONEOF:FEATURE:f";
  for (int i = 1; i < 256; ++i) text += ",f";
  EXPECT_TRUE(parse_node_set(text));
  const auto refused = parse_node_set(text + ",f");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what, "invalid node set: 257 sets are listed, expected at most 256");
}

}  // namespace
}  // namespace maui
