// Loads and states of nodes that are looked at only where something has changed come to the same as
// when every node is looked at.
#include <gtest/gtest.h>

#include <random>

#include "engine/reports/node_loads.h"

namespace maui {
namespace {

class Life {
 public:
  explicit Life(unsigned seed) : random_(seed) {
    for (int i = 0; i < 8; ++i) {
      Node node;
      node.name = "n" + std::to_string(i);
      node.resource_manager = i < 5 ? "one" : "two";
      node.reported = NodeState::idle;
      node.configured = Resources(4, 1000);
      cluster.add_node(node);
    }
  }

  void step() {
    now = now + Seconds(below(60));
    switch (below(9)) {
      case 0:
      case 1:
        return start();
      case 2:
        return with_active([&](JobId id) { cluster.end_job(id, JobState::completed, now); });
      case 3:
        return with_active([&](JobId id) {
          if (cluster.job(id).state == JobState::starting) cluster.set_running(id, now);
        });
      case 4:
        return with_active([&](JobId id) { cluster.suspend_job(id, now); });
      case 5:
        return forget();
      case 6:
        silent = below(2) == 0 ? std::vector<std::string>{} : std::vector<std::string>{"two"};
        return;
      case 7:
        policy.max_load = below(2);
        policy.load_policy =
            below(2) == 0 ? NodeLoadPolicy::adjust_state : NodeLoadPolicy::adjust_procs;
        policy.availability[0] = static_cast<Availability>(below(3));
        return;
      default:
        return report();
    }
  }

  Cluster cluster;
  NodeParameters policy;
  std::vector<std::string> silent;
  Time now{1000};

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  void report() {
    const NodeId id(static_cast<std::uint32_t>(below(8)));
    constexpr NodeState kStates[] = {NodeState::idle, NodeState::running, NodeState::busy,
                                     NodeState::down};
    cluster.set_node_state(id, kStates[below(4)], now);
    Node node = cluster.node(id);
    node.load = below(3);
    node.utilised = below(2) == 0 ? Resources(0) : Resources(below(4), 300);
    cluster.update_node(id, node, now);
  }
  void start() {
    Job job;
    job.name = "j" + std::to_string(names_++);
    Request request;
    request.requirements.resize(1);
    request.requirements[0].per_task = Resources(1 + below(2));
    request.limit = Seconds(100);
    Placement placement;
    for (const NodeId node : cluster.open_nodes())
      if (cluster.occupancy(node).free.tasks_of(request.requirements[0].per_task) > 0 &&
          below(2) == 0)
        placement.push_back({node, 1, 0});
    if (placement.empty()) return;
    const JobId id = cluster.add_job(job, request);
    cluster.start_job(id, placement, now);
    if (below(2) == 0) cluster.set_starting(id);
  }
  void forget() {
    for (const JobId id : cluster.jobs())
      if (!cluster.job(id).active() && below(2) == 0) cluster.forget_job(id);
  }
  template <class F>
  void with_active(F act) {
    const auto all = cluster.active();
    if (!all.empty()) act(all[static_cast<std::size_t>(below(static_cast<int>(all.size())))].job);
  }

  std::mt19937 random_;
  int names_ = 0;
};

TEST(NodeLoadsProperty, UnchangedNodesNeedNotBeExamined) {
  std::size_t kept_back = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Life life(seed);
    TouchedNodes touched_nodes;
    NodeSync kept_sync, fresh_sync;
    NodeLoads kept_loads;
    for (int step = 0; step < 300; ++step) {
      for (int i = 0; i < 3; ++i) life.step();
      const Touched touched = touched_nodes.take(life.cluster);
      const auto closed = kept_sync.look(life.cluster, life.policy, {}, life.now, touched);
      fresh_sync.look(life.cluster, life.policy, {}, life.now, {true, {}, {}});
      Cluster copy = life.cluster;
      kept_loads.apply(life.cluster, life.policy, life.silent, kept_sync, touched, closed,
                       life.now);
      NodeLoads().apply(copy, life.policy, life.silent, fresh_sync, {true, {}, {}}, {}, life.now);
      for (const Node& node : copy.nodes()) {
        const Occupancy &fresh = copy.occupancy(node.id), &kept = life.cluster.occupancy(node.id);
        ASSERT_EQ(kept_sync.closes(node.id), fresh_sync.closes(node.id));
        ASSERT_EQ(kept.closed, fresh.closed) << "seed " << seed << ", step " << step;
        ASSERT_TRUE(kept.withheld == fresh.withheld) << "seed " << seed << ", step " << step;
        ASSERT_TRUE(kept.occupants == fresh.occupants) << "seed " << seed << ", step " << step;
        kept_back += kept.closed || !kept.withheld.zero() ? 1 : 0;
      }
      ASSERT_EQ(life.cluster.check().value_or(""), "");
    }
  }
  EXPECT_GT(kept_back, 1000U) << "too little happened";
}

}  // namespace
}  // namespace maui
