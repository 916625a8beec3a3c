// The history of run times against one that keeps every run and looks through all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "learning/run_time_history.h"

namespace maui {
namespace {

struct Ended {
  std::string user, name;
  int procs = 1;
  std::int64_t limit = 1, run = 0;
};

int halvings(std::int64_t number) {
  int count = 0;
  for (; number > 1; number /= 2) ++count;
  return count;
}

class EveryRun {
 public:
  void learn(Ended job) { all_.push_back(std::move(job)); }

  // The specification, word by word.
  std::vector<RunDistribution::Value> values(const Ended& job) const {
    using Like = std::function<bool(const Ended&)>;
    const auto mine = [&](const Ended& a) { return a.user == job.user; };
    const auto procs = [&](const Ended& a) { return a.procs == job.procs; };
    const auto limit = [&](const Ended& a) { return a.limit == job.limit; };
    const std::vector<Like> kinds{[&](const Ended& a) {
                                    return mine(a) && procs(a) && limit(a) && a.name == job.name &&
                                           !job.name.empty();
                                  },
                                  [&](const Ended& a) { return mine(a) && procs(a) && limit(a); },
                                  [&](const Ended& a) { return mine(a) && limit(a); },
                                  [&](const Ended& a) { return mine(a) && procs(a); },
                                  mine,
                                  [&](const Ended& a) {
                                    return halvings(a.limit) == halvings(job.limit) &&
                                           halvings(a.procs) == halvings(job.procs);
                                  },
                                  [](const Ended&) { return true; }};
    std::vector<RunDistribution::Value> found;
    double rest = 1;
    for (std::size_t kind = 0; kind < kinds.size() && rest >= 0.01; ++kind) {
      std::vector<Ended> last;
      for (auto earlier = all_.rbegin(); earlier != all_.rend() && last.size() < 8; ++earlier)
        if (kinds[kind](*earlier)) last.push_back(*earlier);
      if (last.empty()) continue;
      std::vector<double> weights(last.size(), 1);
      for (std::size_t i = 1; i < last.size(); ++i) weights[i] = weights[i - 1] * 0.7;
      double sum = 0;
      for (const double weight : weights) sum += weight;
      const double share = rest * sum / (sum + 1);
      for (std::size_t i = 0; i < last.size(); ++i) {
        const double run = kind < 5 ? static_cast<double>(std::min(last[i].run, job.limit))
                                    : static_cast<double>(last[i].run) /
                                          static_cast<double>(last[i].limit) *
                                          static_cast<double>(job.limit);
        found.push_back({std::max(run, 1.0), share * weights[i] / sum});
      }
      rest -= share;
    }
    found.push_back({static_cast<double>(job.limit), std::max(rest, 0.001)});
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
      return std::pair(a.seconds, a.weight) < std::pair(b.seconds, b.weight);
    });
    return found;
  }

 private:
  std::vector<Ended> all_;
};

class Author {
 public:
  explicit Author(unsigned seed) : random_(seed) {}
  int upto(int most) { return std::uniform_int_distribution<int>(0, most)(random_); }
  Ended job() {
    Ended made;
    made.user = std::string(1, static_cast<char>('a' + upto(3)));
    made.name = upto(2) == 0 ? std::string() : std::string(1, static_cast<char>('x' + upto(2)));
    made.procs = 1 + upto(upto(1) == 0 ? 3 : 100);
    made.limit = (1 + upto(4)) * (upto(1) == 0 ? 60 : 3600);
    made.run = upto(static_cast<int>(made.limit));
    return made;
  }

 private:
  std::mt19937 random_;
};

JobTraits traits_of(const Ended& job) {
  return {job.user, job.name, job.procs, Seconds(job.limit)};
}

TEST(HistoryPropertyTest, ExpectsWhatLookingThroughEveryRunGives) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Author author(seed);
    RunTimeHistory history;
    EveryRun slow;
    for (int i = 0; i < 300; ++i) {
      const Ended asked = author.job();
      const auto expected = history.expect(traits_of(asked));
      const auto values = slow.values(asked);
      ASSERT_TRUE(std::equal(values.begin(), values.end(), expected.values().begin(),
                             expected.values().end()))
          << "seed " << seed << ", after " << i << " runs";
      double weight = 0, sum = 0, logarithms = 0, urgency = 0;
      for (const auto& value : values) {
        weight += value.weight;
        sum += value.weight * value.seconds;
        logarithms += value.weight * std::log(value.seconds);
        urgency += value.weight / std::max(60.0, value.seconds);
      }
      ASSERT_EQ(expected.expected().mean, sum / weight);
      ASSERT_EQ(expected.expected().geometric_mean, std::exp(logarithms / weight));
      ASSERT_EQ(expected.expected().urgency, urgency / weight);
      const Ended ended = author.job();
      history.learn(traits_of(ended), Seconds(ended.run), Time(i));
      slow.learn(ended);
      if (i % 50 != 49) continue;
      RunTimeHistory restored;
      for (const auto& ring : history.kept()) restored.restore(ring);
      history = std::move(restored);
    }
  }
}

}  // namespace
}  // namespace maui
