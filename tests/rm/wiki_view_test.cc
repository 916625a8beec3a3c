#include "rm/wiki_view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

namespace maui {
namespace {

constexpr Time kPolledAt{1'000'000};
constexpr auto kUserHold = static_cast<std::uint8_t>(Hold::user);
constexpr auto kSystemHold = static_cast<std::uint8_t>(Hold::system);

class WikiViewTest : public testing::Test {
 protected:
  static WikiRecords records(std::string_view data) {
    auto found = read_wiki_records(data);
    EXPECT_TRUE(found) << data;
    return found ? *std::move(found) : WikiRecords{};
  }
  Update nodes(std::string_view data, bool all = true) {
    Update update;
    view.take_nodes(records(data), all, cluster, update);
    return update;
  }
  Update jobs(std::string_view data, bool all = true, Time now = kPolledAt) {
    Update update;
    view.take_jobs(records(data), all, cluster, now, update);
    return update;
  }
  static std::string job(std::string_view rest) {
    return "1#a:UNAME=ann;WCLIMIT=600;TASKS=1;" + std::string(rest);
  }

  /// The scheduler knows node n1, and job a in that state.
  void know_node(const std::string& manager = "base") {
    Node node;
    node.name = "n1";
    node.configured = Resources(4);
    node.reported = NodeState::idle;
    node.resource_manager = manager;
    cluster.add_node(std::move(node));
  }
  JobId know_job(const std::string& manager = "base") {
    Job known;
    known.name = "a";
    known.resource_manager = manager;
    return cluster.add_job(std::move(known), Request{});
  }
  JobId know_running() {
    know_node();
    const JobId id = know_job();
    cluster.start_job(id, {{NodeId(0U), 1, 0}}, kPolledAt - Seconds(100));
    return id;
  }

  Cluster cluster;
  WikiView view{"base"};
};

TEST_F(WikiViewTest, AnUnchangedNodeIsReportedOnce) {
  EXPECT_EQ(nodes("1#n1:STATE=Idle;CPROC=4;UPDATETIME=1;").nodes.size(), 1u);
  EXPECT_TRUE(nodes("1#n1:STATE=Idle;CPROC=4;UPDATETIME=2;").nodes.empty());
  const auto changed = nodes("1#n1:STATE=Drained;CPROC=4;");
  ASSERT_EQ(changed.nodes.size(), 1u);
  EXPECT_EQ(changed.nodes[0].node.reported, NodeState::drained);
  EXPECT_EQ(changed.nodes[0].node.resource_manager, "base");
}

TEST_F(WikiViewTest, AShortRecordKeepsTheAttributesThatItOmits) {
  nodes("1#n1:STATE=Idle;CPROC=4;CMEMORY=100;");
  const auto update = nodes("1#n1:STATE=Running;", false);
  ASSERT_EQ(update.nodes.size(), 1u);
  EXPECT_EQ(update.nodes[0].node.configured, Resources(4, 100));
}

TEST_F(WikiViewTest, ANodeThatIsReportedNoLongerIsLostOnceAndMayReturn) {
  nodes("2#n1:STATE=Idle;CPROC=4;#n2:STATE=Idle;CPROC=2;");
  EXPECT_TRUE(nodes("1#n1:STATE=Idle;CPROC=4;", false).lost_nodes.empty()) << "it did not change";
  EXPECT_EQ(nodes("1#n1:STATE=Idle;CPROC=4;").lost_nodes, (std::vector<std::string>{"n2"}));
  EXPECT_TRUE(nodes("1#n1:STATE=Idle;CPROC=4;").lost_nodes.empty());
  const auto back = nodes("2#n1:STATE=Idle;CPROC=4;#n2:STATE=Idle;CPROC=2;");
  ASSERT_EQ(back.nodes.size(), 1u);
  EXPECT_EQ(back.nodes[0].node.name, "n2");
}

TEST_F(WikiViewTest, ANodeThatReturnsBeforeItsLossWasHeardOfIsNotLost) {
  nodes("1#n1:STATE=Idle;CPROC=4;");
  Update update;
  view.take_nodes(records("0#"), true, cluster, update);
  EXPECT_EQ(update.lost_nodes.size(), 1u);
  view.take_nodes(records("1#n1:STATE=Idle;CPROC=4;"), true, cluster, update);
  EXPECT_TRUE(update.lost_nodes.empty());
  EXPECT_EQ(update.nodes.size(), 1u);
}

TEST_F(WikiViewTest, ReportsAnInvalidRecordOnceAndKeepsTheLastValidRecord) {
  nodes("1#n1:STATE=Idle;CPROC=4;");
  view.take_notes();
  EXPECT_TRUE(nodes("1#n1:STATE=Idle;CPROC=many;").nodes.empty());
  const auto notes = view.take_notes();
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_NE(notes[0].find("node 'n1': invalid CPROC 'many'"), notes[0].npos);
  EXPECT_EQ(notes[1], "node 'n1': its previous report remains valid");
  nodes("1#n1:STATE=Idle;CPROC=many;");
  EXPECT_TRUE(view.take_notes().empty());
}

TEST_F(WikiViewTest, UnknownAttributesAreNotedOnce) {
  nodes("2#n1:STATE=Idle;COLOR=red;#n2:STATE=Idle;COLOR=red;");
  EXPECT_EQ(view.take_notes(), (std::vector<std::string>{"attribute COLOR is unknown: ignored"}));
}

TEST_F(WikiViewTest, ANameOfAnotherResourceManagerIsIgnored) {
  know_node("other");
  know_job("other");
  EXPECT_TRUE(nodes("1#n1:STATE=Idle;CPROC=8;").nodes.empty());
  const auto update = jobs(job("STATE=Completed;"));
  EXPECT_TRUE(update.ended.empty() && update.arrived.empty());
  EXPECT_EQ(view.take_notes().size(), 2u);
}

// Both brought it at once, and the other was taken.
TEST_F(WikiViewTest, ANodeThatAnotherResourceManagerHasIsSaidAndIsNotLost) {
  EXPECT_EQ(nodes("1#n1:STATE=Idle;CPROC=4;").nodes.size(), 1u);
  know_node("other");
  EXPECT_TRUE(nodes("1#n1:STATE=Idle;CPROC=4;").nodes.empty());
  EXPECT_EQ(
      view.take_notes(),
      (std::vector<std::string>{"node 'n1' already belongs to resource manager 'other': ignored"}));
  EXPECT_TRUE(nodes("0#").lost_nodes.empty());
}

TEST_F(WikiViewTest, ANodeThatIsForgottenIsNobodys) {
  know_node("");
  Node forgotten = cluster.node(NodeId(0U));
  forgotten.purged = true;
  cluster.update_node(NodeId(0U), forgotten, Time(1));
  EXPECT_EQ(nodes("1#n1:STATE=Idle;CPROC=4;").nodes.size(), 1u);
}

TEST_F(WikiViewTest, AJobArrivesWithWhatItAsksFor) {
  const auto update = jobs(job("STATE=Idle;QUEUETIME=999000;"));
  ASSERT_EQ(update.arrived.size(), 1u);
  const JobReport& report = update.arrived[0];
  EXPECT_EQ(report.name, "a");
  EXPECT_EQ(report.user, "ann");
  EXPECT_EQ(report.request.limit, Seconds(600));
  EXPECT_EQ(report.job.state, JobState::idle);
  EXPECT_EQ(report.job.submitted, Time(999000));
  EXPECT_EQ(report.problem, "");
}

/// Another resource manager has a job of that name.
class TakenNameTest : public WikiViewTest {
 protected:
  void free_name() {
    const JobId id = cluster.find_job("a");
    cluster.end_job(id, JobState::removed, kPolledAt);
    cluster.forget_job(id);
  }
};

TEST_F(TakenNameTest, TheJobArrivesWhenTheNameIsFree) {
  know_job("other");
  EXPECT_TRUE(jobs(job("STATE=Idle;")).arrived.empty());
  EXPECT_EQ(
      view.take_notes(),
      (std::vector<std::string>{"job 'a' already belongs to resource manager 'other': ignored"}));
  free_name();
  EXPECT_EQ(jobs(job("STATE=Idle;")).arrived.size(), 1u);
}

TEST_F(TakenNameTest, AlsoIfOnlyChangesAreReported) {
  know_job("other");
  jobs(job("STATE=Idle;"));
  EXPECT_TRUE(jobs("0#", false).arrived.empty());
  EXPECT_TRUE(jobs("1#a:WCLIMIT=700;", false).arrived.empty());
  free_name();
  const auto update = jobs("0#", false);
  ASSERT_EQ(update.arrived.size(), 1u);
  EXPECT_EQ(update.arrived[0].user, "ann");
  EXPECT_EQ(update.arrived[0].request.limit, Seconds(700));
  know_job();
  EXPECT_TRUE(jobs("0#", false).arrived.empty());
}

TEST_F(TakenNameTest, AChangeWhenTheNameIsFreeCompletesWhatWasIgnored) {
  know_job("other");
  jobs(job("STATE=Idle;"));
  free_name();
  const auto update = jobs("1#a:WCLIMIT=700;", false);
  ASSERT_EQ(update.arrived.size(), 1u);
  EXPECT_EQ(update.arrived[0].user, "ann");
  EXPECT_EQ(update.arrived[0].request.limit, Seconds(700));
}

TEST_F(TakenNameTest, AJobThatTheManagerNoLongerListsDoesNotArrive) {
  know_job("other");
  jobs(job("STATE=Idle;"));
  jobs("0#");
  free_name();
  EXPECT_TRUE(jobs("0#", false).arrived.empty());
}

TEST_F(TakenNameTest, AJobThatAnotherGotAheadOfItArrivesWhenTheNameIsFree) {
  EXPECT_EQ(jobs(job("STATE=Idle;")).arrived.size(), 1u);
  know_job("other");  // reported at the same time
  EXPECT_TRUE(jobs("0#", false).arrived.empty());
  free_name();
  EXPECT_EQ(jobs("0#", false).arrived.size(), 1u);
}

TEST_F(TakenNameTest, AJobThatEndedMeanwhileIsReportedAsEnded) {
  for (const bool all : {true, false}) {
    view = WikiView("base");
    jobs(job("STATE=Idle;"));
    know_job("other");
    jobs(job("STATE=Running;STARTTIME=999000;TASKLIST=n1;"), all);
    jobs(job("STATE=Completed;STARTTIME=999000;COMPLETETIME=999500;TASKLIST=n1;"), all);
    free_name();
    const auto update =
        all ? jobs(job("STATE=Completed;STARTTIME=999000;COMPLETETIME=999500;TASKLIST=n1;"))
            : jobs("0#", false);
    ASSERT_EQ(update.past.size(), 1u) << all;
    EXPECT_EQ(update.past[0].end.when, Time(999500));
  }
}

TEST_F(WikiViewTest, TheNameOfAJobThatIsAwaitedFromAnotherManagerIsItsOwn) {
  cluster.awaited_jobs.add("other", "a");
  for (const char* state : {"STATE=Idle;", "STATE=Running;STARTTIME=999000;TASKLIST=n1;",
                            "STATE=Completed;STARTTIME=999000;COMPLETETIME=999500;"}) {
    const auto update = jobs(job(state));
    EXPECT_TRUE(update.arrived.empty() && update.past.empty()) << state;
  }
  EXPECT_EQ(view.take_notes(),
            (std::vector<std::string>{
                "job 'a' belonged to resource manager 'other' when the checkpoint was written, and "
                "that has not listed its jobs since: ignored"}));
  jobs(job("STATE=Idle;"));
  cluster.awaited_jobs.drop_manager("other");
  EXPECT_EQ(jobs("0#", false).arrived.size(), 1u);
}

TEST_F(WikiViewTest, AJobThatIsAwaitedFromThisManagerArrives) {
  cluster.awaited_jobs.add("base", "a");
  EXPECT_EQ(jobs(job("STATE=Idle;")).arrived.size(), 1u);
}

TEST_F(WikiViewTest, AJobOfUnknownStateArrivesAndItsStateFollows) {
  const auto first = jobs(job("STATE=Unknown;"));
  ASSERT_EQ(first.arrived.size(), 1u);
  EXPECT_EQ(first.arrived[0].job.state, JobState::not_queued);
  EXPECT_EQ(first.arrived[0].problem, "");
  know_job();
  EXPECT_TRUE(jobs(job("STATE=Unknown;")).statuses.empty());
  const auto later = jobs(job("STATE=Idle;"));
  ASSERT_EQ(later.statuses.size(), 1u);
  EXPECT_EQ(later.statuses[0].state, JobState::idle);
}

TEST_F(WikiViewTest, AJobThatRunsArrivesWithItsNodes) {
  const auto update = jobs(job("STATE=Running;STARTTIME=999900;TASKLIST=n1:n1;"));
  ASSERT_EQ(update.arrived.size(), 1u);
  EXPECT_EQ(update.arrived[0].job.state, JobState::running);
  EXPECT_EQ(update.arrived[0].job.started, Time(999900));
  EXPECT_EQ(update.arrived[0].task_list, (std::vector<std::string>{"n1", "n1"}));
}

TEST_F(WikiViewTest, AJobThatLacksWhatItTakesArrivesWithTheReason) {
  const auto update = jobs("1#a:STATE=Idle;TASKS=1;");
  ASSERT_EQ(update.arrived.size(), 1u);
  EXPECT_EQ(update.arrived[0].problem, "the resource manager does not report UNAME");
}

TEST_F(WikiViewTest, AJobThatCannotBeReadArrivesWithTheReason) {
  const auto update = jobs(job("STATE=Idle;DPROCS=x;"));
  ASSERT_EQ(update.arrived.size(), 1u);
  EXPECT_NE(update.arrived[0].problem.find("invalid DPROCS 'x'"), std::string::npos);
}

TEST_F(WikiViewTest, AnUnchangedJobIsNotReported) {
  jobs(job("STATE=Idle;"));
  know_job();
  const auto update = jobs(job("STATE=Idle;UPDATETIME=5;"));
  EXPECT_TRUE(update.arrived.empty() && update.statuses.empty() && update.changed.empty());
}

TEST_F(WikiViewTest, ReportsADivergingStateAtEveryPoll) {
  jobs(job("STATE=Idle;"));
  know_running();
  for (int i = 0; i < 2; ++i) {
    const auto update = jobs(job("STATE=Idle;"));
    ASSERT_EQ(update.statuses.size(), 1u);
    EXPECT_EQ(update.statuses[0].state, JobState::idle);
  }
  EXPECT_EQ(jobs(job("STATE=Running;TASKLIST=n1;")).statuses.size(), 1u) << "it is news";
  EXPECT_TRUE(jobs(job("STATE=Running;TASKLIST=n1;")).statuses.empty());
}

TEST_F(WikiViewTest, ReportsARepeatedEndOnce) {
  know_running();
  jobs(job("STATE=Running;"));
  const auto update = jobs(job("STATE=Completed;EXITCODE=3;COMPLETETIME=999990;"));
  ASSERT_EQ(update.ended.size(), 1u);
  EXPECT_EQ(update.ended[0].state, JobState::completed);
  EXPECT_EQ(update.ended[0].exit_code, 3);
  EXPECT_EQ(update.ended[0].when, Time(999990));
  EXPECT_TRUE(
      jobs(job("STATE=Completed;EXITCODE=3;COMPLETETIME=999990;UPDATETIME=7;")).ended.empty());
  EXPECT_TRUE(jobs("0#").lost.empty() || cluster.find_job("a").valid());
}

TEST_F(WikiViewTest, AnEndedJobKeepsItsStartTime) {
  const JobId id = know_running();
  jobs(job("STATE=Starting;"));
  cluster.set_starting(id);
  const auto update = jobs(job("STATE=Completed;STARTTIME=999950;COMPLETETIME=999990;"));
  ASSERT_EQ(update.statuses.size(), 1u);
  EXPECT_EQ(update.statuses[0].state, JobState::running);
  EXPECT_EQ(update.statuses[0].started, Time(999950));
  ASSERT_EQ(update.ended.size(), 1u);
  EXPECT_EQ(update.ended[0].when, Time(999990));
}

TEST_F(WikiViewTest, AnEndByAClockThatIsBehindIsAsLongAfterTheStartAsReported) {
  know_running();  // since 999900
  jobs(job("STATE=Running;STARTTIME=999880;"));
  const auto update = jobs(job("STATE=Completed;STARTTIME=999880;COMPLETETIME=999970;"));
  ASSERT_EQ(update.ended.size(), 1u);
  EXPECT_EQ(update.ended[0].when, Time(999990));
}

// Its start was dated 30 s after the time at which it was reported.
TEST_F(WikiViewTest, AnEndByAClockThatIsAheadIsAsLongAfterTheStartAsReported) {
  const JobId id = know_running();  // since 999900
  cluster.set_clock_set(id, Seconds(-30));
  const auto update = jobs(job("STATE=Completed;STARTTIME=999900;COMPLETETIME=1000020;"));
  ASSERT_EQ(update.ended.size(), 1u);
  EXPECT_EQ(update.ended[0].when, Time(999990));
}

TEST_F(WikiViewTest, ASuspensionByAClockThatIsAheadCounts) {
  const JobId id = know_running();  // since 999900
  cluster.set_clock_set(id, Seconds(-130));
  const auto update = jobs(job("STATE=Running;TASKLIST=n1;STARTTIME=1000030;SUSPENDTIME=8;"));
  ASSERT_EQ(update.statuses.size(), 1u);
  EXPECT_EQ(update.statuses[0].suspended_time, Seconds(8));
}

// The clock may have been set back during the run, and forward since its end.
TEST_F(WikiViewTest, AnEndBeforeTheStartOfARunIsReportedAsItIsDated) {
  know_running();  // since 999900
  const auto update = jobs(job("STATE=Completed;STARTTIME=999900;COMPLETETIME=999310;"));
  ASSERT_EQ(update.ended.size(), 1u);
  EXPECT_EQ(update.ended[0].when, Time(999310));
}

// Both clocks are right: the resource manager reads its own more finely, and stamps whole seconds.
TEST_F(WikiViewTest, AnEndThatIsASecondAheadIsRoundedAndNothingIsLost) {
  know_running();  // since 999900
  jobs(job("STATE=Running;STARTTIME=999900;"));
  const auto update = jobs(job("STATE=Completed;STARTTIME=999900;COMPLETETIME=1000001;"));
  ASSERT_EQ(update.ended.size(), 1u);
  EXPECT_EQ(update.ended[0].when, Time(1000001));
  EXPECT_TRUE(view.take_notes().empty());
}

TEST_F(WikiViewTest, AnEndThatIsASecondAheadIsNotFromBeforeTheClockWasSetBack) {
  const JobId id = know_running();  // since 999900
  cluster.set_clock_set(id, Seconds(-3600));
  const auto update = jobs(job("STATE=Completed;STARTTIME=999900;COMPLETETIME=1000001;"));
  ASSERT_EQ(update.ended.size(), 1u);
  EXPECT_EQ(update.ended[0].when, Time(1000001));
}

TEST_F(WikiViewTest, AnEndOfAnUnknownJobThatIsASecondAheadIsRounded) {
  const auto update =
      jobs(job("STATE=Completed;STARTTIME=999900;COMPLETETIME=1000001;TASKLIST=n1;"));
  ASSERT_EQ(update.past.size(), 1u);
  EXPECT_EQ(update.past[0].end.when, Time(1000001));
  EXPECT_TRUE(view.take_notes().empty());
}

TEST_F(WikiViewTest, AnEndThatIsFurtherAheadIsByAnotherClock) {
  know_running();  // since 999900
  const auto update = jobs(job("STATE=Completed;STARTTIME=999900;COMPLETETIME=1000002;"));
  ASSERT_EQ(update.ended.size(), 1u);
  EXPECT_EQ(update.ended[0].when, kPolledAt);
  EXPECT_EQ(view.take_notes().size(), 1u);
}

// The last poll before the end came later than the clock was ahead.
TEST_F(WikiViewTest, AnEndByAClockThatIsAheadIsCorrectedEvenIfItIsNoLongerInTheFuture) {
  const JobId id = know_running();  // since 999900
  cluster.set_clock_ahead(id, Seconds(30));
  const auto update = jobs(job("STATE=Completed;STARTTIME=999900;COMPLETETIME=999980;"));
  ASSERT_EQ(update.ended.size(), 1u);
  EXPECT_EQ(update.ended[0].when, Time(999950));
}

TEST_F(WikiViewTest, AStepOfTheClockIsNoSuspension) {
  cluster.set_clock_set(know_running(), Seconds(3600));
  const auto update = jobs(job("STATE=Running;TASKLIST=n1;STARTTIME=999900;SUSPENDTIME=8;"));
  ASSERT_EQ(update.statuses.size(), 1u);
  EXPECT_EQ(update.statuses[0].suspended_time, Seconds(8));
}

TEST_F(WikiViewTest, ASuspensionThatIsReportedWithTheEndCounts) {
  know_running();
  jobs(job("STATE=Running;STARTTIME=999900;"));
  const auto update =
      jobs(job("STATE=Completed;STARTTIME=999900;COMPLETETIME=999990;SUSPENDTIME=40;"));
  ASSERT_EQ(update.statuses.size(), 1u);
  EXPECT_EQ(update.statuses[0].suspended_time, Seconds(40));
}

TEST_F(WikiViewTest, AJobThatArrivesEndedIsReportedOnceAsPast) {
  const auto first =
      jobs(job("STATE=Completed;EXITCODE=3;STARTTIME=999000;COMPLETETIME=999990;TASKLIST=n1;"));
  EXPECT_TRUE(first.ended.empty() && first.arrived.empty());
  ASSERT_EQ(first.past.size(), 1u);
  EXPECT_EQ(first.past[0].end.when, Time(999990));
  EXPECT_EQ(first.past[0].end.exit_code, 3);
  EXPECT_EQ(first.past[0].report.job.started, Time(999000));
  EXPECT_EQ(first.past[0].report.task_list, (std::vector<std::string>{"n1"}));
  EXPECT_TRUE(jobs(job("STATE=Completed;")).past.empty());
}

TEST_F(WikiViewTest, DoesNotReportTheProblemOfAnEndedJob) {
  const auto update = jobs("1#a:UNAME=ann;WCLIMIT=600;TASKS=0;STATE=Removed;COMPLETETIME=999990;");
  EXPECT_NE(update.past.at(0).report.problem, "") << "it counts nowhere";
  EXPECT_TRUE(view.take_notes().empty());
}

TEST_F(WikiViewTest, AJobThatCameAndEndedBetweenPollsIsReportedAsPast) {
  jobs("0#");
  const auto update = jobs(job("STATE=Completed;"));
  EXPECT_TRUE(update.ended.empty() && update.arrived.empty());
  EXPECT_EQ(update.past.size(), 1u);
}

TEST_F(WikiViewTest, AChangedStateIsReportedEvenIfKnown) {
  jobs(job("STATE=Running;TASKLIST=elsewhere;"));
  know_job();
  const auto update = jobs(job("STATE=Idle;"));
  ASSERT_EQ(update.statuses.size(), 1u);
  EXPECT_EQ(update.statuses[0].state, JobState::idle);
}

TEST_F(WikiViewTest, TimesAheadOfTheClockAreTakenAsNow) {
  know_running();
  const auto update = jobs(job("STATE=Removed;COMPLETETIME=2000000;"));
  ASSERT_EQ(update.ended.size(), 1u);
  EXPECT_EQ(update.ended[0].when, kPolledAt);
  EXPECT_EQ(view.take_notes().size(), 1u);
}

// The scheduler knows whether its clock was set back since then.
TEST_F(WikiViewTest, ASubmissionAndAStartAheadOfTheClockStay) {
  const auto update = jobs(job("STATE=Running;TASKLIST=n1;QUEUETIME=1000050;STARTTIME=1000060;"));
  ASSERT_EQ(update.arrived.size(), 1u);
  EXPECT_EQ(update.arrived[0].job.submitted, Time(1'000'050));
  EXPECT_EQ(update.arrived[0].job.started, Time(1'000'060));
  EXPECT_EQ(update.arrived[0].job.suspended_time, Seconds(0));
  EXPECT_EQ(view.take_notes().size(), 1u);
}

TEST_F(WikiViewTest, AnEndAfterTheClockWasSetBackIsBeforeTheStart) {
  cluster.set_clock_set(know_running(), Seconds(-300));
  const auto update = jobs(job("STATE=Completed;STARTTIME=999900;COMPLETETIME=999850;"));
  ASSERT_EQ(update.ended.size(), 1u);
  EXPECT_EQ(update.ended[0].when, Time(999'850));
}

TEST_F(WikiViewTest, AJobThatArrivesWasNotSuspendedForLongerThanItsRun) {
  for (const char* run : {"STATE=Running;TASKLIST=n1;STARTTIME=999900;SUSPENDTIME=99999999;",
                          "STATE=Suspended;TASKLIST=n1;STARTTIME=999900;SUSPENDTIME=200;",
                          "STATE=Running;TASKLIST=n1;SUSPENDTIME=200;"}) {
    SCOPED_TRACE(run);
    view = WikiView("base");
    const auto update = jobs(job(run));
    ASSERT_EQ(update.arrived.size(), 1u);
    EXPECT_EQ(update.arrived[0].job.suspended_time, Seconds(0));
    EXPECT_EQ(view.take_notes(),
              (std::vector<std::string>{"job 'a' is reported to have been suspended for longer "
                                        "than its run has lasted: ignored"}));
  }
}

TEST_F(WikiViewTest, AJobThatArrivesEndedWasNotSuspendedForLongerThanItsRun) {
  const auto update =
      jobs(job("STATE=Completed;STARTTIME=999900;COMPLETETIME=999950;SUSPENDTIME=60;"));
  ASSERT_EQ(update.past.size(), 1u);
  EXPECT_EQ(update.past[0].report.job.suspended_time, Seconds(0));
  EXPECT_EQ(view.take_notes().size(), 1u);
}

// Its run began 100 s ago, whatever start the record has.
class SuspensionOfARun : public WikiViewTest, public testing::WithParamInterface<const char*> {
 protected:
  std::optional<Seconds> suspended(const char* seconds) {
    jobs(job("STATE=Running;TASKLIST=n1;STARTTIME=999900;"));
    const auto update = jobs(job(std::string(GetParam()) + "SUSPENDTIME=" + seconds + ";"));
    return update.statuses.empty() ? std::nullopt : update.statuses.front().suspended_time;
  }
};

TEST_P(SuspensionOfARun, CountsAtMostForAsLongAsTheRunLasts) {
  know_running();
  EXPECT_EQ(suspended("40"), Seconds(40));
  EXPECT_TRUE(view.take_notes().empty());
}

TEST_P(SuspensionOfARun, IsRoundedUpByTheServer) {
  know_running();
  EXPECT_EQ(suspended("101"), Seconds(100));
  EXPECT_TRUE(view.take_notes().empty());
}

TEST_P(SuspensionOfARun, OfMoreSecondsThanItSaysNothing) {
  know_running();
  EXPECT_EQ(suspended("103"), std::nullopt);
  EXPECT_EQ(view.take_notes().size(), 1u);
}

TEST_P(SuspensionOfARun, OfAnyNumberOfSecondsSaysNothing) {
  cluster.set_suspended_time(know_running(), Seconds(30));
  EXPECT_EQ(suspended("2147483647"), std::nullopt);
}
INSTANTIATE_TEST_SUITE_P(States, SuspensionOfARun,
                         testing::Values("STATE=Running;TASKLIST=n1;STARTTIME=1;", "STATE=Idle;",
                                         "STATE=Hold;", "STATE=Idle;STARTTIME=1;",
                                         "STATE=Suspended;TASKLIST=n1;",
                                         "STATE=Completed;STARTTIME=999900;COMPLETETIME=1000000;",
                                         "STATE=Removed;"));

TEST_F(WikiViewTest, ASuspensionIsNoLongerThanARunThatHasEnded) {
  know_running();
  const auto update =
      jobs(job("STATE=Completed;STARTTIME=999900;COMPLETETIME=999950;SUSPENDTIME=60;"));
  EXPECT_TRUE(update.statuses.empty());
  EXPECT_EQ(view.take_notes().size(), 1u);
}

// A server may keep a total over all runs: those that are over are accounted.
TEST_F(WikiViewTest, ASuspensionOfAJobThatWaitsSaysNothing) {
  EXPECT_EQ(jobs(job("STATE=Idle;SUSPENDTIME=7200;")).arrived.at(0).job.suspended_time, Seconds(0));
  know_job();
  EXPECT_TRUE(jobs(job("STATE=Hold;SUSPENDTIME=7300;")).statuses.at(0).holds);
  EXPECT_TRUE(view.take_notes().empty());
}

TEST_F(WikiViewTest, ALongerSuspensionThanWasSeenIsReported) {
  jobs(job("STATE=Running;TASKLIST=n1;STARTTIME=999900;"));
  know_running();
  const auto update = jobs(job("STATE=Running;TASKLIST=n1;STARTTIME=999900;SUSPENDTIME=40;"));
  ASSERT_EQ(update.statuses.size(), 1u);
  EXPECT_EQ(update.statuses[0].suspended_time, Seconds(40));
}

// The report was on its way when the server took the job back.
TEST_F(WikiViewTest, OfARunDuringWhichTheClockWasSetBackNoSuspendedTimeIsNews) {
  cluster.set_clock_set(know_running(), Seconds(-300));
  jobs(job("STATE=Running;TASKLIST=n1;STARTTIME=1000200;UPROCS=1;"));
  const auto update = jobs(job("STATE=Running;TASKLIST=n1;STARTTIME=1000200;UPROCS=2;"));
  ASSERT_EQ(update.statuses.size(), 1U);
  EXPECT_FALSE(update.statuses[0].suspended_time);
}

TEST_F(WikiViewTest, APastEndIsAlsoToldAsItIsDated) {
  const auto update = jobs(job("STATE=Completed;STARTTIME=1000000;COMPLETETIME=1000200;"));
  ASSERT_EQ(update.past.size(), 1U);
  EXPECT_EQ(update.past[0].end.when, kPolledAt);
  EXPECT_EQ(update.past[0].end.dated, kPolledAt + Seconds(200));
}

TEST_F(WikiViewTest, ARunThatWasGivenBackIsNotSeenAgainInAnOlderReport) {
  const auto running = job("STATE=Running;TASKLIST=n1;STARTTIME=999900;");
  jobs(running);
  know_node();
  const JobId id = know_job();
  view.requeued("a", Time(999'900), kPolledAt + Seconds(60));
  EXPECT_TRUE(jobs(running).statuses.empty());
  const auto anew = jobs(job("STATE=Running;TASKLIST=n1;STARTTIME=999950;"));
  ASSERT_EQ(anew.statuses.size(), 1u) << "another run";
  EXPECT_EQ(anew.statuses[0].state, JobState::running);
  EXPECT_TRUE(cluster.job(id).waiting());
  EXPECT_EQ(jobs(running, true, kPolledAt + Seconds(60)).statuses.size(), 1u) << "it stays";
}

TEST_F(WikiViewTest, AJobForAHostThatWasUnknownIsReadAgainOnceItIsKnown) {
  const auto for_n1 = job("STATE=Idle;HOSTLIST=n1;");
  jobs(for_n1);
  know_job();
  EXPECT_TRUE(jobs(for_n1).changed.empty());
  know_node();
  EXPECT_EQ(jobs(for_n1).changed.size(), 1u);
  EXPECT_TRUE(jobs(for_n1).changed.empty());
}

TEST_F(WikiViewTest, ReportsWhatAJobUses) {
  jobs(job("STATE=Running;TASKLIST=n1;"));
  know_running();
  const auto update =
      jobs(job("STATE=Running;TASKLIST=n1;UCPUTIME=1:30;UMEM=512;UPROCS=1.5;UTIME=999950;"));
  ASSERT_EQ(update.statuses.size(), 1u);
  EXPECT_EQ(update.statuses[0].use, (JobUse{1.5, 512, 0, 0, 90}));
  EXPECT_EQ(update.statuses[0].used_until, Time(999950));
  EXPECT_TRUE(update.changed.empty()) << "it asks for nothing else";
  EXPECT_TRUE(jobs(job("STATE=Running;TASKLIST=n1;UCPUTIME=1:30;UMEM=512;UPROCS=1.5;"
                       "UTIME=999950;"))
                  .statuses.empty());
  const auto end = jobs(job("STATE=Completed;COMPLETETIME=999990;UCPUTIME=120.5;"));
  ASSERT_EQ(end.statuses.size(), 1u);
  EXPECT_DOUBLE_EQ(end.statuses[0].use->cpu_seconds.value(), 120.5);
  EXPECT_EQ(end.statuses[0].used_until, Time(999990));
  EXPECT_EQ(end.ended.size(), 1u);
}

TEST_F(WikiViewTest, AnUnchangedCpuTimeMeansNoneWasUsed) {
  jobs(job("STATE=Running;TASKLIST=n1;"));
  know_running();
  const auto idle = "STATE=Running;TASKLIST=n1;UCPUTIME=90;";
  EXPECT_EQ(jobs(job(idle)).statuses.size(), 1u);
  const auto update = jobs(job(idle));
  ASSERT_EQ(update.statuses.size(), 1u);
  EXPECT_EQ(update.statuses[0].used_until, kForever) << "measured now";
  EXPECT_FALSE(update.statuses[0].state);
}

TEST_F(WikiViewTest, ReportsAHoldWhenItIsSetAndWhenItIsReleased) {
  EXPECT_TRUE(has(jobs(job("STATE=Hold;")).arrived.at(0).job.holds, Hold::user));
  know_job();
  EXPECT_TRUE(jobs(job("STATE=Hold;")).statuses.empty());
  EXPECT_EQ(jobs(job("STATE=Idle;")).statuses.at(0).holds, 0);
  EXPECT_EQ(jobs(job("STATE=Hold;")).statuses.at(0).holds, kUserHold);
  EXPECT_EQ(jobs(job("STATE=SystemHold;")).statuses.at(0).holds, kSystemHold) << "another's";
  EXPECT_EQ(jobs(job("STATE=UserSystemHold;")).statuses.at(0).holds, kUserHold | kSystemHold);
  EXPECT_EQ(jobs(job("STATE=Hold;")).statuses.at(0).holds, kUserHold) << "the other is lifted";
  EXPECT_EQ(jobs(job("STATE=Idle;")).statuses.at(0).holds, 0);
}

TEST_F(WikiViewTest, PriorityZeroIsAHoldWhileAJobWaits) {
  EXPECT_TRUE(has(jobs(job("STATE=Idle;PRIORITY=0;")).arrived.at(0).job.holds, Hold::user));
  know_job();
  EXPECT_TRUE(jobs(job("STATE=Idle;PRIORITY=0;")).statuses.empty());
  EXPECT_EQ(jobs(job("STATE=Idle;PRIORITY=100;")).statuses.at(0).holds, 0);
  EXPECT_EQ(jobs(job("STATE=Idle;PRIORITY=0;")).statuses.at(0).holds, kUserHold);
  EXPECT_EQ(jobs(job("STATE=Idle;")).statuses.at(0).holds, 0) << "nothing said is no zero";
  EXPECT_EQ(jobs(job("STATE=Running;PRIORITY=0;TASKLIST=n1;")).statuses.at(0).state,
            JobState::running);
}

TEST_F(WikiViewTest, APriorityThatIsNoNumberCostsItself) {
  const auto update = jobs(job("STATE=Idle;PRIORITY=high;"));
  EXPECT_FALSE(has(update.arrived.at(0).job.holds, Hold::user));
  EXPECT_EQ(update.arrived.at(0).problem, "");
}

TEST_F(WikiViewTest, AttributesLostInARefusedStartKeepTheirValues) {
  using Hosts = std::vector<std::string>;
  EXPECT_EQ(jobs(job("STATE=Idle;EXCLUDE_HOSTLIST=n1;")).arrived.at(0).excluded_hosts, Hosts{"n1"});
  know_job();
  view.start_asked("a");
  EXPECT_TRUE(jobs(job("STATE=Idle;EXCLUDE_HOSTLIST=;")).changed.empty());
  EXPECT_TRUE(jobs(job("STATE=Idle;EXCLUDE_HOSTLIST=;")).changed.empty()) << "for good";
  const auto more = jobs(job("STATE=Idle;EXCLUDE_HOSTLIST=;TASKPERNODE=1;"));
  EXPECT_EQ(more.changed.at(0).excluded_hosts, Hosts{"n1"}) << "also when something else changes";
  EXPECT_EQ(jobs(job("STATE=Idle;EXCLUDE_HOSTLIST=n2;")).changed.at(0).excluded_hosts, Hosts{"n2"});
  EXPECT_EQ(jobs(job("STATE=Idle;EXCLUDE_HOSTLIST=;")).changed.at(0).excluded_hosts, Hosts{})
      << "no start has been asked for since it was told anew";
}

TEST_F(WikiViewTest, AttributesOmittedAfterARefusedStartNoLongerCount) {
  jobs(job("STATE=Idle;EXCLUDE_HOSTLIST=n1;"));
  know_job();
  view.start_asked("a");
  jobs(job("STATE=Idle;EXCLUDE_HOSTLIST=;"));
  EXPECT_TRUE(jobs(job("STATE=Idle;")).changed.at(0).excluded_hosts.empty());
}

TEST_F(WikiViewTest, ReportsChangedDemandsOfAWaitingJobOnce) {
  jobs(job("STATE=Idle;"));
  know_job();
  const auto update = jobs("1#a:UNAME=ann;WCLIMIT=1200;TASKS=2;STATE=Idle;");
  ASSERT_EQ(update.changed.size(), 1u);
  EXPECT_EQ(update.changed[0].request.limit, Seconds(1200));
  EXPECT_TRUE(jobs("1#a:UNAME=ann;WCLIMIT=1200;TASKS=2;STATE=Idle;").changed.empty());
}

// It is known from a checkpoint, and the first answers lacked it.
TEST_F(WikiViewTest, TheFirstReportOfAKnownJobHasItsRequest) {
  know_running();
  const auto update = jobs(job("STATE=Running;TASKLIST=n1;"));
  ASSERT_EQ(update.changed.size(), 1u);
  EXPECT_EQ(update.changed[0].request.limit, Seconds(600));
  EXPECT_EQ(update.statuses.size(), 1u);
  EXPECT_TRUE(jobs(job("STATE=Running;TASKLIST=n1;")).changed.empty());
}

TEST_F(WikiViewTest, AJobThatVanishesIsLostOnceAndMayReturn) {
  know_running();
  jobs(job("STATE=Running;TASKLIST=n1;"));
  EXPECT_TRUE(jobs("0#", false).lost.empty()) << "what did not change is not told";
  EXPECT_EQ(jobs("0#").lost, (std::vector<std::string>{"a"}));
  EXPECT_TRUE(jobs("0#").lost.empty());
  const auto back = jobs(job("STATE=Running;TASKLIST=n1;"));
  ASSERT_EQ(back.statuses.size(), 1u);
  EXPECT_EQ(back.statuses[0].state, JobState::running);
}

TEST_F(WikiViewTest, AnIncompleteAnswerLosesNothing) {
  nodes("2#n1:STATE=Idle;CPROC=4;#n2:STATE=Idle;CPROC=2;");
  EXPECT_TRUE(nodes("2#n1:STATE=Idle;CPROC=4;").lost_nodes.empty());
  know_running();
  jobs(job("STATE=Running;TASKLIST=n1;"));
  EXPECT_TRUE(jobs("5#").lost.empty());
}

TEST_F(WikiViewTest, ACancelledJobDoesNotArriveAgainWhileItIsStillReported) {
  jobs(job("STATE=Idle;"));
  view.cancelled("a", kPolledAt, Seconds(60));
  EXPECT_TRUE(jobs(job("STATE=Idle;")).arrived.empty());
  EXPECT_EQ(jobs(job("STATE=Idle;"), true, kPolledAt + Seconds(60)).arrived.size(), 1u);
}

TEST_F(WikiViewTest, SeparatesARequestedPartitionFromTheQueue) {
  const auto report =
      jobs(job("STATE=Idle;PARTITIONMASK=batch,big;COMMENT=PARTITION\\:math;")).arrived.at(0);
  EXPECT_EQ(report.partition, "math");
  EXPECT_EQ(report.partition_mask, "batch:big");
}

TEST_F(WikiViewTest, AnInvalidDecisiveAttributeIsTheJobsProblem) {
  const auto arrived = jobs(job("STATE=Idle;FLAGS=INTERACTIVE;STARTDATE=soon;")).arrived;
  ASSERT_EQ(arrived.size(), 1u);
  EXPECT_EQ(arrived[0].user, "ann");
  EXPECT_EQ(arrived[0].problem, "invalid STARTDATE 'soon': expected seconds since the epoch");
  EXPECT_EQ(view.take_notes(),
            (std::vector<std::string>{
                "FLAGS=INTERACTIVE is unknown: ignored",
                "job 'a': invalid STARTDATE 'soon': expected seconds since the epoch"}));
}

TEST_F(WikiViewTest, AJobWhoseCommentIsCorrectedHasANewRequest) {
  EXPECT_EQ(jobs(job("STATE=Idle;COMMENT=TPN\\:many;")).arrived.at(0).problem,
            "COMMENT: TPN:many, expected a number of tasks on each node");
  EXPECT_EQ(view.unused_attributes_of_job("a").size(), 1u);
  know_job();
  const auto changed = jobs(job("STATE=Idle;COMMENT=TPN\\:2;")).changed;
  ASSERT_EQ(changed.size(), 1u);
  EXPECT_EQ(changed[0].problem, "");
  EXPECT_TRUE(view.unused_attributes_of_job("a").empty());
}

TEST_F(WikiViewTest, ReportsAFailedStartOnceWithItsReason) {
  jobs(job("STATE=Idle;REJCOUNT=1;"));
  know_node();
  const JobId id = know_job();
  cluster.start_job(id, {{NodeId(0U), 1, 0}}, kPolledAt);
  cluster.set_starting(id);
  EXPECT_TRUE(jobs(job("STATE=Starting;REJCOUNT=1;")).failed_starts.empty());
  const auto failed =
      jobs(job("STATE=Idle;REJCOUNT=2;REJCODE=-920;REJMESSAGE=no licence;")).failed_starts;
  ASSERT_EQ(failed.size(), 1u);
  EXPECT_EQ(failed[0].name, "a");
  EXPECT_EQ(failed[0].why, "no licence");
  EXPECT_EQ(failed[0].obstacle, Obstacle::passes);
  EXPECT_TRUE(jobs(job("STATE=Idle;REJCOUNT=2;UPDATETIME=7;")).failed_starts.empty());
}

// It had its nodes, and could not begin on them.
TEST_F(WikiViewTest, AJobThatCameBackFromItsNodesMayHaveFailedToStart) {
  jobs(job("STATE=Idle;"));
  know_node();
  const JobId id = know_job();
  cluster.start_job(id, {{NodeId(0U), 1, 0}}, kPolledAt);
  EXPECT_TRUE(jobs(job("STATE=Running;TASKLIST=n1;")).failed_starts.empty());
  EXPECT_TRUE(jobs(job("STATE=Idle;REJMESSAGE=\"its node failed\";")).failed_starts.empty())
      << "a run has come to its end";
  const auto failed = jobs(job("STATE=Idle;REJCOUNT=1;REJMESSAGE=\"no prolog\";")).failed_starts;
  ASSERT_EQ(failed.size(), 1u);
  EXPECT_EQ(failed[0].why, "no prolog");
}

TEST_F(WikiViewTest, ARejectionMessageWithoutACountMeansAFailedStart) {
  jobs(job("STATE=Idle;"));
  know_node();
  const JobId id = know_job();
  cluster.start_job(id, {{NodeId(0U), 1, 0}}, kPolledAt);
  cluster.set_starting(id);
  EXPECT_TRUE(jobs(job("STATE=Idle;UPDATETIME=5;")).failed_starts.empty()) << "it says nothing";
  const auto failed = jobs(job("STATE=Idle;REJMESSAGE=\"node n1 failed\";")).failed_starts;
  ASSERT_EQ(failed.size(), 1u);
  EXPECT_EQ(failed[0].why, "node n1 failed");
}

// Slurm's WIKI lets a job rest for two minutes that somebody requeued, or whose node failed.
TEST_F(WikiViewTest, AJobThatWasRequeuedBeforeItWasSeenToRunHasNotFailedToStart) {
  jobs(job("STATE=Idle;STARTDATE=100;"));
  know_node();
  const JobId id = know_job();
  cluster.start_job(id, {{NodeId(0U), 1, 0}}, kPolledAt);
  cluster.set_starting(id);
  const auto answer =
      jobs(job("STATE=Idle;STARTDATE=1000120;REJMESSAGE=\"Job requeued by user/admin\";"));
  EXPECT_TRUE(answer.failed_starts.empty());
}

TEST_F(WikiViewTest, TheWordsOfAHoldAreNoFailedStart) {
  jobs(job("STATE=Idle;"));
  know_node();
  const JobId id = know_job();
  cluster.start_job(id, {{NodeId(0U), 1, 0}}, kPolledAt);
  cluster.set_starting(id);
  EXPECT_TRUE(jobs(job("STATE=Hold;REJMESSAGE=\"its user holds it\";")).failed_starts.empty());
}

TEST_F(WikiViewTest, ARequeuedJobTakesItsNewDemands) {
  jobs(job("STATE=Running;TASKLIST=n1;"));
  know_node();
  const JobId id = know_job();
  cluster.start_job(id, {{NodeId(0U), 1, 0}}, kPolledAt);
  const auto changed = jobs(job("STATE=Idle;STARTDATE=7000;")).changed;
  ASSERT_EQ(changed.size(), 1u);
  EXPECT_EQ(changed[0].job.earliest_start, Time(7000));
}

TEST_F(WikiViewTest, ReportsAChangedWaitReason) {
  EXPECT_EQ(jobs(job("STATE=Idle;WAITREASON=a licence;")).arrived.at(0).waits_for, "a licence");
  know_job("base");
  const auto update = jobs(job("STATE=Idle;WAITREASON=another;"));
  EXPECT_TRUE(update.changed.empty()) << "it asks for nothing else";
  ASSERT_EQ(update.statuses.size(), 1u);
  EXPECT_EQ(update.statuses[0].waits_for, "another");
}

TEST_F(WikiViewTest, AHeldJobWhoseStateIsUnknownStaysHeld) {
  EXPECT_TRUE(has(jobs(job("STATE=Hold;")).arrived.at(0).job.holds, Hold::user));
  know_job();
  for (const char* state : {"STATE=Unknown;", "STATE=Gone;", ""}) {
    const auto update = jobs(job(state));
    EXPECT_TRUE(update.statuses.empty()) << state;
    for (const JobReport& changed : update.changed) EXPECT_EQ(changed.job.holds, kUserHold);
  }
  EXPECT_EQ(jobs(job("STATE=Idle;")).statuses.at(0).holds, 0);
}

TEST_F(WikiViewTest, AJobWhoseStateIsMissingOrInvalidArrivesAsOneOfUnknownState) {
  for (const char* const attributes : {"", "STATE=Gone;"}) {
    view = WikiView("base");
    const auto first = jobs(job(attributes));
    ASSERT_EQ(first.arrived.size(), 1u);
    EXPECT_EQ(first.arrived[0].job.state, JobState::not_queued);
    EXPECT_NE(first.arrived[0].problem.find("STATE"), std::string::npos);
  }
}

TEST_F(WikiViewTest, FewerJobsWithLongRecordsAreTakenAtOnce) {
  for (const std::size_t length : {std::size_t{10}, std::size_t{16'000}}) {
    WikiRecords answer;
    for (int i = 0; i < 200; ++i)
      answer.add({std::to_string(i), {{"STATE", "Idle"}, {"COMMENT", std::string(length, ';')}}});
    Update update;
    std::size_t taken = 0;
    view = WikiView("base");
    EXPECT_EQ(view.take_jobs(answer, true, cluster, kPolledAt, update, taken), length == 10);
    EXPECT_EQ(taken, length == 10 ? 200u : 16u);
  }
}

TEST_F(WikiViewTest, ARunningJobWhoseStateIsUnknownRunsOn) {
  know_running();
  jobs(job("STATE=Running;TASKLIST=n1;"));
  EXPECT_TRUE(jobs(job("STATE=Unknown;TASKLIST=n1;")).statuses.empty());
  EXPECT_TRUE(jobs(job("STATE=Unknown;TASKLIST=n1;")).statuses.empty());
  EXPECT_TRUE(jobs(job("STATE=Running;TASKLIST=n1;")).statuses.empty());
}

TEST_F(WikiViewTest, AnInvalidOrMissingStateOfAWaitingJobIsItsProblemUntilItEnds) {
  jobs(job("STATE=Idle;"));
  know_job();
  const auto invalid = jobs(job("STATE=Gone;")).changed;
  ASSERT_EQ(invalid.size(), 1u);
  EXPECT_NE(invalid[0].problem.find("invalid STATE 'Gone'"), std::string::npos);
  EXPECT_TRUE(jobs(job("STATE=Gone;")).changed.empty());
  EXPECT_EQ(jobs(job("")).changed.at(0).problem, "the resource manager does not report STATE");
  EXPECT_EQ(jobs(job("STATE=Idle;")).changed.at(0).problem, "");
  EXPECT_TRUE(jobs(job("STATE=Idle;")).changed.empty());
}

TEST_F(WikiViewTest, AttributesInAnotherOrderAreNoChange) {
  jobs("1#a:STATE=Idle;UNAME=ann;WCLIMIT=600;TASKS=1;");
  know_job();
  EXPECT_TRUE(jobs("1#a:TASKS=1;WCLIMIT=600;UNAME=ann;STATE=Idle;").changed.empty());
  EXPECT_EQ(jobs("1#a:TASKS=2;WCLIMIT=600;UNAME=ann;STATE=Idle;").changed.size(), 1u);
  EXPECT_EQ(jobs("1#a:TASKS=2;WCLIMIT=600;UNAME=ann;STATE=Idle;DMEM=5;").changed.size(), 1u);
}

TEST_F(WikiViewTest, VeryManyAttributesInAnotherOrderAreNoChange) {
  constexpr int kChunks = 30'000;  // pairs of them would take minutes
  const auto job_of = [](bool backwards) {
    WikiRecord record{"a",
                      {{"STATE", "Idle"}, {"UNAME", "ann"}, {"WCLIMIT", "60"}, {"TASKS", "1"}}};
    for (int i = 1; i <= kChunks; ++i)
      record.attributes.emplace_back("TASKS." + std::to_string(i), "1");
    if (backwards) std::reverse(record.attributes.begin(), record.attributes.end());
    WikiRecords answer;
    answer.add(std::move(record));
    return answer;
  };
  const auto take = [&](const WikiRecords& answer) {
    Update update;
    view.take_jobs(answer, true, cluster, kPolledAt, update);
    return update;
  };
  EXPECT_EQ(take(job_of(false)).arrived.size(), 1u);
  know_job();
  EXPECT_TRUE(take(job_of(true)).changed.empty());
}

TEST_F(WikiViewTest, AnIncompleteListOfJobsIsSaidToBeIncomplete) {
  const std::vector<std::string> base{"base"};
  EXPECT_EQ(jobs("2#b:STATE=Running;").incomplete, base);
  EXPECT_EQ(jobs("0#", false).incomplete, base) << "it has only changes";
  EXPECT_TRUE(jobs("0#").incomplete.empty());
}

// Its user moved it to another account while it ran.
TEST_F(WikiViewTest, AChangeDuringARunIsReportedWhenTheJobWaitsAgain) {
  jobs(job("STATE=Idle;ACCOUNT=physics;"));
  know_node();
  const JobId id = know_job();
  cluster.start_job(id, {{NodeId(0U), 1, 0}}, kPolledAt);
  jobs(job("STATE=Running;TASKLIST=n1;ACCOUNT=physics;"));
  EXPECT_TRUE(jobs(job("STATE=Running;TASKLIST=n1;ACCOUNT=math;")).changed.empty());
  cluster.requeue_job(id, kPolledAt);
  const auto changed = jobs(job("STATE=Idle;ACCOUNT=math;")).changed;
  ASSERT_EQ(changed.size(), 1u);
  EXPECT_EQ(changed[0].account, "math");
  EXPECT_TRUE(jobs(job("STATE=Idle;ACCOUNT=math;")).changed.empty());
}

TEST_F(WikiViewTest, AChangeOfAJobThatIsTakenToRunIsReportedAgainOnceItWaits) {
  jobs(job("STATE=Idle;ACCOUNT=physics;"));
  know_node();
  const JobId id = know_job();
  cluster.start_job(id, {{NodeId(0U), 1, 0}}, kPolledAt);
  const auto back = job("STATE=Idle;ACCOUNT=math;");
  EXPECT_EQ(jobs(back).changed.size(), 1u);
  EXPECT_TRUE(jobs(back).changed.empty());
  cluster.requeue_job(id, kPolledAt);
  EXPECT_EQ(jobs(back).changed.size(), 1u) << "the scheduler may have taken only its limit";
  EXPECT_TRUE(jobs(back).changed.empty());
}

}  // namespace
}  // namespace maui
