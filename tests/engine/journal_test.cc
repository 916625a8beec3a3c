// Lines of the log at each level (guide 14.2), and events of nodes (guide 14.4).
#include "engine_fixture.h"
#include "sched/cycle.h"

namespace maui::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class JournalTest : public EngineTest {
 protected:
  JournalTest() {
    listener.verbosity = 9;
    listener.events_wanted = true;
    core = [this](const Cluster& known, Time now) { return plan(known, settings, now); };
  }
  /// The lines of one level.
  std::vector<std::string> at(int level) {
    std::vector<std::string> lines;
    for (const auto& line : listener.lines)
      if (line.starts_with(std::to_string(level) + " ")) lines.push_back(line.substr(2));
    return lines;
  }
  void report(const std::string& name, NodeState state, Seconds when) {
    auto report = node_report(name, procs(2));
    report.node.reported = state;
    rm().next.nodes.push_back(std::move(report));
    listener.lines.clear();
    listener.events.clear();
    iterate(when);
  }
};

TEST_F(JournalTest, StartsEndsHoldsAndReservationsAreAtThree) {
  begin({job_report("a", 4), job_report("b", 4)});
  EXPECT_THAT(at(3), Contains("job 'a' started on 2 nodes"));
  EXPECT_THAT(at(3), Contains(HasSubstr("reservation 'b' made on 2 nodes: it begins ")));
  listener.lines.clear();
  ASSERT_TRUE(set_holds(engine(), id("b"), static_cast<std::uint8_t>(Hold::user)));
  EXPECT_THAT(at(3), ElementsAre("job 'b' has these holds now: User"));
  ASSERT_TRUE(set_holds(engine(), id("b"), 0));
  EXPECT_THAT(at(3), Contains("job 'b' has these holds now: none"));
  rm().next.ended = {{"a", JobState::completed, kNow + minutes(1)}};
  iterate(minutes(1));
  EXPECT_THAT(at(3), Contains("job 'a' completed"));
}

TEST_F(JournalTest, AFailedPollIsWrittenOnceHoweverOftenItsAnswerIsGivenAgain) {
  begin({});
  const std::string line =
      "ERROR: cannot get the state of resource manager 'scripted': connection refused";
  rm().down = "connection refused";
  rm().kept_records.resize(2);
  rm().kept_records[1].failed_polls = 1;
  iterate(minutes(1));
  EXPECT_THAT(at(0), Contains(line).Times(1));
  iterate(minutes(2));  // it was not asked: it has a pause
  EXPECT_THAT(at(0), Contains(line).Times(1));
  rm().kept_records[1].failed_polls = 2;
  iterate(minutes(3));
  EXPECT_THAT(at(0), Contains(line).Times(2));
}

TEST_F(JournalTest, ReservationsOfAdministratorsAreAtThree) {
  begin({});
  Reservation r;
  r.name = "maint";
  r.start = kNow;
  r.end = kNow + hours(1);
  r.nodes = {{node("n1"), 1, 0}};
  const auto made = engine().add_reservation(std::move(r));
  ASSERT_TRUE(made);
  EXPECT_THAT(at(3), Contains(HasSubstr("reservation 'maint' made on 1 node")));
  ASSERT_TRUE(engine().release_reservation(*made));
  EXPECT_THAT(at(3), Contains("reservation 'maint' has ended"));
}

TEST_F(JournalTest, RunjobIsAStartLikeAnyOther) {
  core = {};
  begin({job_report("a", 1)});
  ASSERT_TRUE(engine().run_job(id("a"), {}));
  EXPECT_THAT(at(3), Contains("job 'a' started on 1 node"));
}

TEST_F(JournalTest, TheOutcomeOfAnIterationIsAtFour) {
  begin({job_report("a", 4), job_report("b", 4)});
  EXPECT_THAT(at(4), Contains("iteration 0 begins: 0 nodes, 0 active and 0 waiting jobs"));
  EXPECT_THAT(at(4), Contains("iteration 0 is done: 1 job started and 1 reserved, 2 of 2 waiting "
                              "jobs were eligible, 1 job is active"));
}

TEST_F(JournalTest, WhyAJobWaitsIsAtFiveWithTheLimit) {
  settings.users["amy"].limits.active[0] = Limit{1, 1};  // MAXJOB
  begin({job_report("a", 1), job_report("b", 1), job_report("c", 4)});
  EXPECT_THAT(at(5), Contains(HasSubstr("job 'b' rejected (violates active")));
}

TEST_F(JournalTest, WhyAJobWaitsForResourcesIsAtFive) {
  begin({job_report("a", 4), job_report("b", 4), job_report("c", 1)});
  ASSERT_TRUE(set_holds(engine(), id("c"), static_cast<std::uint8_t>(Hold::user)));
  listener.lines.clear();
  iterate(minutes(1));
  EXPECT_THAT(at(5), Contains("job 'b' rejected (its reservation begins later)"));
  EXPECT_THAT(at(5), Contains("job 'c' rejected (has hold in place: User)"));
  EXPECT_THAT(at(5), Not(Contains(HasSubstr("job 'a'"))));
}

TEST_F(JournalTest, PrioritiesAreAtSixAndPlacesAtEight) {
  begin({job_report("a", 3)});
  EXPECT_THAT(at(6), Contains(HasSubstr("job 'a' has priority ")));
  EXPECT_THAT(at(6), Contains("new node 'n2', 2 in all"));
  EXPECT_THAT(at(8), Contains("job 'a' is on n2:2 n1:1"));
  EXPECT_THAT(at(8), Contains(HasSubstr("node 'n1' in partition DEFAULT: Idle, 2 procs")));
}

TEST_F(JournalTest, EveryStepOfACycleIsAtNine) {
  begin({job_report("a", 1)});
  EXPECT_THAT(at(9), Contains("iteration 0: planning jobs"));
  EXPECT_GE(at(9).size(), 8U);
}

TEST_F(JournalTest, NothingIsMadeThatNobodyWants) {
  listener.verbosity = 2;
  begin({job_report("a", 4), job_report("b", 4)});
  EXPECT_THAT(listener.lines, IsEmpty());
}

TEST_F(JournalTest, ANodeThatGoesDownAndReturnsIsLoggedAndReported) {
  begin({});
  report("n1", NodeState::down, minutes(1));
  const std::string down = "node 'n1' went down: it is Down and was Idle";
  EXPECT_THAT(at(1), ElementsAre("WARNING: " + down));
  EXPECT_THAT(reported_of(EventType::node_down), ElementsAre(down));
  report("n1", NodeState::idle, minutes(2));
  const std::string back = "node 'n1' is up again: it is Idle and was Down";
  EXPECT_THAT(at(1), ElementsAre(back));
  EXPECT_THAT(reported_of(EventType::node_up), ElementsAre(back));
}

TEST_F(JournalTest, ANodeThatIsDrainedIsNotDown) {
  begin({});
  report("n1", NodeState::drained, minutes(1));
  EXPECT_THAT(at(1), IsEmpty());
  EXPECT_THAT(at(2), ElementsAre("node 'n1' is Drained and was Idle"));
  EXPECT_THAT(listener.events, IsEmpty());
}

TEST_F(JournalTest, ANodeThatIsReportedNoLongerIsDown) {
  begin({});
  rm().next.lost_nodes = {"n2"};
  iterate(minutes(1));
  EXPECT_THAT(reported_of(EventType::node_down),
              ElementsAre("node 'n2' went down: it is Unknown and was Idle"));
}

TEST_F(JournalTest, AnActiveJobWhoseNodeGoesDownIsCorrupt) {
  begin({job_report("a", 3)});
  report("n2", NodeState::down, minutes(1));
  const std::string text = "job 'a' has nodes that went down: n2";
  EXPECT_THAT(reported_of(EventType::job_corruption), ElementsAre(text));
  EXPECT_THAT(at(1), Contains("ALERT: " + text));
  iterate(minutes(2));
  EXPECT_EQ(reported_of(EventType::job_corruption).size(), 1U) << "once";
}

TEST_F(JournalTest, LinesAboutAJobAreItsUsers) {
  begin({job_report("a", 4), job_report("b", 4)});
  rm().next.ended = {{"a", JobState::completed, kNow + minutes(1)}};
  iterate(minutes(1));
  for (const char* line : {"job 'a' of user amy queued: 4 procs for 3600 seconds",
                           "job 'a' started on 2 nodes", "job 'a' completed"})
    EXPECT_THAT(listener.caused, Contains(Listener::Caused{LineCause::job, "amy", line}));
  EXPECT_THAT(listener.caused,
              Contains(AllOf(Field(&Listener::Caused::party, "amy"),
                             Field(&Listener::Caused::text, HasSubstr("reservation 'b' made")))));
}

TEST_F(JournalTest, ARefusedRequestIsOfTheJobsUserToo) {
  rm().refuses_starts = "no such queue";
  begin({job_report("a", 4)});
  EXPECT_THAT(listener.caused, Contains(Listener::Caused{LineCause::refusal, "amy",
                                                         "ERROR: cannot start job 'a': no such "
                                                         "queue"}));
}

// Programs of users' events take turns.
TEST_F(JournalTest, EventsOfAReservationAreOfWhoMadeIt) {
  begin({});
  listener.events_wanted = true;
  const auto party = [this](const std::string& owner, const std::string& maker) {
    Reservation r;
    r.start = kNow;
    r.end = kNow + hours(1);
    r.nodes = {{node("n1"), 1, 0}};
    r.owner = owner;
    r.made_by = maker;
    listener.events.clear();
    const auto made = engine().add_reservation(std::move(r));
    EXPECT_TRUE(made && engine().release_reservation(*made));
    EXPECT_EQ(listener.events.size(), 2U);
    EXPECT_EQ(listener.events.front().party, listener.events.back().party);
    return listener.events.back().party;
  };
  EXPECT_EQ(party("amy", ""), "amy");
  EXPECT_EQ(party("bob", "amy"), "amy") << "it was made over";
  EXPECT_EQ(party("USER:bob", "amy"), "amy");
  EXPECT_EQ(party("100001", ""), party("bob", "100002")) << "a person may have thousands of these";
  EXPECT_EQ(party("", ""), "reservations");
}

TEST_F(JournalTest, LinesAboutANodeAreItsResourceManagers) {
  begin({});
  auto down = node_report("n1", procs(2));
  down.node.reported = NodeState::down;
  down.node.resource_manager = "base";
  rm().next.nodes = {down};
  iterate(minutes(1));
  EXPECT_THAT(listener.caused,
              Contains(Listener::Caused{LineCause::report, "resource manager 'base'",
                                        "WARNING: node 'n1' went down: it is Down and was Idle"}));
}

}  // namespace
}  // namespace maui::test
