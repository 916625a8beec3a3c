// Nothing passes a fence that is closed, until it is opened again.
#include "base/fence.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "base/boot_time.h"

namespace maui {
namespace {

using Milliseconds = std::chrono::milliseconds;
constexpr std::chrono::seconds kLong{1000};

class FenceTest : public testing::Test {
 protected:
  ~FenceTest() override { remove_fence(); }
};

TEST_F(FenceTest, WithoutAFenceEverythingPasses) {
  EXPECT_TRUE(fence_is_open());
  pass_fence();
  EXPECT_EQ(take_fenced_time().count(), 0);
}

TEST_F(FenceTest, ItClosesAtItsTime) {
  set_fence(boot_time() + kLong);
  EXPECT_TRUE(fence_is_open());
  set_fence(boot_time());
  EXPECT_FALSE(fence_is_open());
}

TEST_F(FenceTest, ALateThreadWaitsUntilTheFenceOpensAgain) {
  set_fence(boot_time());
  std::atomic<bool> open{false}, passed_closed{false};
  std::thread late([&] {
    pass_fence();
    passed_closed = !open;
  });
  set_fence(boot_time() - Milliseconds(1));  // a renewal that was late itself
  open = true;
  set_fence(boot_time() + kLong);
  late.join();
  EXPECT_FALSE(passed_closed);
}

TEST_F(FenceTest, SigtermEndsAWaitingProcess) {
  EXPECT_EXIT(
      {
        std::signal(SIGTERM, [](int) {});  // as the scheduler's own handling: it would go on
        set_fence(boot_time());
        std::thread kill([] {
          for (;; std::this_thread::sleep_for(Milliseconds(10))) ::kill(::getpid(), SIGTERM);
        });
        pass_fence();
      },
      testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace maui
