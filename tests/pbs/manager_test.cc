// The manager for PBS in front of a server of each family.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include "pbs/events.h"
#include "pbs/pbs_fixture.h"
#include "pbs/request.h"
#include "rm/event_port.h"
#include "rm/wiki_notices.h"

namespace maui::pbs {
namespace {

using test::FakePbs;
using test::PbsFixture;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class PbsTest : public testing::TestWithParam<FakePbs::Kind>, public PbsFixture {
 protected:
  PbsTest() : PbsFixture(GetParam()) {}
  bool torque() const { return GetParam() == FakePbs::Kind::torque; }
  /// A job of so many nodes with so many processors each.
  std::string submit(int nodes, int procs) {
    using Words = std::map<std::string, std::string>;
    return server
        .submit(torque() ? Words{{"nodes", fmt::format("{}:ppn={}", nodes, procs)}}
                         : Words{{"select", fmt::format("{}:ncpus={}", nodes, procs)},
                                 {"place", "scatter"}})
        .id;
  }
  /// Returns a job with one processor, which the link has started on n01.
  std::string started_by(WikiLink& by) {
    const auto job = submit(1, 1);
    jobs_said(by);
    EXPECT_EQ(said(by, {"STARTJOB", job, {{"TASKLIST", "n01"}}}), "done");
    return job;
  }
  /// Returns a link that soon gives up waiting for answers, to a server that checkpoints jobs.
  std::unique_ptr<WikiLink> checkpointing_link() {
    server.checkpoints = true;
    link.server.timeout = std::chrono::milliseconds(300);
    return make_link(io, link);
  }
  /// A job with a processor on each of some nodes, placed there.
  Job on(const std::string& job, std::vector<std::string> nodes, int procs = 1) {
    std::vector<std::pair<std::string, int>> where;
    for (const auto& host : nodes) where.emplace_back(host, torque() ? procs : 1);
    return placed(job, where);
  }
};

INSTANTIATE_TEST_SUITE_P(Families, PbsTest,
                         testing::Values(FakePbs::Kind::torque, FakePbs::Kind::openpbs),
                         [](const auto& family) {
                           return family.param == FakePbs::Kind::torque ? "torque" : "openpbs";
                         });

TEST_P(PbsTest, APollReportsNodesJobsAndTheServerType) {
  submit(2, 2);
  const auto update = poll();
  ASSERT_TRUE(update) << update.error().what;
  ASSERT_EQ(update->nodes.size(), 2u);
  EXPECT_EQ(update->nodes[0].node.configured.procs(), 4);
  ASSERT_EQ(update->arrived.size(), 1u);
  EXPECT_EQ(update->arrived[0].user, "amy");
  EXPECT_EQ(manager().records()[0].type,
            torque() ? "PBS (TORQUE 6.1.3)" : "PBS (OpenPBS 23.06.06)");
}

TEST_P(PbsTest, AJobStartsOnExactlyTheNodesThatWereChosen) {
  const auto job = submit(2, 2);
  ASSERT_TRUE(poll());
  ASSERT_TRUE(start(on(job, {"n02", "n01"}, 2)).status);
  EXPECT_EQ(server.jobs[job].exec_host, torque() ? "n02/0-1+n01/0-1" : "n02/0*2+n01/0*2");
  run_until([&] { return server.jobs[job].substate == 42; });
  const auto update = poll();
  ASSERT_TRUE(update);
}

TEST_P(PbsTest, AServerThatHasNoNodesYetIsUpAndItsJobsAreKnown) {
  server.nodes.clear();
  submit(1, 1);
  const auto update = poll();
  ASSERT_TRUE(update) << update.error().what;
  EXPECT_TRUE(update->nodes.empty());
  EXPECT_EQ(update->arrived.size(), 1u);
  EXPECT_TRUE(manager().records()[0].up);
}

TEST_P(PbsTest, OthersHaveTheirTurnWhileALongAnswerIsRead) {
  for (int i = 0; i < 1200; ++i) submit(1, 1);
  int turns = 0;
  link.later = counted_in(turns);
  const auto update = poll();
  ASSERT_TRUE(update) << update.error().what;
  EXPECT_EQ(update->arrived.size(), 1200u);
  EXPECT_EQ(turns, 2);
}

TEST_P(PbsTest, AnUnfitPlaceIsAnObstacleThatPasses) {
  const auto job = submit(1, 1);
  ASSERT_TRUE(poll());
  server.nodes.erase("n02");
  const auto answer = start(on(job, {"n02"}));
  EXPECT_FALSE(answer.status);
  EXPECT_EQ(answer.obstacle, Obstacle::passes);
  EXPECT_THAT(answer.status.error().what, HasSubstr(torque() ? "15064" : "15062"));
}

// Several jobs may be started between two polls.
TEST_P(PbsTest, AQueueRunsNoMoreJobsAtOnceThanItMay) {
  server.queue["max_running"] = "1";
  const auto first = submit(1, 1), second = submit(1, 1);
  ASSERT_TRUE(poll());
  ASSERT_TRUE(start(on(first, {"n01"})).status);
  const auto answer = start(on(second, {"n02"}));
  EXPECT_FALSE(answer.status);
  EXPECT_EQ(answer.obstacle, Obstacle::passes);
  EXPECT_THAT(answer.status.error().what, HasSubstr("max_running"));
  EXPECT_EQ(server.jobs[second].state, 'Q');
}

TEST_P(PbsTest, AJobWaitsForItsQueueToRunFewerOfItsUser) {
  server.queue["max_user_run"] = "1";
  const auto first = submit(1, 1);
  ASSERT_TRUE(poll());
  ASSERT_TRUE(start(on(first, {"n01"})).status);
  const auto second = submit(1, 1);
  const auto update = poll();
  ASSERT_TRUE(update);
  std::map<std::string, std::string> waits;
  for (const auto& job : update->arrived) waits[job.name] = job.waits_for;
  EXPECT_EQ(waits.at(first), "");
  EXPECT_THAT(waits.at(second), HasSubstr("max_user_run"));
}

// Pitfall 3: the next poll shows whether it was started.
TEST_P(PbsTest, AStartThatIsNotAnsweredIsNoFailedStart) {
  const auto job = submit(1, 1);
  ASSERT_TRUE(poll());
  server.faults.silent_starts = 1;
  EXPECT_TRUE(start(on(job, {"n01"})).status);
  EXPECT_EQ(server.jobs[job].state, 'R');
  EXPECT_EQ(times_asked(torque() ? "23" : "97"), 1);
  EXPECT_TRUE(poll());
}

// Pitfall 1: a server drops what comes before it has answered.
TEST_P(PbsTest, RequestsWaitForTheAnswerBefore) {
  std::vector<std::string> names;
  for (int i = 0; i < 4; ++i) names.push_back(submit(1, 1));
  ASSERT_TRUE(poll());
  server.faults.start_delay = std::chrono::milliseconds(30);
  int answers = 0;
  for (const auto& name : names)
    manager().start(on(name, {"n01"}), cluster, link.now(), [&](const StartAnswer& answer) {
      EXPECT_TRUE(answer.status);
      ++answers;
    });
  run_until([&] { return answers == 4; });
  for (const auto& name : names) EXPECT_EQ(server.jobs[name].state, 'R');
}

TEST_P(PbsTest, JobsAreCancelledRequeuedSuspendedAndResumed) {
  const auto job = submit(1, 1);
  ASSERT_TRUE(poll());
  const Job here = on(job, {"n01"});
  ASSERT_TRUE(start(here).status);
  const auto now = link.now();
  EXPECT_TRUE(status_of([&](auto done) { manager().suspend(here, now, done); }));
  EXPECT_EQ(server.jobs[job].state, 'S');
  EXPECT_TRUE(status_of([&](auto done) { manager().resume(here, now, done); }));
  EXPECT_EQ(server.jobs[job].state, 'R');
  EXPECT_TRUE(status_of([&](auto done) { manager().requeue(here, now, done); }));
  EXPECT_EQ(server.jobs[job].state, 'Q');
  EXPECT_TRUE(status_of([&](auto done) { manager().set_limit(here, Seconds(5400), now, done); }));
  EXPECT_EQ(server.jobs[job].asked["walltime"], "01:30:00");
  EXPECT_TRUE(status_of([&](auto done) { manager().cancel(here, CancelCause::asked, now, done); }));
  EXPECT_TRUE(!server.jobs.contains(job) || server.jobs[job].state == 'C');
  // One that is gone has been cancelled.
  EXPECT_TRUE(status_of([&](auto done) { manager().cancel(here, CancelCause::asked, now, done); }));
  EXPECT_FALSE(status_of([&](auto done) { manager().suspend(here, now, done); }));
}

TEST_P(PbsTest, AJobOverItsLimitIsNotifiedBeforeItIsCancelled) {
  const auto link_ = make_link(io, link);
  const auto job = started_by(*link_);
  run_until([&] { return server.jobs[job].substate == 42; });
  EXPECT_EQ(said(*link_, {"CANCELJOB", job, {{"TYPE", "WALLCLOCK"}}}), "done");
  EXPECT_EQ(times_asked("10 " + job + " maui: the job has exceeded its wallclock limit"), 1);
  EXPECT_TRUE(!server.jobs.contains(job) || server.jobs[job].state == 'C');
  EXPECT_EQ(said(*link_, {"CANCELJOB", job, {{"TYPE", "WALLCLOCK"}}}), "done")
      << "though nobody is left who could be told";
}

TEST_P(PbsTest, ACheckpointIsAHoldThatIsReleased) {
  server.checkpoints = true;
  const auto job = submit(1, 1);
  ASSERT_TRUE(poll());
  const Job here = on(job, {"n01"});
  ASSERT_TRUE(start(here).status);
  EXPECT_TRUE(status_of([&](auto done) { manager().checkpoint(here, link.now(), done); }));
  EXPECT_EQ(times_asked("7 "), 1);
  EXPECT_EQ(times_asked("13 "), 1);
  EXPECT_EQ(server.jobs[job].holds, "");
}

TEST_P(PbsTest, ACheckpointFailsWhereTheServerOnlyNotesTheHold) {
  const auto job = submit(1, 1);
  ASSERT_TRUE(poll());
  const Job here = on(job, {"n01"});
  ASSERT_TRUE(start(here).status);
  const auto status = status_of([&](auto done) { manager().checkpoint(here, link.now(), done); });
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().what, HasSubstr("has not checkpointed the job, which runs on"));
  EXPECT_EQ(server.jobs[job].state, 'R');
  EXPECT_EQ(server.jobs[job].holds, "");
}

TEST_P(PbsTest, ACheckpointReleasesItsHoldThoughAnAnswerIsLost) {
  const auto link_ = checkpointing_link();
  for (const bool of_hold : {true, false}) {
    const auto job = started_by(*link_);
    std::optional<WikiAnswer> given;
    if (of_hold) server.faults.lost_holds = 1;
    link_->ask({"CHECKPOINTJOB", job, {}}, [&](WikiAnswer answer) { given = std::move(answer); });
    run_until([&] { return times_asked("7 " + job) == 1; });
    if (!of_hold) server.faults.lost_looks = 1;
    run_until([&] { return given.has_value(); });
    ASSERT_TRUE(given);
    EXPECT_FALSE(given->reply) << "nobody knows whether it succeeded";
    EXPECT_EQ(times_asked("13 " + job), 1);
    EXPECT_EQ(server.jobs[job].holds, "");
  }
}

TEST_P(PbsTest, ALostReleaseOfACheckpointsHoldIsRepeatedAfterTheNextPolls) {
  const auto link_ = checkpointing_link();
  const auto job = started_by(*link_);
  server.faults.lost_releases = 2;
  EXPECT_EQ(said(*link_, {"CHECKPOINTJOB", job, {}}), "no answer");
  EXPECT_EQ(server.jobs[job].holds, "s");
  jobs_said(*link_);
  run_until([&] { return server.faults.lost_releases == 0; });
  EXPECT_EQ(server.jobs[job].holds, "s");
  io.restart();
  io.run_for(2 * link.server.timeout);  // until that request is given up
  jobs_said(*link_);
  run_until([&] { return server.jobs[job].holds.empty(); });
  EXPECT_EQ(server.jobs[job].holds, "");
  const auto releases = times_asked("13 " + job);
  io.restart();
  io.run_for(link.server.timeout);
  jobs_said(*link_);
  jobs_said(*link_);
  EXPECT_EQ(times_asked("13 " + job), releases) << "it is released once";
}

TEST_P(PbsTest, ACheckpointThatWasNotBegunReleasesNothing) {
  const auto link_ = checkpointing_link();
  const auto job = started_by(*link_);
  server.faults.lost_looks = 1;
  EXPECT_EQ(said(*link_, {"CHECKPOINTJOB", job, {}}), "no answer");
  EXPECT_EQ(times_asked("7 ") + times_asked("13 "), 0);
}

TEST_P(PbsTest, ACheckpointKeepsTheHoldOfAnAdministrator) {
  server.checkpoints = true;
  const auto link_ = make_link(io, link);
  const auto job = started_by(*link_);
  server.jobs[job].holds = "s";
  EXPECT_EQ(said(*link_, {"CHECKPOINTJOB", job, {}}), "done");
  EXPECT_EQ(times_asked("7 "), 1);
  EXPECT_EQ(server.jobs[job].holds, "s");
}

// Pitfall 11: other flags of the state stay.
TEST_P(PbsTest, ANodeIsTakenOutOfServiceAndPutBack) {
  ASSERT_TRUE(poll());
  const Node n01 = cluster.node(node("n01"));
  const auto turn = [&](NodeState state) {
    return status_of(
        [&](auto done) { manager().modify_node(n01, state, "amy", link.now(), done); });
  };
  EXPECT_TRUE(turn(NodeState::drained));
  EXPECT_TRUE(server.nodes["n01"].offline);
  const auto update = poll();
  ASSERT_EQ(update->nodes.size(), 1u);
  EXPECT_EQ(update->nodes[0].node.reported, NodeState::drained);
  EXPECT_TRUE(turn(NodeState::idle));
  EXPECT_FALSE(server.nodes["n01"].offline);
}

// Pitfall 4: what takes seconds holds up neither starts nor questions.
TEST(PbsTorqueTest, ASlowSuspensionHoldsNobodyUp) {
  PbsFixture all(FakePbs::Kind::torque);
  const auto first = all.server.submit({{"nodes", "1"}}).id;
  const auto second = all.server.submit({{"nodes", "1"}}).id;
  ASSERT_TRUE(all.poll());
  const Job here = all.placed(first, {{"n01", 1}});
  ASSERT_TRUE(all.start(here).status);
  all.server.faults.suspend_delay = std::chrono::milliseconds(1200);
  std::optional<Status> suspended;
  all.manager().suspend(here, all.link.now(),
                        [&](Status status) { suspended = std::move(status); });
  EXPECT_TRUE(all.start(all.placed(second, {{"n02", 1}})).status);
  EXPECT_TRUE(all.poll());
  EXPECT_FALSE(suspended) << "and the others did not wait for it";
  all.run_until([&] { return suspended.has_value(); });
  EXPECT_TRUE(*suspended);
}

// Pitfalls 7 and 9.
TEST_P(PbsTest, AfterItsDeathAServerIsAskedAgain) {
  submit(1, 1);
  ASSERT_TRUE(poll());
  server.die();
  EXPECT_FALSE(poll());
  EXPECT_FALSE(manager().records()[0].up);
  server.start();
  const auto update = poll();
  ASSERT_TRUE(update) << update.error().what;
  EXPECT_TRUE(manager().records()[0].up);
}

// OpenPBS does so with all jobs that it was starting; their moms may run them all the same.
TEST_P(PbsTest, AJobThatMustNotRunTwiceIsHeldWhereTheServerPutItBackAfterItsDeath) {
  const auto link_ = make_link(io, link);
  const auto once = submit(1, 1), again = submit(1, 1), tried = submit(1, 1);
  server.jobs[once].others["Rerunable"] = server.jobs[tried].others["Rerunable"] = "False";
  const auto put_back = [&](const std::string& name) {
    server.jobs[name].state = 'Q';
    server.jobs[name].substate = 10;
    server.nodes["n01"].slots.clear();
  };
  const auto held = [&](const std::string& name) {
    const auto all = jobs_said(*link_);
    const auto record = all.substr(all.find(name + ":"));
    return record.substr(0, record.find('#')).find("HOLDREASON=") != std::string::npos;
  };
  jobs_said(*link_);
  for (const auto& job : {once, again, tried})
    EXPECT_EQ(said(*link_, {"STARTJOB", job, {{"TASKLIST", "n01"}}}), "done");
  put_back(tried);
  EXPECT_FALSE(held(tried)) << "the server was there all the time: its mom did not take it";
  server.die();
  put_back(once);
  put_back(again);
  server.start();
  EXPECT_TRUE(held(once));
  EXPECT_TRUE(held(once)) << "for as long as it waits";
  EXPECT_FALSE(held(again)) << "it may run twice";
  EXPECT_FALSE(held(tried));
}

TEST_P(PbsTest, AConnectionThatTheServerClosedIsMadeAnewWithoutAFailure) {
  const auto job = submit(1, 1);
  ASSERT_TRUE(poll());
  server.die();
  server.start();
  EXPECT_TRUE(start(on(job, {"n01"})).status);
  EXPECT_EQ(server.jobs[job].state, 'R');
}

TEST_P(PbsTest, AnswersThatComeInPiecesAreRead) {
  for (int i = 0; i < 8; ++i) submit(1, 1);
  server.faults.byte_by_byte = true;
  link.server.timeout = std::chrono::seconds(30);  // which is slow
  const auto update = poll();
  ASSERT_TRUE(update) << update.error().what;
  EXPECT_EQ(update->arrived.size(), 8u);
}

TEST_P(PbsTest, ATruncatedOrGarbledAnswerFailsOnlyThatPoll) {
  for (int i = 0; i < 5; ++i) submit(1, 1);
  ASSERT_TRUE(poll());
  server.faults.closes_mid_reply = 1;
  EXPECT_FALSE(poll());
  EXPECT_TRUE(poll());
  server.faults.garbage = "HTTP/1.1 400 Bad Request\r\n\r\n";
  EXPECT_FALSE(poll());
  const auto update = poll();
  ASSERT_TRUE(update);
  EXPECT_TRUE(update->lost.empty()) << "nothing is taken for gone that was not told";
}

TEST_P(PbsTest, AServerThatBreaksOffItsFirstAnswersIsFoundOutAllTheSame) {
  server.faults.closes_mid_reply = 2;
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(poll());
  EXPECT_TRUE(poll());
}

// It must not be taken for TORQUE for good.
TEST(PbsOpenPbsTest, AServerThatIsSlowAtFirstIsFoundOutLater) {
  PbsFixture all(FakePbs::Kind::openpbs);
  all.link.server.trial = std::chrono::milliseconds(50);
  all.server.faults.no_answers = true;
  EXPECT_FALSE(all.poll());
  all.server.faults.no_answers = false;
  EXPECT_TRUE(all.poll());
}

TEST_P(PbsTest, AServerThatSaysNothingFailsThePollWithinItsTime) {
  ASSERT_TRUE(poll());
  server.faults.no_answers = true;
  const auto update = poll();
  ASSERT_FALSE(update);
  EXPECT_THAT(update.error().what, HasSubstr("no answer"));
  server.faults.no_answers = false;
  EXPECT_TRUE(poll());
}

// Pitfall 10.
TEST(PbsTorqueTest, OnlyVersionsThatKnowTaskRequestsAreAskedForThem) {
  for (const auto* version : {"6.1.3", "5.1.0"}) {
    PbsFixture all(FakePbs::Kind::torque);
    all.server.version = version;
    all.server.submit({}, {{"req_information", "2"}});
    const auto update = all.poll();
    ASSERT_TRUE(update) << update.error().what;
    ASSERT_EQ(update->arrived.size(), 1u);
    EXPECT_EQ(update->arrived[0].problem.empty(), version[0] == '5') << version;
  }
}

TEST(PbsTorqueTest, AServerThatIsTooBusyIsAskedAgain) {
  PbsFixture all(FakePbs::Kind::torque);
  ASSERT_TRUE(all.poll());
  all.server.faults.busy = 1;
  const auto update = all.poll();
  ASSERT_FALSE(update);
  EXPECT_THAT(update.error().what, HasSubstr("busy"));
  EXPECT_TRUE(all.poll());
}

// Pitfalls 9 and 10: connections are kept, and there are few.
TEST_P(PbsTest, ConnectionsAreFewAndKept) {
  std::vector<std::string> names;
  for (int i = 0; i < 8; ++i) names.push_back(submit(1, 1));
  for (const auto& name : names) {
    ASSERT_TRUE(poll());
    ASSERT_TRUE(start(on(name, {server.nodes["n01"].slots.size() < 4 ? "n01" : "n02"})).status);
  }
  EXPECT_LE(server.connections, torque() ? 4 : 3) << "with the one that asked for the dialect";
}

// Pitfall 14.
TEST_P(PbsTest, OnlyAttributesThatAreReadAreAskedForUnlessTheServerRefuses) {
  submit(1, 1);
  server.refuses_wanted = true;
  auto update = poll();
  ASSERT_TRUE(update) << update.error().what;
  EXPECT_EQ(update->arrived.size(), 1u);
  const auto asked = times_asked("19");
  EXPECT_EQ(asked, 2) << "for all once more";
  ASSERT_TRUE(poll());
  EXPECT_EQ(times_asked("19"), asked + 1) << "and then at once";
}

TEST(PbsOpenPbsTest, JoinsAnAnswerInManyParts) {
  PbsFixture all(FakePbs::Kind::openpbs);
  all.server.part = 7;
  for (int i = 0; i < 40; ++i) all.server.submit({{"select", "1:ncpus=1"}});
  const auto update = all.poll();
  ASSERT_TRUE(update) << update.error().what;
  EXPECT_EQ(update->arrived.size(), 40u);
}

// The end that OpenPBS keeps nothing of.
TEST(PbsOpenPbsTest, TheServersHistoryShowsHowAJobEnded) {
  PbsFixture all(FakePbs::Kind::openpbs);
  all.server.keeps_history = true;
  const auto link = make_link(all.io, all.link);
  const auto runs = all.server.submit({{"select", "1:ncpus=1"}}).id;
  const auto waits = all.server.submit({{"select", "1:ncpus=1"}}).id;
  all.jobs_said(*link);
  EXPECT_EQ(all.said(*link, {"STARTJOB", runs, {{"TASKLIST", "n01"}}}), "done");
  all.run_until([&] { return all.server.jobs[runs].substate == 42; });
  all.jobs_said(*link);
  all.server.end(runs, 7);
  EXPECT_THAT(all.jobs_said(*link), AllOf(HasSubstr("STATE=Completed"), HasSubstr("EXITCODE=7")));
  EXPECT_EQ(all.said(*link, {"STARTJOB", waits, {{"TASKLIST", "n01"}}}), "done");
  all.server.end(waits, 271);
  EXPECT_THAT(all.jobs_said(*link), AllOf(HasSubstr("STATE=Removed"), HasSubstr("EXITCODE=143")));
  EXPECT_EQ(all.jobs_said(*link), "0#");
}

TEST(PbsOpenPbsTest, TheHistoryOfAServerThatRefusesNamedAttributesIsRead) {
  PbsFixture all(FakePbs::Kind::openpbs);
  all.server.keeps_history = all.server.refuses_wanted = true;
  const auto link = make_link(all.io, all.link);
  const auto job = all.server.submit({{"select", "1:ncpus=1"}}).id;
  all.jobs_said(*link);
  EXPECT_EQ(all.said(*link, {"STARTJOB", job, {{"TASKLIST", "n01"}}}), "done");
  all.server.end(job, 7);
  EXPECT_THAT(all.jobs_said(*link), AllOf(HasSubstr("STATE=Completed"), HasSubstr("EXITCODE=7")));
}

TEST(PbsOpenPbsTest, AServerThatDoesNotAnswerIsNotAskedForEveryEnd) {
  PbsFixture all(FakePbs::Kind::openpbs);
  all.server.keeps_history = true;
  all.link.server.timeout = std::chrono::milliseconds(300);
  const auto link = make_link(all.io, all.link);
  std::vector<std::string> jobs;
  for (int i = 0; i < 4; ++i) jobs.push_back(all.server.submit({{"select", "1:ncpus=1"}}).id);
  all.jobs_said(*link);
  for (const auto& job : jobs)
    EXPECT_EQ(all.said(*link, {"STARTJOB", job, {{"TASKLIST", "n01"}}}), "done");
  for (const auto& job : jobs) all.server.end(job, 0);
  all.server.faults.lost_looks = 100;
  EXPECT_THAT(all.jobs_said(*link), testing::StartsWith("4#")) << "all have ended";
  EXPECT_EQ(all.times_asked("19 "), 1);
}

TEST(PbsOpenPbsTest, TheServersHistoryReportsUnseenEndsOnce) {
  PbsFixture all(FakePbs::Kind::openpbs);
  all.server.keeps_history = true;
  const auto runs = all.server.submit({{"select", "1:ncpus=1"}}).id;
  auto link = make_link(all.io, all.link);
  all.jobs_said(*link);
  EXPECT_EQ(all.said(*link, {"STARTJOB", runs, {{"TASKLIST", "n01"}}}), "done");
  all.run_until([&] { return all.server.jobs[runs].substate == 42; });
  link.reset();
  all.server.end(runs, 7);
  link = make_link(all.io, all.link);
  EXPECT_THAT(all.jobs_said(*link), AllOf(HasSubstr("STATE=Completed"), HasSubstr("EXITCODE=7")));
  EXPECT_EQ(all.jobs_said(*link), "0#");
}

// A job that somebody requeued waits at once; a request that a hung server may still read does not
// let anything that it reports meanwhile count for that.
TEST_P(PbsTest, AnswersShowWhatWasAskedForBeforeUnlessARequestWasNotAnswered) {
  const auto first = submit(1, 1), second = submit(1, 1);
  ASSERT_TRUE(poll());
  ASSERT_TRUE(start(on(first, {"n01"})).status);
  auto update = poll();
  ASSERT_TRUE(update);
  EXPECT_THAT(update->certain, ElementsAre("base"));
  server.faults.silent_starts = 1;
  EXPECT_TRUE(start(on(second, {"n02"})).status);
  update = poll();
  ASSERT_TRUE(update);
  EXPECT_THAT(update->certain, IsEmpty());
}

TEST_P(PbsTest, AStartThatTheServerTookAndUndidHasFailed) {
  const auto link_ = make_link(io, link);
  const auto job = submit(1, 1), other = submit(1, 1);
  const auto start = [&](const std::string& name) {
    EXPECT_EQ(said(*link_, {"STARTJOB", name, {{"TASKLIST", "n01"}}}), "done");
  };
  const auto put_back = [&](const std::string& name) {
    server.jobs[name].state = 'Q';
    server.jobs[name].substate = 10;
  };
  EXPECT_THAT(jobs_said(*link_), Not(HasSubstr("REJCOUNT")));
  start(job);
  put_back(job);
  EXPECT_THAT(jobs_said(*link_), HasSubstr("REJCOUNT=1")) << "its mom did not take it";
  EXPECT_THAT(jobs_said(*link_), HasSubstr("REJCOUNT=1")) << "which has happened once";
  server.nodes["n01"].slots.clear();
  start(other);
  run_until([&] { return server.jobs[other].substate == 42; });
  EXPECT_THAT(jobs_said(*link_), HasSubstr("STATE=Running"));
  put_back(other);
  EXPECT_THAT(jobs_said(*link_), Not(HasSubstr("REJCOUNT=2")))
      << "one that has run was put back by somebody";
}

TEST(PbsOpenPbsTest, AJobThatRanAndVanishedHasEnded) {
  PbsFixture all(FakePbs::Kind::openpbs);
  const auto name = all.server.submit({{"select", "1:ncpus=1"}}).id;
  const auto link = make_link(all.io, all.link);
  const auto ask = [&](const WikiRequest& request) { return all.said(*link, request); };
  const auto jobs = [&] { return all.jobs_said(*link); };
  EXPECT_THAT(jobs(), HasSubstr("STATE=Idle"));
  EXPECT_EQ(ask({"STARTJOB", name, {{"TASKLIST", "n01"}}}), "done");
  all.run_until([&] { return all.server.jobs[name].substate == 42; });
  EXPECT_THAT(jobs(), HasSubstr("STATE=Running"));
  all.server.end(name, 0);
  EXPECT_THAT(jobs(), HasSubstr("STATE=Completed"));
  EXPECT_EQ(jobs(), "0#") << "which is told once";

  // While it is ending the server knows how.
  const auto other = all.server.submit({{"select", "1:ncpus=1"}}).id;
  EXPECT_THAT(jobs(), HasSubstr("STATE=Idle"));
  EXPECT_EQ(ask({"STARTJOB", other, {{"TASKLIST", "n01"}}}), "done");
  auto& ending = all.server.jobs[other];
  ending.state = 'E';
  ending.others["Exit_status"] = "3";
  EXPECT_THAT(jobs(), AllOf(HasSubstr("STATE=Running"), Not(HasSubstr("EXITCODE"))));
  all.server.end(other, 0);
  EXPECT_THAT(jobs(), AllOf(HasSubstr("STATE=Completed"), HasSubstr("EXITCODE=3")));
}

TEST(PbsOpenPbsTest, EventsComeToTheRegisteredSchedulerOneACycle) {
  PbsFixture all(FakePbs::Kind::openpbs);
  ASSERT_TRUE(all.poll());
  EXPECT_EQ(all.times_asked("98"), 2) << "both connections name themselves";
  all.run_until([&] { return all.rings == 1; });  // it is told that it is registered
  all.server.submit({{"select", "1:ncpus=1"}});
  ASSERT_TRUE(all.poll());  // which ends the cycle
  all.run_until([&] { return all.rings == 2; });
}

TEST(PbsOpenPbsTest, AUsersWishToRunAJobIsAnswered) {
  PbsFixture all(FakePbs::Kind::openpbs);
  const auto job = all.server.submit({{"select", "1:ncpus=1"}}).id;
  ASSERT_TRUE(all.poll());
  all.run_until([&] { return all.rings > 0; });
  ASSERT_TRUE(all.poll());
  const int before = all.rings;
  all.run_until([&] {
    all.server.ask_to_run(job);
    return all.rings > before && all.times_asked("80 " + job) == 1;
  });
}

TEST(PbsOpenPbsTest, TheRegistrationIsMadeAnewWhenTheServerIsBack) {
  PbsFixture all(FakePbs::Kind::openpbs);
  ASSERT_TRUE(all.poll());
  all.server.die();
  EXPECT_FALSE(all.poll());
  all.server.start();
  ASSERT_TRUE(all.poll());
  EXPECT_EQ(all.times_asked("98"), 4);
}

TEST(PbsOpenPbsTest, TheDeathOfTheServerIsHeardOfBeforeTheNextPoll) {
  PbsFixture all(FakePbs::Kind::openpbs);
  ASSERT_TRUE(all.poll());
  all.run_until([&] { return all.rings == 1; });  // it is told that it is registered
  all.server.die();
  all.run_until([&] { return all.rings == 2; });
}

TEST(PbsOpenPbsTest, ReportsThatAnotherSchedulerIsRegistered) {
  PbsFixture other(FakePbs::Kind::openpbs);
  ASSERT_TRUE(other.poll());
  auto link = make_link(other.io, other.link);
  std::optional<WikiAnswer> given;
  link->ask({"GETNODES", "0:ALL", {}}, [&](WikiAnswer answer) { given = std::move(answer); });
  other.run_until([&] { return given.has_value(); });
  ASSERT_FALSE(given->reply);
  EXPECT_THAT(given->reply.error().what, HasSubstr("stop pbs_sched"));
}

/// Lets what is under way on the loop go on for some time.
void let_pass(PbsFixture& all, std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  all.run_until([&] { return std::chrono::steady_clock::now() >= end; });
}

TEST(PbsOpenPbsTest, ALinkThatIsReplacedWhileItRegistersGivesUpItsPlace) {
  PbsFixture all(FakePbs::Kind::openpbs);
  auto link = make_link(all.io, all.link);
  link->ask({"GETNODES", "0:ALL", {}}, [](const WikiAnswer&) {});
  all.run_until([&] { return all.times_asked("98") == 1; });
  link.reset();
  let_pass(all, std::chrono::milliseconds(100));
  link = make_link(all.io, all.link);
  std::string answer = "no answer";
  for (int i = 0; i < 20 && answer == "no answer"; ++i) {
    let_pass(all, std::chrono::milliseconds(20));
    answer = all.said(*link, {"GETNODES", "0:ALL", {}});
  }
  EXPECT_NE(answer, "no answer");
}

// A comment is written on a connection that has just ended.
TEST(PbsOpenPbsTest, ALinkMayBeReplacedWhileItReconnects) {
  PbsFixture all(FakePbs::Kind::openpbs);
  const auto job = all.server.submit({{"select", "1:ncpus=1"}}).id;
  auto link = make_link(all.io, all.link);
  all.jobs_said(*link);
  const std::vector<JobNotice> notices{{job, "base", kForever, "it is too large"}};
  all.said(*link, notice_request(notices, true));
  int connections = 0;
  link->ask({"GETJOBS", "0:ALL", {}}, [&](const WikiAnswer&) {
    all.server.die();
    all.server.start();
    connections = all.server.connections;
  });
  all.run_until([&] { return connections > 0; });
  link.reset();
  all.run_until([&] { return all.server.connections > connections; });
  let_pass(all, std::chrono::milliseconds(200));
  EXPECT_EQ(all.times_asked("98"), 2) << "nobody needs the new connection";
}

TEST_P(PbsTest, AStartWithoutOperatorRightsSaysWhatToDo) {
  const auto job = submit(1, 1);
  server.operators = {"alice"};
  ASSERT_TRUE(poll());
  const auto answer = start(on(job, {"n01"}));
  ASSERT_FALSE(answer.status);
  EXPECT_EQ(answer.obstacle, Obstacle::passes) << "no job is held for it";
  EXPECT_THAT(answer.status.error().what, HasSubstr("managers and operators"));
}

TEST_P(PbsTest, RootIsTrustedByItsReservedPort) {
  if (::geteuid() != 0) GTEST_SKIP() << "reserved ports take root";
  server.trust = FakePbs::Trust::vouched;
  link.server.auth = Auth::automatic;
  const auto update = poll();
  ASSERT_TRUE(update) << update.error().what;
  EXPECT_EQ(times_asked(torque() ? "49" : "95"), torque() ? 1 : 2) << "each connection once";
}

TEST(PbsTorqueTest, TrqauthdVouchesForUsersOtherThanRoot) {
  using boost::asio::local::stream_protocol;
  PbsFixture all(FakePbs::Kind::torque);
  all.server.trust = FakePbs::Trust::vouched;
  all.link.server.auth = Auth::trqauthd;
  all.link.server.trqauthd = fmt::format("{}trqauthd.{}", testing::TempDir(), ::getpid());
  const auto without = all.poll();
  ASSERT_FALSE(without);
  EXPECT_THAT(without.error().what, HasSubstr("start trqauthd, run maui as root"));

  stream_protocol::acceptor trqauthd(all.io, stream_protocol::endpoint(all.link.server.trqauthd));
  stream_protocol::socket visitor(all.io);
  std::string question;
  trqauthd.async_accept(visitor, [&](boost::system::error_code) {
    std::array<char, 200> buffer{};
    const auto size = visitor.read_some(boost::asio::buffer(buffer));
    question.assign(buffer.data(), size);
    const auto words = question.substr(0, question.size() - 1);
    all.server.vouch(std::stoi(words.substr(words.rfind('|') + 1)));
    visitor.write_some(boost::asio::buffer("0|0||", 5));
  });
  const auto update = all.poll();
  ::unlink(all.link.server.trqauthd.c_str());
  ASSERT_TRUE(update) << update.error().what;
  EXPECT_TRUE(question.starts_with(
      fmt::format("1|9|127.0.0.1|{}|1|4|root|{}|", all.server.port(), ::getpid())))
      << question;
}

// Both are ready in the same turn of the loop.
TEST(PbsTorqueTest, TrqauthdMayAnswerWhenItsTimeIsUp) {
  using boost::asio::local::stream_protocol;
  PbsFixture all(FakePbs::Kind::torque);
  all.server.trust = FakePbs::Trust::vouched;
  all.link.server.auth = Auth::trqauthd;
  all.link.server.timeout = std::chrono::milliseconds(500);
  all.link.server.trqauthd = fmt::format("{}trqauthd.{}", testing::TempDir(), ::getpid());
  stream_protocol::acceptor trqauthd(all.io, stream_protocol::endpoint(all.link.server.trqauthd));
  stream_protocol::socket visitor(all.io);
  boost::asio::steady_timer pause(all.io);
  trqauthd.async_accept(visitor, [&](boost::system::error_code) {
    pause.expires_after(std::chrono::milliseconds(50));  // maui then waits for the answer
    pause.async_wait([&](boost::system::error_code) {
      std::array<char, 200> buffer{};
      const auto size = visitor.read_some(boost::asio::buffer(buffer));
      const std::string words(buffer.data(), size - 1);
      all.server.vouch(std::stoi(words.substr(words.rfind('|') + 1)));
      visitor.write_some(boost::asio::buffer("0|0||", 5));
      std::this_thread::sleep_for(std::chrono::milliseconds(600));
    });
  });
  const auto update = all.poll();
  ::unlink(all.link.server.trqauthd.c_str());
  ASSERT_TRUE(update) << update.error().what;
}

/// A program that makes credentials in the place of maui-munge.
std::string made_by_script(const std::string& words) {
  const auto path = fmt::format("{}munge.{}", testing::TempDir(), ::getpid());
  std::ofstream(path) << "#!/bin/sh\n" << words << "\n";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

/// The server takes that credential; a script makes one of what it is asked for.
void know_by_munge(PbsFixture& all, const std::string& credential) {
  all.server.trust = FakePbs::Trust::vouched;
  all.server.credential = credential;
  all.link.server.auth = Auth::munge;
  all.link.server.munge = made_by_script("echo MUNGE:$2");
}

TEST_P(PbsTest, AMungeCredentialIdentifiesTheClient) {
  know_by_munge(*this, "MUNGE:root:");
  const auto update = poll();
  ASSERT_TRUE(update) << update.error().what;
  EXPECT_EQ(times_asked(torque() ? "61 MUNGE:root:" : "95 munge"), torque() ? 1 : 2);
}

TEST_P(PbsTest, ReportsACredentialThatIsRefusedOrCannotBeMade) {
  know_by_munge(*this, "MUNGE:other");
  const auto refused = poll();
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().what, HasSubstr("credential"));
  made_by_script("echo no munged >&2; exit 1");
  const auto none = poll();
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().what, HasSubstr("munge created no credential"));
}

TEST(PbsEventTest, FourBytesOrANumberInDisAreAnEvent) {
  EXPECT_TRUE(is_event(std::string_view("\0\0\0\1", 4)));
  EXPECT_TRUE(is_event(std::string_view("\0\0\0\n", 4)));
  EXPECT_TRUE(is_event("+1"));
  EXPECT_FALSE(is_event(""));
  EXPECT_FALSE(is_event("GET / HTTP/1.1"));
}

// TORQUE closes at once, and reports what happens within a moment once.
TEST(PbsEventTest, TorqueRingsAtTheSchedulersPort) {
  PbsFixture all(FakePbs::Kind::torque);
  int rings = 0;
  EventPort port(
      all.io, [&] { ++rings; }, is_event);
  ASSERT_TRUE(port.listen("127.0.0.1", 0));
  all.server.event_port = port.port();
  all.server.submit({{"nodes", "1"}});
  all.server.submit({{"nodes", "1"}});
  all.run_until([&] { return rings == 1; });
}

// Pitfall 2: half a request lets every client of an OpenPBS server wait.
TEST_P(PbsTest, EachRequestGoesInOneWrite) {
  const auto job = submit(2, 1);
  ASSERT_TRUE(poll());
  const Job here = on(job, {"n01", "n02"});
  ASSERT_TRUE(start(here).status);
  const auto now = link.now();
  EXPECT_TRUE(status_of([&](auto done) { manager().set_limit(here, Seconds(5400), now, done); }));
  EXPECT_TRUE(status_of([&](auto done) { manager().requeue(here, now, done); }));
  EXPECT_TRUE(status_of([&](auto done) { manager().cancel(here, CancelCause::asked, now, done); }));
  ASSERT_TRUE(poll());
  EXPECT_EQ(server.halves, 0);
}

// Pitfall 6: servers crash on another version of the protocol, or never answer.
TEST_P(PbsTest, EachRequestIsOfTheOneVersion) {
  link.server.subtype = torque() ? Subtype::torque : Subtype::openpbs;
  const auto job = submit(1, 1);
  ASSERT_TRUE(poll());
  ASSERT_TRUE(start(on(job, {"n01"})).status);
  EXPECT_EQ(server.strange, 0);
  const Requests all("root");
  const std::vector<std::string> jobs{"1.srv"};
  for (const auto& request :
       {all.connect(), all.disconnect(), all.status(RequestCode::status_node),
        all.run(RequestCode::run_job, "1.srv", "n01"),
        all.manage(RequestCode::hold_job, Command::set, ObjectKind::job, "1.srv", {}),
        all.rerun("1.srv"), all.signal("1.srv", "suspend"), all.message("1.srv", "hello"),
        all.delete_jobs(jobs), all.vouch_bare(1023), all.vouch_framed(1023),
        all.register_scheduler("default"), all.answer_scheduling(11, "1.srv", 0, "")})
    EXPECT_TRUE(request.starts_with("+2+2")) << request;
}

// Pitfall 8: the job stays on the node until somebody acts, and the server cannot end it.
TEST_P(PbsTest, AJobWhoseMomIsDeadRunsUntilTheServerSaysOtherwise) {
  const auto job = submit(1, 1);
  ASSERT_TRUE(poll());
  const Job here = on(job, {"n01"});
  ASSERT_TRUE(start(here).status);
  run_until([&] { return server.jobs[job].substate == 42; });
  ASSERT_TRUE(poll());
  server.nodes["n01"].down = true;
  auto update = poll();
  ASSERT_TRUE(update);
  ASSERT_EQ(update->nodes.size(), 1u);
  EXPECT_EQ(update->nodes[0].node.reported, NodeState::down);
  EXPECT_TRUE(update->ended.empty());
  EXPECT_TRUE(update->lost.empty());
  const auto cancelled =
      status_of([&](auto done) { manager().cancel(here, CancelCause::asked, link.now(), done); });
  ASSERT_FALSE(cancelled);
  EXPECT_THAT(cancelled.error().what, HasSubstr(torque() ? "15072" : "15070"));
  EXPECT_EQ(server.jobs[job].state, 'R');
  server.nodes["n01"].down = false;
  EXPECT_TRUE(
      status_of([&](auto done) { manager().cancel(here, CancelCause::asked, link.now(), done); }));
  EXPECT_TRUE(!server.jobs.contains(job) || server.jobs[job].state == 'C');
}

// Pitfall 12: TORQUE takes changes of what it alone should say, and reports them ever after.
TEST_P(PbsTest, CommandsChangeOnlyTheLimitOfAJob) {
  const auto job = submit(1, 1);
  const auto direct = make_link(io, link);
  const auto code_of = [&](const WikiRequest& request) {
    std::optional<WikiAnswer> given;
    direct->ask(request, [&](WikiAnswer answer) { given = std::move(answer); });
    run_until([&] { return given.has_value(); });
    return given && given->reply ? given->reply->code : 1;
  };
  for (const char* name : {"exec_host", "queue", "TASKLIST", "PARTITION", "BANK"})
    EXPECT_EQ(code_of({"MODIFYJOB", job, {{name, "n02"}}}), kWikiRefused) << name;
  EXPECT_EQ(times_asked("11"), 0);
  EXPECT_EQ(code_of({"MODIFYJOB", job, {{"TIMELIMIT", "7"}}}), kWikiDone);
  EXPECT_EQ(server.jobs[job].asked["walltime"], "00:07:00");
}

// Pitfall 16: OpenPBS writes over the comment at the start, TORQUE leaves it.
TEST_P(PbsTest, CommentsSayWhyAJobWaitsAndNotAfterItsStart) {
  comments = true;
  const auto job = submit(1, 1), held = submit(1, 1), other = submit(1, 1);
  ASSERT_TRUE(poll());
  const auto comment = [&](const std::string& name) { return server.jobs[name].others["comment"]; };
  manager().note({{job, "base", Time(1'800'000'001)}, {held, "base", kForever, "it is too large"}});
  ASSERT_TRUE(poll());
  run_until([&] { return comment(held) == "maui: held: it is too large"; });
  EXPECT_THAT(comment(job), HasSubstr("maui: planned to start about "));
  EXPECT_EQ(comment(other), "");
  const auto asked = times_asked("11");
  ASSERT_TRUE(poll());
  // A plan that moves by seconds changes nothing.
  manager().note({{job, "base", Time(1'800'000'044)}, {held, "base", kForever, "it is too large"}});
  ASSERT_TRUE(poll());
  ASSERT_TRUE(poll());
  EXPECT_EQ(times_asked("11"), asked);

  ASSERT_TRUE(start(on(job, {"n01"})).status);
  run_until([&] {
    return comment(job) == (torque() ? "maui: started" : "Job run at ... on (n01:ncpus=1)");
  });
  manager().note({});
  ASSERT_TRUE(poll());
  run_until([&] { return comment(held) == "maui: waits, see checkjob"; });
  EXPECT_THAT(comment(job), Not(HasSubstr("waits")));
  ASSERT_TRUE(start(on(held, {"n02"})).status);
  run_until([&] { return comment(held).find("waits") == std::string::npos; });
}

TEST_P(PbsTest, ALeaseShowsInTheCommentOnAStartAndNowhereElse) {
  comments = true;
  generation = 7;
  const auto job = submit(1, 1);
  ASSERT_TRUE(poll());
  manager().note({{job, "base", Time(1'800'000'001)}});
  ASSERT_TRUE(poll());
  ASSERT_TRUE(start(on(job, {"n01"})).status);
  run_until([&] {
    return server.jobs[job].others["comment"] ==
           (torque() ? "maui: started (generation 7)" : "Job run at ... on (n01:ncpus=1)");
  });
  const auto changed = status_of([&](auto done) {
    manager().set_limit(on(job, {"n01"}), Seconds(420), link.now(), std::move(done));
  });
  ASSERT_TRUE(changed) << changed.error().what;
  EXPECT_EQ(server.jobs[job].asked["walltime"], "00:07:00");
}

// The scheduler starts jobs as soon as they are reported.
TEST_P(PbsTest, AJobThatStartsAtOnceIsNotSaidToWait) {
  comments = true;
  const auto job = submit(1, 1);
  ASSERT_TRUE(poll());
  manager().note({{job, "base", Time(1'800'000'001)}});
  bool started = false;
  manager().poll(cluster, link.now(), [&](const Result<Update>&) {
    manager().start(on(job, {"n01"}), cluster, link.now(),
                    [&](const StartAnswer& answer) { started = static_cast<bool>(answer.status); });
  });
  run_until([&] { return started; });
  ASSERT_TRUE(poll());
  EXPECT_THAT(server.jobs[job].others["comment"], Not(HasSubstr("planned")));
}

TEST_P(PbsTest, CommentsAreNotTouchedUnlessTheSiteWantsThem) {
  const auto job = submit(1, 1);
  server.jobs[job].others["comment"] = "mine";
  ASSERT_TRUE(poll());
  EXPECT_FALSE(manager().shows_notices());
  ASSERT_TRUE(start(on(job, {"n01"})).status);
  ASSERT_TRUE(poll());
  EXPECT_EQ(times_asked("11"), 0);
}

TEST_P(PbsTest, ManyCommentsAreChangedAFewAtATime) {
  comments = true;
  std::vector<JobNotice> notices;
  for (int i = 0; i < 50; ++i) notices.push_back({submit(1, 1), "base", kForever, "why not"});
  ASSERT_TRUE(poll());
  manager().note(notices);
  for (const int expected : {20, 40, 50, 50}) {
    ASSERT_TRUE(poll());
    run_until([&] { return times_asked("11") >= expected; });
    EXPECT_EQ(times_asked("11"), expected);
  }
}

// Pitfall 18: reserved ports are few, and rest for a minute once they were used.
TEST_P(PbsTest, ReservedPortsAreUsedOnceAConnection) {
  if (::geteuid() != 0) GTEST_SKIP() << "reserved ports take root";
  server.trust = FakePbs::Trust::vouched;
  link.server.auth = Auth::reserved_port;
  for (int i = 0; i < 6; ++i) {
    const auto job = submit(1, 1);
    ASSERT_TRUE(poll());
    ASSERT_TRUE(start(on(job, {i % 2 == 0 ? "n01" : "n02"})).status);
    ASSERT_TRUE(status_of([&](auto done) {
      manager().cancel(on(job, {"n01"}), CancelCause::asked, link.now(), done);
    }));
  }
  EXPECT_EQ(times_asked(torque() ? "49" : "95"), torque() ? 3 : 2);
}

TEST(PbsTorqueTest, AConfiguredTorqueServerIsNotProbed) {
  PbsFixture all(FakePbs::Kind::torque);
  all.link.server.subtype = Subtype::torque;
  all.link.server.trial = std::chrono::milliseconds(20'000);
  ASSERT_TRUE(all.poll());
  EXPECT_EQ(all.server.connections, 1);
}

TEST(PbsTorqueTest, ReportsAWronglyConfiguredOpenPbsServer) {
  PbsFixture all(FakePbs::Kind::torque);
  all.link.server.subtype = Subtype::openpbs;
  all.link.server.timeout = std::chrono::milliseconds(300);
  const auto update = all.poll();
  ASSERT_FALSE(update);
  EXPECT_THAT(update.error().what, HasSubstr("is SUBTYPE=OPENPBS correct?"));
}

// It is slow at first, and not taken for TORQUE.
TEST(PbsOpenPbsTest, WaitsForAConfiguredOpenPbsServer) {
  PbsFixture all(FakePbs::Kind::openpbs);
  all.link.server.subtype = Subtype::openpbs;
  all.link.server.trial = std::chrono::milliseconds(0);
  ASSERT_TRUE(all.poll());
}

TEST(PbsOpenPbsTest, NodesOfAGroupHaveTheSameValueOfAResource) {
  PbsFixture all(FakePbs::Kind::openpbs);
  all.server.available = {{"n01 switch", "s1,s2"}, {"n02 switch", "s2"}, {"n01 arch", "linux"}};
  all.server.submit({{"select", "2:ncpus=1:arch=linux"}, {"place", "scatter:group=switch"}});
  all.server.submit({{"select", "1:ncpus=1:switch=s1"}});
  all.server.submit({{"select", "1:ncpus=1"}, {"place", "group=rack"}});
  const auto update = all.poll();
  ASSERT_TRUE(update) << update.error().what;
  EXPECT_THAT(update->nodes[0].features, testing::IsSupersetOf({"switch=s1", "switch=s2"}));
  EXPECT_EQ(update->nodes[0].node.architecture, "linux");
  ASSERT_EQ(update->arrived.size(), 3u);
  EXPECT_EQ(update->arrived[0].job.node_set, "ONEOF:FEATURE:switch=s1,switch=s2");
  EXPECT_TRUE(update->arrived[0].job.node_set_binds);
  EXPECT_EQ(update->arrived[0].request.requirements[0].architecture, "linux");
  EXPECT_THAT(update->arrived[1].features[0], testing::Contains("switch=s1"));
  EXPECT_THAT(update->arrived[2].problem, HasSubstr("no node has a value of rack"));
}

TEST_P(PbsTest, ReportsThatTheClientIsNotTrusted) {
  server.trust = FakePbs::Trust::vouched;
  const auto update = poll();
  ASSERT_FALSE(update);
  EXPECT_THAT(update.error().what, HasSubstr(torque() ? "15021" : "15019"));
  EXPECT_THAT(update.error().what, HasSubstr("AUTHTYPE"));
}

TEST_P(PbsTest, ReportsEachServerThatDoesNotAnswer) {
  server.die();
  link.server.hosts = "127.0.0.2,127.0.0.1";
  const auto update = poll();
  ASSERT_FALSE(update);
  EXPECT_THAT(update.error().what, AllOf(HasSubstr("cannot connect to 127.0.0.2:"),
                                         HasSubstr("; cannot connect to 127.0.0.1:")));
}

TEST_P(PbsTest, ReportsAnErrorCommonToAllServersOnce) {
  link.server.hosts = "127.0.0.1,localhost";
  link.server.auth = Auth::munge;  // and the helper is not installed
  const auto update = poll();
  ASSERT_FALSE(update);
  const auto& why = update.error().what;
  EXPECT_EQ(why.find("maui-munge"), why.rfind("maui-munge")) << why;
}

TEST_P(PbsTest, UsesTheFirstServerThatAnswers) {
  link.server.hosts = "127.0.0.2, 127.0.0.1";
  const auto update = poll();
  ASSERT_TRUE(update) << update.error().what;
  EXPECT_FALSE(lines.empty());
  EXPECT_THAT(lines.back(), HasSubstr("127.0.0.1"));
}

}  // namespace
}  // namespace maui::pbs
