// A scheduler that is killed and started again counts what one counts that was never interrupted.
#include <gtest/gtest.h>

#include <algorithm>

#include "chaos/mortal_scheduler.h"

namespace maui::test {
namespace {

constexpr Seconds kPoll{30}, kBetweenCheckpoints{300};
constexpr Seconds kLength{3 * 3600};
constexpr int kNodes = 8, kProcs = 4 * kNodes;

/// What is known after some hours with the same jobs.
struct Totals {
  std::int64_t jobs = 0;
  double run_seconds = 0, dedicated = 0, fairshare = 0, available = 0;
};

class RestartTest : public testing::Test {
 protected:
  RestartTest() {
    settings_.server.mode = ServerMode::normal;
    settings_.poll_interval = kPoll;
    settings_.node_access = NodeAccess::shared;
    settings_.fairshare.metric = FairshareMetric::dedicated_proc_seconds;
    settings_.fairshare.interval = Seconds(24 * 3600);
    settings_.fairshare.depth = 2;
  }

  /// `submit` at each poll; the scheduler is dead from kill_at on, for `down`, and again after each
  /// `every`; 0: once.
  template <class Submit>
  Totals run(Submit submit, Seconds kill_at, Seconds down, Seconds every) {
    std::vector<std::unique_ptr<Site>> sites;
    sites.push_back(std::make_unique<Site>(Site{FakeBatch("r", kNodes, kBegin)}));
    FakeBatch& batch = sites.front()->batch;
    Questions questions;
    HandClock clock;
    Disk disk;
    Chance chance(1);
    std::unique_ptr<Scheduler> scheduler;
    Time written = kBegin, dead_until = kBegin, kill = kBegin + kill_at;
    for (Time now = kBegin; now <= kBegin + kLength; now = now + kPoll) {
      batch.advance(now);
      submit(batch, now);
      if (kill_at > Seconds(0) && now >= kill) {
        scheduler.reset();
        disk.unflushed.clear();
        dead_until = now + down;
        kill = every > Seconds(0) ? now + every : kForever;
      }
      if (now < dead_until) continue;
      clock.time = now;
      if (!scheduler)
        scheduler = std::make_unique<Scheduler>(settings_, sites, questions, clock, disk);
      scheduler->engine().iterate([] {});
      while (!questions.empty()) {
        const Question one = std::move(questions.front());
        questions.pop_front();
        one.done(carry(*one.site, one.request, chance, now));
      }
      disk.flush();
      if (now - written >= kBetweenCheckpoints || disk.checkpoint.empty()) {
        scheduler->write_checkpoint();
        written = now;
      }
    }
    EXPECT_TRUE(batch.wrongs.empty()) << batch.wrongs.front();
    const Statistics& all = scheduler->engine().statistics();
    Totals made{all.all.jobs, all.all.run_seconds, all.dedicated_proc_seconds, 0,
                all.available_proc_seconds};
    for (const auto& window : scheduler->engine().fairshare().windows)
      made.fairshare += window.total;
    return made;
  }

  static void expect_equal(const Totals& a, const Totals& b) {
    const double poll = static_cast<double>(kPoll.raw()) * kProcs;
    EXPECT_EQ(a.jobs, b.jobs);
    EXPECT_EQ(a.run_seconds, b.run_seconds);
    // Of every job, the poll interval in which it ends counts whole or to its end.
    EXPECT_NEAR(a.dedicated, b.dedicated, poll / kNodes * static_cast<double>(b.jobs));
    EXPECT_NEAR(a.fairshare, b.fairshare, poll);
    EXPECT_NEAR(a.available, b.available, poll);
  }

  Settings settings_;
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

TEST_F(RestartTest, WhatEndsWhileNoSchedulerRunsIsCountedToItsEnd) {
  const auto submit = [](FakeBatch& batch, Time now) {
    if (now != kBegin) return;
    for (int i = 1; i <= 10; ++i) batch.submit(3, Seconds(7200), Seconds(i * 600));
  };
  const auto whole = run(submit, Seconds(0), Seconds(0), Seconds(0));
  EXPECT_EQ(whole.jobs, 10);
  expect_equal(run(submit, Seconds(1750), Seconds(2400), Seconds(0)), whole);
}

}  // namespace
}  // namespace maui::test
