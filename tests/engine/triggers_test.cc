// TRIGGER: what happens to a standing reservation makes something else happen (seed 7.1.5.2).
#include "engine_fixture.h"

namespace maui::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// kNow is Monday, 12 January 1970, 13:46:40 UTC.
constexpr Time kNextMidnight{12 * kDaySeconds};
constexpr Seconds kTwo = kNextMidnight - hours(10) - kNow;  // 14:00, in 13 minutes and 20 seconds

class TriggersTest : public EngineTest {
 protected:
  TriggersTest() {
    auto& fast = settings.standing_reservations["fast"];
    fast.hosts = "n1";
    fast.start = hours(14);
    fast.end = hours(20);
    fast.depth = 1;
    rm().next.nodes = {node_report("n1", procs(4)), node_report("n2", procs(4))};
  }
  void trigger(TriggerEvent event, Seconds offset, TriggerAction action, std::string data,
               double threshold = 0) {
    Settings more = engine().settings();
    more.standing_reservations["fast"].triggers.push_back(
        {event, offset, threshold, action, std::move(data)});
    engine().set_settings(more);
  }
  bool there() { return cluster().find_reservation("fast.0.0").valid(); }
};

TEST_F(TriggersTest, TheProgramIsRunFiveHoursAfterTheStart) {
  trigger(TriggerEvent::start, hours(5), TriggerAction::execute, "/usr/local/domail.pl");
  iterate();
  iterate(kTwo + hours(5) - Seconds(1));
  EXPECT_THAT(listener.triggered_lines, IsEmpty());
  EXPECT_EQ(engine().next_event(), kNow + kTwo + hours(5));
  iterate(kTwo + hours(5));
  EXPECT_THAT(listener.triggered_lines, ElementsAre("fast.0.0 /usr/local/domail.pl"));
  iterate(kTwo + hours(5) + minutes(1));
  EXPECT_EQ(listener.triggered_lines.size(), 1U);
}

TEST_F(TriggersTest, TheyGoOffWhereAnIterationComesLate) {
  trigger(TriggerEvent::start, Seconds(0), TriggerAction::submit, "nightly.sh");
  iterate();
  iterate(kTwo + minutes(7));
  EXPECT_THAT(listener.triggered_lines, ElementsAre("fast.0.0 nightly.sh"));
}

TEST_F(TriggersTest, AClockThatIsPutBackMakesNothingGoOffTwice) {
  trigger(TriggerEvent::start, Seconds(0), TriggerAction::execute, "once");
  iterate();
  iterate(kTwo + minutes(1));
  iterate(kTwo - minutes(1));
  iterate(kTwo + minutes(2));
  EXPECT_THAT(listener.triggered_lines, ElementsAre("fast.0.0 once"));
}

TEST_F(TriggersTest, AReservationMadeLaterInTheSameSecondOrAfterTheClockWasPutBackBeginsAnew) {
  for (const Seconds when : {Seconds(0), Seconds(-3600)}) {
    SCOPED_TRACE(when.raw());
    iterate();
    Settings more = engine().settings();
    auto& late = more.standing_reservations[when == Seconds(0) ? "soon" : "late"];
    late.hosts = "n2";
    late.depth = 1;
    for (const auto event : {TriggerEvent::create, TriggerEvent::start})
      late.triggers.push_back({event, Seconds(0), 0, TriggerAction::execute, "here"});
    engine().set_settings(more);
    iterate(when);
    EXPECT_EQ(listener.triggered_lines.size(), 2U);
    listener.triggered_lines.clear();
    iterate(when + Seconds(1));
    EXPECT_THAT(listener.triggered_lines, IsEmpty());
  }
}

TEST_F(TriggersTest, ATriggerThatIsConfiguredAfterItsTimeDoesNotGoOff) {
  iterate();
  iterate(kTwo + minutes(5));
  trigger(TriggerEvent::start, minutes(1), TriggerAction::execute, "past");
  trigger(TriggerEvent::start, minutes(10), TriggerAction::execute, "to come");
  iterate(kTwo + minutes(6));
  EXPECT_THAT(listener.triggered_lines, IsEmpty());
  iterate(kTwo + minutes(10));
  EXPECT_THAT(listener.triggered_lines, ElementsAre("fast.0.0 to come"));
}

TEST_F(TriggersTest, ATriggerAfterTheCreationOutlivesTheReservation) {
  trigger(TriggerEvent::create, minutes(1), TriggerAction::execute, "made");
  iterate();
  ASSERT_TRUE(engine().release_reservation(cluster().find_reservation("fast.0.0")));
  iterate(Seconds(30));
  EXPECT_THAT(listener.triggered_lines, IsEmpty());
  iterate(minutes(1));
  EXPECT_THAT(listener.triggered_lines, ElementsAre("fast.0.0 made"));
}

TEST_F(TriggersTest, CreateIsWhenItIsMade) {
  trigger(TriggerEvent::create, minutes(1), TriggerAction::execute, "made");
  trigger(TriggerEvent::create, Seconds(0), TriggerAction::execute, "at once");
  iterate();
  EXPECT_THAT(listener.triggered_lines, ElementsAre("fast.0.0 at once"));
  iterate(minutes(1));
  EXPECT_THAT(listener.triggered_lines, ElementsAre("fast.0.0 at once", "fast.0.0 made"));
}

TEST_F(TriggersTest, AReservationMadeDuringItsTimeStartsThen) {
  trigger(TriggerEvent::start, minutes(10), TriggerAction::execute, "late");
  iterate(kTwo + hours(1));
  EXPECT_THAT(listener.triggered_lines, IsEmpty());
  iterate(kTwo + hours(1) + minutes(10));
  EXPECT_THAT(listener.triggered_lines, ElementsAre("fast.0.0 late"));
}

TEST_F(TriggersTest, TheEndIsThatOfItsTimeOrOfACommand) {
  trigger(TriggerEvent::end, minutes(30), TriggerAction::execute, "over");
  iterate();
  iterate(kTwo + hours(6));
  EXPECT_THAT(listener.triggered_lines, IsEmpty());
  iterate(kTwo + hours(6) + minutes(30));
  EXPECT_THAT(listener.triggered_lines, ElementsAre("fast.0.0 over"));
  iterate(kTwo + hours(25));
  ASSERT_TRUE(engine().release_reservation(cluster().find_reservation("fast.0.0")));
  iterate(kTwo + hours(25) + minutes(30));
  EXPECT_EQ(listener.triggered_lines.size(), 2U);
}

TEST_F(TriggersTest, WhatIsDueAfterTheEndGoesOffThen) {
  trigger(TriggerEvent::start, hours(8), TriggerAction::execute, "late");
  iterate();
  iterate(kTwo + hours(6));
  ASSERT_FALSE(there());
  iterate(kTwo + hours(8) - Seconds(1));
  EXPECT_THAT(listener.triggered_lines, IsEmpty());
  iterate(kTwo + hours(8));
  EXPECT_THAT(listener.triggered_lines, ElementsAre("fast.0.0 late"));
}

TEST_F(TriggersTest, AReservationThatNeverBeganHasNoEnd) {
  trigger(TriggerEvent::end, Seconds(0), TriggerAction::execute, "over");
  iterate();
  ASSERT_TRUE(engine().release_reservation(cluster().find_reservation("fast.0.0")));
  iterate(minutes(1));
  EXPECT_THAT(listener.triggered_lines, IsEmpty());
}

TEST_F(TriggersTest, AReservationThatNobodyUsesIsCancelled) {
  trigger(TriggerEvent::min_load, minutes(30), TriggerAction::cancel, "", 0.5);
  iterate();
  iterate(kTwo + minutes(29));
  EXPECT_TRUE(there());
  iterate(kTwo + minutes(30));
  EXPECT_FALSE(there());
  iterate(kTwo + minutes(31));
  EXPECT_FALSE(there()) << "not for the rest of its period";
}

TEST_F(TriggersTest, MinloadCountsFromWhenAReservationThatHasBegunIsMade) {
  trigger(TriggerEvent::min_load, minutes(30), TriggerAction::cancel, "", 0.5);
  iterate(kTwo + hours(2));
  EXPECT_TRUE(there());
  iterate(kTwo + hours(2) + minutes(29));
  EXPECT_TRUE(there());
  iterate(kTwo + hours(2) + minutes(30));
  EXPECT_FALSE(there());
}

TEST_F(TriggersTest, AReservationIsLoadedByTheJobsThatItAdmits) {
  for (const bool admitted : {true, false}) {
    SCOPED_TRACE(admitted);
    Settings more = settings;
    AccessWord word;
    word.name = admitted ? "amy" : "bob";
    more.standing_reservations["fast"].access = {word};
    engine().set_settings(more);
    trigger(TriggerEvent::min_load, Seconds(0), TriggerAction::cancel, "", 0.5);
    if (admitted) {
      core_starts("j", "n1", 2);
      rm().next.arrived = {job_report("j", 2, hours(20))};
    }
    iterate(admitted ? Seconds(0) : kTwo + minutes(5));
    iterate(kTwo + minutes(10));
    EXPECT_EQ(there(), admitted);
  }
}

TEST_F(TriggersTest, MinloadGoesOffOnce) {
  trigger(TriggerEvent::min_load, Seconds(0), TriggerAction::execute, "idle", 0.5);
  iterate();
  iterate(kTwo);
  iterate(kTwo + minutes(1));
  EXPECT_THAT(listener.triggered_lines, ElementsAre("fast.0.0 idle"));
}

}  // namespace
}  // namespace maui::test
