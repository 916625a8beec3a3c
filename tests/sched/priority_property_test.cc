// The order of the queue, of which parts are worked out for many jobs at once, is that of
// priorities worked out job by job.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sched/priority/eligibility.h"
#include "sched/priority/priority.h"

namespace maui {
namespace {

class RandomQueue {
 public:
  explicit RandomQueue(unsigned seed) : random_(seed) {
    Node node;
    node.name = "n1";
    node.reported = NodeState::idle;
    node.configured = Resources(64, 6400, 100, 100);
    cluster.add_node(node);
    const int jobs = 2 + below(700);
    for (int i = 0; i < jobs; ++i) add_job(i);
    settings.priority = weights();
    settings.fairshare.metric = FairshareMetric::dedicated_proc_seconds;
    settings.fairshare.enforcement = static_cast<FairshareEnforcement>(below(3));
    for (int i = 0; i < 3; ++i) {
      auto& user = settings.users["user" + std::to_string(i)];
      user.priority = below(50);
      if (below(2) == 0)
        user.fairshare_target = FairshareTarget{double(below(60)), TargetType(below(4))};
      auto& qos = settings.qos["qos" + std::to_string(i)];
      if (below(2) == 0) qos.queue_time_weight = below(9);
      if (below(2) == 0) qos.xfactor_weight = below(9);
      if (below(2) == 0) qos.queue_time_target = Seconds(below(5000));
      if (below(2) == 0) qos.xfactor_target = 1 + below(10);
    }
    for (int i = 0; i < 4; ++i)
      cluster.fairshare_use.percent[CredentialKind::user].push_back(below(100));
  }

  Cluster cluster;
  Settings settings;
  Time now{100'000};

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  Weighting weighting() {
    Weighting made;
    made.weight = below(3) > 0 ? below(2000) / 7.0 - 40 : 0;
    made.cap = below(4) == 0 ? below(300) : 0;
    return made;
  }
  PrioritySettings weights() {
    PrioritySettings made;
    for (const auto& info : subcomponents()) made.*info.weighting = weighting();
    for (const auto& info : components()) {
      made.*info.weighting = weighting();
      if (below(3) > 0) (made.*info.weighting).weight = 1 + below(3);
    }
    if (below(2) == 0) made.bypass.weight = 0;
    if (below(4) > 0) made.target.weight = 0;  // targets that are reached drive all to the bound
    made.allow_negative = below(4) > 0;
    made.reject_negative = below(4) == 0;
    made.xfactor_min_limit = Seconds(below(500));
    return made;
  }
  void add_job(int i) {
    Job job;
    job.name = "j" + std::to_string(i);
    // Some come in the same second.
    if (i == 0 || below(3) > 0) queued_ = now - Seconds(below(9000) - 300);
    job.queued = queued_;
    job.credentials.user = cluster.users.intern("user" + std::to_string(below(4)));
    if (below(3) > 0) job.credentials.qos = cluster.qos.intern("qos" + std::to_string(below(3)));
    if (below(9) == 0) job.system_priority = {below(2) == 0, below(300) - 100};
    if (below(20) == 0) job.holds = 1;
    if (below(20) == 0) job.earliest_start = now + Seconds(50);
    Request request;
    request.requirements.resize(1);
    request.requirements[0].per_task = Resources(1 + below(2), 100 * below(3));
    request.requirements[0].tasks = 1 + below(4);
    request.limit = Seconds(100 * (1 + below(9)));
    const JobId id = cluster.add_job(job, request);
    cluster.add_bypass(id, below(5));
  }

  std::mt19937 random_;
  Time queued_{0};
};

struct Row {
  JobId job;
  std::int64_t priority;
};

std::vector<Row> one_by_one(const RandomQueue& queue) {
  const Eligibility eligibility(queue.cluster, queue.settings, queue.now);
  std::vector<Row> rows;
  for (const Waiting& line : queue.cluster.waiting()) {
    if (eligibility.of(queue.cluster.job(line.job)) != Reason::none) continue;
    const auto found = priority_of(queue.cluster, queue.settings, queue.now, line.job);
    if (!found.rejected) rows.push_back({line.job, found.priority});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.priority > b.priority; });
  return rows;
}

TEST(PriorityProperty, TheQueueStandsInTheOrderOfPrioritiesOfEachJob) {
  std::size_t different = 0;
  for (unsigned seed = 1; seed <= 300; ++seed) {
    RandomQueue queue(seed);
    std::vector<Plan::Ranked> order;
    prioritise(queue.cluster, queue.settings, queue.now, order);
    const auto expected = one_by_one(queue);
    ASSERT_EQ(order.size(), expected.size()) << "seed " << seed;
    for (std::size_t i = 0; i < order.size(); ++i) {
      ASSERT_EQ(order[i].job, expected[i].job) << "seed " << seed << ", place " << i;
      ASSERT_EQ(order[i].priority, expected[i].priority) << "seed " << seed << ", place " << i;
      different += i > 0 && order[i].priority != order[i - 1].priority ? 1 : 0;
    }
  }
  EXPECT_GT(different, 20'000U) << "too many priorities were equal";
}

}  // namespace
}  // namespace maui
