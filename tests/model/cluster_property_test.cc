// Whatever is done to a cluster, in whatever order, its invariants stand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "maui/cluster.h"

namespace maui {
namespace {

class RandomLife {
 public:
  explicit RandomLife(unsigned seed) : random_(seed) {
    for (int i = 0; i < 9; ++i) add_node();
  }

  void step() {
    now_ = now_ + Seconds(below(40));
    switch (below(14)) {
      case 0:
      case 1:
      case 2:
        return submit();
      case 3:
      case 4:
        return start();
      case 5:
        return with_active([&](JobId id) { cluster.end_job(id, JobState::completed, now_); });
      case 6:
        return with_active([&](JobId id) { cluster.requeue_job(id, now_); });
      case 7:
        return with_active([&](JobId id) {
          const int how = below(3);
          if (how == 0)
            cluster.extend_job(id, now_ + Seconds(below(99)));
          else if (how == 1)
            cluster.set_limit(id, Seconds(1 + below(99)));
          else
            cluster.set_access(id, {below(2) == 0 ? NodeAccess::dedicated : NodeAccess::shared},
                               now_);
        });
      case 8:
        return with_waiting([&](JobId id) {
          cluster.set_own_holds(id, static_cast<std::uint8_t>(below(3)), {"why"});
        });
      case 9:
        return with_waiting([&](JobId id) { cluster.set_queued(id, Time(below(500))); });
      case 10:
        return reserve();
      case 11:
        return change_node();
      case 12:
        return forget();
      default:
        return with_waiting([&](JobId id) {
          if (below(2) == 0)
            cluster.end_job(id, JobState::removed, now_);
          else
            cluster.set_request(id, some_request());
        });
    }
  }

  Time now() const { return now_; }

  Cluster cluster;

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  NodeId some_node() {
    return NodeId(static_cast<std::uint32_t>(below(static_cast<int>(cluster.nodes().size()))));
  }

  void add_node() {
    Node node;
    node.name = "n" + std::to_string(cluster.nodes().size());
    node.reported = NodeState::idle;
    node.configured = Resources(1 + below(3), 512);
    node.configured.set(cluster.initiator(cluster.classes.intern("batch")), 2);
    cluster.add_node(node);
  }

  Request some_request() {
    Request request;
    request.requirements.resize(static_cast<std::size_t>(1 + below(2)));
    for (Requirement& requirement : request.requirements)
      requirement.per_task = Resources(1, 64 * below(2));
    request.limit = Seconds(10 * (1 + below(5)));
    request.access.usual = below(3) == 0 ? NodeAccess::dedicated : NodeAccess::shared;
    return request;
  }

  void submit() {
    Job job;
    job.name = "j" + std::to_string(names_++);
    job.queued = now_ - Seconds(below(3));
    cluster.add_job(job, some_request());
  }

  /// Every requirement on a node that is open and holds it, perhaps the same one.
  Placement place(JobId id) {
    Placement placement;
    const auto& wanted = cluster.request_of(id).requirements;
    const auto open = cluster.open_nodes();
    if (open.empty()) return {};
    for (std::uint32_t i = 0; i < wanted.size(); ++i) {
      const NodeId node = open[static_cast<std::size_t>(below(static_cast<int>(open.size())))];
      Resources free = cluster.occupancy(node).free;
      for (const NodeTasks& share : placement)
        if (share.node == node) free.add(wanted[share.requirement].per_task, -share.tasks);
      if (free.tasks_of(wanted[i].per_task) < 1) return {};
      placement.push_back({node, 1, i});
    }
    return placement;
  }

  void start() {
    with_waiting([&](JobId id) {
      if (const Placement placement = place(id); !placement.empty())
        cluster.start_job(id, placement, now_, below(2) == 0);
    });
  }

  void reserve() {
    const auto all = cluster.reservations();
    if (!all.empty() && below(3) == 0)
      return cluster.release_reservation(
          all[static_cast<std::size_t>(below(static_cast<int>(all.size())))]);
    Reservation fresh;
    fresh.start = now_ + Seconds(below(100));
    fresh.end = fresh.start + Seconds(50);
    fresh.nodes = {{some_node(), 1, 0}};
    if (below(2) == 0) {
      fresh.name = "r" + std::to_string(names_++);
      cluster.add_reservation(fresh);
      return;
    }
    with_waiting([&](JobId id) {
      if (cluster.job(id).reservation.valid()) {
        cluster.move_reservation(cluster.job(id).reservation, fresh.start, fresh.nodes);
        return;
      }
      fresh.kind = ReservationKind::job;
      fresh.job = id;
      cluster.add_reservation(fresh);
    });
  }

  void change_node() {
    const NodeId id = some_node();
    if (below(2) == 0) {
      cluster.set_node_state(id, below(3) == 0 ? NodeState::down : NodeState::idle, now_);
      return;
    }
    Node changed = cluster.node(id);
    changed.configured = Resources(2 + below(3), 512);
    changed.partition = cluster.partitions.intern(below(2) == 0 ? "DEFAULT" : "other");
    cluster.update_node(id, changed, now_);
  }

  void forget() {
    for (const JobId id : cluster.jobs())
      if (!cluster.job(id).active() && below(3) == 0) return cluster.forget_job(id);
  }

  template <class F>
  void with_active(F act) {
    const auto all = cluster.active();
    if (!all.empty()) act(all[static_cast<std::size_t>(below(static_cast<int>(all.size())))].job);
  }
  template <class F>
  void with_waiting(F act) {
    const auto all = cluster.waiting();
    if (!all.empty()) act(all[static_cast<std::size_t>(below(static_cast<int>(all.size())))].job);
  }

  std::mt19937 random_;
  Time now_{1000};
  int names_ = 0;
};

/// All that a node offers to jobs, now or later, but for reservations of jobs: as text.
std::string offer(const Cluster& cluster, const Node& node) {
  const Occupancy& here = cluster.occupancy(node.id);
  std::string text =
      fmt::format("{} {} {} {} {}:", static_cast<int>(node.reported), node.configured.procs(),
                  node.partition.raw(), here.closed, here.free.procs());
  for (const Occupant& occupant : here.occupants)
    text += fmt::format(" {} {} {} {} {}", occupant.job.raw(), occupant.user.raw(),
                        static_cast<int>(occupant.access), occupant.amount.procs(),
                        occupant.ends.raw());
  for (const ReservationId id : here.reservations) {
    const Reservation& reservation = cluster.reservation(id);
    if (reservation.kind == ReservationKind::job) continue;
    text += fmt::format("; {} {} {}", reservation.serial, reservation.start.raw(),
                        reservation.end.raw());
  }
  return text;
}

struct Offer {
  std::string text;
  std::vector<JobId> jobs;
};

std::vector<Offer> offers(const Cluster& cluster) {
  std::vector<Offer> all;
  for (const Node& node : cluster.nodes()) {
    all.push_back({offer(cluster, node), {}});
    for (const Occupant& occupant : cluster.occupancy(node.id).occupants)
      all.back().jobs.push_back(occupant.job);
  }
  return all;
}

bool reports(std::span<const JobId> changes, JobId id) {
  return std::find(changes.begin(), changes.end(), id) != changes.end();
}
bool reports(const std::vector<NodeRun>& changes, std::uint32_t node) {
  return std::any_of(changes.begin(), changes.end(),
                     [node](const NodeRun& run) { return run.first <= node && node < run.end; });
}

TEST(ClusterProperty, ANodeThatOffersSomethingElseIsAmongTheChanges) {
  for (unsigned seed = 21; seed <= 32; ++seed) {
    RandomLife life(seed);
    auto before = offers(life.cluster);
    for (int step = 0; step < 400; ++step) {
      const auto nodes_read = life.cluster.changed_nodes().revision();
      const auto jobs_read = life.cluster.placed_jobs().revision();
      life.step();
      auto after = offers(life.cluster);
      const auto nodes = life.cluster.changed_nodes().since(nodes_read);
      const auto jobs = life.cluster.placed_jobs().since(jobs_read);
      ASSERT_TRUE(nodes && jobs);
      for (std::uint32_t node = 0; node < after.size(); ++node) {
        if (before[node].text == after[node].text) continue;
        bool told = reports(*nodes, node);
        for (const auto* offer : {&before[node], &after[node]})
          for (const JobId job : offer->jobs) told = told || reports(*jobs, job);
        ASSERT_TRUE(told) << "seed " << seed << ", step " << step << ": " << before[node].text
                          << " is now " << after[node].text;
      }
      before = std::move(after);
    }
  }
}

TEST(ClusterProperty, TimesInUseAreThoseOfEachSecond) {
  for (unsigned seed = 41; seed <= 46; ++seed) {
    RandomLife life(seed);
    std::vector<Seconds> busy(life.cluster.nodes().size());
    Time counted = life.now();
    for (const Node& node : life.cluster.nodes())
      busy[node.id.index()] = Seconds(0) - life.cluster.node_use(node.id, counted).active;
    for (int step = 0; step < 400; ++step) {
      std::vector<char> occupied;
      for (const Node& node : life.cluster.nodes())
        occupied.push_back(life.cluster.occupancy(node.id).occupants.empty() ? 0 : 1);
      life.step();
      for (std::size_t i = 0; i < busy.size(); ++i)
        if (occupied[i] != 0) busy[i] += life.now() - counted;
      counted = life.now();
      if (step % 50 == 49) life.cluster.settle_node_use(counted);
      for (const Node& node : life.cluster.nodes())
        ASSERT_EQ(life.cluster.node_use(node.id, counted).active, busy[node.id.index()])
            << "seed " << seed << ", step " << step << ", " << node.name;
    }
  }
}

TEST(ClusterProperty, InvariantsStandAfterEveryStep) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    RandomLife life(seed);
    for (int step = 0; step < 400; ++step) {
      life.step();
      ASSERT_EQ(life.cluster.check().value_or(""), "") << "seed " << seed << ", step " << step;
    }
    EXPECT_GT(life.cluster.jobs().size(), 10U) << "too little happened";
  }
}

}  // namespace
}  // namespace maui
