// A planner that is kept through a cluster's history gives the plans of one that is made afresh.
#include <gtest/gtest.h>

#include "sched/cycle.h"
#include "support/carry_out.h"
#include "support/random_cluster.h"

namespace maui::test {
namespace {

/// A cluster on which plans are carried out, and to which things happen between them.
class PlannedHistory {
 public:
  PlannedHistory(unsigned seed, const Mixture& mixture)
      : world_(seed, mixture), settings_(world_.some_settings()) {
    world_.furnish();
  }

  const Cluster& cluster() const { return world_.cluster; }
  const Settings& settings() const { return settings_; }
  Time now() const { return now_; }

  void carry_out(const Plan& plan) {
    world_.cluster.note_reservations_planned(plan.reservations_earliest);
    test::carry_out(world_.cluster, plan, now_);
  }

  void happen() {
    now_ = now_ + Seconds(world_.below(3));
    for (int arrivals = world_.below(3); arrivals > 0; --arrivals) world_.submit(now_);
    for (int events = world_.below(4); events > 0; --events) happen_once();
  }

 private:
  void happen_once() {
    switch (world_.below(13)) {
      case 0:
      case 1:
      case 2:
        return end_one();
      case 3:
        return change_node();
      case 4:
        return world_.cluster.set_node_state(
            some_node(), world_.one_in(3) ? NodeState::down : NodeState::idle, now_);
      case 5:
        return world_.one_in(2) ? world_.cluster.withhold(some_node(), Resources(), false, now_)
                                : world_.withhold_some(some_node());
      case 6:
        return extend_one();
      case 7:
        return change_reservations();
      case 8:
        return change_settings();
      case 9:
        return suspend_or_requeue_one();
      case 10:
        return revise_one();
      case 11:
        return confirm_or_lose_some();
      default:
        return change_credentials();
    }
  }

  NodeId some_node() {
    return NodeId(
        static_cast<std::uint32_t>(world_.below(static_cast<int>(cluster().nodes().size()))));
  }
  JobId some_active() {
    const auto active = cluster().active();
    if (active.empty()) return {};
    return active[static_cast<std::size_t>(world_.below(static_cast<int>(active.size())))].job;
  }
  void end_one() {
    if (const auto id = some_active(); id.valid())
      world_.cluster.end_job(id, JobState::completed, now_);
  }
  void change_node() {
    const auto id = some_node();
    Node node = cluster().node(id);
    node.configured.set(kMemory, world_.one_of({1024, 4096, 8192}));
    if (world_.one_in(4))
      node.policy.access = world_.one_of({NodeAccess::shared, NodeAccess::dedicated});
    if (world_.one_in(4)) node.policy.max_jobs = world_.below(3);
    world_.cluster.update_node(id, node, now_);
  }
  void extend_one() {
    const auto id = some_active();
    if (!id.valid()) return;
    if (world_.one_in(2))  // to be over at least a second from now
      world_.cluster.set_limit(id, std::max(Seconds(1), now_ - cluster().job(id).started) +
                                       Seconds(1 + world_.below(9)));
    else
      world_.cluster.extend_job(
          id, std::max(cluster().job(id).ends, now_) + Seconds(world_.below(5) - 1));
  }
  void change_reservations() {
    std::vector<ReservationId> made;
    for (const auto id : cluster().reservations())
      if (cluster().reservation(id).kind == ReservationKind::administrative) made.push_back(id);
    if (made.empty() || world_.one_in(3)) return world_.reserve(1);
    const auto id = made[static_cast<std::size_t>(world_.below(static_cast<int>(made.size())))];
    if (world_.one_in(2)) return world_.cluster.release_reservation(id);
    Reservation other = cluster().reservation(id);
    other.start = now_ + Seconds(world_.below(5) - 2);
    other.end = other.start + Seconds(1 + world_.below(9));
    if (world_.one_in(2)) other.access = {};
    world_.cluster.change_reservation(id, other);
  }
  void change_settings() {
    switch (world_.below(6)) {
      case 5:
        return change_limits();
      case 0:
        settings_.node.down_node_delay = world_.one_in(2) ? Seconds(7) : kUnlimited;
        return;
      case 1:
        settings_.node_allocation = world_.some_allocation();
        return;
      case 2:
        settings_.reservation_stacks = {{world_.below(4), {}}};
        return;
      case 3:
        settings_.node_access = world_.one_of({NodeAccess::shared, NodeAccess::single_user});
        return;
      default:
        settings_.poll_interval = Seconds(1 + world_.below(9));
    }
  }
  void change_limits() {
    const auto some = [&]() -> std::optional<Limit> {
      if (world_.one_in(3)) return std::nullopt;
      const int soft = 1 + world_.below(4);
      return Limit{soft, soft + world_.below(3)};
    };
    const auto kind =
        index_of(world_.one_of({LimitKind::job, LimitKind::proc, LimitKind::ps, LimitKind::wc}));
    auto& user = settings_.users[world_.one_in(3) ? "DEFAULT" : "amy"].limits;
    switch (world_.below(4)) {
      case 0:
        user.active[kind] = some();
        return;
      case 1:
        user.idle[kind] = some();
        return;
      case 2:
        settings_.system.limits.active[kind] = some();
        return;
      default:
        settings_.throttling.each_idle[CredentialKind::user][kind] = some().value_or(Limit{});
    }
  }
  void suspend_or_requeue_one() {
    const auto id = some_active();
    if (!id.valid()) return;
    if (world_.one_in(2)) return world_.cluster.requeue_job(id, now_);
    const Time since = now_ - Seconds(world_.below(20));
    const bool violation = world_.one_in(2);
    world_.cluster.suspend_job(
        id, since, {violation ? SuspensionCause::violation : SuspensionCause::preemption});
  }
  /// A resource manager answers, or one that is silent is known to run a job.
  void confirm_or_lose_some() {
    auto runs = cluster().unconfirmed_runs();
    if (!runs.empty() && world_.one_in(2))
      return world_.cluster.forget_unconfirmed_run(std::string(runs.begin()->first));
    const Job job = world_.some_job();
    const Request request = world_.some_request();
    runs[job.name] = {job.credentials, request, PartitionId(0U), 1 + world_.below(3),
                      now_ + request.limit - Seconds(world_.below(3))};
    world_.cluster.set_unconfirmed_runs(std::move(runs));
  }
  void revise_one() {
    const auto id = some_active();
    if (!id.valid()) return;
    world_.cluster.revise_held(cluster().job(id).placement.front().node, id,
                               Resources(world_.below(2)), now_);
  }
  void change_credentials() {
    const auto jobs = cluster().jobs();
    if (jobs.empty()) return;
    const auto id = jobs[static_cast<std::size_t>(world_.below(static_cast<int>(jobs.size())))];
    world_.cluster.set_qos(id, QosId(static_cast<std::uint32_t>(world_.below(2))));
    if (const Job& job = cluster().job(id); job.active() || job.suspended())
      world_.cluster.set_access(
          id, {world_.one_of({NodeAccess::shared, NodeAccess::dedicated, NodeAccess::single_user})},
          now_);
  }

  RandomCluster world_;
  Settings settings_;
  Time now_ = kNow;
};

void live_through(unsigned seed) {
  Mixture mixture;
  mixture.several_requirements = seed % 5 == 0;
  mixture.node_sets = seed % 7 == 0;
  mixture.speeds = seed % 11 == 0;
  mixture.job_limits = seed % 3 == 0;
  mixture.loads = seed % 4 == 0;
  mixture.access_rules = seed % 2 == 0;
  mixture.odd_amounts = seed % 6 > 2;
  PlannedHistory history(seed, mixture);
  CyclePlanner kept;
  for (int i = 0; i < 12; ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", step " + std::to_string(i));
    const auto decided = kept.plan(history.cluster(), history.settings(), history.now());
    const auto afresh = plan(history.cluster(), history.settings(), history.now());
    ASSERT_EQ(describe(history.cluster(), decided, history.now()),
              describe(history.cluster(), afresh, history.now()));
    history.carry_out(decided);
    ASSERT_EQ(history.cluster().check().value_or(""), "");
    history.happen();
  }
}

// A hundred thousand plans, in four parts that can be made side by side.
constexpr unsigned kParts = 4;
class KeptPlan : public testing::TestWithParam<unsigned> {};

TEST_P(KeptPlan, EqualsAFreshPlanThroughAnyHistory) {
  for (unsigned seed = GetParam(); seed <= rounds(8400); seed += kParts)
    ASSERT_NO_FATAL_FAILURE(live_through(seed));
}
INSTANTIATE_TEST_SUITE_P(Parts, KeptPlan, testing::Range(1U, 1U + kParts));

}  // namespace
}  // namespace maui::test
