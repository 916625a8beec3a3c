// Which nodes could ever serve a job (guide 3.3.2.4), and whether they suffice.
#include "sched/placement/feasibility.h"

#include <gtest/gtest.h>

#include <numeric>

#include "sched/cycle.h"
#include "sched/placement/feasible_requests.h"
#include "sched/placement/lack.h"
#include "sched/placement/requirement_fit.h"
#include "support/carry_out.h"
#include "support/scenario.h"

namespace maui {
namespace {

using test::job_named;
using test::node_named;
using test::procs;
using test::Scenario;

/// One node that has a bit of everything.
Cluster furnished() {
  Cluster cluster = Scenario()
                        .nodes(1, Resources(4, 1024, 2048, 4096))
                        .features({"fast", "wide"})
                        .classes({{"batch", 2}})
                        .change_nodes([](Node& node) {
                          node.networks = {"hps", "ethernet"};
                          node.architecture = "x86";
                          node.operating_system = "Linux";
                        })
                        .build();
  cluster.initiator(cluster.classes.intern("short"));
  cluster.features.intern("slow");
  cluster.partitions.intern("other");
  cluster.consumables.intern("tape");
  return cluster;
}

struct Case {
  const char* asked;
  void (*ask)(const Cluster&, Request&);
  NodeReason reason;
};

Requirement& first(Request& request) { return request.requirements.front(); }

const Case kCases[] = {
    {"nothing", [](const Cluster&, Request&) {}, NodeReason::none},
    {"all its processors", [](const Cluster&, Request& r) { first(r).per_task = Resources(4); },
     NodeReason::none},
    {"processors a task", [](const Cluster&, Request& r) { first(r).per_task = Resources(5); },
     NodeReason::cpu},
    {"memory a task", [](const Cluster&, Request& r) { first(r).per_task = Resources(1, 1025); },
     NodeReason::memory},
    {"swap a task", [](const Cluster&, Request& r) { first(r).per_task = Resources(1, 0, 2049); },
     NodeReason::swap},
    {"disk a task",
     [](const Cluster&, Request& r) { first(r).per_task = Resources(1, 0, 0, 4097); },
     NodeReason::disk},
    {"generic resource",
     [](const Cluster& c, Request& r) { first(r).per_task.set(c.consumables.find("tape"), 1); },
     NodeReason::resources},
    {"memory of the node",
     [](const Cluster&, Request& r) {
       first(r).memory = {Comparison::more, 1024};
     },
     NodeReason::memory},
    {"memory that it has",
     [](const Cluster&, Request& r) {
       first(r).memory = {Comparison::at_least, 1024};
     },
     NodeReason::none},
    {"swap of the node",
     [](const Cluster&, Request& r) {
       first(r).swap = {Comparison::less, 2048};
     },
     NodeReason::swap},
    {"disk of the node",
     [](const Cluster&, Request& r) {
       first(r).disk = {Comparison::equal, 4000};
     },
     NodeReason::disk},
    {"EXACTPROC",
     [](const Cluster&, Request& r) {
       first(r).procs = {Comparison::equal, 2};
     },
     NodeReason::cpu},
    {"EXACTPROC of its own",
     [](const Cluster&, Request& r) {
       first(r).procs = {Comparison::equal, 4};
     },
     NodeReason::none},
    {"class", [](const Cluster& c, Request& r) { first(r).job_class = c.classes.find("short"); },
     NodeReason::job_class},
    {"class that it offers",
     [](const Cluster& c, Request& r) { first(r).job_class = c.classes.find("batch"); },
     NodeReason::none},
    {"one feature of two",
     [](const Cluster& c, Request& r) {
       first(r).features = {c.features.find("fast"), c.features.find("slow")};
     },
     NodeReason::features},
    {"both its features",
     [](const Cluster& c, Request& r) {
       first(r).features = {c.features.find("fast"), c.features.find("wide")};
     },
     NodeReason::none},
    {"network", [](const Cluster&, Request& r) { first(r).network = "myrinet"; },
     NodeReason::network},
    {"its second network", [](const Cluster&, Request& r) { first(r).network = "ethernet"; },
     NodeReason::none},
    {"architecture", [](const Cluster&, Request& r) { first(r).architecture = "sparc"; },
     NodeReason::architecture},
    {"operating system", [](const Cluster&, Request& r) { first(r).operating_system = "AIX"; },
     NodeReason::opsys},
    {"partition", [](const Cluster& c, Request& r) { r.partitions = {c.partitions.find("other")}; },
     NodeReason::partition},
    {"tasks per node",
     [](const Cluster&, Request& r) {
       first(r).tasks = 10;
       first(r).tasks_per_node = 5;
     },
     NodeReason::cpu},
    {"the rest of tasks per node",
     [](const Cluster&, Request& r) {
       first(r).tasks = 8;
       first(r).tasks_per_node = 5;
     },
     NodeReason::none},
};

TEST(Feasibility, ANodeThatCannotServeSaysWhatItLacks) {
  const Cluster cluster = furnished();
  for (const Case& test_case : kCases) {
    Request request;
    test_case.ask(cluster, request);
    EXPECT_EQ(mismatch(cluster, NodeId(0U), request, first(request)), test_case.reason)
        << test_case.asked;
    EXPECT_EQ(capacity(cluster, NodeId(0U), request, first(request)) > 0,
              test_case.reason == NodeReason::none)
        << test_case.asked;
  }
}

TEST(Feasibility, ANodeHoldsAsManyTasksAsItsScarcestResourceAllows) {
  const Cluster cluster = furnished();
  Request request;
  first(request).per_task = Resources(1, 400);
  EXPECT_EQ(capacity(cluster, NodeId(0U), request, first(request)), 2);
  first(request).per_task.set(cluster.consumables.find("class:batch"), 2);
  EXPECT_EQ(capacity(cluster, NodeId(0U), request, first(request)), 1);
}

TEST(Feasibility, OneTaskANodeUnderSingletaskUnlessTheNodeSaysOtherwise) {
  Scenario scenario;
  scenario.nodes(1, procs(4)).nodes(1, procs(4));
  scenario.change_nodes([](Node& node) { node.policy.access = NodeAccess::shared; });
  const Cluster cluster = scenario.build();
  Request request;
  request.access.usual = NodeAccess::single_task;
  EXPECT_EQ(capacity(cluster, node_named(cluster, "n1"), request, first(request)), 1);
  EXPECT_EQ(capacity(cluster, node_named(cluster, "n2"), request, first(request)), 4);
}

bool feasible(void (*shape)(Requirement&)) {
  const Cluster cluster = Scenario()
                              .nodes(2, procs(4))
                              .nodes(2, procs(2))
                              .nodes(4, procs(4))
                              .partition("other")
                              .build();
  Request request;
  request.partitions = {PartitionId(0U)};
  shape(first(request));
  return ever_feasible(cluster, request);
}

TEST(Feasibility, OnlyPartitionsWithNodesAreTried) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).nodes(1, procs(1)).partition("other");
  Cluster cluster = scenario.build();
  Request request;
  request.partitions = {cluster.partitions.find("other"), cluster.partitions.intern("typo")};
  const auto tried = [&] {
    std::string names;
    for (const PartitionId id : usable_partitions(cluster, request))
      names += cluster.partitions[id] + " ";
    return names;
  };
  EXPECT_EQ(tried(), "other ");
  request.partitions.clear();
  EXPECT_EQ(tried(), "DEFAULT other ");
  Node purged;
  purged.purged = true;
  cluster.update_node(node_named(cluster, "n2"), std::move(purged), test::kNow);
  EXPECT_EQ(tried(), "DEFAULT ");
  EXPECT_EQ(cluster.check(), std::nullopt);
}

TEST(Feasibility, ARequestMustFitIntoOnePartition) {
  EXPECT_TRUE(feasible([](Requirement& r) { r.tasks = 12; }));
  EXPECT_FALSE(feasible([](Requirement& r) { r.tasks = 13; }));
}

TEST(Feasibility, NothingStartsOnANodeWhoseJobsTakeMoreMemoryThanCanBeCounted) {
  Scenario scenario;
  scenario.nodes(1, procs(8, 1000));
  for (const char* name : {"a", "b", "c"})
    scenario.job(name).each(procs(1, 2'147'483'647)).running_on({{"n1", 1}});
  const Cluster cluster = scenario.job("next").each(procs(1, 1)).build();
  Settings settings;
  settings.node_access = NodeAccess::shared;
  EXPECT_EQ(test::started(cluster, plan(cluster, settings, test::kNow)), "");
}

TEST(Feasibility, TasksNeverSpanNodes) {
  EXPECT_TRUE(feasible([](Requirement& r) { r.per_task = Resources(3), r.tasks = 2; }));
  EXPECT_FALSE(feasible([](Requirement& r) { r.per_task = Resources(3), r.tasks = 3; }));
}

TEST(Feasibility, ANodeCountIsTheMostThatMayBeUsed) {
  EXPECT_TRUE(feasible([](Requirement& r) { r.tasks = 8, r.nodes = 2; }));
  EXPECT_FALSE(feasible([](Requirement& r) { r.tasks = 9, r.nodes = 2; }));
}

TEST(Feasibility, ALeastNodeCountHasATaskOnEachNode) {
  EXPECT_TRUE(feasible([](Requirement& r) { r.tasks = 4, r.least_nodes = 4; }));
  EXPECT_FALSE(feasible([](Requirement& r) { r.tasks = 5, r.least_nodes = 5; }));
  EXPECT_FALSE(feasible([](Requirement& r) { r.tasks = 3, r.least_nodes = 4; }));
  EXPECT_FALSE(feasible([](Requirement& r) { r.tasks = 4, r.least_nodes = 3, r.nodes = 2; }));
  EXPECT_TRUE(feasible([](Requirement& r) { r.tasks = 9, r.least_nodes = 2, r.nodes = 3; }));
  EXPECT_FALSE(feasible([](Requirement& r) { r.tasks = 11, r.least_nodes = 2, r.nodes = 3; }));
}

// Every way to share tasks among three nodes, tried one by one.
bool shareable(const Requirement& wanted, const std::vector<int>& offers) {
  for (int a = 0; a <= offers[0]; ++a)
    for (int b = 0; b <= offers[1]; ++b)
      for (int c = 0; c <= offers[2]; ++c) {
        const int used = (a > 0) + (b > 0) + (c > 0);
        if (a + b + c == wanted.tasks && used >= wanted.least_nodes &&
            (wanted.nodes == 0 || used <= wanted.nodes))
          return true;
      }
  return false;
}

TEST(Feasibility, NodeCountsAreServedWheneverTheyCanBe) {
  for (int number = 0; number < 5 * 5 * 5 * 8 * 4 * 4; ++number) {
    int rest = number;
    const auto next = [&](int count) { return std::exchange(rest, rest / count) % count; };
    const std::vector<int> offers{next(5), next(5), next(5)};
    Requirement wanted;
    wanted.tasks = 1 + next(8);
    wanted.least_nodes = next(4);
    wanted.nodes = next(4);
    const bool expected = shareable(wanted, offers);
    Need need(wanted);
    for (const int offer : offers) need.offer(offer);
    std::vector<int> shares;
    ASSERT_EQ(need.met(), expected) << number;
    ASSERT_EQ(share_tasks(wanted, offers, shares), expected) << number;
    if (!expected) continue;
    const auto used = std::count_if(shares.begin(), shares.end(), [](int s) { return s > 0; });
    EXPECT_EQ(std::accumulate(shares.begin(), shares.end(), 0), wanted.tasks) << number;
    EXPECT_TRUE(used >= wanted.least_nodes && (wanted.nodes == 0 || used <= wanted.nodes))
        << number;
    for (std::size_t i = 0; i < shares.size(); ++i) EXPECT_LE(shares[i], offers[i]) << number;
  }
}

TEST(Feasibility, ExactNodesShareTheTasksEvenly) {
  EXPECT_TRUE(feasible([](Requirement& r) { r.tasks = 10, r.nodes = 4, r.exact_nodes = true; }));
  EXPECT_FALSE(feasible([](Requirement& r) { r.tasks = 11, r.nodes = 4, r.exact_nodes = true; }));
  EXPECT_FALSE(feasible([](Requirement& r) { r.tasks = 3, r.nodes = 4, r.exact_nodes = true; }));
}

TEST(Feasibility, TasksPerNodeFillsEveryNodeButOne) {
  EXPECT_TRUE(feasible([](Requirement& r) { r.tasks = 8, r.tasks_per_node = 2; }));
  EXPECT_TRUE(feasible([](Requirement& r) { r.tasks = 7, r.tasks_per_node = 3; }));
  EXPECT_FALSE(feasible([](Requirement& r) { r.tasks = 9, r.tasks_per_node = 3; }));
}

TEST(Feasibility, ANodeCountThatContradictsTasksPerNodeIsNeverServed) {
  EXPECT_FALSE(feasible([](Requirement& r) { r.tasks = 4, r.tasks_per_node = 2, r.nodes = 1; }));
  const auto shape = [] {
    Requirement wanted;
    wanted.tasks = 4;
    wanted.tasks_per_node = 2;
    wanted.nodes = 1;
    return wanted;
  };
  std::vector<int> shares;
  EXPECT_FALSE(share_tasks(shape(), {4, 4, 4}, shares));
}

TEST(Feasibility, HostListsBindInTwoWays) {
  const Cluster cluster = Scenario()
                              .nodes(3, procs(2))
                              .job("all")
                              .tasks(4)
                              .hosts({"n1", "n2"})
                              .job("too_few_tasks")
                              .tasks(1)
                              .hosts({"n1", "n2"}, HostListUse::some_of)
                              .job("too_many_tasks")
                              .tasks(5)
                              .hosts({"n1", "n2"}, HostListUse::some_of)
                              .build();
  const auto answer = [&](const char* job) {
    return ever_feasible(cluster, cluster.request_of(job_named(cluster, job)));
  };
  EXPECT_TRUE(answer("all"));
  EXPECT_TRUE(answer("too_few_tasks"));
  EXPECT_FALSE(answer("too_many_tasks"));
}

TEST(Feasibility, DownNodesCountSinceTheyMayComeBack) {
  const Cluster cluster =
      Scenario().nodes(1, procs(2)).state(NodeState::down).job("a").tasks(2).build();
  EXPECT_TRUE(ever_feasible(cluster, cluster.request_of(job_named(cluster, "a"))));
}

TEST(Feasibility, ReportsWhatTheClusterLacks) {
  Cluster cluster = furnished();
  const auto lack = [&](void (*ask)(const Cluster&, Request&)) {
    Request request;
    ask(cluster, request);
    return ever_feasible(cluster, request) ? "nothing" : lack_of(cluster, request);
  };
  EXPECT_EQ(lack([](const Cluster&, Request& r) { first(r).network = "via"; }),
            "no node has network 'via'");
  EXPECT_EQ(lack([](const Cluster& c, Request& r) {
              first(r).features = {c.features.find("fast"), c.features.find("slow")};
              first(r).architecture = "arm";
            }),
            "no node has feature 'slow' or architecture 'arm'");
  EXPECT_EQ(
      lack([](const Cluster& c, Request& r) { first(r).job_class = c.classes.find("short"); }),
      "no node has class 'short'");
  EXPECT_EQ(lack([](const Cluster& c, Request& r) { r.partitions = {c.partitions.find("other")}; }),
            "no node is in partition 'other'");
  EXPECT_EQ(lack([](const Cluster&, Request& r) { first(r).per_task = Resources(1, 1025); }),
            "no node has 1025 MB of memory (at most 1024)");
  EXPECT_EQ(lack([](const Cluster&, Request& r) { first(r).tasks = 5; }),
            "the job asks for 5 procs, of which the cluster has 4");
}

TEST(Feasibility, NamesTheAmountsOfATaskThatNoNodeHas) {
  Cluster cluster = furnished();
  const ConsumableId tape = cluster.consumables.find("tape");
  const auto lack = [&](const auto& ask) {
    Request request;
    ask(request.requirements.front(), request);
    return ever_feasible(cluster, request) ? "nothing" : lack_of(cluster, request);
  };
  EXPECT_EQ(lack([&](Requirement& r, Request&) {
              r.per_task = Resources(5, 0, 3000);
              r.per_task.set(tape, 2);
            }),
            "no node has 5 procs (at most 4) or 3000 MB of swap (at most 2048) or generic resource "
            "'tape'");
  EXPECT_EQ(lack([&](Requirement& r, Request& request) {
              r.job_class = cluster.classes.find("batch");
              r.features = {cluster.features.find("fast")};
              request.partitions = {cluster.node(NodeId(0U)).partition};
              r.memory = {Comparison::at_least, 2000};
            }),
            "no node with class 'batch' and feature 'fast' in partition 'DEFAULT' has memory >= "
            "2000 MB");
  EXPECT_EQ(lack([&](Requirement& r, Request&) {
              r.job_class = cluster.classes.find("batch");
              r.per_task.set(cluster.find_initiator(r.job_class), 3);
            }),
            "no node with class 'batch' has 3 initiators of class 'batch' (at most 2)");
  EXPECT_EQ(lack([](Requirement& r, Request&) { r.tasks = r.tasks_per_node = 5; }),
            "no node has room for 5 of its tasks (at most 4)");
  Node other = cluster.node(NodeId(0U));
  other.configured.set(tape, 3);
  cluster.update_node(NodeId(0U), other, test::kNow);
  EXPECT_EQ(lack([&](Requirement& r, Request&) { r.per_task.set(tape, 4); }),
            "no node has 4 of generic resource 'tape' (at most 3)");
}

TEST(Feasibility, NoAmountIsNamedWhereEachIsOnSomeNode) {
  const Cluster cluster =
      Scenario()
          .nodes(1, Resources(1, 4000))
          .nodes(1, Resources(4, 1000))
          .job("a")
          .change_request([](Request& request) { first(request).per_task = Resources(2, 2000); })
          .build();
  EXPECT_EQ(lack_of(cluster, cluster.request_of(job_named(cluster, "a"))),
            "no node has everything that one of its tasks requests");
}

/// Two nodes of four processors, one of which offers class "debug", and one of two in "fast".
Cluster divided() {
  Cluster cluster = Scenario()
                        .nodes(1, Resources(4, 8000))
                        .nodes(1, Resources(4, 8000))
                        .classes({{"debug", 4}})
                        .nodes(1, Resources(2, 4000))
                        .partition("fast")
                        .build();
  return cluster;
}

TEST(Feasibility, SaysWhatTheJobAsksForAndWhatThereIs) {
  const Cluster cluster = divided();
  const auto lack = [&](bool span, const auto& ask) {
    Request request;
    request.span = span;
    ask(request.requirements.front(), request);
    return ever_feasible(cluster, request) ? "nothing" : lack_of(cluster, request);
  };
  EXPECT_EQ(lack(true, [](Requirement& r, Request&) { r.tasks = 20; }),
            "the job asks for 20 procs, of which the cluster has 10");
  EXPECT_EQ(lack(false, [](Requirement& r, Request&) { r.tasks = 10; }),
            "the job asks for 10 procs, of which no partition has more than 8");
  EXPECT_EQ(lack(false,
                 [&](Requirement& r, Request& request) {
                   r.tasks = 3;
                   request.partitions = {cluster.partitions.find("fast")};
                 }),
            "the job asks for 3 procs, of which there are 2 in partition 'fast'");
  EXPECT_EQ(lack(true,
                 [&](Requirement& r, Request&) {
                   r.tasks = 8;
                   r.job_class = cluster.classes.find("debug");
                 }),
            "the job asks for 8 procs, of which there are 4 on nodes with class 'debug'");
  EXPECT_EQ(lack(true,
                 [](Requirement& r, Request&) {
                   r.tasks = 10;
                   r.per_task = Resources(1, 2000);
                 }),
            "nothing");
  EXPECT_EQ(lack(true,
                 [](Requirement& r, Request&) {
                   r.tasks = 6;
                   r.per_task = Resources(1, 3000);
                 }),
            "the job asks for 6 tasks with 1 proc and 3000 MB of memory each, of which the cluster "
            "has room for 5");
  EXPECT_EQ(lack(true, [](Requirement& r, Request&) { r.tasks = r.least_nodes = 4; }),
            "the job asks for 4 nodes, of which the cluster has 3");
  EXPECT_EQ(lack(true,
                 [](Requirement& r, Request&) {
                   r.tasks = 9;
                   r.nodes = 2;
                 }),
            "the job asks for 9 tasks with 1 proc each on at most 2 nodes, of which the cluster "
            "has room for 8");
  EXPECT_EQ(lack(true,
                 [](Requirement& r, Request& request) {
                   r.tasks = 5;
                   request.host_list = {NodeId(0U)};
                   request.host_list_use = HostListUse::some_of;
                 }),
            "the job asks for 5 procs, of which there are 4 on the hosts that it names");
  EXPECT_EQ(lack(true,
                 [](Requirement& r, Request& request) {
                   r.tasks = 8;
                   request.excluded = {NodeId(1U)};
                 }),
            "the job asks for 8 procs, of which there are 6 on the nodes that it may use");
}

// A host that is no node is asked for by a feature of its name.
TEST(Feasibility, AHostThatIsNoNodeIsNamedAsAHost) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).job("a").features({"host=nix"});
  const Cluster cluster = scenario.build();
  EXPECT_EQ(lack_of(cluster, cluster.request_of(job_named(cluster, "a"))),
            "no node has host name 'nix'");
}

TEST(Feasibility, AJobThatCanNeverRunIsHeldAtOnceWhereverItStandsInTheQueue) {
  const Cluster cluster = Scenario()
                              .nodes(1, procs(1))
                              .job("runs")
                              .running_on({{"n1", 1}})
                              .job("first")
                              .job("second")
                              .job("never")
                              .tasks(2)
                              .job("one_of_its_shapes")
                              .tasks(2)
                              .change_job([](Job& job) {
                                job.alternatives = {{2, Seconds(60)}, {1, Seconds(120)}};
                              })
                              .build();
  const auto planned = plan(cluster, Settings{}, test::kNow);
  EXPECT_EQ(test::decisions(cluster, planned),
            "hold never: NoResources: the job asks for 2 procs, of which the cluster has 1\n"
            "reserve first in 3600 s on n1:1\n");
}

TEST(Feasibility, NothingIsKeptForAJobThatCanNeverRunAnyMore) {
  Settings settings;
  settings.reservation_policy = ReservationPolicy::highest;
  Cluster cluster = Scenario()
                        .nodes(2, procs(1))
                        .job("runs")
                        .running_on({{"n1", 1}})
                        .job("wide")
                        .tasks(2)
                        .reserved_on({{"n1", 1}, {"n2", 1}}, test::kNow + test::hours(1))
                        .build();
  Node purged = cluster.node(node_named(cluster, "n2"));
  purged.configured = Resources(0);
  cluster.update_node(node_named(cluster, "n2"), purged, test::kNow);
  EXPECT_EQ(
      test::decisions(cluster, plan(cluster, settings, test::kNow)),
      "drop wide\nhold wide: NoResources: the job asks for 2 procs, of which the cluster has 1\n");
}

// A poll tells of node after node, and somebody asks in the meantime.
TEST(FeasibleRequests, AnswersStayWhatTheyWereUntilNodesAreLookedAt) {
  Cluster cluster = Scenario().nodes(1, procs(1)).job("wide").tasks(2).job("b").build();
  FeasibleRequests feasible;
  feasible.look_at(cluster);
  const auto asked = [&](const char* name) {
    return feasible.serves(cluster, cluster.job(job_named(cluster, name)));
  };
  EXPECT_FALSE(asked("wide"));
  Node more = cluster.node(NodeId(0U));
  more.name = "more";
  cluster.add_node(more);
  EXPECT_FALSE(asked("wide"));
  EXPECT_TRUE(asked("b")) << "one that nobody has asked about, by the nodes that there are";
  feasible.look_at(cluster);
  EXPECT_TRUE(asked("wide"));
}

// Each node is a set by itself, and each job needs two nodes.
TEST(FeasibleRequests, ManySetsThatAreWaitedForWithoutEndAreJudgedAFewRequestsAtATime) {
  Scenario scenario;
  scenario.nodes(400, procs(1)).change_nodes([](Node& node) {
    static int speed = 0;
    node.proc_speed = ++speed;
  });
  constexpr int kJobs = 10;
  for (int i = 0; i < kJobs; ++i) scenario.job(std::to_string(i)).tasks(2);
  Cluster cluster = scenario.build();
  std::vector<Plan::Ranked> queue;
  for (int i = 0; i < kJobs; ++i) {
    const auto id = job_named(cluster, std::to_string(i));
    Request request = cluster.request_of(id);
    request.limit = Seconds(1000 + i);
    request.node_set.emplace();
    request.node_set->policy = NodeSetPolicy::one_of;
    request.node_set->attribute = NodeSetAttribute::proc_speed;
    request.node_set->delay = kUnlimited;
    cluster.set_request(id, std::move(request));
    queue.push_back({id, cluster.job(id).request, 0});
  }
  FeasibleRequests feasible;
  std::size_t before = 0;
  for (int looks = 0; before < kJobs && looks < kJobs; ++looks) {
    feasible.look_at(cluster);
    auto order = queue;
    const auto never = feasible.leave_out(cluster, order).size();
    EXPECT_GT(never, before) << "some more each time";
    EXPECT_LE(never, before + 4);
    before = never;
  }
  EXPECT_EQ(before, kJobs);
}

TEST(EverFeasible, AHostListIsNoLongerThanTheRequestReaches) {
  const Cluster cluster = Scenario().nodes(4, procs(4)).build();
  Request request;
  request.requirements.front().tasks = 8;
  for (const auto* name : {"n1", "n2", "n3", "n4"})
    request.host_list.push_back(node_named(cluster, name));
  request.host_list_use = HostListUse::all_of;
  EXPECT_TRUE(ever_feasible(cluster, request));
  request.requirements.front().tasks_per_node = 4;
  EXPECT_FALSE(ever_feasible(cluster, request)) << "two nodes hold all tasks";
  request.requirements.front().tasks_per_node = 2;
  EXPECT_TRUE(ever_feasible(cluster, request));
  request.requirements.front().nodes = 3;
  EXPECT_FALSE(ever_feasible(cluster, request));
  request.requirements.front() = Requirement();
  EXPECT_FALSE(ever_feasible(cluster, request)) << "one task";
}

}  // namespace
}  // namespace maui
