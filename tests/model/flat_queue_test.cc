#include "maui/flat_queue.h"

#include <gtest/gtest.h>

#include <random>

namespace maui {
namespace {

bool before(int a, int b) { return a < b; }

TEST(FlatQueueProperty, HoldsWhatASortedVectorHolds) {
  std::mt19937 random(7);
  FlatQueue<int> queue;
  std::vector<int> oracle;
  std::size_t most = 0;
  for (int step = 0; step < 6000; ++step) {
    // Grows for a while, then shrinks from the front, as a queue does.
    const bool grow = oracle.empty() || random() % 100 < (step / 1000 % 2 == 0 ? 70U : 30U);
    if (grow) {
      const int value = step * 10 - static_cast<int>(random() % 4 == 0 ? random() % 3000 : 0U);
      queue.insert(queue.place(value, before), value);
      oracle.insert(std::lower_bound(oracle.begin(), oracle.end(), value), value);
    } else {
      const std::size_t i = random() % (random() % 2 == 0 ? 1 : oracle.size());
      const auto first = std::lower_bound(oracle.begin(), oracle.end(), oracle[i]);
      ASSERT_EQ(queue.place(oracle[i], before), static_cast<std::size_t>(first - oracle.begin()));
      queue.erase(i);
      oracle.erase(oracle.begin() + static_cast<std::ptrdiff_t>(i));
    }
    most = std::max(most, oracle.size());
    const auto view = queue.view();
    ASSERT_TRUE(std::equal(view.begin(), view.end(), oracle.begin(), oracle.end())) << step;
  }
  EXPECT_GT(most, 300U);
}

}  // namespace
}  // namespace maui
