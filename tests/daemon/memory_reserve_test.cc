#include "daemon/memory_reserve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <new>

namespace maui {
namespace {

TEST(MemoryReserve, IsGivenBackOnceAndThenPutAsideAgain) {
  keep_memory_reserve(1U << 20U);
  const auto handler = std::get_new_handler();
  ASSERT_NE(handler, nullptr);
  EXPECT_NO_THROW(handler()) << "the allocation that failed is tried again";
  EXPECT_THROW(handler(), std::bad_alloc) << "there is no second one";
  EXPECT_FALSE(memory_is_short()) << "as soon as there is memory it is put aside again";
  EXPECT_NO_THROW(handler());
  EXPECT_FALSE(memory_is_short());
  std::set_new_handler(nullptr);
}

TEST(MemoryGateTest, WorkWaitsForASecondAndThenUntilTheReserveIsThere) {
  bool is_short = false;
  MemoryGate gate([&] { return is_short; });
  const MemoryGate::Time now(std::chrono::seconds(1000));
  EXPECT_TRUE(gate.opens(now));
  EXPECT_FALSE(gate.news());
  is_short = true;
  EXPECT_FALSE(gate.opens(now));
  EXPECT_THAT(gate.news().value_or(""), testing::StartsWith("ALERT: memory is short"));
  EXPECT_EQ(gate.looks_at(), now + std::chrono::seconds(1));
  is_short = false;
  EXPECT_FALSE(gate.opens(now)) << "it looks again after a second";
  EXPECT_FALSE(gate.news());
  EXPECT_TRUE(gate.opens(gate.looks_at()));
  EXPECT_THAT(gate.news().value_or(""), testing::StartsWith("there is enough memory again"));
}

}  // namespace
}  // namespace maui
