// The examples of seed 7.1.5 and of guide 7.1.1, from the text of maui.cfg to the jobs that run.
#include <gmock/gmock.h>

#include "command_fixture.h"
#include "config/configs.h"
#include "sched/query/explain.h"

namespace maui::test {
namespace {

using Names = std::vector<std::string>;

// kNow is Monday, 12 January 1970, 13:46:40 UTC.
constexpr Time kMonday = Time(11 * 86400);

class ReservationExamples : public CommandTest {
 protected:
  /// Runs an engine so configured on these nodes.
  void begin(const std::string& text, std::vector<NodeReport> nodes) {
    settings =
        parsed("NODEACCESSPOLICY SHARED\nNODEALLOCATIONPOLICY FIRSTAVAILABLE\nADMIN1 root\n" + text)
            .settings();
    auto manager = std::make_unique<ScriptedRm>();
    rm_ = manager.get();
    manager->next.nodes = std::move(nodes);
    run(std::move(manager));
  }
  static std::vector<NodeReport> nodes(const Names& names, const Resources& each) {
    std::vector<NodeReport> all;
    for (const auto& name : names) all.push_back(node_report(name, each));
    return all;
  }
  /// Another iteration, with a job that arrives in it.
  JobReport& submit(const std::string& name, int tasks, Seconds limit) {
    rm_->next.arrived.push_back(job_report(name, tasks, limit));
    return rm_->next.arrived.back();
  }
  void iterate(Time at = kNow) {
    clock.time = at;
    engine().iterate([] {});
  }
  const Reservation& reservation(const std::string& name) {
    const Cluster& cluster = engine().cluster();
    return cluster.reservation(cluster.find_reservation(name));
  }
  std::string nodes_of(const std::string& name) {
    return show(engine().cluster(), reservation(name).nodes);
  }
  std::string place_of(const std::string& name) {
    return job(name).active() ? show(engine().cluster(), job(name).placement) : "(waits)";
  }
  Time start_of(const std::string& name) {
    const auto forecast = earliest_start(engine().cluster(), engine().settings(), clock.time,
                                         engine().cluster().find_job(name));
    return forecast ? forecast->start : kForever;
  }

  ScriptedRm* rm_ = nullptr;
};

TEST_F(ReservationExamples, Example1BusinessHours) {
  begin(
      "SRCFG[interactive] TASKCOUNT=6 RESOURCES=PROCS:1,MEM:512\n"
      "SRCFG[interactive] PERIOD=DAY DAYS=MON,TUE,WED,THU,FRI\n"
      "SRCFG[interactive] STARTTIME=9:00:00 ENDTIME=17:00:00\n"
      "SRCFG[interactive] CLASSLIST=interactive\n",
      nodes({"n1", "n2", "n3", "n4"}, procs(2, 1024)));
  EXPECT_EQ(nodes_of("interactive.0.0"), "n1:2 n2:2 n3:2");
  EXPECT_EQ(reservation("interactive.0.0").start, kMonday + hours(9));
  EXPECT_EQ(reservation("interactive.0.0").end, kMonday + hours(17));
  EXPECT_EQ(reservation("interactive.1.0").start, kMonday + hours(33));
  submit("batch", 3, hours(1)).job_class = "batch";
  submit("inter", 6, hours(1)).job_class = "interactive";
  iterate();
  EXPECT_EQ(place_of("batch"), "(waits)");
  EXPECT_EQ(place_of("inter"), "n1:2 n2:2 n3:2");
  EXPECT_EQ(start_of("batch"), kMonday + hours(17));
  iterate(kMonday + hours(4 * 24 + 12));
  EXPECT_TRUE(engine().cluster().find_reservation("interactive.0.0").valid());
  EXPECT_FALSE(engine().cluster().find_reservation("interactive.1.0").valid()) << "it is Saturday";
}

constexpr const char* kExample2 =
    "SRCFG[interactive] DAYS=MON,TUE,WED,THU,FRI\n"
    "SRCFG[interactive] PERIOD=DAY\n"
    "SRCFG[interactive] STARTTIME=10:00:00 ENDTIME=15:00:00\n"
    "SRCFG[interactive] RESOURCES=PROCS:2,MEM:256\n"
    "SRCFG[interactive] HOSTLIST=node001,node002,node005,node020\n"
    "SRCFG[interactive] TASKCOUNT=6\n"
    "SRCFG[interactive] CLASSLIST=interactive\n";

TEST_F(ReservationExamples, Example2SixTasksOnFourQuadProcessorHosts) {
  begin(kExample2, nodes({"node001", "node002", "node003", "node005", "node020"}, procs(4, 1024)));
  EXPECT_EQ(nodes_of("interactive.0.0"), "node001:2 node002:2 node005:2");
}

TEST_F(ReservationExamples, Example2LargeHostsTakeAllOfThem) {
  auto all = nodes({"node001", "node002"}, procs(8, 1024));
  for (auto& small : nodes({"node005", "node020"}, procs(4, 1024))) all.push_back(std::move(small));
  begin(kExample2, std::move(all));
  EXPECT_EQ(nodes_of("interactive.0.0"), "node001:4 node002:2");
}

TEST_F(ReservationExamples, Example3StackedReservationsRequireAccessToBoth) {
  begin(std::string(kExample2) +
            "SRCFG[debug] HOSTLIST=node001,node002,node003,node004\n"
            "SRCFG[debug] USERLIST=helpdesk\n"
            "SRCFG[debug] GROUPLIST=operations,sysadmin\n"
            "SRCFG[debug] PERIOD=INFINITY\n"
            "SRCFG[interactive] TASKCOUNT=8\n",
        nodes({"node001", "node002", "node003", "node004", "node005", "node020"}, procs(4, 1024)));
  EXPECT_EQ(nodes_of("debug.0.0"), "node001:1 node002:1 node003:1 node004:1");
  EXPECT_EQ(nodes_of("interactive.0.0"), "node001:2 node002:2 node005:2 node020:2");
  const auto place = [&](const std::string& name, const char* user, const char* group,
                         const char* job_class) {
    auto& job = submit(name, 4, minutes(30));
    job.user = user;
    job.group = group;
    job.job_class = job_class;
    job.host_list = {"node001"};
    job.host_list_use = HostListUse::all_of;
    iterate();
    return place_of(name);
  };
  EXPECT_EQ(place("a", "amy", "staff", "interactive"), "(waits)");
  EXPECT_EQ(place("b", "helpdesk", "staff", "batch"), "(waits)");
  EXPECT_EQ(place("c", "bob", "sysadmin", "interactive"), "node001:4");
}

TEST_F(ReservationExamples, SideBySideInASingleHost) {
  begin("", nodes({"n1"}, procs(16)));
  EXPECT_TRUE(succeeded(ask("setres -r PROCS=4 -u john n1")));
  EXPECT_TRUE(succeeded(ask("setres -r PROCS=10 -g staff n1")));
  const auto place = [&](const std::string& name, const char* user, const char* group, int tasks) {
    auto& job = submit(name, tasks, minutes(30));
    job.user = user;
    job.group = group;
    iterate();
    return place_of(name);
  };
  EXPECT_EQ(place("a", "amy", "users", 3), "(waits)");
  EXPECT_EQ(place("b", "amy", "users", 2), "n1:2");
  EXPECT_EQ(place("c", "john", "users", 4), "n1:4");
  EXPECT_EQ(place("d", "bob", "staff", 11), "(waits)");
  EXPECT_EQ(place("e", "bob", "staff", 10), "n1:10");
}

constexpr const char* kExample4 =
    "SRCFG[special] TASKCOUNT=2\n"
    "SRCFG[special] PERIOD=WEEK\n"
    "SRCFG[special] STARTTIME=1:08:00:00\n"
    "SRCFG[special] ENDTIME=5:17:00:00\n"
    "SRCFG[special] NODEFEATURES=largememory\n"
    "SRCFG[special] TIMELIMIT=1:00:00*\n"
    "SRCFG[special] QOSLIST=high low special-\n"
    "SRCFG[special] ACCCOUNTLIST=!projectX,!projectY\n";

class WeeklyExample : public ReservationExamples {
 protected:
  void begin_at(Time when) {
    clock.time = when;
    auto all = nodes({"n1", "n2", "n3"}, procs(2));
    for (std::size_t i = 0; i < 2; ++i) all[i].features = {"largememory"};
    all[2].node.reported = NodeState::down;
    begin(kExample4, std::move(all));
  }
  bool starts(const char* qos, Seconds limit, const char* account = "") {
    const std::string name = "j" + std::to_string(++jobs_);
    auto& report = submit(name, 1, limit);
    report.qos = qos;
    report.account = account;
    iterate(clock.time);
    const bool started = job(name).active();
    EXPECT_TRUE(engine().cancel_job(engine().cluster().find_job(name)));
    if (started) rm_->next.ended = {{name, JobState::removed, clock.time, 0}};
    return started;
  }
  int jobs_ = 0;
};

TEST_F(WeeklyExample, IsFromMondayMorningToFridayAfternoon) {
  begin_at(kMonday + hours(5));
  EXPECT_EQ(nodes_of("special.0.0"), "n1:1 n2:1");
  EXPECT_EQ(reservation("special.0.0").start, kMonday + hours(8));
  EXPECT_EQ(reservation("special.0.0").end, kMonday + hours(4 * 24 + 17));
}

TEST_F(WeeklyExample, AFourHourJobOnMondayAtFiveOverlapsForAnHour) {
  begin_at(kMonday + hours(5));
  EXPECT_TRUE(starts("high", hours(4)));
  EXPECT_FALSE(starts("high", hours(4) + Seconds(1)));
}

TEST_F(WeeklyExample, ATwelveHourJobOnFridayAtFourOverlapsForAnHour) {
  begin_at(kMonday + hours(4 * 24 + 16));
  EXPECT_TRUE(starts("low", hours(12)));
}

TEST_F(WeeklyExample, ATwoHourJobOnTuesdayDoesNotQualify) {
  begin_at(kMonday + hours(24 + 9));
  EXPECT_FALSE(starts("high", hours(2)));
  EXPECT_TRUE(starts("high", hours(1)));
}

TEST_F(WeeklyExample, ShortIsNotEnoughWithoutAnotherAccess) {
  begin_at(kMonday + hours(24 + 9));
  EXPECT_FALSE(starts("other", hours(1)));
  EXPECT_TRUE(starts("other", hours(1), "projectZ")) << "an account that no NOT entry names";
  EXPECT_FALSE(starts("high", hours(1), "projectX")) << "excluded, whatever its QOS";
}

TEST_F(ReservationExamples, Example5LimitedSharedAccess) {
  begin(
      "ACCTCFG[jupiter] PRIORITY=10000\n"
      "SRCFG[jupiter] HOSTLIST=node0[1-9]\n"
      "SRCFG[jupiter] PERIOD=INFINITY\n"
      "SRCFG[jupiter] ACCOUNTLIST=jupiter,saturn-\n"
      "SRCFG[jupiter] OWNER=ACCOUNT:jupiter\n"
      "SRCFG[jupiter] FLAGS=OWNERPREEMPT\n"
      "SRCFG[jupiter] PERIOD=INFINITY\n",
      nodes({"node01", "node02", "node10"}, procs(2)));
  EXPECT_EQ(nodes_of("jupiter.0.0"), "node01:1 node02:1");
  submit("s1", 2, hours(1)).account = "saturn";
  submit("s2", 2, hours(2)).account = "saturn";
  submit("s3", 2, hours(3)).account = "saturn";
  iterate();
  EXPECT_EQ(place_of("s1"), "node10:2") << "reserved nodes are the last resort";
  submit("j1", 4, hours(1)).account = "jupiter";
  iterate(kNow + minutes(1));
  EXPECT_EQ(place_of("j1"), "node01:2 node02:2");
  EXPECT_TRUE(job("s2").waiting());
  EXPECT_TRUE(job("s3").waiting());
  EXPECT_TRUE(job("s1").active());
}

// Complementary reservations stand for one that spans the night.
TEST_F(ReservationExamples, JobsRunAcrossTheBoundaryOfTwoReservations) {
  clock.time = kMonday + hours(21);
  begin(
      "SRCFG[evening] HOSTLIST=n1 STARTTIME=20:00:00 ENDTIME=24:00:00 CLASSLIST=night\n"
      "SRCFG[morning] HOSTLIST=n1 STARTTIME=0:00:00 ENDTIME=6:00:00 CLASSLIST=night\n",
      nodes({"n1"}, procs(2)));
  submit("long", 2, hours(8)).job_class = "night";
  submit("day", 1, hours(4)).job_class = "day";
  iterate(kMonday + hours(21));
  EXPECT_EQ(place_of("long"), "n1:2");
  EXPECT_EQ(place_of("day"), "(waits)");
}

// Guide 7.1.1.4, the figure: X may use both reservations and what nobody has reserved.
TEST_F(ReservationExamples, AJobMayUseSeveralReservationsAndMore) {
  begin("", nodes({"n1", "n2", "n3"}, procs(1)));
  EXPECT_TRUE(succeeded(ask("setres -n A -u amy n1")));
  EXPECT_TRUE(succeeded(ask("setres -n B -g staff n2")));
  submit("X", 3, hours(1));
  iterate();
  EXPECT_EQ(place_of("X"), "n1:1 n2:1 n3:1");
}

// Guide 7.1.1.4: FLAGS:ADVRES:staff.1 and FLAGS:ADVRES.
TEST_F(ReservationExamples, AJobAsksForAReservation) {
  begin("", nodes({"node1", "node2", "node3", "node4", "node5", "node6", "node7"}, procs(1)));
  EXPECT_EQ(get<ReservationCreatedReply>("setres -g staff -d 8:00:00 node[1-4]").name, "staff.0");
  EXPECT_EQ(get<ReservationCreatedReply>("setres -u john tasks==2").name, "john.0");
  const std::string johns = nodes_of("john.0");
  EXPECT_EQ(johns, "node5:1 node6:1");
  const auto confined = [&](const std::string& name, const std::string& reservation, int tasks) {
    auto& report = submit(name, tasks, hours(1));
    report.user = "john";
    put(report.job.flags, JobFlag::adv_res);
    report.job.required_reservation = reservation;
    iterate();
    return place_of(name);
  };
  EXPECT_EQ(confined("one", "staff.0", 3), "node1:1 node2:1 node3:1");
  EXPECT_EQ(confined("two", "staff.0", 2), "(waits)") << "though node7 and his own are free";
  EXPECT_EQ(confined("any", "", 3), "node4:1 node5:1 node6:1");
}

// showbf and showstart look with the eyes of whoever asks.
TEST_F(ReservationExamples, ShowbfAndShowstartCountReservedNodesForWhoMayUseThem) {
  begin("", nodes({"n1", "n2", "n3"}, procs(2)));
  submit("known", 1, minutes(1)).user = "amy";
  iterate();
  iterate(kNow + minutes(1));
  rm_->next.ended = {{"known", JobState::completed, clock.time, 0}};
  iterate(kNow + minutes(1));
  EXPECT_TRUE(succeeded(ask("setres -u amy -d 2:00:00 n1,n2")));
  const auto procs_open = [&](const std::string& user) {
    std::int64_t most = 0;
    for (const auto& window : get<WindowsReply>("showbf", user).windows)
      most = std::max(most, window.procs);
    return most;
  };
  EXPECT_EQ(procs_open("amy"), 6);
  EXPECT_EQ(procs_open("bob"), 2);
  EXPECT_EQ(get<StartReply>("showstart 6@1:00:00", "amy").start, clock.time.raw());
  EXPECT_EQ(get<StartReply>("showstart 6@1:00:00", "bob").start, (clock.time + hours(2)).raw());
}

// Guide G, showbf.  In example 1 the times of the two wider windows of SLOW are exchanged, since a
// window that lasts longer cannot be wider.
class ShowbfPage : public ReservationExamples {
 protected:
  static NodeReport node(const std::string& name, int procs, const std::string& partition) {
    auto report = node_report(name, Resources(procs, 128));
    report.partition = partition;
    return report;
  }
  std::string windows(const std::string& flags, const std::string& user = "john") {
    std::string all;
    for (const auto& window : get<WindowsReply>("showbf " + flags, user).windows)
      all += window.partition + " " + std::to_string(window.procs) + " for " +
             std::to_string(window.duration) + "; ";
    return all;
  }
};

TEST_F(ShowbfPage, Example1WindowsByPartition) {
  begin("", {node("f1", 9, "FAST"), node("s1", 8, "SLOW"), node("s2", 25, "SLOW"),
             node("s3", 1, "SLOW")});
  for (const char* line : {"setres -s +4:54:18 -d 24:00:00 f1", "setres -s +7:00:19 -d 24:00:00 s1",
                           "setres -s +10:25:30 -d 24:00:00 s2"})
    EXPECT_TRUE(succeeded(ask(line))) << line;
  EXPECT_EQ(windows(""), "FAST 9 for 17658; SLOW 34 for 25219; SLOW 26 for 37530; SLOW 1 for -1; ");
  EXPECT_EQ(windows("-p FAST"), "FAST 9 for 17658; ");
  EXPECT_EQ(windows("-n 2"), "SLOW 34 for 25219; SLOW 26 for 37530; ");
}

TEST_F(ShowbfPage, Example2ADurationAndProcessors) {
  begin("SRCFG[short] HOSTLIST=n3 TIMELIMIT=4:00:00\n",
        {node("n1", 33, ""), node("n2", 40, ""), node("n3", 10, "")});
  EXPECT_TRUE(succeeded(ask("setres -s +2:00:00 -d 24:00:00 n2")));
  iterate();
  EXPECT_EQ(windows("-r 16 -d 5:00:00"), "DEFAULT 33 for -1; ");
  // Where access goes by time, it is of value to say how much of it is wanted.
  EXPECT_EQ(windows("-r 43 -d 3:00:00"), "DEFAULT 43 for 14400; ");
  EXPECT_EQ(windows("-r 44 -d 3:00:00"), "");
}

TEST_F(ShowbfPage, Example3NoNodeHasSoMuchMemory) {
  begin("", {node("n1", 4, "")});
  EXPECT_EQ(windows("-m >128"), "");
  EXPECT_EQ(windows("-m >=128"), "DEFAULT 4 for -1; ");
}

TEST_F(ShowbfPage, MemoryOfEachProcessorCountsAsATaskHasIt) {
  begin("", {node("n1", 4, ""), node("n2", 1, "")});
  EXPECT_EQ(windows("-M 64"), "DEFAULT 3 for -1; ");
  EXPECT_EQ(windows("-M 129"), "");
}

// Guide 8.1: RESERVATIONDEPTH and RESERVATIONQOSLIST, two groupings.
TEST_F(ReservationExamples, EachGroupingOfQosHasReservationsOfItsOwn) {
  begin(
      "RESERVATIONDEPTH[0] 8\nRESERVATIONQOSLIST[0] highprio interactive debug\n"
      "RESERVATIONDEPTH[1] 2\nRESERVATIONQOSLIST[1] batch\n"
      "SYSCFG QLIST=highprio,interactive,debug,batch\n",
      nodes({"n1"}, procs(1)));
  submit("runs", 1, hours(1)).qos = "batch";
  iterate();
  const Names important{"highprio", "interactive", "debug"};
  for (int i = 0; i < 10; ++i)
    submit("i" + std::to_string(i), 1, hours(1)).qos = important[static_cast<std::size_t>(i % 3)];
  for (int i = 0; i < 3; ++i) submit("b" + std::to_string(i), 1, hours(1)).qos = "batch";
  iterate();
  Names reserved;
  for (const ReservationId id : engine().cluster().reservations())
    reserved.push_back(engine().cluster().reservation(id).name);
  std::sort(reserved.begin(), reserved.end());
  EXPECT_EQ(reserved, (Names{"b0", "b1", "i0", "i1", "i2", "i3", "i4", "i5", "i6", "i7"}));
}

// Appendix F, RESDEPTH: told of where there are more, and no limit.
TEST_F(ReservationExamples, MoreReservationsThanResdepthAreKeptAndReported) {
  begin("RESDEPTH 2\n", nodes({"n1"}, procs(1)));
  for (const char* line : {"setres -d 60 n1", "setres -s +60 -d 60 n1"})
    EXPECT_TRUE(succeeded(ask(line)));
  EXPECT_TRUE(get<ReservationsDiagnosisReply>("diagnose -r").warnings.empty());
  EXPECT_TRUE(succeeded(ask("setres -s +120 -d 60 n1")));
  EXPECT_EQ(get<ReservationsDiagnosisReply>("diagnose -r").warnings,
            (Names{"node 'n1' has 3 reservations, above RESDEPTH 2 (all are kept)"}));
  EXPECT_EQ(engine().cluster().reservations().size(), 3U);
}

TEST_F(ReservationExamples, AStandingReservationThatReservesNothingSaysWhy) {
  const auto why = [this](const std::string& name) {
    const std::string head = "standing reservation '" + name + "' reserves nothing: ";
    for (const auto& warning : get<ReservationsDiagnosisReply>("diagnose -r").warnings)
      if (warning.starts_with(head)) return warning.substr(head.size());
    return std::string();
  };
  begin(
      "SRCFG[big] TASKCOUNT=2 TPN=2 RESOURCES=PROCS:1 PERIOD=INFINITY\n"
      "SRCFG[small] TASKCOUNT=1 PERIOD=INFINITY HOSTLIST=n1\n"
      "SRCFG[away] TASKCOUNT=1 PERIOD=INFINITY PARTITION=nowhere\n"
      "SRCFG[fast] TASKCOUNT=1 PERIOD=INFINITY NODEFEATURES=fast\n"
      "SRCFG[spare] TASKCOUNT=1 PERIOD=INFINITY TPN=1 RESOURCES=PROCS:1\n",
      nodes({"n1"}, procs(1)));
  EXPECT_EQ(why("small"), "") << "it has n1";
  EXPECT_EQ(why("big"), "no node has room for a task of its RESOURCES and TPN");
  EXPECT_EQ(why("away"), "no suitable node is in partition nowhere");
  EXPECT_EQ(why("fast"), "no suitable node has the features fast");
  EXPECT_EQ(why("spare"),
            "of the 1 suitable node, 0 are down or drained, 1 is reserved for others at its "
            "time, and 0 are used by or reserved for jobs that it does not admit");
  EXPECT_TRUE(succeeded(ask("releaseres small.0.0")));
  EXPECT_EQ(why("small"), "it was released, and does not come back until its SRCFG line changes");
}

// It is a Monday.
TEST_F(ReservationExamples, AStandingReservationWhoseDaysAreBeyondItsDepthSaysSo) {
  begin("SRCFG[later] TASKCOUNT=1 DAYS=Thu,Fri DEPTH=2\n", nodes({"n1"}, procs(1)));
  const auto warnings = get<ReservationsDiagnosisReply>("diagnose -r").warnings;
  EXPECT_THAT(warnings, testing::Contains(testing::MatchesRegex(
                            ".*'later' reserves nothing: its next period by its DAYS and times, "
                            "Thu Jan 15 .*, is beyond its DEPTH of 2")));
}

TEST_F(ReservationExamples, AStandingReservationThatLacksTasksSaysWhy) {
  const auto why = [this](const std::string& name) {
    const std::string head = "reservation '" + name + ".0.0' is partial: it has ";
    for (const auto& row : get<ReservationsDiagnosisReply>("diagnose -r").reservations)
      for (const auto& warning : row.warnings)
        if (warning.starts_with(head)) return warning.substr(head.size());
    return std::string();
  };
  begin(
      "SRCFG[small] TASKCOUNT=1 PERIOD=INFINITY HOSTLIST=n1\n"
      "SRCFG[big] TASKCOUNT=3 PERIOD=INFINITY\n"
      "SRCFG[most] TASKCOUNT=2 PERIOD=DAY\n",
      nodes({"n1", "n2"}, procs(1)));
  EXPECT_EQ(why("small"), "");
  EXPECT_EQ(why("big"), "2 of 3 tasks: even empty, the suitable nodes have room for only 2");
  EXPECT_TRUE(succeeded(ask("releaseres big.0.0")));
  iterate();
  EXPECT_EQ(
      why("most"),
      "1 of 2 tasks: of the 1 suitable other node, 0 are down or drained, 1 is reserved "
      "for others at its time, and 0 are used by or reserved for jobs that it does not admit; a "
      "larger DEPTH claims nodes earlier");
}

// Seed 7.1.5.2: each row of the attributes that say who has access lets its jobs in, and no others.
struct AccessRow {
  const char* name;
  const char* attributes;
  void (*belongs)(JobReport&);
  void (*does_not)(JobReport&);
};
void PrintTo(const AccessRow& row, std::ostream* out) { *out << row.attributes; }

class AccessRows : public ReservationExamples, public testing::WithParamInterface<AccessRow> {};

TEST_P(AccessRows, LetInWhoBelongs) {
  begin(
      std::string("SYSCFG QLIST=high,low\nSRCFG[test] HOSTLIST=n1 ") + GetParam().attributes + "\n",
      nodes({"n1"}, procs(4)));
  GetParam().does_not(submit("other", 1, hours(1)));
  iterate();
  EXPECT_EQ(place_of("other"), "(waits)");
  GetParam().belongs(submit("own", 1, hours(1)));
  iterate();
  EXPECT_EQ(place_of("own"), "n1:1");
  EXPECT_EQ(place_of("other"), "(waits)");
  const auto shown = get<NodeReply>("checknode n1").reservations;
  const auto at = std::find_if(shown.begin(), shown.end(),
                               [](const auto& claim) { return claim.name == "test.0.0"; });
  ASSERT_NE(at, shown.end());
  ASSERT_FALSE(at->blocked.empty());
  EXPECT_EQ(at->blocked.front().procs, 3) << "its job works inside it";
}

constexpr AccessRow kAccessRows[] = {
    {"ACCOUNTLIST", "ACCOUNTLIST=jupiter", [](JobReport& job) { job.account = "jupiter"; },
     [](JobReport& job) { job.account = "mars"; }},
    {"CLASSLIST", "CLASSLIST=interactive", [](JobReport& job) { job.job_class = "interactive"; },
     [](JobReport& job) { job.job_class = "batch"; }},
    {"GROUPLIST", "GROUPLIST=staff", [](JobReport& job) { job.group = "staff"; },
     [](JobReport& job) { job.group = "guests"; }},
    {"JOBATTRLIST", "JOBATTRLIST=PREEMPTEE",
     [](JobReport& job) { put(job.job.flags, JobFlag::preemptee); }, [](JobReport&) {}},
    {"PROCLIMIT", "PROCLIMIT=<=1", [](JobReport&) {},
     [](JobReport& job) { job.request.requirements.front().tasks = 2; }},
    {"TASKLIMIT", "TASKLIMIT=<2", [](JobReport&) {},
     [](JobReport& job) { job.request.requirements.front().tasks = 2; }},
    {"QOSLIST", "QOSLIST=high", [](JobReport& job) { job.qos = "high"; },
     [](JobReport& job) { job.qos = "low"; }},
    {"TIMELIMIT", "TIMELIMIT=1:00:00", [](JobReport&) {},
     [](JobReport& job) { job.request.limit = hours(2); }},
    {"TIMELOGIC", "TIMELIMIT=1:00:00 TIMELOGIC=AND USERLIST=amy", [](JobReport&) {},
     [](JobReport& job) { job.request.limit = hours(2); }},
    {"USERLIST", "USERLIST=amy", [](JobReport&) {}, [](JobReport& job) { job.user = "bob"; }},
};
INSTANTIATE_TEST_SUITE_P(Seed, AccessRows, testing::ValuesIn(kAccessRows),
                         [](const auto& row) { return std::string(row.param.name); });

// The rows that say which resources, and when.  kNow is a Monday, 13:46:40.
TEST_F(ReservationExamples, TheOtherRowsSayWhatIsReservedAndWhen) {
  auto report = nodes({"n1", "n2", "n3", "n4"}, Resources(4, 1024));
  report[1].features = report[2].features = {"big"};
  report[2].partition = report[3].partition = "far";
  const auto made = [&](const std::string& attributes) {
    begin("SRCFG[test] " + attributes + "\n", report);
    Names all;
    for (const ReservationId id : engine().cluster().reservations()) {
      const Reservation& r = engine().cluster().reservation(id);
      all.push_back(
          r.name + " " + show(engine().cluster(), r.nodes) + " +" +
          std::to_string((r.start - kMonday).raw() / 3600) + "h to +" +
          (r.end < kForever ? std::to_string((r.end - kMonday).raw() / 3600) + "h" : "-"));
    }
    return all;
  };
  EXPECT_EQ(made("HOSTLIST=n1 DEPTH=1 STARTTIME=8:00:00 ENDTIME=17:00:00"),
            (Names{"test.0.0 n1:1 +8h to +17h"}));
  EXPECT_EQ(made("HOSTLIST=n1 DAYS=Tue,Wed DEPTH=3 STARTTIME=8:00:00 ENDTIME=17:00:00"),
            (Names{"test.1.0 n1:1 +32h to +41h", "test.2.0 n1:1 +56h to +65h"}));
  EXPECT_EQ(made("HOSTLIST=n1 PERIOD=WEEK DEPTH=1 STARTTIME=1:00:00:00 ENDTIME=2:00:00:00"),
            (Names{"test.0.0 n1:1 +0h to +24h"}));
  EXPECT_EQ(made("TASKCOUNT=1 PERIOD=INFINITY NODEFEATURES=big PARTITION=far"),
            (Names{"test.0.0 n3:1 +13h to +-"}));
  EXPECT_EQ(made("TASKCOUNT=4 PERIOD=INFINITY RESOURCES=PROCS:1;MEM:512 PARTITION=DEFAULT"),
            (Names{"test.0.0 n1:2 n2:2 +13h to +-"}));
  EXPECT_EQ(made("TASKCOUNT=4 PERIOD=INFINITY RESOURCES=PROCS:1 TPN=4 PARTITION=far"),
            (Names{"test.0.0 n3:4 +13h to +-"}));
}

TEST_F(ReservationExamples, SharedAccessTakesWhatOthersReserve) {
  const std::string text =
      "SRCFG[a] TASKCOUNT=2 PERIOD=INFINITY\nSRCFG[b] TASKCOUNT=2 PERIOD=INFINITY ";
  begin(text + "ACCESS=DEDICATED\n", nodes({"n1", "n2", "n3"}, procs(2)));
  EXPECT_EQ(nodes_of("a.0.0"), "n1:1 n2:1");
  EXPECT_EQ(nodes_of("b.0.0"), "n3:1");
  begin(text + "ACCESS=SHARED\n", nodes({"n1", "n2", "n3"}, procs(2)));
  EXPECT_EQ(nodes_of("b.0.0"), "n1:1 n3:1") << "stacked only where it must be";
}

TEST_F(ReservationExamples, TheHigherPriorityTakesItsNodesFirst) {
  begin(
      "SRCFG[a] TASKCOUNT=2 PERIOD=INFINITY PRIORITY=5\n"
      "SRCFG[b] TASKCOUNT=2 PERIOD=INFINITY PRIORITY=10\n",
      nodes({"n1", "n2", "n3"}, procs(2)));
  EXPECT_EQ(nodes_of("b.0.0"), "n1:1 n2:1");
  EXPECT_EQ(nodes_of("a.0.0"), "n3:1");
}

TEST_F(ReservationExamples, OwnerAndChargeAccountAreThoseOfTheReservation) {
  begin("SRCFG[test] HOSTLIST=n1 OWNER=USER:tom CHARGEACCOUNT=jupiter\n", nodes({"n1"}, procs(2)));
  EXPECT_EQ(reservation("test.0.0").owner, "USER:tom");
  EXPECT_EQ(reservation("test.0.0").charge_account, "jupiter");
}

/// Effects of the flags of SRCFG; OWNERPREEMPT is that of example 5.
class FlagsOfReservations : public ReservationExamples {
 protected:
  /// A reservation so described on one node, but for the job "long", which has n1 for two hours.
  void with(const std::string& attributes, const Names& names = {"n1", "n2"}) {
    begin("", nodes(names, procs(1)));
    submit("long", 1, hours(2)).user = "bob";
    iterate();
    ASSERT_EQ(place_of("long"), "n1:1");
    Settings more = parsed(
                        "NODEACCESSPOLICY SHARED\nNODEALLOCATIONPOLICY FIRSTAVAILABLE\n"
                        "QOSCFG[urgent] QFLAGS=PREEMPTOR\nSYSCFG QLIST=urgent\n"
                        "SRCFG[test] " +
                        attributes + "\n")
                        .settings();
    engine().set_settings(more);
    iterate(kNow + minutes(1));
  }
  void lose(const std::string& name) {
    rm_->next.nodes = nodes({name}, procs(1));
    rm_->next.nodes.front().node.reported = NodeState::down;
    iterate(kNow + minutes(2));
  }
};

TEST_F(FlagsOfReservations, Force) {
  with("TASKCOUNT=2 FLAGS=FORCE");
  EXPECT_EQ(nodes_of("test.0.0"), "n1:1 n2:1");
  with("TASKCOUNT=2");
  EXPECT_EQ(nodes_of("test.0.0"), "n2:1");
}

TEST_F(FlagsOfReservations, Timeflex) {
  with("TASKCOUNT=2 DEPTH=1 STARTTIME=14:00:00 ENDTIME=16:00:00 FLAGS=TIMEFLEX");
  EXPECT_EQ(nodes_of("test.0.0"), "n1:1 n2:1");
  EXPECT_EQ(reservation("test.0.0").start, kNow + hours(2));
}

TEST_F(FlagsOfReservations, Slideforward) {
  with("TASKCOUNT=2 DEPTH=1 STARTTIME=17:00:00 ENDTIME=18:00:00 FLAGS=SLIDEFORWARD");
  EXPECT_EQ(reservation("test.0.0").start, kNow + hours(2));
  EXPECT_EQ(reservation("test.0.0").end, kNow + hours(3));
}

TEST_F(FlagsOfReservations, Spaceflex) {
  with("TASKCOUNT=1 PERIOD=INFINITY FLAGS=SPACEFLEX", {"n1", "n2", "n3"});
  EXPECT_EQ(nodes_of("test.0.0"), "n2:1");
  lose("n2");
  EXPECT_EQ(nodes_of("test.0.0"), "n3:1");
}

TEST_F(FlagsOfReservations, Besteffort) {
  with("TASKCOUNT=2 PERIOD=INFINITY FLAGS=BESTEFFORT", {"n1", "n2", "n3"});
  EXPECT_EQ(nodes_of("test.0.0"), "n2:1 n3:1");
  lose("n2");
  EXPECT_EQ(nodes_of("test.0.0"), "n3:1");
}

TEST_F(FlagsOfReservations, Byname) {
  with("HOSTLIST=n2 PERIOD=INFINITY USERLIST=amy FLAGS=BYNAME");
  submit("plain", 1, hours(1));
  auto& asks = submit("asks", 1, hours(1));
  put(asks.job.flags, JobFlag::adv_res);
  asks.job.required_reservation = "test";
  iterate(kNow + minutes(2));
  EXPECT_EQ(place_of("plain"), "(waits)");
  EXPECT_EQ(place_of("asks"), "n2:1");
}

TEST_F(FlagsOfReservations, Singleuse) {
  with("HOSTLIST=n2 PERIOD=INFINITY USERLIST=amy FLAGS=SINGLEUSE");
  submit("first", 1, hours(1));
  iterate(kNow + minutes(2));
  ASSERT_EQ(place_of("first"), "n2:1");
  rm_->next.ended = {{"first", JobState::completed, kNow + minutes(3), 0}};
  iterate(kNow + minutes(3));
  iterate(kNow + minutes(4));
  EXPECT_FALSE(engine().cluster().find_reservation("test.0.0").valid());
}

TEST_F(FlagsOfReservations, Preemptee) {
  with("HOSTLIST=n2 PERIOD=INFINITY USERLIST=carol FLAGS=PREEMPTEE");
  submit("plain", 1, hours(1));
  submit("urgent", 1, hours(1)).qos = "urgent";
  iterate(kNow + minutes(2));
  EXPECT_EQ(place_of("plain"), "(waits)");
  EXPECT_EQ(place_of("urgent"), "n2:1");
}

}  // namespace
}  // namespace maui::test
