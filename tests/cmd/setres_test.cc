// setres: the examples of its page (guide G), what its flags do, and what it says of conflicts.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/date.h"
#include "command_fixture.h"

namespace maui::test {
namespace {

using Names = std::vector<std::string>;

/// Eight nodes as in the guide's examples; node001 and node002 have the feature ib, node008 is in
/// partition OLD.  Nothing runs.
class SetresTest : public CommandTest {
 protected:
  SetresTest() {
    settings.node_allocation = NodeAllocation::first_available;
    auto manager = std::make_unique<ScriptedRm>();
    rm_ = manager.get();
    for (int i = 1; i <= 8; ++i) {
      auto node = node_report("node00" + std::to_string(i), procs(2, 1024));
      if (i <= 2) node.features = {"ib"};
      if (i == 8) node.partition = "OLD";
      manager->next.nodes.push_back(node);
    }
    run(std::move(manager));
  }
  ReservationCreatedReply made(const std::string& flags) {
    return get<ReservationCreatedReply>("setres " + flags);
  }
  static Names nodes(const ReservationCreatedReply& reply) {
    Names names;
    for (const auto& share : reply.nodes) names.push_back(share.node);
    return names;
  }
  const Reservation& reservation(const std::string& name) {
    const Cluster& cluster = engine().cluster();
    return cluster.reservation(cluster.find_reservation(name));
  }
  bool admits(const std::string& name, const std::string& user, const std::string& group = {},
              const std::string& job_class = {}) {
    const Cluster& cluster = engine().cluster();
    Credentials who;
    who.user = cluster.users.find(user);
    who.group = cluster.groups.find(group);
    who.job_class = cluster.classes.find(job_class);
    return reservation(name).access.admits(who);
  }
  /// A job of amy's holds two processors of a node for an hour.
  void occupy(const std::string& job, const std::string& node) {
    rm_->next.arrived = {report(job, 2, "amy")};
    rm_->next.arrived.back().host_list = {node};
    rm_->next.arrived.back().host_list_use = HostListUse::all_of;
    engine().iterate([] {});
    ASSERT_TRUE(this->job(job).active());
  }

  ScriptedRm* rm_ = nullptr;
};

TEST_F(SetresTest, TwoNodesForTwoUsersFromTomorrowOn) {
  const auto reply = made("-u john:mary -s +24:00:00 -d 8:00:00 TASKS==2");
  EXPECT_EQ(reply.name, "john.0");
  EXPECT_EQ(reply.tasks, 2);
  EXPECT_EQ(reply.nodes.size(), 2U);
  EXPECT_EQ(reply.start, (kNow + hours(24)).raw());
  EXPECT_EQ(reply.end, (kNow + hours(32)).raw());
  EXPECT_TRUE(admits("john.0", "john"));
  EXPECT_TRUE(admits("john.0", "mary"));
  EXPECT_FALSE(admits("john.0", "amy"));
  EXPECT_TRUE(reply.conflicts.empty());
}

// The guide defines no other meaning of a time of day that has passed.
TEST_F(SetresTest, AReservationWhoseStartLiesInThePastBeginsNow) {
  const auto reply = made(fmt::format("-s {:010} node001", kNow.raw() - 60));
  EXPECT_EQ(reply.start, kNow.raw());
  EXPECT_EQ(reservation(reply.name).start, kNow);
  EXPECT_EQ(reply.end, -1);
  EXPECT_THAT(reply.notes,
              testing::ElementsAre(testing::AllOf(testing::StartsWith("the start "),
                                                  testing::HasSubstr(" 1970 lies in the past"))));
  const auto rest = made(fmt::format("-s {:010} -d 180 node003", kNow.raw() - 60));
  EXPECT_EQ(reservation(rest.name).start, kNow);
  EXPECT_EQ(reservation(rest.name).end, kNow + Seconds(120)) << "as asked: only its start moves";
  EXPECT_THAT(why_not(fmt::format("setres -s {:010} -d 30 node004", kNow.raw() - 60)),
              testing::HasSubstr("its end is in the past"));
  for (const std::string later : {"-s NOW", "-s +0", "-s +60", "-d 60"})
    EXPECT_THAT(made(later + " node002").notes, testing::IsEmpty()) << later;
}

TEST_F(SetresTest, MaintenanceOfTheWholeSystem) {
  const auto reply = made("-s 8:00:00_06/20 -e 17:00:00_06/22 ALL");
  EXPECT_EQ(reply.name, "SYSTEM.0");
  EXPECT_EQ(reply.nodes.size(), 8U);
  EXPECT_EQ(reply.tasks, 8);
  EXPECT_EQ(reply.end - reply.start, (2 * 24 + 9) * 3600);
  EXPECT_TRUE(reservation("SYSTEM.0").access.empty());
}

TEST_F(SetresTest, NodesThatAreForgottenAreNotReserved) {
  settings.node.purge_time = minutes(10);
  engine().set_settings(settings);
  const auto lose = [&](std::vector<std::string> names) {
    rm_->next.lost_nodes = std::move(names);
    engine().iterate([] {});
    clock.time = clock.time + minutes(10);
    engine().iterate([] {});
  };
  lose({"node003", "node004"});
  for (const char* all : {"ALL", "all", "[ALL]", "[all]"}) EXPECT_EQ(made(all).tasks, 6) << all;
  EXPECT_EQ(nodes(made("node00[1-3]")), (Names{"node001", "node002"}));
  EXPECT_EQ(nodes(made("node.*4|node005")), (Names{"node005"}));
  EXPECT_EQ(why_not("setres node003"), "no matches found for node expression 'node003'");
  lose({"node001", "node002", "node005", "node006", "node007", "node008"});
  const auto count = engine().cluster().reservations().size();
  EXPECT_EQ(why_not("setres ALL"), "no nodes are known");
  EXPECT_EQ(engine().cluster().reservations().size(), count);
}

TEST_F(SetresTest, ExplainsMissingNodesBeforeTheFirstReport) {
  auto manager = std::make_unique<ScriptedRm>();
  manager->down = "connection refused";
  run(std::move(manager));
  const std::string why =
      "; resource manager 'scripted' has not reported its nodes and jobs yet (diagnose -R)";
  EXPECT_EQ(why_not("setres ALL"), "no nodes are known" + why);
  EXPECT_EQ(why_not("setres node001"), "no matches found for node expression 'node001'" + why);
  EXPECT_EQ(why_not("setres -f ib ALL"), "-f: no node has the feature 'ib'" + why);
  EXPECT_EQ(why_not("setres -p OLD ALL"), "invalid partition, OLD, specified" + why);
  EXPECT_EQ(why_not("checknode node001"), "cannot locate node 'node001'" + why);
  EXPECT_EQ(why_not("checkjob 17"), "cannot locate job '17'" + why);
}

TEST_F(SetresTest, AListMixesNamesRangesAndExpressions) {
  EXPECT_EQ(nodes(made("node001,node00[3-4],.*7")),
            (Names{"node001", "node003", "node004", "node007"}));
  EXPECT_EQ(nodes(made("node00[7-9]")), (Names{"node007", "node008"})) << "those that there are";
  EXPECT_EQ(why_not("setres node001,node009"), "no matches found for node expression 'node009'");
}

TEST_F(SetresTest, AListStandsForNoMoreHostsThanThereAre) {
  EXPECT_EQ(nodes(made("node[001-500],node[001-500]")).size(), 8U);
  EXPECT_THAT(why_not("setres node[001-500],node[001-501]"),
              testing::HasSubstr("expands to 501 hosts"));
  std::string all = "setres ALL";
  for (int i = 0; i < 1000; ++i) all += ",ALL";
  EXPECT_THAT(why_not(all), testing::HasSubstr("more hosts are listed than exist"));
}

TEST_F(SetresTest, PartOfFourNodesForAGroupAndAClass) {
  const auto reply = made("-r PROCS=1:MEM=512 -g staff -c interactive node00[3-6]");
  EXPECT_EQ(reply.name, "staff.0");
  EXPECT_EQ(nodes(reply), (Names{"node003", "node004", "node005", "node006"}));
  EXPECT_EQ(reply.tasks, 4);
  EXPECT_EQ(reservation("staff.0").per_task, procs(1, 512));
  EXPECT_TRUE(admits("staff.0", "x", "staff"));
  EXPECT_TRUE(admits("staff.0", "x", "y", "interactive"));
  EXPECT_FALSE(admits("staff.0", "x", "y", "batch"));
}

// Guide 7.1.1.4 writes the count in small letters.
TEST_F(SetresTest, TaskCountsAreCaseBlind) {
  EXPECT_EQ(made("-u john tasks==2").tasks, 2);
  EXPECT_EQ(made("-u john Tasks>=2").tasks, 2);
}

TEST_F(SetresTest, FeaturesAndPartitionSayWhereItMayBe) {
  EXPECT_EQ(nodes(made("-f ib -d 1:00:00 ALL")), (Names{"node001", "node002"}));
  EXPECT_EQ(nodes(made("-p OLD -d 1:00:00 TASKS==1")), Names{"node008"});
  EXPECT_EQ(nodes(made("-s +9:00:00 -d 1:00:00 -f ib TASKS==2")), (Names{"node001", "node002"}));
  EXPECT_NE(why_not("setres -p OLD -f ib -d 1:00:00 ALL")
                .find("has the requested features and partition"),
            std::string::npos);
}

TEST_F(SetresTest, AnyPartitionMayBeNamedAsTheGuideDoes) {
  for (const char* any : {"ALL", "[ALL]", "[ANY]"})
    EXPECT_EQ(made(std::string("-p ") + any + " -d 1:00:00 TASKS==1").tasks, 1) << any;
}

TEST_F(SetresTest, AQosThatNobodyDeclaresIsRefused) {
  EXPECT_EQ(why_not("setres -Q typo ALL"), "unknown QOS 'typo': no QOSCFG line declares it");
  EXPECT_FALSE(engine().cluster().qos.find("typo").valid()) << "it is not known afterwards";
  made("-Q DEFAULT ALL");
}

TEST_F(SetresTest, TasksAreFreeForAllOfTheTimeInAnyPartition) {
  occupy("j1", "node001");
  EXPECT_EQ(nodes(made("-d 1:00:00 -r PROCS=2 TASKS==7")).size(), 7U) << "node008 is in OLD";
  EXPECT_NE(why_not("setres -d 1:00:00 -r PROCS=2 TASKS==1").find("0 are free"), std::string::npos);
  EXPECT_EQ(nodes(made("-s +1:00:00 -d 1:00:00 -r PROCS=2 TASKS==1")), Names{"node001"});
}

TEST_F(SetresTest, AWholeNodeHasNobodyOnItWhateverMayShareIt) {
  rm_->next.arrived = {report("j1", 1, "amy")};
  rm_->next.arrived.back().host_list = {"node001"};
  rm_->next.arrived.back().host_list_use = HostListUse::all_of;
  engine().iterate([] {});
  ASSERT_TRUE(this->job("j1").active());
  Settings more = engine().settings();
  more.nodes["DEFAULT"].access = NodeAccess::shared;
  engine().set_settings(more);
  engine().iterate([] {});
  EXPECT_FALSE(succeeded(ask("setres -d 1:00:00 TASKS==8")));
  const auto reply = made("-d 1:00:00 TASKS==7");
  EXPECT_EQ(reply.tasks, 7);
  EXPECT_EQ(nodes(reply).size(), 7U);
  EXPECT_EQ(nodes(reply).front(), "node002");
}

TEST_F(SetresTest, TheChargeNamesAnAccountAndOptionallyAGroupAndAUser) {
  made("-A proj1,chem,amy -n paid node001");
  EXPECT_EQ(reservation("paid.0").charge_account, "proj1,chem,amy");
  for (const char* wrong : {"a,b,c,d", ",chem", "a,,b"})
    EXPECT_NE(
        why_not(std::string("setres -A ") + wrong + " node001").find("ACCOUNT[,GROUP[,USER]]"),
        std::string::npos)
        << wrong;
}

TEST_F(SetresTest, AReservationThatWouldNeverBeginIsRefused) {
  EXPECT_EQ(why_not("setres -s INFINITY node001"),
            "-s: invalid value 'INFINITY': expected a time of start");
  EXPECT_EQ(why_not("setres -s INFINITY -d 1:00 node001"),
            "-s: invalid value 'INFINITY': expected a time of start");
}

TEST_F(SetresTest, CommasSeparateClassesExceptAfterC) {
  for (const char* name : {"batch", "long"})
    rm_->next.nodes.push_back(node_report(std::string("of-") + name, procs(1)));
  rm_->next.nodes[0].classes = {{"batch", 1}};
  rm_->next.nodes[1].classes = {{"long", 1}};
  engine().iterate([] {});
  for (const char* flag : {"-q", "-l"}) {
    const auto reply = made(std::string(flag) + " batch,long -d 1:00:00 node001");
    EXPECT_TRUE(admits(reply.name, "", "", "batch")) << flag;
    EXPECT_TRUE(admits(reply.name, "", "", "long")) << flag;
    EXPECT_EQ(reservation(reply.name).charge_account, "");
  }
  EXPECT_EQ(why_not("setres -c batch,long -d 1:00:00 node001"),
            "-c: 'batch' is a class, and a comma names the account to charge (did you mean -c "
            "batch:long?)");
}

TEST_F(SetresTest, ABracketWithoutRangeIsThatOfARegularExpression) {
  rm_->next.nodes = {node_report("node12", procs(1))};
  engine().iterate([] {});
  EXPECT_EQ(nodes(made("-d 1:00:00 node00[12]")), (Names{"node001", "node002"}));
  EXPECT_EQ(nodes(made("-d 1:00:00 node[12]")), (Names{"node12"})) << "node1, node2, within names";
  EXPECT_EQ(nodes(made("-d 1:00:00 node00[1-2]")), (Names{"node001", "node002"}));
}

// On 13 January 1970 clocks are put back from 3:00 to 2:00; it is half past midnight.
TEST_F(SetresTest, ATimeThatIsPastIsTomorrowsOnADayOfTwentyFiveHoursToo) {
  constexpr Time kDay{12 * 86400};  // as if in UTC
  settings.zone = TimeZone(hours(2), {{kDay + hours(1), hours(1)}});
  engine().set_settings(settings);
  clock.time = kDay - hours(2) + minutes(30);
  const auto reply = made("-s 0:15 -d 5:00 node001");
  EXPECT_EQ(reply.start, (kDay + hours(23) + minutes(15)).raw());
}

TEST_F(SetresTest, ATrialForeseesLimitsToo) {
  settings.users["amy"].limits.active[static_cast<std::size_t>(LimitKind::job)] = Limit{1, 1};
  engine().set_settings(settings);
  rm_->next.arrived = {report("first", 2, "amy"), report("second", 2, "amy")};
  engine().iterate([] {});
  ASSERT_TRUE(job("first").active());
  const auto trial = made("--dry-run -s +30:00 -d 1:00:00 node.*").dry_run;
  ASSERT_TRUE(trial.has_value());
  ASSERT_EQ(trial->shifts.size(), 1U);
  EXPECT_EQ(trial->shifts.front().job, "second");
  EXPECT_EQ(trial->shifts.front().before, (clock.time + hours(1)).raw()) << "when the first ends";
  EXPECT_EQ(trial->shifts.front().after, (clock.time + minutes(90)).raw());
}

TEST_F(SetresTest, ATrialLooksAtTheFirstJobsOfALongQueue) {
  for (int i = 0; i < 500; ++i)
    rm_->next.arrived.push_back(report("j" + std::to_string(i), 2, "amy"));
  engine().iterate([] {});
  const auto trial = made("--dry-run -d 1:00:00 node001").dry_run;
  ASSERT_TRUE(trial.has_value());
  EXPECT_EQ(trial->jobs, 400);
  EXPECT_FALSE(trial->complete);
}

TEST_F(SetresTest, AListThatNamesNobodyIsRefusedRatherThanLettingInNobody) {
  EXPECT_EQ(why_not("setres -u : node001"), "-u: the list is empty: expected NAME[:NAME]...");
  EXPECT_EQ(why_not("setres -u amy -Q :: node001"),
            "-Q: the list is empty: expected NAME[:NAME]...");
  EXPECT_TRUE(engine().cluster().reservations().empty());
}

TEST_F(SetresTest, NamesMayStandBetweenCommasToo) {
  EXPECT_EQ(made("-u john,mary:ann -g staff,guests -s +24:00:00 -d 8:00:00 TASKS==2").name,
            "john.0");
  for (const char* user : {"john", "mary", "ann"}) EXPECT_TRUE(admits("john.0", user)) << user;
  EXPECT_TRUE(admits("john.0", "joe", "guests"));
  EXPECT_FALSE(engine().cluster().users.find("john,mary").valid());
  EXPECT_EQ(why_not("setres -u , node001"), "-u: the list is empty: expected NAME[:NAME]...");
}

// The marks of SRCFG (seed 7.1.5.2.4).
TEST_F(SetresTest, NamesMayHaveMarks) {
  engine().names().users.intern("joe");
  engine().names().users.intern("ann");
  made("-u !joe -n a ALL");
  EXPECT_TRUE(admits("a.0", "ann"));
  EXPECT_FALSE(admits("a.0", "joe"));
  const auto affinity = [&](const std::string& list) {
    const auto name = made("-g " + list + " -n b ALL").name;
    return reservation(name).access.criteria.at(0).affinity;
  };
  EXPECT_EQ(affinity("g1-"), Affinity::negative);
  EXPECT_EQ(affinity("g1="), Affinity::neutral);
  EXPECT_EQ(affinity("g1"), Affinity::positive);
  made("-u ann -g staff* -n c ALL");
  EXPECT_FALSE(admits("c.0", "ann"));
  EXPECT_TRUE(admits("c.0", "ann", "staff"));
  for (const char* all : {"ALL", "[ALL]"}) {
    const auto name = made(std::string("-u ") + all + " -n d ALL").name;
    EXPECT_TRUE(admits(name, "ann")) << all;
  }
  EXPECT_EQ(made("-u joe=:ann ALL").name, "joe.0")
      << "the name is that of the first, not its marks";
  EXPECT_THAT(why_not("setres -u !:ann ALL"), testing::HasSubstr("has no name"));
}

TEST_F(SetresTest, AnOwnerMayBeGivenAndIsNeededForOwnerpreempt) {
  EXPECT_EQ(reservation(made("-n a ALL").name).owner, "root");
  EXPECT_EQ(reservation(made("-n a -o account:chem -x OWNERPREEMPT ALL").name).owner,
            "ACCOUNT:chem");
  EXPECT_THAT(why_not("setres -x OWNERPREEMPT ALL"),
              testing::HasSubstr("expected -o KIND:NAME, such as -o ACCOUNT:chem"));
  for (const char* wrong : {"chem", "FRUIT:apple", "USER:"})
    EXPECT_THAT(why_not(std::string("setres -o ") + wrong + " ALL"),
                testing::HasSubstr("-o: expected USER, GROUP, ACCOUNT, QOS or CLASS"));
  made("-n b -o USER:amy ALL");
  EXPECT_EQ(why_not("releaseres b.0", "amy"), "(done)");
}

TEST_F(SetresTest, AClassMustNotBeTheNameOfAnotherCredential) {
  settings.qos["low"];
  engine().set_settings(settings);
  engine().names().qos.intern("high");
  engine().names().accounts.intern("chem");
  engine().names().groups.intern("staff");
  engine().names().classes.intern("batch");
  EXPECT_EQ(why_not("setres -c high ALL"), "unknown class 'high' (did you mean -Q high?)");
  EXPECT_EQ(why_not("setres -c batch:low ALL"), "unknown class 'low' (did you mean -Q low?)");
  EXPECT_EQ(why_not("setres -c chem ALL"),
            "unknown class 'chem' (did you mean -A chem, the account to charge, or -a chem, an "
            "account that may use it?)");
  EXPECT_EQ(why_not("setres -c staff ALL"), "unknown class 'staff' (did you mean -g staff?)");
  EXPECT_EQ(why_not("setres -c batch:later ALL"), "(done)") << "it may become a class";
}

// Guide G: -c CHARGE_SPEC.
TEST_F(SetresTest, ACommaMakesAChargeOfClasses) {
  const auto& charged = reservation(made("-c chem,staff,amy -n a ALL").name);
  EXPECT_EQ(charged.charge_account, "chem,staff,amy");
  EXPECT_TRUE(charged.access.empty());
  EXPECT_THAT(why_not("setres -c chem,staff -A bio ALL"), testing::HasSubstr("not both"));
  EXPECT_THAT(why_not("setres -c chem,,amy ALL"),
              testing::HasSubstr("-c: invalid value 'chem,,amy': expected ACCOUNT[,GROUP[,USER]]"));
}

TEST_F(SetresTest, ANameIsAWord) {
  EXPECT_NE(why_not("setres -n x:all node001").find("invalid reservation name 'x:all'"),
            std::string::npos);
  EXPECT_EQ(made("-n maint-1 node001").name, "maint-1.0");
}

TEST_F(SetresTest, FlagsAreThoseOfReservations) {
  made("-x BYNAME:SINGLEUSE -n f node001");
  EXPECT_TRUE(has(reservation("f.0").flags, ReservationFlag::by_name));
  EXPECT_TRUE(has(reservation("f.0").flags, ReservationFlag::single_use));
  EXPECT_EQ(why_not("setres -x BYNAMEX node001"), "-x: unknown reservation flag 'BYNAMEX'");
}

TEST_F(SetresTest, ItSaysWhoIsInTheWayOfATaskCount) {
  occupy("j1", "node001");
  made("-u bob -n hers -d 30:00 node00[2-7]");
  const auto why = why_not("setres -d 1:00:00 TASKS==3");
  EXPECT_NE(why.find("cannot select 3 tasks for the reservation (each is a whole node; -r PROCS=1 "
                     "asks for processors): 1 is free for its whole duration"),
            std::string::npos)
      << why;
  EXPECT_NE(why.find("job 'j1' until "), std::string::npos) << why;
  EXPECT_NE(why.find("on node001"), std::string::npos) << why;
  EXPECT_NE(why.find("reservation 'hers.0' until "), std::string::npos) << why;
  EXPECT_NE(why.find("on node[002-007]"), std::string::npos) << why;
}

TEST_F(SetresTest, JobsWithAccessAreInTheWayOfATaskCountToo) {
  occupy("j1", "node001");
  const auto why = why_not("setres -u amy -d 30:00 TASKS==8");
  EXPECT_NE(why.find("conflicts: job 'j1' until "), std::string::npos) << why;
}

TEST_F(SetresTest, MoreTasksThanTheClusterHasRoomForConflictWithNobody) {
  occupy("j1", "node001");
  EXPECT_EQ(why_not("setres -d 1:00:00 TASKS==99"),
            "cannot select 99 tasks for the reservation (each is a whole node; -r PROCS=1 asks for "
            "processors): 7 are free for its whole duration; there is room for 8 in all, with "
            "every node idle");
  EXPECT_EQ(why_not("setres -d 1:00:00 -r PROCS=1 -f ib TASKS==5"),
            "cannot select 5 tasks for the reservation: 2 are free for its whole duration; there "
            "is room for 4 in all, with every node idle");
  EXPECT_EQ(why_not("setres -d 1:00:00 -r PROCS=99 TASKS==1"),
            "cannot select 1 task for the reservation: 0 are free for its whole duration; a task "
            "asks for 99 processors, and no node has more than 2");
}

TEST_F(SetresTest, ItSaysWhichHostsHaveLessThanATaskAsksFor) {
  EXPECT_THAT(made("-r PROCS=99 node001").notes,
              testing::ElementsAre("node001 has less than a task asks for (PROCS 2 of 99): all "
                                   "that is there is reserved"));
  EXPECT_THAT(made("-r PROCS=1:MEM=2048 node00[3-5]").notes,
              testing::ElementsAre("node[003-005] have less than a task asks for (down to MEM "
                                   "1024 of 2048): all that is there is reserved"));
  EXPECT_THAT(made("-r PROCS=2:MEM=1024 node006").notes, testing::IsEmpty());
  EXPECT_THAT(made("node007").notes, testing::IsEmpty());
}

TEST_F(SetresTest, HostsAreReservedAllTheSameButItSaysWhoIsThere) {
  occupy("j1", "node001");
  made("-n part -r PROCS=1 -d 30:00 node002");
  const auto reply = made("-d 30:00 -u bob node00[1-3]");
  EXPECT_EQ(reply.nodes.size(), 3U);
  ASSERT_EQ(reply.conflicts.size(), 2U);
  EXPECT_EQ(reply.conflicts[0].substr(0, 14), "job 'j1' until");
  EXPECT_EQ(reply.conflicts[1].substr(0, 26), "reservation 'part.0' until");
}

TEST_F(SetresTest, JobsWithAccessOrBesideItAreNoConflict) {
  occupy("j1", "node001");
  made("-n part -r PROCS=1 -d 30:00 node002");
  EXPECT_TRUE(made("-d 30:00 -u amy node001").conflicts.empty());
  EXPECT_TRUE(made("-d 30:00 -r PROCS=1 node002").conflicts.empty());
  EXPECT_TRUE(made("-d 30:00 -s +2:00:00 node001,node002").conflicts.empty());
}

TEST_F(SetresTest, AJobConflictsOnlyWhereTheReservationHasNoRoomBesideIt) {
  rm_->next.arrived = {report("small", 1, "amy")};
  engine().iterate([] {});
  ASSERT_TRUE(job("small").active());
  EXPECT_TRUE(made("-d 30:00 -u bob -r PROCS=1 node001").conflicts.empty());
  EXPECT_EQ(made("-d 30:00 -u bob -r PROCS=2 node001").conflicts.size(), 2U)
      << "with the job, and with the first reservation";
}

TEST_F(SetresTest, AReservationForAGroupWithBlanksIsNamedInOneWord) {
  EXPECT_EQ(get<ReservationCreatedReply>("setres -n x node001").name, "x.0");
  CommandRequest request;
  request.command = "setres";
  request.user = "root";
  request.flags.emplace("g", "domain users");
  request.operands = {"node002"};
  const Reply reply = execute(engine(), server, request);
  ASSERT_TRUE(std::holds_alternative<ReservationCreatedReply>(reply));
  EXPECT_EQ(std::get<ReservationCreatedReply>(reply).name, "domain_users.0");
}

TEST_F(SetresTest, BesteffortTakesWhatThereIs) {
  occupy("j1", "node001");
  EXPECT_FALSE(succeeded(ask("setres -d 30:00 TASKS==8")));
  const auto reply = made("-x BESTEFFORT -n some -d 30:00 TASKS==8");
  EXPECT_EQ(reply.tasks, 7);
  EXPECT_EQ(reservation("some.0").tasks_wanted, 8);
  EXPECT_THAT(reply.notes, testing::ElementsAre("1 of 8 tasks is missing: the reservation grows "
                                                "when there is more"));
  EXPECT_NE(why_not("setres -x BESTEFFORT -d 30:00 TASKS==8").find("conflicts"), std::string::npos)
      << "nothing is left";
}

TEST_F(SetresTest, TimeflexBeginsWhenItCanBeWhole) {
  occupy("j1", "node001");
  const auto reply = made("-x TIMEFLEX -d 30:00 TASKS==8");
  EXPECT_EQ(reply.tasks, 8);
  EXPECT_EQ(reply.start, (kNow + hours(1)).raw());
  EXPECT_EQ(reply.end - reply.start, 1800);
}

TEST_F(SetresTest, AReservationThatIsMovedSaysWhenItBegins) {
  occupy("j1", "node001");
  const auto note = [](Time begins, Time asked) {
    return fmt::format("the reservation begins {} instead of {}", format_date(begins, true),
                       format_date(asked, true));
  };
  const auto later = made("-x TIMEFLEX -s +10:00 -d 30:00 TASKS==8");
  EXPECT_EQ(later.start, (kNow + hours(1)).raw());
  EXPECT_THAT(later.notes, testing::ElementsAre(note(kNow + hours(1), kNow + minutes(10))));
  const auto earlier = made("-x SLIDEFORWARD -s +3:00:00 -d 30:00 TASKS==8");
  EXPECT_EQ(earlier.start, (kNow + minutes(90)).raw());
  EXPECT_THAT(earlier.notes, testing::ElementsAre(note(kNow + minutes(90), kNow + hours(3))));
  EXPECT_THAT(made("-x TIMEFLEX:SLIDEFORWARD -s +8:00:00 -d 30:00 -r PROCS=1 node001").notes,
              testing::IsEmpty())
      << "it begins as asked";
  const auto past = made(fmt::format("-x TIMEFLEX -s {:010} -d 30:00 TASKS==8", kNow.raw() - 60));
  EXPECT_EQ(past.start, (kNow + hours(2)).raw());
  EXPECT_THAT(past.notes, testing::ElementsAre(note(kNow + hours(2), kNow - minutes(1))));
}

TEST_F(SetresTest, ForceTakesNodesWhateverRunsThere) {
  occupy("j1", "node001");
  const auto reply = made("-x FORCE -d 30:00 TASKS==8");
  EXPECT_EQ(reply.tasks, 8);
  EXPECT_EQ(reply.conflicts.size(), 1U);
  EXPECT_TRUE(job("j1").active());
}

TEST_F(SetresTest, ATrialMakesNoNamesKnown) {
  made("--dry-run -u nobody-yet node001");
  EXPECT_FALSE(engine().cluster().users.find("nobody-yet").valid());
  EXPECT_FALSE(engine().cluster().find_reservation("nobody-yet.0").valid());
}

/// Any user may make reservations.
class SetresBoundsTest : public SetresTest {
 protected:
  SetresBoundsTest() {
    settings.reservation_control = ReservationControl::any;
    engine().set_settings(settings);
  }
  static std::string list(const std::string& prefix, int count) {
    std::string names;
    for (int i = 0; i < count; ++i) names += (i == 0 ? "" : ":") + prefix + std::to_string(i);
    return names;
  }
  static std::string refused(const std::string& what, const std::string& user) {
    return "more than " + what + " of user " + user + ", who is neither ADMIN1 nor ADMIN2";
  }
  std::string made_by(const std::string& user, const std::string& flags) {
    return why_not("setres -s +24:00:00 -d 60 " + flags, user);
  }
};

TEST_F(SetresBoundsTest, TheListsOfAReservationHaveTenThousandNames) {
  const auto users = list("u", 6000);
  EXPECT_EQ(made_by("root", "-u " + users + " -g " + list("g", 4000) + " node001"), "(done)");
  for (const char* user : {"root", "amy"})
    EXPECT_EQ(made_by(user, "-u " + users + " -g " + list("g", 4001) + " node001"),
              "more than 10000 names in the access lists of one reservation");
}

TEST_F(SetresBoundsTest, AnOrdinaryUserHasSoManyReservations) {
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(made_by("amy", "node001"), "(done)") << i;
  EXPECT_EQ(made_by("amy", "node001"),
            refused("1000 reservations", "amy") + " (releaseres releases some)");
  EXPECT_EQ(made_by("bob", "node001"), "(done)");
  EXPECT_EQ(made_by("op", "node001"), "(done)");
  EXPECT_EQ(why_not("releaseres SYSTEM.0", "amy"), "(done)");
  EXPECT_EQ(made_by("amy", "node001"), "(done)");
}

TEST_F(SetresBoundsTest, TheReservationsOfAnOrdinaryUserHaveSoManyNames) {
  const auto half = "-u " + list("u", 6000) + " -g " + list("g", 4000) + " node001";
  EXPECT_EQ(made_by("amy", half), "(done)");
  EXPECT_EQ(made_by("amy", half), "(done)");
  const auto why = refused("20000 names in the access lists of all reservations", "amy") +
                   " (releaseres releases some)";
  EXPECT_EQ(made_by("amy", "-u x node001"), why);
  EXPECT_EQ(made_by("amy", "node001"), "(done)");
  EXPECT_FALSE(engine().cluster().users.find("x").valid()) << "what is refused leaves nothing";
  for (int i = 0; i < 3; ++i) EXPECT_EQ(made_by("op", half), "(done)");
}

TEST_F(SetresBoundsTest, TheReservationsOfAnOrdinaryUserHaveSoMuchText) {
  const std::string name(60'000, 'x');
  const auto why = refused("256 kB of names and host expressions in all reservations", "amy");
  EXPECT_EQ(made_by("amy", "-n " + name + " -o USER:" + name + " -A " + name + " -u " + name +
                               " -g " + name + " node001"),
            why);
  EXPECT_EQ(made_by("amy", "-n " + name + " -u " + name + " node001"), "(done)");
  EXPECT_EQ(made_by("amy", "-n " + name + " -u y" + name + " node001"), "(done)");
  EXPECT_EQ(made_by("amy", "-A " + name + " node001"), why + " (releaseres releases some)");
  EXPECT_EQ(made_by("op", "-A " + name + " node001"), "(done)");
}

TEST_F(SetresBoundsTest, TheReservationsOfAnOrdinaryUserHaveSoManyNodes) {
  for (int i = 9; i <= 1500; ++i)
    rm_->next.nodes.push_back(node_report("more" + std::to_string(i), procs(1)));
  engine().iterate([] {});
  const auto nodes = engine().cluster().nodes().size();
  ASSERT_EQ(nodes, 1500U);
  for (int i = 0; i < 10; ++i) ASSERT_EQ(made_by("amy", "ALL"), "(done)") << i;
  EXPECT_EQ(made_by("amy", "node001"),
            refused("15000 nodes in all reservations", "amy") + " (releaseres releases some)");
  EXPECT_EQ(made_by("op", "ALL"), "(done)");
}

TEST_F(SetresBoundsTest, AReservationThatIsMadeOverCountsForItsMaker) {
  const auto half = "-o GROUP:staff -u " + list("u", 10000) + " node001";
  EXPECT_EQ(made_by("amy", half), "(done)");
  EXPECT_EQ(made_by("amy", half), "(done)");
  EXPECT_THAT(made_by("amy", half), testing::HasSubstr("more than 20000 names"));
  EXPECT_EQ(made_by("op", "-o USER:bob -u " + list("u", 10000) + " node001"), "(done)");
  EXPECT_EQ(made_by("bob", half), "(done)");
}

TEST_F(SetresBoundsTest, ReservationsOnNodesThatAreNotKnownYetCountAfterARestart) {
  const auto half = "-u " + list("u", 10000) + " node001";
  EXPECT_EQ(made_by("amy", half), "(done)");
  EXPECT_EQ(made_by("amy", half), "(done)");
  auto manager = std::make_unique<ScriptedRm>();
  manager->next.nodes = {node_report("other", procs(2, 1024))};
  restart(std::move(manager));
  ASSERT_TRUE(engine().cluster().reservations().empty());
  EXPECT_THAT(made_by("amy", "-u x other"), testing::HasSubstr("more than 20000 names"));
  EXPECT_EQ(made_by("bob", "-u x other"), "(done)");
}

TEST_F(SetresBoundsTest, NodesThatAreNotKnownYetCountAfterARestart) {
  for (int i = 9; i <= 1500; ++i)
    rm_->next.nodes.push_back(node_report("more" + std::to_string(i), procs(1)));
  engine().iterate([] {});
  for (int i = 0; i < 10; ++i) ASSERT_EQ(made_by("amy", "ALL"), "(done)") << i;
  auto manager = std::make_unique<ScriptedRm>();
  manager->next.nodes = {node_report("node001", procs(2, 1024))};
  restart(std::move(manager));
  ASSERT_EQ(engine().cluster().reservations().size(), 10U);
  EXPECT_THAT(made_by("amy", "node001"), testing::HasSubstr("more than 10000 nodes"));
  EXPECT_EQ(made_by("bob", "node001"), "(done)");
}

// A user namespace gives everybody thousands of user numbers without a name.
TEST_F(SetresBoundsTest, UsersWithoutANameAreOne) {
  const auto half = "-u " + list("u", 10000) + " node001";
  EXPECT_EQ(made_by("100001", half), "(done)");
  EXPECT_EQ(made_by("100002", half), "(done)");
  EXPECT_THAT(made_by("100003", half), testing::HasSubstr("more than 20000 names"));
  EXPECT_EQ(made_by("u100003", half), "(done)");
}

}  // namespace
}  // namespace maui::test
