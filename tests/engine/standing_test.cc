// Standing reservations through iterations: made, rolled, filled up, changed, ended (seed 7.1.5.2).
#include "engine_fixture.h"
#include "sched/cycle.h"

namespace maui::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::int64_t kDay = 86400;

class StandingReservationTest : public EngineTest {
 protected:
  StandingReservationSettings& standing(const std::string& index) {
    return settings.standing_reservations[index];
  }
  /// "NAME NODES from S to E", in order of creation; times are seconds from kNow.
  std::vector<std::string> standing_ones() {
    std::vector<std::string> lines;
    for (const auto id : cluster().reservations()) {
      const Reservation& r = cluster().reservation(id);
      if (r.kind == ReservationKind::standing)
        lines.push_back(r.name + " " + show(cluster(), r.nodes));
    }
    return lines;
  }
  const Reservation& reservation(const std::string& name) {
    return cluster().reservation(cluster().find_reservation(name));
  }
  void nodes(int count, Resources each) {
    for (int i = 1; i <= count; ++i)
      rm().next.nodes.push_back(node_report("n" + std::to_string(i), each));
  }
  void down(const std::string& name, Resources each) {
    auto report = node_report(name, std::move(each));
    report.node.reported = NodeState::down;
    rm().next.nodes.push_back(std::move(report));
  }
  /// Runs the job "long" on n1, then adds the standing reservation "late" of both nodes, from 14:00
  /// to 16:00.
  void run_before_late(Seconds length, std::initializer_list<ReservationFlag> flags) {
    core_starts("long", "n1", 1);
    begin({job_report("long", 1, length)});
    Settings more = settings;
    auto& late = more.standing_reservations["late"];
    late.tasks = 2;
    late.start = hours(14);
    late.end = hours(16);
    late.depth = 1;
    for (const auto flag : flags) put(late.flags, flag);
    engine().set_settings(more);
    iterate(minutes(1));
  }
  /// Adds the standing reservation "a" of a node while one job has both and another waits for both,
  /// ends the first job, and returns standing_ones().
  std::vector<std::string> growth_beside_a_queue(ReservationPolicy policy) {
    settings.reservation_policy = policy;
    core = [this](const Cluster& known, Time now) { return plan(known, settings, now); };
    begin({job_report("first", 4, hours(5)), job_report("second", 4, hours(5))});
    EXPECT_TRUE(job("second").reservation.valid());
    settings.standing_reservations["a"].tasks = 1;
    settings.standing_reservations["a"].period = StandingPeriod::infinity;
    engine().set_settings(settings);
    iterate(minutes(1));
    EXPECT_THAT(standing_ones(), IsEmpty());
    rm().next.ended = {{"first", JobState::completed, kNow + minutes(2), 0}};
    iterate(minutes(2));
    return standing_ones();
  }
  /// Lets bob run a job on a processor of n1, adds the standing reservation "a" of six processors
  /// for amy, and returns standing_ones(); n1 and n2 have four processors each.
  std::vector<std::string> six_tasks_beside_bob() {
    core_starts("bobs", "n1", 1);
    nodes(2, procs(4));
    rm().next.arrived = {job_report("bobs", 1, hours(5))};
    rm().next.arrived.back().user = "bob";
    iterate();
    auto& a = settings.standing_reservations["a"];
    a.tasks = 6;
    a.per_task = procs(1);
    a.access = {user("amy")};
    a.period = StandingPeriod::infinity;
    engine().set_settings(settings);
    iterate(minutes(1));
    return standing_ones();
  }
  static AccessWord user(const std::string& name) {
    AccessWord word;
    word.name = name;
    return word;
  }
};

// The nodes of those that are dropped serve those that take their place.
TEST_F(StandingReservationTest, AnotherPeriodLeavesNoIterationWithoutReservation) {
  standing("s").tasks = 2;
  standing("s").depth = 1;
  nodes(2, procs(1));
  iterate();
  ASSERT_THAT(standing_ones(), ElementsAre("s.0.0 n1:1 n2:1"));
  Settings changed = settings;
  changed.standing_reservations["s"].period = StandingPeriod::infinity;
  engine().set_settings(changed);
  iterate(minutes(1));
  EXPECT_THAT(standing_ones(), ElementsAre("s.0.0 n1:1 n2:1"));
}

// kNow is Monday, 12 January 1970, 13:46:40 UTC.
constexpr Time kMidnight{12 * kDay};

TEST_F(StandingReservationTest, TodaysAndTomorrowsAreMadeAtTheStart) {
  standing("maint").tasks = 4;
  standing("maint").start = hours(18);
  standing("maint").end = hours(20);
  nodes(6, procs(2));
  iterate();
  EXPECT_THAT(standing_ones(),
              ElementsAre("maint.0.0 n3:1 n4:1 n5:1 n6:1", "maint.1.0 n3:1 n4:1 n5:1 n6:1"));
  EXPECT_EQ(reservation("maint.0.0").start, kMidnight - hours(6));
  EXPECT_EQ(reservation("maint.0.0").end, kMidnight - hours(4));
  EXPECT_EQ(reservation("maint.1.0").start, kMidnight + hours(18));
}

TEST_F(StandingReservationTest, AtMidnightTomorrowBecomesToday) {
  standing("day").hosts = "n1";
  standing("day").depth = 3;
  nodes(2, procs(2));
  iterate();
  EXPECT_THAT(standing_ones(), ElementsAre("day.0.0 n1:1", "day.1.0 n1:1", "day.2.0 n1:1"));
  const auto tomorrow = cluster().find_reservation("day.1.0");
  EXPECT_EQ(engine().next_event(), kMidnight);
  iterate(kMidnight - kNow);
  EXPECT_EQ(cluster().find_reservation("day.0.0"), tomorrow);
  EXPECT_EQ(reservation("day.0.0").start, kMidnight);
  EXPECT_EQ(reservation("day.2.0").end, kMidnight + hours(72));
  EXPECT_THAT(standing_ones(), ElementsAre("day.0.0 n1:1", "day.1.0 n1:1", "day.2.0 n1:1"));
}

TEST_F(StandingReservationTest, InfinityIsASingleReservationFromItsCreationOn) {
  standing("chemres").hosts = "n[1-2]";
  standing("chemres").period = StandingPeriod::infinity;
  nodes(3, procs(2));
  iterate();
  iterate(hours(100));
  EXPECT_THAT(standing_ones(), ElementsAre("chemres.0.0 n1:1 n2:1"));
  EXPECT_EQ(reservation("chemres.0.0").start, kNow);
  EXPECT_EQ(reservation("chemres.0.0").end, kForever);
}

TEST_F(StandingReservationTest, HostsAloneAreTakenWhateverRunsOrIsReservedThere) {
  standing("a").hosts = "n1,n2";
  standing("a").period = StandingPeriod::infinity;
  standing("b").hosts = "n2";
  standing("b").period = StandingPeriod::infinity;
  nodes(2, procs(2));
  down("n2", procs(2));
  rm().next.arrived = {job_report("long", 2, hours(100))};
  core_starts("long", "n1", 2);
  iterate();
  EXPECT_THAT(standing_ones(), ElementsAre("a.0.0 n1:1 n2:1", "b.0.0 n2:1"));
}

TEST_F(StandingReservationTest, NodesThatAreForgottenAreNotTaken) {
  settings.node.purge_time = minutes(5);
  standing("a").hosts = "all";  // as ALL
  standing("a").period = StandingPeriod::infinity;
  nodes(2, procs(2));
  iterate();
  rm().next.lost_nodes = {"n2"};
  iterate(minutes(1));
  EXPECT_THAT(standing_ones(), ElementsAre("a.0.0 n1:1 n2:1"));
  iterate(minutes(6));
  EXPECT_THAT(standing_ones(), ElementsAre("a.0.0 n1:1"));
  rm().next.nodes = {node_report("n2", procs(2))};
  iterate(minutes(7));
  EXPECT_THAT(standing_ones(), ElementsAre("a.0.0 n1:1 n2:1"));
}

TEST_F(StandingReservationTest, AsManyTasksAsTheHostsHold) {
  standing("a").hosts = "n1";
  standing("a").per_task = procs(2, 256);
  standing("a").period = StandingPeriod::infinity;
  nodes(1, procs(8, 768));
  iterate();
  EXPECT_THAT(standing_ones(), ElementsAre("a.0.0 n1:3"));
}

// Example 2: six tasks of two processors on four hosts of four.
TEST_F(StandingReservationTest, MoreTasksThanHostsShareThem) {
  standing("interactive").hosts = "n1,n2,n5,n6";
  standing("interactive").tasks = 6;
  standing("interactive").per_task = procs(2, 256);
  standing("interactive").period = StandingPeriod::infinity;
  settings.node_allocation = NodeAllocation::first_available;
  nodes(6, procs(4, 1024));
  iterate();
  EXPECT_THAT(standing_ones(), ElementsAre("interactive.0.0 n1:2 n2:2 n5:2"));
}

TEST_F(StandingReservationTest, TasksBeyondTheHostsAreSoughtElsewhere) {
  standing("a").hosts = "n2";
  standing("a").tasks = 3;
  standing("a").period = StandingPeriod::infinity;
  settings.node_allocation = NodeAllocation::first_available;
  nodes(4, procs(2));
  iterate();
  EXPECT_THAT(standing_ones(), ElementsAre("a.0.0 n1:1 n2:1 n3:1"));
}

// Guide 7.1.1.1: nodes X, Y and Z hold two, one and two tasks of a processor and a gigabyte.
TEST_F(StandingReservationTest, ATaskIsFoundOnASingleNode) {
  standing("a").tasks = 5;
  standing("a").per_task = procs(1, 1024);
  standing("a").period = StandingPeriod::infinity;
  rm().next.nodes = {node_report("x", procs(2, 3072)), node_report("y", procs(2, 1024)),
                     node_report("z", procs(2, 2048))};
  iterate();
  EXPECT_THAT(standing_ones(), ElementsAre("a.0.0 x:2 y:1 z:2"));
}

TEST_F(StandingReservationTest, NeitherTasksNorHostsMakeNothing) {
  standing("a").access = {user("amy")};
  nodes(2, procs(2));
  iterate();
  EXPECT_THAT(standing_ones(), IsEmpty());
}

TEST_F(StandingReservationTest, AReservationTakesNodesBeforeJobsStart) {
  standing("a").tasks = 2;
  standing("a").period = StandingPeriod::infinity;
  begin({job_report("long", 1, hours(5))});
  EXPECT_THAT(standing_ones(), ElementsAre("a.0.0 n1:1 n2:1")) << "made before the job started";
}

TEST_F(StandingReservationTest, APartialReservationGrowsWhenRoomIsLeft) {
  core_starts("long", "n1", 1);
  begin({job_report("long", 1, hours(5))});
  Settings more = settings;
  more.standing_reservations["a"].tasks = 2;
  more.standing_reservations["a"].period = StandingPeriod::infinity;
  engine().set_settings(more);
  iterate(minutes(1));
  EXPECT_THAT(standing_ones(), ElementsAre("a.0.0 n2:1"));
  EXPECT_EQ(reservation("a.0.0").tasks_wanted, 2);
  rm().next.ended = {{"long", JobState::completed, kNow + minutes(2), 0}};
  iterate(minutes(2));
  EXPECT_THAT(standing_ones(), ElementsAre("a.0.0 n1:1 n2:1"));
}

// Otherwise a queue of jobs that need the whole machine would keep it from growing for ever.
TEST_F(StandingReservationTest, ItTakesWhatBecomesFreeBeforeReservationsThatAreMadeAnew) {
  EXPECT_THAT(growth_beside_a_queue(ReservationPolicy::current_highest), testing::SizeIs(1));
  EXPECT_TRUE(job("second").waiting());
}

TEST_F(StandingReservationTest, ItLeavesKeptReservationsTheirNodes) {
  EXPECT_THAT(growth_beside_a_queue(ReservationPolicy::highest), IsEmpty());
  EXPECT_TRUE(job("second").active());
}

TEST_F(StandingReservationTest, AJobWithAccessIsNoConflict) {
  core_starts("long", "n1", 1);
  begin({job_report("long", 1, hours(5))});
  Settings more = settings;
  more.standing_reservations["a"].tasks = 2;
  more.standing_reservations["a"].access = {user("amy")};
  more.standing_reservations["a"].period = StandingPeriod::infinity;
  engine().set_settings(more);
  iterate(minutes(1));
  EXPECT_THAT(standing_ones(), ElementsAre("a.0.0 n1:1 n2:1"));
}

// Nobody whom it admits could join that job.
TEST_F(StandingReservationTest, ANodeThatAnotherUserHasForHimselfIsOfNoUse) {
  settings.node_access = NodeAccess::single_user;
  EXPECT_THAT(six_tasks_beside_bob(), ElementsAre("a.0.0 n2:4"));
}

TEST_F(StandingReservationTest, ANodeWithAsManyJobsAsItTakesIsOfNoUse) {
  settings.nodes["n1"].max_jobs = 1;
  EXPECT_THAT(six_tasks_beside_bob(), ElementsAre("a.0.0 n2:4"));
  settings.nodes["n1"].max_jobs = 2;
  engine().set_settings(settings);
  iterate(minutes(2));
  EXPECT_THAT(standing_ones(), ElementsAre("a.0.0 n1:2 n2:4"));
}

TEST_F(StandingReservationTest, TheyStandSideBySideUnlessAccessIsShared) {
  for (const char* index : {"a", "b", "c"}) {
    standing(index).tasks = 1;
    standing(index).per_task = procs(8);
    standing(index).period = StandingPeriod::infinity;
  }
  standing("c").shared = true;
  rm().next.nodes = {node_report("n1", procs(16))};
  iterate();
  EXPECT_THAT(standing_ones(), ElementsAre("a.0.0 n1:1", "b.0.0 n1:1", "c.0.0 n1:1"));
  Settings fewer = settings;
  fewer.standing_reservations["c"].shared = false;
  engine().set_settings(fewer);
  iterate(minutes(1));
  EXPECT_THAT(standing_ones(), ElementsAre("a.0.0 n1:1", "b.0.0 n1:1", "c.0.0 n1:1"))
      << "what it has it keeps";
  engine().set_settings([&] {
    fewer.standing_reservations.erase("c");
    fewer.standing_reservations["d"] = fewer.standing_reservations["a"];
    return fewer;
  }());
  iterate(minutes(2));
  EXPECT_THAT(standing_ones(), ElementsAre("a.0.0 n1:1", "b.0.0 n1:1"));
}

TEST_F(StandingReservationTest, SharedAccessStacksOnlyWhereThereIsNoOtherRoom) {
  standing("a").hosts = "n1";
  standing("b").tasks = 2;
  standing("b").shared = true;
  standing("a").period = standing("b").period = StandingPeriod::infinity;
  rm().next.nodes = {node_report("n1", procs(1)), node_report("n2", procs(1)),
                     node_report("n3", procs(1))};
  iterate();
  EXPECT_THAT(standing_ones(), ElementsAre("a.0.0 n1:1", "b.0.0 n2:1 n3:1"));
}

TEST_F(StandingReservationTest, TheHighestPriorityChoosesFirst) {
  standing("a").tasks = 1;
  standing("b").tasks = 1;
  standing("b").priority = 10;
  standing("a").period = standing("b").period = StandingPeriod::infinity;
  nodes(1, procs(2));
  iterate();
  EXPECT_THAT(standing_ones(), ElementsAre("b.0.0 n1:1"));
}

TEST_F(StandingReservationTest, NodesMustHaveItsFeaturesItsPartitionAndRoomForItsTasks) {
  standing("wide").tasks = 3;
  standing("wide").features = {"wide", "fddi"};
  standing("old").tasks = 3;
  standing("old").partition = "OLD";
  standing("tpn").tasks = 4;
  standing("tpn").per_task = procs(2);
  standing("tpn").tasks_per_node = 4;
  for (const char* index : {"wide", "old", "tpn"})
    standing(index).period = StandingPeriod::infinity, standing(index).shared = true;
  auto both = node_report("both", procs(2));
  both.features = {"wide", "fddi"};
  auto one = node_report("one", procs(4));
  one.features = {"wide"};
  auto big = node_report("big", procs(8));
  big.partition = "OLD";
  rm().next.nodes = {both, one, big};
  iterate();
  EXPECT_THAT(standing_ones(), ElementsAre("old.0.0 big:1", "tpn.0.0 big:4", "wide.0.0 both:1"));
}

TEST_F(StandingReservationTest, AMovableReservationLeavesNodesThatAreDown) {
  standing("fixed").tasks = 1;
  standing("moves").tasks = 1;
  put(standing("moves").flags, ReservationFlag::space_flex);
  standing("fixed").period = standing("moves").period = StandingPeriod::infinity;
  settings.node_allocation = NodeAllocation::first_available;
  nodes(4, procs(2));
  iterate();
  EXPECT_THAT(standing_ones(), ElementsAre("fixed.0.0 n1:1", "moves.0.0 n2:1"));
  down("n1", procs(2));
  down("n2", procs(2));
  iterate(minutes(1));
  EXPECT_THAT(standing_ones(), ElementsAre("fixed.0.0 n1:1", "moves.0.0 n3:1"));
}

TEST_F(StandingReservationTest, AShiftableReservationBeginsWhenItIsWhole) {
  run_before_late(hours(2), {ReservationFlag::time_flex});
  EXPECT_EQ(reservation("late.0.0").start, kNow + hours(2));
  EXPECT_EQ(reservation("late.0.0").end, kNow + hours(4));
  EXPECT_THAT(standing_ones(), ElementsAre("late.0.0 n1:1 n2:1"));
  iterate(minutes(2));
  EXPECT_EQ(reservation("late.0.0").start, kNow + hours(2));
}

TEST_F(StandingReservationTest, AForcedReservationReservesBusyNodesButTakesThemFromNobody) {
  core_starts("long", "n1", 1);
  begin({job_report("long", 1, hours(2))});
  Settings more = settings;
  more.standing_reservations["f"].tasks = 2;
  put(more.standing_reservations["f"].flags, ReservationFlag::force);
  engine().set_settings(more);
  iterate(minutes(1));
  EXPECT_EQ(standing_ones().front(), "f.0.0 n1:1 n2:1");
  EXPECT_TRUE(job("long").active());
}

TEST_F(StandingReservationTest, AChangedConfigurationChangesOrEndsThem) {
  standing("a").hosts = "n1";
  standing("b").hosts = "n2";
  standing("a").period = standing("b").period = StandingPeriod::infinity;
  nodes(3, procs(2));
  iterate();
  const auto a = cluster().find_reservation("a.0.0");
  Settings other = settings;
  other.standing_reservations.erase("b");
  other.standing_reservations["a"].hosts = "n3";
  other.standing_reservations["a"].access = {user("amy")};
  other.standing_reservations["a"].owner = "USER:amy";
  engine().set_settings(other);
  iterate(minutes(1));
  EXPECT_THAT(standing_ones(), ElementsAre("a.0.0 n3:1"));
  EXPECT_EQ(cluster().find_reservation("a.0.0"), a);
  EXPECT_EQ(reservation("a.0.0").owner, "USER:amy");
  EXPECT_TRUE(reservation("a.0.0").access.admits({cluster().users.find("amy"), {}, {}, {}, {}}));
}

TEST_F(StandingReservationTest, AChangeOfThePeriodLeavesAReservationOfTheSameName) {
  standing("x").hosts = "n1";
  standing("x").start = hours(2);
  standing("x").end = hours(20);
  nodes(2, procs(2));
  iterate();
  ASSERT_THAT(standing_ones(), ElementsAre("x.0.0 n1:1", "x.1.0 n1:1"));
  Settings other = settings;
  other.standing_reservations["x"].period = StandingPeriod::infinity;
  engine().set_settings(other);
  iterate(minutes(1));
  EXPECT_THAT(standing_ones(), ElementsAre("x.0.0 n1:1"));
  EXPECT_EQ(reservation("x.0.0").end, kForever);
  engine().set_settings(settings);
  iterate(minutes(2));
  EXPECT_THAT(standing_ones(), ElementsAre("x.0.0 n1:1", "x.1.0 n1:1"));
}

// With a frame that ends on the next day, that of today has the number of tomorrow's.
TEST_F(StandingReservationTest, AChangeToAFrameOverMidnightLeavesEveryPeriodReserved) {
  standing("o").hosts = "n1";
  standing("o").start = hours(8);
  standing("o").end = hours(17);
  nodes(2, procs(2));
  iterate();
  ASSERT_THAT(standing_ones(), ElementsAre("o.0.0 n1:1", "o.1.0 n1:1"));
  Settings other = settings;
  other.standing_reservations["o"].start = hours(20);
  other.standing_reservations["o"].end = hours(6);
  engine().set_settings(other);
  iterate(minutes(1));
  EXPECT_THAT(standing_ones(), ElementsAre("o.1.0 n1:1", "o.2.0 n1:1"));
  EXPECT_EQ(reservation("o.1.0").start, kMidnight - hours(4));
  EXPECT_EQ(reservation("o.2.0").start, kMidnight + hours(20));
}

TEST_F(StandingReservationTest, AReservationWhoseNewNameIsTakenKeepsItsOwn) {
  standing("o").hosts = "n1";
  standing("o").depth = 1;
  nodes(2, procs(2));
  rm().next.arrived = {job_report("o.1.0", 1)};
  iterate();
  ASSERT_THAT(standing_ones(), ElementsAre("o.0.0 n1:1"));
  Settings other = settings;
  other.standing_reservations["o"].start = hours(20);
  other.standing_reservations["o"].end = hours(6);
  engine().set_settings(other);
  iterate(minutes(1));
  EXPECT_THAT(standing_ones(), ElementsAre("o.0.0 n1:1"));
  EXPECT_EQ(reservation("o.0.0").start, kMidnight - hours(4));
  rm().next.ended = {{"o.1.0", JobState::removed, kNow + minutes(2), 0}};
  iterate(minutes(2));
  iterate(minutes(3));
  EXPECT_THAT(standing_ones(), ElementsAre("o.1.0 n1:1"));
}

TEST_F(StandingReservationTest, AShiftedReservationOutlivesTheEndOfItsRegularTime) {
  run_before_late(hours(3), {ReservationFlag::time_flex, ReservationFlag::space_flex});
  ASSERT_EQ(reservation("late.0.0").start, kNow + hours(3));
  iterate(hours(2) + minutes(20));  // 16:06
  ASSERT_THAT(standing_ones(), ElementsAre("late.0.0 n1:1 n2:1"));
  EXPECT_EQ(reservation("late.0.0").start, kNow + hours(3));
  rm().next.ended = {{"long", JobState::completed, kNow + hours(3), 0}};
  iterate(hours(3) + minutes(1));
  EXPECT_THAT(standing_ones(), ElementsAre("late.0.0 n1:1 n2:1"));
  iterate(hours(5) + minutes(1));
  EXPECT_THAT(standing_ones(), IsEmpty());
}

TEST_F(StandingReservationTest, AReleasedReservationStaysAwayForItsPeriod) {
  standing("a").hosts = "n1";
  nodes(1, procs(2));
  iterate();
  ASSERT_TRUE(engine().release_reservation(cluster().find_reservation("a.0.0")));
  iterate(minutes(1));
  EXPECT_THAT(standing_ones(), ElementsAre("a.1.0 n1:1"));
  iterate(kMidnight - kNow + minutes(1));
  EXPECT_THAT(standing_ones(), ElementsAre("a.0.0 n1:1", "a.1.0 n1:1"));
}

// kNow is a Monday.  This week's reservation begins on Saturday; that of the week before lasts
// until Friday, for twelve days after the begin of its week.
TEST_F(StandingReservationTest, AReleasedReservationThatCrossesTheWeekStaysAway) {
  auto& long_one = standing("a");
  long_one.hosts = "n1";
  long_one.period = StandingPeriod::week;
  long_one.week_start = hours(6 * 24);
  long_one.week_end = hours(5 * 24);
  long_one.depth = 1;
  nodes(1, procs(2));
  iterate();
  ASSERT_THAT(standing_ones(), ElementsAre("a.0.0 n1:1", "a.1.0 n1:1"));
  ASSERT_TRUE(engine().release_reservation(cluster().find_reservation("a.0.0")));
  for (const auto later : {minutes(1), hours(72)}) {
    iterate(later);
    EXPECT_THAT(standing_ones(), ElementsAre("a.1.0 n1:1"));
  }
}

TEST_F(StandingReservationTest, ASingleUseEndsWithTheFirstJobThatUsedIt) {
  standing("once").hosts = "n1";
  standing("once").access = {user("amy")};
  put(standing("once").flags, ReservationFlag::single_use);
  standing("once").depth = 1;
  core_starts("short", "n1", 1);
  begin({job_report("short", 1)});
  EXPECT_THAT(standing_ones(), ElementsAre("once.0.0 n1:1"));
  rm().next.ended = {{"short", JobState::completed, kNow + minutes(1), 0}};
  iterate(minutes(1));
  iterate(minutes(2));
  EXPECT_THAT(standing_ones(), IsEmpty());
}

TEST_F(StandingReservationTest, ANameThatIsTakenIsNotTakenAway) {
  standing("a").hosts = "n1";
  standing("a").depth = 1;
  nodes(1, procs(2));
  rm().next.arrived = {job_report("a.0.0", 1)};
  iterate();
  EXPECT_THAT(standing_ones(), IsEmpty());
}

}  // namespace
}  // namespace maui::test
