// Why a job waits, when it could start, and what is open now (checkjob, showstart, showbf).
#include "sched/query/explain.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sched/configured.h"
#include "support/scenario.h"

namespace maui {
namespace {

using test::hours;
using test::job_named;
using test::kNow;
using test::minutes;
using test::node_named;
using test::procs;
using test::Scenario;
using test::show;

Reason reason(Scenario scenario, const char* job = "a") {
  const Cluster cluster = scenario.build();
  return explain(cluster, {}, kNow, job_named(cluster, job)).reason;
}

TEST(Explain, SaysWhyAJobAsAWholeWaits) {
  EXPECT_EQ(reason(Scenario().nodes(1, procs(1)).job("a").held()), Reason::hold);
  EXPECT_EQ(reason(Scenario().nodes(1, procs(1)).job("a").start_date(kNow + minutes(1))),
            Reason::start_date);
  EXPECT_EQ(reason(Scenario().nodes(1, procs(1)).job("a").running_on({{"n1", 1}})), Reason::state);
  EXPECT_EQ(reason(Scenario().nodes(1, procs(1)).job("a").tasks(2)), Reason::never);
  EXPECT_EQ(
      reason(Scenario().nodes(2, procs(1)).job("r").running_on({{"n1", 1}}).job("a").tasks(2)),
      Reason::idle_procs);
  EXPECT_EQ(reason(Scenario().nodes(1, procs(1)).job("a")), Reason::next_iteration);
}

TEST(Explain, AJobThatWouldFitWaitsItsTurnWhereNobodyIsBackfilled) {
  Scenario scenario;
  scenario.nodes(2, procs(1)).partition("x").nodes(2, procs(1)).partition("y");
  scenario.job("r").running_on({{"n1", 1}}).job("first").partition("x").tasks(2);
  scenario.job("a").partition("x").job("b").partition("y");
  const Cluster cluster = scenario.build();
  const auto why = [&](const char* text, const char* job) {
    return explain(cluster, configured(text), kNow, job_named(cluster, job)).reason;
  };
  EXPECT_EQ(why("", "a"), Reason::next_iteration);
  EXPECT_EQ(why("BACKFILLPOLICY NONE\n", "a"), Reason::not_reached);
  EXPECT_EQ(why("BACKFILLPOLICY[x] NONE\n", "a"), Reason::not_reached);
  EXPECT_EQ(why("BACKFILLPOLICY[x] NONE\n", "b"), Reason::next_iteration);
  EXPECT_EQ(why("USERCFG[user] FLAGS=NOBF\n", "a"), Reason::not_reached);
}

TEST(Explain, IdleProcessorsOfTheWrongKindDoNotMeetTheRequirements) {
  Scenario scenario;
  scenario.nodes(1, procs(1, 1024)).nodes(2, procs(1)).job("r").running_on({{"n1", 1}});
  EXPECT_EQ(reason(scenario.job("a").each(procs(1, 512))), Reason::requirements);
}

TEST(Explain, ReservationsMayBlockWhatIsIdle) {
  Scenario scenario;
  scenario.nodes(2, procs(1)).job("a").tasks(2);
  scenario.reservation("r").on({"n1"}).from(kNow + minutes(1)).until(kNow + hours(9));
  EXPECT_EQ(reason(scenario), Reason::reservations_block);
}

TEST(Explain, WithoutReservationsTooFewInitiatorsOfTheClassAreFree) {
  Scenario scenario;
  scenario.nodes(2, procs(4)).classes({{"batch", 2}});
  scenario.job("r").in_class("batch").running_on({{"n1", 1}});
  EXPECT_EQ(reason(scenario.job("a").in_class("batch").tasks(4)), Reason::requirements);
}

TEST(Explain, WithoutReservationsTooFewNodesMeetTheRequirements) {
  Scenario scenario;
  scenario.nodes(3, procs(8)).job("r").tasks(8).running_on({{"n1", 8}});
  scenario.job("a").tasks(3).change_request(
      [](Request& request) { request.requirements.front().least_nodes = 3; });
  const Cluster cluster = scenario.build();
  const auto result = explain(cluster, {}, kNow, job_named(cluster, "a"));
  EXPECT_EQ(result.reason, Reason::requirements);
  EXPECT_EQ(result.feasible_procs, 2);
  EXPECT_EQ(result.needed_procs, 3);
}

TEST(Explain, NodesThatAreDownAreTheReasonIfTheOthersCouldNotServe) {
  Scenario scenario;
  scenario.nodes(1, procs(2)).nodes(1, procs(2)).state(NodeState::down);
  scenario.nodes(1, procs(2)).state(NodeState::drained);
  scenario.job("r").running_on({{"n1", 1}}).job("a").tasks(3).job("b").tasks(2).job("c").tasks(2);
  scenario.features({"fast"});
  const Cluster cluster = scenario.build();
  const auto why = [&](const char* text, const char* job) {
    return explain(cluster, configured(text), kNow, job_named(cluster, job));
  };
  EXPECT_EQ(why("", "a").reason, Reason::nodes_down);
  EXPECT_EQ(why("", "a").blocker,
            "2 of 3 nodes are down or drained, assumed back in 1:00:00:00 (DOWNNODEDELAYTIME)");
  EXPECT_EQ(why("NODEDOWNSTATEDELAYTIME 1:00:00\n", "a").blocker,
            "2 of 3 nodes are down or drained, assumed back in 1:00:00 (NODEDOWNSTATEDELAYTIME)");
  EXPECT_EQ(why("DOWNNODEDELAYTIME INFINITY\n", "a").blocker, "2 of 3 nodes are down or drained");
  EXPECT_EQ(why("", "b").reason, Reason::idle_procs) << "a running job is in its way";
  EXPECT_EQ(why("", "c").reason, Reason::never) << "no node has what it needs";
}

TEST(Explain, OnlyNodesThatTheJobCouldUseCount) {
  Scenario scenario;
  scenario.nodes(2, procs(2)).nodes(1, procs(2)).features({"fast"}).state(NodeState::down);
  scenario.job("a").features({"fast"});
  const Cluster cluster = scenario.build();
  EXPECT_EQ(
      explain(cluster, configured("DOWNNODEDELAYTIME INFINITY\n"), kNow, job_named(cluster, "a"))
          .blocker,
      "1 of 1 node is down");
}

TEST(Explain, ItsOwnReservationIsNotInAJobsWay) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).job("a").reserved_on({{"n1", 1}}, kNow);
  EXPECT_EQ(reason(scenario), Reason::next_iteration);
}

TEST(Explain, CountsTheProcessorsThatAreIdleAndThoseThatWouldDo) {
  const Cluster cluster = Scenario()
                              .nodes(2, procs(4))
                              .nodes(1, procs(4))
                              .features({"fast"})
                              .job("r")
                              .tasks(3)
                              .running_on({{"n3", 3}})
                              .job("a")
                              .tasks(2)
                              .features({"fast"})
                              .build();
  const auto result = explain(cluster, {}, kNow, job_named(cluster, "a"));
  EXPECT_EQ(result.idle_procs, 9);
  EXPECT_EQ(result.feasible_procs, 1);
  EXPECT_EQ(result.needed_procs, 2);
  ASSERT_EQ(result.rejections.size(), 1U);
  EXPECT_EQ(result.rejections.front(), std::pair(NodeReason::features, 2));
}

/// The reason of one node, and how many tasks it takes.
NodeVerdict verdict(const Cluster& cluster, const char* node) {
  ExplainOptions options;
  options.nodes = true;
  options.only_node = node_named(cluster, node);
  const auto result = explain(cluster, {}, kNow, job_named(cluster, "a"), options);
  return result.nodes.front();
}

TEST(Explain, SaysOfEachNodeWhyItCannotTakeATask) {
  Scenario scenario;
  scenario.node("down", procs(4)).state(NodeState::down);
  scenario.node("small", procs(1)).node("full", procs(4)).node("taken", procs(4));
  scenario.node("alone", procs(4)).node("later", procs(4)).node("good", procs(6));
  scenario.job("f").tasks(3).running_on({{"full", 3}});
  scenario.job("t").running_on({{"taken", 4}}).job("d").dedicated().running_on({{"alone", 1}});
  scenario.job("a").each(procs(2)).tasks(9);
  scenario.reservation("r").on({"later"}).from(kNow + minutes(1)).until(kNow + hours(9));
  const Cluster cluster = scenario.build();
  EXPECT_EQ(verdict(cluster, "down").reason, NodeReason::state);
  EXPECT_EQ(verdict(cluster, "small").reason, NodeReason::cpu);
  EXPECT_EQ(verdict(cluster, "full").reason, NodeReason::resources);
  EXPECT_EQ(verdict(cluster, "taken").reason, NodeReason::state);  // busy
  EXPECT_EQ(verdict(cluster, "alone").reason, NodeReason::state);  // busy, since it is dedicated
  EXPECT_EQ(verdict(cluster, "later").reason, NodeReason::reserve_time);
  EXPECT_EQ(verdict(cluster, "good").reason, NodeReason::none);
  EXPECT_EQ(verdict(cluster, "good").tasks, 3);
}

TEST(Explain, ANodeThatIsNotListedSaysSo) {
  const Cluster cluster =
      Scenario().nodes(2, procs(1)).job("a").hosts({"n2"}, HostListUse::some_of).build();
  EXPECT_EQ(verdict(cluster, "n1").reason, NodeReason::host_list);
  EXPECT_EQ(verdict(cluster, "n2").reason, NodeReason::none);
}

TEST(Explain, AJobThatWantsNodesForItselfMeetsCompany) {
  Scenario scenario;
  scenario.nodes(1, procs(4)).job("r").running_on({{"n1", 1}}).job("a").dedicated();
  EXPECT_EQ(verdict(scenario.build(), "n1").reason, NodeReason::access);
}

TEST(Explain, UnderSingleuserAStrangerKeepsANode) {
  Scenario scenario;
  scenario.nodes(1, procs(4)).job("r").by("bob").running_on({{"n1", 1}});
  scenario.job("a").by("amy").access(NodeAccess::single_user);
  EXPECT_EQ(verdict(scenario.build(), "n1").reason, NodeReason::access);
}

// --- showstart ------------------------------------------------------------------

std::string forecast(const Cluster& cluster, const std::optional<Forecast>& found) {
  if (!found) return "never";
  return std::to_string((found->start - kNow).raw()) + " on " + show(cluster, found->placement);
}

TEST(EarliestStart, IsTheStartOfTheReservationOfTheJob) {
  const Cluster cluster =
      Scenario().nodes(2, procs(1)).job("a").reserved_on({{"n2", 1}}, kNow + hours(5)).build();
  EXPECT_EQ(forecast(cluster, earliest_start(cluster, {}, kNow, job_named(cluster, "a"))),
            "18000 on n2:1");
}

TEST(EarliestStart, OtherwiseIsAsIfTheJobWereTheFirst) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).job("r").limit(hours(2)).running_on({{"n1", 1}}, hours(1));
  scenario.job("first").reserved_on({{"n1", 1}}, kNow + hours(1)).job("a");
  const Cluster cluster = scenario.build();
  EXPECT_EQ(forecast(cluster, earliest_start(cluster, {}, kNow, job_named(cluster, "a"))),
            "3600 on n1:1");
}

TEST(EarliestStart, WaitsForTheStartDateAndForReservationsOfOthers) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).job("a").start_date(kNow + hours(1));
  scenario.reservation("r").on({"n1"}).from(kNow + minutes(90)).until(kNow + hours(3));
  const Cluster cluster = scenario.build();
  EXPECT_EQ(forecast(cluster, earliest_start(cluster, {}, kNow, job_named(cluster, "a"))),
            "10800 on n1:1");
}

TEST(EarliestStart, DependsOnTheCredentialsOfARequestWithoutAJob) {
  Scenario scenario;
  scenario.nodes(1, procs(2)).job("x").by("amy").job("y").by("bob");
  scenario.reservation("r").on({"n1"}).until(kNow + hours(3)).for_users({"amy"});
  const Cluster cluster = scenario.build();
  Request request;
  request.limit = hours(1);
  request.access.usual = NodeAccess::shared;
  const auto asked_by = [&](const char* job) {
    return forecast(cluster, earliest_start(cluster, {}, kNow, request,
                                            cluster.job(job_named(cluster, job)).credentials));
  };
  EXPECT_EQ(asked_by("x"), "0 on n1:1");
  EXPECT_EQ(asked_by("y"), "10800 on n1:1");
  request.requirements.front().tasks = 3;
  EXPECT_EQ(asked_by("x"), "never");
}

// --- showbf ---------------------------------------------------------------------

std::string windows(const Cluster& cluster, const WindowQuery& query) {
  std::string text;
  for (const auto& window : backfill_windows(cluster, {}, kNow, query)) {
    text += cluster.partitions[window.partition] + " " + std::to_string(window.procs) + "/" +
            std::to_string(window.nodes) + " for " +
            (window.duration == kUnlimited ? "ever" : std::to_string(window.duration.raw())) + "; ";
  }
  return text;
}

constexpr Seconds at(int h, int m, int s) { return Seconds(3600 * h + 60 * m + s); }

// Guide, showbf, example 1, with the times of the two wider windows of SLOW in the only order that
// can be: what is open for longer is open for less long, too.
Cluster fast_and_slow() {
  Scenario scenario;
  scenario.nodes(9, procs(1)).partition("FAST").nodes(8, procs(1)).partition("SLOW");
  scenario.nodes(1, procs(25)).partition("SLOW").nodes(1, procs(1)).partition("SLOW");
  scenario.reservation("f").on({"n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9"});
  scenario.from(kNow + at(4, 54, 18)).until(kForever);
  scenario.reservation("s1").on({"n10", "n11", "n12", "n13", "n14", "n15", "n16", "n17"});
  scenario.from(kNow + at(7, 0, 19)).until(kForever);
  scenario.reservation("s2").on({"n18"}).from(kNow + at(10, 25, 30)).until(kForever);
  return scenario.build();
}

TEST(BackfillWindows, AreWhatShowbfShows) {
  EXPECT_EQ(windows(fast_and_slow(), {}),
            "FAST 9/9 for 17658; SLOW 34/10 for 25219; SLOW 26/2 for 37530; SLOW 1/1 for ever; ");
}

TEST(BackfillWindows, CanBeAskedForByLengthSizeAndPartition) {
  const Cluster cluster = fast_and_slow();
  WindowQuery query;
  query.at_least = hours(8);
  EXPECT_EQ(windows(cluster, query), "SLOW 26/2 for 37530; SLOW 1/1 for ever; ");
  query = {};
  query.requirement.tasks = 30;
  EXPECT_EQ(windows(cluster, query), "SLOW 34/10 for 25219; ");
  query = {};
  query.partition = cluster.partitions.find("FAST");
  EXPECT_EQ(windows(cluster, query), "FAST 9/9 for 17658; ");
  query = {};
  query.requirement.nodes = 3;
  EXPECT_EQ(windows(cluster, query), "FAST 9/9 for 17658; SLOW 34/10 for 25219; ");
}

// Guide 8.2.2: four nodes for an hour, one of them without limit.
TEST(BackfillWindows, OverlapAsInThePictureOfTheGuide) {
  Scenario scenario;
  scenario.nodes(8, procs(1)).job("a").running_on({{"n1", 1}, {"n2", 1}});
  scenario.job("b").running_on({{"n3", 1}, {"n4", 1}}).job("c").tasks(7);
  scenario.reserved_on(
      {{"n1", 1}, {"n2", 1}, {"n3", 1}, {"n4", 1}, {"n5", 1}, {"n6", 1}, {"n7", 1}},
      kNow + hours(1));
  EXPECT_EQ(windows(scenario.build(), {}), "DEFAULT 4/4 for 3600; DEFAULT 1/1 for ever; ");
}

TEST(BackfillWindows, DependOnWhoAsks) {
  Scenario scenario;
  scenario.nodes(2, procs(1)).job("x").by("amy");
  scenario.reservation("r").on({"n1"}).until(kForever).for_users({"amy"});
  const Cluster cluster = scenario.build();
  WindowQuery query;
  EXPECT_EQ(windows(cluster, query), "DEFAULT 1/1 for ever; ");
  query.who.user = cluster.users.find("amy");
  EXPECT_EQ(windows(cluster, query), "DEFAULT 2/2 for ever; ");
  query.who = {};
  query.everything = true;
  EXPECT_EQ(windows(cluster, query), "DEFAULT 2/2 for ever; ");
}

TEST(BackfillWindows, NodeByNodeNameTheReservationThatEndsThem) {
  const Cluster cluster = fast_and_slow();
  const auto nodes = window_nodes(cluster, {}, kNow, {});
  ASSERT_EQ(nodes.size(), 19U);
  EXPECT_EQ(nodes[0].procs, 1);
  EXPECT_EQ(nodes[0].duration, at(4, 54, 18));
  EXPECT_EQ(cluster.reservation(nodes[0].blocked_by).name, "f");
  EXPECT_EQ(nodes[18].duration, kUnlimited);
  EXPECT_FALSE(nodes[18].blocked_by.valid());
}

TEST(ReservationBoundary, IsTheNextBeginOrEnd) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).reservation("r").on({"n1"}).from(kNow + Seconds(5));
  scenario.until(kNow + Seconds(9));
  const Cluster cluster = scenario.build();
  EXPECT_EQ(next_reservation_boundary(cluster, kNow), kNow + Seconds(5));
  EXPECT_EQ(next_reservation_boundary(cluster, kNow + Seconds(5)), kNow + Seconds(9));
  EXPECT_EQ(next_reservation_boundary(cluster, kNow + Seconds(9)), kForever);
}

// --- several questions about one state ---------------------------------------------

/// The answers to all questions about a job, each asked of `questions`, or alone.
std::vector<std::string> answers(const Cluster& cluster, const Settings& settings, JobId id,
                                 Questions* questions) {
  std::vector<std::string> said;
  const Job& job = cluster.job(id);
  const Request& request = cluster.request(job.request);
  const auto ask = [&](auto question) {
    if (questions != nullptr) return question(*questions);
    Questions own(cluster, settings, kNow);
    return question(own);
  };
  ExplainOptions options;
  options.nodes = true;
  const auto why = ask([&](Questions& q) { return q.explain(id, options); });
  said.push_back(fmt::format("{} {} {} {}", static_cast<int>(why.reason), why.blocker,
                             why.idle_procs, why.feasible_procs));
  for (const auto& node : why.nodes)
    said.push_back(fmt::format("{} {}", static_cast<int>(node.reason), node.tasks));
  const auto start = ask([&](Questions& q) { return q.earliest_start(id); });
  said.push_back(start ? fmt::format("{} {}", start->start.raw(), show(cluster, start->placement))
                       : "never");
  for (const bool keep : {true, false}) {
    const auto now = ask([&](Questions& q) { return q.place_now(job, request, keep); });
    said.push_back(now ? show(cluster, *now) : "not now");
  }
  WindowQuery query;
  query.who = job.credentials;
  for (const auto& w : ask([&](Questions& q) { return q.backfill_windows(query); }))
    said.push_back(fmt::format("{} {} {}", w.procs, w.nodes, w.duration.raw()));
  for (const auto& node : ask([&](Questions& q) { return q.window_nodes(query); }))
    said.push_back(
        fmt::format("{} {} {}", static_cast<int>(node.reason), node.procs, node.duration.raw()));
  return said;
}

TEST(Questions, SharedDataChangesNoAnswer) {
  Scenario scenario;
  scenario.nodes(6, procs(4));
  scenario.job("r").tasks(4).limit(hours(2)).running_on({{"n1", 4}});
  scenario.job("s").tasks(2).limit(hours(5)).running_on({{"n2", 2}});
  scenario.reservation("x").on({"n3", "n4"}).from(kNow + hours(1)).until(kNow + hours(3));
  scenario.job("wide").tasks(24).limit(hours(1)).job("half").tasks(12).limit(hours(2));
  scenario.job("small").tasks(1).limit(minutes(30)).job("long").tasks(8).limit(hours(9));
  scenario.job("never").tasks(25);
  const Cluster cluster = scenario.build();
  const Settings settings;
  Questions questions(cluster, settings, kNow);
  for (int round = 0; round < 2; ++round)
    for (const char* name : {"wide", "half", "small", "long", "never"}) {
      const JobId job = job_named(cluster, name);
      EXPECT_EQ(answers(cluster, settings, job, &questions),
                answers(cluster, settings, job, nullptr))
          << name;
    }
}

}  // namespace
}  // namespace maui
