// Every answer of the timeline, against an oracle that looks at every second.
#include <gtest/gtest.h>

#include <map>

#include "sched/availability/timeline.h"
#include "support/per_second.h"
#include "support/random_cluster.h"

namespace maui {
namespace {

using test::describe;
using test::kNow;
using test::Mixture;
using test::PerSecond;
using test::RandomCluster;
using test::rounds;
using test::show;

std::string second(const std::optional<Time>& when) {
  return when ? std::to_string((*when - kNow).raw()) : "never";
}

struct Asked {
  Job job;
  Request request;
};

/// A random cluster, its timeline, the oracle, and questions to both.
class Round {
 public:
  Round(unsigned seed, const Mixture& mixture, NodeAllocation allocation) : world(seed, mixture) {
    world.furnish();
    settings.node_allocation = allocation;
    settings.node.down_node_delay = kUnlimited;
  }

  /// A job of the cluster, or one that is only asked about (showstart), as the case may be.
  Asked question(bool known) {
    Asked asked{world.some_job(), world.some_request()};
    const JobAccess& access = asked.request.access;
    if (access.usual == NodeAccess::single_user || access.demanded == NodeAccess::single_user)
      settings.node_access = NodeAccess::single_user;
    if (!known) return asked;
    const JobId id = world.cluster.add_job(asked.job, asked.request);
    return {world.cluster.job(id), asked.request};
  }

  RandomCluster world;
  Settings settings;
};

// Where processors are interchangeable a question may lead to another arrangement of the priority
// reservations: each on other nodes, none of them at another time.
void follow(const Timeline& timeline, PerSecond& oracle, std::map<JobId, Time>& starts) {
  for (const auto& held : timeline.held()) oracle.release(held.job);
  for (const auto& held : timeline.held()) {
    oracle.hold(*held.of, *held.request, held.placement, held.start);
    const auto [at, is_new] = starts.emplace(held.job, held.start);
    ASSERT_EQ(at->second, held.start) << "a reservation was moved to another time";
  }
}

void same_earliest(Timeline& timeline, PerSecond& oracle, const Job& job, const Request& request,
                   Time from, Time not_after, std::map<JobId, Time>& starts) {
  const auto slot = timeline.earliest(job, request, from, not_after);
  ASSERT_NO_FATAL_FAILURE(follow(timeline, oracle, starts));
  const auto expected = oracle.earliest(job, request, from, not_after);
  ASSERT_EQ(second(slot ? std::optional(slot->start) : std::nullopt), second(expected))
      << "from " << second(from) << (slot ? ": " : "")
      << (slot ? oracle.objection(job, request, slot->placement, slot->start, request.limit)
                     .value_or("what was found is a place")
               : "");
  if (!slot) return;
  ASSERT_EQ(oracle.objection(job, request, slot->placement, slot->start, request.limit),
            std::nullopt);
}

void same_now(Timeline& timeline, PerSecond& oracle, const Job& job, const Request& request,
              Seconds at_least, std::map<JobId, Time>& starts) {
  const auto duration = std::max(request.limit, at_least);
  const auto slot = timeline.fits_now(job, request, at_least);
  ASSERT_NO_FATAL_FAILURE(follow(timeline, oracle, starts));
  ASSERT_EQ(slot.has_value(), oracle.fits(job, request, kNow, duration))
      << "now, for " << duration.raw() << " seconds";
  if (!slot) return;
  ASSERT_EQ(oracle.objection(job, request, slot->placement, kNow, duration), std::nullopt);
}

constexpr NodeAllocation kPolicies[] = {
    NodeAllocation::first_available, NodeAllocation::last_available, NodeAllocation::min_resource,
    NodeAllocation::cpu_load,        NodeAllocation::machine_prio,   NodeAllocation::local,
    NodeAllocation::contiguous,      NodeAllocation::max_balance,    NodeAllocation::fastest};

NodeAllocation policy_of(unsigned seed) { return kPolicies[seed % std::size(kPolicies)]; }

/// Asks, holds what was found, asks again: later questions meet the plans of earlier ones.
void compare(unsigned seed, const Mixture& mixture, bool known) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  Round round(seed, mixture, policy_of(seed));
  std::vector<Asked> questions;
  for (int i = 0; i < 5; ++i) questions.push_back(round.question(known));
  const bool keep = seed % 2 == 0;
  const Seconds down = seed % 5 == 0 ? Seconds(7) : kUnlimited;
  round.settings.node.down_node_delay = down;
  Timeline timeline;
  timeline.begin(round.world.cluster, round.settings, kNow, keep,
                 known ? Askers::jobs_of_cluster : Askers::any_request);
  PerSecond oracle(round.world.cluster, kNow, keep, down);
  std::map<JobId, Time> starts;
  std::vector<JobId> holding;
  for (const Asked& asked : questions) {
    const Request& request = known ? round.world.cluster.request_of(asked.job.id) : asked.request;
    SCOPED_TRACE(asked.job.name + ": " + describe(round.world.cluster, request));
    const Time from = kNow + Seconds(round.world.one_in(2) ? 0 : round.world.below(10));
    const Time not_after = round.world.one_in(3) ? from + Seconds(round.world.below(6)) : kForever;
    ASSERT_NO_FATAL_FAILURE(
        same_earliest(timeline, oracle, asked.job, request, from, not_after, starts));
    const Seconds at_least(mixture.speeds || round.world.one_in(2) ? 0 : round.world.below(12));
    ASSERT_NO_FATAL_FAILURE(same_now(timeline, oracle, asked.job, request, at_least, starts));
    if (!known) continue;
    if (const auto slot = timeline.earliest(asked.job, request, from)) {
      ASSERT_NO_FATAL_FAILURE(follow(timeline, oracle, starts));
      timeline.hold(asked.job, request, slot->placement, slot->start);
      oracle.hold(asked.job, request, slot->placement, slot->start);
      holding.push_back(asked.job.id);
    }
    // Plans are taken back, too, before anybody has asked about them.
    if (holding.empty() || !round.world.one_in(4)) continue;
    const auto back = holding.begin() + round.world.below(static_cast<int>(holding.size()));
    timeline.release(*back);
    oracle.release(*back);
    starts.erase(*back);
    holding.erase(back);
  }
}

/// Gives every fourth cluster several requirements a job, and then fewer nodes and tasks: the
/// oracle tries every distribution.
void small_if_several(Mixture& mixture, unsigned seed, int most_nodes) {
  mixture.several_requirements = seed % 4 == 0;
  mixture.most_nodes = mixture.several_requirements ? 3 : most_nodes;
  mixture.most_tasks = mixture.several_requirements ? 3 : 5;
}

TEST(TimelineProperty, FindsTheEarliestSecondForJobsOfTheQueue) {
  for (unsigned seed = 1; seed <= rounds(1000); ++seed) {
    compare(seed, {}, true);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(TimelineProperty, FindsTheEarliestSecondForRequestsThatAreNoJobYet) {
  for (unsigned seed = 500001; seed <= 500000 + rounds(400); ++seed) {
    compare(seed, {}, false);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(TimelineProperty, FindsTheEarliestSecondForSeveralRequirements) {
  Mixture mixture;
  mixture.several_requirements = true;
  mixture.most_nodes = 3;
  mixture.most_tasks = 3;
  for (unsigned seed = 900001; seed <= 900000 + rounds(300); ++seed) {
    compare(seed, mixture, seed % 3 != 0);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(TimelineProperty, FindsTheEarliestSecondUnderLimitsAndLoadsOfNodes) {
  Mixture mixture;
  mixture.job_limits = mixture.loads = true;
  for (unsigned seed = 1100001; seed <= 1100000 + rounds(500); ++seed) {
    small_if_several(mixture, seed, 6);
    compare(seed, mixture, seed % 3 != 0);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(TimelineProperty, FindsTheEarliestSecondWhereNoTwoNodesHaveEqualAmounts) {
  Mixture mixture;
  mixture.odd_amounts = mixture.loads = true;
  for (unsigned seed = 1400001; seed <= 1400000 + rounds(600); ++seed) {
    small_if_several(mixture, seed, 8);
    compare(seed, mixture, seed % 5 != 0);
    if (testing::Test::HasFatalFailure()) return;
  }
}

// A reservation enters the model only when a question meets it.
TEST(TimelineProperty, CountsTheSameBesideAReservationBeforeItIsInTheModel) {
  int fit = 0, do_not = 0;
  for (unsigned seed = 1700001; seed <= 1700000 + rounds(1500); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Mixture mixture;
    mixture.several_requirements = seed % 9 == 0;
    mixture.host_lists = seed % 3 == 0;
    mixture.access_rules = seed % 4 == 0;
    mixture.reservations = seed % 2 == 0;
    Round round(seed, mixture, policy_of(seed));
    std::vector<JobId> jobs;
    for (int i = 0; i < 8; ++i) jobs.push_back(round.question(true).job.id);
    const auto& cluster = round.world.cluster;
    Timeline later, at_once;
    for (auto* timeline : {&later, &at_once})
      timeline->begin(cluster, round.settings, kNow, false, Askers::jobs_of_cluster);
    const Job& first = cluster.job(jobs.front());
    const Request& wanted = cluster.request_of(first.id);
    const auto slot = later.earliest(first, wanted, kNow + Seconds(1));
    if (!slot) continue;
    for (auto* timeline : {&later, &at_once})
      timeline->hold(first, wanted, slot->placement, slot->start);
    at_once.model();  // takes it into the model
    for (const JobId id : jobs) {
      const Job& job = cluster.job(id);
      const Request& request = cluster.request_of(id);
      if (id == first.id) continue;
      const bool fits = at_once.may_fit_now(job, request, request.limit);
      ++(fits ? fit : do_not);
      ASSERT_EQ(later.may_fit_now(job, request, request.limit), fits)
          << job.name << ": " << describe(cluster, request);
    }
  }
  EXPECT_GT(fit, 0);
  EXPECT_GT(do_not, 0);
}

/// Asks both timelines, holds what was found, and asks again.
void same_answers(Round& round, Timeline& rounded, Timeline& exact) {
  std::vector<JobId> jobs;
  for (int i = 0; i < 6; ++i) jobs.push_back(round.question(true).job.id);
  const auto& cluster = round.world.cluster;
  rounded.begin(cluster, round.settings, kNow, true, Askers::jobs_of_cluster);
  exact.begin(cluster, round.settings, kNow, true, Askers::any_request);
  ASSERT_LE(rounded.model().model().groups().filled(), exact.model().model().groups().filled());
  for (const JobId id : jobs) {
    const auto& job = cluster.job(id);
    const auto& request = cluster.request_of(id);
    SCOPED_TRACE(job.name + ": " + describe(cluster, request));
    const auto now = rounded.fits_now(job, request), also_now = exact.fits_now(job, request);
    ASSERT_EQ(now.has_value(), also_now.has_value());
    if (now) {
      ASSERT_EQ(now->placement, also_now->placement);
    }
    const auto slot = rounded.earliest(job, request, kNow);
    const auto also = exact.earliest(job, request, kNow);
    ASSERT_EQ(slot.has_value(), also.has_value());
    if (!slot) continue;
    ASSERT_EQ(slot->start, also->start);
    ASSERT_EQ(slot->placement, also->placement);
    rounded.hold(job, request, slot->placement, slot->start);
    exact.hold(job, request, slot->placement, slot->start);
  }
}

TEST(TimelineProperty, RoundingWhatRequestsCannotTellApartChangesNoAnswer) {
  Mixture mixture;
  mixture.odd_amounts = true;
  mixture.most_nodes = 10;
  for (unsigned seed = 1500001; seed <= 1500000 + rounds(800); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    mixture.loads = seed % 2 == 0;
    mixture.node_sets = seed % 3 == 0;
    mixture.several_requirements = seed % 5 == 0;
    Round round(seed, mixture, policy_of(seed));
    Timeline rounded, exact;
    ASSERT_NO_FATAL_FAILURE(same_answers(round, rounded, exact));
    // The same timelines later, when other requests are known.
    ASSERT_NO_FATAL_FAILURE(same_answers(round, rounded, exact));
  }
}

TEST(Timeline, NodesThatDifferInMemoryThatNobodyAsksForAreOneGroup) {
  Cluster cluster;
  for (int i = 0; i < 50; ++i) {
    Node node;
    node.name = "n" + std::to_string(i);
    node.reported = NodeState::idle;
    node.configured = Resources(4, 16000 + i, 0, 100000 - i);
    cluster.withhold(cluster.add_node(std::move(node)), Resources(0, 1000 + 7 * i), false, kNow);
  }
  Timeline timeline;
  const auto groups = [&] {
    timeline.begin(cluster, Settings(), kNow, false, Askers::jobs_of_cluster);
    return timeline.model().model().groups().filled();
  };
  const auto submit = [&](const char* name, const Resources& per_task) {
    Job job;
    job.name = name;
    Request request;
    request.requirements[0].per_task = per_task;
    return cluster.add_job(std::move(job), std::move(request));
  };
  submit("small", Resources(1));
  EXPECT_EQ(groups(), 1U);
  Reservation maintenance;
  maintenance.name = "maintenance";
  maintenance.start = kNow + Seconds(1000);
  maintenance.end = kNow + Seconds(2000);
  maintenance.per_task = Resources(-1);
  for (const Node& node : cluster.nodes()) maintenance.nodes.push_back({node.id, 1, 0});
  cluster.add_reservation(std::move(maintenance));
  EXPECT_EQ(groups(), 1U);
  // Jobs can have 14,706 to 15,000 MB: 14 tasks on each node.
  submit("gigabytes", Resources(1, 1024));
  EXPECT_EQ(groups(), 1U);
  const auto exacting = submit("megabytes", Resources(1, 1));
  EXPECT_EQ(groups(), 50U);
  cluster.end_job(exacting, JobState::removed, kNow);
  cluster.forget_job(exacting);
  Timeline afresh;
  afresh.begin(cluster, Settings(), kNow, false, Askers::jobs_of_cluster);
  EXPECT_EQ(afresh.model().model().groups().filled(), 1U);
}

TEST(TimelineProperty, FindsTheEarliestSecondWithinNodeSets) {
  Mixture mixture;
  mixture.node_sets = true;
  for (unsigned seed = 1200001; seed <= 1200000 + rounds(500); ++seed) {
    small_if_several(mixture, seed, 6);
    compare(seed, mixture, seed % 3 != 0);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(TimelineProperty, FindsTheEarliestSecondWhereLimitsGoBySpeed) {
  Mixture mixture;
  mixture.speeds = true;
  for (unsigned seed = 1300001; seed <= 1300000 + rounds(500); ++seed) {
    mixture.node_sets = seed % 3 == 0;
    compare(seed, mixture, seed % 4 != 0);
    if (testing::Test::HasFatalFailure()) return;
  }
}

// A job was extended into the time of a reservation: what is promised twice on one node hides
// nothing of what is free on the others.
TEST(Timeline, ANodeThatIsPromisedTwiceHidesNoOther) {
  Cluster cluster = test::Scenario()
                        .nodes(3, test::procs(1))
                        .job("long")
                        .limit(Seconds(5))
                        .running_on({{"n1", 1}})
                        .job("reserved")
                        .limit(Seconds(20))
                        .reserved_on({{"n1", 1}}, kNow + Seconds(10))
                        .job("asks")
                        .tasks(2)
                        .limit(Seconds(30))
                        .build();
  cluster.extend_job(cluster.find_job("long"), kNow + Seconds(15));
  const Settings settings;
  Timeline timeline(cluster, settings, kNow, true);
  const auto& job = cluster.job(cluster.find_job("asks"));
  const auto slot = timeline.earliest(job, cluster.request(job.request), kNow);
  ASSERT_TRUE(slot);
  EXPECT_EQ(slot->start, kNow);
}

// One reservation moves for a job that begins with it, later than now, and before one that may not.
TEST(Timeline, AReservationMovesForAJobThatBeginsWithIt) {
  const Cluster cluster = test::Scenario()
                              .nodes(2, test::procs(1))
                              .job("runs")
                              .tasks(2)
                              .limit(Seconds(5))
                              .running_on({{"n1", 1}, {"n2", 1}})
                              .job("moves")
                              .limit(Seconds(10))
                              .reserved_on({{"n1", 1}}, kNow + Seconds(5))
                              .job("stays")
                              .hosts({"n2"})
                              .limit(Seconds(10))
                              .reserved_on({{"n2", 1}}, kNow + Seconds(20))
                              .job("asks")
                              .limit(Seconds(20))
                              .build();
  const Settings settings;
  Timeline timeline(cluster, settings, kNow, true);
  const auto& job = cluster.job(cluster.find_job("asks"));
  const auto answer = [&] {
    const auto slot = timeline.earliest(job, cluster.request(job.request), kNow);
    return slot ? second(slot->start) + " " + show(cluster, slot->placement) : "never";
  };
  const auto found = answer();
  EXPECT_EQ(found, "5 n1:1");
  EXPECT_EQ(answer(), found) << "it has only asked";
  EXPECT_EQ(show(cluster, timeline.held_by(cluster.find_job("moves"))->placement), "n2:1");
}

// Neither a node that is no longer reported nor a partition that only a job named counts.
TEST(Timeline, AReservationMovesWhateverIsKnownBesidesTheNodes) {
  Scenario scenario;
  scenario.nodes(2, procs(1)).nodes(1, procs(2)).partition("gone");
  scenario.job("runs").tasks(2).limit(Seconds(5)).running_on({{"n1", 1}, {"n2", 1}});
  scenario.job("moves").limit(Seconds(10)).reserved_on({{"n1", 1}}, kNow + Seconds(5));
  scenario.job("stays")
      .hosts({"n2"})
      .limit(Seconds(10))
      .reserved_on({{"n2", 1}}, kNow + Seconds(20));
  scenario.job("asks").limit(Seconds(20));
  Cluster cluster = scenario.build();
  cluster.partitions.intern("typo");
  const auto answer = [&cluster] {
    const Settings settings;
    Timeline timeline(cluster, settings, kNow, true);
    const auto& job = cluster.job(cluster.find_job("asks"));
    const auto slot = timeline.earliest(job, cluster.request(job.request), kNow);
    return slot ? second(slot->start) + " " + show(cluster, slot->placement) : "never";
  };
  EXPECT_EQ(answer(), "0 n3:1") << "nodes of two kinds";
  Node nothing;
  nothing.configured = Resources(0);
  nothing.purged = true;
  cluster.update_node(cluster.find_node("n3"), std::move(nothing), kNow);
  EXPECT_EQ(answer(), "5 n1:1");
  EXPECT_EQ(cluster.check(), std::nullopt);
}

TEST(TimelineProperty, ReleaseTakesBackWhatHoldDid) {
  unsigned compared = 0;
  for (unsigned seed = 200001; seed <= 200000 + rounds(150); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Round round(seed, {}, policy_of(seed));
    std::vector<Asked> questions;
    for (int i = 0; i < 6; ++i) questions.push_back(round.question(true));
    const Cluster& cluster = round.world.cluster;
    Timeline timeline(cluster, round.settings, kNow, true);
    const auto kept = [&] {
      std::string all;
      for (const auto& held : timeline.held()) all += show(cluster, held.placement) + "; ";
      return all;
    };
    const auto answer = [&](const Asked& asked) {
      const auto slot = timeline.earliest(asked.job, cluster.request_of(asked.job.id), kNow);
      const auto now = timeline.fits_now(asked.job, cluster.request_of(asked.job.id));
      return (slot ? second(slot->start) + " " + show(cluster, slot->placement) : "never") +
             ", now " + (now ? show(cluster, now->placement) : "not");
    };
    const auto kept_before = kept();
    std::vector<std::string> before;
    for (const Asked& asked : questions) before.push_back(answer(asked));
    std::vector<std::pair<JobId, Placement>> held;
    for (const Asked& asked : questions)
      if (auto slot = timeline.earliest(asked.job, cluster.request_of(asked.job.id), kNow)) {
        timeline.hold(asked.job, cluster.request_of(asked.job.id), slot->placement, slot->start);
        held.emplace_back(asked.job.id, slot->placement);
      }
    for (const auto& [job, placement] : held) timeline.release(job);
    if (kept() != kept_before) continue;  // rearranged to make room, which other jobs may now use
    ++compared;
    for (std::size_t i = 0; i < questions.size(); ++i)
      ASSERT_EQ(answer(questions[i]), before[i]) << questions[i].job.name;
  }
  EXPECT_GT(compared, rounds(100)) << "too many were rearranged";
}

}  // namespace
}  // namespace maui
