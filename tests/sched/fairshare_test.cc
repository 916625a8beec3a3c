// Fairshare windows, targets and what they do (guide 6.3, paper 6).
#include "sched/priority/fairshare.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "sched/priority/priority.h"
#include "sched/query/explain.h"
#include "support/scenario.h"

namespace maui {
namespace {

using test::hours;
using test::job_named;
using test::kNow;
using test::procs;
using test::Scenario;

constexpr auto kUser = CredentialKind::user;

FairshareSettings fairshare(Seconds interval, int depth, double decay) {
  FairshareSettings settings;
  settings.metric = FairshareMetric::dedicated_proc_seconds;
  settings.interval = interval;
  settings.depth = depth;
  settings.decay = decay;
  return settings;
}

/// Windows, newest first: what user 0 used, and all together.
FairshareHistory history(const FairshareSettings& settings,
                         std::initializer_list<std::pair<double, double>> amounts) {
  FairshareHistory made;
  Time start = window_start(settings.interval, kNow);
  for (const auto& [used, total] : amounts) {
    FairshareWindow window;
    window.start = start;
    window.length = settings.interval;
    window.total = total;
    window.used[kUser] = {used};
    made.windows.push_back(window);
    start = start - settings.interval;
  }
  return made;
}

TEST(Fairshare, UseIsTheDecayWeightedAverageOfTheGuidesExample) {
  const auto settings = fairshare(hours(12), 4, 0.5);
  const auto past = history(settings, {{60, 110}, {0, 125}, {10, 100}, {50, 150}});
  const double expected =
      (60 + .5 * 0 + .25 * 10 + .125 * 50) / (110 + .5 * 125 + .25 * 100 + .125 * 150);
  EXPECT_DOUBLE_EQ(effective_use(past, settings, kNow).of(kUser, 0), 100 * expected);
}

TEST(Fairshare, EightWindowsOfADayDecayAsInThePapersFigure) {
  const auto settings = fairshare(hours(24), 8, 0.75);
  constexpr double kWeights[] = {1,          0.75,         0.5625,         0.421875,
                                 0.31640625, 0.2373046875, 0.177978515625, 0.13348388671875};
  double used = 0, total = 0;
  FairshareHistory past;
  for (std::size_t age = 0; age < 8; ++age) {
    EXPECT_DOUBLE_EQ(window_weight(settings, age), kWeights[age]);
    FairshareWindow window;
    window.start =
        window_start(settings.interval, kNow) - settings.interval * static_cast<std::int64_t>(age);
    window.length = settings.interval;
    window.total = 1000;
    window.used[kUser] = {100.0 * static_cast<double>(age)};
    used += kWeights[age] * window.used[kUser][0];
    total += kWeights[age] * 1000;
    past.windows.push_back(window);
  }
  EXPECT_DOUBLE_EQ(effective_use(past, settings, kNow).of(kUser, 0), 100 * used / total);
}

TEST(Fairshare, AWindowBeyondTheDepthCountsNoLonger) {
  const auto settings = fairshare(hours(12), 2, 1);
  auto past = history(settings, {{10, 100}, {20, 100}, {100, 100}});
  EXPECT_DOUBLE_EQ(effective_use(past, settings, kNow).of(kUser, 0), 15);
  forget_old_windows(past, settings, kNow);
  EXPECT_EQ(past.windows.size(), 2U);
}

TEST(Fairshare, WindowsBeginAtMultiplesOfTheirLengthSinceTheEpoch) {
  EXPECT_EQ(window_start(hours(1), Time(7200)), Time(7200));
  EXPECT_EQ(window_start(hours(1), Time(7199)), Time(3600));
}

TEST(Fairshare, AWindowWithoutUseAgesThoseBeforeIt) {
  const auto settings = fairshare(hours(1), 4, 0.5);
  FairshareHistory past;
  Credentials who;
  who.user = UserId(0U);
  record_use(past, settings.interval, who, 2, Time(0), Time(10));
  const auto counted = windows_that_count(past, settings, Time(2 * 3600));
  ASSERT_EQ(counted.size(), 3U);
  EXPECT_EQ(counted[0].total, 0);
  EXPECT_EQ(counted[1].total, 0);
  EXPECT_EQ(counted[2].total, 20);
  EXPECT_EQ(counted[2].start, Time(0));
}

struct Effect {
  TargetType type;
  double below, above;  // what 5 per cent to either side do
  bool blocks;          // above
};

// Paper, table 3.
TEST(Fairshare, ATargetDoesWhatItsTypeSays) {
  const Effect table[] = {{TargetType::target, 5, -5, false},
                          {TargetType::floor, 5, 0, false},
                          {TargetType::ceiling, 0, -5, false},
                          {TargetType::cap, 0, 0, true}};
  const FairshareSettings settings;
  for (const auto& row : table) {
    const FairshareTarget target{20, row.type};
    EXPECT_DOUBLE_EQ(deviation(target, 15, settings), row.below);
    EXPECT_DOUBLE_EQ(deviation(target, 25, settings), row.above);
    EXPECT_EQ(blocks(target, 25, settings), row.blocks);
    EXPECT_FALSE(blocks(target, 20, settings));
  }
}

TEST(Fairshare, WithAPercentSignDeviationsArePartsOfTheTarget) {
  FairshareSettings settings;
  settings.relative = true;
  EXPECT_DOUBLE_EQ(deviation({20}, 15, settings), 0.25);
  EXPECT_DOUBLE_EQ(deviation({20, TargetType::ceiling}, 50, settings), -1.5);
  EXPECT_DOUBLE_EQ(deviation({0}, 15, settings), -0.15);
}

TEST(Fairshare, EnforcementMayBlockOrNotWhateverTheType) {
  FairshareSettings settings;
  settings.enforcement = FairshareEnforcement::priority;
  EXPECT_FALSE(blocks({20, TargetType::cap}, 25, settings));
  EXPECT_DOUBLE_EQ(deviation({20, TargetType::cap}, 25, settings), -5);
  settings.enforcement = FairshareEnforcement::hard;
  EXPECT_TRUE(blocks({20, TargetType::cap}, 25, settings));
  EXPECT_TRUE(blocks({20}, 25, settings));
  EXPECT_TRUE(blocks({20, TargetType::ceiling}, 25, settings));
  EXPECT_FALSE(blocks({20, TargetType::floor}, 25, settings));
}

TEST(Fairshare, AJobOverACapIsNotConsideredAndHasAReason) {
  Cluster cluster = Scenario()
                        .nodes(1, procs(2))
                        .job("a")
                        .in_class("interactive")
                        .job("b")
                        .in_class("batch")
                        .build();
  cluster.fairshare_use.percent[CredentialKind::job_class] = {16, 84};
  Settings settings;
  settings.fairshare.metric = FairshareMetric::dedicated_proc_seconds;
  settings.classes["interactive"].fairshare_target = {15, TargetType::cap};  // paper, figure 5
  std::vector<Plan::Ranked> order;
  prioritise(cluster, settings, kNow, order);
  ASSERT_EQ(order.size(), 1U);
  EXPECT_EQ(cluster.job(order[0].job).name, "b");
  const auto blocked = job_named(cluster, "a");
  EXPECT_EQ(explain(cluster, settings, kNow, blocked).reason, Reason::fairshare_cap);
  EXPECT_EQ(
      FairshareStanding(cluster, settings).why_blocked(cluster, cluster.job(blocked).credentials),
      "class interactive has used 16.00% of the delivered resources, and its fairshare cap is "
      "15.00%");
  settings.fairshare.metric = FairshareMetric::none;
  prioritise(cluster, settings, kNow, order);
  EXPECT_EQ(order.size(), 2U);
  settings.fairshare.metric = FairshareMetric::dedicated_proc_seconds;
  settings.classes["interactive"].fairshare_target = {20, TargetType::cap};
  settings.system.fairshare_target = {50, TargetType::cap};  // of whoever has none of his own
  prioritise(cluster, settings, kNow, order);
  ASSERT_EQ(order.size(), 1U);
  EXPECT_EQ(cluster.job(order[0].job).name, "a");
}

/// Keeps one sum a second, for the whole time.
class UseBySecond {
 public:
  void record(UserId user, double rate, Time from, Time until) {
    for (auto t = from.raw(); t < until.raw(); ++t) {
      seconds_[t][user.raw()] += rate;
      seconds_[t][kAll] += rate;
    }
    for (auto t = until.raw(); t < from.raw(); ++t) {
      seconds_[t][user.raw()] -= rate;
      seconds_[t][kAll] -= rate;
    }
  }
  double percent(std::uint32_t user, const FairshareSettings& settings, Time now) const {
    double used = 0, total = 0;
    const auto length = settings.interval.raw();
    for (const auto& [second, sums] : seconds_) {
      const auto ago = now.raw() / length - second / length;
      if (ago < 0 || ago >= settings.depth) continue;
      double weight = 1;
      for (int i = 0; i < ago; ++i) weight *= settings.decay;
      if (const auto at = sums.find(user); at != sums.end()) used += weight * at->second;
      total += weight * sums.at(kAll);
    }
    return total > 0 ? 100 * used / total : 0;
  }

 private:
  static constexpr std::uint32_t kAll = ~0U;
  std::map<std::int64_t, std::map<std::uint32_t, double>> seconds_;
};

TEST(FairshareProperty, WindowsHoldWhatASumASecondHolds) {
  std::mt19937 random(7);
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  for (int round = 0; round < 60; ++round) {
    const auto settings = fairshare(Seconds(pick(1, 40)), pick(1, 6), pick(0, 10) / 10.0);
    FairshareHistory past;
    UseBySecond oracle;
    for (int i = 0; i < 30; ++i) {
      Credentials who;
      who.user = UserId(static_cast<std::uint32_t>(pick(0, 3)));
      const Time from(pick(100, 300)), until = from + Seconds(pick(0, 90));
      const double rate = pick(1, 8);
      record_use(past, settings.interval, who, rate, from, until);
      oracle.record(who.user, rate, from, until);
      if (pick(0, 3) != 0) continue;
      const Time back = until - Seconds(pick(0, static_cast<int>((until - from).raw())));
      record_use(past, settings.interval, who, rate, until, back);  // it had ended earlier
      oracle.record(who.user, rate, until, back);
    }
    for (const int when : {200, 300, 400, 450}) {
      const auto use = effective_use(past, settings, Time(when));
      for (std::uint32_t user = 0; user < 4; ++user)
        EXPECT_NEAR(use.of(kUser, user), oracle.percent(user, settings, Time(when)), 1e-6);
    }
  }
}

}  // namespace
}  // namespace maui
