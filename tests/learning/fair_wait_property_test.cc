// RUNTIMELEARNING PRIORITY: the fair wait of a job that comes, against sums over all that is there.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <set>

#include "learning/run_time_learning.h"
#include "model/processor_equivalents.h"
#include "support/scenario.h"

namespace maui {
namespace {

using test::kNow;

class World {
 public:
  explicit World(unsigned seed) : random_(seed) {
    settings_.learning.use = LearningUse::priority;
    settings_.learning.fair_start_limit = Seconds(100);
    add_node();
    add_node();
  }

  void step() {
    now_ = now_ + Seconds(1 + below(40));
    if (below(8) == 0) add_node();
    end_some();
    for (int i = below(3); i > 0; --i) arrive();
    for (const Waiting& line : waiting())
      if (below(6) == 0)
        cluster_.set_own_holds(line.job, cluster_.job(line.job).holds == 0 ? 1 : 0);
    check_refresh();
    for (const Waiting& line : waiting())
      if (!line.held && below(4) == 0) start(line.job);
  }

  int checked = 0;

 private:
  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
  std::vector<Waiting> waiting() const {
    return {cluster_.waiting().begin(), cluster_.waiting().end()};
  }

  void add_node() {
    Node node;
    node.name = "n" + std::to_string(cluster_.nodes().size());
    node.reported = NodeState::idle;
    node.configured = Resources(64, 1000 + 500 * below(4));
    cluster_.add_node(std::move(node));
  }
  void arrive() {
    Job job;
    job.name = "j" + std::to_string(++count_);
    job.credentials.user = cluster_.users.intern("u" + std::to_string(below(3)));
    job.queued = job.submitted = now_;
    Request request;
    request.access.usual = NodeAccess::shared;
    request.limit = Seconds(50 * (1 + below(3)));
    request.requirements[0].tasks = 1 + below(2);
    request.requirements[0].per_task = Resources(1, 100 * below(8));
    learning_.arrived(cluster_, cluster_.add_job(std::move(job), std::move(request)));
  }
  void start(JobId id) {
    const auto& request = cluster_.request_of(id);
    cluster_.start_job(id, {{cluster_.nodes()[0].id, request.total_procs(), 0}}, now_);
    learning_.started(cluster_, settings_, id);
  }
  void end_some() {
    const std::vector<Active> active(cluster_.active().begin(), cluster_.active().end());
    for (const Active& line : active)
      if (line.ends <= now_ || below(3) == 0 || active.size() > 20) {
        cluster_.end_job(line.job, JobState::completed, now_);
        ended_.insert(cluster_.job(line.job).credentials.user);
        learning_.ended(cluster_, settings_, line.job, true);
        cluster_.forget_job(line.job);
        runs_.erase(line.job);
      }
  }

  std::int64_t area(JobId id, double seconds) const {
    return std::llround(processor_equivalents(cluster_.configured(), cluster_.request_of(id)) *
                        seconds);
  }

  /// A waiting job is looked at when it has come, and when another of its user has ended.
  void look() {
    for (const Waiting& line : waiting()) {
      const UserId user = cluster_.job(line.job).credentials.user;
      if (runs_.contains(line.job) && !ended_.contains(user)) continue;
      const auto& request = cluster_.request(line.request);
      runs_.insert_or_assign(line.job,
                             learning_.history().expect(
                                 {cluster_.users[user], {}, request.total_procs(), request.limit}));
    }
    ended_.clear();
  }

  void check_refresh() {
    std::int64_t backlog = 0;
    std::vector<JobId> fresh;
    for (const Waiting& line : waiting()) {
      const auto& told = cluster_.run_times.of(line.job);
      if (told.fair_wait >= kUnlimited)
        fresh.push_back(line.job);
      else if (!line.held)
        backlog += area(line.job, told.expected.mean);
    }
    for (const Active& line : cluster_.active())
      backlog +=
          area(line.job, runs_.at(line.job).mean_rest(now_ - cluster_.job(line.job).started));
    learning_.refresh(cluster_, settings_, now_);
    look();
    for (const JobId id : fresh) {
      const auto& told = cluster_.run_times.of(id);
      backlog += area(id, told.expected.mean);
      const double wait =
          100 + static_cast<double>(backlog) / static_cast<double>(cluster_.configured().procs());
      ASSERT_EQ(told.fair_wait, Seconds(static_cast<std::int64_t>(wait)));
      ++checked;
    }
  }

  std::mt19937 random_;
  Settings settings_;
  Cluster cluster_;
  RunTimeLearning learning_;
  Time now_ = kNow;
  int count_ = 0;
  std::map<JobId, RunDistribution> runs_;  // as they were looked at last; of active jobs, before
  std::set<UserId> ended_;                 // users of whom a job has ended since
};

TEST(FairWaitPropertyTest, IsWhatAllThatIsThereNeedsOfTheMachine) {
  int checked = 0;
  for (unsigned seed = 1; seed <= 100; ++seed) {
    World world(seed);
    for (int step = 0; step < 60; ++step) {
      world.step();
      ASSERT_FALSE(testing::Test::HasFatalFailure()) << "seed " << seed << ", step " << step;
    }
    checked += world.checked;
  }
  EXPECT_GT(checked, 1000);
}

}  // namespace
}  // namespace maui
