// Several requirements of one job: whenever there is room for all of them together, they are
// placed.
#include "sched/availability/several_requirements.h"

#include <gtest/gtest.h>

#include <random>

#include "sched/availability/timeline.h"
#include "sched/cycle.h"
#include "support/carry_out.h"
#include "support/per_second.h"
#include "support/random_cluster.h"

namespace maui {
namespace {

using test::decisions;
using test::describe;
using test::hours;
using test::kNow;
using test::PerSecond;
using test::procs;
using test::rounds;
using test::Scenario;

std::string planned(Scenario scenario) {
  const Cluster cluster = scenario.build();
  Settings settings;
  settings.node_allocation = NodeAllocation::first_available;
  settings.reservation_policy = ReservationPolicy::never;
  return decisions(cluster, plan(cluster, settings, kNow));
}

// Whichever comes first takes n1 and n2, and leaves the other one node of the two that it needs.
TEST(SeveralRequirements, AreDealtTogetherWhereNoOrderWorks) {
  Scenario scenario;
  scenario.nodes(2, procs(1)).features({"x", "y"});
  scenario.nodes(1, procs(1)).features({"x"}).nodes(1, procs(1)).features({"y"});
  scenario.job("a").tasks(2).features({"x"}).requirement().tasks(2).features({"y"});
  EXPECT_EQ(planned(scenario), "start a on n3:1 n1:1 n2:1 n4:1\n");
}

TEST(SeveralRequirements, KeepTheirShapesWhenTheyAreDealt) {
  Scenario scenario;
  scenario.nodes(2, procs(2)).features({"x", "y"});
  scenario.nodes(1, procs(2)).features({"x"}).nodes(1, procs(2)).features({"y"});
  scenario.job("a").tasks(4).per_node(2).features({"x"});
  scenario.requirement().tasks(4).per_node(2).features({"y"});
  EXPECT_EQ(planned(scenario), "start a on n3:2 n1:2 n2:2 n4:2\n");
}

TEST(SeveralRequirements, HaveNodesOfTheirOwnWhereTheyAreToStandApart) {
  Scenario scenario;
  scenario.nodes(2, procs(4));
  scenario.job("a").tasks(1).requirement().tasks(2);
  EXPECT_EQ(planned(scenario), "start a on n1:1 n1:2\n");
  scenario.change_request([](Request& request) { request.apart = true; });
  EXPECT_EQ(planned(scenario), "start a on n1:1 n2:2\n");
}

TEST(SeveralRequirements, AreOnTheHostsThatTheyName) {
  Scenario scenario;
  scenario.nodes(3, procs(2));
  scenario.job("a").tasks(2).change_request(
      [](Request& request) { request.requirements.back().host = NodeId(2U); });
  scenario.requirement().tasks(1).change_request(
      [](Request& request) { request.requirements.back().host = NodeId(1U); });
  scenario.change_request([](Request& request) { request.apart = true; });
  EXPECT_EQ(planned(scenario), "start a on n3:2 n2:1\n");
  scenario.change_request([](Request& request) { request.requirements.back().tasks = 3; });
  EXPECT_EQ(planned(scenario),
            "hold a: NoResources: one requirement of the job asks for 3 procs, of which there are "
            "2 on host 'n2'\n");
}

// Two requirements on nodes x and y, for which no order works, or each does.
TEST(SeveralRequirements, AreTriedInOneOrderWhenTheirShareIsSpentAndNotAtAllWhenItIsOver) {
  for (const bool hard : {true, false}) {
    Scenario scenario;
    scenario.nodes(hard ? 2 : 4, procs(1)).features({"x", "y"});
    scenario.nodes(1, procs(1)).features({"x"}).nodes(1, procs(1)).features({"y"});
    scenario.job("a").tasks(2).features({"x"}).requirement().tasks(2).features({"y"});
    const Cluster cluster = scenario.build();
    Settings settings;
    settings.node_allocation = NodeAllocation::first_available;
    const Job& job = cluster.job(test::job_named(cluster, "a"));
    ClusterModel model;
    model.update(cluster, settings, kNow);
    const auto placed = [&](SearchShare& share) {
      return SeveralRequirements(model, job, cluster.request(job.request), nullptr, share)
          .place(PartitionId(0U), kNow, Seconds(0))
          .has_value();
    };
    constexpr std::int64_t kSize = 2'000'000;
    auto share = SearchShare::of(kSize);
    EXPECT_TRUE(placed(share));
    EXPECT_LT(share.left, kSize);
    EXPECT_GT(share.left, kSize - SeveralRequirements::kMostEffort);
    share.left = 0;
    EXPECT_EQ(placed(share), !hard);
    share.left = share.least;
    EXPECT_FALSE(placed(share));
    EXPECT_EQ(share.left, share.least);
  }
}

TEST(SearchEffort, IsSeparateForEachUserAndBoundedForAnyNumberOfUsers) {
  SearchEffort effort;
  auto& first = effort.share_of(UserId(0U));
  std::int64_t all = first.left;
  first.left = first.least;
  constexpr unsigned kUsers = 1000;
  for (unsigned user = 1; user < kUsers; ++user) {
    const auto& share = effort.share_of(UserId(user));
    EXPECT_FALSE(share.spent());
    all += share.left;
  }
  EXPECT_TRUE(effort.share_of(UserId(0U)).over());
  EXPECT_LE(all, SearchEffort::kMostOfACycle + kUsers);
}

// They never fit together, each of the many times at which something ends.
TEST(SeveralRequirements, NotEachChangeIsTriedWhenTheEffortIsSpent) {
  Scenario scenario;
  scenario.nodes(40, procs(1));
  for (int i = 1; i <= 40; ++i)
    scenario.job("r" + std::to_string(i))
        .limit(hours(i))
        .running_on({{("n" + std::to_string(i)).c_str(), 1}});
  scenario.job("a").tasks(30);
  for (int i = 0; i < 5; ++i) scenario.requirement().tasks(30);
  const Cluster cluster = scenario.build();
  const Job& job = cluster.job(test::job_named(cluster, "a"));
  ClusterModel model;
  const Settings settings;
  model.update(cluster, settings, kNow);
  const auto spent = [&](std::int64_t left) {
    SearchShare share{left, -SearchEffort::kMostOfACycle};
    EXPECT_FALSE(SeveralRequirements(model, job, cluster.request(job.request), nullptr, share)
                     .earliest(PartitionId(0U), kNow, kForever));
    return left - share.left;
  };
  EXPECT_LT(10 * spent(0), spent(SearchEffort::kMostOfACycle));
}

// amy's first jobs have no place at any time, and the search for them takes her whole share.
TEST(SeveralRequirements, ASearchThatWasCutShortSaysNothingAboutTheJobsOfOthers) {
  Scenario scenario;
  scenario.nodes(2, procs(1)).features({"x", "y"});
  scenario.nodes(1, procs(1)).features({"x"}).nodes(1, procs(1)).features({"y"});
  scenario.nodes(40, procs(1));
  for (int i = 1; i <= 40; ++i)
    scenario.job("r" + std::to_string(i))
        .limit(hours(i))
        .running_on({{("n" + std::to_string(4 + i)).c_str(), 1}});
  for (const int tasks : {30, 29}) {
    scenario.job("hard" + std::to_string(tasks)).by("amy").tasks(tasks);
    for (int i = 0; i < 5; ++i) scenario.requirement().tasks(tasks);
  }
  for (const char* user : {"amy", "bob"})
    scenario.job(std::string("of ") + user)
        .by(user)
        .tasks(2)
        .features({"x"})
        .requirement()
        .tasks(2)
        .features({"y"});
  const Cluster cluster = scenario.build();
  Settings settings;
  settings.node_allocation = NodeAllocation::first_available;
  EXPECT_EQ(decisions(cluster, plan(cluster, settings, kNow)),
            "start of bob on n3:1 n1:1 n2:1 n4:1\n");
}

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}
  int between(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1));
  }
  bool one_in(int n) { return between(1, n) == 1; }

 private:
  std::mt19937 random_;
};

Cluster some_nodes(Draw& draw) {
  Scenario scenario;
  for (int i = draw.between(2, 4); i > 0; --i) {
    scenario.nodes(1, procs(draw.between(1, 3), draw.between(0, 3)));
    if (draw.one_in(2)) scenario.features({"x"});
  }
  scenario.job("asked");
  return scenario.build();
}

NodeId draw_node(Draw& draw, const Cluster& cluster) {
  return NodeId(
      static_cast<unsigned>(draw.between(1, static_cast<int>(cluster.nodes().size())) - 1));
}

Request some_request(Draw& draw, const Cluster& cluster) {
  Request request;
  request.access.usual = draw.one_in(4) ? NodeAccess::dedicated : NodeAccess::shared;
  request.limit = Seconds(3);
  request.apart = draw.one_in(3);
  request.requirements.resize(static_cast<std::size_t>(draw.between(2, 3)));
  for (auto& requirement : request.requirements) {
    requirement.tasks = draw.between(1, 3);
    requirement.per_task = procs(draw.between(0, 2), draw.between(0, 2));
    if (requirement.per_task == procs(0, 0)) requirement.per_task = procs(1);
    if (draw.one_in(4)) requirement.nodes = draw.between(1, requirement.tasks);
    if (requirement.nodes > 0) requirement.exact_nodes = draw.one_in(2);
    if (requirement.nodes == 0 && draw.one_in(4))
      requirement.tasks_per_node = draw.between(1, requirement.tasks);
    if (draw.one_in(4)) requirement.least_nodes = draw.between(1, requirement.tasks);
    const auto feature = cluster.features.find("x");
    if (feature.valid() && draw.one_in(3)) requirement.features = {feature};
    if (draw.one_in(5)) requirement.host = draw_node(draw, cluster);
  }
  return request;
}

TEST(SeveralRequirementsProperty, ArePlacedExactlyWhereTryingEverythingFindsAPlace) {
  int placed = 0, refused = 0;
  for (unsigned seed = 1; seed <= rounds(2000); ++seed) {
    Draw draw(seed);
    Cluster cluster = some_nodes(draw);
    const auto request = some_request(draw, cluster);
    const auto id = test::job_named(cluster, "asked");
    cluster.set_request(id, request);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + describe(cluster, request));
    Settings settings;
    settings.node_allocation = NodeAllocation::first_available;
    Timeline timeline(cluster, settings, kNow, false);
    PerSecond oracle(cluster, kNow, false);
    const auto& job = cluster.job(id);
    const auto slot = timeline.fits_now(job, cluster.request_of(id));
    ASSERT_EQ(slot.has_value(), oracle.fits(job, request, kNow, request.limit));
    (slot ? placed : refused) += 1;
    if (!slot) continue;
    ASSERT_EQ(oracle.objection(job, request, slot->placement, kNow, request.limit), std::nullopt);
  }
  EXPECT_GT(placed, 300);
  EXPECT_GT(refused, 300);
}

}  // namespace
}  // namespace maui
