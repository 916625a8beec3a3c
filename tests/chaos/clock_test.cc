// All accounts stay exact although somebody sets the machine's clock while the scheduler, or the
// resource manager, is down.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

#include "base/text.h"
#include "chaos/mortal_scheduler_test.h"
#include "sim/workload_fields.h"

namespace maui::test {
namespace {

constexpr Seconds kClockPoll{10};
constexpr int kClockNodes = 4;

/// What the files have of one job.
struct JobAccount {
  int records = 0, debits = 0;
  std::int64_t run = 0;  // processor seconds
  double amount = 0;
  std::string text;
};

std::map<std::string, JobAccount> job_accounts_of(const Disk& disk) {
  std::map<std::string, JobAccount> all;
  std::ifstream records(disk.records_path());
  for (std::string line; std::getline(records, line);) {
    const auto fields = words(line);
    const auto number = [&](std::size_t field) {
      return parse_integer<std::int64_t>(fields.at(field)).value_or(0);
    };
    constexpr auto kTasks = workload_field("Tasks Requested"),
                   kStarted = workload_field("Start Time"),
                   kEnded = workload_field("Completion Time"),
                   kLast = workload_field("RESERVED FIELD 1");
    JobAccount& account = all[std::string(fields.at(workload_field("JobID")))];
    ++account.records;
    std::int64_t suspended = 0;
    const std::string last(fields.at(kLast));
    if (const auto at = last.find("SUSPENDTIME="); at != last.npos)
      suspended = std::strtoll(last.c_str() + at + 12, nullptr, 10);
    if (number(kStarted) > 0)
      account.run += number(kTasks) * (number(kEnded) - number(kStarted) - suspended);
    account.text += fmt::format(" [{} to {} - {}]", number(kStarted) - kBegin.raw(),
                                number(kEnded) - kBegin.raw(), suspended);
  }
  std::ifstream debits(disk.allocations_path());
  for (std::string line; std::getline(debits, line);) {
    if (!line.starts_with("DEBIT")) continue;
    const auto value = [&line](const std::string& key) {
      const auto at = line.find(" " + key + "=");
      return at == line.npos ? std::string()
                             : std::string(words(line.substr(at + key.size() + 2)).front());
    };
    JobAccount& account = all[value("JOB")];
    ++account.debits;
    account.amount += parse_number(value("AMOUNT")).value_or(0);
  }
  return all;
}

class ClockTest : public MortalSchedulerTest {
 protected:
  ClockTest() : MortalSchedulerTest(kClockPoll) {
    account_all(Seconds(3600));
    begin_anew(1);
  }

  void begin_anew(unsigned seed) {
    clear(seed);
    add_site("r", kClockNodes);
    start();
  }

  void set(Seconds by) {
    say(fmt::format("set by {}", by.raw()));
    clock_.set(by);
    batch().clock_ahead = clock_.set_by;
    if (scheduler_) scheduler_->engine().clock_stepped(by);
  }
  /// The scheduler is killed while it writes the checkpoint of the step.
  void set_and_die(Seconds by) {
    disk_->takes_no_checkpoint = true;
    set(by);
    kill();
    disk_->takes_no_checkpoint = false;
  }
  void answers(bool up) {
    say(up ? "manager up" : "manager down");
    sites_.front()->weather = up ? Weather::fine : Weather::refusing;
    if (up) scheduler_->hurry();
  }
  void iterate() {
    scheduler_->engine().iterate([] {});
    answer_all();
    disk_->flush();
    if (disk_->checkpoint.empty()) scheduler_->write_checkpoint();
  }
  void live(int polls) {
    for (int i = 0; i < polls; ++i) {
      pass(kClockPoll);
      iterate();
    }
  }
  void random_step() {
    constexpr std::int64_t kSteps[] = {3600, -3600, 18000, -18000, 900, -900};
    set(Seconds(kSteps[chance_.below(6)]));
  }
  /// No scheduler runs for up to two minutes, in which the clock may be set once.
  void random_restart() {
    chance_.one_in(2) ? kill() : end_scheduler();
    pass(Seconds(chance_.below(60)));
    if (chance_.one_in(2)) random_step();
    pass(Seconds(chance_.below(60)));
    start();
    if (chance_.one_in(3)) random_step();  // before the first answer
  }
  /// The resource manager does not answer for up to three minutes.
  void random_silence() {
    answers(false);
    live(1 + chance_.below(3));
    if (chance_.one_in(2)) random_step();
    live(1 + chance_.below(3));
    if (chance_.one_in(2)) {
      random_restart();
      live(1 + chance_.below(3));
    }
    answers(true);
  }
  /// The resource manager starts it, without the scheduler.
  void start_there(BatchJob& job) {
    job.state = WikiState::running;
    job.started = truth();
    job.dated_started = clock_.time;
    job.nodes = {batch().nodes.back().name};
    say(fmt::format("{} starts there", job.name));
  }
  /// Some jobs run and end among four events.
  void random_round() {
    for (int jobs = 1 + chance_.below(2); jobs > 0; --jobs)
      batch().submit(1 + chance_.below(2), Seconds(7200), Seconds(15 + chance_.below(120)));
    for (int event = 0; event < 4; ++event) {
      if (chance_.one_in(4))
        start_there(batch().submit(1, Seconds(7200), Seconds(15 + chance_.below(120))));
      live(1 + chance_.below(3));
      pass(Seconds(chance_.below(9)));
      const int kind = chance_.below(4);
      if (kind == 0) random_step();
      if (kind == 0 && chance_.one_in(3)) {
        set_and_die(Seconds(chance_.one_in(2) ? 7200 : -7200));
        start();
      }
      if (kind == 1) random_silence();
      if (kind > 1) random_restart();
    }
    live(20);
    expect_exact();
  }
  /// Compares what the files and the engine have with what has been.
  void expect_exact() {
    EXPECT_TRUE(batch().wrongs.empty()) << batch().wrongs.front() << story_;
    const auto accounts = job_accounts_of(*disk_);
    double all = 0;
    for (const auto& [name, job] : batch().jobs) {
      ASSERT_TRUE(job.ended_already()) << name << story_;
      story_ += fmt::format("\n  {} ran from {} to {}", name, (job.started - kBegin).raw(),
                            (job.ended - kBegin).raw());
      const auto at = accounts.find(name);
      ASSERT_TRUE(at != accounts.end()) << name << " has no record" << story_;
      const std::int64_t run = job.tasks * (job.ended - job.started).raw();
      all += static_cast<double>(run);
      EXPECT_EQ(at->second.records, 1) << name << at->second.text << story_;
      EXPECT_EQ(at->second.run, run) << name << at->second.text << story_;
      EXPECT_EQ(at->second.debits, 1) << name << story_;
      EXPECT_EQ(at->second.amount, static_cast<double>(run)) << name << story_;
    }
    EXPECT_EQ(charged(), all) << story_;
    EXPECT_EQ(scheduler_->engine().statistics().all.dedicated_proc_seconds, all) << story_;
  }
};

// The window that is current again then has only later use, which is counted anew.
TEST_F(ClockTest, ACheckpointOfBeforeAStepBackCountsNoUseOfAfterItTwice) {
  batch().submit(2, Seconds(3600), Seconds(300));
  live(3);
  scheduler_->write_checkpoint();
  live(2);
  disk_->takes_no_checkpoint = true;
  set(Seconds(-3600));
  live(5);
  kill();
  disk_->takes_no_checkpoint = false;
  start();
  live(40);
  EXPECT_EQ(charged(), 600) << story_;
  EXPECT_EQ(job_accounts_of(*disk_)["r.1"].amount, 600);
}

TEST_F(ClockTest, AWrongClockThatIsSetRightWhileNoSchedulerRunsChangesNoRun) {
  for (const std::int64_t by : {-3600, 3600}) {
    batch().submit(2, Seconds(3600), Seconds(80));
    live(3);
    set(Seconds(by));
    live(3);
    kill();
    pass(Seconds(40));
    set(Seconds(-by));
    pass(Seconds(5));
    start();
    live(20);
    expect_exact();
  }
}

// The sum of two steps is known, but not what the clock showed in between.
TEST_F(ClockTest, ARunThatEndedBetweenTwoUnseenStepsEndedSinceItWasSeenAndBeforeTheAnswer) {
  for (const std::int64_t by : {-18000, 18000}) {
    const std::string name = batch().submit(1, Seconds(3600), Seconds(80)).name;
    live(4);
    scheduler_->write_checkpoint();
    const Time seen = truth();
    kill();
    set(Seconds(by));
    pass(Seconds(60));
    set(Seconds(by));
    pass(Seconds(5));
    start();
    live(1);
    const auto account = job_accounts_of(*disk_)[name];
    const Time began = batch().jobs.at(name).started;
    ASSERT_TRUE(batch().jobs.at(name).ended_already());
    EXPECT_EQ(account.records, 1) << account.text;
    EXPECT_GE(Seconds(account.run), seen - began) << account.text;
    EXPECT_LE(Seconds(account.run), truth() - began) << account.text;
    EXPECT_EQ(account.amount, static_cast<double>(account.run));
  }
}

TEST_F(ClockTest, ARunWithARecordHasNoSecondOneIfTheClockIsSetBeforeTheFirstAnswer) {
  for (const std::int64_t by : {-18000, 18000}) {
    batch().submit(1, Seconds(3600), Seconds(35));
    live(6);  // it ends, and has a record that the checkpoint does not count
    kill();
    start();
    set(Seconds(by));
    live(2);
    expect_exact();
  }
}

// Neither its start nor its end has been seen, and both are dated by the clock as it stood then.
TEST_F(ClockTest, ARunOfWhichNothingIsKnownIsAsLongAsItWasIfTheClockIsSetMeanwhile) {
  for (const std::int64_t by : {-3600, 3600})
    for (const bool runs : {false, true})
      for (const bool restart : {false, true}) {
        live(2);
        answers(false);
        start_there(batch().submit(1, Seconds(7200), Seconds(35)));
        live(runs ? 2 : 5);
        if (restart) {
          kill();
          start();
        }
        set(Seconds(by));
        live(runs ? 4 : 1);
        answers(true);
        live(4);
        expect_exact();
      }
}

// Until the scheduler ends, fairshare is charged for a job that has ended unseen.
TEST_F(ClockTest, WhatWasChargedAfterTheEndIsRefundedWhereItWasChargedIfTheClockIsSetMeanwhile) {
  for (const std::int64_t by : {-7200, 7200}) {
    batch().submit(1, Seconds(3600), Seconds(35));
    live(3);
    answers(false);
    live(6);
    end_scheduler();
    set(Seconds(by));
    start();
    answers(true);
    live(2);
    expect_exact();
  }
}

TEST_F(ClockTest, UseSinceAnOrderlyEndCountsOnceAfterAKillIfTheClockIsSetMeanwhile) {
  for (const std::int64_t by : {-900, 900}) {
    batch().submit(1, Seconds(3600), Seconds(65));
    live(3);
    end_scheduler();
    start();
    live(3);
    kill();
    set(Seconds(by));
    start();
    live(3);
    expect_exact();
  }
}

// The files of fairshare are written before the checkpoint of a step.
TEST_F(ClockTest, FilesByTheClockAsItStandsCountOnceIfTheirCheckpointIsMissing) {
  for (const std::int64_t by : {-7200, 7200}) {
    batch().submit(1, Seconds(3600), Seconds(65));
    live(3);
    scheduler_->write_checkpoint();
    live(2);
    set_and_die(Seconds(by));
    start();
    live(3);
    expect_exact();
  }
}

// CLOCK_RUNS says how many random histories there are; CLOCK_SEED which is the first.
TEST_F(ClockTest, WhateverStepsAndKillsThereAreEveryRunIsAsLongAsItWas) {
  const int first = number_from_environment("CLOCK_SEED", 1),
            runs = number_from_environment("CLOCK_RUNS", 12);
  for (int seed = first; seed < first + runs && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    begin_anew(static_cast<unsigned>(seed));
    for (int round = 0; round < 6 && !HasFailure(); ++round) random_round();
  }
}

}  // namespace
}  // namespace maui::test
