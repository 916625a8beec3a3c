#include "cmd/execution.h"

#include <fmt/format.h>

#include <memory>

#include "cmd/command_fixture.h"

namespace maui::test {
namespace {

class ExecutionTest : public CommandTest {
 protected:
  static CommandRequest request(const std::string& line, const std::string& user = "root") {
    const auto all = words(line);
    CommandRequest made;
    made.command = all.front();
    made.user = user;
    made.operands.assign(all.begin() + 1, all.end());
    return made;
  }
  /// Slices as short as can be, with `between` after each but the last.
  template <class Between>
  Reply in_slices(CommandRequest asked, int& slices, Between between) {
    Execution execution(engine(), server, std::move(asked));
    for (slices = 1;; ++slices) {
      if (auto reply = execution.go_on([] { return true; })) return *std::move(reply);
      between();
    }
  }
};

TEST_F(ExecutionTest, AJobIsASlice) {
  int slices = 0;
  const auto reply = in_slices(request("sethold b nosuch c"), slices, [] {});
  EXPECT_GE(slices, 4);
  ASSERT_TRUE(std::holds_alternative<JobsReply>(reply));
  EXPECT_EQ(
      std::get<JobsReply>(reply).jobs,
      (std::vector<Outcome>{
          {"b", true, ""}, {"nosuch", false, "cannot locate job 'nosuch'"}, {"c", true, ""}}));
}

// A client may be closed between slices: what was done until then is a change.
TEST_F(ExecutionTest, AChangeIsOneFromItsFirstJobOn) {
  Execution execution(engine(), server, request("sethold nosuch b c"));
  std::vector<bool> changed;
  while (!execution.go_on([] { return true; })) changed.push_back(execution.has_changed());
  ASSERT_GE(changed.size(), 4U);
  EXPECT_FALSE(changed[1]) << "there is no such job";
  EXPECT_TRUE(changed[2]) << "b is held";
  Execution refused(engine(), server, request("sethold nosuch neither"));
  while (!refused.go_on([] { return true; }))
    ;
  EXPECT_FALSE(refused.has_changed());
}

/// A resource manager whose answers come after the command's last step.
class LateAnswersTest : public ExecutionTest {
 protected:
  LateAnswersTest() {
    auto manager = std::make_unique<ScriptedRm>();
    rm = manager.get();
    rm->next.nodes = {node_report("n1", procs(2)), node_report("n2", procs(2))};
    rm->next.arrived = {report("a", 2, "amy"), report("d", 2, "amy"), report("b", 2, "bob"),
                        report("c", 1, "amy")};
    run(std::move(manager));
    rm->answers_later = true;
  }
  /// Executes it, has everything answered once it waits for that, and returns the reply.
  Reply late(CommandRequest asked) {
    Execution execution(engine(), server, std::move(asked));
    auto reply = execution.go_on([] { return false; });
    EXPECT_FALSE(reply) << "it is not done before the answers";
    if (reply) return *std::move(reply);
    bool over = false;
    execution.awaited()->when_over([&] { over = true; });
    EXPECT_FALSE(execution.go_on([] { return false; }));
    rm->answer_all();
    EXPECT_TRUE(over);
    return *execution.go_on([] { return false; });
  }
  std::string late_refusal(const std::string& line, const std::string& flag = {},
                           const std::string& value = {}) {
    auto asked = request(line);
    if (!flag.empty()) asked.flags = {{flag, value}};
    const Reply reply = late(asked);
    const auto* refusal = std::get_if<Refusal>(&reply);
    return refusal != nullptr ? refusal->reason : "(done)";
  }

  ScriptedRm* rm = nullptr;
};

TEST_F(LateAnswersTest, ARefusalIsTheAnswerToTheCommandAndNothingIsChanged) {
  rm->refuses_cancels = rm->refuses_preemption = rm->refuses_limits = rm->refuses_nodes = "no way";
  rm->refuses_resumption = "no way";
  EXPECT_EQ(late_refusal("canceljob c"), "cannot cancel job 'c': no way");
  EXPECT_TRUE(job("c").waiting());
  EXPECT_EQ(late_refusal("canceljob a"), "cannot cancel job 'a': no way");
  EXPECT_EQ(late_refusal("mjobctl a", "s"), "cannot suspend job 'a': no way");
  EXPECT_EQ(late_refusal("mjobctl a", "R"), "cannot requeue job 'a': no way");
  EXPECT_TRUE(job("a").active());
  const Seconds limit = engine().cluster().request_of(job("a").id).limit;
  EXPECT_EQ(late_refusal("mjobctl a", "m", "wclimit=3:00:00"), "cannot change job 'a': no way");
  EXPECT_EQ(engine().cluster().request_of(job("a").id).limit, limit);
  EXPECT_EQ(late_refusal("mnodectl n1", "m", "state=drained"), "cannot change node 'n1': no way");
  EXPECT_NE(engine().cluster().node(engine().cluster().find_node("n1")).reported,
            NodeState::drained);
  rm->refuses_preemption.reset();
  EXPECT_EQ(late_refusal("mjobctl a", "s"), "(done)");
  EXPECT_TRUE(job("a").suspended());
  EXPECT_EQ(late_refusal("mjobctl a", "r"), "cannot resume job 'a': no way");
  EXPECT_TRUE(job("a").suspended());
  rm->refuses_starts = "no licence";
  EXPECT_EQ(late_refusal("runjob b"), "cannot start job 'b': no licence");
  EXPECT_TRUE(job("b").waiting());
}

TEST_F(LateAnswersTest, WithoutAnAnswerItIsNotKnownWhetherItWasDone) {
  rm->refuses_cancels = "it took longer than 2 s";
  rm->unanswered = true;
  EXPECT_EQ(late_refusal("canceljob c"),
            "the request to cancel job 'c' was not answered, and it is not known whether that was "
            "done: it took longer than 2 s");
}

TEST_F(LateAnswersTest, OfSeveralJobsThoseThatAreRefusedAreReported) {
  Execution execution(engine(), server, request("canceljob a d nosuch"));
  while (rm->asked.empty() || rm->asked.back() != "cancel a")
    ASSERT_FALSE(execution.go_on([] { return true; }));
  rm->refuses_cancels = "no way";
  EXPECT_FALSE(execution.go_on([] { return false; }));
  auto answers = rm->take_answers();
  ASSERT_EQ(answers.size(), 2U);
  answers[1]();
  EXPECT_FALSE(execution.go_on([] { return false; })) << "one is missing";
  answers[0]();
  const auto reply = execution.go_on([] { return false; });
  ASSERT_TRUE(reply && std::holds_alternative<JobsReply>(*reply));
  EXPECT_EQ(std::get<JobsReply>(*reply).jobs,
            (std::vector<Outcome>{{"a", true, ""},
                                  {"d", false, "cannot cancel job 'd': no way"},
                                  {"nosuch", false, "cannot locate job 'nosuch'"}}));
}

TEST_F(LateAnswersTest, WhoAsksAgainWaitsForTheSameAnswer) {
  Execution first(engine(), server, request("canceljob a")),
      second(engine(), server, request("canceljob a"));
  rm->refuses_cancels = "no way";
  EXPECT_FALSE(first.go_on([] { return false; }));
  EXPECT_FALSE(second.go_on([] { return false; }));
  auto answers = rm->take_answers();
  ASSERT_EQ(answers.size(), 1U) << "it is asked for once";
  answers[0]();
  for (Execution* execution : {&first, &second}) {
    const auto reply = execution->go_on([] { return false; });
    ASSERT_TRUE(reply && std::holds_alternative<Refusal>(*reply));
    EXPECT_EQ(std::get<Refusal>(*reply).reason, "cannot cancel job 'a': no way");
  }
}

TEST_F(LateAnswersTest, ADryRunDoesNotWaitForTheAnswerToTheCommandItself) {
  Execution cancels(engine(), server, request("canceljob a"));
  EXPECT_FALSE(cancels.go_on([] { return false; }));
  CommandRequest tried = request("canceljob a");
  tried.flags.emplace("dry-run", "");
  Execution tries(engine(), server, std::move(tried));
  std::optional<Reply> reply;
  for (int i = 0; i < 10'000 && !reply && !tries.awaited(); ++i)
    reply = tries.go_on([] { return true; });
  EXPECT_TRUE(reply) << "it waits";
  rm->answer_all();
}

TEST_F(LateAnswersTest, AnAnswerIsNotWaitedForWithoutEnd) {
  Execution execution(engine(), server, request("canceljob a"));
  EXPECT_FALSE(execution.go_on([] { return false; }));
  bool over = false;
  execution.awaited()->when_over([&] { over = true; });
  execution.awaited()->give_up();
  EXPECT_TRUE(over);
  const auto reply = execution.go_on([] { return false; });
  ASSERT_TRUE(reply && std::holds_alternative<JobsReply>(*reply));
  const auto& outcome = std::get<JobsReply>(*reply).jobs.front();
  EXPECT_TRUE(outcome.done);
  EXPECT_EQ(outcome.reason,
            "'a': the resource manager has not answered yet; its answer goes to the log");
  rm->answer_all();
}

TEST_F(LateAnswersTest, AnAnswerMayComeWhenItsClientIsGone) {
  {
    Execution execution(engine(), server, request("canceljob a"));
    EXPECT_FALSE(execution.go_on([] { return false; }));
  }
  rm->answer_all();
}

TEST_F(ExecutionTest, IterationsBetweenSlicesMayTakeJobsAway) {
  int slices = 0;
  const auto reply = in_slices(request("sethold x:^[abc]$"), slices, [&] {
    if (slices == 5) ask("canceljob c");
    engine().iterate([] {});
  });
  ASSERT_TRUE(std::holds_alternative<JobsReply>(reply));
  const auto& jobs = std::get<JobsReply>(reply).jobs;
  ASSERT_EQ(jobs.size(), 3U);
  EXPECT_EQ(jobs[1], (Outcome{"b", true, ""}));
  EXPECT_EQ(jobs[2], (Outcome{"c", false, "cannot locate job 'c'"}));
}

TEST_F(ExecutionTest, AJobOfADryRunIsASliceAndWhatHappensMeanwhileChangesNothingOfIt) {
  CommandRequest trial = request("setres ALL");
  trial.flags = {{"dry-run", ""}, {"s", "+1:00:00"}, {"d", "2:00:00"}};
  const auto whole = get<ReservationCreatedReply>("setres --dry-run -s +1:00:00 -d 2:00:00 ALL");
  ASSERT_TRUE(whole.dry_run && whole.dry_run->shifts.size() == 2);
  int slices = 0;
  const auto reply = in_slices(trial, slices, [&] {
    if (slices == 1) ask("canceljob b");
    engine().iterate([] {});
  });
  EXPECT_GE(slices, 5) << "two jobs, without the reservation and with it";
  ASSERT_TRUE(std::holds_alternative<ReservationCreatedReply>(reply));
  EXPECT_EQ(std::get<ReservationCreatedReply>(reply).dry_run, whole.dry_run);
}

TEST_F(ExecutionTest, EachJobAheadIsASlice) {
  const auto whole = get<StartReply>("showstart c");
  ASSERT_GE(whole.expected_start, 0);
  int slices = 0;
  const auto reply = in_slices(request("showstart c"), slices, [&] { ask("canceljob b"); });
  EXPECT_GE(slices, 3) << "two jobs that wait, and the rest";
  ASSERT_TRUE(std::holds_alternative<StartReply>(reply));
  EXPECT_EQ(std::get<StartReply>(reply).expected_start, whole.expected_start);
}

/// Many jobs that wait behind each other.
class LongQueueTest : public ExecutionTest {
 protected:
  void SetUp() override {
    auto manager = std::make_unique<ScriptedRm>();
    manager->next.nodes = {node_report("n1", procs(2))};
    for (int i = 0; i < kJobs; ++i)
      manager->next.arrived.push_back(report(fmt::format("j{:04}", i), 2, "amy"));
    run(std::move(manager));
  }
  static constexpr int kJobs = 1500;
};

TEST_F(LongQueueTest, ShowqReportsTheQueueInSlices) {
  const auto whole = get<QueueReply>("showq");
  ASSERT_EQ(whole.active.size(), 1U);
  ASSERT_EQ(whole.idle.size(), kJobs - 1U);
  int slices = 0;
  const auto reply = in_slices(request("showq"), slices, [] {});
  EXPECT_GE(slices, 4);
  EXPECT_EQ(std::get<QueueReply>(reply), whole);
}

TEST_F(LongQueueTest, ShowqReportsTheQueueAsItIsAtTheEnd) {
  int slices = 0;
  const auto reply = in_slices(request("showq"), slices, [&] {
    if (slices == 3) {
      ask("canceljob j1499");
      engine().iterate([] {});
    }
  });
  const auto whole = get<QueueReply>("showq");
  EXPECT_EQ(whole.idle.size(), kJobs - 2U);
  EXPECT_EQ(std::get<QueueReply>(reply), whole);
}

TEST_F(LongQueueTest, ShowqReportsEvenAQueueThatNeverRests) {
  int slices = 0;
  const auto reply = in_slices(request("showq"), slices, [&] { engine().iterate([] {}); });
  EXPECT_LT(slices, 10);
  EXPECT_EQ(std::get<QueueReply>(reply), get<QueueReply>("showq"));
}

/// Many jobs that run, and many nodes.
class LargeClusterTest : public ExecutionTest {
 protected:
  void SetUp() override {
    auto manager = std::make_unique<ScriptedRm>();
    for (int i = 0; i < kNodes; ++i)
      manager->next.nodes.push_back(node_report(fmt::format("n{:04}", i), procs(1)));
    for (int i = 0; i < kNodes / 2; ++i)
      manager->next.arrived.push_back(report(fmt::format("j{:04}", kNodes - i), 1, "amy"));
    run(std::move(manager));
  }
  static CommandRequest chart() {
    CommandRequest asked = request("showres");
    asked.flags = {{"gantt", ""}};
    return asked;
  }
  static constexpr int kNodes = 3000;
};

TEST_F(LargeClusterTest, ShowresDrawsItInSlices) {
  ask("setres -s +1:00:00 -d 1:00:00 ALL");
  const auto whole = get<ReservationChartReply>("showres --gantt");
  ASSERT_EQ(whole.nodes.size(), static_cast<std::size_t>(kNodes));
  ASSERT_EQ(whole.reservations.size(), kNodes / 2 + 1U);
  EXPECT_EQ(whole.reservations.front().name, "j1501");
  EXPECT_EQ(whole.nodes.front().shares.size(), 1U);
  EXPECT_EQ(whole.nodes.back().shares.size(), 2U);
  int slices = 0;
  const auto reply = in_slices(chart(), slices, [] {});
  EXPECT_GE(slices, kNodes / 500 + kNodes / 1000) << "some hundreds of nodes or jobs each";
  EXPECT_EQ(std::get<ReservationChartReply>(reply), whole);
}

TEST_F(LargeClusterTest, ShowresDrawsItAsItIsInTheEnd) {
  ask("setres -s +1:00:00 -d 1:00:00 -n gone ALL");
  int slices = 0;
  const auto reply = in_slices(chart(), slices, [&] {
    if (slices == 9) ask("releaseres gone.0");
    if (slices == 11) ask("setres -s +2:00:00 -d 1:00:00 -n made ALL");
  });
  const auto whole = get<ReservationChartReply>("showres --gantt");
  ASSERT_EQ(whole.reservations.size(), kNodes / 2 + 1U);
  EXPECT_EQ(whole.reservations.back().name, "made.0");
  EXPECT_EQ(std::get<ReservationChartReply>(reply), whole);
  const auto restless = in_slices(chart(), slices, [&] { engine().iterate([] {}); });
  EXPECT_LT(slices, 10);
  EXPECT_EQ(std::get<ReservationChartReply>(restless), whole);
}

TEST_F(ExecutionTest, AJobThatIsNamedTwiceIsDealtWithOnce) {
  const auto reply = get<JobsReply>("sethold b x:^b x:^b b x:b");
  EXPECT_EQ(reply.jobs, (std::vector<Outcome>{{"b", true, ""}}));
}

TEST_F(ExecutionTest, ExpressionsThatMatchNothingAreSaidOnceBesideWhatIsDone) {
  const auto reply = get<JobsReply>("sethold x:^zz b x:^zz");
  EXPECT_EQ(reply.jobs, (std::vector<Outcome>{
                            {"b", true, ""}, {"x:^zz", false, "no job of yours matches 'x:^zz'"}}));
}

TEST_F(ExecutionTest, AReasonThatHoldsForAllJobsIsSaidOnce) {
  EXPECT_EQ(why_not("sethold -s b c", "bob"),
            "user 'bob' may set and release user holds (-u) of his own jobs only");
}

TEST_F(ExecutionTest, TheNumberOfExpressionsIsLimited) {
  std::string line = "sethold";
  for (int i = 0; i < 21; ++i) line += " x:^b|z" + std::to_string(i);
  const auto reply = get<JobsReply>(line);
  ASSERT_EQ(reply.jobs.size(), 2U);
  EXPECT_EQ(reply.jobs.front().reason, "more than 20 expressions in one command");
  EXPECT_TRUE(reply.jobs.back().done);
}

TEST_F(ExecutionTest, AQuestionOfShowstartIsASlice) {
  int slices = 0;
  in_slices(request("showstart 1000@1:00:00"), slices, [] {});
  EXPECT_GE(slices, 2) << "the copy of the queue, and the start in it";
  const auto reply = in_slices(request("showstart 4@1:00:00"), slices, [] {});
  ASSERT_TRUE(std::holds_alternative<StartReply>(reply));
  EXPECT_GT(std::get<StartReply>(reply).start, std::get<StartReply>(reply).now);
  EXPECT_GE(slices, 5) << "why it does not start now, and whether less would start earlier";
}

// Else there would be a copy of the queue for each connection that somebody has.
TEST_F(ExecutionTest, ACommandThatHoldsACopyOfTheQueueIsFinishedFirst) {
  CommandRequest trial = request("releasehold x:.", "amy");
  trial.flags = {{"dry-run", ""}};
  for (const auto& asked : {request("showstart 4@1:00:00", "amy"), trial}) {
    Execution execution(engine(), server, asked);
    int slices = 0, large = 0;
    while (!execution.go_on([] { return true; })) {
      ++slices;
      large += execution.is_large() ? 1 : 0;
    }
    EXPECT_GT(slices, 1) << asked.command;
    EXPECT_EQ(large, slices) << asked.command;
  }
}

}  // namespace
}  // namespace maui::test
