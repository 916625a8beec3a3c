// Two resource managers have a job of the same name, and the scheduler begins again: what it knew
// of the job belongs to the manager that had it.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/text.h"
#include "chaos/mortal_scheduler_test.h"
#include "sim/workload_fields.h"
#include "support/set_holds.h"

namespace maui::test {
namespace {

constexpr Seconds kBetweenPolls{10};
constexpr auto kSystemHold = static_cast<std::uint8_t>(Hold::system);

/// A run as the files have it.
struct AccountedRun {
  std::string manager;
  std::int64_t started = 0, ended = 0;
  friend bool operator==(const AccountedRun&, const AccountedRun&) = default;
};
void PrintTo(const AccountedRun& run, std::ostream* out) {
  *out << fmt::format("{}: {} to {}", run.manager, run.started - kBegin.raw(),
                      run.ended - kBegin.raw());
}

enum class Silence { down, slow };

/// The owner is the first or the second resource manager, and is down or slow after the restart.
class TwoManagersTest : public MortalSchedulerTest,
                        public testing::WithParamInterface<std::tuple<std::size_t, Silence>> {
 protected:
  TwoManagersTest() : MortalSchedulerTest(kBetweenPolls) {
    settings_.jobs.sync_time = Seconds(60);
    settings_.jobs.purge_time = Seconds(100);
    settings_.allocations.policy = ChargePolicy::all_wall_clock;
    for (const char* prefix : {"a", "b"}) add_site(prefix, 2);
    start();
  }
  static std::size_t owner_number() { return std::get<0>(GetParam()); }
  static std::string manager(std::size_t number) { return fmt::format("site{}", number); }
  Site& owners_site() { return *sites_[owner_number()]; }
  FakeBatch& owner() { return owners_site().batch; }
  FakeBatch& other() { return sites_[1 - owner_number()]->batch; }

  /// The scheduler is killed and begins again; the owner does not answer the new one.
  void restart_without_owner() {
    kill();
    if (std::get<1>(GetParam()) == Silence::down) owners_site().weather = Weather::refusing;
    slow_ = std::get<1>(GetParam()) == Silence::slow;
    start();
  }
  void owner_answers() {
    owners_site().weather = Weather::fine;
    slow_ = false;
  }
  void live(int polls) {
    for (; polls > 0; --polls) {
      pass(kBetweenPolls);
      scheduler_->hurry();
      scheduler_->engine().iterate([] {});
      answer_unless_slow();
      scheduler_->lose_patience();
      answer_unless_slow();
      disk_->flush();
      scheduler_->write_checkpoint();
    }
  }
  /// Answers all questions except those to an owner that is slow.
  void answer_unless_slow() {
    Questions late;
    while (!questions_.empty()) {
      Question question = next_question();
      if (slow_ && question.site == &owners_site())
        late.push_back(std::move(question));
      else
        answer(question);
    }
    questions_ = std::move(late);
  }

  BatchJob& submit(FakeBatch& batch, Seconds length) const {
    BatchJob job;
    job.name = "x";
    job.limit = Seconds(3600);
    job.length = length;
    job.submitted = job.dated_submitted = clock_.time;
    return batch.jobs[job.name] = job;
  }
  /// The other manager has started it, without the scheduler.
  void start_there(BatchJob& job) const {
    job.state = WikiState::running;
    job.started = job.dated_started = clock_.time;
    job.nodes = {"an01"};
    if (owner_number() == 0) job.nodes = {"bn01"};
  }
  const Job* known() {
    const Cluster& cluster = scheduler_->engine().cluster();
    const JobId id = cluster.find_job("x");
    return id.valid() ? &cluster.job(id) : nullptr;
  }
  bool is_known_of(std::size_t number) {
    return known() != nullptr && known()->resource_manager == manager(number);
  }
  std::vector<AccountedRun> records() const {
    constexpr auto kStarted = workload_field("Start Time"),
                   kEnded = workload_field("Completion Time"),
                   kManager = workload_field("Resource Manager Name");
    std::vector<AccountedRun> runs;
    std::ifstream file(disk_->records_path());
    for (std::string line; std::getline(file, line);) {
      const auto fields = words(line);
      const auto number = [&](std::size_t field) {
        return parse_integer<std::int64_t>(fields.at(field)).value_or(0);
      };
      runs.push_back({std::string(fields.at(kManager)), number(kStarted), number(kEnded)});
    }
    return runs;
  }
  std::int64_t seconds_debited() const {
    std::int64_t sum = 0;
    std::ifstream debits(disk_->allocations_path());
    for (std::string line; std::getline(debits, line);)
      if (const auto at = line.find(" SECONDS="); line.starts_with("DEBIT") && at != line.npos)
        sum += std::atoll(line.c_str() + at + 9);
    return sum;
  }
  static AccountedRun run_of(std::size_t number, const BatchJob& job) {
    return {manager(number), job.started.raw(), job.ended.raw()};
  }
  /// The files have these runs, and no others.
  void expect_accounted(const std::vector<AccountedRun>& runs) const {
    EXPECT_EQ(records(), runs);
    std::int64_t seconds = 0;
    for (const AccountedRun& run : runs) seconds += run.ended - run.started;
    EXPECT_EQ(seconds_debited(), seconds);
    for (const auto& site : sites_) EXPECT_TRUE(site->batch.wrongs.empty());
  }

  /// The owner's job runs, and the other manager has one in that state after the restart.
  void expect_each_its_own(WikiState state) {
    BatchJob& first = submit(owner(), Seconds(300));
    live(5);
    ASSERT_EQ(first.starts, 1);
    restart_without_owner();
    BatchJob& second = submit(other(), Seconds(150));
    const bool waits = state == WikiState::idle || state == WikiState::hold;
    if (!waits) start_there(second);
    if (state == WikiState::hold) second.state = state;
    live(1);
    if (state == WikiState::completed) other().end(second, state, clock_.time);
    live(9);
    EXPECT_EQ(known(), nullptr);
    owner_answers();
    live(45);
    EXPECT_EQ(first.starts, 1);
    EXPECT_EQ(second.starts, state == WikiState::idle ? 1 : 0);
    std::vector<AccountedRun> runs = {run_of(owner_number(), first)};
    if (state != WikiState::hold) runs.push_back(run_of(1 - owner_number(), second));
    expect_accounted(runs);
  }

  bool slow_ = false;
};

TEST_P(TwoManagersTest, AHoldBelongsToTheJobOfItsManager) {
  BatchJob& first = submit(owner(), Seconds(200));
  first.state = WikiState::hold;
  live(1);
  ASSERT_TRUE(set_holds(scheduler_->engine(), known()->id, kSystemHold));
  first.state = WikiState::idle;
  live(2);
  restart_without_owner();
  BatchJob& second = submit(other(), Seconds(50));
  live(10);
  EXPECT_EQ(known(), nullptr);
  owner_answers();
  live(3);
  ASSERT_TRUE(is_known_of(owner_number()));
  EXPECT_EQ(known()->own_holds, kSystemHold);
  EXPECT_EQ(first.starts + second.starts, 0);
  ASSERT_TRUE(set_holds(scheduler_->engine(), known()->id, 0));
  live(35);
  EXPECT_EQ(first.starts, 1);
  EXPECT_EQ(second.starts, 1) << "it has its turn when the name is free";
  expect_accounted({run_of(owner_number(), first), run_of(1 - owner_number(), second)});
}

TEST_P(TwoManagersTest, ARunIsOfItsManagerThoughTheOtherHasAWaitingJob) {
  expect_each_its_own(WikiState::idle);
}
TEST_P(TwoManagersTest, ARunIsOfItsManagerThoughTheOtherHasAHeldJob) {
  expect_each_its_own(WikiState::hold);
}
TEST_P(TwoManagersTest, ARunIsOfItsManagerThoughTheOtherHasARunningJob) {
  expect_each_its_own(WikiState::running);
}
TEST_P(TwoManagersTest, ARunIsOfItsManagerThoughTheOtherHasAnEndedJob) {
  expect_each_its_own(WikiState::completed);
}

TEST_P(TwoManagersTest, ARunThatEndedMeanwhileIsAccountedToItsManager) {
  BatchJob& first = submit(owner(), Seconds(100));
  live(5);
  ASSERT_EQ(first.starts, 1);
  kill();
  pass(kBetweenPolls * 10);
  ASSERT_TRUE(first.ended_already());
  BatchJob& second = submit(other(), Seconds(50));
  restart_without_owner();
  live(5);
  EXPECT_EQ(second.starts, 0);
  owner_answers();
  live(20);
  EXPECT_EQ(second.starts, 1);
  expect_accounted({run_of(owner_number(), first), run_of(1 - owner_number(), second)});
}

TEST_P(TwoManagersTest, AJobThatItsManagerDoesNotListLeavesItsName) {
  BatchJob& first = submit(owner(), Seconds(200));
  first.state = WikiState::hold;
  live(1);
  ASSERT_TRUE(set_holds(scheduler_->engine(), known()->id, kSystemHold));
  live(1);
  restart_without_owner();
  BatchJob& second = submit(other(), Seconds(50));
  owner().jobs.clear();
  live(5);
  EXPECT_EQ(second.starts, 0);
  owner_answers();
  live(20);
  EXPECT_EQ(second.starts, 1);
  expect_accounted({run_of(1 - owner_number(), second)});
}

TEST_P(TwoManagersTest, ARunThatItsManagerDoesNotListIsGivenUpFirst) {
  const BatchJob& first = submit(owner(), Seconds(1000));
  live(10);
  const AccountedRun run{manager(owner_number()), first.started.raw(), clock_.time.raw()};
  restart_without_owner();
  BatchJob& second = submit(other(), Seconds(50));
  owner().jobs.clear();
  live(5);
  owner_answers();
  live(5);
  EXPECT_TRUE(is_known_of(owner_number()));
  live(30);
  EXPECT_EQ(second.starts, 1);
  expect_accounted({run, run_of(1 - owner_number(), second)});
}

INSTANTIATE_TEST_SUITE_P(Owners, TwoManagersTest,
                         testing::Combine(testing::Values(0U, 1U),
                                          testing::Values(Silence::down, Silence::slow)));

}  // namespace
}  // namespace maui::test
