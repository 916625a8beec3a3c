// Which nodes a job gets (NODEALLOCATIONPOLICY, NODEACCESSPOLICY, JOBNODEMATCHPOLICY).
#include "sched/placement/node_choice.h"

#include <gtest/gtest.h>

#include <map>
#include <string_view>

#include "sched/cycle.h"
#include "support/carry_out.h"

namespace maui {
namespace {

using test::decisions;
using test::hours;
using test::kNow;
using test::minutes;
using test::procs;
using test::Scenario;
using test::started;

std::string planned(Scenario scenario, NodeAllocation policy = NodeAllocation::first_available) {
  const Cluster cluster = scenario.build();
  Settings settings;
  settings.node_allocation = policy;
  settings.reservation_policy = ReservationPolicy::never;
  return decisions(cluster, plan(cluster, settings, kNow));
}

/// Six idle nodes of two processors with different memory; jobs of 3, 1, 2 and 1 tasks.
Scenario six_nodes() {
  Scenario scenario;
  for (const int memory : {4096, 256, 1024, 512, 2048, 128}) scenario.nodes(1, procs(2, memory));
  scenario.job("w1").tasks(3).job("w2").tasks(1).job("w3").tasks(2).job("w4").tasks(1);
  return scenario;
}

TEST(NodeAllocation, FirstAvailableGoesByTheOrderOfNodes) {
  EXPECT_EQ(planned(six_nodes(), NodeAllocation::first_available),
            "start w1 on n1:2 n2:1\nstart w2 on n2:1\nstart w3 on n3:2\nstart w4 on n4:1\n");
}

TEST(NodeAllocation, LastAvailableGoesFromTheEnd) {
  EXPECT_EQ(planned(six_nodes(), NodeAllocation::last_available),
            "start w1 on n6:2 n5:1\nstart w2 on n5:1\nstart w3 on n4:2\nstart w4 on n3:1\n");
}

TEST(NodeAllocation, MinResourceTakesTheLeastNodesThatServe) {
  EXPECT_EQ(planned(six_nodes(), NodeAllocation::min_resource),
            "start w1 on n6:2 n2:1\nstart w2 on n2:1\nstart w3 on n4:2\nstart w4 on n3:1\n");
}

TEST(NodeAllocation, LastAvailableTakesTheNodesThatAreNeededSoonest) {
  Scenario scenario;
  scenario.nodes(3, procs(1)).job("a");
  scenario.reservation("r").on({"n1"}).from(kNow + hours(2)).until(kNow + hours(3));
  EXPECT_EQ(planned(scenario, NodeAllocation::last_available), "start a on n1:1\n");
}

TEST(NodeAllocation, LastAvailableReservesWhatComesFreeLast) {
  Scenario scenario;
  scenario.nodes(4, procs(1)).job("r").running_on({{"n1", 1}}).job("top").tasks(4);
  scenario.job("s").limit(minutes(10)).running_on({{"n2", 1}}).job("next").tasks(2);
  const Cluster cluster = scenario.build();
  EXPECT_EQ(decisions(cluster, plan(cluster, {}, kNow)),
            "backfill next on n4:1 n3:1\nreserve top in 3600 s on n1:1 n2:1 n4:1 n3:1\n");
}

/// One node of four processors that runs one task of amy's; her and bob's next jobs.
std::string beside(NodeAccess running, NodeAccess waiting) {
  Scenario scenario;
  scenario.nodes(1, procs(4)).job("r").by("amy").access(running).running_on({{"n1", 1}});
  scenario.job("a").by("amy").tasks(1).access(waiting);
  scenario.job("b").by("bob").tasks(1).access(waiting);
  Cluster cluster = scenario.build();
  Settings settings;
  settings.backfill = BackfillPolicy::first_fit;
  settings.reservation_policy = ReservationPolicy::never;
  return started(cluster, plan(cluster, settings, kNow));
}

TEST(NodeAccessPolicy, DecidesWhichJobsMayShareANode) {
  EXPECT_EQ(beside(NodeAccess::shared, NodeAccess::shared), "a b");
  EXPECT_EQ(beside(NodeAccess::shared, NodeAccess::dedicated), "");
  EXPECT_EQ(beside(NodeAccess::shared, NodeAccess::single_user), "a");
  EXPECT_EQ(beside(NodeAccess::shared, NodeAccess::single_task), "");
  EXPECT_EQ(beside(NodeAccess::dedicated, NodeAccess::shared), "");
  EXPECT_EQ(beside(NodeAccess::single_user, NodeAccess::shared), "a");
  EXPECT_EQ(beside(NodeAccess::single_task, NodeAccess::shared), "");
}

TEST(NodeAccessPolicy, DedicatedNodesHoldManyTasksOfOneJob) {
  EXPECT_EQ(planned(Scenario().nodes(2, procs(4)).job("a").tasks(5).dedicated().job("b")),
            "start a on n1:4 n2:1\n");
}

TEST(NodeAccessPolicy, SingletaskNodesHoldOneTask) {
  EXPECT_EQ(
      planned(Scenario().nodes(3, procs(4)).job("a").tasks(2).access(NodeAccess::single_task)),
      "start a on n1:1 n2:1\n");
}

TEST(NodeAccessPolicy, ANodesOwnRuleGoesBeforeTheJobs) {
  Scenario scenario;
  scenario.nodes(1, procs(4)).change_nodes([](Node& node) {
    node.policy.access = NodeAccess::single_task;
  });
  scenario.nodes(1, procs(4));
  EXPECT_EQ(planned(scenario.job("a").tasks(3)), "start a on n1:1 n2:2\n");
}

TEST(NodeAccessPolicy, ANodesOwnRuleLetsJobsShareItThatDemandNothingElse) {
  Scenario scenario;
  scenario.nodes(1, procs(4)).change_nodes([](Node& node) {
    node.policy.access = NodeAccess::shared;
  });
  scenario.job("r").access(NodeAccess::dedicated).running_on({{"n1", 1}});
  EXPECT_EQ(planned(scenario.job("a").tasks(1).dedicated()), "start a on n1:1\n");
}

/// Two nodes of four processors that are shared by their own rule.
Scenario shared_by_rule() {
  Scenario scenario;
  scenario.nodes(2, procs(4)).change_nodes([](Node& node) {
    node.policy.access = NodeAccess::shared;
  });
  return scenario;
}

TEST(NodeAccessPolicy, AJobThatDemandsItsNodesForItselfGetsThemWhateverTheNodesAllow) {
  Scenario beside = shared_by_rule();
  beside.job("r").running_on({{"n1", 1}});
  EXPECT_EQ(planned(beside.job("a").tasks(4).demanding(NodeAccess::dedicated).job("b").tasks(3)),
            "start a on n2:4\nstart b on n1:3\n");
  Scenario after = shared_by_rule();
  after.job("r").demanding(NodeAccess::dedicated).running_on({{"n1", 1}});
  EXPECT_EQ(planned(after.job("a").tasks(5)), "");
  Scenario one_task = shared_by_rule();
  EXPECT_EQ(planned(one_task.job("a").tasks(2).demanding(NodeAccess::single_task)),
            "start a on n1:1 n2:1\n");
  for (const char* const user : {"amy", "bob"}) {
    Scenario one_user = shared_by_rule();
    one_user.job("r").by("amy").demanding(NodeAccess::single_user).running_on({{"n1", 1}});
    EXPECT_EQ(planned(one_user.job("a").by(user).tasks(7)),
              std::string_view(user) == "amy" ? "start a on n1:3 n2:4\n" : "");
  }
}

TEST(NodeAccessPolicy, OfANodesRuleAndAJobsDemandTheStricterHolds) {
  // What may be on the node beside the job: another user's job, one of its own user's, and another
  // task of its own.
  const auto allowed = [](NodeAccess access) {
    return access == NodeAccess::shared        ? 3
           : access == NodeAccess::single_user ? 2
           : access == NodeAccess::dedicated   ? 1
                                               : 0;
  };
  const auto all = {NodeAccess::shared, NodeAccess::dedicated, NodeAccess::single_user,
                    NodeAccess::single_task};
  for (const auto usual : all)
    for (const auto demanded : all) {
      if (allowed(demanded) < allowed(usual)) continue;  // no job has less than it demands
      EXPECT_EQ(access_on(std::nullopt, {usual, demanded}), usual);
      for (const auto rule : all)
        EXPECT_EQ(allowed(access_on(rule, {usual, demanded})),
                  std::min(allowed(rule), allowed(demanded)));
    }
}

TEST(JobNodeMatch, ExactNodesAreDealtEvenly) {
  Cluster cluster = Scenario().nodes(3, procs(4)).job("a").tasks(5).build();
  const JobId job = test::job_named(cluster, "a");
  Request request = cluster.request_of(job);
  request.requirements.front().nodes = 2;
  request.requirements.front().exact_nodes = true;
  cluster.set_request(job, request);
  Settings settings;
  settings.node_allocation = NodeAllocation::first_available;
  EXPECT_EQ(decisions(cluster, plan(cluster, settings, kNow)), "start a on n1:3 n2:2\n");
}

TEST(JobNodeMatch, TasksPerNodeLeavesProcessorsAlone) {
  EXPECT_EQ(planned(Scenario().nodes(4, procs(4)).job("a").tasks(5).per_node(2)),
            "start a on n1:2 n2:2 n3:1\n");
}

TEST(HostLists, EveryListedHostTakesATaskAndOthersMayFollow) {
  EXPECT_EQ(planned(Scenario().nodes(4, procs(2)).job("a").tasks(4).hosts({"n3", "n4"})),
            "start a on n3:2 n4:2\n");
  EXPECT_EQ(planned(Scenario().nodes(4, procs(2)).job("a").tasks(5).hosts({"n3", "n4"})),
            "start a on n3:2 n4:2 n1:1\n");
}

TEST(HostLists, OrTheNeededHostsAreSelectedFromTheList) {
  EXPECT_EQ(planned(Scenario()
                        .nodes(4, procs(1))
                        .job("a")
                        .tasks(2)
                        .hosts({"n2", "n3", "n4"}, HostListUse::some_of)),
            "start a on n2:1 n3:1\n");
}

TEST(HostLists, ANodeCountIsKeptByTakingTheRoomiest) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).nodes(1, procs(1)).nodes(1, procs(4)).job("a").tasks(4).hosts({"n1"});
  Cluster cluster = scenario.build();
  const JobId job = test::job_named(cluster, "a");
  Request request = cluster.request_of(job);
  request.requirements.front().nodes = 2;
  cluster.set_request(job, request);
  Settings settings;
  settings.node_allocation = NodeAllocation::first_available;
  EXPECT_EQ(decisions(cluster, plan(cluster, settings, kNow)), "start a on n1:1 n3:3\n");
}

TEST(SeveralRequirements, ArePlacedTogether) {
  Scenario scenario;
  scenario.nodes(2, procs(2)).nodes(1, procs(2, 1024)).job("a").tasks(3);
  scenario.requirement().tasks(1).each(procs(1, 1024));
  EXPECT_EQ(planned(scenario), "start a on n1:2 n2:1 n3:1\n");
}

TEST(SeveralRequirements, TheFirstLeavesRoomForTheSecond) {
  Scenario scenario;
  scenario.nodes(1, procs(1, 1024)).nodes(1, procs(1)).job("a").tasks(1);
  scenario.requirement().tasks(1).each(procs(1, 1024));
  EXPECT_EQ(planned(scenario), "start a on n1:1 n2:1\n");
}

TEST(SeveralRequirements, WaitForTheLastOfThem) {
  Scenario scenario;
  scenario.nodes(1, procs(1, 1024)).nodes(2, procs(1)).job("r").running_on({{"n1", 1}});
  scenario.job("a").tasks(2).requirement().tasks(1).each(procs(1, 1024));
  const Cluster cluster = scenario.build();
  EXPECT_EQ(decisions(cluster, plan(cluster, {}, kNow)), "reserve a in 3600 s on n3:1 n2:1 n1:1\n");
}

TEST(NodeAllocation, WithNothingConfiguredTheOthersChooseAsWasSeen) {
  for (const auto policy : {NodeAllocation::machine_prio, NodeAllocation::fastest,
                            NodeAllocation::max_balance, NodeAllocation::contiguous})
    EXPECT_EQ(planned(six_nodes(), policy),
              "start w1 on n1:2 n2:1\nstart w2 on n2:1\nstart w3 on n3:2\nstart w4 on n4:1\n");
  EXPECT_EQ(planned(six_nodes(), NodeAllocation::cpu_load),
            "start w1 on n6:2 n5:1\nstart w2 on n4:1\nstart w3 on n3:2\nstart w4 on n2:1\n");
}

TEST(NodeAllocation, CpuloadTakesTheNodesWithTheMostIdlePower) {
  Scenario scenario;
  scenario.nodes(2, procs(4)).nodes(1, procs(4)).change_nodes([](Node& node) { node.load = 2.5; });
  EXPECT_EQ(planned(Scenario(scenario).job("a"), NodeAllocation::cpu_load), "start a on n2:1\n");
  scenario.nodes(1, procs(2));
  scenario.job("r").tasks(3).running_on({{"n2", 3}}).job("s").running_on({{"n1", 1}});
  EXPECT_EQ(planned(scenario.job("a"), NodeAllocation::cpu_load), "start a on n1:1\n");
}

TEST(NodeAllocation, CpuloadReservesAsMinresourceDoes) {
  Scenario scenario;
  scenario.nodes(1, procs(1, 512)).nodes(2, procs(1, 1024));
  scenario.job("r").running_on({{"n1", 1}}).job("s").running_on({{"n2", 1}});
  scenario.job("t").running_on({{"n3", 1}}).job("a");
  const Cluster cluster = scenario.build();
  Settings settings;
  settings.node_allocation = NodeAllocation::cpu_load;
  EXPECT_EQ(decisions(cluster, plan(cluster, settings, kNow)), "reserve a in 3600 s on n1:1\n");
}

TEST(NodeAllocation, FastestGoesBySpeedThenByProcessorSpeed) {
  Scenario scenario;
  scenario.nodes(2, procs(1)).change_nodes([](Node& node) { node.proc_speed = 900; });
  scenario.nodes(1, procs(1)).change_nodes([](Node& node) { node.speed = 1.5; });
  scenario.nodes(1, procs(1)).change_nodes([](Node& node) { node.proc_speed = 950; });
  EXPECT_EQ(planned(scenario.job("a").tasks(3), NodeAllocation::fastest),
            "start a on n3:1 n4:1 n1:1\n");
}

TEST(NodeAllocation, MaxbalanceTakesTheSmallestRangeOfSpeeds) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).change_nodes([](Node& node) { node.speed = 1.0; });
  scenario.nodes(1, procs(1)).change_nodes([](Node& node) { node.speed = 3.0; });
  scenario.nodes(1, procs(1)).change_nodes([](Node& node) { node.speed = 1.5; });
  scenario.nodes(1, procs(1)).change_nodes([](Node& node) { node.speed = 2.2; });
  scenario.nodes(1, procs(1)).change_nodes([](Node& node) { node.speed = 1.5; });
  const auto chosen = [&](int tasks) {
    return planned(Scenario(scenario).job("a").tasks(tasks), NodeAllocation::max_balance);
  };
  EXPECT_EQ(chosen(2), "start a on n3:1 n5:1\n");
  EXPECT_EQ(chosen(3), "start a on n1:1 n3:1 n5:1\n");
  EXPECT_EQ(chosen(5), "start a on n1:1 n2:1 n3:1 n4:1 n5:1\n");
}

TEST(NodeAllocation, ContiguousTakesTheSmallestRowThatServes) {
  Scenario scenario;
  scenario.nodes(9, procs(1)).job("r").running_on({{"n4", 1}}).job("s").running_on({{"n7", 1}});
  const auto chosen = [&](int tasks) {
    return planned(Scenario(scenario).job("a").tasks(tasks), NodeAllocation::contiguous);
  };
  EXPECT_EQ(chosen(2), "start a on n5:1 n6:1\n");
  EXPECT_EQ(chosen(3), "start a on n1:1 n2:1 n3:1\n");
  // None is long enough: as few pieces as possible.
  EXPECT_EQ(chosen(5), "start a on n1:1 n2:1 n3:1 n5:1 n6:1\n");
}

std::string by_priority(Scenario scenario, const std::map<std::string, NodeSettings>& nodes) {
  const Cluster cluster = scenario.build();
  Settings settings;
  settings.node_allocation = NodeAllocation::machine_prio;
  settings.reservation_policy = ReservationPolicy::never;
  settings.nodes.insert(nodes.begin(), nodes.end());
  return decisions(cluster, plan(cluster, settings, kNow));
}

// PRIORITY + 2 * APROCS - 10 * FEATURE[slow], in postfix order.
PriorityFunction some_function() {
  using Operation = PriorityFunction::Operation;
  PriorityFunction made;
  made.steps = {{Operation::term, 0, NodeTerm::priority, {}},
                {Operation::number, 2, {}, {}},
                {Operation::term, 0, NodeTerm::available_procs, {}},
                {Operation::multiply, 0, {}, {}},
                {Operation::add, 0, {}, {}},
                {Operation::number, 10, {}, {}},
                {Operation::feature, 0, {}, "slow"},
                {Operation::multiply, 0, {}, {}},
                {Operation::subtract, 0, {}, {}}};
  return made;
}

TEST(NodeAllocation, MachineprioTakesTheNodesOfTheHighestPriority) {
  Scenario scenario;
  scenario.nodes(3, procs(2)).nodes(1, procs(2)).change_nodes([](Node& node) {
    node.policy.priority = 5;
  });
  EXPECT_EQ(by_priority(Scenario(scenario).job("a").tasks(3), {}), "start a on n4:2 n1:1\n");
}

TEST(NodeAllocation, MachineprioFollowsItsFunctionAsNodesFill) {
  Scenario scenario;
  scenario.nodes(1, procs(4)).nodes(1, procs(3)).nodes(1, procs(8)).features({"slow"});
  NodeSettings all;
  all.priority_function = some_function();
  EXPECT_EQ(by_priority(scenario.job("a").tasks(2).job("b").job("c"), {{"DEFAULT", all}}),
            "start a on n1:2\nstart b on n2:1\nstart c on n3:1\n");
}

TEST(NodeAllocation, MachineprioPrefersANodesOwnFunctionToThatOfDefault) {
  Scenario scenario;
  scenario.nodes(1, procs(2)).nodes(1, procs(3)).nodes(1, procs(4));
  NodeSettings all, own, none;
  all.priority_function = some_function();
  own.priority_function = PriorityFunction{{{PriorityFunction::Operation::number, 7, {}, {}}}};
  none.speed = 2;
  EXPECT_EQ(by_priority(scenario.job("a").job("b").job("c").job("d"),
                        {{"DEFAULT", all}, {"n1", own}, {"n2", none}}),
            "start a on n3:1\nstart b on n1:1\nstart c on n1:1\nstart d on n2:1\n");
}

/// Answers with what it was told to; remembers what it was asked.
class Script : public NodeSelector {
 public:
  std::optional<std::vector<NodeTasks>> answer;
  std::string asked;
  std::optional<std::vector<NodeTasks>> select(const Cluster& cluster,
                                               const NodeQuestion& question) override {
    asked += question.job.name + ":";
    for (const auto& candidate : question.candidates)
      asked += " " + cluster.node(candidate.node).name + "/" + std::to_string(candidate.tasks);
    return answer;
  }
};

std::string chosen_locally(Script& script, bool tasks_too,
                           NodeAllocation policy = NodeAllocation::local) {
  Scenario scenario;
  scenario.nodes(3, procs(2)).job("r").running_on({{"n2", 1}}).job("a").tasks(3);
  const Cluster cluster = scenario.build();
  Settings settings;
  settings.node_allocation = policy;
  settings.node.local_tasks = tasks_too;
  CyclePlanner planner;
  planner.choose_with(&script);
  return decisions(cluster, planner.plan(cluster, settings, kNow));
}

TEST(NodeAllocation, LocalAsksTheSitesProgram) {
  Script script;
  script.answer = {{NodeId(1U), 0, 0}, {NodeId(2U), 0, 0}};
  EXPECT_EQ(chosen_locally(script, false), "start a on n2:1 n3:2\n");
  EXPECT_EQ(script.asked, "a: n1/2 n2/1 n3/2");
}

TEST(NodeAllocation, AnImpossibleAnswerOfTheSitesProgramFallsBackOnTheDefault) {
  const std::string fallback = "start a on n3:2 n2:1\n";
  Script script;
  EXPECT_EQ(chosen_locally(script, false), fallback);
  script.answer = {{NodeId(1U), 0, 0}};  // too few
  EXPECT_EQ(chosen_locally(script, false), fallback);
  script.answer = {{NodeId(0U), 0, 0}, {NodeId(0U), 0, 0}};  // one twice
  EXPECT_EQ(chosen_locally(script, false), fallback);
  script.answer = {{NodeId(0U), 1, 0}, {NodeId(1U), 2, 0}};  // more than there is room for
  EXPECT_EQ(chosen_locally(script, true), fallback);
}

TEST(TaskDistribution, LocalSaysHowManyTasksEachNodeGets) {
  Script script;
  script.answer = {{NodeId(0U), 1, 0}, {NodeId(1U), 1, 0}, {NodeId(2U), 1, 0}};
  EXPECT_EQ(chosen_locally(script, true), "start a on n1:1 n2:1 n3:1\n");
  // With another allocation policy only the nodes that it chose are dealt to.
  script.asked.clear();
  script.answer = {{NodeId(1U), 1, 0}, {NodeId(0U), 2, 0}};
  EXPECT_EQ(chosen_locally(script, true, NodeAllocation::first_available),
            "start a on n2:1 n1:2\n");
  EXPECT_EQ(script.asked, "a: n1/2 n2/1");
}

/// A node of four processors, on which amy runs two jobs and bob one.
std::string beside_three(int max_jobs, int per_user) {
  Scenario scenario;
  scenario.nodes(1, procs(8)).job("r").by("amy").running_on({{"n1", 1}});
  scenario.job("s").by("amy").running_on({{"n1", 1}}).job("t").by("bob").running_on({{"n1", 1}});
  scenario.job("a").by("amy").job("b").by("bob").job("c").by("bob");
  Cluster cluster = scenario.build();
  Node node = cluster.node(NodeId(0U));
  node.policy.max_jobs = max_jobs;
  node.policy.max_jobs_per_user = per_user;
  cluster.update_node(NodeId(0U), node, kNow);
  Settings settings;
  settings.reservation_policy = ReservationPolicy::never;
  return started(cluster, plan(cluster, settings, kNow));
}

TEST(NodePolicies, MaxjobLimitsTheJobsOfANode) {
  EXPECT_EQ(beside_three(0, 0), "a b c");
  EXPECT_EQ(beside_three(5, 0), "a b");
  EXPECT_EQ(beside_three(3, 0), "");
}

TEST(NodePolicies, MaxjobperuserLimitsTheJobsOfEachUser) {
  EXPECT_EQ(beside_three(0, 2), "b");
  EXPECT_EQ(beside_three(0, 3), "a b c");
  EXPECT_EQ(beside_three(4, 3), "a");
}

TEST(NodePolicies, ANodeThatIsDownIsPlannedWithOnceTheDelayIsOver) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).nodes(1, procs(1)).state(NodeState::down).job("a").tasks(2);
  const Cluster cluster = scenario.build();
  Settings settings;
  EXPECT_EQ(decisions(cluster, plan(cluster, settings, kNow)),
            "reserve a in 86400 s on n2:1 n1:1\n");
  settings.node.down_state_delay = minutes(30);
  EXPECT_EQ(decisions(cluster, plan(cluster, settings, kNow)),
            "reserve a in 1800 s on n2:1 n1:1\n");
}

TEST(MachineSpeed, ALimitOfAnHourIsFortyMinutesAtSpeedOneAndAHalf) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).change_nodes([](Node& node) { node.speed = 1.5; });
  Cluster cluster = scenario.job("a").job("b").build();
  for (const auto* name : {"a", "b"}) {
    Request request = cluster.request_of(test::job_named(cluster, name));
    request.by_speed = true;
    cluster.set_request(test::job_named(cluster, name), request);
  }
  EXPECT_EQ(decisions(cluster, plan(cluster, {}, kNow)),
            "start a on n1:1\nreserve b in 2400 s on n1:1\n");
  cluster.start_job(test::job_named(cluster, "a"), {{NodeId(0U), 1, 0}}, kNow);
  EXPECT_EQ(cluster.job(test::job_named(cluster, "a")).ends, kNow + minutes(40));
}

TEST(NodeChoice, ALeastNumberOfNodesSpreadsTheTasksAndNoMore) {
  Scenario scenario;
  scenario.nodes(4, procs(8)).job("a").tasks(7);
  scenario.change_request([](Request& request) { request.requirements[0].least_nodes = 3; });
  EXPECT_EQ(planned(scenario), "start a on n1:5 n2:1 n3:1\n");
}

TEST(NodeChoice, NodesThatAreExcludedAreNotTaken) {
  Scenario scenario;
  scenario.nodes(3, procs(2)).job("a").tasks(4);
  scenario.change_request([](Request& request) { request.excluded = {NodeId(0U)}; });
  EXPECT_EQ(planned(scenario), "start a on n2:2 n3:2\n");
}

// Chosen from the end, n3 comes first; filled in the order of nodes, n2 has what n3 would have.
TEST(NodeChoice, TasksThatArePackedFillTheChosenNodesInTheirOrder) {
  Scenario scenario;
  scenario.nodes(3, procs(2)).job("a").tasks(3);
  EXPECT_EQ(planned(scenario, NodeAllocation::last_available), "start a on n3:2 n2:1\n");
  scenario.change_request([](Request& request) { request.requirements[0].packed = true; });
  EXPECT_EQ(planned(scenario, NodeAllocation::last_available), "start a on n3:1 n2:2\n");
}

TEST(NodeChoice, MaxBalanceTakesNoNodeForNoTasks) {
  const Cluster cluster = Scenario().nodes(2, procs(2)).build();
  Requirement none;
  none.tasks = 0;
  std::vector<Offer> offers(2);
  for (std::uint32_t i = 0; i < 2; ++i) offers[i] = {.node = NodeId(i), .tasks = 2};
  EXPECT_TRUE(most_balanced(cluster, none, offers).empty());
}

}  // namespace
}  // namespace maui
