// Properties of every plan with preemption in it, on any cluster: nothing is dedicated twice,
// nobody of higher priority is preempted, nobody in vain, and whoever is suspended ends.  No owner
// of a reservation preempts a guest as soon as it has started.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "sched/cycle.h"
#include "sched/priority/priority.h"
#include "sched/reservations/owner_preemption.h"
#include "sched/rules/job_flags.h"
#include "sched/suspended.h"
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

class PreemptiveLife {
 public:
  PreemptiveLife(unsigned seed, const Mixture& mixture)
      : world(seed, mixture), settings(world.some_settings()) {
    settings.poll_interval = Seconds(1);
    settings.jobs.preemption =
        world.one_of({Preemption::requeue, Preemption::suspend, Preemption::checkpoint});
    if (world.one_in(3)) settings.backfill = BackfillPolicy::preempt;
    world.furnish();
  }

  void arrive() {
    const JobId id = world.submit(now);
    Job& job = const_cast<Job&>(cluster().job(id));  // flags come with a job and never change
    put(job.flags, JobFlag::preemptor, flagged && world.one_in(3));
    put(job.flags, JobFlag::preemptee, flagged && world.one_in(2));
    put(job.flags, JobFlag::no_queue, false);
    Request longer = cluster().request_of(id);
    longer.limit += Seconds(world.below(20));
    cluster().set_request(id, std::move(longer));
    cluster().set_system_priority(id, {false, world.below(1000)});
  }
  /// Suspends some active job, unless its nodes are closed to jobs.
  bool suspend_for_violation() {
    const auto active = cluster().active();
    if (active.empty()) return false;
    const auto which = static_cast<std::size_t>(world.below(static_cast<int>(active.size())));
    const Placement& nodes = cluster().job(active[which].job).placement;
    if (!std::all_of(nodes.begin(), nodes.end(), [this](const NodeTasks& share) {
          return cluster().node(share.node).available();
        }))
      return false;
    cluster().suspend_job(active[which].job, now, {SuspensionCause::violation});
    return true;
  }
  void step(Seconds by, bool arrivals) {
    now = now + by;
    while (!cluster().active().empty() && cluster().active().front().ends <= now)
      cluster().end_job(cluster().active().front().job, JobState::completed, now);
    for (int more = arrivals ? world.below(4) : 0; more > 0; --more) arrive();
  }
  Cluster& cluster() { return world.cluster; }

  RandomCluster world;
  Settings settings;
  Time now = kNow;
  bool flagged = true;  // some jobs are preemptors, and some preemptees
};

/// Would the preemptor start without this victim's nodes, everything else being as decided?
bool needed(const PreemptiveLife& life, const Plan& plan, const PreemptJob& victim) {
  Cluster trial = life.world.cluster;
  for (const Decision& decision : plan.decisions) {
    if (const auto* start = std::get_if<StartJob>(&decision)) {
      if (start->job == victim.preemptor) break;
      trial.start_job(start->job, start->placement, life.now);
    } else if (const auto* other = std::get_if<PreemptJob>(&decision)) {
      if (other->job != victim.job) trial.requeue_job(other->job, life.now);
    } else if (const auto* drop = std::get_if<DropReservation>(&decision)) {
      trial.release_reservation(drop->reservation);
    }
  }
  const Job& job = trial.job(victim.preemptor);
  if (job.reservation.valid()) trial.release_reservation(job.reservation);
  PerSecond oracle(trial, life.now, true);  // what is not dropped stays where it is
  return !oracle.fits(job, trial.request_of(job.id), life.now, trial.request_of(job.id).limit);
}

/// Every reservation of another job that the plan makes was in the preemptor's way, too; then the
/// simple question above says less.
bool reserves_anything(const Plan& plan) {
  for (const Decision& decision : plan.decisions)
    if (std::holds_alternative<ReserveJob>(decision)) return true;
  return false;
}

/// Likewise the nodes for which a job above the preemptor waited, that starts on what the victim
/// leaves.
bool one_above_starts_later(const Plan& plan, JobId preemptor) {
  const auto place = [&](JobId id) {
    return std::find_if(plan.order.begin(), plan.order.end(),
                        [id](const Plan::Ranked& one) { return one.job == id; });
  };
  bool later = false;
  for (const Decision& decision : plan.decisions)
    if (const auto* start = std::get_if<StartJob>(&decision)) {
      if (later && place(start->job) < place(preemptor)) return true;
      later = later || start->job == preemptor;
    }
  return false;
}

struct Tally {
  int preempted = 0, suspended = 0, judged = 0;
};

void review(PreemptiveLife& life, const Plan& plan, Tally& tally) {
  std::set<JobId> started;
  for (const Decision& decision : plan.decisions) {
    const auto* start = std::get_if<StartJob>(&decision);
    ASSERT_TRUE(!start || started.insert(start->job).second) << "started twice";
  }
  for (const Decision& decision : plan.decisions) {
    const auto* victim = std::get_if<PreemptJob>(&decision);
    if (!victim) continue;
    ++tally.preempted;
    const Cluster& cluster = life.cluster();
    const Job& job = cluster.job(victim->job);
    EXPECT_TRUE(job.active());
    EXPECT_TRUE(has(job.flags, JobFlag::preemptee) || has(job.flags, JobFlag::backfill));
    const JobId both[] = {victim->job, victim->preemptor};
    const auto priorities = priorities_of(cluster, life.settings, life.now, both);
    EXPECT_LE(priorities[0], priorities[1]) << job.name;
    if (reserves_anything(plan) || one_above_starts_later(plan, victim->preemptor) ||
        !cluster.suspended().empty())
      continue;
    ++tally.judged;
    EXPECT_TRUE(needed(life, plan, *victim)) << job.name << " was preempted in vain";
  }
}

/// Describes the cluster that the plan was made on.
std::string describe_life(const PreemptiveLife& life) {
  const Cluster& cluster = life.world.cluster;
  std::string text;
  for (const ReservationId id : cluster.reservations()) {
    const Reservation& reservation = cluster.reservation(id);
    text += reservation.name + " kept from " +
            std::to_string((reservation.start - life.now).raw()) + " to " +
            std::to_string((reservation.end - life.now).raw()) + ": " +
            test::show(cluster, reservation.nodes) + "\n";
  }
  for (const JobId id : cluster.jobs()) {
    const Job& job = cluster.job(id);
    text += job.name + " state " + std::to_string(static_cast<int>(job.state)) + " flags " +
            std::to_string(job.flags) + " ends " + std::to_string((job.ends - life.now).raw()) +
            " on " + test::show(cluster, job.placement) + " asks " +
            test::describe(cluster, cluster.request_of(id)) + "\n";
  }
  return text;
}

void live(unsigned seed, const Mixture& mixture, Tally& tally) {
  PreemptiveLife life(seed, mixture);
  for (int i = 0; i < 40 || !life.cluster().suspended().empty(); ++i) {
    ASSERT_LT(i, 400) << "a suspended job never ends";
    const Plan decided = plan(life.cluster(), life.settings, life.now);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", step " + std::to_string(i) + "\n" +
                 describe(life.cluster(), decided, life.now) + "\n" + describe_life(life));
    review(life, decided, tally);
    if (testing::Test::HasFatalFailure()) return;
    test::carry_out(life.cluster(), decided, life.now);
    tally.suspended += static_cast<int>(life.cluster().suspended().size());
    ASSERT_EQ(life.cluster().check().value_or(""), "");
    ASSERT_EQ(PerSecond(life.cluster(), life.now, true).conflict(), std::nullopt);
    if (testing::Test::HasFailure()) return;
    life.step(Seconds(1 + life.world.below(i < 15 ? 3 : 30)), i < 15);
  }
}

TEST(PreemptionProperty, NobodyIsPreemptedInVainOrForEver) {
  Tally tally;
  for (unsigned seed = 1; seed <= rounds(200); ++seed) {
    Mixture mixture;
    mixture.access_rules = seed % 2 == 0;
    mixture.reservations = seed % 3 == 0;
    mixture.several_requirements = seed % 5 == 0;
    live(seed, mixture, tally);
    if (HasFailure()) return;
  }
  EXPECT_GT(tally.preempted, 50) << "too little happened";
  EXPECT_GT(tally.suspended, 100) << "too little happened";
  EXPECT_GT(tally.judged, 50) << "too little happened";
}

/// A violator waits for the end of a reservation that does not admit it.
void end_all_reservations(Cluster& cluster) {
  const auto all = cluster.reservations();
  for (const ReservationId id : std::vector<ReservationId>(all.begin(), all.end())) {
    Reservation until = cluster.reservation(id);
    if (until.end < kForever) continue;
    until.end = kNow + Seconds(60);
    cluster.change_reservation(id, until);
  }
}

// Some run on nodes that do not have what they ask for.  They come after all jobs that wait.
TEST(PreemptionProperty, WhoeverIsSuspendedForAViolationEnds) {
  int suspended = 0;
  for (unsigned seed = 1; seed <= rounds(100); ++seed) {
    Mixture mixture;
    mixture.access_rules = seed % 2 == 0;
    mixture.reservations = seed % 3 == 0;
    mixture.several_requirements = seed % 5 == 0;
    PreemptiveLife life(seed, mixture);
    // Otherwise no violator passes a job that waits.
    if (life.settings.backfill == BackfillPolicy::none)
      life.settings.backfill = BackfillPolicy::first_fit;
    end_all_reservations(life.cluster());
    for (int i = 0; i < 15 || !life.cluster().suspended().empty(); ++i) {
      const Plan decided = plan(life.cluster(), life.settings, life.now);
      SCOPED_TRACE("seed " + std::to_string(seed) + ", step " + std::to_string(i) + "\n" +
                   describe(life.cluster(), decided, life.now) + "\n" + describe_life(life));
      ASSERT_LT(i, 400) << "a suspended job never ends";
      test::carry_out(life.cluster(), decided, life.now);
      ASSERT_EQ(life.cluster().check().value_or(""), "");
      if (i < 15 && life.world.one_in(3)) suspended += life.suspend_for_violation() ? 1 : 0;
      life.step(Seconds(1 + life.world.below(i < 15 ? 3 : 30)), i < 15);
    }
  }
  EXPECT_GT(suspended, 100) << "too little happened";
}

/// Returns the jobs that the plan makes give up their nodes.
std::set<JobId> preempted(const Plan& plan) {
  std::set<JobId> jobs;
  for (const Decision& decision : plan.decisions)
    if (const auto* victim = std::get_if<PreemptJob>(&decision)) jobs.insert(victim->job);
  return jobs;
}

/// Returns the cluster after the plan without the jobs that start once some have been suspended,
/// except preemptors.
Cluster without_others(const PreemptiveLife& life, const Plan& plan) {
  Cluster cluster = life.world.cluster;
  Plan part = plan;
  part.decisions.clear();
  bool some_left = false;
  for (const Decision& decision : plan.decisions) {
    const auto* start = std::get_if<StartJob>(&decision);
    some_left = some_left || std::holds_alternative<PreemptJob>(decision);
    const bool other =
        start && some_left && !has(cluster.job(start->job).flags, JobFlag::preemptor);
    if (!other && !std::holds_alternative<ReserveJob>(decision)) part.decisions.push_back(decision);
  }
  test::carry_out(cluster, part, life.now);
  return cluster;
}

// Only preemptors may come before a suspended job.
TEST(PreemptionProperty, TheJobsThatAPlanSuspendsWaitForNoOtherJobThatItStarts) {
  int suspended = 0;
  for (unsigned seed = 1; seed <= rounds(200); ++seed) {
    Mixture mixture;
    mixture.access_rules = seed % 2 == 0;
    mixture.reservations = seed % 3 == 0;
    PreemptiveLife life(seed, mixture);
    life.settings.jobs.preemption = Preemption::suspend;
    if (life.settings.backfill == BackfillPolicy::preempt)
      life.settings.backfill = BackfillPolicy::first_fit;
    life.settings.reservation_policy = ReservationPolicy::current_highest;
    for (int i = 0; i < 20; ++i) {
      const Plan decided = plan(life.cluster(), life.settings, life.now);
      SCOPED_TRACE("seed " + std::to_string(seed) + ", step " + std::to_string(i) + "\n" +
                   describe(life.cluster(), decided, life.now) + "\n" + describe_life(life));
      const Cluster reference = without_others(life, decided);
      test::carry_out(life.cluster(), decided, life.now);
      for (const JobId id : preempted(decided)) {
        ++suspended;
        const auto resumes = [&](const Cluster& cluster) {
          return resumption_of(cluster, life.settings, life.now, id) - life.now;
        };
        EXPECT_EQ(resumes(life.cluster()), resumes(reference)) << life.cluster().job(id).name;
      }
      if (HasFailure()) return;
      life.step(Seconds(1 + life.world.below(3)), true);
    }
  }
  EXPECT_GT(suspended, 50) << "too little happened";
}

/// Adds a reservation whose owner takes its nodes back from guests.
void share_some_nodes(PreemptiveLife& life) {
  auto& world = life.world;
  Reservation made;
  made.name = "owned";
  made.start = kNow - Seconds(10);
  made.end = world.one_in(2) ? kForever : kNow + Seconds(40);
  made.flags = static_cast<std::uint16_t>(ReservationFlag::owner_preempt);
  made.owner = "USER:amy";
  for (std::uint32_t user = 0; user < 2; ++user) made.access.add(AccessKind::user, UserId(user));
  for (const Node& node : world.cluster.nodes())
    if (!world.one_in(3)) made.nodes.push_back({node.id, 1, 0});
  if (!made.nodes.empty()) world.cluster.add_reservation(made);
}

/// True if the victim consents, or uses a reservation that the preemptor's user owns.
bool may_lose_its_nodes(const PreemptiveLife& life, const PreemptJob& victim) {
  const Cluster& cluster = life.world.cluster;
  const Job& loser = cluster.job(victim.job);
  const Job& winner = cluster.job(victim.preemptor);
  return (has(loser.flags, JobFlag::preemptee) && has(winner.flags, JobFlag::preemptor)) ||
         OwnedReservations(cluster, life.now)
             .guest_of(winner, loser, loser.placement, JobFlags(cluster, life.settings));
}

std::set<JobId> started_or_resumed(const Plan& plan) {
  std::set<JobId> jobs;
  for (const Decision& decision : plan.decisions) {
    if (const auto* start = std::get_if<StartJob>(&decision)) jobs.insert(start->job);
    if (const auto* resumption = std::get_if<ResumeJob>(&decision)) jobs.insert(resumption->job);
  }
  return jobs;
}

/// Carries out plans.  After each one, a second plan for the same time must preempt none of the
/// jobs that it has started or resumed, for a job that waited already.  Returns what shows that it
/// does, or that a job lost its nodes to one that may not take them; empty: neither.
std::string false_start(PreemptiveLife& life, int& preemptions) {
  for (int i = 0; i < 30; ++i) {
    const Plan decided = plan(life.cluster(), life.settings, life.now);
    const std::string before =
        describe(life.cluster(), decided, life.now) + "\n" + describe_life(life);
    for (const Decision& decision : decided.decisions)
      if (const auto* victim = std::get_if<PreemptJob>(&decision);
          victim && life.settings.backfill != BackfillPolicy::preempt &&
          !may_lose_its_nodes(life, *victim))
        return life.cluster().job(victim->job).name + " may not be preempted, step " +
               std::to_string(i) + "\n" + before;
    test::carry_out(life.cluster(), decided, life.now);
    EXPECT_EQ(life.cluster().check().value_or(""), "");
    EXPECT_EQ(PerSecond(life.cluster(), life.now, true).conflict(), std::nullopt);
    const auto fresh = started_or_resumed(decided), left = preempted(decided);
    const Plan next = plan(life.cluster(), life.settings, life.now);
    for (const Decision& decision : next.decisions) {
      const auto* victim = std::get_if<PreemptJob>(&decision);
      if (!victim) continue;
      if (left.contains(victim->preemptor)) break;  // what follows follows from that
      if (fresh.contains(victim->job))
        return life.cluster().job(victim->job).name + " is preempted at once, step " +
               std::to_string(i) + "\n" + before + "\n" + describe(life.cluster(), next, life.now);
    }
    preemptions += static_cast<int>(left.size() + preempted(next).size());
    life.step(Seconds(1 + life.world.below(3)), true);
  }
  return {};
}

Mixture some_mixture(unsigned seed) {
  Mixture mixture;
  mixture.access_rules = seed % 2 == 0;
  mixture.reservations = seed % 3 == 0;
  mixture.several_requirements = seed % 5 == 0;
  return mixture;
}

TEST(PreemptionProperty, NoGuestStartsToBePreemptedAtOnce) {
  int preemptions = 0;
  for (unsigned seed = 1; seed <= rounds(60); ++seed) {
    PreemptiveLife life(seed, some_mixture(seed));
    if (life.settings.backfill == BackfillPolicy::preempt)
      life.settings.backfill = BackfillPolicy::first_fit;
    life.flagged = false;
    share_some_nodes(life);
    ASSERT_EQ(false_start(life, preemptions), "") << "seed " << seed;
    if (HasFailure()) return;
  }
  EXPECT_GT(preemptions, 20) << "too little happened";
}

TEST(PreemptionProperty, NeitherOwnersNorPreemptorsTakeWhatHasJustStarted) {
  int preemptions = 0;
  for (unsigned seed = 1; seed <= rounds(60); ++seed) {
    PreemptiveLife life(seed, some_mixture(seed));
    if (life.settings.backfill == BackfillPolicy::preempt)
      life.settings.backfill = BackfillPolicy::first_fit;
    share_some_nodes(life);
    ASSERT_EQ(false_start(life, preemptions), "") << "seed " << seed;
    if (HasFailure()) return;
  }
  EXPECT_GT(preemptions, 20) << "too little happened";
}

TEST(PreemptionProperty, NoJobStartsToBePreemptedAtOnce) {
  int preemptions = 0;
  for (unsigned seed = 1; seed <= rounds(120); ++seed) {
    PreemptiveLife life(seed, some_mixture(seed));
    ASSERT_EQ(false_start(life, preemptions), "") << "seed " << seed;
    if (HasFailure()) return;
  }
  EXPECT_GT(preemptions, 100) << "too little happened";
}

}  // namespace
}  // namespace maui
