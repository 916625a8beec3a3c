// Reservations that change with the cluster, and who is told (seed 7.1.5.1.4, guide 7.1.4, 14.4).
#include "engine/planner.h"
#include "engine_fixture.h"
#include "sched/cycle.h"

namespace maui::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ReservationsTest : public EngineTest {
 protected:
  ReservationsTest() {
    settings.node_allocation = NodeAllocation::first_available;
    listener.events_wanted = true;
  }
  /// As setres TASKS==count makes it.
  ReservationId reserve(const std::string& name, int count, std::uint16_t flags,
                        Seconds start = Seconds(0)) {
    Reservation r;
    r.name = name;
    r.start = kNow + start;
    r.end = r.start + hours(2);
    r.flags = flags;
    r.tasks_wanted = count;
    for (int i = 1; i <= count; ++i) r.nodes.push_back({node("n" + std::to_string(i)), 1, 0});
    const auto made = engine().add_reservation(std::move(r));
    EXPECT_TRUE(made);
    return *made;
  }
  std::string nodes_of(const std::string& name) {
    const auto id = cluster().find_reservation(name);
    return id.valid() ? show(cluster(), cluster().reservation(id).nodes) : "(none)";
  }
  void nodes(int count) {
    for (int i = 1; i <= count; ++i)
      rm().next.nodes.push_back(node_report("n" + std::to_string(i), procs(2)));
  }
  void state(const std::string& name, NodeState state) {
    auto report = node_report(name, procs(2));
    report.node.reported = state;
    rm().next.nodes.push_back(std::move(report));
  }
};

// Once `second` runs, MAXJOB leaves no room for `third` before `first` ends.
TEST_F(ReservationsTest, KeptReservationsMoveForwardWhenALimitIsRaised) {
  settings.reservation_policy = ReservationPolicy::highest;
  for (auto& stack : settings.reservation_stacks) stack.depth = 3;
  const auto limit_jobs = [this](int most) {
    settings.users["amy"].limits.active[index_of(LimitKind::job)] = Limit{most, most};
  };
  limit_jobs(2);
  core = [this, planner = cycle_planner()](const Cluster& all, Time now) mutable {
    return planner(all, settings, now);
  };
  nodes(3);
  rm().next.arrived = {job_report("first", 2), job_report("other", 4, minutes(30))};
  rm().next.arrived.back().user = "bob";
  rm().next.arrived.push_back(job_report("second", 2));
  rm().next.arrived.push_back(job_report("third", 2));
  const auto begins = [this](const std::string& name) {
    return cluster().reservation(job(name).reservation).start;
  };
  iterate();
  iterate(minutes(1));
  ASSERT_TRUE(job("third").reservation.valid());
  EXPECT_EQ(begins("second"), kNow + minutes(30));
  EXPECT_EQ(begins("third"), kNow + minutes(60));
  limit_jobs(3);
  engine().set_settings(settings);
  iterate(minutes(2));
  EXPECT_EQ(begins("third"), kNow + minutes(30));
}

constexpr std::uint16_t bit(ReservationFlag flag) { return static_cast<std::uint16_t>(flag); }

TEST_F(ReservationsTest, WithoutAFlagTheyKeepANodeThatGoesDown) {
  nodes(3);
  iterate();
  reserve("r", 2, 0);
  state("n2", NodeState::down);
  iterate(minutes(1));
  EXPECT_EQ(nodes_of("r"), "n1:1 n2:1");
}

TEST_F(ReservationsTest, SpaceflexMovesToAnotherNode) {
  nodes(3);
  iterate();
  reserve("r", 2, bit(ReservationFlag::space_flex));
  state("n2", NodeState::down);
  iterate(minutes(1));
  EXPECT_EQ(nodes_of("r"), "n1:1 n3:1");
}

TEST_F(ReservationsTest, SpaceflexStaysWhereNothingBetterIsThere) {
  nodes(2);
  iterate();
  reserve("r", 2, bit(ReservationFlag::space_flex));
  state("n2", NodeState::down);
  iterate(minutes(1));
  EXPECT_EQ(nodes_of("r"), "n1:1 n2:1");
}

TEST_F(ReservationsTest, BesteffortShrinksAndIsFilledUpAgain) {
  nodes(2);
  iterate();
  reserve("r", 2, bit(ReservationFlag::best_effort));
  state("n2", NodeState::down);
  iterate(minutes(1));
  EXPECT_EQ(nodes_of("r"), "n1:1");
  state("n2", NodeState::idle);
  iterate(minutes(2));
  EXPECT_EQ(nodes_of("r"), "n1:1 n2:1");
}

TEST_F(ReservationsTest, AStandingReservationShrinksUnderBesteffort) {
  auto& standing = settings.standing_reservations["s"];
  standing.tasks = 2;
  standing.period = StandingPeriod::infinity;
  put(standing.flags, ReservationFlag::best_effort);
  nodes(2);
  iterate();
  EXPECT_EQ(nodes_of("s.0.0"), "n1:1 n2:1");
  state("n1", NodeState::down);
  iterate(minutes(1));
  EXPECT_EQ(nodes_of("s.0.0"), "n2:1");
}

TEST_F(ReservationsTest, SlideforwardBeginsEarlierWhenItCan) {
  core_starts("long", "n1", 2);
  begin({job_report("long", 2, hours(1))});
  reserve("r", 2, bit(ReservationFlag::slide_forward), hours(3));
  iterate(minutes(1));
  const auto& r = cluster().reservation(cluster().find_reservation("r"));
  EXPECT_EQ(r.start, kNow + hours(1)) << "when the job is to end";
  EXPECT_EQ(r.end, kNow + hours(3));
  rm().next.ended = {{"long", JobState::completed, kNow + minutes(2), 0}};
  iterate(minutes(2));
  EXPECT_EQ(r.start, kNow + minutes(2));
  iterate(minutes(9));
  EXPECT_EQ(r.start, kNow + minutes(2)) << "it has begun";
}

TEST_F(ReservationsTest, AStandingReservationSlidesWithinItsPeriod) {
  auto& standing = settings.standing_reservations["s"];
  standing.tasks = 1;
  standing.start = hours(20);
  standing.end = hours(22);
  put(standing.flags, ReservationFlag::slide_forward);
  nodes(1);
  iterate();
  const auto& today = cluster().reservation(cluster().find_reservation("s.0.0"));
  EXPECT_EQ(today.start, kNow);
  EXPECT_EQ(today.end, kNow + hours(2));
  const auto& tomorrow = cluster().reservation(cluster().find_reservation("s.1.0"));
  EXPECT_EQ(tomorrow.start, Time(12 * 86400)) << "not before its day";
}

TEST_F(ReservationsTest, AStandingReservationThatSlidIsMadeOnceInItsPeriod) {
  auto& standing = settings.standing_reservations["s"];
  standing.tasks = 1;
  standing.depth = 1;
  standing.start = hours(20);
  standing.end = hours(22);
  put(standing.flags, ReservationFlag::slide_forward);
  nodes(1);
  iterate();
  ASSERT_EQ(cluster().reservation(cluster().find_reservation("s.0.0")).end, kNow + hours(2));
  iterate(hours(2));
  iterate(hours(2) + minutes(1));
  EXPECT_FALSE(cluster().find_reservation("s.0.0").valid()) << "its turn of today is over";
}

TEST_F(ReservationsTest, AReservationWithANodeThatGoesDownIsReported) {
  nodes(3);
  iterate();
  reserve("r", 2, 0);
  listener.events.clear();
  state("n2", NodeState::down);
  state("n3", NodeState::down);
  iterate(minutes(1));
  EXPECT_THAT(reported_of(EventType::reservation_corruption),
              ElementsAre("reservation 'r' has nodes that went down: n2"));
  iterate(minutes(2));
  EXPECT_EQ(reported_of(EventType::reservation_corruption).size(), 1U);
}

TEST_F(ReservationsTest, StandingReservationsAreReportedWhenTheyAreMadeAndWhenTheyEnd) {
  auto& standing = settings.standing_reservations["s"];
  standing.hosts = "n1";
  standing.depth = 1;
  standing.start = hours(0);
  standing.end = hours(14);  // in 13 minutes
  nodes(1);
  iterate();
  EXPECT_THAT(reported_of(EventType::reservation_created), ElementsAre("s.0.0"));
  EXPECT_THAT(reported_of(EventType::reservation_destroyed), IsEmpty());
  iterate(minutes(14));
  EXPECT_THAT(reported_of(EventType::reservation_destroyed), ElementsAre("s.0.0"));
}

TEST_F(ReservationsTest, AReservationIsReportedWithTheTypeThatShowresShows) {
  nodes(1);
  iterate();
  Reservation kept;
  kept.name = "course";
  kept.start = kNow;
  kept.end = kNow + hours(1);
  kept.nodes = {{node("n1"), 1, 0}};
  kept.access.criteria = {{AccessKind::group, engine().names().groups.intern("chem").raw()}};
  ASSERT_TRUE(engine().add_reservation(kept));
  ASSERT_EQ(listener.events.back().type, EventType::reservation_created);
  EXPECT_EQ(listener.events.back().words.at(1), "Group");
}

TEST_F(ReservationsTest, AnInfiniteReservationReportsItsEndAsZero) {
  settings.standing_reservations["s"].hosts = "n1";
  settings.standing_reservations["s"].period = StandingPeriod::infinity;
  nodes(1);
  iterate();
  ASSERT_FALSE(listener.events.empty());
  const auto now = std::to_string(kNow.raw());
  EXPECT_THAT(listener.events.back().words,
              ElementsAre("s.0.0", "System", "s.0.0", now, now, "0", "1"));
}

// --- RESERVATIONRETRYTIME -----------------------------------------------------------

class RetryTest : public EngineTest {
 protected:
  RetryTest() {
    core = [this](const Cluster& known, Time now) { return plan(known, engine().settings(), now); };
  }
  /// "first" has a reservation until "long" ends after an hour; then it may start.
  void begin_with_a_reservation() {
    rm().next.nodes = {node_report("n1", procs(2))};
    rm().next.arrived = {job_report("long", 2, hours(1)), job_report("first", 2, hours(2))};
    iterate();
    ASSERT_TRUE(job("first").reservation.valid());
    auto urgent = job_report("urgent", 2, hours(2));
    urgent.job.system_priority = {true, 1};
    rm().next.ended = {{"long", JobState::completed, kNow + hours(1), 0}};
    rm().refuses_starts = "node is not ready";
    iterate(hours(1));
    rm().refuses_starts.reset();
    rm().next.arrived = {urgent};
  }
};

TEST_F(RetryTest, TheJobKeepsItsTurnForThatTime) {
  settings.reservation_stacks.front().retry = minutes(5);
  begin_with_a_reservation();
  EXPECT_TRUE(job("first").waiting());
  EXPECT_EQ(job("first").holds, 0);
  iterate(hours(1) + minutes(1));
  EXPECT_TRUE(job("first").active());
  EXPECT_TRUE(job("urgent").waiting());
  EXPECT_EQ(job("first").failures.retry_until, Time(0));
}

TEST_F(RetryTest, ThatTimeIsThatOfItsStack) {
  settings.reservation_stacks = {{1, {"high"}}, {1, {}}};
  settings.reservation_stacks[0].retry = minutes(5);
  begin_with_a_reservation();
  iterate(hours(1) + minutes(1));
  EXPECT_TRUE(job("urgent").active()) << "'first' is in the other stack";
}

TEST_F(RetryTest, AfterItTheOthersHaveTheirs) {
  settings.reservation_stacks.front().retry = minutes(5);
  begin_with_a_reservation();
  iterate(hours(1) + minutes(5));
  EXPECT_TRUE(job("urgent").active());
  EXPECT_TRUE(job("first").waiting());
}

TEST_F(RetryTest, WithoutItTheReservationIsGone) {
  begin_with_a_reservation();
  iterate(hours(1) + minutes(1));
  EXPECT_TRUE(job("urgent").active());
  EXPECT_TRUE(job("first").waiting());
}

}  // namespace
}  // namespace maui::test
