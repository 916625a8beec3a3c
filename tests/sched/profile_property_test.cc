// A node's profile against one counter per second.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "sched/availability/profile.h"
#include "support/random_cluster.h"

namespace maui {
namespace {

using test::kNow;
using test::rounds;

constexpr int kSeconds = 60;

/// Free processors, free memory and jobs at every second.
struct Counters {
  std::array<int, kSeconds> procs{}, memory{}, jobs{}, exclusive{};
};

struct Change {
  int start, end;
  Resources amount;
  bool exclusive;
};

void apply(const Change& change, int sign, Profile& profile, Counters& counters) {
  profile.change(kNow + Seconds(change.start), kNow + Seconds(change.end), change.amount, sign,
                 change.exclusive);
  for (int t = std::max(0, change.start); t < std::min(change.end, kSeconds); ++t) {
    const auto at = static_cast<std::size_t>(t);
    counters.procs[at] += sign * change.amount.procs();
    counters.memory[at] += sign * change.amount.memory();
    counters.jobs[at] -= sign;
    counters.exclusive[at] -= change.exclusive ? sign : 0;
  }
}

void expect_same(const Profile& profile, const Counters& counters) {
  ASSERT_TRUE(profile.check());
  for (int t = 0; t < kSeconds; ++t) {
    const auto at = static_cast<std::size_t>(t);
    const auto level = profile.at(kNow + Seconds(t));
    ASSERT_EQ(profile.free(level)[0], counters.procs[at]) << "second " << t;
    ASSERT_EQ(profile.free(level)[1], counters.memory[at]) << "second " << t;
    ASSERT_EQ(profile.level(level).presence.jobs, counters.jobs[at]) << "second " << t;
    ASSERT_EQ(profile.level(level).presence.exclusive, counters.exclusive[at]) << "second " << t;
  }
}

/// The worst of a profile is the least that any second up to then has.
void expect_worst(const Profile& profile, const Counters& counters) {
  Profile worst;
  worst.set_to_worst_of(profile);
  ASSERT_TRUE(worst.check());
  int procs = counters.procs[0], memory = counters.memory[0], jobs = 0;
  for (int t = 0; t < kSeconds; ++t) {
    const auto at = static_cast<std::size_t>(t);
    procs = std::min(procs, counters.procs[at]);
    memory = std::min(memory, counters.memory[at]);
    jobs = std::max(jobs, std::min(1, counters.jobs[at]));
    const auto level = worst.at(kNow + Seconds(t));
    ASSERT_EQ(worst.free(level)[0], procs) << "second " << t;
    ASSERT_EQ(worst.free(level)[1], memory) << "second " << t;
    ASSERT_EQ(worst.level(level).presence.jobs, jobs) << "second " << t;
  }
}

TEST(ProfileProperty, AgreesWithOneCounterPerSecond) {
  for (unsigned seed = 1; seed <= rounds(60); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    Profile profile;
    profile.reset(kNow, Resources(8, 64), 4);
    Counters counters;
    counters.procs.fill(8);
    counters.memory.fill(64);
    std::vector<Change> held;
    for (int step = 0; step < 40; ++step) {
      if (!held.empty() && below(3) == 0) {
        const auto which = held.begin() + below(static_cast<int>(held.size()));
        apply(*which, +1, profile, counters);
        held.erase(which);
      } else {
        const int start = below(50) - 5;
        held.push_back(
            {start, start + 1 + below(15), Resources(1 + below(3), 8 * below(3)), below(4) == 0});
        apply(held.back(), -1, profile, counters);
      }
      ASSERT_NO_FATAL_FAILURE(expect_same(profile, counters));
      ASSERT_NO_FATAL_FAILURE(expect_worst(profile, counters));
    }
    for (const Change& change : held) apply(change, +1, profile, counters);
    EXPECT_EQ(profile.size(), 1U) << "nothing is held, yet it is not flat";
  }
}

}  // namespace
}  // namespace maui
