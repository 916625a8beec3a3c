// What a cycle asks, which the model answers where it can, gives the answers of a timeline that is
// built from the cluster.
#include <gtest/gtest.h>

#include "sched/availability/cycle_timeline.h"
#include "sched/availability/timeline.h"
#include "support/random_cluster.h"

namespace maui::test {
namespace {

constexpr NodeAllocation kPolicies[] = {
    NodeAllocation::first_available, NodeAllocation::last_available, NodeAllocation::min_resource,
    NodeAllocation::fastest,         NodeAllocation::cpu_load,       NodeAllocation::machine_prio,
    NodeAllocation::contiguous,      NodeAllocation::max_balance};

std::string second(const std::optional<Time>& when) {
  return when ? std::to_string((*when - kNow).raw()) : "never";
}

void same(const Cluster& cluster, const std::optional<Slot>& slot,
          const std::optional<Slot>& expected) {
  ASSERT_EQ(second(slot ? std::optional(slot->start) : std::nullopt),
            second(expected ? std::optional(expected->start) : std::nullopt));
  if (!slot) return;
  ASSERT_EQ(show(cluster, slot->placement), show(cluster, expected->placement));
}

/// The timeline looks at time limits of access differently after a stay than during it.
bool ordered_otherwise(CycleTimeline& asked, const Settings& settings, const Job& job,
                       const Request& request) {
  auto& sets = asked.access_sets();
  return settings.node_allocation == NodeAllocation::last_available &&
         sets.limited(sets.of(job, request));
}

/// True if some node is promised twice: a job was extended into the time of a reservation.
///
/// There the timeline may answer with a later start than it need.  Where there are reservations it
/// begins by counting the processors of all nodes together, and what is promised twice on one node
/// hides what is free on others.  The model counts no such total.
bool promised_twice(const Cluster& cluster, const Timeline& timeline) {
  for (const auto& node : cluster.nodes()) {
    const auto uses = timeline.line_of(node.id).uses;
    for (const auto& first : uses) {
      int procs = 0;
      for (const auto& use : uses)
        if (use.start <= first.start && first.start < use.end) procs += use.amount.procs();
      if (procs > node.configured.procs()) return true;
    }
  }
  return false;
}

// Compares the windows of jobs that may use no reservation.
void same_windows(Timeline& timeline, CycleTimeline& asked) {
  const auto list = [](const std::vector<Time>& moments) {
    std::string text;
    for (const auto moment : moments) text += second(moment) + ' ';
    return text;
  };
  ASSERT_EQ(list(asked.window_ends(0)), list(timeline.window_ends(0)));
}

void compare(unsigned seed, const Mixture& mixture) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  RandomCluster world(seed, mixture);
  world.furnish();
  Settings settings;
  settings.node_allocation = kPolicies[seed % std::size(kPolicies)];
  settings.node.down_node_delay = seed % 5 == 0 ? Seconds(7) : kUnlimited;
  std::vector<JobId> jobs;
  for (int i = 0; i < 5; ++i) {
    const auto request = world.some_request();
    if (request.access == NodeAccess::single_user) settings.node_access = NodeAccess::single_user;
    jobs.push_back(world.cluster.add_job(world.some_job(), request));
  }
  const Cluster& cluster = world.cluster;
  const bool keep = seed % 2 == 0;
  Timeline timeline(cluster, settings, kNow, keep);
  CycleTimeline asked;
  asked.begin(cluster, settings, kNow, keep);
  for (const auto id : jobs) {
    const auto& job = cluster.job(id);
    const auto& request = cluster.request_of(id);
    SCOPED_TRACE(tell(cluster, request));
    const Time from = kNow + Seconds(world.one_in(2) ? 0 : world.below(10));
    const Time not_after = world.one_in(3) ? from + Seconds(world.below(6)) : kForever;
    const auto slot = timeline.earliest(job, request, from, not_after);
    if (ordered_otherwise(asked, settings, job, request)) continue;
    ASSERT_NO_FATAL_FAILURE(same(cluster, asked.earliest(job, request, from, not_after), slot));
    const Seconds at_least(world.one_in(2) ? 0 : world.below(12));
    ASSERT_NO_FATAL_FAILURE(same(cluster, asked.fits_now(job, request, at_least),
                                 timeline.fits_now(job, request, at_least)));
    if (!slot) continue;
    timeline.hold(job, request, slot->placement, slot->start);
    asked.hold(job, request, slot->placement, slot->start);
    ASSERT_NO_FATAL_FAILURE(same_windows(timeline, asked));
  }
}

/// A cluster and the events that may befall it between two iterations.
class History {
 public:
  History(unsigned seed, const Mixture& mixture) : world(seed, mixture) { world.furnish(); }

  void happen() {
    auto& cluster = world.cluster;
    now = now + Seconds(world.below(4));
    switch (world.below(8)) {
      case 0:
      case 1:
        return world.cluster.active().empty() ? start_one() : end_one();
      case 2:
      case 3:
        return start_one();
      case 4: {
        const auto id = some_node();
        Node node = cluster.node(id);
        node.configured.set(kMemory, world.one_of({1024, 4096, 8192}));
        return cluster.update_node(id, node);
      }
      case 5:
        return cluster.set_node_state(some_node(),
                                      world.one_in(2) ? NodeState::down : NodeState::idle, now);
      case 6:
        if (!cluster.active().empty()) {
          const auto& row = cluster.active()[0];
          cluster.extend_job(row.job, std::max(row.ends, now) + Seconds(1 + world.below(5)));
        }
        return;
      default:
        return change_reservations();
    }
  }

  JobId submit() {
    const auto id = world.submit(now);
    if (world.cluster.request_of(id).access == NodeAccess::single_user)
      settings.node_access = NodeAccess::single_user;
    return id;
  }

  RandomCluster world;
  Settings settings;
  Time now = kNow;

 private:
  NodeId some_node() {
    return NodeId(
        static_cast<std::uint32_t>(world.below(static_cast<int>(world.cluster.nodes().size()))));
  }
  void end_one() {
    const auto active = world.cluster.active();
    const auto job = active[static_cast<std::size_t>(world.below(static_cast<int>(active.size())))];
    world.cluster.end_job(job.job, JobState::completed, now);
  }
  void start_one() {
    const auto id = submit();
    Timeline timeline(world.cluster, settings, now, true);
    auto slot = timeline.fits_now(world.cluster.job(id), world.cluster.request_of(id));
    if (slot) world.cluster.start_job(id, std::move(slot->placement), now);
  }
  void change_reservations() {
    std::vector<ReservationId> made;
    for (const auto id : world.cluster.reservations())
      if (world.cluster.reservation(id).kind == ReservationKind::administrative) made.push_back(id);
    if (made.empty() || world.one_in(2)) return world.reserve(1);
    world.cluster.release_reservation(made.front());
  }
};

void compare_through_history(unsigned seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  Mixture mixture;
  mixture.job_limits = seed % 3 == 0;
  History history(seed, mixture);
  history.settings.node_allocation = kPolicies[seed % std::size(kPolicies)];
  history.settings.node.down_node_delay = seed % 5 == 0 ? Seconds(7) : kUnlimited;
  const bool keep = seed % 2 == 0;
  const Cluster& cluster = history.world.cluster;
  CycleTimeline asked;
  for (int step = 0; step < 12; ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    history.happen();
    const auto id = history.submit(), next = history.submit();
    const auto& job = cluster.job(id);
    const auto& request = cluster.request_of(id);
    asked.begin(cluster, history.settings, history.now, keep);
    Timeline timeline(cluster, history.settings, history.now, keep);
    SCOPED_TRACE(tell(cluster, request));
    const auto slot = timeline.earliest(job, request, history.now);
    if (ordered_otherwise(asked, history.settings, job, request)) continue;
    const auto answer = asked.earliest(job, request, history.now);
    const bool sooner = answer && (!slot || answer->start < slot->start);
    if (sooner && !timeline.held().empty() && promised_twice(cluster, timeline)) continue;
    ASSERT_NO_FATAL_FAILURE(same(cluster, answer, slot));
    ASSERT_NO_FATAL_FAILURE(
        same(cluster, asked.fits_now(job, request), timeline.fits_now(job, request)));
    if (!slot) continue;
    timeline.hold(job, request, slot->placement, slot->start);
    asked.hold(job, request, slot->placement, slot->start);
    ASSERT_NO_FATAL_FAILURE(same(cluster,
                                 asked.fits_now(cluster.job(next), cluster.request_of(next)),
                                 timeline.fits_now(cluster.job(next), cluster.request_of(next))));
  }
}

TEST(CycleTimeline, GivesTheTimelinesAnswersWhenItIsKept) {
  for (unsigned seed = 1; seed <= rounds(400); ++seed)
    ASSERT_NO_FATAL_FAILURE(compare_through_history(seed));
}

TEST(CycleTimeline, GivesTheTimelinesAnswers) {
  for (unsigned seed = 1; seed <= rounds(1500); ++seed) {
    Mixture mixture;
    mixture.job_limits = mixture.loads = seed % 3 == 0;
    mixture.several_requirements = seed % 4 == 1;
    mixture.node_sets = seed % 5 == 2;
    mixture.speeds = seed % 7 == 3;
    ASSERT_NO_FATAL_FAILURE(compare(seed, mixture));
  }
}

}  // namespace
}  // namespace maui::test
