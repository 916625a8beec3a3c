// A scheduler that is killed and started again counts what one counts that was never interrupted.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "base/text.h"
#include "chaos/mortal_scheduler_test.h"
#include "sim/workload_fields.h"

namespace maui::test {
namespace {

constexpr Seconds kPoll{30}, kBetweenCheckpoints{300};
constexpr Seconds kLength{3 * 3600};
constexpr int kNodes = 8, kProcs = 4 * kNodes;

/// Sums after some hours with the same jobs.
struct Totals {
  std::int64_t jobs = 0;
  double run_seconds = 0, dedicated = 0, fairshare = 0, available = 0;
};

class RestartTest : public MortalSchedulerTest {
 protected:
  RestartTest() : MortalSchedulerTest(kPoll) {
    settings_.fairshare.metric = FairshareMetric::dedicated_proc_seconds;
    settings_.fairshare.interval = Seconds(24 * 3600);
    settings_.fairshare.depth = 2;
  }

  /// `submit` at each poll; the scheduler is dead from kill_at on, for `down`, and again after each
  /// `every`; 0: once.
  template <class Submit>
  Totals run(Submit submit, Seconds kill_at, Seconds down, Seconds every) {
    clear(1);
    add_site("r", kNodes);
    Time written = kBegin, dead_until = kBegin, next_kill = kBegin + kill_at;
    for (; clock_.time <= kBegin + kLength; pass(kPoll)) {
      const Time now = clock_.time;
      submit(batch(), now);
      if (kill_at > Seconds(0) && now >= next_kill) {
        kill();
        dead_until = now + down;
        next_kill = every > Seconds(0) ? now + every : kForever;
      }
      if (now < dead_until) continue;
      if (!scheduler_) start();
      engine().iterate([] {});
      answer_all();
      disk_->flush();
      if (now - written >= kBetweenCheckpoints || disk_->checkpoint.empty()) {
        scheduler_->write_checkpoint();
        written = now;
      }
    }
    EXPECT_TRUE(batch().wrongs.empty()) << batch().wrongs.front();
    const Statistics& all = engine().statistics();
    return {all.all.jobs, all.all.run_seconds, all.all.dedicated_proc_seconds, charged(),
            all.available_proc_seconds};
  }

  static void expect_equal(const Totals& a, const Totals& b) {
    const double poll = static_cast<double>(kPoll.raw()) * kProcs;
    EXPECT_EQ(a.jobs, b.jobs);
    EXPECT_EQ(a.run_seconds, b.run_seconds);
    // The poll interval in which a job ends counts whole or to its end.
    EXPECT_NEAR(a.dedicated, b.dedicated, poll / kNodes * static_cast<double>(b.jobs));
    EXPECT_NEAR(a.fairshare, b.fairshare, poll);
    EXPECT_NEAR(a.available, b.available, poll);
  }
};

TEST_F(RestartTest, KillsBetweenPollsChangeNoTotals) {
  const auto submit = [chance = Chance(7)](FakeBatch& batch, Time) mutable {
    if (chance.one_in(6))
      batch.submit(1 + chance.below(8), Seconds(3600), Seconds(60 + chance.below(1800)));
  };
  const auto whole = run(submit, Seconds(0), Seconds(0), Seconds(0));
  EXPECT_GT(whole.jobs, 30);
  expect_equal(run(submit, Seconds(400), Seconds(0), Seconds(390)), whole);
}

TEST_F(RestartTest, AJobThatEndsWhileNoSchedulerRunsIsCountedToItsEnd) {
  const auto submit = [](FakeBatch& batch, Time now) {
    if (now != kBegin) return;
    for (int i = 1; i <= 10; ++i) batch.submit(3, Seconds(7200), Seconds(i * 600));
  };
  const auto whole = run(submit, Seconds(0), Seconds(0), Seconds(0));
  EXPECT_EQ(whole.jobs, 10);
  expect_equal(run(submit, Seconds(1750), Seconds(2400), Seconds(0)), whole);
}

/// Use as the files have it, in processor seconds.
struct Accounts {
  std::int64_t jobs = 0, runs = 0;  // of the jobs, those that ran
  double records = 0, debits = 0;
};

Accounts accounts_of(const Disk& disk) {
  Accounts all;
  std::ifstream records(disk.records_path());
  for (std::string line; std::getline(records, line);) {
    const auto fields = words(line);
    const auto number = [&](std::size_t field) {
      return static_cast<double>(parse_integer<std::int64_t>(fields.at(field)).value_or(0));
    };
    constexpr auto kTasks = workload_field("Tasks Requested"),
                   kStarted = workload_field("Start Time"),
                   kEnded = workload_field("Completion Time");
    ++all.jobs;
    if (number(kStarted) <= 0) continue;
    ++all.runs;
    all.records += number(kTasks) * (number(kEnded) - number(kStarted));
  }
  std::ifstream debits(disk.allocations_path());
  for (std::string line; std::getline(debits, line);)
    if (const auto at = line.find(" AMOUNT="); line.starts_with("DEBIT") && at != line.npos)
      all.debits += parse_number(line.substr(at + 8)).value_or(0);
  return all;
}

/// Returns one of the jobs that are known to run to the queue, if there are any.
void requeue_any(Engine& engine, FakeBatch& batch, Chance& chance) {
  std::vector<JobId> running;
  for (const Active& row : engine.cluster().active())
    if (engine.cluster().job(row.job).state == JobState::running) running.push_back(row.job);
  if (running.empty()) return;
  const JobId id =
      running[static_cast<std::size_t>(chance.below(static_cast<int>(running.size())))];
  BatchJob& truth = batch.jobs.at(engine.cluster().job(id).name);
  truth.run_to_requeue = truth.starts;
  EXPECT_TRUE(engine.preempt_job(id, Preemption::requeue));
}

/// The resource manager returns one of its jobs that run to the queue, if there are any.  Each
/// returns a few times at most, so that it ends.
void return_any(FakeBatch& batch, Chance& chance) {
  constexpr int kMostReturns = 3;
  std::vector<BatchJob*> running;
  for (auto& [name, job] : batch.jobs)
    if (job.has_nodes() && job.returns < kMostReturns) running.push_back(&job);
  if (running.empty()) return;
  batch.give_back(
      *running[static_cast<std::size_t>(chance.below(static_cast<int>(running.size())))]);
}

/// Returns a job that runs on although a command has requeued it.
std::string not_requeued(const FakeBatch& batch) {
  for (const auto& [name, job] : batch.jobs)
    if (job.has_nodes() && job.starts == job.run_to_requeue) return name;
  return {};
}

struct RestartCase {
  const char* name;
  /// The use that fairshare counts: processors that jobs hold, or the CPU time that is reported.
  FairshareMetric metric = FairshareMetric::dedicated_proc_seconds;
  Seconds clock_ahead{0};      // of the resource manager
  bool lists_no_jobs = false;  // the first answer after some kills
  bool returns_jobs = false;   // it requeues runs of its own accord
};

class FairshareRestartTest : public RestartTest, public testing::WithParamInterface<RestartCase> {};
INSTANTIATE_TEST_SUITE_P(
    Metrics, FairshareRestartTest,
    testing::Values(RestartCase{.name = "dedicated"},
                    RestartCase{.name = "utilised",
                                .metric = FairshareMetric::utilised_proc_seconds},
                    RestartCase{.name = "ahead", .clock_ahead = Seconds(20)},
                    RestartCase{.name = "far_ahead", .clock_ahead = Seconds(100)},
                    RestartCase{.name = "behind", .clock_ahead = Seconds(-20)},
                    RestartCase{.name = "forgetful", .lists_no_jobs = true},
                    RestartCase{.name = "returning", .returns_jobs = true}),
    [](const auto& test) { return test.param.name; });

// Among other moments, when a start or a requeue was asked for and nobody knows whether that
// arrived.  RESTART_KILLS says how many there are.
TEST_P(FairshareRestartTest, AfterKillsAtAnyMomentAllAccountsEqualTheRecordsExactly) {
  // The CPU time that a requeued run has used since it was last reported stays unknown; two runs of
  // a job cannot always be told apart by a clock that is behind.
  const bool requeues = GetParam().metric == FairshareMetric::dedicated_proc_seconds &&
                        GetParam().clock_ahead == Seconds(0) && !GetParam().lists_no_jobs &&
                        !GetParam().returns_jobs;
  const int most_kills = number_from_environment("RESTART_KILLS", 60), most_jobs = 3 * most_kills;
  account_all(Seconds(6 * 3600));
  settings_.fairshare.metric = GetParam().metric;
  clear(11);
  add_site("r", kNodes);
  FakeBatch& batch = this->batch();
  batch.clock_ahead = GetParam().clock_ahead;
  start();
  int kills = 0, submitted = 0, doubtful_starts = 0, doubtful_requeues = 0;
  Time written = kBegin;
  const auto kill_and_restart = [&] {
    ++kills;
    for (const Question& question : std::exchange(questions_, {})) {
      doubtful_starts += question.request.command == "STARTJOB" ? 1 : 0;
      doubtful_requeues += question.request.command == "REQUEUEJOB" ? 1 : 0;
      if (chance_.one_in(2)) batch.answer(question.request);
    }
    kill();
    pass(Seconds(chance_.one_in(3) ? chance_.below(900) : 0));
    start();
    batch.lists_no_jobs = GetParam().lists_no_jobs && chance_.one_in(2);
  };
  const auto all_ended = [&] {
    return std::all_of(batch.jobs.begin(), batch.jobs.end(),
                       [](const auto& entry) { return entry.second.ended_already(); });
  };
  for (int calm = 0; calm < 60; calm += submitted == most_jobs && all_ended() ? 1 : 0) {
    ASSERT_LT(clock_.time, kBegin + Seconds(400LL * 24 * 3600)) << "some job never ends";
    batch.forget_ended(Seconds(4 * 3600));
    pass(kPoll);
    const auto waiting = std::count_if(batch.jobs.begin(), batch.jobs.end(),
                                       [](const auto& entry) { return entry.second.waits(); });
    for (int i = waiting < 30 ? chance_.below(4) : 0; i > 0 && submitted < most_jobs;
         --i, ++submitted)
      batch.submit(1 + chance_.below(8), Seconds(3600), Seconds(20 + chance_.below(1200))).busy =
          chance_.below(11) / 10.0;
    if (GetParam().returns_jobs && chance_.one_in(4)) return_any(batch, chance_);
    engine().iterate([] {});
    if (requeues && chance_.one_in(8)) requeue_any(engine(), batch, chance_);
    bool dead = false;
    while (!questions_.empty() && !dead) {
      dead = kills < most_kills && chance_.one_in(6);
      if (dead) {
        kill_and_restart();
        continue;
      }
      answer(next_question());
    }
    if (dead) continue;
    ASSERT_EQ(not_requeued(batch), "") << "a command is lost";
    batch.lists_no_jobs = false;
    disk_->flush();
    if (clock_.time - written >= kBetweenCheckpoints || disk_->checkpoint.empty()) {
      scheduler_->write_checkpoint();
      written = clock_.time;
    }
  }
  EXPECT_TRUE(batch.wrongs.empty()) << batch.wrongs.front();
  EXPECT_EQ(kills, most_kills);
  EXPECT_GT(doubtful_starts, 0);
  EXPECT_EQ(doubtful_requeues > 0, requeues);
  double truth = 0, returned = 0, cpu_time = 0;
  for (const auto& [name, job] : batch.jobs) {
    truth += job.tasks * static_cast<double>((job.ended - job.started).raw());
    returned += job.returned_proc_seconds;
    cpu_time += job.cpu_seconds(clock_.time);
  }
  const Accounts accounts = accounts_of(*disk_);
  const Statistics& statistics = engine().statistics();
  if (!GetParam().lists_no_jobs) {  // else some count in parts, or until they were last seen
    EXPECT_EQ(accounts.jobs, most_jobs);
    EXPECT_EQ(accounts.records, truth);
  }
  EXPECT_EQ(statistics.all.jobs, accounts.runs);
  // Nobody knows when a run ended that its resource manager has requeued.
  if (GetParam().returns_jobs) {
    EXPECT_GT(accounts.debits, accounts.records);
    EXPECT_EQ(statistics.all.dedicated_proc_seconds, accounts.debits);
    EXPECT_EQ(charged(), accounts.debits);
    return;
  }
  EXPECT_EQ(statistics.all.dedicated_proc_seconds, accounts.records + returned);
  if (GetParam().metric == FairshareMetric::dedicated_proc_seconds)
    EXPECT_EQ(charged(), accounts.records + returned);
  else
    EXPECT_NEAR(charged(), cpu_time, 1e-6);
  // A run that was charged before the kill, but not recorded, and then omitted, is charged as
  // before.
  if (GetParam().lists_no_jobs)
    EXPECT_GE(accounts.debits, accounts.records + returned);
  else
    EXPECT_EQ(accounts.debits, accounts.records + returned);
}

// It has run on one processor; only the next run has nine.
TEST_F(RestartTest, ARunThatIsFoundRequeuedIsChargedByTheSizeThatItHad) {
  account_all(Seconds(24 * 3600));
  settings_.jobs.sync_time = Seconds(600);
  for (const bool at_once : {false, true}) {
    SCOPED_TRACE(at_once);
    clear(1);
    add_site("r", kNodes);
    BatchJob& job = batch().submit(1, Seconds(3600), Seconds(3000));
    start();
    const auto live = [&](int polls) {
      for (; polls > 0; --polls, pass(kPoll)) {
        engine().iterate([] {});
        answer_all();
      }
    };
    live(4);
    end_scheduler();
    batch().give_back(job);
    job.tasks = 9;
    pass(Seconds(at_once ? 700 : 60));
    start();
    live(1);
    const JobId id = engine().cluster().find_job(job.name);
    EXPECT_EQ(engine().cluster().job(id).waiting() || job.has_nodes(), at_once);
    live(30);
    EXPECT_EQ(engine().cluster().request_of(id).total_procs(), 9);
    ASSERT_TRUE(job.has_nodes());
    const double charged_before = accounts_of(*disk_).debits;
    EXPECT_GT(charged_before, 0);
    EXPECT_LE(charged_before, 4.0 * static_cast<double>(kPoll.raw()));
    batch().end(job, WikiState::completed, clock_.time);
    const double last = 9 * static_cast<double>((job.ended - job.started).raw());
    live(2);
    EXPECT_EQ(accounts_of(*disk_).debits, charged_before + last);
    EXPECT_EQ(charged(), charged_before + last);
    scheduler_.reset();
  }
}

}  // namespace
}  // namespace maui::test
