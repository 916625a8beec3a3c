// No job uses resources to which it has no access, at any second of its run, whatever the access
// lists; and jobs under ADVRES use nothing but what is reserved for them (seed 7.1.5.2.3).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "sched/cycle.h"
#include "support/carry_out.h"
#include "support/random_cluster.h"
#include "support/scenario.h"

namespace maui::test {
namespace {

constexpr int kKinds = static_cast<int>(AccessKind::time) + 1;

class World {
 public:
  explicit World(unsigned seed) : random_(seed) {
    settings.node_access = NodeAccess::shared;
    for (int i = below(3); i >= 0; --i) {
      Node node;
      node.name = "n" + std::to_string(cluster.nodes().size());
      node.reported = NodeState::idle;
      node.configured = procs(1 + below(4));
      cluster.add_node(std::move(node));
    }
    for (int i = 1 + below(4); i > 0; --i) cluster.add_reservation(some_reservation(i));
    for (int i = 3 + below(6); i > 0; --i) cluster.add_job(some_job(i), some_request());
  }

  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  bool one_in(int n) { return below(n) == 0; }

  Cluster cluster;
  Settings settings;

 private:
  AccessCriterion some_criterion() {
    AccessCriterion criterion;
    criterion.kind = static_cast<AccessKind>(below(kKinds));
    criterion.value = criterion.kind == AccessKind::job_attribute
                          ? static_cast<int>(JobFlag::preemptee)
                      : criterion.kind == AccessKind::time  ? 1 + below(15)
                      : criterion.kind >= AccessKind::procs ? 1 + below(4)
                                                            : below(3) - 1;
    criterion.compare = one_in(2) ? Comparison::at_most : Comparison::at_least;
    criterion.negated = criterion.kind <= AccessKind::qos && one_in(4);
    criterion.required = one_in(3);
    return criterion;
  }
  Reservation some_reservation(int number) {
    Reservation r;
    r.name = "r." + std::to_string(number);
    r.start = kNow + Seconds(below(30) - 10);
    r.end = std::max(r.start, kNow) + Seconds(1 + below(30));
    if (one_in(2)) r.per_task = procs(1);
    if (one_in(6)) put(r.flags, ReservationFlag::by_name);
    for (const Node& node : cluster.nodes())
      if (one_in(2)) r.nodes.push_back({node.id, 1, 0});
    if (r.nodes.empty()) r.nodes.push_back({cluster.nodes()[0].id, 1, 0});
    for (int i = below(4); i > 0; --i) r.access.criteria.push_back(some_criterion());
    return r;
  }
  Job some_job(int number) {
    Job job;
    job.name = "j" + std::to_string(number);
    const auto one_of = [this](auto& names) {
      return names.intern(std::string(1, "abc"[below(2)]));
    };
    job.credentials.user = one_of(cluster.users);
    job.credentials.group = one_of(cluster.groups);
    if (one_in(2)) job.credentials.account = one_of(cluster.accounts);
    if (one_in(2)) job.credentials.job_class = one_of(cluster.classes);
    job.credentials.qos = one_of(cluster.qos);
    job.submitted = job.queued = kNow - Seconds(number);
    if (one_in(3)) put(job.flags, JobFlag::preemptee);
    if (one_in(4)) put(job.flags, JobFlag::adv_res);
    if (has(job.flags, JobFlag::adv_res) && one_in(2)) job.required_reservation = "r.1";
    return job;
  }
  Request some_request() {
    Request request;
    request.limit = Seconds(1 + below(25));
    request.access.usual = NodeAccess::shared;
    request.requirements[0].tasks = 1 + below(3);
    return request;
  }

  std::mt19937 random_;
};

/// The rule of access_list.h again, with the overlap as one kind among the others.
bool lets_in(const Cluster& cluster, const Reservation& r, const Job& job, Time start) {
  const Request& request = cluster.request(job.request);
  const Time end = start + request.limit;
  const auto raw = [](auto id) { return id.valid() ? static_cast<std::int64_t>(id.raw()) : -1; };
  const std::array<std::int64_t, 5> mine{raw(job.credentials.user), raw(job.credentials.group),
                                         raw(job.credentials.account),
                                         raw(job.credentials.job_class), raw(job.credentials.qos)};
  if (has(r.flags, ReservationFlag::by_name) && job.required_reservation != r.name) return false;
  const auto fits = [](const AccessCriterion& criterion, std::int64_t amount) {
    return criterion.compare == Comparison::at_most ? amount <= criterion.value
                                                    : amount >= criterion.value;
  };
  const auto met = [&](const AccessCriterion& criterion) {
    switch (criterion.kind) {
      case AccessKind::job_attribute:
        return (job.flags & criterion.value) != 0;
      case AccessKind::procs:
        return fits(criterion, request.total_procs());
      case AccessKind::tasks:
        return fits(criterion, request.total_tasks());
      case AccessKind::time:
        return (std::min(end, r.end) - std::max(start, r.start)).raw() <= criterion.value;
      default:
        const auto who = mine[static_cast<std::size_t>(criterion.kind)];
        return who >= 0 && (criterion.value == AccessCriterion::kAnybody || who == criterion.value);
    }
  };
  bool optional = false, some_optional = false;
  for (int k = 0; k < kKinds; ++k) {
    bool asked = false, required = false, good = false, negated = false;
    for (const AccessCriterion& criterion : r.access.criteria) {
      if (static_cast<int>(criterion.kind) != k) continue;
      asked = true;
      required = required || criterion.required;
      if (criterion.negated && met(criterion)) return false;
      negated = negated || criterion.negated;
      good = good || (!criterion.negated && met(criterion));
    }
    if (!asked) continue;
    good = good || (negated && mine[static_cast<std::size_t>(k)] >= 0);
    if (required && !good) return false;
    if (required) continue;
    optional = true;
    some_optional = some_optional || good;
  }
  return !r.access.empty() && (!optional || some_optional);
}

class Review {
 public:
  Review(const Cluster& cluster, const Job& job) : cluster_(cluster), job_(job) {}

  /// Where and when the run of an active job is not as it should be.
  std::optional<std::string> objection() const {
    for (Time second = job_.started; second < job_.ends; second = second + Seconds(1))
      for (const NodeTasks& share : job_.placement)
        if (const auto why = at(share, second)) return fmt_place(share, second) + *why;
    return std::nullopt;
  }

 private:
  std::string fmt_place(const NodeTasks& share, Time second) const {
    return cluster_.node(share.node).name + " in second " +
           std::to_string((second - job_.started).raw()) + ": ";
  }
  std::optional<std::string> at(const NodeTasks& share, Time second) const {
    int kept_from_it = 0, kept_for_it = 0, used = 0, used_inside = 0;
    std::vector<const Reservation*> closed;
    for (const ReservationId id : cluster_.occupancy(share.node).reservations) {
      const Reservation& r = cluster_.reservation(id);
      if (r.kind == ReservationKind::job || !r.active_at(second)) continue;
      for (const NodeTasks& part : r.nodes) {
        if (part.node != share.node) continue;
        const int amount = cluster_.reserved_on(r, part).procs();
        const bool open =
            lets_in(cluster_, r, job_, job_.started) &&
            (job_.required_reservation.empty() || job_.required_reservation == r.name);
        if (lets_in(cluster_, r, job_, job_.started))
          kept_for_it += open ? amount : 0;
        else
          kept_from_it += amount, closed.push_back(&r);
      }
    }
    for (const Occupant& occupant : cluster_.occupancy(share.node).occupants) {
      const Job& other = cluster_.job(occupant.job);
      if (other.ends <= second) continue;
      used += occupant.amount.procs();
      if (std::any_of(closed.begin(), closed.end(), [&](const Reservation* r) {
            return lets_in(cluster_, *r, other, other.started);
          }))
        used_inside += occupant.amount.procs();
    }
    if (used + std::max(0, kept_from_it - used_inside) >
        cluster_.node(share.node).configured.procs())
      return "it uses what is kept from it";
    if (has(job_.flags, JobFlag::adv_res) && share.tasks > kept_for_it)
      return "it is not inside of what is reserved for it";
    return std::nullopt;
  }

  const Cluster& cluster_;
  const Job& job_;
};

TEST(ReservedProperty, NoJobUsesWhatItHasNoAccessTo) {
  int starts = 0, inside = 0;
  for (unsigned seed = 0; seed < rounds(1500); ++seed) {
    World world(seed);
    Cluster& cluster = world.cluster;
    for (Time now = kNow; now < kNow + Seconds(40); now = now + Seconds(5)) {
      const auto active = cluster.active();
      const std::vector<Active> all(active.begin(), active.end());
      for (const Active& running : all)
        if (running.ends <= now) {
          cluster.end_job(running.job, JobState::completed, now);
          cluster.forget_job(running.job);
        }
      const Plan made = plan(cluster, world.settings, now);
      carry_out(cluster, made, now);
      for (const Decision& decision : made.decisions) {
        const auto* start = std::get_if<StartJob>(&decision);
        if (start == nullptr) continue;
        ++starts;
        const Job& job = cluster.job(start->job);
        inside += has(job.flags, JobFlag::adv_res) ? 1 : 0;
        ASSERT_EQ(Review(cluster, job).objection(), std::nullopt) << job.name << ", seed " << seed;
      }
    }
  }
  EXPECT_GT(starts, 2000);
  EXPECT_GT(inside, 50);
}

}  // namespace
}  // namespace maui::test
