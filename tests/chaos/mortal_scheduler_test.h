// The fixture of tests that start, end and kill a scheduler.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "chaos/mortal_scheduler.h"

namespace maui::test {

/// Returns a number from the environment, with which a test can be made longer or another.
inline int number_from_environment(const char* name, int otherwise) {
  const char* const text = std::getenv(name);
  return text != nullptr ? std::atoi(text) : otherwise;
}

/// Sites, a machine and its disk survive the scheduler.
class MortalSchedulerTest : public testing::Test {
 protected:
  explicit MortalSchedulerTest(Seconds poll_interval) {
    settings_.server.mode = ServerMode::normal;
    settings_.poll_interval = poll_interval;
    settings_.node_access = NodeAccess::shared;
  }
  /// All processor seconds of all runs are charged, and count for fairshare for good.
  void account_all(Seconds fairshare_interval) {
    settings_.fairshare.metric = FairshareMetric::dedicated_proc_seconds;
    settings_.fairshare.interval = fairshare_interval;
    settings_.fairshare.depth = 1000;
    settings_.allocations.policy = ChargePolicy::all_wall_clock;
  }
  /// Begins again with an empty disk, no sites and no scheduler.
  void clear(unsigned seed) {
    scheduler_.reset();
    questions_.clear();
    sites_.clear();
    disk_.emplace();
    clock_ = {};
    chance_ = Chance(seed);
    story_.clear();
  }
  void add_site(std::string prefix, int nodes) {
    sites_.push_back(std::make_unique<Site>(Site{FakeBatch(std::move(prefix), nodes, kBegin)}));
  }

  FakeBatch& batch(std::size_t site = 0) { return sites_.at(site)->batch; }
  Engine& engine() { return scheduler_->engine(); }
  /// The time by a clock that nobody sets.
  Time truth() const { return clock_.time - clock_.set_by; }
  void say(const std::string& what) {
    story_ += fmt::format("\n  {}: {}", (truth() - kBegin).raw(), what);
  }

  void start() {
    say("start");
    scheduler_ = std::make_unique<Scheduler>(settings_, sites_, questions_, clock_, *disk_);
  }
  void kill() {
    say("kill");
    scheduler_.reset();
    questions_.clear();
    disk_->unflushed.clear();
  }
  void end_scheduler() {
    say("end");
    scheduler_->end();
    scheduler_.reset();
    questions_.clear();
  }
  void pass(Seconds time) {
    clock_.time = clock_.time + time;
    for (auto& site : sites_) site->batch.advance(truth());
  }
  Question next_question() {
    Question question = std::move(questions_.front());
    questions_.pop_front();
    return question;
  }
  /// Gives a question the answer that arrives in the weather of its site.
  void answer(const Question& question) {
    question.done(carry(*question.site, question.request, chance_, clock_.time));
  }
  void answer_all() {
    while (!questions_.empty()) answer(next_question());
  }
  /// Returns what fairshare has counted.
  double charged() const {
    double sum = 0;
    for (const auto& window : scheduler_->engine().fairshare().windows) sum += window.total;
    return sum;
  }

  Settings settings_;
  std::vector<std::unique_ptr<Site>> sites_;
  Questions questions_;
  HandClock clock_;
  std::optional<Disk> disk_ = std::make_optional<Disk>();
  Chance chance_{1};
  std::unique_ptr<Scheduler> scheduler_;
  std::string story_;  // for messages about failures
};

}  // namespace maui::test
