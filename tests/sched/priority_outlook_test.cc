// When the order of two jobs changes, compared with their priorities of each second: with every
// cap, rising and falling parts, fairshare that moves, and jobs that run.
#include "sched/priority/priority_outlook.h"

#include <gtest/gtest.h>

#include "sched/priority/priority.h"
#include "support/made_up_workload.h"
#include "support/random_cluster.h"
#include "support/scenario.h"

namespace maui {
namespace {

using test::Dice;
using test::kNow;
using test::procs;
using test::Scenario;

constexpr Seconds kAhead(600);

/// Jobs whose priorities change with time in all ways.
struct ChangingJobs {
  explicit ChangingJobs(unsigned seed) : dice(seed), cluster(some_jobs()) {
    weigh();
    share();
    if (dice.in_a_hundred(30)) learn();
  }

  Dice dice;
  Cluster cluster;
  Settings settings;
  FairshareHistory history;
  FairshareWindow second;  // the use that is added each second
  std::vector<JobId> stalled;

 private:
  Cluster some_jobs() {
    Scenario scenario;
    scenario.nodes(4, procs(4));
    const auto named = [&](int i) {
      scenario.job("j" + std::to_string(i)).by(dice.in_a_hundred(50) ? "amy" : "bob");
      if (dice.in_a_hundred(30)) scenario.qos("high");
    };
    for (int i = 0; i < 4; ++i) {
      named(i);
      scenario.tasks(dice.between(1, 4)).limit(Seconds(dice.between(1, 2000)));
      scenario.queued(Seconds(dice.between(dice.in_a_hundred(20) ? -200 : 0, 3000)));
    }
    for (int i = 4; i < 7; ++i) {
      named(i);
      const int ran = dice.between(0, 1000);
      scenario.running_on({{"n1", 1}}, Seconds(ran)).limit(Seconds(ran + dice.between(1, 2000)));
      scenario.queued(Seconds(ran + dice.between(0, 2000)));
    }
    return scenario.build();
  }

  /// Weights of both signs, and caps that values reach.
  void weigh() {
    struct Values {
      Weighting PrioritySettings::*of;
      int least, most;
    };
    using P = PrioritySettings;
    auto& p = settings.priority;
    for (const auto& [of, least, most] : {Values{&P::queue_time, 1, 60},
                                          {&P::xfactor, 1, 20},
                                          {&P::target_queue_time, 1, 30},
                                          {&P::target_xfactor, 1, 30},
                                          {&P::fs_user, -20, 30},
                                          {&P::fs_group, -20, 30},
                                          {&P::usage_consumed, 100, 2000},
                                          {&P::usage_remaining, 100, 2000},
                                          {&P::usage_percent, 10, 100},
                                          {&P::user, 1, 600},
                                          {&P::proc, 1, 4}}) {
      if (dice.in_a_hundred(60)) (p.*of).weight = dice.between(-60, 60) / 2.0;
      if (dice.in_a_hundred(40)) (p.*of).cap = dice.between(least, most);
    }
    for (auto* weight : {&p.usage_consumed.weight, &p.usage_remaining.weight}) *weight /= 30;
    if (dice.in_a_hundred(60)) p.target_queue_time.weight = p.target_xfactor.weight = 0;
    for (const auto& info : components()) {
      if (dice.in_a_hundred(20)) (p.*info.weighting).weight = dice.between(-3, 3) / 2.0;
      if (dice.in_a_hundred(30)) (p.*info.weighting).cap = dice.between(1, 2000);
    }
    p.allow_negative = dice.in_a_hundred(50);
    p.reject_negative = dice.in_a_hundred(30);
    for (const char* user : {"amy", "bob"}) {
      settings.users[user].priority = dice.between(-50, 50);
      if (dice.in_a_hundred(50)) settings.users[user].queue_time_target = minutes();
      if (dice.in_a_hundred(50)) settings.users[user].xfactor_target = dice.between(3, 60) / 2.0;
    }
    settings.qos["high"].queue_time_weight = dice.between(-30, 30);
    settings.qos["high"].xfactor_weight = dice.between(-30, 30);
  }
  Seconds minutes() { return Seconds(dice.between(100, 4000)); }

  /// What has been used by whom, and what is used each second.
  void share() {
    for (const Waiting& line : cluster.waiting())
      if (dice.in_a_hundred(20)) stalled.push_back(line.job);
    if (dice.in_a_hundred(40)) return;
    settings.fairshare.metric = FairshareMetric::dedicated_proc_seconds;
    settings.fairshare.relative = dice.in_a_hundred(30);
    for (const char* name : {"amy", "bob"}) {
      settings.users[name].fairshare_target = target();
      settings.groups["group"].fairshare_target = target();
    }
    for (const char* name : {"amy", "bob", "user"}) {
      Credentials who;
      who.user = cluster.users.intern(name);
      who.group = cluster.groups.intern("group");
      const Seconds day = settings.fairshare.interval;
      record_use(history, day, who, dice.between(0, 20), kNow - Seconds(90000), kNow - Seconds(80));
      FairshareHistory one;
      record_use(one, day, who, dice.between(0, 3000), kNow, kNow + Seconds(1));
      add(second, one.windows.empty() ? FairshareWindow{} : one.windows.front());
    }
  }
  FairshareTarget target() {
    return {static_cast<double>(dice.between(0, 60)), static_cast<TargetType>(dice.between(0, 2))};
  }
  static void add(FairshareWindow& to, const FairshareWindow& more) {
    to.total += more.total;
    for (const auto kind : kCredentialKinds)
      for (std::size_t i = 0; i < more.used[kind].size(); ++i) {
        if (to.used[kind].size() <= i) to.used[kind].resize(i + 1);
        to.used[kind][i] += more.used[kind][i];
      }
  }

  void learn() {
    settings.learning.use = LearningUse::priority;
    for (const Waiting& line : cluster.waiting()) {
      auto& learned = cluster.run_times.at(line.job);
      if (dice.in_a_hundred(80)) learned.expected.geometric_mean = dice.between(1, 2000) / 3.0;
      learned.promised_last = dice.in_a_hundred(20);
    }
  }
};

struct Seen {
  std::int64_t rank = 0;
  bool rejected = false;
};

/// The job's priority in each second, each worked out from the beginning.
std::vector<Seen> by_seconds(const ChangingJobs& of, JobId job) {
  std::vector<Seen> all;
  Cluster cluster = of.cluster;
  const bool stalled = std::find(of.stalled.begin(), of.stalled.end(), job) != of.stalled.end();
  for (Time when = kNow; when <= kNow + kAhead; when = when + Seconds(1)) {
    FairshareHistory history = of.history;
    const auto passed = static_cast<double>((when - kNow).raw());
    if (!history.windows.empty()) {
      FairshareWindow& window = history.windows.front();
      window.total += passed * of.second.total;
      for (const auto kind : kCredentialKinds)
        for (std::size_t i = 0; i < of.second.used[kind].size(); ++i)
          window.used[kind][i] += passed * of.second.used[kind][i];
    }
    cluster.fairshare_use = effective_use(history, of.settings.fairshare, kNow);
    const auto found = priority_of(cluster, of.settings, stalled ? kNow : when, job);
    const bool exact = of.settings.learning.orders_queue();
    all.push_back({exact ? rank_of(found.bounded) : found.priority, found.rejected});
  }
  return all;
}

/// Returns the first second at which `holds` differs from its value at first.
template <class Holds>
Time first_change(Holds holds) {
  for (std::size_t i = 1; i < static_cast<std::size_t>(kAhead.raw()); ++i)
    if (holds(i) != holds(0)) return kNow + Seconds(static_cast<std::int64_t>(i));
  return kNow + kAhead;
}

TEST(PriorityOutlookProperty, TellsWhatPrioritiesOfEachSecondTell) {
  std::size_t flips = 0, keeps = 0, rejections = 0;
  for (unsigned seed = 1; seed <= test::rounds(300); ++seed) {
    const ChangingJobs jobs(seed);
    const FairshareAhead ahead =
        jobs.history.windows.empty()
            ? FairshareAhead{}
            : FairshareAhead{jobs.history, jobs.second, jobs.settings.fairshare, kNow};
    Cluster cluster = jobs.cluster;
    cluster.fairshare_use = effective_use(jobs.history, jobs.settings.fairshare, kNow);
    PriorityOutlook outlook(cluster, jobs.settings, kNow, kNow + kAhead, ahead);
    std::vector<PriorityCurve> curves;
    std::vector<std::vector<Seen>> seen;
    const auto examine = [&](JobId id, bool stalled) {
      curves.push_back(outlook.curve(cluster.job(id), stalled));
      seen.push_back(by_seconds(jobs, id));
    };
    for (const Waiting& line : cluster.waiting())
      examine(line.job,
              std::find(jobs.stalled.begin(), jobs.stalled.end(), line.job) != jobs.stalled.end());
    for (const Active& line : cluster.active()) examine(line.job, false);
    for (std::size_t a = 0; a < curves.size(); ++a) {
      const Time rejection = first_change([&](std::size_t i) { return seen[a][i].rejected; });
      ASSERT_EQ(outlook.rejection(curves[a], kNow + kAhead), rejection)
          << "seed " << seed << ", job " << a;
      rejections += rejection < kNow + kAhead;
      for (std::size_t b = 0; b < curves.size(); ++b)
        for (const bool strictly : {false, true}) {
          if (a == b) continue;
          const Time expected = first_change([&](std::size_t i) {
            return strictly ? seen[a][i].rank > seen[b][i].rank
                            : seen[a][i].rank >= seen[b][i].rank;
          });
          ASSERT_EQ(outlook.flip(curves[a], curves[b], strictly, kNow + kAhead), expected)
              << "seed " << seed << ", jobs " << a << " and " << b << (strictly ? ", strictly" : "")
              << ", now " << seen[a][0].rank << " and " << seen[b][0].rank;
          (expected < kNow + kAhead ? flips : keeps) += 1;
        }
    }
  }
  EXPECT_GT(flips, 1000U);
  EXPECT_GT(keeps, 1000U);
  EXPECT_GT(rejections, 20U);
}

}  // namespace
}  // namespace maui
