// Properties of every plan, whatever the cluster, the queue and the policies.
//
// Small clusters live for a while: jobs arrive, end on time or early, plans are
// carried out.  Each plan is gone through with the oracle that looks at every
// second (support/per_second.h).
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "sched/cycle.h"
#include "sched/priority/priority.h"
#include "support/carry_out.h"
#include "support/per_second.h"
#include "support/random_cluster.h"

namespace maui {
namespace {

using test::describe;
using test::kNow;
using test::Mixture;
using test::PerSecond;
using test::RandomCluster;
using test::rounds;

bool keeps(const Settings& settings) {
  return settings.reservation_policy == ReservationPolicy::highest &&
         settings.backfill != BackfillPolicy::none;
}

/// Goes through a plan in the order of its phases (paper, section 3), holding in the oracle what
/// the plan decided, and says at each step whether the decision was the one to make.
class Review {
 public:
  Review(const Cluster& cluster, const Settings& settings, Time now, const Plan& plan)
      : cluster_(cluster),
        settings_(settings),
        now_(now),
        plan_(plan),
        oracle_(cluster, now, keeps(settings)) {
    for (const Decision& decision : plan.decisions) {
      if (const auto* start = std::get_if<StartJob>(&decision)) {
        starts_[start->job] = start;
        EXPECT_EQ(start->priority, priority_of(cluster, settings, now, start->job).priority);
      }
      if (const auto* reserve = std::get_if<ReserveJob>(&decision))
        reserves_[reserve->job] = {reserve->start, reserve->placement};
      if (const auto* hold = std::get_if<HoldJob>(&decision)) helds_.push_back(hold->job);
    }
    for (std::size_t rank = 0; rank < plan.order.size(); ++rank) {
      const Job& job = cluster.job(plan.order[rank].job);
      if (plan.reasons[rank] != Reason::reserved_later || reserves_.contains(job.id)) continue;
      EXPECT_TRUE(job.reservation.valid()) << job.name << " is reserved for nowhere";
      if (!job.reservation.valid()) continue;
      const Reservation& same = cluster.reservation(job.reservation);  // stays as it is
      reserves_[job.id] = {same.start, same.nodes};
    }
  }

  void all() {
    for (const auto& stack : settings_.reservation_stacks) left_.push_back(stack.depth);
    for (const auto& ranked : plan_.order)
      if (reserved_before(ranked.job)) kept_later_.insert(ranked.job);
    if (keeps(settings_))  // those whose time has come first: the others may have what they leave
      for (const bool due : {true, false})
        for (const auto& ranked : plan_.order)
          if (reserved_before(ranked.job) && due == (reserved_for(ranked.job) <= now_))
            kept(ranked.job);
    priority_pass();
    backfill();
    EXPECT_EQ(oracle_.conflict(), std::nullopt);
  }

 private:
  const Request& request(JobId job) const { return cluster_.request_of(job); }
  bool reserved_before(JobId job) const {
    return keeps(settings_) && cluster_.job(job).reservation.valid();
  }
  Time reserved_for(JobId job) const {
    return cluster_.reservation(cluster_.job(job).reservation).start;
  }
  std::optional<Time> earliest(JobId job, Time not_after = kForever) {
    return oracle_.earliest(cluster_.job(job), request(job), now_, not_after);
  }
  /// A kept reservation may have the place of one that moves as well: of those that are gone
  /// through later, the planned places count.
  void take_kept(JobId job, const Placement& placement, Time start) {
    PerSecond as_planned = oracle_;
    for (const JobId other : kept_later_) {
      as_planned.release(other);
      if (starts_.contains(other))
        as_planned.hold(cluster_.job(other), request(other), starts_[other]->placement, now_);
      else if (reserves_.contains(other))
        as_planned.hold(cluster_.job(other), request(other), reserves_[other].placement,
                        reserves_[other].start);
    }
    take(job, placement, start, as_planned);
  }
  void take(JobId job, const Placement& placement, Time start) {
    take(job, placement, start, oracle_);
  }
  void take(JobId job, const Placement& placement, Time start, PerSecond& judge) {
    EXPECT_EQ(
        judge.objection(cluster_.job(job), request(job), placement, start, request(job).limit),
        std::nullopt)
        << cluster_.job(job).name;
    oracle_.hold(cluster_.job(job), request(job), placement, start);
  }

  /// RESERVATIONPOLICY HIGHEST: the reservation slides forward, or starts, or stays.
  void kept(JobId id) {
    kept_later_.erase(id);
    oracle_.release(id);
    const auto first = earliest(id, std::max(now_, reserved_for(id)));
    ASSERT_TRUE(first) << cluster_.job(id).name << " lost its place";
    if (starts_.contains(id)) return take_kept(id, starts_[id]->placement, now_);
    ASSERT_TRUE(reserves_.contains(id)) << cluster_.job(id).name << " lost its reservation";
    EXPECT_LE(reserves_[id].start, *first) << cluster_.job(id).name << " could start earlier";
    take_kept(id, reserves_[id].placement, reserves_[id].start);
  }

  std::size_t stack_of(JobId id) const {
    std::size_t i = 0;
    for (; i < left_.size(); ++i) {
      const auto& qos = settings_.reservation_stacks[i].qos;
      const auto& mine = cluster_.qos[cluster_.job(id).credentials.qos];
      if (qos.empty() || std::count(qos.begin(), qos.end(), mine) > 0) break;
    }
    return i;
  }
  /// The place of the job's stack, if there is one left.
  int* place_for(JobId id) {
    const auto stack = stack_of(id);
    return stack < left_.size() && left_[stack] > 0 ? &left_[stack] : nullptr;
  }

  bool none_left() const {
    return std::all_of(left_.begin(), left_.end(), [](int left) { return left <= 0; });
  }

  void priority_pass() {
    bool over = false;
    std::set<std::size_t> ended;  // stacks of which a job could neither start nor be reserved
    const bool reserving = settings_.backfill != BackfillPolicy::none &&
                           settings_.reservation_policy != ReservationPolicy::never;
    for (const auto& ranked : plan_.order) {
      const JobId id = ranked.job;
      SCOPED_TRACE(cluster_.job(id).name);
      if (reserved_before(id)) {
        if (int* place = place_for(id); !over && place && !starts_.contains(id)) --*place;
        continue;
      }
      const bool starts = starts_.contains(id) && !starts_[id]->backfilled;
      if (over || ended.contains(stack_of(id))) {
        EXPECT_FALSE(starts || reserves_.contains(id)) << "the pass had ended";
        continue;
      }
      const bool fits = oracle_.fits(cluster_.job(id), request(id), now_, request(id).limit);
      EXPECT_EQ(starts, fits);
      if (starts) {
        take(id, starts_[id]->placement, now_);
        continue;
      }
      if (std::count(helds_.begin(), helds_.end(), id) > 0) {
        EXPECT_EQ(earliest(id), std::nullopt) << "held though it could run";
        continue;
      }
      int* place = reserving ? place_for(id) : nullptr;
      const auto when = place ? earliest(id) : std::nullopt;
      EXPECT_EQ(reserves_.contains(id), when.has_value());
      if (reserving && !place && !none_left()) {
        ended.insert(stack_of(id));
        continue;
      }
      if (!place) {
        over = settings_.backfill != BackfillPolicy::none || earliest(id);
        continue;
      }
      if (!when || !reserves_.contains(id)) continue;  // it has no place as things stand
      EXPECT_EQ(reserves_[id].start, *when);
      take(id, reserves_[id].placement, reserves_[id].start);
      if (--*place == 0) ended.insert(stack_of(id));
      over = none_left();
    }
  }

  void backfill() {
    for (const Decision& decision : plan_.decisions) {
      const auto* start = std::get_if<StartJob>(&decision);
      if (!start || !start->backfilled) continue;
      EXPECT_NE(settings_.backfill, BackfillPolicy::none);
      take(start->job, start->placement, now_);  // with every reservation where it is
    }
    if (settings_.backfill == BackfillPolicy::none) return;
    for (std::size_t rank = 0; rank < plan_.order.size(); ++rank) {
      const JobId id = plan_.order[rank].job;
      if (plan_.reasons[rank] == Reason::none || plan_.reasons[rank] == Reason::reserved_later)
        continue;
      EXPECT_FALSE(oracle_.fits(cluster_.job(id), request(id), now_, request(id).limit))
          << cluster_.job(id).name
          << " could start and does not: " << describe(cluster_, request(id));
    }
  }

  const Cluster& cluster_;
  const Settings& settings_;
  Time now_;
  const Plan& plan_;
  PerSecond oracle_;
  std::map<JobId, const StartJob*> starts_;
  struct Place {
    Time start{0};
    Placement placement;
  };
  std::map<JobId, Place> reserves_;  // of this plan, new, moved or as before
  std::set<JobId> kept_later_;       // of those with kept reservations
  std::vector<JobId> helds_;
  std::vector<int> left_;
};

/// A cluster that lives: plans are made, reviewed and carried out, jobs come and go.
class Life {
 public:
  Life(unsigned seed, const Mixture& mixture)
      : world(seed, mixture), settings(world.some_settings()) {
    world.furnish();
  }

  void step(Seconds by) {
    now = now + by;
    longest_run_on = Seconds(0);
    while (!cluster().active().empty() && cluster().active().front().ends <= now) {
      const JobId id = cluster().active().front().job;
      const Time ends = cluster().job(id).ends;
      if (run_on && world.one_in(4)) {
        const Time further = now + Seconds(1 + world.below(4));
        longest_run_on = std::max(longest_run_on, further - ends);
        cluster().extend_job(id, further);
        continue;
      }
      cluster().end_job(id, JobState::completed, std::max(now, ends));
    }
    if (!cluster().active().empty() && world.one_in(3)) {
      const auto running = cluster().active();
      const auto which = world.below(static_cast<int>(running.size()));
      cluster().end_job(running[static_cast<std::size_t>(which)].job, JobState::completed, now);
    }
    for (int arrivals = world.below(4); arrivals > 0; --arrivals) world.submit(now);
  }

  Plan made() { return plan(cluster(), settings, now); }
  void carry_out(const Plan& decided) {
    cluster().note_reservations_planned(decided.reservations_earliest);
    test::carry_out(cluster(), decided, now);
  }
  Cluster& cluster() { return world.cluster; }

  RandomCluster world;
  Settings settings;
  Time now = kNow;
  bool run_on = false;        // some jobs do so when they should have ended
  Seconds longest_run_on{0};  // in the last step
};

void live(unsigned seed, const Mixture& mixture) {
  Life life(seed, mixture);
  for (int i = 0; i < 10; ++i) {
    const Plan decided = life.made();
    SCOPED_TRACE("seed " + std::to_string(seed) + ", step " + std::to_string(i) + "\n" +
                 describe(life.cluster(), decided, life.now));
    ASSERT_EQ(describe(life.cluster(), life.made(), life.now),
              describe(life.cluster(), decided, life.now))
        << "the same input gave another plan";
    Review(life.cluster(), life.settings, life.now, decided).all();
    life.carry_out(decided);
    ASSERT_EQ(life.cluster().check().value_or(""), "");
    ASSERT_EQ(PerSecond(life.cluster(), life.now, true).conflict(), std::nullopt);
    if (testing::Test::HasFailure()) return;
    life.step(Seconds(1));
  }
}

TEST(PlanProperty, EveryDecisionIsRightOnAnyCluster) {
  for (unsigned seed = 1; seed <= rounds(300); ++seed) {
    live(seed, {});
    if (HasFailure()) return;
  }
}

TEST(PlanProperty, EveryDecisionIsRightOnSharedNodesAlone) {
  Mixture mixture;
  mixture.access_rules = false;
  mixture.host_lists = false;
  mixture.most_nodes = 8;
  for (unsigned seed = 300001; seed <= 300000 + rounds(200); ++seed) {
    live(seed, mixture);
    if (HasFailure()) return;
  }
}

void expect_to_move_no_further_than_late(bool run_on) {
  Mixture mixture;
  mixture.access_rules = false;
  mixture.reservations = false;
  int late = 0;
  for (unsigned seed = 600001; seed <= 600000 + rounds(200); ++seed) {
    if (testing::Test::HasFailure()) return;
    Life life(seed, mixture);
    life.run_on = run_on;
    life.settings.reservation_policy = ReservationPolicy::highest;
    life.settings.backfill = BackfillPolicy::first_fit;
    for (int i = 0; i < 10; ++i) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", step " + std::to_string(i));
      std::map<JobId, Time> before;
      Time first = life.now;
      for (const Waiting& line : life.cluster().waiting())
        if (const auto kept = life.cluster().job(line.job).reservation; kept.valid()) {
          before[line.job] = life.cluster().reservation(kept).start;
          first = std::min(first, before[line.job]);
        }
      late += first < life.now ? 1 : 0;
      life.carry_out(life.made());
      for (const auto& [id, start] : before) {
        const Job& job = life.cluster().job(id);
        ASSERT_TRUE(job.active() || job.reservation.valid()) << job.name << " lost its place";
        const Time becomes =
            job.active() ? job.started : life.cluster().reservation(job.reservation).start;
        EXPECT_LE(becomes, start + (life.now - first) + life.longest_run_on) << job.name;
      }
      EXPECT_EQ(PerSecond(life.cluster(), life.now, true).conflict(), std::nullopt);
      life.step(Seconds(1 + life.world.below(5)));
    }
  }
  EXPECT_GT(late, 50) << "too little happened";
}

// With RMPOLLINTERVAL between iterations reservations begin while nobody looks.
TEST(PlanProperty, AReservationMovesNoFurtherThanAnIterationIsLate) {
  expect_to_move_no_further_than_late(false);
}

TEST(PlanProperty, NorThanJobsRunOnWhenTheyShouldHaveEnded) {
  expect_to_move_no_further_than_late(true);
}

}  // namespace
}  // namespace maui
