#include <cstdlib>
#include <ctime>

#include "base/date.h"
#include "cmd/command_fixture.h"
#include "support/open_cluster.h"

namespace maui::test {
namespace {

using ResourceCommands = CommandTest;

std::vector<std::string> names(const std::vector<NodeShare>& shares) {
  std::vector<std::string> all;
  for (const auto& share : shares) all.push_back(share.node);
  return all;
}

using Names = std::vector<std::string>;

TEST_F(ResourceCommands, ChecknodeShowsWhatIsOnTheNode) {
  const auto node = get<NodeReply>("checknode n1");
  EXPECT_EQ(node.state, "Busy");
  EXPECT_EQ(node.jobs, Names{"a"});
  EXPECT_EQ(node.dedicated[0], (ResourceAmount{"PROCS", 2}));
  ASSERT_FALSE(node.reservations.empty());
  EXPECT_EQ(node.reservations[0].name, "a");
  EXPECT_EQ(why_not("checknode nosuch"), "cannot locate node 'nosuch'");
}

TEST_F(ResourceCommands, AJobCountsInsideTheReservationThatAdmitsIt) {
  ask("setres -u amy n1");
  const auto node = get<NodeReply>("checknode n1");
  ASSERT_EQ(node.reservations.size(), 2U);
  const std::int64_t job_ends = node.reservations[0].end;
  EXPECT_EQ(node.reservations[1].name, "amy.0");
  EXPECT_EQ(node.reservations[1].blocked,
            (std::vector<BlockedAmount>{{kNow.raw(), 0, 2}, {job_ends, 2, 2}}));
  EXPECT_TRUE(node.alerts.empty());
}

TEST_F(ResourceCommands, ChecknodeShowsHowLongTheShownStateHasStood) {
  const auto begun = engine().now();
  clock.time = clock.time + minutes(7);
  engine().iterate([] {});
  EXPECT_EQ(get<NodeReply>("checknode n1").state, "Busy");
  EXPECT_EQ(get<NodeReply>("checknode n1").state_since, begun.raw()) << "by our job";
  ask("mjobctl -s a");
  EXPECT_EQ(get<NodeReply>("checknode n1").state, "Idle");
  EXPECT_EQ(get<NodeReply>("checknode n1").state_since, clock.time.raw());
}

TEST_F(ResourceCommands, ChecknodeWarnsWhereClaimsExceedTheNode) {
  ask("setres -u bob -d 60 n1");
  ask("setres -s +30 -d 60 n1");
  const auto node = get<NodeReply>("checknode n1");
  EXPECT_EQ(node.alerts, (Names{"node is overcommitted at time 00:00:00 (P: -2)",
                                "node is overcommitted at time 00:00:30 (P: -4)",
                                "node is overcommitted at time 00:01:00 (P: -2)"}));
  EXPECT_TRUE(get<NodeReply>("checknode n2").alerts.empty());
}

TEST_F(ResourceCommands, PoliciesLoadAndOdditiesOfANodeAreShown) {
  Cluster& cluster = open_cluster(engine());
  Node node = cluster.node(NodeId(1U));
  node.policy.max_jobs = 4;
  node.policy.access = NodeAccess::single_user;
  node.type = "BIGMEM";
  node.load = 6;
  node.reported = NodeState::running;
  cluster.update_node(node.id, node, engine().now());
  cluster.withhold(node.id, Resources(0, 64), true, engine().now());
  const auto shown = get<NodeReply>("checknode n2");
  EXPECT_EQ(shown.node_type, "BIGMEM");
  EXPECT_EQ(shown.policies, (Names{"ACCESS=SINGLEUSER", "MAXJOB=4"}));
  EXPECT_EQ(
      shown.alerts,
      (Names{"the node accepts no new jobs: its load is 6.00",
             "withheld because of other load than that of its jobs: 0 procs, 64 MB memory, 0 MB "
             "swap, 0 MB disk"}));
  const auto warnings = get<NodesDiagnosisReply>("diagnose -n n2").warnings;
  EXPECT_EQ(std::count(warnings.begin(), warnings.end(),
                       "node 'n2' accepts no new jobs: its load is 6.00"),
            1);
}

TEST_F(ResourceCommands, ANodeThatTakesNoJobsSaysWhy) {
  auto made = std::make_unique<ScriptedRm>();
  ScriptedRm* manager = made.get();
  NodeReport report_of_n1 = node_report("n1", procs(2));
  report_of_n1.node.resource_manager = "scripted";
  made->next.nodes = {report_of_n1};
  made->next.arrived = {report("a", 1, "amy")};
  run(std::move(made));
  Cluster& cluster = open_cluster(engine());
  cluster.withhold(cluster.find_node("n1"), Resources(0), true, engine().now());
  const auto alerts = [&] { return get<NodeReply>("checknode n1").alerts; };
  EXPECT_EQ(alerts(), (Names{"the node accepts no new jobs: its reported state, Idle, does "
                             "not match the jobs on it"}));
  manager->down = "no route";
  clock.time = kNow + Seconds(60);
  engine().iterate([] {});
  const std::string old =
      "resource manager 'scripted' does not answer: its last report of nodes is 00:01:00 old";
  EXPECT_EQ(alerts(), (Names{old,
                             "the node accepts no new jobs: resource manager 'scripted' does not "
                             "answer"}));
  EXPECT_EQ(get<NodesDiagnosisReply>("diagnose -n").warnings.front(), old);
}

TEST_F(ResourceCommands, AResourceManagerThatHasNeverAnsweredDidSoAtNoTime) {
  auto made = std::make_unique<ScriptedRm>();
  made->down = "no route";
  run(std::move(made));
  const auto manager = get<ResourceManagerReply>("diagnose -R").managers.at(0);
  EXPECT_EQ(manager.last_answer, -1);
  EXPECT_EQ(get<NodesDiagnosisReply>("diagnose -n").warnings,
            (Names{"resource manager 'scripted' has not answered yet"}));
}

TEST_F(ResourceCommands, ShowstateMapsNodesToJobs) {
  const auto state = get<StateReply>("showstate");
  ASSERT_EQ(state.nodes.size(), 2U);
  EXPECT_EQ(state.nodes[1].job, 0);
  EXPECT_EQ(state.active_nodes, 2);
}

// By the clock as it now stands, the reported start may be later than the end.
TEST_F(ResourceCommands, AfterTheClockWasSetBackARunIsAsLongAsItsLimit) {
  engine();
  clock.time = clock.time + minutes(10);
  engine().iterate([] {});
  clock.time = clock.time - hours(1);
  engine().clock_stepped(Seconds(0) - hours(1));
  const auto row = get<ReservationsReply>("showres a").reservations.at(0);
  EXPECT_EQ(row.start, (clock.time - minutes(10)).raw());
  EXPECT_EQ(row.end - row.start, hours(1).raw());
  const auto shown = get<JobReply>("checkjob a");
  EXPECT_EQ(shown.started, row.start);
  EXPECT_LE(shown.submitted, shown.started);
  EXPECT_EQ(get<NodeReply>("checknode n1").reservations.at(0).start, row.start);
  EXPECT_EQ(get<StateReply>("showstate").jobs.at(0).started, row.start);
}

TEST_F(ResourceCommands, SetresTakesHostsRangesExpressionsAndAll) {
  EXPECT_EQ(names(get<ReservationCreatedReply>("setres ALL").nodes), (Names{"n1", "n2"}));
  EXPECT_EQ(names(get<ReservationCreatedReply>("setres n2").nodes), Names{"n2"});
  EXPECT_EQ(names(get<ReservationCreatedReply>("setres n[1-2]").nodes), (Names{"n1", "n2"}));
  EXPECT_EQ(names(get<ReservationCreatedReply>("setres n2,n1").nodes), (Names{"n2", "n1"}));
  const auto more = get<ReservationCreatedReply>("setres n[2-4,9]");
  EXPECT_EQ(names(more.nodes), Names{"n2"});
  EXPECT_EQ(more.notes, (Names{"no node is named n[3-4]", "no node is named n9"}));
  EXPECT_EQ(get<ReservationCreatedReply>("setres n[0-9]$").notes, Names{})
      << "no list of hosts, but a regular expression";
  EXPECT_EQ(why_not("setres n2,n9"), "no matches found for node expression 'n9'");
  EXPECT_EQ(names(get<ReservationCreatedReply>("setres -n ^n2$ ^n2$").nodes), Names{"n2"});
  EXPECT_EQ(get<ReservationsReply>("showres ^n2$.0").reservations.size(), 1U);
  EXPECT_EQ(why_not("setres zz"), "no matches found for node expression 'zz'");
  EXPECT_FALSE(succeeded(ask("setres (")));
}

TEST_F(ResourceCommands, ReservationsAreCalledAfterWhomTheyAreFor) {
  EXPECT_EQ(get<ReservationCreatedReply>("setres n1").name, "SYSTEM.0");
  EXPECT_EQ(get<ReservationCreatedReply>("setres n1").name, "SYSTEM.1");
  EXPECT_EQ(get<ReservationCreatedReply>("setres -u amy:bob n1").name, "amy.0");
  EXPECT_EQ(get<ReservationCreatedReply>("setres -g chem -a proj n1").name, "chem.0");
  EXPECT_EQ(get<ReservationCreatedReply>("setres -c batch n1").name, "batch.0");
  EXPECT_EQ(get<ReservationCreatedReply>("setres -n maint -u amy n1").name, "maint.0");
}

TEST_F(ResourceCommands, TimeFramesAreRelativeOrAbsolute) {
  const auto frame = [&](const std::string& flags) {
    const auto made = get<ReservationCreatedReply>("setres " + flags + " n1");
    return std::pair(made.start - kNow.raw(), made.end == -1 ? -1 : made.end - kNow.raw());
  };
  using Frame = std::pair<std::int64_t, std::int64_t>;
  EXPECT_EQ(frame(""), Frame(0, -1));
  EXPECT_EQ(frame("-d 30:00"), Frame(0, 1800));  // minutes and seconds, as the guide has it
  EXPECT_EQ(frame("-s +1:00:00 -d 60"), Frame(3600, 3660));
  EXPECT_EQ(frame("-s +10 -e +30"), Frame(10, 30));
  EXPECT_NE(why_not("setres -s +3:00:00 -e +1:00:00 n1").find("invalid timeframe"),
            std::string::npos);
  EXPECT_EQ(why_not("setres -d 60 -e +60 n1"), "setres: either -d or -e, not both");
  EXPECT_EQ(why_not("setres -s foo n1").substr(0, 23), "-s: invalid time 'foo':");
  EXPECT_EQ(why_not("setres -d 0 n1"), "-d: expected a duration above zero");
}

TEST_F(ResourceCommands, TasksMayTakePartOfANode) {
  const auto taken = [&](const std::string& description) {
    const auto made = get<ReservationCreatedReply>("setres -r " + description + " n2");
    return get<ReservationsReply>("showres " + made.name).reservations[0].procs;
  };
  EXPECT_EQ(taken("PROCS=1:MEM=512"), 1);
  EXPECT_EQ(taken("PROCS:1;MEM:256"), 1);
  EXPECT_EQ(taken("PROCS=-1"), 2);
  EXPECT_NE(why_not("setres -r CORES=1 n1").find("expected PROCS, MEM, SWAP or DISK"),
            std::string::npos);
  EXPECT_FALSE(succeeded(ask("setres -r PROCS n1")));
}

TEST_F(ResourceCommands, TasksAreTakenOnlyWhereNobodyHasAClaim) {
  EXPECT_FALSE(succeeded(ask("setres -d 60 TASKS==1")));  // job a has it all
  const auto later = get<ReservationCreatedReply>("setres -r PROCS=1 -s +24:00:00 -d 60 TASKS==3");
  EXPECT_EQ(later.tasks, 3);
  EXPECT_EQ(why_not("setres TASKS==many"),
            "expected a number of tasks from 1 to 2147483647 in 'TASKS==many'");
}

TEST_F(ResourceCommands, ATaskIsAWholeNodeUnlessDescribed) {
  const auto made = get<ReservationCreatedReply>("setres -s +24:00:00 -d 8:00:00 TASKS==2");
  EXPECT_EQ(made.nodes.size(), 2U);
  EXPECT_EQ(made.tasks, 2);
  EXPECT_EQ(get<ReservationsReply>("showres " + made.name).reservations[0].procs, 4);
}

TEST_F(ResourceCommands, AReservationThatCannotBeMadeChangesNothing) {
  const auto before = get<ReservationsReply>("showres").reservations;
  const std::size_t users = engine().cluster().users.size();
  for (const auto* line :
       {"setres -u fay -d 60 TASKS==9", "setres -u fay zz", "setres -u fay -d 0 n1",
        "setres -u fay -p nosuch n1", "setres -u fay -f nosuch n1", "setres -u fay -r X=1 n1"})
    EXPECT_FALSE(succeeded(ask(line))) << line;
  EXPECT_EQ(get<ReservationsReply>("showres").reservations, before);
  EXPECT_EQ(engine().cluster().users.size(), users);
}

TEST_F(ResourceCommands, AbsoluteTimesAreThoseOfTheSchedulersClock) {
  setenv("TZ", "UTC", 1);
  tzset();
  clock.time = Time(1000001200);  // Sun Sep  9 02:06:40 2001
  const auto frame = [&](const std::string& flags) {
    const auto made = get<ReservationCreatedReply>("setres " + flags + " n1");
    return format_date(Time(made.start), true) + " - " + format_date(Time(made.end), true);
  };
  EXPECT_EQ(frame("-s 8:00:00_12/20 -e 17:00:00_12/22"),
            "Thu Dec 20 08:00:00 2001 - Sat Dec 22 17:00:00 2001");
  EXPECT_EQ(frame("-s 8:00:00_06/20 -e 17:00:00_06/22"),  // over this year
            "Thu Jun 20 08:00:00 2002 - Sat Jun 22 17:00:00 2002");
  EXPECT_EQ(frame("-s 01:00 -d 30:00"), "Mon Sep 10 01:00:00 2001 - Mon Sep 10 01:30:00 2001");
  EXPECT_EQ(frame("-s 01:00 -e 03:00"), "Sun Sep  9 02:06:40 2001 - Sun Sep  9 03:00:00 2001");
  EXPECT_EQ(frame("-e 02:00"), "Sun Sep  9 02:06:40 2001 - Mon Sep 10 02:00:00 2001");
  EXPECT_FALSE(succeeded(ask("setres -s 8:00_06/20/01 -e 9:00_06/20/01 n1")));
}

TEST_F(ResourceCommands, ShowresListsJobsFirst) {
  ask("setres -d 60 n1");
  const auto all = get<ReservationsReply>("showres").reservations;
  ASSERT_GE(all.size(), 2U);
  EXPECT_EQ(all.front().name, "a");
  EXPECT_EQ(all.back().name, "SYSTEM.0");
  EXPECT_EQ(why_not("showres nosuch"), "cannot locate reservation 'nosuch'");
}

TEST_F(ResourceCommands, ShowresFindsWhatOverlaps) {
  ask("setres -s +2:00:00 -d 1:00:00 -n later n1");
  ask("setres -s +48:00:00 -d 1:00:00 -n much n1");
  const auto overlapping = get<ReservationsReply>("showres -o much.0").reservations;
  ASSERT_EQ(overlapping.size(), 1U);
  EXPECT_EQ(overlapping[0].name, "much.0");
}

TEST_F(ResourceCommands, ShowresSumsUpByType) {
  ask("setres n1");
  ask("setres -s +10 -d 60 n2");
  EXPECT_EQ(get<ReservationsReply>("showres -s SYSTEM.0").summary,
            (std::vector<ReservationSummary>{{"Job", 0, 0, 0, 0},
                                             {"User", 0, 0, 0, 0},
                                             {"Group", 0, 0, 0, 0},
                                             {"Account", 0, 0, 0, 0},
                                             {"System", 1, 1, 1, 2}}));
  const auto all = get<ReservationsReply>("showres -s");
  EXPECT_EQ(all.summary[0].active, 1);
  EXPECT_EQ(all.summary[0].procs, 4);
  EXPECT_EQ(all.summary[4], (ReservationSummary{"System", 2, 1, 1, 2}));
  EXPECT_TRUE(get<ReservationsReply>("showres").summary.empty());
  EXPECT_TRUE(get<ReservationsReply>("showres -r").relative);
  EXPECT_TRUE(get<ReservedNodesReply>("showres -n -r").relative);
  EXPECT_EQ(why_not("showres -n -s"), "showres: either -n or -s, not both");
}

TEST_F(ResourceCommands, EveryCommandNamesTheTypeOfAReservationAlike) {
  const std::pair<std::string, std::string> kAsked[] = {{"-n none", "System"},
                                                        {"-n all -a chem -g staff -u amy", "User"},
                                                        {"-n two -a chem -g staff", "Group"},
                                                        {"-n one -a chem", "Account"},
                                                        {"-n class -c batch", "User"}};
  for (const auto& [flags, type] : kAsked)
    ASSERT_TRUE(succeeded(ask("setres -s +2:00:00 -d 60 " + flags + " n1")));
  const auto type_in = [](const auto& rows, const std::string& name) {
    for (const auto& row : rows)
      if (row.name == name) return row.type;
    return std::string("(not listed)");
  };
  for (const auto& [flags, type] : kAsked) {
    const std::string name = flags.substr(3, flags.find(' ', 3) - 3) + ".0";
    EXPECT_EQ(type_in(get<ReservationsReply>("showres").reservations, name), type) << flags;
    EXPECT_EQ(type_in(get<ReservationsDiagnosisReply>("diagnose -r").reservations, name), type);
    EXPECT_EQ(type_in(get<NodeReply>("checknode n1").reservations, name), type) << flags;
    EXPECT_EQ(type_in(get<ReservationsReleasedReply>("releaseres " + name).reservations, name),
              type);
  }
}

TEST_F(ResourceCommands, TheReservationOfAnActiveJobIsAsLongAsItsLimitWhateverTheClockWasSetTo) {
  const auto length = [this] {
    for (const auto& row : get<ReservationsReply>("showres").reservations)
      if (row.name == "a") return row.end - row.start;
    return std::int64_t{-1};
  };
  const auto limit = length();
  ASSERT_GT(limit, 0);
  for (const int by : {-7200, 86400, 86400}) {
    clock.time = clock.time + Seconds(by);
    engine().clock_stepped(Seconds(by));
    EXPECT_EQ(length(), limit) << by;
    const auto shown = get<JobReply>("checkjob a").reservation;
    ASSERT_TRUE(shown);
    EXPECT_EQ(shown->end - shown->start, limit) << by;
  }
}

TEST_F(ResourceCommands, ShowresGoesNodeByNode) {
  ask("setres -n part n1");
  EXPECT_EQ(get<ReservedNodesReply>("showres -n part.0").nodes.size(), 1U);
  EXPECT_EQ(get<ReservedNodesReply>("showres -n part.0").nodes[0].shares.size(), 1U);
  EXPECT_GE(get<ReservedNodesReply>("showres -n -v part.0").nodes[0].shares.size(), 2U);
}

TEST_F(ResourceCommands, OrdinaryUsersSeeReservationsThatTheyMayUse) {
  ask("setres -n closed n1");
  ask("setres -u amy -n hers n1");
  const auto seen = [&](const std::string& name, const std::string& user) {
    return succeeded(ask("showres " + name, user));
  };
  EXPECT_TRUE(seen("a", "bob"));
  EXPECT_TRUE(seen("hers.0", "amy"));
  EXPECT_FALSE(seen("hers.0", "bob"));
  EXPECT_FALSE(seen("closed.0", "amy"));
}

TEST_F(ResourceCommands, ReleaseresSaysWhatItCannotRelease) {
  ask("setres n1");
  const auto reply = get<ReservationsReleasedReply>("releaseres SYSTEM.0 nosuch a");
  EXPECT_TRUE(reply.reservations[0].done);
  EXPECT_EQ(reply.reservations[1].reason, "cannot locate reservation 'nosuch'");
  EXPECT_EQ(reply.reservations[2].reason, "job 'a' is active: its reservation ends with the job");
}

TEST_F(ResourceCommands, ReleaseresReleasesWhatItCanDespiteAnExpressionThatMatchesNone) {
  ask("setres -n alpha n1");
  ask("setres -n beta n1");
  const auto reply = get<ReservationsReleasedReply>("releaseres x:^zz alpha.0 x:[ beta.0 x:^beta");
  ASSERT_EQ(reply.reservations.size(), 4U);
  EXPECT_EQ(reply.reservations[0].name, "x:^zz");
  EXPECT_EQ(reply.reservations[0].reason, "no reservation of yours matches 'x:^zz'");
  EXPECT_TRUE(reply.reservations[1].done);
  EXPECT_EQ(reply.reservations[2].reason, "x: invalid regular expression '['");
  EXPECT_TRUE(reply.reservations[3].done);
}

TEST_F(ResourceCommands, ReleaseresTakesExpressions) {
  ask("setres -n alpha n1");
  ask("setres -n alps n2");
  ask("setres -n beta n1");
  const auto reply = get<ReservationsReleasedReply>("releaseres x:^al");
  ASSERT_EQ(reply.reservations.size(), 2U);
  EXPECT_TRUE(reply.reservations[0].done && reply.reservations[1].done);
  EXPECT_EQ(get<ReservationsReply>("showres beta.0").reservations.size(), 1U);
  EXPECT_EQ(why_not("releaseres x:^al"), "no reservation of yours matches 'x:^al'");
  EXPECT_EQ(why_not("releaseres x:beta", "amy"), "no reservation of yours matches 'x:beta'");
}

TEST_F(ResourceCommands, ADryRunShowsWhichJobsWouldStartLaterAndCreatesNothing) {
  const auto reply = get<ReservationCreatedReply>("setres --dry-run -s +1:00:00 -d 2:00:00 ALL");
  EXPECT_EQ(reply.name, "SYSTEM.0");
  ASSERT_TRUE(reply.dry_run.has_value());
  EXPECT_EQ(reply.dry_run->jobs, 2);
  EXPECT_TRUE(reply.dry_run->complete);
  ASSERT_EQ(reply.dry_run->shifts.size(), 2U);
  EXPECT_EQ(reply.dry_run->shifts[0].job, "b");
  EXPECT_EQ(reply.dry_run->shifts[0].after - reply.dry_run->shifts[0].before, 2 * 3600);
  EXPECT_EQ(why_not("showres SYSTEM.0"), "cannot locate reservation 'SYSTEM.0'");
}

TEST_F(ResourceCommands, ADryReleaseShowsWhichJobsWouldStartEarlierAndReleasesNothing) {
  ask("setres -s +1:00:00 -d 2:00:00 ALL");
  const auto reply = get<ReservationsReleasedReply>("releaseres --dry-run SYSTEM.0");
  ASSERT_TRUE(reply.dry_run.has_value());
  ASSERT_EQ(reply.dry_run->shifts.size(), 2U);
  EXPECT_EQ(reply.dry_run->shifts[0].before - reply.dry_run->shifts[0].after, 2 * 3600);
  EXPECT_EQ(get<ReservationsReply>("showres SYSTEM.0").reservations.size(), 1U);
}

TEST_F(ResourceCommands, ShowbfLeavesOutTheMemoryThatAReservationKeeps) {
  auto manager = std::make_unique<ScriptedRm>();
  manager->next.nodes = {node_report("n1", procs(4, 1013))};
  run(std::move(manager));
  ASSERT_EQ(why_not("setres -u bob -d 2:00:00 -r PROCS=1:MEM=333 TASKS==1"), "(done)");
  const auto of_others = get<WindowsReply>("showbf -S", "amy");
  ASSERT_EQ(of_others.nodes.size(), 1U);
  EXPECT_EQ(of_others.nodes[0].procs, 3);
  EXPECT_EQ(of_others.nodes[0].memory, 680);
  const auto of_its_own = get<WindowsReply>("showbf -S", "bob");
  ASSERT_EQ(of_its_own.nodes.size(), 1U);
  EXPECT_EQ(of_its_own.nodes[0].memory, 1013);
}

// Guide G: "a job which could magically access all QOS based resources".
TEST_F(ResourceCommands, ShowbfHasAnyClassAccountAndQosThatIsNotNamed) {
  settings.qos["high"] = settings.qos["low"] = {};
  auto manager = std::make_unique<ScriptedRm>();
  manager->next.nodes = {node_report("n1", procs(4))};
  run(std::move(manager));
  const auto procs_for = [this](const std::string& flags) {
    const auto reply = get<WindowsReply>("showbf" + flags, "amy");
    return reply.windows.empty() ? 0 : reply.windows.front().procs;
  };
  ASSERT_EQ(why_not("setres -Q high -d 2:00:00 n1"), "(done)");
  EXPECT_EQ(procs_for(""), 4);
  EXPECT_EQ(procs_for(" -q high"), 4);
  EXPECT_EQ(procs_for(" -q low"), 0);
  ASSERT_EQ(why_not("releaseres high.0"), "(done)");
  ASSERT_EQ(why_not("setres -u bob -d 2:00:00 n1"), "(done)");
  EXPECT_EQ(procs_for(""), 0) << "amy is not bob";
}

TEST_F(ResourceCommands, NodesThatWerePurgedAreNotShown) {
  auto manager = std::make_unique<ScriptedRm>();
  ScriptedRm* rm = manager.get();
  manager->next.nodes = {node_report("n1", procs(4)), node_report("n2", procs(4))};
  manager->next.arrived = {report("a", 9, "amy")};
  run(std::move(manager));
  rm->next.lost_nodes = {"n2"};
  engine().iterate([] {});
  const NodeId n2 = engine().cluster().find_node("n2");
  ASSERT_TRUE(!n2.valid() || engine().cluster().node(n2).purged);
  EXPECT_EQ(get<WindowsReply>("showbf -v").nodes.size(), 1U);
}

TEST_F(ResourceCommands, ShowbfAsksOnBehalfOfOthers) {
  EXPECT_TRUE(get<WindowsReply>("showbf", "amy").windows.empty());
  EXPECT_EQ(get<WindowsReply>("showbf", "amy").group, "staff");
  EXPECT_EQ(get<WindowsReply>("showbf -u bob -g chem", "amy").user, "bob");
  EXPECT_EQ(get<WindowsReply>("showbf -A", "amy").user, "[ALL]");
  EXPECT_EQ(get<WindowsReply>("showbf -v", "amy").nodes.size(), 2U);
  EXPECT_EQ(why_not("showbf -M lots"),
            "-M: invalid value 'lots': expected megabytes from 0 to 2147483647");
  EXPECT_EQ(why_not("showbf -m =512"), "(done)");
  EXPECT_EQ(why_not("showbf -m lots"),
            "-m: invalid value 'lots': expected [>=|>|==|<=|<]MEGABYTES up to 2147483647");
  EXPECT_EQ(why_not("showbf -n 0"),
            "-n: invalid value '0': expected a number from 1 to 2147483647");
  EXPECT_EQ(why_not("showbf -f fast"), "-f: no node has the feature 'fast'");
  EXPECT_EQ(why_not("showbf -q gold"), "-q: unknown QOS 'gold'");
  settings.qos["gold"].priority = 7;  // no job has had it yet
  engine().set_settings(settings);
  EXPECT_EQ(get<WindowsReply>("showbf -v -q gold", "amy").nodes.size(), 2U);
}

TEST_F(ResourceCommands, DiagnoseCountsANodeThatIsDownAsDownWhateverRunsOnIt) {
  auto manager = std::make_unique<ScriptedRm>();
  ScriptedRm& scripted = *manager;
  for (const auto* name : {"n1", "n2", "n3"}) {
    scripted.next.nodes.push_back(node_report(name, procs(2)));
    if (name == std::string("n2")) scripted.next.nodes.back().node.reported = NodeState::drained;
  }
  scripted.next.arrived = {report("a", 2, "amy")};
  run(std::move(manager));
  const auto active = get<NodesDiagnosisReply>("diagnose -n");
  EXPECT_EQ(std::tuple(active.active, active.idle, active.down), std::tuple(1, 1, 1));
  for (const auto* name : {"n1", "n3"}) {
    scripted.next.nodes.push_back(node_report(name, procs(2)));
    scripted.next.nodes.back().node.reported = NodeState::down;
  }
  engine().iterate([] {});
  const auto reply = get<NodesDiagnosisReply>("diagnose -n");
  EXPECT_EQ(std::tuple(reply.active, reply.idle, reply.down), std::tuple(0, 0, 3));
}

TEST_F(ResourceCommands, DiagnoseShowsNodesReservationsAndPartitions) {
  ask("setres -u amy n1");
  EXPECT_EQ(get<NodesDiagnosisReply>("diagnose -n").active, 2);
  EXPECT_EQ(get<NodesDiagnosisReply>("diagnose -n n2").nodes.size(), 1U);
  EXPECT_EQ(get<ReservationsDiagnosisReply>("diagnose -r amy.0").reservations[0].access,
            (std::vector<AccessEntry>{{"USER", "amy", "==", "+"}}));
  EXPECT_EQ(get<ReservationsDiagnosisReply>("diagnose -r").active_reserved_procs, 4);
  const auto partition = get<PartitionsReply>("diagnose -t").partitions.at(0);
  EXPECT_EQ(partition.amounts.at(1), (PartitionAmount{"PROC", 4, 4, 4, 0}));
  EXPECT_EQ(why_not("diagnose -t nosuch"), "invalid partition, nosuch, specified");
}

}  // namespace
}  // namespace maui::test
