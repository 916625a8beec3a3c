// Two resource managers have jobs of the same names: every run is accounted once, as long as it was
// and to its own user, whatever is killed, silent, taken out of maui.cfg or late with its news.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "chaos/mortal_scheduler_test.h"
#include "sim/workload_fields.h"

namespace maui::test {
namespace {

constexpr Seconds kNamesPoll{10};
constexpr std::array<const char*, 2> kSharedNames{"x", "y"};

/// What the files have of the jobs of one user.
struct UserAccount {
  int runs = 0;                       // records of runs
  std::int64_t run = 0, charged = 0;  // processor seconds
  std::string text;
};

std::map<std::string, UserAccount> user_accounts_of(const Disk& disk) {
  std::map<std::string, UserAccount> all;
  std::ifstream records(disk.records_path());
  for (std::string line; std::getline(records, line);) {
    const auto fields = words(line);
    const auto number = [&](std::size_t field) {
      return parse_integer<std::int64_t>(fields.at(field)).value_or(0);
    };
    constexpr auto kStarted = workload_field("Start Time"),
                   kEnded = workload_field("Completion Time"),
                   kLast = workload_field("RESERVED FIELD 1");
    std::int64_t suspended = 0;
    const std::string last(fields.at(kLast));
    if (const auto at = last.find("SUSPENDTIME="); at != last.npos)
      suspended = std::strtoll(last.c_str() + at + 12, nullptr, 10);
    UserAccount& account = all[std::string(fields.at(workload_field("User Name")))];
    account.text +=
        fmt::format(" [{} {} to {} - {}]", fields.at(workload_field("JobID")),
                    number(kStarted) - kBegin.raw(), number(kEnded) - kBegin.raw(), suspended);
    if (number(kStarted) <= 0) continue;
    ++account.runs;
    account.run +=
        number(workload_field("Tasks Requested")) * (number(kEnded) - number(kStarted) - suspended);
  }
  std::ifstream debits(disk.allocations_path());
  for (std::string line; std::getline(debits, line);) {
    if (!line.starts_with("DEBIT")) continue;
    const auto value = [&line](const std::string& key) {
      const auto at = line.find(" " + key + "=");
      return std::string(words(line.substr(at + key.size() + 2)).front());
    };
    UserAccount& account = all[value("USER")];
    account.charged += static_cast<std::int64_t>(parse_number(value("AMOUNT")).value_or(0));
    account.text +=
        fmt::format(" [debit {} at {}]", value("AMOUNT"),
                    parse_integer<std::int64_t>(value("START")).value_or(0) - kBegin.raw());
  }
  return all;
}

class SharedNamesTest : public MortalSchedulerTest {
 protected:
  SharedNamesTest() : MortalSchedulerTest(kNamesPoll) {
    settings_.jobs.sync_time = Seconds(60);
    settings_.jobs.purge_time = Seconds(100);
    account_all(Seconds(3600));
    begin_anew(1);
  }

  void begin_anew(unsigned seed) {
    clear(seed);
    for (const char* prefix : {"a", "b"}) add_site(prefix, 4);
    older_.assign(sites_.size(), {});
    past_.clear();
    users_ = 0;
    may_repeat_ = removals_ = steps_ = full_disks_ = unsaved_step_ = false;
    start();
    iterate();  // statistics count from here on
  }

  void answers(std::size_t site, bool up) {
    say(fmt::format("site{} {}", site, up ? "up" : "down"));
    sites_.at(site)->weather = up ? Weather::fine : Weather::refusing;
    if (scheduler_) scheduler_->hurry();
  }
  void configure(std::size_t site, bool in) {
    say(fmt::format("site{} {}", site, in ? "configured" : "not configured"));
    sites_.at(site)->configured = in;
  }
  void set(Seconds by) {
    say(fmt::format("set by {}", by.raw()));
    clock_.set(by);
    for (auto& site : sites_) site->batch.clock_ahead = clock_.set_by;
    if (scheduler_) scheduler_->engine().clock_stepped(by);
  }
  /// Answers at most so many questions.
  void answer(int most) {
    for (; most > 0 && !questions_.empty(); --most) {
      const Question question = next_question();
      WikiAnswer answer = carry(*question.site, question.request, chance_, clock_.time);
      if (question.request.command == "GETJOBS") answer = perhaps_older(*question.site, answer);
      question.done(std::move(answer));
    }
  }
  void iterate(int answers = 1000) {
    scheduler_->hurry();
    scheduler_->engine().iterate([] {});
    answer(answers);
    scheduler_->lose_patience();
    answer(answers);
    if (answers < 1000) return;
    disk_->flush();
    if (disk_->checkpoint.empty()) scheduler_->write_checkpoint();
  }
  void live(int polls) {
    for (int i = 0; i < polls; ++i) {
      pass(kNamesPoll);
      iterate();
    }
  }

  BatchJob& submit(std::size_t site, const std::string& name, int tasks, Seconds length) {
    BatchJob job;
    job.name = name;
    job.user = fmt::format("u{}", ++users_);
    job.tasks = tasks;
    job.limit = Seconds(3600);
    job.length = length;
    job.submitted = truth();
    job.dated_submitted = clock_.time;
    auto& jobs = batch(site).jobs;
    if (const auto old = jobs.find(name); old != jobs.end()) past_.push_back(old->second);
    say(fmt::format("site{} has {} of {}: {} seconds", site, name, job.user, length.raw()));
    return jobs[name] = job;
  }
  /// The resource manager starts it, without the scheduler.
  void start_there(std::size_t site, BatchJob& job) {
    for (const BatchNode& node : batch(site).nodes) {
      if (batch(site).free_procs(node) < job.tasks) continue;
      say(fmt::format("{} of {} starts there", job.name, job.user));
      job.state = WikiState::running;
      job.started = truth();
      job.dated_started = clock_.time;
      job.nodes.assign(static_cast<std::size_t>(job.tasks), node.name);
      return;
    }
  }
  bool is_accounted(const BatchJob& job) const {
    const auto accounts = user_accounts_of(*disk_);
    const auto known = accounts.find(job.user);
    return known != accounts.end() && known->second.runs > 0 &&
           known->second.run == job.tasks * (job.ended - job.started).raw();
  }
  bool all_accounted() {
    bool all = true;
    for (const auto& site : sites_)
      for (const auto& [name, job] : site->batch.jobs)
        all = all && job.ended_already() && is_accounted(job);
    return all;
  }
  /// Runs a job until it has its record, and forgets it there.
  std::string run(std::size_t site, Seconds length = Seconds(25)) {
    const std::string user = submit(site, "x", 1, length).user;
    for (int i = 0; i < 30 && !is_accounted(batch(site).jobs.at("x")); ++i) live(1);
    past_.push_back(batch(site).jobs.at("x"));
    batch(site).jobs.erase("x");
    return user;
  }

  /// Once all jobs have ended and all is known: compares what there is with what has been.
  void expect_exact() {
    for (auto& site : sites_) {
      EXPECT_TRUE(site->batch.wrongs.empty()) << site->batch.wrongs.front() << story_;
      for (const auto& [name, job] : site->batch.jobs) past_.push_back(job);
      site->batch.jobs.clear();
    }
    const auto accounts = user_accounts_of(*disk_);
    const auto& windows = scheduler_->engine().fairshare().windows;
    const auto& names = scheduler_->engine().cluster().users;
    const auto& statistics = scheduler_->engine().statistics();
    for (const BatchJob& job : past_) {
      ASSERT_TRUE(job.ended_already()) << job.name << " of " << job.user << story_;
      const auto at = accounts.find(job.user);
      ASSERT_TRUE(at != accounts.end()) << job.user << " has no account" << story_;
      const std::int64_t last = job.tasks * (job.ended - job.started).raw();
      const std::int64_t run = last + static_cast<std::int64_t>(job.returned_proc_seconds);
      const std::string what =
          fmt::format("{} of {}, {} to {}:{}", job.name, job.user, (job.started - kBegin).raw(),
                      (job.ended - kBegin).raw(), at->second.text);
      EXPECT_EQ(at->second.run, last) << what << story_;
      EXPECT_EQ(at->second.charged, run) << what << story_;
      // A run that was given up, as its manager was not configured, and goes on is another.
      if (removals_)
        EXPECT_GE(at->second.runs, 1) << what << story_;
      else
        EXPECT_EQ(at->second.runs, 1) << what << story_;
      const auto id = names.find(job.user);
      ASSERT_TRUE(id.valid()) << what << story_;
      double used = 0;
      for (const auto& window : windows)
        if (const auto& users = window.used[CredentialKind::user]; id.index() < users.size())
          used += users[id.index()];
      EXPECT_EQ(used, static_cast<double>(run)) << "fairshare of " << what << story_;
      const auto totals = statistics.users.find(id);
      EXPECT_EQ(totals == statistics.users.end() ? 0 : totals->second.dedicated_proc_seconds,
                static_cast<double>(run))
          << "statistics of " << what << story_;
    }
  }

  /// A command returns the job to the queue, if it is known to run.
  void requeue(std::size_t site, const std::string& name) {
    Engine& engine = scheduler_->engine();
    BatchJob& job = batch(site).jobs.at(name);
    const JobId id = engine.cluster().find_job(name);
    if (!id.valid() || engine.cluster().job(id).state != JobState::running || !job.has_nodes() ||
        engine.cluster().job(id).resource_manager != fmt::format("site{}", site))
      return;
    say(fmt::format("{} of {} is requeued", name, job.user));
    EXPECT_TRUE(engine.preempt_job(id, Preemption::requeue));
    answer(1000);
  }

  /// As if the disk had room for some lines, but not for a checkpoint.
  void fill_disk(bool full) {
    if (full != disk_->takes_no_checkpoint)
      say(full ? "no checkpoint can be written" : "checkpoints can be written");
    disk_->takes_no_checkpoint = full;
    if (full || engine().iteration() < 0) return;
    scheduler_->write_checkpoint();
    unsaved_step_ = false;
  }
  void random_step() {
    constexpr std::int64_t kSteps[] = {3600, -3600, 18000, -18000, 900, -900};
    // Of several steps that no checkpoint has, the next scheduler knows only the sum.
    if (!disk_->takes_no_checkpoint || !std::exchange(unsaved_step_, true))
      set(Seconds(kSteps[chance_.below(6)]));
  }
  void random_submission() {
    const auto site = static_cast<std::size_t>(chance_.below(2));
    const std::string name = kSharedNames.at(static_cast<std::size_t>(chance_.below(2)));
    const auto& jobs = batch(site).jobs;
    const auto known = jobs.find(name);
    if (known != jobs.end() && (!known->second.ended_already() || !is_accounted(known->second)))
      return;
    // A run that nobody knows, since its name is another's, cannot be dated across a step back.
    const auto& others = batch(1 - site).jobs;
    const auto other = others.find(name);
    if (steps_ && other != others.end() && !is_accounted(other->second)) return;
    BatchJob& job = submit(site, name, 1 + chance_.below(2), Seconds(15 + chance_.below(100)));
    if (chance_.one_in(4)) start_there(site, job);
  }
  void random_restart() {
    if (chance_.one_in(4)) {  // within an iteration
      pass(kNamesPoll);
      iterate(chance_.below(6));
      kill();
    } else {
      chance_.one_in(2) ? kill() : end_scheduler();
    }
    if (chance_.one_in(2)) pass(Seconds(chance_.below(60)));
    if (steps_ && chance_.one_in(2)) random_step();
    start();
  }
  void random_silence() {
    const auto site = static_cast<std::size_t>(chance_.below(2));
    answers(site, false);
    live(1 + chance_.below(3));
    if (chance_.one_in(2)) {
      random_restart();
      if (chance_.one_in(2)) random_submission();
      live(1 + chance_.below(4));
    }
    answers(site, true);
  }
  void random_removal() {
    const auto site = static_cast<std::size_t>(chance_.below(2));
    configure(site, false);
    random_restart();
    for (int events = 1 + chance_.below(3); events > 0; --events) {
      random_submission();
      live(1 + chance_.below(6));
      if (chance_.one_in(4)) random_restart();
    }
    configure(site, true);
    random_restart();
  }
  void random_round() {
    for (int event = 0; event < 8; ++event) {
      random_submission();
      live(chance_.below(3));
      if (chance_.one_in(3)) pass(Seconds(chance_.below(9)));
      if (chance_.one_in(6)) scheduler_->write_checkpoint();
      if (full_disks_ && chance_.one_in(3)) fill_disk(!disk_->takes_no_checkpoint);
      const int kind = chance_.below(8);
      if (kind < 2) random_restart();
      if (kind == 2) random_silence();
      if (kind == 3 && removals_) random_removal();
      if (kind == 4 && steps_) random_step();
      if (kind == 5 && steps_ && !full_disks_)
        for (std::size_t site = 0; site < sites_.size(); ++site)
          for (const char* name : kSharedNames)
            if (batch(site).jobs.contains(name) && chance_.one_in(2)) requeue(site, name);
    }
    for (int i = 0; i < 12 && !all_accounted(); ++i) live(8);
    live(4);
    fill_disk(false);
    expect_exact();
    past_.clear();
  }
  void random_histories(bool removals, bool repeats, bool steps = false, bool full_disks = false) {
    const int first = number_from_environment("NAMES_SEED", 1),
              runs = number_from_environment("NAMES_RUNS", 10);
    for (int seed = first; seed < first + runs && !HasFailure(); ++seed) {
      SCOPED_TRACE(seed);
      begin_anew(static_cast<unsigned>(seed));
      removals_ = removals;
      may_repeat_ = repeats;
      steps_ = steps;
      full_disks_ = full_disks;
      for (int round = 0; round < 4 && !HasFailure(); ++round) random_round();
    }
  }

  /// The last answer about jobs, and in which state each was then.
  struct Older {
    WikiAnswer answer{Error{"none"}, false, {}};
    std::map<std::string, std::pair<Time, WikiState>> states;
  };
  /// Now and then, a manager repeats an answer in which jobs still run that have ended since.
  WikiAnswer perhaps_older(const Site& site, const WikiAnswer& answer) {
    const std::size_t number = &site == sites_.front().get() ? 0 : 1;
    Older& older = older_[number];
    Older news{answer, {}};
    bool only_ends = true;
    for (const auto& [name, job] : site.batch.jobs) {
      news.states[name] = {job.submitted, job.state};
      const auto was = older.states.find(name);
      only_ends = only_ends && was != older.states.end() && was->second.first == job.submitted &&
                  (was->second.second == job.state ||
                   (was->second.second == WikiState::running && job.ended_already()));
    }
    const bool same_jobs = only_ends && older.states.size() == news.states.size();
    if (may_repeat_ && site.weather == Weather::fine && same_jobs && chance_.one_in(5)) {
      say(fmt::format("site{} repeats itself", number));
      return older.answer;
    }
    older = std::move(news);
    return answer;
  }

  std::vector<Older> older_;
  std::vector<BatchJob> past_;  // jobs whose names others have got
  int users_ = 0;
  bool may_repeat_ = false, removals_ = false, steps_ = false;
  bool full_disks_ = false, unsaved_step_ = false;
};

TEST_F(SharedNamesTest, RunsSinceTheCheckpointAreAccountedEachToItsJob) {
  run(0);
  run(1);
  kill();
  start();
  live(3);
  expect_exact();
}

TEST_F(SharedNamesTest, TheNextJobOfThatNameHasItsRecord) {
  run(0);
  run(1);
  kill();
  start();
  run(0);
  expect_exact();
}

TEST_F(SharedNamesTest, ARunThatEndedWhileItsNameWasAnothersIsNoEarlierJobOfItsManager) {
  run(0);
  submit(1, "x", 1, Seconds(100));
  live(2);
  start_there(0, submit(0, "x", 1, Seconds(40)));
  live(20);
  expect_exact();
}

TEST_F(SharedNamesTest, ARunOfAManagerThatIsNotConfiguredIsNoRunOfAnothersJob) {
  for (const bool orderly : {false, true}) {
    submit(0, "x", 1, Seconds(300));
    live(3);
    if (!orderly) scheduler_->write_checkpoint();
    orderly ? end_scheduler() : kill();
    configure(0, false);
    submit(1, "x", 1, Seconds(50));
    start();
    live(15);
    orderly ? end_scheduler() : kill();
    configure(0, true);
    start();
    live(40);
    removals_ = true;
    expect_exact();
    past_.clear();
  }
}

TEST_F(SharedNamesTest, ARunIsCountedOnceThatIsRecordedRightAfterItsManagerIsConfiguredAgain) {
  submit(0, "x", 1, Seconds(90));
  live(5);
  scheduler_->write_checkpoint();
  kill();
  configure(0, false);
  start();
  live(7);
  end_scheduler();
  configure(0, true);
  start();
  iterate();
  kill();
  start();
  live(5);
  removals_ = true;
  expect_exact();
}

TEST_F(SharedNamesTest, AManagerThatRepeatsAnOlderAnswerMakesNoSecondRecord) {
  for (const bool restart : {false, true}) {
    submit(0, "x", 1, Seconds(25));
    live(3);
    const WikiAnswer running = carry(*sites_[0], {"GETJOBS", "0:ALL", {}}, chance_, clock_.time);
    live(2);
    if (restart) {
      kill();
      start();
    }
    pass(kNamesPoll);
    scheduler_->hurry();
    scheduler_->engine().iterate([] {});
    while (!questions_.empty()) {
      const Question question = next_question();
      const bool old = question.site == sites_[0].get() && question.request.command == "GETJOBS";
      question.done(old ? running : carry(*question.site, question.request, chance_, clock_.time));
    }
    live(4);
    expect_exact();
    past_.clear();
  }
}

// The new job's start was asked for, and its name was another's, whose end lies before the step.
TEST_F(SharedNamesTest, AStepForwardWithoutASchedulerMakesNoRunBeginAtTheEndOfTheJobBefore) {
  for (const std::int64_t by : {60, 3600}) {
    run(0);
    live(1);
    scheduler_->write_checkpoint();
    submit(0, "x", 1, Seconds(35));
    live(1);
    kill();
    set(Seconds(by));
    start();
    live(6);
    for (const std::int64_t again : {400, -60}) {
      kill();
      set(Seconds(again));
      start();
      live(1);
    }
    expect_exact();
    past_.clear();
  }
}

// By the clock, the second run begins before the first has ended.
TEST_F(SharedNamesTest, RunsThatOverlapByTheClockAsItWasSetBackAreTwoRuns) {
  for (const bool requeued : {true, false})
    for (const std::int64_t by : {-25, -900})
      for (const int polls : {1, 3, 8}) {
        submit(0, "x", 1, Seconds(100));
        live(requeued ? 4 : 12);
        if (requeued) {
          requeue(0, "x");
        } else {
          past_.push_back(batch(0).jobs.at("x"));
          batch(0).jobs.erase("x");
        }
        pass(Seconds(1));
        set(Seconds(by));
        if (!requeued) submit(0, "x", 1, Seconds(100));
        live(polls);
        kill();
        start();
        live(14);
        expect_exact();
        past_.clear();
      }
}

TEST_F(SharedNamesTest, ARunThatBeginsWhenTheOneBeforeDidByTheClockIsCountedToo) {
  for (std::int64_t back = 25; back < 45; ++back) {
    submit(0, "x", 1, Seconds(100));
    live(4);
    requeue(0, "x");
    set(Seconds(-back));
    live(14);
    expect_exact();
    past_.clear();
  }
}

// A window of fairshare ends at 800, while the run is charged.
TEST_F(SharedNamesTest, ARunThatIsGivenUpRightBeforeAnOrderlyEndIsRefundedInAllWindows) {
  pass(Seconds(690));
  submit(0, "x", 1, Seconds(111));
  live(2);
  end_scheduler();
  configure(0, false);
  start();
  live(13);
  for (int i = 0; i < 2; ++i) {
    end_scheduler();
    configure(0, true);
    start();
    live(2);
  }
  removals_ = true;
  expect_exact();
}

TEST_F(SharedNamesTest, AManagerThatGetsAnotherNameBeforeAKillIsChargedOnce) {
  submit(0, "x", 1, Seconds(25));
  live(5);
  kill();
  sites_[0]->name = "renamed";
  start();
  live(3);
  expect_exact();
}

// NAMES_RUNS says how many random histories there are; NAMES_SEED which is the first.
TEST_F(SharedNamesTest, WhateverIsKilledOrSilentEveryRunIsAccountedOnceAndToItsJob) {
  random_histories(/*removals=*/false, /*repeats=*/false);
}
TEST_F(SharedNamesTest, SoItIsIfTheClockIsSetAndJobsAreRequeued) {
  random_histories(/*removals=*/false, /*repeats=*/false, /*steps=*/true);
}
TEST_F(SharedNamesTest, SoItIsIfTheClockIsSetWhileNoCheckpointCanBeWritten) {
  random_histories(/*removals=*/false, /*repeats=*/false, /*steps=*/true, /*full_disks=*/true);
}
TEST_F(SharedNamesTest, SoItIsIfManagersRepeatOlderAnswers) {
  random_histories(/*removals=*/false, /*repeats=*/true);
}
TEST_F(SharedNamesTest, SoItIsIfManagersAreNotConfiguredForAWhile) {
  random_histories(/*removals=*/true, /*repeats=*/false);
}

}  // namespace
}  // namespace maui::test
