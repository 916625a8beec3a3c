// The allocation manager between a job and its start, and at its end (guide 6.4).
#include <fmt/format.h>

#include "engine/engine_fixture.h"

namespace maui::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

/// Answers as it is told to, and remembers what it was asked.
class ScriptedBank : public AllocationManager {
 public:
  std::vector<std::string> asked;  // "reserve a proj 7200"
  std::vector<AllocationRequest> requests;
  std::vector<std::string> empty;  // accounts that have nothing left
  bool fails = false, answers_later = false;
  std::string why_it_fails = "no connection";

  void ask(const AllocationRequest& request, Answer done) override {
    constexpr std::string_view kDeeds[] = {"reserve", "debit", "release"};
    asked.push_back(fmt::format("{} {} {} {:.0f}", kDeeds[static_cast<int>(request.deed)],
                                request.job, request.account, request.amount));
    requests.push_back(request);
    AllocationAnswer answer;
    const bool refused = request.deed == AllocationDeed::reserve &&
                         std::find(empty.begin(), empty.end(), request.account) != empty.end();
    if (refused) answer = {AllocationVerdict::refused, "nothing left"};
    if (fails) answer = {AllocationVerdict::failed, why_it_fails};
    if (answers_later)
      held_.push_back([done, answer] { done(answer); });
    else
      done(answer);
  }
  bool busy() const override { return !held_.empty(); }
  void answer_all() {
    for (const auto& answer : std::exchange(held_, {})) answer();
  }

 private:
  std::vector<std::function<void()>> held_;
};

class AllocationsTest : public EngineTest {
 protected:
  /// "a" of two processors and an hour, to be charged to "proj", starts on n1.
  void run() {
    engine().charge_with(bank);
    core_starts("a", "n1", 2);
    JobReport report = job_report("a", 2);
    report.account = "proj";
    begin({report});
  }
  /// Two jobs of a processor start in one iteration, each on the node of its name.
  void begin_two() {
    engine().charge_with(bank);
    core = [](const Cluster& known, Time) {
      Plan plan;
      for (const Waiting& line : known.waiting())
        plan.decisions.push_back(
            StartJob{line.job, {{known.find_node(known.job(line.job).name), 1, 0}}});
      return plan;
    };
    begin({job_report("n1", 1), job_report("n2", 1)});
  }
  void end(Seconds at, JobState how = JobState::completed) {
    core = nullptr;
    rm().next.ended = {{"a", how, kNow + at}};
    iterate(at);
  }
  /// A reservation of n1, from now on: what it leaves idle is charged to "chemistry".
  Reservation chargeable(Seconds length) {
    Reservation wanted;
    wanted.name = "chem";
    wanted.charge_account = "chemistry";
    wanted.start = kNow;
    wanted.end = kNow + length;
    wanted.nodes = {{node("n1"), 1, 0}};
    return wanted;
  }
  std::string account() { return cluster().accounts[job("a").credentials.account]; }

  ScriptedBank bank;
};

TEST_F(AllocationsTest, TheMostThatAJobCanCostIsReservedBeforeItStarts) {
  bank.answers_later = true;
  run();
  EXPECT_THAT(bank.asked, ElementsAre("reserve a proj 7200"));
  EXPECT_THAT(rm().asked, IsEmpty());
  EXPECT_EQ(done, 0) << "the iteration waits for the answer, and nothing else does";
  bank.answer_all();
  EXPECT_THAT(rm().asked, ElementsAre("start a on n1:2"));
  EXPECT_EQ(done, 1);
}

TEST_F(AllocationsTest, ARequestNamesTheCredentialsAndResourcesToCharge) {
  settings.nodes["n1"].type = "fast";
  run();
  const AllocationRequest& made = bank.requests.at(0);
  EXPECT_EQ(made.user, "amy");
  EXPECT_EQ(made.group, "staff");
  EXPECT_EQ(made.procs, 2);
  EXPECT_EQ(made.start, kNow);
  EXPECT_EQ(made.duration, hours(1));
  EXPECT_THAT(made.node_types, ElementsAre(std::pair(std::string("fast"), 1)));
}

TEST_F(AllocationsTest, TheUseOfAJobIsDebitedAtItsEnd) {
  run();
  end(minutes(10));
  EXPECT_THAT(bank.asked, ElementsAre("reserve a proj 7200", "debit a proj 1200"));
  EXPECT_EQ(bank.requests[1].start, kNow);
  EXPECT_EQ(bank.requests[1].duration, minutes(10));
}

// If the scheduler is killed in between, the next one finds the record and charges for it.
TEST_F(AllocationsTest, ARecordIsWrittenBeforeItIsChargedFor) {
  run();
  int kept = 0;
  listener.on_keep_records = [&] {
    ++kept;
    EXPECT_EQ(listener.ended.size(), 1U);
    EXPECT_THAT(bank.asked, ElementsAre("reserve a proj 7200"));
  };
  end(minutes(10));
  EXPECT_EQ(kept, 1);
  EXPECT_EQ(bank.asked.back(), "debit a proj 1200");
}

// Else a scheduler that is killed leaves a charge for a run that the next one cannot know.
TEST_F(AllocationsTest, WithoutItsRecordNoRunIsCharged) {
  run();
  listener.records_fail = true;
  end(minutes(10));
  iterate(minutes(11));
  EXPECT_THAT(bank.asked, ElementsAre("reserve a proj 7200"));
  EXPECT_EQ(engine().checkpoint().charges.size(), 1U);
  listener.records_fail = false;
  iterate(minutes(12));
  EXPECT_THAT(bank.asked, ElementsAre("reserve a proj 7200", "debit a proj 1200"));
  EXPECT_THAT(engine().checkpoint().charges, IsEmpty());
}

TEST_F(AllocationsTest, ARunIsDebitedFromItsStartUntilNowAtMost) {
  settings.allocations.policy = ChargePolicy::all_wall_clock;
  run();
  core = nullptr;
  rm().next.ended = {{"a", JobState::completed, kNow + hours(2)}};
  iterate(minutes(10));
  EXPECT_EQ(bank.asked.back(), "debit a proj 1200");
  EXPECT_EQ(bank.requests.back().when, kNow + minutes(10));
  EXPECT_EQ(listener.ended.at(0).ended, kNow + minutes(10));
  EXPECT_THAT(listener.lines, Contains(HasSubstr("600 seconds until")));
}

// Its resource manager is slow: it has computed its answer some seconds after the request.
TEST_F(AllocationsTest, ARunThatEndedWhileTheAnswerWasWaitedForIsAsLongAsReported) {
  run();
  core = nullptr;
  rm().next.ended = {{"a", JobState::completed, kNow + minutes(10) + Seconds(4)}};
  rm().next.answered = kNow + minutes(10) + Seconds(5);
  iterate(minutes(10));
  EXPECT_EQ(bank.asked.back(), "debit a proj 1208");
  EXPECT_EQ(listener.ended.at(0).ended, kNow + minutes(10) + Seconds(4));
  EXPECT_THAT(listener.lines, Not(Contains(HasSubstr("cannot have run"))));
}

TEST_F(AllocationsTest, NoRunEndsAfterTheAnswerThatReportsIt) {
  run();
  core = nullptr;
  rm().next.ended = {{"a", JobState::completed, kNow + hours(2)}};
  rm().next.answered = kNow + minutes(10) + Seconds(5);
  iterate(minutes(10));
  EXPECT_EQ(bank.asked.back(), "debit a proj 1210");
  EXPECT_THAT(listener.lines, Contains(HasSubstr("605 seconds until")));
}

TEST_F(AllocationsTest, ARunThatEndsBeforeItsStartHasTakenNoTime) {
  settings.allocations.policy = ChargePolicy::all_wall_clock;
  run();
  core = nullptr;
  rm().next.ended = {{"a", JobState::removed, kNow - hours(2)}};
  iterate(minutes(10));
  EXPECT_EQ(bank.asked.back(), "release a proj 0");
  EXPECT_EQ(listener.ended.at(0).ended, kNow);
}

// A server that keeps a total over all runs tells more than this run has lasted.
TEST_F(AllocationsTest, SuspensionsLongerThanTheRunDoNotCountWhereItIsRequeued) {
  settings.allocations.policy = ChargePolicy::all_wall_clock;
  settings.jobs.sync_time = Seconds(0);
  run();
  core = nullptr;
  rm().next.statuses = {{.name = "a", .suspended_time = minutes(3)}};
  iterate(minutes(9));
  rm().next.statuses = {{.name = "a", .state = JobState::idle, .suspended_time = hours(2)}};
  iterate(minutes(10));
  ASSERT_TRUE(job("a").waiting());
  EXPECT_EQ(job("a").accounted_until, kNow + minutes(10));
  EXPECT_EQ(bank.asked.back(), "debit a proj 840");
  EXPECT_THAT(listener.lines, Contains(HasSubstr("suspended for longer than its run")));
}

// It was believed while the job was still reported.
TEST_F(AllocationsTest, NoRunIsNegativeWhoseJobVanishes) {
  settings.allocations.policy = ChargePolicy::all_wall_clock;
  run();
  core = nullptr;
  rm().next.statuses = {{.name = "a", .suspended_time = minutes(10)}};
  iterate(minutes(10));
  rm().next.ended = {{"a", JobState::removed, kNow + minutes(4)}};
  iterate(minutes(11));
  const Job& ended = listener.ended.at(0);
  EXPECT_EQ(ended.ended - ended.started - ended.suspended_time, minutes(4));
  EXPECT_EQ(bank.asked.back(), "debit a proj 480");
}

TEST_F(AllocationsTest, DebitSuccessfulWcLeavesJobsThatAreRemovedUncharged) {
  run();
  end(minutes(10), JobState::removed);
  EXPECT_THAT(bank.asked, ElementsAre("reserve a proj 7200", "release a proj 0"));
}

TEST_F(AllocationsTest, DebitAllWcChargesJobsThatAreRemoved) {
  settings.allocations.policy = ChargePolicy::all_wall_clock;
  run();
  end(minutes(10), JobState::removed);
  EXPECT_EQ(bank.asked.back(), "debit a proj 1200");
}

TEST_F(AllocationsTest, AJobRemovedForItsWallclockLimitCountsAsSuccessful) {
  run();
  end(minutes(60), JobState::removed);
  EXPECT_EQ(bank.asked.back(), "debit a proj 7200");
}

TEST_F(AllocationsTest, DebitSuccessfulCpuChargesWhatProcessorsWereUsed) {
  settings.allocations.policy = ChargePolicy::successful_cpu;
  run();
  EXPECT_EQ(bank.asked.back(), "reserve a proj 7200") << "it may use all of both processors";
  JobUse use;
  use.procs = 0.5;
  rm().next.statuses = {{"a", std::nullopt, use}};
  iterate(minutes(5));
  end(minutes(10));
  EXPECT_EQ(bank.asked.back(), "debit a proj 300");
}

TEST_F(AllocationsTest, DebitSuccessfulPeChargesForTheScarcestResource) {
  settings.allocations.policy = ChargePolicy::successful_pe;
  engine().charge_with(bank);
  core_starts("a", "n1", 1);
  JobReport report = job_report("a", 1);
  report.request.requirements.front().per_task = procs(1, 750);
  rm().next.nodes = {node_report("n1", procs(2, 1000))};
  rm().next.arrived = {report};
  iterate();
  end(minutes(10));
  EXPECT_THAT(bank.asked, ElementsAre("reserve a  5400", "debit a  900"))
      << "three quarters of the memory of two processors are one and a half";
}

TEST_F(AllocationsTest, SuspendedTimeIsNotCharged) {
  run();
  clock.time = kNow + minutes(10);
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::suspend));
  clock.time = kNow + minutes(30);
  ASSERT_TRUE(engine().resume_job(id("a")));
  end(minutes(35));
  EXPECT_EQ(bank.asked.back(), "debit a proj 1800");
}

TEST_F(AllocationsTest, ARunThatIsLostToARequeueIsNotCharged) {
  run();
  core = nullptr;
  clock.time = kNow + minutes(10);
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::requeue));
  EXPECT_EQ(bank.asked.back(), "release a proj 0");
}

TEST_F(AllocationsTest, AJobThatIsRequeuedBeforeItHasBegunIsChargedNothing) {
  settings.allocations.policy = ChargePolicy::all_wall_clock;
  settings.fairshare.metric = FairshareMetric::dedicated_proc_seconds;
  rm().reports_starts = true;
  run();
  core = nullptr;
  iterate(minutes(10));
  ASSERT_EQ(job("a").state, JobState::starting);
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::requeue));
  EXPECT_TRUE(job("a").waiting());
  EXPECT_EQ(bank.asked.back(), "release a proj 0");
  EXPECT_EQ(engine().statistics().preempted_proc_seconds, 0);
}

TEST_F(AllocationsTest, ARunThatACheckpointKeepsIsCharged) {
  run();
  core = nullptr;
  clock.time = kNow + minutes(10);
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::checkpoint));
  EXPECT_EQ(bank.asked.back(), "debit a proj 1200");
}

TEST_F(AllocationsTest, AStartThatTheResourceManagerRefusesLiftsTheLien) {
  rm().refuses_starts = "no";
  run();
  EXPECT_THAT(bank.asked, ElementsAre("reserve a proj 7200", "release a proj 0"));
}

TEST_F(AllocationsTest, AJobWithoutAllocationsIsDeferredWithTheReason) {
  bank.empty = {"proj"};
  run();
  EXPECT_THAT(rm().asked, IsEmpty());
  EXPECT_TRUE(has(job("a").holds, Hold::defer));
  EXPECT_EQ(job("a").hold_reason->text, "NoAllocations: account 'proj': nothing left");
}

TEST_F(AllocationsTest, ASimulationGoesOnUntilAJobHasHadItsDeferrals) {
  bank.empty = {"proj"};
  settings.jobs.defer_count = 1;
  run();
  ASSERT_TRUE(has(job("a").holds, Hold::defer));
  core = nullptr;
  rm().next.exhausted = true;
  iterate(minutes(1));
  EXPECT_FALSE(engine().finished());
  core_starts("a", "n1", 2);
  rm().next.exhausted = true;
  iterate(settings.jobs.defer_time + minutes(1));
  ASSERT_TRUE(has(job("a").holds, Hold::batch));
  EXPECT_TRUE(engine().finished());
}

TEST_F(AllocationsTest, AJobWithoutAllocationsGoesOnWithTheFallbackAccountAndItsQos) {
  settings.allocations.fallback_account = "bottomfeeder";
  settings.accounts["bottomfeeder"].default_qos = "low";
  bank.empty = {"proj"};
  run();
  EXPECT_TRUE(job("a").waiting());
  EXPECT_EQ(job("a").holds, 0);
  EXPECT_EQ(account(), "bottomfeeder");
  EXPECT_EQ(cluster().qos[job("a").credentials.qos], "low");
  EXPECT_EQ(engine().next_event(), kNow + Seconds(1)) << "it may start there at once";
  iterate(Seconds(1));
  EXPECT_THAT(bank.asked, ElementsAre("reserve a proj 7200", "reserve a bottomfeeder 7200"));
  EXPECT_THAT(rm().asked, ElementsAre("start a on n1:2"));
}

TEST_F(AllocationsTest, TheFallbackAccountStaysUntilAnotherAccountIsReported) {
  settings.allocations.fallback_account = "bottomfeeder";
  bank.empty = {"proj"};
  run();
  core = nullptr;
  ASSERT_EQ(account(), "bottomfeeder");
  JobReport report = job_report("a", 2, hours(3));
  report.account = "proj";
  rm().next.changed = {report};
  iterate(minutes(1));
  EXPECT_EQ(account(), "bottomfeeder") << "its limit is another, its account is as empty";
  report.account = "rich";
  rm().next.changed = {report};
  iterate(minutes(2));
  EXPECT_EQ(account(), "rich");
  report.account = "proj";
  rm().next.changed = {report};
  iterate(minutes(3));
  EXPECT_EQ(account(), "proj") << "it may have got something since";
}

TEST_F(AllocationsTest, AnEmptyFallbackAccountDefersTheJob) {
  settings.allocations.fallback_account = "bottomfeeder";
  bank.empty = {"proj", "bottomfeeder"};
  run();
  iterate(Seconds(1));
  EXPECT_TRUE(has(job("a").holds, Hold::defer));
  EXPECT_THAT(job("a").hold_reason->text, HasSubstr("'bottomfeeder'"));
}

TEST_F(AllocationsTest, JobsStartWhileTheAllocationManagerFailsAndAreChargedLater) {
  listener.events_wanted = true;
  bank.fails = true;
  run();
  EXPECT_THAT(rm().asked, ElementsAre("start a on n1:2"));
  EXPECT_EQ(listener.events.at(0).type, EventType::bank_failure);
  EXPECT_THAT(listener.events.at(0).words, ElementsAre("no connection"));
  end(minutes(10));
  ASSERT_EQ(engine().charges_due().size(), 1U);
  bank.fails = false;
  iterate(minutes(20));
  EXPECT_THAT(engine().charges_due(), IsEmpty());
  EXPECT_EQ(bank.asked.back(), "debit a proj 1200");
  EXPECT_EQ(bank.requests.back().when, kNow + minutes(10)) << "as it was sent first";
}

TEST_F(AllocationsTest, AFailureThatLastsIsReportedOnceAndWhenItIsOver) {
  listener.events_wanted = true;
  run();
  bank.fails = true;
  end(minutes(10));
  for (int i = 11; i < 15; ++i) iterate(minutes(i));
  EXPECT_THAT(reported_of(EventType::bank_failure), ElementsAre("no connection"));
  EXPECT_THAT(listener.lines, ElementsAre(HasSubstr("failed: no connection")));
  bank.why_it_fails = "no route";
  iterate(minutes(15));
  iterate(minutes(16));
  EXPECT_THAT(reported_of(EventType::bank_failure), ElementsAre("no connection", "no route"));
  bank.fails = false;
  iterate(minutes(17));
  iterate(minutes(18));
  EXPECT_THAT(listener.lines,
              ElementsAre(HasSubstr("failed: no connection"), HasSubstr("failed: no route"),
                          HasSubstr("the allocation manager works again")));
}

TEST_F(AllocationsTest, TheNextSchedulerMakesPendingDebits) {
  run();
  bank.fails = true;
  end(minutes(10));
  const std::string text = checkpoint_text(cluster(), engine().checkpoint());
  ScriptedBank later;
  Engine next(settings, std::make_unique<ScriptedRm>(), clock, listener);
  next.charge_with(later);
  auto read = read_checkpoint_text(text, settings.display.plot, next.names());
  ASSERT_TRUE(read) << read.error().what;
  next.restore(*std::move(read));
  EXPECT_THAT(later.asked, ElementsAre("debit a proj 1200"));
  EXPECT_EQ(later.requests, std::vector{bank.requests.back()}) << "the same in every member";
}

TEST_F(AllocationsTest, BankDeferJobOnFailureKeepsJobsBack) {
  settings.allocations.defer_on_failure = true;
  bank.fails = true;
  run();
  EXPECT_THAT(rm().asked, IsEmpty());
  EXPECT_TRUE(has(job("a").holds, Hold::defer));
  EXPECT_THAT(job("a").hold_reason->text, HasSubstr("BankFailure"));
}

TEST_F(AllocationsTest, JobsThatTheFailureDeferredStartOnceTheAllocationManagerWorksAgain) {
  settings.allocations.defer_on_failure = true;
  settings.jobs.defer_time = hours(1);
  bank.fails = true;
  run();
  ASSERT_TRUE(has(job("a").holds, Hold::defer));
  bank.asked.clear();
  core = [start = core](const Cluster& known, Time now) {
    return known.job(known.find_job("a")).holds == 0 ? start(known, now) : Plan();
  };
  iterate(minutes(1));
  EXPECT_TRUE(has(job("a").holds, Hold::defer));
  EXPECT_THAT(bank.asked, ElementsAre("reserve a proj 7200")) << "once in an iteration";
  bank.asked.clear();
  bank.fails = false;
  iterate(minutes(2));
  iterate(minutes(3));
  EXPECT_THAT(rm().asked, ElementsAre("start a on n1:2"));
  EXPECT_EQ(job("a").failures.deferrals, 0) << "it was not the job's fault";
  EXPECT_THAT(bank.asked,
              ElementsAre("reserve a proj 7200", "release a proj 7200", "reserve a proj 7200"));
}

TEST_F(AllocationsTest, ADebitShowsThatTheAllocationManagerWorksAgain) {
  settings.allocations.defer_on_failure = true;
  settings.jobs.defer_time = hours(1);
  run();
  bank.fails = true;
  core = [](const Cluster& known, Time) {
    Plan plan;
    for (const Waiting& line : known.waiting())
      plan.decisions.push_back(StartJob{line.job, {{known.find_node("n2"), 1, 0}}});
    return plan;
  };
  rm().next.arrived = {job_report("b", 1)};
  rm().next.ended = {{"a", JobState::completed, kNow + minutes(1)}};
  iterate(minutes(1));
  ASSERT_TRUE(has(job("b").holds, Hold::defer));
  bank.fails = false;
  bank.asked.clear();
  iterate(minutes(2));
  EXPECT_TRUE(job("b").active());
  EXPECT_THAT(bank.asked, ElementsAre(HasSubstr("debit a"), HasSubstr("reserve b")));
}

TEST_F(AllocationsTest, WhyTheyAreDeferredIsInTheCheckpoint) {
  settings.allocations.defer_on_failure = true;
  settings.jobs.defer_time = hours(1);
  bank.fails = true;
  run();
  const std::string text = checkpoint_text(cluster(), engine().checkpoint());
  EXPECT_THAT(text, HasSubstr("bank_failure"));
}

/// "victim" of a rich account runs on n1; the core always wants to requeue it for "urgent" of the
/// account "proj".
class PaidPreemptionTest : public AllocationsTest {
 protected:
  void start_victim() {
    engine().charge_with(bank);
    core_starts("victim", "n1", 2);
    JobReport report = job_report("victim", 2);
    report.account = "rich";
    begin({report});
    rm().asked.clear();
    bank.asked.clear();
  }
  void want_to_preempt() {
    JobReport report = job_report("urgent", 1);
    report.account = "proj";
    rm().next.arrived = {report};
    core = [](const Cluster& known, Time) {
      Plan plan;
      const JobId victim = known.find_job("victim"), urgent = known.find_job("urgent");
      if (!urgent.valid() || !known.job(urgent).waiting() || known.job(urgent).holds != 0)
        return plan;
      if (known.job(victim).active())
        plan.decisions.push_back(PreemptJob{victim, Preemption::requeue, urgent});
      plan.decisions.push_back(StartJob{urgent, {{known.find_node("n1"), 1, 0}}});
      return plan;
    };
    iterate(minutes(10));
  }
};

TEST_F(PaidPreemptionTest, AJobThatCannotPayPreemptsNobody) {
  start_victim();
  bank.empty = {"proj"};
  want_to_preempt();
  EXPECT_THAT(rm().asked, IsEmpty());
  EXPECT_TRUE(job("victim").active());
  EXPECT_TRUE(has(job("urgent").holds, Hold::defer));
  EXPECT_EQ(job("urgent").hold_reason->text, "NoAllocations: account 'proj': nothing left");
  EXPECT_EQ(job("urgent").failures.preempts_from, Time(0)) << "nobody has lost work";
  EXPECT_THAT(bank.asked, ElementsAre("reserve urgent proj 3600"));
  EXPECT_EQ(done, 2);
}

TEST_F(PaidPreemptionTest, NorDoesAJobWhoseFallbackAccountIsEmpty) {
  settings.allocations.fallback_account = "bottomfeeder";
  start_victim();
  bank.empty = {"proj", "bottomfeeder"};
  want_to_preempt();
  iterate(minutes(11));
  EXPECT_THAT(rm().asked, IsEmpty());
  EXPECT_THAT(job("urgent").hold_reason->text, HasSubstr("'bottomfeeder'"));
}

TEST_F(PaidPreemptionTest, NorDoesAJobThatBankDeferJobOnFailureKeepsBack) {
  settings.allocations.defer_on_failure = true;
  start_victim();
  bank.fails = true;
  want_to_preempt();
  EXPECT_THAT(rm().asked, IsEmpty());
  EXPECT_THAT(job("urgent").hold_reason->text, HasSubstr("BankFailure"));
}

TEST_F(PaidPreemptionTest, WhileTheAllocationManagerFailsJobsPreempt) {
  start_victim();
  bank.fails = true;
  want_to_preempt();
  EXPECT_THAT(rm().asked, ElementsAre("requeue victim", "start urgent on n1:1"));
}

TEST_F(PaidPreemptionTest, NobodyIsPreemptedBeforeTheLienIsGranted) {
  start_victim();
  bank.answers_later = true;
  want_to_preempt();
  EXPECT_THAT(bank.asked, ElementsAre("reserve urgent proj 3600"));
  EXPECT_THAT(rm().asked, IsEmpty());
  EXPECT_EQ(done, 1) << "the iteration waits for the answer";
  bank.answer_all();
  EXPECT_THAT(rm().asked, ElementsAre("requeue victim", "start urgent on n1:1"));
  EXPECT_THAT(bank.asked, ElementsAre("reserve urgent proj 3600", "release victim rich 0"))
      << "one lien is enough";
  EXPECT_EQ(done, 2);
}

TEST_F(PaidPreemptionTest, AJobThatIsHeldMeanwhilePreemptsNobodyAndItsLienIsLifted) {
  start_victim();
  bank.answers_later = true;
  want_to_preempt();
  ASSERT_TRUE(set_holds(engine(), id("urgent"), static_cast<std::uint8_t>(Hold::user)));
  bank.answer_all();
  EXPECT_THAT(rm().asked, IsEmpty());
  EXPECT_THAT(bank.asked, ElementsAre("reserve urgent proj 3600", "release urgent proj 3600"));
  EXPECT_EQ(done, 2);
}

TEST_F(PaidPreemptionTest, TheLienOfAJobWhoseVictimStaysIsLifted) {
  rm().refuses_preemption = "not now";
  start_victim();
  want_to_preempt();
  EXPECT_THAT(rm().asked, ElementsAre("requeue victim"));
  EXPECT_THAT(bank.asked, ElementsAre("reserve urgent proj 3600", "release urgent proj 3600"));
  EXPECT_EQ(bank.requests.back().start, kNow + minutes(10)) << "the lien's, not a run's";
}

TEST_F(PaidPreemptionTest, ALienFollowsAStartThatTheVictimDelays) {
  start_victim();
  rm().answers_later = true;
  want_to_preempt();
  rm().answer_all();  // the poll
  ASSERT_THAT(rm().asked, ElementsAre("requeue victim"));
  clock.time = clock.time + Seconds(2);
  rm().answer_all();
  ASSERT_TRUE(job("urgent").active());
  const Time start = job("urgent").started;
  EXPECT_EQ(start, kNow + minutes(10) + Seconds(2));
  EXPECT_THAT(bank.asked, ElementsAre("reserve urgent proj 3600", "release victim rich 0",
                                      "release urgent proj 3600", "reserve urgent proj 3600"));
  EXPECT_EQ(bank.requests[bank.requests.size() - 2].start, start - Seconds(2));
  EXPECT_EQ(bank.requests.back().start, start);
}

TEST_F(PaidPreemptionTest, AJobWhoseAccountIsEmptyAfterItHasPreemptedSparesOthersForAWhile) {
  start_victim();
  rm().answers_later = true;
  want_to_preempt();
  rm().answer_all();  // the poll
  clock.time = clock.time + Seconds(2);
  bank.empty = {"proj"};
  rm().answer_all();
  EXPECT_TRUE(has(job("urgent").holds, Hold::defer));
  EXPECT_EQ(job("urgent").failures.preempts_from,
            clock.time + std::max(settings.jobs.defer_time, minutes(5)));
}

TEST_F(AllocationsTest, JobsThatAreKeptBackNameTheCauseOfTheFirstFailure) {
  settings.allocations.defer_on_failure = true;
  bank.fails = true;
  begin_two();
  EXPECT_THAT(job("n2").hold_reason->text,
              HasSubstr("it failed earlier in this iteration: no connection"));
}

TEST_F(AllocationsTest, AnAllocationManagerThatFailedIsNotAskedAgainInTheSameIteration) {
  bank.fails = true;
  begin_two();
  EXPECT_THAT(rm().asked, ElementsAre("start n1 on n1:1", "start n2 on n2:1"));
  EXPECT_EQ(bank.asked.size(), 1U);
}

TEST_F(AllocationsTest, AJobThatIsGoneWhenTheAnswerComesIsNotStartedAndItsLienIsLifted) {
  bank.answers_later = true;
  run();
  ASSERT_TRUE(engine().preempt_job(id("a"), Preemption::requeue));
  rm().asked.clear();
  bank.answer_all();
  EXPECT_THAT(rm().asked, IsEmpty());
  EXPECT_EQ(bank.asked.back().substr(0, 9), "release a");
  EXPECT_EQ(done, 1);
}

TEST_F(AllocationsTest, RunjobIsRefusedWhereThereIsNothingLeft) {
  bank.empty = {"proj"};
  engine().charge_with(bank);
  JobReport report = job_report("a", 2);
  report.account = "proj";
  begin({report});
  const Status status = engine().run_job(id("a"), {});
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().what, HasSubstr("nothing left"));
  EXPECT_THAT(rm().asked, IsEmpty());
}

TEST_F(AllocationsTest, IdleCyclesOfAChargeableReservationAreChargedWhenItEnds) {
  engine().charge_with(bank);
  begin({});
  Reservation wanted = chargeable(hours(1));
  wanted.access.add(AccessKind::account, engine().names().accounts.intern("proj"));
  ASSERT_TRUE(engine().add_reservation(wanted));
  core_starts("a", "n1", 1);
  JobReport report = job_report("a", 1);
  report.account = "proj";
  rm().next.arrived = {report};
  iterate(minutes(30));
  core = nullptr;
  iterate(minutes(60));
  EXPECT_EQ(bank.asked.back(), fmt::format("debit chem chemistry {}", 2 * 1800 + 1 * 1800))
      << "both processors for half an hour, and the one that is left for another";
  EXPECT_EQ(bank.requests.back().start, kNow);
}

TEST_F(AllocationsTest, ProcessorsAreIdleFromTheEndOnThatAJobIsReportedToHaveHad) {
  engine().charge_with(bank);
  begin({});
  ASSERT_TRUE(engine().add_reservation(chargeable(hours(1))));
  core_starts("a", "n1", 2);
  rm().next.arrived = {job_report("a", 2)};
  iterate(Seconds(0));
  core = nullptr;
  iterate(minutes(20));
  rm().next.ended = {{"a", JobState::completed, kNow + minutes(10), 0}};
  iterate(minutes(30));
  iterate(minutes(60));
  EXPECT_EQ(bank.asked.back(), fmt::format("debit chem chemistry {}", 2 * 50 * 60));
}

TEST_F(AllocationsTest, AJobOutsideAReservationUsesItsProcessorsLast) {
  engine().charge_with(bank);
  begin({});
  Reservation wanted = chargeable(hours(1));
  wanted.per_task = Resources(1);
  ASSERT_TRUE(engine().add_reservation(wanted));
  core_starts("a", "n1", 1);
  rm().next.arrived = {job_report("a", 1)};
  iterate(minutes(30));
  core = nullptr;
  iterate(minutes(60));
  EXPECT_EQ(bank.asked.back(), "debit chem chemistry 3600");
}

TEST_F(AllocationsTest, WhereNobodyGoesOnIdleCyclesAreChargedUntilTheEnd) {
  engine().charge_with(bank);
  begin({});
  ASSERT_TRUE(engine().add_reservation(chargeable(hours(48))));
  iterate(hours(25));
  EXPECT_THAT(bank.asked, ElementsAre(fmt::format("debit chem chemistry {}", 2 * 24 * 3600)));
  engine().charge_until_end();
  EXPECT_THAT(bank.asked, ElementsAre(testing::_, "debit chem chemistry 7200"));
  EXPECT_EQ(bank.requests.back().start, kNow + hours(24));
  engine().charge_until_end();
  EXPECT_EQ(bank.asked.size(), 2U);
}

TEST_F(AllocationsTest, IdleCyclesAreChargedToAnAccountOrTheOwner) {
  const auto debited = [&](const char* name, const char* charge, const char* owner,
                           ReservationKind kind) {
    Reservation wanted;
    wanted.name = name;
    wanted.charge_account = charge;
    wanted.owner = owner;
    wanted.kind = kind;
    wanted.standing = kind == ReservationKind::standing ? name : "";
    wanted.start = clock.time;
    wanted.end = clock.time + hours(1);
    wanted.nodes = {{node("n1"), 1, 0}};
    const auto before = bank.requests.size();
    EXPECT_TRUE(engine().add_reservation(wanted));
    iterate(wanted.end - kNow);
    if (bank.requests.size() == before) return std::string("nobody");
    const AllocationRequest& who = bank.requests.back();
    return fmt::format("{}/{}/{}", who.account, who.group, who.user);
  };
  engine().charge_with(bank);
  begin({});
  constexpr auto kAdministrative = ReservationKind::administrative;
  constexpr auto kStanding = ReservationKind::standing;
  EXPECT_EQ(debited("a", "chem,staff,amy", "root", kAdministrative), "chem/staff/amy");
  EXPECT_EQ(debited("b", "", "root", kAdministrative), "nobody");
  EXPECT_EQ(debited("c", "chem", "USER:tom", kStanding), "chem//");
  EXPECT_EQ(debited("d", "", "USER:tom", kStanding), "//tom");
  EXPECT_EQ(debited("e", "", "ACCOUNT:jupiter", kStanding), "jupiter//");
  EXPECT_EQ(debited("f", "", "", kStanding), "nobody");
}

/// A scheduler, and the one that goes on after it.
class AllocationsRestartTest : public AllocationsTest {
 protected:
  std::string written() { return checkpoint_text(cluster(), engine().checkpoint()); }
  /// From a checkpoint, at a time after kNow; `poll` tells of n1.
  void restart(const std::string& text, Seconds at, bool poll = true) {
    clock.time = kNow + at;
    auto manager = std::make_unique<ScriptedRm>();
    next_rm = manager.get();
    next = std::make_unique<Engine>(settings, std::move(manager), clock, listener,
                                    [](const Cluster&, const Settings&, Time) { return Plan{}; });
    next->charge_with(later);
    auto read = read_checkpoint_text(text, settings.display.plot, next->names());
    ASSERT_TRUE(read) << read.error().what;
    next->restore(*std::move(read));
    next_rm->next.nodes = {node_report("n1", procs(2))};
    if (poll) next->iterate([] {});
  }
  void next_iterates(Seconds at) {
    clock.time = kNow + at;
    next->iterate([] {});
  }
  static double charged(const ScriptedBank& asked) {
    double sum = 0;
    for (const AllocationRequest& request : asked.requests) sum += request.amount;
    return sum;
  }

  ScriptedBank later;
  ScriptedRm* next_rm = nullptr;
  std::unique_ptr<Engine> next;
};

class RemovedAtARestartTest : public AllocationsRestartTest {
 protected:
  /// Restarts; "a" has been removed, and nothing of a run of it is reported.
  void restart_without_the_job() {
    restart(written(), Seconds(30), false);
    PastJob past{job_report("a", 2), {"a", JobState::removed, kNow + Seconds(20), 0}};
    past.report.account = "proj";
    next_rm->next.past = {past};
    next->iterate([] {});
  }
};

TEST_F(RemovedAtARestartTest, TheLienOfAStartThatWasNotConfirmedIsLifted) {
  rm().reports_starts = true;
  run();
  ASSERT_EQ(job("a").state, JobState::starting);
  restart_without_the_job();
  EXPECT_THAT(later.asked, ElementsAre("release a proj 0"));
  EXPECT_EQ(later.requests.front().start, bank.requests.front().start);
  EXPECT_EQ(next->statistics().all.jobs, 0);
}

TEST_F(RemovedAtARestartTest, SoIsThatOfARunAfterWhichItWaitedAgain) {
  run();
  ASSERT_EQ(job("a").state, JobState::running);
  restart_without_the_job();
  EXPECT_THAT(later.asked, ElementsAre("release a proj 0"));
  EXPECT_EQ(next->statistics().all.jobs, 0);
}

/// A chargeable reservation that keeps n1 for two days.
class IdleRestartTest : public AllocationsRestartTest {
 protected:
  void reserve(Seconds length = hours(48)) {
    engine().charge_with(bank);
    begin({});
    ASSERT_TRUE(engine().add_reservation(chargeable(length)));
  }
};

TEST_F(IdleRestartTest, IdleTimeAroundARestartIsOneCharge) {
  reserve(hours(2));
  iterate(minutes(30));
  restart(written(), minutes(45));
  EXPECT_THAT(later.asked, IsEmpty());
  next_iterates(hours(2));
  EXPECT_THAT(later.asked, ElementsAre("debit chem chemistry 14400"));
  EXPECT_EQ(later.requests.back().start, kNow);
  EXPECT_EQ(later.requests.back().duration, hours(2));
}

TEST_F(IdleRestartTest, IdleTimeBeforeAFailedPollIsNotLost) {
  reserve(hours(2));
  iterate(minutes(30));
  restart(written(), minutes(45), false);
  next_rm->down = "no connection";
  next->iterate([] {});
  next_iterates(minutes(50));
  const auto again = next->checkpoint();
  ASSERT_EQ(again.idle.size(), 1U);
  EXPECT_EQ(again.idle[0].until, kNow + minutes(30));
  next_rm->down.reset();
  next_iterates(hours(2));
  next_iterates(hours(3));
  EXPECT_THAT(later.asked, ElementsAre("debit chem chemistry 14400"));
}

TEST_F(IdleRestartTest, AReservationThatEndsWhileNoSchedulerRunsIsChargedToItsEnd) {
  reserve(hours(2));
  iterate(minutes(30));
  restart(written(), hours(5));
  EXPECT_FALSE(next->cluster().find_reservation("chem").valid());
  next_iterates(hours(6));
  EXPECT_THAT(later.asked, ElementsAre("debit chem chemistry 14400"));
}

TEST_F(IdleRestartTest, IdleTimeBeforeTheReleaseOfAnotherReservationIsChargedOnce) {
  reserve(hours(2));
  Reservation other;
  other.name = "other";
  other.charge_account = "physics";
  other.start = kNow;
  other.end = kNow + hours(2);
  other.nodes = {{node("n2"), 1, 0}};
  const auto added = engine().add_reservation(other);
  ASSERT_TRUE(added);
  iterate(minutes(30));
  clock.time = kNow + minutes(40);
  ASSERT_TRUE(engine().release_reservation(*added));
  restart(written(), minutes(45));
  const auto used = next->checkpoint().reservations.at(0).use;
  EXPECT_EQ(used.kept_proc_seconds, 2.0 * 45 * 60);
  next_iterates(hours(2));
  EXPECT_THAT(later.asked,
              UnorderedElementsAre("debit chem chemistry 14400", "debit other physics 4800"));
}

TEST_F(IdleRestartTest, AfterAKillADebitThatWasSentBeginsWhereItDid) {
  reserve();
  iterate(hours(23));
  const auto text = written();
  iterate(hours(25));
  ASSERT_EQ(bank.requests.size(), 1U);
  restart(text, hours(26));
  next_iterates(hours(30));
  ASSERT_EQ(later.requests.size(), 1U);
  EXPECT_EQ(later.requests[0], [&] {
    auto same = bank.requests[0];
    same.when = later.requests[0].when;
    return same;
  }());
  next_iterates(hours(48));
  EXPECT_EQ(later.requests.back().start, kNow + hours(24));
  EXPECT_EQ(charged(later), 2.0 * 48 * 3600);
}

/// Restarts after 45 minutes without a poll; the checkpoint is of minute 30.  The reservation ends
/// after two hours.
class GapRestartTest : public IdleRestartTest {
 protected:
  GapRestartTest() {
    reserve(hours(2));
    iterate(minutes(30));
    restart(written(), minutes(45), false);
  }
  static JobReport run_of(const std::string& name, int procs, Seconds from) {
    JobReport report = job_report(name, procs);
    report.job.submitted = report.job.started = kNow + from;
    report.job.state = JobState::running;
    report.task_list.assign(static_cast<std::size_t>(procs), "n1");
    return report;
  }
  void ended(const std::string& name, int procs, Seconds from, Seconds until) {
    next_rm->next.past.push_back(
        {run_of(name, procs, from), {name, JobState::completed, kNow + until, 0}});
  }
  /// Returns the processor-seconds that are charged for the reservation.
  double charged_when_it_ends() {
    next_iterates(minutes(45));
    next_iterates(hours(2));
    double sum = 0;
    for (const AllocationRequest& request : later.requests)
      if (request.job == "chem") sum += request.amount;
    return sum;
  }
  static constexpr double kWhole = 2.0 * 2 * 3600;
};

TEST_F(GapRestartTest, WhatARunUsedThatEndedSinceTheCheckpointIsNotChargedAsIdle) {
  ended("a", 1, minutes(32), minutes(42));
  EXPECT_EQ(charged_when_it_ends(), kWhole - 600);
}

TEST_F(GapRestartTest, OnlyThePartOfARunSinceTheCheckpointIsNotIdle) {
  ended("a", 1, minutes(20), minutes(42));
  EXPECT_EQ(charged_when_it_ends(), kWhole - 720);
}

TEST_F(GapRestartTest, RunsAtOneTimeUseNoMoreThanTheReservationHas) {
  ended("a", 1, minutes(32), minutes(42));
  ended("b", 2, minutes(36), minutes(44));
  ended("c", 1, minutes(44), minutes(45));
  EXPECT_EQ(charged_when_it_ends(), kWhole - (4 + 2 * 8 + 1) * 60);
}

TEST_F(GapRestartTest, ARunThatBeganSinceTheCheckpointLeftItsProcessorsIdleUntilThen) {
  ended("b", 2, minutes(31), minutes(33));
  next_rm->next.arrived = {run_of("a", 1, minutes(35))};
  EXPECT_EQ(charged_when_it_ends(), kWhole - 2 * 2 * 60 - 85 * 60);
}

TEST_F(GapRestartTest, ARunThatWasSuspendedSinceTheCheckpointUsedItsProcessorsUntilThen) {
  JobReport report = run_of("a", 2, minutes(20));
  report.job.state = JobState::suspended;
  report.job.suspended_since = kNow + minutes(38);
  report.job.suspended_time = minutes(7);
  next_rm->next.arrived = {report};
  EXPECT_EQ(charged_when_it_ends(), kWhole - 2 * 8 * 60);
}

// The second debit begins where the first one ends, however late that was sent.
TEST_F(IdleRestartTest, DebitsOfFollowingDaysDoNotOverlap) {
  reserve();
  iterate(hours(24) + Seconds(20));
  iterate(hours(48));
  ASSERT_EQ(bank.requests.size(), 2U);
  EXPECT_EQ(bank.requests[0].start + bank.requests[0].duration, bank.requests[0].when);
  EXPECT_EQ(bank.requests[1].start, bank.requests[0].when);
}

TEST_F(IdleRestartTest, IdleTimeOfAnotherReservationIsAnotherCharge) {
  reserve();
  iterate(minutes(30));
  restart(written(), minutes(40), false);
  next_rm->next.nodes = {node_report("n2", procs(2))};
  next_iterates(minutes(60));
  Reservation other;
  other.name = "other";
  other.charge_account = "physics";
  other.start = clock.time;
  other.end = clock.time + hours(1);
  other.nodes = {{node_named(next->cluster(), "n2"), 1, 0}};
  ASSERT_TRUE(next->add_reservation(other));
  next_iterates(minutes(120));
  EXPECT_THAT(later.asked, ElementsAre("debit other physics 7200"));
  const auto open = next->checkpoint().idle;
  ASSERT_EQ(open.size(), 1U);
  EXPECT_EQ(open[0].payer, "chemistry");
}

TEST_F(IdleRestartTest, IdleTimeStaysOpenUntilItsNodeIsKnownAgain) {
  reserve();
  iterate(minutes(30));
  const auto text = written();
  restart(text, minutes(40), false);
  next_rm->next.nodes = {node_report("n2", procs(2))};
  next_iterates(minutes(41));
  EXPECT_THAT(later.asked, IsEmpty());
  EXPECT_EQ(next->checkpoint().idle.size(), 1U);
}

}  // namespace
}  // namespace maui::test
